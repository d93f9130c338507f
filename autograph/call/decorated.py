"""What can be decorated: functions, methods of every kind, partial calls, callable objects."""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from autograph.conversion.tracebacks import trimmed
from autograph.errors import StagingError
from autograph.library.cached import calls_of
from autograph.tracing.tracing import CURRENT
from autograph.values.marks import staged_form

if TYPE_CHECKING:
    from autograph.call.concrete import ConcreteFunction
    from autograph.call.specialized import SpecializedFunction
    from autograph.call.trace_cache import CacheInfo
    from autograph.conversion.printed import Printed


CACHED = type(functools.lru_cache(lambda: None))


class Plain(NamedTuple):
    """The Python function behind a callable, and the arguments that it always gets."""

    function: types.FunctionType
    bound: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = {}


def plain_function(function: Any) -> Plain:
    """The Python function behind a callable; StagingError where there is none."""
    if isinstance(function, types.FunctionType):
        return Plain(function)
    if isinstance(function, functools.partial):
        inner = plain_function(function.func)
        keywords = {**inner.keywords, **function.keywords}
        return inner._replace(bound=(*inner.bound, *function.args), keywords=keywords)
    if isinstance(function, types.MethodType):
        inner = plain_function(function.__func__)
        return inner._replace(bound=(*inner.bound, function.__self__))
    if isinstance(function, CACHED):
        return Plain(calls_of(function))
    if not isinstance(function, type):
        inlined = staged_form(function)
        if inlined is not None:
            return plain_function(inlined)
        special = getattr(type(function), "__call__", None)  # noqa: B004 - the function itself
        special = getattr(special, "python_function", special)
        if isinstance(special, types.FunctionType):
            return Plain(special, (function,))
    raise StagingError(
        f"{function!r} is not a Python function, so it cannot be staged",
        remedy="decorate a function, a method or an object with a __call__ method",
    )


def is_method(function: types.FunctionType) -> bool:
    """Whether the first parameter is the instance, or the class, that a method belongs to."""
    code = function.__code__
    inside = function.__qualname__.rpartition(".")[0]
    first = code.co_varnames[0] if code.co_argcount else ""
    return first in ("self", "cls") and bool(inside) and not inside.endswith("<locals>")


def staged_member(member: Any, stage: Callable[[Any], Any]) -> Any:
    """A static method, class method or property whose functions are staged; None for any other."""
    if isinstance(member, staticmethod | classmethod):
        return type(member)(stage(member.__func__))
    if isinstance(member, property):
        fget, fset, fdel = (one and stage(one) for one in (member.fget, member.fset, member.fdel))
        return property(fget, fset, fdel, member.__doc__)
    if isinstance(member, functools.cached_property):
        return functools.cached_property(stage(member.func))
    return None


def refuse_pickling(function: Any) -> TypeError:
    """Why a staged function is not pickled."""
    return TypeError(
        f"cannot pickle {function!r}: its traces and its machine code belong to this process. "
        "Pickle the Python function, f.python_function, and decorate that again; "
        "or keep its graph with ag.save"
    )


class Staged(Protocol):
    """What a bound method needs of its function: see StagedFunction."""

    @property
    def python_function(self) -> Callable[..., Any]: ...
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ...
    def __autograph_prepare__(self, args: Any, kwargs: Any) -> Any: ...
    def specialized(self, owner: Any, args: Any, kwargs: Any) -> SpecializedFunction: ...
    def concrete(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction: ...
    def graph(self, /, *args: Any, **kwargs: Any) -> Printed: ...
    def program(self, /, *args: Any, **kwargs: Any) -> Printed: ...
    def cache_info(self) -> CacheInfo: ...


class BoundFunction:
    """A staged method of an instance."""

    __slots__ = ("__autograph_inline__", "__weakref__", "function", "instance")

    def __init__(self, function: Staged, instance: Any) -> None:
        self.function = function
        self.instance = instance
        self.__autograph_inline__ = types.MethodType(function.python_function, instance)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
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

    def concrete(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """See StagedFunction.concrete."""
        return self.function.concrete(*self._given(args, kwargs), **kwargs)

    def get_concrete(self, /, *args: Any, **kwargs: Any) -> SpecializedFunction:
        """See StagedFunction.get_concrete."""
        return self.function.specialized((self.instance,), args, kwargs)

    def graph(self, /, *args: Any, **kwargs: Any) -> Printed:
        """See StagedFunction.graph."""
        return self.function.graph(*self._given(args, kwargs), **kwargs)

    def program(self, /, *args: Any, **kwargs: Any) -> Printed:
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundFunction):
            return NotImplemented
        return self.function is other.function and self.instance is other.instance

    def __hash__(self) -> int:
        return hash((id(self.function), id(self.instance)))

    def __repr__(self) -> str:
        return f"<bound {self.function!r}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise refuse_pickling(self)

    def __copy__(self) -> BoundFunction:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> BoundFunction:
        # like a method: bound to a copy of the instance
        return BoundFunction(self.function, copy.deepcopy(self.instance, memo))

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self.__autograph_inline__

    def __autograph_prepare__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        given, kwargs = self.function.__autograph_prepare__((self.instance, *args), kwargs)
        return given[1:], kwargs

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)
