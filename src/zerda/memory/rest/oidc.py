"""Tokens of an OpenID Connect issuer, behind the same seam as the memory's own keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from zerda.memory import AccessDenied, ConfigError, MissingExtra, StorageUnavailable

from .callers import Identity

try:
    import jwt
except ImportError as error:
    raise MissingExtra("the reader of tokens (pyjwt)", "oidc") from error

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures with a public key. None that is shared, and never none at all."""

LEEWAY_SECONDS = 30
TIMEOUT_SECONDS = 5.0
KEY_SECONDS = 300


class Oidc:
    """Tokens that an issuer signed for this audience: its subject is the user, with what they were granted.

    The signing keys are asked of the issuer and kept for five minutes. A token that names no subject or no
    tenant is refused; so is one whose user was granted nothing here.

    Args:
        issuer: as its tokens name it; its keys are found by its discovery document.
        audience: whom its tokens must be for.
        tenant_id: the tenant of all its users; None takes ``tenant_claim`` of each token.
        user_claim: which claim names the user.
        jwks_uri: where the keys are, if there is no discovery document.
    """

    def __init__(
        self,
        issuer: str,
        audience: str,
        *,
        tenant_id: str | None = None,
        tenant_claim: str = "tenant",
        user_claim: str = "sub",
        jwks_uri: str | None = None,
    ) -> None:
        self._issuer, self._audience, self._tenant_id = issuer, audience, tenant_id
        self._tenant_claim, self._user_claim = tenant_claim, user_claim
        self._keys = jwt.PyJWKClient(
            jwks_uri or _discovered(issuer), cache_keys=True, lifespan=KEY_SECONDS, timeout=TIMEOUT_SECONDS
        )

    def takes(self, token: str) -> bool:
        """A token has three parts; none of our keys has a dot."""
        return token.count(".") == 2

    def identify(self, token: str) -> Identity:
        """The user whom the token names; `AccessDenied` for one that is not good here and now."""
        try:
            key = self._keys.get_signing_key_from_jwt(token)
            claims = jwt.decode(
                token, key, algorithms=list(ALGORITHMS), issuer=self._issuer, audience=self._audience,
                leeway=LEEWAY_SECONDS, options={"require": ["exp", "iss", "aud"]},
            )  # fmt: skip
        except jwt.PyJWKClientConnectionError as error:
            raise StorageUnavailable("the issuer of tokens cannot be reached") from error
        except jwt.PyJWTError:
            raise AccessDenied("the token is not good here") from None
        return self._identity(claims)

    def _identity(self, claims: Mapping[str, Any]) -> Identity:
        user_id, tenant_id = claims.get(self._user_claim), self._tenant_id or claims.get(self._tenant_claim)
        if not isinstance(user_id, str) or not isinstance(tenant_id, str) or not user_id or not tenant_id:
            raise AccessDenied("the token names no user or no tenant")
        if user_id.startswith("agent:"):
            raise AccessDenied("a user's token names an agent")
        # What stands for the key in logs names nobody.
        known = hashlib.sha256(repr((self._issuer, tenant_id, user_id)).encode()).hexdigest()[:16]
        return Identity(tenant_id, user_id, user_id, None, f"oidc-{known}")


def _discovered(issuer: str) -> str:
    """Where the issuer's keys are, as it says itself."""
    if not issuer.startswith(("https://", "http://127.0.0.1", "http://localhost")):
        raise ConfigError(f"issuer is {issuer!r}; it begins with https://")
    try:
        with urlopen(
            f"{issuer.rstrip('/')}/.well-known/openid-configuration", timeout=TIMEOUT_SECONDS
        ) as read:
            return str(json.load(read)["jwks_uri"])
    except (URLError, OSError, ValueError, KeyError) as error:
        raise ConfigError(
            f"issuer {issuer!r} tells nothing of its keys ({type(error).__name__}); give its jwks_uri"
        ) from error
