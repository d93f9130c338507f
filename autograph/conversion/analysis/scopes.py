"""Which names a function binds, and which of them its inner scopes see.

A function's scope covers its own body and what is evaluated there: defaults, decorators and
annotations of inner functions, bases of inner classes, the first iterable of a comprehension.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

COMPREHENSIONS = (t.ListComp, t.SetComp, t.DictComp, t.GeneratorExp)
FUNCTIONS = (t.FunctionDef, t.AsyncFunctionDef, t.Lambda)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, t.ClassDef)


@dataclass
class Scope:
    """The names of one scope, and the scopes directly inside it."""

    node: Node
    parameters: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)  # assigned or deleted
    deleted: set[str] = field(default_factory=set)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    inner: list[Scope] = field(default_factory=list)
    seen_inside: set[str] = field(default_factory=set)  # by functions inside, so far
    repeats: int = 0  # loops around what is collected
    again: set[str] = field(default_factory=set)  # assigned where functions inside may see it
    suspends: bool = False  # contains yield or await
    shallow: bool = False  # the scopes inside are not looked at

    @property
    def local_names(self) -> set[str]:
        """The variables that belong to this scope."""
        return (self.stored | set(self.parameters)) - self.global_names - self.nonlocal_names

    @property
    def free(self) -> set[str]:
        """The names that this scope and those inside it take from outside, globals included."""
        inner = {name for scope in self.inner for name in scope.free}
        if isinstance(self.node, t.ClassDef):
            # Names of a class body are not seen from inside, and a read may fall through.
            return inner | self.read | self.nonlocal_names
        return (self.read | self.nonlocal_names | inner) - self.local_names - self.global_names

    def captured(self, inline: set[str]) -> set[str]:
        """The local variables that inner scopes use, and may use at any later time.

        Functions named in `inline` are called where they are defined and nowhere else; only what
        is captured from inside them counts.
        """
        outside = {name for scope in self.inner for name in _held(scope, inline)}
        return outside & self.local_names

    @property
    def rebound_within(self) -> set[str]:
        """The local variables that inner scopes declare nonlocal."""
        return {name for scope in self.inner for name in _reaching(scope)} & self.local_names

    @property
    def changing_within(self) -> set[str]:
        """The local variables that functions inside use, and that change once these are made."""
        return self.rebound_within | (self.again & self.seen_inside & self.local_names)

    @property
    def unset_within(self) -> set[str]:
        """The local variables that inner scopes delete."""
        return {name for scope in self.inner for name in _unset(scope)} & self.local_names


def _held(scope: Scope, inline: set[str]) -> set[str]:
    if isinstance(scope.node, t.FunctionDef) and scope.node.name in inline:
        inner = {name for each in scope.inner for name in _held(each, inline)}
        return inner - scope.local_names - scope.global_names
    return scope.free


def _reaching(scope: Scope) -> set[str]:
    inner = {name for each in scope.inner for name in _reaching(each)}
    own = set() if isinstance(scope.node, t.ClassDef) else scope.local_names
    return scope.nonlocal_names | (inner - own)


def _unset(scope: Scope) -> set[str]:
    inner = {name for each in scope.inner for name in _unset(each)}
    own = set() if isinstance(scope.node, t.ClassDef) else scope.local_names
    return (scope.deleted & scope.nonlocal_names) | (inner - own)


def scope_of(node: Node) -> Scope:
    """The scope of a function, lambda, class or comprehension."""
    scope = Scope(node)
    if isinstance(node, FUNCTIONS):
        scope.parameters = [each.id for each in parameters_of(node.args)]
    if isinstance(node, t.Lambda):
        _collect(node.body, scope)
    elif isinstance(node, COMPREHENSIONS):
        for child in _inside_comprehension(node):
            _collect(child, scope)
        # An assignment expression inside binds a variable of the function around.
        scope.stored -= set(walrus_names(node))
    else:
        for statement in node.body:
            _collect(statement, scope)
    return scope


def parameters_of(arguments: Node) -> list[Node]:
    """The parameters, in the order in which they are declared."""
    lists = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg is not None:
        lists.append(arguments.vararg)
    lists.extend(arguments.kwonlyargs)
    if arguments.kwarg is not None:
        lists.append(arguments.kwarg)
    return lists


def evaluated_around(node: Node) -> list[Node]:
    """The parts of an inner scope which are evaluated in the scope around it."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, t.ClassDef):
        return [*node.decorator_list, *node.bases, *(each.value for each in node.keywords)]
    arguments = node.args
    parts = [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]
    if isinstance(node, t.Lambda):
        return parts
    notes = [each.annotation for each in parameters_of(arguments) if each.annotation is not None]
    if node.returns is not None:
        notes.append(node.returns)
    return [*node.decorator_list, *parts, *notes]


def _inside_comprehension(node: Node) -> Iterator[Node]:
    for index, generator in enumerate(node.generators):
        yield generator.target
        if index:
            yield generator.iter
        yield from generator.ifs
    if isinstance(node, t.DictComp):
        yield node.key
        yield node.value
    else:
        yield node.elt


