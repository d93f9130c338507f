"""The look at the names of programs finds what has no value on some path."""

from __future__ import annotations

import pytest

from autograph.kernels import compile as compiling
from tests.harness.program_names import Paths, UndefinedNameError

BRANCHES = """\
def program(a0):
    if a0:
        s0 = a0
    else:
        return a0
    return s0
"""
TURNS = """\
def program(a0):
    turning0 = True
    while turning0:
        for _turning0 in range(16):
            s0 = a0
            if s0:
                turning0 = False
                break
    return s0
"""


@pytest.mark.parametrize("text", (BRANCHES, TURNS))
def test_names_that_have_a_value_on_every_path(text: str) -> None:
    Paths(text, {"range"}).go()


@pytest.mark.parametrize(
    "text",
    (
        BRANCHES.replace("return a0", "s1 = a0"),
        BRANCHES.replace("    else:\n        return a0\n", ""),
        BRANCHES.replace("else", "elif a0"),
        TURNS.replace("_turning0", "i0"),
        TURNS.replace("            s0 = a0\n", "").replace("if s0", "if a0"),
        TURNS.replace("turning0 = True", "turning0 = s0"),
    ),
)
def test_names_that_have_none_on_some_path(text: str) -> None:
    with pytest.raises(UndefinedNameError):
        Paths(text, {"range"}).go()


def test_names_that_nothing_defines() -> None:
    with pytest.raises(UndefinedNameError, match="nothing defines n3"):
        compiling.entry_of("def program(arguments):\n    return 0 if arguments else n3", jit=False)
