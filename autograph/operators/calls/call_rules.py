"""Calls: of converted functions, of what the tables know, and an error for the rest."""

from __future__ import annotations

import functools
import itertools
import operator
import random
import types
import typing
import weakref
from collections import deque
from functools import partial
from typing import Any

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.conversion.convert import UNCONVERTED, convert_function, convert_inlined
from autograph.conversion.syntax.build import is_converted, is_outermost
from autograph.errors import SourceNotAvailableError, StagingError, UnconvertedCallError
from autograph.library import is_plain_python
from autograph.merge.iterator_makers import note_making
from autograph.operators.arrays.numpy_arrays import CELLS, class_of
from autograph.operators.arrays.numpy_random import GENERATORS
from autograph.operators.arrays.scipy_source import call_written
from autograph.operators.builtins.builtin_functions import MODELS
from autograph.operators.builtins.environment import ENVIRONMENT, READING, read_environment
from autograph.operators.builtins.library_functions import CHANGING, call_getter
from autograph.operators.builtins.numpy_testing import asserted
from autograph.operators.builtins.random_functions import drawn
from autograph.operators.builtins.statistics_functions import CONVERTED
from autograph.operators.calls import dispatch, recursion
from autograph.operators.calls.base_class_methods import call_slot
from autograph.operators.calls.constructors import construct
from autograph.operators.calls.dataclass_methods import generated_model
from autograph.operators.calls.decorators import arrange, is_arranging
from autograph.operators.calls.lru_cache import CACHED, call_cached, refuse_statistics
from autograph.operators.calls.unconverted import call_native, first_choice, replaced
from autograph.operators.containers import rows
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.containers.chosen_lists import let_grow
from autograph.operators.containers.container_methods import (
    CONTAINERS,
    call_container_method,
    call_tuple_method,
)
from autograph.operators.containers.slices import indices
from autograph.operators.containers.stacked_lists import or_empty
from autograph.operators.expressions.attributes import set_attr
from autograph.operators.expressions.truth import choose, settled
from autograph.operators.iterators.generator_recipes import (
    is_generator_function,
    recipe_of,
    second_form,
    start,
)
from autograph.operators.iterators.generators import generator_method
from autograph.operators.iterators.plain_iteration import all_items
from autograph.operators.iterators.resumable_generators import with_form
from autograph.operators.iterators.staged_iterables import KnownMembers, Mapped, has_staged_length
from autograph.operators.iterators.star_arguments import call_spread, is_spread
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.operators.statements.with_statement import ENTERING, refuse_late_entry
from autograph.operators.strings.format_and_join import joined_rows, listed_for_text, text_method
from autograph.operators.strings.string_methods import call_text_method, takes_staged_text
from autograph.runtime.arrays.lists import OF_NUMPY, holds_tensor
from autograph.runtime.arrays.scipy_special import is_special
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import globals_loaded
from autograph.strings.text import Text, TextMethod
from autograph.tracing.places import StagedItems
from autograph.tracing.purity import is_declared_pure, is_impure, is_pure
from autograph.tracing.reading import is_users, observe_referent, package_of, read_cell, read_global
from autograph.tracing.reading import note_outer_cells as note_outer_cells
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.marks import declared, is_staged_function, staged_form


