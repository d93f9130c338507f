"""What a draw gives, found by asking a copy of the generator with examples of its arguments.

Only the dtype and the shape of a sample count. So what decides neither is replaced by what the
method takes, such as a probability of one half. An exception of a sample says nothing about the
program: what the program raises, the call itself raises when the graph runs.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph.errors import UnconvertedCallError
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.arrays.table import paused
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of

_PARAMETERS = {
    "beta": "a b size",
    "binomial": "n p size",
    "chisquare": "df size",
    "choice": "a size replace p axis shuffle",
    "dirichlet": "alpha size",
    "exponential": "scale size",
    "f": "dfnum dfden size",
    "gamma": "shape scale size",
    "geometric": "p size",
    "gumbel": "loc scale size",
    "hypergeometric": "ngood nbad nsample size",
    "integers": "low high size dtype endpoint",
    "laplace": "loc scale size",
    "logistic": "loc scale size",
    "lognormal": "mean sigma size",
    "logseries": "p size",
    "multinomial": "n pvals size",
    "multivariate_hypergeometric": "colors nsample size method",
    "multivariate_normal": "mean cov size check_valid tol",
    "negative_binomial": "n p size",
    "noncentral_chisquare": "df nonc size",
    "noncentral_f": "dfnum dfden nonc size",
    "normal": "loc scale size",
    "pareto": "a size",
    "poisson": "lam size",
    "power": "a size",
    "randint": "low high size dtype",
    "random_integers": "low high size",
    "rayleigh": "scale size",
    "standard_exponential": "size dtype method out",
    "standard_gamma": "shape size dtype out",
    "standard_normal": "size dtype out",
    "standard_t": "df size",
    "random": "size dtype out",
    "random_sample": "size",
    "triangular": "left mode right size",
    "uniform": "low high size",
    "vonmises": "mu kappa size",
    "wald": "mean scale size",
    "weibull": "a size",
    "zipf": "a size",
}
"""What the arguments of a method are called, in their order."""

_AS_GIVEN = ("size", "dtype", "endpoint", "axis", "out")
"""Arguments of these names decide the dtype or the shape, by their values."""
_DROPPED = ("replace", "p", "shuffle", "check_valid", "tol", "method")
"""Arguments of `choice` and of draws of several dimensions that decide neither."""
_DROPPING = ("choice", "multivariate_normal", "multivariate_hypergeometric")
_VALUES = {"p": 0.5, "high": 2.0, "mode": 2.0, "right": 3.0}
"""A value that is right for an argument; 1 for others."""
_COUNTS = (11, 13)
"""Sizes and numbers that are tried at first."""

Sizes = Callable[[DimLike], int]


def named_arguments(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The arguments by their names; those that no name is known of, by their places."""
    names: list[Any] = _PARAMETERS.get(name, "").split()
    names += range(len(names), len(args))
    return {**dict(zip(names, args, strict=False)), **keywords}


def samples(
    generator: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any], staged: bool
) -> tuple[Any, Any]:
    """Two things that a draw may give, of different sizes where these depend on staged values.

    The second is None where one size alone is known to do. UnconvertedCallError if none does.
    """
    if not staged:
        with paused():
            given = getattr(copy.deepcopy(generator), name)(*args, **keywords)
        return given, given
    named = named_arguments(name, args, keywords)
    for make in (_by_symbols, _all_alike):
        found = [_sample(generator, name, named, count, make(count)) for count in _COUNTS]
        if all(one is not _FAILED for one in found):
            return found[0], found[1]
    sizes = dict.fromkeys([*_sizes_in(tuple(named.values())), 2, 1])
    found = [_sample(generator, name, named, size, _all_alike(size)) for size in sizes if size]
    found = [one for one in found if one is not _FAILED]
    if not found:
        raise UnconvertedCallError(
            f"`{name}` of a random generator: no example of its arguments was found that it takes,"
            " so what it gives is not known while tracing",
            location=user_location(),
            remedy="draw before the call and pass the numbers in, or draw in a function that is "
            "called through ag.py_function",
        )
    return found[0], found[1] if len(found) > 1 else None


