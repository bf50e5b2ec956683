"""What the manager knows of a user, and is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..core.aio import awaitable
from ..security.access import Permission
from .steps import Steps

if TYPE_CHECKING:
    from ..core.rules.profile import UserProfile


class ProfileMethods(Steps):
    """The part of `AIMemoryManager` that concerns the profile of a user."""

    def profile(self, user_id: str, tenant_id: str) -> UserProfile:
        """What is known of the user in this tenant, with the evidence; blank where nothing is."""
        self._may(user_id, tenant_id, Permission.READ)
        return self._bundle(tenant_id).profiles.get_or_create(user_id)

    def set_preferences(self, user_id: str, tenant_id: str, preferences: Mapping[str, Any]) -> UserProfile:
        """State preferences of the user, beside those stated before; a value of None takes its one back.

        They are masked like all that is kept.
        """
        self._may(user_id, tenant_id, Permission.WRITE)
        masker = self._masker_of(tenant_id)
        masked = masker.mask_value(dict(preferences))[0] if masker else preferences
        return self._bundle(tenant_id).profiles.set_preferences(user_id, masked)

    def set_retention_boost(self, user_id: str, tenant_id: str, boost: float) -> UserProfile:
        """Add this, 0 to 0.5, to the importance of all that the user saves from now on."""
        self._may(user_id, tenant_id, Permission.WRITE)
        return self._bundle(tenant_id).profiles.update_retention_boost(user_id, boost)

    aprofile = awaitable(profile)
    aset_preferences = awaitable(set_preferences)
    aset_retention_boost = awaitable(set_retention_boost)
