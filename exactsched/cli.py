"""The command line: ask for an optimum, check a certificate, play it, draw it.

Exit codes: 0 done, 1 refuted or rejected, 2 bad input (one line on standard error).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from exactsched.errors import InvalidInput, Rejected
from exactsched.problem import PORTS
from exactsched.rational import exact, to_json

if TYPE_CHECKING:
    from exactsched.check.claim import RunClaim, SeriesClaim
    from exactsched.finite_run import FiniteRun
    from exactsched.platform import Node, Platform
    from exactsched.steady_state import BroadcastSolution

DONE, REFUTED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
# Thirty years in seconds: a longer time limit is none, and may not fit into a float.
LONGEST = Fraction(10**9)
# Numbers from here on have too many digits for a column of a table.
WIDE = 10**12


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.command(options)
        print(end="", flush=True)
        return code
    except Rejected as error:
        return _complain(error, REFUTED)
    except InvalidInput as error:
        return _complain(error, BAD_INPUT)
    except OSError as error:
        place = error.filename
        if place is None:
            place = "standard output"
            # What is left in its buffer would make Python complain again when it exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # the reader has left
                return DONE
        return _complain(f"{place}: {error.strerror}: cannot be written", BAD_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)


def _complain(error: object, code: int) -> int:
    _say(f"exactsched: {error}", sys.stderr)
    return code


def _say(line: str, stream: TextIO | None) -> None:
    """One line whatever names are in it: no line breaks, escapes or lone surrogates."""
    if stream is None:  # closed by whoever started this process
        return
    visible = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    encoding = stream.encoding or "ascii"
    print(visible.encode(encoding, "backslashreplace").decode(encoding), file=stream)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, too."""

    def error(self, message: str) -> NoReturn:
        self.exit(_complain(f"{message} (see {self.prog} --help)", BAD_INPUT))


def _parser() -> _Parser:
    from exactsched import __version__

    parser = _Parser(
        prog="exactsched",
        description="Certified optimal communication schedules, in exact arithmetic.",
        epilog="PLATFORM is a built-in name such as grid:4x4 (see `exactsched platforms`), or a"
        " file: networkx node-link JSON or GraphML, arcs with an attribute `cost`.",
    )
    parser.add_argument("--version", action="version", version=f"exactsched {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    asked = commands.add_parser(
        "broadcast", help="the best way to send messages from one node to all others"
    )
    asked.add_argument("platform", metavar="PLATFORM", help="a built-in name or a file")
    asked.add_argument("--source", required=True, metavar="ID", help="the node that sends")
    asked.add_argument(
        "--ports", choices=PORTS, default="one-port", help="the port model (default: %(default)s)"
    )
    asked.add_argument(
        "--restrict", choices=("tree", "dag"), help="use the arcs of one tree, or of one DAG, only"
    )
    what = asked.add_mutually_exclusive_group()
    what.add_argument("--packets", metavar="M", help="a finite run of M unit-size messages")
    what.add_argument("--within", metavar="K", help="as many messages as fit into K time units")
    what.add_argument("--size", metavar="L", help="one message of size L, cut into packets")
    what.add_argument(
        "--whole", action="store_true", help="a period in which no message is interrupted"
    )
    asked.add_argument(
        "--time-limit", metavar="SECONDS", help="for --restrict: then give an interval instead"
    )
    asked.add_argument("-o", "--output", metavar="FILE", help="write the certificate here")
    asked.add_argument("--json", action="store_true", help="print one JSON object")
    asked.set_defaults(command=_broadcast)

    ratio = commands.add_parser(
        "ratio", help="makespan over lower bound of a pipelined broadcast, for growing messages"
    )
    ratio.add_argument("platform", metavar="PLATFORM", help="arcs may have a `latency`")
    ratio.add_argument("--source", required=True, metavar="ID", help="the node that sends")
    ratio.add_argument("--ports", choices=PORTS, default="one-port", help="the port model")
    ratio.add_argument(
        "--sizes",
        default="1,10,100,1000,10000,100000,1000000",
        metavar="L,L,...",
        help="sizes of the message (default: %(default)s)",
    )
    ratio.add_argument("-o", "--output", metavar="X.svg", help="draw the curve here")
    ratio.add_argument("--json", action="store_true", help="print one JSON object")
    ratio.set_defaults(command=_ratio)

    check = commands.add_parser("check", help="the independent checker")
    check.add_argument("files", nargs="+", metavar="FILE", help="certificates")
    check.set_defaults(command=_check)

    simulate = commands.add_parser("simulate", help="play a certificate's schedule event by event")
    simulate.add_argument("file", metavar="FILE", help="a certificate")
    simulate.add_argument("--messages", metavar="M", help="how many, for a periodic schedule")
    simulate.add_argument("--json", action="store_true", help="print one JSON object")
    simulate.set_defaults(command=_simulate)

    draw = commands.add_parser("draw", help="a picture, a page or a trace of a certificate")
    draw.add_argument("file", metavar="FILE", help="a certificate")
    draw.add_argument(
        "-o", "--output", required=True, metavar="X", help="X.svg, X.html, or X.json for Perfetto"
    )
    draw.set_defaults(command=_draw)

    platforms = commands.add_parser("platforms", help="the built-in platforms")
    platforms.add_argument("--json", action="store_true", help="print one JSON object")
    platforms.set_defaults(command=_platforms)
    return parser


