"""Arithmetic and comparison: Python's own on plain values, mapped over choices, else staged."""

from __future__ import annotations

import operator
import traceback
import types
from collections import deque
from collections.abc import Callable
from types import BuiltinMethodType, MethodType, SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from autograph.control.branch import Unreachable
from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.control.whole_reads import read_whole
from autograph.errors import ShapeError, StateError
from autograph.operators.arrays.numpy_arrays import CELLS, augmented, of_arrays
from autograph.operators.arrays.objects_beside import beside_users
from autograph.operators.calls.dispatch import call, call_method, is_users_method, special_method
from autograph.operators.calls.user_hashing import HASHED, note_keys
from autograph.operators.containers import dict_and_set_methods, dicts_and_sets, sequences
from autograph.operators.containers.container_changes import change, extend
from autograph.operators.containers.slices import by_index, has_index
from autograph.operators.containers.stacked_lists import beside_array
from autograph.operators.expressions.complex_operators import of_complex
from autograph.operators.expressions.container_comparison import (
    are_containers,
    are_sequences,
    compares_itself,
    equal_containers,
    order_sequences,
)
from autograph.operators.expressions.identity import (
    equal_methods,
    is_,
    is_not,
    is_told_by_identity,
    not_,
    require_identity,
)
from autograph.operators.expressions.special_operators import (
    BINARY_NAMES,
    SYMBOLS,
    call_special,
    unless_refused,
)
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.staged_iterables import Sequence
from autograph.operators.strings.character_rows import repeated_text
from autograph.operators.strings.format_errors import example_of
from autograph.operators.strings.formatting import are_strings, joined
from autograph.operators.strings.percent_formatting import is_filled_late, percent
from autograph.operators.strings.string_comparison import compare_texts
from autograph.operators.strings.string_lengths import is_empty_asked
from autograph.runtime.arrays.cells import Array
from autograph.runtime.core.location import is_ours
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.dunders import counts
from autograph.strings.text import Text
from autograph.tracing.namespaces import taken
from autograph.tracing.places import ContentsPlace
from autograph.tracing.reading import is_users, read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

NUMERIC = (bool, int, float, complex, str, bytes, type(None), Tensor, Number)
CONTAINERS = (list, dict, set, deque)
EQUALITY = ("__eq__", "__ne__")
ORDERING = ("__lt__", "__le__", "__gt__", "__ge__")
OF_STRINGS = ("__add__", *EQUALITY, *ORDERING)
"""The operators that two strings have, but for `%`."""
Binary = Callable[[Any, Any], Any]


