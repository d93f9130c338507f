"""Convolutions: blocks of patches, small enough for the caches, multiplied by BLAS."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from autograph.kernels.library.convolution import STRETCH
from autograph.kernels.program import For, Statement
from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.dtypes import DType, int64
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes import analysis
from autograph.runtime.lower.sizes.analysis import Analysis, Known
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import address, contiguous, copy_into
from autograph.runtime.lower.storage.forms import Array, Sizes, Splat
from autograph.runtime.ops.shaping.windows import Pair, along, does_not_fit, places

BLOCK = 1 << 15
"""About how many elements a block of patches has: a quarter of a megabyte of float64."""


# sizes --------------------------------------------------------------------------------------------
def counts_known(
    self: Analysis,
    node: Node,
    axis: int,
    size: DimLike,
    window: DimLike,
    setting: tuple[int, int, str | Pair],
    rank: int = 4,
) -> DimLike:
    """How many windows there are along height (0) or width (1); 0 where they do not fit.

    `setting`: the step of the windows, how far apart their elements are, and the padding.
    """
    step, spread, padding = setting
    if padding == "SAME" and step == 1:
        return size
    if self.table.is_early(size) and self.table.is_early(window):
        rule = functools.partial(_count, step=step, spread=spread, padding=padding)
        return self.table.derived(rule, size, window)
    return self.unknown(node, 0, 1 + axis, rank)


def _count(size: int, window: int, step: int, spread: int, padding: str | Pair) -> int:
    try:
        return places(size, window, step, spread, padding)[0]
    except ValueError:
        return 0  # the node's own code raises


def _setting(node: Node, axis: int) -> tuple[int, int, str | Pair]:
    given = node.attributes
    return given["strides"][axis], given["dilations"][axis], along(given["padding"], axis)


def _conv2d_sizes(self: Analysis, node: Node) -> list[Known]:
    x, kernel = self.of(node.inputs[0]), self.of(node.inputs[1])
    self.require(node, x[3], kernel[2])
    counts = [
        counts_known(self, node, axis, x[1 + axis], kernel[axis], _setting(node, axis))
        for axis in (0, 1)
    ]
    return [(x[0], *counts, kernel[3])]


def _input_sizes(self: Analysis, node: Node) -> list[Known]:
    y, kernel, like = (self.of(value) for value in node.inputs)
    self.require(node, y[0], like[0])
    self.require(node, y[3], kernel[3])
    self.require(node, like[3], kernel[2])
    return [tuple(map(self.table.resolve, like))]


def _kernel_sizes(self: Analysis, node: Node) -> list[Known]:
    x, y, like = (self.of(value) for value in node.inputs)
    self.require(node, x[0], y[0])
    self.require(node, x[3], like[2])
    self.require(node, y[3], like[3])
    return [tuple(map(self.table.resolve, like))]


analysis.RULES.update(conv2d=_conv2d_sizes, conv2d_input=_input_sizes, conv2d_kernel=_kernel_sizes)


# blocks of patches --------------------------------------------------------------------------------
@dataclass(slots=True)
class Patches:
    """The windows over images, as texts."""

    count: str
    """How many there are in the whole batch."""
    width: str
    """The elements of one."""
    numbers: str
    """The numbers that the kernels take after `start` and `count`."""


def patches_of(
    region: Region, node: Node, images: Sizes, window: Sizes, counts: Sizes, steps: Pair
) -> Patches:
    """The windows over images; leaves with an error where one does not fit."""
    builder = region.builder
    before: list[str] = []
    for axis in (0, 1):
        size, room, count = (text_of(one) for one in (images[1 + axis], window[axis], counts[axis]))
        spread, step = node.attributes["dilations"][axis], steps[axis]
        padding = along(node.attributes["padding"], axis)
        covered = builder.let("n_covered", f"({room} - 1) * {spread} + 1")
        if padding == "SAME":
            lacking = f"({count} - 1) * {step} + {covered} - ({size})"
            before.append(builder.let("n_before", f"max({lacking}, 0) // 2"))
            continue
        low, high = (0, 0) if isinstance(padding, str) else padding
        whole = builder.let("n_room", f"{size} + {low + high}")
        site = RaiseSite(
            lambda words: ValueError(does_not_fit(words[1], words[2])),
            node.location,
        )
        builder.fail_if(f"{whole} < {covered}", site, [(covered, int64), (whole, int64)])
        before.append(str(low))
    numbers = [
        *map(text_of, (*images[1:], *window, *counts)),
        *map(str, steps),
        *map(str, node.attributes["dilations"]),
        *before,
    ]
    total = builder.let("n_places", text_of(product((images[0], *counts))))
    width = builder.let("n_patch", text_of(product((*window, images[3]))))
    return Patches(total, width, ", ".join(numbers))


def block_size(region: Region, patches: Patches) -> str:
    """How many patches a block has."""
    step = region.table.local()
    most = f"max(1, {BLOCK} // max({patches.width}, 1))"
    return region.builder.assign(step, f"min({patches.count}, {most})")


def block_loop(region: Region, patches: Patches, step: str) -> tuple[For, str, str]:
    """The loop over blocks; in its body, where a block starts and how many patches it has."""
    builder = region.builder
    place = builder.name("i")
    loop = For(place, f"({patches.count} + {step} - 1) // max({step}, 1)")
    with builder.into(loop.body):
        start = builder.let("n_start", f"{place} * {step}")
        count = builder.let("n_count", f"min({step}, {patches.count} - {start})")
    builder.emit(loop)
    return loop, start, count


def in_blocks(
    region: Region, patches: Patches, dtype: DType
) -> tuple[Array, str, str, list[Statement]]:
    """Room for a block of patches; and where it starts and how many it has, in a loop's body."""
    step = block_size(region, patches)
    room = region.table.local()
    region.builder.assign(room, f"{step} * {patches.width}")
    block = region.builder.array(dtype, (Dim.symbol(room),))
    loop, start, count = block_loop(region, patches, step)
    return block, start, count, loop.body


