"""Going back over what a tape recorded eagerly: values are arrays, known by their identity."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from autograph.runtime.autodiff.backward.activity import dependence_of_nodes
from autograph.runtime.autodiff.backward.backward_pass import Varied
from autograph.runtime.autodiff.backward.fitting import fitted_eagerly
from autograph.runtime.autodiff.backward.selections import SELECTING, Mask, Step, either
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.location import user_location
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.ops.building import in_dtype, untyped
from autograph.runtime.ops.table import OPS


@runtime_checkable
class Several(Protocol):
    """A call that gives several results at once."""

    def is_computed_from(self, other: int, number: int) -> bool:
        """Whether it has computed one of its results from another of them."""

    def pull_selected(
        self, arriving: Sequence[Any], masks: Sequence[Mask | None]
    ) -> tuple[list[Any], list[Mask | None]]:
        """The gradients of its inputs and their masks, from those of its results."""


Backward = Callable[[Sequence[Any]], Sequence[Any]]
Record = tuple[Op | Backward, Mapping[str, Any], tuple[Any, ...], list[Any], Any, Any]
"""What was applied (an op, or its backward function), attributes, inputs, the arrays that these
held (None: not a tensor), outputs, and the arrays of those. A tuple, for it is made on each op."""


def eager_gradients(
    records: Sequence[Record], seeds: Iterable[tuple[Any, Any]], varied: Container[int]
) -> dict[int, Any]:
    """The gradients by id of value, given those of results; only for ids that `varied` has."""
    found: dict[int, Any] = {}
    masks: dict[int, Mask] = {}
    for value, seed in seeds:
        _add(found, id(value), seed)
    for record in reversed(records):
        op, attributes, inputs, values, out, made = record
        if type(made) is tuple:
            _several(record, varied, found, masks)
            continue
        g = found.get(id(made))
        if g is None:
            continue
        position = 0
        for value in values:
            if value is None:
                pass
            elif inputs[position]._value is not value or type(inputs[position]) is not Tensor:
                inputs = tuple(map(_as_it_was, inputs, values))
                break
            position += 1
        if out._value is not made:
            out = Tensor._of(made)
        mask = masks.get(id(made)) if masks else None
        if op.variadic:  # type: ignore[union-attr]
            _of_many(record, out, g, inputs, varied, found, masks)
            continue
        selects = mask is not None or op.name in SELECTING  # type: ignore[union-attr]
        rules = _RULES.get(op) or _rules_of(op)  # type: ignore[arg-type]
        position = -1
        for value in values:
            position += 1
            rule, key = rules[position], id(value)
            if rule is None or value is None or key not in varied:
                continue
            if attributes:
                gradient = rule(OPS, g, out, *inputs, **attributes)
            elif len(values) == 2:
                gradient = rule(OPS, g, out, inputs[0], inputs[1])
            else:
                gradient = rule(OPS, g, out, *inputs)
            if selects:
                spec = Spec(value.dtype, value.shape)
                step = Step(op, rule, position, g, out, inputs, attributes, spec)  # type: ignore[arg-type]
                gradient, own = step.carried(gradient, mask)
                _note(masks, found, key, own)
            elif masks:
                masks.pop(key, None)
            held, dtype = gradient._value, value.dtype
            if held.dtype != dtype:
                gradient = in_dtype(OPS, gradient, dtype)
            if held.shape != value.shape:
                gradient = fitted_eagerly(op, gradient, value)  # type: ignore[arg-type]
            before = found.get(key)
            found[key] = gradient if before is None else before + gradient
    return found


def _of_many(
    record: Record,
    out: Any,
    g: Any,
    inputs: tuple[Any, ...],
    varied: Container[int],
    found: dict[int, Any],
    masks: dict[int, Mask],
) -> None:
    """Go back over an op that takes any number of inputs."""
    op, attributes, _, values, _, made = record
    assert isinstance(op, Op)
    rule: Any = op.gradient[0]
    mask = masks.get(id(made))
    every = rule(OPS, g, out, *inputs, **attributes)
    for position, (value, gradient) in enumerate(zip(values, every, strict=True)):
        if gradient is None or value is None or id(value) not in varied:
            continue
        own = None
        if mask is not None:
            spec = Spec(value.dtype, value.shape)
            step = Step(op, rule, position, g, out, inputs, attributes, spec)
            gradient, own = step.carried(gradient, mask)
        _note(masks, found, id(value), own)
        _add(found, id(value), fitted_eagerly(op, gradient, value))


def _note(masks: dict[int, Mask], found: dict[int, Any], key: int, mask: Mask | None) -> None:
    """Keep the mask of a gradient that is about to be added to what is found."""
    if key in found:
        mask = either(masks.get(key), mask)
    if mask is not None:
        masks[key] = mask
    else:
        masks.pop(key, None)


_RULES: dict[Any, tuple[Any, ...]] = {}


def _rules_of(op: Op) -> tuple[Any, ...]:
    """The rules of an op, but for the casts around them: here a look at the dtype is enough."""
    _RULES[op] = rules = tuple(rule and untyped(rule) for rule in op.gradient)
    return rules


def _several(
    record: Record, varied: Container[int], found: dict[int, Any], masks: dict[int, Mask]
) -> None:
    """Go back over an op with several results, or over what knows its own gradient."""
    op, attributes, inputs, values, outputs, made = record
    arriving = [found.get(id(value)) for value in made]
    if all(one is None for one in arriving):
        return
    own: list[Mask | None] = [None] * len(values)
    call = getattr(op, "__self__", None)
    if isinstance(call, Several):
        results, own = call.pull_selected(arriving, [masks.get(id(value)) for value in made])
    elif not isinstance(op, Op):
        results = list(op(arriving))
    else:
        inputs = tuple(map(_as_it_was, inputs, values))
        outputs = tuple(map(_as_it_was, outputs, made))
        g = tuple(
            OPS.zeros_like(one) if gradient is None else gradient
            for one, gradient in zip(outputs, arriving, strict=True)
        )
        results = [
            None if rule is None else rule(OPS, g, outputs, *inputs, **attributes)
            for rule in op.gradient
        ]
    for value, gradient, mask in zip(values, results, own, strict=True):
        if gradient is not None and value is not None and id(value) in varied:
            if isinstance(op, Op):
                gradient = fitted_eagerly(op, gradient, value)
            _note(masks, found, id(value), mask)
            _add(found, id(value), gradient)


def require_outside(records: Sequence[Record], sources: Container[int], targets: set[int]) -> None:
    """StagingError for a source that a staged call gave, and computed something else from.

    The call is one op to the tape, so what it computed from one of its results is not known here.
    """
    for place, record in enumerate(records):
        made = record[5]
        if type(made) is not tuple or len(made) < 2 or isinstance(record[0], Op):
            continue
        call = getattr(record[0], "__self__", None)
        if not isinstance(call, Several):
            continue
        for number, value in enumerate(made):
            if id(value) not in sources:
                continue
            others = {
                id(one)
                for other, one in enumerate(made)
                if other != number and call.is_computed_from(other, number)
            }
            if others and not targets.isdisjoint(varied_in(records[place + 1 :], others)):
                raise StagingError(
                    "a gradient is asked with respect to a result of a staged call, from which the "
                    "call has computed another of its results",
                    location=user_location(),
                    remedy="ask for the gradient in the function, or compute the other result "
                    "outside",
                )


def varied_in(records: Sequence[Record], sources: Iterable[int]) -> set[int]:
    """The ids of the arrays that depend on `sources`."""
    varied = set(sources)
    for _, _, _, values, _, made in records:
        for value in values:
            if value is not None and id(value) in varied:
                varied.update(map(id, made) if type(made) is tuple else (id(made),))
                break
    return varied


def _add(found: dict[int, Any], key: int, gradient: Any) -> None:
    before = found.get(key)
    found[key] = gradient if before is None else OPS.add(before, gradient)


def _as_it_was(x: Any, value: Any) -> Any:
    """A tensor holding what `x` held when it was recorded; what is no tensor stays.

    Of a Variable, too: going back reads values, and other tapes do not watch it for that.
    """
    if value is None or (x._value is value and type(x) is Tensor):
        return x
    return Tensor._of(value)


def varied_from(sources: Sequence[Value], nodes: Sequence[Node]) -> Varied:
    """Which values depend on `sources`, as far as `nodes` compute them."""
    masks = dependence_of_nodes(sources, nodes)
    return lambda value: bool(masks.get(value))
