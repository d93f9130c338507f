"""NumPy code with complex numbers: fractals, roots, transforms, circuits, states, waves."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

C = np.array([0.1 + 0.5j, -1.5 + 0.5j, 0.3 - 0.01j, 2j])
Z = np.array([1 + 2j, 3 - 1j, 0.5j, -1 - 1j])
W = np.array([0.5 - 1j, 2j, 1 + 1j, -0.25 + 0j])
SIGNAL = np.array([1.0, 2.0, 0.0, -1.0, 0.5, 3.0, -2.0, 1.5])


# fractals -----------------------------------------------------------------------------------------
@program(case(C, 20), case(C[:1], 0), compiled=True)
def mandelbrot(points, limit):
    counts = np.zeros(len(points), dtype=np.int64)
    for i in range(len(points)):
        c = points[i]
        z = 0j
        n = 0
        while n < limit and abs(z) <= 2:
            z = z * z + c
            n += 1
        counts[i] = n
    return counts


@program(case(np.linspace(-2, 1, 7), np.linspace(-1, 1, 5), ag.asarray(20)), compiled=True)
def mandelbrot_of_a_grid(across, up, limit):
    image = np.zeros((len(up), len(across)), dtype=np.int64)
    for row in range(len(up)):
        for column in range(len(across)):
            c = across[column] + 1j * up[row]
            z = c
            for k in range(limit):
                z = z * z + c
                if z.real**2 + z.imag**2 > 4:
                    break
            image[row, column] = k
    return image


@program(case(C, -0.4 + 0.6j, 15), compiled=True)
def julia(grid, c, steps):
    z = grid.copy()
    alive = np.zeros(z.shape, dtype=int)
    for _ in range(steps):
        mask = np.abs(z) <= 2
        z[mask] = z[mask] ** 2 + c
        alive += mask
    return alive, z


@program(case(np.array([[1 + 1j, -1 + 0.2j], [0.1j - 0.7, 2 - 0.5j]]), 12), compiled=True)
def newton_fractal(z, steps):
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    for _ in range(steps):
        z = z - (z**3 - 1) / (3 * z**2)
    return np.argmin(np.abs(z[..., None] - roots), axis=-1), z


@program(case(1 + 1j, 30), case(-1 + 0.3j, 3), exact=False)
def newton_of_a_scalar(start, steps):
    z = np.complex128(start)
    for k in range(steps):
        step = (z * z * z - 1) / (3 * z * z)
        z = z - step
        if abs(step) < 1e-12:
            return z, k
    return z, steps


# polynomials --------------------------------------------------------------------------------------
@program(case(np.array([1.0, -6.0, 11.0, -6.0]), 40), exact=False, ulps=256, compiled=True)
def durand_kerner(coefficients, steps):
    n = len(coefficients) - 1
    roots = (0.4 + 0.9j) ** np.arange(n)
    for _ in range(steps):
        for i in range(n):
            value = 0j
            for c in coefficients:
                value = value * roots[i] + c
            others = 1 + 0j
            for j in range(n):
                if j != i:
                    others = others * (roots[i] - roots[j])
            roots[i] -= value / others
    return roots


@program(case(np.array([2 + 1j, -1j, 0.5]), Z), compiled=True)
def horner(coefficients, x):
    result = np.zeros_like(x)
    for c in coefficients:
        result = result * x + c
    return result


# transforms ---------------------------------------------------------------------------------------
@program(case(SIGNAL), case(Z), compiled=True)
def dft_by_loops(x):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.exp(-2j * np.pi * k * t / n)
    return out


@program(case(SIGNAL), compiled=True)
def dft_as_a_product(x):
    n = x.shape[0]
    k = np.arange(n)
    matrix = np.exp(-2j * np.pi * k.reshape((n, 1)) * k / n)
    return matrix @ x, np.abs(matrix @ x) ** 2


@program(case(SIGNAL), case(Z))
def fft_by_recursion(x):
    def transform(x):
        n = x.shape[0]
        if n <= 1:
            return x.astype(complex)
        even, odd = transform(x[::2]), transform(x[1::2])
        turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + turned, even - turned])

    return transform(x)


@program(case(SIGNAL, 3), compiled=True)
def goertzel(x, k):
    w = 2 * np.pi * k / len(x)
    turn = np.exp(1j * w)
    s, before = 0.0, 0.0
    for sample in x:
        s, before = sample + 2 * turn.real * s - before, s
    return turn * s - before


@program(case(SIGNAL), compiled=True)
def low_pass(x):
    spectrum = np.fft.fft(x)
    spectrum[3:-2] = 0
    power = 0.0
    for value in spectrum:
        power += abs(value) ** 2
    return np.fft.ifft(spectrum).real, power


# circuits and signals -----------------------------------------------------------------------------
@program(case(np.array([1.0, 10.0, 100.0]), 50.0, 0.1, 1e-3), compiled=True)
def impedance(omega, r, inductance, c):
    z = r + 1j * omega * inductance + 1 / (1j * omega * c)
    return np.abs(z), np.angle(z, deg=True), 1 / z


@program(case(np.array([0.1, 1.0, 10.0]), np.array([1.0]), np.array([1.0, 0.5, 1.0])))
def transfer_function(omega, numerator, denominator):
    s = 1j * omega
    response = np.polyval(numerator, s) / np.polyval(denominator, s)
    return 20 * np.log10(np.abs(response)), np.angle(response)


@program(case(SIGNAL, np.array([0.2, 0.3]), np.array([1.0, -0.5])), compiled=True)
def response_of_a_filter(frequencies, b, a):
    out = np.empty(len(frequencies), dtype=np.complex128)
    for i, w in enumerate(frequencies):
        z = np.exp(-1j * w)
        out[i] = (b[0] + b[1] * z) / (a[0] + a[1] * z)
    return out


@program(case(np.exp(1j * np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.5]))), compiled=True)
def unwrapped(z):
    phase = np.angle(z)
    out = phase.copy()
    for i in range(1, len(phase)):
        jump = phase[i] - phase[i - 1]
        out[i] = out[i - 1] + jump - 2 * np.pi * np.round(jump / (2 * np.pi))
    return out


@program(case(SIGNAL, 0.25), case(SIGNAL.astype(np.float32), 0.25))
def mixed_down(x, frequency):
    t = np.arange(x.shape[0])
    carrier = np.exp(-2j * np.pi * frequency * t)
    base = x * carrier
    return base.real, base.imag, np.cumsum(base), base.mean()


# states -------------------------------------------------------------------------------------------
@program(case(np.array([1, 0, 0, 0], dtype=complex), 3), compiled=True)
def quantum_gates(state, rounds):
    h = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    phase = np.array([[1, 0], [0, 1j]])
    swap = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    for _ in range(rounds):
        state = np.kron(h, np.eye(2)) @ state
        state = swap @ state
        state = np.kron(np.eye(2), phase) @ state
    return state, np.abs(state) ** 2, np.vdot(state, state).real


@program(case(Z / np.linalg.norm(Z), 1), case(Z, 0))
def gate_in_place(state, target):
    gate = np.array([[0, -1j], [1j, 0]])
    size = 1 << target
    for i in range(len(state)):
        if not i & size:
            low, high = state[i], state[i | size]
            state[i] = gate[0, 0] * low + gate[0, 1] * high
            state[i | size] = gate[1, 0] * low + gate[1, 1] * high
    return state


@program(case(Z.copy(), np.array([0.0, 1.0, 1.0, 0.0]), 0.01, 5), compiled=True)
def schroedinger_in_place(psi, potential, dt, steps):
    for _ in range(steps):
        change = psi[2:] - 2 * psi[1:-1] + psi[:-2]
        psi[1:-1] += 1j * dt * (0.5 * change - potential[1:-1] * psi[1:-1])
        psi[0] = psi[-1] = 0
    return np.sum(np.abs(psi) ** 2)


@program(case(Z, 4), compiled=True)
def split_step(psi, steps):
    k = 2 * np.pi * np.fft.fftfreq(psi.shape[0])
    for _ in range(steps):
        psi = psi * np.exp(-0.05j * np.abs(psi) ** 2)
        psi = np.fft.ifft(np.exp(-0.05j * k**2) * np.fft.fft(psi))
    return psi


@program(case(Z, W), exact=False, compiled=True)
def scalar_kalman(measured, turns):
    x, p = 0j, 1.0
    out = np.empty_like(measured)
    for i in range(len(measured)):
        x, p = turns[i] * x, abs(turns[i]) ** 2 * p + 0.1
        gain = p / (p + 0.5)
        x = x + gain * (measured[i] - x)
        p = (1 - gain) * p
        out[i] = x
    return out, p


# details ------------------------------------------------------------------------------------------
@program(case(Z, W), exact=False, compiled=True)
def parts_and_conjugates(z, w):
    found = []
    total = 0.0
    for i in range(len(z)):
        a = z[i]
        total += a.real * w[i].imag - (a * w[i].conjugate()).real
        found.append(abs(a))
    return total, found, z.conj().imag, (z == w) | (z.real > 0)


@program(case(Z, W), case(Z.astype(np.complex64), W.astype(np.complex64)), compiled=True)
def functions_of_arrays(z, w):
    return np.sqrt(z) + np.exp(w), np.log(z), np.sin(z) * np.cosh(w), np.tanh(z) / w, z**w, z**2.5


@program(case(Z), case(Z[:0]))
def where_and_sums(z):
    positive = np.where(z.real > 0, z, 0)
    return positive, positive.sum(), np.isfinite(z).all(), z.any(), np.abs(z).sum()


@program(case(np.array([0j, 1 + 0j]), np.array([0j, 0j])))
def divided_by_zero(z, w):
    with np.errstate(all="ignore"):
        return z / w, np.log(z), np.sqrt(-z), np.sqrt(np.conj(-z))


@program(case(Z, 3), case(Z, 5), case(Z, -1))
def one_that_is_missing(z, i):
    if abs(z[0]) > 100:
        raise ValueError("too large")
    total = z[i] * 2
    for k in range(i):
        total += z[k]
        if total.imag > 100:
            raise OverflowError(f"at {k}")
    return total


@program(case(ag.asarray(Z), ag.asarray(2.5)), case(ag.asarray(Z), ag.asarray(0.0)), compiled=True)
def chosen_by_branches(z, x):
    if x > 1:
        w = z * 1j
    elif x > 0:
        w = z + x
    else:
        w = ag.complex(ag.imag(z), ag.real(z))
    while ag.abs(w[0]) < 50:
        w = w * (1.5 + 0.5j)
    return w


@program(case(ag.asarray([0.3, -0.7, 1.1]), ag.asarray([1.0, 0.5, -0.2])), ulps=64, compiled=True)
def gradient_through_parts(a, b):
    def loss(a, b):
        z = ag.complex(a, b)
        w = ag.exp(1j * z) * z / (z + 2)
        return ag.sum(ag.abs(w) ** 2) + ag.real(ag.sum(w * ag.conj(z)))

    return ag.grad(loss, argnums=(0, 1))(a, b)


@program(case(ag.asarray(Z), ag.asarray(4)), exact=False)
def gradient_of_a_loop(z, n):
    def loss(z):
        w = z
        for _ in range(n):
            w = w * w * 0.1 + z
        return ag.sum(ag.real(w))

    return ag.grad(loss)(z)


@program(case(ag.asarray(Z), ag.asarray(3)))
def rows_of_a_list(z, n):
    rows = []
    for k in range(n):
        rows.append(z * (1j**2) * k)
    return ag.stack(rows), rows


@program(case(Z))
def views_and_reshapes(z):
    grid = z.reshape(2, 2)
    grid[0, 1] *= 2j
    grid.T[1, 1] = 5
    flat = grid[::-1].ravel()
    return z, flat, np.roll(z, 1), np.stack([z, z.conj()]), np.concatenate([z[:1], flat])


@program(case(ag.asarray(Z), ag.asarray(3)), case(ag.asarray(Z), ag.asarray(0)), compiled=True)
def powers_in_a_list(z, n):
    powers = [z * 0 + 1]
    for _ in range(n):
        powers.append(powers[-1] * z)
    if n > 1:
        powers[0] = powers[0] * 2j
        last = powers.pop()
    else:
        last = z
    return ag.stack(powers), last, len(powers)


@program(case(np.array([0.5 + 0.1j, 0.2j, -0.4 + 0.4j]), ag.asarray(6)), exact=False, compiled=True)
def orbits_in_a_list(points, limit):
    ends = []
    for c in points:
        z = c
        for _ in range(limit):
            if abs(z) > 1.2:
                break
            z = z**2 + c
        ends.append(z)
    return np.array(ends)


@program(case(ag.asarray(Z), ag.asarray(3)), case(ag.asarray(Z[:1]), ag.asarray(5)))
def powers_that_are_staged(z, n):
    total = z * 0
    for k in range(n):
        total = total + z**k - z ** (-k)
    return total, z ** ag.astype(n, ag.float64), 2.0**z


@program(case(Z, np.array([0.5, -1.5, 2.0, 0.0])), exact=False, compiled=True)
def parts_of_scalars(z, x):
    a = z[1]
    b = x[0] + 1j * x[1]
    return a.imag, a.real, np.imag(z) + 1, a.conjugate(), abs(a), b.imag, b.real + x[2]


@program(case(Z, np.array([0.5, -1.5, 2.0, 0.0])), compiled=True)
def parts_written_to(z, x):
    z.real[1:] += x[1:]
    z.imag[0] = 7
    part = z.imag
    part *= 2
    z[::2].real[1] = -1
    z.real *= x
    z[1:3].imag = x[2:] + 1
    return part, np.real(z) * 1


@program(case(Z, 3), compiled=True)
def parts_written_to_in_a_loop(z, n):
    w = z.copy()
    part = w.real
    for k in range(n):
        if part[k] > 0:
            part[k] -= 0.5 * k
        else:
            w.imag[k] = part[k]
        np.imag(w)[0] += k
    return w, part


@program(
    case(np.array([0.5, 3j, 2 + 1j]), np.array([True, False, True]), 2),
    case(np.array([1j, 1.0, -2.0, 4j]), np.array([False, False, True, True]), 3),
    case(np.array([1j, 1.0, -2.0]), np.array([False, True, True]), 0.5),
)
def chosen_beside_python_numbers(a, m, number):
    b = a.copy()
    b[0] = 5
    b[m] = 7
    return (
        np.where(m, a, 2),
        np.where(m, 1.0, a),
        np.where(m, a, True),
        np.where(m, np.nan, a),
        np.select([m], [a], 3),
        np.where(m, number, a),
        b,
    )


@program(case(np.array([0j, 1j, 2.0])), case(np.array([0j, -1.0])))
def powers_of_zero(a):
    return a ** (1 + 1j), np.abs(a**2), a**0, 0 ** (a + 1)


@program(case(np.array([1.0, -1.0, 0.0, -0.0, np.inf, -np.inf])), case(np.array([-2.5, 2.5])))
def angles_of_real_numbers(x):
    return np.angle(x), np.angle(x[0]), np.angle(x.astype(np.float32))


@program(case(np.array([1.0, 2.0, 3.0])), case(np.array([4.0, 5.0])))
def transforms_that_leave_are_apart(x):
    return np.fft.fft(x), np.fft.fft(x), np.zeros(2), np.zeros(2), np.fft.fft(x).real
