"""Paths that are taken only when something fails or ends early: which test executes each of them.

`PATHS` has a row for every one: the function, what breaks the path, and a test that fails when it
is broken.  The tests here break every path and look.  Every ``except`` of a solver has a row.  The
splits of the branch and bound for the best tree and the best DAG are all executed by
test_restricted.py of tests/steady_state.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyscipopt
import pytest

import exactsched
from exactsched.graphs import arborescence_peeling, flow
from exactsched.graphs.fractional_edge_coloring import _Decomposer
from exactsched.graphs.gabow_kariv import insert_all
from exactsched.linear_programs import basis_refinement, linear_program
from exactsched.linear_programs.basis_refinement import FloatProgram, refined
from exactsched.linear_programs.column_generation import (
    _exact_rounds,
    _float_rounds,
    pack_structures,
)
from exactsched.linear_programs.files.mps import parse_mps
from exactsched.linear_programs.files.reader import read_linear_program
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.linear_programs.simplex import simplex
from exactsched.linear_programs.sparse_solve import DenseMatrix
from exactsched.linear_programs.structure_program import StructureProgram
from exactsched.linear_programs.tableau import tableau_bases
from exactsched.logp.endgame_coloring import ColoringSearch
from exactsched.logp.items import broadcast_items
from exactsched.model.machine import MultiPort
from exactsched.overlay import exact as overlay_search
from exactsched.overlay import partition, shares
from exactsched.overlay.case_program import CaseProgram
from exactsched.overlay.cases import _Search as CaseSearch
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.within_degrees import overlay_within_degrees
from exactsched.platforms.built_in import built_in, ring
from exactsched.platforms.papers import legrand_fig1
from exactsched.runs.finite_run import _unrestricted
from exactsched.steady_state import (
    hamiltonian_search,
    shared_flow_bound,
    structure_counts,
    task_packing,
)
from exactsched.steady_state.allgather import solve_allgather
from exactsched.steady_state.arc_rates import ArcRates
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.combination import solve_combination, two_phase_throughput
from exactsched.steady_state.fixed_period import with_period
from exactsched.steady_state.hamiltonian_search import hamiltonian_line
from exactsched.steady_state.odd_sets import OddSets, overfull_odd_sets
from exactsched.steady_state.restricted import best_tree
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.synchronous.saturation import _Search as Saturating
from tests.campaign.planted import Bug, plain, planted
from tests.graphs import (
    test_arborescence_peeling,
    test_flow,
    test_fractional_edge_coloring,
    test_gabow_kariv,
)
from tests.linear_programs import (
    test_basis_refinement,
    test_column_generation,
    test_linear_program,
    test_master_program,
    test_program_files,
    test_sparse_solve,
    test_tableau,
)
from tests.linear_programs.wrong_floats import silent
from tests.logp import test_endgame_coloring, test_items
from tests.overlay import test_cases, test_exact
from tests.overlay import test_partition as test_partitions
from tests.runs import test_finite_run
from tests.steady_state import (
    test_arc_rates,
    test_ended_early,
    test_fixed_period,
    test_half_duplex,
    test_hamiltonian,
    test_prefix,
)
from tests.synchronous import test_saturation

SOLVERS = ("graphs", "linear_programs", "steady_state", "runs", "logp", "overlay", "synchronous")
PACKAGE = Path(str(exactsched.__file__)).parent


# Tests of paths that had none ---------------------------------------------------------------------


class Fails(pyscipopt.Model):  # type: ignore[misc]
    """SCIP in numerical trouble."""

    def optimize(self) -> None:
        raise Exception("SCIP: error in LP solver!")


class FindsNothing(pyscipopt.Model):  # type: ignore[misc]
    def optimize(self) -> None:
        pass


class FailsAsProgram:
    """The linear programs of SCIP in numerical trouble."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._inner = test_master_program.TRUTHFUL(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def solve(self, **_: Any) -> float:
        raise Exception("SCIP: error in LP solver!")


