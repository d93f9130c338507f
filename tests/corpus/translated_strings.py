"""`str.translate` and `str.maketrans` of strings that only the run knows."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
APPLE = np.array([ord(one) for one in "apple"])
SHORT = np.array([ord(one) for one in "ea"])
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def text_of(codes):
    return "".join([chr(int(code)) for code in codes])


@program(case(APPLE), case(SHORT), compiled=True)
def letters_for_letters(codes):
    text = text_of(codes)
    return text.translate(str.maketrans("ae", "43")), text.translate(str.maketrans("ae", "43", "p"))


@program(case(APPLE), case(SHORT))
def all_kinds_of_entries(codes):
    table = {97: "xyz", ord("e"): 101, 112: 66, 108: None, 113: True}
    return text_of(codes).translate(table)


@program(case(APPLE))
def rotated(codes):
    return text_of(codes).translate(str.maketrans(LETTERS, LETTERS[13:] + LETTERS[:13]))


@program(case(APPLE))
def nothing_but_removed(codes):
    return text_of(codes).translate(str.maketrans("", "", "ap!,.;"))


@program(case(APPLE))
def tables_that_are_no_dicts(codes):
    text = text_of(codes)
    missing = defaultdict(lambda: "x", {97: "b"})
    return text.translate("abc" * 34), text.translate(["z"] * 100), text.translate(missing)


class Vowels:
    def __init__(self, sign):
        self.sign = sign

    def __getitem__(self, code):
        if chr(code) in "aeiou":
            return self.sign
        raise KeyError(code)


@program(case(APPLE, t(33)), case(APPLE, t(98)))
def tables_of_the_user(codes, sign):
    return text_of(codes).translate(Vowels(chr(int(sign)))), "apple".translate(Vowels(int(sign)))


@program(case(APPLE), compiled=True)
def an_entry_of_another_kind(codes):
    return text_of(codes).translate({97: 2.5})


@program(case(APPLE, t(-1)), case(APPLE, t(98)), case(APPLE, t(0x110000)))
def an_entry_out_of_range(codes, code):
    return text_of(codes).translate({112: int(code)})


@program(case(APPLE, t(66)), case(SHORT, t(67)))
def staged_entries_of_known_strings(codes, code):
    table = {}
    for one in codes:
        table[int(one)] = int(code)
    chosen = {97: None} if code > 66 else {98: None}
    return "apple".translate(table), text_of(codes).translate(chosen)


@program(case(APPLE, t(66)), case(SHORT, t(67)))
def tables_of_staged_strings(codes, code):
    text, shifted = text_of(codes), text_of(codes)[::-1]
    first = str.maketrans({"a": text, 112: None, "e": int(code)})
    second = str.maketrans(text, shifted, "l")
    return text.translate(first), text.translate(second), len(second), second[97]


@program(case(APPLE), case(SHORT))
def tables_of_strings_that_do_not_fit(codes):
    try:
        return text_of(codes).translate(str.maketrans(text_of(codes), "ab"))
    except ValueError as error:
        return str(error)


@program(case(APPLE))
def keys_that_are_no_characters(codes):
    found = []
    for wrong in ([text_of(codes)], {text_of(codes): 1}, {2.5: text_of(codes)}):
        try:
            found.append(str.maketrans(wrong))
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


@program(case(t(3)), case(t(0)))
def translated_turn_by_turn(n):
    text, found = "abc", []
    for k in range(n):
        text = text.translate({97 + k: 100 + k})
        found.append(len(text))
    return text, found
