"""The commands from `scatter` and `gather` to `allreduce`, and `mix`.

An all-reduce or a reduce is *order-free* (any order, combining takes no time) or *ordered* (the
values are combined in the order of their owners, and combining takes time).  Without --ordered or
--order-free it is ordered where times to combine are known, as they were always needed for that.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from exactsched.cli.allgather import (
    add_shard_options,
    curve_points,
    limits_said,
    point_said,
    solve_as_asked,
    solve_backwards_as_asked,
)
from exactsched.cli.answer import Point, Words, answer, as_asked, routes_said
from exactsched.cli.arguments import (
    Commands,
    add_latency,
    add_output,
    add_ports,
    add_time_limit,
    compute_times,
    list_in,
    nodes_named,
    numbers_in,
    positive,
    seconds_in,
    writable,
)
from exactsched.cli.collective_words import (
    bandwidths_of,
    gain_said,
    in_network,
    in_network_said,
    order_said,
    rates_said,
    structure_lines,
    structure_name,
    two_phases,
)
from exactsched.cli.sized import ABOUT, answer_sized, asks_for_one, size_option
from exactsched.cli.terminal import INTERRUPTED, Progress, say
from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from exactsched.model.platform import Node, Platform
    from exactsched.model.problem import Combination
    from exactsched.steady_state.solution import Solution


def add_collectives(commands: Commands) -> None:
    scatter = _command(
        commands, "scatter", "the best way to send a message of its own to every target", _scatter
    )
    scatter.add_argument("--source", required=True, metavar="ID", help="the node that sends")
    scatter.add_argument(
        "--targets", metavar="ID,ID,...", help="default: all other nodes but switches"
    )
    scatter.add_argument("--sizes", metavar="Q,Q,...", help="one for each target (default: 1)")

    gather = _command(
        commands, "gather", "the best way to bring a message from every source to one node", _gather
    )
    gather.add_argument("--target", required=True, metavar="ID", help="the node that receives")
    gather.add_argument(
        "--sources", metavar="ID,ID,...", help="default: all other nodes but switches"
    )
    gather.add_argument("--sizes", metavar="Q,Q,...", help="one for each source (default: 1)")

    alltoall = _command(
        commands,
        "alltoall",
        "the best way to send a message from every source to every target",
        _alltoall,
    )
    alltoall.add_argument("--sources", metavar="ID,ID,...", help="default: all nodes but switches")
    alltoall.add_argument("--targets", metavar="ID,ID,...", help="default: all nodes but switches")
    alltoall.add_argument("--size", default="1", metavar="Q", help="of every message (default: 1)")

    allgather = _command(
        commands,
        "allgather",
        "every node of a group gets the shards of all others, through switches",
        solve_as_asked,
    )
    add_shard_options(allgather, "shallow")

    scatter_sums = _command(
        commands,
        "reduce-scatter",
        "every node gets the sum of a block of its own, combined in any order",
        _reduce_scatter,
    )
    add_shard_options(scatter_sums, "few")

    reduce = _command(
        commands,
        "reduce",
        "combine the values of all nodes at the target, in any order or in a given one",
        _reduce,
    )
    reduce.add_argument("--target", required=True, metavar="ID", help="gets the result")
    _add_mix(commands)
    prefix = _command(
        commands, "prefix", "every participant gets the result up to its own value", _shared
    )
    allreduce = _command(
        commands,
        "allreduce",
        "every node gets the sum of all values, combined in any order or in a given one",
        _allreduce,
    )
    for asked in (reduce, allreduce):
        order = asked.add_mutually_exclusive_group()
        order.add_argument(
            "--ordered",
            action="store_true",
            help="combine in the order of the participants, in the times that combining takes"
            " (default where such times are known)",
        )
        order.add_argument(
            "--order-free",
            action="store_true",
            help="combine in any order, in no time, whatever the nodes say (default elsewhere)",
        )
    allreduce.add_argument(
        "--prefer",
        choices=("shallow", "few"),
        default="few",
        help="in any order, under link ports: shallow trees, or few trees (default: %(default)s)",
    )
    for asked in (scatter_sums, reduce, allreduce):
        asked.add_argument(
            "--others",
            choices=("any", "forward"),
            default="any",
            help="in any order: what nodes may do that neither take part nor are switches. With"
            ' "any" the bound holds even if they combine values, with "forward" only if they do'
            " not (default: %(default)s)",
        )
    for asked in (reduce, prefix, allreduce):
        asked.add_argument(
            "--participants",
            "--group",
            metavar="ID,ID,...",
            help="the owners of the values; in order, their default is the nodes with an attribute"
            " `index`, and in any order all nodes that are no switches",
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


def _add_mix(commands: Commands) -> None:
    mix = _command(
        commands, "mix", "several collectives at once, in given ratios, on one platform", _mix
    )
    mix.add_argument(
        "mix",
        metavar="MIX.json",
        help='a file with a list such as [{"collective": "allreduce", "weight": 2},'
        ' {"collective": "broadcast", "source": "a", "size": "1/2"}], or the list; "participants": '
        '["a", "b"] is the group of a collective, "within": [["a", "b"], ["c", "d"]] are several',
    )


def _command(
    commands: Commands,
    name: str,
    about: str,
    solve: Callable[..., Solution],
) -> ArgumentParser:
    asked: ArgumentParser = commands.add_parser(name, help=about)
    asked.add_argument("platform", metavar="PLATFORM", help="a built-in name or a file")
    single = size_option(name) if name in ABOUT else ""
    add_ports(asked, single, "link" if name == "allgather" else "one-port")
    what = asked.add_mutually_exclusive_group()
    what.add_argument("--operations", metavar="M", help=f"a finite run of M operations ({name})")
    what.add_argument("--within", metavar="K", help="as many operations as fit into K time units")
    what.add_argument("--whole", action="store_true", help="a period in which nothing is split")
    what.add_argument("--period", metavar="T", help="the best schedule found with this period")
    what.add_argument("--max-period", metavar="T", help="the best one with a period up to this")
    if single:
        about = f"one operation, {ABOUT[name]} of this size, in segments"
        what.add_argument(single, dest="bytes", metavar="BYTES", help=about)
        add_latency(asked)
    add_time_limit(asked, "then give the best that is known, an interval")
    asked.add_argument("--show", action="store_true", help="print the routes or reduction trees")
    add_output(asked)
    asked.set_defaults(command=_collective, solve=solve, name=name)
    return asked


def _scatter(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.alltoall import scatter

    source = platform.node_named(options.source, "--source")
    targets = _nodes_or_all(platform, options.targets, "--targets", [source])
    sizes = _sizes(options.sizes, len(targets))
    return scatter(platform, source, targets, sizes=sizes, ports=options.ports, progress=progress)


def _gather(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.alltoall import gather

    target = platform.node_named(options.target, "--target")
    sources = _nodes_or_all(platform, options.sources, "--sources", [target])
    sizes = _sizes(options.sizes, len(sources))
    return gather(platform, target, sources, sizes=sizes, ports=options.ports, progress=progress)


def _sizes(written: str | None, count: int) -> list[Fraction] | None:
    if written is None:
        return None
    sizes = numbers_in(written, "--sizes")
    if len(sizes) != count:
        raise InvalidInput("--sizes", written, f"one size for each of the {count}")
    return sizes


def _alltoall(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.alltoall import alltoall

    size = positive(options.size, "--size")
    sources = _nodes_or_all(platform, options.sources, "--sources")
    targets = _nodes_or_all(platform, options.targets, "--targets")
    return alltoall(
        platform,
        sources=sources,
        targets=targets,
        size=size,
        ports=options.ports,
        progress=progress,
    )


def _order_free(platform: Platform, options: Namespace) -> bool:
    """Whether values are combined in any order, in no time; what cannot be so is refused."""
    if options.ordered:
        return False
    timed = any("compute" in data for data in platform.node_data.values())
    if not options.order_free and (options.compute is not None or timed):
        return False
    if options.compute is not None:
        rule = "combining takes no time in an order-free reduction; use --ordered"
        raise InvalidInput("--compute", options.compute, rule)
    if options.participants is not None:
        listed = nodes_named(platform, options.participants, "--participants")
        if len(listed) == 1 and not options.order_free:
            return False  # nothing is combined
        everyone = sorted(map(str, listed)) == sorted(map(str, _nodes_or_all(platform, None, "")))
        if not everyone and not len(set(listed)) == len(listed) > 1:
            rule = (
                "in an order-free reduction at least two nodes take part, each once;"
                f" where a node has several values there is the ordered one: {_TIMES}"
            )
            raise InvalidInput("--participants", options.participants, rule)
    return True


_TIMES = (
    "--compute 1, or --compute a=1,b=1/2, or nodes with an attribute `compute`, the time in which a"
    " node combines two values"
)


def _combined(platform: Platform, targets: Sequence[Node], options: Namespace) -> Combination:
    from exactsched.model.parts import Block
    from exactsched.model.problem import Combination

    size = positive(options.size, "--size")
    return Combination(platform, (Block(size, tuple(targets)),), options.ports)


def _reduce_scatter(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    return _whatever_asked(solve_backwards_as_asked(platform, options, progress), options)


def _whatever_asked(solution: Solution, options: Namespace) -> Solution:
    """With a bound that holds whatever other nodes do, where that is asked for."""
    from exactsched.steady_state.combination_cuts import whatever_others_do

    helped = options.others == "any" and _helpers(solution)
    return whatever_others_do(solution) if helped else solution


def _allreduce(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    if not _order_free(platform, options):
        return _shared(platform, options, progress)
    from exactsched.steady_state.combination import solve_combination

    group = _nodes_or_all(platform, options.participants, "--participants")
    if in_network(platform):
        from exactsched.steady_state.in_network import in_network_allreduce

        return in_network_allreduce(
            platform,
            group,
            size=positive(options.size, "--size"),
            ports=options.ports,
            prefer=options.prefer,
            progress=progress,
        )
    solution = solve_combination(_combined(platform, group, options), progress, options.prefer)
    return _whatever_asked(solution, options)


def _helpers(solution: Solution) -> bool:
    """Whether nodes take no part in an order-free reduction that are no switches."""
    from exactsched.model.problem import Combination

    problem = solution.problem
    if not isinstance(problem, Combination) or not solution.structures:
        return False
    others = set(problem.platform.nodes) - problem.platform.switches
    return any(others - problem.numbered(number) for number in problem.parts_of)


def _reduce(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    if _order_free(platform, options):
        from exactsched.steady_state.combination import scattered_sums, solve_combination

        block = positive(options.size, "--size"), (platform.node_named(options.target, "--target"),)
        group = _nodes_or_all(platform, options.participants, "--participants")
        asked = scattered_sums(platform, (block,), group, options.ports)
        return _whatever_asked(solve_combination(asked, progress), options)
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
    left_out = platform.switches.union(without or ())
    return tuple(node for node in platform.nodes if node not in left_out)


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


def _collective(options: Namespace) -> int | None:
    from exactsched.check.proved import shown
    from exactsched.platforms.files import load_platform
    from exactsched.steady_state.solution import Solution

    platform = load_platform(options.platform)
    writable(options.output, options.platform)
    if asks_for_one(options):
        return answer_sized(platform, options)
    with Progress(seconds_in(options)) as progress:
        solution: Solution = options.solve(platform, options, progress)
        told = not progress.ended and options.name != "mix" and not in_network(platform)
        phases = two_phases(solution, progress) if told else Fraction(0)
        ended = progress.ended
        if ended:  # then they may be less than the optimum
            phases = Fraction(0)
        asked = options.operations, "--operations"
        result, numbers = as_asked(solution, *asked, options, progress)
    notes = order_said(solution, options) + in_network_said(platform, solution)
    notes += routes_said(platform, options.ports)
    if isinstance(result, Solution) and (widths := bandwidths_of(platform, result, options)):
        numbers |= widths
        told = ", ".join(f"{name} {shown(width)}" for name, width in widths.items())
        notes = (("bandwidth", f"{told}, in the unit of the bandwidths of arcs"), *notes)
    curve: tuple[Point, ...] = ()
    if options.name in ("allgather", "reduce-scatter") and solution.structures:
        more, said = limits_said(solution, options)
        numbers, notes = numbers | more, notes + said
        curve = curve_points(options)
        notes += tuple(point_said(point, solution.bound) for point in curve)
    # Of an interval it is not known what the optimum is if other nodes only forward.
    helped = getattr(options, "others", "forward") == "any"
    forwarded = not in_network(platform) and not (ended and helped)
    if _helpers(solution) and forwarded and not (helped and solution.optimal):
        forwarding = "other nodes only forward"
        told = "is the optimum if" if helped else "this is about schedules where"
        first = f"{shown(solution.throughput)} " if helped else ""
        notes += (("class", f"{first}{told} {forwarding}"),)
        if not ended:
            numbers |= {"if_others_forward": solution.throughput}
    if phases:
        numbers |= {"two_phases": phases, "gain": solution.throughput / phases}
        notes += gain_said(solution.throughput, phases)
    rates, members = rates_said(solution, options)
    words = Words(
        "operation",
        structure_name(solution),
        "task",
        "operations",
        "structures",
        notes=notes + rates,
        curve=curve,
        members=members,
    )
    answer(result, numbers, words, options)
    if options.show and not options.json and isinstance(result, Solution):
        for line in structure_lines(result):
            say(line, sys.stdout)
    return INTERRUPTED if progress.interrupted else None


def _mix(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.steady_state.mix import mix_part, solve_mix

    options.parts = [
        mix_part(platform, entry, f"collective {index}")
        for index, entry in enumerate(list_in(options.mix))
    ]
    return solve_mix(platform, options.parts, options.ports, progress)
