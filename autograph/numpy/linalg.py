"""numpy.linalg, whose functions take tensors as well as arrays."""

from numpy.linalg import *  # noqa: F403
from numpy.linalg import __all__ as __all__
