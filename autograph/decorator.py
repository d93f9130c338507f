"""`@ag.function`: what it takes, and check mode."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, overload

from autograph.call.concrete import ConcreteFunction
from autograph.call.decorated import staged_member
from autograph.call.execution import Mode, chosen_mode
from autograph.call.function import StagedFunction
from autograph.tracing.tracing import CURRENT


class CheckedFunction(StagedFunction):
    """A staged function in check mode: each outermost call runs beside the eager original."""

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from autograph.checking.call import checked_call, is_checking  # heavy, and seldom needed

        if not CURRENT.outermost or is_checking():
            return super()._call(args, kwargs)
        return checked_call(self, args, kwargs)

    def _shorten(self, concrete: ConcreteFunction, arguments: tuple[Any, ...]) -> None:
        """No call takes the short way."""


@overload
def function(python_function: Callable[..., Any], /) -> StagedFunction: ...
@overload
def function(
    *,
    mode: Mode | None = ...,
    check: bool | None = ...,
    input_signature: Sequence[Any] | None = ...,
) -> Callable[[Callable[..., Any]], StagedFunction]: ...
def function(
    python_function: Callable[..., Any] | None = None,
    /,
    *,
    mode: Mode | None = None,
    check: bool | None = None,
    input_signature: Sequence[Any] | None = None,
) -> Any:
    """Stage a function: a call traces it once per kind of arguments and runs compiled graphs.

    Functions, methods, `functools.partial` and objects with a `__call__` are decorated; of static
    methods, class methods and properties the functions in them are. `mode` is "compile" (machine
    code, the default), "text" (the same program run by CPython; also the default under
    AUTOGRAPH_JIT=0), "evaluate" (the graph, op by op, by the references), "cuda" (one kernel on
    an NVIDIA GPU, loops included; "cuda:1" for another than the first) or "emulate" (that kernel,
    by lanes that CPython runs in turn; see docs/cuda.md). A function without a mode runs on the
    device of the `ag.device` scope that it is called in.
    The result, the exceptions and the changes of Python's state are those of the function itself.
    `check` (the default under AUTOGRAPH_CHECK=1) compares each call with the function itself, and
    raises CheckError where they differ: see docs/checking.md.
    `input_signature` has a TensorSpec for each parameter but `self`, in lists, tuples and dicts
    where the argument is one, and None where anything goes; after the named parameters come those
    of `*args`, or else those given by keyword only. ArgumentError if it does not fit them. Numbers
    and arrays are then converted, and ArgumentError is raised for what does not fit. A size of None
    is unknown from the first trace on.
    """
    chosen = chosen_mode(mode)
    if check is None:
        check = os.environ.get("AUTOGRAPH_CHECK", "") not in ("", "0")
    kind = CheckedFunction if check else StagedFunction

    def wrap(inner: Any) -> Any:
        member = staged_member(inner, wrap)
        return kind(inner, chosen, input_signature) if member is None else member

    return wrap if python_function is None else wrap(python_function)
