"""What is refused or fails: numbers and strings."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import one, refused, three, two


@refused(one)
def digits_to_round(x):
    return round(x, int(x))


@refused(three)
def power_of_staged(n):
    return int(n) ** -int(n)


@refused(three)
def bytes_of_a_staged_number(n):
    return b"%d" % int(n)


@refused(three)
def method_of_number(n):
    return int(n).to_bytes()


@refused(one)
def method_of_float(x):
    return float(x).hex()


@refused(one)
def missing_attribute_of_number(x):
    return float(x).missing


@refused(two)
def item_of_several(x):
    return x.item()


@refused(two)
def float_of_several(x):
    return float(x)


@refused(two)
def int_of_several(x):
    return int(x)


@refused(three)
def overflow(n):
    k = 3
    for _ in range(n + 60):
        k = k * k
    return k


@refused(three)
def string_compared(n):
    return f"{float(n)}" == "1.0"


@refused(three)
def length_of_string(n):
    return len(f"{float(n)}")


@refused(three)
def method_of_string(n):
    return f"{int(n)}".splitlines()


@refused(three)
def tensor_in_a_string(n):
    return f"{ag.ones((2,)) * n}"[0]


@refused(three)
def grouped_string(n):
    return f"{int(n):08,}"[0]


@refused(three)
def staged_width_of_string(n):
    return f"{int(n):{int(n)}}"[0]


@refused(three)
def float_of_string(n):
    return float(f"{int(n)}")


@refused(three)
def character_out_of_range(n):
    return f"{'abcd'[int(n)]}!"[5]


@refused(three)
def hash_of_string(n):
    return hash(f"{int(n)}")


@refused(three)
def missing_method_of_string(n):
    return f"{int(n)}".missing()


@refused(three)
def axis_that_is_staged(n):
    return ag.sum(ag.ones((2, 3)), axis=int(n))


class Odd:
    def __init__(self, x):
        self.x = x

    def __int__(self):
        return self.x

    def __str__(self):
        return int(self.x)


@refused(one)
def int_of_another_kind(x):
    return int(Odd(x))


@refused(one)
def text_of_another_kind(x):
    return str(Odd(x))


@refused(one)
def number_in_a_string(x):
    return int(x) in "123"


@refused(one)
def number_joined(x):
    return ", ".join([f"{int(x)}", int(x)])


PATTERN = "{} {0}"


@refused(three)
def numberings_that_are_mixed(n):
    return PATTERN.format(int(n))


@refused(three)
def format_inside_formats(n):
    pattern = "{:{:{}}}"
    return pattern.format(int(n), 3, 4)


@refused(three)
def conversion_that_there_is_not(n):
    pattern = "{!x}"
    return pattern.format(int(n))


@refused(three)
def values_that_are_too_few(n):
    pattern = "{} {}"
    return pattern.format(int(n))


@refused(three)
def field_without_a_name(n):
    return "{}".format_map({"a": int(n)})


@refused(three)
def format_of_another_class(n):
    return f"{float(n):d}"


@refused(three)
def class_that_a_number_tells(n):
    raise OSError(int(n), "gone")


class Listed:
    def __iter__(self):
        return [1, 2]


@refused(three)
def iterator_that_is_none(n):
    return [one * n for one in Listed()]
