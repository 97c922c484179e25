"""Worked examples of RR-4871 by figure and theorem, and the half-duplex values of the errata.

Trees and DAGs under restrictions (figures 4 and 5, theorems 1 and 2) are in `test_restriction.py`.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import exactsched
from exactsched.certificate import to_document
from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import PeriodicSchedule, Run, Series
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import shortest_run_by_search, ssb_corrected
from exactsched.oracles.collectives import simulate_run, simulate_series
from exactsched.oracles.transfers import ImpossibleError
from exactsched.platforms.built_in import complete, dragonfly, grid, hypercube, ring, star, torus
from exactsched.platforms.papers import legrand_fig1
from exactsched.steady_state.broadcast import broadcast
from exactsched.strategies import broadcasts
from exactsched.theorems.optimum import optimum
from tests.steady_state.planned import depths, planned_tree, tree_schedule

FIGURE_1 = legrand_fig1()
ARC = {str(arc): index for index, arc in enumerate(FIGURE_1.arcs)}
# The source sends every message at least once: the bound of section 3.1.1.
SOURCE_BOUND = CutBound({"send:Ps": Fraction(1)}, ("P1", "P2", "P3", "P4"), ((0, 4, Fraction(1)),))


def arcs(*names: str) -> tuple[int, ...]:
    return tuple(sorted(ARC[name] for name in names))


THROUGH_P1 = arcs("Ps->P1", "P1->P2", "P1->P3", "P2->P4")
THROUGH_P2 = arcs("Ps->P2", "P2->P1", "P1->P3", "P2->P4")
BOTH_FROM_SOURCE = arcs("Ps->P1", "Ps->P2", "P1->P3", "P2->P4")


def slots(when: dict[str, tuple[int, int]]) -> tuple[tuple[int, int, int], ...]:
    return tuple((ARC[name], start, end) for name, (start, end) in when.items())


# Section 3.1 ------------------------------------------------------------------------------------


def test_figure_1_the_best_throughput_is_1() -> None:
    solution = broadcast(FIGURE_1, "Ps")
    claim = exactsched.check(solution.certificate())
    assert (claim.throughput, claim.bound, claim.optimal) == (1, 1, True)
    assert optimum(ssb_corrected(Broadcast(FIGURE_1, "Ps"))[0]).value == 1
    assert simulate_series(solution.certificate(), 5) >= solution.operations_within(
        5 * solution.schedule.period
    )


def figure_2(when: dict[str, tuple[int, int]]) -> Series:
    """Odd messages through P1, even messages through P2, with a period of two time-steps."""
    trees = (planned_tree(1, THROUGH_P1), planned_tree(1, THROUGH_P2))
    return Series(
        Broadcast(FIGURE_1, "Ps"),
        Fraction(1),
        Fraction(1),
        True,
        PeriodicSchedule(Fraction(2), Fraction(1), trees, slots(when), True),
        SOURCE_BOUND,
    )


ODD, EVEN = (0, 1), (1, 2)
SENDS_OF_THE_SOURCE = {"Ps->P1": ODD, "Ps->P2": EVEN}


def test_figure_2_as_corrected_is_a_schedule_of_throughput_1() -> None:
    corrected = figure_2(
        {**SENDS_OF_THE_SOURCE, "P1->P2": ODD, "P2->P1": EVEN, "P1->P3": EVEN, "P2->P4": ODD}
    )
    assert exactsched.check(corrected).throughput == 1
    # Both trees are three deep: the first two messages are everywhere after three periods.
    assert [simulate_series(to_document(corrected), periods) for periods in range(6)] == [
        *[0, 0, 0, 2, 4, 6]
    ]


def test_figure_2_as_printed_lets_p2_receive_twice_at_once() -> None:
    printed = figure_2(
        {**SENDS_OF_THE_SOURCE, "P1->P2": EVEN, "P2->P1": ODD, "P1->P3": ODD, "P2->P4": EVEN}
    )
    with pytest.raises(Rejected, match=r"recv:P[12]"):
        exactsched.check(printed)
    with pytest.raises(ImpossibleError, match=r"P2->P1|P1->P2"):
        simulate_series(to_document(printed), 3)


def test_figure_2_as_printed_collides_at_p2_and_at_p1() -> None:
    for arc, step, port in (("P1->P2", EVEN, "recv:P2"), ("P2->P1", ODD, "recv:P1")):
        when = {"P1->P2": ODD, "P2->P1": EVEN, "P1->P3": EVEN, "P2->P4": ODD} | {arc: step}
        # What the moved arc would now disturb at its sender goes to the other step.
        when |= {"P1->P3": ODD} if arc == "P1->P2" else {"P2->P4": EVEN}
        with pytest.raises(Rejected, match=port):
            exactsched.check(figure_2({**SENDS_OF_THE_SOURCE, **when}))


@pytest.mark.parametrize(
    ("figure", "tree", "throughput"),
    [(3, BOTH_FROM_SOURCE, Fraction(1, 2)), (4, THROUGH_P1, Fraction(2, 3))],
)
def test_figures_3_and_4_throughputs_of_single_trees(
    figure: int, tree: tuple[int, ...], throughput: Fraction
) -> None:
    del figure
    problem = Broadcast(FIGURE_1, "Ps")
    schedule = tree_schedule(problem, [(tree, throughput)])
    assert schedule.structures[0].operations / schedule.period == throughput
    assert max(end for _, _, end in schedule.slots) * schedule.tick == schedule.period
    with pytest.raises(InvalidInput, match="a resource works more than full time"):
        tree_schedule(problem, [(tree, throughput + Fraction(1, 10**9))])


# Section 4.4 ------------------------------------------------------------------------------------


def test_section_4_4_the_pattern_of_the_table_has_throughput_4_fifths() -> None:
    when = {
        "Ps->P1": (0, 4),
        "Ps->P2": (4, 5),
        "P1->P2": (0, 3),
        "P1->P3": (3, 5),
        "P2->P4": (0, 2),
    }
    trees = (planned_tree(3, THROUGH_P1), planned_tree(1, BOTH_FROM_SOURCE))
    table = Series(
        Broadcast(FIGURE_1, "Ps", restrict="dag"),
        Fraction(4, 5),
        Fraction(1),
        False,
        PeriodicSchedule(Fraction(5), Fraction(1), trees, slots(when), True),
        SOURCE_BOUND,
    )
    assert exactsched.check(table).throughput == Fraction(4, 5)
    # 4 messages of the tree of depth 2 and of the tree of depth 3: 1 + 3 of them.
    assert [simulate_series(to_document(table), periods) for periods in range(5)] == [
        *[0, 0, 1, 5, 9]
    ]


def test_section_4_4_the_heights_are_longest_paths() -> None:
    # P2 is one arc from the source and has height 2: a message may arrive through P1.
    dag = [arc for arc in FIGURE_1.arcs if str(arc) != "P2->P1"]
    height = {"Ps": 0}
    for _ in FIGURE_1.nodes:
        for arc in dag:
            if arc.tail in height:
                height[arc.head] = max(height.get(arc.head, 0), height[arc.tail] + 1)
    assert height == {"Ps": 0, "P1": 1, "P2": 2, "P3": 2, "P4": 3}
    # The table prints 3 for P3; any height above that of P1 serves.
    assert depths(FIGURE_1, "Ps", THROUGH_P1) == height


def test_section_4_4_the_printed_schedule_runs() -> None:
    # The last table, message by message; those of the first two rounds are everywhere at time 17.
    table: dict[str, dict[int, list[int]]] = {
        "Ps->P1": {time + time // 4: [time] for time in range(8)},
        "Ps->P2": {9: [0], 14: [4]},
        "P1->P2": {5: [1], 6: [2], 7: [3], 10: [5], 11: [6], 12: [7]},
        "P1->P3": {8: [0, 1], 9: [2, 3], 13: [4, 5], 14: [6, 7]},
        "P2->P4": {10: [0, 1], 11: [2, 3], 15: [4, 5], 16: [6, 7]},
    }
    transfers = [
        (ARC[name], message, 2 * time + place, 2 * time + place + 2 // len(messages))
        for name, row in table.items()
        for time, messages in row.items()
        for place, message in enumerate(messages)
    ]
    run = Run(
        Broadcast(FIGURE_1, "Ps"),
        8,
        (),
        Fraction(17),
        Fraction(8),
        False,
        Fraction(1, 2),
        tuple((arc,) for arc in range(len(FIGURE_1.arcs))),
        tuple(transfers),
        SOURCE_BOUND,
    )
    assert exactsched.check(run).makespan == 17
    assert simulate_run(to_document(run)) == 17


# Section 5.5 ------------------------------------------------------------------------------------


@given(broadcasts(max_nodes=3, ports="one-port"))
@settings(max_examples=25)
def test_lemma_7_no_schedule_at_all_beats_the_steady_state(problem: Broadcast) -> None:
    # The best of all schedules of one and of two messages, periodic or not, found by search.
    throughput = broadcast(problem.platform, problem.source).throughput
    for messages in (1, 2) if len(problem.platform.arcs) <= 3 else (1,):
        makespan = shortest_run_by_search(problem, [Fraction(1)] * messages)
        assert makespan is not None
        assert messages <= throughput * makespan


# One-port and half-duplex values ----------------------------------------------------------------


@pytest.mark.parametrize(
    "platform",
    [grid(7), grid(4, 5), grid(2, 3, 3), ring(9), hypercube(4), torus(3, 4), complete(6)],
    ids=repr,
)
def test_one_port_with_a_hamiltonian_path_from_the_source_reaches_1(platform: Platform) -> None:
    assert broadcast(platform, 0).throughput == 1


@pytest.mark.parametrize("leaves", [1, 2, 5, 12])
@pytest.mark.parametrize("ports", ["one-port", "half-duplex"])
def test_a_star_reaches_1_over_its_leaves(leaves: int, ports: str) -> None:
    assert broadcast(star(leaves), 0, ports=ports).throughput == Fraction(1, leaves)  # type: ignore[arg-type]


def binary_tree(depth: int) -> Platform:
    nodes = range(1, 2 ** (depth + 1))
    return Platform(nodes, both_ways([(node // 2, node, 1) for node in nodes if node > 1]))


HALF_DUPLEX: list[tuple[str, Platform, Fraction]] = [
    # A Hamiltonian cycle and P even: P / (2 (P - 1)).
    ("4x4", grid(4, 4), Fraction(8, 15)),
    ("8x8", grid(8, 8), Fraction(32, 63)),
    ("3x4", grid(3, 4), Fraction(6, 11)),
    ("2x2x3", grid(2, 2, 3), Fraction(6, 11)),
    ("torus 4x4", torus(4, 4), Fraction(8, 15)),
    ("C6", ring(6), Fraction(3, 5)),
    ("C10", ring(10), Fraction(5, 9)),
    ("Q3", hypercube(3), Fraction(4, 7)),
    ("Q4", hypercube(4), Fraction(8, 15)),
    ("Q5", hypercube(5), Fraction(16, 31)),
    # P odd and a Hamiltonian path from the source.
    ("3x3", grid(3, 3), Fraction(1, 2)),
    ("3x5", grid(3, 5), Fraction(1, 2)),
    ("path of 5", grid(5), Fraction(1, 2)),
    # A path: the second node receives and sends everything.
    ("path of 6", grid(6), Fraction(1, 2)),
    ("path of 2", grid(2), Fraction(1)),
    # An inner node takes part in three transfers of every message.
    ("binary tree 2", binary_tree(2), Fraction(1, 3)),
    ("binary tree 4", binary_tree(4), Fraction(1, 3)),
]


@pytest.mark.parametrize(
    ("platform", "throughput"), [pytest.param(p, t, id=name) for name, p, t in HALF_DUPLEX]
)
def test_half_duplex_optima(platform: Platform, throughput: Fraction) -> None:
    solution = broadcast(platform, platform.nodes[0], ports="half-duplex")
    assert exactsched.check(solution.certificate()).optimal
    assert solution.throughput == throughput
    # Every message is received P - 1 times, and at most P // 2 transfers go on at a time.
    size = len(platform.nodes)
    assert throughput <= Fraction(size // 2, size - 1)


@pytest.mark.parametrize("side", [2, 3, 5])
def test_an_even_hamiltonian_cycle_reaches_the_matching_bound_by_its_weights(side: int) -> None:
    # Cycle arc k carries 1/2 - k / (2 (P - 1)) forward and the rest of 1/2 backward; as paths,
    # the first k arcs forward and the last P - 1 - k backward share each message.
    size = 2 * side
    cycle = ring(size)
    index = {(arc.tail, arc.head): k for k, arc in enumerate(cycle.arcs)}
    weight = Fraction(size, 2 * (size - 1)) / size
    trees = [
        (
            tuple(
                [index[k, k + 1] for k in range(forward)]
                + [index[(k + 1) % size, k] for k in range(size - 1, forward, -1)]
            ),
            weight,
        )
        for forward in range(size)
    ]
    schedule = tree_schedule(Broadcast(cycle, 0, "half-duplex"), trees)
    assert sum(tree.operations for tree in schedule.structures) / schedule.period == Fraction(
        size, 2 * (size - 1)
    )


@pytest.mark.parametrize(
    ("platform", "best"),
    [(torus(3, 4), "6/11"), (complete(5), "1/2"), (dragonfly(4, 1), "10/19")],
    ids=repr,
)
def test_half_duplex_with_odd_cycles(platform: Platform, best: str) -> None:
    solution = broadcast(platform, 0, ports="half-duplex")
    assert exactsched.check(solution.certificate()).optimal
    assert solution.throughput == Fraction(best)
