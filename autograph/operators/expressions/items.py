"""Items: `a[i]`, its assignment and its deletion."""

from __future__ import annotations

import types
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.errors import StateError
from autograph.operators.arrays.numpy_arrays import (
    JOINING,
    joined,
    require_integers,
    require_masks,
)
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.containers import (
    dict_and_set_methods,
    dicts_and_sets,
    known_dicts,
    lists,
    rows,
    sequences,
)
from autograph.operators.containers.chosen_keys import as_key, spread, with_bounds
from autograph.operators.containers.chosen_lists import let_change
from autograph.operators.containers.container_changes import change, native
from autograph.operators.containers.slices import by_index, is_staged_slice
from autograph.operators.containers.stacked_lists import array_index, beside_array
from autograph.operators.expressions import constant_items
from autograph.operators.expressions.constant_items import as_place, is_staged_index, pick
from autograph.operators.expressions.truth import choose, settled
from autograph.operators.iterators.plain_iteration import has_own_iterator, iterate
from autograph.operators.iterators.staged_iterables import Indexed, has_staged_length
from autograph.operators.strings.character_rows import is_staged_place, text_item
from autograph.runtime.arrays.cells import Array
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.strings.text import Text
from autograph.tracing.places import ContentsPlace
from autograph.tracing.reading import existed_before, observe_item, read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice

SEQUENCES = (list, tuple, str, range, deque)
BY_INDEX = (bytes, bytearray, memoryview, array, np.ndarray, Indexed)
BUILT_IN = (list, dict, tuple, str, bytes, deque)


def item(container: Any, key: Any) -> Any:
    """`container[key]`."""
    tracing = current()
    if tracing is None:
        return container[key]
    if isinstance(container, Choice):
        return choose(tracing, container, lambda one: item(one, key))
    if isinstance(container, np.ndarray):
        container = tracing.array_tensor(container, tracing.path_of(container))
    key = _spread_index(tracing, container, key)
    if isinstance(key, Choice):
        return choose(tracing, key, lambda one: item(container, one))
    if isinstance(container, Tensor):
        require_masks(container, key)
        return container[by_index(key)]
    if isinstance(container, BUILT_IN) and type(container) not in BUILT_IN:
        special = special_method(type(container), "__getitem__")
        if isinstance(special, types.FunctionType):
            return call(special, container, key)
    return plain_item(tracing, container, key)


def plain_item(tracing: Tracing, container: Any, key: Any) -> Any:
    """`container[key]` by the method of the built-in class, whatever a subclass of it has."""
    asked = key
    if isinstance(container, dict):
        key = as_key(tracing, key, container, stored=isinstance(container, defaultdict))
    elif isinstance(container, (*SEQUENCES, *BY_INDEX)):
        key = by_index(key)
    if isinstance(key, Choice):
        return choose(tracing, key, lambda one: plain_item(tracing, container, one))
    if isinstance(key, Number) and key.kind is float and isinstance(container, SEQUENCES):
        wrong: Any = 0.5
        return container[wrong]  # raises Python's own error
    contents = chosen_contents(tracing, container)
    if contents is not None:
        if dict_and_set_methods.makes_containers(container):
            # Made before the switch, so that it is one object where it is put in and given.
            return call(container.setdefault, key, call(container.default_factory))
        return with_each(tracing, container, contents, lambda: item(container, key))
    if isinstance(container, list):
        return _list_item(tracing, container, key)
    if isinstance(container, Text) or (isinstance(container, str) and is_staged_place(key)):
        return text_item(tracing, container, key)
    if isinstance(container, tuple | str | bytes | range):
        return constant_items.sequence_item(tracing, container, key)
    if isinstance(container, dict):
        return _dict_item(tracing, container, key, asked)
    if isinstance(container, JOINING):
        return joined(container, key)
    if isinstance(container, Indexed | DictView):
        return constant_items.indexed_item(tracing, container, key)
    special = special_method(type(container), "__getitem__")
    if isinstance(special, types.FunctionType):
        return call(special, container, key)
    if special is None and isinstance(container, type):
        special = special_method(container, "__class_getitem__", bound=False)
        if isinstance(special, classmethod) and isinstance(special.__func__, types.FunctionType):
            return call(special.__func__, container, key)
    if isinstance(container, deque):
        read_contents(tracing, container)
        if is_staged_index(key) or rows.staged(tracing, container) is not None:
            return _deque_item(tracing, container, as_place(container, key))
    return container[key]


