"""Saved functions: loaded where the code is not, with gradients, Variables and several traces."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph import nn
from autograph.keeping.errors import KeepingError
from autograph.keeping.functions.attachments import SavingError
from autograph.keeping.functions.loaded import LoadedFunction, LoadedModule

ROOT = Path(__file__).resolve().parents[2]
MODES = ["evaluate", "text"]
RNG = np.random.default_rng(0)


def array(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.normal(size=shape).astype(np.float32)


def same(left: Any, right: Any) -> bool:
    return left.numpy().tobytes() == right.numpy().tobytes()


class Model(nn.Module):
    def __init__(self) -> None:
        ag.set_seed(0)
        self.layers = [nn.Dense(3, 4, ag.tanh), nn.Dense(4, 2)]
        self.calls = ag.Variable(0, name="calls", trainable=False, dtype=ag.int64)
        self.unused = ag.Variable([1.0])

    @ag.function(mode="evaluate")
    def __call__(self, x: Any) -> Any:
        self.calls.assign_add(1)
        for layer in self.layers:
            x = layer(x)
        return x

    @ag.function(mode="evaluate")
    def loss(self, x: Any, scale: float = 1.0) -> Any:
        return ag.sum(self(x) ** 2) * scale


def saved_model(folder: Path) -> tuple[Model, LoadedModule, Any]:
    model, x = Model(), ag.asarray(array(5, 3))
    model(x)
    model.loss(x)
    model.loss(x, 0.5)
    ag.save(model, folder)
    loaded = ag.load(folder, mode="evaluate")
    assert isinstance(loaded, LoadedModule)
    return model, loaded, x


def test_a_module_is_loaded_with_its_methods_and_variables(tmp_path: Path) -> None:
    model, loaded, x = saved_model(tmp_path / "m")
    assert same(model(x), loaded(x)) and same(model.loss(x, 0.5), loaded.loss(x, scale=0.5))
    assert same(loaded.loss(x, 1.0), loaded.loss(x)), "a default that is given"
    assert loaded.named_variables().keys() == model.named_variables().keys()
    assert int(loaded.state["calls"]) == int(model.calls) + 2
    for name, variable in model.named_variables().items():
        assert loaded.named_variables()[name].trainable == variable.trainable
    assert len(loaded.trainable_variables) == 5
    with pytest.raises(AttributeError, match="fit"):
        loaded.fit(x)


def test_variables_of_a_loaded_function_are_state(tmp_path: Path) -> None:
    model, loaded, x = saved_model(tmp_path / "m")
    loaded.named_variables()["layers.0.kernel"].assign(ag.zeros((3, 4)))
    model.layers[0].kernel.assign(ag.zeros((3, 4)))
    assert same(model(x), loaded(x))
    again = ag.load(tmp_path / "m", mode="evaluate")
    assert again.named_variables()["layers.0.kernel"].numpy().any(), "each load has its own"


@pytest.mark.parametrize("mode", MODES)
def test_gradients_go_through_loaded_functions(mode: Any, tmp_path: Path) -> None:
    model, _, x = saved_model(tmp_path / "m")
    loaded: Any = ag.load(tmp_path / "m", mode=mode)

    def gradients(one: Any, variables: Any) -> Any:
        with ag.GradientTape() as outer:
            with ag.GradientTape() as tape:
                loss = one.loss(x)
            first = tape.gradient(loss, variables)
            total = ag.sum(first[0] ** 2)
        return [*first, *outer.gradient(total, variables[:1])]

    names = [name for name, one in model.named_variables().items() if name.startswith("layers")]
    mine = gradients(model, [model.named_variables()[name] for name in names])
    other = gradients(loaded, [loaded.named_variables()[name] for name in names])
    for left, right in zip(mine, other, strict=True):
        np.testing.assert_allclose(left.numpy(), right.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_a_loaded_function_is_a_part_of_staged_ones(mode: Any, tmp_path: Path) -> None:
    model, _, x = saved_model(tmp_path / "m")
    loaded: Any = ag.load(tmp_path / "m", mode="evaluate")

    def trained(one: Any) -> list[Any]:
        variables = [one.named_variables()[f"layers.{n}.kernel"] for n in (0, 1)]

        @ag.function(mode=mode)
        def train(x: Any, steps: Any) -> Any:
            loss = ag.asarray(0.0)
            for _ in range(steps):
                with ag.GradientTape() as tape:
                    loss = one.loss(x)
                for variable, gradient in zip(variables, tape.gradient(loss, variables)):
                    variable.assign_sub(0.01 * gradient)
            return loss

        losses = [train(x, ag.asarray(3)), train(x, ag.asarray(2))]
        return [*losses, *variables, one.named_variables()["calls"]]

    for left, right in zip(trained(model), trained(loaded), strict=True):
        np.testing.assert_allclose(left.numpy(), right.numpy(), rtol=1e-5)


def test_training_goes_on_with_a_checkpoint(tmp_path: Path) -> None:
    _, loaded, x = saved_model(tmp_path / "m")
    optimizer = nn.optimizers.Adam(loaded.trainable_variables)
    with ag.GradientTape() as tape:
        loss = loaded.loss(x)
    optimizer.apply(tape.gradient(loss, loaded.trainable_variables))
    ag.Checkpoint(model=loaded, optimizer=optimizer).save(tmp_path / "c")
    other: Any = ag.load(tmp_path / "m", mode="evaluate")
    second = nn.optimizers.Adam(other.trainable_variables)
    ag.Checkpoint(model=other, optimizer=second).restore(tmp_path / "c").check()
    assert same(other(x), loaded(x))


# kinds of functions -------------------------------------------------------------------------------
def test_several_traces_and_structures(tmp_path: Path) -> None:
    scale = ag.Variable(2.0, name="scale")
    offset = ag.asarray(array(60))

    @ag.function(mode="evaluate")
    def f(item: Any, *rest: Any, power: int = 1, **more: Any) -> Any:
        total = ag.sum(item["x"]) * scale + offset[7]
        for one in rest:
            total = total + ag.sum(one) ** power
        if total > 0:
            total = -total
        return {"total": total, "names": (*more, power), "many": [total, None, "text"]}

    calls: list[tuple[Any, Any]] = [
        (({"x": ag.asarray(array(2))},), {}),
        (({"x": ag.asarray(array(3, 2))}, ag.asarray(array(2))), {"power": 3}),
        (({"x": ag.asarray(array(4))}, array(2), array(2)), {"other": True}),
    ]
    for args, kwargs in calls:
        f(*args, **kwargs)
    ag.save(f, tmp_path / "f")
    loaded = ag.load(tmp_path / "f", mode="evaluate")
    assert isinstance(loaded, LoadedFunction) and len(loaded.traces) == 3
    for args, kwargs in calls:
        mine, other = f(*args, **kwargs), loaded(*args, **kwargs)
        assert same(mine["total"], other["total"]) and mine["names"] == other["names"]
        assert other["many"][0] is other["total"], "sharing stays"
    assert loaded.named_variables().keys() == {"scale"}
    with pytest.raises(ag.errors.ArgumentError, match=r"f\(\{'x': f32\[9,9,9\]\}\) has no trace"):
        loaded({"x": ag.asarray(array(9, 9, 9))})
    with pytest.raises(TypeError, match="missing a required argument"):
        loaded()


def test_signatures_are_traced_for_saving(tmp_path: Path) -> None:
    @ag.function(mode="evaluate")
    def f(x: Any, y: Any = 1.0) -> Any:
        return ag.cumulative_sum(x * y)

    ag.save(f, tmp_path / "f", signatures=[(ag.TensorSpec((None,)),), (ag.TensorSpec((2,)), 3.0)])
    loaded: Any = ag.load(tmp_path / "f", mode="evaluate")
    for size in (2, 5, 9, 1, 0):
        x = ag.asarray(array(size))
        assert same(loaded(x), f(x))
    assert same(loaded(ag.Variable(x)), f(x)), "a Variable stands for a tensor"


def test_every_size_is_served(tmp_path: Path) -> None:
    @ag.function(mode="evaluate")
    def f(pair: dict[str, Any], more: Any) -> Any:
        return ag.sum(pair["x"] * pair["y"], axis=0) + ag.mean(more)

    unknown = ag.TensorSpec((None, 2))
    ag.save(f, tmp_path / "f", signatures=[({"x": unknown, "y": unknown}, ag.TensorSpec((3,)))])
    loaded: Any = ag.load(tmp_path / "f", mode="evaluate")
    for rows in (0, 1, 2, 7):
        pair = {name: ag.asarray(array(rows, 2)) for name in "xy"}
        more = ag.asarray(array(3))
        assert same(loaded(pair, more), f(pair, more))


def test_a_training_step_is_saved_with_its_gradients(tmp_path: Path) -> None:
    class Trained(nn.Module):
        def __init__(self) -> None:
            ag.set_seed(0)
            self.rnn = nn.RNN(nn.LSTMCell(3, 4))
            self.adam = nn.optimizers.Adam(self.rnn.variables)

        @ag.function(mode="evaluate")
        def train(self, x: Any, lengths: Any) -> Any:
            with ag.GradientTape() as tape:
                _, state = self.rnn(x, lengths)
                loss = ag.sum(state[0] ** 2)
            self.adam.apply(tape.gradient(loss, self.rnn.variables))
            return loss

    model = Trained()
    specs = (ag.TensorSpec((None, None, 3)), ag.TensorSpec((None,), ag.int64))
    ag.save(model, tmp_path / "m", signatures={"train": [specs]})
    loaded: Any = ag.load(tmp_path / "m", mode="evaluate")
    for rows, steps in ((2, 5), (4, 3), (1, 2)):
        x, lengths = ag.asarray(array(rows, steps, 3)), ag.asarray(np.arange(rows) % steps + 1)
        assert same(model.train(x, lengths), loaded.train(x, lengths))
    for name, variable in model.named_variables().items():
        assert same(variable, loaded.named_variables()[name]), name


def test_plain_functions_methods_and_specialized_ones(tmp_path: Path) -> None:
    x = ag.asarray(array(5, 3))

    def double(x: Any) -> Any:
        return x * 2

    ag.save(double, tmp_path / "plain", signatures=[(x,)])
    assert same(ag.load(tmp_path / "plain", mode="evaluate")(x), double(x))
    model = Model()
    ag.save(model.loss, tmp_path / "method", signatures=[(x,)])
    assert same(ag.load(tmp_path / "method", mode="evaluate")(x), model.loss(x))
    concrete = ag.function(double).get_concrete(ag.TensorSpec((None, 3)))
    ag.save(concrete, tmp_path / "concrete")
    assert same(ag.load(tmp_path / "concrete", mode="evaluate")(x), double(x))
    undecorated = nn.Dense(3, 2)
    ag.save(undecorated, tmp_path / "dense", signatures=[(x,)])
    assert same(ag.load(tmp_path / "dense", mode="evaluate")(x), undecorated(x))


def test_cells_lists_and_errors_of_the_caller(tmp_path: Path) -> None:
    @ag.function(mode="evaluate")
    def f(x: Any, items: list[Any]) -> Any:
        x[0] = 9.0
        items.append(ag.sum(x))
        if items[0] > 100:
            raise ValueError(f"{items[0]} is too much")
        print("sum", items[-1])
        return x

    f(ag.asarray(array(3)), [ag.asarray(1.0)])
    ag.save(f, tmp_path / "f")
    loaded: Any = ag.load(tmp_path / "f", mode="evaluate")
    x, items = ag.asarray(array(3)), [ag.asarray(1.0)]
    assert loaded(x, items) is x and float(x[0]) == 9.0 and len(items) == 2
    y, many = ag.asarray(array(3)), [ag.asarray(500.0)]
    with pytest.raises(ValueError, match="500.0 is too much"):
        loaded(y, many)
    assert float(y[0]) != 9.0 and len(many) == 1, "a call that raises changes nothing"


def test_loaded_functions_are_not_compiled_where_nothing_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def double(x: Any) -> Any:
        return x * 2

    ag.save(ag.function(mode="text")(double), tmp_path / "f", signatures=[(ag.TensorSpec((3,)),)])
    monkeypatch.setenv("AUTOGRAPH_JIT", "0")
    monkeypatch.setattr("autograph.kernels.compile._native_entry", None)
    loaded = ag.load(tmp_path / "f")
    assert isinstance(loaded, LoadedFunction)
    assert loaded(ag.ones((3,))).tolist() == [2.0, 2.0, 2.0]


def test_recursion_and_random_numbers(tmp_path: Path) -> None:
    @ag.function(mode="evaluate")
    def f(n: Any) -> Any:
        def down(k: Any) -> Any:
            return ag.random_uniform(()) if k <= 0 else down(k - 1) + 1

        return down(n)

    f(ag.asarray(3))
    ag.save(f, tmp_path / "f")
    loaded: Any = ag.load(tmp_path / "f", mode="evaluate")
    found = []
    for one in (f, loaded):
        ag.set_seed(5)
        found.append([float(one(ag.asarray(4))), float(one(ag.asarray(2)))])
    assert found[0] == found[1]


def test_constants_keep_every_bit(tmp_path: Path) -> None:
    odd = np.array([0x7FC00001, 0xFFC12345, 0x80000000, 1], np.uint32).view(np.float32)
    long = array(1000)

    @ag.function(mode="evaluate")
    def f(x: Any) -> Any:
        return x * ag.asarray(1.0), ag.concat([ag.asarray(np.array(odd)), ag.asarray(long + 0)])

    f(ag.asarray(1.0))
    ag.save(f, tmp_path / "f")
    loaded: Any = ag.load(tmp_path / "f", mode="evaluate")
    assert same(loaded(ag.asarray(1.0))[1], f(ag.asarray(1.0))[1])


ELSEWHERE = """
import pickle, sys
import numpy as np
import autograph as ag
pickle.load = pickle.loads = pickle.Unpickler = None
loaded = ag.load(sys.argv[1])
x = ag.asarray(np.load(sys.argv[2]))
with ag.GradientTape() as tape:
    loss = loaded.loss(x)
