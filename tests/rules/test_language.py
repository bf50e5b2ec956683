"""Which language a text is in, what it asks, and whom it names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.language import (
    asks_when,
    detect,
    is_question,
    named,
    rewrite_names,
    stop_words,
)
from zerda.memory.core.rules.languages import LANGUAGES
from zerda.memory.core.rules.text import fold

SHORT = [
    ("en", "Where does Anna live?"),
    ("en", "Was he there?"),
    ("de", "Wo wohnt Anna?"),
    ("de", "Was hat er gesagt?"),
    ("de", "Ich weiß nicht"),
    ("fr", "Où habite Anna ?"),
    ("fr", "Ou est le chien de Marie?"),
    ("es", "¿Dónde vive Ana?"),
    ("es", "Donde esta el perro"),
    ("it", "Dove abita Anna?"),
    ("it", "Che ore sono?"),
    ("pt", "Onde mora a Ana?"),
    ("pt", "Quem é o Pedro?"),
    ("nl", "Waar woont Anna?"),
    ("pl", "Gdzie mieszka Anna?"),
    ("tr", "Anna nerede yaşıyor?"),
    ("tr", "Annem kahveyi şekersiz içer."),
    ("tr", "Komşumuz her sabah bahçesindeki güllerini suluyor."),
    ("de", "Für Übungen müssen wir früh los."),
    ("ru", "Где живёт Анна?"),
    ("uk", "Де живе Анна?"),
    ("zh", "安娜住在哪里？"),
    ("ja", "アンナはどこに住んでいますか"),
    ("ja", "東京に行きました"),
    ("ja", "東京大学法学部卒業の人"),
    ("ko", "안나는 어디에 살아요?"),
    ("ar", "أين تسكن آنا؟"),
    ("hi", "अन्ना कहाँ रहती है?"),
    ("th", "แอนนาอยู่ที่ไหน"),
]
WHEN = [
    ("en", "When did Jon lose his job?"),
    ("en", "How long has she lived there?"),
    ("en", "What year was that?"),
    ("en", "Since when do you smoke?"),
    ("en", "how many months did it take"),
    ("de", "Seit wann wohnt sie dort?"),
    ("de", "Wie lange warst du weg?"),
    ("de", "An welchem Tag war das?"),
    ("fr", "Depuis combien de temps tu habites ici ?"),
    ("fr", "Quand est-ce qu'elle part ?"),
    ("fr", "En quelle année ?"),
    ("es", "¿Cuándo llegó Ana?"),
    ("es", "¿Cuánto tiempo estuvo allí?"),
    ("es", "¿En qué año fue?"),
    ("it", "Quando parte Anna?"),
    ("it", "Da quanto tempo abiti qui?"),
    ("pt", "Quando chegou a Ana?"),
    ("pt", "Há quanto tempo moras aqui?"),
    ("ru", "Когда она приехала?"),
    ("ru", "Сколько лет ты там жил?"),
    ("zh", "他什么时候去的？"),
    ("zh", "你住了多久？"),
    ("ja", "いつ行きましたか"),
    ("ja", "何年ですか"),
    ("ar", "متى وصلت آنا؟"),
    ("ar", "كم سنة عشت هناك؟"),
    ("nl", "Wanneer ging Anna weg?"),
    ("pl", "Kiedy przyjechała Anna?"),
    ("tr", "Anna ne zaman geldi?"),
    ("uk", "Коли вона приїхала?"),
    ("ko", "언제 갔어요?"),
    ("hi", "वह कब गई?"),
    ("th", "เธอไปเมื่อไหร่"),
]


@pytest.mark.parametrize(("code", "text"), SHORT)
def test_a_short_text_shows_its_language(code: str, text: str) -> None:
    assert detect(text) == code


@pytest.mark.parametrize("text", ["", "Anna", "123", "…", "xqzt wvvk", "🙂"])
def test_a_text_without_evidence_has_no_language(text: str) -> None:
    assert detect(text) is None


def test_a_language_without_a_table_is_not_taken_for_another() -> None:
    assert detect("Jag tycker om att åka skidor på vintern med min familj och mina vänner") is None
    assert detect("من به مدرسه می‌روم و کتاب می‌خوانم") is None


def test_a_foreign_word_does_not_change_the_language() -> None:
    assert detect("I love ラーメン so much that I eat it every week") == "en"


def test_only_the_beginning_of_a_text_is_read() -> None:
    assert detect("The dog was in the house. " * 20 + "und " * 5_000) == "en"


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert detect(text) in {None, *LANGUAGES}
    assert isinstance(is_question(text), bool)
    assert isinstance(asks_when(text), bool)


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_words_of_the_tables_are_folded(code: str) -> None:
    table = LANGUAGES[code]
    assert all(fold(word) == word for word in table.stop_words)
    assert table.question_words | table.pronouns <= table.stop_words


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ar"])
def test_the_ten_first_languages_are_complete(code: str) -> None:
    table = LANGUAGES[code]
    assert len(table.stop_words) > 150
    assert table.when_phrases
    assert table.first_person
    assert table.times
    assert table.times.patterns


def test_contractions_are_stop_words_split_or_joined() -> None:
    english = stop_words("en")
    assert {"don", "t", "dont", "ve", "ll", "im", "what", "who", "she"} <= english
    assert not {"won", "ill", "job", "hell"} & english


def test_stop_words_of_no_language_are_english_and_of_an_unknown_one_none() -> None:
    assert stop_words(None) == stop_words("en")
    assert stop_words("xx") == frozenset()


@pytest.mark.parametrize(("code", "text"), WHEN)
def test_a_question_for_a_time_is_known(code: str, text: str) -> None:
    assert asks_when(text, code)
    assert asks_when(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who is she?",
        "What did she do when he left?",
        "When Jon lost his job, what did he do?",
        "Wo wohnt Anna?",
        "Wer kommt, wenn Anna geht?",
        "Où habite Anna ?",
        "Qui arrose les plantes quand je voyage ?",
        "¿Quién riega las plantas cuando viajo?",
        "Chi annaffia le piante quando viaggio?",
        "Quem rega as plantas quando viajo?",
        "Кто поливает цветы, когда я уезжаю?",
        "Wie geeft de planten water wanneer ik weg ben?",
        "Что любит Анна?",
        "他住在哪里？",
        "何が好きですか",
    ],
)
def test_other_questions_do_not_ask_for_a_time(text: str) -> None:
    assert not asks_when(text)


@pytest.mark.parametrize(
    "text",
    [
        "Really?",
        "Really?!",
        "Really? 😊",
        'He said: "Really?"',
        "真的吗？",
        "真的吗",
        "行きますか",
        "갈까요",
        "حقا؟",
        "Toplantı bugün mü",
        "ไปไหม",
    ],
)
def test_questions_of_many_scripts(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text", ["", "No.", "Did you? I did.", "静か", "어머니", "Dimmi", "a?b", "Was it good? Yes"]
)
def test_what_does_not_end_as_a_question(text: str) -> None:
    assert not is_question(text)


PEOPLE = ["Caroline", "Melanie Smith", "Will", "James", "Anna", "Dr. Lee Wong", "花子", "王小明", "Анна"]


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("What is Caroline's identity?", "What is my identity?"),
        ("What is Caroline’s identity?", "What is my identity?"),
        ("Did caroline go with MELANIE?", "Did I go with I?"),
        ("Melanie Smith's kids", "my kids"),
        ("What did James' wife say?", "What did my wife say?"),
        ("Did Will go?", "Did I go?"),
        ("Who is 'Caroline'?", "Who is 'I'?"),
        ("Will Anna go?", "Will I go?"),
        ("will it rain?", "will it rain?"),
        ("Wo ist Annas Hund?", "Wo ist mein Hund?"),
        ("Wo wohnt Anna?", "Wo wohnt ich?"),
        ("Où est le chien d'Anna ?", "Où est le chien mon ?"),
        ("¿Dónde está el perro de Anna?", "¿Dónde está el perro mi?"),
        ("花子さんの犬はどこ？", "私の犬はどこ？"),
        ("小明的狗在哪里？", "我的狗在哪里？"),
        ("Где собака Анны?", "Где собака я?"),
        ("Where do Annabel and Leeds live?", "Where do Annabel and Leeds live?"),
    ],
)
def test_a_question_is_put_as_the_person_would_say_it(question: str, rewritten: str) -> None:
    assert rewrite_names(question, PEOPLE) == rewritten


def test_names_are_told_in_the_order_given() -> None:
    assert named("Did Lee meet Melanie and Caroline's dog?", PEOPLE) == (
        "Caroline",
        "Melanie Smith",
        "Dr. Lee Wong",
    )


@pytest.mark.parametrize("question", ["May I go in may?", "You may go", "Will he?", "I will", "Who am I?"])
def test_a_name_that_is_an_ordinary_word_is_not_guessed(question: str) -> None:
    assert named(question, ["May", "Will"]) == ()


def test_an_ordinary_word_with_a_capital_inside_a_sentence_is_the_name() -> None:
    assert named("Did May call Will?", ["May", "Will"]) == ("May", "Will")


@given(st.text(), st.lists(st.text(), max_size=4))
def test_any_names_are_taken_and_only_given_ones_told(question: str, names: list[str]) -> None:
    found = named(question, names)
    assert set(found) <= set(names)
    if not found:
        assert rewrite_names(question, names) == question


@given(st.text())
def test_without_names_a_question_stays_as_it_is(question: str) -> None:
    assert rewrite_names(question, []) == question
