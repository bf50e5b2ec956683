"""The forms a recognizer can take. Most kinds are one value of one of these forms."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from .view import Run, View, Words

Group = Literal["personal", "secret"]


class Hit(NamedTuple):
    """A place in the clean text, and how sure we are; where places overlap, the higher ``rank`` wins.

    An empty ``kind`` says that the place is known to be harmless: it wins like any other, and stays.
    """

    start: int
    end: int
    rank: float
    kind: str


# How sure a form of writing makes us. A word nearby adds up to NEARNESS, so that of two readings of the
# same digits the one whose word is nearer wins.
CERTAIN, PROVEN, LIKELY, SPOKEN_FOR, WEAK = 90.0, 75.0, 60.0, 50.0, 30.0
NEARNESS = 9.0


def nearness(distance: int) -> float:
    return NEARNESS / (1 + distance)


class Recognizer(Protocol):
    """What the masker needs of a kind."""

    @property
    def kind(self) -> str: ...
    @property
    def group(self) -> Group: ...


class Finder(Recognizer, Protocol):
    """A kind that searches by itself."""

    def find(self, view: View) -> Iterable[Hit]: ...


def _always(_match: re.Match[str]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind with a shape of its own.

    ``pattern`` must take linear time on any text. It runs only if the text has ``digits`` digits and one
    of the lower-case ``hints``. ``context`` words are required if given, unless ``evident`` says that the
    match needs none. A named group ``value`` narrows what is masked.
    """

    kind: str
    pattern: re.Pattern[str]
    group: Group = "personal"
    rank: float = PROVEN
    hints: tuple[str, ...] = ()
    digits: int = 0
    valid: Callable[[re.Match[str]], bool] = _always
    context: Words | None = None
    evident: Callable[[re.Match[str]], bool] | None = None

    def find(self, view: View) -> Iterator[Hit]:
        if not self._possible(view):
            return
        part = "value" if "value" in self.pattern.groupindex else 0
        for match in self.pattern.finditer(view.text):
            start, end = match.span(part)
            rank = self._rank(view, match, start, end)
            if rank and self.valid(match):
                yield Hit(start, end, rank, self.kind)

    def _possible(self, view: View) -> bool:
        if self.digits and view.digits < self.digits:
            return False
        if self.hints and not any(hint in view.lower for hint in self.hints):
            return False
        return self.context is None or self.evident is not None or view.has(self.context)

    def _rank(self, view: View, match: re.Match[str], start: int, end: int) -> float:
        if self.context is None:
            return self.rank
        distance = view.speaks_for(self.context, start, end)
        if distance is not None:
            return self.rank + nearness(distance)
        return self.rank if self.evident is not None and self.evident(match) else 0.0


@dataclass(frozen=True, slots=True)
class Keyed:
    """A kind that begins with a literal: a vendor's prefix, a key's name.

    Only where one of the lower-case ``keys`` stands is ``pattern`` tried, from that place on; after a match
    the search goes on behind it, so no part of the text is read twice.
    """

    kind: str
    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    group: Group = "secret"
    rank: float = CERTAIN
    valid: Callable[[re.Match[str]], bool] = _always
    joined: str = r"[0-9A-Za-z_-]"
    _edge: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_edge", re.compile(self.joined) if self.joined else re.compile(r"(?!)"))

    def find(self, view: View) -> Iterator[Hit]:
        text, part = view.text, "value" if "value" in self.pattern.groupindex else 0
        for key in self.keys:
            if key not in view.lower:
                continue
            done = 0
            for at in view.find_all(key):
                if at < done or (at and self._edge.match(text[at - 1])):
                    continue
                match = self.pattern.match(text, at)
                if match and self.valid(match):
                    done = match.end()
                    yield Hit(*match.span(part), self.rank, self.kind)


