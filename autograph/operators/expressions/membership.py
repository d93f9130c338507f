"""`in` and `not in`."""

from __future__ import annotations

import operator
from collections import deque
from types import MethodType, SimpleNamespace
from typing import Any

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.control.whole_reads import Shown, read_whole
from autograph.library import sequences as library
from autograph.operators.builtins.reductions import staged_any
from autograph.operators.calls.dispatch import call, is_users_method, special_method
from autograph.operators.containers import constant_tables, dicts_and_sets, known_dicts, sequences
from autograph.operators.containers.chosen_keys import as_key
from autograph.operators.expressions.arithmetic import COMPARISONS, choose_view
from autograph.operators.expressions.boolean import or_
from autograph.operators.expressions.constant_items import is_staged_index
from autograph.operators.expressions.identity import is_, is_told_by_identity, not_
from autograph.operators.expressions.truth import choose, condition, to_number
from autograph.operators.iterators.generator_builtins import derived, equalities
from autograph.operators.iterators.staged_iterables import Indexed
from autograph.operators.strings.string_methods import contains_text
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.reading import existed_before, package_of, read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice

CONTAINERS = (list, dict, set, deque)


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    tracing = current()
    if tracing is None:
        return item in container
    if isinstance(container, Choice):
        return choose(tracing, container, lambda one: in_(item, one))
    if isinstance(item, Choice):
        if type(container) in (list, tuple) and any(one is item for one in container):
            return True  # whichever it is, NaN too: what is one and the same is in it
        return choose(tracing, item, lambda one: in_(one, container))
    return contains(tracing, container, item)


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    return not_(in_(item, container))


def contains(tracing: Tracing, container: Any, wanted: Any) -> Any:
    """`wanted in container`."""
    contents = chosen_contents(tracing, container)
    if contents is not None:
        return with_each(tracing, container, contents, lambda: contains(tracing, container, wanted))
    if isinstance(container, DictView) and isinstance(container.container, Choice):
        return choose_view(tracing, container, lambda one: contains(tracing, one, wanted))
    if isinstance(container, DictView):
        read_contents(tracing, container.container)
        if dicts_and_sets.is_staged(tracing, container.container) and container.kind != "keys":
            return call(library.contains, container, wanted)
        container = container.container if container.kind == "keys" else tuple(container)
    if isinstance(container, Text) or (isinstance(container, str) and isinstance(wanted, Text)):
        return contains_plainly(tracing, container, wanted)
    special = special_method(type(container), "__contains__")
    if special is not None and is_users_method(container, "__contains__"):
        return condition(tracing, call(special, container, wanted))
    return contains_plainly(tracing, container, wanted)


