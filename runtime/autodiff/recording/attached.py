"""Functions that give their own gradient: eager calls of them, and checks of what they give."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.autodiff.recording.reads import Reads
from autograph.runtime.control.structure import flatten
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.ops.table import OPS


def is_float(item: Any) -> bool:
    """Whether an item is a tensor of floats, which can have a gradient."""
    return isinstance(item, Tensor) and item.dtype.kind == "f"


class CustomCall:
    """One eager call: the leaves of its arguments, their values before it, what it reads inside."""

    def __init__(self, name: str, leaves: list[Any]) -> None:
        self.name = name
        self.leaves = leaves
        self.begun: list[Any] = [one._value if is_float(one) else None for one in leaves]
        self.reads = Reads()

    def __enter__(self) -> CustomCall:
        self.reads.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.reads.__exit__(*exception)

    def settled(self, gradient: Any, cell: Tensor) -> Any:
        """What the gradient function gives for `cell`, where it may give one of several."""
        return gradient

    @property
    def variables(self) -> list[tuple[Tensor, Any]]:
        """The Variables that were read and are no arguments, with their values."""
        given = set(map(id, self.leaves))
        return [pair for key, pair in self.reads.found.items() if key not in given]

    @property
    def sources(self) -> list[tuple[Tensor, Any]]:
        """What may get a gradient: the float tensors among the arguments, then the Variables."""
        own = zip(self.leaves, self.begun, strict=True)
        return [(cell, value) for cell, value in own if is_float(cell)] + self.variables


def attach(call: CustomCall, result: Any, gradient: Callable[..., Any]) -> Any:
    """The result of a call in cells of its own, whose gradient is what `gradient` gives."""
    require_function(call, gradient)
    leaves, rebuild = flatten(result)
    made: list[Any] = [own_cell(call, one) for one in leaves]
    outputs = [one for one in made if is_float(one)]
    sources = call.sources

    def pull(arriving: Sequence[Any]) -> list[Any]:
        return gradients_of(call, gradient, outputs, arriving)

    cells, values = [cell for cell, _ in sources], [value for _, value in sources]
    tapes: tuple[Any, ...] = STATE.tapes
    for tape in tapes:
        tape.record_function(cells, outputs, pull, values)
    return rebuild(made)


def own_cell(call: CustomCall, leaf: Any) -> Any:
    """A part of a result; a tensor in a cell and a value of its own. TypeError for other parts."""
    if not isinstance(leaf, Tensor):
        require_result(call, leaf)
        return leaf
    return leaf._alike(leaf._value.view())


def require_result(call: CustomCall, leaf: Any) -> None:
    """TypeError for a part of a result that could hide a tensor from its gradient."""
    if not isinstance(leaf, Number | int | float | str | type(None) | np.ndarray | np.generic):
        raise TypeError(
            f"{call.name} gives a {type(leaf).__name__}; a function with a gradient of its own "
            "gives tensors, nested in lists, tuples and dicts"
        )


def require_function(call: CustomCall, gradient: Any) -> None:
    """TypeError where `gradient` cannot be called as it will be."""
    if not callable(gradient):
        raise TypeError(
            f"{call.name} must return its result and a gradient function, and the second is a "
            f"{type(gradient).__name__}"
        )
    if call.variables and not takes_variables(gradient):
        names = ", ".join(str(getattr(cell, "name", None)) for cell, _ in call.variables)
        raise TypeError(
            f"{call.name} reads Variables ({names}), so its gradient function must take "
            "`variables` and return two things: the gradients of the arguments, and a list of "
            "those of the variables"
        )


def takes_variables(gradient: Callable[..., Any]) -> bool:
    """Whether a gradient function has a parameter `variables`."""
    if isinstance(gradient, types.FunctionType):
        code = gradient.__code__
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return "variables" in named or bool(code.co_flags & inspect.CO_VARKEYWORDS)
    try:
        parameters = inspect.signature(gradient).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(one.name == "variables" or one.kind is one.VAR_KEYWORD for one in parameters)


def gradients_of(
    call: CustomCall,
    gradient: Callable[..., Any],
    outputs: Sequence[Tensor],
    arriving: Sequence[Any],
) -> list[Any]:
    """What `gradient` makes of the gradients of the outputs, for each source; None for nothing."""
    given = [
        output._alike((OPS.zeros_like(output) if one is None else one)._value)
        for output, one in zip(outputs, arriving, strict=True)
    ]
    if not call.variables:
        return fitting(call, gradient(*given), [])
    cells = [cell for cell, _ in call.variables]
    pair = gradient(*given, variables=cells)
    if not (isinstance(pair, tuple | list) and len(pair) == 2):
        raise ValueError(
            f"the gradient function of {call.name} gives {_counted(pair)}; with `variables` it "
            "gives two things: the gradients of the arguments, and a list of those of the variables"
        )
    return fitting(call, pair[0], flatten(pair[1])[0])


def fitting(call: CustomCall, found: Any, of_variables: list[Any]) -> list[Any]:
    """Gradients as they were given, in the order, shapes and dtypes of the sources."""
    cells = [cell for cell, _ in call.variables]
    if len(of_variables) != len(cells):
        raise ValueError(
            f"the gradient function of {call.name} gives {len(of_variables)} gradients for "
            f"{len(cells)} variables"
        )
    places = [place for place, one in enumerate(call.leaves) if is_float(one)]
    flat = flatten(found)[0]
    if len(flat) == len(call.leaves):
        flat = [flat[place] for place in places]
    elif len(flat) != len(places) and not (not places and flat == [None]):
        raise ValueError(
            f"the gradient function of {call.name} gives {len(flat)} gradients for "
            f"{len(call.leaves)} arguments"
        )
    named = [(f"argument {place}", call.leaves[place]) for place in places]
    named += [(f"the variable {getattr(one, 'name', None)!r}", one) for one in cells]
    given = [*(flat if places else []), *of_variables]
    return [_fitted(call, one, what, cell) for one, (what, cell) in zip(given, named, strict=True)]


def _fitted(call: CustomCall, gradient: Any, what: str, cell: Tensor) -> Any:
    gradient = call.settled(gradient, cell)
    if gradient is None:
        return None
    if isinstance(gradient, int | float | Number):
        return OPS.broadcast_like(OPS.asarray(gradient, dtype=cell.dtype), cell)
    tensor = OPS.asarray_or_same(gradient)
    sizes = zip(tensor.shape, cell.shape, strict=False)
    known = [(one, other) for one, other in sizes if isinstance(one, int) and type(other) is int]
    if tensor.ndim != cell.ndim or any(one != other for one, other in known):
        raise ValueError(
            f"the gradient function of {call.name} gives {describe(tensor)} for {what}, which is "
            f"{describe(cell)}"
        )
    return tensor if tensor.dtype == cell.dtype else OPS.astype(tensor, cell.dtype)


def _counted(pair: Any) -> str:
    several = isinstance(pair, tuple | list)
    return f"{len(pair)} things" if several else f"a {type(pair).__name__}"
