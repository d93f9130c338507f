"""The layers, optimizers, losses and metrics: staged as eagerly, and as their definitions say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph import nn
from autograph.nn import losses, metrics, optimizers, schedules

X = np.random.default_rng(0).normal(size=(4, 5, 3)).astype(np.float32)
LABELS = np.array([0, 2, 1, 1])
LENGTHS = np.array([5, 1, 3, 2])


class Classifier(nn.Module):
    """A recurrence and a layer on its last state."""

    def __init__(self, cell: Any) -> None:
        self.rnn = nn.RNN(cell)
        self.head = nn.Dense(6, 3)

    def __call__(self, x: Any) -> Any:
        _, state = self.rnn(x, ag.asarray(LENGTHS))
        return self.head(state[0] if isinstance(state, tuple) else state)


def as_images(x: Any) -> Any:
    return ag.expand_dims(x, -1)


def _flat() -> nn.Module:
    return nn.Sequential(nn.flatten, nn.Dense(15, 6, ag.tanh), nn.Dense(6, 3))


MODELS: dict[str, Callable[[], Any]] = {
    "dense": _flat,
    "norms": lambda: nn.Sequential(
        nn.flatten, nn.Dense(15, 6), nn.LayerNorm(6), ag.relu, nn.BatchNorm(6), nn.Dense(6, 3)
    ),
    "dropout": lambda: nn.Sequential(nn.flatten, nn.Dense(15, 6), nn.Dropout(0.5), nn.Dense(6, 3)),
    "images": lambda: nn.Sequential(
        as_images,
        nn.Conv2D(1, 4, activation=ag.relu),
        nn.MaxPool2D((2, 1)),
        nn.Conv2D(4, 6, (1, 2), strides=(1, 2), dilations=1, use_bias=False),
        nn.BatchNorm(6),
        nn.AveragePool2D(2, strides=1, padding="SAME"),
        nn.DepthwiseConv2D(6),
        nn.Conv2DTranspose(6, 6, 2, strides=(2, 1)),
        nn.GlobalAveragePool(),
        nn.Dense(6, 3),
    ),
    "simple": lambda: Classifier(nn.SimpleCell(3, 6)),
    "lstm": lambda: Classifier(nn.LSTMCell(3, 6)),
    "gru": lambda: Classifier(nn.GRUCell(3, 6)),
}
OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda v: optimizers.SGD(v, 0.1),
    "momentum": lambda v: optimizers.SGD(v, 0.1, momentum=0.9),
    "nesterov": lambda v: optimizers.SGD(v, 0.1, momentum=0.9, nesterov=True),
    "adam": lambda v: optimizers.Adam(v, 0.01),
    "adamw": lambda v: optimizers.AdamW(v, schedules.cosine_decay(0.1, 4)),
    "rmsprop": lambda v: optimizers.RMSprop(v, schedules.warmup(2, schedules.constant(0.01))),
    "adagrad": lambda v: optimizers.Adagrad(v, schedules.piecewise([1], [0.1, 0.01])),
}


def trained(model: str, optimizer: str, mode: str) -> list[Any]:
    """Losses, metrics and variables after three steps and one look at the trained model."""
    ag.set_seed(3)
    net = MODELS[model]()
    made = OPTIMIZERS[optimizer](net.trainable_variables)
    accuracy = metrics.Accuracy()

    def step(x: Any, labels: Any) -> Any:
        with ag.GradientTape() as tape:
            logits = net(x)
            loss = losses.softmax_cross_entropy(logits, labels)
        gradients = tape.gradient(loss, net.trainable_variables)
        made.apply(optimizers.clip_by_global_norm(gradients, 1.0))
        accuracy.update(logits, labels)
        return loss

    def look(x: Any) -> Any:
        return net(x)

    if mode != "eager":
        step, look = ag.function(mode=mode)(step), ag.function(mode=mode)(look)  # type: ignore[call-overload]
    found = [step(ag.asarray(X), ag.asarray(LABELS)).numpy() for _ in range(3)]
    net.set_training(False)
    found.append(look(ag.asarray(X)).numpy())
    found.append(accuracy.result().numpy())
    for holder in (net, made):
        found += [one.numpy() for one in holder.named_variables().values()]
    return found


CASES = [(model, "adam") for model in MODELS] + [("dense", name) for name in OPTIMIZERS]


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize(("model", "optimizer"), CASES)
def test_training_is_the_same_staged(model: str, optimizer: str, mode: str) -> None:
    wanted, found = trained(model, optimizer, "eager"), trained(model, optimizer, mode)
    assert len(wanted) == len(found)
    for one, other in zip(wanted, found, strict=True):
        if mode == "evaluate":
            np.testing.assert_array_equal(one, other)
        else:
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_lowers_the_loss(optimizer: str) -> None:
    found = trained("dense", optimizer, "eager")
    assert found[2] < found[0]


def test_variables_are_found_by_name_once() -> None:
    net: Any = nn.Sequential(nn.Dense(2, 3), nn.Dense(3, 1, use_bias=False))
    net.shared = {"first": net.layers[0]}
    names = ["layers.0.bias", "layers.0.kernel", "layers.1.kernel"]
    assert list(net.named_variables()) == names
    assert len(net.submodules) == 2
    norm = nn.BatchNorm(2)
    assert len(norm.variables) == 4 and len(norm.trainable_variables) == 2


def test_a_layer_added_later_counts() -> None:
    net = nn.Sequential(nn.Dense(2, 2))
    count = ag.function(mode="evaluate")(lambda x: (net(x), len(net.variables)))
    assert count(ag.ones((1, 2)))[1] == 2
    net.layers.append(nn.Dense(2, 2))
    assert count(ag.ones((1, 2)))[1] == 4


def test_adam_by_its_definition() -> None:
    v = ag.Variable([1.0, -2.0], dtype=ag.float64)
    adam = optimizers.Adam([v], 0.1)
    mean = square = np.zeros(2)
    wanted = v.numpy()
    for turn in range(1, 4):
        g = np.array([0.5, -1.0]) * turn
        adam.apply([ag.asarray(g)])
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g * g
        step = (mean / (1 - 0.9**turn)) / (np.sqrt(square / (1 - 0.999**turn)) + 1e-8)
        wanted = wanted - 0.1 * step
    np.testing.assert_allclose(v.numpy(), wanted, rtol=1e-12)


LOSSES = [
    (losses.mean_squared_error, ([1.0, 3.0], [0.0, 5.0]), 2.5),
    (losses.mean_absolute_error, ([1.0, 3.0], [0.0, 5.0]), 1.5),
    (losses.huber, ([1.0, 3.0], [0.5, 5.0]), (0.125 + 1.5) / 2),
    (losses.softmax_cross_entropy, ([[0.0, 0.0]], np.array([1])), np.log(2)),
    (losses.softmax_cross_entropy, ([[0.0, 0.0]], [[0.5, 0.5]]), np.log(2)),
    (losses.sigmoid_cross_entropy, ([100.0, -100.0], [1.0, 1.0]), 50.0),
    (losses.hinge, ([2.0, -0.5], [1.0, 1.0]), 0.75),
    (losses.kl_divergence, ([[0.0, 0.0], [0.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]]), np.log(2) / 2),
    (losses.cosine_distance, ([[3.0, 0.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 2.0]]), 0.5 - 0.5**1.5),
]


@pytest.mark.parametrize(("loss", "given", "wanted"), LOSSES)
def test_losses(loss: Any, given: Any, wanted: float) -> None:
    arguments = [ag.asarray(one) for one in given]
    np.testing.assert_allclose(loss(*arguments).numpy(), wanted, rtol=1e-6)
    staged = ag.function(mode="evaluate")(loss)
    np.testing.assert_array_equal(staged(*arguments).numpy(), loss(*arguments).numpy())


@pytest.mark.parametrize(
    ("loss", "labels", "wanted"),
    [(losses.sigmoid_cross_entropy, [1.0, 0.0], 0.125), (losses.huber, [0.0, 0.0], 0.5)],
)
def test_losses_are_smooth_in_the_middle(loss: Any, labels: Any, wanted: float) -> None:
    curvature = ag.hessian(loss)(ag.zeros((2,)), ag.asarray(labels))
    np.testing.assert_allclose(curvature.numpy(), np.eye(2) * wanted, rtol=1e-6)


SCHEDULES = [
    (schedules.constant(0.5), [0.5, 0.5, 0.5]),
    (schedules.exponential_decay(1.0, 4, 0.25), [1.0, 0.5, 0.0625]),
    (schedules.cosine_decay(1.0, 4, 0.5), [1.0, 0.75, 0.5]),
    (schedules.polynomial_decay(1.0, 4, 0.2, 2.0), [1.0, 0.4, 0.2]),
    (schedules.inverse_root(0.5, 2), [0.5, 0.5, 0.25]),
    (schedules.piecewise([2, 8], [3.0, 2.0, 1.0]), [3.0, 2.0, 1.0]),
    (schedules.warmup(4, schedules.constant(2.0)), [0.5, 1.5, 2.0]),
]


@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
@pytest.mark.parametrize(("schedule", "wanted"), SCHEDULES)
def test_schedules(schedule: Any, wanted: list[float], mode: str) -> None:
    run = schedule if mode == "eager" else ag.function(mode=mode)(schedule)  # type: ignore[call-overload]
    found = [float(run(ag.asarray(step, dtype=ag.float32))) for step in (0, 2, 8)]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_clipping() -> None:
    gradients = [ag.asarray([3.0, 4.0]), None, ag.asarray([[0.0, 12.0]])]
    by_norm = optimizers.clip_by_norm(gradients, 2.5)
    np.testing.assert_allclose(by_norm[0].numpy(), [1.5, 2.0], rtol=1e-6)
    assert by_norm[1] is None and by_norm[2].numpy()[0, 1] == 2.5
    together = optimizers.clip_by_global_norm(gradients, 6.5)
    np.testing.assert_allclose(together[2].numpy(), [[0.0, 6.0]], rtol=1e-6)
    large = optimizers.clip_by_global_norm([ag.asarray([1e30, 1.0])], 1.0)[0]
    np.testing.assert_allclose(large.numpy(), [1.0, 1e-30], rtol=1e-6)  # no square overflows
    assert optimizers.clip_by_value(gradients, -1.0, 3.5)[0].tolist() == [3.0, 3.5]


@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
def test_steps_keep_the_dtype_of_the_variables(mode: str) -> None:
    """The norm of float32 gradients is float32, and a rate of float64 makes no doubles of them."""
    weights = ag.Variable([3.0, 4.0])
    optimizer = optimizers.SGD([weights], ag.asarray(0.5, dtype=ag.float64))

    def step() -> Any:
        gradients = [weights * 1.0, None]
        norm = optimizers.global_norm(gradients)
        weights.assign_sub(gradients[0] * min(1.0, 1.0 / norm))
        optimizer.apply([gradients[0] * 1.0])
        return norm

    run = step if mode == "eager" else ag.function(mode=mode)(step)  # type: ignore[call-overload]
    norm = run()
    assert (norm.dtype, float(norm)) == (ag.float32, 5.0)
    np.testing.assert_allclose(weights.numpy(), [0.9, 1.2], rtol=1e-6)
    wide = [ag.asarray([3.0]), ag.asarray([4.0], dtype=ag.float64)]
    assert optimizers.global_norm(wide).dtype == ag.float64


LOGITS = np.array([[2.0, 1.0, -1.0], [0.5, 3.0, 1.0], [-1.0, -2.0, 0.0]])
SIGNS = np.array([[1, 0, 0], [1, 1, 1], [1, 0, 1]])
METRICS: list[tuple[Callable[[], Any], tuple[Any, ...], float]] = [
    (metrics.Accuracy, (LOGITS, [0, 2, 2]), 2 / 3),
    (lambda: metrics.TopAccuracy(2), (LOGITS, [1, 2, 1]), 2 / 3),
    (metrics.BinaryAccuracy, (LOGITS, SIGNS), 6 / 9),
    (metrics.MeanSquaredError, (LOGITS, LOGITS + 2.0), 4.0),
    (metrics.Precision, (LOGITS, SIGNS), 4 / 5),
    (metrics.Recall, (LOGITS, SIGNS), 4 / 6),
]


@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
@pytest.mark.parametrize(("make", "given", "wanted"), METRICS)
def test_metrics(make: Any, given: Any, wanted: float, mode: str) -> None:
    metric = make()
    update = metric.update if mode == "eager" else ag.function(mode=mode)(metric.update)  # type: ignore[call-overload]
    for _ in range(2):
        update(*map(ag.asarray, given))
    np.testing.assert_allclose(metric.result().numpy(), wanted, rtol=1e-12)
    metric.reset()
    update(*map(ag.asarray, given))
    np.testing.assert_allclose(metric.result().numpy(), wanted, rtol=1e-12)


def test_dropout_keeps_the_mean_and_stops_after_training() -> None:
    ag.set_seed(1)
    layer = nn.Dropout(0.25)
    x = ag.ones((200, 50))
    kept = layer(x).numpy()
    assert abs(kept.mean() - 1.0) < 0.02 and set(np.unique(kept)) == {0.0, np.float32(1 / 0.75)}
    layer.set_training(False)
    assert layer(x) is x
    with pytest.raises(ValueError, match=r"not 1\.5"):
        nn.Dropout(1.5)


def test_rows_keep_their_state_beyond_their_length() -> None:
    ag.set_seed(2)
    rnn = nn.RNN(nn.LSTMCell(3, 4))
    x = ag.asarray(X)
    outputs, (hidden, _) = rnn(x, ag.asarray(LENGTHS))
    assert outputs.shape == (4, 5, 4)
    for row, length in enumerate(LENGTHS):
        alone, (last, _) = rnn(x[row : row + 1, :length])
        np.testing.assert_allclose(outputs.numpy()[row, :length], alone.numpy()[0], rtol=1e-5)
        np.testing.assert_allclose(hidden.numpy()[row], last.numpy()[0], rtol=1e-5)
        assert not outputs.numpy()[row, length:].any()


@pytest.mark.parametrize("kind", [nn.SimpleCell, nn.LSTMCell, nn.GRUCell])
def test_a_cell_without_a_state_begins_with_its_initial_one(kind: Any) -> None:
    cell, x = kind(3, 6), ag.asarray(X[:, 0])
    expected = cell(x, cell.initial(4))[0].tolist()
    assert cell(x)[0].tolist() == expected
    assert ag.function(lambda x: cell(x, None)[0], mode="evaluate")(x).tolist() == expected


def test_an_optimizer_of_one_variable_takes_its_gradient() -> None:
    layer = nn.Dense(3, 2)
    before = layer.kernel.numpy().copy()
    with ag.GradientTape() as tape:
        loss = ag.sum(layer(ag.ones((1, 3))))
    optimizers.SGD([layer.kernel], 0.5).apply(tape.gradient(loss, layer.kernel))
    assert np.allclose(layer.kernel.numpy(), before - 0.5)
