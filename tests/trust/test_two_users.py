"""Two users of one tenant: whatever the one does, the other is answered as if alone.

The same calls of Alice's are made twice: among Bob's, and in a memory that never heard of him. Each answer
has to be the same, to the last score.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from zerda.memory import (
    AIMemoryManager,
    BuiltContext,
    Hit,
    MemoryConfig,
    MemoryEntry,
    Note,
    Page,
    Query,
    ZerdaError,
)
from zerda.memory.core.trust import Receipt
from zerda.memory.testing import START, HashingEmbedder

WORDS = (
    "fennec", "harbour", "lisbon", "quartz", "Ana", "the fennec of lisbon", "Ana knows Bruno at the harbour",
)  # fmt: skip

Verb = Callable[[AIMemoryManager, str, int], Any]


def _id(user: str, number: int) -> str:
    return f"{user}-{number % 4}"


def _say(number: int) -> str:
    return WORDS[number % len(WORDS)]


VERBS: dict[str, Verb] = {
    "save_interaction": lambda m, u, n: m.save_interaction(u, "acme", _say(n), _say(n + 1), id=_id(u, n)),
    "save_many": lambda m, u, n: m.save_many(
        u, "acme", [{"user_input": _say(n), "assistant_output": "yes", "id": _id(u, n), "importance": 0.8}]
    ),
    "remember": lambda m, u, n: m.remember(
        u, "acme", _say(n), id=_id(u, n), tags=[_say(n)], source="a page" if n % 2 else None
    ),
    "remember_many": lambda m, u, n: m.remember_many(
        u, "acme", [Note(content=_say(n + k), id=_id(u, n + k), session_id="talk") for k in range(2)]
    ),
    "update": lambda m, u, n: m.update(u, "acme", _id(u, n), content=_say(n + 2)),
    "recall": lambda m, u, n: m.recall(u, "acme", _say(n), min_score=0),
    "build_context": lambda m, u, n: m.build_context(u, "acme", _say(n)),
    "build_prompt": lambda m, u, n: m.build_prompt(u, "acme", _say(n)),
    "get": lambda m, u, n: m.get(u, "acme", _id(u, n)),
    "list": lambda m, u, n: m.list(u, "acme", limit=3),
    "history": lambda m, u, n: m.history(u, "acme", _id(u, n)),
    "entities": lambda m, u, n: m.entities(u, "acme"),
    "entity": lambda m, u, n: m.entity(u, "acme", _say(n)),
    "mentioning": lambda m, u, n: m.mentioning(u, "acme", _say(n)),
    "related": lambda m, u, n: m.related(u, "acme"),
    "changes": lambda m, u, n: [(it.action, it.count) for it in m.changes(u, "acme", after=0).changes],
    "profile": lambda m, u, n: m.profile(u, "acme"),
    "set_preferences": lambda m, u, n: m.set_preferences(u, "acme", {"tone": _say(n)}),
    "set_retention_boost": lambda m, u, n: m.set_retention_boost(u, "acme", n % 5 / 10),
    "reveal": lambda m, u, n: m.reveal(u, "acme", _id(u, n)),
    "pin": lambda m, u, n: m.pin(u, "acme", _id(u, n)),
    "archive": lambda m, u, n: m.archive(u, "acme", _id(u, n)),
    "restore": lambda m, u, n: m.restore(u, "acme", _id(u, n)),
    "forget": lambda m, u, n: m.forget(u, "acme", _id(u, n)),
    "forget_where": lambda m, u, n: m.forget_where(u, "acme", Query(tags=(_say(n),)), preview=n % 2 == 0),
    "quarantine": lambda m, u, n: m.quarantine(u, "acme", _id(u, n)),
    "review": lambda m, u, n: m.review(u, "acme"),
    "memories_since": lambda m, u, n: m.memories_since("acme", START, user_id=u),
    "forget_source": lambda m, u, n: m.forget_source("acme", "a page", user_id=u),
    "allow_again": lambda m, u, n: m.allow_again(u, "acme", _id(u, n)),
    "forget_user": lambda m, u, n: m.forget_user(u, "acme", preview=n % 3 > 0),
    "export_user": lambda m, u, n: list(m.export_user(u, "acme", vectors=True)),
}


def seen(value: Any) -> Any:
    """An answer without the numbers that a store gives in order of arrival."""
    match value:
        case MemoryEntry():
            return replace(value, seq=0)
        case Hit():
            return seen(value.entry), value.score, value.text, dict(value.parts), value.sources
        case BuiltContext():
            return value.full_text, value.tokens, seen(value.entries), value.trace, value.degraded
        case Page():
            return seen(value.entries), value.cursor is None
        case Receipt():
            return dict(value.counts), value.what, value.complete
        case list() | tuple():
            return [seen(one) for one in value]
        case str() if value.startswith('{"type"'):
            return json.loads(value)
    return value


def answered(memory: AIMemoryManager, user: str, verb: str, number: int) -> Any:
    try:
        return verb, seen(VERBS[verb](memory, user, number))
    except ZerdaError as error:
        return verb, type(error).__name__


Calls = list[tuple[str, str, int]]

CALLS = st.lists(
    st.tuples(st.sampled_from(["alice", "bob"]), st.sampled_from(sorted(VERBS)), st.integers(0, 20)),
    min_size=6,
    max_size=24,
)


USES_WRITTEN_BY_ANOTHERS_SAVE = [
    ("alice", "remember", 0),
    ("alice", "build_context", 0),
    ("bob", "remember", 0),
    ("alice", "archive", 0),
]


class Hours:
    """A clock that stands still within a call."""

    now = START

    def __call__(self) -> datetime:
        return self.now


def played(folder: Path, calls: Calls, *, users: tuple[str, ...], persistence: bool) -> list[Any]:
    """The answers to Alice's calls, where only these users call; every call has its own minute."""
    clock = Hours()
    config = MemoryConfig(persistence_path=str(folder), enable_persistence=persistence, durability="relaxed")
    answers = []
    secret = patch.object(AIMemoryManager, "_context_secret", lambda self: b"the marks of both runs")
    with secret, AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as memory:
        for minute, (user, verb, number) in enumerate(calls):
            clock.now = START + timedelta(minutes=7 * minute)
            if user in users:
                answers.append((user, answered(memory, user, verb, number)))
    return [answer for user, answer in answers if user == "alice"]


