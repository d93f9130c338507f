"""Text → functions: native ones by LLVM, or with the JIT off the very same text in CPython."""

from __future__ import annotations

import functools
import hashlib
import linecache
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.kernels import cache, importing, lists, memory, python_numbers, ticks
from autograph.kernels.interrupts import interruptible
from autograph.kernels.library import blas, older_draws, python_generators
from autograph.kernels.phases import making, phase
from autograph.kernels.progress import progress
from autograph.kernels.scalar import source

Entry = Callable[..., Any]

_lock = threading.RLock()
_entries: OrderedDict[tuple[str, bool], Entry] = OrderedDict()
_origins: dict[tuple[str, bool], Origin] = {}
MAXIMUM_ENTRIES = 512
"""How many programs are kept for others of the same text."""
_called = re.compile(r"\b([A-Za-z_][A-Za-z_0-9]*)\(")
_comment = re.compile(r"(?m)^ *#.*\n")

LISTS = {function.__name__: function for function in lists.FUNCTIONS}
LIBRARY: dict[str, Callable[..., Any]] = {
    name: function
    for module in (python_numbers,)
    for name, function in vars(module).items()
    if callable(function) and getattr(function, "__module__", "") == module.__name__
}
"""Functions that programs call, compiled for the types at hand."""
PRODUCTS = frozenset(("multiply_matrices",))
"""Library functions that call BLAS."""

COUNTS = {"compiled": 0, "loaded": 0}
"""How many texts were compiled in this process, and how many came from the cache on disk."""


class Origin(NamedTuple):
    """Where the code of a program came from: "compiled", "from disk" or "CPython"; and how long
    that took, in seconds."""

    how: str
    seconds: float


class Engine(NamedTuple):
    """What runs the text of a program."""

    name: str
    entry_of: Callable[[str], Entry]
    """The entry of a program: `entry(parameters, *arrays)` gives its status."""
    by_words: bool
    """Whether results whose size only the run tells are left as words of memory, as native code
    leaves them; else as objects of CPython's."""
    has_clocks: bool = True
    """Whether programs with clocks in them run, for profiles by line (see `kernels.ticks`)."""
    empty: Callable[..., Any] = np.empty
    """What gives the array for a result of a shape and a dtype."""


def jit_enabled() -> bool:
    """Whether programs are compiled; AUTOGRAPH_JIT=0 runs their text in CPython instead."""
    return os.environ.get("AUTOGRAPH_JIT", "1") not in ("0", "off", "false")


def entry_of(text: str, jit: bool | None = None) -> Entry:
    """The entry of the program with this text: `entry(parameters, *arrays)` gives its status.

    Equal texts are compiled once in a process, and once on a machine where the cache is usable.
    """
    native = jit_enabled() if jit is None else jit
    with _lock:
        entry = _entries.get((text, native))
        if entry is None:
            compiled, start = COUNTS["compiled"], time.perf_counter()
            entry = _native_entry(text) if native else _python_entry(text)
            how = "compiled" if COUNTS["compiled"] > compiled else "from disk"
            _origins[text, native] = Origin(
                how if native else "CPython", time.perf_counter() - start
            )
            _entries[text, native] = entry
            if len(_entries) > MAXIMUM_ENTRIES:
                (gone, was_native), _ = _entries.popitem(last=False)
                linecache.cache.pop(_filename(gone), None)
                _origins.pop((gone, was_native), None)
        else:
            _entries.move_to_end((text, native))
        return entry


def origin_of(text: str, jit: bool) -> Origin | None:
    """Where the code of a program with this text came from; None where it is not known any more."""
    return _origins.get((text, jit))


NATIVE = Engine("compile", functools.partial(entry_of, jit=True), by_words=True)
CPYTHON = Engine("text", functools.partial(entry_of, jit=False), by_words=False)


# CPython ------------------------------------------------------------------------------------------
def _python_entry(text: str) -> Entry:
    namespace = namespace_of("")
    _execute(_with_scalars(text), namespace)
    program = namespace["program"]

    def entry(*arguments: Any) -> int:
        with np.errstate(all="ignore"):
            return int(program(arguments))

    return entry


def namespace_of(text: str) -> dict[str, Any]:
    """What the names in a text mean in CPython, the scalar and library functions that it calls
    among them."""
    draws = {**older_draws.CALLS, **python_generators.CALLS}
    namespace = {**memory.VOCABULARY, **LISTS, **LIBRARY, **draws, "tick": ticks.tick}
    if text:
        exec(compile(_with_scalars(""), "<autograph scalars>", "exec"), namespace)
        functions = source.text_of(scalar_functions(text))
        exec(compile(functions, "<autograph scalars>", "exec"), namespace)
    return namespace


def _filename(text: str) -> str:
    return f"<autograph {hashlib.sha256(text.encode()).hexdigest()[:12]}>"


def _execute(text: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run generated source under a name of its own, so that tracebacks and pdb show its lines."""
    filename = _filename(text)
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), namespace)
    return namespace


@functools.cache
def _scalar_names() -> frozenset[str]:
    return frozenset(name for name, part in source.definitions().items() if part.is_function)


def scalar_functions(text: str) -> list[str]:
    """The scalar functions that a text calls, in the order of their names."""
    return sorted(set(_called.findall(text)) & _scalar_names())


def _with_scalars(text: str) -> str:
    return f"{source.PRELUDE}\n{source.text_of(scalar_functions(text))}\n\n{text}"


# native -------------------------------------------------------------------------------------------
@interruptible()
def _native_entry(text: str) -> Entry:
    from autograph.kernels import native

    native.load_support()
    calls = set(_called.findall(text))
    if calls & PRODUCTS:
        blas.add_blas_symbols()
    key = cache.key_of(_with_scalars(_comment.sub("", text)))
    lines = f"{text.count(chr(10)) + 1} lines"
    with phase("load", lines):
        code = cache.load(key)
        if code is not None:
            entry: Entry | None = native.load_entry(code)
            if entry is not None:
                COUNTS["loaded"] += 1
                return entry
    with progress(f"compiling {lines}"), making("compile", lines):
        code = importing.compiler().program_object(text)
    COUNTS["compiled"] += 1
    cache.save(key, code)
    entry = native.load_entry(code)
    if entry is None:
        raise RuntimeError("compiled code could not be loaded")
    return entry
