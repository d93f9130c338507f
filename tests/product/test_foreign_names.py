"""Names of other libraries: what their users ask for first says what to write, and that exists."""

from __future__ import annotations

import re

import numpy as np
import pytest

import autograph as ag
from autograph import foreign_names, nn
from autograph.nn.module import Module
from autograph.runtime.core.foreign_names import OF_TENSORS, ForeignName

OF_MODULES = {
    name: one.remedy for name, one in vars(Module).items() if isinstance(one, ForeignName)
}
TABLES = {
    "ag": foreign_names.OF_MODULE,
    "ag.nn": foreign_names.OF_LAYERS,
    "ag.nn.losses": foreign_names.OF_LOSSES,
    "tensors": OF_TENSORS,
    "modules": OF_MODULES,
    "optimizers": {
        name: one.remedy
        for name, one in vars(nn.optimizers.Optimizer).items()
        if isinstance(one, ForeignName)
    },
}
REMEDIES = [(where, name, text) for where, table in TABLES.items() for name, text in table.items()]


@pytest.mark.parametrize("where, name, text", REMEDIES, ids=lambda one: str(one)[:30])
def test_what_a_remedy_names_exists(where: str, name: str, text: str) -> None:
    for path in re.findall(r"\bag((?:\.[A-Za-z_]\w*)+)", text):
        found = ag
        for part in path[1:].split("."):
            found = getattr(found, part)
    for method in re.findall(r"\bx\.([a-z_]+)", text):
        assert hasattr(ag.ones((2,)), method)
    for attribute in re.findall(r"\bmodel\.([a-z_]+)", text):
        assert hasattr(nn.Dense(1, 1), attribute)
    for attribute in re.findall(r"\boptimizer\.([a-z_]+)", text):
        assert hasattr(nn.optimizers.Adam([], 0.1), attribute)


@pytest.mark.parametrize("name", foreign_names.OF_MODULE)
def test_names_of_the_module_are_no_names_of_ours(name: str) -> None:
    assert name not in ag.__all__


@pytest.mark.parametrize("name, text", foreign_names.OF_LOSSES.items())
def test_losses_say_which_function_is_meant(name: str, text: str) -> None:
    assert all(hasattr(nn.losses, one) for one in re.findall(r"(\w+)\(", text))
    with pytest.raises(AttributeError, match=re.escape(text)):
        getattr(nn.losses, name)


def test_a_shape_is_no_lowest_number() -> None:
    with pytest.raises(TypeError, match=r"write random_integers\(low, high, shape\)"):
        ag.random_integers((3,), 0, 10)


def test_reductions_have_the_names_of_python() -> None:
    for name in ("sum", "mean", "max", "min", "prod", "any", "all", "logsumexp"):
        with pytest.raises(AttributeError, match=rf"write ag\.{name}\(x\)"):
            getattr(ag, f"reduce_{name}")


def test_functions_of_numpy_are_said_to_take_tensors() -> None:
    with pytest.raises(AttributeError, match=r"NumPy's function takes tensors.*np\.cumsum\(x\)"):
        _ = ag.cumsum
    with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
        _ = ag.nonsense
    with pytest.raises(AttributeError, match=r"has no attribute 'ndarray'$"):
        _ = ag.ndarray


def test_tensors_say_what_to_write_eagerly_and_staged() -> None:
    x = ag.ones((2,))
    with pytest.raises(AttributeError, match=r"'Tensor' object has no attribute 'detach'; write"):
        x.detach()
    with pytest.raises(AttributeError, match=r"ag\.stop_gradient\(x\)"):
        ag.function(lambda x: x.detach() * 2)(x)
    assert not hasattr(x, "detach") and getattr(x, "detach", None) is None
    assert "detach" not in dir(x) and "reshape" in dir(x)
    given = ag.function(lambda x: x if hasattr(x, "detach") else x + 1)(x)
    assert given.tolist() == [2.0, 2.0]


def test_modules_say_what_to_write_and_take_such_attributes() -> None:
    class Net(Module):
        def __init__(self) -> None:
            self.train = 3

        def forward(self, x: ag.Tensor) -> ag.Tensor:
            return x * self.train

    net = Net()
    with pytest.raises(TypeError, match="Net defines no __call__: rename its forward"):
        net(ag.ones((2,)))
    assert ag.function(net.forward)(ag.ones((2,))).tolist() == [3.0, 3.0]
    assert "train" in dir(net) and "forward" in dir(net) and "eval" not in dir(net)
    with pytest.raises(AttributeError, match=r"write model\.set_training\(False\)"):
        net.eval()
    with pytest.raises(AttributeError, match=r"ag\.nn\.Dense"):
        _ = nn.Linear


def test_gradients_of_parameters_that_are_no_tensors_yet() -> None:
    parameters = {"a": 3.0, "b": np.ones(2), "c": (1.0, np.float64(2.0)), "d": None}

    def loss(p: dict) -> ag.Tensor:
        return p["a"] * 2.0 + (p["b"] ** 2).sum() + p["c"][0] * p["c"][1]

    for gradient in (ag.grad(loss), ag.function(ag.grad(loss))):
        found = gradient(parameters)
        assert found["a"].item() == 2.0 and found["b"].tolist() == [2.0, 2.0]
        assert [one.item() for one in found["c"]] == [2.0, 1.0] and found["d"] is None
