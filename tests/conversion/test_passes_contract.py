"""What every converted tree keeps: positions, names, no construct left over, the given tree."""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from autograph.conversion.passes.context import FreshNames, names_in
from autograph.conversion.pipeline import PASSES, convert_tree
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.build import build
from autograph.conversion.syntax.source import source_of
from autograph.conversion.syntax.unparse import to_text
from tests.conversion.test_passes import PROGRAMS
from tests.fuzz.test_passes_random import compiled
from tests.harness import plain_operators
from tests.harness.conversion_harness import Program, converted, converted_tree, text_of

GONE = (
    t.Match,
    t.While,
    t.Compare,
    t.BoolOp,
    t.IfExp,
    t.AugAssign,
    t.Subscript,
    t.JoinedStr,
    t.Assert,
)
GONE_COMPREHENSIONS = (t.ListComp, t.SetComp, t.DictComp)


def tree_of(text: str) -> Any:
    return t.ast_to_gast(ast.parse(text)).body[0]


def parts(tree: Any) -> list[Any]:
    """The nodes of a converted tree that conversion reaches: not classes, not generators."""
    found = []
    pending = [*tree.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (t.ClassDef, t.ExceptHandler)):
            pending.extend(getattr(node, "body", []) if isinstance(node, t.ExceptHandler) else [])
            continue
        found.append(node)
        if isinstance(node, t.FunctionDef):
            generator = any(isinstance(each, (t.Yield, t.YieldFrom)) for each in t.walk(node))
            pending.extend([] if generator else node.body)
            continue
        pending.extend(t.iter_child_nodes(node))
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_every_program(program: Program) -> None:
    source = source_of(program)
    before = t.dump(source.tree, include_attributes=True)
    tree = converted_tree(program)
    assert t.dump(source_of(program).tree, include_attributes=True) == before
    lines = range(source.tree.lineno, source.tree.end_lineno + 1)
    for node in t.walk(tree):
        if "lineno" in node._attributes:
            assert node.lineno in lines and node.end_lineno in lines
            assert node.col_offset is not None and node.end_col_offset is not None
    for node in parts(tree):
        assert not isinstance(node, (*GONE, *GONE_COMPREHENSIONS, t.If, t.For)), text_of(program)
        if isinstance(node, t.Call):
            assert isinstance(node.func, (t.Attribute, t.Name))
    assert ast.parse(to_text(tree)[0])
    assert text_of(program) == to_text(tree)[0]


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.__name__)
def test_each_pass_shows_a_program(each: Any) -> None:
    assert "Before" in each.__doc__ and "After" in each.__doc__


def fails_in_branch(a: Any, b: Any) -> Any:
    if a:
        for i in range(3):
            total = [
                i,
                a // b,
            ]
    else:
        total = (
            a.missing
            + 1
        )  # fmt: skip
    return [
        x
        for x in total
        if x.nothing
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "line", "text"),
    [((1, 0), 5, "a // b"), ((0, 0), 9, "a.missing"), ((1, 1), 15, "x.nothing")],
)
def test_tracebacks_show_the_users_lines(arguments: tuple[Any, ...], line: int, text: str) -> None:
    with pytest.raises(Exception) as caught:
        converted(fails_in_branch)(*arguments)
    frames = traceback.extract_tb(caught.value.__traceback__)
    last = [each for each in frames if each.filename == __file__][-1]
    assert last.lineno == fails_in_branch.__code__.co_firstlineno + line
    assert last.line is not None and text in last.line


def test_a_class_name_spells_out_private_names() -> None:
    text = to_text(convert_tree(tree_of("def f(self): self.__x = super().f()"), class_name="_A"))[0]
    assert '"_A__x"' in text
    assert "ag__.call(super, __class__, self)" in text
    plain = to_text(convert_tree(tree_of("def f(self): self.__x = super().f()")))[0]
    assert '"__x"' in plain and "ag__.call(super)" in plain


def test_names_avoid_globals_and_each_other() -> None:
    tree = tree_of("def f(x):\n  if x: return 1\n  while x: x = ag__test_1(x)")
    taken = {"ag__then_1", "ag__result", "ag__body_1"}
    made = names_in(convert_tree(tree, global_names=taken)) - names_in(tree)
    assert not made & taken
    assert {"ag__then_2", "ag__result_1", "ag__body_2", "ag__test_2"} <= made


def test_fresh_names() -> None:
    names = FreshNames({"ag__b_2", "ag__x"})
    assert names.numbered("a", "b") == ["ag__a_1", "ag__b_1"]
    assert names.numbered("a", "b") == ["ag__a_3", "ag__b_3"]
    assert names.numbered("b") == ["ag__b_4"]
    assert [names.unnumbered("x"), names.unnumbered("y")] == ["ag__x_1", "ag__y"]
    assert names.given == {
        "ag__a_1", "ag__b_1", "ag__a_3", "ag__b_3", "ag__b_4", "ag__x_1", "ag__y",
    }  # fmt: skip


