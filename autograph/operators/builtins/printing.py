"""`print` and `ag.py_function`: calls back into Python when the graph runs."""

from __future__ import annotations

import builtins
import io
import sys
import types
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.control.branch import switch
from autograph.control.raising import is_attempted
from autograph.errors import ArgumentError, StateError
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.functions import detached
from autograph.merge.results import Concrete
from autograph.operators.calls.dispatch import call, call_method, overrides, special_method
from autograph.operators.strings.formatting import joined
from autograph.operators.strings.snapshots import frozen_parts
from autograph.runtime.control.draws import drawing_again
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.location import Location, user_location
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor, as_array
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tensor_spec import TensorSpec
from autograph.tracing.reading import is_users
from autograph.tracing.tracing import CURRENT, Tracing, current
from autograph.values.choice import Choice
from autograph.values.skeleton import Cell, Choices, Group, Leaf, Skeleton, kind_of


class Print:
    """`print` with the arguments that a call of it had: their staged parts are filled in."""

    def __init__(self, arguments: Skeleton, options: dict[str, Any]) -> None:
        self.arguments = arguments
        self.options = options

    def __call__(self, *values: Any) -> Sequence[Any]:
        arguments = Concrete(iter(values)).thaw(self.arguments)
        builtins.print(*arguments, **self.options)
        return ()

    def text(self, *values: Any) -> str:
        """What it would print; nothing where that goes to another stream than the standard one."""
        if self.options.get("file") not in (None, sys.stdout):
            return ""
        arguments = Concrete(iter(values)).thaw(self.arguments)
        stream = io.StringIO()
        builtins.print(*arguments, **{**self.options, "file": stream})
        return stream.getvalue()


def staged_print(tracing: Tracing, *args: Any, **options: Any) -> None:
    """`print(*args, sep=, end=, file=, flush=)`, each time the graph runs, in order."""
    for name, option in options.items():
        if isinstance(option, Choice):
            apart = [{**options, name: one} for one in option.options]
            index = tracing.region.trace.lift(option.tag._value)
            switch(tracing, index, [partial(staged_print, tracing, *args, **one) for one in apart])
            return
    file = options.get("file")
    if isinstance(special_method(type(file), "write"), types.FunctionType) and is_users(type(file)):
        _print_to(file, args, options)
        return
    if any(isinstance(options.get(name), Text) for name in ("sep", "end")):
        args, options = (_whole(args, options),), {**options, "sep": None, "end": ""}
    shown = tuple(_shown(one) for one in args)
    frozen = Freezer(tracing, tracing.region).freeze(shown)
    trace = tracing.region.trace
    target = as_leaves(frozen)
    operands = Coercer(trace).coerce(frozen, target)
    trace.add_node(HOST_CALL, operands, {"function": Print(target, options), "results": ()}, ())


