"""The LogP machine plays what is right, on real data, and refuses at the event that is wrong."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate import parse
from exactsched.certificate.logp import LogPCycles, LogPSchedule
from exactsched.certificate.logp_messages import DEFAULT_ITEMS, unrolled
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.logp.allgather_and_alltoall import allgather, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.logp.broadcast import broadcast
from exactsched.logp.summation import operand_numbers, summation_of, summation_within
from exactsched.model.machine import LogP
from exactsched.simulation.logp import simulate_logp
from tests.check.refusals.broadcasts import accepted, files, path_of
from tests.check.refusals.logp import LOGP_REJECTED

FIGURE_6 = summation_within(LogP(5, 2, 4, 8), 28)


def test_figure_1_is_played() -> None:
    report = simulate_logp(path_of("accepted", "logp/figure-1"))
    assert (report.time, report.messages, report.under_way) == (24, 7, 2)
    assert report.results == {p: {0: "item 0 of processor 0"} for p in range(8)}
    # The root sends four times, processor 1 receives once and sends twice.
    assert report.busy[:3] == (8, 6, 4)
    assert str(report) == (
        "simulated broadcast on 8 processors (L=6, o=2, g=4): 7 messages, 35 events, "
        "at most 2 of 2 under way, done at 24"
    )


def test_figure_6_adds_numbers_and_joins_texts_in_order() -> None:
    numbers = operand_numbers(FIGURE_6)
    own = {p: [n for part in parts for n in part] for p, parts in numbers.items()}
    added = simulate_logp(FIGURE_6, values=lambda p, i: own[p][i] ** 2)
    assert added.results == {0: sum(n * n for n in range(79))}
    joined = simulate_logp(FIGURE_6, values=lambda p, i: f"{own[p][i]} ")
    assert joined.results == {0: " ".join(map(str, range(79))) + " "}
    assert len(set(joined.operands)) == len(joined.operands) == 79
    assert sum(joined.busy) == 78 + 2 * 2 * 7


@given(st.integers(1, 9), st.integers(0, 3), st.integers(1, 5), st.integers(1, 9), st.data())
def test_sums_are_in_order(latency: int, overhead: int, gap: int, size: int, data: Any) -> None:
    """The order in which operands are joined is the one in which the solver numbers them."""
    schedule = summation_of(LogP(latency, overhead, gap, size), data.draw(st.integers(1, 60)))
    numbers = operand_numbers(schedule)
    own = {p: [n for part in parts for n in part] for p, parts in numbers.items()}
    report = simulate_logp(schedule)
    assert [own[p][i] for p, i in report.operands] == list(range(schedule.count))


@given(st.integers(1, 6), st.integers(0, 2), st.integers(1, 4), st.integers(1, 7))
def test_everything_arrives(latency: int, overhead: int, gap: int, size: int) -> None:
    machine = LogP(Fraction(latency, 2), overhead, gap, size)
    for schedule in (broadcast(machine), allgather(machine), alltoall(machine, 2)):
        report = simulate_logp(schedule, values=lambda p, i: (p, i))
        assert report.time == schedule.time
        assert report.under_way <= machine.capacity
    chosen = random.Random(size).sample(range(1000), size)
    combined = simulate_logp(allreduce(machine), values=lambda p, _: chosen[p])
    assert set(combined.results.values()) == {sum(chosen)}


def test_role_cycles_become_messages() -> None:
    stated = parse(accepted("logp/nine-cycle"))
    assert isinstance(stated, LogPCycles)
    messages = unrolled(stated)
    assert len(messages) == 8 * 9
    assert {(receiver, item) for _, receiver, item, _ in messages} == {
        (receiver, item) for receiver in range(1, 10) for item in range(8)
    }
    by_source = sorted((start, item) for sender, _, item, start in messages if sender == 0)
    assert by_source == list(enumerate([*range(6), *stated.endgame]))
    endless = parse(accepted("logp/figure-2"))
    assert isinstance(endless, LogPCycles)
    assert simulate_logp(endless).messages == 9 * DEFAULT_ITEMS
    assert simulate_logp(endless, items=1).time == 10


# The bound, and whether a schedule is optimal, is the checker's; so is a series whose delay is
# overstated, and a copy that is sent too late to be received by anybody.
BOUNDS = ("what is proved", "the bound allows")
PLAYED = {name for name, rule in LOGP_REJECTED.items() if rule.startswith(BOUNDS)} | {
    "cycles-time-overstated",
    "items-sent-too-late",
}
# Schedules with buffers have a player of their own.
NOT_HERE = {name for name in LOGP_REJECTED if name.startswith("buffered")}


@pytest.mark.parametrize("name", sorted(LOGP_REJECTED.keys() - NOT_HERE))
def test_rejected_schedules_cannot_be_played(name: str) -> None:
    path = path_of("rejected", f"logp/{name}")
    if name in PLAYED:
        simulate_logp(path)
        return
    with pytest.raises(Rejected) as caught:
        simulate_logp(path)
    assert "\n" not in str(caught.value)


def _broadcast(machine: LogP, *messages: tuple[int, int, int, int], time: int) -> LogPSchedule:
    return LogPSchedule(machine, "broadcast", 1, 1, messages, (), time, 0, False)


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        (((0, 1, 0, 0), (0, 2, 0, 3)), "sends of a processor start a gap apart"),
        (((0, 1, 0, 0), (1, 2, 0, 9)), "processor 1 is busy until then"),
        (((0, 1, 0, 0), (1, 2, 0, 7)), "processor 1 has no such item yet"),
        (((0, 1, 0, 0), (0, 1, 0, 4)), "this item never arrives there"),
        (((0, 1, 0, 0), (0, 2, 0, 5)), "all is done at 15"),
    ],
)
def test_the_first_wrong_event_is_named(
    messages: tuple[tuple[int, int, int, int], ...], rule: str
) -> None:
    with pytest.raises(Rejected) as caught:
        simulate_logp(_broadcast(LogP(6, 2, 4, 3), *messages, time=14))
    assert rule in caught.value.rule


def test_no_more_than_the_capacity_is_under_way() -> None:
    """Of a machine whose gaps are kept: so the third message to processor 3 is refused at once."""
    machine = LogP(6, 1, 3, 5)
    messages = (
        (0, 1, 0, 0),
        (0, 2, 0, 3),
        (0, 4, 0, 6),
        (1, 3, 0, 9),
        (2, 3, 0, 12),
        (4, 3, 0, 14),
    )
    with pytest.raises(Rejected, match="at most 2 are under way"):
        simulate_logp(_broadcast(machine, *messages, time=22))


def test_operators_and_values_are_those_of_the_caller() -> None:
    machine = LogP(1, 0, 1, 4)
    largest = simulate_logp(allreduce(machine), values=lambda p, _: (p * 5) % 7, operator=max)
    assert set(largest.results.values()) == {5}
    matrices = {p: ((1, p), (0, 1)) for p in range(4)}

    def product(a: Any, b: Any) -> Any:
        return tuple(tuple(sum(a[i][k] * b[k][j] for k in (0, 1)) for j in (0, 1)) for i in (0, 1))

    sheared = simulate_logp(allreduce(machine), values=lambda p, _: matrices[p], operator=product)
    assert set(sheared.results.values()) == {((1, 6), (0, 1))}
    with pytest.raises(Rejected, match="if the operator is associative"):
        simulate_logp(FIGURE_6, values=lambda p, i: p + i, operator=lambda a, b: a - b)


def test_bad_arguments_have_one_line() -> None:
    for arguments, place in (
        ({"items": 3}, "items"),
        ({"values": 7}, "values"),
        ({"operator": "+"}, "operator"),
    ):
        with pytest.raises(InvalidInput) as caught:
            simulate_logp(FIGURE_6, **arguments)
        assert caught.value.place == place
    endless = accepted("logp/figure-2")
    for items in (0, -1, True, 2.0):
        with pytest.raises(InvalidInput, match="a whole number of items"):
            simulate_logp(endless, items=items)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="only an endless series"):
        simulate_logp(path_of("accepted", "logp/nine-cycle"), items=3)
    with pytest.raises(InvalidInput, match="messages are listed"):
        simulate_logp(path_of("accepted", "logp/one-processor-and-the-source"))
    with pytest.raises(InvalidInput, match="at most 2000000 operands are added"):
        simulate_logp(summation_within(LogP(6, 0, 1, 3), 10**5000))
    with pytest.raises(InvalidInput, match="schedules of LogP machines are played"):
        simulate_logp(path_of("accepted", "min-max/odd-set"))


@pytest.mark.parametrize("name", files("accepted/collectives")[:1])
def test_other_certificates_are_not_played(name: str) -> None:
    with pytest.raises(InvalidInput, match="schedules of LogP machines are played"):
        simulate_logp(accepted(f"collectives/{name}"))
