# ruff: noqa: E501
"""Texts as a stranger would write them: chats, logs, configurations, tables, invoices. To measure masking on.

They share no template with the other two sets, and were finished before their first figures were seen.
Values come from the makers of `masking_texts` with seeds of their own, and from those below.
"""

import base64
import random
from collections.abc import Callable

from masking_texts import DISGUISES, MAKERS, Case

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIXED = _LETTERS + _LETTERS.upper() + "0123456789"
_HEX = "0123456789abcdef"
SEED = 20_261_201

Maker = Callable[[random.Random], str]


def _pick(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choices(alphabet, k=size))


def _mixed(size: int) -> Maker:
    return lambda rng: _pick(rng, _MIXED, size - 3) + rng.choice(["7aQ", "x3K", "R9d", "4Zf"])


def _vendor(rng: random.Random) -> str:
    """Keys of vendors that the other sets leave out, put together so that no line here is one."""
    makers: list[Maker] = [
        lambda r: "xa" + "i-" + _pick(r, _MIXED, 80),
        lambda r: "ppl" + "x-" + _pick(r, _HEX, 48),
        lambda r: "dop" + "_v1_" + _pick(r, _HEX, 64),
        lambda r: "sb" + "p_" + _pick(r, _HEX, 40),
        lambda r: "PM" + "AK-" + _pick(r, _HEX, 24) + "-" + _pick(r, _HEX, 34),
        lambda r: "shp" + "at_" + _pick(r, _HEX, 32),
        lambda r: "nt" + "n_" + _pick(r, _MIXED, 46),
        lambda r: "lin" + "_api_" + _pick(r, _MIXED, 40),
        lambda r: "sntr" + "ys_" + _pick(r, _MIXED, 64),
        lambda r: "gl" + "sa_" + _pick(r, _MIXED, 32) + "_" + _pick(r, _HEX, 8),
        lambda r: "pa" + "t" + _pick(r, _MIXED, 14) + "." + _pick(r, _HEX, 64),
        lambda r: "sl" + ".B" + _pick(r, _MIXED + "-_", 130),
        lambda r: "ts" + "key-auth-" + _pick(r, _MIXED, 12) + "-" + _pick(r, _MIXED, 32),
        lambda r: "AS" + "IA" + _pick(r, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16),
        lambda r: "GOCS" + "PX-" + _pick(r, _MIXED + "-_", 28),
        lambda r: "xa" + "pp-1-A" + _pick(r, "0123456789ABCDEF", 10) + "-" + _pick(r, "0123456789", 13) + "-" + _pick(r, _HEX, 64),
        lambda r: "rk" + "_live_" + _pick(r, _MIXED, 24),
        lambda r: "xkey" + "sib-" + _pick(r, _HEX, 64) + "-" + _pick(r, _MIXED, 16),
        lambda r: "pcs" + "k_" + _pick(r, _MIXED, 60),
        lambda r: "tvl" + "y-" + _pick(r, _MIXED, 32),
    ]  # fmt: skip
    return rng.choice(makers)(rng)


def _phrase(rng: random.Random) -> str:
    """A password as people make it."""
    word = rng.choice(["Sommer", "tiger", "Lisboa", "rocket", "Kaffee", "dragon", "Sakura", "monkey"])
    return (
        word
        + rng.choice(["", "_", "-", "."])
        + str(rng.randint(10, 2099))
        + rng.choice(["!", "?", "#", "$x", "%", ""])
    )


def _basic(rng: random.Random) -> str:
    return base64.b64encode(f"svc:{_pick(rng, _MIXED, 14)}9".encode()).decode()


def _pgp(rng: random.Random) -> str:
    lines = "\n".join(base64.b64encode(rng.randbytes(48)).decode() for _ in range(4))
    word = "PGP PRIVATE" + " KEY BLOCK"
    return f"-----BEGIN {word}-----\n\n{lines}\n=aB3d\n-----END {word}-----"


OWN: dict[str, tuple[str, Maker]] = {
    "vendor": ("API_KEY", _vendor), "phrase": ("PASSWORD", _phrase), "basic": ("BEARER_TOKEN", _basic),
    "hexkey": ("SECRET", lambda r: _pick(r, _HEX, 30) + "7b"), "key40": ("SECRET", _mixed(40)),
    "key24": ("SECRET", _mixed(24)), "opaque": ("BEARER_TOKEN", _mixed(36)), "pgp": ("PRIVATE_KEY", _pgp),
    "b64key": ("SECRET", lambda r: base64.b64encode(r.randbytes(64)).decode()),
}  # fmt: skip

