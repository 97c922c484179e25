"""All-reduces over unlike boxes.

Operands in any order, over fabrics where two phases are not optimal.  The machines are built-in;
links up to 50 GB/s of 8 nodes of the group, the first ones, are slower by a factor.  `seconds` are
those of `order_free_allreduce`, from the platform to weighted pairs of trees; `rounds` counts
linear programs, `columns` are the seconds by column generation in the same run.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TIMER, best_of, checked, timed

from exactsched import Platform, built_in, order_free_allreduce
from exactsched.model.problem import Combination
from exactsched.steady_state.combination import _by_columns
from exactsched.steady_state.tree_pairs import TreePairs

pytestmark = pytest.mark.benchmark(timer=TIMER)

# Each with the factor and the throughput.
SLOW = {
    "dgx-h100:2": (3, Fraction(400, 3)),
    "dgx-h100:4": (3, Fraction(400, 3)),
    "dgx-a100:4": (2, Fraction(100)),
    "mi250:2": (2, Fraction(667, 5)),
    "dgx-a100:8": (2, Fraction(100)),
}


def slower(name: str, factor: int) -> Platform:
    """The machine with slow links of the first 8 nodes that are no switches."""
    machine = built_in(name)
    slow = set([node for node in machine.nodes if node not in machine.switches][:8])
    arcs = []
    for arc in machine.arcs:
        late = 1 / arc.cost <= 50 and slow & {arc.tail, arc.head}
        arcs.append((arc.tail, arc.head, arc.cost * (factor if late else 1)))
    return Platform(machine.nodes, arcs, switches=machine.switches)


@pytest.mark.parametrize("name", SLOW)
def test_allreduce(benchmark, name):
    factor, rate = SLOW[name]
    platform = slower(name, factor)
    solution = benchmark.pedantic(order_free_allreduce, (platform,), {"ports": "link"}, rounds=1)
    assert solution.throughput == solution.bound == rate
    group = tuple(node for node in platform.nodes if node not in platform.switches)
    asked = Combination(platform, ((1, group),), "link")
    columns = best_of(1, lambda: _by_columns(asked, TreePairs(asked), None))
    document, planned = timed(solution.certificate)
    benchmark.extra_info.update(
        group=len(group),
        throughput=str(rate),
        rounds=solution.rounds,
        pairs=len(solution.structures),
        depth=solution.depth,
        schedule=round(planned, 3),
        **checked(benchmark, document, planned),
        columns=round(columns, 2),
    )
