"""A generator function gets a third form, which can stop half-way and go on as staged code.

Before:
    def positive(xs):
        for x in xs:
            if x > 0:
                yield x

After:
    def positive(xs):
        x: ...
        ag__steps_1: ...
        ag__at_1 = 0
        def ag__resume_1(ag__sent_1):
            nonlocal ag__at_1, ag__steps_1, x
            if ag__at_1 == 0:
                ag__steps_1 = ag__.stepper(xs)
            while ag__at_1 != 0 or ag__steps_1.has_next():
                if ag__at_1 == 0:
                    x = ag__steps_1.take()
                if ag__at_1 != 0 or x > 0:
                    if ag__at_1 == 0:
                        ag__item_1 = ag__.yielded(x)
                        ag__at_1 = 1
                        return (True, ag__item_1, ag__.UNSET_RESULT)
                    if ag__at_1 == 1:
                        ag__at_1 = 0
                        ag__.received(ag__sent_1)
            return (False, ag__.UNSET_RESULT, None)
        return ag__.resumable(ag__resume_1)

The function that resumes is left at each `yield`, and entered again from its start: where it stands
is a number, and whatever stands before that place is passed by. So all is an `if` or a `while`
again, and where it stands may be known only at run time. There is no such form where a `yield` is
part of a larger expression, or where something would see how the generator is left: a `with` or
`finally` around it, or a handler of GeneratorExit.
"""

from __future__ import annotations

from typing import Any

from autograph.conversion.analysis.scopes import holds_yield, scope_of, sees_exit, yields_inside
from autograph.conversion.passes import emit
from autograph.conversion.passes.bindings import declare_variable
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

Numbers = tuple[int, int] | None
"""The first and the last of the places where a statement may be resumed."""


class NotResumableError(Exception):
    """A generator function has no third form."""


def resumable(function: Node, context: Context) -> Node | None:
    """The third form of a generator function, if it has one."""
    scope = scope_of(function)
    if "super" in scope.read or "__class__" in scope.read:
        return None
    form = _Form(context)
    original = t.copy_tree(function)
    try:
        body, _ = form.block(original.body)
    except NotResumableError:
        return None
    own = sorted(scope.local_names - set(scope.parameters)) + form.variables
    shared = sorted({*own, *form.passed, *(scope.stored & set(scope.parameters)), form.at})
    body.append(form.leave(False, None, t.constant(None, function), function))
    (name,) = context.names.numbered("resume")
    resume = emit.define(
        name,
        [form.sent],
        [t.copy_location(t.Nonlocal(shared), function), *body],
        function,
    )
    made = emit.operator("resumable", t.name_load(name, function), at=function)
    original.body = [
        *(declare_variable(each, function) for each in own),
        *(emit.assign(each, t.constant(None, function), function) for each in form.passed),
        form.set_place(0, function),
        resume,
        emit.give(made, function),
    ]
    return original


