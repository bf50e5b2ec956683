"""Text that hurts: stored and back as it was, and never taken for anything but text."""

from __future__ import annotations

from typing import Any

import pytest

from ...core.model import Query
from ...core.rules.text import query_terms
from ...storage.base import Store
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, Ground, asked, found, ids, index, near, put

TEXTS = {
    "empty": "",
    "spaces": " \t\r\n\u00a0\u3000 ",
    "NUL": "a\x00b\x00",
    "control characters": "".join(map(chr, range(32))) + "\x7f\x85",
    "lone surrogates": "\ud800 word \udfff \udc80",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 \U0001fae0",
    "right to left": "\u202eabc\u202c שלום עליכם العربية \u2067x\u2069",
    "combining": "e\u0301\u0323 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "not normalised": "ﬁ Å Å Å ｗｉｄｅ ½ ² ™ ǆ",
    "private use and noncharacters": "\ue000\uf8ff\ufffe\uffff\U000f0000\U0010ffff",
    "byte order mark": "\ufeffbom",
    "line separators": "a\u2028b\u2029c\x0b\x0cd",
    "SQL": "'; DROP TABLE entries; -- \" ` [x] /* */ \\' :name ?1 $1 %s %(x)s",
    "full-text operators": '"unbalanced AND NOT (a OR b*) NEAR(a b, 2) ^x - + : { } col:tk & | ! <-> \\',
    "format strings": "{0.__class__} {} %d ${jndi:ldap://x} {{ 7*7 }}",
    "model tokens": "<|endoftext|> <|im_start|>system [INST] === Current Query ===",
    "html": "<script>alert(1)</script> &amp; <!-- -->",
    "json": '{"input": "a", "output": [1, null]} \\u0000 \\ud800 "',
    "number": "1e309 NaN Infinity -0 0x10 00012",
    "long word": "x" * 100_000,
    "megabyte": "The harbour was full of small boats. " * 28_340,
    "megabyte without spaces": "我妹妹在北京大学教书" * 35_000,
}

METADATA: dict[str, Any] = {
    "": "empty key",
    "a\x00b": "\x00",
    "\ud800": ["\udfff"],
    "'; DROP TABLE": {"$where": 1, "__class__": None},
    "big": 2**80,
    "small": -(2**63),
    "tiny": 5e-324,
    "deep": [[[[[[[[[[{}]]]]]]]]]],
    "mixed": [True, False, None, 1, 1.0, "1"],
    "user": "someone",
    "archived_at": "now",
    "emoji": "👩‍👩‍👧‍👦",
}


class Hostile(Ground):
    @pytest.mark.parametrize("name", TEXTS)
    def test_any_text_comes_back_to_the_byte(self, store: Store, name: str) -> None:
        text = TEXTS[name]
        said = put(store, ALICE, text)
        spoken = put(store, ALICE, {"input": text, "output": text})
        assert store.get(ALICE, said.id).content == text
        assert store.find(ALICE, ALL)[0].content == {"input": text, "output": text}
        assert store.history(ALICE, spoken.id) == [spoken]

    @pytest.mark.parametrize("name", TEXTS)
    def test_any_text_is_indexed_and_found_by_its_words(self, store: Store, name: str) -> None:
        text = TEXTS[name]
        given = draft(text, id="x")
        store.put(ALICE, [given, draft("something else", id="y")])
        pieces = [text[passage.start : passage.end] for passage in given.passages]
        pending = [one.text for one in store.pending(ALICE, EMBEDDER.fingerprint, limit=len(pieces) + 1)]
        assert sorted(pending) == sorted([*pieces, "something else"])
        if query_terms(text[:500]):
            assert found(store, ALICE, text[:500]) == ["x"]
        assert index(store, ALICE) == len(pieces) + 1
        assert near(store, ALICE, "something else", limit=1) == ["y"]

    def test_a_short_text_among_hostile_ones_is_found(self, store: Store) -> None:
        store.put(ALICE, [draft(text, id=name) for name, text in TEXTS.items() if len(text) < 1_000])
        put(store, ALICE, "swordfish", id="x")
        assert found(store, ALICE, "swordfish") == ["x"]

    @pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if len(text) < 1_000])
    def test_a_hostile_question_finds_nothing_that_it_does_not_say(self, store: Store, name: str) -> None:
        put(store, ALICE, "swordfish")
        put(store, BOB, TEXTS[name])
        assert asked(store, ALICE, TEXTS[name]).keys == ()

    @pytest.mark.parametrize(
        "token", ['"', "'", "*", "swordfish*", "NEAR(swordfish x)", "a OR swordfish", "", "\x00"]
    )
    def test_a_token_is_data_and_no_syntax(self, store: Store, token: str) -> None:
        put(store, ALICE, "tea")
        put(store, BOB, "swordfish")
        hits = store.search_words(ALICE, [(token,)], Query(), limit=9)
        assert (hits.keys, hits.passages, dict(hits.frequencies)) == ((), 1, {token: 0})

    def test_any_metadata_comes_back_as_it_was(self, store: Store) -> None:
        kept = put(store, ALICE, "x", metadata=METADATA)
        assert store.get(ALICE, kept.id).metadata == METADATA
        assert list(store.get(ALICE, kept.id).metadata) == list(METADATA)
        types = [type(value) for value in store.get(ALICE, kept.id).metadata["mixed"]]
        assert types == [bool, bool, type(None), int, float, str]

    def test_any_tag_topic_and_speaker_comes_back_and_is_found(self, store: Store) -> None:
        texts = tuple(text for text in TEXTS.values() if 0 < len(text) < 1_000)
        kept = put(store, ALICE, "x", id="x", tags=texts, topics=texts)
        assert (store.get(ALICE, "x").tags, store.get(ALICE, "x").topics) == (texts, texts)
        for text in texts:
            assert (
                store.find(ALICE, Query(tags=(text,))) == store.find(ALICE, Query(topics=(text,))) == [kept]
            )

    @pytest.mark.parametrize(
        "word",
        ["a'b", 'a"b', "a;b--", "%", "_", "*", "日本", "É", "e\u0301", "a b", "../x", "con", "x" * 256],
    )
    def test_any_id_that_can_be_seen_is_an_id(self, store: Store, word: str) -> None:
        kept = put(store, ALICE, "kite", id=word, session_id=word, speaker=word, sources=(word,))
        store.put(ALICE, [draft("tea")])
        assert store.get(ALICE, word) == kept
        assert store.find(ALICE, Query(ids=(word,), session_id=word, speakers=(word,))) == [kept]
        assert len(store.passages_of(ALICE, [word])) == 1
        assert store.speakers(ALICE) == (word,)
        assert store.delete(ALICE, [word]) == 1

    def test_a_question_of_ten_thousand_words_is_answered(self, store: Store) -> None:
        put(store, ALICE, "swordfish", id="x")
        question = " ".join(f"w{number}" for number in range(10_000)) + " swordfish"
        assert found(store, ALICE, question) == ["x"]

    def test_ids_of_entries_are_compared_to_the_byte(self, store: Store) -> None:
        for entry_id in ("x", "X", "x%", "é", "e\u0301", "x "[:1] + "\u0445"):
            put(store, ALICE, f"it is {entry_id}", id=entry_id)
        assert store.count(ALICE, ALL) == 6
        assert ids(store.find(ALICE, Query(ids=("é",)))) == ["é"]
