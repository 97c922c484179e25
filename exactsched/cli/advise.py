"""The command `advise`: what more of a link or a port brings, and what its failure costs."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from exactsched.cli.arguments import (
    Commands,
    add_picture,
    add_ports,
    add_time_limit,
    look_of_picture,
    seconds_in,
)
from exactsched.cli.terminal import INTERRUPTED, Progress, say, say_rows
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import to_json
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from exactsched.linear_programs.column_generation import Progress as Told
    from exactsched.steady_state.advice import Advice
    from exactsched.steady_state.solution import Solution

_COLLECTIVES = (
    "broadcast",
    "scatter",
    "alltoall",
    "allgather",
    "reduce",
    "reduce-scatter",
    "allreduce",
)


def add_advise(commands: Commands) -> None:
    asked = commands.add_parser(
        "advise", help="what to buy: the exact gain of a faster link or port, the cost of a failure"
    )
    asked.add_argument("asked", metavar="FILE-or-PLATFORM", help="the certificate of a series, or")
    asked.add_argument(
        "--collective",
        choices=_COLLECTIVES,
        help="on this platform, among all its nodes but switches; reductions are order-free",
    )
    asked.add_argument("--source", metavar="ID", help="of a broadcast or a scatter")
    asked.add_argument("--target", metavar="ID", help="of a reduce")
    add_ports(asked)
    asked.set_defaults(ports=None)
    asked.add_argument(
        "--every", action="store_true", help="also what has no price: only its failure can matter"
    )
    add_time_limit(asked, "then give the rows that are done")
    add_picture(asked, "the throughputs")
    asked.add_argument("--json", action="store_true", help="print one JSON object")
    asked.set_defaults(command=_advise)


def _advise(options: Namespace) -> int | None:
    from exactsched.check import check_schedule
    from exactsched.steady_state.advice import Advice, advise

    look = look_of_picture(options, options.asked, "bars")
    checked = 0

    def resolved(solution: Solution) -> None:
        nonlocal checked
        claim: Any = check_schedule(solution.certificate())
        if claim.bound != solution.throughput or not claim.optimal:
            raise ArithmeticError("the checker proves another optimum")
        checked += 1

    with Progress(seconds_in(options)) as progress:
        solution = _solution(options, progress)
        claim = check_schedule(solution.certificate())
        # Where the optimum is not known, because the search was ended, there is nothing to advise.
        early = progress.ended and not solution.optimal
        advice = Advice(solution, ())
        if not early:
            advice = advise(
                solution, every=options.every, resolved=resolved, progress=progress.rows
            )
    code = INTERRUPTED if progress.interrupted else None
    if options.output and advice.rows:
        from exactsched.drawing import advice_chart
        from exactsched.drawing.printing import write_picture

        bars = [(row.item.name, row.without, row.one_more) for row in advice.rows]
        chart = advice_chart(options.asked, advice.throughput, bars, **look)
        write_picture(options.output, chart)
    if options.json:
        print(json.dumps(_summary(advice) | {"checked": checked}))
    elif early:
        say_rows([(options.asked, str(claim)), ("advice", "none: the search was ended before")])
    else:
        _say(advice, str(claim), checked, options)
    return code


def _solution(options: Namespace, progress: Told) -> Solution:
    """That of a certificate, or of the collective on the platform."""
    if options.collective is None:
        for option in ("source", "target", "ports"):
            if getattr(options, option) is not None:
                rule = f"goes with a platform: --collective {'|'.join(_COLLECTIVES)}"
                raise InvalidInput(f"--{option}", getattr(options, option), rule)
        return _of_certificate(options.asked)
    from exactsched.platforms.files import load_platform
    from exactsched.steady_state.allgather_any_ports import allgather
    from exactsched.steady_state.alltoall import alltoall, scatter
    from exactsched.steady_state.broadcast import broadcast
    from exactsched.steady_state.combination import (
        order_free_allreduce,
        order_free_reduce,
        reduce_scatter,
    )

    platform = load_platform(options.asked)
    own = [node for node in platform.nodes if node not in platform.switches]
    ends = {"source": ("broadcast", "scatter"), "target": ("reduce",)}
    for option, used in ends.items():
        name = getattr(options, option)
        if (name is not None) != (options.collective in used):
            rule = f"is for {' and '.join(used)}, and needed there"
            raise InvalidInput(f"--{option}", name or "missing", rule)
    ports: Any = options.ports or ("link" if options.collective == "allgather" else "one-port")
    if options.collective == "allgather":
        return allgather(platform, ports=ports, progress=progress)
    if options.collective == "alltoall":
        pairs = [(one, other) for one in own for other in own if one != other]
        return alltoall(platform, pairs, ports=ports, progress=progress)
    if options.collective == "reduce-scatter":
        return reduce_scatter(platform, ports=ports, progress=progress)
    if options.collective == "allreduce":
        return order_free_allreduce(platform, ports=ports, progress=progress)
    if options.collective == "reduce":
        target = platform.node_named(options.target, "--target")
        return order_free_reduce(platform, target, ports=ports, progress=progress)
    source = platform.node_named(options.source, "--source")
    if options.collective == "broadcast":
        return broadcast(platform, source, ports=ports, progress=progress)
    others = [node for node in own if node != source]
    return scatter(platform, source, others, ports=ports, progress=progress)


def _of_certificate(path: str) -> Solution:
    from exactsched.certificate import parse, read_certificate
    from exactsched.certificate.collectives import Series
    from exactsched.certificate.compact_series import CompactSeries
    from exactsched.platforms.built_in import is_built_in
    from exactsched.steady_state.solution import solution_of

    document = None if is_built_in(path) else read_certificate(path)
    if document is None or "kind" not in document:
        rule = f"a platform needs --collective {'|'.join(_COLLECTIVES)}; a certificate does not"
        raise InvalidInput("FILE-or-PLATFORM", path, rule)
    stated = parse(document)
    if not isinstance(stated, (Series, CompactSeries)):
        rule = "prices are those of an endless series: a certificate without -M or --within"
        raise InvalidInput(path, document["kind"], rule)
    return solution_of(stated)


def _summary(advice: Advice) -> dict[str, Any]:
    rows = [
        {
            "item": row.item.name,
            "resources": [name for name, _ in row.item.units],
            "gain": to_json(row.gain),
            "until": None if row.until is None else to_json(row.until),
            "one_more": to_json(row.one_more),
            "without": to_json(row.without),
            "reached": row.reached,
        }
        for row in advice.rows
    ]
    return {
        "throughput": to_json(advice.throughput),
        "bound": to_json(advice.solution.bound),
        "optimal": advice.solution.optimal,
        "unit": advice.unit,
        "rows": rows,
        "left_out": advice.left_out,
    }


def _say(advice: Advice, claim: str, checked: int, options: Namespace) -> None:
    from exactsched.check.proved import shown

    one = "unit of bandwidth" if advice.unit == "bandwidth" else "port"
    notes = [
        (options.asked, claim),
        ("gain", f"throughput per {one} more, exactly; it holds for as many more as stated"),
        ("proof", _proof(advice, checked)),
    ]
    if advice.left_out:
        told = f"nothing is said of {counted(advice.left_out, 'other item')}: ended before"
        notes.append(("left out", told))
    if not all(row.reached for row in advice.rows):
        notes.append(("*", "no schedule is known that reaches these: bounds by cuts"))
    if options.output:
        notes.append(("picture", options.output))
    say_rows(notes)
    table = [("", "gain", "holds for", f"with one {one} more", "without it")]
    for row in advice.rows:
        until = "ever" if row.until is None else shown(row.until)
        name = row.item.name if row.reached else f"{row.item.name} *"
        cells = (shown(row.gain), until, shown(row.one_more), shown(row.without))
        table.append((name, *cells))
    widths = [max(len(line[column]) for line in table) for column in range(5)]
    for line in table:
        right = [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        say("  ".join([line[0].ljust(widths[0]), *right]).rstrip(), sys.stdout)


def _proof(advice: Advice, checked: int) -> str:
    """What has been verified, and what is an optimum that no certificate states."""
    certificates = f"{counted(checked, 'certificate')} of changed platforms checked"
    if advice.unit == "bandwidth":
        return f"all values are exact optima; {certificates}"
    return f"more ports: optima of packings; without: exact optima, {certificates}"
