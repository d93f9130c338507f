"""What calls, operators and patterns read, which changes between calls of a function."""

from __future__ import annotations

import functools
import re
import sys
import types
import weakref

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-1.5)), case(t(3.0)))


def _first(world):
    world.state[0]()


@program(*X)
def class_body_reads_its_own_name(x):
    for n in range(2):
        x = x + n

    class Config:
        n = 5
        size = n * 2

    return x * Config.size


@program(*X)
def class_body_name_of_a_branch(x):
    if x > 0:
        k = 10

    class C:
        k = 2
        z = k + 1

    return x * C.z


@program(*X)
def class_body_name_assigned_later(x):
    class C:
        width = 2
        area = width * 3

    y = x * C.area
    if y > 100:
        width = 1
        y = y * width
    return y


def error_for(x):
    if x > 1:
        return ValueError("big")
    return KeyError("small")


@program(case(t(2.0)), case(t(0.5)))
def raises_what_a_helper_gives(x):
    raise error_for(x)


@program(case(t(2.0)), case(t(0.5)))
def catches_what_a_helper_gives(x):
    try:
        raise error_for(x)
    except ValueError:
        return x * 2
    except KeyError:
        return x * 3


@program(case(t(2.0)), case(t(0.5)))
def raises_a_class_of_the_function_outside(x):
    kind = ValueError if x > 1 else KeyError

    def fail():
        raise kind("m")

    try:
        fail()
    except ValueError:
        return x * 2
    except KeyError:
        return x * 3


@program(case(t(2.0)), case(t(0.5)))
def raises_an_error_of_the_function_outside(x):
    error = ValueError("v") if x > 1 else KeyError("k")

    def fail():
        raise error

    try:
        fail()
    except (ValueError, KeyError) as found:
        return type(found).__name__, x


@stateful(*X)
def attributes_named_like_keywords():
    options = types.SimpleNamespace(**{"lambda": 0.5, "class": [1.0, 2.0]})

    def f(x):
        return x * getattr(options, "lambda"), len(getattr(options, "class"))

    return f, options


@stateful(*X)
def attribute_whose_name_python_normalizes():
    units = types.SimpleNamespace(**{"\u00b5": t(3.0)})

    def f(x):
        return x * getattr(units, "\u00b5")

    return f, []


BIG = 10**5000


@program(*X)
def integer_of_many_digits(x):
    return x * 2 if BIG > 0 else x


class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


@stateful(*X, mutate=False)
def linked_list_is_walked():
    head = None
    for k in range(150):
        head = Node(float(k), head)

    def f(x):
        node, total = head, x
        while node is not None:
            total = total + node.value
            node = node.next
        return total

    return f, []


LONG_B = re.compile("(?:" + "a" * 250 + "|b)")
LONG_C = re.compile("(?:" + "a" * 250 + "|c)")
LONG = LONG_B


def _other_pattern(world):
    globals()["LONG"] = LONG_C


@program(*X, between=_other_pattern, globals={"LONG": LONG_B})
def long_pattern_is_replaced(x):
    return x * 2 if LONG.fullmatch("b") else x * 3


SETTINGS = types.ModuleType("ag_corpus_settings")
SETTINGS.RATE = 2.0
SETTINGS.scaled = lambda x: x * 2
OTHER_SETTINGS = types.ModuleType("ag_corpus_settings")
OTHER_SETTINGS.RATE = 7.0
OTHER_SETTINGS.scaled = lambda x: x * 7
sys.modules["ag_corpus_settings"] = SETTINGS


def _faster(world):
    SETTINGS.RATE = 5.0
    SETTINGS.scaled = _five_times


def _five_times(x):
    return x * 5


def _as_before(world):
    SETTINGS.RATE = 2.0
    SETTINGS.scaled = _twice
    sys.modules["ag_corpus_settings"] = SETTINGS


def _twice(x):
    return x * 2


