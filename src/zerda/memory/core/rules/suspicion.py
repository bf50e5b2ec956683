"""What an untrusted text looks like: hints for whoever reviews it, never a reason to lose it.

Filters do not stop poisoning: a text that says the same in other words passes. So these only label, or send
to review where the configuration asks for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

Suspicious = Literal["label", "review", "off"]

READ = 20_000
"""Characters of a text that are looked at: a page is read in a few milliseconds."""

_BEFORE = (
    r"(?:all|any|every|the|your|my|of|these|those|previous|prior|above|earlier|preceding|system|other|"
    r"vorherigen|bisherigen|vorigen|alle|deine|obigen|früheren|"
    r"toutes|tous|les|tes|vos|ces|todas|todos|las|los|tus|sus|tutte|tutti|le|i|gli|tue|as|os|suas|seus)"
)
_ORDERS = (
    # Seven languages: "ignore the instructions before", in the order in which each says it.
    rf"\b(?:ignore|disregard|forget|override|bypass)\s+(?:{_BEFORE}\s+){{1,5}}"
    r"(?:instructions?|prompts?|rules|guidelines|directions|commands|messages)\b",
    rf"\b(?:ignoriere|vergiss|missachte|ignorieren sie|vergessen sie)\s+(?:{_BEFORE}\s+){{1,4}}"
    r"(?:anweisungen|instruktionen|regeln|befehle|vorgaben)\b",
    rf"\b(?:ignore[zs]?|oublie[zs]?)\s+(?:{_BEFORE}\s+){{1,4}}(?:instructions|consignes|règles)\b",
    rf"\b(?:ignora|olvida|ignore|ignoren)\s+(?:{_BEFORE}\s+){{1,4}}(?:instrucciones|reglas|órdenes)\b",
    rf"\b(?:ignora|dimentica)\s+(?:{_BEFORE}\s+){{1,4}}(?:istruzioni|regole)\b",
    rf"\b(?:ignore|esqueça)\s+(?:{_BEFORE}\s+){{1,4}}(?:instruções|regras)\b",
    r"(?:игнорируй|забудь|игнорируйте|забудьте)\s+(?:\w+\s+){0,3}(?:инструкции|указания|правила)",
    r"(?:忽略|无视|忘记)(?:之前|以上|前面|上述|所有|先前|的|一切){1,4}(?:指令|指示|提示|规则)",
    r"(?:以前|これまで|上記|前)の(?:すべての)?(?:指示|命令|指令)(?:を|は)(?:すべて)?(?:無視|忘れ)",
)
_ROLES = (
    r"\byou are now (?:in )?(?:developer|dan|jailbr|unrestricted|root|admin|a (?:new|different))",
    r"\bnew (?:system )?instructions?\s*:",
    r"^\s*(?:system|assistant)\s*(?:prompt|message)?\s*:\s*(?:you|ignore|always|never|from now)\b",
    r"\b(?:from now on|whenever (?:the user|asked|someone)|always)\b[^.\n]{0,80}"
    r"\b(?:you must|reply with|respond with|recommend|say that|tell the user)\b",
    r"\bdo not (?:tell|inform|mention (?:this|it) to) the user\b",
)
_CALLS = (
    r"<\|[a-z_]{2,30}\|>",
    r"<(?:tool_call|function_call|tool_use|invoke|function_calls?|start_of_turn)\b",
    r"\[/?(?:INST|TOOL_CALLS?)\]",
    r"<<SYS>>",
)
_EXFILTRATION = (
    r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,300}[?&][\w-]{1,30}=(?:\{|%7b|\$|<|\[)",
    r"\b(?:send|post|upload|forward|exfiltrate|leak|email)\b[^.\n]{0,60}"
    r"\b(?:password|secret|api key|token|credential|conversation|chat history|memor(?:y|ies)"
    r"|system prompt)s?\b"
    r"[^.\n]{0,60}(?:https?://|\bto\b[^.\n]{0,20}@)",
)
_OURS = (
    r"^\s*={3}\s*(?:User Profile|Relevant Memories|Retrieved Documents|Recent Conversation|Current Query)"
    r"\s*={3}",
)

_RULES = {
    "reads like orders": re.compile("|".join((*_ORDERS, *_ROLES)), re.IGNORECASE | re.MULTILINE),
    "imitates a tool call": re.compile("|".join(_CALLS), re.IGNORECASE),
    "sends data away": re.compile("|".join(_EXFILTRATION), re.IGNORECASE),
    "imitates our headers": re.compile("|".join(_OURS), re.IGNORECASE | re.MULTILINE),
}
FLAGS = (*_RULES, "hides text")

_HIDDEN_STYLE = re.compile(
    r"style\s*=\s*[\"'][^\"'>]{0,200}(?:display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden)",
    re.IGNORECASE,
)
_TAGS = re.compile("[\U000e0020-\U000e007f]{3,}")
_ENGLAND = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,6}\U000e007f")  # A flag such as Scotland's.
_HIDERS = re.compile("[\u200b\u2060\u2062-\u2064\ufeff\u202d\u202e\U000e0100-\U000e01ef]")
_MANY_HIDERS = 8


def suspicions(text: str) -> tuple[str, ...]:
    """What of `FLAGS` a text gives reason for; nothing of most. It finds the usual, not the clever."""
    return tuple(_suspicions(text[:READ]))


def _suspicions(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", _HIDERS.sub("", text))
    yield from (name for name, rule in _RULES.items() if rule.search(plain))
    hidden = _TAGS.search(_ENGLAND.sub("", text)) or len(_HIDERS.findall(text)) >= _MANY_HIDERS
    if hidden or _HIDDEN_STYLE.search(text):
        yield "hides text"
