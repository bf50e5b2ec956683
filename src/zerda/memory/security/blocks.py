"""A long text in blocks, cut where no value is cut in two."""

from collections.abc import Iterable, Iterator

BLOCK = 65_536
"""Characters from which on a block is given out, so that a file of any length fits into memory."""

LONGEST = 16 * BLOCK
"""Characters without a place to cut, such as one word, after which it is cut all the same."""

_BEGIN, _END = "-----BEGIN ", "-----END "


def blocks(pieces: Iterable[str], size: int = BLOCK) -> Iterator[str]:
    """The text of the pieces in blocks of about ``size`` characters: paragraphs, else lines, else words.

    A key between ``-----BEGIN`` and ``-----END`` stays whole.
    """
    waiting, wanted = "", size
    for piece in pieces:
        waiting += piece
        while len(waiting) >= wanted:
            cut = place_to_cut(waiting)
            if not cut and len(waiting) < LONGEST:
                wanted = len(waiting) + size
                break
            cut = cut or len(waiting)
            yield waiting[:cut]
            waiting, wanted = waiting[cut:], size
    if waiting:
        yield waiting


def place_to_cut(text: str) -> int:
    """Behind the last paragraph, else line, else word that no key goes on behind; 0 where there is none."""
    end = len(text)
    while end > 0:
        cut = _last_gap(text, end)
        begun = text.rfind(_BEGIN, 0, cut)
        if begun < 0 or _END in text[begun:cut]:
            return cut
        end = begun
    return 0


def _last_gap(text: str, end: int) -> int:
    for gap in ("\n\n", "\n", " "):
        at = text.rfind(gap, 0, end)
        if at >= 0:
            return at + len(gap)
    return 0
