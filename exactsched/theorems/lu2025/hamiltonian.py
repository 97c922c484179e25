"""Hamiltonian cycles of cheapest arcs: the half-duplex optimum in closed form, and the search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Multigraph
from exactsched.instances.platforms import cost
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast_programs import ends_of, proved
from exactsched.platforms.built_in import complete, grid, ring
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.hamiltonian import grid_cycle, hamiltonian_optimum
from exactsched.steady_state.hamiltonian_search import cheapest_links, hamiltonian_line, no_line
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, refuted

# Up to so many nodes the optimum of the closed form is found by a packing as well.
_PACKED = 7
# Up to so many nodes the search finds a line if there is one.
_FOUND = 6
# What the other arcs cost, as multiples of the least cost.
_FACTORS = (Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2))


@dataclass(frozen=True, slots=True)
class Line:
    """Nodes, as their positions, along a cycle or a path of cheapest arcs."""

    problem: Broadcast
    line: tuple[int, ...]


def _closed_form(asked: Line) -> Verdict:
    platform, source = asked.problem.platform, asked.problem.source
    size, ends = len(platform.nodes), ends_of(asked.problem)
    least = min(arc.cost for arc in platform.arcs)
    value = Fraction(size, 2 * (size - 1)) / least if size % 2 == 0 else 1 / (2 * least)
    best = hamiltonian_optimum(platform, source, [platform.nodes[v] for v in asked.line])
    solution = best.solution()
    claim = proved(solution)
    facts: dict[str, Any] = {"value": to_json(value), "trees": len(solution.trees)}
    if not claim.optimal or not claim.throughput == best.throughput == value:
        return refuted(f"schedule and bound say {to_json(claim.throughput)}", **facts)
    if len(solution.trees) != (size // 2 if size % 2 == 0 else 1):
        return refuted("there are not P / 2 trees, or not a single path", **facts)
    if len({tree.weight for tree in solution.trees}) > 1:
        return refuted("the trees have different weights", **facts)
    turn = asked.line.index(platform.position[source])
    around = [*asked.line[turn:], *asked.line[:turn]]
    if size % 2 == 0:
        around.append(around[0])
    edges = {frozenset(pair) for pair in pairwise(around)}
    missing = []
    for tree in solution.trees:
        if {platform.arcs[arc].cost for arc in tree.arcs} != {least}:
            return refuted("an arc of a tree is not cheapest", **facts)
        used = {frozenset(ends[arc]) for arc in tree.arcs}
        if not used <= edges:
            return refuted("a tree leaves the line", **facts)
        missing.append(edges - used)
    if size % 2 == 0 and size > 2 and len({edge for one in missing for edge in one}) < size // 2:
        return refuted("two trees miss the same edge", **facts)
    found = hamiltonian_line(platform, source)
    facts["found"] = found is not None
    if found is None and size <= _FOUND:
        return refuted("the search does not find a line", **facts)
    if found and hamiltonian_optimum(platform, source, found).throughput != value:
        return refuted("the line that is found has another value", **facts)
    if size <= _PACKED and proved(broadcast(platform, source, ports="half-duplex")).bound != value:
        return refuted("arborescences pack with another value", **facts)
    return held(**facts)


def _line(choices: Choices, bound: int) -> Line:
    size = choices.between(2, bound)
    line = choices.shuffled(range(size))
    least = cost(choices)
    links = list(pairwise(line))
    if size % 2 == 0:
        links += [(head, tail) for tail, head in [*links, (line[-1], line[0])]]
        links.append((line[-1], line[0]))
    costs: dict[tuple[int, int], Fraction] = {}
    for _ in range(choices.below(3 * size)):
        tail = choices.below(size)
        pair = tail, (tail + 1 + choices.below(size - 1)) % size
        costs[pair] = least * choices.one_of(_FACTORS)
    costs.update(dict.fromkeys(links, least))
    if size % 2:  # The search follows links that are cheapest both ways.
        costs.update({(head, tail): least for tail, head in links})
    platform = Platform(range(size), [(*pair, price) for pair, price in costs.items()])
    source = choices.below(size) if size % 2 == 0 else line[0]
    return Line(Broadcast(platform, source, "half-duplex"), tuple(line))


def _lines() -> tuple[Line, ...]:
    def along(platform: Platform, line: Sequence[int]) -> Line:
        return Line(Broadcast(platform, platform.nodes[line[0]], "half-duplex"), tuple(line))

    pair = Platform("ab", both_ways([("a", "b", Fraction(7, 3))]))
    return (
        along(pair, (0, 1)),
        along(grid(3), (0, 1, 2)),
        along(grid(4, 4), grid_cycle(4, 4)),
        along(complete(5), range(5)),
        along(ring(6), range(6)),
        along(
            Platform(range(4), both_ways([(i, (i + 1) % 4, 10**30) for i in range(4)])), range(4)
        ),
    )


def _search(graph: Multigraph) -> Verdict:
    """Node 0 is the source; the edges are links of cost 1 in both directions."""
    links = {(min(edge), max(edge)) for edge in graph.edges}
    platform = Platform(range(graph.size), both_ways([(*pair, 1) for pair in sorted(links)]))
    neighbors = cheapest_links(platform)
    exists = next(_all_lines(neighbors), None) is not None
    reason, found = no_line(neighbors, 0), hamiltonian_line(platform, 0)
    facts: dict[str, Any] = {"line": exists, "excluded": reason or ""}
    if reason and exists:
        return refuted("a reason is given, and there is a line", **facts)
    if found is None and exists and graph.size <= _FOUND:
        return refuted("there is a line, and none is found", **facts)
    if found is not None:
        line = [platform.position[node] for node in found]
        around = [*line, line[0]] if graph.size % 2 == 0 else line
        if sorted(line) != list(range(graph.size)) or (graph.size % 2 and line[0] != 0):
            return refuted("the line does not visit all nodes", **facts)
        if any(head not in neighbors[tail] for tail, head in pairwise(around)):
            return refuted("the line takes a link that there is not", **facts)
    return held(**facts)


def _all_lines(neighbors: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """From node 0 through all nodes, and back if their number is even."""
    stack = [[0]]
    while stack:
        path = stack.pop()
        if len(path) < len(neighbors):
            stack += [[*path, node] for node in neighbors[path[-1]] if node not in path]
        elif len(path) % 2 or path[0] in neighbors[path[-1]]:
            yield path


def _graph(choices: Choices, bound: int) -> Multigraph:
    size = choices.between(2, bound)
    line = choices.shuffled(range(size))
    edges = list(pairwise(line)) if choices.flip(3) else []
    one_in = choices.one_of((2, 3))
    edges += choices.some_of([(u, v) for v in range(size) for u in range(v)], one_in)
    return Multigraph(size, tuple(edges), (1,) * len(edges))


_MISSED = ((0, 3), (2, 3), (1, 4), (2, 4), (3, 5), (0, 6), (1, 6), (2, 6), (4, 6))

LINE_CLAIMS = (
    Claim(
        id="lu2025.hamiltonian",
        statement=(
            "c is the least cost. P even, a Hamiltonian cycle of arcs of cost c both ways: the"
            " optimum is P / (2 (P-1) c), by P/2 trees of equal weight that miss different edges of"
            " the cycle. P odd, at least 3, such a path from the source: it is 1 / (2 c), by the"
            " path."
        ),
        page="half-duplex",
        reference="proofs/half-duplex.md, theorem B",
        status="new",
        implemented=(
            "exactsched/steady_state/hamiltonian.py",
            "exactsched/steady_state/hamiltonian_search.py",
        ),
        checked_by="`check`; trees against the line; a packing up to 7 nodes; the line found again",
        instance_type=Line,
        instance=_line,
        check=_closed_form,
        bounds=Bounds(6, 12, 80),
        corners=_lines,
    ),
    Claim(
        id="lu2025.hamiltonian.search",
        statement=(
            "P >= 2 nodes of equal costs. If `no_line` gives a reason, there is no Hamiltonian"
            " cycle (P even) or path from the source (P odd). What `hamiltonian_line` finds is one;"
            " up to six nodes it finds one if there is one. (With seven it may miss the only one.)"
        ),
        page="half-duplex",
        reference="proofs/half-duplex.md, Finding the cycle",
        status="new",
        implemented=("exactsched/steady_state/hamiltonian_search.py",),
        checked_by="all paths from the source",
        instance_type=Multigraph,
        instance=_graph,
        check=_search,
        bounds=Bounds(6, 7, 8),
        corners=lambda: (
            Multigraph(2, (), ()),
            Multigraph(2, ((0, 1),), (1,)),
            Multigraph(3, ((0, 1), (0, 2)), (1, 1)),
            Multigraph(6, ((0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)), (1,) * 7),
            # The path 0, 6, 1, 4, 2, 3, 5 is not found: 3 is tried first, again and again.
            Multigraph(7, _MISSED, (1,) * 9),
        ),
    ),
)
