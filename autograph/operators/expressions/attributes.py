"""Attributes: reads become guards and inputs, writes are logged."""

from __future__ import annotations

import functools
import threading
import types
from typing import Any

import numpy as np

from autograph.control.chosen_contents import DictView
from autograph.conversion.syntax.build import is_converted
from autograph.errors import StateError
from autograph.operators.arrays.numpy_arrays import CELLS, set_array_attribute
from autograph.operators.arrays.numpy_random import GENERATORS, HELD, refuse_state
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.calls.missing_attributes import (
    fields_of,
    freezing_class,
    is_in_class,
    refuse_lacking,
    unless_missing,
)
from autograph.operators.expressions.tensor_attributes import number_attribute, tensor_attribute
from autograph.operators.expressions.truth import choose, settled
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing import attachment
from autograph.tracing.namespaces import refuse_namespace, taken
from autograph.tracing.object_paths import has_namespace, is_asked
from autograph.tracing.places import AttributePlace, NamePlace
from autograph.tracing.reading import (
    BY_NAME,
    LIBRARIES,
    is_users,
    is_written,
    observe_attribute,
    observe_in,
    observe_member,
    observe_once,
    package_of,
    read_global,
)
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.equivalence import ATOMS, is_shown
from autograph.values.marks import declared, is_staged_function
from autograph.values.sentinels import UNSET

CACHED = type(functools.lru_cache(lambda: None))
CODE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
OWN = ("autograph", "numpy", "math", "operator", "builtins", "functools", "itertools")
"""Modules whose attributes never change."""


def attr(value: Any, name: str) -> Any:
    """`value.name`."""
    tracing = current()
    if tracing is None:
        return getattr(value, name)
    return load(tracing, settled(tracing, value), name)


def load(tracing: Tracing, value: Any, name: str) -> Any:
    """`value.name` while tracing."""
    if isinstance(value, Tensor) and not _is_of_variable(value, name):
        return tensor_attribute(tracing, value, name)
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: load(tracing, one, name))
    if isinstance(value, types.ModuleType):
        return _module_attribute(tracing, value, name)
    if isinstance(value, DictView) and name == "isdisjoint":
        return load(tracing, call(set, value), name)
    if isinstance(value, Number):
        return number_attribute(value, name)
    if isinstance(value, types.MethodType) and name not in {*dir(object), "__func__", "__self__"}:
        return load(tracing, value.__func__, name)
    if isinstance(value, super):
        return _super_attribute(tracing, value, name)
    if isinstance(value, type):
        return _class_attribute(tracing, value, name)
    return _object_attribute(tracing, value, name)


def _module_attribute(tracing: Tracing, module: types.ModuleType, name: str) -> Any:
    value = getattr(module, name)
    if module.__name__.split(".")[0] in LIBRARIES and isinstance(value, BY_NAME):
        return value
    if module.__name__.split(".")[0] in OWN:
        return value
    if name in module.__dict__:
        read_global(tracing, module.__dict__, name)
        return _set_on_this_path(tracing, module, name, module.__dict__[name])
    path = tracing.table.attribute(tracing.table.constant(module), name)
    return observe_once(tracing, ("attribute", id(module), name), value, path, by_name=True)


def _set_on_this_path(tracing: Tracing, module: types.ModuleType, name: str, held: Any) -> Any:
    """An attribute of a module that some staged paths have set: on the others Python's error."""
    if held is UNSET:
        raise AttributeError(
            f"module {module.__name__!r} has no attribute {name!r}", name=name, obj=module
        )
    if not isinstance(held, Choice) or not any(one is UNSET for one in held.options):
        return held
    return choose(tracing, held, lambda one: _set_on_this_path(tracing, module, name, one))


def _super_attribute(tracing: Tracing, value: Any, name: str) -> Any:
    """`super(start, owner).name`: what the classes after `start` have for the owner."""
    owner, kind = value.__self__, value.__self_class__
    mro = kind.__mro__
    after = mro[mro.index(value.__thisclass__) + 1 :]
    observe_in(tracing, after, name)
    for base in after:
        if name in base.__dict__:
            found = base.__dict__[name]
            if isinstance(found, property) and found.fget is not None and owner is not kind:
                return call(found.fget, owner)
            if is_users_descriptor(found, "__get__"):
                return call(type(found).__get__, found, None if owner is kind else owner, kind)
            break
    return getattr(value, name)