def _mocked(world):
    sys.modules["ag_corpus_settings"] = OTHER_SETTINGS


@program(*X, between=(_faster, _as_before))
def import_of_a_number_inside(x):
    from ag_corpus_settings import RATE

    return x * RATE


@program(*X, between=(_faster, _as_before))
def import_of_a_function_inside(x):
    from ag_corpus_settings import scaled

    return scaled(x)


@program(*X, between=(_mocked, _as_before))
def import_of_a_module_that_is_mocked(x):
    import ag_corpus_settings as settings

    return x * settings.RATE


BACK_A = types.ModuleType("ag_back_a")
BACK_A.rate = 2.0
BACK_B = types.ModuleType("ag_back_b")
BACK_B.rate = 5.0
BACKEND = BACK_A


def _backend_b(world):
    globals()["BACKEND"] = BACK_B


def _backend_a(world):
    globals()["BACKEND"] = BACK_A


@program(*X, between=(_backend_b, _backend_a))
def module_behind_a_global_is_replaced(x):
    return x * BACKEND.rate


@stateful(*X, between=(_first, _first))
def module_behind_a_variable_is_replaced():
    backend = BACK_A

    def swap():
        nonlocal backend
        backend = BACK_B if backend is BACK_A else BACK_A

    def f(x):
        return x * backend.rate

    return f, [swap]


@decorating(*X)
def decorated_function_counts_its_calls(decorate):
    def f(x):
        step.calls += 1
        return x * step.calls

    step = decorate(f)
    step.calls = 0
    return step, lambda: step.calls


@decorating(*X, between=(_first, _first))
def attribute_of_a_decorated_function(decorate):
    scale = decorate(lambda x: x * 2)
    scale.rate = 2.0

    def faster():
        scale.rate = scale.rate + 3.0

    return decorate(lambda x: scale(x) * scale.rate), [faster]


@stateful(*X, between=_first)
def attribute_of_a_partial():
    part = functools.partial(pow, 2)
    part.rate = 2.0

    def faster():
        part.rate = 5.0

    def f(x):
        return x * part.rate

    return f, [faster]


@stateful(*X, between=_first)
def attribute_of_a_cached_function():
    @functools.lru_cache
    def table(k):
        return k + 1

    table.rate = 2.0

    def faster():
        table.rate = 5.0

    def f(x):
        return x * table.rate

    return f, [faster]


@stateful(*X, between=_first)
def attribute_of_an_exception():
    error = ValueError("v")
    error.code = 2.0

    def change():
        error.code = 5.0

    def f(x):
        return x * error.code

    return f, [change]


@stateful(*X, between=(_first, _first))
def cause_of_a_kept_exception():
    error = ValueError("v")

    def change():
        error.__cause__ = KeyError("k") if error.__cause__ is None else None

    def f(x):
        return x * 2 if error.__cause__ is None else x * 3

    return f, [change]


@program(
    case(t(1.0), ag.TensorSpec((2,))), case(t(1.0), ag.TensorSpec((3,))), mutate=False, vary=False
)
def shape_of_a_spec(x, spec):
    return ag.zeros(spec.shape, dtype=spec.dtype) + x


SPEC = ag.TensorSpec((2,))


def _other_spec(world):
    globals()["SPEC"] = ag.TensorSpec((4,))


@program(*X, between=_other_spec, globals={"SPEC": ag.TensorSpec((2,))})
def spec_behind_a_global_is_replaced(x):
    return ag.zeros(SPEC.shape) + x


class Release:
    __version__ = 2.0


def _release(world):
    Release.__version__ = 5.0


def _release_back(world):
    Release.__version__ = 2.0


RELEASE = Release()


@program(*X, between=(_release, _release_back))
def class_attribute_with_underscores(x):
    return x * Release.__version__, x * RELEASE.__version__


