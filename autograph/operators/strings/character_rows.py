"""Strings with staged parts as rows of code points, so that they can be looked into."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.errors import StateError
from autograph.library import spelling as library
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import lists, rows
from autograph.operators.containers.slices import as_index, by_index, is_staged_slice, positions_of
from autograph.operators.expressions.truth import choose, to_number
from autograph.operators.iterators.indexed import Indexed
from autograph.operators.strings.format_errors import CONVERSIONS
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS
from autograph.strings.characters import is_letter_row
from autograph.strings.digits import (
    Row,
    code_at,
    code_points,
    codes_of_int,
    known_row,
    length_of,
    padded,
    taken,
)
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
from autograph.tracing.places import StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.skeleton import Choices, Fixed, Group, Leaf, Skeleton

STRINGS = re.compile(r"(?:(?P<fill>.)?(?P<align>[<>^]))?(?P<width>\d+)?s?", re.DOTALL)
"""The formats of a string whose texts are made here."""
PLAIN = ("", "s")
TRUTH = ("False", "True")


def code_row(tracing: Tracing, text: Any) -> Row:
    """The code points of a string: an int64 tensor with one axis. StateError for others."""
    if isinstance(text, str):
        return code_points(text)
    if isinstance(text, Choice):
        return _of_choice(tracing, text)
    parts = [_of_part(tracing, one) for one in text.parts]
    return parts[0] if len(parts) == 1 else OPS.concat(parts) if parts else code_points("")


def text_of_codes(codes: Any) -> Any:
    """The string of a row of code points: a known one where they are."""
    if isinstance(codes, np.ndarray):
        return "".join(map(chr, codes.tolist()))
    return Text((Characters(codes),))


def letter(code: Any) -> Any:
    """The string of one staged code point."""
    return Text((Character(code),)) if isinstance(code, Number) else chr(code)


def only_letter(text: Any) -> Any:
    """The code point of a string that is surely one character; None of any other."""
    if isinstance(text, str):
        return ord(text) if len(text) == 1 else None
    if isinstance(text, Text) and len(text.parts) == 1 and isinstance(text.parts[0], Character):
        return text.parts[0].value
    return None


def text_length(tracing: Tracing, text: Any) -> Any:
    """How many characters a string with staged parts has: an int, staged or not."""
    return length_of(code_row(tracing, text))


class Letters(Indexed):
    """The characters of a string with staged parts."""

    __slots__ = ("codes",)
    _staged_parts = ("codes",)
    _by_value = True

    def __init__(self, codes: Any) -> None:
        self.codes = codes._value if isinstance(codes, Tensor) else codes

    @classmethod
    def of(cls, tracing: Tracing, text: Any) -> Letters:
        """Those of a string."""
        return cls(code_row(tracing, text))

    def length(self, tracing: Tracing) -> Any:
        return length_of(wrap_row(self.codes))

    def get(self, tracing: Tracing, index: Any) -> Any:
        return letter(code_at(wrap_row(self.codes), index))


def wrap_row(codes: Any) -> Row:
    """A row of code points as ops take it."""
    return codes if isinstance(codes, np.ndarray) else Tensor._of(codes)


def is_staged_place(key: Any) -> bool:
    """Whether an index, or a bound of a slice, is known only at run time."""
    return is_staged_slice(key) if isinstance(key, slice) else isinstance(key, Number | Tensor)


def text_item(tracing: Tracing, text: Any, key: Any) -> Any:
    """`text[key]` of an index or a slice, where either is staged."""
    key = by_index(key)
    if not isinstance(key, slice):
        if not isinstance(key, int | Number | Tensor) or getattr(key, "kind", None) is float:
            key = 0.5 if isinstance(key, Number) else key
            return "a"[key]  # raises Python's own error
        key = as_index(key)
    if isinstance(key, slice):
        part = partial(_slice_of, tracing, text, key)
        return at_once_or_later(tracing, part, text, "__getitem__", (key,))
    codes = code_row(tracing, text)
    length = length_of(codes)
    if isinstance(length, int) and not isinstance(key, Number):
        if not -length <= key < length:
            raise IndexError("string index out of range")
        return letter(code_at(codes, key % length))
    place = lists.in_range(tracing, key, length, "string index out of range")
    return letter(code_at(codes, place))


def _slice_of(tracing: Tracing, text: Any, key: slice) -> Any:
    codes = code_row(tracing, text)
    if not is_staged_slice(key):
        return text_of_codes(OPS.getitem(codes, key))
    return text_of_codes(taken(codes, positions_of(key, length_of(codes)).tensor()))


def at_once_or_later(
    tracing: Tracing, make: Callable[[], Any], text: Any, name: str, args: tuple[Any, ...]
) -> Any:
    """What a method makes of the characters of a string; where these cannot be told, a string of
    which the run makes that, and which is not looked into."""
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        try:
            found = make()
        except StateError:
            region.roll_back()
            checkpoint.restore()
            return Text((Changed(text, name, args),))
        region.commit()
    return found


def repeated_text(tracing: Tracing, text: Text, count: Any) -> Text:
    """`text * count` of a staged number."""
    codes = code_row(tracing, text)
    size = length_of(codes)
    whole = OPS.py_mul(size, OPS.py_max2(as_index(count), 0))
    places = OPS.remainder(OPS.arange(whole), OPS.py_max2(size, 1))
    return Text((Characters(taken(codes, places)),))


# parts --------------------------------------------------------------------------------------------
def _of_choice(tracing: Tracing, choice: Choice) -> Row:
    """The code points of one of several strings."""
    if not all(type(one) is str for one in choice.options):
        made = choose(tracing, choice, lambda one: _in_branch(tracing, _of_part(tracing, one)))
        return code_row(tracing, made)
    return known_row(choice.options, choice.tag)


def _in_branch(tracing: Tracing, codes: Row) -> Text:
    """The string of a row in one of several branches, which leave strings of one kind."""
    return Text((Characters(tracing.region.trace.value_of(codes)),))


def _of_part(tracing: Tracing, part: Any) -> Row:
    if isinstance(part, str | Text | Choice):
        return code_row(tracing, part)
    if isinstance(part, Character):
        return _row_of(part.value)
    if isinstance(part, Characters):
        return wrap_row(part.codes)
    if isinstance(part, Formatted):
        return _of_formatted(tracing, part.value, part.conversion, part.spec)
    if isinstance(part, Filled):
        return _of_filled(tracing, part)
    if isinstance(part, Pieces):
        return _of_rows(tracing, part.rows, "")
    if isinstance(part, Joined):
        return _of_rows(tracing, part.items, part.separator)
    _refuse(part)


def _row_of(code: Any) -> Row:
    row: Row = OPS.add(np.zeros(1, np.int64), code)
    return row


def _of_formatted(tracing: Tracing, value: Any, conversion: Any, spec: Any) -> Row:
    """The characters of `{value!conversion:spec}`."""
    for place, one in enumerate((value, conversion, spec)):
        if isinstance(one, Choice):
            rest = partial(_with_option, tracing, (value, conversion, spec), place)
            return code_row(tracing, choose(tracing, one, rest))
    if isinstance(value, Tensor) and value.ndim == 0 and conversion in PLAIN:
        kind = value.dtype.kind
        if kind == "b" or (kind in "iu" and value.dtype != np.uint64):
            value = to_number(value, bool if kind == "b" else int)
    if not isinstance(spec, str):
        raise StateError(
            "a string is looked into whose format is known only when the function runs",
            remedy="use str.zfill, str.rjust or str.ljust with the width",
        )
    if isinstance(value, str | bool | int | type(None)):
        return code_points(format(_converted(value, conversion), spec))
    if isinstance(value, Number) and value.kind is bool and (conversion or not spec):
        value, conversion = Choice(OPS.py_int(value), TRUTH), ""
    if isinstance(value, Text | Choice) and conversion in PLAIN:
        return _aligned(tracing, value, spec)
    if isinstance(value, Number) and value.kind is not float:
        whole = OPS.py_int(value) if value.kind is bool else value
        if not conversion:
            codes = codes_of_int(whole, spec)
            if codes is not None:
                return codes
            _refuse(value, spec)
        return _aligned(tracing, text_of_codes(codes_of_int(whole)), spec)
    _refuse(value)


def _with_option(tracing: Tracing, given: tuple[Any, ...], place: int, option: Any) -> Any:
    """The string of a formatted value, of whose parts one is the option."""
    parts = (*given[:place], option, *given[place + 1 :])
    return _in_branch(tracing, _of_formatted(tracing, *parts))


SHOWN: dict[str, Any] = {"r": repr, "s": str, "a": ascii}


def _converted(value: Any, conversion: str) -> Any:
    return SHOWN[conversion](value) if conversion else value


def _aligned(tracing: Tracing, text: Any, spec: str) -> Row:
    """The characters of a string in a field."""
    codes = code_row(tracing, text)
    found = STRINGS.fullmatch(spec)
    if found is None:
        _refuse(text, spec)
    return padded(codes, int(found["width"] or 0), found["fill"] or " ", found["align"] or "<")


def _of_filled(tracing: Tracing, part: Filled) -> Row:
    """The characters of `pattern % values`."""
    given = list(part.values) if isinstance(part.values, tuple) else [part.values]
    found: list[Row] = []
    end = 0
    for conversion in CONVERSIONS.finditer(part.pattern):
        found.append(code_points(part.pattern[end : conversion.start()]))
        end = conversion.end()
        if conversion["type"] == "%":
            found.append(code_points("%"))
        else:
            if not given:
                _refuse(part, conversion[0])
            found.append(_of_conversion(tracing, conversion, given.pop(0)))
    found.append(code_points(part.pattern[end:]))
    whole: Row = OPS.concat([one for one in found if one.shape != (0,)])
    return whole


def _of_conversion(tracing: Tracing, conversion: re.Match[str], value: Any) -> Row:
    """The characters of one conversion of a pattern, as those of a format."""
    kind, flags, width = conversion["type"], conversion["flags"], conversion["width"] or ""
    plain = conversion["key"] is None and not conversion["precision"] and width != "*"
    if not plain or kind not in "sradiuxXo":
        _refuse(value, conversion[0])
    left = "-" in flags
    if kind in "sra":
        text = value if _is_text(value) else Text((Formatted(value, kind, ""),))
        return _of_formatted(tracing, text, "", ("<" if left else ">") + width if width else "")
    if isinstance(value, Number) and value.kind is float:
        _refuse(value, conversion[0])
    sign = "+" if "+" in flags else " " if " " in flags else ""
    form, zero = "#" if "#" in flags else "", "0" if "0" in flags and not left else ""
    base = "d" if kind in "diu" else kind
    align = "<" if left else ""
    return _of_formatted(tracing, value, "", f"{align}{sign}{form}{zero}{width}{base}")


def _is_text(value: Any) -> bool:
    if isinstance(value, Choice):
        return all(map(_is_text, value.options))
    return isinstance(value, str | Text)


def _of_rows(tracing: Tracing, contents: Any, separator: str) -> Row:
    """The characters of pieces, as many as the run tells."""
    if not isinstance(contents, StagedItems):
        parts = [one for piece in contents.values for one in (separator, piece)][1:]
        return code_row(tracing, Text(tuple(parts)))
    quick = None if separator else _of_letters(contents)
    if quick is not None:
        return quick
    if not separator:  # they are parts of a string
        element = Group(Text, (Group(tuple, (contents.element,)),))
        contents = StagedItems(list, element, contents.columns)
    held = rows.new_list(tracing, contents, hidden=True)
    if separator:
        codes = call(library.spelled, held, separator)
    else:
        codes = call(library.spelled_without, held)
    return row_of_list(tracing, codes)


def row_of_list(tracing: Tracing, codes: Any) -> Row:
    """A list of code points as a row."""
    contents = rows.rows_of(tracing, codes)
    found: Row = OPS.list_values(StagedList(contents.columns[0]), dtype=rows.INDEX)
    return found


def list_of_row(tracing: Tracing, codes: Row) -> list[Any]:
    """A row of code points as a list that the user's code never sees."""
    column = OPS.list_numbers(codes)
    element = Leaf(column._value.spec.element)
    return rows.new_list(tracing, StagedItems(list, element, (column._value,)), hidden=True)


