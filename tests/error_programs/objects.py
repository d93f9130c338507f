"""What is refused or fails: classes and objects, and foreign code that looks into them."""

from __future__ import annotations

import collections
import contextlib
import enum
import itertools

import numpy as np

import autograph as ag
from tests.error_programs.registry import one, refused

KINDS = []


class Base:
    def __init_subclass__(cls):
        KINDS.append(cls)


class Meta(type):
    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        KINDS.append(name)


class Rate:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


RATE = Rate(2.0)
WEIGHT = ag.Variable(1.0)


class Mask(enum.Flag):
    READ = 1
    WRITE = 2


@refused(one)
def attribute_of_a_class_on_one_path(x):
    class Empty:
        pass

    if x < 0:
        Empty.size = 5
    return Empty.size


@refused(one)
def frozenset_beside_a_staged_set(x):
    return frozenset({1, 2}) | {k for k in range(int(x))}


@refused(one)
def maximal_length_that_is_staged(x):
    return collections.deque([1, 2], maxlen=int(x))


@refused(one)
def flag_of_a_staged_number(x):
    return Mask(int(x))


@refused(one)
def group_of_chosen_exceptions(x):
    return ExceptionGroup("both", [ValueError("a") if x > 0 else KeyError("b")])


@refused(one)
def subclass_of_a_base_with_a_hook(x):
    class Item(Base):
        pass

    return Item, x


@refused(one)
def class_of_a_metaclass(x):
    class Item(metaclass=Meta):
        pass

    return Item, x


@refused(one)
def class_body_with_a_staged_condition(x):
    class Item:
        sign = 1 if x > 0 else -1

    return Item.sign


@refused(one)
def object_of_a_class_of_the_call(x):
    class Item:
        def value(self):
            return x

    return Item()


@refused(one)
def object_given_to_foreign_code(x):
    return x * np.sum(RATE)


@refused(one)
def output_redirected(x):
    with contextlib.redirect_stdout(None):
        return x


class Counted(itertools.count):
    pass


@refused(one)
def object_of_a_class_of_c_code(x):
    counted = Counted(1)
    counted.x = x
    return counted


class Shorter:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count


@refused(one)
def length_below_zero(x):
    return len(Shorter(int(x) - 7))
