"""What is accepted of runs in steps is true, also after any single change; large ones are quick.

The ways of being refused stand in refusals_steps.py and are tested, with all others, by
test_check.py; the bounds in test_step_bounds.py.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import parse, to_document, write_certificate
from exactsched.certificate.synchronous import Send, SynchronousRun
from exactsched.check import ProvedRounds, check
from exactsched.check.__main__ import main
from exactsched.check.synchronous.bounds import least_steps
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.oracles.synchronous import Arcs, Origins, fewest_steps, last_step, rounds_fault
from exactsched.oracles.transfers import ImpossibleError
from exactsched.platforms.built_in import grid
from exactsched.synchronous.graph import synchronous_graph
from tests.check.mutants import mutants, refuse_accepted_lies
from tests.check.refusals.broadcasts import accepted, changed, files, path_of
from tests.cli.command_line import Run

NAMES = [f"rounds/{name}" for name in files("accepted/rounds")]
# Of these all shorter runs would take minutes to try: what proves them is tried on smaller ones.
LARGE = {"rounds/last-step", "rounds/last-step-one-port"}
SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@cache
def optimum(size: int, arcs: Arcs, ports: str, origins: Origins) -> int:
    steps = fewest_steps(size, arcs, ports, origins)
    assert steps is not None
    return steps


@pytest.mark.parametrize("name", NAMES)
def test_accepted_certificates_are_true(name: str) -> None:
    noun = parse(accepted(name))
    assert isinstance(noun, SynchronousRun)
    claim = check(path_of("accepted", name))
    assert claim == check(accepted(name)) == check(noun)
    assert isinstance(claim, ProvedRounds)
    assert (claim.steps, claim.bound, claim.optimal) == (noun.steps, noun.bound, noun.optimal)
    assert claim.value == claim.steps
    assert claim.packets == sum(number for _, number in noun.origins)
    assert name in LARGE or not rounds_fault(noun)


def test_claims_say_what_is_proved_and_what_is_not() -> None:
    assert str(check(path_of("accepted", "rounds/square"))) == (
        "3 packets to all nodes in 5 steps proved optimal (4 nodes, 8 arcs, half-duplex)"
    )
    assert str(check(path_of("accepted", "rounds/slow-arcs-with-occupancy"))) == (
        "3 packets to all nodes in 9 steps, >= 8 by the bound: not proved optimal "
        "(4 nodes, 5 arcs, half-duplex)"
    )
    one = SynchronousRun(2, ((1, 0, 1),), "one-port", ((1, 1),), (((0, 0),),), 1, 1, (), True, ())
    assert str(check(one)).startswith("1 packet to all nodes in 1 step proved optimal")


@pytest.mark.parametrize("name", NAMES)
def test_documents_are_faithful_and_fit_the_schema(name: str, tmp_path: Path) -> None:
    document = accepted(name)
    noun = parse(document)
    assert to_document(noun) == document
    VALIDATOR.validate(document)
    write_certificate(noun, tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text()) == document


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LARGE])
def test_mutants_are_refused_or_true(name: str) -> None:
    def fault(document: object) -> str:
        noun = parse(document)
        assert isinstance(noun, SynchronousRun)
        return rounds_fault(noun)

    refuse_accepted_lies(mutants(accepted(name)), fault)


def random_run(
    size: int, arcs: Arcs, ports: str, origins: Origins, seed: int
) -> tuple[tuple[Send, ...], ...]:
    """Whatever can start does so at times, with its packet drawn; everybody has everything then."""
    dice = Random(seed)
    packets = sum(number for _, number in origins)
    whose = [node for node, number in origins for _ in range(number)]
    arrival = {(whose[packet], packet): 0 for packet in range(packets)}
    sending: dict[int, int] = {}
    receiving = sending if ports == "half-duplex" else {}
    rows: list[tuple[Send, ...]] = []
    while len(arrival) < size * packets:
        step, row = len(rows), list[Send]()
        for arc in dice.sample(range(len(arcs)), len(arcs)):
            tail, head, duration = arcs[arc]
            useful = [
                packet
                for packet in range(packets)
                if arrival.get((tail, packet), step + 1) <= step and (head, packet) not in arrival
            ]
            free = max(sending.get(tail, 0), receiving.get(head, 0)) <= step
            if useful and free and dice.random() < 0.8:
                packet = dice.choice(useful)
                row.append(Send(arc, packet))
                sending[tail] = receiving[head] = arrival[head, packet] = step + duration
        rows.append(tuple(row))
    return tuple(rows)


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> tuple[int, Arcs]:
    """A ring in one direction, so that everybody reaches everybody, and other arcs."""
    size = draw(st.integers(2, most))
    longest = draw(st.sampled_from([1, 1, 3]))
    duration = st.integers(1, longest)
    node = st.integers(0, size - 1)
    arcs = [(node, (node + 1) % size, draw(duration)) for node in range(size)]
    others = draw(st.lists(st.tuples(node, node, duration), max_size=2 * size))
    if draw(st.booleans()):
        arcs += [(head, tail, duration) for tail, head, duration in arcs + others]
    return size, tuple(arc for arc in arcs + others if arc[0] != arc[1])


@st.composite
def runs(draw: st.DrawFn, most: int = 6, packets: int = 4) -> SynchronousRun:
    size, arcs = draw(graphs(most))
    ports = draw(st.sampled_from(["half-duplex", "one-port"]))
    node = st.integers(0, size - 1)
    rows = st.tuples(node, st.integers(1, packets))
    origins = tuple(draw(st.lists(rows, min_size=1, max_size=draw(st.sampled_from([1, 3])))))
    sends = random_run(size, arcs, ports, origins, draw(st.integers(0, 2**32)))
    ends = [step + arcs[arc][2] for step, row in enumerate(sends) for arc, _ in row]
    last = max(ends, default=0)
    stated = SynchronousRun(size, arcs, ports, origins, sends[:last], last, 0, (), False, ())
    bound = least_steps(stated)
    return replace(stated, bound=bound, optimal=bound == last)


@given(runs())
def test_runs_by_definition_are_accepted(stated: SynchronousRun) -> None:
    assert last_step(stated) == stated.steps >= stated.bound
    assert check(stated).steps == stated.steps
    VALIDATOR.validate(to_document(stated))


@given(runs(), st.data())
def test_runs_with_a_change_are_accepted_if_and_only_if_possible(
    stated: SynchronousRun, data: st.DataObject
) -> None:
    """A transfer with another arc or packet, at another step, left out, or given twice."""
    rows = [list(row) for row in stated.sends]
    step = data.draw(st.sampled_from([step for step, row in enumerate(rows) if row]))
    arc, packet = rows[step].pop(data.draw(st.integers(0, len(rows[step]) - 1)))
    packets = sum(number for _, number in stated.origins)
    where = st.integers(0, len(rows) - 1)
    match data.draw(st.sampled_from(["arc", "packet", "step", "twice", "out"])):
        case "arc":
            rows[step].append((data.draw(st.integers(0, len(stated.arcs) - 1)), packet))
        case "packet":
            rows[step].append((arc, data.draw(st.integers(0, packets - 1))))
        case "step":
            rows[data.draw(where)].append((arc, packet))
        case "twice":
            rows[step].append((arc, packet))
            rows[data.draw(where)].append((arc, packet))
    sends = tuple(map(tuple, rows))
    ends = [step + stated.arcs[arc][2] for step, row in enumerate(rows) for arc, _ in row]
    last = max(ends, default=0)
    run = replace(stated, sends=sends[:last], steps=last, optimal=last == stated.bound)
    try:
        possible = last_step(run) == last
    except ImpossibleError:
        possible = False
    try:
        assert check(run).steps == last
        found = True
    except Rejected:
        found = False
    assert found == possible


@given(runs(), st.data())
def test_the_names_of_nodes_and_packets_do_not_matter(
    stated: SynchronousRun, data: st.DataObject
) -> None:
    name = data.draw(st.permutations(range(stated.size)))
    moved = replace(
        stated,
        arcs=tuple((name[tail], name[head], duration) for tail, head, duration in stated.arcs),
        origins=tuple((name[node], number) for node, number in stated.origins),
        names=tuple(f"node {node}" for node in range(stated.size)),
    )
    assert check(moved) == check(stated)


@given(runs(), st.integers(2, 5))
def test_a_slower_clock(stated: SynchronousRun, factor: int) -> None:
    """A run in which everything takes longer by a factor, starts included."""
    rows: list[tuple[Send, ...]] = []
    for row in stated.sends:
        rows += [row, *[()] * (factor - 1)]
    arcs = tuple((tail, head, factor * duration) for tail, head, duration in stated.arcs)
    steps, bound = factor * stated.steps, factor * stated.bound
    slow = replace(stated, arcs=arcs, sends=tuple(rows), steps=steps, bound=bound)
    assert check(slow).optimal == stated.optimal


def snake(rows: int, columns: int, packets: int) -> SynchronousRun:
    """Packets one after the other along a Hamiltonian path of a grid, two steps apart."""
    graph = synchronous_graph(grid(rows, columns), 0)
    index = {(tail, head): arc for arc, (tail, head, _) in enumerate(graph.arcs)}
    path = [
        row * columns + (column if row % 2 == 0 else columns - 1 - column)
        for row in range(rows)
        for column in range(columns)
    ]
    arcs = [index[path[k], path[k + 1]] for k in range(graph.size - 1)]
    steps = graph.size - 1 + 2 * (packets - 1)
    sends = []
    for step in range(steps):
        using = range(step % 2, graph.size - 1, 2)
        moving = [Send(arcs[k], (step - k) // 2) for k in using if 0 <= step - k < 2 * packets]
        sends.append(tuple(moving))
    origins, names = graph.origins(packets), graph.names
    return SynchronousRun(
        graph.size, graph.arcs, "half-duplex", origins, tuple(sends), steps, 0, (), False, names
    )


def test_many_transfers_are_checked_from_a_file(tmp_path: Path) -> None:
    stated = replace(snake(16, 16, 500), bound=1012)
    write_certificate(stated, tmp_path / "snake.json")
    assert check(tmp_path / "snake.json") == check(stated)
    row = list(stated.sends[700])
    row[1] = row[0]
    wrong = replace(stated, sends=(*stated.sends[:700], tuple(row), *stated.sends[701:]))
    with pytest.raises(Rejected, match=r"sends\[700\]"):
        check(wrong)


def test_a_packet_of_its_own_is_not_listed_for_everybody() -> None:
    """The numbers of packets are short; what is kept for them is no longer than the document."""
    alone = SynchronousRun(1, (), "half-duplex", ((0, 10**18),), (), 0, 0, (), True, ())
    assert check(alone).packets == 10**18
    with pytest.raises(Rejected, match="transfers"):
        check(replace(alone, size=1000))


@given(runs(), st.data())
def test_junk_is_refused_in_good_order(stated: SynchronousRun, data: st.DataObject) -> None:
    document = to_document(stated)
    names = [name for name in document if name not in ("format", "version", "kind")]
    junk: Any = data.draw(st.sampled_from([None, {}, [], [[]], "x", "1/0", 1.5, -1, 10**400]))
    verdict = "accepted"
    try:
        check(changed(document, (data.draw(st.sampled_from(names)),), junk))
    except (Malformed, Rejected) as error:
        verdict = str(error)
    assert "\n" not in verdict


def test_all_commands_that_read_certificates_read_it(run: Run, tmp_path: Path) -> None:
    file = str(path_of("accepted", "rounds/square"))
    assert run("check", file).out.startswith("accepted:")
    assert main([file]) == 0
    assert run("simulate", file).code == 0
    assert run("draw", file, "-o", str(tmp_path / "picture.svg")).code == 0


def test_numbers_are_integers() -> None:
    with pytest.raises(InvalidInput):
        check(replace(snake(2, 2, 1), bound=Fraction(7, 2)))  # type: ignore[arg-type]
