"""Lists and deques under staged indices, or of staged length: their methods and operators."""

from __future__ import annotations

import operator
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.control.branch import switch
from autograph.control.chosen_contents import CONTAINERS, DictView
from autograph.control.chosen_tensors import can_be_chosen, chosen
from autograph.errors import MergeError, StateError
from autograph.library import sequences as library
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import lists, rows
from autograph.operators.containers.slices import as_index, greater, lesser
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.iterators.plain_iteration import iterate
from autograph.operators.iterators.staged_iterables import Sequence, StagedTuple, has_staged_length
from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.dunders import counts
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.places import ContentsPlace, Items
from autograph.tracing.tracing import Tracing

MAXIMUM_PICKED = 16
"""A plain list this long is changed at a staged index by a branch for each; its items stay."""


def has_staged_items(tracing: Tracing, value: Any) -> bool:
    """Whether a list or deque has staged contents."""
    return isinstance(value, list | deque) and rows.staged(tracing, value) is not None


def at(tracing: Tracing, items: Any, index: Any, action: Callable[[int], Any], message: str) -> Any:
    """Do something with a plain list at a staged index: a branch for each place."""
    count = len(items)

    def fail() -> None:
        raise IndexError(message)

    if not count:
        return fail()
    place = index + count * (index < 0)
    inside = OPS.py_and(place >= 0, place < count)
    chosen = OPS.py_mul(inside, place + 1)
    thunks = [fail, *(lambda one=one: action(one) for one in range(count))]
    return switch(tracing, tracing.region.trace.lift(chosen._value), thunks, "an item")


def changing(
    tracing: Tracing, items: Any, action: Callable[[], Any], staged: Callable[[], Any]
) -> Any:
    """Change a plain list in a branch: by `staged` if a store holds it by then, with rows."""
    if rows.staged(tracing, items) is not None:
        return staged()
    tracing.touch(ContentsPlace(items, tracing))
    return action()


def is_picked(tracing: Tracing, items: Any) -> bool:
    """Whether a list is plain and short, so that staged indices are branches over its places."""
    tracing.keeper.settle()  # which a branch does: a store may hold the list then
    return rows.staged(tracing, items) is None and len(items) <= MAXIMUM_PICKED


def keeps_objects(tracing: Tracing, items: Any, value: Any) -> bool:
    """Whether somebody may ask which objects a short list holds, of which one gets another item."""
    numbers = all(isinstance(one, bool | int | float | Number) for one in (*items, value))
    return is_picked(tracing, items) and not numbers and not are_known(tracing, items, value)


FEWEST_KNOWN, MOST_KNOWN = 4, 64
"""So many tensors are held, once an item is changed at a staged index, by rows that tell which."""


def are_known(tracing: Tracing, items: Any, value: Any) -> bool:
    """Whether a plain list holds tensors of before the call, of one type, and gets one.

    Of tensors that are made in the call, rows would not tell which two are one. Nor can what is in
    rows be assigned items: in a short list only tensors without axes are, which have none.
    """
    if not FEWEST_KNOWN <= len(items) <= MOST_KNOWN:
        return False
    spec = common_spec(tracing, items, (value,))
    return spec is not None and not (spec.shape and is_picked(tracing, items))


def common_spec(tracing: Tracing, items: Any, values: tuple[Any, ...] = ()) -> Spec | None:
    """The type of the items of a plain list, and values beside, all tensors of before the call."""
    if not isinstance(ContentsPlace(items, tracing).get(), Items):
        return None
    given = (*items, *values)
    if not given or not all(type(one) is Tensor and _is_given(tracing, one) for one in given):
        return None
    specs = [tracing.cell_value(one).spec for one in given]
    first = specs[0]
    alike = isinstance(first, Spec) and first.is_static and all(one == first for one in specs)
    return first if alike else None  # type: ignore[return-value]


