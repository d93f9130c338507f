"""Digits of numbers: what textbooks do with `str(n)`, `bin(n)` and the characters in them."""

from __future__ import annotations

from collections import Counter

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N3 = (case(t(1234)), case(t(0)), case(t(9009)))
SIGNED = (case(t(1234)), case(t(-507)), case(t(0)))
EDGES = (case(t(9223372036854775807)), case(t(-9223372036854775808)), case(t(-1)))


@program(*SIGNED, *EDGES)
def written_backwards(n):
    return str(int(n))[::-1]


@program(*SIGNED, *EDGES, compiled=True)
def number_of_characters(n):
    return len(str(int(n)))


@program(*N3, compiled=True)
def sum_of_digits(n):
    return sum(int(c) for c in str(int(n)))


@program(*SIGNED)
def sum_of_mapped_digits(n):
    return sum(map(int, str(abs(int(n)))))


@program(*SIGNED, *EDGES)
def list_of_digits(n):
    return [int(c) for c in str(abs(int(n) // 3))]


@program(*SIGNED, *EDGES, compiled=True)
def ones_in_binary(n):
    return bin(int(n)).count("1")


@program(*SIGNED)
def ones_in_a_format(n):
    return format(int(n), "b").count("1")


@program(*SIGNED, *EDGES)
def binary_without_prefix(n):
    n = int(n)
    return bin(n)[2:], bin(abs(n // 2))[2:].zfill(8), f"{n:08b}"[-3:]


@program(*SIGNED, *EDGES)
def bases(n):
    n = int(n)
    return hex(n)[2:], oct(n)[2:], format(n, "X")[::-1], f"{n:#x}".upper(), "%x" % n


@program(*SIGNED, compiled=True)
def is_palindrome(n):
    text = str(int(n))
    return text == text[::-1]


@program(*N3)
def palindrome_by_pointers(n):
    text = str(int(n))
    left, right = 0, len(text) - 1
    while left < right:
        if text[left] != text[right]:
            return False
        left += 1
        right -= 1
    return True


@program(*N3)
def is_narcissistic(n):
    n = int(n)
    digits = str(n)
    return n == sum(int(c) ** len(digits) for c in digits)


@program(case(t(19)), case(t(4)), case(t(7)), compiled=True)
def is_happy(n):
    n = int(n)
    seen = []
    while n != 1 and n not in seen:
        seen.append(n)
        n = sum(int(c) ** 2 for c in str(n))
    return n == 1


@program(case(t(76)), case(t(25)), case(t(13)))
def is_automorphic(n):
    n = int(n)
    return str(n * n).endswith(str(n))


@program(case(t(79927398713)), case(t(49927398716)), case(t(0)))
def luhn(n):
    digits = [int(c) for c in str(int(n))]
    total = 0
    for place, digit in enumerate(reversed(digits)):
        if place % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10 == 0


@program(*SIGNED)
def reversed_number(n):
    n = int(n)
    sign = -1 if n < 0 else 1
    return sign * int(str(abs(n))[::-1])


@program(*N3)
def weighted_digits(n):
    total = 0
    for i, c in enumerate(str(int(n))):
        total += (i + 1) * int(c)
    return total


@program(*N3)
def sorted_digits(n):
    text = str(int(n))
    return sorted(text), "".join(sorted(text)), "".join(sorted(text, reverse=True))


@program(case(t(3524)), case(t(7641)), case(t(1000)), compiled=True)
def kaprekar_steps(n):
    n = int(n)
    steps = 0
    while n != 6174 and steps < 8:
        text = str(n).zfill(4)
        large = int("".join(sorted(text, reverse=True)))
        small = int("".join(sorted(text)))
        n = large - small
        steps += 1
    return steps


@program(*N3)
def different_digits(n):
    text = str(int(n))
    return len(set(text)), len(set(text)) == len(text)


@program(*SIGNED)
def padded(n):
    text = str(int(n))
    return text.zfill(3), text.zfill(6), text.rjust(6), text.ljust(6, "*"), text.center(7, "-")


@program(*SIGNED)
def starts_and_ends(n):
    text = str(int(n))
    return text.startswith("-"), text.endswith("4"), text.startswith(("1", "0")), text[0] == "-"


@program(*N3)
def counts_and_members(n):
    text = str(int(n))
    return text.count("9"), "9" in text, "12" in text, "x" not in text, text.find("0")


@program(case(t(3), t(1234)), case(t(0), t(7)), case(t(5), t(907)))
def digit_at(i, n):
    text = str(int(n))
    return text[int(i)], text[-1], text[0]


@program(case(t(12), t(34)), case(t(0), t(5)), case(t(7), t(1)))
def concatenated(a, b):
    a, b = int(a), int(b)
    return str(a) + str(b), int(str(a) + str(b)), int(f"{a}{b}") % 7


@program(*N3)
def code_points(n):
    return [ord(c) - 48 for c in str(int(n))], sum(ord(c) - ord("0") for c in str(int(n)))


@program(*SIGNED)
def tests_of_characters(n):
    text = str(int(n))
    return all(c.isdigit() for c in text), any(c == "-" for c in text), text.isdigit()


@program(*N3)
def lists_of_characters(n):
    text = str(int(n))
    return list(text), list(reversed(text)), list(map(int, text)), tuple(text)


NAMES = {"0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "9": "nine"}


@program(*N3)
def names_of_digits(n):
    return " ".join(NAMES[c] for c in str(int(n)))


@program(*N3)
def histogram(n):
    counts = Counter(str(int(n)))
    return counts["9"], counts["0"], max(counts.values())


@program(*N3)
def frequencies(n):
    table = {}
    for c in str(int(n)):
        table[c] = table.get(c, 0) + 1
    return table


@program(case(t(12), t(21)), case(t(12), t(13)), case(t(1001), t(110)))
def are_permutations(a, b):
    return sorted(str(int(a))) == sorted(str(int(b)))


@program(*SIGNED, compiled=True)
def decimal_to_binary(n):
    n = abs(int(n))
    if n == 0:
        return "0"
    bits = ""
    while n > 0:
        bits = str(n % 2) + bits
        n //= 2
    return bits


@program(case(t(10)), case(t(255)), case(t(1)))
def there_and_back(n):
    n = int(n)
    bits = ""
    while n:
        bits = str(n % 2) + bits
        n //= 2
    return int(bits, 2), len(bits), bits[::-1], bits == "1010"


@program(case(t(255), t(16)), case(t(0), t(7)), case(t(1295), t(36)))
def decimal_to_any(n, base):
    n, base = int(n), int(base)
    symbols = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if n == 0:
        return "0"
    found = ""
    while n:
        n, rest = divmod(n, base)
        found = symbols[rest] + found
    return found


@program(case(t(1010)), case(t(0)), case(t(11111111)))
def binary_to_decimal(n):
    total = 0
    for place, bit in enumerate(reversed(str(int(n)))):
        total += int(bit) * 2**place
    return total, int(str(int(n)), 2)


@program(case(t(5)), case(t(-5)), case(t(0)))
def twos_complement(n):
    n = int(n)
    length = len(bin(n)[3:])
    if n >= 0:
        return "0b0"
    found = bin(abs(n) - (1 << length))[3:]
    return "0b" + "1" + "0" * (length - len(found)) + found


@program(case(t(25), t(32)), case(t(37), t(50)), case(t(0), t(1)))
def bitwise_by_strings(a, b):
    one, other = bin(int(a))[2:], bin(int(b))[2:]
    width = max(len(one), len(other))
    return "0b" + "".join(
        str(int(x == "1" and y == "1"))
        for x, y in zip(one.zfill(width), other.zfill(width), strict=False)
    )


@program(case(t(123)), case(t(900)), case(t(5)))
def rotations(n):
    text = str(int(n))
    return [int(text[i:] + text[:i]) for i in range(len(text))]


@program(case(t(3797)), case(t(100)), case(t(2)))
def truncations(n):
    text = str(int(n))
    found = []
    for i in range(1, len(text)):
        found.append(int(text[i:]))
        found.append(int(text[:-i]))
    return found


@program(case(t(192)), case(t(9)), case(t(327)))
def is_pandigital_multiple(n):
    n = int(n)
    text = str(n) + str(2 * n) + str(3 * n)
    return len(text) == 9 and set(text) == set("123456789")


@program(case(t(21)), case(t(1)), case(t(1211)))
def look_and_say(n):
    text = str(int(n))
    result = ""
    i = 0
    while i < len(text):
        count = 1
        while i + count < len(text) and text[i + count] == text[i]:
            count += 1
        result += str(count) + text[i]
        i += count
    return result


@program(case(t(196)), case(t(7)), case(t(56)), compiled=True)
def reverse_and_add(n):
    n = int(n)
    steps = 0
    while str(n) != str(n)[::-1] and steps < 12:
        n += int(str(n)[::-1])
        steps += 1
    return n, steps


@program(case(t(15)), case(t(3)), case(t(1)))
def fizzbuzz(n):
    out = ""
    for i in range(1, int(n) + 1):
        if i % 15 == 0:
            out += "FizzBuzz "
        elif i % 3 == 0:
            out += "Fizz "
        elif i % 5 == 0:
            out += "Buzz "
        else:
            out += str(i) + " "
    return out, len(out), out.split()


@program(case(t(585)), case(t(9)), case(t(10)))
def palindrome_in_two_bases(n):
    n = int(n)
    binary = bin(n).split("b")[1]
    return str(n) == str(n)[::-1] and binary == binary[::-1]


@program(case(t(3)), case(t(7)), case(t(0)))
def caesar(key):
    out = ""
    for c in "attack at dawn":
        if c.isalpha():
            out += chr((ord(c) - ord("a") + int(key)) % 26 + ord("a"))
        else:
            out += c
    return out, out.upper(), out[::-1]


@program(*SIGNED, compiled=True)
def tensors_themselves(n):
    return str(n)[::-1], len(str(n)), f"{n}"[0], bin(n)[2:], "%d" % n == str(n), hex(n).count("f")


@program(*SIGNED)
def raised_and_printed(n):
    text = str(int(n))[::-1]
    print(text, len(text), f"<{text:>6}>", "%s!" % text, "{}".format(text))
    if text.endswith("-"):
        raise ValueError(f"{text} is negative")
    return {"text": text, "parts": [text, text[:1]]}


@program(case(t(12)), case(t(-3)))
def no_literal(n):
    text = str(int(n))[2:]
    try:
        return int(text)
    except ValueError as error:
        return str(error)
