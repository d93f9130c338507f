"""Complex numbers in programs: as pairs of real ones they give what NumPy gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.core.complex_use import TAKE_COMPLEX
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Hosted, Movement, Op, Sample
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.lower import build
from autograph.runtime.lower.complex_pairs.rewriting import BY_PARTS
from autograph.runtime.ops.table import OPS, RECORDS
from tests.graphs.test_lower_ops import assert_same, graph_of, prepared

WITHOUT_FORM = frozenset(
    "acos acosh argmax argmin argsort asin asinh atan atanh cholesky cofactors cumulative_prod det "
    "eigh inv lu_diagonal max min pinv prod qr slogdet solve solve_triangular svd".split()
)
"""Of complex numbers CPython runs these."""


def is_movement(op: Op) -> bool:
    return isinstance(op.lowering, Movement) and op.name not in ("arange", "constant")


def as_complex(value: Any) -> Any:
    """A sample's floats as complex numbers."""
    if isinstance(value, ListValue):
        return ListValue(map(as_complex, value))
    if not (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        return value
    result = np.empty(value.shape, np.result_type(value, np.complex64))
    result.real, result.imag = value, value[..., ::-1] * -0.5 if value.ndim else 0.25
    return result


LISTS = frozenset(name for name in BY_PARTS if name.startswith("list_"))
UNTRIED = ("astype", "searchsorted")
"""Complex numbers are not cast to real ones; a search with NaN in one part counts otherwise."""


def samples() -> Iterator[Any]:
    for op in RECORDS.values():
        known = op.name in TAKE_COMPLEX or is_movement(op) or op.name in LISTS
        if known and op.name not in UNTRIED:
            for number, sample in enumerate(op.samples):
                yield pytest.param(op, sample, id=f"{op.name}-{number}")


@pytest.mark.parametrize(("op", "sample"), list(samples()))
def test_samples_of_complex_numbers(op: Op, sample: Sample) -> None:
    values = [as_complex(prepared(value, python=False)) for value in sample.inputs]
    if any(isinstance(one, ListValue) and not len(one) for one in values):
        pytest.skip("a list that says no dtype")
    items = [one for v in values for one in (v if isinstance(v, ListValue) else (v,))]
    if not any(isinstance(one, np.ndarray) and one.dtype.kind == "c" for one in items):
        pytest.skip("no floats")
    try:
        graph = graph_of(op, values, dict(sample.attributes))
        expected = evaluate(graph, values)
    except (TypeError, AttributeError, np.linalg.LinAlgError):
        pytest.skip("the op takes no such inputs")
    program = build(graph, jit=False)
    # lists of complex numbers come and go through CPython
    driven = op.name in WITHOUT_FORM or op.name in LISTS or isinstance(op.lowering, Hosted)
    assert program.is_native or driven, program.text
    for got, wanted in zip(program.run(values), expected, strict=True):
        assert_same(got, wanted)


# special values -----------------------------------------------------------------------------------
PARTS = [0.0, -0.0, 1.0, -0.5, 2.25, 20.0, -360.0, 709.6, -711.0, 1e-17, np.inf, -np.inf, np.nan]


def pairs_of(parts: list[float], dtype: Any) -> Any:
    result = np.empty((len(parts), len(parts)), dtype)
    result.real, result.imag = np.array(parts)[:, None], np.array(parts)
    return result.reshape(-1)


def values_of(dtype: Any) -> Any:
    """Pairs of all special values, and some ordinary numbers."""
    double = dtype is np.complex128
    parts = [*PARTS, *([1e300, -1e300, 1e-310] if double else [1e37, -1e37, 1e-40])]
    if not double:
        parts = [one for one in parts if not 100 < abs(one) < 1e30]
    rng = np.random.default_rng(0)
    ordinary = rng.normal(size=(2, 100)) * 3
    beside_one = np.exp(1j * rng.normal(size=50)) * (1 + 1e-8 * rng.normal(size=50))
    with np.errstate(over="ignore"):
        rest = np.concatenate([ordinary[0] + 1j * ordinary[1], beside_one]).astype(dtype)
    return np.concatenate([pairs_of(parts, dtype), rest])


UNARY = (
    "negative abs reciprocal conj real imag isnan isinf isfinite logical_not sqrt exp expm1 log "
    "log1p log2 log10 sin cos tan sinh cosh tanh".split()
)
BINARY = (
    "add subtract divide equal not_equal less less_equal greater greater_equal maximum minimum "
    "logical_and logical_or logical_xor".split()
)


def traced(function: Callable[..., Any], *specs: Spec) -> Graph:
    trace = Trace("program")
    with trace.active():
        results = function(*map(trace.add_input, specs))
        trace.graph.outputs = [trace.value_of(one) for one in results]
    return trace.graph


def differing(got: Any, wanted: Any) -> Any:
    """Where two arrays differ by more than rounding: in a part, against the size of the whole."""
    if wanted.dtype.kind == "b":
        return got != wanted
    tolerance = 1e-14 if wanted.dtype in (np.complex128, np.float64) else 3e-6
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(wanted), 1e-300)
        largest = np.finfo(wanted.dtype).max
        size = np.where(np.isfinite(size), size, np.where(np.isnan(size), 1.0, largest))
        bad = np.zeros(wanted.shape, bool)
        for one, other in ((got.real, wanted.real), (got.imag, wanted.imag)):
            same = (one == other) & ((one != 0) | (np.signbit(one) == np.signbit(other)))
            near = np.isfinite(one) & np.isfinite(other) & (abs(one - other) <= tolerance * size)
            bad |= ~(same | near | (np.isnan(one) & np.isnan(other)))
    return bad


