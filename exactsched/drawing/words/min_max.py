"""Min-max theorems in words: what was asked and claimed, and why nothing is better.

What is drawn is what a document states, whether it is true or not: nothing is verified here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from exactsched.certificate.graphs import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    EdgeColoring,
    FractionalEdgeColoring,
    GraphCertificate,
    MatchingDecomposition,
    MaximumFlow,
    MinimumCostArborescence,
    MinimumRootCut,
    SplittingOff,
    UnmetDemand,
)
from exactsched.certificate.linear_programs import (
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
)
from exactsched.drawing.lettering import counted, listed, printable, short
from exactsched.drawing.words import WHY

_DIGITS = 30
_SHOWS = "What this shows"

Record = GraphCertificate | LinearOutcome
Namer = Callable[[int], str]


def headline(record: Record, names: Sequence[str] = ()) -> tuple[str, str]:
    """What was asked, and what is claimed, each on a line; `names` are those of the nodes.

    >>> headline(MaximumFlow(2, ((0, 1),), (2,), 0, 1, (2,), (0,), Fraction(2)))
    ('Maximum flow from 0 to 1: 2 nodes, 1 arc', 'Value 2 \u2014 optimal: a cut has this capacity')
    """
    asked, claimed = _headline(record, _namer(names))
    return f"{asked}: {', '.join(_sizes(record))}", claimed


def _headline(record: Any, name: Namer) -> tuple[str, str]:
    number = _shown(value) if (value := getattr(record, "value", None)) is not None else ""
    match record:
        case MaximumFlow():
            asked = f"Maximum flow from {name(record.source)} to {name(record.sink)}"
            return asked, f"Value {number} \u2014 optimal: a cut has this capacity"
        case MinimumRootCut():
            asked = f"Least capacity into a set without {name(record.root)}"
            return asked, f"Capacity {number} \u2014 optimal: as much flows to every node"
        case BranchingPacking():
            total = _shown(sum((one.weight for one in record.branchings), start=Fraction(0)))
            return "Branchings", f"Of total weight {total}, as demanded"
        case UnmetDemand():
            enters, needed = _shown(record.entering), _shown(record.needed)
            return "No such branchings", f"Capacity {enters} enters a set that needs {needed}"
        case SplittingOff():
            links = counted(len(record.links), "link")
            return "Switches split off", f"{links} keep what enters every set of the other nodes"
        case ConcurrentBranchingPacking():
            return (
                "Most branchings",
                f"{number} times the demands \u2014 optimal",
            )
        case ArborescenceDecomposition():
            asked = f"Arborescences from {name(record.root)}"
            return asked, f"Total weight {number} \u2014 optimal: a cut has this capacity"
        case MinimumCostArborescence():
            asked = f"Cheapest arborescence from {name(record.root)}"
            return (
                asked,
                f"Cost {number} \u2014 optimal: cuts weigh as much",
            )
        case EdgeColoring():
            colors = counted(record.colors, "color")
            return "Edge coloring", f"{colors} \u2014 optimal: as many as edges at one node"
        case MatchingDecomposition() | FractionalEdgeColoring():
            return (
                "Matchings one after the other",
                f"Duration {number} \u2014 optimal: none is shorter",
            )
        case LinearOptimum():
            return (
                "Linear program",
                f"Maximum {number} \u2014 optimal: the prices show it",
            )
        case LinearInfeasibility():
            return "Linear program", "Infeasible: the rows contradict each other"
        case _:
            return "Linear program", "Unbounded: the objective grows for ever along a ray"


def _sizes(record: Any) -> Iterator[str]:
    if hasattr(record, "program"):
        yield counted(len(record.program.objective), "variable")
        yield counted(len(record.program.rows), "row")
        return
    if hasattr(record, "size"):
        yield counted(record.size, "node")
    yield from (
        counted(len(getattr(record, f"{noun}s")), noun)
        for noun in ("arc", "edge")
        if hasattr(record, f"{noun}s")
    )


def bound_in_words(record: Record, names: Sequence[str] = ()) -> tuple[str, str]:
    """A title and the argument: why nothing is better, or what is shown where nothing is best.

    >>> bound_in_words(MaximumFlow(2, ((0, 1),), (2,), 0, 1, (2,), (0,), Fraction(2)))[1]
    'Every flow from 0 to 1 has to leave the set {0}, which capacity 2 leaves. So none is larger.'
    """
    best = getattr(record, "value", None) is not None or isinstance(record, EdgeColoring)
    return WHY if best else _SHOWS, _argument(record, _namer(names))


def _argument(record: Any, name: Namer) -> str:
    number = _shown(value) if (value := getattr(record, "value", None)) is not None else ""
    match record:
        case MaximumFlow():
            return (
                f"Every flow from {name(record.source)} to {name(record.sink)} has to leave the set"
                f" {listed(map(name, record.cut))}, which capacity {number} leaves. So none is"
                " larger."
            )
        case MinimumRootCut():
            return (
                f"To every other node flows {number}, from {name(record.root)} and the nodes before"
                " it in an order. Into a set without the root, all that flows to its first node has"
                f" to enter: so capacity {number} enters every such set."
            )
        case BranchingPacking():
            return (
                "The branchings from each root set weigh what it demands, and those over an arc"
                " weigh together no more than its capacity."
            )
        case UnmetDemand():
            return (
                f"Root sets outside of {listed(map(name, record.nodes))} demand branchings of"
                f" weight {_shown(record.needed)}, and each of them has to enter this set. Capacity"
                f" {_shown(record.entering)} enters it: so there are no such branchings."
            )
        case SplittingOff():
            return (
                "Each link is a path through switches, and those over an arc take together no more"
                " than its capacity. Into every set of other nodes links go with at least the"
                " demand of the nodes outside: as much flows to the first of its nodes."
            )
        case ConcurrentBranchingPacking():
            return (
                f"Every branching from a root set outside of {listed(map(name, record.nodes))} has"
                " to enter this set. The capacity that enters it, over the demand of these root"
                f" sets, is {number}: so no larger multiple of the demands is possible."
            )
        case ArborescenceDecomposition():
            return (
                f"Every arborescence from {name(record.root)} has to enter the set"
                f" {listed(map(name, record.cut))}, which capacity {number} enters. So together"
                " they weigh no more."
            )
        case MinimumCostArborescence():
            return (
                f"{counted(len(record.cuts), 'set')} without the root weigh {number} together, and"
                " those that an arc enters weigh no more than it costs. An arborescence enters each"
                f" of them, so it costs {number} at least."
            )
        case EdgeColoring():
            node, load = _busiest(record.edges, record.multiplicities)
            if load != record.colors:
                return "No node has as many edges as there are colors."
            return f"Each of the edges at {node}, {load} in number, needs a color of its own."
        case MatchingDecomposition():
            node, load = _busiest(record.edges, record.weights)
            if load != record.value:
                return "No node has edges of so much weight."
            return (
                f"The edges at {node} weigh {number} together, and a matching has one of them at"
                " most."
            )
        case FractionalEdgeColoring():
            return _of_witness(record, number, name)
        case LinearOptimum():
            return (
                "Multiplied by their prices and added up, the rows bound the objective: no point"
                f" that satisfies them has a larger value than {number}."
            )
        case LinearInfeasibility():
            return (
                "Multiplied by these numbers and added up, the rows say that something that is not"
                " negative is less than 0: no point satisfies all of them."
            )
        case _:
            return (
                "From the point, any way along the ray leads to points that satisfy the rows, and"
                " the objective grows with it."
            )


def _of_witness(record: FractionalEdgeColoring, number: str, name: Namer) -> str:
    if len(record.witness) == 1:
        return (
            f"The edges at {name(record.witness[0])} weigh {number} together, and a matching has"
            " one of them at most."
        )
    inside = set(record.witness)
    weight = sum(
        (
            Fraction(weight)
            for edge, weight in zip(record.edges, record.weights, strict=True)
            if inside.issuperset(edge)
        ),
        start=Fraction(0),
    )
    most = counted(len(inside) // 2, "edge")
    return (
        f"Edges of weight {_shown(weight)} are inside of {listed(map(name, record.witness))}, and a"
        f" matching has {most} there at most. So matchings last {number} at least."
    )


def _busiest(edges: Any, weights: Any) -> tuple[str, Fraction]:
    """The node with the largest weight of edges, of a bipartite graph."""
    loads: Counter[str] = Counter()
    for (left, right), weight in zip(edges, weights, strict=True):
        for name in (f"u{left}", f"v{right}"):
            loads[name] += weight
    name, load = max(loads.items(), key=lambda item: item[1], default=("", 0))
    return name, Fraction(load)


def _shown(number: Fraction | int) -> str:
    return short(number, _DIGITS)


def _namer(names: Sequence[str]) -> Namer:
    return (lambda node: printable(names[node], 30)) if names else str
