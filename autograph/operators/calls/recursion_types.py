"""Types of the arguments and results of a recursive function, or an error where they change."""

from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograph.control.loop import nested_in_itself, nesting
from autograph.errors import LoopTypeError, MergeError
from autograph.merge.join_specs import Own, renewed
from autograph.merge.pack import leaf_specs
from autograph.operators.calls.activation_records import FoundRecursion
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import AnySpec, Spec
from autograph.runtime.graph.ir import Value
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.description import describe
from autograph.values.references import NOT_REFERRED, FoundReferences
from autograph.values.skeleton import Choices, Group, Held, Leaf, Made, Skeleton

MOST_NESTED = 3
"""How often the tuples of a recursion may have nested deeper in one more round of tracing it, and
how many objects of a class may stand in one another before they are held by reference."""


@dataclass(frozen=True)
class CallTypes:
    """The types of a recursive function's calls, as a round of tracing it has found them."""

    function: types.FunctionType
    arguments: Sequence[Skeleton]
    result: Skeleton | None
    catches: bool
    """Whether a call may raise inside an `except` clause."""

    def known(self) -> list[Skeleton]:
        return [*self.arguments] if self.result is None else [*self.arguments, self.result]

    def unsettled(self) -> LoopTypeError:
        """The error that says what types a recursion has at its last call."""
        name = self.function.__name__
        parameters = inspect.signature(self.function, follow_wrapped=False).parameters
        if any(one.startswith("ag__consumer") for one in parameters):
            return LoopTypeError(
                f"generator '{name}' goes over itself under staged conditions, in a for statement "
                "that does more than yield the items",
                remedy="make it a function that appends what it would yield to a list it is given",
            )
        named = zip(parameters, self.arguments, strict=False)
        given = ", ".join(f"{one}: {describe(skeleton)}" for one, skeleton in named)
        gives = "nothing yet" if self.result is None else describe(self.result)
        return LoopTypeError(
            f"the arguments or the result of '{name}' have no types that stay the same "
            f"from call to call of its recursion: it takes {given} and gives {gives}",
            remedy="raise after the except clause, not inside it: there an exception keeps the "
            "one that was caught, which keeps another"
            if self.catches
            else "pass and return values of the same dtype, rank and structure; trees can be made "
            "of objects of a class, and what grows be appended to a list from outside",
        )


class Growth:
    """Tells early that tuples nest deeper from call to call: soon their types would be huge."""

    def __init__(self) -> None:
        self.depth = 0
        self.times = 0

    def look(self, types: CallTypes) -> None:
        """LoopTypeError once the types of a round nest deeper for too many times."""
        known = types.known()
        depth = max(map(nesting, known), default=0)
        self.times += depth > self.depth > 0
        self.depth = depth
        endless = self.times > MOST_NESTED
        for one in known:
            kind = nested_in_itself(one, 1 if endless else MOST_NESTED)
            if kind is not None:
                raise FoundReferences(kind, (kind,), otherwise=types.unsettled())
        if endless:
            raise types.unsettled()


def with_own_sizes(skeleton: Skeleton, own: Own, in_option: bool = False) -> Skeleton:
    """The type with sizes of their own for tensors in options: where another option is taken, what
    stands for them has no elements, whatever sizes they would have."""
    match skeleton:
        case Choices(options=options):
            return replace(skeleton, options=_with_own_sizes(options, own, True))
        case Group(items=items) | Made(items=items) | Held(items=items):
            return replace(skeleton, items=_with_own_sizes(items, own, in_option))
        case Leaf(spec=Spec() as spec) if in_option:
            shape = tuple(own.apart(size) for size in spec.shape)
            if shape != spec.shape:
                return replace(skeleton, spec=Spec(spec.dtype, shape, spec.python))
    return skeleton


def _with_own_sizes(
    skeletons: Sequence[Skeleton], own: Own, in_option: bool
) -> tuple[Skeleton, ...]:
    return tuple(with_own_sizes(one, own, in_option) for one in skeletons)


def refuse_changed_form(tracing: Tracing, types: CallTypes, given: inspect.BoundArguments) -> None:
    """What `*args` and `**kwargs` stand for has one form in all calls, but perhaps the first."""
    for one in given.signature.parameters.values():
        value = given.arguments.get(one.name)
        varies = one.kind is one.VAR_POSITIONAL and not isinstance(value, tuple)
        if one.kind is one.VAR_KEYWORD:
            varies = not isinstance(value, dict) or tracing.contents(value) is not None
        if varies and types.function.__code__ in tracing.hints.opened:
            raise types.unsettled()
        if varies:
            raise FoundRecursion(types.function.__code__, opened=True)


def result_specs(
    result: Skeleton,
    contents: Sequence[Skeleton],
    taken: Sequence[Skeleton],
    operands: Sequence[Value],
    own: Own,
) -> list[AnySpec]:
    """The specs of what one call gives: its result, and what places hold after it.

    Sizes of `own` symbols of the result are those of its operands, or new ones.
    """
    specs = [spec for one in taken for spec in leaf_specs(one)]
    sizes = {
        dim.name: size
        for spec, operand in zip(specs, operands, strict=False)
        if isinstance(spec, Spec) and isinstance(operand.spec, Spec)
        for dim, size in zip(spec.shape, operand.spec.shape, strict=True)
        if isinstance(dim, Dim) and dim.name is not None
    }
    changed = [spec for one in contents for spec in leaf_specs(one)]
    return [*renewed(leaf_specs(result), own, sizes), *renewed(changed, own, {})]


def refuse_changed_arguments(
    tracing: Tracing, function: types.FunctionType, region: Region
) -> None:
    """An argument by value is another object in each call: a change of it would be lost.

    The first call may be the one that makes it for the others: `acc = [] if acc is None else acc`.
    """
    for place, old in region.given_log.values():
        if not place.same(old, place.get()):
            if function.__code__ not in tracing.hints.opened:
                raise FoundRecursion(function.__code__, opened=True)
            kind = type(place.owner)
            error = MergeError(
                f"'{function.__name__}', which calls itself, changes "
                f"{with_article(kind.__name__)} that it is given, or puts it into a container, "
                "and which is another one in each call",
                remedy="return the new value, or change one that all calls share",
            )
            if issubclass(kind, NOT_REFERRED):
                raise error
            raise FoundReferences(kind, (kind,), otherwise=error)
