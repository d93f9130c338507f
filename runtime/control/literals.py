"""Reads the attributes in the text of a graph: literals, and a few words for what has none."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import EllipsisType, NoneType
from typing import Any

import numpy as np

from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.graph.notation import DTYPE_NAMES, GraphTextError, read_dim, read_spec
from autograph.runtime.ops.indexing.entries import Slice

_CONSTANTS = (NoneType, bool, int, float, str, bytes, EllipsisType)
_NAMES: Mapping[str, Any] = {
    **{name: dtype for dtype, name in DTYPE_NAMES.items()},
    **{kind.__name__: kind for kind in (bool, int, float, complex)},
    "inf": math.inf,
    "nan": math.nan,
}


class LiteralReader:
    """Reads expressions; `objects` and `arrays` are the tables that they can refer to."""

    def __init__(self, objects: Sequence[Any] = (), arrays: Sequence[Any] = ()) -> None:
        self.tables = {"objects": objects, "arrays": arrays}

    def read(self, tree: ast.expr) -> Any:
        """The value of an expression. GraphTextError where it is none of those that are written."""
        match tree:
            case ast.Constant(value=value) if type(value) in _CONSTANTS:
                return value
            case ast.Name(name) if name in _NAMES:
                return _NAMES[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                number = self.read(operand)
                if type(number) in (int, float):
                    return -number
            case ast.Tuple(elts=items):
                return tuple(map(self.read, items))
            case ast.Subscript(value=ast.Name(name), slice=ast.Constant(int(number))):
                table = self.tables.get(name, ())
                if 0 <= number < len(table):
                    return table[number]
            case ast.Call(func=ast.Name(name), args=arguments, keywords=[]) if name in _WORDS:
                return _WORDS[name](*map(self._argument, arguments))
        raise GraphTextError(
            f"line {tree.lineno}: {ast.unparse(tree)[:80]} is not what an attribute can be"
        )

    def _argument(self, tree: ast.expr) -> Any:
        """An argument of a word: the elements of arrays are nested lists."""
        return [*map(self._argument, tree.elts)] if isinstance(tree, ast.List) else self.read(tree)


def _array(items: Any, dtype: DType, shape: tuple[int, ...] | None = None) -> Any:
    if isinstance(items, str):
        raise GraphTextError(f"an abbreviated array cannot be read: {items}")
    array = np.array(items, dtype)
    if shape is not None:
        array = array.reshape(shape)
    array.flags.writeable = False
    return array


def _scalar(item: Any, dtype: DType) -> Any:
    return dtype.type(item)


_WORDS: Mapping[str, Callable[..., Any]] = {
    "array": _array,
    "complex": complex,
    "dim": read_dim,
    "DynamicInt": DynamicInt,
    "scalar": _scalar,
    "Slice": Slice,
    "spec": read_spec,
}
