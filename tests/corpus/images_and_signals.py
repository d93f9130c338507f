"""Images, sequences and signals as users compute with them: windows, paddings, places, parts."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

IMAGE = [[[[1.0], [2.0], [0.5]], [[-1.0], [0.0], [3.0]], [[2.5], [-2.0], [1.0]]]]
KERNEL = [[[[1.0]], [[-0.5]]], [[[0.25]], [[2.0]]]]
VALUES = [3.0, -1.0, 2.0, 2.0, 0.0]


@program(case(t(IMAGE), t(KERNEL), t(3)), case(t(IMAGE), t(KERNEL), t(0)))
def convolved_until_small(x, k, n):
    steps = 0
    while ag.max(ag.abs(x)) > 1.5 and steps < n:
        x = ag.tanh(ag.conv2d(x, k, padding="SAME"))
        steps += 1
    return x, steps


@program(case(t(IMAGE), t(KERNEL), True), case(t(IMAGE), t(KERNEL), False))
def pooled_one_way_or_another(x, k, largest):
    y = ag.conv2d(x, k, padding=((1, 0), (0, 1)))
    if ag.sum(y) > 3:
        y = ag.max_pool2d(y, 2) if largest else ag.avg_pool2d(y, 2, padding="SAME")
    return y


@program(case(t(IMAGE), t(KERNEL)), case(t(IMAGE) * -1.0, t(KERNEL)))
def gradient_of_a_convolution_in_a_branch(x, k):
    with ag.GradientTape() as tape:
        tape.watch([x, k])
        y = ag.conv2d(x, k) if ag.mean(x) > 0 else ag.conv2d(x, k, strides=2) * 2.0
        loss = ag.sum(y * y)
    return loss, tape.gradient(loss, [x, k])


@program(case(t(IMAGE), t(KERNEL), t(2)), case(t(IMAGE), t(KERNEL), t(5)))
def rows_cut_to_a_staged_size(x, k, n):
    try:
        return ag.conv2d(x[:, : n - 1], k)
    except ValueError:
        return ag.zeros((1, 1, 1, 1))


@program(case(t(VALUES), t(1.5)), case(t(VALUES), t(9.0)), case(t(VALUES), t(-5.0)))
def places_of_large_values(x, least):
    (places,) = ag.nonzero(x > least)
    total = 0.0
    for place in places:
        total += x[place] * 2
    return places, total, ag.count_nonzero(x > least)


@program(case(t([1, 0, 3]), t([5.0, 6.0, 7.0])), case(t([0, 0, 1]), t([5.0, 6.0, 7.0])))
def run_lengths_written_out(counts, values):
    return ag.repeat(values, counts), ag.sum(counts)


@program(case(t(VALUES), t(2)), case(t(VALUES), t(0)), case(t(VALUES), t(4)))
def moving_mean_with_padding(x, n):
    width = int(n)
    padded = ag.pad(x, (width, width), mode="edge")
    total = ag.zeros_like(x)
    for k in range(2 * width + 1):
        total = total + padded[k : k + 5]
    return total / (2 * width + 1)


@program(case(t(VALUES)), case(t([1.0, 1.0])))
def runs_of_equal_values(x):
    change = ag.diff(x) != 0
    starts = ag.concat([t([True]), change])
    return x[starts], ag.count_nonzero(starts), ag.median(x)


@program(case(t(VALUES), t(0.5)), case(t(VALUES), t(3.0)))
def smooth_or_sharp(x, limit):
    result = []
    for value in x:
        if ag.abs(value) < limit:
            result.append(ag.gelu(value))
        elif value > 2.5:
            result.append(ag.softplus(value))
        else:
            result.append(ag.elu(value) + ag.silu(value) - ag.log_sigmoid(value) + ag.erf(value))
    return ag.stack(result)


@program(case(t([1.0, 2.0]), t([0.5, -1.0]), t(4)), case(t([1.0, 2.0]), t([0.5, -1.0]), t(0)))
def powers_of_a_complex_number(real, imag, n):
    z = ag.complex(real, imag)
    power = z
    for _ in range(n):
        power = power * z if ag.sum(ag.imag(power)) < 4 else ag.conj(power)
    return ag.real(power), ag.imag(power)


@program(case(t([3.0, 4.0]), t(1)), case(t([3.0, 4.0]), t(0)))
def root_of_a_complex_number(x, n):
    z = ag.complex(x, x)
    return ag.sqrt(z) if n > 0 else z


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(1)), case(t([[1.0, 2.0], [3.0, 4.0]]), t(3)))
def grid_and_parts(x, n):
    rows, columns = ag.meshgrid(ag.arange(n), ag.arange(2), indexing="ij")
    first, second = ag.split(x, 2, axis=1)
    return rows * 2 + columns, ag.roll(first, n), ag.swapaxes(second, 0, 1)
