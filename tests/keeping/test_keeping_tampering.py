"""Saved functions that were tampered with: refused with a clear error, and never executed."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.keeping.errors import DamagedError, KeepingError, NewerVersionError
from autograph.keeping.storage import _digest
from autograph.runtime.control.reader import read_graph
from autograph.runtime.control.stated import check_specs
from autograph.runtime.graph.notation import GraphTextError

RAN = "a file that shows that something was executed"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    weights = ag.Variable(np.arange(6, dtype=np.float32).reshape(3, 2), name="weights")
    table = ag.asarray(np.arange(100, dtype=np.float32) + 0)

    @ag.function(mode="evaluate")
    def f(x: Any, scale: float = 2.0) -> Any:
        y = x @ weights * scale + table[3]
        if ag.sum(y) > 1e6:
            raise ValueError("too much")
        while ag.sum(y) > 10:
            y = y / 2
        weights.assign_add(ag.ones((3, 2)))
        return {"y": y, "n": (1, "text")}

    f(ag.ones((4, 3)))
    f(ag.ones((4, 3)), 3.0)
    return ag.save(f, tmp_path / "f")


def refused(path: Path) -> KeepingError:
    """The error of a load, or of the first call where only that shows the fault."""
    with pytest.raises(KeepingError) as caught:
        ag.load(path, mode="evaluate")
    assert str(path) in str(caught.value) or isinstance(caught.value, DamagedError)
    assert not Path(RAN).exists()
    return caught.value


def contents_of(path: Path) -> dict[str, Any]:
    contents: dict[str, Any] = json.loads((path / "functions.json").read_text())
    return contents


def rewrite(path: Path, contents: dict[str, Any]) -> None:
    """Write contents with a right checksum."""
    contents.pop("sha256", None)
    text = json.dumps(contents | {"sha256": _digest(contents)})
    (path / "functions.json").write_text(text)


def rewrite_text(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of the first graph, with right checksums everywhere."""
    contents = contents_of(path)
    entry = contents["files"]["graph0.txt"]
    text = (path / entry["file"]).read_text()
    changed = change(text)
    assert changed != text
    data = changed.encode()
    entry |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (path / entry["file"]).write_bytes(data)
    rewrite(path, contents)


