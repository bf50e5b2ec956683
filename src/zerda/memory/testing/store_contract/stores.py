"""All tenants' stores and the catalog: one store for each tenant, and grants that hold at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from ...core.model import Scope
from ...core.trust import Event, Grant
from ...errors import StoreClosed
from ...storage.base import WHOLE_STORE, Catalog, Stores
from ..clocks import START
from .ground import ALICE, ALL, STRANGER, put


def grant(principal: str, role: str, **more: Any) -> Grant:
    """A grant in the tenant acme."""
    return Grant(tenant_id="acme", principal=principal, role=role, at=START, **more)


def roles(catalog: Catalog, tenant_id: str, principal: str) -> dict[str, bool]:
    """Every role that a principal was ever granted, and whether it is held."""
    _, grants = catalog.standing(tenant_id, principal)
    return {grant.role: grant.held for grant in grants}


class StoresContract:
    """What `Stores` and `Catalog` promise. A subclass gives the fixture ``stores``, empty for each test."""

    @pytest.fixture
    def stores(self) -> Stores:
        """Empty stores, closed after the test."""
        raise NotImplementedError("give a fixture `stores`")

    @pytest.fixture
    def others(self, stores: Stores) -> Stores | None:
        """A second opener of the same memory, as another process would be; None if there is none."""
        return None

    @pytest.fixture
    def beside(self, others: Stores | None) -> Iterator[Stores]:
        """The second opener; tests that need one are skipped where there is none."""
        if others is None:
            pytest.skip("this memory has one opener")
        yield others
        others.close()

    # ── stores ───────────────────────────────────────────────────────────────────────────────────

    def test_a_tenant_has_one_store(self, stores: Stores) -> None:
        assert stores.store("acme") is stores.store("acme")

    # ── upkeep ───────────────────────────────────────────────────────────────────────────────────

    def test_who_asks_gets_the_tenant_that_waits_longest_for_its_upkeep(self, stores: Stores) -> None:
        assert stores.claim_upkeep(START, START) is None
        for tenant_id in ("beta", "acme"):
            put(stores.store(tenant_id), Scope(tenant_id, "alice"), "kite", id="x")
        moments = [START + timedelta(seconds=second) for second in range(5)]
        assert [stores.claim_upkeep(START, now) for now in moments[:3]] == ["acme", "beta", None]
        assert [stores.claim_upkeep(moments[1], moments[3]) for _ in "ab"] == ["acme", None]
        assert [stores.claim_upkeep(moments[4], moments[4]) for _ in "abc"] == ["beta", "acme", None]

    def test_what_one_has_claimed_no_other_gets(self, stores: Stores, beside: Stores) -> None:
        for number in range(4):
            put(stores.store(f"t{number}"), Scope(f"t{number}", "alice"), "kite", id="x")
        claimed = [one.claim_upkeep(START, START) for one in (stores, beside) * 2]
        assert sorted(map(str, claimed)) == ["t0", "t1", "t2", "t3"]
        assert beside.claim_upkeep(START, START) is None

    # ── names ────────────────────────────────────────────────────────────────────────────────────

    @pytest.mark.parametrize("other", ["Acme", "acme.", "acme_", "ac/me", "../acme", "áçmé", "acme:1", "con"])
    def test_tenants_keep_apart_whatever_they_are_called(self, stores: Stores, other: str) -> None:
        put(stores.store("acme"), Scope("acme", "alice"), "ours", id="x")
        put(stores.store(other), Scope(other, "alice"), "theirs", id="x")
        assert stores.store("acme").get(Scope("acme", "alice"), "x").content == "ours"
        assert stores.store(other).get(Scope(other, "alice"), "x").content == "theirs"
        assert stores.store(other).find(Scope("acme"), ALL) == []

    def test_every_tenant_that_was_touched_is_told_sorted(self, stores: Stores) -> None:
        assert stores.tenants() == ()
        for tenant in ("zebra", "acme", "Öl", "acme"):
            put(stores.store(tenant), Scope(tenant, "alice"), "x")
        assert stores.tenants() == ("acme", "zebra", "Öl")

    def test_closing_closes_every_store(self, stores: Stores) -> None:
        store = stores.store("acme")
        put(store, ALICE, "x")
        stores.close()
        with pytest.raises(StoreClosed):
            store.count(ALICE, ALL)
        with pytest.raises(StoreClosed):
            stores.store("acme")

    def test_closing_again_does_nothing(self, stores: Stores) -> None:
        stores.close()
        stores.close()

    # ── the catalog ──────────────────────────────────────────────────────────────────────────────

    def test_the_first_embedder_is_the_memorys(self, stores: Stores) -> None:
        catalog = stores.catalog
        assert catalog.embedder() is None
        assert [catalog.record_embedder(name) for name in ("one", "two", "one")] == ["one", "one", "one"]
        assert catalog.embedder() == "one"

    def test_the_embedder_is_replaced_only_on_purpose(self, stores: Stores) -> None:
        stores.catalog.record_embedder("one")
        stores.catalog.replace_embedder("two")
        assert stores.catalog.embedder() == stores.catalog.record_embedder("one") == "two"

    def test_a_role_is_held_until_it_is_revoked_and_the_revocation_stays(self, stores: Stores) -> None:
        catalog = stores.catalog
        assert roles(catalog, "acme", "alice") == {}
        catalog.keep_grant(grant("alice", "writer"))
        catalog.keep_grant(grant("alice", "reader"))
        catalog.keep_grant(grant("alice", "writer", held=False))
        assert roles(catalog, "acme", "alice") == {"writer": False, "reader": True}
        catalog.keep_grant(grant("alice", "writer"))
        assert roles(catalog, "acme", "alice") == {"writer": True, "reader": True}

    @pytest.mark.parametrize(("tenant", "user"), [("acme", "Alice"), ("acme", "al%"), ("other", "alice")])
    def test_a_role_is_one_users_in_one_tenant(self, stores: Stores, tenant: str, user: str) -> None:
        stores.catalog.keep_grant(grant("alice", "owner"))
        assert roles(stores.catalog, tenant, user) == {}
        assert {grant.tenant_id for grant in stores.catalog.grants("acme")} == {"acme"}
        assert stores.catalog.grants("never seen") == ()

    def test_a_grant_comes_back_as_it_was_given(self, stores: Stores) -> None:
        until = START + timedelta(days=1)
        stores.catalog.keep_grant(grant("bot", "reader", until=until, on_behalf_of="alice", by="bob"))
        (kept,) = stores.catalog.grants("acme")
        assert kept == Grant(
            tenant_id="acme", principal="bot", role="reader", at=START, until=until,
            on_behalf_of="alice", by="bob",
        )  # fmt: skip
        assert stores.catalog.standing("acme", "bot") == (None, (kept,))

    def test_the_grants_of_a_tenant_are_told_by_principal(self, stores: Stores) -> None:
        for principal in ("zoë", "alice", "bob"):
            stores.catalog.keep_grant(grant(principal, "reader"))
        assert [grant.principal for grant in stores.catalog.grants("acme")] == ["alice", "bob", "zoë"]

    def test_the_standing_of_several_is_theirs_and_nobody_elses(self, stores: Stores) -> None:
        kept = {who: grant(who, "reader") for who in ("alice", "bot", "eve")}
        for one in kept.values():
            stores.catalog.keep_grant(one)
        _, grants = stores.catalog.standing("acme", "bot", "alice")
        assert sorted(grants, key=lambda one: one.principal) == [kept["alice"], kept["bot"]]
        assert stores.catalog.standing("acme", "alice", "nobody")[1] == (kept["alice"],)

    def test_the_recorded_policy_is_told_with_every_standing(self, stores: Stores) -> None:
        assert stores.catalog.standing("acme", "alice") == (None, ())
        stores.catalog.set_policy("strict", at=START)
        assert stores.catalog.standing("acme", "alice") == ("strict", ())
        stores.catalog.set_policy("open", at=START)
        assert stores.catalog.standing("other", "bob") == ("open", ())

    def test_what_concerns_access_is_in_a_chain_of_its_own(self, stores: Stores) -> None:
        catalog = stores.catalog
        assert catalog.audit_head("acme") == (0, "")
        catalog.keep_grant(grant("alice", "writer", by="root"))
        catalog.keep_grant(grant("bot", "reader", on_behalf_of="alice", held=False))
        catalog.record("acme", [Event("write", None, "bob", result="refused")])
        catalog.set_policy("strict", at=START)
        told = catalog.audit("acme")
        assert [(one.chain, one.number, one.action, one.result) for one in told] == [
            ("access", 1, "grant writer", "done"),
            ("access", 2, "revoke reader to act for another", "done"),
            ("access", 3, "write", "refused"),
        ]
        assert (told[0].actor, told[0].subject) == (catalog.pseudonym("root"), catalog.pseudonym("alice"))
        assert catalog.audit("acme", after=1, limit=1) == [told[1]]
        assert [one.action for one in catalog.audit(WHOLE_STORE)] == ["policy strict"]
        head = catalog.audit_head("acme")
        assert catalog.check_audit("acme", [head]) == (3, [])
        assert catalog.check_audit("acme", [(4, head[1])])[1]
        assert catalog.audit("other") == []

    # ── other openers ────────────────────────────────────────────────────────────────────────────

    def test_a_revocation_holds_at_the_next_call_everywhere(self, stores: Stores, beside: Stores) -> None:
        stores.catalog.keep_grant(grant("alice", "reader"))
        assert roles(beside.catalog, "acme", "alice") == {"reader": True}
        stores.catalog.keep_grant(grant("alice", "reader", held=False))
        assert roles(beside.catalog, "acme", "alice") == {"reader": False}
        beside.catalog.set_policy("strict", at=START)
        assert stores.catalog.standing("acme", "bob") == ("strict", ())

    def test_the_first_process_decides_on_the_embedder(self, stores: Stores, beside: Stores) -> None:
        assert stores.catalog.record_embedder("one") == beside.catalog.record_embedder("two") == "one"

    def test_both_openers_have_the_same_tenants(self, stores: Stores, beside: Stores) -> None:
        put(stores.store("acme"), ALICE, "x", id="x")
        put(beside.store("other"), STRANGER, "y")
        assert stores.tenants() == beside.tenants() == ("acme", "other")
        assert beside.store("acme").get(ALICE, "x").content == "x"
