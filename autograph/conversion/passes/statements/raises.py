"""`raise` of an exception that may be one of several.

Before:
    raise error_for(x) from cause

After:
    raise ag__.exception(ag__.call(error_for, x), cause) from ag__.cause()

What is surely one class or an instance of it, `raise ValueError("x")`, stays as it is, but for a
cause, which may be one of several.
"""

from __future__ import annotations

import builtins

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def raising(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `raise`."""
    if node.exc is None:
        return [node]
    caused = node.cause is not None and not isinstance(node.cause, t.Constant)
    known = _is_known(node.exc, rewriter) and not caused
    arguments = [rewriter.expression(node.exc)]
    if caused:
        arguments.append(rewriter.expression(node.cause))
        node.cause = emit.operator("cause", at=node.cause)
    node.exc = arguments[0] if known else emit.operator("exception", *arguments, at=node.exc)
    return [node]


def _is_known(node: Node, rewriter: Rewriter) -> bool:
    """Whether an expression is an exception class of Python's own, or a call of one.

    KeyboardInterrupt and GeneratorExit are none: Python raises them, too, at any place.
    """
    if isinstance(node, t.Call):
        node = node.func
    if not isinstance(node, t.Name) or node.id in rewriter.scope.local_names:
        return False
    kind = getattr(builtins, node.id, None)
    return isinstance(kind, type) and issubclass(kind, Exception | SystemExit)
