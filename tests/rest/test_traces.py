"""Spans: named as the conventions name them, and without a word that was said."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from starlette.testclient import TestClient

from zerda.memory import AIMemoryManager
from zerda.memory.rest.app import application
from zerda.memory.rest.traces import Traces

Headers = dict[str, str]


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture(params=[False, True], ids=["without content", "with content"])
def content(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def http(library: AIMemoryManager, spans: InMemorySpanExporter, content: bool) -> Iterator[TestClient]:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    traced = application(library, traces=Traces(content=content, provider=provider))
    with TestClient(traced, base_url="http://localhost") as client:
        yield client
    provider.shutdown()


def test_each_act_is_a_span_and_says_nothing_that_was_not_asked_for(
    http: TestClient, alice: Headers, spans: InMemorySpanExporter, content: bool
) -> None:
    said = {"user_input": "I saw a fennec.", "assistant_output": "Where?", "id": "x"}
    http.post("/v1/interactions", json=said, headers=alice)
    http.post("/v1/recall", json={"query": "which fennec?", "min_score": 0}, headers=alice)
    http.patch("/v1/entries/x", json={"importance": 0.9}, headers=alice)
    http.delete("/v1/entries/x", headers=alice)
    done = spans.get_finished_spans()
    told = [(span.name, dict(span.attributes or {})) for span in done]
    assert [name for name, _ in told] == ["create_memory", "search_memory", "update_memory", "delete_memory"]
    assert all(attributes["gen_ai.operation.name"] == name for name, attributes in told)
    assert all(span.kind is SpanKind.INTERNAL for span in done)
    create, search = told[0][1], told[1][1]
    assert (create["gen_ai.memory.record.id"], create["gen_ai.memory.record.count"]) == ("x", 1)
    assert search["gen_ai.memory.record.count"] == 1
    assert ("fennec" in repr([span.to_json() for span in done])) is content
    if content:
        assert search["gen_ai.memory.query.text"] == "which fennec?"
        assert json.loads(str(search["gen_ai.memory.records"]))[0]["content"]["input"] == "I saw a fennec."


def test_an_error_is_named_by_its_kind(
    http: TestClient, alice: Headers, spans: InMemorySpanExporter, content: bool
) -> None:
    http.post("/v1/memories", json={"content": "fennec", "id": "x"}, headers=alice)
    http.post("/v1/memories", json={"content": "other fennec", "id": "x"}, headers=alice)
    failed = spans.get_finished_spans()[-1]
    assert (failed.attributes or {})["error.type"] == "EntryConflict"
    assert (failed.status.status_code, failed.status.description, failed.events) == (
        StatusCode.ERROR,
        None,
        (),
    )


def test_nothing_is_traced_where_the_package_is_not_installed() -> None:
    without = """
import sys
sys.modules["opentelemetry"] = None
from zerda.memory.rest.traces import Traces
with Traces(content=True).span("search_memory", query="x") as told:
    told.found([])
print("done")
"""
    ran = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=True)
    assert ran.stdout == "done\n"