def put(tracing: Tracing, items: Any, index: Any, value: Any) -> None:
    """`items[index] = value` by a staged index: the other items stay the objects they are."""

    def fail() -> None:
        raise IndexError(lists.out_of_range(items))

    count = len(items)
    place = index + count * (index < 0)
    branch(tracing, OPS.py_or(place < 0, place >= count), fail, lambda: None)
    # Place by place: one branch for each that gave all items would grow with their square.

    at_once = can_be_chosen(tracing, (*items, value))

    def put(number: int, item: Any) -> Any:
        here = place == number
        if at_once and isinstance(here, Number):
            return chosen(tracing, tracing.region.trace.lift(here._value), (item, value))
        return branch(tracing, here, lambda: value, lambda: item)

    made = [put(number, item) for number, item in enumerate(list(items))]
    contents = ContentsPlace(items, tracing)
    tracing.touch(contents)
    contents.set(Items(tuple(made)))  # a store may hold the list by now


def _is_given(tracing: Tracing, tensor: Tensor) -> bool:
    """Whether a tensor is one of before the call, or a branch or loop leaves one of these."""
    identity = tracing.identities.of(tensor)
    objects = (tensor,) if identity is None else identity.objects
    return bool(objects) and all(id(one) in tracing.paths for one in objects)


# methods ------------------------------------------------------------------------------------------
def pop(tracing: Tracing, items: Any, index: Any = -1) -> Any:
    """`items.pop(index)`."""
    index = as_index(index)
    if isinstance(items, deque):
        _require_items(tracing, items)
    elif isinstance(index, Number) and is_picked(tracing, items):
        message = "pop index out of range" if items else "pop from empty list"

        def take(place: int) -> Any:
            return changing(
                tracing, items, lambda: items.pop(place), lambda: lists.pop(tracing, items, place)
            )

        return at(tracing, items, index, take, message)
    return lists.pop(tracing, items, index)


def pop_left(tracing: Tracing, items: Any) -> Any:
    """`items.popleft()`."""
    _require_items(tracing, items)
    return lists.pop(tracing, items, 0)


def _require_items(tracing: Tracing, items: Any) -> None:
    def fail() -> None:
        raise IndexError("pop from an empty deque")

    branch(tracing, lists.list_length(tracing, items) == 0, fail, lambda: None)


def insert(tracing: Tracing, items: Any, index: Any, item: Any) -> None:
    """`items.insert(index, item)`."""
    index = as_index(index)
    if isinstance(items, deque):
        _require_room(tracing, items)
    elif isinstance(index, Number) and is_picked(tracing, items):
        count = len(items)
        given: Any = index
        place = greater(lesser(given + count * (given < 0), count), 0)

        def put(number: int) -> None:
            changing(
                tracing,
                items,
                lambda: items.insert(number, item),
                lambda: lists.insert(tracing, items, number, item),
            )

        thunks = [lambda one=one: put(one) for one in range(count + 1)]
        switch(tracing, tracing.region.trace.lift(place._value), thunks, "an item")
        return
    lists.insert(tracing, items, index, item)


def _require_room(tracing: Tracing, items: Any) -> None:
    if items.maxlen is None:
        return

    def fail() -> None:
        raise IndexError("deque already at its maximum size")

    branch(tracing, lists.list_length(tracing, items) >= items.maxlen, fail, lambda: None)


def append(tracing: Tracing, items: Any, item: Any) -> None:
    """`items.append(item)`; a deque that is full loses its first item."""
    _make_room(tracing, items, 0)
    if getattr(items, "maxlen", None) != 0:
        lists.append(tracing, items, item)


def append_left(tracing: Tracing, items: Any, item: Any) -> None:
    """`items.appendleft(item)`; a deque that is full loses its last item."""
    _make_room(tracing, items, -1)
    if items.maxlen != 0:
        lists.insert(tracing, items, 0, item)


def _make_room(tracing: Tracing, items: Any, end: int) -> None:
    limit = getattr(items, "maxlen", None)
    if limit:
        full = lists.list_length(tracing, items) >= limit

        def drop() -> None:
            lists.pop(tracing, items, end)

        branch(tracing, full, drop, lambda: None)


def extend(tracing: Tracing, items: Any, more: Any) -> None:
    """`items.extend(more)`, where either is staged."""
    if isinstance(more, list | tuple) and not isinstance(items, deque):
        lists.extend(tracing, items, more)
    else:
        call(library.extend, items, call(list, more) if more is items else more)


