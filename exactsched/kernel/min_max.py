"""The kinds of min-max theorems: one proved checker for each, which says yes or no.

A row of `ROWS` says which parts of the document are the problem and the claim: those are trusted,
and read by `problems`.  The other arguments of the checker are witnesses.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from exactsched.exact.rational import exact
from exactsched.exact.words import counted
from exactsched.kernel import problems
from exactsched.kernel.generated import min_max as _min_max
from exactsched.kernel.limits import afford, longest_number
from exactsched.kernel.proved import Claim, ProvedByKernel, not_accepted, shown
from exactsched.kernel.runtime import listed
from exactsched.kernel.witnesses import common
from exactsched.kernel.written import fraction

Document = dict[str, Any]
# Its functions have no types.
min_max: Any = _min_max


def _capacities(document: Document) -> Any:
    return problems.network(document, "capacities")


def _costs(document: Document) -> Any:
    return problems.network(document, "costs")


def _copies(document: Document) -> Any:
    return problems.edges(document, "multiplicities")


def _weights(document: Document) -> Any:
    return problems.edges(document, "weights")


def _flows(document: Document) -> Any:
    """The nodes of the order, each with the flow into it."""
    return [list(pair) for pair in zip(document["order"], document["flows"], strict=True)]


def _vertices(document: Document) -> Any:
    return [("Vertex", int(node)) for node in document["witness"]]


def _cuts(document: Document) -> Any:
    return document["cuts"]


class Row(NamedTuple):
    """What is asked of the checker of a kind, `check_KIND`, in the order of its arguments.

    - `problem`: how its parts are read; a name is a member that is an integer
    - `witness`: members, or functions that make of the document what a member would say
    - `claimed`: members that are rational numbers (`colors`: an integer)
    - `says`: what is proved, with the claimed numbers
    """

    problem: tuple[Callable[[Document], Any] | str, ...]
    witness: tuple[Callable[[Document], Any] | str, ...]
    claimed: tuple[str, ...]
    says: str
    file: str


_ROOTS = problems.root_sets
_PROGRAM = problems.linear_program
ROWS: Final[dict[str, Row]] = {
    "maximum-flow": Row(
        (_capacities, "source", "sink"),
        ("flow", "cut"),
        ("value",),
        "the maximum flow and the minimum cut have the value {}",
        "Flow",
    ),
    "minimum-root-cut": Row(
        (_capacities, "root"),
        ("cut", _flows),
        ("value",),
        "the minimum root cut has the capacity {}",
        "RootCut",
    ),
    "branching-packing": Row(
        (_capacities, _ROOTS), ("branchings",), (), "branchings meet the demands", "Branchings"
    ),
    "unmet-demand": Row(
        (_capacities, _ROOTS),
        ("nodes",),
        ("entering", "needed"),
        "no branchings meet the demands: into a set goes {}, and {} is needed",
        "Branchings",
    ),
    "concurrent-branching-packing": Row(
        (_capacities, _ROOTS),
        ("branchings", "nodes"),
        ("value",),
        "branchings meet {} times the demands and no larger multiple",
        "Branchings",
    ),
    "arborescence-decomposition": Row(
        (_capacities, "root"),
        ("trees", "cut"),
        ("value",),
        "arborescences of total weight {} fit, no more, and the minimum root cut is as large",
        "Arborescences",
    ),
    "minimum-cost-arborescence": Row(
        (_costs, "root"),
        ("tree", "order", _cuts),
        ("value",),
        "the minimum cost of an arborescence, and the maximum packing of root cuts, is {}",
        "MinimumCostArborescence",
    ),
    "edge-coloring": Row(
        (_copies,),
        ("classes",),
        ("colors",),
        "the fewest colors, and the largest degree, are {}",
        "EdgeColoring",
    ),
    "matching-decomposition": Row(
        (_weights,),
        ("matchings",),
        ("value",),
        "matchings take time {}, the largest load, and no less",
        "Matchings",
    ),
    "fractional-edge-coloring": Row(
        (_weights,),
        ("matchings", _vertices),
        ("value",),
        "matchings take time {}, as a node or an odd set demands, and no less",
        "OddSets",
    ),
    "linear-optimum": Row(
        (_PROGRAM,), ("primal", "dual"), ("value",), "the maximum is {}", "LinearProgram"
    ),
    "linear-infeasibility": Row(
        (_PROGRAM,), ("multipliers",), (), "no point is feasible", "LinearProgram"
    ),
    "linear-unboundedness": Row(
        (_PROGRAM,), ("point", "ray"), (), "the objective is unbounded", "LinearProgram"
    ),
}
_NOT_OPTIMIZED = frozenset(
    ["branching-packing", "unmet-demand", "linear-infeasibility", "linear-unboundedness"]
)


def check(document: Document, _: object) -> ProvedByKernel:
    """What is proved about both sides of a min-max theorem.  Raises `Rejected`, `NotCovered`."""
    kind = document["kind"]
    row = ROWS[kind]
    name = f"check_{kind.replace('-', '_')}"
    shapes = min_max.ARGUMENTS[name]
    asked = [read(document) if callable(read) else int(document[read]) for read in row.problem]
    witness_shapes = shapes[len(asked) : len(asked) + len(row.witness)]
    witnesses = [
        _read(part(document) if callable(part) else document[part], shape)
        for part, shape in zip(row.witness, witness_shapes, strict=True)
    ]
    values = {member: exact(document[member], member) for member in row.claimed}
    claimed: list[Any] = [value.as_integer_ratio() for value in values.values()]
    if kind == "edge-coloring":
        claimed = [int(document["colors"])]
    _afford(document, (*asked, *witnesses))
    if not getattr(min_max, name)(*asked, *witnesses, *claimed):
        raise not_accepted(", ".join(map(_member, [*row.witness, *row.claimed])))
    numbers = " ".join(map(fraction, values.values()))
    formal = f"claims_{kind.replace('-', '_')} {_NAMES[row.problem[0]]} {numbers}".rstrip()
    theorem = f"minmax.{row.file}.{name}_sound"
    claim = Claim(row.says.format(*map(shown, values.values())), formal, theorem)
    size = _size(document)
    return ProvedByKernel(kind, size, (claim,), dict(values), kind not in _NOT_OPTIMIZED)


_NAMES: Final[dict[object, str]] = {
    _capacities: "N",
    _costs: "N",
    _copies: "E",
    _weights: "E",
    _PROGRAM: "P",
}


def _member(part: Callable[[Document], Any] | str) -> str:
    return part.__name__.strip("_") if callable(part) else part


def _size(document: Document) -> str:
    if "program" in document:
        program = document["program"]
        columns, rows = len(program["objective"]), len(program["rows"])
        return f"{counted(columns, 'variable')}, {counted(rows, 'row')}"
    if "arcs" in document:
        nodes = int(exact(document["size"], "size"))
        return f"{counted(nodes, 'node')}, {counted(len(document['arcs']), 'arc')}"
    return counted(len(document["edges"]), "edge")


def _read(raw: Any, shape: tuple[Any, ...]) -> Any:
    """A part of a document as a value of this type: a row is a pair, or pairs in pairs."""
    match shape:
        case ("z",):
            return int(raw)
        case ("q",):
            return exact(raw, "witness").as_integer_ratio()
        case ("list", inside):
            return listed(_read(part, inside) for part in raw)
        case ("prod", _, _):
            return _row(iter(raw), shape)
    return raw


def _row(columns: Any, shape: tuple[Any, ...]) -> Any:
    if shape[0] != "prod":
        return _read(next(columns), shape)
    return tuple(_row(columns, part) for part in shape[1:])


def _afford(document: Document, terms: tuple[Any, ...]) -> None:
    """Lists are gone through a few times; every branching goes through all nodes."""
    ratios, count, pending = set(), 0, list(terms)
    while pending:
        part = pending.pop()
        if type(part) is tuple:
            count += 1
            if len(part) == 2 and type(part[0]) is type(part[1]) is int and part[1] > 1:
                ratios.add(part)
            pending.extend(part)
    trees = len(document.get("branchings", ())) + len(document.get("trees", ())) + 1
    calls = count + trees * int(document.get("size", 0))
    unit = common((Fraction(1, under) for _, under in ratios), "numbers").bit_length()
    afford(calls + calls * unit * longest_number(terms) // 2**20, terms, "document")
