"""The text of kernels: who does what, and where lanes wait for one another."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda.emulator import Divergence, entry_of_kernel
from autograph.kernels.cuda.spread import spread
from tests.cuda.kernel_programs import MODELS
from tests.harness.picture_of_results import same_results


@pytest.mark.parametrize("name", ["newton", "recurrent", "rows"])
def test_golden_text(name: str, golden: Callable[[str, str], None]) -> None:
    model = MODELS[name]
    text = spread(ag.function(model.function).program(*model.arguments))
    golden(f"kernels/{name}.py.txt", re.sub(r"kernel_programs\.py:\d+", "model.py:7", text))


@pytest.mark.parametrize("name", MODELS)
def test_as_plain_python(name: str) -> None:
    function, arguments = MODELS[name]
    same_results(ag.function(mode="emulate")(function)(*arguments), function(*arguments))


def run(
    body: str,
    *arrays: np.ndarray,
    lanes: int = 4,
    seed: int = 0,
    whole: bool = False,
    team: int = 2,
) -> int:
    """Run a program's body, or the kernel's own where it is `whole`."""
    text = "def program(arguments):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    kernel = text if whole else spread(text)
    return entry_of_kernel(kernel, lanes, seed, team)(np.zeros(20, np.int64), *arrays)


HEAD = "x = float64_at(array_data(arguments, 1))\ny = float64_at(array_data(arguments, 2))\n"
NEIGHBOURS = "for i in {0}:\n    x[i] = float64(i)\n{1}for i in {0}:\n    y[i] = x[(i + 1) % 8]\n"


@pytest.mark.parametrize("lanes", [1, 3, 8, 11])
def test_it_waits_before_neighbours_are_read(lanes: int) -> None:
    x, y = np.zeros(8), np.zeros(8)
    body = HEAD + NEIGHBOURS.format("parallel_range(8, 1)", "") + "return 0"
    for seed in range(5):
        assert run(body, x, y, lanes=lanes, seed=seed) == 0
        assert y.tolist() == [1, 2, 3, 4, 5, 6, 7, 0]
        y[:] = 0


def test_the_emulator_sees_a_wait_that_is_missing() -> None:
    found = set()
    body = HEAD + NEIGHBOURS.format("range(lane(), 8, lanes())", "") + "return 0"
    for seed in range(10):
        x, y = np.zeros(8), np.zeros(8)
        run(body, x, y, seed=seed, whole=True)
        found.add(tuple(y))
    assert len(found) > 1


@pytest.mark.parametrize(
    "body",
    [
        "if lane() > 1:\n    wait()\nreturn 0",
        "while lane() > 2:\n    wait()\n    return 1\nreturn 0",
        "if lane() > 1:\n    wait()\nelse:\n    wait()\nreturn 0",
    ],
)
def test_lanes_that_part_are_an_error(body: str) -> None:
    with pytest.raises(Divergence):
        run(body, whole=True)


ROWS = """n = int64_at(array_data(arguments, 0))[19] + 5
for i in parallel_range(7, 1):
    r = float64(0.0)
    for j in gather_range(n):
        v = x[i * 5 + j]
        r = r + v
    x[i * 5] = r
    for k in gather_range(n):
        y[i * 5 + k] = x[i * 5] + float64(k)
return 0
"""


@pytest.mark.parametrize(("lanes", "team"), [(1, 1), (4, 2), (6, 2), (8, 4), (8, 8), (16, 4)])
def test_teams_share_rows(lanes: int, team: int) -> None:
    """The leader of a team writes what the others read after it."""
    wanted = np.arange(35.0).reshape(7, 5).sum(axis=1)[:, None] + np.arange(5.0)
    assert "for i in range(lane() // team_i, 7, lanes() // team_i)" in spread(whole_text(ROWS))
    for seed in range(6):
        x, y = np.arange(35.0), np.zeros(35)
        assert run(HEAD + ROWS, x, y, lanes=lanes, seed=seed, team=team) == 0
        np.testing.assert_array_equal(y.reshape(7, 5), wanted)


def test_the_emulator_sees_a_wait_of_a_team_that_is_missing() -> None:
    kernel = spread(whole_text(ROWS)).replace("wait_in_team(team_i)", "0")
    found = set()
    for seed in range(10):
        x, y = np.arange(35.0), np.zeros(35)
        entry_of_kernel(kernel, 8, seed, 4)(np.zeros(20, np.int64), x, y)
        found.add(tuple(y))
    assert len(found) > 1


def whole_text(body: str) -> str:
    lines = (HEAD + body).splitlines()
    return "def program(arguments):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(3):\n    if lane() == 1:\n        wait_in_team(2)\nreturn 0",
        "wait_in_team(2 + 2 * (lane() // 2))\nreturn 0",
        "if lane() > 1:\n    wait_in_team(2)\nelse:\n    wait()\nreturn 0",
    ],
)
def test_members_of_a_team_that_part_are_an_error(body: str) -> None:
    with pytest.raises(Divergence):
        run(body, whole=True)


def test_gathered_values() -> None:
    body = """x = float64_at(array_data(arguments, 1))
y = int64_at(array_data(arguments, 2))
r = float64(0.0)
most = float64(-1.0)
for i in gather_range(9):
    v = x[i]
    r = gather_sum(r, v)
    most = gather_max(most, v)
n = int64(0)
for i in gather_range(9):
    n = n + int64(x[i] > 3.0)
y[0] = int64(r)
y[1] = int64(most)
y[2] = n
return 0"""
    for lanes in (1, 2, 9, 20):
        y = np.zeros(3, np.int64)
        assert run(body, np.arange(9.0), y, lanes=lanes) == 0
        assert y.tolist() == [36, 8, 5]


@pytest.mark.parametrize("lanes", [1, 3, 16])
def test_the_first_turn_that_fails_is_told(lanes: int) -> None:
    body = """parameters = int64_at(array_data(arguments, 0))
x = int64_at(array_data(arguments, 1))
y = int64_at(array_data(arguments, 2))
for i in apart_range(10):
    v = x[i]
    if v > 90:
        parameters[1] = v
        return 7
    y[i] = v + 1
y[0] = y[9]
return 0"""
    y = np.zeros(10, np.int64)
    assert run(body, np.arange(10), y, lanes=lanes) == 0
    assert y.tolist() == [10, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    text = "def program(arguments):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    words = np.zeros(20, np.int64)
    x = np.array([0, 1, 2, 95, 3, 91, 99, 4, 5, 98])
    assert entry_of_kernel(spread(text), lanes)(words, x, y) == 7
    assert words[1] == 95


def test_a_loop_that_cannot_be_cut_is_of_one_lane() -> None:
    """Each turn needs the one before; what it leaves in a variable, all lanes get."""
    body = """x = float64_at(array_data(arguments, 1))
last = float64(1.0)
for i in range(6):
    last = last * 2.0
    x[i] = last
if last > 60.0:
    x[6] = last
return 0"""
    x = np.zeros(7)
    assert run(body, x) == 0
    assert x.tolist() == [2, 4, 8, 16, 32, 64, 64]
    assert "last = by_one(last)" in spread(
        "def program(arguments):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    )
