"""The best tree and the best DAG, against all trees, all orders, and the reductions of the proofs.

Definitions come from exactsched/oracles: all arborescences, a textbook simplex method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import lcm
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import exactsched.check
from exactsched.certificate.bounds import SplitOnCycle, SplitOnNode
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.instances.broadcasts import Relays
from exactsched.instances.platforms import unit_cost
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import PORTS, Broadcast, Ports
from exactsched.model.resources import arc_resources, resources
from exactsched.oracles.broadcast import arborescences
from exactsched.oracles.collectives import simulate_series
from exactsched.oracles.linear_programs import maximum
from exactsched.platforms.built_in import grid, hypercube, random_platform
from exactsched.platforms.papers import legrand_fig1
from exactsched.steady_state.broadcast import Solution, broadcast, relaxation
from exactsched.steady_state.restricted import (
    best_tree,
    branch_and_bound,
)
from exactsched.steady_state.restricted import (
    case_proof as branching_proof,
)
from exactsched.steady_state.restricted.best_dag import broadcast_dag, shortest_cycle
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.restricted.branch_and_bound import ArcModel, Search, Subproblem
from exactsched.strategies import broadcasts, costs, of_claim
from exactsched.theorems import claim_named
from tests.steady_state.planned import depths, tree_schedule


@st.composite
def any_broadcasts(draw: st.DrawFn, max_nodes: int, **options: object) -> Broadcast:
    """Every port model; half-duplex without odd cycles."""
    ports: Ports = draw(st.sampled_from(PORTS))  # type: ignore[arg-type]
    return draw(
        broadcasts(
            ports=ports,
            bipartite=ports == "half-duplex",
            max_nodes=max_nodes,
            **options,  # type: ignore[arg-type]
        )
    )


def best_tree_of(problem: Broadcast, **options: object) -> Solution:
    return broadcast_tree(problem.platform, problem.source, ports=problem.ports, **options)  # type: ignore[arg-type]


def best_dag_of(problem: Broadcast, **options: object) -> Solution:
    return broadcast_dag(problem.platform, problem.source, ports=problem.ports, **options)  # type: ignore[arg-type]


def assert_proved(solution: Solution, throughput: Fraction) -> None:
    claim = exactsched.check(solution.certificate())
    assert claim.optimal
    assert solution.optimal
    assert claim.throughput == solution.throughput == throughput


def tree_rate(problem: Broadcast, tree: Iterable[int]) -> Fraction:
    """One over the load of the busiest resource, by definition."""
    uses = arc_resources(problem)
    loads = dict.fromkeys(resources(problem), Fraction(0))
    for arc in tree:
        for name in uses[arc]:
            loads[name] += problem.platform.arcs[arc].cost
    return 1 / max(loads.values())


def ssbpdag(problem: Broadcast, arcs: list[int], receive_ports: bool = True) -> Fraction:
    """The program SSBPDAG(G) of RR-4871, section 4.1, on an acyclic set of arcs.

    For all port models; without the receive ports (5) if so asked, to see what they do.
    """
    rows, limits = _ssbpdag_rows(problem, arcs)
    if not receive_ports:
        kept = [k for k, name in enumerate(resources(problem)) if not name.startswith("recv:")]
        kept += range(len(resources(problem)), len(rows))
        rows, limits = [rows[k] for k in kept], [limits[k] for k in kept]
    return maximum([Fraction(1)] + [Fraction(0)] * len(arcs), rows, limits)


def _ssbpdag_rows(
    problem: Broadcast, arcs: list[int]
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Rows over TP and the messages n of every arc: one per resource, then one per node."""
    platform, uses = problem.platform, arc_resources(problem)
    rows = [
        [Fraction(0), *(platform.arcs[arc].cost * (name in uses[arc]) for arc in arcs)]
        for name in resources(problem)
    ]
    limits = [Fraction(1)] * len(rows)
    for node in platform.nodes:
        if node != problem.source:
            rows.append([Fraction(1), *(-Fraction(platform.arcs[a].head == node) for a in arcs)])
            limits.append(Fraction(0))
    return rows, limits


