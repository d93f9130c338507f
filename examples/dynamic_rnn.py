"""A character model of Python's own source lines: an LSTM over lines of many lengths.

Run it: `make demo`, or `python examples/dynamic_rnn.py` with `graphstage[demo]` installed.

The model is plain Python on tensors: `for t in range(longest)`, `while` with `break`, a class that
holds its state. `@ag.function` makes each decorated method one native program.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import json
import os
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import autograph as ag

HIDDEN, EMBEDDING, BATCH, TURNS, WIDTH = 64, 32, 16, 1200, 72
SYMBOLS = "\n" + "".join(chr(code) for code in range(32, 127))
NEWLINE = 0


# ---- the model -----------------------------------------------------------------------------------


class Adam:
    """Adam (Kingma and Ba, 2015) over a list of Variables."""

    def __init__(self, variables: list[ag.Variable], rate: float = 0.01) -> None:
        self.variables = variables
        self.rate = rate
        self.turn = ag.Variable(np.float32(0.0), trainable=False)
        self.means = [ag.Variable(np.zeros(v.shape, "float32"), trainable=False) for v in variables]
        self.squares = [
            ag.Variable(np.zeros(v.shape, "float32"), trainable=False) for v in variables
        ]

    def apply(self, gradients: list[ag.Tensor]) -> None:
        self.turn.assign_add(1.0)
        rate = self.rate * ag.sqrt(1.0 - 0.999**self.turn) / (1.0 - 0.9**self.turn)
        for v, mean, square, g in zip(self.variables, self.means, self.squares, gradients):
            mean.assign(0.9 * mean + 0.1 * g)
            square.assign(0.999 * square + 0.001 * g * g)
            v.assign_sub(rate * mean / (ag.sqrt(square) + 1e-7))


class Model:
    """The next character of a line, from those before it."""

    def __init__(self, hidden: int = HIDDEN, seed: int = 1) -> None:
        random = np.random.default_rng(seed)

        def weights(rows: int, columns: int) -> ag.Variable:
            values = random.normal(0.0, rows**-0.5, (rows, columns))
            return ag.Variable(values.astype("float32"))

        self.hidden = hidden
        self.embedding = weights(len(SYMBOLS), EMBEDDING)
        self.kernel = weights(EMBEDDING + hidden, 4 * hidden)
        self.bias = ag.Variable(np.repeat([0, 1, 0, 0], hidden).astype("float32"))
        self.output = weights(hidden, len(SYMBOLS))
        self.output_bias = ag.Variable(np.zeros(len(SYMBOLS), "float32"))
        self.variables = [self.embedding, self.kernel, self.bias, self.output, self.output_bias]
        self.adam = Adam(self.variables)

    def cell(self, symbols: ag.Tensor, h: ag.Tensor, c: ag.Tensor) -> tuple[ag.Tensor, ag.Tensor]:
        """One step of the LSTM: symbols (batch,), h and c (batch, hidden)."""
        x = ag.take(self.embedding, symbols, axis=0)
        gates = ag.concat([x, h], axis=1) @ self.kernel + self.bias
        n = self.hidden
        enter, keep = ag.sigmoid(gates[:, :n]), ag.sigmoid(gates[:, n : 2 * n])
        show, new = ag.sigmoid(gates[:, 2 * n : 3 * n]), ag.tanh(gates[:, 3 * n :])
        c = keep * c + enter * new
        return show * ag.tanh(c), c

    def loss(self, lines: ag.Tensor, lengths: ag.Tensor) -> ag.Tensor:
        """The mean loss of a character: lines (batch, width + 1) of symbols, lengths (batch,)."""
        h = c = ag.zeros((lines.shape[0], self.hidden))
        total = ag.zeros(())
        longest = ag.max(lengths)
        for t in range(longest):
            new_h, new_c = self.cell(lines[:, t], h, c)
            alive = t < lengths  # a row that has ended keeps its state
            h = ag.where(ag.expand_dims(alive, axis=1), new_h, h)
            c = ag.where(ag.expand_dims(alive, axis=1), new_c, c)
            scores = ag.log_softmax(h @ self.output + self.output_bias, axis=1)
            hit = ag.sum(scores * ag.one_hot(lines[:, t + 1], len(SYMBOLS)), axis=1)
            total -= ag.sum(ag.where(alive, hit, 0.0))
        return total / ag.sum(lengths)

    @ag.function
    def step(self, lines: ag.Tensor, lengths: ag.Tensor) -> tuple[ag.Tensor, list[ag.Tensor]]:
        """Train on one batch; its loss, and the gradients."""
        with ag.GradientTape() as tape:
            loss = self.loss(lines, lengths)
        gradients = tape.gradient(loss, self.variables)
        self.adam.apply(gradients)
        return loss, gradients

    @ag.function
    def write(self, first: ag.Tensor, boldness: float = 0.5) -> ag.Tensor:
        """A line that begins with `first`, as symbols."""
        h = c = ag.zeros((1, self.hidden))
        h, c = self.cell(ag.asarray([NEWLINE]), h, c)
        symbol = first
        line = [symbol]
        while len(line) < WIDTH:
            h, c = self.cell(ag.reshape(symbol, (1,)), h, c)
            scores = (h @ self.output + self.output_bias)[0]
            chance = ag.random_uniform((len(SYMBOLS),), 1e-6, 1.0 - 1e-6)
            symbol = ag.argmax(scores - boldness * ag.log(-ag.log(chance)))
            if symbol == NEWLINE:
                break
            line.append(symbol)
        return ag.stack(line)


# ---- the data ------------------------------------------------------------------------------------


def read_lines(count: int = 40_000) -> list[str]:
    """Source lines of Python's standard library, in a shuffled order that is always the same."""
    folder = Path(os.__file__).parent
    lines: list[str] = []
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="ignore")
        lines += [line for line in text.splitlines() if line.strip() and set(line) <= set(SYMBOLS)]
        if len(lines) >= count:
            break
    order = np.random.default_rng(0).permutation(len(lines))
    return [lines[i][:WIDTH] for i in order]


