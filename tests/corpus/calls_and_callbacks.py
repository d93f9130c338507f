"""How calls pass arguments on, assignments that do not fit, and functions called back."""

from __future__ import annotations

import numpy as np

import autograph as ag
from autograph import nn
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray
F3 = ag.TensorSpec((3,))
F2 = ag.TensorSpec((2,))


@program(case(b=t(1.0), a=t(2.0)))
def keywords_keep_their_order(**kw):
    return list(kw)


@program(case(b=t(1.0), a=t(2.0)))
def keywords_are_gone_over_in_order(**kw):
    total = t(0.0)
    for value in kw.values():
        total = total * 10 + value
    return total


@program(case(t(3.0), z=t(1.0), b=t(2.0)))
def keywords_beside_a_named_one(x, **kw):
    print(list(kw), x)
    return kw


@program(case(x=t(1.0)))
def positional_only_by_keyword(x, /):
    return x * 2


@program(case(t(1.0), b=t(5.0)))
def positional_only_beside_keywords(a, b=2.0, /, **kw):
    return a * b + len(kw)


@program(case(self=t(2.0), x=t(3.0)))
def a_parameter_named_self(self, x):
    return self * x


@stateful(case(t(2.7)))
def a_float_number_into_an_int_variable():
    v = ag.Variable(0, dtype=ag.int64)

    def run(x):
        v.assign(float(x))
        return v * 1

    return run, v


@stateful(case(t(2.7)))
def a_float_number_added_to_an_int_variable():
    v = ag.Variable(1, dtype=ag.int64)

    def run(x):
        v.assign_add(float(x))
        return v * 1

    return run, v


@stateful(case(t(2.5)))
def a_number_into_a_vector_variable():
    v = ag.Variable([1.0, 2.0])

    def run(x):
        v.assign(float(x))
        return v * 1

    return run, v


@stateful(case(t(3)))
def a_counter_into_a_vector_variable():
    v = ag.Variable(np.zeros(2, np.float32))

    def run(n):
        for i in range(n):
            v.assign(i)
        return v * 1

    return run, v


@stateful(case(t(2)))
def an_int_number_into_a_bool_variable():
    v, w = ag.Variable(False), ag.Variable(0, dtype=ag.uint8)

    def run(n):
        seen = []
        for one in (v, w):
            try:
                one.assign(int(n))
            except ValueError:
                seen.append("refused")
        return v, w, seen

    return run, (v, w)


@stateful(
    case(t([[1.0, 2.0, 3.0]] * 2)),
    case(t([[1.0] * 5] * 4)),
    case(t([[1.0, 2.0, 4.0]] * 2)),
    case(t([[2.0] * 5] * 4)),
)
def an_argument_of_another_shape_is_assigned():
    v = ag.Variable(np.zeros((2, 3), np.float32))

    def run(x):
        v.assign(x)
        return v * 1

    return run, v


