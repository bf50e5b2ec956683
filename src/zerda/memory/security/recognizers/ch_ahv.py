"""Swiss social security numbers (AHV/AVS): 756 and an EAN-13 check digit."""

from .base import Number
from .checks import ean
from .view import words


def _valid(digits: str) -> bool:
    return digits.startswith("756") and ean(digits)


RECOGNIZER = Number(
    kind="CH_AHV",
    valid=_valid,
    sure=("3.4.4.2", "3 4 4 2"),
    plain=("13",),
    context=words(
        any="ahv*, avs*", de="versichertennummer*, sozialversicherung*", fr="assuré*", it="assicurat*"
    ),
)
