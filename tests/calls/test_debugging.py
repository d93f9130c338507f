"""Debuggers, coverage and profilers see the user's own lines and names."""

from __future__ import annotations

import contextlib
import copy
import cProfile
import os
import pstats
import subprocess
import sys
import trace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
from tests.conversion_programs import branches, exits, loops, scoping
from tests.harness.conversion_harness import examples_of, programs_of

ROOT = Path(__file__).parents[2]
PROGRAM = """\
import autograph as ag


def halved(n):
    return n // 2


class Counter:
    @ag.function(mode="evaluate")
    def steps(self, n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = halved(n)
            else:
                n = 3 * n + 1
            steps += 1
        found = [
            k
            for k in range(3)
            if k > 1
        ]
        return steps, found


print(Counter().steps(ag.asarray(6)))
"""


def line_of(text: str) -> int:
    return 1 + [line.strip() for line in PROGRAM.splitlines()].index(text)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "debugged.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


# breakpoints --------------------------------------------------------------------------------------
def debugged(program: Path, *commands: str) -> list[str]:
    """What pdb prints for these commands, one answer for each."""
    marked = [part for command in commands for part in (f"p '<{command}>'", command)]
    text = "\n".join([*marked, "q", "q"]) + "\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        [sys.executable, "-m", "pdb", str(program)],
        input=text,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    answers = []
    rest = ran.stdout
    for command in commands:
        _, found, rest = rest.partition(f"'<{command}>'\n")
        assert found, ran.stdout + ran.stderr
        answers.append(rest.partition("(Pdb) '<")[0])
    return answers


def test_breakpoints_stop_on_the_users_lines(program: Path) -> None:
    inside = line_of("n = halved(n)")
    answers = debugged(
        program, f"b debugged.py:{inside}", "c", "p n", "s", "p n + 1", "r", "n", "w", "u", "l"
    )
    set_, stopped, n, stepped, *_ = answers
    assert f"Breakpoint 1 at {program}:{inside}" in set_
    assert f"> {program}({inside})steps()\n-> n = halved(n)" in stopped
    assert "Tensor" in n
    # A step goes to the next of the user's lines, over our own and into the function called.
    assert f"({line_of('return n // 2')})halved()" in stepped or "--Call--" in stepped, stepped


def test_breakpoints_stop_in_called_functions(program: Path) -> None:
    inside = line_of("return n // 2")
    _, stopped, n, where = debugged(program, f"b debugged.py:{inside}", "c", "p n", "w")
    assert f"> {program}({inside})halved()\n-> return n // 2" in stopped
    assert "Tensor" in n
    users = [line for line in where.splitlines() if "debugged.py(" in line]
    assert [line.rpartition(")")[0].rpartition(")")[2] for line in users][-3:]
    assert f"({line_of('n = halved(n)')})steps()" in where


def test_next_goes_from_line_to_line(program: Path) -> None:
    first = line_of("steps = 0")
    answers = debugged(program, f"b debugged.py:{first}", "c", "n", "n", "p steps")
    assert f"({first})steps()" in answers[1]
    assert f"({line_of('while n != 1:')})steps()" in answers[2]
    # The loop was traced whole, as one call.
    assert f"({line_of('found = [')})steps()" in answers[3]
    assert "staged" in answers[4] or "steps" in answers[4]


@pytest.mark.parametrize("call", ["breakpoint()", "import pdb; pdb.set_trace()"])
def test_breakpoint_in_the_code(program: Path, call: str) -> None:
    text = PROGRAM.replace("        steps = 0\n", f"        steps = 0\n        {call}\n")
    program.write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, str(program)],
        input="p steps\nc\n",
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    # Before 3.13 the debugger stops in the line below.
    line = line_of("while n != 1:") + (sys.version_info < (3, 13))
    assert f"> {program}({line})steps()" in ran.stdout
    assert "(Pdb) 0" in ran.stdout


# coverage -----------------------------------------------------------------------------------------
def lines_run(call: Callable[[], Any], path: Path) -> set[int]:
    """The lines of a file that the standard library's coverage tool counts."""
    counter = trace.Trace(count=True, trace=False)
    counter.runfunc(call)
    counts = counter.results().counts  # type: ignore[attr-defined]
    return {line for name, line in counts if name == str(path)}


def loaded(program: Path) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "debugged", "__file__": str(program)}
    text = PROGRAM[: PROGRAM.index("print(")]
    exec(compile(text, str(program), "exec"), names)
    return names


def test_coverage_counts_the_users_lines(program: Path) -> None:
    names = loaded(program)
    counter = names["Counter"]()
    eager = lines_run(lambda: counter.steps.python_function(ag.asarray(6)), program)
    staged = lines_run(lambda: counter.steps(ag.asarray(6)), program)
    assert eager <= staged
    # A staged branch is traced on both sides; `else:` and closing brackets are nobody's lines.
    body = set(range(line_of("steps = 0"), line_of("return steps, found") + 1))
    assert body - {line_of("else:"), line_of("]"), line_of("found = [")} <= staged
    assert staged - eager <= {line_of("def steps(self, n):"), line_of("n = 3 * n + 1")}


@pytest.mark.parametrize(
    "program", programs_of(branches, exits, loops, scoping), ids=lambda each: each.__name__
)
def test_lines_of_every_program(program: Any) -> None:
    """With plain Python values the same lines run, converted or not."""
    path = Path(program.__code__.co_filename)
    first = program.__code__.co_firstlineno
    try:
        converted = ag.convert(program)
    except ag.StagingError:
        pytest.skip("not converted")
    for arguments in examples_of(program):
        runs = []
        for function in (program, converted):

            def call(function: Any = function, arguments: Any = arguments) -> None:
                with contextlib.suppress(Exception):
                    given = copy.deepcopy(arguments)
                    function(lambda *values: values[0] if values else None, *given)

            runs.append(lines_run(call, path))
        eager, found = runs
        assert eager <= found, f"{arguments}: not counted: {sorted(eager - found)}"
        extra = {line for line in found - eager if line > first + 2}
        assert not extra, f"{arguments}: counted: {sorted(extra)}"


def test_coverage_counts_no_branch_that_python_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "left_out.py"
    path.write_text(
        "def f(x, flag):\n    if flag:\n        x = x + 1\n    else:\n        x = x - 1\n"
        "    return x\n",
        encoding="utf-8",
    )
    names: dict[str, Any] = {"__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), names)
    staged = ag.function(mode="evaluate")(names["f"])
    assert lines_run(lambda: staged(ag.asarray(1.0), True), path) == {2, 3, 6}


# profiles -----------------------------------------------------------------------------------------
def functions_in(profile: cProfile.Profile) -> set[tuple[str, str]]:
    return {(file, name) for file, _, name in pstats.Stats(profile).stats}  # type: ignore[attr-defined]


def test_profiles_name_the_users_functions(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counter = loaded(program)["Counter"]()
    with cProfile.Profile() as profile:
        counter.steps(ag.asarray(6))
    found = functions_in(profile)
    assert {(str(program), "steps"), (str(program), "halved")} <= found
    own = {name for file, name in found if file == str(program)}
    assert not any(name.startswith("ag__") for name in own)


@pytest.mark.compiled
def test_profiles_name_compiled_calls() -> None:
    @ag.function
    def doubled_in_a_profile(x):
        return x * 2

    x = ag.asarray(1.0)
    for _ in range(3):
        doubled_in_a_profile(x)
    with cProfile.Profile() as profile:
        doubled_in_a_profile(x)
    assert "doubled_in_a_profile" in {name for _, name in functions_in(profile)}
