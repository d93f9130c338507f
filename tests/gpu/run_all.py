"""Everything that there is to see on a GPU, in under 8 minutes: checks, then times.

    python -m tests.gpu.run_all [--stand-in] [--share 8] [--table FILE]

Checks: the models of `tests/cuda`, every op record's samples (one in `--share`), programs of the
corpus, the functions of float64 that the CPU has from its C library. Times: turns of loops, chains,
softmax, products, and what a call costs, beside this machine's processor. `--stand-in` runs the
checks on this machine's processor, as `tests/cuda` does, to see that the script is whole.
"""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np

import autograph as ag
from autograph.kernels.compile import Engine
from autograph.kernels.cuda import driver, emulator, launch
from autograph.kernels.cuda.managed import ManagedMemory
from autograph.runtime import lower
from tests import test_corpus
from tests.cuda.kernel_programs import MODELS
from tests.harness.corpus_harness import Scenario, compare
from tests.harness.host_device import HostDevice
from tests.harness.picture_of_results import same_results
from tests.kernels import test_float64_alone
from tests.ops import test_ops_programs

SECONDS = 200
"""How long the checks of ops, and those of programs, go on at most."""
Check = Callable[[], None]


def models() -> Iterator[tuple[str, Check]]:
    """The models, staged and by plain Python."""
    for name, (function, arguments) in MODELS.items():

        def check(function: Any = function, arguments: Any = arguments) -> None:
            staged = ag.function(mode="emulate")(function)
            for _ in range(2):
                same_results(staged(*arguments), function(*arguments), 1e-9)

        yield name, check


def ops(engine: Engine, share: int) -> Iterator[tuple[str, Check]]:
    """Samples of op records."""

    def build(graph: Any, jit: bool | None = None) -> Any:
        return lower.build(graph, engine=engine)

    for name, op, sample in test_ops_programs.SAMPLES[::share]:

        def check(op: Any = op, sample: Any = sample) -> None:
            with (
                patch.object(test_ops_programs, "build", build),
                patch.object(test_ops_programs, "ULPS", 64),
            ):
                test_ops_programs.check(op, sample, jit=True)

        yield name, check


def programs(share: int) -> Iterator[tuple[str, Check]]:
    """Programs of the corpus: all that can be seen of several calls."""
    for name, program in test_corpus.PROGRAMS.items():
        if program.refused or program.slow or zlib.crc32(name.encode()) % share:
            continue

        def check(name: str = name, program: Any = program) -> None:
            expected, mutations = test_corpus.truth(name, True)
            scenario = Scenario(program, "emulate", mutations=dict(mutations))
            found = compare(expected, scenario.play(), max(program.ulps, 4096))
            assert found is None, found

        yield name, check


def staying() -> Iterator[tuple[str, Check]]:
    """Tensors that live on the GPU: results are taken by the next call, and read by NumPy."""

    def chain() -> None:
        step = ag.function(mode="emulate")(lambda x: x * 0.5 + 1.0)
        x = ag.asarray(np.arange(100_000.0)).to("cuda:0")
        wanted = np.arange(100_000.0)
        for _ in range(5):
            x, wanted = step(x), wanted * 0.5 + 1.0
            assert x.device == "cuda:0"
        np.testing.assert_array_equal(x.numpy(), wanted)

    def read_between() -> None:
        step = ag.function(mode="emulate")(lambda x: x * 2.0)
        x = ag.ones(100_000)
        for count in range(1, 5):
            x = step(x)
            assert float(ag.sum(x)) == 100_000 * 2.0**count
            x = x + 0.0 if count == 2 else x

    def variables() -> None:
        weights = ag.Variable(np.zeros(50_000))

        @ag.function(mode="emulate")
        def step() -> Any:
            with ag.GradientTape() as tape:
                loss = ag.sum((weights - 1.0) ** 2)
            weights.assign_sub(0.25 * tape.gradient(loss, weights))
            return loss

        losses = [float(step()) for _ in range(4)]
        assert losses == [50_000 / 4.0**count for count in range(4)]

    yield from {"a chain of calls": chain, "read between": read_between}.items()
    yield "variables", variables


def functions() -> Iterator[tuple[str, Check]]:
    """sin, cos, tan and powers of float64 over all magnitudes."""
    pairs = {"sin": "sine_alone", "cos": "cosine_alone", "tan": "tangent_alone"}
    for name, alone in pairs.items():

        def check(name: str = name, alone: str = alone) -> None:
            (x,) = test_float64_alone.operands(1, 2000)
            staged = ag.function(mode="emulate")(getattr(ag, name))
            wanted = test_float64_alone.computed(alone, [x], jit=True)
            np.testing.assert_array_equal(np.asarray(staged(ag.asarray(x))), wanted)

        yield name, check


