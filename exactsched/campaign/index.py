"""The index of claims in proofs/README.md: generated from the registry and a report.

    python -m exactsched.campaign.index [REPORT [README]]

writes the tables anew, with the numbers of instances of the report (proofs/campaign.json).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from exactsched.campaign.report import Report, read_report
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.theorems import claims
from exactsched.theorems.claim import Claim
from exactsched.theorems.statements import papers, statements

BEGIN = "<!-- claims: written by `python -m exactsched.campaign.index` -->"
END = "<!-- end of claims -->"

_CLASSICAL = "Classical theorems, under the names of their authors."
_HEAD = (
    "| id | claim | statement | number there | status | implemented | judged by | instances"
    " | machine-checked |",
    "|---|---|---|---|---|---|---|---|---|",
)


def index(report: Report) -> str:
    """The tables, one for each paper, in Markdown; then what cannot be executed, and why.

    >>> from exactsched.campaign import verify
    >>> done = verify(["konig.edge-coloring"], instances=5, executor="serial")
    >>> "| [konig.edge-coloring](konig-edge-coloring.md) | [" in index(done)
    True
    """
    run: dict[str, int] = {}
    for (name, _), tally in report.tallies.items():
        run[name] = run.get(name, 0) + tally.instances
    groups: dict[str, list[Claim]] = {}
    for name, claim in claims().items():
        paper = name.partition(".")[0]
        groups.setdefault(paper if paper in papers() else "", []).append(claim)
    parts = [_table(_CLASSICAL, groups.get("", []), run)]
    parts += [_table(f"{about}.", groups.get(paper, []), run) for paper, about in papers().items()]
    without = [
        f"- {row.printed} of `{row.paper}`: {row.why}." for row in statements() if not row.claims
    ]
    parts.append("Not executed:\n\n" + "\n".join(without))
    return "\n\n".join(parts) + "\n"


def with_index(page: str, report: Report) -> str:
    """The page with the tables between its two marks written anew."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InvalidInput("index", BEGIN, f"the page has this mark, and {END} behind it")
    return f"{before}{BEGIN}\n\n{index(report)}\n{END}{after}"


def _table(about: str, listed: Sequence[Claim], run: dict[str, int]) -> str:
    rows = [_row(claim, run.get(claim.id, 0)) for claim in listed]
    return "\n".join([about, "", *_HEAD, *rows])


def _row(claim: Claim, instances: int) -> str:
    # Nothing here has been accepted by a proof assistant.
    machine_checked = "no"
    modules = ", ".join(f"`{module}`" for module in claim.implemented)
    status: str = claim.status
    if claim.corrects:
        status += f" (`{claim.corrects}`)"
    cells = (
        f"[{claim.id}]({claim.page}.md)",
        f"[{Path(claim.file).stem}](../{claim.file})",
        claim.statement,
        claim.reference,
        status,
        modules,
        claim.checked_by,
        f"{instances:,}",
        machine_checked,
    )
    return "| " + " | ".join(_cells(cells)) + " |"


def _cells(cells: Iterable[str]) -> list[str]:
    return [" ".join(cell.split()).replace("|", "\\|") for cell in cells]


def main(arguments: Sequence[str]) -> int:
    """Writes the index into the page."""
    report = Path(arguments[0] if arguments else "proofs/campaign.json")
    page = Path(arguments[1] if len(arguments) > 1 else report.parent / "README.md")
    write_whole(page, with_index(page.read_text(encoding="utf-8"), read_report(report)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
