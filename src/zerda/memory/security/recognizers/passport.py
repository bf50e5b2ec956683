"""Passport numbers: no country has a check digit on them, so a word must speak for them."""

import re

from .base import SPOKEN_FOR, Pattern
from .view import words

_NUMBER = (
    r"[0-9](?<![0-9A-Za-z].)(?:[0-9]{1}(?: [0-9]{2} [0-9]{6}|[0-9]{2} ?[0-9]{6})|[0-9]{6,8})"
    r"|[A-Za-z](?<![0-9A-Za-z].)(?:[A-Za-z]{0,2}[ -]?[0-9]{6,9}|(?=[0-9A-Za-z]{0,6}[0-9])[0-9A-Za-z]{7,8})"
    r"|[0-9](?<![0-9A-Za-z].)[0-9][A-Za-z]{2}[0-9]{5}"
)

RECOGNIZER = Pattern(
    "PASSPORT",
    re.compile(rf"(?:{_NUMBER})(?![0-9A-Za-z])"),
    rank=SPOKEN_FOR + 3,
    digits=4,
    valid=lambda match: sum(map(str.isdigit, match[0])) >= 4,
    context=words(
        any="passport*, pasaport*",
        de="reisepass*, pass-nr*, passnummer*, ausweisnummer*, pass nr*, personalausweis*, ausweis*",
        fr="passeport*",
        es="pasaporte*",
        it="passaporto*",
        pt="passaporte*",
        nl="paspoort*",
        pl="paszport*",
        sv="passnummer*, pass nr",
        da="pasnummer*",
        ru="паспорт*, загранпаспорт*",
        uk="паспорт*",
        tr="pasaport*",
        zh="护照, 護照",
        ja="パスポート, 旅券",
        ko="여권",
        ar="جواز",
        hi="पासपोर्ट",
        he="דרכון",
        th="หนังสือเดินทาง",
        vi="hộ chiếu",
        id="paspor",
        el="διαβατ*",
        cs="pas č*, cestovní pas*",
        ro="pașaport*",
        fa="گذرنامه, پاسپورت",
    ),
)
