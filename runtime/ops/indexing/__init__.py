"""Indexing: what a key means, what it reads, and what is written there."""
