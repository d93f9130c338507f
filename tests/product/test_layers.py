"""The house keeps its plan: imports go down, rooms stay small, names stay fixed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("autograph", "autograph.runtime", "autograph.kernels")  # from the top down
FOLDERS = {"autograph": "autograph", "runtime": "autograph.runtime", "kernels": "autograph.kernels"}
FOREIGN = {
    "autograph": {"numpy", "gast", "astunparse", "safetensors"},
    "autograph.runtime": {"numpy", "scipy"},
    "autograph.kernels": {"numpy", "llvmlite", "scipy"},
}
TOP_LEVEL = {"pyproject.toml", "autograph", "runtime", "kernels", "tests", "examples", "docs"} | {
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    ".ci",
    ".gitignore",
}
BANNED_NAMES = {"utils", "util", "helpers", "helper", "misc", "common", "manager", "tools"}
# The rooms of autograph/, from the ground up: each imports those before it. The modules beside them
# (decorator, derivatives, ...) are the roof, but for these, which stand on the runtime alone.
GROUND = {"errors", "tensor_spec", "linalg", "fft", "special"}
ROOM_ORDER = (
    *("values", "conversion", "tracing", "strings", "merge", "control", "operators"),
    *("showing", "call", "checking"),
)
OF_USERS = {"library", "nn", "numpy"}  # converted like the user's code, or made of the public API
FILES_OF_A_FOLDER = 20
# A file is as long as its idea; beyond this it holds two. A function is read at one look: a little
# slack keeps a comment from being written shorter than it should be.
ROOM_LINES = 600
FUNCTION_LINES = 66


@dataclass(frozen=True)
class Room:
    """One module: its dotted name, its file, its tree."""

    name: str
    path: Path
    package: bool

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @property
    def floor(self) -> str:
        return max((f for f in FLOORS if f"{self.name}.".startswith(f"{f}.")), key=len)


def read_rooms() -> dict[str, Room]:
    rooms = {}
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            relative = path.relative_to(ROOT / folder)
            if relative.parts[0] in FOLDERS and (ROOT / folder / relative.parts[0]).is_symlink():
                continue
            parts = [package, *relative.with_suffix("").parts]
            if parts[-1] == "__init__":
                parts.pop()
            name = ".".join(parts)
            rooms[name] = Room(name, path, path.name == "__init__.py")
    return rooms


ROOMS = read_rooms()
IMPORT_FUNCTIONS = {"import_module", "__import__"}


def imports_of(room: Room, tree: ast.AST | None = None) -> Iterator[tuple[str, int]]:
    """Every module that `room` imports, inside functions too, and by importlib; with its line."""
    for node in ast.walk(room.tree if tree is None else tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = absolute(room, node)
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield (whole if whole in ROOMS else base), node.lineno
        elif isinstance(node, ast.Call) and node.args:
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            first = node.args[0]
            if name in IMPORT_FUNCTIONS and isinstance(first, ast.Constant):
                yield str(first.value), node.lineno


def absolute(room: Room, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    parts = room.name.split(".")
    parts = parts[: len(parts) - node.level + (1 if room.package else 0)]
    return ".".join([*parts, *([node.module] if node.module else [])])


def runs_at_import(tree: ast.Module) -> ast.Module:
    """`tree` without the bodies of functions and of `if TYPE_CHECKING`."""

    class Strip(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            return ast.copy_location(ast.Pass(), node)

        def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
            return ast.copy_location(ast.Constant(None), node)

        def visit_If(self, node: ast.If) -> ast.AST:
            if "TYPE_CHECKING" in ast.dump(node.test):
                return ast.copy_location(ast.Pass(), node)
            self.generic_visit(node)
            return node

    return Strip().visit(tree)


def test_imports_go_down() -> None:
    wrong = []
    for room in ROOMS.values():
        for target, line in imports_of(room):
            if target.split(".")[0] != "autograph":
                continue
            floor = max((f for f in FLOORS if f"{target}.".startswith(f"{f}.")), key=len)
            if FLOORS.index(floor) < FLOORS.index(room.floor):
                wrong.append(f"{room.path.relative_to(ROOT)}:{line} imports {target}")
    assert not wrong, "\n".join(wrong)


def test_no_room_imports_the_folders_by_their_bare_names() -> None:
    wrong = [
        f"{room.path.relative_to(ROOT)}:{line} imports {target}"
        for room in ROOMS.values()
        for target, line in imports_of(room)
        if target.split(".")[0] in {"runtime", "kernels"}
    ]
    assert not wrong, "\n".join(wrong)


def test_each_floor_uses_only_its_own_libraries() -> None:
    wrong = []
    for room in ROOMS.values():
        for target, line in imports_of(room):
            first = target.split(".")[0]
            if first in sys.stdlib_module_names or first in {"autograph", "__future__"}:
                continue
            if first not in FOREIGN[room.floor]:
                wrong.append(f"{room.path.relative_to(ROOT)}:{line} imports {target}")
    assert not wrong, "\n".join(wrong)


def room_of(name: str) -> str:
    """The room of autograph/ that a module is in, or the module itself where it is in none."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_rooms_import_those_below() -> None:
    wrong = []
    places = {name: place for place, name in enumerate(ROOM_ORDER)}
    for room in ROOMS.values():
        place = places.get(room_of(room.name))
        if place is None:
            continue
        for target, line in imports_of(room):
            other = room_of(target)
            if not target.startswith("autograph.") or other in {"runtime", "kernels", "library"}:
                continue
            if other not in GROUND and places.get(other, len(places)) > place:
                wrong.append(f"{room.path.relative_to(ROOT)}:{line} imports {target}")
    assert not wrong, "\n".join(wrong)


