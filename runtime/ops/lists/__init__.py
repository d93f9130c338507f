"""Ops on lists of tensors and numbers."""
