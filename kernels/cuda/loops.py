"""The loops of a program: which turns are apart, and what a loop gathers of all of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autograph.kernels.codegen.kernel import nodes_of
from autograph.kernels.cuda.accesses import called

APART = frozenset(("parallel_range", "apart_range"))
"""The ranges of loops whose turns need nothing of each other."""
GATHER = "gather_range"
_KINDS = {ast.Add: "sum", ast.Mult: "product", ast.BitOr: "any", ast.BitAnd: "all"}
_CALLS = {
    "gather_sum": "sum",
    "gather_product": "product",
    "gather_max": "max",
    "gather_min": "min",
}


def range_name(loop: ast.For) -> str:
    """What a loop goes over: "range", "parallel_range", "apart_range" or "gather_range"."""
    return called(loop.iter) or ""


def plain_text(node: ast.AST) -> str:
    """The text, its ranges as plain ones: the turns are all of one lane."""
    return ast.unparse(_Plain().visit(ast.parse(ast.unparse(node)))).strip()


class _Plain(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in (*APART, GATHER):
            return ast.Call(ast.Name("range", ast.Load()), node.args[:1], [])
        return node


def renamed(node: ast.expr, names: dict[str, str]) -> str:
    """The text of an expression with other names for the functions that it calls."""
    made = ast.parse(ast.unparse(node), mode="eval").body
    for one in nodes_of(made):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
            one.func.id = names.get(one.func.id, one.func.id)
    return ast.unparse(made)


def inner_apart(body: Sequence[ast.stmt]) -> ast.For | None:
    """The only loop of a body, or the only one in it, whose turns are apart."""
    loops = [one for one in body if isinstance(one, ast.For)]
    if len(loops) != 1:
        return None
    return loops[0] if range_name(loops[0]) in APART else inner_apart(loops[0].body)


def is_of_products(loop: ast.For) -> bool:
    """Whether each turn is a product of matrices, after where its operands lie."""
    *before, last = loop.body
    if not isinstance(last, ast.Expr) or called(last.value) != "multiply_matrices":
        return False
    return all(
        isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) for one in before
    )


def returns(loop: ast.For) -> bool:
    """Whether a loop leaves the function."""
    return any(isinstance(one, ast.Return) for one in nodes_of(loop))


def is_test(loop: ast.For) -> bool:
    """Whether a loop leaves the function where one test holds, and has no other loops and tests."""
    tests = [one for one in loop.body if isinstance(one, ast.If)]
    others = [one for one in loop.body if not isinstance(one, ast.If)]
    return (
        len(tests) == 1
        and isinstance(tests[0].body[-1], ast.Return)
        and not tests[0].orelse
        and all(isinstance(one, ast.Assign) for one in others)
    )


def gathering(loop: ast.For, name: str) -> str | None:
    """How a loop gathers a variable: "sum", "product", "max", "min", "any", "all"; None: not."""
    found = None
    for one in nodes_of(loop):
        if isinstance(one, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in one.targets
        ):
            kind = _kind_of(one.value, name)
            if kind is None or found not in (None, kind):
                return None
            found = kind
    return found


def _kind_of(value: ast.expr, name: str) -> str | None:
    def is_it(node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == name

    if isinstance(value, ast.BinOp) and is_it(value.left):
        return _KINDS.get(type(value.op))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.args:
        function = value.func.id
        if is_it(value.args[0]) and len(value.args) == 2:
            if function in _CALLS:
                return _CALLS[function]
            for word, kind in (("maximum", "max"), ("minimum", "min")):
                if function.startswith(word):
                    return kind
        if len(value.args) == 1:
            return _kind_of(value.args[0], name)
    return None


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether what follows a body in its loop is never reached from it."""
    return isinstance(body[-1], ast.Return | ast.Break | ast.Continue)
