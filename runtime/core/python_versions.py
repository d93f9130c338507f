"""What differs between the versions of Python that run this. No other room asks which one runs.

| since | what | here |
| --- | --- | --- |
| 3.12 | `reverse=` of `sorted` is asked for its truth | `SORTS_BY_TRUTH` |
| 3.12 | f-strings hold any quotes and backslashes | `NESTED_QUOTES` |
| 3.12 | `sum` keeps what additions of floats lose by rounding | `SUM_IS_EXACT_LONGER` |
| 3.12 | comprehensions belong to the code around them | `COMPREHENSIONS_ARE_INLINE`, opcodes |
| 3.13 | a run that falls, in `list.sort`, has equal items, too (NaN) | `FALLS_OVER_EQUALS` |
| 3.13 | texts: of `chr`, `float % 0.0`, of what has no `__dict__` | asked for where they are used |
| 3.13 | `==` of dataclasses is that of their fields | `EQUALITY_IS_THAT_OF_FIELDS` |
| 3.13 | a traced `breakpoint` stops where it stands, not in the line below | `pdb` knows |
| 3.13 | `f_locals` is a view of the frame | `generator_recipes` takes what it needs at once |
| 3.14 | texts: `division by zero`, `expected a positive input, got 0.0`, `(expected 2, got 3)`, | |
| | `list.index(x): x not in list`, `cannot use 'list' as a dict key (...)` | the texts below |
| 3.14 | `sum` keeps what ints lose that are added to floats | `SUM_TAKES_INTS` |
| 3.14 | floats beside complex numbers stay real | `KEEPS_REAL_OPERANDS` |
| 3.14 | a `functools.partial` in a class is a method | `PARTIALS_BIND` |
| 3.14 | `map(..., strict=True)` | refused: `operators/builtins/iterator_functions` |
| 3.14 | annotations are made by `__annotate__`; template strings | `build`, `fence` |
| 3.14 | `LOAD_SMALL_INT`, `LOAD_COMMON_CONSTANT`; `RETURN_CONST` is gone | opcodes |

What can be asked of the interpreter is asked of it, texts above all: so a version that nobody has
seen yet is right, too.
"""

from __future__ import annotations

import collections
import dataclasses
import dis
import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

NESTED_QUOTES = sys.version_info >= (3, 12)
"""Whether the expressions of an f-string may hold the quotes that it stands in."""

SUM_IS_EXACT_LONGER = sum([0.1] * 10) == 1.0
"""Whether `sum` of floats keeps what its additions lose, and gives it back at the end."""

SUM_TAKES_INTS = sum([1e16, 1, 1]) > 1e16
"""Whether it keeps that of ints, too."""


def _text_of_error(function: Callable[[], Any]) -> str:
    try:
        function()
    except ArithmeticError as error:
        return str(error)
    raise AssertionError("it raises")


COMPLEX_BY_ZERO = _text_of_error(lambda: 1j / (0 * 1j))
"""What Python says of a complex number divided by 0."""

ZERO_TO_A_COMPLEX_POWER = _text_of_error(lambda: complex(0) ** -1)
"""What it says of 0 to a power that has no value."""

KEEPS_REAL_OPERANDS = (1.0 * complex(math.inf, 1.0)).imag == 1.0
"""Whether a float beside a complex number stays real, and is not made complex first."""

PARTIALS_BIND = sys.version_info >= (3, 14)
"""Whether a `functools.partial` in a class is a method. 3.13 asks and warns, so it is not asked."""


def takes_instances(function: Any) -> bool:
    """Whether a callable in a class is given the object that it is called on."""
    if isinstance(function, functools.partial) and not PARTIALS_BIND:
        return False
    return hasattr(type(function), "__get__")


def stores_item(frame: FrameType) -> bool:
    """Whether a frame stands at `container[key] = value`."""
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["STORE_SUBSCR"]


