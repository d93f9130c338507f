"""The walk of passes that rewrite expressions, by a table of rules from node class to rewrite.

A rule may need a function definition that its expression then uses. A definition evaluates
nothing, so it is put before the statement (`hoist`). Inside a lambda there is no such place: then
the lambda becomes a function definition itself, and that is put before the statement.

Before:
    g = lambda x: [x + i for i in xs]

After a pass whose rule turns the comprehension into a function:
    def ag__make_1():
        def ag__lambda_1(x):
            def ag__listcomp_1(ag__iterable): ...
            return ag__listcomp_1(xs)
        return ag__lambda_1
    g = ag__make_1()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograph.conversion.analysis.exits import blocks_of
from autograph.conversion.analysis.scopes import Scope, scope_of, stays, stored_in, walrus_names
from autograph.conversion.passes import emit
from autograph.conversion.passes.bindings import declare_variable, has_docstring
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

ExpressionRule = Callable[[Node, "Rewriter"], Node]
StatementRule = Callable[[Node, "Rewriter"], list[Node]]


class Rewriter:
    """One walk over a function. Rules call back `expression`, `thunk`, `hoist`."""

    def __init__(
        self,
        context: Context,
        expressions: Mapping[type, ExpressionRule],
        statements: Mapping[type, StatementRule],
    ) -> None:
        self.context = context
        self._expressions = expressions
        self._statements = statements
        self._hoisted: list[list[Node]] = [[]]
        self._scopes: list[Scope] = []

    @property
    def scope(self) -> Scope:
        """The scope of the user function that is being rewritten."""
        return self._scopes[-1]

    def root(self, tree: Node) -> Node:
        """Rewrite a whole function; its decorators and defaults stay, they are not run again."""
        if not isinstance(tree, t.Lambda):
            self.function(tree)
            return tree
        scope = self._scope_of(tree)
        body, hoisted = self._lambda_body(tree, scope)
        if not hoisted and tree.args.kwarg is None:
            tree.body = body
            return tree
        return self._function_of_lambda(tree, scope, body, hoisted)

    # Statements

    def function(self, node: Node) -> None:
        """Rewrite the body of a function definition, unless it is a coroutine."""
        if stays(node):
            return
        is_part = node.name in self.context.bodies
        if not is_part:
            self._scopes.append(self._scope_of(node))
        node.body = self.block(node.body)
        if not is_part:
            self._keep_variables(node, self._scopes.pop())

    def _keep_variables(self, function: Node, scope: Scope) -> None:
        """Declare the variables that now only hoisted functions assign."""
        if function not in self.context.scopes:  # else a later pass declares them
            lost = scope.local_names - set(scope.parameters) - stored_in(function.body)
            at = 1 if has_docstring(function) else 0
            function.body[at:at] = [declare_variable(name, function) for name in sorted(lost)]

    def _scope_of(self, node: Node) -> Scope:
        known = node in self.context.scopes
        return self.context.scopes[node] if known else scope_of(node)

    def block(self, statements: list[Node]) -> list[Node]:
        """Rewrite statements, and put before each what its rules hoisted."""
        result: list[Node] = []
        for statement in statements:
            self._hoisted.append([])
            rewritten = self.statement(statement)
            result.extend(self._hoisted.pop())
            result.extend(rewritten)
        return result

    def statement(self, node: Node) -> list[Node]:
        """What a statement becomes."""
        rule = self._statements.get(type(node))
        if rule is not None:
            return rule(node, self)
        if isinstance(node, (t.FunctionDef, t.AsyncFunctionDef)):
            self.definition(node)
        elif isinstance(node, t.ClassDef):
            self.class_definition(node)
        elif not isinstance(node, (t.Import, t.ImportFrom, t.AnnAssign)):
            self.children(node)
        return [node]

    def definition(self, node: Node) -> None:
        """Rewrite a function inside, and what is evaluated where it is defined."""
        arguments = node.args
        node.decorator_list = [self.expression(each) for each in node.decorator_list]
        arguments.defaults = [self.expression(each) for each in arguments.defaults]
        arguments.kw_defaults = [self.optional(each) for each in arguments.kw_defaults]
        self.function(node)

    def class_definition(self, node: Node) -> None:
        """Rewrite the methods of a class, and what is evaluated where it is defined."""
        node.decorator_list = [self.expression(each) for each in node.decorator_list]
        node.bases = [self.expression(each) for each in node.bases]
        for keyword in node.keywords:
            keyword.value = self.expression(keyword.value)
        self.class_body(node.body)

    def class_body(self, statements: list[Node]) -> None:
        """Rewrite the functions of a class. A function beside them would be one of its members."""
        for statement in statements:
            if isinstance(statement, t.FunctionDef):
                self.function(statement)
            elif isinstance(statement, t.ClassDef):
                self.class_body(statement.body)
            for block in blocks_of(statement):
                self.class_body(block)

    def children(self, node: Node) -> None:
        """Rewrite the expressions and statements directly inside a node."""
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                if value and isinstance(value[0], t.stmt):
                    setattr(node, name, self.block(value))
                else:
                    setattr(node, name, [self._child(each) for each in value])
            elif isinstance(value, t.AST):
                setattr(node, name, self._child(value))

    def _child(self, node: Node) -> Node:
        if isinstance(node, t.expr):
            return self.expression(node)
        if isinstance(node, t.AST):
            self.children(node)
        return node

    def hoist(self, definition: Node) -> None:
        """Put a function definition before the statement that is being rewritten."""
        self._hoisted[-1].append(definition)

    # Expressions

    def optional(self, node: Node | None) -> Node | None:
        """What an expression becomes, if there is one."""
        return None if node is None else self.expression(node)

    def expression(self, node: Node) -> Node:
        """What an expression becomes."""
        rule = self._expressions.get(type(node))
        if rule is not None:
            return rule(node, self)
        if isinstance(node, t.Lambda):
            return self._lambda(node)
        self.children(node)
        return node

    def thunk(self, node: Node) -> Node:
        """A function without parameters that evaluates an expression: a lambda where it can be.

        An assignment expression inside would bind a variable of the lambda: then it is a
        definition, which declares the variable nonlocal.
        """
        binds = next(walrus_names(node), None) is not None
        self._hoisted.append([])
        body = self.expression(node)
        hoisted = self._hoisted.pop()
        if not hoisted and not binds:
            return emit.thunk(body, node)
        (name,) = self.context.names.numbered("thunk")
        self.context.bodies.add(name)
        self.hoist(emit.define(name, (), [*hoisted, emit.give(body, node)], node))
        return t.name_load(name, node)

    def _lambda(self, node: Node) -> Node:
        arguments = node.args
        arguments.defaults = [self.expression(each) for each in arguments.defaults]
        arguments.kw_defaults = [self.optional(each) for each in arguments.kw_defaults]
        scope = self._scope_of(node)
        body, hoisted = self._lambda_body(node, scope)
        if not hoisted and node.args.kwarg is None:  # a dict of `**named` is made known as new
            node.body = body
            return node
        return self._make(node, self._function_of_lambda(node, scope, body, hoisted))

    def _lambda_body(self, node: Node, scope: Scope) -> tuple[Node, list[Node]]:
        self._scopes.append(scope)
        self._hoisted.append([])
        body = self.expression(node.body)
        self._scopes.pop()
        return body, self._hoisted.pop()

    def _function_of_lambda(
        self, node: Node, scope: Scope, body: Node, hoisted: list[Node]
    ) -> Node:
        (name,) = self.context.names.numbered("lambda")
        statements = [*hoisted, emit.give(body, node.body)]
        function = emit.define_with(name, node.args, statements, node)
        if node in self.context.scopes:
            self.context.scopes[function] = scope
            self.context.shared[function] = self.context.shared[node]
        self._keep_variables(function, scope)
        return function

    def _make(self, node: Node, function: Node) -> Node:
        """A call of a hoisted function that makes `function`, its defaults given as arguments.

        So they are evaluated where the lambda was, and each evaluation makes a new function.
        """
        make, item = self.context.names.numbered("make", "default")
        given: list[Node] = []
        parameters: list[str] = []
        for defaults in (function.args.defaults, function.args.kw_defaults):
            for index, default in enumerate(defaults):
                if default is not None:
                    parameters.append(f"{item}_{len(parameters) + 1}")
                    given.append(default)
                    defaults[index] = t.name_load(parameters[-1], default)
        body = [function, emit.give(t.name_load(function.name, node), node)]
        self.context.makers.add(make)
        self.hoist(emit.define(make, parameters, body, node))
        return t.call(t.name_load(make, node), *given, at=node)

    def declare_outer(self, names: list[str], at: Node) -> list[Node]:
        """Declarations, in a function inside this one, of variables that it assigns."""
        outer = [name for name in names if name in self.scope.global_names]
        inner = [name for name in names if name not in self.scope.global_names]
        found = []
        if outer:
            found.append(t.copy_location(t.Global(outer), at))
        if inner:
            found.append(t.copy_location(t.Nonlocal(inner), at))
        return found


def loops(node: Node, body: list[Node]) -> list[Node]:
    """The nested loops and conditions of a comprehension around statements."""
    for generator in reversed(node.generators):
        at = generator.target
        for test in reversed(generator.ifs):
            body = [t.copy_location(t.If(test, body, []), test)]
        body = [t.copy_location(t.For(generator.target, generator.iter, body, [], None), at)]
    return body
