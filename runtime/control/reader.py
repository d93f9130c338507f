"""Reads a graph from the Python text that `runtime.graph.printer` writes.

The text is parsed, never executed: a statement is a def, the use of an op of the table, or the
return, and an attribute is a literal. Anything else is refused with its line.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.control.literals import LiteralReader
from autograph.runtime.control.records import (
    CALL,
    COND,
    CUSTOM_GRADIENT,
    RAISE,
    RECOMPUTE,
    WHILE_LOOP,
)
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.graph.ir import Graph, Value
from autograph.runtime.graph.notation import GraphTextError, read_spec, read_specs
from autograph.runtime.graph.printer import NUMBERED
from autograph.runtime.graph.trace import dynamic_operands
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import RECORDS

_CONTROL = (COND, WHILE_LOOP, CALL, RAISE, HOST_CALL, CUSTOM_GRADIENT, RECOMPUTE)
OPS: Mapping[str, Op] = RECORDS | {op.name: op for op in _CONTROL}


def read_graph(text: str, objects: Sequence[Any] = (), arrays: Sequence[Any] = ()) -> Graph:
    """The graph that `text` defines: one def, whose annotations are specs.

    `objects` and `arrays` are what it calls `objects[0]`, `arrays[0]`, .... Raises GraphTextError
    or SyntaxError for text of another form, GraphError for a graph that is not well-formed, and
    what the inference of an op raises.
    """
    tree = ast.parse(text)
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        raise GraphTextError("the text of a graph is one def")
    reader = _Reader(LiteralReader(objects, arrays))
    root = tree.body[0]
    graph = reader.graph(root, _Scope(None, {root.name: root}))
    verify(graph)
    return graph


@dataclass(slots=True)
class _Scope:
    """The defs that a def can refer to: its own ones and those around it."""

    outer: _Scope | None
    defs: dict[str, ast.FunctionDef] = field(default_factory=dict)

    def find(self, name: str) -> tuple[ast.FunctionDef, _Scope] | None:
        """A def, and the scope that it stands in."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.defs:
                return scope.defs[name], scope
            scope = scope.outer
        return None


@dataclass(slots=True)
class _Body:
    """A graph that is being read."""

    graph: Graph
    scope: _Scope
    values: dict[str, Value]


class _Reader:
    def __init__(self, literals: LiteralReader) -> None:
        self.literals = literals
        self.graphs: dict[ast.FunctionDef, Graph] = {}

    def graph(self, tree: ast.FunctionDef, around: _Scope) -> Graph:
        """The graph of a def: made at its first use, so that it can refer to itself."""
        known = self.graphs.get(tree)
        if known is not None:
            return known
        graph = self.graphs[tree] = Graph(tree.name)
        body = _Body(graph, _Scope(around), {})
        self._parameters(tree, body)
        returned = False
        for statement in tree.body:
            if returned:
                raise _refused(statement, "a statement after the return")
            returned = self._statement(statement, body)
        if not returned:
            raise _refused(tree, f"{tree.name} without a return")
        return graph

    def _parameters(self, tree: ast.FunctionDef, body: _Body) -> None:
        given = tree.args
        others = (given.vararg, given.kwarg, *given.kwonlyargs, *given.posonlyargs, *given.defaults)
        if any(one is not None for one in others) or tree.decorator_list or tree.returns:
            raise _refused(tree, f"the form of {tree.name}")
        for parameter in given.args:
            if parameter.annotation is None:
                raise GraphTextError(f"{parameter.arg} of {tree.name} has no spec")
            spec = read_spec(ast.unparse(parameter.annotation))
            name = parameter.arg
            made = body.graph.add_input(spec, "" if NUMBERED.fullmatch(name) else name)
            self._name(body, parameter, name, made)

    def _name(self, body: _Body, tree: ast.AST, name: str, value: Value) -> None:
        if name in body.values:
            raise _refused(tree, f"a second value called {name}")
        body.values[name] = value

    def _statement(self, tree: ast.stmt, body: _Body) -> bool:
        """Read a statement; whether it is the return."""
        match tree:
            case ast.FunctionDef(name=name):
                body.scope.defs[name] = tree
            case ast.Expr(value=ast.Call() as call):
                if self._node(call, body):
                    raise _refused(tree, "an op whose results have no names")
            case ast.Assign(targets=[target], value=ast.Call() as call):
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                found = self._node(call, body)
                if len(found) != len(names):
                    raise _refused(tree, f"{len(names)} names for {len(found)} results")
                for one, value in zip(names, found, strict=True):
                    if not isinstance(one, ast.Name):
                        raise _refused(one, "the target of an assignment")
                    self._name(body, one, one.id, value)
            case ast.Return(value=None):
                return True
            case ast.Return(value=ast.Tuple(elts=items)):
                body.graph.outputs = [self._value(one, body) for one in items]
                return True
            case ast.Return(value=ast.expr() as item):
                body.graph.outputs = [self._value(item, body)]
                return True
            case _:
                raise _refused(tree, "a statement")
        return False

    def _node(self, tree: ast.Call, body: _Body) -> list[Value]:
        """The results of the use of an op, which becomes a node."""
        op = OPS.get(tree.func.id) if isinstance(tree.func, ast.Name) else None
        if op is None:
            raise _refused(tree, f"{ast.unparse(tree.func)!r} is no op: it")
        values = [self._value(one, body) for one in tree.args]
        specs: tuple[AnySpec, ...] | None = None
        attributes: dict[str, Any] = {}
        for keyword in tree.keywords:
            if keyword.arg is None:
                raise _refused(tree, "an argument")
            if keyword.arg != "specs":
                attributes[keyword.arg] = self._attribute(keyword.value, body)
            elif isinstance(keyword.value, ast.Constant) and type(keyword.value.value) is str:
                specs = read_specs(keyword.value.value)
            else:
                raise _refused(tree, "the value of specs")
        if specs is None:
            specs = _inferred(op, values, attributes)
        return body.graph.add_node(op, values, attributes, specs).outputs

    def _value(self, tree: ast.expr, body: _Body) -> Value:
        """An operand: the name of a value of this graph. GraphTextError for anything else."""
        found = body.values.get(tree.id) if isinstance(tree, ast.Name) else None
        if found is None:
            raise GraphTextError(
                f"line {tree.lineno}: {ast.unparse(tree)[:80]} is no value of {body.graph.name}"
            )
        return found

    def _attribute(self, tree: ast.expr, body: _Body) -> Any:
        if isinstance(tree, ast.Name):
            found = body.scope.find(tree.id)
            if found is not None:
                return self.graph(*found)
        if isinstance(tree, ast.Tuple):
            return tuple(self._attribute(one, body) for one in tree.elts)
        return self.literals.read(tree)


def _refused(tree: ast.AST, what: str) -> GraphTextError:
    line = getattr(tree, "lineno", 0)
    return GraphTextError(f"line {line}: {what} is not what the text of a graph has there")


def _inferred(
    op: Op, inputs: Sequence[Value], attributes: Mapping[str, Any]
) -> tuple[AnySpec, ...]:
    own = inputs[: len(inputs) - len(dynamic_operands(attributes))]
    found = op.infer(*(value.spec for value in own), **attributes)
    return found if isinstance(found, tuple) else (found,)
