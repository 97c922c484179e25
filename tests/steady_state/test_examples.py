"""What RR-4872 claims of its examples, by its linear programs; and where these are wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactsched import Platform, built_in
from exactsched.model.platform import both_ways
from exactsched.model.problem import Alltoall, Reduction
from exactsched.oracles.alltoall import flow_for_every_demand, printed_scatter
from exactsched.oracles.reduce import flow_of_results, reduction_program
from exactsched.steady_state.reduce import reduction_problem

TOY = built_in("scatter-toy")
TIERS = built_in("tiers-2003")
TOY_BOTH_WAYS = Platform(
    TOY.nodes,
    [(arc.tail, arc.head, arc.cost) for arc in TOY.arcs]
    + [(arc.head, arc.tail, arc.cost) for arc in TOY.arcs],
)
TARGETS = (("Ps", "P0"), ("Ps", "P1"))


def reduction(platform, owners, target, size=1) -> Reduction:
    """The result of all values is wanted; nodes compute in the time of their attribute."""
    goal = (0, len(owners) - 1), target
    return reduction_problem(platform, owners, [goal], size, None, "one-port")


def test_the_scatter_example_has_throughput_one_half() -> None:
    """Section 3.2, figure 2."""
    assert flow_for_every_demand(Alltoall(TOY, TARGETS)) == Fraction(1, 2)


def test_printed_scatter_conserves_messages_at_their_source() -> None:
    """(5) holds for all i != k, the source included: so nothing can be sent."""
    assert printed_scatter(Alltoall(TOY, TARGETS), []) == 0


def test_printed_scatter_counts_what_comes_and_goes() -> None:
    """With reverse links a message may enter its target, leave it, and enter it again."""
    assert flow_for_every_demand(Alltoall(TOY_BOTH_WAYS, TARGETS)) == Fraction(1, 2)
    printed = printed_scatter(Alltoall(TOY_BOTH_WAYS, TARGETS), ["Ps"])
    assert printed == Fraction(3, 4)


@pytest.mark.parametrize(
    ("pairs", "throughput"),
    [
        ({("a", "b"): 1}, 1),
        ({("a", "b"): 1, ("b", "a"): 1}, 1),  # send and receive at the same time
        ({("a", "c"): 1, ("b", "c"): 1}, Fraction(1, 2)),  # one port at c
        ({("a", "c"): 3, ("b", "c"): 1}, Fraction(1, 4)),
        ({("c", "a"): 1}, 0),  # out of reach
    ],
)
def test_alltoalls_that_can_be_solved_by_hand(
    pairs: dict[tuple[str, str], int], throughput: Fraction
) -> None:
    platform = Platform("abc", [*both_ways([("a", "b", 1)]), ("b", "c", 1)])
    demands = tuple((*pair, size) for pair, size in pairs.items())
    assert flow_for_every_demand(Alltoall(platform, demands)) == throughput


def test_the_reduce_example_has_throughput_one() -> None:
    """Section 4.2, figure 6."""
    assert flow_of_results(reduction(built_in("reduce-toy"), ["P0", "P1", "P2"], "P0")) == 1


def test_one_participant_that_is_not_the_target() -> None:
    """Nothing is to be computed: the value travels, over a router that cannot compute."""
    line = Platform("abc", [("a", "b", 2), ("b", "c", 3)])
    assert flow_of_results(reduction(line, ["a"], "c")) == Fraction(1, 3)
    assert flow_of_results(reduction(line, ["c"], "a")) == 0


def test_sizes_depend_on_the_interval() -> None:
    """v[0,0] goes from a to b, v[1,1] is there, and the task takes one time unit."""
    pair = Platform("ab", [("a", "b", 1)], {"b": {"compute": 1}})
    assert flow_of_results(reduction(pair, ["a", "b"], "b")) == 1
    sizes = {(0, 0): 5, (1, 1): 1, (0, 1): 1}
    assert flow_of_results(reduction(pair, ["a", "b"], "b", sizes)) == Fraction(1, 5)


def test_a_task_waits_for_a_node_that_can_compute() -> None:
    pair = Platform("ab", [("a", "b", 1)], {"b": {"compute": 7}})
    assert flow_of_results(reduction(pair, ["a", "b"], "b")) == Fraction(1, 7)
    elsewhere = Platform("abc", [("a", "b", 1)], {"c": {"compute": 1}})
    assert flow_of_results(reduction(elsewhere, ["a", "b"], "b")) == 0


OWNERS = sorted(
    (node for node in TIERS.nodes if "index" in TIERS.node_data.get(node, {})),
    key=lambda node: TIERS.node_data[node]["index"],
)


def test_the_tiers_platform_has_throughput_two_ninths() -> None:
    """Section 4.7, figure 10."""
    assert flow_of_results(reduction(TIERS, OWNERS, 6)) == Fraction(2, 9)


def test_printed_reduce_lets_the_result_come_back() -> None:
    """v[0,N] leaves the target over a fast local link and comes back: 100 instead of 2/9."""
    assert reduction_program(reduction(TIERS, OWNERS, 6), gross=True).value() == 100
