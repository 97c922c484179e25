"""Changed certificates of schedules on LogP machines."""

# ruff: noqa: N806  (L and P are the names in all of the literature)

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from exactsched.certificate.logp import (
    LogPBuffered,
    LogPCertificate,
    LogPCycles,
    LogPRounds,
    LogPSchedule,
)
from exactsched.exact.errors import Rejected
from exactsched.instances.mutants import (
    BUFFERED_MUTANTS,
    EXCHANGE_MUTANTS,
    ITEMS_MUTANTS,
    MACHINE_MUTANTS,
    SERIES_MUTANTS,
    SUM_MUTANTS,
    ExchangeMutants,
    ItemsMutants,
    MachineMutants,
    SeriesMutants,
    SumMutants,
)
from exactsched.logp.allgather_and_alltoall import allgather, alltoall
from exactsched.logp.allreduce import allreduce
from exactsched.logp.broadcast import broadcast
from exactsched.logp.buffered import buffered_items
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.items import broadcast_items
from exactsched.logp.summation import summation_within
from exactsched.oracles.logp_bounds import logp_bound
from exactsched.oracles.logp_schedules import ENOUGH_ITEMS, buffered_fault
from exactsched.oracles.logp_sums import priced_bound, tick_of
from exactsched.simulation.logp import simulate_logp
from exactsched.simulation.logp_buffered import receptions
from exactsched.theorems.check.mutants import refused_or_true
from exactsched.theorems.claim import Say, claim

PAGE = "logp-certificates"
_DEFINED = "played event by event; the bound by labels, distances and sends one by one"
_SCHEDULE = ("exactsched/check/logp/schedule.py", "exactsched/check/logp/bounds.py")
_ROUNDS = ("exactsched/check/logp/rounds.py", "exactsched/check/logp/bounds.py")
# Messages that are played, and labels that are counted, at most.
_PLAYED = 600
# Items of an endless series that are played: the trees of the last six may differ in turn.
_ENDLESS = 24


def _judged(stated: LogPCertificate) -> str:
    """Schedules of many messages, or of a long time, are not judged."""
    many = getattr(stated, "count", 0) or getattr(stated, "items", 0) or _ENDLESS
    long = many * stated.machine.P > _PLAYED or stated.time > _PLAYED
    return "" if long else logp_fault(stated)


def logp_fault(stated: LogPCertificate) -> str:
    """What is false of all that a certificate says, as it is played; empty if nothing is.

    >>> from exactsched.model.machine import LogP
    >>> logp_fault(replace(broadcast(LogP(6, 2, 4, 8)), bound=Fraction(25)))
    'the bound is 24'
    """
    try:
        if isinstance(stated, LogPBuffered):
            items = min(stated.items, ENOUGH_ITEMS)
            return buffered_fault(stated, receptions(replace(stated, items=items)), items)
        return _fault(stated, logp_bound(stated))
    except Rejected as error:
        return str(error)


def _fault(stated: LogPCycles | LogPRounds | LogPSchedule, bound: Fraction) -> str:
    if stated.bound != bound:
        return f"the bound is {bound}"
    optimal = stated.time == bound
    if isinstance(stated, LogPCycles) and not stated.items:
        lasts = range(_ENDLESS - 5, _ENDLESS + 1)
        time = max(simulate_logp(stated, items=items).time - items + 1 for items in lasts)
    else:
        time = simulate_logp(stated).time
    if isinstance(stated, LogPSchedule) and stated.collective == "summation":
        tick = tick_of(stated.machine)
        sooner = (ceil(stated.time / tick) - 1) * tick  # the largest multiple below
        optimal = priced_bound(stated.machine, sooner) < stated.count
    # The last items of role cycles may end sooner than those that are sent before them would.
    sooner_allowed = isinstance(stated, LogPCycles) and stated.items > 0
    if time > stated.time or (time < stated.time and not sooner_allowed):
        return f"played, it takes {time}"
    return "" if stated.optimal == optimal else "no less time is enough, or some is"


