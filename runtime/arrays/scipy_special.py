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
_NOTED: set[Any] = set()


def is_special(function: Any) -> bool:
    """Whether a callable is one of SciPy's special functions that an op computes.

    They are noted among the implementations when this is first asked after SciPy was imported.
    """
    module = sys.modules.get("scipy.special")
    if module is None:
        return False
    if not _NOTED:
        found = _implementations(module)
        IMPLEMENTATIONS.update(found)
        _NOTED.update(found)
    try:
        return function in _NOTED
    except TypeError:  # a method of what has no hash
        return False


def _implementations(module: Any) -> dict[Any, Implementation]:
    found = {
        getattr(module, name): Implementation(getattr(OPS, RENAMED.get(name, name)))
        for name in UFUNCS
        if getattr(module, name) not in IMPLEMENTATIONS  # some are NumPy's own
    }
    for name in ("logsumexp", "polygamma"):
        theirs = getattr(module, name)
        found[theirs] = Implementation(adopted(theirs, getattr(OPS, name)))
    found[module.softmax] = Implementation(_softmax)
    found[module.log_softmax] = Implementation(_log_softmax)
    return found


def _softmax(x: Any, axis: Any = None) -> Any:
    return _of_all(OPS.softmax, x) if axis is None else OPS.softmax(x, axis=axis)


def _log_softmax(x: Any, axis: Any = None) -> Any:
    return _of_all(OPS.log_softmax, x) if axis is None else OPS.log_softmax(x, axis=axis)


def _of_all(function: Any, x: Any) -> Any:
    """A function along one axis, over all elements."""
    x = OPS.asarray_or_same(x)
    return OPS.reshape_like(function(OPS.reshape(x, (-1,)), axis=0), x)
