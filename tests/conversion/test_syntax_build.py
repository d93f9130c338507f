"""A function built from a tree stands for the original: same cells, globals, lines, names."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from autograph.conversion.syntax import tree as syntax
from autograph.conversion.syntax.build import build, compile_tree, instantiate, is_converted
from autograph.conversion.syntax.source import source_of
from autograph.runtime.core.location import function_name
from tests.conversion.test_syntax_source import run_text

AG = SimpleNamespace(twice=lambda x: 2 * x)
SCALE = 10


def rebuilt(function: Any, change: Callable[[Any], None] | None = None) -> Any:
    source = source_of(function)
    if change is not None:
        change(source.tree)
    return build(source.function, source.tree, AG, source.class_name)


def plain(a: int, /, b: int = 2, *rest: int, c: int, d: int = 4, **others: int) -> tuple[Any, ...]:
    """The docstring."""
    return a, b, rest, c, d, others, SCALE


def test_signature_defaults_and_attributes_are_kept() -> None:
    plain.__dict__["mark"] = 7
    made = rebuilt(plain)
    assert made(1, c=3) == plain(1, c=3)
    assert made(1, 5, 6, 7, c=8, d=9, e=10) == plain(1, 5, 6, 7, c=8, d=9, e=10)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__", "mark"):
        assert getattr(made, name) == getattr(plain, name)
    assert made.__kwdefaults__ == plain.__kwdefaults__
    assert made.__kwdefaults__ is not plain.__kwdefaults__
    assert made.__globals__ is plain.__globals__
    with pytest.raises(TypeError, match=r"plain\(\) missing 1 required"):
        made()


def test_positional_only_parameters_stay_so() -> None:
    with pytest.raises(TypeError, match="positional"):
        rebuilt(plain)(a=1, c=2)


def test_cells_are_shared_both_ways() -> None:
    count = 0

    def counter() -> int:
        nonlocal count
        count += 1
        return count

    made = rebuilt(counter)
    assert [counter(), made(), counter(), made(), count] == [1, 2, 3, 4, 4]


def test_one_code_serves_every_closure() -> None:
    def make(n: int) -> Callable[[int], int]:
        return lambda x: x + n

    first, second = make(1), make(20)
    code = compile_tree(first, source_of(first).tree)  # type: ignore[arg-type]
    made = [instantiate(code, each, AG) for each in (first, second)]  # type: ignore[arg-type]
    assert [each(5) for each in made] == [6, 25]


def test_an_empty_cell_stays_unbound() -> None:
    def recursive(n: int) -> int:
        return 0 if n == 0 else recursive(n - 1) + later

    made = rebuilt(recursive)
    with pytest.raises(NameError, match="later"):
        made(1)
    later = 3
    assert made(2) == 6


class Base:
    def greet(self, x: int) -> int:
        return x * 2


class _Derived(Base):
    def __init__(self) -> None:
        self.__hidden = 5

    def greet(self, x: int, __y: int = 1) -> int:
        def inner() -> type:
            return __class__  # type: ignore[name-defined,no-any-return]

        assert inner() is _Derived
        return super().greet(x) + self.__hidden + __y


def test_super_class_cells_and_private_names() -> None:
    assert rebuilt(_Derived.greet)(_Derived(), 3) == _Derived().greet(3) == 12


def test_ag_is_a_name_of_the_tree_only() -> None:
    def change(tree: Any) -> None:
        name = syntax.name_load("ag__", tree.body[0])
        twice = syntax.attribute(name, "twice", tree.body[0])
        tree.body[0].value = syntax.call(twice, tree.body[0].value, at=tree.body[0])

    def f(x: int) -> int:
        return x + 1

    assert rebuilt(f, change)(4) == 10
    assert "ag__" not in f.__globals__


def test_what_is_converted() -> None:
    def f() -> Any:
        return lambda: 1

    made = rebuilt(f)
    assert is_converted(made) and is_converted(made())
    # The original is equal code, and is not converted all the same.
    assert not is_converted(f) and not is_converted(f())
    assert not is_converted(len) and not is_converted(3)


def fails(x: int) -> float:
    y = x + 1
    return (
        y
        / 0
    )  # fmt: skip


def test_errors_have_the_users_lines_and_names() -> None:
    entries = []
    for function in (fails, rebuilt(fails)):
        with pytest.raises(ZeroDivisionError) as raised:
            function(1)
        last = traceback.extract_tb(raised.value.__traceback__)[-1]
        columns = (last.colno, last.end_colno)
        entries.append((last.filename, last.lineno, last.end_lineno, columns, last.name, last.line))
    assert entries[0] == entries[1]


def test_emitted_functions_are_named_after_the_user() -> None:
    def change(tree: Any) -> None:
        inner = syntax.copy_tree(tree)
        inner.name = "ag__then_1"
        tree.body = [inner, syntax.copy_location(syntax.Return(None), inner)]
        tree.body[1].value = syntax.name_load("ag__then_1", inner)

    def f() -> Any:
        raise ValueError("here")

    body = rebuilt(f, change)()
    assert body.__code__.co_name == "f"
    assert body.__qualname__ == f.__qualname__ + ".<locals>.ag__then_1"
    assert function_name(body.__code__) == "f"


def test_thunks_are_named_after_the_user_and_lambdas_are_not() -> None:
    def change(tree: Any) -> None:
        at = tree.body[1].value
        thunk = syntax.copy_location(syntax.Lambda(syntax.arguments_of(), at), at)
        tree.body[1].value = syntax.Tuple([syntax.name_load("g", at), thunk], syntax.Load())

    def f(x: int) -> Any:
        g = lambda: x  # noqa: E731
        return x + g()

    own, thunk = rebuilt(f, change)(4)
    assert (own.__name__, thunk.__name__) == ("<lambda>", "f")
    assert thunk() == 8


def test_a_lambda_may_become_a_function() -> None:
    f = lambda x, y=3: x * y  # noqa: E731
    source = source_of(f)
    node = source.tree
    body = [syntax.copy_location(syntax.Return(node.body), node)]
    definition = syntax.FunctionDef("ag__lambda", node.args, body, [], None, None, [])
    made = build(source.function, syntax.copy_location(definition, node), AG)
    assert made(2) == 6
    assert made.__code__.co_name == "<lambda>"
    assert made.__code__.co_qualname == f.__code__.co_qualname


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters() -> None:
    f = run_text("<generic>", "def f[T: int](x: T) -> T:\n    return T, x\n")["f"]
    made = rebuilt(f)
    assert made(1) == f(1) == (f.__type_params__[0], 1)
    assert made.__type_params__ == f.__type_params__
    assert made.__annotations__ == f.__annotations__