class Move:
    __match_args__ = ("dx", "dy")

    def __init__(self, dx, dy):
        self.dx = dx
        self.dy = dy


def _turned(world):
    Move.__match_args__ = ("dy", "dx")


def _turned_back(world):
    Move.__match_args__ = ("dx", "dy")


MOVE = Move(2.0, 7.0)


@program(*X, between=(_turned, _turned_back))
def match_args_are_replaced(x):
    match MOVE:
        case Move(d):
            return x * d
    return x


@decorating(*X, between=_first)
def decorated_call_is_replaced(decorate):
    class Held:
        pass

    Held.__call__ = decorate(lambda self, x: x * 2)
    held = Held()

    def swap():
        Held.__call__ = decorate(lambda self, x: x * 5)

    return decorate(lambda x: held(x)), [swap]


class Same:
    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return super().__eq__(other) is True

    def __hash__(self):
        return super().__hash__()


@stateful(*X, between=_first)
def equality_of_object_itself():
    pair = [Same(1), Same(2)]

    def join():
        pair[1] = pair[0]

    def f(x):
        return x * 2 if pair[0] == pair[1] else x * 3

    return f, [join]


@stateful(*X, between=_first)
def hash_of_object_itself():
    pair = [Same(1), Same(2)]

    def join():
        pair[1] = pair[0]

    def f(x):
        return x * 2 if hash(pair[0]) == hash(pair[1]) else x * 3

    return f, [join]


class Registry:
    table = {"rate": 2.0}
    asked = []

    def __class_getitem__(cls, name):
        cls.asked.append(name)
        return cls.table[name]


def _registered(world):
    Registry.table["rate"] = 5.0


@stateful(*X, between=_registered)
def class_getitem_reads_state():
    Registry.table["rate"] = 2.0
    Registry.asked.clear()

    def f(x):
        return x * Registry["rate"]

    return f, Registry.asked


class Table(type):
    def __getattr__(cls, name):
        cls.asked.append(name)
        return cls.values[name]


@stateful(*X)
def getattr_of_a_metaclass_counts():
    class Conf(metaclass=Table):
        asked = []
        values = {"rate": 2.0}

    def f(x):
        return x * Conf.rate

    return f, Conf.asked


class Place:
    def __init__(self, k):
        self.k = k

    def __index__(self):
        return self.k


@stateful(*X, between=_first)
def index_of_the_users():
    place, items = Place(1), [1.0, 2.0, 5.0]

    def move():
        place.k = 2

    def f(x):
        return x * items[place], sum(range(place)), items[:place]

    return f, [move]


@stateful(case(t([1.0, 2.0, 5.0])), between=_first)
def index_of_the_users_into_a_tensor():
    place = Place(1)

    def move():
        place.k = 0

    def f(x):
        return x[place]

    return f, [move]


class Point:
    def __init__(self, v):
        self.v = v

    def __repr__(self):
        return f"P({self.v})"

    def __str__(self):
        return "<" + super().__str__() + ">"


@program(*X)
def text_by_object_itself(x):
    return str(Point(x * 2))


class Borg:
    def __init__(self, shared):
        self.__dict__ = shared


@stateful(*X)
def two_objects_with_one_dict():
    shared = {"n": 0}
    a, b = Borg(shared), Borg(shared)

    def f(x):
        a.n += 1
        return x * b.n

    return f, shared


@program(*X, mutate=False)
def generator_expressions_seven_deep(x):
    r = (1, 2)
    return sum(
        sum(
            sum(sum(sum(sum(sum(x * a for a in r) for b in r) for c in r) for d in r) for e in r)
            for g in r
        )
        for h in r
    )


@stateful(*X)
def weak_reference_is_asked():
    parent = Place(2)
    ref = weakref.ref(parent)

    def f(x):
        return x * ref().k

    return f, [parent]


