"""From a function's source to one whose control flow and operators are calls."""