def _broadcast(options: argparse.Namespace) -> int:
    from exactsched.check import check_schedule

    platform, source = _asked(options)
    _writable(options.output, options.platform)
    if options.size is not None and options.restrict:
        raise InvalidInput("--restrict", options.restrict, "not together with --size")
    if options.time_limit is not None and not options.restrict:
        raise InvalidInput("--time-limit", options.time_limit, "goes with --restrict only")
    result: BroadcastSolution | FiniteRun
    finite: dict[str, Fraction | int] = {}
    if options.size is not None:
        from exactsched.pipelined import pipelined_broadcast

        size = _positive(options.size, "--size")
        result = pipelined_broadcast(platform, source, size, ports=options.ports)
    else:
        result = _steady_state(options, platform, source)
        if options.packets is not None:
            result, finite = _messages(result, _whole(options.packets, "--packets"))
        elif options.within is not None:
            result, finite = _within(result, _positive(options.within, "--within"))
        elif options.whole:
            result = result.whole()
    document = result.certificate()
    # What is printed is what the checker has just proved, not what the solver believes.
    claim = check_schedule(document)
    if options.output:
        from exactsched.certificate import write_certificate

        write_certificate(document, options.output)
    if options.json:
        numbers = {name: to_json(number) for name, number in finite.items()}
        print(json.dumps(_summary(result, claim) | numbers))
    else:
        _describe(result, claim, finite, options)
    return DONE


def _steady_state(
    options: argparse.Namespace, platform: Platform, source: Node
) -> BroadcastSolution:
    with _Progress() as progress:
        if options.restrict is None:
            from exactsched.steady_state import broadcast

            return broadcast(platform, source, ports=options.ports, progress=progress)
        if options.restrict == "tree":
            from exactsched.best_tree import broadcast_tree as solve
        else:
            from exactsched.best_dag import broadcast_dag as solve
        limit = None
        if options.time_limit is not None:
            limit = float(min(_positive(options.time_limit, "--time-limit"), LONGEST))
        return solve(platform, source, ports=options.ports, time_limit=limit, progress=progress)


def _messages(
    solution: BroadcastSolution, messages: int
) -> tuple[FiniteRun, dict[str, Fraction | int]]:
    """A run of so many messages, and what was known of its makespan beforehand."""
    from exactsched.finite_run import makespan_guarantee, run_messages

    run = run_messages(solution, messages)
    return run, {
        "guarantee": makespan_guarantee(solution, messages),
        "constant": solution.makespan_constant,
    }


def _within(
    solution: BroadcastSolution, horizon: Fraction
) -> tuple[FiniteRun | BroadcastSolution, dict[str, Fraction | int]]:
    """What is delivered by the horizon, and what no schedule passes.

    As an explicit run where that can be written down, by the periodic schedule otherwise.
    """
    from exactsched.certificate.limits import MAX_PACKETS
    from exactsched.check import check_schedule
    from exactsched.finite_run import MAX_TRANSFERS, run_within

    upper = check_schedule(solution.certificate()).bound
    at_most = floor(horizon * upper)
    transfers = at_most * (len(solution.problem.platform.nodes) - 1)
    shared: dict[str, Fraction | int] = {"at_most": at_most}
    shared["constant"] = solution.makespan_constant
    if solution.trees and (transfers > MAX_TRANSFERS or at_most > MAX_PACKETS):
        return solution, {"delivered": solution.messages_within(horizon), **shared}
    run = run_within(solution, horizon)
    return run, {"delivered": len(run.packets), **shared}


