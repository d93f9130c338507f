"""Skeletons: the Python structure around staged values.

A frozen value is a tree of these with the graph's values at its leaves; without them it is the
type of a value: what a branch leaves, or a loop carries. `join` finds the type two values share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.effects.joint_specs import join_specs
from autograph.effects.sentinels import DONT_CARE
from autograph.errors import MergeError
from autograph.runtime.core.spec import NUMBER_SPECS, AnySpec, ListSpec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value

MAXIMUM_OPTIONS = 16

ATOMS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


Path = tuple[Any, ...]
"""Where in what leaves a region a value stands: the place's key, then the numbers of the parts."""


class Skeleton:
    """Base of the kinds of structure."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Fixed(Skeleton):
    """One known Python object: equal atoms are one, anything else goes by identity."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Leaf(Skeleton):
    """A staged tensor, number or list.

    `same` are objects that a tensor may be, on some path: cells that existed before, or the paths
    of other values. A second leaf, `tag`, tells which: 0 for none, else the number plus one.
    """

    spec: AnySpec
    value: Value | None = None
    same: tuple[Tensor | Path, ...] = ()
    tag: Value | None = None
    sealed: bool = False
    paths: tuple[Path, ...] = ()
    """Where it stood when it was frozen: what `Again` refers to."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell(Skeleton):
    """A tensor cell that existed before the region: itself, whatever it holds."""

    tensor: Tensor
    spec: AnySpec
    value: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Group(Skeleton):
    """An immutable structure made anew from its parts: a tuple, a slice, a bound method."""

    kind: Any
    items: tuple[Skeleton, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Made(Skeleton):
    """A mutable object created in the region: a list, dict, set, or an instance of a class."""

    kind: type
    keys: tuple[Any, ...]
    items: tuple[Skeleton, ...]
    paths: tuple[Path, ...] = ()
    setting: Any = None
    """What it is made with, besides the items: see `objects.Setting`."""


@dataclass(frozen=True, slots=True, eq=False)
class Held(Skeleton):
    """The contents of a container that existed before the region."""

    kind: type
    keys: tuple[Any, ...]
    items: tuple[Skeleton, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grown(Skeleton):
    """The contents of a list of staged length; the columns are lists of the element's leaves."""

    element: Skeleton
    columns: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Again(Skeleton):
    """The same object as the one met before at `path` in this freezing; a tensor has a `leaf`."""

    path: Path
    leaf: Leaf | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Choices(Skeleton):
    """One of several values; a tag, known at run time, tells which."""

    options: tuple[Skeleton, ...]
    tag: Value | None = None


@dataclass(slots=True)
class Joining:
    """What is being merged, for messages; and whether values are elements of a list."""

    what: str = "a value"
    in_list: bool = False
    grow: bool = False
    """Whether contents of lists that differ in length become a list of staged length."""


def same_object(left: Any, right: Any) -> bool:
    """Whether two known Python values are the same to the program."""
    if left is right:
        return True
    if type(left) is not type(right) or not isinstance(left, ATOMS):
        return False
    return repr(left) == repr(right) if isinstance(left, float | complex) else bool(left == right)


def alike(left: Skeleton, right: Skeleton) -> bool:
    """Whether two skeletons are the same type."""
    if type(left) is not type(right):
        return False
    match left, right:
        case Fixed(), Fixed():
            return same_object(left.value, right.value)
        case Leaf(), Leaf():
            return left.spec == right.spec and same_candidates(left.same, right.same)
        case Cell(), Cell():
            return left.tensor is right.tensor
        case Group(), Group():
            return left.kind == right.kind and _all_alike(left.items, right.items)
        case Made() | Held(), Made() | Held():
            same_keys = _same_keys(left.keys, right.keys)
            settings = [one.setting for one in (left, right) if isinstance(one, Made)]
            same_setting = len(settings) != 2 or settings[0] is settings[1]
            same = left.kind is right.kind and same_keys and same_setting
            return same and _all_alike(left.items, right.items)
        case Grown(), Grown():
            return alike(left.element, right.element)
        case Again(), Again():
            return left.path == right.path
        case Choices(), Choices():
            return _all_alike(left.options, right.options)
    return False


