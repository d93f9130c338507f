"""Short ways to make the nodes that passes emit. `at` is the user's node that they stand for."""

from __future__ import annotations

from collections.abc import Iterable

from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

OPERATORS = "ag__"


def operator(name: str, *positional: Node, at: Node) -> Node:
    """`ag__.name(*positional)`."""
    return t.copy_location(t.Call(constant(name, at), list(positional), []), at)


def constant(name: str, at: Node) -> Node:
    """`ag__.name`, at the start of `at`.

    Python reports a call of an attribute on the line where the attribute ends.
    """
    found = t.attribute(t.name_load(OPERATORS, at), name, at)
    if found.end_lineno != found.lineno:
        for part in (found, found.value):
            part.end_lineno, part.end_col_offset = part.lineno, part.col_offset + len(name)
    return found


def position_of_member(member: Node, at: Node) -> Node:
    """`at`, or where it spans lines and its attribute `member` ends on a later one, that line."""
    if member.end_lineno == at.lineno:
        return at
    place = t.copy_location(t.Pass(), at)
    place.lineno = member.end_lineno
    place.col_offset = max(0, member.end_col_offset - len(member.attr))
    return place


def is_operator_call(node: Node, name: str | None = None) -> bool:
    """Whether a node is a call `ag__.name(...)`, which only passes make; of any name if None."""
    if not isinstance(node, t.Call) or not isinstance(node.func, t.Attribute):
        return False
    if name is not None and node.func.attr != name:
        return False
    return isinstance(node.func.value, t.Name) and node.func.value.id == OPERATORS


def assign(name: str, value: Node, at: Node) -> Node:
    """`name = value`."""
    return assign_to(t.name_store(name, at), value, at)


def assign_to(target: Node, value: Node, at: Node) -> Node:
    """`target = value`, for any target."""
    return t.copy_location(t.Assign([target], value, None), at)


def expression(value: Node, at: Node) -> Node:
    """`value` as a statement."""
    return t.copy_location(t.Expr(value), at)


def give(value: Node | None, at: Node) -> Node:
    """`return value`."""
    return t.copy_location(t.Return(value), at)


def define(name: str, parameters: Iterable[str], body: list[Node], at: Node) -> Node:
    """`def name(*parameters): body`."""
    return define_with(name, t.arguments_of(*parameters, at=at), body, at)


def define_with(name: str, arguments: Node, body: list[Node], at: Node) -> Node:
    """`def name(arguments): body`."""
    statements = body or [t.copy_location(t.Pass(), at)]
    return t.copy_location(t.FunctionDef(name, arguments, statements, [], None, None, []), at)


def thunk(body: Node, at: Node) -> Node:
    """`lambda: body`."""
    return t.copy_location(t.Lambda(t.arguments_of(), body), at)


def names_tuple(names: Iterable[str], at: Node) -> Node:
    """A tuple of strings."""
    items = [t.constant(name, at) for name in names]
    return t.copy_location(t.Tuple(items, t.Load()), at)


def load_tuple(names: Iterable[str], at: Node) -> Node:
    """A tuple of variables."""
    items = [t.name_load(name, at) for name in names]
    return t.copy_location(t.Tuple(items, t.Load()), at)
