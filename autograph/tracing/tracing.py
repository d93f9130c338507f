"""Tracing: all that one trace of an outermost staged call knows."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import Array, Scalar, View
from autograph.runtime.arrays.layouts import laid_out
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.location import Location, free_frames
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import NUMBER_SPECS, AnySpec, Spec
from autograph.runtime.core.state import LOCK, STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.tracing.aliases import Identities
from autograph.tracing.borrowed_objects import Borrowed
from autograph.tracing.hints import Hints, ReadAppended
from autograph.tracing.paths import PathTable
from autograph.tracing.places import Place, StagedItems, TensorPlace
from autograph.tracing.region import Checkpoint, Region
from autograph.tracing.suspension import Resumption
from autograph.values.exception_origins import Origins
from autograph.values.numpy_arrays import check_array
from autograph.values.references import FoundReferences, Keeper, Standing, Store
from autograph.values.skeleton import made_of


@dataclass(frozen=True, slots=True)
class Input:
    """One input of the graph: the path to it, and what it must be."""

    path: str
    spec: AnySpec
    is_tensor: bool = False
    """Whether the path leads to a tensor cell, not to an array or a number."""
    is_array: bool = False
    """Whether it leads to an array of NumPy's, in native byte order."""


@dataclass(slots=True)
class Closures:
    """The variables that functions share: closure cells, by their ids."""

    born: set[int] = field(default_factory=set)
    """Cells made in this trace."""
    changing: set[int] = field(default_factory=set)
    """Cells that are assigned after functions that use them were made."""
    outer: dict[int, Any] = field(default_factory=dict)
    """Cells of functions from before the call."""
    inner: set[int] = field(default_factory=set)
    """Cells of functions that this trace defined and has arranged."""
    names: dict[int, str] = field(default_factory=dict)
    """The names of the cells that were read."""
    sighted: dict[int, int] = field(default_factory=dict)
    """The region in which each function was met first, by the function's id."""


@dataclass(slots=True)
class Caches:
    """What is known of functions under `lru_cache`."""

    results: dict[tuple[Any, ...], tuple[Region, Any]] = field(default_factory=dict)
    """Results of calls, and where they were computed."""
    made: dict[int, Region] = field(default_factory=dict)
    """Where the functions were made that were not there before the call, by their ids."""
    functions: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """What remembers their calls in the graph."""
    remembering: set[Any] = field(default_factory=set)
    """The codes of these."""
    remembered: set[Any] = field(default_factory=set)
    """The codes of the functions whose calls they remember."""


class _Current(threading.local):
    tracing: Tracing | None = None
    running: Callable[[Callable[[], Any]], Any] | None = None
    """Calls a function on behalf of the staged call that is running, if that may call back."""
    outermost: bool = True
    """Whether a decorated call is one of its own: not a part of a trace, nor of an eager run."""


CURRENT = _Current()
TRACE_LOCK = LOCK
"""Held while tracing: a trace writes to the user's own objects and takes it back."""


def current() -> Tracing | None:
    """The trace that this thread is making, if any."""
    return CURRENT.tracing


@contextmanager
def eagerly() -> Iterator[None]:
    """Let decorated functions run as they were written, with no tape of the outside watching."""
    outer, tapes = CURRENT.outermost, STATE.tapes
    CURRENT.outermost, STATE.tapes = False, ()
    try:
        yield
    finally:
        CURRENT.outermost, STATE.tapes = outer, tapes


Assign = Callable[["Tracing", Tensor, Tensor], None]
Guard = Callable[["Tracing", Op, tuple[Any, ...], Mapping[str, Any]], None]
MakeKeeper = Callable[["Tracing"], Keeper]


@dataclass(slots=True)
class CallersArrays:
    """NumPy's arrays and scalars of the caller's, and what containers of staged length hold."""

    originals: dict[int, Any] = field(default_factory=dict)
    """What tensors of the trace stand for, by the ids of these."""
    copied: dict[int, Array] = field(default_factory=dict)
    """Arrays of which containers hold the elements alone."""
    held_twice: bool = False
    """Whether containers have the elements of one array of this call at several places."""


