"""Keys and tokens without a shape of their own, behind a name such as ``client_secret``."""

from .base import PROVEN
from .key_value import KeyValue

_LONG = 20


def _random(value: str) -> bool:
    """Letters and digits together, as keys have and words have not."""
    if len(value) < 8 or "(" in value or value.startswith(("http", "/", "./")):
        return False
    long = len(value) >= _LONG
    if not any(map(str.isdigit, value)):
        return long and value != value.lower() and value != value.title()
    if any(map(str.isalpha, value)):
        return long or sum(map(str.isdigit, value)) >= 2
    return long and value.isdigit()


RECOGNIZER = KeyValue(
    "SECRET",
    (
        "api_key", "apikey", "api-key", "api key", "api_token", "api token", "api secret", "api_secret",
        "secret_key", "secret key", "secretkey", "secret-key", "client_secret", "client secret",
        "clientsecret", "client-secret", "access_token", "access token", "accesstoken", "access-token",
        "access_key", "access key", "accesskey", "auth_token", "auth token", "authtoken", "auth-token",
        "refresh_token", "refresh token", "private_token", "private token", "private_key", "session_token",
        "id_token", "bot_token", "bot token", "token", "secret", "accountkey", "account key",
        "sharedaccesskey", "secret_access_key", "encryption_key", "encryption key", "signing_key",
        "webhook_secret", "license key", "subscription-key", "sessionid", "session_id=", "clé api",
        "clé secrète", "cle api", "jeton", "api-schlüssel", "schlüssel", "zugangstoken", "clave api",
        "clave de api", "clave secreta", "chave api", "chave de api", "chave secreta", "chiave api",
        "chiave segreta", "klucz api", "klucz", "api-sleutel", "sleutel", "api-nyckel", "nyckel",
        "api anahtarı", "anahtar", "ключ api", "api ключ", "api-ключ", "ключ", "токен", "密钥", "密鑰",
        "令牌", "apiキー", "api キー", "トークン", "シークレット", "秘密鍵", "api 키", "api키", "토큰",
        "시크릿", "مفتاح", "الرمز", "टोकन", "कुंजी", "מפתח",
    ),
    rank=PROVEN + 12,
    fair=_random,
    strong=lambda value: _random(value) and len(value) >= 12,
)  # fmt: skip
