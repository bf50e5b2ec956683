"""Phrases by which people show how they like to be answered, in several languages.

Few and plain ones: a cue that is missed costs nothing, one that is wrong changes how a model answers.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from .text import fold, is_unspaced

Manner = tuple[Literal["verbosity", "style"], str]

_CUES: dict[Manner, str] = {
    ("verbosity", "brief"): """
        briefly | be brief | in short | keep it short | short answer | in one sentence | concise
        concisely | tl;dr
        kurz gesagt | kurz und knapp | fass dich kurz | fassen sie sich kurz | in einem satz | kurze antwort
        en bref | brièvement | réponse courte | sois bref | soyez bref | en une phrase
        brevemente | respuesta corta | sé breve | sea breve | en una frase | en pocas palabras
        in breve | risposta breve | sii breve | in una frase | resumidamente | resposta curta | seja breve
        kort gezegd | kort antwoord | hou het kort | w skrócie | w jednym zdaniu | krótko
        коротко | кратко | вкратце | в двух словах | одним предложением | стисло | kısaca | kısa cevap
        简单说 | 简短 | 一句话 | 簡潔に | 手短に | 一言で | 간단히 | 짧게 | باختصار | संक्षेप में
        """,
    ("verbosity", "detailed"): """
        in detail | more detail | detailed | step by step | at length | thoroughly | elaborate
        ausführlich | im detail | schritt für schritt | genauer | en détail | détaillé | étape par étape
        en detalle | detalladamente | paso a paso | in dettaglio | dettagliato | passo dopo passo
        em detalhe | em detalhes | detalhadamente | passo a passo | uitgebreid | stap voor stap
        szczegółowo | krok po kroku | подробно | подробнее | шаг за шагом | детально | ayrıntılı | adım adım
        详细 | 一步一步 | 詳しく | ステップごとに | 자세히 | 단계별로 | بالتفصيل | विस्तार से
        """,
    ("style", "formal"): """
        dear sir | dear madam | yours sincerely | kind regards | best regards | would you kindly
        sehr geehrte | sehr geehrter | mit freundlichen grüßen | könnten sie | würden sie
        veuillez | cordialement | pourriez-vous | je vous prie
        estimado | estimada | atentamente | podría usted
        cordiali saluti | gentile signora | gentile signore | prezado | prezada | atenciosamente
        geachte | met vriendelijke groet | zou u | szanowny panie | szanowna pani | z poważaniem
        уважаемый | уважаемая | с уважением | не могли бы вы | шановний | шановна | sayın | saygılarımla
        您 | お願いいたします | いただけますか | 부탁드립니다 | 주시겠습니까
        """,
    ("style", "casual"): """
        hey | lol | thx | gonna | wanna | btw | dude | haha | moin | na klar | kannst du | hast du
        salut | mdr | stp | tu peux | oye | jaja | porfa | ciao | vc | blz | kkk | hoi | doei
        cześć | hej | dzięki | привет | спс | ага | selam
        naber | kanka | 哈哈 | 嘿 | じゃん | だよね | ㅋㅋ | ㅎㅎ
        """,
    ("style", "technical"): """
        traceback | stack trace | segfault | unit test | null pointer | compiler | stacktrace
        """,
}
_WORD = re.compile(r"\w+")
_CODE = re.compile(r"```|\b\w+\(\)|\bdef \w+\(")


def cues_in(text: str) -> list[Manner]:
    """The manners that a text shows, each once."""
    said = " ".join(_WORD.findall(fold(text)))
    spaced, unspaced = _cues()
    words = dict.fromkeys(said.split())
    found = [
        manner for word in words for phrase, manner in spaced.get(word, ()) if f" {phrase} " in f" {said} "
    ]
    if not said.isascii():
        found += [manner for phrase, manner in unspaced if phrase in said]
    if _CODE.search(text):
        found.append(("style", "technical"))
    return list(dict.fromkeys(found))


@cache
def _cues() -> tuple[dict[str, list[tuple[str, Manner]]], list[tuple[str, Manner]]]:
    """Phrases by their first word; and those of scripts without spaces, which stand anywhere."""
    spaced: dict[str, list[tuple[str, Manner]]] = {}
    unspaced: list[tuple[str, Manner]] = []
    for manner, table in _CUES.items():
        for phrase in re.split(r"[|\n]", table):
            words = _WORD.findall(fold(phrase))
            if words and is_unspaced(words[0]):
                unspaced.append((" ".join(words), manner))
            elif words:
                spaced.setdefault(words[0], []).append((" ".join(words), manner))
    return spaced, unspaced
