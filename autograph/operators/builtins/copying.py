"""`copy.copy` and `copy.deepcopy`: of containers and objects, with what they hold noted."""

from __future__ import annotations

import copy
import types
from collections import deque
from typing import Any

from autograph.control.chosen_contents import chosen_contents, with_each
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call_method, special_method
from autograph.operators.calls.variable_creation import make_variable
from autograph.operators.containers import object_handles
from autograph.operators.containers.container_methods import call_container_method
from autograph.operators.containers.rows import has_no_identity
from autograph.operators.expressions.attributes import load_plain, store_plain
from autograph.operators.expressions.identity import require_identity
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.plain_iteration import iterate
from autograph.runtime.arrays.cells import Array, Scalar, as_array, as_tensor
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import base_of_dict
from autograph.tracing.reading import BY_NAME, IMMUTABLE, LIBRARIES, package_of
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.equivalence import ATOMS
from autograph.values.exception_objects import new_exception, parts_of_exception
from autograph.values.object_state import attributes_of, empty, give_attributes, setting_of
from autograph.values.sentinels import UNSET

CONTAINERS = (list, dict, set, deque)
SAME = (*ATOMS, *BY_NAME, *IMMUTABLE, Number)
Memo = dict[int, Any]


def shallow(tracing: Tracing, value: Any) -> Any:
    """`copy.copy(value)`."""
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: shallow(tracing, one))
    if isinstance(value, tuple) or _is_kept(value):
        return value
    if isinstance(special_method(type(value), "__copy__"), types.FunctionType) and not isinstance(
        value, Tensor
    ):
        return call_method(value, "__copy__")
    return _copied(tracing, value, lambda one: one, {})


class Copies(dict[int, Any]):
    """The memo of a deep copy: by id what was copied, and the tensors that were.

    `outer`: what is copied in one of several cases is noted in the memo around it as ONE_CASE.
    """

    def __init__(self, known: Memo, outer: Memo | None = None) -> None:
        super().__init__(known)
        self.outer = outer
        self.tensors: list[Tensor] = list(getattr(known, "tensors", ()))
        self.handles: list[Any] = list(getattr(known, "handles", ()))
        self.taken: list[Any] = list(getattr(known, "taken", ()))

    def __setitem__(self, key: int, made: Any) -> None:
        super().__setitem__(key, made)
        if self.outer is not None:
            self.outer.setdefault(key, ONE_CASE)

    def note(self, tracing: Tracing, tensor: Tensor) -> None:
        """A tensor is copied. StateError for one that may be one that was."""
        mine = tracing.identities.roots(tensor)
        if any(not mine.isdisjoint(tracing.identities.roots(one)) for one in self.tensors):
            raise _shared()
        self.tensors.append(tensor)
        if isinstance(self.outer, Copies):
            self.outer.tensors.append(tensor)

    def note_handle(self, tracing: Tracing, handle: Any) -> None:
        """An object that is known by a number is copied. StateError for one that may be one that
        was: the run tells which object it is."""
        if any(object_handles.is_same(tracing, one, handle) is not False for one in self.handles):
            raise _shared()
        self.handles.append(handle)
        if isinstance(self.outer, Copies):
            self.outer.handles.append(handle)

    def note_taken(self, tracing: Tracing, value: Any) -> None:
        """An object is copied of which only the value was kept: with another of its type, the
        trace is made anew, with objects known by numbers."""
        for one in self.taken:
            require_identity(tracing, one, value)
        self.taken.append(value)
        if isinstance(self.outer, Copies):
            self.outer.taken.append(value)


ONE_CASE = object()


def _shared() -> StateError:
    return StateError(
        "copy.deepcopy meets two objects that are one object on some paths only",
        remedy="copy the parts one by one",
    )


def deep(tracing: Tracing, value: Any, memo: Memo | None = None) -> Any:
    """`copy.deepcopy(value)`: what is met twice is copied once."""
    known: Memo = Copies({}) if memo is None else memo
    if isinstance(value, Choice):
        before = Copies(known)
        return choose(tracing, value, lambda one: deep(tracing, one, Copies(before, known)))
    if _is_kept(value):
        return value
    if id(value) in known:
        if known[id(value)] is ONE_CASE:
            raise _shared()
        return known[id(value)]
    contents = chosen_contents(tracing, value) if type(value) in CONTAINERS else None
    if contents is not None:
        before = Copies(known)
        return with_each(
            tracing, value, contents, lambda: deep(tracing, value, Copies(before, known))
        )
    if object_handles.refers(tracing, value):
        raise StateError(
            f"copy.deepcopy of {with_article(type(value).__name__)} that refers to objects in a "
            "container of staged length",
            remedy="copy it level by level: [row[:] for row in rows]",
        )
    if isinstance(known, Copies) and not isinstance(value, tuple | Tensor):
        if tracing.any_handle((value,)):
            known.note_handle(tracing, value)
        elif has_no_identity(tracing, value):
            known.note_taken(tracing, value)
    if isinstance(value, tuple):
        parts = [deep(tracing, one, known) for one in value]
        if all(one is other for one, other in zip(parts, value, strict=True)):
            return value
        make: Any = getattr(type(value), "_make", tuple)
        return make(parts)
    if isinstance(
        special_method(type(value), "__deepcopy__"), types.FunctionType
    ) and not isinstance(value, Tensor):
        made = known[id(value)] = call_method(value, "__deepcopy__", tracing.born(known))
        return made
    if isinstance(value, Tensor) and isinstance(known, Copies):
        known.note(tracing, value)
    return _copied(tracing, value, lambda one: deep(tracing, one, known), known)


