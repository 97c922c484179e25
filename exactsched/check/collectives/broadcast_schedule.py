"""The throughput that a periodic schedule reaches, from the definition of its port model."""

from __future__ import annotations

from fractions import Fraction

from exactsched.certificate import CollectiveSchedule, PeriodicSchedule
from exactsched.check.collectives.ports import refuse_overlaps
from exactsched.check.graphs.spanning import refuse_unless_spanning
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast


def achieved_throughput(problem: Broadcast, schedule: PeriodicSchedule | None) -> Fraction:
    """The number of broadcasts per time unit which the schedule performs; 0 for no schedule.

    The rules are those of `proofs/certificate-format.md`, kind `series`, in its order.  With n
    nodes, t trees and k slots: O(t n + k log k) steps on integers.  Raises `Rejected`.
    """
    if schedule is None:
        return Fraction(0)
    platform = problem.platform
    ends = [(arc.tail, arc.head) for arc in platform.arcs]
    source = frozenset([problem.source])
    for index, tree in enumerate(schedule.trees):
        place = f"schedule.trees[{index}].arcs"
        refuse_unless_spanning(platform.nodes, ends, source, tree.arcs, place)
    refuse_misplaced_slots(schedule)
    refuse_overlaps(problem, schedule.slots, "schedule.slots")
    _refuse_wrong_amounts(problem, schedule)
    if schedule.whole:
        _refuse_parts_of_messages(problem, schedule)
    if problem.restrict == "tree" and len(schedule.trees) != 1:
        raise Rejected("schedule.trees", len(schedule.trees), "restricted to one tree")
    if problem.restrict == "dag":
        _refuse_cycles(problem, {arc for tree in schedule.trees for arc in tree.arcs})
    return sum(tree.messages for tree in schedule.trees) / schedule.period


def refuse_misplaced_slots(schedule: PeriodicSchedule | CollectiveSchedule) -> None:
    """Raises `Rejected` unless every slot starts before it ends, within the period."""
    last = schedule.period // schedule.tick
    for index, (_, start, end) in enumerate(schedule.slots):
        if not 0 <= start < end:
            raise Rejected(
                f"schedule.slots[{index}]",
                [to_json(start), to_json(end)],
                "a slot starts at 0 or later and ends after its start",
            )
        if end > last:
            raise Rejected(
                f"schedule.slots[{index}]", text(end * schedule.tick), "a slot ends in its period"
            )


def _refuse_wrong_amounts(problem: Broadcast, schedule: PeriodicSchedule) -> None:
    arcs = problem.platform.arcs
    messages = [0] * len(arcs)
    for tree in schedule.trees:
        for index in tree.arcs:
            messages[index] += tree.messages
    ticks = [0] * len(arcs)
    for index, start, end in schedule.slots:
        ticks[index] += end - start
    for index, arc in enumerate(arcs):
        if not ticks[index] and not messages[index]:
            continue
        sent, needed = ticks[index] * schedule.tick, messages[index] * arc.cost
        if sent != needed:
            raise Rejected(
                f"schedule.slots on arc {index} ({arc})",
                [text(sent), text(needed)],
                "the slots of an arc last as long as the messages of its trees, exactly",
            )


def _refuse_parts_of_messages(problem: Broadcast, schedule: PeriodicSchedule) -> None:
    arcs = problem.platform.arcs
    # The smallest number of ticks that is a whole number of messages: the numerator of
    # cost / tick in lowest terms.
    used = {arc for arc, _, _ in schedule.slots}
    whole = {arc: (arcs[arc].cost / schedule.tick).numerator for arc in used}
    for index, (arc, start, end) in enumerate(schedule.slots):
        if (end - start) % whole[arc]:
            raise Rejected(
                f"schedule.slots[{index}]",
                text((end - start) * schedule.tick / arcs[arc].cost),
                "a schedule of whole messages sends a whole number of them in every slot",
            )


def _refuse_cycles(problem: Broadcast, used: set[int]) -> None:
    """Kahn's order: nodes that nothing unplaced leads to are placed until none is left."""
    platform = problem.platform
    leaving: dict[Node, list[Node]] = {node: [] for node in platform.nodes}
    entering = dict.fromkeys(platform.nodes, 0)
    for arc in sorted(used):
        leaving[platform.arcs[arc].tail].append(platform.arcs[arc].head)
        entering[platform.arcs[arc].head] += 1
    ready = [node for node in platform.nodes if entering[node] == 0]
    for node in ready:  # grows while it is read
        for head in leaving[node]:
            entering[head] -= 1
            if entering[head] == 0:
                ready.append(head)
    if len(ready) < len(platform.nodes):
        left = [node for node in platform.nodes if entering[node] > 0]
        raise Rejected("schedule.trees", left, "restricted to arcs without a directed cycle")
