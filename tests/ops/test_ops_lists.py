"""Staged lists: their errors, their specs, and the gradients that go through them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.spec import PYINT, ListSpec, Spec
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS, RECORDS

ROW = Spec(np.dtype(np.float64), (2,))
A, B = np.array([1.0, 2.0]), np.array([3.0, -1.0])


def run(build: Any, *inputs: Any) -> list[Any]:
    """What `build`, given tensors, makes of these inputs in a graph."""
    trace = Trace("lists")
    handles = [
        trace.add_input(PYINT if isinstance(one, int) else Spec(one.dtype, one.shape))
        for one in inputs
    ]
    with trace.active():
        results = build(*handles)
    trace.graph.outputs = [trace.value_of(one) for one in results]
    return evaluate(trace.graph, inputs)


def test_push_pop_get_set() -> None:
    def build(a: Any, b: Any, n: Any) -> Any:
        items = OPS.list_create(element=ROW)
        items = OPS.list_push(OPS.list_push(items, a), b)
        rest, last = OPS.list_pop(items)
        changed = OPS.list_set(items, n, a + b)
        return last, OPS.list_length(rest), OPS.list_get(changed, 0), OPS.list_stack(items)

    last, length, first, stacked = run(build, A, B, -2)
    assert last.tolist() == B.tolist() and length == 1
    assert first.tolist() == (A + B).tolist() and stacked.tolist() == [A.tolist(), B.tolist()]


@pytest.mark.parametrize(
    ("name", "inputs", "error", "text"),
    [
        ("list_pop", (ListValue(),), IndexError, "pop from empty list"),
        ("list_get", (ListValue([A]), 1), IndexError, "list index out of range"),
        ("list_get", (ListValue([A]), -2), IndexError, "list index out of range"),
        ("list_set", (ListValue([A]), 1, B), IndexError, "list assignment index out of range"),
        ("list_stack", (ListValue(),), ValueError, "need at least one array to stack"),
        ("list_concat", (ListValue(),), ValueError, "need at least one array to concatenate"),
        ("list_stack", (ListValue([A, A[:1]]),), ValueError, "same shape"),
    ],
)
def test_errors_are_pythons(name: str, inputs: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        RECORDS[name].reference(*inputs)


def test_a_change_leaves_the_old_list() -> None:
    first = ListValue([A])
    second = RECORDS["list_push"].reference(first, B)
    third = RECORDS["list_push"].reference(first, A)
    RECORDS["list_set"].reference(second, 0, B)
    assert [len(one) for one in (first, second, third)] == [1, 2, 2]
    assert second[1] is B and third[1] is A and second[0] is A


def test_items_have_one_dtype_and_rank() -> None:
    items = ListSpec(ROW)
    with pytest.raises(TypeError, match="one dtype and rank"):
        RECORDS["list_push"].infer(items, Spec(np.dtype(np.float32), (2,)))
    ragged = RECORDS["list_push"].infer(items, Spec(ROW.dtype, (3,)))
    assert isinstance(ragged.element.shape[0], Dim)
    one, other = (RECORDS["list_get"].infer(ragged, PYINT) for _ in range(2))
    assert one.shape != other.shape, "items of a ragged list have sizes of their own"


def test_stacking_numbers_takes_the_default_dtype() -> None:
    stack = RECORDS["list_stack"]
    assert stack.reference(ListValue([1.5, 2.5])).dtype == np.float32
    assert stack.infer(ListSpec(Spec(np.dtype(float), (), True))).dtype == np.float32
    assert stack.reference(ListValue([1, 2])).dtype == np.int64


def through_lists(a: Any, b: Any) -> Any:
    """A number made by every differentiable list op."""
    items = OPS.list_create(element=ROW)
    items = OPS.list_push(OPS.list_push(OPS.list_push(items, a), b), a * b)
    items = OPS.list_set(items, 1, b * b)
    items = OPS.list_add_at(items, 0, b)
    items, last = OPS.list_pop(items)
    stacked = OPS.list_stack(items, axis=1)
    parts = OPS.list_unstack(stacked * stacked, axis=0)
    joined = OPS.list_concat(parts)
    filled = OPS.list_fill(a, 3)
    total = OPS.list_total(OPS.list_add(filled, filled), a)
    weights = np.array([1.0, -2.0, 0.5, 3.0])
    picked = OPS.list_get(items, -1) * last
    return OPS.sum(joined * weights) + OPS.sum(picked) + OPS.sum(total * a)


def plain(a: Any, b: Any) -> float:
    stacked = np.stack([a + b, b * b], axis=1)
    joined = (stacked * stacked).reshape(-1)
    return float((joined * [1.0, -2.0, 0.5, 3.0]).sum() + (b * b * a * b).sum() + (6 * a * a).sum())


def test_gradients_go_through_lists() -> None:
    def build(a: Any, b: Any) -> Any:
        with GradientTape() as tape:
            tape.watch([a, b])
            y = through_lists(a, b)
        return [y, *tape.gradient(y, [a, b])]

    y, ga, gb = run(build, A, B)
    assert y.item() == pytest.approx(plain(A, B))
    for gradient, place in ((ga, 0), (gb, 1)):
        for i in range(2):
            values = []
            for step in (1e-6, -1e-6):
                moved = [A.copy(), B.copy()]
                moved[place][i] += step
                values.append(plain(*moved))
            assert gradient[i] == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-6)
