"""Lists, dictionaries and sets: made, grown, read and changed, in branches and in loops."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@program(case(t(4)), case(t(1)), compiled=True)
def append_in_a_loop_and_stack(n):
    out = []
    for i in range(n):
        out.append(t(1.5) * i)
    return ag.stack(out)


@program(case(t([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])), case(t([[1.0, 2.0]])), compiled=True)
def append_rows(m):
    out = []
    state = m[0] * 0
    for row in m:
        state = state * 0.5 + row
        out.append(state)
    return ag.stack(out), state


@program(case(t(4)), case(t(0)))
def list_of_tensors_is_returned(n):
    out = []
    for i in range(n):
        out.append(t(0.5) * i)
    return out


@program(case(t(4)), case(t(0)))
def list_of_python_numbers_is_returned(n):
    out = []
    for i in range(n):
        out.append(i * i)
    return out


@program(case(t([3.0, -1.0, 2.0])), case(t([-1.0])))
def append_under_a_condition(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
    return out, len(out)


@program(case(t([3, -1, 2, -4, 5])), case(t([-1])))
def append_to_one_of_two(xs):
    up, down = [], []
    for x in xs:
        if x > 0:
            up.append(x)
        else:
            down.append(x)
    return up, down


@program(case(t(5)), case(t(0)))
def list_as_a_stack(n):
    stack = []
    total = 0
    for i in range(n):
        stack.append(i)
        if i % 2 == 1:
            total += stack.pop() * 10
    while len(stack) > 0:
        total += stack.pop()
    return total, stack


@program(case(t(3)), case(t(0)))
def pop_from_an_empty_list(n):
    stack = []
    for i in range(n):
        stack.append(i)
    stack.pop()
    return stack.pop()


@program(case(t(5), t(2)), case(t(5), t(-1)), case(t(5), t(9)))
def item_of_a_staged_list(n, k):
    out = []
    for i in range(n):
        out.append(i * 2.5)
    return out[k]


@program(case(t(5)), case(t(1)))
def item_assignment_of_a_staged_list(n):
    out = []
    for i in range(n):
        out.append(i)
    out[0] = 100
    out[-1] = out[-1] + 1
    return out


@program(case(t(5)), case(t(2)))
def staged_list_read_in_a_loop(n):
    fib = [1, 1]
    for i in range(2, n):
        fib.append(fib[i - 1] + fib[i - 2])
    return fib, fib[-1], len(fib)


@program(case(t(5)), case(t(0)))
def staged_list_is_iterated(n):
    out = []
    for i in range(n):
        out.append(i * i)
    total = 0
    for x in out:
        total = total * 2 + x
    return total


@program(case([t(1.0), t(2.0)], t(3.0)), case([t(1.0)], t(-3.0)), case([], t(3.0)))
def argument_list_is_appended(xs, x):
    if x > 0:
        xs.append(x)
    xs.append(x * 2)
    return len(xs)


@program(case([t(1.0), t(2.0)], t(0)), case([t(1.0), t(2.0)], t(1)), case([t(1.0)], t(5)))
def argument_list_with_a_tensor_index(xs, i):
    y = xs[i]
    xs[i] = y * 10
    return y


@program(case([1, 2, 3], t(1)), case([1, 2, 3], t(-1)))
def python_list_under_a_tensor_condition(xs, c):
    if c > 0:
        xs.append(10)
        xs[0] = 5
    else:
        xs.pop()
        xs.insert(0, 7)
    return xs, len(xs), sum(xs)


@program(case(t(1.0)), case(t(-1.0)))
def list_methods(x):
    xs = [x, x + 1]
    xs.extend([x + 2, x + 3])
    xs.insert(1, x * 10)
    if x > 0:
        xs.reverse()
    first = xs.pop(0)
    ys = xs.copy()
    ys += [first]
    zs = xs + ys
    return xs, ys, len(zs), xs * 2


@program(case([3, 1, 2], t(1)), case([3, 1, 2], t(-1)))
def python_sorting(xs, c):
    ys = sorted(xs)
    xs.sort(reverse=True)
    return xs, ys, xs.index(2), xs.count(3), xs[c]


@program(case(t(1.0)), case(t(-1.0)))
def same_list_returned_twice(x):
    out = [x]
    if x > 0:
        out.append(x + 1)
    return out, out


@program(case(t(3)), case(t(0)))
def staged_list_returned_twice(n):
    out = []
    for i in range(n):
        out.append(i)
    return {"a": out, "b": [out]}


@program(case(t(1.0)), case(t(-1.0)))
def list_of_lists(x):
    grid = [[0, 0], [0, 0]]
    grid[0][1] = x
    row = grid[1]
    if x > 0:
        row.append(x)
        grid[0] = row
    return grid


@program(case(t(3)), case(t(0)))
def aliased_lists_in_a_loop(n):
    a = []
    b = a
    for i in range(n):
        a.append(i)
        if len(b) > 2:
            b.pop()
    return a, b, a is b


@program(case(t(3)), case(t(1)))
def ragged_rows(n):
    out = []
    row = t([0.0])
    for i in range(n):
        row = ag.concat([row, row[:1] + i])
        out.append(row)
    return out


@program(case(t(3)), case(t(0)))
def stack_of_an_empty_list(n):
    out = []
    for i in range(n):
        out.append(t(1.0) + i)
    return ag.stack(out)


@program(case(t(1.0), t(2.0)), case(t(-1.0), t(2.0)))
def list_display_with_tensors(x, y):
    out = [x, y, x]
    if x > 0:
        out[1] = x
    return out, out[0] is x, out[1] is x


@program(case(t(1.0)), case(t(-1.0)))
def dictionary_made_inside(x):
    d = {"x": x, "n": 0}
    if x > 0:
        d["y"] = x * 2
        d["n"] += 1
    else:
        d["n"] -= 1
    return d["n"], d.get("y", 0), "y" in d, len(d)


@program(case({"a": t(1.0)}, t(1.0)), case({"a": t(1.0)}, t(-1.0)))
def dictionary_argument_written(d, x):
    d["a"] = d["a"] + x
    if x > 0:
        d["b"] = x
    return d


@program(case({"a": 1, "b": 2}, t(1.0)), case({"a": 1, "b": 2}, t(-1.0)))
def dictionary_popped_in_a_branch(d, x):
    if x > 0:
        y = d.pop("a")
    else:
        y = d.setdefault("c", 9)
    return y, sorted(d), list(d.values())


@program(case(t(3)), case(t(0)))
def dictionary_values_in_a_loop(n):
    stats = {"count": 0, "sum": 0.0}
    for i in range(n):
        stats["count"] += 1
        stats["sum"] += i * 1.5
    return stats


@program(case(t(3)), case(t(-3)))
def set_membership_under_a_condition(x):
    seen = {1}
    if x > 0:
        seen.add(2)
    return len(seen)


@program(case(t(3)), case(t(0)))
def set_at_function_level(x):
    seen = set()
    for k in (1, 2, 2, 3):
        seen.add(k)
    return x * len(seen), 2 in seen


@program(case(t(3)), case(t(0)))
def tuple_state(n):
    pair = (0, 1.0)
    for i in range(n):
        pair = (pair[0] + i, pair[1] * 2)
    a, b = pair
    return pair, a + b


@program(case(t(3)), case(t(0)))
def list_state_replaced_whole(n):
    pair = [0, 1]
    for i in range(n):
        pair = [pair[1], pair[0] + i]
    return pair


@program(case(t(2)), case(t(0)))
def slices_of_lists(n):
    xs = [10, 20, 30, 40]
    ys = xs[1:3]
    ys[0] = n
    xs[:2] = [n + 1]
    return xs, ys, xs[::-1]


@program(case([t(1.0), t(2.0)], t(2.0)), case([t(1.0)], t(5.0)))
def membership_by_value(xs, x):
    if x in xs:
        return "in"
    return "out"


@stateful(case(t(3)), case(t(0)))
def list_in_the_state_grows_in_a_loop():
    log = []

    def run(n):
        for i in range(n):
            log.append(i)
        return len(log)

    return run, log


@stateful(case(t(2.0)), case(t(-2.0)))
def list_of_state_is_cleared():
    log = [t(1.0)]

    def run(x):
        if x > 0:
            log.clear()
        log.append(x)
        return log

    return run, log


@program(case(t(4)), case(t(0)))
def nested_loops_append(n):
    out = []
    for i in range(n):
        for j in range(i):
            out.append(i * 10 + j)
    return out


@program(case(t(6)), case(t(0)))
def append_with_break_and_continue(n):
    out = []
    for i in range(n):
        if i == 1:
            continue
        if i == 4:
            break
        out.append(i)
    return out


@program(case(t(3)), case(t(0)))
def list_of_pairs(n):
    out = []
    for i in range(n):
        out.append((i, i * 0.5))
    return out


@program(case(t(3)), case(t(0)))
def list_with_initial_python_items(n):
    out = [1.5, 2.5]
    for i in range(n):
        out.append(out[-1] * 2)
    return out


@program(case(t(4)))
def running_list_in_a_while(n):
    queue = [n]
    seen = 0
    while queue:
        k = queue.pop()
        seen += 1
        if k > 1:
            queue.append(k // 2)
            queue.append(k - 2)
    return seen
