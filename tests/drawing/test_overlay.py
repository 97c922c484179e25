"""Pictures of overlays say what the certificates say, at the right places."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched import drawing
from exactsched.certificate import to_document
from exactsched.certificate.overlay import CaseProof, Overlay
from exactsched.check import check
from exactsched.drawing.lettering import short
from exactsched.drawing.overlay import scenes
from exactsched.drawing.overlay.scenes import overlay_scene
from exactsched.drawing.overlay.traffic import Traffic
from exactsched.drawing.scene import Graph, Timeline
from exactsched.drawing.words.overlay import bound_in_short, bound_in_words
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.partition import overlay_of_partition, partition_machine
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.tree import best_tree
from tests.cli.command_line import Run, files, refused
from tests.drawing.pictures import SVG, assert_page, of_kind, parsed, words

FIGURE_1 = MultiPort([2, 1, 1], [2, 1, 1], names=("source", "a", "b"))
ERRATUM = MultiPort([3, Fraction(3, 2), 1, Fraction(1, 2)], [3, 2, 1, 1])
ABOVE = MultiPort([8, 8, 7, 6, 5, 5, 2, 1], [3, 2, 1, 1, 1, 1, 1, 1])
CONSTRUCTIONS = (augmented_overlay, acyclic_overlay, best_tree)

# What is shown on the pages of `proofs`: figure 1 of the paper, degrees that are exceeded, the
# overlay of a solution of 3-PARTITION.
FIGURES = {
    "overlay-figure-1": lambda: augmented_overlay(FIGURE_1),
    "overlay-figure-1-acyclic": lambda: acyclic_overlay(FIGURE_1),
    "overlay-augmented": lambda: augmented_overlay(ABOVE),
    "overlay-partition": lambda: overlay_of_partition([6, 6, 6, 7, 7, 8], [(0, 1, 5), (2, 3, 4)]),
}

numbers = st.builds(Fraction, st.integers(0, 12), st.integers(1, 4))


@st.composite
def overlays(draw: st.DrawFn) -> Overlay:
    size = draw(st.integers(2, 12))
    bandwidths = draw(st.lists(numbers, min_size=size, max_size=size))
    degrees = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    incoming = draw(st.one_of(st.just([]), st.lists(numbers, min_size=size, max_size=size)))
    if draw(st.integers(0, 5)):  # mostly the source is no obstacle
        degrees[0] += 1
        bandwidths[0] += 9
        incoming = [rate + 3 for rate in incoming]
    machine = MultiPort(bandwidths, degrees, incoming)
    return draw(st.sampled_from(CONSTRUCTIONS))(machine)


def told(svg: str, pattern: str) -> list[tuple[str, ...]]:
    """What the pointer is told, as far as it is of this form."""
    titles = [element.text or "" for element in parsed(svg).iter(f"{SVG}title")]
    return [found.groups() for title in titles if (found := re.fullmatch(pattern, title))]


@settings(max_examples=35)
@given(overlays())
def test_every_receiver_has_its_message_from_whom_the_overlay_says(overlay: Overlay) -> None:
    rows: Counter[tuple[Fraction, Fraction, int]] = Counter()
    if overlay.throughput:
        for row in of_kind(overlay_scene(overlay), Timeline).rows:
            for bar in row.lanes[0]:
                sender = int(bar.names[0])
                rate = overlay.throughput * (bar.end - bar.start)
                assert bar.told.endswith(f" from {sender}, rate {short(rate, 24)}")
                # In the color of the strands that leave the sender.
                assert bar.fill == Traffic(overlay).color(sender)
                rows[bar.start, bar.end, sender] += 1
    expected: Counter[tuple[Fraction, Fraction, int]] = Counter()
    for node in range(1, overlay.machine.size):
        pieces = sorted(
            (start, stop, sender)
            for sender, receiver, ranges in overlay.arcs
            if receiver == node
            for start, stop in ranges
        )
        while pieces:
            start, stop, sender = pieces.pop(0)
            while pieces and pieces[0][2] == sender:
                stop = pieces.pop(0)[1]
            whole = overlay.parts
            expected[Fraction(start, whole), Fraction(stop, whole), sender] += 1
    assert rows == expected


@settings(max_examples=20)
@given(overlays())
def test_arcs_and_nodes_say_their_rates_and_degrees(overlay: Overlay) -> None:
    svg = drawing.svg(overlay)
    assert_page(drawing.html(overlay))
    part = Fraction(overlay.throughput) / overlay.parts
    rates = {
        (str(i), str(j)): part * sum(stop - start for start, stop in pieces)
        for i, j, pieces in overlay.arcs
    }
    shown = told(svg, r"(\d+) \u2192 (\d+): rate (\S+)")
    assert {(i, j): Fraction(rate) for i, j, rate in shown} == rates
    assert len(shown) == len(rates)
    pattern = r"(\d+): degree (\d+) of (\d+), sends (\S+) of ([^, ]+).*?( \(above its degree\))?"
    nodes = told(svg, pattern)
    assert [int(node) for node, *_ in nodes] == list(range(overlay.machine.size))
    for name, used, allowed, sent, bandwidth, above in nodes:
        leaving = [rate for (sender, _), rate in rates.items() if sender == name]
        assert int(used) == len(leaving)
        assert int(allowed) == overlay.machine.degrees[int(name)]
        assert Fraction(sent) == sum(leaving)
        assert Fraction(bandwidth) == overlay.machine.bandwidths[int(name)]
        assert bool(above) == (int(used) > int(allowed))
    assert ("In red" in " ".join(words(svg))) == any(node[-1] for node in nodes)


@settings(max_examples=100)
@given(overlays())
def test_the_words_prove_the_bound(overlay: Overlay) -> None:
    """The arithmetic of the last sentence is right, and it gives the bound."""
    said = " ".join(bound_in_words(Traffic(overlay))).replace(",", "")
    bound, needed = Fraction(overlay.bound), overlay.machine.size - 1
    counted = re.search(
        r"(\d+) T is at most what is sent ((\S+?)(?: \+ (\d+) T)?|(\d+) T): T is at most (\S+)\.$",
        said,
    )
    if counted:
        assert int(counted[1]) == needed
        sending = Fraction(counted[3] or 0) if counted[5] is None else Fraction(0)
        reaching = int(counted[4] or counted[5] or 0)
        assert reaching < needed
        assert sending / (needed - reaching) == bound == Fraction(counted[6])
    elif "In a tree" in said:
        found = re.search(r"above (\S+) bandwidths.* enough for (\d+) receivers? in all", said)
        assert found
        assert Fraction(found[1]) == bound
        reached = sum(
            max(
                k
                for k in range(min(degree, needed) + 1)
                # Something a little larger than the bound: no two shares are as close.
                if k * (bound + Fraction(1, 10**6)) <= bandwidth
            )
            for bandwidth, degree in zip(
                overlay.machine.bandwidths, overlay.machine.degrees, strict=True
            )
        )
        assert int(found[2]) == reached < needed
    elif "may send to nobody" in said:
        assert overlay.machine.degrees[0] == bound == 0
    else:
        found = re.search(r"(The source sends|\d+ receives) no faster than (\S+?)[ .]", said + " ")
        assert found
        assert Fraction(found[2]) == bound
        assert bound in (overlay.machine.bandwidths[0], *overlay.machine.incoming[1:])
    assert bound_in_short(Traffic(overlay))


def test_figure_1() -> None:
    svg = drawing.svg(augmented_overlay(FIGURE_1))
    shown = words(svg)
    assert "Broadcast overlay: a source and 2 nodes" in shown
    assert "Throughput 2 \u2014 optimal: no overlay within the degrees is faster" in shown
    assert "The message as everybody receives it, in 2 equal parts" in shown
    assert shown.count("sends 1 of 1") == 2
    assert shown.count("degree 1 of 1") == 2
    assert {"sends 2 of 2", "degree 2 of 2", "source", "a", "b"} <= set(shown)
    pieces = told(svg, r"\[(\S+), (\S+)\) from (\S+), rate 1")
    assert pieces == [
        ("0", "1/2", "source"),
        ("1/2", "1", "b"),
        ("0", "1/2", "a"),
        ("1/2", "1", "source"),
    ]
    acyclic = words(drawing.svg(acyclic_overlay(FIGURE_1)))
    assert "Broadcast overlay without cycles: a source and 2 nodes" in acyclic
    tree = words(drawing.svg(best_tree(FIGURE_1)))
    assert "Broadcast tree: a source and 2 nodes" in tree
    assert "The message as everybody receives it, all from one" in tree


def test_strands_are_as_wide_as_their_rates() -> None:
    overlay = augmented_overlay(ERRATUM)
    graph = of_kind(overlay_scene(overlay), Graph)
    rates = {Fraction(edge.label): edge.strands[0][1] for edge in graph.edges}
    assert len(rates) > 2
    assert all(width * overlay.throughput == rate for rate, width in rates.items())


def test_who_is_above_the_degree_is_marked() -> None:
    machine = partition_machine([6, 6, 6, 6, 7, 9])
    overlay = acyclic_overlay(machine)
    claim = check(overlay)
    assert claim.above == 3
    nodes = of_kind(overlay_scene(overlay), Graph).nodes
    assert sum(bool(node.ring) for node in nodes) == claim.above
    svg = drawing.svg(overlay)
    assert any("with 3 nodes above the degree bound by at most 1;" in word for word in words(svg))


def test_a_proof_by_cases_in_words() -> None:
    machine = MultiPort([2, 1, 1], [1, 1, 0])
    proof = prove_by_cases(machine, 1)
    assert proof
    chain = ((0, 1, ((0, 1),)), (1, 2, ((0, 1),)))
    overlay = Overlay(machine, "any", 1, chain, 1, 1, (proof,), True)
    said = " ".join(words(drawing.svg(overlay)))
    assert "faster than 1 would solve a system of linear inequalities" in said
    assert "by counting" in said
    assert "It has no solution" in said
    split = CaseProof(1, 2, (), ((1, 2), (2,)), ((0, 0, 1, 1, 2),), ((1, ()), (2, ())))
    said = " ".join(bound_in_words(Traffic(replace(overlay, proof=(split,)))))
    assert "splits into 2 cases" in said
    assert "into 2 sets of nodes" in said
    assert "each of 2 cases" in bound_in_short(Traffic(replace(overlay, proof=(split,))))


def test_nothing_is_sent() -> None:
    overlay = augmented_overlay(MultiPort([1, 1], [0, 1]))
    svg = drawing.svg(overlay)
    assert "Nothing is sent." in words(svg)
    assert "The source may send to nobody." in words(svg)
    assert_page(drawing.html(overlay))


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    overlay = augmented_overlay(MultiPort([9, *range(1, 30)], [3] * 30))
    whole = drawing.svg(overlay)
    assert "not shown" not in whole
    assert len(told(whole, r".*: rate .*")) == len(overlay.arcs)
    monkeypatch.setattr(scenes, "MOST_ARCS", 10)
    monkeypatch.setattr(scenes, "MOST_ROWS", 7)
    svg = drawing.svg(overlay)
    kept = [Fraction(rate) for (rate,) in told(svg, r".*: rate (.*)")]
    every = [Fraction(rate) for (rate,) in told(whole, r".*: rate (.*)")]
    assert sorted(kept) == sorted(every)[-10:]
    note = f"{len(overlay.arcs) - 10} of {len(overlay.arcs)} arcs, those with the least rates,"
    assert any(word.startswith(note) for word in words(svg))
    assert "22 more nodes not shown." in words(svg)
    monkeypatch.setattr(scenes, "MOST_PIECES", 2)
    assert len(told(drawing.svg(overlay), r"\[.* from .*")) <= 2
    monkeypatch.setattr(scenes, "MOST_NODES", 29)
    svg = drawing.svg(overlay)
    assert any(word.startswith("A graph of 30 nodes and") for word in words(svg))
    monkeypatch.setattr(scenes, "MOST_TABLE_ROWS", 5)
    page = drawing.html(overlay)
    assert "and 25 more, which this page leaves out" in page
    assert f"and {len(overlay.arcs) - 5} more, which this page leaves out" in page


def test_there_are_more_senders_than_colors() -> None:
    chain = [(node, node + 1, ((0, 1),)) for node in range(30)]
    machine = MultiPort([1] * 31, [1] * 31)
    svg = drawing.svg(Overlay(machine, "any", 1, tuple(chain), 1, 1, (), True))
    assert "and 22 more" in words(svg)
    assert len(told(svg, r".*: rate 1")) == 30


def test_an_arc_with_many_ranges_has_the_first_of_them_in_the_table() -> None:
    """Node 1 gets the even parts from the source and the odd ones from 2, and 2 the reverse."""
    even, odd = (tuple((part, part + 1) for part in range(k, 40, 2)) for k in (0, 1))
    arcs = ((0, 1, even), (0, 2, odd), (1, 2, even), (2, 1, odd))
    overlay = Overlay(FIGURE_1, "any", 40, arcs, 2, 2, (), True)
    check(overlay)
    page = drawing.html(overlay)
    assert page.count("8 more</td>") == 4
    assert "[1/20, 3/40) [1/10, 1/8)" in page


def test_ranges_that_touch_are_drawn_as_one() -> None:
    arcs = ((0, 1, ((0, 1), (1, 2))),)
    overlay = Overlay(MultiPort([1, 0], [1, 0]), "any", 2, arcs, 1, 1, (), True)
    check(overlay)
    assert told(drawing.svg(overlay), r"\[(\S+), (\S+)\) from 0, rate 1") == [("0", "1")]


def test_allowed_arcs_count_as_degrees() -> None:
    """The source may send to 1 only, whatever its degree: 2 T is at most 4 + T."""
    machine = MultiPort([5, 4, 4], [2, 2, 2], arcs=[(0, 1), (1, 2)])
    overlay = Overlay(machine, "any", 1, (), 0, 4, (), False)
    check(overlay)
    assert bound_in_short(Traffic(overlay)).endswith("is sent, 4 + 1 T: T is at most 4")


def test_what_a_node_may_receive_is_told() -> None:
    machine = MultiPort([2, 1, 1], [2, 1, 1], [0, 3, Fraction(5, 2)])
    overlay = augmented_overlay(machine)
    titles = [(node, limit) for node, limit in told(drawing.svg(overlay), r"(\d):.*at most (\S+)")]
    assert titles == [("1", "3"), ("2", "5/2")]
    assert "<td>5/2</td>" in drawing.html(overlay)


def test_large_overlays_make_small_pictures() -> None:
    for size, most in ((100, 200_000), (500, 600_000), (20_000, 300_000)):
        machine = MultiPort([40, *(k % 17 for k in range(size))], [3] * (size + 1))
        assert len(drawing.html(augmented_overlay(machine))) < most


def test_long_and_strange_names_and_numbers() -> None:
    names = ("</svg>", "a" * 5000, "\u05d0\u202e", "", "\n")
    large = MultiPort([10**90, 10**89, Fraction(1, 10**80), 0, 10**90 // 7], [2] * 5, names=names)
    for make in CONSTRUCTIONS:
        overlay = make(large)
        assert len(drawing.svg(overlay)) < 40_000
        parsed(drawing.svg(overlay))
        assert_page(drawing.html(overlay))


def test_from_a_document_and_a_file(run: Run) -> None:
    overlay = augmented_overlay(FIGURE_1)
    assert drawing.svg(to_document(overlay)) == drawing.svg(overlay)
    assert run("overlay ipdps-fig1 --method augmented -o found.json").code == 0
    said = run("draw found.json -o found.svg")
    assert said.out.startswith("found.svg: overlay to 2 nodes at rate 2 proved optimal")
    assert Path("found.svg").read_text().startswith("<svg")
    assert run("draw found.json -o found.html").code == 0
    before = files()
    line = refused(run("draw found.json -o trace.json"))
    assert "an overlay has rates and no times" in line
    assert files() == before


def test_refusals() -> None:
    with pytest.raises(InvalidInput, match="no times"):
        drawing.trace(augmented_overlay(FIGURE_1))
    document = to_document(augmented_overlay(FIGURE_1))
    with pytest.raises(Malformed):
        drawing.svg({**document, "parts": 0})


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_the_proofs_are_those_drawn_now(name: str) -> None:
    overlay = FIGURES[name]()
    check(overlay)
    figures = Path(__file__).parents[2] / "proofs" / "figures"
    assert (figures / f"{name}.svg").read_text(encoding="utf-8") == drawing.svg(overlay)
