"""A program as one module of LLVM's language: its functions, and those that they call."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from autograph.kernels import python_numbers, symbols
from autograph.kernels.codegen import arithmetic
from autograph.kernels.codegen.block import Block
from autograph.kernels.codegen.fixed import fixed_text
from autograph.kernels.codegen.function import Form, Functions, FunctionWriter
from autograph.kernels.codegen.kernel import Nest, nests_of
from autograph.kernels.codegen.types import (
    INT32,
    INT64,
    NOTHING,
    NUMBERS,
    Flat,
    Number,
    Type,
    TypeMismatch,
    Value,
)
from autograph.kernels.codegen.vocabulary import MEANINGS, Meaning
from autograph.kernels.library import python_draws
from autograph.kernels.scalar import source
from autograph.kernels.support import clocks, frames, list_functions, pool, thread_pool

INLINE = " alwaysinline"
MOST_INLINE = 16
"""So many outermost loops stay where they are: a call costs a nanosecond or two."""
_ENTRY = """
@_Py_NoneStruct = external global i8
declare ptr @PyLong_FromLongLong(i64)
declare void @Py_IncRef(ptr)
define ptr @{entry}(ptr %self, ptr %arguments, i64 %count) nounwind {{
  %given = ptrtoint ptr %arguments to i64
  %status = call i64 @program(i64 %given)
  switch i64 %status, label %other [ i64 0, label %right
                                     i64 -1, label %raised ]
right:
  call void @Py_IncRef(ptr @_Py_NoneStruct)
  ret ptr @_Py_NoneStruct
raised:
  ret ptr null
other:
  %number = call ptr @PyLong_FromLongLong(i64 %status)
  ret ptr %number
}}
"""
"""What CPython calls: None for status 0, NULL where an exception is set, else an int."""


class ModuleWriter(Functions):
    """Writes functions for the types that they are called with, once each."""

    meanings: Mapping[str, Meaning] = MEANINGS
    forms: Mapping[str, Form] = {}
    marks = " nounwind"
    pairwise = True

    def __init__(
        self,
        definitions: Mapping[str, ast.FunctionDef],
        outlines: bool = False,
        lines: Sequence[str] = (),
    ) -> None:
        """`outlines`: outermost loops become functions; `lines`: where they stand."""
        self.outlines = outlines
        self.lines = lines
        self.kernels: dict[str, str] = {}
        self._shapes: dict[tuple[str, tuple[Type, ...]], tuple[str, Type]] = {}
        self.apart: frozenset[str] = frozenset()
        """Functions that are called, never copied to where they are called."""
        self.definitions = dict(definitions)
        self.constants = _constants()
        self.external: dict[str, tuple[str, Type]] = {
            name: (symbols.PREFIX + name, INT64) for name in symbols.signatures()
        }
        self.parts: list[str] = []
        self._made: dict[tuple[str, tuple[Type, ...]], tuple[str, Type]] = {}
        self._declared: set[str] = set()
        self._given: set[str] = set()

    # what functions ask for -----------------------------------------------------------------------
    def call(self, block: Block, name: str, arguments: list[Value]) -> Value:
        """A call of one of the program's functions, of a scalar or library function, or of a
        support function."""
        if name in self.external and name not in self.definitions:
            symbol, result = self.external[name]
            whole = [arithmetic.cast(block, one, INT64) for one in arguments]
            self.declare(symbol, f"{result.ir} @{symbol}({', '.join(['i64'] * len(whole))})")
            given = block.call_symbol(result, symbol, whole)
            return given if result != INT32 else arithmetic.cast(block, given, INT64)
        known = self._made.get((name, tuple(one.type for one in arguments)))
        if known is None:
            definition = self.definitions.get(name) or self.definition(name)
            if definition is None:
                if fixed_text(name):
                    return block.call(INT64, name, arguments)
                raise TypeMismatch(f"{name} is not known")
            known = self.function(name, definition, [one.type for one in arguments])
        symbol, result = known
        return block.call_symbol(result, symbol, arguments)

    def definition(self, name: str) -> ast.FunctionDef | None:
        """A scalar or library function, or a test of Python numbers."""
        return _definition(name)

    def intrinsic(self, name: str, arguments: list[Value], result: Type) -> str:
        """One of LLVM's functions, by the type of its result."""
        assert isinstance(result, Number)
        full = f"{name}.f{result.bits}"
        kinds = ", ".join(one.type.ir for one in arguments)
        self.declare(full, f"{result.ir} @{full}({kinds})")
        return full

    def given(self, name: str) -> None:
        """A function whose text is fixed."""
        if name in self._given:
            return
        self._given.add(name)
        declaration = _INTRINSICS.get(name)
        if declaration is not None:
            self.declare(name, declaration)
            return
        for line in fixed_text(name).splitlines(keepends=True):
            if line.startswith("declare "):
                what = line.removeprefix("declare ").strip()
                self.declare(what.partition("@")[2].partition("(")[0], what)
            else:
                self.parts.append(line)

    def declare(self, name: str, what: str) -> None:
        """Declare a function of elsewhere, once."""
        if name not in self._declared:
            self._declared.add(name)
            self.parts.append(f"declare {what}\n")

    # functions ------------------------------------------------------------------------------------
    def function(
        self,
        name: str,
        definition: ast.FunctionDef,
        types: list[Type],
        result: Type | None = None,
        symbol: str = "",
    ) -> tuple[str, Type]:
        """Write a function for parameters of these types; its symbol and the type it gives.

        `result`, where it is known before: of functions that call themselves.
        """
        local = not symbol
        symbol = symbol or f"{name}{len(self._made) or ''}"
        if result is not None:
            self._made[name, tuple(types)] = symbol, result
        kept = self.outlines, self.lines
        if _is_of_library(name):
            self.outlines, self.lines = False, ()
        writer = FunctionWriter(self, definition, types, result)
        given, lines = writer.write()
        self.outlines, self.lines = kept
        parameters = ", ".join(
            f"{kind.ir} %{one}" for one, kind in zip(writer.names, types, strict=True)
        )
        inline = INLINE if local and self.is_inline(name, types) else ""
        apart = self.is_apart(name, types)
        marks = self.marks + (" noinline" if apart else inline)
        head = f"define {'internal ' if local else ''}{given.ir} @{symbol}({parameters}){marks} {{"
        self.parts.append("\n".join([head, *lines, "}\n"]))
        self._made[name, tuple(types)] = symbol, given
        return symbol, given

    def is_inline(self, name: str, types: Sequence[Type]) -> bool:
        """Whether a function is copied to wherever it is called."""
        return _is_scalar(name)

    def is_apart(self, name: str, types: Sequence[Type]) -> bool:
        """Whether a function is called, never copied to where it is called."""
        return name in self.apart or (self.outlines and _is_of_library(name))

    def kernel(
        self, nest: Nest, arguments: dict[str, Type], constants: dict[str, Value]
    ) -> tuple[str, Type]:
        """A nest as a function; equal ones are one."""
        if not self.lines:
            return self._new_kernel(nest, arguments, constants)
        shape = (nest.shape(self.lines, arguments, constants), tuple(arguments.values()))
        known = self._shapes.get(shape)
        if known is None:
            known = self._shapes[shape] = self._new_kernel(nest, arguments, constants)
        return known

    def _new_kernel(
        self, nest: Nest, arguments: dict[str, Type], constants: dict[str, Value]
    ) -> tuple[str, Type]:
        types = list(arguments.values())
        names = [ast.arg(name) for name in arguments]
        body: list[ast.stmt] = [nest.loop]
        if nest.parallel:
            names += [ast.arg(name) for name in _PART]
            types += [INT64, INT64]
            body = [_over_part(nest.loop)]
        elif nest.given:
            parts: list[ast.expr] = [ast.Name(name, ast.Load()) for name in nest.given]
            body.append(ast.Return(parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())))
        definition = ast.FunctionDef(
            "kernel", ast.arguments([], names, None, [], [], None, []), body, []
        )
        kept = self.constants, self.outlines
        self.constants, self.outlines = {**self.constants, **constants}, False
        symbols = [f"p{number}" for number in range(len(names))]
        writer = FunctionWriter(self, definition, types, symbols=symbols, within=True)
        given, lines = writer.write()
        self.constants, self.outlines = kept
        parameters = ", ".join(
            f"{kind.ir} %{one}" for one, kind in zip(symbols, types, strict=True)
        )
        text = "\n".join([f"({parameters}) noinline nounwind {{", *lines, "}\n"])
        symbol = self.kernels.get(text)
        if symbol is None:
            symbol = self.kernels[text] = f"kernel{len(self.kernels)}"
            self.parts.append(f"define internal {given.ir} @{symbol}{text}")
            if nest.parallel:
                self.parts.append(_unpacking(symbol, types[:-2]))
        return symbol, given

    def text(self) -> str:
        """The module."""
        return "".join(self.parts)


