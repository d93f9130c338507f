"""How a program of the corpus is declared: its arguments, its state, and what happens between."""

from __future__ import annotations

import copy
import itertools
import random
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag

PROGRAMS: list[Program] = []


@dataclass(frozen=True)
class Case:
    """One set of arguments. Every run gets fresh copies that share what the set shares."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def case(*args: Any, **kwargs: Any) -> Case:
    """The arguments of one call."""
    return Case(args, kwargs)


@dataclass
class World:
    """What a program lives in during one run of its scenario."""

    function: Callable[..., Any]
    state: Any
    globals: dict[str, Any]


Between = Callable[[World], Any]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Program:
    """A function as a user would write it, and the scenario it is put through.

    `factory`: `source()` gives (function, state) anew for every run. `between`: what is changed
    between calls; each change is followed by a call with the first case. `refused`: the name of the
    error class that staged modes must raise, and `naming`: what its message must contain.
    `slow`: text and check mode run it in the marked sweep only. `ulps`: how far a compiled float
    may be from the eager one. `exact`: whether an evaluated graph gives the same bits (NumPy rounds
    products of complex scalars otherwise than those of arrays). `vary`: whether arguments of other
    values make sense. `decorates`: the factory gets the decorator of the mode, and uses it itself;
    its function is then called as it is. `checks`: whether check mode can run it, several times.
    """

    source: Callable[..., Any]
    cases: tuple[Case, ...]
    factory: bool = False
    decorates: bool = False
    between: tuple[Between, ...] = ()
    globals: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    naming: tuple[str, ...] = ()
    ulps: int = 8
    exact: bool = True
    mutate: bool = True
    vary: bool = True
    compiled: bool = False
    slow: bool = False
    checks: bool = True

    @property
    def name(self) -> str:
        """`file.function`."""
        return f"{self.source.__module__.rsplit('.', 1)[-1]}.{self.source.__name__}"

    def world(self, stage: Decorator) -> World:
        """A fresh world: new state, globals as declared, the function staged by `stage`."""
        self.reset()
        namespace = vars(sys.modules[self.source.__module__])
        if self.decorates:
            return World(*self.source(stage), namespace)
        function, state = self.source() if self.factory else (self.source, None)
        return World(stage(function), state, namespace)

    def reset(self) -> None:
        """Put the globals back as declared."""
        namespace = vars(sys.modules[self.source.__module__])
        for name, value in self.globals.items():
            namespace[name] = fresh(value)
        ag.set_default_dtype(ag.float32)
        ag.set_default_dtype(ag.int64)


def program(*cases: Case, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the function below as a program of the corpus."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        between = options.pop("between", ())
        actions = between if isinstance(between, tuple) else (between,)
        PROGRAMS.append(Program(function, cases or (case(),), between=actions, **options))
        return function

    return register


def stateful(*cases: Case, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a factory of a program: it gives the function and the state to look at."""
    return program(*cases, factory=True, **options)


def decorating(*cases: Case, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a factory that gets the decorator of the mode: it gives a callable and the state."""
    return program(*cases, factory=True, decorates=True, **options)


def fresh(value: Any, memo: dict[int, Any] | None = None) -> Any:
    """A deep copy that shares nothing, buffers included, and keeps identities among its parts."""
    memo = {} if memo is None else memo
    known = memo.get(id(value))
    if known is not None:
        return known
    made: Any
    if isinstance(value, ag.Variable):
        made = ag.Variable(np.array(value.numpy()), trainable=value.trainable)
    elif isinstance(value, ag.Tensor):
        made = ag.asarray(np.array(value.numpy()))
    elif isinstance(value, np.ndarray):
        made = value.copy(order="K") if value.flags.writeable else value
    elif type(value) is list:
        made = memo[id(value)] = []
        made.extend(fresh(one, memo) for one in value)
    elif type(value) is tuple:
        made = tuple(fresh(one, memo) for one in value)
    elif type(value) is dict:
        made = memo[id(value)] = {}
        made.update({key: fresh(one, memo) for key, one in value.items()})
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        made = tuple.__new__(type(value), [fresh(one, memo) for one in value])
    elif type(value) is OrderedDict:
        made = memo[id(value)] = OrderedDict()
        made.update({key: fresh(one, memo) for key, one in value.items()})
    elif isinstance(value, np.random.Generator | np.random.RandomState | random.Random):
        made = copy.deepcopy(value)
    elif isinstance(value, itertools.count):
        made = eval(repr(value), {"count": itertools.count})  # there are no copies since 3.14
    elif hasattr(value, "fresh"):
        made = value.fresh(memo)
    elif hasattr(value, "__dict__") and not callable(value):
        made = memo[id(value)] = copy.copy(value)
        for key, one in vars(value).items():
            object.__setattr__(made, key, fresh(one, memo))
    else:
        made = copy.copy(value)
    memo[id(value)] = made
    return made
