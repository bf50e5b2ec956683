"""A request for every operation of the API, such as its owner or an admin would make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OURS = "of alice"  # The id of an entry that is alice's, in acme.
NEEDLE = "fennec"  # What she said there.

HEADER = b'{"type":"header","format":"zerda.memory","version":1,"tenant_id":"acme"}\n'


@dataclass(frozen=True, slots=True)
class Call:
    """Method, path and body; ``needs`` is the least role, None where no key is asked for."""

    method: str
    path: str
    needs: str | None
    body: Any = None

    @property
    def content(self) -> dict[str, Any]:
        """The body as the HTTP client takes it."""
        if isinstance(self.body, bytes):
            return {"content": self.body, "headers": {"Content-Type": "application/x-ndjson"}}
        return {} if self.body is None else {"json": self.body}


CALLS: dict[str, Call] = {
    "save_interaction": Call(
        "POST", "/v1/interactions", "writer", {"user_input": "a", "assistant_output": "b"}
    ),
    "remember": Call("POST", "/v1/memories", "writer", {"content": "a"}),
    "remember_many": Call("POST", "/v1/memories/batch", "writer", {"notes": ["a", {"content": "b"}]}),
    "add_document": Call("POST", "/v1/documents", "writer", {"content": "a", "source": "a.txt"}),
    "save_messages": Call("POST", "/v1/messages", "writer", {"messages": [{"role": "user", "content": "a"}]}),
    "recall": Call("POST", "/v1/recall", "reader", {"query": NEEDLE, "min_score": 0}),
    "build_context": Call("POST", "/v1/context", "reader", {"query": NEEDLE}),
    "build_prompt": Call("POST", "/v1/prompt", "reader", {"query": "which animal?"}),
    "list_entries": Call("GET", "/v1/entries", "reader"),
    "list_entries_by": Call("POST", "/v1/list", "reader", {"filters": {"kind": "note"}}),
    "get_entry": Call("GET", f"/v1/entries/{OURS}", "reader"),
    "update_entry": Call("PATCH", f"/v1/entries/{OURS}", "writer", {"importance": 0.4}),
    "history": Call("GET", f"/v1/entries/{OURS}/history", "reader"),
    "pin": Call("PUT", f"/v1/entries/{OURS}/pin", "writer", {"pinned": True}),
    "archive": Call("POST", f"/v1/entries/{OURS}/archive", "writer"),
    "restore": Call("POST", f"/v1/entries/{OURS}/restore", "writer"),
    "forget_entry": Call("DELETE", f"/v1/entries/{OURS}", "writer"),
    "forget": Call("POST", "/v1/forget", "writer", {"ids": [OURS], "preview": True}),
    "forget_where": Call(
        "POST", "/v1/forget-where", "writer", {"query_by": {"tags": ["x"]}, "preview": True}
    ),
    "allow_again": Call("POST", "/v1/allow-again", "writer", {"ids": ["gone"]}),
    "entities": Call("POST", "/v1/entities/list", "reader", {"limit": 5}),
    "entity": Call("POST", "/v1/entities/get", "reader", {"name": "Nobody At All"}),
    "mentioning": Call("POST", "/v1/entities/mentioning", "reader", {"name": "Ana"}),
    "related": Call("POST", "/v1/entities/related", "reader", {"depth": 2}),
    "quarantine": Call("POST", "/v1/quarantine", "writer", {"ids": [OURS]}),
    "review": Call("GET", "/v1/quarantine", "reader"),
    "memories_since": Call("GET", "/v1/arrivals?since=2020-01-01T00:00:00Z", "reader"),
    "forget_source": Call("POST", "/v1/forget-source", "writer", {"source": "none.example"}),
    "quarantine_any": Call("POST", "/v1/tenant/quarantine", "admin", {"ids": ["nothing"]}),
    "review_all": Call("GET", "/v1/tenant/quarantine", "admin"),
    "release": Call("POST", "/v1/tenant/release", "admin", {"ids": ["nothing"]}),
    "all_memories_since": Call("GET", "/v1/tenant/arrivals?since=2020-01-01T00:00:00Z", "admin"),
    "forget_source_everywhere": Call("POST", "/v1/tenant/forget-source", "admin", {"source": "none"}),
    "whoami": Call("GET", "/v1/whoami", "reader"),
    "profile": Call("GET", "/v1/profile", "reader"),
    "set_preferences": Call("PATCH", "/v1/preferences", "writer", {"preferences": {"tone": "plain"}}),
    "set_retention_boost": Call("PUT", "/v1/retention-boost", "writer", {"boost": 0.1}),
    "list_sessions": Call("GET", "/v1/sessions", "reader"),
    "export_user": Call("GET", "/v1/export", "reader"),
    "forget_user": Call("POST", "/v1/erase", "owner", {"preview": True}),
    "changes": Call("GET", "/v1/changes", "reader"),
    "stats": Call("GET", "/v1/stats", "admin"),
    "run_maintenance": Call("POST", "/v1/maintenance", "admin", {"dry_run": True}),
    "flush": Call("POST", "/v1/flush", "admin"),
    "list_grants": Call("GET", "/v1/grants", "admin"),
    "grant": Call("POST", "/v1/grants", "admin", {"principal": "eve", "role": "reader"}),
    "revoke": Call("POST", "/v1/grants/revoke", "admin", {"principal": "eve", "role": "reader"}),
    "list_keys": Call("GET", "/v1/keys", "admin"),
    "create_key": Call("POST", "/v1/keys", "admin", {"holder": "eve", "role": "reader"}),
    "revoke_key": Call("DELETE", "/v1/keys/0123456789abcdef", "admin"),
    "audit": Call("GET", "/v1/audit", "admin"),
    "audit_head": Call("GET", "/v1/audit/head", "admin"),
    "verify_audit": Call("POST", "/v1/audit/verify", "admin", {"heads": []}),
    "receipts": Call("GET", "/v1/receipts", "admin"),
    "verify_erased": Call("POST", "/v1/receipts/verify", "admin", {"receipt_id": "none"}),
    "export_another": Call("GET", "/v1/tenant/users/bob/export", "admin"),
    "forget_another": Call("POST", "/v1/tenant/users/bob/erase", "admin", {"preview": True}),
    "forget_everywhere": Call("POST", "/v1/tenant/forget", "admin", {"query_by": {"tags": ["x"]}}),
    "reveal": Call("POST", f"/v1/entries/{OURS}/reveal", "writer"),
    "mask_stored": Call("POST", "/v1/tenant/mask", "admin", {"dry_run": True}),
    "clear_tenant": Call("POST", "/v1/tenant/erase", "admin", {"confirm": "acme"}),
    "export_tenant": Call("GET", "/v1/tenant/export", "admin"),
    "import_tenant": Call("POST", "/v1/tenant/import", "admin", HEADER),
    "metrics": Call("GET", "/metrics", "admin"),
    "health": Call("GET", "/healthz", None),
    "ready": Call("GET", "/readyz", None),
}

KEYED = {name: call for name, call in CALLS.items() if call.needs is not None}
WITH_BODY = {name: call for name, call in KEYED.items() if isinstance(call.body, dict)}
OF_AN_ENTRY = {name: call for name, call in KEYED.items() if OURS in call.path}
ROLES = ("reader", "writer", "owner", "admin")
