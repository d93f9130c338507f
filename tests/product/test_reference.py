"""Every public name stands on a page of the reference, with a docstring."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph as ag

CONF = Path(__file__).resolve().parents[2] / "docs" / "conf.py"


def load_conf() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_conf", CONF)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_documented_by_name(value: Any) -> bool:
    return inspect.isroutine(value) or (inspect.isclass(value) and value.__module__ != "numpy")


def test_every_public_name_is_on_a_page() -> None:
    text = "\n".join(load_conf().pages().values())
    missing = [
        name
        for name in ag.__all__
        if is_documented_by_name(getattr(ag, name)) and f"\n## ag.{name}\n" not in text
    ]
    assert not missing


@pytest.mark.parametrize("room", ["nn", "linalg", "fft", "special"])
def test_every_name_of_a_module_is_on_its_page(room: str) -> None:
    text = "\n".join(load_conf().pages().values())
    missing = [n for n in getattr(ag, room).__all__ if f"\n## ag.{room}.{n}\n" not in text]
    assert not missing


def test_every_name_has_a_docstring() -> None:
    rooms = [ag, ag.nn, ag.linalg, ag.fft, ag.special]
    empty = [
        f"{room.__name__}.{name}"
        for room in rooms
        for name in room.__all__
        if is_documented_by_name(getattr(room, name)) and not inspect.getdoc(getattr(room, name))
    ]
    assert not empty
