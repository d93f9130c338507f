"""Files of the standard library print as the same program: a sample always, all in the sweep."""

from __future__ import annotations

import ast
import os
import tokenize
import warnings
from pathlib import Path
from typing import Any

import pytest

from autograph.conversion.syntax.recursion import with_most_room
from autograph.conversion.syntax.tree import ast_to_gast
from autograph.conversion.syntax.unparse import to_text
from tests.conversion.test_unparse import same

ROOT = Path(os.__file__).parent
SAMPLE = [
    *("abc.py", "argparse.py", "ast.py", "bisect.py", "calendar.py", "cmd.py", "codecs.py"),
    *("collections/__init__.py", "contextlib.py", "copy.py", "dataclasses.py", "enum.py"),
    *("functools.py", "heapq.py", "inspect.py", "io.py", "keyword.py", "locale.py", "numbers.py"),
    *("opcode.py", "queue.py", "random.py", "re/__init__.py", "statistics.py", "string.py"),
    *("textwrap.py", "threading.py", "token.py", "traceback.py", "types.py", "typing.py"),
    *("asyncio/tasks.py", "asyncio/taskgroups.py", "email/message.py", "importlib/_bootstrap.py"),
    *("json/decoder.py", "logging/__init__.py", "unittest/mock.py", "xml/dom/minidom.py"),
    # Python's own tests of its grammar, where they are installed.
    *("test/test_grammar.py", "test/test_fstring.py", "test/test_patma.py", "test/test_pep646.py"),
    *("test/test_except_star.py", "test/test_unpack_ex.py", "test/test_positional_only_arg.py"),
    *("test/test_named_expressions.py", "test/test_type_params.py", "test/test_string_literals.py"),
]


def parsed(path: Path) -> Any:
    """The tree of a file; None where it is meant not to parse."""
    try:
        with tokenize.open(path) as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = file.read()
            return with_most_room(lambda: ast.parse(text))
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None


def assert_round_trip(tree: Any) -> None:
    wanted = with_most_room(lambda: same(tree))
    printed = to_text(tree)[0]
    assert to_text(with_most_room(lambda: ast_to_gast(tree)))[0] == printed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = with_most_room(lambda: ast.parse(printed))
    # Not compared by assert itself: pytest would print the difference of megabytes.
    if with_most_room(lambda: same(again)) != wanted:
        pytest.fail("the printed source parses to another tree")


@pytest.mark.parametrize("name", SAMPLE)
def test_sample(name: str) -> None:
    path = ROOT / name
    if not path.exists():
        pytest.skip("not installed with this Python")
    assert_round_trip(parsed(path))


def test_the_sample_is_there() -> None:
    assert sum((ROOT / name).exists() for name in SAMPLE) >= 35


ROOMS = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT, *ROOT.rglob("*"))
    if path.is_dir() and "site-packages" not in path.parts and any(path.glob("*.py"))
)


@pytest.mark.sweep
@pytest.mark.parametrize("folder", ROOMS)
def test_every_file(folder: str) -> None:
    trees = [parsed(path) for path in sorted((ROOT / folder).glob("*.py"))]
    for tree in trees:
        if tree is not None:
            assert_round_trip(tree)
