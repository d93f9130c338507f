"""A program as readable Python source: the text that is compiled and that CPython can run."""

from __future__ import annotations

from autograph.kernels.program import (
    HEAVY_STRIP,
    LIGHT_STRIP,
    Assign,
    Break,
    Comment,
    Execute,
    For,
    Function,
    If,
    Program,
    Return,
    Statement,
    While,
    is_heavy,
)

STEP = "    "
INTERRUPTED = "return fail(frame, -1)"


def emit(program: Program) -> str:
    """The text of a whole program."""
    return "\n\n\n".join(_function(function) for function in program.functions) + "\n"


def _function(function: Function) -> str:
    lines = [f"def {function.name}({', '.join(function.parameters)}):"]
    _block(function.body, 1, lines, "")
    text = "\n".join(lines)
    return text if function.framed else text.replace(INTERRUPTED, "return -1")


def _block(body: list[Statement], depth: int, lines: list[str], loop: str) -> None:
    """Append the lines of `body`; `loop` names the innermost While."""
    before = len(lines)
    for statement in body:
        _statement(statement, depth, lines, loop)
    if all(line.lstrip().startswith("#") for line in lines[before:]):
        lines.append(STEP * depth + "pass")


def _statement(statement: Statement, depth: int, lines: list[str], loop: str) -> None:
    indent = STEP * depth
    if isinstance(statement, Assign):
        lines.append(f"{indent}{statement.target} = {statement.value}")
    elif isinstance(statement, Execute):
        lines.append(indent + statement.call)
    elif isinstance(statement, Comment):
        lines.append(f"{indent}# {statement.text}")
    elif isinstance(statement, Return):
        lines.append(f"{indent}return {statement.value}")
    elif isinstance(statement, Break):
        lines.append(f"{indent}{loop} = False")
        lines.append(f"{indent}break")
    elif isinstance(statement, For):
        bounds = ", ".join(x for x in (statement.start, statement.count, statement.step) if x)
        over = f"parallel_range({statement.count}, {statement.work})"
        over = over if statement.work else f"{statement.range}({bounds})"
        lines.append(f"{indent}for {statement.variable} in {over}:")
        _block(statement.body, depth + 1, lines, "")
    elif isinstance(statement, If):
        _branches(statement, depth, lines, loop)
    else:
        _while(statement, depth, lines)


def _branches(statement: If, depth: int, lines: list[str], loop: str) -> None:
    word = "if"
    for condition, body in statement.branches:
        head = f"{word} {condition}:" if condition else "else:"
        lines.append(STEP * depth + head)
        _block(body, depth + 1, lines, loop)
        word = "elif"


def _while(statement: While, depth: int, lines: list[str]) -> None:
    """A loop in strips: signals are looked for after each strip, so that a turn pays nothing."""
    indent = STEP * depth
    going = statement.name
    strip = HEAVY_STRIP if is_heavy(statement.body) else LIGHT_STRIP
    lines.append(f"{indent}{going} = True")
    lines.append(f"{indent}while {going}:")
    lines.append(f"{indent}{STEP}for _{going} in range({strip}):")
    _block(statement.body, depth + 2, lines, going)
    lines.append(f"{indent}{STEP}if {going} and interrupted():")
    lines.append(f"{indent}{STEP}{STEP}{INTERRUPTED}")
