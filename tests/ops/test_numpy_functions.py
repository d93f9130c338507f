"""No NumPy function takes a watched tensor out of a tape: its gradient is right, or it raises."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag

AT = np.array([[0.6, 1.7], [2.3, 0.4]])
CALLS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda f, x: f(x),
    lambda f, x: f(x, x),
    lambda f, x: f(x, 2),
    lambda f, x: f(2, x),
    lambda f, x: f(x, AT.copy()),  # some write into it
    lambda f, x: f(AT.copy(), x),
    lambda f, x: f(x[0]),
    lambda f, x: f(x[0], AT[1].copy()),
    lambda f, x: f(x[0, 0]),
    lambda f, x: f(3, x[0, 0]),
    lambda f, x: f((2, 2), x[0, 0]),
    lambda f, x: f([x, x]),
    lambda f, x: f([x[0, 0], 2.0]),
    lambda f, x: f(x, x, x),
    lambda f, x: f(AT > 1, x, AT.copy()),
    lambda f, x: f(AT.copy(), AT > 1, x),
    lambda f, x: f("ij,jk->ik", x, x),
    lambda f, x: f(AT.copy(), out=x),
    lambda f, x: f.reduce(x),
    lambda f, x: f.accumulate(x),
    lambda f, x: f.outer(x, AT.copy()),
    lambda f, x: f.at(AT.copy(), 0, x[0]),
)

# What prints, reads or writes files, or hands out memory that nobody has written.
LEFT_OUT = (
    *("empty", "empty_like", "save", "savez", "savez_compressed", "savetxt", "load", "loadtxt"),
    *("info", "show_config", "show_runtime", "test", "memmap", "fromfile", "set_printoptions"),
    *("setbufsize", "seterr", "seterrcall", "source", "lookfor", "ndarray", "recarray"),
    *("float64", "double", "complex128", "cdouble", "complex64", "csingle"),  # Python's `float(x)`
)


def functions() -> Iterator[tuple[str, Any]]:
    """Every public function, ufunc and scalar type of NumPy, `linalg` and `fft`."""
    for prefix, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft)):
        for name in sorted(vars(module)):
            value = vars(module)[name]
            plain = callable(value) and not name.startswith("_") and name not in LEFT_OUT
            raises = isinstance(value, type) and issubclass(value, BaseException)
            if plain and not raises:
                yield prefix + name, value


FUNCTIONS = dict(functions())


def floats(value: Any) -> list[Any]:
    """The tensors, and the arrays and numbers of floats, in what a function gave."""
    if isinstance(value, list | tuple):
        return [leaf for one in value for leaf in floats(one)]
    if isinstance(value, ag.Tensor):
        return [value] if value.dtype.kind == "f" else []
    if isinstance(value, np.ndarray | np.generic):
        return [value] if value.dtype.kind in "fc" else []
    return [value] if isinstance(value, float | complex) else []


def total(value: Any) -> float:
    """The sum of all floats in a result, as a number."""
    parts = [one.numpy() if isinstance(one, ag.Tensor) else one for one in floats(value)]
    return float(sum(np.sum(np.real(one) + np.imag(one)) for one in parts))


def differences(call: Callable[[Any], Any], x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The gradient of the sum of all floats that `call` gives, by central differences."""
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        ends = [total(call(ag.asarray(x + sign * step))) for sign in (1.0, -1.0)]
        found[place] = (ends[0] - ends[1]) / 2e-6
    return found


def loss_of_gradient(call: Callable[[Any], Any]) -> str | None:
    """What is wrong with the gradient of what `call` makes of a watched tensor, if anything."""
    x = ag.asarray(AT)
    with ag.GradientTape() as tape:
        tape.watch(x)
        try:
            result = call(x)
        except Exception:
            return None  # an error is no silent loss
        tensors = [ag.sum(one) for one in floats(result) if isinstance(one, ag.Tensor)]
        loss = sum(tensors, start=ag.asarray(0.0, dtype=ag.float64)) if tensors else None
    gradient = tape.gradient(loss, x, unconnected_gradients="zero") if tensors else ag.zeros((2, 2))
    try:
        right = differences(call, AT)
    except Exception as error:
        return f"raises without a tape only: {error!r}"
    finite = np.isfinite(right) & (np.abs(right) < 1e4)  # beyond it: a jump, as of floor(x / y)
    if not np.allclose(gradient.numpy()[finite], right[finite], rtol=1e-4, atol=1e-4):
        return f"gradient {gradient.numpy().tolist()}, by differences {right.tolist()}"
    return None


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_no_numpy_function_drops_out_of_a_tape(name: str) -> None:
    function = FUNCTIONS[name]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = [loss_of_gradient(lambda x, one=one: one(function, x)) for one in CALLS]
    assert not any(found), [f"call {n}: {one}" for n, one in enumerate(found) if one]


def test_the_table_is_not_empty() -> None:
    assert len(FUNCTIONS) > 400
    assert sum(isinstance(one, np.ufunc) for one in FUNCTIONS.values()) > 80


def test_comparing_whole_arrays_is_allowed_under_a_tape() -> None:
    x = ag.asarray(AT)
    with ag.GradientTape() as tape:
        tape.watch(x)
        assert np.array_equal(x, x) and np.array_equiv(AT, x * 1.0)


def test_the_elements_are_taken_where_no_tape_watches() -> None:
    x, other = ag.asarray(AT), ag.asarray(AT)
    with ag.GradientTape() as tape:
        tape.watch(x)
        assert np.exp(other).tolist() == np.exp(AT).tolist()
        assert np.exp((x * 2).numpy()).tolist() == np.exp(2 * AT).tolist()
        with tape.stop_recording():
            assert np.from_dlpack(x).tolist() == AT.tolist()
        with pytest.raises(TypeError, match=r"a GradientTape watches.*x\.numpy\(\)"):
            np.from_dlpack(x)
    assert np.cumsum(x).tolist() == np.cumsum(AT).tolist()


def test_numpy_on_a_trainable_variable_under_a_tape() -> None:
    w = ag.Variable([1.0, 2.0])
    with ag.GradientTape() as tape:
        y = np.square(w)
    assert tape.gradient(y, w).tolist() == [2.0, 4.0]
    with ag.GradientTape(), pytest.raises(TypeError, match="a GradientTape watches"):
        np.unwrap(w)
    with ag.GradientTape(watch_accessed_variables=False):
        assert np.square(w).tolist() == [1.0, 4.0]


def test_an_array_does_not_take_the_elements_of_a_watched_tensor() -> None:
    x = ag.asarray([1.0, 2.0], dtype=ag.float64)
    out = np.zeros(2)
    with ag.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(ValueError) as caught:
            out[0] = x[0]
        assert "an array takes the element" in str(caught.value.__cause__)
        out[0] = float(x[0])
    out[1] = x[1]
    assert out.tolist() == [1.0, 2.0]


def test_arrays_take_the_elements_of_tensors() -> None:
    array, tensor = np.zeros(3), ag.asarray([1.0, 2.0, 3.0])
    np.copyto(array, tensor)
    assert array.tolist() == np.full_like(array, tensor).tolist() == [1.0, 2.0, 3.0]
    np.putmask(array, array > 1.0, tensor * 2.0)
    assert array.tolist() == [1.0, 4.0, 6.0]
    with ag.GradientTape() as tape, pytest.raises(TypeError, match="GradientTape watches"):
        tape.watch(tensor)
        np.copyto(array, tensor)
