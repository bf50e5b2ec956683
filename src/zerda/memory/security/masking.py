"""Personal data and secrets out of a text, before anything keeps it: found, replaced, counted."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zerda.memory.errors import ConfigError

from .blocks import blocks
from .recognizers import RECOGNIZERS
from .recognizers.base import CERTAIN, Finder, Group, Hit, Number, Numbers, Pattern
from .recognizers.harmless import RECOGNIZER as HARMLESS
from .recognizers.key_value import KeyValue
from .recognizers.view import MASKED, PLACEHOLDER, View

# What lost its place to a value that overlapped it can be found once that value is gone, so we look again
# until nothing is found. Two rounds are usual, three are rare.
_ROUNDS = 5
_SHORTEST_NUMBER = 7  # Digits that a bare int must have to be looked at; no number kind has fewer.
_LEAD = 500  # Characters of the block before that may speak for a value; words reach less far.
_PIECE = re.compile(rf"[^\s{MASKED}](?:[^{MASKED}]*[^\s{MASKED}])?")
_LEFT_OUT = {code: None for code in range(128) if not (chr(code).isalnum() or chr(code) in "@_")}
_LABEL = re.compile(r"[A-Z][A-Z0-9_]{1,30}")


class Finding(NamedTuple):
    """Where something stands, ``text[start:end]``, and what it is. It never holds the value."""

    kind: str
    start: int
    end: int
    group: Group


@dataclass(slots=True)
class _Ledger:
    """The numbers given out within one call: the same value gets the same placeholder."""

    last: dict[str, int] = field(default_factory=dict)
    known: dict[tuple[str, str], str] = field(default_factory=dict)
    counts: MutableMapping[str, int] = field(default_factory=dict)
    vault: MutableMapping[str, str] | None = None

    def reserve(self, text: str) -> None:
        """Numbers that the text uses already are not given out again."""
        if "[" in text:
            for label, number in PLACEHOLDER.findall(text):
                self.last[label] = max(self.last.get(label, 0), int(number))

    def placeholder(self, kind: str, value: str) -> str:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        key = kind, _same(value)
        if key not in self.known:
            self.last[kind] = self.last.get(kind, 0) + 1
            self.known[key] = f"[{kind}_{self.last[kind]}]"
            if self.vault is not None:
                self.vault[self.known[key]] = value
        return self.known[key]


def _same(value: str) -> str:
    """What two ways of writing one value have in common."""
    if value.isascii() and "[" not in value:
        return value.lower().translate(_LEFT_OUT)
    return "".join(char for char in View(value).lower if char.isalnum() or char in "@_")


class SensitiveDataMasker:
    """Finds personal data and secrets and puts placeholders such as ``[EMAIL_1]`` in their place.

    Immutable, safe to share between threads, without any I/O; linear in the length of the text. Masking a
    second time changes nothing, and a text in which nothing is found comes back as the same object.
    Names and postal addresses are not found.

    Args:
        secrets: Look for passwords, keys and tokens.
        personal: Look for personal data.
        kinds: Only these kinds; None is all. ``SensitiveDataMasker.available()`` names them.
        allow: Values that stay: strings (compared without case, blanks and dashes) or compiled patterns,
            which must match the whole value.
        custom: More kinds, label to pattern. They run as they are: keep them linear.
        languages: Codes of the languages whose words may speak for a value; None is all.
        let_through: Kinds that stay as they are.
        recognizers: More kinds, as the package `recognizers` has them.
    """

    def __init__(
        self,
        *,
        secrets: bool = True,
        personal: bool = True,
        kinds: Collection[str] | None = None,
        allow: Iterable[str | re.Pattern[str]] = (),
        custom: Mapping[str, str | re.Pattern[str]] | None = None,
        languages: Collection[str] | None = None,
        let_through: Collection[str] = (),
        recognizers: Iterable[Finder | Number] = (),
    ) -> None:
        groups = {"secret"} if secrets else set[str]()
        groups |= {"personal"} if personal else set()
        more = tuple(recognizers)
        for each in more:
            _require_label(each.kind)
        given = (*RECOGNIZERS, *more, *(_custom(label, pattern) for label, pattern in (custom or {}).items()))
        _require_known("kinds", kinds or (), {each.kind for each in given})
        _require_known("let_through", let_through, {each.kind for each in given})
        chosen = [each for each in given if each.kind not in let_through and _is_chosen(each, groups, kinds)]
        numbers = Numbers([each for each in chosen if isinstance(each, Number)])
        finders: list[Finder] = [each for each in chosen if not isinstance(each, Number)]
        self._finders = tuple(finders)
        self._numbers = numbers
        self._groups: dict[str, Group] = {each.kind: each.group for each in chosen}
        self._keyed = tuple(each for each in chosen if isinstance(each, KeyValue))
        self._languages = None if languages is None else frozenset(languages)
        allowed = tuple(allow)
        self._allowed = frozenset(_same(value) for value in allowed if isinstance(value, str))
        self._allowed_patterns = tuple(value for value in allowed if not isinstance(value, str))

    @staticmethod
    def available() -> frozenset[str]:
        """The kinds that come with the library."""
        return frozenset(each.kind for each in RECOGNIZERS)

    @staticmethod
    def secrets() -> frozenset[str]:
        """Those of them that are passwords, keys and tokens."""
        return frozenset(each.kind for each in RECOGNIZERS if each.group == "secret")

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that this masker looks for."""
        return frozenset(self._groups)

    def find(self, text: str) -> list[Finding]:
        """What would be masked first, in order, without overlaps."""
        view = View(text, self._languages)
        return [
            Finding(hit.kind, *view.original(hit.start, hit.end), self._groups[hit.kind])
            for hit in self._hits(view)
            if not self._is_allowed(view.text[hit.start : hit.end])
        ]

    def has_sensitive_data(self, text: str) -> bool:
        return bool(self.find(text))

    def mask(self, text: str, *, vault: MutableMapping[str, str] | None = None) -> tuple[str, dict[str, int]]:
        """The text with placeholders, and how many values of each kind were replaced.

        ``vault``, if given, receives each placeholder with its value: it is then as secret as the text
        was. ``unmask`` puts the values back.
        """
        ledger = _Ledger(vault=vault)
        ledger.reserve(text)
        return self._mask(text, ledger), dict(ledger.counts)

    def mask_pieces(
        self, pieces: Iterable[str], counts: MutableMapping[str, int] | None = None
    ) -> Iterator[str]:
        """``mask`` for a text of any length that comes in pieces, such as a file: gives masked blocks.

        One numbering runs through all of it; distinct values are kept meanwhile. ``counts`` receives how
        many values of each kind were replaced so far. A placeholder far behind that was there before may
        meet a number that was given out already.
        """
        ledger = _Ledger(counts={} if counts is None else counts)
        lead = ""
        for block in blocks(pieces):
            ledger.reserve(block)
            masked = self._mask(block, ledger, lead)
            yield masked
            lead = masked[-_LEAD:]

    def mask_value(
        self, value: Any, *, vault: MutableMapping[str, str] | None = None
    ) -> tuple[Any, dict[str, int]]:
        """``mask`` for everything that JSON can hold, and tuples: keys and values, at any depth.

        A key speaks for its value, as in ``{"ssn": "078051120"}``. An int that is a value to mask becomes
        its placeholder. One numbering runs through the whole value.
        """
        ledger = _Ledger(vault=vault)
        for text in _texts(value):
            ledger.reserve(text)
        return self._mask_any(value, ledger, ""), dict(ledger.counts)

    mask_entry_content = mask_value

    def _mask_any(self, value: Any, ledger: _Ledger, key: str) -> Any:
        if isinstance(value, str):
            return self._mask_under(key, value, ledger)
        if isinstance(value, Mapping):
            return {
                self._mask_any(name, ledger, ""): self._mask_any(
                    held, ledger, name if isinstance(name, str) else key
                )
                for name, held in value.items()
            }
        if isinstance(value, (list, tuple)):
            return type(value)([self._mask_any(each, ledger, key) for each in value])
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and len(str(abs(value))) >= _SHORTEST_NUMBER
        ):
            masked = self._mask_under(key, str(value), ledger)
            return value if masked == str(value) else masked
        return value

    def _mask_under(self, key: str, value: str, ledger: _Ledger) -> str:
        """A value of a mapping: its key may name it."""
        for each in self._keyed:
            if key and each.names_key(key) and each.fair(value) and not self._is_allowed(value):
                return value if MASKED in View(value).text else ledger.placeholder(each.kind, value)
        return self._mask(value, ledger, f"{key}: " if key else "")

    def _mask(self, text: str, ledger: _Ledger, lead: str = "") -> str:
        for _ in range(_ROUNDS):
            found = [each for each in self.find(lead + text) if each.start >= len(lead)]
            if not found:
                break
            text = _replaced(text, found, len(lead), ledger)
        return text

    def _hits(self, view: View) -> list[Hit]:
        hits = list(self._numbers.find(view))
        for finder in self._finders:
            hits += finder.find(view)
        if not hits:
            return hits
        hits += HARMLESS.find(view)
        kept = [hit for hit in _resolved(hits) if hit.kind]
        return _around_placeholders(kept, view.text) if MASKED in view.text else kept

    def _is_allowed(self, value: str) -> bool:
        if not self._allowed and not self._allowed_patterns:
            return False
        return _same(value) in self._allowed or any(each.fullmatch(value) for each in self._allowed_patterns)


