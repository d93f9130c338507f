"""Python's builtins and the functions of its library, on staged values."""
