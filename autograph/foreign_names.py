"""Names of other libraries' modules, and what to write instead: for the errors of `ag.name`."""

from __future__ import annotations

import numpy as np

_GRADIENTS = "eager tensors are recorded by a GradientTape alone: nothing has to be switched off"
_OPTIMIZERS = "write ag.nn.optimizers.Adam(model, 1e-3)"

_CATEGORICAL = (
    "write ag.argmax(logits - ag.log(-ag.log(ag.random_uniform(logits.shape))), axis=-1), or "
    "np.random.default_rng(0).choice(n, p=p)"
)
_PERMUTATION = "write ag.argsort(ag.random_uniform((n,)))"
_WRITE_IT = "write it as an ag.nn.Module"

OF_MODULE = {
    # TensorFlow
    "constant": "write ag.asarray(value)",
    "convert_to_tensor": "write ag.asarray(value)",
    "cast": "write ag.astype(x, dtype)",
    "to_float": "write ag.astype(x, ag.float32)",
    "gather_nd": "write x[i, j] with arrays of indices",
    "scatter_nd": "write ag.scatter_add(ag.zeros(shape), indices, values)",
    "tensor_scatter_nd_update": "write x[indices] = values",
    "boolean_mask": "write x[mask]",
    "clip_by_value": "write ag.clip(x, low, high)",
    "range": "write ag.arange(n), or Python's range(n) in a loop",
    "shape": "write x.shape",
    "rank": "write x.ndim",
    "size": "write x.size",
    "identity": "write ag.copy(x), or ag.eye(n) for the matrix",
    "matrix_inverse": "write ag.linalg.inv(x)",
    "norm": "write ag.linalg.norm(x)",
    "py_func": "write ag.py_function(f, arguments, specs)",
    "no_gradient": "write ag.stop_gradient(x)",
    "TensorArray": "append to a Python list: it is staged; ag.stack(items) makes a tensor of it",
    "Module": "write ag.nn.Module",
    "Assert": "write Python's assert",
    "Print": "write Python's print",
    "foldl": "write a Python loop: it is staged",
    "name_scope": "graphs have the user's lines instead of names",
    "control_dependencies": "what happens in order in Python happens in order in the graph",
    "autodiff": "write ag.jvp(f, (x,), (tangent,))",
    "keras": "layers, losses and optimizers are in ag.nn",
    "math": "functions are in ag itself: ag.exp(x); special ones in ag.special",
    "signal": "transforms are in ag.fft",
    "data": "write a Python loop over batches",
    "optimizers": _OPTIMIZERS,
    "losses": "losses are in ag.nn.losses",
    "metrics": "metrics are in ag.nn.metrics",
    "train": "checkpoints are ag.Checkpoint and ag.CheckpointManager; " + _OPTIMIZERS,
    "saved_model": "write ag.save(function, folder) and ag.load(folder)",
    # JAX
    "jit": "decorate with @ag.function",
    "vmap": "write the function on whole arrays, or ag.map_fn(f, xs), a staged loop",
    "pmap": "large loops run on all cores by themselves (ag.set_num_threads)",
    "jacfwd": "write ag.jacobian(f)(x)",
    "jacrev": "write ag.jacobian(f)(x)",
    "linearize": "write ag.jvp(f, (x,), (tangent,))",
    "custom_vjp": "write @ag.custom_gradient",
    "custom_jvp": "write @ag.custom_gradient",
    "checkpoint": "write ag.recompute(f); state is kept on disk by ag.Checkpoint",
    "remat": "write ag.recompute(f)",
    "lax": "write Python's if, while and for: they are staged; or ag.cond, ag.while_loop, ag.scan",
    "tree": "ag.grad and tapes take nested lists, tuples, dicts and dataclasses as they are",
    "tree_map": "write a Python comprehension: it is converted",
    "random_categorical": _CATEGORICAL,
    "categorical": _CATEGORICAL,
    "multinomial": _CATEGORICAL,
    "bernoulli": "write ag.random_uniform(shape) < p",
    "random_permutation": _PERMUTATION,
    "randperm": _PERMUTATION,
    "shuffle": "write x[ag.argsort(ag.random_uniform((len(x),)))]",
    "segment_sum": "write ag.scatter_add(ag.zeros((count,)), segments, x)",
    "index_add": "write ag.scatter_add(x, indices, values)",
    "masked_fill": "write ag.where(mask, value, x)",
    "cummax": "write np.maximum.accumulate(x)",
    "cummin": "write np.minimum.accumulate(x)",
    "logcumsumexp": "write np.logaddexp.accumulate(x)",
    "random": "write ag.random_normal(shape), ag.random_uniform(shape), or NumPy's np.random",
    "PRNGKey": "write ag.set_seed(0), or give a seed: ag.random_normal(shape, seed=0)",
    "device_put": "write `with ag.device(...)` around what makes it",
    "disable_jit": "run plain Python with f.python_function(x), or set AUTOGRAPH_JIT=0",
    # PyTorch
    "tensor": "write ag.asarray(value)",
    "as_tensor": "write ag.asarray(value)",
    "from_numpy": "write ag.asarray(array)",
    "array": "write ag.asarray(value)",
    "cat": "write ag.concat([x, y], axis=0)",
    "mm": "write x @ y",
    "bmm": "write x @ y",
    "manual_seed": "write ag.set_seed(0)",
    "no_grad": _GRADIENTS,
    "inference_mode": _GRADIENTS,
    "enable_grad": "record with a GradientTape",
    "autograd": "write ag.grad(f)(x), or a GradientTape",
    "randn": "write ag.random_normal(shape)",
    "rand": "write ag.random_uniform(shape)",
    "randint": "write ag.random_integers(low, high, shape)",
    "clamp": "write ag.clip(x, low, high)",
    "unsqueeze": "write ag.expand_dims(x, axis=0)",
    "optim": _OPTIMIZERS,
    "compile": "decorate with @ag.function",
    "Parameter": "write ag.Variable(value)",
    "long": "write ag.int64",
    "float": "write ag.float32",
    "double": "write ag.float64",
    "int": "write ag.int32",
    "cuda": "write `with ag.device(...)`",
}
"""By the name that is asked of `ag`; `reduce_sum` and its kin, and NumPy's names, are added."""

