"""The fastest overlay within the degrees, which is NP-hard to find, with a proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from time import monotonic

from exactsched.certificate.overlay import CaseProof, Overlay
from exactsched.exact.search_limits import checked_node_limit, deadline_after
from exactsched.model.machine import MultiPort
from exactsched.overlay.augmented import augmented_overlay
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.cases import best_proof_by_cases, prove_by_cases
from exactsched.overlay.rate import BestRates, best_rates
from exactsched.overlay.relaxation import Arc
from exactsched.overlay.scip_model import TOLERANCE, Proposal, faster_overlay
from exactsched.overlay.scip_model import Progress as Progress
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.shares import excess, overlay_of_rates
from exactsched.overlay.tree import best_tree
from exactsched.overlay.within_degrees import overlay_within_degrees

# SCIP and the proof take turns: FIRST_TURN subproblems at first, then GROWTH times more each time.
FIRST_TURN, GROWTH = 500, 4
# As long as SCIP may find something better, a proof is tried with that part of the subproblems.
PART_FOR_PROOF = Fraction(1, 2)
# What SCIP should find is better by that part at least.
CLOSE = Fraction(TOLERANCE)
# Of the time, that much is for the search; the rest for as good a bound as can be proved.
PART_FOR_SEARCH = 0.6
# With more arcs (those of 100 nodes, if all are allowed) SCIP's program takes longer than anybody
# waits.
MOST_ARCS = 10_000


def optimal_overlay(
    machine: MultiPort,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    progress: Progress | None = None,
) -> Overlay:
    """The fastest overlay within the degrees, and a proof that it is; or both as good as found.

    SCIP proposes arcs, the rates on them are the best ones, exactly, and that nobody is faster
    follows by counting (`exactsched.overlay.bounds`) or is proved by cases
    (`exactsched.overlay.cases`).  The result is `optimal` only if it has been proved to be; else
    its `throughput` and `bound` are the ends of an interval, and both have been proved.

    Machines with more than 100 nodes besides the source, or with more than 10,000 given arcs, are
    not searched: the result is that of `overlay_within_degrees`.  `time_limit` is a wish for the
    whole search, in seconds, and `node_limit` a limit for every branch and bound in it.  `progress`
    is called with bounds on the optimum, as good as floats are.

    Raises `InvalidInput` for limits that are none.  Takes exponential time at worst: the problem
    is NP-hard (Beaumont, Eyraud-Dubois and Agrawal 2010, theorem 3.6).
    Reference: proofs/overlay-model.md.

    >>> overlay = optimal_overlay(MultiPort([2, 1, 1], [2, 1, 1]))
    >>> overlay.throughput, overlay.optimal, len(overlay.proof)
    (Fraction(2, 1), True, 0)
    >>> overlay = optimal_overlay(MultiPort([2, 2, 1, 1], [1, 1, 1, 1]))  # a chain
    >>> overlay.throughput, overlay.optimal, len(overlay.proof)
    (Fraction(1, 1), True, 1)
    """
    limit, end = checked_node_limit(node_limit), deadline_after(time_limit)
    if (len(machine.arcs) or (machine.size - 1) ** 2) > MOST_ARCS:
        return overlay_within_degrees(machine)
    upper = throughput_bound(machine)
    until = None
    if end is not None and time_limit is not None:
        until = end - (1 - PART_FOR_SEARCH) * time_limit
    search = _Search(machine, upper, limit, until, progress)
    proof = search.run()
    if proof is None:
        search.settle_for_service_in_turn()
    best = search.best
    if proof is None and best.throughput < upper:
        left = None if end is None else max(end - monotonic(), 0.0)
        proof = best_proof_by_cases(machine, best.throughput, upper, nodes=limit, seconds=left)
    bound = upper if proof is None else proof.bound
    proofs = () if proof is None else (proof,)
    return overlay_of_rates(machine, "any", best.rates, best.throughput, bound, proofs)


@dataclass(slots=True)
class _Search:
    machine: MultiPort
    upper: Fraction
    limit: int | None
    deadline: float | None
    progress: Progress | None
    best: BestRates = field(init=False)
    _known: list[tuple[Arc, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.best, self._known = best_rates(self.machine, ()), []
        for arcs in _constructed(self.machine):
            self._meet(arcs)

    def run(self) -> CaseProof | None:
        """A proof that `best` is optimal; None at a limit, or if that follows by counting.

        SCIP cannot tell throughputs apart that are as close as its tolerance.  If nothing that is
        better by more can be found or proved to be the optimum, ties are looked at as well.
        """
        for margin in (CLOSE, Fraction(0)):
            proof = self._optimum_but_for(margin)
            if proof is not None or self._done():
                return proof
        return None

    def settle_for_service_in_turn(self) -> None:
        """Takes what `overlay_within_degrees` says if it is better.

        SCIP does not start from it: asked for something better than this, it finds less.  On one
        of the random machines of the benchmark, n = 30, that was nothing in a minute instead of
        the optimum in 3 s.
        """
        overlay = overlay_within_degrees(self.machine)
        if overlay.throughput > self.best.throughput:
            self._meet(tuple([(sender, receiver) for sender, receiver, _ in overlay.arcs]))

    def _optimum_but_for(self, margin: Fraction) -> CaseProof | None:
        """Ends, as every proposal has an arc that is in none of those before."""
        turn, searching = FIRST_TURN, True
        while not self._done():
            nodes = turn if self.limit is None else min(turn, self.limit)
            if searching:
                proposal = self._proposal(Fraction(self.best.throughput) * (1 + margin), nodes)
                if proposal.arcs is not None and self._meet(proposal.arcs):
                    if self._done() or not proposal.finished:
                        continue
                elif proposal.finished:
                    searching = proposal.arcs is not None
                if not proposal.finished:
                    nodes = ceil(nodes * PART_FOR_PROOF)
            budget = nodes if searching else self.limit
            best = self.best.throughput
            proof = prove_by_cases(self.machine, best, nodes=budget, seconds=self._left())
            last = self.limit is not None and turn >= self.limit
            if proof is not None or not searching or last:
                return proof
            turn *= GROWTH
        return None

    def _proposal(self, least: Fraction, nodes: int) -> Proposal:
        return faster_overlay(
            self.machine,
            least,
            self.upper,
            self._known,
            seconds=self._left(),
            nodes=nodes,
            progress=self.progress,
        )

    def _meet(self, arcs: tuple[Arc, ...]) -> bool:
        """Whether more can be sent on these arcs than on all others before."""
        self._known.append(arcs)
        rates = best_rates(self.machine, arcs)
        better = rates.throughput > self.best.throughput
        if better:
            self.best = rates
        return better

    def _done(self) -> bool:
        late = self.deadline is not None and monotonic() > self.deadline
        return late or self.best.throughput == self.upper

    def _left(self) -> float | None:
        return None if self.deadline is None else max(self.deadline - monotonic(), 0.0)


def _constructed(machine: MultiPort) -> Iterator[tuple[Arc, ...]]:
    """The arcs of overlays of other methods, if they are within the degrees.

    Some need a few receivers more than the degrees, so they are built for smaller ones as well.
    """
    if machine.arcs:
        return
    overlays = [best_tree(machine)]
    for less in range(3):
        degrees = [max(degree - less, 0) for degree in machine.degrees]
        restricted = MultiPort(machine.bandwidths, degrees, machine.incoming)
        overlays += [acyclic_overlay(restricted), augmented_overlay(restricted)]
    for overlay in overlays:
        arcs = tuple((i, j) for i, j, _ in overlay.arcs)
        if arcs and not excess(machine, arcs):
            yield arcs
