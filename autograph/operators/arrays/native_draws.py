"""Which draws have a native form: methods of NumPy's generators that ask one function of NumPy's.

Such a function draws one element from the bit generator, and an array is so many of them. Draws of
several dimensions, of other dtypes and with arrays as parameters are left to NumPy's own methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.kernels.library.older_draws import INVERTED, KEPT_NORMAL, is_offered
from autograph.runtime.control.draws import NativeDraw, Owner
from autograph.runtime.core.dtypes import DType, float64, int64
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor

NEGATIVE = "(({0} == {0}) & (copy_sign(float64(1.0), {0}) < 0.0))"
"""That a float has a minus, as NumPy tests what must not be negative."""
LARGEST_MEAN = float(2**63 - 1) - 10 * float(2**63 - 1) ** 0.5
"""Of a Poisson distribution whose numbers are int64."""


@dataclass(frozen=True, slots=True)
class Form:
    """A method: what it draws by, its parameters with their defaults, and when it raises.

    `arguments` are those of the function, over the parameters; `result` is what the method gives
    of what that draws.
    """

    function: str
    parameters: tuple[tuple[str, Any], ...] = ()
    arguments: tuple[str, ...] = ()
    fails: str = ""
    dtype: DType = float64
    result: str = "{drawn}"


def _negative(*places: int) -> str:
    return " | ".join(NEGATIVE.replace("0}", f"{place}}}") for place in places)


def _not_positive(*places: int) -> str:
    return " | ".join(f"({{{place}}} <= 0.0)" for place in places)


def _floats(name: str, fails: str, **parameters: Any) -> Form:
    """A method whose parameters, floats, are the function's."""
    arguments = tuple(f"{{{place}}}" for place in range(len(parameters)))
    return Form(f"draw_{name}", tuple(parameters.items()), arguments, fails)


_REQUIRED = object()
"""The default of a parameter that has none."""
_BOUNDS = (("low", _REQUIRED), ("high", None))
_ENDLESS = "(({1} - {0}) * 0.0 != 0.0)"
"""That a range is infinite, or not a number."""
_BETWEEN = Form(
    "draw_uniform", (("low", 0.0), ("high", 1.0)), ("{0}", "{1} - {0}"), _ENDLESS, float64
)


def _bounded(last: str, fails: str, masked: bool) -> Form:
    """Integers from `{0}` up to the expression `last`, which is one of them."""
    return Form("draw_bounded", _BOUNDS, _within("{0}", last, masked), fails, int64)


def _within(first: str, last: str, masked: bool) -> tuple[str, ...]:
    """The arguments of `draw_bounded`. Generator takes another way than RandomState, which looks
    for a number under a mask."""
    room = f"(uint64({last}) - uint64({first}))"
    mask = f"covering_mask({room})" if masked else "uint64(0)"
    return f"uint64({first})", room, mask, f"bool_({masked})"


def _chosen(masked: bool) -> Form:
    """One of the first so many integers, with the same chance for each."""
    arguments = _within("0", "({0} - 1)", masked)
    return Form("draw_bounded", (("a", _REQUIRED),), arguments, "{0} <= 0", int64)


UNIT = Form("draw_standard_uniform")
GENERATOR: dict[str, Form] = {
    "random": UNIT,
    "standard_normal": Form("draw_standard_normal"),
    "standard_exponential": Form("draw_standard_exponential"),
    "standard_cauchy": Form("draw_standard_cauchy"),
    "uniform": Form(
        _BETWEEN.function,
        _BETWEEN.parameters,
        _BETWEEN.arguments,
        f"{_ENDLESS} | {NEGATIVE.replace('{0}', '({1} - {0})')}",
    ),
    "normal": _floats("normal", _negative(1), loc=0.0, scale=1.0),
    "exponential": _floats("exponential", _negative(0), scale=1.0),
    "standard_gamma": _floats("standard_gamma", _negative(0), shape=_REQUIRED),
    "gamma": _floats("gamma", _negative(0, 1), shape=_REQUIRED, scale=1.0),
    "beta": _floats("beta", _not_positive(0, 1), a=_REQUIRED, b=_REQUIRED),
    "chisquare": _floats("chisquare", _not_positive(0), df=_REQUIRED),
    "f": _floats("f", _not_positive(0, 1), dfnum=_REQUIRED, dfden=_REQUIRED),
    "standard_t": _floats("standard_t", _not_positive(0), df=_REQUIRED),
    "vonmises": _floats("vonmises", _negative(1), mu=_REQUIRED, kappa=_REQUIRED),
    "pareto": _floats("pareto", _not_positive(0), a=_REQUIRED),
    "weibull": _floats("weibull", _negative(0), a=_REQUIRED),
    "power": _floats("power", _not_positive(0), a=_REQUIRED),
    "laplace": _floats("laplace", _negative(1), loc=0.0, scale=1.0),
    "gumbel": _floats("gumbel", _negative(1), loc=0.0, scale=1.0),
    "logistic": _floats("logistic", _negative(1), loc=0.0, scale=1.0),
    "lognormal": _floats("lognormal", _negative(1), mean=0.0, sigma=1.0),
    "rayleigh": _floats("rayleigh", _negative(0), scale=1.0),
    "wald": _floats("wald", _not_positive(0, 1), mean=_REQUIRED, scale=_REQUIRED),
    "poisson": _floats("poisson", f"not (({{0}} >= 0.0) & ({{0}} <= {LARGEST_MEAN!r}))", lam=1.0),
    "geometric": _floats("geometric", "not (({0} > 0.0) & ({0} <= 1.0))", p=_REQUIRED),
    "integers": _bounded("({1} - 1)", "{0} >= {1}", False),
    "choice": _chosen(False),
}
RANDOM_STATE: dict[str, Form] = {
    "random": UNIT,
    "random_sample": UNIT,
    "rand": UNIT,
    "uniform": _BETWEEN,
    "randint": _bounded("({1} - 1)", "{0} >= {1}", True),
    "choice": _chosen(True),
    "standard_normal": Form(KEPT_NORMAL),
    "randn": Form(KEPT_NORMAL),
    "normal": Form(
        KEPT_NORMAL,
        (("loc", 0.0), ("scale", 1.0)),
        fails=_negative(1),
        result="{0} + {1} * {drawn}",
    ),
    "standard_exponential": Form(INVERTED),
    "exponential": Form(INVERTED, (("scale", 1.0),), fails=_negative(0), result="{0} * {drawn}"),
}
FORMS: dict[type, dict[str, Form]] = {
    np.random.Generator: GENERATOR,
    np.random.RandomState: RANDOM_STATE,
}
_UP_TO_THE_LAST = _bounded("{1}", "{0} > {1}", False)
"""`integers` with `endpoint=True`."""
_LONG = ("randint",)
"""Methods whose numbers have the size of a C long unless a dtype is given."""
_BY_PLACE = ("rand", "randn")
"""Methods whose arguments are the sizes."""


