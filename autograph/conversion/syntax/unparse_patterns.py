"""The patterns of `match` as text."""

from __future__ import annotations

from autograph.conversion.syntax.unparse_layout import Layout, Level, Node


class Patterns(Layout):
    """Writes `match` statements."""

    def _Match(self, t: Node) -> None:
        self.fill("match ")
        self.dispatch(t.subject)
        self.enter()
        for case in t.cases:
            self._came_from = getattr(case.pattern, "lineno", None)
            self.dispatch(case)
        self.leave()

    def _match_case(self, t: Node) -> None:
        self.fill("case ")
        self.dispatch(t.pattern)
        if t.guard:
            self.write(" if ")
            self.dispatch(t.guard)
        self.suite(t.body)

    def _MatchValue(self, t: Node) -> None:
        self.dispatch(t.value)

    def _MatchSingleton(self, t: Node) -> None:
        self.write(repr(t.value))

    def _MatchSequence(self, t: Node) -> None:
        self.write("[")
        self.separated(t.patterns)
        self.write("]")

    def _MatchStar(self, t: Node) -> None:
        self.write("*" + (t.name or "_"))

    def _MatchMapping(self, t: Node) -> None:
        def item(pair: tuple[Node, Node]) -> None:
            self.dispatch(pair[0], Level.ARITHMETIC)
            self.write(": ")
            self.dispatch(pair[1])

        self.write("{")
        self.separated(zip(t.keys, t.patterns, strict=True), item)
        if t.rest:
            self.write((", " if t.keys else "") + "**" + t.rest)
        self.write("}")

    def _MatchClass(self, t: Node) -> None:
        def named(pair: tuple[str, Node]) -> None:
            self.write(pair[0] + "=")
            self.dispatch(pair[1])

        self.dispatch(t.cls, Level.ATOM)
        self.write("(")
        self.separated(t.patterns)
        if t.patterns and t.kwd_patterns:
            self.write(", ")
        self.separated(zip(t.kwd_attrs, t.kwd_patterns, strict=True), named)
        self.write(")")

    def _MatchAs(self, t: Node) -> None:
        if t.pattern is None:
            self.write(t.name or "_")
            return
        self.write("(")
        self.dispatch(t.pattern)
        self.write(f" as {t.name})")

    def _MatchOr(self, t: Node) -> None:
        self.write("(")
        for index, option in enumerate(t.patterns):
            if index:
                self.write(" | ")
            self.dispatch(option)
        self.write(")")
