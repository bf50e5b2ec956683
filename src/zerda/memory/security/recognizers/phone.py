"""Phone numbers: international ones by their calling code, national ones by shape or by a word nearby."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .base import LIKELY, SPOKEN_FOR, Group, Hit, nearness
from .view import Run, View, words

# ITU-T E.164: the codes in use, by their length; what begins otherwise is no number.
_ONE = frozenset("17")
_CODES = (
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 "
    "81 82 84 86 90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 "
    "232 233 234 235 236 237 238 239 240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 "
    "257 258 260 261 262 263 264 265 266 267 268 269 290 291 297 298 299 350 351 352 353 354 355 356 357 "
    "358 359 370 371 372 373 374 375 376 377 378 380 381 382 383 385 386 387 389 420 421 423 500 501 502 "
    "503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599 670 672 673 674 675 676 677 678 "
    "679 680 681 682 683 685 686 687 688 689 690 691 692 800 850 852 853 855 856 870 878 880 881 882 883 "
    "886 888 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977 979 992 993 994 995 996 "
    "998"
)
_TWO = frozenset(code for code in _CODES.split() if len(code) == 2)
_THREE = frozenset(code for code in _CODES.split() if len(code) == 3)
# Digits with the calling code where a plan has one length only; it tells a number from what follows it.
_EXACT = {
    "1": 11, "7": 11, "33": 11, "34": 11, "48": 11, "86": 13, "91": 12, "90": 12, "31": 11, "351": 12, "45": 10,  # noqa: E501
    "41": 11, "420": 12, "52": 12, "61": 11, "27": 11, "380": 12, "972": 12, "32": 11,
}  # fmt: skip
_LONGEST = 15  # E.164
_SHORTEST = 8  # With the calling code; real ones below are islands and services.

_PLUS = re.compile(r"\+ ?\(?[1-9](?:[ .\-/()]{0,3}[0-9]){6,16}")
_PAREN = re.compile(r"(?:[0-9][ -]?)?\([0-9]{2,5}\) ?[-/]? ?[0-9](?:[ .-]?[0-9]){5,9}(?![0-9A-Za-z])")
_EXTENSION = re.compile(r" ?(?:,? ?ext\.? ?|x ?|# ?|; ?ext=)[0-9]{1,5}(?![0-9])")
_DATE = re.compile(
    r"(?:[0-9]{1,2}[-./ ][0-9]{1,2}[-./ ](?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}[-./ ][0-9]{1,2}[-./ ][0-9]{1,2})"
)

# National ways of writing that little else shares; groups, then what must hold of the digits.
_SHAPES = re.compile(
    r"(?:1[-. ])?[2-9][0-9]{2}[-.][2-9][0-9]{2}[-.][0-9]{4}"  # North America
    r"|0[1-9](?:[ .-][0-9]{2}){4}"  # France
    r"|0[1-9][0-9]{0,3}[- ][0-9]{1,4}[- ][0-9]{4}"  # Japan, Britain, Korea
    r"|0[1-9][0-9]{1,4}[ /-][0-9]{5,8}"  # Germany, Austria
    r"|0[1-9][0-9]{1,4}[ /-][0-9]{2,4}(?:[ -][0-9]{2,4}){1,3}"  # Germany, Britain, Türkiye, Sweden
    r"|06[ -][0-9]{8}|06(?:[ -][0-9]{2}){4}"  # Netherlands
    r"|8[ -][3-9][0-9]{2}[ -][0-9]{3}[ -][0-9]{2}[ -][0-9]{2}"  # Russia
    r"|1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}"  # China
    r"|[6-9][0-9]{4}[ -][0-9]{5}"  # India
    r"|[1-9][0-9] 9[0-9]{4}-[0-9]{4}"  # Brazil
)

PHONE_WORDS = words(
    any="tel, tel., telefon*, telephone*, fax, mobil*, whatsapp, sms, viber, gsm",
    en="phone*, *phone, my number, cell, cell number, landline, hotline, number is, text me at, reach me at, reach me on, dial",  # noqa: E501
    de="*telefon*, handy*, rufnummer*, erreichbar, mobilnummer*, durchwahl, festnetz*, meine nummer",
    fr="téléphone*, tél, tél., portable, joignable, numéro est, mon numéro, fixe",
    es="teléfono*, móvil*, celular*, mi número",
    it="telefono*, cellulare*, numero è, mio numero, recapito",
    pt="telefone*, celular*, telemóvel*, meu número",
    nl="telefoon*, mobiel*, 06-nummer, bereikbaar, mijn nummer",
    pl="telefon*, komórk*, kom., numer tel*, mój numer",
    ru="телефон*, тел, тел., моб*, сотов*, мой номер",
    uk="телефон*, мій номер",
    tr="telefon*, cep, numaram*",
    sv="telefon*, mobilnummer*, mitt nummer",
    zh="电话, 電話, 手机, 手機, 致电, 拨打, 微信, 号码, 热线, 座机",
    ja="電話, 携帯, 連絡先, ファックス, 番号は",
    ko="전화*, 휴대폰, 핸드폰, 연락처, 번호는",
    ar="هاتف, الهاتف, جوال, موبايل, رقمي, تليفون, واتساب",
    hi="फ़ोन, फोन, मोबाइल, नंबर",
    he="טלפון, נייד",
    th="โทร, เบอร์, มือถือ",
    vi="điện thoại*, sđt, số máy",
    id="telepon*, hp, nomor hp",
    el="τηλ*, κινητό",
    cs="telefon*, mobil*",
    ro="telefon*, mobil*",
    hu="telefon*, mobil*",
    fa="تلفن, موبایل, شماره",
    bn="ফোন, মোবাইল",
)  # fmt: skip

# Words that speak of reaching somebody, and of other things: they count only right before a long number.
_REACHING = words(
    any="telegram, signal",
    en="call*, ring, contact, text, reach me, reach him, reach her, reach us",
    de="ruf, anruf*, anrufen, erreichen, ruft, melde*",
    fr="appel*, joindre, contact*",
    es="llám*, llama*, llame*, contacto",
    it="chiam*",
    pt="ligar, ligue*, liga, contato",
    nl="bel, bellen",
    pl="zadzwoń*, dzwoń*",
    ru="звон*, позвон*, связ*, набер*",
    uk="дзвон*, подзвон*",
    tr="ara, arayın, arayabilir*",
    sv="ring, nås",
    zh="联系, 聯絡, 呼叫",
    ja="連絡, お問い合わせ",
    ko="연락",
    ar="اتصل, للتواصل",
    hi="कॉल, संपर्क",
    he="התקשר",
    vi="gọi",
    id="hubungi",
    cs="volejte, zavolejte",
    ro="sună, sunați",
    hu="hívj*",
    fa="تماس",
)
_REACHING_REACH = 15
_REACHING_DIGITS = 9
_ROUND = "0000"  # Where a count of something ends, and a phone number hardly ever.


@dataclass(frozen=True, slots=True)
class Phone:
    kind: str = "PHONE"
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        if view.digits < 7:
            return
        if "+" in view.text:
            yield from self._international(view)
        if "(" in view.text:
            yield from self._with_area(view)
        for run in view.runs:
            for first, last in _numbers(run):
                yield from self._national(view, run, first, last)

    def _international(self, view: View) -> Iterator[Hit]:
        for match in _PLUS.finditer(view.text):
            start = match.start()
            before = view.text[start - 1] if start else " "
            if before.isdecimal() or before in ")=" or _money_follows(view.text, match.end()):
                continue
            end = _whole_number(match)
            if end:
                yield self._hit(view, start, end, LIKELY + 5)

    def _with_area(self, view: View) -> Iterator[Hit]:
        for match in _PAREN.finditer(view.text):
            start = match.start()
            before = view.text[start - 1] if start else " "
            digits = sum(map(str.isdigit, match[0]))
            touched = before.isascii() and (before.isalnum() or before in "_.+-")
            if not touched and 8 <= digits <= 12 and not view.refuses(start):
                yield self._hit(view, start, match.end(), LIKELY)

    def _national(self, view: View, run: Run, first: int, last: int) -> Iterator[Hit]:
        start, end = run.span(first, last)
        written = view.text[start:end]
        digits = run.digits[run.offsets[first] : run.offsets[last + 1]]
        longest = _LONGEST + 2 if digits.startswith("00") else 13
        if not 7 <= len(digits) <= longest or (len(digits) <= 8 and _DATE.fullmatch(written)):
            return
        if not _stands_free(view, start, end):
            return
        if digits.startswith("00") and _code_of(digits[2:]) and len(digits) >= 10:
            yield self._hit(view, start, end, LIKELY)
        elif 9 <= len(digits) <= 12 and _SHAPES.fullmatch(written) and not view.refuses(start):
            yield self._hit(view, start, end, LIKELY - 5)
        elif not _is_decimal(written):
            yield from self._spoken_for(view, start, end, digits)

    def _spoken_for(self, view: View, start: int, end: int, digits: str) -> Iterator[Hit]:
        """Any number beside a word for a phone; it ranks below what has a check digit."""
        if _reaching(view, start, digits):
            yield Hit(start, end, SPOKEN_FOR - 12, self.kind)
        elif (distance := view.speaks_for(PHONE_WORDS, start, end)) is not None:
            yield Hit(start, end, SPOKEN_FOR - 10 + nearness(distance), self.kind)

    def _hit(self, view: View, start: int, end: int, rank: float) -> Hit:
        extension = _EXTENSION.match(view.text, end)
        spoken = view.near(PHONE_WORDS, start, end)
        bonus = 0.0 if spoken is None else nearness(spoken)
        return Hit(start, extension.end() if extension else end, rank + bonus, self.kind)


def _code_of(digits: str) -> str | None:
    if digits[:1] in _ONE:
        return digits[0]
    if digits[:2] in _TWO:
        return digits[:2]
    return digits[:3] if digits[:3] in _THREE else None


def _whole_number(match: re.Match[str]) -> int | None:
    """Where the number ends: at most as many digits as its country has, cut between groups."""
    written = match[0]
    digits = "".join(filter(str.isdigit, written))
    code = _code_of(digits)
    if code is None or len(digits) < _SHORTEST:
        return None
    trunk = 1 if "(0)" in written else 0
    exact = _EXACT.get(code)
    limit = (exact or _LONGEST) + trunk
    if len(digits) <= limit:
        return match.end() if len(digits) >= (exact or _SHORTEST) - 1 and not _digit_follows(match) else None
    return _cut(match, limit)


def _digit_follows(match: re.Match[str]) -> bool:
    return match.string[match.end() : match.end() + 1].isdigit()


def _cut(match: re.Match[str], limit: int) -> int | None:
    count = 0
    for at in range(match.start(), match.end()):
        if match.string[at].isdigit():
            count += 1
            if count == limit:
                return at + 1 if not match.string[at + 1].isdigit() else None
    return None


def _numbers(run: Run) -> Iterator[tuple[int, int]]:
    """The groups of a run, cut where one number must end and the next begins."""
    first, count = 0, run.lengths[0]
    for at in range(1, len(run.lengths)):
        size = run.lengths[at]
        whole = count >= 7 and (size >= 7 or count + size > _LONGEST or (count >= 9 and _begins(run, at)))
        if whole or count + size > _LONGEST:
            yield first, at - 1
            first, count = at, 0
        count += size
    yield first, len(run.lengths) - 1


def _begins(run: Run, at: int) -> bool:
    """A trunk zero behind a blank: another number."""
    return run.joints[at - 1] == " " and run.zeros[at] and not run.digits.startswith("00")


def _stands_free(view: View, start: int, end: int) -> bool:
    """No letter, sign of money or other digits at its edges; a letter before only if it ends a word for it."""  # noqa: E501
    text = view.text
    before = text[start - 1] if start else " "
    if before in "+#$€£¥₹₽.," or _letter(text, end) or _money_follows(text, end):
        return False
    return not _letter(text, start - 1) or view.touches(PHONE_WORDS, start)


def _reaching(view: View, start: int, digits: str) -> bool:
    if not _REACHING_DIGITS <= len(digits) <= 13 or digits.endswith(_ROUND):
        return False
    return view.reaches(_REACHING, start, _REACHING_REACH) and not view.refuses(start)


def _is_decimal(written: str) -> bool:
    return written.count(".") == 1 and written.replace(".", "").isdecimal()


def _letter(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isascii() and text[at].isalpha()


def _money_follows(text: str, end: int) -> bool:
    return (
        text[end : end + 4]
        .lstrip()
        .startswith(("$", "€", "£", "¥", "₹", "₽", "%", "EUR", "USD", "zł", "元", "円", "원"))
    )


RECOGNIZER = Phone()