def native_form(
    generator: Any, owner: Owner, name: str, named: dict[Any, Any], leaves: Sequence[Any], spec: Any
) -> NativeDraw | None:
    """The native form of a draw with these arguments, by their names; None where it has none.

    `leaves`: the staged arguments, inputs of the node, in order.
    """
    rest = {key: one for key, one in named.items() if one is not None}
    form = _form(generator, name, rest)
    if form is None or not isinstance(spec, Spec) or not is_offered(form.function):
        return None
    if name in _BY_PLACE:
        sizes, rest = list(rest.values()), {}
    else:
        size = rest.pop("size", ())
        sizes = list(size) if type(size) in (list, tuple) else [size]
    values = [_value(one, leaves, form.dtype) for one in _parameters(form, rest)]
    asked = [_value(one, leaves, int64) for one in sizes]
    if None in values or None in asked or rest.keys() - dict(form.parameters).keys():
        return None
    if len(asked) != len(spec.shape) or spec.dtype not in (float64, int64):
        return None
    if name == "choice" and any(type(one) is not int or one == 0 for one in asked):
        return None  # of nothing, no numbers may be chosen
    return NativeDraw(
        form.function,
        owner,
        tuple((one, form.dtype) for one in values),
        form.arguments,
        form.result,
        form.fails if any(isinstance(one, DynamicInt) for one in values) else "",
        tuple(asked),
    )


def _form(generator: Any, name: str, rest: dict[Any, Any]) -> Form | None:
    """The form of a method; what it takes besides parameters and sizes is taken out of `rest`."""
    form = FORMS.get(type(generator), {}).get(name)
    if form is None:
        return None
    if form.parameters == _BOUNDS and "high" not in rest:
        rest["low"], rest["high"] = 0, rest.get("low")
    if name == "integers":
        last = rest.pop("endpoint", False)
        if type(last) is not bool:
            return None
        form = _UP_TO_THE_LAST if last else form
    if name == "choice" and rest.pop("replace", True) is not True:
        return None
    dtype = rest.pop("dtype", "long" if name in _LONG else form.dtype)
    whole = "long" if name == "randint" and dtype is int else dtype
    return form if np.dtype(whole) == form.dtype else None


def _parameters(form: Form, rest: dict[Any, Any]) -> list[Any]:
    return [rest.get(name, default) for name, default in form.parameters]


def _value(one: Any, leaves: Sequence[Any], dtype: DType) -> Any:
    """A plain number, or which input it is; None for what is no number of this kind."""
    for place, leaf in enumerate(leaves):
        if one is leaf:
            return DynamicInt(place) if _is_number(one, dtype) else None
    if isinstance(one, np.generic):
        one = one.item()
    if dtype == int64:
        return one if type(one) is int and -(2**63) <= one < 2**63 else None
    if isinstance(one, bool | int | float):
        return _float(one)
    return None


def _float(one: float) -> float | None:
    try:
        return float(one)
    except OverflowError:
        return None


def _is_number(one: Any, dtype: DType) -> bool:
    if isinstance(one, Number):
        return one.kind in ((int,) if dtype == int64 else (bool, int, float))
    assert isinstance(one, Tensor)
    if dtype == int64:
        return one.ndim == 0 and one.dtype.kind in "iu" and bool(np.can_cast(one.dtype, int64))
    return one.ndim == 0 and one.dtype.kind in "biuf"
