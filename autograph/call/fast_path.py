"""The short way of a call: guards, inputs, native call and result of one trace in one function.

It is made when a trace is called again. What it does is what `ConcreteFunction.matches` and `run`
do; it does it in one go, with every path looked up once.
"""

from __future__ import annotations

import ast
import math
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from operator import call
from typing import Any, NamedTuple

import numpy as np

from autograph.call.plain_attributes import is_plain, own_classes
from autograph.merge.results import Given
from autograph.runtime.arrays.cells import Array, View, viewed
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import LOCK
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.paths import NAMES
from autograph.tracing.places import AttributePlace, ContentsPlace, NamePlace, TensorPlace
from autograph.values.object_state import is_hidden
from autograph.values.skeleton import Fixed, Group, Held, Leaf, Skeleton

Shortcut = Callable[[tuple[Any, ...]], Any]
MISS = object()
"""What a shortcut gives for arguments that its trace does not fit."""


def make_shortcut(
    guards: Sequence[str],
    inputs: Sequence[str],
    objects: Sequence[Any],
    arity: int,
    result: Skeleton | None,
    program: Any,
    run: Callable[[tuple[Any, ...]], Any],
    name: str,
    arguments: tuple[Any, ...],
    given: Sequence[str] = (),
    writes: Sequence[QuickWrite] = (),
) -> Shortcut:
    """A function from the arguments of a call to its result, or to MISS.

    `guards` and `inputs` are expressions over `a` and `c` (see `tracing.paths`). Where `program`
    can be called by statements (`call`), and `result` is no more than tensors, numbers and tuples
    of them (None: it is more), these are the function; else it calls `run`. `name` is the user's;
    `arguments` are those of a call that the trace fits, `given` the paths of objects that the
    result mentions; `writes` get the last outputs.
    """
    names = _names(run, objects)
    parameters = [f"a{number}" for number in range(arity)]
    kept = (*given, *(one.path for one in writes))
    paths = _Paths((*guards, *inputs, *kept), {**NAMES, "a": arguments, "c": objects})
    tests = [paths.tested(guard) for guard in guards]
    names.update(paths.literals)
    tests += paths.sizes
    lines = [f"if len(a) != {arity}:", "    return MISS", "try:"]
    lines.append(f"    [{', '.join(parameters)}] = a")
    if tests:
        lines += [
            f"    if not ({' and '.join(f'({one})' for one in tests)}):",
            "        return MISS",
        ]
    calling = getattr(program, "call", None) if result is not None else None
    if calling is not None:
        fetched = [f"in{number}" for number in range(len(inputs))]
        lines += [
            f"    {name} = {paths.rewritten(path)}"
            for name, path in zip(fetched, inputs, strict=True)
        ]
        objects_given = [f"given{number}" for number in range(len(kept))]
        lines += [
            f"    {name} = {paths.rewritten(path)}"
            for name, path in zip(objects_given, kept, strict=True)
        ]
    lines += ["except Exception:  # a path leads nowhere any more", "    return MISS"]
    if calling is None:
        lines.append("return run(a)")
    else:
        made = calling(fetched)
        names.update(made.names)
        body = [*made.lines]
        outputs = iter(made.outputs)
        ends = _results(result, outputs, objects_given)
        lines += [*body, *_written(writes, outputs, objects_given, names), *ends]
        if writes:  # what is read is what is written: no other thread comes between
            lines = ["with LOCK:", *(f"    {one}" for one in lines)]
    text = "def shortcut(a):\n" + "\n".join(f"    {line}" for line in lines)
    exec(compile(text, "<autograph call>", "exec"), names)
    shortcut: Shortcut = names["shortcut"]
    # Profilers name the user's function.
    shortcut.__code__ = shortcut.__code__.replace(co_name=name, co_qualname=name)
    return shortcut


def _names(run: Callable[..., Any], objects: Sequence[Any]) -> dict[str, Any]:
    """What the names in a shortcut mean."""
    names: dict[str, Any] = {**NAMES, "MISS": MISS, "run": run, "Tensor": Tensor}
    names.update(cell=Tensor._of, new=Tensor.__new__, LOCK=LOCK, copyto=np.copyto, viewed=viewed)
    names.update({f"c{number}": one for number, one in enumerate(objects)})
    return names


class QuickWrite(NamedTuple):
    """A place that gets a whole new value: `setter(owner, field, value)` puts it there."""

    path: str
    """Of the owner."""
    setter: Callable[..., Any]
    field: Any
    skeleton: Skeleton
    is_raw: bool = False
    """Whether the array of an output is put there, and no object made of it."""


