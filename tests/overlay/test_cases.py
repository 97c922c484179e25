"""Proofs by cases: complete against brute force, short where it matters, and never too strong."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.certificate.overlay import CaseProof
from exactsched.check.overlay.case_proof import bound_of
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import best_on, best_throughput, supports
from exactsched.overlay import cases
from exactsched.overlay.case_program import violated_cuts
from exactsched.overlay.cases import best_proof_by_cases, prove_by_cases, simplest_between
from exactsched.overlay.relaxation import Relaxation, Row

NO_INSTANCE = MultiPort([40, 40, 14, 14, 14, 14, 13, 11, 0], [4, 4, 1, 1, 1, 1, 1, 1, 0])
# The source can serve one node, which can serve one: neither degrees nor bandwidths alone say so.
CHAINED = MultiPort([19, 10, 14, 13, 8], [1, 1, 1, 2, 1])


@st.composite
def machines(draw: st.DrawFn, most: int = 3) -> MultiPort:
    size = draw(st.integers(2, most + 1))
    bandwidth = st.one_of(st.integers(0, 6), st.fractions(0, 6, max_denominator=4))
    bandwidths = draw(st.lists(bandwidth, min_size=size, max_size=size))
    degrees = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    incoming = draw(st.one_of(st.just([]), st.lists(bandwidth, min_size=size, max_size=size)))
    pairs = [(i, j) for i in range(size) for j in range(1, size) if i != j]
    arcs = draw(st.one_of(st.just([]), st.lists(st.sampled_from(pairs), unique=True)))
    return MultiPort(bandwidths, degrees, incoming, arcs)


@given(machines())
def test_the_optimum_is_proved_and_nothing_less(machine: MultiPort) -> None:
    best = best_throughput(machine)
    proof = prove_by_cases(machine, best)
    assert proof is not None
    assert proof.bound == bound_of(machine, proof) == best
    if best:
        assert prove_by_cases(machine, best * Fraction(99, 100)) is None


@settings(max_examples=4)
@given(
    st.lists(st.integers(1, 9), min_size=5, max_size=5),
    st.lists(st.integers(0, 2), min_size=5, max_size=5),
)
def test_five_nodes(bandwidths: list[int], degrees: list[int]) -> None:
    machine = MultiPort(bandwidths, [1, *degrees[1:]])
    best = best_throughput(machine)
    proof = prove_by_cases(machine, best)
    assert proof is not None
    assert bound_of(machine, proof) == best


@given(machines(), st.fractions("1/9", 9, max_denominator=9))
def test_a_faster_machine_needs_the_same_proof(machine: MultiPort, factor: Fraction) -> None:
    best = best_throughput(machine)
    faster = MultiPort(
        [factor * b for b in machine.bandwidths],
        machine.degrees,
        [factor * b for b in machine.incoming],
        machine.arcs,
    )
    proof = prove_by_cases(faster, factor * best)
    assert proof is not None
    assert bound_of(faster, proof) == factor * best


def test_three_partition_without_a_partition() -> None:
    proof = prove_by_cases(NO_INSTANCE, Fraction(79, 4))
    assert proof is not None
    assert proof.places
    assert bound_of(NO_INSTANCE, proof) == Fraction(79, 4)
    assert len(proof.leaves) < 400  # a general solver needs 130,000 nodes and more


def test_three_partition_with_a_partition() -> None:
    numbers = [6, 6, 8, 6, 7, 7]
    machine = MultiPort([40, 40, *(20 - a for a in numbers), 0], [4, 4, *([1] * 6), 0])
    proof = prove_by_cases(machine, 20)
    assert proof is not None
    assert len(proof.leaves) == 1
    assert bound_of(machine, proof) == 20
    assert prove_by_cases(machine, Fraction(79, 4), nodes=150) is None


def test_cuts_are_needed_where_nodes_have_to_be_told_apart() -> None:
    best = best_throughput(CHAINED)
    proof = prove_by_cases(CHAINED, best)
    assert proof is not None
    assert proof.cuts
    assert not proof.places
    assert bound_of(CHAINED, proof) == best


def test_exact_duals_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "DENOMINATORS", ())
    proof = prove_by_cases(CHAINED, 13)
    assert proof is not None
    assert bound_of(CHAINED, proof) == best_throughput(CHAINED) == 13


def test_limits() -> None:
    assert prove_by_cases(CHAINED, best_throughput(CHAINED), nodes=2) is None
    assert prove_by_cases(NO_INSTANCE, Fraction(79, 4), seconds=0) is None
    with pytest.raises(InvalidInput, match=r"bound: .*-1.*not negative"):
        prove_by_cases(CHAINED, -1)
    with pytest.raises(InvalidInput, match="bound"):
        prove_by_cases(CHAINED, 1.5)


def test_the_best_bound_within_a_limit() -> None:
    best = best_throughput(CHAINED)
    all_in = best_proof_by_cases(CHAINED, best, 19)
    assert all_in is not None
    assert all_in.bound == best
    some = best_proof_by_cases(CHAINED, best, 19, nodes=4)
    assert some is not None
    assert best < some.bound < 19
    assert bound_of(CHAINED, some) == some.bound
    assert best_proof_by_cases(CHAINED, best, 19, seconds=0) is None


def holds(row: Row, throughput: Fraction, rates: dict[tuple[int, int], Fraction]) -> bool:
    left = row.throughput * throughput
    left += sum(value * rates.get(arc, Fraction(0)) for arc, value in row.rates.items())
    left += sum(value for arc, value in row.uses.items() if rates.get(arc))
    return left == row.right if row.equal else left <= row.right


@settings(max_examples=35)
@given(machines(), st.data())
def test_overlays_solve_the_program(machine: MultiPort, data: st.DataObject) -> None:
    """All rows hold for every overlay above the bound, after the names are changed as proved."""
    arcs = data.draw(st.sampled_from(list(supports(machine))))
    throughput, rates = best_on(machine, arcs)
    if not throughput:
        return
    bound = throughput * data.draw(st.fractions("1/2", "19/20", max_denominator=20))
    ceiling = throughput * data.draw(st.fractions(1, 2, max_denominator=5))
    nodes = range(1, machine.size)
    rates = {arc: rate for arc, rate in rates.items() if rate}

    program = Relaxation(machine, bound, ceiling, ())
    feeds = [("feed", node, wanted) for node in nodes for wanted in range(2, 8)]
    rows = [program.row(name) for name in program.standing() + feeds]
    rows += [
        program.row(("cut", 0, 0), inside)
        for count in nodes
        for inside in combinations(nodes, count)
    ]
    kinds = list(zip(machine.bandwidths, machine.degrees, strict=True))
    renamed = (
        {(order[i], order[j]): rate for (i, j), rate in rates.items()}
        for order in ((0, *rest) for rest in permutations(nodes))
        if all(kinds[node] == kinds[order[node]] for node in nodes)
        and (not machine.arcs or order == tuple(range(machine.size)))
    )
    assert any(all(holds(row, throughput, named) for row in rows) for named in renamed)

    if machine.arcs:
        return
    places = data.draw(st.permutations(range(machine.size)))
    program = Relaxation(machine, bound, ceiling, tuple(places))
    rows = [program.row(name) for name in program.standing() + feeds]
    possible = set(program.arcs())
    senders = [
        order
        for order in permutations(range(machine.size))
        if all(kinds[node] == kinds[order[node]] for node in range(machine.size))
    ]
    placed = (
        {(order[i], place[j - 1]): rate for (i, j), rate in rates.items()}
        for order, place in product(senders, permutations(nodes))
    )
    assert any(
        named.keys() <= possible and all(holds(row, throughput, named) for row in rows)
        for named in placed
    )


PROOFS = [
    (machine, proof)
    for machine, bound in ((CHAINED, best_throughput(CHAINED)), (NO_INSTANCE, Fraction(79, 4)))
    if (proof := prove_by_cases(machine, bound)) is not None
]
MACHINE, PROOF = PROOFS[0]
PLACES_MACHINE, PLACES_PROOF = PROOFS[1]


@settings(max_examples=200)
@given(st.sampled_from(PROOFS), st.data())
def test_no_changed_proof_proves_too_much(
    pair: tuple[MultiPort, CaseProof], data: st.DataObject
) -> None:
    """A change is rejected, unless it proves no more than is true."""
    machine, proof = pair
    draw = data.draw
    index = draw(st.integers(0, len(proof.leaves) - 1))
    case, factors = proof.leaves[index]
    at = draw(st.integers(0, len(factors) - 1))
    rule, first, second, factor = factors[at]
    rules = ["send", "rate", "degree", "link", "receive", "cut", "bound", "used", "chosen"]
    changed = draw(
        st.sampled_from(
            [
                (rule, first, second, Fraction(factor) / 2),
                (rule, first, second, -factor),
                (rule, second, first, factor),
                (rule, first + 1, second, factor),
                (rule, first, second + 1, factor),
                (draw(st.sampled_from([*rules, "feed", "order", "incoming"])), *factors[at][1:]),
            ]
        )
    )
    row = (case, (*factors[:at], changed, *factors[at + 1 :]))
    shorter = (case, (*factors[:at], *factors[at + 1 :]))
    leaf = draw(st.sampled_from([row, shorter]))
    leaves = (*proof.leaves[:index], leaf, *proof.leaves[index + 1 :])
    smaller = proof.bound * Fraction(99, 100)
    bound = draw(st.sampled_from([proof.bound, smaller]))
    try:
        proved = bound_of(machine, replace(proof, leaves=leaves, bound=bound))
    except Rejected:
        return
    assert proved == proof.bound


def without(rows: tuple, index: int) -> tuple:
    return rows[:index] + rows[index + 1 :]


def first_leaf(proof: CaseProof, *factors: tuple) -> CaseProof:
    case, _ = proof.leaves[0]
    return replace(proof, leaves=((case, factors), *proof.leaves[1:]))


BRANCH = PROOF.branches[0]
REFUSED = [
    (replace(PROOF, bound=-1), "bound", "not negative"),
    (replace(PROOF, ceiling=PROOF.bound), "ceiling", "above the bound"),
    (replace(PROOF, cuts=((),)), r"cuts\[0\]", "into no node"),
    (replace(PROOF, cuts=((0, 1), *PROOF.cuts[1:])), r"cuts\[0\]", "other than the source"),
    (replace(PROOF, cuts=((5,), *PROOF.cuts[1:])), r"cuts\[0\]", "other than the source"),
    (replace(PROOF, places=(0, 1, 2, 3)), "places", "listed once"),
    (replace(PROOF, places=(0, 1, 2, 3, 4)), "cuts", "no cuts among places"),
    (replace(PROOF, branches=(*PROOF.branches, BRANCH)), "branches", "split once"),
    (replace(PROOF, branches=((0, 1, 0, 1, 2),)), r"branches\[0\]", "nothing can be sent"),
    (replace(PROOF, branches=((0, 0, 1, 0, 2),)), r"branches\[0\]", "larger numbers"),
    (
        replace(PROOF, branches=((0, 0, 1, 1, 1),), leaves=((1, ()),)),
        "leaves|branches",
        "part of one|add up",
    ),
    (
        replace(PROOF, branches=((0, 0, 1, 1, 2), (2, 0, 1, 3, 4)), leaves=()),
        "case 2",
        "decided before",
    ),
    (replace(PROOF, leaves=without(PROOF.leaves, 1)), "cases", "split or proved"),
    (replace(PROOF, leaves=(*PROOF.leaves, PROOF.leaves[0])), "leaves", "split or proved, and"),
    (replace(PROOF, leaves=(*PROOF.leaves, (10**6, ()))), "cases", "belong to the proof"),
    (first_leaf(PROOF), r"leaves\[0\]: '?0", "less than 0"),
    (first_leaf(PROOF, ("send", 0, 0, 1), ("send", 0, 0, 1)), r"leaves\[0\]", "one factor"),
    (first_leaf(PROOF, ("send", 0, 0, -1)), "send", "inequality is >= 0"),
    (first_leaf(PROOF, ("sent", 0, 0, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("send", 5, 0, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("send", 0, 1, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("link", 1, 1, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("cut", len(PROOF.cuts), 0, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("feed", 1, 1, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("incoming", 1, 0, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("order", 1, 2, 1)), "row", "no such row"),
    (first_leaf(PROOF, ("chosen", 9, 9, 1)), "chosen", "not chosen in this case"),
    (first_leaf(PROOF, ("bound", 0, 0, 1)), r"leaves\[0\]", "at most"),
    (first_leaf(PROOF, ("rate", 1, 0, 1)), r"leaves\[0\]", "of the throughput is >= 0"),
    (first_leaf(PROOF, ("receive", 1, 0, 1)), r"leaves\[0\], arc", "of the rate of an arc"),
    (first_leaf(PROOF, ("link", 0, 1, 1)), r"leaves\[0\], arc", "of the use of an arc"),
]


@pytest.mark.parametrize(("proof", "place", "rule"), REFUSED)
def test_refusals(proof: CaseProof, place: str, rule: str) -> None:
    with pytest.raises(Rejected) as refusal:
        bound_of(MACHINE, proof)
    assert re.search(place, str(refusal.value))
    assert re.search(rule, refusal.value.rule)


def test_places_need_all_arcs() -> None:
    machine = MultiPort([2, 1, 1], [1, 1, 1], (), [(0, 1), (1, 2)])
    with pytest.raises(Rejected, match="all arcs are allowed"):
        bound_of(machine, CaseProof(1, 2, (0, 1, 2), (), (), ()))


def test_order_is_among_alike_in_the_order_of_the_places() -> None:
    def order(first: int, second: int) -> CaseProof:
        return first_leaf(PLACES_PROOF, ("order", first, second, 1))

    for first, second in ((3, 2), (2, 6), (2, 2)):
        with pytest.raises(Rejected, match="no such row"):
            bound_of(PLACES_MACHINE, order(first, second))
    with pytest.raises(Rejected, match="of the use of an arc"):
        bound_of(PLACES_MACHINE, order(2, 3))


def test_nodes_are_alike_only_if_all_arcs_are_allowed() -> None:
    machine = MultiPort([2, 1, 1], [1, 1, 1], (), [(0, 1), (0, 2), (1, 2)])
    proof = CaseProof(1, 2, (), (), (), ((0, (("order", 1, 2, 1),)),))
    with pytest.raises(Rejected, match="no such row"):
        bound_of(machine, proof)


def test_shares_are_rounded_up() -> None:
    """The source alone can feed node 1 at 3, which is more than two shares of 2."""
    machine = MultiPort([3, 0], [1, 0])
    for factor, rule in ((1, "of the use of an arc"), (2, "less than 0")):
        rows = (("feed", 1, 2, 1), ("used", 0, 1, factor))
        with pytest.raises(Rejected, match=rule):
            bound_of(machine, CaseProof(2, 4, (), (), (), ((0, rows),)))


def test_a_bound_of_zero_has_no_shares() -> None:
    machine = MultiPort([1, 1], [0, 1])
    proof = prove_by_cases(machine, 0)
    assert proof is not None
    assert bound_of(machine, proof) == 0
    with pytest.raises(Rejected, match="no such row"):
        bound_of(machine, CaseProof(0, 1, (), (), (), ((0, (("feed", 1, 2, 1),)),)))


@given(st.fractions(0, 5, max_denominator=9), st.fractions("1/99", 1, max_denominator=99))
def test_the_simplest_fraction(low: Fraction, width: Fraction) -> None:
    found = simplest_between(low, low + width)
    assert low < found <= low + width
    for denominator in range(1, found.denominator + 1):
        least = Fraction(low * denominator // 1 + 1, denominator)
        assert least >= found if denominator == found.denominator else least > low + width


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(1, 3)), st.integers(0, 4)))
def test_violated_cuts_are_found(rates: dict[tuple[int, int], int]) -> None:
    floats = {arc: float(rate) for arc, rate in rates.items()}

    def into(inside: tuple[int, ...]) -> int:
        return sum(r for (i, j), r in rates.items() if j in inside and i not in inside)

    least = min(into(c) for k in (1, 2, 3) for c in combinations((1, 2, 3), k))
    found = list(violated_cuts(4, floats, 3.0))
    assert bool(found) == (least < 3)
    assert all(into(inside) < 3 for inside in found)
    assert not found or min(map(into, found)) == least
