"""A profile as a few lines for a model: only what was said or learnt, never a default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from .profile import SEEN_AS_MANNER, UserProfile, best, interests

MOST_INTERESTS, MOST_PREFERENCES = 5, 8
FADED = 0.1
"""An interest that weighs less is not spoken of any more: one mention, some three months ago."""

LONGEST = 120
LANGUAGE_NAMES = {
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "hi": "Hindi",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
    "ru": "Russian", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
_TOLD_ELSEWHERE = {"preferred_language", "language", "verbosity", "response_style", "style"}


def context_lines(profile: UserProfile, now: datetime | None = None) -> list[str]:
    """The lines; none for a user of whom nothing is known. ``now`` leaves out interests that have faded."""
    return [*_manner(profile), *_interests(profile, now), *_preferences(profile)]


def _manner(profile: UserProfile) -> Iterator[str]:
    told = profile.explicit_preferences.keys()
    if {"preferred_language", "language"} & told or best(profile, "language"):
        code = profile.preferred_language
        yield f"Language: {LANGUAGE_NAMES.get(code, code)}"
    if "verbosity" in told or best(profile, "verbosity", seen=SEEN_AS_MANNER):
        yield f"Length of answers: {_short(profile.verbosity)}"
    if {"response_style", "style"} & told or best(profile, "style", seen=SEEN_AS_MANNER):
        yield f"Style: {_short(profile.response_style)}"


def _interests(profile: UserProfile, now: datetime | None) -> Iterator[str]:
    known = interests(profile, now, floor=FADED if now else 0.0)[:MOST_INTERESTS]
    if known:
        yield "Interests: " + ", ".join(known)


def _preferences(profile: UserProfile) -> Iterator[str]:
    stated = [item for item in profile.explicit_preferences.items() if item[0] not in _TOLD_ELSEWHERE]
    for name, value in sorted(stated)[:MOST_PREFERENCES]:
        yield f"Prefers: {_short(name)} = {_short(value)}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
