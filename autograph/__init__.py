"""Plain Python on tensors, staged."""
