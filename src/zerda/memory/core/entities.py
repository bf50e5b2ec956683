"""The nouns of what memories are about: people, places, organisations, and the ties between them.

*mention*   an entry names an entity
*relation*  an entry says that two entities have to do with each other
*entity*    what the entries of a scope say of one name, put together
*naming*    all mentions and relations of one entry
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

PERSON, PLACE, ORGANISATION, PRODUCT, TITLE, DATE, OTHER = (
    "person", "place", "organisation", "product", "title", "date", "other",
)  # fmt: skip
"""The types that the rules tell. A type is free text: a caller may name others."""

ENTITY_TYPES = (PERSON, PLACE, ORGANISATION, PRODUCT, TITLE, DATE, OTHER)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity as one entry names it. ``key`` is what spellings of one name share.

    ``count`` tells how often; ``weight`` how sure the type is. What an application said itself weighs most.
    """

    key: str
    name: str
    type: str = OTHER
    count: int = 1
    weight: float = 0.0


@dataclass(frozen=True, slots=True, order=True)
class Tie:
    """That two entities of one entry, by key, have to do with each other: subject, relation, object."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Naming:
    """What an entry, or a text, names: mentions in the order of the text, ties sorted."""

    mentions: tuple[Mention, ...] = ()
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True, slots=True)
class Sighting:
    """All mentions of one spelling and type within a scope, counted; what a store answers."""

    key: str
    name: str
    type: str
    count: int
    weight: float
    entries: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Entity:
    """What a scope's entries name by one name. ``names`` has every spelling, the most frequent first.

    ``mentions`` counts how often it is named, ``entries`` in how many entries; the times are those at which
    these entries happened.
    """

    name: str
    type: str
    key: str
    mentions: int
    entries: int
    first_at: datetime
    last_at: datetime
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """That two entities have to do with each other, said by ``entries`` entries of the scope."""

    subject: str
    relation: str
    object: str
    entries: int = 1
    subject_key: str = ""
    object_key: str = ""