def _summary(
    result: BroadcastSolution | FiniteRun, claim: SeriesClaim | RunClaim
) -> dict[str, Any]:
    from exactsched.check.claim import RunClaim
    from exactsched.steady_state import BroadcastSolution

    summary: dict[str, Any] = {"optimal": claim.optimal, "bound": to_json(claim.bound)}
    if isinstance(claim, RunClaim):
        return {"makespan": to_json(claim.makespan), **summary, "packets": claim.packet_count}
    summary = {"throughput": to_json(claim.throughput), **summary}
    if isinstance(result, BroadcastSolution) and result.schedule:
        summary |= {
            "period": to_json(result.schedule.period),
            "trees": len(result.trees),
            "depth": result.depth,
            "makespan_constant": to_json(result.makespan_constant),
        }
    return summary


def _describe(
    result: BroadcastSolution | FiniteRun,
    claim: SeriesClaim | RunClaim,
    finite: dict[str, Fraction | int],
    options: argparse.Namespace,
) -> None:
    from exactsched.check.claim import shown
    from exactsched.steady_state import BroadcastSolution

    rows = [(options.platform, str(claim))]
    if isinstance(result, BroadcastSolution):
        schedule = result.schedule
        if schedule:
            trees = "1 tree" if len(result.trees) == 1 else f"{len(result.trees)} trees"
            whole = "no message is interrupted" if schedule.whole else "messages may be interrupted"
            rows += [
                ("schedule", f"period {shown(schedule.period)}, {trees}, {whole}"),
                (
                    "finite runs",
                    f"M messages take at most M * {shown(1 / result.throughput)} + "
                    f"{shown(result.makespan_constant)}, for every M",
                ),
            ]
    if "delivered" in finite:
        within = f"{shown(finite['delivered'])} messages by time {options.within}"
        others = f"of one {options.restrict} " if options.restrict else ""
        rows += [
            ("delivered", f"{within}, no schedule {others}more than {shown(finite['at_most'])}")
        ]
    if "guarantee" in finite:
        rows += [("known before", f"a makespan of at most {shown(finite['guarantee'])}")]
    rows += [("why", _reason(result))]
    if options.output:
        rows += [("certificate", options.output)]
    width = max(len(name) for name, _ in rows[1:])
    _say(f"{rows[0][0]}: {rows[0][1]}", sys.stdout)
    for name, value in rows[1:]:
        _say(f"  {name:<{width}}  {value}", sys.stdout)


def _reason(result: BroadcastSolution | FiniteRun) -> str:
    """The bound in a few words."""
    from exactsched.certificate.nouns import Leaf
    from exactsched.check.claim import shown
    from exactsched.steady_state import BroadcastSolution

    bound = result.bound if isinstance(result, BroadcastSolution) else result.leaf
    if not isinstance(bound, Leaf):
        return "every case of a branching is bounded by prices and cuts"
    if len(bound.cuts) == 1:
        start, stop, weight = bound.cuts[0]
        inside = list(map(str, bound.order[start:stop]))
        into = ", ".join(inside[:6]) + (", ..." if len(inside) > 6 else "")
        if not bound.prices:
            return f"no arc enters {{{into}}}"
        if len(bound.prices) == 1:
            ((port, price),) = bound.prices.items()
            return f"every message into {{{into}}} keeps {port} busy for {shown(weight / price)}"
    cuts = "1 cut" if len(bound.cuts) == 1 else f"{len(bound.cuts)} cuts"
    ports = "1 port" if len(bound.prices) == 1 else f"{len(bound.prices)} ports"
    return f"prices on {ports}, packed with {cuts}"


