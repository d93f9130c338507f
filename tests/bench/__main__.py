"""`make bench`: the workloads of these modules, beside NumPy, numba by hand, and JAX if there."""

from __future__ import annotations

import importlib.util
import sys

from tests.bench import (
    call_overhead,
    collatz,
    costs,
    elementwise,
    first_calls,
    lstm,
    measure,
    memory,
    numpy_programs,
    recurrent,
    scalars,
    startup,
    training,
    trees,
)


def main(names: list[str]) -> None:
    jax = importlib.util.find_spec("jax") is not None
    print(f"{measure.machine()}; medians of {measure.ROUNDS} interleaved rounds")
    print("'ours 0.80x': the time of this project divided by the time of that contestant")
    if not jax:
        print("jax is not installed: left out")
    modules = (
        collatz,
        recurrent,
        lstm,
        trees,
        training,
        elementwise,
        call_overhead,
        startup,
        first_calls,
        costs,
        scalars,
        memory,
        numpy_programs,
    )
    for workload in (one for module in modules for one in module.workloads(jax)):
        if not names or {workload.name, workload.name.rstrip("abcg")} & set(names):
            workload.check()
            workload.run()
            print(workload.report(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
