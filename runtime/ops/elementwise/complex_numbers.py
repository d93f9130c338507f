"""Complex tensors: made and taken apart.

The gradient of a complex value z = a + ib is da - i db, as JAX has it: the rule of an analytic
function is the same for real and complex numbers (docs/decisions/0056-complex-numbers.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.record import Elementwise, Library, Op, Sample
from autograph.runtime.core.spec import PYCOMPLEX, PYFLOAT, Spec, broadcast, promoted
from autograph.runtime.ops.elementwise.numbers import require_numbers
from autograph.runtime.ops.inference import PARTS, WHOLES, floating
from autograph.runtime.ops.shaping.shapes import known_size

NUMBERS = Sample((np.array([1.5 - 2j, 0.5j, -1 + 0j]),), gradient=False)


def _infer_part(x: Spec) -> Spec:
    return Spec(PARTS.get(x.dtype, x.dtype), x.shape)


def _infer_complex(real: Spec, imag: Spec) -> Spec:
    dtypes.note_complex()
    return Spec(WHOLES[floating(promoted([real, imag]))], broadcast([real.shape, imag.shape]))


def _complex(real: Any, imag: Any) -> Any:
    dtypes.note_complex()
    whole = WHOLES[floating(np.result_type(real, imag))]
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), whole)
    result.real, result.imag = real, imag
    return result


def _part(o: Any, g: Any, own: Any, which: str) -> Any:
    return o.astype(o.apply(which, (g,), {}), own.dtype)


def _infer_number(spec: Spec, name: str, *operands: Spec) -> Callable[..., Spec]:
    def infer(*given: Spec) -> Spec:
        require_numbers(name, given)
        assert given == operands
        dtypes.note_complex()
        return spec

    return infer


_ONE = (Sample((1.5 - 2j,), gradient=False), Sample((-0.0j,), gradient=False))
NUMBER_RECORDS = (
    Op(
        name="py_complex",
        summary="The Python complex number with these two parts, which are floats.",
        infer=_infer_number(PYCOMPLEX, "py_complex", PYFLOAT, PYFLOAT),
        reference=complex,
        gradient=(
            lambda o, g, out, real, imag: o.py_real(g),
            lambda o, g, out, real, imag: -o.py_imag(g),
        ),
        lowering=Library("py_complex"),
        samples=(Sample((1.5, -2.0), gradient=False), Sample((0.0, -0.0), gradient=False)),
    ),
    Op(
        name="py_real",
        summary="The real part of a Python complex number.",
        infer=_infer_number(PYFLOAT, "py_real", PYCOMPLEX),
        reference=lambda x: x.real,
        gradient=(lambda o, g, out, x: o.py_complex(g, 0.0),),
        lowering=Library("py_real"),
        samples=_ONE,
    ),
    Op(
        name="py_imag",
        summary="The imaginary part of a Python complex number.",
        infer=_infer_number(PYFLOAT, "py_imag", PYCOMPLEX),
        reference=lambda x: x.imag,
        gradient=(lambda o, g, out, x: o.py_complex(0.0, -g),),
        lowering=Library("py_imag"),
        samples=_ONE,
    ),
)
"""Arithmetic of such numbers is plain Python on their parts: `library/complex_numbers`."""

RECORDS = (
    *NUMBER_RECORDS,
    Op(
        name="complex",
        summary="real + i imag: the complex tensor with these two parts.",
        infer=_infer_complex,
        reference=_complex,
        gradient=(
            lambda o, g, out, real, imag: _part(o, g, real, "real"),
            lambda o, g, out, real, imag: -_part(o, g, imag, "imag"),
        ),
        lowering=Elementwise("{0} + 1j * {1}"),
        samples=(Sample(([1.5, -2.0], [[0.5], [0.0]]), gradient=False),),
    ),
    Op(
        name="real",
        summary="The real part of x; x itself where it is real.",
        infer=_infer_part,
        reference=lambda x: np.real(x).copy(),
        gradient=(lambda o, g, out, x: o.complex(g, o.zeros_like(g)),),
        lowering=Elementwise("{0}.real"),
        samples=(NUMBERS,),
        public=lambda o, x, /: _of_complex(o, "real", x, lambda real: real),
    ),
    Op(
        name="imag",
        summary="The imaginary part of x; zeros where it is real.",
        infer=_infer_part,
        reference=lambda x: np.imag(x).copy(),
        gradient=(lambda o, g, out, x: o.complex(o.zeros_like(g), -g),),
        lowering=Elementwise("{0}.imag"),
        samples=(NUMBERS,),
        public=lambda o, x, /: _of_complex(o, "imag", x, o.zeros_like),
    ),
    Op(
        name="conj",
        summary="x with its imaginary part negated; x itself where it is real.",
        infer=lambda x: Spec(x.dtype, x.shape),
        reference=lambda x: np.conj(x) if x.dtype.kind == "c" else x.copy(),
        gradient=(lambda o, g, out, x: o.conj(g),),
        lowering=Elementwise("{0}.conjugate()"),
        samples=(NUMBERS,),
        public=lambda o, x, /: _of_complex(o, "conj", x, lambda real: real),
    ),
)


def _of_complex(o: Any, name: str, x: Any, of_real: Any) -> Any:
    x = o.asarray_or_same(x)
    return o.apply(name, (x,), {}) if x.dtype.kind == "c" else of_real(x)


def view_as_real(o: Any, x: Any, /) -> Any:
    """The parts of complex x along a new last axis: [...] -> [..., 2]."""
    x = o.asarray_or_same(x)
    if x.dtype.kind != "c":
        raise TypeError(f"view_as_real takes a complex tensor, not one of {x.dtype}")
    return o.stack([o.real(x), o.imag(x)], axis=-1)


def view_as_complex(o: Any, x: Any, /) -> Any:
    """The complex tensor whose parts lie along the last axis: [..., 2] -> [...]."""
    x = o.asarray_or_same(x)
    if not x.ndim or known_size(x, -1, "the last axis") != 2:
        raise ValueError(f"view_as_complex takes two parts on the last axis, not shape {x.shape}")
    return o.complex(x[..., 0], x[..., 1])


def angle(o: Any, x: Any, /) -> Any:
    """The angle of x in the complex plane, from -pi to pi; of a real number 0 or pi."""
    x = o.asarray_or_same(x)
    if x.dtype.kind == "c":
        return o.atan2(o.imag(x), o.real(x))
    x = o.astype(x, floating(x.dtype))
    turned = o.where(o.signbit(x), o.full_like(x, math.pi), o.zeros_like(x))
    return o.where(o.isnan(x), x, turned)


FUNCTIONS = (view_as_real, view_as_complex, angle)
