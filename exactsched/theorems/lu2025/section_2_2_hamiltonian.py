"""Section 2.2, the half-duplex optimum in closed form: Hamiltonian cycles of cheapest arcs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from exactsched.exact.rational import to_json
from exactsched.instances.graphs import Multigraph
from exactsched.instances.hamiltonian import LINES, LINKS, Line
from exactsched.model.platform import Platform, both_ways
from exactsched.oracles.broadcast import ends_of
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.hamiltonian import hamiltonian_optimum
from exactsched.steady_state.hamiltonian_search import cheapest_links, hamiltonian_line, no_line
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Say, claim

# Up to this many nodes the optimum of the closed form is found by a packing as well.
_PACKED = 7
# Up to this many nodes the search finds a line if there is one.
_FOUND = 6

_SEARCH = "exactsched/steady_state/hamiltonian_search.py"


@claim(
    "lu2025.hamiltonian",
    number="section 2.2: sufficiency of the constraints",
    reference="proofs/half-duplex.md, theorem B",
    status="new",
    instances=LINES,
    page="half-duplex",
    implements=("exactsched/steady_state/hamiltonian.py", _SEARCH),
    judged="`check`; trees against the line; a packing up to 7 nodes; the line found again",
)
def closed_form(asked: Line, say: Say) -> None:
    """c is the least cost. P even, a Hamiltonian cycle of arcs of cost c both ways: the optimum is
    P / (2 (P-1) c), by P/2 trees of equal weight that miss different edges of the cycle. P odd, at
    least 3, such a path from the source: it is 1 / (2 c), by the path.
    """
    platform, source = asked.problem.platform, asked.problem.source
    size, least = len(platform.nodes), min(arc.cost for arc in platform.arcs)
    value = Fraction(size, 2 * (size - 1)) / least if size % 2 == 0 else 1 / (2 * least)
    best = hamiltonian_optimum(platform, source, [platform.nodes[v] for v in asked.line])
    solution = best.solution()
    proved = say.accepts(solution)
    say(value=to_json(value), trees=len(solution.trees))
    agree = proved.optimal and proved.throughput == best.throughput == value
    say.require(agree, f"schedule and bound say {to_json(proved.throughput)}")
    _trees_along_the_line(asked, solution, say)
    found = hamiltonian_line(platform, source)
    say(found=found is not None)
    say.require(found is not None or size > _FOUND, "the search does not find a line")
    if found:
        reached = hamiltonian_optimum(platform, source, found).throughput
        say.require(reached == value, "the line that is found has another value")
    if size <= _PACKED:
        packed = say.accepts(broadcast(platform, source, ports="half-duplex")).bound
        say.require(packed == value, "arborescences pack with another value")


def _trees_along_the_line(asked: Line, solution: Solution, say: Say) -> None:
    """P / 2 trees of equal weight that miss different edges of the cycle; or the path alone."""
    problem, trees = asked.problem, solution.trees
    platform, ends = problem.platform, ends_of(problem)
    size, least = len(platform.nodes), min(arc.cost for arc in platform.arcs)
    number = size // 2 if size % 2 == 0 else 1
    say.require(len(trees) == number, "there are not P / 2 trees, or not a single path")
    say.require(len({tree.weight for tree in trees}) == 1, "the trees have different weights")
    turn = asked.line.index(platform.position[problem.source])
    around = [*asked.line[turn:], *asked.line[:turn]]
    if size % 2 == 0:
        around.append(around[0])
    edges = {frozenset(pair) for pair in pairwise(around)}
    missing = set()
    for tree in trees:
        cheapest = {platform.arcs[arc].cost for arc in tree.arcs} == {least}
        say.require(cheapest, "an arc of a tree is not cheapest")
        used = {frozenset(ends[arc]) for arc in tree.arcs}
        say.require(used <= edges, "a tree leaves the line")
        missing |= edges - used
    if size % 2 == 0 and size > 2:
        say.require(len(missing) >= size // 2, "two trees miss the same edge")


@claim(
    "lu2025.hamiltonian.search",
    number="section 2.2: sufficiency of the constraints",
    reference="proofs/half-duplex.md, Finding the cycle",
    status="new",
    instances=LINKS,
    page="half-duplex",
    implements=(_SEARCH,),
    judged="all paths from the source",
)
def search(graph: Multigraph, say: Say) -> None:
    """P >= 2 nodes of equal costs. If `no_line` gives a reason, there is no Hamiltonian cycle (P
    even) or path from the source (P odd). What `hamiltonian_line` finds is one; up to six nodes it
    finds one if there is one. (With seven it may miss the only one.)
    """
    # Node 0 is the source; the edges are links of cost 1 in both directions.
    links = {(min(edge), max(edge)) for edge in graph.edges}
    platform = Platform(range(graph.size), both_ways([(*pair, 1) for pair in sorted(links)]))
    neighbors = cheapest_links(platform)
    exists = next(_all_lines(neighbors), None) is not None
    reason, found = no_line(neighbors, 0), hamiltonian_line(platform, 0)
    say(line=exists, excluded=reason or "")
    say.require(not (reason and exists), "a reason is given, and there is a line")
    if found is None:
        missed = exists and graph.size <= _FOUND
        say.require(not missed, "there is a line, and none is found")
        return
    line = [platform.position[node] for node in found]
    around = [*line, line[0]] if graph.size % 2 == 0 else line
    all_nodes = sorted(line) == list(range(graph.size)) and (graph.size % 2 == 0 or line[0] == 0)
    say.require(all_nodes, "the line does not visit all nodes")
    linked = all(head in neighbors[tail] for tail, head in pairwise(around))
    say.require(linked, "the line takes a link that does not exist")


def _all_lines(neighbors: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """From node 0 through all nodes, and back if their number is even."""
    stack = [[0]]
    while stack:
        path = stack.pop()
        if len(path) < len(neighbors):
            stack += [[*path, node] for node in neighbors[path[-1]] if node not in path]
        elif len(path) % 2 or path[0] in neighbors[path[-1]]:
            yield path
