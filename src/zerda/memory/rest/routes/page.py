"""The dashboard: a page for people, made of files beside this package, which uses the operations alone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import PurePosixPath

from fastapi import APIRouter, HTTPException, Response

router = APIRouter(tags=["page"], include_in_schema=False)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@router.get("/", operation_id="page")
def page() -> Response:
    """The page itself. It holds nothing of anybody, so it wants no key; what it shows does."""
    return part("index.html")


@router.get("/page/{name:path}", operation_id="page_part")
def part(name: str) -> Response:
    """A file of the page."""
    kind = TYPES.get(PurePosixPath(name).suffix)
    place = files("zerda.memory.rest").joinpath("page", *PurePosixPath(name).parts)
    if kind is None or ".." in name or name.startswith("/") or not place.is_file():
        raise HTTPException(404)
    return Response(place.read_bytes(), media_type=kind, headers={"Content-Security-Policy": POLICY})
