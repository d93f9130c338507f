"""The compile cache and the terminal misbehave: results stay right, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograph.kernels.interrupts import interruptible

pytestmark = pytest.mark.compiled

PROGRAM = """
import autograph as ag

@ag.function
def f(x, n):
    total = x * 0
    for i in range(n):
        if i % 2 == 0:
            total = total + x * i
        else:
            total = total - 1
    return total

assert float(f(ag.asarray(2.0), ag.asarray(5))) == 10.0
print("right")
"""


@pytest.fixture
def takes_interrupts() -> Iterator[None]:
    """As a program in the foreground does; one in the background ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def start(code: str, cache: Path, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _saved(code, cache)],
        env={**os.environ, "AUTOGRAPH_CACHE_DIR": str(cache), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )


def _saved(code: str, cache: Path) -> str:
    """A command that runs `code` from a file, so that its functions have a source.

    It takes interrupts, also where the suite was started in the background and ignores them.
    """
    folder = Path(os.environ["AUTOGRAPH_CACHE_DIR"]) / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"program_{abs(hash((code, str(cache))))}.py"
    path.write_text(textwrap.dedent(code), encoding="utf-8")
    takes = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    return f"{takes}; import runpy; runpy.run_path({str(path)!r}, run_name='__main__')"


def finish(process: subprocess.Popen[str], seconds: float = 120) -> str:
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0, err
    return out


def test_a_cache_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert "right" in finish(start(PROGRAM, tmp_path / "file" / "cache"))


def test_a_cache_folder_that_is_read_only(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o500)
    try:
        assert "right" in finish(start(PROGRAM, cache))
    finally:
        cache.chmod(0o700)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    full = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""
    process = start(full + PROGRAM, tmp_path / "cache")
    assert "right" in finish(process)


def test_interrupt_in_a_native_loop(tmp_path: Path) -> None:
    code = """
import os, subprocess, time
import autograph as ag

v = ag.Variable(1.0)

@ag.function
def spin(x, n):
    v.assign_add(1.0)
    i = 0
    while i < n:
        x = x * 0.5 + 1
        i = i + 1 - n // 1000000000000
    return x

spin(ag.asarray(1.0), ag.asarray(10))
assert float(v) == 2.0
started = time.monotonic()
subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {os.getpid()}"])
try:
    spin(ag.asarray(1.0), ag.asarray(1000000000001))
except KeyboardInterrupt:
    took = time.monotonic() - started
    assert took < 10, took
else:
    raise SystemExit("it was not interrupted")
assert float(v) == 2.0
spin(ag.asarray(1.0), ag.asarray(10))
assert float(v) == 3.0
print("right")
"""
    assert "right" in finish(start(code, tmp_path / "cache"))


@pytest.mark.parametrize("delay", [0.05, 0.4, 1.0])
def test_interrupt_while_compiling(delay: float, tmp_path: Path) -> None:
    code = f"""
import os, signal, threading, time
import autograph as ag

v = ag.Variable(1.0)

@ag.function
def f(x, n):
    v.assign_add(1.0)
    for i in range(n):
        if i % 2 == 0:
            x = ag.tanh(x) + i
        else:
            x = ag.exp(-x) * ag.sum(x)
    return x

threading.Timer({delay}, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
interrupted = False
try:
    f(ag.ones((3,)), ag.asarray(4))
    time.sleep(5)
except KeyboardInterrupt:
    interrupted = True
assert interrupted
before = float(v)
assert before in (1.0, 2.0)
result = f(ag.ones((3,)), ag.asarray(4))
assert float(v) == before + 1
assert result.shape == (3,)
print("right")
"""
    assert "right" in finish(start(code, tmp_path / "cache"))


def test_interrupt_signal_is_restored(tmp_path: Path) -> None:
    """A call leaves the handlers of signals as they were."""
    code = PROGRAM + "\nimport signal\nassert signal.getsignal(signal.SIGINT) is _before\n"
    code = "import signal\n_before = signal.getsignal(signal.SIGINT)\n" + code
    assert signal.SIGINT
    assert "right" in finish(start(code, tmp_path / "cache"))


def test_an_interrupt_that_a_callback_swallows_is_raised_at_the_end(
    monkeypatch: pytest.MonkeyPatch, takes_interrupts: None
) -> None:
    swallowed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: swallowed.append(told.exc_type))

    class Interrupting:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    steps = []
    with pytest.raises(KeyboardInterrupt), interruptible():
        Interrupting()
        steps.append("after it")
    assert (swallowed, steps) == ([KeyboardInterrupt], ["after it"])
    assert signal.getsignal(signal.SIGINT) is before
