"""The order in which CPython goes over a set of ints that was made of items, one after the other.

A set is a hash table (Objects/setobject.c, the same from 3.7 to 3.14): an int is its own hash, its
last bits tell where it goes, and a table that is three fifths full gets four times the members'
room.
"""

from __future__ import annotations

from typing import Any

LINEAR_PROBES = 9
"""So many places after the wanted one are tried where all of them are in the table."""
LOW_BITS = (1 << 59) - 1
"""What a shift by five leaves of 64 bits: CPython's numbers have no sign there."""
MODULUS = (1 << 61) - 1


def least_mask(count: int) -> int:
    """The last place of the smallest table that a set of so many members may have."""
    size = 8
    while count * 5 >= (size - 1) * 3:
        size *= 2
    return size - 1


def ascending(members: Any, most: Any) -> Any:
    """The members of a set of which each is its own place in the table: as they stand there."""
    known = [one for one in members]
    for place in range(len(known)):
        if known[place] > most or (place > 0 and known[place - 1] >= known[place]):
            raise RuntimeError("a set is gone over that other members were added to meanwhile")
    return known


def pop_first(members: Any) -> Any:
    """`members.pop()` of a set that nothing is added to: what stands first in its table."""
    known = list(members)
    if len(known) == 0:
        raise KeyError("pop from an empty set")
    members.remove(known[0])
    return known[0]


def in_table(members: Any) -> Any:
    """The members, no two of which are equal, in the order of the table they are put into."""
    known = [one for one in members]
    hashes = [hash_of(int(one)) for one in known]
    table = [-1] * 8
    for place in range(len(known)):
        table[free_place(table, hashes[place])] = place
        used = place + 1
        if used * 5 >= (len(table) - 1) * 3:
            table = resized(table, hashes, used * 2 if used > 50_000 else used * 4)
    return [known[place] for place in table if place >= 0]


def hash_of(number: Any) -> Any:
    """`hash(number)` of an int of 64 bits."""
    size = (number if number >= 0 else -number) % MODULUS
    found = size if number >= 0 else -size
    return -2 if found == -1 else found


def free_place(table: Any, wanted: Any) -> Any:
    """Where in the table a member of this hash goes."""
    mask = len(table) - 1
    start = wanted & mask
    rest = (wanted >> 5) & LOW_BITS
    while True:
        last = start + LINEAR_PROBES if start + LINEAR_PROBES <= mask else start
        for place in range(start, last + 1):
            if table[place] < 0:
                return place
        start = (start * 5 + 1 + rest) & mask
        rest = rest >> 5


def resized(table: Any, hashes: Any, least: Any) -> Any:
    """A table with more places than `least`, with what is in the other one in its order."""
    size = 8
    while size <= least:
        size *= 2
    made = [-1] * size
    for place in table:
        if place >= 0:
            made[free_place(made, hashes[place])] = place
    return made
