"""Half-duplex broadcasts, their runs, and the shares of time in which arcs work."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.platforms import broadcast, cost, unit_cost
from exactsched.instances.triviality import is_trivial
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ends_of
from exactsched.oracles.half_duplex import AnyRun, Causality, Occupancies
from exactsched.platforms.built_in import complete, ring, star


def _few_costs(choices: Choices) -> Fraction:
    return Fraction(choices.one_of((1, 1, 2, 3)))


def _half_duplex(choices: Choices, bound: int) -> Broadcast:
    """Costs that are all 1, or few, or any; in one case of four there is no odd cycle.

    Four are made, and the first one that has two arborescences is taken, or else the last one.
    """
    for _ in range(4):
        costs = choices.one_of((unit_cost, unit_cost, _few_costs, cost))
        made = broadcast(
            choices,
            ports="half-duplex",
            max_nodes=bound,
            bipartite=choices.flip(4),
            cost=costs,
        )
        if not is_trivial(made):
            break
    return made


def _any_run(choices: Choices, bound: int) -> AnyRun:
    """Transfers in any order, some of them in vain or late."""
    problem = _half_duplex(choices, bound)
    messages = choices.size(1, choices.one_of((3, bound, 2 * bound)), 2)
    count = choices.below(2 * messages * len(problem.platform.nodes))
    return AnyRun(problem, messages, tuple(choices.below(7000) for _ in range(count)))


def _occupancies(choices: Choices, bound: int, causality: Causality) -> Occupancies:
    """Some that keep (6), (7), and (8) but at the source, where every node receives something."""
    problem = _half_duplex(choices, bound)
    arcs, ends = problem.platform.arcs, ends_of(problem)
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    amounts = [choices.below(4) for _ in arcs]
    reached = {root}
    while len(reached) < size:
        arc = choices.one_of(
            [a for a, (t, h) in enumerate(ends) if t in reached and h not in reached]
        )
        amounts[arc] = max(amounts[arc], 1)
        reached.add(ends[arc][1])
    return scaled(problem, amounts, causality, choices.one_of((1, 1, 2)))


def scaled(
    problem: Broadcast, amounts: Sequence[int], causality: Causality, slack: int = 1
) -> Occupancies:
    """Amounts that are cut to what (8) allows, then all together to what (6) and (7) allow.

    >>> from exactsched.model.platform import Platform
    >>> path = Platform("abc", [("a", "b", 1), ("b", "c", 2)])
    >>> [*map(str, scaled(Broadcast(path, "a", "half-duplex"), [2, 5], "rates").shares)]
    ['1/3', '2/3']
    """
    ends = ends_of(problem)
    size, root = len(problem.platform.nodes), problem.platform.position[problem.source]
    flow, before = list(amounts), None
    while flow != before:
        before = flow
        into = [sum(x for (_, h), x in zip(ends, flow, strict=True) if h == v) for v in range(size)]
        flow = [
            x if tail == root else min(x, into[tail])
            for (tail, _), x in zip(ends, flow, strict=True)
        ]
    costs = [arc.cost if causality == "rates" else 1 for arc in problem.platform.arcs]
    shares = [x * c for x, c in zip(flow, costs, strict=True)]
    busy = [sum(s for p, s in zip(ends, shares, strict=True) if v in p) for v in range(size)]
    unit = slack * max(*busy, Fraction(sum(shares)) / (size // 2))
    return Occupancies(problem, tuple(Fraction(share) / unit for share in shares))


# Corners -----------------------------------------------------------------------------------------


def _of(platform: Platform, source: Any = 0) -> Broadcast:
    return Broadcast(platform, source, "half-duplex")


def _arcs(*arcs: tuple[int, int, Rational]) -> Broadcast:
    return _of(Platform(range(1 + max(max(arc[:2]) for arc in arcs)), arcs))


_ARC = _arcs((0, 1, 1))
_FAST_THEN_SLOW = _arcs((0, 1, 1), (1, 2, 2))
# Between 2 and 3 it takes three time units: the odd set {0, 2, 3} is needed.
_ODD = _arcs((0, 1, 1), (0, 2, 1), (0, 3, 1), (2, 3, 3), (3, 2, 3))
# Only what the five nodes around the ring offer together is too little for more than 1/2.
_RING = _of(Platform(range(6), [(5, 0, Fraction(1, 2)), *ring(5).arcs]), 5)
_LEGS = _of(
    Platform(
        range(7), both_ways([(0, 1, 1), (1, 2, 1), (0, 3, 1), (3, 4, 1), (0, 5, 1), (5, 6, 1)])
    )
)

# The source receives nothing, and sends.
OVER_ONE_ARC = AnyRun(_ARC, 1, ())
# The second arc works for twice as long as the first.
OVER_A_SLOWER_ARC = AnyRun(_FAST_THEN_SLOW, 1, ())
# Printed, (8) lets the second arc work as long as the first, so half as fast.
UNBALANCED = Occupancies(_FAST_THEN_SLOW, (Fraction(1, 2), Fraction(1, 2)))
# The two nodes send to each other what never came from the source.
FROM_NOWHERE = Occupancies(
    _arcs((0, 1, 2), (1, 2, 1), (2, 1, 1)), (0, Fraction(1, 2), Fraction(1, 2))
)


def _even_occupancies() -> tuple[Occupancies, ...]:
    """An arc; a clique; a node with two suppliers of different rates; rates that differ by much."""
    problems = _ARC, _of(complete(4)), _ODD, _arcs((0, 1, 10**30), (1, 2, 1), (0, 2, 3))
    return tuple(scaled(one, [1] * len(one.platform.arcs), "rates") for one in problems)


def _problems() -> tuple[Broadcast, ...]:
    huge = _arcs((0, 1, 10**30), (1, 2, Fraction(1, 3)), (2, 1, 1), (0, 2, 10**30 + 1))
    return (_ARC, _ODD, _RING, _LEGS, _of(complete(5)), _of(star(4)), huge)


HALF_DUPLEX = Instances(Broadcast, _half_duplex, Bounds(5, 7, 20), _problems)
RUNS = Instances(
    AnyRun,
    _any_run,
    Bounds(4, 6, 20),
    lambda: tuple(AnyRun(problem, 3, (14, 6, 500)) for problem in _problems()),
)
OCCUPANCIES = Instances(
    Occupancies,
    lambda choices, bound: _occupancies(choices, bound, "rates"),
    Bounds(4, 5, 8),
    _even_occupancies,
)
OCCUPANCIES_AS_PRINTED = Instances(
    Occupancies,
    lambda choices, bound: _occupancies(choices, bound, "printed"),
    Bounds(4, 5, 8),
)