def _give_back(region: Region, block: Array) -> None:
    """The next convolution takes the same room."""
    region.builder.hold(block.root)
    region.builder.drop(block.root)


def view_of(region: Region, array: Array, after: str = "") -> str:
    """A flat buffer that starts `after` elements behind the first one of an array."""
    text = address(array) + (f" + {array.dtype.itemsize} * {after}" if after else "")
    return region.builder.let("x", f"{array.dtype.name}_at({text})")


def operand(region: Region, value: Value, dtype: DType) -> Array:
    """A tensor, contiguous, in a dtype."""
    storage = region.tensor(value)
    if storage.dtype == dtype:
        return contiguous(region.builder, storage)
    array = region.builder.array(dtype, storage.sizes)
    copy_into(region.builder, array, storage)
    return array


def zeros_for(region: Region, node: Node, dtype: DType) -> Array:
    """Memory for the result of a node, full of zeros."""
    sizes = region.sizes(node.outputs[0])
    target = region.new_array(node.outputs[0], dtype, sizes)
    copy_into(region.builder, target, Splat(region.builder.literal(0.0, dtype), dtype, sizes, 0.0))
    return target


def _dtype(node: Node) -> DType:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    return spec.dtype


def assign_counts(region: Region, node: Node, images: Sizes, window: Sizes, steps: Pair) -> None:
    """Assign the numbers of windows that only the run can tell."""
    names = region.analysis.made.get(node, {}).get(0)
    for axis in (0, 1):
        name = names[1 + axis] if names else None
        if name is None:
            continue
        spread, step = node.attributes["dilations"][axis], steps[axis]
        padding = along(node.attributes["padding"], axis)
        size, extent = text_of(images[1 + axis]), text_of(window[axis])
        if padding == "SAME":
            region.builder.assign(name, f"({size} + {step - 1}) // {step}")
        else:
            low, high = (0, 0) if isinstance(padding, str) else padding
            room = f"{size} + {low + high} - ({extent} - 1) * {spread} - 1"
            region.builder.assign(name, f"max(({room}) // {step} + 1, 0)")