def _class_attribute(tracing: Tracing, kind: type, name: str) -> Any:
    found = special_method(type(kind), name, bound=False)
    if isinstance(found, property) and found.fget is not None:
        return call(found.fget, kind)  # of a metaclass
    held = special_method(kind, name, bound=False)
    if is_users_descriptor(held, "__get__"):
        return call(type(held).__get__, held, None, kind)
    fallback = special_method(type(kind), "__getattr__")
    if isinstance(fallback, types.FunctionType) and not _is_held(kind, name):
        return call(fallback, kind, name)
    value = getattr(kind, name)
    if isinstance(value, Choice) and any(one is UNSET for one in value.options):
        return choose(tracing, value, lambda one: _of_bases(kind, name) if one is UNSET else one)
    if tracing.is_born(kind):
        return value
    own = name.startswith("__") and hasattr(type, name)  # what each class has
    if own or isinstance(value, (*BY_NAME, types.MethodType)):
        observe_member(tracing, kind, name)
        return value
    if package_of(kind) in OWN:
        return value
    owner = _owner_of(tracing, kind, name)
    key = ("attribute", id(owner), name)
    if is_written(tracing, key):
        return value
    path = tracing.table.constant(owner)
    own = name in owner.__dict__ and not has_get(owner.__dict__[name])
    path = f"{path}.__dict__[{name!r}]" if own else tracing.table.attribute(path, name)
    observed = observe_once(tracing, key, value, path)
    if own and observed is not value:
        tracing.substitute(AttributePlace(owner, name), observed)
    return observed


def _is_held(kind: type, name: str) -> bool:
    """Whether a class, its bases or its metaclass hold a name."""
    held = special_method(type(kind), name, bound=False)
    return held is not None or any(name in base.__dict__ for base in kind.__mro__)


def _of_bases(kind: type, name: str) -> Any:
    """What a class has where it does not hold an attribute that it may hold."""
    holders = [base for base in kind.__mro__ if name in base.__dict__]
    if len(holders) > 1:
        return holders[1].__dict__[name]
    message = f"type object {kind.__name__!r} has no attribute {name!r}"
    raise AttributeError(message, name=name, obj=kind)


def _declares(member: Any, method: str) -> bool:
    return declared(type(member), method) is not None


def has_get(member: Any) -> bool:
    """Whether a member of a class is a descriptor."""
    return _declares(member, "__get__")


