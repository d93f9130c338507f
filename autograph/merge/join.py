"""Joining types: the type that two values share, so that a branch or a loop can leave either."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph.errors import MergeError
from autograph.merge.array_views import awaits_storage, is_view, spec_of_view
from autograph.merge.exception_causes import has_several_causes, have_other_causes
from autograph.merge.join_specs import Own, join_items, join_specs
from autograph.merge.option_counts import MAXIMUM_OPTIONS, check_count
from autograph.merge.shared_objects import names_in_row, with_own_names
from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.core.spec import NUMBER_SPECS, ListSpec, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.elementwise.large_ints import is_large
from autograph.strings.characters import (
    as_row,
    holds_string,
    is_looked_into,
    join_spelled,
    with_one_spelled,
)
from autograph.strings.growing_strings import (
    is_string,
    is_text,
    is_uniform,
    join_many_strings,
    join_strings,
    rows_of_text,
)
from autograph.strings.text import Text
from autograph.tracing.tracing import current
from autograph.values.object_state import BASE
from autograph.values.references import FoundReferences
from autograph.values.sentinels import DONT_CARE, PENDING
from autograph.values.skeleton import (
    STAGED_CONTENTS,
    Again,
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Packed,
    Path,
    Reference,
    Skeleton,
    alike,
    attributes_of_container,
    candidates,
    contents_of,
    elements_of,
    have_names,
    kind_of,
    leaf_of,
    position,
    same_keys,
    same_object,
    with_contents,
    with_names,
)


@dataclass(slots=True)
class Joining:
    """What is being merged, for messages; and whether values are elements of a list."""

    what: str = "a value"
    in_list: bool = False
    grow: bool = False
    """Whether contents of lists that differ in length become a list of staged length."""
    lengthen: bool = False
    """Whether strings of other staged parts become one of as many pieces as the run tells."""
    pack: bool = False
    """Whether contents that differ become packed ones: those of objects in a store."""
    own: Own | None = None
    """The symbols of a loop or a recursion, which stand for another size in each turn or call."""


def join(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton:
    """The type that holds both: the same where they agree, else staged, else a choice."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Fixed) and one.value is DONT_CARE:
            return other
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Fixed) and one.value is PENDING:
            return other
    if isinstance(left, Choices) or isinstance(right, Choices):
        contents = _joined_contents(left, right, context)
        return contents or _join_options(left, right, context)
    merged = _join_plain(left, right, context)
    if merged is not None:
        return merged
    for one in (left, right):
        if isinstance(one, Again) and one.leaf is None:
            raise _shared(one, context)
    return Choices((left, right))


def lengthened(left: Skeleton, right: Skeleton, what: str, own: Own) -> Skeleton:
    """The type of what calls of a recursive function pass on: a string may get longer."""
    return join(left, right, Joining(what, grow=True, lengthen=True, own=own))


def _shared(again: Again, context: Joining) -> BaseException:
    error = MergeError(
        f"{context.what} is the same object as another value on one path only",
        remedy="make the branches agree on which names share an object, or copy it",
    )
    if again.kind is None:
        return error
    early = None if context.in_list and not again.referred else (again.kind,)
    return FoundReferences(again.kind, early, otherwise=error)


