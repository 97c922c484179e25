"""The steady state of allgathers over switches: the exact rate, trees of paths, and a bottleneck.

Method: Newton's method for the rate, splitting off for the switches, Edmonds' packing for trees.
Limits: the port model "link".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exactsched.certificate.bounds import Cut, CutBound, ForwardingBound
from exactsched.certificate.graphs import BranchingPacking, Link
from exactsched.exact.arguments import refuse_one_node
from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import PATIENT, EnoughError, Patience
from exactsched.exact.rational import Rational, text
from exactsched.graphs.branching_packing import pack_branchings
from exactsched.graphs.lovasz import Preference
from exactsched.graphs.reachability import breadth_first
from exactsched.graphs.splitting_off import SPREAD, falling_multiples, links_around
from exactsched.linear_programs.column_generation import Listener, Progress
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Allgather, Ports
from exactsched.model.tasks import Task, WeightedStructure
from exactsched.steady_state.chunks import checked_chunks, links_in_chunks
from exactsched.steady_state.forwarding import forwarded
from exactsched.steady_state.shallow_trees import balanced_trees, deeper_and_deeper, shallow_trees
from exactsched.steady_state.solution import Solution


def allgather_problem(
    platform: Platform,
    shards: Iterable[Node] | Mapping[Node, object] | None,
    ports: Ports = "link",
) -> Allgather:
    """What is asked of `allgather`, whose arguments `shards` and `ports` are.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> allgather_problem(pair, None).shards == allgather_problem(pair, {"a": 1, "b": 1}).shards
    True
    """
    if shards is None:
        shards = [node for node in platform.nodes if node not in platform.switches]
    refuse_one_node(shards, "shards")
    listed: tuple[Any, ...]
    if isinstance(shards, Mapping):
        listed = tuple(shards.items())
    else:
        listed = tuple((node, shard_size(platform, node)) for node in shards)
    return Allgather(platform, listed, ports)


def shard_size(platform: Platform, node: Node) -> Fraction:
    """What the platform says of a node by the name `shard`, or 1.

    >>> shard_size(Platform("ab", [("a", "b", 1)], {"a": {"shard": "1/2"}}), "a")
    Fraction(1, 2)
    """
    return platform.node_data.get(node, {}).get("shard", Fraction(1))


def solve_allgather(
    problem: Allgather,
    prefer: Preference = "shallow",
    chunks: int | None = None,
    depth: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The optimum, or the best found in chunks or of a depth, under link ports.

    Where `progress` ends the search, the bound is that of the tightest cut met, and every root has
    one tree.
    """
    if problem.ports != "link":
        rule = 'allgathers are solved under link ports only: --ports link, in Python ports="link"'
        raise InvalidInput("ports", problem.ports, rule)
    for arc in problem.platform.arcs:
        if arc.latency:
            rule = (
                "a series of allgathers has no start-up times; add them to the cost, or give a"
                " size: --size, in Python sized_allgather"
            )
            raise InvalidInput(f"arc {arc}, latency", text(arc.latency), rule)
    most = None if chunks is None else checked_chunks(chunks)
    _refuse_wrong_depth(depth, chunks)
    search = _Search(problem, prefer, progress)
    try:
        trees = search.trees(most, depth)
    except EnoughError:
        trees = search.trees_at_once(depth)
    return Solution(problem, trees, search.proof, search.rate)


