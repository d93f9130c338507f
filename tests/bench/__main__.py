"""`make bench`: W1 and W2, this project beside NumPy, hand-written numba, and JAX if installed."""

from __future__ import annotations

import importlib.util
import sys

from tests.bench import collatz, lstm, measure, recurrent


def main(names: list[str]) -> None:
    jax = importlib.util.find_spec("jax") is not None
    print(f"{measure.machine()}; medians of {measure.ROUNDS} interleaved rounds")
    print("'ours 0.80x': the time of this project divided by the time of that contestant")
    if not jax:
        print("jax is not installed: left out")
    for workload in [*collatz.workloads(jax), *recurrent.workloads(jax), *lstm.workloads(jax)]:
        if not names or any(workload.name.startswith(name) for name in names):
            workload.check()
            workload.run()
            print(workload.report(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
