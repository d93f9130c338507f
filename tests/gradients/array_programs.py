"""Functions of one NumPy array, as NumPy code is written: views, changes in place, filled arrays.

Each gives a number. `of` says the shape of its array, and whether its gradient can be taken outside
of a staged function: there a plain array that NumPy makes takes no element that a tape watches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ArrayProgram:
    """A function of an array of this shape."""

    function: Callable[[Any], Any]
    shape: tuple[int, ...]
    eagerly: bool


PROGRAMS: dict[str, ArrayProgram] = {}


def of(*shape: int, eagerly: bool = True) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """A decorator: put a function into the table."""

    def noted(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        PROGRAMS[function.__name__] = ArrayProgram(function, shape or (3,), eagerly)
        return function

    return noted


@of()
def slice_add(x):
    y = x * 2
    v = y[1:]
    v += 1
    return (y * y).sum()


@of()
def self_change(x):
    x[0] = x[1] * 3
    x += x[::-1]
    return (x**2).sum()


@of()
def cumulative(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1] * 0.5
    return np.sum(x**3)


@of(2, 3)
def rows(a):
    for r in a:
        r *= r.sum()
    return np.sum(np.sin(a))


@of(3, 3)
def transpose_write(a):
    b = a.T
    b[0] = 1.0
    b[1, 2] *= 4
    return (a * np.arange(9.0).reshape(3, 3)).sum()


@of(2, 3)
def ravel_write(a):
    r = a.ravel()
    r[::2] = r[::2] ** 2
    return np.sum(a)


@of(2, 3)
def flat_write(a):
    a.flat[1] = a[0, 0] * a[1, 1]
    return np.sum(a**2)


@of(3)
def out_arg(x):
    y = np.empty_like(x)
    np.multiply(x, 3, out=y)
    np.add(y, x[::-1], out=y)
    return np.dot(y, y)


@of(3)
def copyto(x):
    y = x * 1
    np.copyto(y, x**2, where=np.array([True, False, True]))
    return y.sum()


@of(4)
def mask(x):
    y = x.copy()
    y[x > 0.5] *= 2
    y[y < 0] = 0
    return (y**2).sum()


@of(4)
def fancy(x):
    y = x * 1
    y[[0, 2]] += y[[1, 3]]
    return (y * y * y).sum()


@of(4)
def add_at(x):
    y = x * 1
    np.add.at(y, [0, 0, 1], x[:3])
    return (y * y).sum()


@of(4)
def fill(x):
    y = x * 1
    y[2:].fill(0.5)
    return (y * x).sum()


@of(4)
def sort(x):
    y = x * 1
    y.sort()
    return (y * np.arange(4)).sum()


@of(4)
def swap(x):
    y = x * 1
    y[0], y[1] = y[1], y[0]
    return (y * np.arange(4.0)).sum()


@of(4)
def swap_views(x):
    y = x * 1
    a, b = y[:2], y[2:]
    a[:], b[:] = b.copy(), a
    return (y * np.arange(4.0)).sum()


@of(4)
def mean_std(x):
    return (x - x.mean()).std() * np.linalg.norm(x)


@of(3, 3)
def linalg(a):
    return np.linalg.det(a + 4 * np.eye(3)) + np.trace(np.linalg.inv(a + 4 * np.eye(3)))


@of(3, 3)
def matmul(a):
    b = a @ a.T
    b[np.diag_indices(3)] += 1
    return np.log(b[0, 0] ** 2 + 1) + b.sum()


@of(3)
def concat(x):
    y = np.concatenate([x, x[:1] * 2, np.ones(2)])
    z = np.stack([y, y])
    z[0] = 0
    return (z * z).sum()


@of(3)
def where(x):
    return np.where(x > 0.4, x**2, np.exp(x)).sum()


@of(3)
def maximum(x):
    return np.maximum(x, 0.4).sum() * x.max() - x.min()


@of(3)
def loopwhile(x):
    y = x.copy()
    n = 0
    while np.linalg.norm(y) < 10 and n < 50:
        y = y * 1.5
        y[0] += 0.1
        n += 1
    return (y * y).sum()


@of(3)
def branch(x):
    if x.sum() > 0:
        y = x[:2]
    else:
        y = x[1:]
    y *= 2
    return (x**2).sum()


@of(3)
def lists(x):
    out = []
    for v in x:
        out.append(v * v)
    return out[0] * out[1] + sum(out)


@of(3)
def npsumlist(x):
    return np.sum([v * 2 for v in x]) if False else sum([v * 2 for v in x])


@of(3)
def scalarmath(x):
    s = x[0]
    s += x[1]
    s *= s
    return np.sin(s) + abs(x[2]) + s**2 + 1 / s


@of(6)
def reshape_shape(x):
    m = x.reshape(2, 3)
    m[0] += m[1]
    return (x**2).sum()


@of(6)
def reshape_t_copy(x):
    m = x.reshape(2, 3).T.reshape(-1)
    m += 1
    return (x**2).sum() + (m**2).sum()


@of(6)
def roll(x):
    return (np.roll(x, 1) * x).sum() + np.diff(x).prod()


@of(6)
def pad(x):
    return np.pad(x, 1).cumsum().sum() * 1.0


@of(6)
def einsum(x):
    m = x.reshape(2, 3)
    return np.einsum("ij,kj->", m, m)


@of(6)
def interp(x):
    return np.interp(0.3, np.arange(6.0), x)


@of(6)
def clip(x):
    np.clip(x, 0.2, 0.7, out=x)
    return (x * x).sum()


@of(6)
def squeeze(x):
    y = x[None, :, None]
    z = np.squeeze(y)
    z[0] = 7
    return (y * y).sum()


@of(6)
def setslice(x):
    x[1:-1] = 0.5 * (x[:-2] + x[2:])
    return (x**2).sum()


@of(6)
def heat(x):
    u = x.copy()
    for _ in range(3):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


@of(6)
def floatcall(x):
    return x.sum() * float(len(x)) + x.shape[0] * x.size * x.ndim


@of(6)
def vdot(x):
    return np.vdot(x, x) + np.inner(x, x) + np.outer(x, x).sum() + x.dot(x)


@of(6)
def argm(x):
    return x[np.argmax(x)] * x[x.argmin()]


@of(6)
def take(x):
    return x.take([0, 1]).sum() + np.take(x, 2) + x.repeat(2).sum() + np.tile(x, 2).sum()


@of(6)
def fft(x):
    return np.abs(np.fft.fft(x)).sum()


@of(6)
def astype(x):
    return (x.astype(np.float64) * x.astype(int)).sum() + x.sum()


@of(6)
def hstack(x):
    return np.hstack((x, x)).sum() * np.vstack((x, x)).sum() + np.column_stack((x, x)).sum()


@of(6)
def split(x):
    a, b = np.split(x, 2)
    a += b
    return (x * x).sum()


@of(6)
def broadcast(x):
    m = x[:, None] * x[None, :]
    m[0] = 0
    m[:, 1] = x
    return m.sum()


@of(6, eagerly=False)
def put(x):
    np.put(x, [0, 1], [x[2], x[3]])
    return (x * x).sum()


@of(6)
def rec(x):
    def half(a):
        if len(a) < 2:
            return
        a += 1.5 * a[0]
        half(a[: len(a) // 2])

    half(x)
    return (x * x).sum()


class Model:
    def __init__(self, w):
        self.w = w

    def step(self):
        self.w -= 0.1 * self.w**2


@of(4)
def obj(x):
    m = Model(x)
    m.step()
    m.step()
    return np.sum(x) + m.w.prod()


@of(4)
def dct(x):
    d = {"a": x, "b": x[1:]}
    d["b"] *= 2
    d["a"][0] = d["b"].sum()
    return np.sum(d["a"] ** 2)


@of(4)
def ifexp(x):
    y = x if x[0] > 100 else x[::2]
    y -= 1
    return np.sum(x**2)


@of(4)
def nested_out(x):
    z = x * 1.0

    def inner(v):
        v[0] *= 5

    inner(z[1:])
    inner(z[2:])
    return np.sum(z)


@of(4)
def closure(x):
    def g():
        return x * 2

    y = g()
    x += 1
    return (y * x).sum()


@of(4, eagerly=False)
def zeros_filled(x):
    out = np.zeros(4)
    for i in range(4):
        out[i] = x[i] ** 2
    return out.sum()


@of(4, eagerly=False)
def ones_aug(x):
    out = np.ones(4)
    out *= x
    return out.sum()


@of(4)
def zeroslike(x):
    out = np.zeros_like(x)
    for i in range(4):
        out[i] = x[i] ** 2
    return out.sum() + np.full_like(x, 2).sum()


@of(4, eagerly=False)
def nparray(x):
    return np.array([x[0], x[1] * 2]).sum()


@of(4, eagerly=False)
def asarr(x):
    x = np.asarray(x, dtype=float)
    x = np.atleast_1d(x)
    return (x**2).sum()


@of(5)
def partition(x):
    y = x * 1
    y.partition(2)
    return y[0] * y[1] + y[2]


@of(5)
def items(x):
    return x[0] * x.item(1) - x[0] * x.item(1) + x.sum()


@of(4, eagerly=False)
def vectorized(x):
    return np.vectorize(lambda a: a * a if a > 0.5 else 0.5 * a)(x).sum() * x[0]


@of(4)
def places_in_ranges(x):
    m = np.outer(x, x)
    m[range(4), range(4)] += 1
    return m.sum()


@of(4)
def rounded(x):
    return round(x[0], 3) * 0 + x[1]
