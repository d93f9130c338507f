"""try, except, else, finally and with around what raises when the function runs."""

from __future__ import annotations

import contextlib

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
SIGNS = (case(t(2.0)), case(t(-2.0)), case(t(0.0)))
NUMBERS = tuple(case(t(n)) for n in (0, 1, 2, 3, 5))


class Base(Exception):
    """An error of the user's own."""


class Custom(Base):
    """One with fields."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Spoken(Exception):
    """One with a text of its own."""

    def __init__(self, value):
        self.value = value

    def __str__(self):
        return f"spoken {self.value}"


def checked(x):
    if x < 0:
        raise ValueError("negative")
    if x > 3:
        raise OverflowError("large")
    return ag.sqrt(x)


# raise, assert, and what Python raises ------------------------------------------------------------
@program(*SIGNS, compiled=True)
def caught_raise(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    except ValueError:
        y = x * 3
    return y


@program(*SIGNS)
def caught_assertion(x):
    try:
        assert x > 0, f"x is {x}"
    except AssertionError as error:
        return str(error)
    return "fine"


@program(*NUMBERS, compiled=True)
def caught_division(n):
    k = int(n)
    try:
        return 10 // k, 10 % k, 10 / k
    except ZeroDivisionError as error:
        return str(error)


@program(*NUMBERS)
def caught_divisions_in_a_row(n):
    out = []
    k = int(n)
    for d in (0, 2):
        try:
            out.append(6 // (k - d))
            out.append(7 % (k - d - 1))
        except ZeroDivisionError as error:
            out.append(error.args[0])
    return out


@program(case(t([1.0, 2.0]), t(0)), case(t([1.0, 2.0]), t(5)), case(t([1.0, 2.0]), t(-3)))
def caught_index(x, i):
    try:
        return x[i] * 2
    except IndexError as error:
        return str(error)


@program(*NUMBERS)
def caught_index_of_a_list(n):
    items = [1, 2, 3]
    try:
        return items[int(n)]
    except IndexError as error:
        return str(error)


@program(*NUMBERS)
def caught_pop(n):
    items = [i * 2 for i in range(n)]
    try:
        items.pop()
        return items.pop()
    except IndexError as error:
        items.append(7)
        return str(error), items


@program(*SIGNS)
def caught_missing_key(x):
    table = {"here": 1}
    try:
        if x < 0:
            value = table["missing"]
        else:
            value = table["here"]
    except KeyError as error:
        value = error.args[0]
    return value


@program(*SIGNS)
def caught_missing_attribute(x):
    try:
        if x < 0:
            return x.nothing
        return x.ndim
    except AttributeError:
        return -1


@program(case(t(float("nan"))), case(t(float("inf"))), case(t(2.5)))
def caught_conversions(x):
    try:
        return int(x)
    except ValueError as error:
        return "value", str(error)
    except OverflowError as error:
        return "overflow", str(error)


@program(*NUMBERS)
def caught_negative_shift(n):
    try:
        return 1 << (int(n) - 2)
    except ValueError as error:
        return str(error)


@program(*NUMBERS)
def caught_zero_to_a_negative_power(n):
    try:
        return float(int(n)) ** -1.0
    except ZeroDivisionError as error:
        return str(error)


@program(*SIGNS)
def caught_unset_variable(x):
    try:
        if x > 0:
            y = 1
        return y
    except NameError:
        return "unset"


@program(
    case(t([1.0, 2.0, -3.0]), t([1.0, 2.0, 3.0])),
    case(t([1.0, 2.0, 3.0]), t([1.0, 2.0, 3.0])),
    vary=False,
)
def caught_shapes(x, y):
    try:
        return x[x > 0] + y
    except ValueError as error:
        return str(error)


@program(case(t([1.0, 2.0]), t([0, 1])), case(t([1.0, 2.0]), t([0, 5])), vary=False)
def caught_indices(x, i):
    try:
        return x[i]
    except IndexError as error:
        return str(error)


@program(case(t([1.0, 2.0, 3.0, 4.0]), t(2)), case(t([1.0, 2.0, 3.0, 4.0]), t(3)), vary=False)
def caught_reshape(x, n):
    try:
        return ag.reshape(x, (int(n), 2))
    except ValueError as error:
        return str(error)


# clauses ------------------------------------------------------------------------------------------
@program(*(case(t(k)) for k in range(7)), compiled=True)
def several_clauses(k):
    try:
        if k == 1:
            raise ValueError("one")
        if k == 2:
            raise KeyError("two")
        if k == 3:
            raise IndexError("three")
        if k == 4:
            raise Custom("four", code=4)
        if k == 5:
            raise RuntimeError("five")
        out = 0
    except ValueError:
        out = 10
    except (KeyError, TypeError):
        out = 20
    except LookupError:
        out = 30
    except Base:
        out = 40
    except Exception:
        out = 50
    else:
        out = 60
    return out


@program(*(case(t(k)) for k in range(4)))
def not_the_right_clause(k):
    try:
        if k == 1:
            raise ValueError("one")
        if k == 2:
            raise KeyError("two")
    except ValueError:
        return "value"
    return "end"


@program(*(case(t(k)) for k in range(4)))
def bare_clause(k):
    try:
        if k == 1:
            raise ValueError("one")
        assert k != 2
    except:
        return "caught"
    return "end"


@program(*SIGNS)
def parts_of_the_exception(x):
    try:
        if x < 0:
            raise Custom(f"low {x}", code=x * 2)
        if x == 0:
            raise Custom("zero", code=t(0.5))
    except Custom as error:
        return error.args, error.code, str(error), repr(error), type(error).__name__
    return None


@program(*SIGNS)
def text_of_the_exception(x):
    try:
        if x < 0:
            raise KeyError(x)
        if x == 0:
            raise ValueError(x, "two")
        raise Spoken(x)
    except Exception as error:
        print(error, f"<{error}> {error!r}")
        return str(error)


@program(*SIGNS)
def the_exception_is_kept(x):
    kept = None
    try:
        if x < 0:
            raise ValueError(f"{x}")
    except ValueError as error:
        kept = error
    return kept is None, None if kept is None else kept.args


@program(*SIGNS)
def the_variable_is_deleted(x):
    error = "before"
    try:
        if x < 0:
            raise ValueError
    except ValueError as error:
        pass
    try:
        return error
    except UnboundLocalError:
        return "deleted"


ERROR = ValueError("one of them")


@program(*SIGNS)
def the_very_object(x):
    try:
        if x < 0:
            raise ERROR
    except ValueError as error:
        return error is ERROR
    return None


@program(*SIGNS)
def class_chosen_in_the_body(x):
    kind = KeyError
    try:
        kind = ValueError
        if x < 0:
            raise ValueError("negative")
    except kind:
        return "caught"
    return "end"


# raising again ------------------------------------------------------------------------------------
@program(*(case(t(k)) for k in range(4)))
def raised_again(k):
    try:
        if k == 1:
            raise ValueError(f"k is {k}")
        if k == 2:
            raise KeyError("two")
    except ValueError:
        print("seen")
        raise
    except KeyError as error:
        raise RuntimeError("other") from error
    return k


@program(*(case(t(k)) for k in range(4)))
def raised_again_under_a_condition(k):
    try:
        if k > 0:
            raise ValueError(f"k is {k}")
    except ValueError as error:
        if k > 1:
            raise
        if k > 2:
            raise error
        return "kept"
    return "end"


@program(*(case(t(k)) for k in range(5)))
def raised_again_and_caught(k):
    try:
        try:
            if k == 1:
                raise ValueError("one")
            if k == 2:
                raise KeyError("two")
            if k == 3:
                raise TypeError("three")
            out = "none"
        except ValueError:
            raise
        except KeyError as error:
            raise IndexError("from two") from error
    except LookupError as error:
        out = str(error), type(error.__cause__).__name__
    except ValueError as error:
        out = "again", str(error)
    return out


@program(*(case(t(k)) for k in range(5)))
def nested(k):
    log = []
    try:
        log.append("outer")
        try:
            log.append("inner")
            if k == 1:
                raise ValueError("one")
            log.append("between")
            if k == 2:
                raise KeyError("two")
        except ValueError:
            log.append("inner handler")
            if k + 1 == 2:
                raise IndexError("new")
        finally:
            log.append("inner finally")
        log.append("after inner")
        if k == 3:
            raise KeyError("three")
    except LookupError as error:
        log.append(str(error))
    else:
        log.append("else")
    finally:
        log.append("outer finally")
    return log


@program(*SIGNS)
def one_of_several_exceptions(x):
    kind = ValueError if x > 0 else KeyError
    error = IndexError("a") if x > 1 else TypeError("b")
    out = []
    try:
        raise kind("kind")
    except (ValueError, KeyError) as caught:
        out.append(type(caught).__name__)
    try:
        raise error from RuntimeError("why")
    except (IndexError, TypeError) as caught:
        out.append((str(caught), type(caught.__cause__).__name__))
    return out


@program(*SIGNS)
def the_context_of_an_exception(x):
    try:
        try:
            if x > 0:
                raise ValueError("first")
        except ValueError as error:
            raise KeyError(error.args[0])
    except KeyError as error:
        return type(error.__context__).__name__, error.__cause__
    return None


# finally, and ways out ----------------------------------------------------------------------------
@program(*SIGNS)
def printed_in_order(x):
    print("start")
    try:
        print("body", x)
        if x < 0:
            raise ValueError("negative")
        print("still")
    except ValueError:
        print("handler")
    else:
        print("else")
    finally:
        print("finally")
    print("end")
    return x


@program(*SIGNS)
def finally_on_the_way_out(x):
    try:
        print("body")
        if x < 0:
            raise ValueError("negative")
        if x == 0:
            return "returned"
    finally:
        print("finally", x)
    return "end"


@program(*(case(t(k)) for k in range(5)))
def returns_everywhere(k):
    try:
        if k == 0:
            return "body"
        if k == 1:
            raise ValueError
        if k == 2:
            raise KeyError
    except ValueError:
        return "handler"
    except KeyError:
        pass
    else:
        if k == 3:
            return "else"
    finally:
        if k == 4:
            return "finally"
    return "end"


@program(*(case(t(k)) for k in range(3)))
def finally_swallows(k):
    try:
        if k == 1:
            raise ValueError("lost")
    finally:
        if k > 0:
            return "swallowed"
    return "end"


# state --------------------------------------------------------------------------------------------
class Box:
    def __init__(self):
        self.steps = []
        self.level = 0

    def fill(self, x):
        self.level = self.level + 1
        self.steps.append(x)
        if x > 1:
            raise ValueError("full")
        self.level = self.level + 10


@stateful(*SIGNS)
def changes_before_the_raise_stay():
    box = Box()
    v = ag.Variable(1.0)

    def run(x):
        cell = ag.zeros((2,))
        try:
            v.assign_add(1.0)
            cell[0] = x
            box.fill(x)
            cell[1] = x
            v.assign_add(5.0)
        except ValueError:
            return "caught", box.level, len(box.steps), cell, v + 0.0
        return "end", box.level, len(box.steps), cell, v + 0.0

    return run, (box, v)


@stateful(*SIGNS)
def what_is_not_caught_takes_all_back():
    box = Box()

    def run(x):
        try:
            box.fill(x)
        except KeyError:
            return "caught"
        return box.level

    return run, box


@program(*SIGNS)
def variables_at_the_raise(x):
    a = b = c = 0
    try:
        a = 1
        if x < 0:
            raise ValueError
        b = x
        if x == 0:
            raise ValueError
        c = "three"
    except ValueError:
        a = a + 10
    return a, b, c


@program(case(t([1.0, 2.0])), case(t([-1.0, 2.0])), case(t([1.0, -2.0])))
def item_assigned_before_the_raise(x):
    try:
        x[0] = 5.0
        if ag.sum(x) < 4:
            raise ValueError
        x[1] = 7.0
    except ValueError:
        x[1] = x[0] + 1
    return x


# calls --------------------------------------------------------------------------------------------
@program(case(t(4.0)), case(t(-2.0)), case(t(2.0)), compiled=True)
def a_function_that_raises(x):
    try:
        return checked(x) + checked(x - 1)
    except ValueError:
        return x * 0
    except OverflowError:
        return x


@program(case(t(4.0)), case(t(-2.0)), case(t(2.0)))
def handlers_that_raise(x):
    try:
        try:
            y = checked(x)
        except ValueError:
            y = checked(-x + 10)
    except OverflowError as error:
        return str(error)
    return y


@program(case(t(4.0)), case(t(-2.0)), case(t(2.0)))
def a_function_that_catches(x):
    def safe(v):
        try:
            return checked(v)
        except ValueError as error:
            return len(error.args)

    return safe(x), safe(x - 2), safe(-x)


# recursion ----------------------------------------------------------------------------------------
@program(*NUMBERS, case(t(9)), compiled=True)
def a_recursive_function_that_raises(n):
    def walk(k):
        if k == 4:
            raise KeyError(f"at {k}")
        if k > 7:
            raise ValueError("too deep")
        return 0 if k <= 0 else 1 + walk(k - 1)

    try:
        return walk(n)
    except KeyError as error:
        return error.args[0]
    except ValueError:
        return -1


@program(*NUMBERS)
def a_recursive_function_that_catches(n):
    def walk(k):
        try:
            if k == 0:
                raise ValueError("bottom")
            return walk(k - 1) + 1
        except ValueError:
            if k < 2:
                raise
            return 100

    try:
        return walk(n)
    except ValueError as error:
        return str(error)


@program(*NUMBERS)
def recursion_with_state(n):
    seen = []

    def walk(k):
        seen.append(k * 1)
        if k == 3:
            raise KeyError("three")
        if k > 0:
            walk(k - 1)
        seen.append(k * -1)

    try:
        walk(n)
    except KeyError:
        seen.append(n * 100)
    return seen


@program(*NUMBERS)
def gradient_through_a_recursion_that_raises(n):
    x = t(1.5)

    def power(x, k):
        if k > 4:
            raise OverflowError("too deep")
        return x * 1.0 if k <= 0 else x * power(x, k - 1)

    with ag.GradientTape() as tape:
        tape.watch(x)
        try:
            y = power(x, n)
        except OverflowError:
            y = x * 3.0
    return y, tape.gradient(y, x)


# loops --------------------------------------------------------------------------------------------
@program(*NUMBERS, compiled=True)
def loop_inside(n):
    total = 0
    try:
        for i in range(n):
            total += i
            if total > 2:
                raise StopIteration("enough")
            total += 1
    except StopIteration:
        total = total * 100
    return total


@program(*NUMBERS, compiled=True)
def try_inside_a_loop(n):
    total, failures = 0, 0
    for i in range(n):
        try:
            total += 12 // (i - 2)
        except ZeroDivisionError:
            failures += 1
        else:
            total += 1
        finally:
            total += 100
    return total, failures


@program(*NUMBERS)
def escapes_in_a_loop(n):
    out = []
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 3:
                raise ValueError("three")
            out.append(i)
        except ValueError:
            break
        finally:
            out.append(-i)
    return out


@program(*NUMBERS)
def while_until_it_raises(n):
    k, steps = n, 0
    while True:
        try:
            steps += 1
            k = k - 1
            if k < 0:
                raise ValueError
        except ValueError:
            break
    return k, steps


@program(*NUMBERS)
def retried(n):
    attempts = 0
    while attempts < 5:
        attempts += 1
        try:
            if attempts < n:
                raise RuntimeError(f"attempt {attempts}")
            return "done", attempts
        except RuntimeError:
            continue
    return "gave up", attempts


@program(*NUMBERS)
def nested_loops(n):
    found = -1
    try:
        for i in range(n):
            for j in range(i):
                if i * j == 6:
                    raise KeyError(f"{i} {j}")
                found = i * 10 + j
    except KeyError as error:
        return found, error.args[0]
    return found, None


@program(*NUMBERS)
def lists_grown_in_the_loop(n):
    items = []
    try:
        for i in range(n):
            items.append(i * i)
            assert i != 3
    except AssertionError:
        items.append(-1)
    return items


@program(*NUMBERS)
def worklist(n):
    stack = [int(n)]
    total = 0
    try:
        while True:
            k = stack.pop()
            total += k
            if k > 0:
                stack.append(k - 1)
    except IndexError:
        return total


@program(case(t([3.0, 0.0, 2.0])), case(t([1.0, 2.0, 4.0])))
def over_the_rows_of_a_tensor(x):
    out = []
    for v in x:
        try:
            out.append(6 // int(v))
        except ZeroDivisionError:
            out.append(-1)
    return out


# gradients ----------------------------------------------------------------------------------------
@program(*SIGNS, compiled=True)
def gradient_through_a_try(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        try:
            y = x * x
            if x < 0:
                raise ValueError
            y = y * x
        except ValueError:
            y = y * 5.0
    return y, tape.gradient(y, x)


@program(*NUMBERS, compiled=True)
def gradient_through_a_loop_that_raises(n):
    x = t(1.5)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x
        try:
            for i in range(n):
                y = y * x
                if i == 2:
                    raise ValueError("enough")
        except ValueError:
            y = y * 3.0
    return y, tape.gradient(y, x)


@program(*SIGNS)
def tape_inside_the_try(x):
    try:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            if x < 0:
                raise ValueError
        gradient = tape.gradient(y, x)
    except ValueError:
        gradient = x * 0 - 1
    return gradient


# managers -----------------------------------------------------------------------------------------
class Guard:
    def __init__(self, log, kinds=()):
        self.log = log
        self.kinds = kinds

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append("none" if kind is None else kind.__name__)
        return kind is not None and issubclass(kind, self.kinds)


@program(*SIGNS)
def manager_that_swallows(x):
    log = []
    with Guard(log, ValueError) as guard:
        guard.log.append("body")
        if x < 0:
            raise ValueError("swallowed")
        log.append("end")
    return log


@program(*SIGNS)
def manager_that_does_not(x):
    log = []
    try:
        with Guard(log, KeyError):
            if x < 0:
                raise ValueError("through")
            if x == 0:
                return log
    except ValueError as error:
        log.append(str(error))
    return log


class Loud:
    def __enter__(self):
        print("enter")

    def __exit__(self, *error):
        print("exit", error[0] is None)


@program(*SIGNS)
def manager_on_the_way_out(x):
    with Loud():
        print("body")
        if x < 0:
            raise ValueError("out")
        if x == 0:
            return "early"
    return "end"


class Tolerant:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x

    def __exit__(self, kind, error, trace):
        return self.x > -1.5


@program(*SIGNS, case(t(-1.0)))
def manager_that_decides_at_run_time(x):
    with Tolerant(x) as y:
        if y < 0:
            raise ValueError("perhaps")
        y = y + 1
    return y


@program(*(case(t(k)) for k in range(4)))
def suppressed(k):
    out = 0
    with contextlib.suppress(ValueError, KeyError):
        out = 1
        if k == 1:
            raise ValueError
        out = 2
        if k == 2:
            raise IndexError("not suppressed")
        out = 3
    return out


@program(*NUMBERS)
def manager_in_a_loop(n):
    log = []
    with Guard(log, StopIteration):
        total = 0
        for i in range(n):
            total += i
            if total > 2:
                raise StopIteration
    return log, total


@contextlib.contextmanager
def logged(log, name):
    log.append(f"enter {name}")
    try:
        yield name
    except KeyError as error:
        log.append(f"caught {error}")
    finally:
        log.append(f"exit {name}")


@program(*SIGNS)
def generator_as_a_manager(x):
    log = []
    try:
        with logged(log, "a") as name:
            log.append(name)
            if x > 0:
                raise KeyError("swallowed")
            if x < 0:
                raise ValueError("through")
            log.append("end")
    except ValueError as error:
        log.append(str(error))
    return log


@program(*NUMBERS)
def generator_as_a_manager_in_a_loop(n):
    log = []
    for i in range(n):
        with logged(log, "b"):
            if i == 1:
                continue
            if i == 3:
                break
    return len(log)


@program(*SIGNS)
def stack_of_managers(x):
    log = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(Guard(log, ValueError))
        stack.callback(log.append, "callback")
        inner = stack.enter_context(Guard(log))
        if x < 0:
            raise ValueError("swallowed outside")
        inner.log.append("end")
    return log


class Resource:
    def __init__(self, log):
        self.log = log

    def close(self):
        self.log.append("closed")


@program(*SIGNS)
def closing_what_raises(x):
    log = []
    try:
        with contextlib.closing(Resource(log)) as resource:
            if x < 0:
                raise ValueError("inside")
            resource.log.append("end")
    except ValueError:
        log.append("caught")
    return log


@program(case([1, 2], t(3)), case([], t(1)), case([4], t(0)), case({"a": 1}, t(2)))
def lists_in_errors(items, limit):
    if len(items) < limit:
        raise ValueError("short", items)
    return len(items)


@program(case([1, 2], t(3)), case([3], t(3)), case((1, [2]), t(-1)))
def lists_as_messages(items, limit):
    assert limit < 0, items
    raise KeyError((items, limit))


class Stop(BaseException):
    pass


@program(case(t(1.0)), case(t(-1.0)), case(t(-9.0)))
def exceptions_that_are_none(x):
    found = []
    try:
        if x > 0:
            raise KeyboardInterrupt("k")
        found.append("no")
    except KeyboardInterrupt as error:
        found.append(str(error))
    try:
        if x < -5:
            raise Stop("s", 2)
        if x < 0:
            raise GeneratorExit
    except Exception:
        found.append("an Exception")
    except BaseException as error:
        found.append((type(error).__name__, error.args))
    finally:
        found.append("last")
    return found


class Shown:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Shown({self.x})"

    def __str__(self):
        return f"<{self.x}>"


@program(case(t(-1.0)), case(t(1.0)), case(t(-3.0)))
def texts_of_an_error_that_may_be_none(x):
    error = None
    try:
        if x <= 0:
            raise ValueError(f"d={float(x):.1f}")
        if x > 5:
            raise KeyError(x)
    except (ValueError, KeyError) as caught:
        error = caught
    shown = Shown(x)
    if x < -2:
        shown = error
    texts = f"{error}", f"{error!s:>10}", f"{error!r}", f"{error}", f"{shown}", str(shown)
    return texts, "%s" % error, f"{shown:>12}" if x < -2 else ""


@program(case(t(-1.0)), case(t(1.0)), case(t(-3.0)))
def last_error_of_several_tries(x):
    error = None
    for i in range(3):
        try:
            if x < i:
                raise ZeroDivisionError(f"i={i} x={float(x)}")
            return x
        except ZeroDivisionError as caught:
            error = caught
    raise RuntimeError(f"failed: {error}") from error


@program(case(t(0), t(5)), case(t(1), t(5)))
def classes_of_a_clause_that_assign(n, i):
    kinds = (KeyError, ValueError)
    try:
        raise KeyError
    except kinds[(i := n)]:
        found = 1
    except (last := LookupError):
        found = last.__name__
    return i, found


@program(case(t(0)), case(t(3)), case(t(5)))
def classes_of_a_clause_that_assign_of_two_raises(n):
    i = 7
    try:
        if n > 3:
            raise ValueError
        raise KeyError
    except (KeyError, ValueError)[(i := int(n > 2))]:
        found = 2
    except LookupError:
        found = 1
    return i, found
