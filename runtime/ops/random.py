"""Random numbers by counting: element i for a seed is a hash of both, the same everywhere.

The bits are those of SplitMix64: the state starts at a hash of the seed and moves by a fixed odd
number for each element, so that any element can be computed alone, on any device.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Decomposition, Op, Sample
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.inference import size_of_attribute
from autograph.runtime.ops.quiet import quiet

GOLDEN = np.array(0x9E3779B97F4A7C15, np.uint64)
FIRST = np.array(0xBF58476D1CE4E5B9, np.uint64)
SECOND = np.array(0x94D049BB133111EB, np.uint64)
OTHER_STREAM = np.array(0xD1B54A32D192ED03, np.uint64)
_SHIFTS = tuple(np.array(number, np.uint64) for number in (30, 27, 31))


# bits ---------------------------------------------------------------------------------------------
def _infer_bits(seed: Spec, *, shape: tuple[Any, ...], stream: int = 0) -> Spec:
    if seed.dtype.kind not in "iu" or seed.ndim:
        raise TypeError(f"a seed is one integer, not {seed}")
    return Spec(dtypes.uint64, tuple(size_of_attribute(size) for size in shape))


def _mixed(state: Any) -> Any:
    state = (state ^ (state >> _SHIFTS[0])) * FIRST
    state = (state ^ (state >> _SHIFTS[1])) * SECOND
    return state ^ (state >> _SHIFTS[2])


@quiet
def _bits(seed: Any, *, shape: tuple[int, ...], stream: int = 0) -> Any:
    start = _mixed(np.asarray(seed).astype(np.uint64) + OTHER_STREAM * np.uint64(stream))
    place = np.arange(math.prod(shape)).astype(np.uint64).reshape(shape)
    return _mixed(start + (place + np.uint64(1)) * GOLDEN)


def _bits_rule(o: Any, seed: Any, *, shape: tuple[Any, ...], stream: int) -> Any:
    def mixed(state: Any) -> Any:
        state = (state ^ (state >> _SHIFTS[0])) * FIRST
        state = (state ^ (state >> _SHIFTS[1])) * SECOND
        return state ^ (state >> _SHIFTS[2])

    shift = OTHER_STREAM * np.uint64(stream)
    start = mixed(o.astype(o.asarray_or_same(seed), dtypes.uint64) + shift)
    number: Any = 1
    for size in shape:
        number = number * size
    place = o.reshape(o.astype(o.arange(number), dtypes.uint64), shape)
    return mixed(start + (place + np.array(1, np.uint64)) * GOLDEN)


RANDOM_BITS = Op(
    name="random_bits",
    summary="64 random bits for each element, by the seed and the place alone.",
    infer=_infer_bits,
    reference=_bits,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Decomposition(_bits_rule),
    samples=(
        Sample((7,), {"shape": (2, 3)}, gradient=False),
        Sample((-1,), {"shape": (), "stream": 1}, gradient=False),
        Sample((np.array(3, np.uint8),), {"shape": (0, 2)}, gradient=False),
    ),
)


# the unit interval --------------------------------------------------------------------------------
def _infer_unit(
    seed: Spec, *, shape: tuple[Any, ...], stream: int = 0, dtype: DType = dtypes.float32
) -> Spec:
    if dtype.kind != "f":
        raise TypeError(f"random numbers between 0 and 1 are floats, not {dtype}")
    return Spec(dtype, _infer_bits(seed, shape=shape).shape)


def _digits(dtype: DType) -> int:
    return 24 if dtype.itemsize == 4 else 53


def _unit(
    seed: Any, *, shape: tuple[int, ...], stream: int = 0, dtype: DType = dtypes.float32
) -> Any:
    digits = _digits(dtype)
    bits = _bits(seed, shape=shape, stream=stream) >> np.uint64(64 - digits)
    return bits.astype(dtype) * dtype.type(2.0**-digits)


def _unit_rule(o: Any, seed: Any, *, shape: tuple[Any, ...], stream: int, dtype: DType) -> Any:
    digits = _digits(dtype)
    bits = o.apply("random_bits", (seed,), {"shape": shape, "stream": stream})
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
        Sample((7,), {"shape": (3,), "dtype": dtypes.float64}, gradient=False),
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
        step = o.astype(o.asarray(GOLDEN), dtypes.int64)
        self.state.assign(o.add(seed, step))
        return seed


DEFAULT_GENERATOR = Generator()


def set_seed(o: Any, seed: int) -> None:
    """Start the default generator anew: what follows draws as after any other `set_seed(seed)`."""
    DEFAULT_GENERATOR.state.assign(Generator(seed).state)


def _seed(o: Any, seed: Any, generator: Generator | None) -> Any:
    if seed is not None:
        return o.asarray_or_same(seed)
    return (generator or DEFAULT_GENERATOR).draw(o)


def random_uniform(
    o: Any,
    shape: Any = (),
    low: Any = 0.0,
    high: Any = 1.0,
    *,
    seed: Any = None,
    dtype: Any = float,
    generator: Generator | None = None,
) -> Any:
    """Random numbers from [low, high), evenly.

    `seed` is an int or an integer tensor: equal seeds give equal numbers, eager and staged. Without
    one the `generator` (or the default one) is drawn from.
    """
    chosen = dtypes.as_dtype(dtype)
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
    *,
    seed: Any = None,
    dtype: Any = float,
    generator: Generator | None = None,
) -> Any:
    """Random numbers, normal with this mean and standard deviation. See `random_uniform`."""
    chosen, sizes = dtypes.as_dtype(dtype), o.as_shape(shape)
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
    *,
    seed: Any = None,
    dtype: Any = int,
    generator: Generator | None = None,
) -> Any:
    """Random integers from [low, high), or from [0, low). ValueError where there are none.

    See `random_uniform`.
    """
    if high is None:
        low, high = 0, low
    if isinstance(low, int) and isinstance(high, int) and high <= low:
        raise ValueError(f"there is no integer from {low} up to {high}")
    start = _seed(o, seed, generator)
    bits = apply(RANDOM_BITS, (start,), {"shape": o.as_shape(shape), "stream": 3})
    # 63 bits, so that the remainder is that of a non-negative int64.
    number = o.astype(bits >> np.array(1, np.uint64), dtypes.int64)
    return o.astype(number % (high - low) + low, dtypes.as_dtype(dtype))


RECORDS = (RANDOM_BITS, RANDOM_UNIT)
FUNCTIONS = (set_seed, random_uniform, random_normal, random_integers)
