"""What the manager does for whoever watches: what has changed since."""

from __future__ import annotations

from ..core.aio import awaitable
from ..core.trust import Change, Changes
from ..errors import InvalidInput
from ..security.access import Permission
from .steps import Steps

MOST_READ = 1_000
"""Records of the audit that one call reads; the next one goes on."""


class WatchMethods(Steps):
    """The part of `AIMemoryManager` that tells of changes."""

    def changes(self, user_id: str, tenant_id: str, *, after: int | None = None) -> Changes:
        """What was done to the user's own entries since ``after``, by whichever process, oldest first.

        ``after`` is the ``position`` of an earlier answer; None tells the present one, and no changes. They
        come from the audit, so they tell what was done and how often, not to which entry.
        """
        self._may(user_id, tenant_id, Permission.READ)
        store = self._bundle(tenant_id).store
        if after is None:
            return Changes(store.audit_head(tenant_id)[0])
        if after < 0:
            raise InvalidInput(f"after is {after!r}; it is the position of an earlier answer")
        records = store.audit(tenant_id, after=after, limit=MOST_READ)
        mine = store.pseudonym(user_id) if records else ""
        return Changes(
            records[-1].number if records else after,
            tuple(
                Change(one.number, one.at, one.action, one.count)
                for one in records
                if one.subject == mine and one.result == "done"
            ),
        )

    achanges = awaitable(changes)
