"""From weights to slots: nothing overlaps, nothing is lost, and the last slot ends on time."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.collectives import PeriodicSchedule
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import text
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import largest_load
from exactsched.oracles.transfers import exclude_each_other
from exactsched.platforms.built_in import grid, ring, torus
from exactsched.steady_state.schedule import whole_tasks
from exactsched.steady_state.slots import common_measure, least_time, two_coloring
from exactsched.strategies import broadcasts, platforms
from tests.steady_state.planned import batch_slots, depths, planned_tree, tree_schedule

Batches = list[tuple[tuple[int, ...], int]]


def odd_cycle(platform: Platform) -> list[Node] | None:
    """An odd cycle, or None if the graph is bipartite."""
    coloring = two_coloring(platform)
    return coloring if isinstance(coloring, list) else None


def test_an_odd_cycle_in_a_part_of_its_own() -> None:
    """Every part is colored, however many nodes before it are."""
    links = [("a", "b", 1), ("b", "c", 1), ("x", "y", 1), ("y", "z", 1)]
    sides = two_coloring(Platform("abcxyz", links))
    assert isinstance(sides, dict)
    assert [sides[node] for node in "abcxyz"] == [0, 1, 0, 0, 1, 0]
    cycle = two_coloring(Platform("abcxyz", [*links, ("z", "x", 1)]))
    assert isinstance(cycle, list)
    assert sorted(cycle) == ["x", "y", "z"]


def dices() -> st.SearchStrategy[random.Random]:
    """Really random ones: those of hypothesis prefer the first choice, and then little is cut."""
    return st.builds(random.Random, st.integers(0, 2**32))


@st.composite
def problems(draw: st.DrawFn) -> Broadcast:
    """Any port model, without odd cycles where they are refused; every other one is crowded."""
    ports = draw(st.sampled_from(["one-port", "half-duplex", "link"]))
    if draw(st.booleans()):
        return crowded(ports, draw(dices()))
    return draw(broadcasts(ports=ports, bipartite=ports == "half-duplex", max_nodes=6))


def crowded(ports: str, dice: random.Random) -> Broadcast:
    """All arcs between five nodes (two and three for half-duplex), so that ports are contended."""
    pairs = [(i, j) for i in range(5) for j in range(5) if i != j]
    if ports == "half-duplex":
        pairs = [(i, j) for i, j in pairs if (i < 2) != (j < 2)]
    arcs = [(i, j, Fraction(dice.randint(1, 9), dice.randint(1, 5))) for i, j in pairs]
    return Broadcast(Platform(range(5), arcs), 0, ports)  # type: ignore[arg-type]


def some_tree(problem: Broadcast, dice: random.Random) -> tuple[int, ...]:
    """A random arborescence: what is reached enters, again and again, what is not."""
    arcs = problem.platform.arcs
    reached, chosen = {problem.source}, []
    while len(reached) < len(problem.platform.nodes):
        leaving = [k for k, arc in enumerate(arcs) if arc.tail in reached]
        leaving = [k for k in leaving if arcs[k].head not in reached]
        chosen.append(dice.choice(leaving))
        reached.add(arcs[chosen[-1]].head)
    return tuple(sorted(chosen))


@st.composite
def weighted(draw: st.DrawFn) -> tuple[Broadcast, list[tuple[tuple[int, ...], Fraction]]]:
    """Arborescences with positive weights that keep the busiest resource at most fully busy."""
    problem = draw(problems())
    dice = draw(dices())
    trees = sorted({some_tree(problem, dice) for _ in range(dice.randint(1, 6))})
    parts = [Fraction(dice.randint(1, 20), dice.randint(1, 13)) for _ in trees]
    load = load_of(problem, list(zip(trees, parts, strict=True)))
    slack = draw(st.sampled_from([Fraction(1), Fraction(2, 3), Fraction(1, 7)]))
    return problem, [(tree, part / load * slack) for tree, part in zip(trees, parts, strict=True)]


def cut_up(schedule: PeriodicSchedule, dice: random.Random) -> PeriodicSchedule:
    """The same with slots cut at random points: the edge coloring rarely interrupts a message."""
    finer = dice.randint(1, 6)
    pieces = []
    for arc, start, end in schedule.slots:
        inner = [dice.randrange(start * finer, end * finer) for _ in range(dice.randint(0, 3))]
        marks = sorted({start * finer, *inner, end * finer})
        pieces += [(arc, *piece) for piece in pairwise(marks)]
    tick, slots = schedule.tick / finer, tuple(sorted(pieces, key=lambda piece: piece[1:]))
    return PeriodicSchedule(schedule.period, tick, schedule.structures, slots, False)


def load_of(problem: Broadcast, trees: list[tuple[tuple[int, ...], Fraction]]) -> Fraction:
    """How long the busiest port, or link, works for the trees."""
    arcs = problem.platform.arcs
    amounts = [sum(weight for tree, weight in trees if k in tree) for k in range(len(arcs))]
    return largest_load(problem, [n * arc.cost for n, arc in zip(amounts, arcs, strict=True)])


def assert_slots(problem: Broadcast, slots: list[tuple[int, int, int]]) -> None:
    """No empty slot, and no two at once that exclude each other."""
    arcs = problem.platform.arcs
    assert all(0 <= start < end for _, start, end in slots)
    for position, (one, start, end) in enumerate(slots):
        for other, begin, finish in slots[:position]:
            if max(start, begin) < min(end, finish):
                assert not exclude_each_other(problem.ports, arcs[one], arcs[other])


@given(problems(), dices(), st.data())
def test_batches_take_as_long_as_the_busiest_resource(
    problem: Broadcast, dice: random.Random, data: st.DataObject
) -> None:
    sizes = st.integers(1, 20) | st.integers(10**30, 10**31)
    batches = [(some_tree(problem, dice), data.draw(sizes)) for _ in range(dice.randint(1, 5))]
    tick, slots = batch_slots(problem, batches)
    assert_slots(problem, list(slots))
    end = max(end for _, _, end in slots) * tick
    assert end == load_of(problem, [(tree, Fraction(size)) for tree, size in batches])
    for index, arc in enumerate(problem.platform.arcs):
        worked = sum(end - start for used, start, end in slots if used == index) * tick
        assert worked == arc.cost * sum(size for tree, size in batches if index in tree)
    assert list(slots) == sorted(slots, key=lambda slot: (slot[1], slot[2], slot[0]))


@given(weighted())
def test_a_periodic_schedule_carries_its_trees(
    case: tuple[Broadcast, list[tuple[tuple[int, ...], Fraction]]],
) -> None:
    problem, trees = case
    schedule = tree_schedule(problem, trees)
    assert [
        (sorted(tree.arcs), tree.operations / schedule.period) for tree in schedule.structures
    ] == [(sorted(arcs), weight) for arcs, weight in trees]
    # The shortest period with whole numbers: one message fewer everywhere would not do.
    assert gcd(*(tree.operations for tree in schedule.structures)) == 1
    assert_slots(problem, list(schedule.slots))
    assert max(end for _, _, end in schedule.slots) * schedule.tick <= schedule.period
    for index, arc in enumerate(problem.platform.arcs):
        worked = sum(end - start for used, start, end in schedule.slots if used == index)
        messages = sum(tree.operations for tree in schedule.structures if index in tree.arcs)
        assert worked * schedule.tick == arc.cost * messages
    interrupted = any(
        ((end - start) * schedule.tick / problem.platform.arcs[arc].cost).denominator > 1
        for arc, start, end in schedule.slots
    )
    assert schedule.whole == (not interrupted)


@given(weighted(), dices())
def test_whole_messages_grow_the_period_by_the_least_factor(
    case: tuple[Broadcast, list[tuple[tuple[int, ...], Fraction]]], dice: random.Random
) -> None:
    problem, trees = case
    split = cut_up(tree_schedule(problem, trees), dice)
    whole = whole_tasks(problem, split)
    assert whole.whole
    factor = whole.period / split.period
    assert factor.denominator == 1
    assert whole.slots == split.slots
    assert whole.tick == split.tick * factor
    assert [tree.operations for tree in whole.structures] == [
        tree.operations * factor for tree in split.structures
    ]
    contents = [
        (end - start) * split.tick / problem.platform.arcs[arc].cost
        for arc, start, end in split.slots
    ]
    assert factor == lcm(*(content.denominator for content in contents))
    assert whole_tasks(problem, whole) == whole


@given(weighted(), dices())
def test_steps_are_the_slots_in_order_of_time(
    case: tuple[Broadcast, list[tuple[tuple[int, ...], Fraction]]], dice: random.Random
) -> None:
    problem, trees = case
    schedule = cut_up(tree_schedule(problem, trees), dice)
    cut = schedule.steps()
    assert all(duration > 0 for duration, _ in cut)
    assert sum(duration for duration, _ in cut) == schedule.tick * max(
        end for _, _, end in schedule.slots
    )
    now = Fraction(0)
    for duration, working in cut:
        middle = (now + duration / 2) / schedule.tick
        assert list(working) == sorted(
            arc for arc, start, end in schedule.slots if start < middle < end
        )
        now += duration


def test_slots_that_follow_each_other_on_an_arc_are_two_steps() -> None:
    schedule = PeriodicSchedule(
        Fraction(3), Fraction(1), (planned_tree(3, (0,)),), ((0, 0, 2), (0, 2, 3)), True
    )
    assert schedule.steps() == [(Fraction(2), (0,)), (Fraction(1), (0,))]


def test_an_idle_time_is_a_step_without_arcs() -> None:
    schedule = PeriodicSchedule(
        Fraction(9), Fraction(1, 2), (planned_tree(1, (0,)),), ((0, 0, 2), (1, 6, 8)), True
    )
    assert schedule.steps() == [(Fraction(1), (0,)), (Fraction(2), ()), (Fraction(1), (1,))]


@given(weighted(), st.builds(Fraction, st.integers(1, 3), st.integers(10, 10**9)))
def test_overload_is_refused(
    case: tuple[Broadcast, list[tuple[tuple[int, ...], Fraction]]], excess: Fraction
) -> None:
    problem, trees = case
    load = load_of(problem, trees)
    too_much = [(tree, weight / load * (1 + excess)) for tree, weight in trees]
    with pytest.raises(InvalidInput, match="a resource works more than full time") as refusal:
        tree_schedule(problem, too_much)
    assert refusal.value.value == text(1 + excess)
    just_enough = [(tree, weight / load) for tree, weight in trees]
    assert tree_schedule(problem, just_enough).period > 0


def test_no_time_is_spent_on_the_size_of_the_period() -> None:
    chain = Platform("sab", [("s", "a", 1), ("a", "b", 1), ("s", "b", 1), ("b", "a", 1)])
    weight = Fraction(10**200, 2 * 10**200 + 1)
    schedule = tree_schedule(Broadcast(chain, "s"), [((0, 1), weight), ((2, 3), 1 - weight)])
    assert schedule.period == 2 * 10**200 + 1
    assert [tree.operations for tree in schedule.structures] == [10**200, 10**200 + 1]
    assert len(schedule.slots) <= 8


# Odd cycles -------------------------------------------------------------------------------------


def neighbors(platform: Platform) -> set[frozenset[Node]]:
    return {frozenset((arc.tail, arc.head)) for arc in platform.arcs}


@given(platforms(max_nodes=7))
def test_an_odd_cycle_is_one_of_the_graph_and_none_means_two_sides(platform: Platform) -> None:
    cycle = odd_cycle(platform)
    if cycle is None:
        assert two_sides_by_definition(platform)
        return
    assert not two_sides_by_definition(platform)
    assert len(cycle) % 2 == 1
    assert len(cycle) == len(set(cycle)) >= 3
    assert all(frozenset(pair) in neighbors(platform) for pair in pairwise([*cycle, cycle[0]]))


def two_sides_by_definition(platform: Platform) -> bool:
    nodes, edges = platform.nodes, neighbors(platform)
    return any(
        all(len({mask >> nodes.index(node) & 1 for node in edge}) == 2 for edge in edges)
        for mask in range(2 ** len(nodes))
    )


@given(st.integers(3, 12), st.data())
def test_the_one_cycle_of_a_graph_is_named_if_it_is_odd(size: int, data: st.DataObject) -> None:
    # A random tree, drawn from its leaves' side, and one edge more; the labels are shuffled.
    parent = [data.draw(st.integers(max(0, node - 3), node - 1)) for node in range(1, size)]
    name = data.draw(st.permutations(range(size)))
    edges = {frozenset((node, up)) for node, up in enumerate(parent, start=1)}
    pair = st.lists(st.integers(0, size - 1), min_size=2, max_size=2, unique=True).map(frozenset)
    edges.add(data.draw(pair.filter(lambda edge: edge not in edges)))
    platform = Platform(range(size), [(name[u], name[v], 1) for u, v in map(sorted, edges)])
    # Leaves fall off, one after the other; what stays is the cycle.
    core = set(range(size))
    for _ in range(size):
        core -= {u for u in core if sum(u in e and e <= core for e in edges) < 2}
    cycle = odd_cycle(platform)
    if len(core) % 2 == 0:
        assert cycle is None
    else:
        assert cycle is not None
        assert sorted(map(int, cycle)) == sorted(name[u] for u in core)


@pytest.mark.parametrize("size", [3, 5, 8, 101])
def test_odd_cycles_of_rings_and_tori(size: int) -> None:
    cycle = odd_cycle(ring(size))
    assert (cycle is None) == (size % 2 == 0)
    assert cycle is None or sorted(map(int, cycle)) == list(range(size))
    assert (odd_cycle(torus(4, size)) is None) == (size % 2 == 0)


def test_half_duplex_an_odd_cycle_is_a_resource() -> None:
    # Each of the three edges works for 2/3 in a time unit, so no node works all the time.
    triangle = Platform("abc", [(u, v, 1) for u in "abc" for v in "abc" if u != v])
    number = {(arc.tail, arc.head): index for index, arc in enumerate(triangle.arcs)}
    ways = [("ab", "bc"), ("ac", "cb"), ("ab", "ac")]
    trees = [tuple(number[way[0], way[1]] for way in pair) for pair in ways]
    problem = Broadcast(triangle, "a", "half-duplex")
    schedule = tree_schedule(problem, [(tree, Fraction(1, 6)) for tree in trees])
    assert max(end for _, _, end in schedule.slots) * schedule.tick == schedule.period == 6
    assert_slots(problem, list(schedule.slots))
    with pytest.raises(InvalidInput, match="a resource works more than full time"):
        tree_schedule(problem, [(tree, Fraction(10, 59)) for tree in trees])


def test_fractional_matchings_refine_the_tick() -> None:
    # Two edges of the cycle of five at a time: 5/2 for one message on each.
    problem = Broadcast(ring(5), 0, "half-duplex")
    forwards = [
        index
        for index, arc in enumerate(problem.platform.arcs)
        if (int(arc.head) - int(arc.tail)) % 5 == 1
    ]
    tick, slots = batch_slots(problem, [(tuple(forwards), 1)])
    assert tick == Fraction(1, 2)
    assert max(end for _, _, end in slots) == 5
    assert_slots(problem, list(slots))
    assert least_time(problem, dict.fromkeys(forwards, Fraction(1))) == Fraction(5, 2)


# Small parts ------------------------------------------------------------------------------------


@given(st.lists(st.builds(Fraction, st.integers(1, 99), st.integers(1, 99)), min_size=1))
def test_the_common_measure_is_the_largest(values: list[Fraction]) -> None:
    measure, multiples = common_measure(values)
    assert [multiple * measure for multiple in multiples] == values
    assert gcd(*multiples) == 1


@given(problems(), dices())
def test_depths_count_the_arcs_from_the_source(problem: Broadcast, dice: random.Random) -> None:
    tree = some_tree(problem, dice)
    depth = depths(problem.platform, problem.source, tree)
    assert depth[problem.source] == 0
    assert set(depth) == set(problem.platform.nodes)
    for index in tree:
        arc = problem.platform.arcs[index]
        assert depth[arc.head] == depth[arc.tail] + 1


def test_opposite_arcs_take_turns_under_half_duplex() -> None:
    # A path 0 - 1 - 2 with arcs 0->1, 1->0, 1->2, 2->1, and 6 + 4 + 5 messages at node 1.
    problem = Broadcast(grid(3), 0, "half-duplex")
    tick, slots = batch_slots(problem, [((0, 2), 5), ((0,), 1), ((1,), 4)])
    assert_slots(problem, list(slots))
    assert max(end for _, _, end in slots) * tick == 15
