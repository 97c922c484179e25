"""Where to put the boxes of a tree, or of a scheme that shares results: in layers.

What is needed stands above what needs it.  Within a layer boxes stand in the order of their ranks:
with ranks from left to right, no two arrows of a tree cross.  Where some do, boxes are sorted by
the means of their neighbors' places for a few rounds, and the order with the fewest crossings is
taken.  Every box is then put as near as possible to the mean of its neighbors, by least squares
(isotonic regression).

Reference: Sugiyama, Tagawa, Toda, *Methods for visual understanding of hierarchical system
structures*, 1981.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

_GAP = 16.0
_SWEEPS = 12
_THREAD = 6.0


@dataclass(slots=True)
class Placed:
    """A box that is placed: `rank` orders a layer, `inputs` are the indices of other boxes.

    `layer` is 0 at the bottom, `x` is the middle of the box, from 0 to the right.
    """

    width: float
    rank: Fraction
    inputs: tuple[int, ...]
    layer: int = 0
    x: float = 0.0


def place_in_layers(boxes: list[Placed]) -> tuple[list[Placed], list[list[int]]]:
    """Gives every box its layer and its place in it; inputs stand above what needs them.

    Returns the boxes, after them new ones without a name where an arrow crosses a layer; and box by
    box, input by input, those that the arrow from there runs through.
    """
    _set_layers(boxes)
    every = list(boxes)
    neighbors: list[list[int]] = [[] for _ in boxes]
    threads: list[list[int]] = []

    def join(one: int, other: int) -> None:
        neighbors[one].append(other)
        neighbors[other].append(one)

    for index, box in enumerate(boxes):
        for one in box.inputs:
            before, thread = one, []
            for layer in range(boxes[one].layer - 1, box.layer, -1):
                thread.append(len(every))
                every.append(Placed(_THREAD, boxes[one].rank, (), layer))
                neighbors.append([])
                join(before, thread[-1])
                before = thread[-1]
            join(before, index)
            threads.append(thread)
    layers: dict[int, list[int]] = {}
    for index in sorted(range(len(every)), key=lambda index: (every[index].rank, index)):
        layers.setdefault(every[index].layer, []).append(index)
    _settle_all(every, _untangled(every, layers, neighbors), neighbors)
    left = min(box.x - box.width / 2 for box in every)
    for box in every:
        box.x -= left
    return every, threads


def count_placed(boxes: list[Placed]) -> int:
    """How many boxes and bends of arrows `place_in_layers` has to place."""
    _set_layers(boxes)
    crossed = [boxes[one].layer - box.layer - 1 for box in boxes for one in box.inputs]
    return len(boxes) + sum(crossed)


def _set_layers(boxes: list[Placed]) -> None:
    """A box stands above all that need it; what nobody needs, right below what it comes from."""
    needed: list[list[int]] = [[] for _ in boxes]
    waiting = [0] * len(boxes)
    for index, box in enumerate(boxes):
        for one in box.inputs:
            needed[one].append(index)
            waiting[one] += 1
    ready = [index for index, count in enumerate(waiting) if not count]
    for index in ready:  # grows while it is read
        box = boxes[index]
        box.layer = max((boxes[one].layer + 1 for one in needed[index]), default=0)
        for one in box.inputs:
            waiting[one] -= 1
            if not waiting[one]:
                ready.append(one)
    for index, box in enumerate(boxes):
        if not needed[index] and box.inputs:
            box.layer = min(boxes[one].layer for one in box.inputs) - 1


def _settle_all(
    every: Sequence[Placed], layers: dict[int, list[int]], neighbors: Sequence[Sequence[int]]
) -> None:
    downwards = sorted(layers, reverse=True)
    for layer in downwards:
        _settle(every, layers[layer], [float(every[index].rank) * 60 for index in layers[layer]])
    for sweep in range(_SWEEPS):
        for layer in downwards if sweep % 2 else reversed(downwards):
            wanted = [
                sum(every[other].x for other in neighbors[index]) / len(neighbors[index])
                if neighbors[index]
                else every[index].x
                for index in layers[layer]
            ]
            _settle(every, layers[layer], wanted)


def _untangled(
    every: Sequence[Placed], layers: dict[int, list[int]], neighbors: Sequence[Sequence[int]]
) -> dict[int, list[int]]:
    best, fewest = layers, _crossings(every, layers, neighbors)
    downwards = sorted(layers, reverse=True)
    for sweep in range(_SWEEPS):
        if fewest == 0:
            break
        layers = dict(layers)
        order = downwards if sweep % 2 == 0 else downwards[::-1]
        for before, layer in pairwise(order):
            place = {index: number for number, index in enumerate(layers[before])}
            wanted: dict[int, tuple[float, Fraction]] = {}
            for number, index in enumerate(layers[layer]):
                there = [place[other] for other in neighbors[index] if other in place]
                mean = sum(there) / len(there) if there else number
                wanted[index] = mean, every[index].rank
            layers[layer] = sorted(layers[layer], key=wanted.__getitem__)
        count = _crossings(every, layers, neighbors)
        if count < fewest:
            best, fewest = layers, count
    return best


def _crossings(
    every: Sequence[Placed], layers: dict[int, list[int]], neighbors: Sequence[Sequence[int]]
) -> int:
    """How many pairs of arrows between neighboring layers cross."""
    place = {index: number for layer in layers.values() for number, index in enumerate(layer)}
    count = 0
    for layer in layers.values():
        passed: list[int] = []
        for index in layer:
            below = sorted(
                place[other]
                for other in neighbors[index]
                if every[other].layer < every[index].layer
            )
            count += sum(len(passed) - bisect_right(passed, end) for end in below)
            for end in below:
                insort(passed, end)
    return count


def _settle(boxes: Sequence[Placed], layer: Sequence[int], wanted: Sequence[float]) -> None:
    """The boxes of a layer, in this order and apart, with the least squared distance from `wanted`.

    Less the room of all boxes before it, the places may not decrease: pool adjacent violators.
    """
    room = 0.0
    rooms = []
    for before, index in zip([None, *layer], layer, strict=False):
        if before is not None:
            room += (boxes[before].width + boxes[index].width) / 2 + _GAP
        rooms.append(room)
    pools: list[tuple[float, int]] = []
    for place, needed in zip(wanted, rooms, strict=True):
        total, count = place - needed, 1
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            more, others = pools.pop()
            total, count = total + more, count + others
        pools.append((total, count))
    position = 0
    for total, count in pools:
        for index in layer[position : position + count]:
            boxes[index].x = total / count + rooms[position]
            position += 1
