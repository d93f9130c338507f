"""How the documentation is built (`make docs`). The reference is made of the docstrings."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph

project = "graphstage"
author = "The graphstage authors"
version = release = autograph.__version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "graphstage"
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "myst.xref_missing"]
pygments_style = "friendly"
pygments_dark_style = "monokai"

ARRAYS = "Functions of arrays"
GROUPS: dict[str, tuple[str, ...]] = {
    "Staging": tuple(
        "function StagedFunction TensorSpec convert to_code do_not_convert profile py_function "
        "numpy_function pure init_scope StagingError".split()
    ),
    "Derivatives": tuple(
        "grad value_and_grad elementwise_grad vjp jvp hvp jacobian hessian GradientTape "
        "custom_gradient recompute check_gradients".split()
    ),
    "Control flow as functions": tuple(
        "cond switch while_loop fori_loop scan map_fn apply_along_axis".split()
    ),
    "Tensors and Variables": tuple(
        "Tensor Variable from_dlpack set_default_dtype finfo iinfo can_cast isdtype result_type "
        "mgrid ogrid device devices get_num_threads set_num_threads".split()
    ),
    "Keeping": ("Checkpoint", "CheckpointManager", "save", "load", "KeepingError"),
}
"""The pages of the reference, and the names on each; all other functions are of arrays."""

MODULES = {"Layers and training": "nn", "Linear algebra": "linalg", "Fourier transforms": "fft"}
MODULES |= {"Special functions": "special"}
ELSEWHERE = {"errors", "numpy"}
"""Modules that have pages of their own."""


def names_of_arrays() -> list[str]:
    """The public functions of arrays: those that no other page has."""
    grouped = {name for names in GROUPS.values() for name in names}
    functions = [one for one in autograph.__all__ if inspect.isroutine(getattr(autograph, one))]
    return sorted(set(functions) - grouped)


def signature_of(value: Any) -> str:
    """The parameters of a callable as documentation has them: annotations say Any of nearly all."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = [one.replace(annotation=one.empty) for one in found.parameters.values()]
    text = str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return re.sub(r"<class '(\w+)'>", r"\1", text)


def entry(name: str, value: Any, level: int) -> list[str]:
    """A name with its parameters, its docstring, and for a class those of its public members."""
    lines = [f"{'#' * level} {name}", ""]
    if callable(value):
        lines += [f"```py\n{name}{signature_of(value)}\n```", ""]
    lines += [inspect.getdoc(value) or "", ""]
    if inspect.isclass(value) and not issubclass(value, BaseException):
        for member, held in vars(value).items():
            if not member.startswith("_") and (callable(held) or isinstance(held, property)):
                lines += entry(f"{name}.{member}", held, level + 1)
    return lines


def page(title: str, prefix: str, module: ModuleType, names: list[str]) -> str:
    """A page of the reference, in Markdown as the docstrings are."""
    lines = [f"# {title}", ""]
    if module is not autograph:
        lines += [inspect.getdoc(module) or "", ""]
    for name in names:
        lines += entry(f"{prefix}.{name}", getattr(module, name), 2)
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """The text of each page of the reference, by the name of its file."""
    found = {title: page(title, "ag", autograph, list(names)) for title, names in GROUPS.items()}
    found[ARRAYS] = page(ARRAYS, "ag", autograph, names_of_arrays())
    for title, name in MODULES.items():
        module = getattr(autograph, name)
        found[title] = page(title, f"ag.{name}", module, list(module.__all__))
    return {title.lower().replace(" ", "-"): text for title, text in found.items()}


def write_reference(app: Any) -> None:
    """Write the pages of the reference where Sphinx reads its sources."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    """What Sphinx asks of this file."""
    app.connect("builder-inited", write_reference)
