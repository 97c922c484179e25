"""Broadcast overlays on bounded multi-port machines, and proofs that none is faster, as data."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.exact.rational import Rational
from exactsched.model.machine import MultiPort

# [start, stop) of the parts of the message.
Piece = tuple[int, int]

# (rule, first, second, factor): a row of the linear relaxation, and what it is multiplied with.
Factor = tuple[str, int, int, Rational]


@dataclass(frozen=True, slots=True)
class CaseProof:
    """No overlay within the degrees has a throughput above `bound`: by cases, an arc used or not.

    The overlays with a throughput above `bound` and at most `ceiling`, which is larger, solve a
    linear program; if there are none, there are none above the ceiling either (rates are scaled
    down).  `cuts` are sets of nodes without the source, into each of which everything has to be
    sent.  If `places` is not empty it lists all senders, and receivers are places that are
    numbered in the order in which these senders use them first.

    Case 0 is the beginning.  A row (case, sender, receiver, without, using) of `branches` splits a
    case into two, of which one does not use the arc and the other does; both numbers are larger.
    Every other case has a row (case, factors) of `leaves`: the rows of the program, each times its
    factor, add up to an inequality that no throughput above the bound satisfies in this case.  The
    rows, and why they hold, are those of `proofs/overlay-exact.md`.
    """

    bound: Rational
    ceiling: Rational
    places: tuple[int, ...]
    cuts: tuple[tuple[int, ...], ...]
    branches: tuple[tuple[int, int, int, int, int], ...]
    leaves: tuple[tuple[int, tuple[Factor, ...]], ...]


@dataclass(frozen=True, slots=True)
class Overlay:
    """Who sends which parts of a message to whom, at which rate, and what nobody can do better.

    The message (or each unit of a stream) is cut into `parts` equal parts.  A row of `arcs`
    (sender, receiver, pieces) says that these ranges of parts are sent on this arc, at a rate of
    `throughput` times their share of the message.  Every node but the source receives every part
    from one other, who received it from another, and so on from the source; rates keep to the
    bandwidths of the machine.  A throughput of 0 needs no arcs.

    `structure` says what the bound is about: "any" overlays within the degrees of the machine,
    "acyclic" ones (no node sends to one from which it gets anything, directly or not), or a single
    "tree".  `bound` is at least the throughput of each of them; without a `proof` it follows from
    counting.  `optimal` says whether this overlay is such a one and its throughput is the bound: an
    overlay that exceeds degrees is not optimal, though nothing within them is faster.
    """

    machine: MultiPort
    structure: str
    parts: int
    arcs: tuple[tuple[int, int, tuple[Piece, ...]], ...]
    throughput: Rational
    bound: Rational
    proof: tuple[CaseProof, ...]
    optimal: bool
