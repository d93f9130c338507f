"""The tensors that one freezing meets, and which of them may be one object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from autograph.runtime.core.location import pinned
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS
from autograph.tracing.sameness import OWN, as_number, is_among, same_object_flag
from autograph.tracing.tracing import Tracing
from autograph.values.skeleton import Again, Leaf, Path, in_option, is_option, kind_of
from autograph.values.thawed_objects import Conditions, where_all


class MetTensors:
    """The tensors made in a region that were met in a walk, and where they stood.

    `is_inside`: whether a tensor was made there. `taken`: the options of choices that the walk is
    in.
    """

    def __init__(self, tracing: Tracing, trace: Trace, is_inside: Callable[[Tensor], bool]) -> None:
        self.identities = tracing.identities
        self.tracing = tracing
        self.trace = trace
        self.is_inside = is_inside
        self.taken: Conditions = ()
        self.met: dict[int, tuple[Tensor, Path]] = {}
        self.stood: dict[int, list[tuple[Path, Conditions]]] = {}
        """Where each tensor stood in options of choices, and which options these are."""
        self.roots: dict[int, frozenset[int]] = {}

    def frozen(self, tensor: Tensor, path: Path, held: Value, sealed: bool) -> Leaf | Again:
        """A tensor made in the region, which stands at `path` and holds `held`."""
        leaf = Leaf(held.spec, held, sealed=sealed, paths=(path,), kind=kind_of(tensor))
        _, before = self.met.get(id(tensor), (tensor, None))
        if before is not None and surely_met(before, path):
            return Again(before, self._identified(tensor, path, leaf))
        # Where it stood in an option before, a tag tells that place: it may not be the one taken.
        leaf = self._identified(tensor, path, leaf)
        if before is None or not in_option(path):
            self.met[id(tensor)] = (tensor, path)
        if in_option(path):
            self.stood.setdefault(id(tensor), []).append((path, self.taken))
        return leaf

    def _identified(self, tensor: Tensor, path: Path, leaf: Leaf) -> Leaf:
        """The leaf, with what the tensor may be."""
        if self._may_be_another(tensor) or id(tensor) in self.met:
            same, tag = self._candidates(tensor, path)
            if same:
                own = bool(self._inner_roots(tensor))
                return replace(leaf, same=tuple(same), tag=tag, own=own)
        return leaf

    def _may_be_another(self, tensor: Tensor) -> bool:
        return bool(self.identities.of(tensor) or self.identities.followers(tensor))

    def _candidates(self, tensor: Tensor, path: Path) -> tuple[list[Tensor | Path], Value | None]:
        """The objects outside, and the ones met before, that a tensor may be; and its tag.

        Of several that it is, the tag tells outer ones first: they stay themselves in every merge;
        what stands in an option of a choice, last: it may lose its place to another option.
        """
        identity = self.identities.of(tensor)
        objects = identity.objects if identity is not None else ()
        outer = [one for one in objects if not self.is_inside(one)]
        same: list[Tensor | Path] = [*outer]
        if identity is not None and outer and not self._inner_roots(tensor):
            return same, self.trace.value_of(identity.tag)
        relatives = sorted(self._relatives(tensor, path), key=lambda each: in_option(each[1]))
        known = [place for one, stood in relatives for place in self._places(one, stood)]
        flags: list[tuple[Any, Conditions | None, bool]] = []
        with self.trace.active(), pinned():
            for place, other, conditions, stays in known:
                flag = same_object_flag(self.tracing, tensor, other)
                if flag is not False:
                    flags.append((flag, conditions, stays))
                    same.append(place)
            tag = _first_of(flags, -1 - len(outer))
            if identity is not None and outer:
                if flags or len(outer) < len(objects):
                    numbers = [self.identities.number_of(one) for one in outer]
                    tag = OPS.where(is_among(identity.tag, numbers), identity.tag, tag)
                else:
                    tag = identity.tag
            return same, self.trace.value_of(tag) if same else None

    def _places(
        self, tensor: Tensor, path: Path
    ) -> Iterator[tuple[Path, Tensor, Conditions | None, bool]]:
        """Where a tensor that was met stood: at `path`, or in each of several options.

        With what must hold for that option to be taken (None: another one is); and whether the
        place is there without it, if no merge gives it to another option: so it is where the tensor
        stood in no other place. An object that was met there may stand here again.
        """
        stood = self.stood.get(id(tensor), ())
        if not in_option(path) or not stood:
            yield path, tensor, (), True
            return
        here = {id(tag._value): number for tag, number in self.taken}
        for place, taken in stood:
            still: Conditions | None = tuple(one for one in taken if id(one[0]._value) not in here)
            if any(here.get(id(tag._value), number) != number for tag, number in taken):
                still = None
            yield place, tensor, still, len(stood) == 1

    def _relatives(self, tensor: Tensor, path: Path) -> Iterator[tuple[Tensor, Path]]:
        """Tensors met in this walk that may be the given one, and where they stood.

        Two that may only be one outer object are told to be that one, each by itself.
        """
        inner = self._inner_roots(tensor)
        for other, before in self.met.values():
            if other is tensor:
                related = not surely_met(before, path)
            else:
                related = self._may_be_another(other)
            if related and not inner.isdisjoint(self._inner_roots(other)):
                yield other, before

    def _inner_roots(self, tensor: Tensor) -> frozenset[int]:
        """The ids of the objects made in the region that a tensor may be, itself included."""
        known = self.roots.get(id(tensor))
        if known is None:
            identity = self.identities.of(tensor)
            own = (tensor,) if identity is None or identity.own else ()
            objects = (*own, *(identity.objects if identity is not None else ()))
            known = frozenset(id(one) for one in objects if self.is_inside(one))
            self.roots[id(tensor)] = known
        return known


def _first_of(flags: list[tuple[Any, Conditions | None, bool]], first: int) -> Any:
    """The tag that tells the first place whose flag holds: `first` for the first, then downwards.

    A place in an option that is not taken comes after all others.
    """
    tag: Any = OWN
    last = len(flags) == 1 or not any(stays and conditions != () for _, conditions, stays in flags)
    for only_taken in (False,) if last else (False, True):
        for number in reversed(range(len(flags))):
            flag, conditions, stays = flags[number]
            here = as_number(first - number)
            if not stays or only_taken:
                if conditions is None:
                    continue
                flag = where_all(flag, conditions)
            tag = here if flag is True else OPS.where(flag, here, tag)
    return tag


def surely_met(before: Path, path: Path) -> bool:
    """Whether on each path of the program that comes to `path` something stood at `before`."""
    last = max((n for n, part in enumerate(before) if is_option(part)), default=-1)
    return before[: last + 1] == path[: last + 1]
