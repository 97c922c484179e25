"""The tree of a LogP broadcast, with the times at which nodes know the item; and of a summation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from exactsched.certificate.logp import LogPCycles, LogPSchedule, Role
from exactsched.drawing.canvas import PAPER, SOFT_INK, Fragment, color, lettered, stacked, tag
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import counted, short, text_width
from exactsched.drawing.logp_wording import role_name

MOST_NODES = 48
_MOST_TREES = 3
_SIZE = 11.5
_LAYER = 70.0
_RADIUS = 13.0
_APART = 12.0
_NAME = 15.0


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node with its time, and its name below; `parent` is an earlier node, -1 for the root."""

    parent: int
    time: str
    name: str


def tree_drawing(nodes: Sequence[TreeNode], title: str) -> Fragment:
    """The root on top, children below in their order."""
    children: list[list[int]] = [[] for _ in nodes]
    depth = [0] * len(nodes)
    for index, node in enumerate(nodes[1:], start=1):
        children[node.parent].append(index)
        depth[index] = depth[node.parent] + 1
    wide = [max(text_width(node.time, _SIZE) + 10, 2 * _RADIUS) for node in nodes]
    cell = max(max(wide), max(text_width(node.name, 10) for node in nodes)) + _APART
    middle = [0.0] * len(nodes)
    leaves = 0
    # Depth first: leaves from left to right, a parent above the middle of its children.
    pending = [(0, False)]
    while pending:
        index, done = pending.pop()
        if done:
            middle[index] = (middle[children[index][0]] + middle[children[index][-1]]) / 2
        elif children[index]:
            pending.append((index, True))
            pending += [(child, False) for child in reversed(children[index])]
        else:
            middle[index] = (leaves + 0.5) * cell
            leaves += 1
    head = 34.0
    top = [head + _RADIUS + layer * _LAYER for layer in depth]
    body = [lettered(title, 0, 12, 11.5, bold=True)]
    for index, node in enumerate(nodes[1:], start=1):
        # From below the name of the parent.
        x1, y1 = middle[node.parent], top[node.parent] + _RADIUS + _NAME
        x2, y2 = middle[index], top[index] - _RADIUS
        body.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=SOFT_INK, stroke_width=1.2))
    for index, node in enumerate(nodes):
        x, y = middle[index], top[index]
        fill = PAPER if not children[index] else "#dcebf5"
        body.append(
            tag(
                "rect",
                x=x - wide[index] / 2,
                y=y - _RADIUS,
                width=wide[index],
                height=2 * _RADIUS,
                rx=_RADIUS,
                fill=fill,
                stroke=color(0),
                stroke_width=1.3,
            )
        )
        body.append(lettered(node.time, x, y + 4, _SIZE, anchor="middle", bold=True))
        body.append(lettered(node.name, x, y + _RADIUS + 11, 10, fill=SOFT_INK, anchor="middle"))
    width = max(leaves * cell, text_width(title, 11.5) * 1.08)
    return Fragment(width, max(top) + _RADIUS + 18, "".join(body))


def schedule_trees(schedule: LogPSchedule) -> list[Fragment]:
    """Of a broadcast the trees of the first items; of a summation the tree of the messages."""
    if schedule.collective == "summation":
        return [_summation_tree(schedule)]
    if schedule.collective != "broadcast":
        return []
    items = min(schedule.count, _MOST_TREES)
    trees = [_item_tree(schedule, item) for item in range(items)]
    if items < schedule.count:
        trees.append(notes([f"The first {items} of {counted(schedule.count, 'item')}."], 300))
    return trees


def _item_tree(schedule: LogPSchedule, item: int) -> Fragment:
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
    return _limited(nodes, schedule.machine.P, title)


def _summation_tree(schedule: LogPSchedule) -> Fragment:
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
    return _limited(nodes, 1 + len(schedule.messages), title)


def _limited(nodes: Sequence[TreeNode], processors: int, title: str) -> Fragment:
    drawing = tree_drawing(nodes, title)
    if len(nodes) == processors:
        return drawing
    part = f"The first {len(nodes)} of {counted(processors, 'processor')}."
    return stacked([drawing, notes([part], drawing.width)], 8)


def cycles_tree(cycles: LogPCycles) -> Fragment | None:
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
        _, children = roles[delay].pop()
        for child in range(min(children, MOST_NODES)):
            heappush(free, (delay + latency + child, len(nodes)))
        nodes.append(TreeNode(parent, short(delay), role_name(last - delay, children)))
    title = "Tree of an item among the others: delays after it has arrived from the source"
    return _limited(nodes, taken, title)


def depth_of(cycles: LogPCycles) -> int:
    """The largest delay of a role: the index of a role is this less its delay."""
    return max((delay for _, roles in cycles.cycles for delay, _ in roles), default=0)
