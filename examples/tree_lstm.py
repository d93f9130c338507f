"""A TreeLSTM by plain recursion: which module of Python's library does a function come from?

Run it: `python examples/tree_lstm.py`.

Every function of a few modules is read as its syntax tree, and a child-sum TreeLSTM (Tai, Socher
and Manning 2015) goes over it: `encode` calls itself for each child. It is a Python method; staged,
it is one graph that calls itself, with its gradient, for trees of every shape. At the end the state
is saved as a checkpoint, and a new model that was restored from it goes on as the first.
"""

from __future__ import annotations

import ast
import importlib.util
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np

import autograph as ag
from autograph import nn

MODULES = ("argparse", "_pydecimal", "tarfile", "turtle", "inspect")
BUCKETS = 500  # names of all kinds share so many rows of the embedding

Tree = tuple[ag.Tensor, ag.Tensor, ag.Tensor]


class TreeLSTM(nn.Module):
    """Classifies trees given as `words` (nodes,), and for each node its first child and its next
    sibling (nodes,), -1 where there is none. The first node is the root.
    """

    def __init__(self, width: int = 24, classes: int = len(MODULES), seed: int = 0) -> None:
        ag.set_seed(seed)
        self.width = width
        self.embedding = nn.Embedding(BUCKETS, width)
        self.gates = nn.Dense(width, 4 * width)
        self.children = nn.Dense(width, 3 * width, use_bias=False)
        self.forgets = nn.Dense(width, width, use_bias=False)
        self.output = nn.Dense(width, classes)

    def encode(self, tree: Tree, node: ag.Tensor) -> tuple[ag.Tensor, ag.Tensor]:
        """The hidden state and the cell of a node, (1, width) each, from those of its children."""
        words, first, following = tree
        width = self.width
        given = self.gates(ag.reshape(self.embedding(words[node]), (1, width)))
        total = ag.zeros((1, width))
        kept = ag.zeros((1, width))
        child = first[node]
        while child >= 0:
            hidden, cell = self.encode(tree, child)
            kept = kept + ag.sigmoid(given[:, 3 * width :] + self.forgets(hidden)) * cell
            total = total + hidden
            child = following[child]
        own = given[:, : 3 * width] + self.children(total)
        entry = ag.sigmoid(own[:, :width])
        leave = ag.sigmoid(own[:, width : 2 * width])
        cell = entry * ag.tanh(own[:, 2 * width :]) + kept
        return leave * ag.tanh(cell), cell

    def logits(self, tree: Tree) -> ag.Tensor:
        """One number for each class, (1, classes)."""
        hidden, _ = self.encode(tree, ag.asarray(0))
        return self.output(hidden)

    @ag.function
    def classify(self, tree: Tree) -> ag.Tensor:
        """The number of the class."""
        return ag.argmax(self.logits(tree)[0], axis=0)


class Trainer:
    """A model and its optimizer."""

    def __init__(self, model: TreeLSTM, rate: float = 0.003) -> None:
        self.model = model
        self.adam = nn.optimizers.Adam(model.trainable_variables, learning_rate=rate)

    @ag.function
    def step(self, tree: Tree, label: ag.Tensor) -> ag.Tensor:
        """One step of training on one tree; the loss before it."""
        with ag.GradientTape() as tape:
            loss = nn.losses.softmax_cross_entropy(self.model.logits(tree)[0], label)
        self.adam.apply(tape.gradient(loss, self.model.trainable_variables))
        return loss


# the trees ----------------------------------------------------------------------------------------
def trees_of(module: str) -> list[Tree]:
    """The functions of a module as trees, those of 20 to 300 nodes."""
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    source = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    functions = [one for one in ast.walk(source) if isinstance(one, ast.FunctionDef)]
    found = [tree_of(one) for one in functions]
    return [tree for tree in found if 20 <= tree[0].shape[0] <= 300]


