"""What a recognizer looks at: the text cleaned of disguises, with the way back to the original."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

MASKED = "\uffff"  # Stands for one placeholder in the clean text; no recognizer may match it.
_GONE = "\ufffe"  # Stands, for a moment, for a character that the clean text does not have.

BEFORE = 40  # Characters within which a word before a value speaks for it; the measured probe used the same.
AFTER = 25  # The same for a word behind the value, which is rarer and more often about something else.
_FARTHEST = 400  # Numbers in between do not count, but a word does not speak for a whole table either.
_BEHIND_COSTS = 10  # Of two words at the same distance, the one before the value is meant.
_REFUSAL_REACH = 20  # "order 4111…": how far a word that makes a number harmless reaches.

# Bounded, so that a long bracketed text is no placeholder; five digits hide no value.
PLACEHOLDER = re.compile(r"\[([A-Z][A-Z0-9_]{1,30})_([0-9]{1,5})\]")
_SEAM = re.compile(rf"{_GONE}+|{PLACEHOLDER.pattern}")

# At most two blanks, or one of - . / _ with a blank on either side, may stand inside a number.
_RUN = re.compile(r"[0-9](?:(?: ?[-./_] ?|[ \t]{1,2})?[0-9]){6,}")
_GROUP = re.compile(r"[0-9]+")


class _Fold(dict[int, str]):
    """Every disguise of a character to the plain one, one to one; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        plain = self[code] = _plain(chr(code))
        return plain


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf" or char in "\u034f\u20e3\u115f\u1160\u3164\uffa0\ufffe\uffff" or _is_selector(char):
        return _GONE
    if category == "Pd" or char in "\u2212\u2043":
        return "-"
    if category == "Zs":
        return " "
    if char in "·•‧∙・":
        return "."
    decimal = unicodedata.decimal(char, None)
    if decimal is not None:
        return str(decimal)
    if unicodedata.decomposition(char).startswith(("<super>", "<sub>")):
        return char  # x² is no disguise of x2.
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 and plain.isascii() else char


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


_FOLD = _Fold()


