"""Broadcasts by definition: ports, all trees, all cuts, all orders; and the programs of RR-4871.

SSB(G), as corrected and as printed, and SSBPDAG(G) maximize TP = 1/T*, which multiplies every
variable of SSB(G) by TP; the times t are substituted.  The package itself solves neither: these
are the statements of the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from exactsched.certificate.linear_programs import LinearProgram
from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import branchings, spans
from exactsched.oracles.flows_and_cuts import entered
from exactsched.oracles.linear_programs import ONE, THROUGHPUT, ThroughputProgram, maximum
from exactsched.oracles.series import optimum_of_sets
from exactsched.oracles.transfers import compatible_sets, exclude_each_other


def ends_of(problem: Broadcast) -> list[tuple[int, int]]:
    """The arcs as pairs of positions of their nodes.

    >>> from exactsched.model.platform import Platform
    >>> ends_of(Broadcast(Platform("ab", [("b", "a", 2)]), "b"))
    [(1, 0)]
    """
    position = problem.platform.position
    return [(position[arc.tail], position[arc.head]) for arc in problem.platform.arcs]


# --- Ports


def port_groups(problem: Broadcast) -> list[list[int]]:
    """For every port, or link, the arcs that keep it busy."""
    arcs = problem.platform.arcs
    if problem.ports == "link":
        return [[index] for index in range(len(arcs))]
    groups = []
    for node in problem.platform.nodes:
        out = [index for index, arc in enumerate(arcs) if arc.tail == node]
        into = [index for index, arc in enumerate(arcs) if arc.head == node]
        groups += [out, into] if problem.ports == "one-port" else [out + into]
    return [group for group in groups if group]


def largest_load(problem: Broadcast, times: Sequence[Rational]) -> Fraction:
    """How long the busiest port works if every arc works for its time.

    >>> from exactsched.model.platform import Platform
    >>> fork = Broadcast(Platform("sab", [("s", "a", 1), ("s", "b", 1)]), "s")
    >>> largest_load(fork, [Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    return max((Fraction(sum(times[k] for k in g)) for g in port_groups(problem)), default=0 * ONE)


# --- The best series, from all trees or all cuts


def arborescences(problem: Broadcast) -> Iterator[frozenset[int]]:
    """All spanning arborescences: one arc into every other node, in all ways."""
    root = problem.platform.position[problem.source]
    return branchings(len(problem.platform.nodes), ends_of(problem), [root])


def is_arborescence(problem: Broadcast, tree: Iterable[int]) -> bool:
    """Whether these arcs form a spanning arborescence from the source."""
    pairs, root = ends_of(problem), problem.platform.position[problem.source]
    return spans(len(problem.platform.nodes), [root], [pairs[arc] for arc in tree])


def optimal_throughput_by_definition(problem: Broadcast) -> Fraction:
    """The optimum over all time shares of sets of transfers that may run at once.

    Maximize the total rate of all allowed arborescences, each arc getting the time that it
    needs from the compatible sets that contain it; their shares add up to at most 1.  This is
    exact for every port model, half-duplex on odd cycles included.  Exponential: up to five or
    six nodes.
    """
    trees = list(arborescences(problem))
    if problem.restrict == "tree":
        families: Iterable[list[frozenset[int]]] = ([tree] for tree in trees)
    elif problem.restrict == "dag":
        families = _acyclic_families(problem, trees)
    elif problem.ports == "routes":
        every = [[(arc,) for arc in sorted(found)] for found in trees]
        return optimum_of_sets(problem, [every]) if trees else Fraction(0)
    else:
        families = [trees]
    return max((_best_rate(problem, family) for family in families), default=Fraction(0))


def _acyclic_families(
    problem: Broadcast, trees: list[frozenset[int]]
) -> Iterator[list[frozenset[int]]]:
    """For every order of the nodes the arborescences whose arcs all lead forwards."""
    seen = set()
    for order in permutations(problem.platform.nodes):
        place = {node: position for position, node in enumerate(order)}
        forward = {
            index
            for index, arc in enumerate(problem.platform.arcs)
            if place[arc.tail] < place[arc.head]
        }
        family = [tree for tree in trees if tree <= forward]
        if family and frozenset(family) not in seen:
            seen.add(frozenset(family))
            yield family


def _best_rate(problem: Broadcast, trees: list[frozenset[int]]) -> Fraction:
    if not trees:
        return Fraction(0)
    useful = sorted(frozenset().union(*trees))
    sets = compatible_sets(problem.platform, problem.ports, useful)
    costs = [problem.platform.arcs[index].cost for index in useful]
    rows = [
        [cost * (index in tree) for tree in trees] + [-Fraction(index in chosen) for chosen in sets]
        for index, cost in zip(useful, costs, strict=True)
    ]
    rows.append([Fraction(0)] * len(trees) + [Fraction(1)] * len(sets))
    limits = [Fraction(0)] * len(useful) + [Fraction(1)]
    return maximum([Fraction(1)] * len(trees) + [Fraction(0)] * len(sets), rows, limits)


def optimal_throughput_by_cuts(problem: Broadcast) -> Fraction:
    """The most messages per time unit that can cross every cut (Edmonds 1973).

    Over message rates n >= 0 on the arcs that leave no port more than fully busy, maximize the
    least rate into any set of nodes without the source.  Exponential: all sets are written down.
    """
    arcs, root = problem.platform.arcs, problem.platform.position[problem.source]
    size, pairs = len(problem.platform.nodes), ends_of(problem)
    zero, one = [Fraction(0)], [Fraction(1)]
    enters = [entered(size, [pair], one) for pair in pairs]
    rows, limits = [], []
    for nodes in range(1, 1 << size):
        if not nodes >> root & 1:
            rows.append(one + [-Fraction(into[nodes]) for into in enters])
            limits += zero
    for group in port_groups(problem):
        rows.append(zero + [arc.cost * (k in group) for k, arc in enumerate(arcs)])
        limits += one
    return maximum(one + zero * len(arcs), rows, limits)


# --- Runs


class Clock:
    """Transfers in a given order, each as early as its ports and its message allow.

    Each message takes latency + size * cost on an arc; `sizes` are 1 unless given.

    >>> from exactsched.model.platform import Platform
    >>> clock = Clock(Broadcast(Platform("abc", [("a", "b", 2), ("b", "c", 1)]), "a"), messages=2)
    >>> clock.possible(), clock.send(0, 1), clock.finish()
    ([(0, 0), (0, 1)], Fraction(2, 1), Fraction(6, 1))
    """

    def __init__(
        self, problem: Broadcast, messages: int, sizes: Sequence[Rational] | None = None
    ) -> None:
        self.problem, self.messages = problem, messages
        self.sizes = [Fraction(1)] * messages if sizes is None else sizes
        self.arrival: dict[tuple[Node, int], Fraction] = {
            (problem.source, message): Fraction(0) for message in range(messages)
        }
        self._free: dict[tuple[str, Node], Fraction] = {}

    def possible(self) -> list[tuple[int, int]]:
        """(arc, message) whose tail will have the message, whether the head has it or not."""
        return [
            (index, message)
            for index, arc in enumerate(self.problem.platform.arcs)
            for message in range(self.messages)
            if (arc.tail, message) in self.arrival
        ]

    def send(self, index: int, message: int) -> Fraction:
        """Sends the message over the arc, after all that the ports have done; when it arrives."""
        arc = self.problem.platform.arcs[index]
        end = self.start(index, message) + arc.latency + self.sizes[message] * arc.cost
        self._free.update({("send", arc.tail): end, ("recv", arc.head): end})
        known = self.arrival.get((arc.head, message), end)
        self.arrival[arc.head, message] = min(known, end)
        return end

    def start(self, index: int, message: int) -> Fraction:
        """When the transfer would begin if it were the next one."""
        arc = self.problem.platform.arcs[index]
        ports = ("send", arc.tail), ("recv", arc.head)
        free = [self._free.get(port, Fraction(0)) for port in ports]
        return max(self.arrival[arc.tail, message], *free)

    def missing(self) -> list[tuple[int, int]]:
        """The possible transfers to nodes that do not get the message otherwise."""
        arcs = self.problem.platform.arcs
        return [row for row in self.possible() if (arcs[row[0]].head, row[1]) not in self.arrival]

    def finish(self) -> Fraction:
        """Sends what is missing, whatever comes first, and says when all is everywhere."""
        while missing := self.missing():
            self.send(*missing[0])
        return max(self.arrival.values())

    def finish_greedily(self) -> Fraction:
        """The same event by event: what can begin first begins, of these the oldest message.

        >>> from exactsched.model.platform import Platform
        >>> star = Platform("abc", [("a", "b", 2), ("a", "c", 1), ("b", "c", 1)])
        >>> Clock(Broadcast(star, "a"), messages=2).finish_greedily()
        Fraction(6, 1)
        """
        while missing := self.missing():
            self.send(*min(missing, key=lambda row: (self.start(*row), row[1], row[0])))
        return max(self.arrival.values())


def shortest_run_by_search(problem: Broadcast, sizes: Sequence[Fraction]) -> Fraction | None:
    """The makespan of the best uninterrupted schedule: all orders, each started as early as it can.

    An upper bound of the optimum (which may interrupt), so every proved lower bound is at most
    this; None if some node cannot be reached.  Exponential: up to four or five transfers.
    """
    arcs = problem.platform.arcs
    best: Fraction | None = None
    needed = (len(problem.platform.nodes) - 1) * len(sizes)
    start_state: dict[tuple[Node, int], Fraction] = {
        (problem.source, packet): Fraction(0) for packet in range(len(sizes))
    }
    pending: list[tuple[dict[tuple[Node, int], Fraction], list[tuple[Fraction, Fraction, int]]]] = [
        (start_state, [])
    ]
    while pending:
        arrival, busy = pending.pop()
        if len(busy) == needed:
            end = max(end for _, end, _ in busy)
            best = end if best is None else min(best, end)
            continue
        for index, arc in enumerate(arcs):
            for packet, size in enumerate(sizes):
                if (arc.tail, packet) not in arrival or (arc.head, packet) in arrival:
                    continue
                clashes = [
                    end
                    for _, end, other in busy
                    if exclude_each_other(problem.ports, arc, arcs[other])
                ]
                start = max([arrival[arc.tail, packet], *clashes])
                end = start + arc.latency + size * arc.cost
                pending.append(({**arrival, (arc.head, packet): end}, [*busy, (start, end, index)]))
    return best


# --- The programs of the paper


def _busy_ports(problem: Broadcast) -> tuple[ThroughputProgram, list[int]]:
    """A program with a variable n for every arc, its messages; no port works beyond full time."""
    program = ThroughputProgram()
    n = [program.variable() for _ in problem.platform.arcs]
    for group in port_groups(problem):
        program.at_most({n[index]: problem.platform.arcs[index].cost for index in group}, 1)
    return program, n


def _flow(program: ThroughputProgram, n: Sequence[int], arcs: Iterable[int]) -> dict[int, int]:
    """A new variable x(a) <= n(a) for each of these arcs."""
    x = {}
    for arc in arcs:
        x[arc] = program.variable()
        program.at_most({x[arc]: ONE, n[arc]: -ONE}, 0)
    return x


def _flow_rows(
    problem: Broadcast, program: ThroughputProgram, target: Node, x: Mapping[int, int]
) -> None:
    """(7), (8) and (9) for one target."""
    arcs = problem.platform.arcs

    def row(end: str, node: Node, sign: Fraction) -> dict[int, Fraction]:
        return {v: sign for arc, v in x.items() if getattr(arcs[arc], end) == node}

    all_of_it = {THROUGHPUT: -ONE}
    program.equation(row("tail", problem.source, ONE) | all_of_it)
    if target != problem.source:
        program.equation(row("head", target, ONE) | all_of_it)
    for node in problem.platform.nodes:
        if node not in (problem.source, target):
            program.equation(row("head", node, ONE) | row("tail", node, -ONE))


def ssb_corrected(problem: Broadcast) -> tuple[LinearProgram, dict[Node, dict[int, int]]]:
    """SSB(G) with a flow to every P_i that neither enters the source nor leaves P_i.

    Variable 0 is TP and 1 + a the n of arc a; the variables of the flows, by arc, come along.
    """
    program, n = _busy_ports(problem)
    flows = {}
    for target in problem.platform.nodes:
        if target != problem.source:
            useful = [
                index
                for index, arc in enumerate(problem.platform.arcs)
                if arc.head != problem.source and arc.tail != target
            ]
            flows[target] = _flow(program, n, useful)
            _flow_rows(problem, program, target, flows[target])
    return program.stated(), flows


def ssb_printed(problem: Broadcast, *, to_source: bool = True) -> LinearProgram:
    """SSB(G) as printed: gross flows in (7) and (8), and (7) for i = s unless told otherwise."""
    program, n = _busy_ports(problem)
    for target in problem.platform.nodes:
        if to_source or target != problem.source:
            _flow_rows(problem, program, target, _flow(program, n, range(len(n))))
    return program.stated()


def ssbpdag(problem: Broadcast) -> LinearProgram:
    """SSBPDAG(G): into every node but the source go TP messages; variables as in SSB(G)."""
    program, n = _busy_ports(problem)
    for node in problem.platform.nodes:
        if node != problem.source:
            into = {n[k]: ONE for k, arc in enumerate(problem.platform.arcs) if arc.head == node}
            program.equation(into | {THROUGHPUT: -ONE})
    return program.stated()
