"""What Python's `random`, and counters, give each time the graph runs: in the program's order.

The methods of `random.Random` that are written in Python are converted like any function; here is
what they ask of C code. The generator itself is asked when the graph runs, as `print` prints then:
so its state goes on as it does eagerly, and a seed gives the same numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from autograph.errors import StateError
from autograph.kernels.library.python_generators import (
    BELOW,
    BITS,
    GAUSS,
    UNIT,
    is_offered,
    is_usual,
)
from autograph.library import mathematics
from autograph.operators.calls.dispatch import call
from autograph.operators.containers.slices import as_index
from autograph.runtime.control.draws import NativeDraw, Owner
from autograph.runtime.control.draws import drawn as noted
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import PYFLOAT, PYINT, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.lent_generators import asked_of, kind_of_count, made_here
from autograph.tracing.tracing import Tracing

Model = Callable[..., Any]


class Drawn:
    """A method of a generator, called when the graph runs; `native`: how programs draw the same.

    `inherited`: the method of `random.Random`, where the generator has another one of this name.
    """

    def __init__(
        self,
        owner: Owner,
        name: str,
        known: tuple[Any, ...],
        native: NativeDraw | None,
        inherited: Callable[..., Any] | None,
    ) -> None:
        self.owner = owner
        self.name = name
        self.known = known
        self.native = native
        self.inherited = inherited

    def __call__(self, *values: Any) -> Sequence[Any]:
        if self.name == "seed":
            self.asked(*values)
            return ()
        return noted(self, lambda: (self.asked(*values),))

    def asked(self, *values: Any) -> Any:
        """What the method gives."""
        if self.inherited is not None:
            return self.inherited(self.owner(), *self.known, *values)
        return getattr(self.owner(), self.name)(*self.known, *values)


def _draw(
    tracing: Tracing,
    generator: Any,
    name: str,
    spec: Spec | None,
    args: tuple[Any, ...] = (),
    known: tuple[Any, ...] = (),
    native: Callable[[Owner], NativeDraw] | None = None,
) -> Any:
    owner = asked_of(tracing, generator)
    trace = tracing.region.trace
    results = () if spec is None else (spec,)
    form = None
    if native is not None and is_offered() and is_usual(generator):
        form = native(owner)
    function = Drawn(owner, name, known, form, _inherited(generator, name))
    operands = [trace.value_of(one) for one in args]
    attributes = {"function": function, "results": results}
    node = trace.add_control(HOST_CALL, operands, attributes, results)
    return Number(node.outputs[0]) if results else None


def _inherited(generator: Any, name: str) -> Callable[..., Any] | None:
    """The method of `random.Random`, where a generator has another one: that calls this one."""
    if not isinstance(generator, random.Random):
        return None
    method: Any = getattr(random.Random, name)
    return None if getattr(generator, name) == method.__get__(generator) else method


def _random(tracing: Tracing, generator: Any) -> Any:
    return _draw(
        tracing, generator, "random", PYFLOAT, native=lambda owner: NativeDraw(UNIT, owner)
    )


def _below(tracing: Tracing, generator: Any, n: Any) -> Any:
    limit = as_index(n)

    def native(owner: Owner) -> NativeDraw:
        if type(limit) is int and 0 < limit < 2**63:
            return NativeDraw(BELOW, owner, ((limit, int64),), ("{0}",))
        # below 0 the method looks for a number for ever: it does so in CPython
        return NativeDraw(BELOW, owner, ((DynamicInt(0), int64),), ("{0}",), fails="{0} <= 0")

    return _draw(tracing, generator, "_randbelow", PYINT, (limit,), native=native)


def _bits(tracing: Tracing, generator: Any, k: Any) -> Any:
    def native(owner: Owner) -> NativeDraw:
        return NativeDraw(BITS, owner, ((k, int64),), ("{0}",))

    if type(k) is int and k < 64:
        form = native if k >= 0 else None
        return _draw(tracing, generator, "getrandbits", PYINT, (k,), native=form)
    raise StateError(
        "random.getrandbits of 64 bits or more, or of a staged number of them",
        remedy="draw fewer bits: a staged int has 64, one of them for the sign",
    )


def _gauss(tracing: Tracing, generator: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    def native(owner: Owner) -> NativeDraw:
        return NativeDraw(GAUSS, owner)

    number = _draw(tracing, generator, "gauss", PYFLOAT, (), (0.0, 1.0), native)
    return call(mathematics.scaled, number, mu, sigma)


def _seed(tracing: Tracing, generator: Any, a: Any = None, version: int = 2) -> None:
    if isinstance(a, Number):
        _draw(tracing, generator, "seed", None, (a,))
        return
    if isinstance(a, Tensor):
        random.Random().seed(a)  # type: ignore[arg-type]  # raises Python's own error
    _draw(tracing, generator, "seed", None, (), (a, version))


def _make(tracing: Tracing, x: Any = None) -> Any:
    """`random.Random(x)`: each run makes one."""
    if isinstance(x, Tensor):
        random.Random(x)  # type: ignore[arg-type]  # raises Python's own error
    staged = isinstance(x, Number)
    generator = random.Random(0 if staged else x)

    def begin(*values: Any) -> Sequence[Any]:
        source.set(random.Random(*values) if staged else random.Random(x))
        return ()

    source = made_here(tracing, generator)
    trace = tracing.region.trace
    operands = [trace.value_of(x)] if staged else []
    trace.add_control(HOST_CALL, operands, {"function": begin, "results": ()}, ())
    return generator


def counted(tracing: Tracing, counter: Any) -> Any:
    """`next` of an `itertools.count` that was there before; None where its numbers have no kind."""
    kind = kind_of_count(counter)
    if kind is None:
        return None
    path, told = tracing.path_of(counter), tracing.table.constant(kind_of_count)
    tracing.guard(f"{told}({path}) is {tracing.table.constant(kind)}")
    return _draw(tracing, counter, "__next__", PYINT if kind is int else PYFLOAT)


METHODS: dict[str, Model] = {"random": _random, "getrandbits": _bits}
"""The methods that are written in C."""


def drawn(tracing: Tracing, function: Any, args: tuple[Any, ...]) -> Any:
    """A call of such a method; NotImplemented for any other function."""
    model = METHODS.get(function.__name__)
    if model is None or not isinstance(function.__self__, random.Random):
        return NotImplemented
    return model(tracing, function.__self__, *args)


_PRIVATE: Any = random.Random
RANDOM_MODELS: dict[Any, Model] = {
    random.Random: _make,
    random.Random.gauss: _gauss,
    random.Random.seed: _seed,
    _PRIVATE._randbelow_with_getrandbits: _below,
}
