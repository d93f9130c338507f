"""numpy.random, whose functions take tensors as well as arrays."""

from numpy.random import *  # noqa: F403
from numpy.random import __all__ as __all__
