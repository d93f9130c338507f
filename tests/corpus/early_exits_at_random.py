"""Small programs with exceptions, generators and managers, of random ones that had met a bug."""

from __future__ import annotations

from collections import Counter, defaultdict

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(1.0), t(2)), case(t(1.0), t(0)))
def continue_beside_a_yield(x, n):
    def made():
        w = 0
        while w < 4:
            w += 1
            if w > n:
                continue
            yet = w * x
            if yet > 1:
                break
        yield w
        for k in range(n):
            if k > 1:
                break
            w = w + x
        else:
            yield x
        yield w

    return sum(made(), x), list(made())[0]


@program(case(t(2.0)), case(t(-2.0)), case(t(0.0)))
def lines_of_exceptions_raised_again(x):
    try:
        if x > 0:
            raise ValueError("a")
        if x < -1:
            raise ValueError("a")
    except ValueError:
        x = x + 1
        raise
    return x


class Wrong(Exception):
    def __init__(self, code):
        super().__init__(f"wrong {code}")
        self.code = code


@program(case(t(2.0)), case(t(0.0)), case(t(-2.0)), case(t(-5.0)))
def lines_behind_a_finally(x):
    try:
        try:
            if x > 0:
                raise Wrong(1)
            assert x < -1
            raise Wrong(2)
        finally:
            x = x + 1
    except Wrong:
        if x < 2:
            return x
        raise
    return x


@program(case(t(2.5)), case(t(-2.0)))
def lines_of_exceptions_of_a_called_function(x):
    def fails(code, x):
        if x > 2:
            raise Wrong(code)
        if x > 1:
            raise Wrong(code + 1)
        return x

    try:
        x = fails(0, x - 1) + fails(1, x)
    finally:
        x = x * 2
    return x


@program(*[case(t(x), t(n)) for x in (2.0, -1.0, -5.0) for n in (0, 1, 3)])
def class_of_a_handler_is_staged(x, n):
    kinds = [ValueError, (KeyError, IndexError)]
    try:
        if x > 0:
            raise ValueError("v")
        if x < -2:
            raise KeyError("k")
        if x < 0:
            raise TypeError("t")
    except kinds[n % 2] as error:
        return str(error), x
    except TypeError if n > 1 else (LookupError, kinds[0]) as error:
        return repr(error), x * 2
    return x


@program(*[case(t(x), t(n)) for x in (2.0, -1.0) for n in (1, 3)])
def class_of_a_handler_is_found_by_code_that_counts_and_raises(x, n):
    count = 0

    def kind():
        nonlocal count
        count += 1
        if n > 2:
            raise IndexError(count)
        return KeyError

    try:
        try:
            if x > 0:
                raise ValueError("v")
            raise KeyError(1)
        except kind():
            x = x * 2
        except ValueError:
            x = x * 3
    except IndexError as error:
        return count, str(error), repr(error.__context__)
    return count, x


SIGNS = (case(t(2.0)), case(t(-2.0)), case(t(0.0)))


def three(log):
    try:
        for k in range(3):
            yield k
    except Wrong:
        log.append("never")
    finally:
        log.append("left")


@program(*SIGNS)
def loop_over_a_generator_with_a_handler_raises(x):
    log = []
    try:
        for v in three(log):
            if x > v:
                raise Wrong(v)
            log.append(v)
    except Wrong as error:
        log.append(error.code)
    return log


@program(*SIGNS)
def loop_over_delegated_generators_with_handlers_raises(x):
    log = []

    def around():
        try:
            yield from three(log)
            yield 9
        finally:
            log.append("around")

    def use():
        for v in around():
            if v > x:
                raise Wrong(v)
            if x > v + 1:
                return v
            log.append(v)

    try:
        log.append(use())
    except Wrong as error:
        return log, error.code
    return log


@program(*SIGNS)
def handler_of_a_generator_that_a_comprehension_goes_over(x):
    log = []

    def parts():
        try:
            yield 1
            if x > 0:
                raise Wrong(2)
            yield 2
        except Wrong as error:
            yield error.code * 10
        finally:
            log.append("left")

    return [part for part in parts()], sum(parts()), log


