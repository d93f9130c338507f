"""`match` becomes `if` and `else`, and its patterns calls of operators.

Before:
    match command:
        case "stop":
            return None
        case Move(x, y=0) if x > 0:
            use(x)
        case other:
            use(other)

After:
    ag__subject_1 = command
    if ag__subject_1 == 'stop':
        return None
    else:
        ag__pattern_1 = ag__.class_pattern(
            lambda: Move, (ag__.capture('x'), ag__.literal(0)), ('y',)
        )
        ag__matched_1 = False
        if ag__.matches(ag__subject_1, ag__pattern_1):
            x = ag__.captured(ag__pattern_1, 'x')
            ag__matched_1 = x > 0
        if ag__matched_1:
            x = ag__.captured(ag__pattern_1, 'x')
            use(x)
        else:
            other = ag__subject_1
            use(other)

A pattern binds its names only when it has matched as a whole, before its guard. They are bound once
more after a guard that may be staged, since there they are certain; not where the guard, or another
function, might have bound them to something else.
"""

from __future__ import annotations

from autograph.conversion.analysis.scopes import functions_of_class, scope_of, stored_in
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Rewrite every `match` of the tree; those that stand in a class body stay."""
    if any(isinstance(node, t.Match) for node in t.walk(tree)):
        _Statements(context).inside(tree)
    return tree


class _Statements:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.rebound: set[str] = set()

    def inside(self, node: Node) -> None:
        """Rewrite the statements inside a node."""
        saved = self.rebound
        if isinstance(node, t.FunctionDef):
            scope = scope_of(node)
            self.rebound = scope.rebound_within | scope.nonlocal_names | scope.global_names
        for part in (node, *getattr(node, "handlers", []), *getattr(node, "cases", [])):
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(part, name, None)
                if isinstance(inner, list):
                    setattr(part, name, self.block(inner))
        self.rebound = saved

    def block(self, statements: list[Node]) -> list[Node]:
        result: list[Node] = []
        for statement in statements:
            if isinstance(statement, t.ClassDef):
                for method in functions_of_class(statement):
                    self.inside(method)
                result.append(statement)
                continue
            self.inside(statement)
            result.extend(self.match(statement) if isinstance(statement, t.Match) else [statement])
        return result

    def match(self, node: Node) -> list[Node]:
        (name,) = self.context.names.numbered("subject")
        return [emit.assign(name, node.subject, node), *self.cases(name, node.cases)]

    def cases(self, subject: str, cases: list[Node]) -> list[Node]:
        """The cases from the first of these on."""
        if not cases:
            return []
        first, *others = cases
        pattern, guard, at = first.pattern, first.guard, first.pattern
        if isinstance(pattern, t.MatchAs) and pattern.pattern is None:
            bound = []
            if pattern.name is not None:
                bound = [emit.assign(pattern.name, t.name_load(subject, at), at)]
            if guard is None:
                return [*bound, *first.body]
            return [*bound, _if(guard, first.body, self.cases(subject, others), at)]
        names = captures_of(pattern)
        before: list[Node] = []
        test = _comparison(pattern, subject) if guard is None else None
        binds: list[Node] = []
        if test is None:
            description = describe(pattern)
            if names:
                (variable,) = self.context.names.numbered("pattern")
                before = [emit.assign(variable, description, at)]
                description = t.name_load(variable, at)
                binds = [_bind(each, variable, at) for each in names]
            test = emit.operator("matches", t.name_load(subject, at), description, at=at)
        rest = self.cases(subject, others)
        if guard is None:
            return [*before, _if(test, [*binds, *first.body], rest, at)]
        if not names:
            both = t.copy_location(t.BoolOp(t.And(), [test, guard]), guard)
            return [_if(both, first.body, rest, at)]
        matched = self.context.names.variable("matched")
        found = [*binds, emit.assign(matched, guard, guard)]
        if {*names} & (stored_in([emit.expression(guard, guard)]) | self.rebound):
            binds = []
        return [
            *before,
            emit.assign(matched, t.constant(False, at), at),
            _if(test, found, [], at),
            _if(t.name_load(matched, at), [*map(t.copy_tree, binds), *first.body], rest, at),
        ]


def _if(test: Node, body: list[Node], orelse: list[Node], at: Node) -> Node:
    return t.copy_location(t.If(test, body, orelse), at)


def _bind(name: str, pattern: str, at: Node) -> Node:
    key = t.constant(name, at)
    return emit.assign(name, emit.operator("captured", t.name_load(pattern, at), key, at=at), at)


def _comparison(pattern: Node, subject: str) -> Node | None:
    """`subject == value` or `subject is None`, for a pattern that is no more than that."""
    if isinstance(pattern, t.MatchValue):
        operator, value = t.Eq(), pattern.value
    elif isinstance(pattern, t.MatchSingleton):
        operator, value = t.Is(), t.constant(pattern.value, pattern)
    else:
        return None
    left = t.name_load(subject, pattern)
    return t.copy_location(t.Compare(left, [operator], [value]), pattern)


def captures_of(pattern: Node) -> list[str]:
    """The names that a pattern binds, in the order in which they stand; each once."""
    names: dict[str, None] = {}
    for node in t.walk(pattern):
        if isinstance(node, t.MatchAs | t.MatchStar) and node.name is not None:
            names[node.name] = None
        elif isinstance(node, t.MatchMapping) and node.rest is not None:
            names[node.rest] = None
    return list(names)


def describe(pattern: Node) -> Node:
    """The expression that makes a pattern."""
    return _DESCRIBED[type(pattern)](pattern)


def _made(name: str, *arguments: Node, at: Node) -> Node:
    return emit.operator(name, *arguments, at=at)


def _tuple(items: list[Node], at: Node) -> Node:
    return t.copy_location(t.Tuple(items, t.Load()), at)


def _value(pattern: Node) -> Node:
    if isinstance(pattern.value, t.Attribute):
        return _made("value_pattern", emit.thunk(pattern.value, pattern), at=pattern)
    return _made("literal", pattern.value, at=pattern)


def _singleton(pattern: Node) -> Node:
    return _made("singleton", t.constant(pattern.value, pattern), at=pattern)


def _as(pattern: Node) -> Node:
    name = t.constant(pattern.name, pattern)
    if pattern.pattern is None:
        return _made("capture", name, at=pattern)
    return _made("as_pattern", describe(pattern.pattern), name, at=pattern)


def _or(pattern: Node) -> Node:
    return _made("or_pattern", *map(describe, pattern.patterns), at=pattern)


def _star(pattern: Node) -> Node:
    return _made("star", t.constant(pattern.name, pattern), at=pattern)


def _sequence(pattern: Node) -> Node:
    return _made("sequence_pattern", *map(describe, pattern.patterns), at=pattern)


def _mapping(pattern: Node) -> Node:
    keys = _tuple([emit.thunk(key, key) for key in pattern.keys], pattern)
    values = _tuple([describe(each) for each in pattern.patterns], pattern)
    rest = [] if pattern.rest is None else [t.constant(pattern.rest, pattern)]
    return _made("mapping_pattern", keys, values, *rest, at=pattern)


def _class(pattern: Node) -> Node:
    parts = _tuple([describe(each) for each in (*pattern.patterns, *pattern.kwd_patterns)], pattern)
    names = emit.names_tuple(pattern.kwd_attrs, pattern)
    return _made("class_pattern", emit.thunk(pattern.cls, pattern), parts, names, at=pattern)


_DESCRIBED = {
    t.MatchValue: _value,
    t.MatchSingleton: _singleton,
    t.MatchAs: _as,
    t.MatchOr: _or,
    t.MatchStar: _star,
    t.MatchSequence: _sequence,
    t.MatchMapping: _mapping,
    t.MatchClass: _class,
}
