"""What a call reads besides its arguments, changed between calls: never a stale answer."""

from __future__ import annotations

import types

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

SCALE = 3.0
TRAINING = True
TABLE = {"a": 1, "b": 2}
SIZES = [1, 2, 3]
WEIGHT = None
COUNT = 0
LOG = []
MODE = "up"
HELPER = None


def _set(**values):
    def change(world):
        world.globals.update(values)

    return change


@program(case(t(2.0)), globals={"SCALE": 3.0}, between=(_set(SCALE=4.0), _set(SCALE=5)))
def global_number(x):
    return x * SCALE


@program(case(t(2.0)), globals={"TRAINING": True}, between=(_set(TRAINING=False),))
def global_flag(x):
    if TRAINING:
        return x * 2
    return x


@program(
    case(t(2.0)),
    globals={"TABLE": {"a": 1, "b": 2}},
    between=(
        lambda w: w.globals["TABLE"].update(a=10),
        lambda w: w.globals["TABLE"].update(b=10),
        lambda w: w.globals["TABLE"].pop("a"),
    ),
)
def global_dictionary_item(x):
    return x * TABLE.get("a", 7)


@program(
    case(t(2.0)),
    globals={"TABLE": {"a": 1, "b": 2}},
    between=(
        lambda w: w.globals["TABLE"].update(a=10),
        lambda w: w.globals["TABLE"].update(c=10),
        lambda w: w.globals["TABLE"].pop("b"),
    ),
)
def global_dictionary_is_iterated(x):
    for key, value in TABLE.items():
        x = x * value + len(key)
    return x, "c" in TABLE, len(TABLE)


@program(
    case(t(2.0)),
    globals={"SIZES": [1, 2, 3]},
    between=(
        lambda w: w.globals["SIZES"].append(4),
        lambda w: w.globals["SIZES"].__setitem__(0, 9),
        lambda w: w.globals["SIZES"].clear(),
        _set(SIZES=[5]),
    ),
)
def global_list_is_iterated(x):
    for k in SIZES:
        x = x * k + 1
    return x


@program(
    case(t(2.0)),
    globals={"SIZES": [1, 2, 3]},
    between=(lambda w: w.globals["SIZES"].append(4), lambda w: w.globals["SIZES"].pop()),
)
def length_of_a_global_list(x):
    return x * len(SIZES)


@program(
    case(t([1.0, 2.0])),
    globals={"WEIGHT": t([2.0, 3.0])},
    between=(
        lambda w: w.globals["WEIGHT"].__setitem__(0, 10.0),
        _set(WEIGHT=t([5.0, 5.0])),
        _set(WEIGHT=t(7.0)),
        _set(WEIGHT=2),
    ),
)
def global_tensor(x):
    return x * WEIGHT


@program(
    case(t([1.0, 2.0])),
    globals={"WEIGHT": None},
    between=(_set(WEIGHT=t([5.0, 5.0])), _set(WEIGHT=None)),
)
def global_none_or_tensor(x):
    if WEIGHT is None:
        return x
    return x * WEIGHT


@program(case(t(2.0)), case(t(-2.0)), globals={"COUNT": 0}, between=(_set(COUNT=100),))
def global_counter(x):
    global COUNT
    COUNT += 1
    return x * COUNT


@program(case(t(2.0)), case(t(-2.0)), globals={"COUNT": 0}, between=(_set(COUNT=100),))
def global_written_in_a_branch(x):
    global COUNT
    if x > 0:
        COUNT = COUNT + 10
    return COUNT


@program(case(t(3)), case(t(0)), globals={"COUNT": 0})
def global_written_in_a_loop(n):
    global COUNT
    for i in range(n):
        COUNT += i
    return COUNT


@program(case(t(2.0)), globals={"LOG": []}, between=(lambda w: w.globals["LOG"].clear(),))
def global_list_is_appended(x):
    LOG.append(x)
    return x


@program(
    case(t(2.0)),
    case(t(-2.0)),
    globals={"MODE": "up"},
    between=(_set(MODE="down"), _set(MODE=None), _set(MODE="up")),
)
def global_string(x):
    if MODE == "up" and x > 0:
        return x + 1
    return x - 1, MODE


def _double(x):
    return x * 2


