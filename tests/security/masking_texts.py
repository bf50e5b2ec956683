# ruff: noqa: E501
"""Synthetic texts with marked values, to tune masking on one half and to measure it on the other.

Every value is made here from a seeded generator; check digits are computed by this file's own arithmetic.
Keys are put together from parts, so that no line of this file looks like one. The halves share no template.
"""

import base64
import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Literal

import masking_templates_held
import masking_templates_tuning

Half = Literal["tuning", "held"]


@dataclass(frozen=True, slots=True)
class Case:
    """A text and the places in it that must be masked; a hard negative has none."""

    text: str
    language: str
    spans: tuple[tuple[int, int, str], ...] = ()
    disguise: str = "plain"


# ── values ──────────────────────────────────────────────────────────────────────────────────────────────

Maker = Callable[[random.Random], str]


def _digits(rng: random.Random, size: int, first: str = "123456789") -> str:
    return rng.choice(first) + "".join(rng.choices("0123456789", k=size - 1))


def _pick(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choices(alphabet, k=size))


_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_ALNUM = _LOWER + _UPPER + "0123456789"
_HEX = "0123456789abcdef"


def _first_that(candidates: Iterator[str], holds: Callable[[str], bool]) -> str:
    return next(each for each in candidates if holds(each))


def _luhn_digit(body: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value // 10 + value % 10
    return str(-total % 10)


def _grouped(digits: str, sizes: tuple[int, ...], joints: str) -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(digits[at : at + size])
        at += size
    return "".join(part + joint for part, joint in zip(parts, [*joints, ""], strict=True))


def _born(rng: random.Random) -> tuple[int, int, int]:
    return rng.randint(1940, 1999), rng.randint(1, 12), rng.randint(1, 28)


def email(rng: random.Random) -> str:
    name = rng.choice(
        [
            "anna.k",
            "j_mueller",
            "li.wei88",
            "o'neil",
            "p.rossi+news",
            "sofia",
            "max-m",
            "t.kaya",
            "ivan.petrov",
        ]
    )
    host = rng.choice(
        [
            "example.com",
            "example.org",
            "mail.example.net",
            "example.co.uk",
            "uni-test.example.de",
            "example.io",
        ]
    )
    return f"{name}{rng.randint(1, 999)}@{host}"


def phone_world(rng: random.Random) -> str:
    code, sizes, joint = rng.choice(
        [("+1 ", (3, 3, 4), "-"), ("+49 ", (2, 7), " "), ("+44 ", (2, 4, 4), " "), ("+33 ", (1, 2, 2, 2, 2), " "),
         ("+86 ", (3, 4, 4), " "), ("+91 ", (5, 5), " "), ("+55 ", (2, 5, 4), " "), ("+7 ", (3, 3, 2, 2), "-"),
         ("+81 ", (2, 4, 4), "-"), ("+34 ", (3, 3, 3), " "), ("+48 ", (3, 3, 3), " "), ("+90 ", (3, 3, 2, 2), " "),
         ("+972 ", (2, 3, 4), "-"), ("+46 ", (2, 3, 2, 2), " "), ("+31 ", (1, 8), " "), ("+971 ", (2, 3, 4), " ")]
    )  # fmt: skip
    digits = _digits(rng, sum(sizes), "6789" if code in ("+86 ", "+91 ") else "23456789")
    if code == "+86 ":
        digits = "13" + digits[2:]
    written = code + _grouped(digits, sizes, joint * (len(sizes) - 1))
    return written if rng.random() < 0.7 else written.replace(" ", "").replace("-", "")


def phone_home(rng: random.Random) -> str:
    return rng.choice(
        [
            f"({rng.randint(201, 989)}) {rng.randint(201, 989)}-{_digits(rng, 4)}",
            f"0{rng.randint(151, 179)} {_digits(rng, 8)}",
            f"06 {_grouped(_digits(rng, 8), (2, 2, 2, 2), '   ')}",
            f"0{_digits(rng, 2)}-{_digits(rng, 4)}-{_digits(rng, 4)}",
            f"0{_digits(rng, 3)} {_digits(rng, 3)} {_digits(rng, 4)}",
        ]
    )


def phone_bare(rng: random.Random) -> str:
    return (
        _digits(rng, rng.choice([9, 10, 11]), "56789")
        if rng.random() < 0.5
        else "1" + _digits(rng, 10, "3578")
    )


def card(rng: random.Random) -> str:
    begin, size = rng.choice(
        [("4", 16), ("53", 16), ("2221", 16), ("37", 15), ("6011", 16), ("3530", 16), ("62", 16)]
    )
    body = begin + _digits(rng, size - 1 - len(begin))
    digits = body + _luhn_digit(body)
    form = rng.random()
    if form < 0.35:
        return digits
    joint = " " if form < 0.75 else "-"
    return _grouped(digits, (4, 6, 5) if size == 15 else (4, 4, 4, 4), joint * (2 if size == 15 else 3))


def iban(rng: random.Random) -> str:
    land, size, letters = rng.choice(
        [("DE", 22, 0), ("GB", 22, 4), ("FR", 27, 0), ("ES", 24, 0), ("NL", 18, 4), ("PL", 28, 0), ("IT", 27, 1),
         ("CH", 21, 0), ("TR", 26, 0), ("SE", 24, 0), ("PT", 25, 0), ("AT", 20, 0), ("BE", 16, 0)]
    )  # fmt: skip
    body = _pick(rng, _UPPER, letters) + _digits(rng, size - 4 - letters)
    check = 98 - int("".join(str(int(char, 36)) for char in body + land + "00")) % 97
    bare = f"{land}{check:02d}{body}"
    if rng.random() < 0.4:
        return bare
    return " ".join(bare[at : at + 4] for at in range(0, size, 4))


def ip(rng: random.Random) -> str:
    if rng.random() < 0.7:
        return f"{rng.choice([10, 84, 172, 192, 203, 185])}.{rng.randint(16, 254)}.{rng.randint(10, 254)}.{rng.randint(10, 254)}"
    groups = [f"{rng.randint(1, 65535):x}" for _ in range(6)]
    return rng.choice(
        [
            ":".join(["2001", "db8", *groups]),
            f"2001:db8::{groups[0]}:{groups[1]}",
            f"fe80::{groups[2]}:{groups[3]}:1",
        ]
    )


def mac(rng: random.Random) -> str:
    parts = [f"{rng.randint(0, 255):02x}" for _ in range(5)] + ["a" + rng.choice(_HEX)]
    form = rng.choice([":".join, "-".join])(parts)
    return form.upper() if rng.random() < 0.5 else form


def born_on(rng: random.Random) -> str:
    year, month, day = _born(rng)
    return rng.choice(
        [f"{day:02d}.{month:02d}.{year}", f"{year}-{month:02d}-{day:02d}", f"{day:02d}/{month:02d}/{year}"]
    )


def born_on_asia(rng: random.Random) -> str:
    year, month, day = _born(rng)
    return f"{year}年{month}月{day}日"


def born_on_korea(rng: random.Random) -> str:
    year, month, day = _born(rng)
    return f"{year}년 {month}월 {day}일"


def born_on_english(rng: random.Random) -> str:
    year, _, day = _born(rng)
    month = rng.choice(["January", "March", "May", "August", "October", "Dec"])
    return rng.choice([f"{month} {day}, {year}", f"{day} {month} {year}"])


def passport(rng: random.Random) -> str:
    return rng.choice(
        [
            _digits(rng, 9),
            _pick(rng, _UPPER, 2) + _digits(rng, 7),
            "C" + _digits(rng, 8),
            "E" + _digits(rng, 8),
        ]
    )


def _base58(number: int) -> str:
    alphabet, written = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", ""
    while number:
        number, rest = divmod(number, 58)
        written = alphabet[rest] + written
    return written


def wallet(rng: random.Random) -> str:
    if rng.random() < 0.45:
        return "0x" + "".join(rng.choice(_HEX + "ABCDEF") for _ in range(40))
    payload = b"\x00" + rng.randbytes(20)
    check = hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    return "1" + _base58(int.from_bytes(payload + check, "big"))


def ssn(rng: random.Random) -> str:
    return f"{rng.randint(100, 665):03d}-{rng.randint(1, 99):02d}-{rng.randint(1, 9999):04d}"


def nino(rng: random.Random) -> str:
    digits = _digits(rng, 6)
    return rng.choice([f"{rng.choice('ABCEHJ')}{rng.choice('ABCEHJ')} {digits[:2]} {digits[2:4]} {digits[4:]} A",
                       f"{rng.choice('JLMPRS')}{rng.choice('ABCEGHJ')}{digits}C"])  # fmt: skip


def steuer_id(rng: random.Random) -> str:
    while True:
        ten = rng.sample("0123456789", 9)
        ten.insert(rng.randrange(10), rng.choice(ten))
        body = "".join(ten)
        if body[0] != "0":
            break
    product = 10
    for digit in body:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    digits = body + str((11 - product) % 10)
    return digits if rng.random() < 0.5 else _grouped(digits, (2, 3, 3, 3), "   ")


def nir(rng: random.Random) -> str:
    year, month, _ = _born(rng)
    body = f"{rng.choice('12')}{year % 100:02d}{month:02d}{rng.randint(1, 95):02d}{rng.randint(1, 999):03d}{rng.randint(1, 999):03d}"
    digits = f"{body}{97 - int(body) % 97:02d}"
    return digits if rng.random() < 0.5 else _grouped(digits, (1, 2, 2, 2, 3, 3, 2), "      ")


def dni(rng: random.Random) -> str:
    number = rng.randint(10_000_000, 99_999_999)
    letter = "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]
    return f"{number}{rng.choice(['', '-'])}{letter}"


def codice_fiscale(rng: random.Random) -> str:
    year, _, day = _born(rng)
    body = f"{_pick(rng, 'BCDFGLMNPRST', 6)}{year % 100:02d}{rng.choice('ABCDEHLMPRST')}{day:02d}{rng.choice('AFHL')}{rng.randint(100, 999)}"
    odd = dict(
        zip(
            _UPPER,
            [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23],
            strict=True,
        )
    )
    odd |= {str(at): odd[_UPPER[at]] for at in range(10)}
    even = {char: at for at, char in enumerate(_UPPER)} | {str(at): at for at in range(10)}
    total = sum(odd[char] if place % 2 == 0 else even[char] for place, char in enumerate(body))
    return body + _UPPER[total % 26]


def _by_search(rng: random.Random, size: int, holds: Callable[[str], bool]) -> str:
    return _first_that((_digits(rng, size) for _ in cycle([0])), holds)


def bsn(rng: random.Random) -> str:
    return _by_search(rng, 9, lambda d: (sum(int(d[at]) * (9 - at) for at in range(8)) - int(d[8])) % 11 == 0)


def cpf(rng: random.Random) -> str:
    digits = _digits(rng, 9)
    for _ in range(2):
        total = sum(
            int(digit) * weight for digit, weight in zip(digits, range(len(digits) + 1, 1, -1), strict=True)
        )
        digits += str(total * 10 % 11 % 10)
    return digits if rng.random() < 0.3 else _grouped(digits, (3, 3, 3, 2), "..-")


def pesel(rng: random.Random) -> str:
    year, month, day = _born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{rng.randint(0, 9999):04d}"
    total = sum(
        int(digit) * weight for digit, weight in zip(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3), strict=True)
    )
    return f"{body}{-total % 10}"


