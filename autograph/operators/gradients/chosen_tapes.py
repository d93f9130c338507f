"""Tapes and tensors that may be one another, depending on staged conditions.

Where `w` is `a` on some path, watching one of them watches the other on that path, and the gradient
with respect to one counts the uses of both. Each has a value of its own in the graph, made before
the tape started; so the tape watches each, and what is asked for is added up by identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.control.alias_updates import is_alive
from autograph.control.branch import switch
from autograph.operators.expressions.truth import as_value
from autograph.runtime.autodiff.recording.recorder import Recorder
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.ops.table import OPS
from autograph.tracing.sameness import same_object_flag
from autograph.tracing.tracing import Tracing


def with_aliases(tracing: Tracing, tape: Recorder, tensors: Sequence[Any]) -> list[Any]:
    """Tensors that a tape is to watch, with the others that they may be."""
    found = list(tensors)
    for tensor in tensors:
        if isinstance(tensor, Tensor) and not _is_computed(tape, tensor):
            aliases = _aliases(tracing, tensor)
            found += [one for one in aliases if not _is_computed(tape, one)]
            if aliases:
                tracing.watched.setdefault(id(tape), []).append(tensor)
                tracing.keep(tape)
    return found


def _aliases(tracing: Tracing, tensor: Tensor) -> list[Tensor]:
    """The other tensors of floats, still to be reached, that may be this one."""
    found, pending, seen = [], [tensor], {id(tensor)}
    here = tracing.identities.roots(tensor)
    while pending:
        one = pending.pop()
        identity = tracing.identities.of(one)
        near = identity.objects if identity is not None else ()
        for other in (*near, *tracing.identities.followers(one)):
            if id(other) not in seen:
                seen.add(id(other))
                pending.append(other)
                if not here.isdisjoint(tracing.identities.roots(other)) and _is_usable(
                    tracing, other
                ):
                    found.append(other)
    return found


def tell_apart(tracing: Tracing, sources: Sequence[Any]) -> None:
    """Guard that the tensors of before the call are as many in another call.

    The gradient with respect to one counts the uses of that object: `f(x, x)` has another one than
    `f(x, y)`. Tensors of other classes, dtypes or numbers of axes are no sources in any call.
    """
    tensors = [one for one in sources if isinstance(one, Tensor)]
    objects = {root for one in tensors for root in tracing.identities.roots(one)}
    reached = [
        one for one in tracing.reached if isinstance(one, Tensor) and id(one) in tracing.cells
    ]
    kinds = {_kind(one) for one in reached if id(one) in objects}
    for one in reached:
        if _kind(one) in kinds:
            tracing.apart[id(one)] = tracing.path_of(one)


def _kind(tensor: Tensor) -> tuple[Any, ...]:
    return type(tensor), tensor.dtype, tensor.ndim


def _is_usable(tracing: Tracing, tensor: Tensor) -> bool:
    floats = tensor.dtype.kind == "f"
    staged = isinstance(tensor._value, Value)
    return floats and (not staged or is_alive(tracing.region.trace, tensor))


def _is_computed(tape: Recorder, tensor: Tensor) -> bool:
    """Whether the tape has recorded how the value of a tensor came about."""
    held = tensor._value
    return isinstance(held, Value) and held.node in tape._nodes


class Asked:
    """Sources of a gradient, with the watched tensors that they may be."""

    def __init__(self, tracing: Tracing, tape: Recorder, sources: Sequence[Any]) -> None:
        self.tracing = tracing
        self.own = [_own(tape, source) for source in sources]
        self.sources = list(sources)
        self.aliases = [self._watched_aliases(tape, source) for source in sources]
        self.direct = tracing.watched.get(id(tape), [])

    def _watched_aliases(self, tape: Recorder, source: Any) -> list[Tensor]:
        if not isinstance(source, Tensor):
            return []
        aliases = _aliases(self.tracing, source)
        return [one for one in aliases if _own(tape, one)]

    @property
    def everything(self) -> tuple[Any, ...]:
        """What the tape is asked for."""
        return (*self.sources, *(one for aliases in self.aliases for one in aliases))

    def answers(self, gradients: Sequence[Any]) -> list[Any]:
        """The gradients of the sources, of those of `everything`."""
        found = list(gradients[: len(self.sources)])
        others = iter(gradients[len(self.sources) :])
        for number, source in enumerate(self.sources):
            pairs = [(one, next(others)) for one in self.aliases[number]]
            if pairs:
                found[number] = self._answer(source, self.own[number], found[number], pairs)
        return found

    def _answer(
        self, source: Tensor, own: bool, gradient: Any, pairs: list[tuple[Tensor, Any]]
    ) -> Any:
        """The gradient of a source: of its own uses, and those as what it may be.

        A source whose value the tape has seen made of others is these where it is one of them:
        their gradients hold its own.
        """
        total = gradient if own else None
        for one, part in pairs:
            if part is not None:
                same = same_object_flag(self.tracing, source, one)
                total = _sum(total, self._part(same, source, part))
        if own and any(source is one for one in self.direct):
            return total
        known: Any = False
        for one in self.direct if own else [one for one, _ in pairs]:
            same = same_object_flag(self.tracing, source, one)
            known = True if same is True else known if same is False else _either(known, same)
        if own:
            return None if total is None else _where(known, total)
        return _sum(_where(known, total), _where(_opposite(known), gradient))

    def _part(self, same: Any, source: Tensor, gradient: Tensor) -> Any:
        """The gradient of another tensor, which has the shape of the source where it is that."""
        if isinstance(same, bool) or gradient._known_shape() == source._known_shape():
            return _where(same, gradient)
        shape = tuple(OPS.dimension(source, axis) for axis in range(source.ndim))
        number = OPS.to_number(same, kind=bool) if isinstance(same, Tensor) else same
        flag = as_value(self.tracing, number)
        shaped = [lambda: OPS.zeros_like(source), lambda: OPS.reshape(gradient, shape)]
        return switch(self.tracing, flag, shaped)


def _own(tape: Recorder, tensor: Any) -> bool:
    """Whether a tape watches a tensor whose value came from elsewhere."""
    if not isinstance(tensor, Tensor) or id(tensor) not in tape._cells:
        return False
    value = tape._cells[id(tensor)][1]
    return not (isinstance(value, Value) and value.node in tape._nodes)


def _either(left: Any, right: Any) -> Any:
    return left if left is True else right if left is False else OPS.logical_or(left, right)


def _opposite(flag: Any) -> Any:
    return not flag if isinstance(flag, bool) else OPS.logical_not(flag)


def _where(flag: Any, gradient: Any) -> Any:
    if gradient is None or flag is True:
        return gradient
    return None if flag is False else OPS.where(flag, gradient, OPS.zeros_like(gradient))


def _sum(left: Any, right: Any) -> Any:
    if left is None or right is None:
        return right if left is None else left
    return left + right
