"""What the emitted code calls as `ag__`: one operator for each construct it stands for."""

from __future__ import annotations

import sys

from autograph.conversion.convert import emit_for
from autograph.errors import StagingError, TracingSignal
from autograph.operators.calls import call_rules as call_rules  # it binds the rules of calls
from autograph.operators.calls.decorators import base, decorator
from autograph.operators.calls.dispatch import call
from autograph.operators.containers.slices import make_slice
from autograph.operators.expressions.arithmetic import AUGMENTED, BINARY, COMPARISONS, UNARY
from autograph.operators.expressions.attributes import attr, set_attr
from autograph.operators.expressions.boolean import and_, if_exp, or_
from autograph.operators.expressions.chained_comparison import compare_chain
from autograph.operators.expressions.identity import is_, is_not, not_
from autograph.operators.expressions.items import del_item, item, set_item
from autograph.operators.expressions.membership import in_, not_in
from autograph.operators.expressions.names import (
    UNSET_RESULT,
    assert_stmt,
    born,
    growing,
    grown,
    key,
    load,
    load_free,
    load_global,
    new,
    new_set,
    new_tuple,
    returned,
    touch_cells,
    touch_globals,
    truth,
)
from autograph.operators.iterators.generator_recipes import generator
from autograph.operators.iterators.generators import (
    consumed,
    delegated,
    each,
    iterator,
    known,
    resumed,
    suspended,
    suspending,
)
from autograph.operators.iterators.plain_iteration import unpack, unpack_star
from autograph.operators.iterators.resumable_generators import received, resumable, yielded
from autograph.operators.iterators.resumable_sources import delegate, stepper
from autograph.operators.iterators.star_arguments import call_named, mapping
from autograph.operators.iterators.star_arguments import spread as iterate
from autograph.operators.statements.completion_codes import BREAK, CONTINUE, RETURN
from autograph.operators.statements.deletion import del_attr
from autograph.operators.statements.if_and_while import if_stmt, then, while_stmt
from autograph.operators.statements.imports import imported, imported_module
from autograph.operators.statements.loops import for_stmt
from autograph.operators.statements.match_patterns import (
    as_pattern,
    capture,
    captured,
    class_pattern,
    literal,
    mapping_pattern,
    matches,
    or_pattern,
    sequence_pattern,
    singleton,
    star,
    value_pattern,
)
from autograph.operators.statements.try_statement import cause, exception, try_stmt
from autograph.operators.statements.with_statement import context, with_stmt
from autograph.operators.strings.formatting import formatted, joined
from autograph.values.sentinels import UNSET as UNSET

slice = make_slice
Staging = (StagingError, TracingSignal)
"""What no handler of a program takes."""
globals().update(BINARY, **COMPARISONS, **AUGMENTED, **UNARY)
emit_for(sys.modules[__name__])

__all__ = [
    "BREAK",
    "CONTINUE",
    "RETURN",
    "Staging",
    "UNSET_RESULT",
    "and_",
    "as_pattern",
    "assert_stmt",
    "attr",
    "base",
    "born",
    "call",
    "call_named",
    "capture",
    "captured",
    "cause",
    "class_pattern",
    "compare_chain",
    "consumed",
    "context",
    "decorator",
    "del_attr",
    "del_item",
    "delegated",
    "each",
    "exception",
    "for_stmt",
    "formatted",
    "generator",
    "growing",
    "grown",
    "if_exp",
    "imported",
    "imported_module",
    "if_stmt",
    "in_",
    "is_",
    "is_not",
    "item",
    "iterate",
    "iterator",
    "joined",
    "key",
    "known",
    "literal",
    "load",
    "load_free",
    "load_global",
    "mapping",
    "mapping_pattern",
    "matches",
    "new",
    "new_set",
    "new_tuple",
    "not_",
    "not_in",
    "or_",
    "or_pattern",
    "resumed",
    "delegate",
    "received",
    "resumable",
    "stepper",
    "yielded",
    "returned",
    "sequence_pattern",
    "set_attr",
    "set_item",
    "singleton",
    "slice",
    "star",
    "suspended",
    "suspending",
    "then",
    "touch_cells",
    "touch_globals",
    "truth",
    "try_stmt",
    "unpack",
    "unpack_star",
    "value_pattern",
    "while_stmt",
    "with_stmt",
]
