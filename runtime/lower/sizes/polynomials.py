"""Sizes in a program: polynomials over names of its local variables.

A size that is known before the run is a *parameter* of the program by position: the text says `n0`
whatever the number, so that another batch size has the same text. Sizes that some op needs to be
equal become one name. The number 1 of a new axis (`expand_dims`, `keepdims`) is the int 1, and
tells an axis that broadcasts; a 1 that came with an input is a parameter like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autograph.runtime.core.dims import Dim, DimLike, Shape, order_of
from autograph.runtime.core.spec import AnySpec, Spec
from autograph.runtime.lower.storage.forms import Sizes


@dataclass(frozen=True, slots=True)
class Derived:
    """A number computed before the run from sizes: `rule(*sizes)`."""

    rule: Callable[..., int]
    sizes: tuple[DimLike, ...]


Attempt = tuple[dict[str, DimLike], dict[str, DimLike], int]

Source = int | Dim | Derived
"""Of a parameter: its value, the polynomial over the symbols of the inputs that gives it, or a
rule over other parameters."""


class SizeTable:
    """All sizes of one program.

    An `optimistic` table takes two sizes that some op needs to be equal to be so, and notes it in
    `assumptions`: they are tested before each run, and where one fails another program runs.
    """

    def __init__(self, optimistic: bool = False) -> None:
        self.optimistic = optimistic
        self.assumptions: list[tuple[DimLike, DimLike]] = []
        self.sources: dict[str, Source] = {}
        """The parameters, by their names."""
        self.symbols: dict[str, DimLike] = {}
        """What the symbols of the graph's specs are here."""
        self.bound: set[str] = set()
        """The symbols that the shapes of the inputs determine."""
        self._same: dict[str, DimLike] = {}
        self._count = 0

    # names ------------------------------------------------------------------------------------
    def parameter(self, source: Source) -> DimLike:
        """A new parameter."""
        name = self.local()
        self.sources[name] = source
        return Dim.symbol(name)

    def derived(self, rule: Callable[..., int], *sizes: DimLike) -> DimLike:
        """A parameter computed from sizes that are known before the run."""
        values = [self.value(size) for size in sizes]
        if all(value is not None for value in values):
            return self.parameter(rule(*values))
        return self.parameter(Derived(rule, sizes))

    def local(self) -> str:
        """The name of a variable for a size found at run time."""
        self._count += 1
        # as many digits for all: products name the older size first
        return f"n{self._count - 1:05d}"

    def of_input(self, dim: DimLike) -> DimLike:
        """The size of an axis of an input of the program."""
        if isinstance(dim, int):
            return self.parameter(dim)
        if dim.name is not None:
            self.bound.add(dim.name)
            if dim.name not in self.symbols:
                self.symbols[dim.name] = self.parameter(dim)
            return self.symbols[dim.name]
        for name in sorted(dim.symbols - self.symbols.keys(), key=order_of):
            self.of_input(Dim.symbol(name))
        return self.of_dim(dim)

    def of_dim(self, dim: DimLike) -> DimLike:
        """A size that a spec gives. KeyError where it has a symbol that nothing defined."""
        if isinstance(dim, int):
            return self.parameter(dim)
        total: DimLike = 0
        for key, factor in dim.terms.items():
            term: DimLike = factor
            for name in key:
                term = term * self.symbols[name]
            total = total + term
        return self.resolve(total)

    def define(self, dims: Shape, sizes: Sequence[DimLike]) -> None:
        """Note what the symbols of a spec are, where it is a plain symbol."""
        for dim, size in zip(dims, sizes, strict=True):
            if isinstance(dim, Dim) and dim.name is not None and dim.name not in self.bound:
                self.symbols[dim.name] = size

    # equality ---------------------------------------------------------------------------------
    def resolve(self, size: DimLike) -> DimLike:
        """The size with each name replaced by the one that stands for all equal ones."""
        if isinstance(size, int) or not any(name in self._same for name in size.symbols):
            return size
        total: DimLike = 0
        for key, factor in size.terms.items():
            term: DimLike = factor
            for name in key:
                term = term * self._representative(name)
            total = total + term
        return total

    def _representative(self, name: str) -> DimLike:
        found: DimLike = Dim.symbol(name)
        while isinstance(found, Dim) and found.name in self._same:
            found = self._same[found.name]
        return self.resolve(found) if isinstance(found, Dim) and found.name is None else found

    def value(self, size: DimLike) -> int | None:
        """The number, where it is known now."""
        if isinstance(size, int):
            return size
        values: dict[str, int] = {}
        for name in size.symbols:
            source = self.sources.get(name)
            if not isinstance(source, int):
                return None
            values[name] = source
        return size.substitute(values)

    def is_early(self, size: DimLike) -> bool:
        """Whether it is known at the start of the run."""
        return isinstance(size, int) or all(name in self.sources for name in size.symbols)

    def unify(self, one: DimLike, other: DimLike) -> bool:
        """Make two sizes one, if that is known to hold; else False: check it at run time."""
        one, other = self.resolve(one), self.resolve(other)
        if one == other:
            return True
        value, other_value = self.value(one), self.value(other)
        if value is None or other_value is None:
            if not self._may_assume(one, other):
                return False
            self.assumptions.append((one, other))
        elif value != other_value:
            return False
        for keep, drop in ((one, other), (other, one)):
            if isinstance(drop, Dim) and drop.name is not None and not _mentions(keep, drop.name):
                self._same[drop.name] = keep
                return True
        return True

    def _may_assume(self, one: DimLike, other: DimLike) -> bool:
        """Whether two sizes, one of them unknown, may be taken for one: one is a plain name.

        None is taken for 0: what has no elements stands for a value that no path has made.
        """
        if 0 in (self.value(one), self.value(other)):
            return False
        if not self.optimistic or not (self.is_early(one) and self.is_early(other)):
            return False
        return any(
            isinstance(drop, Dim) and drop.name is not None and not _mentions(keep, drop.name)
            for keep, drop in ((one, other), (other, one))
        )

    def attempt(self) -> Attempt:
        """What `undo` needs to forget what was unified and defined since."""
        return dict(self._same), dict(self.symbols), len(self.assumptions)

    def undo(self, state: Attempt) -> None:
        """Forget what was unified and defined since `attempt`."""
        self._same, self.symbols = dict(state[0]), dict(state[1])
        del self.assumptions[state[2] :]

    def broadcast(self, shapes: Sequence[Sizes]) -> tuple[Sizes, list[tuple[DimLike, DimLike]]]:
        """The sizes that shapes broadcast to, and pairs that must be equal at run time."""
        rank = max(map(len, shapes), default=0)
        result: list[DimLike] = []
        checks: list[tuple[DimLike, DimLike]] = []
        for axis in range(-rank, 0):
            sizes = [self.resolve(shape[axis]) for shape in shapes if len(shape) >= -axis]
            result.append(self._broadcast_axis(sizes, checks))
        return tuple(result), checks

    def _broadcast_axis(
        self, sizes: list[DimLike], checks: list[tuple[DimLike, DimLike]]
    ) -> DimLike:
        wide = [size for size in sizes if self.value(size) != 1]
        if not wide:
            named = [size for size in sizes if not isinstance(size, int)]
            for other in named[1:]:
                self.unify(named[0], other)
            return self.resolve(named[0]) if named else 1
        for size in wide[1:]:
            if not self.unify(wide[0], size):
                checks.append((self.resolve(wide[0]), self.resolve(size)))
        return self.resolve(wide[0])

    def stretches(self, size: DimLike, target: DimLike) -> bool:
        """Whether an axis of this size broadcasts to `target` by repeating its one element."""
        size, target = self.resolve(size), self.resolve(target)
        return size != target and self.value(size) == 1