def check(names: list[str], arguments: list[Any], jit: bool, unspecified: Any = None) -> None:
    """All of these ops in one program, against NumPy."""
    specs = [Spec(one.dtype, one.shape) for one in arguments]
    graph = traced(lambda *args: [OPS.apply(n, args, {}) for n in names], *specs)
    program = build(graph, jit=jit)
    assert program.is_native
    wanted = evaluate(graph, arguments)
    for name, got, other in zip(names, program.run(arguments), wanted, strict=True):
        assert got.dtype == other.dtype, name
        bad = differing(got, other)
        if unspecified is not None and name in ("sin", "sinh"):
            bad &= ~unspecified
        found = [(*(one[i] for one in arguments), other[i], got[i]) for i in np.flatnonzero(bad)]
        assert not found, (name, found[:5])


JIT = [False, pytest.param(True, marks=pytest.mark.compiled)]


@pytest.mark.parametrize("jit", JIT)
@pytest.mark.parametrize("dtype", (np.complex128, np.complex64))
def test_special_values(dtype: Any, jit: bool) -> None:
    x = values_of(dtype)
    # C leaves the sign of these open: infinite or NaN in one part, and not finite in the other
    unspecified = ~np.isfinite(x.real) & ~np.isfinite(x.imag)
    check(UNARY, [x], jit, unspecified)
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, len(x), (2, 3000 if jit else 400))
    check(BINARY, [x[left], x[right]], jit)
    for real in (x[left].real.copy(), x[right]), (x[left], x[right].real.copy()):
        check(["add", "subtract", "divide", "multiply"], list(real), jit)


def test_products_near_overflow_and_squares() -> None:
    """Of finite products nothing but rounding may differ (NumPy's machine code fuses sums)."""
    x = values_of(np.complex128)
    x = x[np.isfinite(x) & (np.abs(x) < 1e100)]
    left, right = np.random.default_rng(1).integers(0, len(x), (2, 400))
    check(["multiply"], [x[left], x[right]], jit=False)
    check(["square"], [x], jit=False)


@pytest.mark.parametrize("exponent", (0, 1, 2, 3, 4, 7, 31, -1, -2, -5, 2.0, 3 + 0j))
def test_powers_by_known_numbers(exponent: Any) -> None:
    x = np.array([1.5 - 2j, 0.5j, -1 + 0j, 0j, -0.3 - 0.1j])
    graph = traced(lambda z: [OPS.power(z, exponent)], Spec(x.dtype, x.shape))
    program = build(graph, jit=False)
    assert program.is_native
    np.testing.assert_allclose(program.run([x])[0], evaluate(graph, [x])[0], rtol=1e-13)


