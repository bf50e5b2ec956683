"""The audit: every change is in it, in its own transaction, and nothing that was said."""

from __future__ import annotations

from dataclasses import replace

from ...core.model import Query, Scope
from ...core.trust import Event
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, BOB, Ground, put, undone

PLANNER = replace(ALICE, actor="agent:planner")


def actions(store: Store, tenant_id: str = "acme") -> list[str]:
    return [record.action for record in store.audit(tenant_id)]


class Auditing(Ground):
    """Changes leave records."""

    def test_each_change_leaves_one_record(self, store: Store) -> None:
        put(store, ALICE, "one", id="1")
        put(store, ALICE, "two", id="2")
        store.revise(ALICE, draft("one again", id="1"))
        store.mark(ALICE, ["1"], pinned=True)
        store.mark(ALICE, ["1"], archived_at=START)
        store.mark(ALICE, ["1"], archived_at=None)
        store.delete(ALICE, ["1"])
        store.erase(ALICE, Query(), "receipt")
        assert actions(store) == [
            "save", "save", "update", "mark pinned", "archive", "restore", "delete", "erase",
        ]  # fmt: skip
        assert [record.number for record in store.audit("acme")] == [*range(1, 9)]

    def test_what_changed_nothing_leaves_none(self, store: Store) -> None:
        put(store, ALICE, "one", id="1")
        put(store, ALICE, "one", id="1")
        store.delete(ALICE, ["unknown"])
        store.delete(BOB, ["1"])
        store.mark(BOB, ["1"], pinned=True)
        assert actions(store) == ["save"]

    def test_a_record_tells_who_and_how_many_and_no_names(self, store: Store) -> None:
        store.put(PLANNER, [draft("quartz", id="first id"), draft("two", id="second id")])
        (record,) = store.audit("acme")
        assert (record.actor, record.subject) == (
            store.pseudonym("agent:planner"),
            store.pseudonym("alice"),
        )
        assert (record.count, len(record.objects), record.result) == (2, 2, "done")
        told = repr(record)
        assert not any(name in told for name in ("alice", "planner", "first id", "quartz"))

    def test_the_program_itself_is_app(self, store: Store) -> None:
        put(store, ALICE, "one")
        put(store, Scope("acme"), "two", user_id="bob")
        assert [(record.actor, bool(record.subject)) for record in store.audit("acme")] == [
            ("app", True),
            ("app", False),
        ]

    def test_a_change_that_is_undone_leaves_no_record(self, store: Store) -> None:
        put(store, ALICE, "one")
        with undone(store):
            put(store, ALICE, "two")
        put(store, ALICE, "three")
        assert actions(store) == ["save", "save"]
        assert store.check_audit("acme") == (2, [])

    def test_the_chain_is_whole_and_each_tenants_its_own(self, store: Store) -> None:
        for number in range(5):
            put(store, ALICE, f"note {number}")
        store.put(Scope("other", "alice"), [draft("x", tenant_id="other")])
        store.record("acme", [Event("export", None, "alice"), Event("read", "bob", "bob", count=3)])
        assert store.check_audit("acme") == (7, [])
        assert store.check_audit("other") == (1, [])
        assert store.check_audit("unknown") == (0, [])
        assert [record.count for record in store.audit("acme", after=5)] == [0, 3]
        assert [record.number for record in store.audit("acme", limit=2)] == [1, 2]

    def test_a_head_that_was_kept_is_found_again(self, store: Store) -> None:
        assert store.audit_head("acme") == (0, "")
        put(store, ALICE, "one")
        head = store.audit_head("acme")
        put(store, ALICE, "two")
        assert store.check_audit("acme", [head, (0, "")]) == (2, [])
        _, faults = store.check_audit("acme", [(head[0], "00" * 32), (9, head[1])])
        assert faults == [
            "record 1 is not the one whose head was kept",
            "record 9 is not the one whose head was kept",
        ]

    def test_two_openers_write_one_chain(self, store: Store, other: Store | None) -> None:
        for number in range(6):
            put((other or store) if number % 2 else store, ALICE, f"note {number}")
        assert store.check_audit("acme") == (other or store).check_audit("acme") == (6, [])
