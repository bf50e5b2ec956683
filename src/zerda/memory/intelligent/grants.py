"""The access layer's grants, kept by a catalog: neither knows the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from ..core.trust import Grant
from ..security.access import Granted, Held

if TYPE_CHECKING:
    from ..storage.base import Catalog


class KeptGrants:
    """A catalog as the access layer asks it (`zerda.memory.security.access.Grants`)."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def standing(self, tenant_id: str, *principals: str) -> tuple[str | None, Sequence[Held]]:
        return self._catalog.standing(tenant_id, *principals)

    def keep(self, grant: Granted) -> None:
        self._catalog.keep_grant(Grant(**asdict(grant)))

    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        self._catalog.set_policy(policy, at=at, by=by)
