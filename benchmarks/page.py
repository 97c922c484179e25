"""The page of benchmarks: prose from the docstrings of the modules, tables from what was measured.

The page is the only place where figures are kept: `parsed` reads its tables back, so that one
module can be measured without the others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
STANDING = FOLDER / "not_measured_again.md"

# The order of the page: collectives, kernels, the other machines, campaigns.
ORDER = (
    "test_broadcast",
    "test_against_ssb",
    "test_half_duplex",
    "test_restricted",
    "test_pipelined",
    "test_alltoall",
    "test_routes",
    "test_reduction",
    "test_tree_extraction",
    "test_shared_reduction",
    "test_fixed_period",
    "test_finite_run_collectives",
    "test_allgather",
    "test_allreduce",
    "test_sized",
    "test_splitting_off",
    "test_branching_packing",
    "test_flow",
    "test_arborescence",
    "test_edge_coloring",
    "test_matching_decomposition",
    "test_fractional_edge_coloring",
    "test_lp",
    "test_logp",
    "test_logp_sums",
    "test_logp_continuous",
    "test_logp_items",
    "test_overlay",
    "test_overlay_exact",
    "test_overlay_cases",
    "test_overlay_experiments",
    "test_rounds",
    "test_campaign",
)

INTRODUCTION = """\
<!-- Written by benchmarks/table.py: change the docstrings of the modules, not this page. -->

```sh
pip install '.[bench]'
python benchmarks/table.py                     # measures everything and writes this page
python benchmarks/table.py --only test_flow    # the tables of one module
python benchmarks/table.py --stale             # the tables that are older than what they measure
python benchmarks/table.py --check             # says which these are, and measures nothing
python benchmarks/table.py --long              # with the rows that take more than a minute
python benchmarks/table.py --prose             # the docstrings again, around the same figures
python benchmarks/table.py --before HEAD~9 --only test_flow    # prints then and now
```

Seconds are processor seconds, the least of a few rounds. All work runs in one thread unless a
table says otherwise. A peer is measured in the same run as ours; a column *peer / ours* says how
many times our seconds it needs, and **a bold ratio, below 1, is a loss**, also where the peer
computes in floats and proves nothing, as SoPlex and HiGHS do. *Rounds* counts linear
programs, *priced* the structures that were found under prices, *digits* are those of the period;
such counts are the same on every machine. *Check seconds* are those of the checker, on the file or
on the result as it is, and *check to find* is their ratio to ours, with those of the document where
there is one. A date in parentheses says when a row was
measured that takes too long to be measured every time. Figures that no command here can repeat
are at the end, with their date.