def _is_kept(value: Any) -> bool:
    return isinstance(value, SAME) and not isinstance(value, Tensor)


def _copied(tracing: Tracing, value: Any, part: Any, memo: Memo) -> Any:
    if isinstance(value, Variable):
        made = make_variable(tracing, Variable, (value, value.name, value.trainable), {})
        memo[id(value)] = made
        return made
    tracing.keep(value)
    tracing.keeper.refresh(value)
    if isinstance(value, Scalar):
        return value
    if isinstance(value, Tensor):
        plain = OPS.copy(as_tensor(value))
        made = memo[id(value)] = as_array(plain) if isinstance(value, Array) else plain
        return made
    if type(value) in CONTAINERS and tracing.contents(value) is not None and part is not None:
        made = memo[id(value)] = call_container_method(tracing, value, "copy", (), {})
        return made
    if isinstance(value, BaseException):
        parts = parts_of_exception(value, tracing.origins)
        copied = new_exception(type(value), parts, [part(one) for one in parts.values()])
        memo[id(value)] = tracing.born(copied)
        return copied
    _refuse_reduced(value)
    fresh = memo[id(value)] = tracing.born(_empty(value))
    tracing.keeper.hide(fresh)  # nothing may refer to it before it has all that it holds
    try:
        return _filled(tracing, fresh, value, part)
    finally:
        tracing.keeper.show(fresh)


def _filled(tracing: Tracing, fresh: Any, value: Any, part: Any) -> Any:
    """The empty object `fresh` with the copies of the parts of `value`."""
    if _written(value, "__getstate__") or _written(value, "__setstate__"):
        _give_state(tracing, fresh, value, part)
        return fresh
    if isinstance(value, dict):
        for key in list(iterate(value)):
            base_of_dict(fresh).__setitem__(fresh, part(key), part(value[key]))
    elif isinstance(value, set):
        set.update(fresh, [part(one) for one in iterate(value)])
    elif isinstance(value, list):
        list.extend(fresh, [part(one) for one in iterate(value)])
    elif isinstance(value, deque):
        deque.extend(fresh, [part(one) for one in iterate(value)])
    namespace = attributes_of(value) or {}
    names = tuple(namespace)
    held = [_attribute(tracing, value, name, namespace[name], part) for name in names]
    give_attributes(fresh, names, held)
    return fresh


def _written(value: Any, name: str) -> bool:
    """Whether a class of the user's has a special method of this name."""
    found = special_method(type(value), name)
    return isinstance(found, types.FunctionType) and package_of(found) not in LIBRARIES


def _refuse_reduced(value: Any) -> None:
    for name in ("__reduce_ex__", "__reduce__", "__getnewargs_ex__", "__getnewargs__"):
        if _written(value, name):
            raise StateError(
                f"a {type(value).__name__} is copied, whose class says by `{name}` how",
                remedy="give the class a `__copy__` or `__deepcopy__` method",
            )


def _give_state(tracing: Tracing, fresh: Any, value: Any, part: Any) -> None:
    """What `__getstate__` gives, or the attributes, for `__setstate__`, or as attributes."""
    if _written(value, "__getstate__"):
        state = call_method(value, "__getstate__")
    else:
        names = tuple(attributes_of(value) or ())
        state = tracing.born({name: load_plain(tracing, value, name) for name in names})
    state = part(state)
    if _written(value, "__setstate__"):
        call_method(fresh, "__setstate__", state)
    elif type(state) is dict:
        for name in iterate(state):
            store_plain(tracing, state[name], fresh, name)
    elif state is not None:
        raise StateError(
            f"a {type(value).__name__} is copied, whose `__getstate__` gives no dict",
            remedy="give the class a `__copy__` or `__deepcopy__` method",
        )


def _attribute(tracing: Tracing, value: Any, name: str, held: Any, part: Any) -> Any:
    """The copy of an attribute, which may be missing on some path."""
    if held is UNSET:
        return UNSET
    if isinstance(held, Choice) and any(one is UNSET for one in held.options):
        return choose(tracing, held, lambda one: one if one is UNSET else part(one))
    return part(load_plain(tracing, value, name))


def _empty(value: Any) -> Any:
    own = setting_of(value) if isinstance(value, CONTAINERS) else None
    return empty(type(value), own)


def _copy(tracing: Tracing, x: Any) -> Any:
    return shallow(tracing, x)


def _deep_copy(tracing: Tracing, x: Any, memo: Memo | None = None) -> Any:
    return deep(tracing, x, memo)


MODELS = {copy.copy: _copy, copy.deepcopy: _deep_copy}
