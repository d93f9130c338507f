"""The short way of a repeated call gives what the long way gives."""

from __future__ import annotations

import traceback

import numpy as np
import pytest

import autograph as ag
from autograph.concrete import missing
from autograph.shortcut import MISS


def repeated(function, *arguments):
    """Called three times: traced, found again, and by the shortcut."""
    results = [function(*arguments) for _ in range(3)]
    assert function.concrete(*arguments).shortcut is not missing
    return results


@pytest.mark.parametrize("mode", ["text", "evaluate"])
def test_results_are_new_and_hits_are_counted(mode):
    staged = ag.function(mode=mode)(lambda x, n: (x * n, n + 1, None))
    x = ag.asarray([1.0, 2.0])
    results = repeated(staged, x, 3)
    assert staged.cache_info().hits == 3  # two calls, and the look at the trace
    assert [one[1:] for one in results] == [(4, None)] * 3
    assert len({id(one[0]) for one in results}) == 3
    assert all(one[0].tolist() == [3.0, 6.0] for one in results)
    results[2][0][0] = 9.0
    assert staged(x, 3)[0].tolist() == [3.0, 6.0]


@pytest.mark.parametrize("mode", ["text", "evaluate"])
def test_any_layout_and_any_other_kind_of_argument(mode):
    staged = ag.function(mode=mode)(lambda x: x + 1)
    base = np.arange(6, dtype=np.float32)
    frozen = base[:3].copy()
    frozen.flags.writeable = False
    repeated(staged, ag.asarray(base[:3]))
    for array in (base[::2], frozen, base[:3].astype(np.float64), base, base[:3].reshape(3, 1)):
        found = staged(ag.Tensor._of(array))
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found.numpy(), array + 1)
    np.testing.assert_array_equal(staged(base[::2]).numpy(), base[::2] + 1)
    assert staged(2) == 3
    assert np.float64(staged(-0.0)) == 1.0


def test_a_shortcut_misses_what_its_trace_does_not_fit():
    state = {"k": 1}
    staged = ag.function(mode="text")(lambda x: x * state["k"])
    x = ag.asarray([1.0])
    repeated(staged, x)
    shortcut = staged.concrete(x).shortcut
    for arguments in ((), (x, x), (1,), (None,), (ag.asarray([1, 2]),), (ag.asarray([1]),)):
        assert shortcut(arguments) is MISS
    state["k"] = 2
    assert shortcut((x,)) is MISS
    assert staged(x).tolist() == [2.0]
    del state["k"]
    assert shortcut((x,)) is MISS


def test_errors_end_on_the_line_of_the_user():
    def pick(x, i):
        return x[i]

    staged = ag.function(mode="text")(pick)
    x = ag.asarray([1.0, 2.0])
    repeated(staged, x, ag.asarray(1))
    with pytest.raises(IndexError) as caught:
        staged(x, ag.asarray(5))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].line == "return x[i]"
    assert not [one for one in frames if one.filename.startswith("<autograph")]
    assert staged.cache_info().misses == 1


def test_a_tape_sees_a_call_that_has_a_shortcut():
    staged = ag.function(mode="text")(lambda x: x * x)
    x = ag.asarray([1.0, 3.0])
    repeated(staged, x)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = staged(x)
    assert tape.gradient(y, x).tolist() == [2.0, 6.0]
