"""Two stores live the same story and agree on every read.

`InMemoryStore` is the oracle. A backend joins with a function that opens an empty store, in `BACKENDS`.
"""

import tempfile
import unicodedata
from collections import defaultdict
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import postgres_server
from zerda.memory.core.model import KINDS, Query, Scope
from zerda.memory.core.rules.text import query_terms
from zerda.memory.errors import ZerdaError
from zerda.memory.storage.memory import InMemoryStore
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import START, HashingEmbedder, draft
from zerda.memory.testing.strategies import VOCABULARY, contents, json_values, moments, sentences, texts


@contextmanager
def in_a_file():
    with (
        tempfile.TemporaryDirectory() as folder,
        SQLiteStore(Path(folder) / "m.db", durability="relaxed") as store,
    ):
        yield store


@contextmanager
def on_a_server():
    from zerda.memory.storage.postgres import PostgresStore

    with postgres_server.server().memory() as address, PostgresStore(address) as store:
        yield store


BACKENDS = {"sqlite": (in_a_file, 30), "postgres": (on_a_server, 10)}
"""How each opens an empty store, and how many stories are told."""

EMBEDDER = HashingEmbedder(48)
F, ANOTHER = EMBEDDER.fingerprint, "another"
HALF_PRECISION, ESTIMATE = 0.002, 0.02  # Vectors may be kept in 16 bits, and a background told of 8-bit ones.
EVERYTHING = Query(archived=None, limit=None)
SCOPES = [Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme"), Scope("other", "alice")]
NAMED = ("s", "t")

scopes = st.sampled_from(SCOPES)
entry_ids = st.sampled_from([f"e{number}" for number in range(6)])
several_ids = st.lists(entry_ids, min_size=1, max_size=3)
tags = st.lists(st.sampled_from(["a", "b", "ü", '"']), max_size=2, unique=True).map(tuple)
soon = st.none() | moments()
# As an id: `valid_id` lets nobody in who has a NUL or half a character for a name.
names = texts(8).filter(lambda text: not {*map(unicodedata.category, text)} & {"Cc", "Cs"})
fields = st.fixed_dictionaries(
    {},
    optional={
        "session_id": st.sampled_from(NAMED),
        "user_id": st.sampled_from(["alice", "bob"]),
        "kind": st.sampled_from(KINDS),
        "importance": st.sampled_from([0.0, 0.1, 0.5, 1.0]),
        "tags": tags,
        "topics": tags,
        "speaker": st.none() | st.sampled_from(["Ann", "Zoë"]) | names,
        "origin": st.sampled_from(["user", "web", "tool"]),
        "visibility": st.sampled_from(["user", "tenant"]),
        "metadata": st.dictionaries(texts(4), json_values(), max_size=2),
        "expires_at": soon,
        "occurred_at": moments(),
        "embedder": st.none() | st.just(EMBEDDER),
        "max_words": st.sampled_from([1, 2, 180]),
    },
)
drafts = st.builds(
    lambda entry_id, content, given: draft(content, id=entry_id, **given), entry_ids, contents(), fields
)
states = st.dictionaries(
    st.sampled_from(["archived_at", "promoted_at", "expires_at"]), soon, min_size=1
) | st.builds(lambda pinned: {"pinned": pinned}, st.booleans())
CONDITIONS = {
    "ids": several_ids.map(tuple),
    "kinds": st.lists(st.sampled_from(KINDS), max_size=4).map(tuple),
    "session_id": st.sampled_from(NAMED),
    "speakers": st.just(("Ann", "Zoë")),
    "origins": st.just(("web", "user")),
    "tags": tags,
    "topics": tags,
    "since": moments(),
    "until": moments(),
    "min_importance": st.sampled_from([0.1, 0.5]),
    "promoted": st.booleans(),
    "pinned": st.booleans(),
    "archived": st.none() | st.booleans(),
    "archived_since": moments(),
    "archived_before": moments(),
    "expired_by": moments(),
    "now": moments(),
    "as_of": moments(),
    "order": st.sampled_from(["newest", "oldest", "important"]),
    "limit": st.integers(0, 5),
}
# A few conditions at a time: many would let nothing in.
queries = st.lists(
    st.sampled_from(list(CONDITIONS)).flatmap(lambda name: st.tuples(st.just(name), CONDITIONS[name])),
    max_size=3,
).map(lambda conditions: Query(**dict(conditions)))


def put(scope, given):
    return lambda store: store.put(scope, given)


def revise(scope, given):
    return lambda store: store.revise(scope, given)


def mark(scope, ids, state):
    return lambda store: store.mark(scope, ids, **state)


def use(scope, ids, times):
    return lambda store: store.count_uses(scope, dict.fromkeys(ids, times), START + timedelta(minutes=times))


def delete(scope, ids):
    return lambda store: store.delete(scope, ids)


def clear(scope):
    return lambda store: store.clear(scope)


def embed(scope, ids, fingerprint):
    """Vectors for the passages of entries, each made of its words, in the order of the keys."""

    def change(store):
        keys = sorted(store.passages_of(scope, ids))
        said = {one.key: " ".join(one.passage.tokens) for one in store.passages(scope, keys, EVERYTHING)}
        return store.put_vectors(scope, fingerprint, keys, EMBEDDER.embed([said[key] for key in keys]))

    return change


def raise_watermark(scope, entry_id):
    """To the number of an entry, where there is one."""

    def change(store):
        for entry in store.find(scope, Query(ids=(entry_id,), archived=None)):
            store.set_watermark(scope, entry.seq)

    return change


changes = st.one_of(
    st.builds(put, scopes, st.lists(drafts, min_size=1, max_size=3)),
    st.builds(revise, scopes, drafts),
    st.builds(mark, scopes, several_ids, states),
    st.builds(use, scopes, several_ids, st.integers(1, 3)),
    st.builds(delete, scopes, several_ids),
    st.builds(embed, scopes, several_ids, st.sampled_from([F, F, ANOTHER])),
    st.builds(raise_watermark, scopes, entry_ids),
)


class Undo(Exception):
    """Ends a transaction that is to leave nothing."""


class Story(RuleBasedStateMachine):
    """What happens to both stores. Numbers, keys and the names of derived sessions are each store's own."""

    backend = ""

    def __init__(self):
        super().__init__()
        self.opened = ExitStack()
        opening, _ = BACKENDS[self.backend]
        self.stores = [InMemoryStore(), self.opened.enter_context(opening())]

    def teardown(self):
        self.opened.close()

    def agreed(self, ask, where="answer"):
        """What both stores answer, told in words that are no store's own."""
        oracle, other = (answer(store, ask) for store in self.stores)
        parted = differences(oracle, other, where)
        assert not parted, "\n".join(parted[:3])

    @initialize(beginnings=st.tuples(*(st.lists(drafts, min_size=1, max_size=3) for _ in SCOPES)))
    def it_begins_with_some_entries(self, beginnings):
        for scope, given in zip(SCOPES, beginnings, strict=True):
            self.agreed(put(scope, given))

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    @rule(scope=scopes, given=st.lists(drafts, min_size=1, max_size=4))
    def something_is_put(self, scope, given):
        self.agreed(put(scope, given))

    @rule(scope=scopes, entry_id=entry_ids, content=contents())
    def an_entry_is_put_again(self, scope, entry_id, content):
        self.agreed(put(scope, [draft(content, id=entry_id)]))
        self.agreed(put(scope, [draft(content, id=entry_id)]))

    @rule(change=changes)
    def something_changes(self, change):
        self.agreed(change)

    @rule(ids=several_ids, state=states)
    def entries_are_marked(self, ids, state):
        self.agreed(mark(Scope("acme"), ids, state))

    @rule(given=drafts)
    def an_entry_is_revised(self, given):
        self.agreed(revise(Scope("acme"), given))

    @precondition(lambda self: len(self.stores[0].users("acme")) > 1)
    @rule(scope=scopes)
    def a_scope_is_cleared(self, scope):
        self.agreed(clear(scope))

    @rule(steps=st.lists(changes, min_size=1, max_size=4), nested=st.booleans(), fails=st.booleans())
    def much_changes_at_once(self, steps, nested, fails):
        self.agreed(lambda store: together(store, steps, nested=nested, fails=fails))

    # ── what is asked ────────────────────────────────────────────────────────────────────────────

    @rule(scope=scopes, query=queries, after=st.none() | entry_ids, before=st.none() | entry_ids)
    def a_query_is_asked(self, scope, query, after, before):
        def within(store):
            number = {entry.id: entry.seq for entry in store.find(Scope(scope.tenant_id), EVERYTHING)}
            return query.only(after_seq=number.get(after, 0), before_seq=number.get(before))

        self.agreed(lambda store: store.find(scope, within(store)))
        self.agreed(lambda store: store.count(scope, within(store)))

    @rule(scope=scopes, text=sentences() | texts(), query=queries)
    def a_search_is_made(self, scope, text, query):
        self.agreed(lambda store: words(store, scope, text, query))
        self.agreed(lambda store: meaning(store, scope, text, query))

    @rule(scope=scopes, ids=several_ids, query=queries, before=st.integers(0, 3), after=st.integers(0, 3))
    def neighbours_are_looked_at(self, scope, ids, query, before, after):
        self.agreed(lambda store: beside(store, scope, ids, query, before, after))

    # ── what always holds ────────────────────────────────────────────────────────────────────────

    @invariant()
    def they_tell_the_same(self):
        for scope in SCOPES:
            self.agreed(lambda store, scope=scope: everything(store, scope), f"{scope}")


def together(store, steps, *, nested, fails):
    """What the steps of one transaction answer."""
    told = []
    with suppress(Undo), store.transaction():
        told += [answer(store, step) for step in steps[:2]]
        if nested:
            with store.transaction():
                told += [answer(store, step) for step in steps[2:]]
        if fails:
            raise Undo
    return told


def answer(store, ask):
    """An answer with sessions by the order of their first entries, and errors by name."""
    try:
        told = ask(store)
    except ZerdaError as error:
        return type(error).__name__
    sessions = {}
    for tenant in ("acme", "other"):
        for entry in store.find(Scope(tenant), EVERYTHING.only(order="oldest")):
            sessions.setdefault(entry.session_id, f"session {len(sessions)}")
    return plain(told, sessions)


def differences(oracle, other, where):
    """Where two answers part, so that a failure is short enough to read."""
    if isinstance(oracle, dict) and isinstance(other, dict) and oracle.keys() == other.keys():
        pairs = [(f"{where}[{key!r}]", value, other[key]) for key, value in oracle.items()]
    elif isinstance(oracle, list) and isinstance(other, list) and len(oracle) == len(other):
        pairs = [(f"{where}[{place}]", *pair) for place, pair in enumerate(zip(oracle, other, strict=True))]
    else:
        return [] if oracle == other else [f"{where}: {oracle!r} is the oracle's, {other!r} the other's"]
    return [found for inner, one, two in pairs for found in differences(one, two, inner)]


def plain(told, sessions):
    if isinstance(told, list):
        return [plain(one, sessions) for one in told]
    if hasattr(told, "session_id"):
        own = {"seq": 0, "session_id": sessions.get(told.session_id, "gone")}
        return {**{name: getattr(told, name) for name in told.__slots__}, **own}
    return told


def labels(store, scope, keys):
    """What passages are, by key."""
    there = store.passages(Scope(scope.tenant_id), keys, EVERYTHING)
    return {one.key: (one.entry_id, one.passage.role, one.passage.start) for one in there}


def words(store, scope, text, query):
    """What is found, as a set, and the numbers."""
    hits = store.search_words(scope, query_terms(text), query, limit=1_000)
    label = labels(store, scope, hits.keys)
    return (
        sorted(label[key] for key in hits.keys),
        hits.passages,
        round(hits.mean_length, 9),
        dict(hits.frequencies),
    )


def meaning(store, scope, text, query):
    """What is near, by label, and the background, as exact as half precision is."""
    (vector,) = EMBEDDER.embed([text])
    if not vector.any():
        return None  # A question that says nothing: each store may answer or not.
    hits = store.search_vectors(scope, vector, F, query, limit=1_000)
    label = labels(store, scope, [key for key, _ in hits.hits])
    cosines = [cosine for _, cosine in hits.hits]
    assert cosines == sorted(cosines, reverse=True)
    background = Nearly([hits.background_mean, hits.background_sd], ESTIMATE)
    return Nearly({label[key]: cosine for key, cosine in hits.hits}), background


class Nearly:
    """Numbers that are equal to others as far as vectors are exact."""

    def __init__(self, numbers, within=HALF_PRECISION):
        self.numbers, self.within = numbers, within

    def __eq__(self, other):
        return isinstance(other, Nearly) and self.numbers == pytest.approx(other.numbers, abs=self.within)

    __hash__ = None

    def __repr__(self):
        return repr(self.numbers)


def beside(store, scope, ids, query, before, after):
    """The passages about those of entries: by session, in order, with all that the ranking is told."""
    keys = store.passages_of(scope, ids)
    there = store.passages(scope, keys, query, before=before, after=after, fingerprint=F)
    assert [(one.session, one.position) for one in there] == sorted(
        {(one.session, one.position) for one in there}
    )
    sessions = defaultdict(list)
    for one in there:
        told = {name: getattr(one, name) for name in _TOLD}
        vector = None if one.vector is None else Nearly(one.vector.tolist())
        sessions[one.session].append((told, vector))
    return sorted(
        sessions.values(), key=lambda session: (session[0][0]["entry_id"], session[0][0]["passage"].start)
    )


_TOLD = (
    "entry_id", "passage", "occurred_at", "importance", "speaker", "access_count", "last_access", "matching"
)  # fmt: skip


def everything(store, scope):
    """All that a scope can be told without asking for anything in particular."""
    entries = store.find(scope, EVERYTHING)
    live = [entry.id for entry in store.find(scope, Query(limit=None))]
    stats = store.stats(scope, F)
    pending = store.pending(scope, F, limit=1_000)
    label = labels(store, scope, [one.key for one in pending])
    return [
        entries,
        live,
        store.count(scope, EVERYTHING),
        [store.history(scope, entry.id) for entry in entries],
        [store.speakers(scope), store.users(scope.tenant_id)],
        [getattr(stats, name) for name in stats.__slots__ if name != "bytes_on_disk"],
        sorted((label[one.key], one.text) for one in pending),
        list(dict.fromkeys(label[one.key][0] for one in pending)),
        store.count(scope, EVERYTHING.only(after_seq=store.watermark(scope))),
        store.generation(scope),
        beside(store, scope, live, Query(), 1, 1),
        words(store, scope, " ".join(VOCABULARY), Query()),
        meaning(store, scope, "kite red", Query()),
    ]


@pytest.mark.parametrize("backend", ["sqlite", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def test_two_stores_live_the_same_story_and_agree(backend, request):
    if backend == "postgres":
        request.getfixturevalue("postgres_running")
    machine = type("StoryOf", (Story,), {"backend": backend})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=BACKENDS[backend][1],
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[
                HealthCheck.too_slow,
                HealthCheck.data_too_large,
                HealthCheck.filter_too_much,
            ],
        ),
    )
