"""State: Variables made once, calls that leave all as it was, and what nobody keeps alive."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.core.state import LOCK

pytestmark = pytest.mark.usefixtures("small_heap")
t = ag.asarray
MODES = ["evaluate", "text"]


def staged(mode: str = "evaluate") -> Any:
    return ag.function(mode=mode)  # type: ignore[call-overload]


class Lazy(ag.nn.Module):
    def __init__(self) -> None:
        self.w: Any = None

    @staged()
    def __call__(self, x):
        if self.w is None:
            self.w = ag.Variable(ag.ones((x.shape[-1], 2)), name="w")
        return x @ self.w


# made once ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_each_instance_makes_its_own(mode: str) -> None:
    one, other = Lazy(), Lazy()
    x = ag.ones((3, 4))
    f = staged(mode)(lambda model, x: model(x) * 2)
    for _ in range(3):
        assert f(one, x).tolist() == f(other, x).tolist() == [[8.0, 8.0]] * 3
    assert one.w is not other.w and one.w.name == "w" and [*one.named_variables()] == ["w"]
    kept = one.w
    assert one(ag.ones((5, 4))).shape == (5, 2) and one.w is kept
    with pytest.raises(ValueError, match="matmul"):
        one(ag.ones((5, 3)))


@pytest.mark.parametrize("mode", MODES)
def test_a_tape_around_the_first_call_sees_what_it_makes(mode: str) -> None:
    model = Lazy()
    f = staged(mode)(lambda x: ag.sum(model(x) ** 2))
    for _ in range(2):
        with ag.GradientTape() as tape:
            loss = f(ag.ones((1, 2)))
        assert tape.gradient(loss, model.w).tolist() == [[4.0, 4.0]] * 2


@pytest.mark.parametrize("mode", MODES)
def test_a_second_creation_says_where_and_what_instead(mode: str) -> None:
    @staged(mode)
    def f(x):
        v = ag.Variable(x * 2)
        return v.assign_add(1.0) + x

    assert f(t(1.0)).item() == 4.0
    for x in (t(1.0), ag.ones(2), t(1.0)):
        with pytest.raises(ag.errors.StateError) as caught:
            f(x)
        text = str(caught.value)
        assert "v = ag.Variable(x * 2)" in text and "init_scope" in text and "self.v" in text


def test_a_second_creation_where_a_flag_says_so() -> None:
    made: list[Any] = []

    @staged()
    def f(x, first):
        if first:
            made.append(ag.Variable(x))
        return made[-1] + x

    assert f(t(1.0), True).item() == 2.0 and f(t(3.0), False).item() == 4.0
    with pytest.raises(ag.errors.StateError, match="made again"):
        f(t(1.0), True)
    assert len(made) == 1


def test_get_concrete_wants_the_variables_made() -> None:
    model = Lazy()
    with pytest.raises(ag.errors.StateError, match="call it once before get_concrete"):
        model.__call__.get_concrete(ag.TensorSpec([None, 4]))  # type: ignore[attr-defined]
    assert model.w is None
    model(ag.ones((1, 4)))
    c = model.__call__.get_concrete(ag.TensorSpec([None, 4]))  # type: ignore[attr-defined]
    assert c.captured == [model.w] and c(ag.ones((7, 4))).shape == (7, 2)


def test_init_scope_is_done_once_for_each_trace() -> None:
    class Model:
        @staged()
        def step(self, x):
            with ag.init_scope():
                self.v = ag.Variable(1.0)
                self.made = getattr(self, "made", 0) + 1
            self.v.assign_add(x)
            return self.v + 0

    model = Model()
    assert [model.step(t(k)).item() for k in (1.0, 2.0, 3.0)] == [2.0, 4.0, 7.0]
    assert model.made == 1
    assert model.step(t([1.0])[0]).item() == 8.0


def test_layers_are_state_as_classes_of_the_users_are() -> None:
    layers = [ag.nn.Dropout(0.5), ag.nn.BatchNorm(2)]

    def f(x):
        for layer in layers:
            x = layer(x)
        return x

    g, x = staged()(f), t([[1.0, 2.0], [3.0, 5.0]])
    for change in (
        lambda: None,
        lambda: layers[0].set_training(False),
        lambda: setattr(layers[1], "momentum", 0.5),
        lambda: layers[0].set_training(True),
        lambda: setattr(layers[0], "rate", 0.25),
        lambda: layers[1].set_training(False),
    ):
        change()
        before = copy.deepcopy([vars(layers[1]), layers[0].training])
        ag.set_seed(3)
        found = g(x).tolist()
        after = layers[1].mean.tolist()
        vars(layers[1]).update(before[0])
        ag.set_seed(3)
        assert found == f(x).tolist() and after == layers[1].mean.tolist()


# calls that do not end ----------------------------------------------------------------------------
class Everything:
    """State of every kind, changed by a call."""

    def __init__(self) -> None:
        self.v = ag.Variable([1.0, 2.0])
        self.w = ag.Variable(3.0)
        self.x = t([5.0])
        self.count = 0
        self.log: list[Any] = []
        self.table = {"a": 1}

    def change(self, x):
        self.count += 1
        self.v.assign_add(x)
        self.log.append(self.count)
        self.v[0] = 7.0
        self.w.assign(ag.sum(self.v))
        if self.w > 0:
            self.table["b"] = self.w + 0
            self.x[0] = 1.0
        return 10 // int(x)

    def seen(self) -> Any:
        table = {key: float(one) for key, one in self.table.items()}
        log = [*map(int, self.log)]
        return self.v.tolist(), self.w.item(), self.x.tolist(), self.count, log, table


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_raises_leaves_all_as_it_was(mode: str) -> None:
    one, other = Everything(), Everything()
    step = staged(mode)(one.change)
    for x in (1.0, 2.0, 0.0, 5.0, 0.0):
        before = one.seen()
        try:
            step(t(x))
        except ZeroDivisionError:
            assert one.seen() == before and x == 0.0
        else:
            other.change(t(x))
            assert one.seen() == other.seen()


def interrupted(call: Any, after: int) -> tuple[bool, bool]:
    """Whether Ctrl-C after so many lines of ours ended a call, and whether it came at all.

    Python drops what is raised where it closes a generator that nobody holds any more.
    """
    left = after

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left
        if "autograph" not in frame.f_code.co_filename.rsplit("/tests/", 1)[-1]:
            return None
        left -= 1
        if left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True, True
    finally:
        sys.settrace(None)
        # What is raised on the line of a `with` as it is left skips its `__exit__`: since Python
        # 3.12 a trace function comes there, and leaves the lock to this thread.
        while LOCK._is_owned():  # type: ignore[attr-defined]
            LOCK.release()
    return False, left <= 0


@pytest.mark.parametrize("stride", [97, pytest.param(1, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("traced", [True, False], ids=["traced before", "first call"])
def test_ctrl_c_at_any_line_leaves_all_as_it_was(traced: bool, stride: int) -> None:
    stride, after, came = (1 + stride // 8 if traced else 1 + stride * 4), 1, True
    while came:
        one = Everything()
        step = staged()(one.change)
        if traced:
            for x in (1.0, 2.0, 3.0):
                step(t(x))
        before = one.seen()
        whole = Everything()
        whole.v, whole.w, whole.x = copy.deepcopy((one.v, one.w, one.x))
        whole.count, whole.log, whole.table = one.count, [*one.log], dict(one.table)
        whole.change(t(2.0))
        ended, came = interrupted(lambda step=step: step(t(2.0)), after)
        assert one.seen() in ((before, whole.seen()) if ended else (whole.seen(),)), after
        if ended and one.seen() == before:
            step(t(2.0))
            assert one.seen() == whole.seen(), after
        after += stride
    assert after > 10 * stride


# what is kept alive -------------------------------------------------------------------------------
class Model:
    def __init__(self) -> None:
        self.v = ag.Variable([1.0, 2.0])
        self.log: list[Any] = []
        self.n = 0

    @staged()
    def step(self, x):
        self.n += 1
        self.v.assign_add(x)
        self.log.append(x)
        self.last = x * 2
        return ag.sum(self.v) + self.log[0]


def gone(*references: weakref.ref[Any]) -> bool:
    gc.collect()
    return all(one() is None for one in references)


@pytest.mark.parametrize("mode", MODES)
def test_functions_keep_no_instance_alive(mode: str) -> None:
    outer = staged(mode)(lambda model, x: model.step(x) * model.n)
    for call in (Model.step, outer):
        references = []
        for _ in range(3):
            model = Model()
            for k in range(3):
                call(model, t(float(k)))
            references += [weakref.ref(model), weakref.ref(model.v), weakref.ref(model.last)]
        bound = model.step
        del model
        assert not gone(references[-3])
        del bound
        assert gone(*references)


def test_arguments_and_results_are_not_kept() -> None:
    f = staged()(lambda x, items: [x * 2, *items, x])
    x, items = t([1.0, 2.0]), [t(1.0), t(2.0)]
    result = f(x, items)
    references = [weakref.ref(x), weakref.ref(items[0]), weakref.ref(result[0])]
    del x, items, result
    assert gone(*references)


@pytest.mark.parametrize("mode", MODES)
def test_functions_that_nobody_holds_are_collected(mode: str) -> None:
    def make() -> list[weakref.ref[Any]]:
        v, model = ag.Variable([1.0, 2.0]), Lazy()

        def f(x):
            v.assign_add(x)
            return model(ag.expand_dims(x, axis=0)) + v

        g = staged(mode)(f)
        g(ag.ones(2)), g(ag.ones(2))
        with ag.GradientTape() as tape:
            y = ag.sum(g(ag.ones(2)))
        tape.gradient(y, [v, model.w])
        own = ag.function(model.__call__, mode=mode) if mode == "" else staged(mode)(model.__call__)
        model.own = own  # a cycle
        own(ag.ones((1, 2)))
        with pytest.raises(ValueError):
            g(ag.ones((3, 3, 3)))
        return [*map(weakref.ref, (v, model, model.w, f, g, own, tape))]

    references = make()
    assert gone(*references)


def test_a_call_that_raised_keeps_nothing() -> None:
    @staged()
    def f(model, x):
        model.v.assign(x)
        raise ValueError("no")

    model = Model()
    with pytest.raises(ValueError, match="no"):
        f(model, ag.ones(2))
    reference = weakref.ref(model)
    del model
    assert gone(reference)


# bounds -------------------------------------------------------------------------------------------
def test_the_trace_used_longest_ago_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograph.call.trace_cache.MAXIMUM_TRACES", 20)
    traced: list[str] = []

    def f(x, name):
        traced.append(name)
        return x + len(name)

    ag.do_not_convert(f)
    g = staged()(lambda x, name: f(x, name))
    size = 20
    with pytest.warns(ag.errors.RetracingWarning, match="argument `name`: 'k10' → 'k11'"):
        for k in range(size):
            g(t(1.0), f"k{k}")
    g(t(1.0), "k0")
    for k in range(size, size + 5):
        g(t(1.0), f"k{k}")
    assert g.cache_info().currsize == size and len(traced) == size + 5
    g(t(1.0), "k0")
    assert len(traced) == size + 5
    g(t(1.0), "k1")
    assert len(traced) == size + 6 and g.cache_info().currsize == size


def test_state_that_always_changes_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograph.call.trace_cache.MAXIMUM_TRACES", 20)
    held = {"name": ""}
    g = staged()(lambda x: x + len(held["name"]))
    with pytest.warns(ag.errors.RetracingWarning, match=r"held\['name'\]"):
        for k in range(50):
            held["name"] = "n" * k
            assert g(t(1.0)).item() == k + 1
    assert g.cache_info().currsize == 20 and g.cache_info().misses == 50


def test_few_traces_warn_of_nothing(recwarn: Any) -> None:
    g = staged()(lambda x, n: x * n)
    for n in range(2, 60):
        g(ag.ones(n), n)
        g(ag.ones((2, n)), float(n))
    assert not recwarn.list and g.cache_info().misses < 10


# threads ------------------------------------------------------------------------------------------
def test_many_threads_trace_call_and_change() -> None:
    total, eager = ag.Variable(0.0), ag.Variable(0.0)
    add = staged()(lambda x: total.assign_add(ag.sum(x)) * 1)
    model = Lazy()
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            own = staged()(lambda x: add(x) + number)
            for k in range(10):
                own(ag.ones((1 + (k + number) % 3,)))
                add(ag.ones(2))
                eager.assign_add(1.0)
                assert model(ag.ones((1, 4))).tolist() == [[4.0, 4.0]]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    sizes = sum(1 + (k + number) % 3 for number in range(6) for k in range(10))
    assert not failed, failed
    assert total.item() == sizes + 120 and eager.item() == 60


# copies -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "made", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_a_copied_variable_is_one(made: Any) -> None:
    v = ag.Variable([1.0, 2.0], name="v", trainable=False, dtype=ag.float64)
    w = made(v)
    v.assign([0.0, 0.0])
    assert type(w) is ag.Variable and (w.name, w.trainable) == ("v", False)
    assert w.tolist() == [1.0, 2.0] and w.dtype == np.float64
    x = made(t([1, 2]))
    assert type(x) is ag.Tensor and x.tolist() == [1, 2] and x.dtype == np.int64