def personnummer(rng: random.Random) -> str:
    year, month, day = _born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{rng.randint(0, 999):03d}"
    full = f"{body[:6]}-{body[6:]}{_luhn_digit(body)}"
    return full if rng.random() < 0.6 else f"{year // 100}{full}"


def aadhaar(rng: random.Random) -> str:
    body = _digits(rng, 11, "23456789")
    inverse = (0, 4, 3, 2, 1, 5, 6, 7, 8, 9)
    state = 0
    for place, digit in enumerate(reversed(body), 1):
        state = _dihedral(state, _permuted(int(digit), place))
    digits = body + str(inverse[state])
    return digits if rng.random() < 0.4 else _grouped(digits, (4, 4, 4), "  ")


def _dihedral(left: int, right: int) -> int:
    if left < 5:
        return (left + right) % 5 if right < 5 else 5 + (left + right - 5) % 5
    return 5 + (left - 5 - right) % 5 if right < 5 else (left - right) % 5


def _permuted(digit: int, times: int) -> int:
    for _ in range(times):
        digit = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[digit]
    return digit


def resident_id(rng: random.Random) -> str:
    year, month, day = _born(rng)
    body = f"{rng.choice(['110105', '310101', '440305'])}{year}{month:02d}{day:02d}{rng.randint(100, 999)}"
    total = sum(int(digit) * 2 ** (17 - place) for place, digit in enumerate(body))
    return body + "10X98765432"[total % 11]


