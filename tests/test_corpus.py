"""Every program of the corpus does in every mode what plain Python does, or says why it cannot."""

from __future__ import annotations

import builtins
import functools
import traceback
import zlib

import pytest

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from tests.corpus import Program, all_programs
from tests.harness.corpus_harness import (
    EXACT,
    Observation,
    Scenario,
    compare,
    fresh_case,
    in_mode,
    state_in,
)

PROGRAMS = {program.name: program for program in all_programs()}
SHARES = {"checked": (7, 0), "evaluate": (12, 1), "text": (12, 1), "emulate": (40, 7)}
"""Modes in which one of so many programs runs every day, and which: the rest of a checksum."""
STAGED = ("evaluate", "checked", "text", "emulate", "compile", "checked-compile")
ULPS_OF_LANES = 4096
"""Sums that lanes gather are added up in another order; most are of a few float32."""


@functools.cache
def truth(name: str, transaction: bool) -> tuple[list[Observation], dict[int, list[bool]]]:
    """What plain Python does; `transaction`: calls that raise leave no trace."""
    scenario = Scenario(PROGRAMS[name], "eager")
    return scenario.play(transaction), scenario.mutations


def parameters() -> list[object]:
    """All programs in all modes; by default all of them converted, and a seventh in check mode,
    which evaluates the graph, and, where a size is symbolic, runs its program beside, as text and
    compiled (`run_beside`). Evaluated alone, and as text alone, runs every twelfth; as a kernel
    that lanes emulate, every fortieth. Compiled by itself is only a fixed sample, a third of it in
    check mode, too. `make sweep` runs the rest."""
    found = []
    compiled = [program for program in PROGRAMS.values() if program.compiled]
    for mode in ("converted", *STAGED):
        sample = compiled[::3] if mode == "checked-compile" else compiled
        for program in PROGRAMS.values():
            if mode.startswith("checked") and not program.checks:
                continue
            native = mode.endswith("compile")
            marks = [pytest.mark.compiled] if native else []
            share, rest = SHARES.get(mode, (1, 0))
            rare = zlib.crc32(program.name.encode()) % share != rest
            rare = rare and (program.checks or mode != "evaluate")
            slow = mode in ("text", "checked", "emulate") if program.slow else rare
            if slow or (native and not any(program is one for one in sample)):
                marks.append(pytest.mark.sweep)
            found.append(pytest.param(mode, program.name, id=f"{mode}-{program.name}", marks=marks))
    return found


@pytest.mark.parametrize(("mode", "name"), parameters())
def test_program(mode: str, name: str) -> None:
    program = PROGRAMS[name]
    if program.refused and (mode in STAGED or program.refused == "UnsupportedSyntaxError"):
        check_refusal(program, mode)
        return
    expected, mutations = truth(name, mode in STAGED)
    scenario = Scenario(program, mode, mutations=dict(mutations))
    seen = scenario.play()
    exact = mode in EXACT and (program.exact or mode == "converted")
    ulps = max(program.ulps, ULPS_OF_LANES) if mode == "emulate" else program.ulps
    found = compare(expected, seen, 0 if exact else ulps)
    assert found is None, f"{name} in mode {mode}\n{found}"


def check_refusal(program: Program, mode: str) -> None:
    """The error is of the declared class, names what it is about, and nothing was changed."""
    world = program.world(lambda function: function)
    one = fresh_case(program.cases[0])
    before = freeze((one.args, state_in(world)))
    kind = getattr(ag.errors, program.refused, None) or getattr(builtins, program.refused)
    try:
        checked = mode.startswith("checked")  # which may see the difference first
        kinds = (kind, ag.errors.CheckError) if checked else (kind,)
        with pytest.raises(kinds) as caught:
            in_mode(mode, world.function)(*one.args, **one.kwargs)
        text = str(caught.value)
        shown = text + "".join(traceback.format_tb(caught.value.__traceback__))
        assert program.source.__code__.co_filename in shown, "the message names no line"
        for word in program.naming:
            assert word in text or type(caught.value) is ag.errors.CheckError
        assert difference(before, freeze((one.args, state_in(world)))) is None
    finally:
        program.reset()


