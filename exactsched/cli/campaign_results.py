"""The results of a campaign as a table, or as one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from exactsched.campaign import Report, Tally
from exactsched.campaign.library import COUNTEREXAMPLE
from exactsched.campaign.outcomes import FAILURES, NOT_APPLICABLE
from exactsched.campaign.report import confirms
from exactsched.cli.terminal import say
from exactsched.exact.words import counted
from exactsched.theorems.claim import REFUTED

# Claims that are named in the last line.
_MOST_NAMED = 5


class _Row(NamedTuple):
    """A claim with the sum of its tallies over all sizes."""

    claim: str
    verdict: str
    tally: Tally

    @property
    def not_applicable(self) -> int:
        return self.tally.counts.get(NOT_APPLICABLE, 0)


def _rows(report: Report) -> list[_Row]:
    grouped: dict[str, dict[str, Tally]] = {}
    for (name, size), tally in report.tallies.items():
        grouped.setdefault(name, {})[size] = tally
    return [
        _Row(name, _verdict(report.statuses[name], tallies), sum(tallies.values(), Tally()))
        for name, tallies in grouped.items()
    ]


def _verdict(status: str, tallies: dict[str, Tally]) -> str:
    """What the tallies of a claim, one for each size, say in a few words."""
    tally = sum(tallies.values(), Tally())
    failed = [f"{tally.counts[kind]:,} {kind}" for kind in FAILURES if kind in tally.counts]
    expected = all(confirms(status, size, part) for size, part in tallies.items())
    if status not in REFUTED:
        return "holds" if expected else ", ".join(failed)
    if not expected:
        return ", ".join(["not refuted as expected", *failed])
    if COUNTEREXAMPLE not in tallies:
        return "its counterexample is in another shard"
    others = tally.failed - tallies[COUNTEREXAMPLE].failed
    return "refuted as expected" + (f", and by {others:,} others" if others else "")


def _wrong(report: Report) -> list[str]:
    return sorted({name for name, _, _ in report.wrong()})


def results_json(report: Report, saved: Sequence[Path]) -> str:
    """One JSON object; `saved` are the files of counterexamples."""
    rows = _rows(report)
    results = [
        {
            "claim": row.claim,
            "verdict": row.verdict,
            "instances": row.tally.instances,
            "not_applicable": row.not_applicable,
            "failed": row.tally.failed,
        }
        for row in rows
    ]
    return json.dumps(
        {
            "verified": not report.wrong(),
            "complete": report.complete,
            "instances": sum(row.tally.instances for row in rows),
            "wrong": _wrong(report),
            "results": results,
            "counterexamples": [str(path) for path in saved],
        }
    )


def say_results(report: Report, saved: Sequence[Path], lost: int, took: str) -> None:
    """The table of claims, where the counterexamples are, and the totals.

    `lost` is the number of blocks that were run again; `took` tells the time, or is empty.
    """
    rows = _rows(report)
    for line in _table(rows):
        say(line, sys.stdout)
    for name, size, tally in report.wrong():
        for number, kind, reason in tally.failures[:1]:
            place = f"{size} instance {number} of seed {report.campaign.seed}"
            say(f"{name}: {place} {kind}: {reason}", sys.stdout)
    for path in saved:
        say(f"counterexample: {path}", sys.stdout)
    if lost:
        say(f"run again after a worker died: {counted(lost, 'block')}", sys.stdout)
    if not report.complete:
        say(f"only shards {', '.join(f'{k}/{n}' for k, n in report.shards)}", sys.stdout)
    total = sum(row.tally.instances for row in rows)
    shown = f"{counted(total, 'instance')} of {counted(len(rows), 'claim')}{took}"
    names = _wrong(report)
    if not names:
        say(f"{shown}: all as expected", sys.stdout)
        return
    listed = ", ".join(names[:_MOST_NAMED]) + (" ..." if len(names) > _MOST_NAMED else "")
    say(f"{shown}: {counted(len(names), 'claim')} not as expected: {listed}", sys.stdout)


def _table(rows: Sequence[_Row]) -> Iterator[str]:
    width = max(len(word) for word in ("claim", *(row.claim for row in rows)))
    words = max(len(word) for word in ("verdict", *(row.verdict for row in rows)))
    yield f"{'claim':<{width}}  {'verdict':<{words}}  instances  not applicable  ms each"
    for row in rows:
        each = row.tally.microseconds / 1000 / max(1, row.tally.instances)
        numbers = f"{row.tally.instances:>9,}  {row.not_applicable:>14,}  {each:>7.2f}"
        yield f"{row.claim:<{width}}  {row.verdict:<{words}}  {numbers}"
