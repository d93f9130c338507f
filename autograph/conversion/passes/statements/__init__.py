"""How statements that may be staged are rewritten: before and after in each docstring."""
