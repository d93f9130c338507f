"""conv2d, and what its gradients are made of: three products that are each other's gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.runtime.core.door import apply
from autograph.runtime.core.record import Effect, Library, Op, Sample
from autograph.runtime.core.spec import ShapeError, Spec, promoted
from autograph.runtime.ops.building import all_typed
from autograph.runtime.ops.inference import same_size
from autograph.runtime.ops.quiet import quiet
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.shaping.windows import (
    Grid,
    Padding,
    Pair,
    along,
    count_of,
    fits,
    one_size,
    padding_of,
    padding_of_one,
    pair,
)

BLOCK = 1 << 22
"""How many elements of patches the references make at once."""


def _checked(x: Spec, kernel: Spec) -> None:
    for spec, name, axes in (
        (x, "images", "[batch, height, width, channels]"),
        (kernel, "a kernel", "[rows, columns, channels, outputs]"),
    ):
        if spec.ndim != 4:
            raise ValueError(f"conv2d takes {name} of the axes {axes}, not {spec}")
        if spec.dtype.kind != "f":
            raise TypeError(f"conv2d takes floats, not {spec.dtype}; use ag.astype")
    if not same_size(x.shape[3], kernel.shape[2]):
        raise ShapeError(
            f"conv2d: the images have {x.shape[3]} channels, the kernel {kernel.shape[2]}"
        )


def _infer(x: Spec, kernel: Spec, *, strides: Pair, padding: Padding, dilations: Pair) -> Spec:
    _checked(x, kernel)
    counts = (
        count_of(
            x.shape[1 + axis],
            kernel.shape[axis],
            strides[axis],
            dilations[axis],
            along(padding, axis),
        )
        for axis in (0, 1)
    )
    return Spec(promoted([x, kernel]), (x.shape[0], *counts, kernel.shape[3]))


def _infer_input(
    y: Spec, kernel: Spec, like: Spec, *, strides: Pair, padding: Padding, dilations: Pair
) -> Spec:
    _fit(_infer(like, kernel, strides=strides, padding=padding, dilations=dilations), y)
    return Spec(promoted([y, kernel]), like.shape)


def _infer_kernel(
    x: Spec, y: Spec, like: Spec, *, strides: Pair, padding: Padding, dilations: Pair
) -> Spec:
    _fit(_infer(x, like, strides=strides, padding=padding, dilations=dilations), y)
    return Spec(promoted([x, y]), like.shape)


def _fit(wanted: Spec, y: Spec) -> None:
    if y.ndim != 4 or not all(map(same_size, wanted.shape, y.shape)):
        raise ShapeError(f"conv2d: a result of shape {y.shape} where {wanted.shape} was made")


# references ---------------------------------------------------------------------------------------
def _grid(x: Any, kernel: Any, strides: Pair, padding: Padding, dilations: Pair) -> Grid:
    _checked(Spec(x.dtype, x.shape), Spec(kernel.dtype, kernel.shape))
    return Grid.over(x.shape, kernel.shape[:2], strides, dilations, padding)


def _blocks(grid: Grid, channels: int) -> Iterator[tuple[slice, Grid]]:
    """The images in groups that are not too large, and the windows over each."""
    batch = grid.shape[0]
    each = grid.counts[0] * grid.counts[1] * grid.window[0] * grid.window[1] * channels
    step = max(1, BLOCK // max(each, 1))
    for start in range(0, batch, step):
        shape = (min(step, batch - start), *grid.shape[1:])
        part = Grid(shape, grid.window, grid.steps, grid.spreads, grid.counts, grid.before)
        yield slice(start, start + shape[0]), part


@quiet
def _conv2d(x: Any, kernel: Any, *, strides: Pair, padding: Padding, dilations: Pair) -> Any:
    grid = _grid(x, kernel, strides, padding, dilations)
    dtype = np.result_type(x, kernel)
    rows, columns, channels, outputs = kernel.shape
    matrix = np.asarray(kernel, dtype).reshape(rows * columns * channels, outputs)
    result = np.empty((x.shape[0], *grid.counts, outputs), dtype)
    for images, part in _blocks(grid, channels):
        patches = part.gathered(np.asarray(x[images], dtype))
        product = patches.reshape(-1, matrix.shape[0]) @ matrix if matrix.size else 0
        result[images] = np.reshape(product, result[images].shape) if matrix.size else 0
    return result


@quiet
def _conv2d_input(
    y: Any, kernel: Any, like: Any, *, strides: Pair, padding: Padding, dilations: Pair
) -> Any:
    grid = _grid(like, kernel, strides, padding, dilations)
    dtype = np.result_type(y, kernel)
    rows, columns, channels, outputs = kernel.shape
    matrix = np.asarray(kernel, dtype).reshape(rows * columns * channels, outputs)
    result = np.zeros(like.shape, dtype)
    for images, part in _blocks(grid, channels):
        patches = np.asarray(y[images], dtype).reshape(-1, outputs) @ matrix.T
        shape = (part.shape[0], *grid.counts, rows, columns, channels)
        result[images] = part.scattered(patches.reshape(shape))
    return result


@quiet
def _conv2d_kernel(
    x: Any, y: Any, like: Any, *, strides: Pair, padding: Padding, dilations: Pair
) -> Any:
    grid = _grid(x, like, strides, padding, dilations)
    dtype = np.result_type(x, y)
    rows, columns, channels, outputs = like.shape
    inner = rows * columns * channels
    result = np.zeros((inner, outputs), dtype)
    for images, part in _blocks(grid, channels):
        patches = part.gathered(np.asarray(x[images], dtype))
        size = part.shape[0] * grid.counts[0] * grid.counts[1]
        columns_of = np.asarray(y[images], dtype).reshape(size, outputs)
        result += patches.reshape(size, inner).T @ columns_of
    return result.reshape(like.shape)


# records ------------------------------------------------------------------------------------------
IMAGES = np.linspace(-1.0, 1.0, 2 * 4 * 5 * 2).reshape(2, 4, 5, 2) ** 3
KERNEL = np.linspace(0.8, -1.0, 3 * 2 * 2 * 3).reshape(3, 2, 2, 3) ** 2
PLAIN: dict[str, Any] = {"strides": (1, 1), "padding": "VALID", "dilations": (1, 1)}
SETTINGS: tuple[dict[str, Any], ...] = (
    PLAIN,
    {**PLAIN, "padding": "SAME"},
    {**PLAIN, "padding": "SAME", "strides": (2, 3)},
    {**PLAIN, "padding": ((2, 0), (1, 3)), "dilations": (1, 2)},
    {"strides": (2, 1), "padding": "SAME", "dilations": (2, 1)},
)


def _results(settings: dict[str, Any]) -> Any:
    made = _conv2d(IMAGES, KERNEL, **settings)
    return np.cos(np.arange(made.size)).reshape(made.shape)


def _public_conv2d(
    o: Any, x: Any, kernel: Any, /, strides: Any = 1, padding: Any = "VALID", dilations: Any = 1
) -> Any:
    """Sums of products of a kernel with each window of images (cross-correlation).

    Images are [batch, height, width, channels], a kernel is [rows, columns, channels, outputs];
    padding is "VALID", "SAME", an int, one for height and one for width, or a pair for each:
    so many zeros (before, behind).
    """
    x, kernel = o.operands((x, kernel))
    given = {
        "strides": pair(strides, "strides"),
        "padding": padding_of(padding),
        "dilations": pair(dilations, "dilations"),
    }
    sure = given["padding"] == "SAME" or fits(shape_of(x)[1:3], shape_of(kernel)[:2])
    return apply(CONV2D if sure else CHECKED_CONV2D, (x, kernel), given)


def _conv2d_op(name: str, summary: str, effect: Effect) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=_infer,
        reference=_conv2d,
        gradient=all_typed(
            (
                lambda o, g, out, x, k, **a: o.apply("conv2d_input", (g, k, x), a),
                lambda o, g, out, x, k, **a: o.apply("conv2d_kernel", (x, g, k), a),
            )
        ),
        lowering=Library("conv2d"),
        effect=effect,
        samples=(
            *(Sample((IMAGES, KERNEL), one) for one in SETTINGS),
            Sample((np.zeros((0, 3, 3, 1)), np.ones((2, 2, 1, 2))), PLAIN),
            Sample((IMAGES.astype(np.float32), KERNEL), PLAIN, gradient=False),
        ),
        public=_public_conv2d,
    )


CONV2D = _conv2d_op(
    "conv2d",
    "Sums of products of a kernel with each window of images (cross-correlation).",
    Effect.PURE,
)
CHECKED_CONV2D = _conv2d_op(
    "checked_conv2d",
    "conv2d of sizes known only at run time: ValueError where a window does not fit.",
    Effect.MAY_RAISE,
)

RECORDS = (
    CONV2D,
    CHECKED_CONV2D,
    Op(
        name="conv2d_input",
        summary="The gradient of conv2d by its images: each result laid back over its window.",
        infer=_infer_input,
        reference=_conv2d_input,
        gradient=all_typed(
            (
                lambda o, g, out, y, k, like, **a: o.apply("conv2d", (g, k), a),
                lambda o, g, out, y, k, like, **a: o.apply("conv2d_kernel", (g, y, k), a),
                None,
            )
        ),
        lowering=Library("conv2d_input"),
        samples=tuple(Sample((_results(one), KERNEL, IMAGES), one) for one in SETTINGS),
    ),
    Op(
        name="conv2d_kernel",
        summary="The gradient of conv2d by its kernel: sums over all windows.",
        infer=_infer_kernel,
        reference=_conv2d_kernel,
        gradient=all_typed(
            (
                lambda o, g, out, x, y, like, **a: o.apply("conv2d_input", (y, g, x), a),
                lambda o, g, out, x, y, like, **a: o.apply("conv2d", (x, g), a),
                None,
            )
        ),
        lowering=Library("conv2d_kernel"),
        samples=tuple(Sample((IMAGES, _results(one), KERNEL), one) for one in SETTINGS),
    ),
)


def conv1d(
    o: Any,
    x: Any,
    kernel: Any,
    /,
    stride: int = 1,
    padding: Any = "VALID",
    dilation: int = 1,
) -> Any:
    """conv2d of sequences [batch, size, channels] by a kernel [places, channels, outputs].

    padding is "VALID", "SAME", or so many zeros: an int, or (before, behind).
    """
    x, kernel = o.operands((x, kernel))
    made = o.conv2d(
        o.expand_dims(x, 1),
        o.expand_dims(kernel, 0),
        strides=(1, one_size(stride, "stride")),
        padding=padding_of_one(padding),
        dilations=(1, one_size(dilation, "dilation")),
    )
    return o.squeeze(made, 1)


def conv2d_transpose(
    o: Any, x: Any, kernel: Any, /, strides: Any = 1, padding: Any = "VALID"
) -> Any:
    """conv2d turned round: each element of x lays the kernel, times itself, over its window.

    The kernel is [rows, columns, outputs, channels]. With "SAME" the result is as many times larger
    as the strides say, with "VALID" large enough for all windows.
    """
    x, kernel = o.operands((x, kernel))
    given, strides, padding = padding, pair(strides, "strides"), padding_of(padding)
    if not isinstance(padding, str):
        raise ValueError(
            f"padding of conv2d_transpose is 'SAME' or 'VALID', not {given!r}: write 'VALID', and "
            "cut off what is not wanted, y[:, 1:-1, 1:-1]"
        )
    if x.ndim != 4 or kernel.ndim != 4:
        raise ValueError(f"conv2d_transpose takes 4 axes of both, not {x.ndim} and {kernel.ndim}")
    sizes = []
    for axis in (0, 1):
        size = o.dimension(x, 1 + axis) * strides[axis]
        if padding == "VALID":
            size = size + o.py_max2(o.dimension(kernel, axis) - strides[axis], 0)
        sizes.append(size)
    shape = (o.dimension(x, 0), *sizes, o.dimension(kernel, 2))
    like = o.zeros(shape, dtype=x.dtype)
    attributes = {"strides": strides, "padding": padding, "dilations": (1, 1)}
    return o.apply("conv2d_input", (x, kernel, like), attributes)


FUNCTIONS = (conv1d, conv2d_transpose)
