"""Arrays that stay on a device from call to call, and who puts them there.

The device is a stand-in whose memory is this process's own; what is copied is counted.
"""

from __future__ import annotations

import copy
import gc
import pickle
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import driver, launch
from autograph.kernels.cuda.managed import SMALLEST, ManagedMemory, block_of, rounded
from tests.harness.host_device import HostDevice
from tests.harness.picture_of_results import same_results

pytestmark = pytest.mark.compiled
COUNT = SMALLEST // 4
"""Elements of float64: twice what makes an array large."""


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostDevice]:
    """What `cuda:0` is."""
    made = HostDevice()
    memory = ManagedMemory(made, "cuda:0")
    engine = launch.engine_on(made, memory)
    monkeypatch.setattr(driver, "device_count", lambda: 1)
    monkeypatch.setattr(launch, "memory_on_gpu", lambda number=0: memory)
    monkeypatch.setattr(launch, "engine_on_gpu", lambda number=0: engine)
    yield made


def bytes_there(device: HostDevice) -> int:
    return sum(call[1] for call in device.calls if call[0] == "to_device")


def test_results_stay_there(device: HostDevice) -> None:
    """What a call gives the next one takes; only words go to and fro."""
    step = ag.function(mode="cuda")(lambda x: x * 0.5 + 1.0)
    x = ag.asarray(np.arange(COUNT) * 1.0)
    assert x.device == "cpu:0"
    y = step(x)
    assert y.device == "cuda:0" and bytes_there(device) > x.numpy().nbytes
    device.calls.clear()
    for _ in range(3):
        y = step(y)
    assert bytes_there(device) < 4096
    assert sum(call[1] for call in device.calls if call[0] == "to_host") < 4096
    wanted = np.arange(COUNT) * 1.0
    for _ in range(4):
        wanted = wanted * 0.5 + 1.0
    np.testing.assert_array_equal(y.numpy(), wanted)


def test_small_results_come_with_the_call(device: HostDevice) -> None:
    total = ag.function(mode="cuda")(lambda x: (ag.sum(x), x[:3]))
    first, second = total(ag.ones(COUNT))
    assert first.device == second.device == "cpu:0"
    assert float(first) == COUNT


def test_put_there(device: HostDevice) -> None:
    x = ag.asarray(np.arange(COUNT) * 1.0)
    moved = x.to("cuda:0")
    assert moved.device == "cuda:0" and x.device == "cpu:0"
    assert moved.to("cuda") is moved and moved.to_device("gpu:0") is moved  # type: ignore[attr-defined]
    assert moved.to("cpu").device == "cpu:0"
    device.calls.clear()
    same_results(ag.function(mode="cuda")(lambda x: x + 1)(moved), x + 1)
    assert bytes_there(device) < 4096
    same_results(moved * 2, x * 2)
    with pytest.raises(ValueError, match="there are: cpu:0, cuda:0"):
        x.to("cuda:1")
    with pytest.raises(TypeError, match="astype"):
        x.to(ag.float32)


