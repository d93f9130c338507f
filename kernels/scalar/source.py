"""The text of scalar functions and of library kernels, so that programs can contain them.

Every module named in `MODULES` is plain source: constants and functions. All names in them are
unique, so that any set of functions with what they need makes one piece of text.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MODULES = (
    "scalar/exponential.py",
    "scalar/logarithm.py",
    "scalar/hyperbolic.py",
    "scalar/inverse.py",
    "scalar/bits.py",
    "scalar/error_function.py",
    "scalar/rounding.py",
    "scalar/integer.py",
    "scalar/trigonometric.py",
    "scalar/power.py",
    "scalar/float64_alone.py",
    "scalar/random_bits.py",
    "library/convolution.py",
    "library/linear_algebra.py",
    "library/movement.py",
    "library/product.py",
    "library/scan.py",
    "library/set_order.py",
    "library/sorting.py",
)

# What the text of a program that contains scalar functions starts with
PRELUDE = """import numpy as np

from autograph.kernels.library.blas import multiply_part
from autograph.kernels.library.lapack import (
    lapack_geqrf,
    lapack_gesdd,
    lapack_getrf,
    lapack_getri,
    lapack_getrs,
    lapack_orgqr,
    lapack_potrf,
    lapack_syevd,
    lapack_trtrs,
)
from autograph.kernels.library.numpy_sorts import quicksort_order, sort_part, stable_order
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
    product_error,
    round_down,
    round_even,
    round_to_zero,
    round_up,
    select,
    square_root,
    two_over_pi,
)
from autograph.kernels.scalar.threefry import random_bits
"""


@dataclass(frozen=True)
class Definition:
    """A constant or a function, as it stands in its module.

    `is_scalar` tells those of `kernels.scalar` from those of `kernels.library`, which loop.
    """

    name: str
    block: str
    is_function: bool
    is_scalar: bool

    @functools.cached_property
    def text(self) -> str:
        """Its text without annotations and docstring."""
        node = ast.parse(self.block).body[0]
        if not isinstance(node, ast.FunctionDef):
            return ast.unparse(node) + "\n"
        arguments = ", ".join(argument.arg for argument in node.args.args)
        body = node.body[1:] if ast.get_docstring(node) else node.body
        lines = self.block.splitlines()[body[0].lineno - 1 : node.end_lineno]
        return "\n".join([f"def {self.name}({arguments}):", *lines]) + "\n"

    @functools.cached_property
    def uses(self) -> tuple[str, ...]:
        """The names of the definitions it uses."""
        table = definitions()
        names = dict.fromkeys(_word.findall(self.text))
        return tuple(name for name in names if name in table and name != self.name)


_word = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
# A definition begins at the start of a line and ends before the next line that is not indented.
# Found without parsing, since every process that runs a program looks here.
_block = re.compile(r"^(?:def )?([A-Za-z_]\w*)(?:\(| = ).*\n(?:[ )\]].*\n|\n)*", re.MULTILINE)


@functools.cache
def definitions() -> dict[str, Definition]:
    """All constants and functions of `MODULES`, by name."""
    found: dict[str, Definition] = {}
    package = Path(__file__).parents[1]
    for module in MODULES:
        text = package.joinpath(module).read_text(encoding="utf-8")
        after_docstring = text.index('"""', 3) + 3
        for match in _block.finditer(text, after_docstring):
            name, block = match[1], match[0]
            if name in found:
                raise ValueError(f"two definitions are called {name}")
            is_function = block.startswith("def ")
            found[name] = Definition(name, block, is_function, module.startswith("scalar/"))
    return found


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
