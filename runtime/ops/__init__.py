"""The op records, by family, and the table that makes functions and operators of them."""
