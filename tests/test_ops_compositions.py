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


def test_gradient_of_a_norm_at_zero() -> None:
    assert not ag.grad(ag.vector_norm)(ag.zeros((3,))).numpy().any()


WRONG: list[tuple[Callable[..., Any], str]] = [
    (lambda: ag.einsum("ij,jk->il", ag.asarray(A), ag.asarray(B)), "or a new one"),
    (lambda: ag.einsum("ij", ag.asarray(A), ag.asarray(B)), "describes 1 operands, not 2"),
    (lambda: ag.einsum("ijk->i", ag.asarray(A)), "names 3 axes of an operand of 2"),
    (lambda: ag.einsum("i...->i", ag.asarray(A)), "letters, commas and one arrow"),
    (
        lambda: ag.tensordot(ag.asarray(A), ag.asarray(B), axes=((0,), (0, 1))),
        "1 axes of the first",
    ),
    (lambda: ag.searchsorted(ag.asarray(A), 1.0), "one axis"),
    (lambda: ag.searchsorted(ag.asarray(V), 1.0, side="middle"), "'left' or 'right'"),
]


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_wrong_arguments(call: Callable[..., Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
