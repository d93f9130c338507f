"""Every construct that is not converted is rejected on its line, with what to write instead."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from autograph.conversion.syntax import fence
from autograph.conversion.syntax.source import source_of
from autograph.errors import UnsupportedSyntaxError
from tests.conversion.test_syntax_source import run_text

# What is rejected: its name in the message, and a function that has it on its line 3.
REJECTED = {
    "`async def`": "def f(x):\n    a = 1\n    async def g(): pass\n",
    "`async def` ": "\n\nasync def f(x):\n    return await x\n",
    "`except*`": "def f(x):\n    a = 1\n    try: pass\n    except* ValueError: pass\n",
    "`exec`": "def f(x):\n    a = 1\n    exec('x')\n",
    "`eval`": "def f(x):\n    a = 1\n    return 1 + eval('x')\n",
    "`locals()`": "def f(x):\n    a = 1\n    return [i for i in locals()]\n",
    "`globals()`": "def f(x):\n    a = 1\n    globals()['x'] = 1\n",
    "`vars()`": "def f(x):\n    a = 1\n    return lambda: vars()\n",
    "`dir()`": "def f(x):\n    a = 1\n    return dir()\n",
}
if sys.version_info >= (3, 12):
    REJECTED["`type`"] = "def f(x):\n    a = 1\n    type T = int\n"
if sys.version_info >= (3, 14):
    REJECTED["a template string"] = "def f(x):\n    a = 1\n    return t'{x}'\n"

ALLOWED = [
    "def f(x):\n    def g():\n        yield x\n        yield from x\n    return list(g())\n",
    "def f(x):\n    match x:\n        case 1: pass\n",
    "def f(x):\n    global g\n    g = x\n",
    "def f(x):\n    def h():\n        nonlocal x\n        x = 1\n    h()\n",
    "def f(x):\n    return vars(x), dir(x)\n",
    "def f(x):\n    eval = abs\n    return eval(x)\n",
    "def f(x, exec):\n    return exec(x)\n",
    "def f(x):\n    import ast as eval\n    return eval(x)\n",
    "def eval(x):\n    return x\ndef f(x):\n    return eval(x)\n",
    "def f(x=eval('3')):\n    return x\n",
    "def f(x):\n    return x.eval('1'), x.locals()\n",
    "def f(x):\n    class C:\n        def m(self):\n            yield 1\n    return C\n",
    "def f(x):\n    with x:\n        pass\n    try:\n        pass\n    finally:\n        del x\n",
    "def f(x):\n    return sum(i async_ for i in x)\n".replace(" async_", ""),
]


def check(text: str) -> None:
    fence.check(source_of(run_text("<fence>", text)["f"]))


@pytest.mark.parametrize("called", REJECTED)
def test_rejected(called: str) -> None:
    with pytest.raises(UnsupportedSyntaxError) as raised:
        check(REJECTED[called])
    error = raised.value
    assert error.message.startswith(f"{called.strip()} is not converted: ")
    assert error.location is not None
    assert (error.location.filename, error.location.line) == ("<fence>", 3)
    assert error.remedy is not None and "do_not_convert" in error.remedy
    line = REJECTED[called].split("\n")[2].strip()
    assert 'File "<fence>", line 3' in str(error) and line in str(error)


@pytest.mark.parametrize("text", ALLOWED)
def test_allowed(text: str) -> None:
    check(text)


# Inside `async def`, which is rejected first, so that these rows are reached through the tree only.
INSIDE_ASYNC = {
    "`async for`": "async for i in x: pass",
    "`async with`": "async with x: pass",
    "`await`": "await x",
    "`async for` in a comprehension": "[i async for i in x]",
}


@pytest.mark.parametrize("called", INSIDE_ASYNC)
def test_rejected_inside_async(called: str) -> None:
    source = source_of(run_text("<fence>", f"async def f(x):\n    {INSIDE_ASYNC[called]}\n")["f"])
    rows = [fence._row_of(node, set()) for node, _, _ in fence._walk(source)]
    assert [row.called for row in rows if row is not None] == ["`async def`", called]


def test_every_row_has_a_test() -> None:
    tested = {name.strip() for name in (*REJECTED, *INSIDE_ASYNC)}
    tables: list[dict[Any, fence.Row]] = [
        fence.CONSTRUCTS,
        fence.BUILTINS,
        fence.BUILTINS_WITHOUT_ARGUMENTS,
    ]
    newer = {"`type`": (3, 12), "a template string": (3, 14)}
    rows = {row.called for table in tables for row in table.values()}
    assert {row for row in rows - tested if sys.version_info >= newer.get(row, (3,))} == set()


def test_the_function_is_named() -> None:
    with pytest.raises(UnsupportedSyntaxError) as raised:
        check("def f(x):\n    def inner():\n        return eval('x')\n    return inner\n")
    assert raised.value.location is not None and raised.value.location.function == "inner"
