"""What proposes entries for a recall. One file, one source; a preset lists which are asked."""

from .important import important
from .meaning import meaning
from .recent import recent
from .words import words

__all__ = ["important", "meaning", "recent", "words"]