class _Form:
    """`at` is the variable of the place where the generator stands; `sent` what it was sent."""

    def __init__(self, context: Context) -> None:
        self.names = context.names
        self.at = context.names.variable("at")
        (self.sent,) = context.names.numbered("sent")
        self.variables: list[str] = []
        self.passed: list[str] = []
        """The variables of what is sent on to other generators."""
        self.count = 0

    # pieces -----------------------------------------------------------------------------------
    def variable(self, word: str) -> str:
        name = self.names.variable(word)
        self.variables.append(name)
        return name

    def place(self, at: Node) -> Node:
        return t.name_load(self.at, at)

    def is_at(self, number: int, at: Node, operator: Any = None) -> Node:
        """`at == number`."""
        given = t.constant(number, at)
        return t.copy_location(t.Compare(self.place(at), [operator or t.Eq()], [given]), at)

    def set_place(self, number: int, at: Node) -> Node:
        return emit.assign(self.at, t.constant(number, at), at)

    def running(self, body: list[Node], at: Node) -> Node:
        """`if at == 0: body`: what is passed by on the way to where the generator stood."""
        return t.copy_location(t.If(self.is_at(0, at), body, []), at)

    def leave(self, goes_on: bool, item: Node | None, result: Node | None, at: Node) -> Node:
        """`return (goes_on, item, result)`."""
        parts = [part or emit.constant("UNSET_RESULT", at) for part in (item, result)]
        items = [t.constant(goes_on, at), *parts]
        return emit.give(t.copy_location(t.Tuple(items, t.Load()), at), at)

    def entered(self, inside: Numbers, whole: Numbers, test: Node) -> Node:
        """Whether a body is entered: on the way to a place inside, or where the test holds.

        The statement is known to be entered on the way to one of `whole`, or at none.
        """
        if inside is None:
            return _both(t.And(), self.is_at(0, test), test)
        if isinstance(test, t.Constant) and test.value is True:
            return test
        if inside == whole:
            return _both(t.Or(), self.is_at(0, test, t.NotEq()), test)
        first = _both(t.And(), self.is_at(0, test, t.Gt()), self.is_at(inside[1], test, t.LtE()))
        return _both(t.Or(), first, _both(t.And(), self.is_at(0, test), test))

    # statements -------------------------------------------------------------------------------
    def block(self, statements: list[Node]) -> tuple[list[Node], Numbers]:
        first = self.count + 1
        parts = []
        statements = list(statements)
        while statements:
            statement = statements.pop(0)
            before = self.count + 1
            if isinstance(statement, t.Try) and any(map(holds_yield, statement.handlers)):
                statements[:0] = self.handled_outside(statement)
                continue
            compound = isinstance(statement, _COMPOUND) or isinstance(
                getattr(statement, "value", None), t.YieldFrom
            )
            parts.append((self.statement(statement), before, self.count, compound))
        last = max((n for n, (_, start, end, _) in enumerate(parts) if end >= start), default=-1)
        result: list[Node] = []
        plain: list[Node] = []
        for number, (nodes, start, end, compound) in enumerate(parts):
            if end < start and number < last:
                plain += nodes
                continue
            if plain:
                result.append(self.running(plain, plain[0]))
                plain = []
            passed_by = compound and number < last
            result += [self._on_the_way(nodes, end)] if passed_by else nodes
        return result, (first, self.count) if self.count >= first else None

    def _on_the_way(self, nodes: list[Node], end: int) -> Node:
        """`nodes`, unless the generator stood at a later place."""
        return t.copy_location(t.If(self.is_at(end, nodes[0], t.LtE()), nodes, []), nodes[0])

    def statement(self, node: Node) -> list[Node]:
        if isinstance(node, t.Return) and not holds_yield(node):
            return [self.leave(False, None, node.value or t.constant(None, node), node)]
        if not holds_yield(node):
            return [self.returns(node)]
        value = getattr(node, "value", None)
        if isinstance(value, t.Yield | t.YieldFrom) and not yields_inside(value):
            if isinstance(node, t.AugAssign) and isinstance(node.target, t.Name):
                return self.augmented(node, value)
            if isinstance(node, t.Expr | t.Assign | t.AnnAssign | t.Return):
                if not any(map(holds_yield, getattr(node, "targets", []))):
                    return self.suspension(node, value)
        for name in ("test", "iter", "target"):
            if getattr(node, name, None) is not None and holds_yield(getattr(node, name)):
                raise NotResumableError
        if isinstance(node, t.If | t.While):
            return [self.conditional(node)]
        if isinstance(node, t.For):
            return self.loop(node)
        if isinstance(node, t.Try):
            return [self.attempt(node)]
        raise NotResumableError

    def returns(self, node: Node) -> Node:
        """The statement, in which the generator may end."""
        if isinstance(node, t.FunctionDef | t.AsyncFunctionDef | t.ClassDef):
            return node
        for part in (node, *getattr(node, "handlers", [])):
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(part, name, None)
                if isinstance(inner, list):
                    setattr(part, name, [one for each in inner for one in self.statement(each)])
        return node

    def suspension(self, node: Node, value: Node) -> list[Node]:
        """`yield` or `yield from`, and what is done with its value."""
        if isinstance(value, t.YieldFrom):
            return self.delegation(node, value)
        back = self.resumed(node, self.received(node))
        return self.suspended(value.value or t.constant(None, value), back, node)

    def received(self, at: Node) -> Node:
        return emit.operator("received", t.name_load(self.sent, at), at=at)

    def suspended(self, item: Node, back: list[Node], at: Node) -> list[Node]:
        """Leave with an item; `back` is done where the generator goes on."""
        self.count += 1
        # The place is set once the item is there.
        (name,) = self.names.numbered("item")
        given = item if isinstance(item, t.Constant) else emit.operator("yielded", item, at=at)
        leaves = [
            emit.assign(name, given, at),
            self.set_place(self.count, at),
            self.leave(True, t.name_load(name, at), None, at),
        ]
        goes_on = [self.set_place(0, at), *back]
        test = self.is_at(self.count, at)
        return [self.running(leaves, at), t.copy_location(t.If(test, goes_on, []), at)]

    def resumed(self, node: Node, given: Node) -> list[Node]:
        """What a statement does with the value of its `yield`."""
        if isinstance(node, t.Return):
            return [self.leave(False, None, given, node)]
        node.value = given
        return [node]

    def augmented(self, node: Node, value: Node) -> list[Node]:
        """`target += yield item`: Python reads the target before."""
        if isinstance(value, t.YieldFrom):
            raise NotResumableError
        name = self.variable("before")
        before = emit.assign(name, t.name_load(node.target.id, node), node)
        target = node.target
        node.target, node.value = t.name_store(name, node), self.received(node)
        after = emit.assign_to(target, t.name_load(name, node), node)
        item = value.value or t.constant(None, value)
        return [self.running([before], node), *self.suspended(item, [node, after], node)]

    def delegation(self, node: Node, value: Node) -> list[Node]:
        """`yield from`: what is sent is handed on."""
        steps, sent = self.variable("steps"), self.names.variable("passed")
        self.passed.append(sent)

        def method(name: str, *given: Node) -> Node:
            return t.call(t.attribute(t.name_load(steps, node), name, node), *given, at=node)

        opened = emit.operator("delegate", value.value, at=node)
        first = [emit.assign(steps, opened, node)]
        first.append(emit.assign(sent, t.constant(None, node), node))
        start = self.count + 1
        back = [emit.assign(sent, t.name_load(self.sent, node), node)]
        body = self.suspended(method("take"), back, node)
        asked = method("goes_on", t.name_load(sent, node))
        test = self.entered((start, start), (start, start), asked)
        last = self.resumed(node, method("result"))
        loop = t.copy_location(t.While(test, body, last), node)
        return [self.running(first, node), loop]

    def conditional(self, node: Node) -> Node:
        """`if` or `while`."""
        node.body, inside = self.block(node.body)
        node.orelse, after = self.block(node.orelse)
        whole = inside if after is None else (0, 0)
        node.test = self.entered(inside, whole, node.test)
        return node

    def loop(self, node: Node) -> list[Node]:
        """`for`, as a `while` over the steps of an iterator."""
        steps = self.variable("steps")
        opened = emit.assign(steps, emit.operator("stepper", node.iter, at=node.iter), node)

        def method(name: str) -> Node:
            return t.call(t.attribute(t.name_load(steps, node), name, node), at=node)

        body, inside = self.block(node.body)
        orelse, after = self.block(node.orelse)
        whole = inside if after is None else (0, 0)
        test = self.entered(inside, whole, method("has_next"))
        taken = emit.assign_to(node.target, method("take"), node)
        turn = [self.running([taken], node), *body]
        loop = t.copy_location(t.While(test, turn, orelse), node)
        return [self.running([opened], node), loop]

    def handled_outside(self, node: Node) -> list[Node]:
        """The same statement with handlers that note what they caught: they go on after it."""
        if node.finalbody or any(map(_raises_again, node.handlers)):
            raise NotResumableError
        caught, error = self.variable("caught"), self.variable("error")
        after = []
        for number, handler in enumerate(node.handlers, 1):
            if sees_exit(handler):
                raise NotResumableError
            if handler.name is None:
                handler.name = t.name_store(self.names.variable("raised"), handler)
                body = handler.body
            else:
                kept = handler.name.id
                name = t.copy_location(t.Name(kept, t.Del(), None, None), handler)
                body = [
                    emit.assign(kept, t.name_load(error, handler), handler),
                    *handler.body,
                    t.copy_location(t.Delete([name]), handler),
                ]
            handler.body = [
                emit.assign(caught, t.constant(number, handler), handler),
                emit.assign(error, t.name_load(handler.name.id, handler), handler),
            ]
            test = t.Compare(t.name_load(caught, handler), [t.Eq()], [t.constant(number, handler)])
            after.append(t.copy_location(t.If(t.copy_location(test, handler), body, []), handler))
        return [emit.assign(caught, t.constant(0, node), node), node, *after]

    def attempt(self, node: Node) -> Node:
        """`try` with handlers that a generator which is left does not reach."""
        if node.finalbody or any(map(sees_exit, node.handlers)):
            raise NotResumableError
        node.body, _ = self.block(node.body)
        for handler in node.handlers:
            handler.body = [one for each in handler.body for one in self.statement(each)]
        node.orelse, _ = self.block(node.orelse)
        return node


def _raises_again(node: Node) -> bool:
    """Whether some `raise` stands there that names no exception."""
    return any(isinstance(each, t.Raise) and each.exc is None for each in t.walk(node))


_COMPOUND = (t.If, t.While, t.For, t.Try)


def _both(operator: Any, left: Node, right: Node) -> Node:
    return t.copy_location(t.BoolOp(operator, [left, right]), right)
