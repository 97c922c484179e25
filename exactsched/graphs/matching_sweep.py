"""A matching in any graph that changes in time: it covers all tight nodes, and uses up weights.

For kernels: nothing is checked.  The search for alternating paths is that of Edmonds 1965.

Method: alternating trees with blossoms (Edmonds 1965), grown from exposed tight nodes.
Limits: for kernels: nothing is checked, and it stops at odd sets that have too much inside.
"""

from __future__ import annotations

from collections.abc import Sequence

EXPOSED = -1
_UNREACHED = -1

Step = tuple[int, list[int]]  # duration, edges of a matching


class Sweep:
    """A matching that changes in time while weights and slacks are used up.

    A node without slack is *tight* and must be covered.  The matching covers all tight nodes and
    lasts until one of the items that work is used up; then it is repaired.
    """

    def __init__(
        self,
        ends: Sequence[tuple[int, int]],
        weights: Sequence[int],
        slack: Sequence[int],
        total: int,
    ) -> None:
        self.total = total
        self.ends = ends
        self.left = list(weights)
        self.slack = list(slack)
        # Node -> {edge with weight left: its other end}.
        self.adjacent: list[dict[int, int]] = [{} for _ in slack]
        for edge, (one, other) in enumerate(ends):
            self.adjacent[one][edge] = other
            self.adjacent[other][edge] = one
        self.matched = [EXPOSED] * len(slack)  # node -> its edge in the matching
        self.exposed = list(range(len(slack)))  # nodes that lost their edge or became tight
        self.steps: list[Step] = []

    def run(self) -> list[frozenset[int]]:
        """Step until all is used up, or until odd sets are found that have too much inside."""
        while self.total:
            overlooked = self._repair()
            if overlooked:
                return overlooked
            self._step()
        return []

    def _step(self) -> None:
        matching = sorted({edge for edge in self.matched if edge != EXPOSED})
        idle = [node for node, edge in enumerate(self.matched) if edge == EXPOSED]
        duration = min(
            min((self.left[edge] for edge in matching), default=self.total),
            min((self.slack[node] for node in idle), default=self.total),
        )
        self.steps.append((duration, matching))
        self.total -= duration
        for edge in matching:
            self.left[edge] -= duration
            if not self.left[edge]:
                for node in self.ends[edge]:
                    del self.adjacent[node][edge]
                    self.matched[node] = EXPOSED
                    self.exposed.append(node)
        for node in idle:
            self.slack[node] -= duration
            if not self.slack[node]:
                self.exposed.append(node)

    def _repair(self) -> list[frozenset[int]]:
        """Cover the tight nodes, and others that lost their edge if an exposed neighbor is at hand.

        An evicted node is left alone: to look for a neighbor saved neither steps nor searches.
        If tight nodes remain exposed, odd sets with too much weight inside are the answer.
        """
        overfull: list[frozenset[int]] = []
        for node in self.exposed:
            if self.matched[node] != EXPOSED:
                continue
            for edge, other in self.adjacent[node].items():
                if self.matched[other] == EXPOSED:
                    self.matched[node] = self.matched[other] = edge
                    break
            else:
                if self.slack[node]:
                    continue
                tree = AlternatingTree(node, self.adjacent, self.matched)
                last = tree.grow(self.slack)
                if last is None:
                    overfull += [odd for odd in tree.blossoms() if self._overfull(odd)]
                else:
                    self._exchange(tree, last)
        self.exposed = []
        return overfull

    def _exchange(self, tree: AlternatingTree, last: int) -> None:
        """Cover the root by exchanging the path to `last`, which is exposed or, if not, evicted."""
        edge = self.matched[last]
        if edge != EXPOSED:
            self.matched[last] = EXPOSED
            last = self.adjacent[last][edge]
        while True:
            edge = tree.reached_by[last]
            near = self.adjacent[last][edge]
            displaced = self.matched[near]
            self.matched[last] = self.matched[near] = edge
            if near == tree.root:
                return
            last = self.adjacent[near][displaced]

    def _overfull(self, odd: frozenset[int]) -> bool:
        twice_inside = 0
        for node in odd:
            for edge, other in self.adjacent[node].items():
                if other in odd:
                    twice_inside += self.left[edge]
        return twice_inside > self.total * (len(odd) - 1)


class AlternatingTree:
    """Edmonds' search for a path along which an exposed root can be covered.

    *Outer* nodes are at the end of a path of even length from the root: the root, and the mates of
    the others that are reached.  An edge between two outer nodes closes an odd cycle, a blossom:
    all of its nodes become outer and get one `base`.
    """

    def __init__(self, root: int, adjacent: list[dict[int, int]], matched: list[int]) -> None:
        self.root = root
        self.adjacent = adjacent
        self.matched = matched
        self.base = list(range(len(adjacent)))
        self.members: dict[int, list[int]] = {}  # base -> nodes of its blossom
        # The edge by which a path arrives at a node that is not matched to the node before it.
        self.reached_by = [_UNREACHED] * len(adjacent)
        self.is_outer = [False] * len(adjacent)
        self.is_outer[root] = True
        self.outer = [root]

    def grow(self, slack: list[int]) -> int | None:
        """The end of a path: an exposed node, or an outer one with slack, which may be evicted.

        None if there is neither: then no matching covers all tight nodes.
        """
        for near in self.outer:  # grows with the tree
            if slack[near]:
                return near
            for edge, far in self.adjacent[near].items():
                if self.is_outer[far]:
                    if self.base[near] != self.base[far]:
                        self._shrink(near, far, edge)
                elif self.reached_by[far] == _UNREACHED:
                    self.reached_by[far] = edge
                    if self.matched[far] == EXPOSED:
                        return far
                    mate = self.adjacent[far][self.matched[far]]
                    self.is_outer[mate] = True
                    self.outer.append(mate)
        return None

    def blossoms(self) -> list[frozenset[int]]:
        """The outermost blossoms: odd node sets."""
        return [frozenset(nodes) for nodes in self.members.values()]

    def _shrink(self, one: int, other: int, edge: int) -> None:
        """Make a blossom of the cycle that an edge closes."""
        top = self._meet(one, other)
        inside: set[int] = set()
        for node in (one, other):
            arriving = edge
            while self.base[node] != top:
                mate = self.adjacent[node][self.matched[node]]
                inside.update((self.base[node], self.base[mate]))
                self.reached_by[node] = arriving
                arriving = self.reached_by[mate]
                node = self.adjacent[mate][arriving]
        for base in inside:
            members = self.members.pop(base, [base])
            for node in members:
                self.base[node] = top
                if not self.is_outer[node]:
                    self.is_outer[node] = True
                    self.outer.append(node)
            self.members.setdefault(top, [top]).extend(members)

    def _meet(self, one: int, other: int) -> int:
        """The base at which the paths of two outer nodes to the root meet."""
        passed = {node := self.base[one]}
        while node != self.root:
            passed.add(node := self._next_base(node))
        node = self.base[other]
        while node not in passed:
            node = self._next_base(node)
        return node

    def _next_base(self, base: int) -> int:
        mate = self.adjacent[base][self.matched[base]]
        return self.base[self.adjacent[mate][self.reached_by[mate]]]
