"""Plain Python on NumPy-like tensors, staged into one graph and compiled to native code.

The public API: `import autograph as ag`.
"""

from __future__ import annotations

import importlib
from math import e, inf, nan, pi
from typing import Any

from autograph import array_api, errors, foreign_names
from autograph.array_api import from_dlpack
from autograph.call.function import StagedFunction
from autograph.conversion.convert import convert, do_not_convert, to_code
from autograph.custom_gradients import custom_gradient, recompute
from autograph.decorator import function
from autograph.derivatives import (
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    value_and_grad,
    vjp,
)
from autograph.errors import StagingError
from autograph.functional import apply_along_axis, cond, fori_loop, map_fn, scan, switch, while_loop
from autograph.grids import mgrid, ogrid
from autograph.keeping.checkpoints.checkpoint import Checkpoint
from autograph.keeping.checkpoints.series import CheckpointManager
from autograph.keeping.errors import KeepingError
from autograph.keeping.functions.loading import load
from autograph.keeping.functions.saving import save
from autograph.kernels.threads import get_num_threads, set_num_threads
from autograph.operators.builtins.printing import numpy_function, py_function
from autograph.operators.calls.init_scope import init_scope
from autograph.profiling import profile
from autograph.runtime.arrays import protocols as _protocols  # noqa: F401 - NumPy's functions take tensors
from autograph.runtime.autodiff.check import check_gradients
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.devices import device, devices
from autograph.runtime.core.dtypes import (
    bool_,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from autograph.runtime.core.promotion import can_cast, finfo, iinfo, isdtype, result_type
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.table import OPS as _OPS
from autograph.tensor_spec import TensorSpec
from autograph.tracing.purity import pure

newaxis = None
__version__ = "0.1.0"

_OP_NAMES = """
    abs acos acosh add all allclose angle any append arange argmax argmin argpartition argsort
    argwhere array_equal array_split asarray asin asinh astype atan atan2 atanh atleast_1d
    atleast_2d atleast_3d average avg_pool2d bincount bitcast bitwise_and bitwise_invert
    bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor broadcast_arrays
    broadcast_shapes broadcast_to cbrt ceil choose clip column_stack complex concat conj conv1d
    conv2d conv2d_transpose convolve copy copysign corrcoef correlate cos cosh count_nonzero cov
    cross cumulative_prod cumulative_sum deg2rad depthwise_conv2d diag diagflat diagonal diff
    digitize divide divmod dot dstack ediff1d einsum elu empty empty_like equal erf erfc exp
    exp2 expand_dims expm1 eye fix flatnonzero flip fliplr flipud floor floor_divide fmax fmin
    full full_like gather gelu geomspace gradient greater greater_equal heaviside histogram
    hsplit hstack hypot imag inner interp isclose isfinite isin isinf isnan kron leaky_relu less
    less_equal linspace log log10 log1p log2 log_sigmoid log_softmax logaddexp logaddexp2
    logical_and logical_not logical_or logical_xor logspace logsumexp matmul matrix_transpose
    max max_pool2d maximum mean median meshgrid min minimum moveaxis multiply nan_to_num
    nanargmax nanargmin nanmax nanmean nanmin nanprod nanstd nansum nanvar negative nextafter
    nonzero not_equal one_hot ones ones_like outer pad partition percentile permute_dims polyfit
    polyval positive power prod ptp quantile rad2deg random_integers random_normal
    random_uniform ravel real reciprocal relu relu6 remainder repeat reshape roll rot90 round
    scatter_add searchsorted select selu set_seed sigmoid sign signbit silu sin sinc sinh
    softmax softplus sort split sqrt square squeeze stack std stop_gradient subtract sum
    swapaxes take take_along_axis tan tanh tensordot tile top_k trace transpose trapezoid tri
    tril triu trunc unique_all unique_counts unique_inverse unique_values unstack vander var
    vecdot vector_norm view_as_complex view_as_real vsplit vstack where zeros zeros_like
""".split()


_ROOMS = ("fft", "linalg", "nn", "special")
"""Modules of the public API that are written on it, and imported where they are asked for."""


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"autograph.{name}")
    raise foreign_names.missing("autograph", name)


globals().update({name: getattr(_OPS, name) for name in _OP_NAMES if hasattr(_OPS, name)})
pow = _OPS.power
bool = bool_
__array_api_version__ = array_api.VERSION
__array_namespace_info__ = array_api.NamespaceInfo
array_api.install()

__all__ = [
    "apply_along_axis",
    "Checkpoint",
    "CheckpointManager",
    "KeepingError",
    "GradientTape",
    "StagedFunction",
    "StagingError",
    "Tensor",
    "TensorSpec",
    "Variable",
    "bool_",
    "check_gradients",
    "complex64",
    "complex128",
    "cond",
    "convert",
    "custom_gradient",
    "device",
    "devices",
    "do_not_convert",
    "e",
    "errors",
    "fft",
    "float32",
    "from_dlpack",
    "float64",
    "fori_loop",
    "function",
    "get_num_threads",
    "grad",
    "hessian",
    "hvp",
    "init_scope",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "jacobian",
    "jvp",
    "linalg",
    "load",
    "map_fn",
    "mgrid",
    "nan",
    "newaxis",
    "nn",
    "numpy_function",
    "ogrid",
    "pi",
    "profile",
    "pure",
    "py_function",
    "recompute",
    "save",
    "scan",
    "set_default_dtype",
    "set_num_threads",
    "special",
    "switch",
    "to_code",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "value_and_grad",
    "elementwise_grad",
    "vjp",
    "while_loop",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
    "pow",
    *_OP_NAMES,
]