def _spread_index(tracing: Tracing, container: Any, key: Any) -> Any:
    """An index of an array, or a slice of a sequence, of which a part may be one of several."""
    if isinstance(container, Tensor):
        return spread(tracing, with_bounds(tracing, array_index(tracing, container, key)))
    return spread(tracing, key) if isinstance(key, slice) else key


def _list_item(tracing: Tracing, container: list[Any], key: Any) -> Any:
    if isinstance(key, slice) and (
        rows.staged(tracing, container) is not None or is_staged_slice(key)
    ):
        read_contents(tracing, container)
        return lists.slice_of(tracing, container, key)
    if rows.staged(tracing, container) is not None:
        return lists.list_item(tracing, container, as_place(container, key))
    if is_staged_index(key):
        read_contents(tracing, container)
        return pick(tracing, container, as_place(container, key), "list index out of range")
    if isinstance(key, slice):
        read_contents(tracing, container)
        return tracing.born(container[key])
    if existed_before(tracing, container):
        if isinstance(key, int) and -len(container) <= key < len(container):
            return observe_item(tracing, container, key)
        read_contents(tracing, container)
    else:
        read_contents(tracing, container)
    return list.__getitem__(container, key)


def _deque_item(tracing: Tracing, container: deque[Any], key: Any) -> Any:
    message = "deque index out of range"
    if rows.staged(tracing, container) is None:
        return pick(tracing, container, key, message)
    length = lists.list_length(tracing, container)
    place = lists.in_range(tracing, key, length, message)
    return lists.list_item(tracing, container, place)


def _dict_item(tracing: Tracing, container: dict[Any, Any], key: Any, asked: Any) -> Any:
    """`container[key]` of a dict; a KeyError tells of the key that it was `asked` for."""
    found = special_method(type(container), "__missing__")
    if dicts_and_sets.is_staged(tracing, container):
        missing = dict_and_set_methods.missing_key(asked)
        if found is not None:
            missing = lambda: _missing(container, key, found)  # noqa: E731
        return dicts_and_sets.get(tracing, container, key, missing)
    if found is None and known_dicts.is_staged_comparable(key):
        return _dict_pick(tracing, container, key, asked)
    if dicts_and_sets.is_staged_key(key) and (found is not None or not is_staged_index(key)):
        read_contents(tracing, container)
        rows.make_staged(tracing, container)
        return _dict_item(tracing, container, key, asked)
    if is_staged_index(key):
        return _dict_pick(tracing, container, key, asked, found)
    if found is not None and not contains_key(tracing, container, key):
        return _missing(container, key, found)
    if existed_before(tracing, container):
        path = tracing.path_of(container)
        if key not in container:
            tracing.guard(f"{tracing.table.literal(key)} not in {path}")
        else:
            return observe_item(tracing, container, key)
    elif not tracing.is_born(container):
        read_contents(tracing, container)
    return dict.__getitem__(container, key)


def contains_key(tracing: Tracing, container: dict[Any, Any], key: Any) -> bool:
    """Whether a dict has a known key, noted as read."""
    known = key in container
    if existed_before(tracing, container):
        literal, path = tracing.table.literal(key), tracing.path_of(container)
        tracing.guard(f"{literal} {'in' if known else 'not in'} {path}")
    elif not tracing.is_born(container):
        read_contents(tracing, container)
    return known


def _missing(container: dict[Any, Any], key: Any, found: Any) -> Any:
    """`container[key]` of a dict that knows what to do for a missing key."""
    if not isinstance(container, defaultdict) or isinstance(found, types.FunctionType):
        return call(found, container, key)
    if container.default_factory is None:
        raise KeyError(key)
    value = call(container.default_factory)
    set_item(value, container, key)
    return value


def _dict_pick(
    tracing: Tracing, container: dict[Any, Any], key: Any, asked: Any, found: Any = None
) -> Any:
    """`table[key]` by a staged key, of a dict of known contents."""
    if isinstance(key, Tensor):
        read_contents(tracing, container)
        for known, value in container.items():
            if known is key:
                return value
        if found is not None:
            return _missing(container, key, found)
        raise KeyError(key)  # a Variable is hashed by identity, as it is eagerly
    read_contents(tracing, container)
    return known_dicts.entry(tracing, container, key, dict_and_set_methods.missing_key(asked))