_PART = ("start_of_part", "end_of_part")


def _over_part(loop: ast.For) -> ast.For:
    """A parallel loop over a part of its range alone."""
    bounds: list[ast.expr] = [ast.Name(name, ast.Load()) for name in _PART]
    return ast.For(
        loop.target, ast.Call(ast.Name("range", ast.Load()), bounds, []), loop.body, [], None
    )


def _unpacking(symbol: str, types: Sequence[Type]) -> str:
    """What the pool of threads calls: a kernel on arguments that lie in memory, a word each."""
    lines = [f"define internal void @{symbol}_of(ptr %given, i64 %first, i64 %last) nounwind {{"]
    for place, kind in enumerate(types):
        lines.append(f"  %at{place} = getelementptr i64, ptr %given, i64 {place}")
        lines.append(f"  %p{place} = load {kind.ir}, ptr %at{place}")
    whole = [f"{kind.ir} %p{place}" for place, kind in enumerate(types)]
    lines.append(f"  call void @{symbol}({', '.join([*whole, 'i64 %first', 'i64 %last'])})")
    return "\n".join([*lines, "  ret void", "}", ""])


_INTRINSICS = {
    "llvm.memcpy.p0.p0.i64": "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "llvm.memset.p0.i64": "void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    **{
        f"llvm.{name}.with.overflow.i64": f"{{i64, i1}} @llvm.{name}.with.overflow.i64(i64, i64)"
        for name in ("sadd", "ssub", "smul")
    },
}


