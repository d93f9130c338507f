"""Convolutions and pooling: as their definitions say, in every mode, with sizes known or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

RANDOM = np.random.default_rng(11)
X = RANDOM.normal(size=(2, 5, 6, 3))
K = RANDOM.normal(size=(3, 2, 3, 4))
Array = np.ndarray[Any, Any]


def pads(size: int, window: int, step: int, spread: int, padding: Any) -> tuple[int, int]:
    """The definition of TensorFlow's paddings."""
    if padding == "VALID":
        return 0, 0
    if padding != "SAME":
        return padding  # type: ignore[no-any-return]
    count = -(-size // step)
    total = max((count - 1) * step + (window - 1) * spread + 1 - size, 0)
    return total // 2, total - total // 2


def windows(x: Array, window: Any, steps: Any, spreads: Any, padding: Any, fill: float) -> Any:
    """Each window, one by one: [batch, places, places] of [rows, columns, channels]."""
    pairs = padding if isinstance(padding, tuple) else (padding, padding)
    widths = [pads(x.shape[1 + i], window[i], steps[i], spreads[i], pairs[i]) for i in (0, 1)]
    whole = np.pad(x, [(0, 0), *widths, (0, 0)], constant_values=fill)
    rows = range(0, whole.shape[1] - (window[0] - 1) * spreads[0], steps[0])
    columns = range(0, whole.shape[2] - (window[1] - 1) * spreads[1], steps[1])
    return np.array(
        [
            [
                [
                    image[
                        y : y + (window[0] - 1) * spreads[0] + 1 : spreads[0],
                        z : z + (window[1] - 1) * spreads[1] + 1 : spreads[1],
                    ]
                    for z in columns
                ]
                for y in rows
            ]
            for image in whole
        ]
    )


def conv(strides: Any = (1, 1), padding: Any = "VALID", dilations: Any = (1, 1)) -> Any:
    def ours(x: Any, k: Any) -> Any:
        return ag.conv2d(x, k, strides=strides, padding=padding, dilations=dilations)

    def theirs(x: Array, k: Array) -> Any:
        found = windows(x, k.shape[:2], strides, dilations, padding, 0.0)
        return np.einsum("bijrsc,rsco->bijo", found, k)

    return ours, theirs


def pool(kind: str, window: Any, strides: Any, padding: Any) -> Any:
    def ours(x: Any, k: Any) -> Any:
        function = ag.max_pool2d if kind == "max" else ag.avg_pool2d
        return function(x, window, strides=strides, padding=padding)

    def theirs(x: Array, k: Array) -> Any:
        steps = strides or window
        found = windows(x, window, steps, (1, 1), padding, np.nan)
        return np.nanmax(found, (3, 4)) if kind == "max" else np.nanmean(found, (3, 4))

    return ours, theirs


def depthwise(strides: Any, padding: Any) -> Any:
    def ours(x: Any, k: Any) -> Any:
        return ag.depthwise_conv2d(x, k, strides=strides, padding=padding)

    def theirs(x: Array, k: Array) -> Any:
        found = windows(x, k.shape[:2], strides, (1, 1), padding, 0.0)
        made = np.einsum("bijrsc,rscm->bijcm", found, k)
        return made.reshape(*made.shape[:3], -1)

    return ours, theirs


def transposed(strides: Any, padding: Any) -> Any:
    def ours(x: Any, k: Any) -> Any:
        turned = ag.permute_dims(k, (0, 1, 3, 2))  # [rows, columns, outputs, channels]
        return ag.conv2d_transpose(x, turned, strides=strides, padding=padding)

    def theirs(x: Array, k: Array) -> Any:
        rows, columns, _, outputs = k.shape
        full = [(x.shape[1 + i] - 1) * strides[i] + (rows, columns)[i] for i in (0, 1)]
        made = np.zeros((x.shape[0], *full, outputs))
        for y in range(x.shape[1]):
            for z in range(x.shape[2]):
                part = np.einsum("bc,rsco->brso", x[:, y, z], k)
                made[:, y * strides[0] :, z * strides[1] :][:, :rows, :columns] += part
        wanted = [
            x.shape[1 + i] * strides[i]
            + (0 if padding == "SAME" else max((rows, columns)[i] - strides[i], 0))
            for i in (0, 1)
        ]
        cut = [pads(wanted[i], (rows, columns)[i], strides[i], 1, padding)[0] for i in (0, 1)]
        whole = np.zeros(
            (
                x.shape[0],
                *(max(a, b + c) for a, b, c in zip(full, wanted, cut, strict=True)),
                outputs,
            )
        )
        whole[:, : full[0], : full[1]] = made
        return whole[:, cut[0] : cut[0] + wanted[0], cut[1] : cut[1] + wanted[1]]

    return ours, theirs


CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "valid": conv(),
    "same": conv(padding="SAME"),
    "strides": conv((2, 3), "SAME"),
    "strides valid": conv((3, 2)),
    "padded": conv((1, 2), ((0, 3), (2, 1))),
    "dilated": conv((1, 1), "SAME", (2, 3)),
    "all": conv((2, 2), "SAME", (1, 2)),
    "depthwise": depthwise((1, 1), "VALID"),
    "depthwise strides": depthwise((2, 1), "SAME"),
    "transposed": transposed((1, 1), "VALID"),
    "transposed strides": transposed((2, 3), "VALID"),
    "transposed same": transposed((2, 1), "SAME"),
    "max": pool("max", (2, 2), None, "VALID"),
    "max same": pool("max", (3, 2), (2, 1), "SAME"),
    "max padded": pool("max", (2, 3), (1, 1), ((1, 0), (0, 2))),
    "mean": pool("mean", (2, 2), None, "VALID"),
    "mean same": pool("mean", (3, 3), (2, 2), "SAME"),
}
each = pytest.mark.parametrize("name", CASES)


