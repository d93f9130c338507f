"""docs/limits.md and docs/errors.md say how examples are called and what comes out: it does.

A definition of `f` in a block has a comment. `# f(t(1.0)): RESULT` is a call, and what comes out:
the name of an exception, a value, the name of a type, or one of the sentences of NOTES. After it,
`, eager RESULT` says what comes without `@ag.function`; `RESULT compiled` asks for native code.
`# instead` is called like the first of its block and does what it does eagerly; where the comment
goes on with "`EXPRESSION` outside", that gives what the first of the block gives eagerly.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from autograph.showing.error_page import error_page

PAGES = [Path(__file__).parents[2] / "docs" / name for name in ("limits.md", "errors.md")]
MODES = ("evaluate", "text")
CALL = re.compile(r"#\s*f\((?P<arguments>.*?)\): (?P<said>.*)$")
OUTSIDE = re.compile(r"# instead:.* `(?P<expression>[^`]+)` outside")
NAMES = """
import contextlib, copy, dataclasses, datetime, decimal, functools, itertools, logging, math, os
import random, time
import numpy as np
import autograph as ag
t = ag.asarray
""".replace("\n", "; ").strip("; ")
ULPS = 4


@dataclass(frozen=True)
class Example:
    """One definition of `f`: the file up to its end, how it is called, what the page says of it."""

    text: str
    page: str
    line: int
    arguments: str
    said: str
    outside: str = ""
    first: Example | None = None

    def load(self, folder: Path) -> dict[str, Any]:
        """The names after the definition, made anew, from a file with the page's line numbers."""
        path = folder / f"{self.page}_{self.line}.py"
        path.write_text(self.text, encoding="utf-8")
        names: dict[str, Any] = {"__name__": path.stem}
        exec(compile(self.text, str(path), "exec"), names)
        return names

    def given(self, names: dict[str, Any]) -> Any:
        """The arguments of the call, made anew."""
        return eval(f"(lambda *given: given)({self.arguments})", names)


def blocks(page: Path) -> Iterator[tuple[int, list[str]]]:
    """The line before each block of Python on a page, and its lines."""
    found: list[str] | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line == "```python":
            found, first = [], number
        elif line == "```" and found is not None:
            yield first, found
            found = None
        elif found is not None:
            found.append(line)


def examples(page: Path) -> Iterator[Example]:
    for before, lines in blocks(page):
        first: Example | None = None
        for node in ast.parse("\n".join(lines)).body:
            if getattr(node, "name", "") != "f":
                continue
            assert node.end_lineno is not None
            comments = [line for line in lines[node.lineno - 1 : node.end_lineno] if "# " in line]
            assert len(comments) == 1, f"{page.name}:{before + node.lineno}: one comment for each f"
            call = CALL.search(comments[0])
            assert call or (first and "# instead" in comments[0]), comments[0]
            text = "\n".join([NAMES, *[""] * (before - 1), *lines[: node.end_lineno], ""])
            line = before + node.lineno
            if call:
                each = Example(text, page.stem, line, call["arguments"], call["said"])
            else:
                assert first is not None
                outside = OUTSIDE.search(comments[0])
                expression = outside["expression"] if outside else ""
                each = Example(text, page.stem, line, first.arguments, "instead", expression, first)
            first = first or each
            yield each


EXAMPLES = [each for page in PAGES for each in examples(page)]


# what a call gives --------------------------------------------------------------------------------
@dataclass(frozen=True)
class Outcome:
    """What a call gave: a value, or an exception."""

    value: Any = None
    error: BaseException | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {self.error}"
        return repr(self.value)


def outcome(example: Example, folder: Path, mode: Any = None) -> tuple[Outcome, dict[str, Any]]:
    """What the example gives in a mode, or eagerly; and the names of its module afterwards."""
    names = example.load(folder)
    given = example.given(names)
    function = names["f"] if mode is None else ag.function(mode=mode)(names["f"])
    names["staged"] = function
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return Outcome(function(*given)), names
        except Exception as error:
            return Outcome(error=error), names


def is_result(text: str, found: Outcome, names: dict[str, Any]) -> bool:
    """Whether an outcome is what a word of the page says."""
    if re.fullmatch(r"\w*(Error|Exception)", text):
        return type(found.error).__name__ == text
    if found.error is not None:
        return False
    if text in ("Tensor", "ndarray"):
        return type(found.value).__name__ == text
    wanted = eval(text, names)
    value = found.value
    if isinstance(value, ag.Tensor) and not isinstance(wanted, ag.Tensor):
        return bool(np.array_equal(value.numpy(), np.asarray(wanted, value.numpy().dtype)))
    return difference(freeze(wanted), freeze(value)) is None


