"""Variables: state with a name, never half updated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable, VariableError
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS


def test_it_copies_its_initial_value_and_reads_like_a_tensor() -> None:
    array = np.array([1.0, 2.0])
    v = Variable(array, name="weight")
    array[0] = 9
    assert v.tolist() == [1.0, 2.0] and v.dtype == np.float64 and v.shape == (2,)
    assert v.name == "weight" and v.trainable
    assert type(v + 1) is Tensor and (v @ v).item() == 5.0
    assert Variable([1.0, 2.0]).dtype == np.float32
    assert Variable([1, 2], dtype="float64", trainable=False).dtype == np.float64


def test_assignment() -> None:
    v = Variable([1.0, 2.0])
    before, alias = v.value(), v
    assert v.assign([3.0, 4.0]) is v
    v.assign_add(1.0).assign_sub(Tensor(np.float32([1.0, 2.0])))
    assert alias.tolist() == [3.0, 3.0] and before.tolist() == [1.0, 2.0]
    v[0] = 7
    v[1:] += 1
    assert v.tolist() == [7.0, 4.0] and v.dtype == np.float32
    v.assign(v * 2)
    assert v.tolist() == [14.0, 8.0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1.0, 2.0, 3.0], "f32.3. to the variable 'weight', f32.2."),
        (Tensor(np.array([1.0, 2.0])), "f64.2. to the variable 'weight'"),
        (Tensor([1, 2]), "convert it with x.astype"),
        ("a", "cannot become a tensor"),
    ],
)
@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
def test_what_does_not_fit_names_the_variable(value: Any, text: str, method: str) -> None:
    v = Variable([1.0, 2.0], name="weight")
    held = v._value
    with pytest.raises((VariableError, TypeError), match=text):
        getattr(v, method)(value)
    assert v._value is held


def test_only_what_is_added_may_broadcast() -> None:
    v = Variable([1.0, 2.0], name="weight")
    assert v.assign_add(5.0).assign_sub([1.0]).tolist() == [5.0, 6.0]
    with pytest.raises(VariableError, match="a variable keeps its shape"):
        v.assign(5.0)


def test_repr_names_it() -> None:
    assert repr(Variable([1.0], name="b")) == "Variable([1.], dtype=float32, name='b')"
    assert repr(Variable([1])) == "Variable([1], dtype=int64)"


def test_tapes_watch_trainable_ones() -> None:
    v, w = Variable([2.0]), Variable([3.0], trainable=False)
    with GradientTape() as tape:
        y = OPS.sum(v * v * w)
    assert [one if one is None else one.tolist() for one in tape.gradient(y, [v, w])] == [
        [12.0],
        None,
    ]


def test_staged_numbers_are_assigned() -> None:
    trace = Trace("assign")
    v = Variable(1.0, dtype="float64")
    held = v._value
    from autograph.runtime.core.spec import PYFLOAT

    n = trace.add_input(PYFLOAT)
    with trace.active():
        v.assign(n)
        v.assign_add(n)
        trace.graph.outputs = [trace.value_of(v)]
    v._value = held
    assert evaluate(trace.graph, [2.5])[0].tolist() == 5.0