@each
@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
def test_as_defined(name: str, mode: str) -> None:
    ours, theirs = CASES[name]
    run = ours if mode == "eager" else ag.function(mode=mode)(lambda x, k: ours(x, k))  # type: ignore[call-overload]
    found = run(ag.asarray(X), ag.asarray(K)).numpy()
    np.testing.assert_allclose(found, theirs(X, K), rtol=1e-12, atol=1e-14)


@each
@pytest.mark.parametrize("mode", ["evaluate", "text"])
def test_sizes_that_are_not_known(name: str, mode: str) -> None:
    """One trace for images of every size, with gradients."""
    ours, _ = CASES[name]

    def gradients(x: Any, k: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch([x, k])
            y = ours(x, k)
            loss = ag.sum(y * y)
        return y, tape.gradient(loss, [x, k], unconnected_gradients="zero")

    any_size = ag.TensorSpec((None, None, None, 3), ag.float64)
    staged = ag.function(mode=mode, input_signature=[any_size, ag.TensorSpec(K.shape, ag.float64)])(  # type: ignore[call-overload]
        gradients
    )
    for shape in (X.shape, (3, 7, 8, 3), (4, 9, 5, 3)):
        x, k = ag.asarray(RANDOM.normal(size=shape)), ag.asarray(K)
        y, (gx, gk) = staged(x, k)
        wanted, (wx, wk) = gradients(x, k)
        for one, other in ((y, wanted), (gx, wx), (gk, wk)):
            assert one.shape == other.shape
            if mode == "evaluate":
                np.testing.assert_array_equal(one.numpy(), other.numpy())
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-11, atol=1e-12)
    assert staged.cache_info().misses == 1


@each
def test_gradients(name: str) -> None:
    ag.check_gradients(CASES[name][0], ag.asarray(X[:1]), ag.asarray(K), order=2)


@pytest.mark.compiled
def test_many_blocks_of_patches() -> None:
    x = RANDOM.normal(size=(40, 16, 16, 8)).astype(np.float32)
    k = RANDOM.normal(size=(3, 3, 8, 16)).astype(np.float32)

    def gradients(x: Any, k: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch([x, k])
            y = ag.max_pool2d(ag.conv2d(x, k, padding="SAME"))
            loss = ag.sum(y * y)
        return y, *tape.gradient(loss, [x, k])

    found = ag.function(gradients)(ag.asarray(x), ag.asarray(k))
    for one, other in zip(found, gradients(ag.asarray(x), ag.asarray(k)), strict=True):
        scale = float(np.abs(other.numpy()).max())
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-4, atol=1e-5 * scale)


