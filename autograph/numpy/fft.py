"""numpy.fft, whose functions take tensors as well as arrays."""

from numpy.fft import *  # noqa: F403
from numpy.fft import __all__ as __all__
