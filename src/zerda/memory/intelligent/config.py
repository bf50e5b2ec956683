"""Every knob of a memory, checked when it is set."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, Self, get_args

from ..context.counting import TokenCounting
from ..core.model import TRUSTS, Trust
from ..core.rules.decay import CURVES, Curve
from ..core.rules.floor import RELEVANCE_FLOOR
from ..core.rules.suspicion import Suspicious
from ..errors import ConfigError
from ..storage.vector_backends import SemanticBackend

Durability = Literal["full", "relaxed"]
Indexing = Literal["auto", "inline", "background"]
AccessPolicy = Literal["open", "strict"]
Sharing = Literal["private", "tenant"]
Noise = Literal["keep", "skip"]

ENV_PREFIX = "ZERDA_"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """How a memory behaves. A value that cannot work is a `ConfigError` when it is set.

    Where entries live
        persistence_path: folder of the SQLite files, one for each tenant, and of ``zerda.db``.
        storage: "" keeps entries there; ``postgresql://…`` keeps them on that server (extra ``postgres``).
        enable_persistence: False keeps everything in this process and touches no disk.
        durability: "full" survives a power cut; "relaxed" survives a killed process, not a power cut.
        hide_ids: with an encryption key, tenants and users have pseudonyms in file names and ``zerda.db``.
        max_connections: SQLite connections open at a time, over all tenants; each is two or three handles.
            On PostgreSQL the most of this process, 16 at most.

    What is remembered
        window_size: entries in a short-term memory.
        max_working: entries chosen for one turn.
        importance_threshold: from this importance on an entry is promoted to long-term memory at once.
        min_importance: floor of what long-term memory proposes by importance; importance times strength below
            it leaves short-term memory.
        session_gap_minutes: a pause longer than this begins a new session.
        sharing: "private" (an entry is its user's alone) or "tenant" (new ones are shared within the tenant).
        enable_decay, decay_rate: whether and how fast (per day) what is unused fades, in the ranking too.
        base_decay_rate: how fast upkeep lets it fade; None takes ``decay_rate``.
        decay_curve: "exponential", "power" or "ebbinghaus".
        deletion_threshold: strength below which upkeep archives an entry.
        archive_days: days after which what is archived is erased.
        max_long_term: promoted entries above 80 % of which upkeep compresses.

    How it is found
        embedding_model: a name that `embedder_named` knows; "none" finds by words only.
        embedding_cache_size: questions whose vectors are kept at hand.
        semantic_backend: scans the vectors: "numpy" ("auto"), or "faiss" (extra ``faiss``), which holds them
            whole in memory and scans every one. Both find the same. PostgreSQL searches by itself.
        indexing: "auto" makes vectors within the save where the embedder is fast, else in the background.
        retrieval_limit: hits of a recall, and entries chosen into a context.
        candidate_limit: passages that each source may propose.
        relevance_floor: hits less probably relevant than this are left out; 0 keeps all.
        min_score: cosine below which meaning proposes nothing.
        reranker: judges the best hits anew: "none", "late" (extra ``local``), "llm" (the memory's own),
            ``folder:PATH`` or ``sentence-transformers:PATH`` (a cross-encoder). See `docs/reranking.md`.
        rerank_limit: hits that it judges.
        min_trust: what is less trusted is not found: "untrusted" (nothing is left out), "user", "owner",
            "system".

    What came from elsewhere
        context_per_source: entries of one untrusted source in a context.
        context_untrusted_share: share of a context that may be untrusted: of its tokens; and of its places,
            where trusted entries ask for them.
        suspicious: what reads like orders and is not trusted is marked ("label"), put into quarantine until
            somebody has reviewed it ("review"), or not looked for ("off").
        noise: "keep", or "skip" what is nothing but a sign of life, such as "ping".

    What the model sees
        max_tokens: token budget of a context and of working memory.
        token_counter: "auto" counts exactly where the extra ``[tokens]`` is installed, else it estimates;
            "estimate" never loads it; "o200k_base" and "cl100k_base" ask for one vocabulary.

    Who may
        access_policy: "open" lets a user pass who was never granted anything; "strict" does not, and the
            memory remembers it.
        mask_secrets: passwords, keys and tokens are masked, also where personal data are not.
        reversible_masking: keep what personal data placeholders stand for, sealed by the ``encryption_key``
            that this needs, for `AIMemoryManager.reveal`. Secrets are kept nowhere all the same.
        audit_reads: the audit tells who read whose memory, too, many reads in one record.
    """

    persistence_path: str = "./memory_storage"
    storage: str = field(default="", repr=False)  # It may hold a password.
    enable_persistence: bool = True
    durability: Durability = "full"
    hide_ids: bool = False
    max_connections: int = 64
    window_size: int = 20
    max_working: int = 10
    importance_threshold: float = 0.7
    min_importance: float = 0.1
    session_gap_minutes: float = 30.0
    sharing: Sharing = "private"
    enable_decay: bool = True
    decay_rate: float = 0.1
    base_decay_rate: float | None = None
    decay_curve: Curve = "exponential"
    deletion_threshold: float = 0.05
    archive_days: float = 365.0
    max_long_term: int = 1_000
    embedding_model: str = "auto"
    embedding_cache_size: int = 1_000
    semantic_backend: SemanticBackend = "auto"
    indexing: Indexing = "auto"
    retrieval_limit: int = 10
    candidate_limit: int = 60
    relevance_floor: float = RELEVANCE_FLOOR
    min_score: float = 0.1
    reranker: str = "none"
    rerank_limit: int = 20
    min_trust: Trust = "untrusted"
    context_per_source: int = 3
    context_untrusted_share: float = 0.5
    suspicious: Suspicious = "label"
    noise: Noise = "keep"
    max_tokens: int = 2_000
    token_counter: TokenCounting = "auto"
    access_policy: AccessPolicy = "open"
    reversible_masking: bool = False
    audit_reads: bool = False
    mask_secrets: bool = True

    def __post_init__(self) -> None:
        for one in fields(self):
            _check(one.name, getattr(self, one.name), _RULES[one.name])

    @classmethod
    def from_env(cls, env: Mapping[str, str], prefix: str = ENV_PREFIX) -> Self:
        """The configuration that an environment asks for: ``ZERDA_WINDOW_SIZE=50`` sets ``window_size``.

        Pass ``os.environ``. Other variables are left alone, so that an environment may hold more.
        """
        names = {f"{prefix}{one.name.upper()}": one.name for one in fields(cls)}
        return cls(**{name: _parsed(name, env[key]) for key, name in names.items() if key in env})

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """The configuration in a TOML file: its table ``[memory]``, or the whole file where it has none."""
        try:
            table = tomllib.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{path}: {error}") from error
        settings = table.get("memory", table)
        if unknown := sorted(settings.keys() - _RULES.keys()):
            known = ", ".join(sorted(_RULES))
            raise ConfigError(f"{path}: no setting is called {unknown[0]!r}; there are {known}")
        return cls(**settings)


@dataclass(frozen=True, slots=True)
class _Number:
    """A number from ``low`` to ``high``, both allowed."""

    low: float
    high: float = float("inf")
    whole: bool = False
    optional: bool = False

    def admits(self, value: object) -> bool:
        if value is None:
            return self.optional
        kinds = (int,) if self.whole else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and self.low <= value <= self.high

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        end = "" if self.high == float("inf") else f" to {self.high:g}"
        return f"{kind} from {self.low:g}{end}" + (", or None" if self.optional else "")


@dataclass(frozen=True, slots=True)
class _Words:
    """One of a few words."""

    words: tuple[str, ...]

    def admits(self, value: object) -> bool:
        return value in self.words

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(word) for word in self.words)


@dataclass(frozen=True, slots=True)
class _Type:
    """Any value of a type; a text must not be empty."""

    kind: type

    def admits(self, value: object) -> bool:
        return isinstance(value, self.kind) and value != ""

    def __str__(self) -> str:
        return "True or False" if self.kind is bool else "a text that is not empty"


@dataclass(frozen=True, slots=True)
class _Address:
    """The address of a server, or none."""

    schemes: tuple[str, ...]

    def admits(self, value: object) -> bool:
        return isinstance(value, str) and (value == "" or value.startswith(self.schemes))

    def __str__(self) -> str:
        return "empty, or begins with " + " or ".join(repr(scheme) for scheme in self.schemes)


_Rule = _Address | _Number | _Words | _Type
_SHARE = _Number(0, 1)
_COUNT = _Number(1, whole=True)

_RULES: dict[str, _Rule] = {
    "persistence_path": _Type(str),
    "storage": _Address(("postgresql://", "postgres://")),
    "enable_persistence": _Type(bool),
    "durability": _Words(get_args(Durability)),
    "hide_ids": _Type(bool),
    "max_connections": _COUNT,
    "window_size": _COUNT,
    "max_working": _COUNT,
    "importance_threshold": _SHARE,
    "min_importance": _SHARE,
    "session_gap_minutes": _Number(0),
    "sharing": _Words(get_args(Sharing)),
    "enable_decay": _Type(bool),
    "decay_rate": _SHARE,
    "base_decay_rate": _Number(0, 1, optional=True),
    "decay_curve": _Words(CURVES),
    "deletion_threshold": _SHARE,
    "archive_days": _Number(1, 36_500),
    "max_long_term": _COUNT,
    "embedding_model": _Type(str),
    "embedding_cache_size": _Number(0, whole=True),
    "semantic_backend": _Words(get_args(SemanticBackend)),
    "indexing": _Words(get_args(Indexing)),
    "retrieval_limit": _COUNT,
    "candidate_limit": _COUNT,
    "relevance_floor": _SHARE,
    "min_score": _Number(-1, 1),
    "reranker": _Type(str),
    "rerank_limit": _COUNT,
    "min_trust": _Words(TRUSTS[:-1]),
    "context_per_source": _COUNT,
    "context_untrusted_share": _SHARE,
    "suspicious": _Words(get_args(Suspicious)),
    "noise": _Words(get_args(Noise)),
    "max_tokens": _COUNT,
    "token_counter": _Words(get_args(TokenCounting)),
    "access_policy": _Words(get_args(AccessPolicy)),
    "reversible_masking": _Type(bool),
    "audit_reads": _Type(bool),
    "mask_secrets": _Type(bool),
}


def _check(name: str, value: Any, rule: _Rule) -> None:
    if not rule.admits(value):
        # An address may hold a password; its beginning tells what is wrong with it.
        shown = value[:8] + "…" if isinstance(rule, _Address) and isinstance(value, str) else value
        raise ConfigError(f"{name} is {shown!r}; it is {rule}")


def _parsed(name: str, text: str) -> Any:
    """The text of an environment variable as its setting's type; what does not parse is refused as it is."""
    rule = _RULES[name]
    if isinstance(rule, _Number):
        try:
            return int(text) if rule.whole else float(text)
        except ValueError:
            return text
    if rule == _Type(bool):
        return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}.get(
            text.strip().lower(), text
        )
    return text
