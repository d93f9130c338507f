"""`with`.

Before:
    for x in xs:
        with open(x) as f, lock as self.lock:
            if f.closed:
                break
        use(f)

After, in the loop's body:
    def ag__body_2(ag__target_2):
        nonlocal f
        f = ag__target_2
        def ag__body_1(ag__target_1):
            self.lock = ag__target_1
            def ag__then_1():
                return ag__.BREAK
            return ag__.if_stmt(f.closed, ag__then_1, None, ())
        return ag__.with_stmt(lock, ag__body_1, ('f',))
    ag__code_1 = ag__.with_stmt(open(x), ag__body_2, ('f',))
    def ag__rest_1():
        use(f)
    return ag__.then(ag__code_1, ag__rest_1, ())

An exception that the manager swallows completes the statement.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import BREAK, CONTINUE, RETURN, exits_of_statement
from autograph.conversion.passes import emit
from autograph.conversion.passes.statements.blocks import Compound, Flow, Tail
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def convert(statement: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert a `with`."""
    names = _names(statement, flow)
    first, *others = reversed(statement.items)
    definition = _body(first, statement, statement.body, flow)
    code = _with(first, definition, names, statement)
    for item in others:
        outer = _body(item, statement, [], flow)
        outer.body = [*_assigned(outer), definition, emit.give(code, statement)]
        definition, code = outer, _with(item, outer, t.copy_tree(names), statement)
    return Compound([definition], code)


def _names(statement: Node, flow: Flow) -> Node:
    """The names that the statement assigns and that are live after it."""
    liveness, escapes = flow.liveness, exits_of_statement(statement).escapes
    live = set(liveness.after[statement] | liveness.raised[statement])
    live |= liveness.raised[statement.body[-1]]
    if BREAK in escapes:
        live |= liveness.after[flow.loops[-1]]
    if CONTINUE in escapes:
        live |= liveness.header[flow.loops[-1]]
    return flow.names_among([statement], live, RETURN in escapes, statement)


def _body(item: Node, statement: Node, statements: list[Node], flow: Flow) -> Node:
    """The function of a body, which gets what the manager gives."""
    name, target = flow.context.names.numbered("body", "target")
    function = flow.body(name, statements, statement, target)
    if item.optional_vars is not None:
        at = item.optional_vars
        function.body.insert(0, emit.assign_to(at, t.name_load(target, at), at))
    return function


def _assigned(function: Node) -> list[Node]:
    return [each for each in function.body if isinstance(each, t.Assign)]


def _with(item: Node, definition: Node, names: Node, statement: Node) -> Node:
    arguments = [item.context_expr, t.name_load(definition.name, statement), names]
    return emit.operator("with_stmt", *arguments, at=item.context_expr)


def plain(statement: Node, flow: Flow) -> Node:
    """A `with` that stays one, around a `yield`: targets that are no names get a variable first."""
    body = flow.block(statement.body, Tail("plain"))
    for index, item in reversed(list(enumerate(statement.items))):
        item.context_expr = emit.operator("context", item.context_expr, at=item.context_expr)
        target = item.optional_vars
        if target is None or isinstance(target, t.Name):
            continue
        (variable,) = flow.context.names.numbered("target")
        item.optional_vars = t.name_store(variable, target)
        body = [emit.assign_to(target, t.name_load(variable, target), target), *body]
        later = statement.items[index + 1 :]
        if later:  # the target is assigned before the next manager is entered
            inner = t.copy_location(t.With(later, body[1:], None), statement)
            body = [body[0], inner]
            statement.items = statement.items[: index + 1]
    statement.body = body or [t.copy_location(t.Pass(), statement)]
    return statement
