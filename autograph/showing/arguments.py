"""Sample arguments of a function, for looking at what it becomes: written as text, or annotated.

    f32[3,2], i64[], scale=2.0, [f32[n], f32[n]], Model()

A spec stands for a tensor; everything else is Python, in the names of the function's module. A size
that has a name may be any: the function is traced with two values of it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.notation import read_spec, spec_text
from autograph.runtime.ops.table import OPS
from autograph.tensor_spec import TensorSpec

_DTYPES = sorted(SHORT_NAMES.values())
_NO_AXES = re.compile(rf"\b({'|'.join(_DTYPES)})\[\s*\]")
_MAKER = "ag__sample"
FIRST, SECOND = (5, 7, 9, 11, 13, 15, 17, 19), (6, 8, 10, 12, 14, 16, 18, 20)


class SampleError(ValueError):
    """Text that is no list of arguments, or arguments that a function does not take."""


@dataclass(frozen=True)
class Sample:
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] | None = None

    @property
    def keywords(self) -> dict[str, Any]:
        """The arguments by name."""
        return dict(self.kwargs or {})


def read_samples(text: str, names: Mapping[str, Any]) -> list[Sample]:
    """The arguments that a text describes: one sample, or two where a size has a name.

    `names` are those of the function's module. Raises SampleError where the text is not that, or
    what an expression in it raises.
    """
    try:
        tree = ast.parse(f"{_MAKER}_call({_short(text)})", mode="eval")
    except SyntaxError as error:
        raise SampleError(f"{text!r} is no list of arguments: {error.msg}") from None
    specs = _Specs()
    tree = ast.fix_missing_locations(specs.visit(tree))
    code = compile(tree, "<arguments>", "eval")
    rounds = (FIRST, SECOND) if specs.symbols else (FIRST,)
    samples = []
    for sizes in rounds:
        chosen = dict(zip(specs.symbols, sizes))
        own = {_MAKER: lambda spec, chosen=chosen: _tensor(spec, chosen), f"{_MAKER}_call": _call}
        try:
            samples.append(eval(code, {**names, **own}))
        except NameError as error:
            raise SampleError(
                f"{error}; a tensor is written like f32[3,2], i64[] or bool[n]"
            ) from None
    return samples


def _short(text: str) -> str:
    """The text with `f32` for `f32[]`, which is no Python."""
    return _NO_AXES.sub(r"\1", text)


def _call(*args: Any, **kwargs: Any) -> Sample:
    return Sample(args, kwargs)


class _Specs(ast.NodeTransformer):
    """Puts calls that make tensors in the place of specs."""

    def __init__(self) -> None:
        self.symbols: dict[str, None] = {}

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in _DTYPES:
            return self._made(node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._made(node) if node.id in _DTYPES else node

    def _made(self, node: ast.expr) -> ast.AST:
        text = ast.unparse(node).replace("[(", "[").replace(")]", "]")
        try:
            spec = read_spec(text)
        except ValueError:
            raise SampleError(f"{text!r} is no tensor; write it like f32[3,2]") from None
        assert isinstance(spec, Spec)
        for dim in spec.shape:
            if isinstance(dim, Dim):
                self.symbols.update(dict.fromkeys(dim.symbols))
        return ast.Call(ast.Name(_MAKER, ast.Load()), [ast.Constant(text)], [])


def _tensor(text: str, sizes: Mapping[str, int]) -> Any:
    spec = read_spec(text)
    assert isinstance(spec, Spec)
    shape = [dim.substitute(sizes) if isinstance(dim, Dim) else dim for dim in spec.shape]
    return OPS.ones(tuple(shape), dtype=spec.dtype)


def annotated_samples(function: Callable[..., Any], names: Mapping[str, Any]) -> list[Sample]:
    """Arguments made of annotations that are specs: `x: ag.TensorSpec((3,))` or `x: "f32[3]"`.

    Parameters with a default keep it. No sample where a parameter has neither.
    """
    texts = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        spec = _annotated(parameter.annotation, names)
        if spec is not None:
            keyword = parameter.kind is not parameter.POSITIONAL_ONLY
            texts.append(f"{parameter.name}={spec}" if keyword else spec)
        elif parameter.default is parameter.empty:
            return []
    return read_samples(", ".join(texts), names)


def _annotated(annotation: Any, names: Mapping[str, Any]) -> str | None:
    """The text of the spec that an annotation is, if it is one."""
    for _ in range(2):  # an annotation that is a string may hold one
        if isinstance(annotation, TensorSpec):
            return spec_text(annotation.spec)
        if not isinstance(annotation, str):
            return None
        text = _short(annotation.strip())
        try:
            return text if isinstance(read_spec(text), Spec) else None
        except ValueError:
            pass
        try:
            annotation = eval(text, dict(names))
        except Exception:  # an annotation may be anything
            return None
    return None


def check_sample(function: Callable[..., Any], sample: Sample) -> None:
    """SampleError where a function does not take these arguments."""
    signature = inspect.signature(function)
    try:
        signature.bind(*sample.args, **sample.keywords)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        raise SampleError(f"{error}; its parameters are {name}{signature}") from None
