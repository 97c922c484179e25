"""Series and runs: what the schedule reaches, what the proof shows, and whether they agree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

from exactsched.certificate.bounds import (
    Bound,
    CutBound,
    DistanceBound,
    ForwardingBound,
    LatencyBound,
    PotentialBound,
    TargetBound,
    TreeBound,
)
from exactsched.certificate.budget import bits_of, products, spend
from exactsched.certificate.collectives import Run, Series
from exactsched.check.collectives import cuts, forwarding, latencies, potentials, target_sets
from exactsched.check.collectives.run import achieved_makespan
from exactsched.check.collectives.schedule import achieved_throughput
from exactsched.check.common_denominator import exact_sum, quotient
from exactsched.check.proved import ProvedRun, ProvedSeries, shown
from exactsched.exact.errors import Rejected
from exactsched.model.problem import Allgather, Broadcast, Collective, Combination

if TYPE_CHECKING:
    from exactsched.certificate.compact_series import CompactSeries


def series(stated: Series) -> ProvedSeries:
    """What a periodic schedule and its proof show.  Raises `Rejected`."""
    throughput = achieved_throughput(stated.problem, stated.schedule)
    return proved_series(stated, throughput, proved_throughput_bound(stated.problem, stated.proof))


def proved_series(
    stated: Series | CompactSeries, throughput: Fraction, bound: Fraction
) -> ProvedSeries:
    """The same of a schedule that reaches this throughput, which none passes.

    Raises `Rejected` where the claims are others.
    """
    if stated.throughput != throughput:
        rule = f"the schedule reaches {shown(throughput)}"
        raise Rejected("throughput", shown(stated.throughput), rule)
    proved = ProvedSeries(stated.problem, bound, throughput)
    _refuse_other_bound(stated, proved)
    return proved


def run(stated: Run) -> ProvedRun:
    """What a finite schedule and its proof show.  Raises `Rejected`."""
    makespan = achieved_makespan(stated)
    bound = proved_makespan_bound(stated)
    if stated.makespan != makespan:
        rule = f"the run ends at {shown(makespan)}"
        raise Rejected("makespan", shown(stated.makespan), rule)
    proved = ProvedRun(stated.problem, bound, makespan, stated.operations)
    _refuse_other_bound(stated, proved)
    return proved


def proved_throughput_bound(problem: Collective, proof: Bound) -> Fraction:
    """No schedule has more operations per time unit than this.  Raises `Rejected`."""
    if isinstance(proof, (DistanceBound, PotentialBound)):
        return Fraction(quotient(*potentials.prices_and_potential(problem, proof)))
    if isinstance(proof, (ForwardingBound, TargetBound, TreeBound)):
        paid, offered = _paid_and_offered(problem, proof)
        return offered / paid
    return cuts.largest_rate(cast("Broadcast | Allgather | Combination", problem), proof)


def proved_makespan_bound(stated: Run) -> Fraction:
    """No schedule of these operations ends earlier than this.  Raises `Rejected`.

    For prices and potentials, or prices and trees, it is M P / Y for M operations.  The run has
    been checked before: it shows, by M P <= K Y for its own time K, that Y is not 0.
    """
    proof = stated.proof
    if isinstance(proof, (DistanceBound, PotentialBound)):
        price, potential = potentials.prices_and_potential(stated.problem, proof)
        return Fraction(quotient(stated.operations * potential, price))
    if isinstance(proof, (ForwardingBound, TargetBound, TreeBound)):
        paid, offered = _paid_and_offered(stated.problem, proof)
        size = exact_sum(stated.sizes, "sizes") if stated.sizes else stated.operations
        numbers = bits_of(size, paid, offered)
        spend(3 * products(numbers, numbers), "proof")
        return Fraction(size * paid / offered)
    if isinstance(proof, LatencyBound):
        sent = cast("Allgather | Combination", stated.problem)
        return latencies.least_makespan(stated, sent, proof)
    asked = cast("Broadcast | Allgather | Combination", stated.problem)
    return cuts.least_makespan(stated, asked, cast(CutBound, proof))


def _paid_and_offered(
    problem: Collective, proof: ForwardingBound | TargetBound | TreeBound
) -> tuple[Fraction, Fraction]:
    """What an operation pays, and what can be charged per time unit."""
    if isinstance(proof, ForwardingBound):
        return forwarding.forwarded_shards(cast(Allgather, problem), proof)
    if isinstance(proof, TargetBound):
        return target_sets.cheapest_to_targets(cast(Combination, problem), proof)
    if isinstance(problem, Allgather):
        return cuts.gathered_trees(problem, proof)
    return cuts.cheapest_trees(cast(Combination, problem), proof)


def _refuse_other_bound(
    stated: Series | CompactSeries | Run, proved: ProvedSeries | ProvedRun
) -> None:
    if stated.bound != proved.bound:
        rule = f"the proof shows {shown(proved.bound)}"
        raise Rejected("bound", shown(stated.bound), rule)
    if stated.optimal != proved.optimal:
        rule = "optimal means that schedule and bound agree, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
