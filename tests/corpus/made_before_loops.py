"""Objects made before a staged loop, in a container which grows in it, and others with two names.

Each call has its own: what one caller does to a result, no other sees.
"""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(3)), case(t(1)), case(t(0)))
Y = (case(t(3)), case(t(1)))


class N:
    def __init__(self, v):
        self.v = v


@program(*X)
def lists_of_growing_length(n):
    tok, done = [0], [[5]]
    for i in range(n):
        tok = [*tok, i]
        done.append(tok)
    return done


@program(*X)
def appended_to_before(n):
    done = [[5]]
    for i in range(n):
        tok = [i]
        if i > 1:
            tok.append(7)
        done.append(tok)
    return done


@program(*X)
def appended_to_after(n):
    done = [[5]]
    for i in range(n):
        tok = [i]
        done.append(tok)
        if i > 1:
            tok.append(7)
    return done


@program(*X)
def first_ones_returned_too(n):
    done = [[5], [6, 7, 8]]
    for i in range(n):
        tok = [i]
        done.append(tok)
        if i > 1:
            tok.append(7)
    return done, done[0], done[1], len(done[0])


@program(*X)
def lists_of_lists_of_each_turn(n):
    all = []
    for i in range(n):
        d = [[5]]
        for j in range(n):
            d.append([j, j])
        all.append(d)
    return all


@program(*X)
def objects_of_each_turn(n):
    all = []
    for i in range(n):
        d = [N(5)]
        for j in range(i + 1):
            d.append(N(j))
        d[0].v = d[0].v + i
        all.append(d)
    return [d[0].v for d in all], all


@program(*X)
def made_in_a_branch(n):
    d = None
    if n > 1:
        d = [[5]]
        for j in range(n):
            d.append([j, j])
        d[0].append(6)
    return d


@program(*X)
def first_list_has_a_name(n):
    a = [5]
    d = [a]
    for j in range(n):
        d.append([j, j])
    a.append(7)
    return d, a, d[0] is a


@program(*X)
def made_by_two_calls(n):
    def make(k):
        d = [[5]]
        for j in range(k):
            d.append([j, j])
        return d

    x, y = make(n), make(n + 1)
    x[0].append(1)
    return x, y


@program(*X)
def first_dict_has_a_name(n):
    d = {"a": [5]}
    e = [d]
    for j in range(n):
        e.append({"a": [j]})
    e[-1]["a"].append(9)
    return e, d


@program(*X)
def first_object_has_a_name(n):
    layers = [N([1.0])]
    for j in range(n):
        layers.append(N([layers[-1].v[0] * 2.0]))
    return [l.v[0] for l in layers], layers[0]


@program(*X)
def paths_extended(n):
    out = [(0, [0])]
    for j in range(n):
        k, path = out[-1]
        out.append((j, path + [j]))
    return out


@program(*X)
def history_of_a_list(n):
    tok, done = [0], []
    for i in range(n):
        tok = tok + [i]
        done.append(tok)
    return done, tok


@program(*X)
def history_of_a_list_that_is_changed(n):
    tok, done = [0], [[5]]
    for i in range(n):
        tok = [*tok, i]
        done.append(tok)
        if i > 1:
            tok.append(7)
    return done, tok


@program(*X)
def history_of_objects(n):
    best, seen = N(0), []
    for i in range(n):
        best = N(best.v + i)
        seen.append(best)
    best.v = best.v + 100
    return [s.v for s in seen], best.v, best is seen[-1] if seen else None


@program(*X)
def history_of_dicts(n):
    last, seen = {"a": 0}, []
    for i in range(n):
        last = {**last, "b": i}
        seen.append(last)
    return seen, last


@program(*X)
def history_by_number(n):
    tok, memo = [0], {}
    for i in range(n):
        tok = tok + [i]
        memo[i] = tok
    return memo, tok


@program(case(t(3)), case(t(1)))
def a_list_twice_in_a_row(n):
    rows = []
    for i in range(n):
        a = [i]
        rows.append((a, a))
    return [x is y for x, y in rows], rows


@program(case(t(3)), case(t(1)))
def a_list_twice_in_a_row_changed(n):
    rows = []
    for i in range(n):
        a = [i]
        rows.append((a, a))
    for x, y in rows:
        x.append(5)
    return [len(y) for x, y in rows]


@program(case(t(3)), case(t(1)))
def an_object_twice_in_a_row(n):
    rows = []
    for i in range(n):
        a = N(i)
        rows.append((a, a, N(i)))
    out = []
    for x, y, z in rows:
        x.v = x.v + 1
        out.append((x is y, y is z, y.v))
    return out, rows


@program(case(t(3)), case(t(1)))
def a_dict_twice_in_some_rows(n):
    rows = []
    for i in range(n):
        a = {"k": i}
        if i > 1:
            rows.append({"p": a, "q": a})
        else:
            rows.append({"p": a, "q": {"k": i}})
    return [r["p"] is r["q"] for r in rows], rows


@program(case(t(3)), case(t(1)))
def a_function_twice_in_a_row(n):
    d = {}
    for i in range(n):
        f = lambda i=i: i
        d[i] = (f, f)
    return [a() + b() for a, b in d.values()], [a is b for a, b in d.values()]


@program(case(t(3)), case(t(1)))
def an_exception_twice_in_a_row(n):
    rows = []
    for i in range(n):
        e = ValueError(i)
        rows.append((e, e))
    return [x is y for x, y in rows]


@program(case(t(3)), case(t(1)))
def a_function_twice_in_some_rows(n):
    rows = []
    for i in range(n):
        f = (lambda i: lambda: i)(i)
        g = f if i > 1 else (lambda i: lambda: i * 2)(i)
        rows.append((f, g))
    return [a() + b() for a, b in rows], [a is b for a, b in rows]


@program(case(t(3)), case(t(0)))
def numbers_filtered(n):
    beams = [0, 1]
    for i in range(n):
        beams = [b + k for b in beams for k in range(2)]
        beams = list(filter(lambda b: b > 0, beams))
    return beams


@program(case(t(3)), case(t(0)))
def grown_lists_filtered(n):
    beams = [[0]]
    for i in range(n):
        beams = [b + [k] for b in beams for k in range(2)]
        beams = list(filter(lambda b: len(b) > 0, beams))[:2]
    return beams


@program(case(t(3)), case(t(0)))
def lists_taken_by_a_filter(n):
    beams = [[0], [1]]
    for i in range(n):
        it = filter(lambda b: b[-1] > 0, beams)
        new = []
        for b in it:
            new.append(b)
        beams = new
    return beams


@program(case(t(1.0)), case(t(-1.0)))
def numbered_items_that_a_branch_grew(x):
    rows = [[1.0], [2.0]]
    if x > 0:
        rows.append([x + 1])
    for place, row in enumerate(rows):
        row.append(place)
    return rows


@program(*X)
def lists_that_are_one_another_by_turns(n):
    items = []
    last = [0]
    for i in range(n):
        new = [i]
        if i > 1:
            items.append(new)
        else:
            items.append(last)
        new.append(1)
        last = new
    return items
