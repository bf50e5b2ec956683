"""The server's errors become ours, each as what it means for the caller, and none with a row in it."""

from __future__ import annotations

import pytest

from zerda.memory.errors import (
    InvalidInput,
    StorageBusy,
    StorageDamaged,
    StorageFull,
    StorageUnavailable,
    StoreClosed,
    ZerdaError,
)

psycopg = pytest.importorskip("psycopg")
psycopg_pool = pytest.importorskip("psycopg_pool")

from zerda.memory.storage import postgres_driver as driver  # noqa: E402 - needs psycopg

SECRET = "zanzibar quartz"
CASES = [
    (psycopg_pool.PoolTimeout, StorageBusy, "became free"),
    (psycopg_pool.PoolClosed, StoreClosed, "open it again"),
    (psycopg.errors.DiskFull, StorageFull, "free some"),
    (psycopg.errors.OutOfMemory, StorageFull, "free some"),
    (psycopg.errors.LockNotAvailable, StorageBusy, "another writer"),
    (psycopg.errors.DeadlockDetected, StorageBusy, "nothing was written"),
    (psycopg.errors.SerializationFailure, StorageBusy, "nothing was written"),
    (psycopg.errors.QueryCanceled, StorageBusy, "nothing was written"),
    (psycopg.errors.InsufficientPrivilege, StorageUnavailable, "a member of"),
    (psycopg.errors.UndefinedTable, StorageUnavailable, "owner of its tables"),
    (psycopg.errors.DataCorrupted, StorageDamaged, "restore"),
    (psycopg.errors.IndexCorrupted, StorageDamaged, "restore"),
    (psycopg.errors.ProgramLimitExceeded, InvalidInput, "in parts"),
    (psycopg.errors.AdminShutdown, StorageUnavailable, "repeated with its id"),
    (psycopg.InterfaceError, StorageUnavailable, "repeated with its id"),
    (psycopg.errors.UntranslatableCharacter, InvalidInput, "NUL"),
    (psycopg.errors.CheckViolation, StorageUnavailable, "refused a statement"),
]


@pytest.mark.parametrize(("theirs", "ours", "words"), CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_an_error_of_the_server_is_one_of_ours(
    theirs: type[Exception], ours: type[ZerdaError], words: str
) -> None:
    with pytest.raises(ours, match=words) as raised, driver.translated("PostgreSQL x on y"):
        raise theirs(SECRET)
    assert type(raised.value) is ours
    assert SECRET not in repr(raised.value)
    assert raised.value.__suppress_context__


def test_a_lone_surrogate_in_a_name_is_told() -> None:
    with pytest.raises(InvalidInput, match="surrogate"), driver.translated("x"):
        "\ud800".encode()


def test_what_is_no_address_is_told_before_anything_is_opened() -> None:
    with pytest.raises(InvalidInput, match="no postgresql:// URL"):
        driver.Database("postgresql://[")
