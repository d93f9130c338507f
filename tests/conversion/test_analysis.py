"""Scopes, exits, definite assignment and liveness of functions, on small trees."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from autograph.conversion.analysis.assignment import mark_unassigned
from autograph.conversion.analysis.exits import exits_of
from autograph.conversion.analysis.liveness import Liveness, liveness_of
from autograph.conversion.analysis.scopes import Scope, converted_functions, scope_of, walrus_names
from autograph.conversion.analysis.tables import NodeTable
from autograph.conversion.syntax import tree as t


def function(body: str, parameters: str = "a, b") -> Any:
    """The tree of a function with this body."""
    text = f"def f({parameters}):\n{textwrap.indent(textwrap.dedent(body), '    ')}"
    return t.ast_to_gast(ast.parse(text)).body[0]


def scope(body: str, parameters: str = "a, b") -> Scope:
    return scope_of(function(body, parameters))


def unassigned(body: str) -> list[tuple[int, str]]:
    """The reads that are marked: line of the body, and name."""
    tree = function(body)
    marks: NodeTable[bool] = NodeTable()
    mark_unassigned(tree, scope_of(tree), marks)
    return sorted((node.lineno - 1, node.id) for node in marks.nodes())


def live_after(body: str, line: int) -> str:
    """The names live after the statement on a line of the body, sorted and joined."""
    tree = function(body)
    answers = liveness_of(tree, scope_of(tree), {})
    return " ".join(sorted(answers.after[statement_on(tree, line)]))


def live_at_header(body: str, line: int = 1) -> str:
    tree = function(body)
    answers: Liveness = liveness_of(tree, scope_of(tree), {})
    return " ".join(sorted(answers.header[statement_on(tree, line)]))


def statement_on(tree: Any, line: int) -> Any:
    return next(
        node
        for node in t.walk(tree)
        if isinstance(node, t.stmt) and node is not tree and node.lineno == line + 1
    )


class TestScopes:
    def test_every_binding_form_is_a_local_name(self) -> None:
        body = """
        x = y, *z = 1, 2
        for i, (j, k) in a: pass
        with a as m, b as (n, o): pass
        try: import p, q.r, s as t
        except OSError as u: pass
        (v := 1)
        def w(): hidden = 1
        class A: also_hidden = 1
        from c import d as e, g
        [inner for inner in (h := a)]
        del gone
        x.attribute = x[0] = 1
        l: int
        """
        names = scope(body).local_names
        assert names == set("abxyzijkmnoptuvwAeghl") | {"q", "gone"}

    def test_global_and_nonlocal_names_are_not_local(self) -> None:
        found = scope("global g\nnonlocal n\ng = n = x = 1")
        assert found.local_names == {"a", "b", "x"}
        assert found.free == {"n"}

    @pytest.mark.parametrize(
        ("body", "captured"),
        [
            ("g = lambda: a", {"a"}),
            ("g = lambda a: a + b", {"b"}),
            ("g = lambda x=a: x", set()),
            ("def g(): return a", {"a"}),
            ("def g():\n    a = 1\n    return a", set()),
            ("def g():\n    def h(): return b\n    return h", {"b"}),
            ("def g():\n    global a\n    return a", set()),
            ("class A:\n    x = a\n    def m(self): return b", {"a", "b"}),
            ("class A(a): pass", set()),
            ("g = (x + b for x in a)", {"b"}),
            ("g = (y for x in a for y in b)", {"b"}),
        ],
    )
    def test_captured(self, body: str, captured: set[str]) -> None:
        assert scope(body).captured(set()) == captured

    def test_functions_called_in_place_capture_only_what_stays(self) -> None:
        body = "def g(items):\n    for x in items: yield_(lambda: a, b)"
        assert scope(body).captured(set()) == {"a", "b"}
        assert scope(body).captured({"g"}) == {"a"}

    def test_rebound_and_unset_within(self) -> None:
        body = """
        x = y = 1
        def g():
            nonlocal x
            def h():
                nonlocal y
                del y
            x = 2
        class A:
            nonlocal b
            b = 1
        """
        assert scope(body).rebound_within == {"b", "x", "y"}
        assert scope(body).unset_within == {"y"}

    def test_walrus_names(self) -> None:
        body = "[(x := i) for i in (y := a)] + [lambda k=(z := 1): (hidden := 2)]"
        assert set(walrus_names(function(body).body[0].value)) == {"x", "y", "z"}

    def test_parameters_in_order(self) -> None:
        found = scope("pass", "p, /, q, *r, s=1, **u")
        assert found.parameters == ["p", "q", "r", "s", "u"]

    def test_converted_functions(self) -> None:
        body = """
        def g(): return lambda: (lambda: 1)
        class A:
            def method(self): pass
        def h():
            yield
            def inside(): pass
        async def i(): pass
        """
        found = list(converted_functions(function(body)))
        named = [each.name for each in found if isinstance(each, t.FunctionDef)]
        assert named == ["f", "g", "method", "h", "inside"]
        assert len(found) == 7


class TestExits:
    @pytest.mark.parametrize(
        ("body", "completes", "escapes"),
        [
            ("pass", True, ""),
            ("return a", False, "return"),
            ("raise a", False, ""),
            ("if a: return", True, "return"),
            ("if a: return\nelse: raise b", False, "return"),
            ("while a: break", True, ""),
            ("while True: pass", False, ""),
            ("while True:\n    if a: break", True, ""),
            ("while True:\n    if a: return", False, "return"),
            ("while a: return\nelse: return", False, "return"),
            ("while a: break\nelse: return", True, "return"),
            ("for x in a: return", True, "return"),
            ("for x in a:\n    for y in b: pass\n    else: break\nelse: return", True, "return"),
            ("with a: return", True, "return"),
            ("try: return\nexcept a: pass", True, "return"),
            ("try: return\nexcept a: raise", False, "return"),
            ("try: pass\nexcept a: raise\nelse: return", False, "return"),
            ("try: pass\nfinally: return", False, "return"),
            ("def g(): return", True, ""),
            ("raise a\nreturn b", False, ""),
        ],
    )
    def test_exits(self, body: str, completes: bool, escapes: str) -> None:
        found = exits_of(function(body).body)
        assert (found.completes, " ".join(sorted(found.escapes))) == (completes, escapes)

    def test_escapes_of_a_loop_body(self) -> None:
        loop = function("for x in a:\n    if x: break\n    if b: continue\n    return x").body[0]
        found = exits_of(loop.body)
        assert not found.completes
        assert found.escapes == {"break", "continue", "return"}


class TestAssignment:
    @pytest.mark.parametrize(
        "body",
        [
            "return a, b",
            "x = 1\nreturn x",
            "if a: x = 1\nelse: x = 2\nreturn x",
            "if a: x = 1\nelse: raise b\nreturn x",
            "while True:\n    x = 1\n    if a: break\nreturn x",
            "for x in a: print(x)",
            "with a as x: print(x)",
            "try: x = 1\nexcept OSError: return\nreturn x",
            "try: pass\nfinally: x = 1\nreturn x",
            "if (x := a) and x: return x",
            "return (x := a) + x",
            "import x.y\nreturn x",
            "def x(): return x\nreturn x",
            "return undefined",
            "return lambda: x\nx = 1",
            "x = 1\nfor i in a:\n    x += i\nreturn x",
            "return 1\nprint(x)\nx = 1",
        ],
    )
    def test_certainly_assigned(self, body: str) -> None:
        assert unassigned(body) == []

    @pytest.mark.parametrize(
        ("body", "marked"),
        [
            ("print(x)\nx = 1", [(1, "x")]),
            ("if a: x = 1\nreturn x, x", [(2, "x")]),
            ("if a: x = 1\nif b: return x\nreturn x", [(2, "x"), (3, "x")]),
            ("while a: x = 1\nreturn x", [(2, "x")]),
            ("for x in a: pass\nreturn x", [(2, "x")]),
            ("for i in a:\n    if i: print(x)\n    x = 1", [(2, "x")]),
            ("with a: x = 1\nreturn x", []),
            ("try: x = a()\nexcept OSError: pass\nreturn x", [(3, "x")]),
            ("try: x = a()\nfinally: print(x)", [(2, "x")]),
            ("x = 1\ndel x\nreturn x", [(3, "x")]),
            ("x = 1\nfor i in a:\n    print(x)\n    del x", [(3, "x")]),
            ("try: pass\nexcept a as x: pass\nreturn x", [(3, "x")]),
            ("x = 1\ntry: pass\nexcept a as x: pass\nreturn x", [(4, "x")]),
            ("if a: x = 1\nx += 1\nreturn x", [(2, "x")]),
            ("if a: x = 1\ndel x", [(2, "x")]),
            ("a and (x := b)\nreturn x", [(2, "x")]),
            ("y = (x := 1) if a else 2\nreturn x", [(2, "x")]),
            ("if a: x = [1]\nreturn [i for i in x]", [(2, "x")]),
            ("while True:\n    if a: break\n    x = 1\nreturn x", [(4, "x")]),
            ("while a:\n    try: break\n    finally: x = 1\nreturn x", [(4, "x")]),
            ("x = 1\ndef g():\n    nonlocal x\n    del x\ng()\nreturn x", [(6, "x")]),
            ("while a: x = 1\nelse: return x", [(2, "x")]),
        ],
    )
    def test_perhaps_unset(self, body: str, marked: list[tuple[int, str]]) -> None:
        assert unassigned(body) == marked

    def test_break_out_of_try_passes_its_finally(self) -> None:
        body = "while True:\n    try: break\n    finally: x = 1\nreturn x"
        assert unassigned(body) == []

    def test_lambda(self) -> None:
        tree = t.ast_to_gast(ast.parse("lambda a: (a and (x := 1), x)")).body[0].value
        marks: NodeTable[bool] = NodeTable()
        mark_unassigned(tree, scope_of(tree), marks)
        assert [node.id for node in marks.nodes()] == ["x"]


class TestLiveness:
    @pytest.mark.parametrize(
        ("body", "line", "live"),
        [
            ("x = 1\nreturn x", 1, "x"),
            ("x = 1\nx = 2\nreturn x", 1, ""),
            ("x = 1\nif a: x = 2\nreturn x", 1, "a x"),
            ("x = 1\nx += a\nreturn x", 1, "a x"),
            ("x = 1\nx.y = a", 1, "a x"),
            ("x = y = 1\nx[y] = a", 1, "a x y"),
            ("x = 1\ndel x", 1, "x"),
            ("x = 1\nx = x + 1\nreturn", 1, "x"),
            ("x = 1\nwhile a: x = 2", 1, "a"),
            ("x = 1\nwhile a:\n    print(x)\n    x = 2", 1, "a x"),
            ("x = 1\ntry: x = a()\nexcept OSError: pass\nreturn x", 1, "a x"),
            ("x = 1\ntry: a()\nfinally: print(x)", 1, "a x"),
            ("x = 1\nwith a: x = b()\nreturn x", 1, "a b x"),
            ("x = 1\nraise a\nprint(x)", 1, "a"),
            ("x = 1\na and (x := b)\nreturn x", 1, "a b x"),
            ("x = 1\n(x := a)\nreturn x", 1, "a"),
            ("x = 1\ny = x if a else b", 1, "a b x"),
            ("x = 1\nassert a, x", 1, "a x"),
            ("x = 1\ndef x(): pass\nreturn x", 1, ""),
            ("x = 1\nimport x\nreturn x", 1, ""),
            ("x = 1\nfor x in a: print(x)", 1, "a"),
            ("x = 1\nfor x in a: pass\nreturn x", 1, "a x"),
        ],
    )
    def test_after(self, body: str, line: int, live: str) -> None:
        assert live_after(body, line) == live

    @pytest.mark.parametrize("inner", ["def g(): return x", "g = lambda: x", "g = (x for _ in a)"])
    def test_captured_names_are_live_everywhere(self, inner: str) -> None:
        body = f"x = 1\n{inner}\nx = 2\nx = 3"
        assert "x" in live_after(body, 3)
        assert "x" in live_after(body, 4)

    def test_global_names_are_not_tracked(self) -> None:
        assert live_after("global g\ng = 1\nreturn g", 2) == ""

    @pytest.mark.parametrize(
        ("body", "live"),
        [
            ("while a: pass", "a"),
            ("while a:\n    t = b\n    print(t)", "a b"),
            ("while a:\n    print(t)\n    t = b", "a b t"),
            ("while a:\n    x = b\nreturn x", "a b x"),
            ("while a:\n    if b: continue\n    x = 1\n    print(x)", "a b"),
            ("while True:\n    x = 1\n    if a: break\nreturn b", "a b"),
            ("for i in a: print(i)", ""),
            ("for i in a: pass\nreturn i", "i"),
            ("for i in a:\n    s = s + i\nreturn s", "s"),
            ("for i in a:\n    for j in b: s = s + j", "b s"),
            ("for i in a: pass\nelse: print(b)", "b"),
            ("for b.x in a: pass", "b"),
        ],
    )
    def test_header(self, body: str, live: str) -> None:
        assert live_at_header(body) == live

    def test_deep_loops_take_few_rounds(self) -> None:
        lines = [f"{' ' * depth}for x{depth} in a:" for depth in range(18)]
        body = "\n".join([*lines, " " * 18 + "a = a + b"])
        assert live_at_header(body) == "a b"

    def test_where_an_exception_leads(self) -> None:
        body = "x = 1\ntry:\n    x = 2\n    a()\n    x = 3\nexcept OSError: print(x)"
        assert live_after(body, 5) == "x"
        tree = function(body)
        answers = liveness_of(tree, scope_of(tree), {})
        assert answers.raised[statement_on(tree, 5)] == {"x"}
        assert answers.raised[statement_on(tree, 1)] == set()
