"""Which places of the source raise what users never see, and which no small program meets, and why.

A place is named by its file and function: lines move.
"""

from __future__ import annotations

INTERNAL = {
    *("Abandoned", "AssertionError", "FoundRecursion", "FoundReferences", "GraphError"),
    *("FoundExplosion", "ReadAppended"),
    *("GraphTextError", "JoinError", "NoQuotesLeft", "NoScalarFunction", "NotImplementedError"),
    *(
        "NotInlinedError",
        "NotNativeError",
        "NotResumableError",
        "SampleError",
        "ShowError",
        "UnfinishedGradientError",
    ),
    *("Unreachable", "_Staged", "check_error", "error", "one", "raised", "unbound"),
    *("unlogged_effect", "with_traceback", "MovingItems"),
}
"""What users do not see (it is caught, or raised again), and what tests of their own provoke."""

OUTSIDE = ("runtime", "kernels", "checking", "keeping", "library")
"""Folders of `autograph` that are counted elsewhere, or have tests of their own: links, files,
and what is written in Python's words, which programs of the corpus compare."""

GUARD = "a guard: each case that was thought of is refused, or made to work, before it comes here"
CAUGHT = "caught: another way is tried, whose own words the user reads"
TRACED = "inference of an op that only our own code inserts, after it looked at what it is given"
READER = "tests/graphs/test_graph_reader.py, which reads broken texts"
AUTHORS = "for authors of ops: tests/ops/test_ops_tensors.py"

THIRD = "caught: the refusal of the trace before, without the third form of generators, is shown"

SIZED = "caught: the function is traced once more, with the sizes as they are"

EITHER = {
    "autograph/tracing/suspension.py: Resumption.refuse_endless": (
        "met where the stack has room for so many generators in one another"
    ),
}
"""Why a place may be met or not, by function: by how deep the tests themselves run."""

