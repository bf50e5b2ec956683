"""Entities: what a user's entries name, seen by whoever sees the entries."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    EntryNotFound,
    InvalidInput,
    LLMExtractor,
    MemoryConfig,
    Relation,
)
from zerda.memory.testing import ScriptedLLM, Ticking

ALICE, BOB = ("alice", "acme"), ("bob", "acme")


def names(memory: AIMemoryManager, who: tuple[str, str] = ALICE, **how: Any) -> list[str]:
    return [one.name for one in memory.entities(*who, **how)]


def said(relations: list[Relation]) -> set[tuple[str, str, str]]:
    return {(one.subject, one.relation, one.object) for one in relations}


def test_what_entries_name_is_told_most_named_first(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "My sister Ana works at Trellis.")
    memory.save_interaction(*ALICE, "I met Ana in Porto.", "How is Ana?")
    found = memory.entities(*ALICE)
    assert [(one.name, one.type, one.entries, one.mentions) for one in found] == [
        ("Ana", "person", 2, 3), ("Porto", "place", 1, 1), ("Trellis", "organisation", 1, 1),
    ]  # fmt: skip
    assert names(memory, type="place") == ["Porto"]
    assert names(memory, limit=1) == ["Ana"]


def test_one_entity_is_found_however_it_is_spelt(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "We saw João Prado.")
    assert memory.entity(*ALICE, "joao  PRADO").name == "João Prado"
    assert [entry.text for entry in memory.mentioning(*ALICE, "JOÃO PRADO")] == ["We saw João Prado."]
    with pytest.raises(EntryNotFound) as raised:
        memory.entity(*ALICE, "Quillon")
    assert "Quillon" not in str(raised.value)
    assert memory.mentioning(*ALICE, "Quillon") == []


def test_relations_are_told_step_by_step(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "Ana knows Bruno. Bruno works at Trellis. Carla lives in Porto.")
    assert said(memory.related(*ALICE, "ana")) == {("Ana", "knows", "Bruno")}
    both = {("Ana", "knows", "Bruno"), ("Bruno", "works_at", "Trellis")}
    assert said(memory.related(*ALICE, "Ana", depth=2)) == both
    assert said(memory.related(*ALICE)) == {*both, ("Carla", "lives_in", "Porto")}
    assert memory.related(*ALICE, "nobody") == []


def test_dates_are_told_to_who_asks_for_them(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "We met Ana on 5 May 2024.")
    assert names(memory) == ["Ana"]
    assert [one.key for one in memory.entities(*ALICE, type="date")] == ["2024-05-05"]


def test_an_application_says_itself_what_an_entry_is_about(memory: AIMemoryManager) -> None:
    told = {
        "entities": [{"name": "gate seven", "type": "door"}],
        "relations": [["gate seven", "leads to", "yard"]],
    }
    memory.remember(*ALICE, "it sticks", metadata=told)
    assert memory.entity(*ALICE, "Gate Seven").type == "door"
    assert said(memory.related(*ALICE)) == {("gate seven", "leads_to", "yard")}


def test_what_is_masked_is_no_name(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "Write to Ana.Prado@example.com or Ana, card 4111 1111 1111 1111.")
    assert names(memory) == ["Ana"]


def test_a_name_goes_with_its_last_entry_and_is_back_with_it(memory: AIMemoryManager) -> None:
    entry = memory.remember(*ALICE, "We saw Ana and Bruno.")
    memory.remember(*ALICE, "We saw Bruno.")
    assert names(memory) == ["Bruno", "Ana"]
    memory.archive(*ALICE, entry.id)
    assert names(memory) == ["Bruno"]
    memory.restore(*ALICE, entry.id)
    memory.update(*ALICE, entry.id, content="We saw Carla.")
    assert sorted(names(memory)) == ["Bruno", "Carla"]
    memory.forget(*ALICE, entry.id)
    assert names(memory) == ["Bruno"]


def test_an_erasure_leaves_no_name(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "We saw Zebulonia Quartz.")
    assert names(memory) == ["Zebulonia Quartz"]
    receipt = memory.forget_user(*ALICE)
    assert memory.verify_erased(receipt, ["Zebulonia", "zebulonia"]).clean
    assert names(memory) == []


def test_another_users_entities_are_never_seen_and_shared_ones_are(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "Ana knows Bruno.")
    memory.remember(*ALICE, "Carla lives in Porto.", visibility="tenant")
    assert names(memory) == ["Carla", "Porto", "Ana", "Bruno"]
    assert names(memory, BOB) == ["Carla", "Porto"]
    assert said(memory.related(*BOB)) == {("Carla", "lives_in", "Porto")}
    assert names(memory, ("alice", "other")) == []
    with pytest.raises(EntryNotFound):
        memory.entity(*BOB, "Ana")
    assert memory.mentioning(*BOB, "Ana") == []


def test_who_may_not_read_may_not_see_names(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "We saw Ana.")
    memory.grant(*ALICE, "writer")
    memory.revoke(*ALICE, "writer")
    for call in (memory.entities, memory.related):
        with pytest.raises(AccessDenied):
            call(*ALICE)
    for asked in (memory.entity, memory.mentioning):
        with pytest.raises(AccessDenied):
            asked(*ALICE, "Ana")


def test_filters_and_expiry_hold_for_names(memory: AIMemoryManager, clock: Ticking) -> None:
    memory.remember(*ALICE, "We saw Ana.", tags=["work"])
    memory.remember(*ALICE, "We saw Bruno.", expires_at=clock() + timedelta(days=1))
    assert names(memory, filters={"tags": "work"}) == ["Ana"]
    clock.advance(timedelta(days=2))
    assert names(memory) == ["Ana"]


@pytest.mark.parametrize("wrong", [0, -1, True, 1.5, "many"])
def test_numbers_are_whole(memory: AIMemoryManager, wrong: Any) -> None:
    for call in (
        lambda: memory.entities(*ALICE, limit=wrong),
        lambda: memory.mentioning(*ALICE, "Ana", limit=wrong),
        lambda: memory.related(*ALICE, depth=wrong),
    ):
        with pytest.raises(InvalidInput):
            call()


def test_a_name_is_text(memory: AIMemoryManager) -> None:
    with pytest.raises(InvalidInput):
        memory.entity(*ALICE, 5)  # type: ignore[arg-type]


def test_a_round_of_upkeep_and_a_flush_read_what_is_new(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "We saw Ana.")
    assert memory.run_maintenance("acme", dry_run=True)["naming"] == {"read": 0}
    assert memory.run_maintenance("acme")["naming"] == {"read": 1}
    assert memory.run_maintenance("acme")["naming"] == {"read": 0}
    memory.remember(*ALICE, "We saw Bruno.")
    memory.flush()
    assert memory.run_maintenance("acme")["naming"] == {"read": 0}


def test_names_survive_a_restart_and_an_import_reads_them_anew(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "m"), embedding_model="none")
    with AIMemoryManager(config) as memory:
        memory.remember(*ALICE, "Ana knows Bruno.")
        assert names(memory) == ["Ana", "Bruno"]
        lines = list(memory.export_tenant("acme"))
    with AIMemoryManager(config) as again:
        assert said(again.related(*ALICE)) == {("Ana", "knows", "Bruno")}
    other = MemoryConfig(persistence_path=str(tmp_path / "n"), embedding_model="none")
    with AIMemoryManager(other) as imported:
        imported.import_(lines, "acme")
        assert said(imported.related(*ALICE)) == {("Ana", "knows", "Bruno")}


def test_a_model_adds_names_and_what_was_read_by_rules_is_read_again(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path), embedding_model="none")
    with AIMemoryManager(config) as memory:
        memory.remember(*ALICE, "Quillon was late.")
        assert names(memory) == []
    llm = ScriptedLLM(["Quillon | person"])
    with AIMemoryManager(config, extractor=LLMExtractor(llm)) as memory:
        assert names(memory) == ["Quillon"]
        assert names(memory) == ["Quillon"]
        assert len(llm.prompts) == 1
    with AIMemoryManager(config) as memory:  # What a model has read, the rules leave as it is.
        assert names(memory) == ["Quillon"]


def test_the_awaitable_twins_answer_the_same(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "Ana knows Bruno.")

    async def asked() -> list[Any]:
        return [
            await memory.aentities(*ALICE), await memory.aentity(*ALICE, "Ana"),
            await memory.arelated(*ALICE), await memory.amentioning(*ALICE, "Ana"),
        ]  # fmt: skip

    assert asyncio.run(asked()) == [
        memory.entities(*ALICE), memory.entity(*ALICE, "Ana"), memory.related(*ALICE),
        memory.mentioning(*ALICE, "Ana"),
    ]  # fmt: skip
