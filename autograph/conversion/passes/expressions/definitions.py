"""Definitions of functions and classes: their decorators are called, a class is new.

Before:
    @register(name)
    class Item(Base):
        total = make(0)

After:
    @ag__.decorator(ag__.call(register, name))
    @ag__.new
    class Item(ag__.base(Base)):
        total = ag__.call(make, 0)

A class body keeps its statements, and the expressions that would need a function: its names could
not be seen in there, and the function would be a member of the class.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import blocks_of
from autograph.conversion.analysis.scopes import COMPREHENSIONS
from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

IN_FUNCTIONS = (*COMPREHENSIONS, t.Lambda, t.BoolOp, t.IfExp, t.NamedExpr, t.Assert)
NEW = (t.List, t.Dict, t.Set, t.ListComp, t.DictComp, t.SetComp)


def function(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for function definitions."""
    rewriter.definition(node)
    node.decorator_list = list(map(_decorator, node.decorator_list))
    return [node]


def class_(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for class definitions."""
    rewriter.class_definition(node)
    node.bases = list(map(_base, node.bases))
    for keyword in node.keywords:
        if keyword.arg == "metaclass":
            keyword.value = _base(keyword.value)
    new = emit.constant("new", node)
    node.decorator_list = [*map(_decorator, node.decorator_list), new]
    _body(node.body, rewriter)
    return [node]


def _decorator(node: Node) -> Node:
    if emit.is_operator_call(node, "generator"):
        return node
    return emit.operator("decorator", node, at=node)


def _base(node: Node) -> Node:
    return node if isinstance(node, t.Starred) else emit.operator("base", node, at=node)


def _body(statements: list[Node], rewriter: Rewriter) -> None:
    for statement in statements:
        if isinstance(statement, (t.FunctionDef, t.AsyncFunctionDef, t.ClassDef)):
            decorators = [_in_place(each, rewriter) for each in statement.decorator_list]
            statement.decorator_list = list(map(_decorator, decorators))
        if isinstance(statement, t.ClassDef):
            statement.decorator_list.append(emit.constant("new", statement))
            _body(statement.body, rewriter)
        elif isinstance(statement, (t.FunctionDef, t.AsyncFunctionDef)):
            arguments = statement.args
            arguments.defaults = [_in_place(each, rewriter) for each in arguments.defaults]
            arguments.kw_defaults = [
                None if each is None else _in_place(each, rewriter)
                for each in arguments.kw_defaults
            ]
        elif isinstance(statement, (t.Assign, t.AnnAssign, t.Expr)) and statement.value is not None:
            statement.value = _in_place(statement.value, rewriter)
        for block in blocks_of(statement):
            _body(block, rewriter)


def _in_place(node: Node, rewriter: Rewriter) -> Node:
    """An expression of a class body, rewritten where that takes no function."""
    if not any(_needs_function(each) for each in t.walk(node)):
        return rewriter.expression(node)
    return emit.operator("new", node, at=node) if isinstance(node, NEW) else node


def _needs_function(node: Node) -> bool:
    chained = isinstance(node, t.Compare) and len(node.ops) > 1
    return chained or isinstance(node, IN_FUNCTIONS)
