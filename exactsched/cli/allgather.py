"""Options of `allgather` and `reduce-scatter`, and what is said of chunks, depths and sizes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from exactsched.cli.answer import Numbers, Point
from exactsched.cli.arguments import (
    nodes_named,
    whole,
)
from exactsched.cli.terminal import Progress
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact

if TYPE_CHECKING:
    from exactsched.model.parts import Shard
    from exactsched.model.platform import Platform
    from exactsched.steady_state.solution import Solution


def add_shard_options(asked: ArgumentParser, prefer: str) -> None:
    asked.set_defaults(curve=())
    asked.add_argument(
        "--group",
        "--participants",
        metavar="ID,ID,...",
        help="default: all nodes that are no switches",
    )
    asked.add_argument(
        "--shards",
        metavar="Q,Q,...",
        help="sizes of their shards, 0 allowed (default: the attribute shard, or 1)",
    )
    asked.add_argument(
        "--prefer",
        choices=("shallow", "few"),
        default=prefer,
        help="under link ports: shallow trees, or few trees (default: %(default)s)",
    )
    asked.add_argument(
        "--chunks",
        metavar="K",
        help="cut every shard into at most K chunks, and say what that costs",
    )
    asked.add_argument(
        "--depth",
        metavar="H",
        help="trees with at most H arcs in a row, and what that costs (a way through a switch has"
        " two arcs)",
    )
    asked.add_argument(
        "--depth-curve",
        action="store_true",
        help="the throughput found for every depth, and the trees of the last one",
    )


def solve_as_asked(platform: Platform, options: Namespace, progress: Progress) -> Solution:
    from exactsched.model.problem import Allgather
    from exactsched.steady_state.allgather import depth_curve, solve_allgather
    from exactsched.steady_state.allgather_any_ports import solve_any_allgather

    most, depth = limits_of(options)
    problem = Allgather(platform, shards_as_asked(platform, options), options.ports)
    if not options.depth_curve:
        return solve_any_allgather(problem, options.prefer, most, depth, progress)
    if options.ports != "link":
        raise InvalidInput("--depth-curve", "given", "under link ports only: --ports link")
    options.curve = depth_curve(problem, progress)
    if not options.curve:  # Nothing can be gathered, and the solution says why.
        return solve_allgather(problem)
    last: Solution = options.curve[-1]
    return last


def solve_backwards_as_asked(
    platform: Platform, options: Namespace, progress: Progress
) -> Solution:
    """A reduce-scatter."""
    from exactsched.steady_state.combination import reduce_scatter, scattered_sums
    from exactsched.steady_state.gathered_sums import sums_curve

    most, depth = limits_of(options)
    listed = shards_as_asked(platform, options)
    shards = {node: size for node, size in listed if size}
    group = [node for node, _ in listed]
    if options.depth_curve:
        blocks = tuple((size, (node,)) for node, size in shards.items())
        problem = scattered_sums(platform, blocks, group, options.ports)
        options.curve = sums_curve(problem, progress)
        if options.curve:
            last: Solution = options.curve[-1]
            return last
    return reduce_scatter(
        platform,
        shards,
        group,
        ports=options.ports,
        prefer=options.prefer,
        chunks=most,
        depth=depth,
        progress=progress,
    )


def limits_of(options: Namespace) -> tuple[int | None, int | None]:
    """The numbers of chunks and of arcs in a row that are asked for."""
    most = None if options.chunks is None else whole(options.chunks, "--chunks")
    depth = None if options.depth is None else whole(options.depth, "--depth")
    if most is not None and (options.period or options.max_period):
        rule = "a period of its own cuts shards differently; use one of the two options"
        raise InvalidInput("--chunks", options.chunks, rule)
    if options.depth_curve and (most is not None or depth is not None):
        rule = "all depths are tried, without a limit on chunks; use one of these options"
        raise InvalidInput("--depth-curve", "given", rule)
    return most, depth


def shards_as_asked(platform: Platform, options: Namespace) -> tuple[Shard, ...]:
    from exactsched.model.parts import Shard
    from exactsched.steady_state.allgather import shard_size

    group = tuple(node for node in platform.nodes if node not in platform.switches)
    if options.group is not None:
        group = nodes_named(platform, options.group, "--group")
    if options.shards is not None:
        sizes = [exact(size, "--shards") for size in options.shards.split(",")]
        if len(sizes) != len(group):
            raise InvalidInput("--shards", options.shards, f"one for each of the {len(group)}")
        return tuple(Shard(*row) for row in zip(group, sizes, strict=True))
    return tuple(Shard(node, shard_size(platform, node)) for node in group)


def limits_said(
    solution: Solution, options: Namespace
) -> tuple[Numbers, tuple[tuple[str, str], ...]]:
    """The chunks of shards, or the depth of trees, where they are limited, and what that costs."""
    from exactsched.exact.words import counted
    from exactsched.steady_state.chunks import chunks_per_shard, loss

    lost = loss(solution.throughput, solution.bound)
    if options.chunks is not None:
        chunks = chunks_per_shard(solution.structures)
        said = f"at most {counted(chunks, 'chunk')} per shard, {_cost_said(lost)}"
        return {"chunks": chunks, "loss": lost}, (("chunks", said),)
    if options.depth is not None:
        said = f"at most {counted(solution.depth, 'arc')} in a row, {_cost_said(lost)}"
        return {"loss": lost}, (("depth", said),)
    return {}, ()


def curve_points(options: Namespace) -> tuple[Point, ...]:
    """The points of a curve, with the throughputs that the checker has proved."""
    from exactsched.check import ProvedSeries, check_schedule

    points = []
    for solution in options.curve:
        proved = check_schedule(solution.certificate())
        assert isinstance(proved, ProvedSeries)
        points.append(Point(solution.depth, proved.throughput, len(solution.structures)))
    return tuple(points)


def point_said(point: Point, bound: Fraction) -> tuple[str, str]:
    from exactsched.check.proved import shown
    from exactsched.exact.words import counted
    from exactsched.steady_state.chunks import loss

    costs = _cost_said(loss(point.throughput, bound))
    trees = counted(point.trees, "tree")
    return f"depth {point.depth}", f"throughput {shown(point.throughput)}, {trees}, {costs}"


def _cost_said(lost: Fraction) -> str:
    from exactsched.check.proved import shown

    if not lost:
        return "which costs nothing"
    millionths = ceil(10**6 * lost)
    percent = f"{millionths // 10**4}.{millionths % 10**4:04}"
    return f"which costs at most {percent} % of the throughput: {shown(lost)}"
