"""A program, spread over lanes: the text of a program → the text of one kernel for a whole grid.

All lanes of the grid run the same statements on the same scalars, so that `while` and `if` need no
host and no message: each lane knows the way. What differs is who touches memory:

- A loop whose turns are independent is dealt out: `for i in range(lane(), n, lanes())`.
- A loop that gathers (a sum, a largest element) is dealt out, too; `gathered` puts together what
  the lanes have.
- A loop over rows whose turns are long is dealt out to teams of lanes: each goes through a row
  together, as the grid goes through the program (`teams`).
- All else that writes, and what keeps books of memory, the first lane does: `if first(): ...`, or
  `by_one(...)`, whose value all lanes get.
- `wait()` stands wherever a lane may touch what another one has touched since the last `wait()`.

The text is in the language of programs, with these names more. `kernels.cuda.emulator` runs it in
CPython, `kernels.cuda.module` makes PTX of it.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Sequence

from autograph.kernels.codegen.kernel import nodes_of
from autograph.kernels.cuda.accesses import (
    LEFT,
    OF_ALL,
    Access,
    Pending,
    Pointers,
    accesses_of,
    called,
    called_in,
    conflict,
    is_books,
    is_library,
)
from autograph.kernels.cuda.loops import (
    APART,
    GATHER,
    gathering,
    inner_apart,
    is_of_products,
    is_test,
    leaves,
    plain_text,
    range_name,
    renamed,
    returns,
)
from autograph.kernels.cuda.teams import GRID, Level, row_length, team_of
from autograph.kernels.scalar import source

STEP = "    "
SPREAD = "spread_"
"""The beginning of the names of library functions that all lanes call together."""
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitOr: "|", ast.BitAnd: "&"}


class NotSpread(Exception):
    """A program that is not run on a GPU; the message says what it does that has no such code."""


def spread(text: str) -> str:
    """The text of the kernel of a program. NotSpread where it does what only the CPU has."""
    tree = ast.parse(text)
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    names = frozenset(one.name for one in functions)
    comments = _comments(text)
    library: dict[str, None] = {}
    parts: list[str] = []
    for one in functions:
        writer = _Spreading(one, names, comments)
        parts.append(writer.text())
        library.update(writer.library)
    return "\n\n\n".join([*_library(library), *parts]) + "\n"


def _comments(text: str) -> dict[int, str]:
    """The lines that are comments, by their numbers."""
    lines = enumerate(text.splitlines(), 1)
    return {number: line.strip() for number, line in lines if line.lstrip().startswith("#")}


def _library(names: Iterable[str]) -> list[str]:
    """Library functions that all lanes call together, each after those that it calls."""
    made: dict[str, str] = {}

    def make(name: str) -> None:
        if name not in made:
            text, uses = _spread_function(name)
            for one in uses:
                make(one)
            made[name] = text

    for name in names:
        make(name)
    return list(made.values())


@functools.cache
def definition_of(name: str) -> ast.FunctionDef:
    """A library function, as it is on a GPU."""
    from autograph.kernels.cuda import products

    text = products.TEXTS.get(name) or source.definitions()[name].block
    made = ast.parse(text).body[0]
    assert isinstance(made, ast.FunctionDef)
    return made


@functools.cache
def _is_dealt_out(name: str) -> bool:
    """Whether a library function has loops that are dealt out to the lanes."""
    return any(
        isinstance(one, ast.For) and range_name(one) in APART
        for one in nodes_of(definition_of(name))
    )


@functools.cache
def _spread_function(name: str) -> tuple[str, tuple[str, ...]]:
    definition = definition_of(name)
    writer = _Spreading(definition, frozenset(), {}, SPREAD + name)
    return writer.text(), tuple(writer.library)


class _Spreading:
    """Writes one function."""

    def __init__(
        self,
        definition: ast.FunctionDef,
        functions: frozenset[str],
        comments: dict[int, str],
        name: str = "",
    ) -> None:
        self.definition = definition
        self.functions = functions
        self.comments = comments
        self.name = name or definition.name
        self.is_library = bool(name)
        self.lines: list[str] = []
        self.depth = 1
        self.pending = Pending()
        self.level: Level = GRID
        self.library: dict[str, None] = {}
        self.pointers = Pointers(definition)
        self.loads = [
            one.id
            for one in nodes_of(definition)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
        ]
        self._said: set[int] = set()
        self._line = definition.lineno
        self._leaving: list[tuple[Pending, Pending]] = []

    def text(self) -> str:
        """The whole function."""
        parameters = ", ".join(one.arg for one in self.definition.args.args)
        self._body(_without_docstring(self.definition.body))
        if not isinstance(self.definition.body[-1], ast.Return):
            self._flush()
        return "\n".join([f"def {self.name}({parameters}):", *self.lines])

    # writing --------------------------------------------------------------------------------------
    def _say(self, text: str) -> None:
        self.lines += [STEP * self.depth + line for line in text.splitlines()]

    def _remarks(self, line: int) -> None:
        """The comments that stand before a line."""
        for number in range(self._line, line):
            if number in self.comments and number not in self._said:
                self._said.add(number)
                self._say(self.comments[number])
        self._line = max(self._line, line)

    def _wait(self) -> None:
        self._say(self.level.wait)
        self.pending.clear()

    def _touch(self, reads: set[Access], writes: set[Access], note: bool = True) -> None:
        """Wait, where what comes touches what another lane may have touched; then note it."""
        if conflict(self.pending.reads, self.pending.writes, reads, writes):
            self._wait()
        if note:
            self.pending.reads |= reads
            self.pending.writes |= writes

    def _flush(self) -> None:
        """Before a function is left, or another one called: the others' business is done."""
        rest = self.pending.reads | self.pending.writes
        if self.is_library or any(access.by_all for access in rest):
            self._wait()

    def _body(self, body: Sequence[ast.stmt]) -> None:
        place = 0
        while place < len(body):
            count = self._stores(body[place:])
            if count:
                self._first_stores(body[place : place + count])
                place += count
                continue
            self._remarks(body[place].lineno)
            self._statement(body[place])
            place += 1

    # statements -----------------------------------------------------------------------------------
    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            self._assign(node)
        elif isinstance(node, ast.Expr):
            self._execute(node)
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.While):
            self._while(node)
        elif isinstance(node, ast.For):
            self._for(node)
        elif isinstance(node, ast.Return):
            self._return(node)
        else:
            if isinstance(node, ast.Break):
                self._leaving[-1][1].join(self.pending)
            elif isinstance(node, ast.Continue):
                self._leaving[-1][0].join(self.pending)
            self._say(ast.unparse(node))

    def _stores(self, body: Sequence[ast.stmt]) -> int:
        """How many statements from here on store into memory, of those that the first lane runs."""
        count = 0
        for one in body:
            if not isinstance(one, ast.Assign) or not isinstance(one.targets[0], ast.Subscript):
                break
            if any(is_books(name) or is_library(name) for name in called_in(one)):
                break
            count += 1
        return count

    def _first_stores(self, body: Sequence[ast.stmt]) -> None:
        reads: set[Access] = set()
        writes: set[Access] = set()
        for one in body:
            found = accesses_of(one, self.pointers, by_all=False)
            reads |= found[0]
            writes |= found[1]
        self._remarks(body[0].lineno)
        self._touch(reads, writes)
        self._by_first(body)

    def _by_first(self, body: Sequence[ast.stmt]) -> None:
        self._say(f"if {self.level.first}:")
        self.depth += 1
        for one in body:
            self._remarks(one.lineno)
            self._say(ast.unparse(one))
        self.depth -= 1

    def _assign(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> None:
        assert node.value is not None
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Subscript):
            raise NotSpread(f"{ast.unparse(node)!r}: a store of what functions find, on a GPU")
        text = self._value(node.value)
        sign = "=" if not isinstance(node, ast.AugAssign) else f"{_SIGNS[type(node.op)]}="
        self._say(f"{ast.unparse(target)} {sign} {text}")
        if any(name in self.functions for name in called_in(node.value)):
            self.pending.writes |= LEFT

    def _value(self, node: ast.expr) -> str:
        """The text of an expression that has the same value in all lanes, after what it needs."""
        names = called_in(node)
        if any(name in self.functions for name in names):
            self._flush()
            self.pending.clear()
            return ast.unparse(node)
        together = [name for name in names if self._is_together(name)]
        if together:
            self._touch(*accesses_of(node, self.pointers, by_all=True), note=False)
            self.pending.clear()
            self.library.update(dict.fromkeys(together))
            return renamed(node, {name: SPREAD + name for name in together})
        if any(is_books(one, changes=True) or is_library(one) for one in names):
            return self._by_one(node)
        self._touch(*accesses_of(node, self.pointers, by_all=True))
        return ast.unparse(node)

    def _by_one(self, node: ast.expr) -> str:
        """A value that the first lane finds, and says to all."""
        if isinstance(node, ast.BoolOp) and len(node.values) == 2:
            left, right = node.values
            if not any(is_books(one, changes=True) or is_library(one) for one in called_in(left)):
                self._touch(*accesses_of(node, self.pointers, by_all=False))
                word = "and" if isinstance(node.op, ast.And) else "or"
                return f"{ast.unparse(left)} {word} by_one({ast.unparse(right)})"
        self._touch(*accesses_of(node, self.pointers, by_all=False), note=False)
        self.pending.clear()
        return f"by_one({ast.unparse(node)})"

    def _is_together(self, name: str) -> bool:
        return is_library(name) and _is_dealt_out(name)

    def _execute(self, node: ast.Expr) -> None:
        call = node.value
        name = called(call)
        if name is None:
            return
        if self._is_together(name) or name in self.functions:
            self._say(self._value(call))
            if name in self.functions:
                self.pending.writes |= LEFT
        elif name in ("copy_bytes", "clear_bytes"):
            self._touch(*accesses_of(node, self.pointers, by_all=True))
            self._say(renamed(call, {name: f"{name}_together"}))
        else:
            self._touch(*accesses_of(node, self.pointers, by_all=False))
            self._by_first([node])
            if name == "mark_stack":
                self._wait()

    def _return(self, node: ast.Return) -> None:
        value = node.value
        name = called(value) if value is not None else None
        if name == "fail":
            assert isinstance(value, ast.Call)
            self._flush()
            self._by_first([ast.copy_location(ast.Expr(value), value)])
            node = ast.Return(value.args[1])
        else:
            if value is not None:
                reads, writes = accesses_of(node, self.pointers, by_all=True)
                self._touch(reads, writes)
            self._flush()
        self._say(ast.unparse(node))
        self.pending.clear()

    # control flow ---------------------------------------------------------------------------------
    def _if(self, node: ast.If) -> None:
        branches = [(node.test, node.body)]
        rest = node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            if self._needs_more(rest[0].test):
                break
            branches.append((rest[0].test, rest[0].body))
            rest = rest[0].orelse
        texts = [self._value(test) for test, _ in branches]
        after = Pending()
        before = self.pending
        word = "if"
        for text, (_, body) in zip(texts, branches, strict=True):
            self._say(f"{word} {text}:")
            self._branch(body, before, after)
            word = "elif"
        if rest:
            self._say("else:")
            self._branch(rest, before, after)
        else:
            after.join(before)
        self.pending = after

    def _needs_more(self, test: ast.expr) -> bool:
        """Whether something must be done before a condition can be looked at."""
        names = called_in(test)
        if any(is_books(one, changes=True) or is_library(one) for one in names):
            return True
        if any(one in self.functions for one in names):
            return True
        found = accesses_of(test, self.pointers, by_all=True)
        return conflict(self.pending.reads, self.pending.writes, *found)

    def _branch(self, body: Sequence[ast.stmt], before: Pending, after: Pending) -> None:
        self.pending = before.copy()
        self.depth += 1
        self._body(body)
        self.depth -= 1
        if not isinstance(body[-1], ast.Return | ast.Break | ast.Continue):
            after.join(self.pending)

    def _while(self, node: ast.While) -> None:
        self._turns(node, lambda: f"while {self._value(node.test)}:")

    def _turns(self, node: ast.While | ast.For, head: Callable[[], str]) -> None:
        """A loop that all lanes go through together: until what it leaves is what it finds."""
        entry = self.pending.copy()
        while True:
            kept = len(self.lines), set(self._said), self._line, dict(self.library)
            self.pending = entry.copy()
            self._say(head())
            ends = (Pending(), self.pending.copy())
            self._leaving.append(ends)
            self.depth += 1
            self._body(node.body)
            if isinstance(node, ast.While):
                mark = len(self.lines)
                self._value(node.test)
                assert all("wait()" in one for one in self.lines[mark:])
            self.depth -= 1
            self._leaving.pop()
            end = self.pending
            if not leaves(node.body):
                end.join(ends[0])
            else:
                end = ends[0]
            if not entry.join(end):
                break
            del self.lines[kept[0] :]
            self._said, self._line, self.library = kept[1], kept[2], kept[3]
        self.pending = ends[1]
        self.pending.join(entry)

    def _for(self, node: ast.For) -> None:
        name = range_name(node)
        if name in APART and is_of_products(node):
            self._touch(*accesses_of(node, self.pointers, by_all=True))
            self._products(node)
        elif name in APART and is_test(node) and not self._given(node):
            self._tested(node)
        elif name in APART and not returns(node) and not self._given(node):
            self._touch(*accesses_of(node, self.pointers, by_all=True))
            length = row_length(node, self._given, self.functions)
            if length is None:
                self._dealt_out(node)
            else:
                self._by_teams(node, length)
        elif name == GATHER and self._gather(node):
            return
        elif self._is_owned(node):
            self._touch(*accesses_of(node, self.pointers, by_all=True))
            self._owned(node)
        elif self._goes_together(node):
            self._touch(*accesses_of(node.iter, self.pointers, by_all=True))
            self._turns(node, lambda: f"for {ast.unparse(node.target)} in {plain_text(node.iter)}:")
        else:
            self._serial(node)

    def _goes_together(self, node: ast.For) -> bool:
        """Whether a loop has what all lanes take part in, or leaves the function."""
        for one in nodes_of(node):
            if isinstance(one, ast.Return):
                return True
            if isinstance(one, ast.For) and one is not node:
                if range_name(one) in (*APART, GATHER):
                    return True
            name = called(one)
            if name is not None:
                if name in self.functions or name in OF_ALL:
                    return True
                if self._is_together(name):
                    return True
        return False

    def _is_owned(self, node: ast.For) -> bool:
        """Whether each lane can go through a loop by itself, since an inner one deals out all that
        is written."""
        inner = inner_apart(node.body)
        if inner is None or self._given(node):
            return False
        stores = [
            one
            for one in nodes_of(node)
            if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)
        ]
        within = {id(one) for one in nodes_of(inner)}
        return all(id(one) in within for one in stores) and not any(
            one in self.functions or is_books(one) or self._is_together(one) or one in OF_ALL
            for one in called_in(node)
        )

    def _owned(self, node: ast.For) -> None:
        self._say(f"for {ast.unparse(node.target)} in {plain_text(node.iter)}:")
        self.depth += 1
        for one in node.body:
            self._remarks(one.lineno)
            if isinstance(one, ast.For) and range_name(one) in APART:
                self._dealt_out(one)
            elif isinstance(one, ast.For) and inner_apart(one.body) is not None:
                self._owned(one)
            else:
                self._say(plain_text(one))
        self.depth -= 1

    def _dealt_out(self, node: ast.For) -> None:
        """A loop of which each lane has its turns."""
        assert isinstance(node.iter, ast.Call)
        count = ast.unparse(node.iter.args[0])
        part = f"range({self.level.lane}, {count}, {self.level.lanes})"
        self._say(f"for {ast.unparse(node.target)} in {part}:")
        self._as_it_stands(node.body)

    def _as_it_stands(self, body: Sequence[ast.stmt]) -> None:
        self.depth += 1
        for one in body:
            self._remarks(one.lineno)
            self._say(plain_text(one))
        self.depth -= 1

    def _by_teams(self, node: ast.For, length: str) -> None:
        """A loop over rows of which each team of lanes has its turns."""
        assert isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
        turn, count = node.target.id, ast.unparse(node.iter.args[0])
        width, member = f"team_{turn}", f"member_{turn}"
        self._say(f"{width} = team_for({length})")
        self._say(f"{member} = lane() & ({width} - 1)")
        self._say(f"for {turn} in range(lane() // {width}, {count}, lanes() // {width}):")
        outer = self.level, self.pending
        self.level, self.pending = team_of(width, member), Pending()
        self.depth += 1
        self._body(node.body)
        self.depth -= 1
        self.level, self.pending = outer

    def _tested(self, node: ast.For) -> None:
        """A loop that leaves the function at the first turn for which a test holds: each lane looks
        through its own; the first of all that fail is gone through once more, by all."""
        self._touch(*accesses_of(node, self.pointers, by_all=True))
        assert isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
        turn, count = node.target.id, ast.unparse(node.iter.args[0])
        failed = f"failed_{turn}"
        self._say(f"{failed} = {count}")
        self._say(f"for {turn} in range(lane(), {count}, lanes()):")
        self.depth += 1
        for one in node.body:
            if isinstance(one, ast.If):
                self._say(f"if {ast.unparse(one.test)}:\n    {failed} = {turn}\n    break")
            else:
                self._say(ast.unparse(one))
        self.depth -= 1
        self._say(f"{failed} = gathered({failed}, 'min')")
        self.pending.clear()
        self._say(f"if {failed} < {count}:")
        self.depth += 1
        self._say(f"{turn} = {failed}")
        place = next(k for k, one in enumerate(node.body) if isinstance(one, ast.If))
        self._body(node.body[: place + 1])
        self.depth -= 1
        self.pending.clear()

    def _products(self, node: ast.For) -> None:
        """Products of a batch: all lanes go through it, and have elements of each."""
        assert isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
        count = ast.unparse(node.iter.args[0])
        self._say(f"for {node.target.id} in range({count}):")
        *before, last = node.body
        self._as_it_stands(before)
        self.depth += 1
        assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
        given = ", ".join(map(ast.unparse, last.value.args))
        self._say(f"multiply_in_turn({given}, {node.target.id})")
        self.depth -= 1

    def _given(self, node: ast.For) -> list[str]:
        """The variables of a loop that are read after it."""
        nodes = nodes_of(node)
        inside = [
            one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
        ]
        assigned = dict.fromkeys(
            one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        )
        return [one for one in assigned if self.loads.count(one) > inside.count(one)]

    def _gather(self, node: ast.For) -> bool:
        """A loop that gathers: dealt out, and put together. False where it is not of that form."""
        kinds: dict[str, str] = {}
        for name in self._given(node):
            kind = gathering(node, name)
            if kind is None:
                return False
            kinds[name] = kind
        self._touch(*accesses_of(node, self.pointers, by_all=True))
        self._dealt_out(node)
        for name, kind in kinds.items():
            self._say(f"{name} = {self.level.gathered(name, kind)}")
        if kinds:
            self.pending.clear()
        return True

    def _serial(self, node: ast.For) -> None:
        """A loop that is not cut: of all lanes where it writes nothing, else of the first."""
        reads, writes = accesses_of(node, self.pointers, by_all=True)
        if not writes:
            self._touch(reads, writes)
            self._say(f"for {ast.unparse(node.target)} in {plain_text(node.iter)}:")
            self._as_it_stands(node.body)
            return
        reads, writes = accesses_of(node, self.pointers, by_all=False)
        self._touch(reads, writes)
        self._by_first([node])
        for name in self._given(node):
            self._say(f"{name} = by_one({name})")
            self.pending.clear()


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    has = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if has else body
