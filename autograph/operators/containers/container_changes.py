"""Changes of lists, dicts, sets and deques: logged, and staged where the contents are."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from autograph.control.chosen_contents import chosen_contents, with_each
from autograph.errors import StateError
from autograph.operators.containers import lists, sequences
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.plain_iteration import iterate
from autograph.operators.iterators.staged_iterables import has_staged_length
from autograph.runtime.core.anatomy import with_article
from autograph.tracing import namespaces
from autograph.tracing.places import ContentsPlace
from autograph.tracing.reading import is_users, read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice


def native(container: Any, name: str) -> Any:
    """The method of the built-in class that a container is of, bound to it."""
    for base in type(container).__mro__:
        found = base.__dict__.get(name)
        if found is not None and not (isinstance(found, types.FunctionType) and is_users(base)):
            return found.__get__(container, type(container))
    return getattr(container, name)


def change(tracing: Tracing, container: Any, action: Callable[[], Any]) -> Any:
    """Run C code that changes a container whose contents are plain."""
    contents = chosen_contents(tracing, container)
    if contents is not None:
        return with_each(tracing, container, contents, lambda: change(tracing, container, action))
    if tracing.contents(container) is not None:
        raise StateError(
            f"this change of {with_article(type(container).__name__)} that grew in a staged loop "
            "or branch cannot be staged",
            remedy="use append, pop or item assignment",
        )
    read_contents(tracing, container)
    if namespaces.is_namespace(tracing, container):
        return namespaces.change(tracing, container, action)
    tracing.touch(ContentsPlace(container, tracing))
    return action()


def append(tracing: Tracing, items: list[Any], item: Any) -> None:
    """`items.append(item)`. At function level it reads nothing of the list."""
    end = _end_of(tracing, items)
    contents = None if end is items else chosen_contents(tracing, end)
    if contents is not None:
        with_each(tracing, end, contents, lambda: append(tracing, end, item))
        return
    items = end
    if tracing.contents(items) is not None:
        lists.append(tracing, items, item)
        return
    _read_in_regions(tracing, items)
    tracing.touch(ContentsPlace(items, tracing))
    list.append(items, item)


def extend(tracing: Tracing, items: list[Any], more: Any) -> None:
    """`items.extend(more)`."""
    if isinstance(more, Choice):
        choose(tracing, more, lambda one: extend(tracing, items, one))
        return
    items = _end_of(tracing, items)
    for container in (items, more):
        contents = chosen_contents(tracing, container)
        if contents is not None:
            with_each(tracing, container, contents, lambda: extend(tracing, items, more))
            return
    staged = sequences.has_staged_items
    if staged(tracing, items) or staged(tracing, more) or has_staged_length(tracing, more):
        read_contents(tracing, items)
        sequences.extend(tracing, items, more)
        return
    known = iterate(more)
    if isinstance(known, Iterator):  # what it runs may store the list as it is by then
        for item in known:
            append(tracing, items, item)
        return
    _read_in_regions(tracing, items)
    tracing.touch(ContentsPlace(items, tracing))
    list.extend(items, known)


def empty_unread(tracing: Tracing, container: Any) -> bool:
    """`container.clear()` at function level, of a container from outside of which nothing was read.

    So nothing has to be known of what it held: it is written whole at the end. False for others.
    """
    plain = type(container) in (list, dict, set, deque) and tracing.contents(container) is None
    if not plain or tracing.region is not tracing.root or id(container) not in tracing.paths:
        return False
    known = any(len(key) > 1 and key[1] == id(container) for key in tracing.seen)
    apart = id(container) in tracing.ends or id(container) in tracing.references
    if known or apart or namespaces.is_namespace(tracing, container):
        return False
    tracing.touch(ContentsPlace(container, tracing))
    if isinstance(container, set):
        tracing.change_set(container)
    type(container).clear(container)
    for what in ("read", "replaced"):
        tracing.seen[what, id(container)] = True
    return True


def _end_of(tracing: Tracing, items: list[Any]) -> list[Any]:
    """The list that takes what is appended: an own one where nothing reads a list from outside.

    What a branch or loop appends is then merged without what was in the list before, and the trace
    holds for any number of items.
    """
    known = tracing.ends.get(id(items))
    if known is not None:
        return known[1]
    path = tracing.paths.get(id(items))
    if path is None or type(items) is not list or path in tracing.hints.read_lists:
        return items
    in_region = tracing.region.trace is not tracing.trace
    if not in_region or tracing.is_born(items) or id(items) in tracing.references:
        return items
    if any(len(key) > 1 and key[1] == id(items) for key in tracing.seen):
        return items
    end: list[Any] = []
    tracing.root.born[id(end)] = end
    tracing.keep(end)
    tracing.ends[id(items)] = (items, end)
    return end


def _read_in_regions(tracing: Tracing, items: Any) -> None:
    """Inside a staged branch or loop the contents are merged whole, so they are read."""
    if tracing.region.trace is not tracing.trace:
        read_contents(tracing, items)