LAMBDAS: list[tuple[Callable[..., Any], type]] = [
    (lambda x, y=2: x + y if x > 1 else -x, t.Lambda),
    (lambda x, y=2: [i * y for i in range(x)], t.FunctionDef),
    (lambda x, y=2: (x and (z := x + y)) or z, t.FunctionDef),
    (lambda x, y=2: sum(z := i for i in range(x)) + z, t.FunctionDef),
    (lambda x, y=2: (z := x) + z, t.Lambda),
]


@pytest.mark.parametrize(("function", "kind"), LAMBDAS)
def test_a_lambda(function: Callable[..., Any], kind: type) -> None:
    assert isinstance(converted_tree(function), kind)
    other = converted(function)
    assert other.__name__ == "<lambda>"
    assert [other(n) for n in (1, 2, 5)] == [function(n) for n in (1, 2, 5)]
    assert other(3, 4) == function(3, 4)


def nested(depth: int, head: str, last: str) -> str:
    lines = [" " * (level + 1) + head.format(level) for level in range(depth)]
    return "\n".join([*lines, " " * (depth + 1) + last, " return a\n"])


DEEP = {
    "sum": " return " + " + ".join(["a"] * 1000),
    "and": " return " + " and ".join(["a"] * 300),
    "ifs": nested(30, "if a > {0} - 40:", "a += 1"),
    "loops": nested(18, "for x{0} in (a,):", "a += 1"),
    "elifs": " if a > 9: pass\n"
    + "".join(f" elif a == {n}: a = {-n}\n" for n in range(100))
    + " return a",
    "guards": "".join(f" if a == {n}: return {n}\n" for n in range(2, 200)),
    "returns": "".join(
        f" if a > {n}:\n  a += 1\n  if a > 150: return {n}\n" for n in range(100)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DEEP)
def test_deep_programs(name: str) -> None:
    function = compiled(f"def program(a):\n{DEEP[name]}\n")
    other = converted(function)
    for a in (-3, 1, 7, 60, 149):
        assert other(a) == function(a)


def make_counter() -> Any:
    count = 0

    def step(by: Any) -> Any:
        nonlocal count
        if by > 0:
            count += by
        return count

    return step


def test_a_closure_shares_its_cells() -> None:
    step = make_counter()
    other = build(step, converted_tree(step), plain_operators, None)
    assert [other(1), step(2), other(3), step(0)] == [1, 3, 6, 6]


def prologue(body: str) -> list[str]:
    """The lines of the converted function that start with what operators must know."""
    text = to_text(convert_tree(tree_of(f"def f(a):\n{body}")))[0]
    words = ("ag__.touch", "ag__.born", "nonlocal", "global")
    return [line.strip() for line in text.splitlines() if line.strip().startswith(words)]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (" global g\n g = a", ["global g", 'ag__.touch_globals(lambda: 0, "g")']),
        (" global g\n return g", ["global g"]),
        (" nonlocal n\n n += a", ["nonlocal n", 'ag__.touch_cells(lambda: (n,), "n")']),
        (
            " nonlocal n\n if a: n = a",
            ["nonlocal n", "nonlocal n", 'ag__.touch_cells(lambda: (n,), "n")'],
        ),
        (
            " global g\n if a: g = n = 1\n return n",
            ["global g", "global g", "nonlocal n", 'ag__.touch_globals(lambda: 0, "g")'],
        ),
        (
            " n = 0\n def h():\n  nonlocal n\n  n = 1",
            ["ag__.born(lambda: (n,))", "nonlocal n", 'ag__.touch_cells(lambda: (n,), "n")'],
        ),
        (" global g\n import x as g", ["global g", 'ag__.touch_globals(lambda: 0, "g")']),
        (" x = 1\n return lambda: x", []),
    ],
)
def test_what_a_function_announces(body: str, lines: list[str]) -> None:
    assert prologue(body) == lines


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (" if a: x = 1\n return x", '("x",)'),
        (" x = 0\n if a: x = 1\n x = 2\n return x", "()"),
        (" if a: x = y = 1\n return y", '("y",)'),
        (" while a: t = a; a = t - 1", '("a",)'),
        (" for x in a: t = x\n return t", '("t",)'),
        (" for x in a: a = x", "()"),
        (" x = 0\n for y in a: x += y\n return x", '("x",)'),
        (" if a: x = 1\n return lambda: x", '("x",)'),
        (" try:\n  if a: x = 1\n except a: print(x)", '("x",)'),
        (" if a: del a", "()"),
        (" if a:\n  return 1\n else:\n  return 2", '("ag__result",)'),
        (" n = 0\n def h():\n  nonlocal n\n  n = 1\n if a: h(); print(n)", '("n",)'),
    ],
)
def test_the_names_of_a_statement(body: str, names: str) -> None:
    text = to_text(convert_tree(tree_of(f"def f(a):\n{body}")))[0]
    found = re.findall(r"_stmt\(.*?(\([^()]*\))\)$", text, re.MULTILINE)
    assert set(found) == {names}
