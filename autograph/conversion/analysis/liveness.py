"""Which local variables may still be read: backward data flow over the structured tree.

For each statement the names that are live after it, and those that are live where an exception or a
`return` in it leads (a handler, a `finally`, the code after a `with`). For each loop those that are
live at its header, before the next test, or before the next item is taken. Variables that inner
functions, lambdas, classes or generators use are live everywhere, since these may run at any time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograph.conversion.analysis.exits import always_true, exits_of
from autograph.conversion.analysis.scopes import Scope, bound_by_import, evaluated_around
from autograph.conversion.analysis.tables import NodeTable
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

Names = frozenset[str]
NOTHING: Names = frozenset()


@dataclass
class Liveness:
    """The answers for one function."""

    always: Names
    after: NodeTable[Names] = field(default_factory=NodeTable)
    header: NodeTable[Names] = field(default_factory=NodeTable)
    done: NodeTable[Names] = field(default_factory=NodeTable)
    """Before the `else` of a `while`: of names that its test assigns, too."""
    raised: NodeTable[Names] = field(default_factory=NodeTable)


def liveness_of(function: Node, scope: Scope, inline: Mapping[str, Scope]) -> Liveness:
    """Liveness in a function definition, inner functions not included.

    A read of a name in `inline` is a call of that local function, and reads what it reads.
    """
    always = frozenset(scope.captured(set(inline)) | scope.unset_within)
    flow = _Flow(frozenset(scope.local_names), Liveness(always), inline)
    while flow.changed:  # once for each level of loops, and once more
        flow.changed = False
        flow.block(function.body, NOTHING)
    return flow.answers


class _Flow:
    def __init__(self, names: Names, answers: Liveness, inline: Mapping[str, Scope]) -> None:
        self.names = names
        self.answers = answers
        self.inline = inline
        self.at_break = self.at_continue = self.at_return = NOTHING
        self.at_raise = NOTHING
        self.headers: NodeTable[Names] = NodeTable()  # grow from turn to turn
        self.changed = True

    def block(self, statements: list[Node], after: Names) -> Names:
        """The names live before the statements, given those live after them."""
        live = after | self.at_raise
        for statement in reversed(statements):
            self.answers.after[statement] = live | self.answers.always
            self.answers.raised[statement] = self.at_raise | self.answers.always
            live = self.statement(statement, live) | self.at_raise
        return live

    def statement(self, node: Node, after: Names) -> Names:
        visit = getattr(self, f"_{type(node).__name__}", None)
        if visit is not None:
            result: Names = visit(node, after)
            return result
        live = after
        for child in reversed(t.iter_child_nodes(node)):
            live = self.expression(child, live)
        return live

    # Statements

    def _Return(self, node: Node, after: Names) -> Names:
        return self._optional(node.value, self.at_return)

    def _Break(self, node: Node, after: Names) -> Names:
        return self.at_break

    def _Continue(self, node: Node, after: Names) -> Names:
        return self.at_continue

    def _Raise(self, node: Node, after: Names) -> Names:
        return self._optional(node.exc, self._optional(node.cause, NOTHING))

    def _Assert(self, node: Node, after: Names) -> Names:
        return self.expression(node.test, after | self._optional(node.msg, NOTHING))

    def _Assign(self, node: Node, after: Names) -> Names:
        live = after
        for target in reversed(node.targets):
            live = self.expression(target, live)
        return self.expression(node.value, live)

    def _AnnAssign(self, node: Node, after: Names) -> Names:
        return after  # a bare annotation; those with a value were made plain assignments

    def _AugAssign(self, node: Node, after: Names) -> Names:
        if isinstance(node.target, t.Name):
            live = self.expression(node.value, after - {node.target.id})
            return live | (self.names & {node.target.id})
        return self.expression(node.target, self.expression(node.value, after))

    def _FunctionDef(self, node: Node, after: Names) -> Names:
        live = after - {node.name}
        for part in reversed(evaluated_around(node)):
            live = self.expression(part, live)
        return live

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: Node, after: Names) -> Names:
        return self._FunctionDef(node, after)  # what the body reads is captured

    def _Import(self, node: Node, after: Names) -> Names:
        return after - set(bound_by_import(node))

    _ImportFrom = _Import

    def _If(self, node: Node, after: Names) -> Names:
        either = self.block(node.body, after) | self.block(node.orelse, after)
        return self.expression(node.test, either)

    def _While(self, node: Node, after: Names) -> Names:
        done = self.block(node.orelse, after)
        if always_true(node.test):
            done = NOTHING
        self.answers.done[node] = done
        inside = self._loop_body(node, after)
        return self._grown(node, self.expression(node.test, inside | done))

    def _For(self, node: Node, after: Names) -> Names:
        done = self.block(node.orelse, after)
        inside = self._loop_body(node, after)
        header = self._grown(node, done | self.expression(node.target, inside))
        return self.expression(node.iter, header)

    def _header(self, loop: Node) -> Names:
        """The names live at the header as far as known."""
        return self.headers[loop] if loop in self.headers else NOTHING

    def _grown(self, loop: Node, live: Names) -> Names:
        known = self._header(loop)
        header = known | live
        self.changed = self.changed or header != known
        self.headers[loop] = header
        self.answers.header[loop] = header | self.at_raise | self.answers.always
        return header

    def _loop_body(self, loop: Node, after: Names) -> Names:
        saved = self.at_break, self.at_continue
        header = self._header(loop)
        self.at_break, self.at_continue = after, header
        inside = self.block(loop.body, header)
        self.at_break, self.at_continue = saved
        return inside

    def _With(self, node: Node, after: Names) -> Names:
        saved = self.at_raise
        self.at_raise = saved | after  # the exception may be swallowed
        live = self.block(node.body, after)
        for item in reversed(node.items):
            if item.optional_vars is not None:
                live = self.expression(item.optional_vars, live)
            live = self.expression(item.context_expr, live)
        self.at_raise = saved
        return live

    def _Try(self, node: Node, after: Names) -> Names:
        saved = self.at_break, self.at_continue, self.at_return, self.at_raise
        if node.finalbody:
            inner = [*node.body, *node.orelse]
            inner.extend(each for handler in node.handlers for each in handler.body)
            targets = {"break": saved[0], "continue": saved[1], "return": saved[2]}
            onward = [targets[way] for way in exits_of(inner).escapes]
            after = self.block(node.finalbody, after.union(self.at_raise, *onward))
            self.at_break = self.at_continue = self.at_return = self.at_raise = after
        caught = self.at_raise
        for handler in reversed(node.handlers):
            live = self.block(handler.body, after)
            if handler.name is not None:
                live -= {handler.name.id}
            caught |= self._optional(handler.type, live)
        live = self.block(node.orelse, after)
        self.at_raise = caught
        live = self.block(node.body, live)
        self.at_break, self.at_continue, self.at_return, self.at_raise = saved
        return live

    # Expressions

    def _optional(self, node: Node | None, after: Names) -> Names:
        return after if node is None else self.expression(node, after)

    def expression(self, node: Node, after: Names) -> Names:
        """The names live before an expression or an assignment's target."""
        if isinstance(node, t.Name):
            return self._name(node, after)
        if isinstance(node, t.BoolOp):
            return self._some(node.values, 1, after)
        if isinstance(node, t.Compare):
            return self._some([node.left, *node.comparators], 2, after)
        if isinstance(node, t.IfExp):
            either = self.expression(node.body, after) | self.expression(node.orelse, after)
            return self.expression(node.test, either)
        if isinstance(node, t.NamedExpr):
            return self.expression(node.value, after - {node.target.id})
        if isinstance(node, (t.Lambda, t.GeneratorExp, t.ListComp, t.SetComp, t.DictComp)):
            live = after  # what the inside reads is captured
            for part in reversed(evaluated_around(node)):
                live = self.expression(part, live)
            return live
        live = after
        for child in reversed(t.iter_child_nodes(node)):
            live = self.expression(child, live)
        return live

    def _some(self, operands: list[Node], certain: int, after: Names) -> Names:
        """Operands evaluated in order, all after the first `certain` ones perhaps not."""
        live = after
        for index, operand in reversed(list(enumerate(operands))):
            before = self.expression(operand, live)
            live = before if index < certain else before | after
        return live

    def _name(self, node: Node, after: Names) -> Names:
        if node.id in self.inline and isinstance(node.ctx, t.Load):
            return after | (self.inline[node.id].free & self.names)
        if node.id not in self.names:
            return after
        if isinstance(node.ctx, t.Store):
            return after - {node.id}
        return after | {node.id}
