"""A generator function gets a second form, which hands its items to a consumer.

Before:
    def positive(xs):
        for x in xs:
            if x > 0:
                yield x
        return len(xs)

After:
    def ag__inlined_positive_1(xs, ag__consumer_1):
        for x in xs:
            if x > 0:
                if ag__.consumed(ag__consumer_1, x):
                    return ag__.UNSET_RESULT
        return len(xs)
    @ag__.generator(ag__inlined_positive_1)
    def positive(xs):
        for x in xs:
            if x > 0:
                yield x
        return len(xs)

The generator itself serves where its items are asked for one by one. In a `for` the second form
runs instead, with the loop's body as the consumer: so a `yield` may stand under staged conditions
and in staged loops, and the consumer may leave under staged conditions, by what passes do with any
`if` and `return`. `yield from` goes through `ag__.delegated`. There is no second form where a
`yield` is part of a larger expression or stands in a `finally`; nor where something would see how
the generator is left, by GeneratorExit: a `with`, or a handler of that.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import returns_value
from autograph.conversion.analysis.scopes import (
    holds_yield,
    is_generator,
    parameters_of,
    sees_exit,
    yields_inside,
)
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.resuming import resumable
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node
from autograph.errors import UnsupportedSyntaxError
from autograph.runtime.core.location import Location


def transform(tree: Node, context: Context) -> Node:
    """Add the second form of every generator function inside; make it of the tree itself, if asked.

    Raises UnsupportedSyntaxError for a `yield` in an operand that may not be evaluated.
    """
    if not any(isinstance(node, t.Yield | t.YieldFrom) for node in t.walk(tree)):
        return tree
    _definitions(tree, context)
    if context.inlined:
        found = inlined(tree, tree.name, context)
        if found is None:
            raise NotInlinedError
        return found
    if context.resuming and isinstance(tree, t.FunctionDef) and is_generator(tree):
        return resumable(tree, context) or tree
    return tree


class NotInlinedError(Exception):
    """A generator function has no second form."""


def _definitions(node: Node, context: Context) -> None:
    """Add second forms to the definitions inside a node, inner ones first."""
    if isinstance(node, t.FunctionDef) and is_generator(node):
        _check_places(node.body, node, context)
    for part in (node, *getattr(node, "handlers", [])):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(part, name, None)
            if not isinstance(statements, list):
                continue
            result: list[Node] = []
            for statement in statements:
                _definitions(statement, context)
                forms = both_forms(statement, context)
                if isinstance(node, t.ClassDef) and len(forms) > 1:
                    forms.append(_deleted(forms[0].name, statement))
                result.extend(forms)
            setattr(part, name, result)


def _deleted(name: str, at: Node) -> Node:
    """`del name`: the second form of a method is no member of its class."""
    target = t.copy_location(t.Name(name, t.Del(), None, None), at)
    return t.copy_location(t.Delete([target]), at)


def both_forms(statement: Node, context: Context) -> list[Node]:
    """The statement, with its second form before it if it defines a generator function."""
    if not isinstance(statement, t.FunctionDef) or not is_generator(statement):
        return [statement]
    third = resumable(statement, context) if context.resuming else None
    (name,) = context.names.numbered(f"inlined_{statement.name}")
    second = inlined(statement, name, context)
    statement = third or statement
    if second is None:
        return [statement]
    mark = emit.operator("generator", t.name_load(name, statement), at=statement)
    statement.decorator_list = [*statement.decorator_list, mark]
    return [second, statement]


def inlined(function: Node, name: str, context: Context) -> Node | None:
    """The second form of a generator function, if it has one."""
    (consumer,) = context.names.numbered("consumer")
    value = emit.constant("UNSET_RESULT", function) if returns_value(function.body) else None
    try:
        body = _Inlining(consumer, value, context).block(t.copy_tree(function.body))
    except NotInlinedError:
        return None
    names = [each.id for each in parameters_of(function.args)]
    return emit.define(name, [*names, consumer], body, function)  # `self` stays the first


class _Inlining:
    """`value` is what the second form returns where the consumer leaves."""

    def __init__(self, consumer: str, value: Node | None, context: Context) -> None:
        self.consumer = consumer
        self.value = value
        self.context = context
        self.handled = False
        """Whether a handler of the generator would see what is raised here."""

    def block(self, statements: list[Node]) -> list[Node]:
        return [each for statement in statements for each in self.statement(statement)]

    def statement(self, node: Node) -> list[Node]:
        if not holds_yield(node):
            return [node]
        value = getattr(node, "value", None)
        if isinstance(node, t.Expr | t.Assign | t.AnnAssign | t.Return):
            if isinstance(value, t.Yield | t.YieldFrom) and not yields_inside(value):
                if not any(map(holds_yield, getattr(node, "targets", []))):
                    return self.suspension(node, value)
        if not isinstance(node, t.If | t.While | t.For | t.Try):
            raise NotInlinedError
        for name in ("test", "iter", "target"):
            if getattr(node, name, None) is not None and holds_yield(getattr(node, name)):
                raise NotInlinedError
        if any(map(sees_exit, getattr(node, "handlers", []))):
            raise NotInlinedError
        if any(map(holds_yield, getattr(node, "finalbody", None) or [])):
            raise NotInlinedError
        self.inside(node)
        return [node]

    def inside(self, node: Node) -> None:
        outer = self.handled
        self.handled = outer or bool(getattr(node, "handlers", None))
        node.body = self.block(node.body)
        self.handled = outer
        if getattr(node, "orelse", None):
            node.orelse = self.block(node.orelse)
        for handler in getattr(node, "handlers", []):
            if handler.type is not None and holds_yield(handler.type):
                raise NotInlinedError
            handler.body = self.block(handler.body)

    def suspension(self, node: Node, value: Node) -> list[Node]:
        """`yield` or `yield from`, and what is done with its value."""
        given = value.value or t.constant(None, value)
        arguments = [t.name_load(self.consumer, value), given]
        if self.handled:
            arguments.append(t.constant(True, value))
        back = emit.give(self.value, node)
        if isinstance(value, t.Yield):
            test = emit.operator("consumed", *arguments, at=value)
            result = [t.copy_location(t.If(test, [back], []), node)]
            node.value = t.constant(None, value)
        else:
            left, given_back = self.context.names.numbered("left", "value")
            targets = [t.name_store(left, node), t.name_store(given_back, node)]
            both = t.copy_location(t.Tuple(targets, t.Store()), node)
            delegated = emit.operator("delegated", *arguments, at=value)
            result = [
                emit.assign_to(both, delegated, node),
                t.copy_location(t.If(t.name_load(left, node), [back], []), node),
            ]
            node.value = t.name_load(given_back, value)
        return result if isinstance(node, t.Expr) else [*result, node]


def _check_places(nodes: list[Node], function: Node, context: Context) -> None:
    """Refuse a `yield` in an operand that may not be evaluated."""
    for node in nodes:
        if isinstance(node, t.FunctionDef | t.Lambda | t.ClassDef):
            continue
        perhaps: list[Node] = []
        if isinstance(node, t.BoolOp):
            perhaps = node.values[1:]
        elif isinstance(node, t.IfExp):
            perhaps = [node.body, node.orelse]
        elif isinstance(node, t.Compare):
            perhaps = node.comparators[1:]
        elif isinstance(node, t.Assert) and node.msg is not None:
            perhaps = [node.msg]
        for operand in perhaps:
            if holds_yield(operand):
                raise UnsupportedSyntaxError(
                    "`yield` in an operand that may not be evaluated is not converted",
                    location=Location(context.filename, operand.lineno, function.name),
                    remedy="write `if`, with the `yield` as a statement of its own",
                )
        _check_places(t.iter_child_nodes(node), function, context)