def _any_digits(_digits: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Number:
    """A kind made of digits alone. A shape is written as in ``"3-2-4"``: groups and what separates them.

    ``sure`` shapes need only the check; ``plain`` ones also that no word makes them harmless; ``loose``
    ones, and the groups of any shape with other separators, need a word that speaks for them. ``valid``
    gets the bare digits.
    """

    kind: str
    valid: Callable[[str], bool] = _any_digits
    sure: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    context: Words | None = None
    group: Group = "personal"

    @property
    def shapes(self) -> tuple[str, ...]:
        return (*self.sure, *self.plain, *self.loose)

    def rank(self, view: View, shape: str, start: int, end: int) -> float:
        """How sure these digits are this kind, the check left out; 0 if they are not."""
        distance = None if self.context is None else view.speaks_for(self.context, start, end)
        bonus = 0.0 if distance is None else nearness(distance)
        if shape in self.sure:
            return PROVEN + bonus
        if shape in self.plain and (distance is not None or not view.refuses(start)):
            return LIKELY + bonus
        return 0.0 if distance is None else SPOKEN_FOR + bonus


_LENGTHS = re.compile(r"[0-9]+")
_MONEY = "$€£¥₹₽₩%"


def _groups(shape: str) -> tuple[int, ...]:
    return tuple(map(int, _LENGTHS.findall(shape)))


class Numbers:
    """All number kinds at once: one walk over the runs of digits, each window shown to those it could be.

    The work is linear: a window is at most as many groups as the longest shape has.
    """

    def __init__(self, kinds: Sequence[Number]) -> None:
        self._kinds: dict[tuple[int, ...], list[Number]] = {}
        self._by_total: dict[int, list[Number]] = {}
        for number in kinds:
            for groups in {_groups(shape): None for shape in number.shapes}:
                self._kinds.setdefault(groups, []).append(number)
            for total in {sum(_groups(shape)): None for shape in number.shapes}:
                self._by_total.setdefault(total, []).append(number)
        self._prefixes = {groups[:size] for groups in self._kinds for size in range(1, len(groups) + 1)}

    def find(self, view: View) -> Iterator[Hit]:
        if not self._kinds or view.digits < 7:  # The shortest number kind has eight, a run seven.
            return
        for run in view.runs:
            yield from self._in_run(view, run)

    def _in_run(self, view: View, run: Run) -> Iterator[Hit]:
        found = False
        first = 0
        while first < len(run.lengths):
            hits, used = self._windows(view, run, first)
            found = found or bool(hits)
            yield from hits
            first += used
        if not found and len(run.lengths) > 1 and len(run.digits) in self._by_total:
            yield from self._spelled(view, run)

    def _windows(self, view: View, run: Run, first: int) -> tuple[list[Hit], int]:
        """The hits of the longest window that begins with this group, and how many groups it used."""
        if first and run.joints[first - 1] != " ":
            return [], 1
        for last in range(self._reach(run, first), first - 1, -1):
            if last + 1 < len(run.lengths) and run.joints[last] != " ":
                continue
            hits = self._judge(view, run, first, last)
            if hits:
                return hits, last - first + 1
        return [], 1

    def _reach(self, run: Run, first: int) -> int:
        last = first
        while last < len(run.lengths) and run.lengths[first : last + 1] in self._prefixes:
            last += 1
        return last - 1

    def _judge(self, view: View, run: Run, first: int, last: int) -> list[Hit]:
        kinds = self._kinds.get(run.lengths[first : last + 1])
        if not kinds:
            return []
        start, end = run.span(first, last)
        written = view.text[start:end]
        digits = written if first == last else "".join(_LENGTHS.findall(written))
        return list(self._hits(view, kinds, _shape(run, first, last), digits, start, end))

    def _spelled(self, view: View, run: Run) -> Iterator[Hit]:
        """A whole run in unheard-of groups ("4 1 1 1 …"): only with a word that speaks for it."""
        kinds = self._by_total[len(run.digits)]
        yield from self._hits(view, kinds, "", run.digits, run.start, run.end)

    def _hits(
        self, view: View, kinds: Sequence[Number], shape: str, digits: str, start: int, end: int
    ) -> Iterator[Hit]:
        edge = _edge(view.text, start, end)
        if edge is None:
            return
        for number in kinds:
            if edge and (number.context is None or view.before(number.context, start, 0) is None):
                continue
            rank = number.rank(view, shape, start, end)
            if rank and number.valid(digits):
                yield Hit(start, end, rank, number.kind)


def _edge(text: str, start: int, end: int) -> bool | None:
    """None: the neighbours forbid a number here. True: a letter touches it, so its word must speak for it."""
    before, after = text[start - 1] if start else " ", text[end] if end < len(text) else " "
    if before in _MONEY or before in "+#" or after in _MONEY:
        return None
    if after.isascii() and after.isalpha():
        return None
    return before.isascii() and before.isalpha()


def _shape(run: Run, first: int, last: int) -> str:
    if first == last:
        return str(run.lengths[first])
    parts = [str(run.lengths[first])]
    for at in range(first, last):
        parts += (run.joints[at], str(run.lengths[at + 1]))
    return "".join(parts)
