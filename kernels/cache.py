"""The cache of compiled code on disk: content-addressed files in a private folder.

A file is named after the hash of the text and of all that decides what it is compiled to. It is
written to the side and renamed, so that processes never see half of one, and begins with the hash
of what follows, so that a damaged one is as good as none. No trouble with the folder is fatal: it
is told once, and code is kept in memory only.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import platform
import stat
import sys
import tempfile
import warnings
from pathlib import Path

FORMAT = 1
DIGEST = 32


class CacheWarning(UserWarning):
    """The cache of compiled code cannot be used: every process compiles for itself."""


def folder() -> Path:
    """Where compiled code is kept: AUTOGRAPH_CACHE_DIR, or `autograph` in the user's cache."""
    chosen = os.environ.get("AUTOGRAPH_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "autograph"


@functools.cache
def _machine() -> str:
    """Versions and the CPU: what the same text compiles differently on."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    return "|".join(
        (
            str(FORMAT),
            *(importlib.metadata.version(name) for name in ("llvmlite", "numpy")),
            platform.python_version(),
            sys.platform,
            platform.machine(),
            llvm.get_host_cpu_name(),
            ",".join(name for name, present in sorted(features.items()) if present),
        )
    )


@functools.cache
def _own_sources(*folders: str) -> str:
    """The sources that decide what a text means, those of some more folders among them."""
    here = Path(__file__).parent
    names = ["symbols.py", "python_numbers.py", "scalar/threefry.py", "library/blas.py"]
    names += [
        "library/draws.py",
        "library/older_draws.py",
        "library/python_draws.py",
        "library/numpy_sorts.py",
        "library/lapack.py",
        "memory.py",
        "scalar/intrinsics.py",
    ]
    paths = [here / name for name in sorted(names)] + sorted((here / "codegen").glob("*.py"))
    for folder in folders:
        paths += sorted((here / folder).glob("*.py"))
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key_of(text: str, *folders: str) -> str:
    """The name of the file for a text; `folders`: those of this package whose functions it calls
    without holding their text."""
    whole = "\0".join((_machine(), _own_sources(*folders), text))
    return hashlib.sha256(whole.encode()).hexdigest()


@functools.cache
def _warn(problem: str) -> None:
    warnings.warn(
        f"compiled code is not kept on disk: {problem}. Set AUTOGRAPH_CACHE_DIR to a folder of "
        "your own that can be written.",
        CacheWarning,
        stacklevel=2,
    )


def _usable() -> Path | None:
    """The folder, made where it is missing; None where it is not safe to load code from it."""
    place = folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = place.stat()
    if hasattr(os, "getuid") and status.st_uid not in (os.getuid(), 0):
        _warn(f"{place} belongs to another user")
        return None
    if stat.S_IMODE(status.st_mode) & 0o022:
        _warn(f"others can write to {place}")
        return None
    return place


def load(key: str) -> bytes | None:
    """What was saved under a key, or None."""
    try:
        place = _usable()
        if place is None:
            return None
        content = (place / key).read_bytes()
    except FileNotFoundError:
        return None
    except (OSError, RuntimeError) as error:
        _warn(str(error))
        return None
    if hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
        return None
    return content[DIGEST:]


def save(key: str, code: bytes) -> None:
    """Keep `code` under a key, in one step."""
    temporary = None
    try:
        place = _usable()
        if place is None:
            return
        with tempfile.NamedTemporaryFile(dir=place, prefix=".", delete=False) as file:
            temporary = file.name
            file.write(hashlib.sha256(code).digest() + code)
        os.replace(temporary, place / key)
    except (OSError, RuntimeError) as error:
        _warn(str(error))
        if temporary is not None:
            try:
                os.unlink(temporary)
            except OSError:
                pass
