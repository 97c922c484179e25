"""Single rules of the checker against their definitions: whole documents hardly reach these."""

from __future__ import annotations

import random
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.graphs import MatchingDecomposition, TimedMatching
from exactsched.certificate.overlay import CaseProof, Overlay
from exactsched.certificate.synchronous import OccupancyProof
from exactsched.check import check
from exactsched.check.collectives.potentials import _Prices, _refuse_steep_merges
from exactsched.check.logp.buffered import _last_reception, _most_waiting
from exactsched.check.logp.cycles import _refuse_incomplete
from exactsched.check.overlay.case_proof import bound_of
from exactsched.check.proved import shown
from exactsched.check.synchronous.bounds import _by_occupancy
from exactsched.exact.errors import Rejected
from exactsched.model.machine import MultiPort
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction

# LogP --------------------------------------------------------------------------------------------


@st.composite
def cycles(draw: st.DrawFn) -> list[tuple[int, tuple[tuple[int, int, int], ...]]]:
    """Cycles (shift, roles) of roles (delay, children, wait); they need not be trees."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        shift = draw(st.integers(1, 4))
        count = shift * draw(st.integers(1, 2))
        role = st.tuples(st.integers(0, 6), st.just(0), st.integers(0, 9))
        found.append((shift, tuple(draw(st.lists(role, min_size=count, max_size=count)))))
    return found


def receptions(chosen: Any, latency: int, items: int) -> list[int]:
    """Item v meets, in some processor of the cycle, every role that is v + delay + L steps on."""
    return [
        item + delay + wait + latency
        for shift, roles in chosen
        for number, (delay, _, wait) in enumerate(roles)
        for item in range(items)
        if (item + delay + wait + latency - number) % shift == 0
    ]


@given(cycles(), st.integers(1, 5), st.integers(1, 12))
def test_the_last_reception_by_trying_all_items(chosen: Any, latency: int, items: int) -> None:
    listed = receptions(chosen, latency, items)
    if listed:
        assert _last_reception(chosen, items, latency) == max(listed)


@given(cycles())
def test_what_waits_by_counting_every_step(chosen: Any) -> None:
    for _, roles in chosen:
        length = len(roles)
        waiting = [0] * length
        for number, (_, _, wait) in enumerate(roles):
            for step in range(number - wait, number):
                waiting[step % length] += 1
        assert _most_waiting(roles) == max(waiting)


@given(cycles(), st.integers(1, 5), st.integers(1, 12), st.integers(-2, 2))
def test_who_receives_too_late_by_trying_all_items(
    chosen: Any, latency: int, items: int, spare: int
) -> None:
    """Without an endgame every copy is needed by everybody."""
    plain = [(shift, tuple((delay, 0) for delay, _, _ in roles)) for shift, roles in chosen]
    now = [(shift, tuple((delay, 0, 0) for delay, _, _ in roles)) for shift, roles in chosen]
    depth = max(delay for _, roles in plain for delay, _ in roles)
    last = max([items - 1 + latency, *receptions(now, latency, items)])
    stated: Any = SimpleNamespace(cycles=plain, items=items, endgame=(), time=last + spare)
    if spare < 0:
        with pytest.raises(Rejected):
            _refuse_incomplete(stated, latency, depth)
    else:
        _refuse_incomplete(stated, latency, depth)


# Reductions --------------------------------------------------------------------------------------


def test_a_gain_of_one_unit_needs_a_price() -> None:
    """The potential of v[0,1] is 1, and nobody is paid for making it."""
    platform = Platform("ab", [("a", "b", 1)])
    asked = Reduction(platform, "aa", (((0, 1), "a"),), 1, (("a", 1),))  # type: ignore[arg-type]
    places = {interval: place for place, interval in enumerate(asked.intervals)}
    gains = [[[0, 0, 0]], [[0, 0, 0]]]
    gains[0][0][places[0, 1]] = 1
    with pytest.raises(Rejected, match="a task adds at most its priced time") as caught:
        _refuse_steep_merges(asked, _Prices(asked, {}, {}), gains, places)
    assert caught.value.value == "no price"
    _refuse_steep_merges(asked, _Prices(asked, {"compute:a": 1}, {}), gains, places)


def test_one_value_is_never_merged() -> None:
    """A processor that could compute gains nothing, and needs no price."""
    platform = Platform("ab", [("a", "b", 1)])
    asked = Reduction(platform, "a", (((0, 0), "b"),), 1, (("a", 1),))  # type: ignore[arg-type]
    _refuse_steep_merges(asked, _Prices(asked, {}, {}), [[[0]], [[1]]], {(0, 0): 0})


# Overlays ----------------------------------------------------------------------------------------


def test_the_excess_is_the_largest_one() -> None:
    """The source has two receivers too many, node 1 has one."""
    whole = ((0, 1),)
    arcs = ((0, 1, whole), (0, 2, whole), (0, 3, whole), (1, 4, whole), (1, 5, whole))
    machine = MultiPort([3, 2, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1])
    stated = Overlay(machine, "any", 1, arcs, 1, Fraction(5, 6), (), False)
    with pytest.raises(Rejected, match="what is proved is") as caught:
        check(stated)
    bound = Fraction(caught.value.rule.split()[-1])
    claim: Any = check(Overlay(machine, "any", 1, arcs, 1, bound, (), False))
    assert (claim.excess, claim.above) == (2, 2)


def test_a_factor_below_zero_by_one_unit() -> None:
    proof = CaseProof(1, 2, (), (), (), ((0, (("send", 0, 0, -1),)),))
    with pytest.raises(Rejected, match="a factor of an inequality is >= 0"):
        bound_of(MultiPort([2, 1, 1], [1, 1, 0]), proof)


def test_only_receivers_in_their_order_are_alike() -> None:
    """The source sends as much as node 1, and is no receiver; node 2 is not before node 1."""
    machine = MultiPort([2, 2, 2], [1, 1, 1])
    for pair in ((0, 1), (2, 1), (1, 1), (1, 3)):
        proof = CaseProof(1, 2, (), (), (), ((0, (("order", *pair, 1),)),))
        with pytest.raises(Rejected, match="there is no such row"):
            bound_of(machine, proof)
    proof = CaseProof(1, 2, (), (), (), ((0, (("order", 1, 2, 1),)),))
    with pytest.raises(Rejected) as caught:
        bound_of(machine, proof)
    assert caught.value.rule != "there is no such row"


@pytest.mark.parametrize(
    "row",
    [
        *[(rule, 0, 1) for rule in ("send", "rate", "degree")],
        *[(rule, -1, 0) for rule in ("send", "rate", "degree", "cut", "incoming")],
        *[(rule, 3, 0) for rule in ("send", "rate", "degree", "receive", "incoming")],
        *[(rule, 0, 0) for rule in ("receive", "incoming", "link", "feed")],
        *[("receive", 1, 1), ("cut", 1, 0), ("cut", 0, 1), ("incoming", 1, 1)],
        *[("bound", 1, 0), ("bound", 0, 1), ("link", 2, 1), ("used", 1, 1), ("feed", 1, 1)],
    ],
)
def test_rows_that_a_proof_cannot_have(row: tuple[str, int, int]) -> None:
    machine = MultiPort([2, 1, 1], [1, 1, 0], [2, 2, 2])
    proof = CaseProof(1, 2, (), ((1,),), (), ((0, ((*row, 1),)),))
    with pytest.raises(Rejected, match="there is no such row"):
        bound_of(machine, proof)


def test_places_are_no_more_than_receivers() -> None:
    """Two receivers have two places, whatever the degrees."""
    machine = MultiPort([2, 2, 2], [3, 3, 3])
    proof = CaseProof(1, 3, (0, 1, 2), (), (), ((0, (("link", 0, 3, 1),)),))
    with pytest.raises(Rejected, match="there is no such row"):
        bound_of(machine, proof)


# Synchronous runs --------------------------------------------------------------------------------


@pytest.mark.parametrize("members", [3, 5, 7])
def test_odd_sets_offer_half_of_their_members_rounded_down(members: int) -> None:
    """Around an odd ring: everybody but the source receives 5 packets, (P - 1) / 2 in a step."""
    arcs = tuple(
        arc
        for node in range(members)
        for arc in ((node, (node + 1) % members, 1), ((node + 1) % members, node, 1))
    )
    graph: Any = SimpleNamespace(
        size=members, ports="half-duplex", arcs=arcs, packets=5, own=[5] + [0] * (members - 1)
    )
    cuts = tuple(((node,), Fraction(1)) for node in range(1, members))
    everybody = ((tuple(range(members)), Fraction(1)),)
    proof = OccupancyProof((Fraction(0),) * members, everybody, cuts)
    assert _by_occupancy(graph, (proof,)) == 5 * (members - 1) // (members // 2) == 10


# Messages ----------------------------------------------------------------------------------------


def test_long_numbers_are_shown_by_their_size() -> None:
    """Rounded to five digits the first part is at least 1 and less than 10."""
    dice = random.Random(0)
    for number in (
        Fraction(10**160 - 1, 1),
        Fraction(10**160, 10**40 + 1),
        Fraction(99999 * 10**160 + 1, 10**5),
        *[Fraction(dice.getrandbits(500), dice.getrandbits(200) | 1) for _ in range(50)],
    ):
        first, _, exponent = shown(number).removeprefix("~").partition("e")
        assert 1 <= float(first) < 10
        assert abs(Fraction(first) * Fraction(10) ** int(exponent) / number - 1) < Fraction(
            1, 10**4
        )


def test_edges_that_meet_are_named() -> None:
    edges = ((0, 0), (1, 1), (0, 1))
    stated = MatchingDecomposition(edges, (1, 1, 1), (TimedMatching(1, (0, 1, 2)),), 1)
    with pytest.raises(Rejected, match="no two edges of a matching share a node") as caught:
        check(stated)
    assert caught.value.value in ([0, 2], [1, 2])
