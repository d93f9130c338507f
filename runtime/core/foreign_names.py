"""Names that other libraries have for what is called otherwise here: asking for one says what to
write."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn


class ForeignName:
    """An attribute that objects of a class do not have, for users who know it from elsewhere.

    Reading it raises AttributeError with the `remedy`; an attribute of that name can be set.
    """

    def __init__(self, remedy: str) -> None:
        self.remedy = remedy

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        what = "type object " if instance is None else ""
        noun = "" if instance is None else " object"
        raise AttributeError(
            f"{what}{owner.__name__!r}{noun} has no attribute {self.name!r}; {self.remedy}"
        )


def install(kind: type, remedies: Mapping[str, str]) -> None:
    """Give a class the foreign names, each with what to write; `dir` does not list them."""
    for name, remedy in remedies.items():
        foreign = ForeignName(remedy)
        foreign.__set_name__(kind, name)
        setattr(kind, name, foreign)
    listed: Any = kind.__dir__

    def own(self: Any) -> Iterable[str]:
        return [name for name in listed(self) if not _is_foreign(self, name)]

    setattr(kind, "__dir__", own)  # noqa: B010  (to mypy an assignment is one of another type)


def _is_foreign(item: Any, name: str) -> bool:
    return isinstance(inspect.getattr_static(item, name, None), ForeignName)


GRADIENT = "take gradients with `ag.grad(f)(x)` or a GradientTape: `tape.gradient(y, x)`"

OF_TENSORS = {
    "detach": "write ag.stop_gradient(x), or x.numpy() for an array",
    "backward": GRADIENT,
    "grad": GRADIENT,
    "requires_grad": "gradients are asked of a tape: `tape.watch(x)`",
    "requires_grad_": "gradients are asked of a tape: `tape.watch(x)`",
    "view": "write x.reshape(shape)",
    "unsqueeze": "write ag.expand_dims(x, axis=0) or x[None]",
    "permute": "write ag.permute_dims(x, axes)",
    "float": "write x.astype(ag.float32)",
    "double": "write x.astype(ag.float64)",
    "long": "write x.astype(ag.int64)",
    "int": "write x.astype(ag.int32)",
    "bool": "write x.astype(ag.bool_)",
    "clone": "write x.copy()",
    "dim": "write x.ndim",
    "numel": "write x.size",
    "cpu": "write x.to('cpu:0'), or x.numpy() for an array",
    "cuda": "write x.to('cuda:0')",
    "mm": "write x @ y",
    "bmm": "write x @ y",
    "masked_fill": "write ag.where(mask, value, x)",
    "masked_fill_": "write x[mask] = value",
    "add_": "write x += y",
    "sub_": "write x -= y",
    "mul_": "write x *= y",
    "clamp": "write ag.clip(x, low, high)",
    "split": "write ag.split(x, parts, axis)",
    "gather": "write ag.take_along_axis(x, indices, axis)",
    "expand": "write ag.broadcast_to(x, shape)",
    "expand_as": "write ag.broadcast_to(x, y.shape)",
    "softmax": "write ag.softmax(x, axis=-1)",
    "log_softmax": "write ag.log_softmax(x, axis=-1)",
    **{
        name: f"write ag.{name}(x)"
        for name in "exp log sqrt abs sin cos tanh sigmoid relu square sign floor ceil".split()
    },
    "eval": "tensors have their values: write x.numpy()",
    "get_shape": "write x.shape",
    "set_shape": "say it in an input_signature: ag.TensorSpec(shape, dtype)",
    "assign": "only an ag.Variable is assigned; of a tensor items are: x[:] = value",
    "at": "write x[i] = value or x[i] += value; ag.scatter_add(x, i, v) gives a new tensor",
    "block_until_ready": "results are ready when a call returns",
}
"""Attributes of tensors of PyTorch, TensorFlow and JAX."""
