"""How many tokens a text has, without a tokenizer at hand."""

import re
from math import ceil

# Characters per token, measured against the o200k vocabulary on prose in 24 languages, code, JSON, keys and
# emoji, then rounded down: the estimate lies a fifth above the count on average; of those languages it lies
# below it for Finnish and Swahili alone, by a tenth. Scripts that the vocabulary hardly knows take up to
# three tokens for a character.
_ACCENTED = "\u00c0-\u024f\u1e00-\u1eff"
_KINDS: dict[str, tuple[str, float]] = {
    "mixed": (r"(?:[A-Za-z]+[0-9]+|[0-9]+[A-Za-z]+){2,}[A-Za-z0-9]*", 1.3),  # Hashes and keys.
    "capitals": (r"[A-Z]{4,}(?![a-z])", 2.2),
    "accented": (rf"[A-Za-z]*[{_ACCENTED}][A-Za-z{_ACCENTED}]*", 2.8),
    "word": (r"[A-Za-z]+", 5.0),
    "digits": (r"[0-9]+", 3.0),
    "space": (r"\s+", 0.0),
    "ascii": (r"[!-/:-@\[-`{-~]+", 1.5),
    "greek": (r"[\u0370-\u03ff]+", 1.7),
    "letters": (r"[\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f]+", 2.0),
    "wide": (r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]", 1.0),
    "rare": (r"[^\x00-\x7f]", 0.34),
    "control": (r"[\x00-\x1f\x7f]", 1.0),
}
_RUNS = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, (pattern, _) in _KINDS.items()))
_CHARACTERS_PER_TOKEN = {kind: characters for kind, (_, characters) in _KINDS.items()}


def estimate_tokens(text: str) -> int:
    """An estimate by script that rather counts too many than too few; 0 only for the empty text."""
    return sum(map(_tokens, _RUNS.finditer(text)))


def _tokens(match: re.Match[str]) -> int:
    kind = match.lastgroup or "rare"
    if kind == "space":  # One space belongs to the word behind it.
        return 0 if match.group() == " " else 1 + match.group().count("\n")
    return ceil(len(match.group()) / _CHARACTERS_PER_TOKEN[kind])