def _binary(function: Binary, method: str, reflected: str) -> Binary:
    """The operator for `function`, whose special methods are `method` and `reflected`."""

    def apply(left: Any, right: Any) -> Any:
        tracing = current()
        if tracing is None:
            return function(left, right)
        return operate(tracing, left, right)

    def operate(tracing: Tracing, left: Any, right: Any) -> Any:
        if function is operator.add and are_strings(left, right):
            return joined(left, right)
        for one, of_one in (
            (left, lambda option: operate(tracing, option, right)),
            (right, lambda option: operate(tracing, left, option)),
        ):
            if isinstance(one, Choice):
                return choose(tracing, one, of_one)
            if isinstance(one, DictView) and isinstance(one.container, Choice):
                return choose_view(tracing, one, of_one)
        if left is UNSET or right is UNSET:
            raise Unreachable  # the paths that come here assigned the variable
        if function is operator.mul:
            left, right = sequences.with_counts(tracing, left, right)
        if (found := _of_strings(tracing, function, method, left, right)) is not NotImplemented:
            return found
        left, right = beside_array(tracing, right, left), beside_array(tracing, left, right)
        left, right = beside_users(function, (method, reflected), left, right)
        left, right = _as_number(left, right, method), _as_number(right, left, reflected)
        if (found := _of_numbers(function, left, right)) is not NotImplemented:
            return found
        for one in (left, right):
            contents = chosen_contents(tracing, one)
            if contents is not None:
                return with_each(tracing, one, contents, lambda: operate(tracing, left, right))
        sequence = _of_sequences(tracing, function, left, right)
        if sequence is not NotImplemented:
            return sequence
        if any(sequences.is_of_staged_length(tracing, one) for one in (left, right)):
            views = [isinstance(one, DictView) and one.kind != "values" for one in (left, right)]
            if any(views):
                return operate(tracing, *_as_sets(function, left, right))
            return or_refuse(function, left, right, call_special(left, right, method, reflected))
        left, right = (_as_a_whole(tracing, one) for one in (left, right))
        if method in EQUALITY and _are_namespaces(left, right, method):
            return operate(tracing, *(_as_dict(tracing, one) for one in (left, right)))
        if (equal := _equal_parts(left, right, method)) is not NotImplemented:
            return equal if method == "__eq__" else not_(equal)
        if method in ORDERING and are_sequences(left, right, method, reflected):
            return order_sequences(COMPARISONS["eq"], left, right, apply)
        if (found := call_special(left, right, method, reflected)) is not NotImplemented:
            return found
        if function is operator.mul and (counted := _counted(left, right)) is not None:
            return operate(tracing, *counted)
        if method in EQUALITY and not isinstance(left, (*CONTAINERS, tuple)):
            if _are_told_by_identity(tracing, left, right):
                return is_(left, right) if method == "__eq__" else is_not(left, right)
            require_identity(tracing, left, right)
        if isinstance(left, HASHED) and isinstance(right, HASHED):
            note_keys(tracing, left, right)
        result = function(left, right)
        return tracing.born(result) if isinstance(result, CONTAINERS) else result

    apply.__name__ = apply.__qualname__ = function.__name__.strip("_")
    apply.__doc__ = f"`{method}` as the emitted code means it."
    return apply


def _are_told_by_identity(tracing: Tracing, left: Any, right: Any) -> bool:
    """Whether two objects are equal if they are one, and which they are may change."""
    if id(left) in tracing.references and id(right) in tracing.references:
        return True
    return is_told_by_identity(left) and is_told_by_identity(right)


def _equal_parts(left: Any, right: Any, method: str) -> Any:
    """`left == right` of two containers or two methods, NotImplemented for others; also for `!=`.

    Methods of C code are compared by Python: what they are bound to is noted to be one object, or
    two.
    """
    if method not in EQUALITY:
        return NotImplemented
    if are_containers(left, right, method):
        return equal_containers(COMPARISONS["eq"], left, right)
    if type(left) is type(right) is MethodType:
        return equal_methods(left, right)
    if type(left) is type(right) is BuiltinMethodType:
        if is_told_by_identity(left.__self__) and is_told_by_identity(right.__self__):
            is_(left.__self__, right.__self__)
    return NotImplemented


def _are_namespaces(left: Any, right: Any, method: str) -> bool:
    """Whether Python compares the attributes of two objects as dicts."""
    return all(
        isinstance(one, SimpleNamespace) and not compares_itself(one, method)
        for one in (left, right)
    )


def _as_dict(tracing: Tracing, value: Any) -> Any:
    tracing.keeper.refresh(value)
    return call(dict, taken(tracing, value))


def _as_a_whole(tracing: Tracing, value: Any) -> Any:
    """An operand whose contents are read: a view as Python's own."""
    note_contents(tracing, value)
    return value.native if isinstance(value, DictView) else value


def _of_numbers(function: Binary, left: Any, right: Any) -> Any:
    """Operators of numbers, tensors and arrays; NotImplemented for other operands."""
    if (found := of_complex(function, left, right)) is not NotImplemented:
        return found
    scalars = isinstance(left, np.generic) or isinstance(right, np.generic)
    numbers = isinstance(left, Number) or isinstance(right, Number)
    if isinstance(left, CELLS) or isinstance(right, CELLS) or (scalars and numbers):
        found = of_arrays(function, left, right)
        if found is not NotImplemented:
            return found
    return function(left, right) if _are_numeric(left, right) else NotImplemented


