"""Comments and empty lines come back where the lines they belong to were printed."""

from __future__ import annotations

import ast
import copy
import inspect
import shlex
import textwrap
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
from autograph.conversion.convert import converted_tree
from autograph.conversion.syntax.comments import with_comments
from autograph.conversion.syntax.unparse import to_text

PROGRAM = '''\
def commented(n, model):
    """Count the steps.

    # no comment
    """
    # before the test
    if n < 1:  # too small
        return -1  # at once

    steps = 0  # start
    while n != 1:  # turns
        if n % 2 == 0:
            n = n // 2
        else:  # not even
            # odd
            n = 3 * n + 1
        steps += 1

    # a long statement
    y = model.method(n, steps,  # first
        # a line of its own
        values=[model.one(1), model.two(2)],  # then
        text="# no comment either", other_text="some other text that is long enough")
    return y  # done
'''
EXPECTED = '''\
def commented(n, model):
    """Count the steps.

    # no comment
    """
    steps: ...
    y: ...
    ag__result = ag__.UNSET_RESULT
    # before the test
    def ag__then_1():
        nonlocal ag__result
        ag__result = -1  # at once
        return ag__.RETURN
    def ag__else_1():
        nonlocal ag__result, steps, y

        steps = 0  # start
        def ag__test_1():
            return ag__.ne(n, 1)
        def ag__body_1():
            nonlocal steps
            def ag__then_2():
                nonlocal n
                n = ag__.floordiv(n, 2)
            def ag__else_2():
                nonlocal n
                # not even
                # odd
                n = ag__.add(ag__.mul(3, n), 1)
            ag__.if_stmt(ag__.eq(ag__.mod(n, 2), 0), ag__then_2, ag__else_2, ("n",))
            steps = ag__.aug_add(steps, 1)
        ag__.while_stmt(ag__test_1, ag__body_1, None, ("n", "steps"))  # turns

        # a long statement
        # a line of its own
        y = ag__.call(  # first
            ag__.attr(model, "method"),
            n,
            steps,
            values=ag__.new(  # then
                [ag__.call(ag__.attr(model, "one"), 1), ag__.call(ag__.attr(model, "two"), 2)]
            ),
            text="# no comment either",
            other_text="some other text that is long enough",
        )
        ag__result = y  # done
        return ag__.RETURN
    ag__.if_stmt(ag__.lt(n, 1), ag__then_1, ag__else_1, ("ag__result",))  # too small
    return ag__.returned(ag__result)
'''


def function_of(path: Path, text: str, name: str) -> Any:
    path.write_text(text, encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), names)
    return names[name]


def test_where_comments_go(tmp_path: Path) -> None:
    function = function_of(tmp_path / "commented.py", PROGRAM, "commented")
    assert str(ag.to_code(function, raw=True)) == EXPECTED


def test_each_line_knows_the_users(tmp_path: Path) -> None:
    path = tmp_path / "commented.py"
    text = ag.to_code(function_of(path, PROGRAM, "commented"), raw=True)
    user, printed = PROGRAM.splitlines(), text.splitlines()
    for number, places in text.origins.items():
        (place,) = places
        assert (place.filename, place.function) == (str(path), "commented")
        comment = printed[number - 1].partition("  # ")[2]
        if comment and "text=" not in printed[number - 1]:
            assert user[place.line - 1].endswith(f"# {comment}")
    unknown = [line for number, line in enumerate(printed, 1) if number not in text.origins]
    assert all(not line.strip() or line.strip().startswith("#") for line in unknown)


def test_methods_are_indented_less(tmp_path: Path) -> None:
    text = "class Model:\n    def step(self, x):\n        # twice\n        return x * 2\n"
    model = function_of(tmp_path / "model.py", text, "Model")
    assert "    # twice\n    return ag__.mul(x, 2)\n" in ag.to_code(model.step, raw=True)


def test_lambdas_have_none() -> None:
    twice = lambda x: (  # noqa: E731
        x * 2  # twice
    )
    assert str(ag.to_code(twice, raw=True)) == "lambda x: ag__.mul(x, 2)\n"


@pytest.mark.parametrize("module", [textwrap, copy, shlex], ids=lambda module: module.__name__)
def test_the_tree_stays_the_same(module: Any) -> None:
    for function in vars(module).values():
        if not inspect.isfunction(function) or function.__module__ != module.__name__:
            continue
        try:
            tree, source = converted_tree(function)
        except ag.StagingError:
            continue
        text, line_map = to_text(tree)
        commented, _ = with_comments(text, line_map, source.text, source.first_line)
        assert ast.dump(ast.parse(commented)) == ast.dump(ast.parse(text))
