"""@function: signature → convert → trace → optimise → compile → run."""

from __future__ import annotations

import functools
import os
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from autograph.concrete import ConcreteFunction, missing, trace
from autograph.convert import convert_function
from autograph.effects.tracing import CURRENT, TRACE_LOCK, current
from autograph.errors import ArgumentError, StagingError
from autograph.operators.dispatch import call
from autograph.retracing import Learned, RetraceLog, Retraces
from autograph.runtime.control.effects import graph_effect
from autograph.runtime.core import dtypes
from autograph.runtime.core.location import Location
from autograph.runtime.core.record import Effect
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.printer import print_graph
from autograph.runtime.graph.verify import verify
from autograph.shortcut import MISS
from autograph.showing.notebook import in_notebook
from autograph.showing.printed import Printed, with_places
from autograph.signature import Key, Signature, checked
from autograph.syntax.source import source_of
from autograph.taped import GraphFunction
from autograph.tracebacks import point, trimmed

if TYPE_CHECKING:
    from autograph.runtime.lower.build import Runnable

Mode = Literal["compile", "evaluate", "text"]
TOO_LARGE = "Python int too large for a staged one"
MAXIMUM_TRACES = 256
MAXIMUM_SHORTCUTS = 4


class CacheInfo(NamedTuple):
    """Like that of `functools.lru_cache`: a miss is a trace."""

    hits: int
    misses: int
    maxsize: int
    currsize: int


