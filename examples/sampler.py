"""A sampler that learns to move: Hamiltonian Monte Carlo with trained steps.

Run it: `python examples/sampler.py`.

After L2HMC (Levy, Hoffman and Sohl-Dickstein 2018), in small: the leapfrog steps are scaled and
shifted by a network of the position, the time and the direction, each update keeps track of how it
changes volumes, and the Metropolis-Hastings rule makes up for it, so that the samples stay those of
the target. The network learns to make the chain jump far. The number of leapfrog steps is a tensor,
the energy's gradient is taken by a tape inside the loop, and training differentiates through all of
it, in one staged function.
"""

from __future__ import annotations

import time

import numpy as np

import autograph as ag
from autograph import nn

HALF, STEPS, CHAINS, EPSILON = 1, 8, 64, 0.15
CENTRES = ag.asarray([[-1.5, 0.0], [1.5, 0.0]], dtype="float32")
SPREAD = 0.5


def energy(x: ag.Tensor) -> ag.Tensor:
    """Minus the log-density of two round clouds, up to a constant: x (chains, 2)."""
    apart = ag.expand_dims(x, axis=1) - CENTRES
    return -ag.logsumexp(-ag.sum(apart**2, axis=2) / (2.0 * SPREAD**2), axis=1)


def slope(x: ag.Tensor) -> ag.Tensor:
    """The gradient of the energy of each chain."""
    with ag.GradientTape() as tape:
        tape.watch(x)
        total = ag.sum(energy(x))
    return tape.gradient(total, x)


class Update(nn.Module):
    """How one half of an update is scaled, shifted and bent: three tensors (chains, 2)."""

    def __init__(self, width: int = 16) -> None:
        self.hidden = nn.Dense(6, width, activation=ag.tanh)
        self.scale = nn.Dense(width, 2)
        self.bend = nn.Dense(width, 2)
        self.shift = nn.Dense(width, 2)
        self.reach = ag.Variable(np.float32(0.3))

    def __call__(
        self, one: ag.Tensor, other: ag.Tensor, when: ag.Tensor
    ) -> tuple[ag.Tensor, ag.Tensor, ag.Tensor]:
        angle = ag.stack([ag.cos(when), ag.sin(when)])
        clock = ag.broadcast_to(angle, (one.shape[0], 2))
        hidden = self.hidden(ag.concat([one, other, clock], axis=1))
        return (
            self.reach * ag.tanh(self.scale(hidden)),
            self.reach * ag.tanh(self.bend(hidden)),
            self.shift(hidden),
        )


