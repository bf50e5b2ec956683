# ruff: noqa: E501
"""Masking: what a caller may rely on."""

import re

import pytest

from zerda.memory.errors import ConfigError
from zerda.memory.security.masking import SensitiveDataMasker, unmask

MASKER = SensitiveDataMasker()
CARD = "4111 1111 1111 1111"


def test_a_value_gives_way_to_a_numbered_placeholder_and_is_counted() -> None:
    assert MASKER.mask(f"card {CARD}, mail a@example.com") == (
        "card [CREDIT_CARD_1], mail [EMAIL_1]",
        {"CREDIT_CARD": 1, "EMAIL": 1},
    )


def test_the_same_value_keeps_its_number_and_another_gets_the_next() -> None:
    text, counts = MASKER.mask("a@example.com, b@example.com, A@example.com")
    assert text == "[EMAIL_1], [EMAIL_2], [EMAIL_1]"
    assert counts == {"EMAIL": 3}


def test_a_text_without_findings_comes_back_as_the_same_object() -> None:
    text = "nothing to see ".strip() + " here"
    assert MASKER.mask(text)[0] is text
    assert not MASKER.has_sensitive_data(text)


@pytest.mark.parametrize("text", ["", " ", "\x00", "[", "[EMAIL_1]", "\ud800", "\uffff", "\u200b"])
def test_odd_texts_are_left_alone(text: str) -> None:
    assert MASKER.mask(text) == (text, {})


def test_placeholders_in_the_text_keep_their_numbers() -> None:
    assert MASKER.mask("[EMAIL_1] wrote to a@example.com")[0] == "[EMAIL_1] wrote to [EMAIL_2]"


def test_placeholders_are_not_masked_again_even_as_values() -> None:
    text = "password: [PASSWORD_1], https://bob:[SECRET_2]@example.com"
    assert MASKER.mask(text) == (text, {})


def test_a_key_that_surrounds_a_placeholder_goes_and_the_placeholder_stays() -> None:
    word = "PRIVATE" + " KEY"
    text = f"-----BEGIN {word}-----\nabc [EMAIL_3] def\n-----END {word}-----"
    masked, counts = MASKER.mask(text)
    assert masked == "[PRIVATE_KEY_1] [EMAIL_3] [PRIVATE_KEY_2]"
    assert counts == {"PRIVATE_KEY": 2}
    assert MASKER.mask(masked) == (masked, {})


def test_findings_tell_where_and_what_but_never_the_value() -> None:
    text = f"😀 card {CARD}!"
    (found,) = MASKER.find(text)
    assert text[found.start : found.end] == CARD
    assert (found.kind, found.group) == ("CREDIT_CARD", "personal")
    assert "4111" not in repr(found)


@pytest.mark.parametrize(
    "written",
    [
        "４１１１ １１１１ １１１１ １１１１",
        "4111\u00a01111\u00a01111\u00a01111",
        "4111\u20131111\u20131111\u20131111",
        "41\u200b11 1111 11\u206011 1111",
        "٤١١١ ١١١١ ١١١١ ١١١١",
        "4111_1111_1111_1111",
        "4\ufe0f\u20e31\ufe0f\u20e311 1111 1111 1111",
    ],
)
def test_disguises_do_not_hide_a_value(written: str) -> None:
    assert MASKER.mask(f"card {written}.")[0] == "card [CREDIT_CARD_1]."


@pytest.mark.parametrize(
    ("left", "right"), [("卡号", "有效"), ("_", "_"), ("💳", "💳"), ("карта", "прошла"), ("بطاقة", "انتهت")]
)
def test_letters_of_any_script_may_touch_the_value(left: str, right: str) -> None:
    assert MASKER.mask(f"{left}4111111111111111{right}")[0] == f"{left}[CREDIT_CARD_1]{right}"


def test_secrets_and_personal_data_can_be_chosen() -> None:
    text = "a@example.com, password: hunter2!"
    assert SensitiveDataMasker(secrets=False).mask(text)[1] == {"EMAIL": 1}
    assert SensitiveDataMasker(personal=False).mask(text)[1] == {"PASSWORD": 1}
    assert SensitiveDataMasker(secrets=False, personal=False).mask(text) == (text, {})


def test_kinds_narrow_the_search() -> None:
    assert SensitiveDataMasker(kinds={"EMAIL"}).mask(f"a@example.com {CARD}")[0] == f"[EMAIL_1] {CARD}"


def test_an_unknown_kind_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'MAIL'; known are .*EMAIL"):
        SensitiveDataMasker(kinds={"MAIL"})


def test_allowed_values_stay() -> None:
    allow = ["Support@example.com", "4111-1111-1111-1111", re.compile(r".*@our\.example")]
    masker = SensitiveDataMasker(allow=iter(allow))
    text = f"support@example.com, {CARD}, x@our.example"
    assert masker.mask(text) == (text, {})
    assert masker.mask("help@example.com")[0] == "[EMAIL_1]"


def test_custom_kinds_join_in() -> None:
    masker = SensitiveDataMasker(custom={"CUSTOMER_NO": r"\bC-[0-9]{6}\b"})
    assert masker.mask("for C-123456 and C-123456") == (
        "for [CUSTOMER_NO_1] and [CUSTOMER_NO_1]",
        {"CUSTOMER_NO": 2},
    )