def unmask(text: str, vault: Mapping[str, str]) -> str:
    """The text with the values of ``vault`` back in place of their placeholders, in one pass."""
    return PLACEHOLDER.sub(lambda found: vault.get(found[0], found[0]), text)


def unmask_value(value: Any, vault: Mapping[str, str]) -> Any:
    """`unmask` for everything that JSON can hold, and tuples: keys and values, at any depth."""
    if isinstance(value, str):
        return unmask(value, vault)
    if isinstance(value, Mapping):
        return {unmask_value(name, vault): unmask_value(held, vault) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([unmask_value(each, vault) for each in value])
    return value


def _replaced(text: str, found: Iterable[Finding], skipped: int, ledger: _Ledger) -> str:
    parts: list[str] = []
    done = 0
    for each in found:
        start, end = each.start - skipped, each.end - skipped
        parts += (text[done:start], ledger.placeholder(each.kind, text[start:end]))
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _resolved(hits: list[Hit]) -> list[Hit]:
    """Of hits that overlap, the surest, then the longest; in order.

    One pass: what loses to a hit that then loses itself is found in the next round.
    """
    hits.sort()
    kept: list[Hit] = []
    for hit in hits:
        while kept and hit.start < kept[-1].end and _beats(hit, kept[-1]):
            kept.pop()
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _around_placeholders(hits: Iterable[Hit], text: str) -> list[Hit]:
    """A placeholder inside a hit stays as it is; what is around it goes."""
    return [
        hit._replace(start=hit.start + piece.start(), end=hit.start + piece.end())
        for hit in hits
        for piece in _PIECE.finditer(text[hit.start : hit.end])
    ]


def _beats(hit: Hit, other: Hit) -> bool:
    return (hit.rank, hit.end - hit.start) > (other.rank, other.end - other.start)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, held in value.items():
            yield from _texts(name)
            yield from _texts(held)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)


class _Custom(Pattern):
    """A kind of the caller's, which is looked for whatever the group."""


def _custom(label: str, pattern: str | re.Pattern[str]) -> Pattern:
    _require_label(label)
    try:
        return _Custom(label, re.compile(pattern), rank=CERTAIN + 1)
    except re.error as error:
        raise ConfigError(f"the pattern of {label} does not compile: {error}") from error


def _is_chosen(each: Finder | Number, groups: Collection[str], kinds: Collection[str] | None) -> bool:
    return isinstance(each, _Custom) or (each.group in groups and (kinds is None or each.kind in kinds))


def _require_label(label: str) -> None:
    if not _LABEL.fullmatch(label):
        raise ConfigError(f"custom label {label!r} cannot be a placeholder; write it as in CUSTOMER_NO")


def _require_known(what: str, kinds: Collection[str], known: set[str]) -> None:
    for kind in kinds:
        if kind not in known:
            raise ConfigError(f"{what} has {kind!r}; known are {', '.join(sorted(known))}")
