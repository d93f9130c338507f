"""`ag.profile`: the phases and lines of staged calls, and that they compute the same meanwhile."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.ticks import with_ticks


def waves(x: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        y = np.sin(x) * i
        total = total + np.exp(-y * y) @ x
    return total


def steps(n: Any) -> Any:
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


X = np.linspace(0.0, 1.0, 1000)
SLOWEST = next(
    number + waves.__code__.co_firstlineno
    for number, text in enumerate(["def", "total", "for", "y = np.sin(x) * i"])
    if "sin" in text
)


@pytest.mark.parametrize("mode", ["text", pytest.param("compile", marks=pytest.mark.compiled)])
def test_the_time_is_told_by_phases_and_lines(mode: Any, tmp_path: Path) -> None:
    staged = ag.function(mode=mode)(waves)
    wanted = staged(X, 5)
    with ag.profile() as p:
        results = [staged(X, 5) for _ in range(3)]
    assert results == [wanted] * 3 and p.calls == 3
    assert p.phases["run"] > 0.0 and p.phases["trace"] == 0.0
    assert sum(p.phases.values()) <= p.seconds
    names = {one.line: one for one in p.lines}
    sine = names[SLOWEST]
    assert sine.file == Path(__file__).name and sine.source == "y = np.sin(x) * i"
    assert "sin" in sine.ops and sine.times >= 3
    assert p.lines == sorted(p.lines, key=lambda one: -one.seconds)
    assert sum(one.seconds for one in p.lines) <= p.phases["run"]
    assert "y = np.sin(x) * i" in str(p) and "3 programs run" in str(p)
    p.save(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert [one["name"] for one in events if one["cat"] == "run"] == ["run waves"] * 3
    assert staged(X, 5) == wanted  # the short way again


def test_a_first_call_has_all_phases() -> None:
    with ag.profile() as p:
        assert ag.function(mode="text")(steps)(ag.asarray(27)) == 111
    assert all(p.phases[name] > 0.0 for name in ("trace", "optimise", "lower", "run"))
    assert max(one.times for one in p.lines) >= 111


def test_gradients_and_driven_programs_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    def told(x: Any) -> Any:
        y = ag.sum(x * x)
        print("seen", y.shape)
        return y * 2.0

    staged = ag.function(mode="text")(told)
    x = ag.ones((4,))
    with ag.profile() as p, ag.GradientTape() as tape:
        tape.watch(x)
        y = staged(x)
    assert tape.gradient(y, x).tolist() == [4.0] * 4
    assert p.calls >= 1 and capsys.readouterr().out == "seen ()\n"


def test_an_exception_ends_a_profile_and_one_runs_at_a_time() -> None:
    def fails(x: Any) -> Any:
        for _ in range(x):
            if x > 2:
                raise ValueError("too many")
        return x

    staged = ag.function(mode="text")(fails)
    with pytest.raises(ValueError, match="too many"), ag.profile() as p:
        staged(ag.asarray(3))
    assert p.calls == 1 and p.seconds > 0.0
    with ag.profile():
        with pytest.raises(ag.StagingError, match="a profile is running already"):
            with ag.profile():
                pass
    with ag.profile() as p:
        pass
    assert p.calls == 0 and p.lines == [] and "0 programs run" in str(p)


def test_loops_that_threads_share_have_no_clocks_inside() -> None:
    text = (
        "def program(arguments):\n"
        "    # add, a.py:1\n"
        "    for i0 in parallel_range(n, 3):\n"
        "        # multiply, a.py:2\n"
        "        x[i0] = 1\n"
        "    while going:\n"
        "        # sum, a.py:3\n"
        "        y[0] = 2\n"
        "    return 0"
    )
    lines = with_ticks(text).split("\n")
    ticks = [number for number, line in enumerate(lines) if line.lstrip().startswith("tick(")]
    assert [lines[number - 1].strip() for number in ticks] == ["# add, a.py:1", "# sum, a.py:3"]
    assert [len(lines[number]) - len(lines[number].lstrip()) for number in ticks] == [4, 8]


def test_what_was_compiled_is_told() -> None:
    staged = ag.function(mode="text")(steps)
    assert staged.explain_compile() == ""
    staged(ag.asarray(7))
    told = staged.explain_compile()
    assert re.fullmatch(
        r"steps\(i64\[\]\): \d+ ops, a program of \d+ lines, CPython in \d\.\d{3} s", told
    )
    again = ag.function(mode="evaluate")(steps)
    again(ag.asarray(7))
    assert again.explain_compile().endswith("run op by op")


@pytest.mark.compiled
def test_code_is_compiled_or_from_disk() -> None:
    staged = ag.function(waves)
    staged(X, 2)
    assert re.search(r"(compiled|from disk) in \d", staged.explain_compile())
