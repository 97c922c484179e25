"""exactsched: certified optimal communication schedules, in exact rational arithmetic.

Every optimum comes with a schedule that reaches it and a bound that nothing can pass; `check`
verifies both and shares no code with the solvers.

    >>> import exactsched
    >>> solution = exactsched.broadcast(exactsched.built_in("legrand-fig1"), source="Ps")
    >>> print(exactsched.check(solution.certificate()).throughput)
    1
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactsched.arborescence import minimum_cost_arborescence as minimum_cost_arborescence
    from exactsched.arborescence_decomposition import (
        decompose_into_arborescences as decompose_into_arborescences,
    )
    from exactsched.best_dag import broadcast_dag as broadcast_dag
    from exactsched.best_tree import broadcast_tree as broadcast_tree
    from exactsched.branchings import disjoint_arborescences as disjoint_arborescences
    from exactsched.branchings import pack_branchings as pack_branchings
    from exactsched.branchings import pack_concurrently as pack_concurrently
    from exactsched.broadcast_solution import BroadcastSolution as BroadcastSolution
    from exactsched.campaign import verify as verify
    from exactsched.certificate import read_certificate as read_certificate
    from exactsched.certificate import write_certificate as write_certificate
    from exactsched.check import check as check
    from exactsched.collective import CollectiveSolution as CollectiveSolution
    from exactsched.collective_run import CollectiveRunResult as CollectiveRunResult
    from exactsched.collective_run import operations_guarantee as operations_guarantee
    from exactsched.collective_run import run_operations as run_operations
    from exactsched.collective_run import run_operations_within as run_operations_within
    from exactsched.drawing import draw as draw
    from exactsched.edge_coloring import color_edges as color_edges
    from exactsched.errors import InvalidInput as InvalidInput
    from exactsched.errors import Malformed as Malformed
    from exactsched.errors import Rejected as Rejected
    from exactsched.finite_run import FiniteRun as FiniteRun
    from exactsched.finite_run import makespan_guarantee as makespan_guarantee
    from exactsched.finite_run import run_messages as run_messages
    from exactsched.finite_run import run_within as run_within
    from exactsched.fixed_period import best_for_period as best_for_period
    from exactsched.fixed_period import most_operations as most_operations
    from exactsched.fixed_period import with_period as with_period
    from exactsched.fixed_period import within_period as within_period
    from exactsched.flow import maximum_flow as maximum_flow
    from exactsched.fractional_edge_coloring import color_fractionally as color_fractionally
    from exactsched.gossiping import gossip as gossip
    from exactsched.gossiping import scatter as scatter
    from exactsched.hamiltonian import grid_cycle as grid_cycle
    from exactsched.hamiltonian import hamiltonian_optimum as hamiltonian_optimum
    from exactsched.hamiltonian_search import hamiltonian_line as hamiltonian_line
    from exactsched.interchange import from_networkx as from_networkx
    from exactsched.interchange import load_platform as load_platform
    from exactsched.interchange import read_platform as read_platform
    from exactsched.interchange import to_networkx as to_networkx
    from exactsched.interchange import write_platform as write_platform
    from exactsched.logp.continuous import continuous_broadcast as continuous_broadcast
    from exactsched.logp.items import broadcast_items as broadcast_items
    from exactsched.lp import linear_program as linear_program
    from exactsched.lp import maximize as maximize
    from exactsched.machine import LogP as LogP
    from exactsched.machine import MultiPort as MultiPort
    from exactsched.matching_decomposition import (
        decompose_into_few_matchings as decompose_into_few_matchings,
    )
    from exactsched.matching_decomposition import (
        decompose_into_matchings as decompose_into_matchings,
    )
    from exactsched.overlay.augmented import augmented_overlay as augmented_overlay
    from exactsched.overlay.augmented import unconstrained_overlay as unconstrained_overlay
    from exactsched.overlay.exact import optimal_overlay as optimal_overlay
    from exactsched.overlay.instances import read_machine as read_machine
    from exactsched.overlay.instances import write_machine as write_machine
    from exactsched.overlay.sequential import acyclic_overlay as acyclic_overlay
    from exactsched.pipelined import pipelined_broadcast as pipelined_broadcast
    from exactsched.pipelined import pipelined_guarantee as pipelined_guarantee
    from exactsched.pipelined import ratio_curve as ratio_curve
    from exactsched.platform import Arc as Arc
    from exactsched.platform import Platform as Platform
    from exactsched.problem import Broadcast as Broadcast
    from exactsched.problem import Demand as Demand
    from exactsched.problem import Gossip as Gossip
    from exactsched.problem import Reduction as Reduction
    from exactsched.reduction import reduce as reduce
    from exactsched.reduction_program import optimal_rates as optimal_rates
    from exactsched.reduction_tree import cheapest_reduction_tree as cheapest_reduction_tree
    from exactsched.reduction_tree import tree_text as tree_text
    from exactsched.root_cut import minimum_root_cut as minimum_root_cut
    from exactsched.shared_reduction import allreduce as allreduce
    from exactsched.shared_reduction import prefix as prefix
    from exactsched.simulation import simulate as simulate
    from exactsched.simulation.logp import simulate_logp as simulate_logp
    from exactsched.simulation.steps import simulate_steps as simulate_steps
    from exactsched.steady_state import broadcast as broadcast
    from exactsched.steps.graph import step_graph as step_graph
    from exactsched.steps.saturation import broadcast_in_steps as broadcast_in_steps
    from exactsched.topologies import built_in as built_in
    from exactsched.tree_extraction import extract_trees as extract_trees

__version__ = "0.1.0"

# Public name -> its module, loaded when the name is first used (PEP 562): `import exactsched`
# stays cheap, and `import exactsched.check` loads no solver.
_HOME = {
    "Arc": "platform",
    "Broadcast": "problem",
    "BroadcastSolution": "broadcast_solution",
    "CollectiveRunResult": "collective_run",
    "CollectiveSolution": "collective",
    "Demand": "problem",
    "FiniteRun": "finite_run",
    "Gossip": "problem",
    "InvalidInput": "errors",
    "LogP": "machine",
    "Malformed": "errors",
    "MultiPort": "machine",
    "Platform": "platform",
    "Reduction": "problem",
    "Rejected": "errors",
    "acyclic_overlay": "overlay.sequential",
    "allreduce": "shared_reduction",
    "augmented_overlay": "overlay.augmented",
    "best_for_period": "fixed_period",
    "broadcast": "steady_state",
    "broadcast_dag": "best_dag",
    "broadcast_in_steps": "steps.saturation",
    "broadcast_items": "logp.items",
    "broadcast_tree": "best_tree",
    "built_in": "topologies",
    "cheapest_reduction_tree": "reduction_tree",
    "color_edges": "edge_coloring",
    "color_fractionally": "fractional_edge_coloring",
    "continuous_broadcast": "logp.continuous",
    "decompose_into_arborescences": "arborescence_decomposition",
    "decompose_into_few_matchings": "matching_decomposition",
    "decompose_into_matchings": "matching_decomposition",
    "disjoint_arborescences": "branchings",
    "draw": "drawing",
    "extract_trees": "tree_extraction",
    "from_networkx": "interchange",
    "gossip": "gossiping",
    "grid_cycle": "hamiltonian",
    "hamiltonian_line": "hamiltonian_search",
    "hamiltonian_optimum": "hamiltonian",
    "linear_program": "lp",
    "load_platform": "interchange",
    "makespan_guarantee": "finite_run",
    "maximize": "lp",
    "maximum_flow": "flow",
    "minimum_cost_arborescence": "arborescence",
    "minimum_root_cut": "root_cut",
    "most_operations": "fixed_period",
    "operations_guarantee": "collective_run",
    "optimal_overlay": "overlay.exact",
    "optimal_rates": "reduction_program",
    "pack_branchings": "branchings",
    "pack_concurrently": "branchings",
    "pipelined_broadcast": "pipelined",
    "pipelined_guarantee": "pipelined",
    "prefix": "shared_reduction",
    "ratio_curve": "pipelined",
    "read_certificate": "certificate",
    "read_machine": "overlay.instances",
    "read_platform": "interchange",
    "reduce": "reduction",
    "run_messages": "finite_run",
    "run_operations": "collective_run",
    "run_operations_within": "collective_run",
    "run_within": "finite_run",
    "scatter": "gossiping",
    "simulate": "simulation",
    "simulate_logp": "simulation.logp",
    "simulate_steps": "simulation.steps",
    "step_graph": "steps.graph",
    "to_networkx": "interchange",
    "tree_text": "reduction_tree",
    "unconstrained_overlay": "overlay.augmented",
    "verify": "campaign",
    "with_period": "fixed_period",
    "within_period": "fixed_period",
    "write_certificate": "certificate",
    "write_machine": "overlay.instances",
    "write_platform": "interchange",
}

__all__ = ["__version__", "check", *_HOME]


def __getattr__(name: str) -> object:
    if name == "check":
        # The subpackage is callable: both `exactsched.check(...)` and `import exactsched.check`.
        return import_module("exactsched.check")
    if name in _HOME:
        return getattr(import_module(f"exactsched.{_HOME[name]}"), name)
    raise AttributeError(f"module 'exactsched' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
