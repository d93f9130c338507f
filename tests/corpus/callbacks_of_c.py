"""Functions that C code calls, and iterators of its own over lists of staged length."""

from __future__ import annotations

import json
import re

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(2.0)), case(t(-1.0)))


@program(*X, refused="UnconvertedCallError")
def substituted(x):
    return re.sub("a", lambda m: "+" if x > 0 else "-", "banana")


@program(*X, refused="UnconvertedCallError")
def substituted_text(x):
    return re.compile("a").sub(lambda m: f"{float(x):.1f}", "banana")


@program(*X, refused="UnconvertedCallError")
def default_of_json(x):
    return json.dumps({"a": {1}}, default=lambda o: float(x))


@program(*X)
def known_result(x):
    log = []

    def f(m):
        log.append(x)
        return "b"

    return re.sub("a", f, "banana"), log