def batches(lines: list[str], size: int) -> Iterator[tuple[ag.Tensor, ag.Tensor]]:
    """Batches for ever: symbols (size, WIDTH + 2), each line between newlines, and its length."""
    code = {symbol: i for i, symbol in enumerate(SYMBOLS)}
    for start in itertools.cycle(range(0, len(lines) - size + 1, size)):
        group = lines[start : start + size]
        table = np.full((size, WIDTH + 2), NEWLINE)
        for row, line in enumerate(group):
            table[row, 1 : len(line) + 1] = [code[symbol] for symbol in line]
        yield ag.asarray(table), ag.asarray([len(line) + 1 for line in group])


# ---- what is shown -------------------------------------------------------------------------------


def heading(text: str) -> None:
    print(f"\n\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() else f"\n== {text}")


def print_side_by_side(left: str, right: str, width: int = 68) -> None:
    def wrapped(text: str) -> Iterator[str]:
        for line in text.splitlines():
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            yield from textwrap.wrap(line, width, subsequent_indent=indent) or [""]

    for one, other in itertools.zip_longest(wrapped(left), wrapped(right), fillvalue=""):
        print(f"{one:{width}} | {other}".rstrip())


def milliseconds(times: int, call: Any, *given: Any) -> float:
    """The median time of a call."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        call(*given)
        spent.append(time.perf_counter() - start)
    return 1e3 * float(np.median(spent))


def compare(lines: list[str]) -> None:
    """The same step eager and staged: the same numbers, and how long each takes."""
    batch = next(batches(lines, BATCH))
    eager, staged = Model(), Model()
    loss, gradients = Model.step.python_function(eager, *batch)
    same_loss, same_gradients = staged.step(*batch)
    np.testing.assert_allclose(same_loss, loss, rtol=1e-5)
    worst = 0.0
    for g, same in zip(gradients, same_gradients, strict=True):
        scale = float(np.abs(np.asarray(g)).max())
        worst = max(worst, float(np.abs(np.asarray(g) - np.asarray(same)).max()) / scale)
    assert worst < 1e-4, worst
    print(f"loss eager {loss.item():.6f}, staged {same_loss.item():.6f} (within 1e-5)")
    print(f"gradients: largest difference {worst:.0e} of the largest entry (float32: within 1e-4)")
    for size in (BATCH, 1):
        batch = next(batches(lines, size))
        staged.step(*batch)
        slow = milliseconds(5, Model.step.python_function, eager, *batch)
        fast = milliseconds(25, staged.step, *batch)
        print(
            f"batch {size:2}: eager {slow:7.1f} ms, staged {fast:6.2f} ms a step:"
            f" {slow / fast:.0f} times faster"
        )


def train(model: Model, lines: list[str]) -> None:
    """Train, with the running mean of the loss on the progress bar."""
    first, running = 0.0, 0.0
    longest = set()
    traces = Model.step.cache_info().misses
    chosen = itertools.islice(batches(lines, BATCH), TURNS)
    refresh = 0.1 if sys.stderr.isatty() else 2.0
    with tqdm(chosen, total=TURNS, ncols=80, mininterval=refresh) as bar:
        for turn, (table, lengths) in enumerate(bar):
            loss = model.step(table, lengths)[0].item()
            first = first or loss
            running = loss if turn == 0 else 0.98 * running + 0.02 * loss
            longest.add(ag.max(lengths).item())
            bar.set_description(f"loss {running:.2f}", refresh=False)
    new = Model.step.cache_info().misses - traces
    print(f"loss {first:.2f} -> {running:.2f} (running mean) in {TURNS} batches")
    print(f"longest lines of {len(longest)} different lengths: {new} new traces or compilations")


def first_result(lines: list[str]) -> float:
    """How long a process waits for its first staged step."""
    model, batch = Model(), next(batches(lines, BATCH))
    start = time.perf_counter()
    model.step(*batch)
    spent = time.perf_counter() - start
    print(f"first staged step after {spent:.2f} s: converted, traced, compiled and run")
    return spent


def compare_runs(first: float, whole: float) -> None:
    """Say whether the cache of compiled code made this run faster than an earlier one."""
    print(f"\nthis run took {whole:.1f} s")
    cache = Path(os.environ.get("AUTOGRAPH_CACHE_DIR", Path.home() / ".cache" / "autograph"))
    record = cache / "dynamic_rnn.json"
    try:
        old_first, old_whole = json.loads(record.read_text())
    except (OSError, ValueError):  # no record yet, or a damaged one
        old_first = old_whole = 0.0
    if first < 0.7 * old_first:
        print(f"an earlier run took {old_whole:.1f} s, its first staged step {old_first:.2f} s;")
        print(f"this one needed {first:.2f} s: its programs came from the cache on disk")
    else:
        with contextlib.suppress(OSError):
            record.write_text(json.dumps([first, whole]))


def example_arguments(name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What `python -m autograph show` traces a function of this file with."""
    model = Model()
    if name == "Model.write":
        return (model, ag.asarray(SYMBOLS.index("d"))), {}
    return (model, *next(batches(read_lines(), BATCH))), {}


def main() -> None:
    start = time.perf_counter()
    lines = read_lines()
    heading("The source, and what it becomes")
    source = textwrap.dedent(inspect.getsource(Model.loss))
    print_side_by_side(source, ag.to_code(Model.loss))

    heading("The first result")
    first = first_result(lines)

    heading(f"Train on {len(lines)} source lines of Python's standard library")
    model = Model()
    train(model, lines)

    heading("Write")
    ag.set_seed(1)
    for symbol in "dircsf@":
        line = model.write(ag.asarray(SYMBOLS.index(symbol)))
        print("   ", "".join(SYMBOLS[i] for i in line.tolist()).rstrip())

    heading("The same step, eager and staged")
    compare(lines)
    compare_runs(first, time.perf_counter() - start)


if __name__ == "__main__":
    main()
