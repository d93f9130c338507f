"""Code that is not converted: run while tracing if it is known to be pure."""

from __future__ import annotations

import math
import operator
import types
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import compress
from typing import Any

import numpy as np

from autograph.control.branch import Unreachable
from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.errors import StagingError, StateError, UnconvertedCallError
from autograph.library.numpy.arrays import refuse_none
from autograph.operators.arrays import numpy_random
from autograph.operators.arrays.numpy_arrays import (
    call_numpy,
    is_of_numpy,
    made_by_numpy,
    refuse_dtype,
    refuse_numpy,
    require_fitting,
    takes_arrays,
)
from autograph.operators.arrays.numpy_source import WRITTEN, call_source
from autograph.operators.calls.dispatch import call, call_method, special_method
from autograph.operators.calls.unconverted_arguments import Constructor, Foreign, looks_inside
from autograph.operators.containers.slices import as_index, has_index
from autograph.operators.containers.stacked_lists import array_of, as_numbers, column_of, joined
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.generator_recipes import note_advanced, wraps
from autograph.operators.iterators.plain_iteration import has_own_iterator
from autograph.operators.iterators.staged_iterables import Indexed, StagedRange, StagedTuple
from autograph.runtime.arrays.cells import Array, Scalar, as_result, as_tensor
from autograph.runtime.arrays.joining import LIST_JOINS
from autograph.runtime.arrays.scipy_special import is_special
from autograph.runtime.arrays.table import ASKING_LISTS, CHANGING, strong_dtype, tensors_in
from autograph.runtime.control import structure
from autograph.runtime.core.dtypes import UnsupportedDtypeError
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import ArgumentTypeError, Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.ambient_state import note_decimals
from autograph.tracing.purity import is_impure, is_pure
from autograph.tracing.reading import is_users, package_of, read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.numpy_arrays import check_array
from autograph.values.sentinels import UNSET

STRUCTURAL = ("._replace", "._make", "._asdict")
"""Methods of named tuples: they only move their arguments."""

CONTAINERS = (list, dict, set, deque)
PARTS = (list, tuple, Tensor, np.ndarray, StagedTuple)
"""What functions that join tensors take as it is: of another iterable they take the items."""
ADVANCING = ("__next__", "iternext")
"""Methods that change an iterator, which no trace takes back."""
FEW_COMBINATIONS = 8
"""So many are gone through before numbers for NumPy become scalars, as which no size is known."""
MOST_COMBINATIONS = 256
"""So many combinations of the items of a list are gone through where a call looks at all of it."""


