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
    from exactsched.campaign import verify as verify
    from exactsched.certificate import read as read
    from exactsched.certificate import read_certificate as read_certificate
    from exactsched.certificate import write_certificate as write_certificate
    from exactsched.check import check as check
    from exactsched.drawing import draw as draw
    from exactsched.exact.errors import InvalidInput as InvalidInput
    from exactsched.exact.errors import Malformed as Malformed
    from exactsched.exact.errors import Rejected as Rejected
    from exactsched.exact.rational import exactly as exactly
    from exactsched.export import export as export
    from exactsched.graphs.arborescence_decomposition import (
        decompose_into_arborescences as decompose_into_arborescences,
    )
    from exactsched.graphs.branching_packing import disjoint_arborescences as disjoint_arborescences
    from exactsched.graphs.branching_packing import pack_branchings as pack_branchings
    from exactsched.graphs.branching_packing import pack_concurrently as pack_concurrently
    from exactsched.graphs.edge_coloring import color_edges as color_edges
    from exactsched.graphs.flow import maximum_flow as maximum_flow
    from exactsched.graphs.fractional_edge_coloring import color_fractionally as color_fractionally
    from exactsched.graphs.matching_decomposition import (
        decompose_into_few_matchings as decompose_into_few_matchings,
    )
    from exactsched.graphs.matching_decomposition import (
        decompose_into_matchings as decompose_into_matchings,
    )
    from exactsched.graphs.minimum_cost_arborescence import (
        minimum_cost_arborescence as minimum_cost_arborescence,
    )
    from exactsched.graphs.root_cut import minimum_root_cut as minimum_root_cut
    from exactsched.graphs.splitting_off import split_off as split_off
    from exactsched.linear_programs.files.reader import read_linear_program as read_linear_program
    from exactsched.linear_programs.linear_program import linear_program as linear_program
    from exactsched.linear_programs.linear_program import maximize as maximize
    from exactsched.linear_programs.stated_program import solve_stated as solve_stated
    from exactsched.linear_programs.stated_program import stated_program as stated_program
    from exactsched.logp.continuous import continuous_broadcast as continuous_broadcast
    from exactsched.logp.items import broadcast_items as broadcast_items
    from exactsched.model.machine import LogP as LogP
    from exactsched.model.machine import MultiPort as MultiPort
    from exactsched.model.parts import Block as Block
    from exactsched.model.parts import Demand as Demand
    from exactsched.model.parts import Shard as Shard
    from exactsched.model.platform import Arc as Arc
    from exactsched.model.platform import Platform as Platform
    from exactsched.model.problem import Allgather as Allgather
    from exactsched.model.problem import Alltoall as Alltoall
    from exactsched.model.problem import Broadcast as Broadcast
    from exactsched.model.problem import Combination as Combination
    from exactsched.model.problem import Reduction as Reduction
    from exactsched.overlay.augmented import augmented_overlay as augmented_overlay
    from exactsched.overlay.augmented import unconstrained_overlay as unconstrained_overlay
    from exactsched.overlay.exact import optimal_overlay as optimal_overlay
    from exactsched.overlay.sequential import acyclic_overlay as acyclic_overlay
    from exactsched.platforms.built_in import built_in as built_in
    from exactsched.platforms.files import from_networkx as from_networkx
    from exactsched.platforms.files import load_platform as load_platform
    from exactsched.platforms.files import read_platform as read_platform
    from exactsched.platforms.files import to_networkx as to_networkx
    from exactsched.platforms.files import write_platform as write_platform
    from exactsched.platforms.machine_files import read_machine as read_machine
    from exactsched.platforms.machine_files import write_machine as write_machine
    from exactsched.runs.finite_run import FiniteRun as FiniteRun
    from exactsched.runs.finite_run import makespan_guarantee as makespan_guarantee
    from exactsched.runs.finite_run import run_operations as run_operations
    from exactsched.runs.finite_run import run_within as run_within
    from exactsched.runs.pipelined import pipelined_broadcast as pipelined_broadcast
    from exactsched.runs.pipelined import pipelined_guarantee as pipelined_guarantee
    from exactsched.runs.pipelined import ratio_curve as ratio_curve
    from exactsched.runs.sized_allgather import allgather_curve as allgather_curve
    from exactsched.runs.sized_allgather import sized_allgather as sized_allgather
    from exactsched.runs.sized_combination import sized_allreduce as sized_allreduce
    from exactsched.runs.sized_combination import sized_reduce as sized_reduce
    from exactsched.runs.sized_combination import sized_reduce_scatter as sized_reduce_scatter
    from exactsched.simulation import simulate as simulate
    from exactsched.simulation.logp import simulate_logp as simulate_logp
    from exactsched.simulation.synchronous import simulate_rounds as simulate_rounds
    from exactsched.steady_state.advice import advise as advise
    from exactsched.steady_state.allgather_any_ports import allgather as allgather
    from exactsched.steady_state.alltoall import alltoall as alltoall
    from exactsched.steady_state.alltoall import gather as gather
    from exactsched.steady_state.alltoall import scatter as scatter
    from exactsched.steady_state.broadcast import broadcast as broadcast
    from exactsched.steady_state.combination import order_free_allreduce as order_free_allreduce
    from exactsched.steady_state.combination import order_free_reduce as order_free_reduce
    from exactsched.steady_state.combination import reduce_scatter as reduce_scatter
    from exactsched.steady_state.extract_trees import extract_trees as extract_trees
    from exactsched.steady_state.fixed_period import best_for_period as best_for_period
    from exactsched.steady_state.fixed_period import most_operations as most_operations
    from exactsched.steady_state.fixed_period import with_period as with_period
    from exactsched.steady_state.fixed_period import within_period as within_period
    from exactsched.steady_state.hamiltonian import grid_cycle as grid_cycle
    from exactsched.steady_state.hamiltonian import hamiltonian_optimum as hamiltonian_optimum
    from exactsched.steady_state.hamiltonian_search import hamiltonian_line as hamiltonian_line
    from exactsched.steady_state.in_network import in_network_allreduce as in_network_allreduce
    from exactsched.steady_state.mix import mix as mix
    from exactsched.steady_state.prefix import allreduce as allreduce
    from exactsched.steady_state.prefix import prefix as prefix
    from exactsched.steady_state.reduce import reduce as reduce
    from exactsched.steady_state.reduction_program import optimal_rates as optimal_rates
    from exactsched.steady_state.reduction_tree import (
        cheapest_reduction_tree as cheapest_reduction_tree,
    )
    from exactsched.steady_state.reduction_tree import tree_text as tree_text
    from exactsched.steady_state.restricted.best_dag import broadcast_dag as broadcast_dag
    from exactsched.steady_state.restricted.best_tree import broadcast_tree as broadcast_tree
    from exactsched.steady_state.solution import Solution as Solution
    from exactsched.synchronous.graph import synchronous_graph as synchronous_graph
    from exactsched.synchronous.saturation import broadcast_in_rounds as broadcast_in_rounds

