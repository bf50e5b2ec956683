"""UserProfileManager on its own: in a folder, in this process, and held back until it is saved."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from zerda.memory import InvalidInput, UserProfileManager
from zerda.memory.testing import tick


def test_profiles_come_back_after_a_restart(tmp_path: Path) -> None:
    profiles = UserProfileManager(tmp_path, clock=tick())
    profiles.update_from_interaction("alice", "Wo kann ich hier gut essen?", ["food"], 0.8)
    profiles.set_preference("alice", "diet", "vegan")
    profiles.update_retention_boost("alice", 0.2)
    before = profiles.get_or_create("alice")
    profiles.close()
    again = UserProfileManager(tmp_path)
    assert again.get_or_create("alice") == before
    assert (before.preferred_language, before.memory_retention_boost) == ("de", 0.2)
    assert again.list_users() == ["alice"]
    again.close()


def test_without_a_folder_nothing_touches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    profiles = UserProfileManager()
    profiles.update_from_interaction("alice", "hello")
    profiles.save()
    profiles.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_held_back_is_written_when_it_is_saved(tmp_path: Path) -> None:
    first = UserProfileManager(tmp_path)
    first.set_preference("alice", "n", 1)
    first.set_preference("bob", "n", 1)
    first.close()
    held = UserProfileManager(tmp_path, auto_save=False)
    assert held.get_or_create("alice").explicit_preferences == {"n": 1}
    held.set_preference("alice", "n", 2)
    held.delete("bob")
    other = UserProfileManager(tmp_path)
    assert other.get_or_create("alice").explicit_preferences == {"n": 1}
    held.save()
    assert other.get_or_create("alice").explicit_preferences == {"n": 2}
    assert other.list_users() == ["alice"]
    held.close()
    other.close()


def test_two_tenants_share_a_folder_and_nothing_else(tmp_path: Path) -> None:
    ours, theirs = (UserProfileManager(tmp_path, tenant_id=name) for name in ("ours", "theirs"))
    ours.set_preference("alice", "n", 1)
    assert theirs.list_users() == []
    theirs.set_preference("alice", "n", 2)
    assert ours.clear() == 1
    assert theirs.get_or_create("alice").explicit_preferences == {"n": 2}
    ours.close()
    theirs.close()


def test_preferences_are_merged_and_none_takes_one_back() -> None:
    profiles = UserProfileManager()
    profiles.set_preferences("alice", {"a": 1, "b": 2})
    assert profiles.set_preferences("alice", {"b": 3, "a": None}).explicit_preferences == {"b": 3}
    for name in ("", "a\nb", "x" * 300):
        with pytest.raises(InvalidInput):
            profiles.set_preference("alice", name, 1)
    with pytest.raises(InvalidInput):
        profiles.set_preference("alice", "x", object())


def test_statistics_count_all_users() -> None:
    profiles = UserProfileManager(clock=tick())
    assert profiles.aggregate_stats()["avg_importance"] == 0.0
    for user, topic in (("alice", "tea"), ("bob", "tea"), ("bob", "go")):
        profiles.update_from_interaction(user, "hi", [topic], 0.5)
    told = profiles.aggregate_stats()
    assert (told["user_count"], told["total_interactions"], told["avg_interactions_per_user"]) == (2, 3, 1.5)
    assert told["top_global_topics"] == [("tea", 2), ("go", 1)]


def test_what_was_learnt_names_its_evidence() -> None:
    profiles = UserProfileManager(clock=tick())
    profiles.update_from_interaction("alice", "hi", ["tea"], entry_id="e1")
    profiles.update_from_interaction("alice", "hi", ["tea"], entry_id="e2")
    (tea,) = [one for one in profiles.evidence("alice") if one.trait == "topic"]
    assert (tea.value, tea.count, tea.entry_ids) == ("tea", 2, ("e1", "e2"))


def test_no_update_is_lost_between_threads(tmp_path: Path) -> None:
    profiles = UserProfileManager(tmp_path)
    threads = [
        threading.Thread(target=lambda: [profiles.update_from_interaction("alice", "hi") for _ in range(10)])
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert profiles.get_or_create("alice").total_interactions == 50
    profiles.close()


def test_a_half_life_is_more_than_nothing() -> None:
    with pytest.raises(InvalidInput):
        UserProfileManager(half_life_days=0)
