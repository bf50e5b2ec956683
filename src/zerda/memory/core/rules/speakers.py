"""Who said a part of an entry."""

USER_PART = "user"
"""Who said the ``input`` of an interaction."""

_PART_SPEAKERS = {"input": USER_PART, "output": "assistant"}


def speaker_of(role: str, speaker: str | None) -> str | None:
    """In an interaction the part tells (``input``: "user", ``output``: "assistant"), else the entry does."""
    return _PART_SPEAKERS.get(role, speaker)
