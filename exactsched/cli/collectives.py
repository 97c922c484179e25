"""The commands `scatter`, `alltoall`, `reduce`, `prefix` and `allreduce`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from exactsched.cli.answer import Words, answer, as_asked
from exactsched.cli.arguments import (
    Commands,
    add_output,
    add_ports,
    compute_times,
    nodes_named,
    numbers_in,
    positive,
    writable,
)
from exactsched.cli.terminal import Progress, say
from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.model.platform import Node, Platform
    from exactsched.steady_state.solution import Solution


def add_collectives(commands: Commands) -> None:
    scatter = _command(
        commands, "scatter", "the best way to send a message of its own to every target", _scatter
    )
    scatter.add_argument("--source", required=True, metavar="ID", help="the node that sends")
    scatter.add_argument("--targets", metavar="ID,ID,...", help="default: all other nodes")
    scatter.add_argument("--sizes", metavar="Q,Q,...", help="one for each target (default: 1)")

    alltoall = _command(
        commands,
        "alltoall",
        "the best way to send a message from every source to every target",
        _alltoall,
    )
    alltoall.add_argument("--sources", metavar="ID,ID,...", help="default: all nodes")
    alltoall.add_argument("--targets", metavar="ID,ID,...", help="default: all nodes")
    alltoall.add_argument("--size", default="1", metavar="Q", help="of every message (default: 1)")

    reduce = _command(
        commands, "reduce", "combine a value of every participant, in order, at the target", _reduce
    )
    reduce.add_argument("--target", required=True, metavar="ID", help="gets the result")
    prefix = _command(
        commands, "prefix", "every participant gets the result up to its own value", _shared
    )
    allreduce = _command(
        commands, "allreduce", "every participant gets the result of all values", _shared
    )
    for asked in (reduce, prefix, allreduce):
        asked.add_argument(
            "--participants",
            metavar="ID,ID,...",
            help="the owners of the values, in order (default: nodes with an attribute `index`)",
        )
        asked.add_argument(
            "--size", default="1", metavar="Q", help="of every partial result (default: 1)"
        )
        asked.add_argument(
            "--compute",
            metavar="TIME",
            help="how long a node takes to combine two values: one time for all nodes, or"
            " NODE=TIME,NODE=TIME,... (default: the attribute `compute` of the nodes)",
        )


def _command(
    commands: Commands, name: str, about: str, solve: Callable[..., Solution]
) -> ArgumentParser:
    asked: ArgumentParser = commands.add_parser(name, help=about)
    asked.add_argument("platform", metavar="PLATFORM", help="a built-in name or a file")
    add_ports(asked)
    what = asked.add_mutually_exclusive_group()
    what.add_argument("--operations", metavar="M", help=f"a finite run of M operations ({name})")
    what.add_argument("--within", metavar="K", help="as many operations as fit into K time units")
    what.add_argument("--whole", action="store_true", help="a period in which nothing is split")
    what.add_argument("--period", metavar="T", help="the best schedule found with this period")
    what.add_argument("--max-period", metavar="T", help="the best one with a period up to this")
    asked.add_argument("--show", action="store_true", help="print the routes or reduction trees")
    add_output(asked)
    asked.set_defaults(command=_collective, solve=solve, name=name)
    return asked


def _scatter(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.alltoall import scatter

    source = platform.node_named(options.source, "--source")
    targets = _nodes_or_all(platform, options.targets, "--targets", [source])
    sizes = None
    if options.sizes is not None:
        sizes = numbers_in(options.sizes, "--sizes")
        if len(sizes) != len(targets):
            raise InvalidInput("--sizes", options.sizes, f"one size for each of the {len(targets)}")
    return scatter(platform, source, targets, sizes=sizes, ports=options.ports, progress=progress)


def _alltoall(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.alltoall import alltoall

    size = positive(options.size, "--size")
    sources = _nodes_or_all(platform, options.sources, "--sources")
    targets = _nodes_or_all(platform, options.targets, "--targets")
    pairs = [(one, other, size) for one in sources for other in targets if one != other]
    return alltoall(platform, pairs, ports=options.ports, progress=progress)


def _reduce(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.reduce import reduce

    return reduce(
        platform,
        _participants(platform, options.participants),
        platform.node_named(options.target, "--target"),
        size=positive(options.size, "--size"),
        compute=compute_times(platform, options.compute),
        ports=options.ports,
        progress=progress,
    )


def _shared(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    """A prefix or an all-reduce, whichever the command is."""
    from exactsched.steady_state.prefix import allreduce, prefix

    solve = prefix if options.name == "prefix" else allreduce
    return solve(
        platform,
        _participants(platform, options.participants),
        size=positive(options.size, "--size"),
        compute=compute_times(platform, options.compute),
        ports=options.ports,
        progress=progress,
    )


def _nodes_or_all(
    platform: Platform, written: str | None, option: str, without: list[Node] | None = None
) -> tuple[Node, ...]:
    if written is not None:
        return nodes_named(platform, written, option)
    return tuple(node for node in platform.nodes if node not in (without or ()))


def _participants(platform: Platform, written: str | None) -> tuple[Node, ...]:
    if written is not None:
        return nodes_named(platform, written, "--participants")
    index = {node: data["index"] for node, data in platform.node_data.items() if "index" in data}
    if not index:
        rule = "no node of the platform has an attribute `index`; list the owners in order"
        raise InvalidInput("--participants", "missing", rule)
    listed = tuple(sorted(index, key=index.__getitem__))
    for one, other in pairwise(listed):
        if index[one] == index[other]:
            rule = f"nodes {one} and {other} have the same `index`; list the owners in order"
            raise InvalidInput("--participants", "missing", rule)
    return listed


def _collective(options: Namespace) -> None:
    from exactsched.platforms.files import load_platform
    from exactsched.steady_state.solution import Solution

    platform = load_platform(options.platform)
    writable(options.output, options.platform)
    with Progress() as progress:
        solution: Solution = options.solve(platform, options, progress)
    result, numbers = as_asked(solution, options.operations, "--operations", options)
    words = Words("operation", _structure(solution), "task", "operations", "structures")
    answer(result, numbers, words, options)
    if options.show and not options.json and isinstance(result, Solution):
        for line in _structures(result):
            say(line, sys.stdout)


def _structures(solution: Solution) -> Iterator[str]:
    """Every structure with its weight: a route on one line, a tree over several."""
    from exactsched.check.proved import shown
    from exactsched.model.problem import Alltoall, Reduction
    from exactsched.steady_state.reduction_tree import tree_text

    problem = solution.problem
    for structure in solution.structures:
        weight = shown(structure.weight)
        if isinstance(problem, Alltoall):
            demand = problem.demands[structure.part]
            heads = [problem.platform.arcs[arc].head for arc, _ in structure.tasks]
            route = " -> ".join(map(str, [demand.source, *heads]))
            yield f"{weight} per time unit: {route}"
        else:
            yield f"{weight} per time unit:"
            yield from (
                f"  {line}"
                for line in tree_text(cast(Reduction, problem), structure.tasks).splitlines()
            )


def _structure(solution: Solution) -> str:
    """What the structures of a solution are called."""
    from exactsched.model.problem import Alltoall
    from exactsched.model.tasks import wanted

    if isinstance(solution.problem, Alltoall):
        return "route"
    return "reduction tree" if len(wanted(solution.problem)) == 1 else "scheme"
