"""How text becomes words: one rule for what is stored and for what is asked.

Index tokens hold letters, digits and marks only. Whatever else a text contains (syntax of a search
engine, control characters, private-use characters) separates words, so no text can forge a token.
"""

import re
import threading
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

TEXT_RULE = "3"
"""Version of this rule. A store that recorded another one is indexed anew from its entries."""

MAX_TOKEN = 64  # Longer runs (keys, base64) are found by their beginning.

_MARKED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
_UNDECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ħ": "h", "ı": "i"})

# Scripts written without spaces (Han, kana, Hangul, Thai, Lao, Khmer, Burmese): no dictionary is needed
# when every run is indexed as its characters and its pairs of neighbouring characters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


COMPOUNDING = frozenset({"de", "nl"})
"""Languages that write a compound as one word: it is found by its parts as well."""

PART = 4  # Letters of a part of a compound, at least: a shorter one is found in every other word.
_JOINT = "\u02d1"  # A letter of its own, which no text folds to: where a compound goes on.


class _WordCharacters(dict[int, int]):
    """Maps a code point to itself where words are made of it, else to a space; filled as it is asked."""

    def __missing__(self, code: int) -> int:
        self[code] = code if unicodedata.category(chr(code))[0] in "LNM" else 32
        return self[code]


_word_characters = _WordCharacters()


class Tokens(NamedTuple):
    """What a text gives to a lexical index: its tokens in order, and how many words it has."""

    tokens: tuple[str, ...]
    length: int


def fold(text: str) -> str:
    """Fold what a reader takes for the same: width, case, ligatures, and marks on Latin, Greek, Cyrillic.

    Marks of other scripts (Arabic, Hindi, …) carry meaning and stay. Any string is taken.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", "".join(_unmarked(_lowered(text)))).translate(_UNDECOMPOSED)


def words(text: str) -> list[str]:
    """The folded words of a text, in order; a run of an unspaced script is one word."""
    return _split(fold(text))


def index_tokens(text: str, language: str | None = None, *, compounds: bool = False) -> Tokens:
    """Tokens of a stored text: each word folded, and its stem where that differs.

    ``language`` is a code of `zerda.memory.core.rules.languages` (None: English). With ``compounds``, a long
    word of a language that joins words has its beginnings and ends as tokens, too: which of them are words,
    whoever asks for one tells.
    """
    joining = compounds and language in COMPOUNDING
    tokens: list[str] = []
    length = 0
    for word in _split(_lowered(text)):
        if is_unspaced(word):
            run = fold(word)
            tokens += _characters_and_pairs(run)
            length += len(run)
        else:
            tokens += _forms(word, language)
            tokens += _joints(word, language) if joining else ()
            length += 1
    return Tokens(tuple(tokens), length)


def query_terms(
    text: str, language: str | None = None, *, without: Collection[str] = ()
) -> list[tuple[str, ...]]:
    """The words of a question, each as the index tokens that would match it.

    Words of ``without`` (folded: stop words, names) are left out, unless nothing else is asked; of a run
    of an unspaced script, the pairs that are in it.
    """
    asked = [(plain, forms) for word in _split(_lowered(text)) for plain, forms in _asked(word, language)]
    telling = [forms for plain, forms in asked if not _silent(plain, without)]
    return list(dict.fromkeys(telling or [forms for _, forms in asked]))


def is_unspaced(word: str) -> bool:
    """Whether a word of `words` is a run of a script that is written without spaces."""
    return _UNSPACED_CHAR.match(word) is not None


def stem(word: str, language: str | None = None) -> str:
    """The Snowball stem of a word in small letters, folded; the folded word where there is no stemmer.

    Marks are read before they are folded: Russian endings and Turkish vowels are not told without them.
    """
    return _stem(word, language or "en")


def _lowered(text: str) -> str:
    """The text in one width and case, its marks kept."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _split(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_WORD.findall(text)
    spaced = text.translate(_word_characters).split()
    return [run for word in spaced for run in _split_scripts(word)]


