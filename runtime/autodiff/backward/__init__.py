"""The backward pass over a graph: its walk, its sums, and which gradients there are."""
