"""The operators of converted code with the meaning that Python itself gives, and nothing more.

Against these a converted function must do what the original does. They also hold the passes to
their word: a variable which a body assigns, and which is not among the names that are live after
the statement, is deleted there, so that a later read fails.
"""

from __future__ import annotations

import dis
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CellType, CodeType
from typing import Any

from autograph.errors import StagingError, TracingSignal
from autograph.operators.iterators import generators, resumable_generators, resumable_sources
from autograph.operators.statements import match_patterns

Staging = (StagingError, TracingSignal)

BREAK, CONTINUE, RETURN = 1, 2, 3
UNSET_RESULT = object()
CODES = {None, 0, BREAK, CONTINUE, RETURN}
WORDS = ("then", "else", "test", "body", "orelse", "rest", "except", "class", "finally")
BODIES = tuple(f"ag__{word}_" for word in WORDS)
Body = Callable[..., Any]


# Statements


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            name = constant.co_qualname.rpartition(".")[2]
            if name.startswith((*BODIES, "ag__thunk_")):
                yield from _codes(constant)


def _stored(body: Body) -> set[str]:
    return {
        str(instruction.argval)
        for code in _codes(body.__code__)
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("STORE_DEREF", "DELETE_DEREF")
    }


def _forget_dead(names: tuple[str, ...], *bodies: Body | None) -> None:
    for body in bodies:
        if body is None:
            continue
        stored = _stored(body)
        cells: tuple[CellType, ...] = body.__closure__ or ()
        for name, cell in zip(body.__code__.co_freevars, cells, strict=True):
            if name in stored and name not in names:
                try:
                    del cell.cell_contents
                except ValueError:
                    pass


def _check_names(names: Any) -> None:
    assert isinstance(names, tuple) and all(isinstance(name, str) for name in names)
    assert len(set(names)) == len(names)


def if_stmt(test: Any, body: Body, orelse: Body | None, names: tuple[str, ...]) -> Any:
    _check_names(names)
    chosen = body if test else orelse
    code = chosen() if chosen is not None else None
    assert code in CODES
    _forget_dead(names, body, orelse)
    return code


def while_stmt(test: Body, body: Body, orelse: Body | None, names: tuple[str, ...]) -> Any:
    _check_names(names)
    while test():
        code = body()
        assert code in CODES
        _forget_dead(names, test, body, orelse)
        if code in (BREAK, RETURN):
            return RETURN if code == RETURN else None
    code = orelse() if orelse is not None else None
    _forget_dead(names, test, body, orelse)
    return code


def for_stmt(items: Any, body: Body, orelse: Body | None, names: tuple[str, ...]) -> Any:
    _check_names(names)
    for item in items:
        code = body(item)
        assert code in CODES
        _forget_dead(names, body, orelse)
        if code in (BREAK, RETURN):
            return RETURN if code == RETURN else None
    code = orelse() if orelse is not None else None
    _forget_dead(names, body, orelse)
    return code


def then(code: Any, rest: Body, names: tuple[str, ...]) -> Any:
    _check_names(names)
    assert code in CODES
    if code:
        return code
    code = rest()
    _forget_dead(names, rest)
    return code


def returned(result: Any) -> Any:
    assert result is not UNSET_RESULT
    return result


def with_stmt(manager: Any, body: Body, names: tuple[str, ...]) -> Any:
    _check_names(names)
    code = None
    with manager as target:
        code = body(target)
    assert code in CODES
    _forget_dead(names, body)
    return code


def try_stmt(
    body: Body,
    handlers: tuple[tuple[Any, Body, str | None], ...],
    orelse: Body | None,
    last: Body | None,
    names: tuple[str, ...],
) -> Any:
    _check_names(names)
    code = None
    bodies = (body, orelse, last, *(handler for _, handler, _ in handlers))
    try:
        code = _protected(body, handlers, orelse)
    except BaseException:
        final = None if last is None else last()
        _forget_dead(names, *bodies)
        if not final:
            raise
        return final
    final = None if last is None else last()
    assert {code, final} <= CODES
    _forget_dead(names, *bodies)
    return final or code


def _protected(
    body: Body, handlers: tuple[tuple[Any, Body, str | None], ...], orelse: Body | None
) -> Any:
    try:
        code = body()
    except BaseException as error:
        for kind, handler, name in handlers:
            try:
                raise error
            except BaseException if kind is None else kind():  # noqa: B030
                if name is None:
                    return handler()
                try:
                    return handler(error)
                finally:
                    _unbind(handler, name)
            except BaseException:
                pass
        raise
    return orelse() if not code and orelse is not None else code


def _unbind(handler: Body, name: str) -> None:
    cells: tuple[CellType, ...] = handler.__closure__ or ()
    for variable, cell in zip(handler.__code__.co_freevars, cells, strict=True):
        if variable == name:
            try:
                del cell.cell_contents
            except ValueError:
                pass


_causes: list[Any] = []


def exception(value: Any, cause: Any = None) -> Any:
    _causes.append(cause)
    return value


def cause() -> Any:
    return _causes.pop()


def assert_stmt(test: Any, message: Callable[[], Any] | None) -> None:
    if not test:
        raise AssertionError if message is None else AssertionError(message())


# Generators


def generator(inlined: Any) -> Any:
    return lambda function: function


def each(iterable: Any) -> Any:
    return iterable


def known(test: Any) -> bool:
    return bool(test)


def iterator(iterable: Any) -> Any:
    return iter(iterable)


suspending = generators.suspending
suspended, resumed = generators.suspended, generators.resumed
resumable, received, yielded = (
    resumable_generators.resumable,
    resumable_generators.received,
    resumable_generators.yielded,
)
stepper, delegate = resumable_sources.Stepper, resumable_sources.Stepper