class _Search:
    """What is known of an allgather by now: a bound on its throughput, and the proof of it."""

    def __init__(self, problem: Allgather, prefer: Preference, progress: Progress | None) -> None:
        self.problem, self._prefer, self._progress = problem, prefer, progress
        self._listener = Listener(progress)
        self._cuts = _falling_cuts(problem, self._listener.patience)
        self.proof: CutBound | ForwardingBound
        self._know(*next(self._cuts))

    def _know(self, rate: Fraction, proof: CutBound | ForwardingBound) -> None:
        self.rate = self._listener.upper = rate
        self.proof = proof

    def trees(self, most: int | None, depth: int | None) -> tuple[WeightedStructure, ...]:
        """Trees that reach the bound, or the best in chunks or of a depth; the bound comes first.

        Raises `EnoughError` when the progress ends the search.
        """
        problem, prefer, patience = self.problem, self._prefer, self._listener.patience
        for found in self._cuts:
            self._know(*found)
        if not self.rate:
            return ()
        size, ends, capacities, others, shards = _network(problem)
        if growing(problem):
            within = forwarded(problem, ends, capacities, patience)
            capacities = within.carried
            if within.rate < self.rate:
                self._know(within.rate, within.proof)
        if depth is not None:

            def packed() -> tuple[WeightedStructure, ...]:
                best = solve_allgather(problem, prefer, progress=self._progress)
                return tuple(best.structures)

            return shallow_trees(problem, depth, self.rate, packed, self._progress)
        # Links between all pairs behind a switch make shallow trees, few links make few trees.
        spread = 0 if prefer == "few" else SPREAD
        network = size, ends, capacities, others
        if most is not None:
            links, demands, time = links_in_chunks(
                *network, shards, self.rate, most, spread=spread, patience=patience
            )
            return _trees(problem, links, demands, 1 / time, prefer, patience)
        needed = [self.rate * shard for shard in shards]
        links = links_around(*network, needed, spread=spread, patience=patience)
        return _trees(problem, links, needed, self.rate, prefer, patience)

    def trees_at_once(self, depth: int | None) -> tuple[WeightedStructure, ...]:
        """A tree for every root; none if some cannot reach all others, which is the proof then."""
        closed = _closed_set(self.problem)
        if closed:
            self._know(Fraction(0), _bottleneck(self.problem, closed))
            return ()
        return balanced_trees(self.problem, depth)


def _closed_set(problem: Allgather) -> list[int]:
    """The nodes that a root does not reach, if some of the group are among them."""
    nodes = problem.platform.nodes
    leaving: dict[Node, list[Node]] = {node: [] for node in nodes}
    for arc in problem.platform.arcs:
        leaving[arc.tail].append(arc.head)
    for root in problem.roots:
        reached = breadth_first([root.node], leaving.__getitem__)
        if not problem.group <= reached.keys():
            return [index for index, node in enumerate(nodes) if node not in reached]
    return []


def depth_curve(problem: Allgather, progress: Progress | None = None) -> list[Solution]:
    """The best found of every depth, from the least one to one at which nothing is lost.

    Of depths that gain nothing on smaller ones there is none.  For throughput 0 the list is empty.
    Where `progress` ends the search, the last one has the trees of `solve_allgather`.

    >>> both = [(u, v, 1) for u, v in ("ab", "ba", "bc", "cb", "ac", "ca")]
    >>> curve = depth_curve(Allgather(Platform("abc", both), tuple((v, 1) for v in "abc"), "link"))
    >>> [(solution.depth, solution.throughput) for solution in curve]
    [(1, Fraction(1, 1))]
    """
    deep = solve_allgather(problem, progress=progress)
    curve: list[Solution] = []
    if not deep.structures:
        return curve
    listener = Listener(progress, deep.bound)
    for depth, trees in deeper_and_deeper(problem, deep.bound, progress):
        if depth >= deep.depth:
            break
        found = Solution(problem, trees, deep.proof, deep.bound)
        if not curve or found.throughput > curve[-1].throughput:
            curve.append(found)
        if found.optimal or listener.asked():
            break
    if not curve or deep.throughput > curve[-1].throughput:
        curve.append(deep)
    return curve


def _refuse_wrong_depth(depth: object, chunks: object) -> None:
    if depth is None:
        return
    if type(depth) is not int or depth < 1:
        raise InvalidInput("depth", depth, "a number of arcs in a row is an integer >= 1")
    if chunks is not None:
        raise InvalidInput(
            "depth",
            depth,
            "trees of a depth are not cut into few chunks as well: give one of the two",
        )


def tightest_cut(problem: Allgather) -> tuple[Fraction, CutBound]:
    """The largest throughput that cuts allow, and a set that allows no more.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", "1/2")])
    >>> rate, proof = tightest_cut(Allgather(pair, (("a", 1), ("b", 1))))
    >>> rate, proof.order
    (Fraction(1, 1), ('b',))
    """
    *_, tightest = _falling_cuts(problem, PATIENT)
    return tightest


