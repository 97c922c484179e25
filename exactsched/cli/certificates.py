"""The commands that read: `check`, `simulate`, `draw`, and the list of `platforms`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactsched.cli.arguments import Commands, add_look, positive, whole, writable
from exactsched.cli.plans import add_comparison, check_files
from exactsched.cli.terminal import say, working
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact, to_json

# Sent on an overlay if no number is given.
PACKETS = 1000


def add_certificate_commands(commands: Commands) -> None:
    check = commands.add_parser("check", help="the independent checker")
    check.add_argument(
        "files", nargs="+", metavar="FILE", help="certificates, or plans in MSCCL's XML"
    )
    check.add_argument(
        "--kernel", action="store_true", help="ask the checkers that are proved in Rocq"
    )
    check.add_argument(
        "--theorem", action="store_true", help="write a file for Rocq that proves what FILE states"
    )
    check.add_argument("-o", "--output", metavar="T.v", help="where to write the theorem")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    add_comparison(check)
    check.set_defaults(command=_check)

    simulate = commands.add_parser("simulate", help="play a certificate's schedule event by event")
    simulate.add_argument("file", metavar="FILE", help="a certificate")
    simulate.add_argument(
        "--operations",
        "--items",
        "--messages",
        dest="operations",
        metavar="M",
        help="how many operations of a series, items of an endless LogP schedule, or packets on an"
        f" overlay (there {PACKETS} if not given)",
    )
    simulate.add_argument(
        "--rate", metavar="R", help="items per time unit on an overlay (default: its throughput)"
    )
    simulate.add_argument("--seed", metavar="S", help="of what is drawn on an overlay (default: 0)")
    simulate.add_argument(
        "--engine",
        choices=["exact", "simgrid"],
        default="exact",
        help="simgrid: replay the schedule on SimGrid and compare all dates (default: %(default)s)",
    )
    simulate.add_argument("--json", action="store_true", help="print one JSON object")
    simulate.set_defaults(command=_simulate)

    draw = commands.add_parser(
        "draw", help="a picture, a page or a trace of a certificate; or a picture of a platform"
    )
    draw.add_argument("file", metavar="FILE", help="a certificate, or a PLATFORM")
    draw.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="X",
        help="X.svg, X.pdf, X.png, the page X.html, or X.json for Perfetto (not of platforms)",
    )
    draw.add_argument(
        "--panel",
        metavar="NAME",
        help="this part of the picture alone: graph, gantt, trees, why, ...; any other word lists"
        " the panels of FILE",
    )
    draw.add_argument("--title", metavar="TEXT", help="the headline (default: what was asked)")
    add_look(draw)
    draw.set_defaults(command=_draw)

    platforms = commands.add_parser("platforms", help="the built-in platforms")
    platforms.add_argument("--json", action="store_true", help="print one JSON object")
    platforms.set_defaults(command=_platforms)


def _check(options: Namespace) -> int:
    from exactsched.cli.kernel import check_with_kernel, write_theorem

    if options.theorem:
        return write_theorem(options)
    if options.output:
        raise InvalidInput("--output", options.output, "goes with --theorem only")
    if options.kernel:
        return check_with_kernel(options.files, options.json)
    return check_files(options)


def _simulate(options: Namespace) -> None:
    from exactsched.certificate import read_certificate

    count = None if options.operations is None else whole(options.operations, "--operations")
    document = read_certificate(options.file)
    kind = str(document.get("kind"))
    if options.engine == "simgrid":
        return _replay(document, count, options.json)
    for option, value in (("--rate", options.rate), ("--seed", options.seed)):
        if value is not None and kind != "overlay":
            raise InvalidInput(option, value, "goes with overlays only")
    if kind == "overlay":
        _play_on_overlay(document, PACKETS if count is None else count, options)
    elif kind == "rounds":
        if count is not None:
            raise InvalidInput("--operations", count, "a run in steps has its own packets")
        _play_in_steps(document, options.json)
    elif kind.startswith("logp-"):
        _play_on_logp(document, count, options.json)
    else:
        _play_on_platform(document, count, options.json)
    return None


def _replay(document: dict[str, Any], operations: int | None, as_json: bool) -> None:
    from exactsched.export.simgrid import replay

    report = replay(document, operations)
    if as_json:
        summary = {
            "makespan": to_json(report.makespan),
            "simgrid": report.simgrid,
            "works": report.works,
            "difference": report.difference,
        }
        print(json.dumps(summary))
    else:
        say(str(report), sys.stdout)


def _play_on_overlay(document: dict[str, Any], packets: int, options: Namespace) -> None:
    """Without the plan of the overlay: who sends draws what (Massoulie et al. 2007)."""
    from exactsched.certificate import parse
    from exactsched.certificate.overlay import Overlay
    from exactsched.check import check
    from exactsched.simulation.peers import decentralized

    rate = None if options.rate is None else positive(options.rate, "--rate")
    seed = Fraction(0) if options.seed is None else exact(options.seed, "--seed")
    if seed.denominator != 1:
        raise InvalidInput("--seed", options.seed, "a whole number")
    overlay = parse(document)
    assert isinstance(overlay, Overlay)
    check(document)
    report = decentralized(overlay, packets, seed=seed.numerator, rate=rate)
    if options.json:
        summary = {
            "packets": report.packets,
            "rate": to_json(report.rate),
            "throughput": to_json(report.throughput),
            "slowest": to_json(min(report.rates)),
            "backlog": report.backlogs[-1],
            "makespan": to_json(report.makespan),
        }
        print(json.dumps(summary))
    else:
        say(str(report), sys.stdout)


def _play_on_logp(document: dict[str, Any], items: int | None, as_json: bool) -> None:
    from exactsched.simulation.logp import simulate_logp

    report = simulate_logp(document, items=items)
    if as_json:
        summary = {"time": to_json(report.time), "messages": report.messages}
        print(json.dumps(summary | {"under_way": report.under_way}))
    else:
        say(str(report), sys.stdout)


def _play_in_steps(document: dict[str, Any], as_json: bool) -> None:
    from exactsched.simulation.synchronous import simulate_rounds

    report = simulate_rounds(document)
    if as_json:
        summary = {
            "steps": report.steps,
            "packets": report.packets,
            "transfers": report.transfers,
            "informed": report.informed,
            "first_packet": report.first_packet,
            "first_complete": report.first_complete,
            "mean_active": to_json(report.mean_active),
            "most_active": report.most_active,
            "utilization": to_json(report.utilization),
        }
        print(json.dumps(summary))
    else:
        for line in str(report).splitlines():
            say(line, sys.stdout)


def _play_on_platform(document: dict[str, Any], operations: int | None, as_json: bool) -> None:
    from exactsched.simulation import simulate

    with working("the simulation"):
        report = simulate(document, operations)
    if as_json:
        summary = {
            "makespan": to_json(report.makespan),
            "operations": report.operations,
            "rate": to_json(report.rate),
            "throughput": to_json(report.throughput),
            "limit": None if report.limit is None else to_json(report.limit),
        }
        print(json.dumps(summary))
    else:
        for line in str(report).splitlines():
            say(line, sys.stdout)


def _draw(options: Namespace) -> None:
    from exactsched.drawing import draw
    from exactsched.platforms.files import load_platform

    writable(options.output, options.file, picture=True)
    names = ("panel", "width", "font_size", "title")
    look = {name: getattr(options, name) for name in names}
    if _is_platform(options.file):
        platform = load_platform(options.file)
        with working("the picture"):
            draw(platform, options.output, **look)
        say(f"{options.output}: {platform}", sys.stdout)
        return
    from exactsched.certificate import read_certificate
    from exactsched.check import check

    document = read_certificate(options.file)
    claim: object
    if document.get("kind") == "counterexample":  # `verify --replay` checks it again
        claim = f"{document.get('claim')}: {document.get('reason')}"
    else:
        with working("the check"):
            claim = check(document)
    with working("the picture"):
        draw(document, options.output, **look)
    say(f"{options.output}: {claim}", sys.stdout)


def _is_platform(name: str) -> bool:
    """Whether a platform is named, and no certificate: by what a file says, not by its name."""
    from exactsched.exact.exact_json import file_text
    from exactsched.platforms.built_in import is_built_in
    from exactsched.platforms.files import MAX_BYTES

    path = Path(name)
    if is_built_in(name) or not path.exists():
        return path.suffix.lower() not in (".json", ".gz")
    try:
        written = file_text(path, "platform", MAX_BYTES)
        document = {"nodes": ()} if written.lstrip().startswith("<") else json.loads(written)
    except (InvalidInput, ValueError, RecursionError):  # packed, or refused as a certificate
        return False
    return isinstance(document, dict) and "nodes" in document and "kind" not in document


def _platforms(options: Namespace) -> None:
    from exactsched.platforms.built_in import catalog

    families = catalog()
    if options.json:
        print(json.dumps({"platforms": [family._asdict() for family in families]}))
        return
    width = max(len(family.pattern) for family in families)
    for family in families:
        example = "" if family.example == family.pattern else f" (such as {family.example})"
        print(f"{family.pattern:<{width}}  {family.description}{example}")
