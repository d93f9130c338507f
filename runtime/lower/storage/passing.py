"""Which input of a graph an output is: passed on as it is, or changed in place."""

from __future__ import annotations

from autograph.runtime.graph.ir import Value

UPDATES = frozenset(("index_set", "index_add", "scatter_add", "scatter_set"))
LIST_UPDATES = frozenset(("list_push", "list_pop", "list_extend", "list_set", "list_add_at"))


def passed_on(value: Value) -> Value | None:
    """The input of a graph that a value is, perhaps changed in place."""
    while (node := value.node) is not None:
        name = node.op.name
        if name in UPDATES or name in LIST_UPDATES:
            if value is not node.outputs[0]:
                return None  # what was popped
            value = node.inputs[0]
        elif name == "while_loop":
            value = node.inputs[node.outputs.index(value)]
        elif name == "cond":
            inner = _through_branches(value)
            if inner is None:
                return None
            value = inner
        else:
            return None
    return value


def _through_branches(value: Value) -> Value | None:
    node = value.node
    assert node is not None
    output = node.outputs.index(value)
    for graph in node.attributes["branches"]:
        source = passed_on(graph.outputs[output])
        if source is not None and source in graph.inputs:
            place: int = graph.inputs.index(source)
            return node.inputs[1 + place]
    return None
