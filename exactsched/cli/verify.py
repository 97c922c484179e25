"""Campaigns: claims are checked on many random instances, and counterexamples once more."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from exactsched.cli.arguments import Commands, positive, whole, whole_from_0, writable
from exactsched.cli.terminal import Progress, complain, counted, say
from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.campaign import Report, Standing, Tally
    from exactsched.theorems import Claim

# Seconds between two changes of the line of progress.
_REDRAWN = 0.2
# What a run of a campaign takes, and its default there.
_OF_A_RUN = ("instances", "size", "seed", "jobs", "shard", "executor", "report", "counterexamples")


def add_verify(commands: Commands) -> None:
    asked = commands.add_parser(
        "verify",
        help="check theorems on random instances",
        description="Checks theorems on their corners and on random instances. ID is a theorem"
        " (konig.edge-coloring) or a paper (karp1993); without, all of them.",
    )
    asked.add_argument("claims", nargs="*", metavar="ID", help="theorems or papers; see --list")
    asked.add_argument("--instances", metavar="N", help="of each size (default: 100)")
    asked.add_argument("--size", metavar="S", help="small, medium, large, or some: small,medium")
    asked.add_argument("--seed", metavar="S", help="of all instances (default: 0)")
    asked.add_argument("--jobs", metavar="J", help="processes (default: one for each processor)")
    asked.add_argument("--shard", metavar="K/N", help="every N-th block, from the K-th on")
    asked.add_argument(
        "--executor", metavar="E", help="process (default), serial, dask, dask://HOST:PORT or mpi"
    )
    asked.add_argument(
        "--report",
        metavar="F",
        help="write the results here; the same command goes on after a stop",
    )
    asked.add_argument("--limit", metavar="SECONDS", help="for one instance (default: 60)")
    asked.add_argument(
        "--counterexamples", metavar="DIR", help="for their files (default: where the report is)"
    )
    asked.add_argument(
        "--library",
        metavar="MODULE",
        help="claims of your own: a module with functions under @claim",
    )
    asked.add_argument("--json", action="store_true", help="print one JSON object")
    other = asked.add_mutually_exclusive_group()
    other.add_argument("--list", action="store_true", help="the theorems, with their statements")
    other.add_argument("--where", action="store_true", help="file and line of the theorems")
    other.add_argument("--replay", metavar="F", help="check a counterexample again")
    other.add_argument("--merge", metavar="F", nargs="+", help="join the reports of shards")
    asked.add_argument("-o", "--output", metavar="F", help="--merge: write the joint report here")
    asked.set_defaults(command=_verify)


def _verify(options: Namespace) -> int:
    others = ("list", "where", "replay", "merge")
    elsewhere = next((name for name in others if getattr(options, name)), None)
    if options.output and elsewhere != "merge":
        raise InvalidInput("-o", options.output, "goes with --merge; a campaign has --report")
    if elsewhere is None:
        return _run(options)
    for name in _OF_A_RUN:
        if getattr(options, name) is not None:
            raise InvalidInput(f"--{name}", getattr(options, name), f"not with --{elsewhere}")
    if elsewhere == "list":
        return _list(options)
    if elsewhere == "where":
        return _where(options)
    if options.claims:
        raise InvalidInput("ID", options.claims[0], f"not with --{elsewhere}")
    return _replay(options) if elsewhere == "replay" else _merge(options)


def _run(options: Namespace) -> int:
    from exactsched.campaign import verify
    from exactsched.campaign.campaign import LIMIT
    from exactsched.campaign.counterexample import save_counterexamples

    named = _named(options)
    instances = 100 if options.instances is None else _whole(options.instances, "--instances")
    seed = 0 if options.seed is None else _whole(options.seed, "--seed")
    limit = float(LIMIT if options.limit is None else positive(options.limit, "--limit"))
    folder = _folder(options)
    writable(options.report, option="--report")
    with _CampaignProgress() as progress:
        try:
            report = verify(
                [one.id for one in named],
                instances=instances,
                sizes=(options.size or "small").split(","),
                seed=seed,
                shard=_shard(options.shard),
                executor=options.executor or "process",
                jobs=None if options.jobs is None else whole(options.jobs, "--jobs"),
                report=options.report,
                limit=limit,
                library=_library(options),
                progress=progress.told,
            )
        except KeyboardInterrupt:
            return _interrupted(options, progress)
        seconds = progress.seconds
        progress.saving(len(report.wrong()))
        saved = save_counterexamples(report, folder, limit)
    return _answer(report, saved, options, progress, seconds)


def _interrupted(options: Namespace, progress: _CampaignProgress) -> int:
    from exactsched.cli import INTERRUPTED

    told = "nothing is kept without --report"
    if options.report:
        told = f"the same command goes on with what is in {options.report}.journal"
    return complain(f"interrupted after {counted(progress.done, 'instance')}; {told}", INTERRUPTED)


def _merge(options: Namespace) -> int:
    from exactsched.campaign import merged, read_report

    writable(options.output)
    report = merged([read_report(path) for path in options.merge])
    if options.output:
        report.write(options.output)
    return _answer(report, [], options)


def _replay(options: Namespace) -> int:
    from exactsched.campaign.campaign import LIMIT
    from exactsched.campaign.counterexample import read_counterexample
    from exactsched.campaign.isolation import close_children

    limit = float(LIMIT if options.limit is None else positive(options.limit, "--limit"))
    found = read_counterexample(options.replay)
    # A file does not decide which module is imported.
    if found.library != _library(options):
        rule = f"these claims are of another module: add --library {found.library} if you trust it"
        raise InvalidInput("library", found.library, rule)
    try:
        outcome = found.replay(limit)
    finally:
        close_children()
    fails = outcome.kind not in ("held", "beside")
    if options.json:
        said = {"claim": found.claim, "refuted": fails, "outcome": outcome.kind}
        print(json.dumps(said | {"reason": outcome.reason, "facts": outcome.facts}))
        return int(fails)
    words = {"held": "holds now", "beside": "the hypotheses are not met"}
    shown = words.get(
        outcome.kind, f"still {outcome.kind}" if outcome.kind == found.failure else ""
    )
    told = [shown or f"{outcome.kind}, not {found.failure} as before"]
    told += [outcome.reason] * bool(outcome.reason)
    say(f"{options.replay}: {found.claim}: {': '.join(told)}", sys.stdout)
    for name, value in (outcome.facts or {}).items():
        say(f"  {name}: {json.dumps(value)}", sys.stdout)
    return int(fails)


def _list(options: Namespace) -> int:
    named = _named(options)
    if options.json:
        rows = [
            {"claim": one.id, "status": one.status, "reference": one.reference}
            | {"statement": one.statement, "page": f"proofs/{one.page}.md"}
            for one in named
        ]
        print(json.dumps({"claims": rows}))
        return 0
    for one in named:
        say(f"{one.id}  ({one.status}; {one.reference})", sys.stdout)
        say(f"    {one.statement}", sys.stdout)
    return 0


def _where(options: Namespace) -> int:
    """A line FILE:LINE: ID for each claim; the path begins where the package lies."""
    named = _named(options)
    if options.json:
        rows = [{"claim": one.id, "file": one.file, "line": one.line} for one in named]
        print(json.dumps({"claims": rows}))
        return 0
    for one in named:
        say(f"{one.file}:{one.line}: {one.id}", sys.stdout)
    return 0


def _answer(
    report: Report,
    saved: list[Path],
    options: Namespace,
    progress: _CampaignProgress | None = None,
    seconds: float = 0,
) -> int:
    """The table of claims, where the counterexamples are, and the totals."""
    rows = _rows(report)
    wrong = sorted({name for name, _, _ in report.wrong()})
    total = sum(row.tally.instances for row in rows)
    if options.json:
        print(json.dumps(_summary(report, rows, wrong, saved)))
        return int(bool(wrong))
    width = max(len("claim"), *(len(row.name) for row in rows), 0)
    words = max(len("verdict"), *(len(row.verdict) for row in rows), 0)
    head = f"{'claim':<{width}}  {'verdict':<{words}}"
    say(f"{head}  instances  beside the point  ms each", sys.stdout)
    for row in rows:
        beside = row.tally.counts.get("beside", 0)
        each = row.tally.microseconds / 1000 / max(1, row.tally.instances)
        line = f"{row.name:<{width}}  {row.verdict:<{words}}  {row.tally.instances:>9,}"
        say(f"{line}  {beside:>16,}  {each:>7.2f}", sys.stdout)
    for name, size, tally in report.wrong():
        for number, kind, reason in tally.failures[:1]:
            place = f"{size} instance {number} of seed {report.campaign.seed}"
            say(f"{name}: {place} {kind}: {reason}", sys.stdout)
    for path in saved:
        say(f"counterexample: {path}", sys.stdout)
    if progress is not None and progress.lost:
        lost = counted(progress.lost, "block")
        say(f"{lost} lost with a worker and run again", sys.stdout)
    if not report.complete:
        shards = ", ".join(f"{k}/{n}" for k, n in report.shards)
        say(f"shards {shards} only", sys.stdout)
    told = f"{counted(total, 'instance')} of {counted(len(rows), 'claim')}"
    fresh = 0 if progress is None else progress.done - progress.resumed
    if fresh:
        told += f" in {_duration(seconds)}, {fresh / max(seconds, 1e-9):,.0f} a second"
    verdict = "all is as it should be"
    if wrong:
        verdict = f"{counted(len(wrong), 'claim')} not as it should be: {', '.join(wrong[:5])}"
        verdict += " ..." if len(wrong) > 5 else ""
    say(f"{told}: {verdict}", sys.stdout)
    return int(bool(wrong))


class _Row:
    """A claim with what all sizes together say of it."""

    def __init__(self, name: str, status: str, tallies: dict[str, Tally]) -> None:
        from exactsched.campaign import Tally

        self.name = name
        self.tally = sum(tallies.values(), Tally())
        self.verdict = _verdict(status, tallies, self.tally)


def _verdict(status: str, tallies: dict[str, Tally], tally: Tally) -> str:
    from exactsched.campaign.blocks import COUNTEREXAMPLE, FAILURES, WRONG
    from exactsched.campaign.report import as_it_should_be

    failed = [f"{tally.counts[kind]:,} {kind}" for kind in FAILURES if tally.counts.get(kind)]
    right = all(as_it_should_be(status, size, part) for size, part in tallies.items())
    if status != WRONG:
        return "holds" if right else ", ".join(failed)
    if not right:
        return ", ".join(["not refuted as it should be", *failed])
    if COUNTEREXAMPLE not in tallies:
        return "its counterexample is in another shard"
    others = tally.failed - tallies[COUNTEREXAMPLE].failed
    return "refuted as it should be" + (f", and by {others:,} others" if others else "")


def _rows(report: Report) -> list[_Row]:
    grouped: dict[str, dict[str, Tally]] = {}
    for (name, size), tally in report.tallies.items():
        grouped.setdefault(name, {})[size] = tally
    return [
        _Row(name, report.statuses[name], grouped[name])
        for name in report.campaign.claims
        if name in grouped
    ]


def _summary(report: Report, rows: list[_Row], wrong: list[str], saved: list[Path]) -> Any:
    results = [
        {"claim": row.name, "verdict": row.verdict, "instances": row.tally.instances}
        | {"beside": row.tally.counts.get("beside", 0), "failed": row.tally.failed}
        for row in rows
    ]
    return {
        "verified": not wrong,
        "complete": report.complete,
        "instances": sum(row.tally.instances for row in rows),
        "wrong": wrong,
        "results": results,
        "counterexamples": [str(path) for path in saved],
    }


class _CampaignProgress(Progress):
    """How far a campaign has come, how fast it goes, and how long it will take."""

    def __enter__(self) -> _CampaignProgress:
        super().__enter__()
        self.done = self.resumed = self.lost = 0
        self._start = monotonic()
        self._drawn = -_REDRAWN
        return self

    @property
    def seconds(self) -> float:
        return monotonic() - self._start

    def told(self, standing: Standing) -> None:
        self.done, self.resumed, self.lost = standing.done, standing.resumed, standing.lost
        seconds = self.seconds
        if seconds - self._drawn < _REDRAWN:
            return
        self._drawn = seconds
        line = f"{standing.done:,} of {standing.total:,} instances"
        rate = (standing.done - standing.resumed) / max(seconds, 1e-9)
        if rate:
            left = (standing.total - standing.done) / rate
            line += f", {rate:,.0f} a second, {_duration(left)} left"
        if standing.failed:
            line += f", {standing.failed:,} failed"
        self._say(line)

    def saving(self, count: int) -> None:
        if count:
            self._say(f"making {counted(count, 'counterexample')} smaller")


def _duration(seconds: float) -> str:
    """Seconds, minutes or hours, as one says it.

    >>> _duration(2.34), _duration(61), _duration(7300)
    ('2.3 s', '1 min 1 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def _library(options: Namespace) -> str:
    from exactsched.campaign.blocks import LIBRARY

    return str(options.library or LIBRARY)


def _named(options: Namespace) -> list[Claim]:
    from exactsched.campaign.blocks import claims_of
    from exactsched.theorems import claims_named

    return claims_named(options.claims, claims_of(_library(options)))


def _whole(written: str, option: str) -> int:
    number = whole_from_0(written, option)
    if number >= 2**53:
        raise InvalidInput(option, written, "a whole number below 2^53")
    return number


def _shard(written: str | None) -> tuple[int, int]:
    if written is None:
        return 1, 1
    parts = written.split("/")
    if len(parts) != 2:
        raise InvalidInput("--shard", written, "K/N, such as 1/4")
    number, shards = (whole(part, "--shard") for part in parts)
    if number > shards:
        raise InvalidInput("--shard", written, "K/N with K from 1 to N")
    return number, shards


def _folder(options: Namespace) -> Path:
    if options.counterexamples is None:
        return Path(options.report).parent if options.report else Path()
    folder = Path(options.counterexamples)
    if not folder.is_dir():
        raise InvalidInput("--counterexamples", str(folder), "there is no such folder")
    return folder
