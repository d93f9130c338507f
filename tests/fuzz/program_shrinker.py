"""Makes a failing program smaller: drops statements, opens compound ones, shortens expressions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

Edit = Callable[[ast.AST], bool]


def shrink(source: str, fails: Callable[[str], bool], tries: int = 600) -> str:
    """A smaller text that still fails; `fails` must not raise."""
    tree = ast.parse(source)
    smaller = True
    while smaller and tries > 0:
        smaller = False
        for edits in (_chunk_edits, _block_edits, _expression_edits):
            place = 0
            while tries > 0:
                # The edit at `place` of the tree as it is by now: what worked is not tried again.
                edit = _nth(edits(tree), place)
                if edit is None:
                    break
                edited = copy.deepcopy(tree)
                place += 1
                if not edit(edited):
                    continue
                tries -= 1
                if fails(_text(edited)):
                    tree, smaller = ast.parse(_text(edited)), True
                    place -= 1
    return _text(tree)


def _text(tree: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _nth(edits: Iterator[Edit], place: int) -> Edit | None:
    for number, edit in enumerate(edits):
        if number == place:
            return edit
    return None


def _chunk_edits(tree: ast.AST) -> Iterator[Edit]:
    """Drop half of a block, then quarters, and so on; what is left of one statement is no chunk."""
    for number, block in enumerate(_blocks(tree)):
        size = len(block) // 2
        while size > 1:
            for start in range(len(block) - size, -1, -size):
                yield lambda t, n=number, s=start, c=size: _cut(list(_blocks(t))[n], s, c)  # type: ignore[misc]
            size //= 2


def _block_edits(tree: ast.AST) -> Iterator[Edit]:
    """Drop a statement, or put its body in its place; large ones and late ones first."""
    for number, block in enumerate(_blocks(tree)):
        for place in reversed(range(len(block))):
            yield lambda t, n=number, p=place: _drop(list(_blocks(t))[n], p)  # type: ignore[misc]
            yield lambda t, n=number, p=place: _open(list(_blocks(t))[n], p)  # type: ignore[misc]


def _expression_edits(tree: ast.AST) -> Iterator[Edit]:
    """Put a part of an expression in its place."""
    for number, (node, field, index) in enumerate(_expressions(tree)):
        value = getattr(node, field)
        whole = value if index is None else value[index]
        for part in range(len(list(_parts(whole)))):
            yield lambda t, n=number, p=part: _replace(*list(_expressions(t))[n], p)  # type: ignore[misc]


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements, outermost first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block


def _cut(block: list[ast.stmt], start: int, count: int) -> bool:
    del block[start : start + count]
    if not block:
        block.append(ast.Pass())
    return True


def _drop(block: list[ast.stmt], place: int) -> bool:
    dropped = block.pop(place)
    if not block:
        block.append(ast.Pass())
    return not isinstance(dropped, ast.Pass)


def _open(block: list[ast.stmt], place: int) -> bool:
    statement = block[place]
    if not isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.With):
        return False
    block[place : place + 1] = [*statement.body, *getattr(statement, "orelse", [])]
    return True


Place = tuple[ast.AST, str, int | None]


def _expressions(tree: ast.AST) -> Iterator[Place]:
    """Where the expressions stand that may be shortened, outer ones first."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and _shortened(value):
                yield node, field, None
            elif isinstance(value, list) and field not in ("targets", "decorator_list"):
                for index, one in enumerate(value):
                    if isinstance(one, ast.expr) and _shortened(one):
                        yield node, field, index


def _shortened(node: ast.expr) -> bool:
    loaded = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    return loaded and not isinstance(node, ast.Name | ast.Constant | ast.JoinedStr | ast.Starred)


def _parts(node: ast.AST) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
            yield child


def _replace(node: ast.AST, field: str, index: int | None, part: int) -> bool:
    value = getattr(node, field)
    whole = value if index is None else value[index]
    smaller = list(_parts(whole))[part]
    if index is None:
        setattr(node, field, smaller)
    else:
        value[index] = smaller
    return True
