"""Which ops a backward pass runs again rather than saving what they gave."""

from __future__ import annotations

REARRANGED = frozenset(
    {
        "reshape",
        "checked_reshape",
        "reshape_like",
        "expand_dims",
        "squeeze",
        "permute_dims",
        "broadcast_to",
        "broadcast_like",
        "stretch",
        "flip",
        "positive",
        "copy",
        "stop_gradient",
    }
)
"""These hold the elements of their first input: that one is saved, and serves more often."""

COMPUTED_AGAIN = REARRANGED | frozenset(
    {
        "add",
        "subtract",
        "multiply",
        "negative",
        "square",
        "astype",
        "where",
        "equal",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "logical_and",
        "logical_or",
        "logical_not",
        "index",
        "take",
        "checked_index",
        "checked_indices",
        "one_hot",
        "concat",
        "stack",
        "full",
        "arange",
        "eye",
        "roll",
        "to_tensor",
        "to_number",
        "size_of",
        "list_get",
        "list_length",
    }
)
"""These cost no more than reading a saved result, where all that they take is there anyway."""
