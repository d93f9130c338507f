"""Errors say what, where, and what to write instead; locations are those of the user's lines."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from types import CodeType

import pytest

import autograph
from autograph import errors
from autograph.errors import StagingError
from autograph.runtime.core import location
from autograph.runtime.core.location import Location, is_ours, user_location

CLASSES = [
    each
    for name, each in vars(errors).items()
    if inspect.isclass(each) and issubclass(each, StagingError)
]


def test_anatomy() -> None:
    here = user_location()
    assert here is not None
    there = Location("<nowhere>", 3, "g")
    error = errors.MergeError(
        "'y' is a list on one side",
        location=here,
        remedy="make it a tensor",
        sides=[("here it is a list", there), ("and here nothing", None)],
    )
    assert str(error).split("\n") == [
        "'y' is a list on one side",
        f'  File "{__file__}", line {here.line}, in test_anatomy',
        "    here = user_location()",
        "  here it is a list:",
        '  File "<nowhere>", line 3, in g',
        "  and here nothing",
        "  Instead: make it a tensor",
    ]


def test_message_alone() -> None:
    assert str(StagingError("only this")) == "only this"


@pytest.mark.parametrize("each", CLASSES)
def test_every_class_explains_itself(each: type[StagingError]) -> None:
    assert each.__name__ in errors.__all__
    assert each.__doc__ is not None and len(each.__doc__) > 80
    error = each("what", location=Location("f.py", 1, "g"), remedy="this")
    assert (error.message, error.remedy) == ("what", "this")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (each, str(error))


def test_builtin_classes() -> None:
    assert issubclass(errors.ArgumentError, TypeError)
    assert issubclass(errors.ShapeError, ValueError)


def test_user_location_passes_over_our_frames() -> None:
    # A frame of ours in between, as an operator's would be.
    package = str(Path(errors.__file__).parent)
    names = {"user_location": user_location}
    text = "def operator():\n    return user_location()\n"
    exec(compile(text, f"{package}/operators/example.py", "exec"), names)
    found = names["operator"]()  # type: ignore[call-arg]
    line = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
    assert found == Location(__file__, line, "test_user_location_passes_over_our_frames")
    assert str(found) == f"{__file__}:{line}"


@pytest.mark.parametrize("room", ["errors.py", "runtime/core/tensor.py", "kernels/scalar/a.py"])
def test_every_spelling_of_our_files(room: str) -> None:
    linked = Path(autograph.__path__[0]) / room
    assert is_ours(str(linked)) and is_ours(str(linked.resolve()))


def test_files_beside_the_package_are_the_users() -> None:
    root = Path(autograph.__path__[0]).parent
    for name in ("tests/test_x.py", "examples/runtime/x.py", "autographs.py", "runtimes/x.py"):
        assert not is_ours(str(root / name))
    assert not is_ours("<stdin>")


def test_generated_files_are_ours_once_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(location, "_prefixes", location._prefixes)
    monkeypatch.setattr(location, "_known", {})
    assert not is_ours("/cache/of/programs/p.py")
    location.add_own("/cache/of/programs/")
    assert is_ours("/cache/of/programs/p.py")


def test_installed_layout(tmp_path: Path) -> None:
    """In site-packages the runtime is inside the package; what is beside it is the user's."""
    for package in ("autograph", "autograph/runtime", "autograph/runtime/core"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    source = Path(location.__file__).read_text(encoding="utf-8")
    (tmp_path / "autograph/runtime/core/location.py").write_text(source, encoding="utf-8")
    program = (
        "from autograph.runtime.core.location import is_ours\n"
        f"print([is_ours({str(tmp_path)!r} + '/' + n) for n in ("
        "'autograph/operators/names.py', 'autograph/kernels/x.py', 'numpy/x.py', 'runtime/x.py')])"
    )
    command = [sys.executable, "-P", "-c", program]
    ran = subprocess.run(
        command, capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path)}, check=True
    )
    assert ran.stdout.strip() == "[True, True, False, False]"


def test_function_names_of_emitted_bodies() -> None:
    text = "def f():\n    def ag__then_1():\n        def ag__body_2(): pass\n"
    module = compile(text, "<x>", "exec")

    def inner(code: CodeType) -> CodeType:
        return next(each for each in code.co_consts if isinstance(each, CodeType))

    body = inner(inner(inner(module)))
    assert body.co_name == "ag__body_2"
    assert location.function_name(body) == "f"
