"""Fourier transforms: `ag.fft`, the extension of the array API standard, and `fft2` and its kin.

Sizes, axes and norms are NumPy's, and so are the values: pocketfft computes them, and CPython
drives those nodes of a staged function. float32 gives complex64, complex64 stays, all else is
computed in double precision. Gradients of any order, as
docs/decisions/0056-complex-numbers.md has them.

    y = ag.fft.rfft(x)                      x: [..., n] real, y: [..., n // 2 + 1] complex
    x = ag.fft.irfft(y, n=n)
    f = ag.fft.rfftfreq(n, d=1 / rate)
"""

from __future__ import annotations

from autograph.runtime.ops.table import OPS as _OPS

fft = _OPS.fft
fft2 = _OPS.fft2
fftfreq = _OPS.fftfreq
fftn = _OPS.fftn
fftshift = _OPS.fftshift
hfft = _OPS.hfft
ifft = _OPS.ifft
ifft2 = _OPS.ifft2
ifftn = _OPS.ifftn
ifftshift = _OPS.ifftshift
ihfft = _OPS.ihfft
irfft = _OPS.irfft
irfft2 = _OPS.irfft2
irfftn = _OPS.irfftn
rfft = _OPS.rfft
rfft2 = _OPS.rfft2
rfftfreq = _OPS.rfftfreq
rfftn = _OPS.rfftn

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