def _conv2d(region: Region, node: Node) -> None:
    """Each block of patches is a turn of a parallel loop, in memory of its own."""
    builder, dtype = region.builder, _dtype(node)
    x, kernel = (operand(region, value, dtype) for value in node.inputs)
    steps = node.attributes["strides"]
    assign_counts(region, node, x.sizes, kernel.sizes[:2], steps)
    sizes = region.sizes(node.outputs[0])
    patches = patches_of(region, node, x.sizes, kernel.sizes[:2], sizes[1:3], steps)
    target = region.new_array(node.outputs[0], dtype, sizes)
    outputs = text_of(sizes[3])
    if _of_one_channel(node):
        _filter(region, patches, target, x, kernel)
        region.bind(node.outputs[0], target)
        return
    step = block_size(region, patches)
    loop, start, count = block_loop(region, patches, step)
    loop.work = f"{step} * {patches.width} * (8 + ({outputs}) * 2 // 5)"
    with builder.into(loop.body):
        room = builder.let("b", f"take_scratch({dtype.itemsize} * {step} * {patches.width})")
        rows = builder.let("x", f"{dtype.name}_at({room})")
        images = view_of(region, x)
        builder.execute(f"gather_patches({rows}, {images}, {start}, {count}, {patches.numbers})")
        out = view_of(region, target, f"({start} * ({outputs}))")
        shape = f"{count}, {outputs}, {patches.width}"
        builder.execute(
            f"multiply_matrices({out}, {rows}, {view_of(region, kernel)}, {shape}, 0, 0, 0)"
        )
        builder.execute(f"give_scratch({room})")
    region.bind(node.outputs[0], target)


def _of_one_channel(node: Node) -> bool:
    """Whether images and results are known to have one channel."""
    specs = node.inputs[0].spec, node.outputs[0].spec
    return all(isinstance(one, Spec) and one.shape[3] == 1 for one in specs)


def _filter(region: Region, patches: Patches, target: Array, x: Array, kernel: Array) -> None:
    """A convolution of one channel to one: sums along lines, without patches."""
    builder = region.builder
    step = builder.assign(region.table.local(), f"min({patches.count}, {4 * STRETCH})")
    loop, start, count = block_loop(region, patches, step)
    loop.work = f"{step} * {patches.width} // 2"
    with builder.into(loop.body):
        views = ", ".join(view_of(region, one) for one in (target, x, kernel))
        builder.execute(f"filter_lines({views}, {start}, {count}, {patches.numbers})")


def _conv2d_input(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    y, kernel = (operand(region, value, dtype) for value in node.inputs[:2])
    images = region.sizes(node.outputs[0])
    patches = patches_of(
        region, node, images, kernel.sizes[:2], y.sizes[1:3], node.attributes["strides"]
    )
    target = zeros_for(region, node, dtype)
    outputs = text_of(kernel.sizes[3])
    block, start, count, body = in_blocks(region, patches, dtype)
    with builder.into(body):
        rows = view_of(region, block)
        given = view_of(region, y, f"({start} * ({outputs}))")
        shape = f"{count}, {patches.width}, {outputs}"
        builder.execute(
            f"multiply_matrices({rows}, {given}, {view_of(region, kernel)}, {shape}, 0, 1, 0)"
        )
        out = view_of(region, target)
        builder.execute(f"scatter_patches({out}, {rows}, {start}, {count}, {patches.numbers})")
    _give_back(region, block)
    region.bind(node.outputs[0], target)


def _conv2d_kernel(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    x, y = (operand(region, value, dtype) for value in node.inputs[:2])
    kernel = region.sizes(node.outputs[0])
    patches = patches_of(
        region, node, x.sizes, kernel[:2], y.sizes[1:3], node.attributes["strides"]
    )
    target = zeros_for(region, node, dtype)
    outputs = text_of(kernel[3])
    block, start, count, body = in_blocks(region, patches, dtype)
    with builder.into(body):
        rows = view_of(region, block)
        images = view_of(region, x)
        builder.execute(f"gather_patches({rows}, {images}, {start}, {count}, {patches.numbers})")
        given = view_of(region, y, f"({start} * ({outputs}))")
        shape = f"{patches.width}, {outputs}, {count}"
        builder.execute(
            f"multiply_matrices({view_of(region, target)}, {rows}, {given}, {shape}, 1, 0, 1)"
        )
    _give_back(region, block)
    region.bind(node.outputs[0], target)


RULES.update(
    conv2d=_conv2d, checked_conv2d=_conv2d, conv2d_input=_conv2d_input, conv2d_kernel=_conv2d_kernel
)
