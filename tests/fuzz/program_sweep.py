"""Runs random programs eager and staged, and counts what came of them.

    python -m tests.fuzz.program_sweep FIRST LAST [--mode evaluate] [--jobs 2]

prints how many did the same, how many were refused and why, every difference, and the time.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any
from unittest.mock import patch

import numpy as np

import autograph as ag
from autograph.checking.picture import Picture
from autograph.merge.coerce import Coercer
from autograph.operators.containers import sequences
from autograph.runtime.ops.elementwise.numbers import TOO_LARGE
from autograph.values.references import Referring
from tests.fuzz.program_aliases import FIRST_WITH_ALIASES
from tests.fuzz.program_exits import FIRST_WITH_EXITS
from tests.fuzz.program_generator import build, forget, source_of
from tests.fuzz.program_objects import FIRST_WITH_OBJECTS
from tests.harness import program_names
from tests.harness.corpus_harness import EXACT, Observation, Scenario, compare

BATCH = 20
_FIND = Referring.with_found
_GROW = Coercer._grow
_KNOWN = sequences.are_known


def _are_known(noted: list[bool], *given: Any) -> bool:
    """`sequences.are_known`, with its answer noted: such a list holds new tensors by value."""
    noted.append(_KNOWN(*given))
    return noted[-1]


def _grow(noted: list[bool], coercer: Coercer, known: Any, target: Any) -> Any:
    """A list that has a known length on one path only, and holds values from there on."""
    noted.append(bool(known.items))
    return _GROW(coercer, known, target)


@dataclass(frozen=True)
class Verdict:
    """What came of a program: "same", "refused" with the error, or "different" with how.

    Or "admitted", for a difference that docs/limits.md tells of; or "slow".
    """

    kind: str
    text: str = ""
    returned: int = 0
    """How many calls returned a result in plain Python."""

    @property
    def manner(self) -> str:
        """What is alike in programs that fail for one reason."""
        first = self.text.partition("\n")[0]
        if self.kind == "different":
            error = re.search(r"but raised \('(\w+)', ['\"](.{0,40})", first)
            return f"different: {error[1]}: {error[2]}" if error else "different"
        return re.sub(r"\d+", "#", re.sub(r"'[^']*'|<[^>]*>", "_", first))[:110]


def check(source: str, seed: int, mode: str) -> Verdict:
    """Compare staged with eager; calls that raise must change nothing."""
    program = build(source, seed)
    try:
        plain = Scenario(program, "eager")
        ignored: list[object] = []
        try:
            with patch.object(sys, "unraisablehook", ignored.append):
                expected = plain.play(transaction=mode != "converted")
        except MemoryError:  # a list that a loop over it makes longer
            return Verdict("slow", "plain Python does not end")
        expected = [*takewhile(lambda one: one.outcome[0] != "endless", expected)]
        if not expected:
            return Verdict("slow", "plain Python does not end")
        staged = Scenario(program, mode, mutations=dict(plain.mutations))
        by_value: list[bool] = []
        with (
            patch.object(Referring, "with_found", autospec=True, side_effect=_FIND) as looked,
            patch.object(sequences, "are_known", lambda *given: _are_known(by_value, *given)),
            patch.object(Coercer, "_grow", lambda *given: _grow(by_value, *given)),
        ):
            seen = staged.play()
    finally:
        forget(seed)
    for one in (*expected, *seen):
        innermost_line(one)
        if seed >= FIRST_WITH_ALIASES:
            one.picture = which_container(one.picture, {})
    returned = sum(one.outcome[0] == "returned" for one in expected)
    ulps = tolerance(source, mode)
    refusal = refused(expected, seen, ulps)
    if refusal is not None:
        return Verdict("refused", f"{type(refusal).__name__}: {refusal}", returned)
    found = compare(expected, seen, ulps)
    if any(one.outcome[0] == "endless" for one in seen) and only_slow(expected, seen, ulps):
        return Verdict("slow", found or "", returned)
    if found is not None and is_too_large(expected, seen, ulps):
        return Verdict("admitted", found, returned)
    if found is not None and "tape.gradient" in source and zeros_became_nan(expected, seen, ulps):
        return Verdict("admitted", found, returned)
    if found is not None and ignored and only_raised(expected, seen, ulps):
        return Verdict("admitted", found, returned)
    rows = FIRST_WITH_EXITS <= seed < FIRST_WITH_OBJECTS or looked.called or any(by_value)
    if found is not None and rows and only_identity(expected, seen, ulps):
        return Verdict("admitted", found, returned)
    return Verdict("same" if found is None else "different", found or "", returned)


def only_slow(expected: list[Observation], seen: list[Observation], ulps: int) -> bool:
    """Whether nothing differs before the step that was not over in the time that a step has."""
    for before, after in zip(expected, seen, strict=False):
        if after.outcome[0] == "endless":
            return before.outcome[0] != "endless"
        if compare([before], [after], ulps) is not None:
            return False
    return False


def is_too_large(expected: list[Observation], seen: list[Observation], ulps: int) -> bool:
    """Whether the first step that differs says that an int has more than 64 bits.

    That is the admitted difference of staged ints, which docs/limits.md tells of.
    """
    for before, after in zip(expected, seen, strict=False):
        if compare([before], [after], ulps) is not None:
            outcome = after.outcome
            return outcome[0] == "raised" and outcome[1][:2] == ("OverflowError", TOO_LARGE)
    return False


def only_raised(expected: list[Observation], seen: list[Observation], ulps: int) -> bool:
    """Whether the first step that differs raises where plain Python went on.

    That is the admitted difference of generators that are thrown away ("Iterators" in
    docs/limits.md), where plain Python has printed what their `finally` raised.
    """
    for before, after in zip(expected, seen, strict=False):
        if compare([before], [after], ulps) is not None:
            return before.outcome[0] == "returned" and after.outcome[0] == "raised"
    return False


def zeros_became_nan(expected: list[Observation], seen: list[Observation], ulps: int) -> bool:
    """Whether the first step that differs does so by the one admitted difference of gradients.

    Zeros of a path that was not taken may be NaN behind an infinite or NaN factor ("Gradients of
    what did not connect" in docs/limits.md), or zeros where eager code multiplies them by such a
    factor, and adds that to what other paths give. So some result of the step, or some tensor that
    it has written to, is not finite eagerly, or so large that a product on the way may not be, and
    nothing but gradients may be NaN on one side.
    """
    for before, after in zip(expected, seen, strict=False):
        if compare([before], [after], ulps) is None:
            continue
        if before.outcome[0] != "returned" or after.outcome[0] != "returned":
            return False
        wanted, given = arrays_of_result(before), arrays_of_result(after)
        if len(wanted) != len(given) or not (any(map(_is_huge, [*wanted, *_arguments(before)]))):
            return False
        for one, other in zip(wanted[1:], given[1:], strict=True):
            if one.content.shape == other.content.shape:
                lost = np.isfinite(one.content) & np.isnan(other.content)
                lost |= np.isnan(one.content) & np.isfinite(other.content)
                other.content = np.where(lost, one.content, other.content)
        return compare([before], [after], ulps) is None
    return False


def _is_huge(picture: Picture) -> bool:
    """Whether a tensor, or one below, has an element whose square is no finite number."""
    content = picture.content
    if isinstance(content, np.ndarray) and content.dtype.kind == "f":
        most = np.sqrt(np.finfo(content.dtype).max)
        return not bool((np.abs(content) < most).all())
    return any(_is_huge(part) for _, part in picture.parts)


def _arguments(one: Observation) -> list[Picture]:
    return [dict(one.picture.parts)["['args']"]]


def only_identity(expected: list[Observation], seen: list[Observation], ulps: int) -> bool:
    """Whether the first step that differs does so by which tensor is which alone.

    That is the admitted difference of "Elements of a container of staged length" in docs/limits.md,
    of programs that take items out of their containers again, or whose names share objects on one
    path only.
    Later steps change tensors in place, and may differ by what the first has shared.
    """
    for before, after in zip(expected, seen, strict=False):
        if compare([before], [after], ulps) is not None:
            pair = [replace(one, picture=_by_value(one.picture)) for one in (before, after)]
            return compare(pair[:1], pair[1:], ulps) is None
    return False


def _by_value(picture: Picture) -> Picture:
    tensor = isinstance(picture.content, np.ndarray)
    kind = "Tensor" if tensor and picture.kind in ("same", "given") else picture.kind
    parts = tuple((name, _by_value(part)) for name, part in picture.parts)
    return replace(picture, kind=kind, label=None, parts=parts)


def which_container(picture: Picture, labels: dict[int | str, int]) -> Picture:
    """The picture with tensors by their values, and containers numbered without them."""
    label = None
    if isinstance(picture.content, np.ndarray):
        kind = "Tensor" if picture.kind in ("same", "given") else picture.kind
    else:
        kind = picture.kind
        if picture.label is not None:
            label = labels.setdefault(picture.label, len(labels))
    parts = tuple((name, which_container(part, labels)) for name, part in picture.parts)
    return replace(picture, kind=kind, label=label, parts=parts)


def arrays_of_result(one: Observation) -> list[Picture]:
    """The pictures of the value and of each gradient that a program has returned."""
    result = dict(one.picture.parts)["['result']"]
    value, gradients = (part for _, part in result.parts)
    found = [value, *(part for _, part in gradients.parts)]
    return [part for part in found if isinstance(part.content, np.ndarray)]


def innermost_line(one: Observation) -> None:
    """Keep the line that raised: of the calls around it, staged recursion knows the first only."""
    if one.outcome[0] == "raised":
        kind, *told, lines = one.outcome[1]
        # CPython 3.11 runs a store and the load after it as one instruction, on the former's line.
        inexact = kind == "UnboundLocalError"
        last = lines[-1:] if lines and not inexact else type(lines)()
        one.outcome = ("raised", (kind, *told, last), *one.outcome[2:])


def refused(
    expected: list[Observation], seen: list[Observation], ulps: int
) -> ag.StagingError | None:
    """The error with which the staged program was refused, if nothing differed before."""
    for before, after in zip(expected, seen, strict=False):
        if compare([before], [after], ulps) is not None:
            raised = after.outcome[0] == "raised"
            ours = raised and isinstance(after.outcome[2], ag.StagingError)
            return after.outcome[2] if ours else None
    return None


def tolerance(source: str, mode: str) -> int:
    """How many ulps are granted: gradients may add up in another order."""
    return 64 if "tape.gradient" in source else 0 if mode in EXACT else 4


@dataclass
class Survey:
    """What came of many programs."""

    kinds: Counter[str] = field(default_factory=Counter)
    refused: dict[str, list[int]] = field(default_factory=dict)
    different: list[tuple[int, str]] = field(default_factory=list)
    slow: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, seed: int, verdict: Verdict) -> None:
        self.kinds[verdict.kind] += 1
        if verdict.kind == "refused":
            self.refused.setdefault(verdict.manner, []).append(seed)
        if verdict.kind == "slow":
            self.slow.append(seed)
        if verdict.kind == "different":
            self.different.append((seed, verdict.text))

    def merge(self, other: Survey) -> None:
        self.kinds += other.kinds
        for manner, seeds in other.refused.items():
            self.refused.setdefault(manner, []).extend(seeds)
        self.different += other.different
        self.slow += other.slow
        self.seconds += other.seconds

    def __str__(self) -> str:
        total = max(self.kinds.total(), 1)
        lines = [
            f"{total} programs: {self.kinds['same']} the same, {self.kinds['refused']} refused "
            f"({100 * self.kinds['refused'] / total:.1f} %), {self.kinds['admitted']} admitted, "
            f"{len(self.slow)} too slow, {len(self.different)} different; "
            f"{self.seconds / total:.2f} s each"
        ]
        for manner, seeds in sorted(self.refused.items(), key=lambda each: -len(each[1])):
            lines.append(f"{len(seeds):6} {manner}  {seeds[:5]}")
        if self.slow:
            lines.append(f"too slow: {self.slow}")
        for seed, text in self.different:
            lines.append(f"program {seed}: {text[:600]}")
        return "\n".join(lines)


def survey(seeds: Iterable[int], mode: str = "evaluate") -> Survey:
    """Run programs, one after the other."""
    program_names.install()
    found = Survey()
    start = time.perf_counter()
    for seed in seeds:
        try:
            found.add(seed, check(source_of(seed), seed, mode))
        except Exception as error:
            lines = traceback.format_exception(error)
            found.add(seed, Verdict("different", "".join(lines[-4:])))
    gc.collect()
    found.seconds = time.perf_counter() - start
    return found


def start_worker() -> None:
    """Look for cycles less often: tracing makes many objects and few cycles."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.program_sweep")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--mode", default="evaluate")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    seeds = range(options.first, options.last)
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    total = Survey()
    with ProcessPoolExecutor(options.jobs, initializer=start_worker) as pool:
        for number, found in enumerate(pool.map(survey, batches, [options.mode] * len(batches))):
            total.merge(found)
            if found.different or number % 10 == 9:
                print(total if found.different else str(total).partition("\n")[0], flush=True)
    print(total)
    return 1 if total.different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
