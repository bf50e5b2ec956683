"""What a sentence says of two names in it: by what stands before, between and after them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..entities import DATE, ORGANISATION, PERSON, PLACE, PRODUCT, TITLE, Tie
from .languages.names import NameWords, Saying
from .languages.table import flat
from .naming import relation_of
from .spots import Spot

FAR = 120
"""Characters between two names beyond which nothing is read into them."""

MOST_IN_A_SENTENCE = 12
"""Names of a sentence whose pairs are looked at: a list of a hundred names says nothing of any two."""

_PEOPLE_ALONE = frozenset(
    "works_at works_for works_with knows met lives_in born_in grew_up_in visited studies_at married_to"
    " engaged_to dating wrote uses".split()
)
_IMPLIED = {
    "works_at": (PERSON, ORGANISATION), "works_with": (PERSON, PERSON), "works_for": (PERSON, None),
    "knows": (PERSON, PERSON), "met": (PERSON, PERSON), "married_to": (PERSON, PERSON),
    "engaged_to": (PERSON, PERSON), "dating": (PERSON, PERSON), "lives_in": (PERSON, PLACE),
    "born_in": (PERSON, PLACE), "grew_up_in": (PERSON, PLACE), "visited": (PERSON, PLACE),
    "studies_at": (PERSON, ORGANISATION), "founded": (PERSON, ORGANISATION), "uses": (None, PRODUCT),
    "located_in": (None, PLACE), "comes_from": (None, PLACE), "leads": (PERSON, ORGANISATION),
}  # fmt: skip
"""What a tie says of the types of its ends, where nothing else does."""

_OBJECT_NEVER = {"lives_in": (PERSON, DATE), "born_in": (PERSON, DATE), "works_at": (PERSON, DATE)}
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[^\W\d_a-z])|(?<=[。！？])|\n+")


def ties_in(text: str, spots: Sequence[Spot], words: NameWords) -> tuple[Tie, ...]:
    """The ties between names that one sentence holds, sorted."""
    plain = flat(text)
    found = {
        tie
        for start, end, group in _by_sentence(text, spots)
        for tie in _ties(plain, start, end, group, words)
    }
    return tuple(sorted(found))


def types_implied(ties: Sequence[Tie]) -> dict[str, str]:
    """The types that ties give to their ends."""
    implied: dict[str, str] = {}
    for tie in ties:
        for key, kind in zip(
            (tie.subject, tie.object), _IMPLIED.get(tie.relation, (None, None)), strict=True
        ):
            if kind:
                implied.setdefault(key, kind)
    return implied


def _by_sentence(text: str, spots: Sequence[Spot]) -> Iterator[tuple[int, int, list[Spot]]]:
    """Each sentence that has two names: its start, its end, its names."""
    if len(spots) < 2:
        return
    start, at = 0, 0
    for end in [*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]:
        reaches = at < len(spots) and any(spot.start < end < spot.end for spot in spots[at : at + 50])
        following = next((spot for spot in spots[at : at + 50] if spot.start >= end), None)
        if reaches or (following and following.start == end and _abbreviated(text, end)):
            continue  # The full stop of "Dr. Ana", or within a title.
        group = []
        while at < len(spots) and spots[at].end <= end:
            group.append(spots[at])
            at += 1
        if len(group) > 1:
            yield start, end, group[:MOST_IN_A_SENTENCE]
        start = end


def _abbreviated(text: str, cut: int) -> bool:
    """Whether what ends before ``cut`` is a short word with a full stop."""
    before = text[max(0, cut - 8) : cut].rstrip()
    return before.endswith(".") and len(before.rstrip(".").rpartition(" ")[2]) <= 3


def _ties(plain: str, start: int, end: int, spots: Sequence[Spot], words: NameWords) -> Iterator[Tie]:
    for at, left in enumerate(spots):
        for right_at in range(at + 1, len(spots)):
            right = spots[right_at]
            if right.start - left.end > FAR or left.key == right.key:
                continue
            between = _blanked(plain, left.end, right.start, spots[at + 1 : right_at])
            before = plain[spots[at - 1].end if at else start : left.start]
            after = plain[right.end : spots[right_at + 1].start if right_at + 1 < len(spots) else end]
            yield from _said(words, before, between, after, left, right)


def _blanked(plain: str, start: int, end: int, inside: Sequence[Spot]) -> str:
    """What stands between two names, with ``§`` for each name in it."""
    pieces, here = [], start
    for spot in inside:
        pieces += [plain[here : spot.start], "§"]
        here = spot.end
    return "".join([*pieces, plain[here:end]])


def _said(words: NameWords, before: str, between: str, after: str, left: Spot, right: Spot) -> Iterator[Tie]:
    """What the first saying that fits says; one that fits says all there is between two names."""
    for saying in words.sayings:
        a, b = (right, left) if saying.backwards else (left, right)
        if not _possible(saying.relation, a, b):
            continue
        found = _matched(saying, before, between, after)
        if found is not None:
            relation = _named(saying.relation, found, words)
            yield Tie(a.key, relation, b.key)
            return


def _matched(saying: Saying, before: str, between: str, after: str) -> dict[str, str] | None:
    groups: dict[str, str] = {}
    for pattern, said in ((saying.between, between), (saying.before, before), (saying.after, after)):
        if pattern is None:
            continue
        match = pattern.match(said)
        if match is None:
            return None
        groups.update({name: value for name, value in match.groupdict().items() if value})
    return groups


def _named(relation: str, groups: dict[str, str], words: NameWords) -> str:
    kin = words.kin.get(groups.get("kin", ""), groups.get("kin", ""))
    role = groups.get("role", "")
    role = words.kin.get(role.strip(), role)
    return relation_of(relation.replace("{kin}", kin).replace("{role}", role))


def _possible(relation: str, a: Spot, b: Spot) -> bool:
    """Whether two names of these types can have to do with each other so."""
    if relation in _PEOPLE_ALONE and a.type in (PLACE, DATE, ORGANISATION, TITLE):
        return False
    if relation in ("knows", "married_to", "{kin}_of") and PLACE in (a.type, b.type):
        return False
    if relation in ("knows", "married_to") and ORGANISATION in (a.type, b.type):
        return False
    if relation == "located_in" and (a.type == PERSON or b.type == PERSON):
        return False
    return b.type not in _OBJECT_NEVER.get(relation, ())
