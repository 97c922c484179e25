"""Exchanges and combining among all processors: alltoall (section 4.1) and theorem 4.1."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from exactsched.certificate.logp import LogPCollective, LogPSchedule
from exactsched.exact.errors import Rejected
from exactsched.instances.instance_type import Bounds
from exactsched.instances.logp import EXCHANGES, PACED_MACHINES, Exchange
from exactsched.logp.allgather_and_alltoall import allgather, allgather_bound, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.logp.counts import broadcast_time
from exactsched.model.machine import LogP
from exactsched.oracles.logp import least_depth, least_direct_time, rounds_in_order, sequence
from exactsched.oracles.logp_schedules import uncombined
from exactsched.oracles.logp_sums import tick_of
from exactsched.simulation.logp import simulate_logp
from exactsched.theorems.claim import Say, claim

_PLAYED = 300  # messages of a schedule
_ALL_STARTS = 12  # steps in which two processors start to send, in all ways


@claim(
    "karp1993.alltoall",
    number="section 4.1",
    status="corrected",
    instances=EXCHANGES,
    page="logp-alltoall",
    implements=("exactsched/logp/allgather_and_alltoall.py",),
    judged="`check`; `simulate_logp`; the condition for every d",
    corrects="karp1993.alltoall.printed",
)
def exchanged(asked: Exchange, say: Say) -> None:
    """P processors have k items each for all, or for each of the others; m = k (P-1) > 0,
    D = L + 2 o, G = max(g, o). It takes D + (m-1) G at least, which is reached if and only if o = 0
    or |L + o - d G| >= o for 0 < d < m. For m <= 2 the schedule is optimal; if G >= 2 o, turns of
    floor(L/G) + 1 rounds are always possible.
    """
    machine, items = asked.machine, asked.items
    m = items * (machine.P - 1)
    stated = (alltoall if asked.personal else allgather)(machine, items)
    say.accepts(stated)
    say(time=stated.time, bound=stated.bound, messages=m)
    if m == 0:
        say.require(stated.time == 0, "nothing takes time")
        return
    arrival, gap = machine.L + machine.o, machine.period
    simple = machine.delay + (m - 1) * gap
    free = machine.o == 0 or all(abs(arrival - d * gap) >= machine.o for d in range(1, m))
    say(simple=free)
    right = (stated.time == simple) == free
    say.require(right, "D + (m - 1) G is reached if receptions meet no sends, only then")
    right = stated.bound == allgather_bound(machine, items) >= simple
    say.require(right, "the bound is less than the simple one")
    excluded = free or stated.bound > simple
    say.require(excluded, "the simple bound is not excluded where it is not reached")
    if m <= 2:
        say.require(stated.time == stated.bound, "not optimal for two messages")
    if m <= 2 and machine.P == 2 and tick_of(machine).numerator == 1 == tick_of(machine):
        below = _ALL_STARTS + int(machine.delay)
        least = least_direct_time(machine, m, below)
        right = least in (below, stated.time)
        say.require(right, "two processors can do better, or not as well")
    # Of n = floor(L / G) + 1 common rounds none meets another one's receptions.
    rounds = floor(machine.L / gap) + 1
    turns, within = divmod(m - 1, rounds)
    common = turns * max(machine.delay, rounds * gap) + within * gap + machine.delay
    slow = gap >= 2 * machine.o and stated.time > common
    say.require(not slow, "rounds in turns are faster")
    if m * machine.P <= _PLAYED:
        same = simulate_logp(stated).time == stated.time
        say.require(same, "played, it ends at another time")


@claim(
    "karp1993.alltoall.printed",
    number="section 4.1",
    instances=EXCHANGES,
    bounds=Bounds(5, 8, 12),
    page="logp-alltoall",
    judged="`simulate_logp` plays the printed order",
    counterexample=lambda: Exchange(LogP(1, 1, 2, 3), 1, personal=False),
)
def exchanged_as_printed(asked: Exchange, say: Say) -> None:
    """If everybody sends to the processors 1, ..., P - 1 places further on at 0, g, ..., (P-2) g, k
    times over, all is done at L + 2 o + g (k (P-1) - 1), which is optimal.
    """
    machine, items = asked.machine, asked.items
    m = items * (machine.P - 1)
    if m == 0:
        return
    unit = tick_of(machine)
    messages = rounds_in_order(machine.P, items, int(machine.g / unit), personal=asked.personal)
    time = machine.delay + (m - 1) * machine.g
    kind: LogPCollective = "alltoall" if asked.personal else "allgather"
    literal = LogPSchedule(machine, kind, items, unit, messages, (), time, time, optimal=True)
    bound = allgather_bound(machine, items)
    say(printed=time, bound=bound)
    try:
        simulate_logp(literal)
    except Rejected as error:
        say.refute(f"the printed order collides: {error}")
    say.require(time <= bound, "the printed order is not optimal")


@claim(
    "karp1993.thm4.1",
    number="theorem 4.1 (postal model, P = f_T)",
    status="sharpened",
    instances=PACED_MACHINES,
    page="logp-allreduce",
    implements=("exactsched/logp/allreduce.py",),
    judged="`check`; windows as lists of values; `simulate_logp`; all paces",
)
def combined(machine: LogP, say: Say) -> None:
    """D = L + 2 o; d >= 1 and p are a pace if p >= max(g, 2 o), (d-1) p < D <= d p and
    L >= (d-1) p. Then all P values are combined everywhere at (T-d) p + D, T the least index with
    f_T >= P for f_i = f_(i-1) + f_(i-d). If g divides D and 2 o <= g, so in the postal model, that
    is B(P), and optimal. For P = f_T the shifts are f_(j+d-1).
    """
    P, delay = machine.P, machine.delay
    stated = allreduce(machine)
    say.accepts(stated)
    say(time=stated.time, rounds=len(stated.rounds))
    if P == 1:
        say.require(stated.time == 0, "nothing takes time")
        return
    # d periods p are a pace if sends and receptions never meet.
    period, shortest = stated.tick, max(machine.g, 2 * machine.o)
    d = ceil(delay / period)
    say(pace=d)
    paced = shortest <= period and (d - 1) * period <= machine.L
    say.require(paced, "the period is too short")
    last = least_depth(d, P)
    right = stated.time == (last - d) * period + delay
    say.require(right, "the time is not (T - d) p + D")
    say.require(stated.time == _least_of_all_paces(machine, d + 1), "another pace is faster")
    least = broadcast_time(machine)
    right = stated.time >= least and stated.optimal == (stated.time == least)
    say.require(right, "in less than the time of a broadcast")
    fits = delay % machine.g == 0 and 2 * machine.o <= machine.g
    say.require(stated.optimal or not fits, "the time of a broadcast is not reached")
    shifts = sequence(d, last)
    # With f_T processors it is the algorithm of the paper: everybody sends all in every round.
    every = [(j, shifts[j + d - 1], 0) for j in range(last - d + 1)]
    same = shifts[last] != P or list(stated.rounds) == every
    say.require(same, "for f_T processors the shifts are not f_(j+d-1)")
    if len(stated.rounds) * P <= _PLAYED:
        fault = uncombined(stated, d)
        say.require(not fault, fault)
        same = simulate_logp(stated).time == stated.time
        say.require(same, "played, it ends at another time")


def _least_of_all_paces(machine: LogP, most: int) -> Fraction:
    """The least (T - d) p + D of all paces with d up to `most`."""
    shortest, delay = max(machine.g, 2 * machine.o), machine.delay
    return min(
        (least_depth(d, machine.P) - d) * period + delay
        for d in range(1, most + 1)
        for period in [max(shortest, delay / d)]
        if (d - 1) * period < delay and (d - 1) * period <= machine.L
    )
