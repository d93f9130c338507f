"""What the assignment of a Variable checks of sizes that are known only when the graph runs."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.variable import VariableError


def check_sizes(sizes: Any, wanted: Any, stretched: Any, what: str, dtype: str, title: str) -> None:
    """VariableError where a value of these sizes is not assigned to a variable of the wanted ones.

    `stretched`: a size of 1 will do. `title`: what the variable is called.
    """
    for size, own in zip(sizes, wanted, strict=True):
        if size != own and not (stretched and size == 1):
            shape = ",".join(f"{one}" for one in sizes)
            raise VariableError(
                f"{what} gives {dtype}[{shape}] to {title}; a variable keeps its shape"
            )
