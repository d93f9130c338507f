"""Each function says which variables it assigns, to Python and to the operators.

Before, with `count` a global, `n` a variable of a function outside, and the body made by a pass:
    def f(x):
        global count
        nonlocal n
        def ag__then_1():
            y = count = n = x
        ag__.if_stmt(x, ag__then_1, None, ('y',))

After:
    def f(x):
        global count
        nonlocal n
        y: ...
        def ag__then_1():
            global count
            nonlocal n, y
            ag__.touch_globals(lambda: 0, 'count')
            ag__.touch_cells(lambda: (n,), 'n')
            y = count = n = x
        ag__.if_stmt(x, ag__then_1, None, ('y',))

`y: ...` makes `y` a variable of `f`, and does nothing when run. A function whose own variables are
assigned by functions inside it, or used by them and assigned after they were made, starts with
`ag__.born(lambda: (v,))`: they begin to exist there, and change.
None of these lambdas is called; they show the operators where the variables are.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import blocks_of
from autograph.conversion.analysis.scopes import Scope, scope_of, stays, stored_in
from autograph.conversion.passes import emit
from autograph.conversion.passes.bindings import declare_variable, has_docstring
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Put the declarations at the top of every function of the tree."""
    if not isinstance(tree, t.Lambda):
        _user_function(tree, context)
    return tree


def _user_function(node: Node, context: Context) -> None:
    if stays(node):
        return
    scope = context.scopes[node] if node in context.scopes else scope_of(node)
    stored = stored_in(node.body)
    top: list[Node] = [
        declare_variable(name, node)
        for name in sorted(scope.local_names - set(scope.parameters) - stored)
    ]
    top.extend(_touches(stored, scope, node))
    if scope.changing_within:
        cells = emit.load_tuple(sorted(scope.changing_within), node)
        top.append(_announce("born", [emit.thunk(cells, node)], node))
    if node.args.kwarg is not None:
        top.append(_announce("new", [t.name_load(node.args.kwarg.id, node)], node))
    if node in context.results:
        unset = emit.constant("UNSET_RESULT", node)
        top.append(emit.assign(context.results[node], unset, node))
    _inner_functions(node.body, scope, context, context.results_of(node))
    at = 1 if has_docstring(node) else 0
    while at < len(node.body) and isinstance(node.body[at], (t.Global, t.Nonlocal)):
        at += 1
    node.body[at:at] = top


def _body(node: Node, scope: Scope, context: Context, results: set[str]) -> None:
    """A function that a pass made of a part of the function whose scope is given."""
    stored = stored_in(node.body)
    outer = stored & (scope.local_names | scope.nonlocal_names | results)
    top: list[Node] = []
    for kind, names in ((t.Global, stored & scope.global_names), (t.Nonlocal, outer)):
        if names:
            top.append(t.copy_location(kind(sorted(names)), node))
    top.extend(_touches(stored, scope, node))
    _inner_functions(node.body, scope, context, results)
    node.body[0:0] = top


def _touches(stored: set[str], scope: Scope, at: Node) -> list[Node]:
    result = []
    if names := sorted(stored & scope.global_names):
        arguments = [emit.thunk(t.constant(0, at), at), *(t.constant(each, at) for each in names)]
        result.append(_announce("touch_globals", arguments, at))
    if names := sorted(stored & scope.nonlocal_names):
        cells = emit.thunk(emit.load_tuple(names, at), at)
        arguments = [cells, *(t.constant(each, at) for each in names)]
        result.append(_announce("touch_cells", arguments, at))
    return result


def _announce(name: str, arguments: list[Node], at: Node) -> Node:
    return emit.expression(emit.operator(name, *arguments, at=at), at)


def _inner_functions(
    statements: list[Node], scope: Scope, context: Context, results: set[str]
) -> None:
    for statement in statements:
        if isinstance(statement, t.FunctionDef):
            if statement.name in context.bodies:
                _body(statement, scope, context, results)
            else:
                _user_function(statement, context)
        if isinstance(statement, t.ClassDef):
            _inner_functions(statement.body, scope, context, results)
        for block in blocks_of(statement):
            _inner_functions(block, scope, context, results)
