"""A graph as the entry function of a program: its arguments, its body, its results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograph.kernels.program import Return, Statement
from autograph.runtime.core.dims import DimLike
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph, Value
from autograph.runtime.lower.assembly import Assembly
from autograph.runtime.lower.builder import Builder, RaiseSite, Shared
from autograph.runtime.lower.lists.list_buffers import detach
from autograph.runtime.lower.region import Region
from autograph.runtime.lower.sizes.analysis import Analysis, Known
from autograph.runtime.lower.sizes.polynomials import SizeTable, Source, text_of, told
from autograph.runtime.lower.storage.copying import address, bytes_of, contiguous, copy_into
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    ListHome,
    Root,
    Scalar,
    Sizes,
    Storage,
    row_major,
)
from autograph.runtime.ops.inference import PARTS, is_complex


@dataclass(slots=True)
class Result:
    """How an output comes out: as a word, as an array made before the call, or as a kept one.

    Lists are always kept. Inside of the program a complex array is one of floats, with one axis
    more, of the two parts.
    """

    spec: AnySpec
    word: int | None = None
    sizes: Sizes | None = None
    """For an array whose sizes are known before the run; None where the run tells them."""


@dataclass(slots=True)
class Lowered:
    """A graph as text, and what it takes to call it."""

    text: str
    inputs: list[AnySpec]
    words: dict[int, int]
    """The word of each input that is a Python number."""
    results: list[Result]
    sizes: list[tuple[int, str]]
    """The words that hold sizes, and the names of these."""
    literals: list[tuple[int, Any, DType]]
    constants: list[Any]
    sites: list[RaiseSite]
    word_count: int
    sources: dict[str, Source] = field(default_factory=dict)
    generators: list[tuple[int, Any, Any]] = field(default_factory=list)
    """The words that hold addresses of random generators, what finds these in each run, and what
    finds the address."""
    assumptions: list[tuple[DimLike, DimLike]] = field(default_factory=list)
    """Sizes that the program takes to be equal."""


def lower(graph: Graph, optimistic: bool = False, may_drive: bool = False) -> Lowered:
    """The program of a graph without decompositions. NotNativeError where it has none.

    `optimistic`: sizes that some op needs to be equal are taken to be (see `SizeTable`).
    `may_drive`: where it raises what tells a tensor, CPython runs the graph once more.
    """
    lowering = _Lowering(graph, optimistic)
    lowering.shared.may_drive = may_drive
    return lowering.run()


class _Lowering:
    def __init__(self, graph: Graph, optimistic: bool) -> None:
        self.graph = graph
        self.table = SizeTable(optimistic)
        self.shared = Shared(self.table)
        self.shared.assembly = Assembly(self.shared, 1 + len(graph.inputs) + len(graph.outputs))
        self.specs = told([value.spec for value in graph.inputs])
        self.shared.inline_integers = not any(
            isinstance(spec, ListSpec) or spec.shape for spec in self.specs
        )
        self.builder = Builder(self.shared)
        self.head: list[tuple[str, str]] = []
        self.words: dict[int, int] = {}
        self.results: list[Result] = []

    def word(self) -> int:
        """A new word of the parameters."""
        word: int = self.shared.assembly.word()
        return word

    # inputs -----------------------------------------------------------------------------------
    def _inputs(self, sizes: list[Known]) -> list[Storage]:
        storages: list[Storage] = []
        for place, (spec, known) in enumerate(zip(self.specs, sizes, strict=True)):
            name = f"a{place}"
            if isinstance(spec, ListSpec):
                storages.append(self._list_in(place, spec, known))
            elif spec.python and not is_complex(spec):
                self.words[place] = word = self.word()
                words = "numbers" if spec.dtype.kind == "f" else "parameters"
                value = f"{words}[{word}]"
                text = f"{value} != 0" if spec.dtype.kind == "b" else value
                self.head.append((name, text))
                storages.append(Scalar(name, spec.dtype))
            elif is_complex(spec):
                assert known is not None
                known = (*map(self.table.resolve, known), 2)
                self.head.append((name, f"array_data(arguments, {place + 1})"))
                storages.append(Array(Root(name), PARTS[spec.dtype], known, row_major(known)))
            elif not spec.shape:
                at = f"{spec.dtype.name}_at(array_data(arguments, {place + 1}))"
                self.head.append((name, f"{at}[0]"))
                storages.append(Scalar(name, spec.dtype))
            else:
                assert known is not None
                known = tuple(map(self.table.resolve, known))
                self.head.append((name, f"array_data(arguments, {place + 1})"))
                storages.append(Array(Root(name), spec.dtype, known, row_major(known)))
        return storages

    def _list_in(self, place: int, spec: ListSpec, known: Known) -> Items:
        """A list that comes in, copied into the frame: the program may change it there."""
        self.head.append((f"a{place}", f"array_data(arguments, {place + 1})"))
        element, home = spec.element, self.builder.new_list()
        self.builder.execute(f"take_list({home.where}, a{place}, {element.ndim})")
        return Items(home, element.dtype, element.ndim, element.python, known)

    def _item_sizes(self, spec: ListSpec) -> Known:
        """The sizes of all items of a list that comes in; None where they may differ."""
        try:
            return tuple(self.table.of_dim(dim) for dim in spec.element.shape)
        except KeyError:
            return None

    # outputs ----------------------------------------------------------------------------------
    def _outputs(self, analysis: Analysis, region: Region) -> None:
        """Decide how each output comes out, and where it had best be computed."""
        given = len(self.graph.inputs) + 1
        for place, value in enumerate(self.graph.outputs):
            spec = value.spec
            if isinstance(spec, ListSpec):
                self.results.append(Result(spec))
                self.head.append((f"y{place}", f"array_data(arguments, {given + place})"))
                continue
            if spec.python and not is_complex(spec):
                self.results.append(Result(spec, word=self.word()))
                continue
            sizes = analysis.of(value)
            early = all(self.table.is_early(size) for size in sizes)
            self.results.append(Result(spec, sizes=sizes if early else None))
            name = f"y{place}"
            self.head.append((name, f"array_data(arguments, {given + place})"))
            rank = len(sizes) + is_complex(spec)
            if early and rank and value not in region.wanted and value not in self.graph.inputs:
                region.wanted[value] = Root(name, owned=True)

    def _finish(self, values: list[Storage | None]) -> None:
        builder = self.builder
        self._keep_lists(values)
        for place, (value, storage) in enumerate(zip(self.graph.outputs, values, strict=True)):
            result = self.results[place]
            if storage is None or isinstance(storage, Items):
                continue
            if result.word is not None:
                self._put_word(result, storage)
            elif result.sizes is not None:
                self._put_array(place, value, result, storage)
            else:
                array = contiguous(builder, storage)
                sizes = "".join(f", {text_of(self.table.resolve(s))}" for s in array.sizes)
                shape = f"({sizes[2:]},)"
                size = text_of(bytes_of(array))
                builder.execute(f"keep_array(y{place}, {address(array)}, {size})")
                known = shape[1:-2].split(", ")[: len(array.sizes) - is_complex(result.spec)]
                for axis, one in enumerate(known):
                    builder.execute(f"keep_size(y{place}, {axis}, {one})")
        builder.emit(Return("fail(frame, 0)"))

    def _keep_lists(self, values: list[Storage | None]) -> None:
        """Hand out the lists, each of them whole: an array may be a view of one."""
        builder = self.builder
        lists = [(place, one) for place, one in enumerate(values) if isinstance(one, Items)]
        homes: list[ListHome] = []
        for _, items in lists:
            detach(builder, items.home)
            home = items.home
            if home in homes:
                home = builder.new_list()
                builder.execute(f"copy_list({home.where}, {items.home.where}, {items.rank})")
            homes.append(home)
        for (place, _), home in zip(lists, homes, strict=True):
            builder.execute(f"keep_list(y{place}, {home.where})")

    def _put_word(self, result: Result, storage: Storage) -> None:
        assert isinstance(storage, Scalar) and isinstance(result.spec, Spec)
        if result.spec.dtype.kind == "f":
            self.builder.assign(f"numbers[{result.word}]", storage.text)
        else:
            self.builder.assign(f"parameters[{result.word}]", f"int64({storage.text})")

    def _put_array(self, place: int, value: Value, result: Result, storage: Storage) -> None:
        if isinstance(storage, Array) and storage.root.name == f"y{place}" and storage.is_whole:
            return
        assert result.sizes is not None and isinstance(result.spec, Spec)
        sizes, dtype = result.sizes, result.spec.dtype
        if is_complex(result.spec):
            sizes, dtype = (*sizes, 2), PARTS[dtype]
        target = Array(Root(f"y{place}"), dtype, sizes, row_major(sizes))
        if not sizes:
            assert isinstance(storage, Scalar)
            pointer = self.builder.view(target)
            self.builder.assign(f"{pointer}[0]", storage.text)
            return
        assert not isinstance(storage, type(None))
        copy_into(self.builder, target, storage)  # type: ignore[arg-type]

    # the whole --------------------------------------------------------------------------------
    def run(self) -> Lowered:
        """Lower the graph."""
        tensors: list[Known] = [
            None
            if isinstance(spec, ListSpec)
            else tuple(self.table.of_input(dim) for dim in spec.shape)
            for spec in self.specs
        ]
        sizes = [
            self._item_sizes(spec) if isinstance(spec, ListSpec) else known
            for spec, known in zip(self.specs, tensors, strict=True)
        ]
        analysis = Analysis(self.table, self.graph, sizes)
        body: list[Statement] = []
        with self.builder.into(body):
            region = Region(self.builder, analysis, self._inputs(sizes))
            self._outputs(analysis, region)
            region.emit(self._finish)
        assembly = self.shared.assembly
        assembly.add(self.builder, "program", ["arguments"], self.head, body)
        return Lowered(
            text=assembly.text,
            inputs=self.specs,
            words=self.words,
            results=self.results,
            sizes=[(word, name) for name, word in assembly.sizes.items()],
            literals=assembly.literal_values(),
            constants=assembly.constant_arrays(),
            sites=self.shared.sites,
            word_count=assembly.word_count,
            sources=self.table.sources,
            generators=[(word, *finders) for finders, word in self.shared.generators.items()],
            assumptions=self.table.assumptions,
        )
