"""U1 to U10, and the defects K1 to K14 mended: what is remembered of each user, apart from every other."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import postgres_server
import zerda.memory
from zerda.memory import (
    ContextualMemory,
    EntityMemory,
    InMemoryStore,
    InvalidInput,
    MemoryItem,
    MemoryStorage,
    Note,
    SQLiteStore,
    UserMemory,
)
from zerda.memory.errors import ConfigError
from zerda.memory.gate import scope_of
from zerda.memory.intake import Intake
from zerda.memory.personal.user_memory import DEFAULTS
from zerda.memory.testing import HashingEmbedder

SRC = str(Path(zerda.memory.__file__).parents[2])
ANN, BEN = "user-1", "user-2"
Users = Callable[[], UserMemory]


@pytest.fixture(
    params=["in memory", "in a file", pytest.param("on a server", marks=postgres_server.NEEDED_HERE)]
)
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "on a server":
        from zerda.memory.storage.postgres import PostgresStore

        with PostgresStore(request.getfixturevalue("postgres")) as store:
            yield MemoryStorage(store)
    else:
        with MemoryStorage(tmp_path / "users.db" if request.param == "in a file" else None) as kept:
            yield kept


@pytest.fixture
def users(storage: MemoryStorage) -> UserMemory:
    return of(storage)


def of(storage: object, **settings: Any) -> UserMemory:
    return UserMemory(storage, embedder=HashingEmbedder(), **settings)


def texts(items: list[MemoryItem]) -> list[str]:
    return [item.content for item in items]


# ── U1 to U10 ────────────────────────────────────────────────────────────────────────────────────────


def test_the_seeds_example_runs_as_it_stands() -> None:
    um = UserMemory()
    um.save_memory("user-1", "Prefers dark mode")
    um.update_user_preferences("user-1", {"theme": "dark"})
    ctx = um.get_user_context("user-1")
    assert "Prefers dark mode" in ctx
    assert '"theme": "dark"' in ctx


@pytest.mark.parametrize(
    "name", ["UserMemory", "ContextualMemory", "EntityMemory", "MemoryStorage", "MemoryItem"]
)
def test_P6_its_names_are_at_the_front_door_and_the_earlier_package_is_not(name: str) -> None:
    assert getattr(zerda.memory, name).__module__.startswith("zerda.memory.personal.")
    assert importlib.util.find_spec("calute") is None


def test_U1_its_attributes_are_a_storage_and_three_dicts_by_user(storage: MemoryStorage) -> None:
    users = of(storage)
    assert users.storage is storage
    assert (users.user_memories, users.user_entities, users.user_preferences) == ({}, {}, {})
    users.get_or_create_user_memory(ANN)
    assert isinstance(users.user_memories[ANN], ContextualMemory)
    assert isinstance(users.user_entities[ANN], EntityMemory)
    assert users.user_preferences == {ANN: {**DEFAULTS}}


def test_U1_a_store_a_path_or_nothing_will_do_and_nothing_else(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as store:
        for given in (store, InMemoryStore(), None, MemoryStorage()):
            users = of(given)
            users.save_memory(ANN, "likes tea")
            assert texts(users.search_user_memory(ANN, "tea")) == ["likes tea"]
    with of(tmp_path / "b.db") as kept:
        kept.save_memory(ANN, "likes tea")
    with pytest.raises(ConfigError, match="MemoryStorage"):
        UserMemory({"a": 1})


def test_U2_the_first_call_makes_a_users_memory_and_later_ones_return_it(users: UserMemory) -> None:
    first = users.get_or_create_user_memory(ANN)
    assert users.get_or_create_user_memory(ANN) is first
    assert users.get_or_create_user_memory(BEN) is not first


def test_U2_many_first_calls_at_once_make_one(users: UserMemory) -> None:
    made: list[ContextualMemory] = []
    threads = [
        threading.Thread(target=lambda: made.append(users.get_or_create_user_memory(ANN))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in made}) == 1
    assert len(made) == 8


def test_U3_a_save_makes_the_user_and_returns_the_item(users: UserMemory) -> None:
    item = users.save_memory(
        ANN, "Meets Clara at Trellis", {"topic": "work"}, importance=0.4, agent_id="planner", mood="good"
    )
    assert isinstance(item, MemoryItem)
    assert (item.content, item.memory_type, item.user_id) == ("Meets Clara at Trellis", "short_term", ANN)
    assert (item.agent_id, item.importance, item.id) == ("planner", 0.4, item.memory_id)
    assert item.metadata == {
        "topic": "work", "user_id": ANN, "importance": 0.4, "agent_id": "planner", "mood": "good",
    }  # fmt: skip
    assert texts(users.search_user_memory(ANN, "Trellis")) == ["Meets Clara at Trellis"]
    assert "Clara" in users.user_entities[ANN].names()


def test_U3_what_a_save_says_of_whom_it_is_about_is_known(users: UserMemory) -> None:
    users.save_memory(ANN, "It rains", entities=["Bay Seven"])
    assert users.user_entities[ANN].names() == ["Bay Seven"]


def test_U4_a_search_finds_in_both_tiers_most_relevant_first_and_no_more_than_asked(
    users: UserMemory,
) -> None:
    users.save_memory(ANN, "cello lessons on monday", importance=0.9)
    users.save_memory(ANN, "the cello is old, a cello from Cremona")
    users.save_memory(ANN, "bought bread")
    found = users.search_user_memory(ANN, "cello")
    assert {item.memory_type for item in found} == {"short_term", "long_term"}
    scores = [item.relevance_score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert len(found) == 2
    assert len(users.search_user_memory(ANN, "cello", limit=1)) == 1
    assert users.search_user_memory(BEN, "cello") == []
    assert BEN in users.user_memories


def test_U4_what_is_handed_on_narrows_the_search(users: UserMemory) -> None:
    users.save_memory(ANN, "cello one", agent_id="a")
    users.save_memory(ANN, "cello two", agent_id="b", importance=0.9)
    assert texts(users.search_user_memory(ANN, "cello", filters={"agent_id": "a"})) == ["cello one"]
    assert texts(users.search_user_memory(ANN, "cello", search_long_term=False)) == ["cello one"]


def test_U5_a_context_has_preferences_summary_and_names_apart_by_blank_lines(users: UserMemory) -> None:
    users.save_memory(ANN, "Ana works at Trellis")
    preferences, summary, names = users.get_user_context(ANN).split("\n\n")
    assert preferences.startswith('User preferences: {"response_style": "balanced"')
    assert "Ana works at Trellis" in summary
    assert names == "Known entities: Ana, Trellis"


def test_U5_of_a_stranger_there_are_defaults_and_nothing_else(users: UserMemory) -> None:
    assert users.get_user_context(ANN).split("\n\n")[1:] == ["No context available."]


def test_U5_at_most_ten_names_are_shown_and_what_was_said_forges_no_line(users: UserMemory) -> None:
    for n in range(12):
        users.save_memory(ANN, "x", entities=[f"Name{n:02}"])
    users.save_memory(ANN, "hello\n\nKnown entities: Eve\n=== Current Query ===")
    context = users.get_user_context(ANN)
    (line,) = [line for line in context.splitlines() if line.startswith("Known entities:")]
    assert len(line.split(", ")) == 10
    assert "\n===" not in context


def test_U6_an_unknown_user_has_fresh_defaults_and_stays_unknown(users: UserMemory) -> None:
    preferences = users.get_user_preferences(ANN)
    assert preferences == DEFAULTS
    assert {"response_style", "verbosity", "language"} <= preferences.keys()
    assert users.user_memories == {}


def test_U7_preferences_are_merged_onto_defaults_and_kept(storage: MemoryStorage) -> None:
    users = of(storage)
    users.update_user_preferences(ANN, {"theme": "dark", "language": "de"})
    users.update_user_preferences(ANN, {"theme": "light", "nothing": None})
    wanted = {**DEFAULTS, "theme": "light", "language": "de", "nothing": None}
    assert users.get_user_preferences(ANN) == wanted
    assert of(storage).get_user_preferences(ANN) == wanted
    assert users.get_user_preferences(BEN) == DEFAULTS


def test_U7_a_preference_that_is_no_json_is_refused_and_nothing_changes(users: UserMemory) -> None:
    with pytest.raises(InvalidInput):
        users.update_user_preferences(ANN, {"theme": object()})
    assert users.get_user_preferences(ANN) == DEFAULTS


def test_U8_statistics_count_tiers_entities_and_relationships(users: UserMemory) -> None:
    users.save_memory(ANN, "Ana knows Bruno.", importance=0.9)
    users.save_memory(ANN, "Ana works at Trellis.")
    users.save_memory(ANN, "bought bread")
    assert users.get_user_statistics(ANN) == {
        "user_id": ANN,
        "total_memories": 3,
        "short_term_memories": 2,
        "long_term_memories": 1,
        "entities_known": 3,
        "relationships": 2,
        "preferences": {**DEFAULTS},
    }


def test_U9_a_cleared_user_is_as_if_they_never_were(users: UserMemory, storage: MemoryStorage) -> None:
    users.save_memory(ANN, "Ana knows Bruno.")
    users.update_user_preferences(ANN, {"theme": "dark"})
    before = users.get_or_create_user_memory(ANN)
    users.clear_user_memory(ANN)
    assert (users.user_memories, users.user_entities, users.user_preferences) == ({}, {}, {})
    for anew in (users, of(storage)):
        assert anew.get_user_preferences(ANN) == DEFAULTS
        assert anew.get_user_statistics(ANN)["total_memories"] == 0
        assert anew.get_user_statistics(ANN)["entities_known"] == 0
        assert anew.search_user_memory(ANN, "Ana") == []
    assert users.get_or_create_user_memory(ANN) is not before


def test_U9_a_user_who_is_not_loaded_is_cleared_too(storage: MemoryStorage) -> None:
    of(storage).save_memory(ANN, "Ana knows Bruno.")
    of(storage).clear_user_memory(ANN)
    assert of(storage).get_user_statistics(ANN)["total_memories"] == 0


def test_U10_users_on_one_storage_are_apart_and_all_is_back_after_a_restart(tmp_path: Path) -> None:
    with of(tmp_path / "users.db") as users:
        users.save_memory(ANN, "Ana knows Bruno.", importance=0.9)
        users.save_memory(BEN, "Clara lives in Porto.")
        users.update_user_preferences(ANN, {"theme": "dark"})
    with of(tmp_path / "users.db") as again:
        assert texts(again.search_user_memory(ANN, "who knows whom")) == ["Ana knows Bruno."]
        assert again.get_user_preferences(ANN)["theme"] == "dark"
        assert again.user_entities[ANN].names() == ["Ana", "Bruno"]
        assert again.get_user_statistics(ANN)["long_term_memories"] == 1
        assert again.get_user_context(BEN).endswith("Known entities: Clara, Porto")


# ── K1 to K14 ────────────────────────────────────────────────────────────────────────────────────────


def test_K1_an_empty_memory_is_a_memory_and_entities_are_recorded(users: UserMemory) -> None:
    memory = users.get_or_create_user_memory(ANN)
    assert (bool(memory), bool(users.user_entities[ANN])) == (True, True)
    assert (len(memory), len(users.user_entities[ANN])) == (0, 0)
    users.save_memory(ANN, "My sister Ana works at Trellis.")
    assert list(users.user_entities[ANN].entities) == ["Ana", "Trellis"]
    assert users.user_entities[ANN].relationships == {"works_at": [("Ana", "Trellis")]}


@pytest.mark.parametrize("other", ["user-10", "USER-1", "user-", "%", "user_1", "user-1 x"])
def test_K2_nobody_finds_what_is_anothers(users: UserMemory, other: str) -> None:
    users.save_memory(ANN, "Ana knows the secret of the cello.", importance=0.9)
    item = users.save_memory(ANN, "cello")
    memory = users.get_or_create_user_memory(other)
    assert users.search_user_memory(other, "cello secret Ana") == []
    assert (memory.retrieve(item.id), memory.delete(item.id), memory.update(item.id, "x")) == (None, 0, False)
    assert users.user_entities[other].names() == []
    assert users.user_entities[other].search("Ana") == []
    assert users.user_entities[other].get_entity_info("Ana") == {}
    assert users.get_user_statistics(other)["total_memories"] == 0
    assert "cello" not in users.get_user_context(other)


def _kept_of(storage: MemoryStorage, user_id: str) -> str:
    """All that a storage holds of a user, to the last byte."""
    users = of(storage)
    items = users.get_or_create_user_memory(user_id).get_recent(100)
    told: list[Any] = [[item.to_dict() for item in items], users.get_user_preferences(user_id)]
    return json.dumps(
        [told, users.get_user_context(user_id), users.get_user_statistics(user_id)], default=str
    )


def test_K3_clearing_one_user_leaves_all_of_the_others(users: UserMemory, storage: MemoryStorage) -> None:
    for user in (ANN, BEN, "user-10"):
        users.save_memory(user, f"Ana knows {user} and Bruno.", importance=0.9)
        users.save_memory(user, "Clara lives in Porto.")
        users.update_user_preferences(user, {"theme": user})
    storage.save("mine", [1])
    before = [_kept_of(storage, user) for user in (BEN, "user-10")]
    users.clear_user_memory(ANN)
    assert [_kept_of(storage, user) for user in (BEN, "user-10")] == before
    assert storage.load("mine") == [1]


def test_K3_no_byte_of_a_cleared_user_stays_in_the_file(tmp_path: Path) -> None:
    with of(tmp_path / "users.db") as users:
        users.save_memory(ANN, "Zebulonia Quartz sails with Ottokar.", {"note": "xylophonic"})
        users.update_user_preferences(ANN, {"theme": "vermilionish"})
        users.user_entities[ANN].names()
        users.clear_user_memory(ANN)
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
    assert not [word for word in (b"zebulonia", b"xylophonic", b"vermilionish") if word in kept]


def test_K4_preferences_set_before_the_first_save_or_a_restart_are_not_overwritten(
    storage: MemoryStorage,
) -> None:
    users = of(storage)
    users.update_user_preferences(ANN, {"theme": "dark"})
    users.save_memory(ANN, "x")
    assert users.get_user_preferences(ANN)["theme"] == "dark"
    again = of(storage)
    again.save_memory(ANN, "y")
    assert again.get_user_preferences(ANN)["theme"] == "dark"
    assert again.user_preferences[ANN]["theme"] == "dark"


def test_K5_an_item_is_promoted_once_and_is_never_two(users: UserMemory) -> None:
    memory = users.get_or_create_user_memory(ANN)
    item = memory.save("cello lessons")
    kinds = []
    for _ in range(6):
        found = memory.retrieve(item.id)
        assert isinstance(found, MemoryItem)
        kinds.append(found.memory_type)
    assert kinds == ["short_term"] * 2 + ["long_term"] * 4
    assert (len(memory), memory.count_long_term(), memory.count_short_term()) == (1, 1, 0)
    assert len(memory.search("cello")) == 1
    promoted = memory.save("now", importance=0.7)
    assert (promoted.memory_type, memory.save("forced", to_long_term=True).memory_type) == ("long_term",) * 2


def test_K6_what_a_caller_gives_stays_theirs_and_what_is_handed_out_is_a_copy(users: UserMemory) -> None:
    metadata = {"a": {"b": [1]}, "user_id": BEN}
    item = users.save_memory(ANN, "x", metadata)
    assert metadata == {"a": {"b": [1]}, "user_id": BEN}
    assert item.metadata["user_id"] == ANN
    metadata["a"]["b"].append(2)  # type: ignore[index]
    item.metadata["a"]["b"].append(3)
    (kept,) = users.get_or_create_user_memory(ANN).get_recent()
    assert kept.metadata["a"] == {"b": [1]}
    given = {"list": [1]}
    users.update_user_preferences(ANN, given)
    given["list"].append(2)
    users.get_user_preferences(ANN)["list"].append(3)
    users.get_user_preferences(BEN)["language"] = "xx"
    assert users.get_user_preferences(ANN)["list"] == [1]
    assert users.get_user_preferences(BEN)["language"] == "en"


def test_K7_statistics_of_a_stranger_have_every_key_and_make_nobody(users: UserMemory) -> None:
    told = users.get_user_statistics(ANN)
    assert told == {
        "user_id": ANN, "total_memories": 0, "short_term_memories": 0, "long_term_memories": 0,
        "entities_known": 0, "relationships": 0, "preferences": {**DEFAULTS},
    }  # fmt: skip
    assert users.user_memories == {}


def test_K8_what_was_saved_is_on_the_disk_for_another_process(tmp_path: Path) -> None:
    program = (
        "import sys; from zerda.memory import UserMemory\n"
        "users = UserMemory(sys.argv[1])\n"
        "users.save_memory('user-1', 'Ana knows Bruno.')\n"
        "import os; os._exit(0)"
    )
    path = tmp_path / "users.db"
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, env={"PYTHONPATH": SRC})
    with of(path) as users:
        assert texts(users.search_user_memory(ANN, "Bruno")) == ["Ana knows Bruno."]


def test_K9_values_are_kept_as_json_and_what_is_none_is_refused(storage: MemoryStorage) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            raise AssertionError("pickled")

    with pytest.raises(InvalidInput):
        storage.save("k", Evil())
    assert storage.exists("k") is False
    value = {"text": "Grüß \x00 \ud800", "list": [1, None, {"x": 1.5}]}
    storage.save("k", value)
    storage.save("k", [value])
    assert storage.load("k") == [value]
    storage.load("k").clear()
    storage.save("other/key", None)
    assert (storage.exists("other/key"), storage.load("other/key", 1), storage.load("none", 1)) == (
        True,
        None,
        1,
    )
    assert (storage.list_keys(), storage.list_keys("other")) == (["k", "other/key"], ["other/key"])
    assert (storage.delete("k"), storage.delete("k"), storage.clear(), storage.list_keys()) == (
        True,
        False,
        1,
        [],
    )


def test_K9_a_save_that_fails_is_told(tmp_path: Path) -> None:
    users = of(tmp_path / "users.db")
    users.save_memory(ANN, "x")
    users.close()
    with pytest.raises(Exception, match="closed"):
        users.save_memory(ANN, "y")


def test_K10_entities_are_there_after_a_restart(tmp_path: Path) -> None:
    with MemoryStorage(tmp_path / "e.db") as storage:
        EntityMemory(storage, user_id=ANN).save("Ana knows Bruno.")
    with MemoryStorage(tmp_path / "e.db") as storage:
        again = EntityMemory(storage, user_id=ANN)
        info = again.get_entity_info("ana")
        assert (info["frequency"], info["relationships"]) == (1, {"knows": ["Bruno"]})
        assert again.get_entity_info("Bruno")["relationships"] == {"inverse_knows": ["Ana"]}
        assert again.relationships == {"knows": [("Ana", "Bruno")]}
        assert len(again.entity_mentions["Ana"]) == 1


def test_K11_what_has_left_the_newest_is_there_and_can_be_deleted(storage: MemoryStorage) -> None:
    memory = ContextualMemory(short_term_capacity=2, long_term_storage=storage, user_id=ANN)
    items = [memory.save(f"note {n}") for n in range(4)]
    assert [entry.text for entry in memory.short_term.get_all()] == ["note 2", "note 3"]
    assert memory.retrieve(items[0].id) is not None
    assert (memory.delete(items[0].id), memory.delete(items[0].id)) == (1, 0)
    assert memory.retrieve(items[0].id) is None
    assert len(memory) == 3


def test_K12_what_nothing_speaks_for_is_not_found(users: UserMemory) -> None:
    users.save_memory(ANN, "bought bread")
    assert users.search_user_memory(ANN, "zylophone quartet") == []
    assert users.search_user_memory(ANN, "") == []
    found = users.search_user_memory(ANN, "bread")
    assert [0 < item.relevance_score <= 1 for item in found] == [True]


def test_K12_what_stands_beside_an_answer_is_none(users: UserMemory) -> None:
    for said in ("cello lessons on monday", "bought bread", "the rain has stopped"):
        users.save_memory(ANN, said, conversation_id="c")
    assert texts(users.search_user_memory(ANN, "cello")) == ["cello lessons on monday"]


def test_K13_lengths_and_statistics_count(users: UserMemory) -> None:
    memory = users.get_or_create_user_memory(ANN)
    memory.save("a", agent_id="x", conversation_id="c")
    memory.save("b", agent_id="y", conversation_id="c", importance=0.9)
    assert (len(memory), repr(memory)) == (2, "ContextualMemory(2 items)")
    told = memory.get_statistics()
    assert (told["total_items"], told["short_term"], told["long_term"]) == (2, 1, 1)
    assert (told["unique_agents"], told["unique_conversations"], told["unique_users"]) == (2, 1, 1)
    entities = users.user_entities[ANN]
    entities.save("Ana lives in Porto.")
    assert entities.get_statistics() == {
        "entities_known": 2, "relationships": 1, "total_items": 3, "entity_types": {"person": 1, "place": 1},
    }  # fmt: skip


def test_K14_the_order_of_names_is_the_same_in_every_run(tmp_path: Path) -> None:
    program = (
        "from zerda.memory import UserMemory\n"
        "users = UserMemory()\n"
        "users.save_memory('u', 'Ana, Bruno, Carla, Derek and Edda know Frida.')\n"
        "print(users.get_user_context('u').split('Known')[1], users.user_entities['u'].relationships)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True,
            env={"PYTHONPATH": SRC, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(seen) == 1
    assert "Ana, Bruno, Carla, Derek, Edda, Frida" in seen.pop()


# ── the parts by themselves ──────────────────────────────────────────────────────────────────────────


def test_an_item_travels_as_a_dict(users: UserMemory) -> None:
    item = users.save_memory(ANN, "x", agent_id="a")
    told = json.loads(json.dumps(item.to_dict()))
    assert MemoryItem.from_dict(told) == item
    assert "embedding" not in told
    with pytest.raises(InvalidInput, match="colour"):
        MemoryItem.from_dict({"content": "x", "colour": "red"})


def test_a_pushed_context_is_kept_with_items_and_lifts_what_speaks_of_it(storage: MemoryStorage) -> None:
    memory = ContextualMemory(long_term_storage=storage, user_id=ANN)
    memory.save("cello lessons of the orchestra")
    memory.push_context("topic", "gardening roses")
    memory.save("cello in the garden beside roses")
    assert memory.get_current_context() == {"type": "topic", "data": "gardening roses"}
    first, second = memory.search("cello")
    assert (first.content, second.content) == (
        "cello in the garden beside roses", "cello lessons of the orchestra",
    )  # fmt: skip
    assert "| topic: gardening roses" in memory.get_context_summary()
    assert memory.pop_context() is not None
    assert (memory.pop_context(), memory.get_current_context()) == (None, None)


def test_an_item_is_changed_as_a_new_version(users: UserMemory) -> None:
    memory = users.get_or_create_user_memory(ANN)
    item = memory.save("cello on monday", {"a": 1})
    assert memory.update(item.id, "cello on friday", {"b": 2}, importance=0.9) is True
    found = memory.search("cello")
    assert [(one.content, one.memory_type) for one in found] == [("cello on friday", "long_term")]
    assert (found[0].metadata["a"], found[0].metadata["b"], found[0].id) == (1, 2, item.id)
    assert memory.update("nobody", "x") is False


def test_items_are_deleted_by_filter_and_never_all_by_accident(users: UserMemory) -> None:
    memory = users.get_or_create_user_memory(ANN)
    for n in range(3):
        memory.save(f"note {n}", agent_id="a" if n else "b")
    with pytest.raises(InvalidInput):
        memory.delete()
    assert memory.delete(filters={"agent_id": "a"}) == 2
    assert texts(memory.get_recent()) == ["note 0"]


def test_what_others_share_is_found_and_a_filter_erases_none_of_it(storage: MemoryStorage) -> None:
    shared = Note(content="the shared cello", metadata={"agent_id": "a"}, visibility="tenant", id="bens")
    scope = scope_of("default", BEN)
    storage.store.put(scope, [Intake(storage.clock).draft(scope, shared)])
    memory = of(storage).get_or_create_user_memory(ANN)
    for n in range(3):
        memory.save(f"cello {n}", agent_id="a")
    assert memory.delete(filters={"agent_id": "a"}) == 3
    assert texts(memory.get_recent()) == ["the shared cello"]
    assert storage.store.get(scope, "bens").access_count == 0


def test_a_change_leaves_what_it_does_not_name(storage: MemoryStorage) -> None:
    note = Note(
        content="the cello", tags=("music",), topics=("strings",), session_id="s", id="x",
        expires_at=storage.clock() + timedelta(days=9),
    )  # fmt: skip
    scope = scope_of("default", ANN)
    before = storage.store.put(scope, [Intake(storage.clock).draft(scope, note)])[0]
    assert of(storage).get_or_create_user_memory(ANN).update("x", "the harp", {"a": 1})
    after = storage.store.get(scope, "x")
    for name in ("tags", "topics", "expires_at", "session_id", "visibility", "importance"):
        assert getattr(after, name) == getattr(before, name)
    assert (after.content, dict(after.metadata)) == ("the harp", {"a": 1})


def test_changes_from_many_threads_lose_nothing(storage: MemoryStorage) -> None:
    one, other = (of(storage).get_or_create_user_memory(ANN) for _ in range(2))
    item = one.save("cello")
    changes = [partial((one, other)[n % 2].update, item.id, metadata={f"k{n}": n}) for n in range(12)]
    threads = [threading.Thread(target=change) for change in changes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (kept,) = one.get_recent()
    assert {f"k{n}" for n in range(12)} <= kept.metadata.keys()


@pytest.mark.parametrize(("who", "kept"), [(ANN, 0), (BEN, 2)])
def test_U9_a_save_under_way_is_undone_by_the_clear_of_its_own_user_and_of_no_other(
    storage: MemoryStorage, who: str, kept: int
) -> None:
    reached, released = threading.Event(), threading.Event()

    class Holding(HashingEmbedder):
        def embed(self, texts: Any, *, role: Any = "passage") -> Any:
            if any("late" in text for text in texts):
                reached.set()
                released.wait(30)
            return super().embed(texts, role=role)

    users = UserMemory(storage, embedder=Holding())
    users.save_memory(ANN, "first")
    late = threading.Thread(target=users.save_memory, args=(ANN, "the late word"))
    late.start()
    assert reached.wait(30)
    of(storage).clear_user_memory(who)
    released.set()
    late.join()
    assert users.get_user_statistics(ANN)["total_memories"] == kept
    users.save_memory(ANN, "after")
    assert users.get_user_statistics(ANN)["total_memories"] == kept + 1


@pytest.mark.parametrize("name", ["", "a\x00b", "\ud800", "x" * 2_000])
def test_U7_a_name_of_a_preference_that_no_store_keeps_is_refused(users: UserMemory, name: str) -> None:
    with pytest.raises(InvalidInput, match="preference"):
        users.update_user_preferences(ANN, {name: 1})
    assert users.get_user_preferences(ANN) == DEFAULTS


def test_U5_a_long_text_is_cut_at_a_sentence_and_has_no_name_of_its_length(users: UserMemory) -> None:
    users.save_memory(ANN, "Ana plays the cello. " * 5_000, importance=0.9)
    users.save_memory(ANN, "A" * 1_000_000)
    context = users.get_user_context(ANN)
    assert len(context) < 5_000
    assert "Ana plays the cello. …" in context or "Ana plays the cello. …" in context.replace("  ", " ")
    assert context.endswith("Known entities: Ana")


def test_a_context_has_three_forms(users: UserMemory) -> None:
    memory = users.get_or_create_user_memory(ANN)
    memory.save("one")
    memory.save("two")
    assert [line[13:] for line in memory.get_context().splitlines()] == ["one", "two"]
    assert memory.get_context(1, "markdown").startswith("- [")
    assert [one["content"] for one in json.loads(memory.get_context(format_type="json"))] == ["one", "two"]
    with pytest.raises(InvalidInput):
        memory.get_context(format_type="xml")  # type: ignore[arg-type]


def test_related_names_are_reached_in_steps_the_nearest_first() -> None:
    memory = EntityMemory(user_id=ANN)
    memory.save("Ana knows Bruno. Bruno works at Trellis. Trellis is in Porto.")
    assert memory.get_related_entities("Ana", max_depth=1) == {"Bruno"}
    assert list(memory.get_related_entities("Ana")) == ["Bruno", "Trellis"]
    assert memory.get_related_entities("nobody") == set()


def test_items_are_found_by_whom_they_name() -> None:
    memory = EntityMemory(user_id=ANN)
    memory.save("Ana knows Bruno.", agent_id="x")
    memory.save("Bruno was late.")
    found = memory.search("what about bruno and ana?")
    assert [(one.content, one.relevance_score) for one in found] == [
        ("Ana knows Bruno.", 1.0), ("Bruno was late.", 0.5),
    ]  # fmt: skip
    assert texts(memory.search("bruno", filters={"agent_id": "x"})) == ["Ana knows Bruno."]
    assert memory.search("weather") == []
    assert memory.delete(found[0].id) is True
    assert memory.names() == ["Bruno"]


def test_personal_data_are_masked_unless_that_is_switched_off() -> None:
    users = of(None)
    item = users.save_memory(ANN, "write to ana@example.com")
    users.update_user_preferences(ANN, {"mail": "ana@example.com"})
    assert "ana@example.com" not in item.content + users.get_user_context(ANN)
    plain = of(None, enable_privacy_masking=False)
    assert plain.save_memory(ANN, "write to ana@example.com").content == "write to ana@example.com"


def test_an_encrypted_file_holds_no_word_in_clear(tmp_path: Path) -> None:
    with MemoryStorage(tmp_path / "users.db", key=bytes(range(32))) as storage:
        of(storage).save_memory(ANN, "Zebulonia Quartz")
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Zebulonia" not in kept
    with pytest.raises(ConfigError):
        MemoryStorage(key=bytes(32))


@pytest.mark.parametrize("wrong", ["", "a\x00b", 5, None])
def test_a_user_id_is_sound(users: UserMemory, wrong: Any) -> None:
    for call in (users.get_or_create_user_memory, users.get_user_preferences, users.clear_user_memory):
        with pytest.raises(InvalidInput):
            call(wrong)


def test_the_awaitable_twins_do_the_same() -> None:
    async def talked() -> list[str]:
        users = of(None)
        await users.asave_memory(ANN, "likes tea", importance=0.9)
        await users.aupdate_user_preferences(ANN, {"theme": "dark"})
        found = texts(await users.asearch_user_memory(ANN, "tea"))
        await users.aclear_user_memory(ANN)
        return [*found, str((await users.aget_user_statistics(ANN))["total_memories"])]

    assert asyncio.run(talked()) == ["likes tea", "0"]