def test_the_corpus_is_large_and_wide() -> None:
    """At least 150 programs, in at least 20 files by construct."""
    assert len(PROGRAMS) >= 500
    assert len({name.partition(".")[0] for name in PROGRAMS}) >= 20


def test_every_program_takes_part_in_the_truth() -> None:
    """Programs run eagerly, and at least one call of each returns."""
    silent = [
        name
        for name in PROGRAMS
        if not any(one.outcome[0] == "returned" for one in truth(name, False)[0])
    ]
    allowed = {
        "assertions_and_raises.raise_in_both_branches",
        "numpy_indices_of_lists.tuples_of_tensors",
        "reversed_choices.a_dict_that_is_changed",
        "exceptions.lists_as_messages",
        "numpy_interchange.array_of_floats_assigned_to_ints",
        "read_by_calls.raises_what_a_helper_gives",
        "tapes_of_variables.repeat_by_negative_counts",
        "tuples_of_staged_length.raised_with_texts",
        "rounded_to_digits.digits_that_are_a_float",
        "texts_in_detail.format_that_nobody_reads",
        "texts_of_containers.chosen_contents_raised",
        "calls_and_callbacks.a_counter_into_a_vector_variable",
        "calls_and_callbacks.a_float_number_added_to_an_int_variable",
        "calls_and_callbacks.a_float_number_into_an_int_variable",
        "calls_and_callbacks.a_number_into_a_vector_variable",
        "calls_and_callbacks.positional_only_by_keyword",
        "calls_in_detail.divmod_without_the_method",
        "characters.bin_float",
        "characters.chr_bool",
        "characters.chr_float",
        "characters.chr_number",
        "characters.chr_vector",
        "characters.hex_number",
        "custom_gradients.not_a_pair",
        "custom_gradients.variables_need_a_parameter",
        "custom_gradients.wrong_number_of_gradients",
        "custom_gradients.wrong_shape_of_a_gradient",
        "devices_and_calls_back.a_device_that_is_not_there",
        "functional_forms.cond_of_several",
        "lists_as_tensors.of_nothing",
        "lists_as_tensors.of_strings",
        "functional_forms.map_over_nothing",
        "functional_forms.scan_of_lengths_that_differ",
        "functional_forms.while_loop_that_nests_otherwise",
        "functional_forms.while_loop_with_too_few",
        "ranges_and_iterables.over_a_scalar_fails",
        "ranges_and_iterables.unpacked_to_too_few",
        "tapes.second_gradient_of_a_plain_tape_is_an_error",
        "tapes.integer_source_is_refused",
        "tapes_in_detail.batch_jacobian_of_other_sizes",
        "tapes_in_detail.too_few_gradients_to_begin_with",
        "tapes_of_variables.dtypes_of_sums_and_outer_of_matrices",
        "tapes_of_variables.linspace_of_a_negative_number",
        "tapes_of_variables.one_hot_of_negative_classes",
        "tapes_of_variables.quantile_of_a_share_below_0",
        "tapes_of_variables.random_of_a_negative_size",
        "tapes_of_variables.squeeze_of_one_axis_twice",
        "tapes_of_variables.tensordot_of_sizes_that_differ",
        "early_exits_at_random.counter_has_no_tensor_as_a_key",
        "found_by_use.tensor_as_a_missing_key",
        "integer_dtypes.repeat_by_flags",
        "positions_and_pairs.tensors_in_the_place_of_the_axis",
        "repeated_sequences.no_truth_value_repeats",
        "tensors_as_keys.counter",
        "tensors_as_keys.dict_of_pairs",
        "tensors_as_keys.frozen_set",
        "tensors_as_keys.memo_outside",
        "tensors_as_keys.set_of_an_argument",
        "tensors_as_keys.set_of_what_is_computed",
        "tensors_as_keys.set_on_two_paths",
        "tensors_as_keys.set_outside",
        "tensors_as_keys.set_that_stays_inside",
        "tensors_as_keys.tuple_key",
        "tensors_as_keys.tuple_keys_that_stay_inside",
        "variables_made_inside.wrong_arguments",
    }
    assert set(silent) <= allowed, silent
