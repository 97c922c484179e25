"""Synchronous rounds: the command `rounds`, and `broadcast` in half-duplex with packets."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from exactsched.cli.arguments import (
    Commands,
    add_output,
    nodes_named,
    seconds_in,
    whole,
    whole_from_0,
    writable,
)
from exactsched.cli.json_answer import print_json
from exactsched.cli.terminal import Progress, say_rows
from exactsched.exact.errors import InvalidInput
from exactsched.exact.words import counted

if TYPE_CHECKING:
    from exactsched.certificate.synchronous import SynchronousRun
    from exactsched.model.platform import Node, Platform
    from exactsched.synchronous.graph import SynchronousGraph

# The default number of retries of each block of steps, up to this number of transfers; beyond it,
# where one pass takes several seconds, there are none.
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


def add_steps(commands: Commands) -> None:
    asked = commands.add_parser(
        "rounds",
        help="packets from one node, several or all, to all nodes, step by step",
        description="Packets from some nodes to all nodes, step by step: a packet takes the cost"
        " of an arc, a whole number of steps, and a port has one transfer at a time.",
    )
    asked.add_argument("platform", metavar="PLATFORM", help="a built-in name or a file")
    asked.add_argument("--packets", required=True, metavar="N", help="their number at every source")
    where = asked.add_mutually_exclusive_group(required=True)
    where.add_argument("--source", metavar="ID,ID,...", help="the nodes with packets at first")
    where.add_argument("--allgather", action="store_true", help="all nodes have packets at first")
    asked.add_argument(
        "--ports",
        choices=("half-duplex", "one-port"),
        default="half-duplex",
        help="the port model (default: %(default)s)",
    )
    asked.add_argument(
        "--method",
        choices=("saturation", "balanced", "tree", "greedy", "scatter"),
        default="saturation",
        help="saturation: nearly the fewest steps (default); the others are those of the paper"
        " Balanced Saturation (2025), for one source, half-duplex, arcs of one step: balanced:"
        " frames in a cycle; tree: down one tree; greedy: to any neighbor that lacks something;"
        " scatter: shares down a tree, then neighbors share what they have",
    )
    asked.add_argument(
        "--effort",
        metavar="E",
        help="for saturation: retries for each block of steps (default: 16, or none for long runs)",
    )
    asked.add_argument(
        "--seed", metavar="S", help="of random choices (default: 0); not for balanced and tree"
    )
    asked.add_argument(
        "--time-limit", metavar="SECONDS", help="for saturation: then stop improving"
    )
    add_output(asked)
    asked.set_defaults(command=_steps)


def _steps(options: Namespace) -> None:
    from exactsched.platforms.files import load_platform
    from exactsched.synchronous.graph import synchronous_graph

    writable(options.output, options.platform)
    packets = whole(options.packets, "--packets")
    for name, value, methods in (
        ("--effort", options.effort, ("saturation",)),
        ("--time-limit", options.time_limit, ("saturation",)),
        ("--seed", options.seed, ("saturation", "greedy", "scatter")),
    ):
        if value is not None and options.method not in methods:
            raise InvalidInput(name, value, f"goes with --method {' or '.join(methods)} only")
    platform = load_platform(options.platform)
    sources = platform.nodes
    if not options.allgather:
        sources = nodes_named(platform, options.source, "--source")
    graph = synchronous_graph(platform, *sources)
    if options.method == "saturation":
        found = _saturation(graph, packets, options)
    else:
        found = _published(graph, packets, options)
    _answer(found, "allgather" if options.allgather else "broadcast", options)


def _published(graph: SynchronousGraph, packets: int, options: Namespace) -> SynchronousRun:
    """A run of an algorithm that the paper describes or compares itself with."""
    from exactsched.synchronous.saturation import MAX_TRANSFERS

    method = options.method
    if options.ports != "half-duplex":
        raise InvalidInput("--ports", options.ports, f"--method {method} is for half-duplex")
    if packets * len(graph.sources) * (graph.size - 1) > MAX_TRANSFERS:
        raise InvalidInput("--packets", packets, f"there are at most {MAX_TRANSFERS} transfers")
    try:
        if method == "balanced":
            from exactsched.synchronous.cyclic_plan import balanced_broadcast

            return balanced_broadcast(graph, packets)
        if method == "greedy":
            from exactsched.synchronous.baselines import greedy_broadcast

            return greedy_broadcast(graph, packets, seed=_seed(options))
        from exactsched.synchronous.baselines import early_tree, grid_tree, tree_broadcast

        # The paper has its trees on grids, from a corner; elsewhere one that is as quick at first.
        sides = _sides(options.platform)
        of_the_paper = sides and min(sides) >= 2 and graph.sources == (0,)
        tree = grid_tree(*sides) if of_the_paper else early_tree(graph)
        if method == "tree":
            return tree_broadcast(graph, packets, tree)
        from exactsched.synchronous.scatter_allgather import scatter_allgather

        return scatter_allgather(graph, packets, tree, seed=_seed(options))
    except InvalidInput as error:
        raise InvalidInput(f"--method {method}, {error.place}", error.value, error.rule) from error


def _sides(name: str) -> list[int]:
    """The sides of a built-in grid of two or three dimensions.

    >>> _sides("grid:4x4"), _sides("torus:4x4")
    ([4, 4], [])
    """
    if not re.fullmatch(r"grid:\d+(x\d+){1,2}", name):
        return []
    return [int(side) for side in name.removeprefix("grid:").split("x")]


def answer_in_steps(platform: Platform, source: Node, options: Namespace) -> None:
    """What `broadcast` says of packets in steps."""
    from exactsched.synchronous.graph import synchronous_graph

    packets = whole(options.packets, "--packets")
    found = _saturation(synchronous_graph(platform, source), packets, options)
    _answer(found, "broadcast", options)


def _saturation(graph: SynchronousGraph, packets: int, options: Namespace) -> SynchronousRun:
    from exactsched.synchronous.saturation import broadcast_in_rounds

    if options.effort is not None:
        effort = whole_from_0(options.effort, "--effort")
    else:
        received = packets * len(graph.sources) * graph.size
        effort = EFFORT if received <= MOST_TRIED_AGAIN else 0
    with Progress() as progress:
        return broadcast_in_rounds(
            graph,
            packets,
            options.ports,
            seed=_seed(options),
            effort=effort,
            time_limit=seconds_in(options),
            progress=progress.steps,
        )


def _seed(options: Namespace) -> int:
    return 0 if options.seed is None else whole_from_0(options.seed, "--seed")


def _answer(found: SynchronousRun, what: str, options: Namespace) -> None:
    from exactsched.check import check

    # What is printed is what the checker has just proved, not what the solver believes.
    claim = check(found)
    if options.output:
        from exactsched.certificate import write_certificate

        write_certificate(found, options.output)
    transfers = sum(map(len, found.sends))
    if options.json:
        summary = {"steps": claim.steps, "bound": claim.bound, "optimal": claim.optimal}
        more = {"packets": claim.packets, "transfers": transfers}
        print_json(summary | more, found, options)
        return
    mean = transfers / claim.steps if claim.steps else 0
    sent = f"{counted(transfers, 'transfer')}, {mean:.1f} in a step on average"
    rows = [(f"{what} in steps", str(claim)), ("sent", sent)]
    if options.output:
        rows.append(("certificate", options.output))
    say_rows(rows)
