"""What is promised of the figures on the page, and which promises are kept."""

from __future__ import annotations

import re
from typing import NamedTuple

from page import Figures, Table, lines


class Target(NamedTuple):
    """The column of the rows of the tables that match is at most, or at least, a number.

    `taking` leaves out rows that take fewer seconds.
    """

    says: str
    table: str
    rows: str = ""
    column: str = "seconds"
    most: float | None = None
    least: float | None = None
    taking: float = 0


# Where the checker is to be faster than whoever makes what it checks, however little that takes.
MADE = r"test_(logp|edge_coloring).*"
_FOUND = "test_broadcast.test_find_and_check"
_SSB = "test_against_ssb.test_in_floats"
_CYCLES = "test_half_duplex.test_cycles_instead_of_trees"

TARGETS = (
    Target("n=100, m=400 in 1 s", _FOUND, "^random:100,", most=1),
    Target("n=1000, m=5000 in 20 s", _FOUND, "1000(?!.*unit)", most=20),
    Target("n=1000, m=5000, unit costs, in 10 s", _FOUND, "^random:1000.*unit", most=10),
    Target(
        "... all below 1 GiB", "test_broadcast.test_peak_memory", "1000", "mebibytes", most=1024
    ),
    Target("n=10^5, m=5*10^5 in 60 s", "test_broadcast.test_large", "^random:100000,", most=60),
    Target("16x16, 2^7 and 6x6x6, also half-duplex, in 20 s", _FOUND, "^(grid|hyper|tor)", most=20),
    *(
        Target(says, f"test_{table}", column="check to find", most=0.1, taking=0.05)
        for says, table in (
            (
                "checking in a tenth of finding, if that takes 50 ms: broadcast",
                "broadcast.test_find_and_check",
            ),
            ("... large broadcasts, to finding and writing", "broadcast.test_large"),
            ("... half-duplex", "half_duplex.test_optimum"),
            ("... around cycles", "half_duplex.test_(trees_around_a_cycle|cycles_.*)"),
            ("... the best tree and DAG", "restricted.*"),
            ("... alltoall", "alltoall.test_find_and_check"),
            ("... with all routes", "alltoall.test_all_routes"),
            ("... reduce", "reduction.test_find_and_check"),
            ("... prefix and all-reduce", "shared_reduction.*"),
            ("... all-reduce over unlike boxes", "allreduce.*"),
            ("... allgather", "allgather.test_allgather"),
            ("... large allgathers", "allgather.test_large"),
            ("... fixed routes", "routes.*"),
            ("... runs of one broadcast or allgather", "(pipelined|sized).*"),
            ("... runs of many operations", "finite_run_collectives.*"),
            ("... periods chosen by the user", "fixed_period.*"),
            ("... packings and splitting off", "(branching_packing|splitting_off).*"),
            ("... linear programs", "lp.*"),
            ("... overlays", "overlay.test_(overlay|a_million_nodes)"),
            ("... cases of overlays", "overlay_cases.*"),
            ("... synchronous rounds", "rounds.*"),
        )
    ),
    Target(
        "... and nowhere slower than finding",
        rf"(?!{MADE}).*",
        column="check to find",
        most=1,
    ),
    Target("50 times faster than SoPlex on SSB(G), n=30", _SSB, "30", "SoPlex / ours", least=50),
    Target("... and n=60", _SSB, "60", "SoPlex / ours", least=50),
    Target("P <= 64 under half-duplex in 10 s", "test_half_duplex.test_optimum", most=10),
    Target("100x100 under half-duplex in 1 s", _CYCLES, "^grid:100x100", most=1),
    Target("... checked in 1 s", _CYCLES, "^grid:100x100", "check seconds", most=1),
    Target("scatter to 50, n=200, in 10 s", "test_alltoall.test_find_and_check", "to 50", most=10),
    Target("alltoall, torus:4x4, in 10 s", "test_alltoall.test_find_and_check", "4x4", most=10),
    Target("alltoall, torus:16x16, in 2 s", "test_alltoall.test_all_routes", "16x16", most=2),
    Target("alltoall, torus:8x8x8, in 5 s", "test_alltoall.test_all_routes", "8x8x8", most=5),
    Target("reduce on tiers-2003 in 0.5 s", "test_reduction.test_find_and_check", "ti", most=0.5),
    Target("reduce 15 on 30 in 30 s", "test_reduction.test_find_and_check", "30,120", most=30),
    Target("reduce 30 on 60 in 2 s", "test_reduction.test_find_and_check", "60,240", most=2),
    Target(
        "all-reduce and prefix, n=30: gap below 5 %",
        "test_shared_reduction.test_schedules",
        "30,120",
        "gap",
        most=0.05,
    ),
    Target("... in 30 s", "test_shared_reduction.test_schedules", "30,120", most=30),
    Target(
        "64 nodes, 512 arcs decomposed in 5 s", "test_branching_packing.test_decomposition", most=5
    ),
    Target(
        "16 disjoint arborescences, n=1000, in 60 s",
        "test_branching_packing.test_disjoint_arborescences",
        most=60,
    ),
    Target(
        "maximum flow within 5 times of igraph, or with its proposal",
        "test_flow.test_against_networkx",
        column="igraph to faster",
        least=0.2,
    ),
    Target("arborescence, n=1000, in 0.06 s", "test_arborescence.test_against_networkx", most=0.06),
    Target("100,000 edges colored in 1 s", "test_edge_coloring.test_single_edges", most=1),
    Target(
        "... and faster than rustworkx",
        "test_edge_coloring.test_single_edges",
        column="rustworkx / ours",
        least=1,
    ),
    Target("10^4 nonzeros in 10 s", "test_lp.test_exactly", "2000x1500", most=10),
    Target(
        "assignment, transport, contradicted: ahead of QSopt_ex with loading",
        "test_lp.test_exactly",
        "^(assignment 50|transport|contradicted 600)",
        "QSopt_ex with loading / ours",
        least=1,
    ),
    Target(
        "Hilbert: ahead of PPL with loading",
        "test_lp.test_exactly",
        "^Hilbert",
        "PPL with loading / ours",
        least=1,
    ),
    Target("LogP trees, P = 10^6, in 2 s", "test_logp.test_broadcast_to_a_million", most=2),
    Target("sums, P = 10^5, in 5 s", "test_logp_sums.test_summation_of", most=5),
    Target(
        "continuous broadcast, P = 10^4, in 5 s",
        "test_logp_continuous.test_continuous_broadcast",
        "10.4",
        most=5,
    ),
    Target("10^4 items, P = 1000, in 1 s", "test_logp_items.test_broadcast_items", "1000,", most=1),
    *(
        Target(says, f"test_{table}", column="check to find", most=1)
        for says, table in (
            ("checked faster than made: single edges, colored", "edge_coloring.test_single_edges"),
            ("... multiplicities", "edge_coloring.test_multiplicities"),
            ("... LogP broadcast", "logp.test_broadcast_to_a_million"),
            ("... LogP allgather", "logp.test_allgather"),
            ("... LogP sums", "logp_sums.test_summation_of"),
            ("... LogP all-reduce", "logp_sums.test_allreduce"),
            ("... continuous broadcast", "logp_continuous.test_continuous_broadcast"),
            ("... k items", "logp_items.test_broadcast_items"),
            ("... k items, buffered", "logp_items.test_buffered_items"),
        )
    ),
    Target("augmented overlay, n = 10^5, in 30 s", "test_overlay.test_overlay", "100000", most=30),
    Target(
        "optimal overlay, n = 8, in 60 s each",
        "test_overlay_exact.test_optimal_overlay",
        "n=8",
        most=180,
    ),
    Target(
        "32x32, 2500 packets in 20 s", "test_rounds.test_broadcast_in_steps", "32.*2500", most=20
    ),
    Target("a small claim in 1 ms", "test_campaign.test_small_claims", column="each", most=1),
)