VALUES: list[tuple[str, str]] = [
    # chats
    ("en", "<mira> lol ok dm me @ {email} or text {phone_world}\n<jon> k"),
    ("en", "[12:04] Sam: my new number's {phone_world} 🎉 old one is dead"),
    ("de", "Hi Jürgen, meine neue Handynummer: {phone_home}. Grüße, Käthe"),
    ("de", "Überweise bitte auf {iban} (Müller GmbH), danke schön"),
    ("fr", "coucou ! voilà mon tel {phone_home} et mon mail {email} à +"),
    ("fr", "Mon n° de sécu est le {nir}, né le {born}"),
    ("ja", "佐藤様、ご連絡先は{phone_home}、メールは{email}でお間違いないでしょうか。"),
    ("ja", "パスワード：{phrase}（社外秘）"),
    ("ko", "제 번호는 {phone_home} 이고 메일은 {email} 입니다"),
    ("zh", "微信转账失败，请打到卡号{card}，身份证{resident_id}"),
    ("es", "pásame el bizum al {phone_world} o por correo a {email}, porfa"),
    ("it", "il codice fiscale di mia madre è {codice_fiscale}, scrivile a {email}"),
    ("pt", "meu CPF é {cpf} e o cartão é {card}, pode cobrar"),
    ("pl", "PESEL: {pesel}, numer konta {iban}"),
    ("nl", "Mijn BSN is {bsn}; mail naar {email} graag"),
    ("sv", "Mitt personnummer är {personnummer} och kortet {card}"),
    ("tr", "TC kimlik no {tckn}, IBAN {iban}"),
    ("ru", "СНИЛС {snils}, почта {email}, карта {card}"),
    ("ar", "بريدي {email} ورقم البطاقة {card}"),
    ("hi", "मेरा आधार {aadhaar} है और ईमेल {email}"),
    ("cs", "Napište mi na {email} nebo volejte {phone_world}."),
    ("fi", "Sähköpostini on {email}, puh. {phone_world}"),
    ("el", "Το email μου είναι {email} και το IBAN {iban}"),
    ("uk", "Моя пошта {email}, дата народження {born}"),
    ("vi", "Email của tôi: {email}, số điện thoại: {phone_world}"),
    ("id", "Email saya {email}, kartu {card}"),
    ("th", "อีเมล {email} โทร {phone_world}"),
    ("he", "הכרטיס שלי {card} והמייל {email}"),
    # logs
    ("en", "2026-11-30T08:14:22Z WARN auth: login failed user={email} ip={ip} attempt=3"),
    ("en", '{ip} - - [30/Nov/2026:08:14:22 +0000] "GET /v1/me?access_token={key40} HTTP/1.1" 200 512'),
    ("en", "Nov 30 08:14:22 gw dhcpd: DHCPACK to {mac} via eth0"),
    ("en", "DEBUG http.client: send: b'Authorization: Bearer {opaque}\\r\\n'"),
    ("en", "ERROR: could not connect: {url}"),
    ("en", "level=info msg=\"token refreshed\" refresh_token={key40} ttl=3600"),
    ("en", "curl -H 'Authorization: Basic {basic}' https://api.example.com/v2/items"),
    ("en", "kafka: SASL jaas config username=\"svc\" password=\"{phrase}\";"),
    # configurations
    ("en", "DATABASE_URL={url}\nREDIS_TTL=300\n"),
    ("en", "[default]\naws_access_key_id = {api_key}\naws_secret_access_key = {key40}\nregion = eu-west-1"),
    ("en", "OPENAI_KEY={vendor}\nDEBUG=false"),
    ("en", "export DATADOG_API_KEY={hexkey}"),
    ("en", "//registry.npmjs.org/:_authToken={key40}"),
    ("en", "machine git.example.com login ci password {phrase}"),
    ("en", "spring.datasource.password={phrase}\nspring.jpa.show-sql=true"),
    ("en", "Server=db01;Database=crm;User Id=app;Password={phrase};Encrypt=True"),
    ("en", "jdbc:postgresql://db/crm?user=app&password={phrase}&ssl=true"),
    ("en", "smtp:\n  host: mail.example.com\n  user: robot\n  pass: {phrase}\n"),
    ("en", "DefaultEndpointsProtocol=https;AccountName=files;AccountKey={b64key};EndpointSuffix=core.example.net"),
    ("en", "variable \"db_password\" {\n  default = \"{phrase}\"\n}".replace("{\n  d", "<\n  d").replace("\n}", "\n>")),
    ("en", "- name: SLACK_TOKEN\n  value: {vendor}"),
    ("en", "MAPS_TOKEN: '{vendor}'"),
    # code
    ("en", "client = Client(api_key=\"{vendor}\", timeout=30)"),
    ("en", "define('DB_PASSWORD', '{phrase}');"),
    ("en", "const admin = '{email}'; // TODO remove"),
    ("en", "conn = psycopg.connect(host='db', user='app', password='{phrase}')"),
    ("en", "headers[\"X-Api-Key\"] = \"{key24}\""),
    ("en", "git clone {url}"),
    ("en", "mysql -u root --password={phrase} crm < dump.sql"),
    ("en", "jwt.decode('{jwt}', verify=False)"),
    ("en", "# here is the key\n{private_key}\n# end"),
    ("en", "gpg --import <<EOF\n{pgp}\nEOF"),
    # tables and documents
    ("en", "name,email,phone\nLee,{email},{phone_world}\nKim,{email},{phone_world}"),
    ("de", "Vorname;Geburtsdatum;IBAN\nJörg;{born};{iban}"),
    ("en", "| customer | card |\n|---|---|\n| 17 | {card} |"),
    ("en", "id\tssn\tstate\n1\t{ssn}\tTX"),
    ("fr", "prénom;courriel;téléphone\nZoé;{email};{phone_home}"),
    ("de", "Rechnung 2026-1187\nZahlbar auf IBAN {iban}, Steuer-ID {steuer_id}"),
    ("es", "Factura nº 88-2026. Titular con DNI {dni}, cuenta {iban}"),
    ("en", "Invoice INV-20417\nBill to: {email}\nCard on file: {card}"),
    ("en", "From: Lena <{email}>\nTo: {email}\nSubject: Re: Re: budget"),
    ("en", "Passenger passport no: {passport}, DOB {born}"),
    ("en", "NI number {nino}; tel. {phone_world}"),
    ("es", "CURP: {curp} correo: {email}"),
    ("ko", "주민등록번호 {rrn} 확인 부탁드립니다"),
    ("en", "donations welcome at {wallet} thanks"),
    ("en", "<input name=\"email\" value=\"{email}\"><input type=\"password\" value=\"x\">"),
    ("en", "<user><mail>{email}</mail><phone>{phone_world}</phone></user>"),
    ("en", "contact:{email}|backup:{email}|desk:{phone_world}"),
    ("en", "BEGIN:VCARD\nTEL;TYPE=cell:{phone_world}\nEMAIL:{email}\nEND:VCARD"),
    # passwords and keys as people tell them
    ("en", "the wifi here is Guest-5G and the password is {phrase}"),
    ("en", "login with demo / pw: {phrase}"),
    ("de", "Das Kennwort lautet {phrase}, bitte nicht weitergeben"),
    ("fr", "le mot de passe du wifi : {phrase}"),
    ("es", "la contraseña es {phrase} y caduca mañana"),
    ("it", "la password del router è {phrase}"),
    ("pt", "a senha nova é {phrase}"),
    ("ru", "пароль от почты: {phrase}"),
    ("zh", "登录密码是{phrase}，别告诉别人"),
    ("ko", "비밀번호는 {phrase} 입니다"),
    ("nl", "wachtwoord: {phrase}"),
    ("pl", "hasło do wifi: {phrase}"),
    ("tr", "şifre: {phrase}"),
    ("en", "rotate {vendor} please, it leaked in the channel"),
    ("ja", "APIキー: {vendor} を使ってください"),
    ("de", "Unser Zugangstoken: {key40}"),
]  # fmt: skip

