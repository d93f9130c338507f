"""Reads of Python's state that existed before the call: inputs for tensors, guards for the rest."""

from __future__ import annotations

import enum
import sys
import types
import weakref
from collections import UserDict, UserList, UserString, deque
from decimal import Decimal
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.arrays.layouts import laid_out
from autograph.runtime.arrays.watched import is_outside
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.ambient_state import note_decimals
from autograph.tracing.namespaces import attribute_of, is_namespace, unread
from autograph.tracing.object_paths import (
    held_item,
    items_of,
    length_of,
    path_of_attribute,
    path_of_item,
)
from autograph.tracing.opaque_objects import observe_opaque
from autograph.tracing.places import AttributePlace, CellPlace, ContentsPlace, Items, NamePlace
from autograph.tracing.tracing import Tracing
from autograph.values.equivalence import ATOMS, is_long_table
from autograph.values.marks import declared

BY_NAME = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    type,
    np.ufunc,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    staticmethod,
    classmethod,
    property,
)
"""What is known by identity."""

IMMUTABLE = (frozenset, range, np.dtype, enum.Enum, slice, types.GenericAlias)

CONTAINERS = (list, dict, set, deque)


def observe(tracing: Tracing, value: Any, path: str, by_name: bool = False) -> Any:
    """Note that the trace read `value` at `path`; gives what the program is to work with.

    Numbers that changed between calls become staged ones, NumPy arrays tensors.
    """
    kind = type(value)
    if kind is bool or kind is int or kind is float:
        return _observe_number(tracing, value, path)
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        tracing.guard(f"type({path}) is {_kind(tracing, kind)}")
        return tracing.scalar_tensor(value, path)
    if isinstance(value, ATOMS):
        _guard_atom(tracing, value, path)
        return value
    if isinstance(value, Array | Scalar) and is_outside(value, tracing.callers.originals):
        return _observe_watched(tracing, value, path)
    if isinstance(value, Tensor):
        _observe_tensor(tracing, value, path)
        return value
    if isinstance(value, np.ndarray):
        tensor = tracing.array_tensor(value, path)
        tracing.guard(f"type({path}) is {_kind(tracing, np.ndarray)}")
        _guard_shape(tracing, path, value)
        if value.ndim > 1:  # which decides whether a reshape shares its elements
            tracing.guard(f"{path}.flags.c_contiguous is {value.flags.c_contiguous}")
        if not value.flags.writeable:
            tracing.guard(f"not {path}.flags.writeable")
        return tensor
    if kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return _observe_tuple(tracing, value, path)
    if isinstance(value, BY_NAME):
        note_outer_cells(tracing, value)
        own = isinstance(value, types.ModuleType) and package_of(value) == "autograph"
        if not (by_name and own):
            tracing.guard(f"{path} is {tracing.table.constant(value)}")
        return value
    if isinstance(value, IMMUTABLE):
        tracing.guard(f"same_value({path}, {tracing.table.constant(value)})")
        if isinstance(value, frozenset) and hasattr(value, "__dict__"):
            tracing.reach(value, path)
        return value
    tracing.guard(f"type({path}) is {_kind(tracing, kind)}")
    tracing.reach(value, path)
    if isinstance(value, UserDict | UserList | UserString):  # whose methods are not converted
        _observe_data(tracing, value, path)
    if isinstance(value, Decimal):
        note_decimals(tracing)
    return observe_opaque(tracing, value, path, observe)


def _observe_data(tracing: Tracing, value: Any, path: str) -> None:
    data = value.__dict__.get("data")
    if data is not None:
        observe_attribute(tracing, AttributePlace(value, "data"), data)
    if isinstance(data, CONTAINERS):
        read_contents(tracing, data)


def _guard_atom(tracing: Tracing, value: Any, path: str) -> None:
    kind = type(value)
    if value is None or isinstance(value, enum.Enum):
        tracing.guard(f"{path} is {tracing.table.literal(value)}")
    elif kind in (str, bytes):
        tracing.guard(f"type({path}) is {_kind(tracing, kind)} and {path} == {value!r}")
    else:
        tracing.guard(f"same_value({path}, {tracing.table.constant(value)})")
        if hasattr(value, "__dict__"):  # of a subclass
            tracing.reach(value, path)


LIBRARIES = frozenset({"autograph", "numpy", "scipy", "builtins", *sys.stdlib_module_names})


