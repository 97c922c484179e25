"""Gabow-Kariv edge coloring of bipartite multigraphs (1982): Euler splits, then recoloring.

Method: a graph of largest degree D is split into two halves; one of them is colored, and some of
its colors move to the other until the degree there is a power of two, where splits suffice.  At
an odd degree a whole color is dissolved, and its edges are inserted along paths of two colors.
Deterministic, and without matchings.

Limits: the method "matching" of `exactsched.graphs.edge_coloring` is faster and has fewer classes;
benchmarks/README.md has the factors.  Proofs: proofs/konig-edge-coloring.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from exactsched.graphs.contraction import degrees, packed

Ends = tuple[Sequence[int], Sequence[int]]  # of every edge: its left node, its right node
End = tuple[int, int]  # side (0 left, 1 right), edge

_NONE = -1


class Colored(NamedTuple):
    """Classes (number of colors, matching), edges in increasing order, and the work they took.

    An elementary step looks at one edge: in a split, on a path of two colors, in a copied class.
    """

    classes: list[tuple[int, tuple[int, ...]]]
    steps: int


def color_by_recoloring(
    lefts: Sequence[int], rights: Sequence[int], copies: Sequence[int]
) -> Colored:
    """The edges of a bipartite multigraph in as many matchings as its largest degree D.

    Edge e joins `lefts[e]` on one side to `rights[e]` on the other, numbered separately, and has
    `copies[e]` >= 1 copies.  For kernels: nothing is checked; `color_edges` does that.

    Method: the leading bits of the multiplicities count N <= E copies of the E edges; these are
    colored one by one.  Then bit by bit: a class stands for twice as many colors, and one copy of
    each edge with this bit is inserted into it.
    Limits: at most min(D, N + 2 I + b) classes, I the number of copies inserted and b the number
    of bits that they have; the method "matching" of `color_edges` promises min(D, E).

    Complexity: O(N log D log |V|) and also O((N + |V|^2) log D) elementary steps for the leading
    bits; O(|V|) steps, and a look at each node for each new class, for each of the I <= E b copies.
    Reference: Gabow and Kariv, SIAM J. Comput. 11 (1982), 117-129, who state O(E log^2 |V|) and
    O(|V|^2 log |V|) for graphs and that their results generalize to multigraphs;
    proofs/konig-edge-coloring.md, statement 5.

    >>> color_by_recoloring([0, 0, 1], [0, 1, 0], [1, 1, 1]).classes
    [(1, (0,)), (1, (1, 2))]
    """
    low = _low_bits(copies)
    ends = (lefts, rights) if low == 0 else _contracted((lefts, rights), copies)
    heads = [edge for edge, number in enumerate(copies) for _ in range(number >> low)]
    halving = _Halving(([ends[0][edge] for edge in heads], [ends[1][edge] for edge in heads]))
    matchings = [[heads[copy] for copy in matching] for matching in halving.colored()]
    if low == 0:
        classes = [(1, tuple(sorted(matching))) for matching in matchings if matching]
        return Colored(classes, halving.steps)
    bundles = _Bundles(ends, matchings, 1 << low)
    for bit in reversed(range(low)):
        unit = 1 << bit
        bundles.extend(_largest_degree(ends, [number & -unit for number in copies]))
        for edge, number in enumerate(copies):
            if number & unit:
                bundles.insert_copies(edge, unit)
    return Colored(bundles.classes(), halving.steps + bundles.steps)


def _low_bits(copies: Sequence[int]) -> int:
    """The least number of bits without which the copies are no more than the edges."""
    low = 0
    while sum([number >> low for number in copies]) > len(copies):
        low += 1
    return low


def _contracted(ends: Ends, copies: Sequence[int]) -> Ends:
    """The ends of all edges in bins: few colors are free at a bin, so few need to be listed."""
    lefts, rights = (degrees(nodes, copies) for nodes in ends)
    largest = max(*lefts.values(), *rights.values())
    left_bin, right_bin = packed(lefts, largest), packed(rights, largest)
    return [left_bin[node] for node in ends[0]], [right_bin[node] for node in ends[1]]


def _largest_degree(ends: Ends, copies: Sequence[int]) -> int:
    return max(max(degrees(nodes, copies).values(), default=0) for nodes in ends)


# Colors as tables ---------------------------------------------------------------------------------


class Table:
    """`at[side][color]` has the edge of this color at every node that has one."""

    def __init__(self, ends: Ends, matchings: Iterable[Iterable[int]]) -> None:
        self.ends = ends
        self.steps = 0
        self.at: tuple[list[dict[int, int]], list[dict[int, int]]] = ([], [])
        for matching in matchings:
            for side in (0, 1):
                self.at[side].append({ends[side][edge]: edge for edge in matching})

    def matchings(self) -> list[list[int]]:
        return [list(edge_at.values()) for edge_at in self.at[0]]

    def free_color(self, side: int, edge: int) -> int:
        """The first color that is free at this end of an edge."""
        node = self.ends[side][edge]
        return next(color for color, edge_at in enumerate(self.at[side]) if node not in edge_at)

    def insert(self, edge: int, color: int, other: int) -> End:
        """Color an edge; `color` is free at its left end, `other` at its right end.

        An edge that has the color at the right end gives way and takes the other one, and so on
        along a path of edges with these two colors.  It comes to left nodes by edges of the first
        color, so not back to the start (Konig).  Returns the last end of the path.
        """
        here, there = self.at[1], self.at[0]
        near, far = self.ends[1], self.ends[0]
        there[color][far[edge]] = edge
        side = steps = 1
        while (displaced := here[color].get(near[edge], _NONE)) != _NONE:
            here[color][near[edge]] = edge
            here[other][near[edge]] = displaced
            edge, side = displaced, 1 - side
            color, other = other, color
            here, there, near, far = there, here, far, near
            steps += 1
        here[other].pop(near[edge], None)  # where the edge was before it gave way
        here[color][near[edge]] = edge
        self.steps += steps
        return side, edge

    def path(self, start: End, color: int, other: int) -> list[int]:
        """The edges of these two colors from an end at which `color` is free."""
        side, edge = start
        node = self.ends[side][edge]
        found: list[int] = []
        while (edge := self.at[side][other].get(node, _NONE)) != _NONE:
            found.append(edge)
            side = 1 - side
            node = self.ends[side][edge]
            color, other = other, color
        self.steps += len(found)
        return found

    def exchange(self, path: Sequence[int], color: int, other: int) -> None:
        """Exchange two colors on a path, which `path` has found with them in this order."""
        for side in (0, 1):
            nodes = self.ends[side]
            before = self.at[side][other], self.at[side][color]
            for turn in (0, 1):
                for edge in path[turn::2]:
                    del before[turn][nodes[edge]]
            for turn in (0, 1):
                for edge in path[turn::2]:
                    before[1 - turn][nodes[edge]] = edge


# Single copies ------------------------------------------------------------------------------------


class _Halving:
    """Gabow and Kariv's recursion on the copies of one graph."""

    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self.steps = 0
        self._partner = [_NONE] * len(ends[0]), [_NONE] * len(ends[0])

    def colored(self) -> list[list[int]]:
        copies = range(len(self.ends[0]))
        return self._colored(list(copies), _largest_degree(self.ends, [1] * len(copies)))

    def _colored(self, chosen: list[int], degree: int) -> list[list[int]]:
        """The chosen edges, at most `degree` at a node, in this many matchings; some may be empty.

        2 half - power of the classes of one half remain, the larger ones.
        """
        if len(chosen) <= 1 or degree == 1:
            return [chosen]
        half = (degree + 1) // 2
        power = 1 << (half - 1).bit_length()  # the least power of two that is at least half
        one, other = self._halves(chosen)
        classes = sorted(self._colored(one, half), key=len)
        for smallest in classes[: max(0, len(classes) + power - 2 * half)]:
            other += smallest
        classes = classes[max(0, len(classes) + power - 2 * half) :]
        classes += self._colored(other, power)  # Euler splits only
        if len(classes) > degree:
            classes.sort(key=len)
            table = Table(self.ends, classes[1:])
            insert_all(table, classes[0], len(chosen) * degree.bit_length())
            self.steps += table.steps
            classes = table.matchings()
        return classes

    def _halves(self, chosen: list[int]) -> tuple[list[int], list[int]]:
        """Two halves, the smaller one first: at every node each gets half, rounded up or down.

        The edges at a node are paired, up to one.  Edges and pairs form paths and cycles, the
        cycles with as many left pairs as right ones; the edges along them go to the halves in turn.
        """
        for side in (0, 1):
            ends, partner = self.ends[side], self._partner[side]
            single: dict[int, int] = {}
            for edge in chosen:
                mate = single.pop(ends[edge], _NONE)
                if mate == _NONE:
                    single[ends[edge]] = edge
                else:
                    partner[edge], partner[mate] = mate, edge
            for edge in single.values():
                partner[edge] = _NONE
        self.steps += len(chosen)
        halves: tuple[list[int], list[int]] = ([], [])
        seen: set[int] = {_NONE}
        for start in chosen:
            if start in seen:
                continue
            seen.add(start)
            halves[0].append(start)
            for side in (0, 1):
                turn, edge = 1, self._partner[side][start]
                while edge not in seen:
                    seen.add(edge)
                    halves[turn].append(edge)
                    edge, turn = self._partner[side ^ turn][edge], 1 - turn
        one, other = halves
        return (one, other) if len(one) <= len(other) else (other, one)


