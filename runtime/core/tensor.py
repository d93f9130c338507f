"""Tensor: a cell that holds an immutable value."""

from __future__ import annotations

import reprlib
import sys
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.devices import device_of, foreign_array
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import called_by, stores_item
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor_html import as_html

Array = np.ndarray[Any, Any]


class ArgumentTypeError(TypeError):
    """An argument that cannot become a tensor.

    Pass numbers, arrays, or nested lists of them.

        def f(x): return t(["a"])           # f(1): ArgumentTypeError, eager ArgumentTypeError
        def f(x): return t([x])             # instead
    """


class Tensor:
    """A cell that holds an immutable value: an array, or while tracing a value of a graph.

    `x[i] = v` puts a new value into the cell, so every name of the cell sees it; operations make
    new cells. Operators and methods are installed by the table of ops.
    """

    __slots__ = ("__weakref__", "_mark", "_value")
    __array_priority__ = 1000
    _value: Any
    _mark: Any
    """Notes of the trace that made or captured the cell."""

    def __init__(self, value: Any, dtype: Any = None) -> None:
        self._value = as_array(value, dtype, copy=True)
        self._mark = None

    @classmethod
    def _of(cls, value: Any) -> Tensor:
        """A cell around a value that is owned already; nothing is copied or checked."""
        cell = _new(Tensor)
        cell._value = value
        cell._mark = None
        return cell

    def _alike(self, value: Any) -> Tensor:
        """A new cell of this kind, around a value that is owned already."""
        return Tensor._of(value)

    def _gradient_of(self, value: Any) -> Any:
        """What a gradient with this value is, where this cell is the source."""
        return Tensor._of(value)

    # what is known of the value ---------------------------------------------------------------
    @property
    def dtype(self) -> DType:
        """The dtype, a NumPy dtype."""
        value = self._value
        dtype: DType = value.dtype if type(value) is np.ndarray else value.spec.dtype
        return dtype

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the axes."""
        value = self._value
        shape: tuple[Any, ...] = value.shape if type(value) is np.ndarray else value.spec.shape
        return shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Any:
        """The number of elements."""
        value = self._value
        return value.size if type(value) is np.ndarray else value.spec.size

    @property
    def device(self) -> str:
        """The name of the device where the value lives: `cpu:0`, or a GPU as `cuda:0`."""
        return device_of(self._value)

    # leaving the tensor world -----------------------------------------------------------------
    def numpy(self) -> Array:
        """The value as a read-only array; nobody else will write it."""
        array = self._concrete("numpy()")
        array.flags.writeable = False
        return array

    def _concrete(self, what: str) -> Array:
        value = self._value
        interpreter = STATE.interpreter
        if interpreter is not None:
            # Even what is known now is an input of the graph: another call brings another value.
            raise interpreter.value_of(self).not_concrete(what)
        if type(value) is not np.ndarray:
            raise value.outlived(what)
        for tape in STATE.tapes:
            tape.looked_at(self)
        return value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self._concrete("a NumPy function")
        self._require_unwatched("NumPy takes the elements")
        if dtype is not None and np.dtype(dtype) != array.dtype:
            return array.astype(dtype)
        return array.copy() if copy or copy is None else self.numpy()

    def _require_unwatched(self, what: str) -> None:
        """TypeError where a recording tape watches this tensor: its gradient would be lost."""
        if self._is_watched():
            raise TypeError(
                f"{what} of a tensor, {describe(self)}, that a GradientTape watches: the gradient "
                "would not go through what is computed of them. Stage the gradient, where arrays "
                "take them: ag.function(ag.grad(loss)); or write the function of ag, as "
                "ag.asarray(x) for np.array(x); or, if none is wanted, hand on x.numpy()"
            )

    def item(self) -> Any:
        """The only element, as a Python number. ValueError where there is not exactly one."""
        return self._concrete("item()").item()

    def tolist(self) -> Any:
        """The elements as (nested) lists of Python numbers."""
        return self._concrete("tolist()").tolist()

    def __bool__(self) -> bool:
        array = self._concrete("bool()")
        if array.size != 1:
            raise ValueError(
                f"the truth of a tensor of shape {array.shape} is ambiguous; "
                "use ag.any(x) or ag.all(x)"
            )
        return bool(array.item())

    def __int__(self) -> int:
        return int(self._concrete("int()").item())

    def __float__(self) -> float:
        number = float(self._concrete("float()").item())
        self._require_asked(sys._getframe(1))
        return number

    def __complex__(self) -> complex:
        number = complex(self._concrete("complex()").item())
        self._require_asked(sys._getframe(1), as_complex=True)
        return number

    def _require_asked(self, caller: FrameType, as_complex: bool = False) -> None:
        """TypeError where `array[i] = t`, `math.sin(t)` or a function of NumPy's takes a watched
        tensor: nobody wrote `float`."""
        if not STATE.tapes or not self._is_watched():
            return
        if stores_item(caller):
            self._require_unwatched("an array takes the element")
        function = called_by(caller)
        if function is complex and not as_complex:
            self._require_unwatched("complex(x, y) takes the element")
        owner = getattr(function, "__objclass__", function)
        module = str(getattr(owner, "__module__", None))
        if module.partition(".")[0] == "numpy":
            self._require_unwatched("NumPy takes the element")
        name = getattr(function, "__name__", "")
        if module in ("math", "cmath") and name not in _FLAT:
            raise TypeError(
                f"{module}.{name} takes the number out of a tensor, {describe(self)}, that a "
                "GradientTape watches: the gradient would not go through what is computed of it. "
                "Write NumPy's or ag's function, as np.exp(x) or ag.exp(x); or stage the gradient, "
                "where those of math have one: ag.function(ag.grad(loss)); or, if none is wanted, "
                f"{module}.{name}(float(x))"
            )

    def _is_watched(self) -> bool:
        return self.dtype.kind in "fc" and any(tape.follows(self) for tape in STATE.tapes)

    def _without(self, wanted: str) -> str:
        """What is said where it has no "index", "length" or "items"."""
        if wanted == "index":
            return f"only 0-d integer tensors are indices, not {describe(self)}"
        return f"{'len() of' if wanted == 'length' else 'iteration over'} a 0-d tensor"

    def __index__(self) -> int:
        array = self._concrete("an index")
        if array.ndim or array.dtype.kind not in "iu":
            raise no_index(self)
        return int(array)

    def __len__(self) -> int:
        if not self.shape:
            raise no_length(self)
        return int(self._concrete("len()").shape[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise no_iteration(self)
        self._concrete("iteration")
        return (self[i] for i in range(len(self)))

    def __contains__(self, item: Any) -> bool:
        return bool((self._concrete("in") == as_array(item)).any())

    def __hash__(self) -> int:
        raise TypeError(
            "unhashable type: 'Tensor'; a key of a dict or a member of a set is the number in it, "
            "int(x) or x.item(), or id(x) for the object"
        )

    def __format__(self, spec: str) -> str:
        array = self._concrete("format()")
        return format(array.item() if array.ndim == 0 and spec else array, spec)

    def __copy__(self) -> Tensor:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self.copy()

    def __reduce__(self) -> Any:
        return Tensor, (self._concrete("pickle"),)

    def __repr__(self) -> str:
        value = self._value
        if type(value) is not np.ndarray:
            return f"<staged {describe(self)}>"
        text = np.array2string(value, separator=", ", prefix="Tensor(")
        shape = f", shape={value.shape}" if not value.size and value.ndim > 1 else ""
        return f"Tensor({text}{shape}, dtype={value.dtype})"

    def __str__(self) -> str:
        value = self._value
        return str(value) if type(value) is np.ndarray else repr(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        value = self._value
        if type(value) is not np.ndarray:
            return as_html(repr(self), np.zeros(0))
        return as_html(f"{type(self).__name__} {value.dtype} {value.shape}", value)

    if TYPE_CHECKING:
        # Installed by runtime.ops.table.

        def __add__(self, other: Any, /) -> Tensor: ...
        def __radd__(self, other: Any, /) -> Tensor: ...
        def __sub__(self, other: Any, /) -> Tensor: ...
        def __rsub__(self, other: Any, /) -> Tensor: ...
        def __mul__(self, other: Any, /) -> Tensor: ...
        def __rmul__(self, other: Any, /) -> Tensor: ...
        def __truediv__(self, other: Any, /) -> Tensor: ...
        def __rtruediv__(self, other: Any, /) -> Tensor: ...
        def __floordiv__(self, other: Any, /) -> Tensor: ...
        def __rfloordiv__(self, other: Any, /) -> Tensor: ...
        def __mod__(self, other: Any, /) -> Tensor: ...
        def __rmod__(self, other: Any, /) -> Tensor: ...
        def __divmod__(self, other: Any, /) -> tuple[Tensor, Tensor]: ...
        def __pow__(self, other: Any, /) -> Tensor: ...
        def __rpow__(self, other: Any, /) -> Tensor: ...
        def __matmul__(self, other: Any, /) -> Tensor: ...
        def __rmatmul__(self, other: Any, /) -> Tensor: ...
        def __and__(self, other: Any, /) -> Tensor: ...
        def __rand__(self, other: Any, /) -> Tensor: ...
        def __or__(self, other: Any, /) -> Tensor: ...
        def __ror__(self, other: Any, /) -> Tensor: ...
        def __xor__(self, other: Any, /) -> Tensor: ...
        def __rxor__(self, other: Any, /) -> Tensor: ...
        def __lshift__(self, other: Any, /) -> Tensor: ...
        def __rlshift__(self, other: Any, /) -> Tensor: ...
        def __rshift__(self, other: Any, /) -> Tensor: ...
        def __rrshift__(self, other: Any, /) -> Tensor: ...
        def __eq__(self, other: object, /) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: object, /) -> Tensor: ...  # type: ignore[override]
        def __lt__(self, other: Any, /) -> Tensor: ...
        def __le__(self, other: Any, /) -> Tensor: ...
        def __gt__(self, other: Any, /) -> Tensor: ...
        def __ge__(self, other: Any, /) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __round__(self, digits: int | None = None, /) -> Tensor: ...
        def __getitem__(self, key: Any, /) -> Tensor: ...
        def __setitem__(self, key: Any, value: Any, /) -> None: ...
        @property
        def T(self) -> Tensor: ...
        @property
        def mT(self) -> Tensor: ...
        def astype(self, dtype: Any) -> Tensor: ...
        def reshape(self, *shape: Any) -> Tensor: ...
        def transpose(self, *axes: Any) -> Tensor: ...
        def flatten(self) -> Tensor: ...
        def squeeze(self, axis: Any = None) -> Tensor: ...
        def copy(self) -> Tensor: ...
        def sum(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor: ...
        def prod(
            self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False
        ) -> Tensor: ...
        def mean(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def var(
            self, axis: Any = None, *, correction: float = 0, keepdims: bool = False
        ) -> Tensor: ...
        def std(
            self, axis: Any = None, *, correction: float = 0, keepdims: bool = False
        ) -> Tensor: ...
        def max(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def min(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def any(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def all(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def argmax(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def argmin(self, axis: Any = None, *, keepdims: bool = False) -> Tensor: ...
        def clip(self, min: Any = None, max: Any = None) -> Tensor: ...
        def round(self, decimals: int = 0) -> Tensor: ...
        def _known_shape(self) -> tuple[Any, ...]: ...
        def _of_parts(self, value: Any, dtype: Any = None) -> Tensor: ...


_new = Tensor.__new__
_FLAT = frozenset("ceil floor frexp isclose isfinite isinf isnan trunc ulp".split())
"""Functions of `math` whose results no gradient is expected of."""

_short = reprlib.Repr()
_short.maxlist = _short.maxtuple = 4
_short.maxstring = _short.maxother = _short.maxlong = 40


def no_index(tensor: Tensor) -> TypeError:
    """The error for a tensor that is not one integer, where an index is needed."""
    return TypeError(tensor._without("index"))


def no_length(tensor: Tensor) -> TypeError:
    """The error for a tensor without axes, of which the length is asked."""
    return TypeError(tensor._without("length"))


def no_iteration(tensor: Tensor) -> TypeError:
    """The error for a tensor without axes that is gone over."""
    return TypeError(tensor._without("items"))


def describe(tensor: Any) -> str:
    """The short type of a tensor, for messages: `f32[3,4]`."""
    shape = ",".join(map(str, tensor.shape))
    return f"{dtypes.SHORT_NAMES.get(tensor.dtype, tensor.dtype)}[{shape}]"


def unfit(value: Any, reason: str = "") -> ArgumentTypeError:
    """The error for what cannot become a tensor: it names the part that cannot."""
    place, part = "", value
    while isinstance(part, list | tuple):
        bad = [n for n, one in enumerate(part) if not _is_numeric(one)]
        if not bad:
            return ArgumentTypeError(
                f"{_shown(value)} cannot become a tensor: its parts differ in length; "
                "pad them, or keep a list of tensors"
            )
        place, part = f"{place}[{bad[0]}]", part[bad[0]]
    whole = f"item {place} of {_shown(value)}" if place else _shown(value)
    if isinstance(part, int):
        return ArgumentTypeError(
            f"{whole}, {part}, is too large for int64"
            if place
            else (f"{whole} is too large for a tensor of int64")
        )
    kind = f"of type {type(part).__name__}"
    if not place and reason:
        return ArgumentTypeError(f"{whole} {kind} cannot become a tensor: {reason}")
    return ArgumentTypeError(
        f"{whole} is {kind} and cannot become part of a tensor; pass numbers, arrays, or nested "
        "lists of them"
        if place
        else f"{whole} {kind} cannot become a tensor; pass numbers, arrays, or nested lists of them"
    )


def _shown(value: Any) -> str:
    try:
        return _short.repr(value)
    except StagingError:
        return "what is known only when the function runs,"


def _is_numeric(value: Any) -> bool:
    try:
        return np.asarray(_bare(value)).dtype.kind in "biufc"
    except (ValueError, TypeError, OverflowError):
        return False


def holds_tensors(value: Any) -> bool:
    """Whether a tensor or a staged number is in nested lists and tuples."""
    if isinstance(value, list | tuple):
        return any(map(holds_tensors, value))
    return isinstance(value, Tensor | Number)


def as_array(value: Any, dtype: Any = None, copy: bool = False) -> Array:
    """`value` as an array of a supported dtype in native byte order.

    Tensors, arrays and what `__array__` gives keep their dtype; Python numbers, and lists of them,
    take the default one. ArgumentTypeError names what cannot become a tensor; a Python number that
    an integer dtype does not hold raises OverflowError, NaN ValueError.
    """
    wanted = dtypes.as_dtype(dtype) if dtype is not None else None
    if isinstance(value, Tensor):
        array = value._concrete("a NumPy array")
        return np.array(array, dtype=wanted, copy=copy or None)
    if hasattr(type(value), "__array__") and not isinstance(
        value, np.ndarray | np.generic | Number
    ):
        on_gpu = foreign_array(value)
        if on_gpu is not None:
            return on_gpu if wanted in (None, on_gpu.dtype) else on_gpu.astype(wanted)
        value = np.asarray(value)
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if wanted is None and array.dtype.newbyteorder("=") not in dtypes.SHORT_NAMES:
            remedy = (
                "keep strings and objects in a list, items[i]"
                if array.dtype.kind in "USTO"
                else "convert it to bool, an integer, a float or a complex dtype first"
            )
            raise ArgumentTypeError(
                f"an array of dtype {array.dtype} cannot become a tensor; {remedy}"
            )
        if array.dtype.kind == "c":
            dtypes.note_complex()
        return np.array(array, dtype=wanted or array.dtype.newbyteorder("="), copy=copy or None)
    try:
        array = np.asarray(_bare(value))
    except StagingError:
        raise  # a staged tensor is among them
    except (ValueError, TypeError, OverflowError) as error:
        raise unfit(value, str(error)) from None
    if array.dtype.kind not in "biufc":
        raise unfit(value)
    if array.dtype.kind == "c":
        dtypes.note_complex()
    if wanted is None:
        strong, weak = leaf_types(value)
        wanted = np.result_type(*strong, *weak) if strong else _default_for(array)
    if wanted.kind in "iu" and array.dtype != wanted and array.dtype.kind != "c":
        return np.asarray(_bare(value), wanted)  # which raises for a number that does not fit
    return array.astype(wanted)


def _default_for(array: Array) -> DType:
    kinds: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float}
    if array.size == 0:
        return dtypes.default_dtype(float)
    if array.dtype.kind == "c":
        single = dtypes.default_dtype(float) == dtypes.float32
        return dtypes.complex64 if single else dtypes.complex128
    chosen = dtypes.default_dtype(kinds[array.dtype.kind])
    return array.dtype if array.dtype.kind == "u" else chosen


def leaf_types(value: Any) -> tuple[list[DType], list[Any]]:
    """The dtypes of the tensors and arrays in nested lists, and zeros of the Python numbers."""
    if isinstance(value, list | tuple):
        parts = [leaf_types(one) for one in value]
        return [d for strong, _ in parts for d in strong], [w for _, weak in parts for w in weak]
    if isinstance(value, Tensor | np.ndarray | np.generic):
        return [value.dtype], []
    if isinstance(value, Number):
        return [], [value.kind(0)]
    # A value of a class derived from them, an IntEnum say, counts as what it is derived from.
    return [], [kind(0) for kind in (bool, int, float, complex) if isinstance(value, kind)][:1]


def _bare(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_bare(one) for one in value]
    return value._concrete("a NumPy array") if isinstance(value, Tensor) else value
