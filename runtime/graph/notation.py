"""How specs and attributes are written in the text of a graph, and how specs are read from it."""

from __future__ import annotations

import ast
from types import EllipsisType, NoneType
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import NUMBER_SPECS, AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph

DTYPE_NAMES = {dtype: "bool_" if dtype.kind == "b" else dtype.name for dtype in dtypes.SHORT_NAMES}
SHOWN_ELEMENTS = 50
"""Arrays of more elements are abbreviated where the text is only looked at."""

_DTYPES = {name: dtype for dtype, name in dtypes.SHORT_NAMES.items()}
_NUMBERS = {str(spec): spec for spec in NUMBER_SPECS.values()}
_PLAIN = (NoneType, bool, int, float, str, bytes, EllipsisType)


class GraphTextError(ValueError):
    """Text that is not that of a graph, or that was abbreviated."""


# specs --------------------------------------------------------------------------------------------
def spec_text(spec: AnySpec) -> str:
    """`spec` as an expression: `pyint`, `f32` (0-d), `f32[3,2*n+1]`, `list[f32[n]]`."""
    if isinstance(spec, ListSpec):
        return f"list[{spec_text(spec.element)}]"
    return str(spec).removesuffix("[]")


def specs_text(specs: list[AnySpec]) -> str:
    """Several of them."""
    return ", ".join(map(spec_text, specs))


def read_specs(text: str) -> tuple[AnySpec, ...]:
    """The specs in `text`, written as `specs_text` does. GraphTextError where it is not that."""
    if not text.strip():
        return ()
    tree = _expression(text)
    parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]
    return tuple(_spec(part, text) for part in parts)


def read_spec(text: str) -> AnySpec:
    """The one spec in `text`. GraphTextError where it is something else."""
    return _spec(_expression(text), text)


def read_dim(text: str) -> DimLike:
    """The size in `text`: `2*n+1`. GraphTextError where it is something else."""
    return _dim(_expression(text), text)


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise GraphTextError(f"{text!r} is no spec") from error


def _spec(tree: ast.expr, text: str) -> AnySpec:
    match tree:
        case ast.Name(name) if name in _NUMBERS:
            return _NUMBERS[name]
        case ast.Name(name) if name in _DTYPES:
            return Spec(_DTYPES[name])
        case ast.Subscript(value=ast.Name("list"), slice=inner):
            element = _spec(inner, text)
            if isinstance(element, Spec):
                return ListSpec(element)
        case ast.Subscript(value=ast.Name(name), slice=shape) if name in _DTYPES:
            sizes = shape.elts if isinstance(shape, ast.Tuple) else [shape]
            return Spec(_DTYPES[name], tuple(_dim(size, text) for size in sizes))
    raise GraphTextError(f"{text!r} is no spec")


def _dim(tree: ast.expr, text: str) -> DimLike:
    match tree:
        case ast.Constant(int(size)):
            return size
        case ast.Name(name):
            return Dim.symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -1 * _dim(operand, text)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _dim(left, text) + _dim(right, text)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _dim(left, text) - _dim(right, text)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _dim(left, text) * _dim(right, text)
    raise GraphTextError(f"{text!r} is no spec")


# attributes ---------------------------------------------------------------------------------------
class AttributeWriter:
    """Writes attributes as expressions; what has none goes into the table `objects`.

    So do long arrays, and NaNs, whose bits have no text, into `arrays` where there is one.
    """

    def __init__(
        self, names: dict[Graph, str], abbreviated: bool, arrays: list[Any] | None = None
    ) -> None:
        self.names = names
        self.abbreviated = abbreviated
        self.objects: list[Any] = []
        self.arrays = arrays

    def text(self, item: Any) -> str:
        """The expression whose value is `item`."""
        if type(item) in _PLAIN:
            return repr(item)
        if type(item) is complex:
            return f"complex({item.real!r}, {item.imag!r})"
        if type(item) is tuple:
            return f"({', '.join(map(self.text, item))}{',' if len(item) == 1 else ''})"
        if isinstance(item, Graph):
            return self.names[item]
        if isinstance(item, type) and item in NUMBER_SPECS:
            return item.__name__
        if isinstance(item, np.dtype) and item in DTYPE_NAMES:
            return DTYPE_NAMES[item]
        if isinstance(item, np.ndarray | np.generic) and item.dtype in DTYPE_NAMES:
            return self._array(item)
        if isinstance(item, Spec | ListSpec):
            return f'spec("{spec_text(item)}")'
        if isinstance(item, Dim):
            return f'dim("{item}")'
        if isinstance(item, DynamicInt):
            return f"DynamicInt({item.operand})"
        if hasattr(item, "map_integers"):
            return self._entry(item)
        return self._object(item)

    def _array(self, item: Any) -> str:
        dtype = DTYPE_NAMES[item.dtype]
        if self.arrays is not None and isinstance(item, np.ndarray):
            if item.size > SHOWN_ELEMENTS or np.isnan(item).any():
                return _entered(item, self.arrays, "arrays")
        if isinstance(item, np.generic):
            return f"scalar({_elements(item.item())}, {dtype})"
        if self.abbreviated and item.size > SHOWN_ELEMENTS:
            first = " ".join(repr(one.item()) for one in item.flat[:3])
            shape = "x".join(map(str, item.shape))
            return f'array("{shape} numbers: {first} ... {item.flat[-1].item()!r}", {dtype})'
        shape = f", {item.shape}" if not item.size else ""
        return f"array({_elements(item.tolist())}, {dtype}{shape})"

    def _entry(self, item: Any) -> str:
        parts: list[str] = []

        def note(part: Any) -> Any:
            parts.append(self.text(part))
            return part

        item.map_integers(note)
        return f"{type(item).__name__}({', '.join(parts)})"

    def _object(self, item: Any) -> str:
        return _entered(item, self.objects, "objects")


def _elements(item: Any) -> str:
    """Nested numbers; the parts of complex ones apart, since `-0.0+1j` has no -0.0 in it."""
    if isinstance(item, list):
        return f"[{', '.join(map(_elements, item))}]"
    return f"complex({item.real!r}, {item.imag!r})" if isinstance(item, complex) else repr(item)


def _entered(item: Any, table: list[Any], name: str) -> str:
    """The expression for an item of a table, which gets it if it does not have it."""
    for position, known in enumerate(table):
        if known is item:
            return f"{name}[{position}]"
    table.append(item)
    return f"{name}[{len(table) - 1}]"
