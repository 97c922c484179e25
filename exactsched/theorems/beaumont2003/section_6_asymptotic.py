"""Claims of RR-4871 about finite runs: no schedule is faster, and ours come near (5.5, 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from exactsched.check import ProvedRun, check
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import cost
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast_programs import (
    largest_load,
    proved,
    reachable_broadcast,
    small_broadcasts,
)
from exactsched.platforms.papers import legrand_fig1
from exactsched.runs.finite_run import FiniteRun, makespan_guarantee, run_operations
from exactsched.runs.frames import frame_patterns
from exactsched.runs.pipelined import pipelined_broadcast, pipelined_guarantee
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, refuted

# Up to so many transfers all orders are tried.
ALL_ORDERS = 4


def _proved_run(run: FiniteRun) -> ProvedRun:
    claim = check(run.certificate())
    assert isinstance(claim, ProvedRun)
    return claim


# --- Lemma 7: any schedule at all


@dataclass(frozen=True, slots=True)
class AnySchedule:
    """A series of `messages`, sent in any order: each of the `picks` is one possible transfer."""

    problem: Broadcast
    messages: int
    picks: tuple[int, ...]


def _any_schedule(choices: Choices, bound: int) -> AnySchedule:
    problem = reachable_broadcast(choices, bound)
    messages = choices.between(1, choices.one_of((2, bound, 3 * bound)))
    count = choices.below(2 * messages * len(problem.platform.nodes))
    return AnySchedule(problem, messages, tuple(choices.below(1000) for _ in range(count)))


class _Clock:
    """Transfers in a given order, each as early as ports and message allow; nothing is undone."""

    def __init__(self, problem: Broadcast, messages: int) -> None:
        self.problem, self.messages = problem, messages
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
        arc = self.problem.platform.arcs[index]
        ports = ("send", arc.tail), ("recv", arc.head)
        free = [self._free.get(port, Fraction(0)) for port in ports]
        end = max(self.arrival[arc.tail, message], *free) + arc.cost
        self._free.update(dict.fromkeys(ports, end))
        known = self.arrival.get((arc.head, message), end)
        self.arrival[arc.head, message] = min(known, end)
        return end

    def finish(self) -> Fraction:
        """Sends what is still missing, whatever comes first, and says when all is everywhere."""
        while missing := [
            (index, message)
            for index, message in self.possible()
            if (self.problem.platform.arcs[index].head, message) not in self.arrival
        ]:
            self.send(*missing[0])
        return max(self.arrival.values())


def _makespans_of_all_orders(problem: Broadcast, messages: int) -> Iterator[Fraction]:
    """Of all schedules without interruption or waste, every transfer as early as it can."""
    pending: list[tuple[tuple[int, int], ...]] = [()]
    needed = messages * (len(problem.platform.nodes) - 1)
    while pending:
        order = pending.pop()
        clock = _Clock(problem, messages)
        ends = [clock.send(*pick) for pick in order]
        if len(order) == needed:
            yield max(ends)
            continue
        for index, message in clock.possible():
            if (problem.platform.arcs[index].head, message) not in clock.arrival:
                pending.append((*order, (index, message)))


def _no_faster(asked: AnySchedule) -> Verdict:
    problem, messages = asked.problem, asked.messages
    claim = proved(broadcast(problem.platform, problem.source))
    clock = _Clock(problem, messages)
    for pick in asked.picks:
        possible = clock.possible()
        clock.send(*possible[pick % len(possible)])
    found = {"any": clock.finish()}
    if messages * (len(problem.platform.nodes) - 1) <= ALL_ORDERS:
        found["best"] = min(_makespans_of_all_orders(problem, messages))
    facts: dict[str, Any] = {"M": messages, "M / TP": to_json(messages / claim.bound)}
    facts |= {name: to_json(time) for name, time in found.items()}
    if not claim.optimal:
        return refuted("the optimal throughput is not proved", **facts)
    for name, time in found.items():
        if messages > claim.throughput * time:
            return refuted(f"the schedule called {name} is faster than the optimum", **facts)
    return held(**facts)


# --- Theorem 7: one constant for all M


@dataclass(frozen=True, slots=True)
class Series:
    """A series of so many broadcasts."""

    problem: Broadcast
    messages: int


def _series(choices: Choices, bound: int) -> Series:
    problem = reachable_broadcast(choices, bound)
    return Series(problem, choices.between(1, choices.one_of((2, 5, 20))))


@dataclass(frozen=True, slots=True)
class _Quantities:
    """What the bounds of the page are made of, from the trees alone."""

    throughput: Fraction
    trees: int
    depth: int
    period: Fraction
    lightest: Fraction
    once: Fraction  # the largest load by one message on every tree

    def broken_by(self, messages: int, given: Fraction) -> str:
        """Which of theorems A, B (its constant) and C this excess over M / TP breaks, or ""."""
        high, k = self.depth - 1, self.trees
        if given > self.depth * self.period:
            return "A: H T"
        whole = messages >= k and messages * self.lightest >= 2 * self.throughput
        slow = 2 / self.lightest + 4 * k / self.throughput + 5 * self.once
        if whole and given > self.once + high * slow:
            return "B: C_B"
        if high and messages >= 16 * k * high:
            over = given - self.once - high * (5 * self.once + 8 * k / self.throughput)
            if over > 0 and over**2 > 100 * k * high * messages / self.throughput**2:
                return "C: sqrt(M)"
        return ""


def _quantities(solution: Solution) -> _Quantities:
    problem = solution.problem
    assert isinstance(problem, Broadcast)
    arcs, source = problem.platform.arcs, problem.source
    depth = 0
    for tree in solution.trees:
        level = {source}
        below = -1
        while level:
            below += 1
            level = {arcs[arc].head for arc in tree.arcs if arcs[arc].tail in level}
        depth = max(depth, below)
    weights = [tree.weight for tree in solution.trees]
    # The least T for which all w T are whole: the least common multiple of the 1 / w.
    unit = lcm(*(weight.numerator for weight in weights))
    period = Fraction(lcm(*(unit // w.numerator * w.denominator for w in weights)), unit)
    once = [
        sum((arc in tree.arcs for tree in solution.trees), start=0) * arcs[arc].cost
        for arc in range(len(arcs))
    ]
    return _Quantities(
        sum(weights, start=Fraction(0)),
        len(weights),
        depth,
        period,
        min(weights),
        largest_load(problem, [Fraction(time) for time in once]),
    )


def _one_constant(asked: Series) -> Verdict:
    problem, messages = asked.problem, asked.messages
    solution = broadcast(problem.platform, problem.source)
    claim = proved(solution)
    known = _quantities(solution)
    at_most = known.depth * known.period
    run = _proved_run(run_operations(solution, messages))
    facts: dict[str, Any] = {
        "M / TP": to_json(messages / claim.bound),
        "makespan": to_json(run.makespan),
        "H T": to_json(at_most),
        "trees": known.trees,
    }
    if not claim.optimal or known.throughput != claim.bound or run.operations != messages:
        return refuted("not the optimal steady state, or not all messages", **facts)
    if run.bound != messages / claim.bound:
        return refuted("the bound of the run is not M / TP", **facts)
    if run.makespan > makespan_guarantee(solution, messages):
        return refuted("the run ends after its guarantee", **facts)
    for number in (messages, 10 * messages, 1000 * messages):
        excess = makespan_guarantee(solution, number) - number / claim.bound
        broken = known.broken_by(number, excess)
        if broken:
            return refuted(f"the guarantee for {number} messages exceeds {broken}", **facts)
    # By the time of M / TP + C the periodic schedule has delivered M, and no schedule more.
    horizon = messages / claim.bound + at_most
    delivered = solution.operations_within(horizon)
    if not messages <= delivered <= claim.bound * horizon:
        return refuted(f"{delivered} messages by time {horizon}", **facts)
    return held(**facts, delivered=delivered)


# --- Theorem 8: one large message


@dataclass(frozen=True, slots=True)
class Large:
    """One message of this size, over arcs with start-up times."""

    problem: Broadcast
    size: Fraction


def _large(choices: Choices, bound: int) -> Large:
    """Every arc has a start-up time: without any, the more frames the better, up to the cap."""
    made = reachable_broadcast(choices, bound)
    arcs = [(arc.tail, arc.head, arc.cost, cost(choices)) for arc in made.platform.arcs]
    platform = Platform(made.platform.nodes, arcs)
    return Large(Broadcast(platform, made.source), choices.fraction(30, (1, 2, 7)))


def _square_root(asked: Large) -> Verdict:
    platform, source, size = asked.problem.platform, asked.problem.source, asked.size
    without = Platform(platform.nodes, [(arc.tail, arc.head, arc.cost) for arc in platform.arcs])
    steady = broadcast(without, source)
    best = proved(steady).bound
    frame = frame_patterns(asked.problem, steady)[0]
    run = _proved_run(pipelined_broadcast(platform, source, size))
    guarantee = pipelined_guarantee(platform, source, size)
    facts: dict[str, Any] = {
        "L / TP": to_json(size / best),
        "bound": to_json(run.bound),
        "makespan": to_json(run.makespan),
        "guarantee": to_json(guarantee),
        "packets": run.operations,
    }
    if frame.rate != best or sum(frame.parts) != 1:
        return refuted("a frame is no steady state", **facts)
    slots = len(steady.schedule.slots) if steady.schedule else 0
    in_use = len({arc for tree in steady.trees for arc in tree.arcs})
    if len(frame.parts) > len(steady.trees) + slots - in_use:
        return refuted("a frame has too many packets", **facts)
    if not size / best <= run.bound <= run.makespan <= guarantee:
        return refuted("not L / TP <= bound <= makespan <= guarantee", **facts)
    # L / TP + 2 sqrt((H - 1) e L / TP) + H e, as long as Q keeps below its cap.
    over = guarantee - size / best - frame.depth * frame.startup
    capped = frame.best_frames(size) == frame.most_frames
    if not capped and over > 0 and over**2 > 4 * (frame.depth - 1) * frame.startup * size / best:
        return refuted("the guarantee exceeds the formula", **facts)
    return held(**facts, depth=frame.depth, startup=to_json(frame.startup))


CLAIMS = (
    Claim(
        id="beaumont2003.lemma7",
        statement=(
            "No schedule, periodic or not, with every message sent anyhow and as often as it likes,"
            " delivers more than K TP messages to all nodes within time K; TP is the optimum of the"
            " corrected SSB(G). (The paper writes K / TP(G), where TP(G) means T*.)"
        ),
        reference="RR-4871, lemma 7",
        status="corrected",
        page="arborescence-packing",
        implemented=(
            "exactsched/steady_state/broadcast.py",
            "exactsched/steady_state/arborescence_packing.py",
        ),
        checked_by=f"random schedules; all orders, up to {ALL_ORDERS} transfers; `check`",
        instance_type=AnySchedule,
        instance=_any_schedule,
        check=_no_faster,
        bounds=Bounds(4, 8, 15),
        corners=lambda: (
            *(AnySchedule(one, 1, ()) for one in small_broadcasts()),
            AnySchedule(Broadcast(legrand_fig1(), "Ps"), 6, tuple(range(40))),
        ),
    ),
    Claim(
        id="beaumont2003.thm7",
        statement=(
            "M messages take at least M / TP and, by the schedule made from an optimal steady"
            " state, at most M / TP + C with a constant C for all M: the depth H of its trees times"
            " its period, or the constants of theorems B and C of the page, without the period. So"
            " the quotient of messages delivered within K tends to 1."
        ),
        reference="RR-4871, theorem 7",
        status="sharpened",
        page="asymptotic-optimality",
        implemented=("exactsched/runs/finite_run.py", "exactsched/runs/time_scaling.py"),
        checked_by="`check` on the run; depth, period, loads and constants from the trees",
        instance_type=Series,
        instance=_series,
        check=_one_constant,
        bounds=Bounds(5, 8, 16),
        corners=lambda: tuple(
            Series(one, messages) for one in small_broadcasts() for messages in (1, 3)
        ),
    ),
    Claim(
        id="beaumont2003.thm8",
        statement=(
            "With start-up times, a message of size L takes at least L / TP and at most L / TP +"
            " 2 sqrt((H - 1) e L / TP) + H e, where TP is the optimal throughput without start-ups,"
            " H the depth of the trees and e the start-ups of one frame of the steady state; the"
            " number of frames stays below its cap."
        ),
        reference="RR-4871, theorem 8",
        status="sharpened",
        page="pipelined-broadcast",
        implemented=("exactsched/runs/pipelined.py", "exactsched/runs/frames.py"),
        checked_by="`check` on the run; the formula in squares",
        instance_type=Large,
        instance=_large,
        check=_square_root,
        bounds=Bounds(3, 5, 8),
        corners=lambda: (
            Large(Broadcast(Platform("sa", [("s", "a", 1)]), "s"), Fraction(5)),
            Large(
                Broadcast(Platform("abc", [("a", "b", 1, 1), ("b", "c", 1, 1)]), "a"), Fraction(9)
            ),
            Large(Broadcast(legrand_fig1(), "Ps"), Fraction(7, 2)),
        ),
    ),
)
