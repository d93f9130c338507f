"""Makes a failing program smaller: drops statements, and replaces compound ones by their bodies."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator


def shrink(source: str, fails: Callable[[str], bool], tries: int = 400) -> str:
    """A smaller text that still fails; `fails` must not raise."""
    smaller = True
    while smaller and tries > 0:
        smaller = False
        for candidate in _smaller(source):
            tries -= 1
            if tries <= 0:
                break
            if fails(candidate):
                source, smaller = candidate, True
                break
    return source


def _smaller(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    count = len(list(_blocks(tree)))
    for number in range(count):
        length = len(list(_blocks(tree))[number])
        for place in range(length):
            for change in (_drop, _unwrap):
                edited = copy.deepcopy(tree)
                block = list(_blocks(edited))[number]
                if change(block, place):
                    yield ast.unparse(ast.fix_missing_locations(edited)) + "\n"


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statement lists inside functions, outermost first."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module):
            continue
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block


def _drop(block: list[ast.stmt], place: int) -> bool:
    dropped = block.pop(place)
    if not block:
        block.append(ast.Pass())
    return not isinstance(dropped, ast.Pass)


def _unwrap(block: list[ast.stmt], place: int) -> bool:
    statement = block[place]
    if not isinstance(statement, ast.If | ast.For | ast.While):
        return False
    block[place : place + 1] = [*statement.body, *statement.orelse]
    return True
