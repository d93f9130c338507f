"""Functions made while tracing: frozen as their code and the variables they share with others.

What leaves a staged function runs the code that the user wrote, over variables that hold results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import CellType, FunctionType
from typing import Any, Protocol

from autograph.conversion.syntax.build import (
    MODULE_NAME,
    is_inner,
    is_nested,
    original_code,
    second_form_name,
)
from autograph.errors import MergeError, StateError
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET
from autograph.values.skeleton import Again, Fixed, Made, Path, Skeleton

CHANGING = "changing"
"""Among the keys of a variable that is assigned after functions over it were made."""


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What all functions made by one definition have in common."""

    function: FunctionType

    def make(self, cells: dict[str, CellType], original: bool) -> FunctionType:
        """A function over these variables; `original`: with the code that the user wrote."""
        like = self.function
        code = original_code(like.__code__) if original else like.__code__
        assert code is not None
        closure = tuple(cells[name] if name in cells else CellType() for name in code.co_freevars)
        made = FunctionType(code, like.__globals__, like.__name__, None, closure)
        made.__qualname__ = like.__qualname__
        made.__doc__ = like.__doc__
        made.__annotations__ = dict(like.__annotations__)
        second = _second_form(like)
        if second is not None and not original:
            known = dict(zip(second.__code__.co_freevars, second.__closure__ or (), strict=True))
            own = {**cells, **{name: cell for name, cell in known.items() if name == MODULE_NAME}}
            made.__dict__[second_form_name(code)] = template_of(second).make(own, original)
        return made


def _second_form(function: FunctionType) -> FunctionType | None:
    """The second form of a generator function, if it has no variables but those of the function."""
    second = vars(function).get(second_form_name(function.__code__))
    if second is None:
        return None
    known = set(map(id, function.__closure__ or ()))
    own = zip(second.__code__.co_freevars, second.__closure__ or (), strict=True)
    shared = all(name == MODULE_NAME or id(cell) in known for name, cell in own)
    return second if shared else None


_templates: dict[tuple[int, int], Template] = {}


def template_of(function: FunctionType) -> Template:
    """The template of a function: one and the same for those of one definition."""
    key = (id(function.__code__), id(function.__globals__))
    return _templates.setdefault(key, Template(function))


class Freezing(Protocol):
    """The part of a freezer that functions need."""

    tracing: Tracing
    region: Any
    regions: list[Any]
    graphs: list[Any]
    leaving: bool
    by_reference: bool
    met: dict[int, Path]
    path: Path

    def meet(self, value: Any, path: Path) -> None:
        """Note where an object stands that is frozen by its value."""

    def freeze_all(self, values: Iterable[Any]) -> tuple[Skeleton, ...]:
        """The skeletons of the parts of a value."""


class Thawing(Protocol):
    """The part of a thawer that functions need."""

    def note(self, paths: Iterable[Path], made: Any) -> None:
        """Remember an object by where it stood."""

    def thaw(self, skeleton: Skeleton) -> Any:
        """The next value."""


def kept_by_value(freezer: Freezing, function: FunctionType) -> list[Any]:
    """What a function holds that goes by value with it into a container of staged length.

    StateError for a variable that changes after the function was made: in there it would not.
    """
    if not is_inner(function.__code__) or not _is_made_in_region(freezer, function, set()):
        return []
    found: list[Any] = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for name, cell in own_cells(freezer.tracing, function).items():
        if _is_older(freezer, cell):
            continue
        if id(cell) in freezer.tracing.closures.changing:
            raise StateError(
                f"a function that is put into a container of staged length uses '{name}', which "
                "is assigned after the function was made",
                remedy=f"give it the value that it is to use, as {name}={name} among its "
                "parameters, or put an object with a method into the container",
            )
        found.append(_contents(cell))
    return found


def own_cells(tracing: Tracing, function: FunctionType) -> dict[str, CellType]:
    """The variables of a function that belong to calls of this trace."""
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    return {
        name: cell
        for name, cell in zip(names, cells, strict=True)
        if name != MODULE_NAME and id(cell) not in tracing.closures.outer
    }


def sight(tracing: Tracing, function: FunctionType) -> None:
    """Note when a function that was defined in this trace was met first."""
    tracing.keep(function)
    tracing.closures.sighted.setdefault(id(function), tracing.resumption.entered)


