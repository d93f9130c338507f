"""`a.view(dtype)`: the bytes of arrays as numbers of another dtype, read and written."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

FLOATS = np.float32([1, 4, 9, -2.5])


@program(case(FLOATS), case(FLOATS[:1]), compiled=True)
def fast_inverse_root(a):
    halves = a.view(np.int32) >> 1
    y = (0x5F3759DF - halves).view(np.float32)
    return y * (1.5 - 0.5 * a * y * y)


@program(case(FLOATS), compiled=True)
def bytes_changed_in_place(a):
    parts = a.view(np.uint8)
    parts[0] = 7
    parts[3::4] ^= 0x80
    return parts, parts.view(np.uint16), a


@program(case(np.array([1 + 2j, 3 - 1j])))
def complex_as_pairs(z):
    flat = z.view(float)
    flat[1] += 2.0
    pairs = flat.reshape(-1, 2)
    pairs[:, 0] = 9
    return flat, z, flat.view(complex)


@program(case(np.array([1.5, -2, np.nan, 0])), compiled=True)
def exponents(x):
    bits = x.view(np.uint64)
    power = (bits >> np.uint64(52) & np.uint64(0x7FF)).astype(np.int64) - 1023
    return x.view(np.int64), power, x.view("u1").reshape(-1, 8)[:, ::-1], x.view(type=np.ndarray)


@program(case(FLOATS), case(FLOATS * 3))
def checksum_of_bits(a):
    total = 0
    for value in a:
        total ^= int(value.view(np.int32))
    return total, a[0].view("u4"), (a > 1).view(np.int8)


@program(case(ag.asarray([1.0, -2.0])), case(ag.asarray([0.5])), compiled=True)
def bits_of_tensors(x):
    bits = ag.bitcast(x, "uint32")
    return bits >> 23, ag.bitcast(bits ^ 0x80000000, ag.float32)


@program(case(FLOATS[:3], "f8"), case(FLOATS, "f8"), case(FLOATS, "i2"), case(FLOATS, "b1"))
def bytes_that_may_not_fit(a, kind):
    try:
        return a.view(kind), a[1].view(kind)
    except ValueError as error:
        return str(error)
