"""Random mixes of blocks, each among a group of its own, on platforms of a few nodes."""

from __future__ import annotations

from fractions import Fraction

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.model.parts import Block
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import PORTS, Combination, Ports

_COSTS = (1, 2, 3)


def mix(choices: Choices, bound: int) -> Combination:
    """Up to three blocks on 3 to `bound` nodes: sums and messages, for all of a group or for one.

    Arcs lead around a ring, mostly, and a few between any nodes.  A group has two or three nodes,
    so that most paths lead through nodes of other groups, or of none.
    """
    size = choices.size(3, bound)
    ring = choices.shuffled(range(size))
    ends = [(ring[k - 1], ring[k]) for k in range(size)]
    if choices.flip(10):
        ends.pop()
    for _ in range(choices.between(0, 3)):
        tail, head = choices.several_of(range(size), 2)
        if (tail, head) not in ends:
            ends.append((tail, head))
    arcs = [(tail, head, choices.fraction(4, _COSTS)) for tail, head in ends]
    groups = [
        tuple(choices.several_of(range(size), choices.between(2, 3)))
        for _ in range(choices.between(1, 2))
    ]
    blocks = [
        _block(choices, group, number)
        for number, group in enumerate(groups)
        for _ in range(choices.between(1, 2))
    ]
    if choices.flip(3):
        # Among all nodes, for one of them.
        blocks.append(_block(choices, tuple(range(size)), None))
    ports: tuple[Ports, ...] = PORTS  # type: ignore[assignment]
    return Combination(
        Platform(range(size), arcs), tuple(blocks), choices.one_of(ports), None, tuple(groups)
    )


def _block(choices: Choices, group: tuple[Node, ...], number: int | None) -> Block:
    first, second, *_ = choices.shuffled(group)
    targets = group if number is not None and choices.flip() else (first,)
    source = second if choices.flip() else None
    return Block(choices.fraction(3, (1, 2)), targets, source, number)


def _by_hand() -> tuple[Combination, ...]:
    """Nothing in common; a fork where a node outside may not copy; boxes, and across them."""
    one = Fraction(1)
    apart = Platform("abcd", both_ways([("a", "b", 1), ("c", "d", 2)]))
    fork = Platform("ambc", [("a", "m", 1), ("m", "b", 1), ("m", "c", 1), ("b", "a", 1)])
    line = Platform("abcd", both_ways([("a", "b", 1), ("b", "c", 2), ("c", "d", 1)]))
    boxes = (("a", "b"), ("c", "d"))
    gathered = tuple(
        Block(one, group, node, number) for number, group in enumerate(boxes) for node in group
    )
    across = Block(one / 2, ("a", "c"), None, 2)
    ports: tuple[Ports, ...] = PORTS  # type: ignore[assignment]
    return tuple(
        combination
        for model in ports
        for combination in (
            Combination(apart, gathered, model, None, boxes),
            Combination(apart, (*gathered, across), model, None, (*boxes, ("a", "c"))),
            Combination(
                fork,
                (Block(one, tuple("abc"), "a", 0), Block(one, ("a",), "m", 1)),
                model,
                None,
                (tuple("abc"), tuple("ma")),
            ),
            Combination(line, (*gathered, across), model, None, (*boxes, ("a", "c"))),
        )
    )


MIXES = Instances(Combination, mix, Bounds(4, 5, 8), _by_hand)
