"""The graph of a checkpoint as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.keeping.checkpoints.objects import Edge, Node, join, nodes_of
from autograph.keeping.errors import DamagedError
from autograph.keeping.tensors import Arrays
from autograph.keeping.values import from_json, is_plain, to_json


@dataclass(slots=True, eq=False)
class Kept:
    """An object as a checkpoint has it: the mirror of `objects.Node`."""

    path: str = ""
    array: np.ndarray[Any, Any] | None = None
    """The value of a Variable; None of anything else."""
    edges: dict[Edge, Kept] = field(default_factory=dict)
    values: dict[Edge, Any] = field(default_factory=dict)


def written(root: Node) -> tuple[list[Any], Arrays]:
    """The objects of a graph as JSON, the root first, and the values of its Variables."""
    nodes = nodes_of(root)
    numbers = {id(node): number for number, node in enumerate(nodes)}
    arrays: Arrays = {}
    found = []
    for node in nodes:
        entry: dict[str, Any] = {"class": type(node.item).__qualname__}
        variable = node.variable
        if variable is not None:
            name = _unused(node.path, arrays)
            value = arrays[name] = variable.numpy()
            entry |= {"tensor": name, "dtype": str(value.dtype), "shape": list(value.shape)}
            entry |= {"name": variable.name, "trainable": variable.trainable}
        else:
            edges = [[to_json(name), numbers[id(one)]] for name, one in node.edges.items()]
            entry["edges"] = edges
            if node.values:
                entry["values"] = [[to_json(k), to_json(one)] for k, one in node.values.items()]
            if node.left:
                entry["not kept"] = node.left
        found.append(entry)
    return found, arrays


def _unused(path: str, arrays: Arrays) -> str:
    """A name for a tensor: its path, which no other has unless names contain dots."""
    name = path or "value"
    while name in arrays:
        name += "'"
    return name


def read(objects: Any, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Kept:
    """The graph that `written` wrote. DamagedError where it is not one."""
    if not isinstance(objects, list) or not objects:
        raise DamagedError("the checkpoint is damaged: it has no objects")
    found = [Kept() for _ in objects]
    for entry, kept in zip(objects, found, strict=True):
        _fill(kept, entry, found, arrays)
    waiting, seen = [found[0]], {id(found[0])}
    while waiting:
        kept = waiting.pop()
        fresh = [(name, one) for name, one in kept.edges.items() if id(one) not in seen]
        for name, one in fresh:
            if id(one) not in seen:
                seen.add(id(one))
                one.path = join(kept.path, name)
        waiting += [one for _, one in reversed(fresh)]
    return found[0]


def _fill(
    kept: Kept, entry: Any, found: list[Kept], arrays: Mapping[str, np.ndarray[Any, Any]]
) -> None:
    if not isinstance(entry, dict):
        raise DamagedError(f"the checkpoint is damaged: {entry!r} is no object")
    name = entry.get("tensor")
    if name is not None:
        array = arrays.get(name) if isinstance(name, str) else None
        if array is None:
            raise DamagedError(f"the checkpoint is damaged: it has no tensor {name!r}")
        if [str(array.dtype), list(array.shape)] != [entry.get("dtype"), entry.get("shape")]:
            raise DamagedError(f"the checkpoint is damaged: the tensor {name!r} is of another kind")
        kept.array = array
    for edge, number in _pairs(entry.get("edges", [])):
        if type(number) is not int or not 0 <= number < len(found):
            raise DamagedError(f"the checkpoint is damaged: there is no object {number!r}")
        kept.edges[edge] = found[number]
    for edge, value in _pairs(entry.get("values", [])):
        kept.values[edge] = from_json(value)


def _pairs(items: Any) -> list[tuple[Edge, Any]]:
    """Names of edges, with what is beside them."""
    if not isinstance(items, list) or not all(isinstance(p, list) and len(p) == 2 for p in items):
        raise DamagedError("the checkpoint is damaged: an object is not written as one")
    pairs = [(from_json(name), held) for name, held in items]
    if not all(is_plain(name) and not isinstance(name, tuple | list | dict) for name, _ in pairs):
        raise DamagedError("the checkpoint is damaged: an edge has no name")
    return pairs


def variables_of(root: Kept) -> list[Kept]:
    """Every Variable below a root, each once."""
    return [kept for kept in below(root) if kept.array is not None]


def below(root: Kept) -> list[Kept]:
    """Every object below a root, itself first, each once."""
    found: dict[int, Kept] = {}
    waiting = [root]
    while waiting:
        kept = waiting.pop()
        if id(kept) not in found:
            found[id(kept)] = kept
            waiting += reversed(kept.edges.values())
    return [*found.values()]
