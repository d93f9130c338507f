"""What is known of code that is not converted: which callables are pure."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from typing import Any

from autograph.values.marks import Marked, declared

PURE_MODULES = frozenset(
    {
        "math",
        "cmath",
        "operator",
        "_operator",
        "itertools",
        "functools",
        "_functools",
        "numbers",
        "fractions",
        "decimal",
        "string",
        "re",
        "textwrap",
        "dataclasses",
        "typing",
        "types",
        "enum",
        "copy",
        "abc",
        "collections",
        "collections.abc",
        "numpy",
        "struct",
        "json",
        "statistics",
        "bisect",
        "unicodedata",
        "datetime",
        "_datetime",
    }
)
"""Top-level modules whose functions depend on their arguments alone."""

IMPURE = frozenset(
    {
        "numpy.random",
        "bisect.insort",
        "bisect.insort_left",
        "bisect.insort_right",
        "_bisect.insort",
        "_bisect.insort_left",
        "_bisect.insort_right",
        "numpy.shares_memory",
        "numpy.may_share_memory",
        "numpy.save",
        "numpy.load",
        "numpy.copyto",
        "numpy.put",
        "numpy.place",
        "numpy.putmask",
        "numpy.fill_diagonal",
        "numpy.put_along_axis",
        "numpy.savetxt",
        "numpy.savez",
        "numpy.savez_compressed",
        "numpy.loadtxt",
        "numpy.genfromtxt",
        "numpy.fromfile",
        "numpy.fromregex",
        "numpy.memmap",
        "json.dump",
        "json.load",
        "abc.get_cache_token",
        "decimal.getcontext",
        "decimal.localcontext",
        "decimal.setcontext",
        "numpy.array2string",
        "numpy.array_repr",
        "numpy.array_str",
        "numpy.get_printoptions",
        "numpy.getbufsize",
        "numpy.geterr",
        "numpy.geterrcall",
        "numpy.info",
        "numpy.printoptions",
        "numpy.set_printoptions",
        "numpy.setbufsize",
        "numpy.seterr",
        "numpy.seterrcall",
        "numpy.show_config",
        "numpy.show_runtime",
        "statistics.NormalDist.samples",
        "datetime.date.today",
        "datetime.date.fromtimestamp",
        "datetime.datetime.today",
        "datetime.datetime.now",
        "datetime.datetime.utcnow",
        "datetime.datetime.fromtimestamp",
        "datetime.datetime.timestamp",
        "datetime.datetime.astimezone",
    }
)

PURE_BUILTINS = frozenset(
    getattr(builtins, name)
    for name in (
        "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float"
        " format frozenset getattr hasattr hash hex id int isinstance issubclass iter len list map"
        " max memoryview min object oct ord pow property range repr reversed round set slice sorted"
        " str sum tuple type zip staticmethod classmethod bytearray super"
    ).split()
)

PURE_BUILTINS |= {str.maketrans, bytes.maketrans, bytearray.maketrans, bytes.fromhex, float.fromhex}

_BY_WORD = Marked()


def pure(function: Callable[..., Any]) -> Callable[..., Any]:
    """Say that a function that cannot be converted depends on its arguments alone.

    It is then called while tracing. Its arguments must not be staged values.
    """
    _BY_WORD.add(function)
    return function


def is_declared_pure(function: Any) -> bool:
    """Whether the user said `pure(function)`."""
    return function in _BY_WORD


def is_impure(function: Any) -> bool:
    """Whether a library's function reads or writes what is not among its arguments."""
    return _known_name(function) in IMPURE


def _known_name(function: Any) -> str:
    name = declared(function, "__qualname__") or declared(function, "__name__", "")
    return f"{declared(function, '__module__') or _owner_module(function)}.{name}"


def is_pure(function: Any) -> bool:
    """Whether a callable that is not converted may run while tracing."""
    if is_declared_pure(function):
        return True
    if isinstance(function, types.MethodType):
        return is_pure(function.__func__)
    try:
        if function in PURE_BUILTINS:
            return True
    except TypeError:
        return False
    module = declared(function, "__module__") or _owner_module(function)
    if module is None:
        return False
    if is_impure(function) or any(module.startswith(one) for one in IMPURE):
        return False
    return module.split(".")[0] in PURE_MODULES or module in PURE_MODULES


def _owner_module(function: Any) -> str | None:
    """The module of a C method or method descriptor, from the class that defines it."""
    owner = declared(function, "__objclass__")
    if owner is None:
        bound = declared(function, "__self__")
        if bound is None or isinstance(bound, types.ModuleType):
            return None if bound is None else str(bound.__name__)
        kind = bound if isinstance(bound, type) else type(bound)
        name = declared(function, "__name__")
        owner = next((base for base in kind.__mro__ if name in vars(base)), kind)
    module: str = owner.__module__
    if module == "builtins":
        immutable = (str, bytes, int, float, bool, complex, tuple, range, frozenset, slice, type)
        return "math" if issubclass(owner, (*immutable, type(None))) else None
    return module
