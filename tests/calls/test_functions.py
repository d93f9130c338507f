"""What is decorated, with which signature, and functions for one kind of arguments."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

t = ag.asarray
Spec = ag.TensorSpec
staged = functools.partial(ag.function, mode="evaluate")
MATRIX = Spec([None, 2])


class Model:
    rate = 2.0

    def __init__(self) -> None:
        self.w = ag.Variable([1.0, 2.0], name="w")

    @staged()
    def step(self, x, k=2):
        return x * self.w * k

    @staged(input_signature=[MATRIX])
    def described(self, x):
        return x * self.w

    @staged()
    @property
    def doubled(self):
        """Twice the weight."""
        return self.w * 2

    @property
    @staged()
    def halved(self):
        return self.w / 2

    @staged()
    @staticmethod
    def successor(x):
        return x + 1 if x > 0 else x

    @staticmethod
    @staged()
    def predecessor(x):
        return x - 1 if x > 0 else x

    @staged()
    @classmethod
    def scaled(cls, x):
        return x * cls.rate

    @classmethod
    @staged()
    def divided(cls, x):
        return x / cls.rate

    @staged()
    @functools.cached_property
    def norm(self):
        return ag.sum(self.w)

    def __call__(self, x):
        return x + self.w


def scale(factor, x, *, offset):
    return factor * x + offset if ag.sum(x) > 0 else offset


def test_every_kind_of_method() -> None:
    m, x = Model(), t([3.0, 4.0])
    assert m.step(x).tolist() == [6.0, 16.0] and m.step(x, k=1).tolist() == [3.0, 8.0]
    assert Model.step(m, x).tolist() == [6.0, 16.0]
    assert m.doubled.tolist() == [2.0, 4.0] and m.halved.tolist() == [0.5, 1.0]
    assert Model.doubled.__doc__ == "Twice the weight."
    assert m.successor(t(1.0)).item() == 2 and Model.predecessor(t(1.0)).item() == 0
    assert Model.scaled(x).tolist() == [6.0, 8.0] and m.divided(x).tolist() == [1.5, 2.0]
    assert m.norm.item() == 3.0 and m.norm is m.norm
    assert str(inspect.signature(m.step)) == "(x, k=2)" and m.step.__name__ == "step"
    assert m.step == m.step and m.step != Model().step and len({m.step, m.step}) == 1


def test_callables_and_partial_calls() -> None:
    m, x = Model(), t([3.0, 4.0])
    assert staged()(m)(x).tolist() == [4.0, 6.0]
    assert staged()(m.__call__)(x).tolist() == [4.0, 6.0]
    assert staged()(m.step)(x).tolist() == [6.0, 16.0]
    f = staged()(functools.partial(scale, 2.0, offset=t(1.0)))
    assert f(x).tolist() == [7.0, 9.0] and f(x, offset=5.0).tolist() == [11.0, 13.0]
    assert staged()(functools.partial(f, x))().tolist() == [7.0, 9.0]
    for wrong in (3, len, np.sin, functools.partial(print)):
        with pytest.raises(ag.StagingError, match="is not a Python function"):
            staged()(wrong)


def test_a_wrapper_of_a_staged_function_runs() -> None:
    inner = staged()(lambda x: x + 1)

    @functools.wraps(inner)
    def wrapper(x):
        return inner(x) * 2

    outer = staged()(lambda x: wrapper(x))
    assert outer(t(3.0)).item() == wrapper(t(3.0)).item() == 8.0


def test_an_input_signature_is_one_trace_for_all_sizes() -> None:
    f = staged(input_signature=[MATRIX, {"scale": Spec([])}])(lambda x, by: x * by["scale"])
    for n in (5, 3, 7):
        assert f(ag.ones((n, 2)), {"scale": n}).tolist() == [[n, n]] * n
    assert f.cache_info().misses == 1
    assert f([[1.0, 2.0]], {"scale": t(2.0)}).tolist() == [[2.0, 4.0]]
    assert f(np.ones((0, 2), np.float32), {"scale": 1.0}).shape == (0, 2)
    assert f(by={"scale": 1}, x=[[1, 2]]).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((ag.ones((2, 3)), [t(1)]), ["'x'", "f32[2,3]", "f32[?,2]"]),
        ((ag.ones((2, 2), dtype=ag.float64), [t(1)]), ["'x'", "f64[2,2]"]),
        ((ag.ones((2, 2)), [t(1.0)]), ["'n[0]'", "f32[]", "i64[]"]),
        ((ag.ones((2, 2)), [1.5]), ["'n[0]'", "1.5"]),
        ((ag.ones((2, 2)), t(1)), ["'n'", "a list of 1"]),
        ((None, [t(1)]), ["'x'", "None"]),
    ],
)
def test_what_an_input_signature_refuses(args: Any, words: list[str]) -> None:
    f = staged(input_signature=[MATRIX, [Spec((), ag.int64)]])(lambda x, n: x * n[0])
    outer = staged()(lambda x, n: f(x, n))
    for call in (f, outer):
        with pytest.raises(ag.errors.ArgumentError) as caught:
            call(*args)
        assert all(word in str(caught.value) for word in words)
    with pytest.raises(TypeError, match="missing"):
        f(ag.ones((2, 2)))


def test_an_input_signature_inside_another_trace_converts_too() -> None:
    f = staged(input_signature=[Spec([], ag.float64)])(lambda x: x / 2)
    outer = staged()(lambda n: f(int(n)))
    assert f(3).dtype == outer(t(3)).dtype == np.float64
    assert f(3).item() == outer(t(3)).item() == 1.5


def test_a_size_seen_with_two_values_becomes_unknown() -> None:
    f = staged()(lambda x: ag.sum(x * 2, axis=0))
    for n in range(2, 20):
        assert f(ag.ones((n, 3))).tolist() == [2.0 * n] * 3
    assert f.cache_info().misses == 2
    for n in (1, 1, 0, 0):
        assert f(ag.ones((n, 3))).tolist() == [2.0 * n] * 3
    assert f.cache_info().misses == 4


# get_concrete -------------------------------------------------------------------------------------
def test_get_concrete_names_what_goes_in_and_out() -> None:
    m = Model()
    offset = ag.Variable(1.0)

    def f(batch, factor, training=True):
        y = batch["x"] * m.w * factor + offset
        return {"y": y, "both": (y, batch["x"]), "mean": float(ag.mean(y)), "on": training}

    staged_f = staged()(f)
    c = staged_f.get_concrete({"x": MATRIX}, factor=Spec([], name="by"))
    assert [one.name for one in c.inputs] == ["x", "w", "by", "offset"]
    assert [one.captured for one in c.inputs] == [None, m.w, None, offset]
    assert c.captured[0] is m.w and len(c.captured) == 2
    assert c.structured_output == {
        "y": MATRIX,
        "both": (MATRIX, MATRIX),
        "mean": float,
        "on": True,
    }
    assert [one.name for one in c.outputs][:2] == ["result['y']", "result['both'][0]"]
    assert len(c.graph.inputs) == 4
    for n in (1, 4):
        for found in (c({"x": ag.ones((n, 2))}, 3.0), c(batch={"x": ag.ones((n, 2))}, factor=3)):
            wanted = f({"x": ag.ones((n, 2))}, t(3.0))
            assert found["y"].tolist() == wanted["y"].tolist() and found["mean"] == wanted["mean"]
            assert found["both"][0] is found["y"]
    m.w.assign([0.0, 0.0])
    assert c({"x": ag.ones((4, 2))}, 3.0)["mean"] == 1.0


def test_get_concrete_wants_what_a_call_wants() -> None:
    def scaled(x: Any, by: float = 2.0) -> Any:
        return x * by

    made = staged()(scaled)
    for args, kwargs, words in (
        ((MATRIX, 1.0, 2.0), {}, "scaled cannot be called so: too many positional arguments"),
        ((), {"by": 3.0}, "scaled cannot be called so: missing a required argument: 'x'"),
        ((MATRIX,), {"to": 3.0}, "scaled cannot be called so: got an unexpected keyword argument"),
    ):
        with pytest.raises(ag.errors.ArgumentError, match=words):
            made.get_concrete(*args, **kwargs)
    assert "f32[n0_0,3]" in made.graph(Spec((None, 3)))
    assert "for i0 in" in made.program(Spec((None, 3)), by=3.0)


def test_get_concrete_of_methods_and_signatures() -> None:
    m = Model()
    c = m.described.get_concrete()
    assert c(ag.ones((3, 2))).tolist() == [[1.0, 2.0]] * 3 and c.captured == [m.w]
    assert m.step.get_concrete(Spec([2]), 3)(t([1.0, 1.0])).tolist() == [3.0, 6.0]
    outer = staged()(lambda x: c(x) + 1)
    assert outer(ag.ones((3, 2))).tolist() == [[2.0, 3.0]] * 3
    with ag.GradientTape() as tape:
        loss = ag.sum(c(ag.ones((3, 2))))
    assert tape.gradient(loss, m.w).tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda c: c(ag.ones((2, 3)), "sum"), ag.errors.ArgumentError, "'x' of .* is f32.2,3."),
        (lambda c: c(ag.ones((2, 2)), "mean"), ag.errors.ArgumentError, "'sum' → 'mean'"),
        (lambda c: c(), TypeError, "not given the argument 'x'"),
        (lambda c: c(1, 2, 3), TypeError, "takes 2 arguments, not 3"),
        (lambda c: c(ag.ones((2, 2)), y=1), TypeError, "unexpected argument 'y'"),
        (lambda c: c(ag.ones((2, 2)), x=1), TypeError, "multiple values for argument 'x'"),
    ],
)
def test_what_a_specialized_function_refuses(
    call: Callable[[Any], Any], error: type[Exception], words: str
) -> None:
    def reduced(x, how):
        return ag.sum(x) if how == "sum" else ag.mean(x)

    c = staged()(reduced).get_concrete(MATRIX, "sum")
    assert c(ag.ones((3, 2))).item() == 6.0
    with pytest.raises(error, match=words):
        call(c)


def test_specs() -> None:
    one = Spec([None, 3], ag.float64, name="x")
    assert one.shape == (None, 3) and one.dtype == np.float64 and str(one) == "f64[?,3]"
    assert (
        one == Spec((None, 3), "float64", "x") and one != Spec((None, 3)) and len({one, one}) == 1
    )
    assert Spec.of(ag.ones((2, 3))) == Spec((2, 3))
    assert eval(repr(one), {"TensorSpec": Spec, "float64": ag.float64}) == one
    with pytest.raises(ValueError, match="at least 0"):
        Spec([-1])


# copies -------------------------------------------------------------------------------------------
def test_copies_are_those_of_functions_and_methods() -> None:
    m, f = Model(), staged()(scale)
    assert copy.copy(f) is f and copy.deepcopy(f) is f
    other = copy.deepcopy([m, m.step])
    assert isinstance(other[0].w, ag.Variable) and other[0].w is not m.w and other[0].w.name == "w"
    m.w.assign([0.0, 0.0])
    assert other[1](t([1.0, 1.0])).tolist() == other[0].step(t([1.0, 1.0])).tolist() == [2.0, 4.0]
    m.own = staged()(m.__call__)
    twin = copy.deepcopy(m)
    twin.w.assign([5.0, 5.0])
    assert twin.own(t([1.0, 1.0])).tolist() == [6.0, 6.0]


def test_pickling_says_why_not() -> None:
    for one in (staged()(scale), Model().step):
        with pytest.raises(TypeError, match=r"cannot pickle .*python_function.*ag\.save"):
            pickle.dumps(one)


def test_partials_do_not_bind() -> None:
    """A partial as a class attribute is given no instance, as in Python before 3.14."""

    def scaled(factor: Any, *rest: Any) -> Any:
        return factor * rest[-1] + len(rest)

    class Holder:
        act = ag.function(functools.partial(scaled, 2.0), mode="evaluate")

    class Plain:
        act = functools.partial(scaled, 2.0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 3.13 warns of what 3.14 does
        eager = float(Plain().act(ag.asarray(3.0)))
    assert eager == (8.0 if sys.version_info >= (3, 14) else 7.0)
    assert float(Holder().act(ag.asarray(3.0))) == eager


def test_a_cached_function_is_staged_with_its_cache(capsys: Any) -> None:
    @ag.function(mode="evaluate")
    @functools.lru_cache
    def fibonacci(n: int, step: int = 1) -> int:
        print("asked", n)
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    assert fibonacci(6) == 8 and fibonacci(6) == 8 and fibonacci(n=6) == 8
    assert capsys.readouterr().out.count("asked 6") <= 2  # by position, and by keyword


def test_warnings_name_the_line_that_python_names() -> None:
    def told(x: Any) -> Any:
        if x > 0:
            warnings.warn("positive", stacklevel=1)
        inner(x)
        warnings.warn(f"it is {float(x)}", RuntimeWarning, stacklevel=2)
        return x

    def inner(x: Any) -> None:
        warnings.warn("from the call", stacklevel=2)
        warnings.warn("from the caller's caller", stacklevel=3)

    def seen(function: Any, x: Any) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(x)
        return [(str(one.message), one.category, one.filename, one.lineno) for one in caught]

    staged = ag.function(told)
    for value in (1.0, -1.0, 2.0):
        assert seen(staged, ag.asarray(value)) == seen(told, ag.asarray(value))
    assert staged.cache_info().misses == 1


def test_a_warning_that_is_an_error() -> None:
    @ag.function
    def told(x: Any) -> Any:
        warnings.warn("it is an error", stacklevel=1)
        return x

    @ag.function
    def caught(x: Any) -> Any:
        y = x
        try:
            if x > 0:
                warnings.warn("it is an error", stacklevel=1)
            y = x * 2
        except UserWarning:
            y = x * 3
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="it is an error"):
            told(ag.asarray(1.0))
        with pytest.raises(ag.errors.StateError, match="which handler takes that is not known"):
            caught(ag.asarray(1.0))
    assert float(caught(ag.asarray(-1.0))) == -2.0
