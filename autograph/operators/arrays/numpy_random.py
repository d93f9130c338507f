"""What NumPy's random generators give when the graph runs: numbers in the order of the program.

A generator is asked when the graph runs, as `print` prints then, so that its state goes on as it
does eagerly and a seed gives the same numbers. What a method gives is found by asking a copy of the
generator while tracing. A generator that the function makes is made anew by each run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from autograph.control.raising import is_attempted
from autograph.errors import StateError
from autograph.library.numpy import arrays as library
from autograph.library.numpy import weighted_choices
from autograph.operators.arrays.native_draws import native_form
from autograph.operators.arrays.random_samples import named_arguments, samples
from autograph.operators.calls.dispatch import call as call_library
from autograph.operators.expressions.truth import to_number
from autograph.runtime.arrays.cells import Array, Scalar, as_array, as_tensor, put
from autograph.runtime.arrays.table import OPERANDS, paused
from autograph.runtime.control.draws import NativeDraw, drawn
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import NUMBER_SPECS, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.lent_generators import asked_of, made_here
from autograph.tracing.tracing import Tracing

GENERATORS = (np.random.Generator, np.random.RandomState)
GLOBAL: Any = np.random.mtrand._rand
"""The generator behind the functions of `np.random`."""
_REFUSED = ("get_state", "set_state", "spawn")
HELD = ("bit_generator", "_bit_generator")
"""What a generator holds, and changes whenever it is asked."""
_IN_PLACE = ("shuffle",)
_STRINGS = {str, np.str_}


class Asked:
    """A method of a generator, called when the graph runs.

    `attempted`: a handler of the program may be there for what it raises; `native`: how programs
    draw the same without CPython.
    """

    def __init__(
        self,
        ask: Callable[..., Any],
        gives: bool,
        attempted: bool,
        native: NativeDraw | None = None,
    ) -> None:
        self.ask = ask
        self.native = native
        self.gives = gives
        self.attempted = attempted
        self.location = user_location()

    def __call__(self, *values: Any) -> Sequence[Any]:
        if not self.gives:
            self.asked(*values)
            return ()
        return drawn(self, lambda: self._drawn(*values))

    def asked(self, *values: Any) -> Any:
        """What the method gives, or raises."""
        try:
            return self.ask(*values)
        except Exception as error:
            if not self.attempted:
                raise
            raise StateError(
                f"a random generator inside try or with raised {error!r}, and which handler takes "
                "that is not known when the graph is made",
                location=self.location,
                remedy="test the arguments before the draw, with an if",
            ) from error

    def _drawn(self, *values: Any) -> Sequence[Any]:
        result = self.asked(*values)
        return (np.array(result) if isinstance(result, np.ndarray | np.generic) else result,)


def _leaves(value: Any) -> list[Any]:
    """The staged numbers and tensors in an argument."""
    if isinstance(value, Tensor | Number):
        return [value]
    if isinstance(value, list | tuple):
        return [leaf for one in value for leaf in _leaves(one)]
    return []


def _filled(value: Any, values: Any) -> Any:
    """An argument with plain values in the place of staged ones, in order."""
    if isinstance(value, Tensor | Number):
        given = next(values)
        return given[()] if isinstance(value, Scalar) else given
    if type(value) in (list, tuple):
        return type(value)([_filled(one, values) for one in value])
    return value


def ask(
    tracing: Tracing, generator: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """`generator.name(*args, **keywords)`: an array, a scalar or a number of the run."""
    if name in _REFUSED:
        refuse_state(name)
    if name in _IN_PLACE:
        return _shuffle(tracing, generator, *args, **keywords)
    named = named_arguments(name, args, keywords)
    if named.get("out") is not None:
        return _draw_into(tracing, generator, name, named)
    if name == "choice":
        if _has_strings(named.get("a")) and named.get("size") is None:
            return call_library(library.drawn_item, generator, **named)
        picked = _pick(tracing, generator, named)
        if picked is not NotImplemented:
            return picked
    leaves = _leaves((args, tuple(keywords.values())))
    if name == "choice":
        _require_numbers(named.get("a"))
    spec, kind = _announced(*samples(generator, name, args, keywords, bool(leaves)))
    owner = asked_of(tracing, generator)

    def call(*values: Any) -> Any:
        if not values:
            return getattr(owner(), name)(*args, **keywords)
        given = iter(values)
        plain = _filled(args, given)
        named = {key: _filled(one, given) for key, one in keywords.items()}
        return getattr(owner(), name)(*plain, **named)

    native = native_form(generator, owner, name, named, leaves, spec)
    made = _asking(tracing, call, spec, leaves, native)
    if spec is None or kind is Number:
        return made
    return tracing.born(kind(made))


def _has_strings(items: Any) -> bool:
    """Whether a choice is made among known strings, and None."""
    if type(items) not in (list, tuple):
        return False
    kinds = {type(one) for one in items}
    return bool(kinds & _STRINGS) and kinds <= {*_STRINGS, type(None)}


def _pick(tracing: Tracing, generator: Any, named: dict[Any, Any]) -> Any:
    """`choice` by places that are drawn natively: of items in one axis, and with probabilities.

    NotImplemented for any other.
    """
    rest = {key: one for key, one in named.items() if one is not None}
    given, weights = rest.pop("a", None), rest.pop("p", None)
    items = _items(given)
    if (items is None and weights is None) or rest.keys() - {"size", "replace"}:
        return NotImplemented
    counted = items is None and (type(given) is int or isinstance(given, Number))
    if items is None and not counted:
        return NotImplemented
    count = rest["a"] = given if items is None else OPS.dimension(items, 0)
    if type(count) is int and count <= 0:
        return NotImplemented
    found, other = samples(generator, "choice", (), {**rest, "a": 5}, False)
    spec, kind = _announced(found, other)
    leaves, owner = _leaves(count), asked_of(tracing, generator)
    native = native_form(generator, owner, "choice", rest, leaves, spec)
    if native is None:
        return NotImplemented
    size = rest.get("size")
    if weights is not None:
        place = _weighted(generator, count, counted, weights, size)
        return place if items is None else items[place]

    def draw(*values: Any) -> Any:
        known = int(values[0]) if values else count
        return owner().choice(known or np.empty(0), size)

    place = _asking(tracing, draw, spec, leaves, native)
    return items[place if kind is Number else kind(place)]


def _items(value: Any) -> Any:
    """The numbers that an argument holds in one axis, as an array; None for any other."""
    if type(value) in (list, tuple) and not _leaves(value):
        value = np.array(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        value = as_array(OPS.asarray(value))
    return value if isinstance(value, Array) and value.ndim == 1 else None


def _weighted(generator: Any, count: Any, counted: bool, weights: Any, size: Any) -> Any:
    """The places of items that are chosen with these probabilities; a number for one of them."""
    dtype = weights.dtype if isinstance(weights, Array | np.ndarray) else np.dtype(float)
    wide = np.finfo(np.float64 if dtype.kind != "f" else dtype).eps
    tolerance = float(np.sqrt(max(wide, np.finfo(np.float64).eps)))
    older = isinstance(generator, np.random.RandomState)
    words = weighted_choices.OF_RANDOM_STATES if older else weighted_choices.OF_GENERATORS
    place = call_library(
        weighted_choices.places, generator, count, counted, weights, size, tolerance, words
    )
    return to_number(place, int) if size is None else place


def refuse_state(name: str) -> NoReturn:
    """StateError for the state of a generator, which is known only when the graph runs."""
    raise StateError(
        f"`{name}` of a random generator is not staged",
        location=user_location(),
        remedy="make the generator outside, with the seed that it is to have",
    )


def _announced(one: Any, other: Any) -> tuple[Spec | None, Any]:
    """The spec of what a method gives, and what is made of it; no size is sure of one sample."""
    if one is None:
        return None, None
    if type(one) in NUMBER_SPECS:
        return NUMBER_SPECS[type(one)], Number
    if not isinstance(one, np.ndarray | np.generic) or one.dtype.kind not in "biuf":
        given = "arrays of strings or objects" if isinstance(one, np.ndarray) else "objects"
        _refuse_objects(given)
    sizes = (-1,) * one.ndim if other is None else other.shape
    shape = tuple(
        size if size == second else Dim.fresh("r")
        for size, second in zip(one.shape, sizes, strict=True)
    )
    return Spec(one.dtype, shape), _array if isinstance(one, np.ndarray) else _scalar


def _require_numbers(items: Any) -> None:
    """StateError for a choice among items of a list that are not all numbers or strings."""
    several = isinstance(items, list | tuple)
    for one in items if several else ():
        if not isinstance(one, (*OPERANDS, str)):
            _refuse_objects(
                f"one of several objects, among them {with_article(type(one).__name__)}"
            )


def _refuse_objects(given: str) -> NoReturn:
    """StateError for a draw that gives what is no number."""
    raise StateError(
        f"a random generator gives {given}, which is not staged",
        location=user_location(),
        remedy="draw an index, or indices, rng.choice(len(items), size=n), and take the items "
        "at them",
    )


def _array(value: Any) -> Array:
    return Array.holding(value)


def _scalar(value: Any) -> Scalar:
    made = Scalar.__new__(Scalar)
    made._value, made._mark = value, None
    return made


def _asking(
    tracing: Tracing,
    call: Any,
    spec: Spec | None,
    leaves: list[Any],
    native: NativeDraw | None = None,
) -> Any:
    """A node that asks when the graph runs; gives its value, a Number for Python's."""
    trace = tracing.region.trace
    results = () if spec is None else (spec,)
    operands = [trace.value_of(one) for one in leaves]
    asked = Asked(call, spec is not None, is_attempted(tracing), native)
    attributes = {"function": asked, "results": results}
    node = trace.add_control(HOST_CALL, operands, attributes, results)
    if spec is None:
        return None
    return Number(node.outputs[0]) if spec.python else node.outputs[0]


