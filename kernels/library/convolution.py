"""Patches of images as rows of a matrix, and back: what makes products of convolutions.

An image is [height, width, channels]. Position p of the output, counted over a batch of images, is
a window of `rows` by `columns` elements, `step` apart from the next one and with elements `spread`
apart; `top` and `left` rows and columns of zeros are before the image, as many as needed behind it.
"""

from __future__ import annotations

from typing import Any

STRETCH = 1024
"""Positions of one line that `filter_lines` takes together: their sums stay in the cache."""


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


def filter_lines(
    out: Any,
    x: Any,
    weights: Any,
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
    """out[start + i] = the window at that position times the weights, for i < count; gives 0.

    For images and results of one channel, weights of [rows, columns]: no patches are gathered.
    """
    i = 0
    while i < count:
        place = start + i
        image = place // (out_height * out_width)
        first_y = place // out_width % out_height * step_y - top
        first = place % out_width
        length = min(out_width - first, min(count - i, STRETCH))
        for k in range(length):
            out[place + k] = 0
        for row in range(rows):
            y = first_y + row * spread_y
            if (y >= 0) & (y < height):
                line = (image * height + y) * width
                filter_line(
                    out,
                    x,
                    weights,
                    place,
                    line,
                    row * columns,
                    first,
                    length,
                    width,
                    columns,
                    step_x,
                    spread_x,
                    left,
                )
        i += length
    return 0


def filter_line(
    out: Any,
    x: Any,
    weights: Any,
    place: int,
    line: int,
    row: int,
    first: int,
    length: int,
    width: int,
    columns: int,
    step: int,
    spread: int,
    left: int,
) -> int:
    """Adds to out[place:place + length], which are the positions from `first` on of their line, a
    line x[line:line + width] times a row of weights; gives 0. Four weights at a time where no
    window stands out over the line."""
    column = 0
    while column < columns:
        shift = column * spread - left
        low = max(0, (step - 1 - shift) // step - first)
        high = min(length, (width - shift + step - 1) // step - first)
        begin = line + first * step + shift
        last = first + length - 1 + shift + 3 * spread
        if (step == 1) & (column + 4 <= columns) & (low == 0) & (last < width):
            one = weights[row + column]
            two = weights[row + column + 1]
            three = weights[row + column + 2]
            four = weights[row + column + 3]
            for k in range(length):
                total = out[place + k] + one * x[begin + k]
                total = total + two * x[begin + spread + k]
                total = total + three * x[begin + 2 * spread + k]
                out[place + k] = total + four * x[begin + 3 * spread + k]
            column += 4
        else:
            one = weights[row + column]
            if step == 1:
                for k in range(low, high):
                    out[place + k] = out[place + k] + one * x[begin + k]
            else:
                for k in range(low, high):
                    out[place + k] = out[place + k] + one * x[begin + k * step]
            column += 1
    return 0
