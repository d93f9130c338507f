"""What functions and methods of Python do, as plain Python: converted like the user's own code.

The operators call these where a staged value takes part, so that whatever can be staged in the
user's code can be staged in them. Nothing here knows of staging.
"""

PLAIN_PYTHON = (
    "autograph.custom_gradients",
    "autograph.derivatives",
    "autograph.functional",
    "autograph.library.",
    "autograph.nn.",
)
"""Modules of this package that are converted."""


def is_plain_python(module: str) -> bool:
    """Whether a module of this package is written as users write theirs, and converted."""
    return module.startswith(PLAIN_PYTHON)