def _owner_of(tracing: Tracing, kind: type, name: str) -> type:
    """The class that an attribute of a class is read from; those before it have none."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base
        if is_users(base) and not is_written(tracing, ("attribute", id(base), name)):
            tracing.guard(f"{name!r} not in {tracing.table.constant(base)}.__dict__")
    return kind


def _object_attribute(tracing: Tracing, value: Any, name: str) -> Any:
    kind = type(value)

    def find() -> Any:
        reader: Any = kind.__getattribute__
        if isinstance(reader, types.FunctionType):  # the one of `object` is not
            return call(reader, value, name)
        return load_plain(tracing, value, name)

    fallback = special_method(kind, "__getattr__")
    if not isinstance(fallback, types.FunctionType):
        return find()
    return unless_missing(tracing, kind, name, find, lambda: call(fallback, value, name))


def load_plain(tracing: Tracing, value: Any, name: str) -> Any:
    """`object.__getattribute__(value, name)`: descriptors, the object's own, its class's."""
    if id(value) in tracing.references:
        tracing.keeper.refresh(value)
        if name == "__dict__":
            refuse_namespace(value)
    kind = type(value)
    if name in HELD and isinstance(value, GENERATORS):
        refuse_state(name)
    found = special_method(kind, name, bound=False)
    if (has_get(found) or isinstance(found, type)) and not isinstance(value, CODE):
        observe_member(tracing, kind, name)
    if name == "__dict__" and has_namespace(value) and not isinstance(value, CODE):
        return taken(tracing, value)
    if isinstance(found, property) and found.fget is not None:
        return call(found.fget, value)
    if is_users_descriptor(found, "__get__") and has_setter(found):
        return call(type(found).__get__, found, value, kind)
    namespace = value.__dict__ if has_namespace(value) else None
    own = namespace is not None and name in namespace
    slot = isinstance(found, types.MemberDescriptorType) or _is_of_error(value, name)
    if not own and not slot:
        return _from_class(tracing, value, name, found)
    key = ("attribute", id(value), name)
    held = namespace[name] if own and namespace is not None else found.__get__(value, kind)
    if name == "obj" and held is None and isinstance(value, AttributeError):
        raise StateError(
            "`obj` of an AttributeError is read, which a staged condition has raised",
            remedy="keep the object in a variable before the try statement",
        )

    def unless_unset(one: Any) -> Any:
        if one is not UNSET:
            return one
        if slot or not is_in_class(kind, name):
            refuse_lacking(value, name)
        return _from_class(tracing, value, name, found)

    if held is UNSET:
        return unless_unset(held)
    if isinstance(held, Choice) and any(one is UNSET for one in held.options):
        return choose(tracing, held, unless_unset)
    if tracing.is_born(value) and isinstance(value, functools.partial) and name == "keywords":
        return tracing.born(held)
    if tracing.is_born(value) or is_written(tracing, key) or not _keeps_state(value):
        return held
    return observe_attribute(tracing, AttributePlace(value, name), held)


def _keeps_state(value: Any) -> bool:
    """Whether an object keeps state of the user's: not one of our own or of NumPy's classes."""
    if isinstance(value, types.FunctionType):
        return not is_converted(value)
    if isinstance(value, Variable | functools.partial | BaseException | CACHED):
        return True
    if is_staged_function(value):
        return True
    return package_of(type(value)) not in OWN and not is_shown(type(value))


def _is_of_error(value: Any, name: str) -> bool:
    """Whether an attribute is what each exception keeps, and code can set."""
    return isinstance(value, BaseException) and name in ("args", "__cause__", "__context__")


def _is_of_variable(value: Any, name: str) -> bool:
    """Whether an attribute is state of a Variable, or what a class of the user's has."""
    if not isinstance(value, Variable):
        return False
    found = next((one for one in type(value).__mro__ if name in vars(one)), None)
    return name in Variable.__slots__ or found is None or package_of(found) not in OWN


def is_users_descriptor(found: Any, method: str) -> bool:
    """Whether a member of a class is a descriptor whose method is written in Python."""
    if isinstance(found, (*BY_NAME, functools.cached_property)):
        return False
    special = special_method(type(found), method)
    library = package_of(type(found)) in OWN
    return isinstance(special, types.FunctionType) and not library


def has_setter(found: Any) -> bool:
    """Whether a descriptor goes before what the object itself holds."""
    return _declares(found, "__set__") or _declares(found, "__delete__")


def _from_class(tracing: Tracing, value: Any, name: str, found: Any) -> Any:
    """An attribute that the object itself does not hold: a method, a class attribute, or none."""
    kind = type(value)
    missing = found is None and not any(name in base.__dict__ for base in kind.__mro__)
    if not tracing.is_born(value) and _keeps_state(value):
        _guard_absence(tracing, value, name, missing)
    if isinstance(found, Choice):
        return choose(tracing, found, lambda one: _bound(value, name, one))
    if isinstance(found, functools.cached_property):
        made = call(found.func, value)
        place = AttributePlace(value, name)
        tracing.touch(place)
        place.set(made)
        return made
    if is_users_descriptor(found, "__get__"):
        return call(type(found).__get__, found, value, kind)
    if missing or isinstance(value, CODE):
        held = object.__getattribute__(value, name)
        inner = isinstance(value, types.FunctionType) and is_converted(value)
        return tracing.born(held) if inner and isinstance(held, dict) else held
    held = found.__get__(value, kind) if _declares(found, "__get__") else found
    if isinstance(held, (*BY_NAME, types.MethodType)) or _declares(found, "__get__"):
        return held
    return _class_attribute(tracing, kind, name)


def _bound(value: Any, name: str, found: Any) -> Any:
    """A member that a class has on some path, as its objects give it."""
    if found is UNSET:
        members = (vars(base)[name] for base in type(value).__mro__[1:] if name in vars(base))
        found = next(members, UNSET)
    if found is UNSET:
        refuse_lacking(value, name)
    if isinstance(found, property) and found.fget is not None:
        return call(found.fget, value)
    return found.__get__(value, type(value)) if _declares(found, "__get__") else found


