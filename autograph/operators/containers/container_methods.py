"""Methods of lists, dicts, sets and deques: what they read, what they change, what is staged."""

from __future__ import annotations

import operator
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.errors import StateError
from autograph.library import keyed as library
from autograph.library import sequences as sequence_library
from autograph.operators.builtins.sorting import sort
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.user_hashing import keys_of_pairs, note_keys
from autograph.operators.containers import (
    dict_and_set_methods,
    dicts_and_sets,
    rows,
    sequences,
)
from autograph.operators.containers.chosen_keys import as_key
from autograph.operators.containers.container_changes import (
    append,
    change,
    empty_unread,
    extend,
    native,
)
from autograph.operators.containers.slices import as_index, by_index
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.constant_items import is_staged_index
from autograph.operators.expressions.items import delete_plain_item, plain_item, set_plain_item
from autograph.operators.expressions.membership import contains_plainly
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.generator_recipes import attempt, fresh_recipe
from autograph.operators.iterators.plain_iteration import iterate
from autograph.operators.iterators.resumable_generators import ResumableGenerator
from autograph.operators.iterators.staged_iterables import Indexed, has_staged_length
from autograph.operators.strings.formatting import text_of
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.tracing.places import ContentsPlace
from autograph.tracing.reading import existed_before, read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice, has_chosen

CONTAINERS = (list, dict, set, deque)

READING: dict[type, set[str]] = {
    list: {"index", "count", "copy"},
    dict: {"copy"},
    set: {
        "copy",
        "difference",
        "intersection",
        "isdisjoint",
        "issubset",
        "issuperset",
        "symmetric_difference",
        "union",
    },
    deque: {"copy", "count", "index"},
}


TAKING_ITEMS = dict_and_set_methods.TAKING_ITEMS | {"extend", "extendleft"}
"""These go over their argument."""


MOVING = {"append", "appendleft", "insert", "setdefault", "pop"}
"""These put their argument into a container, or take it out again, and do not look into it."""


def base_of(container: Any) -> type:
    """list, dict, set or deque: whose method it is."""
    return next(kind for kind in CONTAINERS if isinstance(container, kind))


