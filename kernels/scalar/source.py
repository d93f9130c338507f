"""The text of scalar functions, so that generated programs can contain them.

Every module named in `MODULES` is plain source: constants, one a line, and functions whose
signature stands on one line. All names in them are unique, so that any set of functions with what
they need makes one piece of text.
"""

from __future__ import annotations

import ast
import functools
import importlib.resources
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

MODULES = (
    "exponential",
    "logarithm",
    "hyperbolic",
    "rounding",
    "integer",
    "trigonometric",
    "power",
    "random_bits",
)

# What the text of a program that contains scalar functions starts with
PRELUDE = """import numpy as np

from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    c_cosine,
    c_power,
    c_sine,
    c_tangent,
    copy_sign,
    float32_bits,
    float64_bits,
    round_down,
    round_even,
    round_to_zero,
    round_up,
    select,
    square_root,
)
"""


@dataclass(frozen=True)
class Definition:
    """A constant or a function: its text, and the names of the definitions it uses."""

    name: str
    text: str
    is_function: bool
    uses: tuple[str, ...]


def _function_text(text: str, node: ast.FunctionDef) -> str:
    """The function without annotations and docstring."""
    arguments = ", ".join(argument.arg for argument in node.args.args)
    body = node.body[1:] if ast.get_docstring(node) else node.body
    lines = text.splitlines()[body[0].lineno - 1 : node.end_lineno]
    return "\n".join([f"def {node.name}({arguments}):", *lines]) + "\n"


def _names_in(node: ast.AST) -> list[str]:
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


@functools.cache
def definitions() -> dict[str, Definition]:
    """All constants and functions of `MODULES`, by name."""
    nodes: dict[str, tuple[str, ast.stmt]] = {}
    package = importlib.resources.files("autograph.kernels.scalar")
    for module in MODULES:
        text = (package / f"{module}.py").read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                name, shown = node.name, _function_text(text, node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, shown = node.targets[0].id, ast.unparse(node) + "\n"
            else:
                continue
            if name in nodes:
                raise ValueError(f"two scalar definitions are called {name}")
            nodes[name] = shown, node
    return {
        name: Definition(
            name,
            text,
            isinstance(node, ast.FunctionDef),
            tuple(dict.fromkeys(use for use in _names_in(node) if use in nodes and use != name)),
        )
        for name, (text, node) in nodes.items()
    }


def closure(functions: Iterable[str]) -> list[Definition]:
    """The named functions with all they use, each after what it uses: constants first."""
    table = definitions()
    found: dict[str, Definition] = {}

    def visit(name: str) -> None:
        if name not in found:
            for use in table[name].uses:
                visit(use)
            found[name] = table[name]

    for name in functions:
        visit(name)
    return sorted(found.values(), key=lambda definition: definition.is_function)


def text_of(functions: Iterable[str]) -> str:
    """The text of the named functions and of all they use, to stand after `PRELUDE`."""
    parts = closure(functions)
    constants = "".join(part.text for part in parts if not part.is_function)
    return constants + "".join("\n\n" + part.text for part in parts if part.is_function)


def dtype_name(dtype: object) -> str:
    """`float32` for np.float32, np.dtype("float32") or "float32"."""
    return np.dtype(dtype).name  # type: ignore[call-overload,no-any-return]
