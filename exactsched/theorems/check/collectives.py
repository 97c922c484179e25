"""Changed certificates of series and runs."""

from __future__ import annotations

from exactsched.certificate import to_document
from exactsched.certificate.collectives import Run, Series
from exactsched.instances.fabric_mutants import (
    COMBINATION_MUTANTS,
    GATHERED_MUTANTS,
    MIX_MUTANTS,
    AllgatherMutants,
    CombinationMutants,
)
from exactsched.instances.mutants import (
    ALLTOALL_MUTANTS,
    BROADCAST_MUTANTS,
    DAG_MUTANTS,
    REDUCTION_MUTANTS,
    AlltoallMutants,
    BroadcastMutants,
    ReductionMutants,
)
from exactsched.model.problem import Broadcast
from exactsched.oracles.collectives import collective_fault
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state.allgather import solve_allgather
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.solution import Solution
from exactsched.theorems.check.mutants import refused_or_true
from exactsched.theorems.claim import Say, claim

PAGE = "certificate-format"
_SERIES = (
    "exactsched/check/collectives/schedule.py",
    "exactsched/check/collectives/operation.py",
    "exactsched/check/collectives/overlaps.py",
    "exactsched/check/collectives/certificates.py",
)
_MESSAGES = "exactsched/check/collectives/operations_of_messages.py"
_SUMS = "exactsched/check/collectives/operations_of_sums.py"
_CUTS = "exactsched/check/collectives/cuts.py"
_POTENTIALS = "exactsched/check/collectives/potentials.py"
_SETS = (
    "exactsched/check/collectives/target_sets.py",
    "exactsched/check/collectives/arc_prices.py",
)
_RUN = "exactsched/check/collectives/run.py"
_JUDGED = "the schedule played by definition; the optimum over all sets of transfers"


# Pieces of work of a period, or of a run, that are played.
_PLAYED = 600


def _fault(stated: Series | Run) -> str:
    """Schedules of very many pieces are not judged."""
    if isinstance(stated, Run):
        pieces = len(stated.rows)
    else:
        listed = stated.schedule.structures if stated.schedule else ()
        pieces = sum(int(one.operations) * len(one.tasks) for one in listed)
    return collective_fault(to_document(stated)) if pieces <= _PLAYED else ""


@claim(
    "check.broadcast-mutants",
    number="certificate-format, series of broadcasts",
    status="new",
    instances=BROADCAST_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _CUTS, _MESSAGES),
    judged=_JUDGED,
)
def broadcasts(asked: BroadcastMutants, say: Say) -> None:
    """Every change of the certificate of a series of broadcasts is refused, or its schedule works
    and reaches the throughput, and no schedule passes the bound.
    """
    refused_or_true(_broadcast(asked.problem).certificate(), asked.seeds, _fault, say)


def _broadcast(problem: Broadcast) -> Solution:
    return broadcast(problem.platform, problem.source, ports=problem.ports)


@claim(
    "check.tree-mutants",
    number="certificate-format, split-on-node",
    status="new",
    instances=BROADCAST_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _CUTS, _MESSAGES),
    judged=_JUDGED,
)
def trees(asked: BroadcastMutants, say: Say) -> None:
    """Every change of the certificate of a best tree, cases included, is refused, or its schedule
    uses one tree and reaches the throughput, and no tree passes the bound.
    """
    problem = asked.problem
    stated = broadcast_tree(problem.platform, problem.source, ports=problem.ports)
    refused_or_true(stated.certificate(), asked.seeds, _fault, say)


@claim(
    "check.dag-mutants",
    number="certificate-format, split-on-cycle",
    status="new",
    instances=DAG_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _CUTS, _MESSAGES),
    judged=_JUDGED,
)
def dags(asked: BroadcastMutants, say: Say) -> None:
    """Every change of the certificate of best trees without a directed cycle, cases included, is
    refused, or its trees have none and reach the throughput, and no such trees pass the bound.
    """
    problem = asked.problem
    stated = broadcast_dag(problem.platform, problem.source, ports=problem.ports)
    refused_or_true(stated.certificate(), asked.seeds, _fault, say)


@claim(
    "check.alltoall-mutants",
    number="certificate-format, series of alltoalls",
    status="new",
    instances=ALLTOALL_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _POTENTIALS, _MESSAGES),
    judged=_JUDGED,
)
def alltoalls(asked: AlltoallMutants, say: Say) -> None:
    """Every change of the certificate of a series of alltoalls is refused, or its schedule works
    and reaches the throughput, and no schedule passes the bound.
    """
    refused_or_true(solve_alltoall(asked.problem).certificate(), asked.seeds, _fault, say)


