"""Which reads of local variables may find them unset: forward data flow over the tree.

A state is the set of names that are certainly assigned, or None where control cannot come. A read
that succeeded proves its name assigned, so that only the first of several is marked.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.conversion.analysis.exits import always_true
from autograph.conversion.analysis.scopes import (
    FUNCTIONS,
    Scope,
    bound_by_import,
    deleted_in,
    evaluated_around,
    scope_of,
    stored_in,
)
from autograph.conversion.analysis.tables import NodeTable
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node
from autograph.runtime.core.python_versions import COMPREHENSIONS_ARE_INLINE

State = frozenset[str] | None


def mark_unassigned(
    function: Node,
    scope: Scope,
    marks: NodeTable[bool],
    outside: NodeTable[bool] | None = None,
) -> None:
    """Mark the `Name` nodes of a function or lambda that read a perhaps unset local variable.

    The target of an augmented assignment and of `del` count as reads. `outside` gets the reads of
    this function's variables by functions inside it: of those that are deleted, and of those that
    are perhaps unset where the inner function is made and are assigned under conditions. Also those
    of variables from outside that the function itself may unset, or sets under conditions.
    """
    names = scope.local_names - scope.unset_within
    flow = _Flow(frozenset(scope.local_names), frozenset(names), marks)
    if not isinstance(function, t.Lambda):
        flow.changed, flow.globals = _changed_outside(function, scope), scope.global_names
        flow.stable |= flow.changed
    if outside is not None:
        flow.outside = outside
    if not isinstance(function, t.Lambda):
        plain = [one for one in function.body if not isinstance(one, COMPOUND)]
        flow.deleted = deleted_in(function.body) | scope.unset_within
        conditional = [one for one in function.body if isinstance(one, COMPOUND)]
        flow.settled = stored_in(plain) - stored_in(conditional)
    start = frozenset(scope.parameters) & names
    if isinstance(function, t.Lambda):
        flow.expression(function.body, start)
    else:
        flow.block(function.body, start)


COMPREHENSIONS = ("ag__listcomp_", "ag__setcomp_", "ag__dictcomp_")
"""How the functions begin that comprehensions have become."""
COMPOUND = (t.If, t.For, t.While, t.Try, t.With, t.Match)


def _changed_outside(function: Node, scope: Scope) -> frozenset[str]:
    """The variables from outside that a function deletes, or assigns under conditions."""
    conditional = [one for one in function.body if isinstance(one, COMPOUND)]
    changed = stored_in(conditional) | deleted_in(function.body)
    return frozenset(changed & (scope.global_names | scope.nonlocal_names))


def _free_reads(node: Node) -> Iterator[Node]:
    """The reads of variables from outside, in a function and in those inside it."""
    own = scope_of(node).local_names if isinstance(node, FUNCTIONS) else set()
    named = stored_in(node.body) if isinstance(node, t.ClassDef) else set()
    body = set(map(id, node.body)) if isinstance(node, t.ClassDef) else set()
    for child in t.iter_child_nodes(node):
        found = _free_reads(child)
        if isinstance(child, t.Name) and isinstance(child.ctx, t.Load):
            found = iter([child])
        elif isinstance(child, t.AugAssign) and isinstance(child.target, t.Name):
            found = iter([child.target, *found])
        # A name that a class body assigns is the class's there; functions in it do not see that.
        direct = _read_at_once(child) if id(child) in body else set()
        yield from (
            one
            for one in found
            if one.id not in own and not (one.id in named and id(one) in direct)
        )


def _read_inside(node: Node) -> set[int]:
    """The ids of the names in a function that stands for a comprehension; not in lambdas there."""
    if not (isinstance(node, t.FunctionDef) and node.name.startswith(COMPREHENSIONS)):
        return set()
    found: set[int] = set()
    waiting = [*node.body]
    while waiting:
        one = waiting.pop()
        if isinstance(one, t.Name):
            found.add(id(one))
        elif isinstance(one, FUNCTIONS):
            found |= _read_inside(one)
        else:
            waiting.extend(t.iter_child_nodes(one))
    return found


def _read_at_once(node: Node) -> set[int]:
    """The ids of the names in a statement that no function inside it reads."""
    found: set[int] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, t.Name):
            found.add(id(one))
        if isinstance(one, FUNCTIONS):
            outside = [*getattr(one, "decorator_list", []), *one.args.defaults]
            waiting += [each for each in (*outside, *one.args.kw_defaults) if each is not None]
        else:
            waiting += t.iter_child_nodes(one)
    return found


def _both(first: State, second: State) -> State:
    if first is None:
        return second
    return first if second is None else first & second


class _Flow:
    def __init__(self, checked: frozenset[str], stable: frozenset[str], marks: NodeTable[bool]):
        self.checked = checked  # the function's variables
        self.stable = stable  # those of them that inner functions never unset
        self.marks = marks
        self.breaks: list[State] = []
        self.changed: frozenset[str] = frozenset()  # variables from outside that it may unset
        self.globals: set[str] = set()
        self.outside: NodeTable[bool] = NodeTable()  # whether they are global variables
        self.deleted: set[str] = set()
        self.settled: set[str] = set()  # never assigned under a condition

    def block(self, statements: list[Node], state: State) -> State:
        for statement in statements:
            state = self.statement(statement, state)
        return state

    def statement(self, node: Node, state: State) -> State:
        if state is None:
            return None
        visit = getattr(self, f"_{type(node).__name__}", None)
        if visit is not None:
            result: State = visit(node, state)
            return result
        for child in t.iter_child_nodes(node):
            state = self.expression(child, state)
        return state

    # Statements

    def _Return(self, node: Node, state: State) -> State:
        self._optional(node.value, state)
        return None

    def _Raise(self, node: Node, state: State) -> State:
        self._optional(node.cause, self._optional(node.exc, state))
        return None

    def _Break(self, node: Node, state: State) -> State:
        self.breaks[-1] = _both(self.breaks[-1], state)
        return None

    def _Continue(self, node: Node, state: State) -> State:
        return None

    def _Assert(self, node: Node, state: State) -> State:
        state = self.expression(node.test, state)
        self._optional(node.msg, state)
        return state

    def _Assign(self, node: Node, state: State) -> State:
        state = self.expression(node.value, state)
        for target in node.targets:
            state = self.expression(target, state)
        return state

    def _AnnAssign(self, node: Node, state: State) -> State:
        return state  # a bare annotation; those with a value were made plain assignments

    def _AugAssign(self, node: Node, state: State) -> State:
        if isinstance(node.target, t.Name):
            state = self.expression(node.value, self._read(node.target, state))
            return self._bound([node.target.id], state)
        return self.expression(node.value, self.expression(node.target, state))

    def _FunctionDef(self, node: Node, state: State) -> State:
        for part in evaluated_around(node):
            state = self.expression(part, state)
        state = self._bound([node.name], state)
        self._inner(node, state)
        return state

    _AsyncFunctionDef = _FunctionDef
    _ClassDef = _FunctionDef

    def _Import(self, node: Node, state: State) -> State:
        return self._bound(bound_by_import(node), state)

    _ImportFrom = _Import

    def _If(self, node: Node, state: State) -> State:
        state = self.expression(node.test, state)
        return _both(self.block(node.body, state), self.block(node.orelse, state))

    def _While(self, node: Node, state: State) -> State:
        state = _without(state, deleted_in([node.test, *node.body]))
        state = self.expression(node.test, state)
        return self._loop(node, state, state, endless=always_true(node.test))

    def _For(self, node: Node, state: State) -> State:
        state = self.expression(node.iter, state)
        state = _without(state, deleted_in(node.body))
        return self._loop(node, state, self.expression(node.target, state), endless=False)

    def _loop(self, node: Node, header: State, inside: State, *, endless: bool) -> State:
        self.breaks.append(None)
        self.block(node.body, inside)
        broken = self.breaks.pop()
        return _both(None if endless else self.block(node.orelse, header), broken)

    def _With(self, node: Node, state: State) -> State:
        # A manager that swallows an exception leaves names unset; CPython then says so itself.
        for item in node.items:
            state = self.expression(item.context_expr, state)
            if item.optional_vars is not None:
                state = self.expression(item.optional_vars, state)
        return self.block(node.body, state)

    def _Try(self, node: Node, state: State) -> State:
        caught = _without(state, deleted_in(node.body))
        depth = len(self.breaks)
        saved = list(self.breaks)
        self.breaks = [None] * depth
        done = self.block(node.orelse, self.block(node.body, state))
        for handler in node.handlers:
            inside = self._optional(handler.type, caught)
            if handler.name is not None:
                inside = self._bound([handler.name.id], inside)
            inside = self.block(handler.body, inside)
            if handler.name is not None:
                inside = _without(inside, {handler.name.id})
            done = _both(done, inside)
        broken = self.breaks
        self.breaks = saved
        if node.finalbody:
            inner = [*node.body, *node.orelse, *node.handlers]
            before = _without(state, deleted_in(inner))
            last = self.block(node.finalbody, before)
            gone = deleted_in(node.finalbody)
            gained = (last or frozenset()) - (before or frozenset())
            broken = [None if each is None else (each - gone) | gained for each in broken]
            done = None if done is None or last is None else (done - gone) | last
        self.breaks = [_both(old, new) for old, new in zip(self.breaks, broken, strict=True)]
        return done

    def _Delete(self, node: Node, state: State) -> State:
        for target in node.targets:
            state = self.expression(target, state)
        return state

    # Expressions

    def _optional(self, node: Node | None, state: State) -> State:
        return state if node is None else self.expression(node, state)

    def expression(self, node: Node, state: State) -> State:
        """The state after an expression or an assignment's target."""
        if isinstance(node, t.Name):
            if isinstance(node.ctx, t.Store):
                return self._bound([node.id], state)
            state = self._read(node, state)
            return _without(state, {node.id}) if isinstance(node.ctx, t.Del) else state
        if isinstance(node, t.BoolOp):
            return self._some(node.values, 1, state)
        if isinstance(node, t.Compare):
            return self._some([node.left, *node.comparators], 2, state)
        if isinstance(node, t.IfExp):
            state = self.expression(node.test, state)
            return _both(self.expression(node.body, state), self.expression(node.orelse, state))
        if isinstance(node, t.NamedExpr):
            return self._bound([node.target.id], self.expression(node.value, state))
        if isinstance(node, (t.Lambda, t.GeneratorExp, t.ListComp, t.SetComp, t.DictComp)):
            for part in evaluated_around(node):
                state = self.expression(part, state)
            self._inner(node, state)
            return state
        for child in t.iter_child_nodes(node):
            state = self.expression(child, state)
        return state

    def _some(self, operands: list[Node], certain: int, state: State) -> State:
        """Operands evaluated in order, all after the first `certain` ones perhaps not."""
        for operand in operands[:certain]:
            state = self.expression(operand, state)
        inside = state
        for operand in operands[certain:]:
            inside = self.expression(operand, inside)
        return state

    def _read(self, node: Node, state: State) -> State:
        if state is None or node.id in state:
            return state
        if node.id in self.changed:
            self.outside[node] = node.id in self.globals
        elif node.id in self.checked:
            self.marks[node] = True
        else:
            return state
        return self._bound([node.id], state)

    def _inner(self, node: Node, state: State) -> None:
        """Mark what a function that is made here may read while it is unset."""
        here = _read_inside(node) if COMPREHENSIONS_ARE_INLINE else set()
        for read in _free_reads(node) if state is not None else ():
            name = read.id
            if id(read) in here:
                if name in self.checked and name not in (state or ()):
                    self.marks[read] = True
                continue
            unset = name not in (state or ()) and name not in self.settled
            if name in self.checked and (unset or name in self.deleted):
                self.outside[read] = False
            elif name in self.changed:
                self.outside[read] = name in self.globals

    def _bound(self, names: list[str], state: State) -> State:
        return None if state is None else state | (self.stable & set(names))


def _without(state: State, names: set[str]) -> State:
    return None if state is None else state - names
