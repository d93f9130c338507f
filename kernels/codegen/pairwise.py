"""Sums of floats in the order in which NumPy adds: pairs of sums of pairs.

NumPy halves what it adds until at most 128 values are left, a leaf; adds those in eight sums, every
eighth value to each; and these in pairs (`pairwise_sum` in its `loops_utils.h`). In a program such
a sum is a variable that loops gather by `gather_sum`; `sums` writes the machine code of them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

from autograph.kernels.codegen.kernel import nodes_of

LEAF = 128
"""So many values are added without another halving."""
ROW = 1024
"""So many values are put into a buffer at once, behind room for what a leaf has so far."""
LANES = 8
MOST_DEEP = 64
WORDS = 2 * MOST_DEEP + 8
"""The room for the state of a sum, in words of 8 bytes, by these places:"""
FILLED, NEEDED, DEPTH, RIGHT, TOTAL, SIZES, PARTS = 0, 1, 2, 3, 4, 8, 8 + MOST_DEEP


class Gathered(NamedTuple):
    """A variable that loops gather: the loops, from the outermost one inwards."""

    name: str
    loops: tuple[ast.For, ...]


def gathered_sums(function: ast.FunctionDef) -> dict[int, list[Gathered]]:
    """The sums of a function, by the `id` of their outermost loops."""
    walk = _Walk()
    walk.block(function.body, ())
    found: dict[int, list[Gathered]] = {}
    for name, loops in walk.gathers:
        chain: list[ast.For] = []
        for loop in reversed(loops):
            if loop is None or loop in walk.left or walk.count(name, loop) > 1:
                break
            bounds = [one.id for each in chain for one in nodes_of(each.iter) if _is_name(one)]
            if any(walk.count(one, loop) for one in bounds):
                break  # how often the inner loop turns is not known before
            chain.insert(0, loop)
        if chain:
            found.setdefault(id(chain[0]), []).append(Gathered(name, tuple(chain)))
    return found


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


Loops = tuple[ast.For | None, ...]
"""The loops around a statement, None for a branch or another kind of loop."""


class _Walk:
    def __init__(self) -> None:
        self.gathers: list[tuple[str, Loops]] = []
        self.stores: dict[str, list[Loops]] = {}
        self.left: list[ast.For | None] = []
        """Loops that may end early, or skip what they gather."""

    def count(self, name: str, loop: ast.For) -> int:
        """In how many places a loop assigns a variable."""
        return sum(1 for others in self.stores.get(name, ()) if loop in others)

    def block(self, body: Sequence[ast.stmt], loops: Loops) -> None:
        for one in body:
            if isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign):
                self._assignment(one, loops)
            elif isinstance(one, ast.For):
                self._store(one.target, (*loops, one))
                self.block(one.body, (*loops, one))
            elif isinstance(one, ast.If | ast.While):
                self.block([*one.body, *one.orelse], (*loops, None))
            elif isinstance(one, ast.Break | ast.Continue | ast.Return):
                self.left += loops

    def _assignment(self, one: ast.Assign | ast.AnnAssign | ast.AugAssign, loops: Loops) -> None:
        targets = one.targets if isinstance(one, ast.Assign) else [one.target]
        for target in targets:
            self._store(target, loops)
        if gathered_value(one) is not None:
            assert isinstance(targets[0], ast.Name)
            self.gathers.append((targets[0].id, loops))

    def _store(self, target: ast.expr, loops: Loops) -> None:
        for part in target.elts if isinstance(target, ast.Tuple) else [target]:
            if isinstance(part, ast.Name):
                self.stores.setdefault(part.id, []).append(loops)


def gathered_value(node: ast.stmt) -> ast.expr | None:
    """What `total = gather_sum(total, value)` adds; None for any other statement."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return None
    (target,), call = node.targets, node.value
    if not isinstance(target, ast.Name) or not isinstance(call.func, ast.Name):
        return None
    if call.func.id != "gather_sum" or not isinstance(call.args[0], ast.Name):
        return None
    return call.args[1] if call.args[0].id == target.id else None


def only_computes(loop: ast.For) -> bool:
    """Whether the turns of a loop do nothing but give values to variables."""
    targets = [one.targets[0] if isinstance(one, ast.Assign) else None for one in loop.body]
    return all(isinstance(one, ast.Name) for one in targets)


def calls_in(loop: ast.For) -> set[str]:
    """What a loop calls."""
    return {
        one.func.id
        for statement in loop.body
        for one in nodes_of(statement)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
    }


