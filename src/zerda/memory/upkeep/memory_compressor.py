"""Makes less of much: near-duplicates merged, and a summary where many entries say much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..context.render import summary_prompt
from ..core.model import MemoryEntry
from ..core.rules.chunking import parts
from ..core.rules.extractive import extract, fault_of, sentences
from ..core.rules.hashing import content_hash
from ..core.rules.likeness import groups, statement
from ..core.rules.speakers import USER_PART, speaker_of
from ..core.rules.trusting import lowest
from ..errors import ConfigError, InvalidInput, LLMError
from ..intake import time_ordered_id
from ..llm.asking import Asking

if TYPE_CHECKING:
    from ..core.seams import Clock, LLMProtocol

SHORTEST_CHARACTERS, SHORTEST_WORDS, LEAST_LETTERS = 10, 3, 0.3
"""What is shorter, or has a smaller share of letters and digits, is noise to `remove_noise`."""

TOKENS_PER_WORD = 4  # Room for scripts that take several tokens for a word.


@dataclass(frozen=True, slots=True)
class Merge:
    """Entries that say the same: the one that stays, and those that it stands for."""

    survivor: MemoryEntry
    merged: tuple[MemoryEntry, ...]


class MemoryCompressor:
    """Merges near-duplicates and summarises. It changes no store: upkeep does, with what is decided here.

    With a language model a summary is the model's, where it is one: not empty, not long, not about something
    else, and in time; else `LLMError`. Without a model it is made of the sentences that say most, quoted.
    It keeps no state: any number of threads may use one.

    Args:
        llm: any object with ``generate(prompt, max_tokens)``.
        merge_similarity_threshold: share of word pairs from which two long texts say the same, where what
            differs is no number, name, negation or small word; texts of the same words always do.
        time_limit_seconds: how long the model may take for one summary.
        most_words: words of a summary.
    """

    def __init__(
        self,
        llm: LLMProtocol | None = None,
        merge_similarity_threshold: float = 0.92,
        *,
        time_limit_seconds: float = 30.0,
        most_words: int = 120,
        clock: Clock = lambda: datetime.now(UTC),
        new_id: Callable[[datetime], str] = time_ordered_id,
    ) -> None:
        if not 0 < merge_similarity_threshold <= 1:
            raise ConfigError(
                f"merge_similarity_threshold is {merge_similarity_threshold!r}; it is above 0, up to 1"
            )
        if time_limit_seconds <= 0 or most_words < 1:
            raise ConfigError(
                f"time_limit_seconds is {time_limit_seconds!r} and most_words {most_words!r};"
                " both are above 0"
            )
        self.llm = llm
        self.merge_similarity_threshold = merge_similarity_threshold
        self.time_limit_seconds = time_limit_seconds
        self._asking = None if llm is None else Asking(llm)
        self.most_words = most_words
        self._clock = clock
        self._new_id = new_id

    def remove_noise(self, entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
        """The entries that say something: ten characters, three words, mostly letters."""
        return [entry for entry in entries if not _is_noise(entry.text)]

    def find_duplicates(self, entries: Sequence[MemoryEntry]) -> list[Merge]:
        """Groups of entries that say the same; never of two users, speakers, kinds or degrees of trust.

        The survivor is pinned, or the most important, or the newest of them. Other pinned ones stay too.
        """
        by_owner: dict[tuple[Any, ...], list[MemoryEntry]] = {}
        for entry in entries:
            if entry.kind != "summary":
                owner = (entry.tenant_id, entry.user_id, entry.visibility)
                said = (entry.kind, entry.speaker, entry.origin, entry.trust)
                by_owner.setdefault((*owner, *said), []).append(entry)
        return [merge for same in by_owner.values() for merge in self._merges(same)]

    def merge_duplicates(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """The entries without those that another says too; a survivor names them in ``sources``."""
        merges = self.find_duplicates(entries)
        gone = {entry.id for merge in merges for entry in merge.merged}
        stronger = {merge.survivor.id: survivor_of(merge) for merge in merges}
        return [stronger.get(entry.id, entry) for entry in entries if entry.id not in gone]

    def summarise(self, entries: Sequence[MemoryEntry]) -> MemoryEntry:
        """A new entry that stands for these: kind "summary", origin "derived", linked by ``sources``.

        It is trusted like the least of them, as important as the most, and belongs to their user;
        `InvalidInput` for entries of several users or kinds of visibility, or none. `LLMError` where the
        model failed, was too slow, or gave no summary; nothing was changed then.
        """
        if len({(one.tenant_id, one.user_id, one.visibility) for one in entries}) != 1:
            raise InvalidInput("a summary is of entries of one user and one visibility, and of one at least")
        text = self._extracted(entries) if self._asking is None else self._asked(self._asking, entries)
        return self._summary(entries, text)

    def compress_batch(
        self,
        entries: Sequence[MemoryEntry],
        *,
        remove_noise: bool = True,
        merge: bool = True,
        summarise: bool = False,
        summarise_threshold: int = 20,
    ) -> dict[str, Any]:
        """Less of a list: ``entries``, and how many were noise, merged, summarised. Nothing is stored.

        Above ``summarise_threshold`` entries, those of each user that are not pinned become one summary.
        ``failure`` tells where the model made none.
        """
        left = self.remove_noise(entries) if remove_noise else list(entries)
        noise = len(entries) - len(left)
        merged = self.merge_duplicates(left) if merge else left
        result: dict[str, Any] = {
            "entries": merged,
            "noise_removed": noise,
            "merges": len(left) - len(merged),
            "summarised": 0,
            "failure": None,
        }
        if summarise and len(merged) > summarise_threshold:
            result.update(self._summarised(merged))
        return result

    # ── how ──────────────────────────────────────────────────────────────────────────────────────

    def _merges(self, entries: Sequence[MemoryEntry]) -> list[Merge]:
        statements = [statement(entry.text) for entry in entries]
        found = groups(statements, threshold=self.merge_similarity_threshold)
        merges = (_merge([entries[place] for place in group]) for group in found)
        return [merge for merge in merges if merge.merged]

    def _summarised(self, entries: Sequence[MemoryEntry]) -> dict[str, Any]:
        by_owner: dict[tuple[Any, ...], list[MemoryEntry]] = {}
        for entry in entries:
            if not entry.pinned and entry.kind != "summary":
                # Together, what is less trusted would stand in the place of what is more so.
                owner = (entry.tenant_id, entry.user_id, entry.visibility, entry.trust)
                by_owner.setdefault(owner, []).append(entry)
        try:
            summaries = {id(group): self.summarise(group) for group in by_owner.values() if len(group) > 1}
        except LLMError as error:
            return {"failure": str(error)}
        groups_made = [group for group in by_owner.values() if id(group) in summaries]
        gone = {entry.id for group in groups_made for entry in group}
        kept = [entry for entry in entries if entry.id not in gone]
        return {"entries": [*kept, *summaries.values()], "summarised": len(gone)}

    def _asked(self, asking: Asking, entries: Sequence[MemoryEntry]) -> str:
        texts = [entry.text for entry in entries]
        answer = asking.ask(
            summary_prompt(texts, self.most_words),
            self.most_words * TOKENS_PER_WORD,
            seconds=self.time_limit_seconds,
        )
        if fault := fault_of(answer, texts, most_words=self.most_words):
            raise LLMError(f"the language model gave no summary: {fault}")
        return answer.strip()

    def _extracted(self, entries: Sequence[MemoryEntry]) -> str:
        given = [
            sentence
            for entry in entries
            for role, text in parts(entry.content)
            for sentence in sentences(text, _named(speaker_of(role, entry.speaker), entry.user_id))
        ]
        chosen = extract(given, most_words=self.most_words)
        return "\n".join(f"{one.speaker}: {one.text}" if one.speaker else one.text for one in chosen)

    def _summary(self, entries: Sequence[MemoryEntry], text: str) -> MemoryEntry:
        now = self._clock()
        newest = max(entries, key=lambda one: (one.occurred_at, one.seq))
        counts: Counter[str] = Counter()
        for entry in entries:
            counts.update(entry.masked)
        return MemoryEntry(
            id=self._new_id(now),
            tenant_id=newest.tenant_id,
            user_id=newest.user_id,
            session_id=newest.session_id,
            content=text,
            content_hash=content_hash(text),
            kind="summary",
            occurred_at=newest.occurred_at,
            recorded_at=now,
            importance=max(entry.importance for entry in entries),
            tags=_united(entry.tags for entry in entries),
            topics=_united(entry.topics for entry in entries),
            origin="derived",
            sources=tuple(entry.id for entry in entries),
            trust=lowest(entry.trust for entry in entries),
            visibility=newest.visibility,
            promoted_at=now,
            masked=dict(counts),
        )


def survivor_of(merge: Merge) -> MemoryEntry:
    """The survivor with what the merged ones add: links, the highest importance, tags, topics, uses."""
    everyone = (merge.survivor, *merge.merged)
    sources = [*merge.survivor.sources]
    for entry in merge.merged:
        sources += [entry.id, *entry.sources]
    return replace(
        merge.survivor,
        sources=tuple(dict.fromkeys(sources)),
        importance=max(entry.importance for entry in everyone),
        tags=_united(entry.tags for entry in everyone),
        topics=_united(entry.topics for entry in everyone),
    )


def _merge(entries: Sequence[MemoryEntry]) -> Merge:
    survivor = max(entries, key=lambda one: (one.pinned, one.importance, one.occurred_at, one.seq))
    return Merge(survivor, tuple(one for one in entries if one is not survivor and not one.pinned))


def _named(speaker: str | None, user_id: str | None) -> str | None:
    """Who is to be named beside a sentence: whoever is not the user."""
    return None if speaker in (None, USER_PART, user_id) else speaker


def _united(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for values in lists for value in values))


def _is_noise(text: str) -> bool:
    said = text.strip()
    letters = sum(char.isalnum() for char in said)
    spaced = len(said.split()) >= SHORTEST_WORDS or not said.isascii()  # Some scripts put no spaces.
    return len(said) < SHORTEST_CHARACTERS or not spaced or letters < LEAST_LETTERS * len(said)
