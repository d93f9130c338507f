"""Which variables of a function are one value each: those need no room on the stack."""

from __future__ import annotations

import ast

from autograph.kernels.codegen.kernel import nodes_of


class _Places:
    """Walks a function's statements; a block is the function's body, a branch or a loop's body."""

    def __init__(self) -> None:
        self.parents = [0]
        self.assigned: dict[str, tuple[int, int]] = {}
        self.more: set[str] = set()
        self.loaded: list[tuple[str, int, int]] = []
        self.time = 0

    def block(self, body: list[ast.stmt], parent: int) -> None:
        number = len(self.parents)
        self.parents.append(parent)
        for statement in body:
            self.statement(statement, number)

    def statement(self, node: ast.stmt, block: int) -> None:
        if isinstance(node, ast.Assign):
            self.expression(node.value, block)
            for target in node.targets:
                self.target(target, block)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.expression(node.value, block)
            self.target(node.target, block)
        elif isinstance(node, ast.AugAssign):
            self.expression(node.value, block)
            if isinstance(node.target, ast.Name):
                self.more.add(node.target.id)
            self.expression(node.target, block)
        elif isinstance(node, ast.If):
            self.expression(node.test, block)
            self.block(node.body, block)
            self.block(node.orelse, block)
        elif isinstance(node, ast.While):
            inside = len(self.parents)
            self.parents.append(block)
            self.expression(node.test, inside)
            self.block(node.body, inside)
        elif isinstance(node, ast.For):
            self.expression(node.iter, block)
            inside = len(self.parents)
            self.parents.append(block)
            self.target(node.target, inside)
            self.block(node.body, inside)
        else:
            self.expression(node, block)

    def target(self, node: ast.expr, block: int) -> None:
        if isinstance(node, ast.Name):
            if node.id in self.assigned:
                self.more.add(node.id)
            self.time += 1
            self.assigned[node.id] = (block, self.time)
        elif isinstance(node, ast.Tuple):
            for one in node.elts:
                self.target(one, block)
        else:
            self.expression(node, block)

    def expression(self, node: ast.AST, block: int) -> None:
        self.time += 1
        for one in nodes_of(node):
            if isinstance(one, ast.Name):
                self.loaded.append((one.id, block, self.time))


def single_values(function: ast.FunctionDef) -> set[str]:
    """The variables that are assigned in one place, and read only after it and within its block."""
    places = _Places()
    for argument in function.args.args:
        places.assigned[argument.arg] = (0, 0)
    places.block(function.body, 0)
    single = {name for name in places.assigned if name not in places.more}
    for name, block, time in places.loaded:
        if name in single:
            home, since = places.assigned[name]
            while block > home:
                block = places.parents[block]
            if block != home or time < since:
                single.discard(name)
    return single