def contains_plainly(tracing: Tracing, container: Any, wanted: Any) -> Any:
    """`wanted in container` by its built-in class, whatever a class of the user's does."""
    if isinstance(container, Number):
        operator.contains(container.kind(), wanted)  # Python's own error
    if isinstance(container, str | Text) and isinstance(wanted, Number | Tensor):
        name = wanted.kind.__name__ if isinstance(wanted, Number) else "Tensor"
        raise TypeError(f"'in <string>' requires string as left operand, not {name}")
    if isinstance(container, str | Text) and not isinstance(wanted, str | Text | Choice):
        return wanted in "a"  # raises Python's own error
    if isinstance(container, Text) or (isinstance(container, str) and isinstance(wanted, Text)):
        return contains_text(tracing, container, wanted)
    special = special_method(type(container), "__contains__")
    plain = special is None and package_of(type(container)) != "autograph"
    if plain and special_method(type(container), "__iter__") is None:
        if special_method(type(container), "__getitem__") is None:
            return None in container  # raises what Python raises
        return call(library.contains, container, wanted)
    if special is None:
        return staged_any(tracing, derived(tracing, equalities, wanted, container))
    if isinstance(container, Tensor):
        return to_number(OPS.any(OPS.equal(container, wanted)), bool)
    if sequences.has_staged_items(tracing, container) or isinstance(container, Indexed):
        return call(library.contains, container, wanted)
    if isinstance(container, set | frozenset) and isinstance(wanted, set):
        if dicts_and_sets.is_staged(tracing, wanted):  # Python looks for its frozenset
            read_whole(tracing, container, Shown.NOT)
            members = [one for one in container if isinstance(one, frozenset)]
            return any_of_several(
                [lambda one=one: _same_item(tracing, one, wanted) for one in members]
            )
    if isinstance(container, dict | set | frozenset):
        if type(wanted).__hash__ is None and not isinstance(wanted, set | Tensor | Number | Text):
            hash(wanted)  # raises Python's own error
        wanted = as_key(tracing, wanted, container)
        if isinstance(wanted, Choice):
            return choose(tracing, wanted, lambda one: contains(tracing, container, one))
    if dicts_and_sets.is_staged(tracing, container):
        return dicts_and_sets.contains(tracing, container, wanted)
    if isinstance(container, dict | set | frozenset) and known_dicts.is_staged_comparable(wanted):
        read_whole(tracing, container, Shown.NOT)
        return known_dicts.is_among(container, wanted)
    if isinstance(container, dict | set) and not is_staged_index(wanted):
        if dicts_and_sets.is_staged_key(wanted) or tracing.any_handle(container):
            read_contents(tracing, container)
            return dicts_and_sets.contains(tracing, container, wanted)
    if isinstance(container, dict | set | frozenset) and not is_staged_index(wanted):
        return _hashed(tracing, container, wanted)
    for one in (wanted, container):
        read_whole(tracing, one, Shown.NOT)
    staged = _compares(tracing, wanted) or (
        isinstance(container, list | tuple | deque)
        and any(_compares(tracing, one) for one in container)
    )
    staged = staged or tracing.any_handle((wanted, *container))
    if not staged:
        return _natively(container, wanted)
    if isinstance(wanted, Tensor) and isinstance(container, dict | set | frozenset):
        tensors = [one for one in container if isinstance(one, Tensor)]
        return any_of_several([lambda one=one: is_(one, wanted) for one in tensors])
    if isinstance(container, range) and (number := _whole_number(tracing, wanted)) is not None:
        return call(library.is_in_range, number, container.start, container.stop, container.step)
    if isinstance(container, list | tuple | deque) or isinstance(wanted, Number):
        equal = constant_tables.equal_to(tracing, tuple(container), wanted)
        if equal is not None:
            return to_number(OPS.any(equal), bool)
    return any_of_several([lambda one=one: _same_item(tracing, one, wanted) for one in container])


def any_of_several(tests: list[Any]) -> Any:
    """`or` of many tests, in order; halves of halves, so that they do not nest deep."""
    if len(tests) <= 2:
        return or_(False, *tests)
    middle = len(tests) // 2
    first, rest = tests[:middle], tests[middle:]
    return or_(False, lambda: any_of_several(first), lambda: any_of_several(rest))


def _whole_number(tracing: Tracing, wanted: Any) -> Any:
    """A staged int; None for what a range is to be searched for item by item."""
    if isinstance(wanted, Number) and wanted.kind is not float:
        return OPS.py_int(wanted)
    if isinstance(wanted, Tensor) and not wanted.ndim and wanted.dtype.kind in "iu":
        return to_number(wanted, int)
    return None


def _compares(tracing: Tracing, value: Any) -> bool:
    """Whether what equals a value is known when the graph runs, or the user's class says it."""
    if isinstance(value, Number | Tensor | Choice | MethodType | Text | SimpleNamespace):
        return True
    if isinstance(value, CONTAINERS) and tracing.contents(value) is not None:
        return True
    if isinstance(value, tuple | list | deque):
        return any(_compares(tracing, one) for one in value)
    if isinstance(value, dict):
        return any(_compares(tracing, one) for one in value.values())
    special = special_method(type(value), "__eq__")
    return hasattr(special, "__code__") or is_told_by_identity(value)


def _same_item(tracing: Tracing, one: Any, wanted: Any) -> Any:
    if one is wanted:
        return True
    given = tracing.callers.originals
    both = isinstance(one, Scalar) and isinstance(wanted, Scalar)
    if both and id(one) in given and id(wanted) in given and is_(one, wanted) is True:
        return True  # NaN, too: one scalar, which the caller has at two places
    return condition(tracing, COMPARISONS["eq"](one, wanted))


def _hashed(tracing: Tracing, container: Any, wanted: Any) -> bool:
    found = _natively(container, wanted)
    if isinstance(container, dict | set) and not existed_before(tracing, container):
        read_contents(tracing, container)
    elif isinstance(container, dict | set):
        path = tracing.path_of(container)
        literal = tracing.table.literal(wanted)
        tracing.guard(f"{literal} in {path}" if found else f"{literal} not in {path}")
    return bool(found)


def _natively(container: Any, wanted: Any) -> bool:
    """`wanted in container`, by the built-in class that it is of or derived from."""
    for kind in (*CONTAINERS, tuple, frozenset):
        if isinstance(container, kind):
            plain: Any = kind.__contains__
            return bool(plain(container, wanted))
    return wanted in container
