"""One Python function of the programs' language → a function in LLVM's language, for given types.

The language: assignments, `if`, `while`, `for ... in range(...)`, `break`, `continue`, `return`,
arithmetic, comparisons and calls. A variable has one type in the whole function, the widest of what
is assigned to it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from autograph.kernels.codegen import arithmetic
from autograph.kernels.codegen.block import Block, Callees
from autograph.kernels.codegen.kernel import Nest, nests_of
from autograph.kernels.codegen.pairwise import gathered_sums
from autograph.kernels.codegen.sums import SumWriter
from autograph.kernels.codegen.types import (
    BOOL,
    FLOAT64,
    INT64,
    NOTHING,
    UINT64,
    Flat,
    Number,
    Several,
    Type,
    TypeMismatch,
    Value,
    wider,
)
from autograph.kernels.codegen.variables import single_values
from autograph.kernels.codegen.vocabulary import Meaning
from autograph.kernels.support.frames import NO_MEMORY
from autograph.kernels.symbols import EXHAUSTED


class Functions(Callees, Protocol):
    """What a function finds by name: constants, and other functions to call."""

    constants: dict[str, Value]
    outlines: bool
    """Whether outermost loops become functions."""
    meanings: Mapping[str, Meaning]
    """What the names of the vocabulary mean."""
    pairwise: bool
    """Whether sums that loops gather are added as NumPy adds: see `pairwise`."""
    forms: Mapping[str, Form]
    """Names whose arguments are not evaluated before."""

    def call(self, block: Block, name: str, arguments: list[Value]) -> Value:
        """Call a function that is made for these types, if it is not yet."""

    def kernel(
        self, nest: Nest, arguments: dict[str, Type], constants: dict[str, Value]
    ) -> tuple[str, Type]:
        """A function that does what a nest does: its name, and what it gives."""


Form = Callable[["FunctionWriter", ast.Call], Value]


class _Wider(Exception):
    """A variable turned out to have a wider type: the function is written again."""


class FunctionWriter:
    """Writes one function."""

    def __init__(
        self,
        functions: Functions,
        definition: ast.FunctionDef,
        parameters: list[Type],
        result: Type | None = None,
        symbols: Sequence[str] = (),
        within: bool = False,
    ) -> None:
        """`symbols`: what the parameters are called in LLVM's language, their own names if none.
        `within`: it is a kernel itself, whose loops stay in it."""
        self.functions = functions
        self.definition = definition
        self.names = [one.arg for one in definition.args.args]
        if len(self.names) != len(parameters):
            raise TypeMismatch(f"{definition.name} of {len(parameters)} arguments")
        self.parameters = parameters
        self.result = result
        self.types: dict[str, Type] = dict(zip(self.names, parameters, strict=True))
        self.single = single_values(definition)
        self.symbols = symbols or self.names
        self.within = within
        self.nests = {} if within else nests_of(definition, functions.outlines)
        self.gathered = gathered_sums(definition) if functions.pairwise else {}

    def write(self) -> tuple[Type, list[str]]:
        """The type of the result, and the lines of the body."""
        while True:
            self.block = Block(self.functions)
            self.values: dict[str, Value] = {}
            self.places: dict[str, str] = {}
            self.loops: list[tuple[str, str]] = []
            self.sums = SumWriter(self)
            try:
                for name, kind, symbol in zip(
                    self.names, self.parameters, self.symbols, strict=True
                ):
                    self.assign(name, Value(kind, f"%{symbol}"))
                self._statements(self.definition.body)
                self._finish()
            except _Wider:
                continue
            result = self.result or NOTHING
            return result, ["entry:", *self.block.rooms, *self.block.lines]

    def _finish(self) -> None:
        """The end of the body: a function that gives nothing may come to it."""
        if self.block.ended:
            return
        if self.result is None or self.result == NOTHING:
            self.result = NOTHING
            self.block.end("ret void")
        else:
            self.block.end("unreachable")

    # variables ------------------------------------------------------------------------------------
    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        if name in self.single:
            self.values[name] = value
            return
        known = self.types.get(name)
        if known is None:
            self.types[name] = known = value.type
        elif known != value.type:
            kind = wider(known, value.type)
            if kind != known:
                self.types[name] = kind
                raise _Wider
            value = self.converted(value, kind)
        place = self.places.get(name)
        if place is None:
            place = self.places[name] = self.block.room(known)
        self.block.do(f"store {known.ir} {value.text}, ptr {place}")

    def converted(self, value: Value, kind: Type) -> Value:
        """A value as one of a wider type."""
        if value.type == kind:
            return value
        if isinstance(kind, Number):
            return arithmetic.cast(self.block, value, kind)
        raise TypeMismatch(f"{value.type} for {kind}")

    def name_of(self, node: ast.Name) -> Value:
        """What a variable or a constant holds."""
        name = node.id
        if name in self.values:
            return self.values[name]
        place = self.places.get(name)
        if place is not None:
            kind = self.types[name]
            return self.block.make(kind, f"load {kind.ir}, ptr {place}")
        constant = self.functions.constants.get(name)
        if constant is None:
            raise TypeMismatch(f"{name} is not defined in {self.definition.name}")
        return constant

    # statements -----------------------------------------------------------------------------------
    def _statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if self.block.ended:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            if not self.sums.gathers(node):
                self._targets(node.targets[0], node.value)
        elif isinstance(node, ast.AnnAssign):
            assert node.value is not None
            self._targets(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            kind = type(node.op).__name__
            if not isinstance(node.target, ast.Name):
                raise TypeMismatch("an item is changed in place")
            old = self.name_of(ast.Name(node.target.id, ast.Load()))
            self.assign(
                node.target.id,
                arithmetic.binary(self.block, kind, old, self.expression(node.value)),
            )
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.While):
            self._while(node)
        elif isinstance(node, ast.For):
            self._for(node)
        elif isinstance(node, ast.Return):
            self._return(node)
        elif isinstance(node, ast.Break):
            self.block.jump(self.loops[-1][1])
        elif isinstance(node, ast.Continue):
            self.block.jump(self.loops[-1][0])
        elif isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                self.expression(node.value)
        elif not isinstance(node, ast.Pass):
            raise TypeMismatch(f"{type(node).__name__} in a program")

    def _targets(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            if isinstance(value, ast.Tuple):
                values = [self.expression(one) for one in value.elts]
            else:
                values = self._parts(self.expression(value))
            for one, part in zip(target.elts, values, strict=True):
                self._put(one, part)
        else:
            self._put(target, self.expression(value))

    def _put(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise TypeMismatch(f"{type(target).__name__} is assigned")
        buffer, index = self.expression(target.value), self.expression(target.slice)
        self.block.store(
            arithmetic.cast(self.block, value, _element(buffer)), self._item(buffer, index)
        )

    def _parts(self, value: Value) -> list[Value]:
        if not isinstance(value.type, Several):
            raise TypeMismatch(f"{value.type} is taken apart")
        return [
            self.block.make(kind, f"extractvalue {value.type.ir} {value.text}, {number}")
            for number, kind in enumerate(value.type.items)
        ]

    def _item(self, buffer: Value, index: Value) -> str:
        """Where an element of a buffer lies."""
        at = arithmetic.cast(self.block, index, INT64)
        stored = _element(buffer).stored
        made = f"getelementptr inbounds {stored}, ptr {buffer.text}, i64 {at.text}"
        return self.block.make(buffer.type, made).text

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            value = Value(NOTHING, "%")
        elif isinstance(node.value, ast.Tuple):
            value = self._together([self.expression(one) for one in node.value.elts])
        else:
            value = self.expression(node.value)
        if self.result is None:
            self.result = value.type
        elif self.result != value.type:
            kind = wider(self.result, value.type)
            if kind != self.result:
                self.result = kind
                raise _Wider
            value = self.converted(value, kind)
        self.block.end("ret void" if value.type == NOTHING else f"ret {value.type.ir} {value.text}")

    def _together(self, values: list[Value]) -> Value:
        kind = Several(tuple(arithmetic.number(one) for one in values))
        text = "undef"
        for number, one in enumerate(values):
            made = f"insertvalue {kind.ir} {text}, {one.type.ir} {one.text}, {number}"
            text = self.block.make(kind, made).text
        return Value(kind, text)

    # control flow ---------------------------------------------------------------------------------
    def _if(self, node: ast.If) -> None:
        number = self.block.number()
        then, end = f"then{number}", f"end{number}"
        otherwise = f"else{number}" if node.orelse else end
        self.block.branch(self.condition(node.test), then, otherwise)
        self.block.start(then)
        self._statements(node.body)
        closed = self.block.ended
        self.block.jump(end)
        if node.orelse:
            self.block.start(otherwise)
            self._statements(node.orelse)
            closed = closed and self.block.ended
            self.block.jump(end)
            if closed:
                return
        self.block.start(end)

    def _while(self, node: ast.While) -> None:
        number = self.block.number()
        again, body, end = f"while{number}", f"turn{number}", f"done{number}"
        self.block.start(again)
        self.block.branch(self.condition(node.test), body, end)
        self._loop(node.body, body, again, end)
        self.block.jump(again)
        self.block.start(end)

    def _loop(self, body: list[ast.stmt], label: str, again: str, end: str) -> None:
        self.block.start(label)
        self.loops.append((again, end))
        self._statements(body)
        self.loops.pop()

    def _for(self, node: ast.For) -> None:
        """Counts in a variable of its own, and looks at the end of each turn, as LLVM likes it."""
        nest = self.nests.get(id(node))
        if nest is not None:
            self._kernel(nest)
            return
        if not self.sums.loop(node, self.gathered.get(id(node), ())):
            self.counted(node)

    def counted(self, node: ast.For) -> None:
        """A loop, turn by turn."""
        start, stop, step = self.range_of(node.iter)
        block = self.block
        number = block.number()
        before, body, again, end = (f"{word}{number}" for word in ("for", "turn", "next", "done"))
        block.start(before)
        some = self._before(start, stop, step)
        block.branch(some, body, end)
        block.start(body)
        counter, following = f"%i{number}", f"%n{number}"
        block.lines.append(
            f"  {counter} = phi i64 [ {start.text}, %{before} ], [ {following}, %{again} ]"
        )
        self.loops.append((again, end))
        self.turn(node, Value(INT64, counter))
        self.loops.pop()
        block.start(again)
        block.do(f"{following} = add nsw i64 {counter}, {step.text}")
        more = self._before(Value(INT64, following), stop, step)
        block.branch(more, body, end)
        block.start(end)

    def turn(self, node: ast.For, counter: Value) -> None:
        """One turn of a loop."""
        assert isinstance(node.target, ast.Name)
        self.assign(node.target.id, counter)
        self._statements(node.body)

    def _kernel(self, nest: Nest) -> None:
        """A loop as a function of its own."""
        arguments: dict[str, Value] = {}
        constants: dict[str, Value] = {}
        for name in nest.read:
            if name in self.values or name in self.places:
                value = self.name_of(ast.Name(name, ast.Load()))
                free = name in nest.given or not value.constant
                (arguments if free else constants)[name] = value
        symbol, result = self.functions.kernel(
            nest, {name: one.type for name, one in arguments.items()}, constants
        )
        if nest.parallel:
            self._in_blocks(nest, symbol, list(arguments.values()))
            return
        value = self.block.call_symbol(result, symbol, list(arguments.values()))
        if len(nest.given) == 1:
            self.assign(nest.given[0], value)
        elif nest.given:
            for name, part in zip(nest.given, self._parts(value), strict=True):
                self.assign(name, part)

    def _in_blocks(self, nest: Nest, symbol: str, arguments: list[Value]) -> None:
        """Call a kernel for its whole range; by the pool of threads, where that is much work."""
        if nest.given or not isinstance(nest.loop.iter, ast.Call):
            raise TypeMismatch(f"{nest.given} of a parallel loop are read after it")
        block = self.block
        count, work = (
            arithmetic.cast(block, self.expression(one), INT64) for one in nest.loop.iter.args
        )
        total = block.make(INT64, f"mul i64 {count.text}, {work.text}")
        least = block.call(INT64, "least_work", [])
        much = block.make(BOOL, f"icmp sge i64 {total.text}, {least.text}")
        number = block.number()
        shared, alone, end = (f"{word}{number}" for word in ("shared", "alone", "done"))
        block.branch(much, shared, alone)
        block.start(shared)
        room = block.words(len(arguments) + 1)
        for place, one in enumerate(arguments):
            slot = block.make(INT64, f"getelementptr i64, ptr {room}, i64 {place}").text
            block.do(f"store {one.type.ir} {one.text}, ptr {slot}")
        function = block.make(INT64, f"ptrtoint ptr @{symbol}_of to i64")
        given = block.make(INT64, f"ptrtoint ptr {room} to i64")
        self.functions.call(block, "run_blocks", [function, given, count, work])
        block.jump(end)
        block.start(alone)
        block.call_symbol(NOTHING, symbol, [*arguments, arithmetic.integer(0), count])
        block.jump(end)
        block.start(end)

    def _before(self, at: Value, stop: Value, step: Value) -> Value:
        """Whether a counter has not come to the end."""
        below = f"icmp slt i64 {at.text}, {stop.text}"
        above = f"icmp sgt i64 {at.text}, {stop.text}"
        known = arithmetic.constant_of(step)
        if known is not None:
            return self.block.make(BOOL, below if known > 0 else above)
        up = self.block.make(BOOL, f"icmp sgt i64 {step.text}, 0")
        return arithmetic.choose(
            self.block, up, self.block.make(BOOL, below), self.block.make(BOOL, above)
        )

    def range_of(self, node: ast.expr) -> tuple[Value, Value, Value]:
        """Where a loop starts, where it stops, and its step."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            raise TypeMismatch("a loop over something else than a range")
        bounds = [arithmetic.cast(self.block, self.expression(one), INT64) for one in node.args]
        one, none = arithmetic.integer(1), arithmetic.integer(0)
        if len(bounds) == 1:
            return none, bounds[0], one
        return bounds[0], bounds[1], bounds[2] if len(bounds) > 2 else one

    # expressions ----------------------------------------------------------------------------------
    def condition(self, node: ast.expr) -> Value:
        """An expression as a bool."""
        return arithmetic.cast(self.block, self.expression(node), BOOL)

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return _EXPRESSIONS[type(node)](self, node)

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool):
            return arithmetic.integer(int(value), BOOL)
        if isinstance(value, int):
            return arithmetic.integer(value, UINT64 if value >= 1 << 63 else INT64)
        if isinstance(value, float):
            return arithmetic.floating(value, FLOAT64)
        raise TypeMismatch(f"{value!r} in a program")

    def _binary(self, node: ast.BinOp) -> Value:
        chain = [node]  # of sums as long as the run has parts, which a recursion would not reach
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        made = self.expression(chain[-1].left)
        for one in reversed(chain):
            made = self._operated(one, made, self.expression(one.right))
        return made

    def _operated(self, node: ast.BinOp, left: Value, right: Value) -> Value:
        made = arithmetic.binary(self.block, type(node.op).__name__, left, right)
        if isinstance(node.right, ast.Call) and _is_named(node.right.func, "rounded"):
            # A place in the arena is a value by itself: LLVM's loop passes would look at the sizes
            # of all that lies before it, in time that grows with the square of their number.
            return self.block.make(made.type, f"freeze {made.type.ir} {made.text}")
        return made

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            value = self.condition(node.operand)
            return self.block.make(BOOL, f"xor i1 {value.text}, true")
        value = self.expression(node.operand)
        if isinstance(node.op, ast.USub):
            known = arithmetic.constant_of(value)
            if known is not None and arithmetic.number(value).kind == "f":
                return arithmetic.floating(-known, arithmetic.number(value))
            return arithmetic.negative(self.block, value)
        if isinstance(node.op, ast.Invert):
            return arithmetic.inverted(self.block, value)
        return value

    def _compare(self, node: ast.Compare) -> Value:
        if len(node.ops) != 1:
            raise TypeMismatch("a chain of comparisons")
        left, right = self.expression(node.left), self.expression(node.comparators[0])
        return arithmetic.compare(self.block, type(node.ops[0]).__name__, left, right)

    def _subscript(self, node: ast.Subscript) -> Value:
        buffer, index = self.expression(node.value), self.expression(node.slice)
        return self.block.load(_element(buffer), self._item(buffer, index))

    def _conditional(self, node: ast.IfExp) -> Value:
        return self._either(
            self.condition(node.test),
            lambda: self.expression(node.body),
            lambda: self.expression(node.orelse),
        )

    def _boolean(self, node: ast.BoolOp) -> Value:
        every = isinstance(node.op, ast.And)
        result = self.condition(node.values[0])
        for one in node.values[1:]:
            before = result

            def rest(one: ast.expr = one) -> Value:
                return self.condition(one)

            def answer(before: Value = before) -> Value:
                return before

            result = self._either(result, *((rest, answer) if every else (answer, rest)))
        return result

    def _either(
        self, condition: Value, left: Callable[[], Value], right: Callable[[], Value]
    ) -> Value:
        block = self.block
        number = block.number()
        then, otherwise, end = f"then{number}", f"else{number}", f"end{number}"
        block.branch(condition, then, otherwise)
        block.start(then)
        one = left()
        one_end = block.label
        mark = len(block.lines)
        block.jump(end)
        block.start(otherwise)
        other = right()
        if one.type != other.type:
            kind = wider(one.type, other.type)
            other = self.converted(other, kind)
            if one.type != kind:
                kept, block.lines = block.lines, []
                one = self.converted(one, kind)
                made, block.lines = block.lines, kept
                block.lines[mark:mark] = made
        other_end = block.label
        block.jump(end)
        block.start(end)
        return block.make(
            one.type,
            f"phi {one.type.ir} [ {one.text}, %{one_end} ], [ {other.text}, %{other_end} ]",
        )

    def _called(self, node: ast.Call) -> Value:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ""
        if isinstance(function, ast.Name):
            name = function.id
        form = self.functions.forms.get(name)
        if form is not None:
            return form(self, node)
        arguments = [self.expression(one) for one in node.args]
        meaning = self.functions.meanings.get(name)
        if meaning is not None:
            return meaning(self.block, arguments)
        value = self.functions.call(self.block, name, arguments)
        if name in EXHAUSTED and not self.within:
            self._leave_without_memory(name, value)
        return value

    def _leave_without_memory(self, name: str, value: Value) -> None:
        """Leave with a status of its own where a support function got no memory."""
        number = self.block.number()
        none = self.block.make(BOOL, f"icmp eq i64 {value.text}, {EXHAUSTED[name]}")
        self.block.branch(none, f"exhausted{number}", f"supplied{number}")
        self.block.start(f"exhausted{number}")
        # A program without memory of its own has no frame, and may keep results all the same.
        framed = name != "open_frame" and "frame" in self.types
        text = "fail(frame, status)" if framed else "status"
        left = ast.parse(f"return {text}".replace("status", str(NO_MEMORY))).body[0]
        assert isinstance(left, ast.Return)
        self._return(left)
        self.block.start(f"supplied{number}")


def _element(buffer: Value) -> Number:
    """The type of the elements of a flat buffer."""
    if not isinstance(buffer.type, Flat):
        raise TypeMismatch(f"an item of {buffer.type}")
    return buffer.type.element


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


_EXPRESSIONS: dict[type, Callable[..., Value]] = {
    ast.Name: FunctionWriter.name_of,
    ast.Constant: FunctionWriter._constant,
    ast.BinOp: FunctionWriter._binary,
    ast.UnaryOp: FunctionWriter._unary,
    ast.Compare: FunctionWriter._compare,
    ast.Subscript: FunctionWriter._subscript,
    ast.IfExp: FunctionWriter._conditional,
    ast.BoolOp: FunctionWriter._boolean,
    ast.Call: FunctionWriter._called,
}
