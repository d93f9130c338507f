"""Random bits as a function of a seed and a counter: Threefry-2x32 with 20 rounds.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC 2011. Here in NumPy, for scalars and arrays; `codegen.fixed` writes the same rounds as LLVM
instructions, with its rotation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)
PARITY = 0x1BD11BDA
ROUNDS = 20
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def random_bits(seed: Any, counter: Any) -> Any:
    """64 random bits for a seed and a counter, all of them uint64, scalars or arrays."""
    keys = [np.uint32(seed & _LOW), np.uint32(seed >> _HALF)]
    keys.append(keys[0] ^ keys[1] ^ np.uint32(PARITY))
    with np.errstate(over="ignore"):
        x = np.uint32(counter & _LOW) + keys[0]
        y = np.uint32(counter >> _HALF) + keys[1]
        for number in range(ROUNDS):
            left = np.uint32(ROTATIONS[number % 8])
            x = x + y
            y = (y << left) | (y >> (np.uint32(32) - left))
            y = y ^ x
            if number % 4 == 3:
                group = number // 4 + 1
                x = x + keys[group % 3]
                y = y + keys[(group + 1) % 3] + np.uint32(group)
    return (np.uint64(y) << _HALF) | np.uint64(x)
