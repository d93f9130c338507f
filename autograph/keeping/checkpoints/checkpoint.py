"""Checkpoint: the state of named objects, kept on disk and put back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from autograph.keeping import storage, tensors
from autograph.keeping.checkpoints import kept
from autograph.keeping.checkpoints.matching import Matcher
from autograph.keeping.checkpoints.objects import graph_of
from autograph.keeping.checkpoints.pending import wait_for
from autograph.keeping.checkpoints.restoring import carry_out
from autograph.keeping.checkpoints.status import RestoreStatus, differences
from autograph.keeping.errors import DamagedError, KeepingError, MismatchError
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.state import STATE

FORMAT = storage.Format("checkpoint.json", "graphstage checkpoint", 1)
_TENSORS = "tensors.safetensors"

PathLike = str | os.PathLike[str]


class Checkpoint:
    """The state of the objects that are given by name: `Checkpoint(model=model, optimizer=adam)`.

    Kept are the Variables in their attributes, lists, tuples and dicts, at any depth, shared and in
    cycles, and plain Python values beside them: numbers, strings, None, and lists, tuples and dicts
    of these. They are found again by the names on the way from the objects given here: neither the
    names of Variables nor the order in which they were made counts. The objects are attributes:
    with `Checkpoint(model=model, epoch=0)`, `checkpoint.epoch` is kept, too.
    """

    def __init__(self, **objects: Any) -> None:
        if not objects:
            raise TypeError(
                "Checkpoint needs the objects to keep, by name: Checkpoint(model=model)"
            )
        taken = [name for name in objects if hasattr(type(self), name)]
        if taken:
            raise ValueError(f"Checkpoint has a method {taken[0]!r}: use another name")
        self.__dict__.update(objects)

    def save(self, path: PathLike) -> Path:
        """Write the state as the folder `path`, which is replaced as a whole or not at all.

        KeepingError where it cannot be written, or something cannot be kept.
        """
        return save_with(self, Path(path), {})

    def restore(
        self, path: PathLike, *, partial: bool = False, deferred: bool = False
    ) -> RestoreStatus:
        """Give the objects the state in the folder `path`: all of it, or, with an error, nothing.

        Where the Variables of the two sides differ, MismatchError names each difference; `partial`
        restores what fits. With `deferred` the Variables that no object has yet get their values
        when they are made: when a Module is given an attribute, or at `status.update()`.
        DamagedError where the folder is not as it was written.
        """
        _refuse_staged("restore")
        contents, arrays = read(Path(path))
        matcher = Matcher(kept.read(contents.get("objects"), arrays))
        plan = matcher.match(self, matcher.root)
        status = RestoreStatus(str(path))
        status.take(plan)
        unmatched = [one.path for one in matcher.unmatched()]
        if deferred:
            status.waiting = unmatched
        else:
            status.unexpected = unmatched
        if not partial and (plan.missing or plan.mismatched or status.unexpected):
            raise _refusal(status)
        carry_out(plan)
        if status.waiting:
            wait_for(matcher, status)
        return status

    def __repr__(self) -> str:
        return f"Checkpoint({', '.join(self.__dict__)})"


def save_with(checkpoint: Checkpoint, path: Path, notes: dict[str, Any]) -> Path:
    """Write a checkpoint, with notes beside its objects."""
    _refuse_staged("save")
    try:
        objects, arrays = kept.written(graph_of(checkpoint))
    except RecursionError as error:
        raise KeepingError(f"cannot write {path}: values are nested too deep") from error
    if not arrays and not any("values" in one for one in objects):
        raise KeepingError(f"{checkpoint!r} has no Variable to keep")
    data = {_TENSORS: tensors.encode(arrays)}
    storage.write(path, FORMAT, {**notes, "objects": objects}, data)
    return path


def read(path: Path) -> tuple[storage.Json, tensors.Arrays]:
    """What a checkpoint's JSON says, and its tensors."""
    contents, data = storage.read(path, FORMAT)
    if _TENSORS not in data:
        raise DamagedError(f"{path} is damaged: it has no tensors")
    return contents, tensors.decode(data[_TENSORS], str(path))


def _refuse_staged(what: str) -> None:
    if STATE.interpreter is not None:
        raise StagingError(
            f"Checkpoint.{what} is called in a staged function, where Variables have no values yet",
            remedy=f"call {what} outside of it",
        )


def _refusal(status: RestoreStatus) -> MismatchError:
    ways = ["`restore(path, partial=True)` takes what fits and leaves the rest as it is"]
    if status.unexpected:
        ways.append(
            "`restore(path, deferred=True)` gives values to Variables that are made later, too"
        )
    return MismatchError(
        f"{status.path} does not fit the objects it is restored into; nothing was restored",
        differences(status),
        "; ".join(ways),
    )
