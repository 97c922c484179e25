"""Trees of LogP schedules: who has an item from whom, with times; and of role cycles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from exactsched.certificate.logp import LogPCycles, LogPSchedule, Role
from exactsched.drawing.lettering import counted, short
from exactsched.drawing.palette import PAPER, TINT, color
from exactsched.drawing.scene import Box, Figure, Panels, Tree
from exactsched.drawing.words.logp import role_name

MOST_NODES = 48
_MOST_TREES = 3


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node with its time and its name; `parent` is an earlier node, -1 for the root."""

    parent: int
    time: str
    name: str


def tree_figure(nodes: Sequence[TreeNode], whole: int, title: str) -> Figure:
    """The root on top, children below in their order; a note says which part it is of the whole."""
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes[1:], start=1):
        children[node.parent].append(index)
    ranks = _ranks(children)
    boxes = tuple(
        Box(
            (node.time, node.name),
            ranks[index],
            tuple(children[index]),
            fill=TINT if children[index] else PAPER,
            stroke=color(0),
            round=True,
        )
        for index, node in enumerate(nodes)
    )
    part = f"The first {len(nodes)} of {counted(whole, 'processor')}."
    notes = (part,) if len(nodes) < whole else ()
    return Figure("Tree", Tree(boxes, root_on_top=True), title, notes=notes, panel="trees")


def _ranks(children: Sequence[Sequence[int]]) -> list[Fraction]:
    """Leaves are numbered from left to right, and a parent is the mean of its outer children."""
    ranks = [Fraction(0)] * len(children)
    leaves = 0
    pending = [(0, False)]
    while pending:
        index, done = pending.pop()
        if done:
            ranks[index] = (ranks[children[index][0]] + ranks[children[index][-1]]) / 2
        elif children[index]:
            pending.append((index, True))
            pending += [(child, False) for child in reversed(children[index])]
        else:
            ranks[index] = Fraction(leaves)
            leaves += 1
    return ranks


def schedule_trees(schedule: LogPSchedule) -> Panels | None:
    """Of a broadcast the trees of the first items; of a summation the tree of the messages."""
    if schedule.collective == "summation":
        return Panels("", (_summation_tree(schedule),))
    if schedule.collective != "broadcast":
        return None
    items = min(schedule.count, _MOST_TREES)
    figures = tuple(_item_tree(schedule, item) for item in range(items))
    part = f"The first {items} of {counted(schedule.count, 'item')}."
    return Panels("", figures, (part,) if items < schedule.count else ())


def _item_tree(schedule: LogPSchedule, item: int) -> Figure:
    """Who has the item from whom: of several messages the first one counts."""
    tick, delay = Fraction(schedule.tick), schedule.machine.delay
    number = {0: 0}
    nodes = [TreeNode(-1, "0", "P0")]
    carrying = [message for message in schedule.messages if message[2] == item]
    for sender, receiver, _, start in sorted(carrying, key=lambda message: message[3]):
        if len(nodes) == MOST_NODES:
            break
        if sender in number and receiver not in number:
            number[receiver] = len(nodes)
            time = short(start * tick + delay)
            nodes.append(TreeNode(number[sender], time, f"P{receiver}"))
    named = f"item {short(item)}" if schedule.count > 1 else "the item"
    title = f"Tree of {named}: times at which processors know it"
    return tree_figure(nodes, schedule.machine.P, title)


def _summation_tree(schedule: LogPSchedule) -> Figure:
    tick = Fraction(schedule.tick)
    number = {0: 0}
    nodes = [TreeNode(-1, short(schedule.time), "P0")]
    for sender, receiver, _, start in sorted(schedule.messages, key=lambda message: -message[3]):
        if len(nodes) == MOST_NODES:
            break
        if receiver in number and sender not in number:
            number[sender] = len(nodes)
            nodes.append(TreeNode(number[receiver], short(start * tick), f"P{sender}"))
    title = (
        "Communication tree: times at which sums are sent to the processor above; on top, the end"
    )
    return tree_figure(nodes, 1 + len(schedule.messages), title)


def cycles_tree(cycles: LogPCycles) -> Figure | None:
    """The tree of the item that is sent at step 0: the roles that are taken for it, by delays.

    None if the roles taken do not make a tree.
    """
    latency = cycles.machine.L.numerator
    last = depth_of(cycles)
    roles: dict[int, list[Role]] = {}
    for shift, cycle in cycles.cycles:
        for number, role in enumerate(cycle):
            if (number - role[0] - latency) % shift == 0:
                roles.setdefault(role[0], []).append(role)
    taken = sum(map(len, roles.values()))
    if len(roles.get(0, [])) != 1:
        return None
    # Those with the most children first, so that the tree is the same for all orders of cycles.
    for same in roles.values():
        same.sort(key=lambda role: role[1])
    nodes: list[TreeNode] = []
    free: list[tuple[int, int]] = [(0, -1)]  # (delay, parent), the least delay first
    while free and len(nodes) < MOST_NODES:
        delay, parent = heappop(free)
        if not roles.get(delay):
            return None
        children = roles[delay].pop()[1]
        for child in range(min(children, MOST_NODES)):
            heappush(free, (delay + latency + child, len(nodes)))
        nodes.append(TreeNode(parent, short(delay), role_name(last - delay, children)))
    title = "Tree of an item among the others: delays after it has arrived from the source"
    return tree_figure(nodes, taken, title)


def depth_of(cycles: LogPCycles) -> int:
    """The largest delay of a role: the index of a role is this less its delay."""
    return max((delay for _, roles in cycles.cycles for delay, _ in roles), default=0)
