"""A staged function for one kind of arguments: its graph, with named inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Protocol

from autograph.call.concrete import ConcreteFunction
from autograph.call.guard_messages import changes_since
from autograph.call.input_signature import InputSignature, has_specs, leaves, made_up
from autograph.errors import ArgumentError
from autograph.merge.results import Given
from autograph.runtime.core.spec import AnySpec, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph
from autograph.tensor_spec import TensorSpec
from autograph.tracing.paths import compile_fetch
from autograph.tracing.tracing import TRACE_LOCK
from autograph.values.skeleton import Again, Choices, Fixed, Group, Grown, Leaf, Made, Skeleton


@dataclass(frozen=True)
class Named:
    """An input or an output of a graph.

    `spec` is a TensorSpec, the class of a Python number, or a ListSpec. `path` is where a call
    finds it; `captured` is the tensor or Variable itself where it is no argument.
    """

    name: str
    spec: Any
    path: str = ""
    captured: Any = None


class Traceable(Protocol):
    """What this needs of the staged function."""

    plain: FunctionType
    bound: tuple[Any, ...]

    def words(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> list[str]:
        """What each argument is called."""

    def traced_for(
        self, specs: Sequence[Any], arguments: tuple[Any, ...], keywords: tuple[str, ...]
    ) -> ConcreteFunction:
        """The trace for arguments that stand for any of their specs."""

    def traced(
        self, arguments: tuple[Any, ...], keywords: tuple[str, ...], any_size: bool = False
    ) -> ConcreteFunction:
        """A new trace; `any_size`: where sizes that are not known may be 0 and 1, too."""

    def run_or_inline(
        self, concrete: ConcreteFunction, arguments: tuple[Any, ...], keywords: tuple[str, ...]
    ) -> Any:
        """Call a trace."""


class SpecializedFunction:
    """What `get_concrete` gives: called like the function, with arguments of these specs.

    Arguments that are no tensors are those that it was made for, and may be left out. ArgumentError
    names an argument of another kind.
    """

    def __init__(
        self, function: Traceable, given: tuple[Any, ...], keywords: tuple[str, ...], skip: int
    ) -> None:
        self.function = function
        self._given = given
        self._keywords = keywords
        self._skip = skip
        self._names = function.words(given, keywords)
        self._specs = [_as_spec(one) for one in given]
        title = function.plain.__name__
        self._signature = InputSignature(title, self._names, self._specs)
        self.concrete: ConcreteFunction = function.traced_for(self._specs, made_up(given), keywords)
        self.__name__ = title
        self.__autograph_inline__ = function

    @property
    def graph(self) -> Graph:
        """The graph; `print` shows it as Python text."""
        return self.concrete.graph

    def for_any_size(self) -> ConcreteFunction:
        """A trace of its own, in which sizes that are not known may be 0 and 1, too."""
        with TRACE_LOCK:
            made = self.function.traced(made_up(self._given), self._keywords, any_size=True)
        made.keywords = self._keywords
        return made

    @property
    def inputs(self) -> list[Named]:
        """What the graph takes, in its order: arguments, and what the function reads elsewhere."""
        wanted = {
            path: spec.name
            for number, one in enumerate(self._specs)
            for path, spec in leaves(f"a[{number}]", one)
            if isinstance(spec, TensorSpec)
        }
        found: list[Named] = []
        taken: set[str] = set()
        for one, value in zip(self.concrete.inputs, self.graph.inputs, strict=True):
            name = wanted.get(one.path) or value.name or self._variable(one.path) or "input"
            if name in taken:
                name = next(f"{name}_{n}" for n in range(1, 10_000) if f"{name}_{n}" not in taken)
            taken.add(name)
            captured = None if one.path in wanted else self._found(one.path)
            found.append(Named(name, _public(one.spec), one.path, captured))
        return found

    @property
    def captured(self) -> list[Any]:
        """The tensors and Variables that it reads and that are no arguments."""
        return [one.captured for one in self.inputs if isinstance(one.captured, Tensor)]

    @property
    def outputs(self) -> list[Named]:
        """The tensors and numbers of the result, in order, named by where they stand in it."""
        result = self.structured_output
        return [
            Named(f"result{path}", spec)
            for path, spec in leaves("", result)
            if isinstance(spec, TensorSpec) or spec in (bool, int, float)
        ]

    @property
    def structured_output(self) -> Any:
        """The result with a TensorSpec for each tensor, and the class for each number."""
        return self._structured(self.concrete.concluded.result, {})

    def _variable(self, path: str) -> str | None:
        """The name of the outer function's variable that a path leads to."""
        owner, _, last = path.rpartition(".")
        return (
            self.concrete.cell_names.get(id(self._found(owner)))
            if last == "cell_contents"
            else None
        )

    def _found(self, path: str) -> Any:
        """What a path leads to."""
        return compile_fetch([path])(made_up(self._given), self.concrete.objects)[0]

    def _structured(self, skeleton: Skeleton, known: dict[Any, Any]) -> Any:
        match skeleton:
            case Leaf(spec=spec):
                result: Any = _public(spec)
            case Given(index=index):
                result = self._of_given(self.concrete.concluded.given[index])
            case Fixed(value=value):
                return value
            case Group(kind=kind, items=items):
                parts = [self._structured(one, known) for one in items]
                return kind(parts) if kind in (tuple, list) else _named(kind, parts)
            case Made(kind=kind, keys=keys, items=items) if kind is dict:
                pairs = zip(keys, [self._structured(one, known) for one in items], strict=True)
                result = dict(pairs)
            case Made(kind=kind, items=items) if kind is list:
                result = [self._structured(one, known) for one in items]
            case Again(path=path):
                return known.get(path)
            case Choices(options=options):
                return tuple(self._structured(one, known) for one in options)
            case Grown(kind=kind):
                result = kind
            case _:
                result = getattr(skeleton, "kind", None)
        known.update(dict.fromkeys(getattr(skeleton, "paths", ()), result))
        return result

    def _of_given(self, path: str) -> Any:
        """What the result says of something that was there before."""
        for one in self.concrete.inputs:
            if one.path == path:
                return _public(one.spec)
        found = self._found(path)
        return TensorSpec.of(found) if isinstance(found, Tensor) else found

    def __autograph_prepare__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments for the staged function, of a call that becomes a part of another trace."""
        arguments = self._signature.fitted(self._bound(args, kwargs))
        count, skip = len(arguments) - len(self._keywords), len(self.function.bound)
        return arguments[skip:count], dict(zip(self._keywords, arguments[count:], strict=True))

    # calling ----------------------------------------------------------------------------------
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call it like the function. ArgumentError for arguments of another kind."""
        arguments = self._signature.fitted(self._bound(args, kwargs))
        if not self.concrete.matches(arguments):
            self._refuse_others(arguments)
        return self.function.run_or_inline(self.concrete, arguments, self._keywords)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        names = self._names[self._skip :]
        if len(args) > len(names):
            raise TypeError(f"{self.__name__}() takes {len(names)} arguments, not {len(args)}")
        by_name = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name not in names or name in by_name:
                word = "multiple values for" if name in by_name else "an unexpected"
                raise TypeError(f"{self.__name__}() got {word} argument {name!r}")
            by_name[name] = value
        pairs = zip(names, self._given[self._skip :], strict=True)
        for name, given in pairs:
            if name not in by_name and has_specs(given):
                raise TypeError(f"{self.__name__}() is not given the argument {name!r}")
            by_name.setdefault(name, given)
        return (*self._given[: self._skip], *(by_name[name] for name in names))

    def _refuse_others(self, arguments: tuple[Any, ...]) -> None:
        """ArgumentError where an argument is not what this was made for, besides sizes and state.

        Sizes of 0 and 1 where any are welcome, and Python's state, are met by another trace.
        """
        changes = changes_since(self.concrete, arguments, self._names, self._names)
        for change in changes:
            if change.path.startswith("a[") and change.axis is None and "." not in change.path:
                raise ArgumentError(
                    f"{self.__name__} was specialized for another {change}",
                    remedy="call the staged function itself, or get_concrete for these arguments",
                )

    def __repr__(self) -> str:
        inputs = ", ".join(f"{one.name}: {_shown(one.spec)}" for one in self.inputs)
        return f"<{self.__name__}({inputs}) -> {_shown(self.structured_output)}>"


def _as_spec(value: Any) -> Any:
    """What an argument must be: tensors and arrays as they are, but for their values."""
    if isinstance(value, TensorSpec):
        return value
    if isinstance(value, Tensor):
        return TensorSpec.of(value)
    if isinstance(value, dict):
        return {key: _as_spec(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        parts = [_as_spec(one) for one in value]
        return _named(type(value), parts)
    return value


def _named(kind: Any, parts: Sequence[Any]) -> Any:
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def _public(spec: AnySpec) -> Any:
    if not isinstance(spec, Spec):
        return spec
    return spec.python_type if spec.python else TensorSpec.of(spec)


def _shown(spec: Any) -> str:
    if isinstance(spec, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(one)}" for key, one in spec.items()) + "}"
    if isinstance(spec, list | tuple):
        inner = ", ".join(map(_shown, spec))
        return f"[{inner}]" if isinstance(spec, list) else f"({inner})"
    return spec.__name__ if isinstance(spec, type) else str(spec)