# writing ------------------------------------------------------------------------------------------
def set_item(value: Any, container: Any, key: Any) -> None:
    """`container[key] = value`."""
    tracing = current()
    if tracing is None:
        container[key] = value
        return
    value = settled(tracing, value)
    if isinstance(container, np.ndarray):
        container = tracing.array_tensor(container, tracing.path_of(container))
    if isinstance(container, Choice):
        if is_staged_index(key):
            let_change(tracing, container.options)
        choose(tracing, container, lambda one: set_item(value, one, key))
        return
    key = _spread_index(tracing, container, key)
    if isinstance(key, Choice):
        choose(tracing, key, lambda one: set_item(value, container, one))
        return
    if isinstance(container, Tensor):
        if isinstance(value, Choice):
            choose(tracing, value, lambda one: set_item(one, container, key))
            return
        require_masks(container, key)
        require_integers(container, value, key)
        container[by_index(key)] = beside_array(tracing, container, value)
        return
    contents = chosen_contents(tracing, container)
    if contents is not None:
        with_each(tracing, container, contents, lambda: set_item(value, container, key))
        return
    if isinstance(key, slice) and isinstance(value, Choice):
        choose(tracing, value, lambda one: set_item(one, container, key))
        return
    special = special_method(type(container), "__setitem__")
    if isinstance(special, types.FunctionType):
        call(special, container, key, value)
        return
    set_plain_item(tracing, container, key, value)


def set_plain_item(tracing: Tracing, container: Any, key: Any, value: Any) -> None:
    """`container[key] = value` by the method of the built-in class."""
    if isinstance(container, dict):
        key = as_key(tracing, key, container, stored=True)
    elif isinstance(container, (*SEQUENCES, *BY_INDEX)):
        key = by_index(key)
    if isinstance(key, Choice):
        choose(tracing, key, lambda one: set_plain_item(tracing, container, one, value))
        return
    if isinstance(container, list):
        _set_list_item(tracing, container, key, value)
        return
    if isinstance(container, deque) and isinstance(key, slice):
        container[key] = value  # type: ignore[index]  # Python's own error
    if isinstance(container, deque) and (
        is_staged_index(key) or rows.staged(tracing, container) is not None
    ):
        read_contents(tracing, container)
        length = lists.list_length(tracing, container)
        place = lists.in_range(
            tracing, as_place(container, key), length, "deque index out of range"
        )
        lists.set_list_item(tracing, container, place, value)
        return
    if isinstance(container, dict) and (
        dicts_and_sets.is_staged_key(key) or dicts_and_sets.is_staged(tracing, container)
    ):
        read_contents(tracing, container)
        dicts_and_sets.set_item(tracing, container, key, value)
        return
    if not hasattr(type(container), "__setitem__"):
        raise TypeError(f"'{type(container).__name__}' object does not support item assignment")
    of_variable = isinstance(container, dict) and isinstance(key, Variable)  # known by identity
    if is_staged_index(key) and not of_variable:
        raise StateError(
            f"{with_article(type(container).__name__)} cannot be assigned to under a staged key",
            remedy="use a tensor and x[i] = value",
        )
    if isinstance(container, dict | deque):
        hash(key)
        change(tracing, container, lambda: native(container, "__setitem__")(key, value))
        return
    _require_own(tracing, container)
    container[key] = value


def _require_own(tracing: Tracing, container: Any) -> None:
    """StateError for bytes that are changed, and which no roll-back would change back."""
    outside = id(container) in tracing.paths or tracing.region.trace is not tracing.trace
    if isinstance(container, bytearray | memoryview | array) and outside:
        raise StateError(
            f"{with_article(type(container).__name__)} is changed that was made before a staged "
            "function, branch or loop, and its changes are not followed",
            remedy="use a list of ints, and make the bytes of it afterwards: bytes(items)",
        )


