"""What is shipped: one import name, every package, and a staged function far from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", "autograph", "runtime", "kernels")
INSTALLED_MEGABYTES = 480

USER_PROGRAM = """
import sys
from pathlib import Path

import autograph as ag

@ag.function
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

steps = collatz(ag.asarray(27))
assert type(steps) is int and steps == 111, steps
assert "llvmlite" in sys.modules, "the function was not compiled"
assert Path(ag.__file__).is_relative_to(sys.prefix), ag.__file__
"""


def run(*command: str | Path, cwd: Path, **extra: str) -> str:
    """Run a command away from the checkout's own import paths; its output, or a failure with it."""
    environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    ran = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment | extra,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-4000:]
    return ran.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is shipped: building writes beside the sources."""
    folder = tmp_path_factory.mktemp("source")
    ignore = shutil.ignore_patterns("__pycache__")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignore)
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return build(source, source.parent / f"{source.name}-wheel")


def build(source: Path, into: Path) -> Path:
    command = "wheel --quiet --no-deps --no-build-isolation --wheel-dir".split()
    run(sys.executable, "-m", "pip", *command, into, source, cwd=source)
    (found,) = into.glob("*.whl")
    return found


def project() -> dict[str, object]:
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)


def packages_of_the_tree() -> list[str]:
    names = []
    floors = {"autograph": "autograph", "runtime": "autograph.runtime"}
    for folder, package in (floors | {"kernels": "autograph.kernels"}).items():
        for init in (ROOT / folder).rglob("__init__.py"):
            parts = init.parent.relative_to(ROOT / folder).parts
            if folder == "autograph" and parts[:1] in (("runtime",), ("kernels",)):
                continue  # the links
            names.append(".".join([package, *parts]))
    return sorted(names)


def test_the_list_of_packages_is_complete() -> None:
    declared = project()["tool"]["setuptools"]["packages"]  # type: ignore[index]
    assert declared == packages_of_the_tree()


def test_the_wheel_holds_every_module_under_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {n for n in archive.namelist() if ".dist-info/" not in n}
    assert {n.split("/")[0] for n in names} == {"autograph"}
    expected = {"autograph/py.typed"}
    for folder in ("autograph", "runtime", "kernels"):
        for path in (ROOT / folder).rglob("*.py"):
            relative = path.relative_to(ROOT)
            if relative.parts[:2] not in (("autograph", "runtime"), ("autograph", "kernels")):
                prefix = "" if folder == "autograph" else "autograph/"
                expected.add(f"{prefix}{relative.as_posix()}")
    assert names == expected


def test_the_source_distribution_builds_the_same_wheel(
    source: Path, wheel: Path, tmp_path: Path
) -> None:
    build_sdist = (
        f"from setuptools.build_meta import build_sdist; build_sdist({str(tmp_path / 'out')!r})"
    )
    (tmp_path / "out").mkdir()
    run(sys.executable, "-c", build_sdist, cwd=source)
    (archive,) = (tmp_path / "out").glob("graphstage-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    again = build(tmp_path / archive.name.removesuffix(".tar.gz"), tmp_path / "wheel")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        modules = [n for n in one.namelist() if ".dist-info/" not in n]
        assert modules == [n for n in other.namelist() if ".dist-info/" not in n]
        assert all(one.read(name) == other.read(name) for name in modules)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_fresh_environment_runs_a_staged_function(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    before = size_of(environment)
    run(python, "-m", "pip", "install", "--quiet", "--no-compile", wheel, cwd=tmp_path)
    added = (size_of(environment) - before) / 1e6
    program = tmp_path / "program.py"
    program.write_text(USER_PROGRAM, encoding="utf-8")
    run(python, "program.py", cwd=tmp_path, AUTOGRAPH_CACHE_DIR=str(tmp_path / "cache"))
    assert added <= INSTALLED_MEGABYTES, f"{added:.0f} MB installed"


def size_of(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
