"""Operators of NumPy's arrays and scalars beside values that are no numbers."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from autograph.errors import StateError
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.expressions.truth import to_number
from autograph.runtime.arrays.cells import Array, Scalar, as_tensor
from autograph.runtime.arrays.table import apply_function, paused
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYTHON_TYPES
from autograph.runtime.core.tensor import Tensor
from autograph.strings.text import Text
from autograph.tracing.reading import is_users
from autograph.values.choice import Choice
from autograph.values.marks import declared

_CELLS = (Array, Scalar)
OBJECTS = (
    *(type(None), str, bytes, Text, dict, set, frozenset, slice, type),
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType),
)
_PROTOCOLS = ("__array_ufunc__", "__array__", "__array_priority__", "__len__", "__buffer__")
_TAKEN = (Tensor, Number, Choice, np.ndarray, np.generic, int, float, complex, list, tuple)
"""What stands for numbers, or for arrays of them."""


# objects that are equal to no number --------------------------------------------------------------
def is_object(value: Any) -> bool:
    """Whether NumPy takes a value as one object, no number, which is equal to no number."""
    if isinstance(value, OBJECTS):
        return True
    if special_method(type(value), "__eq__") is not object.__eq__:
        return False
    return all(declared(type(value), name) is None for name in _PROTOCOLS)


def beside_object(function: Callable[..., Any], left: Any, right: Any) -> Any:
    """What NumPy makes of an array or a scalar beside a value that is no number: it raises, or
    compares each element. The same for all elements: NumPy is asked about one. NotImplemented where
    it makes objects."""
    cell = left if isinstance(left, _CELLS) else right
    one = np.zeros(1, cell.dtype)
    example = one if isinstance(cell, Array) else one[0]
    pair = [example if each is cell else _known(each) for each in (left, right)]
    with paused():
        made = function(*pair)
    if np.asarray(made).dtype.kind != "b":
        return NotImplemented
    if not isinstance(made, np.ndarray):
        return made
    if not len(cell.shape):
        return made[0]
    like = np.ones_like if made[0] else np.zeros_like
    return apply_function(like, (cell,), {"dtype": bool})


def in_place_of_object(method_name: str, array: Array, value: Any) -> Any:
    """`array += value` of a value that is no number: what NumPy raises; NotImplemented for any
    other value."""
    if is_object(value):
        with paused():
            getattr(operator, method_name)(np.ones(1, array.dtype), _known(value))
    return NotImplemented


def _known(value: Any) -> Any:
    """A value as NumPy is asked about it: strings are known, and nothing of the user's runs."""
    if isinstance(value, Text):
        return ""
    return value if isinstance(value, OBJECTS) else object()


# objects of the user's ----------------------------------------------------------------------------
def beside_users(
    function: Callable[..., Any], names: tuple[str, str], left: Any, right: Any
) -> tuple[Any, Any]:
    """The operands of an operator as NumPy hands them on, where one is an object of the user's.

    `names`: of the special methods of the left operand and of the right one. A scalar lets such an
    object meet a Python number. An array lets it meet each element: StateError. Objects that are
    arrays or sequences become arrays.
    """
    forward, reflected = names
    if isinstance(left, _OF_NUMPY) and _is_of_users(right):
        if not _defers(left, right) and not (forward in _EQUALITY and is_object(right)):
            is_asked = _has(right, reflected)
            right = _as_array(right)
            return _one_by_one(left, right, is_asked, forward, lambda one: function(one, right))
    elif isinstance(right, _OF_NUMPY) and _is_of_users(left) and not _has(left, forward):
        if not _defers(right, left) and not (forward in _EQUALITY and is_object(left)):
            left = _as_array(left)
            right, left = _one_by_one(right, left, False, forward, lambda one: function(left, one))
    return left, right


_OF_NUMPY = (*_CELLS, np.generic)
_OF_SCALARS = np.float64(0).__array_priority__
_EQUALITY = ("__eq__", "__ne__")


def _is_of_users(value: Any) -> bool:
    if isinstance(value, Decimal | Fraction):
        return True
    return not isinstance(value, _TAKEN) and is_users(type(value))


def _defers(cell: Any, other: Any) -> bool:
    """Whether NumPy leaves an operator to the class of the other operand."""
    if special_method(type(other), "__array_ufunc__", bound=False) is not None:
        return True
    if "__array_ufunc__" in dir(type(other)):  # it is None
        return True
    own = 0.0 if isinstance(cell, Array) else _OF_SCALARS
    priority = getattr(type(other), "__array_priority__", None)
    return priority is not None and priority > own


def _has(value: Any, name: str) -> bool:
    """Whether the class of an object has a special method, not only that of `object`."""
    found = special_method(type(value), name, bound=False)
    return found is not None and found is not getattr(object, name, None)


def _as_array(value: Any) -> Any:
    """An object of the user's that is an array or a sequence as an array; any other one itself."""
    if _has(value, "__array__"):
        return call(np.asarray, value)
    if isinstance(value, dict) or not (_has(value, "__len__") and _has(value, "__getitem__")):
        return value
    return call(np.asarray, call(list, value))


def _one_by_one(
    cell: Any, other: Any, is_asked: bool, forward: str, ask: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """An array or a scalar as the other operand meets it; StateError where it does not."""
    if not _is_of_users(other) or (forward == "__matmul__" and isinstance(cell, Scalar)):
        return cell, other
    if isinstance(cell, Array):
        if not is_asked:
            with paused():
                ask(np.ones(1, cell.dtype))  # raises what NumPy raises
        raise StateError(
            f"an operator of an array and {with_article(type(other).__name__)} is one of each "
            "element, and makes an array of objects, which is not staged",
            location=user_location(),
            remedy="go over the elements in a loop, or let the class have __array_ufunc__ = None: "
            "its own method is then given the array",
        )
    if isinstance(cell, np.generic):
        return cell.item(), other
    return to_number(as_tensor(cell), PYTHON_TYPES.get(cell.dtype.kind, int)), other
