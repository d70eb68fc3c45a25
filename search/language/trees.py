"""What a query is: terms, and groups of them. And its text, which is written once, at the end."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Value:
    """A value as it was written, without its quotation marks. `position` is where its text begins."""

    text: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Term:
    """A name, an operator and values. A word alone is a name without an operator; in quotes it is a value alone.

    `text` is the term as it is written.
    """

    name: str
    operator: str
    values: tuple[Value, ...]
    text: str = field(compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Node:
    """An AND, OR, NOT, optional or bracketed group. Brackets may have the `name` of a hand or a side before them."""

    kind: Literal["and", "or", "not", "optional", "brackets"]
    parts: "tuple[Tree, ...]"
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    name: str = ""


Tree = Term | Node
SIGNS = {"not": "-", "optional": "~"}


def join(by: Literal["and", "or"], parts: Iterable[Tree]) -> Tree | None:
    """Return parts as one, None without any. Groups of the same kind become one."""
    joined = [
        each for part in parts for each in (part.parts if isinstance(part, Node) and part.kind == by else (part,))
    ]
    if len(joined) < 2:
        return joined[0] if joined else None
    return Node(by, tuple(joined), joined[0].start, joined[-1].end)


def term(name: str, *values: str) -> Term:
    """Return the condition that something is one of these values."""
    return Term(name, "=", tuple(map(Value, values)), f"{name}={','.join(values)}")


def words(text: str) -> Term:
    """Return the condition that a text has these words."""
    return Term("", "", (Value(text),), f'"{text}"')


def brackets(tree: Tree, name: str = "") -> Node:
    return Node("brackets", (tree,), name=name)


def one_of(trees: Iterable[Tree]) -> Tree:
    """Return alternatives in brackets. A single one has none."""
    tree = join("or", trees)
    assert tree is not None
    return brackets(tree) if isinstance(tree, Node) and tree.kind == "or" else tree


def negate(tree: Tree) -> Node:
    return Node("not", (tree if is_one(tree) else brackets(tree),), tree.start, tree.end)


def is_one(tree: Tree) -> bool:
    """Tell whether a sign may stand before a tree without brackets."""
    return isinstance(tree, Term) or tree.kind == "brackets"


def terms_of(tree: Tree) -> Iterator[Term]:
    """Yield the terms of a tree that have an operator."""
    if isinstance(tree, Node):
        for part in tree.parts:
            yield from terms_of(part)
    elif tree.operator:
        yield tree


def write(tree: Tree) -> str:
    """Return the text of a tree."""
    match tree:
        case Term(text=text):
            return text
        case Node(kind="brackets", parts=(part,), name=name):
            return f"{name}({write(part)})"
        case Node(kind="or", parts=parts):
            return " OR ".join(map(write, parts))
        case Node(kind="and", parts=parts):
            return " ".join(map(write, parts))
        case Node(kind=kind, parts=(part,)):
            return SIGNS[kind] + (write(part) if is_one(part) else f"({write(part)})")
    raise ValueError(tree)
