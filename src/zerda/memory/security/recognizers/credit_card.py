"""Payment cards: an issuer's range and Luhn."""

from .base import Number
from .checks import all_same, luhn
from .view import words


def _sizes(four: int) -> frozenset[int]:
    """In which lengths a network gives out numbers that begin with these four digits."""
    two, one = four // 100, four // 1_000
    if one == 4:
        return frozenset((13, 16, 19))  # Visa
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return frozenset((16,))  # Mastercard
    if two in (34, 37):
        return frozenset((15,))  # American Express
    if two in (36, 38, 39) or 300 <= four // 10 <= 305:
        return frozenset((14, 16))  # Diners
    if 2200 <= four <= 2204 or 3528 <= four <= 3589 or two in (60, 62, 64, 65, 81, 82):
        return frozenset((16, 17, 18, 19))  # Mir, JCB; Discover, UnionPay, RuPay
    return frozenset(range(13, 20)) if two in (50, *range(56, 64), 67, 68, 69) else frozenset()  # Maestro


_BY_BEGINNING = {f"{four:04}": sizes for four in range(10_000) if (sizes := _sizes(four))}
_NONE: frozenset[int] = frozenset()


def _valid(digits: str) -> bool:
    return len(digits) in _BY_BEGINNING.get(digits[:4], _NONE) and not all_same(digits) and luhn(digits)


RECOGNIZER = Number(
    kind="CREDIT_CARD",
    valid=_valid,
    sure=("4 4 4 4", "4-4-4-4", "4.4.4.4", "4 6 5", "4-6-5", "4 6 4", "4-6-4", "4 4 4 4 3"),
    plain=("16", "15", "4 4 4 3 4"),
    loose=("14", "13", "18", "19", "4 4 4 1", "8 8", "6 10", "4 4 8", "4 12", "6-13", "2 2 2 2 2 2 2 2"),
    context=words(
        any="visa, mastercard, amex, maestro, iban, unionpay, jcb, discover, cc, pan, rupay",
        en="card*, credit*, debit*, payment*",
        de="*karte*, kredit*, zahlung*",
        fr="carte*, bancaire*, paiement",
        es="tarjeta*, crédito, débito",
        it="carta*, credito",
        pt="cartão*, cartao*, crédito",
        nl="*kaart*, creditcard*",
        pl="kart*",
        sv="kort*, betalkort*, kreditkort*, kortnummer*",
        tr="kart*, kredi*",
        ru="карт*",
        zh="卡号, 信用卡, 银行卡, 卡片, 卡號, 刷卡",
        ja="カード",
        ko="카드",
        ar="بطاقة, البطاقة, بطاقتي, الائتمان",
        hi="कार्ड",
    ),
)
