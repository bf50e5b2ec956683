"""Memory for LLM applications."""
