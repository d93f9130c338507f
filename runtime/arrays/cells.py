"""What stands for NumPy's arrays and scalars in a trace, or under a tape: cells with NumPy's rules.

An `Array` is a cell as a tensor is: item and augmented assignment put another value into it. What
NumPy makes a view of is a `View`: the array that it looks into, and how. Reading it computes its
elements from what the other array holds then; writing to it writes to the other array. A `Scalar`
is a value. Results of NumPy's operations on these are of these classes again; beside a tensor they
are tensors, as eagerly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.arrays.bits import with_bytes_as
from autograph.runtime.arrays.view_slices import composed
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.door import assign
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.ops.table import OPS


class Scalar(Tensor):
    """A NumPy scalar, as `a[0]` or `a.sum()` give it: a value, not a place."""

    __slots__ = ()

    def _alike(self, value: Any) -> Tensor:
        made: Tensor = as_result(Tensor._of(value))
        return made

    def _gradient_of(self, value: Any) -> Any:
        return released(self._alike(value))

    def _without(self, wanted: str) -> str:
        kind = f"'{self.dtype.type.__module__}.{self.dtype.type.__name__}'"
        if wanted == "length":
            return f"object of type {kind} has no len()"
        told = {"index": "cannot be interpreted as an integer", "items": "is not iterable"}
        return f"{kind} object {told[wanted]}"


class Array(Tensor):
    """A NumPy array: `a[i] = v` and `a += b` change what every name of it sees."""

    __slots__ = (
        *("_known", "argument", "base", "name"),
        *("is_contiguous", "is_writeable", "layout", "layout_asked"),
    )
    is_contiguous: bool
    """Whether its elements are known to lie in one row, in order: a reshape is then a view."""
    is_writeable: bool | None
    """None where it may be a view of another array or a copy: which, only the run tells."""
    layout: np.ndarray[Any, Any] | None
    """An array that lies in memory as this one does, where its elements do not lie in one row and
    it is one of the caller's, or stands for one: None for one that is not known."""
    layout_asked: bool
    """Whether the trace depends on how the elements of an array of the caller's lie in memory."""
    base: Any
    name: str
    argument: Any
    """What it is a view of, and how: set once it is a View."""

    @classmethod
    def holding(
        cls,
        value: Any,
        is_contiguous: bool = True,
        is_writeable: bool = True,
        layout: np.ndarray[Any, Any] | None = None,
    ) -> Array:
        """A new array that holds a value of the graph, or an array of the caller's."""
        made = cls.__new__(cls)
        made._value = value
        made._mark = None
        made.is_contiguous = is_contiguous
        made.is_writeable = is_writeable
        made.layout = None if is_contiguous else layout
        trace: Any = STATE.interpreter
        if trace is not None and trace.made is not None:
            trace.made(made)
        return made

    def _alike(self, value: Any) -> Tensor:
        return Array.holding(value)

    def _gradient_of(self, value: Any) -> Any:
        return released(self._alike(value))

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def _without(self, wanted: str) -> str:
        if wanted == "index":
            return "only integer scalar arrays can be converted to a scalar index"
        return "len() of unsized object" if wanted == "length" else "iteration over a 0-d array"


class Storage:
    """Where the elements of an array are kept to which others refer: the array is a view of it."""

    is_contiguous = is_writeable = True

    def load(self) -> Array:
        """An array of the elements that it has now."""
        raise NotImplementedError

    def store(self, array: Array) -> None:
        """Keep the elements of this array from now on."""
        raise NotImplementedError


class View(Array):
    """A part or another form of an array, which shares its elements.

    `name` and `argument` say how: `index` and a key without arrays, `permute` and the order of the
    axes, `reshape` and a shape, `flat` for the iterator over all elements, `part` and `real` or
    `imag` of a complex one, `bits` and the dtype that its bytes are taken for, `collapsed` for the
    elements of equal indices of the last two axes, `spread` and a shape for one that was given
    along with others of several shapes; and, only to be read, `broadcast` and a shape, `diagonal`
    and its offset from the main one of the last two axes.
    `storage` is all that a Storage keeps.
    """

    __slots__ = ()
    _staged_parts = ("base", "name", "argument")
    _stays_whole = True

    def __init__(self, base: Array | Storage, name: str, argument: Any) -> None:
        self._mark = None
        self.base = base
        self.name = name
        self.argument = argument
        self.is_writeable = base.is_writeable and name not in _READ
        self.is_contiguous = base.is_contiguous and _keeps_order(self)
        self._known: tuple[Any, ...] = (None, None, 0, None)

    @property
    def _value(self) -> Any:
        """Its elements now: computed once for each value of the array that it looks into.

        Outside of traces also once for the tapes there are: each has to see how.
        """
        trace: Any = STATE.interpreter
        held = _held_now(_whole(self))
        if self.name == "storage" or (trace is None and not isinstance(held, np.ndarray)):
            return held  # the latter of an ended trace, only to say what it was
        where, generation = (STATE.tapes, 0) if trace is None else (trace, trace.generation)
        known, before, counted, value = self._known
        seen = before is where or (trace is None and _are_among(STATE.tapes, before))
        if known is held and seen and counted == generation:
            return value
        value = _held_now(taken(as_tensor(self.base), self.name, self.argument))
        self._known = (held, where, generation, value)
        return value


