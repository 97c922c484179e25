"""What `scatter` to `mix` say beside a throughput: bandwidths, gains, structures."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from exactsched.cli.terminal import Progress
from exactsched.exact.rational import to_json

if TYPE_CHECKING:
    from exactsched.model.platform import Platform
    from exactsched.model.problem import Allgather, Combination
    from exactsched.model.tasks import Task
    from exactsched.steady_state.solution import Solution


def bandwidths_of(platform: Platform, result: Solution, options: Namespace) -> dict[str, Fraction]:
    """Under the names of NCCL's tests; none of an all-reduce that switches join."""
    from exactsched.model.problem import Combination
    from exactsched.steady_state.bus_bandwidth import bandwidths

    joined = isinstance(result.problem, Combination) and in_network(platform)
    if options.name == "mix" or joined or not result.throughput:
        return {}
    found = bandwidths(result.problem, result.throughput)
    return dict(zip(("algbw", "busbw"), found, strict=True)) if found else {}


def two_phases(solution: Solution, progress: Progress) -> Fraction:
    """What a reduce-scatter followed by an allgather reaches, for an order-free all-reduce."""
    from exactsched.model.problem import Combination
    from exactsched.steady_state.combination import two_phase_throughput

    problem = solution.problem
    if not isinstance(problem, Combination) or not problem.everywhere(0):
        return Fraction(0)
    return two_phase_throughput(problem, progress)


def rates_said(
    solution: Solution, options: Namespace
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, Any], ...]]:
    """Of a mix the operations of each collective per time unit: as rows, and in JSON."""
    from exactsched.check.proved import shown

    if options.name != "mix":
        return (), ()
    rates = [(one.collective, one.weight * solution.throughput) for one in options.parts]
    rows = tuple((name, f"{shown(rate)} per time unit") for name, rate in rates)
    listed = [{"collective": name, "throughput": to_json(rate)} for name, rate in rates]
    return rows, (("collectives", listed),)


def gain_said(throughput: Fraction, phases: Fraction) -> tuple[tuple[str, str], ...]:
    from exactsched.check.proved import shown

    gain = shown(throughput / phases)
    return (("two phases", f"reduce-scatter, then allgather: {shown(phases)}, a gain of {gain}"),)


def order_said(solution: Solution, options: Namespace) -> tuple[tuple[str, str], ...]:
    """Which of two problems was solved, where the command line does not say it."""
    from exactsched.model.problem import Reduction

    if options.name not in ("reduce", "allreduce") or options.ordered or options.order_free:
        return ()
    if not isinstance(solution.problem, Reduction):
        return (("combining", "in any order, in no time (--ordered: in order, in given times)"),)
    return (("combining", "in order, in the given times (--order-free: any order, no time)"),)


def structure_lines(solution: Solution) -> Iterator[str]:
    """Every structure with its weight: a route on one line, a tree over several."""
    from exactsched.check.proved import shown
    from exactsched.model.problem import Allgather, Alltoall, Combination, Reduction
    from exactsched.steady_state.reduction_tree import tree_text

    problem = solution.problem
    for structure in solution.structures:
        weight = shown(structure.weight)
        if isinstance(problem, Alltoall):
            demand = problem.demands[structure.part]
            heads = [problem.platform.arcs[arc].head for arc, _ in structure.tasks]
            route = " -> ".join(map(str, [demand.source, *heads]))
            yield f"{weight} per time unit: {route}"
        elif isinstance(problem, Allgather):
            yield f"{weight} per time unit, {problem.roots[structure.part]}:"
            yield from (f"  {line}" for line in _links(problem, structure.tasks))
        elif isinstance(problem, Combination):
            yield f"{weight} per time unit, {problem.blocks[structure.part]}:"
            yield from (f"  {line}" for line in _calls(problem, structure.tasks))
        else:
            yield f"{weight} per time unit:"
            yield from (
                f"  {line}"
                for line in tree_text(cast(Reduction, problem), structure.tasks).splitlines()
            )


def _links(problem: Allgather, tasks: Sequence[Task]) -> Iterator[str]:
    """The paths of a tree, from node to node of the group."""
    for _, path in groupby(tasks, lambda task: task[2]):
        arcs = [problem.platform.arcs[task[0]] for task in path]
        yield " -> ".join(map(str, [arcs[0].tail, *(arc.head for arc in arcs)]))


def _calls(problem: Combination, tasks: Sequence[Task]) -> Iterator[str]:
    """The tree inwards, and the tree outwards."""
    from exactsched.model.tasks import SPREAD

    for name, inwards in (("gathers", True), ("spreads", False)):
        chosen = [task for task in tasks if (task[2] != SPREAD) is inwards]
        if chosen:
            arcs = [str(problem.platform.arcs[task[0]]) for task in chosen]
            yield f"{name} {', '.join(arcs)}"


def structure_name(solution: Solution) -> str:
    """What the structures of a solution are called."""
    from exactsched.model.problem import Allgather, Alltoall, Combination
    from exactsched.model.tasks import wanted

    if isinstance(solution.problem, Alltoall):
        return "route"
    if isinstance(solution.problem, Allgather):
        return "tree"
    if isinstance(solution.problem, Combination):
        shared = any(map(solution.problem.everywhere, range(len(solution.problem.blocks))))
        if solution.problem.mixed:
            return "structure"
        return "tree pair" if shared else "tree"
    return "reduction tree" if len(wanted(solution.problem)) == 1 else "scheme"


def in_network(platform: Platform) -> bool:
    """Whether some switch copies or combines."""
    return bool(platform.multicast or platform.reduces)


def in_network_said(platform: Platform, solution: Solution) -> tuple[tuple[str, str], ...]:
    from exactsched.model.problem import Combination

    problem = solution.problem
    if not isinstance(problem, Combination) or not in_network(platform):
        return ()
    joined = [str(node) for node in problem.members if node in platform.switches]
    named = ", ".join(joined[:8]) + (", ..." if len(joined) > 8 else "")
    doing = f"these combine and copy: {named}" if joined else "all switches only forward"
    told = "in-network reduction: bound, whatever switches do, and best found"
    return (("switches", f"{told}; {doing}"),)
