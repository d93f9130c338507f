"""Functions of NumPy that no op computes, as what they are: Python on other functions of NumPy."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from autograph.errors import StagingError
from autograph.library.numpy import (
    array_editing,
    array_functions,
    padding,
    polynomials,
    unknown_sizes,
)
from autograph.library.numpy import arrays as library
from autograph.operators.arrays.numpy_arrays import refuse_numpy
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.truth import to_number
from autograph.runtime.arrays.cells import Array, Scalar, as_array, as_tensor
from autograph.runtime.arrays.table import (
    CHANGING,
    has_numbers,
    mapped,
    strong_dtype,
    takes,
    tensors_in,
)
from autograph.runtime.core.location import is_ours
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYTHON_TYPES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.tracing.tracing import Tracing
from autograph.values.marks import declared

_C_CODE: Any = sys.modules.get("numpy._core._multiarray_umath")
CONVERTER: Any = getattr(_C_CODE, "_array_converter", None)
"""What NumPy's own code makes arrays of its arguments with."""
_HASHING: Any = getattr(_C_CODE, "_unique_hash", None)
WRITTEN: dict[Any, Any] = {
    np.array_equiv: library.array_equiv,
    np.broadcast_arrays: library.broadcast_arrays,
    np.unravel_index: library.unravel_index,
    np.ravel_multi_index: library.ravel_multi_index,
    np.lexsort: library.lexsort,
    np.put: library.put,
    np.place: library.place,
    np.fromiter: library.fromiter,
    sliding_window_view: library.sliding_window_view,
    as_strided: library.as_strided,
    np.fft.fftfreq: array_functions.fftfreq,
    np.resize: array_functions.resize,
    np.pad: padding.pad,
    np.histogramdd: array_functions.histogramdd,
    np.linalg.eig: array_functions.eig,
    np.linalg.eigvals: array_functions.eigvals,
    np.poly: array_functions.poly,
    np.gcd: array_functions.gcd,
    np.lcm: array_functions.lcm,
    np.ediff1d: array_functions.ediff1d,
    np.nanmedian: array_functions.nanmedian,
    np.nanquantile: array_functions.nanquantile,
    np.nanpercentile: array_functions.nanpercentile,
    np.delete: array_editing.delete,
    np.insert: array_editing.insert,
    np.rot90: array_editing.rot90,
    np.put_along_axis: array_editing.put_along_axis,
    np.meshgrid: array_editing.meshgrid,
    np.block: array_editing.block,
    np.polymul: unknown_sizes.polymul,
    np.polynomial.polyutils.mapdomain: polynomials.mapdomain,
    np.packbits: unknown_sizes.packbits,
    np.unpackbits: unknown_sizes.unpackbits,
}
"""What is C in NumPy, or looks at addresses: written anew, with the arguments that it has there."""
_FAILURES = (StagingError, TypeError, AttributeError, NotImplementedError)
"""What NumPy's own code raises where it meets what stands for an array."""
LOGICAL = frozenset("logical_and logical_or logical_xor".split())
KEEPING = LOGICAL.union(
    "maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor subtract".split(),
    "logaddexp logaddexp2 hypot divide".split(),
)
"""Universal functions that give the dtype of their operands, so that they can go along an axis;
logical ones those of bools, which any elements count as, and others that of floats."""

CALLING_BACK = frozenset({np.fromiter, np.fromfunction, np.piecewise})
"""What they call, or go over, may give staged values, whatever they are given."""

_copies: dict[types.CodeType, types.FunctionType] = {}
"""By code: copies that count as code of the user's, which is converted."""


def call_source(
    tracing: Tracing, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """Stage NumPy's own code of a function; NotImplemented where that is C, or is not staged."""
    given = (*args, *keywords.values())
    staged = any(True for _ in tensors_in(given)) or has_numbers(given)
    in_place = isinstance(declared(function, "__self__"), np.ufunc)
    if function in CHANGING - WRITTEN.keys() and not in_place:
        return NotImplemented
    if not staged and function not in CALLING_BACK:
        return NotImplemented
    source, args = _source_of(function, args, keywords)
    if source is None or not takes(source, len(args), tuple(keywords)):
        return NotImplemented
    # Eagerly such a function takes the elements of a tensor, and gives arrays.
    args = tuple(with_arrays(tracing, one) for one in args)
    keywords = {name: with_arrays(tracing, one) for name, one in keywords.items()}
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        try:
            result = call(source, *args, **keywords)
        except _FAILURES:
            region.roll_back()
            checkpoint.restore()
            if function is np.fromiter:  # the iterator may have given items
                raise refuse_numpy("numpy.fromiter") from None
            return NotImplemented
        region.commit()
    return result


def with_arrays(tracing: Tracing, argument: Any) -> Any:
    """An argument, and what lists and tuples in it hold, with arrays for tensors."""
    return tracing.born_within(mapped(argument, as_an_array))


def as_an_array(tensor: Tensor) -> Tensor:
    """A tensor as an array of its elements."""
    return tensor if isinstance(tensor, Array | Scalar) else as_array(as_tensor(tensor))


def _source_of(
    function: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Any, tuple[Any, ...]]:
    """The Python function that does what one of NumPy's does, and its arguments; None for none."""
    owner, name = declared(function, "__self__"), declared(function, "__name__")
    if isinstance(owner, np.ufunc) and name == "at":
        fits = _changes_in_place(owner, *args)
        return (array_functions.change_at if fits else None), (owner, *args)
    if isinstance(owner, np.ufunc) and name == "reduceat":
        return unknown_sizes.reduceat, (owner, *args)
    if isinstance(owner, np.ufunc):
        written = {"accumulate": library.accumulate, "reduce": library.reduce}.get(name)
        if name == "reduce" and owner in (np.gcd, np.lcm) and len(args) == 1:
            return array_functions.reduced_numbers, (owner, *args)
        fits = owner.__name__ in KEEPING and (len(args) < 2 or isinstance(args[1], int))
        return (written, (owner, *args)) if fits else (None, args)
    if function is np.vectorize.__call__:
        return _vectorized(*args)
    if function is sliding_window_view and _is_one_axis(*args, **keywords):
        return library.sliding_windows, args
    if function is np.unique and keywords.get("axis") is not None:
        return array_functions.unique_along, args
    if function is np.linspace and any(_has_axes(one) for one in args[:2]):
        return array_functions.linspace, args
    if function is np.apply_along_axis and len(args) > 2 and _is_sized_by_run(args[2]):
        return library.apply_along_axis, args
    written = WRITTEN.get(function)
    if written is not None:
        return written, args
    plain = declared(function, "_implementation") or function
    return (_copy(plain) if isinstance(plain, types.FunctionType) else None), args


def _is_one_axis(x: Any = None, window_shape: Any = None, axis: Any = None, **rest: Any) -> bool:
    """Whether windows go along one axis that is named."""
    return not rest and all(
        isinstance(one, int) or (isinstance(one, tuple | list) and len(one) == 1)
        for one in (window_shape, axis)
    )


def _is_sized_by_run(value: Any) -> bool:
    return isinstance(value, Tensor) and not all(isinstance(one, int) for one in shape_of(value))


def _has_axes(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, Tensor) and len(value.shape) > 0)


