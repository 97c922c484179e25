"""Allgathers whose shards are cut into few equal chunks, each of which travels along one tree.

Method: a unit of size, whole units on every arc in the least time, and the integral forms of
splitting off and of Edmonds' theorem.
Limits: the least time is known for equal shards, and where rounding leaves switches balanced.

The proof is in `proofs/steady-state-allgather.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

from exactsched.certificate.graphs import Link
from exactsched.exact.arguments import checked_integer, over_common_denominator
from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.splitting_off import links_around
from exactsched.graphs.whole_units import Units, fastest_units, whole_units
from exactsched.model.tasks import WeightedStructure

# How many numbers of chunks are compared, the largest that are allowed.
COMPARED = 1_000


def chunks_per_shard(structures: Iterable[WeightedStructure]) -> int:
    """The least K such that every shard can be cut into at most K equal chunks, a tree for each.

    A tree that carries p/q of its shard, in lowest terms, carries p of q chunks.  0 for no trees.

    >>> third, rest = (WeightedStructure(0, (), Fraction(k, 3)) for k in (1, 2))
    >>> chunks_per_shard([third, rest])
    3
    """
    weights: dict[int, list[Fraction]] = {}
    for structure in structures:
        weights.setdefault(structure.part, []).append(structure.weight)
    needed = 0
    for part in weights.values():
        whole = sum(part, start=Fraction(0))
        needed = max(needed, lcm(*((weight / whole).denominator for weight in part)))
    return needed


def checked_chunks(chunks: object) -> int:
    """A number of chunks >= 1.

    >>> checked_chunks(0)
    Traceback (most recent call last):
    ...
    exactsched.exact.errors.InvalidInput: chunks: 0: a number of chunks is an integer >= 1
    """
    return checked_integer(chunks, 1, "chunks", "a number of chunks is an integer >= 1")


class Chunked(NamedTuple):
    """Links that carry whole chunks in the time of an operation, and the chunks of each shard."""

    links: Sequence[Link]
    chunks: Sequence[int]
    time: Fraction


def loss(throughput: Fraction, bound: Fraction) -> Fraction:
    """The part of the bound that is not reached.

    >>> loss(Fraction(150, 7), Fraction(65, 3))
    Fraction(1, 91)
    """
    return 1 - throughput / bound if bound else Fraction(0)


def links_in_chunks(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[Fraction],
    others: Sequence[int],
    shards: Sequence[Fraction],
    rate: Fraction,
    most: int,
    *,
    spread: int,
    patience: Patience = PATIENT,
) -> Chunked:
    """Links of whole chunks that keep all cuts, where the shard of a node has at most `most`.

    The arguments are those of `split_off`, and the rate of the shards that they keep, > 0.  Whole
    chunks are taken on the arcs, in the least time of all numbers of chunks; if more of them leave
    a node outside the group than enter it, on the links that keep the rate.
    """
    asked = others, shards, most, patience
    carried, demands, time = _in_whole_units(size, arcs, capacities, *asked)
    gained = [0] * size
    for (tail, head), units in zip(arcs, carried, strict=True):
        gained[head] += units
        gained[tail] -= units
    if all(gained[node] >= 0 for node in others):
        network = size, arcs, carried, others, demands
        whole = links_around(*network, spread=spread, parts=1, patience=patience)
        return Chunked(whole, demands, time)
    needed = [rate * shard for shard in shards]
    links = links_around(size, arcs, capacities, others, needed, spread=0, patience=patience)
    ends = [(arcs[path[0]][0], arcs[path[-1]][1]) for path, _ in links]
    rates = [Fraction(link.capacity) for link in links]
    carried, demands, time = _in_whole_units(size, ends, rates, *asked)
    chosen = zip(links, carried, strict=True)
    return Chunked([Link(path, units) for (path, _), units in chosen if units], demands, time)


def _in_whole_units(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[Fraction],
    others: Sequence[int],
    shards: Sequence[Fraction],
    most: int,
    patience: Patience,
) -> tuple[list[int], Sequence[int], Fraction]:
    """What the arcs carry in the least time, in units that no shard has more than `most` of."""
    largest = max(shards)
    choices = []
    for count in range(max(1, most - COMPARED + 1), most + 1):
        needed = {shard: ceil(shard * count / largest) for shard in set(shards)}
        choices.append(Units(largest / count, [needed[shard] for shard in shards]))
    whole, denominator = over_common_denominator(capacities)
    targets = sorted(set(range(size)) - set(others))
    choice, time = fastest_units(size, arcs, whole, targets, choices, patience)
    unit, demands = choices[choice]
    return whole_units(whole, unit, time), demands, time * denominator