def rrn(rng: random.Random) -> str:
    year, month, day = _born(rng)
    return f"{year % 100:02d}{month:02d}{day:02d}-{rng.choice('12')}{_digits(rng, 6)}"


def snils(rng: random.Random) -> str:
    body = _digits(rng, 9)
    check = sum(int(digit) * (9 - place) for place, digit in enumerate(body)) % 101 % 100
    return _grouped(f"{body}{check:02d}", (3, 3, 3, 2), "-- ")


def tckn(rng: random.Random) -> str:
    nine = _digits(rng, 9)
    tenth = (sum(map(int, nine[::2])) * 7 - sum(map(int, nine[1::2]))) % 10
    return f"{nine}{tenth}{(sum(map(int, nine)) + tenth) % 10}"


def curp(rng: random.Random) -> str:
    year, month, day = _born(rng)
    body = f"{_pick(rng, 'BCGLMR', 1)}{rng.choice('AEIO')}{_pick(rng, 'BCGLMR', 2)}{year % 100:02d}{month:02d}{day:02d}H{rng.choice(['DF', 'JC', 'NL'])}{_pick(rng, 'BCDLMNR', 3)}0"
    alphabet = "0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ"
    total = sum(alphabet.index(char) * (18 - place) for place, char in enumerate(body))
    return f"{body}{-total % 10}"


