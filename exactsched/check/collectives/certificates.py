"""Series and runs: what the schedule reaches, what the proof shows, and whether they agree."""

from __future__ import annotations

from exactsched.certificate.nouns import (
    CollectiveRun,
    CollectiveSeries,
    RunCertificate,
    SeriesCertificate,
)
from exactsched.check.collectives import broadcast_run, broadcast_schedule, cuts, potentials
from exactsched.check.collectives import run as collective_run
from exactsched.check.collectives import schedule as collective_schedule
from exactsched.check.proved import ProvedRun, ProvedSeries, shown
from exactsched.exact.errors import Rejected


def series(stated: SeriesCertificate | CollectiveSeries) -> ProvedSeries:
    """What a periodic schedule and its bound show.  Raises `Rejected`."""
    if isinstance(stated, SeriesCertificate):
        throughput = broadcast_schedule.achieved_throughput(stated.problem, stated.schedule)
        upper = cuts.proved_throughput_bound(stated.problem, stated.bound)
    else:
        throughput = collective_schedule.achieved_throughput(stated.problem, stated.schedule)
        upper = potentials.proved_throughput_bound(stated.problem, stated.bound)
    if stated.throughput != throughput:
        rule = f"the schedule reaches {shown(throughput)}"
        raise Rejected("claim.throughput", shown(stated.throughput), rule)
    proved = ProvedSeries(stated.problem, upper, throughput)
    _refuse_other_bound(stated, proved)
    return proved


def run(stated: RunCertificate | CollectiveRun) -> ProvedRun:
    """What a finite schedule and its bound show.  Raises `Rejected`."""
    if isinstance(stated, RunCertificate):
        makespan = broadcast_run.achieved_makespan(stated)
        lower = cuts.proved_makespan_bound(stated)
        count = len(stated.packets)
    else:
        makespan = collective_run.achieved_makespan(stated)
        lower = potentials.proved_makespan_bound(stated)
        count = stated.operations
    if stated.makespan != makespan:
        rule = f"the run ends at {shown(makespan)}"
        raise Rejected("claim.makespan", shown(stated.makespan), rule)
    proved = ProvedRun(stated.problem, lower, makespan, count)
    _refuse_other_bound(stated, proved)
    return proved


def _refuse_other_bound(
    stated: SeriesCertificate | CollectiveSeries | RunCertificate | CollectiveRun,
    proved: ProvedSeries | ProvedRun,
) -> None:
    if stated.bound_value != proved.bound:
        rule = f"the bound proves {shown(proved.bound)}"
        raise Rejected("claim.bound", shown(stated.bound_value), rule)
    if stated.optimal != proved.optimal:
        rule = "optimal means that schedule and bound agree, and nothing else"
        raise Rejected("claim.optimal", stated.optimal, rule)
