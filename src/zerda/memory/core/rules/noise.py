"""What machines say to keep a line open: nobody said it."""

import re

_HEARTBEATS = re.compile(
    r"(?:ping|pong|heart[ _-]?beat(?:[ _-]?(?:ok|ack))?|keep[ _-]?alive|no[ _-]?reply|noop|ack"
    r"|health[ _-]?check(?:[ _-]?ok)?)"
    r"[.!]?",
    re.IGNORECASE,
)


def is_noise(text: str) -> bool:
    """Whether a text is empty, or nothing but a sign of life such as ``ping`` or ``HEARTBEAT_OK``."""
    said = text.strip().strip("[]()<>*_`\"'")
    return not said or _HEARTBEATS.fullmatch(said) is not None
