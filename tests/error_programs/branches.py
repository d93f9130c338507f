"""What is refused or fails: branches."""

from __future__ import annotations

import math
import os

from tests.error_programs.registry import one, refused, t, three


@refused(three)
def too_many_values(x):
    name = b""
    for k in range(20):
        for m in range(4):
            if x > 4 * k + m:
                name = b"above %d" % (4 * k + m)
    return name


@refused(one)
def choice_used_natively(x):
    name = "a" if x > 0 else "b"
    return math.sqrt(len(os.path.join(name, "c")))


@refused(lambda: t(-1.0))
def unset_after_branch(x):
    if x > 0:
        y = x
    return y


@refused(one)
def deleted_in_branch(x):
    y = x
    if x > 0:
        del y
    return y


@refused(three)
def unset_after_loop(n):
    for i in range(n - 5):
        last = i
    return last


@refused(one)
def identity_of_choice(x):
    return id(x if x > 0 else x + 1)


@refused(one)
def list_of_many_choices(x):
    labels = ["hot" if x > k else "cold" for k in range(16)]
    return set(labels)
