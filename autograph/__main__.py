"""`python -m autograph show FILE.py:FUNCTION`: the stages of a function as text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from autograph.errors import StagingError
from autograph.show import FORMS, ShowError, show
from autograph.showing.error_page import error_page

_EPILOG = """\
The source has its control flow converted and its expressions as written; raw is what runs, call
by call.

The file is run as a module, so code under `if __name__ == "__main__":` is not. The source and its
diff need nothing else. All other forms are made for certain arguments. They may be given:

    --args 'f32[3,2], i64[], scale=2.0'     a tensor by its dtype and shape, else Python
    --args 'Model(), f32[n]'                names are those of the module; a size may have a name

Else they are those that a hook in the file gives, those of the last call made while the file was
run, or those that annotations tell (`x: ag.TensorSpec((3, 2))` or `x: "f32[3,2]"`). The hook:

    def example_arguments(name):          # "FUNCTION", or "Class.method"
        return (ag.zeros((2, 3)),), {}    # (args, kwargs); a method's first argument is its object

Exit codes: 0, shown; 1, the function cannot be staged; 2, there is no such target.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "errors":
            text = error_page()
        else:
            text = show(options.target, options.form, options.arguments)
    except ShowError as error:
        print(f"autograph: {error}", file=sys.stderr)
        return 2
    except StagingError as error:
        print(f"autograph: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    text = text if text.endswith("\n") else text + "\n"
    if options.output is None:
        sys.stdout.write(text)
        return 0
    try:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        print(f"autograph: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m autograph", description="Show what a function becomes, or what errors mean."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser(
        "show",
        help="print what a function becomes: its source, graph or program, a picture, a page",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("target", help="MODULE:FUNCTION or FILE.py:Class.method")
    command.add_argument(
        "--as",
        dest="form",
        choices=FORMS,
        default="source",
        help="what to show (default: %(default)s)",
    )
    command.add_argument(
        "--args", dest="arguments", metavar="ARGUMENTS", help="what to trace it with, see below"
    )
    errors = commands.add_parser("errors", help="print the page on the error classes")
    for one in (command, errors):
        one.add_argument("-o", dest="output", metavar="FILE", help="write to FILE, not to stdout")
    return parser


if __name__ == "__main__":
    sys.exit(main())
