"""The part of the grammar of random programs that is about strings of numbers.

Digits, words that are made turn by turn, what is found in them, and what they are turned back to.
Only programs from `FIRST_WITH_STRINGS` on have these features, so that earlier seeds keep
their programs.
"""

from __future__ import annotations

from tests.fuzz.program_grammar import Forms

FIRST_WITH_STRINGS = 2_500_000

INTS: Forms = {
    "digits": (
        "len(str($I))",
        "sum(map(int, str(abs($I))))",
        "sum(int(y) for y in str(abs($i)))",
        "(int(str(abs($I) % 997)[::-1]))",
        "bin($I).count('1')",
        "ord(str($I)[-1])",
        "int(format(abs($I) % 61, 'b'), 2)",
        "int(str(abs($I) % 61) + str(abs($I) % 61))",
        "len(set(str($I)))",
        "str($I).find('1')",
    ),
    "words": (
        "len(word)",
        "word.count('1')",
        "word.find(str($I % 7))",
        "len(word.split('-'))",
        "len(word[$I % 3 :])",
        "len('ab' * ($I % 4))",
        "len(set(word))",
        "places.get(word[:1], $I)",
    ),
}
BOOLS: Forms = {
    "digits": ("(str($I) == str($I)[::-1])", "('1' in str($I))", "str($I).startswith('-')"),
    "words": ("(word < str($I))", "word.isdigit()", "word.endswith('1')", "(word == other)"),
}
CONDITIONS: Forms = {
    "digits": ("str($I) == str($I)", "str($I)[0] in '-12'", "all(y != '3' for y in str($i))"),
    "words": ("word", "len(word) > 3", "word == word[::-1]", "str($I % 7) in word"),
}
STATEMENTS: Forms = {
    "digits": (
        "other = str($I)",
        "other = format($I % 61, '05b')",
        "other = hex($I % 61)[2:]",
        "$i = int(other) % 61 if other.isdigit() else $I % 61",
        "parts_of = [int(y) for y in str(abs($i))]",
        "other = ''.join(sorted(str($I)))",
        "print(str($I)[::-1], format($I, '>6'))",
    ),
    "words": (
        "word = str($I % 61) + word[:8]",
        "word += str($I % 61)",
        "word = word[1:]",
        "word = word[::-1]",
        "word = 'abcdefghij'[$I % 10] + word",
        "word, other = other, word",
        "word = word.replace('1', '-')",
        "word = '-'.join([word[:4], other[:4]])",
        "word = word.zfill($I % 5)",
        "other = 'abcdefgh'[$I % 4 : $I % 9]",
        "places[word[:1]] = $I % 61",
        "kept.append(word[:6])",
        "word = max(word, other)[:9]",
    ),
}
LOOPS: Forms = {
    "digits": ("for y in str($I):", "for k, y in enumerate(bin($I % 61)[2:]):"),
    "words": ("for y in word[:6]:", "for y, z in zip(word[:5], other):"),
}
STARTS: Forms = {
    "digits": ("other = '7'", "parts_of = [1]"),
    "words": ("word = str(i0)", "other = '12'", "places = {'1': 1}", "kept = []"),
}
RESULTS: Forms = {
    "digits": ("other", "parts_of"),
    "words": ("word", "other", "places", "kept"),
}
GRAMMAR = {"I": INTS, "B": BOOLS, "C": CONDITIONS}
FEATURES = ("digits", "words")
