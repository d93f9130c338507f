"""From a function's tree to one whose control flow and operators are calls.

One room for each construct, its program before and after in the docstring. The order of the passes
is in `conversion/pipeline`. Statements are rewritten by `statements/blocks`, which knows what
follows an escape; expressions by the walk in `rewriting`, with the rules that `operator_calls`
lists.
"""
