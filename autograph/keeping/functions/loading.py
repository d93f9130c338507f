"""`ag.load`: functions from a folder that `ag.save` wrote.

Nothing in the folder is executed: graphs are parsed by `runtime.control.reader`, guards and paths
by `expressions`, and everything is checked before the first call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograph.call.execution import Mode, chosen_mode, executor
from autograph.call.taped import GraphFunction
from autograph.keeping import storage, tensors
from autograph.keeping.checkpoints.checkpoint import PathLike
from autograph.keeping.errors import DamagedError, KeepingError
from autograph.keeping.functions.attachments import attached_from_json
from autograph.keeping.functions.constants import constant_from_json
from autograph.keeping.functions.expressions import STANDING_IN, ExpressionReader
from autograph.keeping.functions.loaded import LoadedFunction, LoadedModule
from autograph.keeping.functions.loaded_trace import LoadedTrace, LoadedWrite
from autograph.keeping.functions.outputs import check_outputs
from autograph.keeping.functions.saving import FORMAT, GENERATOR
from autograph.keeping.functions.structure import SkeletonReader
from autograph.keeping.values import from_json
from autograph.merge.freeze import CONTAINERS
from autograph.runtime.control.reader import read_graph
from autograph.runtime.control.stated import check_specs
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.notation import spec_text
from autograph.runtime.ops.shaping.random import DEFAULT_GENERATOR

_MOST_ARGUMENTS = 65_536
_KINDS = {kind.name: kind for kind in inspect._ParameterKind}


def load(folder: PathLike, mode: Mode | None = None) -> LoadedFunction | LoadedModule:
    """The function, or the module with its functions, that `ag.save` wrote into `folder`.

    None of the Python code that they were made of is needed, and nothing in the folder is executed
    as such. `mode` is that of `ag.function`. DamagedError for a folder that is not as it was
    written, NewerVersionError for one of a later version.
    """
    chosen = chosen_mode(mode)
    path = Path(folder)
    contents, data = storage.read(path, FORMAT)
    try:
        return _Reader(path, contents, data, chosen).loaded()
    except KeepingError:
        raise
    except Exception as error:  # whatever the inference of an op, or a table, says of nonsense
        raise DamagedError(f"{path} is damaged: {type(error).__name__}: {error}") from error


class _Reader:
    def __init__(
        self, path: Path, contents: storage.Json, data: Mapping[str, bytes], mode: Mode
    ) -> None:
        self.path = path
        self.contents = contents
        self.data = data
        self.compile = functools.partial(executor, mode=mode)
        constants = tensors.decode(data["constants.safetensors"], str(path))
        self.arrays = [constants[str(number)] for number in range(len(constants))]
        for one in self.arrays:
            one.flags.writeable = False
        self.state = self._state(tensors.decode(data["state.safetensors"], str(path)))
        self.names = [one["name"] for one in contents["state"]]

    def _state(self, arrays: tensors.Arrays) -> list[Tensor]:
        """The captured tensors; the default generator is that of this process."""
        found: list[Tensor] = []
        for number, entry in enumerate(self.contents["state"]):
            if number == 0 and entry["name"] == GENERATOR:
                found.append(DEFAULT_GENERATOR.state)
                continue
            array = arrays[str(number)]
            if entry["variable"]:
                name, trainable = entry["called"], bool(entry["trainable"])
                found.append(Variable(array, name, trainable, array.dtype))
            else:
                found.append(Tensor._of(array))
        return found

    def loaded(self) -> LoadedFunction | LoadedModule:
        """What the folder holds."""
        state = dict(zip(self.names[1:], self.state[1:], strict=True))
        functions = {
            name: self._function(name, entry, state)
            for name, entry in self.contents["functions"].items()
        }
        if self.contents["alone"]:
            (alone,) = functions.values()
            return alone
        return LoadedModule(functions, state)

    def _function(self, name: str, entry: Any, state: Mapping[str, Tensor]) -> LoadedFunction:
        parameters = [_parameter(one) for one in entry["parameters"]]
        always = {word: from_json(value) for word, value in entry["always"].items()}
        words = [one.name for one in parameters]
        bound = entry["bound"]
        traces = [self._trace(one, words, bound) for one in entry["traces"]]
        return LoadedFunction(name, parameters, bound, always, traces, state)

    def _trace(self, entry: Any, words: Sequence[str], bound: int) -> LoadedTrace:
        constants = [constant_from_json(one) for one in entry["constants"]]
        reader = ExpressionReader(self.state, constants)
        graph = self._graph(entry)
        given = reader.read_all(entry["given"])
        skeletons = SkeletonReader(len(given))
        inputs = reader.read_all(entry["inputs"])
        if len(inputs) != len(graph.inputs):
            raise DamagedError(f"{self.path} is damaged: a graph has other inputs than its trace")
        result = skeletons.read(entry["result"])
        changed = [_kinds_of(one, entry["guards"], constants) for one in entry["given"]]
        writes = [_write(one, skeletons, changed) for one in entry["writes"]]
        check_outputs(graph, [result, *(one.value for one in writes)])
        return LoadedTrace(
            graph=graph,
            arity=_arity(entry["arguments"]),
            keywords=tuple(map(str, entry["keywords"])),
            guards=[
                ExpressionReader(self.state, constants, kinds).read_all(entry["guards"])
                for kinds in STANDING_IN
            ],
            inputs=inputs,
            given=given,
            result=result,
            writes=writes,
            run=GraphFunction(graph, self.compile),
            shown=_shown(entry, graph, words, bound),
        )

    def _graph(self, entry: Any) -> Graph:
        objects = [attached_from_json(one) for one in entry["objects"]]
        text = self.data[entry["graph"]].decode()
        graph = read_graph(text, objects, self.arrays)
        check_specs(graph)
        return graph


def _parameter(entry: Any) -> inspect.Parameter:
    default = inspect.Parameter.empty
    if "default" in entry:
        default = from_json(entry["default"])
    return inspect.Parameter(entry["name"], _KINDS[entry["kind"]], default=default)


def _arity(count: Any) -> int:
    if type(count) is not int or not 0 <= count <= _MOST_ARGUMENTS:
        raise DamagedError(f"a function has no {count!r:.40} arguments")
    return count


def _kinds_of(path: str, guards: list[str], constants: Sequence[Any]) -> tuple[type, ...]:
    """What is changed at a path: a Variable, if the trace was made for one."""
    for number, one in enumerate(constants):
        if one is Variable and f"type({path}) is k[{number}]" in guards:
            return (Variable,)
    return (Tensor,)


def _write(
    entry: Any, skeletons: SkeletonReader, changed: Sequence[tuple[type, ...]]
) -> LoadedWrite:
    owner, what, after = entry["owner"], entry["what"], entry["after"]
    if (
        type(owner) is not int
        or not 0 <= owner < len(changed)
        or what not in ("tensor", "contents")
    ):
        raise DamagedError(f"{entry!r:.80} is nothing that a call changes")
    if after is not None and (type(after) is not int or after < 0):
        raise DamagedError(f"{entry!r:.80} is nothing that a call changes")
    kinds = changed[owner] if what == "tensor" else CONTAINERS
    return LoadedWrite(owner, what, skeletons.read(entry["value"]), after, kinds)


def _shown(entry: Any, graph: Graph, words: Sequence[str], bound: int) -> str:
    """The arguments of a trace as an error shows them: its inputs, and what its guards ask."""
    named = [*words, *(f"argument{n}" for n in range(len(words), int(entry["arguments"])))]
    found = []
    specs = dict(zip(entry["inputs"], (spec_text(one.spec) for one in graph.inputs), strict=True))
    for number in range(bound, int(entry["arguments"])):
        path = f"a[{number}]"
        asked = [specs[one] for one in specs if one == path]
        asked += [one for one in entry["guards"] if path in one and "type(" not in one][:2]
        found.append(f"{named[number - bound]}: {asked[0] if asked else '...'}")
    return ", ".join(found)
