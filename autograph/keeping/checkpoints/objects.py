"""The graph of objects that hold state: what a checkpoint keeps, and what it is matched with.

Its nodes are Variables, containers, and the objects whose attributes lead to Variables; its edges
have the names of attributes, keys and indices (Agrawal et al., 2019, section 4.3). Plain Python
values of the nodes are kept beside the edges.
"""

from __future__ import annotations

import functools
import sys
import types
from collections import Counter, UserDict, UserList, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.keeping.errors import KeepingError
from autograph.keeping.values import is_plain
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable

Edge = str | int | float | bool | None
"""The name of an attribute, a key, or an index."""

_ROWS = (list, tuple, deque)
_ATOMS = (
    str | bytes | bool | int | float | complex | np.ndarray | np.generic | np.dtype | type
) | types.ModuleType


_OPEN = (types.SimpleNamespace, UserDict, UserList)
"""Of the standard library; their attributes are looked into like those of the user's objects."""


@dataclass(slots=True, eq=False)
class Node:
    """An object of the graph: what its edges lead to, and its plain values."""

    item: Any
    path: str
    edges: dict[Edge, Node] = field(default_factory=dict)
    values: dict[Edge, Any] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    """Names of what is neither, with its type: it is not kept."""

    @property
    def variable(self) -> Variable | None:
        """The Variable that this is, None of anything else."""
        return self.item if isinstance(self.item, Variable) else None


def graph_of(root: Any, path: str = "") -> Node:
    """The graph below `root`, which is kept whatever it is. Paths begin with `path`.

    KeepingError for a Variable in what has no names: a set, or under a key that is no plain value.
    """
    first = Node(root, path)
    known = {id(root): first}
    order = [first]
    waiting = [first]
    hidden: list[tuple[Any, str]] = []
    while waiting:
        node = waiting.pop()
        fresh = []
        for name, item in parts(node.item):
            if is_plain(item):
                node.values[name] = item
            elif (met := known.get(id(item))) is not None:
                node.edges[name] = met
            elif is_holder(item):
                made = node.edges[name] = known[id(item)] = Node(item, join(node.path, name))
                order.append(made)
                fresh.append(made)
            else:
                hidden.append((item, join(node.path, name)))
                node.left[str(name)] = type(item).__qualname__
        waiting += reversed(fresh)  # the first one next: paths are those of the first way there
    for item, where in hidden:
        refuse_hidden(item, where, known)
    _drop_idle(first, order)
    _require_names(order)
    return first


def _require_names(nodes: list[Node]) -> None:
    """KeepingError for Variables of one name, of which only one would be kept."""
    paths = [node.path for node in nodes if node.variable is not None]
    for path, times in Counter(paths).items():
        if times > 1:
            raise KeepingError(
                f"{times} Variables have the name {path!r}, by which only one is kept; use keys "
                "that differ as text, and have no dots"
            )


def _drop_idle(first: Node, order: list[Node]) -> None:
    """Drop the edges to objects of foreign classes that lead to no Variable: loggers and such."""
    users: dict[int, list[Node]] = {}
    for node in order:
        for other in node.edges.values():
            users.setdefault(id(other), []).append(node)
    wanted: set[int] = set()
    waiting = [node for node in order if node.variable is not None]
    while waiting:
        node = waiting.pop()
        if id(node) not in wanted:
            wanted.add(id(node))
            waiting += users.get(id(node), [])
    roots = {id(first), *map(id, first.edges.values())}
    for node in order:
        for name, other in list(node.edges.items()):
            keeps_values = is_module(other.item) or isinstance(other.item, (*_ROWS, dict))
            if id(other) not in wanted | roots and not keeps_values:
                del node.edges[name]
                node.left[str(name)] = type(other.item).__qualname__


def nodes_of(root: Node) -> list[Node]:
    """Every node below a root, itself first, each once; in the order of the paths."""
    found: dict[int, Node] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) not in found:
            found[id(node)] = node
            waiting += reversed(node.edges.values())
    return list(found.values())


# what objects hold --------------------------------------------------------------------------------
def is_module(item: Any) -> bool:
    """Whether this is a module of layers: it has variables, by its class's own word."""
    return hasattr(type(item), "trainable_variables")


def is_holder(item: Any) -> bool:
    """Whether an object may lead to Variables: they are looked for in it."""
    if isinstance(item, Variable | list | tuple | deque | dict):
        return True
    if isinstance(item, _ATOMS | Tensor) or callable(item) and not _has_attributes(item):
        return False
    return _has_attributes(item)


def _has_attributes(item: Any) -> bool:
    """Whether this is an object of a class written in Python, outside of the standard library."""
    kind = type(item)
    if isinstance(item, type | types.FunctionType | types.MethodType | types.ModuleType):
        return False
    if isinstance(item, _OPEN):
        return True
    library = kind.__module__.partition(".")[0]
    if library in sys.stdlib_module_names and library != "__main__" or library == "numpy":
        return False
    if kind.__module__.startswith("autograph.") and not is_module(item):
        return False
    return hasattr(item, "__dict__") or bool(_slots(kind))


def parts(item: Any) -> Iterator[tuple[Edge, Any]]:
    """Names and values of what an object holds, in the order of the names."""
    if isinstance(item, Variable):
        return
    if isinstance(item, dict):
        for key, held in item.items():
            if is_plain(key) and not isinstance(key, tuple):
                yield key, held
            else:
                refuse_hidden(key, f"a key of a {type(item).__name__}")
                refuse_hidden(held, f"the item {key!r} of a {type(item).__name__}")
    if isinstance(item, _ROWS):
        yield from enumerate(item)
    names: dict[str, Any] = dict(getattr(item, "__dict__", {}))
    for name in _slots(type(item)):
        try:
            names[name] = object.__getattribute__(item, name)
        except AttributeError:
            continue
    for name in sorted(names):
        if name not in getattr(type(item), "__not_kept__", ()):
            yield name, names[name]


def _slots(kind: type) -> list[str]:
    names = []
    for one in kind.__mro__:
        slots = one.__dict__.get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            private = name.startswith("__") and not name.endswith("__")
            names.append(f"_{one.__name__.lstrip('_')}{name}" if private else name)
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def refuse_hidden(item: Any, path: str, known: Mapping[int, Node] = {}) -> None:
    """KeepingError if a Variable that is not known is in what has no names for its parts."""
    if id(item) in known:
        return
    hidden = isinstance(item, Variable)
    inside = _hidden_in(item)
    if inside is not None:
        for one in inside:
            refuse_hidden(one, path, known)
    elif not isinstance(item, Variable) and is_holder(item):
        variables = [one.item for one in nodes_of(graph_of(item, path)) if one.variable is not None]
        hidden = any(id(one) not in known for one in variables)
    if hidden:
        raise KeepingError(
            f"{path} holds a Variable without a name of its own, so that it cannot be found again; "
            "use attributes, lists, or dicts with strings or numbers as keys"
        )


def _hidden_in(item: Any) -> list[Any] | None:
    """What is in something whose parts have no names of their own; None of anything else."""
    if isinstance(item, set | frozenset):
        return list(item)
    if isinstance(item, functools.partial):
        return [*item.args, *item.keywords.values()]
    if isinstance(item, types.MappingProxyType):
        return list(item.values())
    if isinstance(item, np.ndarray) and item.dtype == object:
        return list(item.flat)
    return None


def join(path: str, name: Edge) -> str:
    """The path of a part."""
    return f"{path}.{name}" if path else str(name)
