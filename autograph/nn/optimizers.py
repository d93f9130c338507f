"""Optimizers: they change the variables they were made for by the gradients they are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph as ag
from autograph.nn.module import Module
from autograph.runtime.core.foreign_names import install
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable

Variables = Module | Sequence[Variable]
Rate = float | Tensor | Callable[[Any], Any]
NUMBERS = (int, float, Tensor, np.generic, np.ndarray)


def _variables_of(name: str, given: Any) -> list[Variable]:
    """The variables that an optimizer is made for."""
    found = given.trainable_variables if isinstance(given, Module) else given
    listed = isinstance(found, list | tuple)
    if not listed or not all(isinstance(one, Variable) for one in found):
        raise TypeError(
            f"{name} is made for the variables that it changes, which {given!r} is not: write "
            f"{name}(model.trainable_variables, learning_rate)"
        )
    return list(found)


def _names_of(given: Any, variables: list[Variable]) -> tuple[str, ...] | None:
    """What a module calls its variables; None where the variables themselves are given."""
    if not isinstance(given, Module):
        return None
    named = given.named_variables().items()
    return tuple([name for name, held in named if any(held is one for one in variables)])


class Optimizer(Module):
    """Applies gradients, in the order of `variables`; None leaves a variable as it is.

    `variables` may be a module, whose trainable variables are meant. `learning_rate` is a number, a
    Variable, or a schedule: a function of the step (from 0). TypeError for variables that are none.
    """

    def __init__(self, variables: Variables, learning_rate: Rate) -> None:
        self.targets = _variables_of(type(self).__name__, variables)
        self.names = _names_of(variables, self.targets)
        if not (callable(learning_rate) or isinstance(learning_rate, NUMBERS)):
            raise TypeError(
                f"learning_rate of {type(self).__name__}() is a number, a Variable or a schedule, "
                f"not {learning_rate!r}"
            )
        self.learning_rate: Any = learning_rate
        if isinstance(learning_rate, np.generic):  # which would make doubles of the gradients
            self.learning_rate = learning_rate.item()
        self.step = ag.Variable(0, name="step", trainable=False, dtype=ag.int64)

    def apply(self, gradients: Sequence[Any] | dict[str, Any]) -> None:
        """Change the variables; a dict is what a tape gives for a module, a tensor what it gives
        for one Variable.

        ValueError where the numbers or the names of the two differ.
        """
        if isinstance(gradients, dict):
            gradients = self._in_order(gradients)
        if isinstance(gradients, ag.Tensor):  # what a tape gives for one Variable
            gradients = [gradients]
        if len(gradients) != len(self.targets):
            raise ValueError(
                f"{len(gradients)} gradients for the {len(self.targets)} variables that "
                f"{type(self).__name__} was made for: ask for those, "
                "tape.gradient(loss, optimizer.targets), or make it for fewer"
            )
        rate = self.learning_rate
        if callable(rate):
            rate = rate(ag.astype(self.step, ag.float32))
        self.step.assign_add(1)
        for place, gradient in enumerate(gradients):
            if gradient is not None:
                self.update(place, self.targets[place], gradient, _of_dtype(rate, gradient))

    def _in_order(self, gradients: dict[str, Any]) -> list[Any]:
        if self.names is None:
            return list(gradients.values())
        missing = [name for name in self.names if name not in gradients]
        if missing or len(gradients) != len(self.names):
            raise ValueError(
                f"{type(self).__name__} changes {list(self.names)}, and the gradients are those "
                f"of {list(gradients)}"
            )
        return [gradients[name] for name in self.names]

    def update(self, place: int, variable: Variable, gradient: Any, rate: Any) -> None:
        """Change one variable; a subclass says how."""
        raise NotImplementedError

    def slots(self, name: str) -> list[Variable]:
        """A variable of zeros for every one that is changed."""
        return [ag.Variable(ag.zeros_like(one), name=name, trainable=False) for one in self.targets]


def _of_dtype(rate: Any, gradient: Any) -> Any:
    """A rate that is a tensor, in the dtype of a gradient, which it must not make wider."""
    return ag.astype(rate, gradient.dtype) if isinstance(rate, Tensor | np.ndarray) else rate


APPLY = "it applies what tapes give: `optimizer.apply(gradients)`, in the order of its variables"
install(
    Optimizer,
    {
        "apply_gradients": APPLY,
        "minimize": f"gradients are asked of a tape or of ag.grad, and {APPLY}",
        "param_groups": "make an optimizer for each group of variables",
    },
)


class SGD(Optimizer):
    """`variable -= rate * gradient`, with momentum, plain or Nesterov's."""

    def __init__(
        self,
        variables: Variables,
        learning_rate: Rate = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        super().__init__(variables, learning_rate)
        self.momentum = momentum
        self.nesterov = nesterov
        self.velocities = self.slots("velocity") if momentum else []

    def update(self, place: int, variable: Variable, gradient: Any, rate: Any) -> None:
        """See Optimizer.update."""
        if self.momentum:
            velocity = self.velocities[place]
            velocity.assign(self.momentum * velocity + gradient)
            gradient = gradient + self.momentum * velocity if self.nesterov else velocity
        variable.assign_sub(rate * gradient)


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015); with `weight_decay` AdamW (Loshchilov and Hutter, 2019)."""

    def __init__(
        self,
        variables: Variables,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(variables, learning_rate)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.weight_decay = weight_decay
        self.means = self.slots("mean")
        self.squares = self.slots("square")

    def update(self, place: int, variable: Variable, gradient: Any, rate: Any) -> None:
        """See Optimizer.update."""
        mean, square = self.means[place], self.squares[place]
        mean.assign(self.beta1 * mean + (1.0 - self.beta1) * gradient)
        square.assign(self.beta2 * square + (1.0 - self.beta2) * gradient * gradient)
        turn = ag.astype(self.step, variable.dtype)
        mean_now = mean / (1.0 - self.beta1**turn)
        square_now = square / (1.0 - self.beta2**turn)
        change = mean_now / (ag.sqrt(square_now) + self.epsilon)
        if self.weight_decay:
            change = change + self.weight_decay * variable
        variable.assign_sub(rate * change)


class AdamW(Adam):
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter, 2019)."""

    def __init__(
        self,
        variables: Variables,
        learning_rate: Rate = 0.001,
        weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(variables, learning_rate, beta1, beta2, epsilon, weight_decay)


class RMSprop(Optimizer):
    """The gradient over the root of the running mean of its squares (Tieleman and Hinton, 2012)."""

    def __init__(
        self,
        variables: Variables,
        learning_rate: Rate = 0.001,
        decay: float = 0.9,
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(variables, learning_rate)
        self.decay, self.epsilon = decay, epsilon
        self.squares = self.slots("square")

    def update(self, place: int, variable: Variable, gradient: Any, rate: Any) -> None:
        """See Optimizer.update."""
        square = self.squares[place]
        square.assign(self.decay * square + (1.0 - self.decay) * gradient * gradient)
        variable.assign_sub(rate * gradient / (ag.sqrt(square) + self.epsilon))


class Adagrad(Optimizer):
    """The gradient over the root of the sum of its squares so far (Duchi et al., 2011)."""

    def __init__(
        self,
        variables: Variables,
        learning_rate: Rate = 0.01,
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(variables, learning_rate)
        self.epsilon = epsilon
        self.squares = self.slots("square")

    def update(self, place: int, variable: Variable, gradient: Any, rate: Any) -> None:
        """See Optimizer.update."""
        square = self.squares[place]
        square.assign_add(gradient * gradient)
        variable.assign_sub(rate * gradient / (ag.sqrt(square) + self.epsilon))


Gradients = Sequence[Any] | dict[str, Any]
"""What a tape gives for variables, or for a module: by name."""


def global_norm(gradients: Gradients) -> Any:
    """The Euclidean norm of all gradients together, in their dtype; None counts as zeros.

    It is computed in float64: no square overflows.
    """
    _check_gradients(gradients)
    given = _given(gradients)
    norm = _norm(given)
    return ag.astype(norm, ag.result_type(*given)) if given else norm


def _given(gradients: Gradients) -> list[Any]:
    """The gradients that are not None."""
    each = gradients.values() if isinstance(gradients, dict) else gradients
    return [one for one in each if one is not None]


def _norm(given: list[Any]) -> Any:
    """The norm of all together, a float64."""
    wide = [ag.astype(one, ag.float64) for one in given]
    return ag.sqrt(sum([ag.sum(one * one) for one in wide]))


def _each(change: Callable[[Any], Any], gradients: Gradients) -> Any:
    """Each gradient changed; None stays None."""
    _check_gradients(gradients)
    if isinstance(gradients, dict):
        return {name: None if one is None else change(one) for name, one in gradients.items()}
    return [None if one is None else change(one) for one in gradients]


def _check_gradients(gradients: Any) -> None:
    if isinstance(gradients, Tensor | np.ndarray):
        raise TypeError(
            "gradients is a list of tensors, or a dict, not one tensor; write [gradient]"
        )


def clip_by_global_norm(gradients: Gradients, limit: float) -> Any:
    """The gradients, scaled to a norm together of at most `limit` (Pascanu et al., 2013).

    ValueError for a limit below 0.
    """
    _check_gradients(gradients)
    scale = _scale(_norm(_given(gradients)), limit)
    return _each(lambda one: one * ag.astype(scale, one.dtype), gradients)


def _scale(norm: Any, limit: float) -> Any:
    """What brings a norm down to a limit: 1 where it is not above."""
    if limit < 0:
        raise ValueError(f"gradients are clipped to a norm of at most {limit}, which is below 0")
    larger = ag.maximum(norm, limit)
    return limit / ag.where(larger > 0.0, larger, 1.0)


def clip_by_norm(gradients: Gradients, limit: float) -> Any:
    """Each gradient by itself scaled to a norm of at most `limit`. ValueError for one below 0."""
    return _each(lambda one: one * ag.astype(_scale(_norm([one]), limit), one.dtype), gradients)


def clip_by_value(gradients: Gradients, low: float, high: float) -> Any:
    """Every element brought into [low, high]."""
    return _each(lambda one: ag.clip(one, low, high), gradients)
