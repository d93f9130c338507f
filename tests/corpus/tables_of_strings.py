"""Strings in tables, beams, dicts and rows that grow, made longer by what stands beside them."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
PAIRS = (case(t(12345), t(23415)), case(t(777), t(77)), case(t(1), t(2)))
DIGITS = (case(t(12312)), case(t(1)), case(t(900)))
SIZES = (case(t(3)), case(t(0)), case(t(4)))


def common(a, b):
    m, n = len(a), len(b)
    table = [[""] * (n + 1) for _ in range(m + 1)]
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + a[i]
            else:
                table[i + 1][j + 1] = max(table[i + 1][j], table[i][j + 1], key=len)
    return table[m][n]


@program(*PAIRS, compiled=True)
def common_subsequence(x, y):
    return common(str(int(x)), str(int(y)))


@program(case(t(1)), case(t(-1)))
def common_subsequence_of_known(x):
    return common("abca" if x > 0 else "acba", "bcab")


@program(case(t(312)), case(t(1)))
def common_subsequence_half_known(x):
    return common("abcab" + str(int(x)), "babc1")


@program(case(t(3), t(1)), case(t(5), t(0)))
def common_subsequence_of_slices(x, n):
    return common("abcab"[: int(x)], "bcab"[int(n) :])


@program(*DIGITS, compiled=True)
def longest_palindrome(n):
    s = str(int(n))
    m = len(s)
    table = [["" for _ in range(m)] for _ in range(m)]
    for i in range(m):
        table[i][i] = s[i]
    for size in range(2, m + 1):
        for i in range(m - size + 1):
            j = i + size - 1
            if s[i] == s[j]:
                table[i][j] = s[i] + table[i + 1][j - 1] + s[j]
            elif len(table[i + 1][j]) >= len(table[i][j - 1]):
                table[i][j] = table[i + 1][j]
            else:
                table[i][j] = table[i][j - 1]
    return table[0][m - 1]


@program(case(t(1213)), case(t(4)))
def broken_into_words(n):
    s = str(int(n))
    found = [[] for _ in range(len(s) + 1)]
    found[0] = [""]
    for i in range(1, len(s) + 1):
        for word in ("1", "12", "2", "3"):
            if s[:i].endswith(word):
                for before in found[i - len(word)]:
                    found[i].append(before + " " + word)
    return found[len(s)], found


@program(*SIZES, compiled=True)
def beams(n):
    found = [""]
    for _ in range(n):
        found = [one + c for one in found for c in "ab"]
    return found


@program(case(t(23)), case(t(9)), case(t(0)))
def letters_of_keys(n):
    found = [""]
    for d in str(int(n)):
        found = [one + c for one in found for c in {"2": "abc", "3": "def"}.get(d, "xy")]
    return found


@program(*SIZES)
def beams_of_numbers(n):
    found = [""]
    for i in range(n):
        found = [one + str(k) for one in found for k in range(i + 1)][-5:]
    return found


@program(*SIZES)
def gray_codes(n):
    codes = ["0", "1"]
    for _ in range(n):
        codes = ["0" + one for one in codes] + ["1" + one for one in reversed(codes)]
    return codes


@program(case(t(123)), case(t(11)))
def arrangements(n):
    found = [""]
    for c in str(int(n)):
        longer = []
        for one in found:
            for k in range(len(one) + 1):
                longer.append(one[:k] + c + one[k:])
        found = longer
    return found, sorted(set(found))


@program(*SIZES)
def strings_in_dicts(n):
    d, e, f = {}, {"a": "x"}, {}
    for i in range(n):
        d[i % 3] = d.get(i % 3, "") + str(i) + ","
        letter = "ab"[i % 2]
        e[letter] = e.get(letter, "") + letter
        key = "k" + str(i % 3)
        f[key] = f.get(key, "") + key + "-"
    return d, e, f


@program(case(t(121212)), case(t(1)))
def pairs_counted(n):
    s, found = str(int(n)), {}
    for i in range(len(s) - 1):
        found[s[i : i + 2]] = found.get(s[i : i + 2], 0) + 1
    return found


@program(case(t(102003)), case(t(0)), case(t(12)))
def words_between(n):
    words, word = [], ""
    for c in str(int(n)):
        if c == "0":
            if word:
                words.append(word)
            word = ""
        else:
            word += c
    if word:
        words.append(word)
    return words


@program(case(t(12321)), case(t(1)), case(t(1233)), compiled=True)
def longest_of_slices(n):
    s, best = str(int(n)), ""
    for i in range(len(s)):
        for j in range(i + 1, len(s) + 1):
            part = s[i:j]
            if part == part[::-1] and len(part) > len(best):
                best = part
    return best


@program(*SIZES)
def known_then_staged(n):
    found = []
    for i in range(n):
        found.append("a" if i % 2 else "bb")
    return [*found, str(int(n))[:2]]


@program(*SIZES)
def board_of_strings(n):
    board = [["."] * 3 for _ in range(n)]
    for i in range(n):
        board[i][i % 3] = str(i) * 2
    return "\n".join("".join(row) for row in board), board


@program(case(t(7)), case(t(4)), case(t(1)))
def chosen_in_branches(n):
    s = str(int(n))
    if n > 5:
        text = s + "a"
    else:
        text = "b" + s[1:]
    if n > 3:
        text = text + s
    else:
        text = "none"
    return text, len(text), text.upper(), text[::-1]


@program(case(t(72)), case(t(4)), case(t(1)))
def a_string_or_none(n):
    text = None
    if n > 5:
        text = str(int(n))[1:]
    elif n > 2:
        text = "x"
    return text, text is None


@program(*SIZES, case(t(-2)), compiled=True)
def strings_repeated(n):
    found = []
    for i in range(n):
        found.append(str(i) * i)
    return found, str(int(n)) * int(n), int(n) * ("a" + str(int(n))), len(str(int(n)) * int(n))


@program(case(t([1.0, 2.0]), t([3.0]), t(4)), case(t([1.0]), t([2.0]), t(0)), compiled=True)
def sizes_in_a_circle(x, y, n):
    for _ in range(n):
        x, y = ag.concat([y, x[:1]]), ag.concat([x, x])
    return x, y
