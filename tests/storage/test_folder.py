"""A folder of tenants: each has a file of its own, inside the folder, whatever it is called."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zerda.memory.core.model import Query, Scope
from zerda.memory.core.rules.ids import valid_id
from zerda.memory.core.trust import Grant
from zerda.memory.errors import InvalidInput, StoreClosed
from zerda.memory.storage.base import Stores
from zerda.memory.storage.folder import SQLiteFolder, file_names
from zerda.memory.testing import StoresContract, draft

NOW = datetime(2026, 12, 1, tzinfo=UTC)

ODD = [
    "acme", "ACME", "Acme", "../x", "..", ".", "a::b", "con", "CON", "con.x", "nul", "com1", "a.", ".a",
    "a/b", "a\\b", "a b", "é", "e\u0301", "ß", "ss", "ſ", "s", "K", "k", "%41", "A", "a%2Fb", "zerda.db",
    "x" * 100, "x" * 101, "x" * 256, "X" * 256, "日" * 85, "~", "a~b", "-", "_", "0", "a_ltm.db",
]  # fmt: skip


def is_id(text: str) -> bool:
    try:
        valid_id(text, "tenant_id")
    except InvalidInput:
        return False
    return True


def grant(principal: str, role: str, held: bool = True) -> Grant:
    return Grant(tenant_id="acme", principal=principal, role=role, at=NOW, held=held)


ids = st.text(min_size=1, max_size=60).filter(is_id) | st.sampled_from(ODD)


@given(ids, ids)
@example("x" * 256, "x" * 255 + "y")
def test_two_ids_never_give_one_name(one: str, other: str) -> None:
    first, second = file_names(one), file_names(other)
    assert (one == other) == (first[0] == second[0]) == (first[1].casefold() == second[1].casefold())


@given(ids, ids)
def test_a_fallback_is_nobody_elses_first_choice(one: str, other: str) -> None:
    if one != other:
        assert file_names(one)[1].casefold() != file_names(other)[0].casefold()


@given(ids)
def test_a_name_is_one_that_every_file_system_takes_and_stays_inside(tenant_id: str) -> None:
    for name in file_names(tenant_id):
        assert name.isascii()
        assert len(name) <= 200
        assert not set(name) & set('/\\:*?"<>|\0 ')
        assert name[0].isalnum() or name[0] in "%~"
        assert name.endswith("_ltm.db")
        assert name.split(".")[0].casefold() not in ("con", "nul", "aux", "prn", "com1", "lpt9")
        assert Path("/memory").joinpath(name).parent == Path("/memory")


@pytest.mark.parametrize("tenant_id", ["acme", "Acme-2.b_c", "0", "x" * 100])
def test_a_plain_id_keeps_its_name(tenant_id: str) -> None:
    assert file_names(tenant_id)[0] == f"{tenant_id}_ltm.db"


def test_odd_tenants_have_files_of_their_own_in_the_folder_and_share_nothing(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    with_content = {tenant: f"this is said in {number}" for number, tenant in enumerate(ODD)}
    folder = SQLiteFolder(home, durability="relaxed")
    for tenant, content in with_content.items():
        folder.store(tenant).put(Scope(tenant, "u"), [draft(content, id="x")])
    folder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["memory"]
    assert len(list(home.glob("*_ltm.db"))) == len(ODD)
    again = SQLiteFolder(home)
    assert again.tenants() == tuple(sorted(ODD))
    for tenant, content in with_content.items():
        assert again.store(tenant).get(Scope(tenant, "u"), "x").content == content
    again.close()


def test_names_that_differ_in_case_alone_are_apart_where_case_does_not_count(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path, durability="relaxed")
    for tenant in ("acme", "ACME", "Acme"):
        folder.store(tenant).count(Scope(tenant), Query())
    names = [path.name.casefold() for path in tmp_path.glob("*_ltm.db")]
    assert len(names) == len(set(names)) == 3
    folder.close()


def test_nothing_is_made_before_a_tenant_is_touched(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path / "memory")
    store = folder.store("acme")
    assert folder.store("acme") is store
    assert folder.tenants() == ()
    assert not (tmp_path / "memory").exists()
    store.count(Scope("acme"), Query())
    assert folder.tenants() == ("acme",)
    assert (tmp_path / "memory" / "acme_ltm.db").exists()
    folder.close()


@pytest.mark.parametrize("tenant_id", ["", " a", "a\x00", "a\u200b", "x" * 257, "\ud800"])
def test_what_is_no_id_is_no_tenant(tmp_path: Path, tenant_id: str) -> None:
    with pytest.raises(InvalidInput):
        SQLiteFolder(tmp_path).store(tenant_id)


def test_threads_that_ask_for_one_tenant_get_one_store(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path, durability="relaxed")
    begin = threading.Barrier(8)

    def ask(number: int) -> object:
        begin.wait(60)
        store = folder.store("acme")
        store.put(Scope("acme", "u"), [draft(f"kite {number}")])
        return store

    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(ask, range(8)))
    assert len({id(store) for store in stores}) == 1
    assert folder.store("acme").count(Scope("acme"), Query()) == 8
    folder.close()


def test_a_closed_folder_is_closed_for_all(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path)
    store = folder.store("acme")
    store.count(Scope("acme"), Query())
    folder.close()
    folder.close()
    for call in (lambda: folder.store("acme"), lambda: store.count(Scope("acme"), Query()), folder.tenants):
        with pytest.raises(StoreClosed):
            call()


# ── the catalog ──────────────────────────────────────────────────────────────────────────────────────


def roles(folder: SQLiteFolder, tenant: str, user: str) -> dict[str, bool]:
    """A user's roles, and whether they are held."""
    _, grants = folder.catalog.standing(tenant, user)
    return {grant.role: grant.held for grant in grants}


