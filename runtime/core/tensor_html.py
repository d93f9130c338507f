"""A tensor as a notebook shows it: its dtype and shape, its range, and its elements as a table."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

EDGE = 5
"""How many rows and columns of a large table are shown at either end."""


def as_html(heading: str, array: np.ndarray[Any, Any]) -> str:
    """The elements under a heading: a table up to two axes, NumPy's own text beyond."""
    title = f"<code>{html.escape(heading)}</code>{_range(array)}"
    if array.ndim > 2 or not array.size:
        return f"<div>{title}<pre>{html.escape(str(array))}</pre></div>"
    rows = [[array[()]]] if not array.ndim else [array] if array.ndim == 1 else array
    lines = [_row(rows[place]) if place is not None else _gap(rows[0]) for place in _places(rows)]
    return f"<div>{title}<table>{''.join(lines)}</table></div>"


def _range(array: np.ndarray[Any, Any]) -> str:
    """The least, the mean and the greatest of many real numbers."""
    if array.size < 2 or array.dtype.kind not in "iuf":
        return ""
    with np.errstate(all="ignore"):
        found = {"min": array.min(), "mean": array.mean(dtype=float), "max": array.max()}
    return " " + ", ".join(f"{name} {_number(value)}" for name, value in found.items())


def _places(items: Any) -> list[int | None]:
    """The positions that are shown, None for those left out between them."""
    if len(items) <= 2 * EDGE:
        return list(range(len(items)))
    return [*range(EDGE), None, *range(len(items) - EDGE, len(items))]


def _row(items: Any) -> str:
    cells = ["…" if place is None else _number(items[place]) for place in _places(items)]
    return f"<tr>{''.join(f'<td>{one}</td>' for one in cells)}</tr>"


def _gap(items: Any) -> str:
    return f"<tr>{'<td>⋮</td>' * len(_places(items))}</tr>"


def _number(value: Any) -> str:
    return f"{value:.5g}" if value.dtype.kind in "fc" else str(value)