def _join_plain(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton | None:
    joined = _join_structures(left, right, context)
    if is_text(left) or is_text(right):
        if isinstance(joined, Group) and is_uniform(joined):
            return joined
        if context.in_list and (spelled := join_spelled((left, right), True)) is not None:
            return spelled
        made = packed if context.in_list else grown
        longer = join_strings(left, right, _grows(context), lambda rows: made(list, rows, context))
        return longer or (None if _grows(context) else join_spelled((left, right)))
    return joined


def _grows(context: Joining) -> bool:
    """Whether a string that gets longer is to be as many pieces as the run tells, pushed to it."""
    return context.grow or context.lengthen


def _join_structures(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton | None:
    if context.in_list:  # which holds views by value
        left, right = (_staged(one) if is_view(one) else one for one in (left, right))
    match left, right:
        case Cell(), Cell() if left.tensor is right.tensor and not context.in_list:
            return left
        case Again(), Again() if left.path == right.path:
            return left
        case (Leaf() | Cell() | Again(), Leaf() | Cell() | Again()):
            return _join_leaves(left, right, context)
        case Fixed(), Fixed() if same_object(left.value, right.value):
            return left
        case Fixed(value=number), Fixed(value=other) if type(number) is type(other):
            if is_large(number) or is_large(other):
                return None
            return number_leaf(number)
        case (Fixed(value=np.generic() as number), Leaf() | Cell()):
            scalar = number_leaf(number)
            return scalar and _join_leaves(scalar, right, context)
        case (Leaf() | Cell(), Fixed(value=np.generic() as number)):
            scalar = number_leaf(number)
            return scalar and _join_leaves(left, scalar, context)
        case (Fixed(value=number), Leaf()) | (Leaf(), Fixed(value=number)) if is_large(number):
            return None
        case (Fixed(value=number), Leaf(spec=spec)) | (Leaf(spec=spec), Fixed(value=number)):
            return Leaf(spec) if NUMBER_SPECS.get(type(number)) == spec else None
        case Group(), Group() if left.kind == right.kind and len(left.items) == len(right.items):
            items = _join_all(left.items, right.items, context)
            if hasattr(left.kind, "_stays_whole") and _is_chosen(items):
                return None
            return Group(left.kind, items)
        case Made(), Made() if left.kind is right.kind and left.setting is right.setting:
            return _join_made(left, right, context)
        case Reference(), Reference():
            if left.key == right.key:
                return Reference(left.key, left.kind)
            tracing = current()
            if tracing is not None:
                tracing.keeper.meet(left, right)
            return None
        case (Held() | Grown() | Packed(), Held() | Grown() | Packed()) if Packed in (
            type(left),
            type(right),
        ):
            return packed(left.kind, [*elements_of(left), *elements_of(right)], context)
        case (Held() | Grown(), Held() | Grown()):
            return _join_contents(left, right, context)
    return None


def number_leaf(value: Any) -> Leaf | None:
    """What a known number is where it is one of several: a staged one, or a scalar of NumPy's."""
    if isinstance(value, np.generic):
        return Leaf(Spec(value.dtype, ()), kind=Scalar) if value.dtype.kind in "biufc" else None
    spec = NUMBER_SPECS.get(type(value))
    return None if spec is None else Leaf(spec)


def _is_chosen(items: tuple[Skeleton, ...]) -> bool:
    """Whether some part of a structure is one of several."""
    return any(
        isinstance(one, Choices) or (isinstance(one, Group) and _is_chosen(one.items))
        for one in items
    )


def _join_made(left: Made, right: Made, context: Joining) -> Skeleton | None:
    paths = tuple(dict.fromkeys(left.paths + right.paths))
    flags = (left.sealed or right.sealed, left.referred, left.stored)
    if left.stored:
        context = replace(context, pack=True)
    if _mentions(left.items, _without(right.paths, left.paths)):
        return None
    if _mentions(right.items, _without(left.paths, right.paths)):
        return None
    if left.stored and right.stored and have_names(left) and left.keys != right.keys:
        names = tuple(dict.fromkeys(left.keys + right.keys))
        left, right = with_names(left, names), with_names(right, names)
    by_base = all(one.keys and one.keys[0] is BASE for one in (left, right))
    if by_base and not alike(left.items[0], right.items[0]):
        return None
    if same_keys(left.keys, right.keys) and _like_arguments(left, right):
        if have_other_causes(left, right):
            return None
        items = _join_all(left.items, right.items, context)
        if has_several_causes(left.kind, left.keys, items):
            return None
        return Made(left.kind, left.keys, items, paths, left.setting, *flags)
    one, other = contents_of(left), contents_of(right)
    if one is None or other is None:
        return None
    contents = join(one, other, context)
    if not isinstance(contents, Grown | Packed):
        return None
    own = _join_all(attributes_of_container(left), attributes_of_container(right), context)
    items = (contents, *own)
    return Made(left.kind, STAGED_CONTENTS, items, paths, left.setting, *flags)


def _without(paths: tuple[Path, ...], others: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(path for path in paths if path not in others)


def _like_arguments(left: Made, right: Made) -> bool:
    """Whether two objects of a class have as many parts, exceptions as many arguments, too."""
    if not issubclass(left.kind, BaseException):
        return len(left.items) == len(right.items)
    one, other = left.items[0], right.items[0]
    return (
        isinstance(one, Group) and isinstance(other, Group) and len(one.items) == len(other.items)
    )


def _mentions(items: tuple[Skeleton, ...], paths: tuple[Path, ...]) -> bool:
    """Whether among the parts of an object is one met at `paths` or below: they are not one."""
    for item in items:
        if isinstance(item, Again) and any(item.path[: len(one)] == one for one in paths):
            return True
        if _mentions(
            item.options if isinstance(item, Choices) else getattr(item, "items", ()), paths
        ):
            return True
    return False


def _join_all(
    left: tuple[Skeleton, ...], right: tuple[Skeleton, ...], context: Joining
) -> tuple[Skeleton, ...]:
    return tuple(join(one, other, context) for one, other in zip(left, right, strict=True))


def _join_leaves(
    left: Leaf | Cell | Again, right: Leaf | Cell | Again, context: Joining
) -> Skeleton | None:
    one, other = leaf_of(left), leaf_of(right)
    if one is None or other is None or _kind(one) is not _kind(other):
        return None
    if context.in_list:
        spec = join_items(one.spec, other.spec)
    else:
        spec = join_specs(one.spec, other.spec, context.own)
    if spec is None:
        return None
    paths = tuple(dict.fromkeys(_paths(left) + _paths(right)))
    if isinstance(spec, ListSpec) or spec.python:
        return Leaf(spec, sealed=context.in_list, paths=paths, kind=_kind(one))
    if context.in_list and not any(isinstance(side, Leaf) and side.same for side in (left, right)):
        return Leaf(spec, sealed=True, paths=paths, kind=_kind(one))
    same = list(candidates(left))
    for candidate in candidates(right):
        if position(same, candidate) is None:
            same.append(candidate)
    sealed = context.in_list or any(side.sealed for side in (one, other))
    own = not all(isinstance(side, Cell) or _is_another(side) for side in (left, right))
    if context.in_list:  # rows tell which tensors of before the call they hold, and no others
        known = [one for one in same if _is_of_before(one)]
        own, same = own or len(known) < len(same), known
    return Leaf(spec, same=tuple(same), sealed=sealed, paths=paths, own=own, kind=_kind(one))


def _is_of_before(candidate: Tensor | Path) -> bool:
    tracing = current()
    return tracing is None or (isinstance(candidate, Tensor) and id(candidate) in tracing.paths)


def _kind(side: Leaf | Cell) -> type[Tensor]:
    """Tensor, Array or Scalar."""
    return side.kind if isinstance(side, Leaf) else kind_of(side.tensor)


def _is_another(side: Skeleton) -> bool:
    """Whether a tensor is always one of its candidates."""
    return isinstance(side, Leaf) and not side.own


def _paths(skeleton: Skeleton) -> tuple[Path, ...]:
    return skeleton.paths if isinstance(skeleton, Leaf) else ()


def _join_contents(left: Held | Grown, right: Held | Grown, context: Joining) -> Skeleton | None:
    if left.kind is not right.kind:
        return None
    if isinstance(left, Held) and isinstance(right, Held):
        if same_keys(left.keys, right.keys) and len(left.items) == len(right.items):
            return Held(left.kind, left.keys, _join_all(left.items, right.items, context))
        if context.pack:
            return packed(left.kind, [*elements_of(left), *elements_of(right)], context)
        if left.kind is not list or not context.grow:
            return None
    return grown(left.kind, [*elements_of(left), *elements_of(right)], context)


def _joined_contents(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton | None:
    """Contents that are one of several, as contents of staged length: in a loop, or of too many."""
    parts = [
        part
        for side in (left, right)
        for part in (side.options if isinstance(side, Choices) else (side,))
    ]
    held = [part for part in parts if isinstance(part, Held | Grown)]
    if len(held) != len(parts) or any(part.kind is not held[0].kind for part in held):
        return None
    known = [part for part in held if isinstance(part, Held)]
    lists = context.grow and held[0].kind is list
    if len(known) == len(held) and not lists and len(held) <= MAXIMUM_OPTIONS:
        return None
    return grown(held[0].kind, [one for part in held for one in elements_of(part)], context)


def grown(kind: type, elements: list[Skeleton], context: Joining) -> Grown:
    """The type of a container of staged length that holds all these elements."""
    inner = Joining(f"an element of {context.what}", in_list=True)
    element: Skeleton = Fixed(DONT_CARE)
    numbers: set[type] = set()
    tells = any(isinstance(one, Leaf) and one.value is None and one.same for one in elements)
    held = known_tensor if tells else staged_element
    for one in elements:
        if isinstance(one, Fixed) and type(one.value) in NUMBER_SPECS:
            if type(one.value) in numbers:
                continue  # one of a class has the type of all
            numbers.add(type(one.value))
        element = join(element, held(one), inner)
    return Grown(kind, element)


def packed(kind: type, elements: list[Skeleton], context: Joining) -> Packed:
    """The type of the contents of an object in a store that hold all these elements.

    Where some do not tell which tensors of before the call they are, none of them does.
    """
    element = grown(kind, elements, context).element
    untold = any(isinstance(one, Leaf) and one.value is None and not one.same for one in elements)
    if untold and isinstance(element, Leaf):
        element = replace(element, same=(), own=True)
    return Packed(kind, element)


def in_store(element: Skeleton) -> Skeleton:
    """How a store holds what an object is made of; contents of staged length are packed."""
    return _in_store(with_own_names(element))


def _in_store(element: Skeleton) -> Skeleton:
    if isinstance(element, Made):
        contents = contents_of(element) if element.keys is STAGED_CONTENTS else None
        if isinstance(contents, Grown):
            element = with_contents(element, Packed(contents.kind, contents.element))
        elif isinstance(contents, Choices):
            several = [part for part in contents.options if isinstance(part, Held | Grown | Packed)]
            elements = [one for part in several for one in elements_of(part)]
            element = with_contents(element, packed(several[0].kind, elements, Joining()))
        parts, names = tuple(map(_staged, element.items)), names_in_row(element.paths)
        return Made(element.kind, element.keys, parts, names, element.setting, stored=True)
    return _staged(element)


def staged_element(element: Skeleton) -> Skeleton:
    """How a list of staged length stores an element: numbers, cells and objects by their value."""
    return _staged(with_own_names(element))


def known_tensor(element: Skeleton) -> Skeleton:
    """How rows hold a tensor that tell which one of before the call it is, if it is one."""
    found = staged_element(element)
    known = tuple(one for one in candidates(element) if _is_of_before(one))
    if not isinstance(found, Leaf) or not known:
        return found
    always = isinstance(element, Cell) or _is_another(element)
    own = not always or len(known) < len(candidates(element))
    return replace(found, same=known, own=own)


def _staged(element: Skeleton) -> Skeleton:
    match element:
        case Fixed(value=number) if type(number) in NUMBER_SPECS or isinstance(number, np.generic):
            return number_leaf(number) or element
        case Cell() | Leaf() | Again() if awaits_storage(element):
            return Fixed(PENDING)
        case Leaf(value=None, same=same) if same:  # of rows that tell which tensors they hold
            return element
        case Cell() | Leaf():
            return Leaf(element.spec, sealed=True, kind=_kind(element))
        case Again(leaf=Leaf() as leaf):
            return Leaf(leaf.spec, sealed=True, kind=leaf.kind)
        case Group(kind=kind) if kind is Text and (row := as_row(element)) is not element:
            return row
        case Group() if is_view(element):
            return Leaf(spec_of_view(element), sealed=True, kind=Array)
        case Group():
            return Group(element.kind, tuple(map(_staged, element.items)))
        case Packed() | Grown():
            return Packed(element.kind, element.element)
        case Reference():
            return Reference(element.key, element.kind)
        case Made(referred=True) | Again(referred=True):
            return Fixed(PENDING)
        case Made(stored=True):
            return _in_store(element)
        case Made() if element.keys is STAGED_CONTENTS:
            raise FoundReferences(element.kind)
        case Made():
            parts, names = tuple(map(_staged, element.items)), names_in_row(element.paths)
            return Made(element.kind, element.keys, parts, names, element.setting)
        case Again(path=path) if not names_in_row((path,)):  # it is another name's, too
            raise _shared(element, Joining("an element of a container"))
        case Choices():
            return _without_repeats(tuple(map(_staged, element.options)))
    return element


def _without_repeats(options: tuple[Skeleton, ...]) -> Skeleton:
    """A choice of options, those that are referred to once for each kind of object.

    Objects that could not be one while their parts had identities are one by their values.
    """
    kept: list[Skeleton] = []
    for one in options:
        is_kind = isinstance(one, Reference) or (isinstance(one, Fixed) and one.value is PENDING)
        if is_kind and any(alike(one, other) for other in kept):
            continue
        for place, other in enumerate(kept):
            together = isinstance(one, Made) and _join_plain(other, one, Joining(in_list=True))
            if together:
                kept[place] = together
                break
        else:
            kept.append(one)
    return kept[0] if len(kept) == 1 else Choices(tuple(kept))


def _join_options(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton:
    if not isinstance(left, Choices):
        left, right = right, left  # what is one of several stays that
    assert isinstance(left, Choices)
    options = list(left.options)
    for one in right.options if isinstance(right, Choices) else (right,):
        place = find_option(options, one, context)
        if place is None:
            options.append(one)
        else:
            # Where they do not join they are alike, with parts that stand in each other's places.
            options[place] = _join_plain(options[place], one, context) or options[place]
    options = options if _grows(context) else with_one_spelled(options, context.in_list)
    longer = _grows(context) and any(map(is_looked_into, options))
    if longer or len(options) > MAXIMUM_OPTIONS or any(map(rows_of_text, options)):
        options = _with_one_string(options, context)
    if len(options) == 1:
        return options[0]
    check_count(options, context.what, context.in_list)
    return Choices(tuple(options))


def _with_one_string(options: list[Skeleton], context: Joining) -> list[Skeleton]:
    """The options, with one string of as many pieces as the run tells for all strings."""
    strings = [one for one in options if is_text(one) or is_string(one)]
    if len(strings) < 2 or (context.in_list and not any(map(rows_of_text, strings))):
        return options  # a list of staged length holds its items by a tag where it can
    made = packed if context.in_list else grown
    joined = join_many_strings(strings, lambda rows: made(list, rows, context))
    return [*(one for one in options if one not in strings), joined]


def find_option(
    options: list[Skeleton] | tuple[Skeleton, ...], wanted: Skeleton, context: Joining
) -> int | None:
    """The number of the option that can hold `wanted`, None where none can.

    Of two objects of one kind, that which stood in the same place. A view is one of the arrays that
    containers hold by value.
    """
    if is_view(wanted) and any(isinstance(one, Leaf) and one.sealed for one in options):
        wanted = _staged(wanted)
    for number, option in enumerate(options):
        if _stood_together(option, wanted) and _join_plain(option, wanted, context) is not None:
            return number
    for number, option in enumerate(options):
        if alike(option, wanted) or holds_string(option, wanted):
            return number
    for number, option in enumerate(options):
        if not is_string(option) and _join_plain(option, wanted, context) is not None:
            return number
    return None


def _stood_together(one: Skeleton, other: Skeleton) -> bool:
    """Whether two objects stood in the same place; of structures, the objects in them."""
    if isinstance(one, Made) and isinstance(other, Made):
        return not set(one.paths).isdisjoint(other.paths)
    if not (isinstance(one, Group) and isinstance(other, Group) and one.kind == other.kind):
        return False
    pairs = [
        pair
        for pair in zip(one.items, other.items, strict=False)
        if all(isinstance(part, Made | Group) for part in pair)
    ]
    return bool(pairs) and all(_stood_together(*pair) for pair in pairs)