_FAILED = object()


def _sample(generator: Any, name: str, named: dict[Any, Any], count: int, sizes: Sizes) -> Any:
    """What the method gives for an example; _FAILED where it does not take that."""
    given = {key: _argument(name, key, one, count, sizes) for key, one in named.items()}
    if name in _DROPPING:
        given = {key: one for key, one in given.items() if key not in _DROPPED}
    placed = [given.pop(key) for key in list(given) if isinstance(key, int)]
    with paused(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return getattr(copy.deepcopy(generator), name)(*placed, **given)
        except Exception:
            return _FAILED


def _argument(name: str, key: Any, value: Any, count: int, sizes: Sizes) -> Any:
    """An example of one argument of a method."""
    if name not in _PARAMETERS or key in _AS_GIVEN or (name, key) == ("choice", "a"):
        return _like(value, count, sizes)
    if value is None or isinstance(value, str):
        return value
    if key not in ("pvals", "cov"):
        fill = {"zipf": 2.0, "logseries": 0.5}.get(name, _VALUES.get(key, 1.0))
        return _filled(value, fill, sizes)
    whole = np.array(_filled(value, 1.0, sizes), float)
    if whole.ndim < (1 if key == "pvals" else 2):
        return whole
    if key == "pvals":
        return whole / whole.shape[-1]
    return np.zeros_like(whole) + np.eye(*whole.shape[-2:])


def _like(value: Any, count: int, sizes: Sizes) -> Any:
    """An argument with examples in the place of what is staged in it."""
    if type(value) in (list, tuple):
        return type(value)([_like(one, count, sizes) for one in value])
    if not isinstance(value, Tensor | Number):
        return value
    return _filled(value, count if _is_count(value) else 1.0, sizes)


def _is_count(value: Any) -> bool:
    return isinstance(value, Number) or value.dtype.kind in "iu"


def _filled(value: Any, fill: float, sizes: Sizes) -> Any:
    """A value of the same type and shape that has `fill` everywhere, rounded up for integers."""
    if type(value) in (list, tuple):
        return type(value)([_filled(one, fill, sizes) for one in value])
    if isinstance(value, Number):
        return value.kind(_rounded(fill, value.kind is not float))
    if isinstance(value, Tensor):
        shape = tuple(sizes(one) for one in shape_of(value))
        made = np.full(shape, _rounded(fill, value.dtype.kind != "f"), value.dtype)
        return made[()] if isinstance(value, Scalar) else made
    if isinstance(value, np.ndarray | np.generic):
        made = np.full(value.shape, _rounded(fill, value.dtype.kind != "f"), value.dtype)
        return made if isinstance(value, np.ndarray) else made[()]
    if isinstance(value, bool | int | float):
        return type(value)(_rounded(fill, not isinstance(value, float)))
    return value


def _rounded(fill: float, whole: bool) -> float:
    return max(1, int(fill)) if whole else fill


def _by_symbols(count: int) -> Sizes:
    """Sizes where every symbol stands for this number."""

    def size(one: DimLike) -> int:
        if isinstance(one, Dim):
            return max(1, one.substitute(dict.fromkeys(one.symbols, count)))
        return one

    return size


def _all_alike(count: int) -> Sizes:
    """Sizes where everything that is not known is this number."""
    return lambda one: one if isinstance(one, int) else count


def _sizes_in(value: Any) -> Iterator[int]:
    """The sizes that are known in arguments."""
    if isinstance(value, Tensor | np.ndarray):
        yield from (one for one in shape_of(value) if isinstance(one, int))
    elif type(value) in (list, tuple):
        yield len(value)
        for one in value:
            yield from _sizes_in(one)
    elif type(value) is int and 0 < value < 1000:
        yield value