def _guard_absence(tracing: Tracing, value: Any, name: str, missing: bool) -> None:
    """The object itself holds no attribute of this name; `missing`: nor does its class."""
    if isinstance(value, CODE) and not missing:
        return
    path = tracing.path_of(value)
    if missing and not is_asked(type(value)):
        tracing.guard(f"not hasattr({path}, {name!r})")
    elif has_namespace(value):
        tracing.guard(f"{name!r} not in {path}.__dict__")


# writing ------------------------------------------------------------------------------------------
def set_attr(value: Any, owner: Any, name: str) -> None:
    """`owner.name = value`."""
    tracing = current()
    if tracing is None:
        setattr(owner, name, value)
        return
    if isinstance(owner, Choice):
        choose(tracing, owner, lambda one: set_attr(value, one, name))
        return
    kind = type(owner)
    special_method(kind, "__setattr__")  # notes which class has it
    setter = kind.__setattr__
    hooked = isinstance(setter, types.FunctionType) and setter is not attachment.set_and_tell
    frozen = freezing_class(kind)
    if hooked and frozen is None:
        call(setter, owner, name, value)
        return
    if isinstance(owner, types.ModuleType):
        _read_before_write(tracing, owner, name)
        tracing.touch(NamePlace(owner.__dict__, name))
        owner.__dict__[name] = value
        return
    if isinstance(owner, CELLS):
        set_array_attribute(owner, name, value)
        return
    is_tensor = isinstance(owner, Tensor | np.ndarray) and not _is_of_variable(owner, name)
    if is_tensor or (frozen is not None and (kind is frozen or name in fields_of(frozen))):
        setattr(owner, name, value)
        return
    store_plain(tracing, value, owner, name)


_OF_C = ("__class__", "__dict__", "__name__", "__qualname__", "__bases__", "__code__")
"""What C code keeps of an object, a function or a class."""


def store_plain(tracing: Tracing, value: Any, owner: Any, name: str) -> None:
    """`object.__setattr__(owner, name, value)`: a descriptor of the class, or the object's own."""
    found = special_method(type(owner), name, bound=False)
    if isinstance(found, property) and found.fset is not None:
        call(found.fset, owner, value)
        return
    if is_users_descriptor(found, "__set__"):
        call(type(found).__set__, found, owner, value)
        return
    of_c = name in _OF_C or isinstance(owner, threading.local)
    if of_c and (tracing.region.trace is not tracing.trace or not tracing.is_born(owner)):
        raise StateError(
            f"`{name}` of {with_article(type(owner).__name__)} is set in a staged function, and is "
            "no attribute whose changes are followed",
            remedy="set it before the call, or keep what differs in an attribute of another name",
        )
    if isinstance(owner, ATOMS) and id(owner) in tracing.region.born:
        object.__setattr__(owner, name, value)  # an atom of a subclass, being made
        return
    _reach_owner(tracing, owner)
    _read_before_write(tracing, owner, name)
    tracing.touch(AttributePlace(owner, name))
    if isinstance(owner, type):
        type.__setattr__(owner, name, value)
    else:
        object.__setattr__(owner, name, value)
        attachment.tell(owner, name, value)


def _read_before_write(tracing: Tracing, owner: Any, name: str) -> None:
    """Inside a staged branch or loop the old value takes part in the merge, so it is read."""
    if tracing.region.trace is tracing.trace or tracing.is_born(owner):
        return
    if is_written(tracing, AttributePlace(owner, name).key):
        return  # it was read then; by now it may be one that is not set on some path
    if isinstance(owner, type | types.ModuleType):
        if name in owner.__dict__:
            load(tracing, owner, name)
        else:
            tracing.guard(f"{name!r} not in {tracing.table.constant(owner)}.__dict__")
    elif AttributePlace(owner, name).get() is not UNSET:
        load_plain(tracing, owner, name)
    else:
        tracing.guard(
            f"not hasattr({tracing.path_of(owner)}, '__dict__') or "
            f"{name!r} not in {tracing.path_of(owner)}.__dict__"
        )


def _reach_owner(tracing: Tracing, owner: Any) -> None:
    """An object that existed before must be found again when the writes are replayed."""
    if not tracing.is_born(owner) and not isinstance(owner, type):
        tracing.path_of(owner)
