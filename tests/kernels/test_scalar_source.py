"""The text of scalar functions: complete, once each, loaded without a compiler, made of vectors."""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys

import numpy as np
import pytest

from autograph.kernels.memory import VOCABULARY
from autograph.kernels.scalar import (
    PRELUDE,
    SCALAR_FUNCTIONS,
    dependencies,
    module_text,
    source_of,
)
from autograph.kernels.scalar.source import closure, definitions, text_of

EVERY = [(name, dtype) for name, one in SCALAR_FUNCTIONS.items() for dtype in one.functions]


def names_used(tree: ast.AST) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def names_bound(tree: ast.AST) -> set[str]:
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        if isinstance(node, ast.ImportFrom | ast.Import):
            bound |= {one.asname or one.name for one in node.names}
    return bound


def test_the_text_of_all_definitions_is_complete() -> None:
    functions = [name for name, one in definitions().items() if one.is_function]
    tree = ast.parse(PRELUDE + text_of(functions))
    missing = names_used(tree) - names_bound(tree) - set(VOCABULARY) - set(dir(builtins))
    assert not missing


def test_every_definition_stands_in_the_table() -> None:
    from importlib.resources import files

    from autograph.kernels.scalar.source import MODULES

    for module in MODULES:
        tree = ast.parse(files("autograph.kernels").joinpath(module).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found = ast.parse(definitions()[node.name].text).body[0]
                assert isinstance(found, ast.FunctionDef)
                assert [one.arg for one in found.args.args] == [one.arg for one in node.args.args]
                body = node.body[1:] if ast.get_docstring(node) else node.body
                assert [ast.dump(one) for one in found.body] == [ast.dump(one) for one in body]
            elif isinstance(node, ast.Assign):
                assert isinstance(node.targets[0], ast.Name)
                text = definitions()[node.targets[0].id].text
                assert ast.dump(ast.parse(text).body[0]) == ast.dump(node)


@pytest.mark.parametrize(("name", "dtype"), EVERY)
def test_each_function_can_be_had_alone(name: str, dtype: str) -> None:
    namespace: dict[str, object] = {}
    exec(PRELUDE + module_text([(name, dtype)]), namespace)
    assert callable(namespace[SCALAR_FUNCTIONS[name].functions[dtype]])
    own = ast.parse(source_of(name, dtype))
    defined = [node.name for node in own.body if isinstance(node, ast.FunctionDef)]
    assert defined == [SCALAR_FUNCTIONS[name].functions[dtype]]
    needed = {part.name for part in closure(defined) if part.is_function} - set(defined)
    assert set(dependencies(name, dtype)) == needed


def test_innermost_functions_come_first() -> None:
    order = dependencies("random_normal", "float32")
    assert order == ("log_float32",)
    assert dependencies("softplus", np.float64) == ("log1p_float64", "exp_float64")


def test_the_compiler_is_not_imported() -> None:
    program = "import sys, autograph.kernels.scalar; print('llvmlite' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name",
    [
        "exp",
        "expm1",
        "log",
        "log1p",
        "tanh",
        "sigmoid",
        "softplus",
        "sin",
        "erf",
        "erfc",
        "gelu",
        "power",
    ],
)
def test_loops_over_float32_become_vectors(name: str) -> None:
    from autograph.kernels.codegen import machine, module

    function = SCALAR_FUNCTIONS[name]
    call = f"{function.functions['float32']}({', '.join(['x[i]'] * function.arguments)})"
    lines = [
        "def program(arguments):",
        "    count = int64_at(array_data(arguments, 0))[0]",
        "    x = float32_at(array_data(arguments, 1))",
        "    out = float32_at(array_data(arguments, 2))",
        "    for i in range(count):",
        f"        out[i] = {call}",
        "    return 0",
    ]
    text = str(machine.optimized(module.program_module("\n".join(lines))))
    assert re.search(r"f(add|mul|sub) <\d+ x (float|double)>", text)
