"""The order in which CPython goes over a set of numbers that were put into it one by one.

A set is a hash table (Objects/setobject.c, the same from 3.7 to 3.14): the last bits of a hash tell
where a member goes, and a table that is three fifths full gets four times the members' room. An
int is its own hash, modulo 2**61 - 1; a float has the remainder of its fraction (_Py_HashDouble).
"""

from __future__ import annotations

from typing import Any

import numpy as np

MODULUS = 2305843009213693951
"""Hashes of numbers are remainders by 2**61 - 1."""
LOW_33_BITS = 8589934591
"""What stays of 61 bits that are turned by 28."""
LOW_59_BITS = 576460752303423487
"""What a shift by five leaves of 64 bits: CPython's numbers have no sign there."""
INFINITY_HASH = 314159
LINEAR_PROBES = 9
"""So many places after the wanted one are tried where all of them are in the table."""


def hash_integers(out: Any, a: Any, count: int) -> int:
    """out[:] = the hashes of the int64 in `a`; gives 0."""
    for i in range(count):
        number = a[i]
        if number >= 0:
            out[i] = number % MODULUS
        else:
            size = -(number + 1) % MODULUS + 1
            out[i] = 0 if size == MODULUS else -size
            if out[i] == -1:
                out[i] = -2
    return 0


def hash_floats(out: Any, a: Any, count: int) -> int:
    """out[:] = the hashes of the float64 in `a`, none of which is nan; gives 0.

    The fraction enters from the right, 28 bits at a time; then the exponent turns all bits.
    """
    for i in range(count):
        number = a[i]
        rest = -number if number < 0.0 else number
        found = np.int64(0)
        if rest > 1.7976931348623157e308:
            found = np.int64(INFINITY_HASH)
            rest = 0.0
        exponent = 61 * 20
        while rest >= 1.0:
            rest = rest * 0.5
            exponent += 1
        while rest != 0.0 and rest < 0.5:
            rest = rest * 2.0
            exponent -= 1
        is_finite = rest != 0.0
        while rest != 0.0:
            found = ((found & LOW_33_BITS) << 28) | (found >> 33)
            rest = rest * 268435456.0
            exponent -= 28
            digit = np.int64(rest)
            rest = rest - np.float64(digit)
            found = (found + digit) % MODULUS
        if is_finite:
            turns = exponent % 61
            found = ((found & ((1 << (61 - turns)) - 1)) << turns) | (found >> (61 - turns))
        out[i] = -found if number < 0.0 else found
        if out[i] == -1:
            out[i] = -2
    return 0


def put_into_table(table: Any, first: int, mask: int, wanted: int, place: int) -> int:
    """Put `place` where a member of this hash goes in the table from `first` on; gives 0."""
    start = wanted & mask
    rest = (wanted >> 5) & LOW_59_BITS
    while True:
        last = start + LINEAR_PROBES if start + LINEAR_PROBES <= mask else start
        for at in range(start, last + 1):
            if table[first + at] < 0:
                table[first + at] = place
                return 0
        start = (start * 5 + 1 + rest) & mask
        rest = rest >> 5
    return 0


def order_members(out: Any, tables: Any, hashes: Any, count: int) -> int:
    """out[:] = the places of the members of a set, by their hashes, in its order; gives 0.

    `tables` has room for two tables, one after the other: 16 * count + 16 int64.
    """
    other = 8 * count + 8
    first = 0
    size = 8
    for at in range(size):
        tables[at] = -1
    for place in range(count):
        put_into_table(tables, first, size - 1, hashes[place], place)
        used = place + 1
        if used * 5 >= (size - 1) * 3:
            least = used * 2 if used > 50000 else used * 4
            wide = 8
            while wide <= least:
                wide *= 2
            to = other - first
            for at in range(to, to + wide):
                tables[at] = -1
            for at in range(first, first + size):
                if tables[at] >= 0:
                    put_into_table(tables, to, wide - 1, hashes[tables[at]], tables[at])
            first = to
            size = wide
    number = 0
    for at in range(first, first + size):
        if tables[at] >= 0:
            out[number] = tables[at]
            number += 1
    return 0
