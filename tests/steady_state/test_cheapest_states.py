"""Labels of states while some are free, against their definition."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.model.problem import Reduction
from exactsched.steady_state.cheapest_states import CheapestStates
from exactsched.steady_state.state_graph import StateGraph
from exactsched.strategies import reductions


def labels_by_definition(
    graph: StateGraph, costs: Sequence[float], free: Collection[int]
) -> list[float]:
    """The greatest labels that no task and no free state contradicts."""
    labels = [0 if state in graph.there or state in free else inf for state in range(states(graph))]
    lower = True
    while lower:
        lower = False
        for task, made in enumerate(graph.makes):
            cost = costs[task] + sum(labels[state] for state in graph.needs[task])
            if cost < labels[made]:
                labels[made], lower = cost, True
    return labels


def states(graph: StateGraph) -> int:
    return len(graph.named)


@st.composite
def priced(draw: st.DrawFn) -> tuple[StateGraph, list[float]]:
    """All states of a small reduction; tasks cost 0 to 9, or cannot be done."""
    problem: Reduction = draw(reductions(max_nodes=5, max_values=4))
    graph = StateGraph(problem)
    dice = draw(st.randoms(use_true_random=False))
    some = [dice.choice([0, 1, 1, 2, 5, 9]) for _ in graph.tasks]
    return graph, [c if able else inf for c, able in zip(some, graph.possible, strict=True)]


@settings(max_examples=150)
@given(priced(), st.data())
def test_labels_are_right_whatever_becomes_free(
    asked: tuple[StateGraph, list[float]], data: st.DataObject
) -> None:
    """One object is told of other free states again and again; questions do not change it."""
    graph, costs = asked
    found = CheapestStates(graph, costs)
    assert found.labels() == labels_by_definition(graph, costs, ())
    some = st.sets(st.integers(0, states(graph) - 1), max_size=6)
    for _ in range(3):
        free = data.draw(some)
        found.set_free(free)
        expected = labels_by_definition(graph, costs, free)
        assert found.labels() == expected
        assert CheapestStates(graph, costs, free=free).labels() == expected
        goal = data.draw(st.integers(0, states(graph) - 1))
        missing = data.draw(some) | (free if data.draw(st.booleans()) else set())
        assert_cheapest(graph, costs, found, free - missing, goal, missing)
        assert found.labels() == expected


def assert_cheapest(
    graph: StateGraph,
    costs: Sequence[float],
    found: CheapestStates,
    free: Collection[int],
    goal: int,
    missing: Collection[int],
) -> None:
    """A state is made of what is there or made, for its label or, if tasks serve twice, less."""
    label = labels_by_definition(graph, costs, free)[goal]
    assert found.cheapest(goal, label, missing) is None
    makers = found.cheapest(goal, label + 1, missing)
    if label == inf:
        assert makers is None
        return
    assert makers is not None
    there = graph.there.union(free)
    assert goal in makers or goal in there
    for state, task in makers.items():
        assert graph.makes[task] == state
        assert there.union(makers).issuperset(graph.needs[task])
    assert sum(costs[task] for task in makers.values()) <= label


@settings(max_examples=50)
@given(priced(), st.data())
def test_only_what_is_inside_a_goal_is_labeled(
    asked: tuple[StateGraph, list[float]], data: st.DataObject
) -> None:
    """With integers for all costs, and a number beyond all of them for what is impossible."""
    graph, costs = asked
    far = 1 + 9 * len(costs)
    goal = data.draw(st.integers(0, states(graph) - 1))
    states_inside = CheapestStates(graph, [min(cost, far) for cost in costs], goal, far)
    found = states_inside.labels()
    expected = labels_by_definition(graph, costs, ())
    assert (states_inside.cheapest(goal) is None) == (expected[goal] == inf)
    inside = {state for state, _ in graph.within(goal)}
    for state, label in enumerate(found):
        assert label == (min(expected[state], far) if state in inside else far)
