"""NumPy code as people publish it: differential equations, dynamics, grids and random walks."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

V = np.array([1.0, 2.0, 3.0, 4.0])
M = np.arange(12.0).reshape(3, 4)


@program(case(V, 0.1, 20), case(V * 2, 0.05, 7), compiled=True)
def euler_steps(y0, dt, steps):
    y = np.zeros((steps + 1, len(y0)))
    y[0] = y0
    for i in range(steps):
        y[i + 1] = y[i] + dt * (-0.5 * y[i] + np.sin(i * dt))
    return y


def lorenz(state, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


@program(case(np.array([1.0, 1.0, 1.0]), 0.01, 30), compiled=True)
def runge_kutta(state, h, steps):
    path = np.empty((steps, 3))
    for n in range(steps):
        k1 = lorenz(state)
        k2 = lorenz(state + h / 2 * k1)
        k3 = lorenz(state + h / 2 * k2)
        k4 = lorenz(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path[n] = state
    return path


@program(case(np.eye(6) * 4.0, 0.1, 5))
def heat_equation(grid, alpha, steps):
    for _ in range(steps):
        inner = grid[1:-1, 1:-1]
        inner += alpha * (
            grid[2:, 1:-1] + grid[:-2, 1:-1] + grid[1:-1, 2:] + grid[1:-1, :-2] - 4 * inner
        )
    return grid.sum()


@program(case(np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), 3))
def game_of_life(board, turns):
    for _ in range(turns):
        padded = np.pad(board, 1)
        count = np.zeros_like(board)
        for dy in (0, 1, 2):
            for dx in (0, 1, 2):
                if (dy, dx) != (1, 1):
                    count += padded[dy : dy + board.shape[0], dx : dx + board.shape[1]]
        board = ((count == 3) | ((board == 1) & (count == 2))).astype(int)
    return board


@program(case(np.ones((5, 5)), np.zeros((5, 5)), 4))
def gray_scott(u, v, steps):
    v[2, 2] = 0.5
    for _ in range(steps):
        lu = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1) - 4 * v
        uvv = u * v * v
        u += 0.16 * lu - uvv + 0.035 * (1 - u)
        v += 0.08 * lv + uvv - 0.1 * v
    return u, v


@program(case(np.array([0.0, 1.0]), np.array([1.0, 0.0]), 12))
def leapfrog(position, velocity, steps):
    trajectory = []
    for _ in range(steps):
        r = np.linalg.norm(position)
        velocity += -0.05 * position / r**3
        position += 0.05 * velocity
        trajectory.append(position.copy())
    return np.array(trajectory)


@program(case(7, 20), case(3, 5))
def random_walk(seed, steps):
    rng = np.random.default_rng(seed)
    moves = rng.choice([-1, 1], size=steps)
    return np.cumsum(moves)


@program(case(7, 30), case(3, 10))
def monte_carlo_pi(seed, n):
    np.random.seed(seed)
    points = np.random.uniform(-1, 1, (n, 2))
    return 4 * np.mean(np.sum(points**2, axis=1) <= 1)


@program(case(np.array([[0.9, 0.1], [0.5, 0.5]]), 1e-6), compiled=True)
def stationary_distribution(P, tolerance):
    pi = np.ones(P.shape[0]) / P.shape[0]
    turns = 0
    while True:
        new = pi @ P / np.sum(np.abs(pi @ P))
        turns += 1
        if np.max(np.abs(new - pi)) < tolerance or turns > 40:
            break
        pi = new
    return new


@program(case(np.array([3.0, 1.0, 4.0, 1.0]), 0.5))
def nbody_accelerations(masses, softening):
    n = len(masses)
    positions = np.arange(2.0 * n).reshape(n, 2)
    acc = np.zeros_like(positions)
    for i in range(n):
        d = positions - positions[i]
        r2 = (d**2).sum(axis=1) + softening**2
        acc[i] = (masses[:, None] * d / r2[:, None] ** 1.5).sum(axis=0)
    return acc


@program(case(np.array([0.2, 0.4]), 0.1, 15))
def predator_prey(state, dt, steps):
    history = np.zeros((steps, 2))
    for t in range(steps):
        x, y = state
        state = state + dt * np.array([x * (1.1 - 0.4 * y), y * (0.1 * x - 0.4)])
        history[t, :] = state
    return history, history.max(axis=0), history[-1]


@program(case(-2.0, 0.6, 8, 6, 30), compiled=True)
def mandelbrot(left, right, width, height, limit):
    c = np.linspace(left, right, width) + 0 * np.linspace(-1, 1, height)[:, None]
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=int)
    for _ in range(limit):
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        count += inside
    return count
