"""Check mode: what is right passes, and each planted fault is reported, with its text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.call import commit
from autograph.call.concrete import ConcreteFunction
from autograph.control import raising
from autograph.errors import CheckError
from autograph.operators.builtins import printing
from autograph.runtime.core.location import Location
from autograph.runtime.graph import evaluate
from autograph.runtime.ops.table import OPS, RECORDS
from autograph.tracing import places, tracing
from autograph.values import exception_origins

t = ag.asarray
Golden = Callable[[str, str], None]
Plant = Callable[[pytest.MonkeyPatch], None]


def checked(function: Callable[..., Any], mode: str = "text") -> Callable[..., Any]:
    return ag.function(mode=mode, check=True)(function)  # type: ignore[call-overload]


def told(text: str, function: Callable[..., Any]) -> str:
    """A message with file names by their last part and lines counted from the function's first."""
    first = function.__code__.co_firstlineno

    def relative(match: re.Match[str]) -> str:
        return f'File "{Path(match.group(1)).name}", line +{int(match.group(2)) - first}'

    text = re.sub(r'File "([^"]+)", line (\d+)', relative, text)
    lines = lambda match: f"{Path(match.group(1)).name}:+{int(match.group(2)) - first}"  # noqa: E731
    return re.sub(r"(/\S+\.py):(\d+)", lines, text) + "\n"


# the programs whose runs are spoilt ---------------------------------------------------------------
class Model:
    def __init__(self) -> None:
        self.weight = ag.Variable([1.0, 2.0], name="w")
        self.history: list[Any] = [t(0.0)]
        self.calls = 0

    def step(self, x: Any) -> Any:
        if ag.sum(x) > 0:
            self.weight.assign_sub(x * 0.5)
            self.history.append(ag.sum(x))
        self.calls += 1
        print("step", self.calls)
        return {"loss": (self.weight, [ag.tanh(x)])}


def step(model: Model, x: Any) -> Any:
    return model.step(x)


def first_of(items: list[Any], x: Any) -> Any:
    items.append(x)
    return items


def sums(x: Any) -> Any:
    total = ag.sum(ag.exp(x))
    return total, {"mean": total / 3}


def scaled(x: Any) -> Any:
    x[:] = x * 3
    return x


def guarded(x: Any) -> Any:
    if x > 1:
        return x
    raise ValueError(f"{float(x)} is too small")


def counted(n: Any) -> Any:
    turns = 0
    while n > 1:
        n = n - 1
        turns += 1
    return turns


# the faults ---------------------------------------------------------------------------------------
def replaced(name: str, field: str, value: Any) -> Plant:
    """Another reference or lowering of an op."""
    record = RECORDS[name]
    owner = record if field == "reference" else record.lowering

    def plant(patch: pytest.MonkeyPatch) -> None:
        CHANGED.append((owner, field, getattr(owner, field)))
        object.__setattr__(owner, field, value)

    return plant


CHANGED: list[tuple[Any, str, Any]] = []
"""Frozen records that were changed: a monkeypatch cannot put these back by itself."""


@pytest.fixture(autouse=True)
def records_are_put_back() -> Iterator[None]:
    yield
    while CHANGED:
        object.__setattr__(*CHANGED.pop())


