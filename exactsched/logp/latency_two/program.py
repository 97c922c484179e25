"""Role cycles of the least delay for the latency 2, by integer programming.

A steady schedule is a circulation in the automaton of `automaton` in which the roles of every
step are the nodes of one tree.  `python -m exactsched.logp.latency_two.program > two_cycles.txt`
finds the stored ones again, in ten seconds; a line holds the number of processors, the period, the
cycles, every role as index and number of children.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

from exactsched.logp.latency_two.automaton import (
    State,
    children,
    least_depth,
    recurrent_arcs,
    simple_roles,
)

# Roles of one cycle: index and number of children.
Walk = tuple[tuple[int, int], ...]

# Blocks serve fewer; the program has nothing for more, up to the next Fibonacci number.
_WITHOUT_BLOCKS = (
    *(5, 8, 12, 13, 18, 19, 20, 29, 30, 31, 46, 47, 48),
    *(*range(73, 77), *range(117, 122), *range(189, 195), *range(305, 312)),
)


def main() -> None:
    """A line for every number of processors that is served, but not in blocks."""
    for processors in _WITHOUT_BLOCKS:
        for period in (1, 2):
            walks = circulation(processors, period)
            if walks is not None:
                words = [" ".join(f"{index}.{count}" for index, count in walk) for walk in walks]
                print(processors, period, *sorted(words), sep=",")
                break


def circulation(processors: int, period: int) -> tuple[Walk, ...] | None:
    """Closed walks in which a node lacks its last child at most; None if SCIP proposes none.

    They repeat after `period` steps.  Times: tenths of a second for 76 processors.

    >>> circulation(5, 1) is None, sum(len(walk) for walk in circulation(5, 2))
    (True, 10)
    """
    from pyscipopt import Model, quicksum

    depth = least_depth(processors)
    model = Model()
    model.hideOutput()
    model.setParam("limits/solutions", 1)
    kept: dict[tuple[State, int], list[Any]] = defaultdict(list)
    nodes: dict[tuple[int, int], list[Any]] = {
        (index, item): [] for index in range(depth + 1) for item in range(period)
    }
    variables = []
    for tail, role, head in recurrent_arcs(depth, simple_roles(depth)):
        for phase in range(period):
            count = model.addVar(vtype="I")
            place, after = (tail, phase), (head, (phase + 1) % period)
            variables.append((count, place, role, after))
            kept[place].append(count)
            kept[after].append(-count)
            item = (phase + role[0]) % period  # by when it is due
            nodes[role[0], item].append(count)
            for child in children(role):
                nodes[child, item].append(-count)
    for terms in kept.values():
        model.addCons(quicksum(terms) == 0)
    for (index, _), terms in nodes.items():
        model.addCons(quicksum(terms) == (1 if index == depth else 0))
    model.addCons(quicksum(count for count, *_ in variables) == processors * period)
    model.optimize()
    if model.getNSols() == 0:
        return None
    leaving: dict[tuple[State, int], list[Any]] = defaultdict(list)
    for count, tail_place, (index, offsets), head_place in variables:
        role_taken = (index, offsets.bit_count())
        leaving[tail_place] += [(role_taken, head_place)] * round(model.getVal(count))
    return tuple(chain.from_iterable(_closed_walks(leaving, state) for state in list(leaving)))


def _closed_walks(leaving: dict[Any, list[Any]], start: tuple[State, int]) -> Iterator[Walk]:
    """Walks from and to a state of phase 0 until nothing leaves it; every arc is used once."""
    while start[1] == 0 and leaving[start]:
        walk, state = [], start
        while leaving[state]:
            role, state = leaving[state].pop()
            walk.append(role)
        yield tuple(walk)


if __name__ == "__main__":
    main()
