"""Source text, syntax trees and code objects: everything that knows how Python is written.

`source` finds a function's tree, `fence` rejects what is not converted, `build` makes a function
from a tree, `unparse` prints one. The library behind the trees, gast, is used nowhere else: other
rooms take their node classes from `tree`.
"""
