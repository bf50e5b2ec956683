"""Conversations made by a script, in five styles and three languages, with questions of two hard kinds.

"multi-hop": the evidence is two turns that share a thing, and only one of them is near the question's words.
"inference": what is asked is not said, but follows. What surrounds the evidence is drawn at random from the
same people and things. Nothing here was used to choose a weight.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from zerda.memory import Note
from zerda.memory.bench.task import Asked, Conversation

STYLES = ("assistant", "group", "diary", "minutes", "tickets")
LANGUAGES = ("en", "de", "es")
SURROUNDING = 120
START = datetime(2025, 3, 3, 9, tzinfo=UTC)

PEOPLE = ("Mara", "Tomas", "Ines", "Bruno", "Selma", "Pavel")

# Two turns and a question that needs both; {a} is a person.
HOPS = {
    "en": (
        ("{a} looks after the telescope now.", "The telescope went to the barn in Kelby.",
         "In which village is what {a} looks after?"),
        ("{a}'s sister is called Wanda.", "Wanda opened a bakery on Mill Street.",
         "What did the sister of {a} open?"),
        ("{a} took the night train to Brno.", "In Brno the old glassworks has become a museum.",
         "What could {a} have visited at the end of the train ride?"),
        ("{a} ordered the blue canoe.", "The blue canoe leaks at the stern.",
         "What is wrong with the boat that {a} ordered?"),
        ("{a} shares an office with Dr Quill.", "Dr Quill keeps a parrot.",
         "What animal does the person in {a}'s office have?"),
    ),
    "de": (
        ("{a} kümmert sich jetzt um das Fernrohr.", "Das Fernrohr steht jetzt in der Scheune in Kelbach.",
         "In welchem Dorf steht, worum sich {a} kümmert?"),
        ("Die Schwester von {a} heißt Wanda.", "Wanda hat in der Mühlgasse eine Bäckerei eröffnet.",
         "Was hat die Schwester von {a} eröffnet?"),
        ("{a} ist mit dem Nachtzug nach Brünn gefahren.", "In Brünn ist die alte Glashütte jetzt ein Museum.",
         "Was konnte {a} am Ende der Zugfahrt besuchen?"),
        ("{a} hat das blaue Kanu bestellt.", "Das blaue Kanu ist am Heck undicht.",
         "Was stimmt nicht mit dem Boot, das {a} bestellt hat?"),
    ),
    "es": (
        ("{a} cuida ahora del telescopio.", "El telescopio está ahora en el granero de Quelba.",
         "¿En qué pueblo está lo que cuida {a}?"),
        ("La hermana de {a} se llama Wanda.", "Wanda abrió una panadería en la calle del Molino.",
         "¿Qué abrió la hermana de {a}?"),
        ("{a} fue a Brno en el tren nocturno.", "En Brno la vieja fábrica de vidrio es ahora un museo.",
         "¿Qué pudo visitar {a} al final del viaje en tren?"),
        ("{a} pidió la canoa azul.", "La canoa azul hace agua por la popa.",
         "¿Qué le pasa al barco que pidió {a}?"),
    ),
}  # fmt: skip

# What {a} says, and what follows from it.
INFERENCES = {
    "en": (
        ("We picked up our puppy from the shelter today.", "Does {a} own a pet?"),
        ("I get dizzy as soon as I stand on a ladder.", "Is {a} afraid of heights?"),
        ("I have been a vegan for six years.", "Would {a} order the steak?"),
        ("My thesis is due in June, then I am done with university.", "Is {a} a student?"),
        ("We are expecting twins in autumn.", "Is {a} going to be a parent?"),
        ("I swapped my car for a bicycle and a rail pass.", "How does {a} get to work?"),
        ("The orchestra wants me to play first violin this season.", "Is {a} musical?"),
        ("I still send money to my grandmother in Lagos every month.", "Where does {a}'s family come from?"),
    ),
    "de": (
        ("Wir haben heute unseren Welpen aus dem Tierheim geholt.", "Hat {a} ein Haustier?"),
        ("Mir wird schwindlig, sobald ich auf einer Leiter stehe.", "Hat {a} Höhenangst?"),
        ("Ich esse seit sechs Jahren vegan.", "Würde {a} das Steak bestellen?"),
        ("Wir erwarten im Herbst Zwillinge.", "Bekommt {a} Kinder?"),
        ("Ich habe mein Auto gegen ein Fahrrad getauscht.", "Wie fährt {a} zur Arbeit?"),
    ),
    "es": (
        ("Hoy recogimos a nuestro cachorro del refugio.", "¿Tiene {a} una mascota?"),
        ("Me mareo en cuanto subo a una escalera.", "¿Le dan miedo las alturas a {a}?"),
        ("Soy vegano desde hace seis años.", "¿Pediría {a} el filete de carne?"),
        ("Esperamos gemelos para el otoño.", "¿Va a tener hijos {a}?"),
        ("Cambié el coche por una bicicleta.", "¿Cómo va {a} al trabajo?"),
    ),
}

# What surrounds them: {a} and {b} are people, {t} is a thing.
TALK = {
    "en": (
        "{a} said that the {t} is fine.", "I saw {a} near the {t} yesterday.", "Did {b} ask about the {t}?",
        "The {t} was {a}'s idea.", "We talked about the {t} for an hour.", "{a} and {b} want another {t}.",
        "Nobody knows where {b} left the {t}.", "Good morning!", "That is what {a} told me, too.",
    ),
    "de": (
        "{a} sagt, {t} ist in Ordnung.", "Gestern habe ich {a} bei {t} gesehen.", "Hat {b} nach {t} gefragt?",
        "{t} war die Idee von {a}.", "Wir haben eine Stunde über {t} geredet.", "Guten Morgen!",
        "{a} und {b} wollen {t} noch einmal sehen.", "Das hat mir {a} auch erzählt.",
    ),
    "es": (
        "{a} dice que {t} está bien.", "Ayer vi a {a} cerca de {t}.", "¿Preguntó {b} por {t}?",
        "{t} fue idea de {a}.", "Hablamos una hora sobre {t}.", "¡Buenos días!",
        "{a} y {b} quieren ver otra vez {t}.", "Eso me dijo {a} también.",
    ),
}  # fmt: skip
THINGS = {
    "en": ("garden", "train", "office", "boat", "street", "bakery", "village", "museum", "dog", "piano"),
    "de": ("der Garten", "der Zug", "das Büro", "das Boot", "die Straße", "das Dorf", "der Hund"),
    "es": ("el jardín", "el tren", "la oficina", "el barco", "la calle", "el pueblo", "el museo", "el perro"),
}  # fmt: skip


def made() -> Iterator[Conversation]:
    """A conversation for each style and language, always the same."""
    for style in STYLES:
        for language in LANGUAGES:
            yield _Maker(style, language).conversation()


class _Maker:
    def __init__(self, style: str, language: str) -> None:
        self.style, self.language = style, language
        self.chance = random.Random(f"{style} {language}")
        self.said: list[tuple[str, str]] = [self._surrounding() for _ in range(SURROUNDING)]
        self.asked: list[tuple[str, str, list[tuple[str, str]]]] = []

    def conversation(self) -> Conversation:
        for first, second, question in HOPS[self.language]:
            who, teller, other = self.chance.sample(PEOPLE, 3)
            told = [(teller, first.format(a=who)), (other, second.format(a=who))]
            self.asked.append(("multi-hop", question.format(a=who), told))
        for text, question in INFERENCES[self.language]:
            who = self.chance.choice(PEOPLE)
            self.asked.append(("inference", question.format(a=who), [(who, text)]))
        for _, _, told in self.asked:
            for one in told:
                self.said.insert(self.chance.randrange(len(self.said)), one)
        notes = [self._note(number, *one) for number, one in enumerate(self.said)]
        place = {one: str(number) for number, one in enumerate(self.said)}
        questions = tuple(
            Asked(text, frozenset(place[one] for one in told), kind) for kind, text, told in self.asked
        )
        return Conversation(f"{self.style} {self.language}", tuple(notes), questions)

    def _surrounding(self) -> tuple[str, str]:
        a, b = self.chance.sample(PEOPLE, 2)
        thing = self.chance.choice(THINGS[self.language])
        text = self.chance.choice(TALK[self.language]).format(a=a, b=b, t=thing)
        return self.chance.choice(PEOPLE), text[0].upper() + text[1:]

    def _note(self, number: int, who: str, text: str) -> Note:
        at = START + timedelta(hours=7 * number)
        told = {"id": str(number), "occurred_at": at, "session_id": f"s{number // 12}"}
        if self.style == "assistant":  # One user, who tells of all.
            content = {"input": f"{who}: {text}", "output": self.chance.choice(_ANSWERS[self.language])}
            return Note(content=content, kind="interaction", **told)  # type: ignore[arg-type]
        if self.style == "group":
            return Note(content=text, kind="message", speaker=who, **told)  # type: ignore[arg-type]
        form = {"diary": "{at:%d.%m.} {who}: {text}", "minutes": "- ({who}) {text}",
                "tickets": "#{number} [{who}] {text}"}[self.style]  # fmt: skip
        return Note(content=form.format(at=at, who=who, text=text, number=4000 + number), **told)  # type: ignore[arg-type]


_ANSWERS = {
    "en": ("Thanks, noted.", "Good to know!", "I will remember that."),
    "de": ("Danke, notiert.", "Gut zu wissen!", "Das merke ich mir."),
    "es": ("Gracias, anotado.", "¡Es bueno saberlo!", "Lo recordaré."),
}
