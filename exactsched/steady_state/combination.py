"""The steady state of order-free all-reduces, reduces and reduce-scatters.

Method: column generation; a structure is an in-tree to a root and an out-tree from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from exactsched.certificate.bounds import (
    Cut,
    RootCuts,
    TargetBound,
    TargetShare,
    TreeBound,
)
from exactsched.exact.arguments import refuse_one_node
from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import PATIENT, EnoughError, Patience
from exactsched.exact.search_limits import until
from exactsched.graphs.lovasz import Preference
from exactsched.graphs.reachability import breadth_first
from exactsched.linear_programs.column_generation import (
    Listener,
    Progress,
    pack_nearly,
    pack_structures,
)
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Combination, Ports
from exactsched.steady_state.allgather import growing, shard_size, solve_allgather
from exactsched.steady_state.allreduce_by_cuts import pairs_within, shared_links
from exactsched.steady_state.combination_cuts import emptiest_node, farthest_target, slowest_end
from exactsched.steady_state.gathered_sums import backwards, limited_sums, turned_allgather
from exactsched.steady_state.group_trees import Pair
from exactsched.steady_state.odd_sets import OddSets
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.target_trees import cheapest_structures
from exactsched.steady_state.tree_pairs import TreePairs
from exactsched.steady_state.two_phases import (
    balanced,
    bottleneck_prices,
    pairs_at_once,
    phases,
    rate_of,
    two_phase_pairs,
)


def order_free_allreduce(
    platform: Platform,
    group: Iterable[Node] | None = None,
    *,
    ports: Ports = "one-port",
    prefer: Preference = "few",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of all-reduces is a packing of pairs: a tree in, and a tree out.

    In every operation the vectors of a group of nodes, of size 1, are added up, by an operator that
    is associative and commutative, and the whole group wants the sum; combining takes no time.
    Without `group` these are all nodes that are no switches.  All other nodes only forward what
    they receive: the arcs of the trees are paths through them.  No scheme of calls is faster,
    whatever it does in which order (proofs/steady-state-order-free.md).

    `ports`, `time_limit` and `progress` are as in `broadcast`.  Under link ports a reduce-scatter
    followed by an allgather is tried first, and is the answer if its bottlenecks prove that; its
    trees tend to be few, or with `prefer="shallow"` shallow.  If some node of the group cannot be
    reached from another one, the throughput is 0.  Raises `InvalidInput` for arcs with a latency,
    for switches in the group, and for a group of one node.

    A round costs a linear program with a row per resource, and some tens of times two
    arborescences for every root.

    Reference: Edmonds 1967; Fulkerson 1974; proofs/steady-state-order-free.md.

    The rounds have no polynomial bound; there are few in practice.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> solution = order_free_allreduce(pair)
    >>> solution.throughput, solution.optimal
    (Fraction(1, 2), True)
    >>> links = [(one, "s", 1) for one in "abc"] + [("s", one, 1) for one in "abc"]
    >>> order_free_allreduce(Platform("abcs", links, switches="s"), ports="link").throughput
    Fraction(3, 4)
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    if group is None:
        group = (node for node in platform.nodes if node not in platform.switches)
    refuse_one_node(group, "group")
    listed = tuple(group)
    if len(listed) < 2:
        raise InvalidInput("group", len(listed), "to combine values takes at least two nodes")
    blocks: Any = ((1, listed),)
    return solve_combination(Combination(platform, blocks, ports), progress, prefer)


def order_free_reduce(
    platform: Platform,
    target: Node,
    group: Iterable[Node] | None = None,
    *,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of reduces in any order is a packing of trees to the target.

    The same as `order_free_allreduce`, but only `target`, a node of the group, wants the sum: these
    are the broadcasts from it, on the reversed platform.

    Raises `InvalidInput` as `order_free_allreduce` does. A round takes as many operations, with one
    arborescence instead of pairs. Reference: proofs/steady-state-order-free.md.

    >>> star = Platform("abc", [("a", "c", 1), ("b", "c", 2), ("b", "a", 1)])
    >>> order_free_reduce(star, "c", ports="link").throughput
    Fraction(1, 1)
    >>> switched = Platform("abcs", [(one, "s", 1) for one in "ab"] + [("s", "c", 1)], switches="s")
    >>> order_free_reduce(switched, "c", ports="link").throughput
    Fraction(1, 2)
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    blocks: Any = ((1, (target,)),)
    return solve_combination(scattered_sums(platform, blocks, group, ports), progress)


def reduce_scatter(
    platform: Platform,
    shards: Mapping[Node, object] | Iterable[Node] | None = None,
    group: Iterable[Node] | None = None,
    *,
    ports: Ports = "one-port",
    prefer: Preference = "few",
    chunks: int | None = None,
    depth: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of reduce-scatters is a packing of trees to every node.

    The same as `order_free_reduce`, for a block for each node of the group, or for the blocks
    `shards`: nodes, or a mapping of nodes to sizes.  A size that is not given is that of
    `shard_size`.  Through nodes that only forward, under link ports, where none of them receives
    more than it sends, these are the trees of an allgather on the reversed platform, without a
    linear program; `prefer`, `chunks` and `depth` are those of `allgather`.

    Raises `InvalidInput` as `order_free_allreduce` does, and for `chunks` and `depth` where it is
    no allgather, or as `allgather` does. As many operations as `allgather` where it is one;
    otherwise a round has one arborescence for every block.

    Reference: proofs/steady-state-order-free.md.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> reduce_scatter(pair).throughput, reduce_scatter(pair, {"a": "1/2", "b": 2}).throughput
    (Fraction(1, 2), Fraction(1, 2))
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    refuse_one_node(() if group is None else group, "group")
    members = None if group is None else tuple(group)
    if shards is None:
        shards = members or [node for node in platform.nodes if node not in platform.switches]
    problem = scattered_sums(platform, blocks_of(platform, shards), members, ports)
    if (chunks is None and depth is None) or _unreached(problem):
        return solve_combination(problem, progress, prefer)
    return limited_sums(problem, prefer, chunks, depth, progress)


def blocks_of(platform: Platform, shards: Mapping[Node, object] | Iterable[Node]) -> Any:
    """A block for each node; without sizes they are those of `shard_size`, and none of size 0.

    >>> blocks_of(Platform("ab", [("a", "b", 1)], {"a": {"shard": 0}}), "ab")
    ((Fraction(1, 1), ('b',)),)
    """
    refuse_one_node(shards, "shards")
    if isinstance(shards, Mapping):
        return tuple((size, (node,)) for node, size in shards.items())
    listed = ((shard_size(platform, node), node) for node in shards)
    return tuple((size, (node,)) for size, node in listed if size)


def scattered_sums(
    platform: Platform, blocks: Any, group: Iterable[Node] | None, ports: Ports
) -> Combination:
    """Sums that single nodes want, among a group: all nodes that are no switches by default.

    >>> star = Platform("abs", [("a", "s", 1), ("s", "b", 1)], switches="s")
    >>> scattered_sums(star, ((1, ("b",)),), None, "link").among
    ('a', 'b')
    """
    members = tuple(n for n in platform.nodes if n not in platform.switches)
    if group is not None:
        refuse_one_node(group, "group")
        members = tuple(group)
    everybody = set(members) == set(platform.nodes)
    return Combination(platform, blocks, ports, None if everybody else members)


def two_phase_throughput(problem: Combination, progress: Progress | None = None) -> Fraction:
    """The largest throughput of all-reduces that scatter first: the rate 1 / (1 / R + 1 / A).

    R is that of reduce-scatters with an equal block for every node of the group, A that of the
    allgathers of these blocks; one phase follows the other, each by an optimal schedule of its own.
    An allgather is a reduce-scatter on the reversed platform.  0 where none is known: through nodes
    that only forward under other ports than "link", or if they send more or less than they receive,
    and if `progress` ends the search.

    >>> from exactsched.platforms.built_in import built_in
    >>> grid = built_in("grid:2x3")
    >>> two_phase_throughput(Combination(grid, ((1, grid.nodes),), "link"))
    Fraction(6, 5)
    """
    size = sum((block.size for block in problem.blocks), Fraction(0))
    if problem.ports == "link":
        if not balanced(problem):
            return Fraction(0)
        try:
            first, second = phases(problem, Listener(progress).patience)
        except EnoughError:
            return Fraction(0)
        return rate_of(first.rate, second.rate) / size
    platform, ports = problem.platform, problem.ports
    if len(problem.group) < len(platform.nodes):
        return Fraction(0)
    turned = platform.turned()
    sizes = dict.fromkeys(platform.nodes, size / len(platform.nodes))
    one = reduce_scatter(platform, sizes, ports=ports, progress=progress).throughput
    other = one
    if one and set(platform.arcs) != set(turned.arcs):
        other = reduce_scatter(turned, sizes, ports=ports, progress=progress).throughput
    return rate_of(one, other)


def solve_combination(
    problem: Combination, progress: Progress | None = None, prefer: Preference = "few"
) -> Solution:
    """The optimum of a series of combinations; see `order_free_allreduce`."""
    for arc in problem.platform.arcs:
        if arc.latency:
            rule = (
                "a series of combinations has no start-up times; add them to the cost, or give a"
                " size: --size, in Python sized_reduce_scatter, sized_reduce, sized_allreduce"
            )
            raise InvalidInput(f"arc {arc}, latency", str(arc.latency), rule)
    unreached = _unreached(problem)
    if unreached:
        return Solution(problem, (), unreached, Fraction(0))
    gathered = _by_gathering(problem, prefer, progress)
    if gathered:
        return gathered
    pairs = cheapest_structures(problem)
    shared = len(problem.blocks) == 1 and problem.everywhere(0) and not problem.mixed
    if problem.ports == "link" and shared:
        assert isinstance(pairs, TreePairs)
        patience = Listener(progress).patience
        try:
            known = _by_two_phases(problem, pairs, prefer, patience)
            return known or _by_cuts(problem, pairs, prefer, progress)
        except EnoughError:
            proof, rate = emptiest_node(problem)
            return Solution(problem, pairs_at_once(problem), proof, rate)
    return _by_columns(problem, pairs, progress)


def _by_gathering(
    problem: Combination, prefer: Preference, progress: Progress | None
) -> Solution | None:
    """Sums for single nodes through nodes that only forward: an allgather, from back to front."""
    if len(problem.group) == len(problem.platform.nodes):
        return None
    turned = turned_allgather(problem)
    if turned is None or growing(turned):
        return None
    return backwards(problem, solve_allgather(turned, prefer, progress=progress))


def _by_two_phases(
    problem: Combination, pairs: TreePairs, prefer: Preference, patience: Patience = PATIENT
) -> Solution | None:
    """A reduce-scatter and an allgather, if prices of their bottlenecks prove that to be optimal.

    The trees are those of two allgathers, which are few or shallow.
    """
    if not balanced(problem):
        return None
    found = phases(problem, patience)
    rate = rate_of(found[0].rate, found[1].rate) / problem.blocks[0].size
    for prices in bottleneck_prices(problem, found, patience):
        _, (cost,) = pairs.cheapest_exactly(prices, patience)
        if cost * rate == pairs.unit * sum(prices.values()):
            proof = pairs.bound({row: Fraction(price) for row, price in prices.items()}, [])
            trees = two_phase_pairs(problem, found, prefer, patience)
            return Solution(problem, trees, proof, rate)
    return None


def _by_cuts(
    problem: Combination, pairs: TreePairs, prefer: Preference, progress: Progress | None
) -> Solution:
    """The optimum under link ports by a program of what arcs carry.

    Measured: four boxes of 8 GPUs, the cards of one of them at half speed (dgx-a100:4, 32 GPUs),
    take 0.2 s for the optimum.
    """
    shared = shared_links(problem, progress)
    if shared is None:
        raise EnoughError
    patience = Listener(progress, shared.throughput).patience
    whole = lcm(*(price.denominator for price in shared.prices.values()))
    prices = {row: int(price * whole) for row, price in shared.prices.items()}
    pairs.cheapest_exactly(prices, patience)
    proof = pairs.bound(shared.prices, [])
    rate = shared.throughput / problem.blocks[0].size
    structures = pairs_within(problem, shared, prefer, patience)
    return Solution(problem, structures, proof, rate, shared.rounds)


def _by_columns(problem: Combination, pairs: TreePairs, progress: Progress | None) -> Solution:
    odd = OddSets(pairs.ends, pairs.unit) if problem.ports == "half-duplex" else None

    def overworked(weights: Sequence[tuple[int, Pair, Fraction]], first: int) -> list[int]:
        found = odd.overworked(pairs.working(weights)) if odd else []
        pairs.join([arcs for arcs, _ in found], first)
        return [capacity for _, capacity in found]

    pack = pack_structures if pairs.exact else pack_nearly
    packing = pack(pairs, pairs.capacities, progress, overworked if odd else None)
    found = Solution(
        problem,
        tuple(pairs.structure(pair, weight) for _, pair, weight in packing.weights),
        pairs.bound(packing.prices, odd.found if odd else []),
        packing.bound,
        packing.rounds,
        packing.priced,
    )
    if pairs.exact or problem.ports == "routes":
        return found
    proof, bound = (farthest_target if problem.ports == "link" else slowest_end)(problem)
    return replace(found, proof=proof, bound=bound) if bound < found.bound else found


def _unreached(problem: Combination) -> TargetBound | TreeBound | None:
    """Sets that no arc leaves, where a target cannot be reached from all nodes of its group."""
    leaving = _heads(problem)
    found = (_unreached_in(problem, number, leaving) for number in problem.parts_of)
    return next((proof for proof in found if proof), None)


def _unreached_in(
    problem: Combination, number: int | None, leaving: Mapping[Node, Sequence[Node]]
) -> TargetBound | TreeBound | None:
    nodes = problem.members_of(number)
    blocks = [problem.blocks[part] for part in problem.parts_of[number]]
    for block in blocks:
        if block.source is not None:
            reached = breadth_first([block.source], lambda one: leaving[one])
            missing = tuple(node for node in nodes if node not in reached)
            lost = [node for node in block.targets if node in missing]
            if lost and problem.multicast:
                # Whoever cannot reach the target pays 1, as no arc leads out of these nodes.
                ways = {node: breadth_first([node], lambda one: leaving[one]) for node in nodes}
                costs = tuple(int(lost[0] not in ways[node]) for node in nodes)
                return TargetBound({}, (TargetShare((lost[0],), (costs,)),))
            if lost:
                cut = (Cut(0, len(missing), Fraction(1)),)
                row = RootCuts(block.source, (), (), missing, cut, missing, cut, number)
                return TreeBound({}, (row,))
    sums = [block for block in blocks if block.source is None]
    wanted = {node for block in sums for node in block.targets}
    shared = any(len(block.targets) > 1 for block in sums)
    for node in nodes:
        reached = breadth_first([node], lambda one: leaving[one])
        if wanted <= reached.keys():
            continue
        inside = tuple(one for one in nodes if one in reached)
        outside = tuple(one for one in nodes if one not in reached)
        whole = (Cut(0, len(inside), Fraction(1)),)
        rest = (Cut(0, len(outside), Fraction(1)),)
        rows = [
            RootCuts(one, inside, whole, (), (), (), (), number) for one in outside if one in wanted
        ]
        if shared:
            rows += [RootCuts(one, (), (), outside, rest, (), (), number) for one in inside]
        return TreeBound({}, tuple(rows))
    return None


def _heads(problem: Combination) -> dict[Node, list[Node]]:
    leaving: dict[Node, list[Node]] = {node: [] for node in problem.platform.nodes}
    for arc in problem.platform.arcs:
        leaving[arc.tail].append(arc.head)
    return leaving
