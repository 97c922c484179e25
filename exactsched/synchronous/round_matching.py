"""The matching of links that work in a step: large weights first, then as many as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class LinkMatching:
    """Links, no two of them at the same port, out of `ends`: the two ports of every link.

    `taken[port]` is the link taken there, or -1.
    """

    def __init__(self, ports: int, ends: Sequence[tuple[int, int]]) -> None:
        self._ends = ends
        self._near: list[list[tuple[int, int]]] = [[] for _ in range(ports)]
        for link, (port, other) in enumerate(ends):
            self._near[port].append((link, other))
            self._near[other].append((link, port))
        self.taken = [-1] * ports

    def clear(self) -> None:
        """Take no link."""
        self.taken = [-1] * len(self._near)

    def take(self, links: Iterable[int], usable: Sequence[object], roots: Iterable[int]) -> None:
        """Take these links, in their order, where both ports are free, and then as many as can be.

        Links for which `usable` is not true are left out; ports of links taken before stay in
        use.  More are found along alternating paths from the ports `roots`: if every link has one
        end there, no matching of usable links is larger.  In other graphs paths through odd cycles
        may be missed.  Linear time for each of the rounds, of which there are few.
        """
        taken, ends = self.taken, self._ends
        for link in links:
            port, other = ends[link]
            if taken[port] < 0 and taken[other] < 0 and usable[link]:
                taken[port] = taken[other] = link
        self._augment(usable, roots)

    def _augment(self, usable: Sequence[object], roots: Iterable[int]) -> None:
        taken, near, ends = self.taken, self._near, self._ends
        free = [port for port in roots if taken[port] < 0]
        before: list[tuple[int, int]] = [(-1, -1)] * len(near)
        found = True
        while found and free:
            found = False
            # What was searched without success, or is part of a path found in this round.
            reached = bytearray(len(near))
            for root in free:
                if reached[root]:
                    continue
                reached[root] = 1
                queue = [root]
                for port in queue:  # grows while it is read
                    for link, other in near[port]:
                        if reached[other] or not usable[link]:
                            continue
                        reached[other] = 1
                        before[other] = (link, port)
                        its_own = taken[other]
                        if its_own < 0:
                            self._change(before, other)
                            found = True
                            break
                        one, two = ends[its_own]
                        partner = two if one == other else one
                        if not reached[partner]:
                            reached[partner] = 1
                            queue.append(partner)
                    else:
                        continue
                    break
            free = [port for port in free if taken[port] < 0]

    def _change(self, before: Sequence[tuple[int, int]], last: int) -> None:
        """Take the links of a path from its `last` port on, and leave those between them."""
        taken, ends = self.taken, self._ends
        while True:
            link, port = before[last]
            left = taken[port]
            taken[port] = taken[last] = link
            if left < 0:
                return
            one, two = ends[left]
            last = two if one == port else one
