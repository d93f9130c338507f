"""Copies between storages, and storages brought into memory."""

from __future__ import annotations

from autograph.runtime.core.dims import DimLike, product
from autograph.runtime.lower.builder import Builder
from autograph.runtime.lower.loops.nest import Nest
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.forms import Array, Ramp, Scalar, Storage, Tensorial


def bytes_of(array: Array) -> DimLike:
    """The size of an array in bytes."""
    return product(array.sizes) * array.dtype.itemsize


def address(array: Array) -> str:
    """The pointer to the first element, as an expression."""
    if isinstance(array.offset, int) and array.offset == 0:
        return array.root.name
    return f"{array.root.name} + {array.dtype.itemsize} * {atom(array.offset)}"


def copy_into(builder: Builder, target: Array, source: Tensorial) -> None:
    """Write all elements of `source`, which broadcasts, into `target`, which is other memory."""
    if isinstance(source, Array) and source.dtype == target.dtype:
        sizes = tuple(map(builder.table.resolve, source.sizes))
        same = sizes == tuple(map(builder.table.resolve, target.sizes))
        if same and source.is_contiguous and target.is_contiguous:
            count = text_of(bytes_of(target))
            builder.execute(f"copy_bytes({address(target)}, {address(source)}, {count})")
            return
    arrays = [target, source] if isinstance(source, Array) else [target]
    ramps = [source] if isinstance(source, Ramp) else []
    nest = Nest(builder, target.sizes, arrays, ramps)
    text, dtype, _ = nest.load(source)
    nest.store(target, text, dtype)
    nest.finish(parallel=True, written=(target.root,))


def in_memory(builder: Builder, storage: Storage) -> Array:
    """The tensor as an array, in new memory where it is in none."""
    if isinstance(storage, Array):
        return storage
    assert isinstance(storage, Tensorial)
    return fresh_copy(builder, storage)


def fresh_copy(builder: Builder, storage: Tensorial) -> Array:
    """The tensor in new memory, contiguous."""
    array = builder.array(storage.dtype, storage.sizes)
    copy_into(builder, array, storage)
    return array


def contiguous(builder: Builder, storage: Storage) -> Array:
    """The tensor as a contiguous array, copied only where it is not."""
    array = in_memory(builder, storage)
    return array if array.is_contiguous else fresh_copy(builder, array)


def element(builder: Builder, array: Array) -> Scalar:
    """The only element of an array, in a local variable."""
    pointer = builder.view(array)
    text = builder.let("s", f"{pointer}[{text_of(array.offset)}]")
    return Scalar(text, array.dtype)
