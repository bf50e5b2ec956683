"""Language models. None is needed; where one is given, it adds."""

from .openai import OpenAICompatibleLLM

__all__ = ["OpenAICompatibleLLM"]
