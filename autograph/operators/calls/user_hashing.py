"""Keys that a method of the user's hashes and compares: dicts and sets call it unconverted.

So it is called before, converted: what it reads is noted, and a change of that is a new trace. All
else that it does is taken back, and done by the native call.

Other keys are known by their addresses. Among keys that are all met in this call, it is noted that
they are different objects; where keys were there before, which object it is.
"""

from __future__ import annotations

import contextlib
import operator
import types
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.control.branch import run_option
from autograph.control.whole_reads import note_identity
from autograph.errors import StateError
from autograph.merge.object_keys import is_hashed_by_address
from autograph.operators.calls.dispatch import call, special_method
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import StagedValueError, Value
from autograph.runtime.graph.trace import Trace
from autograph.tracing.reading import is_users
from autograph.tracing.tracing import Tracing

HASHED = (dict, set, frozenset)
HELD = (*HASHED, list, tuple, deque)
BY_NAME = (types.FunctionType, type, types.BuiltinFunctionType, types.ModuleType)
"""Objects that are known by identity wherever they are read."""
NEW: tuple[()] = ()
"""In the place of a container that is about to be made of the keys."""


def note_key(tracing: Tracing, key: Any, container: Any = None) -> None:
    """Note what is read where a dict or set looks for a key; `container`, if it is known which.

    TypeError for a tensor, as eagerly: Variables are known by what they are.
    """
    if isinstance(key, Tensor) and not isinstance(key, Scalar | Variable):
        hash(key)
    if isinstance(key, tuple):
        for part in key:
            note_key(tracing, part, container)
    elif isinstance(key, types.MethodType | types.BuiltinMethodType):
        _note_address(tracing, key.__self__, container)
    elif not isinstance(key, BY_NAME) and is_hashed_by_address(key):
        _note_address(tracing, key, container)
    if not is_users(type(key)):
        return
    if special_method(type(key), "__hash__") is None:
        return  # Python's own error
    if _is_written(key, "__hash__"):
        _ask(tracing, lambda: _hash_if_known(key))
    if _is_written(key, "__eq__"):
        _ask(tracing, lambda: call(operator.eq, key, key))


def _hash_if_known(key: Any) -> None:
    """Call a key's `__hash__`; of staged values there is no hash, and keys are compared."""
    with contextlib.suppress(StagedValueError, StateError):
        call(hash, key)


def _note_address(tracing: Tracing, key: Any, container: Any) -> None:
    """Note which object a key is, or that it is none of the others in a container of this call."""
    if _is_made_here(tracing, key):
        return
    if container is NEW or (container is not None and tracing.is_born(container)):
        if all(_is_told_apart(tracing, one) for one in tuple(container)):
            tracing.apart[id(key)] = tracing.path_of(key)
            return
    note_identity(tracing, key)


def _is_told_apart(tracing: Tracing, key: Any) -> bool:
    """Whether no key of this call can be mistaken for this one."""
    if isinstance(key, tuple):
        return all(_is_told_apart(tracing, part) for part in key)
    if isinstance(key, types.MethodType | types.BuiltinMethodType):
        key = key.__self__
    elif isinstance(key, BY_NAME) or not is_hashed_by_address(key):
        return True
    return id(key) in tracing.apart or _is_made_here(tracing, key)


def _is_made_here(tracing: Tracing, key: Any) -> bool:
    """Whether an object is one of this call. What is known by its place in a container is not."""
    computed = isinstance(key, Tensor) and isinstance(key._value, Value)
    return tracing.is_born(key) or (computed and id(key) not in tracing.paths)


def _ask(tracing: Tracing, thunk: Callable[[], Any]) -> None:
    """Note what a call reads; what it does, gives or raises is taken back."""
    run_option(tracing, Trace("asked", tracing.region.trace), thunk)


def note_keys(tracing: Tracing, *values: Any, container: Any = None) -> None:
    """Note what is read where the items of these become keys or members, or are looked for."""
    for value in values:
        if isinstance(value, HELD):
            for key in tuple(value):
                note_key(tracing, key, container)


def keys_of_pairs(pairs: Any) -> list[Any]:
    """The keys among known pairs of keys and values."""
    held = tuple(pairs) if isinstance(pairs, HELD) else ()
    return [one[0] for one in held if isinstance(one, tuple | list) and len(one) == 2]


def _is_written(key: Any, name: str) -> bool:
    """Whether a method of the user's, or one that `dataclasses` wrote, does it."""
    method = special_method(type(key), name)
    return isinstance(method, types.FunctionType) and is_users(method)  # type: ignore[arg-type]
