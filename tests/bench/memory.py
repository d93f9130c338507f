"""W7: how much memory a training step of a long recurrence takes at its peak.

Each contestant runs in a process of its own: compiled first on short sequences, or without running;
then the peak of the resident memory during one call counts, above what was there before it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag
from tests.bench.measure import OURS

TIME, BATCH, SIZE = 1000, 32, 128
CELLS = {"rnn": 1, "lstm": 4, "highway": 2}
"""The cells by name, and how many gates each has."""

Cell = Callable[..., tuple[Any, Any]]


def cell_of(name: str, o: Any, sigmoid: Any) -> Cell:
    """One step: from a row, the state and the weights to the new state. `o` has tanh and such."""
    n = SIZE

    def rnn(x: Any, h: Any, c: Any, w: Any, u: Any, b: Any) -> tuple[Any, Any]:
        return o.tanh(x @ w + h @ u + b), c

    def lstm(x: Any, h: Any, c: Any, w: Any, u: Any, b: Any) -> tuple[Any, Any]:
        gates = x @ w + h @ u + b
        enter, keep = sigmoid(gates[:, :n]), sigmoid(gates[:, n : 2 * n])
        show, new = sigmoid(gates[:, 2 * n : 3 * n]), o.tanh(gates[:, 3 * n :])
        c = keep * c + enter * new
        return show * o.tanh(c), c

    def highway(x: Any, h: Any, c: Any, w: Any, u: Any, b: Any) -> tuple[Any, Any]:
        gates = x @ w + h @ u + b
        open_, new = sigmoid(gates[:, :n]), o.tanh(gates[:, n:])
        mixed = (1.0 - open_) * h + open_ * new
        scaled = mixed * 0.9 + (mixed - new) ** 2 * 0.1
        return o.where(scaled > 0.0, scaled * mixed, scaled * 0.5), c

    return {"rnn": rnn, "lstm": lstm, "highway": highway}[name]


def arguments(name: str, steps: int) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    gates = CELLS[name]

    def normal(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * 0.05).astype(np.float32)

    x, w, u = normal(steps, BATCH, SIZE), normal(SIZE, gates * SIZE), normal(SIZE, gates * SIZE)
    return [x, w, u, normal(gates * SIZE)]


def ours(name: str, again: bool) -> Callable[[int], Any]:
    """The step of this project: it compiles on two short sequences."""
    cell = cell_of(name, ag, ag.sigmoid)
    step = ag.recompute(cell) if again else cell

    @ag.function
    def gradients(x: Any, w: Any, u: Any, b: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch([w, u, b])
            h = ag.zeros((BATCH, SIZE))
            c = ag.zeros((BATCH, SIZE))
            for t in range(x.shape[0]):
                h, c = step(x[t], h, c, w, u, b)
            loss = ag.mean(h * h)
        return tape.gradient(loss, [w, u, b])

    def call(steps: int) -> Any:
        given = list(map(ag.asarray, arguments(name, steps)))
        return lambda: gradients(*given)

    for steps in (2, 3, 3):
        call(steps)()
    return call


def jax(name: str, again: bool) -> Callable[[int], Any]:
    """JAX's scan: compiled ahead, without running."""
    import jax
    from jax import numpy as jnp

    cell = cell_of(name, jnp, jax.nn.sigmoid)

    def loss(weights: Any, x: Any) -> Any:
        def step(state: Any, row: Any) -> Any:
            return cell(row, *state, *weights), None

        start = jnp.zeros((BATCH, SIZE))
        run = jax.checkpoint(step) if again else step
        (h, _), _ = jax.lax.scan(run, (start, start), x)
        return jnp.mean(h * h)

    def call(steps: int) -> Any:
        x, *weights = map(jnp.asarray, arguments(name, steps))
        compiled = jax.jit(jax.grad(loss)).lower(tuple(weights), x).compile()
        return lambda: jax.block_until_ready(compiled(tuple(weights), x))

    return call


def resident(field_name: str) -> float:
    """A line of the status of this process, in MiB."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(one for one in status if one.startswith(field_name))
    return int(line.split()[1]) / 1024


def measured(contestant: str, name: str, again: bool) -> float:
    """The peak of one call above what was there before it."""
    call = {"ours": ours, "jax": jax}[contestant](name, again)(TIME)
    before = resident("VmRSS")
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write("5")
    call()
    return resident("VmHWM") - before


@dataclass
class MemoryWorkload:
    """One cell; a contestant is a process."""

    name: str
    title: str
    cell: str
    again: bool
    jax: bool
    found: dict[str, float] = field(default_factory=dict)

    def check(self) -> None:
        """Nothing to compare: the results are those of W2."""

    def run(self) -> None:
        """Ask each process."""
        for contestant in ("ours", "jax") if self.jax else ("ours",):
            words = [contestant, self.cell, str(int(self.again))]
            command = [sys.executable, "-m", "tests.bench.memory", *words]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            self.found[contestant] = float(done.stdout)

    def report(self) -> str:
        """One line; a state of all steps is given beside."""
        states = TIME * BATCH * SIZE * 4 / 2**20
        cells = [f"{self.name:5} {self.title:44}", f"{OURS} {self.found['ours']:7.1f} MiB"]
        if "jax" in self.found:
            share = self.found["ours"] / self.found["jax"]
            cells.append(f"jax {self.found['jax']:7.1f} MiB (ours {share:5.2f}x)")
        return " | ".join([*cells, f"one state of every step {states:.1f} MiB"])


def workloads(jax: bool) -> list[Any]:
    shape = f"{TIME} steps x {BATCH} rows, {SIZE}"
    made = []
    for place, (cell, again) in enumerate((c, a) for c in CELLS for a in (False, True)):
        title = f"memory of {cell}{', recomputed' if again else ''}, {shape}"
        made.append(MemoryWorkload(f"W7{'abcdef'[place]}", title, cell, again, jax))
    return made


if __name__ == "__main__":
    _, contestant, cell, again = sys.argv
    print(measured(contestant, cell, bool(int(again))))
