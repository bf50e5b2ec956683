"""The OpenAPI document, and Schemathesis, which calls every operation as it says.

With ZERDA_PROOFS=full every phase and more examples. A stream never ends, so that `changes` is left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calls import CALLS
from serving_here import serving
from starlette.testclient import TestClient

from zerda.memory import AIMemoryManager

HERE = Path(__file__).parent
FULL = os.environ.get("ZERDA_PROOFS") == "full"
PHASES, EXAMPLES = ("examples,coverage,fuzzing,stateful", 30) if FULL else ("fuzzing,stateful", 2)
SEED = 7
DEADLINE_SECONDS = 3_000  # Only so that a run that hangs ends.


def test_schemathesis_finds_nothing_with_all_its_checks(
    library: AIMemoryManager, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    key = library.create_key("root", "acme", "admin").secret
    with serving(library, requests_per_minute=0, max_body_bytes=64 * 1_048_576) as url:
        ran = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")), "run", f"{url}/openapi.json",
                "--header", f"Authorization: Bearer {key}", "--checks", "all", "--phases", PHASES,
                "--max-examples", str(EXAMPLES), "--seed", str(SEED), "--exclude-operation-id", "changes",
                "--continue-on-failure", "--no-shrink", "--no-color", "--request-timeout", "60",
            ],
            cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": str(HERE)},
        )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-2_000:]
    told = re.search(r"Tested: +(\d+)", ran.stdout)
    assert told is not None
    assert int(told[1]) == len(CALLS) - 1
    cases = re.search(r"(\d+) generated", ran.stdout)
    assert cases is not None
    record_property("promise", f"Schemathesis calls {told[1]} operations of the server with all its checks")
    record_property("seen", f"{int(cases[1]):,} cases, no failure")


def test_every_operation_tells_its_errors_its_name_and_its_key(http: TestClient) -> None:
    document: dict[str, Any] = http.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for path, item in document["paths"].items():
        for operation in item.values():
            assert re.fullmatch("[a-z_]+", operation["operationId"])
            assert operation["summary"]
            open_to_all = path in ("/healthz", "/readyz")
            assert {"400", "401", "403", "413", "421", "422", "429", "500", "503"} <= operation[
                "responses"
            ].keys()
            assert ("security" in operation) is not open_to_all, path
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert [*answer["content"]] == ["application/problem+json"], (path, status)


def test_the_document_loads_nothing_from_elsewhere(http: TestClient) -> None:
    """Pages that show a document load their scripts from somewhere; there is none here."""
    assert [http.get(path).status_code for path in ("/docs", "/redoc")] == [404, 404]