def test_files_that_were_cut_or_changed(saved: Path) -> None:
    for path in sorted(saved.iterdir()):
        whole = path.read_bytes()
        step = max(1, len(whole) // 60)
        for place in range(0, len(whole), step):
            path.write_bytes(whole[:place])
            assert isinstance(refused(saved), DamagedError)
        for place in range(0, len(whole), step):
            changed = bytearray(whole)
            changed[place] ^= 2
            path.write_bytes(bytes(changed))
            try:
                same = json.loads(bytes(changed)) == json.loads(whole)
            except ValueError:
                same = False
            if not same:
                refused(saved)
        path.write_bytes(whole)
        path.rename(saved / "elsewhere")
        refused(saved)
        (saved / "elsewhere").rename(path)
    assert ag.load(saved, mode="evaluate")(ag.ones((4, 3)))["n"] == (1, "text")


def test_a_newer_version_is_named(saved: Path) -> None:
    rewrite(saved, contents_of(saved) | {"version": 2})
    error = refused(saved)
    assert isinstance(error, NewerVersionError) and "version 2" in str(error)


SHELL = f"__import__('os').system('touch \"{RAN}\"')"
TEXTS: list[tuple[str, str]] = [
    ("v5 = ", f"v5 = {SHELL} or "),
    ("    v5 = ", f"    {SHELL}\n    v5 = "),
    ("def f(", f"{SHELL}\ndef f("),
    ("def f(", f"@{SHELL}\ndef f("),
    ("x: f32[4,3]", f"x: {SHELL}"),
    ("x: f32[4,3]", f"x: f32[4,3] = {SHELL}"),
    ("axis=None", f"axis={SHELL}"),
    ("axis=None", "axis=objects[0].__class__"),
    ("axis=None", "axis=objects[99]"),
    ("axis=None", "axis=[].__class__"),
    ("axis=None", "axis=lambda: 0"),
    ("axis=None", "axis='x'"),
    ("axis=None", "axis=7"),
    ("axis=None", "nonsense=1"),
    ("matmul(", "system("),
    ("matmul(", "host_call("),
    ("matmul(", "eval("),
    ("f32[4,3]", "f32[4,1000000]"),
    ("f32[4,3]", "f64[4,3]"),
    ("f32[4,3]", "f32[4,3,9]"),
    ("value=2.0", f"value={'9' * 5000}"),
    ("value=2.0", "value=arrays[50]"),
    ("value=2.0", "value='2'"),
    ("return ", "return x, "),
    ("return ", "pass; return "),
    ("def f(", "def f(more: f32, "),
    ("def f(", "import os\ndef f("),
    ("def f(", "def f(" * 3),
    ("axis=None", "axis=" + "-" * 50_000 + "1"),
    ("axis=None", "axis=" + "(" * 5_000 + ")" * 5_000),
    ("axis=None", "axis=" + "(" * 80 + "1," + ",)" * 80),
    ("def f(", "\0def f("),
]


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_graphs_that_were_changed(number: int, saved: Path) -> None:
    before, after = TEXTS[number]
    rewrite_text(saved, lambda text: text.replace(before, after, 1))
    assert isinstance(refused(saved), DamagedError)


@pytest.mark.parametrize(
    "line",
    [
        "v = sin(x, specs='f32[1000]')",
        "v = sin(x, specs='f64[2]')",
        "v = sin(x, specs='f32[2], f32[2]')",
    ],
)
def test_specs_that_are_not_true(line: str) -> None:
    names = "v, w" if "2], f" in line else "v"
    text = f"def f(x: f32[2]):\n    {line.replace('v =', names + ' =')}\n    return v\n"
    with pytest.raises(GraphTextError, match="and the text says"):
        check_specs(read_graph(text))


def test_every_line_of_a_graph_cut(saved: Path) -> None:
    contents = contents_of(saved)
    text = (saved / contents["files"]["graph0.txt"]["file"]).read_text()
    lines = [one for one in text.splitlines() if not one.startswith("#")]
    for number in range(len(lines)):
        kept = "\n".join(lines[:number]) + "\n"
        rewrite_text(saved, lambda text, kept=kept: kept)  # type: ignore[misc]
        assert isinstance(refused(saved), DamagedError), lines[number]


def entry(contents: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = contents["functions"]["f"]["traces"][0]
    return found


ENTRIES: list[tuple[str, Any]] = [
    ("guards", [SHELL]),
    ("guards", ["a[0].__class__"]),
    ("guards", ["type(a[0]).__subclasses__()"]),
    ("guards", ["[x for x in a]"]),
    ("guards", ["(lambda: 1)()"]),
    ("guards", ["k[99]"]),
    ("guards", ["getattr(a[0], 'x')"]),
    ("guards", ["a"]),
    ("guards", "a[0]"),
    ("guards", [3]),
    ("guards", [None]),
    ("guards", ["("]),
    ("guards", ["not " * 20_000 + "a[0]"]),
    ("inputs", []),
    ("inputs", [SHELL] * 4),
    ("inputs", ["s[99]"] * 4),
    ("given", [SHELL]),
    ("result", {"made": "system", "items": []}),
    ("result", {"group": "Popen", "items": []}),
    ("result", {"leaf": "f32[" + SHELL}),
    ("result", {"given": 99}),
    ("result", {"exception": "os.system", "keys": ["args"], "items": []}),
    ("result", {"fixed": {"class": "Popen"}}),
    ("result", 3),
    ("writes", [{"owner": 99, "what": "tensor", "after": None, "value": {"leaf": "f32"}}]),
    ("writes", [{"owner": 0, "what": "attribute", "after": None, "value": {"leaf": "f32"}}]),
    ("objects", [{"raises error": {"class": "Popen", "parts": {"args": {"tuple": []}}}}]),
    ("objects", [{"raises error": {"class": "ValueError", "parts": {"__class__": 1}}}]),
    ("objects", [{"calls": "os.system"}]),
    ("objects", []),
    ("constants", [{"class": "Popen"}]),
    ("constants", [{"dtype": "object"}]),
    ("graph", "nowhere"),
    ("graph", "../../etc/passwd"),
    ("keywords", 3),
    ("arguments", "x"),
]


@pytest.mark.parametrize("number", range(len(ENTRIES)))
def test_entries_that_were_changed(number: int, saved: Path) -> None:
    key, value = ENTRIES[number]
    contents = contents_of(saved)
    assert key in entry(contents)
    entry(contents)[key] = value
    rewrite(saved, contents)
    assert isinstance(refused(saved), DamagedError)


@pytest.mark.parametrize("key", ["functions", "state", "alone", "files"])
def test_parts_that_are_missing(key: str, saved: Path) -> None:
    whole = contents_of(saved)
    for value in (None, [], {}, 3):
        contents = {name: one for name, one in whole.items() if name != key}
        if value is not None:
            contents[key] = value
        rewrite(saved, contents)
        if not (key == "alone" and value in ([], {}, 3)):
            assert isinstance(refused(saved), DamagedError)


def test_inputs_are_checked_where_guards_were_taken_out(saved: Path) -> None:
    contents = contents_of(saved)
    for one in contents["functions"]["f"]["traces"]:
        one["guards"] = []
    rewrite(saved, contents)
    loaded = ag.load(saved, mode="evaluate")
    with pytest.raises(ag.errors.ArgumentError, match=r"x of f is f32\[9,9\], and not f32\[4,3\]"):
        loaded(ag.ones((9, 9)))


def test_state_of_another_shape_is_refused_when_it_is_used(saved: Path) -> None:
    from autograph.keeping.tensors import decode, encode

    contents = contents_of(saved)
    one = contents["files"]["state.safetensors"]
    arrays = decode((saved / one["file"]).read_bytes(), "state")
    data = encode({name: np.zeros((1, 1), np.float32) for name in arrays})
    (saved / one["file"]).write_bytes(data)
    one |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    rewrite(saved, contents)
    with pytest.raises((KeepingError, ag.errors.ArgumentError), match=r"f32\[1,1\]"):
        ag.load(saved, mode="evaluate")(ag.ones((4, 3)))


VALUES = (None, 0, -1, 2**40, 1.5, "", "x", "f32[2]", [], {}, [1], {"a": 1}, True, "../x", ["x"])


def _paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield from _paths(value[key], (*at, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _changed(contents: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Contents of which one part was taken out, exchanged, doubled or replaced."""
    changed = copy.deepcopy(contents)
    paths = [one for one in _paths(changed) if one and one[0] not in ("sha256", "version")]
    path = rng.choice(paths)
    around, key, how = _at(changed, path[:-1]), path[-1], rng.randrange(6)
    if how == 0:
        del around[key]
    elif how == 1:
        around[key] = copy.deepcopy(_at(contents, rng.choice(paths)))
    elif how == 2 and isinstance(around, list):
        around.insert(rng.randrange(len(around) + 1), copy.deepcopy(around[key]))
    elif how == 3 and isinstance(around, list):
        rng.shuffle(around)
    else:
        around[key] = rng.choice(VALUES)
    return changed


def test_entries_that_were_changed_at_random(saved: Path) -> None:
    """Whatever stands there: it is refused, or it is a function that says what it takes."""
    whole, rng = contents_of(saved), random.Random(0)
    for _ in range(300):
        changed = _changed(whole, rng)
        rewrite(saved, changed)
        try:
            loaded = ag.load(saved, mode="evaluate")
        except KeepingError:
            continue
        for arguments in ((ag.ones((4, 3)),), (ag.ones((4, 3)), 3.0), (ag.ones((5, 3)),)):
            try:
                loaded(*arguments)
            except (KeepingError, ag.errors.ArgumentError):
                pass
            except TypeError as error:
                said = (
                    "too many positional",
                    "missing a required",
                    "has no __call__",
                    "unexpected",
                )
                assert any(one in str(error) for one in said)
        assert not Path(RAN).exists()