def sum_text(name: str) -> str:
    """The text of a function of sums; empty where there is none of that name."""
    texts = {"begin_pairs": _BEGIN, "loops_of_lanes": _LOOPS}
    for bits, kind in ((32, "float"), (64, "double")):
        at = {"n": bits, "t": kind, "bytes": bits // 8}
        texts[f"sum_of_leaf{bits}"] = _LEAF.format(**at)
        texts[f"end_of_leaf{bits}"] = _END.format(**at)
        texts[f"add_leaves{bits}"] = _ADD.format(**at)
    return texts.get(name, "")


def _place(word: int, at: str = "state") -> str:
    return f"getelementptr i64, ptr %{at}, i64 {word}"


_DESCEND = f"""
define internal void @halve_pairs(ptr %state, i64 %count) noinline nounwind {{{{
  %p_depth = {_place(DEPTH)}
  %p_right = {_place(RIGHT)}
  %p_needed = {_place(NEEDED)}
  %p_sizes = {_place(SIZES)}
  %depth0 = load i64, ptr %p_depth
  %right0 = load i64, ptr %p_right
  br label %look
look:
  %size = phi i64 [ %count, %0 ], [ %left, %halve ]
  %depth = phi i64 [ %depth0, %0 ], [ %deeper, %halve ]
  %right = phi i64 [ %right0, %0 ], [ %path, %halve ]
  %large = icmp sgt i64 %size, {LEAF}
  br i1 %large, label %halve, label %done
halve:
  %half = lshr i64 %size, 1
  %left = and i64 %half, -{LANES}
  %rest = sub i64 %size, %left
  %deeper = add i64 %depth, 1
  %path = shl i64 %right, 1
  %p_size = getelementptr i64, ptr %p_sizes, i64 %deeper
  store i64 %rest, ptr %p_size
  br label %look
done:
  store i64 %depth, ptr %p_depth
  store i64 %right, ptr %p_right
  store i64 %size, ptr %p_needed
  ret void
}}}}
""".replace("{{", "{").replace("}}", "}")

LANE_LOOP, REST_LOOP = 9001, 9002
"""The notes for LLVM at the ends of loops: of one that goes over lanes, and of what is left."""
_LOOPS = f"""
!{LANE_LOOP} = distinct !{{!{LANE_LOOP}, !9005}}
!{REST_LOOP} = distinct !{{!{REST_LOOP}, !9005, !9006}}
!9003 = !{{!"llvm.loop.vectorize.width", i32 {LANES}}}
!9004 = !{{!"llvm.loop.interleave.count", i32 1}}
!9005 = !{{!"llvm.loop.unroll.disable"}}
!9006 = !{{!"llvm.loop.vectorize.enable", i1 false}}
"""

_BEGIN = f"""{_DESCEND}
define internal void @begin_pairs(ptr %state, i64 %count) alwaysinline nounwind {{
  %p_filled = {_place(FILLED)}
  %p_needed = {_place(NEEDED)}
  %p_depth = {_place(DEPTH)}
  %p_right = {_place(RIGHT)}
  %p_total = {_place(TOTAL)}
  store i64 0, ptr %p_filled
  store i64 %count, ptr %p_needed
  store i64 0, ptr %p_depth
  store i64 0, ptr %p_right
  store i64 0, ptr %p_total
  %large = icmp sgt i64 %count, {LEAF}
  br i1 %large, label %halve, label %done
halve:
  call void @halve_pairs(ptr %state, i64 %count)
  br label %done
done:
  ret void
}}
"""

_LEAF = """
define internal {t} @sum_of_leaf{n}(ptr %a, i64 %count) noinline nounwind {{
  %few = icmp slt i64 %count, 8
  br i1 %few, label %rest, label %lanes
lanes:
  %first = load <8 x {t}>, ptr %a, align 4
  %whole = and i64 %count, -8
  %some = icmp sgt i64 %whole, 8
  br i1 %some, label %eight, label %pairs
eight:
  %at = phi i64 [ 8, %lanes ], [ %following, %eight ]
  %before = phi <8 x {t}> [ %first, %lanes ], [ %after, %eight ]
  %p_next = getelementptr {t}, ptr %a, i64 %at
  %next = load <8 x {t}>, ptr %p_next, align 4
  %after = fadd <8 x {t}> %before, %next
  %following = add i64 %at, 8
  %more = icmp slt i64 %following, %whole
  br i1 %more, label %eight, label %pairs
pairs:
  %sums = phi <8 x {t}> [ %first, %lanes ], [ %after, %eight ]
  %e8 = shufflevector <8 x {t}> %sums, <8 x {t}> %sums, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %o8 = shufflevector <8 x {t}> %sums, <8 x {t}> %sums, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %s4 = fadd <4 x {t}> %e8, %o8
  %e4 = shufflevector <4 x {t}> %s4, <4 x {t}> %s4, <2 x i32> <i32 0, i32 2>
  %o4 = shufflevector <4 x {t}> %s4, <4 x {t}> %s4, <2 x i32> <i32 1, i32 3>
  %s2 = fadd <2 x {t}> %e4, %o4
  %left = extractelement <2 x {t}> %s2, i32 0
  %right = extractelement <2 x {t}> %s2, i32 1
  %both = fadd {t} %left, %right
  br label %rest
rest:
  %start = phi i64 [ 0, %0 ], [ %whole, %pairs ]
  %sum = phi {t} [ -0.0, %0 ], [ %both, %pairs ]
  %any = icmp slt i64 %start, %count
  br i1 %any, label %one, label %done
one:
  %i = phi i64 [ %start, %rest ], [ %i1, %one ]
  %so_far = phi {t} [ %sum, %rest ], [ %now, %one ]
  %p_value = getelementptr {t}, ptr %a, i64 %i
  %value = load {t}, ptr %p_value
  %now = fadd {t} %so_far, %value
  %i1 = add i64 %i, 1
  %again = icmp slt i64 %i1, %count
  br i1 %again, label %one, label %done
done:
  %result = phi {t} [ %sum, %rest ], [ %now, %one ]
  ret {t} %result
}}
"""

_END = f"""
define internal void @end_of_leaf{{n}}(ptr %state, {{t}} %leaf) noinline nounwind {{{{
  %p_needed = {_place(NEEDED)}
  %p_depth = {_place(DEPTH)}
  %p_right = {_place(RIGHT)}
  %p_total = {_place(TOTAL)}
  %p_sizes = {_place(SIZES)}
  %p_parts = {_place(PARTS)}
  %depth0 = load i64, ptr %p_depth
  %right0 = load i64, ptr %p_right
  br label %look
look:
  %sum = phi {{t}} [ %leaf, %0 ], [ %both, %join ]
  %depth = phi i64 [ %depth0, %0 ], [ %higher, %join ]
  %right = phi i64 [ %right0, %0 ], [ %path, %join ]
  %last = and i64 %right, 1
  %is_right = icmp ne i64 %last, 0
  %p_part = getelementptr i64, ptr %p_parts, i64 %depth
  br i1 %is_right, label %join, label %joined
join:
  %part = load {{t}}, ptr %p_part
  %both = fadd {{t}} %part, %sum
  %higher = sub i64 %depth, 1
  %path = lshr i64 %right, 1
  br label %look
joined:
  %top = icmp eq i64 %depth, 0
  br i1 %top, label %done, label %go_on
go_on:
  store {{t}} %sum, ptr %p_part
  %other = or i64 %right, 1
  store i64 %depth, ptr %p_depth
  store i64 %other, ptr %p_right
  %p_size = getelementptr i64, ptr %p_sizes, i64 %depth
  %size = load i64, ptr %p_size
  call void @halve_pairs(ptr %state, i64 %size)
  ret void
done:
  store {{t}} %sum, ptr %p_total
  store i64 {(1 << 62)}, ptr %p_needed
  ret void
}}}}
"""

_ADD = f"""
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @add_leaves{{n}}(ptr %state, ptr %buffer, i64 %count) noinline nounwind {{{{
  %p_filled = {_place(FILLED)}
  %p_needed = {_place(NEEDED)}
  %filled = load i64, ptr %p_filled
  %start = sub i64 {LEAF}, %filled
  %stop = add i64 {LEAF}, %count
  br label %look
look:
  %at = phi i64 [ %start, %0 ], [ %following, %leaf ]
  %p_at = getelementptr {{t}}, ptr %buffer, i64 %at
  %needed = load i64, ptr %p_needed
  %following = add i64 %at, %needed
  %full = icmp sle i64 %following, %stop
  br i1 %full, label %leaf, label %keep
leaf:
  %sum = call {{t}} @sum_of_leaf{{n}}(ptr %p_at, i64 %needed)
  call void @end_of_leaf{{n}}(ptr %state, {{t}} %sum)
  br label %look
keep:
  %left = sub i64 %stop, %at
  store i64 %left, ptr %p_filled
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %move, label %done
move:
  %to = sub i64 {LEAF}, %left
  %p_to = getelementptr {{t}}, ptr %buffer, i64 %to
  %bytes = mul i64 %left, {{bytes}}
  call void @llvm.memmove.p0.p0.i64(ptr %p_to, ptr %p_at, i64 %bytes, i1 false)
  br label %done
done:
  ret void
}}}}
"""
