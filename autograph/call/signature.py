"""The cache key of a call, and what is learned from calls that no trace fits."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.hints import Hints
from autograph.values.numpy_arrays import check_array

Key = tuple[Any, ...]
FEW_TRACES = 8
"""So many traces there are before bools are inputs once they change."""
FEW_ITEMS = 3
"""So many numbers in a container have changed before all are inputs, if they are not too many."""
MOST_ITEMS = 256
IS_ITEM = re.compile(r"(?<!^a)\[\d+\]$")
"""What the access path of an item of a list ends with, and that of an argument does not."""


class Signature:
    """The parameters of a function, and what its calls taught: changing sizes and numbers."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.signature = inspect.signature(function)
        kinds = [one.kind for one in self.signature.parameters.values()]
        parameters = self.signature.parameters.values()
        either = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
        first = [one.name for one in parameters if one.kind is one.POSITIONAL_ONLY]
        self.names = [*first, *either]
        self.only_positional = frozenset(first)
        self.named = frozenset(one.name for one in parameters if one.kind is one.KEYWORD_ONLY)
        self.named |= frozenset(either)
        self.variadic = inspect.Parameter.VAR_POSITIONAL in kinds
        self.symbolic: dict[str, frozenset[int]] = {}
        self.numbers: frozenset[str] = frozenset()
        self.never: frozenset[str] = frozenset()
        self.shapes: dict[tuple[str, Any, int], tuple[int, ...]] = {}
        self.empty_lists: bool | None = None
        """Whether arrays of lists are to be traced as those of empty ones, too: None until one
        turned out empty, False where that is refused."""

    @property
    def hints(self) -> Hints:
        """What a new trace is to know."""
        return Hints(dict(self.symbolic), self.numbers, empty_lists=bool(self.empty_lists))

    def complete(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments and their defaults; TypeError, Python's own, if they do not fit."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            self.function(*args, **kwargs)  # Python's own words
            raise
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def expect(self, axes: dict[str, frozenset[int]]) -> None:
        """Let sizes be unknown from the first trace on, by access path."""
        for path, found in axes.items():
            self.symbolic[path] = self.symbolic.get(path, frozenset()) | found

    def flatten(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """The arguments in one tuple, and the names of the last ones, given by keyword.

        Those of a `**` parameter stay in the order of the call, which a function can see.
        """
        if not kwargs:
            return args, ()
        positional = list(args)
        rest = dict(kwargs)
        if not self.variadic:
            for name in self.names[len(args) :]:
                if name not in rest or name in self.only_positional:
                    break
                positional.append(rest.pop(name))
        declared = sorted(self.named & rest.keys())
        names = (*declared, *(name for name in rest if name not in self.named))
        return (*positional, *(rest[name] for name in names)), names

    @property
    def unknown(self) -> frozenset[tuple[str, int | None]]:
        """The paths of numbers, and the paths and axes of sizes, that a new trace does not know."""
        axes = {(path, axis) for path, found in self.symbolic.items() for axis in found}
        return frozenset(axes | {(path, None) for path in self.numbers})

    def words(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> list[str]:
        """What each of the flattened arguments is called."""
        count = len(arguments) - len(keywords)
        parameters = self.signature.parameters.values()
        rest = next((one.name for one in parameters if one.kind is one.VAR_POSITIONAL), "argument")
        named = self.names[:count]
        return [*named, *(f"{rest}[{n}]" for n in range(count - len(named))), *keywords]

    def key(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> Key:
        """What tells calls apart that need traces of their own, guards aside."""
        return self._key(arguments, keywords, self.symbolic, self.numbers)

    def exact_key(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> Key:
        """The same, with every size and number."""
        return self._key(arguments, keywords, {}, frozenset())

    def _key(
        self,
        arguments: tuple[Any, ...],
        keywords: tuple[str, ...],
        symbolic: dict[str, frozenset[int]],
        numbers: frozenset[str],
    ) -> Key:
        parts: list[Any] = [keywords] if keywords else []
        parts += (dtypes.default_dtype(float), dtypes.default_dtype(int))
        for number, one in enumerate(arguments):
            kind = type(one)
            if kind is Tensor or kind is Variable or kind is np.ndarray:
                held = one if kind is np.ndarray else one._value
                shape = held.shape
                if symbolic:
                    axes = symbolic.get(f"a[{number}]")
                    if axes:
                        shape = tuple(
                            None if axis in axes and size > 1 else size
                            for axis, size in enumerate(shape)
                        )
                parts.append((kind, held.dtype, shape))
            elif kind is int or kind is bool or kind is float:
                staged = f"a[{number}]" in numbers
                if staged and kind is int and not -(2**63) <= one < 2**63:
                    staged = False
                value = one.hex() if kind is float else one
                parts.append((kind, None if staged else value))
            elif kind is str or one is None:
                parts.append(one)
            else:
                parts.append(kind)
        return tuple(parts)

    def forget(self) -> bool:
        """Let the numbers that changed, or else the sizes, be known; False where all are."""
        if self.numbers:
            self.never |= self.numbers
            self.numbers = frozenset()
            return True
        self.never |= self.symbolic.keys()
        some = bool(self.symbolic)
        self.symbolic = {}
        return some

    def allow_empty(self) -> bool:
        """Let arrays of lists be those of empty ones, too; False where that was known already."""
        first = self.empty_lists is None
        self.empty_lists = first
        return first

    def learn_siblings(self, observed: Mapping[str, Any]) -> None:
        """Where several numbers in a container changed, those beside them may, too: a table that
        is filled entry by entry is not traced for each."""
        changed = Counter(map(_container_of, self.numbers))
        beside = Counter(map(_container_of, observed))
        for path, before in observed.items():
            owner = _container_of(path)
            if not owner or changed[owner] < FEW_ITEMS or beside[owner] > MOST_ITEMS:
                continue
            if type(before) in (int, float) and path not in self.never:
                self.numbers |= {path}

    def learn(self, path: str, before: Any, now: Any, traces: int = 0) -> bool:
        """Compare what a path gave to a trace with what it gives now; whether something is new.

        A bool has two values: it is known in each of the first `FEW_TRACES` traces.
        """
        if isinstance(now, bool) and traces < FEW_TRACES and not IS_ITEM.search(path):
            return False
        if isinstance(now, int | float) and type(before) is type(now):
            if before != now and path not in self.never and path not in self.numbers:
                self.numbers |= {path}
                return True
            return False
        if not isinstance(before, tuple) or path in self.never:
            return False
        held = now._value if isinstance(now, Tensor) else now
        if not isinstance(held, np.ndarray) or len(before) != held.ndim:
            return False
        axes = frozenset(
            axis
            for axis, (old, new) in enumerate(zip(before, held.shape, strict=True))
            if old != new and old > 1 and new > 1
        )
        known = self.symbolic.get(path, frozenset())
        if axes <= known:
            return False
        self.symbolic[path] = known | axes
        return True


def _container_of(path: str) -> str:
    """The path of the container of which a path is an item; nothing for an argument."""
    owner, bracket, _ = path.rpartition("[")
    return "" if not bracket or not path.endswith("]") or owner == "a" else owner


def checked(argument: Any, name: str) -> Any:
    """An argument of a staged function as it may be traced; ArgumentError for what may not."""
    if isinstance(argument, np.ndarray | np.generic):
        array = np.asarray(argument) if isinstance(argument, np.generic) else argument
        check_array(array, f"argument {name!r} of a staged function")
    return argument
