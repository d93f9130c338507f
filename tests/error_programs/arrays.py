"""What is refused or fails: NumPy's arrays, its functions and its random generators."""

from __future__ import annotations

import statistics

import numpy as np

import autograph as ag
from tests.error_programs.registry import fails, one, refused, t

BOTH = np.zeros(4)


def ones():
    return np.ones(3)


def grid():
    return np.ones((2, 3))


def row_of_nan():
    return t([np.nan, np.nan])


def frozen():
    array = np.ones(2)
    array.flags.writeable = False
    return array


@refused(lambda: BOTH[1:])
def array_that_overlaps_another(a):
    a += BOTH[:1]
    return a


@refused(frozen)
def read_only_array(a):
    a[0] = 1.0
    return a


@refused(ones)
def read_only_broadcast(a):
    wide = np.broadcast_to(a, (2, 3))
    wide[0] = 1.0
    return wide


@refused(grid)
def form_that_may_be_a_view(a):
    a.T.reshape(int(a[0, 0]) + 1, -1)[0] = 5.0
    return a


@refused(ones)
def function_that_no_op_computes(a):
    return np.spacing(a * 2)


@refused(one)
def function_that_no_op_computes_of_a_tensor(x):
    return np.spacing(x)


@refused(ones)
def option_that_no_op_computes(a):
    return np.histogram(a * 2, bins="auto")


@refused(grid)
def order_of_memory(a):
    return a.reshape(3, 2, order="A")


@refused(ones)
def joined_by_a_directive(a):
    return np.r_["0,2", a * 2]


@refused(ones)
def attribute_that_is_not_staged(a):
    return a.flags


@refused(ones)
def attribute_that_no_array_has(a):
    return a.numpy()


@refused(ones)
def several_elements_as_one(a):
    return (a * 2).item()


@refused(ones)
def items_of_a_scalar_assigned(a):
    first = a[0]
    first[0] = 1.0
    return first


@refused(ones)
def floats_into_integers(a):
    whole = np.zeros(3, int)
    whole += a
    return whole


@refused(ones)
def result_into_another_dtype(a):
    return np.add(a, 1.5, out=np.zeros(3, int))


@refused(ones)
def result_into_no_array(a):
    return np.add(a, 1.0, out=[0.0])


@refused(ones)
def result_into_a_smaller_array(a):
    return np.add(a, 1.0, out=np.zeros(1))


@refused(grid)
def axes_that_do_not_match(a):
    return a.transpose(0, 0)


@refused(grid)
def squeezed_axis_of_another_size(a):
    return (a * 2).squeeze(0)


@refused(ones)
def split_in_unequal_parts(a):
    return np.split(a * 2, 2)


@refused(ones)
def squeeze_of_a_size_that_the_run_tells(a):
    return np.squeeze(a[a > 0])


@refused(ones)
def squeeze_along_a_size_that_the_run_tells(a):
    return a[a > 0].squeeze(0)


@refused(ones)
def split_into_no_parts(a):
    return np.array_split(a * 2, 0)


@refused(ones)
def number_split_by_columns(a):
    return np.hsplit(np.reshape(a[:1] * 2, ()), 2)


@refused(ones)
def row_split_by_rows(a):
    return np.vsplit(a * 2, 3)


@refused(grid)
def table_split_in_depth(a):
    return np.dsplit(a * 2, 2)


@refused(ones)
def place_beyond_the_end_inserted(a):
    return np.insert(a * 2, 7, 1.0)


@refused(ones)
def scalars_concatenated(a):
    return np.concatenate([a[0], a[1]])


@refused(ones)
def place_that_is_not_there_deleted(a):
    return np.delete(a * 2, 7)


@refused(one)
def state_of_a_generator(x):
    return x, np.random.get_state()


@refused(ones)
def spread_array_changed(a):
    wide, _ = np.broadcast_arrays(a, np.ones((2, 3)))
    wide[0] = 5.0


@refused(ones)
def outs_that_are_too_few(a):
    np.divmod(a, 2, out=(np.zeros(3),))


@refused(ones)
def one_out_for_two_results(a):
    np.divmod(a, 2, out=np.zeros(3))


@refused(one)
def strings_drawn(x):
    return np.random.default_rng(0).choice(["a", "b"], size=2)


@refused(one)
def objects_drawn(x):
    return np.random.default_rng(0).choice([1, None])


@refused(one)
def shuffled_list(x):
    items = [1, 2, 3]
    np.random.shuffle(items)
    return items, x


@refused(lambda: np.array([True, False]))
def truth_of_several(a):
    return 1 if a else 2


@refused(lambda: np.zeros((0,)))
def truth_of_none(a):
    return 1 if a else 2


@refused(one)
def tensor_scalar_times_list(x):
    return [1, 2] * np.float64(x)


@refused(one)
def written_into_by_what_no_op_computes(x):
    np.spacing([1.0, 2.0], out=np.zeros(2))
    return x


@refused(grid)
def elements_of_a_transpose(a):
    return [one for one in np.nditer(a.T)]


@fails(ones)
def product_of_two_numbers(a):
    return a[0] @ a[1]


@fails(ones)
def truth_rounded(a):
    return round(a[0] > 1)


@fails(ones)
def element_deleted(a):
    del a[0]
    return a