def insert_all(table: Table, chosen: Iterable[int], patience: int) -> None:
    """Color a matching, too, if no node gets more edges than there are colors.

    One by one, until these paths have taken more steps than `patience`: then many at once.
    """
    waiting = list(chosen)
    while waiting:
        until = table.steps + patience
        while waiting and table.steps < until:
            edge = waiting.pop()
            table.insert(edge, table.free_color(0, edge), table.free_color(1, edge))
        if waiting:
            waiting = insert_together(table, waiting)


def insert_together(table: Table, chosen: Sequence[int]) -> list[int]:
    """Color most edges of a matching, too: at least one of five.  Returns those that remain.

    At every end a color is free.  The colors are halved by pairs, and a part of the edges is sent
    to each half, such that both ends have a free color in it: `_Parts`.  And again, until there
    is only one color.  Each time every color is looked at, at most.
    """
    remaining: list[int] = []
    free = {(side, edge): table.free_color(side, edge) for edge in chosen for side in (0, 1)}
    stack = [(list(range(len(table.at[0]))), list(chosen))]
    while stack:
        colors, edges = stack.pop()
        if len(colors) > 1 and edges:
            parts = _Parts(table, free, colors, edges)
            stack += parts.halves()
            remaining += parts.remaining
        else:
            for edge in edges:
                table.insert(edge, colors[0], colors[0])
    return remaining