@stateful(
    case(t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), case(t([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
)
def a_transposed_value_is_assigned():
    v = ag.Variable(np.zeros((2, 3), np.float32))

    def run(x):
        v.assign(x * 1)
        return v * 1

    return run, v


@stateful(case(t([1.0, -1.0])), case(t([1.0, 2.0])))
def a_selection_is_added_to_a_variable_of_one():
    v = ag.Variable([0.0])

    def run(x):
        v.assign_add(x[x > 0])
        return v * 1

    return run, v


@stateful(case(t([1.0, 2.0])), case(t([1.0, 2.0, 3.0])), case(t([1.0, 2.0, 3.0, 4.0])))
def a_value_of_another_length_is_assigned():
    v = ag.Variable([0.0, 0.0])

    def run(x):
        v.assign(x + 1)
        return v * 1

    return run, v


@program(case(t([2, 3])), case(t([2, 3, 4])), case(t([3, 2])), case(t([1, 2, 3, 2])), vary=False)
def zeros_of_a_shape_that_is_a_tensor(sizes):
    return ag.zeros(sizes)


@program(case(t([2, 3])), case(t([2, 3, 1])), case(t([3, 2])), case(t([1, 3, 1, 2])), vary=False)
def reshape_by_a_tensor(sizes):
    return ag.reshape(ag.arange(6), sizes)


@program(
    case(t([[1.0, 2.0]] * 3)),
    case(t([[1.0] * 4] * 3)),
    case(t([[1.0, 3.0]] * 3)),
    case(t([[1.0] * 4] * 3)),
)
def complex_of_pairs(x):
    return ag.view_as_complex(x)


@program(
    case(t([1.0, 2.0]), t([1.0, 1.0])),
    case(t([1.0, 2.0, 3.0]), t([1.0, 1.0, 1.0])),
    case(t([1.0, 2.0]), t([2.0, 1.0])),
    case(t([1.0, 2.0, 3.0]), t([1.0, 1.0])),
)
def given_gradients_of_another_shape(x, g):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=g)


@program(case(t([1.0, 2.0, 3.0])))
def a_callback_gives_back_its_input(x):
    y = ag.py_function(lambda a: a, [x], F3)
    y[0] = 9.0
    return x * 1, y


@program(case(t([1.0, 2.0, 3.0])))
def a_callback_gives_the_same_object(x):
    return ag.py_function(lambda a: a, [x], F3) is x


def _poke(a):
    a[0] = 9.0


@program(case(t([1.0, 2.0, 3.0])))
def a_callback_changes_its_input(x):
    ag.py_function(_poke, [x])
    return x * 1


@stateful(case(t([1.0, 2.0])))
def a_callback_uses_its_buffer_again():
    buffer = np.zeros(2, np.float32)

    def fill(a):
        buffer[:] = a.numpy()
        return buffer

    def run(x):
        a = ag.py_function(fill, [x], F2)
        b = ag.py_function(fill, [x * 2], F2)
        return a, b, a + b

    return run, None


@stateful(case(t([1.0, 2.0]), t(3)))
def a_numpy_callback_uses_its_buffer_again():
    buffer = np.zeros(2, np.float32)

    def fill(a):
        np.multiply(a, 2, out=buffer)
        return buffer

    def run(x, n):
        rows = []
        for i in range(n):
            rows.append(ag.numpy_function(fill, [x + i], F2))
        return ag.stack(rows)

    return run, None


@stateful(case(t([1.0, 2.0]), t(4)))
def a_callback_keeps_what_it_is_given():
    seen = []

    def run(x, n):
        y = x
        for _ in range(n):
            y = y * 2 + 1
            ag.py_function(lambda a: seen.append(a), [y])
        return y

    return run, seen


@stateful(case(t(2.0)))
def a_callback_is_given_numbers():
    seen = []

    def run(x):
        ag.py_function(
            lambda *parts: seen.append([type(one).__name__ for one in parts]),
            [3, 2.5, True, x, int(x)],
        )
        return x

    return run, seen


@stateful(case(t(3.0)))
def a_callable_with_an_attribute_prepared():
    class Model:
        def __init__(self):
            self.prepared = True
            self.w = ag.Variable(2.0)

        def __call__(self, x):
            return self.w * x

    return Model(), None


@stateful(case(t(3.0)))
def a_function_with_an_attribute_run():
    def run(x):
        return x * 2

    run._run = 0
    return run, None


@decorating(case(t(3.0)))
def a_bound_method_as_a_class_attribute(stage):
    class Other:
        def add(self, *xs):
            return xs[-1] + len(xs)

    class Holder:
        act = stage(Other().add)

    holder = Holder()
    return (lambda x: holder.act(x)), None


ag.set_seed(3)
_SIMPLE = nn.RNN(nn.SimpleCell(2, 3))
_LSTM = nn.RNN(nn.LSTMCell(2, 3))
_ROWS = np.linspace(-1, 1, 12).astype(np.float32).reshape(2, 3, 2)


@program(case(t(_ROWS), t([0, 0])), case(t(_ROWS), t([3, 1])), vary=False)
def rnn_of_no_steps(x, lengths):
    return _SIMPLE(x, lengths)


@program(case(t(_ROWS), t([1, 1])), case(t(_ROWS), t([3, 1])), vary=False)
def lstm_from_a_list(x, lengths):
    start = [ag.zeros((2, 3)), ag.zeros((2, 3))]
    outputs, state = _LSTM(x, lengths, start)
    return outputs, state


@program(case(t(_ROWS.astype(np.float64)), t([3, 1])), vary=False)
def rnn_of_doubles(x, lengths):
    return _SIMPLE(x, lengths)


@program(case(t(np.array([3, 255], np.uint8))), vary=False)
def cross_entropy_of_bytes(labels):
    logits = ag.reshape(ag.astype(ag.arange(512), ag.float32), (2, 256)) * 0.01
    return nn.losses.softmax_cross_entropy(logits, labels)


@stateful(case(t(3.0)))
def trainable_is_changed():
    v = ag.Variable(2.0)

    def run(x):
        v.trainable = False
        with ag.GradientTape() as tape:
            y = v * x
        return tape.gradient(y, v), v.trainable

    return run, v