def api_key(rng: random.Random) -> str:
    parts: tuple[tuple[str, str, str, int], ...] = (
        ("s", "k-proj-", _ALNUM, 48), ("s", "k-ant-api03-", _ALNUM + "_-", 90), ("AK", "IA", "ABCDEFGHIJKLMNOP234567", 16),
        ("AI", "za", _ALNUM, 35), ("gh", "p_", _ALNUM, 36), ("github", "_pat_", _ALNUM, 60), ("gl", "pat-", _ALNUM, 20),
        ("xo", "xb-", "0123456789", 12), ("s", "k_live_", _ALNUM, 24), ("np", "m_", _ALNUM, 36), ("py", "pi-", _ALNUM, 80),
        ("h", "f_", _ALNUM, 34), ("S", "K", _HEX, 32), ("gs", "k_", _ALNUM, 52), ("da", "pi", _HEX, 32), ("hv", "s.", _ALNUM, 28),
    )  # fmt: skip
    left, right, alphabet, size = rng.choice(parts)
    body = (
        "7" + _pick(rng, alphabet, size - 2) + rng.choice("234567")
        if alphabet != "0123456789"
        else _pick(rng, alphabet, size)
    )
    return f"{left}{right}{body}" + (f"-{_pick(rng, _ALNUM, 24)}" if left == "xo" else "")


def sendgrid(rng: random.Random) -> str:
    return f"S{'G'}.{_pick(rng, _ALNUM, 21)}4.{_pick(rng, _ALNUM, 43)}"


