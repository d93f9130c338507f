"""NumPy's arrays and scalars in a trace: its functions, their operators, attributes and methods."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import StateError, UnconvertedCallError
from autograph.library.numpy import array_functions
from autograph.library.numpy import arrays as library
from autograph.operators.arrays import numpy_forms
from autograph.operators.arrays.objects_beside import (
    OBJECTS,
    beside_object,
    in_place_of_object,
    is_object,
)
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.truth import to_number
from autograph.runtime.arrays.cells import Array, Scalar, as_result, as_tensor, held_by
from autograph.runtime.arrays.layouts import lies_in_one_row
from autograph.runtime.arrays.manipulation import change
from autograph.runtime.arrays.methods import (
    ATTRIBUTES,
    BINARY,
    COMPARING,
    METHODS,
    in_place,
    operate,
)
from autograph.runtime.arrays.scipy_special import is_special
from autograph.runtime.arrays.table import (
    CREATING,
    IMPLEMENTATIONS,
    apply_function,
    asks_tensors,
    has_numbers,
    made_known,
    mapped,
    paused,
    stored,
    tensors_in,
)
from autograph.runtime.arrays.ufuncs import method
from autograph.runtime.core.dtypes import UnsupportedDtypeError
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYTHON_TYPES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS
from autograph.values.marks import declared

CELLS = (Array, Scalar)
_UFUNCS = {**BINARY, **COMPARING, "divmod": np.divmod}
REPEATED = (list, tuple, str, bytes, bytearray)


def class_of(cell: Any) -> type:
    """The class that an array or scalar has for the program: np.ndarray, np.float64, ..."""
    kind: type = np.ndarray if isinstance(cell, Array) else cell.dtype.type
    return kind


# operators ----------------------------------------------------------------------------------------
def of_arrays(function: Callable[..., Any], left: Any, right: Any) -> Any:
    """`left function right`, of which one is an array or a scalar; NotImplemented if NumPy asks
    the other one, or Python repeats a sequence."""
    ufunc = _UFUNCS.get(function.__name__.strip("_"))
    if ufunc is np.matmul and not any(isinstance(one, Array | np.ndarray) for one in (left, right)):
        if all(isinstance(one, (Scalar, Number, *NUMBERS)) for one in (left, right)):
            kinds = " and ".join(f"'{_kind_name(one)}'" for one in (left, right))
            raise TypeError(f"unsupported operand type(s) for @: {kinds}")
    if ufunc is None or (function is operator.mul and _repeats(left, right)):
        return NotImplemented
    try:
        squared = ufunc is np.power and type(right) is int and right == 2
        if squared and isinstance(left, Array) and left.dtype.kind == "b":
            return apply_function(np.square, (left,), {})  # as NumPy's operator has it
        found = operate(ufunc, left, right)
    except UnsupportedDtypeError as error:
        raise refuse_dtype(f"numpy.{ufunc.__name__}", error) from None
    if found is NotImplemented and (is_object(left) or is_object(right)):
        equality = function in (operator.eq, operator.ne)
        if equality or isinstance(left, OBJECTS) or isinstance(right, OBJECTS):
            return beside_object(function, left, right)
    return found


NUMBERS = (int, float, complex, np.generic)


def _kind_name(value: Any) -> str:
    """What Python calls the class of a number in its errors."""
    if isinstance(value, Scalar | np.generic):
        return f"numpy.{value.dtype.type.__name__}"
    kind: type = value.kind if isinstance(value, Number) else type(value)
    return kind.__name__


def _repeats(left: Any, right: Any) -> bool:
    """Whether a sequence is repeated: NumPy's integers are indices, its arrays are not."""
    return (isinstance(left, REPEATED) and isinstance(right, Scalar)) or (
        isinstance(right, REPEATED) and isinstance(left, Scalar)
    )


def augmented(method_name: str, left: Array, right: Any) -> Any:
    """`left += right` of an array, which every name of it sees."""
    ufunc = BINARY.get(method_name.strip("_")[1:])
    if ufunc is None or not isinstance(right, (Tensor, Number, np.ndarray, np.generic, int, float,
                                                complex, list, tuple)):  # fmt: skip
        return NotImplemented if ufunc is None else in_place_of_object(method_name, left, right)
    return in_place(ufunc, left, right)


