"""Save nothing for the backward loop that every turn of the forward loop saves alike.

The gradient of a loop pushes in each turn what its backward loop pops. Where that is the same
value every time, one from outside the loop, the backward loop takes it from there; and where the
backward loop does not use what it pops, nothing is saved. Only pushes and pops that no line of the
user's made are looked at: those always match.
"""

from __future__ import annotations

from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import all_graphs, is_constant, make_constant, replace


def run(graph: Graph) -> bool:
    """Remove such lists from every graph."""
    changed = False
    for one in all_graphs(graph):
        for node in list(one.nodes):
            if node.op.name == "while_loop":
                for place in range(node.attributes["carried"]):
                    changed |= _unsave(one, node, place)
    return changed


def _unsave(graph: Graph, forward: Node, place: int) -> bool:
    start, out = forward.inputs[place], forward.outputs[place]
    made = start.node
    if made is None or made.op.name != "list_create" or _users(graph, start) != [forward]:
        return False
    users = _users(graph, out)
    if len(users) != 1 or users[0].op.name != "while_loop" or out in graph.outputs:
        return False
    backward = users[0]
    count = backward.attributes["carried"]
    if backward.inputs.count(out) != 1 or backward.inputs.index(out) >= count:
        return False
    where = backward.inputs.index(out)
    rest = backward.outputs[where]
    if rest in graph.outputs or _users(graph, rest):
        return False
    step: Graph = backward.attributes["step"]
    if not _only_popped(step, step.inputs[where], step.outputs[where + 1]):
        return False
    if _pushed(forward.attributes["step"], *_ends(forward, place)) is None:
        return False
    value = _always_pushed(forward, place)
    inside: Value | None = None
    if _is_popped_for_use(step, step.inputs[where]):
        if value is None:
            return False
        inside = _passed_to(backward, step, value)
    _drop_pushes(forward.attributes["step"], place)
    _take_instead(step, step.inputs[where], inside)
    return True


def _ends(forward: Node, place: int) -> tuple[Value, Value]:
    step: Graph = forward.attributes["step"]
    return step.inputs[place], step.outputs[place + 1]


def _users(graph: Graph, value: Value) -> list[Node]:
    return [node for node in graph.nodes if value in node.inputs]


# the forward loop ---------------------------------------------------------------------------------
def _always_pushed(forward: Node, place: int) -> Value | None:
    """The value from outside of a loop that every push to a carried list pushes."""
    step: Graph = forward.attributes["step"]
    count = forward.attributes["carried"]
    pushed = _pushed(step, step.inputs[place], step.outputs[place + 1])
    if not pushed:
        return None
    outside = set()
    for value in pushed:
        if value not in step.inputs or step.inputs.index(value) < count:
            return None
        outside.add(forward.inputs[step.inputs.index(value)])
    return outside.pop() if len(outside) == 1 else None


def _pushed(graph: Graph, start: Value, end: Value) -> list[Value] | None:
    """What is pushed between two states of a list; None where anything else happens to it."""
    if end is start:
        return []
    node = end.node
    if node is None or (node.op.name == "list_push" and node.location is not None):
        return None
    if node.op.name == "list_push":
        before = _pushed(graph, start, node.inputs[0])
        return None if before is None else [*before, node.inputs[1]]
    if node.op.name != "cond" or start not in node.inputs[1:]:
        return None
    operand, result = node.inputs[1:].index(start), node.outputs.index(end)
    found: list[Value] = []
    for branch in node.attributes["branches"]:
        inner = _pushed(branch, branch.inputs[operand], branch.outputs[result])
        if inner is None:
            return None
        # what a branch makes itself stands for itself: no value from outside
        found += [
            node.inputs[1 + branch.inputs.index(value)] if value in branch.inputs else value
            for value in inner
        ]
    return found