# sizes and borders --------------------------------------------------------------------------------
def test_symbolic_sizes() -> None:
    n, m = Dim.fresh("n"), Dim.fresh("m")
    c128, f64 = np.dtype(np.complex128), np.dtype(np.float64)

    def program_of(z: Any, w: Any, x: Any) -> list[Any]:
        part = z[1:] * 2j + OPS.conj(z[:-1])
        return [z * w, z + x, part, OPS.concat([z, w]), OPS.sum(z * w), z[OPS.real(z) > 0]]

    def wanted(z: Any, w: Any, x: Any) -> list[Any]:
        part = z[1:] * 2j + np.conj(z[:-1])
        return [z * w, z + x, part, np.concatenate([z, w]), np.sum(z * w), z[z.real > 0]]

    program = build(traced(program_of, Spec(c128, (n,)), Spec(c128, (m,)), Spec(f64, (n,))), False)
    assert program.is_native
    rng = np.random.default_rng(0)
    for one, other in ((5, 5), (4, 1), (1, 1)):
        z = rng.normal(size=one) + 1j * rng.normal(size=one)
        w, x = rng.normal(size=other) - 1j, rng.normal(size=one)
        for got, expected in zip(program.run([z, w, x]), wanted(z, w, x), strict=True):
            assert got.shape == np.shape(expected) and got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, rtol=1e-14)
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(4,\)"):
        program.run([np.ones(4) + 0j, np.ones(3) + 0j, np.ones(4)])


LAYOUTS: dict[str, Any] = {
    "strided": np.arange(12.0).reshape(3, 4)[:, ::2] * (1 + 2j),
    "transposed": (np.arange(6.0).reshape(3, 2) * (1 - 2j)).T,
    "backwards": (np.arange(4.0) + 1j)[::-1],
    "no axes": np.array(2 - 3j),
    "empty": np.zeros((0, 3), complex),
    "read-only": np.broadcast_to(np.array(1 + 1j), (2, 2)),
    "a part": np.arange(6.0).view(complex)[1:],
    "other byte order": np.arange(3).astype(">c16"),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("mode", ("text", pytest.param("compile", marks=pytest.mark.compiled)))
def test_layouts_of_inputs(name: str, mode: str) -> None:
    z = LAYOUTS[name]
    before = z.copy()

    @ag.function(mode=mode)
    def f(z: Any) -> Any:
        return z * (2 - 1j), z, z.real

    for _ in range(3):
        product, same, real = f(z)
        np.testing.assert_array_equal(product, z * (2 - 1j))
        np.testing.assert_array_equal(same, z)
        np.testing.assert_array_equal(real, z.real)
        assert np.shape(product) == z.shape and (not z.ndim or product.flags.writeable)
    np.testing.assert_array_equal(z, before)


def test_what_has_no_form_is_cut_out() -> None:
    """A Fourier transform is CPython's, the loops and sums beside it are native."""

    @ag.function(mode="text")
    def smoothed(z: Any, n: int) -> Any:
        for _ in range(n):
            z = np.fft.ifft(np.fft.fft(z) * np.exp(-0.1j * np.arange(4.0)))
            total = z * 0
            for k in range(3):
                total = total + z**2 / (1 + k)
            z = total / np.abs(total).max()
        return z

    z = np.array([1 + 2j, 0.5j, -1, 2 - 1j])
    turns = ag.asarray(3)
    program = smoothed.program(z, turns)
    assert "driven by CPython: fft" in program and "while_loop" in program
    assert program.count("def program(") >= 2
    wanted = z
    for _ in range(3):
        wanted = np.fft.ifft(np.fft.fft(wanted) * np.exp(-0.1j * np.arange(4.0)))
        total = sum(wanted**2 / (1 + k) for k in range(3))
        wanted = total / np.abs(total).max()
    np.testing.assert_allclose(smoothed(z, turns), wanted, rtol=1e-12)


def test_recursion_and_shared_graphs() -> None:
    @ag.function(mode="text")
    def power(z: Any, n: Any) -> Any:
        if n == 0:
            return z * 0 + 1
        half = power(z, n // 2)
        return half * half * z if n % 2 else half * half

    z = ag.asarray(np.array([0.5 + 1j, -1j]))
    assert "driven" not in power.program(z, ag.asarray(5))
    np.testing.assert_allclose(power(z, ag.asarray(5)).numpy(), z.numpy() ** 5, rtol=1e-14)


def test_constants_as_results() -> None:
    held = np.array([1j, 2.0])
    program = build(traced(lambda z: [OPS.asarray(held), z], Spec(held.dtype, ())), jit=False)
    assert program.is_native
    found = program.run([np.array(3 - 1j)])
    assert np.array_equal(found[0], held) and found[1] == 3 - 1j


def test_graphs_of_real_numbers_are_left_alone() -> None:
    from autograph.runtime.lower.complex_pairs.rewriting import in_pairs

    graph = traced(lambda x: [x * 2], Spec(np.dtype(np.float64), (3,)))
    assert in_pairs(graph) is graph