def _set_list_item(tracing: Tracing, container: list[Any], key: Any, value: Any) -> None:
    if isinstance(key, slice):
        contents = chosen_contents(tracing, value)
        if contents is not None:  # the list that gives the items is one of several
            put = lambda: _set_list_item(tracing, container, key, value)  # noqa: E731
            with_each(tracing, value, contents, put)
            return
        if has_own_iterator(value) or isinstance(value, Iterator):
            value = call(list, value)
        elif isinstance(value, list | dict | set | deque | DictView):
            value = value if _is_long(tracing, value) else iterate(value)
    staged = rows.staged(tracing, container) is not None  # what made the value may store the list
    if isinstance(key, slice) and (staged or is_staged_slice(key) or _is_long(tracing, value)):
        read_contents(tracing, container)
        given = value if isinstance(value, list) else call(list, value)
        lists.assign_slice(tracing, container, key, given)
        return
    if staged or is_staged_index(key):
        read_contents(tracing, container)
        if sequences.keeps_objects(tracing, container, value):
            sequences.put(tracing, container, as_place(container, key), value)
            return
        if sequences.are_known(tracing, container, value):
            rows.make_known(tracing, container)
        lists.set_list_item(tracing, container, as_place(container, key), value)
        return
    read_contents(tracing, container)  # also where it was only appended to so far
    tracing.touch(ContentsPlace(container, tracing))
    list.__setitem__(container, key, value)


def _is_long(tracing: Tracing, value: Any) -> bool:
    """Whether a value has a staged length."""
    return sequences.has_staged_items(tracing, value) or has_staged_length(tracing, value)


def del_item(container: Any, key: Any) -> None:
    """`del container[key]`."""
    tracing = current()
    if tracing is not None:
        key = _spread_index(tracing, container, key)
        if isinstance(key, Choice):
            choose(tracing, key, lambda one: del_item(container, one))
            return
        contents = chosen_contents(tracing, container)
        if contents is not None:
            with_each(tracing, container, contents, lambda: del_item(container, key))
            return
        special = special_method(type(container), "__delitem__")
        if isinstance(special, types.FunctionType):
            call(special, container, key)
            return
        if isinstance(container, Choice):
            choose(tracing, container, lambda one: del_item(one, key))
            return
        delete_plain_item(tracing, container, key)
        return
    del container[key]


def delete_plain_item(tracing: Tracing, container: Any, key: Any) -> None:
    """`del container[key]` by the method of the built-in class."""
    if isinstance(container, Array):
        raise ValueError("cannot delete array elements")
    if isinstance(container, (*SEQUENCES, *BY_INDEX)):
        key = by_index(key)
    elif isinstance(container, dict):
        key = as_key(tracing, key, container)
    if isinstance(key, Choice):
        choose(tracing, key, lambda one: delete_plain_item(tracing, container, one))
        return
    staged = rows.staged(tracing, container) is not None or is_staged_index(key)
    if isinstance(container, list | deque):
        read_contents(tracing, container)
        if staged or (isinstance(key, slice) and is_staged_slice(key)):
            _delete_at(tracing, container, key)
            return
    if isinstance(container, dict) and (
        dicts_and_sets.is_staged_key(key) or dicts_and_sets.is_staged(tracing, container)
    ):
        read_contents(tracing, container)
        passes = isinstance(container, Counter)  # which raises nothing for a key that it lacks
        missing = (lambda: None) if passes else dict_and_set_methods.missing_key(key)
        dicts_and_sets.remove(tracing, container, key, missing)
        return
    if is_staged_index(key):
        raise StateError(
            "an item that a staged condition or index picks cannot be deleted",
            remedy="build a new container without it",
        )
    if not hasattr(type(container), "__delitem__"):
        del container[key]  # raises Python's own error
    _require_own(tracing, container)
    change(tracing, container, lambda: native(container, "__delitem__")(key))


def _delete_at(tracing: Tracing, container: Any, key: Any) -> None:
    if isinstance(key, slice) or not sequences.is_picked(tracing, container):
        lists.delete(
            tracing, container, key if isinstance(key, slice) else as_place(container, key)
        )
        return

    def drop(place: int) -> None:
        sequences.changing(
            tracing,
            container,
            lambda: native(container, "__delitem__")(place),
            lambda: lists.delete(tracing, container, place),
        )

    place = as_place(container, key)
    sequences.at(tracing, container, place, drop, lists.out_of_range(container))


class Sequenced(Indexed):
    """A Python sequence of known length whose items are picked by a staged index."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    def length(self, tracing: Tracing) -> Any:
        return len(self.items)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return item(self.items, index)
