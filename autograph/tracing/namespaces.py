"""The `__dict__` of an object, used as a dict: its items are the attributes of the object.

What is read and written of it are attributes, so that both ways to them see the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from autograph.errors import StateError
from autograph.runtime.core.anatomy import with_article
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET


def taken(tracing: Tracing, owner: Any) -> dict[str, Any]:
    """`owner.__dict__`, noted as that of this object."""
    namespace: dict[str, Any] = owner.__dict__
    if tracing.is_born(owner):
        tracing.born(namespace)
    elif id(namespace) not in tracing.paths:
        tracing.reach(namespace, f"{tracing.path_of(owner)}.__dict__")
    tracing.namespaces[id(namespace)] = owner
    return namespace


def is_namespace(tracing: Tracing, container: Any) -> bool:
    """Whether a dict is the `__dict__` of an object."""
    return id(container) in tracing.namespaces


def attribute_of(tracing: Tracing, namespace: Any, name: str) -> AttributePlace:
    """The place of an item."""
    return AttributePlace(tracing.namespaces[id(namespace)], name)


def in_question(tracing: Tracing, container: Any) -> tuple[str, Choice] | None:
    """The first attribute that is missing on some path, with what it may be."""
    if id(container) not in tracing.namespaces:
        return None
    for name, held in container.items():
        if isinstance(held, Choice) and any(one is UNSET for one in held.options):
            return name, held
    return None


def unread(tracing: Tracing, namespace: dict[str, Any]) -> Iterator[str]:
    """Note that all names are read; gives those whose values existed before the call."""
    known = []
    for name in namespace:
        old = _before(tracing, attribute_of(tracing, namespace, name))
        if old is None:
            yield name
        if old is None or old[0] is not UNSET:
            known.append(name)
    path, names = tracing.path_of(namespace), tracing.table.constant(known)
    deleted = _deleted(tracing, namespace)
    if not deleted:
        tracing.guard(f"[*{path}] == {names}")
        return
    tracing.guard(f"[name for name in {path} if name not in {deleted!r}] == {names}")
    for name in deleted:
        tracing.guard(f"{name!r} in {path}")


def _deleted(tracing: Tracing, namespace: dict[str, Any]) -> tuple[str, ...]:
    """The attributes that the call has deleted so far."""
    key = ("attribute", id(tracing.namespaces[id(namespace)]))
    found: dict[str, None] = {}
    region: Any = tracing.region
    while region is not None:
        for one, (_, old) in region.log.items():
            if one[:2] == key and one[2] not in namespace and old is not UNSET:
                found[one[2]] = None
        region = region.parent
    return tuple(found)


def _before(tracing: Tracing, place: AttributePlace) -> tuple[Any] | None:
    """What a place held before the call, if it was written since."""
    found = None
    region: Any = tracing.region
    while region is not None:
        if place.key in region.log:
            found = (region.log[place.key][1],)
        region = region.parent
    return found


def change(tracing: Tracing, namespace: dict[str, Any], action: Callable[[], Any]) -> Any:
    """Run C code that changes a namespace; each difference is a change of an attribute."""
    before = dict(namespace)
    try:
        return action()
    finally:
        after = dict(namespace)
        namespace.clear()
        namespace.update(before)
        for name in before:
            if name not in after:
                tracing.touch(attribute_of(tracing, namespace, name))
                del namespace[name]
        for name, value in after.items():
            if name not in before or before[name] is not value:
                tracing.touch(attribute_of(tracing, namespace, name))
                namespace[name] = value


def refuse_in_question(tracing: Tracing, container: Any) -> None:
    """StateError for a namespace that leaves its region while it is not known what is in it."""
    found = in_question(tracing, container)
    if found is not None:
        raise StateError(
            f"the `__dict__` of an object is returned or kept, and attribute {found[0]!r} is in it "
            "on some paths only",
            remedy="copy it, dict(vars(x)), or return the object",
        )


def refuse_namespace(value: Any) -> NoReturn:
    """StateError for the attributes, as a dict, of an object that containers refer to."""
    raise StateError(
        f"the __dict__ of {with_article(type(value).__name__)} that is in a container of staged "
        "length",
        remedy="use its attributes by their names",
    )