def _draw_into(tracing: Tracing, generator: Any, name: str, named: dict[Any, Any]) -> Any:
    """A draw that fills `out`, and gives it."""
    out = named["out"]
    if not (isinstance(out, Array) and out.is_contiguous and out.is_writeable):
        raise StateError(
            f"`{name}` of a random generator draws into what is not known to be an array with its "
            "elements in one row, as `out`",
            location=user_location(),
            remedy=f"put what it gives there: a[...] = rng.{name}(size=a.shape)",
        )
    plain = as_tensor(out)
    rest = {key: one for key, one in named.items() if key != "out"}
    leaves = _leaves(tuple(rest.values()))
    owner = asked_of(tracing, generator)

    def call(held: Any, *values: Any) -> Any:
        given, made = iter(values), np.array(held, order="C")
        filled = {key: _filled(one, given) for key, one in rest.items()}
        placed = [filled.pop(key) for key in list(filled) if isinstance(key, int)]
        getattr(owner(), name)(*placed, out=made, **filled)
        return made

    value = _asking(tracing, call, plain._value.spec, [plain, *leaves])
    put(out, Tensor._of(value))
    return out


def _shuffle(tracing: Tracing, generator: Any, x: Any, *where: Any, **named: Any) -> None:
    if not isinstance(x, Array):
        raise StateError(
            "a random generator shuffles what is no NumPy array, which is not staged",
            location=user_location(),
            remedy="shuffle an array, or draw a permutation of the places: permutation(len(x))",
        )
    plain = as_tensor(x)
    owner = asked_of(tracing, generator)

    def call(values: Any) -> Any:
        made = np.array(values)
        owner().shuffle(made, *where, **named)
        return made

    value = _asking(tracing, call, plain._value.spec, [plain])
    put(x, Tensor._of(value))


def make(tracing: Tracing, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """`np.random.default_rng(seed)` or `np.random.RandomState(seed)` in a staged function."""
    leaves = _leaves((args, tuple(keywords.values())))
    with paused():
        generator = function(0) if leaves else function(*args, **keywords)

    def begin(*values: Any) -> None:
        given = iter(values)
        fresh = function(
            *_filled(args, given), **{key: _filled(one, given) for key, one in keywords.items()}
        )
        source.set(fresh)

    source = made_here(tracing, generator)
    _asking(tracing, begin, None, leaves)
    return generator


def called(tracing: Tracing, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A call of a function of `np.random`; NotImplemented for any other."""
    if function is np.random.seed:
        return ask(tracing, GLOBAL, "seed", args, keywords)
    if function is np.random.default_rng or function is np.random.RandomState:
        if len(args) == 1 and isinstance(args[0], np.random.Generator):
            return args[0]
        return make(tracing, function, args, keywords)
    return NotImplemented