class _Parts:
    """The edges of a matching in two parts, for two halves of the colors.

    Colors are paired, the first of a pair goes to half 0, the second to half 1.  The path of its
    pair that starts at an end with a free color leads, maybe, to another such end: then the two
    are *linked*.  If the colors on the path are exchanged, the other color of the pair is free at
    both.  So an end can be in either half, but linked ends must be in different halves if they
    are on the same side of the graph, and in the same half if they are on different sides.  The
    two ends of an edge must be in the same half.  Along a chain of edges and links all of this
    can be met: let an edge and a link change (half + side) mod 2 each; the cycles are even.

    If the number of colors is odd, one has no partner; the ends where it was chosen stay in half 0.
    They end chains.  A chain between two of them may fail; then one edge remains.
    """

    def __init__(
        self, table: Table, free: dict[End, int], colors: list[int], edges: list[int]
    ) -> None:
        self._table = table
        self._free = free
        self._edges = edges
        self.remaining: list[int] = []
        self._part: dict[int, int] = {}
        self._colors = self._paired(colors)
        self._other = dict(zip(*self._colors, strict=False))
        self._other |= {second: first for first, second in self._other.items()}
        self._in_first = frozenset(self._colors[0])
        self._paths: list[tuple[End, list[int]]] = []
        self._link: dict[End, End] = {}
        self._find_links()

    def halves(self) -> list[tuple[list[int], list[int]]]:
        """Each half of the colors with its edges, after the exchanges that they need."""
        fixed = [edge for edge in self._edges if self._fixed((0, edge)) or self._fixed((1, edge))]
        for edge in (*fixed, *self._edges):
            if edge not in self._part:
                self._part[edge] = 0
                for side in (0, 1):
                    self._follow((side, edge))
        for start, path in self._paths:
            self._move(start, path)
        chosen: tuple[list[int], list[int]] = ([], [])
        for edge in self._edges:
            if self._part[edge] == _NONE:
                self.remaining.append(edge)
            else:
                chosen[self._part[edge]].append(edge)
        return list(zip(self._colors, chosen, strict=True))

    def _paired(self, colors: list[int]) -> tuple[list[int], list[int]]:
        """Two halves; of an odd number the color that is chosen least often comes last."""
        if len(colors) % 2:
            used = Counter(self._free[side, edge] for edge in self._edges for side in (0, 1))
            last = min(colors, key=lambda color: used[color])
            colors = [color for color in colors if color != last] + [last]
        return colors[::2], colors[1::2]

    def _fixed(self, end: End) -> bool:
        return self._free[end] not in self._other

    def _find_links(self) -> None:
        edge_at = [{self._table.ends[side][edge]: edge for edge in self._edges} for side in (0, 1)]
        self._table.steps += len(self._edges)
        for end in [(side, edge) for edge in self._edges for side in (0, 1)]:
            if end in self._link or self._fixed(end):
                continue
            color = self._free[end]
            path = self._table.path(end, color, self._other[color])
            self._paths.append((end, path))
            if path:
                side = (end[0] + len(path)) % 2
                linked = side, edge_at[side].get(self._table.ends[side][path[-1]], _NONE)
                if linked[1] != _NONE and self._free[linked] in (color, self._other[color]):
                    self._link[end], self._link[linked] = linked, end

    def _follow(self, end: End) -> None:
        """Send the edges along a chain to their halves, from an edge that is in its half."""
        while (linked := self._link.get(end)) is not None and linked[1] not in self._part:
            side, edge = linked
            part = self._part[end[1]] ^ (side == end[0])
            end = 1 - side, edge
            self._part[edge] = _NONE if part and self._fixed(end) else part
            if self._part[edge] == _NONE:
                return

    def _move(self, start: End, path: list[int]) -> None:
        """Make the color of its half free at the start of a path, and at the end linked to it."""
        linked = self._link.get(start)
        end = start
        if self._part[start[1]] == _NONE and linked is not None:
            end = linked
        part = self._part[end[1]]
        if part == _NONE or (self._free[end] in self._in_first) == (part == 0):
            return
        first = self._free[start]
        self._table.exchange(path, first, self._other[first])
        for moved in (start, *([linked] if linked else [])):
            self._free[moved] = self._other[self._free[moved]]


