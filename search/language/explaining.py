"""A query in words, for whoever does not read the language."""

from search.language.trees import Node, Term, Tree

OPERATORS = {
    "=": " ",
    ">=": " at least ",
    "<=": " at most ",
    ">": " more than ",
    "<": " less than ",
    "^=": " begins ",
    "*=": " has ",
}
NAMES = {
    "hcp": "points",
    "vul": "vulnerable:",
    "is": "",
    "leadcost": "tricks that the lead cost:",
    "declarerlost": "tricks that declarer’s cards cost:",
    "defencelost": "tricks that the defenders’ cards cost:",
    "againstpar": "points of declarer’s side beyond par:",
    "openerseat": "turn of the opener:",
    "ns": "North-South",
    "ew": "East-West",
    "any": "one hand",
    "declarers": "declarer’s side",
    "fit": "cards of the longest suit together:",
}
"""Words of the language that say something else to a player, or nothing."""


def explain(tree: Tree) -> str:
    """Return what a tree asks, in words: "North: points at least 15", "not doubled"."""
    match tree:
        case Node(kind="and", parts=parts):
            return ", ".join(map(explain, parts))
        case Node(kind="or", parts=parts):
            return " or ".join(map(explain, parts))
        case Node(kind="not", parts=(part,)):
            return f"not {explain(part)}"
        case Node(kind="optional", parts=(Term(operator=operator) as part,)) if operator:
            return f"{explain(part)}, among the newest boards where they are too many"
        case Node(kind="optional", parts=(part,)):
            return f"{explain(part)}, if any of these boards has it"
        case Node(name="", parts=(part,)):
            return f"({explain(part)})" if isinstance(part, Node) else explain(part)
        case Node(name=name, parts=(part,)):
            return f"{name_of(name)}: {explain(part)}"
        case Term(operator="", name=name, values=values):
            return f"“{values[0].text if values else name}” in a text"
        case Term(operator=operator, name=name, values=values):
            written = " or ".join(value.text.replace("..", " to ") for value in values)
            return f"{name_of(name)}{OPERATORS[operator]}{written}".strip()
    raise ValueError(tree)


def name_of(word: str) -> str:
    name = NAMES.get(word.lower(), word.lower())
    return name[:1].upper() + name[1:] if word.lower() in ("north", "east", "south", "west") else name
