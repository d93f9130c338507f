"""Machine code for sums in NumPy's order (see `pairwise`).

A loop that does nothing but compute adds every eighth value in a lane of its own: LLVM makes one
vector of the lanes. Where a loop does more, or where several loops gather one sum, the values of a
leaf go to a buffer as they come, and are added when the leaf is full.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograph.kernels.codegen import arithmetic
from autograph.kernels.codegen.block import Block
from autograph.kernels.codegen.pairwise import (
    LANE_LOOP,
    LANES,
    LEAF,
    NEEDED,
    REST_LOOP,
    ROW,
    TOTAL,
    WORDS,
    Gathered,
    calls_in,
    gathered_value,
    only_computes,
)
from autograph.kernels.codegen.types import BOOL, INT64, Number, Type, Value
from autograph.kernels.codegen.vocabulary import MEANINGS

MOST_KNOWN = 64
"""So many values of loops one inside the other, their number known, are added without a loop."""
Place = Callable[[Value], None]
"""Puts a value where it belongs."""


class Writer(Protocol):
    """The part of the writer of a function that sums need."""

    block: Block
    types: dict[str, Type]
    places: dict[str, str]

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""

    def converted(self, value: Value, kind: Type) -> Value:
        """A value as one of a wider type."""

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value."""

    def name_of(self, node: ast.Name) -> Value:
        """What a variable holds."""

    def range_of(self, node: ast.expr) -> tuple[Value, Value, Value]:
        """Where a loop starts, where it stops, and its step."""

    def turn(self, node: ast.For, counter: Value) -> None:
        """One turn of a loop."""

    def counted(self, node: ast.For) -> None:
        """A loop, turn by turn."""


@dataclass(slots=True)
class Filled:
    """A sum whose values go to a buffer."""

    innermost: ast.For
    kind: Number
    buffer: str
    state: str