class StagedFunction:
    """What `@function` makes: called like the function, it runs compiled graphs of it."""

    def __init__(self, function: Callable[..., Any], mode: Mode) -> None:
        functools.update_wrapper(self, function)
        self.python_function = function
        self.__autograph_inline__ = function
        self.mode: Mode = mode
        self.plain, self.bound = plain_function(function)
        self._signature = Signature(self.plain)
        self._traces: OrderedDict[Key, list[ConcreteFunction]] = OrderedDict()
        self._converted: types.FunctionType | None = None
        self._hits = 0
        self._misses = 0
        self._log = RetraceLog()
        self._last: ConcreteFunction | None = None
        self._recent: tuple[ConcreteFunction, ...] = ()
        _ALL.add(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and CURRENT.outermost and not STATE.tapes:
            for concrete in self._recent:
                try:
                    result = concrete.shortcut(args)
                except BaseException as error:
                    self._hit(concrete)
                    point(error)
                    raise
                if result is not MISS:
                    self._hits += 1
                    self._last = concrete
                    return result
        try:
            return self._call(args, kwargs)
        except BaseException as error:
            if CURRENT.tracing is None:
                point(error)
            raise  # a bare one adds no frame of its own

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        tracing = current()
        if tracing is not None:
            return call(self.python_function, *args, **kwargs)
        if not CURRENT.outermost:
            return self.python_function(*args, **kwargs)
        concrete, arguments = self.prepared(args, kwargs)
        try:
            return taped_run(concrete, arguments) if STATE.tapes else concrete.run(arguments)
        except OverflowError as error:
            if not self.traced_anew(concrete, error):
                raise
        return self._call(args, kwargs)

    def prepared(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ConcreteFunction, tuple[Any, ...]]:
        """The trace for a call, made if need be, and the arguments that it takes."""
        arguments, keywords = self._signature.flatten((*self.bound, *args), kwargs)
        concrete = self._find(arguments, keywords)
        if concrete is None:
            arguments = self._checked(arguments, keywords)
            concrete = self._make(arguments, keywords)
        elif not keywords and not self.bound:
            self._shorten(concrete)
        return concrete, arguments

    def traced_anew(self, concrete: ConcreteFunction, error: BaseException | None) -> bool:
        """Let Python numbers be known while tracing again, where a staged one overflowed."""
        if not (isinstance(error, OverflowError) and str(error).startswith(TOO_LARGE)):
            return False
        if graph_effect(concrete.graph) is Effect.CALLS_BACK or not self._signature.forget():
            return False
        with TRACE_LOCK:
            self._traces.clear()
            self._recent = ()
            self._log.note = "a staged int overflowed, so Python numbers are known while tracing"
        return True

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundFunction(self, instance)

    # finding and making traces ----------------------------------------------------------------
    def _find(
        self, arguments: tuple[Any, ...], keywords: tuple[str, ...]
    ) -> ConcreteFunction | None:
        key = self._signature.key(arguments, keywords)
        try:
            known = self._traces.get(key)
        except TypeError:
            return None
        if known is not None:
            for concrete in known:
                if concrete.matches(arguments):
                    self._hit(concrete)
                    return concrete
        return None

    def _hit(self, concrete: ConcreteFunction) -> None:
        self._hits += 1
        self._last = concrete

    def _shorten(self, concrete: ConcreteFunction) -> None:
        """Try this trace first on the next calls."""
        if concrete.shortcut is missing:
            if not concrete.is_compiled:
                return
            concrete.shorten()
        others = [one for one in self._recent if one is not concrete]
        self._recent = (concrete, *others[: MAXIMUM_SHORTCUTS - 1])

    def _checked(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> tuple[Any, ...]:
        """The arguments as they may be traced; ArgumentError names one that may not."""
        words = self._signature.words(arguments, keywords)
        try:
            return tuple(map(checked, arguments, words))
        except ArgumentError as error:
            source = source_of(self.plain)
            name = self.plain.__code__.co_name
            error.location = Location(source.filename, source.tree.lineno, name)
            raise

    def _make(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> ConcreteFunction:
        with TRACE_LOCK:
            words = self._signature.words(arguments, keywords)
            compared, changes = self._log.compared(arguments, words)
            known = self._signature.unknown
            self._learn(arguments)
            found = self._find(arguments, keywords)
            if found is not None:
                return found
            self._misses += 1
            fresh = self._signature.unknown - known
            concrete = self._traced(arguments, keywords)
            self._log.add(
                concrete, words, compared, changes, Learned(fresh, self._signature.unknown)
            )
            key = self._signature.key(arguments, keywords)
            self._traces.setdefault(key, []).append(concrete)
            if len(self._traces) > MAXIMUM_TRACES:
                self._traces.popitem(last=False)
        compile_graph = functools.partial(executor, mode=self.mode)
        concrete.differentiable = GraphFunction(concrete.graph, compile_graph)
        concrete.execute = concrete.differentiable.plain
        self._last = concrete
        return concrete

    def _traced(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> ConcreteFunction:
        if self._converted is None:
            self._converted = convert_function(self.plain)
        name = self.plain.__name__
        while True:
            hints = self._signature.hints
            try:
                tracing, concluded = trace(name, self._converted, arguments, keywords, hints)
                break
            except (StagingError, TypeError):
                # Some number or size must be known while tracing, after all.
                if not self._signature.forget():
                    raise
        verify(concluded.graph)
        return ConcreteFunction(tracing, concluded, len(arguments))

    def _learn(self, arguments: tuple[Any, ...]) -> None:
        """See what changed since the traces that were made: sizes become symbols."""
        for known in list(self._traces.values()):
            for concrete in known:
                if concrete.arity != len(arguments):
                    continue
                for path, before in concrete.observed.items():
                    now = concrete.look(path, arguments)
                    self._signature.learn(path, before, now)

    # looking inside ---------------------------------------------------------------------------
    def cache_info(self) -> CacheInfo:
        """Hits, misses (each one a trace) and the number of traces kept."""
        size = sum(map(len, self._traces.values()))
        return CacheInfo(self._hits, self._misses, MAXIMUM_TRACES, size)

    def concrete(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if need be; without arguments the last one used."""
        if not args and not kwargs and self._last is not None:
            return self._last
        arguments, keywords = self._signature.flatten((*self.bound, *args), kwargs)
        found = self._find(arguments, keywords)
        return found or self._make(self._checked(arguments, keywords), keywords)

    def graph(self, *args: Any, **kwargs: Any) -> Printed:
        """The graph for these arguments (of the last trace, without any), as Python text."""
        graph = self.concrete(*args, **kwargs).graph
        return with_places(print_graph(graph), graph)

    def program(self, *args: Any, **kwargs: Any) -> Printed:
        """The program for these arguments (of the last trace, without any), as Python text."""
        graph = self.concrete(*args, **kwargs).graph
        return with_places(lower(graph, jit=False).text, graph)

    def explain_retraces(self) -> Retraces:
        """Why each trace was made, argument by argument and guard by guard; prints as a text."""
        return Retraces(self._log.retraces)

    def __repr__(self) -> str:
        code = self.plain.__code__
        where = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
        name = getattr(self.python_function, "__qualname__", self.plain.__qualname__)
        return f"<staged function {name}{self._signature.signature} of {where}>"

    def _standing(self) -> str:
        size, mode = self.cache_info().currsize, self.mode
        return f"{size} trace{'' if size == 1 else 's'}" + (
            "" if mode == "compile" else f", {mode}"
        )

    def _repr_html_(self) -> str:
        name = f"{self.plain.__qualname__}{self._signature.signature}"
        graph = None if self._last is None else self._last.graph
        return in_notebook(name, self.plain, graph, self._standing)


class CheckedFunction(StagedFunction):
    """A staged function in check mode: each outermost call runs beside the eager original."""

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from autograph.checking.call import checked_call, is_checking  # heavy, and seldom needed

        if not CURRENT.outermost or is_checking():
            return super()._call(args, kwargs)
        return checked_call(self, args, kwargs)

    def _shorten(self, concrete: ConcreteFunction) -> None:
        """No call takes the short way."""


_ALL: weakref.WeakSet[StagedFunction] = weakref.WeakSet()


def _forget_recent() -> None:
    """After a change of the default dtypes the cache key is asked again."""
    for each in list(_ALL):
        each._recent = ()


dtypes.on_default_change.append(_forget_recent)


class BoundFunction:
    """A staged method of an instance."""

    __slots__ = ("__autograph_inline__", "function", "instance")

    def __init__(self, function: StagedFunction, instance: Any) -> None:
        self.function = function
        self.instance = instance
        self.__autograph_inline__ = types.MethodType(function.python_function, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.function(self.instance, *args, **kwargs)
        except BaseException as error:
            if CURRENT.tracing is None:
                trimmed(error)
            raise

    @property
    def python_function(self) -> Callable[..., Any]:
        """The method as it was written."""
        return self.__autograph_inline__

    def concrete(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """See StagedFunction.concrete."""
        return self.function.concrete(*self._given(args, kwargs), **kwargs)

    def graph(self, *args: Any, **kwargs: Any) -> Printed:
        """See StagedFunction.graph."""
        return self.function.graph(*self._given(args, kwargs), **kwargs)

    def program(self, *args: Any, **kwargs: Any) -> Printed:
        """See StagedFunction.program."""
        return self.function.program(*self._given(args, kwargs), **kwargs)

    def _given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Positional arguments for a look inside: without any, the last trace is looked at."""
        if args or kwargs or not self.function.cache_info().currsize:
            return (self.instance, *args)
        return ()

    def cache_info(self) -> CacheInfo:
        """See StagedFunction.cache_info."""
        return self.function.cache_info()

    def __repr__(self) -> str:
        return f"<bound {self.function!r}>"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def plain_function(function: Any) -> tuple[types.FunctionType, tuple[Any, ...]]:
    """The Python function behind a callable, and the instance it is bound to, if any."""
    if isinstance(function, types.FunctionType):
        return function, ()
    if isinstance(function, types.MethodType) and isinstance(function.__func__, types.FunctionType):
        return function.__func__, (function.__self__,)
    special = getattr(type(function), "__call__", None)  # noqa: B004 - the function itself
    if isinstance(special, types.FunctionType):
        return special, (function,)
    raise StagingError(
        f"{function!r} is not a Python function, so it cannot be staged",
        remedy="decorate a function, a method or an object with a __call__ method",
    )


def executor(graph: Graph, mode: Mode) -> Callable[[Sequence[Any]], list[Any]]:
    """What runs a graph."""
    if mode == "evaluate":
        return lambda values: evaluate(graph, values)
    return lower(graph, jit=mode == "compile")


def lower(graph: Graph, jit: bool | None = None) -> Runnable:
    """The program of a graph. The compiler is loaded only by those who compile."""
    from autograph.runtime.lower import build

    return build(graph, jit=jit)


def taped_run(concrete: ConcreteFunction, arguments: tuple[Any, ...]) -> Any:
    """A call under an eager tape: the whole graph is one op for it."""
    assert concrete.differentiable is not None
    run, given = concrete.differentiable, concrete.tensors(arguments)
    return concrete.finish(arguments, concrete.watched(arguments, lambda: run(given)))


@overload
def function(python_function: Callable[..., Any], /) -> StagedFunction: ...
@overload
def function(
    *, mode: Mode = ..., check: bool = ...
) -> Callable[[Callable[..., Any]], StagedFunction]: ...
def function(
    python_function: Callable[..., Any] | None = None,
    /,
    *,
    mode: Mode | None = None,
    check: bool | None = None,
) -> Any:
    """Stage a function: a call traces it once per kind of arguments and runs compiled graphs.

    `mode` is "compile" (machine code, the default), "text" (the same program run by CPython; also
    the default under AUTOGRAPH_JIT=0) or "evaluate" (the graph, op by op, by the references).
    The result, the exceptions and the changes of Python's state are those of the function itself.
    `check` (the default under AUTOGRAPH_CHECK=1) compares each call with the function itself, and
    raises CheckError where they differ: see docs/checking.md.
    """
    chosen: Mode = mode or ("text" if os.environ.get("AUTOGRAPH_JIT") == "0" else "compile")
    if chosen not in ("compile", "text", "evaluate"):
        raise ValueError(f"mode is 'compile', 'text' or 'evaluate', not {mode!r}")

    if check is None:
        check = os.environ.get("AUTOGRAPH_CHECK", "") not in ("", "0")
    kind = CheckedFunction if check else StagedFunction

    def wrap(inner: Callable[..., Any]) -> StagedFunction:
        return kind(inner, chosen)

    return wrap if python_function is None else wrap(python_function)
