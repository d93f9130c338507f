"""Strings that get longer turn by turn, call by call, branch by branch."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (
    case(t([2.0, 1.0, 3.0]), t(3)),
    case(t([0.5, 2.0, -1.0]), t(0)),
    case(t([0.5, 2.0, 5.0]), t(6)),
    case(t([-0.5, 2.0, 5.0]), t(1)),
)


@program(*N)
def binary(v, n):
    if n == 0:
        return "0"
    bits = ""
    while n > 0:
        bits = str(int(n % 2)) + bits
        n = n // 2
    return "0b" + bits


@program(*N)
def binary2(v, n):
    bits = ""
    while True:
        bits = ("1" if n % 2 == 1 else "0") + bits
        n = n // 2
        if n == 0:
            break
    return bits


@program(*N)
def path(v, n):
    s = ""
    i = 0
    while i < n:
        if i % 3 == 0:
            s += "L"
        elif i % 3 == 1:
            s += "R"
        else:
            s += "U"
        i += 1
    return s


@program(*N)
def comma(v, n):
    s = "["
    for i in range(n):
        if i > 0:
            s += ", "
        s += str(i * i)
    s += "]"
    return s


@program(*N)
def comma2(v, n):
    s = ""
    for x in v:
        if x > 0:
            if s:
                s += ", "
            s += f"{float(x):.1f}"
    return s


@program(*N)
def comma3(v, n):
    s = ""
    for i in range(n):
        if s != "":
            s += ", "
        s += f"{i}"
    return s


@program(*N)
def grid(v, n):
    out = ""
    for i in range(n):
        row = ""
        for j in range(i + 1):
            row += "*" if (i + j) % 2 == 0 else "."
        out += row + "\n"
    return out


@program(*N)
def grid2(v, n):
    rows = []
    for i in range(n):
        row = ""
        for j in range(i + 1):
            row += str(i * j) + " "
        rows.append(row)
    return rows


@program(*N)
def printed(v, n):
    line = "n:"
    for i in range(n):
        line = line + f" {i}"
        print(line)
    print(f"<{line}>")
    return n


@program(*N)
def fizz(v, n):
    out = ""
    for i in range(n):
        if i % 15 == 0:
            out += "FizzBuzz"
        elif i % 3 == 0:
            out += "Fizz"
        elif i % 5 == 0:
            out += "Buzz"
        else:
            out += str(i)
    return out


class Log:
    def __init__(self):
        self.text = ""

    def add(self, s):
        self.text += s + ";"


@program(*N)
def logged(v, n):
    log = Log()
    for i in range(n):
        if i % 2:
            log.add(f"odd {i}")
        else:
            log.add("even")
    return log.text


@program(*N)
def raised(v, n):
    s = "at"
    for i in range(n):
        s += f" {i}"
        if i == 4:
            raise ValueError(s)
    return s


@program(*N)
def first_in(v, n):
    for i in range(n):
        if i == 0:
            s = f"{i}"
        else:
            s = s + f"-{i}"
    return s if n > 0 else "none"


@program(*N)
def none_first(v, n):
    s = None
    for i in range(n):
        s = f"{i}" if s is None else s + f"-{i}"
    return s


@program(*N)
def mode(v, n):
    mode = "up"
    total = 0.0
    for i in range(n):
        if mode == "up":
            total += i
            if total > 3:
                mode = "down"
        else:
            total -= 1
            if total < 2:
                mode = "up"
    return total, mode


@program(*N)
def label(v, n):
    s = "start"
    for i in range(n):
        s = f"step {i}"
    return s


@program(*N)
def pair(v, n):
    a, b = "", ""
    for i in range(n):
        if i % 2 == 0:
            a += str(i)
        else:
            b = a + "|" + b
    return a, b


@program(*N)
def lens(v, n):
    s = ""
    for i in range(n):
        s += "ab"
    return len(s)


@program(*N)
def ret_in(v, n):
    s = ""
    for i in range(n):
        s += str(i)
        if i == 2:
            return s + "!"
    return s


def rec(k):
    if k == 0:
        return ""
    return rec(k // 2) + str(k % 2)


@program(*N)
def recursive(v, n):
    return rec(int(n))


def rec2(k):
    if k < 2:
        return str(k)
    return "(" + rec2(k - 1) + " " + rec2(k - 2) + ")"


@program(*N)
def recursive2(v, n):
    return rec2(n)


@program(*N)
def in_dict(v, n):
    d = {"log": ""}
    for i in range(n):
        d["log"] += f"{i} "
    return d


@program(*N)
def join_in(v, n):
    s = ""
    for i in range(n):
        s = "/".join([s, str(i)])
    return s


@program(*N)
def fmt_in(v, n):
    s = "x"
    for i in range(n):
        s = "({} + {})".format(s, i)
    return s


@program(*N)
def fmt_in2(v, n):
    s = "x"
    for i in range(n):
        s = f"f({s})" if i % 2 else "g(%s)" % s
    return s


@program(*N)
def emptied_and_longer(v, n):
    s = "a"
    for i in range(n):
        if i % 2:
            s = ""
        s += f"{i}" if i > 2 else "z"
    return s, s == "", bool(s), len("x")


@program(*N)
def swapped_strings(v, n):
    s = t_ = ""
    for i in range(n):
        s, t_ = t_ + "x", s + str(i)
    return s, t_


@program(*N)
def strings_as_values(v, n):
    d = {}
    for i in range(3):
        s = ""
        for j in range(n):
            s += f"{i}{j} "
        d[i] = s
    return d


@program(*N)
def each_prefix_kept(v, n):
    out = []
    s = ""
    for i in range(n):
        s += "ab"
        out.append(s)
    return out


@program(*N)
def best_so_far(v, n):
    best = ""
    cur = ""
    for i in range(n):
        if i % 3 == 0:
            cur = ""
        cur += str(i)
        if i % 4 == 1:
            best = cur
    return best, cur


@program(*N)
def tensor_shown_before_it_changes(v, n):
    x = v
    s = ""
    for i in range(n):
        x = x + i
        s += f"{x} "
        x[0] = 7.0
    return s


@program(*N)
def percent_in_a_loop(v, n):
    s = ""
    for i in range(n):
        s += "%d:%.2f;" % (i, float(v[0]) * i)
    return s


@program(*N)
def percent_of_itself(v, n):
    s = ""
    for i in range(n):
        s = "%s<%s|%5s>" % (i, s, "k")
    return s


@program(*N)
def raised_with_the_string(v, n):
    s = "root"
    depth = 0
    while depth < n:
        s = f"({s})"
        depth += 1
    if n > 4:
        raise KeyError(s)
    assert n != 1, f"bad {s}"
    return s


@program(*N)
def lines_joined(v, n):
    lines = []
    for i in range(n):
        line = ""
        for j in range(n):
            if j == i:
                line += "X"
            elif j < i:
                line += "."
            else:
                line += f"{j}"
        lines.append(line)
    return "\n".join(lines)


@program(*N)
def left_by_break(v, n):
    s = ""
    for x in v:
        if x > n:
            break
        s += f"{int(x)}"
    else:
        s += " all"
    return s


@program(*N)
def a_piece_that_changes(v, n):
    a = "p" if n > 0 else "q"
    s = ""
    for i in range(n):
        s += a
        if i == 3:
            a = "r"
    return s, a, a == "r"


@program(*N)
def none_at_first(v, n):
    s = None
    while n > 0:
        if s is None:
            s = "first"
        else:
            s += "," + str(n)
        n = n - 1
    if s is None:
        return "nothing"
    return s


@program(*N)
def caught_with_the_string(v, n):
    s = ""
    for i in range(n):
        try:
            if i == 2:
                raise ValueError(s + "!")
            s += str(i)
        except ValueError as e:
            s += f"<{e}>"
    return s


@program(*N, slow=True)
def argument_of_recursion(v, n):
    def walk(k, pre):
        if k <= 0:
            return pre
        return walk(k - 1, pre + str(k))

    return walk(int(n), ">")


@program(*N)
def attribute_and_its_length(v, n):
    class S:
        pass

    o = S()
    o.s = ""
    o.n = 0
    for i in range(n):
        o.s = o.s + "x" * (i % 3)
        o.n += len(o.s)
    return o.s, o.n


@program(*N)
def lengths_added(v, n):
    s = ""
    total = 0
    for i in range(n):
        s += "ab" if i % 2 else "c"
        total += len(s)
    return total


@program(*N)
def repeated(v, n):
    s = str(n) * 2
    return s, "=" * n, n * "-"


@program(*N)
def until_it_is_long(v, n):
    s = ""
    i = 0
    while len(s) < n:
        s += "xy" if i % 2 else "z"
        i += 1
    return s, i


@program(*N)
def represented(v, n):
    s = ""
    for i in range(n):
        s = repr(i) + s
        s += repr("q")
    return repr(s), f"{s!r:>30}", f"{s:>20}|"


@program(*N)
def joined_then_longer(v, n):
    parts = []
    for i in range(n):
        parts.append("a" if i % 2 else "b")
    s = "".join(parts)
    for i in range(n):
        s += "-"
    return s + "".join(parts)


@program(*N)
def picked_from_a_list(v, n):
    names = ["x", "y", "z"]
    s = ""
    for i in range(n):
        s += names[i % 3]
    return s


@program(*N)
def hexadecimal(v, n):
    digits = "0123456789abcdef"
    s = ""
    k = int(n) * 37
    while k > 0:
        s = digits[k % 16] + s
        k //= 16
    return s or "0"


@program(*N)
def states_by_name(v, n):
    s = ""
    for i in range(n):
        if s == "":
            s = "start"
        elif s == "start":
            s = "go"
        else:
            s = "end"
    return s


@program(*N)
def roman_numeral(v, n):
    k, s = int(n), ""
    for w, r in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while k >= w:
            s += r
            k -= w
    return s


@program(*N)
def staged_functions_called(v, n):
    @ag.function
    def g(n):
        s = ""
        for i in range(n):
            s += str(i)
        return s

    return g(n) + g(n + 1)


G = {"log": ""}


@program(*N)
def string_of_a_global(v, n):
    G["log"] = ""
    for i in range(n):
        G["log"] += f"{i}|"
    return G["log"]


@program(*N)
def pieces_of_pairs(v, n):
    pairs = [(i, "o" * i) for i in range(4)]
    s = ""
    for i in range(n):
        k, o = pairs[i % 4]
        s += o + str(k)
    return s


@program(*N)
def commas_between(v, n):
    s = ""
    for i in range(n):
        s = s + ("" if not s else ", ") + str(i)
    return s


@program(*N)
def a_list_shown(v, n):
    s = ""
    for i in range(n):
        s += f"{[i, i + 1]}"
    return s
