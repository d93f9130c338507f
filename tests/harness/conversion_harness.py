"""Runs a function and its conversion by the passes, and compares everything they do.

A program is a function whose first parameter is `log`: it records events. Both runs get arguments
made afresh. Compared are the result, the exception's type and message, the log and the output.
"""

from __future__ import annotations

import contextlib
import copy
import io
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from autograph.conversion.pipeline import convert_tree
from autograph.conversion.syntax.build import build
from autograph.conversion.syntax.source import source_of
from autograph.conversion.syntax.tree import Node
from autograph.conversion.syntax.unparse import to_text
from tests.harness import plain_operators

Program = Callable[..., Any]


@dataclass(frozen=True)
class Outcome:
    """What one run did."""

    result: str
    error: str
    line: int  # where the error was raised, as far as in the program's own file
    log: tuple[str, ...]
    output: str


def inputs(*examples: tuple[Any, ...]) -> Callable[[Program], Program]:
    """Mark a program with the arguments to run it with, after `log`."""

    def mark(function: Program) -> Program:
        function.__dict__["examples"] = examples
        return function

    return mark


def examples_of(program: Program) -> tuple[tuple[Any, ...], ...]:
    """The arguments that a program is marked with."""
    return tuple(program.__dict__.get("examples", ()))


def converted_tree(function: Any) -> Node:
    source = source_of(function)
    names = {*function.__globals__, *dir(__builtins__)}
    return convert_tree(source.tree, class_name=source.class_name, global_names=names)


def converted(function: Any) -> Any:
    """The function rebuilt from its converted tree, over the plain operators."""
    class_name = source_of(function).class_name
    return build(function, converted_tree(function), plain_operators, class_name)


def text_of(function: Any) -> str:
    return to_text(converted_tree(function))[0]


def outcome(function: Program, arguments: tuple[Any, ...], filename: str | None = None) -> Outcome:
    """Run a program with a log of its own. Errors are located in its file, or the one given."""
    events: list[str] = []

    def log(*values: Any) -> Any:
        events.append(" ".join(map(repr, values)))
        return values[0] if values else None

    result = error = ""
    line = 0
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            result = repr(function(log, *copy.deepcopy(arguments)))
        except Exception as caught:
            error = f"{type(caught).__name__}: {caught} / {caught.__cause__!r}"
            frames = traceback.extract_tb(caught.__traceback__)
            own = filename or function.__code__.co_filename
            line = [each.lineno or 0 for each in frames if each.filename == own][-1]
    return Outcome(result, error, line, tuple(events), output.getvalue())


def assert_same(function: Program, *examples: tuple[Any, ...]) -> None:
    """The program and its conversion do the same for each tuple of arguments."""
    other = converted(function)
    assert isinstance(other, FunctionType)
    for arguments in examples or ((),):
        expected = outcome(function, arguments)
        found = outcome(other, arguments)
        assert found == expected, f"{arguments}\n{text_of(function)}"


def programs_of(*modules: Any) -> list[Program]:
    """The functions of modules that take `log`, or are marked, in the order of their names."""
    return [
        each
        for module in modules
        for name, each in sorted(vars(module).items())
        if isinstance(each, FunctionType)
        and each.__module__ == module.__name__
        and (
            each.__code__.co_varnames[: each.__code__.co_argcount] == ("log",) or examples_of(each)
        )
    ]