@functools.cache
def _constants() -> dict[str, Value]:
    """The constants of scalar and library functions."""
    found = {
        name: arithmetic.floating(one) if isinstance(one, float) else arithmetic.integer(one)
        for name, one in vars(python_draws).items()
        if isinstance(one, int | float)
    }
    space: dict[str, Any] = {"np": np}
    for part in source.definitions().values():
        if not part.is_function:
            exec(part.block, space)
            value = space[part.name]
            kind = NUMBERS[np.asarray(value).dtype.name]
            if kind.kind == "f":
                found[part.name] = arithmetic.floating(float(value), kind)
            else:
                found[part.name] = arithmetic.integer(int(value), kind)
    return found


@functools.cache
def _is_scalar(name: str) -> bool:
    part = source.definitions().get(name)
    return part is not None and part.is_scalar


@functools.cache
def _is_of_library(name: str) -> bool:
    """Whether a function loops: it is a kernel as it stands."""
    part = source.definitions().get(name)
    return part is not None and not part.is_scalar


@functools.cache
def _functions_of(module: ModuleType) -> dict[str, ast.FunctionDef]:
    """The functions of a module by name."""
    tree = ast.parse(inspect.getsource(module))
    return {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}


@functools.cache
def _definition(name: str) -> ast.FunctionDef | None:
    """A scalar or library function, a test of Python numbers, or a draw of Python's `random`."""
    part = source.definitions().get(name)
    if part is not None and part.is_function:
        made = ast.parse(part.block).body[0]
        assert isinstance(made, ast.FunctionDef)
        return made
    return _functions_of(python_numbers).get(name) or _functions_of(python_draws).get(name)


def _parameter_types(definition: ast.FunctionDef) -> list[Type]:
    """Those that are written at the parameters; int64 where nothing is."""
    types: list[Type] = []
    for one in definition.args.args:
        note = one.annotation
        types.append(NUMBERS[note.id] if isinstance(note, ast.Name) else INT64)
    return types


def program_module(text: str) -> str:
    """The module of a program, with its entry under the name `symbols.ENTRY`."""
    tree = ast.parse(text)
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    outlines = sum(len(nests_of(one, True)) for one in functions) > MOST_INLINE
    writer = ModuleWriter({one.name: one for one in functions}, outlines, text.splitlines())
    writer.apart = frozenset(("multiply_matrices", *python_draws.APART))
    for one in functions:
        symbol = "program" if one is functions[-1] else ""
        writer.function(one.name, one, _parameter_types(one), INT64, symbol)
    return writer.text() + _ENTRY.format(entry=symbols.ENTRY)


def support_module() -> str:
    """The module of the support functions, under their names with `symbols.PREFIX`."""
    definitions: dict[str, ast.FunctionDef] = {}
    modules = (pool, frames, list_functions, thread_pool, clocks)
    for module in modules:
        definitions.update(_functions_of(module))
    writer = ModuleWriter(definitions)
    writer.apart = frozenset(("multiply_matrices", *python_draws.APART))
    writer.external = {
        "malloc": ("malloc", INT64),
        "free": ("free", NOTHING),
        "move_bytes": ("memmove", INT64),
        "check_signals": ("PyErr_CheckSignals", INT32),
        **{name: (name, INT32) for name in thread_pool.LIBRARY},
    }
    for module in modules:
        for name, constant in vars(module).items():
            if isinstance(constant, int) and name.isupper():
                writer.constants = {**writer.constants, name: arithmetic.integer(constant)}
    for name in (*pool.SIGNATURES, *list_functions.HELPERS, *symbols.signatures()):
        definition = definitions[name]
        types: list[Type] = [INT64] * len(definition.args.args)
        if name == "room":
            types[0] = Flat(INT64)
        symbol = "" if name in list_functions.HELPERS else symbols.PREFIX + name
        if (name, tuple(types)) not in writer._made:
            writer.function(name, definition, types, symbol=symbol)
    return writer.text()
