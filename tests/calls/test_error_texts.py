"""The text of each error of ours, beside the program that meets it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import autograph as ag
from autograph.runtime.core.location import is_ours
from tests.error_programs import ROWS, Row
from tests.harness.error_places import EITHER, INTERNAL, NOT_MET, OUTSIDE

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = list(dict.fromkeys(row.family for row in ROWS))
EAGER_FAMILIES = (
    *("tensors", "operations", "arrangements", "windows", "python_words", "staged_lengths"),
    *("matrices", "numpy_words"),
)
"""Families of programs that fail eagerly, too: the words are to be the same."""


OWN_NAMES = re.compile(
    r"_public_|ag__|object at 0x\w+> object|Skeleton|staged contents|autograph\.(operators|effects)"
    r"|\b(DictView|Indexed|SequenceIterator|StagedItems|StagedList|StagedRange|StagedTuple)\b"
)
"""What we call things that users call otherwise."""


def outcome(row: Row) -> Any:
    """What the program raises, else what it gives; in `evaluate`, which needs no compiler."""
    function = ag.function(mode="evaluate")(row.function) if row.staged else row.function
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*row.arguments())
        except Exception as error:
            return error


def raised_by(row: Row) -> Exception:
    """What the program raises."""
    found = outcome(row)
    assert isinstance(found, Exception), f"{row.name} gave {found!r}"
    return found


def is_eagers(row: Row, error: Exception) -> bool:
    """Whether eager code raises the very same: then the words are NumPy's or Python's."""
    if not (row.staged and row.family in EAGER_FAMILIES):
        return False
    eager = outcome(dataclasses.replace(row, staged=False))
    return (type(eager), str(eager)) == (type(error), str(error))


OLDER_TEXTS = {
    "() iterable argument is empty": "() arg is an empty sequence",  # since 3.12
    "_io.open is not": "io.open is not",  # since 3.13
    "_thread.lock is not": "_thread.allocate_lock is not",  # since 3.13
}
"""What newer versions of Python say, as the golden texts have it from 3.11."""


def text_of(row: Row, error: Exception) -> str:
    """The program without its decorator, and the text; lines are counted from `def`."""
    lines, first = inspect.getsourcelines(row.function)
    start = next(n for n, line in enumerate(lines) if line.startswith(("def ", "async def ")))

    def relative(match: re.Match[str]) -> str:
        return f'File "{Path(match[1]).name}", line +{int(match[2]) - first - start}'

    shown = re.sub(r'File "([^"]+)", line (\d+)', relative, str(error))
    shown = shown.replace(f"{Path(row.function.__code__.co_filename).parent}/", "")
    shown = re.sub(r"0x[0-9a-f]+", "0x…", shown)
    for newer, older in OLDER_TEXTS.items():
        shown = shown.replace(newer, older)
    shown = re.sub(r"\b(f32|i64)\[([a-z]+)\d+\]", r"\1[\2…]", shown)  # symbols are counted
    program = "".join(lines[start:])
    if is_eagers(row, error):
        return f"{program}\n    {type(error).__name__}, as eagerly\n"
    return f"{program}\n{textwrap.indent(f'{type(error).__name__}: {shown}', '    ')}\n"


@pytest.mark.parametrize("family", FAMILIES)
def test_texts(family: str, golden: Callable[[str, str], None]) -> None:
    rows = [row for row in ROWS if row.family == family]
    texts = [text_of(row, raised_by(row)) for row in rows]
    golden(f"errors/programs/{family}.txt", "\n\n".join(texts))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_anatomy(row: Row) -> None:
    """What we refuse says what, where and what to write instead; nothing shows our own names."""
    error = raised_by(row)
    text = str(error)
    assert text and not re.search(OWN_NAMES, text)
    if not isinstance(error, ag.StagingError):
        return
    assert len(error.message) > 15
    assert error.remedy, f"{text}\n  says not what to write instead"
    if row.staged:
        assert error.location is not None
        assert error.location.filename == row.function.__code__.co_filename
        assert row.function.__code__.co_name == error.location.function or (
            error.location.function in row.function.__code__.co_names
            or error.location.function in row.function.__code__.co_varnames
            or error.location.function.startswith("<")
        )


# which places are met -----------------------------------------------------------------------------
KINDS = ("refusals", "words of eager code")
"""Errors of our classes, and of Python's, whose words are compared with those of eager code by the
corpus and by tests of the ops, too."""


def is_refusal(name: str, floor: str) -> bool:
    """Whether an error is of our classes. A function that makes one counts as such in `autograph`;
    in `runtime`, where ShapeError is a ValueError, such functions find NumPy's words.
    """
    kind = getattr(ag.errors, name, None)
    ours = isinstance(kind, type) and issubclass(kind, ag.StagingError)
    if floor == "runtime":
        return ours and name != "ShapeError"
    return ours or not name[:1].isupper()


@dataclasses.dataclass(frozen=True)
class Site:
    """A place that raises an error users see: where, in which function, and of which kind."""

    path: str
    line: int
    function: str
    kind: str

    @property
    def excuse(self) -> str | None:
        """Why no row meets it, if that is known."""
        name = f"{self.path}: {self.function}"
        return NOT_MET.get(name) or EITHER.get(name)


def raise_sites() -> list[Site]:
    """Every place of the two upper floors that raises an error users see."""
    found = []

    def visit(tree: ast.AST, path: str, names: tuple[str, ...]) -> None:
        for node in ast.iter_child_nodes(tree):
            named = isinstance(node, ast.FunctionDef | ast.ClassDef)
            visit(node, path, (*names, node.name) if named else names)
            if isinstance(node, ast.Raise) and node.exc is not None:
                called = getattr(node.exc, "func", node.exc)
                name = getattr(called, "id", getattr(called, "attr", ""))
                if name and name not in INTERNAL:
                    refused = is_refusal(name, path.partition("/")[0])
                    kind = "refusals" if refused else "words of eager code"
                    found.append(Site(path, node.lineno, ".".join(names), kind))

    for top in ("autograph", "runtime"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if top == "autograph" and path.relative_to(ROOT).parts[1] in OUTSIDE:
                continue
            visit(ast.parse(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT)), ())
    return found


def met_lines() -> set[tuple[str, int]]:
    """The lines that raise while the rows run."""
    met: set[tuple[str, int]] = set()

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        if not is_ours(frame.f_code.co_filename):
            return None
        frame.f_trace_lines = False
        return inside

    def inside(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception" and argument[2] is not None and argument[2].tb_next is None:
            met.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    for row in ROWS:
        before = sys.gettrace()
        sys.settrace(enter)
        try:
            raised_by(row)
        finally:
            sys.settrace(before)
    paths = {name: Path(name).resolve() for name, _ in met}
    return {
        (str(paths[name].relative_to(ROOT)), line)
        for name, line in met
        if paths[name].is_relative_to(ROOT)
    }


@pytest.mark.slow
def test_places_are_met() -> None:
    """Each place is met by a row, or excused; no excuse is one too many."""
    met = met_lines()
    sites = raise_sites()
    for kind in KINDS:
        places = [one for one in sites if one.kind == kind]
        missing = [one for one in places if (one.path, one.line) not in met]
        print(f"{kind}: {len(places)} places, {len(places) - len(missing)} of them met")
        left = [f"{one.path}:{one.line} {one.function}" for one in missing if one.excuse is None]
        assert not left, left
    excused = {f"{one.path}: {one.function}" for one in sites if (one.path, one.line) not in met}
    assert excused >= NOT_MET.keys(), NOT_MET.keys() - excused
