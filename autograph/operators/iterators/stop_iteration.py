"""StopIteration, where it means something: what a generator or an iterator does at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.control.attempts import Clauses, attempt
from autograph.tracing.tracing import Tracing


def _stops(error: BaseException) -> Any:
    return 0 if isinstance(error, StopIteration) else None


def as_generator(tracing: Tracing, run: Callable[[], Any], site: Any) -> Any:
    """Run code of a generator: a StopIteration that leaves it is a RuntimeError (PEP 479)."""

    def stopped(clause: Any, error: BaseException) -> Any:
        raise RuntimeError("generator raised StopIteration") from error

    clauses = Clauses(lambda result: result, _stops, stopped, only=StopIteration)
    return attempt(tracing, run, clauses, (site, "generator"))


def unless_ended(
    tracing: Tracing,
    ask: Callable[[], Any],
    got: Callable[[Any], Any],
    ended: Callable[[BaseException], Any],
    site: Any,
) -> Any:
    """`got(ask())`; `ended(error)` where asking an iterator raises StopIteration."""
    clauses = Clauses(got, _stops, lambda clause, error: ended(error), only=StopIteration)
    return attempt(tracing, ask, clauses, site)
