"""Calls of CUDA's driver: what is asked of it, and what its errors become."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import driver, emulator, launch
from tests.harness.fake_cuda import ATTRIBUTES, FakeCuda

pytestmark = pytest.mark.compiled


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCuda]:
    """A library that says it has a GPU."""
    made = FakeCuda()
    monkeypatch.setattr(driver, "_library", lambda: made)
    kept = (driver.device_count, driver.device, launch.engine_on_gpu, launch.memory_on_gpu)
    for cached in kept:
        cached.cache_clear()
    yield made
    for cached in kept:
        cached.cache_clear()


def test_a_function_is_launched(cuda: FakeCuda) -> None:
    @ag.function(mode="cuda")
    def doubled(x):
        return x * 2

    result = doubled(ag.ones(1000))
    assert result.shape == (1000,)
    ((extents, words),) = cuda.launched
    assert extents == (4, 1, 1, 256, 1, 1, 0)
    assert len(words) == 4 and words[2] < words[3]
    assert cuda.calls.count("cuLaunchCooperativeKernel") == 1
    assert cuda.calls.count("cuStreamQuery") == 3
    assert driver.device().name == "cuda:0 (a stand-in)"
    assert driver.device().architecture == "sm_90"


def test_a_large_grid_is_as_large_as_runs_at_once(cuda: FakeCuda) -> None:
    ag.function(mode="cuda")(lambda x: x * 2)(ag.ones(1_000_000))
    assert cuda.launched[0][0][0] == 8


def test_errors_of_the_driver(cuda: FakeCuda) -> None:
    gpu = driver.device()
    with pytest.raises(driver.CudaError, match="cuModuleLoadDataEx: went wrong .218.\nno entry"):
        gpu.load(b"nothing\0", "autograph_entry", 256)
    cuda.fails["cuMemAlloc_v2"] = 2
    with pytest.raises(MemoryError):
        gpu.allocate(10)
    staged = ag.function(mode="cuda")(lambda x: x * 3)
    with pytest.raises(MemoryError):
        staged(ag.ones(3))
    cuda.fails.clear()
    cuda.queries[:] = [700]
    cuda.fails["cuStreamSynchronize"] = 700
    with pytest.raises(driver.CudaError, match="went wrong"):
        staged(ag.ones(3))


def test_no_gpu_and_an_old_one(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    cuda.count = 0
    with pytest.raises(RuntimeError, match="finds no GPU"):
        ag.function(mode="cuda")(lambda x: x * 2)(ag.ones(2))
    monkeypatch.setitem(ATTRIBUTES, 95, 0)
    with pytest.raises(driver.CudaError, match="cooperative"):
        driver.GPU(0)


def test_bytes_there_and_back(cuda: FakeCuda) -> None:
    gpu = driver.device()
    address = gpu.allocate(100)
    given = np.arange(50, dtype=np.uint8)
    gpu.to_device(address, given)
    back = np.zeros(50, np.uint8)
    gpu.to_host(back, address)
    assert (given == back).all()
    gpu.release(address)
    assert not cuda.blocks


def test_memory_that_both_see(cuda: FakeCuda) -> None:
    """A tensor on the GPU: made there, brought there, taken by a kernel where it lies."""
    x = ag.asarray(np.arange(20000.0)).to("cuda:0")
    assert x.device == "cuda:0"
    assert cuda.calls.count("cuMemAllocManaged") == 1
    assert cuda.prefetched[1] == 160000 and cuda.prefetched[0] in cuda.blocks
    copied = cuda.calls.count("cuMemcpyHtoD_v2")
    result = ag.function(mode="cuda")(lambda x: x * 2)(x)
    assert result.device == "cuda:0"
    assert cuda.calls.count("cuMemcpyHtoD_v2") == copied + 2  # the words of the call, of the module
    memory = launch.memory_on_gpu()
    assert memory is not None
    same = memory.foreign(cuda.prefetched[0], (20000,), np.dtype(float))
    assert (same == np.arange(20000.0)).all() and "cuMemcpy" in cuda.calls


def test_its_status_is_the_calls(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = launch.engine_on(driver.device(), None, "emulate")
    monkeypatch.setattr(emulator, "EMULATOR", engine)

    @ag.function(mode="emulate")
    def item(x, i):
        return x[i]

    cuda.status = 1
    with pytest.raises(IndexError):
        item(ag.ones(3), ag.asarray(0))
