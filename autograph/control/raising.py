"""Exceptions of staged code: what is raised, where, and with which state.

A raise that nothing in the staged code catches ends the run, as eager Python would. One inside an
attempt (`attempts`) also keeps what every place changed since then held at that moment: its node
has these as operands, and becomes plain data flow when the attempt ends.
"""

from __future__ import annotations

import copy
import inspect
import sys
import types
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograph.conversion.syntax import build
from autograph.conversion.syntax.build import is_converted
from autograph.conversion.tracebacks import full_tracebacks
from autograph.errors import StagingError, TracingSignal
from autograph.merge import coerce, freeze, join, join_specs, thaw
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.leaks import refuse_own_objects
from autograph.merge.pack import leaf_specs
from autograph.merge.reachable import reached
from autograph.merge.results import Concrete
from autograph.runtime.control.records import RAISE
from autograph.runtime.core.location import Location, is_ours
from autograph.runtime.core.python_versions import asserts_at
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import IntegerLimitError, RunLimitError, Trace
from autograph.tracing.places import Key, Place, TensorPlace
from autograph.tracing.reading import BY_NAME, IMMUTABLE
from autograph.tracing.region import Region, not_one_by_one
from autograph.tracing.tracing import Tracing, current
from autograph.values.equivalence import ATOMS
from autograph.values.marks import declared
from autograph.values.references import parts_in
from autograph.values.sentinels import UNSET
from autograph.values.skeleton import (
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Leaf,
    Made,
    Skeleton,
    Within,
    kind_of,
)


class Attempt:
    """A stretch of code whose exceptions are caught: the body of a `try` or a `with`.

    It runs in Python first, without a region of its own; when something in it may raise at run
    time, it is traced again, into a graph of its own.
    """

    def __init__(self, run: Any, only: type[BaseException] | None = None) -> None:
        self.run = run
        self.only = only
        """What alone makes it worth a graph of its own, if not every exception does."""
        self.region: Region | None = None
        """The region of the body, once it is traced into a graph of its own."""
        self.bound: list[Place] = []
        """The variables of `except ... as`, which lose their value when an exception leaves."""

    def takes(self, error: BaseException | None) -> bool:
        """Whether it must know of an exception; None stands for any but those of `only`."""
        return self.region is not None or self.only is None or isinstance(error, self.only)


class Boundary:
    """A function traced as a graph of its own: attempts further out do not see what it raises."""


class PassingBy(StagingError):
    """Carries what another part of the program raised past handlers that do not see it."""


