"""Links around switches: the theorem by definition, its laws, direct links, and wrong arguments."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched import strategies
from exactsched.certificate.graphs import SplittingOff, UnmetDemand
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.branching_packing import pack_branchings
from exactsched.graphs.splitting_off import split_off
from exactsched.instances.choices import Seeded
from exactsched.instances.switches import SwitchNetwork, switch_network
from exactsched.oracles.switches import fault_of_links, keeps_demands, largest_multiple

SPREADS = st.sampled_from([0, 1, 2, 64])


def networks(bound: int = 6) -> st.SearchStrategy[SwitchNetwork]:
    return strategies.generated(lambda choices: switch_network(choices, bound))


def asked(network: SwitchNetwork) -> tuple[Any, ...]:
    return network.size, network.arcs, network.capacities, network.switches, network.demands


def assert_proved(network: SwitchNetwork, spread: int) -> SplittingOff | UnmetDemand:
    """What is stated is about this network, and the checker proves it."""
    stated = split_off(*asked(network), spread=spread)
    assert (stated.size, stated.arcs) == (network.size, network.arcs)
    assert stated.capacities == network.capacities
    if isinstance(stated, SplittingOff):
        assert (stated.switches, stated.demands) == (network.switches, network.demands)
        assert check(stated).value == sum(network.demands)
    else:
        assert dict(stated.roots) == {(v,): d for v, d in enumerate(network.demands) if d}
        assert not set(stated.nodes) <= set(network.switches)
        check(stated)
    return stated


# The definition ---------------------------------------------------------------------------------


@given(networks(8), SPREADS)
def test_links_exist_exactly_if_no_set_lacks_capacity(network: SwitchNetwork, spread: int) -> None:
    stated = assert_proved(network, spread)
    assert isinstance(stated, SplittingOff) == keeps_demands(*asked(network))
    if isinstance(stated, SplittingOff):
        assert fault_of_links(*asked(network), stated.links) == ""


@given(networks(7), SPREADS)
def test_the_bound_of_all_sets_is_reached_and_not_passed(
    network: SwitchNetwork, spread: int
) -> None:
    most = largest_multiple(*asked(network))
    if most is None:
        return
    for factor, possible in ((most, True), (most + Fraction(1, 10**15), False)):
        demands = tuple(factor * demand for demand in network.demands)
        stated = assert_proved(replace(network, demands=demands), spread)
        assert isinstance(stated, SplittingOff) == possible
        if isinstance(stated, SplittingOff):
            assert fault_of_links(*asked(network)[:4], demands, stated.links) == ""


# Laws -------------------------------------------------------------------------------------------


@given(networks())
def test_integers_need_no_fractions_without_spread(network: SwitchNetwork) -> None:
    stated = split_off(*asked(network), spread=0)
    numbers = (*network.capacities, *network.demands)
    if isinstance(stated, SplittingOff) and all(type(number) is int for number in numbers):
        assert all(type(capacity) is int for _, capacity in stated.links)


@given(networks(), SPREADS, st.builds(Fraction, st.integers(1, 10**9), st.integers(1, 30)))
def test_scaled_numbers_have_scaled_links(
    network: SwitchNetwork, spread: int, factor: Fraction
) -> None:
    scaled = replace(
        network,
        capacities=tuple(factor * number for number in network.capacities),
        demands=tuple(factor * number for number in network.demands),
    )
    one, other = split_off(*asked(network), spread=spread), split_off(*asked(scaled), spread=spread)
    assert isinstance(one, SplittingOff) == isinstance(other, SplittingOff)
    # Quotas are rounded to parts of a unit, which is another one here.
    if isinstance(one, SplittingOff) and spread == 0:
        assert isinstance(other, SplittingOff)
        assert [(path, factor * capacity) for path, capacity in one.links] == list(other.links)


@given(networks(), SPREADS, st.data())
def test_other_names_and_orders_change_no_answer(
    network: SwitchNetwork, spread: int, data: st.DataObject
) -> None:
    name = data.draw(st.permutations(range(network.size)))
    order = data.draw(st.permutations(range(len(network.arcs))))
    demands = [network.demands[name.index(node)] for node in range(network.size)]
    renamed = SwitchNetwork(
        network.size,
        tuple((name[network.arcs[arc][0]], name[network.arcs[arc][1]]) for arc in order),
        tuple(network.capacities[arc] for arc in order),
        tuple(name[switch] for switch in network.switches),
        tuple(demands),
    )
    here, there = assert_proved(network, spread), assert_proved(renamed, spread)
    assert type(here) is type(there)


@given(networks())
def test_without_switches_the_arcs_are_the_links(network: SwitchNetwork) -> None:
    plain = replace(network, switches=())
    stated = split_off(*asked(plain))
    if isinstance(stated, SplittingOff):
        useful = [
            ((arc,), capacity)
            for arc, ((tail, head), capacity) in enumerate(
                zip(plain.arcs, plain.capacities, strict=True)
            )
            if capacity and tail != head
        ]
        assert sorted(stated.links) == useful


# Known answers ----------------------------------------------------------------------------------


def box(terminals: int) -> tuple[int, list[tuple[int, int]], list[int], list[int]]:
    """Terminals around one switch, number `terminals`."""
    arcs = [(v, terminals) for v in range(terminals)] + [(terminals, v) for v in range(terminals)]
    return terminals + 1, arcs, [1] * len(arcs), [terminals]


def test_spread_gives_direct_links_on_a_box_of_eight() -> None:
    stated = split_off(*box(8), [Fraction(1, 7)] * 8 + [0])
    assert isinstance(stated, SplittingOff)
    expected = {((u, 8 + v), Fraction(1, 7)) for u in range(8) for v in range(8) if u != v}
    assert set(stated.links) == expected
    assert check(stated).value == Fraction(8, 7)


def test_without_spread_the_links_of_a_box_are_few() -> None:
    stated = split_off(*box(8), [Fraction(1, 7)] * 8 + [0], spread=0)
    assert isinstance(stated, SplittingOff)
    assert 8 <= len(stated.links) <= 16
    pairs = [(path[0], path[-1] - 8) for path, _ in stated.links]
    shallow = split_off(*box(8), [Fraction(1, 7)] * 8 + [0], spread=3)
    assert isinstance(shallow, SplittingOff)
    assert all(one != other for one, other in pairs)
    assert len(stated.links) < len(shallow.links) < 56


def test_a_limited_spread_uses_all_heads_equally_often() -> None:
    stated = split_off(*box(8), [Fraction(1, 7)] * 8 + [0], spread=2)
    assert isinstance(stated, SplittingOff)
    circle = {(u, 8 + (u + step) % 8) for u in range(8) for step in (1, 4)}
    assert set(stated.links) == {(path, Fraction(1, 2)) for path in circle}


def fat_tree() -> tuple[int, list[tuple[int, int]]]:
    """16 hosts below 8 edge switches, 8 aggregation switches and 4 cores, all links alike."""
    edge, middle, core = 16, 24, 32
    joined = [(host, edge + host // 2) for host in range(16)]
    for pod in range(4):
        for one in range(2):
            joined += [(edge + 2 * pod + other, middle + 2 * pod + one) for other in range(2)]
            joined += [(middle + 2 * pod + one, core + 2 * one + other) for other in range(2)]
    return 36, joined + [(head, tail) for tail, head in joined]


def test_hosts_of_a_fat_tree_reach_each_other_directly() -> None:
    size, arcs = fat_tree()
    rate = Fraction(1, 15)
    stated = split_off(size, arcs, [1] * len(arcs), range(16, 36), [rate] * 16 + [0] * 20)
    assert isinstance(stated, SplittingOff)
    between: dict[tuple[int, int], Any] = {}
    for path, capacity in stated.links:
        pair = arcs[path[0]][0], arcs[path[-1]][1]
        between[pair] = between.get(pair, 0) + capacity
    assert between == {(u, v): rate for u in range(16) for v in range(16) if u != v}


def test_a_chain_of_switches_makes_long_links() -> None:
    count = 20
    arcs = [(v, v + 1) for v in range(count + 1)]
    switches = list(range(1, count + 1))
    stated = split_off(count + 2, arcs, [10**12] * len(arcs), switches, [7] + [0] * (count + 1))
    assert isinstance(stated, SplittingOff)
    assert stated.links == ((tuple(range(count + 1)), 10**12),)


def test_capacity_goes_back_where_it_came_from_only_if_it_must() -> None:
    """All but 2 of what node 0 sends into the switch is wasted; nothing else is."""
    arcs = [(0, 3), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2)]
    for spread in (0, 64):
        stated = split_off(4, arcs, [100, 1, 1, 100, 1, 1], [3], [1, 0, 0, 0], spread=spread)
        assert isinstance(stated, SplittingOff)
        assert sum(capacity for _, capacity in stated.links) == 4


def test_what_returns_to_a_node_is_cut_out_of_a_path() -> None:
    """Two switches send to each other as well; no link visits one of them twice."""
    arcs = [(0, 1), (1, 2), (2, 1), (1, 3), (2, 0), (3, 2)]
    stated = split_off(4, arcs, [3, 4, 3, 2, 2, 1], [1, 2], [1, 0, 0, 1])
    assert isinstance(stated, SplittingOff)
    assert fault_of_links(4, arcs, [3, 4, 3, 2, 2, 1], [1, 2], [1, 0, 0, 1], stated.links) == ""


def test_empty_shards_need_no_links() -> None:
    stated = split_off(3, [(0, 2)], [1], [2], [0, 0, 0])
    assert isinstance(stated, SplittingOff)
    assert (stated.links, check(stated).value) == ((), 0)


def test_a_single_node_needs_no_links() -> None:
    stated = split_off(1, [(0, 0)], [5], [], [3])
    assert isinstance(stated, SplittingOff)
    assert (stated.links, check(stated).value) == ((), 3)


def test_links_are_packed_by_branchings_at_the_full_rate() -> None:
    """Two boxes of four around a switch each, which a third one joins, over half as much."""
    arcs, capacities = [], []
    for box_of_four in range(2):
        for v in range(4):
            arcs += [(4 * box_of_four + v, 8 + box_of_four), (8 + box_of_four, 4 * box_of_four + v)]
            capacities += [10, 10]
        arcs += [(8 + box_of_four, 10), (10, 8 + box_of_four)]
        capacities += [6, 6]
    rate = Fraction(10, 7)
    stated = split_off(11, arcs, capacities, [8, 9, 10], [rate] * 8 + [0] * 3)
    assert isinstance(stated, SplittingOff)
    ends = [(arcs[path[0]][0], arcs[path[-1]][1]) for path, _ in stated.links]
    roots = [([v], rate) for v in range(8)]
    packed = pack_branchings(8, ends, [capacity for _, capacity in stated.links], roots)
    assert check(packed).value == 8 * rate


def test_a_switch_that_copies_is_refused() -> None:
    """Enough enters every set, yet there are no links: the switch would have to copy."""
    arcs, capacities, demands = [(0, 1), (1, 2), (1, 3)], [1, 1, 1], [1, 0, 0, 0]
    assert keeps_demands(4, arcs, capacities, [1], demands)
    with pytest.raises(InvalidInput, match="no more capacity leaves a switch than enters it"):
        split_off(4, arcs, capacities, [1], demands)


# Large ones -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spread", [0, 4, 64])
def test_large_networks_are_proved(seed: int, spread: int) -> None:
    network = switch_network(Seeded(f"splitting off {seed}"), 40)
    assert_proved(network, spread)


def test_many_pieces_of_a_pair_are_put_together() -> None:
    """A hundred parallel arcs into and out of a switch, of different capacities."""
    parallel = 100
    arcs = [(0, 2)] * parallel + [(2, 1)] * parallel + [(1, 0)]
    capacities = [*range(1, parallel + 1), *range(parallel, 0, -1), 5]
    total = sum(range(1, parallel + 1))
    stated = split_off(3, arcs, capacities, [2], [total, 5, 0])
    assert isinstance(stated, SplittingOff)
    assert check(stated).value == total + 5
    assert len(stated.links) <= 2 * parallel + 1
    assert len({path for path, _ in stated.links}) == len(stated.links)


# Arguments --------------------------------------------------------------------------------------

RIGHT: dict[str, Any] = {
    "size": 3,
    "arcs": [(0, 2), (2, 1)],
    "capacities": [2, 1],
    "switches": [2],
    "demands": [1, 0, 0],
}


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"size": 0}, "size"),
        ({"arcs": [(0, 2), (2, 3)]}, "arc 1"),
        ({"capacities": [2]}, "capacity of arc"),
        ({"capacities": [2, -1]}, "capacity of arc 1"),
        ({"capacities": [2, 0.5]}, "capacity of arc 1"),
        ({"demands": [1, 0]}, "demand of node"),
        ({"demands": [1, -1, 0]}, "demand of node 1"),
        ({"demands": [1, 0, 1]}, "a switch demands nothing"),
        ({"switches": [3]}, r"switches\[0\]"),
        ({"switches": [2, 2]}, "this switch is named twice"),
        ({"switches": [0, 1, 2], "demands": [0, 0, 0]}, "a node that is no switch is needed"),
        ({"capacities": [1, 2]}, "no more capacity leaves a switch than enters it"),
        ({"spread": -1}, "spread"),
        ({"spread": True}, "spread"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, Any], rule: str) -> None:
    assert isinstance(split_off(**RIGHT), SplittingOff)
    with pytest.raises(InvalidInput, match=rule):
        split_off(**(RIGHT | wrong))
