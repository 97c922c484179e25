"""Mutation testing: which small changes of the code does no test notice?

    python -m tests.mutation check graphs --most 200

Each mutant runs in a forked process, with the tests that execute its function: the fastest first,
until one fails.  A mutant that no test notices survives.  README.md has the results.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutation.mutants import Mutant, mutants_under, sample
from tests.mutation.trials import Trials


class Area(NamedTuple):
    """The tests of the same layer, and their doctests."""

    folder: str
    tests: tuple[str, ...]


AREAS = {
    name: Area(f"exactsched/{name}", (f"tests/{name}", f"exactsched/{name}"))
    for name in ("check", "graphs", "linear_programs", "steady_state", "runs")
}
# They remove refusals themselves, from a copy of the code; or measure time.
LEFT_OUT = "not removed and not mutants_of and not command_line"


def main(arguments: list[str]) -> int:
    said = _parser().parse_args(arguments)
    for name in said.areas:
        area = AREAS[name]
        chosen = [one for one in mutants_under(area.folder) if said.only in one.name]
        chosen = sample(chosen, said.most)
        if said.again is not None:
            listed = said.again.read_text(encoding="utf-8").splitlines()
            left = {row.split("\t")[2] for row in listed if row.startswith("survived")}
            chosen = [one for one in chosen if one.name in left]
        trials = Trials(chosen, (said.skip, said.seconds), examples=said.examples, known=said.map)
        tests = said.tests or area.tests
        pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", LEFT_OUT, *tests],
            plugins=[trials],
        )
        _report(trials.verdicts, said.out, name)
    return 0


def _report(verdicts: dict[Mutant, str], out: Path | None, name: str) -> None:
    survivors = [mutant for mutant, verdict in verdicts.items() if verdict.startswith("survived")]
    print(f"{name}: {len(verdicts) - len(survivors)} of {len(verdicts)} mutants killed")
    for mutant in survivors:
        print(f"  line {mutant.line}: {mutant.name}")
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            for one, verdict in verdicts.items():
                file.write(f"{verdict}\t{one.line}\t{one.name}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("areas", nargs="+", choices=AREAS, metavar="AREA", help=", ".join(AREAS))
    parser.add_argument("--most", type=int, default=150, help="mutants of each area (150)")
    parser.add_argument("--only", default="", help="only mutants with this text in their name")
    parser.add_argument(
        "--tests", action="append", default=[], help="these instead: a file or folder"
    )
    parser.add_argument("--seconds", type=float, default=20, help="tests of one mutant (20 s)")
    parser.add_argument("--skip", type=float, default=0, help="without the first ones (0 s)")
    parser.add_argument("--again", type=Path, help="only those that survived in this table")
    parser.add_argument("--examples", type=int, default=25, help="examples of hypothesis (25)")
    parser.add_argument("--map", type=Path, help="which test executes what: read and written")
    parser.add_argument("--out", type=Path, help="a table of all verdicts, appended")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
