"""Lists of staged length as operands of functions of tensors and arrays: their items stacked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.control.whole_reads import Shown, read_whole
from autograph.errors import MergeError, StagingError
from autograph.library.numpy import arrays as library
from autograph.merge.array_views import is_stored
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import rows
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.truth import to_number
from autograph.operators.iterators.staged_iterables import StagedRange, StagedTuple
from autograph.runtime.arrays.cells import Array, Scalar, as_array, as_tensor
from autograph.runtime.arrays.joining import LIST_JOINS
from autograph.runtime.arrays.table import IMPLEMENTATIONS, apply_function
from autograph.runtime.core.dtypes import default_dtype, int64
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.references import parts_in
from autograph.values.skeleton import Choices, Fixed, Group, Leaf, Made, Reference, Skeleton


def column_of(tracing: Tracing, items: list[Any]) -> StagedList:
    """The one graph list of a staged list of tensors, or of nested lists of them, for ops."""
    items = _by_value(tracing, items)
    contents = rows.make_staged(tracing, items)
    if _is_column(contents.element):
        return StagedList(contents.columns[0])
    specs = [leaf.spec for leaf in _leaves(contents.element)]
    kinds = [one.python_type for one in specs if one.python]
    strong = [one.dtype for one in specs if not one.python]
    kind = float if float in kinds else int if int in kinds else bool
    weak = [one() for one in kinds]
    dtype = np.result_type(*strong, *weak) if strong else default_dtype(kind)
    stacking = _Stacking(contents, dtype)
    whole = stacking.whole()
    if len(set(strong)) > 1 and stacking.is_any is not True:
        if stacking.is_any is None:
            _refuse()
        call(library.check_promoted, stacking.is_any, str(dtype))
    made: StagedList = OPS.list_unpack(whole)
    return made


def array_of(tracing: Tracing, items: list[Any], exact: bool = True, asks: bool = True) -> Any:
    """The array that NumPy makes of a staged list of arrays, scalars and numbers.

    A tensor where there are tensors among them, and NumPy `asks` these (NEP 18). NumPy finds the
    dtype and the axes in the items there are, none of which may be there: ValueError at run time if
    the array would then have others than in the trace. Unless it is `exact`, the dtype does not
    matter.
    """
    contents = rows.make_staged(tracing, items)
    if _holds_lists(contents):
        if asks and _refers_to_tensors(tracing, contents.element):
            _refuse()
        call(library.check_lengths, items)
        contents = rows.make_staged(tracing, _with_arrays(tracing, items))
    if _has_storages(contents.element):
        return as_array(array_of(tracing, _by_value(tracing, items), exact, asks=False))
    leaves = _leaves(contents.element)
    dtype = np.result_type(*map(_strong, leaves))
    stacking = _Stacking(contents, dtype)
    flat = _shape_of(contents.element) == ()
    if not flat or (exact and dtype != np.dtype(float)):
        call(library.check_filled, rows.length(contents))
    whole = stacking.whole()
    if exact and stacking.is_any is not True:
        if stacking.is_any is None:
            _refuse()
        empty = rows.length(contents) == 0
        call(library.check_dtype, empty, stacking.is_any, str(dtype))
    return whole if asks and _has_tensors(leaves) else as_array(whole)


def or_empty(
    tracing: Tracing, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """A function of NumPy's, such as `np.array`, of a staged list that may be empty: what it gives
    for an empty list or for the items; NotImplemented for any other call."""
    items = args[0] if args else None
    if not isinstance(items, list) or not (function in IMPLEMENTATIONS or function is np.array):
        return NotImplemented
    if tracing.contents(items) is None or id(items) in tracing.filled_lists:
        return NotImplemented
    flag = rows.length(rows.make_staged(tracing, items)) == 0

    def of_items() -> Any:
        tracing.filled_lists.add(id(items))
        try:
            return call(function, *args, **keywords)
        finally:
            tracing.filled_lists.discard(id(items))

    return branch(tracing, flag, lambda: call(function, [], *args[1:], **keywords), of_items)


def joined(tracing: Tracing, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`np.concatenate(items)` and the like of a staged list; NotImplemented for other calls.

    Arrays in the list may have sizes of their own along the axis that they are joined at.
    """
    if function not in LIST_JOINS or not args:
        return NotImplemented
    items, *rest = args
    items = items.items if isinstance(items, StagedTuple) else items
    if not isinstance(items, list):
        return NotImplemented
    if tracing.contents(items) is None:
        return NotImplemented
    contents = rows.make_staged(tracing, items)
    if _holds_lists(contents):
        items = _with_arrays(tracing, items)
        contents = rows.make_staged(tracing, items)
    stored = _has_storages(contents.element)
    if stored:
        items = _by_value(tracing, items)
        contents = rows.make_staged(tracing, items)
    leaves = _leaves(contents.element)
    if _is_column(contents.element) and leaves[0].spec.ndim:
        parts, ndim = StagedList(contents.columns[0]), leaves[0].spec.ndim
    else:
        parts = as_tensor(array_of(tracing, items))
        ndim = len(parts.shape) - 1
        parts = OPS.list_unpack(parts) if ndim else parts
    whole = LIST_JOINS[function](parts, ndim, *rest, **keywords)
    return whole if _has_tensors(leaves) and not stored else as_array(whole)


