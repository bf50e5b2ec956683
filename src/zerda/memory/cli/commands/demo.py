"""``zerda demo``: a conversation of our own, and what a memory makes of it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...adapters.conversations import Message, as_note, numbered, read
from .. import render
from ..options import Call, explicit, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager, BuiltContext, Hit, MemoryEntry

Result = TypeVar("Result")

QUESTIONS = (
    "What is Mia allergic to?",
    "Is the party in the garden or at the boathouse?",
    "Who repairs the old radio, and for how much?",
    "¿A qué hora llega el tren de Rosario?",
    "How do I reach the baker?",
    "What is Jonas's shoe size?",
)
"""The last one asks for what no one ever said."""

CONTEXT_FOR = QUESTIONS[1]
CONTEXT_TOKENS = 250  # Enough to show what a context looks like.
SHOWN_HITS = 2


@dataclass(frozen=True, slots=True)
class Recalled:
    """A question, what was recalled, and how long it took."""

    question: str
    hits: Sequence[Hit]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo found out."""

    entries: Sequence[MemoryEntry]
    save_milliseconds: float
    index_milliseconds: float
    recalls: Sequence[Recalled]
    context: BuiltContext
    context_milliseconds: float
    stats: dict[str, Any]


@click.command()
@memory_command
def command(call: Call) -> None:
    """Save a conversation, recall, build a context.

    It works in a temporary folder, or where --path says, in the tenant "demo".
    """
    with _folder(call) as path:
        tenant = call.tenant if explicit("tenant") else "demo"
        shown = _run(replace(call, path=path, tenant=tenant))
    if call.json:
        render.write_json(_record(shown))
    else:
        _tell(shown)


def conversation() -> list[Message]:
    """The demo's conversation: a family plans a birthday, over three months."""
    with (files("zerda.memory.cli") / "demo.jsonl").open("rb") as file:
        return [item for item in read(file) if isinstance(item, Message)]  # type: ignore[arg-type]


@contextmanager
def _folder(call: Call) -> Generator[str | None]:
    if call.path is not None:
        yield call.path
        return
    with tempfile.TemporaryDirectory(prefix="zerda-demo-", ignore_cleanup_errors=True) as folder:
        yield folder


def _run(call: Call) -> Shown:
    with call.open() as memory:
        entries, saving = _timed(lambda: _save(memory, call))
        _, indexing = _timed(lambda: memory.flush(call.tenant))
        recalls = [_recall(memory, call, question) for question in QUESTIONS]
        context, building = _timed(lambda: _build(memory, call))
    with call.open() as memory:  # Anew, because an open database has a log beside it.
        stats = memory.stats(call.tenant)
    return Shown(entries, saving, indexing, recalls, context, building, stats)


def _save(memory: AIMemoryManager, call: Call) -> list[MemoryEntry]:
    """One by one, as they would come in."""
    notes = [as_note(id, message) for id, message in numbered(conversation(), user=call.user)]
    return [memory.remember(call.user, call.tenant, **note) for note in notes]


def _recall(memory: AIMemoryManager, call: Call, question: str) -> Recalled:
    return Recalled(question, *_timed(lambda: memory.recall(call.user, call.tenant, question)))


def _build(memory: AIMemoryManager, call: Call) -> BuiltContext:
    return memory.build_context(call.user, call.tenant, CONTEXT_FOR, token_budget=CONTEXT_TOKENS)


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work returns, and the milliseconds that it took."""
    began = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - began) * 1_000


def _record(shown: Shown) -> dict[str, Any]:
    return {
        "messages": len(shown.entries),
        "save_ms": round(shown.save_milliseconds, 1),
        "index_ms": round(shown.index_milliseconds, 1),
        "bytes_on_disk": shown.stats["bytes_on_disk"],
        "embedder": shown.stats["embedder"],
        "masked": sum(sum(entry.masked.values()) for entry in shown.entries),
        "recalls": [
            {
                "question": recalled.question,
                "ms": round(recalled.milliseconds, 1),
                "hits": [render.hit_record(hit) for hit in recalled.hits],
            }
            for recalled in shown.recalls
        ],
        "context": {
            "query": CONTEXT_FOR,
            "ms": round(shown.context_milliseconds, 1),
            "tokens": shown.context.tokens,
            "full_text": shown.context.full_text,
        },
    }


def _tell(shown: Shown) -> None:
    _tell_saving(shown)
    for recalled in shown.recalls:
        _tell_recall(recalled)
    _tell_context(shown)


def _tell_saving(shown: Shown) -> None:
    first, last = shown.entries[0], shown.entries[-1]
    sessions = len({entry.session_id for entry in shown.entries})
    each = shown.save_milliseconds / len(shown.entries)
    masked = [kind for entry in shown.entries for kind in entry.masked]
    render.line(
        f"A family plans a birthday: {len(shown.entries)} messages in {sessions} conversations, "
        f"{first.occurred_at:%Y-%m-%d} to {last.occurred_at:%Y-%m-%d}"
    )
    render.line(f"saved     {each:.1f} ms each, {render.size(shown.stats['bytes_on_disk'])} on disk")
    render.line(f"found by  {_finder(shown)}")
    if masked:
        render.line(f"masked    {', '.join(sorted(set(masked)))}, before it was kept (--no-masking keeps it)")


def _finder(shown: Shown) -> str:
    embedder = shown.stats["embedder"]
    return f"words and meaning ({embedder})" if embedder else "words alone (no embedding model)"


def _tell_recall(recalled: Recalled) -> None:
    render.line()
    render.line((recalled.question, "bold"), (f"  {recalled.milliseconds:.0f} ms", "dim"))
    for hit in recalled.hits[:SHOWN_HITS]:
        about = f"{hit.score:.2f}  {hit.entry.occurred_at:%Y-%m-%d}  {render.who(hit.entry)}: "
        render.line((about, "cyan"), hit.text, indent=2)
        render.line((render.why(hit), "dim"), indent=8)
    if not recalled.hits:
        render.line("nothing is remembered about that", indent=2)


def _tell_context(shown: Shown) -> None:
    render.line()
    render.line(
        ("Put before a model: ", "bold"),
        (CONTEXT_FOR, "bold"),
        (f"  {shown.context_milliseconds:.0f} ms, {shown.context.tokens} of {CONTEXT_TOKENS} tokens", "dim"),
    )
    for text in shown.context.full_text.splitlines():
        render.line(text, indent=2)
