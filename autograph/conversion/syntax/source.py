"""Finds the syntax tree of a function that exists.

The whole file is parsed once and the function's node located in it, by its first line and name;
so lines and columns are those of the file, whatever the indentation, decorators or line breaks.
Then the file is compiled and the function's code looked up in the result: only if it is there is
the source that of the function. Lambdas that share a line are told apart by the columns that their
instructions carry.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import warnings
from dataclasses import dataclass, field
from types import CodeType, FunctionType, MethodType

from autograph.conversion.syntax.recursion import with_most_room, with_room
from autograph.conversion.syntax.tree import Node, ast_to_gast
from autograph.errors import SourceNotAvailableError
from autograph.runtime.core.location import Location

FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """The source of one function.

    `tree` is a gast `FunctionDef`, `AsyncFunctionDef` or `Lambda` of its own, without decorators,
    with the positions of the file. `class_name` is the class whose private names it sees mangled,
    or None. `text` is its lines in the file.
    """

    tree: Node
    function: FunctionType = field(repr=False)
    filename: str
    first_line: int
    text: str = field(repr=False)
    class_name: str | None
    free_variables: tuple[str, ...]

    @property
    def location(self) -> Location:
        """The function's first line."""
        return Location(self.filename, self.first_line, self.function.__code__.co_name)


@dataclass(frozen=True)
class _Place:
    """A function in a parsed file, and the class around it."""

    node: _Function
    class_name: str | None


@dataclass(frozen=True)
class _File:
    """A parsed and compiled file: its functions, and its code objects by first line and name."""

    text: str
    places: dict[tuple[int, str], list[_Place]]
    codes: dict[tuple[int, str], list[CodeType]]


_files: dict[tuple[str, int], _File] = {}


def source_of(function: FunctionType | MethodType) -> Source:
    """The source of a Python function, method or lambda.

    Raises SourceNotAvailableError if there is none, or if it is not that of the running code.
    """
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType):
        raise SourceNotAvailableError(
            f"{function!r} is not a Python function, so it has no source",
            remedy="convert functions, methods and lambdas only",
        )
    code = plain.__code__
    place, file = _locate(plain, code)
    tree = with_room(place.node, lambda: ast_to_gast(place.node))
    if isinstance(place.node, ast.FunctionDef | ast.AsyncFunctionDef):
        tree.decorator_list = []
    last = place.node.end_lineno or place.node.lineno
    # Not splitlines(): Python's own lines end at line feeds only.
    lines = file.text.split("\n")[code.co_firstlineno - 1 : last]
    return Source(
        tree=tree,
        function=plain,
        filename=code.co_filename,
        first_line=code.co_firstlineno,
        text="\n".join(lines) + "\n",
        class_name=place.class_name,
        free_variables=code.co_freevars,
    )


def place_of(function: FunctionType) -> Location:
    """The line of a function's `def`, or that of its code where its source is not available."""
    code = function.__code__
    try:
        line = source_of(function).tree.lineno
    except SourceNotAvailableError:
        line = code.co_firstlineno
    return Location(code.co_filename, line, code.co_name)


def _locate(function: FunctionType, code: CodeType) -> tuple[_Place, _File]:
    """The function's node in its file; the file is read again if it has changed meanwhile."""
    filename = _file_of(function)
    text = "".join(linecache.getlines(filename, function.__globals__))
    found = _find(text, code)
    if found is None:
        linecache.checkcache(filename)
        fresh = "".join(linecache.getlines(filename, function.__globals__))
        found = _find(fresh, code) if fresh != text else None
        text = fresh
    if found is not None:
        return found
    # What `exec` was given has the name that Python 3.13 keeps the program of `python -c` under.
    if not text or code.co_filename == "<string>":
        raise SourceNotAvailableError(
            f"the source of {code.co_qualname!r} is not available ({code.co_filename})",
            location=Location(code.co_filename, code.co_firstlineno, code.co_name),
            remedy="define it in a file, or keep it out of the conversion with do_not_convert",
        )
    raise SourceNotAvailableError(
        f"the source of {code.co_qualname!r} is not in {code.co_filename}, "
        "or not as it is now: the file has changed since, or the code was rewritten",
        location=Location(code.co_filename, code.co_firstlineno, code.co_name),
        remedy="import it again, or keep it out of the conversion with do_not_convert",
    )


def _file_of(function: FunctionType) -> str:
    """The file of a function; collections.abc is frozen, and knows where it comes from."""
    filename = function.__code__.co_filename
    origin = function.__globals__.get("__file__")
    if filename == "<frozen _collections_abc>" and isinstance(origin, str):
        return origin
    return filename


def _find(text: str, code: CodeType) -> tuple[_Place, _File] | None:
    """The node in `text` that compiles to `code`, or None."""
    file = _parse(text, code)
    if file is None:
        return None
    key = (code.co_firstlineno, code.co_name)
    places = file.places.get(key, [])
    if code in file.codes.get(key, []):
        places = [place for place in places if _spans(place.node, code)]
    elif not any(_asserts_rewritten(found, code) for found in file.codes.get(key, [])):
        return None
    if len(places) > 1:
        # The innermost first: a lambda spans the instructions of the lambdas within it, too.
        places = sorted(places, key=lambda place: _extent(place.node))
        places = [place for place in places if _compiles_to(place.node, code)] or places
    return (places[0], file) if places else None


