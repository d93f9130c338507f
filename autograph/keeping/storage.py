"""Folders that are replaced as a whole: data files named by their contents, one JSON names them.

The JSON file is written last, and put in place by a rename: until then the folder is what it was,
whatever happens, and from then on it is the new one. What the old one alone used is then removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from autograph.keeping.errors import DamagedError, KeepingError, NewerVersionError

Json = dict[str, Any]

_DATA = re.compile(r"([a-z]+)[0-9]*-[0-9a-f]{16}\.(safetensors|txt)")
_UNFINISHED = re.compile(r"\.[a-z0-9.-]+\.[0-9a-f]{8}\.unfinished")


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of folder: the name of its JSON file, what that says it is, and the version."""

    manifest: str
    name: str
    version: int


def write(folder: Path, form: Format, contents: Json, data: Mapping[str, bytes]) -> None:
    """Make `folder` hold this. On an exception it holds what it held before.

    `data` maps what the contents call a file, with its suffix (`tensors.safetensors`), to bytes.
    KeepingError where it cannot be written.
    """
    files = {name: _described(name, held) for name, held in data.items()}
    whole = {"format": form.name, "version": form.version, "files": files, **contents}
    try:
        whole["sha256"] = _digest(whole)
        manifest = _text(whole).encode()
    except (ValueError, RecursionError) as error:  # a huge int, half a character, deep lists
        raise KeepingError(f"cannot write {folder}: {error}") from error
    try:
        _make(folder)
        with _alone(folder):
            _write(folder, form, files, data, manifest)
    except OSError as error:
        reason = error.strerror or str(error)
        raise KeepingError(f"cannot write {folder}: {reason}") from error


def _write(
    folder: Path, form: Format, files: Json, data: Mapping[str, bytes], manifest: bytes
) -> None:
    known = _used(folder, form)
    made = []
    try:
        for name, held in data.items():
            path = folder / files[name]["file"]
            if path.name not in known:
                made.append(path)
            put(path, held)
        put(folder / form.manifest, manifest)
    except BaseException:
        needed = _used(folder, form)  # the new ones, where only the last step failed
        for path in made:
            if path.name not in needed:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
        raise
    _clean(folder, {one["file"] for one in files.values()})


def read(folder: Path, form: Format) -> tuple[Json, dict[str, bytes]]:
    """The contents and the data of a folder, as they were given to `write`.

    KeepingError where there is none, DamagedError where it is not as it was written,
    NewerVersionError where this version cannot read it.
    """
    contents = read_manifest(folder, form)
    try:
        return contents, _data(folder, contents)
    except DamagedError:
        again = read_manifest(folder, form)
        if again["sha256"] == contents["sha256"]:
            raise
        return again, _data(folder, again)  # somebody replaced it in the meantime


def read_manifest(folder: Path, form: Format) -> Json:
    """The contents alone; errors as `read`."""
    path = folder / form.manifest
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise KeepingError(f"there is no {form.name} in {folder}") from None
    except OSError as error:
        raise KeepingError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        whole = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"{path} is damaged: {error}") from error
    if not isinstance(whole, dict) or whole.get("format") != form.name:
        raise DamagedError(f"{path} is damaged: it is no {form.name}")
    version = whole.get("version")
    if type(version) is not int or version < 1:
        raise DamagedError(f"{path} is damaged: {version!r} is no version")
    if version > form.version:
        raise NewerVersionError(
            f"{path} has version {version} of the format, and this library reads versions up to "
            f"{form.version}: it was written by a newer one"
        )
    try:
        digest = _digest({k: v for k, v in whole.items() if k != "sha256"})
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"{path} is damaged: {error}") from error
    if whole.get("sha256") != digest:
        raise DamagedError(f"{path} is damaged: its checksum does not fit what it says")
    return whole


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _data(folder: Path, contents: Json) -> dict[str, bytes]:
    files = contents.get("files")
    if not isinstance(files, dict):
        raise DamagedError(f"{folder} is damaged: its files are not named")
    return {name: _read_data(folder, one) for name, one in files.items()}


def _read_data(folder: Path, one: Any) -> bytes:
    name = one.get("file") if isinstance(one, dict) else None
    if not isinstance(name, str) or not _DATA.fullmatch(name):
        raise DamagedError(f"{folder} is damaged: {name!r} is no name of a data file")
    path = folder / name
    try:
        held = path.read_bytes()
    except FileNotFoundError:
        raise DamagedError(f"{path} is missing") from None
    except OSError as error:
        raise KeepingError(f"cannot read {path}: {error.strerror or error}") from error
    if len(held) != one.get("bytes"):
        raise DamagedError(f"{path} has {len(held)} bytes, and was written with {one.get('bytes')}")
    if hashlib.sha256(held).hexdigest() != one.get("sha256"):
        raise DamagedError(f"{path} is damaged: its checksum is not the one it was written with")
    return held


def _described(name: str, held: bytes) -> Json:
    digest = hashlib.sha256(held).hexdigest()
    stem, suffix = name.split(".")
    return {"file": f"{stem}-{digest[:16]}.{suffix}", "bytes": len(held), "sha256": digest}


def _text(contents: Json) -> str:
    """The contents as JSON, the items of a list each on a line of its own."""
    lines = []
    for name, held in contents.items():
        rows = [json.dumps(one, allow_nan=False) for one in held] if type(held) is list else []
        text = "[\n  " + ",\n  ".join(rows) + "\n]" if rows else json.dumps(held, allow_nan=False)
        lines.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _digest(contents: Json) -> str:
    text = json.dumps(contents, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# the file system ----------------------------------------------------------------------------------
def put(path: Path, data: bytes) -> None:
    """Make `path` hold `data`, all of it or nothing, also if the machine stops in between."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.unfinished")
    try:
        with open_new(unfinished) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def open_new(path: Path) -> BinaryIO:
    """A file that does not exist yet, to write to: the one way by which data reaches the disk."""
    return open(path, "xb")


def _sync_folder(folder: Path) -> None:
    """Make the renames in a folder last. Systems that cannot open a folder need it not."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _make(folder: Path) -> None:
    """The folder, with those above it, lasting."""
    if folder.is_dir():
        return
    if folder.exists():
        raise KeepingError(f"cannot write {folder}: it is not a folder")
    _make(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _used(folder: Path, form: Format) -> set[str]:
    """The data files that the folder as it is needs."""
    with contextlib.suppress(KeepingError, AttributeError, KeyError):
        return {one["file"] for one in read_manifest(folder, form)["files"].values()}
    return set()


def _clean(folder: Path, used: set[str]) -> None:
    """Remove what earlier writers left: data called like those in use, and what was cut off."""
    stems = {found[1] for name in used if (found := _DATA.fullmatch(name))}
    for path in folder.iterdir():
        data = _DATA.fullmatch(path.name)
        if (
            data and data[1] in stems or _UNFINISHED.fullmatch(path.name)
        ) and path.name not in used:
            with contextlib.suppress(OSError):
                path.unlink()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process writes to `folder`, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)
