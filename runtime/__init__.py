"""Tensors, op records, graphs, gradients, the optimizer and the lowering to programs."""
