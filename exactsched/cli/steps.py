"""Packets of unit time on half-duplex ports: a schedule step by step."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from exactsched.cli.arguments import positive, whole, whole_from_0
from exactsched.cli.terminal import Progress, counted, say_rows
from exactsched.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.platform import Node, Platform

# Retries of each block of steps, if nothing else is said, up to so many transfers; beyond that,
# where one pass takes several seconds, none.
EFFORT = 16
MOST_TRIED_AGAIN = 300_000


def add_step_options(asked: ArgumentParser) -> None:
    asked.add_argument(
        "--effort",
        metavar="E",
        help="half-duplex with --packets: retries for each block of steps (default: 16, or none"
        " for long runs)",
    )
    asked.add_argument(
        "--seed", metavar="S", help="half-duplex with --packets: of random choices (default: 0)"
    )


def in_steps(platform: Platform, options: Namespace) -> bool:
    """Whether packets are sent step by step: half-duplex ports, whole numbers of steps on arcs."""
    return (
        options.packets is not None
        and options.ports == "half-duplex"
        and not options.restrict
        and all((arc.cost + arc.latency).denominator == 1 for arc in platform.arcs)
    )


def refuse_step_options(options: Namespace) -> None:
    """Where nothing is done in steps there is nothing to try again."""
    for name, value in (("--effort", options.effort), ("--seed", options.seed)):
        if value is not None:
            rule = "goes with --ports half-duplex and --packets, on arcs of whole numbers of steps"
            raise InvalidInput(name, value, rule)


def answer_in_steps(platform: Platform, source: Node, options: Namespace) -> None:
    from exactsched.check import check
    from exactsched.steps.graph import step_graph
    from exactsched.steps.saturation import broadcast_in_steps

    packets = whole(options.packets, "--packets")
    if options.effort is not None:
        effort = whole_from_0(options.effort, "--effort")
    else:
        effort = EFFORT if packets * len(platform.nodes) <= MOST_TRIED_AGAIN else 0
    seed = 0 if options.seed is None else whole_from_0(options.seed, "--seed")
    limit = None
    if options.time_limit is not None:
        limit = float(positive(options.time_limit, "--time-limit"))
    with Progress() as progress:
        found = broadcast_in_steps(
            step_graph(platform, source),
            packets,
            options.ports,
            seed=seed,
            effort=effort,
            time_limit=limit,
            progress=progress.steps,
        )
    # What is printed is what the checker has just proved, not what the solver believes.
    claim = check(found)
    if options.output:
        from exactsched.certificate import to_document, write_certificate

        write_certificate(to_document(found), options.output)
    transfers = sum(len(row) for row in found.sends) // 2
    if options.json:
        summary = {"steps": claim.steps, "bound": claim.bound, "optimal": claim.optimal}
        print(json.dumps(summary | {"packets": claim.packets, "transfers": transfers}))
        return
    mean = transfers / claim.steps if claim.steps else 0
    sent = f"{counted(transfers, 'transfer')}, {mean:.1f} in a step on average"
    rows = [("broadcast in steps", str(claim)), ("sent", sent)]
    if options.output:
        rows.append(("certificate", options.output))
    say_rows(rows)
