"""Internet addresses, version 4 and 6; what only looks like one (versions, sections, times) stays."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv6Address

from .base import LIKELY, Group, Hit, nearness
from .view import View, words

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_FOUR = re.compile(rf"(?<![0-9A-Za-z.-])(?:{_OCTET} ?\. ?){{3}}{_OCTET}(?![0-9A-Za-z]|\.[0-9]|-[0-9A-Za-z])")
_SIX = re.compile(r"(?<![0-9A-Za-z:.])[0-9A-Fa-f:][0-9A-Fa-f:.]{3,44}(?<![:.])(?:::)?(?![0-9A-Za-z:])")
# Nobody's address: loopback, "any", broadcast.
_NOBODY = frozenset(("127.0.0.1", "0.0.0.0", "255.255.255.255", "255.255.255.0", "255.255.0.0"))

_CONTEXT = words(
    any="ip, ips, ipv4, ipv6, ip-*, host, dns, ping, ssh, server*, gateway, subnet, remote_addr",
    en="address*, router",
    de="adresse*",
    fr="adresse*, serveur*",
    es="dirección*, servidor*",
    it="indirizzo*",
    pt="endereço*, servidor*",
    nl="adres*",
    pl="adres*, serwer*",
    ru="адрес*, сервер*",
    zh="地址, 服务器, 登录",
    ja="アドレス, サーバー",
    ko="주소, 서버",
)
_VERSION = re.compile(r"(?i)(?:\bv|\bver\.?|\bversion|\brelease|\bsdk|\bsection|§|/)[ :=]*$")
_VERSION_REACH = 12


@dataclass(frozen=True, slots=True)
class IPAddress:
    kind: str = "IP_ADDRESS"
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        if view.digits >= 4 and view.text.count(".") >= 3:
            yield from self._four(view)
        if view.text.count(":") >= 2:
            yield from self._six(view)

    def _four(self, view: View) -> Iterator[Hit]:
        for match in _FOUR.finditer(view.text):
            start, end = match.span()
            bare = match[0].replace(" ", "")
            if bare.endswith(".0") and view.text.startswith("/", end):
                continue  # A network, nobody's address.
            near = view.near(_CONTEXT, start, end)
            if bare in _NOBODY or (near is None and _doubtful(view, bare, start)):
                continue
            if (
                near is not None
                and view.speaks_for(_CONTEXT, start, end) is None
                and _doubtful(view, bare, start)
            ):
                continue
            yield Hit(start, end, LIKELY + (0 if near is None else nearness(near)), self.kind)

    def _six(self, view: View) -> Iterator[Hit]:
        for match in _SIX.finditer(view.text):
            if _is_six(match[0]):
                yield Hit(*match.span(), LIKELY + 2, self.kind)


def _doubtful(view: View, bare: str, start: int) -> bool:
    """Four small numbers or a word before say: this is a version or a section."""
    if len(bare) <= 8 or view.refuses(start):
        return True
    return bool(_VERSION.search(view.text[max(0, start - _VERSION_REACH) : start]))


def _is_six(written: str) -> bool:
    colons = written.count(":")
    if not 2 <= colons <= 7 or (colons < 7 and "::" not in written) or len(written) < 6:
        return False
    if not any(map(str.isdigit, written)):
        return False
    try:
        return not IPv6Address(written).is_loopback
    except AddressValueError:
        return False


RECOGNIZER = IPAddress()
