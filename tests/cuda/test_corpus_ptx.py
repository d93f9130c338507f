"""Every program of the corpus becomes PTX for both generations of GPUs (a sweep)."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

import autograph as ag
from autograph.kernels.compile import Engine
from autograph.kernels.cuda import emulator
from autograph.kernels.cuda.launch import reason_against
from autograph.kernels.cuda.machine import SM_80, SM_90, ptx, unresolved
from autograph.kernels.cuda.module import kernel_module
from autograph.kernels.cuda.spread import spread
from tests.harness.corpus_harness import fresh_case
from tests.test_corpus import PROGRAMS

NAMES = [name for name, one in PROGRAMS.items() if not one.refused and not one.slow]


def texts_of(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that the calls of a function of the corpus make."""
    texts: dict[str, None] = {}

    def emulated(text: str) -> Any:
        texts[text] = None
        return emulator.emulated(text)

    monkeypatch.setattr(emulator, "EMULATOR", Engine("emulate", emulated, by_words=False))
    program = PROGRAMS[name]
    world = program.world(lambda function: ag.function(mode="emulate")(function))
    try:
        for case in map(fresh_case, program.cases):
            with contextlib.suppress(Exception):
                world.function(*case.args, **case.kwargs)
    finally:
        program.reset()
    return list(texts)


@pytest.mark.sweep
@pytest.mark.parametrize("name", NAMES)
def test_to_ptx(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in texts_of(name, monkeypatch):
        if reason_against(text) is None:
            module = kernel_module(spread(text))
            for architecture in (SM_80, SM_90):
                assert not unresolved(ptx(module, architecture))