def walrus_names(node: Node) -> Iterator[str]:
    """The names bound by assignment expressions in an expression, in the scope around it."""
    if isinstance(node, t.NamedExpr):
        yield node.target.id
    if isinstance(node, t.Lambda):
        for part in evaluated_around(node):
            yield from walrus_names(part)
        return
    for child in t.iter_child_nodes(node):
        yield from walrus_names(child)


def bound_by_import(statement: Node) -> list[str]:
    """The names that an import statement binds."""
    return [each.asname or each.name.split(".")[0] for each in statement.names]


def _collect(node: Node, scope: Scope) -> None:
    if isinstance(node, t.Name):
        _collect_name(node, scope)
    elif isinstance(node, SCOPES):
        _collect_inner(node, scope)
    elif isinstance(node, t.Global):
        scope.global_names.update(node.names)
    elif isinstance(node, t.Nonlocal):
        scope.nonlocal_names.update(node.names)
    elif isinstance(node, (t.Import, t.ImportFrom)):
        scope.stored.update(bound_by_import(node))
    else:
        if isinstance(node, (t.Yield, t.YieldFrom, t.Await, t.AsyncFor, t.AsyncWith)):
            scope.suspends = True
        if isinstance(node, t.AugAssign) and isinstance(node.target, t.Name):
            scope.read.add(node.target.id)
        if isinstance(node, t.ExceptHandler) and node.name is not None:
            scope.deleted.add(node.name.id)
        repeats = isinstance(node, (t.For, t.AsyncFor, t.While))
        scope.repeats += repeats
        for child in t.iter_child_nodes(node):
            _collect(child, scope)
        scope.repeats -= repeats


def _collect_name(node: Node, scope: Scope) -> None:
    if isinstance(node.ctx, t.Load):
        scope.read.add(node.id)
    else:
        _bind(scope, node.id)
        if isinstance(node.ctx, t.Del):
            scope.deleted.add(node.id)


def _bind(scope: Scope, name: str) -> None:
    if scope.repeats or name in scope.seen_inside:
        scope.again.add(name)
    scope.stored.add(name)


def _collect_inner(node: Node, scope: Scope) -> None:
    for part in evaluated_around(node):
        _collect(part, scope)
    if isinstance(node, (t.FunctionDef, t.AsyncFunctionDef, t.ClassDef)):
        _bind(scope, node.name)
    if isinstance(node, COMPREHENSIONS):
        for name in walrus_names(node):
            _bind(scope, name)
    if not scope.shallow:
        inner = scope_of(node)
        scope.inner.append(inner)
        if not isinstance(node, COMPREHENSIONS) or inner.inner:
            scope.seen_inside |= inner.free


def stored_in(statements: list[Node]) -> set[str]:
    """The names that statements assign or delete themselves, inner scopes aside."""
    scope = Scope(None, shallow=True)
    for statement in statements:
        _collect(statement, scope)
    return scope.stored


def deleted_in(nodes: list[Node]) -> set[str]:
    """The names that statements or expressions delete themselves, inner scopes aside."""
    scope = Scope(None, shallow=True)
    for node in nodes:
        _collect(node, scope)
    return scope.deleted


def is_generator(function: Node) -> bool:
    """Whether a function definition is a generator function."""
    return isinstance(function, t.FunctionDef) and _suspends(function)


def stays(function: Node) -> bool:
    """Whether a function is left as it is: a coroutine, or a lambda that yields."""
    if isinstance(function, t.Lambda):
        return _suspends(function)
    return isinstance(function, t.AsyncFunctionDef)


def _suspends(function: Node) -> bool:
    scope = Scope(None, shallow=True)
    for part in [function.body] if isinstance(function, t.Lambda) else function.body:
        _collect(part, scope)
    return scope.suspends


def functions_of_class(node: Node) -> Iterator[Node]:
    """The function definitions directly inside a class, and those of the classes in it."""
    for child in t.iter_child_nodes(node):
        if isinstance(child, t.FunctionDef):
            yield child
        elif isinstance(child, t.stmt) and not isinstance(child, t.AsyncFunctionDef):
            yield from functions_of_class(child)


def holds_yield(node: Node) -> bool:
    """Whether a statement or expression yields, functions inside it aside."""
    scope = Scope(None, shallow=True)
    _collect(node, scope)
    return scope.suspends


def yields_inside(value: Node) -> bool:
    """Whether the item of a `yield` holds another one."""
    return value.value is not None and holds_yield(value.value)


def sees_exit(handler: Node) -> bool:
    """Whether a handler may be for GeneratorExit."""
    several = isinstance(handler.type, t.Tuple)
    types = handler.type.elts if several else [handler.type]
    names = [getattr(each, "id", getattr(each, "attr", None)) for each in types]
    return any(name in (None, "GeneratorExit", "BaseException") for name in names)


def converted_functions(tree: Node) -> Iterator[Node]:
    """The function definitions and lambdas that are converted, outer ones first.

    Methods of classes are among them; not what is inside coroutines.
    """
    pending: list[Node] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, FUNCTIONS):
            if stays(node):
                continue
            yield node
        pending.extend(reversed(t.iter_child_nodes(node)))
