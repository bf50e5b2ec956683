"""Language models. None is needed; where one is given, it adds."""

from .entities import LLMExtractor
from .openai import OpenAICompatibleLLM

__all__ = ["LLMExtractor", "OpenAICompatibleLLM"]
