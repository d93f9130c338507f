"""Whether rounding explains how a program differs from `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.checking.capture import printed_output
from autograph.checking.comparison import Difference, near, within_ulps
from autograph.checking.sampling import HOST_ULPS, Sampling, Spread, Turned
from autograph.checking.texts import within
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.graph.ir import Graph

Array = np.ndarray[Any, Any]
SAFETY = 2
"""How many times the distance of the samples a program may be away."""


class Rounding:
    """What rounding can do to one run of a graph: how far its outputs move, what it decides.

    `reordered`: also where single values are added up.
    """

    def __init__(
        self, graph: Graph, values: Sequence[Any], outputs: Sequence[Any], reordered: bool
    ) -> None:
        sampling = Sampling(reordered)
        spreads: list[Spread] = []
        with printed_output(live=False):
            try:
                spreads = sampling.run(graph, values)
            except Exception:  # the program's own, which the runs have shown already
                pass
        self._printed = ["".join(one) for one in sampling.printed]
        self._spreads: dict[int, Spread] = {}
        self._alive = outputs
        for one, spread in zip(outputs, spreads):
            self._note(one, spread)
        causes = [one.cause for one in spreads if one.cause is not None]
        self.turned: Turned | None = next(iter((*sampling.turned, *causes)), None)
        """The first decision that rounding turns."""
        self.met: Turned | None = None
        """The decision that made two values differ which `close` took for the same."""
        self.moved: Any = None
        """The second of these values."""

    def _note(self, output: Any, spread: Spread) -> None:
        """Remember the spread of an output; of a list, that of each item."""
        self._spreads[id(output)] = spread
        if isinstance(output, ListValue) and all(len(one) == len(output) for one in spread.values):
            for place, item in enumerate(output):
                values = [one[place] for one in spread.values]
                self._spreads[id(item)] = Spread(values, spread.cause)

    def close(self, expected: Array, actual: Array, origin: Any) -> bool:
        """Whether an output of the program, `origin`, is as near as rounding lets it be."""
        spread = self._spreads.get(id(origin))
        if spread is None:  # made of outputs by Python code that the graph calls
            return within_ulps(HOST_ULPS)(expected, actual, origin)
        is_near = expected.dtype.kind in "fc" and bool(np.all(_near(expected, actual, spread)))
        if spread.cause is None or (is_near and within_ulps(HOST_ULPS)(expected, actual, origin)):
            return is_near
        if self.met is None:  # too far for anything but a jump
            self.met, self.moved = spread.cause, origin
        return True

    def same_text(self, expected: str, actual: str) -> bool:
        """Whether two texts differ by no more than rounding lets the floats in them differ."""
        return within(expected, actual, self._printed if self._printed[0] == expected else ())

    def explains(self, difference: Difference) -> Turned | None:
        """The decision that explains a difference, if one does."""
        judged = isinstance(difference.origin, np.ndarray | float | complex)
        return None if judged and id(difference.origin) in self._spreads else self.turned


def _near(expected: Array, actual: Array, spread: Spread) -> Array | bool:
    first = np.asarray(spread.of(0))
    if any(np.shape(one) != first.shape for one in spread.values):
        return False
    with np.errstate(all="ignore"):
        apart = [np.abs(np.asarray(one) - first) for one in spread.values]
        bound = np.nan_to_num(SAFETY * np.max(apart, axis=0), nan=np.inf, posinf=np.inf)
    return near(expected, actual, bound)