@pytest.mark.parametrize(("persistence", "examples"), [(False, 60), (True, 12)], ids=["no disk", "disk"])
def test_a_user_is_answered_as_if_alone(persistence: bool, examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(calls=CALLS)
    @example(calls=USES_WRITTEN_BY_ANOTHERS_SAVE)
    def check(calls: Calls) -> None:
        with TemporaryDirectory() as together, TemporaryDirectory() as alone:
            among = played(Path(together), calls, users=("alice", "bob"), persistence=persistence)
            by_herself = played(Path(alone), calls, users=("alice",), persistence=persistence)
        assert among == by_herself

    check()


def test_what_is_shared_reaches_the_other_with_its_author_and_nothing_else() -> None:
    with AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=HashingEmbedder()) as memory:
        memory.remember("bob", "acme", "the fennec is ours", id="ours", visibility="tenant")
        memory.remember("bob", "acme", "the fennec is mine", id="mine")
        memory.set_preferences("bob", "acme", {"tone": "bobbish"})
        for verb in ("recall", "build_context", "list", "export_user", "profile"):
            told = repr(answered(memory, "alice", verb, 0))
            assert "mine" not in told
            assert "bobbish" not in told
        assert [hit.entry.user_id for hit in memory.recall("alice", "acme", "fennec", min_score=0)] == ["bob"]


def test_every_verb_of_a_users_own_is_tried() -> None:
    from test_who_may_do_what import OWN

    assert VERBS.keys() == OWN.keys()