def judged(figures: Figures) -> str:
    """A row for each target: the worst figure of its rows, and whether it is met."""
    rows = [[target.says, *_verdict(target, _tables(target, figures))] for target in TARGETS]
    return lines(Table(["target", "worst", "of", ""], rows))


def _tables(target: Target, figures: Figures) -> list[Table]:
    return [table for name, table in figures.tables.items() if re.fullmatch(target.table, name)]


def _verdict(target: Target, tables: list[Table]) -> list[str]:
    found = [figure for table in tables for figure in values(target, table)]
    if not found:
        return ["", "", "not measured"]
    if target.most is not None:
        value, name = max(found)
        met = value <= target.most
    else:
        value, name = min(found)
        met = value >= (target.least or 0)
    return [f"{value:g}", name, "met" if met else "**missed**"]


def _number(cell: str) -> float | None:
    """What a cell says, bold or with a date; None for words."""
    number = re.match(r"[*]*([\d.e+-]+)", cell)
    return float(number[1]) if number else None


def values(target: Target, table: Table) -> list[tuple[float, str]]:
    """The figures of its rows, with the names of the rows."""
    found = []
    for cells in table.rows:
        row = dict(zip(table.columns, cells, strict=True))
        name = ", ".join(cells[: table.columns.index("seconds")])
        number, seconds = _number(row.get(target.column, "")), _number(row["seconds"])
        if number is None or not re.search(target.rows, name):
            continue
        if (seconds or 0) >= target.taking:
            found.append((number, name))
    return found
