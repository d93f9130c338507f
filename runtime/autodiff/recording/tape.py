"""GradientTape: records what is computed from watched values, and goes back over it."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.autodiff.backward import custom  # noqa: F401  (it fills the table of rules)
from autograph.runtime.autodiff.backward.accumulate import Gradients
from autograph.runtime.autodiff.backward.backward_pass import sweep
from autograph.runtime.autodiff.control import branches, calls, loops  # noqa: F401  (the same)
from autograph.runtime.autodiff.control.nested import Below
from autograph.runtime.autodiff.recording.eager import eager_gradients, require_outside, varied_in
from autograph.runtime.autodiff.recording.jacobian import batch_rows, jacobian_rows
from autograph.runtime.autodiff.recording.recorder import Recorder, require_float, require_inexact
from autograph.runtime.autodiff.recording.sources import Reading, taken_apart
from autograph.runtime.autodiff.saving import recompute  # noqa: F401  (the same)
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS


class GradientTape(Recorder):
    """Records operations on watched tensors, to differentiate what came of them.

    Trainable float Variables are watched when they are first used, unless
    `watch_accessed_variables` is false; other tensors by `watch`. A watched cell means the value
    that it had then, whatever is assigned to it later. `gradient` may be called once, or, if
    `persistent`, any number of times. Tapes nest: the outer one records the gradients of the inner
    one. A tape works eagerly, and in a staged function through its branches, loops and calls.
    """

    # going back -------------------------------------------------------------------------------
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: str = "none",
    ) -> Any:
        """The gradient of the sum of `target` with respect to `sources`.

        `target` is a float tensor or several, nested; `sources` likewise. The result nests as they
        do, with None for what `target` does not depend on (zeros, if `unconnected_gradients` is
        "zero"); a dataclass becomes one of gradients, a module a dict by the names of its trainable
        Variables. `output_gradients`, nested as `target`, are what to begin with instead of ones;
        None among them counts as zeros, as where a gradient gave it. The gradient by a complex
        source a + ib is the one by a minus i times the one by b, as in JAX; a complex target needs
        `output_gradients`.
        TypeError for a target or source that holds no floats; RuntimeError on a second call, unless
        the tape is persistent.
        """
        self._require_home("gradient")
        self._require_use(unconnected_gradients)
        begun = taken_apart(target, Reading())[0]
        require = require_float if output_gradients is None else require_inexact
        targets = [require(one, "target of the gradient") for one in begun]
        leaves, rebuild = taken_apart(sources, Reading())
        for leaf in leaves:
            require_inexact(leaf, "source of the gradient")
        recording = self._recording
        outer = recording and not self._persistent
        if outer:
            self._stop()  # nothing more can be asked of it
        try:
            seeds = self._seeds(targets, output_gradients)
            if self._trace is None:
                found = self._eager(seeds, leaves)
            else:
                below = Below(self._trace, recording)
                found = self._staged(self._trace, below, seeds, leaves)
        finally:
            if outer:
                self._start()
        self._note_use()
        if unconnected_gradients == "zero":
            pairs = zip(found, leaves, strict=True)
            found = [OPS.zeros_like(leaf) if one is None else one for one, leaf in pairs]
        return rebuild(map(_own_cell, found, leaves))

    def _is_spent(self) -> bool:
        """Whether `gradient` was called already. In a trace: here, or in what encloses this.

        A branch or turn that was traced and dropped, or that excludes this one, does not count.
        """
        if self._persistent or self._trace is None:
            return self._used and not self._persistent
        here: Any = STATE.interpreter
        while here is not None:
            if any(one is here for one in self._used_in):
                return True
            here = here.parent
        return False

    def _seeds(self, targets: list[Tensor], given: Any) -> list[tuple[Tensor, Any]]:
        if given is None:
            return [(target, _ones(target)) for target in targets]
        seeds = taken_apart(given, Reading(), none_is_leaf=True)[0]
        if len(seeds) != len(targets):
            raise ValueError(f"{len(seeds)} output gradients for {len(targets)} targets")
        pairs = []
        for target, seed in zip(targets, seeds, strict=True):
            if seed is None:
                continue
            number = isinstance(seed, int | float | Number)
            tensor = OPS.asarray(seed, dtype=target.dtype) if number else OPS.asarray_or_same(seed)
            if tensor.dtype != target.dtype:
                tensor = OPS.astype(tensor, target.dtype)
            if tensor.shape != target.shape:
                tensor = OPS.broadcast_like(tensor, target)
            pairs.append((target, tensor))
        return pairs

    def _source_value(self, source: Tensor) -> Any:
        known = self._cells.get(id(source))
        if known is not None:
            return known[1]
        return self._key_value(source)

    def _eager(self, seeds: list[tuple[Tensor, Any]], sources: list[Tensor]) -> list[Any]:
        keys = [id(self._source_value(source)) for source in sources]
        known = {key for key in keys if key in self._tracked}
        pairs = [(target._value, seed) for target, seed in seeds]
        require_outside(self._records, known, {id(value) for value, _ in pairs})
        everything = len(known) == len(self._cells)  # what was watched is what is asked for
        varied = self._tracked if everything else varied_in(self._records, known)
        found = eager_gradients(self._records, pairs, varied)
        return [found.get(key) if key in known else None for key in keys]

    def _staged(
        self,
        trace: Trace,
        below: Below,
        seeds: list[tuple[Tensor, Any]],
        sources: list[Tensor],
    ) -> list[Any]:
        differentiated: Trace | None = below.traces[0] if below.traces else trace
        while differentiated is not None:
            differentiated.differentiated, differentiated = True, differentiated.parent
        values = [self._source_value(source) for source in sources]
        asked = [target._value for target, _ in seeds] + values
        below.require_known([one for one in asked if isinstance(one, Value) and below.has(one)])
        nodes = list(self._nodes)
        tracked = [one in self._tracked or one.node in self._nodes for one in values]
        if any(map(below.has, values)):
            follows = below.varied(list(self._tracked), nodes)
            tracked = [one or follows(v) for one, v in zip(tracked, values, strict=True)]
        known = [one for one, is_tracked in zip(values, tracked, strict=True) if is_tracked]
        varied = below.varied(known, nodes)
        gradients = Gradients()
        for target, seed in seeds:
            if self._sees(target._value):
                gradients.add(trace.value_of(target), seed)
            elif below.has(target._value):
                gradients.add(target._value, seed)
        below.sweep(gradients, varied)
        sweep(nodes, gradients, varied)
        return [
            gradients.get(one) if is_tracked else None
            for one, is_tracked in zip(values, tracked, strict=True)
        ]

    def jacobian(self, target: Tensor, sources: Any, unconnected_gradients: str = "none") -> Any:
        """The gradients of every element of `target`: its axes, then those of the source.

        The result nests as `sources` do, with None for what is not connected (or zeros).
        """
        return self._all_rows(jacobian_rows, target, sources, unconnected_gradients)

    def batch_jacobian(
        self, target: Tensor, sources: Any, unconnected_gradients: str = "none"
    ) -> Any:
        """The Jacobian of each element along axis 0 of `target` by the same one of the source.

        Its axes are that one, the others of `target`, and the others of the source. That no element
        depends on another one of the source is not looked at.
        """
        return self._all_rows(batch_rows, target, sources, unconnected_gradients)

    def _all_rows(self, rows: Any, target: Tensor, sources: Any, unconnected: str) -> Any:
        require_float(target, "target of the gradient")
        self._require_use(unconnected)
        leaves, rebuild = taken_apart(sources, Reading())
        for leaf in leaves:
            require_float(leaf, "source of the gradient")

        def pull(seed: Any) -> Any:
            return self.gradient(target, leaves, seed, unconnected)

        persistent, recording = self._persistent, self._recording
        if recording and not persistent:
            self._stop()  # nothing more can be asked of it
        self._persistent = True
        try:
            found = rows(target, leaves, pull)
        finally:
            self._persistent = persistent
            if recording and not persistent:
                self._start()
        self._note_use()
        return rebuild(map(_own_cell, found, leaves))

    def _note_use(self) -> None:
        """A gradient was taken: what is not needed any more is given free."""
        self._used = True
        if self._trace is not None:
            self._used_in.append(STATE.interpreter)
        elif not self._persistent:
            self._clear()

    def _require_use(self, unconnected: str) -> None:
        if unconnected not in ("none", "zero"):
            raise ValueError(f"unconnected_gradients is 'none' or 'zero', not {unconnected!r}")
        if self._is_spent():
            raise spent()


def spent() -> RuntimeError:
    """The error of a second gradient of a tape that gives one."""
    return RuntimeError(
        "gradient was called on this tape already. A tape that is not persistent gives its "
        "gradients once: use GradientTape(persistent=True)"
    )


def _ones(target: Tensor) -> Tensor:
    value = target._value
    if STATE.interpreter is None and isinstance(value, np.ndarray):
        array = np.empty(value.shape, value.dtype)
        array.fill(1)
        return Tensor._of(array)
    ones: Tensor = OPS.ones_like(target)
    return ones


def _own_cell(gradient: Any, source: Tensor) -> Any:
    """A gradient in a cell of its own: two sources may share one, or one with what was given."""
    return source._gradient_of(gradient._value) if isinstance(gradient, Tensor) else gradient
