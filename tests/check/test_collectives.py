"""What the checker accepts of alltoalls and reductions is true, after any single change as well.

Their refusals are tested with all others in test_check.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice, permutations, starmap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate import parse, read_certificate
from exactsched.certificate.bounds import DistanceBound, PotentialBound
from exactsched.certificate.collectives import PeriodicSchedule, Row, Run, Series, Structure
from exactsched.check import ProvedRun, ProvedSeries, check
from exactsched.check.collectives.operations import operation_of
from exactsched.check.collectives.run import achieved_makespan
from exactsched.check.collectives.schedule import achieved_throughput
from exactsched.exact.errors import Malformed, Rejected
from exactsched.exact.rational import Rational, text
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall, Broadcast, Reduction
from exactsched.model.resources import place_resources, resources
from exactsched.model.tasks import State, duration, makes, needs
from exactsched.model.tasks import given as there_from_the_start
from exactsched.oracles import collectives as oracle
from exactsched.oracles.series import possible_tasks
from exactsched.strategies import costs, platforms, reductions
from tests.check.mutants import Path, mutants, some
from tests.check.refusals.broadcasts import files, path_of
from tests.steady_state import planted_collectives

Prices = Mapping[str, Fraction]
FOLDER = "accepted/collectives"
NAMES = files(FOLDER)
# By the linear program of the paper, in oracle_collectives.py: too large for the definition.
TIERS = Fraction(2, 9)


@pytest.mark.parametrize("name", NAMES)
def test_accepted_certificates_are_true(name: str) -> None:
    path = path_of(FOLDER, name)
    document = read_certificate(path)
    claim = check(path)
    assert isinstance(claim, (ProvedSeries, ProvedRun))
    assert claim == check(document) == check(parse(document))
    assert claim.kind == document["kind"]
    assert claim.optimal == document["optimal"]
    assert text(claim.bound) == str(document["bound"])
    assert not _fault(document)


def test_optima_are_recognized() -> None:
    """Where the bound of the corpus is not the optimum, the name of the file says so."""
    for name in NAMES:
        document = read_certificate(path_of(FOLDER, name))
        proved = check(document)
        if isinstance(proved, ProvedSeries) and name != "tiers":
            optimum = _optimum(oracle.problem_of(document))
            assert proved.throughput == optimum
            gap = name.endswith(("-with-a-gap", "-not-shown-optimal"))
            assert proved.optimal != gap


def test_figures_of_the_paper() -> None:
    """RR-4872: figure 2, figure 6, figures 10 to 12."""
    found = {name: check(path_of(FOLDER, name)).bound for name in THROUGHPUTS}  # type: ignore[union-attr]
    assert found == THROUGHPUTS
    trees = read_certificate(path_of(FOLDER, "tiers"))["schedule"]["structures"]
    assert [tree["operations"] for tree in trees] == [1, 1]


THROUGHPUTS = {"scatter-toy": Fraction(1, 2), "reduce-toy": Fraction(1), "tiers": TIERS}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("scatter-toy", "agree (scatter from Ps to 2 targets, 5 nodes, 5 arcs, one-port)"),
        ("gather-half-duplex", "(gather at t from 3 sources, 4 nodes, 5 arcs, half-duplex)"),
        (
            "alltoall-link",
            "throughput 13/16 proved optimal: schedule and bound agree (alltoall of 4 m",
        ),
        ("tiers", "throughput 2/9 proved optimal: schedule and bound agree (reduction of 8 values"),
        ("one-value", "(reduction of 1 value to c, 3 nodes, 3 arcs, link)"),
        ("prefix", "(prefix of 3 values, 3 nodes, 4 arcs, one-port)"),
        ("prefix-with-a-gap", "throughput >= 12/7 by the schedule, <= 2 by the bound: not proved "),
        ("multicast-with-a-gap", "(reduction of 1 value to 2 goals, "),
        (
            "run-scatter",
            "makespan <= 26/3 by the schedule, >= 8 by the bound: not proved optimal (",
        ),
        (
            "run-alltoall",
            "(alltoall of 3 messages from 3 sources to 3 targets, 3 nodes, 4 arcs, half-duplex, "
            "operations: 2)",
        ),
    ],
)
def test_claims_say_what_is_asked_and_what_is_proved(name: str, words: str) -> None:
    assert words in str(check(path_of(FOLDER, name)))


# Nothing false is accepted.


@cache
def _optimum(problem: Alltoall | Reduction) -> Fraction:
    return oracle.optimal_throughput_by_definition(problem)


def _fault(document: dict[str, Any]) -> str:
    return oracle.collective_fault(document, TIERS if _is_tiers(document) else None)


def _is_tiers(document: dict[str, Any]) -> bool:
    return len(document["problem"]["platform"]["nodes"]) == 14


# The optimum of every changed problem is a linear program over all structures: where these are
# many, one accepted mutant in this many is examined.
EXAMINED = {
    "prefix-with-a-gap": 16,
    "run-reduce": 6,
    "reduce-toy": 6,
    "alltoall-link": 3,
    "tiers": 20,
    "allreduce-over-a-switch": 8,
    "allgather-not-shown-optimal": 3,
    "allgather": 3,
}


@pytest.mark.parametrize("name", NAMES)
def test_mutants_are_refused_or_true(name: str) -> None:
    """Any single change makes a certificate that is refused, or one that is still true."""
    document = read_certificate(path_of(FOLDER, name))
    names = [*document["problem"]["platform"]["nodes"], "nobody"]
    refused = 0
    accepted = []
    for path, mutant in some(_mutants_of(document, names)):
        try:
            check(mutant)
        except (Rejected, Malformed):
            refused += 1
        else:
            accepted.append((path, mutant))
    assert refused > 2 * len(accepted)
    for path, mutant in accepted[:: EXAMINED.get(name, 1)]:
        assert not _fault(mutant), f"accepted but false after a change of {path}"


def _mutants_of(document: dict[str, Any], names: list[Any]) -> Iterator[tuple[Path, Any]]:
    if len(names) < 10:
        yield from mutants(document, names)
        return
    # A large platform: its optimum is known, that of a changed one is not.
    parts = {name: document[name] for name in ("throughput", "bound", "optimal", "schedule")}
    for path, mutant in islice(mutants(parts), 0, None, 5):
        yield path, {**document, **mutant}


# Bounds and schedules, on random problems.


def _cheapest(problem: Alltoall | Reduction, prices: Prices) -> list[dict[State, Fraction]]:
    """For each source, or each goal, the least priced time of the tasks that bring about a state.

    By Bellman's iteration; a state that cannot be reached is left out.
    """
    names = place_resources(problem)
    starts: list[set[State]]
    tasks: list[tuple[int, ...]]
    if isinstance(problem, Alltoall):
        starts = [{((0,), source)} for source in problem.sources]
        tasks = [(arc, 0) for arc in range(len(problem.platform.arcs))]
        lasts = [arc.cost for arc in problem.platform.arcs]
    else:
        starts = [there_from_the_start(problem)] * len(problem.goals)
        tasks = possible_tasks(problem)
        lasts = [duration(problem, task) for task in tasks]
    found = []
    for start in starts:
        cost = dict.fromkeys(start, Fraction(0))
        changed = True
        while changed:
            changed = False
            for task, time in zip(tasks, lasts, strict=True):
                inputs = needs(problem, task)
                if not all(state in cost for state in inputs):
                    continue
                price = time * sum(prices.get(name, Fraction(0)) for name in names[task[0]])
                total = sum((cost[state] for state in inputs), price)
                made = makes(problem, task)
                if made not in cost or total < cost[made]:
                    cost[made] = total
                    changed = True
        found.append(cost)
    return found


@st.composite
def _bounds(draw: st.DrawFn, problem: Alltoall | Reduction) -> DistanceBound | PotentialBound:
    """Random prices; of several goals each takes a part of them."""
    small = st.builds(Fraction, st.integers(0, 4), st.integers(1, 3))
    prices = {name: draw(small) for name in resources(problem) if draw(st.booleans())}
    costs = _cheapest(problem, prices)
    nodes = problem.platform.nodes
    if isinstance(problem, Alltoall):
        rows = [[cost.get(((0,), node), Fraction(9)) for node in nodes] for cost in costs]
        return DistanceBound(prices, tuple(map(tuple, rows)))
    shares = [draw(st.integers(1, 3)) for _ in problem.goals]
    beyond = max(max(cost.values()) for cost in costs) + 1
    tables = [
        tuple(
            tuple(cost.get((interval, node), beyond) * share / sum(shares) for node in nodes)
            for interval in problem.intervals
        )
        for cost, share in zip(costs, shares, strict=True)
    ]
    return PotentialBound(prices, tuple(tables))


def _value(
    problem: Alltoall | Reduction, bound: DistanceBound | PotentialBound
) -> tuple[Fraction, Fraction]:
    """Y and P of the format page."""
    place = problem.platform.position
    price = sum(map(Fraction, bound.prices.values()), Fraction(0))
    if isinstance(problem, Alltoall) and isinstance(bound, DistanceBound):
        row = dict(zip(problem.sources, bound.distances, strict=True))
        paid = [Fraction(d.size * row[d.source][place[d.target]]) for d in problem.demands]
    elif isinstance(problem, Reduction) and isinstance(bound, PotentialBound):
        paid = [
            Fraction(table[problem.intervals.index(interval)][place[node]])
            for table, (interval, node) in zip(bound.potentials, problem.goals, strict=True)
        ]
    return price, sum(paid, Fraction(0))


def _raised(
    problem: Alltoall | Reduction, bound: DistanceBound | PotentialBound
) -> DistanceBound | PotentialBound:
    """The first number of what is wanted a little larger."""
    if isinstance(problem, Alltoall) and isinstance(bound, DistanceBound):
        row, node = 0, problem.platform.position[problem.demands[0].target]
        return replace(bound, distances=(_plus(bound.distances[0], node), *bound.distances[1:]))
    assert isinstance(problem, Reduction)
    assert isinstance(bound, PotentialBound)
    interval, goal = problem.goals[0]
    row, node = problem.intervals.index(interval), problem.platform.position[goal]
    table = bound.potentials[0]
    table = (*table[:row], _plus(table[row], node), *table[row + 1 :])
    return replace(bound, potentials=(table, *bound.potentials[1:]))


def _plus(row: tuple[Rational, ...], node: int) -> tuple[Rational, ...]:
    return (*row[:node], row[node] + Fraction(1, 1000), *row[node + 1 :])


@st.composite
def _problems(draw: st.DrawFn) -> Alltoall | Reduction:
    if draw(st.booleans()):
        platform = draw(platforms(max_nodes=4))
        pairs = st.sampled_from(list(permutations(platform.nodes, 2)))
        ends = draw(st.lists(pairs, min_size=1, max_size=3, unique=True))
        demands: Any = tuple((*pair, draw(costs())) for pair in ends)
        return Alltoall(
            platform, demands, draw(st.sampled_from(["one-port", "half-duplex", "link"]))
        )
    problem = draw(reductions(max_nodes=3))
    states = [
        (interval, node)
        for interval in problem.intervals
        for node in problem.platform.nodes
        if (interval, node) not in there_from_the_start(problem)
    ]
    goals = draw(st.lists(st.sampled_from(states), min_size=1, max_size=2, unique=True))
    return replace(problem, goals=tuple(goals))


@given(st.data())
def test_random_bounds_hold_and_are_tight(data: st.DataObject) -> None:
    problem = data.draw(_problems())
    bound = data.draw(_bounds(problem))
    price, paid = _value(problem, bound)
    if paid <= 0:
        return
    value = price / paid
    stated = Series(problem, Fraction(0), value, value == 0, None, bound)
    assert check(stated).bound == value
    assert _optimum(problem) <= value
    if _surely_tight(problem):
        with pytest.raises(Rejected, match=r"at most (its|the) priced time"):
            check(replace(stated, proof=_raised(problem, bound)))


def _surely_tight(problem: Alltoall | Reduction) -> bool:
    """Whether the first thing that is wanted can be had, and no other goal leaves room for more."""
    cost = _cheapest(problem, {})[0]
    if isinstance(problem, Alltoall):
        return ((0,), problem.demands[0].target) in cost
    return len(problem.goals) == 1 and problem.goals[0] in cost


@given(planted_collectives.alltoalls() | planted_collectives.reductions())
def test_planted_schedules_reach_what_was_planted(series: Series) -> None:
    assert achieved_throughput(series.problem, series.schedule) == series.throughput
    run = planted_collectives.run_of(series, 2)
    assert achieved_makespan(run) == run.makespan


PATHS = {
    "at once": ([(0, 0), (1, 0)], None),
    "not in order": ([(1, 0), (0, 0)], "a task has its inputs from the start"),
    "from elsewhere": ([(1, 0)], "a task has its inputs from the start"),
    "to elsewhere": ([(0, 0)], "every goal of its part is there in the end"),
    "with a gap": ([(0, 0), (4, 0)], "a task has its inputs from the start"),
    "in a circle": ([(0, 0), (3, 0), (2, 0)], "a task makes what is not there already"),
    "of another message": ([(0, 1), (1, 1)], "a task has its inputs from the start"),
    "in part of another message": ([(0, 0), (1, 1)], "every goal of its part is there in the end"),
    "and more": ([(0, 0), (1, 0), (1, 1)], None),
}


@pytest.mark.parametrize("name", PATHS)
def test_paths_of_an_alltoall(name: str) -> None:
    """All structures at once, or one by one: a path is one, wherever it stands among others."""
    tasks, rule = PATHS[name]
    arcs = [("a", "b", 1), ("b", "c", 1), ("a", "c", 1), ("b", "a", 1), ("d", "c", 1)]
    problem = Alltoall(Platform(["a", "b", "c", "d"], arcs), [("a", "c", 2), ("b", "c", 1)], "link")
    usual = [Structure(1, 0, ((2, 0),)), Structure(1, 1, ((1, 1),))]
    for place in range(3):
        structures = list(usual)
        structures.insert(place, Structure(1, 0, tuple(tasks)))
        more = Structure(1, 1, ((3, 1), (2, 1)))
        structures.append(more)
        time = dict.fromkeys(range(len(arcs)), 0)
        for structure in structures:
            for arc, item in structure.tasks:
                time[arc] += [2, 1][item]
        slots = tuple((arc, 0, end) for arc, end in time.items() if end)
        tick = Fraction(1)
        schedule = PeriodicSchedule(Fraction(9), tick, tuple(structures), slots, False)
        at_once = operation_of(problem, tick).works_at_once(schedule.structures)
        assert (at_once is not None) == (name == "at once")
        if rule is None:
            assert achieved_throughput(problem, schedule) == Fraction(2, 9)
            continue
        with pytest.raises(Rejected, match=rule) as refusal:
            achieved_throughput(problem, schedule)
        assert refusal.value.place.startswith(f"schedule.structures[{place}]")


@pytest.mark.parametrize("names", [*permutations(range(4))])
def test_of_two_blocks_that_are_late_the_first_is_refused(names: tuple[int, ...]) -> None:
    """Whatever their nodes are called, and whatever the hashes of the names are."""
    name_of = dict(zip(["a", "b", "c", "s"], names, strict=True))
    document = read_certificate(path_of("rejected/collectives", "latencies-of-a-block-late"))
    problem, proof = document["problem"], document["proof"]
    platform = problem["platform"]
    platform["nodes"] = list(names)
    platform["arcs"] = [[name_of[arc[0]], name_of[arc[1]], *arc[2:]] for arc in platform["arcs"]]
    problem["blocks"] = [[size, [name_of[node] for node in at]] for size, at in problem["blocks"]]
    problem["among"] = [name_of[node] for node in problem["among"]]
    proof["nodes"] = [name_of[node] for node in proof["nodes"]]
    with pytest.raises(Rejected, match=r"late\[0\]"):
        check(document)


Rows = tuple[tuple[int, int, int, int], ...]


def _run(
    problem: Alltoall | Broadcast | Reduction,
    tasks: tuple[Any, ...],
    rows: Rows,
    operations: int = 1,
) -> Run:
    """A run in ticks of 1, of which nothing but the makespan is looked at."""
    proof, end = PotentialBound({}, ()), Fraction(max(row[3] for row in rows))
    listed = tuple(starmap(Row, rows))
    return Run(problem, operations, (), end, end, True, Fraction(1), tasks, listed, proof)


@pytest.mark.parametrize("pieces", list(permutations([(0, 0, 0, 1), (0, 0, 2, 3)])))
def test_a_message_is_there_after_its_last_piece(pieces: Rows) -> None:
    problem = Alltoall(Platform("abc", [("a", "b", 2), ("b", "c", 1)]), [("a", "c", 1)], "one-port")
    tasks = ((0, 0), (1, 0))
    assert achieved_makespan(_run(problem, tasks, (*pieces, (1, 0, 3, 4)))) == 4
    with pytest.raises(Rejected, match="a task starts only after its inputs are there completely"):
        achieved_makespan(_run(problem, tasks, (*pieces, (1, 0, 2, 3))))


def test_a_task_is_interrupted_where_its_arc_has_no_latency() -> None:
    arcs = [("a", "b", 2, 1), ("b", "c", 2, 0)]
    problem = Broadcast(Platform("abc", arcs), "a")
    rows = ((0, 0, 0, 3), (1, 0, 3, 4), (1, 0, 5, 6))
    assert achieved_makespan(_run(problem, ((0,), (1,)), rows)) == 6


@pytest.mark.parametrize("first", [0, 1])
def test_a_sum_waits_for_both_of_its_parts(first: int) -> None:
    platform = Platform("abd", [("a", "d", 1), ("b", "d", 1)])
    problem = Reduction(platform, ("a", "b"), (((0, 1), "d"),), Fraction(1), (("d", Fraction(1)),))
    tasks = ((0, 0, 0), (1, 1, 1), (4, 0, 0, 1))
    sent = ((first, 0, 0, 1), (1 - first, 0, 1, 2))
    assert achieved_makespan(_run(problem, tasks, (*sent, (2, 0, 2, 3)))) == 3
    rule = "a task starts only after its inputs are there completely"
    with pytest.raises(Rejected, match=rule) as refusal:
        achieved_makespan(_run(problem, tasks, (*sent, (2, 0, 1, 2))))
    late = f"v[{1 - first},{1 - first}] at d"
    assert refusal.value.value == [late, 0, 1]


@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("late", [(1, 0, 2, 3), (0, 0, 1, 2)])
def test_the_row_that_is_wrong_is_named_where_it_stands(
    late: tuple[int, int, int, int], position: int
) -> None:
    """Rows may be in any order: one too early, or of a message with a latency that is torn."""
    arcs = [("a", "b", 1, 1), ("b", "c", 1, 0), ("c", "d", 1, 0)]
    problem = Broadcast(Platform("abcd", arcs), "a")
    first = (0, 0, 0, 1) if late[0] == 0 else (0, 0, 1, 3)
    rows = [first, (2, 0, 4, 5)]
    rows.insert(position, late)
    # Of two pieces the second one is refused, wherever both stand.
    with pytest.raises(Rejected) as refusal:
        achieved_makespan(_run(problem, ((0,), (1,), (2,)), tuple(rows)))
    assert refusal.value.place == f"rows[{position}]"


@pytest.mark.parametrize("turned", [False, True])
def test_an_overlap_is_named_where_it_stands(turned: bool) -> None:
    problem = Broadcast(Platform("abc", [("a", "b", 2), ("a", "c", 2)]), "a")
    rows = [(0, 0, 0, 2), (1, 0, 1, 3)]
    with pytest.raises(Rejected) as refusal:
        achieved_makespan(_run(problem, ((0,), (1,)), tuple(rows[::-1] if turned else rows)))
    assert refusal.value.place == f"rows[{0 if turned else 1}]"


@pytest.mark.parametrize("nodes", ["ab", "ba"])
@pytest.mark.parametrize("missing", range(3))
def test_every_operation_makes_its_goals(missing: int, nodes: str) -> None:
    problem = Broadcast(Platform(nodes, [("a", "b", 1)]), "a")
    rows = [(0, number, number, number + 1) for number in range(3) if number != missing]
    with pytest.raises(Rejected, match="every operation makes its goals") as refusal:
        achieved_makespan(_run(problem, ((0,),), tuple(rows), 3))
    assert refusal.value.value == ["the message at b", missing]
