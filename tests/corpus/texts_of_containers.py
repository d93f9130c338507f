"""Texts of containers that a staged branch or loop changed."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

N = (case(t(3)), case(t(2)), case(t(5)), case(t(0)))
NP = N[:3]


Pt = namedtuple("Pt", "a b")


@dataclass
class P:
    x: float
    y: int = 0
    z: list = field(default_factory=list)


def dd(n):
    found = {"x": 1}
    if n > 2:
        found["y"] = 2
    return found


def ll(n):
    found = [1]
    if n > 2:
        found.append(int(n))
    return found


@program(*N)
def lists_in_a_dict_then_and_now(n):
    c = defaultdict(list)
    for i in range(n):
        c[i % 2].append(i)
    a = str(dict(c))
    for k in c:
        c[k].append(100)
    return (a, str(dict(c)), dict(c), repr(c[0]))


@program(*N)
def lists_in_a_list_then_and_now(n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i].append(i)
        rows[0].append(7)
    a = f"{rows}"
    for r in rows:
        r.append(-1)
    return (a + "!", rows, f"{rows}", "%s" % rows, "{}".format(rows))


@program(*N)
def objects_then_and_now(n):
    rows = [P(1.0, i) for i in range(n)]
    s = []
    for r in rows:
        r.y += 1
        s.append(r)
    a = str(rows)
    for r in s:
        r.y = 9
        r.z.append(1)
    return (a, str(rows), str(s), rows)


@program(*N)
def a_text_of_one_path(n):
    text = ""
    rows = [[] for _ in range(3)]
    for i in range(n):
        rows[i % 3].append(i)
    if n > 2:
        text = f"{rows}"
    return (text, rows)


@program(*N)
def a_text_that_is_raised(n):
    c = defaultdict(list)
    for i in range(n):
        c[i % 2].append(i)
    if n > 2:
        raise ValueError(f"{dict(c)}")
    return c


@program(*N)
def a_defaultdict_and_its_text(n):
    c = defaultdict(list)
    for i in range(n):
        c[i % 2].append(i)
    return (c, f"{c}", [f"{dict(c)}"], {"a": f"{c[0]}"})


@program(*N)
def repr_of_a_chosen_dict(n):
    return repr(dd(n))


@program(*N)
def chosen_dict_in_a_string(n):
    return f"{dd(n)}"


@program(*N)
def chosen_dict_formatted(n):
    return "{}".format(dd(n))


@program(*N)
def chosen_dict_by_percent(n):
    return "%s" % dd(n)


@program(*N)
def chosen_dict_by_percents(n):
    return "%s %s" % (dd(n), n)


@program(*N)
def chosen_dict_in_a_list(n):
    return str([dd(n), 1])


@program(*N)
def chosen_list_by_percent(n):
    return ("%s" % ll(n), "%r" % (ll(n),))


@program(*N)
def chosen_lists_formatted(n):
    return ("{} {!r} {}".format(ll(n), ll(n), 1), "{0}".format([ll(n)]))


@program(*N)
def repr_of_a_dataclass(n):
    q = P(1.0, z=ll(n))
    return repr(q)


@program(*N)
def texts_of_a_dataclass(n):
    q = P(1.0, z=ll(n))
    return (f"{q}", str([q]), "%s" % q, "%s" % [q])


@program(*N)
def widths_of_texts(n):
    return (f"{dd(n)!r:>30}", f"{str(dd(n)):>30}", format(str(ll(n))))


@program(*N)
def texts_of_a_set(n):
    s = {1}
    if n > 2:
        s.add(3)
    return (repr(s), f"{s}", "%s" % s, "{}".format([s]))


@program(*N)
def texts_of_chosen_counters(n):
    c = Counter("ab")
    if n > 2:
        c["z"] += 3
    d = defaultdict(int, {1: 2})
    if n > 2:
        d[5] = 6
    o = OrderedDict(a=1)
    if n > 2:
        o["b"] = int(n)
    return (repr(c), f"{d}", str(o), "%s %s" % (c, d), str([c, o]))


@program(*N)
def texts_of_grown_counters(n):
    c = Counter()
    d = defaultdict(list)
    o = OrderedDict()
    q = deque(maxlen=2)
    for i in range(n):
        c[i % 2] += 1
        d[i % 2].append(i)
        o[i] = i
        q.append(i)
    return (repr(c), str(o), f"{d}", "%s" % c, str([c]), str(q))


@program(*N)
def texts_of_nested_dicts(n):
    d = {"k": ll(n), "m": dd(n)}
    return (str(d), f"{d}", "%(k)s" % d, "{k}".format(**d), "{m}".format_map(d))


@program(*N)
def chosen_contents_printed(n):
    print(dd(n), ll(n), [ll(n)], sep=";")
    return 0


@program(*N)
def chosen_contents_raised(n):
    if n > 2:
        raise ValueError("bad %s" % dd(n))
    raise ValueError("bad {}".format(ll(n)))


@program(*N)
def items_joined(n):
    l = ll(n)
    return (", ".join((str(x) for x in l)), "-".join(map(str, dd(n).values())), "|".join(dd(n)))


@program(*N)
def texts_by_turns(n):
    q = P(1.0, z=ll(n))
    out = []
    for i in range(2):
        out.append(f"{q} {i}")
    return out


@program(*N)
def texts_in_a_grown_list(n):
    out = []
    for i in range(n):
        out.append("%s" % ll(i))
    return out


@program(*N)
def texts_of_tuples(n):
    t_ = (ll(n), dd(n))
    nt = Pt(ll(n), 2)
    return (str(t_), f"{nt}", "%s" % (t_,), "%s %s" % t_, repr(nt))
