"""Cheapest trees of a message to some nodes of a group, which the others may send on and copy.

Method: a heuristic for float prices.  For exact ones, and up to ten targets, Dreyfus and Wagner's
table; for more cuts around the targets, which bound the cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd

from exactsched.certificate.bounds import Bound, TargetBound, TargetShare
from exactsched.certificate.limits import MAX_TARGETS
from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.steiner_arborescence import (
    ascending_cuts,
    nearest_targets,
    steiner_table,
)
from exactsched.model.problem import Combination
from exactsched.steady_state.group_trees import Pair, numbers_of
from exactsched.steady_state.tree_pairs import TreePairs


class TargetTrees(TreePairs):
    """Cheapest trees from a source to its targets, in floats and exactly.

    `exact` says whether the trees for exact prices are cheapest; if not, what is said to be their
    cost is a lower bound.
    """

    def __init__(self, problem: Combination) -> None:
        super().__init__(problem)
        number = {node: index for index, node in enumerate(problem.members)}
        (_, targets, source, _), *_ = problem.blocks
        self.size, self._ways = len(number), self.ways[0]
        assert source is not None
        self._source = number[source]
        self._targets = [number[node] for node in targets if node != source]
        self.exact = len(self._targets) <= MAX_TARGETS
        self._shares: list[tuple[list[int], list[list[int]]]] = []  # of the last prices

    def cheapest(self, prices: Sequence[float]) -> list[Pair]:
        known = self._ways.shortest(self.lengths.floats(prices))
        ends = list(zip(known.tails, known.heads, strict=True))
        # Of the heuristic, always: with 8 targets among 50 nodes, 0.05 s in all, and with tables
        # 0.7 to 1 s, for the same optimum after as many rounds.
        asked = self._source, self._targets
        chosen = nearest_targets(self.size, ends, known.lengths, *asked)
        return [(0, (), numbers_of(known, chosen))]

    def cheapest_exactly(
        self, prices: Mapping[int, int], patience: Patience = PATIENT
    ) -> tuple[list[Pair], list[int]]:
        patience.ask()
        known = self._ways.shortest(self.lengths.exact(prices))
        ends = list(zip(known.tails, known.heads, strict=True))
        if self.exact:
            far = 1 + sum(known.lengths)
            table = steiner_table(self.size, ends, known.lengths, self._targets, far)
            chosen, cost = table.arcs(self._source, len(table.costs) - 1), table.costs[-1]
            # Beyond the cost of all targets nothing has to be known, and numbers stay small.
            rows = [[min(one, cost[self._source]) for one in row] for row in table.costs[1:]]
            self._shares = [(self._targets, rows)]
        else:
            asked = self._source, self._targets
            chosen = nearest_targets(self.size, ends, known.lengths, *asked)
            rows = ascending_cuts(self.size, ends, known.lengths, *asked)
            shares = zip(self._targets, rows, strict=True)
            self._shares = [([target], [row]) for target, row in shares]
        paid = sum(rows[-1][self._source] for _, rows in self._shares)
        return [(0, (), numbers_of(known, chosen))], [paid * self.sizes[0]]

    def bound(self, prices: Mapping[int, Fraction], odd: Sequence[Sequence[int]]) -> Bound:
        """The costs that the last prices give, all in integers without a common divisor."""
        charged = self.charged(prices)
        listed = [cost for _, rows in self._shares for row in rows for cost in row]
        common = gcd(*charged.values(), *(cost * self.sized for cost in listed))
        named, odd_sets = self.priced(charged, common, odd)
        nodes = self.problem.members
        return TargetBound(
            named,
            tuple(
                TargetShare(
                    tuple(nodes[target] for target in targets),
                    tuple(
                        tuple(Fraction(cost * self.sized, common) for cost in row) for row in rows
                    ),
                )
                for targets, rows in self._shares
            ),
            odd_sets,
        )


def cheapest_structures(problem: Combination) -> TreePairs:
    """Of a problem of any kind."""
    return TargetTrees(problem) if problem.multicast else TreePairs(problem)
