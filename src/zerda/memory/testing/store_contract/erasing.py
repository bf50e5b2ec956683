"""Erasure: what goes with an entry, what stays of it as a digest, and the search for traces."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ...core.model import Query, Scope
from ...core.rules.hashing import content_hash
from ...core.rules.profile import UserProfile
from ...core.trust import Erased, Receipt
from ...errors import EntryConflict, EntryErased
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, TENANT, Ground, found, ids, near, put, undone


def erase(store: Store, scope: Scope, *entry_ids: str, receipt: str = "r1") -> Erased:
    return store.erase(scope, Query(ids=entry_ids, archived=None), receipt)


class Erasing(Ground):
    """What `erase`, `buried`, `exhume` and `traces` promise."""

    def test_an_erased_entry_is_gone_and_counted(self, store: Store) -> None:
        store.put(ALICE, [draft("a red kite", id="1", embedder=EMBEDDER)])
        put(store, ALICE, "the harbour", id="2")
        store.revise(ALICE, draft("a blue kite", id="1", embedder=EMBEDDER))
        erased = erase(store, ALICE, "1")
        assert erased.ids == ("1",)
        assert dict(erased.counts) == {
            "entries": 1, "derived": 0, "archived": 0, "versions": 1, "passages": 1, "vectors": 1,
        }  # fmt: skip
        assert ids(store.find(ALICE, ALL)) == ["2"]
        assert found(store, ALICE, "kite") == near(store, ALICE, "kite") == []

    def test_only_what_is_ones_own_and_described_is_erased(self, store: Store) -> None:
        put(store, ALICE, "x", id="1", tags=("work",))
        put(store, ALICE, "x", id="2")
        put(store, BOB, "x", id="3", visibility="tenant", tags=("work",))
        assert store.erase(ALICE, Query(tags=("work",)), "r").ids == ("1",)
        assert set(ids(store.find(TENANT, ALL))) == {"2", "3"}
        assert store.erase(BOB, Query(ids=("2",)), "r").ids == ()

    def test_archived_entries_are_erased_too_whatever_the_limit(self, store: Store) -> None:
        for number in range(3):
            put(store, ALICE, f"note {number}", id=str(number))
        store.mark(ALICE, ["1"], archived_at=START)
        assert store.erase(ALICE, Query(limit=1), "r").counts["archived"] == 1
        assert store.count(ALICE, ALL) == 0

    def test_what_was_derived_goes_too_whoevers_it_is(self, store: Store) -> None:
        put(store, ALICE, "x", id="1", visibility="tenant")
        put(store, BOB, "of x", id="2", origin="derived", sources=("1",))
        put(store, TENANT, "of that", id="3", user_id="carol", origin="derived", sources=("0", "2"))
        put(store, ALICE, "kept beside", id="4", sources=("1",))
        erased = erase(store, ALICE, "1")
        assert set(erased.ids) == {"1", "2", "3"}
        assert (erased.counts["entries"], erased.counts["derived"]) == (3, 2)
        assert ids(store.find(TENANT, ALL)) == ["4"]

    def test_what_once_was_derived_goes_too(self, store: Store) -> None:
        put(store, ALICE, "x", id="1")
        put(store, ALICE, "of x", id="2", origin="derived", sources=("1",))
        store.revise(ALICE, draft("of nothing", id="2", origin="derived"))
        assert set(erase(store, ALICE, "1").ids) == {"1", "2"}

    def test_an_erased_id_is_refused_until_it_is_allowed(self, store: Store) -> None:
        put(store, ALICE, "x", id="1")
        erase(store, ALICE, "1")
        with pytest.raises(EntryErased, match="allow_again"):
            put(store, ALICE, "something else", id="1")
        put(store, Scope("other", "alice"), "x", id="1", tenant_id="other")
        assert store.exhume(ALICE, ["1", "unknown"]) == 1
        assert put(store, ALICE, "x", id="1").id == "1"
        assert store.exhume(ALICE, ["1"]) == 0

    def test_the_answer_about_anothers_id_is_the_same_whether_it_is_there_or_was_erased(
        self, store: Store
    ) -> None:
        put(store, ALICE, "x", id="1")
        answers = []
        for step in ("there", "erased"):
            for text in ("x", "something else"):
                with pytest.raises(EntryConflict) as refused:
                    put(store, BOB, text, id="1")
                answers.append((step, type(refused.value), str(refused.value)))
            erase(store, ALICE, "1")
        assert {answer[1:] for answer in answers} == {
            (EntryConflict, "the id '1' is not free in this tenant; use another id")
        }

    def test_nobody_takes_back_what_another_user_erased(self, store: Store) -> None:
        put(store, ALICE, "x", id="1")
        put(store, BOB, "x", id="2")
        store.erase(TENANT, ALL, "r")
        assert [store.exhume(scope, ["1", "2"]) for scope in (TENANT, BOB, BOB, ALICE)] == [0, 1, 0, 1]

    def test_a_receipt_is_kept_with_its_erasure_or_undone_with_it(self, store: Store) -> None:
        receipt = Receipt(id="r1", tenant_id="acme", what="ids", at=START, counts={"entries": 1}, digest="d")
        with undone(store):
            store.put_receipt(receipt)
        assert store.receipts("acme") == ()
        store.put_receipt(replace(receipt, id="r2"))
        store.put_receipt(receipt)
        store.put_receipt(replace(receipt, complete=True))
        assert store.receipts("acme") == (replace(receipt, complete=True), replace(receipt, id="r2"))
        assert store.receipts("other") == ()
        store.clear(TENANT)
        assert len(store.receipts("acme")) == 2

    def test_a_deleted_id_is_not_refused(self, store: Store) -> None:
        put(store, ALICE, "x", id="1")
        store.delete(ALICE, ["1"])
        assert put(store, ALICE, "y", id="1").content == "y"

    def test_erased_content_is_known_again_for_its_user_alone(self, store: Store) -> None:
        put(store, ALICE, "the secret", id="1")
        erase(store, ALICE, "1")
        again = draft("the secret", id="2", user_id="alice").entry
        bobs = draft("the secret", id="3", user_id="bob").entry
        other = draft("no secret", id="4", user_id="alice").entry
        same_id = draft("no secret", id="1", user_id="bob").entry
        assert store.buried(TENANT, [again, bobs, other, same_id]) == {"2", "1"}
        store.exhume(ALICE, ["1"])
        assert store.buried(TENANT, [again, same_id]) == set()

    def test_the_digest_is_of_the_ids_whatever_their_order(self, store: Store) -> None:
        store.put(ALICE, [draft("x", id="1"), draft("y", id="2")])
        with undone(store):
            first = erase(store, ALICE, "1", "2").digest
        assert erase(store, ALICE, "2", "1").digest == first
        assert content_hash("x") not in first

    def test_an_erasure_that_is_undone_has_not_been(self, store: Store) -> None:
        put(store, ALICE, "a kite", id="1")
        with undone(store):
            erase(store, ALICE, "1")
        assert found(store, ALICE, "kite") == ["1"]
        assert store.buried(ALICE, [draft("a kite", id="1", user_id="alice").entry]) == set()

    def test_a_user_without_entries_leaves_no_mark(self, store: Store) -> None:
        put(store, ALICE, "x", id="1")
        put(store, BOB, "x", id="2")
        store.set_watermark(ALICE, 1)
        store.set_watermark(BOB, 1)
        erase(store, ALICE, "1")
        assert (store.watermark(ALICE), store.watermark(BOB)) == (0, 1)
        assert store.users("acme") == ("bob",)

    def test_the_search_for_traces_finds_none_of_what_was_erased(self, store: Store) -> None:
        store.put(ALICE, [draft("the zanzibar quartz", id="1", embedder=EMBEDDER), draft("other", id="2")])
        store.revise(ALICE, draft("nothing at all", id="1"))
        erase(store, ALICE, "1")
        store.scrub()
        assert store.traces("acme", "r1", ["zanzibar quartz", "nothing at all"]).traces == ()

    def test_the_search_for_traces_finds_texts_and_ids_that_are_there(self, store: Store) -> None:
        put(store, ALICE, "the zanzibar quartz", id="1")
        put(store, ALICE, "kept", id="2", sources=("1",))
        assert any("text" in trace for trace in store.traces("acme", "r1", ["zanzibar"]).traces)
        erase(store, ALICE, "1")
        store.scrub()
        proof = store.traces("acme", "r1", [])
        assert not proof.clean
        assert proof.traces == ("an erased id in entries",)

    def test_an_id_in_the_evidence_of_a_profile_is_a_trace(self, store: Store) -> None:
        put(store, ALICE, "x", id="1")
        erase(store, ALICE, "1")
        store.scrub()
        assert store.traces("acme", "r1", []).clean
        store.put_profile(
            ALICE, UserProfile(tenant_id="acme", user_id="alice", explicit_preferences={"of": ["1"]})
        )
        assert not store.traces("acme", "r1", []).clean
