"""Both sides of a min-max theorem as a scene: the graph with what uses its links, and the set.

A linear program is shown as tables of the two vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from exactsched.certificate.linear_programs import LinearOutcome
from exactsched.drawing.layout.geometry import Point
from exactsched.drawing.layout.stress import node_places, side_places
from exactsched.drawing.lettering import counted, printable, short
from exactsched.drawing.palette import PAPER, SHADED, color
from exactsched.drawing.scene import (
    Edge,
    Entry,
    Figure,
    Graph,
    Hint,
    Node,
    Panels,
    Scene,
    Table,
    Words,
)
from exactsched.drawing.words import ARROW, CLOSING
from exactsched.drawing.words.min_max import bound_in_words, headline
from exactsched.exact.rational import Rational

MOST_NODES = 300
MOST_LINKS = 1000
MOST_ROWS = 500
_LABELED = 60
_MOST_COLORS = 8

# An amount on links: a flow, a tree, a matching.
Use = tuple[Rational, Sequence[int]]


def min_max_scene(record: GraphCertificate | LinearOutcome, names: Sequence[str] = ()) -> Scene:
    """The graph or the vectors, why nothing is better, and a table of all numbers.

    `names` are those of the nodes; without one for each node they are called by their numbers.

    >>> from exactsched.graphs.flow import maximum_flow
    >>> scene = min_max_scene(maximum_flow(3, 0, 2, [(0, 1), (1, 2)], [2, 1]))
    >>> scene.title, [edge.label for edge in scene.parts[0].figures[0].drawing.edges]
    ('Maximum flow from 0 to 2: 3 nodes, 2 arcs', ['1 of 2', '1 of 1'])
    """
    if len(names) != getattr(record, "size", None):
        names = ()
    title, argument = bound_in_words(record, names)
    why = Words(title, (argument,), panel="why")
    if isinstance(record, GraphCertificate):
        parts = (Panels("", (_figure(record, names),)), why, _links(record, names), *CLOSING)
        return Scene(*headline(record, names), parts)
    return Scene(*headline(record), (*_vectors(record), why, *CLOSING))


def _figure(record: Any, given: Sequence[str]) -> Figure:
    """The graph, with strands of what uses its links; the nodes of the set are shaded."""
    links, numbers = _stated(record)
    names, ends = _named(record, links, given)
    if len(names) > MOST_NODES or len(links) > MOST_LINKS:
        what = f"A graph of {len(names):,} nodes and {len(links):,} links is not drawn"
        limits = f"(at most {MOST_NODES:,} nodes and {MOST_LINKS:,} links)"
        return Figure("Graph", None, notes=(f"{what} {limits}.",), panel="graph")
    uses, (noun, inside) = list(_uses(record)), _set(record)
    strands, widest = _strands(uses, len(links)), max([*numbers, Fraction(1, 10**9)])
    labeled = len(links) <= _LABELED
    edges = []
    for link, (tail, head) in enumerate(ends):
        total = sum((amount for _, amount in strands[link]), start=Fraction(0))
        label = _label(record, numbers[link], total)
        told = f"{names[tail]}, {names[head]}: {label}"
        drawn = tuple((fill, min(Fraction(1), amount / widest)) for fill, amount in strands[link])
        edges.append(Edge(tail, head, label if labeled else "", told, drawn))
    nodes = tuple(
        Node(name, fill=SHADED if node in inside else PAPER) for node, name in enumerate(names)
    )
    legend = [Entry(SHADED, noun)] if inside else []
    if isinstance(record, MaximumFlow):
        legend.append(Entry(color(0), "flow", line=True))
    legend += _colors(record, uses)
    notes = () if labeled else (Hint("Numbers are shown when the pointer rests on a link."),)
    directed = hasattr(record, "arcs")
    graph = Graph(
        nodes, tuple(edges), _places(record, ends, len(names)), directed, label_noun="number"
    )
    return Figure("Graph", graph, legend=tuple(legend), notes=notes, panel="graph")


def _stated(record: Any) -> tuple[Sequence[tuple[int, int]], Sequence[Rational]]:
    """The arcs or edges, and their capacities, costs, weights or multiplicities."""
    links = record.arcs if hasattr(record, "arcs") else record.edges
    names = ("capacities", "costs", "weights", "multiplicities")
    return links, next(getattr(record, name) for name in names if hasattr(record, name))


def _named(
    record: Any, links: Sequence[tuple[int, int]], given: Sequence[str]
) -> tuple[list[str], list[list[int]]]:
    """Names of the nodes, and the ends of the links among them.

    Of a bipartite graph these are the nodes with an edge, those of the left side first.
    """
    if hasattr(record, "size"):
        names = given or range(record.size)
        return [printable(name, 30) for name in names], [list(link) for link in links]
    sides = [sorted({link[side] for link in links}) for side in (0, 1)]
    names = [f"{letter}{node}" for letter, side in zip("uv", sides, strict=True) for node in side]
    left, right = [{node: place for place, node in enumerate(side)} for side in sides]
    return names, [[left[u], len(left) + right[v]] for u, v in links]


def _places(record: Any, ends: list[list[int]], size: int) -> tuple[Point, ...]:
    if hasattr(record, "size"):
        root = getattr(record, "source", getattr(record, "root", 0))
        return node_places(size, [(tail, head) for tail, head in ends], root)
    left = min((head for _, head in ends), default=size)
    higher = max(left, size - left)
    columns = side_places(higher)
    return (*columns[:left], *columns[higher : higher + size - left])


def _uses(record: Any) -> Iterator[Use]:
    """What uses the links: each an amount and the links that it uses."""
    match record:
        case MaximumFlow():
            yield from ((amount, (arc,)) for arc, amount in enumerate(record.flow) if amount)
        case MinimumRootCut() | UnmetDemand():
            _, inside = _set(record)
            for arc, (tail, head) in enumerate(record.arcs):
                if head in inside and tail not in inside and record.capacities[arc]:
                    yield record.capacities[arc], (arc,)
        case BranchingPacking() | ConcurrentBranchingPacking():
            yield from ((one.weight, one.arcs) for one in record.branchings)
        case ArborescenceDecomposition():
            yield from ((tree.weight, tree.arcs) for tree in record.trees)
        case MinimumCostArborescence():
            yield from ((max(record.costs[arc], 0), (arc,)) for arc in record.tree)
        case SplittingOff():
            yield from ((link.capacity, link.arcs) for link in record.links)
        case EdgeColoring():
            yield from ((one.colors, one.edges) for one in record.classes)
        case MatchingDecomposition() | FractionalEdgeColoring():
            yield from ((one.duration, one.edges) for one in record.matchings)


def _set(record: Any) -> tuple[str, frozenset[int]]:
    """The set of nodes that shows why nothing is better, and what it is called."""
    match record:
        case MaximumFlow():
            return "the cut: the side of the source", frozenset(record.cut)
        case MinimumRootCut() | ArborescenceDecomposition():
            return "the cut", frozenset(record.cut)
        case UnmetDemand() | ConcurrentBranchingPacking():
            return "the set that limits it", frozenset(record.nodes)
        case FractionalEdgeColoring():
            return "the node or odd set that limits it", frozenset(record.witness)
        case SplittingOff():
            return "switches", frozenset(record.switches)
        case _:
            return "", frozenset()


def _strands(uses: Sequence[Use], links: int) -> list[list[tuple[str, Fraction]]]:
    """By link: color and amount; a use of a single link has the first color."""
    strands: list[list[tuple[str, Fraction]]] = [[] for _ in range(links)]
    single = all(len(used) == 1 for _, used in uses)
    for rank, (amount, used) in enumerate(uses):
        for link in used:
            strands[link].append((color(0 if single else rank), Fraction(amount)))
    return strands


def _colors(record: Any, uses: Sequence[Use]) -> list[Entry]:
    """What the colors are, where each use of links has its own."""
    nouns = {
        BranchingPacking: "branching",
        ConcurrentBranchingPacking: "branching",
        ArborescenceDecomposition: "tree",
        SplittingOff: "path",
        EdgeColoring: "matching",
        MatchingDecomposition: "matching",
        FractionalEdgeColoring: "matching",
    }
    if type(record) not in nouns or all(len(used) == 1 for _, used in uses):
        return []
    noun = nouns[type(record)]
    amount = {"matching": "lasts", "path": "takes"}.get(noun, "weighs")
    if isinstance(record, EdgeColoring):
        said = [counted(int(colors), "color") for colors, _ in uses]
    else:
        said = [f"{amount} {short(number)}" for number, _ in uses]
    return [
        *(
            Entry(color(rank), f"{noun} {rank + 1}: {told}")
            for rank, told in enumerate(said[:_MOST_COLORS])
        ),
        *([Entry(SHADED, f"and {len(said) - _MOST_COLORS} more")] if said[_MOST_COLORS:] else ()),
    ]


def _label(record: Any, number: Rational, used: Fraction) -> str:
    if isinstance(record, (MinimumRootCut, UnmetDemand, MinimumCostArborescence)):
        return short(number)
    return f"{short(used)} of {short(number)}"


def _links(record: Any, names: Sequence[str]) -> Table:
    """All links with their numbers."""
    links, numbers = _stated(record)
    strands = _strands(list(_uses(record)), len(links))
    rows = []
    for (tail, head), number, used in list(zip(links, numbers, strands, strict=True))[:MOST_ROWS]:
        total = sum((amount for _, amount in used), start=Fraction(0))
        ends = [printable(names[end], 30) if names else str(end) for end in (tail, head)]
        rows.append((f"{ends[0]} {ARROW} {ends[1]}", short(number, 30), short(total, 30)))
    more = len(links) - len(rows)
    return Table("Links", ("link", "number", "used"), tuple(rows), panel="links", more=more)


def _vectors(record: LinearOutcome) -> Iterator[Table]:
    """The sparse vectors of a linear program, each as a table."""
    nouns = {
        "primal": "variable",
        "dual": "row",
        "multipliers": "row",
        "point": "variable",
        "ray": "variable",
    }
    for name, noun in nouns.items():
        entries = getattr(record, name, None)
        if entries is None:
            continue
        rows = tuple((str(place), short(number, 30)) for place, number in entries[:_LABELED])
        program = record.program
        whole = len(program.objective if noun == "variable" else program.rows)
        yield Table(
            name.capitalize(),
            (noun, "number"),
            rows,
            notes=("All other entries are 0.",) if len(entries) < whole else (),
            where="everywhere",
            panel=name,
            more=len(entries) - len(rows),
        )