STATEFUL = ("autograph.nn", "autograph.keeping.functions.loaded")
"""Modules of ours whose objects hold Variables, as the user's do."""


def package_of(item: Any) -> str:
    """The package that a class, function or module is of; of ours that hold state, the module."""
    module = str(declared(item, "__module__") or declared(item, "__name__", ""))
    return module if module.startswith(STATEFUL) else module.partition(".")[0]


def _kind(tracing: Tracing, kind: type) -> str:
    name = kind.__name__
    return name if kind in (int, float, bool, str, list, dict) else tracing.table.constant(kind)


LONGEST_LITERAL = 1000
"""So many bits of an int are written out in a guard."""


def _observe_number(tracing: Tracing, value: Any, path: str) -> Any:
    tracing.observed[path] = value
    if path in tracing.hints.numbers and (type(value) is not int or -(2**63) <= value < 2**63):
        return tracing.number_input(path, value)
    if type(value) is float:
        tracing.guard(f"same_float({path}, {tracing.table.constant(value)})")
    else:
        large = type(value) is int and value.bit_length() > LONGEST_LITERAL
        shown = tracing.table.constant(value) if large else repr(value)
        tracing.guard(f"type({path}) is {type(value).__name__} and {path} == {shown}")
    return value


def _observe_tensor(tracing: Tracing, tensor: Tensor, path: str) -> None:
    tracing.guard(f"type({path}) is {tracing.table.constant(type(tensor))}")
    if not tracing.is_born(tensor):
        _guard_shape(tracing, f"{path}._value", tensor._value, path)
    tracing.reach(tensor, path)


def _observe_watched(tracing: Tracing, cell: Array | Scalar, path: str) -> Tensor:
    """An array or a scalar of the caller's that a tape watches: read as NumPy's own is."""
    held = cell._value if isinstance(cell, Scalar) else laid_out(cell)
    tracing.guard(f"type({path}) is {tracing.table.constant(type(cell))}")
    _guard_shape(tracing, f"{path}._value", held, path)
    if isinstance(cell, Scalar):
        return tracing.scalar_tensor(cell, path)
    if held.ndim > 1:
        tracing.guard(f"{path}.flags.c_contiguous is {held.flags.c_contiguous}")
    if not cell.is_writeable:
        tracing.guard(f"not {path}.is_writeable")
    return tracing.array_tensor(cell, path)


def _guard_shape(tracing: Tracing, held: str, value: Any, path: str | None = None) -> None:
    if not isinstance(value, np.ndarray):
        return
    tracing.guard(f"{held}.dtype == {tracing.table.constant(value.dtype)}")
    axes = tracing.hints.symbolic.get(path or held, frozenset())
    if not axes:
        tracing.guard(f"{held}.shape == {value.shape!r}")
        return
    tracing.guard(f"{held}.ndim == {value.ndim}")
    for axis, size in enumerate(value.shape):
        if not tracing.is_unknown(axes, axis, size):
            tracing.guard(f"{held}.shape[{axis}] == {size}")
        elif not tracing.hints.any_size:
            tracing.guard(f"{held}.shape[{axis}] > 1")


def _observe_tuple(tracing: Tracing, value: Any, path: str) -> Any:
    kind = type(value)
    tracing.guard(f"type({path}) is {tracing.table.constant(kind)} and len({path}) == {len(value)}")
    parts = [observe(tracing, one, f"{path}[{number}]") for number, one in enumerate(value)]
    if all(part is one for part, one in zip(parts, value, strict=True)):
        tracing.reach(value, path)
        return value
    return tuple(parts) if kind is tuple else kind._make(parts)


def observe_once(
    tracing: Tracing, key: tuple[Any, ...], value: Any, path: str, by_name: bool = False
) -> Any:
    """Like `observe`, and the same again where the same place was read before."""
    if key not in tracing.seen:
        tracing.seen[key] = observe(tracing, value, path, by_name)
    return tracing.seen[key]


def observe_referent(tracing: Tracing, reference: weakref.ref[Any]) -> Any:
    """What `reference()` gives: an object, or None where nothing else held it."""
    if tracing.is_born(reference):
        return reference()
    path = f"{tracing.path_of(reference)}()"
    return observe_once(tracing, ("referent", id(reference)), reference(), path)


