"""The table of NumPy's functions, and how one is applied: `out=`, known elements, results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType, MethodType
from typing import Any, TypeVar

import numpy as np

from autograph.runtime.arrays.cells import (
    Array,
    Scalar,
    as_array,
    as_result,
    as_tensor,
    known_elements,
    put,
)
from autograph.runtime.core.dtypes import as_dtype
from autograph.runtime.core.number import Number
from autograph.runtime.core.numpy_versions import signature_of
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS


@dataclass(frozen=True, slots=True)
class Implementation:
    """A function of tensors with the signature of one of NumPy's, and what becomes of its result.

    `keeps`: it gives arrays without axes where others give scalars. `views`: it takes arrays as
    they are and gives views of them. `dtypes`: those of NumPy's results, for its arguments, where
    these are not those of the results of tensors.
    """

    function: Callable[..., Any]
    keeps: bool = False
    views: bool = False
    dtypes: Callable[..., tuple[Any, ...]] | None = None


IMPLEMENTATIONS: dict[Any, Implementation] = {}
"""By NumPy's function."""


Function = TypeVar("Function", bound=Callable[..., Any])


def implements(
    *functions: Any,
    keeps: bool = False,
    views: bool = False,
    dtypes: Callable[..., tuple[Any, ...]] | None = None,
) -> Callable[[Function], Function]:
    """A decorator: the function computes these functions of NumPy of tensors."""

    def noted(function: Function) -> Function:
        for one in functions:
            IMPLEMENTATIONS[one] = Implementation(function, keeps, views, dtypes)
        return function

    return noted


def tensors_in(values: Any) -> Iterator[Tensor]:
    """The tensors among arguments, and in lists and tuples among these."""
    for one in values:
        if isinstance(one, Tensor):
            yield one
        elif isinstance(one, list | tuple):
            yield from tensors_in(one)


def has_numbers(values: Any) -> bool:
    """Whether a staged Python number is among arguments, or in lists and tuples among these."""
    return any(
        isinstance(one, Number)
        or (isinstance(one, list | tuple | slice) and has_numbers(_parts(one)))
        for one in values
    )


def _parts(value: Any) -> Any:
    return (value.start, value.stop, value.step) if isinstance(value, slice) else value


