"""Packets that spread in steps over random graphs, and plans for them."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from exactsched.instances.choices import Choices
from exactsched.oracles.synchronous import Spread


def spread(
    choices: Choices,
    bound: int,
    *,
    packets: int,
    half_duplex: bool = False,
    one_source: bool = False,
    unit: bool = False,
) -> Spread:
    """Unit steps in two of three cases; long paths, rings, trees, and anything else."""
    size = choices.between(2, bound)
    parents = [choices.below(v) if choices.flip(3) else v - 1 for v in range(1, size)]
    pairs = {pair for v, up in enumerate(parents, 1) for pair in ((up, v), (v, up))}
    if not choices.flip():
        pairs |= set(choices.some_of(permutations(range(size), 2), choices.one_of((size, 3))))
    if choices.flip(4):  # In one direction only, all from node 0.
        pairs = {(tail, head) for tail, head in pairs if tail < head}
    most = 1 if unit else choices.one_of((1, 1, 3))
    arcs = tuple((*pair, choices.between(1, most)) for pair in sorted(pairs))
    heads = {v: [h for t, h in pairs if t == v] for v in range(size)}
    able = [v for v in range(size) if len(_reached(heads, v)) == size]
    count = 1 if one_source or choices.flip() else choices.between(1, len(able))
    ports = "half-duplex" if half_duplex else choices.one_of(("half-duplex", "one-port"))
    number = choices.between(1, packets)
    picks = tuple(choices.below(600) for _ in range(choices.below(4 * size * number)))
    return Spread(size, arcs, tuple(choices.several_of(able, count)), number, ports, picks)


def _reached(heads: dict[int, list[int]], start: int) -> set[int]:
    reached, stack = {start}, [start]
    while stack:
        for head in heads[stack.pop()]:
            if head not in reached:
                reached.add(head)
                stack.append(head)
    return reached


def of_one_packet(asked: Spread) -> Spread:
    """The same with one packet and no picks."""
    return replace(asked, packets=1, picks=())
