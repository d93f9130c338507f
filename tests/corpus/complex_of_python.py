"""Python's own complex numbers, and `cmath`, where a part is staged."""

from __future__ import annotations

import cmath

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = np.array([0.3, -1.25, 2.0])
LOOSE = {"ulps": 64, "exact": False}


@program(case(t(-0.5), t(0.5)), case(t(1.0), t(1.0)), case(t(0.0), t(0.0)), compiled=True, **LOOSE)
def escapes(x, y):
    c = complex(float(x), float(y))
    z = 0
    for n in range(30):
        if abs(z) > 2:
            return n, z
        z = z * z + c
    return 30, z


@program(case(6, 4, 20), case(3, 3, 12), compiled=True, **LOOSE)
def mandelbrot_rows(width, height, limit):
    counts = np.zeros((height, width), dtype=np.int64)
    for row in range(height):
        for column in range(width):
            c = complex(column / width * 3 - 2, row / height * 2 - 1)
            z, n = 0j, 0
            while abs(z) <= 2 and n < limit:
                z = z * z + c
                n += 1
            counts[row, column] = n
    return counts


@program(case(t(1.0), t(2.0), t(3.0)), case(t(1.0), t(-3.0), t(2.0)), compiled=True, **LOOSE)
def roots(a, b, c):
    a, b, c = float(a), float(b), float(c)
    d = cmath.sqrt(b * b - 4 * a * c)
    return (-b + d) / (2 * a), (-b - d) / (2 * a), d.imag != 0


@program(case(X), case(np.arange(8.0)), compiled=True, **LOOSE)
def transform(x):
    n = len(x)
    found = []
    for k in range(n):
        total = 0j
        for j in range(n):
            total += x[j] * cmath.exp(-2j * cmath.pi * k * j / n)
        found.append(total)
    return found


@program(case(t([1.0, 0.5, -2.0, 3.0])), case(t([2.0, -1.0])), **LOOSE)
def recursive_transform(x):
    def fft(items):
        n = len(items)
        if n <= 1:
            return items
        even, odd = fft(items[0::2]), fft(items[1::2])
        turned = [cmath.exp(-2j * cmath.pi * k / n) * odd[k] for k in range(n // 2)]
        left = [even[k] + turned[k] for k in range(n // 2)]
        return left + [even[k] - turned[k] for k in range(n // 2)]

    return fft([complex(float(one)) for one in x])


@program(case(t(4), t(3.0)), case(t(0), t(3.0)), compiled=True, **LOOSE)
def carried(n, x):
    z, w = 1j, complex(float(x), -1)
    trail = []
    for k in range(n):
        z = z * w / (k + 1) - 0.5
        w = w.conjugate()
        trail.append(z)
    return z, w, trail, len(trail)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.0)), compiled=True, **LOOSE)
def operators(x):
    z = complex(float(x), 0.5)
    w = 2 - z
    both = (z + w, z - w, z * w, z / w, -z, +z, abs(z), z == w, z != w, z == complex(z))
    mixed = 1 + z, 2.5 * z, z / 2, 3 / z, 1j * z, z - 1j, z + True
    return both, mixed, z**2, z**3, z**-1, z**0, z**0.5, z**w, 2**z, pow(z, 2), bool(z), not z


@program(case(t(1.0)), case(t(0.0)), compiled=True)
def divided_by_nothing(x):
    z = complex(float(x), 0)
    return (1 + 2j) / z


@program(case(t(1.0)), case(t(0.0)), compiled=True)
def powers_of_nothing(x):
    z = complex(float(x), 0)
    try:
        return z**-2
    except ZeroDivisionError as error:
        return str(error)


@program(case(t(1.5)), case(t(-0.0)), compiled=True)
def parts_and_kinds(x):
    z = complex(float(x), -0.0)
    kinds = type(z), isinstance(z, complex), isinstance(z, float), type(z.real), type(abs(z))
    return z.real, z.imag, z.conjugate(), kinds, complex(z), complex(float(x)), complex(1j, z)


@program(case(t(1.0)), case(t(0.0)), compiled=True)
def chosen(x):
    z = 2j if x > 0.5 else complex(float(x), 3.0)
    w = 1.0 if x > 0.5 else 1j
    return z, z if z == 2j else -z, w


@program(case(t(1.0)))
def not_ordered(x):
    z = complex(float(x), 1.0)
    try:
        return z < 2
    except TypeError as error:
        found = str(error)
    try:
        return z // 2
    except TypeError as error:
        return found, str(error)


@program(case(t(0.5)), case(t(0.0)), compiled=True, **LOOSE)
def functions(x):
    z = complex(float(x), 0.25)
    r, phi = cmath.polar(z)
    first = (
        cmath.sin(z),
        cmath.cosh(z),
        cmath.atan(z),
        cmath.log(z),
        cmath.log(z, 2),
        cmath.log10(z),
    )
    return first, r, phi, cmath.rect(r, phi), cmath.phase(z), cmath.isclose(z, z + 1e-12)


@program(case(t(1.0)), case(t(0.0)))
def outside_the_domain(x):
    try:
        return cmath.log(complex(float(x), 0.0))
    except ValueError as error:
        return str(error)


@program(case(X), case(X.astype(np.float32)), compiled=True, **LOOSE)
def beside_arrays(x):
    z = complex(float(x[0]), 1.0)
    made = np.array([z, 2 * z])
    return x * z, z + x, x[1] * z, made, np.exp(z * x), (x * z).dtype, np.abs(z), made.sum() + z


@program(case(t([0.5, 1.5])), compiled=True, **LOOSE)
def gradients(x):
    def f(x):
        z = complex(float(x[0]), float(x[1]))
        w = z * z + 1j * z
        return ag.asarray(w.real) + ag.asarray(abs(w)) + ag.asarray((w / z).imag)

    return ag.value_and_grad(f)(x)


@program(case(t([1.0, -6.0, 11.0, -6.0]), t(12)), **LOOSE)
def roots_of_a_polynomial(coefficients, rounds):
    n = 3
    found = [(0.4 + 0.9j) ** k for k in range(n)]
    for _ in range(rounds):
        for i in range(n):
            value = 0j
            for c in coefficients:
                value = value * found[i] + float(c)
            for j in range(n):
                if j != i:
                    value /= found[i] - found[j]
            found[i] = found[i] - value
    return [(round(one.real, 6) + 0.0, abs(one.imag) < 1e-6) for one in found]


@program(
    case(t(1.0, dtype="float64"), t(1000.0, dtype="float64")),
    case(t(1.0, dtype="float64"), t(-1000.0, dtype="float64")),
    case(t(1e200, dtype="float64"), t(2.5, dtype="float64")),
    **LOOSE,
)
def powers_beyond_floats(x, y):
    z = complex(float(x), 1.0)
    try:
        return z ** complex(1.0, float(y)), z ** float(y)
    except OverflowError as error:
        return str(error)
