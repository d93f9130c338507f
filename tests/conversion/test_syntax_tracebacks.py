"""Tracebacks show the user's frames only."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import pytest

from autograph import errors
from autograph.conversion.syntax import tree as syntax
from autograph.conversion.syntax.build import build
from autograph.conversion.syntax.source import source_of
from autograph.conversion.tracebacks import trimmed, with_user_frames
from autograph.runtime.core.location import Location, user_location

OURS = str(Path(errors.__file__).parent / "operators" / "example.py")


def ours(text: str, **names: Any) -> dict[str, Any]:
    """Run text as if it were a file of this package."""
    exec(compile(text, OURS, "exec"), names)
    return names


CALL = ours(
    "def call(f, *args):\n    return inner(f, *args)\ndef inner(f, *args):\n  return f(*args)"
)


def frames(error: BaseException) -> list[str]:
    return [entry.name for entry in traceback.extract_tb(error.__traceback__)]


def fails(x: int) -> float:
    return x / 0


def through(x: int) -> Any:
    return CALL["call"](fails, x)


def test_our_frames_are_taken_out() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        through(1)
    assert frames(raised.value)[1:] == ["through", "call", "inner", "fails"]
    assert trimmed(raised.value) is raised.value
    assert frames(raised.value) == [
        "test_our_frames_are_taken_out",
        "through",
        "fails",
    ]


def test_all_frames_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAPH_TRACEBACK", "full")
    with pytest.raises(ZeroDivisionError) as raised:
        through(1)
    assert "inner" in frames(trimmed(raised.value))


def test_lines_are_those_of_the_failure() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        through(1)
    before = traceback.extract_tb(raised.value.__traceback__)[-1]
    after = traceback.extract_tb(trimmed(raised.value).__traceback__)[-1]
    assert (after.lineno, after.colno, after.line) == (before.lineno, before.colno, before.line)


def test_chains_and_groups_are_trimmed() -> None:
    def chained() -> None:
        try:
            through(1)
        except ZeroDivisionError as error:
            raise ValueError("outer") from error

    with pytest.raises(ValueError, match="outer") as raised:
        CALL["call"](chained)
    cause = trimmed(raised.value).__cause__
    assert cause is not None and frames(cause) == ["chained", "through", "fails"]
    assert "call" not in frames(raised.value)
    group = ExceptionGroup("several", [cause, raised.value])
    cause.__context__ = group  # a cycle must end
    assert trimmed(group) is group


def test_without_a_traceback() -> None:
    assert trimmed(ValueError("new")).__traceback__ is None


def test_the_body_of_a_staged_statement_is_one_frame_with_its_function() -> None:
    def f(x: int) -> float:
        y = x + 1
        return y / 0

    def change(tree: Any) -> None:
        """As an emitted body: def ag__then_1(): return y / 0, called by an operator."""
        last = tree.body[1]
        names = syntax.arguments_of()
        body = syntax.FunctionDef("ag__then_1", names, [last], [], None, None, [])
        load = syntax.name_load("ag__then_1", last)
        called = syntax.call(syntax.name_load("ag__", last), load, at=last)
        returned = syntax.copy_location(syntax.Return(called), last)
        tree.body[1:] = [syntax.copy_location(body, last), returned]

    source = source_of(f)
    change(source.tree)
    made = build(source.function, source.tree, CALL["call"])
    with pytest.raises(ZeroDivisionError) as raised:
        made(1)
    assert frames(raised.value)[1:] == ["f", "call", "inner", "f"]
    assert frames(trimmed(raised.value))[1:] == ["f"]


def located() -> Location:
    here = user_location()
    assert here is not None
    return here


def test_a_frame_is_made_for_a_location() -> None:
    place = located()
    with pytest.raises(KeyError) as raised:
        raise with_user_frames(KeyError("k"), place)
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == (__file__, place.line, "located")
    assert last.line == "here = user_location()"
    shown = "".join(traceback.format_exception(raised.value))
    assert shown.endswith(
        f'  File "{__file__}", line {place.line}, in located\n'
        "    here = user_location()\n"
        "KeyError: 'k'\n"
    )
    assert "^" not in shown.rpartition("in located")[2]


def test_a_made_frame_keeps_traceback_and_context() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        through(1)
    error = raised.value
    try:
        raise RuntimeError("being handled")
    except RuntimeError:
        with_user_frames(error, located())
    assert frames(error)[-2:] == ["fails", "located"]
    assert error.__context__ is None
    assert frames(trimmed(error))[-3:] == ["through", "fails", "located"]


def test_no_location_changes_nothing() -> None:
    error = ValueError("v")
    assert with_user_frames(error, None) is error
    assert error.__traceback__ is None
