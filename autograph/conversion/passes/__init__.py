"""From a function's tree to one whose control flow and operators are calls.

One room for each construct, its program before and after in the docstring. The order of the passes
is in `autograph.pipeline`. Statements are converted by `blocks`, which knows what follows an
escape, with the help of `conditionals`, `loops`, `contexts` and `handlers`; expressions by the walk
in `rewriting`, with the rules that `expressions` lists.
"""
