"""What the transpiler raises. Each class's docstring is its documentation.

Every error here is a `StagingError` (and there is one warning): it says what cannot be done, with
the user's variable; where, with the line; and what to write instead. Exceptions of the user's own
program are never of these classes. What a trace says to itself is a `TracingSignal`.
"""

from __future__ import annotations

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.graph.ir import StagedValueError
from autograph.runtime.graph.trace import LeakedValueError

__all__ = [
    "ArgumentError",
    "CheckError",
    "LeakedValueError",
    "LoopTypeError",
    "MergeError",
    "NoReturnError",
    "RetracingWarning",
    "RoundingWarning",
    "ShapeError",
    "SourceNotAvailableError",
    "StagedValueError",
    "StagingError",
    "StateError",
    "UnconvertedCallError",
    "UnsupportedSyntaxError",
]


class TracingSignal(BaseException):
    """What a trace says to itself: to begin anew, knowing more, or to put a path aside.

    Nobody else sees it: no handler and no `__exit__` of a program gets it.
    """


class SourceNotAvailableError(StagingError):
    """The source of a function was not found, or is not that of the code that runs.

    Functions are converted from their source. It is missing for functions typed into a plain
    `python` prompt, made by `exec` of a string, or shipped as bytecode only; and it is wrong once
    the file was edited after its import. Put the function into a file, or import it again.

        exec("def g(x): return x + 1")      # ag.function(g) raises when it is called
        def g(x): return x + 1              # instead: in a file
    """


class UnsupportedSyntaxError(StagingError):
    """A function uses a construct that is not converted.

    The message names the construct and its line, and says what to write instead. Code that needs
    the construct can be kept out of the conversion with `do_not_convert`.

        async def f(x): return x            # f(t(1.0)): UnsupportedSyntaxError
        def f(x): return x                  # instead: await outside
    """


class UnconvertedCallError(StagingError):
    """A call reaches code that is not converted and whose effects are not known.

    A C function, or a function without source, would run once, while the graph is made, instead
    of each time the graph runs. Wrap it in `py_function`, so that it is called back each time; or
    say with `pure` that its result depends on its arguments alone.

        def f(x): return os.getpid() * x    # f(t(2.0)): UnconvertedCallError
        def f(x, process=7): return process * x     # instead: pass it in
    """


class MergeError(StagingError):
    """The two sides of a staged condition leave something that cannot become one value.

    After a condition on a tensor, each changed variable, attribute or item must be one value,
    whichever side runs. Give it the same kind of value on both sides, or move what depends on it
    into the branches.

        def f(x):
            names = [b"number %d" % k for k in range(80)]
            return names[x]                 # f(t(3)): MergeError
        def f(x):
            names = [f"number {k}" for k in range(80)]
            return names[x]                 # instead: strings, or the number alone
    """


class LoopTypeError(StagingError):
    """A value that a staged loop carries has no type that stays the same from turn to turn.

    Start it with a value of the dtype and shape that the loop's body gives it.

        def f(n):
            x = ag.zeros(())
            for _ in range(n): x = ag.expand_dims(x, axis=0)
            return x                        # f(t(3)): LoopTypeError
        def f(n):
            x = ag.zeros((1,))
            for _ in range(n): x = ag.concat([x, x])
            return x                        # instead: the rank stays, a size may change
    """


class ShapeError(StagingError, ValueError):
    """A shape must be known while a function is staged, and is not.

    Shapes that do not fit each other are the program's own errors, plain `ValueError`s.

        def f(n): return max(*range(n))     # f(t(3)): ShapeError
        def f(n): return max(range(n))      # instead
    """


class ArgumentError(StagingError, TypeError):
    """An argument of a staged function is of a kind that it cannot take.

    Tensors, arrays, numbers, strings, `None`, functions, and lists, tuples,
    dicts and dataclasses of these are arguments; other objects are reached as attributes of
    `self`, as globals or as closure variables.

        def f(x):
            return ag.py_function(lambda x: x, [x], "f32[]")    # f(t(1.0)): ArgumentError
        def f(x):
            return ag.py_function(lambda x: x, [x], ag.TensorSpec((), ag.float32))  # instead
    """


class StateError(StagingError):
    """Staged code changes state in a way that cannot be carried out after the graph has run.

    The message names the object. Change it before or after the staged code, or through a
    `Variable`, a list or an attribute.

        def f(x):
            class Item:
                def value(self): return x
            return Item()                           # f(t(1.0)): StateError
        def f(x): return lambda: x                  # instead: return what holds the value
    """


class NoReturnError(StagingError):
    """A recursive function has no way to return that does not call itself again.

    Give the recursion a condition under which it ends.

        def f(n):
            def down(k): return down(k - 1) if k > 0 else down(k)
            return down(n)                  # f(t(3)): NoReturnError
        def f(n):
            def down(k): return down(k - 1) if k > 0 else k
            return down(n)                  # instead
    """


class CheckError(StagingError):
    """Check mode found a difference between a staged call and the eager original.

    The message says where (a part of the result, of an argument or of other state), with both
    values. Nothing is changed by the call. Code that does something else in each run (it reads a
    clock, or draws random numbers in a `py_function`) differs as well; any other difference is a
    bug of this package.
    """


class RoundingWarning(UserWarning):
    """Check mode found that the compiled program decided a condition otherwise, by rounding alone.

    The operands are so near to each other that the last bits of a function or of a sum decide.
    This is no bug; compare with a tolerance where it matters.
    """


class RetracingWarning(UserWarning):
    """A staged function is traced again and again, which costs far more than it saves.

    Each trace fits the kinds of arguments and the Python state that it met. The message names what
    changed from trace to trace. Sizes and numbers that change become inputs by themselves; strings,
    objects, dtypes and the number of axes do not: pass a tensor, or make a function for each kind.
    """