def call_traced(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call while tracing."""
    args = settled(tracing, args)
    if any(isinstance(one, Choice) for one in kwargs.values()):
        kwargs = {key: settled(tracing, one) for key, one in kwargs.items()}
    if is_spread(args) or (kwargs and is_spread(kwargs.values())):
        return call_spread(tracing, function, args, kwargs)
    if is_arranging(function):
        return arrange(tracing, function, args, kwargs)
    if isinstance(function, types.FunctionType):
        known = MODELS.get(function)
        if known is not None:
            return known(tracing, *args, **kwargs)
        if asserted(tracing, function, args, kwargs):
            return None
        return call_function(tracing, function, args, kwargs)
    if isinstance(function, types.MethodType) and isinstance(function.__self__, Choice):
        return _call_chosen(tracing, function, args, kwargs)
    if isinstance(function, types.MethodType) and isinstance(function.__self__, GENERATORS):
        return call_native(tracing, function, args, kwargs)
    if isinstance(function, types.MethodType):
        return call_traced(tracing, function.__func__, (function.__self__, *args), kwargs)
    if isinstance(function, types.MethodWrapperType) and function.__name__ == "__next__":
        tracing.guard(f"{tracing.path_of(function)} == {tracing.table.constant(function)}")
        return call_traced(tracing, next, (function.__self__, *args), kwargs)
    if isinstance(function, Choice):
        let_grow(tracing, function.options, args)
        return choose(tracing, function, lambda one: call_traced(tracing, one, args, kwargs))
    staged = staged_form(function)
    if staged is not None:
        args, kwargs = function.__autograph_prepare__(args, kwargs)
        return call_traced(tracing, staged, args, kwargs)
    try:
        model = MODELS.get(function)
    except TypeError:
        model = None
    if model is not None:
        return _call_model(tracing, model, args, kwargs)
    return _call_object(tracing, function, args, kwargs)


def _call_chosen(
    tracing: Tracing, function: types.MethodType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a method of one of several objects."""
    method = function.__func__

    def call_of(one: Any) -> Any:
        if isinstance(one, GENERATORS):  # whose methods are C
            return call_traced(tracing, types.MethodType(method, one), args, kwargs)
        return call_traced(tracing, method, (one, *args), kwargs)

    chosen: Any = function.__self__
    return choose(tracing, chosen, call_of)


def _call_model(tracing: Tracing, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of what a table knows, for each of the values that an argument may be."""
    if model in STEPPING:
        args = tuple(Aligned.of(tracing, one) or _of_one_type(tracing, one) for one in args)
    found = None if model is MODELS[print] else first_choice(args, model not in MOVING)
    if found is not None:
        return choose(
            tracing,
            found,
            lambda option: _call_model(tracing, model, replaced(args, found, option), kwargs),
        )
    for one in () if model in LIVE else args:
        contents = chosen_contents(tracing, one)
        if contents is not None:
            return with_each(
                tracing, one, contents, lambda: _call_model(tracing, model, args, kwargs)
            )
    return model(tracing, *args, **kwargs)


def _of_one_type(tracing: Tracing, items: Any) -> Any:
    """A container that has more items on one path, as one of staged length; others as they are."""
    if chosen_contents(tracing, items) is None:
        return items
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        try:
            if isinstance(items, set):
                members = rows.new_list(tracing, rows.rows_of(tracing, items))
                return KnownMembers.of(tracing, items, members)
            rows.make_staged(tracing, items.container if isinstance(items, DictView) else items)
        except StagingError:
            region.roll_back()
            checkpoint.restore()
        else:
            region.commit()
    return items


def _call_object(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a class, of a C function, or of an object."""
    if isinstance(function, TextMethod):
        return call_text_method(tracing, function.text, function.name, args, kwargs)
    if isinstance(function, functools.partial) and not is_declared_pure(function):
        merged = {**function.keywords, **kwargs}
        return call_traced(tracing, function.func, (*function.args, *args), merged)
    slot = call_slot(tracing, function, args, kwargs)
    if slot is not None:
        return slot[0]
    if isinstance(function, type):
        return construct(tracing, function, args, kwargs)
    if tracing.hints.empty_lists:
        found = or_empty(tracing, function, args, kwargs)
        if found is not NotImplemented:
            return found
    if isinstance(function, types.BuiltinFunctionType | types.MethodWrapperType):
        return _call_builtin(tracing, function, args, kwargs)
    if isinstance(function, GETTERS) and len(args) == 1 and not kwargs:
        return call_getter(tracing, function, args)
    if isinstance(function, _KEY):
        return function(*args)
    if type(function) is weakref.ref and not args and not kwargs:
        return observe_referent(tracing, function)
    if isinstance(function, CACHED):
        return call_cached(tracing, function, args, kwargs)
    if isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType):
        return _call_descriptor(tracing, function, args, kwargs)
    if isinstance(function, ALIASES):
        alias: Any = function
        made = dispatch.call(alias.__origin__, *args, **kwargs)
        if hasattr(made, "__dict__"):
            set_attr(function, made, "__orig_class__")
        return made
    if isinstance(function, CELLS):
        kind = class_of(function)
        raise TypeError(f"'{kind.__module__}.{kind.__name__}' object is not callable")
    if not callable(function):
        raise TypeError(f"{type(function).__name__!r} object is not callable")
    special = dispatch.special_method(type(function), "__call__")
    if isinstance(special, types.FunctionType) and not _is_ours(special):
        return call_function(tracing, special, (function, *args), kwargs)
    if is_staged_function(special):  # a decorated `__call__`
        return call_traced(tracing, special, (function, *args), kwargs)
    return call_native(tracing, function, args, kwargs)


MOVING = frozenset(
    MODELS[one]
    for one in (
        *(list, tuple, iter, enumerate, zip, len, reversed, isinstance, *CHANGING),
        *(sum, any, all, min, max, str, repr, map, filter, sorted),
        *(one for one in MODELS if declared(one, "__module__") == "_operator"),
    )
)
"""What only moves the items of its arguments, or takes them one by one, as operators do: one of
them may be any of several."""
STEPPING = [MODELS[one] for one in (iter, reversed, enumerate, zip, map)]
"""What gives the items of its arguments one by one."""
LIVE = [
    MODELS[one]
    for one in (
        itertools.accumulate,
        itertools.chain.from_iterable,
        itertools.compress,
        itertools.islice,
        itertools.pairwise,
        itertools.zip_longest,
    )
]
"""These do, too, and see what the containers hold by then: they are made once, whatever that is."""
BY_KEY = ("get", "pop", "setdefault", "add", "discard", "remove")
GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)
ALIASES = (types.GenericAlias, type(typing.List[int]))  # noqa: UP006 - what typing makes
"""Classes with type arguments: `list[int]`, `Stack[float]`."""
_KEY = type(functools.cmp_to_key(lambda left, right: 0))


