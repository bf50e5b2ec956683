"""A line of JSON for each request: what was asked and how it ended. No content, no ids of anybody."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import TextIO

REQUESTS = logging.getLogger("zerda.memory.rest.requests")


class JsonLines(logging.Formatter):
    """A record as a line of JSON; what a request's record carries stands in fields of its own."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__  # Its words might quote somebody.
        return json.dumps(told)


def to_stream(stream: TextIO) -> None:
    """Write our lines, and the server's own, to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    for name in ("zerda.memory", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.propagate = False
        log.setLevel(logging.INFO)
    # That access is open for a library concerns no server: it is strict, whatever the policy.
    logging.getLogger("zerda.memory.security.access").setLevel(logging.ERROR)
