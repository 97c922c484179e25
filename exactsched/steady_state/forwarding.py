"""Allgathers over nodes that only forward and could send more than they receive.

Method: how much of each arc is used, so that no such node sends more than it receives, is a program
with cuts (`steady_state.cut_program`).
Limits: link ports.

The proof is in `proofs/steady-state-allgather.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.bounds import EnteredSet, ForwardingBound, NodePotential
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.patience import PATIENT, Patience
from exactsched.model.problem import Allgather
from exactsched.steady_state.cut_program import CutProgram


@dataclass(frozen=True, slots=True)
class Forwarded:
    """The largest throughput without copies in between, what each arc carries, and a proof."""

    rate: Fraction
    carried: list[Fraction]
    proof: ForwardingBound


def forwarded(
    problem: Allgather,
    ends: Sequence[tuple[int, int]],
    capacities: Sequence[Fraction],
    patience: Patience = PATIENT,
) -> Forwarded:
    """The optimum; `ends` are positions of nodes.  All shards can go everywhere.

    The patience is asked in every round.

    >>> from exactsched.model.platform import Platform
    >>> fork = Platform("asbc", [("a", "s", 1), ("s", "b", 1), ("s", "c", 1)])
    >>> asked = Allgather(fork, (("a", 1), ("b", 0), ("c", 0)))
    >>> forwarded(asked, [(0, 1), (1, 2), (1, 3)], [Fraction(1)] * 3).rate
    Fraction(1, 2)
    """
    platform = problem.platform
    whole, unit = over_common_denominator(capacities)
    sizes, grain = over_common_denominator([size for _, size in problem.shards])
    places = [platform.position[node] for node, _ in problem.shards]
    shape = {place: size for place, size in zip(places, sizes, strict=True) if size}
    found = CutProgram(len(platform.nodes), [ends], whole, places, [shape]).solve(
        lambda *_: patience.ask()
    )
    assert found is not None  # nothing else ends it
    (potentials,), (cuts,), (carried,) = found.potentials, found.cuts, found.carried
    prices = {
        f"link:{arc}": price * capacity
        for arc, (price, capacity) in enumerate(zip(found.prices, whole, strict=True))
        if price
    }
    proof = ForwardingBound(
        prices,
        tuple(
            NodePotential(platform.nodes[place], height * unit)
            for place, height in potentials.items()
        ),
        tuple(
            EnteredSet(tuple(platform.nodes[place] for place in sorted(nodes)), weight * unit)
            for nodes, weight in cuts.items()
        ),
    )
    return Forwarded(
        found.met[0] * grain / unit, [Fraction(amount) / unit for amount in carried], proof
    )
