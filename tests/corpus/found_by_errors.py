"""Programs found while the text of each error was read: what differed or was refused beside it."""

from __future__ import annotations

import collections

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
COUNTS = (case(t(3)), case(t(0)), case(t(7)))


@program(*COUNTS)
def slices_of_ranges(n):
    whole, fixed = range(n), range(2, 9, 2)
    slices = (
        whole[1:],
        whole[::-1],
        whole[-2:],
        whole[n:1:-2],
        fixed[n:],
        fixed[:-n],
        fixed[:: n + 1],
    )
    return [list(one) for one in slices], len(fixed[:n])


@program(*COUNTS)
def slices_of_tuples(n):
    mixed = ("a", None, 3.0, int(n))
    grown = tuple(range(n))
    return mixed[:n], mixed[n:], grown[1:], grown[::-1], mixed[::-1][: n - 1]


@program(case(t(3)), case(t(1)), case(t(0)), case(t(7)))
def items_of_ranges_and_tuples(n):
    told = []
    for place in (2, -1, -3):
        try:
            told.append(range(n)[place] + range(0, 10, 2)[n])
        except IndexError as error:
            told.append(str(error))
        try:
            told.append(tuple(range(n))[place])
        except IndexError as error:
            told.append(str(error))
    return told


@program(*COUNTS)
def operators_that_containers_do_not_have(n):
    items = [i for i in range(n)]
    table = {i: 1 for i in range(n)}
    members = {i for i in range(n)}
    told = []
    for action in (
        lambda: tuple(items) - (1,),
        lambda: items < 3,
        lambda: items * 2.5,
        lambda: items + (1,),
        lambda: tuple(items) + [1],
        lambda: range(n) + range(n),
        lambda: table - 1,
        lambda: table < table,
        lambda: members + members,
        lambda: table.values() - {1},
        lambda: table.values()[0],
        lambda: enumerate(range(n))[0],
    ):
        try:
            told.append(action())
        except TypeError as error:
            told.append(str(error))
    return told


class Reflected:
    def __radd__(self, other):
        return len(other)

    def __rsub__(self, other):
        return "difference"


@program(*COUNTS)
def operators_of_the_right_side(n):
    items = [i for i in range(n)]
    return items + Reflected(), items - Reflected(), tuple(items) + Reflected()


@program(*COUNTS)
def set_operators_of_views(n):
    table = {i: i * i for i in range(n)}
    return sorted(table.keys() - {1}), sorted(table.keys() | {9}), len(table.items() & {(2, 4)})


@program(*COUNTS)
def order_of_ordered_dicts(n):
    first, second, plain = collections.OrderedDict(), collections.OrderedDict(), {}
    for i in range(n):
        first[i] = 1
        second[int(n) - 1 - i] = 1
        plain[i] = 1
    return first == second, first != second, first == plain, first == first


def counted(n):
    first, second = collections.Counter(), collections.Counter()
    for i in range(n):
        first[i % 2] += 1
        second[i] += 2
    return first, second


@program(case(t(3)))
def union_of_counters(n):
    first, second = counted(n)
    return first | second


@program(case(t(3)), case(t(0)))
def equality_of_counters(n):
    first, second = counted(n)
    second[9] += 0
    return first == second, first != second, first <= second, first < second, second == dict(first)


@program(case(t(3)), case(t(0)))
def list_times_a_tensor(n):
    items = [i for i in range(n)]
    return items * n


@program(case(t(3)), case(t(2)))
def list_times_a_tensor_of_floats(n):
    items = [i for i in range(n)]
    return items * (n * 0.5)


@program(*COUNTS)
def grown_containers_put_into_others(n):
    items = [i for i in range(n)]
    outer, table, queue = [1], {}, collections.deque()
    outer.insert(0, items)
    table.setdefault("a", items).append(7)
    queue.appendleft(items)
    return outer, table, queue, items, outer[0] is items, table.pop("b", items) is items


@program(*COUNTS)
def dicts_of_other_classes_from_grown_ones(n):
    table = {i: i for i in range(n)}
    lists = collections.defaultdict(list, table)
    lists[9].append(1)
    table |= [(8, 9)]
    return collections.OrderedDict(table), lists, collections.defaultdict(int, a=1)


@program(*COUNTS)
def grown_lists_as_tensors(n):
    items = [i * 1.5 for i in range(n)] + [0.5]
    return ag.asarray(items), ag.asarray(items, dtype=ag.float32)