def _is_ours(function: Any) -> bool:
    module = declared(function, "__module__") or ""
    if isinstance(function, types.FunctionType):
        if function.__globals__.get("__name__", module) != module:
            return False  # functools.wraps copies the name of the module
    if is_plain_python(module):
        return False
    return bool(module == "autograph" or module.startswith("autograph."))


def _call_builtin(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A C function or a method of a built-in object."""
    owner = declared(function, "__self__")
    if isinstance(owner, dict | set) and args and isinstance(args[0], Choice):
        if function.__name__ in BY_KEY:
            return choose(
                tracing,
                args[0],
                lambda key: _call_builtin(tracing, function, (key, *args[1:]), kwargs),
            )
    if isinstance(owner, CACHED):
        refuse_statistics(function.__name__)
    if isinstance(owner, random.Random):
        found = drawn(tracing, function, args)
        if found is not NotImplemented:
            return found
    if isinstance(owner, CONTAINERS):
        return call_container_method(tracing, owner, function.__name__, args, kwargs)
    if isinstance(owner, tuple):
        found = call_tuple_method(tracing, owner, function.__name__, args)
        if found is not None:
            return found[0]
    if isinstance(owner, Number):
        return function(*args, **kwargs)
    if isinstance(owner, slice) and function.__name__ == "indices" and len(args) == 1:
        return indices(owner, *args)
    if isinstance(owner, types.GeneratorType):
        return generator_method(tracing, owner, function.__name__, args)
    if isinstance(owner, str) and takes_staged_text(tracing, function.__name__, args):
        return call_text_method(tracing, owner, function.__name__, args, kwargs)
    if isinstance(owner, str) and function.__name__ == "join" and args:
        if isinstance(args[0], Choice):
            return choose(
                tracing, args[0], lambda one: _call_builtin(tracing, function, (one,), kwargs)
            )
    formats = function.__name__ == "format"
    if isinstance(owner, str) and (formats or not any(isinstance(one, Choice) for one in args)):
        if function.__name__ == "join" and len(args) == 1:
            listed = args[0]
            if isinstance(listed, SequenceIterator):
                listed = dispatch.call(list, listed)
            many = isinstance(listed, Mapped) or recipe_of(tracing, listed) is not None
            if many or has_staged_length(tracing, listed):
                listed = listed if isinstance(listed, list) else listed_for_text(tracing, listed)
            chosen = chosen_contents(tracing, listed)
            if chosen is not None:

                def joined() -> Any:
                    return _call_builtin(tracing, function, (listed,), {})

                return with_each(tracing, listed, chosen, joined)
            contents = tracing.contents(listed)
            if isinstance(contents, StagedItems):
                return joined_rows(tracing, owner, contents)
            args = (listed,)
        given = [all_items(one) for one in args] if function.__name__ == "join" else args
        found = text_method(owner, function.__name__, tuple(given), kwargs)
        if found is not None:
            return found
    return call_native(tracing, function, args, kwargs)


def _call_descriptor(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`list.append(items, x)` and the like."""
    owner = args[0] if args else None
    if isinstance(owner, Choice) and getattr(function, "__objclass__", None) is str:
        return choose(
            tracing,
            owner,
            lambda one: _call_descriptor(tracing, function, (one, *args[1:]), kwargs),
        )
    if getattr(function, "__objclass__", None) is str and (
        isinstance(owner, Text)
        or (type(owner) is str and takes_staged_text(tracing, function.__name__, args[1:]))
    ):
        return call_text_method(tracing, owner, function.__name__, args[1:], kwargs)
    if isinstance(owner, list | dict | set | deque) and function.__name__ != "__init__":
        return call_container_method(tracing, owner, function.__name__, args[1:], kwargs)
    return call_native(tracing, function, args, kwargs)


def call_function(
    tracing: Tracing, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A Python function: converted, unless it is one of ours, pure by the table, or marked."""
    if not is_converted(function):
        if function in UNCONVERTED:
            return function(*args, **kwargs)
        if is_special(function):
            return call_native(tracing, function, args, kwargs)
        written = call_written(tracing, function, args, kwargs)
        if written is not NotImplemented:
            return written
        if function in OF_NUMPY:
            plain = function if holds_tensor(args[:1]) else OF_NUMPY[function]
            return call_native(tracing, plain, args, kwargs)
        if _is_ours(function) and function.__module__ != SequenceIterator.__module__:
            return call_native(tracing, function, args, kwargs)
        if args and isinstance(args[0], ENVIRONMENT) and function.__name__ in READING:
            return read_environment(tracing, function.__name__, *args[1:], **kwargs)
        if (function.__module__ or "").startswith("namedtuple_"):
            return function(*args, **kwargs)
        if is_pure(function) and not _better_converted(function):
            if args and isinstance(args[0], CONTAINERS) and _is_method_of(function, args[0]):
                return call_container_method(tracing, args[0], function.__name__, args[1:], kwargs)
            if not (args and _calls_methods_of(function, args[0])):
                return call_native(tracing, function, args, kwargs)
        if package_of(function) == "logging" or is_impure(function):
            return call_native(tracing, function, args, kwargs)  # which says what to write
        generated = generated_model(function, args[0]) if args else None
        if generated is not None:
            return generated(tracing, *args, **kwargs)
        if function.__qualname__ in ENTERING:
            refuse_late_entry(tracing, args[0])
        original, function = function, _converted(tracing, function)
        note_outer_cells(tracing, function)
        if is_generator_function(function):
            note_names(tracing, function)
            made = start(tracing, function, partial(convert_inlined, original), args, kwargs)
            note_making(tracing, made, original, args, kwargs)
            return made
        if tracing.hints.resuming and is_generator_function(original):
            made = run_converted(tracing, function, args, kwargs)
            note_making(tracing, made, original, args, kwargs)
            return with_form(made, function, partial(convert_inlined, original), args, kwargs)
    else:
        if is_outermost(function.__code__):
            note_outer_cells(tracing, function)
        if is_generator_function(function):
            note_names(tracing, function)
            made = start(tracing, function, partial(second_form, function), args, kwargs)
            note_making(tracing, made, function, args, kwargs)
            return made
        if tracing.hints.resuming and second_form(function) is not None:
            made = run_converted(tracing, function, args, kwargs)
            note_making(tracing, made, function, args, kwargs)
            return with_form(made, function, partial(second_form, function), args, kwargs)
    return run_converted(tracing, function, args, kwargs)


def _is_method_of(function: types.FunctionType, container: Any) -> bool:
    """Whether a function of the standard library is a method of this container's class."""
    return any(vars(base).get(function.__name__) is function for base in type(container).__mro__)


def _better_converted(function: types.FunctionType) -> bool:
    """Functions of the standard library are converted that only call the user's, and the methods
    of containers that are written in Python."""
    if function.__module__ == "collections.abc":  # the methods that classes inherit
        return True
    if function.__module__ == "statistics" and function.__name__ in CONVERTED:
        return True
    if hasattr(function, "__wrapped__") or "_from_" in function.__code__.co_name:
        return True
    if function.__qualname__.startswith(("ChainMap.", "UserDict.", "UserList.", "poly1d.")):
        return True
    if function.__module__.startswith("numpy.polynomial.") and "." in function.__qualname__:
        return True  # a method of `Polynomial` or its kin
    return function.__qualname__ in COUNTER_OPERATORS


COUNTER_OPERATORS = frozenset(
    f"Counter.{name}"
    for name in "__eq__ __ne__ __le__ __lt__ __ge__ __gt__"
    " __add__ __sub__ __or__ __and__ __pos__ __neg__ __iadd__ __isub__ __ior__ __iand__"
    " _keep_positive".split()
)


def _calls_methods_of(function: types.FunctionType, owner: Any) -> bool:
    """Whether a method of the library calls those of a class of the user's."""
    inherited = function.__module__ in ("json.encoder", "json.decoder", "numbers", "string")
    return inherited and is_users(type(owner)) and _is_method_of(function, owner)


def _converted(tracing: Tracing, function: types.FunctionType) -> types.FunctionType:
    try:
        return convert_function(function, tracing.hints.resuming)
    except SourceNotAvailableError as error:
        raise UnconvertedCallError(
            f"the source of {function.__qualname__} is not available, so what it does is unknown",
            remedy="put it into a file, call it through ag.py_function, or declare it with "
            "ag.pure(f) if its result depends on its arguments alone",
        ) from error


def run_converted(
    tracing: Tracing, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a converted function; the names that it may read are noted first."""
    note_names(tracing, function)
    return recursion.run(tracing, function, args, kwargs)


def note_names(tracing: Tracing, function: types.FunctionType) -> None:
    """Log the reads of globals and of outer variables that the function's code mentions."""
    key = ("prologue", id(function.__code__), id(function.__globals__))
    if key not in tracing.seen:
        tracing.seen[key] = True
        tracing.keep(function)
        for name in loaded_globals(function.__code__):
            read_global(tracing, function.__globals__, name)
    if function.__closure__ is not None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
            if name not in ("ag__", "__class__"):
                read_cell(tracing, cell, name)


@functools.cache
def loaded_globals(code: types.CodeType) -> tuple[str, ...]:
    """The names of globals that a code object, or one inside it, loads."""
    names = dict.fromkeys(globals_loaded(code))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names.update(dict.fromkeys(loaded_globals(constant)))
    return tuple(names)


dispatch.bind(call_traced, call_function)
