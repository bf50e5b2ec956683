"""Whatever a filter asks of whatever metadata: SQLite answers as the rule does."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zerda.memory.core.model import Query, Scope
from zerda.memory.core.rules.filtering import query_of
from zerda.memory.core.rules.matching import matches
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import START, draft

ALICE = Scope("acme", "alice")

KEYS = st.sampled_from(["a", "b", "ä", "0", "a b", "$x", "'", "[0]"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.integers(0, 3) | TEXTS
SCALARS |= st.floats(allow_nan=False, allow_infinity=False, width=32)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
METADATA = st.dictionaries(KEYS, VALUES, max_size=3)
ORDERED = TEXTS | st.integers(0, 3) | st.floats(0, 3, width=32)
TESTS = st.one_of(
    SCALARS,
    st.fixed_dictionaries({"$in": st.lists(SCALARS, max_size=3)}, optional={"$ne": SCALARS}),
    st.fixed_dictionaries({"$eq": SCALARS}),
    st.fixed_dictionaries({"$nin": st.lists(SCALARS, max_size=3)}),
    st.fixed_dictionaries({"$exists": st.booleans()}),
    st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), ORDERED, min_size=1, max_size=2),
)
PATHS = st.lists(KEYS, min_size=1, max_size=2).map(lambda keys: "metadata." + ".".join(keys))
TAGS = st.sampled_from(["x", 'a","b', "\\", "é"])
FILTERS = st.recursive(
    st.dictionaries(PATHS, TESTS, min_size=1, max_size=2)
    | st.fixed_dictionaries({"tags": TAGS | st.lists(TAGS, max_size=2)}),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: {"$or": parts}),
        st.lists(inner, max_size=3).map(lambda parts: {"$and": parts}),
        inner.map(lambda part: {"$not": part}),
    ),
    max_leaves=4,
)
ENTRIES = st.lists(st.tuples(METADATA, st.lists(TAGS, max_size=2, unique=True)), min_size=1, max_size=4)


@given(entries=ENTRIES, filters=st.lists(FILTERS, min_size=1, max_size=4))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_sqlite_filters_as_the_rule_does(tmp_path_factory, entries, filters):
    with SQLiteStore(tmp_path_factory.mktemp("filters") / "m.db", durability="relaxed") as store:
        kept = store.put(
            ALICE,
            [
                draft("kite", id=str(number), metadata=metadata, tags=tuple(tags), occurred_at=START)
                for number, (metadata, tags) in enumerate(entries)
            ],
        )
        for asked in filters:
            query = query_of(asked).only(order="oldest")
            assert store.find(ALICE, query) == [entry for entry in kept if matches(query, entry)], asked
        assert store.count(ALICE, Query()) == len(entries)
