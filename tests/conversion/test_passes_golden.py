"""The text of converted functions, to be read: each beside its original."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
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
from tests.harness.conversion_harness import Program

PROGRAMS: list[Any] = [
    branches.elif_chain,
    branches.dead_after_branch,
    branches.and_or_values,
    branches.chains,
    branches.walrus_nested,
    comprehensions.conditions,
    comprehensions.in_lambda,
    comprehensions.generator_with_walrus,
    exits.collatz,
    exits.guards_with_work,
    exits.return_in_nested_loops,
    exits.without_value,
    exits.gcd,
    expressions.many_dimensional,
    expressions.f_strings,
    expressions.calls,
    loops.fibonacci,
    loops.else_breaks_outer,
    loops.nested_starred_target,
    loops.temporary_in_loop,
    matching.command,
    matching.names_after,
    methods.Model.step,
    methods.Model.private_variables,
    protected.catch_all_parts,
    protected.in_loop,
    protected.try_else_escapes,
    protected.with_several_and_targets,
    scoping.nonlocal_in_branches,
    scoping.global_writes,
    scoping.unset_in_operand,
    scoping.changed_by_call_in_branch,
    stores.unpacking_to_places,
    stores.augmented_item,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_text(program: Program, golden: Callable[[str, str], None]) -> None:
    before = textwrap.dedent(inspect.getsource(program))
    name = f"{program.__module__.rsplit('.')[-1]}_{program.__name__}.txt"
    golden(f"passes/{name}", f"{before}\n# becomes\n\n{ag.to_code(program, raw=True)}")
    golden(f"readable/{name}", f"{before}\n# becomes\n\n{ag.to_code(program)}")