def is_users(kind: type) -> bool:
    """Whether a class or module is the user's: its members may be replaced."""
    return package_of(kind) not in LIBRARIES


def observe_member(tracing: Tracing, kind: type, name: str) -> None:
    """Note that a function, property or the like is read from a class."""
    if not name.startswith("__"):
        observe_in(tracing, kind.__mro__, name)


def observe_in(tracing: Tracing, bases: tuple[type, ...], name: str) -> None:
    """Note which of these classes, asked one after the other, has a member."""
    key = ("member", id(bases[0]), name)
    if key in tracing.seen or tracing.is_born(bases[0]):
        return
    tracing.seen[key] = True
    for base in bases:
        if not is_users(base):
            return
        path = tracing.table.constant(base)
        if name in base.__dict__:
            member = tracing.table.constant(base.__dict__[name])
            if not is_written(tracing, ("attribute", id(base), name)):
                tracing.guard(f"{path}.__dict__.get({name!r}) is {member}")
            return
        tracing.guard(f"{name!r} not in {path}.__dict__")


def is_written(tracing: Tracing, key: tuple[Any, ...]) -> bool:
    """Whether a place was written in this trace: then what it holds is no input."""
    region: Any = tracing.region
    while region is not None:
        if key in region.log:
            return True
        region = region.parent
    return False


# names --------------------------------------------------------------------------------------------
def read_global(tracing: Tracing, namespace: dict[str, Any], name: str) -> None:
    """Note that a converted function may read a global. It stays a plain name in its code."""
    key = ("name", id(namespace), name)
    if is_written(tracing, key) or key in tracing.seen:
        return
    if name not in namespace:
        _guard_missing(tracing, namespace, name)
        return
    value = namespace[name]
    path = tracing.table.item(tracing.table.constant(namespace), name)
    replaced = observe_once(tracing, key, value, path, by_name=True)
    if replaced is not value:
        tracing.substitute(NamePlace(namespace, name), replaced)


def _guard_missing(tracing: Tracing, namespace: dict[str, Any], name: str) -> None:
    """A name that is not there (or one of the builtins) must not be there in later calls."""
    if str(namespace.get("__name__")).partition(".")[0] in LIBRARIES:
        return
    key = ("missing", id(namespace))
    if key not in tracing.seen:
        tracing.seen[key] = set()
        names = tracing.table.constant(tracing.seen[key])
        tracing.guard(f"{tracing.table.constant(namespace)}.keys().isdisjoint({names})")
    tracing.seen[key].add(name)


def note_outer_cells(tracing: Tracing, function: Any) -> None:
    """The variables around a function from outside existed before this call."""
    if not isinstance(function, types.FunctionType | types.MethodType):
        return
    for cell in function.__closure__ or ():
        if id(cell) not in tracing.closures.inner:
            tracing.closures.outer[id(cell)] = cell


def read_cell(tracing: Tracing, cell: types.CellType, name: str) -> None:
    """Note that a converted function may read a variable of an outer function.

    One of a function that runs in this trace is no state: no later call finds it.
    """
    key = ("cell", id(cell))
    if id(cell) not in tracing.closures.outer or is_written(tracing, key) or key in tracing.seen:
        return
    try:
        value = cell.cell_contents
    except ValueError:
        tracing.guard(f"is_empty({tracing.table.constant(cell)})")
        return
    if _is_staged(tracing, value):
        return
    path = f"{tracing.table.constant(cell)}.cell_contents"
    tracing.closures.names[id(cell)] = name
    replaced = observe_once(tracing, key, value, path, by_name=True)
    if replaced is not value:
        tracing.substitute(CellPlace(cell, name), replaced)


def _is_staged(tracing: Tracing, value: Any) -> bool:
    if isinstance(value, Number):
        return True
    if isinstance(value, Tensor):
        return not isinstance(value._value, np.ndarray)
    return tracing.is_born(value)


# contents -----------------------------------------------------------------------------------------
def existed_before(tracing: Tracing, container: Any) -> bool:
    """Whether a container's contents are Python's state from before the call, so far unwritten."""
    if tracing.is_born(container) or is_namespace(tracing, container):
        return False
    return not is_written(tracing, ("contents", id(container)))


