"""Functions that call themselves: native functions of their own.

A function gets scalars as they are, arrays as a pointer and the sizes it cannot know, and lists as
a frame and a number. Its results are scalars in words of the caller, and arrays pushed into lists
of the caller; a list or an array that it changes and gives back is changed where it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autograph.kernels.program import If, Return, Statement
from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.location import Location
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.builder import Builder, RaiseSite, dtype_call
from autograph.runtime.lower.control.moves import Place, settle
from autograph.runtime.lower.lists.list_buffers import detach, put_item, result_items, take_item
from autograph.runtime.lower.region import Region
from autograph.runtime.lower.sizes.analysis import Analysis, Known
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import address, contiguous, fresh_copy
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    ListHome,
    Root,
    Scalar,
    Storage,
    row_major,
)
from autograph.runtime.lower.storage.passing import passed_on


@dataclass(slots=True)
class NativeFunction:
    """How a function is called."""

    name: str
    graph: Graph
    parameters: list[str] = field(default_factory=list)
    sizes: dict[int, list[int]] = field(default_factory=dict)
    """For each array input the axes whose sizes are passed."""
    same: dict[int, int] = field(default_factory=dict)
    """For each output that is a list or an array input changed in place: which one."""


def native_function(region: Region, node: Node) -> NativeFunction:
    """The native function that a node calls, made when it is first called."""
    graph: Graph = node.attributes["function"]
    shared = region.builder.shared
    known = shared.functions.get(id(graph))
    if known is None:
        function = NativeFunction(f"f{len(shared.functions)}", graph)
        shared.functions[id(graph)] = function
        _Making(region, function, node.location).run()
        return function
    assert isinstance(known, NativeFunction)
    return known


class _Making:
    def __init__(self, region: Region, function: NativeFunction, location: Location | None) -> None:
        self.location = location
        self.function = function
        self.graph = function.graph
        self.shared = region.builder.shared
        self.table = region.table
        self.builder = Builder(self.shared)
        self.parameters = function.parameters
        self.parameters += ["arguments: int64", "results: int64"]
        for output, value in enumerate(self.graph.outputs):
            source = passed_on(value)
            if source in self.graph.inputs and _is_changed_in_place(source, value):
                place = self.graph.inputs.index(source)
                if place not in function.same.values():
                    function.same[output] = place

    def run(self) -> None:
        """Lower the graph and add the function to the program."""
        sizes: list[Known] = []
        storages: list[Storage] = []
        for place, value in enumerate(self.graph.inputs):
            known, storage = self._input(place, value)
            sizes.append(known)
            storages.append(storage)
        homes = self._result_homes(storages)
        analysis = Analysis(self.table, self.graph, sizes, within=(self.graph,))
        body: list[Statement] = []
        with self.builder.into(body):
            inner = Region(self.builder, analysis, storages)
            inner.emit(lambda values: self._finish(inner, values, homes, storages))
        site = RaiseSite(
            lambda _: RecursionError("maximum recursion depth exceeded"),
            self.location,
        )
        number = self.builder.site(site)
        guard = If([("too_deep(arguments)", [Return(str(number))])])
        self.shared.assembly.add(self.builder, self.function.name, self.parameters, [], body, guard)

    def _input(self, place: int, value: Value) -> tuple[Known, Storage]:
        name, spec = f"a{place}", value.spec
        if isinstance(spec, ListSpec):
            self.parameters += [f"{name}_frame: int64", f"{name}_number: int64"]
            home = ListHome(f"{name}_number", f"{name}_frame")
            if place not in self.function.same.values():
                self.builder.hold(home)  # the caller's, who may need it as it is
            element = spec.element
            known: Known = None
            if all(isinstance(dim, int) for dim in element.shape):
                known = tuple(self.table.of_dim(dim) for dim in element.shape)
            return known, Items(home, element.dtype, element.ndim, element.python, known)
        if not spec.shape:
            self.parameters.append(f"{name}: {dtype_call(spec.dtype)}")
            return (), Scalar(name, spec.dtype)
        self.parameters.append(f"{name}: int64")
        sizes: list[DimLike] = []
        for axis, dim in enumerate(spec.shape):
            if isinstance(dim, int):
                sizes.append(self.table.parameter(dim))
                continue
            size = self.table.local()
            self.parameters.append(f"{size}: int64")
            self.function.sizes.setdefault(place, []).append(axis)
            self.builder.early.add(size)
            sizes.append(Dim.symbol(size))
        found = tuple(sizes)
        root = Root(name)
        if place in self.function.same.values():
            room = product(found) * spec.dtype.itemsize
            root = Root(name, room, owned=True, pinned=True)
            self.builder.foreign[id(root)] = root
        return found, Array(root, spec.dtype, found, row_major(found))

    def _result_homes(self, storages: list[Storage]) -> dict[int, ListHome]:
        homes: dict[int, ListHome] = {}
        for output, value in enumerate(self.graph.outputs):
            if output in self.function.same:
                items = storages[self.function.same[output]]
                if isinstance(items, Items):
                    homes[output] = items.home
            elif isinstance(value.spec, ListSpec) or value.spec.shape:
                self.parameters += [f"y{output}_frame: int64", f"y{output}_number: int64"]
                homes[output] = ListHome(f"y{output}_number", f"y{output}_frame")
        return homes

    def _finish(
        self,
        region: Region,
        values: list[Storage | None],
        homes: dict[int, ListHome],
        inputs: list[Storage],
    ) -> None:
        builder = self.builder
        places: list[Place] = []
        changed: list[Storage | None] = []
        for output, value in enumerate(values):
            spec = self.graph.outputs[output].spec
            if value is None:
                continue
            if isinstance(spec, ListSpec):
                assert isinstance(value, Items)
                items = Items(homes[output], value.dtype, value.rank, value.python)
                places.append(Place(value.dtype, items=items))
                changed.append(value)
            elif spec.shape and output in self.function.same:
                given = inputs[self.function.same[output]]
                assert isinstance(given, Array)
                places.append(Place(given.dtype, given.sizes, "", given.root))
                changed.append(value)
            elif spec.shape:
                assert not isinstance(value, Items)
                home = homes[output]
                size = text_of(builder.table.resolve(product(value.sizes) * value.dtype.itemsize))
                rank = len(value.sizes)
                room = builder.let("p", f"list_push({home.where}, {size}, {rank})")
                put_item(region, home, room, f"list_length({home.where}) - 1", value)
            else:
                assert isinstance(value, Scalar)
                put_word(builder, output, value, spec)
        settle(builder, places, changed)
        builder.emit(Return("fail(frame, 0)"))


def _is_changed_in_place(given: Value | None, result: Value) -> bool:
    """Whether a result may have the memory of an input: a list, or an array as large."""
    if given is None or isinstance(result.spec, ListSpec):
        return given is not None and isinstance(given.spec, ListSpec)
    spec = result.spec
    return bool(spec.shape) and spec.is_static and given.spec == spec


def put_word(builder: Builder, output: int, value: Scalar, spec: Spec) -> None:
    """Write a scalar result."""
    if spec.dtype.kind == "f":
        pointer = builder.let("x", "float64_at(results)")
        builder.assign(f"{pointer}[{output}]", f"float64({value.text})")
    else:
        pointer = builder.let("x", "int64_at(results)")
        builder.assign(f"{pointer}[{output}]", f"int64({value.text})")


def emit_call(region: Region, node: Node) -> None:
    """Call the native function of a graph and bind its results."""
    builder = region.builder
    function = native_function(region, node)
    taken: dict[int, ListHome | Array] = {}
    arguments = ["arguments"]
    for place, value in enumerate(node.inputs):
        arguments += _argument(region, node, function, place, value, taken)
    words = builder.allocate(8 * max(len(node.outputs), 1))
    arguments.insert(1, words.name)
    homes: dict[int, ListHome] = {}
    for output, value in enumerate(node.outputs):
        if output in function.same:
            changed = taken[function.same[output]]
            if isinstance(changed, ListHome):
                homes[output] = changed
        elif isinstance(value.spec, ListSpec) or value.spec.shape:
            homes[output] = home = builder.new_list()
            detach(builder, home)
            builder.execute(f"list_clear({home.where})")
            arguments += [home.frame, _typed(home.number)]
    status = builder.let("status", f"{function.name}({', '.join(arguments)})")
    builder.emit(If([(f"{status} != 0", [Return(f"fail(frame, {status})")])]))
    for output, value in enumerate(node.outputs):
        given = taken.get(function.same.get(output, -1))
        if isinstance(given, Array):
            _take_changed(region, node, output, given)
        else:
            _take_result(region, node, output, value, words, homes)
    builder.free.append(words)


def _argument(
    region: Region,
    node: Node,
    function: NativeFunction,
    place: int,
    value: Value,
    taken: dict[int, ListHome | Array],
) -> list[str]:
    builder, storage = region.builder, region.env[value]
    if isinstance(storage, Items):
        home = storage.home
        detach(builder, home)
        if place in function.same.values() and not (
            region.can_overwrite(value) and not region.shares_memory(node, place)
        ):
            home = builder.new_list()
            builder.execute(f"copy_list({home.where}, {storage.home.where}, {storage.rank})")
        taken[place] = home
        return [home.frame, _typed(home.number)]
    if isinstance(storage, Scalar):
        return [storage.text]
    array = contiguous(builder, storage)
    if place in function.same.values():
        mine = region.can_overwrite(value) and not region.shares_memory(node, place)
        if not mine and array is storage:
            array = fresh_copy(builder, array)
        taken[place] = array
    sizes = [text_of(region.table.resolve(array.sizes[a])) for a in function.sizes.get(place, ())]
    return [address(array), *sizes]


def _take_changed(region: Region, node: Node, output: int, array: Array) -> None:
    """Bind an output to the memory that was given for it."""
    value = node.outputs[output]
    for axis, name in enumerate(region.analysis.made.get(node, {}).get(output) or ()):
        if name is not None:
            region.builder.assign(name, text_of(region.table.resolve(array.sizes[axis])))
    sizes = region.sizes(value)
    region.bind(value, Array(array.root, array.dtype, sizes, array.strides, array.offset))


def _take_result(
    region: Region,
    node: Node,
    output: int,
    value: Value,
    words: Root,
    homes: dict[int, ListHome],
) -> None:
    builder, spec = region.builder, value.spec
    if isinstance(spec, ListSpec):
        region.bind(value, result_items(region, node, output, homes[output]))
        return
    if not spec.shape:
        kind = "float64" if spec.dtype.kind == "f" else "int64"
        pointer = builder.let("x", f"{kind}_at({words.name})")
        text = f"{pointer}[{output}]"
        if spec.dtype.kind == "b":
            text = f"{text} != 0"
        elif spec.dtype.name != kind:
            text = f"{dtype_call(spec.dtype)}({text})"
        region.bind(value, Scalar(builder.let("s", text), spec.dtype))
        return
    home = homes[output]
    room = builder.let("p", f"list_item({home.where}, 0, {spec.ndim})")
    take_item(region, node, output, home, room, "0")
    storage = region.env[value]
    assert isinstance(storage, Array)
    # the list lives as long as the item in it
    storage.root.home = home
    builder.hold(home)


def _typed(number: int | str) -> str:
    """The number of a list as an argument: of the type that the parameter has."""
    return number if isinstance(number, str) else f"int64({number})"
