"""The view of converted code for people: the user's expressions are in it as they were written."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
import textwrap
import types
from typing import Any

import pytest

import autograph as ag
from autograph.errors import StagingError
from tests import conversion_programs
from tests.corpus import all_programs

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
CONTROL = (
    *(ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.IfExp, *COMPREHENSIONS),
    *(ast.Yield, ast.YieldFrom, ast.Return, ast.Nonlocal, ast.Global, ast.ClassDef),
)
"""What is converted, or made known to operators; `return` where it is not the last."""
COMPARED = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Attribute, ast.Subscript),
    *(ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.NamedExpr, ast.Lambda),
)
OPERATORS_OF_EXPRESSIONS = {
    *("add", "sub", "mul", "truediv", "call", "attr", "item", "lt", "eq", "and_", "or_", "joined"),
    *("set_attr", "set_item", "aug_add", "compare_chain", "not_", "neg", "call_named"),
}

LOADS = ("ag__.load", "ag__.load_free", "ag__.load_global")


SHARE = 8
"""One program of the corpus in so many is looked at."""


def functions() -> dict[str, Any]:
    """Every program of the corpus and of the conversion, by name, whose source stands alone."""
    found: dict[str, Any] = {}
    for program in all_programs()[::SHARE]:
        if isinstance(program.source, types.FunctionType):
            found[f"corpus.{program.name}"] = program.source
    for info in pkgutil.iter_modules(conversion_programs.__path__, "tests.conversion_programs."):
        for name, one in vars(importlib.import_module(info.name)).items():
            if isinstance(one, types.FunctionType) and one.__module__ == info.name:
                found[f"{info.name}.{name}"] = one
    return found


FUNCTIONS = functions()
FUNCTIONS.pop("tests.conversion_programs.stores.annotated")  # targets without a value are no more


@functools.cache
def original(function: Any) -> ast.FunctionDef | None:
    """The definition as it was written; None for a lambda."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    return tree if isinstance(tree, ast.FunctionDef) else None


@functools.cache
def shown(function: Any) -> ast.FunctionDef | None:
    """The readable view, parsed; None where the function is refused."""
    try:
        text = ag.to_code(function)
    except StagingError:
        return None
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def spelled(tree: ast.AST) -> set[str]:
    """How the expressions of a tree are spelled."""
    return {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.expr)}


def is_kept(node: ast.AST, seen_unset: set[str]) -> bool:
    """Whether nothing in an expression is converted: the rest is spelled as it was."""
    for one in ast.walk(node):
        if isinstance(one, (ast.IfExp, *COMPREHENSIONS, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(one, ast.Name) and (one.id in seen_unset or one.id == "super"):
            return False
        if isinstance(one, ast.Attribute) and one.attr.startswith("__"):
            return False  # private names are spelled out
        if isinstance(one, ast.Lambda) and one.args.kwarg is not None:
            return False  # becomes a definition
    return True


def unset_names(tree: ast.AST) -> set[str]:
    """The names that are loaded through an operator, since they may be unset."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in LOADS:
            found.add(ast.literal_eval(node.args[1]))
    return found


def user_expressions(tree: ast.FunctionDef) -> list[ast.expr]:
    """The expressions of a function's body, but for annotations and patterns."""
    found: list[ast.expr] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr):
            found.append(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "pattern", "type_params"):
                continue
            parts = value if isinstance(value, list) else [value]
            waiting.extend(one for one in parts if isinstance(one, ast.AST))
    return found


def test_expressions_are_there() -> None:
    """All that the user wrote is there, and no operator that stands for an expression."""
    for name, function in FUNCTIONS.items():
        before, after = original(function), shown(function)
        if before is None or after is None:
            continue
        assert not _operators(after) & OPERATORS_OF_EXPRESSIONS, name
        unset, texts = unset_names(after), spelled(after)
        for node in user_expressions(before):
            dead = "never" in ast.unparse(node)  # code that is never reached is left out
            if isinstance(node, COMPARED) and is_kept(node, unset) and not dead:
                assert ast.unparse(node) in texts, f"{name}\n{ast.unparse(after)}"


def _operators(tree: ast.AST) -> set[str]:
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "ag__"
    }


def test_functions_without_control_flow_are_as_written() -> None:
    compared = 0
    for name, function in FUNCTIONS.items():
        before, after = original(function), shown(function)
        if before is None or after is None or not _is_straight(before):
            continue
        if unset_names(after) or any(isinstance(one, ast.AnnAssign) for one in ast.walk(before)):
            continue
        if before.args.kwarg is not None:  # its dict is made known as new
            continue
        compared += 1
        assert list(map(ast.dump, before.body)) == list(map(ast.dump, after.body)), name
    assert compared > 30


def _is_straight(tree: ast.FunctionDef) -> bool:
    inner = [one for part in tree.body for one in ast.walk(part)]
    if any(isinstance(one, ast.FunctionDef | ast.Lambda) for one in inner):
        return False
    if not all(is_kept(one, set()) for one in tree.body):
        return False
    converted = [one for one in inner if isinstance(one, CONTROL)]
    return all(isinstance(one, ast.Return) and one is tree.body[-1] for one in converted)


@pytest.mark.parametrize("raw", [False, True])
def test_lines_are_the_users(raw: bool) -> None:
    """Each printed line that tells a place of the user's has an expression of it in it."""

    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    text = ag.to_code(steps, raw=raw)
    lines, source = text.split("\n"), inspect.getsource(inspect.getmodule(steps)).split("\n")
    words = {"count += 1": "aug_add(count, 1)", "return count": "return count", "3 * n": "(3, n)"}
    for written, emitted in words.items():
        wanted = emitted if raw else written
        number = next(place for place, line in enumerate(lines, 1) if wanted in line)
        (place,) = text.origins[number]
        assert written in source[place.line - 1]


def test_the_heading_is_one_line() -> None:
    text = ag.to_code(test_the_heading_is_one_line)
    assert text.startswith("# Expressions stand as written") and text.split("\n")[1][:3] == "def"
    assert ag.to_code(test_the_heading_is_one_line, raw=True).startswith("def")