**To add a row**, add an instance to a module. To add a column, add an entry to
`benchmark.extra_info`; to add a peer, its seconds to `benchmark.extra_info["peers"]`. To add a
table, write a test, with a docstring if its name does not say enough; to add a module, name it in
`page.ORDER`: the first line of its docstring is its title here. A row that takes more than 60 s
is marked `pytest.mark.long`."""

NOT_MEASURED = "not measured"


class Section(NamedTuple):
    """A module of benchmarks: its title, its prose, and its tests with theirs."""

    module: str
    title: str
    prose: str
    tests: tuple[tuple[str, str], ...]


class Stamp(NamedTuple):
    """When a module was measured, at which commit, for how long; and the speed of the machine."""

    time: str
    commit: str
    seconds: str
    loop: str


@dataclass
class Table:
    """Cells as text; the columns of the parameters come first."""

    columns: list[str]
    rows: list[list[str]]


@dataclass
class Figures:
    """What a page says beside its prose."""

    machine: str = NOT_MEASURED
    stamps: dict[str, Stamp] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)


def sections(folder: Path = FOLDER) -> list[Section]:
    """The modules in the order of the page; a module that it does not name is an error."""
    found = {path.stem: path for path in folder.glob("test_*.py")}
    if set(found) != set(ORDER):
        raise SystemExit(f"page.ORDER and the modules differ: {sorted(set(found) ^ set(ORDER))}")
    return [_section(found[name]) for name in ORDER]


def _section(path: Path) -> Section:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    title, _, prose = (ast.get_docstring(tree) or path.stem).partition("\n")
    tests = tuple(
        (node.name, ast.get_docstring(node) or "")
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )
    return Section(path.stem, title.removesuffix("."), prose.strip(), tests)


# Out of results ---------------------------------------------------------------------------------


def measured(
    results: Sequence[dict[str, Any]], unmeasured: Sequence[dict[str, Any]], old: Figures
) -> dict[str, Table]:
    """The table of every test; rows that are `unmeasured`, long ones, keep their old figures.

    `results` are the `benchmarks` of pytest-benchmark's JSON, with the parameters of a row as
    `extra_info["parameters"]`.  A row that failed says so.
    """
    rows: dict[str, list[dict[str, str]]] = {}
    for result in results:
        rows.setdefault(_test(result["fullname"]), []).append(_row(result))
    for missing in unmeasured:
        key, parameters = _test(missing["fullname"]), _parameters(missing["parameters"])
        row = {**parameters, "seconds": "failed"}
        if not missing["failed"]:
            row = _kept(old.tables.get(key), parameters, old.stamps.get(key.partition(".")[0]))
        rows.setdefault(key, []).extend([row] if row else [])
    return {key: _table(found) for key, found in rows.items() if found}


def _test(fullname: str) -> str:
    """`module.test` of `benchmarks/module.py::test[parameters]`."""
    path, _, name = fullname.partition("::")
    return f"{Path(path).stem}.{name.partition('[')[0]}"


def _parameters(given: Mapping[str, str]) -> dict[str, str]:
    return {"instance" if name in ("name", "case") else name: text for name, text in given.items()}


def _row(result: dict[str, Any]) -> dict[str, str]:
    """Parameters, seconds, work, and for every peer its seconds and the ratio, bold if we lose."""
    work = dict(result["extra_info"])
    parameters, peers = work.pop("parameters", {}), work.pop("peers", {})
    if twice := parameters.keys() & work.keys():
        raise SystemExit(f"{result['fullname']}: a parameter and a figure are called {min(twice)}")
    for name, value in work.items():
        if str(value).startswith("UNSERIALIZABLE"):  # as pytest-benchmark writes what it cannot
            raise SystemExit(f"{result['fullname']}, {name}: no value of JSON: {value}")
    ours = result["stats"]["min"]
    row = {**_parameters(parameters), "seconds": _seconds(ours)}
    row |= {name.replace("_", " "): _shown(value) for name, value in work.items()}
    for peer, seconds in peers.items():
        if isinstance(seconds, str):
            row |= {f"{peer}, seconds": seconds, f"{peer} / ours": ""}
            continue
        ratio = seconds / ours
        text = f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"
        shown = text if ratio >= 1 else f"**{text}**"
        row |= {f"{peer}, seconds": _seconds(seconds), f"{peer} / ours": shown}
    return row


def _seconds(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}" if value >= 1 else f"{value:.2g}"


def _shown(value: object) -> str:
    """A figure that does not exist in this row is None: an empty cell."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value).replace("|", "\\|")


def _kept(table: Table | None, parameters: dict[str, str], stamp: Stamp | None) -> dict[str, str]:
    """The old row, with the date of its measurement; nothing if there is none."""
    for cells in table.rows if table else ():
        row = dict(zip(table.columns, cells, strict=True)) if table else {}
        if row.items() >= parameters.items() and row.get("seconds") != "failed":
            if stamp and "(" not in row["seconds"]:
                row["seconds"] += f" ({stamp.time[:10]})"
            return row
    return {}


def _table(rows: Sequence[dict[str, str]]) -> Table:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return Table(columns, [[row.get(name, "") for name in columns] for row in rows])


