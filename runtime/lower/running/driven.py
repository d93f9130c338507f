"""A program that CPython drives, for graphs that have no native form as a whole.

What prints or calls Python runs in CPython, and so do the loops, branches and calls around it. All
else is native: the stretches between are programs of their own, compiled when they first run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.kernels.compile import Engine
from autograph.kernels.phases import LISTENERS, phase
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.evaluate import each_its_own, prepared, run_node
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.printer import print_graph
from autograph.runtime.lower.function import lower
from autograph.runtime.lower.running.calling import Call
from autograph.runtime.lower.running.compiled import CompiledProgram
from autograph.runtime.lower.running.segments import Segment, calls_back, cut, holds
from autograph.runtime.lower.sizes.analysis import NotNativeError

Run = Callable[[list[Any]], Sequence[Any]]


class DrivenProgram:
    """A graph that CPython runs, segment by segment."""

    is_native = False

    def __init__(
        self, graph: Graph, engine: Engine, reason: NotNativeError, calls: set[Node] | None = None
    ) -> None:
        """`calls`: the nodes that CPython calls; all that call back, unless given."""
        self.graph = graph
        calls = calls_back(graph) if calls is None else calls
        driver = _Driver(engine, calls | set(reason.nodes))
        self._steps = driver.steps_of(graph)
        self._constants = [
            value for steps in driver.made.values() for value in steps.start if value is not None
        ]
        text = "\n\n".join(segment.text for segment in driver.segments)
        parts = f"\n\n# native segments, in the order of the lines above:\n\n{text}" if text else ""
        self.text = f"# driven by CPython: {reason}\n{print_graph(graph)}{parts}"

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; raises what the graph raises."""
        if LISTENERS:
            with phase("run", self.graph.name):
                outputs = self._steps.run(inputs)
        else:
            outputs = self._steps.run(inputs)
        return each_its_own(outputs, {*map(id, inputs), *map(id, self._constants)})

    __call__ = run

    def call(self, inputs: Sequence[str]) -> Call:
        """The statements of a call whose inputs, given as expressions, need no checks."""
        outputs = [f"outputs[{number}]" for number in range(len(self.graph.outputs))]
        return Call([f"outputs = drive([{', '.join(inputs)}])"], outputs, {"drive": self.run})


@dataclass(slots=True)
class Step:
    """One node or segment: where it finds its operands, and where it puts its results."""

    run: Run
    inputs: list[int]
    outputs: list[int]
    dead: list[int]
    """What nobody needs afterwards."""
    node: Node | None = None


