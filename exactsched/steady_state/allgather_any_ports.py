"""The steady state of allgathers, asked of whichever method fits the port model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exactsched.exact.errors import InvalidInput
from exactsched.exact.search_limits import until
from exactsched.graphs.lovasz import Preference
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Allgather, Ports
from exactsched.steady_state.allgather import allgather_problem, solve_allgather
from exactsched.steady_state.allgather_by_columns import allgather_by_columns
from exactsched.steady_state.solution import Solution


def allgather(
    platform: Platform,
    shards: Iterable[Node] | Mapping[Node, object] | None = None,
    *,
    ports: Ports = "link",
    prefer: Preference = "shallow",
    chunks: int | None = None,
    depth: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a series of allgathers is that of the tightest set of nodes.

    In every operation each node of a group gets the shards of all others.  `shards` are the nodes
    of the group, or a mapping of them to the sizes >= 0 of their shards; without it, all nodes of
    the platform that are no switches.  A size that is not given is that of `shard_size`.  All
    other nodes only forward what they receive.

    Into a set X with a node of the group the shards of all nodes outside have to go, so the
    throughput is at most the capacity that enters X over the size of these shards; the least of
    these bounds is reached, by trees of paths through the nodes that only forward.  The capacity
    of an arc is 1 / cost.  With `prefer="shallow"` trees tend to be shallow, with "few" few.

    With `chunks` every shard is cut into at most that number of equal chunks, each of which takes
    one tree.  Then the throughput may be less than the bound, and `optimal` is false; the loss
    goes to 0 as the number of chunks grows (proofs/steady-state-allgather.md).

    With `depth` no tree has more than that number of arcs in a row, and there are at most as many
    trees as arcs and nodes of the group together.  A linear program mixes trees that are met under
    changing prices; where it does not reach the bound, `optimal` is false.

    Under `ports` other than "link" the optimum is found by column generation, in trees of paths
    from every root (`allgather_by_columns`).  `time_limit` and `progress` are as in
    `broadcast`.

    Raises `InvalidInput` for what `Allgather` refuses, if more capacity leaves a node that only
    forwards than enters it, if the depth is too small for any tree, if both `chunks` and `depth`
    are given, and, under other ports, for either.

    A few searches for a set that is entered by too little, for the rate and for each switch; then
    Edmonds' packing.

    Reference: Edmonds 1973; Bang-Jensen, Frank, Jackson 1995; proofs/steady-state-allgather.md.

    Polynomial where neither `chunks` nor `depth` is given and ports are links.

    >>> star = Platform("abs", [("a", "s", 1), ("s", "a", 1), ("b", "s", "1/3"), ("s", "b", "1/3")])
    >>> solution = allgather(star, "ab")
    >>> solution.throughput, solution.optimal, solution.proof.order
    (Fraction(1, 1), True, ('a',))
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> allgather(pair, {"a": 1, "b": "1/2"}, ports="one-port").throughput
    Fraction(1, 1)
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    problem = allgather_problem(platform, shards, ports)
    return solve_any_allgather(problem, prefer, chunks, depth, progress)


def solve_any_allgather(
    problem: Allgather,
    prefer: Preference = "shallow",
    chunks: int | None = None,
    depth: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The optimum under any port model, or the best found in chunks or of a depth."""
    if problem.ports == "link":
        return solve_allgather(problem, prefer, chunks, depth, progress)
    for name, given in (("chunks", chunks), ("depth", depth)):
        if given is not None:
            rule = 'this is for link ports only: --ports link, in Python ports="link"'
            raise InvalidInput(name, given, rule)
    return allgather_by_columns(problem, progress)