# attributes ---------------------------------------------------------------------------------------
_OF_TENSORS = ("dtype", "ndim")


def array_attribute(cell: Any, name: str) -> Any:
    """`cell.name` of an array or a scalar, but for its shape and size."""
    if name in _WRITTEN and isinstance(cell, Array):
        return functools.partial(_WRITTEN[name], cell)
    if name in METHODS:
        return functools.partial(METHODS[name], cell)
    if name in ATTRIBUTES:
        return ATTRIBUTES[name](cell)
    if name in _OF_TENSORS:
        return getattr(cell, name)
    if name == "item":
        return functools.partial(_item, cell)
    if name == "strides" and isinstance(cell, Array) and lies_in_one_row(cell):
        return (cell.dtype.itemsize,)
    if name in _FUNCTIONS:
        return functools.partial(_FUNCTIONS[name], cell)
    if name == "__class__":
        return class_of(cell)
    if name in SPECIAL and hasattr(class_of(cell), name):
        return functools.partial(SPECIAL[name], cell)
    if not hasattr(class_of(cell), name):
        kind = class_of(cell)
        raise AttributeError(
            f"'{kind.__module__}.{kind.__name__}' object has no attribute '{name}'"
        )
    if isinstance(cell, Scalar) and name == "is_integer":
        return functools.partial(_is_integer, as_tensor(cell))
    raise StateError(
        f"attribute {name!r} of a NumPy array is not staged",
        location=user_location(),
        remedy="compute it with NumPy's functions of arrays, or outside of the staged function",
    )


SPECIAL: dict[str, Any] = {
    **{
        name: one for name, one in vars(operator).items() if name.startswith("__") and callable(one)
    },
    **{f"__{one.__name__}__": one for one in (len, iter, int, float, bool, complex, repr, str)},
    **{"__divmod__": divmod, "__round__": round},
}
"""Special methods of arrays and scalars: the functions that call them."""


def _is_integer(number: Tensor) -> Any:
    """`number.is_integer()` of a scalar."""
    whole = OPS.equal(number, OPS.floor(number))
    return OPS.to_bool(OPS.logical_and(whole, OPS.isfinite(number)))


_FUNCTIONS: dict[str, Any] = {
    name: getattr(np, name) for name in ("put", "choose", "argpartition", "take", "round", "trace")
}
"""Methods that are functions of NumPy's, which are Python themselves in the trace."""


_WRITTEN: dict[str, Any] = {"fill": library.fill, "partition": library.partition}
"""Methods that change an array, as Python on functions of NumPy's."""


def set_array_attribute(cell: Any, name: str, value: Any) -> None:
    """`cell.name = value` of an array or a scalar."""
    if isinstance(cell, Array) and name in ("real", "imag"):
        setattr(cell, name, value)
    elif isinstance(cell, Array) and name == "flat":
        change(ATTRIBUTES["flat"](cell), Ellipsis, value)
    elif isinstance(cell, Array) and name in ("shape", "dtype", "strides", "data"):
        raise StateError(
            f"attribute {name!r} of a NumPy array is set, which is not staged",
            location=user_location(),
            remedy="make another array or view of it: x = x.reshape(sizes)",
        )
    else:
        example = np.zeros(1, cell.dtype)
        setattr(example if isinstance(cell, Array) else example[0], name, value)  # raises


def _item(cell: Any, *place: Any) -> Any:
    plain = as_tensor(cell)
    if place:
        key = place[0] if len(place) == 1 else place
        flat = len(place) == 1 and isinstance(key, int) and len(plain.shape) != 1
        plain = OPS.getitem(OPS.reshape(plain, (-1,)) if flat else plain, key)
    return to_number(plain, PYTHON_TYPES.get(plain.dtype.kind, int))