def _has_storages(element: Skeleton) -> bool:
    """Whether rows are arrays that a store keeps, or may be."""
    return any(map(is_stored, element.options if isinstance(element, Choices) else (element,)))


def _by_value(tracing: Tracing, items: list[Any]) -> list[Any]:
    """The items of a staged list; what arrays in a store hold now, as tensors."""
    contents = rows.make_staged(tracing, items)
    if not _has_storages(contents.element):
        return items
    made: list[Any] = call(library.tensors_of, items)
    return made


def _holds_lists(contents: StagedItems) -> bool:
    """Whether each row is a list of a length of its own."""
    element = contents.element
    return isinstance(element, Reference) and issubclass(element.kind, list)


def _with_arrays(tracing: Tracing, lists: list[Any]) -> list[Any]:
    """The lists that a staged list holds as arrays."""
    made: list[Any] = call(library.arrays_of, lists)
    return made


def _refers_to_tensors(tracing: Tracing, element: Reference) -> bool:
    """Whether there are tensors in the lists that a staged list holds, or in lists in these."""
    row = tracing.keeper.row_of(element)
    leaves = [one for one in parts_in(row) if isinstance(one, Leaf) and isinstance(one.spec, Spec)]
    further = [one for one in parts_in(row) if isinstance(one, Reference)]
    return _has_tensors(leaves) or any(_refers_to_tensors(tracing, one) for one in further)


def beside_array(tracing: Tracing, array: Any, value: Any) -> Any:
    """What is combined with an array or a tensor, or an index of it: staged lists as arrays."""
    if isinstance(array, Array | Scalar) and isinstance(value, range | StagedRange):
        return as_numbers(value, True)
    if isinstance(array, Array) and isinstance(value, deque):
        value = call(list, value)
    items = value.items if isinstance(value, StagedTuple) else value
    if not isinstance(items, list | tuple) or not isinstance(array, Tensor):
        return value
    if isinstance(items, tuple) or tracing.contents(items) is None:
        read_whole(tracing, items, Shown.NOT)
        return call(np.asarray, items) if _asks_items(tracing, array, items) else value
    if isinstance(array, Array | Scalar):
        return array_of(tracing, items)
    return OPS.operands((array, column_of(tracing, items)))[1]


def _asks_items(tracing: Tracing, array: Tensor, items: list[Any] | tuple[Any, ...]) -> bool:
    """Whether NumPy is to see items that only a call chooses: one of several, or lists of these."""
    return isinstance(array, Array | Scalar) and _has_chosen(tracing, items)


def _has_chosen(tracing: Tracing, items: list[Any] | tuple[Any, ...]) -> bool:
    """Whether an item is one of several values, or a list of such items or of staged length."""
    return any(
        isinstance(one, Choice)
        or (
            isinstance(one, list | tuple)
            and (tracing.contents(one) is not None or _has_chosen(tracing, one))
        )
        for one in items
    )


def array_index(tracing: Tracing, array: Any, key: Any) -> Any:
    """An index of an array: ranges and staged lists of numbers as arrays. Lists without items take
    nothing. A tuple inside the index is what a list of its items is."""
    if isinstance(key, tuple):
        parts = [_listed(tracing, one) if isinstance(array, Array) else one for one in key]
        return tuple([_array_part(tracing, array, one) for one in parts])
    if isinstance(key, StagedTuple):
        raise StagingError(
            "an array is indexed by a tuple of which the run tells how long it is: by so many axes",
            remedy="take elements along one axis by a list: x[list(key)]",
        )
    return _array_part(tracing, array, key)


def _array_part(tracing: Tracing, array: Any, key: Any) -> Any:
    """One part of an index."""
    if isinstance(key, range | StagedRange) and isinstance(array, Array):
        return as_numbers(key, True)
    if isinstance(key, list) and tracing.contents(key) is not None:
        if isinstance(array, Array):
            return array_of(tracing, key, exact=False)
        return OPS.asarray(column_of(tracing, key))
    read_whole(tracing, key, Shown.NOT)
    if isinstance(key, list) and _has_chosen(tracing, key):
        made = call(np.asarray, _places(tracing, key))
        return made if isinstance(array, Array) else as_tensor(made)
    return key


def _places(tracing: Tracing, items: Any) -> Any:
    """Items of an index without the None that one may be: IndexError at run time where it is."""
    if isinstance(items, Choice) and any(one is None for one in items.options):
        return call(library.place_of, items)
    if not isinstance(items, list | tuple) or tracing.contents(items) is not None:
        return items
    return tracing.born([_places(tracing, one) for one in items])


def _listed(tracing: Tracing, part: Any) -> Any:
    """A tuple as a list of its items, and so the tuples in it; other values as they are."""
    if isinstance(part, StagedTuple):
        return part.items
    if not isinstance(part, tuple):
        return part
    return tracing.born([_listed(tracing, one) for one in part])


