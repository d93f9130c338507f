"""Objects that stand twice in a row of a container: named by where they stand in it.

Paths begin where a freezing began, which is not the same for all rows of one container.
"""

from __future__ import annotations

from dataclasses import replace

from autograph.values.references import parts_in
from autograph.values.skeleton import Again, Choices, Group, Held, Made, Path, Skeleton

IN_ROW = "in row"


def with_own_names(row: Skeleton) -> Skeleton:
    """The row, with what it mentions again named by its place in the row."""
    wanted = {one.path for one in parts_in(row) if isinstance(one, Again) and one.leaf is None}
    if not wanted:
        return row
    names: dict[Path, Path] = {}
    _find(row, (IN_ROW,), wanted, names)
    return _renamed(row, names)


def names_in_row(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Those paths that are names in a row."""
    return tuple(path for path in paths if path[:1] == (IN_ROW,))


def _parts(skeleton: Skeleton) -> tuple[Skeleton, ...]:
    if isinstance(skeleton, Choices):
        return skeleton.options
    return skeleton.items if isinstance(skeleton, Group | Made | Held) else ()


def _find(skeleton: Skeleton, here: Path, wanted: set[Path], names: dict[Path, Path]) -> None:
    if isinstance(skeleton, Made):
        for path in skeleton.paths:
            if path in wanted:
                names.setdefault(path, here)
    for number, part in enumerate(_parts(skeleton)):
        _find(part, (*here, number), wanted, names)


def _renamed(skeleton: Skeleton, names: dict[Path, Path]) -> Skeleton:
    parts = tuple(_renamed(part, names) for part in _parts(skeleton))
    match skeleton:
        case Again(leaf=None, path=path):
            return replace(skeleton, path=names.get(path, path))
        case Made(paths=paths):
            paths = tuple(dict.fromkeys(names.get(path, path) for path in paths))
            return replace(skeleton, items=parts, paths=paths)
        case Group() | Held():
            return replace(skeleton, items=parts)
        case Choices():
            return replace(skeleton, options=parts)
    return skeleton
