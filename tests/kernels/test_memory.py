"""Where the memory does not suffice, a staged call raises MemoryError, and the next one works."""

from __future__ import annotations

import subprocess
import sys

import pytest

import autograph as ag

PROGRAM = """
import resource
import autograph as ag

@ag.function
def gathered(n, x):
    out = []
    for i in range(n):
        out.append(x * i)
    return ag.stack(out)

@ag.function
def doubled(n, x):
    for i in range(n):
        x = ag.concat([x, x])
    return ag.sum(x)

@ag.function
def slope(n, x):
    def turned(x):
        for i in range(n):
            x = ag.tanh(x * 1.01)
        return ag.sum(x)
    return ag.sum(ag.grad(turned)(x))

x = ag.ones((1000, 1000))
calls = ((gathered, 1000), (doubled, 40), (slope, 3000))
for call, _ in calls:
    call(ag.asarray(2), x)
resource.setrlimit(resource.RLIMIT_AS, (3_000_000_000,) * 2)
for call, turns in calls:
    try:
        call(ag.asarray(turns), x)
    except MemoryError:
        print("MemoryError", ag.sum(call(ag.asarray(2), x)).item() > 0)
"""


@pytest.mark.compiled
@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
def test_growing_without_end_raises(tmp_path: object) -> None:
    path = f"{tmp_path}/program.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    ran = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert ran.stdout.split() == ["MemoryError", "True"] * 3, ran.stderr


@pytest.mark.compiled
def test_a_tensor_that_no_machine_holds() -> None:
    zeros = ag.function(lambda n: ag.zeros((n, 1000)))
    assert zeros(ag.asarray(2)).shape == (2, 1000)
    with pytest.raises(MemoryError):
        zeros(ag.asarray(10**12))
    assert zeros(ag.asarray(3)).shape == (3, 1000)
