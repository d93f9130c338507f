"""The traces that are saved for sizes that are not known: 0 and 1 are sizes of their own.

A trace made by calls takes a size that changes to be neither 0 nor 1, which makes it fast. So
another one goes with it whose symbols stand for any size: broadcasting asks there when the graph
runs. Where there is none, as something asks for a size while it is traced, 0 and 1 have traces of
their own.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

from autograph.call.concrete import ConcreteFunction
from autograph.call.function import StagedFunction
from autograph.call.input_signature import leaves
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.tensor_spec import TensorSpec

_FEW = {1: (None, 1, 0), 2: (None, 1, 0), 3: (None, 1), 4: (None, 1)}
"""By the number of unknown sizes, those that each of them is traced for, in every combination."""


def traces_for(
    item: Any, arguments: tuple[Any, ...], keywords: dict[str, Any] | None = None
) -> list[ConcreteFunction]:
    """The traces of a staged function for arguments in which TensorSpecs stand for tensors.

    Where it cannot be traced for a size of 0 or 1, a loaded one cannot be called with it.
    """
    words = keywords or {}
    first = item.get_concrete(*arguments, **words)
    found = [first.concrete]
    if not _count([arguments, words]):
        return found
    try:
        wide = first.for_any_size()
    except Exception:  # whatever the function does with such a size while it is traced
        wide = None
    if wide is not None and any(map(_is_unknown, wide.graph.inputs)):
        return [*found, wide]
    for one in _variants(arguments):
        try:
            concrete = item.get_concrete(*one, **words).concrete
        except Exception:
            continue
        if concrete not in found:
            found.append(concrete)
    return found


def signatures_of(
    staged: StagedFunction, bound: int
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """What the calls of a function may look like whose sizes are not all known.

    That is its input signature, or what its traces were made for; `bound` arguments are its own.
    """
    signature = staged.input_signature
    if signature is not None and not any(one is None for one in signature):
        parameters = list(inspect.signature(staged.plain).parameters.values())[bound:]
        only = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
        count = len(parameters) - len(only)
        if any(one.kind is one.VAR_POSITIONAL for one in parameters):
            count = len(signature)
        yield tuple(signature[:count]), dict(zip(only, signature[count:], strict=False))
        return
    seen = set()
    for concrete in list(staged.traces):
        found = _arguments(concrete, bound)
        if found is not None and _count(found) and repr(found) not in seen:
            seen.add(repr(found))
            yield tuple(found[0]), found[1]


def _arguments(concrete: ConcreteFunction, bound: int) -> tuple[list[Any], dict[str, Any]] | None:
    """The arguments that a trace was made for, tensors as TensorSpecs; None where it took others
    than tensors, numbers, strings and None."""
    words = concrete.keywords
    parts = concrete.exact_key[(1 if words else 0) + 2 + bound :]
    inputs = {one.path: one.spec for one in concrete.inputs}
    given: list[Any] = []
    for number, part in enumerate(parts, bound):
        spec = inputs.get(f"a[{number}]")
        if isinstance(part, tuple) and part[0] is Tensor:
            shape = part[2]
            if isinstance(spec, Spec):
                shape = tuple(None if isinstance(dim, Dim) else dim for dim in spec.shape)
            given.append(TensorSpec(shape, part[1]))
        elif isinstance(part, tuple) and part[0] in (int, bool):
            given.append(part[0](part[1]))
        elif isinstance(part, tuple) and part[0] is float:
            given.append(float.fromhex(part[1]))
        elif part is None or isinstance(part, str):
            given.append(part)
        else:
            return None
    place = len(given) - len(words)
    return given[:place], dict(zip(words, given[place:], strict=True))


def _is_unknown(value: Value) -> bool:
    return isinstance(value.spec, Spec) and not value.spec.is_static


def _count(arguments: Any) -> int:
    """How many sizes are not known."""
    specs = [leaf for _, leaf in leaves("", arguments) if isinstance(leaf, TensorSpec)]
    return sum(spec.shape.count(None) for spec in specs)


def _variants(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The arguments with 0 and 1 in the place of unknown sizes."""
    count = _count(arguments)
    if not count:
        return
    every: Any = itertools.product(_FEW.get(count, ()), repeat=count)
    for sizes in every if count in _FEW else [(1,) * count, (0,) * count]:
        yield _with_sizes(arguments, iter(sizes))


def _with_sizes(value: Any, sizes: Iterator[int | None]) -> Any:
    if isinstance(value, TensorSpec):
        shape = [next(sizes) if size is None else size for size in value.shape]
        return TensorSpec(shape, value.dtype, value.name)
    if isinstance(value, dict):
        return {key: _with_sizes(one, sizes) for key, one in value.items()}
    if isinstance(value, list | tuple):
        parts = [_with_sizes(one, sizes) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value
