"""NumPy's functions on staged arrays take their parameters by keyword, as NumPy's own do."""

from __future__ import annotations

import functools
import inspect
import subprocess
import sys
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.core import numpy_versions
from autograph.runtime.core.numpy_versions import signature_of
from tests.harness.picture_of_results import same_results

A = np.arange(12.0).reshape(3, 4) + 1
V = np.array([3.0, 1.0, 2.0, 5.0])
K = np.array([3, 1, 2, 5])
S = np.eye(3) * 4 + 1

CALLS: dict[str, tuple[Any, ...]] = {
    "pad": (A, 1),
    "roll": (A, 1),
    "reshape": (A, (4, 3)),
    "transpose": (A, (1, 0)),
    "swapaxes": (A, 0, 1),
    "moveaxis": (A, 0, 1),
    "expand_dims": (A, 0),
    "concatenate": ([A, A], 0),
    "stack": ([A, A], 0),
    "vstack": ([A, A],),
    "column_stack": ([V, V],),
    "split": (A, 2, 1),
    "array_split": (A, 3, 1),
    "tile": (V, 2),
    "repeat": (V, 2),
    "rot90": (A, 1),
    "take": (V, K % 4),
    "take_along_axis": (A, np.argsort(A, 1), 1),
    "diag": (V, 1),
    "trace": (A, 1),
    "triu": (A, 1),
    "outer": (V, V),
    "kron": (V, V),
    "tensordot": (A, A.T, 1),
    "cross": (V[:3], V[1:]),
    "interp": (V, np.arange(4.0), V),
    "convolve": (V, V[:2], "same"),
    "correlate": (V, V[:2]),
    "trapezoid": (V, V),
    "diff": (V, 1),
    "histogram": (V, 3),
    "digitize": (V, np.array([1.0, 2.0])),
    "bincount": (K, V),
    "percentile": (V, [5, 95]),
    "quantile": (V, 0.5),
    "nanpercentile": (V, 50),
    "median": (A, 0),
    "average": (A, 0),
    "polyfit": (np.arange(4.0), V, 1),
    "polyval": (V, 2.0),
    "unique": (K, True),
    "isin": (K, K[:2]),
    "searchsorted": (np.sort(V), V),
    "linspace": (0, V[0], 5),
    "full": ((2,), V[0]),
    "full_like": (A, 3.0),
    "vander": (V, 3),
    "allclose": (V, V),
    "array_equal": (V, V),
    "round": (V, 1),
    "clip": (A, 2, 5),
    "sum": (A, 0),
    "mean": (A, 0),
    "std": (A, 0),
    "amax": (A, 0),
    "argmin": (A, 0),
    "cumsum": (A, 0),
    "sort": (A, 0),
    "ptp": (A, 0),
    "partition": (V, 1),
    "append": (V, V),
    "insert": (V, 1, 5.0),
    "delete": (V, 1),
    "resize": (V, (2, 2)),
    "broadcast_to": (V, (2, 4)),
    "compress": (K > 1, V),
    "extract": (K > 1, V),
    "choose": (K % 2, [V, V]),
    "select": ([K > 1], [V], 0),
    "unravel_index": (5, (3, 4)),
    "setdiff1d": (K, K[:1]),
    "histogram2d": (V, V, 2),
    "linalg.solve": (S, V[:3]),
    "linalg.norm": (A, 2),
    "linalg.svd": (A, False),
    "linalg.qr": (A, "reduced"),
    "linalg.lstsq": (A, V[:3]),
    "linalg.matrix_power": (S, 2),
    "linalg.eigh": (S,),
    "fft.fft": (V, 8),
    "fft.irfft": (V + 0j, 6),
    "fft.fftfreq": (8, V[0]),
}
"""The arguments of a call, in the order of the parameters."""


def function_of(name: str) -> Any:
    return functools.reduce(getattr, name.split("."), np)


@pytest.mark.parametrize("name", CALLS)
def test_by_keyword(name: str) -> None:
    """All of them, all but the first, and so on."""
    if not hasattr(np, name.partition(".")[0]):
        pytest.skip(f"this NumPy has no {name}")
    function, values = function_of(name), CALLS[name]
    parameters = list(signature_of(function).parameters.values())[: len(values)]
    arrays = [one for one in values if isinstance(one, np.ndarray | np.generic)]
    for count in range(len(values)):
        if any(one.kind is one.POSITIONAL_ONLY for one in parameters[count:]):
            continue
        names = [one.name for one in parameters[count:]]

        def call(*given: Any, count: int = count, names: list[str] = names) -> Any:
            rest = iter(given)
            each = [next(rest) if isinstance(v, np.ndarray | np.generic) else v for v in values]
            return function(*each[:count], **dict(zip(names, each[count:], strict=True)))

        same_results(ag.function(mode="evaluate")(call)(*arrays), call(*arrays), 1e-12)


def test_signatures_of_older_numpys() -> None:
    """What is said of functions that have no signature before NumPy 2.4 is what 2.4 says."""
    if np.lib.NumpyVersion(np.__version__) < "2.4.0":
        pytest.skip("this NumPy does not say")
    for function, signature in numpy_versions._signatures().items():
        theirs = inspect.signature(function).parameters
        known = [one for one in theirs.values() if one.name != "ndmax"]
        assert [str(one) for one in signature.parameters.values()] == [str(one) for one in known]
    with patch.object(inspect, "signature", side_effect=ValueError):
        made = [str(signature_of.__wrapped__(one)) for one in (np.add, np.cbrt, np.vecdot)]
    assert made == [str(inspect.signature(one)) for one in (np.add, np.cbrt, np.vecdot)]


OLDER = """
import inspect
import numpy as np

known = inspect.signature
of_c = tuple(type(one) for one in (np.add, np.dot, np.arange))


def signature(function, **options):
    if isinstance(function, of_c) and not hasattr(function, "__wrapped__"):
        raise ValueError("no signature")
    return known(function, **options)


inspect.signature = signature
import autograph as ag
from tests.ops.older_numpy import total

print(ag.function(mode="evaluate")(total)(np.ones(3)))
"""


def test_a_numpy_without_signatures() -> None:
    """As before NumPy 2.4: a process in which functions in C say nothing of what they take."""
    done = subprocess.run([sys.executable, "-c", OLDER], capture_output=True, text=True)
    assert done.stdout.strip() == "33.0", done.stderr[-2000:]