def test_gradients_go_through(device: HostDevice) -> None:
    x = ag.asarray(np.arange(COUNT) * 1.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.function(mode="cuda")(lambda x: ag.sum(x * x))(x.to("cuda:0"))
    gradient = tape.gradient(y, x)
    np.testing.assert_array_equal(gradient.numpy(), 2.0 * np.arange(COUNT))


def test_a_scope(device: HostDevice) -> None:
    """What is made in it lives there, and functions that are called in it run there."""
    doubled = ag.function(lambda x: x * 2)
    with ag.device("cuda:0"):
        made = [ag.zeros(COUNT), ag.asarray(np.ones(COUNT)), ag.ones(COUNT, device="cpu:0")]
        weights = ag.Variable(np.ones(COUNT))
        with ag.device("cpu:0"):
            made.append(ag.zeros(COUNT))
        device.calls.clear()
        result = doubled(weights)
    assert [one.device for one in made] == ["cuda:0", "cuda:0", "cpu:0", "cpu:0"]
    assert weights.device == result.device == "cuda:0"
    assert Counter(call[0] for call in device.calls)["launch"] == 1
    device.calls.clear()
    assert doubled(weights).device == "cpu:0" and not device.calls
    assert ag.ones(COUNT, device="cuda").device == "cuda:0"


def test_variables_stay_there(device: HostDevice) -> None:
    """Steps of an optimiser: the weights are never copied after the first call."""
    weights = ag.Variable(np.zeros(COUNT))
    target = ag.asarray(np.arange(COUNT) * 1.0).to("cuda:0")

    @ag.function(mode="cuda")
    def step(rate: float) -> Any:
        with ag.GradientTape() as tape:
            loss = ag.sum((weights - target) ** 2)
        weights.assign_sub(rate * tape.gradient(loss, weights))
        return loss

    step(0.1)
    assert weights.device == "cuda:0"
    device.calls.clear()
    losses = [float(step(0.1)) for _ in range(3)]
    assert losses == sorted(losses, reverse=True)
    assert bytes_there(device) < 3 * 4096
    np.testing.assert_allclose(weights.numpy(), np.arange(COUNT) * (1 - 0.8**4))


def test_arrays_of_numpy(device: HostDevice) -> None:
    """Results are arrays like any other, writeable and each its own."""
    function = ag.function(mode="cuda")(lambda a: (a * 2, a[::2] + 1))
    a = np.arange(COUNT) * 1.0
    first, second = function(a)
    assert type(first) is np.ndarray and block_of(first) is not None
    first += 1
    again, _ = function(first)
    np.testing.assert_array_equal(again, (a * 2 + 1) * 2)
    np.testing.assert_array_equal(second, a[::2] + 1)


def test_views_of_them(device: HostDevice) -> None:
    """A piece in rows is taken where it lies; another one is brought there."""
    function = ag.function(mode="cuda")(lambda a: a + 1)
    whole = function(np.arange(8.0 * COUNT).reshape(8, COUNT))
    plain = np.arange(8.0 * COUNT).reshape(8, COUNT) + 1
    function(whole[2:5])
    device.calls.clear()
    np.testing.assert_array_equal(function(whole[2:5]), plain[2:5] + 1)
    assert bytes_there(device) < 4096
    np.testing.assert_array_equal(function(whole[:, ::2]), plain[:, ::2] + 1)


def test_blocks_are_used_again(device: HostDevice) -> None:
    step = ag.function(mode="cuda")(lambda x: x * 0.5)
    x = step(ag.ones(COUNT))
    for _ in range(3):
        x = step(x)
    device.calls.clear()
    for _ in range(10):
        x = step(x)
    assert "allocate" not in {call[0] for call in device.calls}


def test_memory_that_arrays_have_left_is_given_back(device: HostDevice) -> None:
    memory = ManagedMemory(device, "cuda:0")
    one = memory.array((COUNT,), np.dtype(float))
    kept = len(device.blocks)
    del one
    gc.collect()
    device.most = 2 * SMALLEST * 4
    device.calls.clear()
    with pytest.raises(MemoryError):
        memory.array((64 * COUNT,), np.dtype(float))
    assert len(device.blocks) == kept - 1


def test_out_of_memory_changes_nothing(device: HostDevice) -> None:
    weights = ag.Variable(np.ones(COUNT))

    @ag.function(mode="cuda")
    def step() -> Any:
        weights.assign(weights * 2)
        return ag.sum(weights)

    device.most = COUNT
    with pytest.raises(MemoryError):
        step()
    assert float(weights[0]) == 1.0
    device.most = 1 << 40
    assert float(step()) == 2 * COUNT


def test_arrays_of_other_libraries(device: HostDevice) -> None:
    """What says where it is on a GPU is copied there, and never read by the processor."""
    elements = np.arange(COUNT) * 1.0

    class OnGPU:
        def __init__(self, strides: Any) -> None:
            self.__cuda_array_interface__ = {
                "data": (elements.ctypes.data, False),
                "shape": (COUNT,),
                "typestr": "<f8",
                "strides": strides,
                "version": 3,
            }
            self.device = SimpleNamespace(id=0)

        def __array__(self, *given: Any, **named: Any) -> Any:
            raise TypeError("it is on a GPU")

    for strides in (None, (8,)):
        device.calls.clear()
        x = ag.asarray(OnGPU(strides))
        assert x.device == "cuda:0" and ("copy", 8 * COUNT) in device.calls
        np.testing.assert_array_equal(x.numpy(), elements)
    assert ag.from_dlpack(OnGPU(None)).device == "cuda:0"
    assert ag.asarray(OnGPU(None), dtype=ag.float32).dtype == ag.float32
    with pytest.raises(ValueError, match="contiguous"):
        ag.asarray(OnGPU((16,)))


def test_saved_functions_run_there(device: HostDevice, tmp_path: Path) -> None:
    function = ag.function(input_signature=[ag.TensorSpec([None], ag.float64)])(lambda x: x * 2)
    ag.save(function, tmp_path / "saved")
    loaded = ag.load(tmp_path / "saved", mode="cuda")
    result = loaded(ag.ones(COUNT, dtype=ag.float64).to("cuda:0"))
    assert result.device == "cuda:0" and float(ag.sum(result)) == 2 * COUNT


def test_what_reads_them(device: HostDevice, tmp_path: Path) -> None:
    """Check mode, checkpoints and pickles take their values as they take any."""
    with ag.device("cuda:0"):
        weights = ag.Variable(np.arange(COUNT) * 1.0)
    checked = ag.function(mode="cuda", check=True)(lambda x: ag.sum(x * weights))
    assert float(checked(weights)) == float(np.sum(np.arange(COUNT) ** 2.0))
    path = ag.Checkpoint(weights=weights).save(tmp_path / "kept")
    weights.assign(weights * 0)
    ag.Checkpoint(weights=weights).restore(path)
    np.testing.assert_array_equal(weights.numpy(), np.arange(COUNT))
    there = ag.ones(COUNT).to("cuda:0")
    same_results(pickle.loads(pickle.dumps(there)), there)
    same_results(copy.deepcopy(there), there)


def test_inside_a_staged_function(device: HostDevice) -> None:
    x = ag.ones(COUNT).to("cuda:0")
    with pytest.raises(ag.StagingError, match="does not know where"):
        ag.function(lambda x: x if x.device == "cpu:0" else -x)(x)

    @ag.function
    def scoped(x: Any) -> Any:
        with ag.device("cuda:0"):
            return x * 2

    with pytest.raises(ag.StagingError, match="one device"):
        scoped(x)


def test_without_shared_memory(device: HostDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """CUDA on Windows: calls work, and tensors stay where they are."""
    engine = launch.engine_on(device, None)
    monkeypatch.setattr(launch, "engine_on_gpu", lambda number=0: engine)
    monkeypatch.setattr(launch, "memory_on_gpu", lambda number=0: None)
    y = ag.function(mode="cuda")(lambda x: x * 2)(ag.ones(COUNT))
    assert y.device == "cpu:0" and float(y[0]) == 2.0
    with pytest.raises(ValueError, match="shares no memory"):
        y.to("cuda:0")


@pytest.mark.parametrize(
    ("size", "block"),
    [(1, SMALLEST), (SMALLEST + 1, 2 * SMALLEST), (3 << 20, 4 << 20), ((4 << 20) + 1, 6 << 20)],
)
def test_sizes_of_blocks(size: int, block: int) -> None:
    assert rounded(size) == block
