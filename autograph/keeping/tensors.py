"""Named arrays as the bytes of a safetensors file, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.keeping.errors import DamagedError, KeepingError
from autograph.runtime.core.dtypes import SHORT_NAMES, complex128, float64

_PAIRS = " (complex)"
"""The end of the name of a tensor of complex128, which the format does not have: it holds pairs."""
_NAMED = " (as named)"
"""The end of a name that has an end of these two by itself."""

Arrays = dict[str, np.ndarray[Any, Any]]


def encode(arrays: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    """The bytes of a safetensors file. KeepingError for a dtype that the format does not have."""
    from safetensors.numpy import save

    try:
        return save(dict(_parts(name, array) for name, array in arrays.items()))
    except UnicodeEncodeError as error:
        raise KeepingError(f"a Variable has a name that is no text: {error}") from error


def _parts(name: str, array: np.ndarray[Any, Any]) -> tuple[str, np.ndarray[Any, Any]]:
    """An array as the format takes it; large complex numbers are pairs along a last axis."""
    plain = _plain(name, array)
    if name.endswith((_PAIRS, _NAMED)):
        name += _NAMED
    if plain.dtype != complex128:
        return name, plain
    return name + _PAIRS, plain.reshape(*plain.shape, 1).view(plain.real.dtype)


def _plain(name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array as the format takes it: in C order (any other is written wrong), little-endian."""
    if array.dtype.newbyteorder("=") not in SHORT_NAMES:
        raise KeepingError(f"{name} has the dtype {array.dtype}, which cannot be kept")
    return np.require(array, array.dtype.newbyteorder("<"), ["C", "A"])


def decode(data: bytes, where: str) -> Arrays:
    """The arrays of a safetensors file, each writable and its own. DamagedError names `where`."""
    from safetensors import SafetensorError, deserialize

    try:
        found: Any = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise DamagedError(f"{where} is not a whole safetensors file: {error}") from error
    arrays = {name: _array(name, part, where) for name, part in found}
    return dict(_joined(name, array, where) for name, array in arrays.items())


def _joined(name: str, array: np.ndarray[Any, Any], where: str) -> tuple[str, np.ndarray[Any, Any]]:
    """The array that `_parts` took apart."""
    if not name.endswith(_PAIRS):
        return name.removesuffix(_NAMED), array
    if array.dtype != float64 or array.shape[-1:] != (2,):
        raise DamagedError(f"{name} in {where} does not hold complex numbers")
    name = name.removesuffix(_PAIRS).removesuffix(_NAMED)
    return name, array.view(complex128)[..., 0]


def _array(name: str, part: Mapping[str, Any], where: str) -> np.ndarray[Any, Any]:
    dtype = _DTYPES.get(part["dtype"])
    if dtype is None:
        raise DamagedError(f"{name} in {where} has the unknown dtype {part['dtype']!r}")
    try:
        array = np.frombuffer(part["data"], dtype.newbyteorder("<")).reshape(part["shape"])
    except ValueError as error:
        raise DamagedError(f"{name} in {where} has no such shape: {error}") from error
    if dtype.kind == "b" and (array.view(np.uint8) > 1).any():
        raise DamagedError(f"{name} in {where} holds bytes that are no bools")
    return array.astype(dtype)


def _name(short: str) -> str:
    """What the format calls a dtype."""
    kind, bits = re.fullmatch(r"([a-z]+)(\d*)", short).groups()  # type: ignore[union-attr]
    return f"{kind.upper()}{bits}"


_DTYPES = {_name(short): dtype for dtype, short in SHORT_NAMES.items()}
