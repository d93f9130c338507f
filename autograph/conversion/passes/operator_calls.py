"""Expressions, and the simple statements made of them, become calls of operators.

Before:
    model.total += x * 2

After:
    ag__.set_attr(ag__.aug_add(ag__.attr(model, 'total'), ag__.mul(x, 2)), model, 'total')

One walk does all of it, by the table of rules below. Operands that may not be evaluated become
functions without parameters.
"""

from __future__ import annotations

from autograph.conversion.passes import unset
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.expressions import (
    arithmetic,
    assertions,
    assignments,
    augmented,
    calls,
    choices,
    comparisons,
    definitions,
    deletions,
    displays,
    imports,
    members,
    strings,
)
from autograph.conversion.passes.rewriting import ExpressionRule, Rewriter, StatementRule
from autograph.conversion.passes.statements import raises, suspended
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

EXPRESSIONS: dict[type, ExpressionRule] = {
    t.Attribute: members.attribute,
    t.BinOp: arithmetic.binary,
    t.BoolOp: choices.boolean,
    t.Call: calls.call,
    t.Compare: comparisons.compare,
    t.Dict: displays.dictionary,
    t.FormattedValue: strings.formatted,
    t.IfExp: choices.conditional,
    t.JoinedStr: strings.joined,
    t.List: displays.display,
    t.Name: unset.checked_read,
    t.Set: displays.display,
    t.Starred: displays.starred,
    t.Subscript: members.item,
    t.Tuple: displays.tuple_,
    t.UnaryOp: arithmetic.unary,
    t.YieldFrom: suspended.delegation,
}
STATEMENTS: dict[type, StatementRule] = {
    t.Assert: assertions.assertion,
    t.Assign: assignments.assign,
    t.AsyncFunctionDef: definitions.function,
    t.AugAssign: augmented.augmented,
    t.ClassDef: definitions.class_,
    t.Delete: deletions.delete,
    t.FunctionDef: definitions.function,
    t.Import: imports.import_module,
    t.ImportFrom: imports.import_from,
    t.Raise: raises.raising,
}


def transform(tree: Node, context: Context) -> Node:
    """Rewrite the expressions of the function and of the functions inside it."""
    return Rewriter(context, EXPRESSIONS, STATEMENTS).root(tree)