def _whole(view: View) -> Array:
    """The array that a view looks into, as it is now."""
    whole: Array = view.base.load() if isinstance(view.base, Storage) else view.base
    return whole


def keep_in(array: Array, storage: Storage) -> None:
    """Let an array be a view of a storage from now on."""
    array.__class__ = View
    View.__init__(array, storage, "storage", None)  # type: ignore[arg-type]


def take_out(array: Array) -> None:
    """Undo `keep_in`."""
    array.__class__ = Array


def view_of(base: Array, name: str, argument: Any) -> View:
    """A view that the program makes here: it raises what the index or the shape raises.

    Slices of slices look into the array itself.
    """
    if STATE.interpreter is not None and name == "index":
        if isinstance(base, View) and base.name == "index":
            key = composed(as_tensor(base.base), base.argument, argument, as_tensor(base))
            if key is not None:
                base, argument = base.base, key
    made = View(base, name, argument)
    if STATE.interpreter is not None or STATE.tapes:
        _ = made._value
    return made


def _are_among(tapes: tuple[Any, ...], others: Any) -> bool:
    """Whether all tapes are among those that have seen something."""
    return isinstance(others, tuple) and all(any(one is other for other in others) for one in tapes)


def viewed(base: Any, name: str, argument: Any) -> Any:
    """The view as NumPy makes it, of an array."""
    if name == "index":
        return base[argument]
    if name == "flat":
        return base.reshape(-1)
    if name in ("broadcast", "spread"):
        return np.broadcast_to(base, argument)
    if name == "part":
        return getattr(base, argument)
    if name == "bits":
        return base.view(argument)
    if name == "diagonal":
        return base.diagonal(argument, -2, -1)
    if name == "collapsed":
        return np.einsum("...ii->...i", base)
    if name == "storage":
        return base.array
    return base.transpose(argument) if name == "permute" else base.reshape(argument)


def _keeps_order(view: View) -> bool:
    """Whether a view of elements in one row takes a stretch of it."""
    if view.name != "index":
        return view.name in ("reshape", "storage", "bits")
    keys = view.argument if isinstance(view.argument, tuple) else (view.argument,)
    *first, last = keys or (slice(None),)
    whole = slice(None)
    if not all(isinstance(one, int) for one in first):
        return all(one == whole or one is Ellipsis or one is None for one in keys)
    return not isinstance(last, slice) or (
        last.step is None or (type(last.step) is int and last.step == 1)
    )


def taken(base: Any, name: str, argument: Any) -> Any:
    """The elements of a view of a tensor."""
    if name == "index":
        return OPS.getitem(base, argument)
    if name == "flat":
        return OPS.reshape(base, (-1,))
    if name == "part":
        return OPS.apply(argument, (base,), {})
    if name == "bits":
        return with_bytes_as(base, argument)
    if name in ("broadcast", "spread"):
        return OPS.broadcast_to(base, argument)
    if name in ("diagonal", "collapsed"):
        return OPS.diagonal(base, offset=argument or 0)
    return (OPS.permute_dims if name == "permute" else OPS.reshape)(base, argument)


_READ = ("broadcast", "diagonal")
"""Names of views that are only read."""