def ssbpdag_messages(problem: Broadcast, arcs: list[int]) -> tuple[Fraction, dict[int, Fraction]]:
    """An optimal solution of SSBPDAG(G): the throughput and the messages per arc and time unit."""
    rows, limits = _ssbpdag_rows(problem, arcs)
    unit = lcm(*(arc.cost.denominator for arc in problem.platform.arcs))
    program = PackingProgram([int(limit * unit) for limit in limits])
    for column in range(len(arcs) + 1):
        program.add_column(
            int(column == 0), {row: int(entry[column] * unit) for row, entry in enumerate(rows)}
        )
    optimum = program.solve()
    return optimum.value, {arc: optimum.primal.get(k, Fraction(0)) for k, arc in enumerate(arcs, 1)}


def laid_out(
    problem: Broadcast, throughput: Fraction, messages: dict[int, Fraction]
) -> list[tuple[tuple[int, ...], Fraction]]:
    """Trees with weights, from the inflow of every node laid on [0, TP) (proofs/best-dag.md)."""
    inflow: dict[Node, list[tuple[Fraction, int]]] = {}
    breakpoints = {Fraction(0), throughput}
    for arc, amount in messages.items():
        if amount:
            line = inflow.setdefault(problem.platform.arcs[arc].head, [])
            end = (line[-1][0] if line else Fraction(0)) + amount
            if not line or line[-1][0] < throughput:
                line.append((end, arc))
                breakpoints.add(min(end, throughput))
    moments = sorted(breakpoints)
    return [
        (
            tuple(
                sorted(next(arc for end, arc in line if end > start) for line in inflow.values())
            ),
            stop - start,
        )
        for start, stop in pairwise(moments)
    ]


def forwards(problem: Broadcast, order: Iterable[Node]) -> frozenset[int]:
    place = {node: position for position, node in enumerate(order)}
    return frozenset(
        index
        for index, arc in enumerate(problem.platform.arcs)
        if place[arc.tail] < place[arc.head]
    )


def best_dag_by_definition(problem: Broadcast) -> Fraction:
    """The best SSBPDAG over all orders of the nodes, the source first."""
    others = [node for node in problem.platform.nodes if node != problem.source]
    families = {forwards(problem, (problem.source, *order)) for order in permutations(others)}
    return max(ssbpdag(problem, sorted(arcs)) for arcs in families)


# --- The example of the paper


def test_single_trees_are_weaker_than_dags_and_dags_than_graphs_on_figure_1() -> None:
    platform = legrand_fig1()
    tree, dag = broadcast_tree(platform, "Ps"), broadcast_dag(platform, "Ps")
    assert_proved(tree, Fraction(2, 3))
    assert_proved(dag, Fraction(4, 5))
    assert broadcast(platform, "Ps").throughput == 1
    assert isinstance(tree.proof, SplitOnNode)
    assert isinstance(dag.proof, SplitOnCycle)
    assert len(tree.trees) == 1


# --- The best tree


@given(any_broadcasts(max_nodes=6))
def test_the_best_tree_is_the_best_of_all_arborescences(problem: Broadcast) -> None:
    best = max(tree_rate(problem, tree) for tree in arborescences(problem))
    assert_proved(best_tree_of(problem), best)


def least_makespan(relays: Relays) -> int:
    """By definition: all assignments of jobs to relays."""
    jobs = range(len(relays.times[0]))
    machines = range(len(relays.times))
    return min(
        max(sum(relays.times[m][job] for job in jobs if on[job] == m) for m in machines)
        for on in product(machines, repeat=len(jobs))
    )


@given(of_claim(claim_named("beaumont2003.thm1.relays")))
def test_branching_decides_where_relays_share_jobs(relays: Relays) -> None:
    """Neither rounding nor the reductions close these: 97 of 100 of them have to be split."""
    assert_proved(
        best_tree_of(relays.broadcast()),
        Fraction(1, max(len(relays.times), least_makespan(relays))),
    )


