"""The house stands: imports go down, neighbours are strangers, and some things are nowhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "zerda" / "memory"

FLOORS = {
    "errors": 0, "after_fork": 0, "core": 0,
    "http": 1, "storage": 1, "embedding": 1, "llm": 1, "security": 1,
    "gate": 2, "intake": 2, "vault": 2, "profiles": 2, "tiers": 2, "retrieval": 2, "context": 2, "upkeep": 2,
    "conversation": 2, "personal": 2,
    "transfer": 2,
    "intelligent": 3,
    "cli": 4, "rest": 4, "mcp": 4, "adapters": 4, "bench": 4, "testing": 4,
}  # fmt: skip
STRANGERS = {"storage", "embedding", "llm", "security"}
DOORS = {"cli", "rest", "mcp", "adapters", "bench"}
WORKERS = {
    "core/patience.py",
    "embedding/checked.py",
}  # They call what others wrote, and tell of whatever comes of it.
ALONE = {
    "security": {"errors", "after_fork", "security"},
    "core": {"errors", "core"},
    "errors": set[str](),
    "after_fork": set[str](),
}
THIRD_PARTY_ON_THE_GROUND = {
    "snowballstemmer",
    "numpy",
}  # The stemmer of the text rule; columns of numbers in the ranking.


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every import of a file as (absolute module, names), relative ones resolved."""
    package = ["zerda", "memory", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            yield module, tuple(alias.name for alias in node.names)


def own_parts(path: Path) -> set[str]:
    """The parts of zerda.memory that a file imports from."""
    parts: set[str] = set()
    for module, names in imports(path):
        if module == "zerda.memory":
            parts |= {name if name in FLOORS else "" for name in names}
        elif module.startswith("zerda.memory."):
            parts.add(module.split(".")[2])
    return parts


def test_every_part_has_a_floor() -> None:
    assert {part_of(path) for path in modules()} - FLOORS.keys() == {"__init__"}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_down(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        return
    for other in own_parts(path) - {"", part}:
        assert FLOORS[other] <= FLOORS[part], f"{part} imports {other}, which stands above it"
        assert not ({part, other} <= STRANGERS), f"{part} and {other} are strangers"
    assert own_parts(path) - {""} <= ALONE.get(part, set(FLOORS)), f"{part} stands alone"


@pytest.mark.parametrize("door", sorted(DOORS))
def test_a_door_uses_only_what_the_front_door_exports(door: str) -> None:
    for path in (SOURCE / door).rglob("*.py"):
        assert own_parts(path) <= {"", *DOORS}, f"{path.name} reaches behind the front door"


def test_the_ground_stands_on_the_standard_library() -> None:
    import sys

    for path in (SOURCE / "core").rglob("*.py"):
        for module, _ in imports(path):
            top = module.split(".")[0]
            assert top in {*sys.stdlib_module_names, "zerda", *THIRD_PARTY_ON_THE_GROUND}, (path.name, module)


def test_only_the_gate_makes_a_scope() -> None:
    """A backend may name the whole tenant to itself; what it answers is its caller's scope."""
    makers = {
        str(path.relative_to(SOURCE))
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Scope"
    }
    assert {maker for maker in makers if not maker.startswith(("storage/", "testing/"))} == {"gate.py"}


def test_only_three_kinds_of_place_catch_everything() -> None:
    """A rollback that raises again, a door's outermost handler, the worker's loop."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ExceptHandler) and _is_broad(node):
                raises_again = any(
                    isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node)
                )
                worker = str(path.relative_to(SOURCE)) in WORKERS
                assert raises_again or worker or part_of(path) in DOORS, f"{path.name}:{node.lineno}"


def _is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or getattr(handler.type, "id", None) in ("Exception", "BaseException")


FORBIDDEN = re.compile(
    r"\b(pickle|marshal)\b|(?<![\w.])(eval|exec)\(|\bdatetime\.(now|utcnow)\(\)|(?<![\w.])hash\("
)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_what_must_never_be_is_nowhere(path: Path) -> None:
    assert not FORBIDDEN.search(path.read_text("utf-8"))


def test_where_is_written_in_one_place() -> None:
    """A dialect may hand its own values to it, but writes no conditions itself."""
    writers = {
        path.name: path.read_text("utf-8")
        for path in (SOURCE / "storage").rglob("*.py")
        if "def where(" in path.read_text("utf-8")
    }
    assert "sql.py" in writers
    assert all("sql.where(" in text for name, text in writers.items() if name != "sql.py")
