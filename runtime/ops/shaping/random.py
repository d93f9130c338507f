"""Random numbers by counting: element i for a seed depends on both alone, the same everywhere.

The bits are those of `kernels.scalar.threefry` for the seed and the place of the element, so that
any element can be computed alone, on any device. All the rest is arithmetic on them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.kernels.scalar.threefry import random_bits as threefry
from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Decomposition,
    Elementwise,
    Op,
    Sample,
)
from autograph.runtime.core.spec import Spec, broadcast
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.inference import checked_size, size_of_attribute
from autograph.runtime.ops.quiet import quiet

GOLDEN = 0x9E3779B97F4A7C15
"""The distance of one seed of a generator from the next: all 2**64 come before one repeats."""
STREAM_BITS = 60
"""The bits of the counter below the number of the stream: one seed serves several draws."""


# bits ---------------------------------------------------------------------------------------------
def _infer_bits(seed: Spec, counter: Spec) -> Spec:
    for one in (seed, counter):
        _require_integers(one.dtype)
    return Spec(dtypes.uint64, broadcast((seed.shape, counter.shape)))


def _require_integers(dtype: DType) -> None:
    if dtype.kind not in "iu":
        raise TypeError(f"seeds and counters are integers, not {dtype}")


@quiet
def _bits(seed: Any, counter: Any) -> Any:
    seed, counter = np.asarray(seed), np.asarray(counter)
    for one in (seed, counter):
        _require_integers(one.dtype)
    return threefry(seed.astype(np.uint64), counter.astype(np.uint64))


RANDOM_BITS = Op(
    name="random_bits",
    summary="64 random bits for each pair of a seed and a counter.",
    infer=_infer_bits,
    reference=_bits,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Elementwise("random_bits({0}, {1})", compute="result"),
    samples=(
        Sample((7, [0, 1, 2]), gradient=False),
        Sample(([[-1], [5]], np.array([3, 4], np.uint8)), gradient=False),
        Sample((1, np.zeros((0, 2), np.int64)), gradient=False),
    ),
)


# the unit interval --------------------------------------------------------------------------------
def _infer_unit(
    seed: Spec, *, shape: tuple[Any, ...], stream: int = 0, dtype: DType = dtypes.float32
) -> Spec:
    _require_seed(seed.dtype, seed.ndim)
    _require_float(dtype)
    return Spec(dtype, tuple(size_of_attribute(size) for size in shape))


def _require_seed(dtype: DType, ndim: int) -> None:
    if dtype.kind not in "iu" or ndim:
        raise TypeError(f"a seed is one integer, not {ndim} axes of {dtype}")


def _require_float(dtype: DType) -> None:
    if dtype.kind != "f":
        raise TypeError(f"random numbers between 0 and 1 are floats, not {dtype}")


def _digits(dtype: DType) -> int:
    return 24 if dtype.itemsize == 4 else 53


def _unit(
    seed: Any, *, shape: tuple[int, ...], stream: int = 0, dtype: DType = dtypes.float32
) -> Any:
    seed = np.asarray(seed)
    _require_seed(seed.dtype, seed.ndim)
    _require_float(dtype)
    sizes = tuple(map(checked_size, shape))
    counter = np.arange(math.prod(sizes)).reshape(sizes) + (stream << STREAM_BITS)
    digits = _digits(dtype)
    bits = _bits(seed, counter) >> np.uint64(64 - digits)
    return bits.astype(dtype) * dtype.type(2.0**-digits)


def _stream_bits(o: Any, seed: Any, shape: tuple[Any, ...], stream: int) -> Any:
    """The bits of a stream for every place of a shape."""
    number: Any = 1
    for size in shape:
        number = number * size
    counter = o.reshape(o.arange(number), shape)
    return o.apply("random_bits", (seed, counter + (stream << STREAM_BITS)), {})


def _unit_rule(o: Any, seed: Any, *, shape: tuple[Any, ...], stream: int, dtype: DType) -> Any:
    digits = _digits(dtype)
    bits = _stream_bits(o, seed, shape, stream)
    return o.astype(bits >> np.array(64 - digits, np.uint64), dtype) * 2.0**-digits


RANDOM_UNIT = Op(
    name="random_unit",
    summary="Random numbers from [0, 1), evenly.",
    infer=_infer_unit,
    reference=_unit,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Decomposition(_unit_rule),
    samples=(
        Sample((7,), {"shape": (2, 3)}, gradient=False),
        Sample((7,), {"shape": (3,), "dtype": dtypes.float64, "stream": 1}, gradient=False),
    ),
)


# what users call ----------------------------------------------------------------------------------
class Generator:
    """A source of seeds: a Variable that changes with each draw, staged or not.

    Equal seeds give equal draws. It holds one int64, `state`, which can be saved and assigned.
    """

    def __init__(self, seed: int = 0) -> None:
        start = np.array(seed & (2**64 - 1), np.uint64).astype(np.int64)
        self.state = Variable(start, name="generator", trainable=False)

    def draw(self, o: Any) -> Any:
        """A seed, a 0-d int64 tensor; the next call gives another."""
        seed = o.copy(self.state)
        self.state.assign(o.add(seed, GOLDEN - 2**64))
        return seed


DEFAULT_GENERATOR = Generator()


def set_seed(o: Any, seed: int) -> None:
    """Start the default generator anew: what follows draws as after any other `set_seed(seed)`."""
    if isinstance(seed, int | np.integer):
        DEFAULT_GENERATOR.state.assign(Generator(int(seed)).state)
        return
    staged = isinstance(seed, Number) and seed.kind is int
    if not staged and not (isinstance(seed, Tensor) and seed.ndim == 0 and seed.dtype.kind in "iu"):
        raise TypeError(f"seed of set_seed() is an int, not {seed!r}; write set_seed(0)")
    DEFAULT_GENERATOR.state.assign(o.astype(o.asarray_or_same(seed), dtypes.int64))


def _seed(o: Any, seed: Any, generator: Generator | None) -> Any:
    if seed is not None:
        return o.asarray_or_same(seed)
    return (generator or DEFAULT_GENERATOR).draw(o)


def random_uniform(
    o: Any,
    shape: Any = (),
    low: Any = 0.0,
    high: Any = 1.0,
    dtype: Any = float,
    *,
    seed: Any = None,
    generator: Generator | None = None,
) -> Any:
    """Random numbers from [low, high), evenly.

    `seed` is an int or an integer tensor: equal seeds give equal numbers, eager and staged. Without
    one the `generator` (or the default one) is drawn from.
    """
    chosen = dtypes.as_dtype(dtype or float)
    attributes = {"shape": o.as_shape(shape), "stream": 0, "dtype": chosen}
    unit = apply(RANDOM_UNIT, (_seed(o, seed, generator),), attributes)
    if type(low) is float and type(high) is float and (low, high) == (0.0, 1.0):
        return unit
    return unit * (high - low) + low


def random_normal(
    o: Any,
    shape: Any = (),
    mean: Any = 0.0,
    std: Any = 1.0,
    dtype: Any = float,
    *,
    seed: Any = None,
    generator: Generator | None = None,
) -> Any:
    """Random numbers, normal with this mean and standard deviation. See `random_uniform`."""
    chosen, sizes = dtypes.as_dtype(dtype or float), o.as_shape(shape)
    start = _seed(o, seed, generator)
    radius, turn = (
        apply(RANDOM_UNIT, (start,), {"shape": sizes, "stream": stream, "dtype": chosen})
        for stream in (1, 2)
    )
    # 1 - radius is in (0, 1]: its logarithm is finite.
    normal = o.sqrt(-2.0 * o.log(1.0 - radius)) * o.cos(turn * (2 * math.pi))
    return normal * std + mean


def random_integers(
    o: Any,
    low: Any,
    high: Any = None,
    shape: Any = (),
    dtype: Any = int,
    *,
    seed: Any = None,
    generator: Generator | None = None,
) -> Any:
    """Random integers from [low, high), or from [0, low). ValueError where there are none.

    See `random_uniform`.
    """
    if isinstance(low, tuple | list):
        raise TypeError(f"low is a number, not {low!r}; write random_integers(low, high, shape)")
    if high is None:
        low, high = 0, low
    if isinstance(low, int) and isinstance(high, int) and high <= low:
        raise ValueError(f"there is no integer from {low} up to {high}")
    start = _seed(o, seed, generator)
    bits = _stream_bits(o, start, o.as_shape(shape), 3)
    # 63 bits, so that the remainder is that of a non-negative int64.
    number = o.astype(bits >> np.array(1, np.uint64), dtypes.int64)
    return o.astype(number % (high - low) + low, dtypes.as_dtype(dtype or int))


RECORDS = (RANDOM_BITS, RANDOM_UNIT)
FUNCTIONS = (set_seed, random_uniform, random_normal, random_integers)
