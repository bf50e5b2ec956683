"""Spans of what a memory did, named as OpenTelemetry's GenAI conventions name them.

The names are of semantic-conventions-genai, whose status is "development". They stand here and nowhere
else. Without the package ``opentelemetry-api`` nothing is traced; with it alone, nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from zerda.memory import Hit, MemoryEntry, __version__

from .plain import plain

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

Operation = Literal["create_memory", "update_memory", "search_memory", "delete_memory"]


class Told:
    """What a span says of what came out. Words only where they were asked for."""

    def __init__(self, span: Span | None, *, content: bool) -> None:
        self._span = span
        self._content = content

    def kept(self, entries: Sequence[MemoryEntry]) -> None:
        """Entries that were written, or put before a model."""
        self._say(len(entries), [entry.id for entry in entries])
        if self._span is not None and self._content:
            records = [{"id": entry.id, "content": plain(entry.content)} for entry in entries]
            self._span.set_attribute("gen_ai.memory.records", json.dumps(records))

    def found(self, hits: Sequence[Hit]) -> None:
        """What a search found."""
        self._say(len(hits), [])
        if self._span is not None and self._content:
            records = [
                {"id": hit.entry.id, "score": hit.score, "content": plain(hit.entry.content)} for hit in hits
            ]
            self._span.set_attribute("gen_ai.memory.records", json.dumps(records))

    def _say(self, count: int, ids: Sequence[str]) -> None:
        if self._span is None:
            return
        self._span.set_attribute("gen_ai.memory.record.count", count)
        if len(ids) == 1:
            self._span.set_attribute("gen_ai.memory.record.id", ids[0])


class Traces:
    """Makes spans. ``content`` lets them carry questions and entries; nothing else ever does."""

    def __init__(self, *, content: bool = False, provider: TracerProvider | None = None) -> None:
        self._content = content
        self._tracer: Any = None
        try:
            from opentelemetry import trace
        except ImportError:
            return
        self._tracer = trace.get_tracer("zerda.memory", __version__, provider)

    @contextmanager
    def span(
        self, operation: Operation, *, query: str | None = None, record: str | None = None
    ) -> Iterator[Told]:
        """The time of one operation. Its error is named by its kind, never by its words."""
        if self._tracer is None:
            yield Told(None, content=False)
            return
        attributes: Mapping[str, str] = {
            "gen_ai.operation.name": operation,
            **({"gen_ai.memory.record.id": record} if record is not None else {}),
            **({"gen_ai.memory.query.text": query} if query is not None and self._content else {}),
        }
        with self._tracer.start_as_current_span(
            operation, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield Told(span, content=self._content)
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                _failed(span)
                raise


def _failed(span: Span) -> None:
    from opentelemetry.trace import StatusCode

    span.set_status(StatusCode.ERROR)