def read_contents(tracing: Tracing, container: Any) -> None:
    """Note that a whole container is read: its length or keys, and every item it had."""
    key = ("read", id(container))
    if key in tracing.seen or tracing.is_born(container):
        return
    tracing.seen[key] = True
    if is_namespace(tracing, container):
        for name in list(unread(tracing, container)):
            observe_attribute(tracing, attribute_of(tracing, container, name), container[name])
        return
    path = tracing.path_of(container)
    place = ContentsPlace(container, tracing)
    before = contents_before(tracing, place)
    if isinstance(container, set):
        members = tracing.table.constant(list(before.values))
        tracing.guard(f"same_value({items_of(container, path)}, {members})")
        return
    if isinstance(container, dict):
        keys = [pair[0] for pair in before.values]
        values = [pair[1] for pair in before.values]
        same = "{} == {}" if all(type(key) is str for key in keys) else "same_value({}, {})"
        same = "same_numbers({}, {})" if is_long_table(keys) else same
        tracing.guard(same.format(items_of(container, path), tracing.table.constant(keys)))
        if is_long_table(values) and type(container) is dict:
            snapshot = tracing.table.constant(values)
            tracing.guard(f"same_numbers([*{path}.values()], {snapshot})")
            return
    else:
        keys, values = list(range(len(before.values))), list(before.values)
        if is_long_table(values):
            snapshot = tracing.table.constant(values)
            tracing.guard(f"same_numbers({items_of(container, path)}, {snapshot})")
            return
        tracing.guard(f"{length_of(container, path)} == {len(values)}")
    for one, value in zip(keys, values, strict=True):
        observed = observe_value(tracing, container, one, value)
        if observed is not value:
            replace_item(tracing, place, one, value, observed)


def observe_attribute(tracing: Tracing, place: AttributePlace, held: Any) -> Any:
    """Note that an attribute of an object that existed before is read, unwritten so far."""
    observed = observe_once(tracing, place.key, held, path_of_attribute(tracing, place))
    if observed is not held and not isinstance(held, Number):
        tracing.substitute(place, observed)
    return observed


def contents_before(tracing: Tracing, place: ContentsPlace) -> Items:
    """What a container held before the call."""
    region: Any = tracing.region
    found = place.get()
    while region is not None:
        if place.key in region.log:
            found = region.log[place.key][1]
        region = region.parent
    assert isinstance(found, Items)
    return found


def replace_item(
    tracing: Tracing, place: ContentsPlace, key: Any, value: Any, observed: Any
) -> None:
    """Let a container hold what stands for one of its items, until the trace ends."""
    container = place.owner
    if not isinstance(container, dict) and key < 0:
        key += len(container)
    missing = isinstance(container, dict) and key not in container
    if missing or held_item(container, key) is not value:
        return
    for base in (dict, list, deque):
        if isinstance(container, base):
            base.__setitem__(container, key, observed)  # type: ignore[index]
    tracing.borrowed.replaced(container, key, value, observed)
    region: Any = tracing.region
    while region is not None:
        if place.key in region.log:
            _, old = region.log[place.key]
            kind = type(old)
            region.log[place.key] = (place, kind(_swapped(old.values, key, value, observed)))
        region = region.parent


def _swapped(values: tuple[Any, ...], key: Any, value: Any, observed: Any) -> tuple[Any, ...]:
    if values and isinstance(key, int) and key < len(values) and values[key] is value:
        return (*values[:key], observed, *values[key + 1 :])
    return tuple(
        (key, observed) if type(one) is tuple and len(one) == 2 and one[1] is value else one
        for one in values
    )


def observe_item(tracing: Tracing, container: Any, key: Any) -> Any:
    """Note that one item is read. The key is known and the item is there."""
    value = held_item(container, key)
    observed = observe_value(tracing, container, key, value)
    if observed is not value:
        replace_item(tracing, ContentsPlace(container, tracing), key, value, observed)
    return observed


def observe_value(tracing: Tracing, container: Any, key: Any, value: Any) -> Any:
    """Note that the item at `key`, which is `value`, is read."""
    if type(key) is int and isinstance(container, list | tuple | deque):
        other = key + len(container) if key < 0 else key - len(container)
        known = tracing.seen.get(("item", id(container), int, other), tracing)
        if known is not tracing:  # read before from the other end: one item, at this length
            tracing.guard(f"len({tracing.path_of(container)}) == {len(container)}")
            return known
    path = path_of_item(tracing, container, key)
    return observe_once(tracing, ("item", id(container), type(key), key), value, path)
