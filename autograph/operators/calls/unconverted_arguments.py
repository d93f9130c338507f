"""What foreign code is given: it reads its arguments as a whole, and cannot read staged values."""

from __future__ import annotations

import builtins
import enum
import functools
import sys
import types
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.control.chosen_contents import DictView
from autograph.errors import UnconvertedCallError
from autograph.merge.leaks import holds_staged
from autograph.operators.calls.dispatch import callback, special_method
from autograph.operators.iterators.generator_recipes import recipe_of
from autograph.operators.iterators.plain_iteration import has_own_iterator, iterate
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.runtime.arrays.cells import Array, Scalar, known_elements
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.lent_generators import expose
from autograph.tracing.namespaces import taken
from autograph.tracing.places import AttributePlace
from autograph.tracing.reading import (
    BY_NAME,
    is_users,
    is_written,
    observe_attribute,
    read_contents,
)
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.marks import declared

CONTAINERS = (list, dict, set, deque)
LOOKING_MODULES = tuple(
    "bisect cmath copy dataclasses decimal fractions json math numbers numpy operator _operator re"
    " statistics string struct textwrap unicodedata".split()
)
LOOKING = tuple(
    getattr(builtins, name)
    for name in "abs all any ascii bin bool bytearray bytes chr complex divmod float format hash"
    " hex int len max memoryview min oct ord pow range repr round sorted str sum".split()
)
"""Foreign code that looks into the objects that it is given; the rest only moves them."""
_VALUES = (str, bytes, tuple, frozenset, range, int, float, complex)
"""Classes whose methods look into what they are given."""
CONVERTING = tuple(
    f"__{name}__"
    for name in "array bool bytes complex contains eq float format getitem hash index int iter len"
    " lt next repr str".split()
)
"""Methods by which foreign code looks into an object."""


def looks_inside(function: Any) -> bool:
    """Whether a pure function looks into the objects that it is given."""
    if isinstance(function, Constructor):
        function = function.kind
    module = (declared(function, "__module__") or "").split(".")[0]
    if isinstance(function, np.ufunc) or module in LOOKING_MODULES:
        return True
    if isinstance(declared(function, "__self__"), _VALUES):
        return True
    return any(function is one for one in LOOKING)


def _is_of_before(tracing: Tracing, argument: Any) -> bool:
    """Whether it is an array of the caller's that holds what it held before the call."""
    if not isinstance(argument, Array | Scalar) or not isinstance(argument._value, np.ndarray):
        return False
    return not is_written(tracing, ("tensor", id(argument)))


class Constructor:
    """A class of the standard library, as a pure function."""

    __module__ = "types"

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.__qualname__ = kind.__qualname__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.kind(*args, **kwargs)


