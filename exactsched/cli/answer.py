"""How a solving command reports its result: on the terminal, as JSON, and as a certificate."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

from exactsched.cli.arguments import positive, whole
from exactsched.cli.json_answer import print_json
from exactsched.cli.terminal import WIDE, Progress, say_rows
from exactsched.exact.rational import to_json
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from exactsched.certificate.bounds import CutBound, LatencyBound, TargetBound, TreeBound
    from exactsched.model.platform import Platform
    from exactsched.model.problem import Allgather, Collective
    from exactsched.runs.finite_run import FiniteRun
    from exactsched.steady_state.solution import Solution

# The shares of the throughput for which a shorter period is offered.
LOSSES = (Fraction(1, 100), Fraction(1, 1000))
# What is known of a schedule besides its certificate, by name.
Numbers = dict[str, Fraction | int]


class Point(NamedTuple):
    """Of a curve: the throughput that trees of a depth reach."""

    depth: int
    throughput: Fraction
    trees: int


@dataclass(frozen=True, slots=True)
class Words:
    """What operations, structures and tasks are called, and two of them in JSON.

    `others` says which schedules the bound is for, if not for all; `notes` are rows of their own.
    `curve` and `members` stand in JSON only; where there are any, the notes show them as well.
    """

    operation: str
    structure: str
    task: str
    operations_member: str
    structures_member: str
    others: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    curve: tuple[Point, ...] = ()
    members: tuple[tuple[str, Any], ...] = ()


def as_asked(
    solution: Solution,
    operations: str | None,
    option: str,
    options: Namespace,
    progress: Progress,
) -> tuple[Solution | FiniteRun, Numbers]:
    """The schedule that the options ask for, and what is known of it besides its certificate.

    `operations` is what the command line says after `option`, --operations or --packets.
    """
    if operations is not None:
        from exactsched.runs.finite_run import makespan_guarantee, run_operations

        number = whole(operations, option)
        return run_operations(solution, number, progress=progress), {
            "guarantee": makespan_guarantee(solution, number),
            "constant": solution.makespan_constant,
        }
    if options.within is not None:
        return _within(solution, positive(options.within, "--within"), progress)
    if options.whole:
        return solution.whole(), {}
    if options.period is None and options.max_period is None:
        return solution, {}
    from exactsched.steady_state.fixed_period import most_operations, with_period, within_period

    if options.period is not None:
        fixed = with_period(solution, positive(options.period, "--period"), progress=progress)
    else:
        longest = positive(options.max_period, "--max-period")
        fixed = within_period(solution, longest, progress=progress)
    period = fixed.schedule.period if fixed.schedule else Fraction(0)
    return fixed, {
        "operations": (fixed.throughput * period).numerator,
        "at_most": most_operations(solution, period),
    }


def _within(
    solution: Solution, horizon: Fraction, progress: Progress
) -> tuple[Solution | FiniteRun, Numbers]:
    """What is complete by the horizon, and what no schedule passes.

    As an explicit run where that can be written down, by the periodic schedule otherwise.
    """
    from exactsched.check import check_schedule
    from exactsched.runs.finite_run import can_be_listed, run_within

    at_most = floor(horizon * check_schedule(solution.certificate()).bound)
    shared: Numbers = {"at_most": at_most, "constant": solution.makespan_constant}
    if solution.structures and not can_be_listed(solution, max(1, at_most)):
        return solution, {"delivered": solution.operations_within(horizon), **shared}
    run = run_within(solution, horizon, progress=progress)
    return run, {"delivered": run.operations, **shared}


def routes_said(platform: Platform, ports: str) -> tuple[tuple[str, str], ...]:
    """A row for the answer, where links that arcs share do not count."""
    if ports == "routes" or not platform.links:
        return ()
    shared = counted(len(platform.links), "link")
    told = f"{ports} takes each arc for itself; its {shared} of routes count with --ports routes"
    return (("routes", told),)


def reason(result: Solution | FiniteRun) -> str:
    """The bound in a few words."""
    from exactsched.certificate.bounds import (
        CutBound,
        DistanceBound,
        ForwardingBound,
        LatencyBound,
        PotentialBound,
        TargetBound,
        TreeBound,
    )
    from exactsched.model.problem import Allgather
    from exactsched.model.unreachable import unreachable_in_words

    proof = result.proof
    if isinstance(result.problem, Allgather) and isinstance(proof, CutBound):
        return _reason_of_bottleneck(result.problem, proof)
    if isinstance(proof, CutBound):
        return _reason_of_cuts(proof)
    if isinstance(proof, LatencyBound):
        gathered = isinstance(result.problem, Allgather)
        return _reason_of_latencies(proof, "shard" if gathered else "block")
    if isinstance(proof, ForwardingBound):
        from exactsched.check.proved import shown
        from exactsched.steady_state.allgather import tightest_cut

        assert isinstance(result.problem, Allgather)
        allowed, _ = tightest_cut(result.problem)
        return (
            f"prices on {counted(len(proof.prices), 'resource')}, if nodes that only forward copy"
            f" nothing; cuts allow {shown(allowed)}, if they copied or coded"
        )
    if isinstance(proof, (TargetBound, TreeBound)):
        return _reason_of_trees(result.problem, proof)
    if not isinstance(proof, (DistanceBound, PotentialBound)):
        return "every case of a split is bounded by prices and cuts"
    if not proof.prices:
        return unreachable_in_words(result.problem)
    if len(proof.prices) == 1:
        return f"{next(iter(proof.prices))} alone is busy all the time"
    lengths = "distances" if isinstance(proof, DistanceBound) else "potentials of partial results"
    return f"prices on {counted(len(proof.prices), 'resource')}, and {lengths}"


def _reason_of_trees(problem: Collective, proof: TargetBound | TreeBound) -> str:
    from exactsched.certificate.bounds import TreeBound
    from exactsched.model.unreachable import unreachable_in_words

    if not proof.prices and not proof.odd_sets:
        return unreachable_in_words(problem)
    ports = counted(len(proof.prices), "resource")
    if proof.odd_sets:
        odd = counted(len(proof.odd_sets), "odd set")
        ports = f"{ports} and {odd}" if proof.prices else odd
    if isinstance(proof, TreeBound):
        return f"prices on {ports}, and cuts around {counted(len(proof.roots), 'root')}"
    targets = sum(len(share.targets) for share in proof.shares)
    if len(proof.shares) == 1 < targets:
        return f"prices on {ports}, and the least costs of all sets of {targets} targets"
    return f"prices on {ports}, and cuts around {counted(targets, 'target')}"


def _reason_of_bottleneck(problem: Allgather, proof: CutBound) -> str:
    """The set that too little enters, by the bandwidth into it and the shards outside."""
    from exactsched.check.proved import shown

    start, stop, _ = proof.cuts[0]
    inside = list(map(str, proof.order[start:stop]))
    into = ", ".join(inside[:6]) + (", ..." if len(inside) > 6 else "")
    if not proof.prices:
        return f"no arc enters {{{into}}}"
    outside = [shard.size for shard in problem.shards if shard.node not in proof.order[start:stop]]
    bandwidth = shown(sum(proof.prices.values(), start=Fraction(0)))
    needed = shown(sum(outside, start=Fraction(0)))
    what = f"shards of size {needed} have" if len(problem.roots) > 1 else "every message has"
    return f"{what} to enter {{{into}}}, over bandwidth {bandwidth}"


def _reason_of_latencies(proof: LatencyBound, part: str) -> str:
    inside = list(map(str, proof.nodes))
    into = ", ".join(inside[:6]) + (", ..." if len(inside) > 6 else "")
    shards = counted(len(proof.roots), part)
    have = "has" if len(proof.roots) == 1 else "have"
    return f"{shards} {have} to enter {{{into}}}, over {counted(len(proof.prices), 'arc')}"


def _reason_of_cuts(proof: CutBound) -> str:
    from exactsched.check.proved import shown

    if len(proof.cuts) == 1:
        start, stop, weight = proof.cuts[0]
        inside = list(map(str, proof.order[start:stop]))
        into = ", ".join(inside[:6]) + (", ..." if len(inside) > 6 else "")
        if not proof.prices and not proof.odd_sets:
            return f"no arc enters {{{into}}}"
        if len(proof.prices) == 1 and not proof.odd_sets:
            ((port, price),) = proof.prices.items()
            return f"every message into {{{into}}} keeps {port} busy for {shown(weight / price)}"
    ports, cuts = counted(len(proof.prices), "port"), counted(len(proof.cuts), "cut")
    if proof.odd_sets:
        odd = counted(len(proof.odd_sets), "odd set")
        ports = f"{ports} and {odd}" if proof.prices else odd
    return f"prices on {ports}, packed with {cuts}"


def answer(
    result: Solution | FiniteRun, numbers: Numbers, words: Words, options: Namespace
) -> None:
    """Check the certificate, write it where asked, and say what it proves."""
    from exactsched.steady_state.solution import Solution

    if isinstance(result, Solution):
        _answer_series(result, numbers, words, options)
    else:
        _answer_run(result, numbers, words, options)


def _answer_run(run: FiniteRun, numbers: Numbers, words: Words, options: Namespace) -> None:
    from exactsched.check.proved import ProvedRun

    claim = _proved(run, options)
    if options.json and isinstance(claim, ProvedRun):
        print_json(
            {
                "makespan": to_json(claim.makespan),
                "optimal": claim.optimal,
                "bound": to_json(claim.bound),
                words.operations_member: claim.operations,
            }
            | _in_json(numbers),
            run,
            options,
        )
    else:
        say_rows(_rows([(options.platform, str(claim))], numbers, words, reason(run), options))


def _answer_series(solution: Solution, numbers: Numbers, words: Words, options: Namespace) -> None:
    from exactsched.check.proved import ProvedSeries, shown

    claim = _proved(solution, options)
    if options.json and isinstance(claim, ProvedSeries):
        summary: dict[str, Any] = {
            "throughput": to_json(claim.throughput),
            "optimal": claim.optimal,
            "bound": to_json(claim.bound),
        }
        if solution.period:
            summary |= {
                "period": to_json(solution.period),
                words.structures_member: len(solution.structures),
                "depth": solution.depth,
                "makespan_constant": to_json(solution.makespan_constant),
            }
        else:
            summary["unreachable"] = _unreachable(solution)
        if shorter := _shorter_periods(solution):
            summary["shorter_periods"] = [
                {"loss": to_json(loss), "period": to_json(period)} for loss, period in shorter
            ]
        if words.curve:
            summary["curve"] = [
                point._asdict() | {"throughput": to_json(point.throughput)} for point in words.curve
            ]
        print_json(summary | dict(words.members) | _in_json(numbers), solution, options)
        return
    rows = [(options.platform, str(claim))]
    if solution.period:
        used = counted(len(solution.structures), words.structure)
        whole = f"{words.task}s may be" if solution.interrupted else f"no {words.task} is"
        takes = f"M * {shown(1 / solution.throughput)} + {shown(solution.makespan_constant)}"
        rows += [
            ("schedule", f"period {shown(solution.period)}, {used}, {whole} interrupted"),
            ("finite runs", f"M {words.operation}s take at most {takes}, for every M"),
        ]
    if shorter := _shorter_periods(solution):
        told = ", ".join(
            f"--period {shown(period)} loses at most {float(100 * loss):g} %"
            for loss, period in shorter
        )
        rows.append(("shorter", told))
    say_rows(_rows(rows, numbers, words, reason(solution), options))


def _shorter_periods(solution: Solution) -> list[tuple[Fraction, Fraction]]:
    """Where a period is too long for anybody to use: shares that are lost, and by which period."""
    if solution.period.numerator < WIDE:
        return []
    from exactsched.steady_state.fixed_period import period_for_loss

    return [(loss, period_for_loss(solution, loss)) for loss in LOSSES]


def _unreachable(solution: Solution) -> list[Any]:
    """Nodes, pairs [source, target], or goals [[k, m], node], as documents have them."""
    from exactsched.model.problem import Allgather, Alltoall, Broadcast, Combination

    problem, missing = solution.problem, solution.unreachable
    if isinstance(problem, Broadcast):
        return [node for _, node in missing]
    if isinstance(problem, Alltoall):
        demands = [problem.demands[item[0]] for item, _ in missing]
        return [[demand.source, demand.target] for demand in demands]
    if isinstance(problem, Allgather):
        return [[problem.roots[item[0]].node, node] for item, node in missing]
    if isinstance(problem, Combination):
        return list(dict.fromkeys(node for _, node in missing))
    return [[list(item), node] for item, node in missing]


def _proved(result: Solution | FiniteRun, options: Namespace) -> object:
    """What is printed is what the checker has just proved, not what the solver believes."""
    from exactsched.certificate import write_certificate
    from exactsched.check import check_schedule

    document = result.certificate()
    claim = check_schedule(document)
    if options.output:
        write_certificate(document, options.output)
    return claim


def _in_json(numbers: Numbers) -> dict[str, Any]:
    return {name: to_json(number) for name, number in numbers.items()}


def _rows(
    rows: list[tuple[str, str]],
    numbers: Numbers,
    words: Words,
    why: str,
    options: Namespace,
) -> list[tuple[str, str]]:
    from exactsched.check.proved import shown

    def count(name: str) -> str:
        number = numbers[name]
        return f"{shown(number)} {words.operation}{'s' if number != 1 else ''}"

    if "delivered" in numbers:
        most = shown(numbers["at_most"])
        done = f"{count('delivered')} by time {options.within}"
        rows.append(("delivered", f"{done}, no schedule {words.others}more than {most}"))
    elif "at_most" in numbers:
        most = shown(numbers["at_most"])
        done = f"{count('operations')} in a period"
        rows.append(("fixed period", f"{done}, no schedule has more than {most}"))
    if "guarantee" in numbers:
        rows.append(("known before", f"a makespan of at most {shown(numbers['guarantee'])}"))
    rows += [*words.notes, ("why", why)]
    if options.output:
        rows.append(("certificate", options.output))
    return rows