def dropped_print(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(printing.Print, "__call__", lambda self, *values: ())


def dropped_write(kind: type) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = commit.commit

        def wrong(writes: Any, given: Any, values: Any) -> None:
            kept = [n for n, write in enumerate(writes) if write.kind is not kind]
            right([writes[n] for n in kept], given, [values[n] for n in kept])

        patch.setattr("autograph.call.concrete.commit", wrong)

    return plant


def unlogged_effect(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tracing.Tracing, "touch", lambda self, place: None)


def wrong_line(patch: pytest.MonkeyPatch) -> None:
    right = exception_origins.user_line

    def wrong(error: BaseException) -> Any:
        found = right(error)
        return found and Location(found.filename, found.line - 1, found.function)

    patch.setattr(exception_origins, "user_line", wrong)


def wrong_error(change: Callable[[Exception], Exception]) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = raising.ExceptionFactory.__call__
        patch.setattr(
            raising.ExceptionFactory, "__call__", lambda self, *values: change(right(self, *values))
        )

    return plant


def copied_object(patch: pytest.MonkeyPatch) -> None:
    right = ConcreteFunction.finish

    def wrong(self: Any, arguments: Any, outputs: Any) -> Any:
        found = right(self, arguments, outputs)
        return list(found) if isinstance(found, list) else found

    patch.setattr(ConcreteFunction, "finish", wrong)


def one_turn_only(patch: pytest.MonkeyPatch) -> None:
    def wrong(node: Any, operands: list[Any]) -> Any:
        return evaluate.evaluate(node.attributes["step"], operands)[1:]

    patch.setitem(evaluate.CONTROL_RULES, "while_loop", wrong)


FAULTS: dict[str, tuple[Callable[..., Any], Callable[[], tuple[Any, ...]], Plant]] = {
    "wrong_reference": (
        sums,
        lambda: (t([1.0, 2.0, 3.0]),),
        replaced("divide", "reference", lambda x, y: np.divide(x, y) * 2),
    ),
    "wrong_lowering": (
        sums,
        lambda: (t([1.0, 2.0, 3.0]),),
        replaced("exp", "expression", "exp({0}) * 1.0001"),
    ),
    "wrong_order_of_magnitude_in_a_large_tensor": (
        lambda x: ag.tanh(x) + 1,
        lambda: (ag.reshape(ag.arange(40) / 10, (4, 10)),),
        replaced("tanh", "expression", "sinh({0})"),
    ),
    "wrong_value_in_an_argument": (
        scaled,
        lambda: (t([1.0, 2.0]),),
        replaced("multiply", "expression", "{0} * {1} + {0}"),
    ),
    "dropped_print": (step, lambda: (Model(), t([1.0, 2.0])), dropped_print),
    "dropped_attribute": (
        step,
        lambda: (Model(), t([1.0, 2.0])),
        dropped_write(places.AttributePlace),
    ),
    "dropped_variable": (
        step,
        lambda: (Model(), t([1.0, 2.0])),
        dropped_write(places.TensorPlace),
    ),
    "dropped_append": (
        step,
        lambda: (Model(), t([1.0, 2.0])),
        dropped_write(places.ContentsPlace),
    ),
    "unlogged_effect": (step, lambda: (Model(), t([1.0, 2.0])), unlogged_effect),
    "wrong_line": (guarded, lambda: (t(0.5),), wrong_line),
    "wrong_message": (
        guarded,
        lambda: (t(0.5),),
        wrong_error(lambda error: type(error)("it is too small")),
    ),
    "wrong_exception": (
        guarded,
        lambda: (t(0.5),),
        wrong_error(lambda error: KeyError(*error.args)),
    ),
    "wrong_identity": (first_of, lambda: ([1, 2], t(0.5)), copied_object),
    "one_turn_only": (counted, lambda: (t(4),), one_turn_only),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_reported(
    name: str, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, arguments, plant = FAULTS[name]
    expected = arguments()
    plant(monkeypatch)
    given = arguments()
    with pytest.raises(CheckError) as caught:
        checked(function)(*given)
    golden(f"checks/{name}.txt", told(str(caught.value), function))
    for one, before in zip(given, expected, strict=True):
        if isinstance(one, Model):
            assert one.calls == 0 and len(one.history) == 1
            assert one.weight.tolist() == before.weight.tolist()
        elif isinstance(one, list):
            assert one == before


@pytest.mark.parametrize("name", FAULTS)
def test_without_the_fault_nothing_is_reported(name: str) -> None:
    function, arguments, _ = FAULTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            checked(function)(*arguments())
        except ValueError as error:
            assert function is guarded and str(error) == "0.5 is too small"


FUNCTIONS = (
    "divide exp expm1 log log1p log2 log10 sin cos tan tanh sinh cosh sigmoid sqrt power subtract"
).split()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_right_to_its_last_digits(
    name: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lowering passes, and is reported once it is 64 units in the last place off."""
    arguments = [t(np.linspace(0.3, 1.4, 7).astype(dtype)) for _ in RECORDS[name].gradient]
    arguments[1:] = [t(np.linspace(2.1, 0.7, 7).astype(dtype)) for _ in arguments[1:]]

    def function(*xs: Any) -> Any:
        return getattr(OPS, name)(*xs)

    checked(function)(*arguments)
    expression = RECORDS[name].lowering.expression  # type: ignore[union-attr]
    factor = 1 + 64 * float(np.finfo(dtype).eps)
    replaced(name, "expression", f"({expression}) * {factor!r}")(monkeypatch)
    with pytest.raises(CheckError):
        checked(function)(*arguments)
