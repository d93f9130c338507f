"""Draws from random generators of NumPy's and of Python's, one element after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.kernels.library.draws import DRAWS
from autograph.kernels.library.older_draws import finder_for
from autograph.kernels.library.python_generators import DRAWS as PYTHON_DRAWS
from autograph.kernels.program import Assign, For
from autograph.runtime.control.draws import NativeDraw, native_draw
from autograph.runtime.core.dims import product
from autograph.runtime.core.dtypes import DType, as_dtype
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite, cast
from autograph.runtime.lower.control.numbers import from_words
from autograph.runtime.lower.movement.views_and_copies import made_size
from autograph.runtime.lower.region import RULES, SIZE_RULES, Region
from autograph.runtime.lower.sizes import analysis
from autograph.runtime.lower.sizes.analysis import Analysis, Known, NotNativeError
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.forms import Scalar

NO_FORM = "host_call has no native form"


# sizes --------------------------------------------------------------------------------------------
def _draw_sizes(self: Analysis, node: Node) -> list[Known]:
    draw = native_draw(node)
    if draw is None:
        raise NotNativeError(NO_FORM)
    return [tuple(self.wanted(node, 0, axis, one) for axis, one in enumerate(draw.sizes))]


analysis.RULES["host_call"] = _draw_sizes


# rules --------------------------------------------------------------------------------------------
def _assign_sizes(region: Region, node: Node) -> None:
    """Assign the sizes that staged integers ask for, after the tests of what the draw takes."""
    draw = native_draw(node)
    assert draw is not None
    _fail_if(region, node, draw.fails.format(*_values(region, node, draw)))
    for axis, one in enumerate(draw.sizes):
        if isinstance(one, DynamicInt):
            text = region.scalar(node.inputs[one.operand]).text
            _fail_if(region, node, f"{text} < 0")
            made_size(region, node, axis, text)


def _fail_if(region: Region, node: Node, condition: str) -> None:
    if condition:
        operands = [region.scalar(value) for value in node.inputs]
        words = [(one.text, one.dtype) for one in operands]
        region.builder.fail_if(condition, _site(node, [one.dtype for one in operands]), words)


def _site(node: Node, dtypes: Sequence[DType]) -> RaiseSite:
    """The site whose exception the call itself raises: it does so before it draws."""
    python = [isinstance(one.spec, Spec) and one.spec.python for one in node.inputs]

    def make(words: Any) -> BaseException:
        try:
            node.attributes["function"].asked(*from_words(words, dtypes, python))
        except Exception as error:
            return error.with_traceback(None)
        return RuntimeError("a draw from a random generator failed in compiled code alone")

    return RaiseSite(make, node.location)


def _values(region: Region, node: Node, draw: NativeDraw) -> list[str]:
    """What the expressions are about, as local variables of the right dtypes."""
    texts = []
    for value, dtype in draw.values:
        if isinstance(value, DynamicInt):
            scalar = region.scalar(node.inputs[value.operand])
            texts.append(cast(scalar.text, scalar.dtype, dtype))
        else:
            texts.append(region.builder.literal(value, dtype))
    return texts


def _draw(region: Region, node: Node) -> None:
    draw, builder = native_draw(node), region.builder
    assert draw is not None
    spec, sizes = node.outputs[0].spec, region.sizes(node.outputs[0])
    assert isinstance(spec, Spec)
    values = [builder.let("s", one) for one in _values(region, node, draw)]
    arguments = [one.format(*values) for one in draw.arguments]
    if sizes:
        arguments = [builder.let("s", one) for one in arguments]
    finder, result = _finder_and_result(draw.function)
    generator = builder.generator(draw.owner, finder)
    call = f"{draw.function}({', '.join([generator, *arguments])})"
    drawn = cast(call, as_dtype(result), spec.dtype)
    drawn = draw.result.format(*values, drawn=drawn)
    if not sizes:
        region.bind(node.outputs[0], Scalar(builder.let("s", drawn), spec.dtype))
        return
    array = region.new_array(node.outputs[0], spec.dtype, sizes)
    buffer, index = builder.view(array), builder.name("i")
    loop = For(index, text_of(product(sizes)), [Assign(f"{buffer}[{index}]", drawn)])
    builder.emit(loop)
    region.bind(node.outputs[0], array)


def _finder_and_result(function: str) -> tuple[Any, str]:
    """What finds the first argument of a draw, and the dtype of what it gives."""
    of_python, of_numpy = PYTHON_DRAWS.get(function), DRAWS.get(function)
    if of_python is not None:
        return of_python.find, of_python.result
    return finder_for(function), of_numpy.result if of_numpy else "float64"


SIZE_RULES["host_call"] = _assign_sizes
RULES["host_call"] = _draw
