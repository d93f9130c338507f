"""Prints the graphs and the texts of programs, for one process to be compared with another.

    python -m tests.harness.program_texts SEED [EVERY] [START]

Programs of the corpus are traced: each EVERY-th, from START on, or a choice of them and a network.
SEED decides how memory is laid out before: what hangs on addresses or on hash order comes out
differently in another process.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import signal
import sys

import autograph as ag
from autograph.runtime.core.dims import Dim
from tests.corpus import Program, all_programs
from tests.harness.corpus_harness import fresh_case


def disturb_memory(seed: int) -> list[object]:
    """Objects of many sizes, with gaps between them, that later ones will fill."""
    source = random.Random(seed)
    for _ in range(source.randrange(900)):
        Dim.fresh()  # the symbols of sizes are counted: those of other programs come before
    kept: list[object] = [bytearray(source.randrange(1, 500)) for _ in range(20_000)]
    kept += [[] for _ in range(source.randrange(5_000))]
    kept += [{} for _ in range(source.randrange(5_000))]
    source.shuffle(kept)
    return kept[: len(kept) // 2]


def renumbered(text: str) -> str:
    """The text of a graph in which symbols of sizes are counted from its beginning."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"{match[1]}#{numbers.setdefault(match[2], len(numbers))}"

    return re.sub(r"(?<=[\[,(*+ -])(any|[a-uwyz])(\d+)(?=[\],)*+ -])", number, text)


def text_of(program: Program) -> str:
    """The graph of the first case and the text of its program, or what is raised instead."""
    try:
        world = program.world(ag.function(mode="evaluate"))
        one = fresh_case(program.cases[0])
        function = world.function
        with contextlib.redirect_stdout(io.StringIO()):
            graph = renumbered(str(function.graph(*one.args, **one.kwargs)))
            one = fresh_case(program.cases[0])
            return f"{graph}\n{function.program(*one.args, **one.kwargs)}"
    except Exception as error:
        return re.sub(r"0x[0-9a-f]+", "0x…", f"{type(error).__name__}: {error}")
    finally:
        program.reset()


CHOSEN = re.compile(
    r"chosen_targets\.second_derivative|driven\.gradient_through_a_loop_that_prints|"
    r"gradients_not_connected\.of_a_function_not_called|recursion\.gradient_of_a_tree|"
    r"sizes_of_calls\.second_derivatives|asked_of_classes\.sets_beside_keys|"
    r"(recursion|lists|loops|dicts_and_sets|strings|longer_strings|branches|exceptions)\.[a-d].*"
)
"""Control flow, containers, recursion, strings and gradients; some of them have differed."""


class Network(ag.nn.Module):
    """Layers, whose gradients go through a loop over a list of staged length."""

    def __init__(self) -> None:
        self.first = ag.nn.Dense(3, 4)
        self.cell = ag.nn.GRUCell(4, 4)
        self.last = ag.nn.Dense(4, 1)

    def __call__(self, x: ag.Tensor, n: ag.Tensor) -> list[ag.Tensor]:
        """The gradients of a loss with respect to all weights."""
        weights = self.variables
        with ag.GradientTape() as tape:
            seen = []
            state = self.cell.initial(2)
            for i in range(n):
                made, state = self.cell(ag.tanh(self.first(x * i)), state)
                seen.append(made)
            total = ag.asarray(0.0)
            for one in seen:
                total = total + ag.sum(self.last(one) ** 2)
        return tape.gradient(total, weights)  # type: ignore[no-any-return]


MOST_SECONDS = 30
"""Of the processor, for one program: a busy or a sleeping machine makes none too slow."""


def main() -> None:
    seed, every, start = (*map(int, sys.argv[1:]), 0, 0)[:3]
    kept = disturb_memory(seed)
    signal.signal(signal.SIGPROF, signal.default_int_handler)
    programs = all_programs()
    if every:
        programs = programs[start::every]
    else:
        programs = [one for one in programs if CHOSEN.fullmatch(one.name)]
        network = ag.function(Network().__call__, mode="evaluate")
        arguments = ag.ones((2, 3)), ag.asarray(3)
        texts = network.graph(*arguments), network.program(*arguments)
        print("===== network", *map(str, texts), sep="\n")
    for program in programs:
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        try:
            text = text_of(program)
        except KeyboardInterrupt:
            text = "too slow"
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(f"===== {program.name}\n{text}")
    assert kept


if __name__ == "__main__":
    main()
