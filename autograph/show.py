"""What a function becomes, as text: its converted source, graph, program, pictures, a page."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Literal, get_args

import autograph
from autograph.call.decorated import BoundFunction, plain_function
from autograph.call.function import StagedFunction
from autograph.conversion.syntax.source import source_of
from autograph.showing.arguments import (
    Sample,
    SampleError,
    annotated_samples,
    check_sample,
    read_samples,
)
from autograph.showing.dot import dot
from autograph.showing.mermaid import mermaid
from autograph.showing.page import page

Form = Literal["source", "raw", "diff", "graph", "dot", "mermaid", "html", "program"]
FORMS: tuple[Form, ...] = get_args(Form)
HOOK = "example_arguments"


class ShowError(Exception):
    """A target cannot be shown: there is no such file, module, function or trace."""


def show(target: str, form: Form = "source", arguments: str | None = None) -> str:
    """The text of what `target` becomes.

    `target` is `MODULE:FUNCTION` or `FILE.py:FUNCTION`, the function with its class if it has one.
    `arguments` are those to trace it with, as in `f32[3,2], scale=2.0`. Raises ShowError if there
    is no such target, or nothing to trace it with; StagingError if it cannot be staged.
    """
    place, separator, path = target.rpartition(":")
    if not separator or not place or not path:
        raise ShowError(f"{target!r} is not of the form MODULE:FUNCTION or FILE.py:FUNCTION")
    module = _load(place)
    found = _find(module, path)
    if form in ("source", "raw"):
        return str(autograph.to_code(found, raw=form == "raw"))
    if form == "diff":
        return _difference(found, target)
    staged, sample = _traced(module, found, path, arguments)
    concrete = staged.concrete(*sample.args, **sample.keywords)
    if form == "graph":
        return str(staged.graph(*sample.args, **sample.keywords))
    if form == "program":
        return str(staged.program(*sample.args, **sample.keywords))
    if form == "html":
        program = staged.program(*sample.args, **sample.keywords)
        return page(staged.python_function, concrete.graph, program)
    return dot(concrete.graph) if form == "dot" else mermaid(concrete.graph)


# finding ------------------------------------------------------------------------------------------
def _load(place: str) -> ModuleType:
    """The module of a dotted name, or of a file, which runs under another name than `__main__`."""
    if not place.endswith(".py"):
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            # A module that is missing further inside is the user's own failure.
            if error.name is None or not f"{place}.".startswith(f"{error.name}."):
                raise
            raise ShowError(f"there is no module {place!r}") from None
    if not os.path.isfile(place):
        raise ShowError(f"there is no file {place!r}")
    name = os.path.splitext(os.path.basename(place))[0]
    if name in sys.modules:
        name += "_shown"
    spec = importlib.util.spec_from_file_location(name, os.path.abspath(place))
    if spec is None or spec.loader is None:
        raise ShowError(f"{place!r} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # As for a script, modules beside the file can be imported from it.
    sys.path.insert(0, os.path.dirname(os.path.abspath(place)))
    spec.loader.exec_module(module)
    return module


def _find(module: ModuleType, path: str) -> Any:
    """The attribute of a module at a dotted path."""
    found: Any = module
    done: list[str] = []
    for name in path.split("."):
        if not hasattr(found, name):
            owner = ".".join([module.__name__, *done])
            raise ShowError(f"{owner!r} has no attribute {name!r}")
        found = getattr(found, name)
        done.append(name)
    if not callable(found):
        raise ShowError(f"{path!r} is not a function but of type {type(found).__name__!r}")
    return found


# comparing ----------------------------------------------------------------------------------------
def _difference(found: Any, target: str) -> str:
    """The user's source and the converted one, as a unified diff of the whole function."""
    plain = plain_function(getattr(found, "python_function", found)).function
    source = source_of(plain)
    lines = source.text.splitlines(True)[source.tree.lineno - source.first_line :]
    margin = len(lines[0]) - len(lines[0].lstrip())
    before = [line[margin:] if not line[:margin].strip() else line for line in lines]
    after = autograph.to_code(plain).splitlines(True)
    names = (target, f"{target} (converted)")
    return "".join(difflib.unified_diff(before, after, *names, n=len(lines) + len(after)))


# tracing ------------------------------------------------------------------------------------------
def _traced(
    module: ModuleType, found: Any, path: str, arguments: str | None
) -> tuple[StagedFunction | BoundFunction, Sample]:
    """The staged function and arguments to look at it with; no arguments stand for the last trace.

    They are, in this order: those given, those of the module's hook, those of the last call made
    while the module was loaded, those that annotations tell, or none where none are needed.
    """
    is_staged = isinstance(found, StagedFunction | BoundFunction)
    staged = found if is_staged else autograph.function(found)
    function: Callable[..., Any] = staged.python_function
    names = {"ag": autograph, **vars(module)}
    try:
        samples = _samples(module, function, path, arguments, names, staged)
        for sample in samples:
            check_sample(function, sample)
    except SampleError as error:
        raise ShowError(f"the arguments for {path!r}: {error}") from None
    for sample in samples:
        staged.concrete(*sample.args, **sample.keywords)
    return staged, samples[-1] if samples else Sample()


def _samples(
    module: ModuleType,
    function: Callable[..., Any],
    path: str,
    arguments: str | None,
    names: dict[str, Any],
    staged: StagedFunction | BoundFunction,
) -> list[Sample]:
    if arguments is not None:
        return read_samples(arguments, names)
    hook = getattr(module, HOOK, None)
    if hook is not None:
        return [_hooked(hook, path)]
    if staged.cache_info().currsize:
        return []
    samples = annotated_samples(function, names)
    if samples:
        return samples
    code = function.__code__ if isinstance(function, FunctionType) else None
    first = code.co_varnames[0] if code is not None and code.co_argcount else "x"
    raise ShowError(
        f"{path!r} was not called while its module was loaded, so there is nothing to trace it "
        f"with. Give arguments, as in --args 'f32[3,2], i64[]'; annotate them, as in "
        f"`{first}: ag.TensorSpec((3, 2))`; or define `{HOOK}(name)` in the module, "
        "which returns (args, kwargs)"
    )


def _hooked(hook: Callable[[str], Any], path: str) -> Sample:
    given = hook(path)
    pair = isinstance(given, tuple) and len(given) == 2
    if not pair or not isinstance(given[0], tuple) or not isinstance(given[1], dict):
        raise ShowError(f"`{HOOK}({path!r})` must return a tuple and a dict, (args, kwargs)")
    return Sample(*given)
