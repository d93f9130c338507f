"""A staged function: signature → convert → trace → optimise → compile → run."""

from __future__ import annotations

import contextlib
import copy
import functools
import os
import types
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from autograph.call.concrete import ConcreteFunction, explained, missing, trace
from autograph.call.decorated import (
    BoundFunction,
    is_method,
    plain_function,
    refuse_pickling,
)
from autograph.call.execution import Mode, executor, kernel_of, lower
from autograph.call.fast_path import MISS
from autograph.call.input_signature import InputSignature, has_specs, unknown_axes
from autograph.call.iterator_arguments import GivenIterators, settle
from autograph.call.retracing import Learned, RetraceLog, Retraces
from autograph.call.signature import Signature, checked
from autograph.call.specialized import SpecializedFunction
from autograph.call.taped import GraphFunction
from autograph.call.trace_cache import MAXIMUM_TRACES, CacheInfo, StormWatch, TraceCache
from autograph.conversion.printed import Printed, with_places
from autograph.conversion.syntax.source import place_of
from autograph.conversion.tracebacks import point
from autograph.errors import ArgumentError, StagingError, StateError
from autograph.kernels.interrupts import interruptible
from autograph.kernels.phases import LISTENERS, making
from autograph.operators.calls.dispatch import call
from autograph.runtime.control.effects import graph_effect
from autograph.runtime.core import dtypes
from autograph.runtime.core.devices import CPU, ELSEWHERE, current_device
from autograph.runtime.core.location import Location
from autograph.runtime.core.python_versions import takes_instances
from autograph.runtime.core.record import Effect
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.printer import print_graph
from autograph.runtime.graph.trace import RunLimitError
from autograph.runtime.graph.verify import verify
from autograph.showing.notebook import in_notebook
from autograph.tracing.tracing import CURRENT, TRACE_LOCK, current
from autograph.tracing.variable_creation import Creations

UNLOCKED = contextlib.nullcontext()
TOO_LARGE = "Python int too large for a staged one"
NO_ITEMS = "a list without items"
NUMBERS_KNOWN = "a staged int overflowed, so Python numbers are known while tracing"
LISTS_EMPTY = "a list turned out empty of which NumPy makes an array"
MAXIMUM_SHORTCUTS = 4