def called_by(frame: FrameType) -> Any:
    """The function that a frame is about to call by a name, or as an attribute of what has one;
    else None. No code of the user's is asked for it."""
    names = _called_names(frame.f_code, frame.f_lasti)
    if not names:
        return None
    scopes = (frame.f_locals, frame.f_globals, frame.f_builtins)
    found = next((one[names[0]] for one in scopes if names[0] in one), None)
    for name in names[1:]:
        found = inspect.getattr_static(found, name, None)
    return found


@functools.lru_cache(1024)
def _called_names(code: CodeType, offset: int) -> tuple[str, ...]:
    """The names, joined by dots in the text, of what the instruction at an offset calls."""
    here = next((one for one in dis.get_instructions(code) if one.offset == offset), None)
    if here is None or here.positions is None or "CALL" not in here.opname:
        return ()
    start, end = here.positions[0::2], here.positions[1::2]
    names: dict[Any, str] = {}
    for one in dis.get_instructions(code):
        if one.offset >= offset or one.positions is None or not one.opname.startswith("LOAD_"):
            continue
        if one.positions[0::2] == start and one.positions[1::2] != end:
            names[one.positions[1::2]] = str(one.argval)
    return tuple(names[place] for place in sorted(names))


COMPREHENSIONS_ARE_INLINE = "<listcomp>" not in str((lambda: [0 for _ in ()]).__code__.co_consts)
"""Whether what a comprehension reads are local variables of the function around it."""


class _Anything:
    """Its sort order, if it is asked for one: the truth of this object, or its index."""

    def __bool__(self) -> bool:
        return False


def _sorts_by_truth() -> bool:
    try:
        return bool(sorted([1], reverse=_Anything()))  # type: ignore[call-overload,unused-ignore]
    except TypeError:
        return False


SORTS_BY_TRUTH = _sorts_by_truth()
"""Whether `reverse=` of `sorted` is anything that is true or false; else it is an int."""

FALLS_OVER_EQUALS = sorted([2.0, 1.0, float("nan")])[1] != 2.0
"""Whether a run that falls, at the start of what is sorted, has items that compare equal, too."""


@dataclasses.dataclass
class _Pair:
    item: Any


class _Answering:
    def __eq__(self, other: object) -> Any:
        return self


EQUALITY_IS_THAT_OF_FIELDS = (_Pair(_Answering()) == _Pair(_Answering())) is not True
"""Whether `==` of dataclasses gives what `==` of their last fields gives; else a bool."""


# texts --------------------------------------------------------------------------------------------
def refusal(function: Callable[..., Any], *args: Any) -> Exception:
    """What this Python raises for a call that every Python refuses."""
    try:
        function(*args)
    except Exception as error:
        return error
    raise AssertionError(f"{function!r} was expected to refuse {args!r}")


def _template(value: Any, function: Callable[..., Any], *args: Any) -> str:
    """The text of a refusal, to be formatted with the value: `{!r}` where it names that."""
    text, named = str(refusal(function, *args)), repr(value)
    assert "{" not in text and text.count(named) <= 1, text
    return text.replace(named, "{!r}")


def _unpack_two(items: Any) -> None:
    _, _ = items


ZERO_TO_A_NEGATIVE_POWER = str(refusal(pow, 0, -1))
NO_QUOTIENT = str(refusal(divmod, 1.0, 0.0))

_OUTSIDE = {
    **dict.fromkeys(("sin", "cos", "tan"), math.inf),
    **dict.fromkeys(("acos", "asin", "atanh", "acosh"), -7.25),
    **dict.fromkeys(("sqrt", "log", "log2", "log10", "log1p"), -7.25),
}
OUTSIDE_DOMAIN = {
    name: _template(value, getattr(math, name), value) for name, value in _OUTSIDE.items()
}
"""By function of `math`: a text to be formatted with the number that it has no value for."""
NO_LOGARITHM = str(refusal(math.log, 0))
"""The same of an int."""
NO_POWER = str(refusal(math.pow, -1.0, 0.5))
NO_REMAINDER = str(refusal(math.fmod, 1.0, 0.0))