def put(array: Array, value: Any) -> None:
    """Give an array other elements, of its shape and dtype: those that it looks into, too."""
    if array.is_writeable is None:
        raise StagingError(
            "an array is changed that is another form of one whose elements do not lie in one row: "
            "whether NumPy makes a view or a copy depends on sizes that only the run tells",
            remedy="make it a copy, x.reshape(shape).copy(), or bring the other one into order "
            "before, np.ascontiguousarray(x)",
        )
    if not array.is_writeable:
        raise ValueError("assignment destination is read-only")
    if not isinstance(array, View):
        assign(array, value)
        return
    if array.name == "storage":
        array.base.store(value)
        return
    if array.name == "spread":
        raise StagingError(
            "an array that np.broadcast_arrays gives is changed, of which several elements may be "
            "one element of what it was made of: NumPy warns, and changes that",
            remedy="change a copy of it, x.copy(), or the array that was given",
        )
    base = as_tensor(array.base)
    if array.name == "index":
        put(array.base, OPS.updated(base, array.argument, value))
    elif array.name == "part":
        real, imag = (OPS.apply(part, (base,), {}) for part in ("real", "imag"))
        made = OPS.complex(value, imag) if array.argument == "real" else OPS.complex(real, value)
        put(array.base, made)
    elif array.name == "bits":
        put(array.base, with_bytes_as(value, base.dtype))
    elif array.name == "collapsed":
        places = OPS.arange(OPS.dimension(base, len(base.shape) - 1))
        put(array.base, OPS.updated(base, (Ellipsis, places, places), value))
    elif array.name == "permute":
        put(array.base, OPS.permute_dims(value, tuple(np.argsort(array.argument).tolist())))
    else:
        put(array.base, OPS.reshape_like(value, base))


def as_tensor(value: Any) -> Any:
    """What an array or scalar holds now, as a tensor; other values as they are."""
    if not isinstance(value, Array | Scalar):
        return value
    return Tensor._of(_held_now(value))


def _held_now(tensor: Tensor) -> Any:
    """What stands for a tensor in the trace that is being made; its elements, if there is none."""
    trace: Any = STATE.interpreter
    return tensor._value if trace is None else trace.value_of(tensor)


def held_by(tensor: Tensor) -> Any:
    """What a tensor holds now: of one of the caller's, the input that it is in a trace."""
    trace: Any = STATE.interpreter
    if trace is None or not isinstance(tensor._value, np.ndarray):
        return tensor._value
    return trace.value_of(tensor)


def as_array(tensor: Any) -> Any:
    """A new array of a tensor's elements."""
    return Array.holding(held_by(tensor)) if isinstance(tensor, Tensor) else tensor


def as_result(tensor: Any) -> Any:
    """What most of NumPy's functions give for a tensor: a scalar if it has no axes."""
    if not isinstance(tensor, Tensor):
        return tensor
    if len(tensor.shape):
        return Array.holding(held_by(tensor))
    made = Scalar.__new__(Scalar)
    made._value = held_by(tensor)
    made._mark = None
    return made


def released(value: Any) -> Any:
    """The array or scalar of NumPy's that a cell stands for, unless it is of a trace, or a tape
    still follows it; other values as they are."""
    if STATE.interpreter is not None or not isinstance(value, Array | Scalar):
        return value
    if any(tape.follows(value) for tape in STATE.tapes):
        return value
    return np.array(value._value) if isinstance(value, Array) else value._value[()]


def known_elements(value: Any) -> Any:
    """The NumPy array of an array or scalar whose elements are known while tracing, else None."""
    if isinstance(value, View):
        base = None if value.name == "storage" else known_elements(value.base)
        if base is None or not _is_known(value.argument):
            return None
        return viewed(base, value.name, value.argument)
    trace: Any = STATE.interpreter
    held = value._value
    if trace is None or isinstance(held, np.ndarray):
        held = None if trace is None else trace.value_of(value)
    node = getattr(held, "node", None)
    while node is not None and node.op.name == "copy":
        node = node.inputs[0].node
    if node is None or node.op is not CONSTANT:
        return None
    array = np.asarray(node.attributes["value"])
    return array[()] if isinstance(value, Scalar) else array


def _is_known(argument: Any) -> bool:
    if isinstance(argument, tuple):
        return all(map(_is_known, argument))
    if isinstance(argument, slice):
        return all(map(_is_known, (argument.start, argument.stop, argument.step)))
    return argument is None or argument is Ellipsis or isinstance(argument, int | np.dtype)


def static_shape(tensor: Tensor) -> tuple[int, ...] | None:
    """The shape, if every size is known."""
    trace: Any = STATE.interpreter
    spec = trace.value_of(tensor).spec if trace is not None else None
    if isinstance(spec, Spec) and not spec.is_static:
        return None
    shape: Sequence[Any] = tensor.shape if spec is None else spec.shape
    return tuple(int(size) for size in shape)