def compared(before: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]]) -> Table:
    """Rows that were measured twice: seconds, their ratio, and whole numbers that differ."""
    old = {result["fullname"]: result for result in before}
    rows = []
    for result in now:
        if other := old.get(result["fullname"]):
            then, seconds = other["stats"]["min"], result["stats"]["min"]
            changes = [
                f"{name.replace('_', ' ')} {other['extra_info'][name]} -> {value}"
                for name, value in result["extra_info"].items()
                if isinstance(value, int) and other["extra_info"].get(name, value) != value
            ]
            cells = [result["name"].removeprefix("test_"), _seconds(then), _seconds(seconds)]
            rows.append([*cells, f"{then / seconds:.2f}", ", ".join(changes)])
    return Table(["row", "before, seconds", "now, seconds", "before / now", "work"], rows)


# The page ---------------------------------------------------------------------------------------

_TABLE = re.compile(r"^<!-- table: (\S+) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
_STAMP = re.compile(r"^<!-- measured: (\S+) (\S+) (\S+) (\S+) (\S+) -->$", re.MULTILINE)
_MACHINE = re.compile(r"^<!-- machine -->\n(.*?)\n^<!-- end -->$", re.MULTILINE | re.DOTALL)


def parsed(page: str) -> Figures:
    """The figures of a page that `written` has written."""
    figures = Figures()
    if machine := _MACHINE.search(page):
        figures.machine = machine[1]
    for name, *stamp in _STAMP.findall(page):
        figures.stamps[name] = Stamp(*stamp)
    for key, block in _TABLE.findall(page):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        if lines:
            head, _, *rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
            strip = [[cell.strip() for cell in cells] for cells in (head, *rows)]
            figures.tables[key] = Table(strip[0], strip[1:])
    return figures


def written(modules: Iterable[Section], figures: Figures, targets: str) -> str:
    """The whole page; `targets` is the table of targets."""
    modules = list(modules)
    machine = f"<!-- machine -->\n{figures.machine}\n<!-- end -->"
    parts = ["# Benchmarks", INTRODUCTION, machine, *_losses(modules, figures)]
    parts += ["## Targets", targets]
    for section in modules:
        parts.append(f"## {section.title} (`{section.module}.py`)")
        parts += [section.prose] if section.prose else []
        if stamp := figures.stamps.get(section.module):
            parts.append(
                f"<!-- measured: {section.module} {' '.join(stamp)} -->\n"
                f"*{stamp.time[:10]} at {stamp.commit}, {stamp.seconds} s in all,"
                f" loop {stamp.loop} s.*"
            )
        for test, prose in section.tests:
            key = f"{section.module}.{test}"
            parts += [f"### {test.removeprefix('test_').replace('_', ' ')}"]
            parts += [prose] if prose else []
            table = figures.tables.get(key)
            shown = lines(table) if table else NOT_MEASURED
            parts.append(f"<!-- table: {key} -->\n{shown}\n<!-- end -->")
    return "\n\n".join(parts) + "\n\n" + STANDING.read_text(encoding="utf-8")


def lines(table: Table) -> str:
    head = [table.columns, ["---"] * len(table.columns)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (*head, *table.rows))


def _losses(modules: Sequence[Section], figures: Figures) -> Iterator[str]:
    """Every bold ratio again, in one table at the top."""
    found, ratios = [], 0
    for section in modules:
        for test, _ in section.tests:
            table = figures.tables.get(f"{section.module}.{test}", Table([], []))
            peers = [name for name in table.columns if name.endswith(" / ours")]
            for cells in table.rows:
                row = dict(zip(table.columns, cells, strict=True))
                instance = ", ".join(cells[: table.columns.index("seconds")])
                for peer in peers:
                    ratios += row[peer] != ""
                    if row[peer].startswith("**"):
                        found.append(
                            [f"`{section.module}`", instance, peer, row["seconds"], row[peer]]
                        )
    yield "## Where we lose"
    yield f"{len(found)} of {ratios} ratios are below 1."
    if found:
        yield lines(Table(["module", "instance", "peer", "ours, seconds", "ratio"], found))
