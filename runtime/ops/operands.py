"""What may be an operand, and what becomes of it before an op is applied."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.devices import CPU, wanted_device
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.door import apply
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import DynamicInt, Op
from autograph.runtime.core.spec import NUMBER_SPECS, ListSpec, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, as_array, leaf_types
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.elementwise.conversion import TO_NUMBER, TO_TENSOR
from autograph.runtime.ops.elementwise.numbers import fitting
from autograph.runtime.ops.parameters import is_whole
from autograph.runtime.ops.public import attribute
from autograph.runtime.ops.shaping.movement import COPY
from autograph.runtime.ops.shaping.shapes import SIZE_OF, known_size, shape_of

ARRAYS = (Tensor, np.ndarray, np.generic)
LISTS = (list, tuple, StagedList)
_EAGER = (Tensor, np.ndarray, np.generic, int, float)
_KINDS = {bool: "b", int: "i", float: "f"}
COMPARISONS = frozenset({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})


def _uncopied(value: Any, wanted: DType | None) -> Any:
    """`value` if it is a tensor of the dtype wanted. ValueError if not."""
    if isinstance(value, Tensor) and wanted in (None, value.dtype):
        return value
    raise ValueError(
        "copy=False: only a tensor of the dtype wanted is that tensor without a copy; leave out "
        "copy=False"
    )


class Operands:
    """The part of the table of ops that prepares operands; rules use it too."""

    # tensors ----------------------------------------------------------------------------------
    def asarray(
        self, value: Any, dtype: Any = None, *, device: Any = None, copy: bool | None = True
    ) -> Any:
        """A tensor of a copy of `value`: a tensor, an array, a number, or nested lists of them.

        Arrays keep their dtype, and Python numbers take the default one, unless `dtype` is given.
        With `copy=False` the tensor itself; ValueError where only a copy can be that tensor.
        ArgumentTypeError names what cannot become a tensor.
        """
        wanted = dtypes.as_dtype(dtype) if dtype is not None else None
        place = wanted_device(device)
        if copy is False:
            return _uncopied(value, wanted)
        made = self._copied(value, wanted)
        return made if place == CPU and device is None else made.to_device(place)

    def _copied(self, value: Any, wanted: Any) -> Any:
        if isinstance(value, Number):
            return apply(TO_TENSOR, (value,), {"dtype": wanted or dtypes.default_dtype(value.kind)})
        if isinstance(value, Tensor):
            if wanted is None or value.dtype == wanted:
                return apply(COPY, (value,))
            return self.astype(value, wanted)  # type: ignore[attr-defined]
        if isinstance(value, StagedList):
            made = self._joined(value, wanted)
            return made if wanted is None else self.astype(made, wanted)  # type: ignore[attr-defined]
        if isinstance(value, list | tuple) and _has_staged(value):
            return self._stacked(value, wanted)
        array = as_array(value, wanted, copy=True)
        return Tensor._of(array) if STATE.interpreter is None else apply(COPY, (array,))

    def _joined(self, items: StagedList, wanted: DType | None) -> Any:
        """The items of a list of the graph as a tensor; one of no numbers is as eagerly."""
        element, floats = _element_of(items), dtypes.default_dtype(float)
        fits = element.python_type is float if element.python else element.dtype == floats
        if element.ndim or not (fits or wanted is not None):
            return self.stack(items)  # type: ignore[attr-defined]
        made = self.list_pack(items, element=element)  # type: ignore[attr-defined]
        if wanted is not None:
            return made
        return made if made.dtype == floats else self.astype(made, floats)  # type: ignore[attr-defined]

    def _stacked(self, value: Any, wanted: DType | None) -> Any:
        if wanted is None:
            strong, weak = leaf_types(_with_items(value))
            kinds = [type(one) for one in weak]
            if strong or complex in kinds:
                wanted = np.result_type(*(strong or [dtypes.default_dtype(float)]), *weak)
            else:
                kind = float if float in kinds else int if int in kinds else bool
                wanted = dtypes.default_dtype(kind)
        parts = [self.asarray(one, dtype=wanted) for one in value]
        return self.stack(parts)  # type: ignore[attr-defined]

    def asarray_or_same(self, value: Any) -> Any:
        """`value` itself if it is a tensor, else a tensor of it."""
        return value if isinstance(value, Tensor) else self.asarray(value)

    def operands(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Every operand as a tensor; Python floats as precise as the tensors beside them."""
        for one in values:
            if not isinstance(one, Tensor):
                precise = _is_precise(values)
                return tuple(self._beside(one, precise) for one in values)
        return values

    def _beside(self, value: Any, precise: bool) -> Any:
        """`value` as a tensor; where its numbers are Python's floats, of float64 if `precise`."""
        if not precise or isinstance(value, ARRAYS):
            return self.asarray_or_same(value)
        if isinstance(value, StagedList):
            element = _element_of(value)
            floats = element.python and element.python_type in (float, complex)
            return self.asarray(value, dtype=dtypes.float64 if floats else None)
        strong, weak = leaf_types(value)
        if strong or not any(isinstance(one, float | complex) for one in weak):
            return self.asarray(value)
        return self.asarray(value, dtype=np.result_type(dtypes.float64, *weak))

    def as_they_are(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Operands of an op of Python numbers or lists."""
        return values

    def paired(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Two operands of which one at least is a tensor: two Python numbers become tensors."""
        if isinstance(x, ARRAYS) or isinstance(y, ARRAYS):
            return x, y
        return self.asarray(x), self.asarray(y)

    # elementwise ------------------------------------------------------------------------------
    def elementwise(self, op: Op, values: tuple[Any, ...]) -> Any:
        """Apply an elementwise op."""
        return apply(op, self.elementwise_operands(op, values))

    def elementwise_operands(self, op: Op, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Python numbers beside a tensor stay, weak in promotion; alone they become tensors.

        While tracing, a Python int that the dtype of the tensors cannot hold raises OverflowError
        here, as NumPy does when it runs; a staged one is checked when the graph runs.
        """
        if STATE.interpreter is None:
            for one in values:
                if not isinstance(one, _EAGER):
                    break
            else:
                return values if isinstance(values[0], ARRAYS) else self._some_array(values)
        if any(isinstance(one, LISTS) for one in values):
            precise = _is_precise(values)
            values = tuple(
                self._beside(one, precise) if isinstance(one, LISTS) else one for one in values
            )
        if any(type(one) is complex for one in values):
            values = _with_weak_complex(values)
        if not any(isinstance(one, ARRAYS) for one in values):
            return self.operands(values)
        weak = any(type(one) is int or isinstance(one, Number) for one in values)
        if STATE.interpreter is None or not weak:
            return values
        strong = np.result_type(*(one.dtype for one in values if isinstance(one, ARRAYS)))
        if strong.kind == "f":
            return tuple(float(one) if _is_beyond_int64(one) else one for one in values)
        if strong.kind not in "iu":
            return values
        result = op.infer(*map(_scalar_spec, values)).dtype
        if result.kind == "f":
            return values
        return tuple(self._weak(one, strong, result.kind == "b") for one in values)

    def _some_array(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Operands of which one at least is an array or a tensor."""
        if any(isinstance(one, ARRAYS) for one in values):
            return values
        return self.operands(values)

    def _weak(self, value: Any, strong: DType, compared: bool) -> Any:
        if type(value) is int:
            limits = np.iinfo(strong)
            if limits.min <= value <= limits.max:
                return value if value < 2**63 else np.array(value, strong)
            if compared and -(2**63) <= value < 2**64:
                return np.array(value)
            if compared:  # no integer is beyond
                return math.copysign(math.inf, value)
            raise OverflowError(f"Python integer {value} out of bounds for {strong}")
        if isinstance(value, Number) and value.kind is int and strong != dtypes.int64:
            return apply(TO_TENSOR, (value,), {"dtype": dtypes.int64 if compared else strong})
        return value

    def comparison(self, name: str, x: Any, y: Any) -> Any:
        """A comparison; of int64 with uint64 by value, not rounded to float64."""
        x, y = self.elementwise_operands(self.record(name), (x, y))
        if isinstance(x, ARRAYS) and isinstance(y, ARRAYS):
            kinds = {x.dtype, y.dtype}
            if dtypes.uint64 in kinds and any(one.kind == "i" for one in kinds):
                return self._compare_mixed(name, x, y)
        return apply(self.record(name), (x, y))

    def _compare_mixed(self, name: str, x: Any, y: Any) -> Any:
        # Below zero the signed side is less; from zero on both are compared as unsigned.
        o: Any = self
        signed_first = x.dtype.kind == "i"
        signed = x if signed_first else y
        below = name in ("not_equal",) or (name in ("less", "less_equal")) == signed_first
        if name == "equal":
            below = False
        as_unsigned = apply(
            self.record(name),
            (o.astype(x, dtypes.uint64), o.astype(y, dtypes.uint64)),
        )
        return o.where(o.less(signed, 0), below, as_unsigned)

    def record(self, name: str) -> Op:
        """The record of this name."""
        raise NotImplementedError

    # numbers ----------------------------------------------------------------------------------
    def kind_of(self, value: Any) -> str:
        """ "b", "i" or "f": what a tensor, an array or a Python number holds."""
        if isinstance(value, Number):
            return _KINDS[value.kind]
        if isinstance(value, ARRAYS):
            return "i" if value.dtype.kind == "u" else value.dtype.kind
        for kind, letter in _KINDS.items():
            if isinstance(value, kind):
                return letter
        return str(as_array(value).dtype.kind)

    def as_number(self, value: Any) -> Any:
        """A Python number, plain or staged, of a number or a tensor with one element."""
        if isinstance(value, Tensor):
            kind = {"b": bool, "i": int, "f": float}[self.kind_of(value)]
            return self.number_of(value, kind)
        return value.item() if isinstance(value, np.generic | np.ndarray) else value

    def number_of(self, value: Any, kind: type) -> Any:
        """`bool(value)`, `int(value)` or `float(value)`: plain in eager, staged in a trace."""
        if isinstance(value, Number):
            if value.kind is kind:
                return value
            return apply(self.record(f"py_{kind.__name__}"), (value,))
        if isinstance(value, Tensor) and STATE.interpreter is not None:
            return apply(TO_NUMBER, (value,), {"kind": kind})
        return fitting(kind(value.item() if isinstance(value, ARRAYS) else value))

    def like_number(self, number: Any, like: Any) -> Any:
        """A number as a tensor of the shape and dtype of `like`, which has one element."""
        tensor = number
        if not isinstance(number, Tensor):
            tensor = self.asarray(number, dtype=like.dtype)
        return self.reshape_like(tensor, like)  # type: ignore[attr-defined]

    def zero_of(self, value: Any) -> Any:
        """The gradient of zero of a tensor or number: a tensor."""
        if isinstance(value, Number):
            return np.zeros(())
        return self.zeros_like(value)  # type: ignore[attr-defined]

    def list_of_zeros(self, items: Any) -> Any:
        """The gradients of zero of the items of a list: of Python numbers, too, tensors."""
        held = getattr(items, "_value", None)  # none of an eager list, whose items are arrays
        element = None if held is None else held.spec.element
        if element is None or not element.python:
            return self.list_zeros_like(items)  # type: ignore[attr-defined]
        length = self.list_length(items)  # type: ignore[attr-defined]
        return self.list_fill(np.zeros((), element.dtype), length)  # type: ignore[attr-defined]

    # shapes -----------------------------------------------------------------------------------
    def dimension(self, x: Any, axis: int) -> Any:
        """The size of an axis: an int where it is known, else a staged one."""
        size: DimLike = shape_of(x)[axis]
        return size if isinstance(size, int) else apply(SIZE_OF, (x,), {"axis": axis % x.ndim})

    def as_shape(self, shape: Any) -> tuple[Any, ...]:
        """A shape given as one size or several, in the form that nodes keep."""
        if isinstance(shape, list | tuple):
            sizes = tuple(shape)
        elif isinstance(shape, Tensor | np.ndarray) and shape.ndim:
            sizes = tuple(shape[i] for i in range(known_size(shape, 0, "a shape")))
        else:
            sizes = (shape,)
        return tuple(self._size(one) for one in sizes)

    def _size(self, size: Any) -> Any:
        if isinstance(size, Dim):
            raise TypeError(
                "this size is known only when the graph runs; in a function that is not "
                "converted use ag.zeros_like(x), ag.full_like(x, v) or x.reshape(-1)"
            )
        if not isinstance(size, DynamicInt | slice) and not is_whole(size):
            raise TypeError(f"a size is an integer, not {size!r}; write a shape as (2, 3)")
        return attribute(size)

    def attribute(self, value: Any) -> Any:
        """An attribute in the form that nodes keep."""
        return attribute(value)

    def is_list(self, value: Any) -> bool:
        """Whether `value` is a staged list."""
        return isinstance(value, StagedList)


def _with_weak_complex(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Operands with the complex numbers of Python as arrays of the precision of the tensors."""
    dtypes.note_complex()
    strong = [one.dtype for one in values if isinstance(one, ARRAYS)]
    wanted = np.result_type(*strong, 0j) if strong else None
    return tuple(as_array(one, wanted) if type(one) is complex else one for one in values)


def _is_beyond_int64(value: Any) -> bool:
    return type(value) is int and not -(2**63) <= value < 2**63


def _scalar_spec(value: Any) -> Spec:
    if isinstance(value, ARRAYS):
        return Spec(value.dtype)
    return NUMBER_SPECS[value.kind if isinstance(value, Number) else type(value)]


def _is_precise(values: tuple[Any, ...]) -> bool:
    """Whether there are tensors or arrays of float64, or of complex numbers of two of these."""
    precise = (dtypes.float64, dtypes.complex128)
    return any(isinstance(one, ARRAYS) and one.dtype in precise for one in values)


def _with_items(value: Any) -> Any:
    """Nested lists with an item of its kind for each list of the graph in them."""
    if isinstance(value, list | tuple):
        return [_with_items(one) for one in value]
    if not isinstance(value, StagedList):
        return value
    element = _element_of(value)
    return element.python_type(0) if element.python else np.zeros((), element.dtype)


def _element_of(items: StagedList) -> Spec:
    spec = items._value.spec
    assert isinstance(spec, ListSpec)
    return spec.element


def _has_staged(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_has_staged(one) for one in value)
    return (
        isinstance(value, Number | StagedList)
        or (isinstance(value, Tensor) and type(value._value) is not np.ndarray)
        or (isinstance(value, Tensor) and (STATE.interpreter is not None or bool(STATE.tapes)))
    )
