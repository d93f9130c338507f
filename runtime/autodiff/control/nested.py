"""Gradients asked for below the trace of a tape: in a branch, a turn, or the body of a `try`.

What was computed there is in graphs of its own, whose nodes the tape was not shown. They are swept
first, the innermost graph before the others; what reaches an input of one goes on to the value
outside that the input stands for.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.runtime.autodiff.backward.accumulate import Gradients
from autograph.runtime.autodiff.backward.backward_pass import Varied, sweep
from autograph.runtime.autodiff.backward.moves import is_float, only_moves
from autograph.runtime.autodiff.recording.eager import varied_from
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.location import user_location
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import Trace


class Below:
    """The traces between the one of a tape and the current one, the innermost first."""

    def __init__(self, outer: Trace, recording: bool) -> None:
        self.traces: list[Trace] = []
        trace = STATE.interpreter
        while isinstance(trace, Trace) and trace is not outer:
            self.traces.append(trace)
            trace = trace.parent
        if trace is not outer:
            raise StagingError(
                "a tape that was started in a staged branch, loop or try is asked for a gradient "
                "outside of it",
                location=user_location(),
                remedy="start the tape before the statement, or ask for the gradient inside it",
            )
        self.nodes: list[list[Node]] = [
            [node for node in each.graph.nodes if recording or only_moves(node)]
            for each in self.traces
        ]

    def require_known(self, values: Sequence[Value]) -> None:
        """StagingError for values that depend on what a loop carries, or on an argument of a call.

        What these were made of in the turns or calls before, nothing here tells.
        """
        pending, seen = list(values), set(values)
        while pending:
            value = pending.pop()
            here = next((i for i, one in enumerate(self.traces) if one.graph is value.graph), None)
            if here is None:
                continue
            node = value.node
            if isinstance(node, Node):
                found = list(node.inputs) if node in self.nodes[here] else []
            else:
                found = [out for out, one in self.traces[here].captures.items() if one is value]
                if not found and is_float(value):
                    raise StagingError(
                        "a gradient is asked inside a staged loop or a recursive function of what "
                        "earlier turns or calls computed, by a tape that was started outside",
                        location=user_location(),
                        remedy="ask for it after the loop, or start the tape inside",
                    )
            pending += [one for one in found if one not in seen]
            seen.update(found)

    def has(self, value: Value) -> bool:
        """Whether a value was made in one of these traces."""
        return any(value.graph is trace.graph for trace in self.traces)

    def varied(self, known: Sequence[Value], nodes: Sequence[Node]) -> Varied:
        """Which values depend on the known ones, by the nodes of the tape and by those here."""
        parts = [varied_from(known, nodes)]
        if not self.traces:
            return parts[0]

        def varies(value: Value) -> bool:
            return any(part(value) for part in parts)

        for trace, own in zip(reversed(self.traces), reversed(self.nodes), strict=True):
            sources = [inner for outer, inner in trace.captures.items() if varies(outer)]
            sources += [value for value in known if value.graph is trace.graph]
            parts.append(varied_from(sources, own))
        return varies

    def sweep(self, gradients: Gradients, varied: Varied) -> None:
        """Carry gradients back through the nodes here, to values of the tape's trace."""
        for trace, own in zip(self.traces, self.nodes, strict=True):
            captures = list(trace.captures.items())
            sweep(own, gradients, varied)
            for outer, inner in captures:
                gradients.add(outer, gradients.get(inner))
