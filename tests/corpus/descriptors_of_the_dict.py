"""Properties and descriptors that keep what they give in the object's `__dict__`, by its name."""

from __future__ import annotations

from autograph import asarray as t
from tests.corpus.registry import case, program


class NotNegative:
    """A descriptor that checks and counts what is set."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        return self if owner is None else owner.__dict__[self.name]

    def __set__(self, owner, value):
        if value < 0:
            raise ValueError(f"{self.name} is negative")
        owner.__dict__["changes"] = owner.__dict__.get("changes", 0) + 1
        owner.__dict__[self.name] = value


class Account:
    balance = NotNegative()

    def __init__(self, balance):
        self.balance = balance


class Temperature:
    def __init__(self, degrees):
        self.__dict__["degrees"] = degrees

    @property
    def degrees(self):
        return self.__dict__["degrees"]

    @degrees.setter
    def degrees(self, value):
        self.__dict__["degrees"] = value * 1


class Fixed:
    def __init__(self, value):
        self.__dict__["value"] = value

    @property
    def value(self):
        return self.__dict__["value"]


NUMBERS = [case(t(0.5)), case(t(2.0)), case(t(-1.0))]


@program(*NUMBERS)
def checked_when_set(x):
    try:
        account = Account(x)
        if x > 1:
            account.balance = account.balance + 1
    except ValueError as error:
        return str(error)
    return account.balance, account.changes, account


@program(*NUMBERS[:2], factory=True)
def checked_objects_from_outside():
    account, temperature = Account(1.5), Temperature(2.5)

    def go(x):
        if x > 1:
            account.balance = account.balance * 2
            temperature.degrees = x
        return account.balance, account.changes, temperature.degrees

    return go, lambda: (vars(account), vars(temperature))


@program(*NUMBERS[:2])
def set_past_a_property(x):
    temperature, fixed = Temperature(x), Fixed(x)
    for i in range(3):
        if x > i:
            temperature.degrees = temperature.degrees + i
            fixed.__dict__["value"] = x * 5
    try:
        fixed.value = x
    except AttributeError:
        return temperature, fixed.value, fixed
    return None


@program(*NUMBERS[:2], factory=True)
def first_set_on_an_object_from_outside():
    empty = Account.__new__(Account)

    def go(x):
        if x > 1:
            empty.balance = x * 2
        return len(vars(empty))

    return go, lambda: vars(empty)
