"""Methods that classes inherit from collections.abc, UserDict and UserList."""

from __future__ import annotations

import collections
import collections.abc

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
ROWS = (case(t([3, 1, 2, 1, 3])), case(t([1, 1, 1, 4, 1])), case(t([5, 2, 2, 7, 0])))


class Bag(collections.abc.MutableMapping):
    def __init__(self, **kw):
        self.d = dict(kw)

    def __getitem__(self, k):
        return self.d[k]

    def __setitem__(self, k, v):
        self.d[k] = v

    def __delitem__(self, k):
        del self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


class Seq(collections.abc.Sequence):
    def __init__(self, items, least):
        self.items = items
        self.least = least

    def __getitem__(self, i):
        if i >= len(self.items):
            raise IndexError(i)
        x = self.items[i]
        return x if x > self.least else -x

    def __len__(self):
        return len(self.items)


class Small(collections.abc.Set):
    def __init__(self, items):
        self.items = list(items)

    def __contains__(self, x):
        return any(x == y for y in self.items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)


class Mut(collections.abc.MutableSequence):
    def __init__(self, items):
        self.items = list(items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, v):
        self.items[i] = v

    def __delitem__(self, i):
        del self.items[i]

    def insert(self, i, v):
        self.items.insert(i, v)

    def __len__(self):
        return len(self.items)


@program(*ROWS)
def userdict_pop(v):
    d = collections.UserDict(a=v[0], b=v[1])
    k = "a" if v[0] > 2 else "b"
    x = d.pop(k)
    return x, d.get("a", -1), d.get("b", -1), d.get(k, -2)


@program(*ROWS)
def userdict_get(v):
    d = collections.UserDict(a=v[0], b=v[1])
    k = "a" if v[0] > 2 else "c"
    return d.get(k), d.get(k, 9), k in d, d.setdefault(k, 5)


@program(*ROWS)
def bag_popitem(v):
    b = Bag(x=v[0], y=v[1])
    k, x = b.popitem()
    if v[0] > 2:
        b.clear()
    return k, x, len(b)


@program(*ROWS)
def seq(v):
    s = Seq(v, 1)
    return list(s), 3 in s, s.count(2), list(reversed(s)), sum(s)


@program(*ROWS)
def seq_index(v):
    s = Seq(v, 1)
    try:
        return s.index(2)
    except ValueError:
        return -1


@program(*ROWS)
def small(v):
    s = Small([v[0], v[1]])
    return v[2] in s, s <= Small([v[0], v[1], v[2]]), s.isdisjoint([v[3]]), s == Small([v[1], v[0]])


@program(*ROWS)
def small_ops(v):
    s = Small([v[0], v[1]])
    u = s & Small([v[2], v[3]])
    return len(u)


@program(*ROWS)
def mut(v):
    m = Mut([v[0], v[1]])
    if v[0] > 2:
        m.append(v[2])
    m.extend([v[3], v[4]])
    a = m.pop()
    m.reverse()
    m += [v[0]]
    return a, m.items, len(m)


@program(*ROWS)
def mut_remove(v):
    m = Mut([v[0], v[1], v[2]])
    try:
        m.remove(2)
    except ValueError:
        m.append(9)
    return m.items


@program(*ROWS)
def iter_class(v):
    class Count(collections.abc.Iterator):
        def __init__(self):
            self.i = 0

        def __next__(self):
            if self.i >= v[0]:
                raise StopIteration
            self.i += 1
            return self.i

    return sum(Count()), [x for x in Count()], isinstance(Count(), collections.abc.Iterable)


@program(*ROWS)
def gen_class(v):
    class G(collections.abc.Generator):
        def __init__(self):
            self.n = v[0]

        def send(self, x):
            if self.n <= 0:
                raise StopIteration
            self.n -= 1
            return self.n

        def throw(self, *a):
            raise a[0]

    return list(G()), next(G(), 5)


@program(*ROWS)
def userlist(v):
    u = collections.UserList([v[0], v[1]])
    if v[0] > 2:
        u.append(v[2])
    else:
        u.extend([v[3]])
    u.reverse()
    return list(u), len(u), u.count(1), v[0] in u, u.index(v[0])


@program(*ROWS)
def counter_methods(v):
    c = collections.Counter()
    for k in ["a", "b"]:
        if v[0] > 2:
            c[k] += 1
    return c["a"], c.get("a"), c.get("z"), "a" in c, c.pop("a", 0)
