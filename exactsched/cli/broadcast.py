"""The commands `broadcast` and `ratio`."""

from __future__ import annotations

import json
from argparse import Namespace
from fractions import Fraction
from typing import TYPE_CHECKING

from exactsched.cli.answer import Numbers, Words, answer, as_asked, routes_said
from exactsched.cli.arguments import (
    Commands,
    add_latency,
    add_output,
    add_picture,
    add_ports,
    add_time_limit,
    look_of_picture,
    nodes_named,
    platform_and_source,
    positive,
    seconds_in,
    with_latency,
    writable,
)
from exactsched.cli.rounds import add_step_options, answer_in_steps, in_steps, refuse_step_options
from exactsched.cli.terminal import INTERRUPTED, Progress, decimal
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import to_json
from exactsched.model.problem import PORTS

if TYPE_CHECKING:
    from exactsched.model.platform import Node, Platform
    from exactsched.model.problem import Ports
    from exactsched.runs.finite_run import FiniteRun
    from exactsched.runs.pipelined import RatioPoint
    from exactsched.steady_state.solution import Solution


def add_broadcast(commands: Commands) -> None:
    asked = commands.add_parser(
        "broadcast", help="the best way to send messages from one node to all others"
    )
    asked.add_argument("platform", metavar="PLATFORM", help="a built-in name or a file")
    asked.add_argument("--source", required=True, metavar="ID", help="the node that sends")
    asked.add_argument(
        "--targets",
        metavar="ID,ID,...",
        help="the nodes that want the messages; all nodes but switches may send them on and copy"
        " them (default: all other nodes but switches)",
    )
    add_ports(asked)
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
    what.add_argument("--period", metavar="T", help="the best schedule found with this period")
    what.add_argument("--max-period", metavar="T", help="the best one with a period up to this")
    add_time_limit(asked, "then give an interval instead; in steps: then stop improving")
    add_step_options(asked)
    add_output(asked)
    asked.set_defaults(command=_broadcast)


def add_ratio(commands: Commands) -> None:
    ratio = commands.add_parser(
        "ratio", help="makespan over lower bound of a broadcast or an allgather, by size"
    )
    ratio.add_argument("platform", metavar="PLATFORM", help="arcs may have a `latency`")
    what = ratio.add_mutually_exclusive_group(required=True)
    what.add_argument("--source", metavar="ID", help="the node that sends: a pipelined broadcast")
    what.add_argument(
        "--allgather", action="store_true", help="an allgather among all nodes but switches"
    )
    ratio.add_argument(
        "--ports", choices=PORTS, help="the port model (default: one-port; for an allgather: link)"
    )
    add_latency(ratio)
    ratio.add_argument(
        "--sizes",
        metavar="L,L,...",
        help="sizes of the message, of an allgather those of all shards together (default: powers"
        " of ten from 1 to 10^6, for an allgather from 10^3 to 10^9)",
    )
    add_time_limit(ratio, "then give the sizes that are done")
    add_picture(ratio, "the curve")
    ratio.add_argument("--json", action="store_true", help="print one JSON object")
    ratio.set_defaults(command=_ratio)


def _broadcast(options: Namespace) -> int | None:
    platform, source = platform_and_source(options)
    writable(options.output, options.platform)
    if options.size is not None and options.restrict:
        raise InvalidInput("--restrict", options.restrict, "not together with --size")
    for option in ("size", "restrict"):
        if options.targets is not None and getattr(options, option) is not None:
            raise InvalidInput("--targets", options.targets, f"not together with --{option}")
    if options.targets is None and in_steps(platform, options):
        answer_in_steps(platform, source, options)
        return None
    refuse_step_options(options)
    result: Solution | FiniteRun
    finite: Numbers = {}
    interrupted = False
    if options.size is not None:
        from exactsched.runs.pipelined import pipelined_broadcast

        size = positive(options.size, "--size")
        with Progress(seconds_in(options)) as progress:
            result = pipelined_broadcast(
                platform, source, size, ports=options.ports, progress=progress.tried
            )
        interrupted = progress.interrupted
    else:
        # A restricted search has a limit of its own, which leaves time for a first bound.
        with Progress(None if options.restrict else seconds_in(options)) as progress:
            solution = _steady_state(options, platform, source, progress)
            result, finite = as_asked(solution, options.packets, "--packets", options, progress)
        interrupted = progress.interrupted
    others = f"of one {options.restrict} " if options.restrict else ""
    notes = routes_said(platform, options.ports)
    words = Words("message", "tree", "message", "packets", "trees", others, notes)
    answer(result, finite, words, options)
    return INTERRUPTED if interrupted else None


def _steady_state(
    options: Namespace, platform: Platform, source: Node, progress: Progress
) -> Solution:
    if options.restrict is None:
        from exactsched.steady_state.broadcast import broadcast

        targets = None
        if options.targets is not None:
            targets = nodes_named(platform, options.targets, "--targets")
        return broadcast(platform, source, targets, ports=options.ports, progress=progress)
    if options.restrict == "tree":
        from exactsched.steady_state.restricted.best_tree import broadcast_tree as solve
    else:
        from exactsched.steady_state.restricted.best_dag import broadcast_dag as solve
    seconds = seconds_in(options)
    return solve(platform, source, ports=options.ports, time_limit=seconds, progress=progress)


def _points(options: Namespace, sizes: list[Fraction], progress: Progress) -> list[RatioPoint]:
    if not options.allgather:
        from exactsched.runs.pipelined import ratio_curve

        platform, source = platform_and_source(options)
        platform = with_latency(platform, options.latency)
        ports: Ports = options.ports or "one-port"
        return ratio_curve(platform, source, sizes, ports=ports, progress=progress.sizes)
    from exactsched.platforms.files import load_platform
    from exactsched.runs.sized_allgather import allgather_curve

    if options.ports not in (None, "link"):
        raise InvalidInput("--ports", options.ports, "an allgather under link ports only")
    platform = with_latency(load_platform(options.platform), options.latency)
    return allgather_curve(platform, sizes, progress=progress.sizes)


def _ratio(options: Namespace) -> int | None:
    look = look_of_picture(options, options.platform, "curve")
    first = 3 if options.allgather else 0
    sizes = [Fraction(10) ** power for power in range(first, first + 7)]
    if options.sizes is not None:
        sizes = [positive(size, "--sizes") for size in options.sizes.split(",")]
    with Progress(seconds_in(options)) as progress:
        points = _points(options, sizes, progress)
    if options.output:
        from exactsched.drawing import ratio_plot
        from exactsched.drawing.printing import write_picture

        curve = [(point.size, point.ratio) for point in points]
        write_picture(options.output, ratio_plot(curve, **look))
    code = INTERRUPTED if progress.interrupted else None
    packets = "segments" if options.allgather else "packets"
    if options.json:
        rows = [
            {
                "size": to_json(point.size),
                packets: point.packets,
                "makespan": to_json(point.makespan),
                "bound": to_json(point.bound),
            }
            for point in points
        ]
        print(json.dumps({"points": rows}))
        return code
    print(f"{'size':>12} {packets:>8} {'makespan':>16} {'bound':>16}  ratio")
    for point in points:
        print(
            f"{decimal(point.size):>12} {point.packets:>8} {decimal(point.makespan):>16} "
            f"{decimal(point.bound):>16}  {decimal(point.ratio, 4)}"
        )
    return code