_MISSING = "what is not there"
NOT_IN: dict[Any, str] = {
    list: _template(_MISSING, [].index, _MISSING),
    collections.deque: _template(_MISSING, collections.deque().index, _MISSING),
    range: _template(7, range(3).index, 7),
}
"""By class, what `items.index(x)` raises: a text to be formatted with x."""
NOT_TO_REMOVE: dict[Any, str] = {
    list: _template(_MISSING, [].remove, _MISSING),
    collections.deque: _template(_MISSING, collections.deque().remove, _MISSING),
}
_TOO_MANY = str(refusal(_unpack_two, {1, 2, 3}))
_COUNTED = frozenset(
    type(one)
    for one in ([1, 2, 3], (1, 2, 3), {1: 1, 2: 2, 3: 3})
    if str(refusal(_unpack_two, one)) != _TOO_MANY
)


def too_many(wanted: int, kind: type) -> str:
    """What `a, b = items` raises for more items: a text to be formatted with how many there are."""
    return f"too many values to unpack (expected {wanted}{', got {}' * (kind in _COUNTED)})"


def unhashable(kind: type, key: type, container: type) -> str:
    """What a dict or a set raises for a key in which a class has no hash."""
    text = str(refusal({}.get, []) if container is dict else refusal(set().add, []))
    *before, start, end = text.split("'list'")
    return "".join([one + repr(key.__name__) for one in before] + [start, repr(kind.__name__), end])


class _Slotted:
    __slots__ = ("item",)


_EMPTY_SLOT = str(refusal(getattr, _Slotted(), "item"))


def empty_slot(kind: type, name: str) -> str:
    """What reading an attribute raises that is a slot, and holds nothing."""
    whole = _Slotted.__module__ in _EMPTY_SLOT and kind.__module__ not in ("builtins", "__main__")
    shown = f"{kind.__module__}.{kind.__qualname__}" if whole else kind.__name__
    return f"{shown!r} object has no attribute {name!r}"


# opcodes ------------------------------------------------------------------------------------------
_GLOBAL_LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_CELL_STORES = frozenset({"STORE_DEREF", "DELETE_DEREF"})
_CONSTANT_LOADS = frozenset({"LOAD_CONST", "LOAD_SMALL_INT"})


def globals_loaded(code: CodeType) -> Iterator[str]:
    """The names of globals that a code object loads."""
    for one in dis.get_instructions(code):
        if one.opname in _GLOBAL_LOADS:
            yield one.argval


def cells_stored(code: CodeType) -> Iterator[str]:
    """The variables in cells that a code object assigns or deletes."""
    for one in dis.get_instructions(code):
        if one.opname in _CELL_STORES:
            yield one.argval


def raises_at(code: CodeType, offset: int) -> bool:
    """Whether the instruction there is a `raise` that was written."""
    return dis.opname[code.co_code[offset]] == "RAISE_VARARGS"


def asserts_at(code: CodeType, offset: int, line: int) -> bool:
    """Whether an exception at an offset in a line comes from an `assert` there."""
    return any(
        one.offset <= offset and one.positions is not None and one.positions.lineno == line
        for one in dis.get_instructions(code)
        if one.opname == "LOAD_ASSERTION_ERROR"
        or (one.opname == "LOAD_COMMON_CONSTANT" and one.arg == 0)  # 1 and others: not of `assert`
    )


def returns_only_false(code: CodeType) -> bool:
    """Whether all that a code object returns are constants that are false."""
    before: Any = None
    for one in dis.get_instructions(code):
        if one.opname == "RETURN_VALUE":
            if before is None or before.opname not in _CONSTANT_LOADS or before.argval:
                return False
        elif one.opname == "RETURN_CONST" and one.argval:
            return False
        before = one
    return True
