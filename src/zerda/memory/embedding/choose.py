"""Embedders by name, as a configuration gives them.

To add one, add its entry to ``EMBEDDERS``: a name, or a beginning that ends in a colon, and how to make it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qsl

from ..errors import ConfigError

if TYPE_CHECKING:
    from ..core.model import Role
    from ..core.seams import Embedder
    from .onnx_model import Pooling


@dataclass(frozen=True, slots=True)
class Options:
    """What a configuration adds to a name. ``threads`` is for models on this machine."""

    api_key: str | None = None
    timeout_seconds: float = 10.0
    threads: int = 1


Maker = Callable[[str, Options], "Embedder | None"]
"""Makes an embedder from what follows the beginning of its name (a whole name leaves nothing)."""


QUESTIONS: tuple[Role, ...] = ("query",)


def embedder_named(
    name: str,
    *,
    cache_size: int = 0,
    api_key: str | None = None,
    timeout_seconds: float = 10.0,
    threads: int = 1,
) -> Embedder | None:
    """The embedder of that name; None for "none", and for "auto" where nothing is at hand.

    Names: ``auto``, ``none``, ``static``, ``local`` (also ``all-MiniLM-L6-v2`` and
    ``sentence-transformers/all-MiniLM-L6-v2``), ``folder:PATH``, ``openai:MODEL@BASE_URL``,
    ``sentence-transformers:PATH``. A folder takes ``?pooling=cls&query_prefix=query:+&passage_prefix=…``.
    With a ``cache_size``, that many vectors are remembered. No model is loaded and no endpoint asked yet.

    Raises:
        ConfigError: for any other name; the message lists what would do.
        MissingExtra: for an embedder whose packages are not installed.
    """
    maker, rest = _found(name)
    made = maker(rest, Options(api_key, timeout_seconds, threads))
    if made is None or not cache_size:
        return made
    from .cached import CachedEmbedder

    return CachedEmbedder(made, cache_size, roles=QUESTIONS)


def _found(name: str) -> tuple[Maker, str]:
    if name in EMBEDDERS and not name.endswith(":"):
        return EMBEDDERS[name], ""
    beginning, colon, rest = name.partition(":")
    if rest and (maker := EMBEDDERS.get(beginning + colon)):
        return maker, rest
    raise ConfigError(f"no embedder is named {name!r}; these are: {', '.join(_usages())}")


def _usages() -> list[str]:
    return [_REST.get(name, name) for name in EMBEDDERS]


def _auto(rest: str, options: Options) -> Embedder | None:
    if _static_is_here():
        return _static(rest, options)
    return _local(rest, options) if _local_is_here() else None


def _none(rest: str, options: Options) -> None:
    return None


def _static(rest: str, options: Options) -> Embedder:
    from .static import ENGLISH, StaticEmbedder

    return StaticEmbedder(Path(rest) if rest else ENGLISH)


def _static_is_here() -> bool:
    if util.find_spec(f"{__package__}.static") is None:
        return False
    from .static import ENGLISH

    return ENGLISH.is_file()


def _local(rest: str, options: Options) -> Embedder:
    from .local import LocalEmbedder

    return LocalEmbedder(threads=options.threads)


def _local_is_here() -> bool:
    from .onnx_model import MINILM_WHEEL

    packages = all(util.find_spec(package) for package in ("onnxruntime", "tokenizers"))
    return packages and any(metadata.distributions(name=MINILM_WHEEL))


def _folder(rest: str, options: Options) -> Embedder:
    from .local import LocalEmbedder

    path, _, query = rest.partition("?")
    settings = dict(parse_qsl(query, keep_blank_values=True))
    if strange := settings.keys() - {"pooling", "query_prefix", "passage_prefix"}:
        raise ConfigError(
            f"a folder has no setting {', '.join(sorted(strange))}; "
            "it has pooling, query_prefix and passage_prefix"
        )
    return LocalEmbedder.from_folder(
        path,
        pooling=cast("Pooling", settings.get("pooling", "mean")),  # Checked when the embedder is made.
        query_prefix=settings.get("query_prefix", ""),
        passage_prefix=settings.get("passage_prefix", ""),
        threads=options.threads,
    )


_ENDPOINT = re.compile(r"(?P<model>.+)@(?P<base_url>https?://.+)")


def _openai(rest: str, options: Options) -> Embedder:
    from .openai import OpenAIEmbedder

    if not (found := _ENDPOINT.fullmatch(rest)):
        raise ConfigError(f"the endpoint {rest!r} is not MODEL@BASE_URL, such as m@http://localhost:11434/v1")
    return OpenAIEmbedder(
        found["base_url"], found["model"], api_key=options.api_key, timeout_seconds=options.timeout_seconds
    )


def _sentence_transformers(rest: str, options: Options) -> Embedder:
    from .sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(rest)


EMBEDDERS: Mapping[str, Maker] = {
    "auto": _auto,
    "none": _none,
    "static": _static,
    "static:": _static,
    "local": _local,
    "all-MiniLM-L6-v2": _local,
    "sentence-transformers/all-MiniLM-L6-v2": _local,
    "folder:": _folder,
    "openai:": _openai,
    "sentence-transformers:": _sentence_transformers,
}

_REST = {
    "static:": "static:PATH",
    "folder:": "folder:PATH",
    "openai:": "openai:MODEL@BASE_URL",
    "sentence-transformers:": "sentence-transformers:PATH",
}
