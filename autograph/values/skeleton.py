"""Skeletons: the Python structure around staged values.

A frozen value is a tree of these with the graph's values at its leaves; without them it is the
type of a value: what a branch leaves, or a loop carries.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import BuiltinMethodType
from typing import Any

from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.values.equivalence import ATOMS, same_atom
from autograph.values.sentinels import UNSET

STAGED_CONTENTS = ("staged contents",)
"""The keys of a container made in the region whose contents, as one part, are staged."""

PAIRS = ("pairs",)
"""The keys of a dict or set that leaves with objects as keys: its parts are pairs, or members."""

Path = tuple[Any, ...]
"""Where in what leaves a region a value stands: the place's key, then the numbers of the parts."""
OPTION = "option"
"""The number of an option of a choice is marked in a path."""


def in_option(path: Path) -> bool:
    """Whether what stands there stands in an option of a choice, which may not be the one taken."""
    return any(map(is_option, path))


def is_option(part: Any) -> bool:
    """Whether a part of a path is an option of a choice."""
    return type(part) is tuple and part[0] is OPTION


class Skeleton:
    """Base of the kinds of structure."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Fixed(Skeleton):
    """One known Python object: equal atoms are one, anything else goes by identity."""

    value: Any
    born: bool = False
    """Whether it was made in the region, and stays the object it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf(Skeleton):
    """A staged tensor, number or list.

    `same` are objects that a tensor may be, on some path: cells that existed before, or the paths
    of other values. A second leaf, `tag`, tells which: the number of a cell in the trace, for a
    path less than 0 (see `code_of_path`), and 0 for an object of its `own`.
    """

    spec: AnySpec
    value: Value | None = None
    same: tuple[Tensor | Path, ...] = ()
    tag: Value | None = None
    sealed: bool = False
    paths: tuple[Path, ...] = ()
    """Where it stood when it was frozen: what `Again` refers to."""
    own: bool = True
    """Whether it may be none of `same`."""
    numbers: tuple[int, ...] = ()
    """What the tag tells for each of `same`, where a call finds them."""
    kind: type[Tensor] = Tensor
    """Tensor, or what stands for an array or a scalar of NumPy's."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell(Skeleton):
    """A tensor cell that existed before the region: itself, whatever it holds.

    `same` are the cells that it may be, if a merge has made it; `number` tells that of the one.
    """

    tensor: Tensor
    spec: AnySpec
    value: Value | None = None
    sealed: bool = False
    same: tuple[Tensor, ...] = ()
    number: Callable[[], Any] | None = None


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
    sealed: bool = False
    """Whether a container of staged length holds its value."""
    referred: bool = False
    """Whether containers of staged length hold references to objects of its class."""
    stored: bool = False
    """Whether it is what a row of a store holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Held(Skeleton):
    """The contents of a container that existed before the region."""

    kind: type
    keys: tuple[Any, ...]
    items: tuple[Skeleton, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grown(Skeleton):
    """The contents of a container of staged length, row by row.

    A row is an item of a list, a pair of a dict, a member of a set. The columns are lists of the
    leaves of a row; there is one of nothing but zeros where it has none, for the length.
    """

    kind: type
    element: Skeleton
    columns: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Packed(Skeleton):
    """The contents of staged length of an object in a store: each column is one tensor."""

    kind: type
    element: Skeleton
    columns: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Reference(Skeleton):
    """An object of a store, by its number there. `key` tells the store, `kind` the class."""

    key: Any
    kind: type
    value: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Within(Skeleton):
    """A value that leaves the trace, with the contents of the stores that it refers to."""

    stores: tuple[tuple[Any, Skeleton], ...]
    item: Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class Again(Skeleton):
    """The same object as the one met before at `path` in this freezing; a tensor has a `leaf`."""

    path: Path
    leaf: Leaf | None = None
    kind: type | None = None
    """The class of an object that is no tensor."""
    referred: bool = False
    """Whether containers of staged length hold references to objects of its class."""


@dataclass(frozen=True, slots=True, eq=False)
class Choices(Skeleton):
    """One of several values; a tag, known at run time, tells which."""

    options: tuple[Skeleton, ...]
    tag: Value | None = None


def same_object(left: Any, right: Any) -> bool:
    """Whether two known Python values are the same to the program."""
    if left is right:
        return True
    if isinstance(left, BuiltinMethodType) and isinstance(right, BuiltinMethodType):
        return left == right  # a method of one object, as Python compares them
    if type(left) is not type(right) or not isinstance(left, ATOMS):
        return False
    return same_atom(left, right)


def have_names(made: Made) -> bool:
    """Whether the keys of an object are the names of its attributes."""
    return all(isinstance(key, str) for key in made.keys) and not issubclass(
        made.kind, (list, dict, set, deque, BaseException)
    )


def with_names(made: Made, names: tuple[Any, ...]) -> Made:
    """An object with attributes of these names, of which those that it has not are missing."""
    known = dict(zip(made.keys, made.items, strict=True))
    items = tuple([known.get(name, Fixed(UNSET)) for name in names])
    return replace(made, keys=names, items=items)


def alike(left: Skeleton, right: Skeleton) -> bool:
    """Whether two skeletons are the same type."""
    if type(left) is not type(right):
        return False
    match left, right:
        case Fixed(), Fixed():
            return same_object(left.value, right.value)
        case Leaf(), Leaf():
            own = left.own == right.own or not left.same
            like = left.spec == right.spec and left.kind is right.kind
            return like and own and same_candidates(left.same, right.same)
        case Cell(), Cell():
            return left.tensor is right.tensor
        case Group(), Group():
            return left.kind == right.kind and _all_alike(left.items, right.items)
        case Made() | Held(), Made() | Held():
            settings = [one.setting for one in (left, right) if isinstance(one, Made)]
            same_setting = len(settings) != 2 or settings[0] is settings[1]
            same = left.kind is right.kind and same_keys(left.keys, right.keys) and same_setting
            return same and _all_alike(left.items, right.items)
        case Grown() | Packed(), Grown() | Packed():
            return left.kind is right.kind and alike(left.element, right.element)
        case Reference(), Reference():
            return bool(left.key == right.key)
        case Within(), Within():
            keys = [[key for key, _ in one.stores] for one in (left, right)]
            tables = [tuple(table for _, table in one.stores) for one in (left, right)]
            same = keys[0] == keys[1] and _all_alike(*tables)
            return same and alike(left.item, right.item)
        case Again(), Again():
            return left.path == right.path
        case Choices(), Choices():
            return _all_alike(left.options, right.options)
    return False


def _all_alike(left: tuple[Skeleton, ...], right: tuple[Skeleton, ...]) -> bool:
    return len(left) == len(right) and all(map(alike, left, right))


def same_keys(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    """Whether two rows of keys are the same."""
    return len(left) == len(right) and all(map(same_object, left, right))


def with_contents(made: Made, contents: Skeleton) -> Made:
    """A container made in the region, with other contents, of staged length."""
    own = made.items[1:] if made.keys is STAGED_CONTENTS else attributes_of_container(made)
    return replace(made, keys=STAGED_CONTENTS, items=(contents, *own))


def contents_of(made: Made) -> Skeleton | None:
    """The contents of a container made in the region; None of any other object."""
    if made.keys is STAGED_CONTENTS:
        return made.items[0]
    if not issubclass(made.kind, list | deque | dict | set):
        return None
    items = made.items[: len(made.items) - len(attributes_of_container(made))]
    if issubclass(made.kind, list | deque):
        return Held(list, (), items)
    return Held(dict if issubclass(made.kind, dict) else set, made.keys, items)


def attributes_of_container(made: Made) -> tuple[Skeleton, ...]:
    """The parts of a container made in the region that are no items: the user's attributes."""
    count = len(made.setting.names) if made.setting is not None else 0
    return made.items[len(made.items) - count :]


def kind_of(tensor: Tensor) -> type[Tensor]:
    """Tensor, Array or Scalar: what is made of the elements of a tensor."""
    return Array if isinstance(tensor, Array) else Scalar if isinstance(tensor, Scalar) else Tensor


def made_of(kind: type[Tensor], value: Any) -> Tensor:
    """A new tensor, array or scalar that holds a value."""
    made = kind.__new__(kind)
    made._value = value
    made._mark = None
    if isinstance(made, Array):
        made.is_contiguous = made.is_writeable = True
    return made


def leaf_of(skeleton: Leaf | Cell | Again) -> Leaf | Cell | None:
    """The part of a skeleton that says what a tensor holds."""
    return skeleton.leaf if isinstance(skeleton, Again) else skeleton


def candidates(skeleton: Skeleton) -> tuple[Tensor | Path, ...]:
    """The objects that a tensor may be."""
    match skeleton:
        case Cell(tensor=tensor, same=cells):
            return cells or (tensor,)
        case Again(path=path, leaf=Leaf(same=same)):  # that may be a tensor from outside, too
            return (path, *(one for one in same if isinstance(one, Tensor)))
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


def code_of_path(same: Sequence[Tensor | Path], path: Path) -> int:
    """What a tag tells for the candidate that stands at a path."""
    place = position(same, path)
    assert place is not None
    return -1 - place


def same_candidates(left: Sequence[Tensor | Path], right: Sequence[Tensor | Path]) -> bool:
    """Whether two lists of candidates are the same."""
    return len(left) == len(right) and all(
        position([one], other) is not None for one, other in zip(left, right, strict=True)
    )


def elements_of(contents: Held | Grown | Packed) -> list[Skeleton]:
    """What the rows of a container of staged length would be: items, pairs, members."""
    if isinstance(contents, Grown | Packed):
        return [contents.element]
    if contents.kind is list:
        return list(contents.items)
    keys = [key_skeleton(key) for key in contents.keys]
    if contents.kind is set:
        return keys
    pairs = zip(keys, contents.items, strict=True)
    return [Group(tuple, (key, item)) for key, item in pairs]


def key_skeleton(key: Any) -> Skeleton:
    """A known key of a dict, or a member of a set."""
    kind = type(key)
    if kind is tuple or (isinstance(key, tuple) and hasattr(kind, "_fields")):
        return Group(kind, tuple(map(key_skeleton, key)))
    return Fixed(key)
