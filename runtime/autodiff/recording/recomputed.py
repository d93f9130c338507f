"""Eager calls that keep what goes into them alone: for a gradient they run again, under a tape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from autograph.runtime.autodiff.recording.reads import Reads
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.record import Op
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS


def recomputed(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f(*args, **kwargs)`; the tapes see one operation, that knows its gradient."""
    tapes: tuple[Any, ...] = STATE.tapes
    if not tapes:
        return f(*args, **kwargs)
    call = _Call(f, args, kwargs, tapes)
    result = call.run(call.inside)
    outputs = call.made(result, call.inside)
    if call.inside.followed:
        _require_no_arrays(result, (*args, *kwargs.values()))
    for tape in tapes:
        tape.record_function(call.cells, outputs, call.pull, call.values)
    return result


def _require_no_arrays(result: Any, given: tuple[Any, ...]) -> None:
    """TypeError where a result is an array of NumPy's: no tape follows what it was computed of."""
    parts = result if isinstance(result, list | tuple) else (result,)
    for one in parts:
        is_array = isinstance(one, np.ndarray | np.generic) and one.dtype.kind in "fc"
        if is_array and not any(one is other for other in given):
            raise TypeError(
                "a recomputed function gives an array of NumPy's, and a GradientTape watches what "
                "it read: no gradient goes through the array. Make a tensor of it in the function, "
                "as out = ag.zeros(n) for np.zeros(n) or ag.stack(items)"
            )


def tensors_in(item: Any, seen: set[int] | None = None) -> Iterator[Tensor]:
    """The float tensors in a result: in containers, and in the attributes of objects."""
    seen = set() if seen is None else seen
    if id(item) in seen:
        return
    seen.add(id(item))
    if isinstance(item, Tensor):
        if item.dtype.kind == "f":
            yield item
    elif isinstance(item, dict):
        for one in item.values():
            yield from tensors_in(one, seen)
    elif isinstance(item, list | tuple | set):
        for one in item:
            yield from tensors_in(one, seen)
    elif not isinstance(item, type) and hasattr(item, "__dict__"):
        yield from tensors_in(vars(item), seen)


class _Inside(Reads):
    """What a call reads that was there before, and which of it the tapes around it follow."""

    def __init__(self, tapes: tuple[Any, ...]) -> None:
        super().__init__()
        self.tapes = tapes
        self.followed: dict[int, tuple[Tensor, Any]] = {}
        self.written: dict[int, tuple[Tensor, Any]] = {}
        # Made inside: another run makes others, and these shall not be kept.
        self.own: WeakValueDictionary[int, Tensor] = WeakValueDictionary()
        self.own_values: WeakValueDictionary[int, Any] = WeakValueDictionary()

    def record(
        self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any], outputs: Any
    ) -> None:
        """See Reads."""
        super().record(op, inputs, attributes, outputs)
        self._note_own(outputs if type(outputs) is tuple else (outputs,))

    def _note_own(self, outputs: Iterable[Tensor]) -> None:
        """Tensors, and the values of which arrays and views are made, too."""
        for one in outputs:
            self.own[id(one)] = one
            self.own_values[id(one._value)] = one._value

    def record_function(self, inputs: Any, outputs: Any, backward: Any, values: Any = None) -> None:
        """See Reads."""
        super().record_function(inputs, outputs, backward, values)
        self._note_own(outputs)

    def looked_at(self, cell: Tensor) -> None:
        """What Python does with a number that it takes depends on the cell, too."""
        self.note(cell, cell._value)
        for tape in self.tapes:
            tape.looked_at(cell)

    def note(self, cell: Tensor, value: Any) -> None:
        """Note a cell; one that was written before is not what it was."""
        if id(cell) in self.found or id(cell) in self.written or self._is_own(cell):
            return
        follows = any(tape.follows(cell) for tape in self.tapes)
        if follows and cell.dtype.kind == "f":
            self.followed.setdefault(id(value), (cell, value))  # of which there may be two cells
        self.found[id(cell)] = (cell, value)

    def _is_own(self, cell: Tensor) -> bool:
        return id(cell) in self.own or id(cell._value) in self.own_values

    def assigned(self, cell: Tensor) -> None:
        """Note what a cell held before its first assignment."""
        if id(cell) in self.written or not self._is_own(cell):
            self.written.setdefault(id(cell), (cell, cell._value))
        for tape in self.tapes:
            tape.assigned(cell)


class _Call:
    """One call: what it was given, and the values that it read."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        tapes: tuple[Any, ...],
    ) -> None:
        self.f = f
        self.args = args
        self.kwargs = kwargs
        self.inside = _Inside(tapes)

    def run(self, inside: Reads, *tapes: Any) -> Any:
        """Run the function, with these alone looking on."""
        outer, STATE.tapes = STATE.tapes, tapes
        try:
            with inside:
                return self.f(*self.args, **self.kwargs)
        finally:
            STATE.tapes = outer

    @property
    def cells(self) -> list[Tensor]:
        """What may get a gradient."""
        return [cell for cell, _ in self.inside.followed.values()]

    @property
    def values(self) -> list[Any]:
        """The arrays that these held."""
        return [value for _, value in self.inside.followed.values()]

    def made(self, result: Any, inside: _Inside) -> list[Tensor]:
        """The float tensors in a result, without those that went in, and what cells of outside
        were given: each value once."""
        given = set(map(id, self.values))
        written = (cell for cell, _ in inside.written.values() if cell.dtype.kind == "f")
        found: dict[int, Tensor] = {}
        for one in (*tensors_in(result), *written):
            if id(one._value) not in given:
                found.setdefault(id(one._value), Tensor._of(one._value))
        return list(found.values())

    def pull(self, arriving: Sequence[Any]) -> list[Any]:
        """The gradients of the cells from those of the outputs: by a second run."""
        begun = [*self.inside.found.values(), *self.inside.written.values()]
        now = [(cell, cell._value) for cell, _ in begun]
        again = _Inside(())
        for cell, value in begun:
            cell._value = value
        try:
            with GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(self.cells)
                with again:
                    result = self.f(*self.args, **self.kwargs)
            outputs = self.made(result, again)
            if len(outputs) != len(arriving):
                raise RuntimeError(
                    f"{getattr(self.f, '__name__', self.f)} gave {len(arriving)} tensors, and "
                    f"{len(outputs)} when it ran again for its gradient"
                )
            found: list[Any] = tape.gradient(outputs, self.cells, list(arriving))
        finally:
            for cell, value in [*again.written.values(), *now]:
                cell._value = value
        return [one if one is None else OPS.asarray_or_same(one) for one in found]
