"""Control flow as functions, for those who write functionally.

Plain Python, converted like the user's own: eagerly it runs as it stands, in a staged function its
conditions and loops are staged, with gradients and all that the functions change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.gradients.each_kind import for_each_kind, for_each_nest
from autograph.runtime.control.structure import flatten, same_structure
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.ops.table import OPS

Function = Callable[..., Any]


def cond(
    predicate: Any,
    true_function: Function,
    false_function: Function,
    operands: Sequence[Any] = (),
) -> Any:
    """`true_function(*operands)` if `predicate` else `false_function(*operands)`.

    `predicate` is a 0-d tensor or a number; ValueError for another shape.
    """
    _check_scalar(predicate, "the predicate of a cond")
    _check_functions("cond", true_function=true_function, false_function=false_function)
    _check_operands("cond", operands)
    if predicate:
        return true_function(*operands)
    return false_function(*operands)


def switch(index: Any, branches: Sequence[Function], operands: Sequence[Any] = ()) -> Any:
    """`branches[index](*operands)`; `index` is a 0-d integer tensor or a number.

    IndexError where there is no such branch, also below 0.
    """
    _check_scalar(index, "the index of a switch")
    if not isinstance(branches, list | tuple):
        raise TypeError(f"branches of switch() is a list of functions, not {branches!r}")
    _check_operands("switch", operands)
    for number in range(len(branches)):
        if index == number:
            return branches[number](*operands)
    raise IndexError(f"there are {len(branches)} branches, and the index is {int(index)}")


def while_loop(
    test: Function,
    body: Function,
    loop_variables: Sequence[Any],
    maximum_iterations: Any = None,
) -> Any:
    """`while test(*state): state = body(*state)`, at most `maximum_iterations` times.

    Gives the last state, a list or tuple as `loop_variables`. `body` gives one value for each of
    them, nested as it was: TypeError. In a staged loop each keeps its dtype and rank.
    """
    _check_functions("while_loop", test=test, body=body)
    if not isinstance(loop_variables, list | tuple):
        raise TypeError(
            "loop_variables of while_loop() is a list or tuple of what the loop carries, not "
            f"{loop_variables!r}; write (x,) for one"
        )
    state, turns = tuple(loop_variables), 0
    while (maximum_iterations is None or turns < maximum_iterations) and _truth(test(*state)):
        after = body(*state)
        if not isinstance(after, list | tuple):
            after = (after,)
        if len(after) != len(loop_variables):
            raise TypeError(
                f"the body of a while_loop gives {len(after)} values for {len(loop_variables)}"
            )
        if not same_structure(tuple(after), state):
            raise TypeError("the body of a while_loop changes how its variables nest")
        state, turns = tuple(after), turns + 1
    return list(state) if isinstance(loop_variables, list) else state


def fori_loop(lower: Any, upper: Any, body: Function, initial: Any) -> Any:
    """`for i in range(lower, upper): value = body(i, value)`, from `initial`; gives the last value.

    The bounds are numbers or 0-d integer tensors. In a staged function the loop is staged, known
    bounds or not: `i` is then a staged number.
    """
    _check_functions("fori_loop", body=body)
    value = initial
    for i in range(lower, OPS.asarray(upper)):
        after = body(i, value)
        if not same_structure(after, value):
            raise TypeError("the body of a fori_loop changes how its value nests")
        value = after
    return value


def scan(
    f: Function, initial: Any, xs: Any = None, length: Any = None, reverse: bool = False
) -> tuple[Any, Any]:
    """`carry, y = f(carry, x)` for each item of `xs` along the first axis, from `initial`.

    Gives the last carry and the `y`s stacked along a new first axis, in the order of `xs` also
    where `reverse` goes through them from the end. Carry, `x` and `y` are tensors or nests of them
    in lists, tuples and dicts; `y` may be None. Without `xs` it takes `length` turns. ValueError
    where the lengths of `xs` differ, or where there is no turn, so that nobody knows what `y` is.
    """
    _check_functions("scan", f=f)
    leaves, rebuild = flatten(xs)
    rows = () if xs is None else tuple(leaves)
    found: tuple[Any, Any] = for_each_kind(
        _scanned, f, initial, rows, None if xs is None else rebuild, length, reverse
    )
    return found


def _scanned(
    f: Function, initial: Any, xs: Sequence[Any], rebuild: Any, length: Any, reverse: bool
) -> tuple[Any, Any]:
    """`scan` over the leaves of its `xs`, which `rebuild`, if there are any, nests."""
    leaves = [OPS.asarray(one) for one in xs]
    count = _length(leaves, length)
    carry = initial
    rows: list[Any] = []
    for turn in range(OPS.asarray(count)):
        place = count - 1 - turn if reverse else turn
        x = None if rebuild is None else rebuild([one[place] for one in leaves])
        after, y = f(carry, x)
        if not same_structure(after, carry):
            raise TypeError("the function of a scan changes how its carry nests")
        carry = after
        rows.append(y)
    return carry, _stacked(rows, reverse)


def map_fn(f: Function, xs: Any) -> Any:
    """`f(x)` for each item of `xs` along the first axis, stacked along a new first axis.

    `xs` is a tensor or a nest of tensors in lists, tuples and dicts, and so is what `f` gives.
    ValueError where the lengths differ, or where there are no items.
    """
    _check_functions("map_fn", f=f)
    return for_each_nest(_mapped_nest, f, xs)


def _mapped_nest(f: Function, xs: Any) -> Any:
    leaves, rebuild = flatten(xs)
    return for_each_kind(_mapped, f, tuple(leaves), rebuild)


def _mapped(f: Function, xs: Sequence[Any], rebuild: Any) -> Any:
    """`map_fn` over the leaves of its `xs`."""
    leaves = [OPS.asarray(one) for one in xs]
    count = _length(leaves, None)
    rows: list[Any] = []
    for place in range(OPS.asarray(count)):
        rows.append(f(rebuild([one[place] for one in leaves])))
    return _stacked(rows, False)


def apply_along_axis(f: Function, axis: int, x: Any, *args: Any, **keywords: Any) -> Any:
    """`f(row, *args, **keywords)` for each row of `x` along an axis, as NumPy has it.

    What `f` gives, a number or a tensor, takes the place of the axis. ValueError for no rows.
    """
    _check_functions("apply_along_axis", f=f)
    x = OPS.asarray(x)
    along = normalized_axis(axis, x.ndim)
    moved = OPS.moveaxis(x, along, -1)
    rows = OPS.reshape(moved, (-1, moved.shape[-1]))
    found = map_fn(lambda row: OPS.asarray(f(row, *args, **keywords)), rows)
    shape = moved.shape[:-1] + found.shape[1:]
    whole = OPS.reshape(found, shape)
    new = range(found.ndim - 1)
    return OPS.moveaxis(whole, [x.ndim - 1 + one for one in new], [along + one for one in new])


def _stacked(rows: list[Any], reverse: bool) -> Any:
    """The rows, nests of tensors, as one nest of tensors."""
    if len(rows) == 0:
        raise ValueError("there are no turns, so what a turn gives is not known")
    if reverse:
        rows = rows[::-1]
    row = rows[0]
    if not isinstance(row, list | tuple | dict):
        return None if row is None else OPS.stack(rows)
    first, rebuild = flatten(row)
    columns = []
    for number in range(len(first)):
        columns.append(OPS.stack([_leaves_like(rows[0], row)[number] for row in rows]))
    return rebuild(columns)


def _leaves_like(first: Any, row: Any) -> list[Any]:
    """The leaves of what a turn gave. TypeError where it nests otherwise than that of the first."""
    if not same_structure(row, first):
        raise TypeError("a turn gives what nests otherwise than what the first one gave")
    return flatten(row)[0]


def _length(leaves: Sequence[Tensor], length: Any) -> Any:
    """How many turns there are."""
    if len(leaves) == 0:
        if length is None:
            raise ValueError("without xs, the length must be given")
        return length
    for one in leaves:
        if one.ndim == 0:
            raise ValueError(f"{describe(one)} has no first axis to go along")
    counts = [one.shape[0] for one in leaves] + ([] if length is None else [length])
    for other in counts[1:]:
        if other != counts[0]:
            raise ValueError(f"the lengths {int(counts[0])} and {int(other)} differ")
    return counts[0]


def _check_operands(name: str, operands: Any) -> None:
    if not isinstance(operands, list | tuple):
        raise TypeError(
            f"operands of {name}() is a list or tuple of what the functions are given, not "
            f"{operands!r}; write (x,) for one"
        )


def _check_functions(name: str, **functions: Any) -> None:
    for parameter, given in functions.items():
        if not callable(given):
            raise TypeError(f"{parameter} of {name}() is a function, not {given!r}")


def _truth(value: Any) -> Any:
    _check_scalar(value, "the test of a while_loop")
    return value


def _check_scalar(value: Any, what: str) -> None:
    if getattr(value, "ndim", 0):
        raise ValueError(f"{what} has shape {tuple(value.shape)}; it must be 0-d (use all or any)")
