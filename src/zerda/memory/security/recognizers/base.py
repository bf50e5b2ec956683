"""The forms a recognizer can take. Most kinds are one value of one of these forms."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
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
CERTAIN, PROVEN, LIKELY, SPOKEN_FOR, UNSPOKEN = 90.0, 75.0, 60.0, 50.0, 49.5
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

    def rank(self, view: View, form: "_Form", digits: str, start: int, end: int) -> float:
        """How sure these digits are this kind; 0 if they are not. What is not loose is known to be valid."""
        distance = None if self.context is None else view.speaks_for(self.context, start, end)
        bonus = 0.0 if distance is None else nearness(distance)
        if form is _Form.SURE:
            return PROVEN + bonus
        if form is _Form.PLAIN and distance is None:
            return 0.0 if view.refuses(start) else UNSPOKEN
        if form is _Form.PLAIN:
            return LIKELY + bonus
        return 0.0 if distance is None or not self.valid(digits) else SPOKEN_FOR + bonus


class _Form(Enum):
    SURE = 1
    PLAIN = 2
    LOOSE = 3


_LENGTHS = re.compile(r"[0-9]+")
_JOINTS = re.compile(r"[^0-9]")
_MONEY = "$€£¥₹₽₩%"
_FORBIDDEN = _MONEY + "+#"
_BLANKS = " \n"
_A_TABLE = 2000  # From so many digits on it pays to know at once where no word speaks for any kind.
_MOST_SPELLED = 40  # Groups of one number that is written digit by digit, with room to spare.

_Joints = tuple[str, ...]
_Reading = tuple[Number, dict[_Joints, _Form]]
_Candidate = tuple[Number, "_Form"]
_Window = tuple[int, tuple[_Candidate, ...], bool]
"""How many groups, what they may be in this form, and whether all of it needs a word nearby."""
_Known = dict[tuple[tuple[int, ...], _Joints], tuple[_Window, ...]]


@dataclass(slots=True)
class _Node:
    """Where groups of certain lengths lead: to longer shapes, and to the kinds that end here."""

    longer: dict[int, "_Node"] = field(default_factory=dict)
    readings: list[_Reading] = field(default_factory=list)


class Numbers:
    """All number kinds at once: one walk over the runs of digits, each window shown to those it could be.

    The work is linear: a window is at most as many groups as the longest shape has.
    """

    def __init__(self, kinds: Sequence[Number]) -> None:
        self._root = _Node()
        self._by_total: dict[int, list[_Reading]] = {}
        self._contexts = tuple(number.context for number in kinds if number.context is not None)
        self._longest = 1
        for number in kinds:
            self._plant(number)

    def _plant(self, number: Number) -> None:
        forms: dict[tuple[int, ...], dict[_Joints, _Form]] = {}
        written = ((_Form.SURE, number.sure), (_Form.PLAIN, number.plain), (_Form.LOOSE, number.loose))
        for form, shapes in written:
            for shape in shapes:
                lengths = tuple(map(int, _LENGTHS.findall(shape)))
                forms.setdefault(lengths, {})[tuple(_JOINTS.findall(shape))] = form
        for lengths, joints in forms.items():
            self._longest = max(self._longest, len(lengths))
            node = self._root
            for length in lengths:
                node = node.longer.setdefault(length, _Node())
            node.readings.append((number, joints))
        for total in dict.fromkeys(map(sum, forms)):
            self._by_total.setdefault(total, []).append((number, {}))

    def find(self, view: View) -> list[Hit]:
        hits: list[Hit] = []
        if self._root.longer and view.digits >= 7:  # The shortest number kind has eight, a run seven.
            if view.digits >= _A_TABLE:
                view.listen_for(self._contexts)
            windows: _Known = {}  # A table repeats its forms.
            for run in view.runs:
                self._walk(view, run, windows, hits)
        return hits

    def _walk(self, view: View, run: Run, windows: "_Known", hits: list[Hit]) -> None:
        known, first, groups = len(hits), 0, len(run.lengths)
        root, lengths, joints = self._root.longer, run.lengths, run.joints
        while first < groups:
            # A quick look at two groups; most of a long table ends here.
            node = root.get(lengths[first])
            if (
                node is None
                or (first and joints[first - 1] != " ")
                or not (node.readings or (first + 1 < groups and lengths[first + 1] in node.longer))
            ):
                first += 1
            else:
                first += self._step(view, run, first, windows, hits)
        if len(hits) == known and 1 < groups <= _MOST_SPELLED and len(run.digits) in self._by_total:
            readings = self._by_total[len(run.digits)]  # "4 1 1 1 …": only with a word that speaks for it.
            _judge(view, _in_form(readings, ()), run.digits, run.start, run.end, hits)

    def _step(self, view: View, run: Run, first: int, windows: "_Known", hits: list[Hit]) -> int:
        """Try the windows that begin with this group, the longest first; how many groups it used."""
        reach = first + self._longest
        key = run.lengths[first:reach], run.joints[first:reach]
        found = windows.get(key)
        if found is None:
            found = windows[key] = tuple(reversed(list(self._windows(*key))))
        known = len(hits)
        for count, candidates, needs_word in found:
            start, end = run.span(first, first + count - 1)
            if needs_word and view.is_silent(start, end):
                continue
            digits = run.digits[run.offsets[first] : run.offsets[first + count]]
            _judge(view, candidates, digits, start, end, hits)
            if len(hits) > known:
                return count
        return 1

    def _windows(self, lengths: tuple[int, ...], joints: _Joints) -> Iterator[_Window]:
        """What can be read from the first of these groups on, the shortest first."""
        node, groups = self._root, len(lengths)
        for last, length in enumerate(lengths):
            deeper = node.longer.get(length)
            if deeper is None:
                return
            node = deeper
            if node.readings and (last >= len(joints) or joints[last] == " "):
                within = joints[:last]
                candidates = _in_form(node.readings, within)
                yield last + 1, candidates, all(form is _Form.LOOSE for _, form in candidates)
            if last + 1 == groups:
                return


def _in_form(readings: Sequence[_Reading], joints: _Joints) -> tuple[_Candidate, ...]:
    return tuple((number, forms.get(joints, _Form.LOOSE)) for number, forms in readings)


def _judge(
    view: View, candidates: Sequence[_Candidate], digits: str, start: int, end: int, hits: list[Hit]
) -> None:
    # Most numbers of a table are nothing: what is cheap to see is looked at first.
    possible = [one for one in candidates if one[1] is _Form.LOOSE or one[0].valid(digits)]
    if not possible or (edge := _edge(view.text, start, end)) is None:
        return
    silent = view.is_silent(start, end)
    for number, form in possible:
        if silent and form is _Form.LOOSE:
            continue
        if edge and (number.context is None or not view.touches(number.context, start)):
            continue
        rank = number.rank(view, form, digits, start, end)
        if rank:
            hits.append(Hit(start, end, rank, number.kind))


def _edge(text: str, start: int, end: int) -> bool | None:
    """None: the neighbours forbid a number here. True: a letter touches it, so its word must speak for it."""
    before, after = text[start - 1] if start else " ", text[end] if end < len(text) else " "
    if before in _BLANKS and after in _BLANKS:
        return False
    if before in _FORBIDDEN or after in _MONEY or (after.isascii() and after.isalpha()):
        return None
    return before.isascii() and before.isalpha()
