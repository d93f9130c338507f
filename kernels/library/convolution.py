"""Patches of images as rows of a matrix, and back: what makes products of convolutions.

An image is [height, width, channels]. Position p of the output, counted over a batch of images, is
a window of `rows` by `columns` elements, `step` apart from the next one and with elements `spread`
apart; `top` and `left` rows and columns of zeros are before the image, as many as needed behind it.
"""

from __future__ import annotations

from typing import Any


def gather_patches(
    out: Any,
    x: Any,
    start: int,
    count: int,
    height: int,
    width: int,
    channels: int,
    rows: int,
    columns: int,
    out_height: int,
    out_width: int,
    step_y: int,
    step_x: int,
    spread_y: int,
    spread_x: int,
    top: int,
    left: int,
) -> int:
    """out[i, :] = the window at position start + i, for i < count; gives 0."""
    line = columns * channels
    for i in range(count):
        image = (start + i) // (out_height * out_width)
        first_y = (start + i) // out_width % out_height * step_y - top
        first_x = (start + i) % out_width * step_x - left
        inside = (first_x >= 0) & (first_x + columns <= width) & (spread_x == 1)
        for row in range(rows):
            y = first_y + row * spread_y
            to = (i * rows + row) * line
            if (y < 0) | (y >= height):
                for k in range(line):
                    out[to + k] = 0
            elif inside:
                begin = ((image * height + y) * width + first_x) * channels
                for k in range(line):
                    out[to + k] = x[begin + k]
            else:
                for column in range(columns):
                    at = first_x + column * spread_x
                    begin = ((image * height + y) * width + at) * channels
                    if (at < 0) | (at >= width):
                        for k in range(channels):
                            out[to + column * channels + k] = 0
                    else:
                        for k in range(channels):
                            out[to + column * channels + k] = x[begin + k]
    return 0


def scatter_patches(
    out: Any,
    x: Any,
    start: int,
    count: int,
    height: int,
    width: int,
    channels: int,
    rows: int,
    columns: int,
    out_height: int,
    out_width: int,
    step_y: int,
    step_x: int,
    spread_y: int,
    spread_x: int,
    top: int,
    left: int,
) -> int:
    """Adds x[i, :] to the window of `out` at position start + i, in order of i; gives 0."""
    line = columns * channels
    for i in range(count):
        image = (start + i) // (out_height * out_width)
        first_y = (start + i) // out_width % out_height * step_y - top
        first_x = (start + i) % out_width * step_x - left
        inside = (first_x >= 0) & (first_x + columns <= width) & (spread_x == 1)
        for row in range(rows):
            y = first_y + row * spread_y
            source = (i * rows + row) * line
            if (y >= 0) & (y < height):
                if inside:
                    begin = ((image * height + y) * width + first_x) * channels
                    for k in range(line):
                        out[begin + k] = out[begin + k] + x[source + k]
                else:
                    for column in range(columns):
                        at = first_x + column * spread_x
                        begin = ((image * height + y) * width + at) * channels
                        if (at >= 0) & (at < width):
                            for k in range(channels):
                                out[begin + k] = out[begin + k] + x[source + column * channels + k]
    return 0
