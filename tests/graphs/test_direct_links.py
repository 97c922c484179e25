"""Direct links: what they are by definition, where they are found, and where not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from exactsched import strategies
from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.direct_links import direct_links
from exactsched.graphs.splitting_off import links_around
from exactsched.instances.switches import SwitchNetwork, switch_network
from exactsched.oracles.switches import fault_of_links


@given(strategies.generated(lambda choices: switch_network(choices, 6)), st.integers(1, 9))
def test_links_as_wide_as_their_tails_demand(network: SwitchNetwork, wider: int) -> None:
    numbers, _ = over_common_denominator([*network.capacities, *network.demands])
    capacities = [wider * number for number in numbers[: len(network.arcs)]]
    demands = numbers[len(network.arcs) :]
    terminals = [node for node in range(network.size) if node not in network.switches]
    found = direct_links(network.arcs, capacities, terminals, demands)
    if found is None:
        return
    shape = network.size, network.arcs, capacities, network.switches, demands
    assert not any(demands) or fault_of_links(*shape, found.items()) == ""
    between = {(u, v): 0 for u in terminals for v in terminals if u != v}
    for path, amount in found.items():
        between[network.arcs[path[0]][0], network.arcs[path[-1]][1]] += amount
    assert all(amount == demands[tail] for (tail, _), amount in between.items())
    assert {link.arcs: link.capacity for link in links_around(*shape)} == found


def test_a_demand_is_shared_among_paths() -> None:
    """Two ways of 2 and 3 for a demand of 4; a third one, which is longer, is not used."""
    arcs = [(0, 2), (2, 1), (0, 3), (3, 1), (0, 4), (4, 5), (5, 1)]
    assert direct_links(arcs, [2, 2, 3, 3, 9, 9, 9], [0, 1], [4, 0, 0, 0, 0, 0]) == {
        (2, 3): 3,
        (0, 1): 1,
    }
    assert direct_links(arcs, [2, 2, 1, 3, 9, 9, 9], [0, 1], [4, 0, 0, 0, 0, 0]) is None


def test_no_link_leads_through_a_terminal() -> None:
    """From 0 to 1 it is two arcs through the terminal 2 as well as through the switch 3."""
    arcs = [(0, 2), (2, 1), (0, 3), (3, 1)]
    assert direct_links(arcs, [9, 9, 2, 2], [0, 1, 2], [2, 0, 0, 0]) == {(2, 3): 2, (0,): 2}
    assert direct_links(arcs, [9, 9, 1, 2], [0, 1, 2], [2, 0, 0, 0]) is None


def test_what_is_far_or_out_of_reach_is_seen_at_once() -> None:
    line = [(0, 2), (2, 3), (3, 1), (1, 0)]
    assert direct_links(line, [1, 1, 1, 1], [0, 1], [1, 1, 0, 0]) == {(0, 1, 2): 1, (3,): 1}
    assert direct_links(line, [1, 1, 0, 1], [0, 1], [1, 1, 0, 0]) is None
    # Enough at the terminals; not enough for three arcs from 0 to 1.
    assert direct_links(line, [4, 1, 4, 4], [0, 1], [4, 4, 0, 0]) is None


def test_hosts_of_a_fat_tree_take_turns() -> None:
    """240 pairs of hosts, each on one path: no host sends or receives more than it can."""
    half, edge, middle, core = 2, 16, 24, 32
    joined = [(host, edge + host // 2) for host in range(16)]
    for pod in range(4):
        for one in range(half):
            above = middle + 2 * pod + one
            joined += [(edge + 2 * pod + other, above) for other in range(half)]
            joined += [(above, core + 2 * one + other) for other in range(half)]
    arcs = joined + [(head, tail) for tail, head in joined]
    found = direct_links(arcs, [15] * len(arcs), range(16), [1] * 16 + [0] * 20)
    assert found is not None
    assert len(found) == 240
    assert direct_links(arcs, [14] * len(arcs), range(16), [1] * 16 + [0] * 20) is None
