"""What `show` makes beside texts: a diff, pictures, a page; and the arguments it traces with."""

from __future__ import annotations

import html.parser
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
from autograph.show import ShowError, show
from autograph.showing.dot import dot
from autograph.showing.mermaid import mermaid
from autograph.showing.page import page

Golden = Callable[[str, str], None]
MODEL = '''\
import autograph as ag


def helper(x):
    # halves, "quoted" <and> marked & so on
    return x / 2 if x > 0 else -x


@ag.function
def collatz(n):
    """Steps to one."""
    steps = 0
    while n != 1:  # turns
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@ag.function
def calls(x, scale=2.0, *, name="a"):
    y = helper(x) * scale
    if y > 100:
        raise ValueError(f"{name!r} is too large")
    return y


@ag.function
def factorial(n):
    def go(k):
        return 1 if k <= 1 else k * go(k - 1)
    return go(n)


@ag.function
def annotated(x: ag.TensorSpec((None, 3)), k: "i64[]", scale: float = 2.0):
    return x * scale + k


def plain(x: "f32[n,n]"):
    return x + 1


class Model:
    def __init__(self):
        self.weight = ag.ones((3,))

    @ag.function
    def step(self, x):
        return x * self.weight


model = Model()
'''


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("model", "model_shown"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    path = tmp_path / "model.py"
    path.write_text(MODEL, encoding="utf-8")
    return lambda function: f"{path}:{function}"


# arguments ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "arguments", "head"),
    [
        ("collatz", "i64[]", "def collatz(n: i64):"),
        ("collatz", "i32", "def collatz(n: i32):"),
        ("calls", "f32[], 3.5", "def calls(x: f32):"),
        ("calls", "f64[], scale=f64[], name='b'", "def calls(x: f64, scale: f64):"),
        ("annotated", None, "def annotated(x: f32[n0_0,3], k: i64):"),
        ("plain", None, "def plain(x: f32[n0_0,n0_1]):"),
        ("plain", "f32[n]", "def plain(x: f32[n0_0]):"),
        ("plain", "f32[0]", "def plain(x: f32[0]):"),
        ("Model.step", "Model(), f32[3]", "def step(x: f32[3], weight: f32[3]):"),
        ("model.step", "f32[3]", "def step(x: f32[3], weight: f32[3]):"),
        ("plain", "ag.ones((2, 2))", "def plain(x: f32[2,2]):"),
    ],
)
def test_arguments(
    target: Callable[[str], str], function: str, arguments: str | None, head: str
) -> None:
    assert show(target(function), "graph", arguments).split("\n")[0] == head


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("collatz", "", "missing a required argument: 'n'; its parameters are collatz(n)"),
        ("collatz", "i64[], 3", "too many positional arguments"),
        ("collatz", "i64[", "'i64[' is no list of arguments"),
        ("collatz", "float32[3]", "no list of arguments|is not defined; a tensor is written like"),
        ("collatz", "i64['a']", "\"i64['a']\" is no tensor; write it like f32[3,2]"),
        ("collatz", None, "was not called while its module was loaded"),
    ],
)
def test_arguments_that_do_not_fit(
    target: Callable[[str], str], function: str, arguments: str | None, message: str
) -> None:
    with pytest.raises(ShowError, match="|".join(map(re.escape, message.split("|")))):
        show(target(function), "graph", arguments)


# a diff -------------------------------------------------------------------------------------------
def test_diff(target: Callable[[str], str], golden: Golden, tmp_path: Path) -> None:
    text = show(target("collatz"), "diff").replace(str(tmp_path), "…")
    golden("shown/collatz.diff", text)
    before = [line[1:] for line in text.split("\n")[3:] if line[:1] in (" ", "-")]
    assert "\n".join(before) in MODEL.replace("@ag.function\n", "")


# pictures -----------------------------------------------------------------------------------------
def graph_of(name: str, tmp_path: Path) -> Any:
    path = tmp_path / "drawn.py"
    path.write_text(MODEL, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "drawn"}
    exec(compile(MODEL, str(path), "exec"), names)
    return names[name].concrete(ag.asarray(27) if name != "calls" else ag.asarray(2.0)).graph