def _drop_pushes(step: Graph, place: int) -> None:
    """Let the list be what it was, all the way back through the branches."""

    def drop(graph: Graph, start: Value, end: Value) -> None:
        node = end.node
        while node is not None and end is not start:
            if node.op.name == "list_push":
                replace(graph, {end: node.inputs[0]})
                end = node.inputs[0]
            else:
                operand, result = node.inputs[1:].index(start), node.outputs.index(end)
                for branch in node.attributes["branches"]:
                    drop(branch, branch.inputs[operand], branch.outputs[result])
                return
            node = end.node

    drop(step, step.inputs[place], step.outputs[place + 1])


# the backward loop --------------------------------------------------------------------------------
def _only_popped(graph: Graph, start: Value, end: Value) -> bool:
    """Whether all that happens to a list between two states is that items are popped."""
    value = start
    while True:
        users = _users(graph, value)
        if value is end:
            return not users and graph.outputs.count(value) == 1
        if len(users) != 1 or value in graph.outputs or users[0].inputs.count(value) != 1:
            return False
        node = users[0]
        if node.op.name == "list_pop" and node.location is None:
            value = node.outputs[0]
            continue
        if node.op.name != "cond" or node.inputs[0] is value:
            return False
        operand = node.inputs[1:].index(value)
        results = {
            place
            for branch in node.attributes["branches"]
            for place in _results_of(branch, branch.inputs[operand])
        }
        if len(results) != 1:
            return False
        (result,) = results
        for branch in node.attributes["branches"]:
            if not _only_popped(branch, branch.inputs[operand], branch.outputs[result]):
                return False
        value = node.outputs[result]


def _results_of(branch: Graph, start: Value) -> set[int]:
    """Which outputs of a branch are a list that came in, perhaps with items popped."""
    found: set[int] = set()
    for place, value in enumerate(branch.outputs):
        while value.node is not None and value.node.op.name == "list_pop":
            value = value.node.inputs[0]
        if value is start:
            found.add(place)
    return found


def _is_popped_for_use(graph: Graph, start: Value) -> bool:
    """Whether any item that is popped from a list, which is only popped from, is used."""
    value = start
    while True:
        users = _users(graph, value)
        if not users:
            return False
        node = users[0]
        if node.op.name == "list_pop":
            value, item = node.outputs
            if _users(graph, item) or item in graph.outputs:
                return True
            continue
        operand = node.inputs[1:].index(value)
        results = set()
        for branch in node.attributes["branches"]:
            results |= _results_of(branch, branch.inputs[operand])
            if _is_popped_for_use(branch, branch.inputs[operand]):
                return True
        value = node.outputs[results.pop()]


def _passed_to(backward: Node, step: Graph, value: Value) -> Value:
    """The value inside the step."""
    if is_constant(value):
        assert value.node is not None
        return make_constant(step, value.node.attributes["value"], value, None)
    backward.inputs.append(value)
    return step.add_input(value.spec, value.name)


def _take_instead(graph: Graph, start: Value, value: Value | None) -> None:
    """Use `value` for every item popped from a list, and let the list be what it was."""
    for node in list(graph.nodes):
        if start not in node.inputs:
            continue
        if node.op.name == "list_pop":
            rest, item = node.outputs
            graph.nodes.remove(node)
            replace(graph, {rest: start} if value is None else {rest: start, item: value})
            _take_instead(graph, start, value)
            return
        operand = node.inputs[1:].index(start)
        result = next(
            place
            for branch in node.attributes["branches"]
            for place in _results_of(branch, branch.inputs[operand])
        )
        if value is not None:
            node.inputs.append(value)
        for branch in node.attributes["branches"]:
            inner = None if value is None else branch.add_input(value.spec, value.name)
            _take_instead(branch, branch.inputs[operand], inner)
        replace(graph, {node.outputs[result]: start})
        _take_instead_after(graph, node, start, value)
        return


def _take_instead_after(graph: Graph, node: Node, start: Value, value: Value | None) -> None:
    """Go on after a cond that has the list, which is unchanged now, as an operand."""
    later = graph.nodes[graph.nodes.index(node) + 1 :]
    if any(start in one.inputs for one in later):
        rest = Graph(graph.name)
        rest.nodes = later
        _take_instead(rest, start, value)
        graph.nodes[graph.nodes.index(node) + 1 :] = rest.nodes
        replace(graph, {})
