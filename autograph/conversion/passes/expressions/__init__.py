"""How expressions and simple statements are rewritten into calls of operators."""
