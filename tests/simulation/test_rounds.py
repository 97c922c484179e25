"""The simulator of synchronous rounds: by hand, and in agreement with the separate checker."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate import parse, to_document
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check import check
from exactsched.check.synchronous.bounds import least_steps
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.oracles.synchronous import last_step
from exactsched.platforms.built_in import grid, hypercube, ring
from exactsched.simulation import synchronous as played
from exactsched.simulation.synchronous import simulate_rounds
from exactsched.synchronous.baselines import greedy_broadcast
from exactsched.synchronous.graph import synchronous_graph
from exactsched.synchronous.saturation import broadcast_in_rounds
from tests.check.mutants import mutants
from tests.check.refusals.broadcasts import accepted, path_of
from tests.check.refusals.broadcasts import files as corpus
from tests.check.refusals.synchronous import STEPS_REJECTED
from tests.check.test_rounds import runs

ACCEPTED = [f"rounds/{name}" for name in corpus("accepted/rounds")]
# What is wrong in these is said about the bound, which no simulator examines.
ABOUT_THE_BOUND = {
    name
    for name in STEPS_REJECTED
    if name.startswith(("bound-", "cut", "last-step-", "odd-set-", "optimal-", "prices-"))
}


def path(**changes: object) -> SynchronousRun:
    """Two packets from node 0 over node 1 to node 2."""
    arcs = ((0, 1, 1), (1, 2, 1), (1, 0, 1), (2, 1, 1))
    sends = ((0, 0),), ((1, 0),), ((0, 1),), ((1, 1),)
    run = SynchronousRun(3, arcs, "half-duplex", ((0, 2),), sends, 4, 4, (), True, ())
    return replace(run, **changes)  # type: ignore[arg-type]


def test_a_run_by_hand() -> None:
    report = simulate_rounds(path())
    assert (report.steps, report.transfers, report.events, report.packets) == (4, 4, 8, 2)
    assert (report.informed, report.first_packet, report.first_complete) == (2, 2, 3)
    assert report.completion == (0, 3, 4)
    assert report.busy == {"port:0": Fraction(1, 2), "port:1": 1, "port:2": Fraction(1, 2)}
    assert (report.mean_active, report.most_active) == (2, 2)
    assert report.utilization == Fraction(2, 3)


def test_arcs_of_several_steps_in_one_port() -> None:
    """The second packet is on its way to node 1 while the first goes on."""
    run = path(
        arcs=((0, 1, 3), (1, 2, 2)),
        ports="one-port",
        sends=(((0, 0),), (), (), ((1, 0), (0, 1)), (), (), ((1, 1),)),
        steps=8,
    )
    report = simulate_rounds(run)
    assert (report.informed, report.first_packet, report.first_complete) == (5, 5, 6)
    assert report.completion == (0, 6, 8)
    assert report.busy["send:0"] == report.busy["recv:1"] == Fraction(6, 8)
    assert report.busy["send:1"] == report.busy["recv:2"] == Fraction(4, 8)
    assert report.busy["recv:0"] == report.busy["send:2"] == 0
    assert (report.mean_active, report.most_active) == (Fraction(20, 8), 4)


def test_all_have_something_at_first() -> None:
    report = simulate_rounds(
        broadcast_in_rounds(synchronous_graph(ring(5), *range(5)), 2, "one-port")
    )
    assert report.informed == 0
    assert report.packets == 10
    assert report.transfers == 40


def test_nobody_to_send_to() -> None:
    alone = SynchronousRun(1, (), "half-duplex", ((0, 10**18),), (), 0, 0, (), True, ())
    report = simulate_rounds(alone)
    assert (report.steps, report.informed, report.first_packet) == (0, 0, 0)
    assert report.first_complete is None
    assert "after -" in str(report)


@pytest.mark.parametrize(
    ("changes", "value", "rule"),
    [
        (
            {"sends": (((1, 0),), ((0, 0),), ((1, 1),), ((0, 1),))},
            0,
            "node 1 does not have this packet",
        ),
        (
            {"sends": (((0, 0), (1, 0)), (), ((0, 1),), ((1, 1),))},
            0,
            "port:1 is at work, from node 0 to",
        ),
        ({"sends": (((0, 0), (0, 1)), ((1, 0),), (), ((1, 1),))}, 1, "port:0 is at work"),
        ({"sends": (((0, 0),), ((2, 0),), ((1, 0),), ((1, 1),))}, 0, "node 0 has this packet"),
        ({"sends": (((0, 0),), ((0, 0),), ((1, 0),), ((1, 1),))}, 0, "node 1 has this packet"),
        ({"sends": (((0, 0),), ((1, 0),), ((0, 1),)), "steps": 3}, 1, "never arrives there"),
        ({"origins": ((0, 1), (1, 1), (0, 1)), "sends": (), "steps": 0}, 1, "never arrives there"),
        (
            {"origins": ((1, 10**15),), "sends": (((2, 0),), ((1, 0),)), "steps": 2},
            1,
            "never arrives",
        ),
        ({"steps": 5}, 5, "the last transfer ends after 4 steps"),
    ],
)
def test_what_is_refused(changes: dict[str, object], value: object, rule: str) -> None:
    wrong = path(**changes)
    with pytest.raises(Rejected, match=rule) as refusal:
        simulate_rounds(wrong)
    assert refusal.value.value == value
    with pytest.raises(Rejected):
        check(wrong)


def test_what_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="runs in steps are played here"):
        simulate_rounds(path_of("accepted", "logp/figure-1"))
    with pytest.raises(Malformed):
        simulate_rounds({"kind": "steps"})
    monkeypatch.setattr(played, "MAX_TRANSFERS", 3)
    with pytest.raises(InvalidInput, match="at most 3 transfers"):
        simulate_rounds(path())


def judged(judge: object, document: object) -> str:
    try:
        judge(document)  # type: ignore[operator]
    except Rejected:
        return "rejected"
    except Malformed:
        return "malformed"
    return "accepted"


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_accepted_is_played(name: str) -> None:
    report = simulate_rounds(path_of("accepted", name))
    claim = check(path_of("accepted", name))
    assert (report.steps, report.packets) == (claim.value, claim.packets)  # type: ignore[union-attr]
    assert report.transfers == report.packets * (report.size - 1)


@pytest.mark.parametrize("name", STEPS_REJECTED)
def test_what_is_rejected_is_not_played(name: str) -> None:
    told = judged(simulate_rounds, path_of("rejected", f"rounds/{name}"))
    assert told == ("accepted" if name in ABOUT_THE_BOUND else "rejected")


def with_its_bound(document: dict[str, object]) -> dict[str, object]:
    """The bound that is proved for this graph, so that only the run is left to be judged."""
    noun = parse(document)
    assert isinstance(noun, SynchronousRun)
    bound = least_steps(noun)
    return to_document(replace(noun, bound=bound, optimal=bound == noun.steps))


@pytest.mark.parametrize("name", ["rounds/square", "rounds/ring-one-port", "rounds/durations"])
def test_one_mind_with_the_checker_about_mutants(name: str) -> None:
    verdicts = set()
    for where, mutant in mutants(accepted(name)):
        # Another graph, or none: its bound is another one.
        if where[0] not in ("sends", "steps", "origins", "ports"):
            continue
        told = judged(simulate_rounds, mutant)
        if told == "malformed":
            assert judged(check, mutant) == "malformed", where
            continue
        # Where the run is played, the bound for its new origins or ports is to be the right one.
        right = with_its_bound(mutant) if told == "accepted" or where[0] == "sends" else mutant
        assert judged(check, right) == told, (where, mutant)
        verdicts.add(told)
    assert "rejected" in verdicts


@given(runs(), st.data())
@settings(max_examples=60)
def test_one_mind_with_the_checker_about_runs(stated: SynchronousRun, data: st.DataObject) -> None:
    report = simulate_rounds(stated)
    assert report.steps == last_step(stated)
    assert max(report.completion) == report.steps
    assert all(0 <= part <= 1 for part in report.busy.values())
    assert sum(report.busy.values()) == report.mean_active
    rows = [list(row) for row in stated.sends]
    step = data.draw(st.sampled_from([step for step, row in enumerate(rows) if row]))
    moved = rows[step].pop(data.draw(st.integers(0, len(rows[step]) - 1)))
    rows[data.draw(st.integers(0, len(rows) - 1))].append(moved)
    sends = tuple(map(tuple, rows))
    ends = [step + stated.arcs[arc][2] for step, row in enumerate(rows) for arc, _ in row]
    last = max(ends)
    run = replace(stated, sends=sends[:last], steps=last, optimal=last == stated.bound)
    assert judged(simulate_rounds, run) == judged(check, run)


@pytest.mark.parametrize("ports", ["half-duplex", "one-port"])
@pytest.mark.parametrize("platform", [grid(4, 4), hypercube(3), ring(7)])
def test_runs_of_the_library(platform: object, ports: str) -> None:
    graph = synchronous_graph(platform, 0)  # type: ignore[arg-type]
    report = simulate_rounds(broadcast_in_rounds(graph, 12, ports, effort=1))
    assert report.transfers == 12 * (graph.size - 1)
    assert report.informed <= report.first_packet <= report.steps
    assert report.mean_active * report.steps == 2 * report.transfers
    simulate_rounds(greedy_broadcast(graph, 12))


def test_reports_are_short_tables() -> None:
    text = str(simulate_rounds(broadcast_in_rounds(synchronous_graph(grid(4, 4), 0), 5, effort=0)))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.splitlines()[0] == "simulated     16 nodes, half-duplex, 150 events"
    assert "75, each of them needed" in text
    assert "... and 6 more" in text
