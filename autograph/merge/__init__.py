"""Python values as types and leaves: taken apart, joined with those of another path, made again."""