@pytest.mark.parametrize("solver", [Fails, FindsNothing])
def test_periods_without_a_proposal(solver: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole numbers by rounding alone take longer, and are whole numbers all the same."""
    found = test_fixed_period.two_ways()
    loads = structure_counts.StructureLoads(found.problem, found.structures)
    assert loads.least_time(4) == (2, 2)
    monkeypatch.setattr(pyscipopt, "Model", solver)
    assert loads.least_time(4) == (4, 0)
    assert loads.most_operations(2, 4) == (2, 2)  # rounded down, and filled
    exactsched.check(with_period(found, 7).certificate())


@pytest.mark.parametrize("solver", [Fails, FindsNothing])
def test_the_best_tree_without_a_proposal(solver: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyscipopt, "Model", solver)
    found = broadcast_tree(legrand_fig1(), "Ps")
    assert exactsched.check(found.certificate()).optimal
    assert found.throughput == Fraction(2, 3)


def test_no_proof_by_cases_without_linear_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is found, and nothing false; the overlay keeps the bound by counting."""
    machine = MultiPort([2, 2, 1, 1], [1, 1, 1, 1])
    assert prove_by_cases(machine, 1) is not None
    monkeypatch.setattr(pyscipopt, "LP", FailsAsProgram)
    assert prove_by_cases(machine, 1) is None


def test_cycles_without_a_line_are_packed() -> None:
    assert hamiltonian_line(ring(6), 0) is not None
    star = broadcast(built_in("star:70"), 0, ports="half-duplex")
    assert (star.throughput, star.optimal) == (Fraction(1, 70), True)


def test_a_limited_search_for_colorings_ends() -> None:
    arcs = test_endgame_coloring.arcs_of(1, 2, range(1, 3), 1)
    assert list(ColoringSearch(1, 3, 2, [arcs], [1, 2], 1, 0).found()) == []


def test_service_in_turn_is_taken_at_a_limit() -> None:
    """Where the search may not even begin, it is better here than all arcs constructed before."""
    machine = MultiPort([17, 2, 9, 17, 16, 13, 10], [2, 2, 3, 1, 3, 1, 2])
    overlay = overlay_search.optimal_overlay(machine, node_limit=0, time_limit=0)
    assert overlay.throughput >= overlay_within_degrees(machine).throughput > 10


def test_arcs_with_a_cycle_are_not_acyclic() -> None:
    assert shares.is_acyclic([(0, 1), (1, 2), (0, 2)])
    assert not shares.is_acyclic([(0, 1), (1, 2), (2, 1)])


def test_a_packing_without_floats_has_no_float_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PackingProgram, "propose", silent)
    loads = [[[2, 0, 1], [0, 3, 1], [1, 1, 1]]]
    packing = pack_structures(test_column_generation.Listed(loads), [5, 7, 11])
    assert packing.value == test_column_generation.optimum_by_definition((loads, [5, 7, 11]))


def test_loads_too_far_apart() -> None:
    """One structure on each of two machines; the second is a unit of work on a huge machine."""
    loads = [[[10**400, 0], [0, 1]]]
    packing = pack_structures(test_column_generation.Listed(loads), [1, 10**400])
    assert packing.value == Fraction(1, 10**400) + 10**400


# The table ---------------------------------------------------------------------------------------


class Fallback(NamedTuple):
    """When the path is taken, where it is, what breaks it, and a test that fails then."""

    when: str
    function: Any
    right: str
    wrong: str
    test: Callable[[], object]


