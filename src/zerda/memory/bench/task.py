"""What is asked of a memory: conversations, questions about them, and what should be found."""

from __future__ import annotations

from dataclasses import dataclass

from zerda.memory import Note


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the ids of the notes that hold its evidence; none where nothing answers it."""

    text: str
    evidence: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation: its turns as notes, and the questions about it."""

    name: str
    notes: tuple[Note, ...]
    questions: tuple[Asked, ...]

    @property
    def session_of(self) -> dict[str, str]:
        """The session of each turn, by id."""
        return {note.id or "": note.session_id or "" for note in self.notes}
