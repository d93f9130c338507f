"""A model of more than 200 lines of plain Python, as a user writes one: what is converted, traced.

A recurrent encoder that stops early, attention with a mask, mixtures of experts chosen by the
data, a decoder that searches greedily, several losses, and clipped gradient steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag

SIZE = 8
VOCABULARY = 12


def weights(*shape: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return ag.asarray((rng.standard_normal(shape) * 0.3).astype(np.float32))


class Linear:
    def __init__(self, inputs: int, outputs: int, seed: int) -> None:
        self.weight = ag.Variable(weights(inputs, outputs, seed=seed))
        self.bias = ag.Variable(weights(outputs, seed=seed + 1))

    def __call__(self, x: Any) -> Any:
        return x @ self.weight + self.bias


class Cell:
    def __init__(self, seed: int) -> None:
        self.update = Linear(2 * SIZE, SIZE, seed)
        self.reset = Linear(2 * SIZE, SIZE, seed + 2)
        self.proposal = Linear(2 * SIZE, SIZE, seed + 4)

    def __call__(self, x: Any, state: Any) -> Any:
        both = ag.concat([x, state])
        update = ag.sigmoid(self.update(both))
        reset = ag.sigmoid(self.reset(both))
        proposal = ag.tanh(self.proposal(ag.concat([x, reset * state])))
        return update * state + (1.0 - update) * proposal


class Encoder:
    def __init__(self, seed: int) -> None:
        self.forward = Cell(seed)
        self.backward = Cell(seed + 10)
        self.limit = 40.0

    def run(self, cell: Cell, inputs: Any, backwards: bool) -> Any:
        state = ag.zeros((SIZE,))
        states = []
        for place in range(inputs.shape[0]):
            x = inputs[inputs.shape[0] - 1 - place] if backwards else inputs[place]
            if ag.sum(ag.abs(x)) == 0:
                states.append(state)
                continue
            state = cell(x, state)
            if ag.sum(state * state) > self.limit:
                state = state / ag.sqrt(ag.sum(state * state))
            states.append(state)
        return ag.stack(states)

    def __call__(self, inputs: Any) -> Any:
        there = self.run(self.forward, inputs, False)
        back = self.run(self.backward, inputs, True)
        return there + ag.flip(back, axis=0)


class Attention:
    def __init__(self, seed: int) -> None:
        self.query = Linear(SIZE, SIZE, seed)
        self.key = Linear(SIZE, SIZE, seed + 2)
        self.value = Linear(SIZE, SIZE, seed + 4)

    def scores(self, query: Any, keys: Any) -> Any:
        found = keys @ self.query(query)
        return found / SIZE**0.5

    def __call__(self, query: Any, memory: Any, mask: Any) -> Any:
        keys = self.key(memory)
        scores = self.scores(query, keys)
        if mask is not None:
            scores = ag.where(mask, scores, -1e9)
        shares = ag.softmax(scores)
        return shares @ self.value(memory), shares


class Experts:
    def __init__(self, count: int, seed: int) -> None:
        self.gate = Linear(SIZE, count, seed)
        self.experts = [Linear(SIZE, SIZE, seed + 3 * k + 1) for k in range(count)]
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        gate = ag.softmax(self.gate(x))
        best = int(ag.argmax(gate))
        total = ag.zeros((SIZE,))
        for number, expert in enumerate(self.experts):
            share = gate[number]
            if share > 0.2 or number == best:
                total = total + share * ag.relu(expert(x))
        return total


class Decoder:
    def __init__(self, seed: int) -> None:
        self.embedding = ag.Variable(weights(VOCABULARY, SIZE, seed=seed))
        self.cell = Cell(seed + 1)
        self.attention = Attention(seed + 20)
        self.experts = Experts(3, seed + 30)
        self.output = Linear(SIZE, VOCABULARY, seed + 40)
        self.end = 0

    def step(self, token: Any, state: Any, memory: Any, mask: Any) -> Any:
        x = self.embedding[token]
        state = self.cell(x, state)
        context, shares = self.attention(state, memory, mask)
        mixed = self.experts(context + state)
        return self.output(mixed), state, shares

    def likelihood(self, tokens: Any, memory: Any, mask: Any) -> Any:
        state = memory[-1]
        previous = 1
        total = ag.zeros(())
        count = 0
        for token in tokens:
            logits, state, _ = self.step(previous, state, memory, mask)
            total = total + logits[token] - ag.logsumexp(logits)
            previous = token
            count += 1
            if token == self.end:
                break
        return total / count

    def search(self, memory: Any, mask: Any, longest: int) -> Any:
        state = memory[-1]
        token: Any = ag.asarray(1)
        found = []
        confidence = 1.0
        while len(found) < longest:
            logits, state, shares = self.step(token, state, memory, mask)
            token = ag.argmax(logits)
            confidence = confidence * ag.max(ag.softmax(logits))
            if token == self.end or confidence < 1e-6:
                break
            if ag.max(shares) > 0.99:
                continue_at = ag.argmax(shares)
                state = 0.5 * (state + memory[continue_at])
            found.append(token)
        return found, confidence


class Model:
    def __init__(self, seed: int = 0) -> None:
        self.encoder = Encoder(seed)
        self.decoder = Decoder(seed + 100)
        self.training = True
        self.steps = 0
        self.history: list[Any] = []
        self.rate = 0.05
        self.clip = 1.0

    def parameters(self) -> list[Any]:
        found = [self.decoder.embedding]
        for cell in (self.encoder.forward, self.encoder.backward, self.decoder.cell):
            for layer in (cell.update, cell.reset, cell.proposal):
                found += [layer.weight, layer.bias]
        for layer in (self.decoder.output, self.decoder.experts.gate):
            found += [layer.weight, layer.bias]
        return found

    def mask(self, inputs: Any) -> Any:
        sizes = ag.sum(ag.abs(inputs), axis=1)
        return sizes > 0 if self.training else None

    def loss(self, inputs: Any, tokens: Any) -> Any:
        memory = self.encoder(inputs)
        found = -self.decoder.likelihood(tokens, memory, self.mask(inputs))
        penalty = ag.zeros(())
        for parameter in self.parameters():
            if parameter.shape[0] > SIZE:
                penalty = penalty + ag.sum(parameter * parameter)
        if self.training and penalty > 10.0:
            found = found + 1e-3 * penalty
        return found

    def step(self, inputs: Any, tokens: Any) -> Any:
        parameters = self.parameters()
        with ag.GradientTape() as tape:
            loss = self.loss(inputs, tokens)
        gradients = tape.gradient(loss, parameters)
        norm = ag.zeros(())
        for gradient in gradients:
            if gradient is not None:
                norm = norm + ag.sum(gradient * gradient)
        norm = ag.sqrt(norm)
        scale = self.clip / norm if norm > self.clip else 1.0
        for parameter, gradient in zip(parameters, gradients):
            if gradient is not None:
                parameter.assign_sub(self.rate * scale * gradient)
        self.steps += 1
        if self.steps % 10 == 0:
            self.rate = self.rate * 0.9
        self.history.append(loss)
        return loss

    def forward(self, inputs: Any, tokens: Any) -> Any:
        memory = self.encoder(inputs)
        loss = self.loss(inputs, tokens)
        found, confidence = self.decoder.search(memory, self.mask(inputs), 6)
        right = 0
        for place, token in enumerate(found):
            if place < tokens.shape[0] and token == tokens[place]:
                right += 1
        quality = "good" if confidence > 0.5 else "poor" if confidence > 0.01 else "none"
        return loss, right, confidence, quality


def arguments() -> tuple[Any, Any]:
    inputs = weights(7, SIZE, seed=1)
    return inputs, ag.asarray([3, 5, 2, 7, 0])
