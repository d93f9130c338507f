"""Strings that staged code makes, and then cuts, searches, compares and converts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3)), case(t(0)), case(t(-2)))
SIZES = (case(t(2)), case(t(0)), case(t(7)))
NUMBERS = (case(t(1234)), case(t(-507)), case(t(0)))


@program(*N, compiled=True)
def slices_of_known(n):
    text = "abcdef"
    n = int(n)
    return text[:n], text[n:], text[n:5], text[::-1][:n], text[-n:], text[1 : n + 1]


@program(*SIZES)
def picked_from_known(n):
    text = "abcdefgh"
    c = text[int(n)]
    return c, c == "c", c in "aeiou", c.upper(), ord(c), c + "!", text.index(c)


@program(*SIZES)
def repeated(n):
    n = int(n)
    line = "ab" * n
    return line, len(line), line[:3], line.count("a"), line == "abab", "-" * (10 - n), line + "|"


@program(*SIZES)
def pyramid(n):
    n = int(n)
    lines = []
    for i in range(n):
        lines.append(" " * (n - i - 1) + "*" * (2 * i + 1))
    return "\n".join(lines)


@program(*NUMBERS)
def aligned_columns(n):
    text = str(int(n))
    return " " * (8 - len(text)) + text, "0" * (6 - len(text)) + text, f"{text:>8}|{text:*^9}|"


@program(*NUMBERS, compiled=True)
def built_in_a_loop(n):
    n = abs(int(n))
    found = ""
    while n > 0:
        found = "0123456789ABCDEF"[n % 16] + found
        n //= 16
    return found, found[::-1], len(found), found == "4D2", "D" in found, found.lower()


@program(*SIZES)
def appended_in_a_loop(n):
    text = ""
    for i in range(int(n)):
        text += str(i)
        if i % 2:
            text += ","
    return text, text.split(","), text.replace(",", "; "), text.strip(","), text[-1:], len(text)


@program(*SIZES)
def lengths_in_a_loop(n):
    text = bin(int(n))[2:]
    while len(text) < 5:
        text = "0" + text
    return text, text.count("1"), int(text, 2)


@program(*NUMBERS)
def shortened_in_a_loop(n):
    text = str(int(n) * 100)
    while text and text[-1] == "0":
        text = text[:-1]
    return text


@program(*SIZES)
def words(n):
    text = "one two three four five six seven eight"
    part = text[: 4 * int(n)]
    return part.split(), part.split(" "), part.title(), part.rstrip(), part.find("t"), len(part)


@program(*NUMBERS)
def parts(n):
    text = f"n={int(n)};end"
    return text.partition("="), text.rpartition(";"), text.split("="), text.removeprefix("n=")


@program(*NUMBERS)
def replaced(n):
    text = str(int(n))
    return (
        text.replace("0", "zero"),
        text.replace("1", "one", 1),
        text.replace("", "."),
        text.replace("-", ""),
    )


@program(*NUMBERS)
def ordered(n):
    text = str(int(n))
    return text < "2", text >= "1234", max(text), min(text), "0" <= text[-1] <= "9", text == "-507"


@program(case(t(12), t(12)), case(t(12), t(102)), case(t(-1), t(1)))
def two_strings(a, b):
    one, other = str(int(a)), str(int(b))
    return one == other, one < other, one in other, other.startswith(one), one + other == "1212"


@program(case(t(12345), t(13579)), case(t(7), t(8)), case(t(1), t(1)))
def common_subsequence(a, b):
    x, y = str(int(a)), str(int(b))
    table = [[0] * 8 for _ in range(8)]
    for i in range(len(x)):
        for j in range(len(y)):
            if x[i] == y[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    return table[len(x)][len(y)]


@program(case(t(1221), t(1)), case(t(90), t(0)), case(t(7), t(3)))
def edit_distance(a, b):
    x, y = str(int(a)), str(int(b))
    row = list(range(len(y) + 1))
    for i in range(len(x)):
        before, row[0] = row[0], i + 1
        for j in range(len(y)):
            above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, before + (x[i] != y[j]))
            before = above
    return row[-1]


@program(case(t(121)), case(t(120)), case(t(5)))
def recursive_palindrome(n):
    def check(text):
        if len(text) <= 1:
            return True
        if text[0] != text[-1]:
            return False
        return check(text[1:-1])

    return check(str(int(n)))


@program(*NUMBERS)
def roman(n):
    n = abs(int(n))
    found = ""
    for value, symbol in (
        (1000, "M"),
        (500, "D"),
        (100, "C"),
        (50, "L"),
        (10, "X"),
        (5, "V"),
        (1, "I"),
    ):
        while n >= value:
            found += symbol
            n -= value
    total = 0
    values = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
    for c in found:
        total += values[c]
    return found, total, len(found)


@program(*NUMBERS)
def counted_by_known_keys(n):
    counts = {"0": 0, "1": 0, "2": 0}
    for c in str(int(n)):
        if c in counts:
            counts[c] += 1
    return counts


@program(*NUMBERS)
def seen_in_order(n):
    seen = set()
    kept = []
    for c in str(int(n) * 11):
        if c not in seen:
            seen.add(c)
            kept.append(c)
    return "".join(kept), len(seen), "1" in seen


@program(*NUMBERS)
def longer_keys(n):
    n = int(n)
    table = {}
    for i in range(3):
        table[str(n + i)] = i
    return table, str(n + 1) in table, table.get("1235", -1), len(table)


@program(*NUMBERS)
def most_common(n):
    counts = Counter(str(int(n) * 7))
    return counts.most_common(1)[0][1], sum(counts.values()), counts["-"]


@program(*NUMBERS)
def list_of_strings(n):
    found = []
    for i in range(4):
        found.append(str(int(n) + i))
    return found, found[0], ",".join(found), [len(one) for one in found], max(found), "".join(found)


@program(*SIZES)
def strings_of_a_loop(n):
    found = []
    for i in range(int(n)):
        found.append(bin(i)[2:])
    return found, [one.count("1") for one in found], " ".join(found), "".join(found)[::-1]


@program(*NUMBERS)
def chosen_strings(n):
    n = int(n)
    text = str(n) if n > 0 else "none"
    return text, len(text), text[0], text[::-1], text == "none", text.upper()


@program(*NUMBERS)
def mapped(n):
    text = str(abs(int(n)))
    total = 1
    for digit in map(int, text):
        total *= digit + 1
    return (
        total,
        list(map(ord, text)),
        [a + b for a, b in zip(text, text[1:])],
        "".join(reversed(text)),
    )


@program(*NUMBERS)
def filtered(n):
    text = str(int(n))
    return (
        "".join(c for c in text if c != "0"),
        [c for c in text if c.isdigit()],
        "".join(filter(str.isdigit, text)),
    )


@program(*NUMBERS)
def parsed(n):
    n = int(n)
    return int(f"{n:b}", 2), int(hex(n), 16), int(oct(n), 0), int(f" {n} "), int(f"{n:+_d}")


@program(case(t(8)), case(t(9)), case(t(-1)))
def wrongly_parsed(n):
    n = int(n)
    try:
        return int(str(n), 9)
    except ValueError as error:
        return f"{error}"


@program(*SIZES)
def out_of_range(n):
    text = str(int(n) * 1000)
    try:
        return text[3]
    except IndexError as error:
        return str(error)


@program(*SIZES)
def not_found(n):
    try:
        return str(int(n)).index("7")
    except ValueError as error:
        return str(error)


@program(*NUMBERS)
def formats(n):
    n = int(n)
    return (
        f"{n:08b}"[:4], f"{n:>10}".count(" "), f"{n:,}"[::-1], "%05d" % n == f"{n:05d}",
        "{:x}".format(n)[0], "{}-{}".format(n, n).split("-"), ("%d/%s" % (n, n)).find("/"),
    )  # fmt: skip


@program(case(t(True)), case(t(False)))
def truths(b):
    text = str(bool(b))
    return text[0], len(text), text == "True", text.lower()


@dataclass
class Log:
    items: list = field(default_factory=list)


@program(*N)
def shown_lists(n):
    grown = [1]
    log = Log()
    for i in range(int(n)):
        grown.append(i)
        log.items.append(i)
    if n > 2:
        grown.append(5)
        log.items.append(7)
    return "%s" % grown, "{}".format(grown), f"{grown}", repr(log), "%r" % (grown,)


@program(*N)
def joined_pairs(n):
    grown = [(0, 1)]
    for i in range(int(n)):
        grown.append((i, i * i))
    return ",".join(f"{a}:{b}" for a, b in grown), ";".join([str(a) for a, _ in grown])


@program(*N)
def cipher(n):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    found = ""
    for c in "hello":
        found += alphabet[(alphabet.index(c) + int(n)) % 26]
    return found, found.upper(), found.capitalize(), found.isalpha(), found.islower()


@program(*NUMBERS)
def run_lengths(n):
    text = str(int(n))
    found, count = "", 1
    for i in range(1, len(text) + 1):
        if i < len(text) and text[i] == text[i - 1]:
            count += 1
        else:
            found += text[i - 1] + str(count)
            count = 1
    return found


@program(*NUMBERS)
def matched(n):
    match str(int(n))[0]:
        case "-":
            return "negative"
        case "0":
            return "zero"
        case c if c.isdigit():
            return "positive " + c
    return "?"


@program(*NUMBERS)
def unpacked(n):
    first, *rest = str(int(n))
    return first, rest, [*str(int(n))], dict.fromkeys(str(int(n)), 0)


@program(*NUMBERS)
def kept_on_objects(n):
    log = Log()
    log.text = ""
    for c in str(int(n)):
        log.text = c + log.text
        log.items.append(c)
    return log.text, log.items, log.text == "".join(log.items)[::-1]


@program(*SIZES)
def gray_codes(n):
    codes = []
    for i in range(int(n)):
        codes.append(format(i ^ (i >> 1), "03b"))
    return codes, [int(one, 2) for one in codes], codes == sorted(codes)


@program(case(t(3)), case(t(12)), case(t(0)))
def split_while_it_grows(n):
    word, total = str(n), 0
    for i in range(n):
        total += len(word.split("1"))
        word = str(i) + word[:5]
    return word, total


@program(case(t(3)), case(t(12)), case(t(0)))
def one_of_known_and_staged(n):
    word = "12" if n > 5 else "ab" if n > 1 else f"{n}-{n}"
    word = word + str(n) if n > 10 else word
    return len(set(word)), set(word) == {"a", "b"}, word.split("-"), "ab"[n % 2] + word, word[::-1]


@program(case(t(3)), case(t(1)))
def known_number_of_characters(n):
    pair = "abcd"[n] + "wxyz"[n]
    first, second = pair
    return first, second, set(pair), {c: 1 for c in pair}, sorted(pair), pair[5:], len(pair)


@program(case(t(3)), case(t(0)), case(t(5)))
def strings_that_grow_in_a_dict(n):
    table = {}
    for i in range(n):
        table[i % 2] = table.get(i % 2, "") + f"{i}."
    return table