def freeze_function(freezer: Freezing, function: FunctionType) -> Skeleton:
    """The function itself, unless it was made in the region over variables of the region."""
    if not is_inner(function.__code__):
        return Fixed(function)
    sight(freezer.tracing, function)
    if freezer.by_reference:
        return Fixed(function)
    own = own_cells(freezer.tracing, function)
    if not freezer.leaving and not _is_made_in_region(freezer, function, set()):
        return Fixed(function)
    if id(function) in freezer.met:
        return Again(freezer.met[id(function)], kind=FunctionType)
    if freezer.leaving and original_code(function.__code__) is None:
        return Fixed(function)
    path = freezer.path
    freezer.meet(function, path)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells.pop(MODULE_NAME, None)
    if not freezer.leaving:
        own = {name: cell for name, cell in own.items() if not _is_older(freezer, cell)}
    changing = {name for name, cell in own.items() if id(cell) in freezer.tracing.closures.changing}
    # others may be copied, but where the caller can look into the functions
    shared = set(own) if freezer.leaving else changing
    new = [name for name in own if name not in shared or id(cells[name]) not in freezer.met]
    for number, name in enumerate(cells):
        if name in new and name in shared:
            freezer.meet(cells[name], (*path, number))
    items: list[Skeleton] = []
    for number, (name, cell) in enumerate(cells.items()):
        if name in new:
            freezer.path = (*path, number)
            contents = freezer.freeze_all((_contents(cell),))
            known = (name, CHANGING) if name in changing else (name,)
            items.append(Made(CellType, known, contents, ((*path, number),)))
        elif name in own:
            items.append(Again(freezer.met[id(cell)], kind=CellType))
        else:
            items.append(Fixed(cell))
    freezer.path = (*path, "parts")
    keys, parts = _parts(function)
    items += freezer.freeze_all(parts)
    freezer.path = path
    keys = (*(f"cell {name}" for name in cells), *keys)
    return Made(FunctionType, keys, tuple(items), (path,), template_of(function))


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return UNSET


def _parts(function: FunctionType) -> tuple[tuple[str, ...], list[Any]]:
    """Default values and attributes, and what they are."""
    keys: list[str] = []
    values: list[Any] = []
    second = _second_form(function) or UNSET  # made with the function
    for number, value in enumerate(function.__defaults__ or ()):
        keys.append(f"default {number}")
        values.append(value)
    for word, named in (("keyword", function.__kwdefaults__), ("attribute", function.__dict__)):
        for name, value in (named or {}).items():
            if value is second:
                continue
            keys.append(f"{word} {name}")
            values.append(value)
    return tuple(keys), values


def _is_made_in_region(freezer: Freezing, function: FunctionType, seen: set[int]) -> bool:
    """Whether a function was made there: in the body of the loop, or with values made there."""
    if not is_inner(function.__code__):
        return False
    sighted = freezer.tracing.closures.sighted.get(id(function))
    for region in freezer.regions:
        known = sighted is not None and sighted < region.number
        if not known and is_nested(function.__code__, region.turn_of):
            return True
    own = own_cells(freezer.tracing, function)
    if any(_is_made_here(freezer, cell, seen) for cell in own.values()):
        return True
    given = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    return any(_is_value_here(freezer, value, seen) for value in given)


def _is_older(freezer: Freezing, cell: CellType) -> bool:
    """Whether a variable is known to be of a call from before the region."""
    inside, around = _turn(freezer.regions)
    if around is not None and any(id(cell) in region.born for region in inside):
        return False
    key = ("cell", id(cell))
    if any(key in region.log for region in freezer.regions):
        return True
    if around is None:
        return id(cell) in freezer.tracing.closures.changing
    while around is not None and id(cell) not in around.born:
        around = around.parent
    return around is not None


def _turn(regions: Sequence[Region]) -> tuple[Sequence[Region], Region | None]:
    """The regions whose variables are by value, and the one around them.

    What goes into a container of staged length is frozen up to the root, but what was made before
    the turn is not made anew in it.
    """
    if regions[-1].parent is not None:
        return regions, regions[-1].parent
    for number, region in enumerate(regions):
        if region.turn_of:
            return regions[: number + 1], region.parent
    return regions, None


def _is_made_here(freezer: Freezing, cell: CellType, seen: set[int]) -> bool:
    """Whether a variable belongs to a call inside the region, with a value made there."""
    if id(cell) in seen or _is_older(freezer, cell):
        return False
    seen.add(id(cell))
    if any(id(cell) in region.born for region in _turn(freezer.regions)[0]):
        return True
    return _is_value_here(freezer, _contents(cell), seen)


def _is_value_here(freezer: Freezing, value: Any, seen: set[int]) -> bool:
    """Whether a value was made in the region."""
    if isinstance(value, FunctionType):
        return _is_made_in_region(freezer, value, seen)
    if type(value) is tuple:
        return any(_is_value_here(freezer, one, seen) for one in value)
    inside, _ = _turn(freezer.regions)
    if any(id(value) in region.born for region in inside):
        return True
    held = value.tag if isinstance(value, Choice) else value
    graph = getattr(getattr(held, "_value", None), "graph", None)
    return isinstance(held, Tensor | Number) and any(graph is one.trace.graph for one in inside)


