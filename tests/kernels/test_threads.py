"""Large loops and products on several threads: the same results, and nothing hangs."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels import threads
from autograph.kernels.codegen import module
from autograph.kernels.codegen.types import TypeMismatch
from autograph.kernels.compile import entry_of
from autograph.runtime.core.record import Op, Sample
from autograph.runtime.graph.trace import Trace
from autograph.runtime.lower import build
from autograph.runtime.ops.table import OPS
from tests.corpus import all_programs
from tests.harness.corpus_harness import Scenario, compare
from tests.harness.op_samples import attributes_of, inputs_of, samples, spec_of
from tests.ops.test_ops_programs import COMPILED

pytestmark = pytest.mark.compiled

SAMPLES = {name: (op, sample) for name, op, sample in samples()}
MORE = ("add-0", "exp-0", "mean-0", "sum-0", "min-0", "transpose-0", "conv2d-0", "layer_norm-0")
COUNTS = (1, 2, 3)


@pytest.fixture
def shared() -> Iterator[None]:
    """Every loop is cut, into small blocks, and shared whatever that costs."""
    from autograph.kernels import native

    native.load_support()
    before = threads.get_num_threads()
    threads.set_least_work(1, 40, always=True)
    yield
    threads.set_least_work(threads.LEAST_WORK, threads.PIECE_WORK)
    threads.set_num_threads(before)


def with_each_count(call: Any) -> list[Any]:
    """The results as bytes, for one thread, two and three, several times each."""
    found = []
    for count in COUNTS:
        ag.set_num_threads(count)
        assert ag.get_num_threads() == count
        for _ in range(5):
            values = call()
            values = values if isinstance(values, list | tuple) else [values]
            found.append([np.asarray(one).tobytes() for one in values])
    return found


def agree(found: list[Any]) -> bool:
    return all(one == found[0] for one in found)


@pytest.mark.parametrize("name", [name for name in (*COMPILED, *MORE) if name in SAMPLES])
def test_ops_give_the_same_bits(name: str, shared: None) -> None:
    op, sample = SAMPLES[name]
    program, inputs = program_of(op, sample)
    assert agree(with_each_count(lambda: program.run(inputs)))


def program_of(op: Op, sample: Sample) -> tuple[Any, list[Any]]:
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    trace = Trace("sample")
    handles = [trace.add_input(spec_of(value)) for value in inputs]
    with trace.active():
        result = OPS.apply(op.name, tuple(handles), attributes)
    results = result if isinstance(result, tuple) else (result,)
    trace.graph.outputs = [trace.value_of(one) for one in results]
    return build(trace.graph, jit=True), inputs


@ag.function
def network(x: Any, w: Any, v: Any, labels: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch([w, v])
        hidden = x
        for _ in range(ag.asarray(3)):
            hidden = ag.tanh(hidden @ w)
        mean = ag.mean(hidden, axis=-1, keepdims=True)
        normal = (hidden - mean) / ag.sqrt(ag.var(hidden, axis=-1, keepdims=True) + 1e-5)
        scores = ag.log_softmax(normal @ v, axis=-1)
        loss = -ag.mean(ag.take_along_axis(scores, labels, axis=1))
    return loss, scores, *tape.gradient(loss, [w, v])


CORPUS = [one for one in all_programs() if one.compiled and not one.refused][::8]


@pytest.mark.parametrize("name", [one.name for one in CORPUS])
def test_programs_of_the_corpus_give_the_same_bits(name: str, shared: None) -> None:
    (program,) = (one for one in CORPUS if one.name == name)
    alone: Any = None
    for count in COUNTS:
        ag.set_num_threads(count)
        scenario = Scenario(program, "compile", mutations={} if alone is None else alone[1])
        seen = scenario.play()
        if alone is None:
            alone = seen, dict(scenario.mutations)
        found = compare(alone[0], seen, 0)
        assert found is None, f"{name} on {count} threads\n{found}"


def given() -> tuple[Any, ...]:
    random = np.random.default_rng(0)
    x = random.normal(size=(61, 130)).astype(np.float32)
    w, v = (random.normal(size=(130, n)).astype(np.float32) / 9 for n in (130, 37))
    return *map(ag.asarray, (x, w, v)), ag.asarray(random.integers(0, 37, (61, 1)))


def test_a_training_step_gives_the_same_bits(shared: None) -> None:
    assert agree(with_each_count(lambda: network(*given())))


@pytest.mark.parametrize(
    ("rows", "columns", "inner"), [(128, 128, 128), (700, 40, 100), (33, 1030, 90)]
)
def test_products_in_parts_give_the_same_bits(rows: int, columns: int, inner: int) -> None:
    random = np.random.default_rng(1)
    a, b = random.normal(size=(rows, inner)), random.normal(size=(inner, columns))
    product = ag.function(lambda a, b: a @ b)
    found = with_each_count(lambda: product(ag.asarray(a), ag.asarray(b)))
    assert agree(found)
    assert np.allclose(np.frombuffer(found[0][0]).reshape(rows, columns), a @ b)


TEXT = """def program(arguments):
    n = int64_at(array_data(arguments, 0))[0]
    x = float32_at(array_data(arguments, 1))
    y = float32_at(array_data(arguments, 2))
    for i in parallel_range(n, 3 * n):
        total = float32(0.0)
        for k in range(n):
            total = total + x[k] * float32(i)
        y[i] = total
    return 0