@program(*SIGNS)
def delegation_to_a_generator_over_a_staged_range(x):
    def chained(n):
        for k in range(n):
            if x > k:
                yield from (x - q for q in range(k))
            else:
                yield x * 1
        yield x + 1

    n = int(abs(x)) + 1
    return sum(chained(n), x), [v for v in chained(n)]


class ByIndex:
    def __init__(self, x):
        self.x = x
        self.reads = 0

    def __getitem__(self, k):
        self.reads += 1
        if k > self.x:
            raise IndexError(k)
        return self.x * k


@program(*SIGNS)
def iteration_by_index_ends_by_a_staged_raise(x):
    items, found = ByIndex(x), []
    for item in items:
        found.append(item)
    return found, [item for item in items], sum(items), items.reads


@program(*SIGNS)
def missing_attributes_that_staged_code_finds(x):
    class Lazy:
        def __getattr__(self, name):
            if x > 0:
                raise AttributeError(name)
            return len(name)

    class Guarded:
        @property
        def part(self):
            if x < 0:
                raise AttributeError("part")
            return x

        def __getattr__(self, name):
            return f"no {name}"

    one, other = Lazy(), Guarded()
    return getattr(one, "a", 7), hasattr(one, "b"), other.part, getattr(other, "part", None)


@program(*SIGNS)
def unpacking_of_a_list_that_a_branch_grew(x):
    items, found = [1], []
    if x > 0:
        items.append(2)
    if x < 0:
        items.clear()
    try:
        first, *rest = items
        found += [first, rest]
        first, second = items
        found.append(second)
    except ValueError as error:
        found.append(str(error))
    return found


@program(*SIGNS)
def fields_and_notes_of_exceptions_that_python_makes(x):
    try:
        if x > 1:
            raise KeyError("a", "b")
        if x < -1:
            raise OSError(2, "no such")
        raise UnicodeDecodeError("utf8", b"a", 0, 1, "bad")
    except KeyError as error:
        error.add_note("first")
        error.add_note(f"second {x > 0}")
        return error.args, error.__notes__
    except OSError as error:
        return error.errno, error.strerror, str(error)
    except ValueError as error:
        return error.reason, error.end, str(error)


@program(*SIGNS)
def defaultdict_of_lists_under_a_condition(x):
    groups, members = defaultdict(list), defaultdict(set)
    for k in range(3):
        if x > k:
            groups[k % 2].append(k)
            members[0].add(k)
    return dict(groups), members


@program(*SIGNS)
def counter_has_no_tensor_as_a_key(x):
    counts = Counter([1, 2])
    counts[1] += 1
    return counts[x], counts[2], counts[5]


@program(*SIGNS)
def guards_are_not_on_variables_of_the_call(x):
    later = None

    def uses():
        return later

    first = uses()
    later = x * 2
    return first, uses()


@program(*[case(t(1.0), t(n)) for n in (0, 3)])
def operators_on_containers_that_a_branch_changed(x, n):
    seen, items, more, table = {1, 2}, [1], [2], {"a": 1}
    if n > 1:
        seen.add(5)
        items.append(5)
        more = [3, 4]
        table["b"] = 2
    seen |= {int(n) % 7, 3}
    items += more
    table |= {"c": int(n)}
    return (
        seen,
        items,
        items + more,
        items * 2,
        items == more,
        items < more,
        table,
        table | {"z": 1},
    )


@program(case(t(2.5), t(1)), case(t(-2.0), t(2)), case(t(0.5), t(0)))
def recursion_that_is_found_to_raise_inside_itself(x, n):
    class Machine:
        def __init__(self, top):
            self.top, self.calls = top, 0

        def down(self, depth, x):
            if depth <= 0:
                if x > self.top:
                    raise Wrong(depth)
                return x
            try:
                return self.down(depth - 1, x + 1) * 0.5
            except KeyError:
                return x
            finally:
                self.calls += 1

    machine = Machine(x + 2)
    if n > 1:
        machine.top = x
    y = x if n > 0 else machine.top
    try:
        return machine.down(1, y), machine.down(int(n), y), machine.calls
    except Wrong as error:
        return error.code, machine.calls