def as_numbers(numbers: range | StagedRange, is_array: bool) -> Any:
    """A range as a tensor, or as an array."""
    array = apply_function(np.arange, (numbers.start, numbers.stop, numbers.step), {})
    return array if is_array else as_tensor(array)


def _is_column(element: Skeleton) -> bool:
    return isinstance(element, Leaf) and isinstance(element.spec, Spec)


def _has_tensors(leaves: list[Any]) -> bool:
    return any(not one.spec.python and one.kind not in (Array, Scalar) for one in leaves)


def _strong(leaf: Any) -> Any:
    """The dtype that a part has as an array of NumPy's."""
    return np.dtype(leaf.spec.python_type) if leaf.spec.python else leaf.spec.dtype


def _leaves(element: Skeleton) -> list[Any]:
    """The tensors and numbers in a row; MergeError where rows are not alike, or hold others."""
    leaves = [one for one in parts_in(element) if isinstance(one, Leaf)]
    found = [one for one in leaves if isinstance(one.spec, Spec)]
    if not found or _shape_of(element) is None:
        _refuse()
    return found


def _refuse() -> None:
    raise MergeError(
        "an op takes a list of tensors of one dtype and number of axes, and the items of this "
        "list are not all alike, or hold other values than tensors and numbers",
        remedy="append items of one kind, and keep a list for each part of a tuple or dict",
    )


def _shape_of(element: Skeleton) -> tuple[int, ...] | None:
    """How many parts there are along each axis of nested lists and tuples of tensors and numbers.

    With -1 for each axis of the tensors; None if they are not alike, or if there is more in them.
    """
    if isinstance(element, Leaf):
        return (-1,) * element.spec.ndim if isinstance(element.spec, Spec) else None
    if isinstance(element, Choices):
        numbers = [one for one in element.options if not _is_object(one)]
        if numbers and all(map(_is_column, numbers)) and len(set(map(_sizes_of, numbers))) == 1:
            return _shape_of(numbers[0])
        return None
    listed = isinstance(element, Made) and element.kind is list and element.keys == ()
    if not listed and not (isinstance(element, Group) and element.kind is tuple):
        return None
    assert isinstance(element, Made | Group)
    shapes = {_shape_of(one) for one in element.items}
    shape = shapes.pop() if len(shapes) == 1 else None
    return None if shape is None else (len(element.items), *shape)


def _sizes_of(option: Any) -> Any:
    """The sizes of a tensor or number of a row: unlike all others, where only the run tells."""
    sizes = option.spec.shape
    return sizes if all(isinstance(one, int) for one in sizes) else id(option)


def _is_object(option: Skeleton) -> bool:
    """Whether rows may hold None or a dict, which no array of numbers has: the run tells."""
    if isinstance(option, Reference):
        return issubclass(option.kind, dict)
    return isinstance(option, Fixed) and option.value is None


@dataclass(slots=True)
class _Stacking:
    """Rows as one tensor: the parts of a row along the axes after the first."""

    contents: StagedItems
    dtype: np.dtype[Any]
    is_any: Any = None
    """Whether a value of this dtype is in a row, not only values cast to it: True, or staged."""
    columns: Iterator[Any] = field(init=False)

    def whole(self) -> Any:
        self.columns = iter(self.contents.columns)
        return self._part(self.contents.element)

    def _part(self, element: Skeleton) -> Any:
        if isinstance(element, Leaf):
            if _strong(element) == self.dtype:
                self.is_any = True
            return self._column(element)
        if isinstance(element, Choices):
            return self._chosen(element)
        assert isinstance(element, Made | Group)
        return OPS.stack([self._part(one) for one in element.items], axis=1)

    def _column(self, leaf: Leaf) -> Any:
        column = StagedList(next(self.columns))
        assert isinstance(leaf.spec, Spec)
        if leaf.spec.ndim:
            return OPS.astype(OPS.stack(column), self.dtype)
        return OPS.astype(OPS.list_pack(column, element=leaf.spec), self.dtype)

    def _chosen(self, element: Choices) -> Any:
        """Rows of which each holds one of several kinds of numbers."""
        tags = OPS.list_values(StagedList(next(self.columns)), dtype=int64)
        whole: Any = None
        for number, option in enumerate(element.options):
            here = OPS.equal(tags, number)
            if _is_object(option):
                if isinstance(option, Reference):
                    next(self.columns)
                kind = "None" if isinstance(option, Fixed) else "a dict"
                call(library.check_no_object, to_number(OPS.any(here), bool), kind)
                continue
            assert isinstance(option, Leaf)
            column = self._column(option)
            behind = tuple(range(1, 1 + option.spec.ndim))  # type: ignore[union-attr]
            chosen = OPS.expand_dims(here, behind) if behind else here
            whole = column if whole is None else OPS.where(chosen, column, whole)
            if _strong(option) == self.dtype and self.is_any is not True:
                found = OPS.any(here)
                self.is_any = found if self.is_any is None else self.is_any | found
        return whole
