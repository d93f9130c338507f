"""The passes, in order. Each is a module with `transform(tree, context) -> tree`."""

from __future__ import annotations

from collections.abc import Collection
from types import ModuleType

from autograph.conversion.passes import (
    as_written,
    bindings,
    comprehensions,
    control_flow,
    declarations,
    guards,
    inlining,
    matching,
    operator_calls,
    privates,
    unset,
)
from autograph.conversion.passes.context import Context, FreshNames, names_in
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.recursion import with_room
from autograph.conversion.syntax.tree import Node

PASSES = (
    matching,  # becomes if and else
    inlining,  # the second form of generators
    bindings,  # declarations first, no annotations
    privates,  # __names and super()
    comprehensions,  # become functions
    unset,  # notes: each function's names, reads of perhaps unset ones
    guards,  # fewer escapes
    control_flow,  # if, while, for, with, try, return, break, continue
    operator_calls,  # calls of operators; assignments, del, assert
    declarations,  # nonlocal, global, and what operators must know
)
READABLE = tuple(as_written if one is operator_calls else one for one in PASSES)
"""The passes of what is only shown: its expressions are as they were written."""


def convert_tree(
    tree: Node,
    *,
    class_name: str | None = None,
    global_names: Collection[str] = (),
    filename: str = "<unknown>",
    inlined: bool = False,
    resuming: bool = False,
    readable: bool = False,
) -> Node:
    """The converted tree of a function definition or lambda; the given tree stays as it is.

    `class_name` is the class in whose body the function stands, if any: its private names are
    spelled out, and `super()` becomes `super(__class__, <first parameter>)`. `global_names` are
    the globals and builtins that the function may use: emitted names avoid them. The result is a
    function definition, or, for most lambdas, a lambda. Its decorators and default values are
    those of the given tree, unconverted. The operators are its free name `ag__`. `inlined` asks for
    the second form of a generator function, `resuming` for the third form of
    all of them, `readable` for a tree to be looked at, not to be run.

    Raises UnsupportedSyntaxError, with `filename` and the line, for the few constructs that only
    the passes can tell.
    """
    taken = {*names_in(tree), *global_names}
    context = Context(class_name, FreshNames(taken), filename, inlined, resuming)
    passes = READABLE if readable else PASSES
    return with_room(tree, lambda: _converted(t.copy_tree(tree), context, passes))


def _converted(tree: Node, context: Context, passes: tuple[ModuleType, ...]) -> Node:
    for each in passes:
        tree = each.transform(tree, context)
    fill_positions(tree, tree)
    return tree


def fill_positions(node: Node, at: Node) -> None:
    """Give each node that has no position that of the node around it."""
    if "lineno" in node._attributes:
        if getattr(node, "lineno", None) is None:
            t.copy_location(node, at)
        at = node
    for child in t.iter_child_nodes(node):
        fill_positions(child, at)
