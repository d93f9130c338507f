"""Conversion: from a function to one whose control flow is calls of operators."""

from __future__ import annotations

import builtins
import threading
import types
from collections.abc import Callable
from typing import Any

from autograph.conversion.passes.inlining import NotInlinedError
from autograph.conversion.pipeline import convert_tree
from autograph.conversion.printed import Printed
from autograph.conversion.syntax.build import compile_tree, instantiate, is_converted
from autograph.conversion.syntax.comments import with_comments
from autograph.conversion.syntax.fence import check
from autograph.conversion.syntax.recursion import with_room
from autograph.conversion.syntax.source import Source, source_of
from autograph.conversion.syntax.tree import Node
from autograph.conversion.syntax.unparse import to_text
from autograph.errors import StagingError
from autograph.runtime.core.location import Location
from autograph.values.marks import Marked

HEADING = "# Expressions stand as written; they run as calls of operators: raw=True, or --as raw.\n"
"""What stands above the readable view."""

_by_code: dict[tuple[int, bool, bool], tuple[types.CodeType, types.CodeType | None]] = {}
_lock = threading.RLock()
_operators: list[types.ModuleType] = []

UNCONVERTED = Marked()
"""What `do_not_convert` was said of."""


def do_not_convert(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function to be run as it is: its control flow is not staged, tensor ops in it are.

    Its Python effects happen once, while the graph is made.
    """
    UNCONVERTED.add(function)
    return function


def emit_for(operators: types.ModuleType) -> None:
    """Say what the emitted code calls as `ag__`.

    The operators convert the functions that are called while tracing, so they stand above this
    module and give themselves to it when they are imported, which the package sees to.
    """
    _operators[:] = [operators]


def converted_tree(
    function: types.FunctionType,
    inlined: bool = False,
    resuming: bool = False,
    readable: bool = False,
) -> tuple[Node, Source]:
    """The converted syntax tree of a function, and its source; the forms: see `convert_tree`."""
    source = source_of(function)
    check(source)
    taken = {*function.__globals__, *vars(builtins)}
    tree = with_room(
        source.tree,
        lambda: convert_tree(
            source.tree,
            class_name=source.class_name,
            global_names=taken,
            filename=source.filename,
            inlined=inlined,
            resuming=resuming,
            readable=readable,
        ),
    )
    return tree, source


def convert_function(function: types.FunctionType, resuming: bool = False) -> types.FunctionType:
    """The converted function, sharing variables and globals with the given one; cached.

    `resuming`: generators have their third form, where they have one.
    """
    if is_converted(function):
        return function
    code = _converted_code(function, False, resuming)
    assert code is not None
    return instantiate(code, function, _operators[0])


def convert_inlined(function: types.FunctionType) -> types.FunctionType | None:
    """The second form of a generator function, if it has one; cached."""
    code = _converted_code(function, True, False)
    return None if code is None else instantiate(code, function, _operators[0])


def _converted_code(
    function: types.FunctionType, inlined: bool, resuming: bool
) -> types.CodeType | None:
    key = (id(function.__code__), inlined, resuming)
    with _lock:
        known = _by_code.get(key)
        if known is None:
            code = None
            try:
                tree, source = converted_tree(function, inlined, resuming)
                code = compile_tree(function, tree, source.class_name)
            except NotInlinedError:
                pass
            known = _by_code[key] = (function.__code__, code)
    return known[1]


def converted_at(place: Location) -> types.FunctionType | None:
    """A function converted in this process that the line is a part of, the innermost: to look at,
    not to call, since it has neither the globals nor the variables around it.
    """
    found: types.CodeType | None = None
    for code, _ in list(_by_code.values()):
        if code.co_filename != place.filename or not _has_line(code, place.line):
            continue
        if found is None or code.co_firstlineno > found.co_firstlineno:
            found = code
    if found is None:
        return None
    cells = tuple(types.CellType() for _ in found.co_freevars)
    return types.FunctionType(found, {}, closure=cells)


def _has_line(code: types.CodeType, line: int) -> bool:
    nested = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return any(at == line for *_, at in code.co_lines()) or any(_has_line(n, line) for n in nested)


def convert(function: Callable[..., Any]) -> Callable[..., Any]:
    """The converted form of a function or method, to be called like it: eagerly, with the same
    results. Raises StagingError where the source is not available or uses unsupported syntax.
    """
    inner = getattr(function, "python_function", function)
    if isinstance(inner, types.MethodType):
        return types.MethodType(convert_function(_plain(inner.__func__)), inner.__self__)
    return convert_function(_plain(inner))


def _plain(function: Any) -> types.FunctionType:
    if not isinstance(function, types.FunctionType):
        raise StagingError(
            f"{function!r} is not a Python function and cannot be converted",
            remedy="convert functions, methods and lambdas",
        )
    return function


def to_code(function: Callable[..., Any], raw: bool = False) -> Printed:
    """The source of the converted function, as text, with the user's comments.

    Control flow is as it was converted, all other expressions as they were written; with `raw` it
    is what runs, call by call. Its `origins` tell the user's line of each printed one.
    """
    inner = getattr(function, "python_function", function)
    if isinstance(inner, types.MethodType):
        inner = inner.__func__
    tree, source = converted_tree(_plain(inner), readable=not raw)
    text, line_map = with_comments(*to_text(tree), source.text, source.first_line)
    above = 0 if raw else HEADING.count("\n")
    name = source.function.__code__.co_name
    origins = {
        above + number: (Location(source.filename, line, name),)
        for number, line in line_map.items()
    }
    return Printed(text if raw else HEADING + text, origins)
