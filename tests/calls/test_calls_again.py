"""A program that is called again, each time with new arguments alike, is traced no more."""

from __future__ import annotations

import contextlib
import io
import zlib
from typing import Any

import pytest

import autograph as ag
from tests.corpus import Program, all_programs
from tests.harness.corpus_harness import fresh_case

SHARE = 20
CALLS = 5

OTHER_EACH_TIME = {
    "branch_values.swaps_of_outer_objects": "lists that grow by each call",
    "builtins.number_of_an_object": "gives id(x)",
    "decorated.staged_function_as_a_value": "a new function is given each time",
    "dynamic_models.full_replay_buffer": "what an outside buffer of constants holds",
    "exceptions.stack_of_managers": "an attribute of a function that is made in the call",
    "exceptions.lists_in_errors": "an exception holds the list that is given",
    "exceptions.lists_as_messages": "an exception holds the list that is given",
    "keys_by_address.a_cache_from_outside": "keys are addresses",
    "keys_by_address.sets_of_objects_compared": "keys are addresses",
    "keys_by_address.momentum_by_parameter": "keys are addresses",
    "keys_by_address.keys_of_copies_and_of_new_containers": "keys are addresses",
    "opaque_objects.exceptions": "an object of unknown kind is given",
    "opaque_objects.tokens": "an object of unknown kind is given",
    "opaque_objects.method_wrappers": "an object of unknown kind is given",
    "outside_state.counters_of_every_kind": "counters that are constants",
    "outside_state.object_graph_is_rebuilt": "a list of nodes that grows by each call",
    "programs_of_users.undo_stack": "a string that grows by each call",
    "random_generators_given.two_generators": "another generator of random numbers each time",
    "random_generators_given.shown": "another generator of random numbers each time",
    "random_generators_given.called_back_with_an_object": "an object of unknown kind is given",
    "read_by_calls.two_objects_with_one_dict": "one dict for the attributes of two objects",
    "short_programs.metaclass_registry": "a class with a metaclass of its own",
    "views_and_counters.cached": "an attribute that the first call sets",
}
"""Programs whose state or arguments are, to the guards, others in each call, and why."""


def _parameters() -> list[Any]:
    found = []
    for program in all_programs():
        if program.refused or program.name in OTHER_EACH_TIME:
            continue
        daily = zlib.crc32(program.name.encode()) % SHARE == 0
        marks = [] if daily else [pytest.mark.sweep]
        found.append(pytest.param(program, id=program.name, marks=marks))
    return found


@pytest.mark.parametrize("program", _parameters())
def test_no_trace_for_each_call(program: Program) -> None:
    made: list[Any] = []

    def stage(function: Any) -> Any:
        made.append(ag.function(function, mode="evaluate"))
        return made[-1]

    function = program.world(stage).function
    staged = function if hasattr(function, "cache_info") else made[-1] if made else None
    if staged is None:
        pytest.skip("nothing is staged when it is made")
    traces = []
    for _ in range(CALLS):
        one = fresh_case(program.cases[0])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            function(*one.args, **one.kwargs)
        traces.append(staged.cache_info().misses)
    changes = [change for one in staged.explain_retraces() for change in one.changes]
    grows = any(change.subject.startswith("the length of") for change in changes[1:])
    assert grows or not traces[-3] < traces[-2] < traces[-1], changes[-3:]
