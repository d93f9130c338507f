"""Ops that make tensors, move their elements, or change their shapes."""
