"""Statements that may be staged become functions, and calls of operators that run them.

A body is a function without parameters; it assigns the variables of the function around it, and
returns a completion code where it may end other than by its last line:

Before:
    while n != 1:
        if n > limit:
            return None
        n = step(n)
    return n

After:
    ag__result = ag__.UNSET_RESULT
    def ag__test_1():
        return n != 1
    def ag__body_1():
        nonlocal n, ag__result
        def ag__then_1():
            nonlocal ag__result
            ag__result = None
            return ag__.RETURN
        def ag__else_1():
            nonlocal n
            n = step(n)
        return ag__.if_stmt(n > limit, ag__then_1, ag__else_1, ('n', 'ag__result'))
    ag__code_1 = ag__.while_stmt(ag__test_1, ag__body_1, None, ('n', 'ag__result'))
    def ag__rest_1():
        nonlocal ag__result
        ag__result = n
        return ag__.RETURN
    ag__.then(ag__code_1, ag__rest_1, ('ag__result',))
    return ag__.returned(ag__result)

What follows a statement that may not complete is put into a function, too, which `ag__.then` runs
if the code says so. A function whose returns all stand outside of such statements keeps them.
The constructs are in `conditionals`, `loops`, `contexts` and `handlers`, those of generators in
`suspended`; declarations of nonlocal variables follow in `declarations`.
"""

from __future__ import annotations

from autograph.conversion.analysis.scopes import converted_functions, is_generator
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.statements import (
    conditionals,
    contexts,
    handlers,
    loops,
    suspended,
)
from autograph.conversion.passes.statements.blocks import Constructs, Flow
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

CONSTRUCTS: Constructs = {
    t.If: conditionals.convert,
    t.While: loops.convert_while,
    t.For: loops.convert_for,
    t.With: contexts.convert,
    t.Try: handlers.convert,
}


def transform(tree: Node, context: Context) -> Node:
    """Convert the statements of every function of the tree."""
    for node in list(converted_functions(tree)):
        if is_generator(node):
            suspended.convert(node, context, CONSTRUCTS)
        elif isinstance(node, t.FunctionDef):
            Flow(node, context, CONSTRUCTS).convert()
    return tree
