"""Addresses that carry a user and a password or a token: connection strings, clones with a token."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .base import CERTAIN, Group, Hit
from .view import View

_SCHEME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
_LONGEST_SCHEME = 24
_LOGIN = r"[^\s/?#@<>\"'`\uffff]{0,128}"
_REST = r"[0-9A-Za-z\[][^\s<>\"'`\uffff\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7ff]{0,1024}"
# A password may hold @, and then the last @ before the path counts.
_AUTH = re.compile(rf"://({_LOGIN}):([^\s/?#<>\"'`\uffff]{{1,256}})@{_REST}")
_TOKEN = re.compile(rf"://[0-9A-Za-z_\-.~%]{{20,512}}@{_REST}")
_SAMPLES = frozenset(
    ("password", "pass", "pwd", "xxx", "xxxx", "***", "****", "<password>", "secret", "port")
)


@dataclass(frozen=True, slots=True)
class UrlWithAuth:
    kind: str = "URL_WITH_AUTH"
    group: Group = "secret"

    def find(self, view: View) -> Iterator[Hit]:
        text, done = view.text, 0
        if "://" not in text or "@" not in text:
            return
        for at in view.find_all("://"):
            if at < done:
                continue
            match = _AUTH.match(text, at) or _TOKEN.match(text, at)
            start = _scheme(text, at)
            if match and start < at and not _is_sample(match):
                done = match.end()
                yield Hit(start, start + len(text[start:done].rstrip(".,;:!?)]}")), CERTAIN + 5, self.kind)


def _scheme(text: str, end: int) -> int:
    part = text[max(0, end - _LONGEST_SCHEME) : end]
    start = end - len(part) + len(part.rstrip(_SCHEME))
    while start < end and not text[start].isalpha():
        start += 1
    return start


def _is_sample(match: re.Match[str]) -> bool:
    """user:password@ and ${USER}:${PASSWORD}@ stand in manuals; they tell nothing."""
    password = match[2] if match.lastindex else ""
    return password.lower() in _SAMPLES or password.startswith(("$", "{", "%(", "<"))


RECOGNIZER = UrlWithAuth()
