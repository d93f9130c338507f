"""What a function becomes, as text: its converted source, its graph, its program."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Literal

import autograph

Form = Literal["source", "graph", "program"]
HOOK = "example_arguments"


class ShowError(Exception):
    """A target cannot be shown: there is no such file, module, function or trace."""


def show(target: str, form: Form = "source") -> str:
    """The text of what `target` becomes.

    `target` is `MODULE:FUNCTION` or `FILE.py:FUNCTION`, the function with its class if it has one.
    Raises ShowError if there is no such target, or nothing to trace it with; StagingError if it
    cannot be converted.
    """
    place, separator, path = target.rpartition(":")
    if not separator or not place or not path:
        raise ShowError(f"{target!r} is not of the form MODULE:FUNCTION or FILE.py:FUNCTION")
    module = _load(place)
    found = _find(module, path)
    if form == "source":
        return str(autograph.to_code(found))
    return _traced(module, found, path, form)


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


def _traced(module: ModuleType, found: Any, path: str, form: Form) -> str:
    """The graph or program of a staged function, from its last trace or from example arguments."""
    view: Callable[..., object] | None = getattr(found, form, None)
    if view is None or not hasattr(found, "cache_info"):
        raise ShowError(f"{path!r} is not staged, so it has no {form}; decorate it with `function`")
    hook = getattr(module, HOOK, None)
    if hook is None:
        if not found.cache_info().currsize:
            raise ShowError(
                f"{path!r} was not called while its module was loaded, so it has no {form}; "
                f"define `{HOOK}(name)` in the module, which returns arguments for it"
            )
        return str(view())
    given = hook(path)
    pair = isinstance(given, tuple) and len(given) == 2
    if not pair or not isinstance(given[0], tuple) or not isinstance(given[1], dict):
        raise ShowError(f"`{HOOK}({path!r})` must return a tuple and a dict, (args, kwargs)")
    return str(view(*given[0], **given[1]))
