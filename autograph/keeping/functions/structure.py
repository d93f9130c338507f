"""The Python structure around a saved graph's values, as JSON: skeletons, constants, classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.keeping.errors import DamagedError
from autograph.keeping.functions.constants import (
    KINDS,
    NotKept,
    constant_from_json,
    constant_to_json,
    described,
)
from autograph.keeping.functions.exceptions import check_parts, class_named, name_of_class
from autograph.keeping.functions.outputs import checked_keys
from autograph.merge.results import Given
from autograph.operators.iterators.staged_iterables import StagedTuple
from autograph.operators.strings.snapshots import ListText
from autograph.runtime.arrays.cells import Array, Scalar, View
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.notation import GraphTextError, read_spec, spec_text
from autograph.strings.text import (
    Changed,
    Character,
    Characters,
    Filled,
    Formatted,
    Joined,
    Pieces,
    Text,
)
from autograph.values.exception_objects import ORIGIN
from autograph.values.object_state import setting_of
from autograph.values.skeleton import (
    PAIRS,
    STAGED_CONTENTS,
    Again,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Skeleton,
)

Json = dict[str, Any]


_GROUPS: Mapping[str, Any] = {
    one.__qualname__: one
    for one in (
        *(tuple, Text, Character, Characters, Changed, Formatted, Filled, Joined, Pieces),
        *(ListText, StagedTuple, View),
    )
}
_LEAVES: Mapping[str, Any] = {"Tensor": Tensor, "Array": Array, "Scalar": Scalar}
_PLAIN = setting_of([])
_MADE = ("list", "dict", "set", "deque", "OrderedDict", "Counter")


# skeletons ----------------------------------------------------------------------------------------
class SkeletonWriter:
    """Skeletons of one trace as JSON; places in the results are numbered."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}

    def _place(self, path: Any) -> int:
        return self._places.setdefault(path, len(self._places))

    def write(self, skeleton: Skeleton) -> Json:
        """A skeleton as JSON. NotKept for a part that has no form on disk."""
        match skeleton:
            case Fixed(value=value):
                return {"fixed": constant_to_json(value)}
            case Given(index=index):
                return {"given": index}
            case Leaf():
                return self._leaf(skeleton)
            case Again(path=path):
                return {"again": self._place(path)}
            case Choices(options=options):
                return {"choices": [*map(self.write, options)]}
            case Grown(kind=kind, element=element):
                return {"grown": kind.__name__, "element": self.write(element)}
            case Held(kind=kind, keys=keys, items=items):
                return {"held": kind.__name__, **self._parts(keys, items)}
            case Group(kind=kind, items=items):
                name = getattr(kind, "__qualname__", "")
                if _GROUPS.get(name) is not kind:
                    raise NotKept(f"a {name}")
                return {"group": name, "items": [*map(self.write, items)]}
            case Made():
                return self._made(skeleton)
        raise NotKept(f"a {type(skeleton).__name__}")

    def _leaf(self, leaf: Leaf) -> Json:
        found: Json = {"leaf": spec_text(leaf.spec)}
        if leaf.kind is not Tensor:
            found["kind"] = leaf.kind.__name__
        if leaf.same:
            found["same"] = [
                {"given": one.index} if isinstance(one, Given) else self._place(one)
                for one in leaf.same
            ]
            found["numbers"] = list(leaf.numbers)
        if leaf.paths:
            found["places"] = [*map(self._place, leaf.paths)]
        return found

    def _parts(self, keys: Sequence[Any], items: Sequence[Skeleton]) -> Json:
        if keys is STAGED_CONTENTS:
            return {"staged": True, "items": [*map(self.write, items)]}
        if keys is PAIRS:
            return {"pairs": True, "items": [*map(self.write, items)]}
        found = {"keys": [*map(constant_to_json, keys)]} if keys else {}
        return found | {"items": [*map(self.write, items)]}

    def _made(self, made: Made) -> Json:
        kind = made.kind
        if isinstance(kind, type) and issubclass(kind, BaseException):
            name, word = name_of_class(kind), "exception"
            if name is None:
                raise NotKept(described(kind))
        elif kind.__name__ in _MADE and KINDS[kind.__name__] is kind:
            name, word = kind.__name__, "made"
            setting = made.setting
            if setting is not None and (setting.own is not None or setting.names):
                raise NotKept(f"a {name} with a length or attributes of its own")
        else:
            named = {"function": "a function", "Making": "an iterator"}
            raise NotKept(named.get(kind.__name__, f"a {kind.__name__}"))
        places = {"places": [*map(self._place, made.paths)]} if made.paths else {}
        return {word: name, **self._parts(made.keys, made.items), **places}


