"""What is accepted of overlays is true, also after any single change; bounds hold, and are tight.

The ways of being refused stand in refusals_overlay.py and are tested, with all others, by
test_check.py; proofs by cases in test_overlay_cases.py.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import groupby, pairwise, permutations
from operator import itemgetter
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactsched
from exactsched.certificate import parse, to_document, write_certificate
from exactsched.certificate.overlay import CaseProof, Overlay, Piece
from exactsched.check import ProvedOverlay, check
from exactsched.check.__main__ import main
from exactsched.check.overlay.arrivals import Pieces, _all_arrive, received_once
from exactsched.exact.errors import Rejected
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.oracles.overlay import (
    best_throughput,
    bound_by_counting,
    overlay_certificate_fault,
)
from tests.check.mutants import mutants, refuse_accepted_lies
from tests.check.refusals.broadcasts import accepted, files, path_of

NAMES = [f"overlay/{name}" for name in files("accepted/overlay")]
SCHEMA = json.loads((Path(str(exactsched.__file__)).parent / "certificate.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
STRUCTURES = ["any", "acyclic", "tree"]


# What is accepted.


@pytest.mark.parametrize("name", NAMES)
def test_accepted_certificates_are_true(name: str) -> None:
    path = path_of("accepted", name)
    noun: Any = parse(accepted(name))
    claim = check(path)
    assert claim == check(accepted(name)) == check(noun) == exactsched.check(str(path))
    assert isinstance(claim, ProvedOverlay)
    assert (claim.kind, claim.machine, claim.structure) == (
        "overlay",
        noun.machine,
        noun.structure,
    )
    assert claim.value == claim.throughput == noun.throughput
    assert (claim.bound, claim.optimal) == (noun.bound, noun.optimal)
    assert claim.arcs == len(noun.arcs)
    assert not overlay_certificate_fault(noun)


# Their optima take long, of thousands of machines; changes of proofs are in test_overlay_cases.py.
LONG = ("overlay/cases-among-places", "overlay/cases-with-cuts")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG])
def test_mutants_are_refused_or_true(name: str) -> None:
    changes = mutants(accepted(name))
    refuse_accepted_lies(changes, lambda document: overlay_certificate_fault(parse(document)))  # type: ignore[arg-type]


def test_claims_say_what_is_proved() -> None:
    def line(name: str) -> str:
        return str(check(path_of("accepted", f"overlay/{name}")))

    assert line("exchange") == "overlay to 2 nodes at rate 2 proved optimal (4 arcs, degrees kept)"
    assert line("acyclic").startswith("acyclic overlay to 2 nodes at rate 3/2 proved optimal (")
    assert line("nothing") == "tree to 1 node at rate 0 proved optimal (0 arcs, degrees kept)"
    assert line("tree-of-half-the-rate") == (
        "tree to 3 nodes at rate 1, <= 5/2 by the bound: not proved optimal (3 arcs, degrees kept)"
    )
    assert line("above-the-degrees") == (
        "overlay to 2 nodes at rate 2, out-degrees up to 1 above their bounds at 1 node; "
        "within them no overlay exceeds 2 (4 arcs)"
    )
    claim = check(path_of("accepted", "overlay/above-the-bound"))
    assert isinstance(claim, ProvedOverlay)
    assert (claim.excess, claim.above, claim.optimal) == (1, 2, False)
    assert claim.throughput > claim.bound


def test_the_command_reports_overlays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path_of("accepted", "overlay/two-cases"))]) == 0
    assert main([str(path_of("rejected", "overlay/bound-understated"))]) == 1
    assert main([str(path_of("malformed", "overlay/machine-names-alike"))]) == 2
    out, err = capsys.readouterr()
    assert "overlay to 2 nodes at rate 2 proved optimal" in out
    assert "bound: '3/2': what is proved is 2" in out
    assert "machine.names: 'a': two nodes may not have the same name" in err


# Parts.


def overlay_of(senders: list[list[int]], joined: random.Random) -> Overlay:
    """Part p comes to node j from senders[j][p]; neighbors are in one piece, or in several."""
    parts = len(senders[1])
    carried: dict[tuple[int, int], list[Piece]] = {}
    for node, of_node in list(enumerate(senders))[1:]:
        for sender, group in groupby(range(parts), key=of_node.__getitem__):
            first, *_, last = [*group] * 2
            cut = joined.randint(first, last)
            pieces = [(first, cut), (cut, last + 1)] if cut > first else [(first, last + 1)]
            carried.setdefault((sender, node), []).extend(pieces)
    sent = [sum(sender == node for row in senders[1:] for sender in row) for node in range(99)]
    size = len(senders)
    rate = Fraction(parts, 3)
    used = [sum(sender == node for sender, _ in carried) for node in range(size)]
    machine = MultiPort([Fraction(sent[node], 3) for node in range(size)], used)
    arcs = [(*arc, tuple(pieces)) for arc, pieces in carried.items()]
    joined.shuffle(arcs)
    bound = bound_by_counting(machine, "any")
    return Overlay(machine, "any", parts, tuple(arcs), rate, bound, (), rate == bound)


@settings(max_examples=50)
@given(st.integers(2, 5), st.integers(1, 7), st.randoms(use_true_random=False))
def test_each_part_comes_from_the_source(size: int, parts: int, chance: random.Random) -> None:
    """Accepted if and only if it does, whatever goes round in circles piece by piece."""
    senders: list[list[int]] = [[]]
    for node in range(1, size):
        others = [other for other in range(size) if other != node]
        row = [chance.choice(others) for _ in range(parts)]
        senders.append([row[part // chance.choice((1, 2, 3))] for part in range(parts)])
    stated = overlay_of(senders, chance)
    if all(
        spans(size, [0], [(row[part], node) for node, row in enumerate(senders) if node])
        for part in range(parts)
    ):
        claim = check(stated)
        assert isinstance(claim, ProvedOverlay)
        assert claim.excess == 0
        assert not overlay_certificate_fault(stated)
    else:
        with pytest.raises(Rejected, match="go round in a circle"):
            check(stated)


@settings(max_examples=500)
@given(st.integers(1, 3), st.integers(1, 6), st.randoms(use_true_random=False))
def test_each_part_is_received_once(others: int, parts: int, chance: random.Random) -> None:
    """The first part of the first node that is received more or less often is refused."""
    rows = []
    for node in range(1, others + 1):
        cuts = sorted(chance.sample(range(1, parts), chance.randint(0, parts - 1)))
        rows += [(0, node, *piece) for piece in pairwise([0, *cuts, parts])]
    for _ in range(chance.randint(0, 2)):  # changed, dropped, added
        start, stop = sorted(chance.sample(range(parts + 1), 2))
        row = (0, chance.randint(1, others), start, stop)
        place = chance.randrange(len(rows))
        rows[place : place + chance.randint(0, 1)] = [row] * chance.randint(0, 1)
        rows = rows or [row]
    chance.shuffle(rows)
    faults = {
        node
        for node in range(1, others + 1)
        for part in range(parts)
        if sum(row[1] == node and row[2] <= part < row[3] for row in rows) != 1
    }
    pieces = Pieces(*map(list, zip(*rows, strict=True)))
    if faults:
        with pytest.raises(Rejected, match="parts") as caught:
            received_once(others + 1, parts, pieces)
        assert caught.value.place == f"node {min(faults)}"
    else:
        received = received_once(others + 1, parts, pieces)
        for node in range(1, others + 1):
            mine = sorted([row for row in rows if row[1] == node], key=itemgetter(2))
            assert rows[received.first[node]] == mine[0]
            assert received.begun[node] == mine[0][3]
            assert received.ended[node] == (mine[-1][2] if len(mine) > 1 else parts)
            if len(mine) > 1:
                assert rows[received.last[node]] == mine[-1]
        assert sorted(index for *_, index in received.between) == [
            index for index, row in enumerate(rows) if row[2] > 0 and row[3] < parts
        ]


def all_arrive(rows: list[tuple[int, int, int, int]], size: int) -> bool:
    """Of pieces, in rows [sender, receiver, start, stop]."""
    pieces = Pieces(*map(list, zip(*rows, strict=True)))
    arcs = sorted({row[:2] for row in rows})
    used = [sum(sender == node for sender, _ in arcs) for node in range(size)]
    received = received_once(size, max(pieces.stops), pieces)
    return _all_arrive(pieces, received, [head for _, head in arcs], used)


@settings(max_examples=500)
@given(st.integers(2, 6), st.integers(1, 9), st.randoms(use_true_random=False))
def test_pieces_are_sent_when_their_sender_has_them(
    size: int, parts: int, chance: random.Random
) -> None:
    """All arrive if and only if they do one by one, each part followed for itself."""
    senders: list[list[int]] = [[]]
    wide = chance.choice((1, 2, 3, parts))
    for node in range(1, size):
        others = [0, *(other for other in range(size) if other != node)]
        row = [chance.choice(others) for _ in range(parts)]
        senders.append([row[part // chance.choice((1, wide))] for part in range(parts)])
    stated = overlay_of(senders, chance)
    rows = [
        (sender, receiver, *piece) for sender, receiver, pieces in stated.arcs for piece in pieces
    ]
    waiting = rows
    enough = sum(one[1] == other[0] for one in rows for other in rows)
    assume(enough <= len(rows) * len(rows).bit_length())
    known = {(0, part) for part in range(parts)}
    while True:
        sent = [
            row for row in waiting if {(row[0], part) for part in range(*row[2:])}.issubset(known)
        ]
        if not sent:
            break
        waiting = [row for row in waiting if row not in sent]
        known |= {(receiver, part) for _, receiver, *piece in sent for part in range(*piece)}
    assert all_arrive(rows, size) == (not waiting)


def test_what_hangs_below_a_piece_that_waits_waits_too() -> None:
    """Part 4 goes round: 1 has it from 3, 2 from 1 in a piece that 1 gets as one, 3 from 2."""
    rows = [(0, 1, 5, 6), (0, 2, 5, 6), (0, 3, 0, 3), (1, 2, 0, 5), (2, 3, 3, 6), (3, 1, 0, 5)]
    assert not all_arrive(rows, 4)
    # Without the circle: 3 has all but its first parts from the source.
    assert all_arrive([*rows[:4], (0, 3, 3, 6), rows[5]], 4)


def test_pieces_that_wait_for_each_other_may_be_right() -> None:
    """The four of proofs/overlay-certificates.md, whose order is not that of pieces."""
    arcs: list[tuple[int, int, tuple[Piece, ...]]] = [
        (1, 2, (Piece(0, 2),)),
        (2, 3, (Piece(1, 4),)),
        (3, 4, (Piece(3, 5),)),
        (4, 1, (Piece(0, 5),)),
        (0, 2, (Piece(2, 5),)),
        (0, 3, (Piece(0, 1), Piece(4, 5))),
        (0, 4, (Piece(0, 3),)),
    ]
    machine = MultiPort([Fraction(8)] * 5, [3, 1, 1, 1, 1])
    bound = bound_by_counting(machine, "any")
    stated = Overlay(machine, "any", 5, tuple(arcs), Fraction(1), bound, (), False)
    assert not all_arrive([(a, b, *piece) for a, b, pieces in arcs for piece in pieces], 5)
    claim = check(stated)
    assert isinstance(claim, ProvedOverlay)
    assert claim.arcs == 7


def test_what_arrives_counts_where_it_is_sent_on() -> None:
    """As many parts as a piece has, not all of them its own; and others before and after it."""
    arcs = [(0, 1, ((0, 2),)), (0, 2, ((0, 1),)), (1, 2, ((1, 3),)), (2, 1, ((2, 3),))]
    machine = MultiPort([3, 2, 1], [2, 1, 1])
    stated = Overlay(machine, "any", 3, tuple(arcs), Fraction(1), Fraction(3), (), False)  # type: ignore[arg-type]
    with pytest.raises(Rejected, match="go round in a circle"):
        check(stated)
    for order in permutations(((0, 1), (1, 2), (2, 4), (4, 5), (5, 6))):
        rows = [*((0, 1, *piece) for piece in order), (0, 2, 0, 1), (1, 2, 1, 4), (0, 2, 4, 6)]
        assert all_arrive(rows, 3)


def test_nodes_below_a_cycle_are_not_named() -> None:
    arcs = [(0, 1, ((0, 1),)), (2, 1, ((1, 2),)), (1, 2, ((0, 1),)), (0, 2, ((1, 2),))]
    arcs.append((2, 3, ((0, 2),)))
    machine = MultiPort([9] * 4, [3] * 4)
    stated = Overlay(machine, "acyclic", 2, tuple(arcs), Fraction(1), Fraction(9), (), False)  # type: ignore[arg-type]
    with pytest.raises(Rejected, match="no node sends to one") as caught:
        check(stated)
    assert caught.value.value == [1, 2]


def test_few_pieces_are_compared_with_each_other() -> None:
    """Many that come to a node which sends many are left to the other way to find out."""
    count = 64
    whole = [(0, 1, 0, count)]
    single = [(0, 1, part, part + 1) for part in range(count - 1)] + [(2, 1, count - 1, count)]
    sent = [(1, 2, 2 * part, 2 * part + 2) for part in range(count // 2 - 1)]
    sent.append((0, 2, count - 2, count))
    sent += [(1, 3, 2 * part, 2 * part + 2) for part in range(count // 2)]
    for come, arrive in ((whole, True), (single, False)):
        assert all_arrive([*come, *sent], 4) == arrive


def test_many_nodes_that_exchange() -> None:
    """4,000 nodes in a ring; of every part somebody else is the first, and numbers are long."""
    count, unit = 4_000, 10**30
    parts = count * unit
    arcs: list[tuple[int, int, tuple[Piece, ...]]] = []
    for node in range(1, count + 1):
        start = (node - 1) * unit
        arcs.append((0, node, ((start, start + unit),)))
        others = ((0, start), (start + unit, parts))
        before = node - 1 or count
        arcs.append((before, node, tuple(piece for piece in others if piece[0] < piece[1])))
    share = Fraction(count - 1, count)
    machine = MultiPort([1] + [share] * count, [count] + [1] * count)
    stated = Overlay(machine, "any", parts, tuple(arcs), 1, 1, (), True)
    claim = check(stated)
    assert isinstance(claim, ProvedOverlay)
    assert claim.optimal
    # The part that node 7 has from the source goes round instead.
    last = arcs[2 * 6]
    arcs[2 * 6] = (0, 7, ((last[2][0][0] + 1, last[2][0][1]),))
    first = last[2][0][0]
    arcs[2 * 6 + 1] = (6, 7, ((0, first + 1), arcs[2 * 6 + 1][2][1]))
    with pytest.raises(Rejected, match="go round in a circle") as caught:
        check(Overlay(machine, "any", parts, tuple(arcs), 1, 1, (), True))
    assert caught.value.value == [first, first + 1]


@pytest.mark.parametrize("node", [0, 1, 2, 3])
def test_every_node_but_the_source_receives_at_most_at_its_rate(node: int) -> None:
    """A path at rate 2; the source receives nothing, whatever it could."""
    arcs = tuple((sender, sender + 1, ((0, 1),)) for sender in range(3))
    incoming = [1 if other == node else 2 for other in range(4)]
    stated = Overlay(MultiPort([2] * 4, [1] * 4, incoming), "any", 1, arcs, 2, 2, (), True)
    if node == 0:
        assert check(stated).optimal
        return
    with pytest.raises(Rejected, match="it receives at most at the rate 1") as caught:
        check(stated)
    assert (caught.value.place, caught.value.value) == (f"node {node}", "2")


# Bounds.


@st.composite
def machines(draw: st.DrawFn, most: int = 3) -> MultiPort:
    size = draw(st.integers(2, most + 1))
    rates = st.integers(0, 6) | st.fractions(0, 6, max_denominator=4)
    bandwidths = draw(st.lists(rates, min_size=size, max_size=size))
    degrees = draw(st.lists(st.integers(0, size), min_size=size, max_size=size))
    incoming = draw(st.just([]) | st.lists(rates, min_size=size, max_size=size))
    pairs = [(i, j) for i in range(size) for j in range(1, size) if i != j]
    arcs = draw(st.just([]) | st.lists(st.sampled_from(pairs), unique=True))
    return MultiPort(bandwidths, degrees, incoming, arcs)


def proved_bound(machine: MultiPort, structure: str, stated: Fraction) -> Fraction:
    claim = check(Overlay(machine, structure, 1, (), 0, stated, (), stated == 0))
    assert isinstance(claim, ProvedOverlay)
    return Fraction(claim.bound)


def found_bound(machine: MultiPort, structure: str) -> Fraction:
    """What the checker finds where another bound is stated."""
    with pytest.raises(Rejected, match="what is proved is") as caught:
        proved_bound(machine, structure, Fraction(-1))
    return Fraction(caught.value.rule.rpartition(" ")[2])


@settings(max_examples=35)
@given(machines(most=5), st.sampled_from(STRUCTURES))
def test_bounds_are_those_of_the_definition(machine: MultiPort, structure: str) -> None:
    bound = bound_by_counting(machine, structure)
    assert proved_bound(machine, structure, bound) == found_bound(machine, structure) == bound
    for other in (bound + Fraction(1, 10**9), bound - Fraction(1, 10**9)):
        with pytest.raises(Rejected, match="what is proved is"):
            proved_bound(machine, structure, other)


@pytest.mark.parametrize(
    ("structure", "bandwidths", "degrees", "bound"),
    [
        ("tree", [3, 4, 1, 5, 2], [1, 2, 2, 3, 1], "5/2"),
        ("tree", [8, 2, 9, 2], [3, 2, 2, 2], "9/2"),
        ("acyclic", [5, 1, 1, 1, 4, 1], [2, 1, 3, 1, 2, 1], "7/3"),
        ("any", [7, 3, 1, 2, 3, 1], [2, 2, 2, 1, 1, 1], "10/3"),
    ],
)
def test_quotients_are_sorted_exactly(
    structure: str, bandwidths: list[int], degrees: list[int], bound: str
) -> None:
    """Where quotients between the same two integers, taken as equal, come in the wrong order."""
    machine = MultiPort(bandwidths, degrees)
    assert bound_by_counting(machine, structure) == Fraction(bound)
    assert proved_bound(machine, structure, Fraction(bound)) == Fraction(bound)
    assert found_bound(machine, structure) == Fraction(bound)


class LookedForError(Exception):
    pass


@settings(max_examples=300)
@given(machines(most=5), st.sampled_from(STRUCTURES), st.fractions(-1, 7, max_denominator=5))
def test_a_stated_bound_is_not_looked_for(
    machine: MultiPort, structure: str, other: Fraction
) -> None:
    """Not a short one above 0, if it is the bound; of all others the bound is found."""

    def look(*_: object) -> None:
        raise LookedForError

    bound, unit = bound_by_counting(machine, structure), 10**400
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_largest_root", "_largest_share"):
            patch.setattr(f"exactsched.check.overlay.counting.{name}", look)
        if bound > 0:
            assert proved_bound(machine, structure, bound) == bound
            # Long numbers cost more, and that is counted where the bound is looked for.
            longer = MultiPort([rate * unit for rate in machine.bandwidths], machine.degrees)
            with pytest.raises(LookedForError):
                proved_bound(longer, structure, Fraction(unit))
        shares = [rate / count for rate in machine.bandwidths for count in (1, 2, 3)]
        for wrong in {other, *machine.incoming, *shares} - {bound}:
            with pytest.raises((LookedForError, Rejected)):
                proved_bound(machine, structure, wrong)


@pytest.mark.parametrize(
    ("bandwidths", "degrees", "wrong", "bound"),
    [([2, 1, 1], [2, 1, 1], 2, "3/2"), ([2, 1, 2], [1, 1, 1], 1, "2")],
)
def test_who_is_silent_counts_for_acyclic_bounds(
    bandwidths: list[int], degrees: list[int], wrong: int, bound: str
) -> None:
    """Without the silent node too little is sent; with the one that sends at 1 more can be."""
    machine = MultiPort(bandwidths, degrees)
    assert bound_by_counting(machine, "acyclic") == Fraction(bound)
    with pytest.raises(Rejected, match=f"what is proved is {bound}"):
        proved_bound(machine, "acyclic", Fraction(wrong))


@given(machines(), st.sampled_from(STRUCTURES))
def test_long_bounds_are_found(machine: MultiPort, structure: str) -> None:
    unit = 10**400
    longer = MultiPort([rate * unit for rate in machine.bandwidths], machine.degrees)
    bound = bound_by_counting(longer, structure)
    assert proved_bound(longer, structure, bound) == bound


@settings(max_examples=35)
@given(machines(), st.sampled_from(STRUCTURES))
def test_no_overlay_beats_the_bound(machine: MultiPort, structure: str) -> None:
    bound = bound_by_counting(machine, structure)
    proved_bound(machine, structure, bound)
    assert best_throughput(machine, structure) <= bound
    if structure == "tree" and not machine.arcs:
        assert best_throughput(machine, "tree") == bound


@given(machines(), st.fractions("1/9", 9, max_denominator=9), st.sampled_from(STRUCTURES))
def test_bounds_scale_with_the_rates(machine: MultiPort, factor: Fraction, structure: str) -> None:
    faster = MultiPort(
        [factor * rate for rate in machine.bandwidths],
        machine.degrees,
        [factor * rate for rate in machine.incoming],
        machine.arcs,
    )
    bound = factor * bound_by_counting(machine, structure)
    assert proved_bound(faster, structure, bound) == bound


def test_bounds_of_many_nodes() -> None:
    count = 20_000
    alike = MultiPort([3] * (count + 1), [2] * (count + 1))
    for structure in ("any", "acyclic"):
        assert proved_bound(alike, structure, Fraction(3)) == found_bound(alike, structure) == 3
    # Half of the nodes have to send to two each, at half their bandwidth.
    half = MultiPort([3] * (count + 1) + [0] * count, [2] * (2 * count + 1))
    assert proved_bound(half, "tree", Fraction(3, 2)) == Fraction(3, 2)
    assert found_bound(half, "tree") == Fraction(3, 2)
    # Degrees add up to the number of nodes: the largest root, not the least.
    chain = MultiPort([2] * count + [0], [1] * count + [0])
    assert proved_bound(chain, "any", Fraction(2)) == found_bound(chain, "any") == 2
    # Of different bandwidths, none of which is limited by a degree.
    steps = MultiPort([count, *range(count)], [count] * (count + 1))
    assert proved_bound(steps, "any", Fraction(count + 1, 2)) == Fraction(count + 1, 2)
    assert found_bound(steps, "any") == Fraction(count + 1, 2)


# Documents.


@st.composite
def overlays(draw: st.DrawFn) -> Overlay:
    """Of the right structure; of any truth."""
    machine = draw(machines())
    numbers = st.integers(0, 9) | st.integers(0, 2**60)
    rationals = st.builds(Fraction, st.integers(0, 2**60), st.integers(1, 2**60))
    whole = rationals.map(lambda x: x.numerator if x.denominator == 1 else x)
    pairs = [(i, j) for i in range(machine.size) for j in range(1, machine.size) if i != j]
    arcs = []
    for sender, receiver in draw(st.lists(st.sampled_from(pairs), max_size=4)):
        ends = sorted(draw(st.lists(numbers, min_size=2, max_size=6, unique=True)))
        pieces = tuple(zip(ends[::2], ends[1::2], strict=False))
        arcs.append((sender, receiver, pieces))
    structure = draw(st.sampled_from(STRUCTURES))
    rows = st.tuples(st.sampled_from(["send", "any text"]), numbers, numbers, whole)
    proof = CaseProof(
        draw(whole),
        draw(whole),
        tuple(draw(st.lists(numbers, max_size=3))),
        tuple(draw(st.lists(st.lists(numbers, max_size=2).map(tuple), max_size=2))),
        tuple(draw(st.lists(st.tuples(*[numbers] * 5), max_size=2))),
        tuple(
            draw(st.lists(st.tuples(numbers, st.lists(rows, max_size=3).map(tuple)), max_size=2))
        ),
    )
    has_proof = structure == "any" and draw(st.booleans())
    return Overlay(
        machine,
        structure,
        max([1, *(end for _, _, pieces in arcs for piece in pieces for end in piece)]),
        tuple(arcs),
        draw(whole),
        draw(whole),
        (proof,) if has_proof else (),
        draw(st.booleans()),
    )


@given(overlays())
def test_documents_are_faithful_and_fit_the_schema(noun: Overlay) -> None:
    document = to_document(noun)
    assert parse(document) == noun
    assert parse(json.loads(json.dumps(document))) == noun
    VALIDATOR.validate(document)


@pytest.mark.parametrize("name", NAMES)
def test_files_are_faithful(name: str, tmp_path: Path) -> None:
    write_certificate(accepted(name), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path_of("accepted", name).read_bytes()
    VALIDATOR.validate(accepted(name))
