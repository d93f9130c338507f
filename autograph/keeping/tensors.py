"""Named arrays as the bytes of a safetensors file, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.keeping.errors import DamagedError, KeepingError
from autograph.runtime.core.dtypes import SHORT_NAMES, complex128

Arrays = dict[str, np.ndarray[Any, Any]]


def encode(arrays: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    """The bytes of a safetensors file. KeepingError for a dtype that the format does not have."""
    from safetensors.numpy import save

    return save({name: _plain(name, array) for name, array in arrays.items()})


def _plain(name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array as the format takes it: in C order (any other is written wrong), little-endian."""
    if array.dtype.newbyteorder("=") not in SHORT_NAMES:
        raise KeepingError(f"{name} has the dtype {array.dtype}, which cannot be kept")
    if array.dtype == complex128:
        raise KeepingError(
            f"{name} has the dtype complex128, which safetensors files do not have; keep "
            "ag.view_as_real(x), or complex64"
        )
    return np.require(array, array.dtype.newbyteorder("<"), ["C", "A"])


def decode(data: bytes, where: str) -> Arrays:
    """The arrays of a safetensors file, each writable and its own. DamagedError names `where`."""
    from safetensors import SafetensorError, deserialize

    try:
        found: Any = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise DamagedError(f"{where} is not a whole safetensors file: {error}") from error
    return {name: _array(name, part, where) for name, part in found}


def _array(name: str, part: Mapping[str, Any], where: str) -> np.ndarray[Any, Any]:
    dtype = _DTYPES.get(part["dtype"])
    if dtype is None:
        raise DamagedError(f"{name} in {where} has the unknown dtype {part['dtype']!r}")
    array = np.frombuffer(part["data"], dtype.newbyteorder("<")).reshape(part["shape"])
    return array.astype(dtype)


def _name(short: str) -> str:
    """What the format calls a dtype."""
    kind, bits = re.fullmatch(r"([a-z]+)(\d*)", short).groups()  # type: ignore[union-attr]
    return f"{kind.upper()}{bits}"


_DTYPES = {_name(short): dtype for dtype, short in SHORT_NAMES.items()}
