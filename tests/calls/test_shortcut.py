"""The short way of a repeated call gives what the long way gives."""

from __future__ import annotations

import traceback
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph as ag
from autograph.call.concrete import missing
from autograph.call.fast_path import MISS


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
    np.testing.assert_array_equal(staged(base[::2]), base[::2] + 1)
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


class Settings:
    shared = 3

    def __init__(self):
        self.a, self.b, self.c, self.d = 1.5, 400, "on", True
        self.shared = 5


def read(settings, x):
    scale = settings.a + settings.b + settings.shared
    return x * scale if settings.c == "on" and settings.d else x


def entry_removed(settings):
    del settings.shared


def property_added(settings):
    type(settings).a = property(lambda self: 7.5)


def shadowed_by_a_property(settings):
    type(settings).shared = property(lambda self: 9)


def property_in_a_base(settings):
    Base.b = property(lambda self: 11)


def reading_replaced(settings):
    def found(self, name):
        return 2 if name == "b" else object.__getattribute__(self, name)

    type(settings).__getattribute__ = found


def namespace_replaced(settings):
    settings.__dict__ = {**vars(settings), "a": 2.5}


def another_kind(settings):
    settings.d, settings.b = 1, 400.0


class Base:
    pass


@pytest.mark.parametrize(
    "change",
    [
        entry_removed,
        property_added,
        shadowed_by_a_property,
        property_in_a_base,
        reading_replaced,
        namespace_replaced,
        another_kind,
    ],
)
def test_attributes_that_are_looked_up_in_the_namespace(change, monkeypatch):
    kind = type("Own", (Settings, Base), {})
    monkeypatch.setattr(Base, "b", None, raising=False)
    monkeypatch.delattr(Base, "b")
    settings, x = kind(), ag.asarray(2.0)
    staged = ag.function(mode="text")(lambda x: read(settings, x))
    repeated(staged, x)
    shortcut = staged.concrete(x).shortcut
    assert shortcut((x,)) is not MISS
    change(settings)
    assert staged(x).tolist() == read(settings, x).tolist()


def test_numbers_are_known_by_identity_first():
    settings, x = Settings(), ag.asarray(2.0)
    staged = ag.function(mode="text")(lambda x: read(settings, x))
    repeated(staged, x)
    constants = staged.concrete(x).shortcut.__globals__
    assert any(one is settings.b for name, one in constants.items() if name.startswith("k"))


COUNT = 0


class Model:
    """State of every kind that a call changes."""

    def __init__(self):
        self.w = [np.ones(3), np.zeros((2, 2))]
        self.b = np.zeros(2)
        self.v = ag.Variable([1.0, 2.0])
        self.u = ag.Variable(3.0)
        self.n, self.rate, self.on, self.last, self.pair = 0, 0.5, False, None, ()
        self.recent, self.history = [1.0, 2.0], []

    def step(self, x):
        global COUNT
        COUNT = COUNT + 2
        for w in self.w:
            w += x
        self.b += self.w[0][:2]
        self.v.assign_sub(self.v * self.rate)
        self.u.assign(self.u + x)
        self.n += 1
        self.rate = self.rate * 0.5
        self.on = not self.on
        self.last = self.w[0] * 2
        self.pair = (self.n, self.b.sum())
        self.recent[0] = self.rate
        self.history.append(self.rate)
        return self.b.sum() + self.n

    def state(self):
        arrays = [self.b, *self.w, self.v.numpy(), self.u.numpy(), self.last]
        numbers = self.n, self.rate, self.on, self.pair, COUNT
        return [one.tolist() for one in arrays], numbers, self.recent, self.history


def test_all_kinds_of_state_are_written_by_the_short_way():
    global COUNT
    plain, model = Model(), Model()
    staged = ag.function(mode="text")(Model.step)
    for number in range(6):
        before = [*model.w, model.b]
        COUNT = 2 * number
        expected = plain.step(0.5), plain.state()
        COUNT = 2 * number
        found = staged(model, 0.5)
        assert (found, model.state()) == expected
        assert type(found) is type(expected[0]) and type(model.last) is np.ndarray
        assert all(one is other for one, other in zip(before, [*model.w, model.b], strict=True))
    shortcut = staged.concrete(model, 0.5).shortcut
    assert "put_all" in shortcut.__code__.co_names
    model.last[0] = 7.0
    assert model.w[0][0] != 7.0


def test_an_error_of_the_program_leaves_all_state_alone():
    first, second = np.zeros(2), ag.Variable(1.0)

    def step(x):
        first[0] += 1
        second.assign_add(1.0)
        if x > 3:
            raise ValueError("large")
        return x

    staged = ag.function(mode="text")(step)
    repeated(staged, 1.0)
    with pytest.raises(ValueError, match="large"):
        staged(5.0)
    assert first.tolist() == [3.0, 0.0] and float(second) == 4.0


def test_no_update_of_several_threads_is_lost():
    total, counts, log = ag.Variable(0.0), np.zeros(3), []

    class State:
        n = 0

    state = State()

    @ag.function(mode="text")
    def step(x):
        total.assign_add(x)
        counts[1] += 1
        state.n += 1
        log.append(x)
        return x

    for _ in range(3):
        step(1.0)
    assert "put_all" in step.concrete(1.0).shortcut.__code__.co_names
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(step, [1.0] * 400))
    assert (float(total), counts[1], state.n, len(log)) == (403.0, 403.0, 403, 403)
