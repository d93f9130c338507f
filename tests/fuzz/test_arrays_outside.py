"""Everything that reads NumPy arrays from outside of the function, or changes them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.harness.state_outside import Table

STATEMENTS = r"""
a = A
a = A + x
a = x + A
a = A * y[0]
a = A @ y
a = M @ y
a = y @ M.T
a = np.dot(M, A)
a = np.concatenate([A, y])
a = np.concatenate([A, A])
a = np.concatenate(L)
a = np.stack(L)
a = np.vstack(L)
a = np.array(L)
a = np.array(L + [y])
a = np.array([A, y])
a = np.asarray(A)
a = np.array(A)
a = A.copy()
a = A[1:]
a = A[0]
a = A[K[0] % 3]
a = A[K % 3]
a = A[A > 0]
a = A[::-1]
a = A.T, M.T
a = A.sum(), A.mean(), A.max(), A.argmax()
a = sum(L)
a = sum(A)
a = sum(D.values())
a = max(A)
a = sorted(A)
a = list(A)
a = [v for v in A]
a = [r.sum() for r in M]
a = [v * 2 for v in L]
a = {k: v * 2 for k, v in D.items()}
a = [p + q for p, q in zip(L, D.values())]
a = [i * v for i, v in enumerate(A)]
a = float(A[0])
a = int(K[0])
a = A.tolist()
a = M.tolist()
a = A.shape, len(A), A.ndim, A.dtype, A.size
a = np.zeros_like(A)
a = np.zeros(A.shape)
a = np.where(A > 0, A, 0)
a = np.where(A > 0)
a = np.maximum(A, y)
a = np.clip(A, 0, 1)
a = np.linalg.norm(A)
a = np.outer(A, y)
a = np.einsum("ij,j->i", M, y)
a = np.sort(A), np.argsort(A)
a = np.unique(A)
a = np.cumsum(A)
a = np.bincount(K % 4)
a = np.interp(0.5, np.sort(A), y)
a = A.reshape(-1, 1)
a = A.astype(int)
a = A == A
a = (A == y).all()
a = np.array_equal(A, y)
a = np.allclose(A, y)
a = np.any(A > 1)
a = A.max() if n > 1 else A.min()
a = M[0], M[:, 1], M[-1, -1]
a = M[0] + M[1]
a, b, c = A
a, *b = A
a = f1(*A)
a = [*A]
a = str(A)
a = f"{A[0]:.2f}"
a = repr(L)
a = copy.copy(A), copy.deepcopy(L)
a = model.forward(y)
a = model.W, model.b
model.step(y[:2]); a = model.b
model.b = model.b + y[:2]; a = model.b
model.W[0] = y; a = model.W
model.W[:, 0] += 1; a = model.W
model.hist.append(y[0]); a = list(model.hist)
a = getattr(model, "W") * 2
a = vars(model)["b"] + 1
A += 1
A[0] = y[0]
A[:] = y
A[1:] *= 2
A *= y
np.add(A, y, out=A)
np.copyto(A, y)
A.fill(2.0)
A.sort()
M[0] = A
M[0] += A
M[:, 0] = 1
L.append(A)
L.append(y)
L[0] = y
L[0] += 1
L[0][0] = 5
L[-1] *= 2
D["w"] = y
D["w"] += 1
D["w"][0] = 9
D["w"] = D["w"] + A
for v in L:\n    v += 1
for k in D:\n    D[k] -= 0.1 * D[k]
for k, v in D.items():\n    v -= 0.1 * v
for i in range(len(A)):\n    A[i] = A[i] * 2
for r in M:\n    r *= 2
for i in range(n):\n    A[i % 3] += y[i % 3]
while A[0] < 3:\n    A[0] += 1
if A[0] > 0:\n    A[1] = 7
if A.sum() > 0:\n    a = A
if K[0] > 2:\n    a = A
if len(A) > 2:\n    a = A
box.A += 1; a = box.A
box.A[0] = y[0]; a = box.A
box.A = box.A * 2; a = box.A
box.c += 1; a = box.c
box.c = box.c + y[0]; a = box.c
a = box.c * y
a = box.c if box.c > 1 else y
a = [box.c] * 2
a = np.full(3, box.c)
a = np.array([box.c, y[0]])
a = T[0] + T[1]
a = np.array(T)
a = [t.sum() for t in T]
a = np.vstack([A, M])
a = np.r_[A, y]
a = np.c_[A, y]
a = np.column_stack((A, y))
a = np.append(A, y[0])
a = np.delete(A, 0)
a = np.insert(A, 0, y[0])
a = np.tile(A, 2), np.repeat(A, 2)
a = np.random.default_rng(int(K[0])).normal(size=2)
a = ag.asarray(A)
a = ag.sum(ag.asarray(A) * ag.asarray(y))
a = A.item(0), A.flat[1]
a = A.dot(y), M.dot(y)
a = abs(A), -A, A ** 2
a = math.sqrt(abs(A[0]))
a = np.exp(A[0])
a = np.float64(A[0]) + 1
a = A[-1] in A
a = bool(A[0] > 0)
a = A.any(), A.all()
a = not A.any()
a = [A, A][n % 2]
a = {0: A, 1: y}[n % 2]
a = (A if n > 1 else y)
a = np.apply_along_axis(np.sum, 0, M)
a = list(map(np.sum, L))
a = list(map(np.sum, M))
a = functools.reduce(np.add, L)
a = np.add.reduce(L)
a = np.mean(L, axis=0)
a = np.linalg.solve(np.eye(2) + M[:, :2] * 0.01, y[:2])
a = np.lexsort((K, A))
a = A[np.argsort(K)]
a = K[0] + 1, K.sum(), K % 2
a = range(K[0] % 3)
a = [0] * (K[0] % 3)
a = "abc"[K[0] % 3]
a = [10, 20, 30][K[0] % 3]
"""
TEXT = """\
import collections, copy, functools, itertools, math, operator

