"""The source of a function is found wherever Python lets one be written."""

from __future__ import annotations

import doctest
import functools
import importlib.util
import io
import linecache
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograph.conversion.syntax import tree as syntax
from autograph.conversion.syntax.source import Source, source_of
from autograph.conversion.syntax.unparse import to_text
from autograph.errors import SourceNotAvailableError

THIS_FILE = Path(__file__).read_text(encoding="utf-8").split("\n")


def text_of(function: Any) -> str:
    return to_text(source_of(function).tree)[0].rstrip()


def load(path: Path, text: str) -> ModuleType:
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_text(name: str, text: str) -> dict[str, Any]:
    """Run text as a file that only linecache knows."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec", dont_inherit=True), names)
    return names


def doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args) * 2

    return wrapper


@doubled
@functools.lru_cache(
    maxsize=3,
)
def decorated(x: int) -> int:
    return x + 1


class Owner:
    def method(self, x: int, *, y: int = 2) -> int:
        """Has a docstring."""
        return self.__secret(x) + y

    def __secret(self, x: int) -> int:
        return x

    @staticmethod
    def static(x: int) -> int:
        return x * 3

    class Inner:
        def method(self) -> str:
            return "inner"


def make_counter(step: int) -> Callable[[], int]:
    count = 0

    def counter() -> int:
        nonlocal count
        count += step
        return count

    return counter


# Kept in odd shapes on purpose.
# fmt: off
LAMBDAS = (lambda x: x, lambda x: x + 1, lambda: 1, lambda: True, lambda x: (lambda y: x * y))
MULTI_LINE = (lambda a,  # noqa: E731
                     b:
              a -
              b)
SAME = (lambda x: x + 5, lambda x: x + 5)
# fmt: on


def assert_position(source: Source, text: str) -> None:
    """The tree's own line and column in this file are where `text` is written."""
    node = source.tree
    assert THIS_FILE[node.lineno - 1][node.col_offset :].startswith(text)


def test_function_has_the_positions_of_the_file() -> None:
    source = source_of(text_of)
    assert_position(source, "def text_of(")
    call = source.tree.body[0].value
    assert THIS_FILE[call.lineno - 1][call.col_offset : call.end_col_offset] == (
        "to_text(source_of(function).tree)[0].rstrip()"
    )
    assert source.text == "\n".join(THIS_FILE[source.first_line - 1 :][:2]) + "\n"
    assert source.filename == __file__


def test_decorators_are_stripped_and_counted() -> None:
    inner: Any = decorated
    cached = inner.__wrapped__
    source = source_of(cached.__wrapped__)
    assert source.tree.decorator_list == []
    assert_position(source, "def decorated(")
    assert THIS_FILE[source.first_line - 1] == "@doubled"
    assert "return x + 1" in source.text
    # A wrapper is a function of its own.
    assert source_of(inner).tree.name == "wrapper"


def test_methods_know_the_class_of_their_private_names() -> None:
    assert source_of(Owner.method).class_name == "Owner"
    assert source_of(Owner().method).tree.name == "method"
    assert source_of(Owner.Inner.method).class_name == "Inner"
    assert source_of(Owner._Owner__secret).tree.name == "__secret"  # type: ignore[attr-defined]
    assert source_of(Owner.static).class_name == "Owner"
    assert source_of(make_counter).class_name is None


def test_nested_function_and_its_free_variables() -> None:
    source = source_of(make_counter(1))
    assert source.free_variables == ("count", "step")
    assert_position(source, "def counter(")


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (0, "lambda x: x"),
        (1, "lambda x: x + 1"),
        (2, "lambda: 1"),
        (3, "lambda: True"),
        (4, "lambda x: lambda y: x * y"),
    ],
)
def test_lambdas_that_share_a_line(index: int, text: str) -> None:
    assert text_of(LAMBDAS[index]) == text


def test_lambda_inside_a_lambda() -> None:
    outer: Any = LAMBDAS[4]
    assert text_of(outer(3)) == "lambda y: x * y"


def test_lambda_of_several_lines() -> None:
    source = source_of(MULTI_LINE)
    assert text_of(MULTI_LINE) == "lambda a, b: a - b"
    assert source.text.count("\n") == 4


def test_equal_lambdas_are_told_apart_by_column() -> None:
    first, second = (source_of(each).tree for each in SAME)
    assert first.col_offset < second.col_offset


