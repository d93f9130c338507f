"""Arrays and scalars of NumPy's beside values that are no numbers: None, strings, objects."""

from __future__ import annotations

import datetime
from collections import deque
from decimal import Decimal

import numpy as np

from tests.corpus.registry import case, program

TABLE = np.array([[1.0, -2.0, 3.0], [-1.0, -1.0, 2.0]])


class Plain:
    """Nothing is equal to it but itself."""


class Dual:
    """A number with its derivative, as automatic differentiation has it."""

    def __init__(self, value, slope):
        self.value = value
        self.slope = slope

    def __mul__(self, other):
        if isinstance(other, Dual):
            slope = self.value * other.slope + self.slope * other.value
            return Dual(self.value * other.value, slope)
        return Dual(self.value * other, self.slope * other)

    __rmul__ = __mul__

    def __rsub__(self, other):
        return type(other).__name__, other - self.value

    def __eq__(self, other):
        return type(other).__name__

    def __gt__(self, other):
        return type(other).__name__, other


class Deferred(Dual):
    __array_ufunc__ = None


class First(Dual):
    __array_priority__ = 10


class Row:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, place):
        return self.items[place]


class Held:
    def __init__(self, items):
        self.items = items

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.items, dtype)


THING = Plain()


@program(case(TABLE), case(TABLE[:1] * 2.0), case(TABLE[:, :0] * 1.0), compiled=True)
def equal_to_no_number(a):
    nothing = a == None, a != None, None == a, None != a
    others = (
        a == "a",
        a != b"a",
        {} == a,
        a == THING,
        a == Plain,
        a == print,
        a == slice(1),
        a == ...,
    )
    text = a == f"{a.sum()}"
    scalars = a.sum() == None, a.sum() != "a", np.array(3.0) == None
    return nothing, others, text, scalars, a[None == 1].shape, a[a == None]


@program(case(TABLE), case(TABLE[0, :1] * 2.0))
def truth_beside_none(a):
    if a == None:
        return 1
    return 2, a in [None, THING]


@program(case(TABLE, 0), *[case(TABLE, n) for n in range(1, 10)])
def operators_beside_no_number(a, kind):
    if kind == 1:
        return a + None
    if kind == 2:
        return None * a
    if kind == 3:
        return a < None
    if kind == 4:
        return a < "a"
    if kind == 5:
        return a * "a"
    if kind == 6:
        a += None
    if kind == 7:
        a += "a"
    if kind == 8:
        return np.maximum(a, None)
    if kind == 9:
        return a.sum() + Decimal(1)
    return a


@program(case(TABLE, None), case(TABLE, "3.5"), case(TABLE, "a"), case(TABLE, {}))
def numbers_of_objects(a, value):
    a[0, 0] = value
    a[1] = [value, 1.0, "2"]
    return a


@program(case(TABLE, "12"), case(TABLE, None))
def integers_of_objects(a, value):
    a = a.astype(int)
    a[0] = value
    return a


@program(case(TABLE), case(TABLE * 3.0), compiled=True)
def scalars_beside_objects(a):
    total, count = a.sum(), a.astype(np.int32)[0, 0]
    product = total * Dual(2.0, 1.0)
    kinds = type(product.value), type((count * Dual(2, 1)).value)
    compared = total == Dual(1, 0), total < Dual(1, 0), Dual(1, 0) == count
    known = np.float32(2) * Dual(3, 1)
    return product.value, kinds, compared, total - Dual(2.0, 1.0), known.value, type(known.value)


@program(case(TABLE), case(TABLE * 3.0), compiled=True)
def classes_that_go_first(a):
    one, other = a * Deferred(2.0, a), a * First(2.0, 1.0)
    scalar = a.sum() * First(2.0, 1.0), a.sum() * Deferred(2.0, 1.0)
    kinds = [type(each.value) for each in scalar]
    return one.value, one.slope, other.value, kinds, a == First(1, 1), Dual(2.0, 1.0) * a is a


@program(case(TABLE), case(TABLE[:1] * 3.0), compiled=True)
def sequences_beside_arrays(a):
    row, held = Row([1.0, 2.0, 3.0]), Held([1.0, -2.0, 5.0])
    first = a * row, a.sum() * row, a - held, held.items, a.sum() * held
    second = a == range(3), a + range(3), range(3) * a, a == deque([1.0, -2.0, 2.0])
    return first, second, a[:, : len(row) - 1] == range(2)


@program(case(TABLE), case(TABLE * 2.0))
def operators_that_no_class_has(a):
    told = []
    for number in range(4):
        try:
            if number == 0:
                a + Dual(1, 1)
            elif number == 1:
                Dual(1, 1) + a
            elif number == 2:
                a.sum() @ a
            else:
                a.sum() + Dual(1, 1)
        except (TypeError, ValueError) as error:
            told.append(type(error).__name__)
    return told, a


@program(case(TABLE), refused="StateError", naming=("an array of objects",))
def each_element_times_an_object(a):
    return (a * Dual(2.0, 1.0))[0, 0].value


@program(case(TABLE), refused="StateError", naming=("an array of objects",))
def each_element_equal_to_an_object(a):
    return a == Dual(2.0, 1.0)


@program(case(TABLE), refused="UnconvertedCallError", naming=("dtype <U1",))
def an_array_of_strings(a):
    try:
        return np.array(["<", ">"])[a.argmax(axis=1)]
    except TypeError:
        return a


@program(case(TABLE), refused="UnconvertedCallError", naming=("dtype object",))
def an_array_of_objects(a):
    try:
        made = np.empty(2, dtype=object)
    except TypeError:
        return a
    made[0] = a
    return made[0]


@program(case(TABLE), refused="UnconvertedCallError", naming=("dtype float16",))
def an_array_of_half_floats(a):
    try:
        return a.astype(np.float16)
    except Exception:
        return a


@program(case(TABLE), refused="UnconvertedCallError", naming=("None",))
def none_where_nothing_is(a):
    try:
        return np.where(a > 0, a, None).shape
    except TypeError:
        return a


@program(case(TABLE), refused="UnconvertedCallError", naming=("dtype object",))
def compared_with_a_list_of_none(a):
    return a == [None, None, None]


@program(case(TABLE), refused="UnconvertedCallError", naming=("dtype",))
def an_array_of_days(a):
    return len(np.array([datetime.date(2020, 1, 1)])), a
