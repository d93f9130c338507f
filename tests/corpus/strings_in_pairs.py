"""Pairs, lists and objects that hold strings which only the run knows: compared and sorted."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from autograph import asarray as t
from tests.corpus.registry import case, program

WORD = np.array([ord(one) for one in "abca"])
OTHER = np.array([ord(one) for one in "ba"])


def text_of(codes):
    return "".join([chr(int(code)) for code in codes])


@program(case(WORD), case(OTHER), compiled=True)
def equal_pairs(codes):
    text = text_of(codes)
    pair, known = (text, len(codes)), ("ba", 2)
    inside = pair in [known, ("abca", 5)], [text, 2] in [["ba", 2]]
    return pair == known, pair != known, [pair] == [known], {1: text} == {1: "ba"}, inside


@program(case(WORD), case(OTHER))
def ordered_pairs(codes):
    text = text_of(codes)
    pair = (text, [text])
    found = [pair < ("b", []), pair <= ("ba", ["ba"]), [text] > ["abc"], max((text, 1), ("b", 2))]
    return found, min([[1, [one]] for one in text]), sorted([(one, 1) for one in text])


@program(case(WORD), case(OTHER))
def found_in_lists(codes):
    text = text_of(codes)
    pairs = [("x", 1), (text, 1), ("ba", 1)]
    place, count = pairs.index((text, 1)), pairs.count(("ba", 1))
    pairs.remove(("ba", 1))
    return place, count, pairs


@program(case(WORD), case(OTHER))
def pairs_that_have_no_order(codes):
    try:
        return (text_of(codes), 3) < ("ba", "c")
    except TypeError as error:
        return str(error)


@dataclass(order=True)
class Entry:
    name: str
    number: int


@program(case(WORD), case(OTHER))
def objects_of_fields(codes):
    entry = Entry(text_of(codes), 2)
    return entry == Entry("ba", 2), entry < Entry("ba", 3), entry >= Entry("b", 0)


@program(case(WORD), case(OTHER), slow=True)
def weights_of_letters(codes):
    counts = {}
    for one in text_of(codes):
        counts[one] = counts.get(one, 0) + 1
    heap = [(count, one) for one, count in counts.items()]
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        low, high = heapq.heappop(heap), heapq.heappop(heap)
        total += low[0] + high[0]
        heapq.heappush(heap, (low[0] + high[0], min(low[1], high[1])))
    return total, heap


def tokens_of(codes):
    return [int(one) if one.isdigit() else one for one in text_of(codes)]


TOKENS = [np.array([ord(one) for one in text]) for text in ("3+4", "2*3*4", "3+", "++")]


@program(*(case(one) for one in TOKENS))
def products_of_tokens(codes):
    tokens = tokens_of(codes)
    value = 1
    for place in range(0, len(tokens), 2):
        value = value * tokens[place]
    return value


@program(*(case(one) for one in TOKENS))
def operators_between_tokens(codes):
    tokens = tokens_of(codes)
    value, place = tokens[0], 1
    while place + 1 < len(tokens):
        if tokens[place] == "+":
            value = value + tokens[place + 1]
        else:
            value *= tokens[place + 1]
        place += 2
    return value


@program(case(OTHER, t(2)), case(OTHER, t(0)))
def what_strings_do_not_do(codes, n):
    text, found = text_of(codes), []
    for wrong in (
        lambda: text * text,
        lambda: text * "a",
        lambda: text - text,
        lambda: text - 1,
        lambda: text / int(n),
        lambda: text**2,
        lambda: int(n) & text,
        lambda: -text,
        lambda: abs(text),
        lambda: [1, 2][text],
        lambda: chr(text),
        lambda: hex(text),
        lambda: range(text),
    ):
        try:
            found.append(wrong())
        except TypeError as error:
            found.append(str(error))
    return found


@program(case(OTHER, t(2)), case(OTHER, t(70)))
def one_of_a_number_and_a_string(codes, n):
    both = text_of(codes) if n < 3 else int(n)
    return both * int(n - 1) if n < 4 else chr(both)
