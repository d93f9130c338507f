"""Random programs over NumPy arrays: views of views, in-place changes, branches and loops.

A program is the text of a function of two float arrays, `a` of shape (3, 4) and `b` of shape (4,),
and a number `n`. Names hold arrays of known shapes, so that nearly every statement is valid; what
raises has to raise in both.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

Shape = tuple[int, ...]
ELEMENTWISE = ("np.sin({})", "np.exp(-abs({}))", "{} * 0.5", "{} - 1.0", "np.sqrt(abs({}))", "-{}")
REDUCING = ("{}.sum()", "{}.mean()", "np.max({})", "{}.min()", "np.linalg.norm({})", "{}.std()")
IN_PLACE = ("+=", "-=", "*=")
DEEP = "def deep(one, other, k):\n    return one if k == 0 else deep(other, one, k - 1)\n"


@dataclass
class Writer:
    """Writes one program; `shapes` are those of the names in reach."""

    chance: random.Random
    shapes: dict[str, Shape] = field(default_factory=lambda: {"a": (3, 4), "b": (4,)})
    lines: list[str] = field(default_factory=list)
    made: int = 0

    def name(self, shape: Shape | None = None) -> str:
        """A name in reach, of a shape if one is given."""
        found = [one for one, held in self.shapes.items() if shape is None or held == shape]
        return self.chance.choice(found) if found else ""

    def fresh(self) -> str:
        """A name that is not used yet."""
        self.made += 1
        return f"v{self.made}"

    def index(self, shape: Shape) -> tuple[str, Shape]:
        """A basic index of an array of this shape, and the shape of what it takes."""
        keys, left = [], []
        for size in shape:
            kind = self.chance.randrange(5)
            if kind == 0 and size:
                keys.append(str(self.chance.randrange(-size, size)))
            elif kind == 1 and size:
                keys.append(f"(n + {self.chance.randrange(3)}) % {size}")
            elif kind == 2 and size > 1:
                start = self.chance.randrange(1, size)
                keys.append(f"{start}:")
                left.append(size - start)
            elif kind == 3:
                keys.append("::-1" if self.chance.random() < 0.5 else "::2")
                left.append(size if keys[-1] == "::-1" else (size + 1) // 2)
            else:
                keys.append(":")
                left.append(size)
        return ", ".join(keys), tuple(left)

    def view(self) -> tuple[str, Shape]:
        """An expression that NumPy makes a view for (or a scalar), and its shape."""
        base = self.name()
        shape = self.shapes[base]
        kind = self.chance.randrange(5)
        if kind == 0 and len(shape) == 2:
            return f"{base}.T", shape[::-1]
        if kind == 1 and len(shape) == 2:
            return f"{base}.reshape(-1)", (shape[0] * shape[1],)
        if kind == 2:
            return f"{base}.ravel()", (shape[0] * (shape[1] if len(shape) == 2 else 1),)
        if kind == 3 and len(shape) == 1:
            return f"{base}[:, None]", (shape[0], 1)
        keys, left = self.index(shape)
        return f"{base}[{keys}]", left

    def value(self, shape: Shape) -> str:
        """An expression that broadcasts to a shape."""
        same = self.name(shape)
        if same and self.chance.random() < 0.6:
            return self.chance.choice(ELEMENTWISE).format(same)
        if self.chance.random() < 0.5:
            return self.chance.choice(REDUCING).format(self.name())
        return self.chance.choice(("0.25", "n", "n * 0.5", "-1.0"))

    def statement(self, depth: int, indent: str) -> None:
        """One statement, or a branch or loop of some."""
        kind = self.chance.randrange(13)
        if kind < 3:
            text, shape = self.view()
            if shape:
                made = self.fresh()
                self.lines.append(f"{indent}{made} = {text}")
                self.shapes[made] = shape
            return
        if kind < 5:
            target = self.name()
            operator = self.chance.choice(IN_PLACE)
            self.lines.append(f"{indent}{target} {operator} {self.value(self.shapes[target])}")
        elif kind < 7:
            target = self.name()
            keys, left = self.index(self.shapes[target])
            operator = self.chance.choice(("=", "+=", "*="))
            self.lines.append(f"{indent}{target}[{keys}] {operator} {self.value(left)}")
        elif kind == 7:
            target = self.name()
            self.lines.append(f"{indent}{target}[{target} > {self.chance.choice((0, 1))}] = 0.5")
        elif kind == 8:
            source, made = self.name(), self.fresh()
            text = self.chance.choice((*ELEMENTWISE, "{}.copy()", "np.zeros_like({})"))
            self.lines.append(f"{indent}{made} = {text.format(source)}")
            self.shapes[made] = self.shapes[source]
        elif kind == 9:
            self.lines.append(f"{indent}s += {self.chance.choice(REDUCING).format(self.name())}")
        elif kind == 10:
            source, made = self.name(), self.fresh()
            other = self.name(self.shapes[source])
            self.lines.append(f"{indent}{made} = deep({source}, {other}, n)[:]")
            self.shapes[made] = self.shapes[source]
        elif depth:
            self.block(depth, indent)

    def block(self, depth: int, indent: str) -> None:
        """A branch or a loop. What it makes is not in reach after it."""
        known = dict(self.shapes)
        test = f"{self.chance.choice(REDUCING).format(self.name())} > {self.chance.choice((0, 1))}"
        loop = self.chance.random() < 0.4
        headers = ["for i in range(int(n) + 1):"] if loop else [f"if {test}:", "else:"]
        for header in headers:
            self.lines.append(f"{indent}{header}")
            for _ in range(self.chance.randrange(1, 4)):
                self.statement(depth - 1, indent + "    ")
            self.lines.append(f"{indent}    pass")
            self.shapes = dict(known)


def random_array_program(seed: int) -> str:
    """The text of a function `program(a, b, n)`."""
    writer = Writer(random.Random(seed))
    writer.lines.append("    s = 0.0")
    for _ in range(writer.chance.randrange(4, 10)):
        writer.statement(2, "    ")
    names = ", ".join(writer.chance.sample(list(writer.shapes), min(3, len(writer.shapes))))
    writer.lines.append(f"    return s, {names}")
    return "\n".join([DEEP, "def program(a, b, n):", *writer.lines, ""])
