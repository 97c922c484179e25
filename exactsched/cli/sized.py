"""One allgather, reduce-scatter, reduce or all-reduce of a given size: `--size`, `--bytes`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from exactsched.cli.allgather import shards_as_asked
from exactsched.cli.answer import Words, answer
from exactsched.cli.arguments import nodes_named, positive, seconds_in, with_latency
from exactsched.cli.terminal import INTERRUPTED, Progress, decimal
from exactsched.exact.errors import InvalidInput

if TYPE_CHECKING:
    from fractions import Fraction

    from exactsched.model.platform import Node, Platform
    from exactsched.runs.finite_run import FiniteRun

# What is of the given size.
ABOUT = {
    "allgather": "all shards",
    "reduce-scatter": "all blocks",
    "reduce": "the vector",
    "allreduce": "the vector",
}


def size_option(name: str) -> str:
    """The option that gives the size of a single operation."""
    return "--bytes" if name in ("reduce", "allreduce") else "--size"


def asks_for_one(options: Namespace) -> bool:
    """Whether one operation of a given size is asked for; refuses a latency without one."""
    if options.name not in ABOUT:
        return False
    asked = options.bytes is not None
    if not asked and options.latency is not None:
        raise InvalidInput("--latency", options.latency, f"goes with {size_option(options.name)}")
    if options.ports is None:
        options.ports = "link" if asked else "one-port"
    return asked


def answer_sized(platform: Platform, options: Namespace) -> int | None:
    """One operation in segments: when it ends, the bound, their ratio."""
    from exactsched.check.proved import shown

    option = size_option(options.name)
    if options.ports != "link":
        raise InvalidInput("--ports", options.ports, f"with {option} under link ports only")
    size = positive(options.bytes, option)
    delayed = with_latency(platform, options.latency)
    with Progress(seconds_in(options)) as progress:
        run = _run(delayed, size, options, progress)
    ratio, rate = run.makespan / run.bound, size / run.makespan
    parts = "shard" if options.name == "allgather" else "block"
    notes = (
        ("ratio", f"{shown(ratio)} ({decimal(ratio, 4)})"),
        ("segments", f"{run.operations}, each an equal part of every {parts}"),
        ("algbw", f"{shown(rate)} ({decimal(rate, 4)}), {ABOUT[options.name]} over the makespan"),
    )
    words = Words("segment", "tree", "transfer", "segments", "trees", notes=notes)
    answer(run, {"ratio": ratio, "algbw": rate}, words, options)
    return INTERRUPTED if progress.interrupted else None


def _run(platform: Platform, size: Fraction, options: Namespace, progress: Progress) -> FiniteRun:
    tried = progress.tried
    if options.name in ("allgather", "reduce-scatter"):
        _refuse_limits(options)
    if options.name == "allgather":
        from exactsched.runs.sized_allgather import sized_allgather

        shards = dict(shards_as_asked(platform, options))
        return sized_allgather(platform, size, shards, progress=tried)
    from exactsched.runs.sized_combination import (
        sized_allreduce,
        sized_reduce,
        sized_reduce_scatter,
    )

    if options.name == "reduce-scatter":
        blocks = {node: size for node, size in shards_as_asked(platform, options) if size}
        group = _group(platform, options.group, "--group")
        return sized_reduce_scatter(platform, size, blocks, group, progress=tried)
    for name in ("ordered", "compute"):
        if getattr(options, name):
            rule = "one operation of a given size is combined in any order, in no time"
            raise InvalidInput(f"--{name}", "given", rule)
    group = _group(platform, options.participants, "--participants")
    if options.name == "allreduce":
        return sized_allreduce(platform, size, group, progress=tried)
    target = platform.node_named(options.target, "--target")
    return sized_reduce(platform, target, size, group, progress=tried)


def _group(platform: Platform, written: str | None, option: str) -> tuple[Node, ...]:
    if written is not None:
        return nodes_named(platform, written, option)
    return tuple(node for node in platform.nodes if node not in platform.switches)


def _refuse_limits(options: Namespace) -> None:
    if options.chunks is not None:
        rule = "with --size the number of segments is chosen, not that of chunks"
        raise InvalidInput("--chunks", options.chunks, rule)
    if options.depth is not None or options.depth_curve:
        rule = "with --size the depth is not limited; leave one of the two out"
        raise InvalidInput("--depth", options.depth or "curve", rule)
