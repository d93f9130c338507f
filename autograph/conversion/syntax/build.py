"""Makes a function from a syntax tree, to stand for a function that exists.

The tree is compiled inside a factory whose parameters are the function's free variables, so that
the compiler makes these free, too:

    def ag__factory(ag__, n):
        def f(x): ...

The factory never runs. Its code object for `f` is taken out and given the original's own cells,
globals and defaults; so both functions share their variables, and the new one reports the user's
file and lines.
"""

from __future__ import annotations

import ast
import re
import warnings
import weakref
from collections.abc import Collection
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.conversion.syntax.recursion import with_room
from autograph.conversion.syntax.source import FUTURE_FLAGS
from autograph.conversion.syntax.tree import Node, gast_to_ast

MODULE_NAME = "ag__"
_FACTORY = "ag__factory"
_FORMS = ("ag__genexpr_", "ag__inlined_")

# By identity, since code objects of equal content are equal: an original may equal its conversion.
_inner: dict[int, tuple[CodeType, CodeType | None]] = {}
_converted: weakref.WeakValueDictionary[int, CodeType] = weakref.WeakValueDictionary()
_outermost: weakref.WeakValueDictionary[int, CodeType] = weakref.WeakValueDictionary()
_around: weakref.WeakValueDictionary[int, CodeType] = weakref.WeakValueDictionary()


def build(
    function: FunctionType, tree: Node, ag_module: object, class_name: str | None = None
) -> FunctionType:
    """A function that runs `tree` (a gast `FunctionDef` or `Lambda`) in the place of `function`.

    `ag_module` is what the name `ag__` means in the tree.
    """
    return instantiate(compile_tree(function, tree, class_name), function, ag_module)


def compile_tree(function: FunctionType, tree: Node, class_name: str | None = None) -> CodeType:
    """The code of `tree`, under the file, name and free variables of `function`.

    `class_name` is the class whose private names are mangled in it. The result serves every
    function that has the code object of `function`.
    """
    return with_room(tree, lambda: _compile(function.__code__, tree, class_name))


def instantiate(code: CodeType, function: FunctionType, ag_module: object) -> FunctionType:
    """The function of `code`, with the cells, globals, defaults and attributes of `function`."""
    original = function.__code__
    cells = dict(zip(original.co_freevars, function.__closure__ or (), strict=True))
    cells[MODULE_NAME] = CellType(ag_module)
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = None if function.__kwdefaults__ is None else {**function.__kwdefaults__}
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    made.__doc__ = function.__doc__
    made.__dict__.update(function.__dict__)
    _copy_annotations(function, made)
    return made


def is_converted(function: object) -> bool:
    """Whether a function, or its code, was built here, or is nested in what was."""
    code = function if isinstance(function, CodeType) else getattr(function, "__code__", None)
    return isinstance(code, CodeType) and _converted.get(id(code)) is code


def is_inner(code: CodeType) -> bool:
    """Whether code is that of a function that the user wrote inside a converted one."""
    known = _inner.get(id(code))
    return known is not None and known[0] is code


def is_outermost(code: CodeType) -> bool:
    """Whether code is that of a converted function, not of one nested in it."""
    return _outermost.get(id(code)) is code


def is_nested(code: CodeType, bodies: Collection[CodeType]) -> bool:
    """Whether converted code stands inside one of these, however deep."""
    around = _around.get(id(code))
    while around is not None and not any(around is body for body in bodies):
        around = _around.get(id(around))
    return around is not None


def second_form_name(code: CodeType) -> str:
    """Where a generator function keeps its second form. `functools.wraps` copies it to others."""
    return f"__autograph_inlined_{id(code)}__"


def original_code(code: CodeType) -> CodeType | None:
    """The code that the user wrote for an inner function; None where that cannot be told."""
    return _inner[id(code)][1]


def _copy_annotations(function: Any, made: Any) -> None:
    for name in ("__annotate__", "__type_params__"):  # of Python 3.14 and 3.12
        if hasattr(function, name):
            setattr(made, name, getattr(function, name))
    if not hasattr(function, "__annotate__"):
        made.__annotations__ = dict(function.__annotations__)


def _compile(original: CodeType, tree: Node, class_name: str | None) -> CodeType:
    node = gast_to_ast(tree)
    _drop_what_the_original_has(node)
    module = ast.Module([_factory(original, node, class_name)], [])
    ast.fix_missing_locations(module)
    flags = original.co_flags & FUTURE_FLAGS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the compiler has warned of it when it was imported
        compiled = compile(module, original.co_filename, "exec", flags, dont_inherit=True)
    code = _renamed(_inner_code(compiled, class_name, node), original)
    _register(code)
    return code


def _drop_what_the_original_has(node: Any) -> None:
    """Defaults and annotations are taken from the function, so they need no code."""
    arguments = node.args
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for name in (*names, arguments.vararg, arguments.kwarg):
        if name is not None:
            name.annotation = None
    if isinstance(node, ast.FunctionDef):
        node.returns = None
        node.decorator_list = []
        # Type parameters that the body uses are free variables of the original.
        node.__dict__["type_params"] = []


