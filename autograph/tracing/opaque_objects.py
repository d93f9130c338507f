"""Objects that hold more than attributes: what C code keeps in them becomes guards.

What can be compared is compared at every call: the parts of a partial, of a method, of an
exception or of a subclass of tuple; what a date, a Decimal or a pattern shows; the bytes of a
buffer. Of others, staged functions among them, another object means another trace.
"""

from __future__ import annotations

import functools
import operator
import types
from array import array
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.tracing.lent_generators import is_lent
from autograph.tracing.tracing import Tracing
from autograph.values.equivalence import is_shown
from autograph.values.marks import declared, is_staged_function
from autograph.values.object_state import parts_by_base

CONTAINERS = (list, dict, set, deque)
"""What read_contents of the room below knows how to guard."""

GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)

_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))

Observe = Callable[[Tracing, Any, str], Any]


def observe_opaque(tracing: Tracing, value: Any, path: str, observe: Observe) -> Any:
    """Guards for what an object holds beside its attributes; gives what stands for it."""
    kind = type(value)
    if kind is functools.partial:
        return _observe_partial(tracing, value, path, observe)
    if is_staged_function(value):
        if not hasattr(value, "instance"):  # it is no method of an object
            tracing.guard(f"{path} is {tracing.table.constant(value)}")
            return value
        observe(tracing, value.function, f"{path}.function")
        observe(tracing, value.instance, f"{path}.instance")
        return value
    if kind is types.MethodType:
        observe(tracing, value.__func__, f"{path}.__func__")
        observe(tracing, value.__self__, f"{path}.__self__")
    elif isinstance(value, BaseException | tuple):
        held = f"{path}.args" if isinstance(value, BaseException) else path
        parts = value.args if isinstance(value, BaseException) else tuple.__iter__(value)
        _observe_fixed(tracing, tuple(parts), held, observe)
    elif isinstance(value, deque):
        tracing.guard(f"{path}.maxlen == {value.maxlen!r}")
    elif declared(kind, "default_factory") is not None:
        observe(tracing, value.default_factory, f"{path}.default_factory")
    elif is_lent(value):
        pass  # each run asks the one that its call brings
    elif is_shown(kind) or (not isinstance(value, CONTAINERS) and keeps_hidden(kind)):
        tracing.guard(_hidden(tracing, value, path))
    return value


def _hidden(tracing: Tracing, value: Any, path: str) -> str:
    """The test that an object of a C class, or of a subclass of one, is what it was."""
    constant = tracing.table.constant
    if isinstance(value, GETTERS):
        return f"same_value({path}.__reduce__(), {constant(value.__reduce__())})"
    if type(value) is types.MappingProxyType:
        return f"same_value(dict({path}), {constant(dict(value))})"
    if isinstance(value, _VIEWS):
        items: Any = value
        return f"same_value([*{path}], {constant(list(items))})"
    if isinstance(value, bytearray):
        return f"bytes({path}) == {constant(bytes(value))}"
    if isinstance(value, array):
        return f"repr({path}) == {constant(repr(value))}"
    if isinstance(value, memoryview):
        shown = f"({path}.tobytes(), {path}.format, {path}.shape)"
        return f"{shown} == {constant((value.tobytes(), value.format, value.shape))}"
    if is_shown(type(value)):
        return f"same_value({path}, {constant(value)})"
    return f"{path} is {constant(value)}"


def keeps_hidden(kind: type) -> bool:
    """Whether objects of a class hold more than attributes and slots made by Python code.

    Iterators do, but they are asked through what stands for them, or not at all.
    """
    if declared(kind, "__next__") is not None:
        return False
    names = [
        name
        for base in kind.__mro__
        for name in _slots(base)
        if name not in ("__dict__", "__weakref__")
    ]
    pointers = len(names) + (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    pointer = tuple.__itemsize__
    return bool(kind.__itemsize__) or kind.__basicsize__ > object.__basicsize__ + pointer * pointers


def is_closed(value: Any) -> bool:
    """Whether an object is made of what only C code sees, and cannot be made again."""
    opened = (*CONTAINERS, BaseException, functools.partial, types.MethodType, types.FunctionType)
    if isinstance(value, opened) or parts_by_base(value) is not None:
        return False
    return keeps_hidden(type(value))


def _slots(kind: type) -> tuple[str, ...]:
    found = kind.__dict__.get("__slots__", ())
    return (found,) if isinstance(found, str) else tuple(found)


def _observe_partial(tracing: Tracing, value: Any, path: str, observe: Observe) -> Any:
    """The parts of a partial; another partial where some of them stand for others."""
    function = observe(tracing, value.func, f"{path}.func")
    args = observe(tracing, value.args, f"{path}.args")
    names = tuple(value.keywords)
    tracing.guard(f"(*{path}.keywords,) == {tracing.table.constant(names)}")
    held = [observe(tracing, value.keywords[one], f"{path}.keywords[{one!r}]") for one in names]
    same = all(map(operator.is_, held, value.keywords.values()))
    if function is value.func and args is value.args and same:
        return value
    made = functools.partial(function, *args, **dict(zip(names, held, strict=True)))
    vars(made).update(vars(value))
    return tracing.born(made)


def _observe_fixed(tracing: Tracing, parts: tuple[Any, ...], path: str, observe: Observe) -> None:
    """Guards for parts that nothing can take the place of."""
    tracing.guard(f"len({path}) == {len(parts)}")
    for number, one in enumerate(parts):
        where = f"{path}[{number}]"
        if type(one) in (bool, int, float):
            tracing.guard(f"same_value({where}, {tracing.table.constant(one)})")
        elif observe(tracing, one, where) is not one:
            tracing.guard(f"{where} is {tracing.table.constant(one)}")