class Sampler(nn.Module):
    """Chains of samples of exp(-energy), and the networks that move them."""

    def __init__(self) -> None:
        self.momentum = Update()
        self.position = Update()
        self.adam = nn.optimizers.Adam(
            [*self.momentum.variables, *self.position.variables], learning_rate=0.01
        )

    def kick(
        self, x: ag.Tensor, v: ag.Tensor, when: ag.Tensor, way: float
    ) -> tuple[ag.Tensor, ag.Tensor]:
        """Half an update of the momentum: what it becomes, and the log of the change of volume."""
        force = slope(x)
        scale, bend, shift = self.momentum(x, force, when)
        half = 0.5 * EPSILON
        push = half * (force * ag.exp(EPSILON * bend) + shift)
        if way > 0:
            return v * ag.exp(half * scale) - push, ag.sum(half * scale, axis=1)
        return (v + push) * ag.exp(-half * scale), -ag.sum(half * scale, axis=1)

    def drift(
        self, x: ag.Tensor, v: ag.Tensor, keep: ag.Tensor, when: ag.Tensor, way: float
    ) -> tuple[ag.Tensor, ag.Tensor]:
        """An update of the coordinates that `keep` (2,) does not keep, with its volume."""
        scale, bend, shift = self.position(keep * x, v, when)
        move = EPSILON * (v * ag.exp(EPSILON * bend) + shift)
        if way > 0:
            moved, grown = x * ag.exp(EPSILON * scale) + move, EPSILON * scale
        else:
            moved, grown = (x - move) * ag.exp(-EPSILON * scale), -EPSILON * scale
        return keep * x + (1.0 - keep) * moved, ag.sum((1.0 - keep) * grown, axis=1)

    def leapfrog(
        self, x: ag.Tensor, v: ag.Tensor, steps: ag.Tensor, way: float
    ) -> tuple[ag.Tensor, ag.Tensor, ag.Tensor]:
        """Where the chains get in `steps` steps, and the log of the change of volume on the way."""
        first = ag.asarray([1.0, 0.0], dtype="float32")
        volume = ag.zeros(x.shape[0])
        for step in range(steps):
            turn = step if way > 0 else steps - 1 - step
            when = 2.0 * np.pi * ag.asarray(turn, dtype="float32") / STEPS
            keeps = [first, 1.0 - first] if way > 0 else [1.0 - first, first]
            v, grown = self.kick(x, v, when, way)
            volume += grown
            for keep in keeps:
                x, grown = self.drift(x, v, keep, when, way)
                volume += grown
            v, grown = self.kick(x, v, when, way)
            volume += grown
        return x, v, volume

    def propose(
        self, x: ag.Tensor, v: ag.Tensor, steps: ag.Tensor, way: float
    ) -> tuple[ag.Tensor, ag.Tensor]:
        """New positions, and the chance that each is accepted."""
        new_x, new_v, volume = self.leapfrog(x, v, steps, way)
        before = energy(x) + 0.5 * ag.sum(v * v, axis=1)
        after = energy(new_x) + 0.5 * ag.sum(new_v * new_v, axis=1)
        return new_x, ag.exp(ag.minimum(before - after + volume, 0.0))

    @ag.function
    def train(self, x: ag.Tensor, steps: ag.Tensor) -> tuple[ag.Tensor, ag.Tensor]:
        """One step of training and of the chains x (chains, 2): the loss, and where they are."""
        v = ag.random_normal(x.shape)
        way = 1.0 if ag.random_uniform(()) < 0.5 else -1.0
        with ag.GradientTape() as tape:
            new_x, chance = self.propose(x, v, steps, way)
            jump = chance * ag.sum((new_x - x) ** 2, axis=1)
            loss = -ag.mean(ag.log(jump + 0.01))
        variables = [*self.momentum.variables, *self.position.variables]
        gradients = nn.optimizers.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        self.adam.apply(gradients)
        taken = ag.random_uniform(chance.shape) < chance
        return loss, ag.where(ag.expand_dims(taken, axis=1), new_x, x)

    @ag.function
    def sample(self, x: ag.Tensor, steps: ag.Tensor, count: ag.Tensor) -> tuple[ag.Tensor, float]:
        """`count` more samples of each chain (count, chains, 2), and the share of moves taken."""
        found = []
        accepted = 0.0
        while len(found) < count:
            v = ag.random_normal(x.shape)
            way = 1.0 if ag.random_uniform(()) < 0.5 else -1.0
            new_x, chance = self.propose(x, v, steps, way)
            taken = ag.random_uniform(chance.shape) < chance
            x = ag.where(ag.expand_dims(taken, axis=1), new_x, x)
            accepted += ag.mean(chance)
            found.append(x)
        return ag.stack(found), accepted / len(found)


def squared_jump(samples: np.ndarray) -> float:
    """The mean squared distance between a sample of a chain and the next."""
    return float(((samples[1:] - samples[:-1]) ** 2).sum(axis=2).mean())


def start() -> ag.Tensor:
    random = np.random.default_rng(5)
    return ag.asarray(random.normal(0.0, 1.0, (CHAINS, 2)).astype("float32"))


def compare() -> dict[str, list[np.ndarray]]:
    """The same samples eager and staged: the draws are counted, so they are equal; the times."""
    found = {}
    for kind, sample in (("eager", Sampler.sample.python_function), ("staged", Sampler.sample)):
        ag.set_seed(2)
        sampler = Sampler()
        sample(sampler, start(), ag.asarray(3), ag.asarray(2))
        ag.set_seed(4)
        begin = time.perf_counter()
        samples, accepted = sample(sampler, start(), ag.asarray(STEPS), ag.asarray(10))
        spent = time.perf_counter() - begin
        found[kind] = [np.asarray(samples), np.asarray(accepted)]
        print(f"{kind:6}: 10 samples of {CHAINS} chains in {1e3 * spent:.1f} ms")
    np.testing.assert_allclose(found["staged"][0], found["eager"][0], rtol=1e-3, atol=1e-3)
    return found


def main(turns: int = 1500) -> None:
    compare()
    ag.set_seed(1)
    sampler = Sampler()
    steps = ag.asarray(STEPS)
    for when in ("before", "after"):
        samples, accepted = sampler.sample(start(), steps, ag.asarray(600))
        kept = np.asarray(samples)[100:]
        x = kept[:, :, 0]
        print(
            f"{when:6} training: {100 * accepted:.0f} % accepted, squared jumps of"
            f" {squared_jump(kept):.3f}; means {x[x < 0].mean():.2f} and {x[x > 0].mean():.2f},"
            f" spread {x[x > 0].std():.2f}"
        )
        if when == "before":
            x = samples[-1]
            losses = []
            for _ in range(turns):
                loss, x = sampler.train(x, steps)
                losses.append(loss.item())
            print(f"loss {np.mean(losses[:50]):.1f} -> {np.mean(losses[-50:]):.1f}")


if __name__ == "__main__":
    main()
