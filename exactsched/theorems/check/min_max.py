"""Changed certificates of the min-max theorems."""

from __future__ import annotations

from typing import Any

from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.graphs.branching_packing import pack_branchings, pack_concurrently
from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.fractional_edge_coloring import color_fractionally
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.graphs.minimum_cost_arborescence import minimum_cost_arborescence
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.graphs.splitting_off import split_off
from exactsched.instances.mutants import (
    CAPACITY_MUTANTS,
    COLORING_MUTANTS,
    COST_MUTANTS,
    DEMANDS_MUTANTS,
    FLOW_MUTANTS,
    MATCHING_MUTANTS,
    PROGRAM_MUTANTS,
    SWITCH_MUTANTS,
    WEIGHTED_MUTANTS,
    DemandsMutants,
    DigraphMutants,
    MultigraphMutants,
    ProgramMutants,
    SwitchMutants,
)
from exactsched.linear_programs.linear_program import maximize
from exactsched.oracles.branchings import demanded
from exactsched.oracles.min_max import MOST_NODES, min_max_fault
from exactsched.theorems.check.mutants import refused_or_true
from exactsched.theorems.claim import Say, claim

PAGE = "min-max-certificates"
_JUDGED = "all cuts, branchings, matchings or odd sets, by definition"


def _fault(stated: Any) -> str:
    """Of more nodes than can be judged by all sets nothing is said."""
    return "" if getattr(stated, "size", 0) > MOST_NODES else min_max_fault(stated)


@claim(
    "check.flow-mutants",
    number="min-max-certificates, maximum-flow",
    status="new",
    instances=FLOW_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/flow.py",),
    judged=_JUDGED,
)
def flows(asked: DigraphMutants, say: Say) -> None:
    """Every change of a certificate of a maximum flow is refused, or what it states is true: the
    flow is one, and its value the capacity of the least of all cuts.
    """
    graph = asked.problem
    stated = maximum_flow(graph.size, 0, graph.size - 1, graph.arcs, graph.numbers)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.root-cut-mutants",
    number="min-max-certificates, minimum-root-cut",
    status="new",
    instances=CAPACITY_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/flow.py",),
    judged=_JUDGED,
)
def root_cuts(asked: DigraphMutants, say: Say) -> None:
    """Every change of a certificate of a least root cut is refused, or no set without the root is
    entered by less than it states.
    """
    graph = asked.problem
    stated = minimum_root_cut(graph.size, 0, graph.arcs, graph.numbers)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.decomposition-mutants",
    number="min-max-certificates, arborescence-decomposition",
    status="new",
    instances=CAPACITY_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/branching.py", "exactsched/check/graphs/spanning.py"),
    judged=_JUDGED,
)
def decompositions(asked: DigraphMutants, say: Say) -> None:
    """Every change of a decomposition into arborescences is refused, or they are spanning ones,
    share the capacities, and weigh as much as the least root cut.
    """
    graph = asked.problem
    stated = decompose_into_arborescences(graph.size, 0, graph.arcs, graph.numbers)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.branching-mutants",
    number="min-max-certificates, branching-packing and unmet-demand",
    status="new",
    instances=DEMANDS_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/branching.py", "exactsched/check/graphs/spanning.py"),
    judged=_JUDGED,
)
def branchings(asked: DemandsMutants, say: Say) -> None:
    """Every change of branchings that meet demands, or of a set that shows that none do, is
    refused, or they do meet them, or some set is entered by less than it needs.
    """
    problem = asked.problem
    stated = pack_branchings(problem.size, problem.arcs, problem.capacities, problem.roots)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.links-mutants",
    number="min-max-certificates, splitting-off",
    status="new",
    instances=SWITCH_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/splitting_off.py", "exactsched/check/graphs/flow.py"),
    judged=_JUDGED,
)
def links(asked: SwitchMutants, say: Say) -> None:
    """Every change of links around switches, or of a set that shows that there are none, is
    refused, or they fit and keep the demands, or some set is entered by less than it needs.
    """
    problem = asked.problem
    stated = split_off(
        problem.size, problem.arcs, problem.capacities, problem.switches, problem.demands
    )
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.concurrent-mutants",
    number="min-max-certificates, concurrent-branching-packing",
    status="new",
    instances=DEMANDS_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/branching.py", "exactsched/check/graphs/spanning.py"),
    judged=_JUDGED,
)
def concurrent_branchings(asked: DemandsMutants, say: Say) -> None:
    """Every change of branchings for a multiple of all demands is refused, or they meet it, and by
    the least ratio of all sets no larger one can be met.
    """
    problem = asked.problem
    if not any(demanded(problem.size, problem.roots)[1:]):
        say.not_applicable("nothing is demanded of any set")
    stated = pack_concurrently(problem.size, problem.arcs, problem.capacities, problem.roots)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.arborescence-mutants",
    number="min-max-certificates, minimum-cost-arborescence",
    status="new",
    instances=COST_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/branching.py", "exactsched/check/graphs/crossing.py"),
    judged=_JUDGED,
)
def cheapest_arborescences(asked: DigraphMutants, say: Say) -> None:
    """Every change of a certificate of a cheapest arborescence is refused, or no spanning
    arborescence costs less than its own.
    """
    graph = asked.problem
    stated = minimum_cost_arborescence(graph.size, 0, graph.arcs, graph.numbers)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.coloring-mutants",
    number="min-max-certificates, edge-coloring",
    status="new",
    instances=COLORING_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/matching.py",),
    judged=_JUDGED,
)
def colorings(asked: MultigraphMutants, say: Say) -> None:
    """Every change of an edge coloring is refused, or its classes are matchings that color every
    copy of every edge, with as many colors as the largest degree.
    """
    graph = asked.problem
    refused_or_true(color_edges(graph.edges, graph.numbers), asked.seeds, _fault, say)


@claim(
    "check.matching-mutants",
    number="min-max-certificates, matching-decomposition",
    status="new",
    instances=MATCHING_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/matching.py",),
    judged=_JUDGED,
)
def matchings(asked: MultigraphMutants, say: Say) -> None:
    """Every change of a decomposition into matchings is refused, or they are matchings, last for
    the weights of all edges, and together as long as the largest load.
    """
    graph = asked.problem
    refused_or_true(decompose_into_matchings(graph.edges, graph.numbers), asked.seeds, _fault, say)


@claim(
    "check.fractional-coloring-mutants",
    number="min-max-certificates, fractional-edge-coloring",
    status="new",
    instances=WEIGHTED_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/graphs/matching.py",),
    judged=_JUDGED,
)
def fractional_colorings(asked: MultigraphMutants, say: Say) -> None:
    """Every change of a fractional edge coloring is refused, or its matchings last for the weights
    of all edges, and together as long as a load or the density of an odd set requires.
    """
    graph = asked.problem
    stated = color_fractionally(graph.size, graph.edges, graph.numbers)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.linear-program-mutants",
    number="min-max-certificates, linear-optimum, linear-infeasibility and linear-unboundedness",
    status="new",
    instances=PROGRAM_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/linear_programs/linear_program.py",),
    judged="elimination of one variable at a time",
)
def linear_programs(asked: ProgramMutants, say: Say) -> None:
    """Every change of the certificate of a linear program is refused, or its program has this
    optimum, or is infeasible, or unbounded, as it states.
    """
    refused_or_true(maximize(asked.problem), asked.seeds, _fault, say)
