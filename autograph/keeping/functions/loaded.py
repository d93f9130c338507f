"""Functions that were loaded: traces without the Python code that they were made of."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.call.signature import Signature
from autograph.errors import ArgumentError
from autograph.keeping.functions.embedding import embedded, same_object
from autograph.keeping.functions.expressions import STANDING_IN, Arguments
from autograph.keeping.functions.loaded_trace import LoadedTrace
from autograph.nn.module import Module
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.printer import print_graph
from autograph.tracing.tracing import current


class LoadedFunction:
    """A function that `ag.load` gave: called like the one that was saved.

    It knows the traces that were saved, and no others. ArgumentError tells what it can be called
    with. Arrays, Tensors and Variables stand for each other, where no trace is for exactly what
    is given. It can be differentiated, and called in other staged functions.
    """

    def __init__(
        self,
        name: str,
        parameters: Sequence[inspect.Parameter],
        bound: int,
        always: Mapping[str, Any],
        traces: Sequence[LoadedTrace],
        state: Mapping[str, Tensor],
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__signature__ = inspect.Signature(list(parameters))
        self._signature = Signature(self)
        self._bound = (None,) * bound
        self._always = dict(always)
        self.traces = tuple(traces)
        self.state = dict(state)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call it. ArgumentError where no trace is for such arguments."""
        trace, arguments = self._chosen(args, {**self._always, **kwargs})
        tracing = current()
        if tracing is not None:
            same_object(tracing, self)
            return embedded(tracing, trace, arguments)
        return trace.call(arguments)

    def _chosen(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[LoadedTrace, Arguments]:
        for turn in range(len(STANDING_IN)):
            for form in self._forms(args, kwargs):
                arguments, keywords = self._signature.flatten(*form)
                arguments = (*self._bound, *arguments)
                for trace in self.traces:
                    if trace.arity == len(arguments) and trace.keywords == keywords:
                        if trace.matches(arguments, turn):
                            return trace, arguments
        given = ", ".join([*map(_shown, args), *(f"{k}={_shown(v)}" for k, v in kwargs.items())])
        known = "\n".join(f"  {self.__name__}({one.shown})" for one in self.traces)
        raise ArgumentError(
            f"{self.__name__}({given}) has no trace among the saved ones, which are for\n{known}",
            remedy="convert the arguments, or save the function with `signatures` for such ones",
        )

    def _forms(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
        """The call as it is; with defaults given by name; and without those that are defaults."""
        yield args, kwargs
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        yield bound.args, bound.kwargs
        for name, parameter in reversed([*self.__signature__.parameters.items()]):
            held = bound.arguments.get(name)
            if type(held) is type(parameter.default) and _same(held, parameter.default):
                del bound.arguments[name]
        try:
            yield bound.args, bound.kwargs
        except KeyError:
            return

    def graph(self, number: int = 0) -> str:
        """The graph of a trace, as Python text."""
        return print_graph(self.traces[number].graph)

    @property
    def variables(self) -> list[Variable]:
        """Every Variable that was saved with it."""
        return [one for one in self.state.values() if isinstance(one, Variable)]

    @property
    def trainable_variables(self) -> list[Variable]:
        """The Variables that training changes."""
        return [one for one in self.variables if one.trainable]

    def set_training(self, training: bool) -> None:
        """TypeError: what was saved is for training or not, and cannot be the other."""
        raise TypeError(
            "a loaded module computes what was saved, in training or not: call "
            f"set_training({training}) before ag.save"
        )

    def named_variables(self) -> dict[str, Variable]:
        """Every Variable by the name that it was saved with."""
        return {name: one for name, one in self.state.items() if isinstance(one, Variable)}

    def __repr__(self) -> str:
        count = len(self.traces)
        return f"<loaded function {self.__name__}{self.__signature__}, {count} traces>"


def _same(left: Any, right: Any) -> bool:
    """Whether two plain values are the same; tensors are not compared."""
    return not isinstance(left, Tensor | np.ndarray) and repr(left) == repr(right)


def _shown(value: Any) -> str:
    if isinstance(value, Tensor | np.ndarray):
        return describe(value)
    if isinstance(value, list | tuple):
        inner = ", ".join(map(_shown, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(one)}" for key, one in value.items()) + "}"
    return f"{value!r:.60}"


class LoadedModule(Module):
    """A module that `ag.load` gave: its saved methods are attributes, its Variables are its own."""

    def __init__(self, functions: Mapping[str, LoadedFunction], state: Mapping[str, Any]) -> None:
        self.functions = dict(functions)
        self.state = dict(state)
        taken = dir(self)
        self.__dict__.update({name: one for name, one in functions.items() if name not in taken})

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The saved `__call__`."""
        if "__call__" not in self.functions:
            raise TypeError(f"the saved module has no __call__; it has {[*self.functions]}")
        same_object(current(), self)
        return self.functions["__call__"](*args, **kwargs)

    def named_variables(self) -> dict[str, Variable]:
        """Every Variable by its path in the module that was saved."""
        return {name: one for name, one in self.state.items() if isinstance(one, Variable)}
