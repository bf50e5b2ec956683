"""A chat memory of the people, places and things that a conversation names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.entities import DATE, Entity
from ..core.model import MemoryEntry, Query
from ..core.rules.chunking import parts
from ..core.rules.entities import RuleExtractor
from ..core.rules.naming import entities_from, key_of, named_in, relations_from
from ..errors import ConfigError
from ..llm.entities import PROMPT, LLMExtractor
from ..upkeep.naming import name_pending
from .buffer import ConversationBufferMemory
from .turns import picked

if TYPE_CHECKING:
    from ..core.seams import EntityExtractor, LLMProtocol
    from ..errors import LLMError

_PARTS = {"input": "human_prefix", "output": "ai_prefix"}


class ConversationEntityMemory(ConversationBufferMemory):
    """What a conversation said of whom or what the next input names.

    `load_memory_variables` answers ``{memory_key: text}``: for each known name in the input its type, how it
    has to do with others, and the last ``k`` turns that name it, word for word. Every turn stays kept. With
    ``return_messages`` it is a message of the system, or none.

    Names are found by rules, and with an ``llm`` by a model too, asked about each part of a turn; one that
    fails leaves what the rules find, and ``last_error`` tells why.
    """

    def __init__(
        self,
        llm: LLMProtocol | None = None,
        memory_key: str = "entity_info",
        *,
        k: int = 3,
        lang: str | None = None,
        entity_extraction_prompt: str = PROMPT,
        time_limit_seconds: float = 30.0,
        **settings: Any,
    ) -> None:
        if k < 1:
            raise ConfigError(f"k is {k!r}; it is at least 1")
        super().__init__(memory_key=memory_key, **settings)
        self.llm = llm
        self.k = k
        rules = RuleExtractor(lang)
        self._model = None if llm is None else LLMExtractor(
            llm, prompt=entity_extraction_prompt, time_limit_seconds=time_limit_seconds, rules=rules
        )  # fmt: skip
        self._extractor: EntityExtractor = self._model or rules

    @property
    def last_error(self) -> LLMError | None:
        """Why the model did not help the last time; None where it did, or there is none."""
        return self._model.last_error if self._model else None

    def save_context(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        """Keep one turn, then read the names in it."""
        super().save_context(inputs, outputs)
        self._read()

    def load_memory_variables(self, inputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What is known of whom or what the input names; nothing where it names nobody known."""
        asked = picked(inputs, self.input_key, "inputs") if inputs else ""
        known = {one.key: one for one in self._entities()}
        text = "\n\n".join(self._told(known[key]) for key in named_in(asked, known))
        if not self.return_messages:
            return {self.memory_key: text}
        return {self.memory_key: [{"role": "system", "content": text}] if text else []}

    def list_entities(self) -> list[str]:
        """The names that the conversation knows, those in most turns first."""
        return [one.name for one in self._entities()]

    def get_entity_info(self, name: str) -> dict[str, Any]:
        """What is known of a name: type, counts, times, contexts, relationships; {} of an unknown one."""
        found = [one for one in self._entities() if one.key == key_of(name)]
        if not found:
            return {}
        return {
            "name": found[0].name,
            "type": found[0].type,
            "mentions": found[0].mentions,
            "turns": found[0].entries,
            "first_seen": found[0].first_at,
            "last_seen": found[0].last_at,
            "contexts": self._contexts(found[0]),
            "relationships": self._ties(found[0]),
        }

    def _entities(self) -> list[Entity]:
        self._read()
        found = entities_from(self._turns.store.sightings(self._turns.scope, self._session))
        return [one for one in found if one.type != DATE]

    def _read(self) -> None:
        turns = self._turns
        name_pending(turns.store, turns.scope, self._extractor, session_id=turns.session_id)

    @property
    def _session(self) -> Query:
        return Query(session_id=self._turns.session_id, limit=None)

    def _told(self, entity: Entity) -> str:
        lines = [f"{entity.name} ({entity.type}):"]
        lines += [f"- {a} {how.replace('_', ' ')} {b}" for a, how, b in self._ties(entity)]
        return "\n".join([*lines, *self._contexts(entity)])

    def _ties(self, entity: Entity) -> list[tuple[str, str, str]]:
        store, scope = self._turns.store, self._turns.scope
        ties = store.ties(scope, self._session, keys=[entity.key])
        ends = sorted({end for tie in ties for end in (tie.subject, tie.object)})
        names = {one.key: one.name for one in entities_from(store.sightings(scope, self._session, keys=ends))}
        return [(one.subject, one.relation, one.object) for one in relations_from(ties, names)]

    def _contexts(self, entity: Entity) -> list[str]:
        """The last things that were said of it, oldest first."""
        turns = self._turns.store.mentioning(self._turns.scope, entity.key, self._session.only(limit=self.k))
        return [line for turn in reversed(turns) for line in self._lines(turn, entity)]

    def _lines(self, turn: MemoryEntry, entity: Entity) -> Sequence[str]:
        said = parts(turn.content)
        about = [pair for pair in said if named_in(pair[1], [entity.key])] or said
        return [f"{getattr(self, _PARTS[role])}: {text}" for role, text in about]
