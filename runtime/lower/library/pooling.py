"""Windows over images as views; and images to which windows are added."""

from __future__ import annotations

from autograph.runtime.core.dims import DimLike
from autograph.runtime.core.dtypes import int64
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.library.convolution import counts_known, operand, view_of, zeros_for
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes import analysis
from autograph.runtime.lower.sizes.analysis import Analysis, Known
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import in_memory
from autograph.runtime.lower.storage.forms import Array, Splat
from autograph.runtime.ops.shaping.windows import does_not_fit


# sizes --------------------------------------------------------------------------------------------
def _window_sizes(self: Analysis, node: Node) -> list[Known]:
    x = self.of(node.inputs[0])
    window, strides = node.attributes["window"], node.attributes["strides"]
    counts: list[DimLike] = [
        counts_known(self, node, axis, x[1 + axis], window[axis], (strides[axis], 1, "VALID"), 6)
        for axis in (0, 1)
    ]
    sides = [self.from_spec(node, 0, axis) for axis in (3, 4)]
    return [(x[0], *counts, *sides, x[3])]


def _image_sizes(self: Analysis, node: Node) -> list[Known]:
    g, like = (self.of(value) for value in node.inputs)
    self.require(node, g[0], like[0])
    self.require(node, g[5], like[3])
    return [tuple(map(self.table.resolve, like))]


analysis.RULES.update(
    image_windows=_window_sizes, checked_image_windows=_window_sizes, image_of_windows=_image_sizes
)


# rules --------------------------------------------------------------------------------------------
def _image_windows(region: Region, node: Node) -> None:
    builder = region.builder
    source = region.tensor(node.inputs[0])
    window, strides = node.attributes["window"], node.attributes["strides"]
    names = region.analysis.made.get(node, {}).get(0)
    for axis in (0, 1):
        size, side = text_of(source.sizes[1 + axis]), window[axis]
        site = RaiseSite(lambda words: ValueError(does_not_fit(words[1], words[2])), node.location)
        builder.fail_if(f"{size} < {side}", site, [(str(side), int64), (size, int64)])
        if names and names[1 + axis]:
            builder.assign(str(names[1 + axis]), f"({size} - {side}) // {strides[axis]} + 1")
    sizes = region.sizes(node.outputs[0])
    if isinstance(source, Splat):
        region.bind(node.outputs[0], Splat(source.text, source.dtype, sizes, source.constant))
        return
    array = in_memory(builder, source)
    image, row, column, channel = array.strides
    steps = (image, row * strides[0], column * strides[1], row, column, channel)
    region.bind(node.outputs[0], Array(array.root, array.dtype, sizes, steps, array.offset))


def _image_of_windows(region: Region, node: Node) -> None:
    builder = region.builder
    dtype = region.tensor(node.inputs[0]).dtype
    windows = operand(region, node.inputs[0], dtype)
    target = zeros_for(region, node, dtype)
    images, sides = region.sizes(node.outputs[0]), windows.sizes
    numbers = [
        *map(text_of, (*images[1:], *sides[3:5], *sides[1:3])),
        *map(str, (*node.attributes["strides"], 1, 1, 0, 0)),
    ]
    count = builder.let("n_places", " * ".join(f"({text_of(one)})" for one in sides[:3]))
    rows, out = view_of(region, windows), view_of(region, target)
    builder.execute(f"scatter_patches({out}, {rows}, 0, {count}, {', '.join(numbers)})")
    region.bind(node.outputs[0], target)


RULES.update(
    image_windows=_image_windows,
    checked_image_windows=_image_windows,
    image_of_windows=_image_of_windows,
)
