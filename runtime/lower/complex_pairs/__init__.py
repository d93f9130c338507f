"""Complex values as pairs of real ones: a pass over the graph right before it is lowered."""
