"""Expressions as text, f-strings and other constants aside."""

from __future__ import annotations

from autograph.conversion.syntax.unparse_layout import OPERATORS, Layout, Level, Node, kind

_UNARY = {"Invert": "~", "Not": "not ", "UAdd": "+", "USub": "-"}
_AFTER = {level: Level(level + 1) for level in Level if level < Level.ATOM}


class Expressions(Layout):
    """Writes operations, calls, items, displays, comprehensions, lambdas."""

    def _NamedExpr(self, t: Node) -> None:
        self.dispatch(t.target, Level.ATOM)
        self.write(" := ")
        self.dispatch(t.value)

    def _Await(self, t: Node) -> None:
        self.write("await ")
        self.dispatch(t.value, Level.ATOM)

    def _Yield(self, t: Node) -> None:
        self.write("yield")
        if t.value:
            self.write(" ")
            self.dispatch(t.value)

    def _YieldFrom(self, t: Node) -> None:
        self.write("yield from ")
        self.dispatch(t.value)

    def _BinOp(self, t: Node) -> None:
        sign, level = OPERATORS[kind(t.op)]
        power = sign == "**"
        self.dispatch(t.left, Level.AWAIT if power else level)
        self.write(f" {sign} ")
        self.dispatch(t.right, Level.FACTOR if power else _AFTER[level])

    def _UnaryOp(self, t: Node) -> None:
        self.write(_UNARY[kind(t.op)])
        self.dispatch(t.operand, Level.NOT if kind(t.op) == "Not" else Level.FACTOR)

    def _BoolOp(self, t: Node) -> None:
        conjunction = kind(t.op) == "And"
        for index, value in enumerate(t.values):
            if index:
                self.write(" and " if conjunction else " or ")
            self.dispatch(value, Level.NOT if conjunction else Level.AND)

    def _Compare(self, t: Node) -> None:
        self.dispatch(t.left, Level.BIT_OR)
        for operator, comparator in zip(t.ops, t.comparators, strict=True):
            self.write(f" {self.cmpops[kind(operator)]} ")
            self.dispatch(comparator, Level.BIT_OR)

    def _IfExp(self, t: Node) -> None:
        self.dispatch(t.body, Level.OR)
        self.write(" if ")
        self.dispatch(t.test, Level.OR)
        self.write(" else ")
        self.dispatch(t.orelse)

    def _Lambda(self, t: Node) -> None:
        self.write("lambda")
        parameters = t.args
        if any((parameters.posonlyargs, parameters.args, parameters.kwonlyargs)) or (
            parameters.vararg or parameters.kwarg
        ):
            self.write(" ")
        self.dispatch(parameters)
        self.write(": ")
        self.dispatch(t.body)

    def _Attribute(self, t: Node) -> None:
        # 3.real is a number followed by a name; (3).real is an attribute.
        number = kind(t.value) == "Constant" and isinstance(t.value.value, int)
        if number and not isinstance(t.value.value, bool):
            self.write("(")
            self.dispatch(t.value)
            self.write(")")
        else:
            self.dispatch(t.value, Level.ATOM)
        self.write("." + t.attr)

    def _Call(self, t: Node) -> None:
        self.dispatch(t.func, Level.ATOM)
        if len(t.args) == 1 and not t.keywords and kind(t.args[0]) == "GeneratorExp":
            self.dispatch(t.args[0])  # brings its own parentheses
            return
        self.bracketed("(", [*t.args, *t.keywords], ")")

    def _keyword(self, t: Node) -> None:
        self.write("**" if t.arg is None else t.arg + "=")
        self.dispatch(t.value, Level.BIT_OR if t.arg is None else Level.TEST)

    def _Starred(self, t: Node) -> None:
        self.write("*")
        self.dispatch(t.value, Level.BIT_OR)

    def _Subscript(self, t: Node) -> None:
        self.dispatch(t.value, Level.ATOM)
        self.write("[")
        self.dispatch(t.slice, Level.TUPLE)
        self.write("]")

    def _Tuple(self, t: Node) -> None:
        if not t.elts:
            self.write("()")
        self.separated(t.elts)
        if len(t.elts) == 1:
            self.write(",")

    def _List(self, t: Node) -> None:
        self.bracketed("[", t.elts, "]")

    def _Set(self, t: Node) -> None:
        self.bracketed("{", t.elts, "}" if t.elts else "*()}")  # {} is a dict

    def _Dict(self, t: Node) -> None:
        def item(pair: tuple[Node, Node]) -> None:
            key, value = pair
            if key is None:
                self.write("**")
                self.dispatch(value, Level.BIT_OR)
            else:
                self.dispatch(key)
                self.write(": ")
                self.dispatch(value)

        self.bracketed("{", zip(t.keys, t.values, strict=True), "}", item)

    def _comprehension(self, t: Node) -> None:
        self.write(" async for " if t.is_async else " for ")
        self.dispatch(t.target, Level.TUPLE)
        self.write(" in ")
        self.dispatch(t.iter, Level.OR)
        for condition in t.ifs:
            self.write(" if ")
            self.dispatch(condition, Level.OR)

    # The four displays write their generators one after the other, not as statements.

    def _ListComp(self, t: Node) -> None:
        self._generated("[", t.elt, t.generators, "]")

    def _SetComp(self, t: Node) -> None:
        self._generated("{", t.elt, t.generators, "}")

    def _GeneratorExp(self, t: Node) -> None:
        self._generated("(", t.elt, t.generators, ")")

    def _DictComp(self, t: Node) -> None:
        self.write("{")
        self.dispatch(t.key)
        self._generated(": ", t.value, t.generators, "}")

    def _generated(self, opening: str, value: Node, generators: list[Node], closing: str) -> None:
        self.write(opening)
        self.dispatch(value)
        for generator in generators:
            self.dispatch(generator)
        self.write(closing)

    def _arguments(self, t: Node) -> None:
        self.separated(self._parameters(t), self._parameter)

    def _parameters(self, t: Node) -> list[tuple[str, Node, Node]]:
        """The parameters of a function, each with its stars and its default."""
        positional = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(positional) - len(t.defaults)) + list(t.defaults)
        entries = list(zip([""] * len(positional), positional, defaults, strict=True))
        if t.posonlyargs:
            entries.insert(len(t.posonlyargs), ("/", None, None))
        if t.vararg or t.kwonlyargs:
            entries.append(("*", t.vararg, None))
        entries.extend(("", a, d) for a, d in zip(t.kwonlyargs, t.kw_defaults, strict=True))
        if t.kwarg:
            entries.append(("**", t.kwarg, None))
        return entries

    def _parameter(self, entry: tuple[str, Node, Node]) -> None:
        star, parameter, default = entry
        self.write(star)
        if parameter is None:
            return
        # ast has `arg` nodes here, gast names.
        self.write(parameter.arg if kind(parameter) == "arg" else parameter.id)
        if parameter.annotation:
            self.write(": ")
            self.dispatch(parameter.annotation)
        if default:
            self.write(" = " if parameter.annotation else "=")
            self.dispatch(default)