def copied(tracing: Tracing, items: Any) -> Any:
    """`items.copy()`, and `copy.copy(items)`."""
    if isinstance(items, list):
        return lists.copied(tracing, items)
    made = tracing.born(deque(maxlen=items.maxlen))
    ContentsPlace(made, tracing).set(rows.rows_of(tracing, items))
    return made


def _index(tracing: Tracing, items: Any, wanted: Any, start: Any = 0, stop: Any = None) -> Any:
    start, stop = as_index(start), sys.maxsize if stop is None else as_index(stop)
    kind = deque if isinstance(items, deque) else list
    return call(library.index, items, wanted, start, stop, kind)


def _remove(tracing: Tracing, items: Any, wanted: Any) -> None:
    call(library.remove, items, wanted, deque if isinstance(items, deque) else list)


METHODS: dict[str, Callable[..., Any]] = {
    "append": append,
    "appendleft": append_left,
    "clear": lists.clear,
    "copy": copied,
    "count": lambda tracing, items, wanted: call(library.count, items, wanted),
    "extend": extend,
    "extendleft": lambda tracing, items, more: call(library.extend_left, items, more),
    "index": _index,
    "insert": insert,
    "pop": pop,
    "popleft": pop_left,
    "remove": _remove,
    "reverse": lists.reverse,
    "rotate": lists.rotate,
}
SEARCHING = frozenset({"count", "index", "remove"})
"""These compare the items with their argument."""


