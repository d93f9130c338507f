"""Draws of Python's `random` as native functions: on the state that lies in the generator's object.

The generator is MT19937. Its object has how many words of the state are used up, and the state
itself, 624 words (Modules/_randommodule.c, the same from 3.11 to 3.14). Written, as
`support.frames` is, over addresses; `python_generators` finds them, and says what the same names
mean in CPython. What is not here is Python on these functions, and converted like any other.
"""

from __future__ import annotations

from typing import Any

MERSENNE_WORDS = 624
MERSENNE_REACH = 397
"""A new word is made of three old ones: of its own place, the next one, and one so far on."""
MERSENNE_TWIST = 2567483615
HIGH_BIT = 2147483648
LOW_BITS = 2147483647
TWO_PI = 6.283185307179586

# Bound when this is compiled
uint32_at: Any = None
int64_at: Any = None
float64_at: Any = None
c_logarithm: Any = None
c_sine: Any = None
c_cosine: Any = None
square_root: Any = None


def twisted(word: Any, following: Any, far: Any) -> Any:
    """The word that comes into the place of `word`."""
    mixed = (word & HIGH_BIT) | (following & LOW_BITS)
    return far ^ (mixed >> 1) ^ (-(mixed & 1) & MERSENNE_TWIST)


def renew_words(words: Any) -> Any:
    """New words for all places, from 1 on; gives 0."""
    wrapped = MERSENNE_WORDS - MERSENNE_REACH
    for i in range(1, wrapped + 1):
        words[i] = twisted(words[i], words[i + 1], words[i + MERSENNE_REACH])
    for i in range(wrapped + 1, MERSENNE_WORDS):
        words[i] = twisted(words[i], words[i + 1], words[i - wrapped])
    last = MERSENNE_WORDS
    words[last] = twisted(words[last], words[1], words[last - wrapped])
    return 0


def next_word(generator: Any) -> Any:
    """The next 32 bits."""
    words = uint32_at(generator)
    used = words[0] + 0
    if used >= MERSENNE_WORDS:
        renew_words(words)
        used = 0
    words[0] = used + 1
    word = words[used + 1] + 0
    word = word ^ (word >> 11)
    word = word ^ ((word << 7) & 2636928640)
    word = word ^ ((word << 15) & 4022730752)
    return word ^ (word >> 18)


def draw_python_unit(generator: Any) -> Any:
    """`random()`: 53 bits as a float of [0, 1)."""
    high = next_word(generator) >> 5
    low = next_word(generator) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


def draw_python_bits(generator: Any, count: Any) -> Any:
    """`getrandbits(count)`, of up to 63 bits: the first word has the lower ones."""
    if count == 0:
        return 0
    low = next_word(generator)
    if count <= 32:
        return low >> (32 - count)
    return low | ((next_word(generator) >> (64 - count)) << 32)


def draw_python_below(generator: Any, limit: Any) -> Any:
    """`_randbelow(limit)`: so many bits as `limit` has, until they say a number below it."""
    count = 0
    while limit >> count > 0:
        count += 1
    found = draw_python_bits(generator, count)
    while found >= limit:
        found = draw_python_bits(generator, count)
    return found


def draw_python_gauss(room: Any) -> Any:
    """`gauss(0, 1)`: the number that is kept in the room, or the first one of a new pair."""
    words = int64_at(room)
    numbers = float64_at(room)
    if words[1] != 0:
        words[1] = 0
        return numbers[2]
    angle = draw_python_unit(words[0]) * TWO_PI
    radius = square_root(-2.0 * c_logarithm(1.0 - draw_python_unit(words[0])))
    words[1] = 1
    numbers[2] = c_sine(angle) * radius
    return c_cosine(angle) * radius


APART = ("renew_words",)
"""What is called, never copied to where it is called: that takes longer to compile, and no less to
run."""
