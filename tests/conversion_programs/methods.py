"""Methods: super, private names, properties of the enclosing class."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any


class Base:
    __secret = 1

    def __init__(self, value: Any) -> None:
        self.value = value

    def step(self, log: Any, n: Any) -> Any:
        return log(n) + self.value

    @classmethod
    def make(cls, value: Any) -> Any:
        return cls(value)


class Model(Base):
    __count = 0

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.__hidden = value + 1

    def step(self, log: Any, n: Any) -> Any:
        if n > 1:
            return super().step(log, n) + self.__hidden
        self.__count += 1
        self.__hidden = self.__count
        return self.__bump(super().step(log, n))

    def __bump(self, x: Any) -> Any:
        while x < 5:
            x += self.__hidden or 1
        return x

    def private_variables(self, log: Any) -> Any:
        __x = 1

        def __inner(__y: Any = 2) -> Any:
            nonlocal __x
            if __y:
                __x += __y
            return __x, self.__count

        import math as __math

        class Local:
            __z = 3

            def get(self) -> Any:
                return self.__z

        return __inner(), __x, __math.floor(2.5), Local().get(), [__x for __k in range(2)]

    @classmethod
    def make(cls, value: Any) -> Any:
        if value > 3:
            return super().make(value)
        return super(Model, cls).make(0)

    def class_cell(self, log: Any) -> Any:
        if log(self.value):
            return __class__.__name__, [isinstance(self, __class__)]
        return (lambda: __class__)().__name__

    def super_inside(self, log: Any) -> Any:
        def inner(me: Any) -> Any:
            return super().step(log, 1)

        f = lambda me: super().step(log, 2)
        return inner(self), f(self)

    def super_shadowed(self, log: Any) -> Any:
        super = log
        return super("mine")

    def changes_self(self, log: Any) -> Any:
        for name in ("a", "b"):
            setattr(self, name, [name])
            if name == "b":
                self.last = name
        self.value += 1
        self.__hidden *= 2
        return self.value, self.__hidden, self.last


class __Odd:
    def method(self, log: Any) -> Any:
        self.__x = 1
        return sorted(vars(self))


class ___:
    def method(self, log: Any) -> Any:
        self.__x = 1
        return sorted(vars(self))