def quick_write(write: Any, owner: Any, path: str, is_array: bool) -> QuickWrite | None:
    """How a call does a write (`Write`) by one function of C; None where it takes more."""
    skeleton = write.skeleton
    is_list = write.kind is ContentsPlace and isinstance(owner, list)
    if is_list and isinstance(skeleton, Held) and skeleton.kind is list:
        skeleton = Group(tuple, skeleton.items)
    if result_of(skeleton) is None:
        return None
    if is_list:
        place = slice(sys.maxsize, None) if write.appends else slice(None)
        return QuickWrite(path, list.__setitem__, place, skeleton)
    if write.kind is TensorPlace:
        if not isinstance(skeleton, Leaf):
            return None
        if is_array:
            return QuickWrite(path, np.ndarray.__setitem__, ..., skeleton, is_raw=True)
        return QuickWrite(path, object.__setattr__, "_value", skeleton, is_raw=True)
    if write.kind is AttributePlace and not isinstance(owner, type):
        if is_hidden(type(owner), write.name) or write.moved:
            return None
        return QuickWrite(path, object.__setattr__, write.name, skeleton)
    if write.kind is NamePlace:
        return QuickWrite(path, dict.__setitem__, write.name, skeleton)
    return None


def _written(
    writes: Sequence[QuickWrite],
    outputs: Iterator[str],
    given: list[str],
    names: dict[str, Any],
) -> list[str]:
    """The statements that do the writes: all of them, or none, as no bytecode runs between them
    where a signal could be heard."""
    if not writes:
        return []
    targets = given[-len(writes) :]
    values = [
        next(outputs) if one.is_raw else _expression(one.skeleton, outputs, given) for one in writes
    ]
    if len(writes) == 1 and writes[0].field is ...:
        return [f"copyto({targets[0]}, {values[0]})"]
    names["setters"] = [one.setter for one in writes]
    names["fields"] = [one.field for one in writes]
    names["put_all"] = put_all
    return [f"put_all(setters, [{', '.join(targets)}], fields, [{', '.join(values)}])"]


def put_all(setters: list[Any], owners: list[Any], fields: list[Any], values: list[Any]) -> None:
    """Call each setter with its owner, field and value; nothing comes between two of them."""
    deque(map(call, setters, owners, fields, values), maxlen=0)


