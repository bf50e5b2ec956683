"""Other systems, where they are installed: the same notes, the same embedder, in the same run.

To add one, add a function and its line in ``OTHERS``. Each gets "Speaker: text", as its users would save it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module, util
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from zerda.memory import ConfigError, Embedder, Note, embedder_named

from .rows import DEPTH, Find, Row, said

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 500


@dataclass(frozen=True, slots=True)
class Other:
    """A system: what it imports, what to install, and how it answers."""

    module: str
    package: str
    run: Callable[[Embedder, Sequence[Note]], AbstractContextManager[Find]]

    @property
    def installed(self) -> bool:
        """Whether it can be imported here."""
        try:
            return util.find_spec(self.module) is not None
        except ModuleNotFoundError:
            return False


def beside(names: Sequence[str], embedder: str) -> Mapping[str, Row]:
    """The rows of other systems, by name; ``installed`` stands for all that are.

    `ConfigError` for one that is unknown or not installed, and without an embedder.
    """
    wanted = [name for one in names for name in (_installed() if one == "installed" else [one])]
    if unknown := sorted(set(wanted) - OTHERS.keys()):
        raise ConfigError(f"no system is named {unknown[0]!r}; there are {', '.join(OTHERS)}, installed")
    if missing := [name for name in wanted if not OTHERS[name].installed]:
        raise ConfigError(f"{missing[0]} is not here; pip install {OTHERS[missing[0]].package}")
    shared = embedder_named(embedder, cache_size=10_000) if wanted else None
    if wanted and shared is None:
        raise ConfigError(f"the embedder {embedder!r} makes no vectors, and other systems need them")
    return {name: partial(OTHERS[name].run, shared) for name in wanted}  # type: ignore[arg-type]


def _installed() -> list[str]:
    return [name for name, other in OTHERS.items() if other.installed]


def _said(notes: Sequence[Note]) -> list[str]:
    return list(map(said, notes))


def _batches(notes: Sequence[Note]) -> Iterator[Sequence[Note]]:
    return (notes[start : start + BATCH] for start in range(0, len(notes), BATCH))


@contextmanager
def _chroma(embedder: Embedder, notes: Sequence[Note]) -> Iterator[Find]:
    """Chroma, in memory, by cosine."""
    chromadb = import_module("chromadb")
    settings = import_module("chromadb.config").Settings(anonymized_telemetry=False)
    client = chromadb.EphemeralClient(settings=settings)
    name = f"bench-{uuid.uuid4().hex}"
    kept = client.create_collection(
        name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    for some in _batches(notes):
        vectors = embedder.embed(_said(some))
        kept.add(ids=[note.id for note in some], documents=_said(some), embeddings=vectors)

    def find(question: str) -> list[str]:
        asked = embedder.embed([question], role="query")
        found = kept.query(query_embeddings=asked, n_results=min(DEPTH, len(notes)), include=[])
        return list(found["ids"][0])

    yield find
    client.delete_collection(name)


@contextmanager
def _langgraph(embedder: Embedder, notes: Sequence[Note]) -> Iterator[Find]:
    """LangGraph's store, in memory, with its index."""
    memory = import_module("langgraph.store.memory")

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return embedder.embed(texts).tolist()  # type: ignore[no-any-return]

    store = memory.InMemoryStore(index={"dims": embedder.dimensions, "embed": embed, "fields": ["text"]})
    for note, text in zip(notes, _said(notes), strict=True):
        store.put(("bench",), note.id, {"text": text})  # One by one: a batch with equal texts fails.
    yield lambda question: [one.key for one in store.search(("bench",), query=question, limit=DEPTH)]


@contextmanager
def _mem0(embedder: Embedder, notes: Sequence[Note]) -> Iterator[Find]:
    """mem0 without its language model (``infer=False``), on a local Qdrant."""
    import os

    os.environ.setdefault("MEM0_TELEMETRY", "False")  # Read once, when it is imported.
    memory_of = import_module("mem0").Memory
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        qdrant = {"path": folder, "embedding_model_dims": embedder.dimensions, "collection_name": "bench"}
        memory = memory_of.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": qdrant},
                "embedder": {"provider": "langchain", "config": {"model": _langchain(embedder)}},
                "llm": {"provider": "openai", "config": {"api_key": "none: it is never asked"}},
                "history_db_path": f"{folder}/history.db",
            }
        )
        for note, text in zip(notes, _said(notes), strict=True):
            memory.add(text, user_id="reader", infer=False, metadata={"note": note.id})

        def find(question: str) -> list[str]:
            found = memory.search(question, filters={"user_id": "reader"}, top_k=DEPTH)
            return [one["metadata"]["note"] for one in found["results"]]

        yield find


def _langchain(embedder: Embedder) -> Any:
    """The embedder as LangChain's."""
    base = import_module("langchain_core.embeddings").Embeddings

    def embed_documents(_: object, texts: list[str]) -> list[list[float]]:
        return embedder.embed(texts).tolist()  # type: ignore[no-any-return]

    def embed_query(_: object, text: str) -> list[float]:
        return embedder.embed([text], role="query")[0].tolist()  # type: ignore[no-any-return]

    return type("Shared", (base,), {"embed_documents": embed_documents, "embed_query": embed_query})()


@contextmanager
def _txtai(embedder: Embedder, notes: Sequence[Note]) -> Iterator[Find]:
    """txtai, words and vectors together."""

    def transform(texts: Sequence[str]) -> NDArray[Any]:
        return embedder.embed(list(texts))

    index = import_module("txtai").Embeddings(
        method="external", transform=transform, hybrid=True, content=False
    )
    index.index([(number, text, None) for number, text in enumerate(_said(notes))])
    yield lambda question: [notes[number].id or "" for number, _ in index.search(question, DEPTH)]
    index.close()


OTHERS: Mapping[str, Other] = {
    "chroma": Other("chromadb", "chromadb", _chroma),
    "langgraph": Other("langgraph.store.memory", "langgraph-checkpoint numpy", _langgraph),
    "mem0": Other("mem0", "mem0ai langchain-core", _mem0),
    "txtai": Other("txtai", "txtai", _txtai),
}
