"""Where a text may be cut without parting what a reader sees as one character."""

import unicodedata

_JOINER = "\u200d"
_NON_JOINER = "\u200c"
_AM = "\u0e33\u0eb3"  # Thai and Lao vowels that are letters to Unicode and marks to a reader.


def whole(text: str, end: int) -> int:
    """The end moved back to where no character of a reader is parted; 0 where there is no such place.

    After Unicode's extended grapheme clusters (UAX 29): marks, emoji joined, with tones or tags, flags,
    Hangul, conjuncts of Indic scripts, line ends of two. Where in doubt it cuts earlier.
    """
    while 0 < end < len(text) and _are_one(text[end - 1], text[end]):
        end -= 1
    return _whole_flag(text, end)


def _are_one(before: str, after: str) -> bool:
    if before.isascii() and after.isascii():
        return before == "\r" and after == "\n"
    return _extends(after) or before == _JOINER or _conjoins(before, after) or _is_hangul(before, after)


def _extends(char: str) -> bool:
    """Marks of any kind, joiners, skin tones, and the tags of a subdivision's flag."""
    return (
        unicodedata.category(char)[0] == "M"
        or char in (_JOINER, _NON_JOINER)
        or char in _AM
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _conjoins(before: str, after: str) -> bool:
    """A virama binds the letter after it."""
    return unicodedata.combining(before) == 9 and unicodedata.category(after) == "Lo"


def _is_hangul(before: str, after: str) -> bool:
    """Jamo of one syllable: leading, vowel, trailing; or a syllable and what still belongs to it."""
    if "\u1100" <= before <= "\u115f" or "\ua960" <= before <= "\ua97c":
        return "\u1100" <= after <= "\u11a7" or "\ua960" <= after <= "\ua97c" or "\uac00" <= after <= "\ud7a3"
    if "\u1160" <= before <= "\u11a7" or "\ud7b0" <= before <= "\ud7c6" or "\uac00" <= before <= "\ud7a3":
        return "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7fb"
    return ("\u11a8" <= before <= "\u11ff" or "\ud7cb" <= before <= "\ud7fb") and (
        "\u11a8" <= after <= "\u11ff" or "\ud7cb" <= after <= "\ud7fb"
    )


def _whole_flag(text: str, end: int) -> int:
    """A flag is two letters of a run of its own: cut between pairs."""
    if 0 < end < len(text) and _regional(text[end]):
        run = end
        while run > 0 and _regional(text[run - 1]):
            run -= 1
        end -= (end - run) % 2
    return end


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
