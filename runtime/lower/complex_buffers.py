"""Complex tensors where a program begins and ends: their parts, side by side in one buffer.

A complex tensor has the sizes of its spec; its memory has one axis more, of the two parts.
"""

from __future__ import annotations

from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.complex_pairs.borders import JOIN, SPLIT
from autograph.runtime.lower.movement.views_and_copies import bind_array, row
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.analysis import RULES as SIZES_OF
from autograph.runtime.lower.sizes.analysis import Analysis, Known
from autograph.runtime.lower.storage.copying import copy_into, fresh_copy
from autograph.runtime.lower.storage.destinations import joined
from autograph.runtime.lower.storage.forms import Array

PRODUCTS = ("matmul", "matmul_add")
"""Ops whose kernels take no strided operands."""


def _sizes(self: Analysis, node: Node) -> list[Known]:
    if node.op is JOIN:
        for one, other in zip(*map(self.of, node.inputs), strict=True):
            self.require(node, one, other)
    return [self.of(node.inputs[0])] * len(node.outputs)


def _split(region: Region, node: Node) -> None:
    array = region.tensor(node.inputs[0])
    assert isinstance(array, Array)
    for place, value in enumerate(node.outputs):
        part = row(array, len(array.sizes) - 1, place)
        if part.sizes and any(user.op.name in PRODUCTS for user in region.users.get(value, ())):
            part = fresh_copy(region.builder, part)  # once, and not for each of the products
        bind_array(region, node, part, place)


def _join(region: Region, node: Node) -> None:
    target = joined(region, node)
    for place, value in enumerate(node.inputs):
        source = region.tensor(value)
        if not (isinstance(source, Array) and source.root is target.root):
            copy_into(region.builder, row(target, len(target.sizes) - 1, place), source)
    region.bind(node.outputs[0], target)


SIZES_OF.update({SPLIT.name: _sizes, JOIN.name: _sizes})
RULES.update({SPLIT.name: _split, JOIN.name: _join})
