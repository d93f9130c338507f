"""SciPy's special functions, by the ops of the same names; SciPy is not imported for that."""

from __future__ import annotations

import sys
from typing import Any

from autograph.runtime.arrays.named import adopted
from autograph.runtime.arrays.table import IMPLEMENTATIONS, Implementation
from autograph.runtime.ops.table import OPS

UFUNCS = (
    "beta betainc betaln cbrt digamma entr erf erfc erfcinv erfinv exp2 expit expm1 gamma gammainc "
    "gammaincc gammaln i0 i0e i1 i1e iv jv kl_div log1p log_expit logit ndtr ndtri psi rel_entr "
    "xlog1py xlogy"
).split()
RENAMED = {"psi": "digamma"}


def is_special(function: Any) -> bool:
    """Whether a callable is one of SciPy's special functions that an op computes."""
    module = sys.modules.get("scipy.special")
    if module is None:
        return False
    if module.expit not in IMPLEMENTATIONS:
        _note(module)
    try:
        return function in IMPLEMENTATIONS
    except TypeError:
        return False


def _note(module: Any) -> None:
    for name in UFUNCS:
        function = getattr(OPS, RENAMED.get(name, name))
        IMPLEMENTATIONS.setdefault(getattr(module, name), Implementation(function))
    for name in ("logsumexp", "polygamma"):
        theirs = getattr(module, name)
        IMPLEMENTATIONS[theirs] = Implementation(adopted(theirs, getattr(OPS, name)))
    IMPLEMENTATIONS[module.softmax] = Implementation(_softmax)
    IMPLEMENTATIONS[module.log_softmax] = Implementation(_log_softmax)


def _softmax(x: Any, axis: Any = None) -> Any:
    return _of_all(OPS.softmax, x) if axis is None else OPS.softmax(x, axis=axis)


def _log_softmax(x: Any, axis: Any = None) -> Any:
    return _of_all(OPS.log_softmax, x) if axis is None else OPS.log_softmax(x, axis=axis)


def _of_all(function: Any, x: Any) -> Any:
    """A function along one axis, over all elements."""
    x = OPS.asarray_or_same(x)
    return OPS.reshape_like(function(OPS.reshape(x, (-1,)), axis=0), x)
