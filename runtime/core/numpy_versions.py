"""What differs between versions of NumPy, and of SciPy. No other room asks which of them runs.

| since | what | here |
| --- | --- | --- |
| 2.4 | universal functions, and those in C, have signatures | `signature_of` |
| 2.5 | `median`, `quantile` along several axes take arrays of no elements | `RESHAPES_TO_MERGE` |
| 2.5 | `linalg.eig` and `eigvals` are complex for every matrix | `EIGENVALUES_MAY_BE_REAL` |
| SciPy 1.18 | `cho_factor` gives zeros in the other triangle | `is_other_triangle_kept` |

NumPy's functions that are staged from NumPy's own code are as that code is.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

_BEFORE_2_5 = np.lib.NumpyVersion(np.__version__) < "2.5.0"

RESHAPES_TO_MERGE = _BEFORE_2_5
EIGENVALUES_MAY_BE_REAL = _BEFORE_2_5


def is_other_triangle_kept() -> bool:
    """Whether SciPy's `cho_factor` leaves what was there in the triangle that it does not need."""
    from scipy import __version__

    return np.lib.NumpyVersion(__version__) < "1.18.0"


_OF_C = """
arange(start_or_stop, /, stop=None, step=1, *, dtype=None, device=None, like=None)
array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None)
asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)
asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)
ascontiguousarray(a, dtype=None, *, like=None)
asfortranarray(a, dtype=None, *, like=None)
bincount(x, /, weights=None, minlength=0)
can_cast(from_, to, casting="safe")
concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind")
copyto(dst, src, casting="same_kind", where=True)
dot(a, b, out=None)
empty(shape, dtype=None, order="C", *, device=None, like=None)
empty_like(prototype, /, dtype=None, order="K", subok=True, shape=None, *, device=None)
frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None)
fromiter(iter, dtype, count=-1, *, like=None)
inner(a, b, /)
lexsort(keys, axis=-1)
may_share_memory(a, b, /, max_work=0)
min_scalar_type(a, /)
packbits(a, /, axis=None, bitorder="big")
promote_types(type1, type2, /)
putmask(a, /, mask, values)
ravel_multi_index(multi_index, dims, mode="raise", order="C")
result_type(*arrays_and_dtypes)
shares_memory(a, b, /, max_work=-1)
unpackbits(a, /, axis=None, count=None, bitorder="big")
unravel_index(indices, shape, order="C")
vdot(a, b, /)
where(condition, x=None, y=None, /)
zeros(shape, dtype=None, order="C", *, device=None, like=None)
"""
"""What functions in C take; NumPy 2.4 says so itself."""


@functools.cache
def _signatures() -> dict[Any, inspect.Signature]:
    """The signatures of functions in C that NumPy has, by the function."""
    found = {}
    for line in _OF_C.split("\n")[1:-1]:
        name, _, parameters = line.partition("(")
        made = eval(f"lambda {parameters.removesuffix(')')}: None")
        found[getattr(np, name)] = inspect.signature(made)
    return found


@functools.lru_cache(4096)
def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """What a function takes. ValueError where Python does not know."""
    try:
        return inspect.signature(function)
    except ValueError:
        if not isinstance(function, np.ufunc):
            if function in _signatures():
                return _signatures()[function]
            raise
    kinds = inspect.Parameter
    numbers = [""] if function.nin == 1 else [str(number + 1) for number in range(function.nin)]
    operands = [kinds(f"x{number}", kinds.POSITIONAL_ONLY) for number in numbers]
    out = kinds("out", kinds.POSITIONAL_OR_KEYWORD, default=None)
    options: dict[str, Any] = {"where": True}
    if function.signature is not None:
        options = {"axes": np._NoValue, "axis": np._NoValue, "keepdims": False}
    options.update(casting="same_kind", order="K", dtype=None, subok=True, signature=None)
    rest = [kinds(name, kinds.KEYWORD_ONLY, default=value) for name, value in options.items()]
    return inspect.Signature([*operands, out, *rest])