class Tracing:
    """Inputs, guards, places and regions of one trace.

    `on_assign` is what an assignment to a tensor cell does; `on_risk` comes before an op of the
    current region that may raise; `keeper` keeps the objects that containers refer to.
    """

    writes_out = False
    """Whether turns of a loop are written out where lists would be read at their places."""
    short_turns = 0
    """How many turns there were of loops over few items, as many as is known."""
    long_lists = 0
    """How many lists of staged length hold elements of arrays of which the number is known."""

    shrunk: dict[int, int]
    """See `change_set`."""
    popped: dict[int, bool]
    """See `note_pop`."""
    filled_lists: set[int]
    """Lists that hold items in the branch that is traced, by id."""
    exceeded: RecursionError | None = None
    """What was raised where plain Python would have no room for a call, either."""
    activations: list[Any]
    """The calls that are traced now, of the user's functions, the innermost last."""
    arrays: dict[int, Tensor]
    """What stands for the arrays of the caller's, by the ids of these."""
    observed: dict[str, Any]
    """The sizes and numbers that were read, by path: what later calls may find changed."""
    warning_filters: list[Any]
    """What `with warnings.catch_warnings()` statements hold, the innermost last."""
    disturbed: set[int]
    """Sets that were popped from, and then put back as they were."""

    def __init__(
        self, name: str, hints: Hints, on_assign: Assign, on_risk: Guard, keeper: MakeKeeper
    ) -> None:
        self.on_assign = on_assign
        self.on_risk = on_risk
        self.hints = hints
        self.argument_names: Sequence[str] = ()
        self.table = PathTable()
        self.sources: dict[int, tuple[Any, str | None]] = {}
        """What stands for random generators, by their ids, and the paths of those given."""
        self.trace = Trace(name, capture=self.cell_value, store=self._store, guard=self._guard)
        self.keeper = keeper(self)
        self.trace.made = self.keeper.made_array if hints.referring.kinds else None
        self.region = Region(self.trace, None, self.keeper.settle)
        self.root = self.region
        self.inputs: list[Input] = []
        self.given: dict[Value, Any] = {}
        """What each input is in this call: an array or a Python number."""
        self.made: list[tuple[Location | None, Any]] = []
        """The Variables that this call makes, and where."""
        self.raised: list[BaseException] = []  # by the graph
        self.borrowed = Borrowed()
        self.lifted = False  # whether something was done at once, in an init_scope
        self.guards: dict[str, None] = {}
        self.apart: dict[int, str] = {}
        """The paths of objects that have to be different ones, by id."""
        self.paths: dict[int, str] = {}
        self.reached: list[Any] = []
        self.cells: dict[int, Value] = {}
        self.staged_items: dict[int, StagedItems] = {}
        self.stores: dict[Any, Store] = {}
        self.references: dict[int, Standing] = {}  # by the id of a handle
        self.seen: dict[tuple[Any, ...], Any] = {}
        self.number_paths: dict[int, str] = {}
        self.identities = Identities(self.keep)
        self.caches = Caches()
        self.watched: dict[int, list[Tensor]] = {}  # by the ids of tapes: perhaps other tensors
        self.sealed: dict[int, str] = {}
        self.ends: dict[int, tuple[list[Any], list[Any]]] = {}
        """Lists from outside that are only appended to, by their ids, and what is appended."""
        self.filled: dict[int, StagedItems | None] = {}  # what `set(items)` put in, by its id
        self.shrunk, self.popped, self.disturbed, self.filled_lists = {}, {}, set(), set()
        self.taken: set[int] = set()  # the sealed tensors that may be others, by id
        self.rebuilt: set[int] = set()  # tuples and views that may be others, by id
        self.put: list[Tensor] = []  # into containers of staged length
        self.activations, self.warning_filters = [], []
        self.room = free_frames()  # for calls of plain Python
        self.entered: Counter[Any] = Counter()
        """How often a function was called inside itself with objects that are in no store."""
        self.recursions: dict[Any, Any] = {}
        self.attempts: list[Any] = []  # what catches exceptions at run time, the innermost last
        self.resumption = Resumption()
        self.staged_attempts: set[Any] = set()  # code found to raise at run time
        self.origins = Origins()
        self.arrays, self.callers = {}, CallersArrays()
        self.namespaces: dict[int, Any] = {}  # objects, by the ids of `__dict__`s used as dicts
        self.called_back: list[Any] = []  # what `py_function` calls when the graph runs
        self.closures = Closures()
        self.lost: set[int] = set()  # iterators that stand nobody knows where
        self.generators: dict[int, Any] = {}  # how each was made, by the ids of those made here
        self.makings: dict[int, Any] = {}  # and other iterators, by their ids
        self.wrapping: set[int] = set()  # iterators of Python's own over generators
        self.forgotten: tuple[Place, ...] = ()
        """Variables of the loops over generators whose code runs, dead from turn to turn."""
        self.observed = {}
        self._alive: list[Any] = []

    # the thread's trace -----------------------------------------------------------------------
    @contextmanager
    def active(self) -> Iterator[Tracing]:
        """Make this the trace of the thread and its root the interpreter."""
        outer, interpreter = CURRENT.tracing, STATE.interpreter
        with eagerly():
            CURRENT.tracing, STATE.interpreter = self, self.trace
            try:
                yield self
            finally:
                CURRENT.tracing, STATE.interpreter = outer, interpreter

    @contextmanager
    def enter(self, trace: Trace | None = None) -> Iterator[Region]:
        """A new region, with a trace of its own or (None) in the current one."""
        outer = self.region
        self.resumption.entered += 1
        if self.hints.resuming:
            self.resumption.refuse_endless(len(self.identities.asked))
        self.keeper.settle()
        region = Region(trace or outer.trace, outer, self.keeper.settle)
        region.number = self.resumption.entered
        interpreter = STATE.interpreter
        self.region = region
        STATE.interpreter = region.trace
        try:
            yield region
        except BaseException:
            if region.merged is None:  # what it has written does not stand
                region.roll_back()
            raise
        finally:
            self.keeper.forget()
            self.region = outer
            STATE.interpreter = interpreter

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Run eagerly for a while, as if there were no trace."""
        outer, interpreter, tapes = CURRENT.tracing, STATE.interpreter, STATE.tapes
        CURRENT.tracing, STATE.interpreter, STATE.tapes = None, None, ()
        try:
            yield
        finally:
            CURRENT.tracing, STATE.interpreter, STATE.tapes = outer, interpreter, tapes

    def checkpoint(self) -> Checkpoint:
        """How far the present graph has come."""
        self.keeper.settle()
        return Checkpoint(self.region.trace, self.popped, self.disturbed)

    # objects ----------------------------------------------------------------------------------
    def keep(self, item: Any) -> None:
        """Keep an object alive as long as the trace, so that its id stays its own."""
        self._alive.append(item)

    def born(self, item: Any) -> Any:
        """Note that an object was created in the current region."""
        self.region.born[id(item)] = item
        self.keep(item)
        if self.hints.referring.kinds and type(item) in self.hints.referring.kinds:
            self.keeper.made(item)
        return item

    def note_class(self, made: type, decorated: type | None = None) -> None:
        """Note that a class statement of the traced function made a class, or a decorator made one
        of that: `dataclass(slots=True)` does."""
        referring = self.hints.referring.with_class(
            made, lambda one: one is not decorated and self.is_born(one)
        )
        self.hints = replace(self.hints, referring=referring)

    def born_within(self, made: Any) -> Any:
        """Note that the lists and dicts in what one of our functions gives were created here."""
        if isinstance(made, list | dict):
            self.born(made)
        if isinstance(made, list | tuple | dict):
            for one in made.values() if isinstance(made, dict) else made:
                self.born_within(one)
        return made

    def contents(self, container: Any) -> Any:
        """The contents of a container if they are staged: rows, or one of several; else None."""
        if self.references:
            self.keeper.refresh(container)
        return self.staged_items.get(id(container))

    def any_handle(self, items: Iterable[Any]) -> bool:
        """Whether any of these stands for an object that containers refer to."""
        return bool(self.references) and any(id(one) in self.references for one in items)

    def is_born(self, item: Any) -> bool:
        """Whether an object was created in this trace."""
        region: Region | None = self.region
        while region is not None:
            if id(item) in region.born:
                return True
            region = region.parent
        return False

    def reach(self, item: Any, path: str) -> None:
        """Note that an object that existed before is found at `path`."""
        known = self.paths.get(id(item))
        if known is None:
            self.paths[id(item)] = path
            self.reached.append(item)
        elif known != path:
            self.guard(f"{path} is {known}")

    def path_of(self, item: Any) -> str:
        """The path of an object that existed before; by identity if it was never reached."""
        path = self.paths.get(id(item))
        if path is None:
            path = self.paths[id(item)] = self.table.constant(item)
            self.reached.append(item)
        if id(item) in self.ends:
            raise ReadAppended(path)
        return path

    def guard(self, expression: str) -> None:
        """The trace is valid only where `expression` holds."""
        self.guards[expression] = None

    def touch(self, place: Place) -> None:
        """Log a place that is about to be written."""
        if id(place.owner) in self.ends:
            raise ReadAppended(self.paths[id(place.owner)])
        if id(place.owner) in self.references and not isinstance(place, TensorPlace):
            self.keeper.change(place.owner)
            return
        if self.sealed.get(id(place.owner)) == "element" and not isinstance(place, TensorPlace):
            raise FoundReferences(type(place.owner), self.keeper.site_of(place.owner))
        self.borrowed.touch(place)
        self.region.touch(place)
        self.keep(place.owner)

    def change_set(self, members: set[Any]) -> None:
        """Note that a set does not only lose members one by one.

        `shrunk` has the known sets of small ints that only do so, by their ids: the largest int
        that may be in them; and -1 for sets that a staged branch or loop has changed in another
        way: what takes that back makes the table anew. A set is changed as Python does it before.
        """
        if id(members) in self.popped:
            self.popped[id(members)] = True
        if id(members) in self.shrunk or self.region is not self.root:
            self.shrunk[id(members)] = -1
            self.keep(members)

    def note_pop(self, members: set[Any]) -> bool:
        """Note that a member is taken from a set; whether it is the first that is gone over.

        It is where nothing was added since the first `pop`: CPython goes on from the place of the
        last one, and before that place nothing is left. `popped` tells whether something was.
        """
        self.keep(members)
        return not self.popped.setdefault(id(members), False)

    def substitute(self, place: Place, value: Any) -> None:
        """Let a place hold what stands for its value in this trace, until the trace ends."""
        self.keep(place.owner)
        self.borrowed.substitute(place, value)

    def restore(self, interrupted: bool = False) -> None:
        """Give the user's objects back as they were; `interrupted` by Ctrl-C at any place."""
        if not self.borrowed.given_back:
            self.root.roll_back()
            self.borrowed.give_back(interrupted)

    # tensor cells -----------------------------------------------------------------------------
    def cell_value(self, tensor: Tensor) -> Value:
        """What a cell holds now in this trace. A cell that existed before becomes an input."""
        held = tensor._value
        if isinstance(held, Value):
            return held
        known = self.cells.get(id(tensor))
        if known is None:
            path = self.path_of(tensor)
            dtype = held.dtype.newbyteorder("=")
            spec = Spec(dtype, self.traced_shape(path, held.shape))
            self.observed[path] = held.shape
            original = self.callers.originals.get(id(tensor), tensor)
            is_tensor = isinstance(original, Tensor)
            native = isinstance(original, np.ndarray) and held.dtype.isnative
            known = self.add_input(path, spec, held, is_tensor, native)
            self.cells[id(tensor)] = known
            self.keep(tensor)
        return known

    def variables(self) -> list[Variable]:
        """The Variables of before this call that were used."""
        return [one for one in self._alive if isinstance(one, Variable) and id(one) in self.cells]

    def rebuild(self, made: Any) -> None:
        """Note a tuple, slice or view that stands for one of several: which, is not known."""
        if isinstance(made, View) or (isinstance(made, tuple | slice) and made != ()):
            self.rebuilt.add(id(made))
            self.keep(made)

    def set_cell(self, tensor: Tensor, value: Any) -> None:
        """Put a value of the graph into a cell, for the duration of the trace."""
        if isinstance(tensor._value, Value):
            tensor._value = value
        else:
            self.cells[id(tensor)] = value

    def _store(self, tensor: Tensor, value: Tensor) -> None:
        path = self.paths.get(id(tensor))
        if path is not None and type(tensor) is Tensor:  # a part of another is not assigned to
            self.guard(f"{path}._mark is None")
        self.on_assign(self, tensor, value)

    def _guard(
        self, trace: Trace, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]
    ) -> None:
        if self.attempts and trace is self.region.trace:
            self.on_risk(self, op, inputs, attributes)

    def write_cell(self, tensor: Tensor, value: Tensor) -> None:
        """Give a cell another value, and nothing else."""
        self.touch(TensorPlace(tensor, self))
        self.set_cell(tensor, self.region.trace.value_of(value))

    # inputs -----------------------------------------------------------------------------------
    def add_input(
        self, path: str, spec: AnySpec, held: Any, is_tensor: bool = False, is_array: bool = False
    ) -> Value:
        """A new input of the root graph, found at `path`, where this call has `held`."""
        self.inputs.append(Input(path, spec, is_tensor, is_array))
        value = self.trace.graph.add_input(spec, self._input_name(path))
        self.given[value] = held
        return value

    def _input_name(self, path: str) -> str:
        """The parameter, or the last name of a path, to read in the text of the graph."""
        if found := re.fullmatch(r"a\[(\d+)\]", path):
            number = int(found[1])
            return self.argument_names[number] if number < len(self.argument_names) else ""
        found = re.search(r"(?:\.|\[')([A-Za-z]\w*)(?:'\])?$", path)
        return found[1] if found and found[1] != "cell_contents" else ""

    def traced_shape(self, path: str, shape: tuple[int, ...]) -> tuple[DimLike, ...]:
        """`shape` with a symbol for every size that changed from call to call."""
        axes = self.hints.symbolic.get(path, frozenset())
        symbol = Dim.any_given if self.hints.any_size else Dim.given
        return tuple(
            symbol(len(self.inputs), axis) if self.is_unknown(axes, axis, size) else size
            for axis, size in enumerate(shape)
        )

    def is_unknown(self, axes: frozenset[int], axis: int, size: int) -> bool:
        """Whether the size of an axis becomes a symbol: 0 and 1 are sizes of their own."""
        return axis in axes and (size > 1 or self.hints.any_size)

    def number_input(self, path: str, held: Any) -> Number:
        """A Python number that is an input of the graph."""
        key, kind = ("number", path), type(held)
        if key not in self.seen:
            self.seen[key] = Number(self.add_input(path, NUMBER_SPECS[kind], held))
            self.guard(f"type({path}) is {kind.__name__}")
            if kind is int:
                self.guard(f"-9223372036854775808 <= {path} <= 9223372036854775807")
        number: Number = self.seen[key]
        return number

    def array_tensor(self, array: np.ndarray[Any, Any] | Array, path: str) -> Tensor:
        """What stands for a NumPy array of the user's, or for one that a tape watches."""
        known = self.arrays.get(id(array))
        if known is None:
            if isinstance(array, Array):
                held, is_writeable = laid_out(array), array.is_writeable is not False
            else:
                check_array(array, "read by a staged function")
                held, is_writeable = array, array.flags.writeable
            known = self.arrays[id(array)] = Array.holding(
                held.view(), held.flags.c_contiguous, is_writeable, held
            )
            self.callers.originals[id(known)] = array
            self.keep(array)
            self.keep(known)
        self.reach(known, path)
        return known

    def scalar_tensor(self, scalar: np.generic | Scalar, path: str) -> Tensor:
        """What stands for a NumPy scalar of the user's, or one that a tape watches, at a path.

        Two paths that lead to one scalar now may lead to two in another call.
        """
        key = ("scalar", path)
        if key not in self.seen:
            held = scalar._value if isinstance(scalar, Scalar) else np.asarray(scalar)
            known = self.seen[key] = made_of(Scalar, held)
            self.callers.originals[id(known)] = scalar
            self.paths[id(known)] = path
            self.keep(known)
        found: Tensor = self.seen[key]
        return found
