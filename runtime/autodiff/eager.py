"""Going back over what a tape recorded eagerly: values are arrays, known by their identity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph.runtime.autodiff.activity import dependence_of_nodes
from autograph.runtime.autodiff.backward import Varied, fitted_eagerly
from autograph.runtime.core.record import Op
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.ops.table import OPS


class Record:
    """One op that was applied; `values` are what its inputs held then (None: not a tensor)."""

    __slots__ = ("attributes", "backward", "inputs", "made", "op", "outputs", "values")

    def __init__(
        self,
        op: Op | None,
        inputs: tuple[Any, ...],
        values: tuple[Any, ...],
        attributes: Mapping[str, Any],
        outputs: tuple[Any, ...],
        made: tuple[Any, ...],
        backward: Callable[[Sequence[Any]], Sequence[Any]] | None = None,
    ) -> None:
        self.op = op
        self.inputs = inputs
        self.values = values
        self.attributes = attributes
        self.outputs = outputs
        self.made = made
        self.backward = backward


def eager_gradients(
    records: Sequence[Record], seeds: Iterable[tuple[Any, Any]], sources: set[int | None]
) -> dict[int, Any]:
    """The gradients by id of value, given those of results; only on the way to `sources`."""
    varied: set[int | None] = set(sources)
    relevant = []
    for record in records:
        if any(value is not None and id(value) in varied for value in record.values):
            relevant.append(record)
            varied.update(map(id, record.made))
    found: dict[int, Any] = {}
    for value, seed in seeds:
        _add(found, id(value), seed)
    for record in reversed(relevant):
        arriving = [found.get(id(value)) for value in record.made]
        if all(one is None for one in arriving):
            continue
        if record.backward is not None:
            results = record.backward(arriving)
        else:
            results = _apply_rules(record, arriving, varied)
        for value, gradient in zip(record.values, results, strict=True):
            if gradient is not None and id(value) in varied:
                _add(found, id(value), gradient)
    return found


def _add(found: dict[int, Any], key: int, gradient: Any) -> None:
    before = found.get(key)
    found[key] = gradient if before is None else OPS.add(before, gradient)


def _apply_rules(record: Record, arriving: list[Any], varied: set[int | None]) -> list[Any]:
    op = record.op
    assert op is not None
    inputs = [_as_it_was(x, value) for x, value in zip(record.inputs, record.values, strict=True)]
    outputs = [_as_it_was(x, value) for x, value in zip(record.outputs, record.made, strict=True)]
    wanted = [
        value is not None and value.dtype.kind == "f" and id(value) in varied
        for value in record.values
    ]
    g: Any
    out: Any
    if len(arriving) == 1:
        g, out = arriving[0], outputs[0]
    else:
        g = tuple(
            OPS.zeros_like(one) if gradient is None else gradient
            for one, gradient in zip(outputs, arriving, strict=True)
        )
        out = tuple(outputs)
    if op.variadic:
        every = op.gradient[0]
        assert every is not None
        results = list(every(OPS, g, out, *inputs, **record.attributes))
    else:
        results = [
            rule(OPS, g, out, *inputs, **record.attributes) if rule is not None and want else None
            for rule, want in zip(op.gradient, wanted, strict=True)
        ]
    return [
        fitted_eagerly(op, gradient, value) if want and gradient is not None else None
        for gradient, value, want in zip(results, record.values, wanted, strict=True)
    ]


def _as_it_was(x: Any, value: Any) -> Any:
    """A tensor holding what `x` held when it was recorded; what is no tensor stays."""
    if value is None or x._value is value:
        return x
    return Tensor._of(value)


def varied_from(sources: Sequence[Value], nodes: Sequence[Node]) -> Varied:
    """Which values depend on `sources`, as far as `nodes` compute them."""
    masks = dependence_of_nodes(sources, nodes)
    return lambda value: bool(masks.get(value))