@refused(ones)
def elements_of_two_arrays(a):
    return [one for one in np.nditer([a, a])]


@refused(ones)
def array_with_a_mask(a):
    return np.ma.masked_less(a, 1.0).mean()


@refused(ones)
def list_without_a_copy(a):
    return np.array([a[0] * 2, 1.0], copy=False)


@refused(ones)
def matrix_as_cross_index(a):
    return np.ix_(a.reshape(1, 3) * 2)


@refused(ones)
def list_of_scalars_concatenated(a):
    found = []
    for v in a:
        if v > 0:
            found.append(v)
    return np.concatenate(found)


@refused(ones)
def list_of_no_places(a):
    found, i = [], 0
    while a[0] * i > 5:
        found.append(i)
        i += 1
    print("made")
    return np.array(found)


@refused(ones)
def list_of_ints_alone(a):
    found = []
    for v in a:
        if v > 5:
            found.append(v)
        else:
            found.append(0)
    return np.array(found)


@refused(ones)
def items_that_are_not_staged(a):
    return np.fromiter((np.spacing(v) for v in a), dtype=float)


@refused(ones)
def view_by_code_that_is_not_staged(a):
    return np.lib.stride_tricks.as_strided(a, (2,), (8,), subok=True)


@refused(ones)
def method_at_of_another_function(a):
    np.negative.at(a, [0, 0])
    return a


@refused(lambda: np.ones(2))
def imaginary_part_of_a_real_array(x):
    x.imag = 1.0
    return x


@refused(lambda: np.random.default_rng(1), lambda: np.array([1.0, 2.0]), lambda: np.ones((3, 5)))
def draw_of_no_example(rng, mean, cov):
    return rng.multivariate_normal(mean, cov)


@refused(lambda: np.random.default_rng(1), lambda: np.float64(-1.0))
def draw_that_raises_inside_try(rng, x):
    try:
        return rng.normal(0.0, x)
    except ValueError:
        return 0.0


@refused(one)
def generator_made_inside_that_leaves(x):
    rng = np.random.default_rng(5)
    return rng, x + rng.random()


@refused(lambda: np.random.default_rng(1), lambda: np.zeros((3, 5)))
def drawn_into_a_column(rng, a):
    rng.random(out=a[:, 0])
    return a


@refused(lambda: np.array([0, -1]), lambda: np.ones(2))
def weights_of_nothing(a, weights):
    return np.bincount(a[a > 0], weights=weights[a > 0])


@refused(lambda: np.eye(2), lambda: np.array(1))
def first_power_of_the_run(a, n):
    return np.linalg.matrix_power(a, int(n))


@refused(lambda: np.eye(2), lambda: np.array(1))
def diagonal_of_the_run(a, k):
    return np.diag(a, int(k))


@refused(lambda: np.array([2.0, np.nan, 1.0]))
def bins_with_nan_in_the_middle(edges):
    return np.digitize([1.5], edges)


@refused(lambda: np.array([[1.0, 2.0], [-1.0, 4.0]]))
def covariances_of_one_variable(a):
    return np.cov(a[a[:, 0] > 0])


@fails(row_of_nan)
def largest_of_nothing_but_nan(x):
    return np.nanargmax(x)


@fails(row_of_nan)
def tensor_parted_behind_its_end(x):
    return np.partition(x, 7)


@fails(row_of_nan)
def place_beyond_the_end_of_a_tensor(x):
    return np.insert(x, 7, 1.0)


@refused(np.array([1.0, 2.0]))
def average_of_elements(a):
    return statistics.mean(a)


class Angle:
    def __init__(self, degrees):
        self.degrees = degrees

    def __rmul__(self, factor):
        return Angle(factor * self.degrees)


@refused(ones)
def elements_times_an_object(a):
    return a * Angle(90.0)


@refused(ones)
def array_of_strings(a):
    try:
        return a, np.array(["x", "y"])
    except TypeError:
        return a


@refused(ones)
def elements_as_strings(a):
    return np.where(a > 0, "x", "y")


@refused(ones)
def compared_with_none_in_a_list(a):
    return a == [None, None, None]


@refused(ones)
def shape_that_is_set(a):
    a.shape = (3, 1)
    return a


@refused(grid)
def strides_of_a_table(a):
    return a.strides


@refused(ones)
def windows_beyond_the_end(a):
    (step,) = a.strides
    return np.lib.stride_tricks.as_strided(a, (3, 2), (step, step)) * 2


@refused(grid)
def array_rounded_by_python(a):
    return round(a, 2)


@refused(grid)
def array_that_is_called(a):
    return a(1)


@refused(grid)
def products_that_are_not_aligned(a):
    return np.dot(a, a)


@refused(grid)
def errors_of_floats_that_raise(a):
    with np.errstate(all="raise"):
        return np.log(a)


@refused(ones)
def bytes_as_larger_elements_that_do_not_fit(a):
    return a[:1].astype(np.float32).view(np.float64)


@refused(ones)
def bytes_of_an_element_as_smaller_ones(a):
    return a[0].view(np.int8)


@refused(ones)
def bytes_as_half_precision(a):
    return a.view(np.float16)


@refused(ones)
def bits_of_another_size(a):
    return ag.bitcast(ag.asarray(a), ag.int16)
