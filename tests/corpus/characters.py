"""Characters of staged code points, bits of staged ints, and ends of dicts that the run tells."""

from __future__ import annotations

from collections import OrderedDict

import autograph as ag
from tests.corpus.registry import case, program


@program(case(ag.asarray(2)), case(ag.asarray(5)))
def move_end(n):
    d = OrderedDict(a=1, b=2, c=3)
    d.move_to_end("a", last=n > 3)
    first = list(d)
    gone = d.popitem(last=n < 3)
    d.move_to_end("b", n > 3)
    return first, gone, d


@program(case(ag.asarray(2)), case(ag.asarray(-5)), case(ag.asarray(255)))
def bits(n):
    return int(n).bit_count(), int(n).bit_length(), bin(5).count("1")


@program(case(ag.asarray(2)), case(ag.asarray(5)))
def move_end_missing(n):
    d = OrderedDict(a=1, b=2, c=3)
    try:
        d.move_to_end("z", last=n > 3)
    except KeyError as e:
        return e.args, list(d)
    try:
        OrderedDict().popitem(n > 3)
    except KeyError as e:
        return e.args


@program(
    case(ag.asarray(2)),
    case(ag.asarray(-5)),
    case(ag.asarray(255)),
    case(ag.asarray(2**40)),
    case(ag.asarray(-(2**40))),
    case(ag.asarray(65)),
)
def chrs(n):
    return chr(n), chr(int(n)) + "x", len(chr(n))


@program(case(ag.asarray(2)), case(ag.asarray(5)))
def caesar(k):
    return "".join(
        chr((ord(c) - 97 + int(k)) % 26 + 97) if c.isalpha() else c for c in "hello world"
    )


@program(case(ag.asarray(2)), case(ag.asarray(5)))
def caesar_loop(k):
    out = ""
    for c in "xyz abc":
        if c == " ":
            out += c
        else:
            out += chr((ord(c) - 97 + k) % 26 + 97)
    return out, len(out)


@program(case(ag.asarray(2)), case(ag.asarray(5)))
def letters(n):
    out = []
    i = 0
    while i < n:
        out.append(chr(97 + i))
        i += 1
    return out, "".join(out)


@program(case(ag.asarray(2.5)), case(ag.asarray(5.0)))
def chr_float(n):
    return chr(n)


@program(case(ag.asarray(True)), case(ag.asarray(False)))
def chr_bool(n):
    return chr(n)


@program(case(ag.asarray(97)), case(ag.asarray(2**31)), case(ag.asarray(-(2**40))))
def chr_beyond_what_c_counts(n):
    try:
        return chr(n)
    except OverflowError:
        return "an int of C has no room for it"
    except ValueError as error:
        return str(error)


@program(case(ag.asarray([1, 2])))
def chr_vector(n):
    return chr(n)


@program(case(ag.asarray(2.5)), case(ag.asarray(5.0)))
def bin_float(n):
    return bin(n)


@program(case(ag.asarray(2.5)), case(ag.asarray(5.0)))
def chr_number(n):
    return chr(float(n))


@program(case(ag.asarray(2.5)), case(ag.asarray(5.0)))
def hex_number(n):
    return hex(n.item())


class Idx:
    def __init__(self, v):
        self.v = v

    def __index__(self):
        return int(self.v)


@program(case(ag.asarray(25)), case(ag.asarray(5)))
def hex_index(n):
    return hex(Idx(n)), bin(n), oct(n > 5 and 3 or 4), chr(Idx(n + 60)), bin(bool(n > 7))