@claim(
    "check.logp-broadcast-mutants",
    number="logp-certificates, logp-schedule of a broadcast",
    status="new",
    instances=MACHINE_MUTANTS,
    page=PAGE,
    implements=_SCHEDULE,
    judged=_DEFINED,
)
def broadcasts(asked: MachineMutants, say: Say) -> None:
    """Every change of the certificate of a broadcast on a LogP machine is refused, or its schedule
    works and takes its time, and its bound is that of the universal tree.
    """
    refused_or_true(broadcast(asked.problem), asked.seeds, _judged, say)


@claim(
    "check.logp-exchange-mutants",
    number="logp-certificates, logp-rounds of allgather and alltoall",
    status="new",
    instances=EXCHANGE_MUTANTS,
    page=PAGE,
    implements=_ROUNDS,
    judged=_DEFINED,
)
def exchanges(asked: ExchangeMutants, say: Say) -> None:
    """Every change of the certificate of an exchange among all processors is refused, or its
    schedule works and takes its time, and its bound follows from distances and sends.
    """
    problem = asked.problem
    made = (alltoall if problem.personal else allgather)(problem.machine, problem.items)
    refused_or_true(made, asked.seeds, _judged, say)


@claim(
    "check.logp-allreduce-mutants",
    number="logp-certificates, logp-rounds of an allreduce",
    status="new",
    instances=MACHINE_MUTANTS,
    page=PAGE,
    implements=_ROUNDS,
    judged=_DEFINED,
)
def allreduces(asked: MachineMutants, say: Say) -> None:
    """Every change of the certificate of an allreduce is refused, or everybody combines each value
    once in its time, and its bound is that of a broadcast.
    """
    refused_or_true(allreduce(asked.problem), asked.seeds, _judged, say)


@claim(
    "check.logp-summation-mutants",
    number="logp-certificates, logp-schedule of a summation",
    status="new",
    instances=SUM_MUTANTS,
    page=PAGE,
    implements=(*_SCHEDULE, "exactsched/check/logp/summation_bound.py"),
    judged=_DEFINED,
)
def summations(asked: SumMutants, say: Say) -> None:
    """Every change of the certificate of a summation is refused, or its schedule adds its operands
    in its time, and its bound follows from the prices of processors.
    """
    problem = asked.problem
    made = summation_within(problem.machine, problem.time)
    refused_or_true(made, asked.seeds, _judged, say)


@claim(
    "check.logp-continuous-mutants",
    number="logp-certificates, logp-cycles of an endless series",
    status="new",
    instances=SERIES_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/logp/cycles.py", "exactsched/check/logp/role_cycles.py"),
    judged=_DEFINED,
)
def endless(asked: SeriesMutants, say: Say) -> None:
    """Every change of the certificate of an endless series of items is refused, or its processors
    take their roles in turn without a conflict, and every item has its delay.
    """
    problem = asked.problem
    refused_or_true(continuous_broadcast(problem.L, problem.P), asked.seeds, _judged, say)


@claim(
    "check.logp-items-mutants",
    number="logp-certificates, logp-cycles and logp-schedule of k items",
    status="new",
    instances=ITEMS_MUTANTS,
    page=PAGE,
    implements=(
        "exactsched/check/logp/cycles.py",
        "exactsched/check/logp/role_cycles.py",
        *_SCHEDULE,
    ),
    judged=_DEFINED,
)
def items(asked: ItemsMutants, say: Say) -> None:
    """Every change of the certificate of a broadcast of k items is refused, or its schedule works
    and takes its time, and its bound is that of theorem 3.1 as corrected.
    """
    L, P, k = asked.problem.L, asked.problem.P, asked.problem.k
    refused_or_true(broadcast_items(L, P, k), asked.seeds, _judged, say)


@claim(
    "check.logp-buffered-mutants",
    number="logp-certificates, logp-buffered",
    status="new",
    instances=BUFFERED_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/logp/buffered.py", "exactsched/check/logp/role_cycles.py"),
    judged="receptions one by one, by definition",
)
def buffered(asked: ItemsMutants, say: Say) -> None:
    """Every change of the certificate of a broadcast whose messages may wait is refused, or its
    receptions can be carried out, at most as many messages wait as it says, and it takes its time.
    """
    L, P, k = asked.problem.L, asked.problem.P, asked.problem.k
    refused_or_true(buffered_items(L, P, k), asked.seeds, _judged, say)