def _falling_cuts(problem: Allgather, patience: Patience) -> Iterator[tuple[Fraction, CutBound]]:
    """Bounds on the throughput, each less than the one before; the last is the tightest cut."""
    for rate, tight in falling_multiples(*_network(problem), patience):
        yield rate, _bottleneck(problem, tight)


# The number of nodes, arcs with capacities, those that only forward, and sizes of shards.
_Network = tuple[int, list[tuple[int, int]], list[Fraction], list[int], list[Fraction]]


def _network(problem: Allgather) -> _Network:
    """The platform as kernels want it."""
    platform = problem.platform
    position = platform.position
    ends = [(position[arc.tail], position[arc.head]) for arc in platform.arcs]
    shards = [Fraction(0)] * len(position)
    for node, size in problem.shards:
        shards[position[node]] = size
    others = [position[node] for node in platform.nodes if node not in problem.group]
    return len(position), ends, [1 / arc.cost for arc in platform.arcs], others, shards


def growing(problem: Allgather) -> dict[Node, Fraction]:
    """The nodes that only forward and send more than they receive, by how much.

    There trees of paths may miss the rate of the cuts (`steady_state.forwarding`).

    >>> fork = Platform("asb", [("a", "s", 1), ("s", "b", "1/3"), ("b", "a", 1)])
    >>> growing(Allgather(fork, (("a", 1), ("b", 1))))
    {'s': Fraction(2, 1)}
    """
    excess = dict.fromkeys(problem.platform.nodes, Fraction(0))
    for arc in problem.platform.arcs:
        excess[arc.tail] += 1 / arc.cost
        excess[arc.head] -= 1 / arc.cost
    return {n: more for n, more in excess.items() if more > 0 and n not in problem.group}


def _bottleneck(problem: Allgather, tight: Sequence[int]) -> CutBound:
    """Every arc into the set has its capacity as its price, so that a unit of size pays 1."""
    platform = problem.platform
    inside = {platform.nodes[index] for index in tight}
    prices = {
        f"link:{index}": 1 / arc.cost
        for index, arc in enumerate(platform.arcs)
        if arc.head in inside and arc.tail not in inside
    }
    order = tuple(platform.nodes[index] for index in tight)
    return CutBound(prices, order, (Cut(0, len(order), Fraction(1)),))


def _trees(
    problem: Allgather,
    links: Sequence[Link],
    demands: Sequence[Rational],
    rate: Fraction,
    prefer: Preference,
    patience: Patience,
) -> tuple[WeightedStructure, ...]:
    """Trees of links for every root, packed into the links: of the weight `rate` together."""
    platform = problem.platform
    number = {node: index for index, (node, _) in enumerate(problem.shards)}
    roots = [(number[root.node], demands[platform.position[root.node]]) for root in problem.roots]
    ends = [(platform.arcs[path[0]].tail, platform.arcs[path[-1]].head) for path, _ in links]
    packing = pack_branchings(
        len(number),
        [(number[tail], number[head]) for tail, head in ends],
        [link.capacity for link in links],
        [([root], demand) for root, demand in roots],
        prefer=prefer,
        patience=patience,
    )
    if not isinstance(packing, BranchingPacking):
        raise ValueError("links lack capacity, although they keep all cuts")
    return tuple(
        WeightedStructure(
            part,
            _tasks(platform, part, problem.roots[part].node, [links[index] for index in chosen]),
            rate * Fraction(weight, roots[part][1]),
        )
        for part, weight, chosen in packing.branchings
    )


def _tasks(platform: Platform, part: int, root: Node, links: Sequence[Link]) -> tuple[Task, ...]:
    """The arcs of the links, link after link from the root on; every link carries its own copy."""
    leaving: dict[Node, list[Link]] = {}
    for link in links:
        leaving.setdefault(platform.arcs[link.arcs[0]].tail, []).append(link)
    tasks: list[Task] = []
    reached, copy = [root], 0
    for node in reached:  # grows while it is read
        for link in leaving.get(node, ()):
            tasks += [(arc, part, copy) for arc in link.arcs]
            reached.append(platform.arcs[link.arcs[-1]].head)
            copy += 1
    return tuple(tasks)