def test_a_role_is_kept_and_a_revocation_leaves_a_trace(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path)
    catalog = folder.catalog
    assert roles(folder, "acme", "ann") == {}
    catalog.keep_grant(grant("ann", "reader"))
    catalog.keep_grant(grant("ann", "writer"))
    catalog.keep_grant(grant("ann", "writer", held=False))
    assert roles(folder, "acme", "ann") == {"reader": True, "writer": False}
    assert roles(folder, "acme", "ANN") == roles(folder, "acm", "ann") == roles(folder, "acme", "%") == {}
    folder.close()


def test_a_revocation_holds_at_the_next_call_of_another_opener(tmp_path: Path) -> None:
    one, other = SQLiteFolder(tmp_path), SQLiteFolder(tmp_path)
    for held in (True, False, True):
        one.catalog.keep_grant(grant("ann", "reader", held=held))
        assert roles(other, "acme", "ann") == {"reader": held}
    one.close()
    other.close()


def test_the_first_to_record_an_embedder_decides(tmp_path: Path) -> None:
    one, other = SQLiteFolder(tmp_path), SQLiteFolder(tmp_path)
    assert one.catalog.embedder() is None
    assert one.catalog.record_embedder("a") == "a"
    assert other.catalog.record_embedder("b") == other.catalog.embedder() == "a"
    other.catalog.replace_embedder("b")
    assert one.catalog.embedder() == one.catalog.record_embedder("a") == "b"
    one.close()
    other.close()


def test_of_many_that_record_an_embedder_at_once_one_decides(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path, durability="relaxed")
    begin = threading.Barrier(8)

    def record(number: int) -> str:
        begin.wait(60)
        return folder.catalog.record_embedder(f"embedder {number}")

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(record, range(8)))) == 1
    folder.close()


def test_a_memory_has_a_name_that_stays(tmp_path: Path) -> None:
    one = SQLiteFolder(tmp_path / "one")
    name = one.catalog.store_id
    one.close()
    again, other = SQLiteFolder(tmp_path / "one"), SQLiteFolder(tmp_path / "other")
    assert again.catalog.store_id == name != other.catalog.store_id
    assert len(name) == 32
    again.close()
    other.close()


def test_the_catalog_holds_nothing_that_was_said(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path, durability="relaxed")
    folder.store("acme").put(Scope("acme", "ann"), [draft("zanzibarquartz", session_id="zanzibarsession")])
    folder.close()
    assert b"zanzibar" not in (tmp_path / "zerda.db").read_bytes()
    assert b"zanzibar" in (tmp_path / "acme_ltm.db").read_bytes()


def test_a_folder_of_many_tenants_keeps_few_files_open(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path, connections=8, durability="relaxed")
    handles = Path("/proc/self/fd")
    before = len(os.listdir(handles)) if handles.exists() else 0
    for number in range(40):
        tenant = f"t{number}"
        folder.store(tenant).put(Scope(tenant, "u"), [draft("kite")])
        if handles.exists():
            assert len(os.listdir(handles)) - before <= 8 * 3
    folder.close()


class TestSQLiteFolder(StoresContract):
    @pytest.fixture
    def stores(self, tmp_path: Path) -> Iterator[SQLiteFolder]:
        folder = SQLiteFolder(tmp_path)
        yield folder
        folder.close()

    @pytest.fixture
    def others(self, tmp_path: Path, stores: Stores) -> Iterator[SQLiteFolder]:
        folder = SQLiteFolder(tmp_path)
        yield folder
        folder.close()
