"""From a finished search to the bound of a certificate: only what the proof needs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.bounds import Bound, Case, SplitOnCycle, SplitOnNode
from exactsched.certificate.limits import MAX_BOUNDS, MAX_DEPTH
from exactsched.steady_state.restricted.branch_and_bound import Search, Subproblem


@dataclass(frozen=True, slots=True)
class _Proof:
    """What a subproblem contributes: the split it keeps (None: its own cuts), and for which cases.

    `needed` are the removed arcs on which the proof relies; `height` counts nested splits,
    `size` the bounds.
    """

    subproblem: Subproblem
    needed: int
    rate: Fraction
    height: int
    size: int
    cases: tuple[tuple[int, _Proof], ...] = ()


def branching_bound(search: Search) -> tuple[Bound, Fraction]:
    """The shortest bound that the search supports, and the throughput that it proves.

    A case whose proof does not rely on the arcs removed for it proves the whole subproblem, so
    the split and all the other cases go.  Where splits are nested deeper, or are more, than a
    certificate may have, the bound of the subproblem itself replaces them: looser, but honest.
    Linear in the size of the search, times the number of arcs.
    """
    proof = _shortest(search)
    return _stated(search, proof)


def _shortest(search: Search) -> _Proof:
    found = {search.root: None}
    order = [search.root]
    for subproblem in order:
        fresh = [case for _, case in subproblem.cases if case not in found]
        found.update(dict.fromkeys(fresh))
        order.extend(fresh)
    proofs: dict[Subproblem, _Proof] = {}
    # A subproblem can be a case of several: each comes after all that lack more arcs.
    for subproblem in sorted(order, key=lambda one: -one.removed.bit_count()):
        own = _Proof(subproblem, search.needs(subproblem), subproblem.rate, 0, 1)
        cases = tuple((without, proofs[case]) for without, case in subproblem.cases)
        proofs[subproblem] = _preferred(own, cases)
    return proofs[search.root]


def _preferred(own: _Proof, cases: tuple[tuple[int, _Proof], ...]) -> _Proof:
    """The best of: the own cuts, one case that proves everything, all cases together."""
    if not cases:
        return own
    sufficient = [proof for without, proof in cases if not proof.needed & without]
    if sufficient:
        return min([*sufficient, own], key=lambda proof: (proof.rate, proof.size))
    rate = max(proof.rate for _, proof in cases)
    if own.rate <= rate:
        return own
    needed = 0
    for without, proof in cases:
        needed |= proof.needed & ~without
    height = 1 + max(proof.height for _, proof in cases)
    size = 1 + sum(proof.size for _, proof in cases)
    if height > MAX_DEPTH or size > MAX_BOUNDS:
        return own
    return _Proof(own.subproblem, needed, rate, height, size, cases)


def _stated(search: Search, proof: _Proof) -> tuple[Bound, Fraction]:
    """The records, and the largest rate of their leaves with the arcs removed above each."""
    model, restriction = search.model, search.restriction
    listed: list[tuple[_Proof, int]] = [(proof, 0)]
    first: list[int] = []
    for current, removed in listed:
        first.append(len(listed))
        listed.extend((case, removed | without) for without, case in current.cases)
    nodes = model.problem.platform.nodes
    built: dict[int, Bound] = {}
    largest = Fraction(0)
    for position in reversed(range(len(listed))):
        current, removed = listed[position]
        split = current.subproblem.split
        if not current.cases or split is None:
            cuts = current.subproblem.cuts
            largest = max(largest, restriction.rounded(model.rate(cuts), removed))
            built[position] = model.leaf(cuts)
            continue
        cases = tuple(
            Case(_arcs(without), built.pop(first[position] + index))
            for index, (without, _) in enumerate(current.cases)
        )
        if isinstance(split, int):
            built[position] = SplitOnNode(nodes[split], cases)
        else:
            built[position] = SplitOnCycle(split, cases)
    return built[0], largest


def _arcs(bits: int) -> tuple[int, ...]:
    return tuple(arc for arc in range(bits.bit_length()) if bits >> arc & 1)
