"""Section 5.5, asymptotic optimality: lemma 7 and theorem 7, a long series of broadcasts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from exactsched.instances.broadcasts import ANY_SCHEDULES, AnySchedule
from exactsched.instances.instance_type import Bounds
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import Clock, largest_load, shortest_run_by_search
from exactsched.oracles.collectives import simulate_run, simulate_series
from exactsched.oracles.transfers import ImpossibleError
from exactsched.runs.finite_run import makespan_guarantee, run_operations
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Say, claim

# Up to this many transfers all orders are tried.
_ALL_ORDERS = 4
# Messages of a period, times trees, up to which periods are played.
_PLAYED = 60
# Rows of a run that is played by definition: every two of them are compared.
_ROWS = 200


@claim(
    "beaumont2003.lemma7",
    number="lemma 7",
    status="corrected",
    instances=ANY_SCHEDULES,
    page="arborescence-packing",
    implements=(
        "exactsched/steady_state/broadcast.py",
        "exactsched/steady_state/arborescence_packing.py",
    ),
    judged=f"random and greedy schedules; all orders, up to {_ALL_ORDERS} transfers; `check`",
)
def no_schedule_is_faster(asked: AnySchedule, say: Say) -> None:
    """No schedule, periodic or not, with every message sent anyhow and as often as it likes,
    delivers more than K TP messages to all nodes within time K; TP is the optimum of the corrected
    SSB(G). (The paper writes K / TP(G), where TP(G) means T*.)
    """
    problem, messages = asked.problem, asked.messages
    best = say.accepts(broadcast(problem.platform, problem.source))
    found = _of_others(asked)
    if messages * (len(problem.platform.nodes) - 1) <= _ALL_ORDERS:
        shortest = shortest_run_by_search(problem, [Fraction(1)] * messages)
        found |= {} if shortest is None else {"best": shortest}
    say({"M / TP": messages / best.bound} | found, M=messages)
    say.require(best.optimal, "the optimal throughput is not proved")
    for name, time in found.items():
        slower = messages <= best.throughput * time
        say.require(slower, f"the schedule called {name} is faster than the optimum")


def _of_others(asked: AnySchedule) -> dict[str, Fraction]:
    """When a schedule that begins at random, and an event-driven one, have delivered everything."""
    begun = [Clock(asked.problem, asked.messages) for _ in range(2)]
    for clock in begun:
        for pick in asked.picks:
            possible = clock.possible()
            clock.send(*possible[pick % len(possible)])
    return {
        "any": begun[0].finish(),
        "begun at random, then greedy": begun[1].finish_greedily(),
        "greedy": Clock(asked.problem, asked.messages).finish_greedily(),
    }


@claim(
    "beaumont2003.thm7",
    number="theorem 7",
    status="sharpened",
    instances=ANY_SCHEDULES,
    bounds=Bounds(5, 8, 16),
    page="asymptotic-optimality",
    implements=("exactsched/runs/finite_run.py", "exactsched/runs/time_scaling.py"),
    judged="run and periods played by definition; random and greedy schedules; `check`; depth,"
    " period, loads and constants from the trees",
)
def one_constant_for_all_series(asked: AnySchedule, say: Say) -> None:
    """M messages take at least M / TP and, by the schedule made from an optimal steady state, at
    most M / TP + C with a constant C for all M: the depth H of its trees times its period, or the
    constants of theorems B and C of the page, without the period. So the quotient of messages
    delivered within K tends to 1.
    """
    problem, messages = asked.problem, asked.messages
    solution = broadcast(problem.platform, problem.source)
    best = say.accepts(solution)
    known = _quantities(solution)
    at_most = known.depth * known.period
    ours = run_operations(solution, messages)
    run = say.accepts(ours)
    say({"M / TP": messages / best.bound, "H T": at_most})
    say(makespan=run.makespan, trees=known.trees)
    optimal = best.optimal and known.throughput == best.bound and run.operations == messages
    say.require(optimal, "not the optimal steady state, or not all messages")
    say.require(run.bound == messages / best.bound, "the bound of the run is not M / TP")
    in_time = run.makespan <= makespan_guarantee(solution, messages)
    say.require(in_time, "the run ends after its guarantee")
    for number in (messages, 10 * messages, 1000 * messages):
        excess = makespan_guarantee(solution, number) - number / best.bound
        broken = known.broken_by(number, excess)
        say.require(not broken, f"the guarantee for {number} messages exceeds {broken}")
    _refuse_unless_played(solution, ours.certificate(), known, say)
    for name, time in _of_others(asked).items():
        say({name: time})
        say.require(time >= run.bound, f"the schedule called {name} ends before the bound")
    # By the time of M / TP + C the periodic schedule has delivered M, and no schedule more.
    horizon = messages / best.bound + at_most
    delivered = solution.operations_within(horizon)
    say(delivered=delivered)
    on_time = messages <= delivered <= best.bound * horizon
    say.require(on_time, f"{delivered} messages by time {horizon}")


def _refuse_unless_played(
    solution: Solution, run: dict[str, Any], known: _Quantities, say: Say
) -> None:
    """By definition, the run ends when it says, and no period delivers less than TP (K - H T)."""
    try:
        if len(run["rows"]) <= _ROWS:
            end = simulate_run(run)
            say.require(end == Fraction(run["makespan"]), f"played, the run ends at {end}")
        batch = known.throughput * known.period
        if batch * len(solution.trees) > _PLAYED:
            return
        for periods in (known.depth, known.depth + 2):
            done = simulate_series(solution.certificate(), periods)
            time = periods * known.period
            least = known.throughput * (time - known.depth * known.period)
            enough = least <= done <= known.throughput * time
            say.require(enough, f"played for {periods} periods, {done} messages are delivered")
    except ImpossibleError as error:
        say.refute(f"played by definition: {error}")


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
        sum(index in tree.arcs for tree in solution.trees) * arc.cost
        for index, arc in enumerate(arcs)
    ]
    return _Quantities(
        sum(weights, start=Fraction(0)),
        len(weights),
        depth,
        period,
        min(weights),
        largest_load(problem, once),
    )
