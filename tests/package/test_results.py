"""Every result: its exact scalars are Fractions, and it can be shown whatever its numbers are."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import exactsched
from exactsched import LogP, MultiPort, Platform, check, draw
from exactsched.certificate import parse, read, write_certificate
from exactsched.certificate.result import Result
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.graphs.branching_packing import pack_branchings, pack_concurrently
from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.fractional_edge_coloring import color_fractionally
from exactsched.graphs.matching_decomposition import (
    decompose_into_few_matchings,
    decompose_into_matchings,
)
from exactsched.graphs.minimum_cost_arborescence import minimum_cost_arborescence
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.graphs.splitting_off import split_off
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.logp.allgather_and_alltoall import allgather
from exactsched.logp.allreduce import allreduce as logp_allreduce
from exactsched.logp.broadcast import broadcast as logp_broadcast
from exactsched.logp.continuous import continuous_broadcast
from exactsched.logp.summation import summation_of
from exactsched.overlay.augmented import augmented_overlay
from exactsched.overlay.exact import optimal_overlay
from exactsched.overlay.rate import best_rates
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.tree import best_tree
from exactsched.runs.finite_run import run_operations
from exactsched.runs.pipelined import pipelined_broadcast, ratio_curve
from exactsched.simulation import simulate
from exactsched.simulation.logp import simulate_logp
from exactsched.simulation.peers import decentralized
from exactsched.steady_state.allgather_any_ports import allgather as fabric_allgather
from exactsched.steady_state.alltoall import scatter
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.combination import order_free_reduce
from exactsched.steady_state.prefix import allreduce
from exactsched.steady_state.reduce import reduce
from exactsched.steady_state.reduction_tree import cheapest_reduction_tree

ARCS = [(0, 1), (1, 2), (0, 2)]
PAIR = [(0, 1), (1, 0)]


def line(unit: int) -> Platform:
    return Platform("abc", [("a", "b", unit), ("b", "c", unit), ("b", "a", unit), ("c", "b", unit)])


def late(unit: int) -> Platform:
    return Platform("ab", [("a", "b", 1, unit)])


# By name: the result for a positive whole number that all capacities, costs or times are made of.
RESULTS: dict[str, Callable[[int], Any]] = {
    "broadcast": lambda unit: broadcast(line(unit), "a"),
    "scatter": lambda unit: scatter(line(unit), "a", "bc"),
    "gathered": lambda unit: fabric_allgather(line(unit), "ac"),
    "reduce": lambda unit: reduce(line(unit), "abc", "a", compute=unit),
    "run": lambda unit: run_operations(broadcast(line(unit), "a"), 3),
    "pipelined": lambda unit: pipelined_broadcast(late(unit), "a", unit),
    "ratio": lambda unit: ratio_curve(late(unit), "a", [unit])[0],
    "simulation": lambda unit: simulate(broadcast(line(unit), "a").certificate(), 3),
    "flow": lambda unit: maximum_flow(3, 0, 2, ARCS, [unit] * 3),
    "root cut": lambda unit: minimum_root_cut(3, 0, ARCS, [unit] * 3),
    "branchings": lambda unit: pack_branchings(3, ARCS, [unit] * 3, [([0], unit)]),
    "no branchings": lambda unit: pack_branchings(3, ARCS, [unit] * 3, [([0], 3 * unit)]),
    "links": lambda unit: split_off(3, ARCS, [unit] * 3, [1], [unit, 0, 0]),
    "concurrent": lambda unit: pack_concurrently(3, ARCS, [unit] * 3, [([0], 1)]),
    "arborescences": lambda unit: decompose_into_arborescences(3, 0, ARCS, [unit] * 3),
    "arborescence": lambda unit: minimum_cost_arborescence(3, 0, ARCS, [unit] * 3),
    "edge coloring": lambda unit: color_edges(PAIR, [unit, unit]),
    "matchings": lambda unit: decompose_into_matchings(PAIR, [unit, unit]),
    "few matchings": lambda unit: decompose_into_few_matchings(PAIR, [unit, unit]),
    "fractional": lambda unit: color_fractionally(3, ARCS, [unit] * 3),
    "optimum": lambda unit: maximize(linear_program([unit], [[1]], [1])),
    "reduction tree": lambda unit: cheapest_reduction_tree(2, PAIR, [unit] * 2, [0, 1], 1, [1, 1]),
    "logp broadcast": lambda unit: logp_broadcast(LogP(unit, 0, 1, 3)),
    "logp allgather": lambda unit: allgather(LogP(unit, 0, 1, 3)),
    "logp simulation": lambda unit: simulate_logp(logp_broadcast(LogP(unit, 0, 1, 3))),
    "overlay": lambda unit: optimal_overlay(MultiPort([unit, unit], [1, 1])),
    "augmented": lambda unit: augmented_overlay(MultiPort([2 * unit, unit, unit], [2, 1, 1])),
    "acyclic": lambda unit: acyclic_overlay(MultiPort([2 * unit, unit, unit], [2, 1, 1])),
    "tree": lambda unit: best_tree(MultiPort([2 * unit, unit, unit], [2, 1, 1])),
    "nothing": lambda unit: acyclic_overlay(MultiPort([0, unit], [1, 1])),
    "rates": lambda unit: best_rates(MultiPort([unit, unit], [1, 1]), [(0, 1)]),
    "no rates": lambda unit: best_rates(MultiPort([unit, unit], [1, 1]), []),
    "peers": lambda unit: decentralized(augmented_overlay(MultiPort([unit, 0], [1, 1])), 10),
}
# Of these the numbers are counts, or they may not be long.
SHORT: dict[str, Callable[[], Any]] = {
    "allreduce": lambda: allreduce(line(1), "ab", compute=1),
    "logp allreduce": lambda: logp_allreduce(LogP(1, 0, 1, 3)),
    "summation": lambda: summation_of(LogP(1, 0, 1, 3), 5),
    "continuous": lambda: continuous_broadcast(3, 10),
}
SCALARS = (
    *("throughput", "bound", "makespan", "value", "time", "period", "tick", "cost", "rate"),
    *("entering", "needed", "makespan_constant", "ratio", "size", "limit", "latest"),
)
# Whole numbers by definition: steps of the postal model, units of starts, numbers of nodes.
COUNTS = {("LogPCycles", "time"), ("LogPCycles", "bound"), ("ProvedLogP", "count")}
UNITS = {"LogPSchedule", "LogPRounds"}
NO_CERTIFICATE = {
    *("ratio", "simulation", "reduction tree", "logp simulation", "rates", "no rates", "peers")
}


def scalars(result: object) -> dict[str, object]:
    kind = type(result).__name__
    found = {name: getattr(result, name) for name in SCALARS if hasattr(result, name)}
    if not kind.startswith(("Ratio",)):
        found.pop("size", None)
    if kind in UNITS:
        del found["tick"]
    return {name: value for name, value in found.items() if (kind, name) not in COUNTS}


def certificate(result: Any) -> Any:
    return result.certificate()


@pytest.mark.parametrize("name", [*RESULTS, *SHORT])
def test_exact_scalars_are_fractions(name: str) -> None:
    """Whole or not: as solved, as read from a document, and as proved."""
    result = RESULTS[name](1) if name in RESULTS else SHORT[name]()
    shown = [result]
    if name not in NO_CERTIFICATE:
        shown += [parse(certificate(result)), check(certificate(result))]
    for one in shown:
        assert scalars(one) or name in ("branchings", "links", "edge coloring", "continuous")
        for member, value in scalars(one).items():
            if value is not None:
                assert type(value) is Fraction, (type(one).__name__, member, value)
    if name not in NO_CERTIFICATE and type(shown[-1]).__name__ == "ProvedMinMax":
        assert type(shown[-1].value) is Fraction or name == "no branchings"


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("unit", [10**5000, 10**5000 + 7], ids=["power", "odd"])
def test_results_with_long_numbers_can_be_shown(name: str, unit: int) -> None:
    result = RESULTS[name](unit)
    shown = [result]
    if name not in NO_CERTIFICATE:
        document = certificate(result)
        shown += [parse(document), check(document)]
    for one in shown:
        assert len(repr(one)) < 10_000
        assert len(str(one)) < 10_000
    plain = RESULTS[name](1)
    assert repr(plain).startswith(f"{type(plain).__name__}(")
    assert "digits>" not in repr(plain)


@pytest.mark.parametrize("error", [InvalidInput, Malformed, Rejected])
def test_errors_about_long_numbers_can_be_shown(error: type[Exception]) -> None:
    for value in (10**5000, Fraction(1, 10**5000), [10**5000], {"a": (10**5000,)}):
        said = error("place", value, "a rule")
        assert "place" in str(said)
        assert "a rule" in repr(said)
        assert len(repr(said)) < 200


PLAYED = [name for name in [*RESULTS, *SHORT] if name not in NO_CERTIFICATE]
THEOREMS = {
    *("flow", "root cut", "branchings", "no branchings", "links", "concurrent", "arborescences"),
    *("arborescence", "edge coloring", "matchings", "few matchings", "fractional", "optimum"),
}


@pytest.mark.parametrize("name", PLAYED)
def test_results_can_be_given_to_everything(name: str, tmp_path: Path) -> None:
    """As they are: what comes out is the same as for their documents."""
    result = RESULTS[name](2) if name in RESULTS else SHORT[name]()
    assert isinstance(result, Result)
    document = result.certificate()
    assert check(result) == check(document)
    write_certificate(result, tmp_path / "result.json")
    back = read(tmp_path / "result.json")
    assert back == parse(document)
    assert str(back) == str(result)
    picture = draw(result)
    assert picture == draw(back) == draw(document) == result._repr_svg_() == picture._repr_svg_()
    ElementTree.fromstring(picture)
    draw(result, tmp_path / "result.html")
    assert str(result) in unescape(result._repr_html_())
    if name == "nothing":
        with pytest.raises(Rejected, match="nothing is sent"):
            simulate(result)
    elif name in THEOREMS:
        with pytest.raises(Malformed, match="a schedule in a series or a run only"):
            simulate(result)
    else:
        assert simulate(result) == simulate(back) == simulate(document)


def test_one_line_says_what_is_claimed() -> None:
    lines = {
        "broadcast": "throughput 1, optimal (broadcast from a, 3 nodes, 4 arcs, one-port)",
        "run": "makespan 4, >= 3 by the bound"
        " (broadcast from a, 3 nodes, 4 arcs, one-port, 3 operations)",
        "flow": "value 2, optimal (maximum flow, 3 nodes, 3 arcs)",
        "no branchings": "unmet demand, 3 nodes, 3 arcs",
        "optimum": "maximum 1, optimal (linear optimum, 1 variable, 1 row)",
        "edge coloring": "colors 1, optimal (edge coloring, 2 edges)",
        "logp broadcast": "time 2, optimal (broadcast, L=1, o=0, g=1, P=3)",
        "overlay": "throughput 1, optimal (overlay, 2 nodes, 1 arc)",
    }
    assert {name: str(RESULTS[name](1)) for name in lines} == lines


def test_a_notebook_shows_the_picture() -> None:
    flow = RESULTS["flow"](1)
    bundle = flow._repr_mimebundle_()
    assert bundle == {
        "text/plain": str(flow),
        "text/html": flow._repr_html_(),
        "image/svg+xml": flow._repr_svg_(),
    }
    assert list(flow._repr_mimebundle_(include={"text/plain"})) == ["text/plain"]
    assert "image/svg+xml" not in flow._repr_mimebundle_(exclude={"image/svg+xml"})


@pytest.mark.parametrize(
    "given",
    [
        line(1),
        Platform([0, "b"], [(0, "b", "2/3", 1)], {0: {"compute": "1/2"}}),
        Platform("abc", [("a", "b", 2, 0, [("up", 1), ("down", 2)])], switches="c"),
        Platform("abc", [("a", "b", 2)], switches="bc", reduces="c"),
        broadcast(line(1), "a").problem,
        scatter(line(1), "a", "bc").problem,
        fabric_allgather(line(1), "ac").problem,
        order_free_reduce(line(1), "a").problem,
        reduce(line(1), "abc", "a", compute=1).problem,
        scatter(line(1), "a", {"b": "1/3", "c": 2}).problem,
        LogP("5/2", 0, 1, 4),
        MultiPort(["5/2", 1], [1, 1], names=["a", "b"]),
    ],
    ids=lambda given: type(given).__name__,
)
def test_platforms_and_problems_can_be_pasted(given: object) -> None:
    names = {name: getattr(exactsched, name) for name in dir(exactsched) if name[0].isupper()}
    assert eval(repr(given), names) == given


@pytest.mark.parametrize("name", PLAYED)
def test_a_result_is_one_line_at_the_prompt(name: str) -> None:
    result = RESULTS[name](2) if name in RESULTS else SHORT[name]()
    for shown in (result, result.record(), check(result)):
        assert repr(shown) == f"{type(shown).__name__}({shown})"


def test_a_series_from_a_file_is_taken_where_its_solution_is(tmp_path: Path) -> None:
    solution = broadcast(line(1), "a")
    write_certificate(solution, tmp_path / "a.json")
    back = read(tmp_path / "a.json")
    assert run_operations(back, 3) == run_operations(solution, 3)
    assert exactsched.advise(back).rows == exactsched.advise(solution).rows
    fixed = exactsched.with_period(back, 3)
    assert fixed.structures == exactsched.with_period(solution, 3).structures
    assert check(fixed).bound == 1


def test_large_platforms_are_not_written_out() -> None:
    assert repr(exactsched.built_in("complete:20")) == "Platform(20 nodes, 380 arcs)"


@pytest.mark.parametrize(
    ("name", "why"),
    {
        "flow": "leave the set {0}, which capacity 2 leaves",
        "root cut": "capacity 1 enters every such set",
        "branchings": "weigh what it demands",
        "no branchings": "demand branchings of weight 3",
        "links": "a path through switches",
        "concurrent": "no larger multiple of the demands",
        "arborescences": "has to enter the set {1}, which capacity 1 enters",
        "arborescence": "so it costs 2 at least",
        "edge coloring": "edges at u0, 1 in number, needs a color of its own",
        "matchings": "The edges at u0 weigh 1 together",
        "fractional": "inside of {0, 1, 2}, and a matching has 1 edge there",
        "optimum": "no point that satisfies them has a larger value than 1",
    }.items(),
)
def test_pictures_of_theorems_say_why(name: str, why: str) -> None:
    result = RESULTS[name](1)
    said = " ".join(ElementTree.fromstring(draw(result, panel="why") or "").itertext())
    assert why in " ".join(said.split())
    title = " ".join(ElementTree.fromstring(draw(result) or "").itertext()).split()[0]
    assert title[0].isupper()


def test_pictures_of_programs_without_an_optimum_say_why() -> None:
    for rights, why in (([-1, -1], "no point satisfies all"), ([1, 1], "points that satisfy")):
        found = maximize([1, 0], [[1, 1], [-1, -1]], rights)
        said = " ".join(ElementTree.fromstring(draw(found, panel="why") or "").itertext())
        assert why in " ".join(said.split())


def test_possible_is_not_optimal() -> None:
    """An answer to a question of yes or no proves no optimum."""
    for name in ("branchings", "no branchings", "links"):
        assert check(RESULTS[name](1)).optimal is False
    infeasible = maximize(linear_program([1], [[1], [-1]], [1, -2]))
    unbounded = maximize(linear_program([1], [[-1]], [0]))
    assert check(infeasible).optimal is False
    assert check(unbounded).optimal is False
    for name in ("flow", "root cut", "concurrent", "edge coloring", "optimum"):
        assert check(RESULTS[name](1)).optimal is True
