"""Checkpoints: what is kept, how it is matched, what is refused; nothing is half-restored."""

from __future__ import annotations

import json
import math
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph import nn
from autograph.keeping.errors import DamagedError, KeepingError, MismatchError, NewerVersionError
from autograph.keeping.tensors import decode, encode
from autograph.runtime.core import dtypes


class Plain:
    """An object of a class that knows nothing of this library."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)


class Called(Plain):
    """Such an object that is a layer, too."""

    def __call__(self, x: Any) -> Any:
        return x


class Slotted:
    __slots__ = ("__hidden", "w")

    def __init__(self, w: Any) -> None:
        self.w = w
        self.__hidden = w


def variable(*numbers: float) -> ag.Variable:
    return ag.Variable(np.array(numbers, np.float32))


def values_of(objects: Any) -> list[list[float]]:
    return [one.numpy().tolist() for one in objects]


def restored(make: Any, change: Any, path: Path) -> tuple[Any, Any]:
    """What `make` gives, changed and saved; and what it gives again, restored."""
    before = make()
    change(before)
    ag.Checkpoint(root=before).save(path)
    after = make()
    ag.Checkpoint(root=after).restore(path).check()
    return before, after


def two_layers() -> nn.Module:
    return nn.Sequential(nn.Dense(3, 4, ag.tanh), nn.BatchNorm(4), nn.Dense(4, 2))


def test_a_training_run_goes_on_where_it_was(tmp_path: Path) -> None:
    x = ag.asarray(np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32))

    def train(model: Any, optimizer: Any) -> None:
        with ag.GradientTape() as tape:
            loss = ag.sum(model(x) ** 2)
        optimizer.apply(tape.gradient(loss, optimizer.targets))

    runs = []
    for _ in range(2):
        model = two_layers()
        runs.append((model, nn.optimizers.Adam(model.trainable_variables)))
    (model, optimizer), (other, second) = runs
    for _ in range(3):
        train(model, optimizer)
    ag.Checkpoint(model=model, optimizer=optimizer).save(tmp_path / "c")
    # The order of the names, and of the making of the objects, does not count.
    ag.Checkpoint(optimizer=second, model=other).restore(tmp_path / "c").check()
    for one in runs:
        train(*one)
    assert values_of(model.variables) == values_of(other.variables)
    assert values_of(optimizer.variables) == values_of(second.variables)


CONTAINERS = {
    "attribute": lambda v: Plain(w=v),
    "list": lambda v: [1, [v]],
    "tuple": lambda v: (v, "x"),
    "deque": lambda v: deque([v]),
    "dict": lambda v: {"a": v, 3: {True: 1}},
    "keys of all kinds": lambda v: {1: {2.5: {None: {"a.b": v}}}},
    "slots": Slotted,
    "in objects": lambda v: Plain(inner=Plain(parts=[Plain(w=v)])),
    "module in a plain object": lambda v: Plain(model=nn.Sequential(Called(w=v))),
    "shared": lambda v: Plain(one=v, two=[v, {"three": v}]),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_variables_are_found_in(kind: str, tmp_path: Path) -> None:
    holders = []
    for start in (1.0, 5.0):
        held = variable(start, start)
        holders.append((held, ag.Checkpoint(root=CONTAINERS[kind](held))))
    (first, saved), (second, fresh) = holders
    saved.save(tmp_path / "c")
    status = fresh.restore(tmp_path / "c").check()
    assert len(status.restored) == 1
    assert second.numpy().tolist() == first.numpy().tolist() == [1.0, 1.0]


def test_cycles_and_long_chains(tmp_path: Path) -> None:
    def make() -> Plain:
        first = last = Plain(w=variable(0.0))
        for _ in range(5_000):
            last = Plain(w=variable(0.0), before=last)
        first.before = last
        return last

    def change(root: Plain) -> None:
        root.before.before.w.assign([7.0])

    _, after = restored(make, change, tmp_path / "c")
    assert after.before.before.w.numpy().tolist() == [7.0]


def test_plain_values_are_put_back(tmp_path: Path) -> None:
    kept = {
        "count": 3,
        "large": 10**40,
        "rate": 0.1,
        "worst": -math.inf,
        "name": "sofa \u2028 \ud83d".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        "best": None,
        "on": True,
        "history": [1.5, (2, "x"), {"a": [None], 4: -0.0}],
    }

    def make() -> Plain:
        return Plain(w=variable(1.0), history=[], **dict.fromkeys(kept.keys() - {"history"}))

    def change(root: Plain) -> None:
        root.history.extend(kept["history"])  # type: ignore[arg-type]
        root.__dict__.update({name: one for name, one in kept.items() if name != "history"})

    seen: list[Any] = []

    def make_and_look() -> Plain:
        made = make()
        seen.append(made.history)
        return made

    _, after = restored(make_and_look, change, tmp_path / "c")
    assert {name: repr(getattr(after, name)) for name in kept} == {
        name: repr(one) for name, one in kept.items()
    }
    assert after.history is seen[1], "a list keeps its identity"


def test_values_of_the_checkpoint_itself(tmp_path: Path) -> None:
    checkpoint = ag.Checkpoint(model=Plain(w=variable(1.0)), epoch=0)
    checkpoint.epoch += 4
    checkpoint.save(tmp_path / "c")
    other = ag.Checkpoint(model=Plain(w=variable(2.0)), epoch=0)
    other.restore(tmp_path / "c")
    assert other.epoch == 4


def test_modes_functions_and_strangers_are_not_kept(tmp_path: Path) -> None:
    import logging

    def make() -> nn.Module:
        model = nn.Sequential(nn.Dense(2, 2, ag.tanh))
        model.logger = logging.getLogger("keeping")
        model.dates = np.array(["2026-01-01"], dtype="datetime64[D]")
        return model

    def change(model: nn.Module) -> None:
        model.set_training(False)

    _, after = restored(make, change, tmp_path / "c")
    assert after.training and after.layers[0].activation is ag.tanh
    text = (tmp_path / "c" / "checkpoint.json").read_text()
    assert '"not kept": {"dates": "ndarray", "logger": "Logger"}' in text


def test_arrays_and_tensors_are_kept(tmp_path: Path) -> None:
    def make() -> nn.Module:
        model = nn.Sequential(nn.Dense(2, 2))
        model.mean, model.wave = np.zeros(3), np.zeros(2, np.complex128)
        model.view = model.mean[1:]
        model.rows = [np.zeros(2, np.float32), np.zeros(1)]
        model.by_name = {"count": np.arange(3)}
        model.total, model.seen = ag.zeros(2), np.int64(0)
        model.grown = np.zeros(0)
        return model

    before = make()
    before.mean[:] = [1.0, 2.0, 3.0]
    before.wave[:] = 1 + 2j
    before.rows[0][1] = 4.0
    before.by_name["count"] *= 5
    before.total = before.total + 6.0
    before.seen = np.int64(7)
    before.grown = np.arange(4.0)
    ag.Checkpoint(model=before).save(tmp_path / "c")
    after = make()
    mean, view = after.mean, after.view
    ag.Checkpoint(model=after).restore(tmp_path / "c")
    assert after.mean is mean and mean.tolist() == [1.0, 2.0, 3.0] and view.tolist() == [2.0, 3.0]
    assert after.wave.tolist() == [1 + 2j, 1 + 2j]
    assert after.rows[0].tolist() == [0.0, 4.0] and after.rows[0].dtype == np.float32
    assert after.by_name["count"].tolist() == [0, 5, 10]
    assert type(after.total) is ag.Tensor and after.total.tolist() == [6.0, 6.0]
    assert type(after.seen) is np.int64 and after.seen == 7
    assert after.grown.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_arrays_are_as_they_were_where_a_restore_fails(tmp_path: Path) -> None:
    class Fixed:
        __slots__ = ("_w", "mean")

        def __init__(self, value: float) -> None:
            self.mean = np.full(2, value)

    class Sealed(dict):  # an item that cannot be replaced
        def __setitem__(self, name: Any, value: Any) -> None:
            raise RuntimeError("sealed")

    first = {"a": Fixed(1.0), "b": Sealed(w=variable(1.0), step=1)}
    ag.Checkpoint(root=first).save(tmp_path / "c")
    other = {"a": Fixed(0.0), "b": Sealed(w=variable(0.0), step=0)}
    with pytest.raises(RuntimeError, match="sealed"):
        ag.Checkpoint(root=other).restore(tmp_path / "c")
    assert other["a"].mean.tolist() == [0.0, 0.0] and other["b"]["w"].item() == 0.0


# differences --------------------------------------------------------------------------------------
DIFFERENCES = {
    "missing": (
        lambda: {"a": variable(1.0)},
        lambda: {"a": variable(0.0), "b": variable(0.0)},
        ["root.b is not in the checkpoint"],
        [1.0],
    ),
    "unexpected": (
        lambda: {"a": variable(1.0), "b": variable(1.0)},
        lambda: {"a": variable(0.0)},
        ["root.b is in the checkpoint, and no object has it"],
        [1.0],
    ),
    "shape": (
        lambda: {"a": variable(1.0, 2.0), "b": variable(5.0)},
        lambda: {"a": variable(0.0), "b": variable(0.0)},
        ["root.a is f32[2] in the checkpoint, and f32[1] here"],
        [0.0],
    ),
    "dtype": (
        lambda: {"a": ag.Variable(np.array([1.0]))},
        lambda: {"a": variable(0.0)},
        ["root.a is f64[1] in the checkpoint, and f32[1] here"],
        [0.0],
    ),
    "a container for a Variable": (
        lambda: {"a": [variable(1.0)]},
        lambda: {"a": variable(0.0)},
        [
            "root.a.0 is in the checkpoint, and no object has it",
            "root.a is an object in the checkpoint, and a Variable here",
        ],
        [0.0],
    ),
    "shared there": (
        lambda: (lambda v: {"a": v, "b": v})(variable(1.0)),
        lambda: {"a": variable(0.0), "b": variable(0.0)},
        ["root.b is the same Variable as root.a in the checkpoint, and another one here"],
        [1.0],
    ),
    "shared here": (
        lambda: {"a": variable(1.0), "b": variable(2.0)},
        lambda: (lambda v: {"a": v, "b": v})(variable(0.0)),
        ["root.b is the same Variable as root.a here, and another one in the checkpoint"],
        [1.0],
    ),
}


@pytest.mark.parametrize("kind", DIFFERENCES)
def test_differences_are_named_and_refused(kind: str, tmp_path: Path) -> None:
    make, make_other, lines, partly = DIFFERENCES[kind]
    ag.Checkpoint(root=make()).save(tmp_path / "c")
    other = make_other()
    with pytest.raises(MismatchError) as caught:
        ag.Checkpoint(root=other).restore(tmp_path / "c")
    assert list(caught.value.differences) == lines
    assert "partial=True" in str(caught.value) and all(one in str(caught.value) for one in lines)
    assert other["a"].numpy().tolist() == [0.0], "nothing was restored"
    status = ag.Checkpoint(root=other).restore(tmp_path / "c", partial=True)
    assert all(one in str(status) for one in lines) and not status.complete
    assert other["a"].numpy().tolist() == partly
    with pytest.raises(MismatchError):
        status.check()


def test_an_interruption_while_restoring_takes_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = {"a": variable(1.0), "b": variable(2.0), "log": ["x"], "n": 1}
    ag.Checkpoint(root=objects).save(tmp_path / "c")
    other = {"a": variable(0.0), "b": variable(0.0), "log": [], "n": 0}
    last = other["b"]
    assign = ag.Variable.assign

    def interrupted(self: Any, value: Any) -> Any:
        result = assign(self, value)
        if self is last:
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(ag.Variable, "assign", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ag.Checkpoint(root=other).restore(tmp_path / "c")
    assert values_of([other["a"], other["b"]]) == [[0.0], [0.0]] and other["n"] == 0


# deferred -----------------------------------------------------------------------------------------
class Lazy(nn.Module):
    """Makes its Variables when it is called first."""

    def __init__(self, start: float = 0.0) -> None:
        self.start = start
        self.kernel: Any = None

    def __call__(self, x: Any) -> Any:
        if self.kernel is None:
            self.kernel = ag.Variable(ag.full((x.shape[-1], 2), self.start))
            self.inner = nn.Dense(2, 2)
        return self.inner(x @ self.kernel)


def test_variables_made_later_are_restored_when_they_are_made(tmp_path: Path) -> None:
    x = ag.ones((4, 3))
    model = Lazy(2.0)
    expected = model(x)
    ag.Checkpoint(model=model).save(tmp_path / "c")
    fresh = Lazy()
    with pytest.raises(MismatchError, match="deferred=True"):
        ag.Checkpoint(model=fresh).restore(tmp_path / "c")
    status = ag.Checkpoint(model=fresh).restore(tmp_path / "c", deferred=True)
    assert "model.kernel waits until it is made" in str(status)
    with pytest.raises(MismatchError):
        status.check()
    assert fresh(x).numpy().tolist() == expected.numpy().tolist()
    assert status.check().complete and "__setattr__" not in nn.Module.__dict__


def test_a_variable_made_later_of_another_shape_is_refused(tmp_path: Path) -> None:
    model = Lazy(2.0)
    model(ag.ones((4, 3)))
    ag.Checkpoint(model=model).save(tmp_path / "c")
    fresh = Lazy()
    status = ag.Checkpoint(model=fresh).restore(tmp_path / "c", deferred=True)
    with pytest.raises(MismatchError, match=r"model.kernel is f32\[3,2\] in the checkpoint"):
        fresh(ag.ones((4, 5)))
    fresh.inner = nn.Dense(2, 2)
    assert fresh.inner.kernel.numpy().tolist() == model.inner.kernel.numpy().tolist()
    status.update()


def test_what_replaces_a_restored_variable_is_restored_too(tmp_path: Path) -> None:
    model = Lazy(2.0)
    model(ag.ones((4, 3)))
    ag.Checkpoint(model=model).save(tmp_path / "c")
    fresh = Lazy()
    status = ag.Checkpoint(model=fresh).restore(tmp_path / "c", deferred=True)
    for _ in range(2):  # a trace that starts anew makes its objects again
        fresh.kernel = ag.Variable(ag.zeros((3, 2)))
    fresh.inner = nn.Dense(2, 2)
    assert same_values(fresh, model) and status.check().complete
    assert sorted(status.restored) == ["model.inner.bias", "model.inner.kernel", "model.kernel"]


def same_values(one: nn.Module, other: nn.Module) -> bool:
    return values_of(one.variables) == values_of(other.variables)


def test_lists_and_plain_objects_are_looked_into_when_asked(tmp_path: Path) -> None:
    ag.Checkpoint(root=Plain(rows=[variable(1.0)], w=variable(2.0))).save(tmp_path / "c")
    fresh = Plain(rows=[], w=None)
    status = ag.Checkpoint(root=fresh).restore(tmp_path / "c", deferred=True)
    fresh.rows.append(variable(0.0))
    fresh.w = variable(0.0)
    assert status.update().complete
    assert values_of([fresh.rows[0], fresh.w]) == [[1.0], [2.0]]


# what cannot be kept, or read ---------------------------------------------------------------------
@pytest.mark.parametrize(
    "held", [lambda v: {v}, lambda v: {(1, 2): v}, lambda v: [{frozenset([v])}], lambda v: {v: 1}]
)
def test_variables_without_a_name_are_refused(held: Any, tmp_path: Path) -> None:
    with pytest.raises(KeepingError, match="without a name"):
        ag.Checkpoint(root=Plain(parts=held(variable(1.0)))).save(tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_bad_calls(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        ag.Checkpoint()
    with pytest.raises(ValueError, match="'save'"):
        ag.Checkpoint(save=variable(1.0))
    with pytest.raises(KeepingError, match="no graphstage checkpoint in"):
        ag.Checkpoint(v=variable(1.0)).restore(tmp_path / "nowhere")
    with pytest.raises(KeepingError, match="no Variable"):
        ag.Checkpoint(f=len).save(tmp_path / "c")
    (tmp_path / "file").write_text("")
    with pytest.raises(KeepingError, match="not a folder"):
        ag.Checkpoint(v=variable(1.0)).save(tmp_path / "file")


@pytest.mark.parametrize("mode", ["evaluate", "text"])
def test_refused_in_a_staged_function(mode: Any, tmp_path: Path) -> None:
    checkpoint = ag.Checkpoint(v=variable(1.0))
    path = checkpoint.save(tmp_path / "c")

    @ag.function(mode=mode)
    def restore(x: Any) -> Any:
        checkpoint.restore(path)
        return x

    with pytest.raises(ag.StagingError, match="Checkpoint"):
        restore(ag.ones(2))


@pytest.mark.parametrize("dtype", [*dtypes.ALL, *dtypes.COMPLEX], ids=str)
def test_arrays_of_every_kind_are_kept_to_the_bit(dtype: Any) -> None:
    random = np.random.default_rng(0)
    table = np.frombuffer(random.bytes(24 * dtype.itemsize), np.uint8)
    whole = (table % 2 if dtype.kind == "b" else table).view(dtype)[:24].reshape(4, 6)
    arrays = {
        "whole": whole,
        "turned": whole.T,
        "every other": whole[::2, ::-3],
        "big-endian": whole.astype(dtype.newbyteorder(">")),
        "0-d": whole[0, 0].reshape(()),
        "empty": whole[:0],
        "read-only": np.broadcast_to(whole[0], (3, 6)),
        "unaligned": np.frombuffer(b"x" + whole.tobytes(), dtype, offset=1),
    }
    back = decode(encode(arrays), "memory")
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array.astype(dtype)).reshape(array.shape)
        assert back[name].tobytes() == plain.tobytes() and back[name].shape == array.shape
        assert back[name].dtype == dtype and back[name].flags.writeable


def test_dtypes_that_are_not_ours() -> None:
    with pytest.raises(KeepingError, match="dtype"):
        encode({"a": np.array(["x"])})
    header = b'{"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}'
    with pytest.raises(DamagedError, match="BF16"):
        decode(len(header).to_bytes(8, "little") + header + b"\0\0", "memory")


# damage -------------------------------------------------------------------------------------------
@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return ag.Checkpoint(a=variable(1.0, 2.0), n=3, b=[variable(4.0)]).save(tmp_path / "c")


def refuses(path: Path) -> Exception:
    """The error of a restore, after which nothing has changed."""
    checkpoint = ag.Checkpoint(a=variable(0.0, 0.0), n=0, b=[variable(0.0)])
    with pytest.raises(KeepingError) as caught:
        checkpoint.restore(path)
    assert values_of([checkpoint.a, *checkpoint.b]) == [[0.0, 0.0], [0.0]] and checkpoint.n == 0
    return caught.value


def test_files_that_were_cut_or_changed_are_refused(saved: Path) -> None:
    for path in sorted(saved.iterdir()):
        whole = path.read_bytes()
        for place in range(0, len(whole), 7):
            path.write_bytes(whole[:place])
            assert isinstance(refuses(saved), DamagedError)
            changed = bytearray(whole)
            changed[place] ^= 4
            path.write_bytes(bytes(changed))
            if json_of(bytes(changed)) != json_of(whole):
                assert isinstance(refuses(saved), DamagedError | NewerVersionError)
        path.write_bytes(whole)
    next(saved.glob("*.safetensors")).unlink()
    assert "is missing" in str(refuses(saved))


def json_of(data: bytes) -> Any:
    """What a file says: spaces in JSON may change."""
    try:
        return json.loads(data)
    except ValueError:
        return data


def test_a_newer_version_is_named(saved: Path) -> None:
    path = saved / "checkpoint.json"
    contents = json.loads(path.read_text())
    path.write_text(json.dumps(contents | {"version": 7, "more": 1}))
    error = refuses(saved)
    assert isinstance(error, NewerVersionError) and "version 7" in str(error)


TAMPERED: list[dict[str, Any]] = [
    {"objects": []},
    {"objects": 3},
    {"objects": [3]},
    {"objects": [{"edges": [["a", 99]]}]},
    {"objects": [{"edges": [["a", -1]]}]},
    {"objects": [{"edges": {"a": 1}}]},
    {"objects": [{"edges": [[["a"], 0]]}]},
    {"objects": [{"edges": [["a", 1]]}, {"tensor": "b"}]},
    {"objects": [{"edges": [["a", 1]]}, {"tensor": "a", "dtype": "int8", "shape": [2]}]},
    {"objects": [{"values": [["n", {"set": [1]}]]}]},
    {"files": 3},
    {"files": {}},
    {"files": {"tensors.safetensors": {"file": "../../etc/passwd"}}},
    {"format": "another"},
]


@pytest.mark.parametrize("change", TAMPERED, ids=str)
def test_contents_with_a_right_checksum_are_still_checked(saved: Path, change: Any) -> None:
    from autograph.keeping.storage import _digest

    path = saved / "checkpoint.json"
    contents = json.loads(path.read_text()) | change
    del contents["sha256"]
    path.write_text(json.dumps(contents | {"sha256": _digest(contents)}))
    assert isinstance(refuses(saved), DamagedError)