def tree_of(function: ast.FunctionDef) -> Tree:
    """A syntax tree as arrays; the names in it, but not that of the function, are nodes too."""
    words: list[int] = []
    first: list[int] = []
    following: list[int] = []

    def add(word: str, children: list[ast.AST | str]) -> int:
        number = len(words)
        words.append(zlib.crc32(word.encode()) % BUCKETS)
        first.append(-1)
        following.append(-1)
        last = -1
        for child in children:
            if isinstance(child, str):
                added = add(child, [])
            else:
                added = add(type(child).__name__, parts(child))
            if last < 0:
                first[number] = added
            else:
                following[last] = added
            last = added
        return number

    add("function", parts(function)[1:])
    return tuple(ag.asarray(np.array(one)) for one in (words, first, following))


def parts(node: ast.AST) -> list[ast.AST | str]:
    """The children of a node, and the names in it."""
    found: list[ast.AST | str] = []
    for _, value in ast.iter_fields(node):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST) and not isinstance(one, ast.expr_context):
                found.append(one)
            elif isinstance(one, str) and len(one) < 30:
                found.append(one)
    return found


def data(seed: int = 0) -> tuple[list[tuple[Tree, int]], list[tuple[Tree, int]]]:
    """Trees with the numbers of their modules, mixed: four fifths to learn from, and the rest."""
    every = [(tree, label) for label, name in enumerate(MODULES) for tree in trees_of(name)]
    order = np.random.default_rng(seed).permutation(len(every))
    mixed = [every[number] for number in order]
    count = len(mixed) * 4 // 5
    return mixed[:count], mixed[count:]


# running ------------------------------------------------------------------------------------------
def compare(tree: Tree, label: int) -> dict[str, list[np.ndarray]]:
    """One step, eager and staged, from the same weights: the loss and the weights afterwards."""
    found = {}
    for kind, step in (("eager", Trainer.step.python_function), ("staged", Trainer.step)):
        trainer = Trainer(TreeLSTM())
        loss = step(trainer, tree, ag.asarray(label))
        found[kind] = [np.asarray(loss), *(one.numpy() for one in trainer.model.variables)]
        step(trainer, tree, ag.asarray(label))
        start = time.perf_counter()
        step(trainer, tree, ag.asarray(label))
        spent = time.perf_counter() - start
        nodes = tree[0].shape[0]
        print(f"{kind:6}: loss {loss.item():.6f}, {1e3 * spent:.2f} ms a step on {nodes} nodes")
    for one, same in zip(found["eager"], found["staged"], strict=True):
        np.testing.assert_allclose(same, one, rtol=1e-4, atol=1e-5)
    return found


def accuracy(model: TreeLSTM, pairs: list[tuple[Tree, int]]) -> float:
    """The share of trees whose module is found."""
    return float(np.mean([model.classify(tree).item() == label for tree, label in pairs]))


def train(trainer: Trainer, pairs: list[tuple[Tree, int]]) -> float:
    """One turn over the trees; the mean loss."""
    return float(np.mean([trainer.step(tree, ag.asarray(label)).item() for tree, label in pairs]))


def main(epochs: int = 6) -> None:
    known, new = data()
    print(f"{len(known)} functions to learn from, {len(new)} new ones, of {', '.join(MODULES)}")
    compare(*known[0])
    trainer = Trainer(TreeLSTM())
    print(f"before: {accuracy(trainer.model, new):.0%} of the new functions")
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = ag.Checkpoint(model=trainer.model, optimizer=trainer.adam)
        manager = ag.CheckpointManager(checkpoint, folder, keep=2)
        for epoch in range(epochs):
            start = time.perf_counter()
            loss = train(trainer, known)
            share = accuracy(trainer.model, new)
            spent = time.perf_counter() - start
            print(f"epoch {epoch}: loss {loss:.3f}, {share:.0%} of the new ones, {spent:.1f} s")
            manager.save(epoch, metric=share)
        other = Trainer(TreeLSTM(seed=1))
        print(ag.Checkpoint(model=other.model, optimizer=other.adam).restore(manager.latest))
    tree, label = known[0]
    losses = [one.step(tree, ag.asarray(label)).item() for one in (trainer, other)]
    assert losses[0] == losses[1]
    print(f"the restored model goes on as the first: its loss is {losses[1]:.6f}")


if __name__ == "__main__":
    main()
