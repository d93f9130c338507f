"""`with` stays, around converted statements.

Before:
    for x in xs:
        with open(x) as f, lock as self.lock:
            if f.closed:
                break
        use(f)

After, in the loop's body:
    ag__code_1 = None
    with ag__.context(open(x)) as f, ag__.context(lock) as ag__target_1:
        self.lock = ag__target_1
        def ag__then_1():
            return ag__.BREAK
        ag__code_1 = ag__.if_stmt(f.closed, ag__then_1, None, ())
    def ag__rest_2():
        use(f)
    return ag__.then(ag__code_1, ag__rest_2, ())

A variable holds the completion code, since the context manager leaves before what follows. It is
set first: an exception that the manager swallows completes the statement.
"""

from __future__ import annotations

from autograph.analysis.exits import exits_of
from autograph.passes import emit
from autograph.passes.blocks import Compound, Flow, Tail
from autograph.syntax import tree as t
from autograph.syntax.tree import Node


def convert(statement: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert a `with`."""
    first: list[Node] = []
    code: Node | None = None
    if tail.kind != "plain" and exits_of(statement.body).escapes:
        (variable,) = flow.context.names.numbered("code")
        first.append(emit.assign(variable, t.constant(None, statement), statement))
        code = t.name_load(variable, statement)
        tail = Tail("store", variable)
    return Compound([*first, _with(statement, flow.block(statement.body, tail), flow)], code)


def _with(statement: Node, body: list[Node], flow: Flow) -> Node:
    """The statement over a converted body; targets that are no names get a variable first."""
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