def _factory(original: CodeType, node: Any, class_name: str | None) -> ast.stmt:
    """The definition around the function: free variables as parameters, in its class if any."""
    names = dict.fromkeys((MODULE_NAME, *original.co_freevars))
    parameters = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    body = node if isinstance(node, ast.FunctionDef) else ast.Return(node)
    definition = ast.parse(f"def {_FACTORY}(): pass").body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.args = parameters
    definition.body = [body]
    if isinstance(node, ast.FunctionDef) and node.name not in names:
        # The definition must not make its own name a variable of the factory: a function that
        # calls itself finds itself among the globals.
        definition.body.insert(0, ast.Global([node.name]))
    if class_name is None:
        return definition
    around = ast.parse(f"class {class_name}: pass").body[0]
    assert isinstance(around, ast.ClassDef)
    around.body = [definition]
    return around


def _inner_code(compiled: CodeType, class_name: str | None, node: Any) -> CodeType:
    """The code of the function in the factory in the module."""
    name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
    for wanted in (*([] if class_name is None else [class_name]), _FACTORY, name):
        compiled = next(
            constant
            for constant in compiled.co_consts
            if isinstance(constant, CodeType) and constant.co_name == wanted
        )
    return compiled


def _renamed(code: CodeType, original: CodeType) -> CodeType:
    """`code` and what is nested in it, under the names that tracebacks would show without us.

    Qualified names lose the factory. What was emitted for a statement or expression is named after
    the function it stands in; its qualified name still tells that it was emitted.
    """
    old = code.co_qualname
    lambdas = {c.co_firstlineno for c in _nested(original) if _is_thunk(c)}
    written = _nested(original)[1:]

    def rename(inner: CodeType, around: str) -> CodeType:
        qualified = original.co_qualname + inner.co_qualname.removeprefix(old)
        name = inner.co_name
        found = [one for one in written if _is_of(inner, one)]
        if len(found) > 1 or name == "<lambda>":
            found = [one for one in found if _start(inner) == _start(one)]
        if found and (len(found) == 1 or not _is_thunk(inner)):
            name, qualified = found[0].co_name, found[0].co_qualname
        elif _is_thunk(inner) and inner.co_firstlineno not in lambdas:
            qualified = qualified.removesuffix(name) + "ag__thunk"
            name = around
        elif name.startswith(_FORMS):
            name = _name_of_generator(name)
            qualified = f"{qualified.rpartition('.')[0]}.{name}"
        elif name.startswith("ag__"):
            name = around
        constants = tuple(
            rename(c, name) if isinstance(c, CodeType) else c for c in inner.co_consts
        )
        made = inner.replace(co_consts=constants, co_name=name, co_qualname=qualified)
        if inner.co_name.startswith("ag__resume_"):  # it lives as long as the generator
            _inner[id(made)] = (made, None)
        elif found:
            _inner[id(made)] = (made, found[0] if len(found) == 1 else None)
        return made

    return rename(code, original.co_name).replace(
        co_name=original.co_name, co_qualname=original.co_qualname
    )


def _name_of_generator(name: str) -> str:
    """The user's name of a generator, given that of a form of it."""
    function = re.sub(r"^ag__inlined_(.*)_\d+$", r"\1", name)
    return "<genexpr>" if function.startswith("ag__genexpr_") else function


def _is_of(code: CodeType, written: CodeType) -> bool:
    """Whether converted code is that of a function which the user wrote."""
    is_lambda = code.co_name == "<lambda>" or code.co_name.startswith("ag__lambda")
    if code.co_name.startswith("ag__genexpr_"):  # Python's own parameter has no name to compare
        same = code.co_firstlineno == written.co_firstlineno and code.co_argcount == 1
        return written.co_name == "<genexpr>" and same
    name = "<lambda>" if is_lambda else code.co_name
    count = written.co_argcount + written.co_kwonlyargcount
    return (
        name == written.co_name
        and code.co_firstlineno == written.co_firstlineno
        and code.co_argcount == written.co_argcount
        and code.co_kwonlyargcount == written.co_kwonlyargcount
        and code.co_varnames[:count] == written.co_varnames[:count]
    )


def _start(code: CodeType) -> tuple[int, int]:
    """Where the body of a lambda starts."""
    places = [
        (line, column)
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and column is not None and (line, column) != (end_line, end_column)
    ]
    return min(places, default=(0, 0))


def _nested(code: CodeType) -> list[CodeType]:
    """A code object and all nested in it."""
    found = [code]
    for outer in found:
        found.extend(constant for constant in outer.co_consts if isinstance(constant, CodeType))
    return found


def _is_thunk(code: CodeType) -> bool:
    return code.co_name == "<lambda>" and not code.co_argcount and not code.co_kwonlyargcount


def _register(code: CodeType) -> None:
    _outermost[id(code)] = code
    for each in _nested(code):
        _converted[id(each)] = each
        for constant in each.co_consts:
            if isinstance(constant, CodeType):
                _around[id(constant)] = each