@program(*COUNTS)
def made_again_by_init(n):
    items, members = [i for i in range(n)], {i for i in range(n)}
    table = {i: i for i in range(n)}
    items.__init__([1])
    members.__init__([2])
    table.__init__({5: 6})
    return items, members, table


class Rotated(list):
    def turn(self):
        last = self.pop()
        rest = list(self)
        super().__init__([last])
        self.extend(rest)


@program(case(t(3)), case(t(7)))
def list_that_initialises_itself(n):
    items = Rotated()
    for i in range(n):
        items.append(i)
    items.turn()
    return list(items)


@program(case(t(1.0)), case(t(-1.0)))
def deletion_by_a_key_that_is_one_of_two(x):
    table = {"a": 1, "b": 2}
    del table["a" if x > 0 else "b"]
    items = [1, 2, 3]
    del items[0 if x > 0 else 2]
    return table, items


@program(*COUNTS)
def iterators_taken_apart(n):
    first, *numbered = enumerate(range(n + 1))
    last, *rest = reversed(range(n + 1))
    return first, numbered, last, rest


@program(case(t(2.0)))
def words_of_numbers(x):
    told = []
    for action in (lambda: ~float(x), lambda: sum([x], "a"), lambda: [1, 2][: float(x)]):
        try:
            told.append(action())
        except TypeError as error:
            told.append(str(error))
    return told


@program(case(t([120, 350, 250, -150, -250, -49])), compiled=True)
def integers_rounded_to_hundreds(x):
    return ag.round(x, decimals=-2), ag.round(x, decimals=1)


@program(*COUNTS)
def containers_written_in_python(n):
    numbers = {i: i for i in range(n)}
    chained = collections.ChainMap(numbers, {9: n})
    users, items = collections.UserDict(), collections.UserList([1, 2])
    for i in range(n):
        users[i] = i * 2
        items.append(i)
    return chained[9], chained.get(1), 0 in chained, len(users), 2 in users, items[0], len(items)


@program(case(t(1.0)), case(t(-1.0)))
def chained_dicts_with_one_of_two_keys(x):
    chained = collections.ChainMap({"a" if x > 0 else "b": 1}, {"a": 2})
    return chained["a"], "b" in chained


@program(case(t([1.0, 2.0])), case(t([[1.0, 2.0, 3.0]])), case(t([])), compiled=True)
def truth_of_many_is_caught(x):
    found = []
    for test in (lambda: bool(x), lambda: not x, lambda: x and 1, lambda: 1 if x == x else 2):
        try:
            found.append(test())
        except ValueError as error:
            found.append(str(error))
    try:
        while x:
            x = x * 0
    except ValueError as error:
        found.append(str(error))
    return found


@program(
    case(t([1.0, 2.0])), case(t([3.0, 2.0, 1.0])), case(t([5.0, 2.0, 1.0, 0.0])), compiled=True
)
def truth_of_a_size_that_changes(x):
    if x[0] > 2:
        assert x
    return x


@program(case(t(1.5)), case(t(True)), case(t([1, 2])), case(t([1.5])), case(t(2)))
def conversions_that_fail(x):
    found = []
    for convert in (lambda: list(range(x)), lambda: int(x), lambda: [1, 2, 3][x], lambda: len(x)):
        try:
            found.append(convert())
        except (TypeError, ValueError) as error:
            found.append((type(error).__name__, str(error)))
    return found


@program(case(t(3)), case(t(0)))
def misused_sequences(n):
    """What is no index, has no length or takes no such argument raises as in Python."""
    items, table, queue = [], {}, collections.deque()
    for i in range(n):
        items.append(i)
        table[i] = i
        queue.append(i)
    told = []
    wrong = (
        lambda: items[1.5],
        lambda: items["a"],
        lambda: items[None],
        lambda: queue["a"],
        lambda: items.__setitem__(0.5, 1),
        lambda: items.__delitem__("a"),
        lambda: len(zip(items, items)),
        lambda: len(map(str, items)),
        lambda: len(enumerate(items)),
        lambda: zip(items, items) + 1,
        lambda: reversed(items)[0],
        lambda: range(n).missing,
        lambda: tuple(items).append(1),
        lambda: table.pop(),
        lambda: max(),
    )
    for one in wrong:
        try:
            told.append(one())
        except (TypeError, AttributeError) as error:
            told.append(f"{type(error).__name__}: {error}")
    return told
