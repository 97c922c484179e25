"""The matching of links that work in a step: large weights first, then as many as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class LinkMatching:
    """Links, no two of them at the same port, out of `ends`: the two ports of every link.

    `taken[port]` is the link taken there, or -1; `_mates[port]` the port at its other end, or -1.
    """

    def __init__(self, ports: int, ends: Sequence[tuple[int, int]]) -> None:
        self._ends = ends
        self._near: list[list[tuple[int, int]]] = [[] for _ in range(ports)]
        for link, (port, other) in enumerate(ends):
            self._near[port].append((link, other))
            self._near[other].append((link, port))
        self.clear()

    def clear(self) -> None:
        """Take no link."""
        self.taken = [-1] * len(self._near)
        self._mates = [-1] * len(self._near)

    def take(self, links: Iterable[int], usable: Sequence[object], roots: Iterable[int]) -> None:
        """Take these links, in their order, where both ports are free, and then as many as can be.

        Links for which `usable` is not true are left out; ports of links taken before stay in
        use.  More are found along alternating paths from the ports `roots`: if every link has one
        end there, no matching of usable links is larger.  In other graphs paths through odd cycles
        may be missed.  Linear time for each of the rounds, of which there are few.
        """
        taken, mates, ends = self.taken, self._mates, self._ends
        for link in links:
            if usable[link]:
                port, other = ends[link]
                if taken[port] < 0 and taken[other] < 0:
                    taken[port] = taken[other] = link
                    mates[port], mates[other] = other, port
        self._augment(usable, roots)

    def _augment(self, usable: Sequence[object], roots: Iterable[int]) -> None:
        mates, near = self._mates, self._near
        free = [port for port in roots if mates[port] < 0]
        before = [-1] * len(near)
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
                        before[other] = link
                        partner = mates[other]
                        if partner < 0:
                            self._change(before, other)
                            found = True
                            break
                        if not reached[partner]:
                            reached[partner] = 1
                            queue.append(partner)
                    else:
                        continue
                    break
            free = [port for port in free if mates[port] < 0]

    def _change(self, before: Sequence[int], last: int) -> None:
        """Take the links of a path from its `last` port on, and leave those between them."""
        taken, mates, ends = self.taken, self._mates, self._ends
        while last >= 0:
            link = before[last]
            one, two = ends[link]
            port = two if one == last else one
            left = mates[port]
            taken[port] = taken[last] = link
            mates[port], mates[last] = last, port
            last = left
