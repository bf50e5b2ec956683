"""Two walls stand between tenants on PostgreSQL: each query's own condition, and row-level security."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

import postgres_server
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import InvalidInput, SchemaTooNew, StorageUnavailable
from zerda.memory.testing import START, draft

pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from zerda.memory.storage.postgres import PostgresStore, PostgresStores
from zerda.memory.storage.postgres_driver import APP_ROLE, Database
from zerda.memory.storage.postgres_sql import PostgresDialect

pytestmark = postgres_server.NEEDED_HERE

ALICE, OTHER = Scope("acme", "alice"), Scope("other", "alice")
OF_ALL = {"meta", "tenants", "fingerprints"}
"""Tables without a tenant: the layout and secret, names of tenants, names of models."""


@pytest.fixture
def store(postgres: str) -> Iterator[PostgresStore]:
    with PostgresStore(postgres) as store:
        store.put(ALICE, [draft("ours", id="x")])
        store.put(OTHER, [draft("theirs", id="y")])
        yield store


def catalogued(server: postgres_server.Server, address: str, sql: str) -> list[tuple[object, ...]]:
    """What the server's catalog tells of the memory's schema, ``{schema}`` in the statement."""
    schema = address.split("search_path%3D")[1].split("%2C")[0]
    return server.execute(sql.replace("{schema}", f"'{schema}'"))


# ── the first wall ───────────────────────────────────────────────────────────────────────────────────


def test_every_key_and_index_is_led_by_the_tenant(
    store: PostgresStore, postgres: str, postgres_running: postgres_server.Server
) -> None:
    rows = catalogued(
        postgres_running,
        postgres,
        "SELECT c.relname, n.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
        " JOIN pg_class n ON n.oid = i.indexrelid LEFT JOIN pg_attribute a"
        " ON a.attrelid = c.oid AND a.attnum = i.indkey[0]"
        " WHERE c.relnamespace = {schema}::regnamespace",
    )
    led = {(table, index): column for table, index, column in rows if table not in OF_ALL}
    assert len(led) > 30
    # A program's key is asked about before it is known whose it is.
    assert led.pop(("api_keys", "api_keys_pkey")) == "id"
    assert set(led.values()) == {"tenant_id"}


# ── the second wall ──────────────────────────────────────────────────────────────────────────────────


def test_every_table_of_a_tenant_has_forced_row_level_security(
    store: PostgresStore, postgres: str, postgres_running: postgres_server.Server
) -> None:
    rows = catalogued(
        postgres_running,
        postgres,
        "SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace = {schema}::regnamespace",
    )
    assert {name for name, guarded in rows if not guarded} == OF_ALL


def test_a_query_that_forgets_its_condition_still_meets_one_tenant(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresDialect, "of_tenant", lambda self, table: "TRUE")
    whole = Scope("acme")
    assert [entry.id for entry in store.find(whole, Query())] == ["x"]
    assert store.count(whole, Query()) == 1
    assert store.mark(whole, ["x", "y"], archived_at=START) == 1


def test_a_statement_without_any_condition_reads_and_changes_one_tenant(store: PostgresStore) -> None:
    with store._database.link(reading=False) as db:
        store._database.enter(db, "acme")
        assert db.rows("SELECT DISTINCT tenant_id FROM entries") == [("acme",)]
        assert db.run("UPDATE entries SET pinned = true") == 1
        kept = db.rows("SELECT 1 FROM words WHERE tenant_id = 'acme'")
        assert db.run("DELETE FROM vectors") == db.run("DELETE FROM versions") == 0
        assert db.run("DELETE FROM words") == len(kept)
    assert store.find(OTHER, Query())[0].pinned is False
    assert store.search_words(OTHER, [("theirs",)], Query(), limit=9).keys


def test_a_row_for_another_tenant_is_refused(store: PostgresStore) -> None:
    def write() -> None:
        with store._database.link(reading=False) as db:
            store._database.enter(db, "acme")
            db.run("INSERT INTO watermarks (tenant_id, user_id, seq) VALUES ('other', 'alice', 9)")

    with pytest.raises(StorageUnavailable):
        write()
    assert store.watermark(OTHER) == 0


@pytest.mark.parametrize("earlier", [False, True])
def test_without_a_tenant_there_is_an_error_and_no_rows(store: PostgresStore, earlier: bool) -> None:
    """Also on a connection whose last transaction had one: the setting is empty then, and not unset."""
    if earlier:
        with store._database.link(reading=True) as db:
            store._database.enter(db, "acme")

    def read() -> None:
        with store._database.link(reading=True) as db:
            db.rows(f"SELECT set_config('role', '{APP_ROLE}', true)")
            db.rows("SELECT 1 FROM entries")

    with pytest.raises(StorageUnavailable):
        read()


def test_a_store_of_one_tenant_finds_nothing_of_another_and_writes_nothing(
    store: PostgresStore, postgres: str
) -> None:
    stores = PostgresStores(postgres)
    assert stores.store("other").find(ALICE, Query()) == []
    with pytest.raises(InvalidInput, match="'other'"):
        stores.store("other").put(ALICE, [draft("x")])
    stores.close()


# ── roles ────────────────────────────────────────────────────────────────────────────────────────────


def as_role(address: str, role: str) -> str:
    return address.replace("postgresql://postgres:@", f"postgresql://{quote(role)}@")


@pytest.fixture
def roles(postgres_running: postgres_server.Server) -> Iterator[tuple[str, str]]:
    """An owner of a database's schema who is nobody special, and a login for applications."""
    postgres_running.execute("CREATE ROLE plain_owner LOGIN", "CREATE ROLE application LOGIN")
    yield "plain_owner", "application"
    for role in ("plain_owner", "application"):
        postgres_running.execute(f"DROP OWNED BY {role}", f"DROP ROLE {role}")


