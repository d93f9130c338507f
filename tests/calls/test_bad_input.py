"""Bad input: each has a clear error, whose text is kept, and loses nothing."""

from __future__ import annotations

import datetime
import functools
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from autograph.errors import StagingError
from tests.harness.strategies import arrays_in_any_layout

t = ag.asarray
Golden = Callable[[str, str], None]
RUN_TIME = ("evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled))


class Holder:
    """State that must come out of a failed call as it went in."""

    def __init__(self) -> None:
        self.weight = ag.Variable([1.0, 2.0])
        self.cell = t([3.0, 4.0])
        self.calls = 0
        self.log = [t(5.0)]


@pytest.fixture
def holder() -> Holder:
    return Holder()


def message(error: BaseException, function: Callable[..., Any]) -> str:
    """The class and the text; paths by their last part, lines counted from the function's first."""
    code = getattr(function, "__code__", message.__code__)
    first = code.co_firstlineno

    def relative(match: re.Match[str]) -> str:
        name = Path(match.group(1)).name
        line = int(match.group(2))
        offset = f"+{line - first}" if match.group(1) == code.co_filename else "N"
        return f'File "{name}", line {offset}'

    text = re.sub(r'File "([^"]+)", line (\d+)', relative, str(error))
    text = re.sub(r"0x[0-9a-f]+", "0x…", text)
    return f"{type(error).__name__}: {text}\n"


def fails(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kind: type[BaseException] | tuple[type[BaseException], ...],
    golden: Golden,
    name: str,
    holder: Holder | None = None,
    mode: str = "evaluate",
) -> BaseException:
    """The call raises this with the golden text, and arguments and state are as before."""
    staged = ag.function(mode=mode)(function)
    before = freeze((args, holder))
    with pytest.raises(kind) as caught:
        staged(*args)
    golden(f"errors/{name}.txt", message(caught.value, function))
    assert difference(before, freeze((args, holder))) is None
    with pytest.raises(kind):
        staged(*args)
    assert difference(before, freeze((args, holder))) is None
    return caught.value


# what cannot be converted -------------------------------------------------------------------------
def test_source_not_available(golden: Golden, holder: Holder) -> None:
    namespace: dict[str, Any] = {"holder": holder}
    exec("def typed(x):\n    holder.calls += 1\n    return x + 1\n", namespace)
    fails(namespace["typed"], (t(1.0),), ag.errors.SourceNotAvailableError, golden, "no_source")


def test_unsupported_syntax(golden: Golden, holder: Holder) -> None:
    def f(x):
        holder.calls += 1
        return eval("x + 1")

    fails(f, (t(1.0),), ag.errors.UnsupportedSyntaxError, golden, "eval", holder)


def test_a_yield_that_may_not_be_evaluated(golden: Golden) -> None:
    def f(x):
        def parts():
            return x and (yield x)

        return list(parts())

    fails(f, (t(1.0),), ag.errors.UnsupportedSyntaxError, golden, "yield_in_operand")


def test_second_item_of_a_generator_under_a_condition(golden: Golden) -> None:
    def f(x):
        def parts():
            try:
                if x > 0:
                    yield x
                yield -x
            finally:
                pass

        items = parts()
        next(items)
        return next(items)

    fails(f, (t(1.0),), ag.errors.StateError, golden, "next_of_a_generator")


def test_a_generator_that_has_begun_is_not_returned(golden: Golden) -> None:
    def f(x):
        found = (v for v in (x, x))
        next(found)
        return found

    fails(f, (t(1.0),), ag.errors.StateError, golden, "generator_returned")


def test_dates_of_today_are_refused(golden: Golden, holder: Holder) -> None:
    def f(x):
        holder.log.append(x)
        return x + datetime.datetime.now().second

    fails(f, (t(1.0),), ag.errors.UnconvertedCallError, golden, "clock", holder)


def test_a_callable_with_unknown_effects(golden: Golden, holder: Holder) -> None:
    def f(x):
        holder.weight.assign_add([1.0, 1.0])
        holder.cell[0] = x
        return x * os.getpid()

    fails(f, (t(1.0),), ag.errors.UnconvertedCallError, golden, "unknown_callable", holder)


def test_the_ways_out_of_an_unknown_callable() -> None:
    def f(x):
        return x * process()

    def g(x):
        return ag.py_function(lambda x: x * os.getpid(), [x], ag.TensorSpec((), ag.float32))

    process = ag.pure(os.getppid)
    assert float(ag.function(mode="evaluate")(f)(t(2.0))) == 2.0 * os.getppid()
    assert float(ag.function(mode="evaluate")(g)(t(2.0))) == 2.0 * os.getpid()


# what cannot be merged or carried -----------------------------------------------------------------
def test_branches_that_cannot_merge(golden: Golden, holder: Holder) -> None:
    names = ["a"]

    def f(x, k):
        holder.calls += 1
        name = b"b"
        for number in [a + b for a in range(0, 80, 4) for b in range(4)]:
            if x > number:
                name = b"name %d" % number
                names.append(name)
        return name

    fails(f, (t(1.0), t(3)), ag.errors.MergeError, golden, "too_many_options", holder)
    assert names == ["a"]


def test_more_than_sixteen_options(golden: Golden) -> None:
    def f(n):
        name = b""
        for _ in range(n):
            name = name + b"x"
        return name

    fails(f, (t(3),), ag.errors.StagingError, golden, "bytes_that_grow")


def test_a_loop_value_without_a_stable_type(golden: Golden, holder: Holder) -> None:
    def f(n):
        holder.calls += 1
        nest = ()
        for _ in range(n):
            nest = (nest, n)
        return nest

    fails(f, (t(3),), ag.errors.StagingError, golden, "nest_that_grows", holder)


# shapes and indices -------------------------------------------------------------------------------
def test_shapes_that_do_not_broadcast(golden: Golden, holder: Holder) -> None:
    def f(x, y):
        holder.cell[0] = 100
        return x + y

    args = (ag.ones((2, 3)), ag.ones((4,)))
    fails(f, args, ValueError, golden, "broadcast_while_tracing", holder)


@pytest.mark.parametrize("mode", RUN_TIME)
def test_symbolic_shapes_that_do_not_broadcast(mode: str, golden: Golden, holder: Holder) -> None:
    def f(x, y):
        holder.weight.assign_add(ag.ones((2,)))
        return x + y

    staged = ag.function(mode=mode)(f)
    for size in (3, 4, 5):
        staged(ag.ones((size,)), ag.ones((size,)))
    before = freeze(holder)
    with pytest.raises(ValueError) as caught:
        staged(ag.ones((6,)), ag.ones((7,)))
    golden("errors/broadcast_of_symbols.txt", message(caught.value, f))
    assert difference(before, freeze(holder)) is None
    assert staged(ag.ones((6,)), ag.ones((6,))).shape == (6,)


@pytest.mark.parametrize("mode", RUN_TIME)
def test_index_out_of_range_in_a_loop(mode: str, golden: Golden, holder: Holder) -> None:
    def f(x, n):
        total = x[0]
        holder.calls += 1
        for i in range(n):
            holder.weight[0] = total
            total = total + x[i]
        return total

    x = t([1.0, 2.0, 3.0])
    fails(f, (x, t(100)), IndexError, golden, "index_in_a_loop", holder, mode)
    fails(f, (x, t(4)), IndexError, golden, "index_in_a_loop_by_one", holder, mode)
    assert float(ag.function(mode=mode)(f)(x, t(3))) == 7.0


@pytest.mark.parametrize("mode", RUN_TIME)
def test_write_out_of_range_in_a_loop(mode: str, golden: Golden) -> None:
    def f(x, n):
        for i in range(n):
            x[i * 1000] = 5.0
        return x

    fails(f, (t([1.0, 2.0, 3.0]), t(100)), IndexError, golden, "write_in_a_loop", None, mode)
    fails(f, (t([1.0, 2.0, 3.0]), t(2)), IndexError, golden, "write_in_a_loop_by_far", None, mode)


# arguments ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text", "text"),
        ("object", object()),
        ("half", np.zeros(1, np.float16)),
        ("strings", np.array(["a"])),
        ("ragged", [[1.0], [2.0, 3.0]]),
        ("huge", 2**80),
    ],
)
def test_what_cannot_become_a_tensor(name: str, value: Any, golden: Golden) -> None:
    with pytest.raises((TypeError, OverflowError)) as caught:
        ag.asarray(value)
    golden(f"errors/argument_{name}.txt", message(caught.value, message))


