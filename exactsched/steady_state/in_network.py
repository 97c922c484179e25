"""All-reduces with switches that combine and copy: a bound by cuts, and the best schedule found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import until
from exactsched.graphs.lovasz import Preference
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.parts import Block
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Combination, Ports
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.combination_cuts import whatever_others_do
from exactsched.steady_state.solution import Solution

MAX_TRIES: Final = 24
"""The sets of switches that are tried as members."""


def in_network_allreduce(
    platform: Platform,
    group: Iterable[Node] | None = None,
    *,
    size: object = 1,
    ports: Ports = "one-port",
    prefer: Preference = "few",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """A throughput of all-reduces among a group, and a bound that holds whatever switches do.

    The bound is that of `whatever_others_do`: a set with some nodes of the group, but not all, is
    entered by a block of data in every operation, even if switches copy and combine.

    The schedule is the best found.  Switches that have both options, `multicast` and `reduces`, may
    join the group, with a value that changes no sum; they are in `problem.group` then, and get the
    sum as well.  All other switches only forward, those with one option too.  Tried are no switch,
    all of them, and what comes of that by one switch more or less, up to `MAX_TRIES` times.
    `optimal` is true where the bound is reached, such as around a single switch.

    Raises `InvalidInput` as `order_free_allreduce`, whose method it is for each set of switches;
    `ports`, `prefer`, `time_limit` and `progress` are as there.

    Reference: proofs/steady-state-order-free.md.

    At most `MAX_TRIES` times the operations of `order_free_allreduce`.

    >>> arcs = [arc for node in "abc" for arc in ((node, "s", 1), ("s", node, 1))]
    >>> star = Platform("abcs", arcs, None, "s", multicast="s", reduces="s")
    >>> found = in_network_allreduce(star, ports="link")
    >>> found.throughput, found.optimal, sorted(found.problem.group)
    (Fraction(1, 1), True, ['a', 'b', 'c', 's'])
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    listed = tuple(node for node in platform.nodes if node not in platform.switches)
    listed = listed if group is None else tuple(group)
    if len(listed) < 2:
        raise InvalidInput("group", len(listed), "to combine values takes at least two nodes")
    for node in listed:
        if node in platform.switches:
            raise InvalidInput("group", node, "a switch has no value; those that combine join it")

    def solved(helpers: frozenset[Node]) -> Solution:
        members = (*listed, *(node for node in platform.nodes if node in helpers))
        forwarding = platform.with_switches(platform.switches - helpers)
        blocks = (Block(size, members),)  # type: ignore[arg-type]
        return solve_combination(Combination(forwarding, blocks, ports), progress, prefer)

    chosen: frozenset[Node] = frozenset()
    best = whatever_others_do(solved(chosen))
    able = platform.multicast & platform.reduces
    tried, waiting = {chosen}, [able] if able else []
    while best.structures and not best.optimal and waiting and len(tried) <= MAX_TRIES:
        helpers = waiting.pop(0)
        tried.add(helpers)
        found = solved(helpers)
        if found.throughput > best.throughput:
            best, chosen, waiting = replace(found, proof=best.proof, bound=best.bound), helpers, []
        if not waiting:
            nearby = (chosen ^ {node} for node in platform.nodes if node in able)
            waiting = [near for near in nearby if near not in tried]
    return best
