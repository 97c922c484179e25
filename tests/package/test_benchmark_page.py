"""The page of benchmarks has a place for every test, and figures are read back as they are written.

Nothing is measured here.
"""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import age  # noqa: E402
import page  # noqa: E402
import targets  # noqa: E402
import test_campaign as campaigns  # noqa: E402

from exactsched.campaign.library import claim_of  # noqa: E402

PAGE = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
SECTIONS = page.sections()


def result(name: str, seconds: float, **extra: Any) -> dict[str, Any]:
    """A result as pytest-benchmark writes it."""
    fullname = f"benchmarks/test_flow.py::test_against_networkx[{name}]"
    extra_info = {"parameters": {"name": name}, **extra}
    short = fullname.rpartition("::")[2]
    return {
        "fullname": fullname,
        "name": short,
        "stats": {"min": seconds},
        "extra_info": extra_info,
    }


def unmeasured(name: str, *, failed: bool) -> dict[str, Any]:
    fullname = f"benchmarks/test_flow.py::test_against_networkx[{name}]"
    return {"fullname": fullname, "parameters": {"name": name}, "failed": failed}


def test_the_page_has_a_table_for_every_benchmark() -> None:
    """If this fails: python benchmarks/table.py --prose."""
    tests = [f"{section.module}.{test}" for section in SECTIONS for test, _ in section.tests]
    assert [line.split()[2] for line in PAGE.splitlines() if line.startswith("<!-- table")] == tests


@pytest.mark.parametrize("measured", [campaigns.KONIG, campaigns.LOGP_TREES, campaigns.WORDS])
def test_the_campaigns_that_are_measured_have_their_claims(measured: tuple[str, str]) -> None:
    claim, library = measured
    assert claim_of(library, claim).id == claim


def test_writing_the_page_keeps_its_figures() -> None:
    figures = page.parsed(PAGE)
    assert page.parsed(page.written(SECTIONS, figures, "")) == figures
    assert figures.machine != page.NOT_MEASURED


def test_results_become_a_table() -> None:
    """Parameters, seconds, work, then peers; a ratio below 1 is bold, a long row keeps its date."""
    old = page.Figures()
    old.stamps["test_flow"] = page.Stamp("2026-01-02T03:04:05Z", "abc1234", "7", "0.05")
    old.tables["test_flow.test_against_networkx"] = page.Table(
        ["instance", "seconds", "arcs"], [["small", "9", "1"], ["long", "77", "10"]]
    )
    tables = page.measured(
        [
            result("small", 0.0123456, arcs=12, peers={"networkx": 0.05, "other": 0.01}),
            result("large", 2.0, arcs=None, check_seconds=0.25, peers={"networkx": "finds none"}),
        ],
        [unmeasured("long", failed=False), unmeasured("broken", failed=True)],
        old,
    )
    assert page.lines(tables["test_flow.test_against_networkx"]).splitlines() == [
        "| instance | seconds | arcs | networkx, seconds | networkx / ours | other, seconds"
        " | other / ours | check seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| small | 0.012 | 12 | 0.05 | 4.1 | 0.01 | **0.81** |  |",
        "| large | 2.00 |  | finds none |  |  |  | 0.25 |",
        "| long | 77 (2026-01-02) | 10 |  |  |  |  |  |",
        "| broken | failed |  |  |  |  |  |  |",
    ]
    old.tables |= tables
    section = page.Section("test_flow", "Flows", "Prose.", (("test_against_networkx", "More."),))
    written = page.written([section], old, targets.judged(old))
    assert page.parsed(written) == old
    assert "## Flows (`test_flow.py`)\n\nProse.\n\n<!-- measured: test_flow 2026-" in written
    assert "### against networkx\n\nMore.\n\n<!-- table: " in written
    assert "1 of 2 ratios are below 1" in written
    assert "| `test_flow` | small | other / ours | 0.012 | **0.81** |" in written


def test_a_figure_that_json_does_not_hold_is_refused() -> None:
    cell = "UNSERIALIZABLE[Fraction(2, 1)]"
    with pytest.raises(SystemExit, match="most: no value of JSON"):
        page.measured([result("small", 1.0, most=cell)], [], page.Figures())


