"""Functions made of ops: as NumPy's, staged as eagerly, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

RANDOM = np.random.default_rng(4)


def real(*shape: int) -> np.ndarray[Any, Any]:
    return RANDOM.normal(size=shape)


A, B, C, V = real(2, 3), real(3, 4), real(2, 2, 3), real(3)
DOUBLES = np.array([[2.0, 1.0, 2.0], [0.5, 1.0, 3.0]])


def summed(subscripts: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (
        lambda *operands: ag.einsum(subscripts, *operands),
        lambda *operands: np.einsum(subscripts, *operands),
    )


Case = tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...], bool]
CASES: dict[str, Case] = {
    "sort": (lambda x: ag.sort(x), np.sort, (A,), True),
    "sort falling": (
        lambda x: ag.sort(x, axis=0, descending=True),
        lambda x: -np.sort(-x, axis=0),
        (A,),
        True,
    ),
    "unique": (ag.unique_values, np.unique, (A,), True),
    "unique all": (
        lambda x: tuple(ag.unique_all(x)),
        lambda x: np.unique(x, return_index=True, return_inverse=True, return_counts=True),
        (DOUBLES,),
        False,
    ),
    "unique of none": (ag.unique_values, np.unique, (np.zeros((0,)),), False),
    "counts": (
        lambda x: ag.unique_counts(x).counts,
        lambda x: np.unique(x, return_counts=True)[1],
        (DOUBLES,),
        False,
    ),
    "inverse": (
        lambda x: ag.unique_inverse(x).inverse_indices,
        lambda x: np.unique(x, return_inverse=True)[1],
        (DOUBLES,),
        False,
    ),
    "tensordot": (lambda x, y: ag.tensordot(x, y, axes=1), lambda x, y: x @ y, (A, B), True),
    "tensordot of pairs": (
        lambda x, y: ag.tensordot(x, y, axes=((2, 0), (1, 0))),
        lambda x, y: np.tensordot(x, y, axes=((2, 0), (1, 0))),
        (C, A),
        True,
    ),
    "outer tensordot": (
        lambda x, y: ag.tensordot(x, y, axes=0),
        lambda x, y: np.tensordot(x, y, axes=0),
        (A, V),
        True,
    ),
    "product": (*summed("ij,jk->ik"), (A, B), True),
    "product of three": (*summed("ij,jk,j->k"), (A, B, V), True),
    "leading axes": (*summed("...ij,...jk->...ik"), (C, B), True),
    "leading axes that broadcast": (*summed("...ij,j...->...i"), (C, real(3, 1)), True),
    "leading axes and no arrow": (*summed("j...,ij"), (B, A), True),
    "leading axes of none": (*summed("...i,i->..."), (V, V), True),
    "an axis of one": (*summed("ij,ij->j"), (A, real(1, 3)), True),
    "ones only": (*summed("ij,...i->...j"), (real(1, 3), real(2, 1, 1)), True),
    "a diagonal beside others": (*summed("ii...->...i"), (real(2, 2, 3),), True),
    "batch": (*summed("bij,bj->bi"), (C, A), True),
    "transposed": (*summed("bij->jib"), (C,), True),
    "everything": (*summed("bij->"), (C,), True),
    "implied": (*summed("ba,bc"), (A, real(2, 2)), True),
    "trace": (*summed("ii"), (real(3, 3),), True),
    "diagonal": (*summed("iji->ij"), (real(2, 3, 2),), True),
    "outer": (*summed("i,j->ji"), (V, real(2)), True),
    "one side only": (*summed("ij,k->i"), (A, V), True),
    "norm": (ag.vector_norm, np.linalg.norm, (A,), True),
    "norm of rows": (
        lambda x: ag.vector_norm(x, axis=1, keepdims=True),
        lambda x: np.linalg.norm(x, axis=1, keepdims=True),
        (A,),
        True,
    ),
    "above": (lambda x: ag.trace(x, offset=1), lambda x: np.trace(x, 1), (real(3, 3),), True),
    "below": (
        lambda x: ag.diagonal(x, offset=-1),
        lambda x: np.diagonal(x, -1, -2, -1),
        (real(2, 3, 2),),
        True,
    ),
    "dot": (ag.dot, np.dot, (C, B), True),
    "dot of vectors": (ag.dot, np.dot, (V, V + 1), True),
    "inner": (ag.inner, np.inner, (C, A), True),
    "cross": (ag.cross, np.cross, (A, V), True),
    "cross along an axis": (
        lambda x, y: ag.cross(x, y, axis=0),
        lambda x, y: np.cross(x, y, axis=0),
        (A.T, A.T + 1),
        True,
    ),
    "grid": (
        lambda x, y: tuple(ag.meshgrid(x, y)),
        lambda x, y: (*np.meshgrid(x, y),),
        (V, real(2)),
        True,
    ),
    "grid of three": (
        lambda x, y, z: tuple(ag.meshgrid(x, y, z, indexing="ij")),
        lambda x, y, z: (*np.meshgrid(x, y, z, indexing="ij"),),
        (V, real(2), real(4)),
        True,
    ),
    "broadcast": (
        lambda x, y: tuple(ag.broadcast_arrays(x, y)),
        lambda x, y: tuple(np.broadcast_arrays(x, y)),
        (A, real(2, 1)),
        True,
    ),
    "split": (
        lambda x: tuple(ag.split(x, 2, axis=-1)),
        lambda x: tuple(np.split(x, 2, axis=-1)),
        (B,),
        True,
    ),
    "split at places": (
        lambda x: tuple(ag.split(x, [1, 3], axis=1)),
        lambda x: tuple(np.split(x, [1, 3], axis=1)),
        (B,),
        True,
    ),
    "swapped": (lambda x: ag.swapaxes(x, 0, -1), lambda x: np.swapaxes(x, 0, -1), (C,), True),
    "pad": (
        lambda x: ag.pad(x, ((1, 0), (2, 3)), constant_values=1.5),
        lambda x: np.pad(x, ((1, 0), (2, 3)), constant_values=1.5),
        (A,),
        True,
    ),
    **{
        f"pad by {mode}": (
            lambda x, mode=mode: ag.pad(x, (2, 5), mode=mode),
            lambda x, mode=mode: np.pad(x, (2, 5), mode=mode),
            (A,),
            True,
        )
        for mode in ("edge", "reflect", "wrap")
    },
    "count": (
        lambda x: ag.count_nonzero(x > 1, axis=1),
        lambda x: np.count_nonzero(x > 1, axis=1),
        (DOUBLES,),
        False,
    ),
    "diff": (
        lambda x: ag.diff(x, axis=0, prepend=ag.zeros((1, 3)), append=ag.ones((2, 3))),
        lambda x: np.diff(x, axis=0, prepend=np.zeros((1, 3)), append=np.ones((2, 3))),
        (A,),
        True,
    ),
    "second diff": (lambda x: ag.diff(x, n=2), lambda x: np.diff(x, n=2), (B,), True),
    "quantiles": (
        lambda x: ag.quantile(x, [0.1, 0.5, 1.0], axis=1, keepdims=True),
        lambda x: np.quantile(x, [0.1, 0.5, 1.0], axis=1, keepdims=True),
        (B,),
        True,
    ),
    "median": (ag.median, np.median, (A,), True),
    "median of minus infinity": (ag.median, np.median, (np.array([-np.inf, 1.0]),), False),
    "median of rows": (
        lambda x: ag.median(x, axis=-1),
        lambda x: np.median(x, axis=-1),
        (np.array([[1.0, np.nan, 2.0], [3.0, 1.0, 2.0]]),),
        False,
    ),
    "close": (
        lambda x: ag.isclose(x, x + 1e-6, rtol=0.0, atol=2e-6),
        lambda x: np.isclose(x, x + 1e-6, rtol=0.0, atol=2e-6),
        (A,),
        False,
    ),
    "close at the ends": (
        lambda x: (ag.isclose(x, 1e300), ag.isclose(x, x), ag.isclose(x, x, equal_nan=True)),
        lambda x: (np.isclose(x, 1e300), np.isclose(x, x), np.isclose(x, x, equal_nan=True)),
        (np.array([1e300, np.inf, -np.inf, np.nan]),),
        False,
    ),
    "all close": (ag.allclose, np.allclose, (A, A + 1e-9), False),
    "relu6": (ag.relu6, lambda x: np.clip(x, 0, 6), (5 * A,), True),
    "leaky relu": (
        lambda x: ag.leaky_relu(x, 0.2),
        lambda x: np.where(x > 0, x, 0.2 * x),
        (A,),
        True,
    ),
    "elu": (
        lambda x: ag.elu(x, alpha=0.7),
        lambda x: np.where(x > 0, x, 0.7 * np.expm1(np.minimum(x, 0))),
        (A,),
        True,
    ),
    "selu": (
        ag.selu,
        lambda x: (
            1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0)))
        ),
        (A,),
        True,
    ),
    "gelu by tanh": (
        lambda x: ag.gelu(x, approximate=True),
        lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
        (A,),
        True,
    ),
}


def leaves(result: Any) -> list[Any]:
    if isinstance(result, tuple):
        return [np.asarray(one) for one in result]
    return [np.asarray(result)]


@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
@pytest.mark.parametrize("name", CASES)
def test_as_numpy_does(name: str, mode: str) -> None:
    function, wanted, inputs, _ = CASES[name]
    run = function if mode == "eager" else ag.function(mode=mode)(lambda *args: function(*args))  # type: ignore[call-overload]
    found = leaves(run(*map(ag.asarray, inputs)))
    for one, other in zip(found, leaves(wanted(*inputs)), strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[3]])
def test_gradients(name: str) -> None:
    function, _, inputs, _ = CASES[name]
    ag.check_gradients(function, *map(ag.asarray, inputs), order=2)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (lambda: ag.result_type(ag.float32, ag.int8), np.float32),
        (lambda: ag.result_type(ag.asarray([1], dtype=ag.int16), 1.5), np.float64),
        (lambda: ag.result_type(ag.asarray([1.0]), 2), np.float32),
        (lambda: ag.result_type(1, 2.0), np.float32),
        (lambda: ag.can_cast(ag.int32, ag.float64), True),
        (lambda: ag.can_cast(ag.asarray([1.0]), ag.int64), False),
        (lambda: ag.isdtype(ag.int8, ("bool", "integral")), True),
        (lambda: ag.isdtype(ag.int8, ag.int16), False),
        (lambda: ag.finfo(ag.float64).eps, 2.0**-52),
        (lambda: ag.iinfo(ag.asarray([1], dtype=ag.uint8)).max, 255),
    ],
)
def test_questions_about_dtypes(answer: Callable[..., Any], wanted: Any) -> None:
    assert answer() == wanted
    assert ag.function(mode="evaluate")(lambda x: (x, answer()))(ag.asarray(1.0))[1] == wanted


def test_gradient_of_a_norm_at_zero() -> None:
    assert not ag.grad(ag.vector_norm)(ag.zeros((3,))).numpy().any()


WRONG: list[tuple[Callable[..., Any], str]] = [
    (lambda: ag.einsum("ij,jk->il", ag.asarray(A), ag.asarray(B)), "or a new one"),
    (lambda: ag.einsum("ij", ag.asarray(A), ag.asarray(B)), "describes 1 operands, not 2"),
    (lambda: ag.einsum("ijk->i", ag.asarray(A)), "names 3 axes of an operand of 2"),
    (lambda: ag.einsum("i..->i", ag.asarray(A)), "commas and one arrow"),
    (lambda: ag.einsum("i...->i", ag.asarray(A)), 'has no "..."'),
    (lambda: ag.einsum("ij,ij", ag.asarray(A), ag.asarray(B)), "axes of 2 and 3 elements"),
    (
        lambda: ag.tensordot(ag.asarray(A), ag.asarray(B), axes=((0,), (0, 1))),
        "1 axes of the first",
    ),
    (lambda: ag.searchsorted(ag.asarray(A), 1.0), "one axis"),
    (lambda: ag.cross(ag.asarray(B), ag.asarray(B)), "axes of size 3, not 4"),
    (lambda: ag.meshgrid(ag.asarray(A)), "one axis, not of 2"),
    (lambda: ag.meshgrid(ag.asarray(V), indexing="ji"), "'xy' or 'ij'"),
    (lambda: ag.split(ag.asarray(V), 2), "3 elements do not make 2"),
    (lambda: ag.pad(ag.asarray(V), -1), "no negative widths"),
    (lambda: ag.pad(ag.asarray(V), ((1, 1), (1, 1))), "each of the 1 axes"),
    (lambda: ag.pad(ag.asarray(V), 1, mode="mirror"), "one of constant, edge"),
    (lambda: ag.pad(ag.zeros((0,)), 1, mode="edge"), "without elements"),
    (lambda: ag.diff(ag.asarray(V), n=-1), "not below 0"),
    (lambda: ag.isdtype(ag.float32, "floating"), "'floating' is no kind"),
    (lambda: ag.result_type(), "at least one"),
    (lambda: ag.searchsorted(ag.asarray(V), 1.0, side="middle"), "'left' or 'right'"),
]


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_wrong_arguments(call: Callable[..., Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
