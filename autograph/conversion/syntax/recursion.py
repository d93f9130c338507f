"""Room on the stack for walks over deep trees.

A sum of a thousand terms is a tree a thousand levels deep, and each pass over it recurses a few
frames a level. Python's default limit ends that at about two hundred terms.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from autograph.conversion.syntax.tree import Node, iter_child_nodes

Result = TypeVar("Result")

# Deeper trees than this are walked in a thread of its own; everyday functions stay below.
_SHALLOW = 60
_STACK_BYTES = 512 * 1024 * 1024
_LIMIT = 200_000
_NAME = "autograph-tree"
_lock = threading.Lock()


def depth_of(tree: Node) -> int:
    """How many levels of nodes a tree has, found without recursion."""
    depth = 0
    level = [tree]
    while level:
        depth += 1
        level = [child for node in level for child in iter_child_nodes(node)]
    return depth


def with_room(tree: Node, action: Callable[[], Result]) -> Result:
    """`action()`, with room enough for recursion over `tree`, and over what passes make of it."""
    return action() if depth_of(tree) <= _SHALLOW else with_most_room(action)


def with_most_room(action: Callable[[], Result]) -> Result:
    """`action()` in a thread with a large stack, in the caller's context."""
    if threading.current_thread().name == _NAME:
        return action()
    with _lock:
        return _in_thread(action)


def _in_thread(action: Callable[[], Result]) -> Result:
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(action())
        except BaseException as error:  # handed over to the caller, whatever it is
            errors.append(error)

    context = contextvars.copy_context()
    recursion_limit = sys.getrecursionlimit()
    stack_size = threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(max(recursion_limit, _LIMIT))
    try:
        thread = threading.Thread(target=context.run, args=(run,), name=_NAME)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(recursion_limit)
        threading.stack_size(stack_size)
    if errors:
        raise errors[0]
    return results[0]
