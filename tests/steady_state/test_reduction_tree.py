"""The cheapest reduction tree, and how a tree is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactsched import built_in
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Reduction
from exactsched.model.reduction_steps import reduction_steps
from exactsched.model.tasks import Task, makes, needs
from exactsched.model.tasks import given as there_from_the_start
from exactsched.oracles.reduce import trees_at_most
from exactsched.steady_state.reduction_arrays import ArrayStates, PricedArrays
from exactsched.steady_state.reduction_tree import (
    PricedStates,
    ReductionStates,
    cheapest_reduction_tree,
    tree_text,
)
from exactsched.strategies import costs, reductions

MOST_TREES = 2000


def refuse_unless_tree(problem: Reduction, tasks: Sequence[Task]) -> None:
    """Definition 1, with nothing made twice and nothing made in vain."""
    there = there_from_the_start(problem)
    unused: set[Any] = set()
    for task in tasks:
        for state in needs(problem, task):
            assert state in there, "an input is missing"
            unused.discard(state)
        made = makes(problem, task)
        assert made not in there, "this was there"
        there.add(made)
        unused.add(made)
    assert unused == set(problem.goals)


def integers(problem: Reduction) -> tuple[ReductionStates, list[int], list[int]]:
    """The states, lengths of arcs, prices 1; all numbers times one that makes them integers."""
    unit = 2**2 * 3**2 * 5 * 7 * 11 * 13
    place = problem.platform.position
    ((interval, target),) = problem.goals
    states = ReductionStates(
        len(place),
        [(place[arc.tail], place[arc.head]) for arc in problem.platform.arcs],
        [place[owner] for owner in problem.owners],
        (interval, place[target]),
        {place[row[0]]: int(row[1] * unit**2) for row in problem.compute if len(row) == 2},
        {
            (place[row[0]], *row[1:4]): int(row[4] * unit**2)
            for row in problem.compute
            if len(row) == 5
        },
        {interval: int(size * unit) for interval, size in problem.sizes.items()},
    )
    return states, [int(arc.cost * unit) for arc in problem.platform.arcs], [1] * len(place)


def cost_of(
    states: ReductionStates,
    lengths: Sequence[int],
    prices: Sequence[int],
    times: Mapping[Task, int],
    tasks: Sequence[Task],
) -> int:
    total = 0
    for place, *item in tasks:
        if len(item) == 2:
            total += lengths[place] * states.sizes[item[0], item[1]]
        else:
            node = place - len(lengths)
            time = states.times.get(node) or times[node, item[0], item[1], item[2]]
            total += prices[node] * time
    return total


@given(reductions(max_nodes=4, ports="link"), st.data())
def test_no_tree_is_cheaper(problem: Reduction, data: st.DataObject) -> None:
    """Against all trees with simple routes; with prices, often 0, on arcs and processors."""
    trees = trees_at_most(problem, MOST_TREES)
    assume(trees is not None)
    assert trees is not None
    states, lengths, prices = integers(problem)
    price = st.sampled_from((0, 1, 1, 2, 10**30))
    lengths = [length * data.draw(price) for length in lengths]
    prices = [data.draw(price) for _ in prices]
    times = {
        (node, k, cut, m): time
        for (k, m), rows in states.single.items()
        for node, cut, time in rows
    }
    priced = PricedStates(states, lengths, prices)
    assert priced.reachable == bool(trees)
    if not trees:
        return
    found = priced.tree()
    refuse_unless_tree(problem, found)
    cost = cost_of(states, lengths, prices, times, found)
    assert priced.cost == cost
    assert cost == min(cost_of(states, lengths, prices, times, tree) for tree in trees)
    in_floats = PricedStates(states, list(map(float, lengths)), list(map(float, prices)))
    assert in_floats.cost == pytest.approx(cost)
    refuse_unless_tree(problem, in_floats.tree())


@given(reductions(max_nodes=7, max_values=7, ports="link"), st.data())
def test_arrays_find_the_same_costs(problem: Reduction, data: st.DataObject) -> None:
    """And a tree of this cost; with prices, often 0, on arcs and processors."""
    states, lengths, prices = integers(problem)
    price = st.sampled_from((0, 1, 1, 2, 7))
    lengths = [length * data.draw(price) for length in lengths]
    prices = [data.draw(price) for _ in prices]
    times: dict[Task, int] = {
        (node, k, cut, m): time
        for (k, m), rows in states.single.items()
        for node, cut, time in rows
    }
    priced = PricedStates(states, lengths, prices)
    in_arrays = PricedArrays(
        ArrayStates(floats(states)), list(map(float, lengths)), list(map(float, prices))
    )
    if not priced.reachable:
        assert in_arrays.cost == inf
        return
    assert in_arrays.cost == pytest.approx(priced.cost)
    found = in_arrays.tree()
    refuse_unless_tree(problem, found)
    assert cost_of(states, lengths, prices, times, found) == pytest.approx(priced.cost)


def floats(states: ReductionStates[int]) -> ReductionStates[float]:
    """The same in floats."""
    single = {
        (node, k, cut, m): float(time)
        for (k, m), rows in states.single.items()
        for node, cut, time in rows
    }
    times = {node: float(time) for node, time in states.times.items()}
    sizes = {interval: float(size) for interval, size in states.sizes.items()}
    return ReductionStates(
        states.size, states.arcs, states.owners, states.goal, times, single, sizes
    )


@given(reductions(max_nodes=6, max_values=5, ports="link"), st.data())
def test_no_task_adds_more_to_the_potentials_than_it_costs(
    problem: Reduction, data: st.DataObject
) -> None:
    """So by induction over its tasks no scheme is cheaper than the potential of the goal."""
    states, lengths, prices = integers(problem)
    price = st.sampled_from((0, 1, 7))
    lengths = [length * data.draw(price) for length in lengths]
    prices = [data.draw(price) for _ in prices]
    priced = PricedStates(states, lengths, prices)
    potential = {interval: priced.potentials(interval) for interval in states.intervals}
    interval, target = states.goal
    assert potential[interval][target] == priced.cost == max(map(max, potential.values()))
    assert min(map(min, potential.values())) >= 0
    for (k, m), here in potential.items():
        if k == m:
            assert here[states.owners[k]] == 0
        for arc, (tail, head) in enumerate(states.arcs):
            assert here[head] <= here[tail] + lengths[arc] * states.sizes[k, m]
        rows = [(node, cut, t) for node, t in states.times.items() for cut in range(k, m)]
        for node, cut, time in rows + states.single.get((k, m), []):
            parts = potential[k, cut][node] + potential[cut + 1, m][node]
            assert here[node] <= parts + time * prices[node]


@given(reductions(max_nodes=5, max_values=4, ports="link", same_tasks=True), costs())
def test_rational_costs_of_any_kind(problem: Reduction, factor: Fraction) -> None:
    """The kernel by itself: costs scale with their factor, and are those of its tree."""
    platform = problem.platform
    place = platform.position
    ((interval, target),) = problem.goals
    assume(interval == (0, len(problem.owners) - 1))
    pairs = [(place[arc.tail], place[arc.head]) for arc in platform.arcs]
    owners = [place[owner] for owner in problem.owners]
    lengths = [arc.cost for arc in platform.arcs]
    times = [problem.time(node, (0, 0, 1)) for node in platform.nodes]
    priced = PricedStates(*integers(problem))
    if not priced.reachable:
        with pytest.raises(InvalidInput, match="no reduction tree"):
            cheapest_reduction_tree(len(place), pairs, lengths, owners, place[target], times)
        return
    best = cheapest_reduction_tree(len(place), pairs, lengths, owners, place[target], times)
    total = Fraction(0)
    for task in best.tasks:
        time = lengths[task[0]] if len(task) == 3 else times[task[0] - len(pairs)]
        assert time is not None
        total += time
    assert best.cost == total == best.potentials[0, len(owners) - 1][place[target]]
    scaled = cheapest_reduction_tree(
        len(place),
        pairs,
        [str(length * factor) for length in lengths],
        owners,
        place[target],
        [None if time is None else time * factor for time in times],
    )
    assert scaled.cost == best.cost * factor


def test_a_cheap_detour_to_a_node_that_computes() -> None:
    """The router 1 computes nothing, so v[1] passes it to meet v[0] at 2."""
    arcs = [(0, 1), (1, 2), (2, 3), (0, 2)]
    best = cheapest_reduction_tree(4, arcs, [1, 1, 1, 5], [0, 1], 3, [None, None, 2, 0])
    # At 2: 2 + 1 + 2 + 1 = 6; at 3: 3 + 2 + 0 = 5, each value by itself.
    assert best.cost == 5
    assert best.tasks == ((0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 1), (2, 1, 1), (7, 0, 0, 1))


def test_equal_parts_are_joined_for_nothing() -> None:
    """All lengths and times are 0: the tree is as good as any, and simple."""
    arcs = both_ways([(0, 1), (1, 2), (2, 0)])
    best = cheapest_reduction_tree(3, arcs, [0] * 6, [0, 1, 2, 0], 2, [0, 0, 0])
    problem = Reduction(
        Platform(range(3), [(*arc, 1) for arc in arcs]),
        (0, 1, 2, 0),
        (((0, 3), 2),),
        Fraction(1),
        ((0, 1), (1, 1), (2, 1)),
    )
    assert best.cost == 0
    refuse_unless_tree(problem, best.tasks)


def test_costs_far_apart() -> None:
    """Integers of hundreds of digits beside 1."""
    huge = 10**400
    best = cheapest_reduction_tree(3, [(0, 1), (1, 2), (0, 2)], [1, 1, huge], [0, 1], 2, [huge] * 3)
    assert best.cost == huge + 2
    unit = cheapest_reduction_tree(3, [(0, 1), (1, 2), (0, 2)], [1, 1, 5], [0], 2, [None] * 3)
    assert unit.cost == 2


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"size": 0}, "size"),
        ({"arcs": [(0, 2)]}, "arc 0"),
        ({"lengths": [0.5]}, "length of arc 0"),
        ({"lengths": [-1]}, "length of arc 0"),
        ({"lengths": []}, "number of values (length of arc)"),
        ({"owners": []}, "owners"),
        ({"owners": [0, 2]}, "owner of v[1]"),
        ({"target": True}, "target"),
        ({"times": [1]}, "number of values (time of node)"),
        ({"times": [1, -1]}, "time of node 1"),
        ({"times": [True, 1]}, "time of node 0"),
        ({"times": [1, None]}, "target"),
    ],
)
def test_what_is_no_question(change: dict[str, Any], place: str) -> None:
    asked: dict[str, Any] = {
        "size": 2,
        "arcs": [(0, 1)],
        "lengths": [1],
        "owners": [0, 1],
        "target": 1,
        "times": [1, 1],
    }
    assert cheapest_reduction_tree(**asked).cost == 2
    with pytest.raises(InvalidInput) as refused:
        cheapest_reduction_tree(**(asked | change))
    assert refused.value.place == place


# Figure 11 of RR-4872, read from the root: the first reduction tree of the Tiers platform.
FIGURE_11 = """\
result [0,7] on 6
  transfer [0,7] 10 -> 4 -> 12 -> 5 -> 0 -> 1 -> 2 -> 6
    cons[0,6,7] on 10
      transfer [0,6] 13 -> 12 -> 5 -> 4 -> 10
        cons[0,1,6] on 13
          cons[0,0,1] on 13
            transfer [0,0] 11 -> 10 -> 4 -> 12 -> 13
            transfer [1,1] 8 -> 2 -> 1 -> 0 -> 5 -> 12 -> 13
          cons[2,2,6] on 13
            transfer [3,6] 12 -> 13
              cons[3,5,6] on 12
                cons[3,4,5] on 12
                  transfer [3,4] 7 -> 6 -> 2 -> 1 -> 0 -> 5 -> 4 -> 12
                    cons[3,3,4] on 7
                      transfer [3,3] 9 -> 8 -> 2 -> 6 -> 7
                      transfer [4,4] 6 -> 7
                transfer [6,6] 7 -> 6 -> 2 -> 1 -> 0 -> 5 -> 12"""


def figure_11() -> tuple[Reduction, list[Task]]:
    platform = built_in("tiers-2003")
    data = platform.node_data
    owners = sorted(
        (node for node in data if "index" in data[node]), key=lambda n: data[n]["index"]
    )
    problem = Reduction(
        platform,
        tuple(owners),
        (((0, 7), 6),),
        Fraction(1),
        tuple((node, data[node]["compute"]) for node in owners),
    )
    arc = {(arc.tail, arc.head): index for index, arc in enumerate(platform.arcs)}
    tasks: list[Task] = []
    for line in reversed(FIGURE_11.splitlines()[1:]):
        item, rest = line[line.index("[") + 1 :].split("]")
        indices = [int(index) for index in item.split(",")]
        if "cons" in line:
            node = platform.position[int(rest.removeprefix(" on "))]
            tasks.append((len(arc) + node, *indices))
        else:
            route = [int(node) for node in rest.split(" -> ")]
            tasks += [(arc[hop], *indices) for hop in pairwise(route)]
    return problem, tasks


def test_the_paper_shows_its_trees_like_this() -> None:
    problem, tasks = figure_11()
    refuse_unless_tree(problem, tasks)
    assert tree_text(problem, tasks) == FIGURE_11


def test_steps_of_the_figure() -> None:
    steps = reduction_steps(*figure_11())
    assert [step.kind for step in steps].count("value") == 8
    assert [step.kind for step in steps].count("task") == 7
    assert steps[-1].kind == "transfer"
    assert steps[-1].nodes == (10, 4, 12, 5, 0, 1, 2, 6)
    used = [index for step in steps for index in step.inputs]
    assert sorted(used) == list(range(len(steps) - 1))


@given(reductions(max_nodes=5, max_values=5))
def test_steps_are_the_tasks_of_a_tree(problem: Reduction) -> None:
    states, lengths, prices = integers(problem)
    priced = PricedStates(states, lengths, prices)
    assume(priced.reachable)
    tasks = priced.tree()
    steps = reduction_steps(problem, tasks)
    platform, arcs = problem.platform, len(problem.platform.arcs)
    arc = {(arc.tail, arc.head): index for index, arc in enumerate(platform.arcs)}
    rebuilt: list[Task] = []
    for index, step in enumerate(steps):
        assert all(earlier < index for earlier in step.inputs)
        came = [steps[earlier] for earlier in step.inputs]
        if step.kind == "task":
            rebuilt.append((arcs + platform.position[step.nodes[0]], *step.item))
            assert [other.nodes[-1] for other in came] == [step.nodes[0]] * 2
            assert came[0].item[-1] + 1 == came[1].item[0] == step.item[1] + 1
        elif step.kind == "transfer":
            hops = pairwise(step.nodes)
            rebuilt += [(arc[hop], *step.item) for hop in hops]
            assert came[0].kind != "transfer"
            assert came[0].nodes[-1] == step.nodes[0]
        else:
            assert step.nodes == (problem.owners[step.item[0]],)
    assert rebuilt == list(tasks)


def test_a_scheme_may_send_and_use_a_result_twice() -> None:
    """A prefix: v[0,1] is wanted at b, and goes on from there; v[0,0] is used in two tasks."""
    line = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("a", "c", 1)])
    problem = Reduction(
        line,
        ("a", "b", "c"),
        (((0, 1), "b"), ((0, 2), "c")),
        Fraction(1),
        (("b", 1), ("c", 1)),
    )
    tasks = [(0, 0, 0), (4, 0, 0, 1), (1, 0, 1), (5, 0, 1, 2)]
    assert tree_text(problem, tasks).splitlines() == [
        "result [0,1] on b",
        "  cons[0,0,1] on b",
        "    transfer [0,0] a -> b",
        "result [0,2] on c",
        "  cons[0,1,2] on c",
        "    transfer [0,1] b -> c",
        "      cons[0,0,1] on b (above)",
    ]
    twice = [(0, 0, 0), (4, 0, 0, 1), (1, 0, 0), (1, 1, 1), (5, 0, 0, 1), (5, 0, 1, 2)]
    assert [step.nodes for step in reduction_steps(problem, twice) if step.kind == "transfer"] == [
        ("a", "b"),
        ("b", "c"),
        ("b", "c"),
    ]


def test_a_goal_ends_a_route() -> None:
    """v[0,0] is wanted at b, and on the way from there to c."""
    line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    problem = Reduction(line, ("a",), (((0, 0), "b"), ((0, 0), "c")), Fraction(1), ())
    steps = reduction_steps(problem, [(0, 0, 0), (1, 0, 0)])
    assert [(step.kind, step.nodes) for step in steps] == [
        ("value", ("a",)),
        ("transfer", ("a", "b")),
        ("transfer", ("b", "c")),
    ]


def test_names_do_not_break_the_lines_of_a_tree() -> None:
    pair = Platform(["a\nb", "c\u202e"], [("a\nb", "c\u202e", 1)])
    problem = Reduction(pair, ("a\nb",), (((0, 0), "c\u202e"),), Fraction(1), ())
    assert tree_text(problem, [(0, 0, 0)]).splitlines() == [
        r"result [0,0] on c\u202e",
        r"  transfer [0,0] a\nb -> c\u202e",
    ]
