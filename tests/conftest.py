"""What every test shares: one private compile cache, repeatable random examples, golden files."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

# One BLAS thread: the suite already runs one process a core, and sums keep one order. Tests, and
# so NumPy, are imported after this file.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

_CACHE = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the tests print into their golden files, instead of comparing",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Point the compile cache at a fresh folder, before any test imports the project.

    The workers of a parallel run inherit the environment of the process that started them, so
    that they share one folder, as several processes of one user do.
    """
    if not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="autograph-test-cache-")
        config.stash[_CACHE] = folder
        os.environ["AUTOGRAPH_CACHE_DIR"] = folder


def pytest_collection_finish() -> None:
    """Look for cycles less often: tracing makes many objects and few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_CACHE, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True, scope="session")
def programs_looked_at() -> None:
    """Programs are looked at for names without a value, and stand beside evaluated graphs."""
    from tests.harness import program_names, run_beside

    program_names.install()
    run_beside.install()


@pytest.fixture(scope="module")
def small_heap() -> Iterator[None]:
    """What earlier tests have left is not gone over by each `gc.collect()` of a module's tests."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: `text` must equal the file `tests/golden/<name>`.

    With --update-golden the file is written, and the difference is for the reviewer to read.
    """
    folder = Path(__file__).parent / "golden"
    update = request.config.getoption("--update-golden")

    def check(name: str, text: str) -> None:
        path = folder / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"{path} is missing: run pytest --update-golden and read what it wrote")
        assert text == path.read_text(encoding="utf-8")

    return check