def call_native(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function that is not converted."""
    name = describe_callable(function)
    if is_of_numpy(function):
        args = tuple([_with_scalars(tracing, one) for one in args])
    found = _chosen_argument(function, (*args, *kwargs.values()))
    if found is not None:
        ours = is_ours(function)
        several = any(not isinstance(one, dict) for one in found.options)

        def call_with(option: Any, found: Choice = found) -> Any:
            if several and isinstance(option, dict) and is_of_numpy(function):
                raise ValueError(
                    f"{name} is given a dict here, and makes an array of objects of it; on other "
                    "paths it is given numbers"
                )
            named = {key: replaced(one, found, option, ours) for key, one in kwargs.items()}
            try:
                return call_native(tracing, function, replaced(args, found, option, ours), named)
            except UnconvertedCallError:
                if option is not None or not several or not is_of_numpy(function):
                    raise
                return call(refuse_none, name)

        return choose(tracing, found, call_with)
    for one in (*args, *kwargs.values()):
        contents = chosen_contents(tracing, one)
        if contents is not None:
            return with_each(
                tracing, one, contents, lambda: call_native(tracing, function, args, kwargs)
            )
    if not hands_on(function) and (is_of_numpy(function) or takes_arrays(function)):
        found = _call_numpy(tracing, function, name, args, kwargs)
        if found is not NotImplemented:
            return found
    elif is_ours(function):
        if (function is OPS.stack or function is OPS.concat) and not isinstance(args[0], PARTS):
            args = (call(list, args[0]), *args[1:])
        if args and isinstance(args[0], StagedTuple) and is_method(function, args[0]):
            return function(*args, **kwargs)
        keeping = Keeping(lists=True) if hands_on(function) else None
        given = [of_ours(tracing, one, keeping) for one in args]
        named = {key: of_ours(tracing, one, keeping) for key, one in kwargs.items()}
        return tracing.born_within(function(*given, **named))
    if not callable(function):
        return function(*args, **kwargs)  # raises what Python raises
    if kwargs.get("out") is not None and package_of(function) == "numpy":
        raise UnconvertedCallError(
            f"{name} writes into an array that it is given as `out`, which happens while tracing",
            remedy="take its result instead: x = np.clip(x, 0, 1)",
        )
    if not is_pure(function) and not is_special(function):
        raise UnconvertedCallError(
            f"{name} is not converted, and what it does is not known", remedy=_way_out(function)
        )
    if declared(function, "__module__") == "collections" and name.endswith(STRUCTURAL):
        items = [
            call(tuple, one) if isinstance(one, Indexed | Tensor) or has_own_iterator(one) else one
            for one in args
        ]
        return made_natively(tracing, function(*items, **kwargs))
    return _call_foreign(tracing, function, name, args, kwargs)


def _call_foreign(
    tracing: Tracing, function: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of pure code while tracing."""
    if function is next or declared(function, "__name__") in ADVANCING:
        note_advanced(tracing, args[0] if args else function.__self__)
    foreign = Foreign(tracing, name, looks_inside(function))
    given = [foreign.argument(one) for one in args]
    named = {key: foreign.argument(one) for key, one in kwargs.items()}
    plain = function(*given, **named)
    foreign.require_copies(plain)
    result = made_natively(tracing, plain)
    if is_of_numpy(function):
        result = tracing.born_within(made_by_numpy(name, result))
    if any(isinstance(one, Decimal) for one in (result, *args)):
        note_decimals(tracing)
    return wraps(tracing, result, tuple(given)) if isinstance(result, Iterator) else result


def _call_numpy(
    tracing: Tracing, function: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a function of NumPy's on what a trace holds; NotImplemented for known values."""
    found = joined(tracing, function, args, kwargs)
    if found is not NotImplemented:
        return found
    if function in LIST_JOINS and args and isinstance(args[0], list | tuple):
        args = (_as_parts(tracing, args[0]), *args[1:])
    cast = function in (np.array, np.asarray) and kwargs.get("dtype") is not None
    if cast and args and isinstance(args[0], list | tuple):
        require_fitting(args[0], np.dtype(kwargs["dtype"]))
    asks = function in ASKING_LISTS or takes_arrays(function)
    given = tuple([of_ours(tracing, one, Keeping(not cast, asks)) for one in args])
    named = {key: of_ours(tracing, one, Keeping(True, asks)) for key, one in kwargs.items()}
    try:
        found = _of_numpy(tracing, function, name, given, named)
    except (UnsupportedDtypeError, ArgumentTypeError) as error:
        if not all(isinstance(one, Array | Scalar) for one in tensors_in((given, *named.values()))):
            raise  # functions of tensors raise it themselves
        raise refuse_dtype(name, error) from None
    if found is not NotImplemented or (is_impure(function) and function not in WRITTEN):
        return found
    return call_source(tracing, function, given, named)


def _as_parts(tracing: Tracing, items: Any) -> Any:
    """What is joined: NumPy makes an array of a list in it, whatever is in that (NEP 18)."""
    nested = [isinstance(one, list | tuple | deque) for one in items]
    if not any(nested) or not any(True for _ in tensors_in(map(list, compress(items, nested)))):
        return items
    if isinstance(items, list):
        read_contents(tracing, items)
    return [
        call_native(tracing, np.asarray, (one,), {}) if lists else one
        for one, lists in zip(items, nested, strict=True)
    ]


def _of_numpy(
    tracing: Tracing, function: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a function of NumPy's, or of what computes one; NotImplemented for known values."""
    if takes_arrays(function):
        try:
            return tracing.born_within(function(*args, **kwargs))
        except NotImplementedError:
            raise refuse_numpy(f"numpy.ndarray.{function.__name__}") from None
    owner = declared(function, "__self__")
    if isinstance(owner, numpy_random.GENERATORS):
        return numpy_random.ask(tracing, owner, function.__name__, args, kwargs)
    made = numpy_random.called(tracing, function, args, kwargs)
    if made is not NotImplemented:
        return made
    if is_impure(function) and function not in CHANGING:
        return NotImplemented
    found = call_numpy(function, args, kwargs)
    changes = isinstance(owner, np.ufunc) and function.__name__ == "at"
    if found is NotImplemented and changes:
        found = call_source(tracing, function, args, kwargs)
    shares = kwargs.get("copy") is False and function not in WRITTEN
    if found is NotImplemented and (changes or shares):
        raise refuse_numpy(name)  # it would change a copy
    return found if found is NotImplemented else tracing.born_within(found)


def _way_out(function: Any) -> str:
    """What to write instead of a call whose effects are not known."""
    if function in (np.seterr, np.seterrcall):
        return "use a with statement: with np.errstate(divide='ignore'): ..."
    module = declared(function, "__module__") or ""
    owner = type(declared(function, "__self__")).__module__
    if "random" in (module, owner) or "numpy.random" in describe_callable(function):
        return "use ag.random_uniform, ag.random_normal or ag.random_integers"
    if module in ("logging", "warnings", "_warnings"):
        return (
            "use print, or call it each time the graph runs: "
            f"ag.py_function(lambda x: {function.__name__}(...), [x])"
        )
    if module in ("time", "datetime") or owner in ("time", "datetime"):
        return "pass the time in as an argument, or call it through ag.py_function"
    return (
        "call it through ag.py_function, or declare it with ag.pure(f) if its result depends on "
        "its arguments alone"
    )


def made_natively(tracing: Tracing, result: Any) -> Any:
    """A result of foreign code: containers in it that nobody had before were made just now.

    ArgumentError for a matrix or a masked array: what it would do is not what arrays do.
    """
    if isinstance(result, np.ndarray) and type(result) is not np.ndarray:
        check_array(result, "made in a staged function")
    if isinstance(result, (*CONTAINERS, Iterator)):
        if id(result) in tracing.paths or tracing.is_born(result):
            return result
        tracing.born(result)
    if isinstance(result, (*CONTAINERS, tuple)):
        for one in result.values() if isinstance(result, dict) else result:
            made_natively(tracing, one)
    return result


def _chosen_argument(function: Any, arguments: Any) -> Choice | None:
    """A choice among the arguments of a call, or in lists and tuples among them, that is to be
    gone through; of our own functions also in dicts, of which they take the items.

    What takes nests apart and puts them together only moves their leaves: those stay choices.
    """
    if declared(function, "__module__") == structure.__name__:
        return next((one for one in choices_in(arguments) if may_nest(one)), None)
    found = first_choice(arguments)
    if found is None and is_ours(function):
        chosen = list(choices_in(arguments))
        refuse_too_many(chosen)
        found = chosen[0] if chosen else None
    return found


def choices_in(nested: Any) -> Iterator[Choice]:
    """The choices in nested lists, tuples and dicts."""
    if isinstance(nested, Choice):
        yield nested
    elif isinstance(nested, list | tuple | dict):
        for one in nested.values() if isinstance(nested, dict) else nested:
            yield from choices_in(one)


def may_nest(chosen: Choice) -> bool:
    """Whether one of the options is a nest itself."""
    return any(isinstance(one, list | tuple | dict) for one in chosen.options)


def first_choice(arguments: Any, deep: bool = True) -> Choice | None:
    """A choice among the arguments of a call, or (`deep`) in lists and tuples among them."""
    for one in arguments:
        if isinstance(one, Choice):
            return one
        if isinstance(one, DictView) and isinstance(one.container, Choice):
            return one.container
        if deep and type(one) in (list, tuple):
            found = first_choice(one)
            if found is not None:
                refuse_too_many(one)
                return found
    return None


def _with_scalars(tracing: Tracing, items: Any) -> Any:
    """A list for NumPy: where an item is one of several numbers that NumPy makes alike, it is one
    scalar. So no combinations of such items are gone through."""
    if type(items) not in (list, tuple) or tracing.contents(items) is not None:
        return items
    if math.prod(len(one.options) for one in items if isinstance(one, Choice)) <= FEW_COMBINATIONS:
        parts = [_with_scalars(tracing, one) for one in items]
        return items if all(map(operator.is_, parts, items)) else type(items)(parts)
    parts = [
        _as_scalar(tracing, one) if isinstance(one, Choice) else _with_scalars(tracing, one)
        for one in items
    ]
    return type(items)(parts)


def _as_scalar(tracing: Tracing, chosen: Choice) -> Any:
    numbers = (bool, int, float, Number, Scalar)
    if not all(isinstance(one, numbers) for one in chosen.options):
        return chosen
    dtypes = {strong_dtype(one) for one in chosen.options}
    if len(dtypes) != 1:
        return chosen
    (dtype,) = dtypes
    return choose(tracing, chosen, lambda one: as_result(OPS.asarray(as_tensor(one), dtype=dtype)))


def refuse_too_many(items: Any) -> None:
    """StagingError for a list whose items may be so much that each case cannot be gone through."""
    chosen = [one for one in items if isinstance(one, Choice)]
    if math.prod(len(one.options) for one in chosen) > MOST_COMBINATIONS:
        raise StagingError(
            f"a call goes through a container of which {len(chosen)} items are each one of several "
            "Python values, by a staged condition: too many combinations",
            location=user_location(),
            remedy="keep numbers or tensors that tell them apart in it, or go over it with a for "
            "statement",
        )


def replaced(arguments: Any, choice: Choice, option: Any, named: bool = False) -> Any:
    """Arguments with one of its options in the place of a choice; in dicts, too, if `named`."""
    if arguments is choice:
        if option is UNSET:
            raise Unreachable  # the paths that come here assigned the variable
        return option
    if isinstance(arguments, DictView):
        container = replaced(arguments.container, choice, option)
        changed = container is not arguments.container
        return DictView(container, arguments.kind) if changed else arguments
    if type(arguments) in (list, tuple):
        parts = [replaced(one, choice, option, named) for one in arguments]
        # What does not hold the choice is passed on itself: its contents may be staged.
        if any(part is not one for part, one in zip(parts, arguments, strict=True)):
            return _as_made(type(arguments)(parts))
    if named and type(arguments) is dict:
        items = {key: replaced(one, choice, option, True) for key, one in arguments.items()}
        if any(items[key] is not one for key, one in arguments.items()):
            return _as_made(items)
    return arguments


def _as_made(arguments: Any) -> Any:
    """Arguments that were put together just now: a list or dict of them is no state to watch."""
    tracing = current()
    return arguments if tracing is None or type(arguments) is tuple else tracing.born(arguments)


def describe_callable(function: Any) -> str:
    """What the user calls it."""
    if isinstance(function, Constructor):
        function = function.kind
    name = declared(function, "__qualname__") or declared(function, "__name__")
    module = declared(function, "__module__")
    if name is None:
        return repr(function)
    return f"{module}.{name}" if module and module != "builtins" else str(name)


def is_ours(function: Any) -> bool:
    """Whether a callable belongs to this package."""
    owner = declared(function, "__self__")
    if isinstance(owner, Tensor | Number):
        return True
    module = declared(function, "__module__") or type(owner).__module__
    if not isinstance(module, str):
        return False
    return module == "autograph" or module.startswith("autograph.")


HANDING_ON = (
    "autograph.runtime.arrays.watched",
    "autograph.runtime.autodiff.recording",
    "autograph.runtime.control.structure",
)
"""Modules of ours whose functions give back what they are given, or have to do with its kind."""


def hands_on(function: Any) -> bool:
    """Whether a function of ours takes NumPy's arrays as they are."""
    module = declared(function, "__module__")
    return isinstance(module, str) and module.startswith(HANDING_ON)


def is_method(function: Any, value: Any) -> bool:
    """Whether a function is a method of a value's class."""
    name = declared(function, "__name__")
    return isinstance(name, str) and declared(type(value), name) is function


@dataclass(frozen=True)
class Keeping:
    """How a function is given arrays as they are, and lists as arrays: see `array_of`.

    `lists`: it takes these, too, as our functions of tensors do.
    """

    exact: bool = True
    asks: bool = True
    lists: bool = False


def of_ours(tracing: Tracing, argument: Any, keeping: Keeping | None = None) -> Any:
    """An argument of one of our functions: staged lists arrive as lists of the graph.

    NumPy's arrays arrive as tensors, unless they are kept: then lists arrive as arrays.
    """
    if isinstance(argument, StagedRange):
        return as_numbers(argument, keeping is not None and not keeping.lists)
    if isinstance(argument, StagedTuple):
        argument = argument.items
    if isinstance(argument, deque):
        argument = call(list, argument)
    if isinstance(argument, list):
        if tracing.contents(argument) is not None:
            if keeping is None or keeping.lists:
                return column_of(tracing, argument)
            return array_of(tracing, argument, keeping.exact, keeping.asks)
        read_contents(tracing, argument)
        return tracing.born([of_ours(tracing, one, keeping) for one in argument])
    if has_index(argument):
        return as_index(argument)
    if isinstance(argument, Tensor):  # also one of a class of the user's
        return as_tensor(argument) if keeping is None else argument
    own = special_method(type(argument), "__array__")
    if isinstance(own, types.FunctionType) and is_users(type(argument)):
        return of_ours(tracing, call_method(argument, "__array__"), keeping)
    if isinstance(argument, np.ndarray):
        array = tracing.array_tensor(argument, tracing.path_of(argument))
        return as_tensor(array) if keeping is None else array
    if isinstance(argument, dict):
        if tracing.contents(argument) is not None:
            raise StateError(
                "a dict of staged length is given to a function of autograph's, which takes one of "
                "known keys",
                remedy="write its keys, {'w': params['w']}, and copy a dict that two names share: "
                "best = dict(params)",
            )
        read_contents(tracing, argument)
        given = {key: of_ours(tracing, one, keeping) for key, one in argument.items()}
        changed = any(given[key] is not one for key, one in argument.items())
        return tracing.born(given) if changed else argument
    if type(argument) is tuple or (isinstance(argument, tuple) and hasattr(argument, "_fields")):
        items = [of_ours(tracing, one, keeping) for one in argument]
        return tuple.__new__(type(argument), items)
    return argument