class SumWriter:
    """Writes the loops of one function that gather sums."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.puts: dict[str, Place] = {}
        """Where the values of the sums go that are being added up."""
        self.filled: dict[str, Filled] = {}

    def gathers(self, node: ast.Assign) -> bool:
        """Write a statement, if it adds to one of these sums."""
        value = gathered_value(node) if self.puts else None
        if value is None:
            return False
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        put = self.puts.get(target.id)
        if put is None:
            return False
        made = self.writer.expression(value)
        put(self.writer.converted(made, self.writer.types[target.id]))
        return True

    def loop(self, node: ast.For, sums: Sequence[Gathered]) -> bool:
        """Write a loop, if it is one of those that gather a sum."""
        begun: list[str] = []
        lanes: list[str] = []
        known_ones: dict[str, tuple[str, int]] = {}
        for name, loops in sums:
            total = self._turns(loops) if self._kind(name) is not None else None
            known = None if total is None else arithmetic.constant_of(total)
            if total is None:
                continue
            if known is not None and known < LANES:
                self.puts[name] = self._one_by_one(name)
                begun.append(name)
            elif len(loops) == 1 and only_computes(node) and calls_in(node) <= MEANINGS.keys():
                lanes.append(name)
            elif len(loops) > 1 and known is not None and known <= MOST_KNOWN:
                known_ones[name] = self._begin_known(name, int(known)), int(known)
            else:
                self._begin(name, loops, total)
                begun.append(name)
        inside = [name for name, one in self.filled.items() if one.innermost is node]
        if lanes and not inside:
            self._in_lanes(node, lanes)
        elif inside:
            self._fill(node, inside)
        else:
            self.writer.counted(node)
        for name in begun:
            self._end(name)
        for name, (buffer, count) in known_ones.items():
            self._end_known(name, buffer, count)
        return True

    def _kind(self, name: str) -> Number | None:
        """The type of a sum; None for a variable that is no sum of floats."""
        kind = self.writer.types.get(name)
        known = name in self.writer.places and isinstance(kind, Number) and kind.kind == "f"
        return kind if known and isinstance(kind, Number) else None

    # how many values ------------------------------------------------------------------------------
    def _turns(self, loops: Sequence[ast.For]) -> Value | None:
        """How many turns loops one inside the other have in all; None where that is not known."""
        total = arithmetic.integer(1)
        for loop in loops:
            start, stop, step = self.writer.range_of(loop.iter)
            if arithmetic.constant_of(step) != 1:
                return None
            total = self._times(total, start, stop)
        return total

    def _times(self, total: Value, start: Value, stop: Value) -> Value:
        """A number of turns, for each turn of a loop around them."""
        known = [arithmetic.constant_of(one) for one in (total, start, stop)]
        if None not in known:
            times, first, last = (int(one or 0) for one in known)
            return arithmetic.integer(times * max(last - first, 0))
        block = self.writer.block
        count = arithmetic.binary(block, "Sub", stop, start)
        count = arithmetic.extreme(block, "Gt", [count, arithmetic.integer(0)])
        return arithmetic.binary(block, "Mult", total, count)

    # few values -----------------------------------------------------------------------------------
    def _one_by_one(self, name: str) -> Place:
        def put(value: Value) -> None:
            before = self.writer.name_of(ast.Name(name, ast.Load()))
            self.writer.assign(name, arithmetic.binary(self.writer.block, "Add", before, value))

        return put

    def _begin_known(self, name: str, count: int) -> str:
        """Loops that LLVM writes out: each value has a place that is known then."""
        block, kind = self.writer.block, self._number(name)
        buffer, filled = block.buffer(kind, count), block.room(INT64)
        block.do(f"store i64 0, ptr {filled}")

        def put(value: Value) -> None:
            at = block.make(INT64, f"load i64, ptr {filled}")
            block.store(value, self._at(kind, buffer, at.text))
            following = block.make(INT64, f"add i64 {at.text}, 1")
            block.do(f"store i64 {following.text}, ptr {filled}")

        self.puts[name] = put
        return buffer

    def _end_known(self, name: str, buffer: str, count: int) -> None:
        block, kind = self.writer.block, self._number(name)
        del self.puts[name]
        values = [block.load(kind, self._at(kind, buffer, str(at))) for at in range(count)]
        whole = count - count % LANES
        sums = values[:LANES]
        for at in range(LANES, whole):
            sums[at % LANES] = arithmetic.binary(block, "Add", sums[at % LANES], values[at])
        while len(sums) > 1:
            pairs = zip(sums[::2], sums[1::2], strict=True)
            sums = [arithmetic.binary(block, "Add", one, other) for one, other in pairs]
        total = sums[0]
        for value in values[whole:]:
            total = arithmetic.binary(block, "Add", total, value)
        self._one_by_one(name)(total)

    def _at(self, kind: Number, buffer: str, at: str) -> str:
        made = f"getelementptr {kind.ir}, ptr {buffer}, i64 {at}"
        return self.writer.block.make(INT64, made).text

    # in lanes -------------------------------------------------------------------------------------
    def _in_lanes(self, node: ast.For, names: Sequence[str]) -> None:
        """A loop that only computes, leaf by leaf."""
        block = self.writer.block
        start, stop, _ = self.writer.range_of(node.iter)
        number = block.number()
        words = ("sum", "some", "halve", "leaf", "large", "joined", "small", "done")
        before, some, halve, leaf, large, joined, small, end = (f"{one}{number}" for one in words)
        kinds = {name: self._number(name) for name in names}
        states = {name: block.words(WORDS) for name in names}
        totals = {name: block.room(kinds[name]) for name in names}
        self._declare([*kinds.values()])
        block.start(before)
        count = block.make(INT64, f"sub i64 {stop.text}, {start.text}")
        block.branch(block.make(BOOL, f"icmp sgt i64 {count.text}, 0"), some, end)
        block.start(some)
        is_large = block.make(BOOL, f"icmp sgt i64 {count.text}, {LEAF}")
        block.branch(is_large, halve, leaf)
        block.start(halve)
        for state in states.values():
            block.do(f"call void @begin_pairs(ptr {state}, i64 {count.text})")
        first = self._word(states[names[0]], NEEDED)
        block.start(leaf)
        at, size = Value(INT64, f"%at{number}"), Value(INT64, f"%size{number}")
        phis = len(block.lines)
        values = self._leaf(node, kinds, at, size)
        block.branch(is_large, large, small)
        block.start(small)
        for name, value in values.items():
            block.store(value, totals[name])
        block.jump(joined)
        block.start(large)
        for name, value in values.items():
            given = f"ptr {states[name]}, {kinds[name].ir} {value.text}"
            block.do(f"call void @end_of_leaf{kinds[name].bits}({given})")
        following = block.make(INT64, f"add i64 {at.text}, {size.text}")
        next_size = self._word(states[names[0]], NEEDED)
        more = block.make(BOOL, f"icmp slt i64 {following.text}, {stop.text}")
        for name, state in states.items():
            place = block.make(INT64, f"getelementptr i64, ptr {state}, i64 {TOTAL}").text
            block.store(block.load(kinds[name], place), totals[name])
        block.branch(more, leaf, joined)
        block.lines[phis:phis] = [
            f"  {at.text} = phi i64 [ {start.text}, %{some} ], [ {start.text}, %{halve} ], "
            f"[ {following.text}, %{large} ]",
            f"  {size.text} = phi i64 [ {count.text}, %{some} ], [ {first.text}, %{halve} ], "
            f"[ {next_size.text}, %{large} ]",
        ]
        block.start(joined)
        for name, total in totals.items():
            self._one_by_one(name)(block.load(kinds[name], total))
        block.start(end)

    def _leaf(
        self, node: ast.For, kinds: dict[str, Number], at: Value, size: Value
    ) -> dict[str, Value]:
        """The sums of the values of one leaf."""
        block = self.writer.block
        number = block.number()
        words = ("lanes", "eight", "lane", "next", "more", "pairs", "rest", "one", "again", "ended")
        lanes, eight, lane, following, more, pairs, rest, one, again, ended = (
            f"{word}{number}" for word in words
        )
        rooms = {name: block.buffer(kind, LANES) for name, kind in kinds.items()}
        results = {name: block.room(kind) for name, kind in kinds.items()}
        whole = block.make(INT64, f"and i64 {size.text}, {-LANES}")
        for name, kind in kinds.items():
            block.do(f"store {kind.ir} -0.0, ptr {results[name]}")
        block.branch(block.make(BOOL, f"icmp sgt i64 {whole.text}, 0"), lanes, rest)
        block.start(lanes)
        for name, kind in kinds.items():
            zeros = ", ".join([f"{kind.ir} -0.0"] * LANES)
            block.do(f"store <{LANES} x {kind.ir}> <{zeros}>, ptr {rooms[name]}, align 64")
        base, turn = f"%b{number}", f"%l{number}"
        block.start(eight)
        block.lines.append(f"  {base} = phi i64 [ 0, %{lanes} ], [ {base}n, %{more} ]")
        first = block.make(INT64, f"add nsw i64 {at.text}, {base}")
        block.start(lane)
        block.lines.append(f"  {turn} = phi i64 [ 0, %{eight} ], [ {turn}n, %{following} ]")
        for name, kind in kinds.items():
            self.puts[name] = self._adding(kind, self._at(kind, rooms[name], turn))
        self.writer.turn(node, block.make(INT64, f"add nsw i64 {first.text}, {turn}"))
        block.start(following)
        block.do(f"{turn}n = add nuw nsw i64 {turn}, 1")
        go_on = block.make(BOOL, f"icmp ult i64 {turn}n, {LANES}")
        block.end(f"br i1 {go_on.text}, label %{lane}, label %{more}, !llvm.loop !{LANE_LOOP}")
        block.start(more)
        block.do(f"{base}n = add nuw nsw i64 {base}, {LANES}")
        block.branch(block.make(BOOL, f"icmp slt i64 {base}n, {whole.text}"), eight, pairs)
        block.start(pairs)
        for name, kind in kinds.items():
            block.store(self._joined(kind, rooms[name]), results[name])
        block.start(rest)
        block.branch(block.make(BOOL, f"icmp slt i64 {whole.text}, {size.text}"), one, ended)
        block.start(one)
        left = f"%r{number}"
        block.lines.append(f"  {left} = phi i64 [ {whole.text}, %{rest} ], [ {left}n, %{again} ]")
        for name, kind in kinds.items():
            self.puts[name] = self._adding(kind, results[name])
        self.writer.turn(node, block.make(INT64, f"add nsw i64 {at.text}, {left}"))
        block.start(again)
        block.do(f"{left}n = add nuw nsw i64 {left}, 1")
        go_on = block.make(BOOL, f"icmp slt i64 {left}n, {size.text}")
        block.end(f"br i1 {go_on.text}, label %{one}, label %{ended}, !llvm.loop !{REST_LOOP}")
        block.start(ended)
        for name in kinds:
            del self.puts[name]
        return {name: block.load(kind, results[name]) for name, kind in kinds.items()}

    def _adding(self, kind: Number, place: str) -> Place:
        def put(value: Value) -> None:
            block = self.writer.block
            before = block.load(kind, place)
            block.store(arithmetic.binary(block, "Add", before, value), place)

        return put

    def _joined(self, kind: Number, lanes: str) -> Value:
        """The sum of the lanes: pairs of neighbours, and pairs of these."""
        block, width = self.writer.block, LANES
        vector = block.make(kind, f"load <{width} x {kind.ir}>, ptr {lanes}, align 64").text
        while width > 1:
            halves = []
            for first in (0, 1):
                places = ", ".join(f"i32 {one}" for one in range(first, width, 2))
                both = f"<{width} x {kind.ir}> {vector}, <{width} x {kind.ir}> {vector}"
                made = f"shufflevector {both}, <{width // 2} x i32> <{places}>"
                halves.append(block.make(kind, made).text)
            width //= 2
            vector = block.make(kind, f"fadd <{width} x {kind.ir}> {', '.join(halves)}").text
        return block.make(kind, f"extractelement <1 x {kind.ir}> {vector}, i32 0")

    # by a buffer ----------------------------------------------------------------------------------
    def _begin(self, name: str, loops: Sequence[ast.For], total: Value) -> None:
        block, kind = self.writer.block, self._number(name)
        made = Filled(loops[-1], kind, block.buffer(kind, LEAF + ROW), block.words(WORDS))
        self._declare([kind])
        block.do(f"call void @begin_pairs(ptr {made.state}, i64 {total.text})")
        self.filled[name] = made

    def _end(self, name: str) -> None:
        self.puts.pop(name, None)
        one = self.filled.pop(name, None)
        if one is not None:
            block = self.writer.block
            place = block.make(INT64, f"getelementptr i64, ptr {one.state}, i64 {TOTAL}").text
            self._one_by_one(name)(block.load(one.kind, place))

    def _fill(self, node: ast.For, names: Sequence[str]) -> None:
        """The innermost loop of some sums: as many turns at once as the buffers have room for."""
        block = self.writer.block
        mine = {name: self.filled[name] for name in names}
        start, stop, _ = self.writer.range_of(node.iter)
        number = block.number()
        words = ("for", "part", "turn", "next", "full", "done")
        before, part, body, again, full, end = (f"{word}{number}" for word in words)
        block.start(before)
        block.branch(block.make(BOOL, f"icmp slt i64 {start.text}, {stop.text}"), part, end)
        block.start(part)
        at, counter = Value(INT64, f"%at{number}"), Value(INT64, f"%i{number}")
        phi = len(block.lines)
        room = block.make(INT64, f"add i64 {at.text}, {ROW}")
        last = arithmetic.extreme(block, "Lt", [stop, room])
        block.start(body)
        block.lines.append(
            f"  {counter.text} = phi i64 [ {at.text}, %{part} ], [ {counter.text}n, %{again} ]"
        )
        for name, one in mine.items():
            self.puts[name] = self._storing(one, at, counter)
        self.writer.turn(node, counter)
        block.start(again)
        block.do(f"{counter.text}n = add nsw i64 {counter.text}, 1")
        more = block.make(BOOL, f"icmp slt i64 {counter.text}n, {last.text}")
        block.branch(more, body, full)
        block.start(full)
        count = arithmetic.binary(block, "Sub", last, at)
        for one in mine.values():
            given = f"ptr {one.state}, ptr {one.buffer}, i64 {count.text}"
            block.do(f"call void @add_leaves{one.kind.bits}({given})")
        block.lines.insert(
            phi, f"  {at.text} = phi i64 [ {start.text}, %{before} ], [ {last.text}, %{full} ]"
        )
        block.branch(block.make(BOOL, f"icmp slt i64 {last.text}, {stop.text}"), part, end)
        block.start(end)

    def _storing(self, one: Filled, start: Value, counter: Value) -> Place:
        def put(value: Value) -> None:
            block = self.writer.block
            passed = arithmetic.binary(block, "Sub", counter, start)
            at = block.make(INT64, f"add i64 {passed.text}, {LEAF}")
            block.store(value, self._at(one.kind, one.buffer, at.text))

        return put

    # names and memory -----------------------------------------------------------------------------
    def _number(self, name: str) -> Number:
        kind = self._kind(name)
        assert kind is not None
        return kind

    def _declare(self, kinds: Sequence[Number]) -> None:
        given = self.writer.block.callees.given
        for name in ("begin_pairs", "loops_of_lanes"):
            given(name)
        for kind in kinds:
            for name in ("sum_of_leaf", "end_of_leaf", "add_leaves"):
                given(f"{name}{kind.bits}")

    def _word(self, state: str, place: int) -> Value:
        block = self.writer.block
        at = block.make(INT64, f"getelementptr i64, ptr {state}, i64 {place}").text
        return block.make(INT64, f"load i64, ptr {at}")
