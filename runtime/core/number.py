"""Number: a Python number (bool, int or float) that is known only when the graph runs."""

from __future__ import annotations

from typing import Any, NoReturn

NUMBERS: tuple[Any, ...] = (bool, int, float, complex)


class Number:
    """A staged Python number: immutable, weak in promotion, with Python's own arithmetic.

    Its operators are installed by the table of ops. It exists only inside a trace; a function
    that returns one gives its caller a plain bool, int, float or complex.
    """

    __slots__ = ("_value",)
    __array_priority__ = 1000

    def __new__(cls, value: Any) -> Number:
        return object.__new__(_NAMED[value.spec.python_type])

    def __init__(self, value: Any) -> None:
        self._value = value

    @property
    def kind(self) -> type:
        """bool, int, float or complex."""
        kind: type = self._value.spec.python_type
        return kind

    def _refuse(self, what: str) -> NoReturn:
        raise self._value.not_concrete(what)

    def __bool__(self) -> bool:
        self._refuse("bool()")

    def __int__(self) -> int:
        self._refuse("int()")

    def __float__(self) -> float:
        self._refuse("float()")

    def __complex__(self) -> complex:
        self._refuse("complex()")

    def __index__(self) -> int:
        self._refuse("an index")

    def __hash__(self) -> int:
        self._refuse("hash()")

    def __format__(self, spec: str) -> str:
        self._refuse("format()")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        self._refuse("a NumPy function")

    def __repr__(self) -> str:
        return f"<staged {self._value.spec}>"

    __str__ = __repr__


_NAMED = {kind: type(kind.__name__, (Number,), {"__slots__": ()}) for kind in NUMBERS}
"""Numbers are of classes named as Python's are, so that Python's own errors name those."""
