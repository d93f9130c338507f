"""Declarations come first, and annotations of variables go.

Before:
    def f(c):
        if c:
            global total
            total: int = 1
        count: int
        self.size: int = 2

After:
    def f(c):
        global total
        if c:
            total = 1
        count: ...
        self.size = 2

A bare annotation only makes its name a local variable, which `count: ...` keeps; it is dropped
where the name is also assigned.
"""

from __future__ import annotations

from autograph.conversion.analysis.scopes import converted_functions, scope_of, stored_in
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Move the declarations of every function of the tree to its top; drop annotations."""
    for node in list(converted_functions(tree)):
        if isinstance(node, t.FunctionDef):
            _function(node)
    return tree


def _function(node: Node) -> None:
    scope = scope_of(node)
    declared: list[Node] = []
    node.body = _block(node.body, declared)
    variables = sorted(scope.local_names - set(scope.parameters) - stored_in(node.body))
    top: list[Node] = []
    for kind, names in ((t.Global, scope.global_names), (t.Nonlocal, scope.nonlocal_names)):
        if names:
            top.append(t.copy_location(kind(sorted(names)), declared[0]))
    top.extend(declare_variable(name, node) for name in variables)
    position = 1 if has_docstring(node) else 0
    node.body[position:position] = top
    if not node.body:
        node.body = [t.copy_location(t.Pass(), node)]


def declare_variable(name: str, at: Node) -> Node:
    """`name: ...`, which makes the name a local variable and does nothing when run."""
    target = t.name_store(name, at)
    return t.copy_location(t.AnnAssign(target, t.constant(..., at), None, 1), at)


def has_docstring(function: Node) -> bool:
    """Whether the body starts with a string."""
    first = function.body[0] if function.body else None
    value = first.value if isinstance(first, t.Expr) else None
    return isinstance(value, t.Constant) and isinstance(value.value, str)


def _block(statements: list[Node], declared: list[Node]) -> list[Node]:
    result = []
    for statement in statements:
        if isinstance(statement, (t.Global, t.Nonlocal)):
            declared.append(statement)
            continue
        if isinstance(statement, t.AnnAssign):
            result.extend(_annotated(statement))
            continue
        if not isinstance(statement, (t.FunctionDef, t.AsyncFunctionDef, t.ClassDef)):
            for part in (statement, *getattr(statement, "handlers", [])):
                for name in ("body", "orelse", "finalbody"):
                    if getattr(part, name, None):
                        inside = _block(getattr(part, name), declared)
                        if not inside and name == "body":
                            inside = [t.copy_location(t.Pass(), statement)]
                        setattr(part, name, inside)
        result.append(statement)
    return result


def _annotated(statement: Node) -> list[Node]:
    target, value = statement.target, statement.value
    if value is not None:
        return [emit.assign_to(target, value, statement)]
    if isinstance(target, t.Attribute):
        return [emit.expression(target.value, statement)]
    if isinstance(target, t.Subscript):
        return [emit.expression(part, statement) for part in (target.value, target.slice)]
    return []
