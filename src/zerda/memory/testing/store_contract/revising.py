"""Revising: a new version in the place of the old, which is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ...core.model import Query
from ...errors import EntryNotFound
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import (
    ALICE,
    ALL,
    BOB,
    EMBEDDER,
    STRANGER,
    TENANT,
    Ground,
    asked,
    found,
    index,
    near,
    put,
    versions,
)

LONG = "The harbour was full of small boats that evening. " * 60 + "A needle lay in the last sentence."


class Revising(Ground):
    def test_content_and_descriptions_are_replaced_one_version_on(self, store: Store) -> None:
        put(store, ALICE, "I live in Rome", id="x", importance=0.2, tags=("old",), metadata={"a": 1})
        revised = store.revise(
            ALICE,
            draft(
                "I live in Lyon", id="x", importance=0.9, tags=("new",), topics=("home",), metadata={"b": 2},
                speaker="Alice", kind="fact", origin="import", trust="untrusted", visibility="tenant",
                sources=("y",), masked={"EMAIL": 1}, occurred_at=START + timedelta(days=1),
            ),
        )  # fmt: skip
        assert store.get(ALICE, "x") == revised
        assert (revised.version, revised.content, revised.importance) == (2, "I live in Lyon", 0.9)
        assert (revised.tags, revised.topics, revised.metadata) == (("new",), ("home",), {"b": 2})
        assert (revised.speaker, revised.kind, revised.origin) == ("Alice", "fact", "import")
        assert (revised.trust, revised.visibility, revised.sources) == ("untrusted", "tenant", ("y",))
        assert (revised.masked, revised.occurred_at) == ({"EMAIL": 1}, START + timedelta(days=1))
        assert revised.content_hash == draft("I live in Lyon").entry.content_hash

    def test_place_state_and_use_stay(self, store: Store) -> None:
        kept = put(store, ALICE, "first", id="x", session_id="s")
        state = {"pinned": True, "promoted_at": START, "expires_at": START + timedelta(days=9)}
        store.mark(ALICE, ["x"], **state)  # type: ignore[arg-type]
        store.count_uses(ALICE, {"x": 3}, START)
        later = START + timedelta(days=5)
        revised = store.revise(ALICE, draft("second", id="x", recorded_at=later, session_id="another"))
        assert (revised.seq, revised.session_id, revised.recorded_at) == (kept.seq, "s", kept.recorded_at)
        assert {name: getattr(revised, name) for name in state} == state
        assert (revised.access_count, revised.last_access) == (3, START)
        assert (revised.tenant_id, revised.user_id) == ("acme", "alice")

    def test_what_is_archived_stays_archived(self, store: Store) -> None:
        put(store, ALICE, "first", id="x")
        store.mark(ALICE, ["x"], archived_at=START)
        assert store.revise(ALICE, draft("second", id="x")).archived_at == START
        assert found(store, ALICE, "second") == []

    def test_every_version_is_kept_oldest_first(self, store: Store) -> None:
        put(store, ALICE, "one", id="x", tags=("a",))
        store.revise(ALICE, draft("two", id="x"))
        store.revise(ALICE, draft({"input": "three", "output": ""}, id="x"))
        history = store.history(ALICE, "x")
        assert [(entry.version, entry.content) for entry in history] == [
            (1, "one"),
            (2, "two"),
            (3, {"input": "three", "output": ""}),
        ]
        assert history[0].tags == ("a",)
        assert history[-1] == store.get(ALICE, "x")

    def test_only_the_present_version_is_found_and_counted(self, store: Store) -> None:
        put(store, ALICE, "one", id="x", tags=("a",))
        store.revise(ALICE, draft("two", id="x", tags=("b",)))
        assert store.count(ALICE, ALL) == len(store.find(ALICE, ALL)) == 1
        assert store.count(ALICE, Query(tags=("a",))) == 0

    def test_the_new_words_are_found_and_the_old_are_not(self, store: Store) -> None:
        put(store, ALICE, "I live in Rome", id="x")
        store.revise(ALICE, draft("My home is Lyon", id="x"))
        assert found(store, ALICE, "Rome") == []
        assert found(store, ALICE, "Lyon") == ["x"]
        assert asked(store, ALICE, "Rome").frequencies["rome"] == 0
        assert asked(store, ALICE, "Lyon").passages == 1

    def test_the_old_vector_is_gone_and_the_new_text_is_pending(self, store: Store) -> None:
        store.put(ALICE, [draft("Rome", id="x", embedder=EMBEDDER)])
        store.revise(ALICE, draft("Lyon", id="x"))
        assert near(store, ALICE, "Rome") == []
        assert [one.text for one in store.pending(ALICE, EMBEDDER.fingerprint, limit=9)] == ["Lyon"]

    def test_a_revision_brings_its_vectors(self, store: Store) -> None:
        store.put(ALICE, [draft("Rome", id="x", embedder=EMBEDDER)])
        store.revise(ALICE, draft("Lyon", id="x", embedder=EMBEDDER))
        (vector,) = EMBEDDER.embed(["Lyon"])
        ((_, cosine),) = store.search_vectors(ALICE, vector, EMBEDDER.fingerprint, Query(), limit=9).hits
        assert cosine == pytest.approx(1, abs=0.005)

    def test_a_vector_of_the_old_words_does_not_come_to_stand_beside_the_new(self, store: Store) -> None:
        put(store, ALICE, "Rome", id="x")
        (old,) = store.pending(ALICE, EMBEDDER.fingerprint, limit=9)
        store.revise(ALICE, draft("Lyon", id="x"))
        late = store.put_vectors(ALICE, EMBEDDER.fingerprint, [old.key], EMBEDDER.embed([old.text]))
        assert late == 0
        assert near(store, ALICE, "Rome") == []

    def test_a_revised_entry_keeps_its_place_among_its_neighbours(self, store: Store) -> None:
        store.put(ALICE, [draft(text, id=text, session_id="s") for text in ("one", "two", "three")])
        store.revise(ALICE, draft("zwei", id="two"))
        keys = store.passages_of(ALICE, ["two"])
        beside = store.passages(ALICE, keys, Query(), before=1, after=1)
        assert [passage.entry_id for passage in beside] == ["one", "two", "three"]

    def test_a_longer_revision_is_indexed_to_its_end(self, store: Store) -> None:
        store.put(ALICE, [draft(text, id=text, session_id="s") for text in ("one", "two")])
        store.revise(ALICE, draft(LONG, id="one"))
        assert found(store, ALICE, "needle") == ["one"]
        assert len(store.passages_of(ALICE, ["one"])) == len(draft(LONG).passages) > 2
        assert found(store, ALICE, "two") == ["two"]

    def test_a_shorter_revision_leaves_nothing_of_the_longer(self, store: Store) -> None:
        store.put(ALICE, [draft(LONG, id="x", embedder=EMBEDDER)])
        keys = store.passages_of(ALICE, ["x"])
        store.revise(ALICE, draft("short", id="x", embedder=EMBEDDER))
        assert len(store.passages_of(ALICE, ["x"])) == store.stats(ALICE).passages == 1
        assert len(store.passages(ALICE, keys, Query())) <= 1
        assert found(store, ALICE, "harbour needle") == []

    def test_nobody_revises_what_is_not_theirs(self, store: Store) -> None:
        kept = put(store, ALICE, "shared", id="x", visibility="tenant")
        for scope in (BOB, STRANGER):
            with pytest.raises(EntryNotFound):
                store.revise(scope, draft("changed", id="x"))
        assert store.history(ALICE, "x") == [kept]

    def test_the_tenants_own_view_revises_any_and_its_user_stays(self, store: Store) -> None:
        put(store, ALICE, "one", id="x")
        assert store.revise(TENANT, draft("two", id="x", user_id="bob")).user_id == "alice"

    def test_what_is_not_there_cannot_be_revised(self, store: Store) -> None:
        with pytest.raises(EntryNotFound):
            store.revise(ALICE, draft("new", id="x"))
        assert store.count(ALICE, ALL) == 0

    def test_an_unknown_entry_has_no_history(self, store: Store) -> None:
        put(store, ALICE, "here", id="x")
        for scope, entry_id in ((ALICE, "y"), (BOB, "x"), (STRANGER, "x")):
            with pytest.raises(EntryNotFound):
                store.history(scope, entry_id)

    def test_a_private_history_is_told_to_nobody_else(self, store: Store) -> None:
        put(store, ALICE, "one", id="x")
        store.revise(ALICE, draft("two", id="x"))
        assert versions(store, BOB, "x") == versions(store, STRANGER, "x") == []
        assert len(store.history(TENANT, "x")) == 2

    def test_vectors_that_came_later_are_replaced_too(self, store: Store) -> None:
        put(store, ALICE, "Rome", id="x")
        index(store, ALICE)
        store.revise(ALICE, draft("Lyon", id="x"))
        assert store.stats(ALICE, EMBEDDER.fingerprint).pending == 1

    def test_a_rewritten_entry_keeps_its_place_and_nothing_of_what_it_said(self, store: Store) -> None:
        put(store, ALICE, "before all", id="w", session_id="s")
        put(store, ALICE, "the zebra was first", id="x", session_id="s")
        second = store.revise(ALICE, draft("the zebra was second", id="x", tags=("zebra",)))
        put(store, ALICE, "after all", id="y", session_id="s")
        former = [replace(one, content="it was first") for one in store.history(ALICE, "x")[:-1]]
        kept = store.rewrite(ALICE, draft("it was second", id="x", masked={"NAME": 1}), former)
        assert (kept.seq, kept.version, kept.session_id) == (second.seq, 2, "s")
        assert (kept.content, kept.tags, kept.masked) == ("it was second", (), {"NAME": 1})
        assert [one.content for one in versions(store, ALICE, "x")] == ["it was first", "it was second"]
        assert [one.version for one in versions(store, ALICE, "x")] == [1, 2]
        assert found(store, ALICE, "zebra") == []
        assert found(store, ALICE, "second") == ["x"]
        (key,) = store.passages_of(ALICE, ["x"])
        beside = store.passages(ALICE, [key], Query(), before=1, after=1)
        assert [one.entry_id for one in beside] == ["w", "x", "y"]

    def test_a_rewritten_entry_may_lose_its_former_versions(self, store: Store) -> None:
        put(store, ALICE, "first", id="x")
        store.revise(ALICE, draft("second", id="x"))
        store.rewrite(ALICE, draft("third", id="x"))
        assert [(one.version, one.content) for one in versions(store, ALICE, "x")] == [(2, "third")]

    def test_only_the_users_own_is_rewritten(self, store: Store) -> None:
        put(store, ALICE, "mine", id="x", visibility="tenant")
        for scope in (BOB, STRANGER):
            with pytest.raises(EntryNotFound):
                store.rewrite(scope, draft("changed", id="x"))
        assert store.get(ALICE, "x").content == "mine"
