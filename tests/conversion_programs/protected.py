"""`try`, `with`, and escapes out of them."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

import contextlib
from typing import Any

from tests.harness.conversion_harness import inputs

GRID = [(a, b) for a in (0, 1) for b in (0, 2)]
NUMBERS = [(n,) for n in (0, 1, 2, 3, 4)]


class Manager:
    def __init__(self, log: Any, name: str = "m", swallows: Any = ()) -> None:
        self.log, self.name, self.swallows = log, name, swallows

    def __enter__(self) -> str:
        self.log("enter", self.name)
        return self.name

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self.log("exit", self.name, kind)
        return kind is not None and issubclass(kind, self.swallows)


def trouble(log: Any, n: Any) -> Any:
    log("trouble", n)
    if n == 1:
        raise ValueError("one")
    if n == 2:
        raise KeyError("two")
    if n == 3:
        raise ZeroDivisionError("three")
    return n


@inputs(*NUMBERS)
def catch(log: Any, n: Any) -> Any:
    try:
        x = trouble(log, n)
    except ValueError:
        x = "value"
    except (KeyError, IndexError) as error:
        x = error.args
    return x


@inputs(*NUMBERS)
def catch_all_parts(log: Any, n: Any) -> Any:
    x = "start"
    try:
        x = trouble(log, n)
    except ValueError as error:
        x = str(error)
    except KeyError:
        raise
    else:
        x = "else", x
    finally:
        log("finally", x)
    return x


@inputs(*NUMBERS)
def error_variable_is_deleted(log: Any, n: Any) -> Any:
    error: Any = "before"
    try:
        trouble(log, n)
    except Exception as error:
        log(str(error))
    return error


@inputs(*NUMBERS)
def bare_except(log: Any, n: Any) -> Any:
    try:
        return trouble(log, n)
    except:
        log("caught")
    return "end"


@inputs(*NUMBERS)
def return_from_handlers(log: Any, n: Any) -> Any:
    try:
        x = trouble(log, n)
        if n == 4:
            return "four"
    except ValueError:
        return "handler"
    except KeyError:
        if n:
            return "handler in if"
        x = 0
    else:
        if n == 0:
            return "else"
    finally:
        log("finally")
    return "end", x


@inputs(*NUMBERS)
def in_loop(log: Any, n: Any) -> Any:
    out = []
    for i in range(5):
        try:
            if i == 4:
                out.append("break")
                break
            x = trouble(log, i)
            if i == 0:
                continue
            out.append(x)
        except ValueError:
            out.append("value")
            continue
        except KeyError:
            if n == 2:
                return out
        else:
            out.append("else")
            if n == i:
                break
        finally:
            out.append("finally")
            if n == 3:
                out.append("three")
        out.append("after")
    return out


@inputs(*NUMBERS)
def only_finally(log: Any, n: Any) -> Any:
    for i in range(3):
        try:
            if i == n:
                break
            log(i)
        finally:
            log("finally", i)
    return i


@inputs(*NUMBERS)
def nested_try(log: Any, n: Any) -> Any:
    try:
        try:
            trouble(log, n)
        except ValueError as error:
            raise KeyError("inner") from error
        finally:
            log("inner finally")
    except KeyError as error:
        return "outer", error.args, type(error.__cause__)
    finally:
        log("outer finally")


@inputs(*NUMBERS)
def reraise_in_branch(log: Any, n: Any) -> Any:
    try:
        trouble(log, n)
    except Exception as error:
        if isinstance(error, KeyError):
            raise
        log("kept")
    return n


@inputs(*NUMBERS)
def plain_returns_in_finally(log: Any, n: Any) -> Any:
    try:
        trouble(log, n)
    finally:
        return "swallowed"


@inputs(*NUMBERS)
def escapes_in_finally(log: Any, n: Any) -> Any:
    out = []
    for i in range(4):
        try:
            try:
                trouble(log, i)
            finally:
                out.append(i)
                if i == n:
                    break
                if i + n == 4:
                    continue
        except (ValueError, KeyError) as error:
            out.append(str(error))
        finally:
            if i == 3:
                return out
        out.append("after")
    return "broken", out


@inputs(*NUMBERS)
def assigned_in_parts(log: Any, n: Any) -> Any:
    try:
        a = log("a")
        b = trouble(log, n)
    except ValueError:
        c = 1
    else:
        c = 2
    finally:
        d = 3
    return a, c, d, b


@inputs(*NUMBERS)
def handler_type_evaluated_late(log: Any, n: Any) -> Any:
    try:
        kinds: Any = (ValueError, KeyError) if n < 3 else OSError
        trouble(log, n)
    except log(kinds) as error:
        return type(error)
    except ZeroDivisionError:
        return "zero"


@inputs(*NUMBERS)
def imported_error(log: Any, n: Any) -> Any:
    try:
        from json import JSONDecodeError

        trouble(log, n)
        if n == 4:
            raise JSONDecodeError("bad", "doc", 0)
    except JSONDecodeError:
        return "json"
    except ZeroDivisionError:
        return "zero"


@inputs(*NUMBERS)
def with_plain(log: Any, n: Any) -> Any:
    with Manager(log) as m:
        x = trouble(log, n)
    return m, x


@inputs(*NUMBERS)
def with_swallow(log: Any, n: Any) -> Any:
    with Manager(log, "s", (ValueError, KeyError)):
        x = trouble(log, n)
    return x


@inputs(*NUMBERS)
def with_return(log: Any, n: Any) -> Any:
    with Manager(log, "s", ValueError):
        return trouble(log, n)
    return "swallowed"


@inputs(*NUMBERS)
def with_return_in_branch(log: Any, n: Any) -> Any:
    with Manager(log, "s", ValueError) as name:
        if trouble(log, n) == 0:
            return name
        log("in")
    log("after")
    return n


@inputs(*NUMBERS)
def with_in_loop(log: Any, n: Any) -> Any:
    for i in range(4):
        with Manager(log, str(i), (ValueError, KeyError)) as name, contextlib.suppress(OSError):
            if i == 0:
                continue
            if i == n:
                break
            trouble(log, i)
            log("completed", name)
        log("after", i)
    else:
        return "else"
    return i


@inputs(*NUMBERS)
def with_several_and_targets(log: Any, n: Any) -> Any:
    row = [0, 0]

    class Box:
        at: Any = None

    with Manager(log, "ab") as (x, y), Manager(log, "c") as row[n], Manager(log, "d") as Box.at:
        log(x, y, row, Box.at)
        if n == 1:
            return row
    return Box.at


@inputs(*NUMBERS)
def with_and_try(log: Any, n: Any) -> Any:
    for i in range(n, 5):
        try:
            with Manager(log, "w"):
                if i == 4:
                    return "four"
                trouble(log, i)
                if i == 0:
                    continue
        except ValueError:
            break
        except (KeyError, ZeroDivisionError):
            log("caught")
        finally:
            log("finally")
        log("next")
    return "end"


@inputs(*NUMBERS)
def store_live_through_exception(log: Any, n: Any) -> Any:
    x = 1
    try:
        if n:
            x = 2
            trouble(log, n)
        x = 3
    except Exception:
        log("handler", x)
    return x


@inputs(*NUMBERS)
def store_live_in_finally(log: Any, n: Any) -> Any:
    step = "start"
    try:
        for i in range(3):
            step = i
            if i == n:
                return "returned"
            trouble(log, i)
    except ValueError:
        if n:
            step = "handled"
    finally:
        log(step)
    return "end"


@inputs(*NUMBERS)
def swallowed_store(log: Any, n: Any) -> Any:
    x = 0
    with contextlib.suppress(ValueError, KeyError):
        if n < 3:
            x = "stored"
            trouble(log, n)
        x = "end"
    return x


@inputs(*GRID)
def asserts(log: Any, a: Any, b: Any) -> Any:
    assert a or b, log("message")
    assert log(b)
    return a


@inputs(*GRID)
def raise_forms(log: Any, a: Any, b: Any) -> Any:
    if a and b:
        raise ValueError
    if a:
        raise TypeError(f"a is {a}") from None
    if b:
        raise RuntimeError(log(b)) from OSError(a)
    raise


@inputs(*NUMBERS)
def try_in_else_of_loop(log: Any, n: Any) -> Any:
    while n < 3:
        for i in range(n):
            if i == 1:
                break
        else:
            try:
                trouble(log, n)
                break
            except ValueError:
                n += 2
                continue
        n += 1
    else:
        return "else", n
    return "broken", n


@inputs(*NUMBERS)
def try_else_escapes(log: Any, n: Any) -> Any:
    for i in range(5):
        try:
            if i == n:
                continue
            trouble(log, i if i != 2 else 0)
        except ValueError:
            pass
        else:
            if i == 3:
                break
            log("else", i)
        log("after", i)
    return i


@inputs(*NUMBERS)
def handler_name_shared(log: Any, n: Any) -> Any:
    caught: list[Any] = []
    for i in range(4):
        try:
            trouble(log, i)
        except (ValueError, KeyError) as error:
            caught.append(lambda: repr(error))
            if i == n:
                return caught[-1]()
    return len(caught), caught[0]()