# indices ------------------------------------------------------------------------------------------
def require_masks(container: Any, key: Any) -> None:
    """IndexError at run time for an index of truth values that is longer or shorter than the axis.

    Where both sizes are known, or surely the same, the op itself says so.
    """
    parts = [_mask(one) for one in (key if type(key) is tuple else (key,))]
    shape = shape_of(container)
    taken = [0 if one is None or one is Ellipsis else _axes(one) for one in parts]
    axis = 0
    for one, axes in zip(parts, taken, strict=True):
        if _is_mask(one):
            pairs = zip(shape[axis:], shape_of(one), strict=False)
            for place, (size, given) in enumerate(pairs):
                if size != given and not (isinstance(size, int) and isinstance(given, int)):
                    sizes = OPS.dimension(container, axis + place), OPS.dimension(one, place)
                    call(library.check_mask, *sizes, axis + place)
        axis += len(shape) - sum(taken) if one is Ellipsis else axes


def require_integers(array: Any, value: Any, key: Any = Ellipsis) -> None:
    """ValueError or OverflowError at run time for scalars that an array of integers cannot hold.

    Where the index has arrays in it, NumPy casts.
    """
    parts = key if type(key) is tuple else (key,)
    if isinstance(array, Array) and not any(isinstance(one, list | Array) for one in parts):
        require_fitting(value, array.dtype)


def require_fitting(value: Any, dtype: np.dtype[Any]) -> None:
    """The same for a scalar, or a list with scalars in it, and a dtype."""
    if dtype.kind != "i":
        return
    info = np.iinfo(dtype)
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, np.generic):
            with paused():
                np.zeros((), dtype)[()] = one  # what NumPy raises
        if not isinstance(one, Scalar) or one.dtype.kind not in "if":
            continue
        if one.dtype.kind == "f" or one.dtype.itemsize > dtype.itemsize:
            call(library.check_integer, one, int(info.min), int(info.max), str(dtype))


def _mask(part: Any) -> Any:
    """A list of known truth values as an array; other parts of an index as they are."""
    plain = isinstance(part, list) and part and all(isinstance(one, bool) for one in part)
    return np.array(part) if plain else part


def _is_mask(part: Any) -> bool:
    return isinstance(part, Tensor | np.ndarray) and part.dtype.kind == "b"


def _axes(part: Any) -> int:
    """How many axes a part of an index takes."""
    return len(part.shape) if _is_mask(part) else 1


# functions ----------------------------------------------------------------------------------------
def takes_arrays(function: Any) -> bool:
    """Whether a function is one of those that compute methods and functions of NumPy's."""
    module = declared(function, "__module__")
    return isinstance(module, str) and module.startswith("autograph.runtime.arrays")


def is_of_numpy(function: Any) -> bool:
    """Whether a callable is a function of NumPy's, or a method of one."""
    if is_special(function) or isinstance(function, np.ufunc):
        return True
    if isinstance(declared(function, "__self__"), np.ufunc | np.random.Generator):
        return True
    if isinstance(function, type):
        return issubclass(function, np.generic | np.random.RandomState)
    module = declared(function, "__module__")
    if module is None:  # of a method of a C class
        module = type(declared(function, "__self__")).__module__
    return isinstance(module, str) and module.partition(".")[0] == "numpy"


