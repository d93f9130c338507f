"""The guide's code runs, and prints what the pages say."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.harness.guide_pages import PAGES, run


@pytest.mark.compiled
@pytest.mark.parametrize("path", PAGES, ids=[one.stem for one in PAGES])
def test_a_page_runs(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = run(path, tmp_path)
    if request.config.getoption("--update-golden"):
        path.write_text(page, encoding="utf-8")
    assert page == path.read_text(encoding="utf-8")