def _triple(x):
    if x > 0:
        return x * 3
    return x


@program(
    case(t(2.0)), globals={"HELPER": None}, between=(_set(HELPER=_double), _set(HELPER=_triple))
)
def global_function_is_replaced(x):
    if HELPER is None:
        return x
    return HELPER(x)


@stateful(
    case(t(2.0)),
    between=(lambda w: w.state(4.0), lambda w: w.state(t(5.0)), lambda w: w.state(4.0)),
)
def closure_cell_changes():
    k = 3.0

    def run(x):
        return x * k

    def change(value):
        nonlocal k
        k = value

    return run, change


class Config:
    """Settings."""

    def __init__(self):
        self.rate = 0.1
        self.flags = {"bias": True}
        self.sizes = (2, 3)
        self.inner = None

    def __repr__(self):
        return "Config"


@stateful(
    case(t(2.0)),
    between=(
        lambda w: setattr(w.state, "rate", 0.2),
        lambda w: setattr(w.state, "rate", 1),
        lambda w: w.state.flags.update(bias=False),
        lambda w: setattr(w.state, "sizes", (2, 4)),
        lambda w: setattr(w.state, "inner", Config()),
        lambda w: setattr(w.state.inner, "rate", 0.7),
    ),
)
def attributes_are_guarded():
    config = Config()

    def run(x):
        y = x * config.rate
        if config.flags["bias"]:
            y = y + config.sizes[1]
        if config.inner is not None:
            y = y * config.inner.rate
        return y

    return run, config


@stateful(
    case(t(2.0)),
    case(t(-2.0)),
    between=(lambda w: setattr(w.state, "rate", 0.2), lambda w: setattr(w.state, "rate", 0.3)),
)
def attribute_read_in_one_branch_only():
    config = Config()

    def run(x):
        if x > 0:
            return x
        return x * config.rate

    return run, config


@stateful(
    case(t(2.0)),
    between=(
        lambda w: setattr(w.state, "missing", 5),
        lambda w: delattr(w.state, "missing"),
        lambda w: setattr(type(w.state), "missing", 6),
    ),
)
def missing_attribute_appears():
    class Fresh(Config):
        pass

    config = Fresh()

    def run(x):
        if hasattr(config, "missing"):
            return x * config.missing
        return x * getattr(config, "other", 2)

    return run, config


@stateful(
    case(t(2.0)),
    between=(lambda w: setattr(w.state, "__class__", w.state.other), lambda w: w.state.shift()),
)
def class_of_an_object_changes():
    class Plus:
        k = 1

        def apply(self, x):
            return x + self.k

        def shift(self):
            type(self).k = 50

    class Minus(Plus):
        def apply(self, x):
            return x - self.k

    Plus.other = Minus
    op = Plus()

    def run(x):
        return op.apply(x)

    return run, op


@stateful(
    case(t(2.0)),
    between=(
        lambda w: setattr(w.state, "f", lambda x: x * 10),
        lambda w: setattr(w.state, "f", _triple),
    ),
)
def function_in_an_attribute_is_replaced():
    class Box:
        pass

    box = Box()
    box.f = _double

    def run(x):
        return box.f(x)

    return run, box


@stateful(case(t(2.0)), between=(lambda w: w.state.assign(7.0),))
def written_before_it_is_read():
    class Box:
        def assign(self, v):
            self.v = v

    box = Box()
    box.v = 1.0

    def run(x):
        box.v = x * 2
        y = box.v + 1
        box.v = 3.0
        return y

    return run, box


@stateful(
    case(t(2.0)),
    between=(
        lambda w: w.state.__setitem__(0, w.state[1]),
        lambda w: w.state.__setitem__(1, t([2.0, 2.0])),
    ),
)
def captured_tensors_become_one():
    xs = [t([1.0, 1.0]), t([5.0, 5.0])]

    def run(k):
        xs[0][0] = k * 10
        return xs[0] + xs[1], xs[0] is xs[1]

    return run, xs


@stateful(
    case(t(2.0)),
    between=(
        lambda w: w.state.__setitem__("x", t([1.0, 2.0])),
        lambda w: w.state.__setitem__("x", t(3)),
        lambda w: w.state.__setitem__("x", 3),
        lambda w: w.state.__setitem__("x", "three"),
    ),
)
def captured_value_changes_its_type():
    box = {"x": t(1.0)}

    def run(k):
        x = box["x"]
        if isinstance(x, str):
            return x
        return x * k

    return run, box


