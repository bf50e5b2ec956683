"""What is measured side by side: plain full-text search, meaning alone, and ours."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from zerda.memory import AIMemoryManager, MemoryConfig, Note

DEPTH = 20
USER = "reader"

# Left out of plain questions too, or they would drown in common words: the comparison shall be fair.
_COMMON = frozenset(
    """
    a about after all also am an and any are as at be because been before being but by can could did
    do does doing during each for from had has have having he her hers him his how i if in into is
    it its just kind many me more most much my no not of on or other our out over own s she should
    so some such t than that the their them then there these they this those to too type under up
    very was we were what when where which while who whom whose why will with would you your
""".split()
)

Find = Callable[[str], list[str]]
"""Ids for a question, best first."""

Row = Callable[[Sequence[Note]], AbstractContextManager[Find]]
"""Takes notes in, and answers questions about them."""


@dataclass(frozen=True, slots=True)
class Ours:
    """zerda.memory through its public API, masking and floor off; ranked ``without`` steps."""

    config: MemoryConfig
    without: tuple[str, ...] = ()

    @contextmanager
    def __call__(self, notes: Sequence[Note]) -> Iterator[Find]:
        with self.memory(notes) as ask:
            yield lambda question: ask(question, 0.0)

    @contextmanager
    def memory(self, notes: Sequence[Note]) -> Iterator[Callable[[str, float | None], list[str]]]:
        """Asks a question with a floor, None being the default one."""
        with _filled(self.config, notes) as (memory, tenant):
            weights = memory._weights
            memory._weights = lambda fingerprint: weights(fingerprint).without(*self.without)  # type: ignore[arg-type]
            yield lambda question, floor: [
                hit.entry.id for hit in memory.recall(USER, tenant, question, limit=DEPTH, min_score=floor)
            ]


@dataclass(frozen=True, slots=True)
class MeaningAlone:
    """The vectors alone, nearest first."""

    config: MemoryConfig

    @contextmanager
    def __call__(self, notes: Sequence[Note]) -> Iterator[Find]:
        with _filled(self.config, notes) as (memory, tenant):
            semantic = memory._bundle(tenant).semantic
            yield lambda question: [entry.id for entry in semantic.search_entries(question, DEPTH, -1.0)]


@contextmanager
def plain_fts5(notes: Sequence[Note]) -> Iterator[Find]:
    """SQLite FTS5 as most use it: porter stemming, any word of the question, its own bm25."""
    import apsw

    database = apsw.Connection(":memory:")
    database.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize='porter unicode61')").fetchall()
    database.executemany(
        "INSERT INTO said(rowid, text) VALUES (?, ?)",
        [(number, said(note)) for number, note in enumerate(notes)],
    )

    def find(question: str) -> list[str]:
        asked = [word for word in re.findall(r"\w+", question.lower()) if word not in _COMMON]
        terms = " OR ".join(f'"{word}"' for word in asked) or '""'
        rows = database.execute(
            "SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?", (terms, DEPTH)
        )
        return [notes[rowid].id or "" for (rowid,) in rows]

    yield find
    database.close()


def said(note: Note) -> str:
    """What a note says, with who said it in front: as most would save it elsewhere."""
    content = note.content
    text = content if isinstance(content, str) else "\n".join(map(str, content.values()))
    return f"{note.speaker}: {text}" if note.speaker else text


def rows(embedder: str, storage: str = "", reranker: str = "none") -> Mapping[str, Row]:
    """The rows of every table, by name; ours on SQLite, or on the server that ``storage`` names.

    With a ``reranker``, ours stands there with it, too.
    """
    words = MemoryConfig(embedding_model="none", storage=storage)
    ours = MemoryConfig(embedding_model=embedder, storage=storage)
    plain: dict[str, Row] = {"plain FTS5": plain_fts5, "ours, words alone": Ours(words)}
    if embedder != "none":
        plain |= {"meaning alone": MeaningAlone(ours), "ours": Ours(ours)}
    if reranker != "none":
        plain["ours, judged anew"] = Ours(replace(ours, reranker=reranker))
    return plain


def ablation(embedder: str, storage: str = "") -> Mapping[str, Row]:
    """Ours, and ours without each step of its ranking."""
    ours = MemoryConfig(embedding_model=embedder, storage=storage)
    return {"ours": Ours(ours), **{f"without {step}": Ours(ours, (step,)) for step in STEPS}}


# Those that `zerda.memory.core.rules.ranking` names.
STEPS = (
    "words", "meaning", "neighbours", "speaker", "time", "dates", "session", "prior", "standing"
)  # fmt: skip


@contextmanager
def _filled(config: MemoryConfig, notes: Sequence[Note]) -> Iterator[tuple[AIMemoryManager, str]]:
    """A memory that holds the notes, and their tenant; on a server it is cleared at the end."""
    tenant = f"bench {uuid.uuid4().hex[:12]}"
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        here = replace(config, persistence_path=str(Path(folder) / "memory"), mask_secrets=False)
        with AIMemoryManager(here, enable_privacy_masking=False) as memory:
            memory.remember_many(USER, tenant, notes)
            memory.flush()
            yield memory, tenant
            if config.storage:
                memory.clear_tenant(tenant)
