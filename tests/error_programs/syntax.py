"""What is refused or fails: syntax."""

from __future__ import annotations

from tests.error_programs.registry import one, refused


@refused(one)
def evaluates(x):
    return eval("x + 1")


@refused(one)
def names_of_frame(x):
    return locals()


@refused(one)
async def waits(x):
    return x
