"""Partitions of letters into blocks by an explicit rule: natural blocks, then exchanges.

*Natural* is the block of a node with r <= L children that keeps all its leaves but one: which one
is prescribed by the sum modulo the size.  A larger node takes letters that others have left.  The
root takes the rest, and *exchanges* with other blocks move its sum where it has to be: a letter x
of a block of size p may be exchanged for a letter x + k p of the root.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from exactsched.logp.block_partition import Block, Partition
from exactsched.logp.counts import fibonacci

# Number of children -> how many of the nodes that would have so many lack the last one.
_Pruning = dict[int, int]

# So many letters are tried as the spare one, if none is prescribed.
_SPARES = 12

# So often a search that is stuck goes on from elsewhere.
_KICKS = 12


def partition_by_exchange(
    L: int, depth: int, dropped: int, spare: int | None = None, balls: int | None = None
) -> Partition | None:
    """A partition for the tree of f_depth - `dropped` nodes, or None where the rule finds none.

    Which nodes lose the last of their children is tried in several ways.  The spare letter and the
    number of balls of the root's block may be prescribed.

    >>> partition = partition_by_exchange(9, 22, 2, spare=3, balls=4)
    >>> partition.is_valid(), partition.processors == fibonacci(9, 22) - 2
    (True, True)
    >>> partition_by_exchange(4, 8, 0) is None
    True
    """
    nodes = {size: fibonacci(L, depth - 2 * L + 1 - size) for size in range(1, depth - 2 * L + 2)}
    nodes[depth - L + 1] = 1
    for pruning in _prunings(nodes, dropped):
        deal = _natural(L, depth, nodes, pruning)
        if deal is None:
            continue
        for letter in [spare] if spare is not None else deal.likely_spares():
            for stride in (max, min):
                attempt = deal.without(letter)
                if attempt is not None and attempt.settled(balls, stride):
                    return attempt.partition(letter)
    return None


def _prunings(nodes: dict[int, int], dropped: int) -> Iterator[_Pruning]:
    """Ways to choose the nodes that lose a child, the root last: runs of classes of equal nodes.

    `nodes` says how many have how many children.
    """
    *classes, root = nodes.items()
    for first in range(max(1, len(classes))):
        for order in (classes[first:] + classes[:first], classes[first::-1] + classes[:first:-1]):
            for run in ([*order, root], [root, *order]):
                pruning, left = {}, dropped
                for size, count in run:
                    pruning[size] = min(count, left)
                    left -= pruning[size]
                if left == 0 and (dropped or run[-1] == root):
                    yield pruning
        if dropped == 0:
            return


@dataclass(slots=True)
class _Hand:
    """A block in the making: the header's index, the size, and the letters so far."""

    index: int
    size: int
    letters: list[int]


@dataclass(slots=True)
class _Deal:
    """Finished blocks, and the root's: its letters are those that no other block has, `pool`."""

    L: int
    hands: list[_Hand]
    root: _Hand
    pool: Counter[int]

    def without(self, letter: int) -> _Deal | None:
        """A copy in which the root has given up this letter; None if it has none."""
        if self.pool[letter] == 0:
            return None
        hands = [_Hand(hand.index, hand.size, hand.letters.copy()) for hand in self.hands]
        return _Deal(self.L, hands, self.root, self.pool - Counter([letter]))

    def likely_spares(self) -> list[int]:
        """The root's letters, those first without which its sum is nearly right."""
        total, size = self._sum(), self.root.size
        letters = sorted(+self.pool, key=lambda x: min((total - x) % size, (x - total) % size))
        return letters[:_SPARES]

    def partition(self, spare: int) -> Partition:
        blocks = [Block(hand.index, hand.size, tuple(hand.letters)) for hand in self.hands]
        letters = tuple(sorted(self.pool.elements()))
        blocks.append(Block(self.root.index, self.root.size, letters))
        return Partition(self.L, self.root.index, tuple(blocks), spare)

    def settled(self, balls: int | None, stride: Callable[..., int]) -> bool:
        """Exchange letters until the root's sum is right, for this number of balls or any.

        `stride` chooses among the changes towards the right sum.  Where neither one nor two
        exchanges do, and none leads closer, some other is made, and all begins again.
        """
        for kick in range(_KICKS):
            while True:
                gaps = self._gaps(balls)
                gap = min(gaps, key=abs)
                if gap == 0:
                    return True
                exchanges = self._exchanges()
                for change in gaps:
                    if change in exchanges:
                        self._exchange(exchanges[change])
                        return True
                if abs(gap) <= 2 * self.L and self._settled_by_two(gaps, exchanges):
                    return True
                steps = [x for x in exchanges if x * gap > 0 and abs(x) < abs(gap)]
                if not steps:
                    break
                self._exchange(exchanges[stride(steps, key=abs)])
            if not exchanges:
                break
            self._exchange(exchanges[sorted(exchanges)[kick * 5 % len(exchanges)]])
        return False

    def _settled_by_two(
        self, gaps: list[int], exchanges: dict[int, tuple[_Hand, int, int]]
    ) -> bool:
        for change in sorted(exchanges, key=abs):
            hand, letter, other = exchanges[change]
            self._exchange((hand, letter, other))
            seconds = self._exchanges()
            for gap in gaps:
                if gap - change in seconds:
                    self._exchange(seconds[gap - change])
                    return True
            self._exchange((hand, other, letter))
        return False

    def _sum(self) -> int:
        return self.root.index + sum([letter * count for letter, count in self.pool.items()])

    def _gaps(self, balls: int | None) -> list[int]:
        """By how much the root's sum might change to be right."""
        total, size = self._sum(), self.root.size
        return [-(total % size), -total % size] if balls is None else [balls * size - total]

    def _exchanges(self) -> dict[int, tuple[_Hand, int, int]]:
        """An exchange, of a hand's letter for another, for each change that one can make."""
        holders = {(hand.size, letter): hand for hand in self.hands for letter in hand.letters}
        return {
            letter - other: (hand, letter, other)
            for (size, letter), hand in holders.items()
            for other in range(letter % size, self.L + 1, size)
            if other != letter and self.pool[other] > 0
        }

    def _exchange(self, exchange: tuple[_Hand, int, int]) -> None:
        hand, letter, other = exchange
        hand.letters[hand.letters.index(letter)] = other
        self.pool[letter] += 1
        self.pool[other] -= 1


