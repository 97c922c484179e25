"""The commands `logp broadcast`, `logp allgather`, ...: numbers, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exactsched.certificate import to_document
from exactsched.check import ProvedLogP, check
from exactsched.logp.summation import summation_within
from exactsched.model.machine import LogP
from tests.cli.command_line import Run, files, refused

FIGURE_1 = "--L 6 --o 2 --g 4"
FIGURE_6 = "--L 5 --o 2 --g 4 --P 8"


@pytest.mark.parametrize(
    ("command", "time", "messages"),
    [
        (f"broadcast {FIGURE_1} --P 8", 24, 7),
        ("broadcast --L 0.5 --g 1/4 --P 4", 1, 3),
        ("broadcast --L 1e-1 --P 2", "1/10", 1),
        ("broadcast --L 3 --P 1", 0, 0),
        ("alltoall --L 3 --P 5", 6, 20),
        ("alltoall --L 3 --P 5 --items 2", 10, 40),
        ("allreduce --L 3 --P 9", 7, 45),
        (f"sum {FIGURE_6} --time 28", 28, 7),
        (f"sum {FIGURE_6} --time 28.75", 28, 7),
        (f"sum {FIGURE_6} --operands 77", 28, 6),
    ],
)
def test_known_optima(run: Run, command: str, time: int | str, messages: int) -> None:
    said = run(f"logp {command} --json -o found.json").object
    assert said["optimal"] is True
    assert (said["time"], said["messages"]) == (time, messages)
    claim = check("found.json")
    assert isinstance(claim, ProvedLogP)
    assert claim.optimal
    assert str(claim.time) == str(time)
    if not command.startswith("sum"):
        assert said["bound"] == time


def test_what_is_summed(run: Run) -> None:
    said = run(f"logp sum {FIGURE_6} --operands 77 --json").object
    assert (said["operands"], said["bound"]) == (77, 79)
    said = run(f"logp sum {FIGURE_6} --time 28 --json -o sum.json").object
    assert (said["operands"], said["bound"]) == (79, 79)
    document = to_document(summation_within(LogP(5, 2, 4, 8), 28))
    assert json.loads(Path("sum.json").read_text()) == document


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        # Figure 2 of the paper, and eight items in the cycle found for them.
        ("continuous --L 3 --P 10", {"time": 10, "bound": 10}),
        ("items --L 3 --P 10 --items 8", {"time": 15, "bound": 15, "items": 8}),
        ("items --L 3 --P 10 --items 1", {"time": 8, "bound": 8, "items": 1}),
    ],
)
def test_series_of_items(run: Run, command: str, expected: dict[str, int]) -> None:
    said = run(f"logp {command} --json -o found.json").object
    assert said["optimal"] is True
    assert {name: said.get(name) for name in expected} == expected
    claim = check("found.json")
    assert isinstance(claim, ProvedLogP)
    assert (claim.time, claim.optimal) == (expected["time"], True)
    assert run(f"logp {command}").out.splitlines()[0].endswith("proved optimal (L=3, o=0, g=1)")


@pytest.mark.parametrize(
    ("command", "asked", "messages", "time"),
    [
        (f"broadcast {FIGURE_1} --P 8", "", 7, 24),
        ("alltoall --L 3 --P 5 --items 2", "", 40, 10),
        ("allreduce --L 3 --P 9", "", 45, 7),
        (f"sum {FIGURE_6} --time 28", "", 7, 28),
        ("items --L 3 --P 10 --items 8", "", 72, 15),
        # Item i is sent in step i, and everybody has it 10 steps later.
        ("continuous --L 3 --P 10", "--items 30", 270, 39),
    ],
)
def test_schedules_are_played(run: Run, command: str, asked: str, messages: int, time: int) -> None:
    assert run(f"logp {command} -o found.json").code == 0
    said = run(f"simulate found.json {asked} --json").object
    assert (said["messages"], said["time"]) == (messages, time)
    assert run(f"simulate found.json {asked}").out.endswith(f"done at {time}\n")


def test_messages_may_wait(run: Run) -> None:
    command = "logp items --L 3 --P 14 --items 14 --buffered"
    said = run(f"{command} --json -o found.json").object
    assert (said["time"], said["bound"], said["optimal"]) == (24, 24, True)
    assert run(command).out.splitlines()[1].endswith("13 roles, 1 message waits at a time")
    assert run("check found.json").out.startswith("accepted: found.json: buffered broadcast")
    refused(run("simulate found.json"))
    alone = run("logp items --L 1 --P 4 --items 3 --buffered").out
    assert alone.splitlines()[1].endswith("no message waits at a time")


def test_what_is_not_proved_optimal_is_not_said_to_be(run: Run) -> None:
    said = run(f"logp allreduce {FIGURE_1} --P 8 --json").object
    assert (said["time"], said["bound"], said["optimal"]) == (25, 24, False)
    assert "not proved optimal" in run(f"logp allreduce {FIGURE_1} --P 8").out


def test_a_narrower_class_is_named_beside_the_bound_for_all(run: Run) -> None:
    few = run("logp items --L 6 --P 7 --items 2 --json").object
    assert (few["time"], few["bound"], few["optimal"]) == (14, 14, True)
    assert "class" not in few
    # The automata for L = 13 are too large, so that the schedule found is not at the bound.
    said = run("logp items --L 13 --P 50 --items 30 --json").object
    assert (said["optimal"], said["bound"] < said["time"]) == (False, True)
    buffered = run("logp items --L 3 --P 14 --items 14 --buffered --json").object
    assert (buffered["optimal"], buffered["class"]) == (True, "single-sending")
    assert (buffered["bound_of_class"], buffered["bound_of_all"]) == (24, 22)
    text = run("logp items --L 3 --P 14 --items 14 --buffered").out.splitlines()[0]
    assert text.endswith("among single-sending schedules; all schedules take >= 22 (L=3, o=0, g=1)")
    found = run("logp items --L 1000000000000 --P 5 --items 1000000000 --json").object
    assert (found["optimal"], found["class"]) == (False, "single-sending")
    assert found["bound"] == found["bound_of_all"] < found["bound_of_class"] == found["time"]


@pytest.mark.parametrize(
    ("machine", "time", "optimal"),
    [
        # The second half of a unit is of no use.
        ("--L 9/5 --o 7/5 --g 7/5 --P 7", "8/5", True),
        # As many in less time cannot be excluded; more in this time can.
        ("--L 25/6 --o 1/2 --g 19/6 --P 5", "179/6", True),
        # Less time is not enough for as many, but this time may be enough for one more;
        ("--L 6/7 --o 5/7 --g 30/7 --P 7", "103/7", False),
        # and so may 25 be, while 124/5 is not.
        ("--L 28/5 --o 7/5 --g 29/5 --P 6", "25", False),
    ],
)
def test_optimal_is_about_the_time_that_is_asked_for(
    run: Run, machine: str, time: str, optimal: bool
) -> None:
    said = run(f"logp sum {machine} --time {time} --json").object
    assert said["optimal"] is optimal
    last = run(f"logp sum {machine} --time {time}").out.splitlines()[-1].strip()
    rule = f"within {time}  more operands may be possible: not proved optimal"
    assert (last == rule) is not optimal
    # The other question: the least time for this number of operands.
    other = run(f"logp sum {machine} --operands {said['operands']} --json").object
    assert (other["optimal"], other["time"]) == (time != "179/6", said["time"])


def test_what_is_printed(run: Run) -> None:
    said = run(f"logp sum {FIGURE_6} --time 28 -o sum.json")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].startswith("logp sum: summation of 79 operands by 8 processors in time 28")
    assert lines[1].split() == ["schedule", "7", "messages"]
    assert lines[2].split(maxsplit=1)[1].startswith("7->2 at 4, 6->1 at 4, 5->0 at 6")
    assert lines[3].split(maxsplit=1) == ["operands", "79, at most 79 in this time"]
    assert lines[4].split() == ["certificate", "sum.json"]
    assert run("check sum.json").out.startswith("accepted: sum.json: summation of 79 operands")


def test_long_lists_are_cut(run: Run) -> None:
    line = run("logp allgather --L 1/2 --g 1/3 --P 12").out.splitlines()[2]
    assert line.endswith("p->p+6 at 5/3, p->p+7 at 2, p->p+8 at 7/3, ...")
    assert len(run("logp broadcast --L 1 --P 1").out.splitlines()) == 2


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("broadcast --L 0 --P 3", "L: '0': the latency is positive"),
        ("broadcast --L -1 --P 3", "L: '-1': the latency is positive"),
        ("broadcast --L 1 --o -1 --P 3", "o: '-1': the overhead is not negative"),
        ("allreduce --L 1 --g 0 --P 3", "g: '0': the gap is positive"),
        ("alltoall --L 1 --P 0", "--P: '0': a positive number"),
        ("alltoall --L 1 --P 3/2", "--P: '3/2': a whole number"),
        ("alltoall --L 1 --P 2000000", "--P: '2000000': at most 1000000 processors"),
        ("alltoall --L 1 --P 2 --items 0", "--items: '0': a positive number"),
        ("continuous --L 3 --o 1 --P 10", "--o: '1': several items are sent in the postal model"),
        ("items --L 3 --g 2 --P 10 --items 2", "--g: '2': several items are sent in the postal"),
        ("continuous --L 5/2 --P 10", "--L: '5/2': a whole number of steps"),
        ("continuous --L 3 --P 1", "P: 1: an integer >= 2"),
        ("items --L 3 --P 10", "the following arguments are required: --items"),
        ("broadcast --L nan --P 2", "--L: 'nan': not a number"),
        ("broadcast --L 1/0 --P 2", "--L: '1/0': the denominator is zero"),
        ("broadcast --P 2", "the following arguments are required: --L"),
        ("sum --L 1 --P 2", "one of the arguments --time --operands is required"),
        ("sum --L 1 --P 2 --time 3 --operands 2", "not allowed with argument --time"),
        ("sum --L 1 --P 2 --time -1", "time: -1: a time is 0 or more"),
        ("sum --L 1 --P 2 --operands 1/2", "--operands: '1/2': a whole number"),
        ("broadcast --L 1 --P 2 -o nowhere/x.json", "-o: 'nowhere/x.json': there is no folder"),
        ("nothing --L 1 --P 2", "invalid choice: 'nothing'"),
    ],
)
def test_refusals(run: Run, command: str, complaint: str) -> None:
    said = run(f"logp {command}")
    assert complaint in refused(said)
    assert files() == {}


def test_any_latency_has_the_least_delay(run: Run) -> None:
    said = run("logp continuous --L 101 --P 10000 --json").object
    assert (said["time"], said["bound"], said["optimal"]) == (426, 426, True)
