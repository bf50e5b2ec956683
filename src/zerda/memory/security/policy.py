"""What is masked and what is let through, for all tenants and for some."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from zerda.memory.errors import ConfigError

from .masking import SensitiveDataMasker
from .recognizers.base import Finder, Number

MOST_STARS = 3
"""Stars in an allowed value: more would let a text made for it take long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingPolicy:
    """What is masked. It is the embedding program's configuration: give it at every start; it is not kept.

    What cannot work is a `ConfigError` when it is made.

    Args:
        personal: personal data.
        secrets: passwords, keys and tokens.
        kinds: only these kinds; None is all of them.
        let_through: kinds that stay as they are.
        allow: values that stay: as they are written (without regard to case, blanks and dashes), or with
            stars, ``*@example.com``, which stand for anything.
        custom: more kinds, label to pattern.
        recognizers: more kinds, as `zerda.memory.security.recognizers` has them.
        languages: codes of the languages whose words may speak for a value; None is all.
        refuse_secret_ids: an entry's or a session's id that is a key or a token is refused.
        tenants: a policy in place of this one for some tenants.
    """

    personal: bool = True
    secrets: bool = True
    kinds: Collection[str] | None = None
    let_through: Collection[str] = ()
    allow: Sequence[str] = ()
    custom: Mapping[str, str | re.Pattern[str]] = field(default_factory=dict)
    recognizers: Sequence[Finder | Number] = ()
    languages: Collection[str] | None = None
    refuse_secret_ids: bool = True
    tenants: Mapping[str, MaskingPolicy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("kinds", "let_through", "allow", "languages"):
            if isinstance(getattr(self, name), str):
                raise ConfigError(f"{name} is the text {getattr(self, name)!r}; it is a list of texts")
        for tenant, policy in self.tenants.items():
            if not isinstance(policy, MaskingPolicy):
                raise ConfigError(f"tenants has {policy!r} for {tenant!r}; it is a MaskingPolicy")
            if policy.tenants:
                raise ConfigError(f"the policy of tenant {tenant!r} has tenants of its own; leave them out")
        self.masker()

    def of(self, tenant_id: str) -> MaskingPolicy:
        """The policy of one tenant."""
        return self.tenants.get(tenant_id, self)

    def without_personal(self) -> MaskingPolicy:
        """The same, for secrets alone."""
        tenants = {name: policy.without_personal() for name, policy in self.tenants.items()}
        return replace(self, personal=False, tenants=tenants)

    def without_secrets(self) -> MaskingPolicy:
        """The same, for personal data alone."""
        tenants = {name: policy.without_secrets() for name, policy in self.tenants.items()}
        return replace(self, secrets=False, tenants=tenants)

    def masker(self) -> SensitiveDataMasker | None:
        """What masks by this policy; None where nothing is masked."""
        masker = SensitiveDataMasker(
            secrets=self.secrets,
            personal=self.personal,
            kinds=self.kinds,
            let_through=self.let_through,
            allow=[_allowed(value) for value in self.allow],
            custom=self.custom,
            recognizers=self.recognizers,
            languages=self.languages,
        )
        return masker if masker.kinds else None


def _allowed(value: str) -> str | re.Pattern[str]:
    """A value with stars as a pattern."""
    if not value.strip("* "):
        raise ConfigError(f"allow has {value!r}; give a value, or a part of one with a star for the rest")
    if "*" not in value:
        return value
    if value.count("*") > MOST_STARS:
        raise ConfigError(f"allow has {value!r}; at most {MOST_STARS} stars stand in a value")
    return re.compile(".*".join(map(re.escape, value.split("*"))), re.IGNORECASE | re.DOTALL)
