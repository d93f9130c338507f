"""Calls of programs on a device: what is brought there and back, memory, lists, errors.

The device is a stand-in: the kernel's module, compiled for this processor, with one lane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels import cache
from autograph.kernels.cuda import emulator, launch
from autograph.kernels.cuda.driver import device_count
from autograph.kernels.cuda.spread import NotSpread
from autograph.kernels.cuda.waiting import wait_for
from tests.cuda.kernel_programs import MODELS
from tests.harness.host_device import HostDevice
from tests.harness.picture_of_results import same_results

pytestmark = pytest.mark.compiled


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostDevice]:
    """What mode="emulate" runs on."""
    made = HostDevice()
    engine = launch.engine_on(made, None, "emulate")
    monkeypatch.setattr(emulator, "EMULATOR", engine)
    yield made


@pytest.mark.parametrize("name", MODELS)
def test_as_plain_python(name: str, device: HostDevice) -> None:
    function, arguments = MODELS[name]
    staged = ag.function(mode="emulate")(function)
    for _ in range(2):
        same_results(staged(*arguments), function(*arguments))
    assert Counter(call[0] for call in device.calls)["launch"] == 2


def test_a_call_is_one_launch(device: HostDevice) -> None:
    """A loop of 200 turns with products and a list: one launch, one block of bytes each way."""
    function, (x, w, u, _) = MODELS["recurrent"]
    staged = ag.function(mode="emulate")(function)
    long = ag.asarray(np.resize(np.asarray(x), (200, 3, 4)))
    staged(long, w, u, ag.asarray(200))
    device.calls.clear()
    staged(long, w, u, ag.asarray(200))
    assert Counter(call[0] for call in device.calls) == {"to_device": 1, "launch": 1, "to_host": 2}


def test_profiles_tell_the_whole_run(device: HostDevice) -> None:
    function, arguments = MODELS["newton"]
    staged = ag.function(mode="emulate")(function)
    with ag.profile() as profile:
        staged(*arguments)
    assert "1 programs run" in str(profile) and "1 launches on GPUs" in str(profile)
    assert profile.on_gpu["launches"] == 1 and 0 < profile.on_gpu["to_device"] < 4096
    assert Counter(call[0] for call in device.calls)["launch"] == 1


def test_exceptions_have_the_users_line(device: HostDevice) -> None:
    staged = ag.function(mode="emulate")(MODELS["checked"].function)
    with pytest.raises(IndexError) as caught:
        staged(ag.ones(3), ag.asarray(7))
    assert "kernel_programs.py" in str(caught.traceback[-1].path)
    with pytest.raises(ValueError, match="too large"):
        staged(ag.ones(3) * 1e9, ag.asarray(1))
    assert float(staged(ag.ones(3), ag.asarray(1))) == 4.0


@pytest.mark.parametrize("indices", [[0, 9, 7], [-7], [1, 2, 6]])
def test_the_first_index_outside_is_told(device: HostDevice, indices: list[int]) -> None:
    function, (x, _) = MODELS["moved"]
    staged = ag.function(mode="emulate")(function)
    with pytest.raises(IndexError) as plain:
        function(x, ag.asarray(indices))
    with pytest.raises(IndexError) as caught:
        staged(x, ag.asarray(indices))
    assert str(plain.value) in str(caught.value)


def test_a_variable_is_changed_after_success_alone(device: HostDevice) -> None:
    total = ag.Variable(1.0)

    @ag.function(mode="emulate")
    def step(x: Any) -> Any:
        total.assign(total + ag.sum(x))
        if total > 5:
            raise ValueError("enough")
        return total * 2

    assert float(step(ag.ones(2))) == 6.0
    with pytest.raises(ValueError, match="enough"):
        step(ag.ones(4))
    assert float(total) == 3.0


def test_the_heap_grows(device: HostDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "FIRST_HEAP", 1 << 12)

    @ag.function(mode="emulate")
    def large(x: Any) -> Any:
        y = ag.flip(x * 2, axis=0)
        return ag.sum(y @ y.T)

    x = ag.asarray(np.random.default_rng(0).normal(size=(60, 50)))
    same_results(large(x), large.python_function(x), 1e-9)
    assert Counter(call[0] for call in device.calls)["launch"] > 1


def test_without_memory_it_is_a_memory_error(
    device: HostDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "FIRST_HEAP", 1 << 12)
    device.most = 1 << 15

    @ag.function(mode="emulate")
    def large(x: Any) -> Any:
        return ag.sum(ag.flip(x * 2, axis=0) @ x.T)

    with pytest.raises(MemoryError):
        large(ag.ones((60, 50)))
    assert float(large(ag.ones((2, 2)))) == 16.0


def test_what_has_no_kernel_runs_on_the_cpu(device: HostDevice) -> None:
    @ag.function(mode="emulate")
    def solved(a: Any, b: Any) -> Any:
        return ag.linalg.solve(a, b)

    same_results(solved(ag.eye(3) * 2.0, ag.ones(3)), ag.ones(3) / 2.0)
    assert not device.calls
    assert any("LAPACK" in reason for reason in launch.REFUSED.values())


def test_equal_programs_are_loaded_once(device: HostDevice) -> None:
    """Each number of rows is a trace of its own; all of them are one kernel."""
    loaded = device.loaded
    for size in range(2, 8):
        assert (
            float(ag.function(mode="emulate")(lambda x: ag.sum(x * 2))(ag.ones(size))) == 2 * size
        )
    assert device.loaded == loaded + 1


def test_what_kernels_are_made_with_decides_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel on disk is not taken where the code that writes kernels is another one."""
    folders = ("cuda", "library", "scalar", "support")
    before = cache.key_of("text", *folders)
    read = Path.read_bytes
    for changed in ("module.py", "exponential.py", "frames.py", "scan.py"):
        cache._own_sources.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(
                Path, "read_bytes", lambda one, c=changed: read(one) + b" " * (one.name == c)
            )
            assert cache.key_of("text", *folders) != before
    cache._own_sources.cache_clear()
    assert cache.key_of("text", *folders) == before


def test_a_program_that_cannot_be_spread_runs_on_the_cpu(
    device: HostDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str) -> str:
        raise NotSpread("for a reason")

    monkeypatch.setattr(launch, "spread", refuse)
    assert float(ag.function(mode="emulate")(lambda x: ag.max(x * 7))(ag.ones(3))) == 7.0
    assert "for a reason" in launch.REFUSED.values() and not device.calls


@pytest.mark.skipif(device_count() > 0, reason="there is a GPU")
def test_without_a_gpu_it_says_so() -> None:
    with pytest.raises(RuntimeError, match="finds no GPU"):
        ag.function(mode="cuda")(lambda x: x * 2)(ag.ones(2))


def test_ctrl_c_asks_the_kernel_to_end_and_is_raised_when_it_has() -> None:
    seen: list[str] = []

    def has_ended() -> bool:
        seen.append("looked")
        if len(seen) == 3:
            raise KeyboardInterrupt
        return "asked" in seen and len(seen) > 6

    with pytest.raises(KeyboardInterrupt):
        wait_for(has_ended, lambda: seen.append("asked"))
    assert seen.index("asked") == 3 and len(seen) > 6
