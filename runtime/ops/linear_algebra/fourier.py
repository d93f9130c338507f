"""Fourier transforms along one axis, of which those along several are made; frequencies, shifts.

The references are NumPy's (pocketfft). A transform is a linear map, and its gradient the transpose
of it: of `fft` and `ifft` the transform itself.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import Hosted, Op, Sample
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.ops.building import all_typed
from autograph.runtime.ops.inference import PARTS, WHOLES, size_of_attribute

NORMS = ("backward", "ortho", "forward")
_OTHER_WAY = {"backward": "forward", "ortho": "ortho", "forward": "backward"}
"""The norm under which a transform is the conjugate of the inverse one."""


def _computed(dtype: DType) -> DType:
    """The complex dtype in which a transform of `dtype` is computed: float32 stays single."""
    if dtype.kind == "c":
        return dtype
    return dtypes.complex64 if dtype == dtypes.float32 else dtypes.complex128


def _along(x: Any, axis: int) -> int:
    if not x.ndim:
        raise IndexError("a Fourier transform goes along an axis: a 0-d tensor has none")
    return normalized_axis(axis, x.ndim)


def _resized(x: Spec, axis: int, dtype: DType, size: DimLike) -> Spec:
    along = _along(x, axis)
    return Spec(dtype, (*x.shape[:along], size, *x.shape[along + 1 :]))


def _points(size: DimLike) -> DimLike:
    if isinstance(size, int) and size < 1:
        raise ValueError(f"Invalid number of FFT data points ({size}) specified.")
    return size


def _infer_fft(x: Spec, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Spec:
    size = _points(x.shape[_along(x, axis)] if n is None else size_of_attribute(n))
    return _resized(x, axis, _computed(x.dtype), size)


def _infer_rfft(x: Spec, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Spec:
    size = _points(x.shape[_along(x, axis)] if n is None else size_of_attribute(n))
    half: DimLike = size // 2 + 1 if isinstance(size, int) else Dim.fresh("k")
    return _resized(x, axis, _computed(x.dtype), half)


def _infer_irfft(x: Spec, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Spec:
    size: DimLike = 2 * (x.shape[_along(x, axis)] - 1)
    if n is not None:
        size = size_of_attribute(n)
    return _resized(x, axis, PARTS[_computed(x.dtype)], _points(size))


def _reference(name: str, infer: Any) -> Any:
    transform = getattr(np.fft, name)

    @functools.lru_cache(1024)
    def dtype_of(dtype: DType, shape: tuple[int, ...], n: Any, axis: int, norm: str) -> DType:
        made: DType = infer(Spec(dtype, shape), n=n, axis=axis, norm=norm).dtype
        return made

    def reference(x: Any, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
        wanted = dtype_of(x.dtype, x.shape, n, axis, norm)
        # NumPy computes integers in double precision, and single floats in single from 2.0 on
        return np.asarray(transform(x, n, axis, norm), wanted)

    return reference


# gradients ----------------------------------------------------------------------------------------
def _fitted(o: Any, g: Any, x: Any, axis: int) -> Any:
    """A gradient cut, or filled with zeros, to the size that the operand had along an axis."""
    along = _along(x, axis)
    wanted, given = o.dimension(x, along), o.dimension(g, along)
    if isinstance(wanted, int) and isinstance(given, int):
        if wanted == given:
            return g
        before = (slice(None),) * along
        if wanted < given:
            return g[(*before, slice(0, wanted))]
        widths = [(0, wanted - given if place == along else 0) for place in range(x.ndim)]
        return o.pad(g, widths)
    zeros = o.zeros_like(x) + o.zeros((), dtype=g.dtype)
    both = o.minimum(*(o.asarray(one, dtype=dtypes.int64) for one in (wanted, given)))
    places = o.arange(o.number_of(both, int))
    moved, parts = o.moveaxis(zeros, along, 0), o.moveaxis(g, along, 0)
    filled = o.apply("scatter_add", (moved, places, o.take(parts, places, axis=0)), {"axis": 0})
    return o.moveaxis(filled, 0, along)


def _itself(name: str) -> Any:
    def rule(o: Any, g: Any, out: Any, x: Any, *, n: Any, axis: int, norm: str) -> Any:
        turned = o.apply(name, (g,), {"n": None, "axis": axis, "norm": norm})
        return _real_if(o, _fitted(o, turned, x, axis), x)

    return rule


def _real_if(o: Any, g: Any, x: Any) -> Any:
    return g if x.dtype.kind == "c" else o.real(g)


def _rfft_gradient(o: Any, g: Any, out: Any, x: Any, *, n: Any, axis: int, norm: str) -> Any:
    size = o.dimension(x, _along(x, axis)) if n is None else n
    whole = o.apply("fft", (g,), {"n": o.attribute(size), "axis": axis, "norm": norm})
    return _fitted(o, o.real(whole), x, axis)


def _irfft_gradient(o: Any, g: Any, out: Any, x: Any, *, n: Any, axis: int, norm: str) -> Any:
    # What was left out of x, the conjugates of all but the first and the middle, counts as well.
    size = o.dimension(out, _along(x, axis))
    half = o.apply("rfft", (g,), {"n": None, "axis": axis, "norm": _OTHER_WAY[norm]})
    places = o.arange(o.dimension(half, _along(x, axis)))
    single = o.logical_or(o.equal(places, 0), o.equal(2 * places, size))
    weights = o.astype(o.where(single, 1, 2), PARTS[half.dtype])
    after = tuple(range(1, x.ndim - _along(x, axis)))
    weights = o.expand_dims(weights, after) if after else weights
    return _real_if(o, _fitted(o, o.conj(half) * weights, x, axis), x)


# records ------------------------------------------------------------------------------------------
SIGNAL = np.array([[0.5, -1.25, 2.0, 0.3], [1.5, 0.75, -0.3, -2.0]])
SPECTRUM = SIGNAL + 1j * SIGNAL[::-1, ::-1]


def _samples(name: str) -> tuple[Sample, ...]:
    given = SIGNAL if name == "rfft" else SPECTRUM
    real = name in ("rfft",)
    sizes: tuple[dict[str, Any], ...] = (
        {},
        {"axis": 0},
        {"n": 3, "norm": "ortho"},
        {"n": 7, "norm": "forward"},
    )
    own = tuple(Sample((given,), one, gradient=False) for one in sizes)
    single = given.astype(np.float32 if real else np.complex64)
    return (
        *own,
        Sample((single,), gradient=False),
        Sample((np.array([1, 2, 4]),), gradient=False),
        *([] if name != "irfft" else [Sample((SIGNAL,), one) for one in sizes]),
    )


def _transform(name: str, summary: str, infer: Any, gradient: Any) -> Op:
    def public(o: Any, x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
        return _one(o, name, x, n, axis, norm)

    public.__doc__ = f"""{summary}

    `n` is the size along the axis that is transformed: what is longer is cut, what is shorter gets
    zeros behind it. `norm` says where 1 / n goes: "backward" (to the inverse transforms), "forward"
    (to the others), or "ortho" (its root to both). float32 gives complex64, all else complex128.
    """
    return Op(
        name=name,
        summary=summary,
        infer=infer,
        reference=_reference(name, infer),
        gradient=all_typed((gradient,)),
        lowering=Hosted(),
        samples=_samples(name),
        public=public,
    )


def _one(o: Any, name: str, x: Any, n: Any, axis: int, norm: Any) -> Any:
    (x,) = o.operands((x,))
    norm = "backward" if norm is None else norm
    if norm not in NORMS:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return o.apply(name, (x,), {"n": o.attribute(n), "axis": axis, "norm": norm})


RECORDS = (
    _transform(
        "fft",
        "The discrete Fourier transform along an axis.",
        _infer_fft,
        _itself("fft"),
    ),
    _transform(
        "ifft",
        "The inverse of the discrete Fourier transform along an axis.",
        _infer_fft,
        _itself("ifft"),
    ),
    _transform(
        "rfft",
        "The Fourier transform of real numbers: the half of it that says all, n // 2 + 1 numbers.",
        _infer_rfft,
        _rfft_gradient,
    ),
    _transform(
        "irfft",
        "The n, or 2 (size - 1), real numbers of which x is the half of a Fourier transform.",
        _infer_irfft,
        _irfft_gradient,
    ),
)


# made of these ------------------------------------------------------------------------------------
def hfft(o: Any, x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The Fourier transform of numbers that are conjugates of their mirror images: real ones.

    x is the first half of them; `n` numbers come out, or 2 (size - 1).
    """
    return _one(o, "irfft", o.conj(x), n, axis, _OTHER_WAY.get(norm or "backward", norm))


