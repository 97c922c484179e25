"""`verify`: campaigns that check theorems on random instances, and counterexamples again."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from exactsched.cli.arguments import Commands, positive, whole, whole_from_0, writable
from exactsched.cli.campaign_progress import CampaignProgress, duration
from exactsched.cli.terminal import INTERRUPTED, complain, say
from exactsched.exact.errors import InvalidInput
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from exactsched.campaign import Report
    from exactsched.campaign.outcomes import Outcome
    from exactsched.theorems import Claim

# The options of a campaign; those of claims belong to --list and --where as well.
_OF_A_RUN = {
    "instances": ("N", "of each size (default: 100)"),
    "size": ("S", "small, medium, large, or some: small,medium"),
    "seed": ("S", "of all instances (default: 0)"),
    "jobs": ("J", "processes (default: one for each processor)"),
    "shard": ("K/N", "every N-th block, from the K-th on"),
    "executor": ("E", "process (default), serial, dask, dask://HOST:PORT or mpi"),
    "report": ("F", "write the results here; the same command continues after a stop"),
    "counterexamples": (
        "DIR",
        "for their files, made if need be (default: the folder of the report)",
    ),
}


def add_verify(commands: Commands) -> None:
    asked = commands.add_parser(
        "verify",
        help="check theorems on random instances",
        description="Checks theorems on their corners and on random instances. ID is a theorem"
        " (konig.edge-coloring) or a paper (karp1993); without, all of them.",
    )
    asked.add_argument("claims", nargs="*", metavar="ID", help="theorems or papers; see --list")
    for name, (value, about) in _OF_A_RUN.items():
        asked.add_argument(f"--{name}", metavar=value, help=about)
    asked.add_argument("--limit", metavar="SECONDS", help="for one instance (default: 60)")
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
    others = {"list": _list, "where": _where, "replay": _replay, "merge": _merge}
    chosen = next((name for name in others if getattr(options, name)), None)
    if options.output and chosen != "merge":
        raise InvalidInput("-o", options.output, "goes with --merge; a campaign has --report")
    if chosen is None:
        return _run(options)
    for name in _OF_A_RUN:
        if getattr(options, name) is not None:
            raise InvalidInput(f"--{name}", getattr(options, name), f"not with --{chosen}")
    if options.claims and chosen in ("replay", "merge"):
        raise InvalidInput("ID", options.claims[0], f"not with --{chosen}")
    return others[chosen](options)


def _run(options: Namespace) -> int:
    from exactsched.campaign import verify
    from exactsched.campaign.saving import save_counterexamples

    claims = [one.id for one in _named(options)]
    instances = whole_from_0(
        "100" if options.instances is None else options.instances, "--instances"
    )
    seed = whole_from_0("0" if options.seed is None else options.seed, "--seed")
    limit = _limit(options)
    folder = _folder(options)
    writable(options.report, option="--report")
    with CampaignProgress() as progress:
        try:
            report = verify(
                claims,
                instances=instances,
                sizes=(options.size or "small").split(","),
                seed=seed,
                shard=_shard(options.shard or "1/1"),
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
    fresh = progress.done - progress.resumed
    took = f" in {duration(seconds)}, {fresh / max(seconds, 1e-9):,.0f} a second" if fresh else ""
    return _answer(options, report, saved, progress.lost, took)


def _interrupted(options: Namespace, progress: CampaignProgress) -> int:
    kept = "nothing is kept without --report"
    if options.report:
        kept = f"the same command continues with what is in {options.report}.journal"
    return complain(f"interrupted after {counted(progress.done, 'instance')}; {kept}", INTERRUPTED)


def _merge(options: Namespace) -> int:
    from exactsched.campaign import merged, read_report

    writable(options.output)
    report = merged([read_report(path) for path in options.merge])
    if options.output:
        report.write(options.output)
    return _answer(options, report, [])


def _answer(
    options: Namespace, report: Report, saved: list[Path], lost: int = 0, took: str = ""
) -> int:
    from exactsched.cli.campaign_results import results_json, say_results

    if options.json:
        print(results_json(report, saved))
    else:
        say_results(report, saved, lost, took)
    return int(bool(report.wrong()))


def _replay(options: Namespace) -> int:
    from exactsched.campaign.counterexample import read_counterexample
    from exactsched.campaign.isolation import close_children
    from exactsched.campaign.outcomes import FAILURES

    limit = _limit(options)
    found = read_counterexample(options.replay)
    # A file does not decide which module is imported.
    if found.library != _library(options):
        rule = f"the claim is in another module: add --library {found.library} if you trust it"
        raise InvalidInput("library", found.library, rule)
    try:
        outcome = found.replay(limit)
    finally:
        close_children()
    fails = outcome.kind in FAILURES
    if options.json:
        answer = {"claim": found.claim, "refuted": fails, "outcome": outcome.kind}
        print(json.dumps(answer | {"reason": outcome.reason, "facts": outcome.facts}))
        return int(fails)
    reason = f": {outcome.reason}" if outcome.reason else ""
    verdict = _in_words(outcome, found.failure)
    say(f"{options.replay}: {found.claim}: {verdict}{reason}", sys.stdout)
    for name, value in (outcome.facts or {}).items():
        say(f"  {name}: {json.dumps(value)}", sys.stdout)
    return int(fails)


def _in_words(outcome: Outcome, before: str) -> str:
    """What has become of a counterexample that failed in the way `before`."""
    from exactsched.campaign.outcomes import NOT_APPLICABLE

    if outcome.kind == before:
        return f"still {before}"
    words = {"held": "holds now", NOT_APPLICABLE: "does not meet the hypotheses"}
    return words.get(outcome.kind, f"{outcome.kind}, not {before} as before")


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


def _named(options: Namespace) -> list[Claim]:
    from exactsched.campaign.library import claims_of
    from exactsched.theorems import claims_named

    return claims_named(options.claims, claims_of(_library(options)))


def _library(options: Namespace) -> str:
    from exactsched.campaign.library import LIBRARY

    return str(options.library or LIBRARY)


def _limit(options: Namespace) -> float:
    from exactsched.campaign.campaign import LIMIT

    return float(LIMIT if options.limit is None else positive(options.limit, "--limit"))


def _shard(written: str) -> tuple[int, int]:
    number, slash, shards = written.partition("/")
    if not slash:
        raise InvalidInput("--shard", written, "K/N, such as 1/4")
    return whole(number, "--shard"), whole(shards, "--shard")


def _folder(options: Namespace) -> Path:
    """Where counterexamples go; a folder that is not there is made."""
    if options.counterexamples is None:
        return Path(options.report).parent if options.report else Path()
    folder = Path(options.counterexamples)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        rule = f"this folder cannot be made: {error.strerror}"
        raise InvalidInput("--counterexamples", str(folder), rule) from error
    return folder
