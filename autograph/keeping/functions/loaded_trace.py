"""One trace of a loaded function: what a call must be like, and how it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.call.commit import Write, commit
from autograph.call.taped import GraphFunction
from autograph.errors import ArgumentError
from autograph.keeping.errors import DamagedError
from autograph.keeping.functions.expressions import Arguments, Read
from autograph.merge.freeze import CONTAINERS
from autograph.merge.results import Concrete
from autograph.runtime.core.dims import Dim, may_be_one
from autograph.runtime.core.spec import AnySpec, ListSpec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.graph.ir import Graph
from autograph.tracing.places import ContentsPlace, TensorPlace
from autograph.values.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class LoadedWrite:
    """What a call changes: the number of its owner among the given objects, and what it gets."""

    owner: int
    what: str
    value: Skeleton
    after: int | None = None
    """For a list that was only appended to: how many items are kept as they are."""
    kinds: tuple[type, ...] = (Tensor, *CONTAINERS)
    """Of what the owner may be."""


@dataclass(slots=True, eq=False)
class LoadedTrace:
    """One trace: what a call must be like, and how it runs."""

    graph: Graph
    arity: int
    keywords: tuple[str, ...]
    guards: Sequence[Sequence[Read]]
    """What must hold, for each of STANDING_IN."""
    inputs: Sequence[Read]
    given: Sequence[Read]
    result: Skeleton
    writes: Sequence[LoadedWrite]
    run: GraphFunction
    shown: str = field(default="")

    def matches(self, a: Arguments, turn: int) -> bool:
        """Whether this is the trace for these arguments, by a turn of STANDING_IN."""
        try:
            if not all(isinstance(self.given[one.owner](a), one.kinds) for one in self.writes):
                return False
            return all(guard(a) for guard in self.guards[turn])
        except Exception:  # a path that leads nowhere: the arguments are of another structure
            return False

    def call(self, a: Arguments) -> Any:
        """Call it: the result, with every write done. If it raises, nothing was written."""
        values = [read(a) for read in self.inputs]
        _check(self.graph, values)
        given = [read(a) for read in self.given]
        if STATE.tapes:
            outputs = self.run([_tensor(one) for one in values])
        else:
            outputs = self.run.plain([_plain(one) for one in values])
        result, values = self._made_of(outputs, given)
        commit(list(map(_write, self.writes)), given, values)
        return result

    def _made_of(self, outputs: Sequence[Any], given: Sequence[Any]) -> tuple[Any, list[Any]]:
        """The result, and what the writes put. DamagedError where the outputs do not fit these."""
        thawer = Concrete(iter(outputs), given)
        try:
            result = thawer.thaw(self.result)
            return result, [thawer.thaw(one.value) for one in self.writes]
        except (LookupError, StopIteration, TypeError, ValueError, AttributeError) as error:
            raise DamagedError(
                f"{self.graph.name} gives what its result cannot be made of: {error!r}"
            ) from error


def _tensor(value: Any) -> Any:
    return Tensor._of(_plain(value)) if isinstance(value, np.ndarray | np.generic) else value


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return np.array(value, value.dtype.newbyteorder("="))
    return value._value if isinstance(value, Tensor) else value


def _write(write: LoadedWrite) -> Write:
    kind = TensorPlace if write.what == "tensor" else ContentsPlace
    kept = 0 if write.after is None else write.after
    return Write(kind, "", "", write.owner, write.value, kept, write.after is not None)


def _check(graph: Graph, values: Sequence[Any]) -> None:
    """ArgumentError unless the inputs of a graph are of its specs."""
    sizes: dict[str, Any] = {}
    for input_, value in zip(graph.inputs, values, strict=True):
        if not _fits(input_.spec, value, sizes):
            name = input_.name or "an input"
            shown = describe(value) if isinstance(value, Tensor | np.ndarray) else repr(value)
            raise ArgumentError(f"{name} of {graph.name} is {shown}, and not {input_.spec}")


def _fits(spec: AnySpec, value: Any, sizes: dict[str, Any]) -> bool:
    if isinstance(spec, ListSpec):
        return False
    if spec.python:
        if type(value) is not spec.python_type:
            return False
        return not isinstance(value, int) or -(2**63) <= value < 2**63
    if not isinstance(value, Tensor | np.ndarray | np.generic) or value.ndim != spec.ndim:
        return False
    if value.dtype.newbyteorder("=") != spec.dtype:
        return False
    return all(_same_size(dim, size, sizes) for dim, size in zip(spec.shape, value.shape))


def _same_size(dim: Any, size: Any, sizes: dict[str, Any]) -> bool:
    """Whether a size is what a graph says: a symbol stands for one size, and most never for 1."""
    if isinstance(dim, int):
        return bool(dim == size)
    if not isinstance(dim, Dim) or dim.name is None:
        return False
    return bool((size != 1 or may_be_one(dim)) and sizes.setdefault(dim.name, size) == size)
