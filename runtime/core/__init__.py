"""The vocabulary of the runtime: dtypes, specs, tensors, op records and the one door `apply`."""
