"""Finite runs of a series of broadcasts: every transfer with start and end, and a proved excess.

The period of an optimal steady state may have hundreds of digits, so unrolling it is no answer
for a million messages.  Here the *whole run* is laid out as one batch of M messages, and then
played in fast motion, in Q equal slices: proofs/asymptotic-optimality.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from exactsched.certificate.limits import MAX_PACKETS
from exactsched.certificate.nouns import Leaf, RunCertificate, arc_resources
from exactsched.certificate.writing import to_document
from exactsched.errors import InvalidInput
from exactsched.list_scheduling import Ports, Row, by_priority, earliest_arrival_tree, in_order
from exactsched.problem import Broadcast
from exactsched.rational import exact, text
from exactsched.schedule import batch_slots, common_measure, depths
from exactsched.steady_state import BroadcastSolution, Tree, solve_series

# Rows of a run that is still a document: about 150 MB.  More messages than that are described
# by the periodic schedule, which is as long for all of them as for one.
MAX_TRANSFERS = 5_000_000
# Up to here the list schedules are tried as well, and several layouts: a second or two.
MANY_TRANSFERS = 100_000


@dataclass(frozen=True)
class FiniteRun:
    """A schedule of packets with a start and an end, and a time before which no schedule ends.

    `packets` are the sizes; `transfers` holds (arc, packet, start, end) in units of `tick`, by
    start; `makespan` is the last end.  `leaf` proves the lower bound `bound` on the makespan of
    every schedule of this total size.
    """

    problem: Broadcast
    packets: tuple[Fraction, ...]
    tick: Fraction
    transfers: tuple[Row, ...]
    makespan: Fraction
    bound: Fraction
    leaf: Leaf

    @property
    def excess(self) -> Fraction:
        """How far the makespan is from the bound; the optimum lies between the two."""
        return self.makespan - self.bound

    def certificate(self) -> dict[str, Any]:
        """The document of kind ``run`` that `exactsched.check` accepts."""
        return to_document(
            RunCertificate(
                self.problem,
                self.packets,
                self.makespan,
                self.bound,
                self.makespan == self.bound,
                self.tick,
                self.transfers,
                self.leaf,
            )
        )


def run_messages(solution: BroadcastSolution, messages: int) -> FiniteRun:
    """M messages take at most M / throughput + C, with C independent of M; here is the schedule.

    The makespan is at most `makespan_guarantee(solution, messages)`, which never exceeds
    M / throughput + `solution.makespan_constant`, and stays close to M / throughput even where
    the period is longer than anybody can wait for.  Several layouts are tried and the shortest
    kept.  A transfer may be interrupted; latencies do not occur.  A restricted solution keeps to
    its trees, while the bound allows all arcs.

    The result holds about 2 M (n-1) transfers, and time is proportional to that (a second for
    100,000, with times of few digits).  Raises `InvalidInput` for M < 1, for throughput 0, and for
    more than MAX_TRANSFERS transfers or MAX_PACKETS messages.

    Reference: RR-4871, theorem 7, whose constant is a number of periods.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> run = run_messages(broadcast(chain, "a"), 10)
    >>> run.makespan, run.bound, run.transfers[:3]
    (Fraction(11, 1), Fraction(10, 1), ((0, 0, 0, 1), (0, 1, 1, 2), (1, 0, 1, 2)))
    """
    _check_request(solution, messages)
    problem = _unrestricted(solution)
    leaf, bound = _lower_bound(solution, messages)
    ports = Ports(problem)
    plans = _plans(solution, messages)
    # After tightening, the plan with the least limit is not always the shortest.
    affordable = MANY_TRANSFERS // (messages * (ports.node_count - 1))
    candidates = [_played(problem, ports, plan) for plan in plans[: max(1, min(affordable, 10))]]
    if affordable:
        candidates += _listed(problem, ports, solution, messages)
    tick, rows = min(candidates, key=lambda found: found[0] * max(row[3] for row in found[1]))
    return finished_run(problem, (Fraction(1),) * messages, tick, rows, leaf, bound)


def run_within(solution: BroadcastSolution, horizon: Fraction | int | str) -> FiniteRun:
    """A run of as many messages as the explicit schedule delivers everywhere by time `horizon`.

    At least throughput * (horizon - C) of them with the C of `run_messages`, where no schedule
    under the restriction of the solution (for ``none``: no schedule at all) delivers more than
    `solution.upper` * horizon.  Raises `InvalidInput` if that is no message at all, and as
    `run_messages` does.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> len(run_within(broadcast(chain, "a"), "21/2").packets)
    9
    """
    end = exact(horizon, "horizon")
    most = messages = max(1, int(end * solution.upper))
    known: dict[int, FiniteRun] = {}
    while 1 <= messages <= most and messages not in known:
        run = known[messages] = run_messages(solution, messages)
        late = run.makespan - end
        if late > 0:
            # One message fewer ends about 1 / throughput earlier.
            fewer = messages - max(1, int(late * solution.throughput))
            messages = max(1, fewer) if messages > 1 else 0
        else:
            messages += 1
    fitting = [run for run in known.values() if run.makespan <= end]
    if not fitting:
        one = text(known[1].makespan)
        rule = f"no message is everywhere by then; this schedule of a single one takes {one}"
        raise InvalidInput("horizon", text(end), rule)
    return max(fitting, key=lambda run: len(run.packets))


def makespan_guarantee(solution: BroadcastSolution, messages: int) -> Fraction:
    """A time within which `run_messages` is proved to end before anything is laid out.

    It is the least, over the plans considered, of P (Q + max (H - 1) L) / Q, where P is the
    largest load of a resource by the whole run, Q the number of slices, H the depth of a tree and
    L the lag between its levels in slices (proofs/asymptotic-optimality.md, theorem B).  It
    is at most M / throughput + `solution.makespan_constant` (theorem A).

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> makespan_guarantee(broadcast(chain, "a"), 10)
    Fraction(11, 1)
    """
    _check_request(solution, messages)
    return _plans(solution, messages)[0].limit


def finished_run(
    problem: Broadcast,
    packets: tuple[Fraction, ...],
    tick: Fraction,
    rows: Sequence[Row],
    leaf: Leaf,
    bound: Fraction,
) -> FiniteRun:
    """The run made of the rows, with the coarsest tick that keeps their times whole."""
    common = gcd(*(row[2] for row in rows), *(row[3] for row in rows))
    transfers = sorted(
        ((arc, packet, start // common, end // common) for arc, packet, start, end in rows),
        key=lambda row: (row[2], row[3], row[0]),
    )
    tick *= common
    makespan = max(row[3] for row in transfers) * tick
    return FiniteRun(problem, packets, tick, tuple(transfers), makespan, bound, leaf)


def shares(weights: Sequence[Fraction], total: int) -> list[int]:
    """`total` as whole numbers in proportion to the weights, each off by less than 1 (Hamilton).

    >>> shares([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 5)
    [2, 2, 1]
    """
    scale = total / sum(weights)
    rounded = [int(weight * scale) for weight in weights]
    rest = [weight * scale - count for weight, count in zip(weights, rounded, strict=True)]
    largest = sorted(range(len(weights)), key=lambda index: -rest[index])
    for index in largest[: total - sum(rounded)]:
        rounded[index] += 1
    return rounded


def mixed(counts: Sequence[int]) -> list[int]:
    """The numbers 0, 1, ... each as often as its count, spread as evenly as possible (Webster).

    >>> mixed([4, 2])
    [0, 1, 0, 0, 1, 0]
    """
    unit = lcm(*(count for count in counts if count))
    turns = [
        ((2 * turn + 1) * (unit // count), index)
        for index, count in enumerate(counts)
        for turn in range(count)
    ]
    return [index for _, index in sorted(turns)]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The run in fast motion: each tree carries `capacities` messages, played in `slices` slices.

    Level d of tree l works `lags[l]` slices behind level d - 1.  Of the capacity `counts` are used.
    `limit` is when the last slice ends.
    """

    trees: tuple[tuple[int, ...], ...]
    capacities: tuple[int, ...]
    counts: tuple[int, ...]
    slices: int
    lags: tuple[int, ...]
    limit: Fraction


def _plans(solution: BroadcastSolution, messages: int) -> list[_Plan]:
    """Plans by increasing proved makespan: the rarest trees left out or not, various slices."""
    heaviest = sorted(solution.trees, key=lambda tree: -tree.weight)
    plans: list[_Plan] = []
    for kept in sorted({*_halvings(len(heaviest)), *_above_powers_of_two(solution, messages)}):
        counts = shares([tree.weight for tree in heaviest[:kept]], messages)
        used = [(tree, count) for tree, count in zip(heaviest, counts, strict=False) if count]
        trees, chosen = [tree for tree, _ in used], [count for _, count in used]
        # A slice interrupts every tree on every arc once: with M / (number of trees) slices
        # there are about two pieces for each transfer.
        slices = {gcd(*chosen), *_halvings(max(1, messages // len(trees)))}
        plans += _timed(solution, trees, chosen, slices, messages)
    batch = solution.schedule.trees if solution.schedule else ()
    periods = -(-messages // sum(tree.messages for tree in batch))
    plans += _timed(
        solution,
        list(solution.trees),
        [tree.messages * periods for tree in batch],
        {periods},
        messages,
    )
    return sorted(plans, key=lambda plan: (plan.limit, plan.slices))


def _halvings(number: int) -> list[int]:
    """number, number/2, number/4, ... down to 1.

    >>> _halvings(6)
    [6, 3, 1]
    """
    return [number >> shift for shift in range(number.bit_length())]


def _above_powers_of_two(solution: BroadcastSolution, messages: int) -> set[int]:
    """How many trees have at least the shares 1/2, 1/4, 1/8 ... (theorem C needs one of these)."""
    least = [solution.throughput / 2**power for power in range(1, messages.bit_length() + 1)]
    kept = {sum(tree.weight >= weight for tree in solution.trees) for weight in least}
    return kept - {0}


def _timed(
    solution: BroadcastSolution,
    trees: Sequence[Tree],
    capacities: Sequence[int],
    slices: Iterable[int],
    messages: int,
) -> Iterator[_Plan]:
    """A plan for every number of slices."""
    platform, source = solution.problem.platform, solution.problem.source
    deepest = [max(depths(platform, source, tree.arcs).values()) for tree in trees]
    load = _largest_load(solution.problem, trees, capacities)
    for number in slices:
        lags = tuple(_lag(capacity, number) for capacity in capacities)
        behind = [(depth - 1) * lag for depth, lag in zip(deepest, lags, strict=True)]
        counts = _earliest(capacities, behind, number, messages)
        last = max(
            -(-count * number // capacity) + late
            for count, capacity, late in zip(counts, capacities, behind, strict=True)
            if count
        )
        yield _Plan(
            tuple(tree.arcs for tree in trees),
            tuple(capacities),
            tuple(counts),
            number,
            lags,
            load * last / number,
        )


def _lag(capacity: int, slices: int) -> int:
    """How many slices later the next level may work if each slice holds capacity/slices messages.

    The messages that a slice touches must have arrived before it: in lowest terms p/q messages
    per slice, one is at most (q-1)/q short of complete, which takes ceil((q-1)/p) slices more.

    >>> _lag(6, 3), _lag(3, 2), _lag(1, 5)
    (1, 2, 5)
    """
    common = gcd(capacity, slices)
    return 1 - (1 - slices // common) // (capacity // common)


def _earliest(
    capacities: Sequence[int], behind: Sequence[int], slices: int, messages: int
) -> list[int]:
    """How many messages of each tree are used: those that end in the earliest slices."""
    if sum(capacities) == messages:
        return list(capacities)

    def ended(last: int) -> list[int]:
        return [
            min(capacity, capacity * max(0, last - late) // slices)
            for capacity, late in zip(capacities, behind, strict=True)
        ]

    low, high = 0, slices + max(behind)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sum(ended(middle)) >= messages else (middle, high)
    before, counts = ended(low), ended(high)
    surplus = sum(counts) - messages
    for index in range(len(counts)):
        less = min(surplus, counts[index] - before[index])
        counts[index] -= less
        surplus -= less
    return counts


def _largest_load(problem: Broadcast, trees: Sequence[Tree], counts: Sequence[int]) -> Fraction:
    messages: dict[int, int] = {}
    for tree, count in zip(trees, counts, strict=True):
        for arc in tree.arcs:
            messages[arc] = messages.get(arc, 0) + count
    load: dict[str, Fraction] = {}
    uses = arc_resources(problem)
    for arc, count in messages.items():
        for name in uses[arc]:
            load[name] = load.get(name, Fraction(0)) + count * problem.platform.arcs[arc].cost
    return max(load.values())


def _played(problem: Broadcast, ports: Ports, plan: _Plan) -> tuple[Fraction, list[Row]]:
    """The plan laid out, and then everything moved forwards as far as it goes."""
    tick, slots = batch_slots(problem, zip(plan.trees, plan.capacities, strict=True))
    used = sorted({arc for tree in plan.trees for arc in tree})
    # A time is whole in units of tick / (slices * unit), a slice of a slot as well as a message.
    costs = {arc: problem.platform.arcs[arc].cost / tick for arc in used}
    unit = lcm(*(cost.denominator for cost in costs.values()))
    cost = {arc: int(costs[arc] * plan.slices * unit) for arc in used}
    segments = _segments(problem, plan, cost, [(a, s * unit, e * unit) for a, s, e in slots])
    number = _numbering(plan.counts)
    rows = in_order(ports, _pieces(plan, segments, cost, number))
    return tick / (plan.slices * unit), rows


def _numbering(counts: Sequence[int]) -> list[list[int]]:
    """For every tree the numbers of its messages in the stream of all."""
    number: list[list[int]] = [[] for _ in counts]
    for message, tree in enumerate(mixed(counts)):
        number[tree].append(message)
    return number


# (arc, tree, slices behind, where in the share of a slice it begins, length, share)
_Segment = tuple[int, int, int, int, int, int]


def _segments(
    problem: Broadcast,
    plan: _Plan,
    cost: dict[int, int],
    slots: Sequence[tuple[int, int, int]],
) -> list[_Segment]:
    """One slice, in order of time: which tree an arc serves when, from where to where."""
    ends: dict[int, list[tuple[int, int, int, int]]] = {arc: [] for arc in cost}
    for tree, arcs in enumerate(plan.trees):
        depth = depths(problem.platform, problem.source, arcs)
        for arc in arcs:
            share = plan.capacities[tree] * cost[arc] // plan.slices
            late = (depth[problem.platform.arcs[arc].head] - 1) * plan.lags[tree]
            done = ends[arc][-1][0] if ends[arc] else 0
            ends[arc].append((done + share, tree, late, share))
    position = dict.fromkeys(cost, 0)
    turn = dict.fromkeys(cost, 0)
    segments: list[tuple[int, _Segment]] = []
    for arc, start, end in slots:
        while start < end:
            until, tree, late, share = ends[arc][turn[arc]]
            length = min(end - start, until - position[arc])
            begin = position[arc] - (until - share)
            segments.append((start, (arc, tree, late, begin, length, share)))
            start += length
            position[arc] += length
            turn[arc] += position[arc] == until
    return [segment for _, segment in sorted(segments)]


def _pieces(
    plan: _Plan,
    segments: Sequence[_Segment],
    cost: dict[int, int],
    number: Sequence[Sequence[int]],
) -> Iterator[tuple[int, int, int]]:
    """All pieces (arc, message, duration), slice after slice."""
    latest = max(late for _, _, late, _, _, _ in segments)
    for now in range(plan.slices + latest):
        for arc, tree, late, begin, length, share in segments:
            if not 0 <= now - late < plan.slices:
                continue
            position = share * (now - late) + begin
            end = min(position + length, plan.counts[tree] * cost[arc])
            while position < end:
                message = position // cost[arc]
                stop = min(end, (message + 1) * cost[arc])
                yield arc, number[tree][message], stop - position
                position = stop


def _listed(
    problem: Broadcast, ports: Ports, solution: BroadcastSolution, messages: int
) -> Iterator[tuple[Fraction, list[Row]]]:
    """List schedules: all trees in proportion, fewer and fewer of them, and a start-up tree."""
    costs = [arc.cost for arc in problem.platform.arcs]
    tick = common_measure(costs)
    durations = [int(cost / tick) for cost in costs]
    heaviest = sorted(solution.trees, key=lambda tree: -tree.weight)
    for kept in _halvings(len(heaviest)):
        order = mixed(shares([tree.weight for tree in heaviest[:kept]], messages))
        trees = [tree.arcs for tree in heaviest[:kept]]
        yield tick, by_priority(ports, trees, order, lambda arc, _: durations[arc])
    quick = earliest_arrival_tree(ports, durations)
    if quick is not None and solution.problem.restrict == "none":
        yield tick, by_priority(ports, [quick], [0] * messages, lambda arc, _: durations[arc])


def _check_request(solution: BroadcastSolution, messages: int) -> None:
    if isinstance(messages, bool) or not isinstance(messages, int) or messages < 1:
        raise InvalidInput("messages", messages, "a run has a whole number of messages, at least 1")
    if not solution.trees:
        rule = "no message from it ever arrives everywhere: the throughput is 0"
        raise InvalidInput("source", solution.problem.source, rule)
    transfers = messages * (len(solution.problem.platform.nodes) - 1)
    if transfers > MAX_TRANSFERS or messages > MAX_PACKETS:
        rule = (
            f"an explicit run has at most {MAX_TRANSFERS} transfers and {MAX_PACKETS} messages;"
            " the periodic schedule describes any number of them, and delivers M within"
            " M / throughput + makespan_constant"
        )
        raise InvalidInput("messages", messages, rule)


def _unrestricted(solution: BroadcastSolution) -> Broadcast:
    asked = solution.problem
    return Broadcast(asked.platform, asked.source, asked.ports)


def _lower_bound(solution: BroadcastSolution, messages: int) -> tuple[Leaf, Fraction]:
    """No schedule of the messages ends earlier, and the prices and cuts that show it.

    A finite run may use all arcs, so a bound that branches on them (a restriction) proves nothing
    here, and that of the unrestricted problem takes its place.
    """
    leaf = solution.bound
    if not isinstance(leaf, Leaf):
        leaf = solve_series(_unrestricted(solution)).bound
        assert isinstance(leaf, Leaf)
    weight = sum((weight for _, _, weight in leaf.cuts), start=Fraction(0))
    return leaf, messages * weight / sum(leaf.prices.values())