def _natural(L: int, depth: int, nodes: dict[int, int], pruning: _Pruning) -> _Deal | None:
    """Every block but the root's with letters of the right sum; None if that fails."""
    pool = Counter({letter: _leaves(L, depth - letter) for letter in range(L)})
    pool[0] -= sum(pruning.values())
    pool[L] = pruning.get(1, 0)
    hands = []
    *classes, top = nodes
    for full in classes:
        for node in range(nodes[full]):
            lost = int(node < pruning.get(full, 0))
            if full == lost:
                continue
            hand = _Hand(L - 1 + full, full - lost, [])
            own = range(lost, min(full, L))
            if full <= L:
                left = (hand.index + sum(own)) % hand.size
                # 0 and the size are the same; the first is a leaf of its own if none is lost.
                left = left if left >= lost else hand.size
                hand.letters = [letter for letter in own if letter != left]
                pool.subtract(hand.letters)
            elif not _filled(hand, own, pool, _reserved(L, nodes, pruning, full, node)):
                return None
            hands.append(hand)
    return _Deal(L, hands, _Hand(depth, top - pruning.get(top, 0), []), pool)


def _leaves(L: int, delay: int) -> int:
    """How many nodes of the full tree have this delay: one parent for each."""
    return fibonacci(L, delay - L) if delay >= L else 0


def _reserved(
    L: int, nodes: dict[int, int], pruning: _Pruning, full: int, node: int
) -> Counter[int]:
    """The leaves of the nodes with more than L children that are still to come, and the root's."""
    later = nodes[full] - node - 1 + sum(nodes[size] for size in nodes if size > full)
    lost = max(0, pruning.get(full, 0) - node - 1)
    lost += sum(pruning.get(size, 0) for size in nodes if size > full)
    return Counter({letter: later - (lost if letter == 0 else 0) for letter in range(L)})


def _filled(hand: _Hand, own: range, pool: Counter[int], reserved: Counter[int]) -> bool:
    """Letters for a large node: its own leaves, what is not reserved, and else anything.

    One more is taken than it needs, and one given back, so that the sum is right; if no single
    one will do, another is exchanged for one of the pool.
    """
    hold = [letter for letter in own if pool[letter] > 0]
    pool.subtract(hold)
    free = sorted((pool - reserved).elements())
    rest = sorted((pool - Counter(free)).elements())
    more = (free + rest)[: hand.size - len(hold)]
    if len(hold) + len(more) < hand.size:
        return False
    hold += more
    pool.subtract(more)
    total = hand.index + sum(hold)
    for back in sorted(set(hold)):
        excess = (total - back) % hand.size
        for letter in sorted(set(hold)):
            for other in (letter - excess, letter - excess + hand.size):
                if excess == 0 or (letter != back and pool[other] > 0):
                    hold.remove(back)
                    pool[back] += 1
                    if excess:
                        hold[hold.index(letter)] = other
                        pool[letter] += 1
                        pool[other] -= 1
                    hand.letters = hold
                    return True
    return False
