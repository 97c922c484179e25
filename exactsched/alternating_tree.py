"""Edmonds' search for an alternating path in any graph, with its blossoms."""

from __future__ import annotations

EXPOSED = -1
_UNREACHED = -1


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
        while node != self.base[self.root]:
            passed.add(node := self._next_base(node))
        node = self.base[other]
        while node not in passed:
            node = self._next_base(node)
        return node

    def _next_base(self, base: int) -> int:
        mate = self.adjacent[base][self.matched[base]]
        return self.base[self.adjacent[mate][self.reached_by[mate]]]