def _parse(text: str, code: CodeType) -> _File | None:
    """The file of this text, parsed and compiled as `code` was; None if it does not parse."""
    flags = code.co_flags & FUTURE_FLAGS
    known = _files.get((code.co_filename, flags))
    if known is not None and known.text == text:
        return known
    # Cells of notebooks may await at their top level. No other file is read differently for it.
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def read() -> tuple[ast.AST, CodeType]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the compiler has warned when it was imported
            return parsed()

    def parsed() -> tuple[ast.AST, CodeType]:
        tree = compile(text, code.co_filename, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        return tree, compile(text, code.co_filename, "exec", flags, dont_inherit=True)

    try:
        try:
            tree, compiled = read()
        except RecursionError:
            tree, compiled = with_most_room(read)
    except (SyntaxError, ValueError):
        return None
    codes: dict[tuple[int, str], list[CodeType]] = {}
    for found in _all_codes(compiled):
        codes.setdefault((found.co_firstlineno, found.co_name), []).append(found)
    file = _File(text, _all_places(tree), codes)
    _files[code.co_filename, code.co_flags & FUTURE_FLAGS] = file
    return file


def _all_codes(code: CodeType) -> list[CodeType]:
    """A code object and all nested in it."""
    found = [code]
    for outer in found:
        found.extend(constant for constant in outer.co_consts if isinstance(constant, CodeType))
    return found


def _all_places(tree: ast.AST) -> dict[tuple[int, str], list[_Place]]:
    """The functions of a file by first line (that of the first decorator) and name."""
    places: dict[tuple[int, str], list[_Place]] = {}
    pending: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while pending:
        node, class_name = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            places.setdefault((first, node.name), []).append(_Place(node, class_name))
        elif isinstance(node, ast.Lambda):
            key = (node.lineno, "<lambda>")
            places.setdefault(key, []).append(_Place(node, class_name))
        inner = node.name if isinstance(node, ast.ClassDef) else class_name
        pending.extend((child, inner) for child in ast.iter_child_nodes(node))
    return places


def _spans(node: _Function, code: CodeType) -> bool:
    """Whether the instructions of `code` have positions within `node`.

    Some instructions have no columns, and under `-X no_debug_ranges` none has any.
    """
    if not isinstance(node, ast.Lambda):
        return True
    body = node.body
    start = (body.lineno, body.col_offset)
    end = (body.end_lineno or body.lineno, body.end_col_offset or 0)
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) == (end_line, end_column):
            continue  # an instruction of the frame's own, at no place in the source
        if not (start <= (line, column) and (end_line, end_column) <= end):
            return False
    return True


def _compiles_to(node: _Function, code: CodeType) -> bool:
    """Whether `node`, compiled outside of its file, does what `code` does, positions aside."""
    if not isinstance(node, ast.Lambda):
        return True
    # Its free variables must be found to be free, so a function around it has them as parameters.
    names = [ast.arg(name) for name in code.co_freevars]
    outer = ast.Lambda(ast.arguments([], names, None, [], [], None, []), node)
    whole = ast.fix_missing_locations(ast.Expression(outer))
    compiled = compile(whole, code.co_filename, "eval", code.co_flags & FUTURE_FLAGS, True)
    return any(
        found.co_code == code.co_code
        and found.co_names == code.co_names
        and found.co_varnames == code.co_varnames
        and _plain_constants(found) == _plain_constants(code)
        for found in _all_codes(compiled)
        if found.co_name == "<lambda>" and found.co_firstlineno == node.lineno
    )


def _plain_constants(code: CodeType) -> list[tuple[type, str]]:
    """Constants by type and text: 1, 1.0 and True are equal, but different programs."""
    return [(type(c), repr(c)) for c in code.co_consts if not isinstance(c, CodeType)]


def _extent(node: _Function) -> tuple[int, int]:
    """How far a node reaches, for comparison with nodes that start on the same line."""
    lines = (node.end_lineno or node.lineno) - node.lineno
    return lines, (node.end_col_offset or 0) - (0 if lines else node.col_offset)


def _asserts_rewritten(original: CodeType, code: CodeType) -> bool:
    """Whether `code` is `original` with its asserts rewritten by pytest.

    That adds names which begin with @ and changes nothing else that a name or argument shows.
    """
    added = any(
        name.startswith("@py")
        for inner in _all_codes(code)
        for name in (*inner.co_names, *inner.co_varnames)
    )
    names = set(code.co_names) | set(code.co_varnames) | set(code.co_cellvars)
    wanted = set(original.co_names) | set(original.co_varnames) | set(original.co_cellvars)
    return added and wanted <= names and original.co_freevars == code.co_freevars
