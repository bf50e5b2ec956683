"""Social security numbers of the United States: no check digit, but areas that were never given."""

from .base import Number
from .checks import all_same
from .view import words


def _valid(digits: str) -> bool:
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return (
        area not in ("000", "666")
        and area < "900"
        and group != "00"
        and serial != "0000"
        and not all_same(digits)
    )


RECOGNIZER = Number(
    kind="US_SSN",
    valid=_valid,
    plain=("3-2-4",),
    loose=("9",),
    context=words(
        any="ssn*, *ssn",
        en="social security*, social sec*, tax id*, taxpayer",
        es="seguro social, número de seguridad social",
        fr="sécurité sociale",
        de="sozialversicherungsnummer*",
        zh="社会安全号, 社會安全號, 社保号",
        ja="社会保障番号",
        ko="사회보장번호",
        ru="социального страхования",
        pt="seguro social, segurança social",
        hi="सामाजिक सुरक्षा",
        ar="الضمان الاجتماعي",
    ),
)