def jwt(rng: random.Random) -> str:
    def part(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    head = part(b'{"alg":"HS256","typ":"JWT"}')
    body = part(b'{"sub":%d}' % rng.randint(1, 10**9))
    return f"{head}.{body}.{part(rng.randbytes(32))}"


def private_key(rng: random.Random) -> str:
    word = rng.choice(["", "RSA ", "EC ", "OPENSSH "]) + "PRIVATE" + " KEY"
    lines = "\n".join(base64.b64encode(rng.randbytes(48)).decode() for _ in range(rng.randint(3, 6)))
    return f"-----BEGIN {word}-----\n{lines}\n-----END {word}-----"


def url_with_auth(rng: random.Random) -> str:
    scheme = rng.choice(["postgres", "https", "mongodb+srv", "redis", "amqp", "mysql", "ftp"])
    return f"{scheme}://{rng.choice(['admin', 'app_user', 'svc'])}:{_pick(rng, _ALNUM, 10)}{rng.choice(['', '!', '%21', '@9'])}@db.example.com:5432/main"


def password(rng: random.Random) -> str:
    return rng.choice(
        [
            "Tr0ub4dor&3",
            "hunter2!",
            "S0mmer2024!",
            "correct-h0rse",
            "Qwerty_99x",
            "P@ssw0rd123",
            "zX9$kLm2",
            "blau3Katze#",
        ]
    ) + str(rng.randint(1, 99))


def word_password(rng: random.Random) -> str:
    return rng.choice(["sonnenblume", "dragonfly", "Liverpool", "mariposa", "swordfish"])


def secret(rng: random.Random) -> str:
    return rng.choice([_pick(rng, _HEX, 30) + "7a", _pick(rng, _ALNUM, 38) + "4x"])


MAKERS: dict[str, tuple[str, Maker]] = {
    "email": ("EMAIL", email), "phone_world": ("PHONE", phone_world), "phone_home": ("PHONE", phone_home),
    "phone_bare": ("PHONE", phone_bare), "card": ("CREDIT_CARD", card), "iban": ("IBAN", iban), "ip": ("IP_ADDRESS", ip),
    "mac": ("MAC_ADDRESS", mac), "born": ("DATE_OF_BIRTH", born_on), "born_asia": ("DATE_OF_BIRTH", born_on_asia),
    "born_korea": ("DATE_OF_BIRTH", born_on_korea), "born_english": ("DATE_OF_BIRTH", born_on_english),
    "passport": ("PASSPORT", passport), "wallet": ("CRYPTO_WALLET", wallet), "ssn": ("US_SSN", ssn), "nino": ("UK_NINO", nino),
    "steuer_id": ("DE_TAX_ID", steuer_id), "nir": ("FR_NIR", nir), "dni": ("ES_DNI", dni),
    "codice_fiscale": ("IT_FISCAL_CODE", codice_fiscale), "bsn": ("NL_BSN", bsn), "cpf": ("BR_CPF", cpf), "pesel": ("PL_PESEL", pesel),
    "personnummer": ("SE_PERSONNUMMER", personnummer), "aadhaar": ("IN_AADHAAR", aadhaar), "resident_id": ("CN_RESIDENT_ID", resident_id),
    "rrn": ("KR_RRN", rrn), "snils": ("RU_SNILS", snils), "tckn": ("TR_TCKN", tckn), "curp": ("MX_CURP", curp),
    "api_key": ("API_KEY", api_key), "sendgrid": ("API_KEY", sendgrid), "jwt": ("JWT", jwt), "private_key": ("PRIVATE_KEY", private_key),
    "url": ("URL_WITH_AUTH", url_with_auth), "password": ("PASSWORD", password), "word": ("PASSWORD", word_password),
    "secret": ("SECRET", secret), "bearer": ("BEARER_TOKEN", secret),
}  # fmt: skip

SECRETS = frozenset(("API_KEY", "JWT", "PRIVATE_KEY", "URL_WITH_AUTH", "PASSWORD", "SECRET", "BEARER_TOKEN"))


# ── disguises ───────────────────────────────────────────────────────────────────────────────────────────


def _zero_width(value: str) -> str:
    middle = len(value) // 2
    return value[: middle - 2] + "\u200b" + value[middle - 2 : middle + 1] + "\u2060" + value[middle + 1 :]


def _full_width(value: str) -> str:
    return "".join(
        chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else "\u3000" if char == " " else char for char in value
    )


def _other_blanks(value: str) -> str:
    return value.replace(" ", "\u00a0").replace("-", "\u2011")


def _long_dashes(value: str) -> str:
    return value.replace("-", "\u2013").replace(" ", "\u2009")


def _own_digits(value: str) -> str:
    return "".join(chr(0x0660 + int(char)) if char.isdecimal() else char for char in value)


def _as_is(value: str) -> str:
    return value


DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": _as_is,
    "zero width": _zero_width,
    "full width": _full_width,
    "other blanks": _other_blanks,
    "long dashes": _long_dashes,
    "own digits": _own_digits,
}
_DISGUISED = (
    "EMAIL",
    "PHONE",
    "CREDIT_CARD",
    "IBAN",
    "US_SSN",
    "BR_CPF",
    "CN_RESIDENT_ID",
    "API_KEY",
    "IP_ADDRESS",
    "KR_RRN",
)
_DIGITS_ONLY = ("PHONE", "CREDIT_CARD", "US_SSN", "BR_CPF", "KR_RRN", "IP_ADDRESS")


# ── building ────────────────────────────────────────────────────────────────────────────────────────────


def build(half: Half, *, seed: int = 7, rounds: int = 2) -> list[Case]:
    """The cases of a half: every template ``rounds`` times with new values, then its hard negatives."""
    templates = masking_templates_tuning if half == "tuning" else masking_templates_held
    rng = random.Random(f"{half}-{seed}")
    cases = [
        _fill(language, text, rng, "plain") for language, text in templates.VALUES for _ in range(rounds)
    ]
    cases += [
        _fill(language, text, rng, disguise)
        for language, text in templates.VALUES
        for disguise in _suited(text, rng)
    ]
    return cases + [Case(text, language) for language, text in templates.HARD_NEGATIVES]


def _suited(text: str, rng: random.Random) -> list[str]:
    """One disguise for a template of a kind that people disguise; digits of another script only for numbers."""
    name = text[text.index("{") + 1 : text.index("}")]
    kind = MAKERS[name][0]
    if kind not in _DISGUISED:
        return []
    names = [
        each
        for each in DISGUISES
        if each not in ("plain", "own digits") or (each == "own digits" and kind in _DIGITS_ONLY)
    ]
    return [rng.choice(names)]


def _fill(language: str, template: str, rng: random.Random, disguise: str) -> Case:
    parts: list[str] = []
    spans: list[tuple[int, int, str]] = []
    length = 0
    for piece in template.replace("}", "{").split("{"):
        kind, maker = MAKERS.get(piece, ("", None))
        text = DISGUISES[disguise](maker(rng)) if maker else piece
        if maker:
            spans.append((length, length + len(text), kind))
        parts.append(text)
        length += len(text)
    return Case("".join(parts), language, tuple(spans), disguise)
