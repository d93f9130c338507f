"""CheckpointManager: the checkpoints of a training run, the last ones and the best."""

from __future__ import annotations

import math
import operator
import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autograph.keeping.checkpoints.checkpoint import FORMAT, Checkpoint, PathLike, save_with
from autograph.keeping.checkpoints.status import RestoreStatus
from autograph.keeping.errors import DamagedError, KeepingError
from autograph.keeping.storage import read_manifest
from autograph.keeping.values import from_json, to_json

_NAME = re.compile(r"step-(\d{8,})")
_DROPPED = ".dropped-"


@dataclass(frozen=True, slots=True)
class _Saved:
    step: int
    path: Path
    metric: float | None
    fault: KeepingError | None = None
    """Why its metric cannot be read."""


class CheckpointManager:
    """Keeps the last `keep` checkpoints in a folder, and the `keep_best` best by their metric.

    Which they are is read from the folder, so that a run that was ended goes on where it stopped:

        manager = ag.CheckpointManager(ag.Checkpoint(model=model, optimizer=adam), "runs/first")
        manager.restore()                      # the last one, where there is one
        manager.save(step, metric=accuracy)

    The metric is better the higher it is, or with `best="lowest"` the lower; NaN is never best. A
    checkpoint in it that was damaged stands in no other's way: what is asked of that one raises.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        folder: PathLike,
        keep: int = 5,
        keep_best: int = 1,
        best: Literal["highest", "lowest"] = "highest",
    ) -> None:
        if keep < 1 or keep_best < 0:
            raise ValueError(
                f"keep is at least 1 and keep_best at least 0, not {keep}, {keep_best}"
            )
        if best not in ("highest", "lowest"):
            raise ValueError(f"best is 'highest' or 'lowest', not {best!r}")
        self.checkpoint = checkpoint
        self.folder = Path(folder)
        self.keep = keep
        self.keep_best = keep_best
        self._sign = 1.0 if best == "highest" else -1.0

    def save(self, step: Any = None, metric: Any = None) -> Path:
        """Write a checkpoint, then drop those that are neither among the last nor the best.

        `step` is a whole number above that of the last one; without it, one more.
        """
        saved = self._saved()
        last = saved[-1].step if saved else -1
        number = last + 1 if step is None else operator.index(step)
        if number <= last:
            raise KeepingError(
                f"step {number} does not follow {last}, the last one in {self.folder}"
            )
        measured = None if metric is None else float(metric)
        path = self.folder / f"step-{number:08d}"
        notes = {"step": number, "metric": to_json(measured)}
        save_with(self.checkpoint, path, notes)
        self._drop([*saved, _Saved(number, path, measured)])
        return path

    def restore(self, **options: Any) -> RestoreStatus | None:
        """Restore the last checkpoint; None where there is none. See Checkpoint.restore."""
        return self._restore(self.latest, options)

    def restore_best(self, **options: Any) -> RestoreStatus | None:
        """Restore the best checkpoint; None where none has a metric."""
        return self._restore(self.best, options)

    def _restore(self, path: Path | None, options: dict[str, Any]) -> RestoreStatus | None:
        return None if path is None else self.checkpoint.restore(path, **options)

    @property
    def checkpoints(self) -> list[Path]:
        """Every checkpoint that is kept, the first one first."""
        return [one.path for one in self._saved()]

    @property
    def latest(self) -> Path | None:
        """The last checkpoint."""
        return next((one.path for one in reversed(self._saved())), None)

    @property
    def best(self) -> Path | None:
        """The checkpoint with the best metric; of equal ones the first.

        DamagedError where one of them is damaged, so that nobody knows its metric.
        """
        saved = self._saved()
        for one in saved:
            if one.fault is not None:
                raise one.fault
        return next((one.path for one in self._ranked(saved)), None)

    def _saved(self) -> list[_Saved]:
        """What is in the folder, in order of the steps. What was cut off while written is not."""
        if not self.folder.is_dir():
            return []
        found = []
        for path in self.folder.iterdir():
            name = _NAME.fullmatch(path.name)
            if name and (path / FORMAT.manifest).exists():
                found.append(_found(int(name[1]), path))
        return sorted(found, key=lambda one: one.step)

    def _ranked(self, saved: list[_Saved]) -> list[_Saved]:
        """Those with a metric, the best first."""
        measured = [one for one in saved if one.metric is not None and not math.isnan(one.metric)]
        return sorted(measured, key=lambda one: -self._sign * (one.metric or 0.0))

    def _drop(self, saved: list[_Saved]) -> None:
        """Remove what is not to be kept: first by name, so that no half of it is ever found."""
        kept = {one.step for one in saved[-self.keep :]}
        kept |= {one.step for one in self._ranked(saved)[: self.keep_best]}
        for one in saved:
            if one.step not in kept:
                one.path.rename(self.folder / f"{_DROPPED}{one.path.name}-{secrets.token_hex(4)}")
        for path in self.folder.iterdir():
            if path.name.startswith(_DROPPED):
                shutil.rmtree(path, ignore_errors=True)

    def __repr__(self) -> str:
        return f"CheckpointManager({self.checkpoint!r}, {str(self.folder)!r})"


def _found(step: int, path: Path) -> _Saved:
    try:
        metric = from_json(read_manifest(path, FORMAT).get("metric"))
        if metric is not None and type(metric) is not float:
            raise DamagedError(f"{path} is damaged: {metric!r} is no metric")
        return _Saved(step, path, metric)
    except KeepingError as fault:
        return _Saved(step, path, None, fault)
