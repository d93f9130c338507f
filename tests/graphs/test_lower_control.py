"""Control flow, lists and writes in place, as programs: the text in CPython and a sample native."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from autograph.runtime.control.records import RAISE
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.lower import build
from autograph.runtime.ops.table import OPS
from tests.harness.lowered_graphs import (
    FLOAT,
    INT,
    PYFLOAT,
    PYINT,
    choose,
    collatz,
    now,
    recurrent,
    recurrent_inputs,
    repeat,
    spec,
    traced,
)

JIT = [pytest.param(False, id="text"), pytest.param(True, id="native", marks=pytest.mark.compiled)]


def assert_like_evaluate(graph: Graph, inputs: Sequence[Any], jit: bool) -> Any:
    """The program is native and gives what `evaluate` gives, twice, and leaves its inputs alone."""
    before = [np.copy(one) for one in inputs]
    program = build(graph, jit=jit)
    assert program.is_native, program.text
    expected = evaluate(graph, inputs)
    for _ in range(2):
        for got, wanted in zip(program.run(inputs), expected, strict=True):
            assert type(got) is type(wanted)
            np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-6)
            assert np.shape(got) == np.shape(wanted)
    for one, other in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(one, other)
    return program


@pytest.mark.parametrize("jit", JIT)
def test_a_loop_of_scalars_is_native(jit: bool) -> None:
    program = assert_like_evaluate(collatz(), [np.array(27)], jit)
    assert program.run([np.array(1)])[0] == 0
    assert "_at(" not in program.text.split("while")[1].split("return")[0]


@pytest.mark.parametrize("jit", JIT)
def test_a_loop_of_tensors_with_a_list(jit: bool) -> None:
    assert_like_evaluate(recurrent(5, 3, 4), recurrent_inputs(5, 3, 4), jit)


def swap(a: Any, b: Any, n: Any) -> Sequence[Any]:
    a, b, _ = repeat(lambda a, b, i: i > 0, lambda a, b, i: (b, a, i - 1), (a, b, n))
    return a, b


def rotate_and_add(a: Any, b: Any, n: Any) -> Sequence[Any]:
    a, b, _ = repeat(lambda a, b, i: i > 0, lambda a, b, i: (b, a + b, i - 1), (a, b, n))
    return a, b


def same_twice(a: Any, b: Any, n: Any) -> Sequence[Any]:
    a, b, _ = repeat(lambda a, b, i: i > 0, lambda a, b, i: (a * 2, a * 2, i - 1), (a, b, n))
    return a, b


def first_from_an_invariant(a: Any, b: Any, n: Any) -> Sequence[Any]:
    c, _ = repeat(lambda c, i: i > 0, lambda c, i: (b, i - 1), (a, n))
    return c, b


def transposed_each_turn(a: Any, b: Any, n: Any) -> Sequence[Any]:
    def turn(c: Any, i: Any) -> Sequence[Any]:
        return OPS.permute_dims(c, (1, 0)) + b, i - 1

    return (repeat(lambda c, i: i > 0, turn, (a, n))[0],)


def moved_on_and_given_twice(a: Any, b: Any, n: Any) -> Sequence[Any]:
    def turn(p: Any, q: Any, r: Any, i: Any) -> Sequence[Any]:
        new = r * 0.5
        return r, new, new, i - 1

    return repeat(lambda p, q, r, i: i > 0, turn, (a + 1, b + 1, a + b, n))[:3]  # type: ignore[no-any-return]


def moved_on_and_transposed(a: Any, b: Any, n: Any) -> Sequence[Any]:
    def turn(p: Any, q: Any, r: Any, i: Any) -> Sequence[Any]:
        return q, r, OPS.permute_dims(r, (1, 0)), i - 1

    return repeat(lambda p, q, r, i: i > 0, turn, (a + b, a + b, a * 1.5, n))[:3]  # type: ignore[no-any-return]


def branches_that_pass_on(a: Any, b: Any, n: Any) -> Sequence[Any]:
    x, y = choose(n > 2, lambda: (b, a), lambda: (a, a + b))
    return x, y, a


def written_in_a_branch(a: Any, b: Any, n: Any) -> Sequence[Any]:
    def turn(c: Any, i: Any) -> Sequence[Any]:
        at = (OPS.apply("checked_index", (i - 1, c), {"axis": 0}),)
        (c,) = choose(
            i % 2 > 0,
            lambda: (OPS.apply("index_set", (c, b[0]), {"index": at}),),
            lambda: (c,),
        )
        return c, i - 1

    return repeat(lambda c, i: i > 0, turn, (a * 1.5, n))[0], a


MOVES = (
    swap,
    rotate_and_add,
    same_twice,
    first_from_an_invariant,
    transposed_each_turn,
    moved_on_and_given_twice,
    moved_on_and_transposed,
    branches_that_pass_on,
    written_in_a_branch,
)


@pytest.mark.parametrize("turns", (0, 1, 2, 3))
@pytest.mark.parametrize("body", MOVES)
def test_values_find_their_places(body: Callable[..., Sequence[Any]], turns: int) -> None:
    graph = traced([spec(3, 3), spec(3, 3), PYINT], body)
    rng = np.random.default_rng(0)
    matrices = [rng.standard_normal((3, 3)).astype(FLOAT) for _ in range(2)]
    assert_like_evaluate(graph, [*matrices, turns], jit=False)


@pytest.mark.compiled
def test_values_find_their_places_in_native_code() -> None:
    def all_of_them(a: Any, b: Any, n: Any) -> list[Any]:
        return [one for body in MOVES for one in body(a, b, n)]

    graph = traced([spec(3, 3), spec(3, 3), PYINT], all_of_them)
    rng = np.random.default_rng(0)
    matrices = [rng.standard_normal((3, 3)).astype(FLOAT) for _ in range(2)]
    for turns in range(4):
        assert_like_evaluate(graph, [*matrices, turns], jit=True)


def both_carried(c: Any, d: Any, n: Any) -> Sequence[Any]:
    return repeat(lambda c, d, i: i > 0, lambda c, d, i: (c + 1, d, i - 1), (c, d * 1, n))[:2]


def exchanged(c: Any, d: Any, n: Any) -> Sequence[Any]:
    def turn(c: Any, d: Any, i: Any) -> Sequence[Any]:
        return *choose(i % 2 > 0, lambda: (c - 1, d), lambda: (c, c + d)), i - 1

    return repeat(lambda c, d, i: i > 0, turn, (c, d, n))[:2]


def one_is_read(c: Any, d: Any, n: Any) -> Sequence[Any]:
    return *repeat(lambda c, i: i > 0, lambda c, i: (c * 2 + d, i - 1), (c, n))[:1], d


@pytest.mark.parametrize("jit", JIT)
@pytest.mark.parametrize("loop", (both_carried, exchanged, one_is_read))
def test_one_value_comes_into_a_branch_twice(loop: Callable[..., Sequence[Any]], jit: bool) -> None:
    def body(a: Any, n: Any) -> Sequence[Any]:
        c, d = a * 2, a * 3
        return choose(n > 0, lambda: loop(c, d, n), lambda: (c, d))  # type: ignore[no-any-return]

    graph = traced([spec(2), PYINT], body)
    first, second = [node.outputs[0] for node in graph.nodes if node.op.name == "multiply"]
    (cond,) = [node for node in graph.nodes if node.op.name == "cond"]
    cond.inputs = [first if value is second else value for value in cond.inputs]
    for turns in range(4):
        assert_like_evaluate(graph, [np.array([1, 2], FLOAT), turns], jit)


@pytest.mark.parametrize("jit", JIT)
def test_one_list_comes_into_a_branch_twice(jit: bool) -> None:
    def push(items: Any, item: Any) -> Any:
        return OPS.apply("list_push", (items, item), {})

    def body(a: Any, n: Any) -> Sequence[Any]:
        empty = OPS.apply("list_create", (), {"element": spec(2)})
        c, d = push(empty, a * 2), push(empty, a * 3)

        def grow() -> Sequence[Any]:
            def turn(c: Any, d: Any, i: Any) -> Sequence[Any]:
                return *choose(i % 2 > 0, lambda: (push(c, a), d), lambda: (c, push(d, a))), i - 1

            return repeat(lambda c, d, i: i > 0, turn, (c, d, n))[:2]  # type: ignore[no-any-return]

        c, d = choose(n > 0, grow, lambda: (c, d))
        return [OPS.apply("list_stack", (one,), {"axis": 0}) for one in (c, d)]

    graph = traced([spec(2), PYINT], body)
    first, second = [node.outputs[0] for node in graph.nodes if node.op.name == "list_push"]
    (cond,) = [node for node in graph.nodes if node.op.name == "cond"]
    cond.inputs = [first if value is second else value for value in cond.inputs]
    for turns in range(4):
        assert_like_evaluate(graph, [np.array([1, 2], FLOAT), turns], jit)


def growing(a: Any, n: Any) -> Sequence[Any]:
    def turn(c: Any, i: Any) -> Sequence[Any]:
        return OPS.concat((c, a * i)), i - 1

    return (repeat(lambda c, i: i > 0, turn, (a, n))[0],)


@pytest.mark.parametrize("jit", JIT)
def test_a_tensor_that_grows(jit: bool) -> None:
    graph = traced([spec(3), PYINT], growing)
    for turns in (0, 1, 5):
        assert_like_evaluate(graph, [np.arange(3.0, dtype=FLOAT), turns], jit)


def ragged(n: Any) -> Sequence[Any]:
    def turn(i: Any, items: Any) -> Sequence[Any]:
        return i + 1, OPS.apply("list_push", (items, OPS.astype(OPS.arange(i), FLOAT)), {})

    one = OPS.astype(OPS.arange(n), FLOAT)
    items = OPS.apply("list_create", (), {"element": now().value_of(one).spec})
    _, items = repeat(lambda i, items: i < n, turn, (0, items))
    rest, last = OPS.apply("list_pop", (items,), {})
    return (
        OPS.apply("list_concat", (items,), {"axis": 0}),
        last * 2,
        OPS.apply("list_get", (rest, -1), {}),
        OPS.apply("list_length", (rest,), {}),
    )


@pytest.mark.parametrize("jit", JIT)
def test_lists_whose_items_differ(jit: bool) -> None:
    assert_like_evaluate(traced([PYINT], ragged), [6], jit)


def persistent(a: Any) -> Sequence[Any]:
    push = lambda items, item: OPS.apply("list_push", (items, item), {})  # noqa: E731
    one = push(OPS.apply("list_create", (), {"element": spec(2)}), a)
    two, other = push(one, a * 2), push(one, a * 3)
    changed = OPS.apply("list_set", (two, 0, a * 5), {})
    stack = lambda items: OPS.apply("list_stack", (items,), {"axis": 0})  # noqa: E731
    item = OPS.apply("list_get", (two, 1), {})
    added = OPS.apply("list_add_at", (two, 1, a), {})
    return stack(one), stack(two), stack(other), stack(changed), item, stack(added)


@pytest.mark.parametrize("jit", JIT)
def test_a_list_that_others_grow_from_stays_as_it_was(jit: bool) -> None:
    assert_like_evaluate(traced([spec(2)], persistent), [np.array([1, 2], FLOAT)], jit)


def whole_lists(x: Any) -> Sequence[Any]:
    items = OPS.apply("list_unstack", (x,), {"axis": 1})
    zeros = OPS.apply("list_zeros_like", (items,), {})
    total = OPS.apply("list_add", (zeros, items), {})
    filled = OPS.apply("list_fill", (x[0], OPS.apply("list_length", (items,), {})), {})
    return (
        OPS.apply("list_stack", (total,), {"axis": 1}),
        OPS.apply("list_stack", (filled,), {"axis": 0}),
        OPS.apply("list_total", (items, x[:, 0]), {}),
        OPS.apply("list_stack_like", (items, x), {"axis": 1}),
    )


def lists_in_and_out(items: Any, numbers: Any, x: Any) -> Sequence[Any]:
    more = OPS.apply("list_push", (items, x), {})
    rest, last = OPS.apply("list_pop", (numbers,), {})
    first = OPS.apply("list_get", (more, 0), {})
    return more, items, rest, numbers, OPS.apply("list_push", (rest, last), {}), more, first * 2


@pytest.mark.parametrize("jit", JIT)
def test_lists_come_in_and_go_out(jit: bool) -> None:
    given = [ListSpec(spec("n")), ListSpec(PYINT), spec(2)]
    graph = traced(given, lists_in_and_out)
    items = ListValue([np.array([1, 2], FLOAT), np.array([], FLOAT), np.array([3], FLOAT)])
    inputs: list[Any] = [items, ListValue([5, 6]), np.array([7, 8], FLOAT)]
    program = build(graph, jit=jit)
    assert program.is_native, program.text
    expected = evaluate(graph, inputs)
    found = program.run(inputs)
    # what one program gave goes into the next one, and whoever grows it leaves the others alone
    again = program.run([found[0], found[3], inputs[2]])
    found[0].push(np.array([9], FLOAT))
    assert len(found[0]) == 4 and len(again[0]) == 5
    for got, wanted in (*zip(found, expected, strict=True), (again[1], expected[0])):
        assert same_lists(got, wanted)
    assert same_lists(inputs[0], expected[1]) and len(inputs[1]) == 2


def same_lists(one: Any, other: Any) -> bool:
    if not isinstance(other, ListValue):
        return type(one) is type(other) and np.array_equal(one, other)
    return len(one) == len(other) and all(map(same_lists, one, other))


@pytest.mark.parametrize("jit", JIT)
def test_ops_of_whole_lists(jit: bool) -> None:
    x = np.arange(12, dtype=FLOAT).reshape(3, 4)
    assert_like_evaluate(traced([spec(3, 4)], whole_lists), [x], jit)


@pytest.mark.compiled
def test_writing_one_element_of_a_carried_tensor_takes_no_copy() -> None:
    def body(x: Any, n: Any) -> Sequence[Any]:
        def turn(c: Any, i: Any) -> Sequence[Any]:
            at = (OPS.apply("checked_index", (i % 7, c), {"axis": 0}),)
            return OPS.apply("index_set", (c, OPS.astype(i, FLOAT)), {"index": at}), i - 1

        return repeat(lambda c, i: i > 0, turn, (x, n))[0], x

    graph = traced([spec("n"), PYINT], body)
    program = build(graph, jit=True)
    turns = 20_000
    small, large = np.zeros(10, FLOAT), np.zeros(1_000_000, FLOAT)
    program.run([small, 1])
    seconds = []
    for array in (small, large):
        start = time.perf_counter()
        result, given = program.run([array, turns])
        seconds.append(time.perf_counter() - start)
        assert given[:7].tolist() == [0] * 7 and result[1] == 1.0
    # a copy of the large one each turn would take seconds
    assert seconds[1] < seconds[0] + 0.3


# failing ------------------------------------------------------------------------------------------
def failing(x: Any, i: Any, f: Any) -> Sequence[Any]:
    at = OPS.apply("checked_index", (i, x), {"axis": 0})
    quotient = i // (i - 2)
    return OPS.apply("index", (x,), {"index": (at,)}), quotient, f / (f - 1.5), i + 2**62


ERRORS = [
    (5, 1.0, IndexError, "index 5 is out of bounds for axis 0 with size 4"),
    (2, 1.0, ZeroDivisionError, None),
    (1, 1.5, ZeroDivisionError, None),
]


@pytest.mark.parametrize("jit", JIT)
def test_errors_are_those_of_the_references(jit: bool) -> None:
    graph = traced([spec(4), PYINT, PYFLOAT], failing)
    program = build(graph, jit=jit)
    x = np.arange(4, dtype=FLOAT)
    assert program.run([x, 3, 2.5])[1] == 3
    for i, f, kind, words in ERRORS:
        with pytest.raises(kind) as wanted:
            evaluate(graph, [x, i, f])
        with pytest.raises(kind) as got:
            program.run([x, i, f])
        assert str(got.value) == str(wanted.value)
        assert words is None or str(got.value) == words
        assert got.value.__autograph_location__.filename == __file__  # type: ignore[attr-defined]


def test_an_int_that_overflows() -> None:
    graph = traced([PYINT], lambda n: (n * 2**40, n + 1))
    program = build(graph, jit=False)
    assert program.run([7]) == [7 * 2**40, 8]
    with pytest.raises(OverflowError):
        program.run([2**40])


def test_a_raise_in_a_branch_happens_only_there() -> None:
    def body(x: Any, n: Any) -> Sequence[Any]:
        def fail() -> Sequence[Any]:
            attributes = {
                "exception": KeyError,
                "arguments": (n, "of no use"),
                "results": (Spec(FLOAT, (2,)),),
            }
            return now().apply(RAISE, (), attributes)

        return choose(n > 3, fail, lambda: (x + 1,))

    program = build(traced([spec(2), PYINT], body), jit=False)
    x = np.array([1, 2], FLOAT)
    assert program.run([x, 0])[0].tolist() == [2, 3]
    with pytest.raises(KeyError) as caught:
        program.run([x, 4])
    assert caught.value.args == (4, "of no use")


def test_an_empty_loop_body_and_empty_arrays() -> None:
    graph = traced(
        [spec("n", 3), PYINT],
        lambda x, n: (repeat(lambda i: i < n, lambda i: (i + 1,), (0,))[0], OPS.sum(x, axis=0)),
    )
    program = build(graph, jit=False)
    turns, total = program.run([np.zeros((0, 3), FLOAT), 5])
    assert turns == 5 and total.tolist() == [0, 0, 0]


def test_inputs_are_brought_into_shape() -> None:
    graph = traced([spec(2, 3), spec(2, dtype=INT)], lambda x, i: (x * 2, i + 1))
    program = build(graph, jit=False)
    x = np.arange(6, dtype=FLOAT).reshape(3, 2).T
    big = np.array([1, 2]).astype(">i8")
    frozen = np.ascontiguousarray(x)
    frozen.flags.writeable = False
    raw = np.zeros(6 * 4 + 1, np.uint8)[1:].view(FLOAT)[:6].reshape(2, 3)
    raw[...] = x
    for one in (x, frozen, raw):
        doubled, more = program.run([one, big])
        np.testing.assert_array_equal(doubled, x * 2)
        assert more.tolist() == [2, 3]
