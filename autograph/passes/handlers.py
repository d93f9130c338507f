"""`try` stays, around converted statements.

Before:
    for x in xs:
        try:
            y = table[x]
        except KeyError:
            continue
        else:
            if y:
                break
        use(y)

After, in the loop's body:
    ag__code_1 = None
    try:
        with ag__.try_body((KeyError,)):
            y = table[x]
    except ag__.StagingError:
        raise
    except KeyError:
        ag__code_1 = ag__.CONTINUE
    else:
        def ag__then_1():
            return ag__.BREAK
        ag__code_1 = ag__.if_stmt(y, ag__then_1, None, ())
    def ag__rest_2():
        use(y)
    return ag__.then(ag__code_1, ag__rest_2, ())

Our own errors pass by the handlers. If the `try` part itself may not complete, the `else` part is a
function that runs if it did. An escape in `finally` would swallow an exception that is on its way;
that is refused, except where `return` stays `return`.
"""

from __future__ import annotations

from autograph.analysis.exits import exits_of
from autograph.errors import UnsupportedSyntaxError
from autograph.passes import emit
from autograph.passes.blocks import Compound, Flow, Tail
from autograph.runtime.core.location import Location
from autograph.syntax import tree as t
from autograph.syntax.tree import Node


def convert(statement: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert a `try`.

    Raises UnsupportedSyntaxError for a `break`, `continue` or staged `return` in its `finally`.
    """
    first: list[Node] = []
    code: Node | None = None
    inside = [*statement.body, *statement.orelse]
    inside.extend(each for handler in statement.handlers for each in handler.body)
    if tail.kind != "plain":
        _refuse_escapes(statement.finalbody, flow)
        if any(exits_of([each]).escapes for each in inside):
            (variable,) = flow.context.names.numbered("code")
            first.append(emit.assign(variable, t.constant(None, statement), statement))
            code = t.name_load(variable, statement)
            tail = Tail("store", variable)
    orelse = _orelse(statement, flow, tail)
    body = flow.block(statement.body, tail)
    for handler in statement.handlers:
        handler.body = flow.block(handler.body, tail) or [t.copy_location(t.Pass(), handler)]
    statement.finalbody = flow.block(statement.finalbody, tail)
    statement.body = [_guarded(statement, body, flow)]
    statement.orelse = orelse
    if statement.handlers:
        statement.handlers.insert(0, own_errors_pass(statement.handlers[0]))
    return Compound([*first, statement], code)


def _orelse(statement: Node, flow: Flow, tail: Tail) -> list[Node]:
    if not statement.orelse:
        return []
    if tail.kind == "plain" or not exits_of(statement.body).escapes:
        return flow.block(statement.orelse, tail)
    return flow.continuation(
        t.name_load(tail.variable, statement), statement.orelse, tail, statement.orelse[0]
    )


def _guarded(statement: Node, body: list[Node], flow: Flow) -> Node:
    """`with ag__.try_body((types of the handlers)): body`.

    A type that may mean something else before the body has run counts as any exception.
    """
    at = statement.body[0]
    types: list[Node] = []
    for handler in statement.handlers:
        several = isinstance(handler.type, t.Tuple)
        for each in handler.type.elts if several else [handler.type]:
            early = each is not None and _means_the_same_early(each, flow.scope.local_names)
            types.append(t.copy_tree(each) if early else t.name_load("BaseException", handler))
    caught = t.copy_location(t.Tuple(types, t.Load()), statement)
    item = t.withitem(emit.operator("try_body", caught, at=statement), None)
    return t.copy_location(t.With([item], body or [t.copy_location(t.Pass(), at)], None), at)


def _means_the_same_early(node: Node, variables: set[str]) -> bool:
    """Whether a handler's type, which Python evaluates late, can be evaluated before the body."""
    if isinstance(node, t.Attribute):
        return _means_the_same_early(node.value, variables)
    return isinstance(node, t.Name) and node.id not in variables


def own_errors_pass(at: Node) -> Node:
    """The handler that lets our own errors pass by the user's."""
    reraise = t.copy_location(t.Raise(None, None), at)
    return t.copy_location(t.ExceptHandler(emit.constant("StagingError", at), None, [reraise]), at)


def _refuse_escapes(finalbody: list[Node], flow: Flow) -> None:
    for statement in finalbody:
        for way in sorted(exits_of([statement]).escapes):
            raise UnsupportedSyntaxError(
                f"`{way}` in `finally` is not converted: it would swallow an exception that is on "
                "its way, which staged code cannot know",
                location=Location(flow.context.filename, statement.lineno, flow.function.name),
                remedy=f"put the `{way}` after the `try` statement, and catch what is to be "
                "swallowed with `except`",
            )
