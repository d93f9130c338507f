"""W14: loops of scalars whose number of turns the data decide: Mandelbrot, and an adaptive step."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload

SIDE, DEEPEST, END = 256, 100, 5.0
START = (1.0, 1.0, 1.0)


@ag.function
def mandelbrot_image(a: Any, b: Any, deepest: Any) -> Any:
    """The escape times of every point, one after the other."""
    counts = ag.zeros(a.shape, dtype=ag.int64)
    for i in range(a.shape[0]):
        x = y = 0.0
        turns = 0
        while x * x + y * y <= 4.0 and turns < deepest:
            x, y = x * x - y * y + a[i], 2.0 * x * y + b[i]
            turns += 1
        counts[i] = turns
    return counts


@numba.njit(error_model="numpy")
def mandelbrot_numba(a: Any, b: Any, deepest: int) -> Any:
    counts = np.zeros(a.shape[0], np.int64)
    for i in range(a.shape[0]):
        x = y = 0.0
        turns = 0
        while x * x + y * y <= 4.0 and turns < deepest:
            x, y = x * x - y * y + a[i], 2.0 * x * y + b[i]
            turns += 1
        counts[i] = turns
    return counts


def lorenz(x: Any, y: Any, z: Any, end: Any) -> Any:
    """Runge-Kutta 2(3) of Bogacki and Shampine with a step that follows the error."""
    t, h, steps = 0.0, 0.01, 0
    while t < end:
        h = min(h, end - t)
        k1x, k1y, k1z = 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z
        u, v, w = x + h * 0.5 * k1x, y + h * 0.5 * k1y, z + h * 0.5 * k1z
        k2x, k2y, k2z = 10.0 * (v - u), u * (28.0 - w) - v, u * v - 8.0 / 3.0 * w
        u, v, w = x + h * 0.75 * k2x, y + h * 0.75 * k2y, z + h * 0.75 * k2z
        k3x, k3y, k3z = 10.0 * (v - u), u * (28.0 - w) - v, u * v - 8.0 / 3.0 * w
        nx = x + h * (2.0 * k1x + 3.0 * k2x + 4.0 * k3x) / 9.0
        ny = y + h * (2.0 * k1y + 3.0 * k2y + 4.0 * k3y) / 9.0
        nz = z + h * (2.0 * k1z + 3.0 * k2z + 4.0 * k3z) / 9.0
        k4x, k4y, k4z = 10.0 * (ny - nx), nx * (28.0 - nz) - ny, nx * ny - 8.0 / 3.0 * nz
        ex = h * (-5.0 * k1x / 72.0 + k2x / 12.0 + k3x / 9.0 - k4x / 8.0)
        ey = h * (-5.0 * k1y / 72.0 + k2y / 12.0 + k3y / 9.0 - k4y / 8.0)
        ez = h * (-5.0 * k1z / 72.0 + k2z / 12.0 + k3z / 9.0 - k4z / 8.0)
        error = max(abs(ex), abs(ey), abs(ez)) / 1e-4
        if error <= 1.0:
            t, x, y, z = t + h, nx, ny, nz
            steps += 1
        h = h * min(4.0, max(0.25, 0.9 * (1.0 / (error + 1e-12)) ** (1.0 / 3.0)))
    return x, y, z, steps


lorenz_staged = ag.function(lorenz)
lorenz_numba = numba.njit(error_model="numpy")(lorenz)


def lorenz_jax() -> Any:
    import jax
    from jax import lax
    from jax import numpy as jnp

    def slope(p: Any) -> Any:
        x, y, z = p
        return jnp.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])

    def run(p: Any, end: Any) -> Any:
        def body(state: Any) -> Any:
            t, h, p, steps = state
            h = jnp.minimum(h, end - t)
            k1 = slope(p)
            k2 = slope(p + h * 0.5 * k1)
            k3 = slope(p + h * 0.75 * k2)
            new = p + h * (2.0 * k1 + 3.0 * k2 + 4.0 * k3) / 9.0
            k4 = slope(new)
            error = h * (-5.0 * k1 / 72.0 + k2 / 12.0 + k3 / 9.0 - k4 / 8.0)
            size = jnp.max(jnp.abs(error)) / 1e-4
            good = size <= 1.0
            factor = jnp.clip(0.9 * (1.0 / (size + 1e-12)) ** (1.0 / 3.0), 0.25, 4.0)
            return jnp.where(good, t + h, t), h * factor, jnp.where(good, new, p), steps + good

        state = (0.0, 0.01, p, 0)
        _, _, p, steps = lax.while_loop(lambda s: s[0] < end, body, state)
        return p[0], p[1], p[2], steps

    run = jax.jit(run)
    return lambda: jax.block_until_ready(run(jnp.array(START), END))


def mandelbrot_jax() -> Any:
    import jax
    from jax import lax

    def one(a: Any, b: Any) -> Any:
        def body(state: Any) -> Any:
            x, y, turns = state
            return x * x - y * y + a, 2.0 * x * y + b, turns + 1

        def going(state: Any) -> Any:
            x, y, turns = state
            return (x * x + y * y <= 4.0) & (turns < DEEPEST)

        return lax.while_loop(going, body, (0.0, 0.0, 0))[2]

    run = jax.jit(lambda a, b: lax.map(lambda p: one(*p), (a, b)))
    return lambda a, b: run(a, b).block_until_ready()


def workloads(jax: bool) -> list[Workload]:
    axis = np.arange(SIDE) / SIDE * 2.5
    a, b = (part.reshape(-1) for part in np.meshgrid(axis - 2.0, axis - 1.25))
    ta, tb, deepest = ag.asarray(a), ag.asarray(b), ag.asarray(DEEPEST)
    start = [ag.asarray(value, dtype=ag.float64) for value in (*START, END)]
    one: dict[str, Any] = {
        "numba": lambda: mandelbrot_numba(a, b, DEEPEST),
        OURS: lambda: mandelbrot_image(ta, tb, deepest),
    }
    two: dict[str, Any] = {
        "numba": lambda: lorenz_numba(*START, END),
        OURS: lambda: lorenz_staged(*start),
    }
    if jax:
        import jax as peer

        peer.config.update("jax_enable_x64", True)
        image = mandelbrot_jax()
        one["jax"] = lambda: image(a, b)
        two["jax"] = lorenz_jax()
    return [
        Workload("W14a", f"Mandelbrot {SIDE} x {SIDE}, {DEEPEST} turns", one),
        Workload("W14b", "Lorenz, adaptive step, T = 5, float64", two, 1e-6),
    ]
