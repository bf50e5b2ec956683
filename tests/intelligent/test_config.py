"""Every knob is checked when it is set."""

from dataclasses import fields
from pathlib import Path

import pytest

from zerda.memory import ConfigError, MemoryConfig
from zerda.memory.intelligent.config import _RULES


def test_the_defaults_work_and_every_setting_has_a_rule() -> None:
    assert MemoryConfig() == MemoryConfig()
    assert {field.name for field in fields(MemoryConfig)} == _RULES.keys()


@pytest.mark.parametrize(
    ("name", "value", "what_would_do"),
    [
        ("window_size", 0, "a whole number from 1"),
        ("window_size", 2.5, "a whole number from 1"),
        ("window_size", True, "a whole number from 1"),
        ("min_importance", 1.5, "a number from 0 to 1"),
        ("relevance_floor", "high", "a number from 0 to 1"),
        ("min_score", float("nan"), "a number from -1 to 1"),
        ("durability", "maybe", "one of 'full', 'relaxed'"),
        ("enable_decay", 1, "True or False"),
        ("persistence_path", "", "not empty"),
        ("access_policy", None, "one of 'open', 'strict'"),
    ],
)
def test_a_value_that_cannot_work_is_named_with_what_would_do(
    name: str, value: object, what_would_do: str
) -> None:
    with pytest.raises(ConfigError, match=f"{name} is .*{what_would_do}"):
        MemoryConfig(**{name: value})  # type: ignore[arg-type]


def test_an_environment_sets_what_it_names_and_nothing_else() -> None:
    env = {"ZERDA_WINDOW_SIZE": "7", "ZERDA_ENABLE_DECAY": "no", "ZERDA_MIN_SCORE": "0.2", "HOME": "x"}
    assert MemoryConfig.from_env(env) == MemoryConfig(window_size=7, enable_decay=False, min_score=0.2)
    with pytest.raises(ConfigError, match="window_size is 'many'"):
        MemoryConfig.from_env({"ZERDA_WINDOW_SIZE": "many"})
    with pytest.raises(ConfigError, match="enable_decay is 'perhaps'"):
        MemoryConfig.from_env({"ZERDA_ENABLE_DECAY": "perhaps"})


def test_a_file_sets_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "zerda.toml"
    path.write_text('[memory]\nwindow_size = 7\nembedding_model = "none"\n')
    assert MemoryConfig.from_file(path) == MemoryConfig(window_size=7, embedding_model="none")
    path.write_text("window_sise = 7")
    with pytest.raises(ConfigError, match="no setting is called 'window_sise'"):
        MemoryConfig.from_file(path)
    path.write_text("window_size = ")
    with pytest.raises(ConfigError, match=r"zerda\.toml"):
        MemoryConfig.from_file(path)
    with pytest.raises(ConfigError, match="missing"):
        MemoryConfig.from_file(tmp_path / "missing.toml")
