"""A converted function, over plain operators, does what the original does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conversion_programs import (
    branches,
    comprehensions,
    exits,
    expressions,
    loops,
    matching,
    methods,
    protected,
    scoping,
    stores,
)
from tests.harness.conversion_harness import (
    Program,
    assert_same,
    converted,
    examples_of,
    outcome,
    programs_of,
)

MODULES = (
    branches,
    comprehensions,
    exits,
    expressions,
    loops,
    matching,
    protected,
    scoping,
    stores,
)
PROGRAMS = programs_of(*MODULES)


def test_programs_are_found() -> None:
    assert len(PROGRAMS) > 200


@pytest.mark.parametrize(
    "program", PROGRAMS, ids=lambda each: f"{each.__module__.rsplit('.')[-1]}-{each.__name__}"
)
def test_program(program: Program) -> None:
    assert_same(program, *examples_of(program))


def run_method(kind: type, name: str, *arguments: Any, convert: bool) -> Any:
    """Run a method with every method of its class converted, or none."""

    def program(log: Any) -> Any:
        if not convert:
            own = kind
        else:
            changed = {}
            for each, value in vars(kind).items():
                if isinstance(value, classmethod):
                    changed[each] = classmethod(converted(value.__func__))
                elif callable(value) and not isinstance(value, type):
                    changed[each] = converted(value)
            own = type(kind.__name__, (kind,), changed)
        model = kind.__new__(own)
        model.__init__(*([2] if hasattr(kind, "make") else []))
        result = getattr(model, name)(*[log if each == "log" else each for each in arguments])
        again = getattr(model, name)(*[log if each == "log" else each for each in arguments])
        return [vars(each) if isinstance(each, methods.Base) else each for each in (result, again)]

    return outcome(program, ())


@pytest.mark.parametrize(
    ("kind", "name", "arguments"),
    [
        (methods.Model, "step", ("log", 1)),
        (methods.Model, "step", ("log", 2)),
        (methods.Model, "private_variables", ("log",)),
        (methods.Model, "make", (1,)),
        (methods.Model, "make", (5,)),
        (methods.Model, "class_cell", ("log",)),
        (methods.Model, "super_inside", ("log",)),
        (methods.Model, "super_shadowed", ("log",)),
        (methods.Model, "changes_self", ("log",)),
        (vars(methods)["__Odd"], "method", ("log",)),
        (vars(methods)["___"], "method", ("log",)),
    ],
)
def test_method(kind: type, name: str, arguments: tuple[Any, ...]) -> None:
    expected = run_method(kind, name, *arguments, convert=False)
    assert run_method(kind, name, *arguments, convert=True) == expected
