"""What Python does by itself inside a class: private names, and `super` without arguments.

Before, in `class Model`:
    def step(self, x):
        self.__count += 1
        return super().step(x)

After:
    def step(self, x):
        self._Model__count += 1
        return super(__class__, self).step(x)

The bodies of inner classes stay: there the inner class's name counts.
"""

from __future__ import annotations

from autograph.analysis.scopes import FUNCTIONS, evaluated_around, scope_of
from autograph.passes.context import Context
from autograph.syntax import tree as t
from autograph.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Spell out private names and `super()`; a function outside of classes stays as it is."""
    if context.class_name is None:
        return tree
    prefix = context.class_name.lstrip("_")
    _Spelling(f"_{prefix}" if prefix else "").function(tree)
    return tree


class _Spelling:
    """`prefix` is empty for a class whose name is all underscores: it has no private names."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.first: str | None = None
        self.plain_super = True  # `super` is not a variable of the function

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
            node.name = self.mangled(node.name)
            for part in evaluated_around(node):
                self.visit(part)
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
        if not isinstance(node, t.Call) or node.args or node.keywords or self.first is None:
            return False
        is_super = isinstance(node.func, t.Name) and node.func.id == "super"
        return is_super and self.plain_super
