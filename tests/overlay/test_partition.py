"""3-PARTITION and overlays: both directions of the reduction, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.certificate.overlay import Overlay, Piece
from exactsched.check import check
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import best_on
from exactsched.oracles.three_partition import groupings
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.partition import overlay_of_partition, partition_machine, partition_of
from exactsched.overlay.shares import overlay_of_rates

NO_INSTANCE = (6, 6, 6, 6, 7, 9)

Groups = tuple[tuple[int, ...], ...]


# By definition ----------------------------------------------------------------------------------


def largest_sum(numbers: tuple[int, ...], groups: Groups) -> int:
    return max(sum(numbers[index] for index in group) for group in groups)


@st.composite
def triples(draw: st.DrawFn, least: int = 1) -> tuple[tuple[int, ...], Groups]:
    """Numbers with a partition, and this partition."""
    target = draw(st.integers(6, 60))
    low, high = target // 4 + 1, (target - 1) // 2
    possible = [
        (one, two, target - one - two)
        for one, two in product(range(low, high + 1), repeat=2)
        if low <= target - one - two <= high
    ]
    chosen = draw(st.lists(st.sampled_from(possible or [(2, 2, 2)]), min_size=least, max_size=5))
    if not possible:
        chosen = [(2, 2, 2)] * len(chosen)
    order = draw(st.permutations(range(3 * len(chosen))))
    numbers = [0] * len(order)
    groups = []
    for place, triple in enumerate(chosen):
        group = tuple(order[3 * place : 3 * place + 3])
        groups.append(group)
        for index, number in zip(group, triple, strict=True):
            numbers[index] = number
    return tuple(numbers), tuple(groups)


def chain_in_another_order(draw: st.DrawFn, numbers: tuple[int, ...], groups: Groups) -> Overlay:
    """The chain of lemma 3.4, where a relay may be anywhere after the server of its group."""
    count, target = len(groups), sum(numbers) // len(groups)
    server_of = {index: place for place, group in enumerate(groups) for index in group}
    order, waiting = [0], set(range(1, 4 * count))
    while waiting:
        placed = set(order)
        ready = sorted(
            node for node in waiting if node < count or server_of[node - count] in placed
        )
        order.append(draw(st.sampled_from(ready)))
        waiting.remove(order[-1])
    order.append(4 * count)
    pieces: dict[tuple[int, int], tuple[Piece, ...]] = {}
    for node, following in pairwise(order):
        if node < count:
            pieces[node, following] = ((0, target),)
        else:
            own = target - numbers[node - count]
            pieces[node, following] = ((0, own),)
            pieces[server_of[node - count], following] = ((own, target),)
    arcs = tuple((i, j, ranges) for (i, j), ranges in sorted(pieces.items()))
    machine = partition_machine(numbers)
    return Overlay(machine, "any", target, arcs, target, target, (), True)


# Both directions --------------------------------------------------------------------------------


@given(triples())
def test_a_partition_becomes_an_overlay_and_is_read_off_again(
    instance: tuple[tuple[int, ...], Groups],
) -> None:
    numbers, groups = instance
    overlay = overlay_of_partition(numbers, groups)
    claim = check(overlay)
    assert claim.throughput == claim.bound == sum(numbers) // len(groups)
    assert claim.optimal
    assert claim.excess == 0
    assert partition_of(overlay) == tuple(tuple(sorted(group)) for group in groups)
    # It is acyclic, and the acyclic bound is the same.
    assert check(replace(overlay, structure="acyclic")).optimal


@given(st.data(), triples())
def test_a_partition_is_read_off_other_overlays(
    data: st.DataObject, instance: tuple[tuple[int, ...], Groups]
) -> None:
    numbers, groups = instance
    overlay = chain_in_another_order(data.draw, numbers, groups)
    assert check(overlay).optimal
    assert partition_of(overlay) == tuple(tuple(sorted(group)) for group in groups)


@given(triples(), st.integers(1, 5))
def test_a_partition_is_read_off_slower_overlays(
    instance: tuple[tuple[int, ...], Groups], denominator: int
) -> None:
    """Everything a little slower, up to the limit."""
    numbers, groups = instance
    overlay = overlay_of_partition(numbers, groups)
    limit = 4 * len(groups)
    slower = replace(overlay, optimal=False, throughput=overlay.throughput - Fraction(1, limit + 1))
    assert not check(slower).optimal
    assert partition_of(slower) == partition_of(overlay)
    too_slow = replace(slower, throughput=overlay.throughput - Fraction(denominator, limit))
    with pytest.raises(InvalidInput, match=rf"throughput: .* - 1/{limit}"):
        partition_of(too_slow)


def test_all_overlays_for_one_group() -> None:
    """p = 1, where every instance has a partition: all supports, and overlays of their rates."""
    machine = partition_machine([6, 7, 7])
    everybody = [(0, node) for node in range(1, 5)]
    fast = 0
    for receivers in product(*[[j for j in range(1, 5) if j != i] for i in (1, 2, 3)]):
        arcs = everybody + list(zip((1, 2, 3), receivers, strict=True))
        best, rates = best_on(machine, arcs)
        if best == 20:
            overlay = overlay_of_rates(machine, "any", rates, 20, 20)
            assert check(overlay).optimal
            assert partition_of(overlay) == ((0, 1, 2),)
            fast += 1
    # Relays in a chain, 6 orders, or in a cycle of three, which needs a sum of T from outside.
    assert fast == 8


# Without a partition ----------------------------------------------------------------------------


def test_the_instance_without_a_partition() -> None:
    machine = partition_machine(NO_INSTANCE)
    sums = {groups: largest_sum(NO_INSTANCE, groups) for groups in groupings(tuple(range(6)))}
    assert len(sums) == 10
    assert 20 not in sums.values()
    best = min(sums, key=lambda groups: sums[groups])
    overlay = overlay_of_partition(NO_INSTANCE, best)
    claim = check(overlay)
    assert (claim.throughput, claim.bound, claim.optimal) == (Fraction(79, 4), 20, False)
    proof = prove_by_cases(machine, Fraction(79, 4))
    assert proof is not None
    proved = replace(overlay, bound=Fraction(79, 4), proof=(proof,), optimal=True)
    assert check(proved).optimal
    with pytest.raises(InvalidInput, match=r"throughput: .79/4.: .* above 20 - 1/8"):
        partition_of(proved)


@given(triples(least=2), st.data())
def test_any_grouping_has_the_throughput_of_its_largest_sum(
    instance: tuple[tuple[int, ...], Groups], data: st.DataObject
) -> None:
    numbers, groups = instance
    order = data.draw(st.permutations(range(len(numbers))))
    mixed = tuple(tuple(order[3 * k : 3 * k + 3]) for k in range(len(groups)))
    overlay = overlay_of_partition(numbers, mixed)
    target = sum(numbers) // len(groups)
    claim = check(overlay)
    assert claim.throughput == target - Fraction(largest_sum(numbers, mixed) - target, 4)
    assert claim.optimal == (largest_sum(numbers, mixed) == target)
    assert claim.excess == 0


def test_two_groups_every_way() -> None:
    """p = 2: partitions by trying all, and exactly these give overlays of throughput T."""
    seen = set()
    for target in (9, 11, 13):
        low, high = target // 4 + 1, (target - 1) // 2
        for numbers in product(range(low, high + 1), repeat=6):
            if sum(numbers) != 2 * target or list(numbers) != sorted(numbers):
                continue
            fastest = max(
                overlay_of_partition(numbers, groups).throughput
                for groups in groupings(tuple(range(6)))
            )
            exists = any(
                sum(numbers[index] for index in triple) == target
                for triple in combinations(range(6), 3)
            )
            assert (fastest == target) == exists
            seen.add(exists)
    assert seen == {True, False}


# Refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ([], "three numbers for each group"),
        ([6, 7], "three numbers for each group"),
        ([6, 7, 7.0], r"numbers\[2\]: 7.0: 3-PARTITION is about integers"),
        ([6, 7, True], r"numbers\[2\]: True"),
        ([6, 7, "7"], r"numbers\[2\]"),
        ([6, 6, 6, 6, 7, 8], "numbers: 39: the sum is a multiple of the number of groups, 2"),
        ([5, 7, 8], r"numbers\[0\]: 5: .*larger than T/4.*T = 20"),
        ([6, 4, 10], r"numbers\[1\]: 4"),
        ([6, 10, 4], r"numbers\[1\]: 10: .*smaller than T/2"),
        ([0, 0, 0], r"numbers\[0\]: 0"),
    ],
)
def test_numbers_are_refused(numbers: list[int], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        partition_machine(numbers)
    with pytest.raises(InvalidInput, match=reason):
        overlay_of_partition(numbers, [(0, 1, 2)])


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([(0, 1, 2)], "groups: 1: 2 groups of three"),
        ([(0, 1, 2), (3, 4)], r"groups\[1\]: \[3, 4\]: a group has three members"),
        ([(0, 1, 2), (3, 4, 4)], r"groups\[1\]: 4: every index of 0..5 is in one group"),
        ([(0, 1, 2), (3, 4, 6)], r"groups\[1\]: 6"),
        ([(0, 1, 2), (3, 4, -1)], r"groups\[1\]: -1"),
        ([(0, True, 2), (3, 4, 5)], r"groups\[0\]: True"),
    ],
)
def test_groups_are_refused(groups: list[tuple[int, ...]], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        overlay_of_partition(NO_INSTANCE, groups)


OTHER_MACHINES = [
    MultiPort([2, 1, 1], [2, 1, 1]),
    MultiPort([40, 14, 13, 13], [4, 1, 1, 1]),
    MultiPort([40, 14, 13, 13, 1], [4, 1, 1, 1, 0]),
    MultiPort([40, 14, 13, 13, 0], [3, 1, 1, 1, 0]),
    MultiPort([40, 14, 13, "27/2", 0], [4, 1, 1, 1, 0]),
    MultiPort([40, 14, 13, 12, 0], [4, 1, 1, 1, 0]),
    MultiPort([40, 14, 13, 13, 0], [4, 1, 1, 1, 0], incoming=[30] * 5),
    MultiPort([40, 14, 13, 13, 0], [4, 1, 1, 1, 0], arcs=[(0, 1), (0, 2)]),
    MultiPort([40, 40, 14, 13, 13, 14, 13, 13, 0], [4, 5, 1, 1, 1, 1, 1, 1, 0]),
    MultiPort([40, 39, 14, 13, 13, 14, 13, 13, 0], [4, 4, 1, 1, 1, 1, 1, 1, 0]),
]


@pytest.mark.parametrize("machine", OTHER_MACHINES)
def test_other_machines_are_refused(machine: MultiPort) -> None:
    overlay = overlay_of_partition([6, 7, 7], [(0, 1, 2)])
    with pytest.raises(InvalidInput, match=r"machine: .*not one of partition_machine"):
        partition_of(replace(overlay, machine=machine))


def test_no_partition_is_read_off_what_is_no_overlay() -> None:
    """Whatever triple the arcs name, its sum is looked at."""
    for groups in groupings(tuple(range(6))):
        overlay = overlay_of_partition(NO_INSTANCE, groups)
        false = replace(overlay, throughput=20, optimal=True)
        with pytest.raises(Rejected):
            check(false)
        with pytest.raises(InvalidInput, match=r"arcs of node \d: .*sum 20"):
            partition_of(false)
    overlay = overlay_of_partition([6, 7, 7], [(0, 1, 2)])
    with pytest.raises(InvalidInput, match=r"arcs of node 0: \[0, 1\]"):
        partition_of(replace(overlay, arcs=tuple(a for a in overlay.arcs if a[:2] != (0, 4))))


def test_a_relay_counts_once() -> None:
    numbers = (6, 7, 7, 6, 7, 7)
    overlay = overlay_of_partition(numbers, [(0, 1, 2), (3, 4, 5)])
    # Server 1 is made to help the nodes that server 0 helps: no partition.
    arcs = [arc for arc in overlay.arcs if arc[0] != 1]
    arcs += [(1, receiver, pieces) for sender, receiver, pieces in overlay.arcs if sender == 0]
    with pytest.raises(InvalidInput, match=r"groups\[1\]: 0: every index"):
        partition_of(replace(overlay, arcs=tuple(arcs)))


def test_order_of_numbers_and_groups_is_free() -> None:
    throughputs = {
        overlay_of_partition(numbers, [(0, 1, 2)]).throughput for numbers in permutations([6, 7, 7])
    }
    assert throughputs == {20}


def test_names_do_not_matter() -> None:
    overlay = overlay_of_partition([6, 7, 7], [(0, 1, 2)])
    named = replace(overlay, machine=replace(overlay.machine, names=tuple("abcde")))
    assert partition_of(named) == ((0, 1, 2),)
