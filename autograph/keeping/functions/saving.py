"""`ag.save`: staged functions as graphs in text, with the Variables that they use."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograph.call.concrete import ConcreteFunction
from autograph.call.decorated import BoundFunction
from autograph.call.function import StagedFunction
from autograph.call.specialized import SpecializedFunction
from autograph.decorator import function
from autograph.keeping import storage, tensors
from autograph.keeping.checkpoints.checkpoint import PathLike
from autograph.keeping.checkpoints.objects import graph_of, is_module, nodes_of
from autograph.keeping.functions.attachments import SavingError, attached_to_json
from autograph.keeping.functions.constants import NotKept
from autograph.keeping.functions.folding import Folder, Stale, State
from autograph.keeping.functions.structure import SkeletonWriter
from autograph.keeping.functions.variants import signatures_of, traces_for
from autograph.keeping.values import is_plain, to_json
from autograph.runtime.core.location import Location
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.notation import spec_text
from autograph.runtime.graph.printer import graph_source
from autograph.runtime.ops.shaping.random import DEFAULT_GENERATOR
from autograph.tracing.places import ContentsPlace, TensorPlace

FORMAT = storage.Format("functions.json", "graphstage functions", 1)
GENERATOR = "the default generator"

Signatures = Sequence[Any] | Mapping[str, Sequence[Any]]


def save(item: Any, folder: PathLike, signatures: Signatures = ()) -> Path:
    """Write a staged function, or a module with its staged methods, to be loaded without its code.

    Saved are the traces that were made so far and those for `signatures`: a sequence of tuples of
    arguments, in which a TensorSpec stands for any tensor of its kind; of a module a dict from the
    names of methods to such sequences, `"__call__"` where there is only the sequence. With them go
    all Variables used; what else the functions read of Python's state stays as it is now. The
    folder is replaced as a whole or not at all. SavingError names what needs the user's code.
    """
    alone, functions = _functions_of(item, signatures)
    state = State()
    _name_variables(state, item)
    writer = _Writer(state)
    entries = {name: writer.function(name, one, given) for name, (one, given) in functions.items()}
    contents = {
        "functions": entries,
        "alone": alone,
        "state": writer.state_entries(),
    }
    storage.write(Path(folder), FORMAT, contents, writer.data())
    return Path(folder)


# what is saved ------------------------------------------------------------------------------------
def _functions_of(
    item: Any, signatures: Signatures
) -> tuple[bool, dict[str, tuple[Any, Sequence[Any]]]]:
    """Whether it is one function, and the staged functions by name, with their signatures."""
    if isinstance(item, StagedFunction | BoundFunction | SpecializedFunction):
        if isinstance(signatures, Mapping):
            raise TypeError("the signatures of a function are a sequence of tuples of arguments")
        return True, {_name(item): (item, signatures)}
    if inspect.isfunction(item) or inspect.ismethod(item):
        return True, {item.__name__: (function(item), signatures)}  # type: ignore[dict-item]
    named = dict(signatures) if isinstance(signatures, Mapping) else {}
    if signatures and not isinstance(signatures, Mapping):
        named = {"__call__": signatures}
    found: dict[str, tuple[Any, Sequence[Any]]] = {}
    for name in dir(type(item)):
        member = inspect.getattr_static(type(item), name)
        if isinstance(member, StagedFunction):
            found[name] = getattr(item, name), named.pop(name, ())
    for name, member in getattr(item, "__dict__", {}).items():
        if isinstance(member, StagedFunction):
            found[name] = member, named.pop(name, ())
    for name, given in named.items():
        if not callable(getattr(item, name, None)):
            raise SavingError(f"{type(item).__name__} has no method {name!r} to be saved")
        found[name] = function(getattr(item, name)), given
    if not found:
        raise SavingError(
            f"{item!r:.80} is no staged function and has none",
            remedy="decorate a function or a method with @ag.function, or pass `signatures`",
        )
    return False, found


def _name(item: Any) -> str:
    return getattr(item, "__name__", None) or type(item.python_function).__name__


def _name_variables(state: State, item: Any) -> None:
    """Name the Variables of a module by their paths in it."""
    state.add(DEFAULT_GENERATOR.state, GENERATOR)
    if is_module(item):
        for node in nodes_of(graph_of(item)):
            if node.variable is not None:
                state.add(node.variable, node.path)


class _Writer:
    """Collects what a folder holds."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.arrays: list[Any] = []
        self.texts: dict[str, bytes] = {}

    def function(self, name: str, item: Any, signatures: Sequence[Any]) -> Any:
        """A function as JSON."""
        if isinstance(item, SpecializedFunction):
            staged: Any = item.function
            bound, traces = staged.bound, [item.concrete]
        else:
            staged = item.function if isinstance(item, BoundFunction) else item
            owner = (item.instance,) if isinstance(item, BoundFunction) else ()
            bound = (*staged.bound, *owner)
            extra = [one for given in signatures for one in traces_for(item, _tuple(given))]
            made = list(signatures_of(staged, len(bound)))
            more = [one for args, words in made for one in traces_for(item, args, words)]
            traces = list(dict.fromkeys([*extra, *staged.traces, *more]))
        known = dict(enumerate(bound))
        place = staged.place
        entries = []
        for concrete in traces:
            try:
                entries.append(self._trace(name, concrete, known, place))
            except Stale:
                continue
        if not entries:
            raise SavingError(
                f"{name} has no trace that is valid now, so that there is no graph to save",
                location=place,
                remedy="call it first, or pass `signatures=[(ag.TensorSpec(shape),)]`",
            )
        return {
            "parameters": _parameters(staged.plain, len(bound)),
            "bound": len(bound),
            "always": _always(name, staged.bound_keywords, place),
            "traces": entries,
        }

    def _trace(
        self, name: str, concrete: ConcreteFunction, known: dict[int, Any], place: Location
    ) -> Any:
        """A trace as JSON. Stale where it is not valid any more; SavingError."""
        folder = Folder(concrete.objects, known, self.state)
        skeletons = SkeletonWriter()
        concluded = concrete.concluded
        verb = "changes"
        try:
            for write in concluded.writes:
                if write.kind not in (TensorPlace, ContentsPlace):
                    raise NotKept(write.title)
            verb = "depends on"
            guards = [part for one in concrete.guards for part in folder.guard(one)]
            verb = "takes"
            inputs = [folder.path(one.path) for one in concrete.inputs]
            verb = "gives or changes"
            given = [folder.path(one) for one in concluded.given]
            verb = "gives"
            result = skeletons.write(concluded.result)
            verb = "changes"
            writes = [_write(one, given, skeletons) for one in concluded.writes]
        except NotKept as error:
            raise SavingError(
                f"{name} {verb} {error}, which cannot be saved",
                location=place,
                remedy="pass and return tensors, numbers, strings, and lists, tuples and dicts of "
                "them; keep what changes in Variables",
            ) from None
        text, objects = graph_source(concrete.graph, self.arrays)
        file = f"graph{len(self.texts)}.txt"
        self.texts[file] = text.encode()
        return {
            "graph": file,
            "arguments": concrete.arity,
            "keywords": list(concrete.keywords),
            "guards": list(dict.fromkeys(guards)),
            "inputs": inputs,
            "given": given,
            "constants": folder.constants,
            "result": result,
            "writes": writes,
            "objects": [attached_to_json(one, concrete.graph) for one in objects],
            "specs": [spec_text(one.spec) for one in concrete.graph.inputs],
        }

    def state_entries(self) -> list[Any]:
        """The captured tensors as JSON, their values aside."""
        taken: dict[str, int] = {}
        found = []
        for number, (tensor, name) in enumerate(
            zip(self.state.tensors, self.state.names, strict=True)
        ):
            variable = isinstance(tensor, Variable)
            title = name or (variable and tensor.name) or f"tensor{number}"  # type: ignore[attr-defined]
            taken[title] = taken.get(title, 0) + 1
            if taken[title] > 1:
                title = f"{title}_{taken[title]}"
            entry: dict[str, Any] = {"name": title, "variable": variable}
            if isinstance(tensor, Variable):
                entry |= {"called": tensor.name, "trainable": tensor.trainable}
            found.append(entry)
        return found

    def data(self) -> dict[str, bytes]:
        """The files of the folder."""
        state = {str(number): one.numpy() for number, one in enumerate(self.state.tensors)}
        state.pop("0")  # every process has a default generator of its own
        constants = {str(number): one for number, one in enumerate(self.arrays)}
        return {
            "state.safetensors": tensors.encode(state),
            "constants.safetensors": tensors.encode(constants),
            **self.texts,
        }