class Foreign:
    """A call of foreign code: its name, and whether it looks into what it is given."""

    def __init__(self, tracing: Tracing, name: str, looks: bool) -> None:
        self.tracing = tracing
        self.name = name
        self.looks = looks
        self.iterates = name.startswith("itertools.") and name != "itertools.repeat"
        self.seen: set[int] = set()
        self.lent: list[np.ndarray[Any, Any]] = []

    @property
    def takes_items(self) -> bool:
        """Whether the code may ask an iterator for items, and does not only look at it."""
        return self.name not in (
            "id",
            "callable",
            "hash",
            "repr",
            "str",
            "format",
            "hasattr",
            "bool",
        )

    def argument(self, argument: Any) -> Any:
        """An argument as the foreign code gets it."""
        tracing = self.tracing
        if isinstance(argument, Number | Text | Tensor):
            return self._array_of(argument)
        if isinstance(argument, DictView):
            self.argument(argument.container)
            return argument.native
        if isinstance(argument, SequenceIterator) or recipe_of(tracing, argument) is not None:
            return iterate(argument)
        if self.iterates and has_own_iterator(argument):
            return iterate(argument)
        if isinstance(argument, Iterator) and id(argument) in tracing.paths and self.takes_items:
            return iterate(argument)  # says that where it stands is not known
        if isinstance(argument, types.FunctionType):
            return self._callback(argument)
        if isinstance(argument, type) and is_users(argument) and self.name.startswith("json."):
            raise UnconvertedCallError(
                f"{self.name} is given {argument.__name__}, a class whose methods it would call "
                "unconverted",
                remedy="make the text outside, or give it a function: default=",
            )
        return self._whole(argument)

    def _callback(self, function: types.FunctionType) -> Any:
        """A function that the foreign code calls, and whose results it may look into."""
        called, here = callback(function), user_location()
        if not self.looks and not self.name.startswith("Pattern."):
            return called

        def looked_into(*args: Any, **kwargs: Any) -> Any:
            result = called(*args, **kwargs)
            if holds_staged(result):
                raise UnconvertedCallError(
                    f"{self.name} calls a function whose result is known only when the graph runs",
                    location=here,
                    remedy="compute what it needs with ag ops, or call it through ag.py_function",
                )
            return result

        return functools.update_wrapper(looked_into, function)

    def _array_of(self, argument: Any) -> Any:
        """The NumPy array of the user's that stands behind a tensor: its contents are a guard."""
        tracing = self.tracing
        if isinstance(argument, Array | Scalar):
            known = known_elements(argument)
            if known is not None:
                return self._lent(known)
        if not _is_of_before(tracing, argument):
            kind = "tensor" if isinstance(argument, Tensor) else "number"
            kind = "array" if isinstance(argument, Array) else kind
            last = self.name.split(".")[-1]
            op = (
                f"use ag.{_room_of(last)}{last}, or "
                if last in OPS
                else "compute it with ag ops, or "
            )
            raise UnconvertedCallError(
                f"{self.name} is given a staged {kind}, but it is not converted",
                remedy=f"{op}call it each time the graph runs: "
                f"ag.py_function({last}, [x], ag.TensorSpec(shape, dtype))",
            )
        path = tracing.path_of(argument)
        copy = np.array(argument._value)
        copy = copy[()] if isinstance(argument, Scalar) else copy
        tracing.guard(f"same_array({path}, {tracing.table.constant(copy)})")
        return self._lent(copy)

    def _lent(self, elements: Any) -> Any:
        """A copy that the foreign code must not change: nobody else would see that."""
        if not isinstance(elements, np.ndarray):
            return elements
        made = elements.copy()
        made.flags.writeable = False
        self.lent.append(made)
        return made

    def require_copies(self, result: Any) -> None:
        """UnconvertedCallError for what shares elements with an array that the code was given."""
        several = result if isinstance(result, list | tuple) else (result,)
        arrays = [one for one in several if isinstance(one, np.ndarray)]
        if any(np.may_share_memory(one, other) for one in arrays for other in self.lent):
            raise UnconvertedCallError(
                f"{self.name} gives an array that shares elements with one it is given, "
                "but it is not converted",
                location=user_location(),
                remedy="compute it with other functions, or call it through ag.py_function",
            )

    def _whole(self, value: Any) -> Any:
        """A container or an object, with all that is in it noted as read."""
        if isinstance(value, CONTAINERS):
            return self._container(value)
        if isinstance(value, tuple):
            parts = [self._part(one) for one in value]
            return self._remade(value, parts, list(value))
        expose(self.tracing, value)
        expose(self.tracing, declared(value, "__self__"))
        if self.looks and self._is_object(value):
            self._object(value)
        return value

    def _container(self, value: Any) -> Any:
        if id(value) in self.seen:
            return value
        self.seen.add(id(value))
        looks = self.looks or self.name.startswith("itertools.")  # it does so later
        if looks and self.tracing.contents(value) is not None:
            raise UnconvertedCallError(
                f"{self.name} is given {with_article(type(value).__name__)} that grew in a staged "
                "loop or branch, but it is not converted",
                remedy="use a for statement, or make a tensor of the items: ag.stack(items)",
            )
        read_contents(self.tracing, value)
        if isinstance(value, dict):
            parts = [self._part(one) for one in value.values()]
            return self._remade(value, parts, list(value.values()))
        parts = [self._part(one) for one in value]
        return self._remade(value, parts, list(value))

    def _remade(self, value: Any, parts: list[Any], known: list[Any]) -> Any:
        """The container itself, or one of the arrays that stand behind tensors in it."""
        if all(part is one for part, one in zip(parts, known, strict=True)):
            return value
        if type(value) is dict:
            return dict(zip(value, parts, strict=True))
        return type(value)(parts) if type(value) in (list, tuple) else value

    def _part(self, item: Any) -> Any:
        """What stands in a container."""
        if isinstance(item, Array | Scalar):
            return self._array_of(item)
        if (
            isinstance(item, Number)
            or (self.looks and isinstance(item, Text | Choice))
            or isinstance(item, Tensor)
            and (self.looks or isinstance(item._value, Value))
        ):
            raise UnconvertedCallError(
                f"{self.name} is given a container with staged values, but it is not converted",
                remedy="use ag ops, a for statement, or ag.py_function",
            )
        return self._whole(item) if self.looks else item

    def _is_object(self, value: Any) -> bool:
        return is_users(type(value)) and not isinstance(value, (*BY_NAME, enum.Enum))

    def _object(self, value: Any) -> None:
        """An object of a class of the user's: its attributes are read."""
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        kind = type(value)
        for name in CONVERTING:
            method = special_method(kind, name, bound=False)
            written = isinstance(method, types.FunctionType)
            if written and is_users(kind) and not hasattr(kind, "__dataclass_fields__"):
                raise UnconvertedCallError(
                    f"{self.name} is given {with_article(kind.__name__)}, whose {name} it would "
                    "call unconverted",
                    remedy="convert it first: float(x), list(x), str(x)",
                )
        if hasattr(value, "__dict__"):
            self._container(taken(self.tracing, value))
        for base in kind.__mro__:
            for name, member in vars(base).items():
                if isinstance(member, types.MemberDescriptorType) and hasattr(value, name):
                    self._slot(AttributePlace(value, name))

    def _slot(self, place: AttributePlace) -> None:
        """An attribute that is kept in a slot."""
        tracing = self.tracing
        held = place.get()
        if not tracing.is_born(place.owner) and not is_written(tracing, place.key):
            held = observe_attribute(tracing, place, held)
        self._part(held)


def _room_of(name: str) -> str:
    """The room of the public API in which a function is, with a dot; nothing for `ag` itself."""
    public = vars(sys.modules["autograph"])
    if name in public:
        return ""
    from autograph import fft, linalg, special

    rooms = {"linalg": linalg, "fft": fft, "special": special}
    return next((f"{room}." for room, one in rooms.items() if hasattr(one, name)), "")