def _whole(args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """All that is printed as one string, where what stands between or behind is staged."""
    separator, end = (options.get(name) for name in ("sep", "end"))
    parts: list[Any] = []
    for place, one in enumerate(args):
        if place:
            parts.append(" " if separator is None else separator)
        parts.append(call(builtins.str, one))
    return joined(*parts, "\n" if end is None else end)


def _print_to(file: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """`print(*args, file=file)` of an object of the user's: what Python writes to it, in turn."""
    separator, end = (options.get(name) for name in ("sep", "end"))
    for place, one in enumerate(args):
        if place:
            call_method(file, "write", " " if separator is None else separator)
        call_method(file, "write", call(builtins.str, one))
    call_method(file, "write", "\n" if end is None else end)
    if options.get("flush"):
        call_method(file, "flush")


def _shown(value: Any) -> Any:
    """An argument of `print`, as it is now."""
    return frozen_parts(value if _is_known(value) else call(builtins.str, value), represented=False)


def _is_known(value: Any) -> bool:
    if isinstance(value, Tensor):
        return not overrides(value, "__str__")
    return type(value) in (str, bool, int, float, type(None))


def as_leaves(frozen: Skeleton) -> Skeleton:
    """The type of a frozen value in which every tensor is shown by its value."""
    match frozen:
        case Cell(tensor=tensor, spec=spec):
            return Leaf(spec, kind=kind_of(tensor))
        case Group(kind=kind, items=items):
            return Group(kind, tuple(map(as_leaves, items)))
        case Choices(options=options):
            return Choices(tuple(map(as_leaves, options)))
    return frozen


class HostFunction:
    """A user's Python function, called with tensors."""

    def __init__(
        self,
        function: Callable[..., Any],
        specs: tuple[Spec, ...],
        location: Location | None,
        attempted: bool,
    ) -> None:
        self.function = function
        self.specs = specs
        self.location = location
        self.attempted = attempted

    def __call__(self, *values: Any) -> Sequence[Any]:
        # Copies: a program may use the memory of what it gave for other values.
        own = [one.copy() if isinstance(one, np.ndarray) else one for one in values]
        given = [Tensor._of(one) if isinstance(one, np.ndarray) else one for one in own]
        return self.arrays(self.call(given))

    def call(self, given: list[Any]) -> Sequence[Any]:
        """Its results, as the function gives them."""
        running = CURRENT.running
        if running is None:
            result = self._called(given)
        else:
            CURRENT.running = None
            try:
                result = running(lambda: self._called(given))
            except StateError as error:
                error.location = error.location or self.location
                raise
            finally:
                CURRENT.running = running
        several: Sequence[Any] = result if len(self.specs) > 1 else (result,)
        return several if self.specs else ()

    def arrays(self, results: Sequence[Any]) -> list[Any]:
        """The results as they were announced. StateError where they are not."""
        if not isinstance(results, list | tuple) or len(results) != len(self.specs):
            counted = isinstance(results, list | tuple)
            raise StateError(
                f"py_function gave {len(results) if counted else results!r} where "
                f"{len(self.specs)} tensors were announced",
                location=self.location,
                remedy="return a list or tuple with a tensor for each ag.TensorSpec of its output",
            )
        arrays = []
        for one, spec in zip(results, self.specs, strict=True):
            array = np.array(as_array(one, spec.dtype))  # the function may use its own again
            sizes = zip(array.shape, spec.shape, strict=False)
            known = all(size == dim for size, dim in sizes if isinstance(dim, int))
            if array.ndim != spec.ndim or not known:
                raise StateError(
                    f"py_function gave a tensor of shape {array.shape} where {spec} was announced",
                    location=self.location,
                    remedy="make its output, an ag.TensorSpec, fit; None is a size that may vary",
                )
            arrays.append(array)
        return arrays

    def tensors(self, given: list[Any]) -> tuple[Any, ...]:
        """Its results as tensors, as they were announced; tapes see where they come from."""
        results = self.call(given)
        self.arrays(results)
        return tuple(
            one.copy()
            if isinstance(one, Tensor) and one.dtype == spec.dtype
            else OPS.astype(OPS.asarray(one), spec.dtype)
            for one, spec in zip(results, self.specs, strict=True)
        )

    def _called(self, given: list[Any]) -> Any:
        try:
            with drawing_again(None):
                return self.function(*given)
        except Exception as error:
            if not self.attempted:
                raise
            raise StateError(
                f"a function called by py_function inside try or with raised {error!r}, and which "
                "handler takes that is not known when the graph is made",
                location=self.location,
                remedy="catch it in the function itself, and return what tells of it",
            ) from error


def py_function(function: Callable[..., Any], inputs: Sequence[Any], output: Any = None) -> Any:
    """Call a Python function from a staged function each time it runs, in program order.

    `inputs` is a sequence of tensors or numbers; the function gets tensors. `output` says what it
    gives: a TensorSpec, a sequence of them, or None, and then the result is None. Outside a staged
    function it is called at once. What it is given and what it gives are copied: what either side
    does to a tensor later, the other does not see. Gradients go to the inputs. ArgumentError for
    another `output`.
    """
    if not isinstance(inputs, list | tuple):
        raise ArgumentError(
            f"the inputs of py_function are {inputs!r}, not a list of what the function gets",
            remedy="pass a list: ag.py_function(f, [x], ag.TensorSpec(shape, dtype))",
        )
    several = isinstance(output, list | tuple)
    wanted = tuple(output) if several else () if output is None else (output,)
    if not all(isinstance(one, Spec | TensorSpec) for one in wanted):
        raise ArgumentError(
            f"the output of py_function is announced by {output!r}, not by a TensorSpec",
            remedy="pass a TensorSpec: ag.py_function(f, [x], ag.TensorSpec(shape, dtype))",
        )
    specs = tuple(one.spec if hasattr(one, "spec") else one for one in wanted)
    tracing = current()
    if tracing is None:
        given = [OPS.asarray(one) if isinstance(one, np.ndarray) else one for one in inputs]
        given = [one.copy() if isinstance(one, Tensor) else one for one in given]
        found = HostFunction(function, specs, user_location(), attempted=False).tensors(given)
        return found if several else found[0] if found else None
    trace = tracing.region.trace
    operands = [trace.value_of(one) for one in inputs]
    called = detached(tracing, function)
    tracing.called_back.append(called)
    host = HostFunction(called, specs, user_location(), is_attempted(tracing))
    attributes = {"function": host, "results": specs}
    node = trace.add_control(HOST_CALL, operands, attributes, specs)
    made = tuple(Tensor._of(value) for value in node.outputs)
    return made if several else made[0] if made else None


def numpy_function(function: Callable[..., Any], inputs: Sequence[Any], output: Any = None) -> Any:
    """Like `py_function`, but the function gets NumPy arrays, and no gradients go through it."""

    def on_arrays(*given: Any) -> Any:
        arrays = [one.numpy() if isinstance(one, Tensor) else one for one in given]
        made = function(*arrays)
        if output is None:
            return None
        return tuple(map(np.asarray, made)) if isinstance(output, list | tuple) else made

    made = py_function(on_arrays, [OPS.asarray(one) for one in inputs], output)
    if made is None:
        return None
    if isinstance(output, list | tuple):
        return tuple(OPS.stop_gradient(OPS.asarray(one)) for one in made)
    return OPS.stop_gradient(OPS.asarray(made))