# sentences ----------------------------------------------------------------------------------------
def few_ulps(example: Example, folder: Path) -> None:
    same_as_eager(example, folder, "text")


def trace_for_each(example: Example, folder: Path) -> None:
    _, names = outcome(example, folder, "evaluate")
    staged, (array, *rest) = names["staged"], example.given(names)
    assert staged.cache_info().misses == 1
    staged(array + 1, *rest)
    assert staged.cache_info().misses == 2
    staged(array + 1, *rest)
    assert staged.cache_info().misses == 2


def same_in_every_call(example: Example, folder: Path) -> None:
    first, names = outcome(example, folder, "evaluate")
    time.sleep(0.01)
    again = names["staged"](*example.given(names))
    assert difference(freeze(first.value), freeze(again)) is None


def slow_but_right(example: Example, folder: Path) -> None:
    same_as_eager(example, folder, "text")
    _, names = outcome(example, folder, "text")
    assert names["staged"].program().startswith("# driven by CPython")


NOTES: dict[str, Callable[[Example, Path], None]] = {
    "within a few units in the last place": few_ulps,
    "a trace for each `a`": trace_for_each,
    "the time of the trace, in every call": same_in_every_call,
    "right, at the speed of eager code": slow_but_right,
}
AFTERWARDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "`log` stays empty": lambda names: names["log"] == [],
}


def same_as_eager(example: Example, folder: Path, mode: str) -> None:
    eager, _ = outcome(example, folder)
    staged, _ = outcome(example, folder, mode)
    wrong = f"{example.page}.md:{example.line}, {mode}: {staged}, eager {eager}"
    assert type(eager.error) is type(staged.error), wrong
    ulps = 0 if mode == "evaluate" else ULPS
    assert difference(freeze(eager.value), freeze(staged.value), ulps) is None, wrong


def same_from_outside(example: Example, folder: Path, mode: str) -> None:
    """The expression around the call gives what the first example of the block gives eagerly."""
    assert example.first is not None
    eager, _ = outcome(example.first, folder)
    names = example.load(folder)
    parameters = inspect.signature(names["f"]).parameters
    given = dict(zip(parameters, example.given(names), strict=True))
    names["f"] = ag.function(mode=mode)(names["f"])  # type: ignore[call-overload]
    staged = eval(example.outside, {**names, **given})
    wrong = f"{example.page}.md:{example.line}, {mode}: {staged!r}, eager {eager}"
    assert difference(freeze(eager.value), freeze(staged), ULPS) is None, wrong


def does(example: Example, folder: Path, said: str, mode: str | None) -> None:
    found, names = outcome(example, folder, mode)
    result, _, after = said.partition(", and ")
    way = mode or "eager"
    assert is_result(result, found, names), (
        f"{example.page}.md:{example.line}, {way}: {found}, not {said}"
    )
    assert not after or AFTERWARDS[after](names), (
        f"{example.page}.md:{example.line}, {way}: not {after}"
    )


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Examples that read a clock on purpose read the same time eagerly and staged."""
    callspec = getattr(request.node, "callspec", None)
    example = callspec and callspec.params["example"]
    if example is not None and example.said == "instead" and "time.time()" in example.text:
        monkeypatch.setattr(time, "time", functools.partial(float, 1.5))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.page}, line {each.line}")
def test_example(example: Example, tmp_path: Path) -> None:
    said = example.said
    if said == "instead":
        check = same_from_outside if example.outside else same_as_eager
        for mode in MODES:
            check(example, tmp_path, mode)
        return
    if said in NOTES:
        NOTES[said](example, tmp_path)
        return
    native = re.fullmatch(r"(.+) compiled, (.+) eager", said)
    if native:
        does(example, tmp_path, native[1], "compile")
        does(example, tmp_path, native[2], None)
        return
    staged, _, eager = said.partition(", eager ")
    for mode in MODES:
        does(example, tmp_path, staged, mode)
    if eager:
        does(example, tmp_path, eager, None)


def test_the_pages_are_read() -> None:
    assert len(EXAMPLES) >= 120


def test_errors_md_is_made_of_the_docstrings() -> None:
    """Where it is not: python -m autograph errors -o docs/errors.md"""
    assert PAGES[1].read_text(encoding="utf-8") == error_page()
