"""What the claims of RR-4871 share: instances, loads, and the linear programs in full.

SSB(G), as corrected and as printed, and SSBPDAG(G) maximize TP = 1/T*, which multiplies every
variable of SSB(G) by TP; the times t are substituted.  The package itself solves neither: these
are the statements of the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Any

from exactsched.certificate.minmax import LinearOptimum, LinearProgram
from exactsched.check import ProvedSeries, check
from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import broadcast as random_broadcast
from exactsched.instances.platforms import cost, node_names
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.platforms.papers import legrand_fig1
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Bounds, Claim, Status


def reachable_broadcast(choices: Choices, bound: int) -> Broadcast:
    """One-port; every node can be reached.

    In two cases of three the source serves relays that exchange what they got and have leaves of
    their own, as in figure 1: there a single tree is often not enough.
    """
    if not choices.below(3) or bound < 4:
        return random_broadcast(choices, ports="one-port", max_nodes=bound)
    size = choices.between(4, bound)
    count = choices.between(2, max(2, size // 2))
    relays = range(1, count + 1)

    def near_one(most: int) -> Fraction:
        return choices.fraction(most, (2, 3, 4))

    costs = {(0, relay): near_one(4) if choices.flip() else Fraction(1) for relay in relays}
    costs |= {pair: near_one(4) for pair in permutations(relays, 2)}
    costs |= {(choices.one_of(relays), leaf): near_one(3) for leaf in range(count + 1, size)}
    others = [pair for pair in permutations(range(size), 2) if pair not in costs and pair[1]]
    costs |= {pair: cost(choices) for pair in choices.some_of(others, 8)}
    names = node_names(choices, size)
    arcs = [(names[tail], names[head], time) for (tail, head), time in costs.items()]
    return Broadcast(Platform(choices.shuffled(names), choices.shuffled(arcs)), names[0])


def proved(solution: Solution) -> ProvedSeries:
    """What the checker finds proved by the certificate of a solution.

    >>> from exactsched.steady_state.broadcast import broadcast
    >>> proved(broadcast(legrand_fig1(), "Ps")).throughput
    Fraction(1, 1)
    """
    claim = check(solution.certificate())
    assert isinstance(claim, ProvedSeries)
    return claim


def ends_of(problem: Broadcast) -> list[tuple[int, int]]:
    """The arcs as pairs of positions of their nodes.

    >>> ends_of(Broadcast(Platform("ab", [("b", "a", 2)]), "b"))
    [(1, 0)]
    """
    position = problem.platform.position
    return [(position[arc.tail], position[arc.head]) for arc in problem.platform.arcs]


def largest_load(problem: Broadcast, times: Iterable[Fraction]) -> Fraction:
    """How long the busiest send or receive port works, if every arc works so long.

    >>> fork = Broadcast(Platform("sab", [("s", "a", 1), ("s", "b", 1)]), "s")
    >>> largest_load(fork, [Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    load: dict[tuple[str, Node], Fraction] = {}
    for arc, time in zip(problem.platform.arcs, times, strict=True):
        for port in (("send", arc.tail), ("recv", arc.head)):
            load[port] = load.get(port, Fraction(0)) + time
    return max(load.values(), default=Fraction(0))


def small_broadcasts() -> tuple[Broadcast, ...]:
    """The example of the paper, a single arc, a star, ties, and long numbers."""
    third = Fraction(1, 3)
    return (
        Broadcast(legrand_fig1(), "Ps"),
        Broadcast(Platform("sa", [("s", "a", 1)]), "s"),
        Broadcast(Platform("sabc", [("s", v, third) for v in "abc"]), "s"),
        Broadcast(Platform("sab", both_ways([("s", "a", 1), ("a", "b", 1), ("b", "s", 1)])), "s"),
        Broadcast(Platform("sab", [("s", "a", 10**30), ("s", "b", 1), ("b", "a", third)]), "s"),
    )


_THROUGHPUT = 0  # the variable that is maximized
_ONE = Fraction(1)


class _Rows:
    """Rows over nonnegative variables, of which the first is the throughput."""

    def __init__(self, problem: Broadcast) -> None:
        self.arcs = problem.platform.arcs
        self.messages = [1 + arc for arc in range(len(self.arcs))]  # n(a)
        self.count = 1 + len(self.arcs)
        self._rows: list[Mapping[int, Rational]] = []
        self._limits: list[int] = []
        self._equations: list[int] = []
        for node in problem.platform.nodes:
            for end in ("tail", "head"):
                self.at_most(
                    {
                        n: arc.cost
                        for n, arc in zip(self.messages, self.arcs, strict=True)
                        if getattr(arc, end) == node
                    },
                    1,
                )

    def flow(self, arcs: Iterable[int]) -> dict[int, int]:
        """A new variable x(a) <= n(a) for each of these arcs."""
        x = {}
        for arc in arcs:
            x[arc] = self.count
            self.at_most({self.count: _ONE, self.messages[arc]: -_ONE}, 0)
            self.count += 1
        return x

    def at_most(self, row: Mapping[int, Rational], limit: int) -> None:
        if row:
            self._rows.append(row)
            self._limits.append(limit)

    def equal(self, ones: Iterable[int], others: Iterable[int]) -> None:
        """The sum of the ones is the sum of the others."""
        self._equations.append(len(self._rows))
        self._rows.append({**dict.fromkeys(ones, _ONE), **dict.fromkeys(others, -_ONE)})
        self._limits.append(0)

    def stated(self) -> LinearProgram:
        goal = [1] + [0] * (self.count - 1)
        return linear_program(goal, self._rows, self._limits, self._equations, range(self.count))


def _flow_rows(problem: Broadcast, rows: _Rows, target: Node, x: Mapping[int, int]) -> None:
    """(7), (8) and (9) for one target."""
    arcs = problem.platform.arcs
    entering: dict[Node, list[int]] = {node: [] for node in problem.platform.nodes}
    leaving: dict[Node, list[int]] = {node: [] for node in problem.platform.nodes}
    for arc, variable in x.items():
        leaving[arcs[arc].tail].append(variable)
        entering[arcs[arc].head].append(variable)
    rows.equal(leaving[problem.source], [_THROUGHPUT])
    if target != problem.source:
        rows.equal(entering[target], [_THROUGHPUT])
    for node in problem.platform.nodes:
        if node not in (problem.source, target):
            rows.equal(entering[node], leaving[node])


def ssb_corrected(problem: Broadcast) -> tuple[LinearProgram, dict[Node, dict[int, int]]]:
    """SSB(G) with a flow to every P_i that neither enters the source nor leaves P_i.

    Variable 0 is TP and 1 + a the n of arc a; the variables of the flows, by arc, come along.

    >>> optimum(ssb_corrected(Broadcast(legrand_fig1(), "Ps"))[0]).value
    1
    """
    rows, flows, source = _Rows(problem), {}, problem.source
    for target in problem.platform.nodes:
        if target != source:
            flows[target] = rows.flow(
                index
                for index, arc in enumerate(problem.platform.arcs)
                if arc.head != source and arc.tail != target
            )
            _flow_rows(problem, rows, target, flows[target])
    return rows.stated(), flows


def ssb_printed(problem: Broadcast, *, to_source: bool = True) -> LinearProgram:
    """SSB(G) as printed: gross flows in (7) and (8), and (7) for i = s unless told otherwise.

    >>> link = Broadcast(Platform("sa", [("s", "a", 1)]), "s")
    >>> [optimum(ssb_printed(link, to_source=to_source)).value for to_source in (True, False)]
    [0, 1]
    """
    rows = _Rows(problem)
    for target in problem.platform.nodes:
        if to_source or target != problem.source:
            _flow_rows(problem, rows, target, rows.flow(range(len(problem.platform.arcs))))
    return rows.stated()


def ssbpdag(problem: Broadcast) -> LinearProgram:
    """SSBPDAG(G): into every node but the source go TP messages; variables as in SSB(G).

    >>> optimum(ssbpdag(Broadcast(Platform("sa", [("s", "a", "2/3")]), "s"))).value
    Fraction(3, 2)
    """
    rows = _Rows(problem)
    for node in problem.platform.nodes:
        if node != problem.source:
            into = (n for n, arc in zip(rows.messages, rows.arcs, strict=True) if arc.head == node)
            rows.equal(into, [_THROUGHPUT])
    return rows.stated()


def optimum(program: LinearProgram) -> LinearOptimum:
    """The optimum, accepted by the checker; x = 0 is feasible and ports are limits."""
    outcome = maximize(program)
    check(outcome)
    assert isinstance(outcome, LinearOptimum)
    return outcome


@dataclass(frozen=True, slots=True)
class Multigraph:
    """A basic optimum of the corrected SSB(G) for one message, times `copies` = N.

    Every n and x times N is an integer: `capacities` of the arcs, and `flows` for every target.
    """

    program: LinearProgram
    throughput: Fraction
    copies: int
    capacities: tuple[int, ...]
    flows: dict[Node, dict[int, int]]


def multigraph_of(problem: Broadcast) -> Multigraph:
    """The G^(m) of section 5.3.1; every node can be reached.

    >>> from exactsched.platforms.papers import legrand_fig1
    >>> multigraph_of(Broadcast(legrand_fig1(), "Ps")).capacities
    (1, 1, 1, 1, 2, 2)
    """
    program, variables = ssb_corrected(problem)
    best = optimum(program)
    value = dict(best.primal)
    throughput = Fraction(best.value)
    one = {variable: amount / throughput for variable, amount in value.items()}
    copies = lcm(*(amount.denominator for amount in one.values()))

    def times(names: Sequence[int]) -> list[int]:
        return [int(one.get(name, Fraction(0)) * copies) for name in names]

    return Multigraph(
        program,
        throughput,
        copies,
        tuple(times(range(1, 1 + len(problem.platform.arcs)))),
        {i: dict(zip(x, times(list(x.values())), strict=True)) for i, x in variables.items()},
    )


SSB_PAGE = "steady-state-broadcast"
# SSB(G) has |V| |E| variables.
PROGRAMS = Bounds(5, 8, 14)


def report_claim(number: str, where: str, status: Status, **fields: Any) -> Claim:
    """A claim of RR-4871, with the number of the statement in the id."""
    return Claim(
        id=f"beaumont2003.{number}", reference=f"RR-4871, {where}", status=status, **fields
    )


def ssb_claim(number: str, where: str, status: Status, **fields: Any) -> Claim:
    """A claim about the optimum of SSB(G) on a random platform."""
    return report_claim(
        number,
        where,
        status,
        page=SSB_PAGE,
        instance_type=Broadcast,
        instance=reachable_broadcast,
        bounds=PROGRAMS,
        corners=small_broadcasts,
        **fields,
    )
