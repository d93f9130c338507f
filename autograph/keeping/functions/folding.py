"""Guards and access paths of a trace as a saved function has them.

What they say of the objects that the function captured is settled when it is saved: it is computed,
and its value stands in its place. What remains is about the arguments of a call.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograph.keeping.errors import DamagedError
from autograph.keeping.functions.constants import NotKept, constant_to_json
from autograph.keeping.functions.expressions import FUNCTIONS, KINDS, ExpressionReader
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.paths import NAMES


class Stale(Exception):
    """A guard that does not hold any more: the trace is not one of the function as it is now."""


class State:
    """The tensors that the saved functions captured: each once, with a name."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.names: list[str] = []
        self._numbers: dict[int, int] = {}
        self._arrays: dict[int, tuple[Any, Tensor]] = {}

    def add(self, tensor: Tensor, name: str = "") -> int:
        """The number of a tensor, which is called `name` if it is new."""
        number = self._numbers.get(id(tensor))
        if number is None:
            number = self._numbers[id(tensor)] = len(self.tensors)
            self.tensors.append(tensor)
            self.names.append(name)
        return number

    def of_array(self, array: Any) -> Tensor:
        """The tensor that stands for an array of the user's, one and the same each time."""
        if id(array) not in self._arrays:
            made = Tensor._of(np.array(array, array.dtype.newbyteorder("=")))
            self._arrays[id(array)] = array, made
        return self._arrays[id(array)][1]


class Folder:
    """Folds the expressions of one trace. `known` are the arguments that are saved with it.

    `state` gets the tensors that were captured, and `constants` the other values, as JSON.
    """

    def __init__(self, objects: Sequence[Any], known: Mapping[int, Any], state: State) -> None:
        self.known = known
        self.state = state
        self.constants: list[Any] = []
        arguments = [known.get(number) for number in range(max(known, default=-1) + 1)]
        self._names = {**NAMES, "a": tuple(arguments), "c": objects}

    def is_known(self, tree: ast.AST) -> bool:
        """Whether an expression says nothing of the arguments of a call."""
        return not any(self.is_argument(one) for one in ast.walk(tree))

    def is_argument(self, tree: ast.AST) -> bool:
        """Whether this is `a[number]`, an argument that a call gives."""
        if not isinstance(tree, ast.Subscript) or getattr(tree.value, "id", "") != "a":
            return False
        return getattr(tree.slice, "value", None) not in self.known

    def value(self, text: str) -> Any:
        """The value of a known expression."""
        return eval(compile(text, "<path>", "eval"), dict(self._names))

    def guard(self, text: str) -> list[str]:
        """What a guard asks of the arguments. Stale where it does not hold for what is known."""
        tree = ast.parse(text, mode="eval").body
        both = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
        found = []
        for part in tree.values if both else [tree]:  # type: ignore[attr-defined]
            if not self.is_known(part):
                if not self._always_holds(part):
                    found.append(self._folded(part))
            elif not self._holds(part):
                raise Stale(text)
            else:
                found += self._of_variable(part)
        return found

    def _of_variable(self, tree: ast.expr) -> list[str]:
        """Whether a captured Variable is trainable is asked of the loaded one, too."""
        match tree:
            case ast.Compare(ast.Attribute(owner, "trainable"), [ast.Is()], [ast.Constant(flag)]):
                variable = self.at(owner)
                if isinstance(variable, Variable):
                    return [f"s[{self.state.add(variable)}].trainable is {flag!r}"]
        return []

    def _holds(self, tree: ast.expr) -> bool:
        try:
            return bool(self.at(tree))
        except Exception:  # a path that leads nowhere any more
            return False

    def path(self, text: str) -> str:
        """Where a loaded function finds what is at a path. NotKept where it cannot."""
        tree = ast.parse(text, mode="eval").body
        if self.is_known(tree):
            found = self.at(tree)
            if isinstance(found, list | dict | set | deque):
                raise NotKept(f"a {type(found).__name__} from outside of it")
        return self._folded(tree)

    def _always_holds(self, tree: ast.expr) -> bool:
        """Whether this only says that an argument is not something that is not saved."""
        match tree:
            case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[right]):
                known = [self.at(one) for one in (left, right) if self.is_known(one)]
                return any(one is not None and not isinstance(one, Tensor) for one in known)
        return False

    def at(self, tree: ast.expr) -> Any:
        """The value of a known part."""
        return self.value(ast.unparse(tree))

    def _folded(self, tree: ast.expr) -> str:
        folded = ast.unparse(_Folding(self).visit(tree))
        try:
            ExpressionReader(self.state.tensors, self.constants).read(folded)
        except DamagedError:
            raise NotKept(f"{folded!r}, which a call is asked for") from None
        return folded

    def constant(self, value: Any) -> ast.expr:
        """The expression for a value that is known now."""
        if isinstance(value, np.ndarray | np.generic):
            value = self.state.of_array(value)
        if isinstance(value, Tensor):
            text = f"s[{self.state.add(value)}]"
        elif _is_literal(value):
            text = repr(value)
        else:
            try:
                self.constants.append(constant_to_json(value))
            except RecursionError:
                raise NotKept(f"a {type(value).__name__} that is inside itself") from None
            text = f"k[{len(self.constants) - 1}]"
        return ast.parse(text, mode="eval").body


def _is_literal(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_literal, value))
    return value is None or type(value) in (int, bool, str)


class _Folding(ast.NodeTransformer):
    """Puts constants in the place of the largest parts that are known."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def visit(self, node: Any) -> Any:
        if self.folder.is_argument(node) or getattr(node, "id", "") in {*FUNCTIONS, *KINDS}:
            return node
        if isinstance(node, ast.expr) and not isinstance(node, ast.Starred):
            if self.folder.is_known(node):
                return self.folder.constant(self.folder.at(node))
        return self.generic_visit(node)