class StagedFunction:
    """What `@function` makes: called like the function, it runs compiled graphs of it."""

    def __init__(
        self,
        function: Callable[..., Any],
        mode: Mode,
        input_signature: Sequence[Any] | None = None,
    ) -> None:
        functools.update_wrapper(self, function, updated=())
        own = getattr(function, "__dict__", {})
        vars(self).update({name: own[name] for name in own if not hasattr(type(self), name)})
        self._function = function
        self.mode: Mode = mode
        self.plain, self.bound, self.bound_keywords = plain_function(function)
        self._binds = takes_instances(function) and not isinstance(function, types.MethodType)
        self._signature = Signature(self.plain)
        self.input_signature = input_signature
        self._specs: InputSignature | None = None
        if input_signature is not None:
            name, count = self.plain.__name__, len(self.bound) or is_method(self.plain)
            signature = self._signature.signature
            self._specs = InputSignature.of(name, signature, count, input_signature)
            self._signature.expect(self._specs.unknown_axes)
        self._traces = TraceCache()
        self._iterators = GivenIterators(lambda: self.place)
        self._hits = 0
        self._misses = 0
        self._log = RetraceLog()
        self._storms = StormWatch()
        self._creations = Creations()
        self._last: ConcreteFunction | None = None
        self._recent: tuple[ConcreteFunction, ...] = ()
        self._elsewhere: dict[str, StagedFunction] = {}
        """The same on other devices, by their names, for calls in their scopes."""
        self._own_names = frozenset((*vars(self), "_own_names")).difference(own)
        _ALL.add(self)

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as it was written."""
        return self._function

    __autograph_inline__ = python_function

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if ELSEWHERE and (there := self._there()) is not None:
            return there(*args, **kwargs)
        if not kwargs and CURRENT.outermost and not STATE.tapes:
            for concrete in self._recent:
                try:
                    result = concrete.shortcut(args)
                except BaseException as error:
                    self._hit(concrete)
                    if self.traced_anew(concrete, error):
                        return self(*args)
                    point(error)
                    raise
                if result is not MISS:
                    self._hits += 1
                    concrete.used = self._hits
                    self._last = concrete
                    return result
        try:
            return self._call(args, kwargs)
        except BaseException as error:
            if CURRENT.tracing is None:
                point(error)
            raise  # a bare one adds no frame of its own

    def _there(self) -> StagedFunction | None:
        """The same on the device of the innermost scope; None where calls run as they are."""
        name = current_device()
        if name == CPU or self.mode not in ("compile", "text") or not CURRENT.outermost:
            return None
        found = self._elsewhere.get(name)
        if found is None:
            made = type(self)(self._function, name, self.input_signature)
            found = self._elsewhere.setdefault(name, made)
        return found

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        tracing = current()
        if tracing is not None or not CURRENT.outermost:
            args, kwargs = self.__autograph_prepare__(args, kwargs)
            return (call if tracing else _plainly)(self.python_function, *args, **kwargs)
        concrete, arguments = self.prepared(args, kwargs)
        try:
            if not concrete.makes:
                result = self._run(concrete, arguments)
                self._shorten_first(concrete, arguments, kwargs)
                return result
            with TRACE_LOCK:
                if concrete.is_first:  # else another thread was
                    result = self._run(concrete, arguments)
                    self.remember(concrete, arguments)
                    return result
        except (OverflowError, RunLimitError) as error:
            if not self.traced_anew(concrete, error):
                raise
        return self._call(args, kwargs)

    def _run(self, concrete: ConcreteFunction, arguments: tuple[Any, ...]) -> Any:
        with TRACE_LOCK if concrete.concluded.writes else UNLOCKED:
            result = concrete.run_taped(arguments) if STATE.tapes else concrete.run(arguments)
        if self._iterators.asked:
            settle(arguments)
        return result

    def remember(self, concrete: ConcreteFunction, arguments: tuple[Any, ...]) -> None:
        """Note that a call made Variables, which the next one is not to do again."""
        self._creations.note(concrete, arguments)

    def __autograph_prepare__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call that becomes a part of another trace, or runs eagerly."""
        if self._specs is None:
            return args, kwargs
        arguments, keywords = self._flattened(args, kwargs)
        count = len(arguments) - len(keywords)
        return arguments[len(self.bound) : count], dict(
            zip(keywords, arguments[count:], strict=True)
        )

    def _flattened(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """The arguments as the input signature wants them, and the names of the last ones."""
        if self.bound_keywords:
            kwargs = {**self.bound_keywords, **kwargs}
        args = (*self.bound, *args)
        if self._specs is None:
            return self._signature.flatten(args, kwargs)
        arguments, keywords = self._signature.flatten(*self._signature.complete(args, kwargs))
        return self._specs.fitted(arguments, keywords, self.words(arguments, keywords)), keywords

    def prepared(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ConcreteFunction, tuple[Any, ...]]:
        """The trace for a call, made if need be, and the arguments that it takes."""
        arguments, keywords = self._flattened(args, kwargs)
        arguments = self._iterators.taken(arguments)
        found = self._find(arguments, keywords)
        if found is None:
            make = functools.partial(self._make, keywords=keywords)
            return self._iterators.learning(make, self._checked(arguments, keywords))
        if not keywords and not self.bound:
            self._shorten(found, arguments)
        return found, arguments

    def run_or_inline(
        self, concrete: ConcreteFunction, arguments: tuple[Any, ...], keywords: tuple[str, ...]
    ) -> Any:
        """Call a trace that fits the arguments, or another one if it does not any more."""
        if current() is None and CURRENT.outermost and concrete.matches(arguments):
            return self._run(concrete, arguments)
        count = len(arguments) - len(keywords)
        given = dict(zip(keywords, arguments[count:], strict=True))
        return self(*arguments[len(self.bound) : count], **given)

    def traced_anew(self, concrete: ConcreteFunction, error: BaseException | None) -> bool:
        """Let Python numbers be known while tracing again, where a staged one overflowed; or lists
        be empty, where NumPy made an array of one that turned out so."""
        too_large = isinstance(error, OverflowError) and str(error).startswith(TOO_LARGE)
        empty = isinstance(error, RunLimitError) and str(error).startswith(NO_ITEMS)
        if not (too_large or empty):
            return False
        if graph_effect(concrete.graph) is Effect.CALLS_BACK:
            return False
        if not (self._signature.forget() if too_large else self._signature.allow_empty()):
            return False
        with TRACE_LOCK:
            self._traces.clear()
            self._recent = ()
            self._log.note = NUMBERS_KNOWN if too_large else LISTS_EMPTY
        return True

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return BoundFunction(self, instance) if instance is not None and self._binds else self

    # finding and making traces ----------------------------------------------------------------
    def _find(
        self, arguments: tuple[Any, ...], keywords: tuple[str, ...]
    ) -> ConcreteFunction | None:
        key = self._signature.key(arguments, keywords)
        try:
            known = self._traces.get(key)
        except TypeError:
            return None
        for concrete in known:
            if concrete.matches(arguments):
                self._hit(concrete)
                return concrete
        return None

    def _hit(self, concrete: ConcreteFunction) -> None:
        self._hits += 1
        concrete.used = self._hits
        self._last = concrete

    def _shorten(self, concrete: ConcreteFunction, arguments: tuple[Any, ...]) -> None:
        """Try this trace first on the next calls, unless each call is to tell of itself."""
        if LISTENERS:
            return
        if concrete.shortcut is missing:
            if not concrete.is_compiled:
                return
            concrete.shorten(arguments)
        others = [one for one in self._recent if one is not concrete]
        self._recent = (concrete, *others[: MAXIMUM_SHORTCUTS - 1])

    def _shorten_first(
        self, concrete: ConcreteFunction, arguments: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """After the first call, so that the second one is short already."""
        plain = not (kwargs or self.bound or STATE.tapes)
        if concrete.shortcut is missing and plain and concrete.is_compiled:
            if concrete.matches(arguments):
                self._shorten(concrete, arguments)

    def _checked(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> tuple[Any, ...]:
        """The arguments as they may be traced; ArgumentError names one that may not."""
        words = self._signature.words(arguments, keywords)
        try:
            return tuple(map(checked, arguments, words))
        except ArgumentError as error:
            error.location = self.place
            raise

    @property
    def place(self) -> Location:
        """Where the function is defined."""
        return place_of(self.plain)

    @interruptible()
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
            concrete = self.traced(arguments, keywords)
            concrete.keywords = keywords
            self._log.add(
                concrete, words, compared, changes, Learned(fresh, self._signature.unknown)
            )
            if not concrete.makes:
                gone = self._traces.add(self._signature.key(arguments, keywords), concrete)
                self._recent = tuple(one for one in self._recent if one is not gone)
        name, calls = self.plain.__qualname__, self._hits + self._misses
        self._storms.traced(name, calls, self._log.retraces[-1], self.place)
        self._last = concrete
        return concrete

    def traced(
        self, arguments: tuple[Any, ...], keywords: tuple[str, ...], any_size: bool = False
    ) -> ConcreteFunction:
        with making("trace", self.plain.__name__):
            return self._traced(arguments, keywords, any_size)

    def _traced(
        self, arguments: tuple[Any, ...], keywords: tuple[str, ...], any_size: bool
    ) -> ConcreteFunction:
        name, exact = self.plain.__name__, self._signature.exact_key(arguments, keywords)
        while True:
            refuse = functools.partial(self._creations.refuse_again, exact, arguments)
            hints = replace(self._signature.hints, refuse_making=refuse, any_size=any_size)
            try:
                tracing, concluded = trace(name, self.plain, arguments, keywords, hints)
                break
            except (StagingError, TypeError):
                if hints.empty_lists:
                    self._signature.empty_lists = False
                    continue
                # Some number or size must be known while tracing, after all.
                if any_size or not self._signature.forget():
                    raise
        verify(concluded.graph)
        differentiable = GraphFunction(concluded.graph, functools.partial(executor, mode=self.mode))
        return ConcreteFunction(tracing, concluded, differentiable, len(arguments), exact)

    def _learn(self, arguments: tuple[Any, ...]) -> None:
        """See what changed since the traces that were made: sizes become symbols."""
        count = self._traces.count
        for concrete in self._traces:
            if concrete.arity != len(arguments):
                continue
            for path, before in concrete.observed.items():
                now = concrete.look(path, arguments)
                self._signature.learn(path, before, now, count)
        for concrete in self._traces:
            self._signature.learn_siblings(concrete.observed)

    # looking inside ---------------------------------------------------------------------------
    def cache_info(self) -> CacheInfo:
        """Hits, misses (each one a trace) and the number of traces kept."""
        return CacheInfo(self._hits, self._misses, MAXIMUM_TRACES, self._traces.count)

    def concrete(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if need be; without arguments the last one used."""
        if not args and not kwargs and self._last is not None:
            return self._last
        if has_specs((args, kwargs)):
            return self.get_concrete(*args, **kwargs).concrete
        arguments, keywords = self._flattened(args, kwargs)
        found = self._find(arguments, keywords)
        return found or self._make(self._checked(arguments, keywords), keywords)

    @property
    def traces(self) -> list[ConcreteFunction]:
        """Every trace that is kept."""
        return list(self._traces)

    def get_concrete(self, /, *args: Any, **kwargs: Any) -> SpecializedFunction:
        """The function for one kind of arguments, traced now and called like it.

        Tensors are given as TensorSpecs, in lists, tuples and dicts too, or as tensors whose values
        do not matter; everything else as in a call. Without arguments those of `input_signature`
        are taken. StagingError where it cannot be traced.
        """
        return self.specialized((), args, kwargs)

    def specialized(
        self, owner: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> SpecializedFunction:
        """See get_concrete. `owner` is the instance of a method."""
        before = (*self.bound, *owner)
        if not args and not kwargs and self._specs is not None:
            args, kwargs = tuple(self._specs.specs[len(before) :]), {**self._specs.by_keyword}
        kwargs = {**self.bound_keywords, **kwargs}
        try:
            self._signature.signature.bind(*before, *args, **kwargs)
        except TypeError as error:
            raise ArgumentError(
                f"{self.plain.__name__} cannot be called so: {error}", location=self.place
            ) from None
        given, keywords = self._signature.flatten((*before, *args), kwargs)
        return SpecializedFunction(self, given, keywords, len(before))

    def words(self, arguments: tuple[Any, ...], keywords: tuple[str, ...]) -> list[str]:
        """What each of the flattened arguments is called."""
        return self._signature.words(arguments, keywords)

    def traced_for(
        self, specs: Sequence[Any], arguments: tuple[Any, ...], keywords: tuple[str, ...]
    ) -> ConcreteFunction:
        """The trace for arguments that stand for any of their specs."""
        self._signature.expect(unknown_axes(specs))
        found = self._find(arguments, keywords)
        found = found or self._make(self._checked(arguments, keywords), keywords)
        if found.makes:
            raise StateError(
                f"{self.plain.__name__} makes its Variables in its first call, which was not yet",
                location=self.place,
                remedy="call it once before get_concrete",
            )
        return found

    def graph(self, /, *args: Any, **kwargs: Any) -> Printed:
        """The graph for these arguments (of the last trace, without any), as Python text.

        Tensors may be given as TensorSpecs.
        """
        graph = self.concrete(*args, **kwargs).graph
        return with_places(print_graph(graph), graph)

    def program(self, /, *args: Any, **kwargs: Any) -> Printed:
        """The program for these arguments (see `graph`), as Python text."""
        graph = self.concrete(*args, **kwargs).graph
        return with_places(kernel_of(lower(graph, jit=False), self.mode), graph)

    def explain_retraces(self) -> Retraces:
        """Why each trace was made, argument by argument and guard by guard; prints as a text."""
        return Retraces(self._log.retraces)

    def explain_compile(self) -> str:
        """What the traces became: ops, lines, and whether code was compiled, from disk, or shared.

        One line for each trace; of one that ran under a tape alone, nothing was made yet.
        """
        return "\n".join(map(explained, self._traces))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise refuse_pickling(self)

    def __copy__(self) -> StagedFunction:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> StagedFunction:
        copied = copy.deepcopy(self.python_function, memo)
        if copied is self.python_function:  # as functions are; a method gets a copied instance
            return self
        return type(self)(copied, self.mode, self.input_signature)

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


_ALL: weakref.WeakSet[StagedFunction] = weakref.WeakSet()


def staged_functions() -> list[StagedFunction]:
    """All that there are."""
    return list(_ALL)


def forget_shortcuts() -> None:
    """Let the next call of each function take the long way."""
    for function in staged_functions():
        function._recent = ()


# After a change of the default dtypes the cache key is asked again.
dtypes.on_default_change.append(forget_shortcuts)


def _plainly(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)
