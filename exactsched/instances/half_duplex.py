"""Half-duplex broadcasts, their runs, and the shares of time in which arcs work."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.instances.choices import Choices
from exactsched.instances.platforms import broadcast, cost, unit_cost
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ends_of
from exactsched.oracles.half_duplex import AnyRun, Causality, Occupancies


def _few_costs(choices: Choices) -> Fraction:
    return Fraction(choices.one_of((1, 1, 2, 3)))


def half_duplex(choices: Choices, bound: int) -> Broadcast:
    """Costs that are all 1, or few, or any; in one case of four there is no odd cycle."""
    costs = choices.one_of((unit_cost, unit_cost, _few_costs, cost))
    return broadcast(
        choices,
        ports="half-duplex",
        max_nodes=bound,
        bipartite=choices.flip(4),
        cost=costs,
    )


def any_run(choices: Choices, bound: int) -> AnyRun:
    """Transfers in any order, some of them for nothing or late."""
    problem = half_duplex(choices, bound)
    messages = choices.between(1, choices.one_of((2, bound, 2 * bound)))
    count = choices.below(2 * messages * len(problem.platform.nodes))
    return AnyRun(problem, messages, tuple(choices.below(7000) for _ in range(count)))


def occupancies(choices: Choices, bound: int, causality: Causality) -> Occupancies:
    """Some that keep (6), (7), and (8) but at the source, where every node receives something."""
    problem = half_duplex(choices, bound)
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
