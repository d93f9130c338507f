"""A frozen picture of Python values: types, values to the bit, and which object is which."""

from __future__ import annotations

import enum
import types
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag


@dataclass
class Picture:
    """One value: its kind, the number of the object if it is mutable, its content and parts."""

    kind: str
    label: int | None = None
    content: Any = None
    parts: tuple[tuple[str, Picture], ...] = ()

    def shown(self, part: str | None = None) -> str:
        """A short text."""
        if part is not None:
            return dict(self.parts)[repr(part)].shown()
        label = "" if self.label is None else f"#{self.label}"
        inner = ", ".join(f"{name}={one.shown()}" for name, one in self.parts)
        content = "" if self.content is None else f" {self.content!r}"
        return f"{self.kind}{label}{content}" + (f"({inner})" if self.parts else "")


PLAIN = (bool, int, str, bytes, type(None), type(Ellipsis), complex, range)
NAMED = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
    type,
    np.ufunc,
)


def freeze(value: Any, memo: dict[int, Any] | None = None) -> Picture:
    """The picture of `value` and of everything reachable from it."""
    memo = {} if memo is None else memo
    kind = type(value)
    if kind in PLAIN:
        return Picture(kind.__name__, content=value)
    if kind is float or isinstance(value, np.generic):
        return Picture(f"{kind.__module__}.{kind.__name__}", content=np.asarray(value))
    if isinstance(value, enum.Enum | np.dtype):
        return Picture(kind.__name__, content=str(value))
    if isinstance(value, NAMED):
        return Picture("named", content=getattr(value, "__name__", repr(value)))
    if isinstance(value, tuple):
        parts = tuple((str(i), freeze(one, memo)) for i, one in enumerate(value))
        return Picture(kind.__name__, parts=parts)
    known = memo.get(id(value))
    if known is not None:
        return Picture("same", label=known[0])
    label = len(memo)
    memo[id(value)] = (label, value)
    return _freeze_object(value, label, memo)


def _freeze_object(value: Any, label: int, memo: dict[int, Any]) -> Picture:
    kind = type(value).__name__
    if isinstance(value, ag.Variable):
        return Picture("Variable", label, np.array(value.numpy()))
    if isinstance(value, ag.Tensor):
        return Picture("Tensor", label, np.array(value.numpy()))
    if isinstance(value, np.ndarray):
        return Picture("ndarray", label, np.array(value))
    if isinstance(value, list):
        named = [(str(i), one) for i, one in enumerate(value)]
    elif isinstance(value, dict):
        named = [(repr(key), one) for key, one in value.items()]
    elif isinstance(value, set | frozenset):
        return Picture(kind, label, sorted(map(repr, value)))
    elif hasattr(value, "__dict__"):
        named = sorted(vars(value).items())
    else:
        named = [(name, getattr(value, name)) for name in getattr(value, "__slots__", ())]
    return Picture(kind, label, parts=tuple((name, freeze(one, memo)) for name, one in named))


def difference(
    expected: Picture, actual: Picture, ulps: int = 0, arrays: bool = False
) -> str | None:
    """The first difference between two pictures, in words; floats may be `ulps` apart.

    `arrays`: a tensor may stand where an array or a NumPy scalar was expected.
    """
    return _Comparison(ulps, arrays).walk(expected, actual, "")


@dataclass
class _Comparison:
    """One comparison, and which object of the one picture is which of the other."""

    ulps: int
    arrays: bool
    there: dict[int, int] = field(default_factory=dict)
    back: dict[int, int] = field(default_factory=dict)

    def walk(self, expected: Picture, actual: Picture, path: str) -> str | None:
        where = path or "everything"
        if self.arrays and actual.kind == "Tensor" and expected.kind.startswith(_ARRAYS):
            if expected.label is not None and not self._same_object(expected, actual):
                return f"{where} is {expected.shown()}, but {actual.shown()}"
            return array_difference(expected.content, actual.content, self.ulps)
        names = [name for name, _ in expected.parts]
        if (
            expected.kind != actual.kind
            or not self._same_object(expected, actual)
            or names != [name for name, _ in actual.parts]
        ):
            return f"{where} is {expected.shown()}, but {actual.shown()}"
        if isinstance(expected.content, np.ndarray):
            found = array_difference(expected.content, actual.content, self.ulps)
            if found:
                return f"{where}: {found}"
        elif expected.content != actual.content:
            return f"{where} is {expected.shown()}, but {actual.shown()}"
        for (name, one), (_, other) in zip(expected.parts, actual.parts, strict=True):
            found = self.walk(one, other, f"{path}.{name}" if path else name)
            if found:
                return found
        return None

    def _same_object(self, expected: Picture, actual: Picture) -> bool:
        if expected.label is None or actual.label is None:
            return expected.label is actual.label
        there = self.there.setdefault(expected.label, actual.label)
        back = self.back.setdefault(actual.label, expected.label)
        return there == actual.label and back == expected.label


_ARRAYS = ("ndarray", "numpy.")


def array_difference(expected: Any, actual: Any, ulps: int) -> str | None:
    """How two arrays differ: dtype, shape, bits, or more than `ulps` of the larger magnitudes."""
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return (
            f"{expected.dtype}{list(expected.shape)} {expected.tolist()}, "
            f"but {actual.dtype}{list(actual.shape)} {actual.tolist()}"
        )
    if np.ascontiguousarray(expected).tobytes() == np.ascontiguousarray(actual).tobytes():
        return None
    if ulps and expected.dtype.kind == "f":
        with np.errstate(all="ignore"):
            finite = np.where(np.isfinite(expected), np.abs(expected), 0)
            # One ulp of the largest element is granted everywhere: sums are ordered freely.
            unit = np.finfo(expected.dtype).eps * np.maximum(ulps * finite, np.max(finite))
            close = np.abs(expected - actual) <= unit
            same = (expected == actual) | (np.isnan(expected) & np.isnan(actual)) | close
        if np.all(same):
            return None
    return f"{expected.tolist()}, but {actual.tolist()} ({expected.dtype})"
