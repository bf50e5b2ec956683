"""Passwords behind their name, in the languages that people write them down in."""

from .base import PROVEN
from .key_value import KeyValue


def _fair(value: str) -> bool:
    return len(value) >= 4 and not value.startswith(("//", "/*"))


def _strong(value: str) -> bool:
    """No word of a sentence: a digit or a sign in it, and something else."""
    odd = sum(not char.isalpha() for char in value.rstrip("!?"))
    return len(value) >= 5 and odd >= 1 and any(map(str.isalpha, value)) and not value.startswith("/")


RECOGNIZER = KeyValue(
    "PASSWORD",
    (
        "password", "passwd", "passphrase", "passcode", "pwd", "_pass", "passwort", "kennwort",
        "mot de passe", "motdepasse", "mdp", "contraseña", "contrasena", "clave", "senha", "palavra-passe",
        "wachtwoord", "hasło", "haslo", "пароль", "пароля", "heslo", "parola", "şifre", "sifre", "lösenord",
        "losenord", "salasana", "kodeord", "adgangskode", "passord", "jelszó", "κωδικός", "lozinka",
        "slaptažodis", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "كلمة المرور",
        "كلمة السر", "رمز عبور", "पासवर्ड", "סיסמה", "סיסמא", "รหัสผ่าน", "mật khẩu", "kata sandi",
        "পাসওয়ার্ড", "கடவுச்சொல்",
    ),
    rank=PROVEN + 11,
    fair=_fair,
    strong=_strong,
    short_names=("pass", "pw", "psw", "pswd", "pin", "mp", "парол", "pasahitza"),
)  # fmt: skip