def test_an_argument_that_cannot_become_a_tensor_in_a_staged_function(golden: Golden) -> None:
    def f(x, y):
        return x + y

    fails(f, (t(1.0), "text"), TypeError, golden, "argument_staged")


def test_too_few_arguments(golden: Golden) -> None:
    def f(x, y):
        return x + y

    fails(f, (t(1.0),), TypeError, golden, "argument_missing")


def use(a: Any, b: Any) -> Any:
    """Reads an array in several ways."""
    total = ag.asarray(a) * 2
    for i in range(b):
        total = total + a
        if i == 1:
            total = total - a
    return total, ag.sum(total), ag.reshape(total, (-1,))[:1]


@hypothesis.given(arrays_in_any_layout(("int32", "float32", "float64", "int16")))
@hypothesis.settings(max_examples=60)
def test_arrays_in_any_layout_work(array: np.ndarray[Any, Any]) -> None:
    before = array.copy()
    expected = use(array, t(3))
    for mode in ("evaluate", "text"):
        found = difference(freeze(expected), freeze(_use(mode)(array, t(3))), 4)
        assert found is None, found
    assert np.array_equal(before, array)


@functools.cache
def _use(mode: str) -> Any:
    return ag.function(mode=mode)(use)


@pytest.mark.compiled
@pytest.mark.parametrize("array", [
    np.arange(6.0)[::-1],
    np.arange(6.0).astype(">f8"),
    np.arange(6.0).reshape(2, 3).T,
    np.zeros((0, 3)),
])  # fmt: skip
def test_arrays_in_any_layout_work_natively(array: np.ndarray[Any, Any]) -> None:
    found = difference(freeze(use(array, t(3))), freeze(_use("compile")(array, t(3))), 4)
    assert found is None, found


