"""Who works when: exact stints, a lane for every port and processor, traces from cold starts."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate import parse
from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import PeriodicSchedule, Run, Series, Slot, Structure
from exactsched.drawing.series.activity import (
    Lane,
    Stint,
    arc_shares,
    flows,
    lanes,
    principals,
    run_routes,
    stints,
)
from exactsched.drawing.series.chart import MOST_ROWS, busiest
from exactsched.drawing.series.scenes import unrolled
from exactsched.model.platform import Platform
from exactsched.model.problem import PORTS, Broadcast
from exactsched.model.resources import place_resources
from exactsched.model.tasks import computes, duration, makes, needs
from exactsched.steady_state.broadcast import broadcast, solve_series
from exactsched.strategies import broadcasts
from tests.drawing.examples import chain_run
from tests.steady_state.planted_collectives import alltoalls, reductions, run_of

collectives = st.sampled_from(PORTS).flatmap(lambda ports: alltoalls(ports) | reductions(ports))


@st.composite
def solved(draw: st.DrawFn) -> Series:
    ports = draw(st.sampled_from(PORTS))
    problem = draw(broadcasts(ports=ports, max_nodes=6, bipartite=ports == "half-duplex"))
    certificate = parse(solve_series(problem).certificate())
    assert isinstance(certificate, Series)
    return certificate


every_series = solved() | collectives


def two_trees(tick: Fraction, *slots: tuple[int, int]) -> Series:
    """One message of cost 1/2 by a first tree and two by a second, in a period of 3."""
    problem = Broadcast(Platform("ab", [("a", "b", "1/2")]), "a")
    trees = Structure(1, 0, ((0,),)), Structure(2, 0, ((0,),))
    listed = tuple(Slot(0, *slot) for slot in slots)
    schedule = PeriodicSchedule(Fraction(3), tick, trees, listed, whole=True)
    return Series(problem, Fraction(1), Fraction(1), True, schedule, CutBound({}, ("b",), ()))


@given(every_series)
@settings(max_examples=50)
def test_stints_of_a_task_last_its_operations_times_its_duration(series: Series) -> None:
    schedule = series.schedule
    assert schedule is not None
    lasted: dict[object, Fraction] = defaultdict(Fraction)
    for one in stints(series):
        assert 0 <= one.start < one.end <= schedule.period
        assert one.done * duration(series.problem, one.task) == lasted[one.stream, one.task]
        lasted[one.stream, one.task] += one.length
    assert lasted == {
        (stream, task): structure.operations * duration(series.problem, task)
        for stream, structure in enumerate(schedule.structures)
        for task in structure.tasks
    }


@given(every_series)
@settings(max_examples=50)
def test_stints_fill_the_slots_of_a_place_in_the_order_of_its_tasks(series: Series) -> None:
    schedule = series.schedule
    assert schedule is not None
    order: dict[int, list[object]] = defaultdict(list)
    for stream, structure in enumerate(schedule.structures):
        for task in structure.tasks:
            order[task[0]].append((stream, task))
    found = defaultdict(list)
    for one in stints(series):
        found[one.place].append(one)
    for place, line in found.items():
        assert list(dict.fromkeys((one.stream, one.task) for one in line)) == order[place]
        slots = [slot[1:] for slot in schedule.slots if slot[0] == place]
        total = sum((end - start) * schedule.tick for start, end in slots)
        assert sum(one.length for one in line) == total
        ends = {time for one in line for time in (one.start, one.end)}
        assert {time * schedule.tick for slot in slots for time in slot} <= ends


@given(every_series)
@settings(max_examples=50)
def test_every_resource_that_works_has_one_lane_without_overlaps(series: Series) -> None:
    found = stints(series)
    uses = place_resources(series.problem)
    drawn = lanes(series.problem, found)
    assert sorted(lane.resource for lane in drawn) == sorted(
        {name for one in found for name in uses[one.place]}
    )
    for lane in drawn:
        side, _, which = lane.resource.partition(":")
        assert lane.side == side
        assert side == "link" or which == str(lane.node)
        for one in lane.stints:
            assert lane.resource in uses[one.place]
            assert computes(series.problem, one.task) == (side == "compute")
        assert all(one.end <= after.start for one, after in pairwise(lane.stints))
    assert sum(len(lane.stints) for lane in drawn) == sum(len(uses[one.place]) for one in found)
    assert set(principals(series.problem)) & {lane.node for lane in drawn} <= {drawn[0].node}
    # The lanes of a node stand together, that of its processor last.
    nodes = [lane.node for lane in drawn]
    assert len(dict.fromkeys(nodes)) == 1 + sum(a != b for a, b in pairwise(nodes))
    for lane, following in pairwise(drawn):
        assert lane.side != "compute" or lane.node != following.node


def test_a_slot_is_cut_between_trees_in_their_order() -> None:
    half = Fraction(1, 2)
    # The slots are not in order of time.
    assert stints(two_trees(half, (4, 6), (0, 1))) == [
        Stint((0,), 0, Fraction(0), half, Fraction(0)),
        Stint((0,), 1, Fraction(2), Fraction(3), Fraction(0)),
    ]
    interrupted = stints(two_trees(half / 2, (0, 3), (4, 7)))
    assert [(one.stream, one.start * 4, one.end * 4, one.done) for one in interrupted] == [
        (0, 0, 2, 0),
        (1, 2, 3, 0),
        (1, 4, 7, half),
    ]
    # What is beyond the work of the arc is no stint.
    assert stints(two_trees(half, (0, 3), (4, 6))) == stints(two_trees(half, (0, 3)))


@given(solved())
@settings(max_examples=25)
def test_strands_of_a_broadcast_are_as_wide_as_their_messages(series: Series) -> None:
    assert series.schedule is not None
    trees = series.schedule.structures
    total = sum(tree.operations for tree in trees)
    assert arc_shares(series.problem, flows(series)) == [
        {task[0]: Fraction(tree.operations, total) for task in tree.tasks} for tree in trees
    ]


@given(collectives)
@settings(max_examples=25)
def test_strands_of_others_are_as_wide_as_their_work(series: Series) -> None:
    widths: dict[int, Fraction] = defaultdict(Fraction)
    for own in arc_shares(series.problem, flows(series)):
        for arc, share in own.items():
            widths[arc] += share
    assert series.schedule is not None
    busy: dict[int, int] = defaultdict(int)
    for place, start, end in series.schedule.slots:
        if place < len(series.problem.platform.arcs):
            busy[place] += end - start
    assert widths == {arc: Fraction(time, max(busy.values())) for arc, time in busy.items()}


@given(collectives, st.integers(1, 3))
@settings(max_examples=20)
def test_stints_of_a_run_are_its_rows(series: Series, operations: int) -> None:
    run = run_of(series, operations)
    assert {(one.task, one.stream, one.start, one.end) for one in stints(run)} == {
        (run.tasks[task], operation, start * run.tick, end * run.tick)
        for task, operation, start, end in run.rows
    }
    assert {flow.operations for flow in flows(run)} == {operations}
    assert sorted(task for flow in flows(run) for task in flow.tasks) == sorted(run.tasks)


def test_routes_of_a_run() -> None:
    run = chain_run(4)
    assert run_routes(run) == [(packet, 0, ((0,), (1,), (2,))) for packet in range(4)]
    assert [flow.operations for flow in flows(run)] == [4]
    assert arc_shares(run.problem, flows(run)) == [{0: 1, 1: 1, 2: 1}]


@given(every_series)
@settings(max_examples=25)
def test_the_trace_starts_cold_and_does_nothing_before_its_inputs(series: Series) -> None:
    batches = list(unrolled(series))
    made: dict[object, Fraction] = {}
    lasts: dict[object, Fraction] = defaultdict(Fraction)
    for one in batches:
        key = one.stint.stream, one.number, makes(series.problem, one.stint.task)
        made[key] = max(one.end, made.get(key, one.end))
        lasts[one.stint.stream, one.stint.task, one.number] += one.end - one.start
    for one in batches:
        for state in needs(series.problem, one.stint.task):
            known = made.get((one.stint.stream, one.number, state), Fraction(0))
            assert known <= one.start
    # Every task completes at least four batches, each of them whole.
    assert series.schedule is not None
    for stream, structure in enumerate(series.schedule.structures):
        for task in structure.tasks:
            whole = structure.operations * duration(series.problem, task)
            own = [key for key in lasts if key[:2] == (stream, task)]  # type: ignore[index]
            assert len(own) >= 4
            assert {lasts[key] for key in own} == {whole}


def test_the_lanes_of_the_source_and_of_the_busiest_nodes_are_kept() -> None:
    star = Platform(range(100), [(0, node, node) for node in range(1, 100)])
    series = parse(broadcast(star, 0).certificate())
    every = lanes(series.problem, stints(series))
    chosen = busiest(every, (0,))
    assert len(chosen) == MOST_ROWS < len(every)
    assert chosen[0].resource == "send:0"
    assert chosen == [lane for lane in every if lane in chosen]
    # Under the link model all lanes belong to the source: the busiest of them are taken.
    series = parse(broadcast(star, 0, ports="link").certificate())
    every = lanes(series.problem, stints(series))
    least = min(lane.busy for lane in busiest(every, (0,)))
    assert sorted((lane.busy for lane in every), reverse=True)[MOST_ROWS - 1] == least


def test_busy_nodes_come_with_all_their_lanes_and_a_lazy_source_stays() -> None:
    def lane(node: int, side: str, busy: int) -> Lane:
        return Lane(f"{side}:{node}", node, side, [Stint((0,), 0, Fraction(0), Fraction(busy))])

    # Node k sends for k and receives for 1 time unit; the source, last in this order, for 1.
    every = [
        lane(node, side, busy)
        for node in range(50)
        for side, busy in (("send", node + 1), ("recv", 1))
    ] + [lane(99, "send", 1)]
    chosen = busiest(every, (99,))
    assert [one.node for one in chosen if one.side == "send"] == [*range(18, 50), 99]
    # The last place is left for one lane of node 18, its busier one.
    assert len(chosen) == MOST_ROWS
    assert {one.resource for one in chosen} == {"send:99", "send:18"} | {
        f"{side}:{node}" for node in range(19, 50) for side in ("send", "recv")
    }


def test_a_run_is_not_unrolled() -> None:
    run = chain_run(3)
    assert isinstance(run, Run)
    assert [batch.stint for batch in unrolled(run)] == stints(run)
    assert len(stints(run)) == 9
