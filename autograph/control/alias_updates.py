"""Tensors that may be one another: assignment to one, and the question whether they are one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from autograph.control.branch import switch
from autograph.errors import MergeError, StateError
from autograph.runtime.arrays.cells import Array, View
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS
from autograph.tracing.array_storage import ArrayStorage
from autograph.tracing.sameness import is_element, same_object_flag
from autograph.tracing.tracing import Tracing
from autograph.values.references import FoundReferences


def assign(tracing: Tracing, tensor: Tensor, value: Tensor) -> None:
    """Item assignment, or the assignment of a Variable: every name of the cell sees it."""
    refuse_element(tracing, tensor)
    identity = tracing.identities.of(tensor)
    if identity is not None and identity.lost:
        _refuse(
            tracing,
            tensor,
            MergeError(
                "items cannot be assigned to a tensor that is another one on a path that is over",
                remedy="copy it first: x = ag.copy(x)",
            ),
        )
    tracing.write_cell(tensor, value)
    for other in _others(tracing, tensor):
        flag = same_object_flag(tracing, tensor, other)
        if flag is True:
            tracing.write_cell(other, value)
        elif flag is not False:
            index = tracing.region.trace.lift(flag._value)
            write = partial(tracing.write_cell, other, value)
            switch(tracing, index, [lambda: None, write])


def _others(tracing: Tracing, tensor: Tensor) -> list[Tensor]:
    """The other tensors, still to be reached, that may be this one."""
    identity = tracing.identities.of(tensor)
    objects = (tensor,) if identity is None else (tensor, *identity.objects)
    found = {id(one): one for one in objects}
    for one in objects:
        for follower in tracing.identities.followers(one):
            if id(follower) not in found and is_alive(tracing.region.trace, follower):
                refuse_element(tracing, follower)
                found[id(follower)] = follower
    return [one for one in found.values() if one is not tensor]


def refuse_element(tracing: Tracing, tensor: Tensor) -> None:
    """MergeError for a tensor that is assigned, and is an element of a container of values."""
    if is_element(tracing, tensor):
        _refuse(
            tracing,
            tensor,
            MergeError(
                "an array that a list or dict of staged length holds is changed in place: of such "
                "arrays only those can be that this call has made, in C's order",
                remedy="change a copy, and put that there: row = table[key].copy(); row += 1; "
                "table[key] = row",
            )
            if isinstance(tensor, Array)
            else MergeError(
                "item assignment to a tensor that is also an element of a list or dict of staged "
                "length, which holds values",
                remedy="assign before it is put there, copy it first, x = ag.copy(x), or assign "
                "into the list: items[i] = value",
            ),
        )


def _refuse(tracing: Tracing, tensor: Tensor, error: MergeError) -> NoReturn:
    """Raise the error; of an array, once it has a storage that containers refer to."""
    if isinstance(tensor, Array):
        early = tracing.keeper.site_of(tensor)
        raise FoundReferences(ArrayStorage, early, otherwise=error)
    raise error


def is_alive(trace: Trace, tensor: Tensor) -> bool:
    """Whether a tensor of this trace can still be reached: its region is not over."""
    held = tensor._value
    inner: Trace | None = trace
    while inner is not None:
        if isinstance(held, Value) and held.graph is inner.graph:
            return True
        inner = inner.parent
    return False


def require_one(tracing: Tracing, left: Any, right: Any) -> None:
    """StateError for two tuples, slices or views of which one was made anew of its parts."""
    alike = type(left) is type(right) and isinstance(left, tuple | slice | View)
    if alike and (id(left) in tracing.rebuilt or id(right) in tracing.rebuilt):
        viewed = isinstance(left, View)
        kind = "view of an array" if viewed else type(left).__name__
        raise StateError(
            f"whether a {kind} is the same object as another is not known after a staged branch or "
            f"loop: it {'shares the elements' if viewed else 'holds the parts'} alone",
            remedy="compare the elements, np.array_equal(a, b)"
            if viewed
            else "compare with ==, or use an object of a class of its own as a mark",
        )


def is_same(tracing: Tracing, left: Tensor, right: Tensor, or_equal: bool = False) -> Any:
    """`left is right`: a bool, or a staged one; `or_equal`: else it counts whether they are equal.

    StateError where one was taken from a container that holds values, and may be the other.
    """
    flag = same_object_flag(tracing, left, right)
    if left is not right:
        _tell_apart(tracing, left, right)
    if flag is not True and not or_equal and not _is_told(tracing, (left, right)):
        sealed = all(tracing.sealed.get(id(one)) == "element" for one in (left, right))
        if sealed and (id(left) in tracing.taken or id(right) in tracing.taken):
            raise StateError(
                "whether a tensor is the same object as one that a container of staged length "
                "holds is not known: such a container holds values",
                remedy="compare the values, ag.all(x == y), or the places they were taken from",
            )
    return flag if isinstance(flag, bool) else OPS.to_number(flag, kind=bool)


def _is_told(tracing: Tracing, tensors: Sequence[Tensor]) -> bool:
    """Whether all that containers hold of these tensors tells whether they are one.

    One that is taken out of a container without a tag may be any; one with a tag, any that was
    made in this call, or just the one of before the call that the tag tells.
    """
    pairs = [(one, tracing.identities.of(one)) for one in tensors]
    if any(identity is None and id(one) in tracing.taken for one, identity in pairs):
        return False
    return any(
        id(one) in tracing.paths if identity is None else not identity.own
        for one, identity in pairs
    )


def _tell_apart(tracing: Tracing, left: Tensor, right: Tensor) -> None:
    """The objects of before the call that two tensors may be are as many in each other call."""
    identities = [tracing.identities.of(one) for one in (left, right)]
    if identities == [None, None]:
        return  # the caller tells those two apart
    for tensor, identity in zip((left, right), identities, strict=True):
        for one in (tensor, *(identity.objects if identity is not None else ())):
            if id(one) in tracing.paths:
                tracing.apart[id(one)] = tracing.path_of(one)
