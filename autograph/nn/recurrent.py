"""Cells, and the recurrence over time that they run in."""

from __future__ import annotations

from typing import Any

import autograph as ag
from autograph.nn import arguments, initializers
from autograph.nn.module import Module


def _require_tensor(cell: Module, state: Any) -> None:
    """ValueError for a tuple, such as all that a call of the cell before this one gave."""
    if isinstance(state, tuple | list):
        raise ValueError(
            f"the state of {type(cell).__name__} is one tensor [rows, width], not a "
            f"{type(state).__name__}; a call gives an output and a state: write "
            "`output, state = cell(x, state)`"
        )


def _require_pair(cell: Module, state: Any) -> None:
    """ValueError for a state that is not (hidden, cell)."""
    if not isinstance(state, tuple | list) or len(state) != 2 or isinstance(state[1], tuple | list):
        raise ValueError(
            f"the state of {type(cell).__name__} is (hidden, cell), two tensors [rows, width]; a "
            "call gives an output and a state: write `output, state = cell(x, state)`"
        )


class SimpleCell(Module):
    """`tanh(x @ kernel + state @ recurrent + bias)`; the state is one tensor [rows, width].

    It is `initial(rows)` where none is given, as that of every cell.
    """

    def __init__(self, inputs: int, width: int) -> None:
        arguments.count_of(self, inputs=inputs, width=width)
        self.width = width
        self.kernel = ag.Variable(initializers.glorot_uniform((inputs, width)), name="kernel")
        self.recurrent = ag.Variable(initializers.glorot_uniform((width, width)), name="recurrent")
        self.bias = ag.Variable(ag.zeros((width,)), name="bias")

    def initial(self, rows: Any) -> Any:
        """The state before the first step."""
        return ag.zeros((rows, self.width))

    def __call__(self, x: Any, state: Any = None) -> tuple[Any, Any]:
        state = self.initial(x.shape[0]) if state is None else state
        _require_tensor(self, state)
        state = ag.tanh(x @ self.kernel + state @ self.recurrent + self.bias)
        return state, state


class LSTMCell(Module):
    """Long short-term memory (Hochreiter and Schmidhuber, 1997), forget gates starting at 1.

    The state is (hidden, cell), each [rows, width]. Gates in the kernels: in, forget, new, out.
    """

    def __init__(self, inputs: int, width: int) -> None:
        arguments.count_of(self, inputs=inputs, width=width)
        self.width = width
        self.kernel = ag.Variable(initializers.glorot_uniform((inputs, 4 * width)), name="kernel")
        recurrent = initializers.glorot_uniform((width, 4 * width))
        self.recurrent = ag.Variable(recurrent, name="recurrent")
        bias = ag.concat([ag.zeros((width,)), ag.ones((width,)), ag.zeros((2 * width,))])
        self.bias = ag.Variable(bias, name="bias")

    def initial(self, rows: Any) -> Any:
        """The state before the first step."""
        return ag.zeros((rows, self.width)), ag.zeros((rows, self.width))

    def __call__(self, x: Any, state: Any = None) -> tuple[Any, Any]:
        state = self.initial(x.shape[0]) if state is None else state
        _require_pair(self, state)
        hidden, cell = state
        gates = x @ self.kernel + hidden @ self.recurrent + self.bias
        width = self.width
        entry = ag.sigmoid(gates[:, :width])
        forget = ag.sigmoid(gates[:, width : 2 * width])
        new = ag.tanh(gates[:, 2 * width : 3 * width])
        leave = ag.sigmoid(gates[:, 3 * width :])
        cell = forget * cell + entry * new
        hidden = leave * ag.tanh(cell)
        return hidden, (hidden, cell)


class GRUCell(Module):
    """Gated recurrent unit (Cho et al., 2014), the reset gate after the product.

    The state is one tensor [rows, width]. Gates in the kernels: update, reset, new.
    """

    def __init__(self, inputs: int, width: int) -> None:
        arguments.count_of(self, inputs=inputs, width=width)
        self.width = width
        self.kernel = ag.Variable(initializers.glorot_uniform((inputs, 3 * width)), name="kernel")
        recurrent = initializers.glorot_uniform((width, 3 * width))
        self.recurrent = ag.Variable(recurrent, name="recurrent")
        self.bias = ag.Variable(ag.zeros((3 * width,)), name="bias")

    def initial(self, rows: Any) -> Any:
        """The state before the first step."""
        return ag.zeros((rows, self.width))

    def __call__(self, x: Any, state: Any = None) -> tuple[Any, Any]:
        state = self.initial(x.shape[0]) if state is None else state
        _require_tensor(self, state)
        width = self.width
        given = x @ self.kernel + self.bias
        kept = state @ self.recurrent
        update = ag.sigmoid(given[:, :width] + kept[:, :width])
        reset = ag.sigmoid(given[:, width : 2 * width] + kept[:, width : 2 * width])
        new = ag.tanh(given[:, 2 * width :] + reset * kept[:, 2 * width :])
        state = update * state + (1.0 - update) * new
        return state, state


class RNN(Module):
    """A cell over time: [rows, steps, inputs] -> ([rows, steps, width], the last state).

    With `lengths` [rows], a row keeps its state from its length on, its outputs are zero there, and
    no more steps are taken than the longest row has.
    """

    def __init__(self, cell: Any) -> None:
        if not callable(cell) or not hasattr(cell, "initial"):
            raise TypeError(
                f"cell of RNN() is a cell, not {cell!r}; write RNN(nn.LSTMCell(inputs, width))"
            )
        self.cell = cell

    def __call__(self, x: Any, lengths: Any = None, state: Any = None) -> tuple[Any, Any]:
        if state is None:
            state = self.cell.initial(x.shape[0])
        steps = x.shape[1] if lengths is None else ag.max(lengths)
        outputs = []
        for t in range(steps):
            output, following = self.cell(x[:, t], state)
            if lengths is None:
                state = following
            else:
                going = ag.expand_dims(t < lengths, -1)
                output = ag.where(going, output, 0.0)
                state = _kept(going, following, state)
            outputs.append(output)
        return ag.stack(outputs, axis=1), state


def _kept(going: Any, following: Any, state: Any) -> Any:
    """The following state in the rows that go on, else the one before."""
    if isinstance(state, tuple | list):
        pairs = zip(following, state, strict=True)
        return tuple([ag.where(going, one, other) for one, other in pairs])
    return ag.where(going, following, state)
