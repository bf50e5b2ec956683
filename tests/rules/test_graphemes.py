"""Nothing is cut inside what a reader sees as one character."""

from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.context.context_builder import ContextBuilder
from zerda.memory.core.rules.budget import cut
from zerda.memory.core.rules.chunking import chunks
from zerda.memory.core.rules.graphemes import whole

CHARACTERS = [
    "a", "é", "e\u0301", "n\u0303\u0320", "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🇺🇳", "❤️", "1️⃣", "x", "\r\n", "語",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "한", "\u1112\u1161\u11ab", "\u1100\u1161", "가\u11a8",
    "क्ष", "क्षि", "ष्ट्र", "नी", "क्\u200dष", "ก็", "กำ", "ש\u05c1\u05b8",
]  # fmt: skip


def places(characters: list[str]) -> set[int]:
    """Where a reader sees one character end."""
    ends, here = {0}, 0
    for one in characters:
        here += len(one)
        ends.add(here)
    return ends


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=12), st.integers(0, 60))
def test_an_end_is_moved_to_where_a_character_ends(characters: list[str], end: int) -> None:
    text = "".join(characters)
    moved = whole(text, min(end, len(text)))
    assert moved <= end
    assert moved in places(characters)


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=20))
def test_every_end_of_a_character_may_stay_where_it_is(characters: list[str]) -> None:
    """Otherwise a rule that always moved to 0 would pass; jamo and flags may join their neighbours."""
    spaced = [one + " " for one in characters]
    text = "".join(spaced)
    for end in places(spaced):
        assert whole(text, end) == end


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=60), st.integers(1, 40))
def test_a_text_cut_to_a_budget_ends_at_a_character(characters: list[str], tokens: int) -> None:
    text = "".join(characters)
    kept = cut(text, tokens, len, mark="…")
    assert len(kept) <= max(tokens, 0) or kept == ""
    if kept and kept != text:
        beginning = kept.removesuffix("…")
        assert text.startswith(beginning)
        after = len(beginning)
        assert after in places(characters) or text[after:].lstrip() != text[after:]


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1_000, max_size=1_010))
def test_a_long_text_without_spaces_is_chunked_at_characters(characters: list[str]) -> None:
    solid = [one for one in characters if not one.isspace()] * 2
    text = "".join(solid)
    ends = places(solid)
    for start, end in chunks(text):
        assert start in ends
        assert end in ends


@given(st.lists(st.sampled_from(CHARACTERS), min_size=200, max_size=400), st.integers(20, 120))
def test_a_document_is_cut_within_the_budget_and_at_a_character(characters: list[str], budget: int) -> None:
    # The tags of a subdivision's flag can hide text, so no context shows them.
    solid = [one for one in characters if not one.isspace() and "\U000e0067" not in one]
    context = ContextBuilder(budget).build(documents=[{"page_content": "".join(solid), "source": "talk.md"}])
    assert context.tokens <= budget
    assert context.truncated or "".join(solid) in context.full_text
    if context.full_text:
        assert "talk.md" in context.full_text
        shown = "".join(line.removeprefix("| ") for line in context.full_text.splitlines() if line[0] == "|")
        cleaned = shown.removesuffix(" …").rstrip()
        joined = "".join(solid)
        if joined.startswith(cleaned):
            assert len(cleaned) in places(solid)
