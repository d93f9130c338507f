"""Graphs that CPython drives: what of them is native, and that nothing else changes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.core.location import Location
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.lower import build
from autograph.runtime.lower.running.driven import DrivenProgram
from autograph.runtime.lower.running.segments import Segment, calls_back, cut

t = ag.asarray


def graph_of(function: Callable[..., Any], *arguments: Any) -> Graph:
    graph: Graph = ag.function(function).concrete(*arguments).graph
    return graph


def inner_loop(n: Any, x: Any) -> Any:
    for i in range(n):
        for j in range(9):
            x = ag.sin(x) * 0.5 + j
        print("turn", i)
    return x


def fourier_transforms(n: Any, x: Any) -> Any:
    total = ag.zeros(())
    for i in range(n):
        for j in range(3):
            total = total + ag.sum(x) * j
        total = total + ag.abs(ag.fft.fft(x)[0]) * i
    return total


def two_prints(n: Any, x: Any) -> Any:
    print("before")
    a = ag.exp(ag.sin(x) + ag.cos(x) * 2) / 3
    print("between", n)
    b = ag.exp(ag.sin(a) + ag.cos(a) * 2) / 3
    return a, b


def lists_across(n: Any, x: Any) -> Any:
    items = []
    for i in range(n):
        for j in range(3):
            items.append(x[j:] * i)
        print(len(items))
    total = ag.zeros(())
    for item in items:
        total = total + ag.sum(item)
    return items, total


PROGRAMS = (inner_loop, fourier_transforms, two_prints, lists_across)
SEGMENTS = {"inner_loop": 1, "fourier_transforms": 1, "two_prints": 2, "lists_across": 2}


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: str(one.__name__))
def test_the_stretches_between_are_native(function: Callable[..., Any]) -> None:
    arguments = (t(3), t([1.0, 2.0, 3.0]))
    graph = graph_of(function, *arguments)
    inputs = [arguments[value.spec.ndim].numpy() for value in graph.inputs]  # type: ignore[union-attr]
    program = build(graph, jit=False)
    assert isinstance(program, DrivenProgram) and not program.is_native
    assert program.text.startswith("# driven by CPython: ")
    assert program.text.count("def program(") >= SEGMENTS[function.__name__]
    with contextlib.redirect_stdout(io.StringIO()) as expected_text:
        expected = evaluate(graph, inputs)
    for _ in range(2):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            found = program.run(inputs)
        assert text.getvalue() == expected_text.getvalue()
        for one, other in zip(found, expected, strict=True):
            pairs = (
                [(one, other)] if isinstance(other, np.ndarray) else zip(one, other, strict=True)
            )
            for got, wanted in pairs:
                np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_every_node_is_in_one_part_in_its_order() -> None:
    graph = graph_of(lists_across, t(3), t([1.0, 2.0, 3.0]))
    parts = cut(graph, calls_back(graph))
    nodes: list[Node] = []
    for part in parts:
        nodes += part.nodes if isinstance(part, Segment) else [part]
    assert nodes == [node for node in graph.nodes if node.op.name != "constant"]
    for part in parts:
        if isinstance(part, Segment):
            assert not any(node.op.name == "host_call" for node in part.nodes)


def test_an_error_in_a_segment_has_its_line() -> None:
    def f(n: Any) -> Any:
        k = 5
        print("start")
        for i in range(3):
            for j in range(3):
                k = k + 10 // (int(n) - i - j)
            print(i)
        return k

    program = build(graph_of(f, t(4)), jit=False)
    with (
        contextlib.redirect_stdout(io.StringIO()) as text,
        pytest.raises(ZeroDivisionError) as caught,
    ):
        program.run([np.array(4)])
    assert text.getvalue() == "start\n0\n1\n"
    location = caught.value.__autograph_location__  # type: ignore[attr-defined]
    assert isinstance(location, Location) and location.line == f.__code__.co_firstlineno + 5
