"""The op record: all there is to know of an op, declared once."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.runtime.core.dtypes import DType

Gradient = Callable[..., Any]


class Effect(enum.Enum):
    """What running an op can do besides giving its result."""

    PURE = "pure"
    MAY_RAISE = "may raise"
    CALLS_BACK = "calls back"
    """print and py_function: never removed, never reordered, never hoisted out of a region."""


@dataclass(frozen=True, slots=True)
class Elementwise:
    """One scalar expression for each element: `{0}`, `{1}`, … are the operands, broadcast.

    The operands are cast to the `compute` dtype ("promoted": the promotion of the operands;
    "result": the dtype of the result; or a function of the operands' dtypes), the value of the
    expression to the dtype of the result. Functions in it are those of `kernels.scalar`. A callable
    gets the compute dtype and the op's attributes and returns the expression.
    """

    expression: str | Callable[[DType, Mapping[str, Any]], str]
    compute: str | Callable[[Sequence[DType]], DType] = "promoted"
    kept: tuple[int, ...] = ()
    """The operands that are not cast: the condition of `where`."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """Combines elements along attributes `axis` and `keepdims`: sum, prod, max, min, any or all."""

    kind: str


@dataclass(frozen=True, slots=True)
class Movement:
    """Moves elements and computes nothing: the kind names the index map in `runtime.lower`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Library:
    """A call of the kernel of this name in `kernels.library`."""

    kernel: str


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Other ops: the function gets the table of ops, the inputs and the attributes."""

    rule: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Hosted:
    """Its reference: there is no native form, and CPython runs it between native programs."""


@dataclass(frozen=True, slots=True)
class Control:
    """Control flow, or a host call: the lowering knows it by name."""


Lowering = Elementwise | Reduction | Movement | Library | Decomposition | Hosted | Control


@dataclass(frozen=True, slots=True)
class Sample:
    """Inputs that an op is tested with: nested lists or arrays, and attributes."""

    inputs: tuple[Any, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    gradient: bool = True
    """Whether the numerical gradient is checked at this sample (False at kinks)."""


@dataclass(frozen=True, slots=True)
class DynamicInt:
    """Stands in an attribute for an integer known only at run time: input number `operand`."""

    operand: int


NOT_DIFFERENTIABLE: tuple[Gradient | None, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An op. What a lowering means is told in `ops/table`; a missing one fails here.

    `infer(*specs, **attributes)` gives the Spec (or a tuple of them) of the result and raises what
    the reference would raise. `reference(*arrays, **attributes)` computes it with NumPy: positional
    parameters are inputs, keyword-only ones attributes, which must be hashable. `gradient` has for
    each input a rule `rule(o, g, out, *inputs, **attributes)`, or None where nothing flows; `o` is
    the table of ops, `g` the gradient of the result (a tuple where there are several results), and
    `out` the result. The gradient of a broadcast operand of an elementwise op is summed back to
    its shape by the tape. A variadic op has one rule, which gives a tuple: a gradient (or None) for
    each input. `public` gets the table of ops first. `operator` names the Python operators it
    implements ("add" installs `__add__` and `__radd__`).
    """

    name: str
    summary: str
    infer: Callable[..., Any]
    reference: Callable[..., Any]
    gradient: tuple[Gradient | None, ...]
    lowering: Lowering
    effect: Effect = Effect.PURE
    samples: tuple[Sample, ...] = ()
    operator: tuple[str, ...] = ()
    public: Callable[..., Any] | None = None
    """The function users call, where the one made from `reference`'s signature does not do."""
    variadic: bool = False
    """Whether the inputs are one sequence, as for `concat` and `stack`."""
    attributes: tuple[str, ...] = field(init=False)
    """The names of the attributes."""

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or not self.summary:
            raise ValueError(f"op {self.name!r} needs a name and a one-line meaning")
        parameters = inspect.signature(self.reference).parameters.values()
        names = tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)
        object.__setattr__(self, "attributes", names)
        inputs = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if self.gradient and not self.variadic and len(self.gradient) != len(inputs):
            raise ValueError(f"op {self.name} has {len(inputs)} inputs, not {len(self.gradient)}")

    def __repr__(self) -> str:
        return f"<op {self.name}>"
