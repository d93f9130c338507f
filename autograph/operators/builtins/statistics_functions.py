"""What calls of `statistics` and `math.fsum` mean on staged numbers.

The functions of `statistics` that are plain sums, sorts and counts are converted as they stand;
those here compute with fractions there, and round once. So does what stands in for them.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.errors import StateError
from autograph.library import averages, exact_sums
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.unconverted import call_native
from autograph.operators.containers import rows
from autograph.operators.containers.dicts_and_sets import kinds_of_numbers
from autograph.operators.expressions.truth import choose
from autograph.operators.statements.checked_ops import kind_of
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Model = Callable[..., Any]
NUMBERS = (bool, int, float)


def _listed(tracing: Tracing, iterable: Any) -> tuple[Any, bool]:
    """The numbers as a list, and whether each of them is known."""
    numbers = iterable if type(iterable) in (list, tuple) else call(list, iterable)
    if tracing.contents(numbers) is not None:
        return numbers, False
    return numbers, not any(isinstance(one, Number | Tensor | Choice) for one in numbers)


def _kinds(tracing: Tracing, numbers: Any) -> set[type]:
    """The kinds of the numbers in a list; TypeError for what is none."""
    contents = tracing.contents(numbers)
    if contents is None:
        kinds = set(map(kind_of, numbers))
    else:
        kinds = kinds_of_numbers(rows.rows_of(tracing, numbers).element) or {Tensor}
    for kind in kinds:
        if issubclass(kind, Tensor) and kind is not Tensor:
            raise StateError(
                "statistics of elements of a NumPy array are not staged",
                remedy="use np.mean(a), np.median(a) or np.std(a, ddof=1), or numbers of Python: "
                "statistics.mean(a.tolist())",
            )
        if kind not in NUMBERS:
            raise TypeError(f"can't convert type {kind.__name__!r} to numerator/denominator")
    if contents is not None and float in kinds and len(kinds) > 1:
        raise StateError(
            "the average of a list of staged length is an int or a float, as its items are",
            remedy="make them of one kind: [float(x) for x in items]",
        )
    return kinds


def _average(name: str, of_ints: Any, of_floats: Any) -> Model:
    plain = getattr(statistics, name)

    def model(tracing: Tracing, data: Any, *rest: Any, **named: Any) -> Any:
        if isinstance(data, Choice):
            return choose(tracing, data, lambda one: model(tracing, one, *rest, **named))
        if rest or named:
            return call_native(tracing, plain, (data, *rest), named)
        numbers, known = _listed(tracing, data)
        if known:
            return call_native(tracing, plain, (numbers,), {})
        made = of_floats if float in _kinds(tracing, numbers) else of_ints
        return call(made, _in_rows(tracing, numbers))

    return model


def _in_rows(tracing: Tracing, numbers: Any) -> Any:
    """The numbers as a list of staged length, over which one loop goes."""
    return rows.new_list(tracing, rows.rows_of(tracing, numbers))


def _fsum(tracing: Tracing, seq: Any) -> Any:
    numbers, known = _listed(tracing, seq)
    if known:
        return call_native(tracing, math.fsum, (numbers,), {})
    return call(exact_sums.total_of, _in_rows(tracing, call(exact_sums.floats, numbers)))


def _spread(name: str, lost: int) -> Model:
    """`variance` and the like."""
    of = "of_ints", "of_floats"
    functions = [getattr(averages, f"variance_{kind}") for kind in of]
    return _average(name, *(partial(one, lost=lost, name=name) for one in functions))


def _deviation(name: str, lost: int) -> Model:
    """`stdev` and the like."""
    made = partial(averages.deviation, lost=lost, name=name)
    return _average(name, partial(made, of_ints=True), partial(made, of_ints=False))


STATISTICS_MODELS: dict[Any, Model] = {
    exact_sums.of_any_length: _in_rows,
    math.fsum: _fsum,
    statistics.mean: _average("mean", averages.mean_of_ints, averages.mean_of_floats),
    statistics.variance: _spread("variance", 1),
    statistics.pvariance: _spread("pvariance", 0),
    statistics.stdev: _deviation("stdev", 1),
    statistics.pstdev: _deviation("pstdev", 0),
}
CONVERTED = frozenset(
    "correlation covariance fmean geometric_mean linear_regression median median_high median_low"
    " mode multimode quantiles".split()
)
"""Functions of `statistics` that are converted as they are written."""