def _as_number(value: Any, other: Any, method: str) -> Any:
    """An instance of a class made from int or float, beside what is staged, as the number that it
    is: Python's own operators ask neither its `__float__` nor its `__index__`."""
    if not isinstance(other, Number) or isinstance(value, np.generic | bool):
        return value
    if type(value) in (int, float) or not isinstance(value, int | float):
        return value
    special = special_method(type(value), method)
    if special is None or isinstance(special, types.FunctionType):
        return value
    return int.__pos__(value) if isinstance(value, int) else float.__pos__(value)


def _are_numeric(left: Any, right: Any) -> bool:
    """Whether an operator asks no method of the user's: not of a class made from a number."""
    if not (isinstance(left, NUMERIC) and isinstance(right, NUMERIC)):
        return False
    return not any(type(one) not in NUMERIC and is_users(type(one)) for one in (left, right))


def or_refuse(function: Binary, left: Any, right: Any, found: Any) -> Any:
    """What special methods gave; else the operator is refused for staged lengths."""
    if found is NotImplemented:
        sequences.refuse_operator(function, left, right)
    return found


SET_OPERATORS = (operator.and_, operator.or_, operator.sub, operator.xor)


def _as_sets(function: Binary, left: Any, right: Any) -> tuple[Any, ...]:
    """Views of keys or pairs as sets, and what an operator of sets is given beside one."""

    def as_set(one: Any) -> Any:
        view = isinstance(one, DictView) and one.kind != "values"
        taken = function in SET_OPERATORS and not isinstance(one, set | frozenset)
        return call(set, one) if view or taken else one

    first, second = dict_and_set_methods.asked_in_order(function, left, right)
    return as_set(first), as_set(second)


def _counted(left: Any, right: Any) -> tuple[Any, Any] | None:
    """A sequence and the number that an object, as it says, stands for; None for no such object."""
    are_repeated = [isinstance(one, sequences.REPEATED) for one in (left, right)]
    if are_repeated == [True, False] and has_index(right):
        return left, by_index(right)
    if are_repeated == [False, True] and has_index(left):
        return by_index(left), right
    if isinstance(left, Number) != isinstance(right, Number):
        _refuse_times(left, right)
    return None


def _refuse_times(left: Any, right: Any) -> NoReturn:
    """A sequence times a staged number that is none of those that can be repeated."""
    operator.mul(sequences.empty(left), sequences.empty(right))  # Python's own error
    raise ShapeError(
        "a sequence is repeated a number of times that is known only at run time",
        remedy="append in a for statement, or make a tensor with ag.full((n,), value)",
    )


def choose_view(tracing: Tracing, view: DictView, function: Callable[[DictView], Any]) -> Any:
    """`choose` for the view of one of several dicts."""
    chosen: Any = view.container
    return choose(tracing, chosen, lambda one: function(DictView(one, view.kind)))


def _of_strings(tracing: Tracing, function: Binary, method: str, left: Any, right: Any) -> Any:
    """Operators on a string and what is staged."""
    if method == "__mod__" and isinstance(left, str):
        read_whole(tracing, right)
        if is_filled_late(right):
            return percent(left, right)
    if method == "__mod__" and isinstance(left, bytes) and _has_number(right):
        raise StateError(
            "bytes are made of a staged number, which is known only when the function runs",
            remedy="make a string of it, and encode that outside",
        )
    if method in EQUALITY and is_empty_asked(left, right):
        text = left if isinstance(left, Text) else right
        return not_(text) if method == "__eq__" else call(bool, text)
    if method in (*EQUALITY, *ORDERING) and _are_texts(left, right):
        return compare_texts(tracing, function, left, right)
    if isinstance(left, Text) or isinstance(right, Text):
        other = right if isinstance(left, Text) else left
        if _never_meets_a_string(method, other):
            return function(example_of(left), example_of(right))
    is_left = isinstance(left, str | Text)
    string, count = (left, right) if is_left else (right, left)
    if method != "__mul__" or not isinstance(string, str | Text):
        return NotImplemented
    if isinstance(count, Number) and count.kind in (int, bool):
        text = string if isinstance(string, Text) else Text((string,))
        return repeated_text(tracing, text, count)
    return NotImplemented


def _are_texts(left: Any, right: Any) -> bool:
    """Whether both are strings, and one of them has staged parts."""
    pair = (left, right)
    return all(isinstance(one, str | Text) for one in pair) and any(
        isinstance(one, Text) for one in pair
    )