# Compared by identity, because they are keys in every look-up.
@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words that speak for a kind, by language; ``any`` holds those that every language uses.

    A trailing ``*`` lets the word go on (``telefon*``), a leading one lets it begin earlier.
    """

    by_language: tuple[tuple[str, str], ...]


def words(**by_language: str) -> Words:
    """``words(en="phone*, call", de="telefon*")``"""
    return Words(tuple(by_language.items()))


@dataclass(frozen=True, slots=True)
class _Literal:
    text: str
    open_left: bool
    open_right: bool


@lru_cache(maxsize=1024)
def _literals(wanted: Words, languages: frozenset[str] | None) -> tuple[_Literal, ...]:
    return tuple(
        _literal(word.strip())
        for language, listed in wanted.by_language
        if languages is None or language == "any" or language in languages
        for word in listed.split(",")
    )


def _literal(word: str) -> _Literal:
    text = word.strip("*").lower()
    return _Literal(
        text,
        word.startswith("*") or not _needs_edge(text[0]),
        word.endswith("*") or not _needs_edge(text[-1]),
    )


def _needs_edge(char: str) -> bool:
    """Latin, Greek and Cyrillic put blanks between words; other scripts write or prefix them together."""
    return char.isalpha() and ord(char) < 0x530


class Run(NamedTuple):
    """Digits with single separators between them, as long as it goes."""

    start: int
    end: int
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    digits: str
    joints: tuple[str, ...]
    zeros: tuple[bool, ...]
    offsets: tuple[int, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        return self.starts[first], self.starts[last] + self.lengths[last]


class View:
    """A text without its disguises: full-width and other digits, dashes and blanks made plain, the
    invisible removed, placeholders shrunk to one character that nothing matches. Case is kept.

    ``original(start, end)`` leads back. Made per text and used by one thread; it holds the text.
    """

    def __init__(self, text: str, languages: frozenset[str] | None = None) -> None:
        self.languages = languages
        folded = text if text.isascii() else text.translate(_FOLD)
        self.text = folded
        self._views: list[int] = []
        self._shifts: list[int] = []
        if _GONE in folded or "[" in folded:
            self._sew(folded)
        self._spoken: list[int] | None = None
        self._hits: dict[Words, tuple[list[int], list[int]]] = {}

    def _sew(self, folded: str) -> None:
        """Cut out what is gone and shrink placeholders, and note by how much each part moved."""
        parts: list[str] = []
        done = length = 0
        for seam in _SEAM.finditer(folded):
            parts.append(folded[done : seam.start()])
            length += seam.start() - done
            if folded[seam.start()] != _GONE:
                parts.append(MASKED)
                length += 1
            done = seam.end()
            self._views.append(length)
            self._shifts.append(done - length)
        if parts:
            parts.append(folded[done:])
            self.text = "".join(parts)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]`` (not empty) stands in the text as it was given."""
        return start + self._shift(start), end + self._shift(end - 1)

    def _shift(self, position: int) -> int:
        at = bisect_right(self._views, position)
        return self._shifts[at - 1] if at else 0

    @cached_property
    def lower(self) -> str:
        """As long as ``text``, which ``str.lower`` alone does not promise (İ)."""
        lower = self.text.lower()
        if len(lower) == len(self.text):
            return lower
        return "".join(low if len(low := char.lower()) == 1 else char for char in self.text)

    @cached_property
    def digits(self) -> int:
        """How many digits there are; most recognizers need some, so this spares most of the work."""
        return sum(map(self.text.count, "0123456789"))

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Every number of seven digits and more, with its groups."""
        return tuple(_run(self.text, found.start(), found.end()) for found in _RUN.finditer(self.text))

    def find_all(self, literal: str) -> Iterator[int]:
        """Where the lower-case ``literal`` begins, without overlaps."""
        lower, size = self.lower, len(literal)
        at = lower.find(literal)
        while at >= 0:
            yield at
            at = lower.find(literal, at + size)

    def near(self, wanted: Words, start: int, end: int) -> int | None:
        """How far the nearest of these words is from ``[start, end)``; None if none is near.

        Numbers in between do not count, so a word speaks for a whole list of them; and no word reaches
        across a placeholder. So masking brings no word nearer, and a second look finds nothing new.
        """
        starts, ends = self._positions(wanted)
        if not starts:
            return None
        nearest = None
        at = bisect_right(ends, start)
        if at and start - ends[at - 1] <= _FARTHEST:
            before = self._distance(ends[at - 1], start)
            nearest = before if before is not None and before <= BEFORE else None
        at = bisect_left(starts, end)
        if at < len(starts) and starts[at] - end <= _FARTHEST:
            after = self._distance(end, starts[at])
            if after is not None and after <= AFTER and (nearest is None or after + _BEHIND_COSTS < nearest):
                nearest = after + _BEHIND_COSTS
        return nearest

    def listen_for(self, many: Iterable[Words]) -> None:
        """Note where any of these words stands, for ``is_silent``."""
        self._spoken = sorted(at for wanted in many for at in self._positions(wanted)[0])

    def is_silent(self, start: int, end: int) -> bool:
        """True only if none of the words listened for can be near: a quick no for long tables."""
        if self._spoken is None:
            return False
        at = bisect_left(self._spoken, start - _FARTHEST - BEFORE)
        return at == len(self._spoken) or self._spoken[at] > end + _FARTHEST

    def touches(self, wanted: Words, start: int) -> bool:
        """Does one of these words end right here?"""
        return self._last_before(wanted, start) == 0

    def _last_before(self, wanted: Words, start: int) -> int | None:
        _, ends = self._positions(wanted)
        at = bisect_right(ends, start)
        return start - ends[at - 1] if at else None

    def _distance(self, left: int, right: int) -> int | None:
        """Characters between two places, numbers left out; None if a placeholder is in between."""
        if right - left <= 1:
            return right - left
        if self._has_masked and self.text.find(MASKED, left, right) >= 0:
            return None
        return self._without_numbers(right) - self._without_numbers(left)

    def _without_numbers(self, position: int) -> int:
        at = bisect_right(self._run_starts, position) - 1
        if at < 0:
            return position
        run = self.runs[at]
        return position - self._run_sums[at] - (min(position, run.end) - run.start)

    @cached_property
    def _has_masked(self) -> bool:
        return MASKED in self.text

    @cached_property
    def _run_starts(self) -> list[int]:
        return [run.start for run in self.runs]

    @cached_property
    def _run_sums(self) -> list[int]:
        """The length of all runs before each one."""
        return list(accumulate((run.end - run.start for run in self.runs), initial=0))

    def has(self, wanted: Words) -> bool:
        return bool(self._positions(wanted)[0])

    def speaks_for(self, wanted: Words, start: int, end: int) -> int | None:
        """``near``, unless a word that makes a number harmless (order, version, …) stands nearer."""
        distance = self.near(wanted, start, end)
        if distance is None:
            return None
        refusal = self._last_before(HARMLESS, start)
        return None if refusal is not None and refusal < min(distance, _REFUSAL_REACH + 1) else distance

    def refuses(self, start: int) -> bool:
        """Does a word right before say that this is an order, a version, a line …?"""
        refusal = self._last_before(HARMLESS, start)
        return refusal is not None and refusal <= _REFUSAL_REACH

    def reaches(self, wanted: Words, start: int, reach: int) -> bool:
        """Does one of these words stand at most ``reach`` characters before, with no placeholder between?"""
        distance = self._last_before(wanted, start)
        if distance is None or distance > reach:
            return False
        return not self._has_masked or self.text.find(MASKED, start - distance, start) < 0

    def _positions(self, wanted: Words) -> tuple[list[int], list[int]]:
        known = self._hits.get(wanted)
        if known is None:
            known = self._hits[wanted] = self._look_up(wanted)
        return known

    def _look_up(self, wanted: Words) -> tuple[list[int], list[int]]:
        lower = self.lower
        found = [
            (at, at + len(literal.text))
            for literal in _literals(wanted, self.languages)
            if literal.text in lower
            for at in self.find_all(literal.text)
            if self._stands_alone(literal, at)
        ]
        return sorted(start for start, _ in found), sorted(end for _, end in found)

    def _stands_alone(self, literal: _Literal, at: int) -> bool:
        lower, end = self.lower, at + len(literal.text)
        if not literal.open_left and at and _needs_edge(lower[at - 1]):
            return False
        return literal.open_right or end >= len(lower) or not _needs_edge(lower[end])


def _run(text: str, start: int, end: int) -> Run:
    written = text[start:end]
    if written.isdecimal():
        size = end - start
        return Run(start, end, (start,), (size,), written, (), (written[0] == "0",), (0, size))
    groups = [found.span() for found in _GROUP.finditer(text, start, end)]
    lengths = [stop - begin for begin, stop in groups]
    return Run(
        start,
        end,
        tuple([begin for begin, _ in groups]),
        tuple(lengths),
        "".join([text[begin:stop] for begin, stop in groups]),
        tuple([text[left:right].strip(" \t_") or " " for (_, left), (right, _) in pairwise(groups)]),
        tuple([text[begin] == "0" for begin, _ in groups]),
        tuple(accumulate(lengths, initial=0)),
    )


# Numbers beside these words are not personal: orders, goods, versions, places in a text.
HARMLESS = words(
    any=(
        "isbn, issn, ean, gtin, upc, sku, asin, doi, arxiv, pid, uid, md5, sha, sha1, sha256, crc, "
        "rfc, cve, rma"
    ),
    en=(
        "order*, invoice*, tracking, ticket*, case, reference, ref, serial, part, item*, product*, article, batch, "  # noqa: E501
        "lot, build, version*, release, commit, revision, line*, row*, page*, port, error, transaction, receipt, "  # noqa: E501
        "shipment, parcel, quantity, firmware, timestamp, epoch, bytes, model, issue, job, request, section, "
        "chapter, paragraph, clause, verse, confirmation, booking, revenue, price, population, total, sum, "
        "amount, measured, offset"
    ),
    de=(
        "bestell*, rechnung*, auftrag*, sendung*, artikel*, seriennummer*, vorgang*, aktenzeichen, chargennummer*, "  # noqa: E501
        "chargen-nr, zeile*, seite*, buchung*, paket*, ticket*, fehler*, betrag, preis, summe, umsatz, fassung, abschnitt"  # noqa: E501
    ),
    fr=(
        "commande*, facture*, colis, suivi, référence*, article*, série, lot, ligne*, page*, billet, montant, prix"  # noqa: E501
    ),
    es=(
        "pedido*, factura*, envío*, artículo*, referencia*, seguimiento, serie, lote, línea*, "
        "página*, importe, precio"
    ),
    it=(
        "ordine*, fattura*, spedizione, articolo, riferimento, serie, lotto, riga, pagina, importo, "
        "prezzo, pacco"
    ),
    pt=(
        "pedido*, fatura*, encomenda*, rastreio, rastreamento, artigo, referência, lote, linha, "
        "página, valor, preço"
    ),
    nl=(
        "bestelling*, bestelnummer*, factuur*, pakket*, artikel*, regel, pagina, bedrag, prijs, serienummer*"
    ),
    pl=("zamówieni*, faktur*, przesyłk*, paczk*, artykuł*, wersj*, wiersz*, stron*, kwot*, cena, seryjny"),
    sv=("order*, faktura*, försändelse*, paket*, artikel*, version*, rad, sida, belopp, pris, serienummer*"),
    tr="sipariş*, fatura*, kargo*, takip, ürün*, sürüm*, satır*, sayfa*, tutar*, fiyat*, seri",
    ru=(
        "заказ*, накладн*, счёт-фактур*, отправлен*, трек*, артикул*, верси*, строк*, страниц*, "
        "сумм*, цен*, серийн*"
    ),
    zh="订单, 訂單, 发票, 快递, 单号, 运单, 编号, 序列号, 版本, 价格, 金额, 行号",
    ja="注文, 請求書, 追跡, 伝票, 型番, 製品, 品番, シリアル, バージョン, 価格, 金額",
    ko="주문, 송장, 운송장, 제품, 모델, 버전, 가격, 금액, 일련번호",
    ar="طلب, فاتورة, شحنة, تتبع, إصدار, سعر, مبلغ",
    hi="ऑर्डर, चालान, बिल, संस्करण, मूल्य, राशि",
)
