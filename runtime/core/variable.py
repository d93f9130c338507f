"""Variable: a tensor that is state, with a name, for models and optimizers."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.devices import placed
from autograph.runtime.core.door import assign
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import LOCK
from autograph.runtime.core.tensor import Tensor, as_array, describe, holds_tensors


class VariableError(ValueError):
    """A value that a variable cannot take: another shape, or a dtype that would lose something.

    A Variable keeps the shape and the dtype that it began with.

        v = ag.Variable([1.0, 2.0])
        def f(x): v.assign(ag.stack([x, x, x]))     # f(t(1.0)): VariableError
        def f(x): v.assign(ag.stack([x, x]))        # instead
    """


class Variable(Tensor):
    """A tensor that is state: it reads like any tensor, and `assign` gives it another value.

    `initial` is copied; Python floats take the default dtype unless `dtype` is given. The shape and
    the dtype stay. Tapes watch trainable variables of floats by themselves.
    """

    __slots__ = ("name", "trainable")

    def __init__(
        self,
        initial: Any,
        name: str | None = None,
        trainable: bool | None = None,
        dtype: Any = None,
    ) -> None:
        if name is not None and not isinstance(name, str):
            meant = "trainable" if isinstance(name, bool) else "dtype"
            raise TypeError(
                f"name of Variable() is a str, not {name!r}; write Variable(x, {meant}={name!r})"
            )
        if trainable is not None and not isinstance(trainable, bool | np.bool_):
            raise TypeError(f"trainable of Variable() is True or False, not {trainable!r}")
        super().__init__(initial, dtype)
        self._value = placed(self._value)
        self.name = name
        self.trainable = self.dtype.kind in "fc" if trainable is None else trainable

    def value(self) -> Tensor:
        """The value now, in a cell of its own that later assignments leave alone."""
        return self.copy()

    read = value

    def assign(self, value: Any) -> Variable:
        """Take another value, of the same shape and dtype. Numbers, lists and arrays are converted.

        VariableError names this variable where it does not fit; then nothing has changed.
        """
        # A copy, which tapes see: the variable must not be taken for the tensor it was given.
        assign(self, self._fitting(value, "assign").copy())
        return self

    def assign_add(self, value: Any) -> Variable:
        """Add `value`, of the same dtype. VariableError where it does not broadcast."""
        fitting = self._fitting(value, "assign_add", stretched=True)
        with LOCK:
            assign(self, self._shaped(self + fitting))
        return self

    def assign_sub(self, value: Any) -> Variable:
        """Subtract `value`, of the same dtype. VariableError where it does not broadcast."""
        fitting = self._fitting(value, "assign_sub", stretched=True)
        with LOCK:
            assign(self, self._shaped(self - fitting))
        return self

    __hash__ = object.__hash__  # state is known by what it is, not by its value

    def __copy__(self) -> Variable:
        return Variable(self, self.name, self.trainable)

    def __deepcopy__(self, memo: Any) -> Variable:
        made = memo[id(self)] = Variable(self, self.name, self.trainable)
        return made

    def __reduce__(self) -> Any:
        return Variable, (self._concrete("pickle"), self.name, self.trainable)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        Tensor.__setitem__(self, key, value)

    def _fitting(self, value: Any, what: str, stretched: bool = False) -> Tensor:
        """`value` as a tensor of this dtype and shape, or `stretched` one that broadcasts to it.

        VariableError where it is of another.
        """
        if not isinstance(value, Tensor):
            value = self._converted(value, what)
        if value.dtype != self.dtype:
            raise VariableError(
                f"{what} gives {describe(value)} to {self._title()}; "
                f"convert it with x.astype('{self.dtype}')"
            )
        fits = _broadcasts if stretched else _equal
        shape = value._known_shape()
        if not fits(shape, self._known_shape()):
            raise VariableError(
                f"{what} gives {describe(value)} to {self._title()}; a variable keeps its shape"
            )
        return value if stretched else self._shaped(value)

    def _shaped(self, value: Tensor) -> Tensor:
        """`value`, whose sizes have been found to be those of this variable, with these sizes."""
        own = self._known_shape()
        if value._known_shape() == own or not all(isinstance(one, int) for one in own):
            return value
        shaped: Tensor = value.reshape(own)
        return shaped

    def _converted(self, value: Any, what: str) -> Tensor:
        has_parts = isinstance(value, list | tuple) and holds_tensors(value)
        if has_parts or isinstance(value, Number):
            self._require_kind(self._of_parts(value), what)
            return self._of_parts(value, self.dtype)
        array = as_array(value)
        self._require_kind(array, what)
        return Tensor._of(as_array(value, self.dtype))

    def _of_array(self, given: Tensor, what: str) -> Tensor:
        """`given`, which stands for an array of the user's, as this variable converts arrays."""
        self._require_kind(given, what)
        cast: Tensor = given.astype(self.dtype)
        return cast

    def _require_kind(self, given: Any, what: str) -> None:
        if not np.can_cast(given.dtype, self.dtype, "same_kind"):
            raise VariableError(
                f"{what} gives {describe(given)} to {self._title()}; convert it first"
            )

    def _title(self) -> str:
        return (
            f"the variable {self.name!r}, {describe(self)}"
            if self.name
            else (f"a variable {describe(self)}")
        )

    def __repr__(self) -> str:
        name = "" if self.name is None else f", name={self.name!r}"
        return f"Variable{super().__repr__().removeprefix('Tensor')[:-1]}{name})"


def _equal(shape: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
    return len(shape) == len(wanted) and all(map(_may_equal, shape, wanted))


def _broadcasts(shape: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
    return len(shape) <= len(wanted) and all(
        one == 1 or _may_equal(one, other)
        for one, other in zip(reversed(shape), reversed(wanted), strict=False)
    )


def _may_equal(one: Any, other: Any) -> bool:
    """Whether two sizes may be equal: one of them may be known only when the graph runs."""
    return one == other or not (isinstance(one, int) and isinstance(other, int))
