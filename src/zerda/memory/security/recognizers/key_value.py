"""The form of secrets that have no shape: a name, a sign or a verb, and the value."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .base import Group, Hit
from .view import View

_QUOTE = "[\"'`\u201c\u201d\u201e\u00ab\u300c\u300e]"
_UNQUOTE = "[\"'`\u201c\u201d\u201f\u00bb\u300d\u300f]"
# "password", "password for the vpn", 'password"', "password (new)": then what says that the value follows.
_BETWEEN = (
    r"[\"'`\\\]*_]{0,4}[0-9]{0,2}(?: ?\([^()\n]{1,24}\))?(?: [^\W\d_]{1,20}){0,4}[\"'`\\*]{0,3}[ \t]{0,3}"
)
_SIGN = r"(?::=|=>|->|=(?![=~])|:(?!:)|>(?=[^\s>]))"
_VERB = (
    r"(?: (?:is|was|are|lautet|ist|war|est|était|es|era|è|é|são|is nu|to|jest|är|on|er|"
    r"это|был|là|adalah|हैं|है)(?=[ :])"
    r"|是|为|為|は|が|는|은|가|이|هي|هو| - |'s)"
)
_VALUE = (
    rf"[ \t]{{0,3}}\\{{0,2}}(?:{_QUOTE}"
    r"(?P<quoted>[^\"'`\n\u201c\u201d\u201f\u00bb\u300d\u300f\\\uffff]{3,200})"
    rf"\\{{0,2}}{_UNQUOTE}"
    r"|(?P<bare>[!#-&(-;=?-_a-~\u00c0-\u04ff]{3,200}))"
)
# Where a bare value ends although its characters go on: "a=1;b=2", "a=1, b".
_NEXT = re.compile(r"[;&,](?:\w{1,30}=|\s|$)")
_NEXT_REACH = 32
_BY_SIGN = re.compile(_BETWEEN + _SIGN + _VALUE)
_BY_VERB = re.compile(rf"[\"'`]{{0,1}}(?: [^\W\d_]{{1,20}}){{0,4}}?{_VERB}:?{_VALUE}")
# "password Xy12!z": no sign, no verb; then the value must look like nothing else.
_BY_PLACE = re.compile(rf"(?: [^\W\d_]{{1,20}}){{0,3}}?(?= \S{{0,40}}?[0-9]){_VALUE}")
_BY_OPTION = re.compile(r"[ =]" + _VALUE)
# define('DB_PASSWORD', '…'); a name in one line and its value in the next, as in Terraform and Kubernetes.
_BY_COMMA = re.compile(rf"[\"'`] ?,(?= {{0,2}}[\"'`]){_VALUE}")
_BY_LINE = re.compile(
    rf"[\"'`]?(?: ?[{{<])?[ \t]{{0,8}}\r?\n[ \t-]{{0,24}}[\"'`]?(?:default|value)[\"'`]? ?{_SIGN}{_VALUE}"
)

_REMARKS = (
    "required optional none null nil true false string str text bytes int any yes no empty undefined "
    "hidden incorrect wrong invalid expired missing reset changed forgotten here below above following "
    "same unknown default todo tbd password passwd pwd passwort secret token key value example redacted "
    "masked removed deleted encrypted hashed erforderlich vergessen falsch requis oublié oublie "
    "incorrecte obligatorio olvidada incorrecta esquecida vergeten varchar char number object boolean "
    "self env this function const let var new old weak strong policy manager field input label prompt "
    "confirm cancel http https not the your for and you has must "
)
_NO_SECRETS = frozenset(_REMARKS.split())
_PLACEHOLDERS = (
    "$",
    "{",
    "<",
    "%(",
    "%s",
    "***",
    "...",
    "os.",
    "process.",
    "env.",
    "config.",
    "settings.",
    "xxx",
    "•",
    "[",
)
_ENDING = ".,;:)]}>"
_WORD_FOLLOWS = re.compile(r" [^\W\d_]{1,30}")
_NAME_AND_NUMBER = re.compile(r"[^\W\d_]+[-_.]?[0-9]+(?:[-_.][0-9]+)*[^\W\d_]?")
_WORD_AND_DIGITS = re.compile(r"[a-z]{5,}[0-9]{2,}")
_SIGNS = frozenset("!@#$%^&*+=?~")
_IDENTIFIER = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+|[A-Za-z_.]*\(.*|[A-Za-z_.]+\[.*|[a-z]+_[a-z_]+")


@dataclass(frozen=True, slots=True)
class KeyValue:
    """``names`` are lower-case literals, ``short_names`` those that must stand alone and have a sign behind them,
    as "pass" is also a word. ``strong`` says what a value must be like where only a verb
    ("the password is …") or an option sign leads to it, ``fair`` where a colon or an equals sign does."""  # noqa: E501

    kind: str
    names: tuple[str, ...]
    rank: float
    fair: Callable[[str], bool]
    strong: Callable[[str], bool]
    short_names: tuple[str, ...] = ()
    group: Group = "secret"

    def find(self, view: View) -> Iterator[Hit]:
        done = 0
        for at, name in sorted(self._named(view)):
            if at < done:
                continue
            span = self._value(view.text, at, at + len(name), name)
            if span:
                done = span[1]
                yield Hit(*span, self.rank, self.kind)

    def names_key(self, key: str) -> bool:
        """Is this the key of a mapping whose value is such a secret?"""
        bare = key.lower().strip()
        return any(bare == name or bare.endswith(("_" + name, "-" + name, "." + name)) for name in self.names)

    def _named(self, view: View) -> Iterator[tuple[int, str]]:
        for name in self.names:
            if name in view.lower:
                yield from ((at, name) for at in view.find_all(name))
        for name in self.short_names:
            if name in view.lower:
                yield from (
                    (at, name) for at in view.find_all(name) if not (at and view.text[at - 1].isalpha())
                )

    def _value(self, text: str, at: int, after: int, name: str) -> tuple[int, int] | None:
        match = _BY_SIGN.match(text, after)
        if match:
            return _span(text, match, self.fair)
        if name in self.short_names:
            return None
        option = _BY_OPTION.match(text, after) if at and text[at - 1] == "-" else None
        if option:
            return _span(text, option, self.strong)
        for pattern, enough in (
            (_BY_VERB, self.strong),
            (_BY_COMMA, self.strong),
            (_BY_LINE, self.strong),
            (_BY_PLACE, self._stands_out),
        ):
            match = pattern.match(text, after)
            span = _span(text, match, enough) if match else None
            if span:
                return span
        return None

    def _stands_out(self, value: str) -> bool:
        """Not a word, a name with a number (SHA-256) or a measure: nothing that a sentence would have."""
        if not self.strong(value) or len(value) < 7 or not any(map(str.isdigit, value)):
            return False
        if _SIGNS.intersection(value[:-1]) or _WORD_AND_DIGITS.fullmatch(value):
            return True
        return not _NAME_AND_NUMBER.fullmatch(value)


def _span(text: str, match: re.Match[str], enough: Callable[[str], bool]) -> tuple[int, int] | None:
    part = "quoted" if match["quoted"] is not None else "bare"
    start, end = match.span(part)
    if part == "bare":
        end = _bare_end(text, start, end)
    value = text[start:end]
    if len(value) < 3 or _says_nothing(value) or not enough(value):
        return None
    prose = part == "bare" and value.isalpha() and _WORD_FOLLOWS.match(text, end)
    code = part == "bare" and _IDENTIFIER.fullmatch(value)
    return None if prose or code else (start, end)


def _bare_end(text: str, start: int, end: int) -> int:
    following = _NEXT.search(text, start, min(len(text), end + _NEXT_REACH))
    end = min(end, following.start()) if following else end
    return start + len(text[start:end].rstrip(_ENDING))


def _says_nothing(value: str) -> bool:
    """A type, a remark, a variable: what stands after "password:" in forms, manuals and code."""
    plain = value.lower()
    return (
        plain in _NO_SECRETS
        or plain.rstrip("!?.") in _NO_SECRETS
        or plain.startswith(_PLACEHOLDERS)
        or len(set(plain)) == 1
    )