def _tuple(given: Any) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def _write(write: Any, given: list[str], skeletons: SkeletonWriter) -> Any:
    """What a call changes, as JSON."""
    kind, owner = write.kind, given[write.owner]
    kinds = {TensorPlace: "tensor", ContentsPlace: "contents"}
    if kind not in kinds or (kind is ContentsPlace and not owner.startswith("a[")):
        raise NotKept(write.title)
    return {
        "owner": write.owner,
        "what": kinds[kind],
        "value": skeletons.write(write.skeleton),
        "after": write.suffix if write.appends else None,
    }


def _parameters(plain: Callable[..., Any], skip: int) -> list[Any]:
    """The parameters that a caller gives: names, kinds and plain defaults."""
    found = []
    for one in list(inspect.signature(plain).parameters.values())[skip:]:
        entry: dict[str, Any] = {"name": one.name, "kind": one.kind.name}
        if one.default is not one.empty:
            entry["default"] = to_json(one.default) if is_plain(one.default) else None
            entry["optional"] = is_plain(one.default)
        found.append(entry)
    return found


def _always(name: str, words: Mapping[str, Any], place: Location) -> Any:
    """The arguments that each call gets by keyword, of a function that is a partial call."""
    for word, value in words.items():
        if not is_plain(value):
            raise SavingError(
                f"{name} is always called with {word}={value!r:.60}, which cannot be saved",
                location=place,
                remedy="give it a number, a string, or pass it by position",
            )
    return {word: to_json(value) for word, value in words.items()}
