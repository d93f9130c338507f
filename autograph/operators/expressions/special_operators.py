"""Binary operators by the special methods of the user's classes, as Python's protocol has them."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.expressions.identity import is_, is_not, not_
from autograph.operators.expressions.truth import choose
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.tracing import current
from autograph.values.choice import Choice

BINARY_NAMES = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "truediv",
    "floordiv": "floordiv",
    "mod": "mod",
    "pow": "pow",
    "matmul": "matmul",
    "lshift": "lshift",
    "rshift": "rshift",
    "and_bits": "and",
    "or_bits": "or",
    "xor_bits": "xor",
}
"""The names of the operators here, and those of the special methods."""
SYMBOLS = {
    f"__{name}__": symbol
    for name, symbol in zip(
        BINARY_NAMES.values(), "+ - * / // % ** @ << >> & | ^".split(), strict=True
    )
}
SYMBOLS["__pow__"] = "** or pow()"
SYMBOLS["__divmod__"] = "divmod()"
SYMBOLS_OF_COMPARISON = {
    f"__{name}__": symbol
    for name, symbol in zip("lt le gt ge eq ne".split(), "< <= > >= == !=".split(), strict=True)
}


def call_special(left: Any, right: Any, method: str, reflected: str) -> Any:
    """Python's protocol for a binary operator, where a class of the user's defines it."""
    forward, backward = _special(left, method), _special(right, reflected)
    ours, theirs = _is_users(left, forward), _is_users(right, backward)
    if not ours and not theirs:
        return NotImplemented
    attempts = [(ours, forward, left, right), (theirs, backward, right, left)]
    kind = left.kind if isinstance(left, Number) else type(left)
    derived = kind is not type(right) and issubclass(type(right), kind)
    if derived and method not in SYMBOLS_OF_COMPARISON:  # and has a method of its own
        derived = _special(left, reflected) is not backward
    same = type(left) is type(right)
    joins = method in ("__add__", "__mul__") and not same  # which Python asks sequences for last
    if theirs and (derived or (joins and isinstance(left, list | tuple | str | bytes | deque))):
        attempts.reverse()
    if same and method not in SYMBOLS_OF_COMPARISON:
        del attempts[1]
    return _first_given(attempts, lambda: _of_none(left, right, method))


def _first_given(attempts: list[tuple[bool, Any, Any, Any]], fail: Callable[[], Any]) -> Any:
    """What the first special method gives that knows an answer; on each path, its own first."""
    if not attempts:
        return fail()
    users, special, one, other = attempts[0]
    if special is None:
        return _first_given(attempts[1:], fail)
    is_called = users and special is not _differs
    result = call(special, one, other) if is_called else special(one, other)
    return unless_refused(result, lambda: _first_given(attempts[1:], fail))


def unless_refused(result: Any, go_on: Callable[[], Any]) -> Any:
    """A result of a special method; what `go_on` gives on the paths where it is NotImplemented."""
    if result is NotImplemented:
        return go_on()
    if isinstance(result, Choice) and any(one is NotImplemented for one in result.options):
        tracing = current()
        assert tracing is not None
        return choose(tracing, result, lambda one: unless_refused(one, go_on))
    return result


def _of_none(left: Any, right: Any, method: str) -> Any:
    """A binary operator where neither operand has an answer: identity, or TypeError."""
    if method in ("__eq__", "__ne__"):
        return is_(left, right) if method == "__eq__" else is_not(left, right)
    kinds = f"{type(left).__name__!r} and {type(right).__name__!r}"
    comparison = SYMBOLS_OF_COMPARISON.get(method)
    if comparison is not None:
        raise TypeError(f"{comparison!r} not supported between instances of {kinds}")
    raise TypeError(f"unsupported operand type(s) for {SYMBOLS[method]}: {kinds}")


def _special(value: Any, method: str) -> Any:
    found = special_method(type(value), method)
    equal = special_method(type(value), "__eq__")
    if found is object.__ne__ and isinstance(equal, types.FunctionType):
        return _differs  # as `object` defines it
    return found


def _differs(left: Any, right: Any) -> Any:
    result = call(special_method(type(left), "__eq__"), left, right)
    tracing = current()
    if tracing is not None and isinstance(result, Choice):
        return choose(tracing, result, lambda one: one if one is NotImplemented else not_(one))
    return result if result is NotImplemented else not_(result)


def _is_users(value: Any, special: Any) -> bool:
    return isinstance(special, types.FunctionType) and not isinstance(value, Tensor | Number)
