"""The steady state of a series of reductions: optimum, trees, bound (RR-4872, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.exact.search_limits import until
from exactsched.linear_programs.column_generation import Progress
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import Interval, Ports, Reduction
from exactsched.steady_state.extract_trees import extract_trees
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.slots import sides
from exactsched.steady_state.solution import Solution
from exactsched.steady_state.task_packing import pack_tasks

# Exact numbers, as `exactsched.exact.rational.exact` takes them.
Size = object | Callable[[int, int], object] | Mapping[Interval, object]
Time = object | Callable[[int, int, int], object | None] | None

_NO_TIMES = (
    "no node of the platform has an attribute `compute`, the time in which it combines two values;"
    " give it to nodes, or one time to all of them (--compute 1; in Python compute=1),"
    " or times to some (--compute a=1,b=1/2; compute={'a': 1, 'b': '1/2'})"
)


def reduce(
    platform: Platform,
    participants: Sequence[Node],
    target: Node,
    *,
    size: Size = 1,
    compute: Mapping[Node, Time] | Time = None,
    ports: Ports = "one-port",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of a series of reductions is a packing of reduction trees.

    It counts reductions per time unit; a message of size s takes s times the cost of an arc.
    `participants[i]` has v[i]; the result v[0] + ... + v[N], in this order, of an associative
    operator is wanted at `target`.  Nodes may own several values or none.

    `size` is the size of every v[k,m], a function of k and m, or a mapping of all (k, m).
    `compute` maps a node to the time of any task on it, or to a function that has the time of
    T[k,l,m], which joins v[k,l] and v[l+1,m], or None where it is impossible; one time, or one
    function, is that of all nodes.  Without `compute` this time is what the platform says of the
    node by that name.  Times are positive: no model here has combining for free.  A node computes
    one task at a time, and communicates meanwhile.  `ports`, `time_limit` and
    `progress` are as in `broadcast`.

    If there is no reduction tree, the throughput is 0, `unreachable` names the result and the
    node, and the bound names what can be known where.

    Raises `InvalidInput` for what `Reduction` refuses, for an odd cycle under half-duplex, and
    where several values are to be combined and neither `compute` nor the platform says how fast.

    The method is column generation: the linear program SSR(G) of the paper, with its
    N^2 m + N^3 n variables, is never built; the optimum is that of the corrected SSR(G), exactly.
    A round costs a linear program over the tasks met so far and a few cheapest trees, at
    O(N^2 m log n + N^3 n) operations each (`reduction_tree`).

    Reference: Legrand, Marchal, Robert, RR-4872 (2003), section 4; proofs/steady-state-reduce.md.

    >>> from exactsched.platforms.built_in import built_in
    >>> solution = reduce(built_in("reduce-toy"), ["P0", "P1", "P2"], "P0")
    >>> solution.throughput, solution.optimal
    (Fraction(1, 1), True)
    """
    progress = until(time_limit, progress)
    refuse_no_platform(platform)
    listed = tuple(participants)
    goals = [((0, len(listed) - 1), target)]
    return solve_reduction(
        reduction_problem(platform, listed, goals, size, compute, ports), progress
    )


def reduction_problem(
    platform: Platform,
    owners: Sequence[Node],
    goals: Sequence[tuple[Interval, Node]],
    size: Size,
    compute: Mapping[Node, Time] | Time,
    ports: Ports,
) -> Reduction:
    """The problem with its sizes and times as rows; see `reduce`."""
    # The rest is checked first: there are rows for existing intervals only.
    asked = Reduction(platform, tuple(owners), tuple(goals), Fraction(1), (), ports)
    sizes: Any = size
    if callable(size):
        sizes = tuple((k, m, size(k, m)) for k, m in asked.intervals)
    elif isinstance(size, Mapping):
        sizes = tuple((*_interval(interval), given) for interval, given in size.items())
    if compute is None:
        data = platform.node_data
        compute = {node: data[node]["compute"] for node in data if "compute" in data[node]}
        if not compute and len(asked.owners) > 1:
            raise InvalidInput("compute", "missing", _NO_TIMES)
    elif not isinstance(compute, Mapping):
        time = compute if callable(compute) else exact(compute, "compute")
        compute = dict.fromkeys(platform.nodes, time)
    return replace(asked, size=sizes, compute=tuple(_compute_rows(asked, compute)))


def _interval(given: object) -> tuple[Any, ...]:
    if not isinstance(given, tuple) or len(given) != 2:
        raise InvalidInput("size", given, "the sizes are those of intervals (k, m)")
    return given


def _compute_rows(asked: Reduction, compute: Mapping[Node, Time]) -> Iterator[tuple[Any, ...]]:
    for node, time in compute.items():
        if not callable(time):
            if time is not None:
                yield node, time
            continue
        for k, m in asked.intervals:
            for cut in range(k, m):
                single = time(k, cut, m)
                if single is not None:
                    yield node, k, cut, m, single


def solve_reduction(problem: Reduction, progress: Progress | None = None) -> Solution:
    """The optimum of a series of reductions with a single goal; see `reduce`."""
    if len(problem.goals) != 1:
        raise InvalidInput("goals", len(problem.goals), "a reduce has one; others are a prefix")
    sides(problem)  # refuses an odd cycle
    trees = ReductionTrees(problem)
    if not trees.priced({}).reachable:
        return Solution(problem, (), trees.bound({}), Fraction(0))
    packing = pack_tasks(trees, progress)
    return Solution(
        problem,
        extract_trees(problem, packing.rates).trees,
        trees.bound(packing.prices),
        packing.bound,
        packing.rounds,
        packing.priced,
    )