# gradients, conditions, names ---------------------------------------------------------------------
def test_gradient_of_an_integer(golden: Golden, holder: Holder) -> None:
    def f(n):
        holder.calls += 1
        with ag.GradientTape() as tape:
            tape.watch(n)
            y = n * 2.0
        return tape.gradient(y, n)

    fails(f, (t(3),), (TypeError, ValueError), golden, "integer_gradient", holder)


@pytest.mark.parametrize("eager", [True, False])
def test_second_gradient_of_a_tape(eager: bool, golden: Golden) -> None:
    def f(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x) + tape.gradient(y, x)

    with pytest.raises(RuntimeError) as caught:
        (f if eager else ag.function(mode="evaluate")(f))(t(3.0))
    golden("errors/second_gradient.txt", message(caught.value, f))


def test_condition_that_is_not_scalar(golden: Golden, holder: Holder) -> None:
    def f(x):
        holder.log.append(x)
        if x > 0:
            return x
        return -x

    fails(
        f, (t([1.0, -1.0]),), (ValueError, TypeError, ag.StagingError), golden, "vector_if", holder
    )


def test_loop_condition_that_is_not_scalar(golden: Golden) -> None:
    def f(x):
        while x < 3:
            x = x + 1
        return x

    fails(f, (t([1.0, 2.0]),), (ValueError, TypeError, ag.StagingError), golden, "vector_while")


@pytest.mark.parametrize("mode", RUN_TIME)
def test_variable_that_may_be_undefined(mode: str, golden: Golden, holder: Holder) -> None:
    def f(x):
        holder.calls += 1
        holder.weight.assign_add([1.0, 1.0])
        if x > 0:
            y = x * 2
        return y

    args = (t(-1.0),)
    error = fails(f, args, UnboundLocalError, golden, "undefined_variable", holder, mode)
    assert "'y'" in str(error)
    assert float(ag.function(mode=mode)(f)(t(3.0))) == 6.0
    assert holder.calls == 1


@pytest.mark.parametrize("mode", RUN_TIME)
def test_variable_undefined_after_no_turn(mode: str, golden: Golden) -> None:
    def f(n):
        for i in range(n):
            last = i * 2
        return last

    fails(f, (t(0),), UnboundLocalError, golden, "undefined_after_a_loop", None, mode)
    assert ag.function(mode=mode)(f)(t(3)) == 4


def test_a_staged_value_that_leaks(golden: Golden) -> None:
    leaked: list[Any] = []

    def f(x):
        ag.py_function(lambda: leaked.append(1), dtype=None, shape=())
        keep(leaked, x * 2)
        return x

    @ag.do_not_convert
    def keep(into, value):
        into.append(value)

    with pytest.raises(Exception) as caught:
        ag.function(mode="evaluate")(f)(t(1.0))
        leaked[-1] + 1
    assert "py_function" in str(caught.value) or "outside" in str(caught.value)


def test_division_of_python_ints_by_zero(golden: Golden, holder: Holder) -> None:
    def f(n):
        k = 0
        for _ in range(n):
            k += 1
            holder.calls += 1
        return 10 // k

    fails(f, (t(0),), ZeroDivisionError, golden, "division_by_zero", holder)


@pytest.mark.parametrize("mode", RUN_TIME)
def test_overflow_of_a_staged_python_int(mode: str, golden: Golden) -> None:
    def f(n):
        k = 3
        for _ in range(n):
            k = k * k
        return k

    fails(f, (t(10),), OverflowError, golden, "integer_overflow", None, mode)
    assert ag.function(mode=mode)(f)(t(4)) == 3**16


def test_a_hundred_branches_in_one_another() -> None:
    """Python does not take such a text: the refusal says what to do, and the graph is right."""

    class Quotient:
        def __init__(self, below: Any, above: Any) -> None:
            self.below, self.above = below, above

        def value(self, x: Any) -> Any:
            if self.below is None:
                return x
            divisor = self.below.value(x)
            if divisor == 0:
                raise ZeroDivisionError("a quotient in the tree")
            return self.above / divisor

    def fallback(x: Any, tree: Any) -> Any:
        try:
            return tree.value(x)
        except ZeroDivisionError:
            return x * 2

    tree = Quotient(None, None)
    for number in range(105):
        tree = Quotient(tree, number + 1.0)
    x = ag.asarray(1.0)
    with pytest.raises(StagingError, match="a hundred branches and loops in one another"):
        ag.function(fallback, mode="text")(x, tree)
    assert float(ag.function(fallback, mode="evaluate")(x, tree)) == float(fallback(x, tree))
