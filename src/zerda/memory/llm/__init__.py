"""Language models. None is needed; where one is given, it adds."""

from .entities import LLMExtractor
from .openai import OpenAICompatibleLLM
from .reranking import LLMReranker

__all__ = ["LLMExtractor", "LLMReranker", "OpenAICompatibleLLM"]