def test_what_the_compiler_warns_of_is_no_error_later(tmp_path: Path) -> None:
    """The file is compiled once more: where warnings are errors, it must be found all the same."""
    path = tmp_path / "warned.py"
    path.write_text("def f(x):\n    return x, '\\d'\n", encoding="utf-8")
    names: dict[str, Any] = {"__file__": str(path), "__name__": "warned"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        warnings.simplefilter("error")
        assert source_of(names["f"]).first_line == 1


def test_lambdas_without_columns(tmp_path: Path) -> None:
    program = (
        "from autograph.conversion.syntax.source import source_of\n"
        "from autograph.conversion.syntax.unparse import to_text\n"
        "n = 1\n"
        "fs = [lambda x: x + 1, lambda x: x - 1, lambda: 1, lambda: 1.0, lambda y: lambda: y]\n"
        "fs.append(fs[4](0))\n"
        "print([to_text(source_of(f).tree)[0].strip() for f in fs])\n"
    )
    path = tmp_path / "no_columns.py"
    path.write_text(program)
    paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-X", "no_debug_ranges", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    texts = "['lambda x: x + 1', 'lambda x: x - 1', 'lambda: 1', 'lambda: 1.0', "
    assert ran.stdout.strip() == texts + "'lambda y: lambda: y', 'lambda: y']"


def test_source_that_only_linecache_has() -> None:
    names = run_text("<cell 1>", "if True:\n    def f(x):\n        return [x,\n            1]\n")
    source = source_of(names["f"])
    assert (source.tree.lineno, source.tree.col_offset) == (2, 4)
    assert source.filename == "<cell 1>"


def test_doctest() -> None:
    text = ">>> def f(x):\n...     return x + 1\n>>> print(text_of(f))\n"
    text += "def f(x):\n    return x + 1\n"
    test = doctest.DocTestParser().get_doctest(text, {"text_of": text_of}, "example", None, 0)
    output = io.StringIO()
    doctest.DocTestRunner(verbose=False).run(test, out=output.write)
    assert output.getvalue() == ""


def test_a_form_feed_is_no_line(tmp_path: Path) -> None:
    module = load(tmp_path / "fed.py", "x = 1\n\x0c\ndef f():\n    return 'a\x0cb'\n\n\ny = 2\n")
    assert source_of(module.f).text == "def f():\n    return 'a\x0cb'\n"


def test_asserts_rewritten_by_pytest_are_recognised() -> None:
    def checked(x: int) -> int:
        assert x > 0, "message"
        return x

    assert [type(s) for s in source_of(checked).tree.body] == [syntax.Assert, syntax.Return]


def test_exec_without_source_has_none() -> None:
    names: dict[str, Any] = {}
    exec("def f(x):\n    return x\n", names)
    with pytest.raises(SourceNotAvailableError, match="not available") as raised:
        source_of(names["f"])
    assert raised.value.location is not None and raised.value.remedy is not None


@pytest.mark.parametrize("thing", [len, print, int, 3, functools.partial(text_of)])
def test_what_is_no_python_function_has_none(thing: Any) -> None:
    with pytest.raises(SourceNotAvailableError, match="not a Python function"):
        source_of(thing)


@pytest.mark.parametrize(
    "edited",
    [
        "def f(x):\n    return x + 2\n",
        "def f(x):\n    return x - 1\n",
        "\ndef f(x):\n    return x + 1\n",
        "def f(x, y=0):\n    return x + 1\n",
        "def g(x):\n    return x + 1\n",
        "def f(x:\n",
        "",
    ],
)
def test_edited_files_are_detected(tmp_path: Path, edited: str) -> None:
    path = tmp_path / "edited.py"
    module = load(path, "def f(x):\n    return x + 1\n")
    path.write_text(edited)
    linecache.checkcache(str(path))
    with pytest.raises(SourceNotAvailableError):
        source_of(module.f)


def test_a_file_edited_and_imported_again(tmp_path: Path) -> None:
    path = tmp_path / "again.py"
    old = load(path, "def f(x):\n    return x + 1\n")
    assert text_of(old.f).endswith("return x + 1")
    # The text read before is still that of the old function; the new one needs the new text.
    new_text = "# longer now\n\n\ndef f(x):\n    return x + 22222\n"
    path.write_text(new_text)
    new: dict[str, Any] = {}
    exec(compile(new_text, str(path), "exec", dont_inherit=True), new)
    assert text_of(old.f).endswith("return x + 1")
    assert text_of(new["f"]).endswith("return x + 22222")


def test_a_deep_sum() -> None:
    terms = " + ".join(["x"] * 1500)
    names = run_text("<deep>", f"def f(x):\n    return {terms}\n")
    assert text_of(names["f"]) == f"def f(x):\n    return {terms}"


def test_trees_are_the_callers_own() -> None:
    source_of(text_of).tree.body.clear()
    assert len(source_of(text_of).tree.body) == 1