OF_LOSSES = {
    "binary_cross_entropy": "write sigmoid_cross_entropy(logits, labels)",
    "binary_crossentropy": "write sigmoid_cross_entropy(logits, labels)",
    "cross_entropy": "write softmax_cross_entropy(logits, labels)",
    "sparse_categorical_crossentropy": "write softmax_cross_entropy(logits, labels)",
    "mse_loss": "write mean_squared_error(predicted, target)",
    "mse": "write mean_squared_error(predicted, target)",
    "l1_loss": "write mean_absolute_error(predicted, target)",
    "mae": "write mean_absolute_error(predicted, target)",
    "nll_loss": "write softmax_cross_entropy(logits, labels)",
    "ctc": "its recursion can be a loop, which is staged",
}
"""By the name that is asked of `ag.nn.losses`."""

OF_LAYERS = {
    "Linear": "write ag.nn.Dense(inputs, outputs)",
    "Conv2d": "write ag.nn.Conv2D(...)",
    "BatchNorm1d": "write ag.nn.BatchNorm(features)",
    "BatchNorm2d": "write ag.nn.BatchNorm(features)",
    "MaxPool2d": "write ag.nn.MaxPool2D(...)",
    "LSTM": "write ag.nn.RNN(ag.nn.LSTMCell(...))",
    "GRU": "write ag.nn.RNN(ag.nn.GRUCell(...))",
    "ReLU": "write the function: ag.relu",
    "Tanh": "write the function: ag.tanh",
    "Sigmoid": "write the function: ag.sigmoid",
    "GELU": "write the function: ag.gelu",
    "Softmax": "write the function: ag.softmax",
    "functional": "functions are in ag itself: ag.relu(x); losses in ag.nn.losses",
    "Parameter": "write ag.Variable(value)",
    "ModuleList": "write a Python list of layers",
    "ModuleDict": "write a dict of layers",
    **{name: text.replace("write ", "write ag.nn.losses.") for name, text in OF_LOSSES.items()},
    "CrossEntropyLoss": "losses are functions in ag.nn.losses",
    "MSELoss": "losses are functions in ag.nn.losses",
    "Adam": _OPTIMIZERS,
    "SGD": "write ag.nn.optimizers.SGD(model, 0.1)",
    "MultiHeadAttention": f"{_WRITE_IT}: heads are ag.softmax(q @ k.mT / d**0.5, axis=-1) @ v",
    "MultiheadAttention": f"{_WRITE_IT}: heads are ag.softmax(q @ k.mT / d**0.5, axis=-1) @ v",
    "GroupNorm": f"{_WRITE_IT}: (x - mean) / std of x.reshape(rows, groups, -1)",
    "RMSNorm": f"{_WRITE_IT}: x * scale / ag.sqrt(ag.mean(x * x, axis=-1, keepdims=True) + 1e-6)",
    "Conv1D": "write ag.conv1d(x, kernel)",
    "Conv1d": "write ag.conv1d(x, kernel)",
    "Bidirectional": "run a second ag.nn.RNN over x[:, ::-1], and ag.concat both",
    "init": "initial values are in ag.nn.initializers",
}
"""By the name that is asked of `ag.nn`."""
_OF_MODULES = {"autograph.nn": OF_LAYERS, "autograph.nn.losses": OF_LOSSES}


def missing(module: str, name: str) -> AttributeError:
    """The error for a name that a module of this package does not have."""
    text = f"module {module!r} has no attribute {name!r}"
    remedies = _OF_MODULES.get(module)
    remedy = _of_module(name) if remedies is None else remedies.get(name)
    return AttributeError(f"{text}; {remedy}" if remedy else text)


def _of_module(name: str) -> str | None:
    if name.startswith("reduce_"):
        short = name.removeprefix("reduce_")
        return f"write ag.{short}(x)"
    if name in OF_MODULE:
        return OF_MODULE[name]
    if callable(getattr(np, name, None)) and not isinstance(getattr(np, name), type):
        return f"NumPy's function takes tensors, staged and under tapes, too: np.{name}(x)"
    return None