def _has_number(values: Any) -> bool:
    given = values if isinstance(values, tuple) else (values,)
    return any(isinstance(one, Number) for one in given)


def _never_meets_a_string(method: str, other: Any) -> bool:
    """Whether an operator of Python's own on a string and this raises, or says that they differ."""
    kind = other.kind if isinstance(other, Number) else type(other)
    kind = str if kind is Text else kind
    taken = {"__mul__": int, "__mod__": object}.get(method, str if method in OF_STRINGS else ())
    return kind.__module__ == "builtins" and not issubclass(kind, taken)


def _of_sequences(tracing: Tracing, function: Binary, left: Any, right: Any) -> Any:
    """Operators on lists and deques of staged length, or repeated by a staged number."""
    if dicts_and_sets.is_staged(tracing, left) or dicts_and_sets.is_staged(tracing, right):
        return dict_and_set_methods.operate(tracing, function, left, right)
    if isinstance(left, Sequence) or isinstance(right, Sequence):
        return sequences.of_tuples(tracing, function, left, right)
    staged = [sequences.has_staged_items(tracing, one) for one in (left, right)]
    if function is operator.mul:
        for one, other, found in ((left, right, staged[0]), (right, left, staged[1])):
            if not sequences.may_count(other):
                continue
            if found or (type(one) in (list, deque) and isinstance(other, Number)):
                return sequences.times(tracing, one, other)
            if type(one) is tuple and isinstance(other, Number):
                return sequences.of_tuples(tracing, function, left, right)
    if not any(staged):
        return NotImplemented
    if function is operator.add:
        return sequences.plus(tracing, left, right)
    if function in sequences.COMPARISONS:
        return sequences.compared(tracing, left, right, function)
    return NotImplemented


def note_contents(tracing: Tracing, value: Any) -> None:
    """A container takes part as a whole."""
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, CONTAINERS):
        read_contents(tracing, value)


def _unary(function: Callable[[Any], Any], method: str) -> Callable[[Any], Any]:
    def apply(value: Any) -> Any:
        tracing = current()
        if tracing is None:
            return function(value)
        if isinstance(value, Choice):
            return choose(tracing, value, apply)
        if is_users_method(value, method):
            return call_method(value, method)
        found = of_complex(function, value)
        return function(value) if found is NotImplemented else found

    apply.__name__ = apply.__qualname__ = function.__name__.strip("_")
    apply.__doc__ = f"`{method}` as the emitted code means it."
    return apply


def _augmented(function: Binary, plain: Binary, method: str) -> Binary:
    """`x op= v`: rebinds the name, and changes mutable containers in place as Python does."""

    def apply(left: Any, right: Any) -> Any:
        tracing = current()
        if tracing is None:
            return function(left, right)
        if function is operator.iadd and are_strings(left, right):
            return joined(left, right)
        if isinstance(left, np.ndarray):
            left = tracing.array_tensor(left, tracing.path_of(left))
        for one, chosen in ((left, lambda x: apply(x, right)), (right, lambda x: apply(left, x))):
            if isinstance(one, Choice):
                return choose(tracing, one, chosen)
        special = special_method(type(left), method)
        own = isinstance(special, types.FunctionType) and special.__module__ != "collections"
        first = _goes_first(left, right, method) or _multiplies_anew(left, method)
        if isinstance(left, CONTAINERS) and not own and not first:
            return _in_place(tracing, left, right, function)
        if isinstance(left, Array):
            found = augmented(method, left, beside_array(tracing, left, right))
            if found is not NotImplemented:
                return found
        if isinstance(special, types.FunctionType) and not isinstance(left, Tensor | Number):
            result = call(special, left, right)
            return unless_refused(result, lambda: by_plain(left, right))
        return by_plain(left, right)

    def by_plain(left: Any, right: Any) -> Any:
        try:
            return plain(left, right)
        except TypeError as error:
            told, symbol = str(error), SYMBOLS[method.replace("__i", "__")]
            start = f"unsupported operand type(s) for {symbol}: "
            kinds = told.removeprefix(start)
            frames = traceback.walk_tb(error.__traceback__)
            inside = any(not is_ours(frame.f_code.co_filename) for frame, _ in frames)
            if not told.startswith(start) or inside:  # raised by a method of the user's
                raise
            short = symbol.partition(" ")[0]
        raise TypeError(f"unsupported operand type(s) for {short}=: {kinds}")

    apply.__name__ = apply.__qualname__ = f"aug_{plain.__name__}"
    apply.__doc__ = f"`{method}` as the emitted code means it."
    return apply


