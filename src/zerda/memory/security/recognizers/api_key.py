"""Keys and tokens whose vendors gave them a recognizable beginning."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .base import CERTAIN, Group, Hit
from .view import View

# What a key begins with, and how many characters follow at least. Vendors document the beginnings so that
# scanners find leaked keys; a beginning alone is no key, so none of these lines is a secret.
_BEGINNINGS = {
    # models
    "sk-": 20, "gsk_": 20, "xai-": 20, "hf_": 20, "api_org_": 20, "r8_": 20, "pplx-": 20, "fw_": 20, "nvapi-": 20,  # noqa: E501
    "tvly-": 16, "pcsk_": 20, "lsv2_": 20, "jina_": 20, "voy-": 20, "csk-": 20, "tgp_v1_": 20, "sk_": 20,
    # clouds
    "AKIA": 16, "ASIA": 16, "AIDA": 16, "AROA": 16, "ABIA": 16, "ACCA": 16, "ABSK": 40, "AIza": 30, "GOCSPX-": 20,  # noqa: E501
    "ya29.": 20, "LTAI": 12, "AKID": 24, "AQVN": 30, "y0_": 30, "doo_v1_": 32, "dop_v1_": 32, "dor_v1_": 32,
    "dapi": 32, "HRKU-": 20, "fo1_": 20, "FlyV1 ": 20, "nfp_": 20, "vcp_": 20, "sbp_": 20, "sb_secret_": 16,
    "pscale_": 20, "rnd_": 20, "EZAK": 40,
    # code and packages
    "ghp_": 30, "gho_": 30, "ghu_": 30, "ghs_": 30, "ghr_": 30, "github_pat_": 22, "glpat-": 16, "gldt-": 16,
    "glrt-": 16, "glcbt-": 16, "glptt-": 16, "glft-": 16, "glsoat-": 16, "glagent-": 16, "gloas-": 16,
    "npm_": 30, "pypi-": 16, "rubygems_": 30, "oy2": 43, "dckr_pat_": 20, "dckr_oat_": 20, "ATATT3": 40,
    "ATBB": 20, "ATCTT3": 40, "crates_": 20, "cio": 32, "CIRCLE_": 20, "bkua_": 30,
    # messages, mail, money
    "xoxb-": 10, "xoxp-": 10, "xoxa-": 10, "xoxe-": 10, "xoxr-": 10, "xoxs-": 10, "xoxo-": 10, "xapp-": 10,
    "xoxe.": 20, "sk_live_": 10, "sk_test_": 10, "rk_live_": 10, "rk_test_": 10, "pk_live_": 10, "pk_test_": 10,  # noqa: E501
    "whsec_": 16, "SG.": 30, "key-": 32, "xkeysib-": 30, "re_": 20, "sq0": 22, "EAAA": 40, "EAAC": 40, "shpat_": 30,  # noqa: E501
    "shpca_": 30, "shppa_": 30, "shpss_": 30, "plaid-": 20, "access-": 40, "live_": 32, "rzp_live_": 12,
    "rzp_test_": 12, "FLWSECK": 20, "PMAK-": 24,
    # operations
    "hvs.": 20, "hvb.": 20, "dp.pt.": 30, "dp.st.": 30, "glsa_": 30, "glc_": 30, "NRAK-": 20, "NRII-": 20,
    "sntrys_": 30, "sntryu_": 30, "lin_api_": 30, "ntn_": 30, "secret_": 40, "figd_": 30, "tskey-": 16,
    "AGE-SECRET-KEY-1": 50, "ops_": 40, "phc_": 30, "phx_": 30, "dt0c01.": 40, "cfut_": 30, "ddapi_": 20,
    "pat-na1-": 30, "pat-eu1-": 30, "pul-": 40, "v1.0-": 32,
}  # fmt: skip
_BODY = re.compile(r"[0-9A-Za-z_\-./+]{1,2048}={0,2}")
_NEEDS_MIX = ("sk-", "sk_", "re_", "fw_", "ops_", "access-", "live_", "secret_", "rnd_", "cio", "oy2")

# Keys known by their whole shape.
_SHAPES = (
    ("ac", re.compile(r"(?<![0-9A-Za-z])AC[0-9a-f]{32}(?![0-9A-Za-z])")),  # Twilio account
    ("sk", re.compile(r"(?<![0-9A-Za-z])SK[0-9a-f]{32}(?![0-9A-Za-z])")),  # Twilio key
    (":", re.compile(r"[0-9](?<![0-9A-Za-z].)[0-9]{7,9}:[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])")),  # Telegram
    ("-us", re.compile(r"[0-9a-f](?<![0-9A-Za-z].)[0-9a-f]{31}-us[0-9]{1,2}(?![0-9A-Za-z])")),  # Mailchimp
    ("8q~", re.compile(r"(?<![0-9A-Za-z_~.-])[0-9A-Za-z_~.]{3}8Q~[0-9A-Za-z_~.-]{31,34}")),  # Microsoft Entra
    (".", re.compile(r"[MNO](?<![0-9A-Za-z].)[0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}")),  # Discord  # noqa: E501
    ("hooks.slack.com", re.compile(r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[0-9A-Za-z/_-]{20,120}")),
    ("/api/webhooks/", re.compile(r"https://(?:\w{2,10}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{5,25}/[0-9A-Za-z_-]{20,100}")),
    ("webhook.office.com", re.compile(r"https://[0-9A-Za-z-]{1,60}\.webhook\.office\.com/[0-9A-Za-z@/_-]{20,300}")),
    ("sig=", re.compile(r"(?<=sig=)[0-9A-Za-z%+/]{30,100}={0,2}")),  # Azure shared access signature
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ApiKey:
    kind: str = "API_KEY"
    group: Group = "secret"

    def find(self, view: View) -> Iterator[Hit]:
        if len(view.text) < 16:
            return
        for beginning, least in _BEGINNINGS.items():
            if beginning in view.text:
                yield from self._beginning_with(view.text, beginning, least)
        for hint, shape in _SHAPES:
            if view.digits >= 2 and hint in view.lower:
                yield from (Hit(*match.span(), CERTAIN, self.kind) for match in shape.finditer(view.text))

    def _beginning_with(self, text: str, beginning: str, least: int) -> Iterator[Hit]:
        at, done = text.find(beginning), 0
        while at >= 0:
            body = None if _touched(text, at) else _BODY.match(text, at + len(beginning))
            if body:
                done = body.end()
                end = done - len(body[0]) + len(body[0].rstrip("./-"))
                if _is_key(text[body.start() : end], beginning, least):
                    yield Hit(at, end, CERTAIN + len(beginning) / 100, self.kind)
            at = text.find(beginning, max(done, at + len(beginning)))


def _touched(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isascii() and text[at - 1].isalnum()


def _is_key(body: str, beginning: str, least: int) -> bool:
    """Long enough, with digits; where the beginning is a common one, with letters of both cases or hex."""
    if len(body) < least or not any(map(str.isdigit, body)):
        return False
    return beginning not in _NEEDS_MIX or _is_mixed(body)


def _is_mixed(body: str) -> bool:
    longest = max(map(len, re.split(r"[-_./]", body)))
    return longest >= 10 and sum(map(str.isdigit, body)) >= 2 and any(map(str.isalpha, body))


RECOGNIZER = ApiKey()
