"""What can be masked: one kind a file, each with a ``RECOGNIZER``.

To add a kind, add a file and its name to ``_FILES``. Rank, not order, decides between overlapping hits.
"""

from importlib import import_module

from .base import Finder, Number

_FILES = (
    # secrets
    "api_key",
    "bearer_token",
    "jwt",
    "password",
    "private_key",
    "secret",
    "url_with_auth",
    # ways to reach somebody, money, machines
    "credit_card",
    "crypto_wallet",
    "email",
    "iban",
    "ip_address",
    "mac_address",
    "phone",
    # papers
    "date_of_birth",
    "passport",
    "ar_cuit",
    "au_tfn",
    "be_nrn",
    "br_cnpj",
    "br_cpf",
    "ca_sin",
    "ch_ahv",
    "cl_rut",
    "cn_resident_id",
    "de_tax_id",
    "dk_cpr",
    "es_dni",
    "fi_hetu",
    "fr_nir",
    "il_id",
    "in_aadhaar",
    "in_pan",
    "it_fiscal_code",
    "jp_my_number",
    "kr_rrn",
    "mx_curp",
    "nl_bsn",
    "no_fnr",
    "pl_pesel",
    "pt_nif",
    "ru_inn",
    "ru_snils",
    "se_personnummer",
    "sg_nric",
    "tr_tckn",
    "uk_nhs",
    "uk_nino",
    "us_ssn",
    "za_id",
)


def _load(name: str) -> Finder | Number:
    recognizer: Finder | Number = import_module(f"{__name__}.{name}").RECOGNIZER
    return recognizer


RECOGNIZERS = tuple(map(_load, _FILES))
