"""A text in blocks: nothing is lost, and a key stays whole."""

from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.security.blocks import LONGEST, blocks, place_to_cut

BEGIN, END = "-----BEGIN X-----", "-----END X-----"


@given(
    st.lists(st.sampled_from(["a", "word ", "line\n", "end\n\n", BEGIN, END]), max_size=40),
    st.integers(1, 40),
)
def test_the_blocks_are_the_text(pieces: list[str], size: int) -> None:
    assert "".join(blocks(pieces, size)) == "".join(pieces)


@given(st.integers(0, 200), st.integers(8, 64))
def test_a_key_is_in_one_block(before: int, size: int) -> None:
    key = BEGIN + "\n" + "QUFB\n" * 30 + END + "\n"
    text = "a b\n" * before + key + "c d\n" * 20
    assert any(key in block for block in blocks([text[at : at + 7] for at in range(0, len(text), 7)], size))


def test_a_text_without_a_gap_is_cut_all_the_same() -> None:
    assert list(map(len, blocks(["x" * (LONGEST - 1), "xx"]))) == [LONGEST + 1]
    assert list(map(len, blocks(["x" * LONGEST, "y"]))) == [LONGEST, 1]


def test_paragraphs_come_before_lines_and_lines_before_words() -> None:
    assert place_to_cut("a b\nc d\n\ne f\ng h") == len("a b\nc d\n\n")
    assert place_to_cut("a b\nc d") == len("a b\n")
    assert place_to_cut("a b") == len("a ")
    assert place_to_cut("ab") == 0