"""


def test_a_parallel_loop_is_plain_python_too(shared: None) -> None:
    n = 57
    x = np.random.default_rng(2).normal(size=n).astype(np.float32)
    plain, native = np.zeros(n, np.float32), np.zeros(n, np.float32)
    entry_of(TEXT, jit=False)(np.array([n]), x, plain)
    for _ in range(100):
        native[:] = 0
        entry_of(TEXT, jit=True)(np.array([n]), x, native)
        assert native.tobytes() == plain.tobytes()


def test_what_a_parallel_loop_leaves_is_not_read() -> None:
    text = TEXT.replace("    return 0\n", "    y[0] = total\n    return 0\n")
    with pytest.raises(TypeMismatch, match="total"):
        module.program_module(text)


def test_many_callers_at_once(shared: None) -> None:
    ag.set_num_threads(3)
    wanted = [np.asarray(one).tobytes() for one in network(*given())]
    wrong: list[int] = []

    def call() -> None:
        for turn in range(20):
            if [np.asarray(one).tobytes() for one in network(*given())] != wanted:
                wrong.append(turn)

    callers = [threading.Thread(target=call) for _ in range(4)]
    for one in callers:
        one.start()
    for one in callers:
        one.join(60)
    assert not wrong and not any(one.is_alive() for one in callers)


def test_numbers_of_threads_that_are_none() -> None:
    for wrong in (0, -1, 10**6):
        with pytest.raises(ValueError, match="number of threads"):
            ag.set_num_threads(wrong)
    with pytest.raises(TypeError):
        ag.set_num_threads(1.5)  # type: ignore[arg-type]


# in processes of their own ------------------------------------------------------------------------
HEAD = """
import os, signal
import numpy as np
import autograph as ag
from autograph.kernels import native, threads
native.load_support()
threads.set_least_work(1, 1000, always=True)
ag.set_num_threads(3)

@ag.function
def f(x, n):
    for _ in range(n):
        x = ag.tanh(x) + 1
    return x

x = ag.asarray(np.ones((50, 100), np.float32))
three = ag.asarray(3)
wanted = np.asarray(f(x, three)).tobytes()
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _as_file(HEAD + textwrap.dedent(code))],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def _as_file(code: str) -> str:
    """Code whose functions have a source: it is written to a file, and run there."""
    return (
        "import runpy, tempfile, os\n"
        "path = os.path.join(tempfile.mkdtemp(), 'program.py')\n"
        f"open(path, 'w').write({code!r})\n"
        "runpy.run_path(path, run_name='__main__')\n"
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_that_are_forked_have_workers_of_their_own() -> None:
    ran = run("""
        for _ in range(5):
            child = os.fork()
            if not child:
                right = all(np.asarray(f(x, three)).tobytes() == wanted for _ in range(20))
                os._exit(0 if right else 1)
            assert os.waitpid(child, 0)[1] == 0
            assert np.asarray(f(x, three)).tobytes() == wanted
        print("right")
    """)
    assert ran.stdout == "right\n", ran.stderr


def test_the_interpreter_ends_while_workers_look_for_work() -> None:
    for _ in range(3):
        ran = run("f(x, three); print('right')")
        assert (ran.returncode, ran.stdout) == (0, "right\n"), ran.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_ends_a_loop_of_shared_loops() -> None:
    ran = run("""
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            f(x, ag.asarray(10**9))
        except KeyboardInterrupt:
            print("interrupted", np.asarray(f(x, three)).tobytes() == wanted)
        os._exit(0)
    """)
    assert ran.stdout == "interrupted True\n", ran.stderr


def test_the_environment_says_how_many() -> None:
    code = "import autograph as ag; print(ag.get_num_threads())"
    for value, shown in (("3", "3"), ("none", "ValueError")):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "AUTOGRAPH_THREADS": value},
            capture_output=True,
            text=True,
        )
        assert shown in ran.stdout + ran.stderr
