"""Small programs that random ones were cut down to: each stands for a class of mistakes."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


class Item:
    def __init__(self, n: int) -> None:
        self.n = n


@program(case(t(1.0)), case(t(-1.0)))
def attribute_set_in_one_branch_of_a_result(x):
    item = Item(1)
    if x > 0:
        item.extra = x
    return item, hasattr(item, "extra"), getattr(item, "extra", None)


@program(case(t([1.0, 2.0, 3.0])))
def item_assignment_of_a_sum_that_may_be_an_int(v):
    v[1] = sum([e for e in v])
    v[0] += sum([e for e in v if e > 100])
    return v


def down(depth):
    return 1 if depth <= 0 else across(depth - 1) + 1


def across(depth):
    return down(depth) * 2


@program(case(t(3)), case(t(-2)))
def recursion_by_staged_and_by_python_numbers(n):
    return down(n), down(3), down(-1), down(int(n) % 3)


@program(case(t(3), t([1.0, 2.0, 3.0])), case(t(0), t([1.0, 2.0, 3.0])))
def alias_of_a_cell_made_in_a_turn_that_was_taken_back(n, v):
    u = v

    def renew():
        nonlocal v
        v = u * 1

    renew()
    while True:
        if n < 1:
            return u, v
        v[1] = n
        u = v
        n = n - 1


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 0.5, 0.0])))
def grown_list_beside_a_choice_among_arguments(v):
    total = sum([e for e in v])
    return sum([e for e in v for _ in range(2)], total), max([e for e in v], default=total)


@program(case([t(1.0), t(2.0)], t(0)), case([t(1.0), t(2.0)], t(-1)), case([t(1.0)], t(3)))
def item_by_a_staged_index_leaves_the_others(items, n):
    first, last = items[0], items[-1]
    items[n] += 1
    return items, items[0] is first, items[-1] is last


@program(case(t(1), t(0.5)), case(t(0), t(0.5)))
def item_of_any_kind_by_a_staged_index(n, x):
    names, parts = ["a", "b", None], [(1, x), (2, x)]
    names[n] = "c"
    parts[n] = (3, x * 2)
    for k in range(n + 1):
        names[k % 2] = "d"
    return names, parts


@program(case({"a": t(1.0), "b": t(2.0)}, t(1.0)), case({"a": t(1.0)}, t(-1.0)))
def views_of_one_of_two_dicts(table, x):
    chosen = table if x > 0 else {"z": x}
    total = x * 0
    for key, value in chosen.items():
        total = total + value * len(key)
    return total, sum(chosen.values()), list(chosen.items()), [k for k in chosen.keys()]


@program(case(t([1.0, 2.0]), t(0.5)), case(t([1.0, -2.0]), t(0.5)), case(t([-1.0]), t(0.5)))
def row_of_the_last_turn_is_in_the_container_made_with_it(rows, x):
    table = {"b": x}
    for x in rows:
        if x > 0:
            table = {"b": x}
    return table, x, table["b"] is x


@program(case(t([1.0, 2.0])), case(t([1.0, -2.0])), case(t([-1.0])))
def row_of_the_last_turn_is_in_two_containers(rows):
    table, pair = {"b": rows[0]}, None
    for x in rows:
        if x > 0:
            table = {"b": x}
        pair = [x]
    return table, pair


@program(case(t([1.0, 2.0, 3.0]), t(2)), case(t([1.0, 2.0, 3.0]), t(0)))
def name_of_a_comprehension_is_a_local_too(v, n):
    q, e = 5, 2
    found = first = 0
    for _ in range(n):
        first = q
        found += sum([e * q for e in v for q in range(2)]) + sum(1 for e in v if e > 2)
        found += e
    while found > 100:
        found -= q
    return q, e, first, found


@program(case(2), case(3))
def rows_of_one_kind_come_in_another_order(count):
    words, others = ["low"], ["up"]
    for _ in range(t(count)):
        words.append("up")
        others.append("low")
        words.extend(others)
    return words


@program(case(t([1.0, 2.0, -1.0]), t(3)))
def rows_of_other_kinds_are_joined(v, n):
    found, k = [v[0] * 1], int(n)
    for e in [e for e in v if e > 0]:
        found.extend([None, k])
    return found, found[0] * 2


@program(case(t(1.0), t(3)), case(t(-1.0), t(4)))
def variable_of_the_call_that_an_inner_function_reads_first(x, n):
    last, k = None, n

    def scaled(y):
        return y * k if last is None else y + last

    a = scaled(x)
    if x > 0:
        last = a
    k = 7
    return a, last, scaled(x)


@program(case(t(1.0), t(2.0), t(0)), case(t(1.0), t(2.0), t(3)), case(t(1.0), t(2.0), t(7)))
def argument_that_an_object_of_the_loop_may_hold(x, y, n):
    item = Item(x)
    for _ in range(n):
        if n > 5:
            item = Item(y)
        y = x * 2
        x = item.n + 0
    return y, item


@program(case(t(1.0)), case(t(-1.0)))
def tensors_shared_with_dicts_of_other_keys(x):
    if x > 0:
        table = {"a": x * 3, "c": x * 2}
        y = table["a"]
    else:
        table = {"b": x * 5, "c": x * 4}
        y = table["c"]
    return table, y, y is table["c"]


@program(case(t(1.0)), case(t(-1.0)))
def tensor_that_a_choice_and_two_names_hold(x):
    one = other = x * 2
    kept = one if x > 0 else None
    if x < 3:
        kept, one, other = (kept, 1), one, other
        one[...] = 5.0
    return kept, one, other, one is other


@program(case(t(1.0), t(3)), case(t(2.0), t(0)))
def recursion_puts_a_tensor_of_the_caller_into_a_dict(x, n):
    table, y = {"a": x}, x * 2

    def dive(depth):
        if depth <= 0:
            return x
        return dive(depth - 1) + table.setdefault("c", y)

    first = dive(n % 4)
    second = dive(n & 1)
    return first, second, table, y, table.get("c") is y


@program(case(t(1.0), t(0)), case(t(1.0), t(1)))
def dict_in_a_choice_shares_its_tensor_with_a_name(x, n):
    y = x * 2
    table = {"a": y}
    kept = table if n > 0 else None
    return kept, table, y


@program(case(t(1.0), t(0)), case(t(1.0), t(1)), case(t(1.0), t(2)))
def dict_is_returned_alone_or_with_its_tensor(x, n):
    y = x * 2
    table = {"a": y}
    if n > 0:
        if n > 1:
            return n, table
        table["a"] = x * 5
    return y, table


@program(case(t(1.0), t([1.0, 2.0, -1.0])), case(t(-1.0), t([-1.0])))
def sum_that_may_be_an_int_beside_a_tensor_in_a_list(x, v):
    found = [x * 1]
    for _ in [e for e in v if e > 0]:
        found.extend([sum([e * x for e in v]) * 1, x + 1])
    return found


@program(case(t(1.0)))
def condition_that_the_optimizer_knows_prints_once(x):
    limit = ag.ones(()) * 2
    if limit > 1:
        print("above", x)
    if limit > 3:
        raise ValueError("never")
    return x + limit


@program(case(t(0), t([1.0, 2.0])), case(t(2), t([1.0, 2.0])), case(t(4), t([1.0, 2.0])))
def tensor_in_lists_of_several_branches(n, v):
    found, w = None, v[0]
    if n > 0:
        w = v[1]
        if n > 1:
            found = [w]
        if n > 2:
            found = [w, w]
    same = found is not None and found[0] is w
    return found, w, same


@program(case(t(0), t([1.0, 2.0])), case(t(2), t([1.0, 2.0])), case(t(4), t([1.0, 2.0])))
def tensor_in_dicts_of_several_branches(n, v):
    table, copied = {"a": v[0]}, None
    if n > 0:
        table["a"] = v[1]
        for limit in (0, 1, 3):
            if n > limit:
                copied = dict(table)
    return table, copied


@program(
    case(t([1.0, 2.0, 3.0]), t(2)),
    case(t([1.0, -2.0, 3.0, 4.0, 5.0]), t(3)),
    case(t([1.0, 2.0]), t(4)),
    compiled=True,
)
def result_read_in_branches_of_a_loop(x, n):
    b = x * 2
    total = 0.0
    for i in range(n):
        total = total + b if i else total
    return b


SOME = (case(t([1.0, 2.0, 3.0]), t(2)), case(t([1.0, 2.0, 3.0]), t(3)), case(t([1.0]), t(-2)))


@program(*SOME)
def sizes_that_do_not_fit_where_nobody_looks(x, n):
    ag.broadcast_to(x, (n,))
    return x * 2


@program(*SOME)
def number_of_elements_that_nobody_looks_at(x, n):
    part = x[:n]
    ag.reshape(x, part.shape)
    return x * 2


@program(*SOME)
def negative_sizes_that_nobody_needs(x, n):
    for _ in range(3):
        ag.zeros((n,))
    return x * 2


@program(case(t(2), t(1.5)), case(t(0), t(1.5)))
def a_lambda_before_the_certain_assignment(n, x):
    twice = x * 2.0
    for _ in range(n):
        late = twice
    result = (lambda v: late + v)(x)
    late = twice
    return result + late


@program(case(t(2), t(1.5)), case(t(0), t(1.5)))
def a_function_before_the_certain_assignment(n, x):
    if n > 1:
        late = x

    def asked(v):
        return late * v

    try:
        early = asked(x)
    except NameError:
        early = x - 10.0
    late = x + 1.0
    return early, asked(x)


@program(
    case(t(1.0), t(2), {"b": t(2.0)}),
    case(t(1.0), t(0), {"b": t(2.0)}),
    case(t(1.0), t(5), {"b": t(2.0)}),
)
def a_tensor_that_stood_in_a_dict_of_an_earlier_turn(x, n, d):
    for _ in range(n):
        d["c"] = 1
        d = {"b": x}
        x = x * 2
    if n > 3:
        return d
    return x


@program(
    *(case(t(x), t(n), {"b": t(2.0)}) for x in (0.0, 1.0, -1.0) for n in (0, 1, 2, 3, 8)),
)
def a_dict_with_the_tensor_that_goes_on(x, n, d):
    for _ in range(n):
        d["c"] = 1
        d = {"b": x}
        if x > 0:
            x = x - 1.25
    if n > 7:
        return d
    return x, d, d["b"] is x
