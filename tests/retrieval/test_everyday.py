"""Small memories of ordinary people: what was said comes back, and an unrelated question finds nothing."""

import pytest

from zerda.memory import AIMemoryManager, MemoryConfig

THREE = ["I am allergic to peanuts.", "My sister lives in Oslo.", "The car needs new tyres."]

# What is remembered, what is asked, and which of it answers: None where nothing does.
CASES = [
    (["I play the cello in a quartet."], "Which instrument do I play?", 0),
    (["I play the cello in a quartet."], "What is the capital of Mongolia?", None),
    (["My dog is called Bruno."], "What is my dog's name?", 0),
    (["My dog is called Bruno."], "How do I bake sourdough bread?", None),
    (THREE, "What am I allergic to?", 0),
    (THREE, "Where does my sister live?", 1),
    (THREE, "Who won the chess tournament?", None),
    (["My favourite colour is green."], "What colour do I like best?", 0),
    (["We moved to Lisbon in 2021."], "When did we move?", 0),
    (["I work as a nurse in a children's hospital."], "Which telescope should I buy?", None),
    (["My doctor's appointment is on Tuesday at nine."], "When do I see the doctor?", 0),
    (
        ["I had pasta for dinner last night.", "My bike was stolen from the station."],
        "What happened to my bike?",
        1,
    ),
    (["I prefer tea over coffee in the morning."], "What do I drink in the morning?", 0),
    (["I prefer tea over coffee in the morning."], "How fast does light travel?", None),
    (["Ich spiele Cello in einem Quartett."], "Welches Instrument spiele ich?", 0),
    (["Ich habe Höhenangst."], "Wovor habe ich Angst?", 0),
    (["Ich spiele Cello in einem Quartett."], "Wie wird morgen das Wetter in Hamburg?", None),
    (["Meine Schwester wohnt in Graz.", "Ich vertrage keine Milch."], "Wo wohnt meine Schwester?", 0),
    (["Ich vertrage keine Milch."], "Was vertrage ich nicht?", 0),
    (["Mon chien s'appelle Bruno."], "Comment s'appelle mon chien ?", 0),
    (["Mon chien s'appelle Bruno."], "Quelle est la recette du gratin ?", None),
    (["Je travaille dans une librairie à Lyon."], "Où est-ce que je travaille ?", 0),
    (["Mi hermana vive en Bilbao."], "¿Dónde vive mi hermana?", 0),
    (["Mi hermana vive en Bilbao."], "¿Cuánto cuesta un billete de tren?", None),
    (["Soy alérgico a los cacahuetes."], "¿A qué soy alérgico?", 0),
    (["Il mio gatto si chiama Nuvola."], "Come si chiama il mio gatto?", 0),
    (["Minha irmã mora em Recife."], "Onde mora minha irmã?", 0),
    (["Мою собаку зовут Бруно."], "Как зовут мою собаку?", 0),
    (["Мою собаку зовут Бруно."], "Сколько стоит билет на поезд?", None),
    (["我妹妹住在成都。"], "我妹妹住在哪里？", 0),
    (["我妹妹住在成都。"], "火车票多少钱？", None),
    (["妹は京都に住んでいます。"], "妹はどこに住んでいますか？", 0),
    (["أختي تسكن في بيروت."], "أين تسكن أختي؟", 0),
    (["أختي تسكن في بيروت."], "كم سعر تذكرة القطار؟", None),
]


DAYS = [
    "I work as a nurse at the children's hospital.",
    "I like hiking in the hills.",
    "My bike was stolen on Monday.",
    "We had soup for dinner.",
    "My sister has two cats.",
    "I was born in Leeds in 1990.",
    "The rent went up to 900 euros.",
    "I can't eat shellfish.",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my job?", 0),
        ("What do I do for a living?", 0),
        ("What's my profession?", 0),
        ("Where am I from?", 5),
        ("Does my sister have pets?", 4),
        ("What is the boiling point of mercury?", None),
        ("Who painted the ceiling of the chapel?", None),
    ],
)
def test_meaning_finds_what_was_said_in_other_words(question: str, answer: int | None) -> None:
    config = MemoryConfig(enable_persistence=False, embedding_model="static")
    with AIMemoryManager(config) as memory:
        ids = [entry.id for entry in memory.remember_many("ann", "acme", DAYS)]
        found = [ids.index(hit.entry.id) for hit in memory.recall("ann", "acme", question)]
    assert found[:1] == ([] if answer is None else [answer])


@pytest.mark.parametrize("embedder", ["static", "none"])
@pytest.mark.parametrize(("said", "question", "answer"), CASES, ids=[case[1] for case in CASES])
def test_a_small_memory_answers_or_is_silent(said, question, answer, embedder):
    config = MemoryConfig(enable_persistence=False, embedding_model=embedder)
    with AIMemoryManager(config) as memory:
        ids = [entry.id for entry in memory.remember_many("ann", "acme", said)]
        found = [ids.index(hit.entry.id) for hit in memory.recall("ann", "acme", question)]
    assert found[:1] == ([] if answer is None else [answer])
