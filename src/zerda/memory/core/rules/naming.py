"""Names, put together: when two spellings are one name, and what many mentions say of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..entities import OTHER, Entity, Mention, Naming, Relation, Sighting, Tie
from .text import fold, is_unspaced, stem, words

GIVEN_WEIGHT = 10.0
"""What an application says of a type; above all that rules find (at most 3 a mention)."""

NAMED, TIED = "entities", "relations"
"""Keys of an entry's metadata under which an application says itself what the entry is about."""

MOST_GIVEN = 200
"""Entities and relations that one entry may be given; what is more is left out."""

LONGEST = 200
"""Characters of a name."""

_CYRILLIC = re.compile("[\u0400-\u052f]")
_SPACES = re.compile(r"\s+")


def key_of(name: str) -> str:
    """What all spellings of a name share: without case, marks and runs of white space; "" of no word.

    Cyrillic words give their stem, since a name's ending there is the sentence's.
    """
    folded = _SPACES.sub(" ", fold(name)).strip(" .,;:'\"")
    if not any(map(str.isalnum, folded)):
        return ""
    if _CYRILLIC.search(folded):
        return " ".join(stem(word, "ru") for word in folded.split(" "))
    return folded


def relation_of(words: str) -> str:
    """A relation's name: small, its words joined with ``_``."""
    return _SPACES.sub("_", fold(words).strip())


def joined(namings: Iterable[Naming]) -> Naming:
    """Several namings as one: counts added, the surest type kept, ties once."""
    mentions: dict[str, Mention] = {}
    ties: set[Tie] = set()
    for naming in namings:
        for one in naming.mentions:
            mentions[one.key] = _both(mentions.get(one.key), one)
        ties |= {*naming.ties}
    return Naming(tuple(mentions.values()), tuple(sorted(ties)))


def _both(known: Mention | None, one: Mention) -> Mention:
    if known is None:
        return one
    surer = one if one.weight > known.weight else known
    return Mention(one.key, known.name, surer.type, known.count + one.count, surer.weight)


def given_in(metadata: Mapping[str, Any]) -> Naming:
    """What an entry's metadata say that it is about.

    ``entities``: names, or mappings of ``name`` and ``type``; ``relations``: triples of subject, relation and
    object, or mappings of these. Whatever else stands there is the caller's own and says nothing.
    """
    named = [one for one in map(_mention, _listed(metadata.get(NAMED))) if one]
    told = [one for one in map(_tie, _listed(metadata.get(TIED))) if one]
    ends = [Mention(key_of(name), name, OTHER, 1, 0.0) for a, _, b in told for name in (a, b)]
    ties = (Tie(key_of(a), relation_of(how), key_of(b)) for a, how, b in told)
    naming = joined([Naming(tuple(named)), Naming(tuple(ends), tuple(ties))])
    return Naming(tuple(Mention(m.key, m.name, m.type, 1, m.weight) for m in naming.mentions), naming.ties)


def _listed(value: object) -> Sequence[object]:
    return list(value)[:MOST_GIVEN] if isinstance(value, (list, tuple)) else ()


def _mention(given: object) -> Mention | None:
    name: object = given
    kind: object = OTHER
    if isinstance(given, Mapping):
        name, kind = given.get("name"), given.get("type") or OTHER
    if not (isinstance(name, str) and isinstance(kind, str) and is_name(name)):
        return None
    return Mention(key_of(name), name, kind, 1, GIVEN_WEIGHT if kind != OTHER else 0.0)


def _tie(given: object) -> tuple[str, str, str] | None:
    parts: Sequence[object] = given if isinstance(given, (list, tuple)) else ()
    if isinstance(given, Mapping):
        parts = [given.get(name) for name in ("subject", "relation", "object")]
    if len(parts) != 3:
        return None
    a, how, b = parts
    if not (isinstance(a, str) and isinstance(how, str) and isinstance(b, str)):
        return None
    return (a, how, b) if is_name(a) and is_name(b) and how.strip() else None


def is_name(text: str) -> bool:
    """Whether a text can name something: it has a key, and is not a whole paragraph."""
    return len(text) <= LONGEST and bool(key_of(text))


def named_in(text: str, keys: Iterable[str]) -> list[str]:
    """Those of these keys that a text names, as whole words, or anywhere in a script without spaces."""
    said = f" {' '.join(_plain(text))} "
    return [key for key in keys if _stands_in(" ".join(_plain(key)), said)]


def _stands_in(plain: str, said: str) -> bool:
    if not plain:
        return False
    return plain in said if any(map(is_unspaced, plain)) else f" {plain} " in said


def _plain(text: str) -> list[str]:
    """The folded words of a text; Cyrillic ones give their stem, as in `key_of`."""
    return [stem(word, "ru") if _CYRILLIC.search(word) else word for word in words(text)]


def entities_from(sightings: Iterable[Sighting]) -> list[Entity]:
    """What is known of each name: the most often named first, then the latest, then by key."""
    groups: dict[str, list[Sighting]] = defaultdict(list)
    for one in sightings:
        groups[one.key].append(one)
    entities = [_entity(key, group) for key, group in groups.items()]
    return sorted(entities, key=lambda it: (-it.entries, -it.last_at.timestamp(), it.key))


def _entity(key: str, group: Sequence[Sighting]) -> Entity:
    spelt: Counter[str] = Counter()
    types: dict[str, float] = defaultdict(float)
    for one in group:
        spelt[one.name] += one.count
        types[one.type] += one.weight
    names = tuple(sorted(spelt, key=lambda name: (-spelt[name], len(name), name)))
    told = {kind: weight for kind, weight in types.items() if kind != OTHER}
    return Entity(
        name=names[0],
        type=min(told, key=lambda kind: (-told[kind], kind)) if told else OTHER,
        key=key,
        mentions=sum(one.count for one in group),
        entries=sum(one.entries for one in group),
        first_at=min(one.first_at for one in group),
        last_at=max(one.last_at for one in group),
        names=names,
    )


def relations_from(ties: Mapping[Tie, int], names: Mapping[str, str]) -> list[Relation]:
    """Ties with how many entries say each, under the names of their ends; those most often said first."""
    ranked = sorted(ties, key=lambda tie: (-ties[tie], tie))
    return [
        Relation(
            names.get(tie.subject, tie.subject), tie.relation, names.get(tie.object, tie.object), ties[tie],
            tie.subject, tie.object,
        )
        for tie in ranked
    ]  # fmt: skip


def within_reach(ties: Iterable[Tie], start: str, depth: int) -> dict[str, int]:
    """The entities that ties lead to from one, either way, in at most ``depth`` steps, with the steps."""
    beside: dict[str, set[str]] = defaultdict(set)
    for tie in ties:
        beside[tie.subject].add(tie.object)
        beside[tie.object].add(tie.subject)
    reached = {start: 0}
    edge = [start]
    for step in range(1, depth + 1):
        edge = sorted({other for key in edge for other in beside[key]} - reached.keys())
        reached.update(dict.fromkeys(edge, step))
    del reached[start]
    return reached