def thaw_function(thawer: Thawing, skeleton: Made, original: bool) -> FunctionType:
    """A new function, over new variables where they were made in the region."""
    cells: dict[str, CellType] = {}
    pending: list[tuple[CellType, Skeleton]] = []
    count = sum(key.startswith("cell ") for key in skeleton.keys)
    for key, item in zip(skeleton.keys[:count], skeleton.items[:count], strict=True):
        if isinstance(item, Made):
            cell = CellType()
            thawer.note(item.paths, cell)
            pending.append((cell, item.items[0]))
        elif isinstance(item, Again | Fixed):
            cell = thawer.thaw(item)
        else:
            raise MergeError(
                "which variables a function shares with others depends on a staged condition",
                remedy="make the function before the condition, or give it what it needs as an "
                "argument",
            )
        cells[key.removeprefix("cell ")] = cell
    function: FunctionType = skeleton.setting.make(_with_operators(skeleton, cells), original)
    thawer.note(skeleton.paths, function)
    for cell, contents in pending:
        value = thawer.thaw(contents)
        if value is not UNSET:
            cell.cell_contents = value
    _give_parts(function, zip(skeleton.keys[count:], skeleton.items[count:], strict=True), thawer)
    return function


def _with_operators(skeleton: Made, cells: dict[str, CellType]) -> dict[str, CellType]:
    like = skeleton.setting.function
    known = dict(zip(like.__code__.co_freevars, like.__closure__ or (), strict=True))
    return {**cells, MODULE_NAME: known[MODULE_NAME]} if MODULE_NAME in known else cells


def _give_parts(
    function: FunctionType, parts: Iterator[tuple[str, Skeleton]], thawer: Thawing
) -> None:
    defaults = []
    for key, item in parts:
        word, _, name = key.partition(" ")
        value = thawer.thaw(item)
        if word == "default":
            defaults.append(value)
        elif word == "keyword":
            function.__kwdefaults__ = {**(function.__kwdefaults__ or {}), name: value}
        else:
            function.__dict__[name] = value
    function.__defaults__ = tuple(defaults) or None


# partial ------------------------------------------------------------------------------------------
def freeze_partial(freezer: Freezing, value: functools.partial[Any]) -> Skeleton:
    """A `functools.partial` that was made in the region."""
    path = freezer.path
    freezer.meet(value, path)
    parts = (value.func, *value.args, *value.keywords.values())
    keys = ("function", *("argument" for _ in value.args), *value.keywords)
    return Made(type(value), keys, freezer.freeze_all(parts), (path,))


def thaw_partial(thawer: Thawing, skeleton: Made) -> functools.partial[Any]:
    """A new one of its parts."""
    parts = [thawer.thaw(item) for item in skeleton.items]
    positional = skeleton.keys.count("argument")
    names = skeleton.keys[positional + 1 :]
    kind: Callable[..., Any] = skeleton.kind
    named = dict(zip(names, parts[positional + 1 :], strict=True))
    made: functools.partial[Any] = kind(*parts[: positional + 1], **named)
    thawer.note(skeleton.paths, made)
    return made


# calling back -------------------------------------------------------------------------------------
def detached(tracing: Tracing, function: Any) -> Any:
    """A function for `py_function`, over what its variables hold now; StateError if that is staged.

    It runs each time the graph does, when the variables of this call have long gone.
    """
    if not isinstance(function, FunctionType) or not is_inner(function.__code__):
        return function
    own = own_cells(tracing, function)
    code = original_code(function.__code__)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name, cell in own.items():
        value = detached(tracing, _contents(cell))
        if not _is_plain(tracing, value):
            raise StateError(
                f"a function called by py_function uses '{name}', a variable of the staged "
                "function that is known only when it runs",
                remedy=f"give it in the inputs: ag.py_function(f, [{name}], spec)",
            )
        _guard_objects(tracing, value)
        cells[name] = CellType(value) if value is not UNSET else CellType()
    if code is None:
        raise StateError(
            "the source of a function called by py_function is not told from another's",
            remedy="define it outside the staged function",
        )
    made = template_of(function).make(cells, original=True)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def _guard_objects(tracing: Tracing, value: Any) -> None:
    """A function called back holds this object, whatever another call finds at its path."""
    path = tracing.paths.get(id(value))
    if path is not None:
        tracing.guard(f"{path} is {tracing.table.constant(value)}")
    for one in value if isinstance(value, tuple) else ():
        _guard_objects(tracing, one)


def _is_plain(tracing: Tracing, value: Any) -> bool:
    """Whether a value is the same for every call of the graph."""
    if isinstance(value, Tensor):
        return not tracing.is_born(value) and getattr(value._value, "graph", None) is None
    if isinstance(value, tuple):
        return all(_is_plain(tracing, one) for one in value)
    return not isinstance(value, Number | Choice) and not tracing.is_born(value)