import numpy as np

import autograph as ag


class Box:
    pass


class Model:
    def __init__(self):
        self.W, self.b, self.hist = np.ones((2, 3)), np.zeros(2), []

    def forward(self, v):
        return self.W @ v + self.b

    def step(self, g):
        self.b -= 0.1 * g
        self.hist.append(self.b.sum())


def f1(*args):
    return sum(args)


box, model = Box(), Model()


def program(x, y, n):
    global A, M, L, D, T, K
    a = 0.0
$
    return a, A, M, L, D, T, K
"""
SURROUNDINGS = ("", "if x > 1:", "for _ in range(n % 3):")
TURNS = 5
GROUP = 40


def values(turn: int) -> dict[str, Any]:
    rng = random.Random(turn)

    def vector(count: int = 3) -> Any:
        return np.array([rng.randint(-8, 8) / 4 for _ in range(count)])

    return {
        "A": vector(),
        "M": vector(6).reshape(2, 3),
        "L": [vector() for _ in range(2 + turn // 3)],
        "D": {"w": vector(), "v": vector()},
        "T": (vector(), vector()),
        "K": np.array([rng.randint(0, 6) for _ in range(3)]),
        "box.A": vector(),
        "box.c": rng.randint(0, 5) / 2,
        "model.W": vector(6).reshape(2, 3),
        "model.b": vector(2),
    }


def rebind(place: Any, turn: int) -> None:
    """Give the names other arrays."""
    for name, value in values(turn).items():
        owner, _, last = name.rpartition(".")
        setattr(getattr(place, owner) if owner else place, last, value)


def refill(place: Any, turn: int) -> None:
    """Write other elements into the arrays that are there."""
    if not turn:
        rebind(place, 0)
        return
    made = values(turn)
    place.box.c = made["box.c"]
    pairs = [(place.A, made["A"]), (place.M, made["M"]), (place.K, made["K"])]
    pairs += [(place.box.A, made["box.A"]), (place.model.W, made["model.W"])]
    pairs += [(place.model.b, made["model.b"]), *zip(place.T, made["T"], strict=True)]
    pairs += [*zip(place.L, made["L"], strict=False)]
    pairs += [(held, made["D"][key]) for key, held in place.D.items()]
    for held, given in pairs:
        held[:] = given


def arguments(turn: int) -> tuple[Any, ...]:
    rng = random.Random(100 + turn)
    return np.float64(0.5 + turn), np.array([rng.randint(-8, 8) / 4 for _ in range(3)]), turn


def state(place: Any) -> Any:
    kept = [place.box.A, place.box.c, place.model.W, place.model.b, place.model.hist]
    return [place.A, place.M, place.L, place.D, place.T, place.K, *kept]


def verify(first: int, surroundings: str, change: Any) -> None:
    statements = STATEMENTS.split("\n")[1:-1][first : first + GROUP]
    if "for" in surroundings:  # lists of staged length hold values of arrays
        statements = [one for one in statements if not one.startswith("L.append")]
    Table(TEXT, arguments, change, state, TURNS).verify(statements, surroundings)


groups = pytest.mark.parametrize("first", range(0, STATEMENTS.count("\n") - 1, GROUP))
pytestmark = pytest.mark.filterwarnings("ignore:.*was traced", "ignore::RuntimeWarning")


@groups
@pytest.mark.parametrize("change", (rebind, refill))
def test_arrays_outside(first: int, change: Any) -> None:
    verify(first, "", change)


@pytest.mark.sweep
@groups
@pytest.mark.parametrize("change", (rebind, refill))
@pytest.mark.parametrize("surroundings", SURROUNDINGS[1:])
def test_sweep_of_arrays(first: int, surroundings: str, change: Any) -> None:
    verify(first, surroundings, change)
