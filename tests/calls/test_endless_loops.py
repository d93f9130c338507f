"""A loop that does not end in plain Python does not end staged: it is no dead code.

It can be interrupted, and what the call would have changed is as it was.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PROGRAMS = """
import os, signal, subprocess, time
import autograph as ag

signal.signal(signal.SIGINT, signal.default_int_handler)
t = ag.asarray
v = ag.Variable(1.0)


def always_true(x):
    v.assign_add(1.0)
    while ag.asarray(True):
        pass


def true_again(x):
    v.assign_add(1.0)
    c = True
    while c:
        c = ag.asarray(True)


def equal_numbers(x):
    v.assign_add(1.0)
    while ag.asarray(1) == 1:
        pass


def number_that_nobody_counts(x):
    v.assign_add(1.0)
    i = ag.asarray(0)
    while i < 10:
        pass
    return x


def result_that_nobody_needs(x):
    v.assign_add(1.0)
    def spin(y):
        while ag.isfinite(y):
            y = y * 0.5
        return y
    spin(x)
    return 5


def in_the_branch_taken(x):
    v.assign_add(1.0)
    if x > 0:
        while ag.asarray(1) == 1:
            pass
    return x


def inside_a_loop(x):
    v.assign_add(1.0)
    for _ in range(ag.asarray(3)):
        while ag.isfinite(x):
            pass
    return x


def inside_a_tape(x):
    v.assign_add(1.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        while ag.isfinite(x):
            x = x * 0.5
    return tape.gradient(y, x)


def by_hand(x):
    v.assign_add(1.0)
    ag.while_loop(lambda y: ag.isfinite(y), lambda y: (y * 0.5,), (x,))
    return x


def in_a_handler(x):
    v.assign_add(1.0)
    try:
        while ag.isfinite(x):
            pass
    except ValueError:
        return x
    return x * 2


@ag.function
def inner(x):
    while ag.isfinite(x):
        pass


def by_another(x):
    v.assign_add(1.0)
    inner(x)
    return x


def not_taken(x):
    if x < 0:
        while ag.asarray(1) == 1:
            pass
    return x


def never_begun(x):
    while ag.asarray(1) == 2:
        pass
    return x


ENDLESS = (
    always_true, true_again, equal_numbers, number_that_nobody_counts, result_that_nobody_needs,
    in_the_branch_taken, inside_a_loop, inside_a_tape, by_hand, in_a_handler, by_another,
)
ENDING = (not_taken, never_begun)


def interrupt_later(seconds):
    return subprocess.Popen(["sh", "-c", f"sleep {seconds}; kill -INT {os.getpid()}"])


for function in ENDING:
    assert float(ag.function(function, mode=MODE)(t(1.0))) == 1.0

for function in ENDLESS[:MOST]:
    staged = ag.function(function, mode=MODE)
    staged.program(t(1.0))  # what takes time is done before
    timer = interrupt_later(SECONDS)
    begun = time.monotonic()
    try:
        staged(t(1.0))
    except KeyboardInterrupt:
        took = time.monotonic() - begun
        assert took > SECONDS * 0.9, (function, took)
    else:
        timer.kill()
        raise SystemExit(f"{function.__name__} ended")
    assert float(v) == 1.0, function
print("right")
"""


def run(mode: str, seconds: float, most: int, folder: Path) -> str:
    """What a child process prints that runs the programs in a mode."""
    path = folder / "programs.py"
    head = f"MODE, SECONDS, MOST = {mode!r}, {seconds}, {most}\n"
    path.write_text(head + textwrap.dedent(PROGRAMS), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    return done.stdout + done.stderr


def test_as_text(tmp_path: Path) -> None:
    assert run("text", 0.3, 99, tmp_path).strip() == "right"


@pytest.mark.compiled
def test_compiled(tmp_path: Path) -> None:
    assert run("compile", 1.5, 2, tmp_path).strip() == "right"