def call_numpy(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A function of NumPy's on what a trace holds; NotImplemented where nothing of it is staged."""
    function = _known(function)
    args, keywords = _with_counts(function, args, keywords)
    given = (*args, *keywords.values())
    staged = any(True for _ in tensors_in(given)) or has_numbers(given)
    if isinstance(function, type):
        return _cast(function, args) if staged and len(args) == 1 else NotImplemented
    makes = function in IMPLEMENTATIONS and function not in CREATING
    if not staged and not (makes and function in _FILLED):
        return NotImplemented
    owner = declared(function, "__self__")
    try:
        if isinstance(owner, np.ufunc) and function.__name__ != "at":
            return _method(owner, function.__name__, args, keywords)
        if isinstance(owner, np.ufunc):
            if owner is not np.add:
                raise NotImplementedError
            function = np.add.at
        found = numpy_forms.written(function, args, keywords)
        if found is not NotImplemented:
            return found
        numpy_forms.check(function, args, keywords)
        return apply_function(function, args, keywords)
    except NotImplementedError:
        return NotImplemented


COUNTING: dict[Any, int] = {
    **dict.fromkeys((np.zeros, np.ones, np.empty, np.arange, np.eye, np.identity, np.tri), 0),
    np.full: 0,
    np.indices: 0,
    **dict.fromkeys((np.roll, np.repeat, np.pad), 1),
    **dict.fromkeys((np.linspace, np.logspace, np.geomspace), 2),
}
"""Functions whose arguments, from this position on, may be counts: NumPy asks a tensor for its
`__index__`, and makes an array."""


NO_COUNTS = ("fill_value", "start", "stop")


def _with_counts(
    function: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a function that makes arrays, tensors of one integer as numbers."""
    first = COUNTING.get(function)
    if first is None:
        return args, keywords
    last = 1 if function is np.full else len(args)  # what fills it is no count
    parts = [_count(one) if first <= n < last else one for n, one in enumerate(args)]
    named = {key: one if key in NO_COUNTS else _count(one) for key, one in keywords.items()}
    return tuple(parts), named


def _count(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_count, value))
    if type(value) is Tensor and value.dtype.kind in "iu" and not value.shape:
        return OPS.to_int(value)
    return value


_FILLED = (np.zeros, np.ones, np.empty, np.copyto, np.fill_diagonal)


@functools.cache
def _behind() -> dict[Any, Any]:
    """NumPy's functions by the code behind their dispatch, which NumPy's own code calls."""
    pairs = ((getattr(one, "_implementation", None), one) for one in IMPLEMENTATIONS)
    return {plain: one for plain, one in pairs if plain is not None}


def _known(function: Any) -> Any:
    if isinstance(function, types.FunctionType | types.BuiltinFunctionType):
        return _behind().get(function, function)
    if isinstance(declared(function, "__self__"), np.ufunc):
        return next((one for one in IMPLEMENTATIONS if one == function), function)
    return function


def _method(ufunc: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`np.add.reduce(...)` and the like."""
    cells = list(tensors_in((*args, *keywords.values())))
    values = [mapped(one, as_tensor) for one in args]
    out = keywords.pop("out", None)
    named = {key: mapped(one, as_tensor) for key, one in keywords.items()}
    result = method(ufunc, name, *values, **named)
    if out is not None:
        return stored(None, result, out, True, "same_kind")
    alone = all(isinstance(one, CELLS) for one in cells)
    if alone or not asks_tensors(None, args, keywords):  # NumPy does not ask what is in lists
        from_tensor = OPS.asarray_or_same(result)
        return mapped(from_tensor, as_result)
    return result


def made_array(tensor: Tensor) -> Array:
    """A new array of the elements of a tensor."""
    return Array.holding(held_by(tensor))


def _cast(kind: type, args: tuple[Any, ...]) -> Any:
    """`np.float32(x)`: a scalar of another dtype."""
    (value,) = args
    if isinstance(value, Array) and value.dtype == np.dtype(kind) and len(value.shape):
        return value  # itself
    tensor = as_tensor(value)
    tensor = OPS.asarray(tensor, dtype=np.dtype(kind))
    made = made_array(tensor)
    return METHODS["copy"](made) if len(tensor.shape) else _scalar(tensor)


def _scalar(tensor: Tensor) -> Any:
    made = Scalar.__new__(Scalar)
    made._value, made._mark = held_by(tensor), None
    return made


def refuse_numpy(name: str) -> UnconvertedCallError:
    """The error for a function of NumPy's that no op computes."""
    return UnconvertedCallError(
        f"{name} with these arguments, of values that only the run tells, is not staged",
        location=user_location(),
        remedy="compute it with other functions of NumPy, or call it each time the graph runs: "
        "ag.py_function(f, [x], ag.TensorSpec(shape, dtype))",
    )


def refuse_dtype(name: str, error: TypeError) -> UnconvertedCallError:
    """The error for a function of NumPy's that has to do with strings, objects and the like."""
    remedy = "keep strings and objects in a list, and only numbers in an array"
    if "float16" in str(error).partition(";")[0]:
        remedy = "cast bools and integers of 8 bits first, a.astype(np.float32), or name that dtype"
        error = TypeError("NumPy gives dtype float16, which is not supported")
    return UnconvertedCallError(
        f"{name} with these arguments is not staged: {error}",
        location=user_location(),
        remedy=remedy,
    )


def made_by_numpy(name: str, result: Any) -> Any:
    """What NumPy gave for known values: its arrays are arrays of the trace, which may change."""
    try:
        return made_known(result)
    except UnsupportedDtypeError as error:
        raise refuse_dtype(name, error) from None


# np.r_ and its kin --------------------------------------------------------------------------------
_MAKERS: tuple[Any, ...] = (np.r_, np.c_, np.mgrid, np.ogrid)
JOINING = tuple({type(one) for one in _MAKERS})


def joined(maker: Any, key: Any) -> Any:
    """`np.r_[...]` and `np.c_[...]` of what is staged; of known parts, as NumPy has it."""
    parts = key if isinstance(key, tuple) else (key,)
    if not any(map(_is_staged, parts)):
        return made_by_numpy("numpy.r_", maker[key])
    sliced = [isinstance(one, slice) for one in parts]
    if maker in _GRIDS and all(sliced):
        bounds = tuple(map(_bounds, parts))
        return call(array_functions.grid, maker is np.mgrid, not isinstance(key, tuple), bounds)
    if maker in _GRIDS or any(isinstance(one, str) for one in parts):
        raise refuse_numpy("numpy.r_[...] or numpy.c_[...]")
    arrays = [
        _range(one) if isinstance(one, slice) else apply_function(np.asarray, (one,), {})
        for one in parts
    ]
    weak = [_weak(one) for one in parts]
    kinds = [one.dtype if kind is None else kind for one, kind in zip(arrays, weak, strict=True)]
    dtype = np.result_type(*kinds)
    arrays = [
        one if kind is None else apply_function(np.asarray, (one,), {"dtype": dtype})
        for one, kind in zip(arrays, weak, strict=True)
    ]
    if maker is np.r_:
        given = [apply_function(np.atleast_1d, (one,), {}) for one in arrays]
        return apply_function(np.concatenate, (given,), {})
    given = [apply_function(np.atleast_2d, (one,), {}) for one in arrays]
    columns = [
        apply_function(np.transpose, (one,), {}) if _rank(part) < 2 else one
        for one, part in zip(given, arrays, strict=True)
    ]
    return apply_function(np.concatenate, (columns,), {"axis": 1})


_GRIDS: tuple[Any, ...] = (np.mgrid, np.ogrid)


def _weak(part: Any) -> Any:
    """The number, or one like it, of a part that takes the dtype of those beside it; else None."""
    if isinstance(part, Number):
        return part.kind(0)
    return part if type(part) in (bool, int, float, complex) else None


def _is_staged(part: Any) -> bool:
    inside = _bounds(part) if isinstance(part, slice) else (part,)
    return has_numbers(inside) or any(True for _ in tensors_in(inside))


def _counts(part: Any) -> bool:
    """Whether a slice says how many numbers it takes, and not how far they lie apart."""
    step = part.step
    return isinstance(step, complex) or (isinstance(step, Number) and step.kind is complex)


def _bounds(part: Any) -> tuple[Any, Any, Any]:
    start = 0 if part.start is None else part.start
    return start, part.stop, 1 if part.step is None else part.step


def _range(part: Any) -> Any:
    """What `np.r_` makes of a slice."""
    if not _is_staged(part):
        return made_by_numpy("numpy.r_", np.r_[part])
    start, stop, step = _bounds(part)
    if _counts(part):
        return call(array_functions.counted_linspace, start, stop, step)
    return call(np.arange, start, stop, step)


def _rank(part: Any) -> int:
    return len(part.shape) if isinstance(part, Tensor) else np.ndim(part)
