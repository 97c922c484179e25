"""Broadcast overlays on bounded multi-port machines, and proofs that none is faster, as data.

Nodes are 0..n, node 0 is the source; parts of the message and cases of a proof are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import eq, lt
from typing import Literal, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.result import Result
from exactsched.certificate.rules import Count, Natural, NodeIndex, NotNegativeFraction
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import Rational, readable, to_json
from exactsched.model.machine import MultiPort

Structure = Literal["any", "acyclic", "tree"]


class Piece(NamedTuple):
    """The parts start, ..., stop - 1 of the message."""

    start: Natural
    stop: Natural


class OverlayArc(NamedTuple):
    """Pieces, at least one, that follow each other, not empty, and are sent on an arc.

    Nothing is sent to the source, or from a node to itself.
    """

    sender: NodeIndex
    receiver: NodeIndex
    pieces: tuple[Piece, ...]


class Branch(NamedTuple):
    """Splits a case into two: without the arc, and using it; both have larger numbers."""

    case: int
    sender: int
    receiver: int
    without: int
    using: int


class Factor(NamedTuple):
    """A row of the linear relaxation, by its rule and two indices, and its multiplier."""

    rule: str
    first: int
    second: int
    factor: Rational


class Leaf(NamedTuple):
    """Rows that contradict, with their factors, every throughput above the bound in this case."""

    case: int
    factors: tuple[Factor, ...]


@readable
@dataclass(frozen=True, slots=True)
class CaseProof:
    """No overlay within the degrees has a throughput above `bound`: by cases, an arc used or not.

    The overlays with a throughput above `bound` and at most `ceiling`, which is larger, solve a
    linear program; if there are none, there are none above the ceiling either (rates are scaled
    down).  Case 0 is the beginning.  The rows, and why they hold, are those of
    `proofs/overlay-exact.md`.

    - `bound`: what no throughput exceeds
    - `ceiling`: a larger throughput
    - `places`: empty, or all nodes that send; receivers are then places, numbered in the order in
      which these senders use them first
    - `cuts`: sets of nodes without the source; everything has to be sent into each of them
    - `branches`: the cases that are split
    - `leaves`: one for each of the other cases: the rows of the program, each times its factor, add
      up to an inequality that no throughput above the bound satisfies
    """

    bound: Rational
    ceiling: Rational
    places: tuple[int, ...]
    cuts: tuple[tuple[int, ...], ...]
    branches: tuple[Branch, ...]
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Overlay(Result):
    """Who sends which parts of a message to whom, at which rate, and what nobody can do better.

    Every node but the source receives every part from one other, who received it from another,
    and so on from the source; rates keep to the bandwidths of the machine.  A throughput of 0 needs
    no arcs.

    - `machine`: bandwidths and degrees
    - `structure`: what the bound is about: "any" overlays within the degrees of the machine,
      "acyclic" ones (no node sends to one from which it gets anything, directly or not), or a
      single "tree"
    - `parts`: into how many equal parts the message, or each unit of a stream, is cut
    - `arcs`: what is sent at a rate of `throughput` times its share of the message
    - `throughput`: the rate at which everybody receives
    - `bound`: at least the throughput of every overlay of the structure; without a proof it follows
      from counting
    - `proof`: empty, or, if the structure is "any", one proof
    - `optimal`: whether this overlay is of the structure, and its throughput is the bound: one
      that exceeds degrees is not optimal, though nothing within them is faster
    """

    machine: MultiPort
    structure: Structure
    parts: Count
    arcs: tuple[OverlayArc, ...]
    throughput: NotNegativeFraction
    bound: Fraction
    proof: tuple[CaseProof, ...]
    optimal: bool

    def validate(self) -> None:
        size, parts = self.machine.size, self.parts
        if not all(_are_fit(arcs, size, parts) for arcs in rules.in_pieces(self.arcs)):
            _refuse_first_unfit(self.arcs, size, parts)
        if len(self.proof) > 1:
            raise Malformed("proof", len(self.proof), "one proof is enough")
        if self.proof and self.structure != "any":
            raise Malformed("proof", self.structure, "a proof by cases is about any overlays")


def _are_fit(arcs: Sequence[OverlayArc], size: int, parts: int) -> bool:
    """Whether they are between nodes, and pieces follow each other, are not empty, and end."""
    senders, receivers, listed = [rules.column(arcs, position) for position in range(3)]
    pieces = rules.rows_in(listed)
    starts, stops = rules.column(pieces, 0), rules.column(pieces, 1)
    (first, last), (least, most) = rules.extremes(senders), rules.extremes(receivers)
    if first < 0 or last >= size or least < 1 or most >= size:
        return False
    if any(map(eq, senders, receivers)) or not all(listed) or not all(map(lt, starts, stops)):
        return False
    if rules.extremes(starts)[0] < 0 or rules.extremes(stops)[1] > parts:
        return False
    if len(pieces) == len(arcs):  # one on every arc
        return True
    several = [of_arc for of_arc in listed if len(of_arc) > 1]
    return all(one[1] <= other[0] for of_arc in several for one, other in pairwise(of_arc))


def _refuse_first_unfit(arcs: Sequence[OverlayArc], size: int, parts: int) -> None:
    rules.indices(rules.column(arcs, 0), size, "arcs", "node", "[0]")
    rules.indices(rules.column(arcs, 1), size, "arcs", "node", "[1]")
    for position, (sender, receiver, pieces) in enumerate(arcs):
        if receiver in (0, sender):
            rule = "a node sends to others than the source"
            raise Malformed(f"arcs[{position}]", [sender, receiver], rule)
        if not pieces:
            raise Malformed(f"arcs[{position}][2]", [], "something is sent on an arc")
        last = 0
        for piece, (start, stop) in enumerate(pieces):
            if not last <= start < stop <= parts:
                place = f"arcs[{position}][2][{piece}]"
                rule = f"pieces follow each other, are not empty, and end by {to_json(parts)}"
                raise Malformed(place, [to_json(start), to_json(stop)], rule)
            last = stop