def _of_letters(contents: StagedItems) -> Row | None:
    """The characters of pieces that are one character each; None of others."""
    element = contents.element
    if isinstance(element, Group) and element.kind is Text:
        (parts,) = element.items
        only = parts.items if isinstance(parts, Group) else ()
        if len(only) == 1 and isinstance(only[0], Group) and only[0].kind is Character:
            found: Row = OPS.list_values(StagedList(contents.columns[0]), dtype=rows.INDEX)
            return found
    if is_letter_row(element):
        codes: Row = OPS.list_values(StagedList(contents.columns[0]), dtype=rows.INDEX)
        return codes
    if isinstance(element, Fixed) and type(element.value) is str:
        length = OPS.list_length(StagedList(contents.columns[0]))
        known = code_points(element.value)
        count = len(element.value)
        return taken(known, OPS.arange(length * count) % count) if count else known
    if isinstance(element, Choices) and all(map(_is_known_letter, element.options)):
        tags = OPS.list_values(StagedList(contents.columns[0]), dtype=rows.INDEX)
        return taken(code_points("".join(one.value for one in element.options)), tags)  # type: ignore[attr-defined]
    return None


def _is_known_letter(option: Skeleton) -> bool:
    return isinstance(option, Fixed) and type(option.value) is str and len(option.value) == 1


def _refuse(part: Any, spec: str = "") -> NoReturn:
    """StateError: what a string shows has no characters here."""
    value = part.value if isinstance(part, Formatted) else part
    if isinstance(value, Number):
        shown = with_article(value.kind.__name__)
    elif isinstance(value, Tensor):
        shown = "a tensor"
    else:
        shown = "more than ints and strings"
    in_format = f" in the format {spec!r}" if spec else ""
    raise StateError(
        f"a string is looked into that shows {shown}{in_format}, and only the run makes its text",
        remedy="compare, count or choose with the values themselves",
    )