def folders() -> list[Path]:
    return sorted({room.path.parent for room in ROOMS.values()})


def files_of(folder: Path) -> str:
    """The modules and folders in `folder`, each with the first sentence of its docstring."""
    lines = []
    for room in ROOMS.values():
        inside = room.path.parent == folder and not room.package
        below = room.package and room.path.parent.parent == folder
        if inside or (below and room.path.parent.name not in FOLDERS):
            text = " ".join((ast.get_docstring(room.tree) or "").split("\n\n")[0].split())
            sentence = re.split(r"(?<=\.) ", text)[0].rstrip(".:")
            name = f"{room.path.parent.name}/" if room.package else room.path.stem
            lines.append((room.package, f"- `{name}`: {sentence}"))
    return "\n".join(line for _, line in sorted(lines)) + "\n"


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_every_folder_says_what_lives_in_it(folder: Path, request: pytest.FixtureRequest) -> None:
    readme = folder / "README.md"
    assert readme.exists(), "what lives here, where to start, what it must not know: half a page"
    written, _, listed = readme.read_text(encoding="utf-8").partition("\n## Files\n\n")
    assert len(written.splitlines()) <= 40, "half a page"
    if request.config.getoption("--update-golden"):
        readme.write_text(f"{written.rstrip()}\n\n## Files\n\n{files_of(folder)}", encoding="utf-8")
        return
    assert listed == files_of(folder), "its files have changed: pytest --update-golden"


def test_folders_stay_small() -> None:
    counts = {
        folder: sum(room.path.parent == folder and not room.package for room in ROOMS.values())
        for folder in folders()
    }
    assert not [str(one) for one, count in counts.items() if count > FILES_OF_A_FOLDER]


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one room (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(edges[name]):
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            component = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(component) > 1:
                found.append(sorted(component))

    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


def test_cycles_are_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c"]]


@pytest.mark.parametrize("hidden", [False, True], ids=["at import", "in functions too"])
def test_no_import_cycles(hidden: bool) -> None:
    edges: dict[str, set[str]] = {name: set() for name in ROOMS}
    for room in ROOMS.values():
        tree = None if hidden else runs_at_import(room.tree)
        edges[room.name] = {t for t, _ in imports_of(room, tree) if t in ROOMS and t != room.name}
    found = cycles(edges)
    assert not found, "\n".join(" <-> ".join(component) for component in found)


def test_importing_the_project_loads_no_compiler() -> None:
    code = "import sys, autograph; print(sorted({'llvmlite', 'scipy'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stdout + ran.stderr


def test_rooms_and_functions_stay_small() -> None:
    wrong = []
    for room in ROOMS.values():
        where = room.path.relative_to(ROOT)
        lines = room.path.read_text(encoding="utf-8").count("\n")
        if lines > ROOM_LINES:
            wrong.append(f"{where}: {lines} lines")
        for node in ast.walk(room.tree):
            if isinstance(node, ast.FunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                if size > FUNCTION_LINES:
                    wrong.append(f"{where}:{node.lineno}: {node.name} has {size} lines")
    assert not wrong, "\n".join(wrong)


def test_every_folder_is_a_package_with_whole_names() -> None:
    wrong = []
    for room in ROOMS.values():
        if BANNED_NAMES & set(room.name.split(".")):
            wrong.append(f"{room.name}: name it after what it does")
        if room.name.count(".") and room.name.rpartition(".")[0] not in ROOMS:
            wrong.append(f"{room.path.relative_to(ROOT)}: its folder has no __init__.py")
    assert not wrong, "\n".join(wrong)


def test_the_top_level_is_fixed() -> None:
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout: what belongs to the project cannot be told apart")
    found = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert found <= TOP_LEVEL, sorted(found - TOP_LEVEL)


@pytest.mark.parametrize("folder", ["runtime", "kernels"])
def test_the_links_lead_to_the_floors(folder: str) -> None:
    link = ROOT / "autograph" / folder
    assert link.is_symlink() and link.readlink() == Path("..") / folder


def test_one_room_asks_for_the_version_of_python() -> None:
    asked = re.compile(r"\bversion_info\b|\bhexversion\b|\bpython_version\b|^import dis$", re.M)
    found = {
        str(room.path.relative_to(ROOT))
        for room in ROOMS.values()
        if asked.search(room.path.read_text(encoding="utf-8"))
    }
    # The cache keeps what each version has compiled apart.
    assert found == {"runtime/core/python_versions.py", "kernels/cache.py"}