# Patterns, which mean no more outside of a trace


capture, literal, singleton = (
    match_patterns.capture,
    match_patterns.literal,
    match_patterns.singleton,
)
value_pattern, as_pattern, or_pattern = (
    match_patterns.value_pattern,
    match_patterns.as_pattern,
    match_patterns.or_pattern,
)
sequence_pattern, star = match_patterns.sequence_pattern, match_patterns.star
mapping_pattern, class_pattern = match_patterns.mapping_pattern, match_patterns.class_pattern
matches, captured = match_patterns.matches, match_patterns.captured


# Variables


def load(thunk: Callable[[], Any], name: str) -> Any:
    try:
        return thunk()
    except NameError:
        message = f"cannot access local variable '{name}' where it is not associated with a value"
        raise UnboundLocalError(message) from None


def load_free(thunk: Callable[[], Any], name: str) -> Any:
    return thunk()


def load_global(thunk: Callable[[], Any], name: str) -> Any:
    return thunk()


def touch_globals(function: Any, *names: str) -> None:
    assert names


def touch_cells(function: Any, *names: str) -> None:
    assert set(names) == set(function.__code__.co_freevars)


def born(function: Any) -> None:
    assert function.__closure__


# Expressions

add, sub, mul, truediv = operator.add, operator.sub, operator.mul, operator.truediv
floordiv, mod, pow, matmul = operator.floordiv, operator.mod, operator.pow, operator.matmul
lshift, rshift = operator.lshift, operator.rshift
and_bits, or_bits, xor_bits = operator.and_, operator.or_, operator.xor
neg, pos, invert, not_ = operator.neg, operator.pos, operator.invert, operator.not_
lt, le, gt, ge, eq, ne = (getattr(operator, name) for name in "lt le gt ge eq ne".split())
is_, is_not = operator.is_, operator.is_not
aug_add, aug_sub, aug_mul = operator.iadd, operator.isub, operator.imul
aug_truediv, aug_floordiv, aug_mod = operator.itruediv, operator.ifloordiv, operator.imod
aug_pow, aug_matmul = operator.ipow, operator.imatmul
aug_lshift, aug_rshift = operator.ilshift, operator.irshift
aug_and, aug_or, aug_xor = operator.iand, operator.ior, operator.ixor
attr, item = getattr, operator.getitem
truth = bool
slice = slice


def in_(value: Any, container: Any) -> bool:
    return value in container


def not_in(value: Any, container: Any) -> bool:
    return value not in container


COMPARISONS = {
    "<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne,
    "is": is_, "is not": is_not, "in": in_, "not in": not_in,
}  # fmt: skip


def compare_chain(left: Any, sign: str, right: Any, *others: Any) -> Any:
    result = COMPARISONS[sign](left, right)
    for sign, thunk in zip(others[::2], others[1::2], strict=True):
        if not result:
            return result
        left, right = right, thunk()
        result = COMPARISONS[sign](left, right)
    return result


def and_(first: Any, *thunks: Callable[[], Any]) -> Any:
    for thunk in thunks:
        if not first:
            return first
        first = thunk()
    return first


def or_(first: Any, *thunks: Callable[[], Any]) -> Any:
    for thunk in thunks:
        if first:
            return first
        first = thunk()
    return first


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    return body() if test else orelse()


def call(function: Any, /, *positional: Any, **named: Any) -> Any:
    return function(*positional, **named)


def new_set(items: list[Any]) -> set[Any]:
    """A set with stars."""
    return set(items)


def new_tuple(items: list[Any]) -> tuple[Any, ...]:
    return tuple(items)


def call_named(function: Any, args: list[Any], *parts: tuple[Any, ...]) -> Any:
    named: dict[str, Any] = {}
    for part in parts:
        named.update(part[0] if len(part) == 1 else dict([part]))
    return function(*args, **named)


def new(made: Any) -> Any:
    assert type(made) in (list, dict, set) or isinstance(made, type)
    return made


def growing(made: Any) -> Any:
    assert not made
    return made


def grown(made: Any) -> Any:
    return made


def decorator(function: Any) -> Any:
    return function


def key(value: Any) -> Any:
    return value


def mapping(value: Any) -> Any:
    return value


def iterate(items: Iterable[Any]) -> Iterable[Any]:
    return iter(items)


def joined(*parts: str) -> str:
    return "".join(parts)


def formatted(value: Any, conversion: int, spec: str) -> str:
    convert: Mapping[int, Callable[[Any], Any]] = {115: str, 114: repr, 97: ascii}
    return format(convert[conversion](value) if conversion != -1 else value, spec)


# Stores


def set_attr(value: Any, owner: Any, name: str) -> None:
    setattr(owner, name, value)


def set_item(value: Any, owner: Any, place: Any) -> None:
    owner[place] = value


def del_attr(owner: Any, name: str) -> None:
    delattr(owner, name)


def imported(module: str, name: str, value: Any) -> Any:
    return value


def del_item(owner: Any, place: Any) -> None:
    del owner[place]


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    # Python's own unpacking, for its own messages.
    names = ", ".join(f"item_{index}" for index in range(count))
    scope: dict[str, Any] = {"value": value}
    exec(f"[{names}] = value\nresult = ({names}{',' if names else ''})", scope)
    return tuple(scope["result"])


def unpack_star(value: Any, before: int, after: int) -> tuple[Any, ...]:
    first = "".join(f"item_{index}, " for index in range(before))
    last = "".join(f", item_{before + index}" for index in range(after))
    scope: dict[str, Any] = {"value": value}
    exec(f"{first}*star{last}{',' if not first + last else ''} = value\n"
         f"result = ({first}star{last},)", scope)  # fmt: skip
    return tuple(scope["result"])
