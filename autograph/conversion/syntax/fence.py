"""Rejects what is not converted, before any pass sees it.

Everything rejected is a row of one of the two tables below: what it is called, why it cannot be
staged, and what to write instead. What is in no table is converted.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from autograph.conversion.syntax import tree as syntax
from autograph.conversion.syntax.source import Source
from autograph.conversion.syntax.tree import Node
from autograph.errors import UnsupportedSyntaxError
from autograph.runtime.core.location import Location


@dataclass(frozen=True)
class Row:
    """A construct that is not converted."""

    called: str
    reason: str
    remedy: str


_ASYNC = "staged code runs from start to end, with no event loop to wait in"
_AWAIT_OUTSIDE = "await outside, and pass the result in as an argument"
_FRAME = "staged code keeps its variables in a graph, where Python's dictionaries do not reach them"

# By the class of the node.
CONSTRUCTS: dict[type, Row] = {
    syntax.AsyncFunctionDef: Row("`async def`", _ASYNC, "define it with `def`"),
    syntax.AsyncFor: Row("`async for`", _ASYNC, _AWAIT_OUTSIDE),
    syntax.AsyncWith: Row("`async with`", _ASYNC, _AWAIT_OUTSIDE),
    syntax.Await: Row("`await`", _ASYNC, _AWAIT_OUTSIDE),
    syntax.TryStar: Row(
        "`except*`", "exceptions of staged code are raised one at a time", "use `except`"
    ),
    syntax.TypeAlias: Row(
        "`type`", "it makes a name that is evaluated later", "define the alias outside the function"
    ),
    syntax.TemplateStr: Row(
        "a template string", "its parts are evaluated by whoever receives it", "use an f-string"
    ),
}

# By the name of the builtin; those of the second table only if called without arguments.
BUILTINS: dict[str, Row] = {
    "exec": Row("`exec`", "the code it runs cannot be converted", "write the code out"),
    "eval": Row("`eval`", "the code it runs cannot be converted", "write the code out"),
    "locals": Row("`locals()`", _FRAME, "name the variables, or keep them in a dict of your own"),
    "globals": Row("`globals()`", _FRAME, "name the variables, with `global` to assign them"),
}
BUILTINS_WITHOUT_ARGUMENTS: dict[str, Row] = {
    "vars": Row("`vars()`", _FRAME, "name the variables, or keep them in a dict of your own"),
    "dir": Row("`dir()`", _FRAME, "name the variables, or keep them in a dict of your own"),
}
_COMPREHENSION = Row("`async for` in a comprehension", _ASYNC, _AWAIT_OUTSIDE)


def check(source: Source) -> None:
    """Raise UnsupportedSyntaxError for the first construct that is not converted, if any."""
    taken = _names_taken(source)
    for node, line, function in _walk(source):
        row = _row_of(node, taken)
        if row is not None:
            raise UnsupportedSyntaxError(
                f"{row.called} is not converted: {row.reason}",
                location=Location(source.filename, line, function),
                remedy=f"{row.remedy}; or keep the function out with do_not_convert",
            )


def _row_of(node: Node, taken: set[str]) -> Row | None:
    row = CONSTRUCTS.get(type(node))
    if row is not None:
        return row
    if isinstance(node, syntax.comprehension):
        return _COMPREHENSION if node.is_async else None
    if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name):
        name = node.func.id
        if name in taken:
            return None
        if not node.args and not node.keywords and name in BUILTINS_WITHOUT_ARGUMENTS:
            return BUILTINS_WITHOUT_ARGUMENTS[name]
        return BUILTINS.get(name)
    return None


def _walk(source: Source) -> Iterator[tuple[Node, int, str]]:
    """Nodes in the order of the text, with line and function; not into classes.

    The methods of a class are converted, and checked, on their own when they are called.
    """
    pending = [(source.tree, source.first_line, source.function.__code__.co_name)]
    while pending:
        node, line, function = pending.pop()
        line = getattr(node, "lineno", line)
        if isinstance(node, syntax.FunctionDef | syntax.AsyncFunctionDef):
            function = node.name
        yield node, line, function
        if isinstance(node, syntax.ClassDef):
            continue
        # Defaults and annotations of the function itself were evaluated where it was defined.
        inner = node.body if node is source.tree else syntax.iter_child_nodes(node)
        children = inner if isinstance(inner, list) else [inner]
        pending.extend((child, line, function) for child in reversed(children))


def _names_taken(source: Source) -> set[str]:
    """Names in the function that do not mean the builtin, because the user has given them away."""
    taken = set(source.free_variables)
    for node in syntax.walk(source.tree):
        if isinstance(node, syntax.Name) and not isinstance(node.ctx, syntax.Load):
            taken.add(node.id)
        elif isinstance(node, syntax.FunctionDef | syntax.ClassDef):
            taken.add(node.name)
        elif isinstance(node, syntax.alias):
            taken.add(node.asname or node.name)
    for name in (*BUILTINS, *BUILTINS_WITHOUT_ARGUMENTS):
        given = source.function.__globals__.get(name)
        if given is not None and given is not getattr(builtins, name):
            taken.add(name)
    return taken