@program(case(t(2.0)), case(t(-2.0)))
def errors_of_operators_name_the_classes_of_python(x):
    n, found = int(x), []
    for wrong in (
        lambda: n + "s",
        lambda: n < None,
        lambda: n[0],
        lambda: n(),
        lambda: len(n),
        lambda: list(n),
        lambda: [1][float(x)],
        lambda: "abc"[float(x)],
        lambda: bool(x) @ 2,
        lambda: "".join([n]),
        lambda: max(n),
        lambda: sorted([n, "s"]),
    ):
        try:
            wrong()
        except TypeError as error:
            found.append(str(error))
    y = None
    try:
        y += x
    except TypeError as error:
        found.append(str(error))
    y = n
    try:
        y **= "s"
    except TypeError as error:
        found.append(str(error))
    return found


class Reflected:
    def __radd__(self, other):
        return "reflected", other

    def __iter__(self):
        return iter([7])


@program(case(t(2.0)), case(t(-2.0)))
def sequences_that_the_right_operand_is_added_to_in_place(x):
    first, second, third = [1.0, 2.0], [1], [1.0, 3.0]
    alias = second
    first += ag.stack([x, x])
    second += (2, x)
    third *= ag.stack([x, x])
    fourth = [1]
    fourth += Reflected()
    return first, second, second is alias, third, fourth


@program(case(t(2.0)), case(t(-2.0)))
def extremes_of_a_generator_over_a_list_that_a_branch_grew(x):
    def parts(items):
        for item in items:
            yield item * 1
            if item > 1:
                yield item * 2

    items = [x]
    if x > 0:
        items.append(x + 1)
    return max(parts(items)), min(parts(items)), sum(parts(items)), [v for v in parts(items)]


@program(case(t(2.0)), case(t(-2.0)))
def stop_iteration_of_a_generator_is_an_error(x):
    def parts(items):
        iterator = iter(items)
        while True:
            yield next(iterator) * x
            if x > 0:
                next(iterator)

    found = []
    try:
        for part in parts([1, 2, 3]):
            found.append(part)
    except RuntimeError as error:
        found.append(str(error))
    return found


@program(case([t(1.0), t(2.0)], t(2.0)), case([t(1.0), t(2.0)], t(5.0)))
def searching_an_argument_for_a_tensor(items, x):
    found = [items.count(x), x in items, items.count(x * 1)]
    try:
        found.append(items.index(x * 1))
        items.remove(x * 1)
    except ValueError:
        found.append("missing")
    return found, items


@program(case(t(2.0)), case(t(-2.0)))
def variables_that_a_function_outside_may_not_have_set(x):
    found = []
    if x > 0:
        first = 1

    def reads():
        return first

    second = 2

    def adds():
        return second + 1

    if x < 0:
        del second
    for third in range(int(x)):
        pass
    for attempt in (reads, adds, lambda: [third for _ in range(2)]):
        try:
            found.append(attempt())
        except NameError as error:
            found.append(str(error).partition("'")[2])
    return found


@program(case(t(2.0), t(2)), case(t(-2.0), t(0)))
def return_that_cannot_be_reached_in_a_finally(x, n):
    try:
        return x * 2
    finally:
        for k in range(n):
            while True:
                if k > 0:
                    break
                k += 1
            else:
                return x * 3


@program(*[case(t(n)) for n in (0, 1, 3)])
def division_by_a_known_zero_is_caught(n):
    found = []
    try:
        found.append(int(n) // 0)
    except ZeroDivisionError as error:
        found.append(str(error))
    try:
        for k in range(n):
            found.append(k % (len(found) - 1))
    except ZeroDivisionError as error:
        found.append(str(error))
    try:
        found.append(int(n) << -1)
    except ValueError as error:
        found.append(str(error))
    return found
