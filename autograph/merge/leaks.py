"""What must not leave a staged function, because it would be the same at every call."""

from __future__ import annotations

import types
from array import array
from collections import deque
from collections.abc import Iterator
from typing import Any

from autograph.conversion.syntax.build import is_converted
from autograph.errors import StateError
from autograph.merge.functions import own_cells
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.tracing.lent_generators import was_made_here
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.object_state import MADE_FROM, attributes_of, open_base
from autograph.values.references import FoundReferences, parts_in
from autograph.values.skeleton import Fixed, Skeleton

_BYTES = (bytearray, memoryview, array)
"""What can be changed by whoever has it, and would be one object in all calls."""


def is_staged(value: Any) -> bool:
    """Whether a value is known only when the graph runs."""
    if isinstance(value, Tensor):
        return isinstance(value._value, Value)
    return isinstance(value, Number | Choice) or declared(type(value), "_staged_parts") is not None


def holds_staged(value: Any) -> bool:
    """Whether a container has staged values in it."""
    if isinstance(value, dict):
        return any(map(holds_staged, value.values()))
    if isinstance(value, list | tuple | set):
        return any(map(holds_staged, value))
    return is_staged(value)


def refuse_leak(tracing: Tracing, value: Any) -> None:
    """StateError for what was made while tracing and would be the same for every call."""
    if was_made_here(tracing, getattr(value, "__self__", value)):
        raise StateError(
            "a random generator that is made in the staged function leaves it",
            remedy="make it outside and pass it in: its state goes on there",
        )
    if isinstance(value, types.FunctionType):
        leaks = value.__closure__ is not None and is_converted(value)
    elif isinstance(value, type):
        leaks = tracing.is_born(value)
    else:
        leaks = isinstance(value, Iterator) or holds_staged(value)
        leaks = leaks or (isinstance(value, _BYTES) and id(value) not in tracing.paths)
    if leaks:
        kind = getattr(value, "kind", type(value)).__name__
        raise _leaving("class" if isinstance(value, type) else kind)


def refuse_of_branch(value: Any) -> None:
    """StateError for what a staged branch or loop made, and an iterator that leaves goes over."""
    kind = getattr(value, "kind", type(value)).__name__
    raise StateError(
        f"an iterator leaves the staged function, of {with_article(kind)} that was made in a "
        "staged branch or loop",
        remedy="make the iterator after that, of values that come out of it",
    )


def refuse_own_objects(tracing: Tracing, element: Skeleton, region: Region) -> None:
    """FoundReferences for an object made in a region that rows which leave it hold as itself.

    It would be one and the same each time the region runs.
    """
    for part in parts_in(element):
        if not isinstance(part, Fixed) or id(part.value) not in region.born:
            continue
        kind = type(part.value)
        has_own = attributes_of(part.value) is not None and not isinstance(part.value, _ITSELF)
        if has_own or isinstance(part.value, _CHANGEABLE):
            raise FoundReferences(
                kind,
                early=tracing.keeper.site_of(part.value),
                otherwise=StateError(
                    f"{with_article(kind.__name__)} that was made before a staged loop is in a "
                    "container that grew in it",
                    remedy="put it into the container in the loop, or after it",
                ),
            )


_CHANGEABLE = (list, dict, set, deque)
_ITSELF = (types.FunctionType, type, Tensor)
"""Classes whose objects stay what they are, or of which others see to it."""


def _leaving(kind: str) -> StateError:
    return StateError(
        f"{with_article(kind)} that was made inside a staged function leaves it",
        remedy="return the values themselves, and make it of them outside",
    )


def refuse_class(tracing: Tracing, kind: type) -> None:
    """StateError for a class made inside, whose instance leaves, if calls would differ in it.

    And for one of our own that stands for an iterator of Python's.
    """
    if declared(kind, "_stays_inside") is not None:
        raise _leaving("iterator")
    if not issubclass(kind, MADE_FROM):
        open_base(kind)
    for base in kind.__mro__:
        if not tracing.is_born(base):
            continue
        for name, member in vars(base).items():
            if _differs(tracing, member):
                raise StateError(
                    f"an object of {kind.__name__} leaves the staged function that made its class, "
                    f"and '{name}' of the class uses values of that call",
                    remedy="define the class outside, and give its objects what they need",
                )


def refuse_stand_in(kind: Any) -> None:
    """StateError for what stands for an iterator of Python's that was asked for items."""
    if declared(kind, "_staged_parts") is not None and declared(kind, "_making") is not None:
        raise _leaving(kind.kind.__name__ if declared(kind, "kind") else "iterator")


def _differs(tracing: Tracing, member: Any) -> bool:
    if isinstance(member, property):
        return any(_differs(tracing, one) for one in (member.fget, member.fset, member.fdel))
    if isinstance(member, staticmethod | classmethod):
        return _differs(tracing, member.__func__)
    if isinstance(member, types.FunctionType) and is_converted(member):
        return any(name != "__class__" for name in own_cells(tracing, member))
    return holds_staged(member) or (tracing.is_born(member) and not isinstance(member, type))
