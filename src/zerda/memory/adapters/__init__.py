"""Readers of what others wrote, one file a format family."""
