"""Module: an object that holds variables and other modules, found by their attributes' names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograph.runtime.core.variable import Variable
from autograph.tracing import attachment


class Module:
    """Holds Variables and Modules as attributes, also in lists, tuples and dicts.

    Define `__call__` in a subclass. `variables` and `submodules` are found by walking through the
    attributes in the order of their names, each object once.
    """

    __not_kept__ = ("training",)
    """Attributes that a checkpoint does not keep."""

    training = True
    """Whether layers that behave otherwise in training (Dropout, BatchNorm) do so."""

    def set_training(self, training: bool) -> None:
        """Set `training` of this module and of those in it."""
        for one in [self, *self.submodules]:
            one.training = training

    def named_variables(self) -> dict[str, Variable]:
        """Every Variable by its path, such as `layers.0.kernel`; one that is shared is named once.

        The order is that of the names of the attributes at each level. ValueError for two of one
        path.
        """
        found: dict[str, Variable] = {}
        for path, leaf in _walk(self):
            if isinstance(leaf, Variable):
                if path in found:
                    raise ValueError(f"two Variables have the path {path!r}; rename a key")
                found[path] = leaf
        return found

    @property
    def variables(self) -> list[Variable]:
        """Every Variable of this module and of those in it."""
        return [leaf for _, leaf in _walk(self) if isinstance(leaf, Variable)]

    @property
    def trainable_variables(self) -> list[Variable]:
        """The Variables that training changes."""
        return [one for one in self.variables if one.trainable]

    @property
    def submodules(self) -> list[Module]:
        """The Modules in this one, at every depth."""
        return [leaf for _, leaf in _walk(self) if isinstance(leaf, Module)]


attachment.KINDS.append(Module)


def _walk(root: Module) -> Iterator[tuple[str, Any]]:
    """Paths, and the Variables and Modules that are there, each once."""
    found: list[tuple[str, Any]] = []
    _visit("", root, found, [root])
    return iter(found)


def _visit(path: str, holder: Any, found: list[tuple[str, Any]], seen: list[Any]) -> None:
    for name, value in _parts(holder):
        if not isinstance(value, Variable | Module | list | tuple | dict):
            continue
        if any(value is one for one in seen):
            continue
        seen.append(value)
        place = f"{path}.{name}" if path else str(name)
        if isinstance(value, Variable | Module):
            found.append((place, value))
        if not isinstance(value, Variable):
            _visit(place, value, found, seen)


def _parts(holder: Any) -> list[tuple[Any, Any]]:
    """Names and values of what an object holds."""
    if isinstance(holder, Module):
        return [(name, getattr(holder, name)) for name in sorted(holder.__dict__)]
    if isinstance(holder, dict):
        return list(holder.items())
    return list(enumerate(holder))
