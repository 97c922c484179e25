"""Which packets every node has and lacks while they spread, as the bits of integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from exactsched.synchronous.graph import SynchronousGraph


class PacketSets:
    """The packets at all nodes after a number of steps, and those on their way.

    `have[v]` are the packets of node v; `lack[v]` are those that it neither has nor is being
    sent, and `missing[v]` is their number.  `arriving[t]` lists what arrives after
    t steps: tail, head, and the packet's bit.
    """

    __slots__ = ("_arcs", "_rare", "_total", "arriving", "have", "lack", "missing", "step")

    def __init__(self, graph: SynchronousGraph, packets: int) -> None:
        origins = graph.origins(packets)
        self._total = sum(number for _, number in origins)
        everything = (1 << self._total) - 1
        self.have = [0] * graph.size
        first = 0
        for node, number in origins:
            self.have[node] = ((1 << number) - 1) << first
            first += number
        self.lack = [everything ^ have for have in self.have]
        self.missing = [lack.bit_count() for lack in self.lack]
        # The packets of which there are no more than 0, 1, ... copies.
        self._rare = [0] + [everything] * graph.size
        self.arriving: dict[int, list[tuple[int, int, int]]] = {}
        self.step = 0
        onward: list[list[int]] = [[] for _ in range(graph.size)]
        for tail, head, _ in graph.arcs:
            onward[tail].append(head)
        self._arcs = [
            (tail, head, steps, [node for node in onward[head] if node != tail])
            for tail, head, steps in graph.arcs
        ]

    def copy(self) -> PacketSets:
        """The same sets, to go on with in another way."""
        other = PacketSets.__new__(PacketSets)
        other._arcs, other._total, other._rare = self._arcs, self._total, self._rare[:]
        other.have, other.lack, other.missing = self.have[:], self.lack[:], self.missing[:]
        other.arriving = {step: rows[:] for step, rows in self.arriving.items()}
        other.step = self.step
        return other

    def send(
        self, arcs: Iterable[int], random: Callable[[], float], *, picky: bool = True
    ) -> tuple[int, ...]:
        """Send a packet over each of these arcs, and let a step pass: arc, packet, arc, ...

        Of the packets that the head lacks it is one that the nodes behind it lack as well, one
        after another as long as there is one; of these one of those with the fewest copies.  If
        not `picky`, it is any one that the head lacks.
        Each tail has something for its head.  O(degree + log n) operations on sets for each.
        """
        have, lack, missing, rare = self.have, self.lack, self.missing, self._rare
        table, arriving, now, chosen = self._arcs, self.arriving, self.step, self._from
        row: list[int] = []
        near = 1  # copies of the last packet: those of the next are about as many
        for arc in arcs:
            tail, head, steps, behind = table[arc]
            choice = have[tail] & lack[head]
            if picky:
                for node in behind:
                    better = choice & lack[node]
                    if better:
                        choice = better
            else:
                choice = chosen(choice, random)
            fewest, most, step = 0, len(rare) - 1, 1
            while fewest < near < most:
                if choice & rare[near]:
                    most, near = near, near - step
                else:
                    fewest, near = near, near + step
                step += step
            while most - fewest > 1:
                middle = (fewest + most) >> 1
                if choice & rare[middle]:
                    most = middle
                else:
                    fewest = middle
            near = most
            choice &= rare[most]
            bit = chosen(choice, random)
            lack[head] ^= bit
            missing[head] -= 1
            rare[most] ^= bit
            end = now + steps
            if end in arriving:
                arriving[end].append((tail, head, bit))
            else:
                arriving[end] = [(tail, head, bit)]
            row.append(arc)
            row.append(bit.bit_length() - 1)
        self.step = now + 1
        for _, head, bit in arriving.pop(now + 1, ()):
            have[head] |= bit
        return tuple(row)

    def _from(self, choice: int, random: Callable[[], float]) -> int:
        """The first one from a random place on, around the end, as a bit."""
        skipped = int(random() * self._total)
        later = choice >> skipped
        if later:
            return (later & -later) << skipped
        return choice & -choice

    def alike(self) -> object:
        """The same for states that differ only in the names of packets."""
        columns = sorted(
            tuple(
                (one >> packet & 1, other >> packet & 1)
                for one, other in zip(self.have, self.lack, strict=True)
            )
            for packet in range(self._total)
        )
        return tuple(columns), tuple(
            sorted((end, row[:2]) for end, rows in self.arriving.items() for row in rows)
        )

    def missed(self) -> int:
        """How many packets are still to be sent, over all nodes."""
        return sum(self.missing)

    def spreading(self) -> bool:
        """Whether a node does not have all packets yet."""
        return any(self.missing) or bool(self.arriving)