@dataclass(slots=True)
class Steps:
    """A graph as a sequence of steps over numbered slots; `start` has the constants in theirs."""

    steps: list[Step] = field(default_factory=list)
    start: list[Any] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    arity: int = 0

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs."""
        slots = self.start.copy()
        slots[: self.arity] = inputs
        for step in self.steps:
            try:
                results = step.run([slots[place] for place in step.inputs])
            except Exception as error:
                if step.node is not None and not hasattr(error, "__autograph_location__"):
                    error.__autograph_location__ = step.node.location  # type: ignore[attr-defined]
                raise
            for place in step.dead:
                slots[place] = None
            for place, result in zip(step.outputs, results, strict=True):
                slots[place] = result
        return [slots[place] for place in self.outputs]


class NativeSegment:
    """A segment, lowered; compiled when it first runs."""

    def __init__(self, segment: Segment, engine: Engine) -> None:
        self.graph = segment.graph
        self.lowered = lower(self.graph, optimistic=True)
        self.text = self.lowered.text
        self.engine = engine
        self.program: CompiledProgram | None = None

    def run(self, operands: list[Any]) -> list[Any]:
        """The outputs for these operands."""
        if self.program is None:
            engine, graph = self.engine, self.graph
            self.program = CompiledProgram(
                self.lowered,
                engine,
                lambda: CompiledProgram(lower(graph), engine, inner=True),
                graph.name,
                inner=True,
            )
        return self.program.run(operands)


class _Driver:
    """Makes steps of a graph and of its sub-graphs, of each once."""

    def __init__(self, engine: Engine, refused: set[Node]) -> None:
        self.engine = engine
        self.refused = refused
        self.segments: list[NativeSegment] = []
        self.made: dict[int, Steps] = {}

    def steps_of(self, graph: Graph) -> Steps:
        """The steps of a graph."""
        known = self.made.get(id(graph))
        if known is not None:
            return known
        steps = self.made[id(graph)] = Steps(arity=len(graph.inputs))
        places: dict[Value, int] = {}
        for value in graph.inputs:
            places[value] = len(places)
        steps.start = [None] * len(places)
        for node in graph.nodes:
            for value in node.outputs:
                places[value] = len(places)
                held = node.op is CONSTANT
                steps.start.append(run_node(node, [])[0] if held else None)
        for part, native in self._parts(graph):
            steps.steps.append(self._step(part, native, places))
        steps.outputs = [places[value] for value in graph.outputs]
        _forget_early(steps)
        return steps

    def _parts(self, graph: Graph) -> list[tuple[Segment | Node, NativeSegment | None]]:
        """The parts of a graph; what turns out to have no native form is left to CPython."""
        while True:
            found: list[tuple[Segment | Node, NativeSegment | None]] = []
            try:
                for part in cut(graph, self.refused):
                    native = None
                    if isinstance(part, Segment):
                        native = self._native(part)
                    found.append((part, native))
            except NotNativeError as error:
                self.refused |= set(error.nodes)
                continue
            self.segments += [native for _, native in found if native is not None]
            return found

    def _native(self, segment: Segment) -> NativeSegment:
        try:
            return NativeSegment(segment, self.engine)
        except NotNativeError as error:
            nodes = [segment.origins.get(node, node) for node in error.nodes]
            # progress, whatever the error tells: some node of the segment leaves it
            named = any(holds(node, nodes) for node in segment.nodes)
            error.nodes = tuple(nodes if named else segment.nodes)
            raise

    def _step(
        self, part: Segment | Node, native: NativeSegment | None, places: dict[Value, int]
    ) -> Step:
        if isinstance(part, Segment):
            assert native is not None
            run: Run = native.run
            node = None
        else:
            run, node = self._run_of(part), part
        inputs = [places[value] for value in part.inputs]
        return Step(run, inputs, [places[value] for value in part.outputs], [], node)

    def _run_of(self, node: Node) -> Run:
        """What runs a node in CPython; a sub-graph is driven where it holds what is refused."""
        if not any(True for _ in node.graphs) or not holds(node, self.refused):
            return prepared(node)
        if node.op.name == "cond":
            return self._cond(node)
        if node.op.name == "while_loop":
            return self._while_loop(node)
        return self.steps_of(node.attributes["function"]).run

    def _cond(self, node: Node) -> Run:
        branches = [self.steps_of(branch) for branch in node.attributes["branches"]]
        return lambda operands: branches[int(operands[0])].run(operands[1:])

    def _while_loop(self, node: Node) -> Run:
        step = self.steps_of(node.attributes["step"])
        count: int = node.attributes["carried"]

        def run(operands: list[Any]) -> Sequence[Any]:
            carried, invariants = operands[:count], operands[count:]
            going: Any = True
            while going:
                going, *carried = step.run([*carried, *invariants])
            return carried

        return run


def _forget_early(steps: Steps) -> None:
    """Note after which step each value is dead, so that nothing is held for longer."""
    kept = {*steps.outputs, *(i for i, one in enumerate(steps.start) if one is not None)}
    for step in reversed(steps.steps):
        # (what a step made and nobody uses dies at once; the next run of the graph starts anew)
        step.dead = [place for place in dict.fromkeys(step.inputs) if place not in kept]
        kept.update(step.inputs)