@pytest.mark.parametrize(
    ("count", "jobs"),
    [
        (2, (53, 59, 61)),
        (2, (53, 59, 61, 67, 71)),
        (3, (53, 59, 61, 67, 71)),
        (3, (53, 59, 61, 67, 71, 73, 79)),
    ],
)
def test_primes_are_split(
    monkeypatch: pytest.MonkeyPatch, count: int, jobs: tuple[int, ...]
) -> None:
    """The search splits subproblems into cases, and with one case less the proof is refused."""
    relays = Relays((jobs,) * count)
    splits: list[int] = []
    expand = best_tree._OneTree.expand

    def counted(self: best_tree._OneTree, subproblem: Subproblem) -> list[Subproblem]:
        cases = expand(self, subproblem)
        splits.append(len(cases))
        return cases

    monkeypatch.setattr(best_tree._OneTree, "expand", counted)
    assert_proved(best_tree_of(relays.broadcast()), Fraction(1, least_makespan(relays)))
    assert max(splits) == count

    def forgetful(self: best_tree._OneTree, subproblem: Subproblem) -> list[Subproblem]:
        cases = expand(self, subproblem)
        del subproblem.cases[-1:]
        return cases[:-1]

    monkeypatch.setattr(best_tree._OneTree, "expand", forgetful)
    with pytest.raises(Rejected, match="every arc into the node is kept by a case"):
        exactsched.check(best_tree_of(relays.broadcast()).certificate())


@given(any_broadcasts(max_nodes=6, cost=unit_cost))
def test_the_best_tree_with_unit_costs(problem: Broadcast) -> None:
    best = max(tree_rate(problem, tree) for tree in arborescences(problem))
    assert_proved(best_tree_of(problem), best)


@given(any_broadcasts(max_nodes=6), st.booleans())
@settings(max_examples=20)
def test_the_proposal_of_the_integer_program_changes_nothing(
    problem: Broadcast, worst_proposed: bool
) -> None:
    expected = best_tree_of(problem).throughput
    worst = min(arborescences(problem), key=lambda tree: tree_rate(problem, tree))
    with pytest.MonkeyPatch.context() as patched:
        proposed = [sorted(worst)] if worst_proposed else []
        patched.setattr(best_tree, "_proposed_trees", lambda *_: proposed)
        assert_proved(best_tree_of(problem), expected)


@given(any_broadcasts(max_nodes=6))
def test_a_local_optimum_is_an_arborescence_and_no_worse(problem: Broadcast) -> None:
    model = ArcModel(problem)
    for tree in list(arborescences(problem))[:5]:
        better = best_tree._locally_best(model, model.column(sorted(tree)))
        assert frozenset(better.arcs) in set(arborescences(problem))
        assert tree_rate(problem, better.arcs) >= tree_rate(problem, tree)


