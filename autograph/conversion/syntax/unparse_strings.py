"""Constants and f-strings as text.

Until Python 3.12 the expressions in an f-string may hold neither a backslash nor the quotes of the
string around. So the quotes of nested strings are chosen from outside to inside: each string is
told what it must not contain. Where nothing fits, the same value is written with `str.format`.
"""

from __future__ import annotations

import re
import sys

from autograph.conversion.syntax.unparse_expressions import Expressions
from autograph.conversion.syntax.unparse_layout import Level, Node, kind
from autograph.runtime.core.python_versions import NESTED_QUOTES

# A literal too large for a float reads as infinity.
_INFINITY = "1e" + repr(sys.float_info.max_10_exp + 1)
_QUOTES = ('"', "'", '"""', "'''")
# Integers longer than this cannot be written in decimal (sys.set_int_max_str_digits).
_DECIMAL_BITS = 2000


class NoQuotesLeft(Exception):
    """No spelling of a string keeps clear of what is forbidden where it stands."""


def quoted(value: str) -> str:
    """A string literal on one line, in double quotes unless there are some inside."""
    return _between("'" if '"' in value and "'" not in value else '"', value)


def docstring(value: str) -> str:
    """A string literal in triple quotes, with its own line breaks."""
    lines = [_escaped(line) for line in value.split("\n")]
    body = "\n".join(lines).replace("\\'", "'").replace('"""', '\\"\\"\\"')
    if body.endswith('"'):
        body = body[:-1] + '\\"'
    return f'"""{body}"""'


def _escaped(value: str) -> str:
    """The inside of a literal in single quotes."""
    return repr(value + '"')[1:-2]


def _between(quote: str, value: str) -> str:
    body = _escaped(value)
    if quote[0] == '"':
        swapped = {"\\'": "'", '"': '\\"'}
        body = re.sub(r'\\.|"', lambda found: swapped.get(found[0], found[0]), body)
    return quote + body + quote


class Strings(Expressions):
    """Writes constants and f-strings."""

    def _Constant(self, t: Node) -> None:
        if t.kind == "u" and not self.forbidden:
            self.write("u")
        self._literal(t.value)

    def _literal(self, value: object) -> None:
        if isinstance(value, str):
            self.write(self._string(value))
        elif isinstance(value, bytes):
            self.write(self._bytes(value))
        elif isinstance(value, tuple):
            self.write("(")
            self.separated(value, self._literal)
            self.write(",)" if len(value) == 1 else ")")
        elif isinstance(value, frozenset):
            self.write("frozenset({")
            self.separated(sorted(value, key=repr), self._literal)
            self.write("})")
        elif value is Ellipsis:
            self.write("...")
        elif isinstance(value, int) and value.bit_length() > _DECIMAL_BITS:
            self.write(hex(value))
        elif isinstance(value, float | complex):
            nan = f"({_INFINITY} - {_INFINITY})"
            self.write(repr(value).replace("inf", _INFINITY).replace("nan", nan))
        else:
            self.write(repr(value))

    def _string(self, value: str) -> str:
        return quoted(value) if not self.forbidden else self._plain(value, "")

    def _bytes(self, value: bytes) -> str:
        if self.forbidden and value.isascii():
            return self._plain(value.decode("ascii"), "b")
        return self._allowed(repr(value))

    def _plain(self, value: str, prefix: str) -> str:
        """A literal without escapes, which keeps clear of what is forbidden."""
        for quote in _QUOTES:
            broken = len(quote) == 1 and "\n" in value
            text = prefix + quote + value + quote
            clear = quote not in value and not value.endswith(quote[0])
            if clear and not broken and all(c.isprintable() or c in "\n\t" for c in value):
                if self._keeps_clear(text):
                    return text
        raise NoQuotesLeft(value)

    def _allowed(self, text: str) -> str:
        if not self._keeps_clear(text):
            raise NoQuotesLeft(text)
        return text

    def _keeps_clear(self, text: str) -> bool:
        if not self.forbidden:
            return True
        broken = "\n" in text and any(len(quote) == 1 for quote in self.forbidden)
        return "\\" not in text and not broken and not any(q in text for q in self.forbidden)

    def _JoinedStr(self, t: Node) -> None:
        self._formatted("f", t.values)

    def _TemplateStr(self, t: Node) -> None:
        self._formatted("t", t.values)

    def _FormattedValue(self, t: Node) -> None:
        self._formatted("f", [t])

    _Interpolation = _FormattedValue

    def _formatted(self, prefix: str, values: list[Node]) -> None:
        literal = "".join(v.value for v in values if kind(v) == "Constant")
        # Quotes that need no escape first; sorting is stable.
        for quote in sorted(_QUOTES, key=lambda quote: quote in literal):
            try:
                text = prefix + quote + self._fields(values, quote, self.forbidden) + quote
            except NoQuotesLeft:
                continue
            if self._keeps_clear(text):
                self.write(text)
                return
        if self.forbidden:
            raise NoQuotesLeft(prefix)
        if NESTED_QUOTES:
            self.write(prefix + '"' + self._fields(values, '"', None) + '"')
        else:
            self._with_format(values)

    def _fields(self, values: list[Node], quote: str, outer: tuple[str, ...] | None) -> str:
        """The inside of an f-string. With `outer` None, its expressions may hold anything."""
        parts = []
        for value in values:
            if kind(value) == "Constant":
                body = _between(quote, value.value)[len(quote) : -len(quote)]
                parts.append(body.replace("{", "{{").replace("}", "}}"))
                if outer and "\\" in body:
                    raise NoQuotesLeft(body)
            else:
                parts.append(self._field(value, quote, outer))
        return "".join(parts)

    def _field(self, t: Node, quote: str, outer: tuple[str, ...] | None) -> str:
        inner = type(self)(() if outer is None else (*outer, quote))
        inner.flat = True
        # A lambda's colon would start the format.
        inner.dispatch(t.value, Level.OR)
        text = inner.text
        parts = ["{ " if text.startswith("{") else "{", text]
        if t.conversion not in (None, -1):
            parts.append("!" + chr(t.conversion))
        if t.format_spec:
            spec = t.format_spec
            values = spec.values if kind(spec) == "JoinedStr" else [spec]
            parts.append(":" + self._fields(values, quote, outer))
        return "".join([*parts, "}"])

    def _with_format(self, values: list[Node]) -> None:
        """The same text without an f-string: "a {} b".format(x)."""
        template: list[str] = []
        arguments: list[Node] = []

        def add(items: list[Node]) -> None:
            for item in items:
                if kind(item) == "Constant":
                    template.append(item.value.replace("{", "{{").replace("}", "}}"))
                    continue
                arguments.append(item.value)
                template.append("{")
                template.append("" if item.conversion == -1 else "!" + chr(item.conversion))
                if item.format_spec:
                    template.append(":")
                    add(item.format_spec.values)
                template.append("}")

        add(values)
        self.write(quoted("".join(template)) + ".format")
        self.bracketed("(", arguments, ")")
