"""The index of claims in proofs/README.md: generated from the registry and reports.

    python -m exactsched.campaign.index [README]

writes the tables anew, with the numbers of instances of the reports beside the page
(campaign*.json), and the theorems that a proof assistant has accepted (rocq/claims.json).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Proved:
    """A theorem of proofs/rocq, by file and name, and how much of a claim it states."""

    file: str
    theorem: str
    covers: str

    def __str__(self) -> str:
        """A cell of the index: a link to the file, and what is covered."""
        return f"[`{self.theorem}`](rocq/{self.file}): {self.covers}"


def machine_checked(page: Path) -> dict[str, tuple[Proved, ...]]:
    """The theorems that stand behind each claim, from the table beside the page.

    `rocq/claims.json` lists [file, theorem, what of the claim it covers] for the id of a claim.
    """
    listed = json.loads((page.parent / "rocq" / "claims.json").read_text(encoding="utf-8"))
    return {name: tuple(Proved(*row) for row in rows) for name, rows in listed.items()}


def reports(page: Path) -> list[Report]:
    """The reports of campaigns beside the page."""
    return [read_report(path) for path in sorted(page.parent.glob("campaign*.json"))]


def index(done: Iterable[Report], proved: Mapping[str, Sequence[Proved]]) -> str:
    """The tables, one for each paper, in Markdown; then what cannot be executed, and why.

    >>> from exactsched.campaign import verify
    >>> done = verify(["konig.edge-coloring"], instances=5, executor="serial")
    >>> "| [konig.edge-coloring](konig-edge-coloring.md) | [" in index([done], {})
    True
    """
    run: dict[str, int] = {}
    for report in done:
        for (name, _), tally in report.tallies.items():
            run[name] = run.get(name, 0) + tally.instances
    groups: dict[str, list[Claim]] = {}
    for name, claim in claims().items():
        paper = name.partition(".")[0]
        groups.setdefault(paper if paper in papers() else "", []).append(claim)
    parts = [_table(_CLASSICAL, groups.get("", []), run, proved)]
    parts += [
        _table(f"{about}.", groups.get(paper, []), run, proved) for paper, about in papers().items()
    ]
    without = [
        f"- {row.printed} of `{row.paper}`: {row.why}." for row in statements() if not row.claims
    ]
    parts.append("Not executed:\n\n" + "\n".join(without))
    return "\n\n".join(parts) + "\n"


def with_index(page: str, done: Iterable[Report], proved: Mapping[str, Sequence[Proved]]) -> str:
    """The page with the tables between its two marks written anew."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InvalidInput("index", BEGIN, f"the page has this mark, and {END} behind it")
    return f"{before}{BEGIN}\n\n{index(done, proved)}\n{END}{after}"


def _table(
    about: str,
    listed: Sequence[Claim],
    run: Mapping[str, int],
    proved: Mapping[str, Sequence[Proved]],
) -> str:
    rows = [_row(claim, run.get(claim.id, 0), proved.get(claim.id, ())) for claim in listed]
    return "\n".join([about, "", *_HEAD, *rows])


def _row(claim: Claim, instances: int, proved: Sequence[Proved]) -> str:
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
        "; ".join(map(str, proved)) or "no",
    )
    return "| " + " | ".join(_cells(cells)) + " |"


def _cells(cells: Iterable[str]) -> list[str]:
    return [" ".join(cell.split()).replace("|", "\\|") for cell in cells]


def main(arguments: Sequence[str]) -> int:
    """Writes the index into the page."""
    page = Path(arguments[0] if arguments else "proofs/README.md")
    written = page.read_text(encoding="utf-8")
    write_whole(page, with_index(written, reports(page), machine_checked(page)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
