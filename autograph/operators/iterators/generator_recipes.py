"""Generators made while tracing: real ones, each with the recipe of its second form.

What a generator of Python's own does cannot be taken back. So its items are asked of a twin, made
anew by the recipe; which twin is kept in a place, and a roll-back makes the generator fresh again.
Nobody here keeps a generator: Python closes it when the program lets it go, and its twins with it.
"""

from __future__ import annotations

import gc
import inspect
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, GeneratorType
from typing import Any

from autograph.conversion.syntax.build import is_converted, second_form_name
from autograph.errors import StagingError, StateError
from autograph.merge.iterator_makers import forget_making
from autograph.tracing.places import AttributePlace
from autograph.tracing.region import Region, advanced_inside, not_one_by_one
from autograph.tracing.tracing import Tracing
from autograph.values.sentinels import UNSET

STANDING_IN: set[CodeType] = set()
"""The code of generators that ask objects of the user's for items."""
WHOLE, PART = -1, -2
"""How far the second form of a generator has run; else the number of its twin."""


class Recipe:
    """What made a generator, and its second form, None if it has none."""

    __slots__ = (
        "__weakref__", "_form", "arguments", "make", "making", "of_python", "progress", "reference",
        "source", "twins",
    )  # fmt: skip
    _keeps_identity = True

    def __init__(
        self, make: Callable[[], Any], generator: Any, form: Callable[[], FunctionType | None]
    ) -> None:
        self.make = make
        self.reference = weakref.ref(generator)
        self._form = form
        bound = generator.gi_frame.f_locals
        self.arguments = {name: bound[name] for name in parameter_names(generator.gi_code)}
        self.twins: list[Any] = []
        self.of_python = False
        """Whether it stands for an iterator of Python's own, which an exception does not end."""
        self.source: Any = None
        """The generator of the third form that gives the items, if one does."""
        self.making: Any = None
        """The call that made it, as the user wrote it."""

    @property
    def made_by(self) -> Any:
        """That call, as long as nothing was asked of the generator."""
        return self.making if self.place.get() is UNSET and self.source is None else None

    @property
    def inlined(self) -> FunctionType | None:
        """The second form."""
        return self._form()

    def arguments_with(self, consumer: Any) -> dict[str, Any]:
        """The arguments of the second form, whose last parameter is the consumer."""
        assert self.inlined is not None
        return {**self.arguments, parameter_names(self.inlined.__code__)[-1]: consumer}

    def given_form(self, form: Any, arguments: dict[str, Any], source: Any) -> None:
        """Take the second form of the generator that gives the items."""
        self._form, self.arguments, self.source = form, arguments, source

    @property
    def place(self) -> AttributePlace:
        """Where it is kept how far the generator has come."""
        return AttributePlace(self, "progress")


def generator(inlined: FunctionType) -> Callable[[FunctionType], FunctionType]:
    """Mark a generator function that has a second form."""

    def mark(function: FunctionType) -> FunctionType:
        function.__dict__[second_form_name(function.__code__)] = inlined
        return function

    return mark


def second_form(function: FunctionType) -> FunctionType | None:
    """The second form of a generator function that was defined in a converted one."""
    return vars(function).get(second_form_name(function.__code__))


def is_generator_function(function: FunctionType) -> bool:
    """Whether calls of a function make generators."""
    return bool(function.__code__.co_flags & inspect.CO_GENERATOR)


