"""Printed source parses to the same tree, reads well, and knows its lines."""

from __future__ import annotations

import ast
import sys
import textwrap
from typing import Any

import pytest

from autograph.conversion.syntax.tree import ast_to_gast, gast_to_ast
from autograph.conversion.syntax.unparse import to_text


def same(tree: Any) -> str:
    """What two trees of the same program have in common: not the u of u'text'."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None
    return ast.dump(tree)


# Each is printed exactly as it is written here.
EXACT = [
    "a[:, 0]",
    "a[1, ...]",
    "a[1:2:3, ::-1]",
    "a[()]",
    "a[*b, c]",
    "a[b,]",
    "a[(x := 1), 2]",
    "-a ** -b",
    "(-a) ** b",
    "(a ** b) ** c",
    "a ** b ** c",
    "a - (b - c) - d",
    "a * (b + c) // d @ e % f",
    "a << b | c & d ^ ~e",
    "not a == b",
    "(not a) == b",
    "a < b <= c is not d not in e",
    "(a < b) < c",
    "a and b or c and not (d or e)",
    "a if b else c if d else e",
    "(a if b else c) if d else e",
    "(lambda: a)()",
    "lambda: a",
    "lambda a, /, b=1, *c, d, e=2, **f: a if b else c",
    "lambda *, a: lambda: a",
    "f(a, *b, c=d, **e)",
    "f(a for a in b)",
    "f((a for a in b), c)",
    "[a, *b]",
    "{a, *b}",
    '{a: b, **c, "d": e}',
    "{}",
    "()",
    "(3).real",
    "3.0.real",
    "1e309",
    "(a, b)[0]",
    "(await_ + b).c",
    "[a for a, b in c if d if e for f in g]",
    "{a: b for a in (b if c else d)}",
    "(yield)",
    'f"{a}"',
    "f\"{a!r:>{b}} {{}} {c['d']}\"",
    'f"{ {a}} {(lambda: 1)()} {(yield)}"',
    "f'{a}\"'",
    '"it\'s"',
    "'say \"x\"'",
    '"both \' and \\""',
    '"\\n\\t\\x00\\\\"',
    "b'x' if a else None",
    "not (yield)",
]


@pytest.mark.parametrize("text", EXACT)
@pytest.mark.parametrize("gast", [False, True])
def test_expressions_print_as_written(text: str, gast: bool) -> None:
    source = f"def f():\n    g({text})\n" if "yield" in text else f"_ = {text}\n"
    tree = ast.parse(source)
    printed = to_text(ast_to_gast(tree) if gast else tree)[0]
    assert printed == source
    assert same(ast.parse(printed)) == same(tree)


PROGRAMS = [
    "x = y = 1, 2\n(a, b), *c = d\nx += yield_\n(x): int = 1\nx.y: str\ndel (a, b), c[0]\n",
    "for i, (j, *k) in a:\n    break\nelse:\n    continue_\n",
    "with a as b, c as (d, e):\n    pass\nwith (a, b):\n    pass\nwith ((a, b)):\n    pass\n",
    "try:\n    a\nexcept (B, C) as d:\n    raise E from d\nexcept F:\n    raise\n"
    "except:\n    pass\nelse:\n    g\nfinally:\n    h\n",
    "try:\n    a\nexcept* B as c:\n    pass\nexcept* (D, E):\n    pass\n",
    "match a, b:\n    case 1 | -2.5 | -1 + 2j | 'x' | None | True:\n        pass\n"
    "    case [A(b, c=D.e), *_] if f:\n        pass\n"
    "    case {1: x, 'k': [y, *z], **rest}:\n        pass\n"
    "    case {} | [] | (1 as q) | A() as w:\n        pass\n    case _:\n        pass\n",
    "@a.b(c)\n@d\nclass E(F, metaclass=G):\n    '''doc'''\n    x: int\n\n    def m(self): ...\n",
    "async def f(a: int, *b: int, c: int = 1, **d: int) -> int:\n"
    "    async for i in a:\n        pass\n"
    "    async with a as b:\n        return [await x async for x in y]\n",
    "def f(*args: *Ts): pass\n",
    "from . import a as b\nfrom .c import *\nimport d.e, f as g\nglobal h\nnonlocal_ = 1\n",
    "def f():\n    return *a, b\ndef g():\n    x = yield a, b\n    yield\n    return (yield a)\n",
    "def f():\n    '''  spaces, \\t tabs, \"quotes\"\n\n    \\\\ and more\"'''\n",
    "def f():\n    '''\"\"\" \\'\\'\\' \\r \\x00'''\n",
    "x = 'not a docstring'\n'nor this'\n",
    "if a:\n    b\nelif c:\n    d\nelse:\n    if e:\n        f\n    g\n",
    "while a:\n    b\nelse:\n    c\n",
    "assert a, b\nassert (a, b)\nx = -1\ny = 10 ** 400\nz = -1j ** 2\n",
    "f'''{a['b']}{\"c\"}\n'''\nf'{a:{b}{c}}'\nf'{a=}'\nf'{a!s}' f'x' 'y{}'\n",
    "f'{f\"{a}\"}'\nf'a\\n{b}\\'\"'\nf'{x:%H:%M}'\nf'{a,}'\nf'{a != b}'\nf'\\N{DASH}'\n".replace(
        "DASH", "EN DASH"
    ),
    "u'text'\nb'bytes\\xff'\nr'\\d'\n'\\ud800'\n",
    "x = 0x" + "f" * 3000 + "\n",
    "print(a if b else c, *(d or e), **(f or g))\n[*(a or b)]\n{**(a or b)}\n",
    "def f(a, b=(1, 2), /, c=lambda: 3, *, d, e=4): return (a := b)\n",
]
if sys.version_info >= (3, 12):
    PROGRAMS += [
        "def f[T: int, *U, **V](a: T) -> T: pass\nclass C[T](D): pass\ntype X[T] = list[T]\n",
        'f\'{"\\n".join(a)} {f"{f"{1}"}"}\'\nf\'{a["b"]} \\\\ {c["\\\\"]}\'\n',
    ]
if sys.version_info >= (3, 13):
    PROGRAMS.append("def f[T = int, *U = *V](): pass\n")


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_print_as_the_same_program(text: str) -> None:
    tree = ast.parse(text)
    gast = ast_to_gast(tree)
    printed = to_text(tree)[0]
    assert to_text(gast)[0] == printed
    assert same(ast.parse(printed)) == same(tree)


def test_strings_that_fit_no_f_string() -> None:
    """Before Python 3.12 no f-string can hold a backslash; its value is printed another way."""
    newline = ast.Constant("\n'\"", None)
    value = ast.FormattedValue(newline, ord("r"), ast.JoinedStr([ast.Constant(">12", None)]))
    tree = ast.Expression(ast.JoinedStr([ast.Constant("a{", None), value]))
    printed = to_text(tree)[0]
    assert eval(printed) == "a{" + f"{repr(chr(10) + chr(39) + chr(34)):>12}"


def test_numbers_without_a_literal() -> None:
    for value in (float("inf"), float("nan"), complex(1, float("inf")), -3, -1.5, 1 - 2j):
        tree = ast.Expression(
            ast.BinOp(ast.Constant(value, None), ast.Pow(), ast.Constant(2, None))
        )
        result = eval(to_text(tree)[0])
        expected = value**2
        assert repr(result) == repr(expected)


@pytest.mark.parametrize("sign", ["+", "and", "<", "**"])
def test_long_chains(sign: str) -> None:
    text = f" {sign} ".join(["x"] * 2500 if sign != "**" else ["x"] * 80) + "\n"
    tree = ast.parse(text, mode="eval")
    assert to_text(tree)[0] == text


def test_a_conversion_reads_well() -> None:
    text = textwrap.dedent(
        '''\
        def f(x):
            """Doc."""
            n = 0
            def ag__then_1():
                nonlocal n
                n = ag__.add(n, 1)
            ag__.if_stmt(ag__.gt(x, 0), ag__then_1, None, ("n",))

            def own():
                return n

            return own


        class C:
            def a(self):
                pass

            def b(self):
                pass


        x = 1
        '''
    )
    assert to_text(ast.parse(text))[0] == text


def test_line_map() -> None:
    text = textwrap.dedent(
        '''\
        @d(
            1
        )

        def f(a,
              b):
            """Doc

            of lines."""
            if a:
                x = (1,
                     2)
            elif b:

                x = 2
            else:
                x = 3
            try:
                x()
            except E:
                pass
            finally:
                y = 1
            match x:
                case 1:
                    pass
            return x
        '''
    )
    printed, line_map = to_text(ast_to_gast(ast.parse(text)))
    lines = printed.split("\n")
    wanted = text.split("\n")
    shown = {lines[k - 1].strip(): wanted[v - 1].strip() for k, v in line_map.items()}
    assert shown.pop("@d(1)") == "d(" or shown.get("@d(1)") is None
    assert shown.pop("def f(a, b):") == "def f(a,"
    assert shown.pop("x = 1, 2") == "x = (1,"
    assert "else:" not in shown and "finally:" not in shown
    for mine, original in shown.items():
        assert mine == original
    assert {"Doc", "of lines."} <= {line.strip('" ') for line in shown}
    unmapped = {lines[i - 1].strip() for i in range(1, len(lines) + 1) if i not in line_map}
    assert unmapped == {"", "else:", "finally:"}


def test_statement_and_expression_alone() -> None:
    tree = ast.parse("if a:\n    b")
    assert to_text(tree.body[0]) == ("if a:\n    b\n", {1: 1, 2: 2})
    expression = ast.parse("a + 1", mode="eval").body
    assert to_text(ast_to_gast(expression))[0].strip() == "a + 1"
    assert same(gast_to_ast(ast_to_gast(tree))) == same(tree)
