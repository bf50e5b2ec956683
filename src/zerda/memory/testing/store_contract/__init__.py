"""What a store has to prove: a class of tests to inherit.

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path):
            with MyStore(tmp_path / "m.db") as store:
                yield store

It tests what `zerda.memory.storage.base.Store` promises, and nothing else. A store whose data others can
open too gives the fixtures ``other`` and ``reopen`` as well (see `Ground`). This is the only part of
`zerda.memory.testing` that needs pytest.
"""

from ...errors import MissingExtra

try:
    import pytest
except ImportError as error:
    raise MissingExtra("pytest", "testing") from error

_CHAPTERS = (
    "ground", "keeping", "revising", "sessions", "marking", "deleting", "filtering", "finding", "scopes",
    "words", "vectors", "neighbours", "transactions", "hostile", "profiles", "sharing", "stores",
    "auditing", "erasing", "carrying", "naming",
)  # fmt: skip
pytest.register_assert_rewrite(*(f"{__name__}.{chapter}" for chapter in _CHAPTERS))

from .auditing import Auditing  # noqa: E402 - asserts are rewritten as modules are imported
from .carrying import Carrying  # noqa: E402
from .deleting import Deleting  # noqa: E402
from .erasing import Erasing  # noqa: E402
from .filtering import Filtering  # noqa: E402
from .finding import Finding  # noqa: E402
from .ground import Ground  # noqa: E402
from .hostile import Hostile  # noqa: E402
from .keeping import Keeping  # noqa: E402
from .marking import Marking  # noqa: E402
from .naming import Names  # noqa: E402
from .neighbours import Neighbours  # noqa: E402
from .profiles import Profiles  # noqa: E402
from .revising import Revising  # noqa: E402
from .scopes import Scopes  # noqa: E402
from .sessions import Sessions  # noqa: E402
from .sharing import Sharing  # noqa: E402
from .stores import StoresContract  # noqa: E402
from .transactions import Transactions  # noqa: E402
from .vectors import Vectors  # noqa: E402
from .words import Words  # noqa: E402


class StoreContract(
    Keeping,
    Revising,
    Sessions,
    Marking,
    Deleting,
    Finding,
    Filtering,
    Scopes,
    Words,
    Vectors,
    Neighbours,
    Transactions,
    Hostile,
    Profiles,
    Sharing,
    Auditing,
    Erasing,
    Carrying,
    Names,
):
    """All of it. A subclass gives the fixture ``store``: a new and empty one for each test."""


__all__ = ["Ground", "StoreContract", "StoresContract"]
