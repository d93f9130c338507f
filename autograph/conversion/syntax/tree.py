"""Trees of Python source: the node classes of gast, and short ways to make nodes.

A gast tree looks the same whatever Python runs. It differs from the standard library's in that
parameters and the names of `except ... as name` are `Name` nodes.
"""

from __future__ import annotations

from typing import Any

from gast import (
    AST,
    Add,
    And,
    AnnAssign,
    Assert,
    Assign,
    AsyncFor,
    AsyncFunctionDef,
    AsyncWith,
    Attribute,
    AugAssign,
    Await,
    BinOp,
    BitAnd,
    BitOr,
    BitXor,
    BoolOp,
    Break,
    Call,
    ClassDef,
    Compare,
    Constant,
    Continue,
    Del,
    Delete,
    Dict,
    DictComp,
    Div,
    Eq,
    ExceptHandler,
    Expr,
    Expression,
    FloorDiv,
    For,
    FormattedValue,
    FunctionDef,
    GeneratorExp,
    Global,
    Gt,
    GtE,
    If,
    IfExp,
    Import,
    ImportFrom,
    In,
    Interpolation,
    Invert,
    Is,
    IsNot,
    JoinedStr,
    Lambda,
    List,
    ListComp,
    Load,
    LShift,
    Lt,
    LtE,
    Match,
    MatchAs,
    MatchClass,
    MatchMapping,
    MatchOr,
    MatchSequence,
    MatchSingleton,
    MatchStar,
    MatchValue,
    MatMult,
    Mod,
    Module,
    Mult,
    Name,
    NamedExpr,
    NodeTransformer,
    NodeVisitor,
    Nonlocal,
    Not,
    NotEq,
    NotIn,
    Or,
    Param,
    ParamSpec,
    Pass,
    Pow,
    Raise,
    Return,
    RShift,
    Set,
    SetComp,
    Slice,
    Starred,
    Store,
    Sub,
    Subscript,
    TemplateStr,
    Try,
    TryStar,
    Tuple,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
    UAdd,
    UnaryOp,
    USub,
    While,
    With,
    Yield,
    YieldFrom,
    alias,
    arguments,
    ast_to_gast,
    comprehension,
    copy_location,
    dump,
    expr,
    expr_context,
    gast_to_ast,
    keyword,
    match_case,
    slice,
    stmt,
    type_param,
    walk,
    withitem,
)

__all__ = [
    "AST",
    "Add",
    "And",
    "AnnAssign",
    "Assert",
    "Assign",
    "AsyncFor",
    "AsyncFunctionDef",
    "AsyncWith",
    "Attribute",
    "AugAssign",
    "Await",
    "BinOp",
    "BitAnd",
    "BitOr",
    "BitXor",
    "BoolOp",
    "Break",
    "Call",
    "ClassDef",
    "Compare",
    "Constant",
    "Continue",
    "Del",
    "Delete",
    "Dict",
    "DictComp",
    "Div",
    "Eq",
    "ExceptHandler",
    "Expr",
    "Expression",
    "FloorDiv",
    "For",
    "FormattedValue",
    "FunctionDef",
    "GeneratorExp",
    "Global",
    "Gt",
    "GtE",
    "If",
    "IfExp",
    "Import",
    "ImportFrom",
    "In",
    "Interpolation",
    "Invert",
    "Is",
    "IsNot",
    "JoinedStr",
    "LShift",
    "Lambda",
    "List",
    "ListComp",
    "Load",
    "Lt",
    "LtE",
    "MatMult",
    "Match",
    "MatchAs",
    "MatchClass",
    "MatchMapping",
    "MatchOr",
    "MatchSequence",
    "MatchSingleton",
    "MatchStar",
    "MatchValue",
    "Mod",
    "Module",
    "Mult",
    "Name",
    "NamedExpr",
    "Node",
    "NodeTransformer",
    "NodeVisitor",
    "Nonlocal",
    "Not",
    "NotEq",
    "NotIn",
    "Or",
    "Param",
    "ParamSpec",
    "Pass",
    "Pow",
    "RShift",
    "Raise",
    "Return",
    "Set",
    "SetComp",
    "Slice",
    "Starred",
    "Store",
    "Sub",
    "Subscript",
    "TemplateStr",
    "Try",
    "TryStar",
    "Tuple",
    "TypeAlias",
    "TypeVar",
    "TypeVarTuple",
    "UAdd",
    "USub",
    "UnaryOp",
    "While",
    "With",
    "Yield",
    "YieldFrom",
    "alias",
    "arguments",
    "arguments_of",
    "ast_to_gast",
    "attribute",
    "call",
    "comprehension",
    "constant",
    "copy_location",
    "copy_tree",
    "dump",
    "expr",
    "gast_to_ast",
    "iter_child_nodes",
    "keyword",
    "match_case",
    "name_load",
    "name_store",
    "parameter",
    "same_tree",
    "set_location",
    "slice",
    "stmt",
    "type_param",
    "walk",
    "withitem",
]

# What any node is. gast is untyped, so this says no more than that a tree is meant.
Node = Any


def name_load(identifier: str, at: Node = None) -> Node:
    """The name, read; positioned at `at` where given, as all makers here."""
    return _placed(Name(identifier, Load(), None, None), at)


def name_store(identifier: str, at: Node = None) -> Node:
    """The name, assigned."""
    return _placed(Name(identifier, Store(), None, None), at)


def parameter(identifier: str, at: Node = None) -> Node:
    """The name, as a parameter of a function."""
    return _placed(Name(identifier, Param(), None, None), at)


def constant(value: object, at: Node = None) -> Node:
    """A literal: a number, string, bytes, bool, None or Ellipsis."""
    return _placed(Constant(value, None), at)


def attribute(value: Node, name: str, at: Node = None) -> Node:
    """`value.name`, read."""
    return _placed(Attribute(value, name, Load()), at)


def call(function: Node, *positional: Node, at: Node = None, **named: Node) -> Node:
    """`function(*positional, **named)`, each argument a node."""
    keywords = [_placed(keyword(name, value), at) for name, value in named.items()]
    return _placed(Call(function, list(positional), keywords), at)


def arguments_of(*names: str, at: Node = None) -> Node:
    """A parameter list of plain positional names."""
    return arguments([parameter(name, at) for name in names], [], None, [], [], None, [])


def copy_tree(node: Node) -> Node:
    """A copy of a tree that shares no node with it. Values of constants are shared."""
    if isinstance(node, list):
        return [copy_tree(item) for item in node]
    if not isinstance(node, AST):
        return node
    copied = type(node)(**{name: copy_tree(getattr(node, name, None)) for name in node._fields})
    for name in node._attributes:
        if hasattr(node, name):
            setattr(copied, name, getattr(node, name))
    return copied


def iter_child_nodes(node: Node) -> list[Node]:
    """The nodes directly in a node, in order, without the contexts (`Load`) of names.

    The standard library's generator of the same name takes a tenth of a conversion.
    """
    found = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, AST)]
        elif isinstance(value, AST) and not isinstance(value, expr_context):
            found.append(value)
    return found


def same_tree(first: Node, second: Node) -> bool:
    """Whether two trees are the same program, positions aside."""
    return bool(dump(first) == dump(second))


def set_location(node: Node, at: Node) -> Node:
    """Position every node of a tree that has no position yet at `at`. Returns the tree."""
    for inner in walk(node):
        if "lineno" in inner._attributes and getattr(inner, "lineno", None) is None:
            copy_location(inner, at)
    return node


def _placed(node: Node, at: Node) -> Node:
    return node if at is None else copy_location(node, at)
