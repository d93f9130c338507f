"""The builtins, on tensors and on staged Python numbers."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t([3.0, 1.0, 2.0])), case(t([-1.0])), case(t([[1.0, 2.0], [3.0, 0.0]])))
def len_of_a_tensor(x):
    total = 0
    for i in range(len(x)):
        total = total + x[i] * i
    return total, len(x)


@program(case(t([3.0, 1.0, 2.0])), case(t([-1.0])))
def min_max_of_a_tensor(x):
    return min(x), max(x)


@program(case(t(3.0), t(1.0)), case(t(-3.0), t(1.0)), case(t(1.0), t(1.0)))
def min_max_of_arguments(x, y):
    return min(x, y), max(x, y), min(x, y) is x, max(x, y) is x, max(x, 0), min(0.5, y)


@program(case(t([3.0, 1.0])), case(t([])))
def max_of_an_empty_tensor(x):
    y = x[x > 2]
    return max(y)


@program(case([t(3.0), t(1.0)]), case([t(-3.0), t(1.0), t(2.0)]))
def min_max_with_a_key(xs):
    return min(xs, key=abs), max(xs, key=lambda x: x * x, default=0)


@program(case(t([3.0, 1.0, 2.0])), case(t([-1.0])), case(t([[1.0, 2.0], [3.0, 0.0]])))
def sum_of_a_tensor(x):
    return sum(x), sum(x, 10)


@program(case([t(1.0), t(2.0)], 2), case([], 2))
def sum_of_a_list(xs, k):
    return sum(xs), sum([x * k for x in xs], t(1.0))


@program(case(t([True, False])), case(t([True, True])), case(t([False, False])))
def any_all_of_a_tensor(b):
    return any(b), all(b)


@program(case(t(1.0), t(0.0)), case(t(0.0), t(0.0)), case(t(1.0), t(2.0)))
def any_all_of_lists(x, y):
    return any([x, y]), all([x, y]), any([]), all([])


@program(case(t(-3.5)), case(t(3)), case(t([-1, 2], dtype=ag.int8)))
def absolute_value(x):
    return abs(x), abs(-x)


@program(case(t(2.5)), case(t(3.5)), case(t(-2.5)))
def round_a_tensor(x):
    return round(x)


@program(case(t(7), t(2)), case(t(-7), t(2)), case(t(7.5), t(2.0)))
def divmod_of_tensors(x, y):
    return divmod(x, y)


@program(case(t(2.0), t(3)), case(t(2), t(0)))
def pow_of_tensors(x, n):
    return pow(x, n), x**n


@program(case(t([3, 1, 2])), case(t([5])))
def list_and_tuple_of_a_tensor(x):
    return list(x), tuple(x)


@program(case(t(3)), case(t(0)))
def list_of_a_staged_range(n):
    return list(range(n))


@program(case([t(3.0), t(1.0), t(2.0)]))
def sorted_tensors(xs):
    return sorted(xs)


@program(case(t([1, 2]), t([3, 4])), case(t([1]), t([3])))
def dictionary_from_a_zip(x, y):
    return dict(zip(("a", "b"), zip(x, y, strict=True), strict=False))


@program(case(t(1.5)), case(t(-1.5)))
def strings_of_python_values(x):
    name = "up" if x > 0 else "down"
    return name + "!", name.upper(), len(name), f"{name:>6}", name == "up", name[0]


@program(case(t(1.5)), case(t([1, 2])))
def type_questions(x):
    return (
        isinstance(x, ag.Tensor),
        isinstance(x, (int, float)),
        isinstance(x.shape, tuple),
        callable(x),
        hasattr(x, "dtype"),
        type(x) is ag.Tensor,
        x is None,
    )


@program(case(t(2.0)))
def identity_of_objects(x):
    y = x
    z = x + 0
    w = x.astype(ag.float32)
    return y is x, z is x, z is not x, w is x


@program(case(t(2.0)))
def number_of_an_object(x):
    return id(x) > 0


@program(case(t(3), t(5)), case(t(0), t(2)))
def builtins_passed_as_values(n, m):
    total = 0
    for f in (min, max, divmod, abs):
        if f is abs:
            total = total + f(-n)
        elif f is divmod:
            total = total + f(n, m)[1]
        else:
            total = total + f(n, m)
    return total


@program(case(t([1.0, 2.0])), case(t([3.0])))
def slice_objects(x):
    s = slice(0, 1)
    return x[s], [1, 2, 3][s]


@program(case(t(1.5)))
def next_of_python_iterators(x):
    it = iter([1, 2, 3])
    first = next(it)
    return x * first + next(it), list(it), next(it, "done")


@program(case(t(1.5)))
def constants_of_the_library(x):
    return x * ag.pi, x + ag.inf, ag.isnan(x * ag.nan), x[ag.newaxis].shape