class _Paths(ast.NodeTransformer):
    """Rewrites paths to local names; what several of them go through is looked up once, and kept.

    A number or string is most often the very object that it was: that is asked first.
    """

    def __init__(self, texts: Sequence[str], given: dict[str, Any]) -> None:
        paths = [
            node
            for text in texts
            for node in ast.walk(ast.parse(text, mode="eval"))
            if isinstance(node, ast.Attribute | ast.Subscript)
        ]
        self.uses = Counter(map(_text, paths))
        self.owners = Counter(
            _text(node.value) for node in paths if isinstance(node, ast.Attribute)
        )
        self.known: dict[str, str] = {}
        self.literals: dict[str, Any] = {}
        self.sizes: list[str] = []
        self.keeps = True
        self.given = given
        self.sized: set[str] = set()

    def tested(self, guard: str) -> str:
        """A guard, rewritten."""
        match ast.parse(guard, mode="eval").body:
            case ast.Call(ast.Name("same_float"), [path, ast.Subscript() as value]):
                return self._quick(path, value, guard)
            case ast.BoolOp(
                ast.And(),
                [
                    ast.Compare(ast.Call(ast.Name("type"), [path]), [ast.Is()], _),
                    ast.Compare(_, [ast.Eq()], [ast.Constant() | ast.Subscript() as value]),
                ],
            ):
                return self._quick(path, value, guard)
        return self.rewritten(guard)

    def _quick(self, path: ast.expr, value: ast.expr, guard: str) -> str:
        if isinstance(value, ast.Constant):
            name = f"k{len(self.literals)}"
            self.literals[name] = self._found(_text(path))
        else:
            name = self.rewritten(_text(value))
        same = self.rewritten(_text(path))
        known, self.known = self.known, dict(self.known)
        rest = self.rewritten(guard, keeps=False)
        self.known = known
        return f"{same} is {name} or {rest}"

    def rewritten(self, text: str, keeps: bool = True) -> str:
        """The expression with names for arguments, objects and values of tensors."""
        tree = ast.parse(text, mode="eval")
        # in these a part may stay unevaluated, though the whole holds
        self.keeps = keeps and not any(isinstance(node, _PARTIAL) for node in ast.walk(tree))
        return ast.unparse(self.visit(tree))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """`a[0]` and `c[0]` are the names `a0` and `c0`."""
        match node:
            case ast.Subscript(ast.Name("a" | "c" as table), ast.Constant(int(number))):
                return ast.Name(f"{table}{number}", ast.Load())
        return self._kept(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """What is used more than once is kept in a name where it is met first."""
        owner = _text(node.value)
        if self.owners[owner] < _MANY or not self._is_plain(owner, node.attr):
            return self._kept(node)
        path = _text(node)
        namespace = ast.Attribute(node.value, "__dict__", ast.Load())
        self.uses[f"{owner}.__dict__"] = _MANY
        entry = ast.Subscript(self._kept(namespace), ast.Constant(node.attr), ast.Load())
        return self._kept_as(path, entry)

    def _found(self, path: str) -> Any:
        """What a path leads to in the call that is given."""
        try:
            return eval(path, self.given)
        except Exception:  # a guard that does not look at all of it
            return None

    def _is_plain(self, owner: str, name: str) -> bool:
        """Whether an attribute is an entry of `__dict__`; tests of that are in `sizes`."""
        found = self._found(owner)
        if not is_plain(found, name):
            return False
        if owner not in self.sized:
            self.sized.add(owner)
            for namespace in own_classes(found):
                title = f"n{len(self.literals)}"
                self.literals[title] = namespace
                self.sizes.append(f"len({title}) == {len(namespace)}")
        return True

    def _kept(self, node: ast.expr) -> ast.expr:
        path = _text(node)
        if path in self.known:
            return ast.Name(self.known[path], ast.Load())
        self.generic_visit(node)
        return self._kept_as(path, node)

    def _kept_as(self, path: str, node: ast.expr) -> ast.expr:
        if path in self.known:
            return ast.Name(self.known[path], ast.Load())
        if not self.keeps or self.uses[path] < 2:
            return node
        name = self.known[path] = f"v{len(self.known)}"
        return ast.NamedExpr(ast.Name(name, ast.Store()), node)


def _text(node: Any) -> str:
    """The text of a path, made once a node: paths along a chain of objects are long."""
    text: str | None = getattr(node, "_text", None)
    if text is None:
        match node:
            case ast.Name(name):
                text = name
            case ast.Attribute(ast.Name() | ast.Attribute() | ast.Subscript() as owner, name):
                text = f"{_text(owner)}.{name}"
            case ast.Subscript(
                ast.Name() | ast.Attribute() | ast.Subscript() as owner, ast.Constant(key)
            ):
                text = f"{_text(owner)}[{key!r}]"
            case _:
                text = ast.unparse(node)
        node._text = text
    return text


_MANY = 3
"""Of how many attributes of an object are looked up in its `__dict__`."""

_PARTIAL = (ast.BoolOp, ast.IfExp, ast.UnaryOp, ast.Lambda, ast.comprehension)


def result_of(skeleton: Skeleton) -> Skeleton | None:
    """`skeleton` if it is tensors, numbers, views of arrays and tuples of them; None for any
    other."""
    return skeleton if all(_is_plain(part) for part in _parts(skeleton)) else None


def _parts(skeleton: Skeleton) -> Iterator[Skeleton]:
    yield skeleton
    if isinstance(skeleton, Group):
        for item in skeleton.items:
            yield from _parts(item)


def _is_plain(skeleton: Skeleton) -> bool:
    match skeleton:
        case Leaf(spec=Spec(), same=same):
            return not same
        case Group(kind=kind, items=items):
            return kind in (tuple, slice) or (kind is View and _is_array(items[0]))
        case Fixed(value=value):
            if type(value) is float:
                return math.isfinite(value)
            return value is None or value is ... or type(value) in (str, bool, int)
        case Given():
            return True
    return False


def _is_array(skeleton: Skeleton) -> bool:
    """Whether a view is one of an array of the caller's, or of a new one."""
    if isinstance(skeleton, Group):
        return skeleton.kind is View
    return isinstance(skeleton, Given) or (isinstance(skeleton, Leaf) and skeleton.kind is Array)


def _results(skeleton: Any, outputs: Iterator[str], given: list[str]) -> list[str]:
    """The statements that return the outputs as the result."""
    if isinstance(skeleton, Leaf) and not _is_number(skeleton) and skeleton.kind is Tensor:
        return [
            "tensor = new(Tensor)",
            f"tensor._value = {next(outputs)}",
            "tensor._mark = None",
            "return tensor",
        ]
    return [f"return {_expression(skeleton, outputs, given)}"]


def _is_number(leaf: Leaf) -> bool:
    return isinstance(leaf.spec, Spec) and leaf.spec.python


def _expression(skeleton: Any, outputs: Iterator[str], given: list[str]) -> str:
    match skeleton:
        case Leaf():
            if _is_number(skeleton) or skeleton.kind is Array:
                return next(outputs)
            made = next(outputs)
            return f"cell({made})" if skeleton.kind is Tensor else f"{made}[()]"
        case Group(kind=kind, items=items) if kind is not tuple:
            parts = ", ".join([_expression(item, outputs, given) for item in items])
            return f"{'viewed' if kind is View else 'slice'}({parts})"
        case Group(items=items):
            return "(" + "".join(f"{_expression(item, outputs, given)}, " for item in items) + ")"
        case Given(index=index):
            return given[index]
    return repr(skeleton.value)
