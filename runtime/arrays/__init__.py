"""NumPy's arrays and functions: what they mean on tensors, and on arrays while tracing.

`cells` are what stands for an ndarray, a view of one, or a NumPy scalar in a trace. `table` finds
for a function of NumPy the one that computes it of tensors; those are `ufuncs`, `creation`,
`reductions`, `manipulation`, `selection` and `algebra`, with NumPy's own names and signatures, made
of ops. `methods` are those of ndarray, `protocols` what makes NumPy's functions take tensors.

Nothing here knows how a function is traced: a cell is read and assigned through the door
(`core.door`), like any tensor.
"""
