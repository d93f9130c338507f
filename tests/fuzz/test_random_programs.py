"""Random programs do the same staged as in plain Python: results, errors, and what they change."""

from __future__ import annotations

import pytest

from tests.fuzz import program_exits as exits
from tests.fuzz import program_nesting as nesting
from tests.fuzz.program_aliases import FIRST_WITH_ALIASES
from tests.fuzz.program_exits import FIRST_WITH_EXITS
from tests.fuzz.program_generator import GRAMMAR, LOOPS, STATEMENTS, source_of
from tests.fuzz.program_grammar import FEATURES
from tests.fuzz.program_graphs import FIRST_OF_GRAPHS
from tests.fuzz.program_nesting import FIRST_WITH_NESTING
from tests.fuzz.program_objects import FIRST_WITH_OBJECTS
from tests.fuzz.program_pairs import FIRST_OF_PAIRS, PAIRS
from tests.fuzz.program_shrinker import shrink
from tests.fuzz.program_sizes import FIRST_WITH_SIZES
from tests.fuzz.program_sweep import Verdict, check, survey

BATCH = 5
IN_TEST = 5  # of each of the grammars
IN_TEXT = 2
PAIRS_IN_TEST = 30
SIZES_IN_TEXT = 10
SIZES_COMPILED = 2
LOOKED_AT = 50
IN_SWEEP = 10_000
GRAMMARS = (0, FIRST_WITH_EXITS, FIRST_WITH_NESTING)
MOST_REFUSED = 0.5  # of a batch: most programs must be worth running


def fails(source: str, seed: int, mode: str, verdict: Verdict) -> bool:
    """Whether a smaller program fails in the same way, and still returns where it did."""
    try:
        found = check(source, seed, mode)
    except Exception:
        return False
    alike = found.kind == verdict.kind and found.manner == verdict.manner
    return alike and found.returned >= min(verdict.returned, 4)


def smallest(seed: int, mode: str) -> str:
    """A small program that fails as program number `seed` does, and how it fails."""
    source = source_of(seed)
    verdict = check(source, seed, mode)
    small = shrink(source, lambda text: fails(text, seed, mode, verdict))
    return f"{check(small, seed, mode).text}\n\n{small}"


def verify(first: int, count: int, mode: str) -> None:
    found = survey(range(first, first + count), mode)
    if found.different:
        seed = found.different[0][0]
        pytest.fail(f"{found}\n\nprogram {seed}: {smallest(seed, mode)}", pytrace=False)
    assert found.kinds["refused"] <= MOST_REFUSED * count, str(found)


each = pytest.mark.parametrize("grammar", GRAMMARS)


@each
@pytest.mark.parametrize("first", range(0, IN_TEST, BATCH))
def test_evaluated(first: int, grammar: int) -> None:
    verify(grammar + first, BATCH, "evaluate")


@each
def test_as_text(grammar: int) -> None:
    verify(grammar, IN_TEXT, "text")


@each
def test_in_check_mode(grammar: int) -> None:
    verify(grammar, IN_TEXT, "checked-text")


@each
def test_converted_outside_a_trace(grammar: int) -> None:
    verify(grammar, IN_TEXT, "converted")


@pytest.mark.parametrize("first", range(0, SIZES_IN_TEXT, BATCH))
def test_sizes_as_text(first: int) -> None:
    """Tensors whose sizes become symbols: their graphs are optimised, lowered and run."""
    verify(FIRST_WITH_SIZES + first, BATCH, "text")


@pytest.mark.compiled
def test_sizes_compiled() -> None:
    verify(FIRST_WITH_SIZES, SIZES_COMPILED, "compile")


@pytest.mark.parametrize("mode", ("evaluate", "text"))
def test_objects(mode: str) -> None:
    """Items that change their places, objects as keys, and iterators as arguments."""
    verify(FIRST_WITH_OBJECTS, IN_TEST, mode)


def test_aliases() -> None:
    """Containers that several names share, and that hold one another."""
    verify(FIRST_WITH_ALIASES, 2 * IN_TEST, "evaluate")


def test_pairs() -> None:
    """Two operations on a container from outside, which each call finds with other items."""
    verify(FIRST_OF_PAIRS, PAIRS_IN_TEST, "evaluate")


@pytest.mark.parametrize("first", range(0, 2 * IN_TEST, IN_TEST))
def test_graphs(first: int) -> None:
    """Objects that are linked to one another, and to themselves."""
    verify(FIRST_OF_GRAPHS + first, IN_TEST, "evaluate")


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(2 * IN_TEST, IN_SWEEP // 2, 10 * BATCH))
def test_sweep_of_graphs(first: int) -> None:
    verify(FIRST_OF_GRAPHS + first, 10 * BATCH, "evaluate")


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(PAIRS_IN_TEST, 2 * len(PAIRS), 10 * BATCH))
def test_sweep_of_pairs(first: int) -> None:
    verify(FIRST_OF_PAIRS + first, 10 * BATCH, "evaluate")


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ("evaluate", "text"))
@pytest.mark.parametrize("first", range(2 * IN_TEST, IN_SWEEP, 10 * BATCH))
def test_sweep_of_aliases(first: int, mode: str) -> None:
    verify(FIRST_WITH_ALIASES + first, 10 * BATCH, mode)


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(IN_TEST, IN_SWEEP, 10 * BATCH))
def test_sweep_of_objects(first: int) -> None:
    verify(FIRST_WITH_OBJECTS + first, 10 * BATCH, "evaluate")


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ("evaluate", "text"))
@pytest.mark.parametrize("first", range(SIZES_IN_TEXT, IN_SWEEP, 10 * BATCH))
def test_sweep_of_sizes(first: int, mode: str) -> None:
    verify(FIRST_WITH_SIZES + first, 10 * BATCH, mode)


@pytest.mark.sweep
@each
@pytest.mark.parametrize("first", range(IN_TEST, IN_TEST + IN_SWEEP, 10 * BATCH))
def test_sweep(first: int, grammar: int) -> None:
    verify(grammar + first, 10 * BATCH, "evaluate")


def test_programs_are_varied() -> None:
    """Every feature of the grammar is written, and programs are of many kinds."""
    seeds = [grammar + number for grammar in GRAMMARS for number in range(LOOKED_AT)]
    text = "".join(source_of(seed) for seed in seeds)
    for feature in (*FEATURES, *exits.FEATURES, *nesting.FEATURES):
        tables = [*GRAMMAR.values(), STATEMENTS, LOOPS]
        forms = [form for table in tables for form in table.get(feature, ())]
        starts = [form.partition("$")[0].strip("( ") for form in forms]
        starts = starts or [f"{feature} "]  # a statement of its own, which no form begins
        assert any(start and start in text for start in starts), feature
    for construct in ("while True:", "break", "continue", "else:", "nonlocal ", "tape.gradient"):
        assert construct in text, construct
    for construct in ("try:", "except ", "finally:", " from ", "raise\n", "yield from", "with "):
        assert construct in text, construct


def test_smallest_programs_still_fail() -> None:
    """A program is made smaller as far as it fails in the same way."""
    source = "def f(x):\n    y = 1\n    if x:\n        y = (x + 2) * 3\n    return y\n"
    small = shrink(source, lambda text: "x" in text.partition(":")[2] and "return" in text)
    assert small.count("\n") <= 3
    assert "y = 1" not in small
