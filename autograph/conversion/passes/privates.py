"""What Python does by itself inside a class: private names, and `super` without arguments.

Before, in `class Model`:
    def step(self, x):
        self.__count += 1
        return super().step(x)

After:
    def step(self, x):
        self._Model__count += 1
        return super(__class__, self).step(x)

In the bodies of inner classes the inner class's name counts.
"""

from __future__ import annotations

from autograph.conversion.analysis.scopes import FUNCTIONS, evaluated_around, scope_of
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Spell out private names and `super()` in the function and in the classes inside it."""
    _Spelling(context.class_name).function(tree)
    return tree


class _Spelling:
    """The inside of a class, or (None) of a function outside of classes.

    A class whose name is all underscores has no private names.
    """

    def __init__(self, class_name: str | None, plain_super: bool = True) -> None:
        prefix = (class_name or "").lstrip("_")
        self.prefix = f"_{prefix}" if prefix else ""
        self.in_class = class_name is not None
        self.first: str | None = None
        self.plain_super = plain_super  # `super` is not a variable of the function

    def function(self, node: Node) -> None:
        """Spell out the inside of a function or lambda."""
        saved = self.first, self.plain_super
        self.plain_super = self.plain_super and "super" not in scope_of(node).local_names
        for parameter in t.walk(node.args):
            if isinstance(parameter, t.Name) and isinstance(parameter.ctx, t.Param):
                parameter.id = self.mangled(parameter.id)
        positional = [*node.args.posonlyargs, *node.args.args]
        self.first = positional[0].id if positional else None
        for part in [node.body] if isinstance(node, t.Lambda) else node.body:
            self.visit(part)
        self.first, self.plain_super = saved

    def visit(self, node: Node) -> None:
        if isinstance(node, t.ClassDef):
            inner = _Spelling(node.name, self.plain_super)
            node.name = self.mangled(node.name)
            for part in evaluated_around(node):
                self.visit(part)
            for part in node.body:
                inner.visit(part)
            return
        if isinstance(node, FUNCTIONS):
            if not isinstance(node, t.Lambda):
                node.name = self.mangled(node.name)
            for part in evaluated_around(node):
                self.visit(part)
            self.function(node)
            return
        self._identifiers(node)
        if self._is_bare_super(node):
            node.args = [t.name_load("__class__", node), t.name_load(str(self.first), node)]
        for child in t.iter_child_nodes(node):
            self.visit(child)

    def mangled(self, name: str) -> str:
        """A name as Python spells it inside the class."""
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return f"{self.prefix}{name}" if private and self.prefix else name

    def _identifiers(self, node: Node) -> None:
        if isinstance(node, t.Name):
            node.id = self.mangled(node.id)
        elif isinstance(node, t.Attribute):
            node.attr = self.mangled(node.attr)
        elif isinstance(node, (t.Global, t.Nonlocal)):
            node.names = [self.mangled(name) for name in node.names]
        elif isinstance(node, t.alias) and self.mangled(node.asname or node.name) != (
            node.asname or node.name
        ):
            node.asname = self.mangled(node.asname or node.name)

    def _is_bare_super(self, node: Node) -> bool:
        if not isinstance(node, t.Call) or node.args or node.keywords:
            return False
        if self.first is None or not self.in_class:
            return False
        is_super = isinstance(node.func, t.Name) and node.func.id == "super"
        return is_super and self.plain_super