def call_container_method(
    tracing: Tracing, container: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`container.name(*args, **kwargs)` of a built-in container."""
    if isinstance(container, dict) and name in ("keys", "values", "items"):
        return DictView(container, name)
    if isinstance(container, Counter) and name == "__missing__":
        return 0
    if isinstance(container, Counter) and name == "most_common":
        given = {"n": args[0] if args else None, **kwargs}
        return call(library.most_common, container, **given)
    if isinstance(container, Counter) and name == "elements":
        return call(iter, call(library.elements, DictView(container, "items")))
    written = OPERATIONS.get(name)
    if written is not None and getattr(type(container), name) is getattr(base_of(container), name):
        return call(written, container, *args, **kwargs)
    contents = chosen_contents(tracing, container)
    if contents is not None:
        return with_each(
            tracing,
            container,
            contents,
            lambda: _of_one(tracing, container, name, args, kwargs),
        )
    one_by_one = _taking_all(container, name)
    if one_by_one is not None and len(args) == 1 and not kwargs:
        if isinstance(container, dict | set) and has_chosen(args[0]):
            return call(one_by_one, container, args[0])
        if fresh_recipe(tracing, args[0]) is not None:
            return attempt(
                tracing,
                lambda: _method(tracing, container, name, args, kwargs),
                lambda: call(one_by_one, container, args[0]),
            )
    return _method(tracing, container, name, args, kwargs)


TAKING_ALL = {
    "extend": sequence_library.extend,
    "extendleft": sequence_library.extend_left,
    "update": sequence_library.add_all,
}


def _taking_all(container: Any, name: str) -> Any:
    """The method as it would be written, item by item; None for those that take no items."""
    kind = type(container)
    if isinstance(container, set) and kind.add is not set.add:
        return None  # which Python does not ask
    if not isinstance(container, dict):
        return TAKING_ALL.get(name)
    if name == "update" and isinstance(container, Counter):
        return library.counted
    asked = isinstance(container, OrderedDict) or kind.__setitem__ is dict.__setitem__
    return library.update_pairs if name == "update" and asked else None


ONE_BY_ONE = {"extend": "append", "extendleft": "appendleft", "update": "add"}
"""What puts all items of an iterator into a container, and what puts in one."""


STORING = ("add", "setdefault")
"""What may keep the key that it is given."""


BY_PLACE = {"pop": (0,), "rotate": (0,), "insert": (0,), "index": (1, 2)}
"""Which arguments of the methods of sequences are places."""


OPERATIONS: dict[str, Any] = {
    "__add__": operator.add,
    "__contains__": operator.contains,
    "__iadd__": operator.iadd,
    "__imul__": operator.imul,
    "__ior__": operator.ior,
    "__iter__": iter,
    "__len__": len,
    "__mul__": operator.mul,
    "__reversed__": reversed,
    "__rmul__": operator.mul,
}
"""What a method is called for, which is what its name is asked for, too."""
MAKING = frozenset("__add__ __and__ __mul__ __or__ __rmul__ __ror__ __sub__ __xor__".split())
"""Methods whose result is a container that nobody had before."""


PLAIN_ITEMS: dict[str, Any] = {
    "__delitem__": delete_plain_item,
    "__getitem__": plain_item,
    "__setitem__": set_plain_item,
}


def _method(
    tracing: Tracing, container: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if name in BY_PLACE and isinstance(container, list | deque):
        places = BY_PLACE[name]
        args = tuple(by_index(one) if n in places else one for n, one in enumerate(args))
    kind = base_of(container)
    own = isinstance(container, Counter | OrderedDict | defaultdict)
    if name in ("__repr__", "__str__") and not own:
        return text_of(call(kind, container), True)
    if name == "__init__":
        return initialise_container(tracing, container, args, kwargs)
    if name in PLAIN_ITEMS and args:
        return PLAIN_ITEMS[name](tracing, container, *args)
    if isinstance(container, list):
        if name == "append":
            return append(tracing, container, *args)
        if name == "extend":
            return extend(tracing, container, *args)
        if name == "sort":
            return sort(tracing, container, *args, **kwargs)
    if isinstance(container, list | deque) and _is_staged_call(tracing, container, name, args):
        read_contents(tracing, container)
        return sequences.method(tracing, container, name, args, kwargs)
    if name in dict_and_set_methods.TAKING_KEYS or name in TAKING_ITEMS:
        found = _for_each_argument(tracing, container, name, args, kwargs)
        if found is not None:
            return found[0]
    if isinstance(container, dict | set):
        if name in TAKING_ITEMS:
            args = tuple(call(list, one) if isinstance(one, deque) else one for one in args)
        if dict_and_set_methods.is_staged_call(tracing, container, name, args, kwargs):
            if not (name == "get" and not dicts_and_sets.is_staged(tracing, container)):
                read_contents(tracing, container)
                return dict_and_set_methods.method(tracing, container, name, args, kwargs)
    if isinstance(container, dict) and name == "get":
        return dict_get(tracing, container, *args)
    if isinstance(container, set) and name == "pop" and container and not args:
        return _popped(tracing, container)
    if name == "clear" and not args and not kwargs and empty_unread(tracing, container):
        return None
    method = native(container, name)
    if name not in MOVING:
        args = tuple(plain(tracing, one, f"{kind.__name__}.{name}") for one in args)
    if name in ONE_BY_ONE and len(args) == 1 and isinstance(args[0], ResumableGenerator):
        return call_container_method(tracing, container, name, (call(list, args[0]),), kwargs)
    if name in ONE_BY_ONE and len(args) == 1 and isinstance(args[0], Iterator):
        # What an iterator runs may store the container as it is by then.
        if isinstance(container, dict):
            return call_container_method(tracing, container, name, (list(args[0]),), kwargs)
        for one in args[0]:
            call_container_method(tracing, container, ONE_BY_ONE[name], (one,), {})
        return None
    if name in READING[kind]:
        read_contents(tracing, container)
        result = method(*args, **kwargs)
        return tracing.born(result) if isinstance(result, CONTAINERS) else result
    if isinstance(container, set) and name not in ("discard", "remove", "pop"):
        tracing.change_set(container)
    # Of a method that is not known, what it changes is found by comparing before and after.
    result = change(tracing, container, lambda: method(*args, **kwargs))
    made = name in MAKING and result is not container and isinstance(result, CONTAINERS)
    return tracing.born(result) if made else result


def _popped(tracing: Tracing, members: set[Any]) -> Any:
    """`members.pop()` of a known set."""
    if id(members) not in tracing.disturbed:
        place = ContentsPlace(members, tracing)
        read_contents(tracing, members)
        tracing.touch(place)
        tracing.note_pop(members)
        return set.pop(members)
    if not tracing.note_pop(members):
        raise StateError(
            "set.pop, in a staged loop or after a staged branch, of a set that was popped from and "
            "added to: which member comes first is known only to Python",
            remedy="keep the members in a list",
        )
    read_contents(tracing, members)
    member = next(iter(members))
    change(tracing, members, lambda: set.remove(members, member))
    return member


def initialise_container(
    tracing: Tracing, container: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """`__init__` of a built-in container, reached through `super()` or by name."""
    if isinstance(container, list | set | deque):
        if tracing.contents(container) is not None or container:
            call_container_method(tracing, container, "clear", (), {})  # a dict keeps what it has
    if isinstance(container, deque) and (len(args) > 1 or kwargs):
        given = {**dict(zip(("iterable", "maxlen"), args, strict=False)), **kwargs}
        deque.__init__(container, (), given.pop("maxlen", None))
        args = tuple(given.values())
    if isinstance(container, defaultdict) and args:
        defaultdict.__init__(container, args[0])
        args = args[1:]
    if isinstance(container, list | deque) and args:
        call_container_method(tracing, container, "extend", args, {})
    elif isinstance(container, dict | set) and (args or kwargs):
        call_container_method(tracing, container, "update", args, kwargs)


def _for_each_argument(
    tracing: Tracing, container: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any] | None:
    """A method of a dict, set or deque for each value that an argument may be, or may hold."""
    if isinstance(container, dict | set | deque) and args:
        key = args[0]
        if not isinstance(container, deque) and name in dict_and_set_methods.TAKING_KEYS:
            key = as_key(tracing, key, container, stored=name in STORING)

        def call_with(one: Any) -> Any:
            return call_container_method(tracing, container, name, (one, *args[1:]), kwargs)

        if isinstance(key, Choice):
            return (choose(tracing, key, call_with),)
    for one in args if name in TAKING_ITEMS else ():
        of_keys = isinstance(container, set | Counter) or isinstance(one, dict)
        if isinstance(container, dict) and not of_keys:
            note_keys(tracing, keys_of_pairs(one), container=container)
        elif isinstance(container, dict | set):
            note_keys(tracing, one, container=container)
        contents = chosen_contents(tracing, one)
        if contents is not None:
            rest = partial(call_container_method, tracing, container, name, args, kwargs)
            return (with_each(tracing, one, contents, rest),)
    return None


def _of_one(
    tracing: Tracing, container: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method while the contents are one of several; views are as they are at this moment."""
    result = call_container_method(tracing, container, name, args, kwargs)
    return tuple(result) if name in ("keys", "values", "items") else result


def plain(tracing: Tracing, argument: Any, method: str) -> Any:
    """An argument that C code will read: a container in it is read as a whole."""
    if isinstance(argument, CONTAINERS):
        if tracing.contents(argument) is not None:
            raise StateError(
                f"{method} is given {with_article(type(argument).__name__)} that grew in a staged "
                "loop or branch",
                remedy="go over it with a for statement",
            )
        read_contents(tracing, argument)
    if isinstance(argument, Indexed | DictView):
        return iterate(argument)
    return argument


COMPARED_BY_PYTHON = (str, bytes, bool, int, float, complex, type(None), type)


def _is_compared_by_python(value: Any) -> bool:
    """Whether a value is known while tracing, and no scalar of NumPy's, which may be a float."""
    return isinstance(value, COMPARED_BY_PYTHON) and not isinstance(value, np.generic)


def _is_staged_call(tracing: Tracing, items: Any, name: str, args: tuple[Any, ...]) -> bool:
    """Whether a method of a list or deque needs what `sequences` does."""
    if name == "append" and isinstance(items, list):
        return False
    if sequences.has_staged_items(tracing, items):
        return True
    if name in sequences.SEARCHING:
        return not all(map(_is_compared_by_python, (args[0], *items)))
    if name in ("extend", "extendleft"):
        return sequences.has_staged_items(tracing, args[0]) or has_staged_length(tracing, args[0])
    return name in ("pop", "insert", "rotate") and any(map(is_staged_index, args[:1]))


def call_tuple_method(
    tracing: Tracing, items: tuple[Any, ...], name: str, args: tuple[Any, ...]
) -> tuple[Any] | None:
    """What `count` or `index` of a tuple gives, in a tuple; None where Python itself finds it."""
    if name not in ("count", "index") or not args:
        return None
    if all(map(_is_compared_by_python, (*args, *items))):
        return None
    if name == "count":
        return (call(sequence_library.count, items, *args),)
    bounds = (*map(as_index, args[1:]), *(0, sys.maxsize)[len(args) - 1 :])
    return (call(sequence_library.index_in_tuple, items, args[0], *bounds),)


def dict_get(tracing: Tracing, table: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`table.get(key, default)`."""
    if isinstance(key, Number) or dicts_and_sets.is_staged_key(key):
        return branch(
            tracing,
            contains_plainly(tracing, table, key),
            lambda: plain_item(tracing, table, key),
            lambda: default,
        )
    if contains_plainly(tracing, table, key):
        return plain_item(tracing, table, key)
    return default


def length(tracing: Tracing, container: Any) -> Any:
    """`len(container)` of a built-in container."""
    contents = chosen_contents(tracing, container)
    if contents is not None:
        return with_each(tracing, container, contents, lambda: len(container))
    if rows.staged(tracing, container) is not None:
        return rows.length(rows.make_staged(tracing, container))
    if existed_before(tracing, container):
        tracing.guard(f"len({tracing.path_of(container)}) == {len(container)}")
    else:
        read_contents(tracing, container)
    return len(container)