@pytest.mark.parametrize("name", ["collatz", "calls", "factorial"])
def test_dot(name: str, golden: Golden, tmp_path: Path) -> None:
    text = dot(graph_of(name, tmp_path))
    golden(f"shown/{name}.dot", text)
    known = set(re.findall(r"^ *(box\d+) \[label", text, re.MULTILINE))
    arrows = re.findall(r"^ *(box\d+) -> (box\d+)", text, re.MULTILINE)
    assert arrows and all(start in known and end in known for start, end in arrows)
    program = shutil.which("dot")
    if program is not None:
        ran = subprocess.run([program, "-Tsvg"], input=text, capture_output=True, text=True)
        assert ran.returncode == 0 and not ran.stderr and "</svg>" in ran.stdout


@pytest.mark.parametrize("name", ["collatz", "calls", "factorial"])
def test_mermaid(name: str, golden: Golden, tmp_path: Path) -> None:
    text = mermaid(graph_of(name, tmp_path))
    golden(f"shown/{name}.mmd", text)
    label = r'"[^"<>]*(<br/>[^"<>]*)*"'
    shapes = [(r"\(\[", r"\]\)"), (r"\[", r"\]"), (r"\{\{", r"\}\}"), (r"\[\[", r"\]\]")]
    shapes.append((r"\[/", r"/\]"))
    boxes = "|".join(f"{opening}{label}{closing}" for opening, closing in shapes)
    grammar = [
        r"flowchart TD",
        rf" +box\d+({boxes})",
        rf" +subgraph group\d+\[{label}\]",
        r" +end",
        rf" +box\d+ (-->|-\.->)(\|{label}\|)? box\d+",
        r" +classDef \w+ fill:#\w+,stroke:#\w+,color:#\w+",
        r" +class box\d+(,box\d+)* \w+",
    ]
    lines = text.rstrip("\n").split("\n")
    for line in lines:
        assert any(re.fullmatch(one, line) for one in grammar), line
    depth = 0
    for line in lines:
        depth += line.strip().startswith("subgraph") - (line.strip() == "end")
        assert depth >= 0
    assert depth == 0


# the page -----------------------------------------------------------------------------------------
VOID = {"meta", "input", "br"}


