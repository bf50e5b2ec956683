"""Words: what was said is found by what was said, in any script, with numbers of the scope alone."""

from __future__ import annotations

import pytest

from ...core.model import Query
from ...storage.base import Store
from ..drafts import draft
from .ground import ALICE, Ground, asked, found, put

# A fact and a question that shares words with it; each is asked among all the others.
FACTS = {
    "en": ("My sister's bakery opens at six.", "When does the bakery open?"),
    "de": ("Unsere Katze schläft gern auf den warmen Dächern.", "Worauf schlafen die Katzen?"),
    "es": ("El médico me recetó gafas nuevas.", "¿Qué me recetaron los médicos?"),
    "ru": ("Мой брат живёт в Новосибирске.", "Кто живет в новосибирске?"),
    "el": ("Το εστιατόριο είναι κλειστό τη Δευτέρα.", "Πότε είναι κλειστό το εστιατόριο;"),
    "tr": ("Annem İzmir'de öğretmen.", "İzmir'de öğretmen kim?"),
    "ar": ("أختي تعمل في مكتبة المدينة.", "من تعمل في مكتبة المدينة؟"),
    "he": ("הכלב שלי אוהב לשחות בים.", "מי אוהב לשחות?"),
    "hi": ("मेरी बहन दिल्ली में पढ़ाती है।", "दिल्ली में कौन पढ़ाती है?"),
    "th": ("แม่ของฉันชอบดื่มกาแฟเย็น", "ใครชอบดื่มกาแฟ"),
    "zh": ("我妹妹在北京大学教书。", "谁在北京教书？"),
    "ja": ("父は京都で陶芸を教えている。", "京都で陶芸を教えるのは誰？"),
    "ko": ("할머니는 부산에서 국수집을 하신다.", "부산에서 국수집을 하는 사람은?"),
}


class Words(Ground):
    @pytest.mark.parametrize("language", FACTS)
    def test_a_fact_is_found_by_its_words_in_any_script(self, store: Store, language: str) -> None:
        store.put(ALICE, [draft(fact, id=code) for code, (fact, _) in FACTS.items()])
        assert language in found(store, ALICE, FACTS[language][1])

    def test_a_passage_is_found_by_any_of_its_words(self, store: Store) -> None:
        put(store, ALICE, "The red kite circles", id="x")
        put(store, ALICE, "nothing of it", id="y")
        for word in ("the", "RED", "kites", "circling", "unheard red"):
            assert found(store, ALICE, word) == ["x"]

    def test_a_word_is_not_found_by_its_beginning(self, store: Store) -> None:
        put(store, ALICE, "a carpet")
        assert found(store, ALICE, "car") == found(store, ALICE, "pet") == []

    def test_each_token_of_a_term_would_do(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="a"), draft("dragon", id="b"), draft("bird", id="c")])
        hits = store.search_words(ALICE, [("kite", "dragon")], Query(), limit=9)
        assert len(hits.keys) == 2
        assert hits.frequencies == {"kite": 1, "dragon": 1}

    def test_what_says_all_the_words_comes_before_what_says_one(self, store: Store) -> None:
        store.put(
            ALICE, [draft(text, id=text) for text in ("a green kite", "a red bird", "a red kite", "the red")]
        )
        assert found(store, ALICE, "red kite")[0] == "a red kite"
        assert found(store, ALICE, "red kite", limit=1) == ["a red kite"]

    def test_the_rarer_word_counts_for_more(self, store: Store) -> None:
        store.put(ALICE, [draft(f"a kite number {number}") for number in range(20)])
        store.put(ALICE, [draft("a heron of sorts", id="x")])
        assert found(store, ALICE, "kite heron")[0] == "x"

    def test_each_key_comes_once_and_the_limit_is_kept_to(self, store: Store) -> None:
        store.put(ALICE, [draft("red kite red kite") for _ in range(12)])
        keys = asked(store, ALICE, "red kite kites").keys
        assert len(keys) == len(set(keys)) == 12
        assert len(asked(store, ALICE, "red kite", limit=5).keys) == 5
        assert asked(store, ALICE, "red kite", limit=0).keys == ()

    def test_statistics_are_of_all_passages_of_the_scope(self, store: Store) -> None:
        store.put(
            ALICE,
            [draft("one two three", id="a", tags=("t",)), draft({"input": "two", "output": "four five"})],
        )
        for query in (Query(), Query(tags=("t",)), Query(ids=())):
            hits = store.search_words(ALICE, [("two", "missing"), ("five",)], query, limit=1)
            assert (hits.passages, hits.mean_length) == (3, 2.0)
            assert hits.frequencies == {"two": 2, "missing": 0, "five": 1}

    def test_a_word_said_often_in_one_passage_is_one_passage(self, store: Store) -> None:
        put(store, ALICE, "kite kite kite")
        assert asked(store, ALICE, "kite").frequencies["kite"] == 1

    def test_asking_nothing_finds_nothing_and_tells_the_numbers(self, store: Store) -> None:
        put(store, ALICE, "one two")
        hits = store.search_words(ALICE, [], Query(), limit=9)
        assert (hits.keys, hits.passages, hits.mean_length, dict(hits.frequencies)) == ((), 1, 2.0, {})

    def test_common_words_are_left_out_before_rare_ones(self, store: Store) -> None:
        store.put(ALICE, [draft(f"a kite number {number}") for number in range(20)])
        store.put(ALICE, [draft("a heron", id="x")])
        hits = store.search_words(ALICE, [("kite",), ("heron",)], Query(), limit=50, budget=1)
        (heron,) = store.passages_of(ALICE, ["x"])
        assert heron in hits.keys
        assert hits.frequencies == {"kite": 20, "heron": 1}

    def test_a_word_that_is_all_that_was_asked_is_never_left_out(self, store: Store) -> None:
        store.put(ALICE, [draft(f"a kite number {number}") for number in range(20)])
        assert store.search_words(ALICE, [("kite",)], Query(), limit=5, budget=1).keys

    def test_the_last_sentence_of_a_long_text_is_found(self, store: Store) -> None:
        put(
            store,
            ALICE,
            "It rained all day in the town. " * 3_000 + "The needle is under the blue stone.",
            id="x",
        )
        put(store, ALICE, "A blue day", id="y")
        hits = asked(store, ALICE, "needle stone")
        (passage,) = store.passages(ALICE, hits.keys[:1], Query())
        assert passage.entry_id == "x"
        assert "needle" in passage.passage.tokens

    def test_each_part_of_an_interaction_is_found_as_who_said_it(self, store: Store) -> None:
        put(store, ALICE, {"input": "Where is the kite?", "output": "On the roof."}, speaker="Ann")
        for word, role, speaker in (("kite", "input", "user"), ("roof", "output", "assistant")):
            (passage,) = store.passages(ALICE, asked(store, ALICE, word).keys, Query())
            assert (passage.passage.role, passage.speaker) == (role, speaker)

    def test_a_passage_comes_back_as_it_was_made(self, store: Store) -> None:
        given = draft("Wo schläft die Katze? Gestern schlief sie auf dem Dach.", id="x", speaker="Ann")
        store.put(ALICE, [given])
        (passage,) = store.passages(ALICE, store.passages_of(ALICE, ["x"]), Query())
        assert passage.passage == given.passages[0]
        assert passage.speaker == "Ann"
        assert (passage.entry_id, passage.seq) == ("x", store.get(ALICE, "x").seq)
        assert passage.occurred_at == given.entry.occurred_at