def _changes_in_place(ufunc: np.ufunc, array: Any, indices: Any, *operands: Any) -> bool:
    """Whether `ufunc.at` gives what the array holds."""
    if len(operands) != 1 or not isinstance(array, Array):
        return False
    (operand,) = operands
    kind = operand.kind if isinstance(operand, Number) else type(operand)
    given = kind if kind in (int, float, complex) else strong_dtype(operand)
    return ufunc.resolve_dtypes((array.dtype, given, None))[-1] == array.dtype


def _vectorized(made: Any, *args: Any) -> tuple[Any, tuple[Any, ...]]:
    """The loop of `np.vectorize`, without what it seldom has."""
    if made.excluded or made.signature is not None or made.cache or not args:
        return None, args
    function = made.pyfunc
    while isinstance(function, types.FunctionType) and is_ours(function.__code__.co_filename):
        function = vars(function)["__wrapped__"]  # what NumPy was given for the user's function
    dtype: Any = None
    if made.otypes is not None:
        dtype = tuple(map(np.dtype, made.otypes))
        dtype = dtype if len(dtype) > 1 else dtype[0]
    return library.vectorized, (function, dtype, *args)


def _connected_item(tracing: Tracing, scalar: Any) -> Any:
    if not isinstance(scalar, Tensor):
        return scalar.item()
    return to_number(scalar, PYTHON_TYPES.get(scalar.dtype.kind, int), connects=True)


def _copy(plain: types.FunctionType) -> types.FunctionType:
    code = plain.__code__
    if code not in _copies:
        made = types.FunctionType(
            code, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
        )
        made.__kwdefaults__ = plain.__kwdefaults__
        made.__qualname__ = plain.__qualname__
        made.__module__ = "the source of " + plain.__module__
        _copies[code] = made
    return _copies[code]


# classes ------------------------------------------------------------------------------------------
def _nditer(
    tracing: Tracing, op: Any, flags: Any = (), op_flags: Any = None, *args: Any, **keywords: Any
) -> Any:
    if not isinstance(op, Array) and not any(True for _ in tensors_in((op, *args))):
        return np.nditer(op, flags, op_flags, *args, **keywords)
    known = all(one in ("multi_index", "c_index") for one in flags)
    access = op_flags[0] if op_flags and isinstance(op_flags[0], list | tuple) else op_flags
    access = access or ["readonly"]
    fits = access in (["readonly"], ["readwrite"], ["writeonly"])
    lies = isinstance(op, Array) and op.is_contiguous
    if args or keywords or not (known and fits and lies):
        raise refuse_numpy("numpy.nditer")
    if not flags and access == ["readonly"]:
        return call(library.elements, op)
    return call(library.Cursor, op, access != ["readonly"], tuple(flags))


def _result_type(tracing: Tracing, *given: Any) -> Any:
    """`np.result_type`: of an array its dtype counts, of a staged number its type."""
    kinds = [one.kind() if isinstance(one, Number) else one for one in given]
    return np.result_type(*[one.dtype if isinstance(one, Tensor) else one for one in kinds])


def _ndindex(tracing: Tracing, *shape: Any) -> Any:
    """`np.ndindex`; it refuses by itself what is no shape."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    fits = all(isinstance(one, Number) or (type(one) is int and one >= 0) for one in sizes)
    return call(library.ndindex, *shape) if fits else np.ndindex(*shape)


MODELS: dict[Any, Any] = {
    library.connected_item: _connected_item,
    np.ndindex: _ndindex,
    np.ndenumerate: lambda tracing, arr: call(library.ndenumerate, arr),
    np.nditer: _nditer,
    np.result_type: _result_type,
    np.shape: lambda tracing, a: call(library.shape, a),
    np.size: lambda tracing, a, axis=None: call(library.size, a, axis),
}
if _HASHING is not None:  # where it says so, sorted elements are compared
    MODELS[_HASHING] = lambda tracing, *args, **keywords: NotImplemented
if CONVERTER is not None:
    MODELS[CONVERTER] = lambda tracing, *arrays: call(library.Converter, *arrays)
