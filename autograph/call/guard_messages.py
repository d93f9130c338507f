"""What guards say of a call that they do not let pass, in the user's names."""

from __future__ import annotations

import ast
import reprlib
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.call.concrete import ConcreteFunction
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.paths import compile_fetch

GIVEN = "the arguments given"
_short = reprlib.Repr()
_short.maxstring = _short.maxother = 40


@dataclass(frozen=True)
class Change:
    """One difference: of what, what it was in the trace before, and what it is now.

    `then` says what the new trace makes of it, where it is not just another value.
    """

    subject: str
    before: str = ""
    after: str = ""
    then: str = ""
    path: str = ""
    axis: int | None = None

    def __str__(self) -> str:
        text = f"{self.subject}: {self.before} → {self.after}" if self.after else self.subject
        return f"{text}, {self.then}" if self.then else text


def changes_since(
    concrete: ConcreteFunction,
    arguments: tuple[Any, ...],
    names: Sequence[str],
    names_before: Sequence[str],
) -> tuple[Change, ...]:
    """What keeps a trace from fitting these arguments, one change for each place."""
    if names != names_before:
        return (Change(GIVEN, ", ".join(names_before), ", ".join(names)),)
    found: list[Change] = []
    replaced: list[str] = []
    reader = _Reader(concrete, arguments, names)
    for guard in concrete.guards:
        tests = _parts(ast.parse(guard, mode="eval").body)
        for test in tests:
            if _looks_into(test, replaced):
                break  # what is in another object is not looked at: that may run code of the user's
            if reader.holds(test):
                continue
            if test is not tests[-1] and _is_value(tests[-1]):
                test = tests[-1]  # of another type, so of another value
            new: list[Change] = []
            for change in reader.changes(test):
                # What is below another object is another thing altogether.
                if not any(_is_below(change.path, gone) for gone in replaced):
                    new.append(change)
            if _is_whole(test):
                replaced += [change.path for change in new]
            found += new
            break
    return tuple(found)


def _parts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return test.values
    return [test]


def _is_whole(test: ast.expr) -> bool:
    """Whether a guard is on an object as a whole, not on its size or dtype."""
    match test:
        case ast.Compare(ast.Attribute(_, "dtype" | "ndim" | "shape"), _, _):
            return False
        case ast.Compare(ast.Subscript(ast.Attribute(_, "shape"), _), _, _):
            return False
    return True


def _looks_into(test: ast.expr, paths: list[str]) -> bool:
    """Whether an expression reads what is found at one of these paths, or below it."""
    places = (ast.Subscript, ast.Attribute)
    found = [ast.unparse(one) for one in ast.walk(test) if isinstance(one, places)] if paths else ()
    return any(_is_below(one, path) for one in found for path in paths)


