"""A compiled program: what a call does before and after the native code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.kernels.compile import entry_of
from autograph.kernels.results import KeptArray
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import ShapeError, Spec
from autograph.runtime.lower.function import Lowered, Result
from autograph.runtime.lower.sizes import Source

Array = np.ndarray[Any, Any]


class CompiledProgram:
    """A graph that runs as one native function (or, with the JIT off, as its text in CPython)."""

    def __init__(self, lowered: Lowered, jit: bool) -> None:
        self.text = lowered.text
        self.is_native = True
        self._lowered = lowered
        self._jit = jit
        self._entry = entry_of(lowered.text, jit)
        self._plans: dict[tuple[tuple[int, ...], ...], tuple[Array, list[Any]]] = {}

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; raises what the program raises.

        Arrays must have the dtypes and fit the shapes of the graph's inputs. They are never
        written; tensors come out as new arrays, Python numbers as Python numbers.
        """
        lowered = self._lowered
        arrays = [
            ready(value, spec) if not spec.python else None
            for value, spec in zip(inputs, lowered.inputs, strict=True)
        ]
        words, results = self._plan(arrays)
        words = words.copy()
        numbers = words.view(np.float64)
        for place, word in lowered.words.items():
            if lowered.inputs[place].dtype.kind == "f":
                numbers[word] = inputs[place]
            else:
                words[word] = inputs[place]
        outputs = [_room(one) for one in results]
        rooms = [one.words if self._jit and isinstance(one, KeptArray) else one for one in outputs]
        status = self._entry(words, *arrays, *rooms, *lowered.constants)
        if status:
            raise self._error(status, words)
        return [
            _result(result, words, output)
            for result, output in zip(lowered.results, outputs, strict=True)
        ]

    def _error(self, status: int, words: Array) -> BaseException:
        site = self._lowered.sites[status - 1]
        error = site.make(words)
        error.__autograph_location__ = site.location  # type: ignore[attr-defined]
        return error

    # sizes ------------------------------------------------------------------------------------
    def _plan(self, arrays: list[Array | None]) -> tuple[Array, list[Any]]:
        """The parameters and the shapes of the results for inputs of these shapes."""
        key = tuple(array.shape for array in arrays if array is not None)
        known = self._plans.get(key)
        if known is None:
            if len(self._plans) > 256:
                self._plans.clear()
            known = self._plans[key] = self._new_plan(arrays)
        return known

    def _new_plan(self, arrays: list[Array | None]) -> tuple[Array, list[Any]]:
        lowered = self._lowered
        symbols = bound_symbols(lowered.inputs, arrays)
        words = np.zeros(lowered.word_count, np.int64)
        for word, source in lowered.sizes:
            words[word] = _evaluated(source, symbols)
        for word, value, dtype in lowered.literals:
            if dtype.kind == "f":
                words.view(np.float64)[word] = value
            else:
                words[word] = np.asarray(value).astype(np.int64)
        values = {
            name: _evaluated(source, symbols)
            for name, source in lowered.sources.items()
            if isinstance(source, int) or source.symbols <= symbols.keys()
        }
        results: list[Any] = []
        for result in lowered.results:
            shape: Any = None
            if result.sizes is not None:
                shape = tuple(_number(size, values) for size in result.sizes)
            results.append((result, shape))
        return words, results


def _evaluated(source: Source, symbols: dict[str, int]) -> int:
    return source if isinstance(source, int) else source.substitute(symbols)


def _number(size: DimLike, values: dict[str, int]) -> int:
    return size if isinstance(size, int) else size.substitute(values)


def bound_symbols(specs: Sequence[Spec], arrays: Sequence[Array | None]) -> dict[str, int]:
    """The symbols of the inputs' shapes. ShapeError where the arrays do not fit the specs."""
    symbols: dict[str, int] = {}
    for plain in (True, False):
        for spec, array in zip(specs, arrays, strict=True):
            if array is None:
                continue
            if len(array.shape) != spec.ndim:
                raise ShapeError(f"an array of shape {array.shape} came in for {spec}")
            for dim, size in zip(spec.shape, array.shape, strict=True):
                if isinstance(dim, Dim) and (dim.name is not None) == plain:
                    wanted = symbols.setdefault(dim.name, size) if plain and dim.name else None
                    expected = wanted if wanted is not None else dim.substitute(symbols)
                    if expected != size:
                        raise ShapeError(f"an array of shape {array.shape} came in for {spec}")
                elif isinstance(dim, int) and plain and dim != size:
                    raise ShapeError(f"an array of shape {array.shape} came in for {spec}")
    return symbols


def ready(value: Any, spec: Spec) -> Array:
    """An array as native code takes it: of the dtype, native, aligned, contiguous."""
    array = value if type(value) is np.ndarray else np.asarray(value)
    flags = array.flags
    if array.dtype != spec.dtype or not array.dtype.isnative:
        if array.dtype.newbyteorder("=") != spec.dtype:
            raise TypeError(f"an array of dtype {array.dtype} came in for {spec}")
        return np.array(array, spec.dtype, order="C")
    if not (flags.c_contiguous and flags.aligned):
        return np.array(array, order="C")
    return array


def _room(planned: tuple[Result, Any]) -> Any:
    result, shape = planned
    if result.word is not None:
        return None
    if shape is None:
        return KeptArray(result.spec.dtype, result.spec.ndim)
    return np.empty(shape, result.spec.dtype)


def _result(result: Result, words: Array, output: Any) -> Any:
    if result.word is not None:
        if result.spec.dtype.kind == "f":
            return float(words.view(np.float64)[result.word])
        value = int(words[result.word])
        return bool(value) if result.spec.dtype.kind == "b" else value
    return output.array() if isinstance(output, KeptArray) else output
