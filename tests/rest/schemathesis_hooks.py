"""Lets Schemathesis call for whom its key is: a valid body that names somebody names the key's own."""

from __future__ import annotations

from typing import Any

import schemathesis

HEADER = b'{"type":"header","format":"zerda.memory","version":1,"tenant_id":"acme"}\n'
OWN = {"tenant_id": "acme", "user_id": "root"}


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> Any:
    """An import is a body of lines."""
    return {"data": value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.path == "/v1/tenant/import":
        case.body = HEADER  # That it is an export, no schema can say.
    if isinstance(case.body, dict):
        case.body.update({name: value for name, value in OWN.items() if name in case.body})
        if "confirm" in case.body:
            case.body["confirm"] = OWN["tenant_id"]
        if case.body.get("until") and case.path in ("/v1/grants", "/v1/keys"):
            case.body["until"] = "2999-01-01T00:00:00Z"  # That an end is to come, no schema can say.
        if case.body.get("on_behalf_of") == case.body.get("principal"):
            case.body.pop("on_behalf_of", None)  # That two must differ, no schema can say.
        for note in case.body.get("notes", ()):
            if isinstance(note, dict):
                note.update({name: value for name, value in OWN.items() if name in note})
    if case.headers and "Zerda-For" in case.headers:
        case.headers["Zerda-For"] = "acme/root"