@claim(
    "check.reduction-mutants",
    number="certificate-format, series of reductions",
    status="new",
    instances=REDUCTION_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _POTENTIALS, _SUMS),
    judged=_JUDGED,
)
def reductions(asked: ReductionMutants, say: Say) -> None:
    """Every change of the certificate of a series of reductions is refused, or its schedule works
    and reaches the throughput, and no schedule passes the bound.
    """
    refused_or_true(solve_reduction(asked.problem).certificate(), asked.seeds, _fault, say)


@claim(
    "check.allgather-mutants",
    number="certificate-format, series of allgathers",
    status="new",
    instances=GATHERED_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _CUTS, _MESSAGES),
    judged=_JUDGED,
)
def allgathers(asked: AllgatherMutants, say: Say) -> None:
    """Every change of the certificate of a series of allgathers is refused, or its schedule works,
    in which nodes outside the group send once what they have received, and reaches the throughput,
    and no schedule passes the bound.
    """
    refused_or_true(solve_allgather(asked.problem).certificate(), asked.seeds, _fault, say)


@claim(
    "check.combination-mutants",
    number="certificate-format, series of combinations",
    status="new",
    instances=COMBINATION_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _CUTS, *_SETS, _SUMS),
    judged=_JUDGED,
)
def combinations(asked: CombinationMutants, say: Say) -> None:
    """Every change of the certificate of a series of all-reduces, reduce-scatters or messages to
    some nodes is refused, or its schedule works, in which nodes outside the group send once what
    they have received, and reaches the throughput, and no schedule passes the bound.
    """
    refused_or_true(solve_combination(asked.problem).certificate(), asked.seeds, _fault, say)


@claim(
    "check.mix-mutants",
    number="certificate-format, series of combinations with groups",
    status="new",
    instances=MIX_MUTANTS,
    page=PAGE,
    implements=(*_SERIES, _CUTS, *_SETS, _SUMS),
    judged=_JUDGED,
)
def mixes(asked: CombinationMutants, say: Say) -> None:
    """Every change of the certificate of a mix, whose blocks have groups of their own, is refused,
    or its schedule works, in which nodes outside the group of a block send once what they have
    received about it, and reaches the throughput, and no schedule passes the bound.
    """
    refused_or_true(solve_combination(asked.problem).certificate(), asked.seeds, _fault, say)


@claim(
    "check.run-mutants",
    number="certificate-format, runs of broadcasts",
    status="new",
    instances=BROADCAST_MUTANTS,
    page=PAGE,
    implements=(_RUN, _CUTS, *_SERIES[1:], _MESSAGES),
    judged="the run played by definition; the best throughput, and all orders of few transfers",
)
def runs(asked: BroadcastMutants, say: Say) -> None:
    """Every change of the certificate of a run of broadcasts is refused, or it can be carried out
    and ends at its makespan, and none of the other schedules that are tried ends before its bound.
    """
    _run(_broadcast(asked.problem), asked.seeds, say)


@claim(
    "check.alltoall-run-mutants",
    number="certificate-format, runs of alltoalls",
    status="new",
    instances=ALLTOALL_MUTANTS,
    page=PAGE,
    implements=(_RUN, _POTENTIALS, *_SERIES[1:], _MESSAGES),
    judged="the run played by definition; the best throughput",
)
def alltoall_runs(asked: AlltoallMutants, say: Say) -> None:
    """Every change of the certificate of a run of alltoalls is refused, or it can be carried out
    and ends at its makespan, and its bound is no more than the best throughput allows.
    """
    _run(solve_alltoall(asked.problem), asked.seeds, say)


@claim(
    "check.reduction-run-mutants",
    number="certificate-format, runs of reductions",
    status="new",
    instances=REDUCTION_MUTANTS,
    page=PAGE,
    implements=(_RUN, _POTENTIALS, *_SERIES[1:], _SUMS),
    judged="the run played by definition; the best throughput",
)
def reduction_runs(asked: ReductionMutants, say: Say) -> None:
    """Every change of the certificate of a run of reductions is refused, or it can be carried out
    and ends at its makespan, and its bound is no more than the best throughput allows.
    """
    _run(solve_reduction(asked.problem), asked.seeds, say)


def _run(solution: Solution, seeds: tuple[int, ...], say: Say) -> None:
    """One to three operations, by the first seed."""
    if not solution.throughput:
        say.not_applicable("nothing can be carried out")
    run = run_operations(solution, 1 + seeds[0] % 3)
    refused_or_true(run.certificate(), seeds, _fault, say)