def _all_alike(left: tuple[Skeleton, ...], right: tuple[Skeleton, ...]) -> bool:
    return len(left) == len(right) and all(map(alike, left, right))


def _same_keys(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    return len(left) == len(right) and all(map(same_object, left, right))


# joining ------------------------------------------------------------------------------------------
def join(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton:
    """The type that holds both: the same where they agree, else staged, else a choice."""
    if isinstance(left, Fixed) and left.value is DONT_CARE:
        return right
    if isinstance(right, Fixed) and right.value is DONT_CARE:
        return left
    if isinstance(left, Choices) or isinstance(right, Choices):
        contents = _joined_contents(left, right, context)
        return contents or _join_options(left, right, context)
    merged = _join_plain(left, right, context)
    if merged is not None:
        return merged
    if any(isinstance(one, Again) and one.leaf is None for one in (left, right)):
        raise MergeError(
            f"{context.what} is the same object as another value on one path only",
            remedy="make the branches agree on which names share an object, or copy it",
        )
    return Choices((left, right))


def _join_plain(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton | None:
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
            return Leaf(NUMBER_SPECS[type(number)]) if type(number) in NUMBER_SPECS else None
        case (Fixed(value=number), Leaf(spec=spec)) | (Leaf(spec=spec), Fixed(value=number)):
            return Leaf(spec) if NUMBER_SPECS.get(type(number)) == spec else None
        case Group(), Group() if left.kind == right.kind and len(left.items) == len(right.items):
            return Group(left.kind, _join_all(left.items, right.items, context))
        case Made(), Made() if left.kind is right.kind and _same_keys(left.keys, right.keys):
            apart = _mentions(left.items, right.paths) or _mentions(right.items, left.paths)
            if _like_arguments(left, right) and left.setting is right.setting and not apart:
                paths = tuple(dict.fromkeys(left.paths + right.paths))
                items = _join_all(left.items, right.items, context)
                if _several_causes(left.kind, left.keys, items):
                    return None
                return Made(left.kind, left.keys, items, paths, left.setting)
        case (Held() | Grown(), Held() | Grown()):
            return _join_contents(left, right, context)
    return None


def _like_arguments(left: Made, right: Made) -> bool:
    """Whether two objects of a class have as many parts, exceptions as many arguments, too."""
    if not issubclass(left.kind, BaseException):
        return len(left.items) == len(right.items)
    one, other = left.items[0], right.items[0]
    return (
        isinstance(one, Group) and isinstance(other, Group) and len(one.items) == len(other.items)
    )


def _several_causes(kind: type, keys: tuple[Any, ...], items: tuple[Skeleton, ...]) -> bool:
    """Whether an exception would have one of several causes, which Python cannot hold."""
    return issubclass(kind, BaseException) and any(
        key in ("__cause__", "__context__") and isinstance(item, Choices)
        for key, item in zip(keys, items, strict=True)
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
    if one is None or other is None:
        return None
    spec = join_specs(one.spec, other.spec)
    if spec is None:
        return None
    paths = tuple(dict.fromkeys(_paths(left) + _paths(right)))
    if context.in_list or isinstance(spec, ListSpec) or spec.python:
        return Leaf(spec, sealed=context.in_list, paths=paths)
    same = list(candidates(left))
    for candidate in candidates(right):
        if position(same, candidate) is None:
            same.append(candidate)
    sealed = any(isinstance(side, Leaf) and side.sealed for side in (one, other))
    return Leaf(spec, same=tuple(same), sealed=sealed, paths=paths)


def _paths(skeleton: Skeleton) -> tuple[Path, ...]:
    return skeleton.paths if isinstance(skeleton, Leaf) else ()


def leaf_of(skeleton: Leaf | Cell | Again) -> Leaf | Cell | None:
    """The part of a skeleton that says what a tensor holds."""
    return skeleton.leaf if isinstance(skeleton, Again) else skeleton


def candidates(skeleton: Skeleton) -> tuple[Tensor | Path, ...]:
    """The objects that a tensor may be."""
    match skeleton:
        case Cell(tensor=tensor):
            return (tensor,)
        case Again(path=path):
            return (path,)
        case Leaf(same=same):
            return same
    return ()


def position(same: Sequence[Tensor | Path], wanted: Tensor | Path) -> int | None:
    """The number of a candidate, None if it is not there."""
    for number, one in enumerate(same):
        if one is wanted or (type(one) is tuple and type(wanted) is tuple and one == wanted):
            return number
    return None


def same_candidates(left: Sequence[Tensor | Path], right: Sequence[Tensor | Path]) -> bool:
    """Whether two lists of candidates are the same."""
    return len(left) == len(right) and all(
        position([one], other) is not None for one, other in zip(left, right, strict=True)
    )


def _join_contents(left: Held | Grown, right: Held | Grown, context: Joining) -> Skeleton | None:
    if isinstance(left, Held) and isinstance(right, Held):
        if left.kind is not right.kind:
            return None
        if _same_keys(left.keys, right.keys) and len(left.items) == len(right.items):
            return Held(left.kind, left.keys, _join_all(left.items, right.items, context))
        if left.kind is not list or not context.grow:
            return None
    return grown([*_elements(left), *_elements(right)], context)


def _joined_contents(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton | None:
    """Contents of a list that are one of several: one list of staged length, in a loop."""
    parts = [
        part
        for side in (left, right)
        for part in (side.options if isinstance(side, Choices) else (side,))
    ]
    if not all(isinstance(part, Held | Grown) for part in parts):
        return None
    staged = context.grow or any(isinstance(part, Grown) for part in parts)
    if not staged or any(isinstance(part, Held) and part.kind is not list for part in parts):
        return None
    return grown([element for part in parts for element in _elements(part)], context)  # type: ignore[arg-type]


def _elements(contents: Held | Grown) -> list[Skeleton]:
    return [contents.element] if isinstance(contents, Grown) else list(contents.items)


def grown(elements: list[Skeleton], context: Joining) -> Grown:
    """The type of a list of staged length that holds all these elements."""
    inner = Joining(f"an element of {context.what}", in_list=True)
    element: Skeleton = Fixed(DONT_CARE)
    for one in elements:
        element = join(element, staged_element(one), inner)
    return Grown(element)


def staged_element(element: Skeleton) -> Skeleton:
    """How a list of staged length stores an element: Python numbers and cells by their value."""
    match element:
        case Fixed(value=number) if type(number) in NUMBER_SPECS:
            return Leaf(NUMBER_SPECS[type(number)])
        case Cell() | Leaf():
            return Leaf(element.spec, sealed=True)
        case Again(leaf=Leaf() as leaf):
            return Leaf(leaf.spec, sealed=True)
        case Group():
            return Group(element.kind, tuple(map(staged_element, element.items)))
        case Made():
            raise MergeError(
                "a list that grows in a staged loop or branch cannot hold a "
                f"{element.kind.__name__}",
                remedy="append tuples of tensors and numbers instead of mutable objects",
            )
        case Choices():
            return Choices(tuple(map(staged_element, element.options)))
    return element


def _join_options(left: Skeleton, right: Skeleton, context: Joining) -> Skeleton:
    options = list(left.options if isinstance(left, Choices) else (left,))
    for one in right.options if isinstance(right, Choices) else (right,):
        place = find_option(options, one, context)
        if place is None:
            options.append(one)
        else:
            merged = _join_plain(options[place], one, context)
            assert merged is not None
            options[place] = merged
    if len(options) > MAXIMUM_OPTIONS:
        raise MergeError(
            f"{context.what} may be any of more than {MAXIMUM_OPTIONS} different Python values "
            "after a staged condition or loop",
            remedy="keep a number or a tensor that tells them apart, and make the values of it "
            "after the call",
        )
    return Choices(tuple(options)) if len(options) > 1 else options[0]


def find_option(
    options: list[Skeleton] | tuple[Skeleton, ...], wanted: Skeleton, context: Joining
) -> int | None:
    """The number of the option that can hold `wanted`, None where none can.

    Of two objects of one kind, that which stood in the same place.
    """
    if isinstance(wanted, Made):
        for number, option in enumerate(options):
            if isinstance(option, Made) and not set(option.paths).isdisjoint(wanted.paths):
                if _join_plain(option, wanted, context) is not None:
                    return number
    for number, option in enumerate(options):
        if alike(option, wanted):
            return number
    for number, option in enumerate(options):
        if _join_plain(option, wanted, context) is not None:
            return number
    return None
