"""Embedders: what turns texts into vectors. Each file is one; `choose` finds them by name."""