def told(specs: Sequence[AnySpec]) -> list[AnySpec]:
    """The specs of inputs; sizes made of symbols that no input tells are symbols themselves."""
    shapes = [one.shape for one in specs if isinstance(one, Spec)]
    plain = {dim.name for shape in shapes for dim in shape if isinstance(dim, Dim)}
    own: dict[Dim, Dim] = {}

    def of(dim: DimLike) -> DimLike:
        if isinstance(dim, int) or dim.symbols <= plain:
            return dim
        return own.setdefault(dim, Dim.fresh("any"))

    return [
        Spec(one.dtype, tuple(map(of, one.shape)), one.python) if isinstance(one, Spec) else one
        for one in specs
    ]


def _mentions(size: DimLike, name: str) -> bool:
    return isinstance(size, Dim) and name in size.symbols


def text_of(size: DimLike, rename: Callable[[str], str] | None = None) -> str:
    """The size as an expression."""
    if isinstance(size, int):
        return str(size)
    parts = []
    for key, factor in size.terms.items():
        names = [rename(name) if rename else name for name in key]
        if factor != 1 or not names:
            names.insert(0, str(factor))
        parts.append(" * ".join(names))
    return " + ".join(parts)


def atom(size: DimLike) -> str:
    """The size as an operand of a product."""
    text = text_of(size)
    return f"({text})" if " " in text else text


def evaluated(sources: Mapping[str, Source], symbols: Mapping[str, int]) -> dict[str, int]:
    """The numbers of all parameters that the symbols of the inputs determine."""
    values: dict[str, int] = {}
    for name, source in sources.items():
        if isinstance(source, int):
            values[name] = source
        elif isinstance(source, Dim):
            if source.symbols <= symbols.keys():
                values[name] = source.substitute(symbols)
        elif all(isinstance(one, int) or one.symbols <= values.keys() for one in source.sizes):
            numbers = [
                one if isinstance(one, int) else one.substitute(values) for one in source.sizes
            ]
            values[name] = source.rule(*numbers)
    return values