def test_an_owner_opens_a_memory_and_an_application_works_in_it(
    postgres_running: postgres_server.Server, roles: tuple[str, str]
) -> None:
    owner, application = roles
    with postgres_running.memory(new=True) as address:
        schema = address.split("search_path%3D")[1].split("%2C")[0]
        postgres_running.execute(
            f"ALTER SCHEMA {schema} OWNER TO {owner}",
            f"DO $$ BEGIN CREATE ROLE {APP_ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        )
        with PostgresStore(as_role(address, owner)) as store:
            store.put(ALICE, [draft("ours", id="x")])
            with store._database.link(reading=True) as db:
                store._database.enter(db, "other")
                assert db.rows("SELECT 1 FROM entries") == []  # Forced: the owner is held by it too.
        with (
            PostgresStore(as_role(address, application)) as store,
            pytest.raises(StorageUnavailable, match=APP_ROLE),
        ):
            store.get(ALICE, "x")
        postgres_running.execute(f"GRANT {APP_ROLE} TO {application}")
        with PostgresStore(as_role(address, application)) as store:
            assert store.get(ALICE, "x").content == "ours"
            store.put(ALICE, [draft("more", id="z")])
            assert store.count(OTHER, Query()) == 0


# ── the layout ───────────────────────────────────────────────────────────────────────────────────────


def test_a_layout_that_a_newer_version_made_is_left_alone(
    postgres_running: postgres_server.Server,
) -> None:
    with postgres_running.memory(new=True) as address:
        with PostgresStore(address) as store:
            store.put(ALICE, [draft("x", id="x")])
            with store._database.link(reading=False) as db:
                db.run("UPDATE meta SET value = '99' WHERE name = 'layout'")
            for call in (lambda: store.get(ALICE, "x"), lambda: store.put(ALICE, [draft("y")])):
                with pytest.raises(SchemaTooNew, match="99"):
                    call()
        with PostgresStore(address) as store, pytest.raises(SchemaTooNew, match="99"):
            store.get(ALICE, "x")


def test_a_password_is_in_no_message() -> None:
    database = Database("postgresql://someone:hush@127.0.0.1:1/nowhere?connect_timeout=2")
    with pytest.raises(StorageUnavailable) as caught, database.link(reading=True):
        pass
    assert "hush" not in f"{caught.value!r} {database.name}"
