"""Strings that a generator of NumPy's draws from a list: those, and the numbers after them."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program, stateful

RNG, OLD = np.random.default_rng, np.random.RandomState
STEPS = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0)}


@program(case(RNG(1), 5), case(RNG(2), 9), case(OLD(3), 5), compiled=True)
def random_walk(rng, n):
    x = y = 0
    for _ in range(n):
        move = rng.choice(["N", "S", "E", "W"])
        if move == "N":
            y += 1
        elif move in ("S", "E"):
            x, y = x + 1, y - 1
        else:
            x -= 1
    return x, y, rng.random(3), rng


@program(case(RNG(1), 5), case(OLD(2), 7))
def counted_and_kept(rng, n):
    counts, kept = dict.fromkeys(STEPS, 0), []
    for _ in range(n):
        move = rng.choice(list(STEPS))
        counts[move] += 1
        kept.append(move)
    return counts, kept, [STEPS[one] for one in kept], rng


@program(case(RNG(1), np.array([0.0, 0.5, 0.5])), case(RNG(2), np.array([0.1, 0.2, 0.7])))
def with_probabilities(rng, p):
    words = ("up", "down", "left")
    drawn = [rng.choice(words, p=p), rng.choice(words, None, False, [0.5, 0.25, 0.25])]
    return drawn, rng.choice(a=words, replace=False), rng


@program(case(RNG(1)), case(RNG(4)), case(OLD(5)))
def told_and_joined(rng):
    word = rng.choice(["up", "down"])
    return f"{word}!", word.upper(), len(word), "go " + word, word == "up", str(word), rng


@program(case(RNG(1)), case(RNG(4)), case(OLD(5)))
def strings_and_none(rng):
    drawn = rng.choice(["up", None])
    return "nothing" if drawn is None else drawn + "!", drawn, rng


@stateful(case(3), case(4))
def drawn_of_the_module():
    colors = ["red", "green"]
    np.random.seed(7)

    def function(n):
        np.random.seed(n)
        colors.append("blue")
        return [np.random.choice(colors) for _ in range(n)], np.random.rand()

    return function, colors


@program(case(RNG(1)), refused="StateError", naming=("arrays of strings", "indices"))
def several_at_once(rng):
    return rng.choice(["N", "S"], size=3)
