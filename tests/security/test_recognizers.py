# ruff: noqa: E501
"""Each kind finds the numbers that its authority publishes as examples, and not the same with a wrong digit."""

import pytest
from masking_texts import MAKERS

from zerda.memory.security.masking import SensitiveDataMasker

MASKER = SensitiveDataMasker()

# Samples from the authorities' own papers or, where those show none, from the standard's worked example.
PUBLISHED = [
    ("CREDIT_CARD", "378282246310005"), ("CREDIT_CARD", "5555 5555 5555 4444"), ("CREDIT_CARD", "6011-1111-1111-1117"),
    ("IBAN", "DE89 3704 0044 0532 0130 00"), ("IBAN", "GB29NWBK60161331926819"), ("IBAN", "FR1420041010050500013M02606"),
    ("IBAN", "NO93 8601 1117 947"), ("IBAN", "MT84MALT011000012345MTLCAST001S"),
    ("CRYPTO_WALLET", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"), ("CRYPTO_WALLET", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("CRYPTO_WALLET", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"),
    ("DE_TAX_ID", "Steuer-ID 86095742719"), ("FR_NIR", "NIR 255081416802538"), ("ES_DNI", "DNI 12345678Z"),
    ("ES_DNI", "NIE X1234567L"), ("IT_FISCAL_CODE", "RSSMRA85T10A562S"), ("NL_BSN", "BSN 111222333"),
    ("PT_NIF", "NIF 123456789"), ("BR_CPF", "529.982.247-25"), ("BR_CNPJ", "11.222.333/0001-81"),
    ("PL_PESEL", "PESEL 44051401359"), ("SE_PERSONNUMMER", "personnummer 811228-9874"), ("IN_AADHAAR", "Aadhaar 2341 2341 2346"),
    ("IN_PAN", "PAN ABCPE1234F"), ("CN_RESIDENT_ID", "11010519491231002X"), ("JP_MY_NUMBER", "マイナンバー 123456789018"),
    ("RU_SNILS", "112-233-445 95"), ("RU_INN", "ИНН 7707083893"), ("RU_INN", "ИНН 500100732259"), ("TR_TCKN", "TC kimlik 10000000146"),
    ("CA_SIN", "SIN 130 692 544"), ("AU_TFN", "TFN 123 456 782"), ("BE_NRN", "85.07.30-033.28"), ("CH_AHV", "756.9217.0769.85"),
    ("CL_RUT", "30.686.957-4"), ("AR_CUIT", "20-05536168-2"), ("FI_HETU", "131052-308T"), ("SG_NRIC", "S1234567D"),
    ("UK_NHS", "NHS 943 476 5919"), ("UK_NINO", "NI number AB 12 34 56 C"), ("US_SSN", "SSN 078-05-1120"),
    ("ZA_ID", "ID number 8001015009087"), ("KR_RRN", "주민등록번호 820701-2409184"), ("DK_CPR", "CPR 070761-4285"),
    ("NO_FNR", "fødselsnummer 15108695088"), ("IL_ID", "תעודת זהות 039337423"), ("MX_CURP", "HEGG560427MVZRRL04"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "written"), PUBLISHED)
def test_a_published_example_is_found(kind: str, written: str) -> None:
    assert [each.kind for each in MASKER.find(written)] == [kind]


CHECKED = sorted(
    {kind for kind, _ in PUBLISHED} - {"US_SSN", "UK_NINO", "KR_RRN", "DK_CPR", "IN_PAN", "CRYPTO_WALLET"}
)


@pytest.mark.parametrize("kind", CHECKED)
def test_a_wrong_check_digit_is_not_this_kind(kind: str) -> None:
    """Every other last character: at most one in ten may pass, as one in ten is right by chance."""
    written = next(written for each, written in PUBLISHED if each == kind)
    alphabet = "0123456789" if written[-1].isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    others = [written[:-1] + last for last in alphabet if last != written[-1]]
    passed = sum(kind in {each.kind for each in MASKER.find(other)} for other in others)
    assert passed <= 1


def test_every_kind_is_available_and_documented_by_its_name() -> None:
    assert {kind for kind, _ in PUBLISHED} | {
        kind for kind, _ in MAKERS.values()
    } <= SensitiveDataMasker.available()


PARTS = [
    ("API_KEY", "AK" + "IAIOSFODNN7EXAMPLE"),
    ("API_KEY", "sk" + "-ant-api03-" + "aB3" * 20),
    ("API_KEY", "gh" + "p_" + "aB3x" * 9),
    ("API_KEY", "123456789" + ":" + "AAH" + "dqTcvCH1vGWJxfSeofSAs0K5PALDsawX"),
    ("BEARER_TOKEN", "Authorization: Bearer " + "mF_9.B5f-4.1JqM"),
    ("SECRET", "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"),
    ("PASSWORD", "mysql --password=" + "s3cr3t! shop"),
    ("URL_WITH_AUTH", "postgresql://app:" + "p%40ss1@db.example.com/x"),
]


@pytest.mark.parametrize(("kind", "text"), PARTS)
def test_a_secret_is_found(kind: str, text: str) -> None:
    assert [each.kind for each in MASKER.find(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Ivan @ work",
        "a@b",
        "x@2x.png",
        "git@github.com:org/repo",
        "bob@",
        "@bob",
        "v1.2@beta.3",
        "@dataclass(frozen=True)",
    ],
)
def test_what_is_no_address_stays(text: str) -> None:
    assert MASKER.find(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "bob@example.com",
        "bob @ example.com",
        "bob (at) example (dot) com",
        "bob[at]example.com",
        "иван@почта.рф",
        "müller@bücher.example",
    ],
)
def test_ways_to_write_an_address(text: str) -> None:
    assert MASKER.mask(text)[0] == "[EMAIL_1]"