@given(any_broadcasts(max_nodes=6), costs(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_best_tree_scales_and_forgets_names(
    problem: Broadcast, factor: Fraction, random
) -> None:  # type: ignore[no-untyped-def]
    platform = problem.platform
    best = best_tree_of(problem).throughput
    names = [f"x{k}" for k in range(len(platform.nodes))]
    random.shuffle(names)
    name = dict(zip(platform.nodes, names, strict=True))
    arcs = [(name[a.tail], name[a.head], a.cost * factor) for a in platform.arcs]
    random.shuffle(arcs)
    other = Platform(sorted(names), arcs)
    assert (
        broadcast_tree(other, name[problem.source], ports=problem.ports).throughput == best / factor
    )


@given(broadcasts(max_nodes=6, ports="one-port"), costs())
@settings(max_examples=15)
def test_another_arc_never_lowers_the_best_tree(problem: Broadcast, cost: Fraction) -> None:
    platform = problem.platform
    present = {(arc.tail, arc.head) for arc in platform.arcs}
    missing = [pair for pair in permutations(platform.nodes, 2) if pair not in present]
    assume(missing)
    more = Platform(platform.nodes, [*platform.arcs, (*missing[0], cost)])
    before = best_tree_of(problem).throughput
    assert broadcast_tree(more, problem.source).throughput >= before


# --- The best DAG


@given(any_broadcasts(max_nodes=5))
@settings(max_examples=25)
def test_the_best_dag_is_the_best_of_all_orders(problem: Broadcast) -> None:
    assert_proved(best_dag_of(problem), best_dag_by_definition(problem))


@given(any_broadcasts(max_nodes=5, cost=unit_cost))
@settings(max_examples=25)
def test_the_best_dag_with_unit_costs(problem: Broadcast) -> None:
    assert_proved(best_dag_of(problem), best_dag_by_definition(problem))


@given(of_claim(claim_named("beaumont2003.best-dag")), st.sampled_from(("one-port", "link")))
@settings(max_examples=15)
def test_the_best_dag_opens_rings(problem: Broadcast, ports: Ports) -> None:
    """Under one-port the best packing goes around the ring, and every instance has to be split."""
    asked = Broadcast(problem.platform, problem.source, ports)
    solution = best_dag_of(asked)
    assert_proved(solution, best_dag_by_definition(asked))
    assert ports == "link" or isinstance(solution.proof, SplitOnCycle)


@st.composite
def acyclic_broadcasts(draw: st.DrawFn, max_nodes: int = 6) -> Broadcast:
    """Platforms whose arcs lead forwards in the order of the nodes; node 0 is the source."""
    problem = draw(any_broadcasts(max_nodes=max_nodes))
    place = {node: k for k, node in enumerate(problem.platform.nodes)}
    place[problem.source] = -1
    arcs = [
        (*sorted((a.tail, a.head), key=place.__getitem__), a.cost) for a in problem.platform.arcs
    ]
    once = {(tail, head): (tail, head, cost) for tail, head, cost in arcs}
    # A node that nothing enters any more hangs from the source again, if ports allow it.
    for node in problem.platform.nodes:
        if node != problem.source and all(head != node for _, head in once):
            once[problem.source, node] = (problem.source, node, Fraction(1))
    platform = Platform(problem.platform.nodes, once.values())
    ports: Ports = "one-port" if problem.ports == "half-duplex" else problem.ports
    return Broadcast(platform, problem.source, ports, "dag")


@given(acyclic_broadcasts())
def test_on_a_dag_the_program_of_the_paper_and_the_packing_agree(problem: Broadcast) -> None:
    solution = best_dag_of(problem)
    everything = list(range(len(problem.platform.arcs)))
    assert_proved(solution, ssbpdag(problem, everything))
    assert (
        solution.throughput
        == broadcast(problem.platform, problem.source, ports=problem.ports).throughput
    )
    assert solution.rounds <= 10_000


@given(acyclic_broadcasts())
def test_on_a_dag_any_inflow_of_tp_at_each_node_is_a_packing_of_few_arborescences(
    problem: Broadcast,
) -> None:
    throughput, messages = ssbpdag_messages(problem, list(range(len(problem.platform.arcs))))
    trees = laid_out(problem, throughput, messages)
    possible = set(arborescences(problem))
    assert all(frozenset(tree) in possible for tree, _ in trees)
    assert sum(weight for _, weight in trees) == throughput
    used = sum(amount > 0 for amount in messages.values())
    assert len(trees) <= used - len(problem.platform.nodes) + 2
    schedule = tree_schedule(problem, trees)
    assert sum(tree.operations for tree in schedule.structures) == throughput * schedule.period


@given(acyclic_broadcasts())
def test_on_a_dag_no_tree_is_deeper_than_the_longest_path(problem: Broadcast) -> None:
    heights = longest_path_heights(problem)
    solution = best_dag_of(problem)
    for tree in solution.trees:
        depth = depths(problem.platform, problem.source, tree.arcs)
        assert all(depth[node] <= heights[node] for node in problem.platform.nodes)
    assert solution.depth <= max(heights.values())


def longest_path_heights(problem: Broadcast) -> dict[Node, int]:
    """The number of arcs of a longest path from the source to each node of a DAG."""
    heights = dict.fromkeys(problem.platform.nodes, 0)
    for _ in problem.platform.nodes:
        for arc in problem.platform.arcs:
            heights[arc.head] = max(heights[arc.head], heights[arc.tail] + 1)
    return heights


@given(any_broadcasts(max_nodes=5))
@settings(max_examples=30)
def test_a_tree_is_a_dag_and_a_dag_is_a_graph(problem: Broadcast) -> None:
    tree, dag = best_tree_of(problem).throughput, best_dag_of(problem).throughput
    assert (
        tree <= dag <= broadcast(problem.platform, problem.source, ports=problem.ports).throughput
    )


@given(broadcasts(max_nodes=6, ports="link"))
@settings(max_examples=15)
def test_with_links_the_greedy_order_is_the_best_dag(problem: Broadcast) -> None:
    """Append the node with the largest capacity from the nodes before it (proofs/best-dag.md)."""
    capacity = dict.fromkeys(problem.platform.nodes, Fraction(0))
    node, rate = problem.source, None
    while True:
        del capacity[node]
        for arc in problem.platform.arcs:
            if arc.tail == node and arc.head in capacity:
                capacity[arc.head] += 1 / arc.cost
        if not capacity:
            break
        node = max(capacity, key=capacity.__getitem__)
        rate = capacity[node] if rate is None else min(rate, capacity[node])
    assert best_dag_of(problem).throughput == rate


@given(any_broadcasts(max_nodes=6), costs(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_best_dag_scales_and_forgets_names(
    problem: Broadcast, factor: Fraction, random
) -> None:  # type: ignore[no-untyped-def]
    platform = problem.platform
    names = [f"x{k}" for k in range(len(platform.nodes))]
    random.shuffle(names)
    name = dict(zip(platform.nodes, names, strict=True))
    arcs = [(name[a.tail], name[a.head], a.cost * factor) for a in platform.arcs]
    random.shuffle(arcs)
    other = broadcast_dag(Platform(sorted(names), arcs), name[problem.source], ports=problem.ports)
    assert other.throughput == best_dag_of(problem).throughput / factor


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14))
def test_a_shortest_cycle_is_a_cycle_and_none_is_shorter(pairs: set[tuple[int, int]]) -> None:
    arcs = [(tail, head, 1) for tail, head in sorted(pairs) if tail != head]
    model = ArcModel(Broadcast(Platform(range(7), [*arcs, (6, 0, 1)]), 6))
    cycle = shortest_cycle(model, range(len(arcs)))
    for arc, following in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        assert arcs[arc][1] == arcs[following][0]
    known = {(tail, head) for tail, head, _ in arcs}
    lengths = [
        size
        for size in range(2, 7)
        for nodes in permutations(range(6), size)
        if all(pair in known for pair in zip(nodes, nodes[1:] + nodes[:1], strict=True))
    ]
    assert len(cycle) == min(lengths, default=0)


# --- Both


@given(any_broadcasts(max_nodes=6, reachable=False), st.sampled_from(["tree", "dag"]))
@settings(max_examples=25)
def test_what_cannot_be_reached_has_throughput_zero(problem: Broadcast, restrict: str) -> None:
    solution = best_tree_of(problem) if restrict == "tree" else best_dag_of(problem)
    assert_proved(solution, Fraction(0))
    assert solution.schedule is None


@given(any_broadcasts(max_nodes=5), st.sampled_from(["tree", "dag"]))
@settings(max_examples=20)
def test_the_schedule_delivers_what_it_promises(problem: Broadcast, restrict: str) -> None:
    solution = best_tree_of(problem) if restrict == "tree" else best_dag_of(problem)
    assume(solution.schedule is not None)
    batch = sum(tree.operations for tree in solution.schedule.structures)  # type: ignore[union-attr]
    assume(batch <= 60)
    # Shallow trees deliver more than the two batches that the deepest one has finished.
    assert simulate_series(solution.certificate(), solution.depth + 1) >= 2 * batch


@given(any_broadcasts(max_nodes=6, min_nodes=4), st.sampled_from(["tree", "dag"]), st.booleans())
@settings(max_examples=25)
def test_a_limit_leaves_an_honest_interval(
    problem: Broadcast, restrict: str, at_once: bool
) -> None:
    best_of = best_tree_of if restrict == "tree" else best_dag_of
    optimum = best_of(problem).throughput
    limit: dict[str, object] = {"time_limit": 0} if at_once else {"node_limit": 3}
    solution = best_of(problem, **limit)
    claim = exactsched.check(solution.certificate())
    assert solution.throughput <= optimum <= solution.bound
    assert (claim.throughput, claim.bound) == (solution.throughput, solution.bound)
    assert claim.optimal == solution.optimal == (solution.throughput == solution.bound)


def test_a_limit_can_strike() -> None:
    assert broadcast_dag(legrand_fig1(), "Ps", time_limit=0).bound == 1
    tree = broadcast_tree(legrand_fig1(), "Ps", node_limit=1)
    dag = broadcast_dag(legrand_fig1(), "Ps", node_limit=1)
    assert not dag.optimal
    assert dag.bound == 1
    assert exactsched.check(tree.certificate()).bound == tree.bound >= Fraction(2, 3)


def test_a_search_stops_when_no_certificate_could_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_and_bound, "MAX_BOUNDS", 20)
    solution = broadcast_dag(random_platform(10, 30, 0), 0)
    assert exactsched.check(solution.certificate()).bound == solution.bound > solution.throughput


@pytest.mark.parametrize("limits", [(0, 100), (1, 100), (100, 4), (100, 40)])
@pytest.mark.parametrize("restrict", ["tree", "dag"])
def test_a_proof_that_does_not_fit_into_a_certificate_is_cut_honestly(
    limits: tuple[int, int], restrict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = random_platform(10, 30, 0)
    best_of = broadcast_tree if restrict == "tree" else broadcast_dag
    optimum = best_of(platform, platform.nodes[0], node_limit=60)
    monkeypatch.setattr(branching_proof, "MAX_DEPTH", limits[0])
    monkeypatch.setattr(branching_proof, "MAX_BOUNDS", limits[1])
    solution = best_of(platform, platform.nodes[0], node_limit=60)
    assert exactsched.check(solution.certificate()).bound == solution.bound >= optimum.bound
    size, depth = _extent(solution)
    assert depth <= limits[0]
    assert size <= limits[1]


def _extent(solution: Solution) -> tuple[int, int]:
    """The number of bounds in a proof and how deep branchings are nested."""
    pending, size, deepest = [(solution.proof, 0)], 0, 0
    while pending:
        bound, depth = pending.pop()
        size, deepest = size + 1, max(deepest, depth)
        if isinstance(bound, (SplitOnNode, SplitOnCycle)):
            pending += [(case.proof, depth + 1) for case in bound.cases]
    return size, deepest


@pytest.mark.parametrize("best_of", [broadcast_tree, broadcast_dag])
def test_what_a_series_cannot_have_is_refused(best_of) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match="latency"):
        best_of(Platform("ab", [("a", "b", 1, 1)]), "a")
    triangle = Platform("abc", both_ways([("a", "b", 1), ("b", "c", 1), ("a", "c", 1)]))
    with pytest.raises(InvalidInput, match="source"):
        best_of(triangle, "d")


def test_odd_cycles_are_no_trouble_for_a_tree() -> None:
    triangle = Platform("abc", both_ways([("a", "b", 1), ("b", "c", 1), ("a", "c", 1)]))
    assert_proved(broadcast_tree(triangle, "a", ports="half-duplex"), Fraction(1, 2))
    with pytest.raises(InvalidInput, match="odd cycle"):
        broadcast_dag(triangle, "a", ports="half-duplex")


def dense_platform(size: int, arcs: int, seed: int, cost: Callable[[Random], int]) -> Platform:
    """A random platform on which the linear program is far from the best tree."""
    dice = Random(seed)
    pairs = {(dice.randrange(head), head) for head in range(1, size)}
    while len(pairs) < arcs:
        tail, head = dice.sample(range(size), 2)
        pairs.add((tail, head))
    return Platform(range(size), [(*pair, cost(dice)) for pair in sorted(pairs)])


@pytest.mark.parametrize("seed", range(6))
def test_long_proofs_are_accepted(seed: int) -> None:
    """Costs of three digits: rounding hardly helps, and arcs are removed by their slack."""
    platform = dense_platform(12, 72, seed, lambda dice: dice.randint(100, 1000))
    tree = broadcast_tree(platform, 0)
    assert_proved(tree, tree_rate(tree.problem, tree.trees[0].arcs))
    dag = broadcast_dag(platform, 0, node_limit=20)
    assert exactsched.check(dag.certificate()).bound == dag.bound >= dag.throughput


@pytest.mark.parametrize("seed", range(12))
def test_every_subproblem_proves_its_rate_and_names_the_arcs_it_needs_removed(seed: int) -> None:
    """By definition: the cuts fit into the arcs that remain, and those not needed put back."""
    costs_of = (100, 250, 275, 300, 425, 477, 550) if seed % 2 else range(100, 1000)
    platform = dense_platform(10, 45, seed, lambda dice: dice.choice(costs_of))
    _, restriction, search, trees = searched(platform)
    search.run(trees)
    for subproblem in assert_subproblems_prove_their_rates(search, restriction):
        assert subproblem.cases or subproblem.rate <= restriction.incumbent


def test_arcs_with_too_much_slack_are_removed_with_proof() -> None:
    """The slack rule alone, on the first bound, several arcs into a node at once."""
    most = 0
    for seed in range(8):
        platform = dense_platform(10, 45, seed, lambda dice: dice.randint(100, 1000))
        optimum = broadcast_tree(platform, 0).trees[0].arcs
        model, restriction, search, _ = searched(platform)
        restriction.meet(model.column(optimum))
        restriction._without_hopeless_arcs(search.root)
        for subproblem in assert_subproblems_prove_their_rates(search, restriction):
            for without, case in subproblem.cases[-1:]:
                most = max(most, without.bit_count())
                closed = [other.rate for _, other in subproblem.cases if other is not case]
                assert max(closed, default=Fraction(0)) <= restriction.incumbent
    assert most >= 2


def searched(
    platform: Platform,
) -> tuple[ArcModel, best_tree._OneTree, Search, list[tuple[int, ...]]]:
    """A search for the best tree from node 0 that has not begun, and the trees to begin with."""
    problem = Broadcast(platform, 0, "one-port", "tree")
    relaxed = relaxation(problem, range(len(platform.arcs)))
    model = ArcModel(problem)
    restriction = best_tree._OneTree(model)
    search = Search(model, restriction, model.priced_cuts(relaxed.leaf))
    return model, restriction, search, [tree.arcs for tree in relaxed.trees]


def assert_subproblems_prove_their_rates(
    search: Search, restriction: best_tree._OneTree
) -> list[Subproblem]:
    model, pending = search.model, [search.root]
    for subproblem in pending:
        pending += [case for _, case in subproblem.cases]
        cuts, needed = subproblem.cuts, search.needs(subproblem)
        assert needed & ~subproblem.removed == 0
        for arc in model.remaining(subproblem.removed) + model.remaining(needed):
            tail, head = model.tails[arc], model.heads[arc]
            inside = [(set(cuts.order[a:b]), weight) for a, b, weight in cuts.cuts]
            entered = sum(weight for s, weight in inside if head in s and tail not in s)
            price = sum(cuts.prices[row] for row in model.uses[arc]) if cuts.prices else 0
            assert entered <= price * model.costs[arc]
        assert restriction.rounded(model.rate(cuts), subproblem.removed) == subproblem.rate
        proved = restriction.rounded(model.rate(cuts), needed)
        assert proved <= max(subproblem.rate, restriction.incumbent)
    return pending


@pytest.mark.parametrize("seed", range(12))
def test_proofs_that_round_are_accepted(seed: int) -> None:
    """Once the few odd arcs are removed, loads are multiples of 6."""
    platform = dense_platform(8, 26, seed, lambda dice: dice.choice((6, 6, 6, 12, 12, 17, 31)))
    tree = broadcast_tree(platform, 0)
    assert_proved(tree, tree_rate(tree.problem, tree.trees[0].arcs))


def test_larger_platforms_are_solved_to_proof() -> None:
    for platform in (random_platform(80, 240, 0), random_platform(120, 360, 5)):
        solution = broadcast_tree(platform, platform.nodes[0])
        assert_proved(solution, solution.throughput)
    square, cube = grid(5, 5), hypercube(3)
    assert_proved(broadcast_tree(square, square.nodes[1]), Fraction(1, 2))
    assert_proved(broadcast_dag(cube, cube.nodes[0]), Fraction(1))


# --- Theorem 1 (proofs/best-tree.md)


def spanning_trees(
    size: int, edges: list[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """All spanning trees of an undirected graph, by definition."""
    for chosen in combinations(edges, size - 1):
        reached = {0}
        for _ in chosen:
            reached |= {w for edge in chosen if reached & set(edge) for w in edge}
        if len(reached) == size:
            yield chosen


def gadget(size: int, edges: list[tuple[int, int]], degree: int) -> Platform:
    """The platform of the reduction: cost 1/K out of the source 0, 1/(K-1) everywhere else."""
    return Platform(
        range(size),
        [
            (tail, head, Fraction(1, degree if tail == 0 else degree - 1))
            for u, v in edges
            for tail, head in ((u, v), (v, u))
        ],
    )


@given(
    st.integers(2, 6).flatmap(
        lambda size: st.tuples(
            st.just(size), st.sets(st.sampled_from(list(combinations(range(size), 2))))
        )
    ),
    st.integers(2, 4),
)
@example((4, {(0, 1), (0, 2), (0, 3)}), 2)
@example((4, {(1, 0), (1, 2), (1, 3)}), 2)
@example((4, {(1, 0), (1, 2), (1, 3)}), 3)
def test_theorem_1_a_tree_of_throughput_1_is_a_spanning_tree_of_degree_k(
    graph: tuple[int, set[tuple[int, int]]], degree: int
) -> None:
    size, edges = graph[0], sorted(graph[1])
    bounded = [
        tree
        for tree in spanning_trees(size, edges)
        if max(sum(node in edge for edge in tree) for node in range(size)) <= degree
    ]
    platform = gadget(size, edges, degree)
    solution = broadcast_tree(platform, 0)
    assert (solution.throughput >= 1) == bool(bounded)
    if bounded:
        arcs = [platform.arcs[arc] for arc in solution.trees[0].arcs]
        found = {(min(arc.tail, arc.head), max(arc.tail, arc.head)) for arc in arcs}  # type: ignore[type-var]
        assert found in [{(min(e), max(e)) for e in tree} for tree in bounded]


# --- Theorem 2, and what was wrong in it (proofs/best-dag.md)


def rooted_dags(size: int) -> Iterator[set[tuple[int, int]]]:
    """All DAGs on 0..size-1 with arcs upwards, all nodes reachable from 0."""
    pairs = list(combinations(range(size), 2))
    for bits in product((False, True), repeat=len(pairs)):
        arcs = {pair for pair, there in zip(pairs, bits, strict=True) if there}
        if all(any(head == node for _, head in arcs) for node in range(1, size)):
            yield arcs


def has_printed_heights(size: int, arcs: set[tuple[int, int]]) -> bool:
    """Whether some h has h(j) < h(k) if and only if there is a path from j to k."""
    paths = set(arcs)
    for _ in range(size):
        paths |= {(a, d) for a, b in paths for c, d in paths if b == c}
    return any(
        all(
            (heights[j] < heights[k]) == ((j, k) in paths)
            for j, k in product(range(size), repeat=2)
        )
        for heights in product(range(size), repeat=size)
    )


def test_theorem_2_the_printed_heights_do_not_always_exist() -> None:
    """The smallest DAG without: s->1->2, s->3; 3 would be level with both 1 and 2."""
    assert all(has_printed_heights(size, arcs) for size in (2, 3) for arcs in rooted_dags(size))
    counterexample = {(0, 1), (1, 2), (0, 3)}
    assert not has_printed_heights(4, counterexample)
    assert all(has_printed_heights(4, arcs) or len(arcs) >= 3 for arcs in rooted_dags(4))
    problem = Broadcast(Platform(range(4), [(a, b, 1) for a, b in sorted(counterexample)]), 0)
    heights = longest_path_heights(problem)
    assert [heights[node] for node in range(4)] == [0, 1, 2, 1]


def test_theorem_2_needs_the_receive_ports() -> None:
    """v would receive from s and from a all the time: 4/3 without rule (5), 1 with it."""
    platform = Platform("sav", [("s", "a", "1/2"), ("s", "v", 1), ("a", "v", 1)])
    problem = Broadcast(platform, "s")
    assert ssbpdag(problem, [0, 1, 2], receive_ports=False) == Fraction(4, 3)
    assert ssbpdag(problem, [0, 1, 2]) == 1
    assert_proved(broadcast_dag(platform, "s"), Fraction(1))


@given(
    st.integers(2, 6).flatmap(
        lambda size: st.tuples(
            st.just(size), st.sets(st.sampled_from(list(permutations(range(size), 2))))
        )
    )
)
def test_a_dag_of_throughput_1_with_unit_costs_is_a_hamiltonian_path(
    graph: tuple[int, set[tuple[int, int]]],
) -> None:
    size, pairs = graph
    hamiltonian = any(
        all(pair in pairs for pair in pairwise((0, *order)))
        for order in permutations(range(1, size))
    )
    solution = broadcast_dag(Platform(range(size), [(*pair, 1) for pair in sorted(pairs)]), 0)
    assert solution.optimal
    assert (solution.throughput >= 1) == hamiltonian


@pytest.mark.parametrize("solve", [broadcast_tree, broadcast_dag])
@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("time_limit", -1),
        ("time_limit", "soon"),
        ("time_limit", True),
        ("time_limit", float("nan")),
        ("time_limit", float("inf")),
        ("node_limit", -1),
        ("node_limit", 1.5),
        ("node_limit", True),
    ],
)
def test_limits_that_are_none(solve, limit, value):
    with pytest.raises(InvalidInput, match=limit):
        solve(legrand_fig1(), "Ps", **{limit: value})