class MustBeStaged(TracingSignal):
    """A body that runs in Python may raise at run time: trace it into a graph of its own."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(attempt)
        self.attempt = attempt


@dataclass(slots=True, eq=False)
class Raised:
    """An exception as it is where it leaves its region, and what changed places hold then.

    It is also what marks the node of a raise that is caught.
    """

    error: BaseException
    location: Location | None
    frozen: Skeleton
    lines: Sequence[Location | None]
    attempt: Attempt | None = None
    places: list[Place] = field(default_factory=list)
    contents: list[Skeleton] = field(default_factory=list)

    def __call__(self, *values: Any) -> BaseException:
        raise AssertionError("a raise that is caught was left in a graph")

    def __repr__(self) -> str:
        return f"<caught {self.error!r}>"


class ExceptionFactory:
    """Makes the exception anew for each raise; its staged parts are filled in."""

    def __init__(
        self, error: BaseException, frozen: Skeleton | None, lines: Sequence[Location | None] = ()
    ) -> None:
        self.error = error
        self.frozen = frozen
        self.lines = lines
        """By number, the lines that it may have been raised on."""
        self.cause: BaseException | None = error.__cause__
        if full_tracebacks():
            self.cause = copy.copy(error).with_traceback(error.__traceback__)
        tracing = current()
        if tracing is not None:
            tracing.raised.append(error)

    def __call__(self, *values: Any) -> BaseException:
        if self.frozen is not None:
            concrete = Concrete(one._value if type(one) is Tensor else one for one in values)
            fresh: BaseException = concrete.thaw(self.frozen)
            line = self.lines[concrete.origins.get(id(fresh), 0)]
            if line is not None:
                fresh.__autograph_location__ = line  # type: ignore[attr-defined]
            return fresh.with_traceback(None)
        fresh = copied(self.error)
        fresh.__cause__ = self.cause
        fresh.__suppress_context__ = self.error.__suppress_context__
        return fresh.with_traceback(None)

    def __repr__(self) -> str:
        return repr(self.error)


def copied(error: BaseException) -> BaseException:
    """An exception like this one; its `__init__` may want other arguments than it kept."""
    try:
        fresh = copy.copy(error)
    except TypeError:
        kind = type(error)
        fresh = kind.__new__(kind, *error.args)
        fresh.__dict__.update(error.__dict__)
    fresh.args = error.args
    return fresh


class DeadEnd(ExceptionFactory):
    """Stands behind a branch all of whose paths raise; it is never reached."""

    def __init__(self) -> None:
        super().__init__(RuntimeError("unreachable"), None)


# where it is raised -------------------------------------------------------------------------------
def is_of_the_program(error: BaseException) -> bool:
    """Whether an exception met while tracing is the program's own, and not one of staging.

    Of others than Exceptions those that the program itself has made: Ctrl-C is none of it.
    """
    if isinstance(error, StagingError):
        return False
    if not isinstance(error, Exception | SystemExit):
        tracing = current()
        return tracing is not None and (tracing.is_born(error) or id(error) in tracing.paths)
    return not is_own_failure(error)


FOREIGN = frozenset(module.__file__ for module in (coerce, freeze, join, join_specs, thaw, build))
"""Rooms in which nothing of the program is done."""


def is_own_failure(error: BaseException) -> bool:
    """Whether this package failed, by an `assert` or where it merges: nothing the program did."""
    trace = error.__traceback__
    if trace is None or isinstance(error, RecursionError):
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    if not is_ours(code.co_filename):
        return False
    if code.co_filename in FOREIGN:
        return True
    return type(error) is AssertionError and asserts_at(code, trace.tb_lasti, trace.tb_lineno)


def is_catchable(error: BaseException) -> bool:
    """Whether eager Python would raise it too: our own limits are none of it."""
    limits = (IntegerLimitError, RunLimitError)
    return is_of_the_program(error) and not isinstance(error, limits)


def raised_here(tracing: Tracing, error: BaseException) -> Raised:
    """An exception that leaves the current region.

    Raises MustBeStaged where that has to be known before.
    """
    attempt = attempt_around(tracing, error) if is_catchable(error) else None
    if isinstance(error, StopIteration) and _leaves_generator():
        raise not_one_by_one("a StopIteration leaves a generator under a staged condition")
    if not tracing.is_born(error) and id(error) not in tracing.paths:
        tracing.born(error)  # raised by Python itself
    origins = tracing.origins
    tracing.keeper.settle()
    freezer = Freezer(tracing, tracing.region, attempt.region if attempt else tracing.root)
    with origins.raised(error) as location:
        raised = Raised(error, location, freezer.freeze_at("error", error), origins.lines, attempt)
    if attempt is None:
        raised.frozen = _leaving(tracing, freezer, raised.frozen)
        return raised
    bound = {place.key for place in attempt.bound}
    for key, place in changed_since(tracing, attempt.region).items():
        raised.places.append(place)
        held = UNSET if key in bound else place.get()
        raised.contents.append(freezer.freeze_at(key, held))
    return raised


def _leaving(tracing: Tracing, freezer: Freezer, frozen: Skeleton) -> Skeleton:
    """An exception that nobody catches, with what it refers to in stores."""
    for part in parts_in(frozen):
        if isinstance(part, Grown):
            for region in freezer.regions:
                refuse_own_objects(tracing, part.element, region)
    stores = {key: freezer.freeze(rows) for key, rows in reached(tracing, frozen).items()}
    for part in parts_in(frozen):
        if isinstance(part, Fixed) and not isinstance(part.value, (*ATOMS, *BY_NAME, *IMMUTABLE)):
            _guard_identity(tracing, part.value)
    own = by_value(frozen)
    return Within(tuple(stores.items()), own) if stores else own


def _guard_identity(tracing: Tracing, value: Any) -> None:
    """An exception that ends the run holds an object of the caller's: no other call's object."""
    if id(value) in tracing.paths:
        tracing.guard(f"{tracing.path_of(value)} is {tracing.table.constant(value)}")


def _leaves_generator() -> bool:
    """Whether it is a generator of Python's own, with converted code, that raises here.

    What Python would make of a StopIteration there is known only when the graph runs.
    """
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_name in ("_trace_body", "_run_in_python") and is_ours(code.co_filename):
            return False  # an attempt inside of it
        if code.co_flags & inspect.CO_GENERATOR and is_converted(code):
            return True
        frame = frame.f_back
    return False


def is_attempted(tracing: Tracing) -> bool:
    """Whether something further out catches exceptions."""
    return any(isinstance(one, Attempt) and one.takes(None) for one in tracing.attempts)


def attempts_around(tracing: Tracing) -> list[Attempt]:
    """The attempts of the graph that is traced, or that are no graphs yet, innermost first."""
    found: list[Attempt] = []
    for one in reversed(tracing.attempts):
        if isinstance(one, Boundary):
            break
        found.append(one)
    return found


def catcher(tracing: Tracing, error: BaseException | None = None) -> Attempt | None:
    """The attempt that catches an exception raised here, if any."""
    return next((one for one in attempts_around(tracing) if one.takes(error)), None)


def attempt_around(tracing: Tracing, error: BaseException | None = None) -> Attempt | None:
    """The same; raises MustBeStaged where it has no graph of its own."""
    attempt = catcher(tracing, error)
    if attempt is not None and attempt.region is None:
        raise MustBeStaged(attempt)
    return attempt


def changed_since(tracing: Tracing, start: Region | None) -> dict[Key, Place]:
    """The places from before a region that hold something else by now."""
    written: dict[Key, tuple[Place, Any]] = {}
    regions: list[Region] = []
    region: Region | None = tracing.region
    while region is not None:
        regions.append(region)
        written.update(region.log)  # the outermost old value counts
        if region is start:
            break
        region = region.parent
    graphs = [one.trace.graph for one in regions]
    return {
        key: place
        for key, (place, old) in written.items()
        if not any(id(place.owner) in one.born for one in regions)
        and not (isinstance(place, TensorPlace) and any(old.graph is one for one in graphs))
        and not place.same(old, place.get())
    }


# the node -----------------------------------------------------------------------------------------
def by_value(frozen: Skeleton) -> Skeleton:
    """A frozen value whose tensors are their own, with what they held: none is one from before."""
    match frozen:
        case Leaf(same=same) if same:
            return replace(frozen, same=(), tag=None)
        case Cell(tensor=tensor, spec=spec, value=value):
            return Leaf(spec, value, kind=kind_of(tensor))
        case Group(items=items) | Made(items=items):
            return replace(frozen, items=tuple(map(by_value, items)))
        case Choices(options=options):
            return replace(frozen, options=tuple(map(by_value, options)))
    return frozen


def _stays_the_same(frozen: Skeleton) -> bool:
    """Whether an exception holds nothing that is staged, or that its receiver could change."""
    parts = [part for part in parts_in(frozen) if part is not frozen]
    changes = any(isinstance(part, Made) or _stands_in(part) for part in parts)
    return not leaf_specs(frozen) and not changes


def _stands_in(part: Skeleton) -> bool:
    """Whether a part is made of what stands for a value of Python's, such as a text."""
    return isinstance(part, Group) and declared(part.kind, "_concrete") is not None


def emit_raise(trace: Trace, raised: Raised | None, specs: Sequence[AnySpec]) -> list[Value]:
    """A node that raises; gives values of `specs` that never come to be."""
    operands: list[Value] = []
    exception: Any = DeadEnd()
    if raised is not None:
        parts = [raised.frozen, *raised.contents]
        coercer = Coercer(trace)
        operands = [value for one in parts for value in coercer.coerce(one, one)]
        exception = raised
        if raised.attempt is None:
            known = None if _stays_the_same(raised.frozen) else raised.frozen
            exception = ExceptionFactory(raised.error, known, raised.lines)
    attributes = {
        "exception": exception,
        "arguments": tuple(DynamicInt(number) for number in range(len(operands))),
        "results": tuple(specs),
    }
    node = trace.add_node(RAISE, operands, attributes, specs)
    if raised is not None and raised.location is not None:
        node.location = raised.location
    return list(node.outputs)