__version__ = "0.2.0"

# Public name -> its module, loaded when the name is first used (PEP 562): `import exactsched`
# stays cheap, and `import exactsched.check` loads no solver.
_HOME = {
    "Allgather": "model.problem",
    "Arc": "model.platform",
    "Block": "model.parts",
    "Broadcast": "model.problem",
    "Combination": "model.problem",
    "Demand": "model.parts",
    "FiniteRun": "runs.finite_run",
    "Alltoall": "model.problem",
    "InvalidInput": "exact.errors",
    "LogP": "model.machine",
    "Malformed": "exact.errors",
    "MultiPort": "model.machine",
    "Platform": "model.platform",
    "Reduction": "model.problem",
    "Rejected": "exact.errors",
    "Shard": "model.parts",
    "Solution": "steady_state.solution",
    "acyclic_overlay": "overlay.sequential",
    "advise": "steady_state.advice",
    "allgather": "steady_state.allgather_any_ports",
    "allgather_curve": "runs.sized_allgather",
    "allreduce": "steady_state.prefix",
    "augmented_overlay": "overlay.augmented",
    "best_for_period": "steady_state.fixed_period",
    "broadcast": "steady_state.broadcast",
    "broadcast_dag": "steady_state.restricted.best_dag",
    "broadcast_in_rounds": "synchronous.saturation",
    "broadcast_items": "logp.items",
    "broadcast_tree": "steady_state.restricted.best_tree",
    "built_in": "platforms.built_in",
    "cheapest_reduction_tree": "steady_state.reduction_tree",
    "color_edges": "graphs.edge_coloring",
    "color_fractionally": "graphs.fractional_edge_coloring",
    "continuous_broadcast": "logp.continuous",
    "decompose_into_arborescences": "graphs.arborescence_decomposition",
    "decompose_into_few_matchings": "graphs.matching_decomposition",
    "decompose_into_matchings": "graphs.matching_decomposition",
    "disjoint_arborescences": "graphs.branching_packing",
    "draw": "drawing",
    "exactly": "exact.rational",
    "extract_trees": "steady_state.extract_trees",
    "from_networkx": "platforms.files",
    "alltoall": "steady_state.alltoall",
    "gather": "steady_state.alltoall",
    "grid_cycle": "steady_state.hamiltonian",
    "hamiltonian_line": "steady_state.hamiltonian_search",
    "hamiltonian_optimum": "steady_state.hamiltonian",
    "in_network_allreduce": "steady_state.in_network",
    "linear_program": "linear_programs.linear_program",
    "load_platform": "platforms.files",
    "makespan_guarantee": "runs.finite_run",
    "maximize": "linear_programs.linear_program",
    "maximum_flow": "graphs.flow",
    "minimum_cost_arborescence": "graphs.minimum_cost_arborescence",
    "minimum_root_cut": "graphs.root_cut",
    "mix": "steady_state.mix",
    "most_operations": "steady_state.fixed_period",
    "optimal_overlay": "overlay.exact",
    "optimal_rates": "steady_state.reduction_program",
    "pack_branchings": "graphs.branching_packing",
    "pack_concurrently": "graphs.branching_packing",
    "pipelined_broadcast": "runs.pipelined",
    "pipelined_guarantee": "runs.pipelined",
    "prefix": "steady_state.prefix",
    "ratio_curve": "runs.pipelined",
    "read": "certificate",
    "read_certificate": "certificate",
    "order_free_allreduce": "steady_state.combination",
    "order_free_reduce": "steady_state.combination",
    "reduce_scatter": "steady_state.combination",
    "read_linear_program": "linear_programs.files.reader",
    "read_machine": "platforms.machine_files",
    "read_platform": "platforms.files",
    "reduce": "steady_state.reduce",
    "run_operations": "runs.finite_run",
    "run_within": "runs.finite_run",
    "scatter": "steady_state.alltoall",
    "simulate": "simulation",
    "simulate_logp": "simulation.logp",
    "simulate_rounds": "simulation.synchronous",
    "sized_allgather": "runs.sized_allgather",
    "sized_allreduce": "runs.sized_combination",
    "sized_reduce": "runs.sized_combination",
    "sized_reduce_scatter": "runs.sized_combination",
    "solve_stated": "linear_programs.stated_program",
    "split_off": "graphs.splitting_off",
    "stated_program": "linear_programs.stated_program",
    "synchronous_graph": "synchronous.graph",
    "to_networkx": "platforms.files",
    "tree_text": "steady_state.reduction_tree",
    "unconstrained_overlay": "overlay.augmented",
    "verify": "campaign",
    "with_period": "steady_state.fixed_period",
    "within_period": "steady_state.fixed_period",
    "write_certificate": "certificate",
    "write_machine": "platforms.machine_files",
    "write_platform": "platforms.files",
}

__all__ = ["__version__", "check", "export", *_HOME]


def __getattr__(name: str) -> object:
    if name in ("check", "export"):
        # A subpackage that is callable: both `exactsched.check(...)` and `import exactsched.check`.
        return import_module(f"exactsched.{name}")
    if name in _HOME:
        return getattr(import_module(f"exactsched.{_HOME[name]}"), name)
    raise AttributeError(f"module 'exactsched' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
