"""JSON web tokens: three base64url parts, the first two JSON objects."""

import re

from .base import CERTAIN, Keyed

RECOGNIZER = Keyed(
    "JWT",
    keys=("eyj",),  # {" in base64
    pattern=re.compile(
        r"eyJ[0-9A-Za-z_-]{8,4096}\.(?:eyJ)?[0-9A-Za-z_-]{4,16384}(?:\.[0-9A-Za-z_-]{0,8192}){1,3}"
    ),
    rank=CERTAIN + 2,
    joined=r"[0-9A-Za-z_.-]",
)
