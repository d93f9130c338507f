"""Random programs whose arrays change while lists and dicts of staged length hold them.

A program is the text of a function of two rows, `places` of small integers and `gains` of floats. A
list `L`, a dict `D` and the names `a` and `b` hold arrays of two elements; several of them may hold
one and the same.
"""

from __future__ import annotations

import random

STATEMENTS = (
    "L.append(np.array([r, 1.0]))",
    "L.append({n})",
    "L.append({n}.copy())",
    "L.insert(0, np.array([t, r]))",
    "L = L + [{n}]",
    "L = list(L)",
    "if L: L[{i}] = {n}",
    "if L: L[{i}] = np.array([r, t])",
    "if L: L[{i}] += r",
    "if L: L[{i}][1] = s",
    "if L: {n} = L[{i}]",
    "if L: D[{k}] = L[{i}]",
    "if L: t += L[{i}].sum()",
    "if len(L) > 2: L.pop()",
    "if len(L) > 3: del L[0]",
    "if len(L) > 1: L[0], L[-1] = L[-1], L[0]",
    "for v in L: v += 1",
    "D[{k}] = np.full(2, r)",
    "D.setdefault({k}, np.zeros(2))",
    "if {k} in D: D[{k}] -= 1",
    "if {k} in D: {n} = D[{k}]",
    "if {k} in D: L.append(D[{k}])",
    "if {k} in D: del D[{k}]",
    "for q in D: D[q] += 0.25",
    "{n} = np.array([r, s * 1.0])",
    "{n} = {m}",
    "{n} = {n} + r",
    "{n} += r",
    "{n} *= 0.5",
    "{n}[0] = r",
    "t += {n}[0]",
    "if L and L[{i}] is {n}: t += 1",
)
PLACES = ("0", "-1", "int(s) % len(L)", "int(r) % len(L)")
KEYS = ("int(s)", "0", "int(s) % 2")
CONDITIONS = ("r > 0", "s == 1", "{n}[0] > r", "len(L) > 2", "t > 1")


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def filled(self, template: str) -> str:
        """A statement or a condition with names, places and a key."""
        choice = self.chance.choice
        return template.format(n=choice("ab"), m=choice("ab"), i=choice(PLACES), k=choice(KEYS))

    def statement(self, indent: str, depth: int = 0) -> list[str]:
        """The lines of a statement, or of a branch of some."""
        if depth == 2 or self.chance.random() > 0.3:
            return [indent + self.filled(self.chance.choice(STATEMENTS))]
        lines = [f"{indent}if {self.filled(self.chance.choice(CONDITIONS))}:"]
        for _ in range(self.chance.randint(1, 2)):
            lines += self.statement(indent + "    ", depth + 1)
        if self.chance.random() < 0.4:
            lines += [f"{indent}else:", *self.statement(indent + "    ", depth + 1)]
        return lines


def random_held_program(seed: int) -> str:
    """The text of a function `program(places, gains)`."""
    return _program(seed, "places, gains", "[], {}, np.zeros(2), np.ones(2)")


def random_kept_program(seed: int) -> str:
    """The text of a function `program(model, places, gains)`, of what `model` has of each."""
    return _program(seed, "model, places, gains", "model.L, model.D, model.a, model.b")


def _program(seed: int, parameters: str, start: str) -> str:
    writer = Writer(seed)
    lines = [f"L, D, a, b = {start}", "t = 0.0"]
    lines.append("for s, r in zip(places, gains):")
    for _ in range(writer.chance.randint(2, 5)):
        lines += writer.statement("    ")
    if writer.chance.random() < 0.5:
        lines.append("for v in L: v -= 1")
    if writer.chance.random() < 0.4:
        lines.append("a += 10")
    lines.append("return L, D, a, b, t")
    return "\n".join([f"def program({parameters}):", *(f"    {one}" for one in lines), ""])
