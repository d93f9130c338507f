"""`python -m autograph show`: what it prints, what it refuses, its exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograph.__main__ import main

MODEL = """\
import autograph as ag
import beside


def plain(x):
    if x > beside.LIMIT:
        x = x - 1
    return x


@ag.function
def staged(x):
    return x * 2.0 + 1.0


class Model:
    def __init__(self):
        self.scale = 3.0

    @ag.function
    def step(self, x):
        return x * self.scale


@ag.function
def evaluates(x):
    return eval("x + 1")


if __name__ == "__main__":
    raise SystemExit("must not run")
"""
HOOK = """

def example_arguments(name):
    x = ag.zeros((2, 3))
    return {"staged": ((x,), {}), "Model.step": ((Model(),), {"x": x}), "plain": 3}[name]
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    (tmp_path / "beside.py").write_text("LIMIT = 4\n")
    path = tmp_path / "model.py"
    path.write_text(MODEL + HOOK)
    return str(path)


@pytest.fixture(autouse=True)
def leave_no_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", sys.modules)
    for name in ("model", "model_shown", "beside"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_source_of_a_function(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{model}:plain"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# Expr") and "\ndef plain(x):\n" in text and "ag__.if_stmt(" in text
    compile(text, "<shown>", "exec")


def test_source_of_staged_functions(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{model}:staged", "--as", "source"]) == 0
    assert main(["show", f"{model}:Model.step"]) == 0
    text = capsys.readouterr().out
    assert "def staged(x):" in text and "def step(self, x):" in text


@pytest.mark.parametrize("form", ["graph", "program"])
@pytest.mark.parametrize("name", ["staged", "Model.step"])
def test_graph_and_program(
    model: str, name: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", f"{model}:{name}", "--as", form]) == 0
    text = capsys.readouterr().out
    compile(text, "<shown>", "exec")
    assert "multiply" in text or "*" in text


def test_the_last_trace_needs_no_hook(
    tmp_path: Path, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "called.py"
    path.write_text(MODEL + "\nstaged(ag.zeros((5, 7)))\n")
    assert main(["show", f"{path}:staged", "--as", "graph"]) == 0
    assert "5" in capsys.readouterr().out


def test_output_file(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.py"
    assert main(["show", f"{model}:plain", "-o", str(output)]) == 0
    assert "\ndef plain(x):\n" in output.read_text()
    assert capsys.readouterr().out == ""
    assert main(["show", f"{model}:plain", "-o", str(tmp_path / "no" / "folder")]) == 2


def test_a_module_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "textwrap:dedent"]) == 0
    assert "\ndef dedent(text):\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "form", "message"),
    [
        ("plain", "source", "is not of the form"),
        ("{model}:", "source", "is not of the form"),
        ("/no/such.py:f", "source", "there is no file '/no/such.py'"),
        ("no_such_module.sub:f", "source", "there is no module 'no_such_module.sub'"),
        ("{model}:nothing", "source", "'model' has no attribute 'nothing'"),
        ("{model}:Model.nothing", "source", "'model.Model' has no attribute 'nothing'"),
        ("{model}:beside", "source", "is not a function but of type 'module'"),
    ],
)
def test_refused(
    model: str, target: str, form: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", target.format(model=model), "--as", form]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and message in captured.err


def test_nothing_to_trace_with(
    tmp_path: Path, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hookless.py"
    path.write_text(MODEL)
    assert main(["show", f"{path}:staged", "--as", "program"]) == 2
    message = capsys.readouterr().err
    assert "define `example_arguments(name)`" in message and "--args 'f32[3,2]" in message
    assert "`x: ag.TensorSpec" in message
    path = tmp_path / "wrong.py"
    path.write_text(MODEL + "\ndef example_arguments(name):\n    return [1]\n")
    assert main(["show", f"{path}:staged", "--as", "program"]) == 2
    assert "must return a tuple and a dict" in capsys.readouterr().err


def test_what_cannot_be_converted(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{model}:evaluates"]) == 1
    message = capsys.readouterr().err
    assert "UnsupportedSyntaxError: `eval`" in message and 'eval("x + 1")' in message


def test_as_a_command(model: str) -> None:
    paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "autograph", "show"]
    ran = subprocess.run(
        [*command, f"{model}:plain"], capture_output=True, text=True, env=environment, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "") and "\ndef plain(x):\n" in ran.stdout
    ran = subprocess.run(
        [*command, "--help"], capture_output=True, text=True, env=environment, check=False
    )
    assert ran.returncode == 0 and "example_arguments" in ran.stdout


def test_what_runs_is_shown_on_request(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{model}:plain"]) == 0
    assert "ag__.call" not in capsys.readouterr().out
    assert main(["show", f"{model}:plain", "--as", "raw"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("def plain(x):\n") and "ag__.if_stmt(ag__." in text