def _asked(word: str, language: str | None) -> list[tuple[str, tuple[str, ...]]]:
    """What a word asks for: itself folded, or a run's pairs, each with the tokens that would match it."""
    if is_unspaced(word):
        return [(pair, (pair,)) for pair in _pairs(fold(word))]
    plain = fold(word)
    # Whoever asks, or wrote, without marks is understood too.
    forms = (*_forms(word, language), *_forms(plain, language), *_forms(plain, None))
    if language in COMPOUNDING:
        heads = [form for form in _forms(word, language) if len(form) >= PART]
        forms = (*forms, *(joint for form in heads for joint in (form + _JOINT, _JOINT + form)))
    return [(plain, tuple(dict.fromkeys(forms)))]


@lru_cache(maxsize=50_000)
def _joints(word: str, language: str | None) -> tuple[str, ...]:
    """How a compound begins and ends, each way to part it in two; its end as written and as stem."""
    plain, *roots = _forms(word, language)
    if plain.isdigit():
        return ()
    begun = [plain[:cut] + _JOINT for cut in range(PART, len(plain) - PART + 1)]
    ends = [_JOINT + form[cut:] for form in (plain, *roots) for cut in range(PART, len(form) - PART + 1)]
    return tuple(dict.fromkeys((*begun, *ends)))


def parts_of(term: tuple[str, ...], language: str | None) -> tuple[str, ...]:
    """The tokens that would match a part of a compound that is asked for; none where it can have none."""
    if language not in COMPOUNDING:
        return ()
    root = min((token for token in term if _JOINT not in token), key=len)
    cuts = range(PART, len(root) - PART + 1)
    parts = dict.fromkeys(part for cut in cuts for part in (root[:cut], root[cut:]))
    return tuple(token for part in parts for token in (part, part + _JOINT, _JOINT + part))


def _silent(plain: str, without: Collection[str]) -> bool:
    """Whether a word is one of these, or a pair of two of them."""
    return plain in without or (is_unspaced(plain) and all(char in without for char in plain))


def _unmarked(folded: str) -> Iterator[str]:
    marked = False
    for char in unicodedata.normalize("NFD", folded):
        if unicodedata.combining(char):
            if not marked:
                yield char
        else:
            marked = _carries_plain_marks(char)
            yield char


@lru_cache(maxsize=4096)
def _carries_plain_marks(char: str) -> bool:
    return unicodedata.name(char, "").startswith(_MARKED_SCRIPTS)


def _split_scripts(word: str) -> list[str]:
    return [word] if word.isascii() else _RUNS.findall(word)


@lru_cache(maxsize=50_000)
def _forms(word: str, language: str | None) -> tuple[str, ...]:
    plain, root = fold(word)[:MAX_TOKEN], stem(word[:MAX_TOKEN], language)
    return (plain,) if root == plain else (plain, root)


def _characters_and_pairs(run: str) -> list[str]:
    return [*run, *(run[i : i + 2] for i in range(len(run) - 1))]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


class _Stemmers(threading.local):
    """A thread's own stemmers: each keeps its word in itself, and a lock could hang a forked child."""

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}

    def of(self, language: str) -> Any:
        if language not in self.made:
            self.made[language] = _new_stemmer(language)
        return self.made[language]


_stemmers = _Stemmers()


@lru_cache(maxsize=50_000)
def _stem(word: str, language: str) -> str:
    stemmer = _stemmers.of(language)
    if stemmer is None or word.isdigit():
        return fold(word)
    return fold(stemmer.stemWord(word)) or fold(word)


def _new_stemmer(language: str) -> Any:
    import snowballstemmer

    name = SNOWBALL.get(language)
    return snowballstemmer.stemmer(name) if name else None


SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip
"""Languages that have a Snowball stemmer, by code."""