def _goes_first(left: Any, right: Any, method: str) -> bool:
    """Whether the right operand decides: before a sequence, which is no number, goes one that has
    the reflected method."""
    if not isinstance(left, list | deque) or isinstance(right, Number):
        return False
    special = special_method(type(right), method.replace("__i", "__r"))
    if isinstance(right, Tensor):
        return not (method == "__imul__" and counts(right))
    return isinstance(special, types.FunctionType)


def _multiplies_anew(left: Any, method: str) -> bool:
    """Whether a list is of a class whose own `*` Python asks before the list repeats itself."""
    return method == "__imul__" and any(
        isinstance(special_method(type(left), name), types.FunctionType)
        for name in ("__mul__", "__rmul__")
    )


def _in_place(tracing: Tracing, left: Any, right: Any, function: Binary) -> Any:
    if isinstance(right, Choice):
        choose(tracing, right, lambda one: _in_place(tracing, left, one, function))
        return left
    if isinstance(left, list) and function is operator.iadd:
        extend(tracing, left, right)
        return left
    for one in (left, right):
        contents = chosen_contents(tracing, one)
        if contents is not None:
            with_each(tracing, one, contents, lambda: _in_place(tracing, left, right, function))
            return left
    if isinstance(left, set):
        tracing.change_set(left)
    if isinstance(left, list | deque) and function is operator.imul:
        made = BINARY["mul"](left, right)
        tracing.touch(ContentsPlace(left, tracing))
        ContentsPlace(left, tracing).set(ContentsPlace(made, tracing).get())
        return left
    plain = _PLAIN.get(function)
    keys = dicts_and_sets.is_staged(tracing, left) or dicts_and_sets.is_staged(tracing, right)
    if keys and function is operator.ior and type(left) is dict and not isinstance(right, dict):
        call(left.update, right)
        return left
    if keys and plain is not None:
        made = dict_and_set_methods.operate(tracing, plain, left, right)
        if made is NotImplemented:
            sequences.refuse_operator(function, left, right)
        tracing.touch(ContentsPlace(left, tracing))
        ContentsPlace(left, tracing).set(ContentsPlace(made, tracing).get())
        return left
    if isinstance(left, deque) and function is operator.iadd:
        call(left.extend, right)
        return left
    for one in (left, right):
        if sequences.is_of_staged_length(tracing, one):
            sequences.refuse_operator(function, left, right)
        note_contents(tracing, one)
    return change(tracing, left, lambda: function(left, right))


_PLAIN = {
    operator.ior: operator.or_,
    operator.iand: operator.and_,
    operator.isub: operator.sub,
    operator.ixor: operator.xor,
}
_FUNCTIONS = {"and_bits": operator.and_, "or_bits": operator.or_, "xor_bits": operator.xor}

BINARY: dict[str, Binary] = {
    name: _binary(
        _FUNCTIONS.get(name) or getattr(operator, name), f"__{special}__", f"__r{special}__"
    )
    for name, special in BINARY_NAMES.items()
}
_PAIRS = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
COMPARISONS: dict[str, Binary] = {
    name: _binary(getattr(operator, name), f"__{name}__", f"__{mirrored}__")
    for name, mirrored in _PAIRS.items()
}
AUGMENTED: dict[str, Binary] = {
    f"aug_{special}": _augmented(getattr(operator, f"i{special}"), BINARY[name], f"__i{special}__")
    for name, special in BINARY_NAMES.items()
}
UNARY: dict[str, Callable[[Any], Any]] = {
    name: _unary(getattr(operator, name), f"__{name}__") for name in ("neg", "pos", "invert")
}


# identity -----------------------------------------------------------------------------------------