def _is_below(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}["))


def _is_value(test: ast.expr) -> bool:
    match test:
        case ast.Compare(ast.Name() | ast.Attribute() | ast.Subscript(), [ast.Eq()], [_]):
            return True
    return False


class _Reader:
    """Reads the guards of a trace for one call."""

    def __init__(
        self, concrete: ConcreteFunction, arguments: tuple[Any, ...], names: Sequence[str]
    ) -> None:
        self.concrete = concrete
        self.arguments = arguments
        self.names = names

    def value(self, tree: ast.expr | str) -> Any:
        """What an expression gives for the call; raises what it raises."""
        text = tree if isinstance(tree, str) else ast.unparse(tree)
        return compile_fetch([text])(self.arguments, self.concrete.objects)[0]

    def holds(self, test: ast.expr) -> bool:
        """Whether a guard holds."""
        try:
            return bool(self.value(test))
        except Exception:  # the path leads nowhere any more
            return False

    def changes(self, test: ast.expr) -> list[Change]:
        """What a guard that does not hold says."""
        match test:
            case ast.Compare(ast.Call(ast.Name("type"), [path]), [ast.Is()], [kind]):
                return [self._retyped(path, kind)]
            case ast.Call(ast.Name("same_float" | "same_array"), [path, before]):
                return [self._changed(path, before)]
            case ast.Compare(ast.Attribute(held, "shape"), [ast.Eq()], [before]):
                return self._reshaped(held, self.value(before))
            case ast.Compare(
                ast.Subscript(ast.Attribute(held, "shape"), axis), [operator], [before]
            ):
                return [self._resized(held, axis, operator, before)]
            case ast.Compare(ast.Attribute(held, "dtype" | "ndim" as what), _, [before]):
                return [self._of_array(held, what, before)]
            case ast.Compare(ast.Call(ast.Name("len"), [ast.Set(keys)]), _, _):
                return [
                    self._told_apart([key.args[0] for key in keys if isinstance(key, ast.Call)])
                ]
            case ast.Compare(ast.Call(ast.Name("len"), [path]), _, [before]):
                subject = f"the length of {self.name(path)}"
                return [Change(subject, self.shown(before), self.length(path), path=_text(path))]
            case ast.Compare(ast.List([ast.Starred(path)]), _, _):
                return [Change(f"the keys of {self.name(path)} changed", path=_text(path))]
            case ast.Compare(left, [ast.Is() | ast.IsNot() as operator], [right]):
                return [self._aliased(left, operator, right)]
            case ast.Compare(key, [ast.In() | ast.NotIn() as operator], [path]):
                return [self._member(key, operator, path)]
            case ast.Compare(path, [ast.Eq()], [before]):
                return [self._changed(path, before)]
        return [Change(f"{self.name(test)} does not hold any more", path=_text(test))]

    # one kind of guard each -------------------------------------------------------------------
    def _changed(self, path: ast.expr, before: ast.expr) -> Change:
        return Change(self.subject(path), self.shown(before), self.shown(path), path=_text(path))

    def _retyped(self, path: ast.expr, kind: ast.expr) -> Change:
        before, after = self.value(kind), self._looked(path)
        old = self.concrete.observed.get(_text(path))
        was = _shown(old) if isinstance(old, bool | int | float) else _kind_name(before)
        now = _shown(after) if isinstance(old, bool | int | float) else _kind(after)
        return Change(self.subject(path), was, now, path=_text(path))

    def _reshaped(self, held: ast.expr, before: tuple[int, ...]) -> list[Change]:
        after = getattr(self._looked(held), "shape", None)
        path = _cell(held)
        if after is None or len(after) != len(before):
            return [
                Change(f"the shape of {self.name(path)}", str(before), str(after), path=_text(path))
            ]
        return [
            Change(f"dim {axis} of {self.name(path)}", str(old), str(new), "", _text(path), axis)
            for axis, (old, new) in enumerate(zip(before, after, strict=True))
            if old != new
        ]

    def _resized(
        self, held: ast.expr, axis: ast.expr, operator: ast.cmpop, before: ast.expr
    ) -> Change:
        path, number = _cell(held), self.value(axis)
        was = self.shown(before)
        old = f"more than {was}" if isinstance(operator, ast.Gt) else was
        shape = getattr(self._looked(held), "shape", ())
        new = str(shape[number]) if number < len(shape) else "none"
        return Change(f"dim {number} of {self.name(path)}", old, new, "", _text(path), number)

    def _of_array(self, held: ast.expr, what: str, before: ast.expr) -> Change:
        path, old = _cell(held), self.value(before)
        new = getattr(self._looked(held), what, None)
        word = "the dtype of" if what == "dtype" else "the number of axes of"
        return Change(f"{word} {self.name(path)}", _shown(old), _shown(new), path=_text(path))

    def _aliased(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Change:
        text = _text(left)
        if isinstance(right, ast.Constant) and right.value is None:
            return Change(self.subject(left), "None", self.shown(left), path=text)
        if not _is_call(right) and isinstance(operator, ast.Is):
            return Change(self.subject(left), self.shown(right), self.shown(left), path=text)
        both = f"{self.name(left)} and {self.name(right)}"
        one = isinstance(operator, ast.Is)
        was, now = ("one object", "two") if one else ("two objects", "one")
        return Change(both, was, now, path=f"{text} {_text(right)}")

    def _told_apart(self, paths: Sequence[ast.expr]) -> Change:
        """Objects that were different ones, and of which two are one now."""
        seen: dict[int, ast.expr] = {}
        for path in paths:
            other = seen.setdefault(id(self._looked(path)), path)
            if other is not path:
                return self._aliased(other, ast.IsNot(), path)
        return Change("objects that were different ones", path=" ".join(map(_text, paths)))

    def _member(self, key: ast.expr, operator: ast.cmpop, path: ast.expr) -> Change:
        is_in = isinstance(operator, ast.In)
        word = "is not in" if is_in else "is in"
        return Change(
            f"{self.shown(key)} {word} {self.name(path)} now", path=f"{_text(key)} {_text(path)}"
        )

    # words ------------------------------------------------------------------------------------
    def subject(self, path: ast.expr) -> str:
        """A place, with a word on what it is."""
        name = self.name(path)
        match path:
            case ast.Subscript(ast.Name("a"), _):
                return f"argument {name}"
            case ast.Subscript(ast.Subscript(ast.Name("c"), _) as owner, ast.Constant(str())):
                return f"global {name}" if _is_module(self._looked(owner)) else name
            case ast.Attribute(ast.Subscript(ast.Name("c"), _) as owner, "cell_contents"):
                return f"variable {name}"
        return name

    def name(self, path: ast.expr) -> str:
        """A place as the user would write it."""
        return f"`{self._written(path)}`"

    def _written(self, path: ast.expr) -> str:
        match path:
            case ast.Subscript(ast.Name("a"), ast.Constant(int(number))):
                return self.names[number] if number < len(self.names) else f"argument {number}"
            case ast.Subscript(ast.Subscript(ast.Name("c"), _) as owner, ast.Constant(str(name))):
                if _is_module(self._looked(owner)):
                    return name
            case ast.Attribute(owner, "cell_contents"):
                return self.concrete.cell_names.get(id(self._looked(owner)), "a variable around it")
            case ast.Subscript(ast.Name("c"), _):
                found = self._looked(path)
                return str(getattr(found, "__name__", f"a {type(found).__name__}"))
        match path:
            case ast.Attribute(owner, "_value"):
                return self._written(owner)
            case ast.Attribute(owner, name):
                return f"{self._written(owner)}.{name}"
            case ast.Subscript(owner, key):
                return f"{self._written(owner)}[{self.shown(key)}]"
            case ast.Call(function, arguments):
                inner = ", ".join(map(self._written, arguments))
                return f"{self._written(function)}({inner})"
        return _text(path)

    def shown(self, tree: ast.expr) -> str:
        """A value, in short."""
        return _shown(self._looked(tree))

    def length(self, path: ast.expr) -> str:
        """The length of what is found at a path."""
        try:
            return str(self.value(f"len({_text(path)})"))
        except Exception:  # it has none now
            return _kind(self._looked(path))

    def _looked(self, tree: ast.expr) -> Any:
        try:
            return self.value(tree)
        except Exception:  # the path leads nowhere any more
            return MISSING


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()


def _text(tree: ast.expr) -> str:
    return ast.unparse(tree)


def _cell(held: ast.expr) -> ast.expr:
    """The path of the tensor whose array is found at a path."""
    return held.value if isinstance(held, ast.Attribute) and held.attr == "_value" else held


def _is_call(tree: ast.expr) -> bool:
    """Whether a path begins at an argument."""
    return any(isinstance(one, ast.Name) and one.id == "a" for one in ast.walk(tree))


def _is_module(found: Any) -> bool:
    return isinstance(found, dict) and "__builtins__" in found


def _kind(value: Any) -> str:
    if value is MISSING or value is None:
        return repr(value)
    return _kind_name(type(value))


def _kind_name(kind: type) -> str:
    name = kind.__name__
    return f"{'an' if name[0] in 'aeiou' or name == 'ndarray' else 'a'} {name}"


def _shown(value: Any) -> str:
    if isinstance(value, Tensor | Variable | np.ndarray):
        array = value if isinstance(value, np.ndarray) else value._value
        array = array if isinstance(array, np.ndarray) else array.spec
        short = SHORT_NAMES.get(array.dtype, array.dtype)
        return f"{short}[{','.join(map(str, array.shape))}]"
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType | types.ModuleType):
        return str(getattr(value, "__qualname__", value.__name__))
    if isinstance(value, np.dtype):
        return SHORT_NAMES.get(value, str(value))
    try:
        return _short.repr(value)
    except Exception:  # a user's own __repr__
        return _kind(value)