class Reader(html.parser.HTMLParser):
    """The elements of a page: that they nest, what they refer to, the text of each panel."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.identities: list[str] = []
        self.classes: list[str] = []
        self.references: list[str] = []
        self.lines: dict[str, list[str]] = {}
        self.panel = ""
        self.in_code = False

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        found = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in found:
            self.identities.append(found["id"])
        self.classes += (found.get("class") or "").split()
        self.references += [found[key] for key in ("href", "src", "action") if key in found]
        if tag == "section":
            self.panel = found["id"]
            self.lines[self.panel] = []
        self.in_code = tag == "code" or (self.in_code and tag == "span")
        if tag == "code" and self.panel:
            self.lines[self.panel].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.in_code = self.in_code and tag != "code"

    def handle_data(self, data: str) -> None:
        if self.in_code and self.panel:
            self.lines[self.panel][-1] += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open
    return reader


@pytest.fixture
def shown(target: Callable[[str], str]) -> str:
    return show(target("calls"), "html", "f32[]")


def test_the_page_stands_alone(shown: str) -> None:
    reader = read(shown)
    assert all(one.startswith("#") for one in reader.references)
    assert "://" not in shown and "@import" not in shown and "url(" not in shown
    assert len(reader.identities) == len(set(reader.identities))


def test_the_page_holds_the_texts(shown: str, tmp_path: Path) -> None:
    lines = read(shown).lines
    user = "\n".join(lines["source"])
    assert MODEL[MODEL.index("@ag.function\ndef calls") :].split("\n\n\n")[0] in user
    assert '    # halves, "quoted" <and> marked & so on' in lines["source"]
    assert 'def calls(x, scale=2.0, *, name="a"):' in lines["converted"]
    assert "def helper(x):" in lines["converted"]
    compile("\n".join(lines["graph"]), "<graph>", "exec")
    compile("\n".join(lines["program"]), "<program>", "exec")


def test_lines_are_linked(shown: str) -> None:
    reader = read(shown)
    places = {one for one in reader.classes if re.fullmatch(r"f\d+-\d+", one)}
    assert places <= set(reader.identities)
    number = MODEL.split("\n").index("    y = helper(x) * scale") + 1
    assert shown.count(f'class="line f0-{number}"') >= 4  # in each panel
    assert f"body:has(.f0-{number}:hover) .f0-{number}" in shown
    assert re.findall(r'"badge">if v\d+ is ([^<]*)', shown) == ["False", "True"] * 2


def test_a_page_of_every_program_of_a_kind(tmp_path: Path) -> None:
    for name in ("collatz", "factorial"):
        graph = graph_of(name, tmp_path)
        path = tmp_path / "drawn.py"
        names: dict[str, Any] = {"__name__": "drawn"}
        exec(compile(MODEL, str(path), "exec"), names)
        staged = names[name]
        reader = read(page(staged.python_function, graph, staged.program(ag.asarray(27))))
        assert all(reader.lines.values())


BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_in_a_browser(shown: str, tmp_path: Path) -> None:
    number = MODEL.split("\n").index("    y = helper(x) * scale") + 1
    clicks = f"""
    const found = [];
    const lit = () => [...document.querySelectorAll(".line")].filter(
        (one) => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)").length;
    const all = document.querySelectorAll(".f0-{number}").length;
    const fold = document.querySelector("#graph details");
    document.querySelector("#f0-{number}").click();
    setTimeout(() => {{
      found.push(location.hash, lit() === all, all > 3);
      fold.querySelector("summary").click();
      found.push(fold.open);
      dispatchEvent(new HashChangeEvent("hashchange"));
      found.push(fold.open);
      document.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Escape" }}));
      found.push(location.hash, lit());
      document.title = found.join(" ");
    }}, 50);
    """
    path = tmp_path / "page.html"
    path.write_text(shown.replace("</body>", f"<script>{clicks}</script></body>"))
    command = [str(BROWSER), *QUIET, f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--virtual-time-budget=3000", "--dump-dom", path.as_uri()]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    title = re.search(r"<title>(.*)</title>", ran.stdout)
    assert title is not None and title[1].split(" ") == [
        *(f"#f0-{number}", "true", "true", "false", "true", "", "0")
    ]


# at a prompt --------------------------------------------------------------------------------------
def test_in_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / "drawn.py"
    path.write_text(MODEL, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "drawn"}
    exec(compile(MODEL, str(path), "exec"), names)
    staged = names["calls"]
    read(staged._repr_html_())
    assert "graph</summary>" not in staged._repr_html_()
    staged.concrete(ag.asarray(1.0))
    text = staged._repr_html_()
    read(text)
    assert "source</summary>" in text and "graph</summary>" in text and "1 trace" in text
    assert "converted</summary>" in text and "# Expressions stand as written" in text
    path.unlink()
    read(names["collatz"]._repr_html_())
    read(names["Model"]().step._repr_html_())


def test_repr(tmp_path: Path) -> None:
    path = tmp_path / "drawn.py"
    path.write_text(MODEL, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "drawn"}
    exec(compile(MODEL, str(path), "exec"), names)
    line = MODEL.split("\n").index('def calls(x, scale=2.0, *, name="a"):')
    staged = names["calls"]
    signature = "calls(x, scale=2.0, *, name='a')"
    assert repr(staged) == f"<staged function {signature} of drawn.py:{line}>"
    before = repr(staged)
    staged.concrete(ag.asarray(1.0))
    assert repr(staged) == before  # it may be printed by a program
    assert repr(names["model"].step).startswith("<bound <staged function Model.step(self, x) of ")
