"""Control flow in programs: branches, loops, calls and raises, all in the function they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.kernels.program import (
    HEAVY_STRIP,
    LIGHT_STRIP,
    Assign,
    Break,
    Comment,
    For,
    If,
    Statement,
    While,
    is_heavy,
)
from autograph.runtime.control.records import is_dead
from autograph.runtime.core.dims import DimLike, product
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import substitute_dynamic
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.control.counted_loops import Counting, counting, tested_once
from autograph.runtime.lower.control.moves import Place, new_place, settle
from autograph.runtime.lower.control.numbers import from_words
from autograph.runtime.lower.control.recursion import emit_call
from autograph.runtime.lower.lists.list_buffers import detach
from autograph.runtime.lower.region import (
    RULES,
    TAILS,
    Finish,
    Loop,
    Region,
)
from autograph.runtime.lower.sizes.analysis import Analysis, NotNativeError
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import copy_into
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    Scalar,
    Sizes,
    Storage,
    Tensorial,
)
from autograph.runtime.lower.storage.passing import passed_on


# cond ---------------------------------------------------------------------------------------------
def _conditions(region: Region, node: Node) -> list[str]:
    """For each branch the test under which it runs, in order; the last one is the rest."""
    index = region.scalar(node.inputs[0])
    count = len(node.attributes["branches"])
    if index.dtype.kind == "b":
        return [f"not {index.text}", ""]
    return [f"{index.text} == {place}" for place in range(count - 1)] + [""]


def _branches(region: Region, node: Node, finish: Finish) -> None:
    """Emit all branches of a cond; each ends with `finish`."""
    builder = region.builder
    _detach_lists(region, node)
    known, count = region.scalar(node.inputs[0]).constant, len(node.attributes["branches"])
    dying = _handed_over(region, node.inputs[1:])
    statement = If()
    snapshot = builder.snapshot()
    arms: list[tuple[str, list[Statement]]] = []
    for place, condition in enumerate(_conditions(region, node)):
        if known is not None and place != (known if 0 <= known < count else count - 1):
            continue  # the last one is that of all other numbers
        body: list[Statement] = []
        inputs = [region.env[value] for value in node.inputs[1:]]
        with builder.into(body):
            inner = Region(builder, region.analysis.inner[node, place], inputs)
            inner.inside(region, node.inputs[1:])
            for value in dying:
                _drop(region, region.env[value])
            inner.emit(finish)
        builder.restore(snapshot)
        arms.append((condition, body))
    if known is not None:
        builder.body.extend(arms[0][1])
        return
    if len(arms) == 2 and arms[0][0].startswith("not "):
        # the true branch reads best first
        arms = [(arms[0][0][4:], arms[1][1]), ("", arms[0][1])]
    if arms and not arms[-1][0] and not any(_does_something(s) for s in arms[-1][1]):
        arms.pop()
    statement.branches = arms if len(arms) <= CHAINED else _halved(arms, region, node)
    if arms:
        builder.emit(statement)


Arm = tuple[str, list[Statement]]
CHAINED = 16
"""So many branches are tested one after the other; more of them by halves.

