"""What a request may say. What is not named here is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, WithJsonSchema

from zerda.memory import Query, Trust

from .forms import FILTER, ID, seen

_MOST_NOTES = 1_000

Kind = Literal["interaction", "message", "note", "fact", "summary", "document"]
Origin = Literal["user", "assistant", "tool", "web", "file", "import", "derived"]
Visibility = Literal["user", "tenant"]
Share = Annotated[float, Field(ge=0, le=1)]

Id = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(seen), WithJsonSchema(ID)]
Source = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"^[^\x00]*$")]
Text = Annotated[str, Field(max_length=1_000_000)]
Labels = Annotated[list[Annotated[str, Field(max_length=1_000)]], Field(max_length=1_000)]
Metadata = dict[str, Any]
When = AwareDatetime
Content = Text | dict[str, Any]


class Body(BaseModel):
    """Every body may name tenant and user; they must be the key's."""

    model_config = ConfigDict(extra="forbid")

    tenant_id: Id | None = None
    user_id: Id | None = None

    def said(self, *without: str) -> dict[str, Any]:
        """What was said, as arguments: nothing that was left out."""
        left_out = {"tenant_id", "user_id", *without}
        return {name: getattr(self, name) for name in self.model_fields_set if name not in left_out}


class Described(Body):
    """What may be told of whatever is kept."""

    importance: Share = 0.5
    tags: Labels = []
    topics: Labels = []
    metadata: Metadata = {}
    session_id: Id | None = None
    occurred_at: When | None = None
    visibility: Visibility | None = None
    id: Id | None = None
    source: Source | None = None
    trust: Trust | None = None


class NewInteraction(Described):
    """An exchange between a user and the assistant."""

    user_input: Text
    assistant_output: Text
    origin: Origin = "user"


class NewNote(Described):
    """A note, a message of a named speaker, a fact."""

    content: Content
    kind: Kind = "note"
    speaker: Id | None = None
    origin: Origin = "user"
    expires_at: When | None = None


class NewDocument(Described):
    """A document: it is cut into passages, never shortened."""

    content: Text
    origin: Origin = "file"
    expires_at: When | None = None


class NewNotes(Body):
    """Many notes, kept together or not at all."""

    notes: Annotated[list[NewNote | NewInteraction | Text], Field(max_length=_MOST_NOTES)]


class TextPart(BaseModel):
    """A part of a message's content, as chat APIs write it."""

    model_config = ConfigDict(extra="ignore")

    type: Annotated[str, Field(max_length=100)]
    text: Text | None = None


class ChatMessage(BaseModel):
    """A message as chat APIs write it; fields of theirs that say nothing to a memory are passed over."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["user", "assistant", "system", "developer", "tool", "function"]
    content: Text | Annotated[list[TextPart], Field(max_length=1_000)] | None = None
    name: Id | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.text)
        return self.content or ""


class NewMessages(Body):
    """Messages in the order in which they were said."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=_MOST_NOTES)]
    session_id: Id | None = None
    importance: Share = 0.5
    tags: Labels = []
    metadata: Metadata = {}


class Conditions(BaseModel):
    """Conditions that entries meet, as a `Query` has them."""

    model_config = ConfigDict(extra="forbid")

    ids: Annotated[list[Id], Field(max_length=_MOST_NOTES)] | None = None
    kinds: list[Kind] = []
    session_id: Id | None = None
    speakers: Labels = []
    origins: list[Origin] = []
    tags: Labels = []
    topics: Labels = []
    since: When | None = None
    until: When | None = None
    min_importance: Share = 0.0
    min_trust: Trust | None = None
    recorded_since: When | None = None
    promoted: bool | None = None
    pinned: bool | None = None
    archived: bool | None = False

    def query(self) -> Query:
        """The same for the memory."""
        said: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set}
        for name in ("ids", "kinds", "speakers", "origins", "tags", "topics"):
            if said.get(name) is not None:
                said[name] = tuple(said[name])
        return Query(**said)


Filters = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "format": FILTER})]


class Filtered(Body):
    """Conditions in one of two forms: a mapping of tests, or the fields of a query."""

    filters: Filters | None = None
    query_by: Conditions | None = None

    def narrowing(self) -> Query | Mapping[str, Any] | None:
        """What the caller asks to narrow by."""
        return self.filters if self.query_by is None else self.query_by.query()


class Asking(Filtered):
    """A question, and what its answers must meet."""

    query: Text
    session_id: Id | None = None
    min_score: Annotated[float, Field(ge=-1, le=1)] | None = None
    as_of: When | None = None
    min_trust: Trust | None = None


class Recall(Asking):
    """A question, to be answered with hits."""

    limit: Annotated[int, Field(ge=1, le=1_000)] | None = None


