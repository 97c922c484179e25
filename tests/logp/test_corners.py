"""Edges of LogP machines, schedules and pictures that the tests of their modules leave open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from exactsched import drawing
from exactsched.certificate.logp import LogPCycles, LogPSchedule
from exactsched.check import check
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.logp.allgather_and_alltoall import allgather, allgather_bound
from exactsched.logp.broadcast import broadcast, broadcast_tree
from exactsched.logp.items import broadcast_items
from exactsched.model.machine import LogP
from exactsched.oracles.logp import least_direct_time
from exactsched.simulation.logp import simulate_logp
from tests.cli.command_line import Run


def test_a_trace_says_that_slices_are_too_short_to_be_shown() -> None:
    told = drawing.trace(broadcast(LogP(10**12, 0, Fraction(1, 10**9 + 7), 5)))
    assert told["traceEvents"] == []
    assert told["otherData"]["left out"] == "8 slices shorter than a microsecond"
    told = drawing.trace(broadcast(LogP(6, 2, 4, 8)))
    assert told["otherData"]["left out"] == "nothing"


@pytest.mark.parametrize("built", [broadcast, broadcast_tree])
def test_a_tree_that_fits_nowhere_is_refused(built: Callable[[LogP], object]) -> None:
    with pytest.raises(InvalidInput, match="more than 10000000 processors is not written out"):
        built(LogP(6, 2, 4, 10**18))


def test_five_times_one_value_are_not_taken_for_another_one() -> None:
    # Processor 2 has its own value and five times that of 0; in digits of base 4 this carries.
    again = [(0, 2, 0, start) for start in range(5)]
    messages = (*again, (2, 1, 0, 0), (0, 1, 0, 5), (1, 0, 0, 5))
    stated = LogPSchedule(LogP(1, 0, 1, 3), "allreduce", 1, 1, messages, (), 6, 2, False)
    with pytest.raises(Rejected, match="the sum of all values, each of them once"):
        simulate_logp(stated)


def test_an_endless_series_has_no_number_of_items(run: Run) -> None:
    assert "items" not in run("logp continuous --L 3 --P 10 --json").object
    assert run("logp items --L 3 --P 10 --items 8 --json").object["items"] == 8


@pytest.mark.parametrize(
    ("parameters", "items", "bound"),
    [
        ((1, 1, 1), 2, 4),  # all sends end when the first reception starts: (m - 1) G = L
        ((1, 1, 1), 3, 6),  # (b), and (c) with two sends before the first reception
        ((1, 1, 1), 4, 8),  # (c)
        ((1, 2, 1), 2, 10),  # (b)
        ((1, 2, 1), 3, 12),  # (c) with a send that has begun when the first reception could
        ((2, 1, 3), 3, 11),  # (a) with d = floor(c / G)
        ((2, 2, 5), 3, 17),  # (a) with the next d
    ],
)
def test_every_part_of_the_bound_of_allgather_decides_somewhere(
    parameters: tuple[int, int, int], items: int, bound: int
) -> None:
    machine = LogP(*parameters, P=2)
    assert allgather_bound(machine, items) == bound
    assert check(allgather(machine, items)).bound == bound
    assert least_direct_time(machine, items, bound) == bound


def test_who_lacks_an_item_at_the_end_is_named() -> None:
    # Figure 2 with several copies of the last items; copy v comes to delay d in step v + 3 + d.
    block = ((0, 5), (7, 0), (6, 0), (5, 0), (7, 0))
    cycles = ((1, ((4, 1),)), (1, ((3, 2), (7, 0))), (1, block), (1, ((6, 0),)))
    stated = LogPCycles(LogP(3, 0, 1, 10), cycles, 8, (6, 6, 7, 7, 6, 7, 7), 15, 15, False)
    received = [
        {
            item
            for copy, item in enumerate(stated.endgame, 6)
            for number, (delay, _) in enumerate(roles)
            if (copy + 3 + delay - position * shift - number) % len(roles) == 0
            and copy + 3 + delay <= stated.time
        }
        for shift, roles in cycles
        for position in range(len(roles) // shift)
    ]
    assert [number for number, items in enumerate(received) if items != {6, 7}] == [6, 8]
    with pytest.raises(Rejected, match="processor 6 does not receive it in time"):
        check(stated)


def test_processors_are_counted_where_cycles_are_equal() -> None:
    schedule = broadcast_items(3, 39, 8)
    assert isinstance(schedule, LogPCycles)
    assert len(set(schedule.cycles)) < len(schedule.cycles)
    named = []
    for place, item in enumerate(schedule.endgame):
        endgame = list(schedule.endgame)
        endgame[place] = 13 - item
        late = [
            {6, 7}
            - {
                endgame[v - 6]
                for v in range(6, 6 + len(endgame))
                for number, (delay, _) in enumerate(roles)
                if (v + 3 + delay - position * shift - number) % len(roles) == 0
                and v + 3 + delay <= schedule.time
            }
            for shift, roles in schedule.cycles
            for position in range(len(roles) // shift)
        ]
        named.append(next(number for number, items in enumerate(late) if items))
        rule = f"processor {named[-1]} does not receive it in time"
        with pytest.raises(Rejected, match=rule):
            check(replace(schedule, endgame=tuple(endgame)))
    assert max(named) >= 10