def test_sequences() -> None:
    x, k = X[:, 0], K[0]
    found = ag.conv1d(ag.asarray(x), ag.asarray(k), stride=2, padding="SAME").numpy()
    wanted = ag.conv2d(ag.asarray(X[:, :1]), ag.asarray(K[:1]), strides=(1, 2), padding="SAME")
    np.testing.assert_array_equal(found, wanted.numpy()[:, 0])


def test_pooling_of_integers() -> None:
    x = np.arange(-8, 8, dtype=np.int16).reshape(1, 4, 4, 1)
    found = ag.max_pool2d(ag.asarray(x), 3, strides=1, padding="SAME")
    assert found.dtype == ag.int16 and found.numpy()[0, 0, 0, 0] == -3
    assert ag.avg_pool2d(ag.asarray(x)).dtype == ag.float64


WRONG: dict[str, tuple[Callable[[Any, Any], Any], type[Exception], str]] = {
    "channels": (lambda x, k: ag.conv2d(x[..., :2], k), ValueError, "2 channels, the kernel 3"),
    "axes": (lambda x, k: ag.conv2d(x[0], k), ValueError, "images of the axes"),
    "kernel": (lambda x, k: ag.conv2d(x, k[0]), ValueError, "a kernel of the axes"),
    "integers": (
        lambda x, k: ag.conv2d(ag.astype(x, int), k),
        TypeError,
        "takes floats, not int64",
    ),
    "too large": (lambda x, k: ag.conv2d(x[:, :2], k), ValueError, "a window of 3 does not fit"),
    "strides": (lambda x, k: ag.conv2d(x, k, strides=0), ValueError, "strides is at least 1"),
    "strides of three": (
        lambda x, k: ag.conv2d(x, k, strides=(1, 1, 1)),
        TypeError,
        "or one for height",
    ),
    "padding": (lambda x, k: ag.conv2d(x, k, padding="FULL"), ValueError, "'SAME', 'VALID' or"),
    "negative": (
        lambda x, k: ag.conv2d(x, k, padding=((0, -1), (0, 0))),
        ValueError,
        "not negative",
    ),
    "window": (lambda x, k: ag.max_pool2d(x, 7), ValueError, "a window of 7 does not fit into 5"),
    "depthwise kernel": (
        lambda x, k: ag.depthwise_conv2d(x, k[0]),
        ValueError,
        "kernels\\], not 3",
    ),
    "depthwise channels": (
        lambda x, k: ag.depthwise_conv2d(x[..., :1], k),
        ValueError,
        "images of 1 channels, a kernel of 3",
    ),
    "transposed padding": (
        lambda x, k: ag.conv2d_transpose(x, k, padding=((0, 0), (0, 0))),
        ValueError,
        "is 'SAME' or 'VALID'",
    ),
    "pooled axes": (lambda x, k: ag.avg_pool2d(x[0], 2), ValueError, "images have the axes"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
def test_wrong_arguments(name: str, mode: str) -> None:
    function, kind, words = WRONG[name]
    run = function if mode == "eager" else ag.function(mode=mode)(lambda x, k: function(x, k))  # type: ignore[call-overload]
    with pytest.raises(kind, match=words):
        run(ag.asarray(X), ag.asarray(K))


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize(
    "function", [lambda x: ag.conv2d(x, ag.asarray(K)), lambda x: ag.max_pool2d(x, 3)]
)
def test_windows_that_do_not_fit_when_it_runs(function: Any, mode: str) -> None:
    any_size = ag.TensorSpec((None, None, None, 3), ag.float64)
    staged = ag.function(mode=mode, input_signature=[any_size])(function)  # type: ignore[call-overload]
    assert staged(ag.asarray(X)).shape == function(ag.asarray(X)).shape
    with pytest.raises(ValueError, match="a window of 3 does not fit into 2"):
        staged(ag.asarray(X[:, :2]))
