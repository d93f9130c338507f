"""How large each value of a program is, in names that are known before or while it runs."""