def with_solver(solver: Any, test: Callable[..., object], **options: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        solver.dice = random.Random(solver.__name__)
        patch.setattr(pyscipopt, "LP", solver)
        test(**options)


def lying(name: str) -> Callable[[], object]:
    """The optimum of a packing is exact whatever this float solver does."""
    liar = getattr(test_master_program, name)
    test = test_master_program.test_whatever_the_floats_do_the_answer_is_exact
    return partial(with_solver, liar, test, liar=liar)


def patched(test: Callable[..., object], **options: Any) -> Callable[[], object]:
    """A test that takes `monkeypatch`."""

    def run() -> None:
        with pytest.MonkeyPatch.context() as patch:
            test(monkeypatch=patch, **options)

    return run


PATHS = [
    # Floats that fail, in linear programs.
    Fallback(
        "the master program is beyond floats, or SCIP raises",
        PackingProgram.propose,
        "A._float = None\nreturn None",
        "raise",
        lying("Raises"),
    ),
    Fallback(
        "SCIP gives up on the master program",
        PackingProgram.propose,
        "not A.isOptimal()",
        "A.isOptimal()",
        test_master_program.test_the_float_proposal_is_close_to_the_optimum,
    ),
    Fallback(
        "SCIP has no basis of the master program",
        PackingProgram._float_basis,
        "Exception",
        "ValueError",
        lying("HasNoBasis"),
    ),
    Fallback(
        "the float basis is not optimal",
        PackingProgram.solve,
        "A is None or not A.is_optimal",
        "A is None",
        lying("HasARandomBasis"),
    ),
    Fallback(
        "refinement finds no optimum: the exact simplex method",
        PackingProgram.solve,
        "simplex(A)",
        "A",
        lying("GivesUp"),
    ),
    Fallback(
        "the gain is unbounded",
        PackingProgram.solve,
        "isinstance(A, Ray)",
        "False",
        test_master_program.test_unbounded_gain_is_refused,
    ),
    Fallback(
        "a row joins: the last optimum is no start",
        PackingProgram.add_row,
        "A._basis = Basis()",
        "pass",
        patched(test_master_program.test_the_last_optimum_may_be_too_much_for_a_row_that_joins),
    ),
    Fallback(
        "largest gains take too many turns: Bland's rule",
        simplex,
        "patience > 0",
        "True",
        patched(
            test_master_program.test_the_fallback_ends_where_largest_gains_take_exponentially_many_turns
        ),
    ),
    Fallback(
        "SCIP raises in a refinement",
        FloatProgram.propose,
        "Exception",
        "ValueError",
        lying("Raises"),
    ),
    Fallback(
        "SCIP finds no optimum in a refinement",
        FloatProgram.propose,
        "not A.isOptimal()",
        "False",
        test_basis_refinement.test_nothing_is_proposed_without_an_optimum,
    ),
    Fallback(
        "SCIP has no basis in a refinement, and does not complain",
        FloatProgram.propose,
        "len(A) != B + len(C)",
        "False",
        lying("HasAnEmptyBasis"),
    ),
    Fallback(
        "one of the numbers of a refinement is beyond floats",
        basis_refinement._floats,
        "OverflowError",
        "ValueError",
        test_basis_refinement.test_floats_of_numbers_beyond_floats,
    ),
    Fallback(
        "a number of a refinement is beyond floats",
        basis_refinement._float,
        "inf if A > 0 else -inf",
        "0.0",
        test_basis_refinement.test_floats_of_numbers_beyond_floats,
    ),
    Fallback(
        "refinement stands still, or takes too many rounds",
        refined,
        "A and B.basis == C.basis",
        "False",
        patched(
            test_basis_refinement.test_refinement_stops_where_it_stands_still_and_after_so_many_rounds
        ),
    ),
    Fallback(
        "a quotient of a tableau is beyond floats",
        tableau_bases,
        "OverflowError",
        "ValueError",
        test_tableau.test_what_is_not_for_a_tableau,
    ),
    Fallback(
        "floats do not see that a program is infeasible",
        linear_program._feasible,
        "if not A.is_optimal:\n    ...",
        "pass",
        patched(
            test_linear_program.test_corner_cases,
            name="two equalities that differ",
            method="neither",
        ),
    ),
    Fallback(
        "floats see no ray",
        linear_program.maximize,
        "isinstance(A, Ray)",
        "False",
        patched(test_linear_program.test_corner_cases, name="a gain of 10^-40", method="neither"),
    ),
    Fallback(
        "a matrix is singular modulo the prime",
        DenseMatrix.is_nonsingular,
        "A or B",
        "A",
        test_sparse_solve.test_what_is_singular_modulo_the_prime_alone_is_not_singular,
    ),
    # Column generation.
    Fallback(
        "there are no float prices",
        _float_rounds,
        "A is None or not 0 < sum(B) < inf",
        "not 0 < sum(B) < inf",
        patched(test_a_packing_without_floats_has_no_float_rounds),
    ),
    Fallback(
        "float prices were not good enough: exact rounds",
        _exact_rounds,
        "A >= B",
        "True",
        patched(test_a_packing_without_floats_has_no_float_rounds),
    ),
    Fallback(
        "loads are too far apart for floats",
        StructureProgram.costs,
        "OverflowError",
        "ValueError",
        test_loads_too_far_apart,
    ),
    Fallback(
        "a pricing contradicts itself",
        _exact_rounds,
        "ArithmeticError('a pricing disagrees with its own loads')",
        "ValueError",
        test_column_generation.test_a_pricing_that_contradicts_itself_is_refused,
    ),
    Fallback(
        "a reduction tree's times are too far apart for floats",
        task_packing.quotient,
        "OverflowError",
        "ValueError",
        partial(test_fixed_period.test_prices_and_costs_may_be_beyond_floats, Fraction(10**400)),
    ),
    Fallback(
        "float rounds of a prefix take too long: rounded prices",
        shared_flow_bound._float_rounds,
        "A > WORK and B is not None",
        "False",
        partial(
            patched(
                test_prefix.test_the_tightest_goal_is_kept_where_rounded_prices_are_worse,
                grid=6,
                bound=Fraction(1),
            )
        ),
    ),
    # Cutting planes and proposals in the steady state.
    Fallback(
        "floats find no rates, or nonsense: exact rounds",
        ArcRates.solve,
        "not 0 < A < inf",
        "False",
        partial(test_arc_rates.test_wrong_floats_change_nothing, "zeros"),
    ),
    Fallback(
        "floats have not seen all sets",
        ArcRates._separate,
        "sum(A for B in C) > 0",
        "False",
        test_arc_rates.test_odd_sets_join_the_rates,
    ),
    Fallback(
        "the search is ended while rates are looked for: the trees met so far",
        pack_structures,
        "B is not None",
        "True",
        patched(test_arc_rates.test_where_columns_take_long_rates_go_on),
    ),
    Fallback(
        "a packing overworks odd sets",
        OddSets.overworked,
        "return [A for B in C]",
        "return []",
        test_half_duplex.test_odd_sets_are_resources_of_the_arcs_inside,
    ),
    Fallback(
        "a graph is bipartite: no odd set is looked for",
        overfull_odd_sets,
        "bipartition(A, B) is not None",
        "bipartition(A, B) is None",
        test_half_duplex.test_overfull_odd_sets_are_found_if_there_are_any,
    ),
    Fallback(
        "SCIP raises on whole numbers for a period",
        structure_counts._proposed,
        "Exception",
        "ValueError",
        patched(test_periods_without_a_proposal, solver=Fails),
    ),
    Fallback(
        "SCIP raises on a tree",
        best_tree._proposed_trees,
        "Exception",
        "ValueError",
        patched(test_the_best_tree_without_a_proposal, solver=Fails),
    ),
    Fallback(
        "no Hamiltonian line is found: the packing",
        hamiltonian_search._line,
        "while A:\n    ...\nreturn None",
        "while A:\n    ...\nraise ValueError",
        patched(test_hamiltonian.test_the_search_gives_up),
    ),
    # Kernels.
    Fallback(
        "so much is peeled off that a node is out of reach: a look",
        arborescence_peeling._Peeling._peeled,
        "InvalidInput",
        "KeyError",
        patched(test_arborescence_peeling.test_blind_trees_are_given_back, patience=100),
    ),
    Fallback(
        "no tree can be peeled off: Lovász's method",
        arborescence_peeling._Peeling.trees,
        "not A._peeled()",
        "A._peeled() is None",
        patched(test_arborescence_peeling.test_blind_trees_are_given_back, patience=1),
    ),
    Fallback(
        "too many mistakes of a fractional coloring: minimum odd cuts",
        _Decomposer.decompose,
        "A.mistakes_left -= 1",
        "pass",
        test_fractional_edge_coloring.test_mistakes_are_counted,
    ),
    Fallback(
        "single insertions take too long: many at once",
        insert_all,
        "B and A.steps < C",
        "B",
        patched(test_gabow_kariv.test_many_at_once_where_paths_are_long),
    ),
    # Finite runs.
    Fallback(
        "a run needs a bound for all schedules",
        _unrestricted,
        "isinstance(A, CutBound)",
        "True",
        partial(
            test_finite_run.test_restricted_solutions_run_with_an_unrestricted_bound,
            broadcast_tree,
        ),
    ),
    # Limits of searches.
    Fallback(
        "the work of a search for colorings is at its limit",
        ColoringSearch._extended,
        "A.work > A._limit",
        "False",
        test_a_limited_search_for_colorings_ends,
    ),
    Fallback(
        "a search for the items of LogP is told to end",
        broadcast_items,
        "EnoughError",
        "ValueError",
        test_items.test_a_search_ends_when_it_is_told_to,
    ),
    Fallback(
        "a search for the trees of an allgather is told to end",
        solve_allgather,
        "EnoughError",
        "ValueError",
        partial(test_ended_early.test_an_allgather_that_ends_whenever_it_asks, {}),
    ),
    Fallback(
        "a search for an all-reduce under link ports is told to end",
        solve_combination,
        "EnoughError",
        "ValueError",
        test_ended_early.test_an_allreduce_through_switches_that_ends_whenever_it_asks,
    ),
    Fallback(
        "a search for the rate of two phases is told to end",
        two_phase_throughput,
        "EnoughError",
        "ValueError",
        test_ended_early.test_an_allreduce_through_switches_that_ends_whenever_it_asks,
    ),
    Fallback(
        "a float optimum is told to end",
        StructureProgram.propose,
        "EnoughError",
        "ValueError",
        partial(test_ended_early.test_an_alltoall_that_ends_within_a_round, 6),
    ),
    Fallback(
        "an exact optimum is told to end",
        StructureProgram.optimum,
        "EnoughError",
        "ValueError",
        test_ended_early.test_an_exact_optimum_that_ends_at_a_pause,
    ),
    Fallback(
        "a search for overlays is late",
        overlay_search._Search._done,
        "monotonic() > A",
        "False",
        partial(test_exact.test_at_a_limit_both_ends_are_proved, {"seconds": 0}),
    ),
    Fallback(
        "a search for overlays ends at a limit: service in turn",
        overlay_search._Search.settle_for_service_in_turn,
        "A.throughput > B.throughput",
        "False",
        test_service_in_turn_is_taken_at_a_limit,
    ),
    Fallback(
        "a proof by cases has too many",
        CaseSearch.proof,
        "count > A",
        "False",
        test_cases.test_limits,
    ),
    Fallback(
        "a proof by cases is late",
        CaseSearch.proof,
        "monotonic() > A",
        "False",
        test_cases.test_limits,
    ),
    Fallback(
        "one relaxation proves nothing: the next",
        prove_by_cases,
        "(_NoProofError, UnsolvedError)",
        "_NoProofError",
        patched(test_no_proof_by_cases_without_linear_programs),
    ),
    Fallback(
        "SCIP raises on a case",
        CaseProgram._solved,
        "Exception",
        "ValueError",
        patched(test_no_proof_by_cases_without_linear_programs),
    ),
    Fallback(
        "retries of a run in rounds are late",
        Saturating.in_time,
        "monotonic() < A",
        "True",
        test_saturation.test_a_limit_in_time_ends_retries_only,
    ),
    # What is refused, or has a cycle.
    Fallback(
        "igraph is not installed",
        flow._proposed,
        "raise InvalidInput('proposed_by', 'no igraph', A) from None",
        "raise",
        patched(test_flow.test_without_igraph),
    ),
    Fallback(
        "floats do not hold the capacities of a flow",
        flow._proposed,
        "MOST_IN_A_FLOAT",
        "10 ** 1000",
        test_flow.test_floats_do_not_hold_the_numbers,
    ),
    Fallback(
        "a machine is not one of three-partition",
        partition._numbers_of,
        "raise InvalidInput('machine', A, B) from None",
        "pass",
        partial(test_partitions.test_other_machines_are_refused, MultiPort([1] * 5, [1] * 5)),
    ),
    Fallback(
        "an MPS file is not in free form",
        parse_mps,
        "_Reader(fixed=True)",
        "_Reader(fixed=False)",
        test_program_files.test_fixed_form_has_blanks_in_names,
    ),
    Fallback(
        "a file of a linear program breaks a rule",
        read_linear_program,
        "error.place",
        "error.rule",
        test_program_files.test_a_refusal_names_the_file_and_the_line,
    ),
    Fallback(
        "arcs have a cycle",
        shares.is_acyclic,
        "return False",
        "return True",
        test_arcs_with_a_cycle_are_not_acyclic,
    ),
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.when)
def test_a_broken_path_is_noticed(path: Fallback) -> None:
    bug = Bug("", path.function, path.right, path.wrong)
    with planted(bug), pytest.raises((Exception, pytest.fail.Exception)):
        path.test()


def test_every_except_of_a_solver_is_in_the_table() -> None:
    """By module and function: a handler is a path that hardly any input takes."""
    known = {(plain(path.function).__module__, plain(path.function).__name__) for path in PATHS}
    found = set()
    for layer in SOLVERS:
        for file in sorted((PACKAGE / layer).rglob("*.py")):
            module = ".".join(("exactsched", *file.relative_to(PACKAGE).with_suffix("").parts))
            for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef):
                    handlers = [x for x in ast.walk(function) if isinstance(x, ast.ExceptHandler)]
                    found |= {(module, function.name) for _ in handlers}
    assert found - known == set()
