"""What a terminal shows while a program is compiled."""

from __future__ import annotations

import io
import sys
import time

import pytest

from autograph.kernels import progress as showing


class Terminal(io.StringIO):
    """A stream that is a terminal, or is not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def shown(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, setting: str | None, seconds: float
) -> str:
    stream = Terminal(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(showing, "FIRST_AFTER", 0.05)
    if setting is None:
        monkeypatch.delenv("AUTOGRAPH_PROGRESS", raising=False)
    else:
        monkeypatch.setenv("AUTOGRAPH_PROGRESS", setting)
    with showing.progress("compiling 7 lines"):
        time.sleep(seconds)
    return stream.getvalue()


def test_a_terminal_shows_it_and_is_clean_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, True, None, 0.3)
    assert text.startswith("\rautograph: compiling 7 lines, 0 s") and text.endswith("\r\x1b[K")
    assert text.count("\n") == 0


@pytest.mark.parametrize(
    ("terminal", "setting", "seconds"),
    [(True, None, 0.0), (False, None, 0.3), (True, "0", 0.3)],
    ids=("short", "captured", "switched_off"),
)
def test_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, setting: str | None, seconds: float
) -> None:
    assert shown(monkeypatch, terminal, setting, seconds) == ""


def test_it_can_be_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, False, "1", 0.3)
    assert "compiling 7 lines" in text and text.endswith("\n")


def test_an_error_goes_through_and_the_line_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal(True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(showing, "FIRST_AFTER", 0.05)
    with pytest.raises(KeyboardInterrupt), showing.progress("compiling"):
        time.sleep(0.2)
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("\r\x1b[K")