def run(title: str, checks: Iterator[tuple[str, Check]]) -> int:
    """Run checks for a while; gives how many failed."""
    start, failed, count = time.perf_counter(), 0, 0
    for name, check in checks:
        if time.perf_counter() - start > SECONDS:
            break
        count += 1
        try:
            check()
        except Exception as error:
            failed += 1
            print(f"  {name}: {type(error).__name__}: {str(error)[:300]}")
    print(f"{title}: {count - failed} of {count} right, {time.perf_counter() - start:.0f} s")
    sys.stdout.flush()
    return failed


# times --------------------------------------------------------------------------------------------
def median(call: Callable[[], Any], least: int = 5) -> float:
    """The median of some calls, in seconds."""
    call()
    times = []
    while len(times) < least or (sum(times) < 0.5 and len(times) < 200):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def counted(n: Any) -> Any:
    """A loop of numbers alone."""
    total = 0
    while n > 0:
        total = (total * 5 + n) % 1000003
        n -= 1
    return total


def turns(x: Any, n: Any) -> Any:
    """A loop whose turns each go over an array."""
    while n > 0:
        x = x * 0.5 + 1.0
        n -= 1
    return x


def net(x: Any, w: Any, n: Any) -> Any:
    """A recurrent net on one input."""
    h = ag.zeros_like(x)
    while n > 0:
        h = ag.tanh(x + h @ w)
        n -= 1
    return h


def workloads() -> list[tuple[str, Callable[..., Any], tuple[Any, ...], int]]:
    """Names, functions, arguments, and how many turns a call has."""
    random = np.random.default_rng(0)

    def f32(*shape: int) -> Any:
        return ag.asarray(random.normal(size=shape).astype(np.float32) * 0.1)

    return [
        ("a call: x + 1 of 16", lambda x: x + 1, (f32(16),), 1),
        ("numbers alone, 100,000 turns", counted, (ag.asarray(100_000),), 100_000),
        ("x * 0.5 + 1 of 256, 1,000 turns", turns, (f32(256), ag.asarray(1000)), 1000),
        ("x * 0.5 + 1 of 1e6, 100 turns", turns, (f32(1_000_000), ag.asarray(100)), 100),
        ("recurrent 32 x 256, 64 turns", net, (f32(32, 256), f32(256, 256), ag.asarray(64)), 64),
        ("softmax 4096 x 1000", lambda x: ag.softmax(x, axis=-1), (f32(4096, 1000),), 1),
        ("product 512 x 512 x 512", lambda a, b: a @ b, (f32(512, 512), f32(512, 512)), 1),
        ("sum of 1e7", ag.sum, (f32(10_000_000),), 1),
        ("x * 0.5 + 1 of 1e7", lambda x: x * 0.5 + 1.0, (f32(10_000_000),), 1),
    ]


def timed() -> str:
    """The table of times: a call, and a turn of its loop; arrays lie where they are used."""
    lines = ["| workload | GPU, ms | CPU, ms | GPU, µs a turn |", "|---|---|---|---|"]
    for name, function, arguments, count in workloads():
        staged = ag.function(mode="emulate")(function)
        beside = ag.function(function)
        there = [one.to("cuda:0") if one.size > 1 else one for one in arguments]
        one = median(lambda: staged(*there))  # noqa: B023
        other = median(lambda: beside(*arguments))  # noqa: B023
        lines.append(f"| {name} | {one * 1e3:.3f} | {other * 1e3:.3f} | {one / count * 1e6:.2f} |")
        print(lines[-1])
        sys.stdout.flush()
    return "\n".join(lines)


def main() -> int:
    """Checks, then times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--share", type=int, default=8)
    parser.add_argument("--table")
    options = parser.parse_args()
    device: Any = HostDevice() if options.stand_in else driver.device(0)
    print(device.name)
    memory = ManagedMemory(device, "cuda:0") if options.stand_in else launch.memory_on_gpu()
    engine = launch.engine_on(device, memory, "emulate")
    with (
        patch.object(emulator, "EMULATOR", engine),
        patch.object(launch, "memory_on_gpu", lambda number=0: memory),
        patch.object(driver, "device_count", lambda: 1),
    ):
        failed = run("models", models())
        failed += run("tensors that stay", staying())
        failed += run("functions of float64", functions())
        failed += run("op records", ops(engine, options.share))
        failed += run("programs of the corpus", programs(5 * options.share))
        if not options.stand_in:
            table = f"{device.name}, {time.strftime('%d %B %Y')}\n\n{timed()}\n"
            if options.table:
                with open(options.table, "w", encoding="utf-8") as file:
                    file.write(table)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
