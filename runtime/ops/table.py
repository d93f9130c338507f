"""The table of ops: every record by name, and the functions and operators made of them.

`OPS.add(x, y)` is the function that users call as `ag.add`; `RECORDS["add"]` is its record. Rules
(gradients, decompositions) get the table as `o`.

What the lowering finds in a record, by kind:

Elementwise   an expression in `{0}`, `{1}`, …; functions in it are those of `kernels.scalar`, and
              `select(c, a, b)`, `isnan`, `isinf`, `isfinite`, `abs`. random_bits(seed, counter) is
              one of them; so are comparison, min2, max2, not, float and bool of Python numbers.
Reduction     sum prod max min any all; attributes axis (None, int, tuple) and keepdims; sum and
              prod also dtype, else that of the result. max and min give NaN where there is one.
Movement      constant: attribute value.  fill: input 0 everywhere in `shape`.
              arange(start, step; length, dtype): start + i*step in int64 or float64, then cast.
              reshape, reshape_like, expand_dims, squeeze: the same elements in the same order.
              permute(axes)  flip(axis)  roll(shift, axis)  tile(repetitions)  repeat(repeats, axis)
              broadcast_to(shape)  broadcast_like(x, like)  stretch(x, like; axes)
              size_of(axis): an int of the shape.
              slice(index): ints in range and not negative, Slice, None; ints drop their axis.
              concat(axis)  stack(axis)  unstack(axis): several outputs.
Library       matmul; take(x, indices; axis), scatter_add and scatter_set(x, indices, values; axis):
              values broadcast to the shape of take; index_set and index_add(x, value; index): value
              broadcasts to x[index]; nonzero_flat(mask); argmax argmin(axis, keepdims);
              cumulative_sum cumulative_prod(axis, dtype, include_initial); argsort(axis,
              descending); python_order(x; reverse): as `list.sort` orders numbers; set_order(x):
              as a set has them; checked_index, checked_indices, checked_exponent, checked_counts:
              raise or give their input; py_*: Python's arithmetic of two numbers;
              to_number(x; kind), to_tensor(x; dtype); list_*;
              conv2d(x, kernel), conv2d_input(y, kernel, like) and conv2d_kernel(x, y, like), all
              with strides, padding, dilations; image_windows(x) and image_of_windows(w, like), both
              with window, strides.
Hosted        nothing: CPython runs the reference.
Decomposition the same in other ops: `lowering.rule(o, *inputs, **attributes)` in a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph.runtime.core.door import apply
from autograph.runtime.core.record import Op
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.stretch import STRETCH
from autograph.runtime.ops.compositions import assembly, elementwise, signals, summaries
from autograph.runtime.ops.dunders import install_methods, install_operators
from autograph.runtime.ops.elementwise import (
    activations,
    arithmetic,
    comparison,
    complex_numbers,
    conversion,
    functions,
    mathematics,
    numbers,
    real,
    special,
)
from autograph.runtime.ops.indexing import assignment, index_ops, subscript
from autograph.runtime.ops.linear_algebra import (
    contraction,
    einstein,
    factorizations,
    fourier,
    norms,
    products,
    solving,
)
from autograph.runtime.ops.lists import list_ops, list_selection
from autograph.runtime.ops.neural import convolution, layers, pooling
from autograph.runtime.ops.operands import Operands
from autograph.runtime.ops.public import bound, make_public
from autograph.runtime.ops.reducing import cumulative, reduction, sorting, statistics, summation
from autograph.runtime.ops.shaping import arrangement, creation, movement, random, shapes
from autograph.runtime.ops.shaping.views import derived, viewing

FAMILIES = (
    arithmetic,
    functions,
    real,
    comparison,
    reduction,
    cumulative,
    sorting,
    layers,
    shapes,
    movement,
    index_ops,
    products,
    creation,
    random,
    numbers,
    conversion,
    list_ops,
    contraction,
    einstein,
    list_selection,
    mathematics,
    activations,
    arrangement,
    statistics,
    summation,
    convolution,
    pooling,
    complex_numbers,
    solving,
    factorizations,
    norms,
    fourier,
    elementwise,
    assembly,
    summaries,
    signals,
    special,
)

RECORDS: dict[str, Op] = {}
VIEWS = shapes.VIEWS | movement.VIEWS | index_ops.VIEWS


class OpTable(Operands):
    """The functions of all ops, by name."""

    tensor_type = Tensor

    def __init__(self) -> None:
        self._functions: dict[str, Callable[..., Any]] = {}

    def register(self, op: Op) -> Callable[..., Any]:
        """Add a record: its function, and the Python operators it implements. Gives the function.

        ValueError where the name is taken.
        """
        if op.name in RECORDS:
            raise ValueError(f"there is an op {op.name} already")
        RECORDS[op.name] = op
        function = make_public(op, self)
        if op.name in VIEWS:
            function = viewing(function)
        self._functions[op.name] = function
        setattr(self, op.name, function)
        install_operators(op, function)
        return function

    def define(self, functions: Iterable[Callable[..., Any]]) -> None:
        """Add functions that are made of ops; each gets the table first."""
        for function in functions:
            name = function.__name__
            made = bound(function, self, name)
            self._functions[name] = made
            setattr(self, name, made)

    def record(self, name: str) -> Op:
        """The record of this name."""
        return RECORDS[name]

    def apply(self, name: str, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        """Apply a record as it is: nothing is converted or checked first."""
        return apply(RECORDS[name], inputs, attributes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"there is no op {name!r}")

    # conversions that are the table's own -----------------------------------------------------
    def to_bool(self, value: Any) -> Any:
        """`bool(value)`: staged in a trace."""
        return self.number_of(value, bool)

    def to_int(self, value: Any) -> Any:
        """`int(value)`: staged in a trace."""
        return self.number_of(value, int)

    def to_float(self, value: Any) -> Any:
        """`float(value)`: staged in a trace."""
        return self.number_of(value, float)

    def view(self, tensor: Tensor) -> Tensor:
        """`tensor`, marked as one whose items are not assigned: NumPy would have made a view."""
        return derived(tensor)


OpTable.asarray.__qualname__ = "asarray"  # what Python says of calls that do not fit
OPS: Any = OpTable()

RECORDS[CONSTANT.name] = CONSTANT
RECORDS[STRETCH.name] = STRETCH
for _family in FAMILIES:
    for _op in getattr(_family, "RECORDS", ()):
        OPS.register(_op)
    OPS.define(getattr(_family, "FUNCTIONS", ()))
OPS.define(subscript.FUNCTIONS + assignment.FUNCTIONS)
install_methods(OPS)
