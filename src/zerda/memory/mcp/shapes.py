"""What the tools answer with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from zerda.memory import Hit, Hits, MemoryEntry

Importance = Annotated[float, Field(ge=0, le=1, description="0 to 1; from 0.7 on it is kept long-term.")]
Limit = Annotated[int, Field(ge=1, le=100, description="At most so many.")]
Words = Annotated[str, Field(min_length=1, max_length=100_000)]
Ids = Annotated[list[str], Field(min_length=1, max_length=100, description="Ids, as recall tells them.")]


class Remembered(BaseModel):
    """An entry that is kept."""

    id: str
    text: str = Field(description="As it is kept: personal data and secrets are masked.")
    masked: dict[str, int] = Field(description="How many of each kind were masked.")
    version: int

    @classmethod
    def of(cls, entry: MemoryEntry) -> Remembered:
        return cls(id=entry.id, text=entry.text, masked=dict(entry.masked), version=entry.version)


class Found(BaseModel):
    """Something remembered, with the probability that it is about the question."""

    id: str
    text: str
    when: str = Field(description="When it was said, ISO 8601.")
    who: str = Field(description="Who said it; empty where nobody is named.")
    session: str
    score: float

    @classmethod
    def of(cls, hit: Hit) -> Found:
        entry = hit.entry
        return cls(
            id=entry.id,
            text=hit.text,
            when=entry.occurred_at.isoformat(),
            who=entry.speaker or "",
            session=entry.session_id or "",
            score=round(hit.score, 3),
        )


class Recalled(BaseModel):
    """What was found, most probably relevant first; nothing is a normal answer."""

    hits: list[Found]
    lacking: list[str] = Field(description="What could not be searched, and why.")

    @classmethod
    def of(cls, hits: Hits) -> Recalled:
        return cls(hits=[Found.of(hit) for hit in hits], lacking=list(hits.degraded))


class Context(BaseModel):
    """Text to be put before a model."""

    text: str
    tokens: int
    lacking: list[str] = Field(description="What could not be searched, and why.")


class Forgotten(BaseModel):
    """What an erasure took."""

    entries: int
    receipt: str = Field(description="Proof of the erasure; `zerda` can verify it.")
    complete: bool


Kind = Literal["note", "fact"]