def test_a_custom_label_must_be_able_to_be_a_placeholder() -> None:
    with pytest.raises(ConfigError, match="customer no"):
        SensitiveDataMasker(custom={"customer no": "x"})


def test_languages_narrow_the_words_that_speak_for_a_value() -> None:
    text = "geboren 12.03.1985"
    assert SensitiveDataMasker(languages={"de"}).has_sensitive_data(text)
    assert not SensitiveDataMasker(languages={"fr"}).has_sensitive_data(text)


def test_a_mapping_is_masked_at_any_depth_with_one_numbering() -> None:
    value = {
        "input": "a@example.com",
        "output": ["b@example.com", ("a@example.com", None, True, 1.5)],
        "n": 7,
    }
    masked, counts = MASKER.mask_value(value)
    assert masked == {"input": "[EMAIL_1]", "output": ["[EMAIL_2]", ("[EMAIL_1]", None, True, 1.5)], "n": 7}
    assert counts == {"EMAIL": 3}
    assert MASKER.mask_entry_content(masked) == (masked, {})


def test_keys_are_masked_and_speak_for_their_values() -> None:
    value = {
        "a@example.com": 1,
        "ssn": "078051120",
        "password": "correct horse",
        "phone": 4155552671,
        "order": "078051120",
    }
    assert MASKER.mask_value(value)[0] == {
        "[EMAIL_1]": 1,
        "ssn": "[US_SSN_1]",
        "password": "[PASSWORD_1]",
        "phone": "[PHONE_1]",
        "order": "078051120",
    }


def test_a_mapping_is_not_changed_in_place() -> None:
    value = {"mail": ["a@example.com"]}
    MASKER.mask_value(value)
    assert value == {"mail": ["a@example.com"]}


def test_a_vault_leads_back() -> None:
    vault: dict[str, str] = {}
    text = f"a@example.com paid with {CARD}, a@example.com again"
    masked, _ = MASKER.mask(text, vault=vault)
    assert vault == {"[EMAIL_1]": "a@example.com", "[CREDIT_CARD_1]": CARD}
    assert unmask(masked, vault) == text


def test_a_value_in_a_vault_that_looks_like_a_placeholder_is_not_expanded_again() -> None:
    assert unmask("[A_B_1] [A_B_2]", {"[A_B_1]": "[A_B_2]", "[A_B_2]": "x"}) == "[A_B_2] x"


def test_the_surer_of_two_overlapping_kinds_wins() -> None:
    text, counts = MASKER.mask("see https://bob:s3cret99@example.com/x now")
    assert (text, counts) == ("see [URL_WITH_AUTH_1] now", {"URL_WITH_AUTH": 1})


def test_a_word_speaks_for_a_whole_list_of_numbers() -> None:
    assert MASKER.mask("Phones: 5551234567, 5559876543 5551112223 5554445556")[1] == {"PHONE": 4}


def test_no_word_reaches_across_a_placeholder() -> None:
    """Else each masked value would bring the word nearer to the next number, and one look would not do."""
    text = "phone [EMAIL_1] 5551234567"
    assert MASKER.mask(text) == (text, {})
    assert MASKER.mask("phone 5551234567 a@example.com")[1] == {"PHONE": 1, "EMAIL": 1}


def test_a_word_that_makes_a_number_harmless_protects_it() -> None:
    text = "card game, order 4111111111111111"
    assert MASKER.mask(text) == (text, {})


# Each of these takes hours if any part of masking reads a text once per character.
EXPLOSIVE = [
    "a", "1", "1 ", "4444 ", "@", "a@", "a@b.", "eyJ", "eyJhbGciOi.", "password=", "password is ", "secret token ", "sk-",
    "-----BEGIN PRIVATE" + " KEY-----", "http://a:", "://", "a://b:@", "[A_", "(12) 3", "+1", "f:", "DE89 ", "born ",
    "phone 5551234567 ", "cpf 12345678901 ", "5551234567 a@b.co ", "1\u200b", "пароль ", "A1 ", "bearer a1",
]  # fmt: skip


@pytest.mark.parametrize("piece", EXPLOSIVE)
def test_a_long_text_of_one_piece_is_masked_and_stays_masked(piece: str) -> None:
    masked, _ = MASKER.mask(piece * (100_000 // len(piece)))
    assert MASKER.mask(masked) == (masked, {})


def test_a_text_in_pieces_is_masked_as_one_and_keeps_its_line_ends() -> None:
    counts: dict[str, int] = {}
    pieces = ["mail an", "na@exam", "ple.com\r\n", "and again anna@example.com"]
    assert "".join(MASKER.mask_pieces(pieces, counts)) == "mail [EMAIL_1]\r\nand again [EMAIL_1]"
    assert counts == {"EMAIL": 2}


@pytest.mark.parametrize("gap", ["\n\n", "\n", " "])
def test_a_word_speaks_for_a_value_across_blocks(gap: str) -> None:
    text = ("lorem ipsum" + gap) * 6_000 + "card number" + gap + "4111111111111111" + gap + "done"
    for size in range(len(text) - 40, len(text), 3):
        assert "4111" not in "".join(MASKER.mask_pieces([text[:size], text[size:]]))
