"""The names of each function, and its reads of perhaps unset variables, are noted for later passes.

Before:
    if c:
        y = 1
    return y

After, when the expressions are rewritten (`operator_calls`):
    return ag__.load(lambda: y, 'y')

A read of a variable of a function outside becomes `ag__.load_free(lambda: y, 'y')`, that of a
global variable `ag__.load_global(lambda: y, 'y')`.

The tree itself stays as it is. Names are noted before unreachable code is dropped: an assignment
in it still makes its name a local variable.
"""

from __future__ import annotations

from autograph.conversion.analysis.assignment import mark_unassigned
from autograph.conversion.analysis.scopes import FUNCTIONS, Scope, converted_functions, scope_of
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Fill in `context.scopes` and `context.unassigned`."""
    for node in converted_functions(tree):
        scope = context.scopes[node] = scope_of(node)
        scope.stored -= context.names.given  # never state, and each used where it is assigned
        mark_unassigned(node, scope, context.unassigned, context.unset_outside)
        # Outer functions come first, so that what is in sight of inner ones is known by then.
        inherited = context.shared[node] if node in context.shared else scope.nonlocal_names
        shared = (inherited - scope.local_names) | scope.rebound_within
        context.shared[node] = shared
        _hand_down(shared, scope, context)
    return tree


def _hand_down(shared: set[str], scope: Scope, context: Context) -> None:
    for inner in scope.inner:
        context.shared[inner.node] = shared
        if not isinstance(inner.node, FUNCTIONS):
            _hand_down(shared, inner, context)


def checked_read(node: Node, rewriter: Rewriter) -> Node:
    """The rule for names."""
    if not isinstance(node.ctx, t.Load):
        return node
    if node in rewriter.context.unassigned:
        return load(node.id, node)
    if node in rewriter.context.unset_outside:
        return load_outside(node.id, node, rewriter)
    return node


def load(name: str, at: Node) -> Node:
    """`ag__.load(lambda: name, 'name')`."""
    return _loaded("load", name, at)


def load_outside(name: str, at: Node, rewriter: Rewriter) -> Node:
    """`ag__.load_free(lambda: name, 'name')`, or `load_global` of a global variable."""
    is_global = rewriter.context.unset_outside[at]
    return _loaded("load_global" if is_global else "load_free", name, at)


def _loaded(operator: str, name: str, at: Node) -> Node:
    read = emit.thunk(t.name_load(name, at), at)
    return emit.operator(operator, read, t.constant(name, at), at=at)
