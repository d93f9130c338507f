"""Beam search over a character model: the likeliest endings of a name.

Run it: `python examples/beam_search.py`.

A GRU learns the names that Python's standard library uses, then a beam search completes a prefix.
The search is one `while`: it ends when no beam that still grows can beat the worst finished one,
which only the data decides. Its state is a tensor of beams, their scores, the state of the GRU, and
a list of what is finished; `@ag.function` makes it one native program.
"""

from __future__ import annotations

import time

import numpy as np
from names import LETTERS, standard_library_names

import autograph as ag
from autograph import nn

WIDTH, BEAMS, LONGEST = 64, 8, 20
END = 0


class Speller(nn.Module):
    """The next letter of a name, from those before it."""

    def __init__(self, width: int = WIDTH) -> None:
        self.letters = nn.Embedding(len(LETTERS), 16)
        self.cell = nn.GRUCell(16, width)
        self.scores = nn.Dense(width, len(LETTERS))
        self.adam = nn.optimizers.Adam(self.trainable_variables, learning_rate=0.01)

    def next(self, letters: ag.Tensor, state: ag.Tensor) -> tuple[ag.Tensor, ag.Tensor]:
        """Log-probabilities of the next letters (rows, 28), and the state: letters (rows,)."""
        output, state = self.cell(self.letters(letters), state)
        return ag.log_softmax(self.scores(output), axis=1), state

    @ag.function
    def train(self, names: ag.Tensor, lengths: ag.Tensor) -> ag.Tensor:
        """One step of training on names (rows, width), padded; the mean loss of a letter."""
        with ag.GradientTape() as tape:
            state = self.cell.initial(names.shape[0])
            total = 0.0
            for t in range(ag.max(lengths)):
                scores, state = self.next(names[:, t], state)
                hits = ag.take_along_axis(scores, names[:, t + 1 : t + 2], axis=1)[:, 0]
                total = total - ag.sum(ag.where(t < lengths, hits, 0.0))
            loss = total / ag.sum(lengths)
        self.adam.apply(tape.gradient(loss, self.trainable_variables))
        return loss

    def search(self, prefix: ag.Tensor) -> tuple[ag.Tensor, ag.Tensor, ag.Tensor]:
        """The likeliest names that begin with `prefix`, a vector of letters: the names
        (BEAMS, LONGEST), padded, their log-probabilities (BEAMS,), and how many turns it took.
        """
        state = self.cell.initial(1)
        scores, state = self.next(ag.asarray([END]), state)
        for letter in prefix:
            scores, state = self.next(ag.reshape(letter, (1,)), state)
        size = prefix.shape[0]
        beams = ag.zeros((BEAMS, LONGEST), dtype="int64")
        beams[:, :size] = prefix
        # one beam is alive; the others are copies that must not win
        alive = ag.where(ag.arange(BEAMS) == 0, 0.0, -float("inf"))
        scores = ag.tile(scores, (BEAMS, 1))
        state = ag.tile(state, (BEAMS, 1))
        finished = ag.zeros((BEAMS, LONGEST), dtype="int64")
        best = ag.full((BEAMS,), -float("inf"))
        turns = 0
        while size < LONGEST and ag.max(alive) > ag.min(best):
            ended = alive + scores[:, END]
            for row in range(BEAMS):
                worst = ag.argmin(best)
                if ended[row] > best[worst]:
                    finished[worst] = beams[row]
                    best[worst] = ended[row]
            scores[:, END] = -float("inf")
            total = ag.reshape(ag.expand_dims(alive, axis=1) + scores, (-1,))
            order = ag.argsort(total, descending=True)[:BEAMS]
            alive = ag.take(total, order)
            source, letters = order // len(LETTERS), order % len(LETTERS)
            beams = ag.take(beams, source, axis=0)
            beams[:, size] = letters
            scores, state = self.next(letters, ag.take(state, source, axis=0))
            size += 1
            turns += 1
        order = ag.argsort(best, descending=True)
        return ag.take(finished, order, axis=0), ag.take(best, order), turns


def encode(name: str) -> list[int]:
    return [LETTERS.index(letter) for letter in name]


def batch_of(names: list[str], chosen: np.ndarray) -> tuple[ag.Tensor, ag.Tensor]:
    """Names between blanks, as letters (rows, LONGEST + 2), and how many letters to foretell."""
    table = np.full((len(chosen), LONGEST + 2), END)
    for row, place in enumerate(chosen):
        table[row, 1 : len(names[place]) + 1] = encode(names[place])
    lengths = [len(names[place]) + 1 for place in chosen]
    return ag.asarray(table), ag.asarray(lengths)


def train(model: Speller, names: list[str], turns: int) -> list[float]:
    """Train on batches of 32 names; the losses."""
    random = np.random.default_rng(0)
    losses = []
    for _ in range(turns):
        batch = batch_of(names, random.integers(0, len(names), 32))
        losses.append(model.train(*batch).item())
    return losses


def compare(model: Speller, prefix: str) -> tuple[list[str], float, float]:
    """Search eagerly and staged: the names, which must be the same, and the times in seconds."""
    staged = ag.function(model.search)
    given = ag.asarray(encode(prefix))
    staged(given)  # converted, traced, compiled
    start = time.perf_counter()
    found, scores, turns = staged(given)
    between = time.perf_counter()
    same, same_scores, same_turns = model.search(given)
    end = time.perf_counter()
    np.testing.assert_array_equal(found, same)
    np.testing.assert_allclose(scores, same_scores, rtol=1e-4)
    assert turns == same_turns
    texts = ["".join(LETTERS[i] for i in row).rstrip() for row in found.tolist()]
    return texts, between - start, end - between


def main() -> None:
    ag.set_seed(1)
    names = [name for name in standard_library_names(6000) if len(name) < LONGEST]
    model = Speller()
    losses = train(model, names, 1500)
    print(f"loss of a letter {np.mean(losses[:10]):.2f} -> {np.mean(losses[-100:]):.2f}")
    for prefix in ("get_", "is", "re", "un", "test_", "_f"):
        texts, fast, slow = compare(model, prefix)
        print(
            f"{prefix:6}: {', '.join(texts[:5]):60} "
            f"(eager {1e3 * slow:.0f} ms, staged {1e3 * fast:.1f} ms)"
        )


if __name__ == "__main__":
    main()