NEGATIVES: list[tuple[str, str]] = [
    ("en", "Upgrade to 10.4.2.1-rc3 before Friday; 10.4.1 is broken."),
    ("en", "Parcel 1Z999AA10123456784 left the depot at 14:05"),
    ("en", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8"),
    ("en", "The password must contain at least 8 characters."),
    ("en", "I forgot my password again, can you reset it?"),
    ("en", "password: ********"),
    ("en", "DB_PASSWORD=${DB_PASSWORD}"),
    ("en", "api_key = os.environ['API_KEY']"),
    ("en", "token = request.headers.get('X-Token')"),
    ("en", "def reset_password(user, password: str) -> None: ..."),
    ("en", "SELECT id, password_hash FROM users WHERE id = 1234567"),
    ("en", "Order 4008-2231-9987 ships on 2026-12-04"),
    ("en", "The population was 83,149,300 in 2019 and 84,669,326 in 2023."),
    ("en", "ISBN 978-3-16-148410-0, 3rd edition"),
    ("en", "lat 52.520008, lon 13.404954"),
    ("en", "Unix time 1764576000 is today; 1764662400 is tomorrow."),
    ("en", "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7"),
    ("en", "uuid: 3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
    ("en", "Total: $12,345,678.90 (net 10,374,519.24)"),
    ("en", "see RFC 7231 section 6.5.1 and figure 12-4"),
    ("en", "listen 127.0.0.1:8080 and [::1]:8080"),
    ("en", "@mira thanks! ping @jon too"),
    ("en", "import { x } from '@scope/pkg@1.2.3'".replace("{ x }", "x")),
    ("en", "scp file.txt backup:/srv/2026-11-30/"),
    ("en", "chapter 12, pages 1034-1077"),
    ("en", "Flight LH 1234 on 04/12/2026 seat 12A"),
    ("en", "score 3-2-1 4-5-6 7-8-9"),
    ("en", "model HP-4500-22, serial 00-11-2233"),
    ("en", "The secret to good bread is time."),
    ("en", "a token of my appreciation, worth 1000000 smiles"),
    ("en", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    ("en", "#1234567 closes #7654321"),
    ("en", "0x7ffee4b2a9c0 in main () at a.c:1234"),
    ("en", "1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377"),
    ("en", "Born in the USA came out in 1984."),
    ("en", "call me maybe, 100 times"),
    ("de", "Artikelnummer 4006381333931, Menge 12"),
    ("de", "Aktenzeichen 12 O 345/26, Termin am 14.01.2027"),
    ("de", "Das Passwort ist zu kurz."),
    ("de", "Umsatz 2025: 1.234.567,89 Euro"),
    ("de", "Kundennummer 10023894"),
    ("fr", "Commande 20261130-0042 expédiée"),
    ("fr", "mot de passe oublié ?"),
    ("fr", "la superficie est de 551 695 km² environ"),
    ("es", "pedido 8812-4432 del 3 de diciembre"),
    ("es", "la contraseña es incorrecta"),
    ("it", "ordine n. 2026/004512 del 30/11/2026"),
    ("pt", "nota fiscal 000.123.456 série 1"),
    ("ja", "注文番号 250-1234567-1234567 を確認"),
    ("ja", "パスワードを忘れた方はこちら"),
    ("ja", "令和8年12月1日 10時30分"),
    ("zh", "订单号 202611300012345678 已发货"),
    ("zh", "密码错误，请重试"),
    ("ko", "주문번호 20261130-1234567"),
    ("ru", "заказ № 1234-5678-90 доставлен"),
    ("ru", "пароль неверный"),
    ("pl", "faktura FV/2026/11/00123"),
    ("nl", "bestelnummer 3012345678"),
    ("tr", "sipariş no: 1029384756"),
    ("en", "GET /static/app.4f3c2a1b.js HTTP/1.1 304"),
    ("en", "{\"id\": 1029384756, \"qty\": 2, \"price\": 1999}".replace("{", "<").replace("}", ">")),
    ("en", "MemTotal: 16309876 kB MemFree: 1234567 kB"),
    ("en", "Reynolds number 3.0e5, viscosity 1.81e-5"),
    ("en", "room 4.12.033, extension on the wall"),
    ("en", "expires 2027-01-31, issued 2026-01-31"),
    ("en", "gene BRCA1 NM_007294.4:c.5266dupC"),
    ("en", "EUR 250.000,00 on 31-12-2026"),
    ("en", "pip install package==2026.11.30.1"),
    ("en", "node_modules/.pnpm/@types+node@20.11.5/"),
    ("en", "ssh://git.example.com:2222/team/repo.git"),
    ("en", "https://example.com/2026/11/30/12345678/article.html?page=2"),
    ("en", "1234-5678 is the build, 8765-4321 the batch"),
    ("en", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"),
    ("en", "tokens used: 12345678, tokens left: 87654321"),
    ("en", "The key is to listen; the access key on the keyboard is Alt."),
]  # fmt: skip

_DISGUISED = ("EMAIL", "PHONE", "CREDIT_CARD", "IBAN")


def build(*, seed: int = SEED, rounds: int = 3) -> list[Case]:
    """Every template ``rounds`` times with new values, every fourth in a disguise; then the hard negatives."""
    rng = random.Random(seed)
    cases = [
        _filled(language, template, rng, at % 4 == 3)
        for turn in range(rounds)
        for at, (language, template) in enumerate(VALUES, turn)
    ]
    return cases + [Case(text, language) for language, text in NEGATIVES]


def _filled(language: str, template: str, rng: random.Random, disguised: bool) -> Case:
    parts: list[str] = []
    spans: list[tuple[int, int, str]] = []
    length = 0
    disguise = (
        rng.choice(("zero width", "full width", "other blanks", "long dashes")) if disguised else "plain"
    )
    for piece in template.replace("}", "{").split("{"):
        kind, maker = OWN.get(piece) or MAKERS.get(piece) or ("", None)
        text = maker(rng) if maker else piece
        if kind in _DISGUISED:
            text = DISGUISES[disguise](text)
        if kind:
            spans.append((length, length + len(text), kind))
        parts.append(text)
        length += len(text)
    return Case("".join(parts), language, tuple(spans), disguise)
