"""What cannot be brought about: by the definition, and exactly where the throughput is 0."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction
from exactsched.model.tasks import State, makes, needs, wanted
from exactsched.model.tasks import given as there
from exactsched.model.unreachable import unreachable, unreachable_in_words
from exactsched.steady_state.alltoall import alltoall
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.prefix import solve_shared_reduction

NODES = st.sampled_from("abcd")
ARCS = st.sets(st.tuples(NODES, NODES).filter(lambda ends: ends[0] != ends[1]), max_size=6)


def by_definition(problem: Collective, tasks: list[tuple[int, ...]]) -> list[State]:
    """Every task is done as soon as its states are there, until nothing changes."""
    known = there(problem)
    while True:
        more = known | {
            makes(problem, task) for task in tasks if known.issuperset(needs(problem, task))
        }
        if more == known:
            return [state for state in wanted(problem) if state not in known]
        known = more


@given(ARCS)
def test_broadcasts(arcs: set[tuple[str, str]]) -> None:
    problem = Broadcast(Platform("abcd", [(*arc, 1) for arc in sorted(arcs)]), "a")
    missing = unreachable(problem)
    assert list(missing) == by_definition(problem, [(arc,) for arc in range(len(arcs))])
    solution = solve_series(problem)
    assert bool(missing) == (solution.throughput == 0)
    assert solution.unreachable == missing
    assert bool(unreachable_in_words(problem)) == bool(missing)


@given(ARCS, ARCS.filter(bool))
def test_alltoalls(arcs: set[tuple[str, str]], pairs: set[tuple[str, str]]) -> None:
    platform = Platform("abcd", [(*arc, 1) for arc in sorted(arcs)])
    problem = Alltoall(platform, tuple(sorted(pairs)))
    tasks = [(arc, demand) for arc in range(len(arcs)) for demand in range(len(pairs))]
    missing = unreachable(problem)
    assert list(missing) == by_definition(problem, tasks)
    solution = alltoall(platform, problem.demands)
    assert bool(missing) == (solution.throughput == 0)
    assert solution.unreachable == missing


@given(
    ARCS,
    st.lists(NODES, min_size=2, max_size=3),
    st.sets(st.tuples(NODES, st.booleans()), max_size=3),
    st.sets(NODES, min_size=1, max_size=2),
)
def test_reductions(
    arcs: set[tuple[str, str]], owners: list[str], able: set[tuple[str, bool]], targets: set[str]
) -> None:
    """Some processors do all tasks, some only the one that joins the first two values."""
    platform = Platform("abcd", [(*arc, 1) for arc in sorted(arcs)])
    last = len(owners) - 1
    whole = {node for node, all_tasks in able if all_tasks}
    rows = [(node, 1) for node in sorted(whole)]
    rows += [(node, 0, 0, 1, 1) for node in sorted({node for node, _ in able} - whole)]
    goals = [((0, last), node) for node in sorted(targets)]
    problem = Reduction(platform, tuple(owners), tuple(goals), 1, tuple(rows))  # type: ignore[arg-type]
    tasks = [(arc, k, m) for arc in range(len(arcs)) for k, m in problem.intervals]
    tasks += [
        (len(arcs) + place, k, cut, m)
        for place, node in enumerate(platform.nodes)
        for k, m in problem.intervals
        for cut in range(k, m)
        if problem.time(node, (k, cut, m)) is not None
    ]
    missing = unreachable(problem)
    assert list(missing) == by_definition(problem, tasks)  # type: ignore[arg-type]
    solution = solve_shared_reduction(problem)
    assert bool(missing) == (solution.throughput == 0)
    assert solution.unreachable == missing


def test_at_most_six_are_named() -> None:
    many = Broadcast(Platform(range(9), [(0, 1, 1)]), 0)
    assert unreachable_in_words(many) == "no path leads from 0 to 2, 3, 4, 5, 6, 7, ..."
