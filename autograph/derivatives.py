"""Derivatives of functions, as functions: what tapes record, by those who think in functions.

Plain Python on `GradientTape`, so they work eagerly and in staged functions, and nest to any order.
Gradients that do not connect are zeros here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.gradients.each_kind import (
    for_each_kind,
    for_each_nest,
    own_place,
    own_source,
)
from autograph.runtime.arrays.watched import is_array, like, released_all, settled
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.control.structure import flatten
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

Function = Callable[..., Any]
Positions = int | Sequence[int]
NUMBERS = (float, complex)


def value_and_grad(f: Function, argnums: Positions = 0, has_aux: bool = False) -> Function:
    """The function that gives `(f(*args), gradient)`.

    The gradient is that of the result, a float tensor (the sum of it, if it has several elements),
    with respect to the argument at `argnums`, or a tuple for several; it nests as the arguments do.
    It is by the places of the arguments: `f` gets tensors of its own there, and what it reads of
    the same tensor by another name is constant.
    With `has_aux`, `f` gives `(result, more)` and the value is `(result, more)`.
    """
    _check("value_and_grad", f, argnums)

    @functools.wraps(f)
    def both(*args: Any, **kwargs: Any) -> Any:
        def derived(*given: Any) -> Any:
            given, sources = _as_places(given, argnums)
            with GradientTape() as tape:
                tape.watch(sources)
                result = f(*given, **kwargs)
                target = settled(result[0] if has_aux else result)
            found = tape.gradient(target, sources, unconnected_gradients="zero")
            return released_all(result), found

        return for_each_nest(derived, *args)

    return both


def grad(f: Function, argnums: Positions = 0, has_aux: bool = False) -> Function:
    """The function that gives the gradient of `f`; with `has_aux` also what `f` gave beside."""
    _check("grad", f, argnums)
    both = value_and_grad(f, argnums, has_aux)

    @functools.wraps(f)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        result, found = both(*args, **kwargs)
        return (found, result[1]) if has_aux else found

    return gradient


def elementwise_grad(f: Function, argnums: Positions = 0) -> Function:
    """The gradient of the sum of what `f` gives: where each element of the result comes of one of
    the argument, its derivative there."""
    _check("elementwise_grad", f, argnums)

    @functools.wraps(f)
    def summed(*args: Any, **kwargs: Any) -> Any:
        return OPS.sum(f(*args, **kwargs))

    return grad(summed, argnums)


def vjp(f: Function, *args: Any) -> tuple[Any, Function]:
    """`f(*args)`, and the function from its gradient to a tuple of those of the arguments."""
    args, sources = _as_places(args, range(len(args)))
    with GradientTape(persistent=True) as tape:
        tape.watch(sources)
        result = f(*args)
        target = settled(result)

    def pull(gradient: Any) -> Any:
        return tape.gradient(target, sources, gradient, unconnected_gradients="zero")

    return released_all(result), pull


def jvp(f: Function, args: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """`f(*args)`, and its change along `tangents`, which nest as `args` do.

    By going back twice: the gradients by `u` are linear in `u`, and their own derivative by `u`,
    along the tangents, is the change of the result (Townsend, 2017).
    """
    _check_several("jvp", args=args, tangents=tangents)
    args, sources = _as_places(args, range(len(args)))
    tangents = _as_tensors(tangents)
    with GradientTape() as outer:
        with GradientTape() as inner:
            inner.watch(sources)
            result = f(*args)
            leaves, rebuild = flatten(settled(result))
        seeds = [OPS.zeros_like(one) for one in leaves]
        outer.watch(seeds)
        found = inner.gradient(leaves, sources, seeds, unconnected_gradients="zero")
    changes = outer.gradient(
        flatten(found)[0], seeds, flatten(tangents)[0], unconnected_gradients="zero"
    )
    kinds = [like(leaf, one) for leaf, one in zip(leaves, changes, strict=True)]
    return released_all(result), rebuild(kinds)


def hvp(f: Function, args: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """The Hessian of `f`, a number, times `tangents`: as the gradient by all `args`, a tuple."""
    _check_several("hvp", args=args, tangents=tangents)
    positions = tuple(range(len(args)))
    args, sources = _as_places(args, positions)
    with GradientTape() as tape:
        tape.watch(sources)
        found = grad(f, positions)(*args)
    return tape.gradient(found, sources, _as_tensors(tangents), unconnected_gradients="zero")


def jacobian(f: Function, argnums: Positions = 0) -> Function:
    """The function that gives the derivatives of every element of the result of `f`.

    The result and each argument at `argnums` are tensors of known shape; the Jacobian has the shape
    of the result and then that of the argument (a tuple of them for several arguments).
    """
    _check("jacobian", f, argnums)

    @functools.wraps(f)
    def derivatives(*args: Any, **kwargs: Any) -> Any:
        args, sources = _as_places(args, argnums)
        with GradientTape(persistent=True) as tape:
            tape.watch(sources)
            result = settled(f(*args, **kwargs))
        if isinstance(sources, tuple):
            return tuple([_rows(tape, result, one) for one in sources])
        return _rows(tape, result, sources)

    return derivatives


def hessian(f: Function, argnums: int = 0) -> Function:
    """The function that gives the second derivatives of `f`, a number, by a tensor argument."""
    return jacobian(grad(f, argnums), argnums)


def _as_tensors(args: Sequence[Any]) -> tuple[Any, ...]:
    """Floats and arrays as tensors; in containers, too."""
    leaves, rebuild = flatten(tuple(args))
    return tuple(rebuild([for_each_kind(_as_tensor, x) for x in leaves]))


def _as_tensor(x: Any) -> Any:
    return OPS.asarray(x) if isinstance(x, NUMBERS) or is_array(x) else x


def _as_places(args: Sequence[Any], argnums: Positions) -> tuple[tuple[Any, ...], Any]:
    """The arguments, with a tensor or array of its own for each place by which is derived; and
    these places once more, in containers that the function does not get.

    Derivatives are by places: a tensor that stands in two is two, and what the function takes from
    elsewhere is constant, if it is the same tensor. A Variable stays itself in the first of its
    places: the function may read it by its name. Other arguments are handed on.
    """
    found, sources = list(args), list(args)
    _check_positions(found, argnums)
    variables: list[Tensor] = []
    for place in (argnums,) if isinstance(argnums, int) else argnums:
        leaves, rebuild = flatten(found[place])
        placed: list[Any] = []
        for x in leaves:
            again = isinstance(x, Tensor) and any(x is other for other in variables)
            placed.append(own_place(x, again))
            variables += [x] * (isinstance(x, Tensor) and type(x) is not Tensor)
        found[place] = rebuild(placed)
        sources[place] = rebuild([own_source(x) for x in placed])
    return tuple(found), _chosen(tuple(sources), argnums)


def _check(name: str, f: Any, argnums: Any) -> None:
    if not callable(f):
        raise TypeError(f"f of {name}() is a function, not {f!r}; write {name}(f)(x)")
    places = argnums if isinstance(argnums, list | tuple) else (argnums,)
    if not all([isinstance(one, int) for one in places]):
        raise TypeError(
            f"argnums of {name}() is an int or several, not {argnums!r}; write {name}(f, 0)"
        )


def _check_several(name: str, **given: Any) -> None:
    for parameter, values in given.items():
        if not isinstance(values, list | tuple):
            raise TypeError(
                f"{parameter} of {name}() is a tuple with one value for each argument of the "
                f"function, not {values!r}; write (x,) for one"
            )


def _check_positions(args: Sequence[Any], argnums: Positions) -> None:
    for place in (argnums,) if isinstance(argnums, int) else argnums:
        if not -len(args) <= place < len(args):
            raise IndexError(f"argnums names argument {place}, and {len(args)} were given")


def _chosen(args: tuple[Any, ...], argnums: Positions) -> Any:
    if isinstance(argnums, int):
        return args[argnums]
    return tuple([args[place] for place in argnums])


def _rows(tape: GradientTape, result: Tensor, source: Tensor) -> Any:
    found = tape.jacobian(result, source)
    if found is not None:
        return found
    return like(source, OPS.zeros((*result.shape, *source.shape), dtype=source.dtype))
