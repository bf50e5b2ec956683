"""Puts profile, memories, documents and history before the model, within a token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.model import Hit, MemoryEntry
from ..core.rules.budget import Count, cut, shares
from ..core.rules.tokens import estimate_tokens
from ..core.rules.trusting import trusted_from
from ..errors import ConfigError, InvalidInput
from . import render

FRACTIONS: Mapping[str, float] = {"profile": 0.05, "memories": 0.30, "documents": 0.45, "history": 0.20}
DEFAULT_INSTRUCTION = "You are a helpful, knowledgeable assistant."
Mark = Callable[[str, str], str]
"""Makes the mark that stands between two texts of ours."""

_SHORTEST_CUT = 24  # Tokens: less of a text than this is not worth its label.


@dataclass(frozen=True, slots=True)
class Document:
    """A text from elsewhere, for one context only: it is never stored."""

    page_content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def source(self) -> str | None:
        """Where it is from: ``metadata["source"]``."""
        source = self.metadata.get("source")
        return None if source is None else str(source)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a candidate for a context, and why.

    ``what`` is an entry's id, ``profile`` or a document's number; ``fate`` says where it stands ("in
    memories"), or what it lacked ("no room in documents", "below the floor 0.1", "others weighed more").
    ``tokens`` is what it takes there
    with its label; 0 where it was left out.
    """

    what: str
    fate: str
    sources: tuple[str, ...] = ()
    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    tokens: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """A context, ready for a model.

    ``tokens`` never exceeds the budget, under the counter that built it. ``sections`` maps profile,
    memories, documents, history to their texts (those that are not empty). ``entries`` were put in;
    ``trace`` tells the fate of every candidate; ``degraded`` names what was lacking. ``marks`` tell the
    messages for ours when they come back.
    """

    full_text: str
    sections: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[MemoryEntry, ...] = ()
    tokens: int = 0
    query: str = ""
    turns: tuple[render.Turn, ...] = ()
    trace: tuple[Fate, ...] = ()
    degraded: tuple[str, ...] = ()
    marks: tuple[str, ...] = field(default=(), repr=False)

    @property
    def token_estimate(self) -> int:
        """The same as ``tokens``."""
        return self.tokens

    @property
    def truncated(self) -> bool:
        """Whether anything was cut or left out for lack of room."""
        return any(fate.fate.startswith(("cut", "no room")) for fate in self.trace)

    def as_messages(self, system_instruction: str = DEFAULT_INSTRUCTION) -> list[dict[str, str]]:
        """Messages for a chat API: the instruction with what was recalled, the last turns, the question."""
        recalled = _recalled(self.sections)
        ours = _joined([render.AS_DATA, *recalled]) if recalled else ""
        default, alone = self.marks or ("", "")
        mark = default if system_instruction == DEFAULT_INSTRUCTION else alone
        return [
            {"role": "system", "content": _marked(system_instruction, mark if ours else "", ours)},
            *(turn.message() for turn in self.turns),
            {"role": "user", "content": self.query},
        ]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something that may stand in a section: its label, its words, and how it is written."""

    what: str
    label: str
    text: str
    write: Callable[[str, str], str]
    entry: MemoryEntry | None = None
    turn: render.Turn | None = None
    may_be_cut: bool = True

    @property
    def untrusted(self) -> bool:
        """Whether it was remembered from somewhere that is not trusted."""
        return self.entry is not None and not trusted_from("user", self.entry.trust)

    def written(self, text: str | None = None) -> str:
        return self.write(self.label, self.text if text is None else text)


class ContextBuilder:
    """Assembles contexts. It keeps no state: any number of threads may use one.

    Each section gets its fraction of the budget, and what one leaves the others may use. ``count`` counts
    tokens; the built-in estimate rather counts too many. ``seal`` marks what is built, so that it is known
    when it comes back; at most ``untrusted_share`` of a context's tokens are of untrusted memories.
    """

    def __init__(
        self,
        total_token_budget: int = 4_000,
        *,
        fractions: Mapping[str, float] = FRACTIONS,
        count: Count = estimate_tokens,
        seal: Mark | None = None,
        untrusted_share: float = 1.0,
    ) -> None:
        if total_token_budget < 1:
            raise ConfigError(f"total_token_budget is {total_token_budget!r}; it is at least 1")
        if fractions.keys() != FRACTIONS.keys() or sum(fractions.values()) > 1 + 1e-9:
            raise ConfigError(
                f"fractions are {dict(fractions)!r}; {', '.join(FRACTIONS)} sum to 1 at the most"
            )
        self._budget = total_token_budget
        self._fractions = dict(fractions)
        self._count = count
        self._seal = seal
        self._untrusted_share = untrusted_share

    def build(
        self,
        documents: Iterable[Document | Mapping[str, Any] | str] | None = None,
        memories: Sequence[MemoryEntry | Hit] | None = None,
        history: Sequence[MemoryEntry] | None = None,
        user_profile_text: str | None = None,
        query: str = "",
        *,
        token_budget: int | None = None,
        trace: Sequence[Fate] = (),
        degraded: Sequence[str] = (),
    ) -> BuiltContext:
        """A context of what is given; memories in order of worth, history oldest first.

        What history shows is not said again among the memories. What does not fit is cut at a sentence's
        end or left out, and ``trace`` says which.
        """
        shown = {entry.id for entry in history or ()}
        sections = {
            "profile": _profile_pieces(user_profile_text),
            "memories": _memory_pieces([one for one in memories or () if _entry(one).id not in shown]),
            "documents": _document_pieces([as_document(one) for one in _several(documents)]),
            "history": _history_pieces(history or ()),
        }
        budget = self._budget if token_budget is None else token_budget
        chosen, fates = self._choose(sections, budget)
        texts = {name: _section(name, pieces) for name, pieces in chosen.items() if pieces}
        full_text = _sealed(self._seal, "", _joined(texts.values()))
        kept = [piece for name in render.HEADERS for piece in chosen[name]]
        return BuiltContext(
            full_text,
            texts,
            tuple({piece.entry.id: piece.entry for piece in kept if piece.entry}.values()),
            self._count(full_text) if full_text else 0,
            query,
            tuple(piece.turn for piece in kept if piece.turn),
            _told_once([*trace, *fates]),
            tuple(degraded),
            self._marks(texts),
        )

    def build_prompt(
        self,
        query: str,
        context: BuiltContext | None = None,
        *,
        system_instruction: str = DEFAULT_INSTRUCTION,
    ) -> str:
        """Instruction, context, the header of the query, the query: composed once, whatever they contain."""
        recalled = context.full_text if context else ""
        asked = f"{render.QUERY_HEADER}\n{render.asked(query)}"
        if recalled:
            return _sealed(self._seal, system_instruction, f"{recalled}\n\n{asked}")
        return "\n\n".join(part for part in (system_instruction, asked) if part)

    def _marks(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """The marks of `BuiltContext.as_messages`: behind the default instruction, and behind any other."""
        recalled = _recalled(texts)
        if self._seal is None or not recalled:
            return ()
        ours = _joined([render.AS_DATA, *recalled])
        return self._seal(DEFAULT_INSTRUCTION, ours), self._seal("", ours)

    def _choose(
        self, sections: Mapping[str, list[_Piece]], budget: int
    ) -> tuple[dict[str, list[_Piece]], list[Fate]]:
        """Fill the sections; what their joints take is given up and they are filled again."""
        room = budget
        while True:
            chosen, fates = self._filled(sections, room, budget)
            whole = _joined(_section(name, pieces) for name, pieces in chosen.items() if pieces)
            over = self._count(_sealed(self._seal, "", whole)) - budget
            if over <= 0 or not whole:  # A counter may count something where there is no text.
                return chosen, fates
            room -= over

    def _filled(
        self, sections: Mapping[str, list[_Piece]], room: int, budget: int
    ) -> tuple[dict[str, list[_Piece]], list[Fate]]:
        """Each section filled to its share; what one leaves goes to the next, memories before documents."""
        wanted = {
            name: self._count(_section(name, pieces)) if pieces else 0 for name, pieces in sections.items()
        }
        given = shares(room, wanted, self._fractions)
        chosen: dict[str, list[_Piece]] = {}
        fates: list[Fate] = []
        spare = 0
        for name, pieces in sections.items():
            share = given[name] + spare
            chosen[name], told = self._fill(name, pieces, share, budget)
            spare = share - (self._count(_section(name, chosen[name])) if chosen[name] else 0)
            fates += told
        return chosen, fates

    def _fill(
        self, name: str, pieces: Sequence[_Piece], room: int, budget: int
    ) -> tuple[list[_Piece], list[Fate]]:
        """As many pieces as fit, in order of worth (of history, the newest first); long ones are cut."""
        in_turn = list(reversed(pieces)) if name == "history" else list(pieces)
        chosen: list[_Piece] = []
        fates: list[Fate] = []
        most = self._untrusted_share * budget
        for piece in in_turn:
            if piece.untrusted and self._untrusted(chosen) + self._count(piece.written()) > most:
                fates.append(Fate(piece.what, f"no room in {name} for more that is untrusted"))
                continue
            fitting = self._fitted(name, chosen, piece, room)
            if fitting is None:
                fates.append(Fate(piece.what, f"no room in {name}"))
                continue
            chosen = _arranged(name, chosen, fitting)
            told = f"in {name}" if fitting is piece else f"cut to fit in {name}"
            fates.append(Fate(piece.what, told, tokens=self._count(fitting.written())))
        return chosen, fates

    def _untrusted(self, pieces: Iterable[_Piece]) -> int:
        return sum(self._count(piece.written()) for piece in pieces if piece.untrusted)

    def _fitted(self, name: str, chosen: Sequence[_Piece], piece: _Piece, room: int) -> _Piece | None:
        if self._used(name, chosen, piece) <= room:
            return piece
        used = self._used(name, chosen, _emptied(piece))
        if not piece.may_be_cut or room - used < _SHORTEST_CUT:
            return None
        shorter = cut(piece.text, room - used, lambda text: self._count(render.quoted(text)))
        fitting = _with_text(piece, shorter)
        return fitting if shorter and self._used(name, chosen, fitting) <= room else None

    def _used(self, name: str, chosen: Sequence[_Piece], piece: _Piece) -> int:
        return self._count(_section(name, _arranged(name, chosen, piece)))


def _several(documents: Iterable[Any] | None) -> Iterable[Any]:
    """The documents; one by itself is refused, since its letters or keys would pass for documents."""
    if isinstance(documents, (str, bytes, Mapping, Document)):
        raise InvalidInput(f"documents is a {type(documents).__name__}; it is a list of documents")
    return documents or ()


def as_document(value: Document | Mapping[str, Any] | str) -> Document:
    """A document out of a text, a dict with ``page_content`` (or ``content``, ``text``), or the like."""
    if isinstance(value, Document):
        return value
    if isinstance(value, str):
        return Document(value)
    if isinstance(value, Mapping):
        text = next((value[key] for key in ("page_content", "content", "text") if key in value), None)
        metadata = value.get("metadata") or {key: value[key] for key in ("source",) if key in value}
    else:
        text, metadata = getattr(value, "page_content", None), getattr(value, "metadata", None) or {}
    if not isinstance(text, str):
        raise InvalidInput(
            f"a document is a {type(value).__name__} without page_content; give text, a dict or Document"
        )
    if not isinstance(metadata, Mapping):
        raise InvalidInput(f"a document's metadata is a {type(metadata).__name__}; it is a mapping")
    return Document(text, metadata)


def _entry(one: MemoryEntry | Hit) -> MemoryEntry:
    return one.entry if isinstance(one, Hit) else one


def _profile_pieces(text: str | None) -> list[_Piece]:
    return [_Piece("profile", "", text, lambda _, body: render.quoted(body))] if text else []


def _memory_pieces(memories: Sequence[MemoryEntry | Hit]) -> list[_Piece]:
    return [
        _Piece(
            _entry(one).id,
            render.memory_label(number, _entry(one)),
            render.shortened(render.said(_entry(one), one.text if isinstance(one, Hit) else None)),
            _labelled,
            entry=_entry(one),
        )
        for number, one in enumerate(memories, 1)
    ]


def _document_pieces(documents: Sequence[Document]) -> list[_Piece]:
    return [
        _Piece(f"document {n}", render.document_label(n, document.source), document.page_content, _labelled)
        for n, document in enumerate(documents, 1)
    ]


def _history_pieces(history: Sequence[MemoryEntry]) -> list[_Piece]:
    return [
        _Piece(entry.id, "", turn.text, _as_said(turn), entry, _own_turn(entry, turn), may_be_cut=False)
        for entry in history
        for turn in render.turns(entry)
    ]


def _own_turn(entry: MemoryEntry, turn: render.Turn) -> render.Turn | None:
    """The turn as a message of a chat, if it is trusted as one of the user or the assistant."""
    return turn if trusted_from("user", entry.trust) else None


def _as_said(turn: render.Turn) -> Callable[[str, str], str]:
    return lambda label, text: turn.quoted()


def _labelled(label: str, text: str) -> str:
    return f"{label}\n{render.quoted(text)}"


def _arranged(name: str, chosen: Sequence[_Piece], piece: _Piece) -> list[_Piece]:
    """With one more, as they are read: what is tried later of history was said before."""
    return [piece, *chosen] if name == "history" else [*chosen, piece]


def _with_text(piece: _Piece, text: str) -> _Piece:
    return replace(piece, text=text)


def _emptied(piece: _Piece) -> _Piece:
    return _with_text(piece, "")


def _section(name: str, pieces: Sequence[_Piece]) -> str:
    return "\n".join([render.HEADERS[name], *(piece.written() for piece in pieces)])


def _told_once(fates: Iterable[Fate]) -> tuple[Fate, ...]:
    """One fate for each candidate: the last one told, with the scores that an earlier one knew."""
    told: dict[str, Fate] = {}
    for fate in fates:
        known = told.get(fate.what)
        told[fate.what] = _again(known, fate) if known else fate
    return tuple(told.values())


def _again(known: Fate, fate: Fate) -> Fate:
    return replace(known, fate=fate.fate, tokens=known.tokens + fate.tokens)


def _recalled(sections: Mapping[str, str]) -> list[str]:
    """The sections that are no turns of the chat."""
    return [sections[name] for name in render.HEADERS if name in sections and name != "history"]


def _sealed(seal: Mark | None, before: str, ours: str) -> str:
    """The texts with the mark between them; without a text of ours there is none."""
    return _marked(before, seal(before, ours) if seal and ours else "", ours)


def _marked(before: str, mark: str, ours: str) -> str:
    return "\n\n".join(part for part in (before, "\n".join(one for one in (mark, ours) if one)) if part)


def _joined(sections: Iterable[str]) -> str:
    return "\n\n".join(sections)
