"""Scatters and alltoalls: optimal by definition, proved, delivered; RR-4872, section 3."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import Platform, built_in
from exactsched.certificate.bounds import DistanceBound
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import Cost
from exactsched.instances.platforms import cost as any_cost
from exactsched.model.parts import Demand
from exactsched.model.platform import both_ways
from exactsched.model.problem import PORTS, Alltoall, Ports
from exactsched.oracles.alltoall import (
    flow_for_every_demand,
    flow_for_every_source,
    no_routes,
    printed_alltoall,
    printed_scatter,
)
from exactsched.oracles.collectives import (
    batch,
    depth,
    optimal_throughput_by_definition,
    simulate_series,
)
from exactsched.steady_state import alltoall as alltoall_module
from exactsched.steady_state.alltoall import alltoall, scatter, solve_alltoall
from exactsched.steady_state.route_packing import RoutePacking, pack_routes
from exactsched.steady_state.slots import two_coloring
from exactsched.steady_state.solution import Solution
from exactsched.strategies import costs, platforms

SIZES = st.just(Fraction(1)) | costs()


@st.composite
def alltoalls(
    draw: st.DrawFn,
    *,
    ports: Ports | None = None,
    max_nodes: int = 4,
    max_demands: int = 4,
    bipartite: bool = False,
    cost: Cost = any_cost,
) -> Alltoall:
    """Any demands on any platform; in two of three cases all targets can be reached."""
    reachable = draw(st.sampled_from((True, None, True)))
    platform = draw(
        platforms(max_nodes=max_nodes, reachable=reachable, bipartite=bipartite, cost=cost)
    )
    nodes = platform.nodes
    pairs = [(one, other) for one in nodes for other in nodes if one != other]
    if reachable:  # from the first node; to it there may be no path
        both = {(arc.tail, arc.head) for arc in platform.arcs}
        pairs = [(a, b) for a, b in pairs if a == nodes[0] or (a, b) in both]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=max_demands, unique=True))
    demands = tuple(Demand(source, target, draw(SIZES)) for source, target in chosen)
    asked = draw(st.sampled_from(PORTS)) if ports is None else ports
    return Alltoall(platform, demands, asked)  # type: ignore[arg-type]


@st.composite
def scatters(draw: st.DrawFn, max_nodes: int = 7) -> Alltoall:
    """A scatter from the first node, which reaches all others, one-port."""
    platform = draw(platforms(max_nodes=max_nodes, reachable=True))
    source, *others = platform.nodes
    targets = draw(st.lists(st.sampled_from(others), min_size=1, unique_by=str))
    return Alltoall(platform, tuple(Demand(source, target, draw(SIZES)) for target in targets))


def checked(solution: Solution) -> Fraction:
    """The throughput, as the checker proves it to be delivered and to be optimal."""
    claim = check(solution.certificate())
    assert claim.throughput == claim.bound == solution.throughput == solution.bound
    assert claim.optimal
    return solution.throughput


def assert_compact(solution: Solution) -> None:
    """Simple paths, at most as many as resources and demands, but for symmetries; integers."""
    problem = solution.problem
    assert isinstance(problem, Alltoall)
    assert isinstance(solution.proof, DistanceBound)
    assert no_routes(problem, solution.structures, solution.throughput) == ""
    if solution.throughput:
        platform = problem.platform
        rows = len(platform.arcs) if problem.ports == "link" else 2 * len(platform.nodes)
        most = rows + len(problem.demands)
        if len(solution.structures) > most:
            # Automorphisms that keep a source may give a route several images.
            assert len(solution.structures) <= 4 * most
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(alltoall_module, "pack_symmetric_routes", lambda *_: None)
                assert len(solve_alltoall(problem).structures) <= most
        assert len({(s.part, s.tasks) for s in solution.structures}) == len(solution.structures)
    distances = [number for row in solution.proof.distances for number in row]
    assert all(type(number) is int for number in [*distances, *solution.proof.prices.values()])


# The optimum ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ports", PORTS)
@given(st.data())
@settings(max_examples=35)
def test_the_throughput_is_the_best_of_all_routes(ports: Ports, data: st.DataObject) -> None:
    problem = data.draw(alltoalls(ports=ports, bipartite=ports == "half-duplex"))
    solution = solve_alltoall(problem)
    assert checked(solution) == optimal_throughput_by_definition(problem)
    assert_compact(solution)


@given(alltoalls(ports="one-port", max_nodes=6, max_demands=6))
@settings(max_examples=35)
def test_the_corrected_linear_program_of_the_paper_has_the_same_optimum(problem: Alltoall) -> None:
    solution = solve_alltoall(problem)
    assert checked(solution) == flow_for_every_demand(problem)
    assert_compact(solution)


@given(scatters())
@settings(max_examples=35)
def test_a_scatter_is_a_single_flow(problem: Alltoall) -> None:
    solution = solve_alltoall(problem)
    assert checked(solution) == flow_for_every_source(problem)
    assert_compact(solution)


@given(alltoalls())
@settings(max_examples=35)
def test_the_schedule_delivers_what_it_promises(problem: Alltoall) -> None:
    if problem.ports == "half-duplex" and isinstance(two_coloring(problem.platform), list):
        return
    solution = solve_alltoall(problem)
    document = solution.certificate()
    if solution.schedule is None:
        assert simulate_series(document, 3) == 0
        return
    levels = depth(document)
    assert solution.depth == levels
    assert batch(document) == solution.throughput * solution.schedule.period
    if batch(document) <= 30:  # the oracle plays every single message
        periods = levels + 1
        done = simulate_series(document, periods)
        assert done >= 2 * batch(document)
        assert solution.operations_within(periods * solution.schedule.period) <= done


def wide(choices: Choices) -> Fraction:
    return Fraction(10 ** choices.below(61) + choices.below(10))


@given(alltoalls(ports="one-port", cost=wide))
@settings(max_examples=25)
def test_costs_over_sixty_decades(problem: Alltoall) -> None:
    assert checked(solve_alltoall(problem)) == optimal_throughput_by_definition(problem)


def beyond(choices: Choices) -> Fraction:
    return choices.one_of((Fraction(1), Fraction(10**400), Fraction(1, 10**350)))


@given(alltoalls(ports="one-port", max_nodes=3, max_demands=3, cost=beyond))
@settings(max_examples=20)
def test_costs_beyond_floats(problem: Alltoall) -> None:
    assert checked(solve_alltoall(problem)) == flow_for_every_demand(problem)


# Examples ---------------------------------------------------------------------------------------

TOY = built_in("scatter-toy")


def test_the_example_of_the_paper() -> None:
    """Section 3.2, figure 2: one scatter every two time units."""
    solution = scatter(TOY, "Ps", ["P0", "P1"])
    assert checked(solution) == Fraction(1, 2)
    assert solution.proof.prices == {"send:Ps": 1}


def test_reverse_links_do_not_help_the_example() -> None:
    links = both_ways([(arc.tail, arc.head, arc.cost) for arc in TOY.arcs])
    assert checked(scatter(Platform(TOY.nodes, links), "Ps", ["P0", "P1"])) == Fraction(1, 2)


def test_a_message_takes_several_routes() -> None:
    """Over the slow arc of each relay goes every other message."""
    relays = Platform("sabt", [("s", "a", 1), ("s", "b", 1), ("a", "t", 2), ("b", "t", 2)])
    solution = scatter(relays, "s", ["t"], ports="link")
    assert checked(solution) == 1
    assert sorted(s.weight for s in solution.structures) == [Fraction(1, 2), Fraction(1, 2)]


@pytest.mark.parametrize(
    ("name", "ports", "throughput"),
    [
        # Every node sends 15 messages over 32 arcs in all, and 64 arcs carry 16 * 32.
        ("torus:4x4", "one-port", Fraction(1, 32)),
        ("torus:4x4", "half-duplex", Fraction(1, 64)),
        ("torus:4x4", "link", Fraction(1, 8)),
        ("hypercube:3", "one-port", Fraction(1, 12)),
        ("ring:5", "one-port", Fraction(1, 6)),
    ],
)
def test_allgather_on_symmetric_graphs(name: str, ports: Ports, throughput: Fraction) -> None:
    """The sum of the distances from a node, over what a node or an arc can carry."""
    platform = built_in(name)
    pairs = [(one, other) for one in platform.nodes for other in platform.nodes if one != other]
    solution = alltoall(platform, pairs, ports=ports)
    assert checked(solution) == throughput
    assert_compact(solution)


def test_progress_and_work_are_reported() -> None:
    seen: list[tuple[int, float, float]] = []
    solution = scatter(TOY, "Ps", ["P0", "P1"], progress=lambda *row: seen.append(row))
    assert [number for number, _, _ in seen] == list(range(1, len(seen) + 1))
    assert seen[-1][1:] == pytest.approx((0.5, 0.5))
    assert solution.rounds > len(seen) - 1
    assert solution.priced > 2 * solution.rounds


def test_gather_is_scatter_with_all_arcs_reversed() -> None:
    targets = ["P0", "P1"]
    reverse = Platform(TOY.nodes, [(arc.head, arc.tail, arc.cost) for arc in TOY.arcs])
    solution = alltoall(reverse, [(target, "Ps") for target in targets])
    assert checked(solution) == Fraction(1, 2)


def test_a_source_may_relay_and_a_target_as_well() -> None:
    line = Platform("abc", both_ways([("a", "b", 1), ("b", "c", 1)]))
    pairs = [("a", "b"), ("a", "c"), ("c", "a"), ("b", "a")]
    solution = alltoall(line, pairs)
    # b sends one message of its own and relays two.
    assert checked(solution) == flow_for_every_demand(solution.problem) == Fraction(1, 3)
    assert_compact(solution)


def test_coprime_sizes_and_costs() -> None:
    star = Platform("sab", [("s", "a", "3/7"), ("s", "b", "5/11")])
    solution = scatter(star, "s", {"a": "13/17", "b": "19/23"})
    alone = Fraction(3, 7) * Fraction(13, 17) + Fraction(5, 11) * Fraction(19, 23)
    assert checked(solution) == 1 / alone
    assert scatter(star, "s", ["a", "b"], sizes=["13/17", "19/23"]).throughput == 1 / alone
    # Targets and sizes may be read only once.
    read_once = scatter(star, "s", iter("ab"), sizes=iter(["13/17", "19/23"]))
    assert read_once.throughput == 1 / alone


# Out of reach -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ports", PORTS)
def test_a_target_out_of_reach_means_nothing_at_all(ports: Ports) -> None:
    islands = Platform("sabc", [("s", "a", 1), ("b", "c", 1), ("c", "b", 1)])
    solution = scatter(islands, "s", ["a", "b"], ports=ports)
    assert checked(solution) == 0
    assert solution.structures == ()
    assert solution.schedule is None
    assert isinstance(solution.proof, DistanceBound)
    assert solution.proof == DistanceBound({}, ((0, 0, 1, 1),))
    assert solution.operations_within(100) == 0
    assert solution.whole() is solution


def test_one_demand_out_of_reach_among_many() -> None:
    line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    assert checked(alltoall(line, [("a", "c"), ("b", "c"), ("c", "a")])) == 0
    assert checked(alltoall(line, [("a", "c"), ("b", "c")])) == Fraction(1, 2)


# Laws -------------------------------------------------------------------------------------------


@given(alltoalls(ports="one-port"), costs())
@settings(max_examples=25)
def test_scaling_costs_or_sizes(problem: Alltoall, factor: Fraction) -> None:
    platform = problem.platform
    value = solve_alltoall(problem).throughput
    slower = Platform(platform.nodes, [(a.tail, a.head, a.cost * factor) for a in platform.arcs])
    assert solve_alltoall(Alltoall(slower, problem.demands)).throughput * factor == value
    larger = tuple(Demand(d.source, d.target, d.size * factor) for d in problem.demands)
    assert solve_alltoall(Alltoall(platform, larger)).throughput * factor == value


@given(alltoalls(ports="one-port"), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_names_and_orders_do_not_matter(problem: Alltoall, dice: Any) -> None:
    platform = problem.platform
    nodes, arcs, demands = list(platform.nodes), list(platform.arcs), list(problem.demands)
    for listed in (nodes, arcs, demands):
        dice.shuffle(listed)
    name = {node: f"node {index}" for index, node in enumerate(nodes)}
    other = Platform(name.values(), [(name[a.tail], name[a.head], a.cost) for a in arcs])
    renamed = tuple(Demand(name[d.source], name[d.target], d.size) for d in demands)
    assert solve_alltoall(Alltoall(other, renamed)).throughput == solve_alltoall(problem).throughput


@given(alltoalls(ports="one-port"))
@settings(max_examples=25)
def test_reversed_arcs_and_demands(problem: Alltoall) -> None:
    platform = problem.platform
    other = Platform(platform.nodes, [(a.head, a.tail, a.cost) for a in platform.arcs])
    demands = tuple(Demand(d.target, d.source, d.size) for d in problem.demands)
    assert solve_alltoall(Alltoall(other, demands)).throughput == solve_alltoall(problem).throughput


@given(alltoalls(max_demands=5))
@settings(max_examples=25)
def test_fewer_demands_are_never_slower(problem: Alltoall) -> None:
    if problem.ports == "half-duplex" and isinstance(two_coloring(problem.platform), list):
        return
    if len(problem.demands) == 1:
        return
    fewer = Alltoall(problem.platform, problem.demands[:-1], problem.ports)
    assert solve_alltoall(fewer).throughput >= solve_alltoall(problem).throughput


# What the paper gets wrong ----------------------------------------------------------------------


def test_printed_scatter_lets_a_message_go_round() -> None:
    """Nothing leaves the source, and the target receives: from the node it sends to."""
    circle = Platform("sta", [("t", "a", 1), ("a", "t", 1)])
    assert printed_scatter(Alltoall(circle, (("s", "t"),)), ["s"]) == 1
    assert checked(scatter(circle, "s", ["t"])) == 0


def test_printed_scatter_wants_the_source_to_conserve_its_messages() -> None:
    line = Platform("st", [("s", "t", 1)])
    assert printed_scatter(Alltoall(line, (("s", "t"),)), []) == 0
    assert checked(scatter(line, "s", ["t"])) == 1


def test_printed_alltoall_has_messages_of_a_node_to_itself() -> None:
    """Two nodes: m[a,a] goes to b and back, so every arc carries three messages instead of one."""
    pair = Platform("ab", both_ways([("a", "b", 1)]))
    assert printed_alltoall(Alltoall(pair, (("a", "b"), ("b", "a")))) == Fraction(1, 3)
    assert checked(alltoall(pair, [("a", "b"), ("b", "a")])) == 1


def test_the_constant_of_the_finite_schedule_is_not_the_diameter() -> None:
    """Fast arcs make a route of three; by slow arcs every node is one arc away."""
    nodes = "sabt"
    arcs = [
        (tail, head, 1 if nodes.index(head) == nodes.index(tail) + 1 else 100)
        for tail in nodes
        for head in nodes
        if tail != head
    ]
    solution = scatter(Platform(nodes, arcs), "s", ["t"])
    assert checked(solution) == 1
    assert solution.depth == 3


# Refusals ---------------------------------------------------------------------------------------

PAIR = Platform("ab", [("a", "b", 1)])


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda: scatter(PAIR, "a", []), "at least one message"),
        (lambda: scatter(PAIR, "c", ["b"]), "not a node of the platform"),
        (lambda: scatter(PAIR, "a", ["a"]), "what a node sends to itself is there already"),
        (lambda: scatter(PAIR, "a", ["b", "b"]), "this demand is given twice"),
        (lambda: scatter(PAIR, "a", ["b"], sizes=[1, 2]), "one for each of the 1 targets"),
        (lambda: scatter(PAIR, "a", {"b": 1}, sizes=[1]), "the mapping of targets has the sizes"),
        (lambda: scatter(PAIR, "a", {"b": 0}), "a positive number is needed"),
        (lambda: scatter(PAIR, "a", {"b": 0.5}), "a float is not exact"),
        (lambda: scatter(PAIR, "a", ["b"], ports="two-port"), "a port model is one of"),
        (lambda: alltoall(PAIR, [("a",)]), "a demand is"),
        (lambda: alltoall(Platform("ab", [("a", "b", 1, 1)]), [("a", "b")]), "no start-up times"),
        (
            lambda: alltoall(built_in("ring:3"), [(0, 1)], ports="half-duplex"),
            "an odd cycle: the graph must be bipartite",
        ),
    ],
)
def test_refusals(call: Any, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        call()


# The kernel -------------------------------------------------------------------------------------


def assert_routes_proved(
    size: int,
    arcs: list[tuple[int, int]],
    lengths: list[int],
    demands: list[tuple[int, int, int]],
    packing: RoutePacking,
) -> None:
    """Distances grow by at most the length of an arc, and those of the targets are reached."""
    sources = list(dict.fromkeys(source for source, _, _ in demands))
    assert len(packing.distances) == len(sources)
    for source, row in zip(sources, packing.distances, strict=True):
        assert len(row) == size
        assert row[source] == 0
        for (tail, head), length in zip(arcs, lengths, strict=True):
            assert row[head] - row[tail] <= length
        # Nodes beyond the farthest target, or out of reach, are no farther than it.
        assert max(row) == max(row[target] for s, target, _ in demands if s == source)


@given(st.data())
def test_routes_in_any_resources(data: st.DataObject) -> None:
    """Arcs use one to three of some resources, which have different capacities."""
    size = data.draw(st.integers(2, 5))
    node = st.integers(0, size - 1)
    arcs = [(data.draw(st.integers(0, head - 1)), head) for head in range(1, size)]
    arcs += data.draw(st.lists(st.tuples(node, node).filter(lambda a: a[0] != a[1]), max_size=7))
    rows = data.draw(st.integers(1, 4))
    some = st.lists(st.integers(0, rows - 1), min_size=1, max_size=3, unique=True).map(tuple)
    costs_, uses = [data.draw(st.integers(1, 9)) for _ in arcs], [data.draw(some) for _ in arcs]
    capacities = [data.draw(st.integers(1, 5)) for _ in range(rows)]
    targets = data.draw(st.lists(st.integers(1, size - 1), min_size=1, unique=True))
    demands = [(0, target, data.draw(st.integers(1, 4))) for target in targets]
    packing = pack_routes(size, arcs, costs_, uses, capacities, demands)
    lengths = [
        cost * sum(packing.prices.get(row, 0) for row in used)
        for cost, used in zip(costs_, uses, strict=True)
    ]
    assert_routes_proved(size, arcs, lengths, demands, packing)
    offered = sum(capacities[row] * price for row, price in packing.prices.items())
    potential = sum(amount * packing.distances[0][target] for _, target, amount in demands)
    assert gcd(*packing.prices.values()) == 1
    assert packing.value == Fraction(offered, potential)
    used_time = [Fraction(0)] * rows
    for demand, route, weight in packing.routes:
        for arc in route:
            for row in uses[arc]:
                used_time[row] += weight * costs_[arc] * demands[demand][2]
    assert all(time <= capacity for time, capacity in zip(used_time, capacities, strict=True))
    for index in range(len(demands)):
        weights = [weight for demand, _, weight in packing.routes if demand == index]
        assert sum(weights) == packing.value


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({2: [1, 0]}, "cost of arc 1: 0: a positive integer"),
        ({5: [(0, 2, 0)]}, "size of demand 0: 0: a positive integer"),
        ({5: [(0, 2, 1), (1, 1, 1)]}, "target of demand 1: 1: not the source"),
        ({5: [(2, 0, 1)]}, "cannot be reached from the source 2"),
        ({4: [1, 0]}, "capacity of resource 1: 0: a positive integer"),
        ({3: [(), ()]}, "the gain is unbounded"),
    ],
)
def test_refusals_of_the_kernel(change: dict[int, Any], rule: str) -> None:
    parts: list[Any] = [3, [(0, 1), (1, 2)], [1, 1], [(0,), (1,)], [1, 1], [(0, 2, 1)]]
    for place, part in change.items():
        parts[place] = part
    with pytest.raises(InvalidInput, match=rule):
        pack_routes(*parts)


@pytest.mark.parametrize(("size", "rule"), [(0, "a positive number"), (0.5, "not exact")])
def test_a_size_for_all_messages_is_refused_by_its_name(size: object, rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule) as refused:
        alltoall(built_in("ring:3"), size=size)
    assert refused.value.place == "size"


def test_one_size_stands_for_all_messages() -> None:
    """Also where there is one size for each message: the same problem, and so the same answer."""
    ring = built_in("ring:4")
    pairs = [(one, other) for one in ring.nodes for other in ring.nodes if one != other]
    once = alltoall(ring, size="3/2")
    each = alltoall(ring, [(*pair, "3/2") for pair in pairs])
    assert once.problem == each.problem
    assert once.throughput == each.throughput == alltoall(ring).throughput * 2 / 3
