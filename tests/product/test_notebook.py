"""What a notebook shows of tensors, and the notebook of the examples, run cell by cell."""

from __future__ import annotations

import ast
import json
import linecache
from pathlib import Path
from typing import Any

import pytest

import autograph as ag

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "tour.ipynb"


def test_what_a_notebook_shows() -> None:
    shown = ag.asarray([[1.5, 2.0], [3.0, -0.25]])._repr_html_()
    assert "<code>Tensor float32 (2, 2)</code> min -0.25, mean 1.5625, max 3" in shown
    assert "<tr><td>1.5</td><td>2</td></tr><tr><td>3</td><td>-0.25</td></tr>" in shown
    long = ag.arange(30)._repr_html_()
    assert long.count("<td>") == 11 and "<td>4</td><td>…</td><td>25</td>" in long
    assert "⋮" in ag.zeros((30, 2))._repr_html_()
    assert "<pre>[[[0. 0.]" in ag.zeros((1, 2, 2))._repr_html_()
    assert "<td>1+2j</td>" in ag.asarray([1 + 2j])._repr_html_()
    assert "Variable float32 ()" in ag.Variable(1.0)._repr_html_()
    assert "(0, 2)" in ag.zeros((0, 2))._repr_html_()

    @ag.function(mode="evaluate")
    def staged(x: Any) -> Any:
        texts.append(x._repr_html_())
        return x

    texts: list[str] = []
    staged(ag.asarray([1.0]))
    assert "staged" in texts[0] or "1" in texts[0]


def code_cells() -> list[str]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def show(text: str, place: int, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does: what its last expression gives is shown."""
    name = f"<cell {place}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if last is None:
        return None
    shown = eval(compile(ast.Expression(last.value), name, "eval"), names)
    html = getattr(shown, "_repr_html_", None)
    return html() if html is not None else repr(shown)


@pytest.mark.compiled
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = [show(text, place, names) for place, text in enumerate(code_cells())]
    pages = [one for one in shown if one is not None and "<" in one]
    assert any("while" in one for one in pages), "the source and the graph of a staged function"
    assert any("<table>" in one for one in pages), "a tensor"
    assert names["losses"][-1] < 0.5 * names["losses"][0]


def test_the_notebook_is_kept_with_its_results() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    outputs = [one for cell in cells for one in cell.get("outputs", ())]
    assert any("image/png" in one.get("data", {}) for one in outputs), "the plot"
    assert not [one for one in outputs if one["output_type"] == "error"]
