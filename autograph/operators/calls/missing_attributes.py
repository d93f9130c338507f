"""What Python does where an attribute is missing: `getattr` with a default, `hasattr`, and
`__getattr__`. Each takes an AttributeError, one that is raised when the graph runs, too."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any, NoReturn

from autograph.control.attempts import Clauses, attempt
from autograph.operators.calls.dispatch import special_method
from autograph.runtime.core.python_versions import empty_slot
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

Find = Callable[[], Any]


def unless_missing(
    tracing: Tracing, kind: type, name: str, find: Find, otherwise: Find, perhaps: bool = False
) -> Any:
    """`find()` an attribute of an instance of `kind`; `otherwise()` where that raises
    AttributeError. `perhaps`: the object itself has it on some paths only."""
    if not perhaps and not runs_code(kind, name):
        try:
            return find()
        except AttributeError:
            pass
        return otherwise()
    clauses = Clauses(
        lambda result: result,
        lambda error: 0 if isinstance(error, AttributeError) else None,
        lambda clause, error: otherwise(),
    )
    return attempt(tracing, find, clauses, (unless_missing, kind, name))


def has_elsewhere(kind: type, name: str) -> bool:
    """Whether an object of `kind` that does not hold an attribute may have it for all that."""
    return runs_code(kind, name) or special_method(kind, name, bound=False) is not None


def runs_code(kind: type, name: str) -> bool:
    """Whether code of the user runs where an attribute is read."""
    hooks = (getattr(kind, "__getattribute__", None), special_method(kind, "__getattr__"))
    if any(isinstance(hook, types.FunctionType) for hook in hooks):
        return True
    return hasattr(type(special_method(kind, name, bound=False)), "__get__")


def is_in_class(kind: type, name: str) -> bool:
    """Whether the class of an object has an attribute, or one of its bases."""
    return any(name in base.__dict__ for base in kind.__mro__)


def refuse_lacking(value: Any, name: str) -> NoReturn:
    """AttributeError, as Python's own, of an object that holds no such attribute."""
    kind = type(value)
    message = f"{kind.__name__!r} object has no attribute {name!r}"
    if isinstance(special_method(kind, name, bound=False), types.MemberDescriptorType):
        message = empty_slot(kind, name)
    raise AttributeError(message, name=name, obj=value)


def may_lack(tracing: Tracing, value: Any, name: str) -> Choice | None:
    """The choice that an attribute holds if it is missing on some path."""
    tracing.keeper.refresh(value)
    found = special_method(type(value), name, bound=False)
    if isinstance(found, types.MemberDescriptorType):
        held = getattr(value, name, None)
    else:
        namespace = getattr(value, "__dict__", None)
        held = None if namespace is None else namespace.get(name)
    if isinstance(held, Choice) and any(one is UNSET for one in held.options):
        return held
    return None


def freezing_class(kind: type) -> Any:
    """The frozen dataclass whose `__setattr__` instances of `kind` have; None for none."""
    setter = kind.__setattr__
    written = isinstance(setter, types.FunctionType) and setter.__code__.co_filename == "<string>"
    owners = [base for base in kind.__mro__ if vars(base).get("__setattr__") is setter]
    return owners[0] if written and owners and dataclasses.is_dataclass(owners[0]) else None


def fields_of(kind: Any) -> Any:
    """The names of the fields of a dataclass."""
    return kind.__dataclass_fields__
