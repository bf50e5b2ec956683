"""E-mail addresses, also with blanks around the signs, with [at] and [dot], and in other alphabets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .base import CERTAIN, Group, Hit
from .view import View

# RFC 5322 atext without the signs that in practice surround an address rather than belong to it.
_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-'"
_LONGEST_LOCAL = 64  # RFC 5321
_AT = re.compile(r"@(?<=[^@]@)(?= ?[^\W_])")
_PLAIN_DOMAIN = re.compile(
    r"(?:[0-9A-Za-zÀ-ɏ](?:[0-9A-Za-zÀ-ɏ-]{0,62})?\.){1,8}(?:xn--[0-9A-Za-z-]{2,40}|[A-Za-z]{2,24})"
)
_OTHER_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,62})?\.){1,8}[^\W\d_]{2,24}")
_SPACED_DOMAIN = re.compile(
    r"[0-9A-Za-z][0-9A-Za-z-]{0,62}(?: ?\. ?[0-9A-Za-z][0-9A-Za-z-]{0,62}){0,4} ?\. ?[A-Za-z]{2,6}"
)
_DOT = "(?:dot|DOT|punkt|punto|point|ponto)"
_SIGNS = re.compile(
    r" ?[\[({<] ?(?:at|AT|@|arobase|arroba|ät) ?[\])}>] ?"
    rf"| (?:at|AT) (?=[0-9A-Za-z-]{{1,63}} {_DOT} [A-Za-z])"
)
_DOTTED = re.compile(
    rf"[0-9A-Za-z][0-9A-Za-z-]{{0,62}}(?:(?: ?[\[({{<] ?(?:{_DOT}|\.) ?[\])}}>] ?|\.| {_DOT} )"
    r"[0-9A-Za-z][0-9A-Za-z-]{0,62}){1,5}"
)
# What stands behind a dot in file names: image@2x.png is no address.
_ENDINGS = "png jpg jpeg gif svg webp avif js ts jsx tsx css scss html py rb go rs java json xml md txt"
_FILES = frozenset(_ENDINGS.split())


@dataclass(frozen=True, slots=True)
class Email:
    kind: str = "EMAIL"
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        if "@" in view.text:
            for sign in _AT.finditer(view.text):
                yield from self._around(view, sign.start(), sign.end())
        if "at" in view.lower or "arroba" in view.lower or "arobase" in view.lower:
            for sign in _SIGNS.finditer(view.text):
                yield from self._written_out(view, *sign.span())

    def _around(self, view: View, left: int, right: int) -> Iterator[Hit]:
        text = view.text
        domain = _domain(text, right)
        start = _local(text, left)
        if domain is None and text[right : right + 1] == " ":
            domain = _SPACED_DOMAIN.match(text, right + 1)
        elif domain is None and start < left:
            domain = _SPACED_DOMAIN.match(text, right)
        if domain is None or _is_file(domain[0]):
            return
        if start == left and text[left - 1 : left] == " " and text[right : right + 1] == " ":
            start = _local(text, left - 1)
        if start < left and not text[start:left].isspace() and text[start:left] != "git":
            yield Hit(start, domain.end(), CERTAIN, self.kind)

    def _written_out(self, view: View, left: int, right: int) -> Iterator[Hit]:
        domain = _DOTTED.match(view.text, right)
        start = _local(view.text, left)
        if domain and start < left:
            yield Hit(start, domain.end(), CERTAIN, self.kind)


def _domain(text: str, at: int) -> re.Match[str] | None:
    if text[at : at + 1].isascii():
        return _PLAIN_DOMAIN.match(text, at)
    return _OTHER_DOMAIN.match(text, at)


def _is_file(domain: str) -> bool:
    return domain.rsplit(".", 1)[1].strip().lower() in _FILES


def _local(text: str, end: int) -> int:
    """Where the local part that ends here begins; letters with marks belong to it if they touch it."""
    part = text[max(0, end - _LONGEST_LOCAL) : end]
    if part and _is_other_letter(part[-1]):
        return end - len(_other_local(part))
    kept = part.rstrip(_LOCAL)
    while kept and "À" <= kept[-1] <= "ɏ":
        kept = kept[:-1].rstrip(_LOCAL)
    start = end - len(part) + len(kept)
    while start < end and text[start] in ".'-%+":
        start += 1
    return start


def _other_local(part: str) -> str:
    at = len(part)
    while at and (_is_other_letter(part[at - 1]) or part[at - 1] in "0123456789._-"):
        at -= 1
    return part[at:].lstrip("._-")


def _is_other_letter(char: str) -> bool:
    """A letter of Greek, Cyrillic, Arabic …, that is of a script with blanks between words."""
    return char.isalpha() and "ɏ" < char < "\u0e00"


RECOGNIZER = Email()
