"""Strings with staged parts: made, looked into, compared."""
