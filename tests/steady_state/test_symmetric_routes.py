"""Routes by orbits: the same optimum as without, on symmetric and on nearly symmetric platforms."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.check import check
from exactsched.model.parts import Demand
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Alltoall, Ports
from exactsched.platforms.built_in import built_in
from exactsched.steady_state import alltoall as module
from exactsched.steady_state import symmetric_routes
from exactsched.steady_state.alltoall import alltoall, solve_alltoall
from exactsched.steady_state.solution import Solution
from tests.steady_state.test_alltoall import assert_compact

Element = tuple[int, ...]
Moved = tuple[Platform, tuple[Demand, ...]]


def without_orbits(problem: Alltoall) -> Solution:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pack_symmetric_routes", lambda *_: None)
        return solve_alltoall(problem)


def all_pairs(platform: Platform) -> tuple[Demand, ...]:
    nodes = [node for node in platform.nodes if node not in platform.switches]
    return tuple(Demand(a, b) for a in nodes for b in nodes if a != b)


def composed(one: Element, other: Element) -> Element:
    return tuple(one[image] for image in other)


def rotations(count: int) -> list[Element]:
    return [tuple((one + turn) % count for one in range(count)) for turn in range(count)]


@st.composite
def cayley(draw: st.DrawFn) -> Platform:
    """A Cayley graph of a small group, generators with costs, nodes and arcs in any order."""
    cyclic = st.integers(2, 4).map(
        lambda n: [tuple((i + k) % n for i in range(n)) for k in range(n)]
    )
    groups = st.one_of(
        st.sampled_from([list(permutations(range(3)))]),
        st.integers(3, 9).map(rotations),
        st.tuples(cyclic, cyclic).map(
            lambda both: [
                (*one, *(len(one) + image for image in other)) for one, other in product(*both)
            ]
        ),
    )
    group = draw(groups)
    identity = tuple(range(len(group[0])))
    others = [element for element in group if element != identity]
    generators = draw(st.lists(st.sampled_from(others), min_size=1, max_size=3, unique=True))
    costs = draw(st.lists(st.sampled_from([1, 2, Fraction(1, 3)]), min_size=3, max_size=3))
    arcs = {
        (one, composed(one, generator)): cost
        for one in group
        for generator, cost in zip(generators, costs, strict=False)
    }
    names = draw(st.permutations(range(len(group))))
    name_of = dict(zip(group, names, strict=True))
    listed = draw(st.permutations(sorted(arcs)))
    rows = [(name_of[tail], name_of[head], arcs[tail, head]) for tail, head in listed]
    return Platform(range(len(group)), rows)


def same_as_without(problem: Alltoall) -> Solution:
    solution = solve_alltoall(problem)
    claim = check(solution.certificate())
    assert claim.optimal
    assert claim.throughput == solution.throughput == without_orbits(problem).throughput
    return solution


@given(cayley(), st.sampled_from(["one-port", "link"]))
@settings(max_examples=50)
def test_cayley_graphs(platform: Platform, ports: Ports) -> None:
    same_as_without(Alltoall(platform, all_pairs(platform), ports))


@given(cayley(), st.data())
@settings(max_examples=35)
def test_cayley_graphs_with_one_cost_changed(platform: Platform, data: st.DataObject) -> None:
    changed = data.draw(st.integers(0, len(platform.arcs) - 1))
    arcs = [
        (arc.tail, arc.head, arc.cost + (index == changed) * Fraction(1, 7))
        for index, arc in enumerate(platform.arcs)
    ]
    other = Platform(platform.nodes, arcs)
    assert_compact(same_as_without(Alltoall(other, all_pairs(other), "link")))


@given(cayley(), st.data())
@settings(max_examples=35)
def test_some_demands_of_some_sizes(platform: Platform, data: st.DataObject) -> None:
    pairs = [demand[:2] for demand in all_pairs(platform)]
    reached = [pair for pair in pairs if not alltoall(platform, [pair]).unreachable]
    if not reached:
        return
    asked = data.draw(st.lists(st.sampled_from(reached), min_size=1, unique=True))
    sizes = data.draw(st.lists(st.integers(1, 2), min_size=len(asked), max_size=len(asked)))
    demands = [Demand(a, b, Fraction(size)) for (a, b), size in zip(asked, sizes, strict=True)]
    same_as_without(Alltoall(platform, tuple(demands)))


# Built-in platforms, also renamed, with scaled costs: the smaller program is solved.
# Name, ports, linear programs and routes priced when this was written down.
WORK: list[tuple[str, Ports, int, int]] = [
    ("torus:4x4", "one-port", 2, 120),
    ("torus:4x4", "link", 2, 120),
    ("torus:4x4", "half-duplex", 2, 120),
    ("torus:8x8", "one-port", 2, 504),
    ("hypercube:4", "one-port", 2, 120),
    ("ring:12", "link", 2, 88),
    ("complete:16", "link", 5, 480),
    ("grid:5x5", "link", 2, 1152),
    ("cubic-16", "link", 3, 1320),
]


def renamed(platform: Platform, dice: Random) -> Platform:
    names: list[Node] = list(platform.nodes)
    dice.shuffle(names)
    name_of = dict(zip(platform.nodes, names, strict=True))
    arcs = [(name_of[a.tail], name_of[a.head], 7 * a.cost) for a in platform.arcs]
    dice.shuffle(arcs)
    return Platform(names, arcs)


@pytest.mark.parametrize(("name", "ports", "rounds", "priced"), WORK)
def test_work(name: str, ports: Ports, rounds: int, priced: int) -> None:
    platform = built_in(name)
    solution = alltoall(platform, all_pairs(platform), ports=ports)
    assert check(solution.certificate()).optimal
    assert 2 * solution.rounds < 3 * rounds
    assert 2 * solution.priced < 3 * priced
    other = renamed(platform, Random(1))
    scaled = alltoall(other, all_pairs(other), ports=ports)
    assert check(scaled.certificate()).optimal
    assert 7 * scaled.throughput == solution.throughput
    assert scaled.priced < 4 * priced


@pytest.mark.parametrize("switched", [False, True])
def test_switches_and_shared_links(switched: bool) -> None:
    """A ring of four hosts at two switches, which share the link between these."""
    hosts, switches = ["a", "b", "c", "d"], ["s", "t"]
    up = {"a": "s", "b": "s", "c": "t", "d": "t"}
    if switched:
        arcs: list[tuple[object, ...]] = [
            arc for host, to in up.items() for arc in ((host, to, 1), (to, host, 1))
        ]
        platform = Platform(hosts + switches, [*arcs, ("s", "t", 2), ("t", "s", 2)], {}, switches)
        problem = Alltoall(platform, all_pairs(platform), "link")
    else:
        arcs = []
        for a, b in product(hosts, hosts):
            if a != b:
                route = [(f"{a} up", 1), (f"{b} down", 1)]
                if up[a] != up[b]:
                    route.append((f"{up[a]}{up[b]}", 2))
                arcs.append((a, b, max(cost for _, cost in route), 0, route))
        platform = Platform(hosts, arcs)
        problem = Alltoall(platform, all_pairs(platform), "routes")
    solution = same_as_without(problem)
    assert solution.throughput == Fraction(1, 8)
    assert solution.priced * 2 < without_orbits(problem).priced


def test_symmetries_that_were_none_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Routes that overload a resource are not returned: the whole program is solved instead."""
    platform = built_in("torus:3x3")
    problem = Alltoall(platform, all_pairs(platform))
    solution = solve_alltoall(problem)

    def half(self: symmetric_routes._Platform, found: object) -> tuple[list[int], list[int]]:
        rows, offered = whole(self, found)  # type: ignore[arg-type]
        return rows, [2 * one for one in offered]

    whole = symmetric_routes._Platform.orbits
    monkeypatch.setattr(symmetric_routes._Platform, "orbits", half)
    other = solve_alltoall(problem)
    assert other.priced > 4 * solution.priced
    assert other.throughput == solution.throughput
    assert check(other.certificate()).optimal


def test_costs_that_tell_sources_apart_end_the_search_before_it_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = []
    search = symmetric_routes.symmetries
    monkeypatch.setattr(
        symmetric_routes, "symmetries", lambda *asked: searched.append(asked) or search(*asked)
    )
    alltoall(built_in("ring:5"))
    assert len(searched) == 1
    alltoall(built_in("ring:5"), [(0, 1), (0, 2)])  # one source
    line = [(k, k + 1, cost) for k, cost in enumerate([1, 2, 3, 4])]
    alltoall(Platform(range(5), [*line, *((b, a, cost) for a, b, cost in line)]))
    assert len(searched) == 1


def test_an_ended_search_has_an_interval() -> None:
    platform = built_in("complete:9")
    solution = alltoall(platform, all_pairs(platform), ports="link", progress=lambda *_: True)
    claim = check(solution.certificate())
    assert claim.throughput is not None
    assert claim.throughput <= 1 <= claim.bound