@stateful(case(t(2.0)), between=tuple((lambda w: None) for _ in range(3)))
def python_counter_is_not_stale():
    state = {"n": 0, "even": None}

    def run(x):
        state["n"] += 1
        if state["n"] % 2 == 0:
            state["even"] = x
            return x * state["n"]
        return x - state["n"]

    return run, state


@stateful(case(t(2.0)), between=(lambda w: w.state.append(5.0),))
def comprehension_over_captured_values():
    ks = [1.0, 2.0]

    def run(x):
        return [x * k for k in ks], sum(k for k in ks), max(ks)

    return run, ks


@stateful(
    case(t(2.0)), case(t(-2.0)), between=(lambda w: w.state.add(2), lambda w: w.state.clear())
)
def captured_set():
    names = {1}

    def run(x):
        if x > 0 and 2 in names:
            return x * 100
        return x * len(names)

    return run, names


@program(
    case(t(2.0), {"k": 2, "flag": True}),
    case(t(2.0), {"k": 3, "flag": True}),
    case(t(2.0), {"k": 2, "flag": False}),
    case(t(2.0), {"flag": True, "k": 2}),
)
def python_argument_values_count(x, options):
    y = x * options["k"]
    if options["flag"]:
        y = y + 1
    return y, list(options)


@program(case(t(2.0), 1), case(t(2.0), 1.0), case(t(2.0), True), case(t(2), 1.0), case(t(2), 1))
def equal_python_arguments_of_different_types(x, k):
    return x * k, k


def _default(dtype):
    return lambda world: ag.set_default_dtype(dtype)


@program(case(t(2.0)), between=(_default(ag.float64), _default(ag.int32), _default(ag.float32)))
def default_dtype(x):
    y = ag.asarray(0.1)
    n = ag.asarray(7)
    if x > 0:
        y = y + ag.zeros(())
    return y, n, ag.asarray([x * 1.0, 2.0]), ag.arange(3)


@program(case(t(2)), between=(_default(ag.float64), _default(ag.float32)))
def default_dtype_of_a_staged_number(n):
    s = 0.0
    for i in range(n):
        s += i * 0.1
    return ag.asarray(s), ag.exp(s)


SET_BY_SOME = types.ModuleType("set_by_some")


def _unset(world):
    for name in ("SET_ON_A_PATH", "SET_IN_TURNS", "KEPT_ON_A_PATH"):
        globals().pop(name, None)
    vars(SET_BY_SOME).pop("value", None)


@program(*(case(t(x)) for x in (2.0, -1.0, 3.0, -2.0)), between=(_unset, _unset, _unset))
def globals_of_some_paths(x):
    global SET_ON_A_PATH, SET_IN_TURNS, KEPT_ON_A_PATH
    found = []
    if x > 0:
        SET_ON_A_PATH = 7
        SET_BY_SOME.value = x
    KEPT_ON_A_PATH = 1
    if x < 0:
        del KEPT_ON_A_PATH
    for k in range(int(x)):
        SET_IN_TURNS = k

    def add():
        global SET_ON_A_PATH
        SET_ON_A_PATH += 1
        return SET_ON_A_PATH

    for read in (
        lambda: SET_ON_A_PATH,
        add,
        lambda: SET_IN_TURNS * 2,
        lambda: KEPT_ON_A_PATH or 5,
    ):
        try:
            found.append(read())
        except NameError as error:
            found.append(str(error))
    try:
        found.append(SET_BY_SOME.value)
    except AttributeError as error:
        found.append(str(error))
    return found


@program(case(t(2.0)), case(t(-1.0)))
def variables_of_a_function_outside(x):
    kept = 1
    if x > 0:
        set_by_one = 2

    def add():
        nonlocal set_by_one
        set_by_one += 1
        return set_by_one

    def drop():
        nonlocal kept
        if x < 0:
            del kept
        return kept

    found = []
    for one in (add, drop):
        try:
            found.append(one())
        except NameError as error:
            found.append(str(error))
    return found