# Bundles of copies --------------------------------------------------------------------------------


class _Bundles(Table):
    """Colors that stand for several each, `numbers[color]`, and the colors free at every node.

    The color that became free last is taken first: it is often a single one, which spares a copy.
    (Classes for 400 edges of 40 digits: 3,400; 3,700 with the least number first, 18,000 with the
    largest.)
    """

    def __init__(self, ends: Ends, matchings: Sequence[Iterable[int]], number: int) -> None:
        super().__init__(ends, matchings)
        self.numbers = [number] * len(matchings)
        self._free: list[dict[int, dict[int, None]]] = [
            {
                node: {color: None for color, edge_at in enumerate(tables) if node not in edge_at}
                for node in dict.fromkeys(nodes)
            }
            for nodes, tables in zip(ends, self.at, strict=True)
        ]

    def extend(self, colors: int) -> None:
        """Colors without edges, until there are this many."""
        if lacking := colors - sum(self.numbers):
            self._add({}, {}, lacking)

    def insert_copies(self, edge: int, number: int) -> None:
        """Give this many colors more to an edge; every color stands for a multiple of them."""
        ends = self.ends[0][edge], self.ends[1][edge]
        free = self._free[0][ends[0]], self._free[1][ends[1]]
        color, other = next(reversed(free[0])), next(reversed(free[1]))
        if color in free[1]:
            other = color
        elif other in free[0]:
            color = other
        same = color == other
        color = self._part(color, number)
        other = color if same else self._part(other, number)
        side, last = self.insert(edge, color, other)
        del free[0][color], free[1][other]
        if last != edge:
            node = self.ends[side][last]
            lost, gained = (color, other) if node in self.at[side][color] else (other, color)
            del self._free[side][node][lost]
            self._free[side][node][gained] = None
        elif not same:
            free[1][other] = None
            del free[1][color]

    def classes(self) -> list[tuple[int, tuple[int, ...]]]:
        """Equal matchings are one class."""
        numbers: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for number, matching in zip(self.numbers, self.matchings(), strict=True):
            numbers[tuple(sorted(matching))] += number
        return [(number, matching) for matching, number in numbers.items() if matching]

    def _part(self, color: int, number: int) -> int:
        """A color that stands for this number and has the same edges: a new one, if need be."""
        if self.numbers[color] == number:
            return color
        self.numbers[color] -= number
        self.steps += len(self.at[0][color])
        return self._add(dict(self.at[0][color]), dict(self.at[1][color]), number)

    def _add(self, at_left: dict[int, int], at_right: dict[int, int], number: int) -> int:
        color = len(self.numbers)
        self.numbers.append(number)
        for side, edge_at in enumerate((at_left, at_right)):
            self.at[side].append(edge_at)
            for node, free in self._free[side].items():
                if node not in edge_at:
                    free[color] = None
        return color
