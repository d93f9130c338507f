"""What layers are made with: looked at when they are made, not when they are called."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag

WHOLE = (int, np.integer)


def count_of(layer: Any, **given: Any) -> None:
    """TypeError or ValueError for what is no number of units, channels or rows."""
    for name, value in given.items():
        if not isinstance(value, WHOLE) or isinstance(value, bool):
            raise TypeError(f"{name} of {_named(layer)} is an int, not {value!r}")
        if value < 0:
            raise ValueError(f"{name} of {_named(layer)} is not below 0, as {value!r} is")


def activation_of(layer: Any, activation: Any) -> Any:
    """The function, or None; TypeError for its name, and for what belongs to `use_bias`."""
    if activation is None or callable(activation):
        return activation
    known = isinstance(activation, str) and activation in ag.__all__
    meant = f"activation=ag.{activation}" if known else "activation=ag.relu"
    if isinstance(activation, bool):
        meant = f"use_bias={activation}"
    raise TypeError(
        f"activation of {_named(layer)} is a function, not {activation!r}; write {meant}"
    )


def window_of(layer: Any, size: Any) -> tuple[int, int]:
    """Rows and columns of a window: an int means both."""
    both = tuple(size) if isinstance(size, list | tuple) else (size, size)
    if len(both) != 2 or not all(isinstance(one, WHOLE) for one in both):
        raise TypeError(
            f"size of {_named(layer)} is an int, or one for rows and one for columns, not "
            f"{size!r}; write size=3 or size=(3, 5)"
        )
    return both[0], both[1]


def padding_of(layer: Any, padding: Any) -> Any:
    """Padding as it is given; ValueError for a word that says nothing."""
    if isinstance(padding, str) and padding.upper() not in ("SAME", "VALID"):
        raise ValueError(
            f"padding of {_named(layer)} is 'SAME', 'VALID' or so many zeros, not {padding!r}"
        )
    return padding


def _named(layer: Any) -> str:
    return f"{type(layer).__name__}()"