def ihfft(o: Any, x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward") -> Any:
    """The inverse of `hfft`: half of the inverse transform of real numbers."""
    return o.conj(_one(o, "rfft", x, n, axis, _OTHER_WAY.get(norm or "backward", norm)))


def _axes_of(x: Any, s: Any, axes: Any) -> tuple[list[Any], list[int]]:
    """The sizes (None: as they are) and the axes of a transform along several."""
    if axes is None:
        count = x.ndim if s is None else len(s)
        chosen = list(range(x.ndim - count, x.ndim))
    else:
        chosen = [normalized_axis(one, x.ndim) for one in axes]
    sizes = [None] * len(chosen) if s is None else list(s)
    if len(sizes) != len(chosen):
        raise ValueError("Shape and axes have different lengths.")
    own = [None if isinstance(one, int) and one == -1 else one for one in sizes]
    return own, chosen


def _several(o: Any, names: Sequence[str], x: Any, s: Any, axes: Any, norm: Any) -> Any:
    """Transforms one after the other: the last axis by the first name, the others by the second."""
    x = o.asarray_or_same(x)
    sizes, chosen = _axes_of(x, s, axes)
    if not chosen:
        raise ValueError("at least 1 axis must be transformed")
    last = _one(o, names[0], x, sizes[-1], chosen[-1], norm) if names[0] != "irfft" else x
    for size, axis in zip(sizes[-2::-1], chosen[-2::-1], strict=True):
        last = _one(o, names[1], last, size, axis, norm)
    return last if names[0] != "irfft" else _one(o, "irfft", last, sizes[-1], chosen[-1], norm)


def fftn(o: Any, x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The Fourier transform along several axes, or all; `s` has the size of each."""
    return _several(o, ("fft", "fft"), x, s, axes, norm)


def ifftn(o: Any, x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The inverse of `fftn`."""
    return _several(o, ("ifft", "ifft"), x, s, axes, norm)


def rfftn(o: Any, x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The Fourier transform of real numbers along several axes: the half of it along the last."""
    return _several(o, ("rfft", "fft"), x, s, axes, norm)


def irfftn(o: Any, x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward") -> Any:
    """The inverse of `rfftn`: real numbers."""
    return _several(o, ("irfft", "ifft"), x, s, axes, norm)


def fft2(o: Any, x: Any, /, *, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The Fourier transform along two axes, the last ones."""
    return fftn(o, x, s=s, axes=axes, norm=norm)


def ifft2(o: Any, x: Any, /, *, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The inverse of `fft2`."""
    return ifftn(o, x, s=s, axes=axes, norm=norm)


def rfft2(o: Any, x: Any, /, *, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward") -> Any:
    """The Fourier transform of real numbers along two axes: the half of it along the last."""
    return rfftn(o, x, s=s, axes=axes, norm=norm)


def irfft2(
    o: Any, x: Any, /, *, s: Any = None, axes: Any = (-2, -1), norm: Any = "backward"
) -> Any:
    """The inverse of `rfft2`."""
    return irfftn(o, x, s=s, axes=axes, norm=norm)


def _float_dtype(dtype: Any) -> DType:
    wanted = dtypes.default_dtype(float) if dtype is None else dtypes.as_dtype(dtype)
    if wanted not in WHOLES:
        raise ValueError(f"frequencies are of a float dtype, not {wanted}")
    return wanted


def fftfreq(o: Any, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a transform of n numbers, d apart: from 0 up, then the negative ones."""
    places = o.arange(n)
    signed = o.where(places < (n + 1) // 2, places, places - n)
    return o.astype(o.astype(signed, dtypes.float64) / (n * d), _float_dtype(dtype))


def rfftfreq(o: Any, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a transform of n real numbers, d apart: none is negative."""
    places = o.astype(o.arange(n // 2 + 1), dtypes.float64)
    return o.astype(places / (n * d), _float_dtype(dtype))


def _shifted(o: Any, x: Any, axes: Any, ways: Any) -> Any:
    x = o.asarray_or_same(x)
    chosen = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else list(axes)
    for axis in chosen:
        x = o.roll(x, ways(o.dimension(x, normalized_axis(axis, x.ndim))), axis=axis)
    return x


def fftshift(o: Any, x: Any, /, *, axes: Any = None) -> Any:
    """x with the frequency 0 moved to the middle of each axis."""
    return _shifted(o, x, axes, lambda size: size // 2)


def ifftshift(o: Any, x: Any, /, *, axes: Any = None) -> Any:
    """The inverse of `fftshift`."""
    return _shifted(o, x, axes, lambda size: -(size // 2))


FUNCTIONS = (
    *(hfft, ihfft, fftn, ifftn, rfftn, irfftn, fft2, ifft2, rfft2, irfft2),
    *(fftfreq, rfftfreq, fftshift, ifftshift),
)
