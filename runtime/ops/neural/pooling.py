"""The largest element, or the mean, of each window over images."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.record import Effect, Library, Op, Sample
from autograph.runtime.core.spec import ShapeError, Spec
from autograph.runtime.ops.inference import same_size
from autograph.runtime.ops.neural.convolution import IMAGES
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.shaping.windows import Grid, Pair, count_of, fits, padding_of, pair

ONE = (1, 1)


# windows and back ---------------------------------------------------------------------------------
def _infer_windows(x: Spec, *, window: Pair, strides: Pair) -> Spec:
    if x.ndim != 4:
        raise ValueError(f"images have the axes [batch, height, width, channels], not {x}")
    counts = (count_of(x.shape[1 + i], window[i], strides[i], 1, "VALID") for i in (0, 1))
    return Spec(x.dtype, (x.shape[0], *counts, *window, x.shape[3]))


def _windows(x: Any, *, window: Pair, strides: Pair) -> Any:
    _infer_windows(Spec(x.dtype, x.shape), window=window, strides=strides)
    return Grid.over(x.shape, window, strides, ONE, "VALID").gathered(x)


def _infer_laid(g: Spec, like: Spec, *, window: Pair, strides: Pair) -> Spec:
    wanted = _infer_windows(like, window=window, strides=strides)
    if g.ndim != 6 or not all(map(same_size, wanted.shape, g.shape)):
        raise ShapeError(f"windows of shape {g.shape} where {wanted.shape} were made")
    return Spec(g.dtype, like.shape)


def _laid(g: Any, like: Any, *, window: Pair, strides: Pair) -> Any:
    return Grid.over(like.shape, window, strides, ONE, "VALID").scattered(g)


SETTINGS: tuple[dict[str, Any], ...] = (
    {"window": (2, 2), "strides": (2, 2)},
    {"window": (3, 2), "strides": (1, 2)},
    {"window": (1, 3), "strides": (2, 1)},
)


def _made(settings: dict[str, Any]) -> Any:
    windows = _windows(IMAGES, **settings)
    return np.cos(np.arange(windows.size)).reshape(windows.shape)


def _windows_op(name: str, summary: str, effect: Effect) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=_infer_windows,
        reference=_windows,
        gradient=(lambda o, g, out, x, **a: o.apply("image_of_windows", (g, x), a),),
        lowering=Library("image_windows"),
        effect=effect,
        samples=tuple(Sample((IMAGES,), one) for one in SETTINGS),
    )


RECORDS = (
    _windows_op(
        "image_windows",
        "Each window over images: [batch, places, places, rows, columns, channels].",
        Effect.PURE,
    ),
    _windows_op(
        "checked_image_windows",
        "image_windows of sizes known only at run time: ValueError where none fits.",
        Effect.MAY_RAISE,
    ),
    Op(
        name="image_of_windows",
        summary="The images to which each window is added where it was: the gradient of them.",
        infer=_infer_laid,
        reference=_laid,
        gradient=(lambda o, g, out, w, like, **a: o.apply("image_windows", (g,), a), None),
        lowering=Library("image_of_windows"),
        samples=tuple(Sample((_made(one), IMAGES), one) for one in SETTINGS),
    ),
)


# pooling ------------------------------------------------------------------------------------------
def max_pool2d(
    o: Any, x: Any, /, window: Any = 2, strides: Any = None, padding: Any = "VALID"
) -> Any:
    """The largest element of each window over images [batch, height, width, channels].

    `strides` are those of the window by default. Ties share the gradient.
    """
    x = o.asarray_or_same(x)
    limits = np.finfo(x.dtype) if x.dtype.kind == "f" else None
    lowest = -np.inf if limits else False if x.dtype.kind == "b" else np.iinfo(x.dtype).min
    windows = _padded_windows(o, x, window, strides, padding, np.array(lowest, x.dtype))
    return o.max(windows, axis=(3, 4))


def avg_pool2d(
    o: Any, x: Any, /, window: Any = 2, strides: Any = None, padding: Any = "VALID"
) -> Any:
    """The mean of each window over images [batch, height, width, channels], padding left out.

    `strides` are those of the window by default.
    """
    x = o.asarray_or_same(x)
    zero = np.zeros((), x.dtype)
    windows = _padded_windows(o, x, window, strides, padding, zero)
    if padding_of(padding) == "VALID":
        return o.mean(windows, axis=(3, 4))
    ones = o.ones_like(o.stop_gradient(x[:1, :, :, :1]))
    counted = _padded_windows(o, ones, window, strides, padding, zero)
    return o.sum(windows, axis=(3, 4)) / o.sum(counted, axis=(3, 4))


def _padded_windows(o: Any, x: Any, window: Any, strides: Any, padding: Any, fill: Any) -> Any:
    if x.ndim != 4:
        raise ValueError(
            f"images have the axes [batch, height, width, channels], not {x.ndim} axes"
        )
    window = pair(window, "window")
    strides = window if strides is None else pair(strides, "strides")
    padding = padding_of(padding)
    widths: list[tuple[Any, Any]] = [(0, 0), (0, 0), (0, 0), (0, 0)]
    for axis in (0, 1):
        if padding == "SAME":
            size = o.dimension(x, 1 + axis)
            count = (size + (strides[axis] - 1)) // strides[axis]
            lacking = o.py_max2((count - 1) * strides[axis] + window[axis] - size, 0)
            widths[1 + axis] = (lacking // 2, lacking - lacking // 2)
        elif padding != "VALID":
            widths[1 + axis] = padding[axis]
    x = o.pad(x, widths, constant_values=fill)
    sure = padding == "SAME" or fits(shape_of(x)[1:3], window)
    name = "image_windows" if sure else "checked_image_windows"
    return o.apply(name, (x,), {"window": window, "strides": strides})


def depthwise_conv2d(
    o: Any, x: Any, kernel: Any, /, strides: Any = 1, padding: Any = "VALID"
) -> Any:
    """Each channel of images by kernels of its own: [rows, columns, channels, kernels of each].

    The channels of the result are those of the first channel, then those of the second, ...
    """
    x, kernel = o.operands((x, kernel))
    if kernel.ndim != 4:
        raise ValueError(
            f"a kernel has the axes [rows, columns, channels, kernels], not {kernel.ndim}"
        )
    if x.ndim == 4 and not same_size(x.shape[3], kernel.shape[2]):
        raise ShapeError(f"images of {x.shape[3]} channels, a kernel of {kernel.shape[2]}")
    window = tuple(kernel.shape[:2])
    if not all(isinstance(one, int) for one in window):
        raise ShapeError(
            "depthwise_conv2d takes a kernel whose rows and columns are known while tracing: make "
            "it with sizes that are Python numbers"
        )
    windows = _padded_windows(o, x, window, strides, padding, np.zeros((), x.dtype))
    found = o.sum(o.expand_dims(windows, -1) * kernel, axis=(3, 4))
    sizes = [o.dimension(found, axis) for axis in range(3)]
    return o.reshape(found, (*sizes, o.dimension(kernel, 2) * o.dimension(kernel, 3)))


FUNCTIONS = (max_pool2d, avg_pool2d, depthwise_conv2d)
