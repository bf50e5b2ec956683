"""D9, D10, W2, W4, X5: one profile for each user of a tenant, cleared and counted with it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from zerda.memory import AIMemoryManager, InvalidInput

ALICE = ("alice", "acme")


def talk(memory: AIMemoryManager, user: str = "alice", tenant: str = "acme", times: int = 3) -> None:
    for n in range(times):
        memory.save_interaction(
            user,
            tenant,
            f"Ich lerne gerade Cello, Stunde {n}, erkläre es mir kurz gesagt.",
            "Gern.",
            topics=["Music"],
        )


def test_W2_a_save_teaches_the_profile_and_each_value_names_its_evidence(memory: AIMemoryManager) -> None:
    talk(memory)
    profile = memory.profile(*ALICE)
    assert (profile.total_interactions, profile.session_count) == (3, 1)
    assert (profile.preferred_language, profile.verbosity) == ("de", "brief")
    assert profile.topics_of_interest[0] == "music"
    saved = {entry.id for entry in memory.list(*ALICE).entries}
    for one in profile.learnt:
        assert set(one.entry_ids) <= saved
        assert len(one.entry_ids) == one.count
    assert {one.count for one in profile.evidence("language")} == {3}


def test_W2_importance_is_boosted_by_the_profile_and_never_above_one(memory: AIMemoryManager) -> None:
    memory.set_retention_boost(*ALICE, 0.25)
    entries = [memory.save_interaction(*ALICE, "a", "b", importance=x) for x in (0.25, 0.5, 0.9)]
    assert [entry.importance for entry in entries] == [0.5, 0.75, 1.0]
    assert [entry.promoted_at is not None for entry in entries] == [False, True, True]
    assert memory.save_interaction("bob", "acme", "a", "b", importance=0.25).importance == 0.25


def test_W2_a_boost_stays_within_its_bounds(memory: AIMemoryManager) -> None:
    assert memory.set_retention_boost(*ALICE, 9).memory_retention_boost == 0.5
    assert memory.set_retention_boost(*ALICE, -1).memory_retention_boost == 0.0
    for wrong in ("x", True, float("nan"), None):
        with pytest.raises(InvalidInput):
            memory.set_retention_boost(*ALICE, wrong)  # type: ignore[arg-type]


def test_W2_a_save_that_fails_teaches_nothing(memory: AIMemoryManager) -> None:
    memory.save_interaction(*ALICE, "one thing", "b", id="x", topics=["tea"])
    with pytest.raises(ValueError, match="id"):
        memory.save_interaction(*ALICE, "another thing", "b", id="x", topics=["coffee"])
    assert memory.profile(*ALICE).topic_frequency == {"tea": 1}


def test_the_same_id_again_is_counted_once(memory: AIMemoryManager) -> None:
    for _ in range(3):
        memory.save_interaction(*ALICE, "one thing", "b", id="x", topics=["tea"])
    memory.save_many(*ALICE, [{"user_input": "y", "assistant_output": "", "id": "y"}] * 3)
    assert memory.profile(*ALICE).total_interactions == 2


def test_X5_a_context_speaks_of_the_profile_only_if_it_is_asked_to(memory: AIMemoryManager) -> None:
    talk(memory)
    memory.set_preferences(*ALICE, {"call me": "Al"})
    told = memory.build_context(*ALICE, "Was lerne ich?").sections["profile"]
    assert "German" in told
    assert "brief" in told
    assert "music" in told
    assert "call me = Al" in told
    assert "profile" not in memory.build_context(*ALICE, "Was?", include_profile=False).sections
    assert "German" not in memory.build_prompt(*ALICE, "Was?", include_profile=False)
    assert "German" in memory.build_prompt(*ALICE, "Was?")


def test_X5_nothing_is_said_of_a_user_of_whom_nothing_is_known(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "x", kind="note")
    assert memory.build_context(*ALICE, "x").sections.get("profile") is None


def test_D9_nothing_of_a_profile_crosses_tenants_or_users(memory: AIMemoryManager) -> None:
    talk(memory)
    memory.set_preferences(*ALICE, {"secret": "fennec"})
    for user, tenant in (("alice", "other"), ("bob", "acme")):
        memory.save_interaction(user, tenant, "hello there, how are you", "fine")
        assert "fennec" not in memory.build_prompt(user, tenant, "secret?")
        assert "music" not in memory.build_prompt(user, tenant, "secret?")
        assert memory.profile(user, tenant).explicit_preferences == {}


def test_D9_a_cleared_tenant_has_no_profiles_and_others_keep_theirs(make: Any) -> None:
    memory = make()
    talk(memory)
    talk(memory, tenant="other")
    memory.clear_tenant("acme")
    assert memory.profile(*ALICE).total_interactions == 0
    assert memory.build_context(*ALICE, "music?").full_text == ""
    assert memory.profile("alice", "other").total_interactions == 3
    if memory.config.enable_persistence:
        memory.close()
        again = make()
        assert again.profile(*ALICE).learnt == ()
        assert again.profile("alice", "other").preferred_language == "de"


def test_D9_what_is_forgotten_is_unlearnt(memory: AIMemoryManager) -> None:
    kept = memory.save_interaction(*ALICE, "tell me of tea", "", topics=["tea"])
    gone = memory.save_interaction(*ALICE, "tell me of tea and the clinic", "", topics=["tea", "clinic"])
    memory.forget(*ALICE, gone.id)
    topics = memory.profile(*ALICE).evidence("topic")
    assert [(one.value, one.count, one.entry_ids) for one in topics] == [("tea", 1, (kept.id,))]


def test_D10_statistics_are_of_the_tenants_own_users(memory: AIMemoryManager) -> None:
    talk(memory)
    talk(memory, "bob", times=1)
    talk(memory, "carol", tenant="other", times=5)
    told = memory.stats("acme")["profile_manager"]
    assert (told["user_count"], told["total_interactions"]) == (2, 4)
    assert told["top_global_topics"] == [("music", 4)]
    assert memory.stats("empty")["profile_manager"]["user_count"] == 0


def test_what_is_kept_of_a_user_is_masked_like_all_else(memory: AIMemoryManager) -> None:
    memory.set_preferences(*ALICE, {"reply to": "alice.smith@example.com", "old": None})
    for _ in range(3):
        memory.save_interaction(
            *ALICE, "write to alice.smith@example.com please", "", topics=["bob@example.com"]
        )
    profile = memory.profile(*ALICE)
    assert "example" not in repr(profile)
    assert list(profile.explicit_preferences) == ["reply to"]


def test_Z1_profiles_share_nothing(memory: AIMemoryManager) -> None:
    memory.set_preferences(*ALICE, {"list": ["a"]})
    memory.profile(*ALICE).explicit_preferences["list"].append("b")  # type: ignore[index]
    assert memory.profile(*ALICE).explicit_preferences == {"list": ["a"]}
    assert memory.profile("bob", "acme").explicit_preferences == {}


def test_Z2_awkward_user_ids_have_profiles_like_any_other(memory: AIMemoryManager) -> None:
    for user in ("u/1", "../../etc", "u%1", "U/1", "..", "con"):
        talk(memory, user, times=1)
    assert memory.stats("acme")["profile_manager"]["user_count"] == 6


def test_L2_no_interaction_is_lost_when_threads_save_together(memory: AIMemoryManager) -> None:
    threads = [threading.Thread(target=talk, args=(memory,), kwargs={"times": 10}) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.profile(*ALICE).total_interactions == 60


def test_what_others_said_teaches_a_profile_nothing(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "Ich lerne Cello", kind="message", speaker="Bob", topics=["cello"])
    memory.remember(*ALICE, "Ich lerne Cello", kind="message", origin="web", topics=["cello"])
    memory.remember(*ALICE, "Ich lerne Cello", kind="document", topics=["cello"])
    assert memory.profile(*ALICE).learnt == ()
    memory.remember(*ALICE, "Ich lerne Cello", kind="message", speaker="alice", topics=["cello"])
    assert memory.profile(*ALICE).topics_of_interest == ("cello",)