def start(
    tracing: Tracing,
    function: FunctionType,
    form: Callable[[], FunctionType | None],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """A generator of a converted generator function."""

    def make() -> Any:
        return function(*args, **kwargs)

    made = make()
    tracing.resumption.makes_generators = True
    recipe = Recipe(make, made, form)
    if function.__code__.co_flags & inspect.CO_VARKEYWORDS:
        tracing.born(recipe.arguments[parameter_names(function.__code__)[-1]])
    key = id(made)
    tracing.generators[key] = recipe
    tracing.born(recipe)
    tracing.region.born[key] = recipe
    # Held weakly: what the trace holds may hold the generator, which then would never go.
    held = weakref.ref(tracing), key, weakref.ref(recipe)
    weakref.finalize(made, _forget, *held).atexit = False
    return made


def _forget(of_tracing: weakref.ref[Tracing], key: int, of_recipe: weakref.ref[Recipe]) -> None:
    """The generator is gone: another object may have its id from now on."""
    tracing, found = of_tracing(), of_recipe()
    if tracing is None or found is None:
        return
    recipe: Recipe = found
    if tracing.generators.get(key) is recipe:
        del tracing.generators[key]
    region: Region | None = tracing.region
    while region is not None:
        if region.born.get(key) is recipe:
            del region.born[key]
        region = region.parent
    recipe.twins.clear()


def parameter_names(code: CodeType) -> tuple[str, ...]:
    """The names of all parameters."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:count]


def recipe_of(tracing: Tracing, iterable: Any) -> Recipe | None:
    """The recipe of a generator that was made in this trace."""
    if type(iterable) is not GeneratorType:
        return None
    recipe: Recipe | None = tracing.generators.get(id(iterable))
    return recipe


def fresh_recipe(tracing: Tracing, iterable: Any) -> Recipe | None:
    """The recipe of a generator that can still be run by its second form, else None."""
    recipe = recipe_of(tracing, iterable)
    if recipe is None or recipe.place.get() is not UNSET or recipe.inlined is None:
        return None
    return recipe


def pulled(tracing: Tracing, recipe: Recipe) -> Any:
    """The twin of a generator, to be asked for items; noted as advanced.

    Raises StateError where its second form was left early, or has run on some staged paths only,
    and where the staged code around would have to take back what is asked for.
    """
    refuse_running(tracing, recipe if recipe.source is None else recipe.source)
    progress = recipe.place.get()
    if progress is UNSET:
        twin = recipe.make()
        tracing.touch(recipe.place)
        recipe.place.set(len(recipe.twins))
        recipe.twins.append(twin)
        tracing.region.born[id(twin)] = recipe
        return Noting(tracing, recipe, twin) if recipe.of_python else twin
    if type(progress) is not int or progress == PART:
        raise used_again()
    if progress == WHOLE:
        return iter(())
    twin = recipe.twins[progress]
    if id(twin) in tracing.lost:  # a loop that a staged condition leaves has asked for all items
        raise used_again()
    note_advanced(tracing, twin)
    return Noting(tracing, recipe, twin) if recipe.of_python else twin


class Noting:
    """The items of a twin of an iterator of Python's own: where its function raised, nobody knows
    how to go on."""

    def __init__(self, tracing: Tracing, recipe: Recipe, twin: Any) -> None:
        self.tracing = tracing
        self.recipe = recipe
        self.twin = twin

    def __iter__(self) -> Noting:
        return self

    def __next__(self) -> Any:
        try:
            return next(self.twin)
        except (StopIteration, StagingError):
            raise
        except Exception:
            use(self.tracing, self.recipe, PART)
            raise


@contextmanager
def executing(tracing: Tracing, generator: Any) -> Iterator[None]:
    """While the code of a generator runs, or that of the second form of a recipe."""
    outer = tracing.resumption.executing
    tracing.resumption.executing = (*outer, generator)
    try:
        yield
    finally:
        tracing.resumption.executing = outer


def refuse_running(tracing: Tracing, generator: Any) -> None:
    """ValueError where the code of a generator asks the generator itself for something."""
    if any(one is generator for one in tracing.resumption.executing):
        raise ValueError("generator already executing")


def used_again() -> StateError:
    """The error for a generator that stands nobody knows where."""
    return StateError(
        "a generator is used again after staged code that may have left it early, or may not have "
        "used it at all",
        remedy="make the generator anew, or make a list of its items before",
    )


def note_advanced(tracing: Tracing, iterator: Any) -> None:
    """Note that an item is asked of an iterator that was made in this trace.

    Raises StateError where the staged code around would have to take that back.
    """
    forget_making(tracing, iterator)
    region: Region | None = tracing.region
    while region is not None and region.trace is tracing.region.trace:
        if id(iterator) in region.born:
            tracing.region.advance(iterator)
            return
        region = region.parent
    kind = getattr(iterator, "kind", type(iterator)).__name__
    raise advanced_inside(kind)


def use(tracing: Tracing, recipe: Recipe, progress: int) -> None:
    """Note that the second form of a generator runs, or how far it ran."""
    places = [(recipe.place, progress)]
    if recipe.source is not None:
        places.append((AttributePlace(recipe.source, "ended"), True))
        places.append((AttributePlace(recipe.source, "left"), progress == PART))
    for place, value in places:
        tracing.touch(place)
        place.set(value)


def around_yield(message: str) -> StateError:
    """The error for what a generator cannot do when its items are asked for one by one."""
    return not_one_by_one(
        f"{message} around a `yield` is known only when the function runs, and the items of the "
        "generator are asked for one by one"
    )


def attempt(tracing: Tracing, pull: Callable[[], Any], push: Callable[[], Any]) -> Any:
    """`pull()` the items one by one; `push()` in its stead where that cannot be."""
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        try:
            result = pull()
        except StateError as error:
            if "around_yield" not in vars(error):
                region.commit()
                raise
            region.roll_back()
            checkpoint.restore()
            # An iterator of Python's own over generators cannot go back to where it stood.
            tracing.lost |= tracing.wrapping & region.advanced.keys()
        except BaseException:
            region.commit()
            raise
        else:
            region.commit()
            return result
    return push()


LEAVES_SOMETHING = {"suspending", "context", "touch_cells", "touch_globals"}
"""What the code of a generator mentions that has to do something when it is left or goes on."""


def refuse_leaving(tracing: Tracing, iterator: Any) -> None:
    """StateError where a staged condition leaves a loop over a generator that would notice it."""
    iterator = iterator.twin if isinstance(iterator, Noting) else iterator
    notices = id(iterator) in tracing.wrapping
    if _is_users(iterator):
        inside = gc.get_referents(iterator)  # also what its loops are going over
        notices = bool(LEAVES_SOMETHING & set(iterator.gi_code.co_names)) or any(
            _is_users(one) or id(one) in tracing.wrapping for one in inside
        )
    if notices:
        error = StateError(
            "a loop over a generator is left under a condition that is known only when the graph "
            "runs, and the generator would notice: by a with or try statement around its `yield`, "
            "or by variables of another function",
            remedy="put the with or try statement around the loop, or go over the generator in a "
            "for statement that is not left",
        )
        error.__dict__["around_yield"] = True
        raise error


def _is_users(iterator: Any) -> bool:
    """Whether an iterator is a generator of converted code, or one that stands for it."""
    if not isinstance(iterator, GeneratorType):
        return False
    return is_converted(iterator.gi_code) or iterator.gi_code in STANDING_IN


def wraps(tracing: Tracing, made: Any, iterables: tuple[Any, ...]) -> Any:
    """Note that an iterator of Python's own takes its items from a generator, if it does."""
    iterables = tuple(one.twin if isinstance(one, Noting) else one for one in iterables)
    if any(_is_users(one) or id(one) in tracing.wrapping for one in iterables):
        tracing.wrapping.add(id(made))
        tracing.keep(made)
    return made
