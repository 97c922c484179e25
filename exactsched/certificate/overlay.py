"""Broadcast overlays on bounded multi-port machines, and proofs that none is faster, as data."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.machine import MultiPort
from exactsched.rational import Rational

# [start, stop) of the parts of the message.
Piece = tuple[int, int]

# (rule, first, second, factor): a row of the linear relaxation, and what it is multiplied with.
Factor = tuple[str, int, int, Rational]


@dataclass(frozen=True, slots=True)
class CaseProof:
    """No overlay within the degrees has a throughput above a bound: by cases, an arc used or not.

    `cuts` are sets of nodes without the source, into each of which everything has to be sent.
    Case 0 is the beginning.  A row (case, sender, receiver, without, using) of `branches` splits a
    case into two, of which one does not use the arc and the other may; both numbers are larger.
    Every other case has a row (case, factors) of `leaves`: the sum of the rows of the relaxation,
    each times its factor, is the bound in this case.  The rows are those of the page.
    """

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