def test_a_row_that_is_no_longer_there_leaves_the_table() -> None:
    old = page.Figures()
    old.tables["test_flow.test_against_networkx"] = page.Table(
        ["instance", "seconds"], [["a", "1"]]
    )
    assert page.measured([], [], old) == {}


def test_before_and_now_stand_side_by_side() -> None:
    table = page.compared(
        [result("a", 3.0, rounds=9, share=0.5), result("gone", 1.0)],
        [result("a", 1.5, rounds=4, share=0.6), result("new", 1.0)],
    )
    assert table.rows == [["against_networkx[a]", "3.00", "1.50", "2.00", "rounds 9 -> 4"]]


def test_targets_speak_of_columns_that_there_are() -> None:
    figures = page.parsed(PAGE)
    tests = {f"{section.module}.{test}" for section in SECTIONS for test, _ in section.tests}
    for target in targets.TARGETS:
        asked = [test for test in tests if re.fullmatch(target.table, test)]
        assert asked, target.says
        found = [figures.tables[test].columns for test in asked if test in figures.tables]
        assert not found or any(target.column in columns for columns in found), target.says


def test_every_check_is_judged() -> None:
    judged = [target.table for target in targets.TARGETS if target.column == "check to find"]
    for name, table in page.parsed(PAGE).tables.items():
        if "check seconds" in table.columns:
            assert "check to find" in table.columns, name
            # Everywhere the checker is not slower, and a tenth where nothing more is asked for.
            needed = 1 if re.fullmatch(targets.MADE, name) else 2
            assert sum(bool(re.fullmatch(pattern, name)) for pattern in judged) == needed, name


def test_a_target_is_judged_by_the_worst_row() -> None:
    found = page.Figures()
    key = "test_edge_coloring.test_single_edges"
    columns = ["instance", "seconds", "rustworkx / ours"]
    found.tables[key] = page.Table(
        columns, [["a", "0.5", "3"], ["b", "2.00 (2026-01-02)", "**0.81**"], ["star", "0.9", ""]]
    )
    rows = targets.judged(found).splitlines()
    assert "| 100,000 edges colored in 1 s | 2 | b | **missed** |" in rows
    assert "| ... and faster than rustworkx | 0.81 | b | **missed** |" in rows
    found.tables[key].rows.pop(1)
    rows = targets.judged(found).splitlines()
    assert "| 100,000 edges colored in 1 s | 0.9 | star | met |" in rows
    assert "| ... and faster than rustworkx | 3 | a | met |" in rows
    assert "| n=100, m=400 in 1 s |  |  | not measured |" in rows


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="dates are those of commits")
def test_figures_are_stale_if_their_code_has_changed_since() -> None:
    figures = page.Figures()
    figures.stamps["test_flow"] = page.Stamp("2020-01-01T00:00:00Z", "abc1234", "7", "0.05")
    figures.stamps["test_lp"] = page.Stamp("2999-01-01T00:00:00Z", "abc1234", "7", "0.05")
    found = dict(age.stale(figures, ["test_flow", "test_lp", "test_logp"]))
    assert list(found) == ["test_flow", "test_logp"]
    assert found["test_logp"] == "not measured"
    assert found["test_flow"].startswith("measured 2020-01-01T00:00:00Z at abc1234, code 2")


def test_the_code_of_a_benchmark_is_what_it_imports() -> None:
    code = {str(path.relative_to(ROOT)) for path in age.code_of("test_against_ssb")}
    assert {
        "benchmarks/test_against_ssb.py",
        "benchmarks/instances.py",
        "exactsched/steady_state/broadcast.py",  # exactsched.broadcast
        "exactsched/graphs/minimum_cost_arborescence.py",  # by way of its pricing
    } <= code
    assert not [path for path in code if path.startswith(("exactsched/cli", "exactsched/exact"))]


def test_rows_that_take_less_are_left_out() -> None:
    table = page.Table(
        ["instance", "seconds", "share"],
        [["quick", "0.01", "0.9"], ["slow", "0.05", "0.2"], ["long", "7 (2026-01-02)", "**0.1**"]],
    )
    target = targets.Target("", "", column="share", most=0.1, taking=0.05)
    assert targets.values(target, table) == [(0.2, "slow"), (0.1, "long")]
    assert len(targets.values(target._replace(taking=0), table)) == 3
