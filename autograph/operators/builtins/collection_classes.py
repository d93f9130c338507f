"""What calls of the built-in classes of containers make of staged values."""

from __future__ import annotations

import builtins
import sys
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.library import keyed as written
from autograph.operators.builtins.sorting import staged_sorted
from autograph.operators.calls.constructors import construct
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.calls.unconverted import call_native
from autograph.operators.calls.user_hashing import NEW, note_keys
from autograph.operators.containers import dict_and_set_methods, rows, sequences
from autograph.operators.containers.dict_and_set_methods import goes_over_staged
from autograph.operators.containers.dicts_and_sets import by_number
from autograph.operators.iterators.generator_consumers import over_items
from autograph.operators.iterators.generator_recipes import recipe_of
from autograph.operators.iterators.plain_iteration import iterate, mapping, opened
from autograph.operators.iterators.staged_iterables import (
    StagedTuple,
    has_staged_length,
    makes_rows,
)
from autograph.runtime.core.location import is_ours
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import has_chosen

Model = Callable[..., Any]
HASHED = (set, frozenset)


def _collection(kind: type) -> Model:
    def make(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        if len(args) > 1:
            return kind(*args, **kwargs)  # Python's own error
        if kind in (set, dict) and len(args) == 1 and isinstance(args[0], Iterator):
            args = (call(list, args[0]),)
        for one in args:
            contents = chosen_contents(tracing, one)
            if contents is not None:
                return with_each(tracing, one, contents, lambda: make(tracing, *args, **kwargs))
        if kind in (set, dict) and len(args) == 1:
            if has_chosen(args[0]):
                made = tracing.born(kind())
                call(made.update, *args, **kwargs)
                return made
            if goes_over_staged(tracing, args[0]):
                return _updated(tracing, kind, args[0], kwargs)
        if kind is list and len(args) == 1 and makes_rows(tracing, args[0]):
            return sequences.listed(tracing, args[0])
        if kind is tuple and len(args) == 1 and has_staged_length(tracing, args[0]):
            if isinstance(args[0], StagedTuple):
                return args[0]
            return StagedTuple(sequences.listed(tracing, args[0]))
        if kind is dict and args and special_method(type(args[0]), "keys") is not None:
            made = kind(mapping(args[0]), **kwargs)
        elif kind is dict and args:
            pairs = [tuple(iterate(pair)) for pair in iterate(args[0])]
            if goes_over_staged(tracing, pairs):
                return _updated(tracing, kind, pairs, kwargs)
            note_keys(tracing, [pair[0] for pair in pairs if pair], container=NEW)
            made = kind(pairs, **kwargs)
        else:
            items = [tuple(iterate(one)) if kind in HASHED else iterate(one) for one in args]
            if kind is set and any(goes_over_staged(tracing, one) for one in items):
                return _updated(tracing, kind, items[0], kwargs)
            if kind in HASHED:
                items = [by_number(one) for one in items]
                note_keys(tracing, *items, container=NEW)
            made = kind(*items, **kwargs)
        return made if kind in (tuple, frozenset) else tracing.born(made)

    return make


def _updated(tracing: Tracing, kind: type, items: Any, named: dict[str, Any]) -> Any:
    """A set or dict of staged contents, made empty and then given all items."""
    made = tracing.born(kind())
    rows.make_staged(tracing, made)
    dict_and_set_methods.method(tracing, made, "update", (items,), named)
    if kind is set and not isinstance(items, dict | set | frozenset | DictView):
        tracing.filled[id(made)] = rows.staged(tracing, made)
    return made


def _counter(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
    for one in args:
        if type(one) is list:
            read_contents(tracing, one)  # whose items may be NumPy's scalars
    args = tuple(call(list, one) if isinstance(one, Iterator | deque) else one for one in args)
    if len(args) > 1:
        return construct(tracing, Counter, args, kwargs)  # Python's own error
    made = tracing.born(Counter())
    if any(goes_over_staged(tracing, one) for one in args):
        dict_and_set_methods.method(tracing, made, "update", args, kwargs)
    elif args or kwargs:
        call(made.update, *args, **kwargs)
    return made


def _made_empty(kind: type, before: int) -> Model:
    """A dict of another class, made empty and then updated: what it holds may be staged."""

    def make(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        given = args[before:]
        if len(given) > 1 or not (given or kwargs):
            return construct(tracing, kind, args, kwargs)
        made = construct(tracing, kind, args[:before], {})
        call(made.update, *given, **kwargs)
        return made

    return make


def _from_keys(tracing: Tracing, keys: Any, value: Any = None) -> Any:
    return call(
        written.from_keys, tracing.born({}), dict_and_set_methods.members_of(tracing, keys), value
    )


def _over_items(kind: Any, model: Model) -> Model:
    """A model that goes over its first argument, which may be a generator."""

    def run(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        if not args or (kind is dict and special_method(type(args[0]), "keys") is not None):
            return model(tracing, *args, **kwargs)
        iterable = opened(args[0])
        if recipe_of(tracing, iterable) is None:
            return model(tracing, iterable, *args[1:], **kwargs)

        def of(items: Any) -> Any:
            if isinstance(items, list):
                return items if kind is list else call(kind, items, *args[1:], **kwargs)
            return model(tracing, items, *args[1:], **kwargs)

        return over_items(tracing, iterable, of)

    return run


def _named_tuple(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
    """`collections.namedtuple`: the class belongs to the module of the user's that makes it."""
    frame: Any = sys._getframe()
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    module = "__main__" if frame is None else frame.f_globals.get("__name__", "__main__")
    return call_native(tracing, namedtuple, args, {"module": module, **kwargs})


COLLECTION_MODELS: dict[Any, Model] = {
    builtins.list: _over_items(list, _collection(list)),
    builtins.tuple: _over_items(tuple, _collection(tuple)),
    builtins.set: _over_items(set, _collection(set)),
    builtins.frozenset: _over_items(frozenset, _collection(frozenset)),
    builtins.dict: _over_items(dict, _collection(dict)),
    builtins.sorted: _over_items(sorted, staged_sorted),
    dict.fromkeys: _over_items(dict.fromkeys, _from_keys),
    deque: _over_items(deque, sequences.made_deque),
    Counter: _over_items(Counter, _counter),
    namedtuple: _named_tuple,
    OrderedDict: _made_empty(OrderedDict, 0),
    defaultdict: _made_empty(defaultdict, 1),
}
