"""Embedders: what turns texts into vectors. Each file is one; `embedder_named` finds them by name."""

from .choose import embedder_named

__all__ = ["embedder_named"]
