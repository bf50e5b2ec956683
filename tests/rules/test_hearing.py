"""Which terms of a question a scope can answer at all."""

from zerda.memory.core.rules.hearing import by_parts, telling, unheard
from zerda.memory.core.rules.text import index_tokens, parts_of, query_terms


def meets(asked: str, said: str, language: str) -> bool:
    """Whether the one word of a question would match a text's tokens as they are."""
    (term,) = query_terms(asked, language)
    return not set(term).isdisjoint(index_tokens(said, language, compounds=True).tokens)


def test_a_compound_is_found_by_its_end_and_by_its_beginning() -> None:
    assert meets("Schlüssel", "Der Ersatzschlüssel liegt da.", "de")
    assert meets("Zahnarzt", "Die Zahnarzttermine sind verlegt.", "de")
    assert meets("Töpfe", "Der Blumentopf ist blau.", "de")
    assert meets("fiets", "De kinderfiets is weg.", "nl")


def test_the_middle_of_a_word_and_a_short_end_are_no_parts() -> None:
    assert not meets("Arzt", "Die Zahnarzttermine sind verlegt.", "de")
    assert not meets("Uhr", "Die Armbanduhr steht.", "de")
    assert not meets("key", "The monkey is here.", "en")


def test_compounds_add_tokens_and_no_length() -> None:
    plain, parted = (index_tokens("Das Dampfschiff fährt.", "de", compounds=one) for one in (False, True))
    assert plain.length == parted.length == 3
    assert set(plain.tokens) < set(parted.tokens)
    assert index_tokens("steamship", "en", compounds=True) == index_tokens("steamship", "en")
    assert index_tokens("1234567890", "de", compounds=True).tokens == ("1234567890",)


def test_a_text_of_long_words_stays_within_bounds() -> None:
    tokens = index_tokens("ä" * 10_000, "de", compounds=True).tokens
    assert len(tokens) < 130


def test_a_compound_that_nobody_said_is_asked_by_its_parts() -> None:
    terms = tuple(query_terms("Donaudampfschiff", "de"))
    (parted,) = by_parts(terms, {}, "de")
    assert {"donau", "schiff", "dampfschiff"} < set(parted)
    assert parted[: len(terms[0])] == terms[0]
    assert by_parts(terms, {"donaudampfschiff": 1}, "de") == terms
    assert by_parts(terms, {}, "en") == terms
    assert parts_of(("schiff",), "de") == ()


def test_what_no_passage_holds_is_unheard() -> None:
    assert unheard([("a", "b"), ("c",)], {"b": 2, "c": 0}) == [("c",)]


def test_pairs_between_two_words_are_left_out_where_a_word_beside_them_is_known() -> None:
    terms = query_terms("在医院工作", "zh")
    assert terms == [("在医",), ("医院",), ("院工",), ("工作",)]
    assert telling(terms, {"医院": 2}) == (("医院",), ("工作",))
    assert telling(terms, {}) == tuple(terms)
    assert telling(terms, dict.fromkeys(("在医", "医院", "院工", "工作"), 1)) == tuple(terms)
    assert telling([("ab",), ("bc",)], {"ab": 1}) == (("ab",), ("bc",))