class SkeletonReader:
    """Reads what a SkeletonWriter wrote. `given`: how many objects of the call there are."""

    def __init__(self, given: int) -> None:
        self.given = given

    def read(self, item: Any) -> Skeleton:
        """The skeleton. DamagedError for anything else."""
        if isinstance(item, dict):
            for word, read in self._words.items():
                if word in item:
                    return read(self, item)
        raise DamagedError(f"{item!r:.80} is no structure of results")

    def _fixed(self, item: Json) -> Skeleton:
        return Fixed(constant_from_json(item["fixed"]))

    def _given(self, item: Json) -> Skeleton:
        number = item["given"]
        if type(number) is not int or not 0 <= number < self.given:
            raise DamagedError(f"there is no object {number!r} of a call")
        return Given(number)

    def _leaf(self, item: Json) -> Skeleton:
        try:
            spec = read_spec(item["leaf"])
        except (GraphTextError, TypeError, RecursionError) as error:
            raise DamagedError(f"{item!r:.80} is no structure of results") from error
        same: Any = tuple(
            self._given(one) if isinstance(one, dict) and "given" in one else (_number(one),)
            for one in _list(item.get("same", []))
        )
        numbers = tuple(map(_number, _list(item.get("numbers", []))))
        if len(numbers) != len(same):
            raise DamagedError(f"{item!r:.80} is no structure of results")
        kind = _kind(item.get("kind", "Tensor"), _LEAVES)
        return Leaf(spec, same=same, paths=_places(item), numbers=numbers, kind=kind)

    def _again(self, item: Json) -> Skeleton:
        return Again((_number(item["again"]),))

    def _choices(self, item: Json) -> Skeleton:
        return Choices(tuple(map(self.read, _list(item["choices"]))))

    def _grown(self, item: Json) -> Skeleton:
        return Grown(_kind(item["grown"], KINDS), self.read(item.get("element")))

    def _held(self, item: Json) -> Skeleton:
        return checked_keys(Held(_kind(item["held"], KINDS), *self._parts(item)))

    def _group(self, item: Json) -> Skeleton:
        return Group(_kind(item["group"], _GROUPS), self._parts(item)[1])

    def _made(self, item: Json) -> Skeleton:
        if item["made"] not in _MADE:
            raise DamagedError(f"{item['made']!r} is no kind of container")
        return checked_keys(Made(KINDS[item["made"]], *self._parts(item), _places(item), _PLAIN))

    def _exception(self, item: Json) -> Skeleton:
        keys, items = self._parts(item)
        if ORIGIN not in keys:
            raise DamagedError("an exception does not say where it comes from")
        kind = class_named(item["exception"])
        return checked_keys(Made(kind, check_parts(keys), items, _places(item), _PLAIN))

    def _parts(self, item: Json) -> tuple[Any, tuple[Skeleton, ...]]:
        items = tuple(map(self.read, _list(item.get("items"))))
        if item.get("staged") is True:
            return STAGED_CONTENTS, items
        if item.get("pairs") is True:
            return PAIRS, items
        return tuple(map(constant_from_json, _list(item.get("keys", [])))), items

    _words: Mapping[str, Callable[[SkeletonReader, Json], Skeleton]] = {
        "fixed": _fixed,
        "given": _given,
        "leaf": _leaf,
        "again": _again,
        "choices": _choices,
        "grown": _grown,
        "held": _held,
        "group": _group,
        "made": _made,
        "exception": _exception,
    }


def _places(item: Json) -> Any:
    return tuple((_number(one),) for one in _list(item.get("places", [])))


def _number(item: Any) -> int:
    if type(item) is not int:
        raise DamagedError(f"{item!r:.80} is no place of a result")
    return item


def _list(item: Any) -> list[Any]:
    if not isinstance(item, list):
        raise DamagedError(f"{item!r:.80} is no list of parts")
    return item


def _kind(name: Any, known: Mapping[str, Any]) -> Any:
    if not isinstance(name, str) or name not in known:
        raise DamagedError(f"{name!r:.80} is no kind of structure")
    return known[name]