def mapped(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """`value` with `leaf` applied to each tensor in it, in lists and tuples."""
    if isinstance(value, Tensor):
        return leaf(value)
    if type(value) in (list, tuple):
        return type(value)([mapped(one, leaf) for one in value])
    if isinstance(value, dict):
        return {name: mapped(one, leaf) for name, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _make(type(value))(mapped(one, leaf) for one in value)
    return value


def _make(kind: Any) -> Any:
    """What makes a named tuple of this class from its parts."""
    return kind._make


def apply_function(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A function of NumPy on arrays, scalars, tensors and staged numbers, in a trace.

    NotImplemented where no function of tensors computes it.
    """
    if isinstance(function, np.ufunc) and len(args) > function.nin and not keywords.get("out"):
        outs = args[function.nin :]
        outs += (None,) * (function.nout - len(outs))
        args, keywords = args[: function.nin], {**keywords, "out": outs}
    if isinstance(function, np.ufunc) and any(isinstance(one, NO_NUMBERS) for one in args):
        _ask_of_objects(function, args)
    if isinstance(function, np.ufunc) and not all(isinstance(one, OPERANDS) for one in args):
        as_dtype(np.dtype(object))
    given = (*args, *keywords.values())
    cells = list(tensors_in(given))
    among_arrays = all(isinstance(one, Array | Scalar) for one in cells)
    if among_arrays and not has_numbers(given) and keywords.get("out") is None:
        known = _of_known(function, args, keywords, cells)
        if known is not NotImplemented:
            return known
    implementation = IMPLEMENTATIONS.get(function)
    if implementation is None:
        return NotImplemented
    if not takes(implementation.function, len(args), tuple(keywords)):
        return NotImplemented
    if function in CHANGING or (implementation.views and among_arrays and cells):
        return mapped(implementation.function(*args, **keywords), _as_array_made)
    alone = not cells and not any(isinstance(one, np.ndarray | np.generic) for one in given)
    if alone and function not in (np.real, np.imag):  # which take the parts of any number
        args = tuple(map(_precise, args))
    keywords = dict(keywords)
    out = keywords.pop("out", None)
    names = _parameters(implementation.function, len(args))
    data = Data(function, among_arrays)
    values = [mapped(data.of(one, name), as_tensor) for one, name in zip(args, names, strict=True)]
    named = {name: mapped(data.of(one, name), as_tensor) for name, one in keywords.items()}
    if among_arrays and _is_of_others(function):
        values = _in_their_dtype(function, values)
    where = named.pop("where", True) if out is not None and type(function) is np.ufunc else True
    wanted = None
    if among_arrays and implementation.dtypes is not None:
        wanted = tuple(map(as_dtype, implementation.dtypes(*values, **named)))
    result = implementation.function(*values, **named)
    if wanted is not None:
        result = _in_dtypes(result, wanted)
    if out is not None:
        casting = keywords.get("casting", "same_kind")
        return stored(function, result, out, where, casting, as_result if among_arrays else None)
    if not among_arrays and asks_tensors(function, args, keywords):
        return result
    return mapped(result, as_array if implementation.keeps else as_result)


def _in_dtypes(result: Any, wanted: tuple[Any, ...]) -> Any:
    """Results in the dtypes that NumPy gives them."""
    parts = result if isinstance(result, tuple) else (result,)
    made = [
        one if one.dtype == dtype else OPS.astype(one, dtype)
        for one, dtype in zip(parts, wanted, strict=True)
    ]
    return tuple(made) if isinstance(result, tuple) else made[0]


OPERANDS = (Tensor, Number, int, float, complex, np.ndarray, np.generic, list, tuple)
"""What NumPy makes arrays of numbers of."""
NO_NUMBERS = (type(None), str, bytes, dict, set, frozenset)
"""What NumPy takes as one object, or as a string."""


def _ask_of_objects(function: Any, args: tuple[Any, ...]) -> None:
    """What a universal function raises for operands that are no numbers, of NumPy itself.

    Where it gives something, that is nothing that tensors hold: UnsupportedDtypeError.
    """
    operands = [np.zeros(1, one.dtype) if isinstance(one, Tensor) else one for one in args]
    with paused():
        function(*[one.kind() if isinstance(one, Number) else one for one in operands])
    as_dtype(np.dtype(object))


def _precise(value: Any) -> Any:
    """A staged complex number alone as NumPy takes it: complex128."""
    if isinstance(value, Number) and value.kind is complex:
        return OPS.to_tensor(value, dtype=strong_dtype(value))
    return value


@dataclass(frozen=True, slots=True)
class Data:
    """What a function of NumPy's is given, as the arrays that NumPy makes of lists of floats.

    (As tensors make them, floats of Python would be float32.) In lists of arrays, each of these;
    the limits of a histogram and the pairs of `np.pad` are no arrays.
    """

    function: Any
    among_arrays: bool
    """Whether no tensor is among the arguments: else lists are what tensors make of them."""

    def of(self, value: Any, name: str) -> Any:
        """An argument, given for a parameter of this name."""
        if not isinstance(value, list | tuple) or hasattr(value, "_fields"):
            return value
        if name == "range" or self.function is np.pad:
            return value
        if self.function in ASKING_LISTS and name not in ("weights", "default"):
            return type(value)([self._array(one) for one in value])
        return self._array(value)

    def _array(self, value: Any) -> Any:
        if not isinstance(value, list | tuple) or hasattr(value, "_fields"):
            return value
        cells = list(tensors_in(value))
        if not (cells or has_numbers(value)):
            return as_numpy_takes_it(value) if self.among_arrays else value
        if not all(isinstance(one, Array | Scalar) for one in cells):
            return value
        try:
            return tensor_of(value) if strong_dtype(value).kind in "fc" else value
        except (TypeError, ValueError):  # no array: parts of several lengths, or other objects
            return value


@lru_cache(4096)
def _parameters(function: Callable[..., Any], count: int) -> tuple[str, ...]:
    """The names of the parameters that so many positional arguments are given for."""
    found = signature_of(function).bind_partial(*range(count)).arguments
    names = ["" for _ in range(count)]
    for name, place in found.items():
        if type(place) is int:
            names[place] = name
    return tuple(names)


def _is_of_others(function: Any) -> bool:
    """Whether it is a universal function of another library: of SciPy."""
    return isinstance(function, np.ufunc) and getattr(np, function.__name__, None) is not function


def _in_their_dtype(function: Any, values: list[Any]) -> list[Any]:
    """The operands of a universal function of SciPy's in the dtype in which it computes."""

    def sample(one: Any) -> Any:
        if isinstance(one, Number):
            return one.kind(1)
        return np.ones(1, one.dtype) if isinstance(one, Tensor) else one

    with paused(), np.errstate(all="ignore"):
        dtype = np.asarray(function(*map(sample, values))).dtype
    return [OPS.asarray(one, dtype=dtype) for one in values]


def asks_tensors(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Whether NumPy hands a call over to the tensors in it; else it makes arrays of them.

    It asks arguments, not what is in lists, but for functions that join arrays (NEP 18).
    """
    if function in UNASKED:
        return False
    given = (*args, *keywords.values())
    among = tensors_in(given) if function in ASKING_LISTS else given
    return any(isinstance(one, Tensor) and not isinstance(one, Array | Scalar) for one in among)


def _as_array_made(made: Tensor) -> Tensor:
    """What was made of a list that arrays and scalars are in."""
    return as_array(made) if type(made) is Tensor else made


@lru_cache(4096)
def takes(function: Callable[..., Any], count: int, names: tuple[str, ...]) -> bool:
    """Whether a function has so many parameters, and those of these names."""
    try:
        signature_of(function).bind(*range(count), **dict.fromkeys(set(names) - {"out"}))
    except TypeError:
        return False
    return True


def _of_known(
    function: Any, args: tuple[Any, ...], keywords: dict[str, Any], cells: list[Tensor]
) -> Any:
    """What NumPy itself gives where all elements are known; it must not change its arguments."""
    if function in CHANGING or not (cells or function in CREATING):
        return NotImplemented
    if any(isinstance(one, FunctionType | MethodType) for one in (*args, *keywords.values())):
        return NotImplemented  # it would be called unconverted
    elements: dict[int, Any] = {}
    for one in cells:
        known = known_elements(one)
        if known is None:
            return NotImplemented
        elements[id(one)] = known
    values = [mapped(one, lambda cell: elements[id(cell)]) for one in args]
    named = {name: mapped(one, lambda cell: elements[id(cell)]) for name, one in keywords.items()}
    implementation = IMPLEMENTATIONS.get(function)
    if implementation is not None and implementation.views and cells:
        return NotImplemented  # which shares elements
    with paused():
        result = function(*values, **named)
    return made_known(result)


def strong_dtype(value: Any) -> Any:
    """The dtype that NumPy gives to an array of nested lists: Python's numbers count as arrays."""
    if isinstance(value, list | tuple):
        found = [strong_dtype(one) for one in value]
        return np.result_type(*found) if found else np.dtype(float)
    if isinstance(value, Tensor | np.ndarray | np.generic):
        return value.dtype
    return np.asarray(value.kind() if isinstance(value, Number) else value).dtype


def tensor_of(value: Any) -> Any:
    """A tensor of what NumPy makes an array of: Python's floats are float64."""
    if isinstance(value, Tensor):
        return value
    return OPS.asarray(value, dtype=strong_dtype(value))


def as_numpy_takes_it(value: Any) -> Any:
    """Lists of plain numbers of which one is a float as tensors; other values as they are."""
    if isinstance(value, list | tuple) and value and not any(True for _ in tensors_in(value)):
        if not has_numbers(value) and _is_of_floats(value):
            return tensor_of(value)
    return value


def _is_of_floats(value: Any) -> bool:
    try:
        return np.asarray(value).dtype.kind in "fc"
    except (ValueError, TypeError):
        return False


def as_number_of_python(kind: Callable[[Any], Any], array: Tensor) -> None:
    """What NumPy raises for `kind(array)` of an array with axes: newer ones take none at all."""
    sizes = [size if isinstance(size, int) else 1 for size in shape_of(array)]
    with paused():
        kind(np.zeros(sizes, array.dtype))


class paused:
    """Lets NumPy compute for a while, as if there were no trace."""

    def __enter__(self) -> None:
        self.outer = STATE.interpreter, STATE.tapes
        STATE.interpreter, STATE.tapes = None, ()

    def __exit__(self, *_: object) -> None:
        STATE.interpreter, STATE.tapes = self.outer


def made_known(result: Any) -> Any:
    """What NumPy gave while tracing: arrays become cells of the trace, scalars stay."""
    if isinstance(result, np.ndarray):
        as_dtype(result.dtype)  # which says that tensors do not have it
        return as_array(OPS.asarray(result))
    if type(result) in (list, tuple):
        return type(result)([made_known(one) for one in result])
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return _make(type(result))(map(made_known, result))
    return result


CHANGING: set[Any] = set()
"""Functions that change an argument."""
UNASKED: set[Any] = {np.array, np.full, np.arange, np.fromiter, np.ascontiguousarray}
"""Functions that make an array of what they are given, whatever it is."""
ASKING_LISTS: set[Any] = {
    *(np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack, np.block),
    *(np.select, np.choose, np.lexsort, np.linalg.multi_dot, np.histogramdd),
}
"""Functions that ask what is in the lists that they are given."""
CREATING: set[Any] = set()
"""Functions that make arrays of plain Python values, as data."""


def stored(
    function: Any, result: Any, out: Any, where: Any, casting: str, finish: Any = None
) -> Any:
    """Put each result of a function into its `out`; where that is None, what `finish` makes of it.

    NotImplementedError where only NumPy knows how a function casts its results.
    """
    several = isinstance(result, tuple)
    if several and not isinstance(out, tuple):
        raise TypeError("'out' must be a tuple of arrays")
    targets = out if isinstance(out, tuple) else (out,)
    results = result if several else (result,)
    if len(targets) != len(results):
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    pairs = list(zip(results, targets, strict=True))
    for place, (one, target) in enumerate(pairs):
        if target is not None:
            _require_fitting(tensor_of(one), target, function, casting, place)
    unasked = finish or (lambda one: one)
    made = [unasked(one) if target is None else store(one, target, where) for one, target in pairs]
    return tuple(made) if several else made[0]


def _require_fitting(result: Any, target: Any, function: Any, casting: str, place: int) -> None:
    """What NumPy raises for an `out` that does not take a result of a function."""
    if not isinstance(target, Tensor):
        raise TypeError("return arrays must be of ArrayType")
    require_cast(result.dtype, target.dtype, function, casting, place)
    pairs = zip(shape_of(result), shape_of(target), strict=False)
    differs = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    if not isinstance(function, np.ufunc) and function is not np.clip:
        if differs or len(result.shape) != len(target.shape):
            raise NotImplementedError


def store(result: Any, target: Any, where: Any = True) -> Any:
    """Put a result into an array or tensor, `where` that is True, cast to its dtype."""
    result = tensor_of(result)
    if result.dtype.kind == "c" and target.dtype.kind != "c":
        result = OPS.real(result)
    if where is not True:
        held = as_tensor(target)
        result = OPS.where(tensor_of(where), OPS.astype(result, held.dtype), held)
    write_all(target, result)
    return target


def require_cast(
    given: Any, wanted: Any, function: Any = np.add, casting: str = "same_kind", place: int = 0
) -> None:
    """NumPy's own error where results of a dtype do not fit into another.

    NotImplementedError where the function is none of its universal ones.
    """
    if np.can_cast(given, wanted, casting):  # type: ignore[arg-type]
        return
    if not isinstance(function, np.ufunc):
        raise NotImplementedError
    outs: list[Any] = [None] * function.nout
    outs[place] = np.zeros(1, wanted)
    with paused():
        function(*[np.zeros(1, given)] * function.nin, out=tuple(outs), casting=casting)


def write_all(target: Tensor, value: Any) -> None:
    """`target[...] = value`, where value has the shape of the target."""
    if len(value.shape) > len(target.shape) or _differs(value, target):
        raise ValueError(
            f"non-broadcastable output operand with shape {tuple(target.shape)} doesn't match the "
            f"broadcast shape {tuple(value.shape)}"
        )
    if value.dtype != target.dtype or not _is_same_shape(value, target):
        value = OPS.updated(as_tensor(target), Ellipsis, value)
    if isinstance(target, Array):
        put(target, value)
    else:
        OPS.setitem(target, Ellipsis, value)


def _is_same_shape(value: Any, target: Any) -> bool:
    """Whether two shapes are known to be the same."""
    shapes = [tuple(shape_of(one)) for one in (value, target)]
    return len(shapes[0]) == len(shapes[1]) and all(
        a is b or (isinstance(a, int) and isinstance(b, int) and a == b)
        for a, b in zip(*shapes, strict=True)
    )


def _differs(value: Any, target: Any) -> bool:
    pairs = zip(reversed(shape_of(value)), reversed(shape_of(target)), strict=False)
    return any(isinstance(a, int) and isinstance(b, int) and a != b and b == 1 for a, b in pairs)
