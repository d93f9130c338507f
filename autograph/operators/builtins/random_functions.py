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
from autograph.operators.containers.slices import as_index
from autograph.runtime.control.draws import drawn as noted
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYFLOAT, PYINT, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.lent_generators import asked_of, kind_of_count
from autograph.tracing.tracing import Tracing

Model = Callable[..., Any]


class Drawn:
    """A method of a generator, called when the graph runs."""

    def __init__(self, owner: Callable[[], Any], name: str, known: tuple[Any, ...]) -> None:
        self.owner = owner
        self.name = name
        self.known = known

    def __call__(self, *values: Any) -> Sequence[Any]:
        if self.name == "seed":
            self.owner().seed(*self.known, *values)
            return ()
        return noted(self, lambda: (getattr(self.owner(), self.name)(*self.known, *values),))


def _draw(
    tracing: Tracing,
    generator: Any,
    name: str,
    spec: Spec | None,
    args: tuple[Any, ...] = (),
    known: tuple[Any, ...] = (),
) -> Any:
    owner = asked_of(tracing, generator)
    trace = tracing.region.trace
    results = () if spec is None else (spec,)
    attributes = {"function": Drawn(owner, name, known), "results": results}
    operands = [trace.value_of(one) for one in args]
    node = trace.add_control(HOST_CALL, operands, attributes, results)
    return Number(node.outputs[0]) if results else None


def _random(tracing: Tracing, generator: Any) -> Any:
    return _draw(tracing, generator, "random", PYFLOAT)


def _below(tracing: Tracing, generator: Any, n: Any) -> Any:
    return _draw(tracing, generator, "_randbelow", PYINT, (as_index(n),))


def _bits(tracing: Tracing, generator: Any, k: Any) -> Any:
    if type(k) is int and k < 64:
        return _draw(tracing, generator, "getrandbits", PYINT, (k,))
    raise StateError(
        "random.getrandbits of 64 bits or more, or of a staged number of them",
        remedy="draw fewer bits: a staged int has 64, one of them for the sign",
    )


def _gauss(tracing: Tracing, generator: Any, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
    return mu + _draw(tracing, generator, "gauss", PYFLOAT, (), (0.0, 1.0)) * sigma


def _seed(tracing: Tracing, generator: Any, a: Any = None, version: int = 2) -> None:
    if isinstance(a, Number):
        _draw(tracing, generator, "seed", None, (a,))
        return
    if isinstance(a, Tensor):
        random.Random().seed(a)  # type: ignore[arg-type]  # raises Python's own error
    _draw(tracing, generator, "seed", None, (), (a, version))


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
    random.Random.gauss: _gauss,
    random.Random.seed: _seed,
    _PRIVATE._randbelow_with_getrandbits: _below,
}