gradient = tape.gradient(loss, loaded.named_variables()["layers.0.kernel"])
np.savez(sys.argv[3], y=loaded(x).numpy(), loss=loss.numpy(), gradient=gradient.numpy())
"""


def test_a_process_without_the_code_gives_the_same(tmp_path: Path) -> None:
    model, loaded, x = saved_model(tmp_path / "m")
    np.save(tmp_path / "x.npy", x.numpy())
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE)
    files = [tmp_path / "m", tmp_path / "x.npy", tmp_path / "out.npz"]
    command = [sys.executable, "elsewhere.py", *map(str, files)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "AUTOGRAPH_JIT": "0"}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    with np.load(tmp_path / "out.npz") as out:
        np.testing.assert_allclose(out["y"], model(x).numpy(), rtol=1e-5)
        np.testing.assert_allclose(out["loss"], model.loss(x).numpy(), rtol=1e-5)
        assert out["gradient"].shape == (3, 4) and out["gradient"].any()


def test_another_loaded_function_of_the_same_name_is_another_one(tmp_path: Path) -> None:
    class Times(nn.Module):
        def __init__(self, factor: float) -> None:
            self.factor = ag.Variable(factor)

        @ag.function(mode="evaluate")
        def __call__(self, x: Any) -> Any:
            return x * self.factor

    loaded: list[Any] = []
    for factor in (2.0, 3.0):
        model = Times(factor)
        model(ag.asarray(1.0))
        ag.save(model, tmp_path / str(factor))
        loaded.append(ag.load(tmp_path / str(factor), mode="evaluate"))
    times = loaded[0]

    @ag.function(mode="evaluate")
    def f(given: Any, x: Any) -> Any:
        return times(x), given(x)

    x = ag.asarray(1.0)
    assert [*map(float, f(loaded[1], x))] == [2.0, 3.0]
    times = loaded[1]
    assert [*map(float, f(loaded[0], x))] == [3.0, 2.0]


def test_layers_of_another_instance_are_read_anew() -> None:
    class Two(nn.Module):
        def __init__(self) -> None:
            self.dense = nn.Dense(3, 2)

        @ag.function(mode="evaluate")
        def __call__(self, x: Any) -> Any:
            return self.dense(x)

    x = ag.asarray(array(4, 3))
    for model in (Two(), Two()):
        assert same(model(x), model.dense(x))


# what cannot be saved -----------------------------------------------------------------------------
def with_py_function() -> Any:
    @ag.function(mode="evaluate")
    def f(x: Any) -> Any:
        return ag.py_function(np.linalg.det, [x], ag.TensorSpec(()))

    return f, (ag.asarray(np.eye(2, dtype=np.float32)),), "py_function of the function det"


def with_python_state() -> Any:
    counter = Model()
    counter.count = 0

    @ag.function(mode="evaluate")
    def f(x: Any) -> Any:
        counter.count += 1
        return x

    return f, (ag.asarray(1.0),), "attribute 'count' of a Model"


def with_an_object() -> Any:
    @ag.function(mode="evaluate")
    def f(model: Any, x: Any) -> Any:
        return model.layers[0](x)

    return f, (Model(), ag.asarray(array(5, 3))), "the class Model"


def with_a_captured_result() -> Any:
    held = [ag.asarray(1.0)]

    @ag.function(mode="evaluate")
    def f(x: Any) -> Any:
        return x, held

    return f, (ag.asarray(1.0),), "a list from outside"


class Custom(Exception):
    pass


def with_an_exception() -> Any:
    @ag.function(mode="evaluate")
    def f(x: Any) -> Any:
        if x > 0:
            raise Custom("no")
        return x

    return f, (ag.asarray(-1.0),), "the class Custom"


REFUSED = [with_py_function, with_python_state, with_an_object, with_a_captured_result]


@pytest.mark.parametrize("make", [*REFUSED, with_an_exception])
def test_what_needs_the_users_code_is_named(make: Any, tmp_path: Path) -> None:
    f, arguments, named = make()
    f(*arguments)
    with pytest.raises(SavingError) as caught:
        ag.save(f, tmp_path / "f")
    text = str(caught.value)
    assert named in text and f'File "{__file__}", line' in text and "Instead:" in text
    assert not (tmp_path / "f").exists()


def test_bad_calls(tmp_path: Path) -> None:
    f = ag.function(lambda x: x, mode="evaluate")
    with pytest.raises(SavingError, match="no trace that is valid now"):
        ag.save(f, tmp_path / "f")
    with pytest.raises(SavingError, match="is no staged function"):
        ag.save(nn.Dense(2, 2), tmp_path / "f")
    with pytest.raises(SavingError, match="has no method 'fit'"):
        ag.save(nn.Dense(2, 2), tmp_path / "f", signatures={"fit": [(1,)]})
    with pytest.raises(KeepingError, match="no graphstage functions in"):
        ag.load(tmp_path / "f")


def test_each_argument_gets_the_trace_for_what_it_is(tmp_path: Path) -> None:
    @ag.function
    def double(x: Any) -> Any:
        return x * 2.0, {"pairs": x}

    array, tensor = np.ones(3), ag.asarray(np.ones(3))
    for order in ((array, tensor), (tensor, array)):
        again = ag.function(double.plain)
        for one in order:
            again(one)
        ag.save(again, tmp_path / "f")
        loaded: Any = ag.load(tmp_path / "f")
        assert type(loaded(array)[0]) is np.ndarray
        assert type(loaded(tensor)[0]) is ag.Tensor
        assert type(loaded(ag.Variable(array))[0]) is ag.Tensor
        assert loaded(tensor)[1] == {"pairs": tensor}


def test_members_and_keys_that_are_objects(tmp_path: Path) -> None:
    v = ag.Variable(2.0)

    @ag.function
    def keyed(x: Any) -> Any:
        return {v: x}, {v}, {v: x, 3: 2 * x}

    x = ag.asarray([1.0, 2.0])
    keyed(x)
    ag.save(keyed, tmp_path / "f")
    loaded: Any = ag.load(tmp_path / "f")
    one, members, two = loaded(x)
    (key,) = one
    assert isinstance(key, ag.Variable) and one[key] is x and members == {key}
    assert [*two] == [key, 3]