def method(
    tracing: Tracing, items: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a list or deque that is staged, or given a staged index or value."""
    found = METHODS.get(name)
    if found is None:
        raise StateError(
            f"{type(items).__name__}.{name} of contents that are staged",
            remedy="use a for statement",
        )
    return found(tracing, items, *args, **kwargs)


# operators ----------------------------------------------------------------------------------------
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def is_of_staged_length(tracing: Tracing, value: Any) -> bool:
    """Whether it is a container, a view or a sequence of which only the run tells the length."""
    if isinstance(value, DictView):
        value = value.container
    return isinstance(value, Sequence) or (
        isinstance(value, CONTAINERS) and tracing.contents(value) is not None
    )


def refuse_operator(function: Any, left: Any, right: Any) -> NoReturn:
    """Python's own error where its classes have no such operator, as empty ones tell it."""
    if not any(isinstance(one, Tensor | np.ndarray) for one in (left, right)):
        function(empty(left), empty(right))
    kinds = (*CONTAINERS, Sequence, DictView)
    kind = next(type(empty(one)) for one in (left, right) if isinstance(one, kinds))
    raise MergeError(
        f"{function.__name__.rstrip('_')!r} of {with_article(kind.__name__)} that grew in a staged "
        "loop or branch cannot be staged",
        remedy="go over it with a for statement, and put what it needs into a new one"
        if issubclass(kind, dict | set)
        else "use extend, or make a tensor of the items first: ag.stack(items)",
    )


def empty(value: Any) -> Any:
    """A value of the class that a staged one has in Python, without its contents."""
    if isinstance(value, DictView):
        return getattr({}, value.kind)()
    if isinstance(value, Sequence):
        return value.kind(*(() if value.kind is tuple else (0,)))
    if isinstance(value, Number):
        return value.kind(1)
    if not isinstance(value, CONTAINERS):
        return value
    if type(value).__module__ in ("builtins", "collections"):
        return type(value)()
    return next(kind() for kind in CONTAINERS if isinstance(value, kind))


def plus(tracing: Tracing, left: Any, right: Any) -> Any:
    """`left + right` of two lists of which one is staged."""
    if not (isinstance(left, list) and isinstance(right, list)):
        return NotImplemented
    return lists.concatenated(tracing, left, right)


REPEATED = (list, tuple, deque, str, bytes, bytearray, Text, Sequence)


def with_counts(tracing: Tracing, left: Any, right: Any) -> tuple[Any, Any]:
    """The operands of `*`: a tensor that says how often the other is repeated is a number."""
    return _as_count(tracing, left, right), _as_count(tracing, right, left)


def _as_count(tracing: Tracing, value: Any, sequence: Any) -> Any:
    """What `sequence` is multiplied by: a tensor that says how often it is repeated, as a number.

    TypeError for a truth value, as where it would be an index, and for a NumPy scalar that is no
    integer, as eagerly. NumPy multiplies by its own arrays of no axes.
    """
    if not (isinstance(value, Tensor) and isinstance(sequence, REPEATED)):
        return value
    if isinstance(value, Scalar) and value.dtype.kind not in "iu":
        name = f"numpy.{value.dtype.type.__name__}"
        raise TypeError(f"can't multiply sequence by non-int of type '{name}'")
    if not counts(value):
        return value
    return value if isinstance(value, Array) else as_index(value)


def may_count(value: Any) -> bool:
    """Whether a sequence can be repeated so many times. With a tensor it would become one."""
    return isinstance(value, int) or (isinstance(value, Number) and value.kind is not float)


def times(tracing: Tracing, items: Any, count: Any) -> Any:
    """`items * count` where either is staged."""
    count = as_index(count)
    if type(items) is list and rows.staged(tracing, items) is None and len(items) == 1:
        return lists.filled(tracing, items[0], count)
    made = call(library.repeated, items, count)
    return call(deque, made, items.maxlen) if isinstance(items, deque) else made


def compared(tracing: Tracing, left: Any, right: Any, function: Any) -> Any:
    """A comparison of two lists of which one is staged."""
    if type(left) is not type(right):
        if function in (operator.eq, operator.ne):
            return function is operator.ne
        return NotImplemented
    if function is operator.eq:
        return call(library.equal, left, right)
    if function is operator.ne:
        return OPS.py_not(call(library.equal, left, right))
    return call(library.compare, left, right, function)


def of_tuples(tracing: Tracing, function: Any, left: Any, right: Any) -> Any:
    """A binary operator on tuples or ranges of which one has a staged length."""
    kinds = [getattr(type(one), "kind", type(one)) for one in (left, right)]
    if kinds != [tuple, tuple] and function in (operator.eq, operator.ne):
        if kinds[0] is not kinds[1]:
            return function is operator.ne
        raise StateError("ranges of staged bounds are compared", remedy="compare their bounds")
    parts = [one.items if isinstance(one, StagedTuple) else one for one in (left, right)]
    if kinds == [tuple, tuple] and function is operator.add:
        return StagedTuple(lists.concatenated(tracing, *parts))
    if kinds == [tuple, tuple] and function in COMPARISONS:
        one, other = (
            rows.new_list(tracing, rows.rows_of(tracing, part), hidden=True) for part in parts
        )
        found = compared(tracing, one, other, function)
        if found is not NotImplemented:
            return found
    count = right if kinds[0] is tuple else left
    if function is operator.mul and tuple in kinds and may_count(count):
        part = parts[0 if kinds[0] is tuple else 1]
        return StagedTuple(times(tracing, list(part) if type(part) is tuple else part, count))
    return NotImplemented


def made_deque(tracing: Tracing, iterable: Any = (), maxlen: Any = None) -> Any:
    """`deque(iterable, maxlen)`."""
    if isinstance(maxlen, Number | Tensor):
        raise StateError(
            "the maxlen of a deque is known only when the function runs",
            remedy="use a plain deque, and items.popleft() while len(items) > maxlen",
        )
    made = tracing.born(deque(maxlen=maxlen))
    tracing.keeper.hide(made)  # nobody sees it before it is whole
    if has_staged_length(tracing, iterable):
        items = listed(tracing, iterable)
        kept = items if maxlen is None else lists.slice_of(tracing, items, slice(-maxlen, None))
        if maxlen != 0:
            ContentsPlace(made, tracing).set(rows.rows_of(tracing, kept))
    else:
        made.extend(iterate(iterable))
    tracing.keeper.show(made)
    return made


def listed(tracing: Tracing, iterable: Any) -> Any:
    """`list(iterable)` of staged length."""
    if has_staged_items(tracing, iterable):
        return lists.copied(tracing, iterable)
    return call(library.list_of, iterable)