class GivenDocument(BaseModel):
    """A text from elsewhere, for this context alone."""

    model_config = ConfigDict(extra="forbid")

    page_content: Text
    metadata: Metadata = {}


class ContextFor(Asking):
    """A question, for which to build a context."""

    documents: Annotated[list[GivenDocument | Text], Field(max_length=_MOST_NOTES)] = []
    top_k_semantic: Annotated[int, Field(ge=0, le=1_000)] = 8
    top_k_ltm: Annotated[int, Field(ge=0, le=1_000)] = 10
    include_profile: bool = True
    token_budget: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    count_use: bool = True


class PromptFor(Body):
    """A question, for which to write a whole prompt."""

    query: Text
    documents: Annotated[list[GivenDocument | Text], Field(max_length=_MOST_NOTES)] = []
    system_instruction: Text = "You are a helpful, knowledgeable assistant."
    include_profile: bool = True
    session_id: Id | None = None
    token_budget: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    min_trust: Trust | None = None


class Listing(Filtered):
    """Which page of entries."""

    limit: Annotated[int, Field(ge=1, le=1_000)] = 50
    cursor: Annotated[str, Field(pattern=r"^[0-9]{1,18}$")] | None = None
    quarantined: bool = False


class EntitiesOf(Filtered):
    """Which entities: of a type, of what entries."""

    type: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    limit: Annotated[int, Field(ge=1, le=10_000)] | None = None


class Named(Body):
    """A name, however it is spelt."""

    name: Annotated[str, Field(max_length=1_000)]


class Mentioning(Filtered):
    """A name, and which of the entries that name it."""

    name: Annotated[str, Field(max_length=1_000)]
    limit: Annotated[int, Field(ge=1, le=1_000)] = 20


class RelatedTo(Filtered):
    """A name, and how far to go from it."""

    name: Annotated[str, Field(max_length=1_000)] | None = None
    depth: Annotated[int, Field(ge=1, le=6)] = 1


class Change(Body):
    """What to change of an entry; what is left out stays. A null does too, but takes an end back."""

    content: Content | None = None
    importance: Share | None = None
    tags: Labels | None = None
    topics: Labels | None = None
    metadata: Metadata | None = None
    visibility: Visibility | None = None
    expires_at: When | None = None
    trust: Trust | None = None


class Pinning(Body):
    pinned: bool = True


class Forgetting(Body):
    """Entries to erase for ever; ``preview`` counts and erases nothing."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=_MOST_NOTES)]
    preview: bool = False


class ForgettingWhere(Body):
    """What to erase for ever: all that conditions describe; ``preview`` counts and erases nothing."""

    query_by: Conditions
    preview: bool = False


class Quarantining(Body):
    """Entries to put into quarantine, and why in a few words."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=_MOST_NOTES)]
    because: Annotated[str, Field(max_length=200)] = "asked"


class FromSource(Body):
    """What came from a source, or from the host of an address."""

    source: Source
    since: When | None = None
    preview: bool = False


class Masking(Body):
    """What of the tenant to mask by the rules of today; ``about`` is one user's own."""

    about: Id | None = None
    dry_run: bool = False


class ErasingAll(Body):
    """The tenant's name once more, so that nothing else is meant."""

    confirm: Id


class Erasing(Body):
    """Erase all that is a user's own; ``preview`` counts and erases nothing."""

    preview: bool = False


class Ids(Body):
    ids: Annotated[list[Id], Field(min_length=1, max_length=_MOST_NOTES)]


class Preferences(Body):
    """Preferences to state; a null takes its one back."""

    preferences: Annotated[dict[str, Any], WithJsonSchema({"type": "object", "propertyNames": ID})]


class Boost(Body):
    boost: Annotated[float, Field(ge=0, le=0.5)]


class Upkeep(Body):
    dry_run: bool = False


class Granting(Body):
    """A role for a principal in the key's tenant."""

    principal: Id
    role: Literal["reader", "writer", "owner", "admin"] = "writer"
    until: When | None = None
    on_behalf_of: Id | None = None


class NewKey(Body):
    """A key for a user of the key's tenant."""

    holder: Id
    role: Literal["reader", "writer", "owner", "admin"] = "writer"
    name: Annotated[str, Field(pattern=r"^[ -~]{0,200}$")] = ""
    until: When | None = None
    agent: Annotated[str, Field(pattern=r"^agent:[!-~]{1,200}$")] | None = None


class Heads(Body):
    heads: Annotated[list[Annotated[str, Field(pattern=r"^(memory|access):[0-9]{1,18}:[0-9a-f]{0,64}$")]],
                     Field(max_length=100)] = []  # fmt: skip


class Proving(Body):
    """A receipt to prove, and texts to look for."""

    receipt_id: Annotated[str, Field(max_length=256)]
    texts: Annotated[list[Annotated[str, Field(min_length=1, max_length=1_000)]], Field(max_length=100)] = []