NOT_MET = {
    # refusals
    "autograph/call/concrete.py: trace": GUARD,
    "autograph/call/function.py: StagedFunction.specialized": "tests/calls/test_functions.py",
    "autograph/tracing/lent_generators.py: put_state": "tests/calls/test_checking_calls.py",
    "autograph/profiling.py: profile.__enter__": "tests/calls/test_profiling.py",
    "autograph/nn/__init__.py: __getattr__": "tests/product/test_foreign_names.py",
    "autograph/nn/losses.py: __getattr__": "tests/product/test_foreign_names.py",
    "autograph/nn/module.py: Module.__call__": "tests/product/test_foreign_names.py",
    "runtime/ops/shaping/random.py: random_integers": "tests/product/test_foreign_names.py",
    "runtime/core/foreign_names.py: ForeignName.__get__": "tests/product/test_foreign_names.py",
    "runtime/core/devices.py: device.__enter__": "tests/cuda/test_managed_memory.py",
    "runtime/core/devices.py: device_of": "tests/cuda/test_managed_memory.py",
    "runtime/core/devices.py: _memory_of": "tests/cuda/test_managed_memory.py",
    "runtime/core/devices.py: foreign_array": "tests/cuda/test_managed_memory.py",
    "autograph/operators/builtins/warning_functions.py: Warn.__call__": (
        "tests/calls/test_functions.py, with a filter"
    ),
    "autograph/operators/statements/turns.py: loop_of_turns": GUARD,
    "autograph/operators/builtins/iterator_functions.py: _map": (
        "Python 3.14 alone takes `strict` here"
    ),
    "autograph/operators/statements/loops.py: _python_for": CAUGHT,
    "autograph/operators/statements/kept_lengths.py: keeping_lengths": CAUGHT,
    "autograph/operators/expressions/constant_items.py: pick": CAUGHT,
    "autograph/operators/iterators/resumable_generators.py: ResumableGenerator.throw.leave": (
        "what the program throws"
    ),
    "autograph/operators/containers/sequences.py: put.fail": (
        "Python's own: sorted_in_place.put_at_no_place"
    ),
    "autograph/operators/iterators/resumable_sources.py: Stepper._asked": THIRD,
    "autograph/operators/iterators/resumable_sources.py: Stepper._asked.ask": THIRD,
    "autograph/operators/iterators/generator_recipes.py: pulled": (
        "generators_in_use.next_of_a_generator_that_was_begun, in the corpus"
    ),
    "runtime/lower/running/compiled.py: CompiledProgram.__init__": "tests/calls/test_bad_input.py",
    "autograph/operators/calls/recursion.py: run": (
        "Python's own: recursion.more_calls_than_python_has_room_for; and in a branch that is not "
        "taken: lists_made_anew.lists_handed_down"
    ),
    "autograph/merge/coerce.py: Coercer.coerce": GUARD,
    "autograph/merge/coerce.py: Coercer._choice": GUARD,
    "autograph/values/choice.py: Choice.__hash__": GUARD,
    "autograph/merge/functions.py: thaw_function": GUARD,
    "autograph/tracing/places.py: Poison._refuse": GUARD,
    "autograph/merge/functions.py: detached": GUARD,
    "autograph/tracing/aliases.py: Identities.note": GUARD,
    "autograph/merge/results.py: Concrete._met": GUARD,
    "autograph/operators/calls/lru_cache.py: call_cached": (
        "caught: the trace is made anew, with the number known"
    ),
    "autograph/operators/containers/container_changes.py: change": GUARD,
    "autograph/operators/iterators/plain_iteration.py: iterate": CAUGHT,
    "autograph/operators/statements/rolled_loops.py: _rest": CAUGHT,
    "autograph/operators/builtins/copying.py: Copies.note_handle": CAUGHT,
    "autograph/operators/strings/format_and_join.py: listed_for_text.pull": CAUGHT,
    "autograph/operators/iterators/staged_iterables.py: while_few": CAUGHT,
    "autograph/operators/iterators/replayable_iterators.py: Replayed.__next__": GUARD,
    "autograph/operators/statements/checked_ops.py: _found": GUARD,
    "autograph/operators/containers/object_stores.py: Stores._widened": GUARD,
    "autograph/operators/containers/object_stores.py: Stores._put": GUARD,
    "autograph/strings/text.py: Text._refuse": GUARD,
    "runtime/ops/linear_algebra/contraction.py: cross": SIZED,
    "runtime/ops/reducing/sorting.py: _check_members": "sets are of int64 or float64 when asked",
    "runtime/ops/reducing/sorting.py: _check_places": "quantile asks for int64 along one axis",
    "runtime/ops/reducing/statistics.py: _in_front": "NumPy's own: `np.median(a, axis=(1, 1))`",
    "autograph/operators/calls/unconverted.py: call_native.call_with": (
        "staged: what a dict gets that stands where numbers stand on other paths"
    ),
    "runtime/ops/shaping/shapes.py: squeezed_axes": SIZED,
    "runtime/autodiff/recording/host.py: Pull.__call__": (
        "a guard: calls are kept as long as a gradient of them can be asked for"
    ),
    "runtime/autodiff/recording/host.py: host_gradient": (
        "a guard: every function that is called back for values tells how to call it again"
    ),
    "autograph/conversion/syntax/source.py: source_of": (
        "those who call it look first; tests/conversion/test_syntax_source.py"
    ),
    # words of eager code
    "autograph/operators/arrays/numpy_arrays.py: of_arrays": "tests/corpus/numpy_errors.py",
    "autograph/operators/expressions/attributes.py: _set_on_this_path": (
        "tests/corpus/globals_and_guards.py"
    ),
    "autograph/operators/expressions/items.py: set_plain_item": "tests/corpus/numpy_scalars.py",
    "runtime/arrays/algebra.py: polyval": "tests/corpus/numpy_by_the_letter.py",
    "runtime/arrays/reductions.py: _require_initial": "tests/corpus/numpy_errors.py",
    "autograph/operators/strings/formatting.py: formatted": "tests/corpus/exceptions.py",
    "runtime/arrays/creation.py: diag": "tests/corpus/numpy_by_the_letter.py",
    "runtime/arrays/manipulation.py: permuted": "tests/corpus/numpy_by_the_letter.py",
    "runtime/arrays/methods.py: in_place": "tests/corpus/numpy_arrays_from_outside.py",
    "runtime/arrays/manipulation.py: copyto": "tests/corpus/numpy_refused_before.py",
    "autograph/operators/builtins/builtin_functions.py: _rounded": "tests/corpus/numpy_errors.py",
    "autograph/operators/expressions/items.py: delete_plain_item": "tests/corpus/numpy_errors.py",
    "autograph/operators/iterators/indexed.py: Sequence.__eq__": (
        "a guard: what compares sequences of staged length asks for them first"
    ),
    "autograph/operators/iterators/iterators_in_turn.py: checked": (
        "tests/corpus/found_by_trying.py"
    ),
    "autograph/operators/iterators/iterators_in_turn.py: _iterator": (
        "tests/corpus/found_by_trying.py"
    ),
    "runtime/control/functional.py: _check_scalar": (
        "ag.cond and ag.while_loop look first; tests/graphs/test_control.py"
    ),
    "runtime/control/records.py: _needs_a_runner": (
        "for users of graphs: control flow is run by evaluate, not by its reference"
    ),
    "runtime/control/reader.py: _Reader.graph": READER,
    "runtime/control/reader.py: _Reader._parameters": READER,
    "runtime/control/reader.py: _Reader._name": READER,
    "runtime/control/reader.py: _Reader._statement": READER,
    "runtime/control/reader.py: _Reader._node": READER,
    "runtime/core/list_value.py: ListValue.__getitem__": "the references of ops look first",
    "runtime/core/record.py: Op.__post_init__": AUTHORS,
    "runtime/graph/evaluate.py: evaluate": (
        "for users of graphs: tests/graphs/test_graph_evaluate.py"
    ),
    "runtime/lower/running/calling.py: ready": (
        "a guard: a trace is chosen by the dtypes of its inputs"
    ),
    "runtime/lower/running/compiled.py: bound_symbols": (
        "a guard: a trace is chosen by the shapes of its inputs"
    ),
    "runtime/ops/neural/convolution.py: _fit": TRACED,
    "runtime/ops/dunders.py: _plain": GUARD,
    "runtime/ops/table.py: OpTable.__getattr__": "ops are named by this package alone",
    "runtime/ops/inference.py: floating": "require_real looks first, and names the op",
    "runtime/ops/lists/list_selection.py: _infer_take": TRACED,
    "runtime/ops/lists/list_selection.py: _take": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_extend": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_numbers": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_pack": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_unpack": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_pad": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_unpad": TRACED,
    "runtime/ops/lists/list_selection.py: _infer_values": TRACED,
    "runtime/ops/lists/list_ops.py: _require_list": TRACED,
    "runtime/ops/lists/list_ops.py: joined": f"{TRACED}; tests/ops/test_ops_lists.py",
    "runtime/ops/lists/list_ops.py: _infer_unstack": TRACED,
    "runtime/ops/lists/list_ops.py: _add": TRACED,
    "runtime/ops/elementwise/numbers.py: require_numbers": TRACED,
    "runtime/core/tensor.py: Tensor._require_unwatched": "tests/ops/test_numpy_functions.py",
    "runtime/ops/elementwise/conversion.py: _infer_to_number": TRACED,
    "runtime/ops/elementwise/numbers.py: _infer_choice": TRACED,
    "runtime/ops/neural/pooling.py: _infer_windows": TRACED,
    "runtime/ops/neural/pooling.py: _infer_laid": TRACED,
    "runtime/ops/shaping/random.py: _require_integers": "ag.random_* look at the seed first",
    "runtime/ops/shaping/shapes.py: _infer_reshape_like": TRACED,
    "runtime/ops/table.py: OpTable.register": AUTHORS,
}
"""Places that no row meets, by file and function, with the reason or the test that does."""