@program(case(t(3)), case(t(77)), case(t(500)), mutate=False)
def chain_of_staged_conditions(n):
    if n == 0:
        y = 1
    elif n == 1:
        y = 3 * 1
    elif n == 2:
        y = 3 * 2
    elif n == 3:
        y = 3 * 3
    elif n == 4:
        y = 3 * 4
    elif n == 5:
        y = 3 * 5
    elif n == 6:
        y = 3 * 6
    elif n == 7:
        y = 3 * 7
    elif n == 8:
        y = 3 * 8
    elif n == 9:
        y = 3 * 9
    elif n == 10:
        y = 3 * 10
    elif n == 11:
        y = 3 * 11
    elif n == 12:
        y = 3 * 12
    elif n == 13:
        y = 3 * 13
    elif n == 14:
        y = 3 * 14
    elif n == 15:
        y = 3 * 15
    elif n == 16:
        y = 3 * 16
    elif n == 17:
        y = 3 * 17
    elif n == 18:
        y = 3 * 18
    elif n == 19:
        y = 3 * 19
    elif n == 20:
        y = 3 * 20
    elif n == 21:
        y = 3 * 21
    elif n == 22:
        y = 3 * 22
    elif n == 23:
        y = 3 * 23
    elif n == 24:
        y = 3 * 24
    elif n == 25:
        y = 3 * 25
    elif n == 26:
        y = 3 * 26
    elif n == 27:
        y = 3 * 27
    elif n == 28:
        y = 3 * 28
    elif n == 29:
        y = 3 * 29
    elif n == 30:
        y = 3 * 30
    elif n == 31:
        y = 3 * 31
    elif n == 32:
        y = 3 * 32
    elif n == 33:
        y = 3 * 33
    elif n == 34:
        y = 3 * 34
    elif n == 35:
        y = 3 * 35
    elif n == 36:
        y = 3 * 36
    elif n == 37:
        y = 3 * 37
    elif n == 38:
        y = 3 * 38
    elif n == 39:
        y = 3 * 39
    elif n == 40:
        y = 3 * 40
    elif n == 41:
        y = 3 * 41
    elif n == 42:
        y = 3 * 42
    elif n == 43:
        y = 3 * 43
    elif n == 44:
        y = 3 * 44
    elif n == 45:
        y = 3 * 45
    elif n == 46:
        y = 3 * 46
    elif n == 47:
        y = 3 * 47
    elif n == 48:
        y = 3 * 48
    elif n == 49:
        y = 3 * 49
    elif n == 50:
        y = 3 * 50
    elif n == 51:
        y = 3 * 51
    elif n == 52:
        y = 3 * 52
    elif n == 53:
        y = 3 * 53
    elif n == 54:
        y = 3 * 54
    elif n == 55:
        y = 3 * 55
    elif n == 56:
        y = 3 * 56
    elif n == 57:
        y = 3 * 57
    elif n == 58:
        y = 3 * 58
    elif n == 59:
        y = 3 * 59
    elif n == 60:
        y = 3 * 60
    elif n == 61:
        y = 3 * 61
    elif n == 62:
        y = 3 * 62
    elif n == 63:
        y = 3 * 63
    elif n == 64:
        y = 3 * 64
    elif n == 65:
        y = 3 * 65
    elif n == 66:
        y = 3 * 66
    elif n == 67:
        y = 3 * 67
    elif n == 68:
        y = 3 * 68
    elif n == 69:
        y = 3 * 69
    elif n == 70:
        y = 3 * 70
    elif n == 71:
        y = 3 * 71
    elif n == 72:
        y = 3 * 72
    elif n == 73:
        y = 3 * 73
    elif n == 74:
        y = 3 * 74
    elif n == 75:
        y = 3 * 75
    elif n == 76:
        y = 3 * 76
    elif n == 77:
        y = 3 * 77
    elif n == 78:
        y = 3 * 78
    elif n == 79:
        y = 3 * 79
    else:
        y = -1
    return y