def _ratio(options: argparse.Namespace) -> int:
    from exactsched.pipelined import ratio_curve

    platform, source = _asked(options)
    _writable(options.output, options.platform)
    if options.output is not None and Path(options.output).suffix.lower() != ".svg":
        raise InvalidInput("-o", options.output, "the curve is drawn as a .svg file")
    sizes = [_positive(size, "--sizes") for size in options.sizes.split(",")]
    points = ratio_curve(platform, source, sizes, ports=options.ports)
    if options.output:
        from exactsched.atomic import write_whole
        from exactsched.drawing import ratio_plot

        write_whole(options.output, ratio_plot([(point.size, point.ratio) for point in points]))
    if options.json:
        rows = [
            {
                "size": to_json(point.size),
                "packets": point.packets,
                "makespan": to_json(point.makespan),
                "bound": to_json(point.bound),
            }
            for point in points
        ]
        print(json.dumps({"points": rows}))
        return DONE
    print(f"{'size':>12} {'packets':>8} {'makespan':>16} {'bound':>16}  ratio")
    for point in points:
        print(
            f"{_decimal(point.size):>12} {point.packets:>8} {_decimal(point.makespan):>16} "
            f"{_decimal(point.bound):>16}  {_decimal(point.ratio, 4)}"
        )
    return DONE


def _decimal(number: Fraction, places: int = 2) -> str:
    """A rational to look at; "~" where digits were dropped."""
    if number.denominator == 1 and number < WIDE:
        return str(number)
    quotient = Decimal(number.numerator) / number.denominator
    return f"~{quotient:.{places}f}" if number < WIDE else f"~{quotient:.4e}"


def _check(options: argparse.Namespace) -> int:
    from exactsched.check.__main__ import main as check_files

    return check_files(options.files)


def _simulate(options: argparse.Namespace) -> int:
    from exactsched.simulation import simulate

    messages = None if options.messages is None else _whole(options.messages, "--messages")
    report = simulate(options.file, messages)
    if options.json:
        summary = {
            "makespan": to_json(report.makespan),
            "messages": report.messages,
            "rate": to_json(report.rate),
            "throughput": to_json(report.throughput),
            "limit": None if report.limit is None else to_json(report.limit),
        }
        print(json.dumps(summary))
    else:
        for line in str(report).splitlines():
            _say(line, sys.stdout)
    return DONE


def _draw(options: argparse.Namespace) -> int:
    from exactsched.certificate import read_certificate
    from exactsched.check import check_schedule
    from exactsched.drawing import draw

    _writable(options.output, options.file)
    document = read_certificate(options.file)
    claim = check_schedule(document)
    draw(document, options.output)
    _say(f"{options.output}: {claim}", sys.stdout)
    return DONE


def _platforms(options: argparse.Namespace) -> int:
    from exactsched.topologies import catalog

    families = catalog()
    if options.json:
        print(json.dumps({"platforms": [family._asdict() for family in families]}))
        return DONE
    width = max(len(family.pattern) for family in families)
    for family in families:
        example = "" if family.example == family.pattern else f" (such as {family.example})"
        print(f"{family.pattern:<{width}}  {family.description}{example}")
    return DONE


def _asked(options: argparse.Namespace) -> tuple[Platform, Node]:
    from exactsched.interchange import load_platform

    platform = load_platform(options.platform)
    return platform, platform.node_named(options.source, "--source")


def _writable(path: str | None, read: str) -> None:
    """Say at once, not after a long solution, that a file cannot be written.

    Nor may it be the one that is read: `draw X -o X.json` would replace a certificate.
    """
    if path is None:
        return
    folder = Path(path).parent
    if not folder.is_dir():
        raise InvalidInput("-o", path, f"there is no folder {folder}")
    if Path(path).is_dir():
        raise InvalidInput("-o", path, "this is a folder; name a file in it")
    if not os.access(folder, os.W_OK):
        raise InvalidInput("-o", path, f"the folder {folder} cannot be written to")
    if os.path.realpath(path) == os.path.realpath(read):
        raise InvalidInput("-o", path, "this is the file to be read; name another one")


def _whole(written: str, option: str) -> int:
    number = _positive(written, option)
    if number.denominator != 1:
        raise InvalidInput(option, written, "a whole number")
    return number.numerator


def _positive(written: str, option: str) -> Fraction:
    number = exact(written, option)
    if number <= 0:
        raise InvalidInput(option, written, "a positive number")
    return number


class _Progress:
    """One line on a terminal that says how close the bounds are; silence anywhere else."""

    def __enter__(self) -> _Progress:
        self._shown = False
        return self

    def __call__(self, rounds: int, lower: float, upper: float) -> None:
        if sys.stderr and sys.stderr.isatty():
            self._shown = True
            line = f"round {rounds}: {lower:.8g} <= throughput <= {upper:.8g}"
            print(f"\r{line:<70}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(f"\r{'':<70}\r", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
