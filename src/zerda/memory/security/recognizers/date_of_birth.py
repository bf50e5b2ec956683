"""Dates of birth: a date is personal only where a word says that somebody was born on it."""

import re

from .base import LIKELY, Pattern
from .view import words

_MONTHS = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|"  # English, and most beginnings elsewhere
    "jän|mär|mai|okt|dez|janv|févr|fevr|avr|juin|juil|août|aout|déc|ene|abr|ago|dic|"
    "gen|mag|giu|lug|set|ott|fev|out|maart|mei|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru|"
    "янв|фев|мар|апр|мая|май|июн|июл|авг|сен|окт|ноя|дек|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara"
)
_YEAR = r"(?:18|19|20)[0-9]{2}"
_NAMED = rf"(?:{_MONTHS})[^\W\d_]{{0,8}}\.?"
_DATE = (
    rf"(?:{_YEAR} ?[年년] ?[0-9]{{1,2}} ?[月월] ?[0-9]{{1,2}} ?[日일]?"
    rf"|{_YEAR} ?[-./] ?[0-9]{{1,2}} ?[-./] ?[0-9]{{1,2}}"
    rf"|[0-9]{{1,2}} ?[-./] ?[0-9]{{1,2}} ?[-./] ?(?:{_YEAR}|[0-9]{{2}})"
    rf"|[0-9]{{1,2}} [0-9]{{1,2}} {_YEAR}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|er|º|\.)?[ -](?:of |de |d')?{_NAMED},?[ -](?:de |del |of )?{_YEAR}"
    rf"|{_NAMED} [0-9]{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}"
    rf"|{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"|[0-9]{1,2} [^\W\d_A-Za-z][^\W\d_]{2,9} (?:18|19|20)[0-9]{2})"
)
_NUMBERS = re.compile(r"[0-9]+")


def _plausible(match: re.Match[str]) -> bool:
    """No part above 31 but the year."""
    parts = _NUMBERS.findall(match[0])
    return len(parts) == 1 or all(
        int(part) <= 31 or (len(part) != 1 and part in (parts[0], parts[-1])) for part in parts
    )


RECOGNIZER = Pattern(
    "DATE_OF_BIRTH",
    re.compile(rf"(?i)(?<![0-9A-Za-z./-]){_DATE}(?![0-9])"),
    rank=LIKELY,
    digits=4,
    valid=_plausible,
    context=words(
        any="dob, d.o.b, d.o.b., birthdate*, birthday*",
        en="born, date of birth, birth date, birth, birth_date*, date_of_birth*",
        de="geboren*, geburtsdatum*, geburtstag*, geb., geb",
        fr="né le, née le, né, née, naissance, anniversaire",
        es="nacid*, nacimiento, nací, nació, cumpleaños",
        it="nato, nata, nascita, compleanno",
        pt="nascid*, nascimento, nasci, nasceu, aniversário",
        nl="geboren, geboortedatum*, verjaardag*, geb.",
        pl="urodz*, ur., ur",
        sv="född*, födelsedatum*, födelsedag*",
        da="født*, fødselsdato*, fødselsdag*",
        no="født*, fødselsdato*, fødselsdag*",
        fi="syntynyt, syntymäaika*, synt.",
        cs="narozen*, nar.",
        ro="născut*, nașterii",
        hu="született*, születési",
        el="γεννη*, γέννησης",
        ru="родил*, рожд*, д.р., г.р.",
        uk="народ*",
        tr="doğum*, doğdu*",
        zh="出生, 生日, 生于, 生於",
        ja="生年月日, 誕生日, 生まれ",
        ko="생년월일, 생일, 출생, 태어",
        ar="الميلاد, ولد, مواليد, ولدت, الولادة",
        fa="تولد, متولد",
        he="תאריך לידה, נולד",
        hi="जन्म",
        th="เกิด",
        vi="sinh ngày, ngày sinh, sinh",
        id="lahir*",
    ),
)
