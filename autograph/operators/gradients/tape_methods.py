"""Methods of tapes: what they are given is read, and made, as by users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from autograph.control.branch import switch
from autograph.control.raising import is_attempted
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.unconverted import call_native, first_choice, replaced
from autograph.operators.expressions.attributes import attr
from autograph.operators.expressions.truth import as_value, choose
from autograph.operators.gradients.chosen_tapes import Asked, tell_apart, with_aliases
from autograph.operators.gradients.chosen_targets import asked_of_each, is_chosen, is_chosen_source
from autograph.operators.gradients.container_sources import require_single
from autograph.operators.statements.uncaught import may_be_caught
from autograph.operators.strings.formatting import joined, text_of
from autograph.runtime.autodiff.recording.recorder import Recorder
from autograph.runtime.autodiff.recording.sources import Reading, is_object, taken_apart
from autograph.runtime.autodiff.recording.tape import GradientTape, spent
from autograph.runtime.control.records import CUSTOM_GRADIENT
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.places import AttributePlace
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

Model = Callable[..., Any]

WATCHES = "a tape watches tensors, not"


class StagedReading(Reading):
    """Reads with a log."""

    def __init__(self, tracing: Tracing) -> None:
        self.tracing = tracing

    def contents(self, container: Any) -> Any:
        """See Reading.contents."""
        if isinstance(container, list | dict):
            if self.tracing.contents(container) is not None:
                raise StateError(
                    f"a tape is given {with_article(type(container).__name__)} of staged length",
                    remedy="add its items up, or stack them: ag.stack(items); ask for the gradient "
                    "with respect to that",
                )
            read_contents(self.tracing, container)
        return container

    def attribute(self, owner: Any, name: str) -> Any:
        """See Reading.attribute."""
        return attr(owner, name)

    def counted(self, item: Any) -> Any:
        """See Reading.counted; of one that is one of several, each is or is not."""
        if not isinstance(item, Choice):
            return super().counted(item)
        options = [
            one if _is_nest(one) else super(StagedReading, self).counted(one)
            for one in item.options
        ]
        return Choice(item.tag, tuple(options)) if any(one is not None for one in options) else None

    def variables(self, module: Any) -> Mapping[str, Any]:
        """See Reading.variables."""
        named: Mapping[str, Any] = call(type(module).named_variables, module)
        return named

    def made(self, item: Any) -> Any:
        """See Reading.made."""
        return self.tracing.born(item)


def _is_nest(item: Any) -> bool:
    return isinstance(item, list | tuple | dict) or is_object(item)


def _holds_objects(item: Any) -> bool:
    if isinstance(item, list | tuple):
        return any(map(_holds_objects, item))
    if isinstance(item, dict):
        return any(map(_holds_objects, item.values()))
    return is_object(item)


def _refuse_numbers(leaves: Iterable[Any], words: str) -> None:
    """TypeError, as eagerly, for Python numbers, whose values the run tells."""
    for one in leaves:
        if isinstance(one, Number):
            raise TypeError(joined(f"{words} {one.kind.__name__} ", text_of(one, True)))


def _watch(tracing: Tracing, tape: Any, tensors: Any) -> None:
    if not isinstance(tape, Recorder):
        call_native(tracing, Recorder.watch, (tape, tensors), {})
        return
    leaves = _watched(tracing, tensors)
    _refuse_numbers(leaves, WATCHES)
    everything = tuple(with_aliases(tracing, tape, leaves))
    call_native(tracing, Recorder.watch, (tape, everything), {})


def _watched(tracing: Tracing, tensors: Any) -> list[Any]:
    """The leaves of what a tape is to watch.

    Of several tensors or lists it watches all: a branch could not, since what is watched in it is
    watched on one path only. TypeError where the run chose one that is no tensor.
    """
    found: list[Any] = []
    leaves = [tensors] if isinstance(tensors, Choice) else None
    for one in leaves or taken_apart(tensors, StagedReading(tracing))[0]:
        if not isinstance(one, Choice):
            found.append(one)
            continue
        skipped = (UNSET,) if leaves else (UNSET, None)  # in a container None stays None
        parts = [
            [] if any(each is no for no in skipped) else _watched(tracing, each)
            for each in one.options
        ]
        if not all(isinstance(part, Tensor) for some in parts for part in some):
            index = tracing.region.trace.lift(one.tag._value)
            switch(tracing, index, [partial(_require_tensors, some) for some in parts])
        found += [part for some in parts for part in some if isinstance(part, Tensor)]
    return found


def _require_tensors(leaves: list[Any]) -> None:
    _refuse_numbers(leaves, WATCHES)
    for one in leaves:
        if not isinstance(one, Tensor):
            raise TypeError(f"{WATCHES} {type(one).__name__} {one!r}")


def _require_quiet(tracing: Tracing, tape: Any) -> None:
    """StateError in a `try` for gradient functions of the user's that may raise: out of a graph
    that no handler sees."""
    if not isinstance(tape, Recorder) or not is_attempted(tracing):
        return
    for node in tape._nodes:
        inside = (inner for graph in node.graphs for inner in graph.nodes)
        if node.op is CUSTOM_GRADIENT and any(map(may_be_caught, inside)):
            raise StateError(
                "a gradient is asked inside a `try` of a function whose own gradient may raise",
                remedy="look at the values before the gradient is asked, instead of raising in it",
            )


def _once(tracing: Tracing, tape: Any, ask: Callable[[], Any]) -> Any:
    """Ask a tape that gives gradients once: whether it did is state, as other attributes are."""
    if not isinstance(tape, Recorder) or tape._trace is None or tape._persistent:
        return ask()
    place = AttributePlace(tape, "_used")
    used = place.get()
    if used is True:
        return ask()  # which says so
    tracing.touch(place)

    def first() -> Any:
        tracing.touch(place)
        place.set(False)
        tape._used_in.clear()  # whether it was used is known here, also of branches
        found = ask()
        if tape._trace is tracing.region.trace and not tracing.attempts:
            trace = tracing.region.trace  # nothing more can be asked of it
            trace.stopped = tuple(one for one in trace.stopped if one is not tape)
        return found

    def again() -> Any:
        raise spent()

    if used is False:
        return first()
    return switch(tracing, as_value(tracing, used), [first, again])


def _asking(method: Any) -> Model:
    """A method that gives gradients of sources, its second argument."""

    def ask(
        tracing: Tracing, tape: Any, target: Any, sources: Any, *args: Any, **named: Any
    ) -> Any:
        leaves, rebuild = taken_apart(sources, StagedReading(tracing))

        def ask_with(known: list[Any]) -> Any:
            return ask_targets(tracing, tape, target, tracing.born(known), *args, **named)

        chosen = first_choice(leaves) if isinstance(tape, Recorder) else None
        apart = method is GradientTape.gradient and chosen is not None and chosen is not sources
        if apart and any(map(_is_of_tensors, leaves)):

            def ask_all(known: list[Any]) -> Any:
                return ask(tracing, tape, target, known, *args, **named)

            return rebuild(iter(_of_options(tracing, leaves, ask_all)))
        if chosen is not None:

            def ask_of(option: Any) -> Any:
                known = replaced(leaves, chosen, option)
                return ask(tracing, tape, target, known, *args, **named)

            return rebuild(iter(choose(tracing, chosen, ask_of)))
        if any(is_chosen_source(tracing, tape, one) for one in leaves):
            return rebuild(iter(asked_of_each(tracing, tape, leaves, ask_with, is_chosen_source)))
        return ask_targets(tracing, tape, target, sources, *args, **named)

    def ask_targets(
        tracing: Tracing, tape: Any, target: Any, sources: Any, *args: Any, **named: Any
    ) -> Any:
        targets = taken_apart(target, StagedReading(tracing))[0]
        if not any(is_chosen(tracing, tape, one) for one in targets):
            return once(tracing, tape, target, sources, *args, **named)
        if method is GradientTape.gradient:
            args, named = _flat_seeds(tracing, args, named)

        def ask_for(known: list[Any]) -> Any:
            one = tracing.born(known) if method is GradientTape.gradient else known[0]
            return once(tracing, tape, one, sources, *args, **named)

        return asked_of_each(tracing, tape, targets, ask_for, is_chosen)

    def once(tracing: Tracing, tape: Any, *args: Any, **named: Any) -> Any:
        return _once(tracing, tape, lambda: ask_one(tracing, tape, *args, **named))

    def ask_one(
        tracing: Tracing, tape: Any, target: Any, sources: Any, *args: Any, **named: Any
    ) -> Any:
        leaves, rebuild = taken_apart(sources, StagedReading(tracing))
        _require_quiet(tracing, tape)
        targets = taken_apart(target, StagedReading(tracing))[0]
        _refuse_numbers(targets, "the target of the gradient must be a tensor, not")
        _refuse_numbers(leaves, "the source of the gradient must be a tensor, not")
        require_single(tracing, tape, targets, leaves)
        tell_apart(tracing, leaves)
        watched = tracing.watched.get(id(tape)) or any(map(tracing.identities.of, leaves))
        if not _holds_objects(sources) and not watched:
            return call_native(tracing, method, (tape, target, sources, *args), named)
        asked = Asked(tracing, tape, leaves)
        given = (tape, target, tracing.born_within(asked.everything), *args)
        return rebuild(iter(asked.answers(call_native(tracing, method, given, named))))

    return ask


def _is_of_tensors(leaf: Any) -> bool:
    """Whether a source in a container is one of several tensors, or None on a path."""
    return isinstance(leaf, Choice) and all(
        one is None or (isinstance(one, Tensor) and one.dtype.kind == "f") for one in leaf.options
    )


def _of_options(
    tracing: Tracing, leaves: list[Any], ask: Callable[[list[Any]], list[Any]]
) -> list[Any]:
    """The gradients of sources of which some are one of several tensors: each of those has its own
    gradient. So many sources are not as many graphs as they have combinations."""
    several = [one.options if _is_of_tensors(one) else (one,) for one in leaves]
    found = iter(ask([one for options in several for one in options]))
    gradients = [tuple(next(found) for _ in options) for options in several]
    return [
        choose(tracing, Choice(leaf.tag, own), lambda one: one) if _is_of_tensors(leaf) else own[0]
        for leaf, own in zip(leaves, gradients, strict=True)
    ]


def _flat_seeds(
    tracing: Tracing, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with the output gradients in one list, as the targets are."""
    reading = StagedReading(tracing)
    if args and args[0] is not None:
        return (taken_apart(args[0], reading)[0], *args[1:]), named
    if named.get("output_gradients") is not None:
        seeds = taken_apart(named["output_gradients"], reading, none_is_leaf=True)[0]
        return args, {**named, "output_gradients": seeds}
    return args, named


def _watched_variables(tracing: Tracing, tape: Any) -> Any:
    tracing.trace.differentiated = True  # which are trainable decides it, as it does gradients
    return call_native(tracing, Recorder.watched_variables, (tape,), {})


TAPE_MODELS: dict[Any, Model] = {
    Recorder.watch: _watch,
    Recorder.watched_variables: _watched_variables,
    **{
        method: _asking(method)
        for method in (GradientTape.gradient, GradientTape.jacobian, GradientTape.batch_jacobian)
    },
}
