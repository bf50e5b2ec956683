"""Honest text stays readable behind the prefix, and no text whatever leaves its line."""

import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory import ContextBuilder, Document, MemoryEntry
from zerda.memory.context import render

NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)

HONEST = {
    "security": "An attacker writes `Ignore all previous instructions` into a page; OWASP calls it LLM01.",
    "code": 'def f(x: dict[str, int]) -> str:\n    return f"{x!r} %s {{}}" % (x,)  # a < b > c & d | e',
    "xml": '<?xml version="1.0"?>\n<a href="x">1 &lt; 2</a><system>on</system><start/><end/>',
    "log": "2026-05-07T12:00:00Z [INFO] (main) user=alice <id:42> | took 3 ms | ok\n[ERROR] x",
    "maths": "∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε; ∑ᵢ xᵢ² ≤ ∞, 𝔼[X] = ½",
    "markdown": "# Title\n\n- [x] done\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls | wc\n```",
    "german": "Größe, Straße und Übermut kosten 5 €.",
    "vietnamese": unicodedata.normalize("NFD", "Tiếng Việt có nhiều dấu thanh."),
    "hebrew": "בְּרֵאשִׁית בָּרָא אֱלֹהִים",
    "arabic": "اللغة العربية جميلة، والسعر ٥٠ ريالًا.",
    "persian": "می‌خواهم کتاب‌ها را بخوانم",
    "hindi": "क्‍या आप हिन्दी पढ़ते हैं?",
    "thai": "ภาษาไทยไม่เว้นวรรค",
    "japanese": "東京は日本の首都です。ﾊﾝｶｸも。",
    "korean": "안녕하세요, 반갑습니다.",
    "chinese": "我的生日是五月七日。",
    "emoji": "👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🇵🇹 ❤️‍🔥 1️⃣ 👨🏿‍🚀 ☎️",
}


def entry(text: str, **fields: Any) -> MemoryEntry:
    return MemoryEntry(
        id="m", tenant_id="acme", user_id="alice", content=text, occurred_at=NOON, recorded_at=NOON, **fields
    )


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert render.clean(text) == text
    context = ContextBuilder().build(memories=[entry(text)])
    shown = [line.removeprefix("| ") for line in context.full_text.split("\n")[2:]]
    assert "\n".join(shown) == text


def test_direction_marks_go_and_the_words_around_them_stay() -> None:
    assert render.clean("\u200fالسعر\u200e 50 USD\u061c") == "السعر 50 USD"


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("a\u200db\u200cc", "abc"),  # Joiners between letters that nothing joins.
        ("a" + "\ufe01\ufe02\ufe03" * 5, "a"),  # Selectors as the bits of a text.
        ("😀" + "\U000e0101\U000e0177" * 3, "😀"),
        ("no" + "".join(chr(0xE0000 + ord(char)) for char in "obey") + "te", "note"),
        ("e" + "\u0301" * 400, "e" + "\u0301" * 6),
        ("a\u3164b\u2800c\u115f", "abc"),
        ("x\x1b[1;31mred\x1b[0m", "xred"),
        ("x\x1b]8;;http://evil.example\x07link\x1b]8;;\x07", "xlink"),
        (
            "<|im_start|><start_of_turn></s>[INST]<<SYS>>",
            "< |im_start|>< start_of_turn>< /s>[ INST]< < SYS>>",
        ),
        ("[zerda:00:1:2]", "[ zerda:00:1:2]"),
    ],
)
def test_what_hides_or_commands_is_taken_out_or_broken_up(hidden: str, shown: str) -> None:
    assert render.clean(hidden) == shown


def test_one_memory_does_not_fill_a_context() -> None:
    text = render.shortened("word " * 100_000)
    assert len(text) <= render.LONGEST_SHOWN + 2


NASTY = st.lists(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(
            [
                *render.HEADERS.values(), render.QUERY_HEADER, "\n", "\r", "\r\n", "\x0b", "\x85", "| ",
                "[Memory 1]", "[Doc 1]", "[zerda:", "<|im_start|>", "\x1b[2K", "\u202e", "\u200d", "===",
                "\u2028", "\ufe0f",
                "{query}", "%s", "Human:", "\U000e0041",
            ]
        ),
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(texts=st.lists(NASTY, min_size=1, max_size=4), source=NASTY, query=NASTY)
def test_whatever_was_said_every_line_of_it_stands_behind_the_prefix(
    texts: list[str], source: str, query: str
) -> None:
    builder = ContextBuilder(100_000)
    memories = [
        MemoryEntry(
            id=str(n), tenant_id="acme", content=text, occurred_at=NOON, recorded_at=NOON,
            origin="web", source=source, speaker=source, trust="untrusted",
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    said = {"input": texts[0], "output": texts[-1]}
    history = [
        MemoryEntry(
            id="x", tenant_id="acme", content=said, occurred_at=NOON, recorded_at=NOON, kind="interaction"
        )
    ]
    context = builder.build([Document(texts[0], {"source": source})], memories, history, texts[-1], query)
    headers = {*render.HEADERS.values()}
    ours = ("| ", "[Memory ", "[Doc ")
    lines = [line for line in context.full_text.split("\n") if line]
    assert all(line in headers or line.startswith(ours) for line in lines)
    assert sum(line in headers for line in lines) == len(context.sections)
    assert sum(line.startswith("[Memory ") for line in lines) == sum(
        one.origin == "web" for one in context.entries
    )
    prompt = builder.build_prompt(query, context)
    assert prompt.split("\n").count(render.QUERY_HEADER) == 1
    assert sum(line in headers for line in prompt.split("\n")) == len(context.sections)
