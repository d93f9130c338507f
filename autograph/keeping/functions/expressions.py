"""Access paths and guards of a saved function: expressions of one small grammar, never executed.

They are over `a`, the arguments of a call; `s`, the tensors that the function captured; and `k`, a
table of plain constants. What is read is turned into functions, part by part; anything that the
grammar does not have is refused.
"""

from __future__ import annotations

import ast
import operator
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.keeping.errors import DamagedError
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.paths import same_float

Arguments = tuple[Any, ...]
Read = Callable[[Arguments], Any]

TENSORS = (Tensor, np.ndarray)
_CONTAINERS = (list, tuple, dict, deque)
_LITERALS = (int, float, str, bytes, bool, type(None))

_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.IsNot: operator.is_not,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


STANDING_IN: Sequence[tuple[type, ...]] = ((), (Tensor,), TENSORS)
"""What is asked in turn of the traces of a function: one for exactly such arguments; one where
Tensors and Variables stand for each other; one where arrays do, too."""


def _is_or_is_one_of(kinds: tuple[type, ...]) -> Callable[[Any, Any], bool]:
    """`is`, but that the classes of `kinds` stand for each other."""

    def test(left: Any, right: Any) -> bool:
        return left is right or all(
            isinstance(one, type) and issubclass(one, kinds) for one in (left, right)
        )

    return test


def _attribute(name: str) -> Callable[[Any], Any]:
    def read(item: Any) -> Any:
        if isinstance(item, TENSORS):
            return getattr(item, name)
        raise AttributeError(name)

    return read


def _value(item: Any) -> Any:
    """The array that a tensor holds: of a staged one itself, which has what guards ask for."""
    if isinstance(item, Tensor):
        return item._value if isinstance(item._value, np.ndarray) else item
    if isinstance(item, np.ndarray | np.generic):
        return np.asarray(item)
    raise AttributeError("_value")


def _trainable(item: Any) -> bool:
    if isinstance(item, Variable):
        return bool(item.trainable)
    raise AttributeError("trainable")


_ATTRIBUTES: Mapping[str, Callable[[Any], Any]] = {
    "_value": _value,
    "trainable": _trainable,
    "_mark": lambda item: item._mark if isinstance(item, Tensor) else None,
    **{name: _attribute(name) for name in ("dtype", "shape", "ndim")},
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "type": type,
    "len": lambda item: len(item) if isinstance(item, _CONTAINERS) else None,
    "same_float": same_float,
    "held": _value,
}
KINDS: Mapping[str, type] = {
    one.__name__: one for one in (int, float, bool, str, list, dict, tuple, deque, bytes)
}


class ExpressionReader:
    """Turns the text of expressions into functions of the arguments.

    `kinds`: the classes that stand for each other where a guard asks for one.
    """

    def __init__(
        self, state: Sequence[Any], constants: Sequence[Any], kinds: tuple[type, ...] = ()
    ) -> None:
        self.tables = {"s": state, "k": constants}
        self.comparisons = {**_COMPARISONS, ast.Is: _is_or_is_one_of(kinds)}

    def read(self, text: Any) -> Read:
        """The function of an expression. DamagedError where it is not of the grammar."""
        try:
            tree = ast.parse(text, mode="eval").body if isinstance(text, str) else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = None
        if tree is None:
            raise DamagedError(f"{text!r:.80} is no expression of a saved function")
        return self._read(tree)

    def read_all(self, texts: Any) -> list[Read]:
        """Several of them."""
        if not isinstance(texts, list):
            raise DamagedError(f"{texts!r:.80} is no list of expressions")
        return [self.read(text) for text in texts]

    def _read(self, tree: ast.expr) -> Read:
        match tree:
            case ast.Constant(value=value) if type(value) in _LITERALS:
                return lambda a: value
            case ast.Name(name) if name in KINDS:
                return lambda a: KINDS[name]
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if (
                type(value) is int or type(value) is float
            ):
                return lambda a: -value
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._read(operand)
                return lambda a: not inner(a)
            case ast.Tuple(elts=items):
                parts = [self._read(one) for one in items]
                return lambda a: tuple([part(a) for part in parts])
            case ast.List(elts=[ast.Starred(value=item)]):
                inner = self._read(item)
                return lambda a: _listed(inner(a))
            case ast.Subscript():
                return self._subscript(tree)
            case ast.Attribute(value=item, attr=name) if name in _ATTRIBUTES:
                inner, get = self._read(item), _ATTRIBUTES[name]
                return lambda a: get(inner(a))
            case ast.Call(func=ast.Name(name), args=items, keywords=[]) if name in FUNCTIONS:
                parts, function = [self._read(one) for one in items], FUNCTIONS[name]
                return lambda a: function(*[part(a) for part in parts])
            case ast.BoolOp(op=ast.And() | ast.Or() as which, values=items):
                parts = [self._read(one) for one in items]
                decide = all if isinstance(which, ast.And) else any
                return lambda a: decide(part(a) for part in parts)
            case ast.Compare():
                return self._comparison(tree)
        raise DamagedError(f"{ast.unparse(tree)[:80]!r} is no expression of a saved function")

    def _subscript(self, tree: ast.Subscript) -> Read:
        key = self._read(tree.slice)
        if not isinstance(tree.value, ast.Name):
            inner = self._read(tree.value)
            return lambda a: _item(inner(a), key(a))
        name, number = tree.value.id, getattr(tree.slice, "value", None)
        if type(number) is int and name == "a":
            return lambda a: a[number]
        table = self.tables.get(name, ())
        if type(number) is int and 0 <= number < len(table):
            return lambda a: table[number]
        raise DamagedError(f"{ast.unparse(tree)[:80]!r} is no expression of a saved function")

    def _comparison(self, tree: ast.Compare) -> Read:
        first = self._read(tree.left)
        steps = [
            (self.comparisons[type(which)], self._read(right))
            for which, right in zip(tree.ops, tree.comparators, strict=True)
        ]

        def compare(a: Arguments) -> bool:
            left = first(a)
            for test, read in steps:
                right = read(a)
                if not test(left, right):
                    return False
                left = right
            return True

        return compare


def _item(container: Any, key: Any) -> Any:
    if isinstance(container, _CONTAINERS):
        return container[key]
    raise TypeError(f"a {type(container).__name__} has no items")


def _listed(container: Any) -> list[Any]:
    if isinstance(container, _CONTAINERS):
        return [*container]
    raise TypeError(f"a {type(container).__name__} has no items")