A chain of thousands of `elif` is nested too deep for Python's compiler, and slow.
"""


def _halved(arms: list[Arm], region: Region, node: Node) -> list[Arm]:
    """Branches by the number of the one that runs, found by comparing with the middle ones."""
    index = region.scalar(node.inputs[0]).text
    count = len(node.attributes["branches"])
    if len(arms) < count:  # the last one does nothing, and was left out
        arms = [*arms, ("", [])]
    bodies = [body for _, body in arms]
    outside = f"({index} < 0) | ({index} >= {count - 1})"
    rest = [("", bodies[-1])] if bodies[-1] else []
    return [(f"not ({outside})", _between(bodies[:-1], 0, index)), *rest]


def _between(bodies: list[list[Statement]], first: int, index: str) -> list[Statement]:
    """What runs of the branches from number `first` on."""
    if len(bodies) == 1:
        return bodies[0]
    half = len(bodies) // 2
    left = _between(bodies[:half], first, index)
    right = _between(bodies[half:], first + half, index)
    return [If([(f"{index} < {first + half}", left), ("", right)])]


def _does_something(statement: Statement) -> bool:
    return not isinstance(statement, Comment)


def _detach_lists(region: Region, node: Node) -> None:
    """Items that live on are copied away from lists that the sub-graphs may change."""
    for value in node.inputs:
        storage = region.env[value]
        if isinstance(storage, Items):
            detach(region.builder, storage.home)


def _handed_over(region: Region, operands: Sequence[Value]) -> list[Value]:
    """Operands that die at this node: a branch may write to them."""
    found = []
    for value in dict.fromkeys(operands):
        storage = region.env[value]
        if isinstance(storage, Array | Items) and region.dies(value):
            found.append(value)
    return found


def _drop(region: Region, storage: Storage) -> None:
    if isinstance(storage, Array):
        region.builder.drop(storage.root)
    elif isinstance(storage, Items):
        region.builder.drop(storage.home)


def _cond(region: Region, node: Node) -> None:
    builder = region.builder
    places = [_place_of(region, node, output) for output in range(len(node.outputs))]

    def finish(values: list[Storage | None]) -> None:
        settle(builder, places, values)

    _branches(region, node, finish)
    for value, place in zip(node.outputs, places, strict=True):
        region.bind(value, place.storage)


def _place_of(region: Region, node: Node, output: int) -> Place:
    """Where an output of a cond is: in the memory of an operand that it replaces, if one dies."""
    builder = region.builder
    value = node.outputs[output]
    operand = _replaced(region, node, output)
    if isinstance(value.spec, ListSpec):
        home = region.items(operand).home if operand is not None else builder.new_list()
        sizes = region.analysis.known_items(value)
        element = value.spec.element
        return Place(
            element.dtype,
            items=Items(home, element.dtype, element.ndim, element.python, sizes),
        )
    sizes = region.sizes(value)
    names = region.analysis.made.get(node, {}).get(output)
    if operand is not None and sizes:
        storage = region.env[operand]
        assert isinstance(storage, Array)
        return Place(value.spec.dtype, sizes, "", storage.root, names or [])
    return new_place(builder, value.spec.dtype, sizes, names)


def _replaced(region: Region, node: Node, output: int) -> Value | None:
    """An operand whose memory an output may have: it dies, and some branch passes it on."""
    taken = region.taken.setdefault(node, {})
    for graph in node.attributes["branches"]:
        source = passed_on(graph.outputs[output])
        if source is None or source not in graph.inputs:
            continue
        value: Value = node.inputs[1 + graph.inputs.index(source)]
        if not region.can_overwrite(value) or node.inputs[1:].count(value) != 1:
            continue
        storage = region.env[value]
        if isinstance(storage, Array):
            fits = storage.is_whole and storage.root.block is None
            same = _same_bytes(region, storage, node.outputs[output])
            if not (fits and same) or storage.root not in region.builder.roots:
                continue
        held = storage.root if isinstance(storage, Array) else storage.home  # type: ignore[union-attr]
        if taken.setdefault(id(held), output) != output:
            continue
        return value
    return None


def _same_bytes(region: Region, storage: Array, value: Value) -> bool:
    spec = value.spec
    assert isinstance(spec, Spec)
    resolve = region.table.resolve
    same = tuple(map(resolve, storage.sizes)) == region.sizes(value)
    return same and storage.dtype == spec.dtype


def _cond_tail(region: Region, node: Node, finish: Finish) -> bool:
    """A cond that comes last hands `finish` to its branches: nothing is joined."""
    outer = region.graph.outputs
    if not any(value in node.outputs for value in outer):
        return False
    kept = {value: region.env[value] for value in outer if value in region.env}
    places = {value: place for place, value in enumerate(node.outputs)}

    def inner_finish(values: list[Storage | None]) -> None:
        found: list[Storage | None] = []
        for value in outer:
            if value in kept:
                found.append(kept[value])
            elif is_dead(value):
                found.append(None)
            else:
                found.append(values[places[value]])
        finish(found)

    for one in region.units[-1].nodes:
        region._emit_checks(one)
    _branches(region, node, inner_finish)
    return True


# while --------------------------------------------------------------------------------------------
def _while_loop(region: Region, node: Node) -> None:
    builder = region.builder
    count = node.attributes["carried"]
    inner_analysis: Analysis = region.analysis.inner[node, 0]
    _detach_lists(region, node)
    places = [_carried_place(region, node, place, inner_analysis) for place in range(count)]
    settle(builder, places, [None] * count)
    invariants = list(node.inputs[count:])
    for value in invariants:
        _hold(region, region.env[value])
    found = counting(node)
    tested = None
    if found is not None:
        variable = places[found.place].variable
        tested = tested_once(region, node, found, variable, inner_analysis)
    snapshot = builder.snapshot()
    around: list[Loop] = []
    if found is None or tested is None:
        builder.body.extend(_turns(region, node, places, around))
        builder.restore(snapshot)
    else:
        unfit, limit, proven = tested
        slow = _turns(region, node, places, around)
        builder.restore(snapshot)
        builder.proven |= proven
        if found.ends:
            fast = _counted(region, node, places, around, found, limit)
        else:
            fast = _turns(region, node, places, around)
        builder.proven -= proven
        builder.restore(snapshot)
        builder.emit(If([(unfit, slow), ("", fast)]))
    for value in invariants:
        _drop(region, region.env[value])
    for root in [root for one in around for root in one.roots]:
        builder.unpin(root)
    for value, place in zip(node.outputs, places, strict=True):
        region.bind(value, place.storage)


def _turns(region: Region, node: Node, places: list[Place], around: list[Loop]) -> list[Statement]:
    """The loop as it is: what runs before it for all turns, and the loop."""
    builder = region.builder
    loop = While(builder.name("turning"))

    def finish(values: list[Storage | None]) -> None:
        go, *after = values
        settle(builder, places, after)
        assert isinstance(go, Scalar)
        if go.constant is None:
            builder.emit(If([(f"not {go.text}", [Break()])]))
        elif not go.constant:
            builder.emit(Break())

    with builder.into(loop.body):
        inner = _turn_of(region, node, [one.storage for one in places], around)
        inner.emit(finish)
    return [*around[-1].prelude, loop]


def _counted(
    region: Region,
    node: Node,
    places: list[Place],
    around: list[Loop],
    found: Counting,
    limit: str,
) -> list[Statement]:
    """The loop as one over a range, in strips between which signals are looked for."""
    builder = region.builder
    counter = places[found.place].variable
    loop = While(builder.name("turning"))
    builder.proven.add(found.test)
    with builder.into(loop.body):
        stop = Assign(builder.name("s"), "")
        builder.emit(stop)
        turns = For(builder.name("i"), stop.target, start=counter)
        builder.emit(turns)
        with builder.into(turns.body):
            storages = [one.storage for one in places]
            storages[found.place] = Scalar(turns.variable, int64)
            inner = _turn_of(region, node, storages, around)
            inner.emit(lambda values: settle(builder, places, values[1:]))
        strip = HEAVY_STRIP if is_heavy(turns.body) else LIGHT_STRIP
        stop.value = f"{counter} + min({limit} - {counter}, {strip})"
        builder.emit(If([(f"{counter} >= {limit}", [Break()])]))
    builder.proven.discard(found.test)
    return [*around[-1].prelude, loop]


def _turn_of(region: Region, node: Node, storages: list[Storage], around: list[Loop]) -> Region:
    """The region of a turn of a loop, for what it carries; the loop is added to `around`."""
    count = node.attributes["carried"]
    outside = [region.env[value] for value in node.inputs[count:]]
    inner = Region(region.builder, region.analysis.inner[node, 0], [*storages, *outside])
    inner.loop = Loop()
    around.append(inner.loop)
    inner.fixed = set(inner.graph.inputs[count:])
    return inner


def _hold(region: Region, storage: Storage) -> None:
    if isinstance(storage, Array):
        region.builder.hold(storage.root)
    elif isinstance(storage, Items):
        region.builder.hold(storage.home)


def _carried_place(region: Region, node: Node, place: int, inner: Analysis) -> Place:
    """The place of a carried value, with the initial value in it."""
    builder = region.builder
    operand = node.inputs[place]
    storage = region.env[operand]
    if isinstance(storage, Items):
        return _carried_list(region, node, place, storage, inner)
    assert not isinstance(storage, Items)
    spec = operand.spec
    assert isinstance(spec, Spec)
    if not storage.sizes:
        assert isinstance(storage, Scalar)
        variable = builder.let("c", storage.text)
        return Place(spec.dtype, (), variable)
    sizes: Sizes = inner.of(inner.graph.inputs[place])
    names = region.analysis.made.get(node, {}).get(place)
    if names:
        for name, size in zip(names, storage.sizes, strict=True):
            if name is not None:
                builder.assign(name, text_of(region.table.resolve(size)))
        root = builder.block()
        builder.assign(root.name, f"grow(frame, {root.block}, {text_of(_bytes(storage))})")
    elif _can_adopt(region, node, place):
        assert isinstance(storage, Array)
        region.forget(operand, free=False)
        return Place(spec.dtype, sizes, "", storage.root, [])
    else:
        root = builder.array(spec.dtype, sizes).root
    target = Place(spec.dtype, sizes, "", root, names or [])
    array = target.storage
    assert isinstance(array, Array)
    copy_into(builder, array, storage)
    return target


def _bytes(storage: Tensorial) -> DimLike:
    return product(storage.sizes) * storage.dtype.itemsize


def _can_adopt(region: Region, node: Node, place: int) -> bool:
    """Whether the loop may take over the memory of an initial value."""
    value = node.inputs[place]
    storage = region.env[value]
    return (
        not region.shares_memory(node, place)
        and region.can_overwrite(value)
        and isinstance(storage, Array)
        and storage.is_whole
        and storage.root.block is None
        and storage.root in region.builder.roots
    )


def _carried_list(region: Region, node: Node, place: int, storage: Items, inner: Analysis) -> Place:
    builder = region.builder
    value = node.inputs[place]
    if not region.shares_memory(node, place) and region.can_overwrite(value):
        home = storage.home
        region.forget(value, free=False)
    else:
        home = builder.new_list()
        builder.execute(f"copy_list({home.where}, {storage.home.where}, {storage.rank})")
    sizes = region.analysis.known_items(node.outputs[place])
    items = Items(home, storage.dtype, storage.rank, storage.python, sizes)
    return Place(storage.dtype, items=items)


# call, raise --------------------------------------------------------------------------------------
def _call(region: Region, node: Node) -> None:
    """A function that does not call itself: its body here; one that does: a native call."""
    if (node, 0) not in region.analysis.inner:
        emit_call(region, node)
        return
    inputs = [region.env[value] for value in node.inputs]
    inner = Region(region.builder, region.analysis.inner[node, 0], inputs)
    inner.inside(region, node.inputs)
    found: list[Storage | None] = []
    inner.emit(found.extend, once=True)
    for value, storage in zip(node.outputs, found, strict=True):
        if storage is not None:
            region.bind(value, storage)
    for value in list(inner.env):
        inner.forget(value)


def _raise(region: Region, node: Node) -> None:
    operands: list[tuple[str, Any]] = []
    specs: list[Spec] = []
    for value in node.inputs:
        storage = region.env[value]
        if not isinstance(storage, Scalar):
            if not region.builder.shared.may_drive:
                raise NotNativeError("an exception that tells a tensor")
            region.builder.fail_if("", RaiseSite(None, node.location), [])
            return
        assert isinstance(value.spec, Spec)
        operands.append((storage.text, storage.dtype))
        specs.append(value.spec)

    def make(words: Any) -> BaseException:
        values = from_words(words, [s.dtype for s in specs], [s.python for s in specs])
        attributes = substitute_dynamic(node.attributes, values)
        try:
            node.op.reference(**attributes)
        except BaseException as error:
            return error.with_traceback(None)
        raise AssertionError("raise_ did not raise")

    region.builder.fail_if("", RaiseSite(make, node.location), operands)


RULES.update(cond=_cond, while_loop=_while_loop, call=_call, raise_=_raise)
TAILS.update(cond=_cond_tail)
